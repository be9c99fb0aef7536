/* apart.c - what processor code calls (native.h): instructions that take more than a few steps, as
 * run.c does them in a silent run that keeps answers. */
#include <string.h>

#include "runtime/vm/inside.h"
#include "runtime/vm/quiet.h"
#include "runtime/vm/native.h"

#define APART(name) static bool name(struct vm *m, word *r, const struct insn *i)
#define A r[i->a]
#define B r[i->b]
#define C r[i->c]

static bool goes_on(const struct vm *m)
{
	return m->status == VM_PAUSED;
}

/* ---- happenings and groups ---- */

APART(enter)
{
	return event_enter(m, i->k, &A) && goes_on(m);
}

APART(step)
{
	const struct group *g = m->last;
	const word at = next_at(g, A, i->c);
	r[i->a + 1] = at < g->n ? g->member[at].act : NONE;
	A = at < g->n ? at : NONE;
	return true;
}

APART(asks_needs)
{
	A = needs(m, i->b, i->c != 0);
	return true;
}

APART(turns)
{
	(void)i;
	(void)m;
	A = 1;
	return true;
}

APART(begin)
{
	return group_begin(m, A, B != 0, i->c) && goes_on(m);
}

APART(only)
{
	(void)i;
	A = m->last->member[0].act;
	return true;
}

APART(only_begins)
{
	(void)r;
	return group_begin(m, 0, false, i->c) && goes_on(m);
}

APART(end)
{
	group_end(m, A, B != 0 && B != NONE);
	return goes_on(m);
}

APART(done)
{
	(void)r;
	(void)i;
	group_done(m);
	return goes_on(m);
}

APART(become_void)
{
	group_void(m, A, i->c, B);
	return goes_on(m);
}

APART(group)
{
	word size = 0;
	m->fuel -= 16;
	if (!group_choose(m, B, i->c != 0, &size))
		return false;
	A = size;
	return goes_on(m);
}

APART(merge)
{
	(void)r;
	(void)i;
	return group_merge(m, m->last) && goes_on(m);
}

/* Of a run that nobody looks at. */
APART(pause)
{
	(void)r;
	(void)i;
	if (m->w[H_LIST] == 0) {
		blocks_look(m, false, false);
		blocks_begun(m, -1);
		m->resolved = false;
	}
	return goes_on(m);
}

APART(next_round)
{
	A = round_begins(m);
	return goes_on(m);
}

APART(open)
{
	(void)r;
	return list_open(m, i->b) && goes_on(m);
}

APART(close)
{
	(void)r;
	(void)i;
	list_close(m);
	return goes_on(m);
}

APART(next_listed)
{
	A = act_listed(m, B, C);
	return true;
}

APART(next_sought)
{
	A = act_sought(m, r, B, C, i[1].k);
	return true;
}

APART(phase)
{
	(void)r;
	m->w[H_PHASE] = i->k;
	blocks_look(m, false, false);
	return goes_on(m);
}

APART(end_round)
{
	(void)r;
	(void)i;
	blocks_look(m, true, false);
	return goes_on(m);
}

APART(member)
{
	A = member_word(m, B, i->c);
	return true;
}

APART(keeps)
{
	const word *at = kept(m, i->b);
	A = at ? *at : NONE;
	return true;
}

/* ---- conditions ---- */

APART(next_woke)
{
	woke(m, i->k, true, &A);
	return true;
}

APART(has_turned)
{
	A = turned(m, B, C != 0, true);
	return true;
}

/* ---- acts ---- */

APART(make)
{
	const word act = world_act(m, i->k, NONE);
	if (act == NONE)
		return false;
	A = act;
	return goes_on(m);
}

APART(copy)
{
	const word from = B, act = from == NONE ? NONE : world_act(m, 0, from);
	if (act == NONE && from != NONE)
		return false;
	A = act;
	return goes_on(m);
}

APART(pend)
{
	if (A != NONE)
		world_pend(m, A);
	return goes_on(m);
}

APART(forget)
{
	if (i->b)
		acts_release(m, A);
	else if (A != NONE)
		world_free(m, A);
	return goes_on(m);
}

/* ---- fields ---- */

/* A field of an act, or one that says whose an act is. */
APART(set_field)
{
	const struct field_info *f = &m->p->field[i->c];
	const word *at = field(m, f, A);
	if (!at)
		return true;
	if (m->journaling)
		world_set(m, (uint32_t)(at - m->w), B, f->shared, i->c, f->type.base == VT_LIVE && f->type.kind == KIND_ACT);
	else
		write_field(m, &m->reach[i->c], A, B);
	return goes_on(m);
}

