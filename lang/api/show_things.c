/* show_things.c - stat blocks on demand: one of a name, or all of a kind that fit. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/show.h"

/* "hit dice 1..3": a field and what it is to hold. */
struct wanted { sym field; bool ranged; double from, to; const char *text; };

enum { LIST_FIELDS = 5, CHAIN_MOST = 200 };

/* What a line `field: values` says after its colon. */
static void values_text(struct fray *f, const struct node *field, struct buf *out)
{
	size_t n;
	const char *text = sources_text(&f->sources, field->span, &n);
	const char *colon = memchr(text, ':', n);
	const size_t at = colon ? (size_t)(colon - text) + 1 : 0;
	add_flat(text + at, n - at, out);
}

/* The fields of a thing, each from the nearest block that has it. */
static int fields_of(const struct model *m, int thing, const struct node **out, int most)
{
	int n = 0;
	for (int t = thing; t >= 0; t = m->thing.v[t].parent)
		for (const struct node *d = m->thing.v[t].node->b; d; d = d->next) {
			bool again = d->kind != N_KIND_D_FIELD || d->damaged;
			for (int i = 0; i < n && !again; i++)
				again = out[i]->name == d->name;
			if (!again && n < most)
				out[n++] = d;
		}
	return n;
}

static const struct node *field_of(const struct model *m, int thing, sym field)
{
	const struct node *all[CHAIN_MOST];
	int n = fields_of(m, thing, all, CHAIN_MOST);
	for (int i = 0; i < n; i++)
		if (model_alias(m, all[i]->name) == field)
			return all[i];
	return NULL;
}

static bool fits(struct fray *f, int thing, const struct wanted *w)
{
	if (!w->field)
		return true;
	const struct node *d = field_of(&f->model, thing, w->field);
	struct buf b = {0};
	if (!d)
		return false;
	values_text(f, d, &b);
	char *end;
	double is = strtod(buf_text(&b), &end);
	bool number = end != buf_text(&b);
	bool yes = w->ranged ? number && is >= w->from && is <= w->to : strstr(buf_text(&b), w->text) != NULL;
	buf_free(&b);
	return yes;
}

static void trait_json(struct fray *f, const char *fields, const char *rule, const char *words, void *context)
{
	struct buf *b = context;
	(void)f;
	buf_puts(b, b->length ? ",{\"fields\":" : "{\"fields\":");
	json_value(b, fields);
	buf_puts(b, ",\"rule\":");
	json_value(b, rule);
	buf_puts(b, ",\"words\":");
	json_value(b, words);
	buf_putc(b, '}');
}

static void thing_json(struct fray *f, int thing)
{
	const struct model *m = &f->model;
	const struct node *all[CHAIN_MOST];
	int n = fields_of(m, thing, all, CHAIN_MOST);
	struct buf b = {0}, v = {0};
	buf_puts(&b, "{\"kind\":");
	json_value(&b, model_text(m, m->kind.v[m->thing.v[thing].kind].name));
	buf_puts(&b, ",\"name\":");
	json_value(&b, model_text(m, m->thing.v[thing].name));
	buf_puts(&b, ",\"fields\":{");
	for (int i = 0; i < n; i++) {
		v.length = 0;
		values_text(f, all[i], &v);
		buf_puts(&b, i ? "," : "");
		json_value(&b, model_text(m, model_alias(m, all[i]->name)));
		buf_putc(&b, ':');
		json_value(&b, v.length ? buf_text(&v) : "");
	}
	v.length = 0;
	buf_putc(&b, '}');
	if (kind_is(m, m->thing.v[thing].kind, KIND_COMBATANT)) {
		show_traits(f, thing, trait_json, &v);
		buf_printf(&b, ",\"traits\":[%s]", v.length ? buf_text(&v) : "");
	}
	buf_puts(&b, "}\n");
	fray_write(f, FRAY_PLAIN, buf_text(&b));
	buf_free(&b);
	buf_free(&v);
}

static void trait_line(struct fray *f, const char *fields, const char *rule, const char *words, void *context)
{
	bool *any = context;
	struct buf b = {0};
	if (!*any)
		fray_write(f, FRAY_NAME, "what its traits do\n");
	*any = true;
	buf_printf(&b, "%s - %s: %s", fields, rule, words);
	fray_write(f, FRAY_PLAIN, "  ");
	fray_wrap(f, buf_text(&b), 2, 6);
	buf_free(&b);
}

static void thing_block(struct fray *f, int thing)
{
	const struct model *m = &f->model;
	const struct mthing *t = &m->thing.v[thing];
	const struct node *all[CHAIN_MOST];
	int n = fields_of(m, thing, all, CHAIN_MOST);
	struct buf v = {0};
	fray_writef(f, FRAY_NAME, "%s %s", model_text(m, m->kind.v[t->kind].name), model_text(m, t->name));
	fray_writef(f, FRAY_CITE, "   %s\n", *m->module.v[t->module].shown ? m->module.v[t->module].shown : "the script");
	for (int i = 0; i < n; i++) {
		v.length = 0;
		values_text(f, all[i], &v);
		fray_writef(f, FRAY_PLAIN, "  %s: %s\n", model_text(m, all[i]->name), v.length ? buf_text(&v) : "");
	}
	for (const struct node *d = t->node->b; d; d = d->next)
		if (d->kind == N_KIND_RULE)
			fray_writef(f, FRAY_PLAIN, "  rule %s: %s\n", model_text(m, d->name), d->text ? d->text : "");
	buf_free(&v);
	bool any = false;
	if (kind_is(m, t->kind, KIND_COMBATANT))
		show_traits(f, thing, trait_line, &any);
}

