/* show.c - `show`: which topic is told, how things stand, and the fields that things have. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/session.h"
#include "lang/api/show.h"
#include "runtime/world/show.h"

void json_value(struct buf *b, const char *text)
{
	buf_putc(b, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buf_putc(b, '\\');
		if ((unsigned char)*text < 32)
			buf_printf(b, "\\u%04x", (unsigned)*text);
		else
			buf_putc(b, *text);
	}
	buf_putc(b, '"');
}

void json_text(struct buf *b, const char *key, const char *text, bool first)
{
	buf_printf(b, "%s\"%s\":", first ? "{" : ",", key);
	json_value(b, text);
}

int *in_listed_order(
	const struct shown *s, int n, const char *(*name)(const struct model *m, int i))
{
	const struct model *m = &s->f->model;
	int *order = malloc((size_t)(n + 1) * sizeof *order);
	if (!order)
		abort();
	for (int i = 0; i < n; i++) {
		int at = i;
		for (; at > 0 && !s->json && strcmp(name(m, order[at - 1]), name(m, i)) > 0; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	order[n] = -1;
	return order;
}

/* ---- fields ---- */

/* The words that a field may hold, where they are known. */
static void field_values(const struct model *m, const struct mfield *f, bool json, struct buf *out)
{
	buf_puts(out, json ? ",\"values\":[" : ": ");
	for (int i = 0; i < f->words.n; i++) {
		buf_puts(out, !i ? "" : json ? "," : ", ");
		if (json)
			json_value(out, model_text(m, f->words.v[i]));
		else
			buf_puts(out, model_text(m, f->words.v[i]));
	}
	buf_puts(out, json ? "]" : "");
}

/* What the field is when nothing states it, as its declaration writes it; nothing: it is unset. */
static void field_default(struct fray *f, const struct mfield *x, bool json, struct buf *out)
{
	size_t n = 0;
	const char *text = x && x->initial ? sources_text(&f->sources, x->initial->span, &n) : "";
	struct buf value = {0};
	buf_printf(&value, "%.*s", (int)n, text);
	if (n && json)
		json_text(out, "default", buf_text(&value), false);
	else if (n && strcmp(buf_text(&value), "no"))
		buf_printf(out, ", %s if not stated", buf_text(&value));
	buf_free(&value);
}

/* The modules whose rules read the field: `unread` is its byte in the first module's row. */
static void field_readers(const struct model *m, const uint8_t *unread, struct buf *out)
{
	bool any = false;
	buf_puts(out, ",\"read by\":[");
	for (int k = 0; k < m->module.n; k++) {
		if (unread[k * m->field.n])
			continue;
		buf_puts(out, any ? "," : "");
		json_value(out, *m->module.v[k].shown ? m->module.v[k].shown : "the script");
		any = true;
	}
	buf_puts(out, "]");
}

/* A row of fields for each module: not 0, where no rule of it reads the field. */
static uint8_t *find_readers(struct model *m)
{
	size_t row = (size_t)m->field.n;
	uint8_t *unread = malloc(row * (size_t)m->module.n + 1);
	if (!unread)
		abort();
	memset(unread, 0xff, row * (size_t)m->module.n);
	for (int k = 0; k < m->module.n; k++)
		fields_read(m, k, unread + row * (size_t)k);
	return unread;
}

/* One field of what is called `of`, of type and with the words it may hold (`f`: a field, not a
 * pair's); its meaning, whether rules keep it or people alone need it, and who reads it. The first
 * of its kind comes under a heading. */
struct field_line {
	const char *of, *name, *meaning;
	struct type *type;
	bool kept, noted;
	const struct mfield *f;
	const uint8_t *unread;
};

