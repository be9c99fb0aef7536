/* infer_value.c - what is written to a field: the one check that every writer goes through.
 *
 * A stat block, a line of an encounter, an edit at the prompt, `set` in a rule, a branch of odds,
 * a sweep and the marks of an event all come here, so that the same mistake is told in the same
 * words: which field, what it takes, and the line to write. */
#include <string.h>

#include "lang/check/foreseen.h"
#include "lang/check/infer.h"
#include "lang/front/lexicon.h"

enum { COUNT_MOST = 200 };

/* ---- the line to write instead ---- */

/* What stands before the name and behind it, and behind the value: "set Bruna's hit points = 12". */
static const struct { const char *before, *behind, *after; bool value_first; } DOORS[] = {
	[DOOR_SET] = {"set ", " = ", "", false},
	[DOOR_LINE] = {"", ": ", "", false},
	[DOOR_SWEEP] = {"sweep ", " over ", " { odds .. }", false},
	[DOOR_CHANGE] = {"change ", " by ", "", false},
	[DOOR_ADD] = {"add ", " to ", "", true},
	[DOOR_REMOVE] = {"remove ", " from ", "", true},
	[DOOR_START] = {"set ", " = ", "", false},
};

/* What is written to, as the line has it. */
static void name_add(const struct model *m, const struct written *w, struct buf *out)
{
	size_t length;
	const char *text = w->at.file ? sources_text(m->front->sources, w->at, &length) : NULL;
	if (text && length && length < 80 && !memchr(text, '\n', length))
		buf_add(out, text, length);
	else
		buf_puts(out, model_text(m, w->name));
}

/* The line with a value that can stand there; NULL: there is none to show. Lives in the arena. */
static const char *line_with(struct model *m, const struct written *w, const char *value)
{
	struct buf b = {0};
	if (!value)
		value = w->field >= 0 ? field_example(m, w->field) : type_example(m, w->type);
	if (!strcmp(value, ".."))
		return NULL;
	bool first = DOORS[w->door].value_first;
	buf_puts(&b, DOORS[w->door].before);
	if (first)
		buf_puts(&b, value);
	else
		name_add(m, w, &b);
	buf_puts(&b, DOORS[w->door].behind);
	if (first)
		name_add(m, w, &b);
	else
		buf_puts(&b, value);
	buf_puts(&b, DOORS[w->door].after);
	const char *line = arena_text(m->arena, b.data, b.length);
	buf_free(&b);
	return line;
}

const char *field_example(const struct model *m, int field)
{
	const struct mfield *f = &m->field.v[field];
	struct type *t = type_find(f->type);
	if (t->base == VT_LIST)
		t = type_find(t->elem);
	for (int i = m->thing.n - 1; t->base == VT_NUMBER && i >= 0;
		 i--) { /* as somebody's block has it */
		const struct node *v = thing_states(m, i, field);
		size_t length;
		const char *text = v ? sources_text(m->front->sources, v->span, &length) : "";
		if (v && !v->next && m->module.v[m->thing.v[i].module].own && length &&
			strspn(text, "0123456789") >= length)
			return arena_text(m->arena, text, length);
	}
	if (t->base == VT_WORD && (f->words.n || f->example))
		return model_text(m, f->words.n ? f->words.v[0] : f->example);
	if (t->base == VT_WORD && f->initial && f->initial->a && f->initial->a->kind == N_KIND_E_NAME)
		return model_text(m, f->initial->a->name);
	return t->base == VT_WORD ? "anything" : type_example(m, t);
}

/* The field that a checked path reads or is stored in; -1. */
static int field_of_path(const struct model *m, const struct node *path)
{
	bool field = path->ref_kind == REF_FIELD || path->ref_kind == REF_FIELD_OF_ENCOUNTER || path->ref_kind == REF_THING_FIELD;
	return field ? path->ref : path->ref_kind == REF_QUESTION ? m->question.v[path->ref].field : -1;
}

int list_field(const struct model *m, const struct node *path)
{
	int field = field_of_path(m, path);
	return field >= 0 && type_is(m->field.v[field].type, VT_LIST) ? field : -1;
}

