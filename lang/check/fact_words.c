/* fact_words.c - words that a script states and no rule asks for, of fields that hold any word.
 *
 * Only where rules ask for certain words and for nothing else: where they print the field, compare
 * it with another or ask whether it is none, any word may matter. So it may where a word takes the
 * place of another - of the usual value, or of what a stat block said: of these nothing is told. Of
 * the library's own fields only what is nearly a word that is asked for, for another of its
 * systems, or the table itself, may ask for others. */
#include <string.h>

#include "lang/check/effect.h"
#include "lang/check/infer.h"

struct stated_word { int field; const struct node *value; sym word; };

/* What is known of a field: it is stated, and rules ask for these words, or for any. */
struct word_field { bool stated, any; VEC(sym) asked; };

struct words {
	struct model *m;
	VEC(struct stated_word) stated;
	struct word_field *of; /* by field */
	VEC(int) field;        /* those that are stated */
};

/* A field that takes any word, whose words may come to nothing. */
static bool is_open(const struct model *m, int field)
{
	const struct mfield *f = &m->field.v[field];
	struct type *t = type_find(f->type);
	bool words = t->base == VT_WORD ||
		((t->base == VT_LIST || t->base == VT_SET) && type_is(t->elem, VT_WORD));
	return words && !f->closed && !f->initial && !f->noted && !f->kept && !f->hidden &&
		f->question < 0 && f->kind != KIND_ACT && !field_is_option(m, field);
}

static void of_lines(struct words *x, const struct node *n)
{
	for (; n; n = n->next) {
		if (n->kind != N_KIND_D_FIELD || n->damaged || !is_open(x->m, n->ref))
			continue;
		for (const struct node *v = n->a; v; v = v->next) {
			sym said = v->kind == N_KIND_V_PLAIN ? said_word(x->m, v->a) : 0;
			if (!said)
				continue;
			VEC_PUSH(x->stated, ((struct stated_word){n->ref, v->a, model_alias(x->m, said)}));
			if (!x->of[n->ref].stated)
				VEC_PUSH(x->field, n->ref);
			x->of[n->ref].stated = true;
		}
	}
}

static void find_stated(struct words *x)
{
	struct model *m = x->m;
	for (int k = 0; k < m->module.n; k++)
		for (int t = 0; m->module.v[k].layer == LAYER_SCRIPT && t < m->module.v[k].tree.n; t++)
			for (const struct node *n = m->module.v[k].tree.v[t]; n; n = n->next)
				if ((n->kind == N_KIND_THING && !n->a) || n->kind == N_KIND_ENCOUNTER)
					of_lines(x, n->kind == N_KIND_THING ? n->b : n->a);
}

/* ---- what rules ask for ---- */

static struct word_field *field_of(const struct words *x, const struct node *path)
{
	bool field = path->ref_kind == REF_FIELD || path->ref_kind == REF_THING_FIELD ||
		path->ref_kind == REF_FIELD_OF_ENCOUNTER;
	return field && path->ref >= 0 && x->of[path->ref].stated ? &x->of[path->ref] : NULL;
}

/* A path, and a word written out, compared with each other. */
static bool is_asked(struct words *x, const struct node *path, const struct node *value)
{
	struct word_field *f = field_of(x, path);
	sym said = f && value->ref_kind == REF_WORD ? said_word(x->m, value) : 0;
	if (said)
		VEC_PUSH(f->asked, model_alias(x->m, said));
	return said != 0;
}

static void look(struct words *x, const struct node *n);

static void look_list(struct words *x, const struct node *n)
{
	for (; n; n = n->next)
		look(x, n);
}

static void look_path(struct words *x, const struct node *path)
{
	if (path->kind == N_KIND_E_FIELD)
		look(x, path->a);
	else
		look_list(x, path->kind == N_KIND_E_CALL ? path->b : NULL);
}

/* Whatever is asked otherwise, asks for any word: here by a name, of fields of all kinds. */
static void take_any(struct words *x, sym name, const char *text)
{
	for (int i = 0; i < x->field.n; i++) {
		sym of = x->m->field.v[x->field.v[i]].name;
		x->of[x->field.v[i]].any |= text ? strstr(text, model_text(x->m, of)) != NULL : of == name;
	}
}

static void look_compared(struct words *x, const struct node *n)
{
	const struct node *path = n->a, *value = n->b;
	if (n->kind == N_KIND_E_IN && !n->c) {
		path = n->b;
		value = n->a;
	}
	if (is_asked(x, path, value)) {
		look_path(x, path);
	} else if (n->kind == N_KIND_E_BINARY && is_asked(x, value, path)) {
		look_path(x, value);
	} else {
		look_list(x, n->a);
		look_list(x, n->b);
		look_list(x, n->c);
	}
}

static void look(struct words *x, const struct node *n)
{
	const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
	int first = 0;
	if (n->text && strchr(n->text, '{'))
		take_any(x, 0, n->text);
	switch (n->kind) {
	case N_KIND_E_IS: case N_KIND_E_HAS: case N_KIND_E_IN:
		look_compared(x, n);
		return;
	case N_KIND_E_BINARY:
		if (n->op == BIN_EQ || n->op == BIN_NE) {
			look_compared(x, n);
			return;
		}
		break;
	case N_KIND_S_SET: case N_KIND_S_CHANGE: case N_KIND_N_OVERRIDE:
		look_path(x, n->a);
		first = 1;
		break;
	case N_KIND_S_ADD: case N_KIND_S_REMOVE:
		look(x, n->a);
		look_path(x, n->b);
		return;
	case N_KIND_E_FIELD: case N_KIND_E_NAME:
		take_any(x, model_alias(x->m, n->name), NULL);
		break;
	default:
		break;
	}
	for (int i = first; i < 6; i++)
		look_list(x, kids[i]);
}

