/* extend.c - a fight that has paused goes on under a program that has one more line
 * (world/extends.h). */
#include <stdlib.h>

#include "runtime/vm/machine.h"
#include "runtime/world/extends.h"

/* Every function in progress is one that the longer program has where it was. */
static bool stands_before_typed(const struct vm *m)
{
	const struct program *p = m->p;
	word fn = m->w[H_FN];
	uint32_t fp = (uint32_t)m->w[H_FP];
	while (fp > p->layout.stack + 2) {
		if (fn < 0 || fn >= p->fns || p->fn[fn].entry >= p->before_typed)
			return false;
		const uint64_t packed = (uint64_t)m->w[fp - 1];
		fn = (word)(uint32_t)packed;
		fp = (uint32_t)(packed >> 32);
	}
	return fn == p->main_fn;
}

/* It has just called what was edited, and paused. */
static bool stands_at_pause(const struct vm *m)
{
	const word pc = m->w[H_PC];
	return pc >= 2 && pc <= m->p->code_count && m->p->code[pc - 1].op == OP_PAUSE &&
	       m->p->code[pc - 2].op == OP_CALL;
}

bool vm_extend(struct vm *m, struct vm *from)
{
	const struct program *p = from->p;
	if (from->w[H_STAGE] != WORLD_PLAYING || from->status != VM_PAUSED || !stands_at_pause(from))
		return false;
	if (!stands_before_typed(from) || !program_extends(p, m->p))
		return false;
	block_tidy(from->w, p);
	word *world = block_new(m->p, 0, 0);
	if (!world)
		abort();
	block_copy(world, from->w, p);
	program_extend_world(p, m->p, world);
	trace_copy(&m->trace, &from->trace);
	vm_restore(m, world);
	free(world);
	return true;
}

/* A block has begun with this beat, and with it every condition was to be asked again. */
static bool begun_already(const struct vm *m)
{
	const struct program *p = m->p;
	const word beat = m->w[p->field[p->at.beat].base];
	for (int32_t b = 1; b < p->blocks; b++)
		if (p->block[b].lasting && p->block[b].ordinal == beat &&
		    m->w[p->layout.blocks + (uint32_t)b])
			return true;
	return false;
}

enum vm_status vm_moment(struct vm *m)
{
	const bool already = begun_already(m);
	const word call = m->w[H_PC] - 2;
	/* a beat has begun; what is typed before the first one waits for the pause itself */
	const bool begun = call > 0 && m->p->code[call - 1].op == OP_BEAT;
	if (begun && blocks_look(m, false, false) && !already)
		m->w[H_DIRTY] = -1;
	m->w[H_PC] = call;
	m->resolved = true;
	m->status = vm_loop(m, 0);
	return m->status;
}
