/* show.c - what is in force and how things stand: rules, order, fields, actions, the
 * world, the timeline, one combatant. */
#include <string.h>

#include "lang/api/session.h"
#include "lang/api/show.h"
#include "runtime/world/show.h"

static const char *const LAYERS[] = {"core", "parent ruleset", "ruleset", "thing", "house rules", "script", "prompt"};

struct shown { struct fray *f; bool json, full; };

/* ---- rules, as they are in force where the fight stands ---- */

void model_where(struct fray *f, bool fight)
{
	struct model *m = &f->model;
	bool reporting = m->reporting;
	m->reporting = false;
	m->in_encounter = fight && f->vm ? f->encounter : -1;
	layers_resolve(m);
	for (int k = 1; fight && f->vm && k <= m->stretch.n; k++)
		m->at_stretch = m->stretch.v[k - 1] <= session_beats(f) + 1 ? k : m->at_stretch;
	m->reporting = reporting;
}

static bool block_holds(const struct fray *f, const struct node *moment)
{
	const struct model *m = &f->model;
	const word *w = f->vm ? vm_block(f->vm) : NULL;
	if (!w)
		return false;
	if (moment->name == m->w.beat)
		return moment->num <= session_beats((struct fray *)(uintptr_t)f) + 1;
	return moment->name == m->w.round && w[f->program->field[f->program->at.round_number].base] == moment->num;
}

static bool in_force_now(const struct fray *f, const struct mclause *x)
{
	const struct model *m = &f->model;
	bool in_force = x->in_force && (!x->moment || block_holds(f, x->moment)) && !(x->off && x->off[m->at_stretch]);
	for (int i = 0; i < x->gone.n; i++)
		in_force &= !block_holds(f, x->gone.v[i]);
	return in_force;
}

static void json_value(struct buf *b, const char *text)
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

static void clause_line(struct shown *s, int c)
{
	struct model *m = &s->f->model;
	const struct mclause *x = &m->clause.v[c];
	const struct module *mod = &m->module.v[x->module];
	size_t n;
	const char *text = sources_text(&s->f->sources, x->node->span, &n);
	struct buf one = {0};
	/* a value is told whole; of what a rule does, as much as shows which it is */
	size_t most = x->sort == CLAUSE_DEFINE || x->sort == CLAUSE_ADJUST || x->sort == CLAUSE_LIMIT ? n : 200;
	size_t i = 0;
	for (; i < n && (one.length < most || one.data[one.length - 1] != ' '); i++)
		if (text[i] != '\n' && !(text[i] == ' ' && one.length && one.data[one.length - 1] == ' '))
			buf_putc(&one, text[i] == '\t' ? ' ' : text[i]);
		else if (one.length && one.data[one.length - 1] != ' ')
			buf_putc(&one, ' ');
	if (i < n)
		buf_puts(&one, "..");
	const char *rule = x->rule >= 0 ? model_text(m, m->rule.v[x->rule].name) : "";
	const char *cite = x->rule >= 0 ? m->rule.v[x->rule].cite : "";
	bool in_force = in_force_now(s->f, x);
	if (s->json) {
		struct buf b = {0};
		json_text(&b, "rule", rule, true);
		json_text(&b, "module", mod->shown, false);
		json_text(&b, "layer", LAYERS[mod->layer], false);
		json_text(&b, "cite", cite, false);
		json_text(&b, "clause", buf_text(&one), false);
		buf_printf(&b, ",\"in force\":%s}\n", in_force ? "true" : "false");
		fray_write(s->f, FRAY_PLAIN, buf_text(&b));
		buf_free(&b);
	} else {
		struct buf from = {0};
		buf_puts(&one, in_force ? "" : "   [not in force]");
		buf_printf(&from, "%s%s%s%s%s", *mod->shown ? mod->shown : "the script", *rule ? ": " : "", rule, *cite ? ", " : "", cite);
		fray_write(s->f, FRAY_PLAIN, "  ");
		fray_wrap(s->f, buf_text(&one), 2, 4);
		fray_write(s->f, FRAY_PLAIN, "      ");
		fray_wrap(s->f, buf_text(&from), 6, 8);
		buf_free(&from);
	}
	buf_free(&one);
}

