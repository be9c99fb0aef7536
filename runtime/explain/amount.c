/* amount.c - see amount.h. */
#include <string.h>

#include "runtime/explain/amount.h"
#include "runtime/explain/sum.h"

/* A sum added up again beside its die. */
struct count {
	const struct log *l;
	struct buf before, after;  /* "2 x ", ", +1, at least 0" */
	int32_t roll;
	int64_t total;
	bool any;                  /* a part has been counted */
};

/* Counts a part. False: it is of a sort that is not told in a word. */
static bool count_part(struct count *c, int32_t record, const struct part *p)
{
	int64_t value, den;
	const int32_t roll = sum_roll(c->l, record, p);
	if (p->op == 'r')
		return true; /* whole numbers alone get here */
	if (!sum_number(p->type, p->value, &value, &den) || den != 1 || (roll >= 0 && c->roll >= 0))
		return false;
	struct buf *b = &c->after;
	switch (p->op) {
	case '+':
	case '-':
		if (roll >= 0 && p->op == '+')
			c->roll = roll;
		else if (value)
			buf_printf(b, ", %+lld", (long long)(p->op == '+' ? value : -value));
		c->total += p->op == '+' ? value : -value;
		break;
	case '*':
		if (roll >= 0) { /* "2 * damage": what stood before it is a factor */
			if (c->total != 1)
				buf_printf(&c->before, "%lld x ", (long long)c->total);
			buf_clear(b);
			c->roll = roll;
		} else if (value != 1) {
			buf_printf(b, ", x %lld", (long long)value);
		}
		c->total *= value;
		break;
	case '^':
		if (c->total < value)
			buf_printf(b, ", at least %lld", (long long)value);
		c->total = c->total < value ? value : c->total;
		break;
	case 'v':
		if (c->total > value)
			buf_printf(b, ", at most %lld", (long long)value);
		c->total = c->total > value ? value : c->total;
		break;
	default:
		return false;
	}
	c->any = true;
	return p->op != '-' || roll < 0;
}

/* What rules made of it after it was summed. False: by what cannot be told in a word. */
static bool count_recasts(struct count *c, int32_t event, int role)
{
	for (int32_t i = log_child(c->l, event); i >= 0; i = log_sibling(c->l, i)) {
		const struct record r = *log_at(c->l, i);
		if (r.kind != REC_RECAST || r.dropped || r.owner != role)
			continue;
		const word old = trace_values_at(c->l->t, &r)[0];
		if (old != c->total || r.value == NONE)
			return false;
		if (r.flag == RECAST_TIMES && old != 0 && r.value % old == 0)
			buf_printf(&c->after, ", x %lld", (long long)(r.value / old));
		else if (r.flag == RECAST_ADDED)
			buf_printf(&c->after, ", %+lld", (long long)(r.value - old));
		else
			return false;
		c->total = r.value;
	}
	return true;
}

static bool count_sum(struct count *c, int32_t event, int role, const char *name)
{
	struct sum s;
	const int32_t found = sum_before(c->l, log_at(c->l, event)->parent, event, false, name);
	if (found < 0 || !sum_read(c->l, found, &s))
		return false;
	for (int i = 0; i < s.left.n; i++)
		if (!count_part(c, found, &s.left.part[i]))
			return false;
	return c->any && c->roll >= 0 && c->total == s.left.total && count_recasts(c, event, role);
}

/* "1d8: 3" of the die, between what stands before and behind it. */
static void bracket(struct count *c, struct buf *out)
{
	struct buf fall = {0};
	const struct record r = *log_at(c->l, c->roll);
	log_fall(c->l, &r, true, &fall);
	const char *inner = fall.length > 3 ? fall.data + 2 : "";
	const size_t n = fall.length > 3 ? fall.length - 3 : 0;
	const char *factor = buf_text(&c->after);
	if (!strncmp(factor, ", x ", 4) && !strchr(factor + 4, ',')) { /* "2 x 1d8: 4" */
		buf_printf(&c->before, "%s x ", factor + 4);
		buf_clear(&c->after);
	}
	buf_printf(out, " [%s%.*s%s]", buf_text(&c->before), (int)n, inner, buf_text(&c->after));
	buf_free(&fall);
}

int32_t amount_die(const struct log *l, int32_t event, word *amount, struct buf *out)
{
	const struct record r = *log_at(l, event);
	int32_t roll = -1;
	if (r.what < 0 || r.what >= l->p->events)
		return -1;
	const struct event_info *e = &l->p->event[r.what];
	for (int k = 0; k < e->roles && roll < 0; k++) {
		if (!vtype_is_number(e->role[k].type) || e->role[k].type.frac)
			continue;
		struct count c = {.l = l, .roll = -1};
		if (count_sum(&c, event, k, e->role[k].name) && (c.before.length || c.after.length)) {
			roll = c.roll;
			*amount = c.total;
			bracket(&c, out);
		}
		buf_free(&c.before);
		buf_free(&c.after);
	}
	return roll;
}
