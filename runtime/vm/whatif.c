/* whatif.c - see whatif.h. Of the log only what lies behind the earliest world is kept: the rest
 * is not touched but for events that were open then, whose records are kept as well. */
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/whatif.h"
#include "runtime/vm/machine.h"

struct open_record { int32_t number; struct record record; word values[EVENT_ROLES]; };

struct whatif {
	struct vm *m;
	struct vm_host host;
	uint64_t fuel;
	enum vm_status status;
	word *world;
	struct trace_tail tail;  /* the log behind the earliest world */
	int32_t valid;           /* so many records are those of the fight */
	VEC(struct open_record) open;
};

static void put_back_open(struct whatif *a)
{
	for (int i = 0; i < a->open.n; i++) {
		struct record *r = trace_at(&a->m->trace, a->open.v[i].number);
		*r = a->open.v[i].record;
		word *values = r->value_count <= EVENT_ROLES ? trace_values_of(&a->m->trace, r) : NULL;
		if (values) /* a rule may have changed them */
			memcpy(values, a->open.v[i].values, sizeof *values * r->value_count);
	}
}

struct whatif *whatif_begin(struct vm *m, const word *earliest, const struct vm_host *host, uint64_t fuel, word last_round)
{
	struct whatif *a = calloc(1, sizeof *a);
	if (!a)
		abort();
	a->m = m;
	a->host = m->host;
	a->fuel = m->fuel;
	a->status = m->status;
	a->world = block_new(m->p, 0, 0);
	if (!a->world)
		abort();
	block_copy(a->world, m->w, m->p);
	for (word h = earliest[H_HAPPENING]; h; h = earliest[h + HAP_PARENT]) {
		struct open_record o = {(int32_t)earliest[h + HAP_RECORD], {0}, {0}};
		if (o.number < 0 || o.number >= m->trace.n)
			continue;
		o.record = *trace_peek(&m->trace, o.number);
		const word *values = o.record.value_count <= EVENT_ROLES ? trace_values_at(&m->trace, &o.record) : NULL;
		if (values)
			memcpy(o.values, values, sizeof *values * o.record.value_count);
		VEC_PUSH(a->open, o);
	}
	trace_take(&m->trace, (int32_t)earliest[H_TRACE], &a->tail);
	a->valid = m->trace.n;
	m->host = *host;
	m->fuel = fuel;
	vm_curt(m, true, last_round);
	m->endless = true;
	return a;
}

bool whatif_at(struct whatif *a, const word *world)
{
	if (a->valid < (int32_t)world[H_TRACE])
		trace_lend(&a->m->trace, &a->tail, (int32_t)world[H_TRACE]);
	trace_cut(&a->m->trace, (int32_t)world[H_TRACE]);
	put_back_open(a);
	vm_restore(a->m, world);
	a->valid = (int32_t)world[H_TRACE];
	return a->m->fuel > 0;
}

void whatif_for_telling(struct whatif *a, uint64_t fuel)
{
	a->m->endless = false;
	ends_forget(a->m);
	a->m->fuel = fuel;
}

void whatif_end(struct whatif *a)
{
	struct vm *m = a->m;
	trace_give(&m->trace, &a->tail);
	put_back_open(a);
	vm_curt(m, false, NONE);
	m->endless = false;
	vm_restore(m, a->world);
	m->host = a->host;
	m->fuel = a->fuel;
	m->status = a->status;
	VEC_FREE(a->open);
	free(a->world);
	free(a);
}
