/* program.c - which clause beats which; a program's end. */
#include <stdlib.h>

#include "runtime/code/program.h"

bool program_beats(const struct program *p, int32_t over, int32_t under)
{
	for (int32_t i = 0; i < p->beats_count; i++)
		if (p->beats[i].over == over && p->beats[i].under == under)
			return true;
	return false;
}

void program_free(struct program *p)
{
	if (!p)
		return;
	arena_free(&p->arena);
	free(p);
}
