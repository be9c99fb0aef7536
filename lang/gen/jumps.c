/* jumps.c - jumps lead where they end up, and so does who comes along without one. */
#include "lang/gen/value_facts.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/must.h"

enum { STEPS = 48 };

/* Where one who arrives at `at` knowing this ends up, if what is written on the way is not read there. */
static int32_t ends_up(const struct items *s, const struct facts *from, int32_t at)
{
	static _Thread_local struct facts k;
	uint64_t wrote[LIVE_WORDS] = {0};
	int32_t best = at;
	facts_copy(&k, from);
	for (int step = 0; step < STEPS && at < s->n; step++) {
		const struct item *x = &s->item[at];
		const struct insn *i = &x->i;
		if (i->op == OP_NOP) {
			at++;
		} else if (i->op == OP_JMP) {
			at = x->to;
		} else if (is_conditional((enum op)i->op)) {
			int jumps = facts_jump(&k, i);
			if (jumps < 0)
				break;
			at = jumps ? x->to : at + 1;
		} else if (i->op == OP_OVER) { /* who says no goes on */
			struct insn no = *i;
			no.op = OP_JZ;
			if (facts_jump(&k, &no) != 1)
				break;
			at++;
		} else {
			int first;
			if (item_written(s, i, &first) != 1 || !item_is_free((enum op)i->op))
				break;
			facts_learn(s, &k, i);
			wrote[first / 64] |= 1ull << first % 64;
			at++;
		}
		bool read = false;
		for (int w = 0; w < LIVE_WORDS; w++)
			read |= (wrote[w] & s->live[(size_t)at * LIVE_WORDS + (size_t)w]) != 0;
		if (!read)
			best = at;
	}
	return best;
}

/* Behind each item with to[item] >= 0 a jump there. */
static void put_in_jumps(struct items *s, const int32_t *to, int32_t more)
{
	int32_t *place = malloc(((size_t)s->n + 1) * sizeof *place), shift = 0;
	if (!place)
		abort();
	for (int32_t at = 0; at < s->n; at++) {
		place[at] = at + shift;
		shift += to[at] >= 0;
	}
	place[s->n] = s->n + shift;
	must(shift == more);
	for (int32_t at = s->n; at-- > 0;) {
		struct item x = s->item[at];
		if (x.to >= 0)
			x.to = place[x.to];
		if (to[at] >= 0)
			s->item[place[at] + 1] = (struct item){.i = {.op = OP_JMP}, .span = x.span, .to = place[to[at]]};
		s->item[place[at]] = x;
	}
	s->n += more;
	s->changed = true;
	free(place);
}

/* A loop that is come into behind its beginning would not be one: what is known where it begins is what those
 * know who come there, and what it writes. */
static bool enters_loop(const struct items *s, int32_t from, int32_t to)
{
	for (int32_t at = from + 1; at < to; at++)
		if (s->item[at].loop >= to)
			return true;
	return false;
}

struct threading { int32_t *to, more; };

static void thread(struct items *s, struct facts *k, int32_t at, void *context)
{
	static _Thread_local struct facts then;
	struct threading *t = context;
	struct item *x = &s->item[at];
	t->to[at] = -1;
	if (op_jumps((enum op)x->i.op) && x->i.op != OP_LOOP) {
		facts_copy(&then, k);
		if (is_conditional((enum op)x->i.op))
			facts_branch(&then, &x->i, true);
		int32_t to = ends_up(s, &then, x->to);
		if (to != x->to && to > at && to < s->n && !enters_loop(s, at, to)) {
			x->to = to;
			s->changed = true;
		}
	}
	/* one who does not jump but comes along: where that leaves out a decision, a jump is put in.
	 * Behind EXT's instruction nothing may stand but EXT */
	if (!goes_on((enum op)x->i.op) || at + 1 >= s->n || !s->item[at + 1].target || s->item[at + 1].i.op == OP_EXT || s->n + t->more >= s->room)
		return;
	facts_copy(&then, k);
	facts_learn(s, &then, &x->i);
	if (is_conditional((enum op)x->i.op))
		facts_branch(&then, &x->i, false);
	int32_t end = ends_up(s, &then, at + 1);
	if (end > at + 3 && end < s->n && !enters_loop(s, at, end)) {
		t->to[at] = end;
		t->more++;
	}
}

/* `JZ over; JMP there`: the contrary, there. A jump to a return is one; a jump to the end of a loop is that. */
static void shorten_jumps(struct items *s)
{
	items_mark_targets(s);
	for (int32_t at = 0; at < s->n; at++) {
		struct item *x = &s->item[at], *next = &s->item[at + 1];
		if (x->i.op == OP_JMP && x->to >= 0) {
			const struct item *there = &s->item[x->to];
			if (there->i.op == OP_RET || (there->i.op == OP_LOOP && there->to <= at)) {
				x->i = there->i;
				x->to = there->to;
				s->changed = true;
			}
			continue;
		}
		if (!is_conditional((enum op)x->i.op) || at + 1 >= s->n)
			continue;
		if (x->to == at + 1) {
			item_clear(s, at);
		} else if (x->to == at + 2 && next->i.op == OP_JMP && !next->target) {
			static const uint8_t contrary[OP_COUNT] = {[OP_JZ] = OP_JNZ, [OP_JNZ] = OP_JZ, [OP_JNONE] = OP_JSOME, [OP_JSOME] = OP_JNONE};
			x->i.op = contrary[x->i.op];
			x->to = next->to;
			item_clear(s, at + 1);
		}
	}
}

void items_thread_jumps(struct items *s)
{
	struct threading t = {.to = malloc((size_t)s->n * sizeof *t.to)};
	if (!t.to)
		abort();
	items_find_live(s);
	facts_walk(s, thread, &t);
	if (t.more)
		put_in_jumps(s, t.to, t.more);
	free(t.to);
	shorten_jumps(s);
}
