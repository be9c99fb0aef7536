/* lists.c - lists of acts are opened, gone through and closed.
 *
 * Serial numbers only grow, so whoever is pended stands behind all others of the list. Beside
 * the block they stand in that order; who is
 * no longer pending stays there until the next look at all of them, and is passed over. A step
 * to the next is one look. */
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/inside.h"

static bool is_listed(const struct vm *m, int32_t act)
{
	const word *row = m->w + act_at(m, act);
	return row[ACT_STATE] == ACT_PENDING && row[ACT_LIST] == m->w[H_LIST];
}

bool list_seen(struct vm *m, int32_t *act)
{
	struct acts *a = &m->acts;
	const struct memo *x = &m->memo;
	if (!a->known || a->seen.list != m->w[H_LIST])
		return false;
	if (a->seen.act >= 0 && !is_listed(m, a->seen.act))
		a->seen.act = -1;
	if (a->seen.serial != m->w[H_SERIAL]) {
		/* one was pended since, who moved last if anybody notes that */
		if (a->seen.serial + 1 != m->w[H_SERIAL] || a->seen.act >= 0 ||
			m->pending.list < 0 || x->moves == 0)
			return false;
		const int32_t last = x->moved[x->moves - 1];
		if (m->w[act_at(m, last) + ACT_SERIAL] != a->seen.serial || !is_listed(m, last))
			return false;
		list_see(m, last);
	}
	*act = a->seen.act;
	return true;
}

/* ---- in the order in which they were pended ---- */

static int by_serial(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;
	return (x->serial > y->serial) - (x->serial < y->serial);
}

static inline void put(struct vm *m, struct listing *l, int32_t act, word serial)
{
	l->of[m->w[act_at(m, act) + ACT_EVENT]]++;
	l->at[act] = l->n;
	l->v[l->n++] = (struct listed){serial, act};
}

/* Goes through the rows in use. */
static void list_all(struct vm *m, struct listing *l)
{
	const struct acts *a = &m->acts;
	bool sorted = true;
	l->n = l->from = 0;
	memset(l->of, 0, (size_t)m->p->events * sizeof *l->of);
	for (uint32_t i = 0; i < a->words; i++)
		for (uint64_t used = acts_used(m, i); used; used &= used - 1) {
			const int32_t act = (int32_t)i * 64 + __builtin_ctzll(used);
			if (!is_listed(m, act))
				continue;
			const word serial = m->w[act_at(m, act) + ACT_SERIAL];
			sorted = sorted && (l->n == 0 || l->v[l->n - 1].serial < serial);
			put(m, l, act, serial);
		}
	if (sorted)
		return;
	qsort(l->v, (size_t)l->n, sizeof *l->v, by_serial);
	for (int32_t i = 0; i < l->n; i++)
		l->at[l->v[i].act] = i;
}

/* Those pended since are the last that moved, mostly: then they go behind the others. */
static bool list_last(struct vm *m, struct listing *l)
{
	const struct memo *x = &m->memo;
	const word more = m->w[H_SERIAL] - l->serial;
	if (more < 0 || more > x->moves || l->n + more > l->room)
		return false;
	const int32_t *moved = x->moved + (x->moves - more);
	for (word i = 0; i < more; i++)
		if (m->w[act_at(m, moved[i]) + ACT_SERIAL] != l->serial + i ||
			!is_listed(m, moved[i]))
			return false;
	for (word i = 0; i < more; i++)
		put(m, l, moved[i], l->serial + i);
	return true;
}

/* The list at hand. */
static struct listing *listing(struct vm *m)
{
	struct listing *l = &m->acts.listing;
	acts_look(m);
	if (l->list == m->w[H_LIST] && l->serial == m->w[H_SERIAL])
		return l;
	if (l->list != m->w[H_LIST] || !list_last(m, l))
		list_all(m, l);
	l->list = m->w[H_LIST];
	l->serial = m->w[H_SERIAL];
	return l;
}

static inline bool is_still(const struct vm *m, const struct listed *of)
{
	return m->w[act_at(m, of->act) + ACT_SERIAL] == of->serial && is_listed(m, of->act);
}

