/* value_walk.c - facts carried over a function (value_facts.h): the intersection over all
 * predecessors at a join point, loops that take one turn. */
#include <stdlib.h>

#include "lang/gen/value_facts.h"

static bool is_this_or_unset(const struct facts *k, int reg, word *v)
{
	*v = k->value[reg];
	return k->how[reg] == CONSTANT || k->how[reg] == MAYBE;
}

/* What both know stays. */
static void meet(struct facts *k, const struct facts *from)
{
	for (int w = 0; w < LIVE_WORDS; w++) {
		k->some[w] &= from->some[w];
		k->yes[w] &= from->yes[w];
		k->no[w] &= from->no[w];
	}
	for (int r = 0; r < k->n; r++) {
		word a, b;
		if (k->how[r] == UNKNOWN || (k->how[r] == from->how[r] && k->value[r] == from->value[r]))
			continue;
		bool may = is_this_or_unset(k, r, &a) && is_this_or_unset(from, r, &b) &&
			(a == b || a == NONE || b == NONE);
		facts_forget_one(k, r);
		if (may) {
			k->how[r] = MAYBE;
			k->value[r] = a == NONE ? b : a;
		}
	}
}

/* Does this jump leave the loop that asks those of whom it was not known whether they say yes to a
 * question, and adds who does to the set of those who are known to? The question, and the set's
 * register; else -1. */
static int32_t sifted_by(const struct items *s, int32_t at, int *set)
{
	const int32_t walk = at - 1, last = at + 5;
	if (at < 4 || last >= s->n)
		return -1;
	const struct item *sift = &s->item[at - 4], *begins = sift + 2, *next = sift + 3,
					  *asks = &s->item[at + 2], *no = asks + 1, *adds = asks + 2, *again = asks + 3;
	const int32_t fn = sift[1].i.k;
	const int who = next->i.a;
	if (sift->i.op != OP_SKNOWN || sift[1].i.op != OP_EXT || begins->i.op != OP_LOADI ||
		begins->i.a != who || next->i.op != OP_SNEXT || next->i.b != sift->i.c ||
		s->item[at].i.a != who)
		return -1;
	if (asks[-1].i.op != OP_MOVE || asks[-1].i.b != who || asks->i.op != OP_CALL ||
		asks->i.k != fn || asks[-1].i.a != asks->i.a + 2 || !s->p->fn[fn].own || fn > UINT16_MAX)
		return -1;
	if (no->i.op != OP_JZ || no->i.a != asks->i.a || (no->to != last && no->to != walk) ||
		adds->i.op != OP_SADD || adds->i.a != sift->i.a || adds->i.b != who ||
		again->i.op != OP_LOOP || again->to != walk)
		return -1;
	for (int32_t from = 0; from < s->n; from++) {
		const int32_t to = s->item[from].to;
		if (to > at - 4 && to <= last && (from <= at || from > last || (to != walk && to != last)))
			return -1;
	}
	*set = sift->i.a;
	return fn;
}

/* Somebody who knows this jumps forward to an item. */
static void set_out(struct items *s, const struct facts *from, int32_t at, int32_t to)
{
	static _Thread_local struct facts k;
	struct facts *way = &s->ways[s->item[to].way];
	const struct insn *i = &s->item[at].i;
	int set;
	const int32_t fn = i->op == OP_JNONE ? sifted_by(s, at, &set) : -1;
	facts_copy(&k, from);
	if (is_conditional((enum op)i->op))
		facts_branch(&k, i, true);
	if (fn >= 0)
		facts_set_about(&k, set, ANSWER, SIFTED(fn));
	if (way->anybody)
		meet(way, &k);
	else
		facts_copy(way, &k);
	way->anybody = true;
}

/* The end of a loop's turn, where its number is added to, whatever was done in it; else -1. What it
 * goes by is written nowhere else. */
