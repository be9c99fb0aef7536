/* grow.c - an observed program to which functions are added one by one, so that a question at the prompt does not link the
 * encounter once more for each value that its answer rests on. See gen.h.
 *
 * The tables stay those of the generator, and the program borrows them anew whenever they have grown. What a function may not
 * add to - fields, events, stat blocks, and with them the layout of the world - is compared. */
#include <stdlib.h>

#include "lang/gen/gen.h"
#include "runtime/code/effects.h"

enum { ADDED_MOST = 1000 };

/* What was there to be linked. */
struct extent { int links, questions, events, clauses, fields, pairs, things, kinds, kepts; };

struct grown {
	struct gen gen;
	struct extent extent;
	int32_t *rank;
	int32_t ranked;
	int added, followed;
};

static struct extent extent_of(const struct model *m)
{
	return (struct extent){m->links, m->question.n, m->event.n, m->clause.n, m->field.n, m->pair.n, m->thing.n, m->kind.n, m->kept.n};
}

#define LEND_TABLE(member, count)     \
	do {                              \
		p->count = g->member.n;       \
		p->member = g->member.v;      \
	} while (0)

static void lend_tables(struct grown *x)
{
	struct gen *g = &x->gen;
	struct program *p = g->p;
	p->code_span = g->code_span.v;
	LEND_TABLE(code, code_count);
	LEND_TABLE(constant, constants);
	LEND_TABLE(fn, fns);
	LEND_TABLE(event, events);
	LEND_TABLE(clause, clauses);
	LEND_TABLE(label, labels);
	LEND_TABLE(field, fields);
	LEND_TABLE(pair, pairs);
	LEND_TABLE(thing, things);
	LEND_TABLE(thing_field, thing_fields);
	p->thing_words = g->thing_words.v;
	LEND_TABLE(list_words, list_word_count);
	LEND_TABLE(text, texts);
	LEND_TABLE(dice, dices);
	LEND_TABLE(piece, pieces);
	LEND_TABLE(template_, templates);
	LEND_TABLE(order, orders);
	LEND_TABLE(forced, forceds);
	LEND_TABLE(numbered, numbereds);
	LEND_TABLE(pips, pips_count);
	p->pip_face_count = g->pip_face.n;
	p->pip_faces = g->pip_face.v;
	LEND_TABLE(forced_choice, forced_choices);
	p->answer_count = g->answer.n;
	p->answers = g->answer.v;
	LEND_TABLE(block, blocks);
	LEND_TABLE(expect, expects);
	LEND_TABLE(line, lines);
	LEND_TABLE(table, tables);
	LEND_TABLE(table_row, table_rows);
	p->table_word_count = g->table_words.n;
	p->table_words = g->table_words.v;
	LEND_TABLE(phase, phases);
	LEND_TABLE(whenever, whenevers);
	LEND_TABLE(beats, beats_count);
	for (int i = 0; i < p->questions; i++)
		p->question[i].fn = g->fn_question[i];
	if (x->ranked != p->texts) {
		x->rank = realloc(x->rank, ((size_t)p->texts + 1) * sizeof *x->rank);
		if (!x->rank)
			abort();
		link_rank_texts(p->text, p->texts, x->rank);
		x->ranked = p->texts;
	}
	p->text_rank = x->rank;
	program_effects(p);
}

struct grown *grown_open(struct model *m, int encounter)
{
	struct grown *x = calloc(1, sizeof *x);
	if (!x)
		abort();
	if (!link_build(&x->gen, m, encounter, true)) {
		grown_free(x);
		return NULL;
	}
	x->extent = extent_of(m);
	x->followed = x->gen.followed.n;
	lend_tables(x);
	return x;
}

bool grown_stale(const struct grown *x)
{
	const struct extent now = extent_of(x->gen.m), *was = &x->extent;
	return x->gen.failed || x->added >= ADDED_MOST || now.links != was->links || now.questions != was->questions ||
		now.events != was->events || now.clauses != was->clauses || now.fields != was->fields || now.pairs != was->pairs ||
		now.things != was->things || now.kinds != was->kinds || now.kepts != was->kepts;
}

struct program *grown_add(struct grown *x, struct node *expr)
{
	struct gen *g = &x->gen;
	struct model *m = g->m;
	struct program *p = g->p;
	const int errors = m->sink->errors, fields = g->field.n, pairs = g->pair.n, events = g->event.n, things = g->thing.n;
	const bool reporting = m->reporting;
	x->added++;
	scene_enter(m, g->encounter);
	m->reporting = false;
	m->probe = expr;
	p->probe_fn = gen_expr_fn(g, expr, "asked at the prompt");
	p->probe_type = vtype_of(g, expr->type, expr->frac);
	p->probe_words = type_is(expr->type, VT_LIST) ? list_width(g, expr) : width_of(g, expr->type);
	gen_pending(g);
	m->probe = NULL;
	m->reporting = reporting;
	scene_leave(m);
	g->followed.n = x->followed; /* nodes of the question do not last */
	lend_tables(x);
	g->failed |= m->sink->errors != errors || g->field.n != fields || g->pair.n != pairs || g->event.n != events || g->thing.n != things;
	return g->failed ? NULL : p;
}

void grown_free(struct grown *x)
{
	struct gen *g = x ? &x->gen : NULL;
	if (!x)
		return;
	gen_free_tables(g);
	program_free(g->p);
	free(x->rank);
	free(x);
}