static void show_field(struct shown *s, const struct field_line *x, bool *headed)
{
	struct model *m = &s->f->model;
	struct buf b = {0}, type = {0};
	type_print(m, x->type, &type);
	if (s->json) {
		json_text(&b, "kind", x->of, true);
		json_text(&b, "field", x->name, false);
		json_text(&b, "type", buf_text(&type), false);
		json_text(&b, "meaning", x->meaning ? x->meaning : "", false);
		buf_printf(&b, ",\"kept\":%s,\"noted\":%s", x->kept ? "true" : "false",
			x->noted ? "true" : "false");
		if (x->unread)
			field_readers(m, x->unread, &b);
		field_default(s->f, x->f, true, &b);
		if (x->f && x->f->closed)
			field_values(m, x->f, true, &b);
		buf_puts(&b, "}\n");
	} else if (!x->kept || s->full) {
		if (x->f && x->f->closed)
			field_values(m, x->f, false, &type);
		else
			field_default(s->f, x->f, false, &type);
		if (!*headed)
			fray_writef(s->f, FRAY_HEADING, "%s\n", x->of);
		*headed = true;
		buf_printf(&b, "  %-24s ", x->name);
		if (x->meaning)
			buf_printf(&b, "%s (%s)", x->meaning, buf_text(&type));
		else
			buf_puts(&b, buf_text(&type));
		buf_puts(&b, x->kept ? ", kept by rules\n" : x->noted ? ", for people to read\n" : "\n");
	}
	fray_write(s->f, FRAY_PLAIN, buf_text(&b));
	buf_free(&type);
	buf_free(&b);
}

/* What two of a kind have between them, or one has to the other. */
static void show_pairs(struct shown *s, int kind, bool directed)
{
	struct model *m = &s->f->model;
	struct buf of = {0};
	bool headed = false;
	if (directed)
		buf_printf(&of, "%s to %s", model_text(m, m->kind.v[kind].name), model_text(m, m->kind.v[kind].name));
	else
		buf_printf(&of, "pair of %s", model_text(m, m->kind.v[kind].plural));
	for (int i = 0; i < m->pair.n; i++) {
		const struct mpair *q = &m->pair.v[i];
		struct field_line x = {buf_text(&of), model_text(m, q->name), q->meaning, q->type, q->kept,
			q->noted, NULL, NULL};
		if (q->kind == kind && q->directed == directed)
			show_field(s, &x, &headed);
	}
	buf_free(&of);
}

enum fray_status show_fields(struct shown *s, const char *what)
{
	struct model *m = &s->f->model;
	int only = what ? model_kind(m, model_sym(m, what)) : -1;
	if (what && only < 0) {
		diag_report(&s->f->sink, M_NO_KIND, (struct span){0}, 1, what);
		return FRAY_WRONG;
	}
	uint8_t *unread = s->json ? find_readers(m) : NULL;
	for (int k = 0; k < m->kind.n; k++) {
		bool headed = false;
		if (m->kind.v[k].isa >= 0 || (only >= 0 && kind_root(m, only) != k))
			continue;
		for (int i = 0; i < m->field.n; i++) {
			const struct mfield *f = &m->field.v[i];
			struct field_line x = {model_text(m, m->kind.v[k].name), model_text(m, f->name),
				f->meaning, f->type, f->kept, f->noted, f, unread ? unread + i : NULL};
			if (f->kind == k && !f->hidden)
				show_field(s, &x, &headed);
		}
		show_pairs(s, k, false);
		show_pairs(s, k, true);
	}
	free(unread);
	return FRAY_OK;
}

/* ---- how things stand ---- */

/* Whether a fight has begun; if not, that is reported of the topic. */
static bool has_fight(struct fray *f)
{
	if (!f->vm)
		report_no_fight(f, (struct span){0});
	return f->vm != NULL;
}

enum fray_status show_world(struct shown *s, const char *what)
{
	struct buf b = {0};
	(void)what;
	world_show(s->f->program, vm_block(s->f->vm), s->full, &b);
	fray_write(s->f, FRAY_PLAIN, buf_text(&b));
	buf_free(&b);
	return FRAY_OK;
}

enum fray_status show_timeline(struct shown *s, const char *what)
{
	(void)what;
	fray_tell(s->f, s->json ? FRAY_JSON : FRAY_TIMELINE);
	return FRAY_OK;
}

enum fray_status show_log(struct shown *s, const char *what)
{
	(void)what;
	fray_tell(s->f, s->json ? FRAY_JSON : FRAY_STORY);
	return FRAY_OK;
}