static int32_t counts_on(const struct items *s, int32_t to, int32_t end)
{
	const struct insn *question = &s->item[to].i;
	int32_t step = end - 1;
	if (s->item[end].target)
		return -1;
	while (step > to && s->item[step].i.op == OP_NOP && !s->item[step].target)
		step--;
	const struct insn *add = &s->item[step].i;
	if (add->op != OP_ADD || add->a != question->b || add->b != question->b)
		return -1;
	for (int32_t at = to; at < step; at++)
		if (item_writes(s, &s->item[at].i, question->b) ||
			item_writes(s, &s->item[at].i, question->c) || item_writes(s, &s->item[at].i, add->c) ||
			s->item[at].to == to)
			return -1;
	return add->a == question->c || add->a == add->c ? -1 : step;
}

/* `each n from 1 to 1`, after whose turn the number is more than the last: has it one turn, if this
 * is known where it begins? */
static bool goes_once(const struct items *s, const struct facts *k, int32_t to)
{
	const int32_t end = s->item[to].loop;
	const struct insn *question = &s->item[to].i, *jump = &s->item[to + 1].i;
	word from, until, more, next, again;
	if (end <= to + 2 || question->op != OP_LE || jump->op != OP_JZ || jump->a != question->a ||
		s->item[to + 1].to <= end || s->item[end].i.op != OP_LOOP || s->item[end].to != to)
		return false;
	const int32_t step = counts_on(s, to, end);
	return step >= 0 && facts_value(k, question->b, &from) && facts_value(k, question->c, &until) &&
		facts_value(k, s->item[step].i.c, &more) && fold_op(OP_ADD, from, more, &next) &&
		fold_op(OP_LE, next, until, &again) && !again;
}

/* Then nobody goes back to ask whether there is another, if nobody behind it reads that there is
 * none. */
void loops_end_after_one_turn(struct items *s)
{
	bool any = false;
	for (int32_t at = 0; at < s->n; at++)
		any |= s->item[at].once;
	if (!any)
		return;
	items_find_live(s);
	for (int32_t at = 0; at < s->n; at++) {
		const struct item *x = &s->item[at], *jump = x + 1;
		if (!x->once || x->i.op != OP_LE || jump->i.op != OP_JZ || jump->i.a != x->i.a ||
			items_live_at(s, jump->to, x->i.a))
			continue;
		s->item[x->loop].i = (struct insn){.op = OP_JMP};
		s->item[x->loop].to = jump->to;
		s->changed = true;
	}
}

/* What is known at an item that is jumped to; `along`: one comes from the item before it, too. */
static void arrive(struct items *s, struct facts *k, int32_t to, bool along)
{
	const struct facts *way = &s->ways[s->item[to].way];
	if (way->anybody && along)
		meet(k, way);
	else if (way->anybody)
		facts_copy(k, way);
	else if (!along)
		facts_clear(k, k->n);
	k->anybody = false;
	s->item[to].once = goes_once(s, k, to);
	/* whatever a loop that begins here writes may have been written */
	for (int32_t in = to; in <= s->item[to].loop; in++) {
		int first, n = item_written(s, &s->item[in].i, &first);
		facts_forget(k, first, n);
		facts_upset(s, k, &s->item[in].i);
	}
}

void facts_walk(struct items *s,
	void (*at_item)(struct items *s, struct facts *k, int32_t at, void *context), void *context)
{
	static _Thread_local struct facts k;
	size_t targets = (size_t)items_mark_targets(s);
	if (targets > s->ways_room) {
		free(s->ways);
		s->ways_room = 2 * targets;
		s->ways = malloc(s->ways_room * sizeof *s->ways);
		if (!s->ways)
			abort();
	}
	for (size_t i = 0; i < targets; i++)
		s->ways[i].anybody = false;
	facts_clear(&k, s->registers);
	for (int32_t at = 0; at < s->n; at++) {
		struct item *x = &s->item[at];
		if (x->target)
			arrive(s, &k, at, at > 0 && goes_on((enum op)s->item[at - 1].i.op));
		int32_t to = x->to;
		at_item(s, &k, at, context);
		facts_learn(s, &k, &x->i);
		/* if this pass retargeted the jump, its facts still hold at the old target */
		if (x->to >= 0 && to > at)
			set_out(s, &k, at, to);
		if (is_conditional((enum op)x->i.op))
			facts_branch(&k, &x->i, false);
		if (!goes_on((enum op)x->i.op))
			facts_clear(&k, s->registers);
	}
}