void word_asked(struct model *m, const struct node *path, const struct node *asked)
{
	int field = field_of_path(m, path);
	if (field >= 0 && !m->field.v[field].example && asked->kind == N_KIND_E_NAME)
		m->field.v[field].example = asked->name;
}

/* The number that was written, with the unit that is missing or without the one that is too much; NULL: it was none. */
static const char *same_number(struct model *m, const struct written *w, const struct node *value)
{
	bool number = value && (value->kind == N_KIND_E_NUM || value->kind == N_KIND_E_QTY) && value->den == 1;
	if (!number || !type_number(w->type))
		return NULL;
	const char *example = type_example(m, type_find(w->type));
	const sym unit = type_is(w->type, VT_TIME) ? counted_unit(m) : 0;
	struct buf b = {0};
	const struct type *given = value->type ? type_find(value->type) : NULL;
	if (value->kind == N_KIND_E_QTY && given && type_is(w->type, VT_DISTANCE) &&
		given->base == VT_SCALE) { /* distance: 3", in inches of the scale in use */
		size_t length;
		const char *said = sources_text(m->front->sources, value->span, &length);
		buf_add(&b, said, length);
		buf_puts(&b, " as feet rounded nearest");
		const char *line = arena_text(m->arena, b.data, b.length);
		buf_free(&b);
		return line;
	}
	buf_printf(&b, "%lld%s", (long long)value->num,
		unit ? " " : example + strspn(example, "0123456789"));
	if (unit && value->num == 1)
		buf_puts(&b, model_text(m, unit));
	else if (unit)
		lexicon_plural(&b, model_text(m, unit));
	const char *text = arena_text(m->arena, b.data, b.length);
	buf_free(&b);
	return text;
}

static void report_value(struct scope *s, const struct written *w, struct span at, struct type *given, const struct node *value)
{
	struct model *m = s->m;
	if (!m->reporting || type_is(w->type, VT_UNKNOWN))
		return;
	struct buf x = {0}, y = {0};
	const char *line = line_with(m, w, same_number(m, w, value));
	type_print(m, w->type, &x);
	type_print(m, given, &y);
	model_report(m, line ? M_FIELD_VALUE : M_FIELD_BY_RULES, at, 4, model_text(m, w->name), buf_text(&x), buf_text(&y), line ? line : "");
	buf_free(&x);
	buf_free(&y);
}

/* ---- names that are nothing that could stand here ---- */

/* The unit nearest to what was written, of those the field is measured in; NULL: it has none. */
static const char *unit_near(struct model *m, struct type *t, const char *said)
{
	VEC(const char *) names = {0};
	const char *best = NULL;
	for (int i = 0; i < m->unit.n; i++)
		if (m->unit.v[i].base == t->base && (t->base != VT_COUNT || t->kind == i))
			VEC_PUSH(names, model_text(m, m->unit.v[i].name));
	if (names.n)
		best = diag_nearest(said, names.v, names.n);
	if (!best && names.n)
		best = names.v[0];
	VEC_FREE(names);
	return best;
}

/* "30 hp", "200 fet": a number and something that is neither a unit nor anything there is. */
static void report_unit(struct scope *s, const struct written *w, const struct node *v)
{
	struct model *m = s->m;
	struct type *t = type_find(w->type);
	if (!m->reporting)
		return;
	struct buf takes = {0}, value = {0};
	const char *unit = unit_near(m, t, model_text(m, v->name));
	type_print(m, t, &takes);
	if (type_is(t, VT_NUMBER))
		buf_printf(&value, "%lld", (long long)v->num);
	else if (unit)
		buf_printf(&value, "%lld%s%s", (long long)v->num, *unit == '"' ? "" : " ", unit);
	const char *line = line_with(m, w, value.length ? arena_text(m->arena, value.data, value.length) : NULL);
	if (line)
		model_report(m, M_FIELD_UNIT, v->span, 4, model_text(m, w->name), buf_text(&takes), model_text(m, v->name), line);
	else
		model_report(m, M_FIELD_BY_RULES, v->span, 3, model_text(m, w->name), buf_text(&takes), "a number of things");
	buf_free(&takes);
	buf_free(&value);
}