APART(add_field)
{
	const struct field_info *f = &m->p->field[i->c];
	const word *at = field(m, f, A);
	const bool bounded = i->op == OP_ADFB;
	word sum;
	/* as world_add does it, for a whole number that can be written at once */
	if (at && !bounded && !m->journaling && !f->type.frac && *at != NONE && B != NONE && !__builtin_add_overflow(*at, B, &sum) && sum != NONE) {
		write_field(m, &m->reach[i->c], A, sum);
		return goes_on(m);
	}
	return (!at || world_add(m, (uint32_t)(at - m->w), B, bounded ? r[i->b + 1] : NONE, bounded ? r[i->b + 2] : NONE, f->type.frac, f->shared, i->c)) && goes_on(m);
}

APART(load_pair)
{
	const struct pair_info *f = &m->p->pair[i->c];
	const word *at = cell(m, f, B, r[i->b + 1]);
	if (at && !f->fixed)
		memo_read_cell(&m->memo, i->c, (uint32_t)(at - m->w), B, r[i->b + 1]);
	A = at ? *at : NONE;
	return true;
}

APART(set_pair)
{
	const struct pair_info *f = &m->p->pair[i->c];
	word *at = cell(m, f, A, r[i->a + 1]);
	if (at && !m->journaling) {
		if (*at != B) {
			*at = B;
			memo_wrote(&m->memo, (uint32_t)(at - m->w));
		}
		m->w[H_DIRTY] |= (word)f->touches;
	} else if (at) {
		world_set(m, (uint32_t)(at - m->w), B, f->shared, i->c + 1000000, false);
	}
	return goes_on(m);
}

APART(is)
{
	A = is_a(m->p, B, C);
	return true;
}

APART(has_listed)
{
	const struct field_info *f = &m->p->field[i->c];
	const word *at = field(m, f, B);
	if (at)
		read_words(m, i->c, at, 1 + at[0]);
	A = at ? list_has(m->p, f->type, at + 1, at[0], r[i->b + 1]) : 0;
	return true;
}

APART(next_quiet)
{
	A = quiet_next(m, i->c, A, B);
	return true;
}

APART(once_more)
{
	quiet_again(m, i->c, A, B);
	return true;
}

/* ---- sets ---- */

APART(next_of)
{
	A = set_next(&B, m->p->set_words, A);
	return true;
}

APART(nth)
{
	A = set_nth(&B, m->p->set_words, C);
	return true;
}

APART(count)
{
	word n = 0;
	for (int k = 0; k < m->p->set_words; k++)
		n += __builtin_popcountll((uint64_t)r[i->b + k]);
	A = n;
	return true;
}

APART(has)
{
	const word one = C;
	A = one >= 0 && one < m->p->set_words * 64 && ((uint64_t)r[i->b + one / 64] >> one % 64 & 1);
	return true;
}

APART(sift)
{
	const int32_t of = m->memo.of[i[1].k];
	if (of >= 0) {
		memo_sift(&m->memo, of, &B, &A, &C);
		return true;
	}
	memmove(&C, &B, sizeof(word) * (size_t)m->p->set_words);
	memset(&A, 0, sizeof(word) * (size_t)m->p->set_words);
	return true;
}

APART(all_but_last)
{
	m->fuel -= 4 * fill(m, r, i);
	return true;
}

APART(to_all)
{
	store_all(m, r, i, true);
	return true;
}

APART(to_all_unasked)
{
	store_all(m, r, i, false);
	return true;
}

/* ---- chance ---- */

APART(roll)
{
	word out = 0;
	if (B < 0 || B >= m->p->dices) {
		A = NONE;
		return true;
	}
	if (!chance_roll(m, i[1].k, C, (int32_t)B, NONE, &out))
		return false;
	A = out;
	return goes_on(m);
}

APART(happens)
{
	word out = 0;
	if (B != NONE && !chance_roll(m, i[1].k, C, -1, B, &out))
		return false;
	A = out;
	return goes_on(m);
}

native_apart *native_fill(void)
{
	return all_but_last;
}

APART(place)
{
	(void)r;
	(void)i;
	return pending_place_moved(m);
}

native_apart *native_place(void)
{
	return place;
}

native_apart *native_store_all(bool asked)
{
	return asked ? to_all : to_all_unasked;
}