/* The first behind that serial number. */
static int32_t behind(const struct listing *l, word serial)
{
	int32_t low = l->from, high = l->n;
	while (low < high) {
		const int32_t middle = (low + high) / 2;
		if (l->v[middle].serial <= serial)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first from number i on who is still pending, before that serial number. */
static inline word first_from(const struct vm *m, const struct listing *l, int32_t i, word limit)
{
	for (; i < l->n && l->v[i].serial < limit; i++)
		if (is_still(m, &l->v[i]))
			return l->v[i].act;
	return NONE;
}

/* Where an act stands, if it does; -1. */
static inline int32_t place_of(const struct listing *l, word act, word serial)
{
	const int32_t i = l->at[act];
	return i < l->n && l->v[i].act == act && l->v[i].serial == serial ? i : -1;
}

__attribute__((noinline)) static word look_for(struct vm *m, word after, word serial, word limit)
{
	int32_t only;
	if (list_seen(m, &only)) {
		const word s = only >= 0 ? m->w[act_at(m, only) + ACT_SERIAL] : NONE;
		return s > serial && s < limit ? only : NONE;
	}
	struct listing *l = listing(m);
	if (after == NONE)
		while (l->from < l->n && !is_still(m, &l->v[l->from]))
			l->from++;
	const int32_t at = after == NONE ? l->from - 1 : place_of(l, after, serial);
	return first_from(m, l, at >= 0 || after == NONE ? at + 1 : behind(l, serial), limit);
}

static word listed(struct vm *m, word after, word limit)
{
	const struct listing *l = &m->acts.listing;
	if (limit == NONE)
		limit = INT64_MAX;
	/* an act that was taken off meanwhile: go on behind where it stood */
	const word serial = after == NONE ? -1 : m->w[act_at(m, after) + ACT_SERIAL];
	if (after != NONE && m->acts.known && l->list == m->w[H_LIST] &&
		l->serial == m->w[H_SERIAL]) {
		const int32_t at = place_of(l, after, serial);
		if (at >= 0)
			return first_from(m, l, at + 1, limit);
	}
	return look_for(m, after, serial, limit);
}

word act_listed(struct vm *m, word after, word limit)
{
	m->pending.stepped = true;
	return listed(m, after, limit);
}

/* ---- some of them ---- */

enum { TESTS_MOST = 8 };

/* What a test goes by: where the word stands in an act's row, and what it is to be. */
struct sought { uint32_t word; word is; };

static int look_up(struct vm *m, const word *r, const struct act_filter *f, struct sought *s)
{
	for (int k = 0; k < f->count; k++) {
		const struct act_test *t = &m->p->act_test[f->first + k];
		s[k].word = t->field < 0 ? m->p->layout.acts + ACT_EVENT : m->reach[t->field].base;
		s[k].is = t->number;
		if (t->reg >= 0)
			s[k].is = r[t->reg];
		if (t->of >= 0) {
			const word *at = field(m, &m->p->field[t->of], r[t->reg]);
			s[k].is = at ? *at : NONE;
		}
	}
	return f->count;
}

static inline bool is_sought(const struct vm *m, const struct sought *s, int n, word act)
{
	const word *row = m->w + (uint64_t)act * m->p->layout.act_stride;
	for (int k = 0; k < n; k++)
		if (row[s[k].word] == s[k].is)
			return true;
	return false;
}

/* Are only events sought of which there is none? */
static bool is_vain(const struct vm *m, const struct act_filter *f)
{
	const struct listing *l = &m->acts.listing;
	if (!m->acts.known || l->list != m->w[H_LIST] || l->serial != m->w[H_SERIAL])
		return false;
	for (int k = 0; k < f->count; k++) {
		const struct act_test *t = &m->p->act_test[f->first + k];
		if (t->field >= 0 || t->reg >= 0 ||
			(t->number >= 0 && t->number < m->p->events && l->of[t->number] > 0))
			return false;
	}
	return true;
}

/* Are events all that is sought? */
static bool is_by_event(const struct vm *m, const struct act_filter *f)
{
	for (int k = 0; k < f->count; k++) {
		const struct act_test *t = &m->p->act_test[f->first + k];
		if (t->field >= 0 || t->reg >= 0)
			return false;
	}
	return true;
}

static word find_sought(
	struct vm *m, const word *r, word after, word limit, const struct act_filter *f)
{
	const struct listing *l = &m->acts.listing;
	struct sought s[TESTS_MOST];
	if (after == NONE && is_vain(m, f))
		return NONE;
	word act = listed(m, after, limit);
	if (act == NONE)
		return act;
	const int n = look_up(m, r, f, s);
	while (act != NONE && !is_sought(m, s, n, act)) {
		const int32_t at =
			m->acts.known && l->list == m->w[H_LIST] && l->serial == m->w[H_SERIAL]
			? place_of(l, act, m->w[act_at(m, act) + ACT_SERIAL])
			: -1;
		if (at < 0) {
			act = listed(m, act, limit);
			continue;
		}
		const word end = limit == NONE ? INT64_MAX : limit;
		int32_t i = at + 1;
		while (i < l->n && l->v[i].serial < end &&
			!(is_sought(m, s, n, l->v[i].act) && is_still(m, &l->v[i])))
			i++;
		return i < l->n && l->v[i].serial < end ? l->v[i].act : NONE;
	}
	return act;
}

word act_sought(struct vm *m, const word *r, word after, word limit, int32_t filter)
{
	const struct act_filter *f = &m->p->filter[filter];
	if (!vm_remembers(m) || f->count > TESTS_MOST)
		return act_listed(m, after, limit);
	const word act = find_sought(m, r, after, limit, f);
	if (m->pending.looking && is_by_event(m, f))
		pending_counts(m, f, act);
	else
		m->pending.stepped = true;
	return act;
}

/* ---- opened and closed ---- */

bool list_open(struct vm *m, int order)
{
	if (m->w[H_LIST] + 1 >= (word)m->p->layout.list_depth)
		return vm_fail(m, VM_LIMIT, M_EVENTS_DEEP, 1, "a list of acts");
	m->w[H_LIST]++;
	m->w[m->p->layout.lists + m->w[H_LIST]] = order;
	pending_here(&m->pending, m->w[H_LIST]);
	if (m->acts.known)
		list_see(m, -1);
	return true;
}

static void drop(struct vm *m, int32_t act)
{
	if (m->p->observed && !m->quiet)
		ends_pended(m, act, LEFT_LIST);
	world_cancel(m, act);
}

void list_close(struct vm *m)
{
	int32_t only, acts = (int32_t)m->w[H_ACTS];
	if (list_seen(m, &only)) {
		if (only >= 0)
			drop(m, only);
	} else {
		for (int32_t i = 0; i < acts; i++)
			if (is_listed(m, i))
				drop(m, i);
	}
	m->w[H_LIST]--;
	pending_here(&m->pending, m->w[H_LIST]);
}