/* Something there is, and of another kind: `class: orc`. */
static bool other_thing(struct scope *s, const struct written *w, struct type *elem, const struct node *value)
{
	struct model *m = s->m;
	bool text = value->kind == N_KIND_E_TEXT;
	if ((!text && value->kind != N_KIND_E_NAME) || (elem->base != VT_THING && elem->base != VT_LIVE) || elem->kind < 0)
		return false;
	sym name = model_alias(m, text ? intern_word(m->front->names, value->text) : value->name);
	int root = kind_root(m, elem->kind);
	if (scope_find(s, name) || model_thing(m, name, root) >= 0 || model_field(m, KIND_ENCOUNTER, name) >= 0 || (elem->base == VT_LIVE && !kind_borne(m, root)))
		return false;
	int thing = model_thing_at(m, value->span, name, -1);
	if (thing < 0)
		return false;
	report_value(s, w, value->span, type_new(m, VT_THING, m->thing.v[thing].kind), NULL);
	return true;
}

/* "4th", "thirty feet": the number that is said, with the unit of the type; NULL: none is. */
static const char *number_said(struct model *m, struct type *type, const char *said)
{
	static const struct { const char *word; int number;
	} words[] = {
		{"one", 1},
		{"two", 2},
		{"three", 3},
		{"four", 4},
		{"five", 5},
		{"six", 6},
		{"seven", 7},
		{"eight", 8},
		{"nine", 9},
		{"ten", 10},
		{"twelve", 12},
		{"fifteen", 15},
		{"twenty", 20},
		{"thirty", 30},
		{"forty", 40},
		{"fifty", 50},
		{"sixty", 60},
		{"a hundred", 100},
		{"hundred", 100},
	};
	const size_t digits = strspn(said, "0123456789");
	const char *example = type_example(m, type);
	struct buf b = {0};
	if (type_is(type, VT_BOOL)) { /* "false", "off", "not any more" */
		static const char *const no[] = {"false", "off", "never", "none", "not", "n", "f", "0"};
		for (size_t i = 0; i < FRAY_COUNT(no); i++) {
			const size_t n = strlen(no[i]);
			if (!strncmp(said, no[i], n) && (!said[n] || said[n] == ' '))
				return "no";
		}
		return NULL;
	}
	if (!type_number(type) || *example == '.')
		return NULL;
	if (digits && digits < 7)
		buf_add(&b, said, digits);
	for (size_t i = 0; i < FRAY_COUNT(words) && !digits; i++) {
		const size_t n = strlen(words[i].word);
		if (!strncmp(said, words[i].word, n) && (!said[n] || said[n] == ' '))
			buf_printf(&b, "%d", words[i].number);
	}
	if (b.length)
		buf_puts(&b, example + strspn(example, "0123456789"));
	const char *text = b.length ? arena_text(m->arena, b.data, b.length) : NULL;
	buf_free(&b);
	return text;
}

/* A word that means nothing here, where no thing is wanted: said with what the field takes. */
static bool unknown_word(struct scope *s, const struct written *w, struct type *elem, struct node *value)
{
	struct model *m = s->m;
	if (!m->reporting || value->kind != N_KIND_E_NAME || elem->base == VT_THING || elem->base == VT_LIVE || elem->base == VT_UNKNOWN || elem->base == VT_WORD)
		return false;
	m->reporting = false;
	infer(s, value, elem);
	m->reporting = true;
	if (value->kind != N_KIND_E_NAME || value->ref_kind != REF_UNKNOWN)
		return false;
	int option = model_option(m, value->name);
	struct buf takes = {0};
	const char *line = line_with(m, w, number_said(m, elem, model_text(m, value->name)));
	type_print(m, elem, &takes);
	if (option < 0 && line)
		model_report(m, M_FIELD_WORD, value->span, 4, model_text(m, w->name), buf_text(&takes), model_text(m, value->name), line);
	buf_free(&takes);
	return option < 0 && line;
}

/* ---- words ---- */

sym said_word(struct model *m, const struct node *value)
{
	bool name = value->kind == N_KIND_E_NAME && (value->ref_kind == REF_WORD || value->ref_kind == REF_UNKNOWN);
	return name ? value->name : value->kind == N_KIND_E_TEXT ? intern_word(m->front->names, value->text) : 0;
}

