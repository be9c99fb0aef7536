/* reason_step.c - by what a number of somebody's went up or down: changes of its own field, and
 * what is gathered in others that a rule takes from it (`adjust X's EN by -X's EN lost`) before it
 * becomes its own. */
#include <ctype.h>
#include <string.h>

#include "lang/api/reason.h"
#include "runtime/world/block.h"

/* How a text takes somebody's field in: 1 added, -1 taken away; 0: it does not. */
static int sign_of(const char *text, const char *name)
{
	const size_t n = strlen(name);
	for (const char *at = text; (at = strstr(at, "'s ")) != NULL; at += 3) {
		const char next = strncmp(at + 3, name, n) ? 'x' : at[3 + n];
		if (isalnum((unsigned char)next) || (next == ' ' && isalpha((unsigned char)at[4 + n])))
			continue;
		while (at > text && (isalnum((unsigned char)at[-1])))
			at--;
		while (at > text && at[-1] == ' ')
			at--;
		return at > text && at[-1] == '-' ? -1 : 1;
	}
	return 0;
}

static int by_record(const struct step *v, int n, struct step one)
{
	while (n > 0 && v[n - 1].record < one.record)
		n--;
	return n;
}

/* The changes of a field since it was nothing become steps, the last first. */
static int gathered_in(const struct reason *r, int field, word owner, int sign, struct step *out,
	int n, int most)
{
	for (int32_t i = trace_back_to_change(r->t, r->end - 1, field, owner); i >= 0 && n < most;
		 i = trace_back_to_change(r->t, i - 1, field, owner)) {
		const struct record c = *trace_get(r->t, i);
		const word *old = trace_values_at(r->t, trace_get(r->t, i));
		if (c.dropped || c.flag == 1 || !old)
			continue;
		if (c.value == 0 || c.value == NONE || old[0] == NONE)
			break;
		const struct step one = {i, sign * (c.value - old[0])};
		const int at = by_record(out, n, one);
		memmove(out + at + 1, out + at, sizeof *out * (size_t)(n - at));
		out[at] = one;
		n++;
	}
	return n;
}

int reason_gathered(
	const struct reason *r, int field, word owner, struct step *out, int most)
{
	const struct program *p = r->p;
	int n = 0;
	for (int c = 0; c < p->clauses; c++) {
		const struct clause_info *x = &p->clause[c];
		if (x->sort != CLAUSE_ADJUST || x->question < 0 || !x->text || x->conditional ||
			strcmp(p->question[x->question].name, p->field[field].name) != 0)
			continue;
		const char *by = strstr(x->text, " by ");
		for (int i = 0; by && i < p->fields; i++) {
			const struct field_info *f = &p->field[i];
			if (i == field || f->kind != p->field[field].kind || f->words != 1 ||
				!vtype_is_number(f->type) || f->type.frac)
				continue;
			const word now = vm_block(r->f->vm)[f->base + (uint32_t)owner * f->stride];
			const int sign = now && now != NONE ? sign_of(by, f->name) : 0;
			if (sign)
				n = gathered_in(r, i, owner, sign, out, n, most);
		}
	}
	return n;
}
