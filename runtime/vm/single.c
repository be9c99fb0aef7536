/* single.c - groups of one act, as most are: begun and ended without what several of them take. Each comes to what
 * group.c comes to, which does whatever is out of the ordinary. */
#include "runtime/vm/machine.h"

/* Is somebody level with the first, whom the order has at `from`? */
static inline bool level(const struct pending *q, const struct order_info *o, const struct pending_act *first)
{
	if (q->from + 1 == q->n)
		return false;
	const struct pending_act *second = &q->act[q->order[q->from + 1]];
	for (int k = 0; k < o->keys; k++)
		if (first->came[1 + k] != second->came[1 + k])
			return o->frac[k];
	return true;
}

bool single_begins(struct vm *m, word until)
{
	struct pending *const q = &m->pending;
	struct memo *const x = &m->memo;
	word *const w = m->w;
	/* the order of the main list, if nothing in it has moved; nothing to be told, or taken back */
	if (x->moves | x->order_stale | q->list | w[H_LIST] | q->by | !q->plain | (q->cleared ^ x->cleared) || q->from == q->n)
		return false;
	if (m->tries | m->groups || q->asked + 1 >= PENDING_LOOKED_AT)
		return false;
	const struct layout *const l = &m->p->layout;
	const int32_t act = q->order[q->from];
	struct pending_act *const first = &q->act[act];
	word *const row = w + act_at(m, act), time = first->came[0], event = row[ACT_EVENT];
	const word used = w[H_HAPPENINGS];
	struct group *const g = m->group;
	if (time == NONE || (until != NONE && time > until) || level(q, m->p->order, first))
		return false;
	if (m->stages[event] & EVENT_APART || used + HAP_SLOTS > l->happening_words || g->room < 1)
		return false;
	q->asked++;
	q->from++;
	first->listed = false;
	row[ACT_STATE] = ACT_PERFORMING;
	memo_wrote(x, (uint32_t)(row - w) + ACT_STATE);
	m->groups = 1;
	g->n = 1;
	g->copies = g->solo = g->branches = g->apart = false;
	g->judged = g->mark = 0;
	g->current = -1;
	g->happening = (uint32_t)w[H_HAPPENING];
	g->happenings = (uint32_t)used;
	g->act = w[H_ACT];
	g->now = w[H_NOW];
	g->effects.n = 0;
	g->stages = m->stages[event];
	w[H_GROUP]++;
	memo_wrote(x, H_GROUP);
	header_set(m, H_NOW, time);
	const uint32_t at = l->happenings + (uint32_t)used;
	*g->member = (struct member){.act = act, .record = -1, .happening = at, .stages = g->stages};
	w[at + HAP_PARENT] = w[H_HAPPENING];
	w[at + HAP_EVENT] = event;
	w[at + HAP_ACT] = act;
	w[at + HAP_RECORD] = w[at + HAP_CLAUSE] = -1;
	w[at + HAP_STAGE] = 0;
	w[at + HAP_OWNER] = NONE;
	m->handed_mask = 0;
	w[H_HAPPENINGS] = used + HAP_SLOTS;
	return true;
}

bool single_ends(struct vm *m)
{
	struct group *const g = m->group;
	word *const w = m->w;
	if (m->groups != 1 || g->n != 1 || g->solo || g->branches || w[H_LIST] != 0)
		return false;
	const struct member *const mb = g->member;
	if (mb->record >= 0)
		return false;
	m->groups = 0;
	if (w[act_at(m, mb->act) + ACT_STATE] == ACT_PERFORMING)
		act_wipe(m, mb->act);
	w[H_HAPPENING] = g->happening;
	w[H_HAPPENINGS] = g->happenings;
	header_set(m, H_ACT, g->act);
	m->resolved = true;
	return true;
}
