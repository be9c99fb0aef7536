/* absence_fallen.c - the dice that fell in an event, each with what it was compared with, as
 * figures of an answer: of those that fell for several only the one's who is asked about. See
 * absence.h. */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/amount.h"
#include "runtime/explain/sum.h"

enum { DEEP = 8, DICE_TOLD = 4 };

/* ": 15 reaches the 10 needed": what a die was compared with in its event. */
static void die_compared(const struct log *l, int32_t roll, struct buf *out)
{
	struct sum by;
	for (int32_t i = log_sibling(l, roll); i >= 0; i = log_sibling(l, i)) {
		if (log_at(l, i)->kind != REC_SUM || log_at(l, i)->dropped ||
			!sum_read(l, i, &by) || !by.compares || sum_is_trivial(&by) ||
			sum_counts_down(&by))
			continue;
		if (*by.how == '=') /* a double, or just what is needed, says nothing of the sum */
			continue;
		for (int k = 0; k < by.left.n + by.right.n; k++)
			if (sum_roll(l, i, k < by.left.n ? &by.left.part[k] : &by.right.part[k - by.left.n]) == roll) {
				buf_puts(out, ": ");
				sum_compared(l, &by, out);
				return;
			}
	}
}

/* Does a combatant roll this die? NONE: nobody, or a side. */
static word roller(const struct inquiry *s, const struct record *r)
{
	const struct label_info *l =
		r->what >= 0 && r->what < s->p->labels ? &s->p->label[r->what] : NULL;
	return l && l->owner.base == VT_LIVE && l->owner.kind == KIND_COMBATANT ? r->owner : NONE;
}

/* Did somebody roll dice of their own in an event: a save? */
static bool rolled_own(const struct inquiry *s, int32_t number, int depth, word whom)
{
	for (int32_t i = log_child(&s->log, number); i >= 0 && depth < DEEP; i = log_sibling(&s->log, i)) {
		const struct record r = *log_at(&s->log, i);
		if (!r.dropped && r.kind == REC_EVENT && rolled_own(s, i, depth + 1, whom))
			return true;
		if (!r.dropped && r.kind == REC_ROLL && roller(s, &r) == whom)
			return true;
	}
	return false;
}

/* Of those that fell for several in one event, a fireball, only those of `alone`; NONE: all. */
static void dice_of(
	const struct inquiry *s, int32_t number, int depth, word alone, struct answer *out)
{
	for (int32_t i = log_child(&s->log, number); i >= 0 && depth < DEEP; i = log_sibling(&s->log, i)) {
		const struct record r = *log_at(&s->log, i);
		if (r.dropped)
			continue;
		if (r.kind == REC_EVENT)
			dice_of(s, i, depth + 1, alone, out);
		if (r.kind != REC_ROLL || out->figure.n >= DICE_TOLD)
			continue;
		if (alone != NONE && roller(s, &r) != NONE && roller(s, &r) != alone)
			continue;
		struct buf b = {0}, sum = {0};
		word amount;
		/* what is added to it: "damage 9 [1d8: 8, +1]" */
		bool summed = false;
		for (int32_t k = log_sibling(&s->log, i); k >= 0 && !summed; k = log_sibling(&s->log, k)) {
			buf_clear(&sum);
			summed = log_at(&s->log, k)->kind == REC_EVENT && !log_at(&s->log, k)->dropped &&
				amount_die(&s->log, k, &amount, &sum) == i;
		}
		log_label(&s->log, &r, &b);
		buf_putc(&b, ' ');
		if (summed)
			buf_printf(&b, "%lld%s", (long long)amount, buf_text(&sum));
		else
			log_total(&s->log, &r, &b);
		if (!summed)
			answer_fall(&s->log, &r, &b);
		buf_free(&sum);
		die_compared(&s->log, i, &b);
		answer_figure(out, i, -1, "%s", buf_text(&b));
		buf_free(&b);
	}
}

void absence_dice(const struct inquiry *s, int32_t number, word whom, struct answer *out)
{
	const word actor = log_actor(&s->log, log_at(&s->log, number));
	const bool own = whom != NONE && whom != actor && rolled_own(s, number, 0, whom) &&
		!rolled_own(s, number, 0, actor);
	dice_of(s, number, 0, own ? whom : NONE, out);
}
