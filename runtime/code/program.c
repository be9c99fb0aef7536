/* program.c - which clause beats which; a program's end. */
#include <stdlib.h>
#include <string.h>

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

void program_put_code(
	struct program *p, const struct insn *code, const struct span *span, int32_t n)
{
	p->code = arena_array(&p->arena, struct insn, (size_t)n + 1);
	p->code_span = arena_array(&p->arena, struct span, (size_t)n + 1);
	p->code_count = n;
	if (!n)
		return;
	memcpy(p->code, code, (size_t)n * sizeof *p->code);
	memcpy(p->code_span, span, (size_t)n * sizeof *p->code_span);
}

void program_free(struct program *p)
{
	if (!p)
		return;
	arena_free(&p->arena);
	free(p);
}
