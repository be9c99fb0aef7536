/* whatif.c - see whatif.h. Of the log only what lies behind the earliest world is kept: the rest
 * is not touched but for events that were open then, whose records are kept as well. */
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/whatif.h"
#include "runtime/vm/machine.h"

struct open_record { int32_t number; struct record record; };

struct whatif {
	struct vm *m;
	struct vm_host host;
	uint64_t fuel;
	enum vm_status status;
	word *world;
	struct trace tail;       /* records behind `mark`, their parts one after another */
	int32_t valid;           /* so many records are those of the fight */
	int32_t mark, faces, values;
	size_t texts;
	VEC(struct open_record) open;
};

static void keep_tail(struct whatif *a)
{
	const struct trace *t = &a->m->trace;
	bool any = a->mark < t->record.n;
	a->faces = any ? t->mark.v[a->mark].faces : t->faces.n;
	a->values = any ? t->mark.v[a->mark].values : t->values.n;
	a->texts = any ? t->mark.v[a->mark].texts : t->texts.length;
	for (int32_t i = a->mark; i < t->record.n; i++) {
		VEC_PUSH(a->tail.record, t->record.v[i]);
		VEC_PUSH(a->tail.mark, t->mark.v[i]);
	}
	for (int i = a->faces; i < t->faces.n; i++)
		VEC_PUSH(a->tail.faces, t->faces.v[i]);
	for (int i = a->values; i < t->values.n; i++)
		VEC_PUSH(a->tail.values, t->values.v[i]);
	buf_add(&a->tail.texts, t->texts.data ? t->texts.data + a->texts : "", t->texts.length - a->texts);
}

/* As trace_cut, which also looks through the whole log for events told behind the cut: here
 * only those that were open can be, and they are put back. */
static void cut(struct trace *t, int32_t length)
{
	if (length >= t->record.n)
		return;
	struct trace_mark mark = t->mark.v[length];
	t->record.n = t->mark.n = length;
	t->faces.n = mark.faces;
	t->values.n = mark.values;
	t->texts.length = mark.texts;
}

static void put_back_tail(struct whatif *a)
{
	struct trace *t = &a->m->trace;
	cut(t, a->mark);
	t->faces.n = a->faces;
	t->values.n = a->values;
	t->texts.length = a->texts;
	for (int i = 0; i < a->tail.record.n; i++) {
		VEC_PUSH(t->record, a->tail.record.v[i]);
		VEC_PUSH(t->mark, a->tail.mark.v[i]);
	}
	for (int i = 0; i < a->tail.faces.n; i++)
		VEC_PUSH(t->faces, a->tail.faces.v[i]);
	for (int i = 0; i < a->tail.values.n; i++)
		VEC_PUSH(t->values, a->tail.values.v[i]);
	buf_add(&t->texts, a->tail.texts.data ? a->tail.texts.data : "", a->tail.texts.length);
}

static void put_back_open(struct whatif *a)
{
	for (int i = 0; i < a->open.n; i++)
		*trace_at(&a->m->trace, a->open.v[i].number) = a->open.v[i].record;
}

struct whatif *whatif_begin(struct vm *m, const word *earliest, const struct vm_host *host, uint64_t fuel)
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
	a->mark = (int32_t)earliest[H_TRACE];
	a->valid = m->trace.record.n;
	keep_tail(a);
	for (word h = earliest[H_HAPPENING]; h; h = earliest[h + HAP_PARENT]) {
		struct open_record o = {(int32_t)earliest[h + HAP_RECORD], {0}};
		if (o.number < 0 || o.number >= m->trace.record.n)
			continue;
		o.record = *trace_get(&m->trace, o.number);
		VEC_PUSH(a->open, o);
	}
	m->host = *host;
	m->fuel = fuel;
	return a;
}

bool whatif_at(struct whatif *a, const word *world)
{
	if (a->valid < (int32_t)world[H_TRACE])
		put_back_tail(a);
	cut(&a->m->trace, (int32_t)world[H_TRACE]);
	put_back_open(a);
	vm_restore(a->m, world);
	a->valid = (int32_t)world[H_TRACE];
	return a->m->fuel > 0;
}

void whatif_refuel(struct whatif *a, uint64_t fuel)
{
	a->m->fuel = fuel;
}

void whatif_end(struct whatif *a)
{
	struct vm *m = a->m;
	put_back_tail(a);
	put_back_open(a);
	vm_restore(m, a->world);
	m->host = a->host;
	m->fuel = a->fuel;
	m->status = a->status;
	trace_free(&a->tail);
	VEC_FREE(a->open);
	free(a->world);
	free(a);
}
