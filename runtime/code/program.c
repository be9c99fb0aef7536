/* program.c - which clause beats which; a program's end. */
#include <stdlib.h>

#include "runtime/code/program.h"

bool program_block_holds(const struct program *p, const word *world, int32_t block)
{
	const struct block_info *b = &p->block[block];
	word now = b->field < 0 ? b->ordinal : world[p->field[b->field].base];
	return b->lasting ? now >= b->ordinal : now == b->ordinal;
}

bool program_beats(const struct program *p, const word *world, int32_t over, int32_t under)
{
	for (int32_t i = 0; i < p->beats_count; i++) {
		const struct beats_info *b = &p->beats[i];
		if (b->over != over || b->under != under)
			continue;
		bool begun = b->from == 0 || program_block_holds(p, world, b->from);
		if (begun && !(b->until && program_block_holds(p, world, b->until)))
			return true;
	}
	return false;
}

void program_free(struct program *p)
{
	if (!p)
		return;
	arena_free(&p->arena);
	free(p);
}