native_apart *native_apart_of(enum op op)
{
	switch (op) {
	case OP_ENTER: return enter;
	case OP_STEP: return step;
	case OP_NEEDS: return asks_needs;
	case OP_TURNS: return turns;
	case OP_BEGIN: return begin;
	case OP_ONLY: return only;
	case OP_BEGINS: return only_begins;
	case OP_END: return end;
	case OP_DONE: return done;
	case OP_VOID: return become_void;
	case OP_GROUP: return group;
	case OP_MERGE: return merge;
	case OP_PAUSE: return pause;
	case OP_PHASE: return phase;
	case OP_ROUNDS: return next_round;
	case OP_OPEN: return open;
	case OP_CLOSE: return close;
	case OP_LISTED: return next_listed;
	case OP_SOUGHT: return next_sought;
	case OP_ENDROUND: return end_round;
	case OP_MEMBER: return member;
	case OP_KEPT: return keeps;
	case OP_WOKE: return next_woke;
	case OP_TURNED: return has_turned;
	case OP_ACT: return make;
	case OP_COPY: return copy;
	case OP_PEND: return pend;
	case OP_FREE: return forget;
	case OP_STF: return set_field;
	case OP_ADF: case OP_ADFB: return add_field;
	case OP_LDP: return load_pair;
	case OP_STP: return set_pair;
	case OP_ISA: return is;
	case OP_HASL: return has_listed;
	case OP_SNEXT: return next_of;
	case OP_SNTH: return nth;
	case OP_SCOUNT: return count;
	case OP_SHAS: return has;
	case OP_SKNOWN: return sift;
	case OP_QNEXT: return next_quiet;
	case OP_AGAIN: return once_more;
	case OP_ROLL: return roll;
	case OP_CHANCE: return happens;
	default:
		return native_words_of(op);
	}
}

/* ---- calls, words ---- */

/* For a call. Where there is not enough the loop finds that out. */
static bool takes_fuel(struct vm *m)
{
	if (m->fuel < 8)
		return false;
	m->fuel -= 8;
	return true;
}

int native_known(struct vm *m, word *window, int32_t fn)
{
	const struct fn_info *f = &m->p->fn[fn];
	const int32_t of = m->memo.of[fn];
	if (of < 0) {
		if (fn != m->pending.once.fn || window[2] != m->pending.once.act || m->memo.depth != 1)
			return takes_fuel(m) ? 0 : -1;
		window[0] = m->pending.once.time; /* what it rests on was noted for the same place */
		return 1;
	}
	const word *known = f->arguments == 1 && f->results == 1 ? memo_find_one(&m->memo, of, window[2]) : memo_find(&m->memo, of, window + 2);
	if (known) {
		for (int k = 0; k < f->results; k++)
			window[k] = known[k];
		return 1;
	}
	if (!takes_fuel(m))
		return -1;
	if (m->memo.depth < MEMO_DEEP)
		memo_begin(&m->memo, of, window + 2, (uint32_t)(window + 2 - m->w));
	return 0;
}

bool native_too_deep(struct vm *m, int32_t fn)
{
	return vm_fail(m, VM_LIMIT, M_CALLS_DEEP, 1, m->p->fn[fn].name);
}

void native_answered(struct vm *m, word *r)
{
	if (m->memo.frame[m->memo.depth - 1].fp == (uint32_t)(r - m->w))
		memo_end(&m->memo, r - 2);
}

void native_owned(struct vm *m, const word *r, int32_t fn)
{
	memo_rests_own(&m->memo, m->memo.of[fn], r[0]);
}

int64_t native_call_act(struct vm *m, word *r, const struct insn *i)
{
	const struct program *p = m->p;
	word *window = &A;
	const struct event_info *e = &p->event[B];
	const int32_t fn = e->stage_fn[i->c];
	const uint32_t to = (uint32_t)(window + 2 - m->w);
	const word judged = window[2];
	act_arguments(m, e, judged, window + 2);
	if (i->c == AT_STAGES)
		window[2 + e->words] = judged;
	const int known = m->memo.of[fn] >= 0 ? native_known(m, window, fn) : takes_fuel(m) ? 0 : -1;
	if (known > 0)
		return -1;
	if (known < 0)
		return vm_fail(m, VM_LIMIT, M_FUEL, 0) - 2;
	if (to + p->fn[fn].registers + 2 > p->layout.stack + p->layout.stack_words)
		return native_too_deep(m, fn) - 2;
	window[0] = i + 1 - p->code;
	window[1] = (word)((uint64_t)(r - m->w) << 32 | (uint32_t)m->w[H_FN]);
	m->w[H_FP] = to;
	m->w[H_FN] = fn;
	return p->fn[fn].entry;
}

word native_read(struct vm *m, word index, uint32_t base)
{
	memo_read(&m->memo, base + (uint32_t)index);
	return index;
}

void native_read_cell(struct vm *m, word one, word other, uint32_t field_)
{
	cells_note(&m->memo, (int)field_, (uint32_t)(cell(m, &m->p->pair[field_], one, other) - m->w),
		one, other);
}

word native_wrote(struct vm *m, word index, uint32_t base)
{
	memo_wrote(&m->memo, base + (uint32_t)index);
	return index;
}

void native_led(struct vm *m, uint32_t entry)
{
	memo_void_led(&m->memo, entry);
}

void native_rests(struct vm *m, uint32_t entry)
{
	memo_rests(&m->memo, entry);
}
