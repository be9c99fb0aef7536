/* kept.c - `this attack roll` where no event around keeps one, so that it is always none.
 *
 * An event keeps what its bodies name with `let`, and whatever happens within it may read that. A
 * clause runs within its own event and within those that bring it about; an act begins on its own,
 * unless a rule performs it. Only the clauses of the table are looked at. */
#include "lang/check/model.h"

struct keeping {
	struct model *m;
	int reader;          /* the event whose clause is read */
	enum clause_sort sort;
	const struct node *this; /* what is asked for */
	uint8_t *around;     /* by event: the reader happens within it */
	int from;            /* while edges are gathered: the event whose body is read */
	bool grown;
};

/* Events that a statement brings about are marked, where what they bring about is. */
static void mark(struct keeping *k, int event)
{
	if (event >= 0 && k->around[event] && !k->around[k->from]) {
		k->around[k->from] = 1;
		k->grown = true;
	}
}

static void look_for_calls(struct keeping *k, const struct node *n)
{
	for (; n; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		if (n->kind == N_KIND_S_CALL && n->ref_kind == REF_PERFORM) {
			for (int e = 0; e < k->m->event.n; e++)
				if (k->m->event.v[e].pended || k->m->event.v[e].action)
					mark(k, e);
		} else if (n->kind == N_KIND_S_CALL || n->kind == N_KIND_S_PHASE)
			mark(k, n->ref);
		else if (n->kind == N_KIND_S_MAY && n->b) {
			const struct node *callee = n->b->kind == N_KIND_E_CALL ? n->b->a : n->b;
			mark(k, model_event(k->m, callee->name));
		}
		for (size_t i = 0; i < FRAY_COUNT(kids); i++)
			look_for_calls(k, kids[i]);
	}
}

/* All events within which the reader may happen. */
static void gather(struct keeping *k)
{
	const struct model *m = k->m;
	for (int e = 0; e < m->event.n; e++)
		k->around[e] = e == k->reader;
	do {
		k->grown = false;
		for (int c = 0; c < m->clause.n; c++) {
			k->from = m->clause.v[c].event;
			if (k->from >= 0 && !k->around[k->from])
				look_for_calls(k, m->clause.v[c].node);
		}
	} while (k->grown);
}

static bool is_let(const struct node *n, const void *name)
{
	return n->kind == N_KIND_S_LET && n->name == *(const sym *)name;
}

bool event_keeps(const struct model *m, sym name)
{
	for (int c = 0; c < m->clause.n; c++)
		if (m->clause.v[c].event >= 0 && node_any(m->clause.v[c].node, is_let, &name))
			return true;
	return false;
}

/* Whether the event has it: before its body, what is declared for it or named by a `before`. */
static bool keeps(const struct keeping *k, int event, sym name)
{
	const struct model *m = k->m;
	const struct mevent *e = &m->event.v[event];
	for (int s = 0; s < e->slot.n; s++) {
		if (e->slot.v[s].name != name)
			continue;
		if (event != k->reader || k->sort != CLAUSE_BEFORE || e->slot.v[s].initial)
			return true;
		bool later = false;
		for (int c = 0; c < m->clause.n; c++)
			if (m->clause.v[c].event == event && node_any(m->clause.v[c].node, is_let, &name)) {
				if (m->clause.v[c].sort == CLAUSE_BEFORE)
					return true;
				later = true;
			}
		if (!later) /* handed over by who brings it about */
			return true;
	}
	return false;
}

/* The event to write it for: one that happens within the reader, if there is one. */
static int keeper(struct keeping *k, sym name)
{
	const struct model *m = k->m;
	const int reader = k->reader;
	int best = -1;
	for (int e = 0; e < m->event.n; e++) {
		k->reader = e;
		if (k->sort == CLAUSE_BEFORE && e == reader) {
			best = e;
			break;
		}
		bool has = false;
		for (int s = 0; s < m->event.v[e].slot.n; s++)
			has |= m->event.v[e].slot.v[s].name == name;
		if (!has)
			continue;
		gather(k);
		if (best < 0 || k->around[reader])
			best = e;
		if (k->around[reader])
			break;
	}
	k->reader = reader;
	return best;
}

static void report(struct keeping *k)
{
	struct model *m = k->m;
	const int best = keeper(k, k->this->name);
	if (best >= 0)
		model_report(m, M_NOT_KEPT_HERE, k->this->span, 2,
			model_text(m, k->this->name), model_text(m, m->event.v[best].name));
}

static void look_for_this(struct keeping *k, const struct node *n)
{
	for (; n; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		if (n->kind == N_KIND_E_THIS) {
			bool has = false;
			k->this = n;
			gather(k);
			for (int e = 0; e < k->m->event.n && !has; e++)
				has = k->around[e] && keeps(k, e, n->name);
			if (!has)
				report(k);
		}
		for (size_t i = 0; i < FRAY_COUNT(kids); i++)
			look_for_this(k, kids[i]);
	}
}

void check_kept(struct model *m)
{
	struct keeping k = {.m = m, .around = arena_array(m->arena, uint8_t, m->event.n + 1)};
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (!m->module.v[x->module].own || x->event < 0 ||
			(x->sort != CLAUSE_ON && x->sort != CLAUSE_BEFORE &&
				x->sort != CLAUSE_AFTER && x->sort != CLAUSE_INSTEAD))
			continue;
		k.reader = x->event;
		k.sort = x->sort;
		look_for_this(&k, x->node);
	}
}