/* One of the values that an option has, or that the field was declared with. */
static void check_written_word(struct scope *s, const struct written *w, const struct node *value)
{
	struct model *m = s->m;
	const struct mfield *f = &m->field.v[w->field];
	if (option_allows(m, w->field, value) || !f->closed)
		return;
	sym said = said_word(m, value);
	if (said)
		report_word(m, w->field, said, value->span, w);
}

/* Says so when the word is none of those that the field may hold; `w`: it is written there. */
void report_word(struct model *m, int field, sym said, struct span at, const struct written *w)
{
	const struct mfield *f = &m->field.v[field];
	const sym means = model_alias(m, said);
	VEC(const char *) words = {0};
	struct buf list = {0};
	for (int i = 0; i < f->words.n; i++)
		if (f->words.v[i] == said || f->words.v[i] == means)
			return;
	for (int i = 0; i < f->words.n; i++) {
		VEC_PUSH(words, model_text(m, f->words.v[i]));
		buf_printf(&list, "%s%s", i ? ", " : "", words.v[i]);
	}
	const char *best = diag_nearest(model_text(m, said), words.v, words.n);
	if (!best)
		best = word_meant(model_text(m, said), words.v, words.n);
	const char *line = w ? line_with(m, w, best ? best : words.v[0]) : best ? best : words.v[0];
	struct buf further = {0};
	buf_printf(&further, "every %s has { %s: %s, %s }", model_text(m, m->kind.v[f->kind].name), model_text(m, f->name), type_is(f->type, VT_LIST) ? "list of words" : "word",
	           model_text(m, said));
	model_report(m, M_NOT_ONE_OF, at, 5, model_text(m, said), model_text(m, f->name), buf_text(&list), line, buf_text(&further));
	buf_free(&further);
	VEC_FREE(words);
	buf_free(&list);
}

/* ---- fractions ---- */

static bool constant(const struct node *n)
{
	while (n->kind == N_KIND_E_NEG)
		n = n->a;
	return n->kind == N_KIND_E_NUM || n->kind == N_KIND_E_QTY;
}

/* `2.5` where whole numbers are counted: the nearest below, to be written instead. */
static void report_part(struct scope *s, const struct written *w, const struct node *value)
{
	struct model *m = s->m;
	const struct node *n = value->kind == N_KIND_E_NEG ? value->a : value;
	size_t length;
	const char *text = sources_text(m->front->sources, value->span, &length);
	struct buf said = {0}, instead = {0};
	buf_printf(&instead, "%s%lld", n == value ? "" : "-", (long long)(n->num / n->den));
	if (n->kind == N_KIND_E_QTY)
		buf_printf(&instead, "%s%s", model_text(m, n->name)[0] == '"' ? "" : " ", model_text(m, n->name));
	buf_add(&said, text, length);
	model_report(m, M_FIELD_WHOLE, value->span, 3, model_text(m, w->name), buf_text(&said), line_with(m, w, arena_text(m->arena, instead.data, instead.length)));
	buf_free(&said);
	buf_free(&instead);
}

/* `attack rate: 3/2`, so many in so many: told with what the field counts. */
static bool report_rate(struct scope *s, const struct written *w, const struct node *e)
{
	struct model *m = s->m;
	if (w->field < 0 || e->kind != N_KIND_E_BINARY || e->op != BIN_DIV)
		return false;
	if (!constant(e->a) || !constant(e->b))
		return false;
	const struct node *instead = e->a->num == 1 ? e->b : e->a; /* 1/8: one in eight */
	const char *meaning = m->field.v[w->field].meaning;
	struct buf said = {0}, line = {0};
	struct diag d = diag_make(M_FIELD_RATE, e->span);
	size_t length;
	const char *text = sources_text(m->front->sources, e->span, &length);
	buf_add(&said, text, length);
	text = sources_text(m->front->sources, instead->span, &length);
	diag_arg(&d, model_text(m, w->name));
	diag_arg(&d, buf_text(&said));
	diag_arg(&d, line_with(m, w, arena_text(m->arena, text, length)));
	if (meaning) {
		buf_printf(&line, "\"%s\": %s.", model_text(m, w->name), meaning);
		diag_line(&d, buf_text(&line));
	}
	model_send(m, &d);
	buf_free(&said);
	buf_free(&line);
	return true;
}

