/* merge.c - what becomes of the changes that the members of a group made on copies: the meanings
 * that the journal kept (journal.c) are put together and replayed onto the world. Two that set one
 * word differently need a ruling, unless a clause of one beats the other's or the field says which
 * value counts. */
#include <string.h>

#include "runtime/base/must.h"
#include "runtime/code/show.h"
#include "runtime/vm/machine.h"

struct cell {
	uint32_t at;
	bool set, added, frac, is_act;
	int32_t what, clause;
	int setter;
	word value, sum, least, most;
	word rank; /* of a settled field: what was set with it in the field that it goes by */
	bool ranked;              /* something was */
	word bare_low, bare_high; /* the least change that said no `at least`, the most that said no `at
								 most`; NONE: all said one */
};

struct merge {
	struct vm *m;
	struct group *g;
	VEC(struct cell) cells;
	VEC(struct effect) keys;   /* firings already kept, with the member in `clause` */
	VEC(struct renamed) map; /* acts made by the member at hand */
};

static struct cell *cell_of(struct merge *x, uint32_t at)
{
	for (int i = 0; i < x->cells.n; i++)
		if (x->cells.v[i].at == at)
			return &x->cells.v[i];
	struct cell c = {0};
	c.at = at;
	c.setter = -1;
	c.clause = -1;
	c.least = c.most = c.bare_low = c.bare_high = NONE;
	VEC_PUSH(x->cells, c);
	return &x->cells.v[x->cells.n - 1];
}

/* The less of two, or the more; what is NONE does not count. */
static word less_of(struct vm *m, bool frac, word a, word b)
{
	return a == NONE ? b : b == NONE ? a : world_clamp(m, a, NONE, b, frac);
}

static word more_of(struct vm *m, bool frac, word a, word b)
{
	return a == NONE ? b : b == NONE ? a : world_clamp(m, a, b, NONE, frac);
}

/* How far a change that is one of several may go: as far as whoever may go farthest, in whatever
 * order they are put together. */
static void bound(struct vm *m, struct cell *c, bool frac, const struct cell *by)
{
	c->least = less_of(m, frac, c->least, by->least);
	c->most = more_of(m, frac, c->most, by->most);
	c->bare_low = less_of(m, frac, c->bare_low, by->bare_low);
	c->bare_high = more_of(m, frac, c->bare_high, by->bare_high);
}

static bool below_zero(struct vm *m, bool frac, word a)
{
	return m->lift ? lift_test(m, frac ? OP_FLT : OP_LT, a, 0)
		: frac     ? frac_compare(a, 0) < 0
				   : a < 0;
}

static bool above_zero(struct vm *m, bool frac, word a)
{
	return m->lift ? lift_test(m, frac ? OP_FLT : OP_LT, 0, a)
		: frac     ? frac_compare(a, 0) > 0
				   : a > 0;
}

static word mapped(const struct merge *x, word act)
{
	for (int i = x->map.n; i-- > 0;) /* its place may have been used before: the last counts */
		if (x->map.v[i].from == act)
			return x->map.v[i].to;
	return act;
}

/* A word inside an act that this member made moves with the act, and is nobody else's. */
static uint32_t mapped_word(const struct merge *x, uint32_t at, bool *own)
{
	const struct layout *l = &x->m->p->layout;
	*own = false;
	if (at < l->acts || at >= l->acts + l->act_stride * l->act_count)
		return at;
	word act = (at - l->acts) / l->act_stride;
	for (int i = 0; i < x->map.n; i++)
		*own |= x->map.v[i].from == act;
	return act_at(x->m, mapped(x, act)) + (at - l->acts) % l->act_stride;
}

/* "Bruna's attack": from the log, since the act itself is over. */
static bool member_words(const struct merge *x, int member, struct buf *out)
{
	const struct vm *m = x->m;
	int32_t record =
		member >= 0 && member < x->g->n && !x->g->branches ? x->g->member[member].record : -1;
	if (record < 0)
		return false;
	const struct record *r = trace_get(&m->trace, record);
	const word *v = trace_values_at(&m->trace, r);
	const struct event_info *e = &m->p->event[r->what];
	if (v && e->roles && e->role[0].type.base == VT_LIVE) {
		program_owner(m->p, e->role[0].type.kind, v[e->role[0].word], out);
		buf_putc(out, ' ');
	}
	buf_puts(out, e->name);
	return true;
}

