/* fork.c - the machine as words, and back.
 *
 *   header, frames (registers that nothing reads are 0), happenings, the world as bits and
 *   the words that differ from the start, groups with their members and effects, journal
 *
 * Serial numbers and the group counter only matter by their order: between rounds, with no
 * act pending, they begin again. */
#include "runtime/vm/fork.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/vm/live.h"
#include "runtime/vm/machine.h"

void vm_enumerate(struct vm *m, const struct live *live)
{
	m->enumerate = true;
	vm_forget_answers(m);
	m->live = live;
	m->answered = false;
	m->w[H_SEED] = m->w[H_TRIAL] = 0;
}

struct fork_die vm_die(const struct vm *m)
{
	return m->die;
}

void vm_answer(struct vm *m, word value)
{
	m->answer = value;
	m->answered = true;
	m->taint.face = value;
	taint_alone(&m->taint);
}

void vm_range(const struct vm *m, word *low, word *high)
{
	*low = m->taint.low;
	*high = m->taint.high;
}

enum vm_status vm_go(struct vm *m)
{
	if (m->w[H_STAGE] == WORLD_OVER)
		return VM_OVER;
	if (m->status != VM_PAUSED)
		return m->status;
	m->w[H_STAGE] = WORLD_PLAYING;
	m->resolved = false;
	enum vm_status s = vm_loop(m, 0);
	if (s == VM_FORK || s == VM_SYNC || s == VM_PAUSED)
		taint_settle(m);
	else if (s != VM_OVER)
		taint_alone(&m->taint);
	m->taint.n = 0;
	if (s == VM_OVER)
		m->w[H_STAGE] = WORLD_OVER;
	else if (s != VM_PAUSED && s != VM_FORK && s != VM_SYNC)
		m->status = s;
	return s == VM_PAUSED ? VM_SYNC : s;
}

/* ---- writing ---- */

static void put(struct saved *s, word w)
{
	VEC_PUSH(*s, w);
}

static void put_all(struct saved *s, const word *w, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		VEC_PUSH(*s, w[i]);
}

static word acts_in_use(const struct vm *m)
{
	word n = m->w[H_ACTS];
	while (n > 0 && m->w[act_at(m, n - 1) + ACT_STATE] == ACT_FREE)
		n--;
	return n;
}

static bool between_rounds(const struct vm *m)
{
	if (m->groups || m->journaling || m->w[H_LIST])
		return false;
	for (uint32_t i = 0; i < (uint32_t)m->w[H_ACTS]; i++)
		if (m->w[act_at(m, i) + ACT_STATE] == ACT_PENDING)
			return false;
	return true;
}

static void put_header(const struct vm *m, bool round_begins, struct saved *s)
{
	bool begin_again = round_begins && between_rounds(m);
	for (int i = H_PC; i < H_WORDS; i++) {
		word w = m->w[i];
		if (i == H_TRACE || (begin_again && (i == H_SERIAL || i == H_GROUP)))
			w = 0;
		put(s, i == H_ACTS ? acts_in_use(m) : w);
	}
}

/* Frames from the innermost out: the registers each still reads. */
static void put_frames(const struct vm *m, struct saved *s)
{
	const struct program *p = m->p;
	uint32_t fp = (uint32_t)m->w[H_FP], above = UINT32_MAX;
	int32_t fn = (int32_t)m->w[H_FN];
	word pc = m->w[H_PC];
	for (;;) {
		uint32_t n = p->fn[fn].registers;
		if (above - fp < n)
			n = above - fp; /* the rest is the callee's frame */
		put(s, (word)n);
		for (uint32_t r = 0; r < n; r++)
			put(s, live_at(m->live, pc, (int)r) ? m->w[fp + r] : 0);
		word back = m->w[fp - 2], packed = m->w[fp - 1];
		put(s, back);
		put(s, packed);
		if (back < 0)
			break;
		above = fp - 2;
		pc = back;
		fp = (uint32_t)((uint64_t)packed >> 32);
		fn = (int32_t)(uint32_t)packed;
	}
}

/* The words that differ from the start, behind bits that say which. */
static void put_region(const struct vm *m, uint32_t from, uint32_t to, struct saved *s)
{
	const word *w = m->w, *start = m->p->start;
	for (uint32_t at = from; at < to; at += 64) {
		uint64_t bits = 0;
		uint32_t end = to - at < 64 ? to : at + 64;
		int place = s->n;
		put(s, 0);
		for (uint32_t i = at; i < end; i++)
			if (w[i] != start[i]) {
				bits |= 1ull << (i - at);
				put(s, w[i]);
			}
		s->v[place] = (word)bits;
	}
}