static bool report_figures(
	struct model *m, const struct node *e, const char *first, const char *second)
{
	struct buf one = {0}, two = {0};
	buf_printf(&one, "%lld", (long long)e->a->num);
	buf_printf(
		&two, "%lld", (long long)(e->b->num ? e->b->num : 100)); /* 18/00 is the best there is */
	model_report(m, M_TWO_FIGURES, e->span, 4, first, buf_text(&one), second, buf_text(&two));
	buf_free(&one);
	buf_free(&two);
	return true;
}

/* `strength: 18/30`, where the kind has an `exceptional strength`, too: two figures, not a division. */
static bool report_two_figures(struct model *m, const struct written *w, const struct node *e)
{
	const char *name = model_text(m, w->name);
	size_t n = strlen(name);
	if (w->field < 0 || e->kind != N_KIND_E_BINARY || e->op != BIN_DIV || e->a->kind != N_KIND_E_NUM || e->b->kind != N_KIND_E_NUM || e->a->den != 1 || e->b->den != 1)
		return false;
	const int second = field_of_value(
		m, w->field, 1, &(struct node){.kind = N_KIND_V_PLAIN}); /* level: 3/4 of two classes */
	for (int i = 0; i < m->field.n; i++) { /* exceptional strength: 18/50 */
		const char *text = model_text(m, m->field.v[i].name);
		const size_t length = strlen(text);
		if (m->field.v[i].kind == m->field.v[w->field].kind && type_number(m->field.v[i].type) &&
			n > length + 1 && !strcmp(name + n - length, text) && name[n - length - 1] == ' ')
			return report_figures(m, e, text, name);
	}
	for (int i = second >= 0 ? second : 0; i < (second >= 0 ? second + 1 : m->field.n); i++) {
		const struct mfield *other = &m->field.v[i];
		const char *text = model_text(m, other->name);
		size_t length = strlen(text);
		if (other->kind != m->field.v[w->field].kind || !type_number(other->type) || length < n + 2 || strcmp(text + length - n, name) || text[length - n - 1] != ' ')
			continue;
		return report_figures(m, e, name, text);
	}
	return false;
}

static void check_fraction(struct scope *s, const struct written *w, struct node *value)
{
	if (!value->frac || w->frac || !type_number(w->type) || !s->m->reporting)
		return;
	if (constant(value))
		report_part(s, w, value);
	else if (!report_two_figures(s->m, w, value) && !report_rate(s, w, value))
		report_fraction(s->m, value);
}

/* ---- lists, which are no value ---- */

bool report_list_whole(struct scope *s, const struct node *n)
{
	struct model *m = s->m;
	if (!n->type || !type_is(n->type, VT_LIST))
		return false;
	if (m->reporting) {
		size_t length;
		const char *text = sources_text(m->front->sources, n->span, &length);
		int field = list_field(m, n);
		const char *example = field >= 0 ? field_example(m, field) : "..";
		struct buf line = {0};
		buf_printf(&line, "%.*s has %s, %.*s is none, or: each thing in %.*s { .. }", (int)length, text, example, (int)length, text, (int)length, text);
		model_report(m, M_LIST_WHOLE, n->span, 1, buf_text(&line));
		buf_free(&line);
	}
	return true;
}

/* ---- one value ---- */

/* `set A's carries = B's carries`: a list has its place, and what is in it goes from one to the other. */
static void report_copy(struct scope *s, const struct written *w, const struct node *value)
{
	struct model *m = s->m;
	size_t to, from;
	const char *place = w->at.file ? sources_text(m->front->sources, w->at, &to) : model_text(m, w->name);
	const char *source = sources_text(m->front->sources, value->span, &from);
	struct buf line = {0};
	if (!w->at.file)
		to = strlen(place);
	buf_printf(&line, "each thing in %.*s { add thing to %.*s }", (int)from, source, (int)to, place);
	model_report(m, M_LIST_COPY, value->span, 2, model_text(m, w->name), buf_text(&line));
	buf_free(&line);
}

