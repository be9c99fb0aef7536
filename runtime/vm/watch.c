/* watch.c - events that odds ask about: what happened is noted in the world itself, so that
 * it is copied, merged and hashed with it and no log is needed. */
#include "runtime/vm/machine.h"

/* "X before Y": all of X's before the first of Y's, and not in one group with it. */
static word before(word seen, word group, bool first)
{
	word of_last = seen & ~(word)(WATCH_GROUP - 1);
	if (first)
		return seen & WATCH_OTHER ? seen | WATCH_SPOILT : (seen & (WATCH_GROUP - 1)) | WATCH_SEEN | group;
	if (seen & WATCH_OTHER)
		return seen;
	return (seen & WATCH_SEEN) && of_last == group ? seen | WATCH_OTHER | WATCH_SPOILT : seen | WATCH_OTHER;
}

/* Do all words that measures rest on hold what they will hold? What is done on a copy or only tried may be taken back. */
static bool lasting(const struct vm *m)
{
	const struct program *p = m->p;
	if (m->journaling || m->tries)
		return false;
	for (int i = 0; i < p->lasts; i++)
		if (m->w[p->last[i].at] != p->last[i].value)
			return false;
	return true;
}

bool vm_settled(const struct vm *m)
{
	const struct program *p = m->p;
	if (p->lasts > 0 && !lasting(m))
		return false;
	for (int i = 0; i < p->measures; i++) {
		const struct measure_info *x = &p->measure[i];
		if (x->watch < 0 && p->lasts > 0)
			continue;
		word seen = x->watch < 0 ? 0 : m->w[p->layout.watches + (uint32_t)x->watch];
		if (!(seen & WATCH_SPOILT) && (x->spoilt || !(seen & WATCH_SEEN)))
			return false;
	}
	return p->measures > 0 && p->measure_fn >= 0;
}

void watch_note(struct vm *m, int32_t k)
{
	uint32_t at = m->p->layout.watches + (uint32_t)k / WATCH_HOWS;
	word seen = m->w[at], group = m->w[H_GROUP] * WATCH_GROUP;
	switch ((enum op_watch)(k % WATCH_HOWS)) {
	case WATCH_IT: seen |= WATCH_SEEN; break;
	case WATCH_SPOIL: seen |= WATCH_SPOILT; break;
	case WATCH_FIRST: seen = before(seen, group, true); break;
	case WATCH_SECOND: seen = before(seen, group, false); break;
	case WATCH_HOWS: break;
	}
	/* written through the copies of a group: what happened on a copy has happened */
	world_raw(m, at, seen);
}
