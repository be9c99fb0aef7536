/* carried.c - what was gathered in one field before it came to another at once: losses of a
 * segment. See event.h. */
#include "runtime/explain/event.h"

enum { CARRIED_NEAR = 8 };

static bool counts(const struct log *l, const struct record *r)
{
	return r->kind == REC_CHANGE && !r->dropped && r->flag == 0 && r->what >= 0 &&
		vtype_is_number(l->p->field[r->what].type) && !l->p->field[r->what].type.frac &&
		r->value != NONE && trace_values_at(l->t, r) && trace_values_at(l->t, r)[0] != NONE;
}

/* The changes of a field since it was nothing, before a record. */
static int since_nothing(
	const struct log *l, int field, word owner, int32_t before, int32_t *out, int most)
{
	int n = 0;
	for (int32_t i = trace_back_to_change(l->t, before - 1, field, owner); i >= 0 && n < most;
		 i = trace_back_to_change(l->t, i - 1, field, owner)) {
		const struct record *r = log_at(l, i);
		if (!counts(l, r))
			continue;
		if (r->value == 0)
			break;
		out[n++] = i;
	}
	return n;
}

int event_carried(const struct log *l, int32_t change, int32_t *out, int most)
{
	const struct record c = *log_at(l, change);
	if (!counts(l, &c))
		return 0;
	const word by = c.value - trace_values_at(l->t, log_at(l, change))[0];
	word sum = 0;
	int n = 0;
	for (int32_t i = change + 1; i < l->n && i <= change + CARRIED_NEAR; i++) {
		const struct record s = *log_at(l, i);
		if (s.kind != REC_CHANGE || s.owner != c.owner || s.parent != c.parent || !counts(l, &s) ||
			s.value != 0)
			continue;
		const word held = trace_values_at(l->t, log_at(l, i))[0];
		if (held == 0 || s.what == c.what)
			continue;
		sum += held;
		n += since_nothing(l, s.what, s.owner, i, out + n, most - n);
		if (sum == by || sum == -by)
			return n;
	}
	return 0;
}