enum fray_status show_encounters(struct shown *s, const char *what)
{
	(void)what;
	for (int i = 0; i < fray_encounters(s->f); i++) {
		struct buf b = {0};
		json_text(&b, "encounter", fray_encounter(s->f, i), true);
		if (s->json)
			fray_writef(s->f, FRAY_PLAIN, "%s}\n", buf_text(&b));
		else
			fray_writef(s->f, FRAY_PLAIN, "  %s\n", fray_encounter(s->f, i));
		buf_free(&b);
	}
	return FRAY_OK;
}

static enum fray_status show_combatant(struct shown *s, const char *what)
{
	struct fray *f = s->f;
	const sym name = model_alias(&f->model, intern_word(f->names, what));
	for (int i = 0; i < f->program->lives[KIND_COMBATANT]; i++)
		if (intern_word(f->names, f->program->live[KIND_COMBATANT][i].name) == name) {
			struct buf b = {0};
			world_show_thing(
				f->program, vm_block(f->vm), KIND_COMBATANT, i, s->full, &b);
			fray_write(f, FRAY_PLAIN, buf_text(&b));
			buf_free(&b);
			return FRAY_OK;
		}
	diag_report(&f->sink, M_NOT_HERE, (struct span){0}, 1, what);
	return FRAY_WRONG;
}

/* ---- topics ---- */

enum told_of { RULES, FIGHT, LISTED };

static const struct topic { const char *name; enum told_of of; show_fn *show; } TOPICS[] = {
#define TOPIC(name, of, function) {name, of, function},
#include "lang/api/topics.def"
#undef TOPIC
};

/* "Bruna in full": with what rules keep; what stands before that. */
static bool in_full(const char *what, struct buf *before)
{
	static const char words[] = "in full";
	size_t n = what ? strlen(what) : 0, k = sizeof words - 1;
	if (n < k || strcmp(what + n - k, words) || (n > k && what[n - k - 1] != ' '))
		return false;
	buf_add(before, what, n > k ? n - k - 1 : 0);
	return true;
}

/* The topic of that name, or of which it is the singular: "events", "event"; NULL: none. */
static const struct topic *topic_called(const char *name)
{
	const size_t n = strlen(name);
	for (size_t i = 0; i < FRAY_COUNT(TOPICS); i++) {
		const char *is = TOPICS[i].name;
		if (!strcmp(is, name) || (!strncmp(is, name, n) && !strcmp(is + n, "s")))
			return &TOPICS[i];
	}
	return !strcmp(name, "die") ? topic_called("dice") : NULL;
}

bool fray_is_topic(const char *topic)
{
	return topic_called(topic) || !strcmp(topic, "combatant");
}

/* What there is to show, for whoever asked for something else. */
static void report_topics(struct fray *f, const char *asked)
{
	struct buf all = {0};
	for (size_t i = 0; i < FRAY_COUNT(TOPICS); i++)
		buf_printf(&all, "%s%s", i ? ", " : "", TOPICS[i].name);
	diag_report(&f->sink, M_SHOW_WHAT, (struct span){0}, 2, asked, buf_text(&all));
	buf_free(&all);
}

static enum fray_status show_topic(struct fray *f, const char *topic, const char *what, bool full, bool json)
{
	struct shown s = {f, json, full};
	enum fray_status status;
	if (!f->checked)
		return FRAY_WRONG;
	const struct topic *t = topic_called(topic);
	if (t) {
		if ((t->of == FIGHT && !has_fight(f)) ||
			(t->of == RULES && !(units_parts(f) && units_refresh(f))))
			return FRAY_WRONG;
		return t->show(&s, what);
	}
	if (!strcmp(topic, "combatant") && what)
		return has_fight(f) ? show_combatant(&s, what) : FRAY_WRONG;
	if (strcmp(topic, "combatant") != 0 && show_things(f, topic, what, json, &status))
		return status;
	report_topics(f, topic);
	return FRAY_WRONG;
}

enum fray_status fray_show(struct fray *f, const char *topic, const char *what, bool json)
{
	struct buf part = {0};
	const bool full = in_full(what, &part);
	enum fray_status status = show_topic(f, topic, !full ? what : part.length ? buf_text(&part) : NULL, full, json);
	buf_free(&part);
	return status;
}
