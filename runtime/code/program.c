/* program.c - a program's end. */
#include <stdlib.h>

#include "runtime/code/program.h"

void program_free(struct program *p)
{
	if (!p)
		return;
	arena_free(&p->arena);
	free(p);
}