/* One line of a list: the name and the first fields. */
static void thing_line(struct fray *f, int thing)
{
	const struct model *m = &f->model;
	const struct node *all[CHAIN_MOST];
	int n = fields_of(m, thing, all, CHAIN_MOST);
	struct buf b = {0};
	buf_printf(&b, "  %-26s", model_text(m, m->thing.v[thing].name));
	for (int i = 0; i < n && i < LIST_FIELDS; i++) {
		buf_printf(&b, "%s%s: ", i ? "; " : " ", model_text(m, all[i]->name));
		struct buf v = {0};
		values_text(f, all[i], &v);
		buf_puts(&b, v.length ? buf_text(&v) : "");
		buf_free(&v);
	}
	buf_putc(&b, '\n');
	fray_write(f, FRAY_PLAIN, buf_text(&b));
	buf_free(&b);
}

/* "hd 1..3" as a field and a range, a field and a word; false: it is a name. */
static bool read_wanted(struct fray *f, int kind, const char *what, struct wanted *w)
{
	const char *last = strrchr(what, ' ');
	if (!last)
		return false;
	sym name = model_alias(&f->model, intern_put(f->names, what, (size_t)(last - what)));
	if (model_field(&f->model, kind, name) < 0)
		return false;
	w->field = name;
	w->text = last + 1;
	const char *dots = strstr(last, "..");
	struct buf low = {0};
	buf_add(&low, last + 1, dots ? (size_t)(dots - last - 1) : strlen(last + 1));
	char *end;
	w->from = w->to = strtod(low.length ? buf_text(&low) : "", &end);
	w->ranged = dots || (low.length && !*end);
	if (dots)
		w->to = dots[2] ? strtod(dots + 2, NULL) : 1e9;
	buf_free(&low);
	return true;
}

/* The nearest thing of a name hides those further out. */
static bool hidden(const struct model *m, int thing)
{
	return model_thing(m, m->thing.v[thing].name, m->thing.v[thing].kind) != thing;
}

/* Whether it is the name of a library that is in use, and says so itself. */
static bool is_library(const struct fray *f, const char *topic)
{
	sym name = intern_find(f->names, topic, strlen(topic));
	for (int i = 0; i < f->model.module.n; i++)
		if (f->model.module.v[i].library && f->model.module.v[i].name == name)
			return true;
	return false;
}

/* Nothing is called so: what is like it. */
static void report_nothing(struct fray *f, int kind, const char *what)
{
	struct model *m = &f->model;
	struct name_list all = {0};
	for (int i = 0; i < m->thing.n; i++)
		if (kind_is(m, m->thing.v[i].kind, kind))
			VEC_PUSH(all.at, model_text(m, m->thing.v[i].name));
	model_unread(m, kind, &all);
	const char *best = diag_nearest(what, all.at.v, all.at.n);
	model_report(m, best ? M_NO_THING_NEAR : M_NO_THING, (struct span){0}, 3, model_text(m, m->kind.v[kind].name), what, best ? best : "");
	VEC_FREE(all.at);
}

/* Which kinds there are stat blocks of. */
static void report_kinds(struct fray *f, const char *library, const char *asked)
{
	struct model *m = &f->model;
	struct buf all = {0};
	for (int k = 0; k < m->kind.n; k++) {
		bool any = false;
		for (int i = 0; i < m->thing.n && !any; i++)
			any = m->thing.v[i].kind == k;
		if (any && m->kind.v[k].plural)
			buf_printf(&all, "%s%s", all.length ? ", " : "", model_text(m, m->kind.v[k].plural));
	}
	struct buf none = {0};
	if (*asked)
		buf_printf(&none, ", and \"%s\" is none", asked);
	model_report(m, M_SHOW_OF_LIBRARY, (struct span){0}, 3, library, none.length ? buf_text(&none) : "", buf_text(&all));
	buf_free(&all);
	buf_free(&none);
}

bool shows_things(struct fray *f, const char *topic)
{
	return strcmp(topic, "combatant") && (model_kind(&f->model, intern_word(f->names, topic)) >= 0 || is_library(f, topic));
}

bool show_things(struct fray *f, const char *topic, const char *what, bool json, enum fray_status *status)
{
	struct model *m = &f->model;
	sym topic_name = intern_word(f->names, topic);
	int kind = model_kind(m, topic_name);
	struct wanted w = {0};
	int shown = 0;
	if (kind < 0 && is_library(f, topic)) {
		size_t n = what ? strcspn(what, " ") : 0;
		kind = n ? model_kind(m, intern_put(f->names, what, n)) : -1;
		if (kind < 0) {
			report_kinds(f, topic, what ? what : "");
			*status = FRAY_WRONG;
			return true;
		}
		what = what[n] ? what + n + 1 : NULL;
	}
	if (kind < 0)
		return false;
	*status = FRAY_OK;
	bool listed = !what || read_wanted(f, kind, what, &w);
	if (!(listed ? units_of_kind(f, kind) : units_named(f, what, strlen(what))) || !units_refresh(f)) {
		*status = FRAY_WRONG;
		return true;
	}
	sym name = listed ? 0 : model_alias(m, intern_word(f->names, what));
	for (int i = 0; i < m->thing.n; i++) {
		const struct mthing *t = &m->thing.v[i];
		if (!kind_is(m, t->kind, kind) || hidden(m, i) || (name && t->name != name) || !fits(f, i, &w))
			continue;
		shown++;
		(json ? thing_json : listed ? thing_line : thing_block)(f, i);
	}
	if (!shown && name) {
		report_nothing(f, kind, what);
		*status = FRAY_WRONG;
	} else if (!shown) {
		fray_writef(f, FRAY_PLAIN, "There is none.\n");
	}
	return true;
}
