/* names.c - what every name of a text means: declarations, stat blocks, encounters. */
#include "lang/api/names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lang/front/lexicon.h"

bool meaning_same(const struct meaning *a, const struct meaning *b)
{
	return a->sort == b->sort && a->name == b->name && a->scope == b->scope;
}

uint16_t file_named(const struct fray *f, const char *name)
{
	for (int i = f->sources.file.n - 1; i > 0; i--)
		if (!strcmp(f->sources.file.v[i].name, name))
			return (uint16_t)i;
	return 0;
}

struct fray_place place_of(const struct fray *f, struct span at)
{
	const bool known = at.file && at.file < f->sources.file.n;
	return (struct fray_place){known ? f->sources.file.v[at.file].name : "", at.start, at.end};
}

/* ---- one name ---- */

/* A name stands on one line, and in a text that was asked for. */
static bool is_shown(const struct names *w, struct span at)
{
	size_t n;
	if (!at.file || (w->file && at.file != w->file) || at.start >= at.end)
		return false;
	const char *text = sources_text(&w->f->sources, at, &n);
	return n <= FRAY_NAME_MAX + 2 && !memchr(text, '\n', n);
}

void names_put(struct names *w, enum fray_name_sort sort, sym name, int scope, struct span at,
	bool declares)
{
	if (!name || !is_shown(w, at))
		return;
	size_t n;
	const char *text = sources_text(&w->f->sources, at, &n);
	if (n > 2 && text[0] == '"' && text[n - 1] == '"') {
		at.start++;
		at.end--;
	}
	struct named x = {at, {sort, name, scope}, declares};
	w->tell(w->context, &x);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* Where the words of a name stand in a span; the span itself when they do not. */
static struct span find_words(const struct names *w, sym name, struct span in)
{
	size_t n;
	const char *text = sources_text(&w->f->sources, in, &n);
	const char *said = intern_folded(w->f->names, name);
	const size_t length = strlen(said);
	for (size_t i = 0; length && i + length <= n; i++)
		if (!strncasecmp(text + i, said, length) && (i == 0 || !is_letter(text[i - 1])) &&
			(i + length == n || !is_letter(text[i + length]))) {
			in.start += (uint32_t)i;
			in.end = in.start + (uint32_t)length;
			return in;
		}
	return in;
}

void names_put_in(struct names *w, enum fray_name_sort sort, sym name, int scope,
	const struct node *n, bool declares)
{
	struct span at = n->at;
	if (!name || (w->file && n->span.file != w->file))
		return;
	if (span_same(&at, &n->span))
		at = find_words(w, name, n->span);
	if (!span_same(&at, &n->span))
		names_put(w, sort, name, scope, at, declares);
}

/* "orc #2", "orcs", "Halvaine" are all of one stat block each. */
void names_thing(struct names *w, sym name, struct span at)
{
	const struct model *m = w->m;
	const char *said = intern_folded(w->f->names, name), *mark = strchr(said, '#');
	if (mark && mark > said + 1) {
		size_t n = (size_t)(mark - said);
		while (n && said[n - 1] == ' ')
			n--;
		name = intern_find(w->f->names, said, n);
	}
	int thing = model_thing(m, model_alias(m, name), -1);
	if (thing < 0)
		thing = model_thing_plural(m, name, -1);
	if (thing >= 0)
		names_put(w, FRAY_NAME_THING, m->thing.v[thing].name, 0, at, false);
}

static bool put_question(struct names *w, int q, struct span at, bool declares)
{
	const struct mquestion *x = &w->m->question.v[q];
	if (x->field >= 0)
		return names_field_of(
			w, w->m->field.v[x->field].kind, w->m->field.v[x->field].name, at, false);
	if (x->pair >= 0)
		names_put(w, FRAY_NAME_FIELD, x->name, SCOPE_OF_PAIR, at, false);
	else
		names_put(w, FRAY_NAME_QUESTION, x->name,
			x->subject >= 0 ? kind_root(w->m, x->subject) : SCOPE_OF_NONE, at,
			declares);
	return true;
}

bool names_field_of(struct names *w, int kind, sym name, struct span at, bool declares)
{
	const struct model *m = w->m;
	name = model_alias(m, name);
	const int field = kind >= 0 ? model_field(m, kind, name) : -1;
	if (field >= 0 && !m->field.v[field].hidden) {
		names_put(w, FRAY_NAME_FIELD, m->field.v[field].name, m->field.v[field].kind, at,
			declares);
		return true;
	}
	for (int adjective = 0; kind >= 0 && adjective < 2; adjective++) {
		const int q = model_question_of(m, kind, name, adjective == 1);
		if (q >= 0)
			return put_question(w, q, at, declares);
	}
	return false;
}

void names_event(struct names *w, sym name, struct span at)
{
	const int event = model_event(w->m, model_alias(w->m, name));
	if (event >= 0)
		names_put(w, FRAY_NAME_EVENT, w->m->event.v[event].name, 0, at, false);
}

void names_local(struct names *w, sym name, struct span at)
{
	VEC_PUSH(w->local, (struct local){name, at});
	names_put(w, FRAY_NAME_LOCAL, name, (int32_t)at.start, at, true);
}

/* The roles of an event stand where it is declared. */
void names_roles(struct names *w, sym event)
{
	const int e = model_event(w->m, model_alias(w->m, event));
	const struct node *n = e >= 0 ? w->m->event.v[e].node : NULL;
	for (const struct node *role = n ? n->a : NULL; role; role = role->next)
		VEC_PUSH(w->local, (struct local){role->name, role->at});
}

/* ---- declarations ---- */

void names_list(struct names *w, const struct node *list)
{
	for (; list; list = list->next)
		names_node(w, list);
}

static void each_name(
	struct names *w, enum fray_name_sort sort, const struct node *list, bool declares)
{
	for (; list; list = list->next)
		names_put(w, sort, list->name, 0, list->at, declares);
}

static void fields(struct names *w, const struct node *list, int kind, bool declares)
{
	const int before = w->kind;
	w->kind = kind;
	for (; list; list = list->next) {
		if (list->kind != N_KIND_D_FIELD) {
			names_node(w, list);
			continue;
		}
		names_field_of(w, kind, list->name, list->at, declares);
		names_list(w, list->a);
	}
	w->kind = before;
}

static int kind_of_thing(const struct model *m, sym name)
{
	int thing = model_thing(m, model_alias(m, name), -1);
	if (thing < 0)
		thing = model_thing_plural(m, name, -1);
	return thing >= 0 ? m->thing.v[thing].kind : -1;
}

static void values(struct names *w, const struct node *n)
{
	if (n->kind == N_KIND_V_COUNT || n->kind == N_KIND_V_NAMED) {
		struct span at = n->at;
		if (span_same(&at, &n->span))
			at = find_words(w, n->name, n->span);
		names_thing(w, n->name, at);
	}
	if (n->a)
		names_node(w, n->a);
	const sym of = n->kind == N_KIND_V_PLAIN && n->a && n->a->kind == N_KIND_E_NAME ? n->a->name
											: n->name;
	if (n->b)
		fields(w, n->b, kind_of_thing(w->m, of), false);
}

static void use(struct names *w, const struct node *n)
{
	names_put_in(w, FRAY_NAME_MODULE, n->name, 0, n, false);
	each_name(w, FRAY_NAME_MODULE, n->a, false);
	for (const struct node *x = n->b; x; x = x->next) {
		names_put(w, FRAY_NAME_OPTION, x->name, 0, x->at, false);
		names_list(w, x->a);
	}
}

/* alias AC = armour class: what the short name stands for is named, too. */
static void alias(struct names *w, const struct node *n)
{
	struct span at = n->span;
	size_t length;
	names_put_in(w, FRAY_NAME_ALIAS, n->name, 0, n, true);
	const char *text = sources_text(&w->f->sources, at, &length),
		   *equals = memchr(text, '=', length);
	if (!equals)
		return;
	at.start += (uint32_t)(equals + 1 - text);
	const struct span found = find_words(w, n->name2, at);
	if (span_same(&found, &at))
		return;
	if (model_thing(w->m, n->name2, -1) >= 0) {
		names_thing(w, n->name2, found);
		return;
	}
	for (int kind = 0; kind < w->m->kind.n; kind++)
		if (names_field_of(w, kind, n->name2, found, false))
			return;
}

static void every(struct names *w, const struct node *n)
{
	const int kind = model_kind(w->m, n->name);
	if (kind >= 0)
		names_put_in(w, FRAY_NAME_KIND, w->m->kind.v[kind].name, 0, n, false);
	else
		names_event(w, n->name, n->at);
	if (n->op == EVERY_KIND) {
		fields(w, n->a, kind, true);
		return;
	}
	for (const struct node *x = n->a; x; x = x->next) {
		names_put(w, FRAY_NAME_FIELD, x->name, SCOPE_OF_PAIR, x->at, true);
		names_list(w, x->a);
	}
}

static void thing(struct names *w, const struct node *n)
{
	const int kind = model_kind(w->m, n->name2);
	names_put_in(w, FRAY_NAME_THING, n->name, 0, n, true);
	if (n->a)
		names_thing(w, n->a->name, n->a->at);
	fields(w, n->b, kind, false);
}

/* An event or action, and its roles. */
static void event(struct names *w, const struct node *n)
{
	const int locals = w->local.n;
	names_put_in(w, FRAY_NAME_EVENT, n->name, 0, n, true);
	for (const struct node *role = n->a; role; role = role->next)
		names_local(w, role->name, role->at);
	names_list(w, n->b);
	w->local.n = locals;
}

static void table(struct names *w, const struct node *n)
{
	const int locals = w->local.n;
	names_put_in(w, FRAY_NAME_TABLE, n->name, 0, n, true);
	for (const struct node *x = n->a; x; x = x->next)
		names_local(w, x->name, x->at);
	names_list(w, n->b);
	names_list(w, n->c);
	w->local.n = locals;
}

static void encounter(struct names *w, const struct node *n)
{
	const int before = w->encounter;
	w->encounter = n->ref;
	names_put_in(w, FRAY_NAME_ENCOUNTER, n->name, 0, n, true);
	fields(w, n->a, KIND_ENCOUNTER, false);
	w->encounter = before;
}

/* ---- lines of an encounter ---- */

/* dice: Bruna's attack roll 17 - whose, and what the roll or the choice is called. */
static void label(struct names *w, const struct node *path)
{
	if (path && path->kind == N_KIND_E_FIELD && path->a)
		names_node(w, path->a);
	if (path && path->name)
		names_put(w, FRAY_NAME_LABEL, path->name, 0, path->at, false);
}

static void sentence(struct names *w, const struct node *n)
{
	for (; n; n = n->e) {
		for (const struct node *act = n; act; act = act->f) {
			names_list(w, act->a);
			if (!span_same(&act->at, &act->span))
				names_event(w, act->name, act->at);
			names_list(w, act->b);
			names_list(w, act->d);
			if (act->c)
				names_node(w, act->c);
		}
	}
}

static void expected(struct names *w, const struct node *n)
{
	if (n->a)
		names_node(w, n->a);
	if (!span_same(&n->at, &n->span))
		names_event(w, n->name, n->at);
	names_list(w, n->b);
	names_list(w, n->d);
}

static bool scene(struct names *w, const struct node *n)
{
	switch (n->kind) {
	case N_KIND_SIDE:
		names_put_in(w, FRAY_NAME_SIDE, n->name, w->encounter, n, true);
		names_list(w, n->a);
		return true;
	case N_KIND_N_JOIN:
		names_list(w, n->a);
		names_put_in(w, FRAY_NAME_SIDE, n->name, w->encounter, n, false);
		return true;
	case N_KIND_MEMBER:
	case N_KIND_COUNTED:
		names_thing(w, n->name, n->at);
		return true;
	case N_KIND_MOMENT:
		fields(w, n->a, KIND_ENCOUNTER, false);
		return true;
	case N_KIND_N_SAY:
		sentence(w, n);
		return true;
	case N_KIND_N_EXPECT_SAY:
		expected(w, n);
		return true;
	case N_KIND_N_FOLLOWS:
		names_list(w, n->a);
		names_put_in(w, FRAY_NAME_POLICY, n->name, 0, n, false);
		if (n->c)
			names_node(w, n->c);
		return true;
	case N_KIND_FORCE:
	case N_KIND_CHOICE:
		label(w, n->a);
		if (n->kind == N_KIND_CHOICE)
			names_list(w, n->b);
		return true;
	case N_KIND_N_OPTION:
	case N_KIND_E_OPTION:
		names_put_in(w, FRAY_NAME_OPTION, n->name, 0, n, false);
		if (n->a)
			names_node(w, n->a);
		return true;
	case N_KIND_Q_ODDS:
		names_put_in(w, FRAY_NAME_ENCOUNTER, n->name, 0, n, false);
		names_list(w, n->a);
		names_list(w, n->b);
		return true;
	default:
		return false;
	}
}

static bool declaration(struct names *w, const struct node *n)
{
	switch (n->kind) {
	case N_KIND_USE:
		use(w, n);
		return true;
	case N_KIND_LIBRARY:
	case N_KIND_RULESET:
	case N_KIND_HOUSE:
		names_put_in(w, FRAY_NAME_MODULE, n->name, 0, n, true);
		return true;
	case N_KIND_UNIT:
		names_put_in(w, FRAY_NAME_UNIT, n->name, 0, n, true);
		return true;
	case N_KIND_ALIAS:
		alias(w, n);
		return true;
	case N_KIND_SEQUENCE:
		each_name(w, FRAY_NAME_PHASE, n->a, true);
		return true;
	case N_KIND_OPTION:
		names_put_in(w, FRAY_NAME_OPTION, n->name, 0, n, true);
		return true;
	case N_KIND_KIND:
		names_put_in(w, FRAY_NAME_KIND, n->name, 0, n, true);
		fields(w, n->a, model_kind(w->m, n->name), true);
		return true;
	case N_KIND_EVERY:
		every(w, n);
		return true;
	case N_KIND_THING:
		thing(w, n);
		return true;
	case N_KIND_V_PLAIN:
	case N_KIND_V_COUNT:
	case N_KIND_V_NAMED:
	case N_KIND_V_VERSUS:
		values(w, n);
		return true;
	case N_KIND_EVENT:
	case N_KIND_ACTION:
		event(w, n);
		return true;
	case N_KIND_TABLE:
		table(w, n);
		return true;
	case N_KIND_RULE:
		names_put_in(w, FRAY_NAME_RULE, n->name, 0, n, true);
		names_list(w, n->a);
		names_list(w, n->b);
		return true;
	case N_KIND_MOD:
		if (n->op == MOD_EXCEPTION || n->op == MOD_REPLACES || !n->op)
			names_put_in(w, FRAY_NAME_RULE, n->op == MOD_IF ? 0 : n->name, 0, n, false);
		if (n->a)
			names_node(w, n->a);
		return true;
	case N_KIND_DROP:
		names_put_in(w, FRAY_NAME_RULE, n->name, 0, n, false);
		return true;
	case N_KIND_POLICY:
		names_put_in(w, FRAY_NAME_POLICY, n->name, 0, n, true);
		names_list(w, n->a);
		return true;
	case N_KIND_ENCOUNTER:
		encounter(w, n);
		return true;
	default:
		return false;
	}
}

void names_node(struct names *w, const struct node *n)
{
	if (declaration(w, n) || scene(w, n) || names_inside(w, n))
		return;
	const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
	for (int i = 0; i < 6; i++)
		names_list(w, kids[i]);
}

void names_each(struct fray *f, uint16_t file, named_teller *tell, void *context)
{
	struct names w = {.f = f,
		.m = &f->model,
		.file = file,
		.tell = tell,
		.context = context,
		.encounter = -1,
		.kind = -1};
	if (!f->checked)
		return;
	for (int i = 0; i < f->unit.n; i++)
		if (f->unit.v[i].tree && (!file || f->unit.v[i].file == file))
			names_list(&w, f->unit.v[i].tree);
	VEC_FREE(w.local);
}

/* ---- for the host ---- */

struct telling {
	struct fray *f;
	fray_name_teller tell;
	void *context;
};

static void tell_name(void *context, const struct named *x)
{
	const struct telling *t = context;
	const struct model *m = &t->f->model;
	const bool of_kind = x->means.sort == FRAY_NAME_FIELD ||
		x->means.sort == FRAY_NAME_QUESTION;
	struct fray_name n = {
		.sort = x->means.sort, .at = place_of(t->f, x->at), .declares = x->declares};
	n.name = model_text(m, x->means.name);
	n.owner = of_kind && x->means.scope >= 0 ? model_text(m, m->kind.v[x->means.scope].name)
						 : "";
	n.what = (uint64_t)x->means.sort << 56 ^ (uint64_t)x->means.name << 32 ^
		(uint32_t)x->means.scope;
	t->tell(t->context, &n);
}

void fray_edit(struct fray *f)
{
	f->edited = true;
}

void fray_names(struct fray *f, const char *file, fray_name_teller tell, void *context)
{
	struct telling t = {f, tell, context};
	const uint16_t number = file ? file_named(f, file) : 0;
	if (!file || number)
		names_each(f, number, tell_name, &t);
}

const char *fray_text(struct fray *f, const char *file, size_t *length)
{
	const uint16_t number = file_named(f, file);
	*length = number ? f->sources.file.v[number].length : 0;
	return number ? f->sources.file.v[number].text : NULL;
}

const char *fray_form_of(struct fray *f, const char *name, bool verb)
{
	struct buf b = {0};
	const size_t first = verb ? strcspn(name, " ") : strlen(name);
	buf_add(&b, name, first);
	buf_clear(&f->text);
	lexicon_plural(&f->text, buf_text(&b));
	buf_puts(&f->text, name + first);
	buf_free(&b);
	return buf_text(&f->text);
}