/* ---- what is told ---- */

/* Each word once: those that rules ask for, and of the idle ones those that the field is stated
 * with. */
struct word_list { VEC(const char *) at; };

static void list_add(struct word_list *list, const char *said)
{
	for (int i = 0; i < list->at.n; i++)
		if (!strcmp(list->at.v[i], said))
			return;
	VEC_PUSH(list->at, said);
}

static bool is_idle(const struct words *x, const struct stated_word *s)
{
	const struct word_field *of = &x->of[s->field];
	bool asked = of->any || !of->asked.n;
	for (int i = 0; i < of->asked.n && !asked; i++)
		asked = of->asked.v[i] == s->word;
	return !asked &&
		(x->m->field.v[s->field].own || !x->m->word_asked ||
			!x->m->word_asked(model_text(x->m, s->word)));
}

static void put_whose(const struct model *m, const struct mfield *f, struct buf *out)
{
	buf_printf(out, "%s's %s %s", model_text(m, m->kind.v[f->kind].name), model_text(m, f->name),
		type_is(f->type, VT_WORD) ? "is" : "has");
}

static void report_near(
	struct model *m, const struct mfield *f, const struct stated_word *s, const char *best)
{
	struct buf whose = {0};
	put_whose(m, f, &whose);
	model_report(
		m, M_FACT_WORD_NEAR, s->value->span, 3, model_text(m, s->word), buf_text(&whose), best);
	buf_free(&whose);
}

/* "oath: word, silence, peace": the declaration that lists what is asked for and what is stated. */
static void put_declared(const struct model *m, const struct mfield *f,
	const struct word_list *asked, const struct word_list *idle, struct buf *out)
{
	const struct word_list *const lists[] = {asked, idle};
	buf_printf(out, "%s: %s", model_text(m, f->name),
		type_is(f->type, VT_WORD) ? "word" : "list of words");
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < lists[k]->at.n; i++)
			buf_printf(
				out, strchr(lists[k]->at.v[i], ' ') ? ", \"%s\"" : ", %s", lists[k]->at.v[i]);
}

/* "dark" and "darkness", "rain" and "rainy": one word begins with the other. */
static const char *same_stem(const char *said, const char *const *asked, int n)
{
	enum { STEM_MIN = 4 };
	for (int i = 0; i < n; i++) {
		const size_t a = strlen(said), b = strlen(asked[i]), least = a < b ? a : b;
		if (least >= STEM_MIN && !strncmp(said, asked[i], least) && !strchr(said, ' ') &&
			!strchr(asked[i], ' '))
			return asked[i];
	}
	return NULL;
}

/* What is told of a field: each word that is nearly one asked for, and the first of the others. */
static void report_field(struct words *x, int field)
{
	struct model *m = x->m;
	const struct mfield *f = &m->field.v[field];
	const struct stated_word *first = NULL;
	struct word_list asked = {0}, idle = {0};
	struct buf whose = {0}, all = {0}, line = {0};
	for (int i = 0; i < x->of[field].asked.n; i++)
		list_add(&asked, model_text(m, x->of[field].asked.v[i]));
	for (int i = 0; i < x->stated.n; i++) {
		const struct stated_word *s = &x->stated.v[i];
		if (s->field != field || !is_idle(x, s))
			continue;
		const char *said = model_text(m, s->word);
		const char *best = diag_nearest(said, asked.at.v, asked.at.n);
		if (!best)
			best = same_stem(said, asked.at.v, asked.at.n);
		if (!best)
			best = word_meant(said, asked.at.v, asked.at.n);
		if (best) {
			report_near(m, f, s, best);
		} else if (f->own) {
			first = first ? first : s;
			list_add(&idle, model_text(m, s->word));
		}
	}
	if (first) {
		put_whose(m, f, &whose);
		diag_list(asked.at.v, asked.at.n, NULL, 12, &all);
		put_declared(m, f, &asked, &idle, &line);
		model_report(m, M_FACT_WORD, first->value->span, 4, model_text(m, first->word),
			buf_text(&whose), buf_text(&all), buf_text(&line));
	}
	buf_free(&whose);
	buf_free(&all);
	buf_free(&line);
	VEC_FREE(asked.at);
	VEC_FREE(idle.at);
}

void check_fact_words(struct model *m)
{
	struct words x = {.m = m, .of = arena_array(m->arena, struct word_field, m->field.n + 1)};
	find_stated(&x);
	for (int k = 0; k < m->module.n && x.stated.n; k++)
		for (int t = 0; t < m->module.v[k].tree.n; t++)
			look_list(&x, m->module.v[k].tree.v[t]);
	for (int i = 0; i < x.field.n; i++)
		report_field(&x, x.field.v[i]);
	for (int i = 0; i < x.field.n; i++)
		VEC_FREE(x.of[x.field.v[i]].asked);
	VEC_FREE(x.field);
	VEC_FREE(x.stated);
}