static void put_effect(const struct effect *e, struct saved *s)
{
	put(s, (word)((uint64_t)e->op | (uint64_t)e->shared << 8 | (uint64_t)e->frac << 9 | (uint64_t)e->is_act << 10 | (uint64_t)e->at << 32));
	put(s, e->what);
	put(s, e->clause);
	put(s, e->value);
	put(s, e->least);
	put(s, e->most);
}

static void put_groups(const struct vm *m, struct saved *s)
{
	put(s, m->groups);
	for (int i = 0; i < m->groups; i++) {
		const struct group *g = &m->group[i];
		put(s, g->n);
		put(s, g->copies | g->solo << 1 | g->branches << 2);
		put(s, g->mark);
		put(s, g->happening);
		put(s, g->happenings);
		put(s, g->act);
		put(s, g->now);
		for (int k = 0; k < g->n; k++) {
			const struct member *mb = &g->member[k];
			put(s, mb->act);
			put(s, mb->happening);
			put(s, mb->stopped | mb->is_void << 1 | mb->replaced << 2);
			put(s, mb->effects);
			put(s, mb->effects_end);
		}
		put(s, g->effects.n);
		for (int k = 0; k < g->effects.n; k++)
			put_effect(&g->effects.v[k], s);
	}
	put(s, m->journal.n);
	for (int k = 0; k < m->journal.n; k++)
		put_effect(&m->journal.v[k], s);
	put(s, m->journaling);
	put(s, m->tries);
	for (int k = 0; k < m->tries; k++) {
		put(s, m->try_[k].mark);
		put(s, m->try_[k].clause);
	}
	put(s, m->handed_mask);
	for (int k = 0; k < 16 && m->handed_mask; k++)
		put(s, m->handed_mask >> k & 1 ? m->handed[k] : 0);
	put(s, m->resolved);
}

void vm_save(const struct vm *m, bool round_begins, struct saved *out)
{
	const struct layout *l = &m->p->layout;
	out->n = 0;
	put_header(m, round_begins, out);
	put_frames(m, out);
	put_all(out, m->w + l->happenings, (uint32_t)m->w[H_HAPPENINGS]);
	put_region(m, l->lists, l->labels, out);
	put_region(m, l->forced, l->acts + (uint32_t)acts_in_use(m) * l->act_stride, out);
	put_groups(m, out);
}

static int region_places(uint32_t from, uint32_t to, const struct saved *s, int k, uint32_t *at)
{
	for (uint32_t i = from; i < to; i += 64) {
		at[k] = NO_PLACE;
		for (uint64_t bits = (uint64_t)s->v[k++]; bits; bits &= bits - 1)
			at[k++] = i + (uint32_t)__builtin_ctzll(bits);
	}
	return k;
}

void vm_save_places(const struct vm *m, const struct saved *from, uint32_t *at)
{
	const struct layout *l = &m->p->layout;
	int k = 0;
	for (uint32_t i = H_PC; i < H_WORDS; i++)
		at[k++] = i;
	for (bool more = true; more;) {
		at[k] = NO_PLACE;
		k += (int)from->v[k] + 1;
		more = from->v[k] >= 0;
		at[k++] = NO_PLACE;
		at[k++] = NO_PLACE;
	}
	k += (int)m->w[H_HAPPENINGS];
	k = region_places(l->lists, l->labels, from, k, at);
	region_places(l->forced, l->acts + (uint32_t)acts_in_use(m) * l->act_stride, from, k, at);
}

/* ---- reading ---- */

struct reader { const word *v; };

static word get(struct reader *r)
{
	return *r->v++;
}

static void get_frames(struct vm *m, struct reader *r)
{
	uint32_t fp = (uint32_t)m->w[H_FP];
	for (;;) {
		uint32_t n = (uint32_t)get(r);
		for (uint32_t k = 0; k < n; k++)
			m->w[fp + k] = get(r);
		word back = get(r), packed = get(r);
		m->w[fp - 2] = back;
		m->w[fp - 1] = packed;
		if (back < 0)
			break;
		fp = (uint32_t)((uint64_t)packed >> 32);
	}
}