/* "Bruna's attack makes it 3: house: marked (house: 1)   on strike { .. }" */
static void one_side(struct merge *x, int member, const struct cell *c, int32_t clause,
	struct vtype type, struct buf *out)
{
	struct vm *m = x->m;
	word value = c->set ? c->value : c->sum;
	if (!member_words(x, member, out))
		buf_puts(out, "One of them");
	buf_puts(out, c->set ? " makes it " : " changes it by ");
	program_value(m->p, type, &value, out);
	buf_printf(out, ", by %s", vm_clause_name(m, clause));
	if (clause >= 0 && clause < m->p->clauses && m->p->clause[clause].text &&
		*m->p->clause[clause].rule)
		buf_printf(out, ":   %s", m->p->clause[clause].text);
}

/* Two members leave one word differently, and nothing says which is right. */
static bool conflict(struct merge *x, const struct cell *all, const struct cell *c, int member)
{
	struct vm *m = x->m;
	const struct program *p = m->p;
	struct vtype type = {VT_NUMBER, false, 0};
	struct buf what = {0}, who = {0}, line[5] = {{0}, {0}, {0}, {0}, {0}};
	if (c->what >= 1000000) {
		type = p->pair[c->what - 1000000].type;
		buf_printf(&what, "the %s between two of them", p->pair[c->what - 1000000].name);
	} else if (c->what >= 0) {
		const struct field_info *f = &p->field[c->what];
		type = f->type;
		program_owner(p, f->kind, (word)((c->at - f->base) / (f->stride ? f->stride : 1)), &what);
		buf_printf(&what, "%s%s", what.length ? " " : "", f->name);
	} else {
		buf_puts(&what, "one thing");
	}
	if (member_words(x, all->setter, &who)) {
		buf_puts(&who, " and ");
		member_words(x, member, &who);
	} else {
		buf_puts(&who, "two things");
	}
	struct span place =
		c->clause >= 0 && c->clause < p->clauses ? p->clause[c->clause].span : vm_where(m);
	struct diag d = diag_make(M_RULING_MERGE, place);
	diag_arg(&d, buf_text(&what));
	diag_arg(&d, buf_text(&who));
	one_side(x, all->setter, all, all->clause, type, &line[0]);
	one_side(x, member, c, c->clause, type, &line[1]);
	buf_puts(
		&line[2], "To have one of them come first, write in a rule:   one precedes other when ..");
	const char *one =
		all->clause >= 0 && all->clause < p->clauses ? p->clause[all->clause].rule : "";
	const char *other = c->clause >= 0 && c->clause < p->clauses ? p->clause[c->clause].rule : "";
	if (*one && *other && strcmp(one, other))
		buf_printf(&line[3], "To let one of the rules decide:   ruling %s over %s", one, other);
	if (*other)
		buf_printf(&line[4], "To leave the rule out:   drop rule %s", other);
	for (int i = 0; i < 5; i++)
		if (line[i].length)
			diag_line(&d, buf_text(&line[i]));
	vm_stop(m, VM_RULING, &d);
	for (int i = 0; i < 5; i++)
		buf_free(&line[i]);
	buf_free(&what);
	buf_free(&who);
	return false;
}

/* A member saw the world without what the members before it changed by: what is told of its
 * change is moved by that much, so that the numbers go on from one to the next. */
static void tell_after(struct merge *x, const struct effect *e, uint32_t at)
{
	struct vm *m = x->m;
	const struct cell *all = cell_of(x, at);
	bool bad = false;
	if (!m->p->observed || e->record < 0 || !all->added || all->set)
		return;
	struct record *r = trace_at(&m->trace, e->record);
	word *old = trace_values_of(&m->trace, r);
	word from = e->frac ? frac_add(*old, all->sum, &bad) : num_add(*old, all->sum, &bad);
	word to = e->frac ? frac_add(r->value, all->sum, &bad) : num_add(r->value, all->sum, &bad);
	if (bad)
		return;
	*old = world_clamp(
		m, world_clamp(m, from, all->least, all->most, e->frac), e->least, e->most, e->frac);
	r->value = world_clamp(
		m, world_clamp(m, to, all->least, all->most, e->frac), e->least, e->most, e->frac);
}

