/* profile.c - counts of instructions, by function, by operation, and by pairs of operations
 * that follow each other. Printed at exit, the largest share first. */
#include "runtime/vm/profile.h"

typedef int profile_translation_unit; /* a file may not be empty */

#ifdef FRAY_PROFILE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/code/ops.h"
#include "runtime/code/show.h"

enum { FUNCTIONS_SHOWN = 60, OPS_SHOWN = 50, PAIRS_SHOWN = 40 };

struct share { uint64_t n, calls; char what[80]; };

static const struct program *of;
static uint64_t *count;                          /* one an instruction */
static uint64_t ops[OP_COUNT], pairs[OP_COUNT][OP_COUNT], all;
static int last = -1;
static struct { char name[60]; uint64_t n, calls; } function[4000];
static int functions;

static int by_share(const void *a, const void *b)
{
	uint64_t x = ((const struct share *)a)->n, y = ((const struct share *)b)->n;
	return (x < y) - (x > y);
}

static void print(const char *title, struct share *s, int n, int most)
{
	qsort(s, (size_t)n, sizeof *s, by_share);
	fprintf(stderr, "\n%s\n", title);
	for (int i = 0; i < n && i < most && s[i].n; i++) {
		fprintf(stderr, "%6.2f %% %12llu", 100 * (double)s[i].n / (double)all, (unsigned long long)s[i].n);
		if (s[i].calls)
			fprintf(stderr, "  in %9llu calls", (unsigned long long)s[i].calls);
		fprintf(stderr, "  %s\n", s[i].what);
	}
}

/* The counts of one program, by the names of its functions: they outlive it. */
static void gather(void)
{
	for (int i = 0; of && i < of->fns; i++) {
		const struct fn_info *f = &of->fn[i];
		int at = 0;
		while (at < functions && strncmp(function[at].name, f->name, sizeof function[at].name - 1) != 0)
			at++;
		if (at == (int)(sizeof function / sizeof *function))
			continue;
		if (at == functions)
			snprintf(function[functions++].name, sizeof function->name, "%s", f->name);
		function[at].calls += count[f->entry];
		for (int32_t k = f->entry; k < f->end; k++)
			function[at].n += count[k];
	}
	for (int i = 0; of && getenv("FRAY_PROFILE_LINES") && i < of->fns; i++) {
		const struct fn_info *f = &of->fn[i];
		struct buf line = {0};
		fprintf(stderr, "\n%s: -- function %d: %u arguments, %u results, %u registers%s\n", f->name, i, f->arguments, f->results, f->registers, f->pure ? ", only reads" : "");
		for (int32_t k = f->entry; k < f->end; k++) {
			buf_clear(&line);
			program_print_insn(of, k, &line);
			fprintf(stderr, "%9llu %s", (unsigned long long)count[k], buf_text(&line));
		}
		buf_free(&line);
	}
	free(count);
	count = NULL;
	of = NULL;
}

void profile_over(const struct program *p)
{
	if (p == of)
		gather();
}

static void finish(void)
{
	static struct share s[OP_COUNT * OP_COUNT + 4000];
	int n = 0;
	gather();
	fprintf(stderr, "%llu instructions\n", (unsigned long long)all);
	for (int i = 0; i < functions; i++, n++) {
		s[n] = (struct share){function[i].n, function[i].calls, ""};
		snprintf(s[n].what, sizeof s[n].what, "%.59s", function[i].name);
	}
	print("by function", s, n, FUNCTIONS_SHOWN);
	n = 0;
	for (int i = 0; i < OP_COUNT; i++, n++) {
		s[n] = (struct share){ops[i], 0, ""};
		snprintf(s[n].what, sizeof s[n].what, "%s", op_table[i].name);
	}
	print("by operation", s, n, OPS_SHOWN);
	n = 0;
	for (int i = 0; i < OP_COUNT; i++)
		for (int k = 0; k < OP_COUNT; k++, n++) {
			s[n] = (struct share){pairs[i][k], 0, ""};
			snprintf(s[n].what, sizeof s[n].what, "%s %s", op_table[i].name, op_table[k].name);
		}
	print("by pairs", s, n, PAIRS_SHOWN);
}

void profile_step(const struct program *p, word pc)
{
	static bool open;
	if (!open) {
		atexit(finish);
		open = true;
	}
	if (p != of) {
		gather();
		of = p;
		count = calloc((size_t)p->code_count + 1, sizeof *count);
		if (!count)
			abort();
	}
	all++;
	count[pc]++;
	int op = p->code[pc].op;
	ops[op]++;
	if (last >= 0)
		pairs[last][op]++;
	last = op;
}
#endif