bool infer_written(struct scope *s, const struct written *w, struct node *value)
{
	struct model *m = s->m;
	struct type *t = type_find(w->type);
	struct type *elem = (t->base == VT_SET || t->base == VT_LIST) && w->one ? type_find(t->elem) : t;
	if (report_value_slip(s, w, value) || other_thing(s, w, elem, value) ||
		unknown_word(s, w, elem, value))
		return false;
	struct type *given = infer(s, value, elem);
	if (value->kind == N_KIND_E_NONE)
		return true;
	if (type_is(given, VT_LIST) && (t->base == VT_LIST)) {
		report_copy(s, w, value);
		return false;
	}
	if (!type_fits(m, elem, given)) {
		report_value(s, w, value->span, given, value);
		return false;
	}
	if (m->reporting && w->field >= 0)
		check_written_word(s, w, value);
	check_fraction(s, w, value);
	return true;
}

/* ---- the values of a line ---- */

/* The field that further values go to: "second range", "damage vs large"; -1. */
static int further(const struct model *m, int field, const char *before, const char *after)
{
	struct buf b = {0};
	buf_puts(&b, before);
	buf_puts(&b, intern_folded(m->front->names, m->field.v[field].name));
	buf_puts(&b, after);
	sym name = intern_find(m->front->names, b.data, b.length);
	buf_free(&b);
	return name ? model_field(m, m->field.v[field].kind, name) : -1;
}

int field_of_value(const struct model *m, int field, int n, const struct node *value)
{
	if (value->kind != N_KIND_V_VERSUS)
		return n == 0 ? field : n == 1 ? further(m, field, "second ", "") : n == 2 ? further(m, field, "third ", "") : -1;
	struct buf b = {0};
	buf_puts(&b, " vs ");
	buf_puts(&b, intern_folded(m->front->names, value->name));
	int found = further(m, field, "", buf_text(&b));
	buf_free(&b);
	return found;
}

static struct written written_to(const struct model *m, const struct written *w, int field)
{
	struct written x = *w;
	x.field = field;
	x.type = m->field.v[field].type;
	x.frac = m->field.v[field].frac;
	return x;
}

static void infer_count(struct scope *s, const struct written *w, bool many, struct node *v)
{
	struct model *m = s->m;
	struct type *elem = many ? type_find(type_find(w->type)->elem) : type_find(w->type);
	v->ref = model_thing_at(m, v->span, v->name, -1);
	if (v->ref < 0)
		v->ref = model_thing_plural(m, v->name, -1);
	bool things = elem->base == VT_THING || (elem->base == VT_LIVE && kind_borne(m, elem->kind));
	if (!things && elem->base != VT_UNKNOWN) {
		report_unit(s, w, v);
		return;
	}
	if (v->ref < 0) {
		struct node name = *v; /* reported as a name is, with what is like it */
		name.kind = N_KIND_E_NAME;
		name.type = NULL;
		name.span = v->at;
		infer(s, &name, type_new(m, VT_THING, elem->kind));
		return;
	}
	int kind = m->thing.v[v->ref].kind;
	if (elem->kind >= 0 && kind_root(m, kind) != kind_root(m, elem->kind))
		report_value(s, w, v->span, type_new(m, VT_THING, kind), NULL);
	else if (!many)
		model_report(m, M_ONE_VALUE, v->span, 2, model_text(m, w->name), line_with(m, w, model_text(m, m->thing.v[v->ref].name)));
	else if (v->num > COUNT_MOST)
		model_report(m, M_LIST_LONG, v->span, 1, model_text(m, w->name));
}

bool made_with_dice(const struct model *m, const struct type *elem)
{
	return (elem->base == VT_THING || elem->base == VT_LIVE) && elem->kind >= 0 &&
		model_field(m, elem->kind, model_sym(m, "damage")) >= 0;
}

/* "claw 1d3": a thing made on the spot, in a list of things that do damage. */
static void infer_named(struct scope *s, const struct written *w, bool many, struct node *v)
{
	struct model *m = s->m;
	struct type *elem = many ? type_find(type_find(w->type)->elem) : type_find(w->type), *given = infer(s, v->a, NULL);
	bool things = many && made_with_dice(m, elem);
	if (!things || !type_is(given, VT_DICE))
		report_value(s, w, v->span, given, NULL);
}