static bool same(struct vm *m, word a, word b)
{
	return a == b || (m->lift && a != NONE && b != NONE && lift_test(m, OP_EQ, a, b));
}

/* ---- of several set in one moment the highest counts ---- */

static const struct field_info *settled_field(const struct vm *m, const struct cell *c)
{
	const struct field_info *f = c->what >= 0 && c->what < 1000000 ? &m->p->field[c->what] : NULL;
	return f && f->settled ? f : NULL;
}

/* Below 0: a comes before b. Nothing (none) is beyond all that there is; words go by the alphabet.
 */
static int compared(struct vm *m, struct vtype type, word a, word b)
{
	if (same(m, a, b))
		return 0;
	if (a == NONE || b == NONE)
		return a == NONE ? 1 : -1;
	if (type.base == VT_WORD || type.base == VT_TEXT)
		return strcmp(m->p->text[lift_fix(m, a)], m->p->text[lift_fix(m, b)]);
	if (m->lift)
		return lift_test(m, type.frac ? OP_FLT : OP_LT, a, b) ? -1 : 1;
	return type.frac ? frac_compare(a, b) : a < b ? -1 : 1;
}

/* What the member has set the field that this one goes by. */
static void rank_cell(struct merge *own, const struct field_info *f, struct cell *c)
{
	const struct field_info *lead = &own->m->p->field[f->lead];
	const uint32_t at = lead->base + (c->at - f->base) / f->stride * lead->stride;
	for (int i = 0; i < own->cells.n; i++)
		if (own->cells.v[i].at == at && own->cells.v[i].set) {
			c->rank = own->cells.v[i].value;
			c->ranked = true;
		}
}

/* Does what this member has set count, and not what those before it have? */
static bool counts(
	struct vm *m, const struct field_info *f, const struct cell *all, const struct cell *c)
{
	if (!all->set)
		return true;
	if (all->ranked != c->ranked)
		return c->ranked;
	int d = c->ranked ? compared(m, m->p->field[f->lead].type, c->rank, all->rank) : 0;
	if (!d)
		d = compared(m, f->type, c->value, all->value);
	return d * f->settled > 0;
}

/* What was set and does not count has not happened. */
static void forget_sets(struct merge *x, const struct cell *c, int from, int to)
{
	struct vm *m = x->m;
	for (int i = from; i < to && m->p->observed; i++) {
		const struct effect *e = &x->g->effects.v[i];
		if (e->op == EF_SET && e->at == c->at && e->record >= 0 && e->record < m->trace.n)
			trace_at(&m->trace, e->record)->dropped = true;
	}
}

static bool merge_settled(
	struct merge *x, const struct field_info *f, struct cell *all, const struct cell *c, int member)
{
	struct vm *m = x->m;
	bool bad = false;
	const bool wins = c->set && counts(m, f, all, c);
	if (c->set && all->set && !same(m, all->value, c->value)) {
		const struct member *loser = &x->g->member[wins ? all->setter : member];
		forget_sets(x, c, loser->effects, loser->effects_end);
	}
	if (wins) {
		all->set = true;
		all->value = c->value;
		all->rank = c->rank;
		all->ranked = c->ranked;
		all->is_act = c->is_act;
		all->setter = member;
	}
	if (c->added) { /* comes on top of what is set */
		all->sum = !all->added ? c->sum : world_sum(m, c->frac, all->sum, c->sum, &bad);
		all->added = true;
		bound(m, all, c->frac, c);
	}
	if (wins || !all->set)
		all->clause = c->clause;
	all->frac = c->frac;
	all->what = c->what;
	return !bad || vm_fail(m, VM_FAILED, M_OVERFLOW, 0);
}

/* The whole of one member's work on one word: a last set, or a sum of changes. */
/* A firing, effect i of the member: has another member's copy fired it too? Then this copy's
 * records of it are dropped. */