static bool is_about(const struct model *m, const struct mclause *x, const char *what)
{
	if (!what || (x->rule >= 0 && !strcmp(model_text(m, m->rule.v[x->rule].name), what)))
		return true;
	struct buf b = {0};
	if (x->question >= 0) {
		const struct mquestion *q = &m->question.v[x->question];
		if (q->subject >= 0)
			buf_printf(&b, "%s's ", model_text(m, m->kind.v[q->subject].name));
		buf_puts(&b, model_text(m, q->name));
		bool hit = !strcmp(buf_text(&b), what) || !strcmp(model_text(m, q->name), what);
		buf_free(&b);
		return hit;
	}
	if (x->event >= 0)
		return !strcmp(model_text(m, m->event.v[x->event].name), what);
	return (x->sort == CLAUSE_ORDER || x->sort == CLAUSE_PAIR) && (!strcmp(what, "acts") || !strcmp(what, "order"));
}

static enum fray_status show_rules(struct shown *s, const char *what)
{
	struct model *m = &s->f->model;
	int shown = 0;
	model_where(s->f, true);
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (x->sort == CLAUSE_NEEDS || x->sort == CLAUSE_COSTS || !is_about(m, x, what))
			continue;
		clause_line(s, c);
		shown++;
	}
	model_where(s->f, false);
	if (!shown && what)
		fray_writef(s->f, FRAY_PLAIN, "No rule speaks of \"%s\".\n", what);
	return FRAY_OK;
}

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
		if (x->f && x->f->closed)
			field_values(m, x->f, true, &b);
		buf_puts(&b, "}\n");
	} else if (!x->kept || s->full) {
		if (x->f && x->f->closed)
			field_values(m, x->f, false, &type);
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

static enum fray_status show_fields(struct shown *s, const char *what)
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

static void show_actions(struct shown *s)
{
	struct model *m = &s->f->model;
	for (int i = 0; i < m->event.n; i++) {
		const struct mevent *e = &m->event.v[i];
		if (!e->action)
			continue;
		struct buf b = {0};
		buf_puts(&b, model_text(m, e->name));
		for (int k = 1; k < e->roles; k++)
			buf_printf(&b, " %s%s(%s)", e->role[k].preposition ? model_text(m, e->role[k].preposition) : "", e->role[k].preposition ? " " : "",
			           model_text(m, e->role[k].name));
		if (s->json) {
			struct buf j = {0};
			json_text(&j, "action", model_text(m, e->name), true);
			json_text(&j, "pattern", buf_text(&b), false);
			buf_puts(&j, "}\n");
			fray_write(s->f, FRAY_PLAIN, buf_text(&j));
			buf_free(&j);
		} else {
			fray_writef(s->f, FRAY_PLAIN, "  %s\n", buf_text(&b));
		}
		buf_free(&b);
	}
}

static void show_order(struct shown *s)
{
	struct model *m = &s->f->model;
	static const struct { const char *title; bool round; } which[] = {{"an encounter", false}, {"a round", true}};
	for (int i = 0; i < 2 && !s->json; i++) {
		struct node *q = which[i].round ? m->sequence_round : m->sequence_encounter;
		struct buf phases = {0};
		fray_writef(s->f, FRAY_HEADING, "%s: ", which[i].title);
		for (struct node *p = q ? q->a : NULL; p; p = p->next)
			buf_printf(&phases, "%s%s", model_text(m, p->name), p->next ? ", " : "");
		fray_wrap(s->f, buf_text(&phases), (int)strlen(which[i].title) + 2, 2);
		buf_free(&phases);
	}
	show_rules(s, "order");
	show_rules(s, "act's time");
}

static void show_sources(struct shown *s)
{
	struct model *m = &s->f->model;
	for (int i = 0; i < m->module.n; i++) {
		const struct module *x = &m->module.v[i];
		int rules = 0;
		for (int k = 0; k < m->rule.n; k++)
			rules += m->rule.v[k].module == i;
		fray_writef(s->f, FRAY_PLAIN, "  %-16s %-16s %d rules  %s\n", *x->shown ? x->shown : "(the script)", LAYERS[x->layer], rules, x->title ? x->title : "");
	}
}

/* What may tell of rules that were put off. */
static bool of_rules(const char *topic)
{
	static const char *const all[] = {"rules", "order", "fields", "actions", "options", "sources"};
	for (size_t i = 0; i < FRAY_COUNT(all); i++)
		if (!strcmp(topic, all[i]))
			return true;
	return false;
}

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

static enum fray_status show_topic(struct fray *f, const char *topic, const char *what, bool full, bool json)
{
	struct shown s = {f, json, full};
	enum fray_status status;
	if (!f->checked || (of_rules(topic) && !(units_parts(f) && units_refresh(f))))
		return FRAY_WRONG;
	if (!strcmp(topic, "rules"))
		return show_rules(&s, what);
	if (!strcmp(topic, "order")) {
		show_order(&s);
	} else if (!strcmp(topic, "fields")) {
		return show_fields(&s, what);
	} else if (!strcmp(topic, "actions")) {
		show_actions(&s);
	} else if (!strcmp(topic, "options")) {
		show_options(f, json);
	} else if (!strcmp(topic, "sources")) {
		show_sources(&s);
	} else if (!strcmp(topic, "encounters")) {
		for (int i = 0; i < fray_encounters(f); i++)
			fray_writef(f, FRAY_PLAIN, "  %s\n", fray_encounter(f, i));
	} else if (strcmp(topic, "combatant") && show_things(f, topic, what, json, &status)) {
		return status;
	} else if (!f->vm) {
		diag_report(&f->sink, !strcmp(topic, "world") || !strcmp(topic, "timeline") || !strcmp(topic, "log") || !strcmp(topic, "combatant") ? M_NO_FIGHT : M_SHOW_WHAT, (struct span){0}, 1, topic);
		return FRAY_WRONG;
	} else if (!strcmp(topic, "world")) {
		struct buf b = {0};
		world_show(f->program, vm_block(f->vm), full, &b);
		fray_write(f, FRAY_PLAIN, buf_text(&b));
		buf_free(&b);
	} else if (!strcmp(topic, "timeline")) {
		fray_tell(f, FRAY_TIMELINE);
	} else if (!strcmp(topic, "log")) {
		fray_tell(f, FRAY_STORY);
	} else if (!strcmp(topic, "combatant") && what) {
		sym name = model_alias(&f->model, intern_word(f->names, what));
		for (int i = 0; i < f->program->lives[KIND_COMBATANT]; i++)
			if (intern_word(f->names, f->program->live[KIND_COMBATANT][i].name) == name) {
				struct buf b = {0};
				world_show_thing(f->program, vm_block(f->vm), KIND_COMBATANT, i, full, &b);
				fray_write(f, FRAY_PLAIN, buf_text(&b));
				buf_free(&b);
				return FRAY_OK;
			}
		diag_report(&f->sink, M_NOT_HERE, (struct span){0}, 1, what);
		return FRAY_WRONG;
	} else {
		diag_report(&f->sink, M_SHOW_WHAT, (struct span){0}, 1, topic);
		return FRAY_WRONG;
	}
	return FRAY_OK;
}

enum fray_status fray_show(struct fray *f, const char *topic, const char *what, bool json)
{
	struct buf part = {0};
	const bool full = in_full(what, &part);
	enum fray_status status = show_topic(f, topic, !full ? what : part.length ? buf_text(&part) : NULL, full, json);
	buf_free(&part);
	return status;
}
