/* ring.c - acts of which each is to come before another: a rule that was preferred decides, or
 * a ruling is asked for. */
#include <string.h>

#include "runtime/vm/ring.h"
#include "runtime/code/show.h"

/* "Bruna's attack" */
static void act_words(const struct vm *m, word act, struct buf *out)
{
	const word *a = &m->w[act_at(m, act)];
	const struct event_info *e = &m->p->event[a[ACT_EVENT]];
	const struct role_info *r = &e->role[0];
	if (e->roles && r->type.base == VT_LIVE) {
		word who = r->field >= 0 ? m->w[m->p->field[r->field].base + (uint32_t)act * m->p->layout.act_stride] : a[ACT_ARGS + r->word];
		program_owner(m->p, r->type.kind, who, out);
		buf_putc(out, ' ');
	}
	buf_puts(out, e->name);
}

int ring_beaten(const struct vm *m, const struct order *o, const struct order_answer *answer)
{
	for (int i = 0; i < o->ring; i++)
		for (int k = 0; k < o->ring; k++)
			if (program_beats(m->p, m->w, answer[o->ring_answer[k]].clause, answer[o->ring_answer[i]].clause))
				return o->ring_answer[i];
	return -1;
}

/* "Pell's attack is to come before Snag's attack, by knives first (house 1):   one precedes .." */
static void ring_line(struct vm *m, const struct order_answer *a, const word *acts, struct buf *b)
{
	static const char *const verbs[] = {" is to come before ", " is to wait for ", " is to go together with ", " is to meet ", " is to stay apart from "};
	act_words(m, acts[a->one], b);
	buf_puts(b, verbs[a->verb]);
	act_words(m, acts[a->other], b);
	buf_printf(b, ", by %s", vm_clause_name(m, a->clause));
	if (a->clause >= 0 && *m->p->clause[a->clause].rule)
		buf_printf(b, ":   %s", m->p->clause[a->clause].text);
}

bool ring_ruling(struct vm *m, const struct order *o, const struct order_answer *answer, const word *acts)
{
	const struct order_answer *first = &answer[o->ring_answer[0]], *other = first;
	const struct clause_info *clauses = m->p->clause;
	enum { TOLD = 4 };
	struct buf who = {0}, line[TOLD + 2];
	memset(line, 0, sizeof line);
	for (int i = 0; i < o->ring; i++) {
		buf_puts(&who, i ? ", " : "");
		act_words(m, acts[answer[o->ring_answer[i]].one], &who);
		if (answer[o->ring_answer[i]].clause >= 0 && first->clause >= 0 && strcmp(clauses[answer[o->ring_answer[i]].clause].rule, clauses[first->clause].rule))
			other = &answer[o->ring_answer[i]];
	}
	struct diag d = diag_make(M_RULING_CYCLE, first->clause >= 0 ? clauses[first->clause].span : vm_where(m));
	diag_arg(&d, buf_text(&who));
	for (int i = 0; i < o->ring && i < TOLD; i++)
		ring_line(m, &answer[o->ring_answer[i]], acts, &line[i]);
	if (other != first && *clauses[first->clause].rule && *clauses[other->clause].rule) {
		diag_relate(&d, clauses[other->clause].span, "the other rule");
		buf_printf(&line[TOLD], "To let one decide:   ruling %s over %s", clauses[first->clause].rule, clauses[other->clause].rule);
	}
	if (other->clause >= 0 && *clauses[other->clause].rule)
		buf_printf(&line[TOLD + 1], "To leave one out:    drop rule %s", clauses[other->clause].rule);
	for (int i = 0; i < TOLD + 2; i++)
		if (line[i].length)
			diag_line(&d, buf_text(&line[i]));
	vm_stop(m, VM_RULING, &d);
	for (int i = 0; i < TOLD + 2; i++)
		buf_free(&line[i]);
	buf_free(&who);
	return false;
}

bool ring_next(struct vm *m, struct order_input *in, struct order_answer *answer, const word *acts, struct order *o)
{
	while (!order_next(in, o)) {
		const int under = ring_beaten(m, o, answer);
		if (under < 0)
			return ring_ruling(m, o, answer, acts);
		answer[under] = answer[--in->answers];
	}
	return true;
}