static bool fired_before(struct merge *x, int member, int i)
{
	struct vm *m = x->m;
	struct group *g = x->g;
	const struct member *mb = &g->member[member];
	struct effect e = g->effects.v[i];
	bool before = false;
	for (int k = 0; k < x->keys.n && !before; k++) {
		const struct effect *o = &x->keys.v[k];
		if (o->clause != member && o->at == e.at && o->value == e.value &&
			o->least == e.least)
			before = true;
	}
	if (before) {
		int depth = 0;
		for (int k = i; k < mb->effects_end; k++) {
			depth += g->effects.v[k].op == EF_KEYED;
			depth -= g->effects.v[k].op == EF_KEYED_END;
			if (depth == 0) {
				for (word r = e.most; r < g->effects.v[k].most; r++)
					trace_at(&m->trace, (int32_t)r)->dropped = true;
				break;
			}
		}
	} else {
		e.clause = member;
		VEC_PUSH(x->keys, e);
	}
	return before;
}

static void merge_set(struct merge *x, struct merge *own, const struct effect *e)
{
	struct vm *m = x->m;
	bool of_own_act;
	uint32_t at = mapped_word(x, e->at, &of_own_act);
	if (of_own_act) { /* gone with the act when that is refused */
		world_set(m, at, e->is_act ? mapped(x, e->value) : e->value, false, e->what, e->is_act);
		return;
	}
	struct cell *c = cell_of(own, at);
	c->set = true;
	c->added = false;
	c->value = e->is_act ? mapped(x, e->value) : e->value;
	c->what = e->what;
	c->clause = e->clause;
	c->is_act = e->is_act;
}

static bool merge_add(struct merge *x, struct merge *own, const struct effect *e)
{
	struct vm *m = x->m;
	bool bad = false, of_own_act;
	uint32_t at = mapped_word(x, e->at, &of_own_act);
	if (of_own_act)
		return world_add(m, at, e->value, e->least, e->most, e->frac, false, e->what);
	struct cell *c = cell_of(own, at);
	if (!c->set)
		tell_after(x, e, at);
	if (c->set) {
		c->value = world_clamp(
			m, world_sum(m, e->frac, c->value, e->value, &bad), e->least, e->most, e->frac);
	} else {
		c->sum = !c->added ? e->value : world_sum(m, e->frac, c->sum, e->value, &bad);
		c->added = true;
		bound(m, c, e->frac,
			&(struct cell){.least = e->least,
				.most = e->most,
				.bare_low = e->least == NONE ? e->value : NONE,
				.bare_high = e->most == NONE ? e->value : NONE});
	}
	c->frac = e->frac;
	c->what = e->what;
	c->clause = e->clause;
	return !bad || vm_fail(m, VM_FAILED, M_OVERFLOW, 0);
}

/* One effect: into the world, or, a stored value, into the member's own cells. */
static bool merge_effect(struct merge *x, struct merge *own, const struct effect *e)
{
	struct vm *m = x->m;
	switch (e->op) {
	case EF_ACT: {
		struct renamed made = {e->value, NONE};
		word act = world_act(m, (int32_t)e->least, e->most == NONE ? NONE : mapped(x, e->most));
		if (act == NONE)
			return false;
		made.to = act;
		VEC_PUSH(x->map, made);
		break;
	}
	case EF_PEND:
		world_pend(m, mapped(x, e->value));
		break;
	case EF_CANCEL:
		world_cancel(m, mapped(x, e->value));
		break;
	case EF_FREE:
		world_free(m, mapped(x, e->value));
		break;
	case EF_TOLD: {
		word act = mapped(x, e->value);
		if (e->record < m->trace.n)
			trace_at(&m->trace, e->record)->act = (int32_t)act;
		if (e->record < m->trace.n && m->p->observed)
			ends_named(m, e->record, act);
		act_told(m, e->record, act);
		break;
	}
	case EF_SET_ADD:
		world_set_add(m, e->at, e->value, e->what);
		break;
	case EF_SET_REMOVE:
		world_set_remove(m, e->at, e->value, e->what);
		break;
	case EF_LIST_ADD:
		return world_list_add(m, e->at, (uint32_t)e->most, e->value, e->what);
	case EF_LIST_REMOVE:
		world_list_remove(m, e->at, (uint32_t)e->most, e->value, e->what);
		break;
	case EF_SET:
		merge_set(x, own, e);
		break;
	case EF_ADD:
		return merge_add(x, own, e);
	default:
		break;
	}
	return true;
}

