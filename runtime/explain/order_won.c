/* order_won.c - which side a die of theirs let go first: "The dead won the initiative of round 5, 5
 * against 4". Whether the high die wins or the low one is read from the rounds of the fight. See
 * placing.h. */
#include <string.h>

#include "runtime/explain/placing.h"

enum { SIDES_MOST = 8 };

struct thrown {
	int n;
	word side[SIDES_MOST], value[SIDES_MOST];
};

/* The last die of that name of each side in a round. */
static void thrown_in(const struct inquiry *s, int label, int32_t round, struct thrown *out)
{
	out->n = 0;
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_ROLL); i >= 0;
		 i = trace_back(s->t, i - 1, 1u << REC_ROLL)) {
		const struct record *r = log_at(&s->log, i);
		bool known = r->dropped || r->what != label || r->round != round;
		for (int k = 0; k < out->n && !known; k++)
			known = out->side[k] == r->owner;
		if (!known && out->n < SIDES_MOST) {
			out->side[out->n] = r->owner;
			out->value[out->n++] = r->value;
		}
	}
}

/* Where the highest of them stands, or the lowest; -1: two have it. */
static int best_of(const struct thrown *t, bool high)
{
	int best = 0;
	bool tie = false;
	for (int i = 1; i < t->n; i++) {
		const word more = high ? t->value[i] - t->value[best] : t->value[best] - t->value[i];
		tie = more == 0 || (tie && more < 0);
		best = more > 0 ? i : best;
	}
	return tie ? -1 : best;
}

/* The side of whoever acts first in a round; NONE. */
static word first_side(const struct inquiry *s, int32_t round)
{
	placings all = {0};
	const people anybody = {0};
	word side = NONE;
	int32_t group = INT32_MAX;
	order_acts(s, -1, &anybody, round, &all);
	for (int i = 0; i < all.n; i++)
		if (all.v[i].group < group) {
			group = all.v[i].group;
			side = order_side(s, all.v[i].who);
		}
	VEC_FREE(all);
	return side;
}

bool order_won(const struct inquiry *s, int label, int32_t round, struct buf *out)
{
	struct thrown now, t;
	int high = 0, low = 0;
	thrown_in(s, label, round, &now);
	if (now.n < 2 || !s->world)
		return false;
	for (int32_t i = 1; i <= log_at(&s->log, s->end - 1)->round; i++) {
		thrown_in(s, label, i, &t);
		const word side = t.n == now.n ? first_side(s, i) : NONE;
		const int most = side == NONE ? -1 : best_of(&t, true),
				  least = side == NONE ? -1 : best_of(&t, false);
		high += most >= 0 && t.side[most] == side;
		low += least >= 0 && t.side[least] == side;
	}
	const int won = high == low ? -1 : best_of(&now, high > low);
	const char *name = s->p->label[label].name;
	if (won < 0 && best_of(&now, true) >= 0)
		return false;
	if (won < 0) {
		buf_printf(out, "Nobody won the %s of round %d, ", name, round);
		for (int i = 0; i < now.n; i++)
			buf_printf(out, i ? " against %lld" : "%lld", (long long)now.value[i]);
		buf_puts(out, ": ");
		return true;
	}
	buf_printf(out, "The %s won the %s of round %d, %lld",
		s->p->live[KIND_SIDE][now.side[won]].name, name, round, (long long)now.value[won]);
	for (int i = 0, n = 0; i < now.n; i++)
		if (i != won)
			buf_printf(out, n++ ? ", %lld" : " against %lld", (long long)now.value[i]);
	buf_puts(out, ": ");
	return true;
}