/* "damage: 1d8 vs big", where there is a "damage vs large": what it may be against. */
static bool report_versus(struct scope *s, const struct written *w, const struct node *v)
{
	struct model *m = s->m;
	struct buf lead = {0}, all = {0};
	buf_printf(&lead, "%s vs ", model_text(m, w->name));
	for (int i = 0; i < m->field.n; i++) {
		const char *name = model_text(m, m->field.v[i].name);
		if (w->field >= 0 && m->field.v[i].kind == m->field.v[w->field].kind &&
			!strncmp(name, buf_text(&lead), lead.length))
			buf_printf(&all, "%svs %s", all.length ? ", " : "", name + lead.length);
	}
	const bool some = all.length > 0;
	if (some)
		model_report(m, M_VERSUS_WHAT, v->span, 3, model_text(m, w->name), model_text(m, v->name),
			buf_text(&all));
	buf_free(&lead);
	buf_free(&all);
	return some;
}

static void infer_versus(struct scope *s, const struct written *w, struct node *v)
{
	struct model *m = s->m;
	int to = field_of_value(m, w->field, 0, v);
	if (to >= 0) {
		struct written x = written_to(m, w, to);
		infer_written(s, &x, v->a);
		return;
	}
	size_t length;
	const char *text = sources_text(m->front->sources, v->a->span, &length);
	infer(s, v->a, w->type);
	if (!report_versus(s, w, v))
		model_report(m, M_NO_VERSUS, v->span, 3, model_text(m, w->name), model_text(m, v->name),
			line_with(m, w, arena_text(m->arena, text, length)));
}

/* The n-th value of a field that takes one: "15 ft, 30 ft" fill `range` and `second range`. */
static void infer_nth(struct scope *s, const struct written *w, int n, const struct node *first, struct node *v)
{
	struct model *m = s->m;
	int to = field_of_value(m, w->field, n, v);
	if (to >= 0) {
		struct written x = written_to(m, w, to);
		infer_written(s, &x, v->a);
		return;
	}
	size_t length;
	const char *text = sources_text(m->front->sources, first->span, &length);
	infer(s, v->a, w->type);
	model_report(m, M_ONE_VALUE, v->span, 2, model_text(m, w->name), line_with(m, w, arena_text(m->arena, text, length)));
}

/* A line states what is so; what rules keep is only ever set. */
bool report_kept(struct model *m, int field, struct span at)
{
	const struct mfield *f = &m->field.v[field];
	if (!f->kept)
		return false;
	size_t length;
	const char *text = sources_text(m->front->sources, at, &length), *owner = f->kind == KIND_ENCOUNTER ? "encounter" : "NAME";
	const char *value = field_example(m, field);
	struct buf line = {0};
	buf_puts(&line, "set ");
	if (length < 80 && memchr(text, '\'', length))
		buf_add(&line, text, length);
	else
		buf_printf(&line, "%s's %s", owner, model_text(m, f->name));
	buf_printf(&line, " = %s", value);
	model_report(m, M_FIELD_KEPT, at, 2, model_text(m, f->name), buf_text(&line));
	buf_free(&line);
	return true;
}

void infer_values(struct scope *s, int field, struct span at, enum door door, struct node *values)
{
	struct model *m = s->m;
	const struct mfield *f = &m->field.v[field];
	struct written w = {f->name, f->type, f->frac, true, door, field, at};
	struct type *type = type_find(f->type);
	bool many = type->base == VT_LIST || type->base == VT_SET;
	int plain = 0;
	if (door == DOOR_LINE && report_kept(m, field, at))
		return;
	const sym within = s->written;
	s->written = door == DOOR_LINE ? f->name : within;
	for (struct node *v = values; v; v = v->next) {
		switch (v->kind) {
		case N_KIND_V_COUNT:
			infer_count(s, &w, many, v);
			break;
		case N_KIND_V_NAMED:
			infer_named(s, &w, many, v);
			break;
		case N_KIND_V_VERSUS:
			infer_versus(s, &w, v);
			break;
		default:
			if (many)
				infer_written(s, &w, v->a);
			else
				infer_nth(s, &w, plain, values, v);
			plain++;
		}
		infer_own_fields(s, v, many ? type->elem : type);
	}
	s->written = within;
}