/* What the member has made of a cell, with what the others have made of it. */
static bool merge_cell(struct merge *x, struct merge *own, struct cell *c, int member)
{
	struct vm *m = x->m;
	bool ok = true;
	struct cell *all = cell_of(x, c->at);
	const struct field_info *settled = settled_field(m, c);
	if (settled) {
		rank_cell(own, settled, c);
		return merge_settled(x, settled, all, c, member);
	}
	bool differ = c->set ? (all->set && !same(m, all->value, c->value)) || all->added
						 : c->added && all->set;
	if (differ && program_beats(m->p, m->w, all->clause, c->clause))
		return true;
	if (differ && program_beats(m->p, m->w, c->clause, all->clause)) {
		all->set = all->added = false;
		all->sum = 0;
		all->least = all->most = all->bare_low = all->bare_high = NONE;
	} else if (differ) {
		ok = conflict(x, all, c, member);
	}
	if (c->set) {
		all->set = true;
		all->value = c->value;
		all->is_act = c->is_act;
	} else if (c->added) {
		bool bad = false;
		all->sum = !all->added ? c->sum : world_sum(m, c->frac, all->sum, c->sum, &bad);
		all->added = true;
		bound(m, all, c->frac, c);
	}
	all->frac = c->frac;
	all->what = c->what;
	if (differ ||
		!program_beats(m->p, m->w, all->clause,
			c->clause)) { /* where they agree the stronger answers for it */
		all->clause = c->clause;
		all->setter = member;
	}
	return ok;
}

static bool merge_member(struct merge *x, int member)
{
	struct vm *m = x->m;
	struct group *g = x->g;
	struct member *mb = &g->member[member];
	struct merge own = {0};
	bool ok = true;
	int skip = 0; /* inside a firing that another member's copy has fired too */
	own.m = m;
	x->map.n = 0;
	for (int i = mb->effects; i < mb->effects_end && ok; i++) {
		struct effect e = g->effects.v[i];
		if (e.op == EF_KEYED) {
			if (skip) {
				skip++;
				continue;
			}
			skip = fired_before(x, member, i);
			continue;
		}
		if (e.op == EF_KEYED_END) {
			if (skip)
				skip--;
			continue;
		}
		if (skip)
			continue;
		m->clause = e.clause;
		ok = merge_effect(x, &own, &e);
	}
	for (int i = 0; i < own.cells.n && ok; i++)
		ok = merge_cell(x, &own, &own.cells.v[i], member);
	VEC_FREE(own.cells);
	return ok;
}

/* A bound of some does not hold back the others: who takes away without one may go below it. */
static bool add_all(struct vm *m, const struct cell *c)
{
	const bool lower =
		c->least != NONE && c->bare_low != NONE && below_zero(m, c->frac, c->bare_low);
	const bool higher =
		c->most != NONE && c->bare_high != NONE && above_zero(m, c->frac, c->bare_high);
	return world_add(m, c->at, c->sum, lower ? NONE : c->least, higher ? NONE : c->most, c->frac,
		false, c->what);
}

bool group_merge(struct vm *m, struct group *g)
{
	if (g->effects.n == 0)
		return true;
	struct merge x = {0};
	bool ok = true;
	int clause = m->clause;
	bool quiet = m->quiet;
	x.m = m;
	x.g = g;
	m->quiet = true; /* the changes are in the log already */
	const bool plain = merge_plain(m, g, &ok);
	for (int i = 0; i < g->n && ok && !plain; i++)
		ok = merge_member(&x, i);
	for (int i = 0; i < x.cells.n && ok; i++) {
		struct cell *c = &x.cells.v[i];
		m->clause = c->clause;
		if (c->set)
			world_set(m, c->at, c->value, false, c->what, c->is_act);
		if (c->added && (!c->set || settled_field(m, c)))
			ok = add_all(m, c);
	}
	m->quiet = quiet;
	m->clause = clause;
	for (int i = 0; i < g->n; i++)
		g->member[i].effects = g->member[i].effects_end = 0;
	g->effects.n = 0;
	VEC_FREE(x.cells);
	VEC_FREE(x.keys);
	VEC_FREE(x.map);
	return ok;
}