static void get_region(struct vm *m, uint32_t from, uint32_t to, struct reader *r)
{
	memcpy(m->w + from, m->p->start + from, (to - from) * sizeof(word));
	for (uint32_t at = from; at < to; at += 64)
		for (uint64_t bits = (uint64_t)get(r); bits; bits &= bits - 1)
			m->w[at + (uint32_t)__builtin_ctzll(bits)] = get(r);
}

static struct effect get_effect(struct reader *r)
{
	struct effect e;
	memset(&e, 0, sizeof e);
	uint64_t packed = (uint64_t)get(r);
	e.op = (uint8_t)packed;
	e.shared = packed >> 8 & 1;
	e.frac = packed >> 9 & 1;
	e.is_act = packed >> 10 & 1;
	e.at = (uint32_t)(packed >> 32);
	e.what = (int32_t)get(r);
	e.clause = (int32_t)get(r);
	e.value = get(r);
	e.least = get(r);
	e.most = get(r);
	return e;
}

static void get_groups(struct vm *m, struct reader *r)
{
	groups_are(m, (int)get(r));
	for (int i = 0; i < m->groups; i++) {
		struct group *g = &m->group[i];
		g->n = (int)get(r);
		word flags = get(r);
		g->copies = flags & 1;
		g->solo = flags >> 1 & 1;
		g->branches = flags >> 2 & 1;
		g->mark = (int)get(r);
		g->happening = (uint32_t)get(r);
		g->happenings = (uint32_t)get(r);
		g->act = get(r);
		g->now = get(r);
		struct member *members = realloc(g->member, sizeof *members * (size_t)(g->n ? g->n : 1));
		if (!members)
			abort();
		g->member = members;
		g->room = g->n ? g->n : 1;
		g->apart = false;
		g->judged = 0;
		g->stages = 0;
		for (int k = 0; k < g->n; k++) {
			struct member *mb = &g->member[k];
			memset(mb, 0, sizeof *mb);
			mb->act = (int32_t)get(r);
			mb->record = -1;
			mb->happening = (uint32_t)get(r);
			word how = get(r);
			mb->stopped = how & 1;
			mb->is_void = how >> 1 & 1;
			mb->replaced = how >> 2 & 1;
			mb->effects = (int)get(r);
			mb->effects_end = (int)get(r);
			if (!g->branches)
				g->stages |= mb->stages = m->stages[m->w[act_at(m, mb->act) + ACT_EVENT]];
		}
		int n = (int)get(r);
		g->effects.n = 0;
		for (int k = 0; k < n; k++)
			VEC_PUSH(g->effects, get_effect(r));
	}
	int n = (int)get(r);
	m->journal.n = 0;
	for (int k = 0; k < n; k++)
		VEC_PUSH(m->journal, get_effect(r));
	m->journaling = (int)get(r);
	m->since = NO_COPY;
	m->tries = (int)get(r);
	for (int k = 0; k < m->tries; k++) {
		m->try_[k].mark = (int)get(r);
		m->try_[k].clause = get(r);
		m->try_[k].record = 0;
	}
	m->handed_mask = (uint32_t)get(r);
	for (int k = 0; k < 16 && m->handed_mask; k++)
		m->handed[k] = get(r);
	m->resolved = get(r) != 0;
}

void vm_load(struct vm *m, const struct saved *from)
{
	const struct layout *l = &m->p->layout;
	struct reader r = {from->v};
	word acts = m->w[H_ACTS];
	for (int i = H_PC; i < H_WORDS; i++)
		m->w[i] = get(&r);
	get_frames(m, &r);
	for (uint32_t i = 0; i < (uint32_t)m->w[H_HAPPENINGS]; i++)
		m->w[l->happenings + i] = get(&r);
	get_region(m, l->lists, l->labels, &r);
	get_region(m, l->forced, l->acts + (uint32_t)m->w[H_ACTS] * l->act_stride, &r);
	if (acts > m->w[H_ACTS])
		memcpy(m->w + act_at(m, m->w[H_ACTS]), m->p->start + act_at(m, m->w[H_ACTS]), (size_t)(acts - m->w[H_ACTS]) * l->act_stride * sizeof(word));
	get_groups(m, &r);
	m->acts.known = m->played = false;
	m->status = VM_PAUSED;
	m->answered = false;
	m->taint.n = 0;
	m->clause = m->order_clause = -1;
	m->question = -1;
	m->passed_over = 0;
	m->fuel = m->host.fuel ? m->host.fuel : 400000000;
}
