/* native_look.c - what is found out of a whole program before its processor code is made (native.h). */
#include "runtime/vm/native_maker.h"

#include "runtime/code/ops.h"

typedef int native_look_unit; /* a file may not be empty */

#ifdef FRAY_NATIVE

void find_joins(struct maker *k)
{
	const struct program *p = k->p;
	for (int f = 0; f < p->fns; f++)
		k->joins[p->fn[f].entry] = JOIN_JUMP;
	for (int32_t i = 0; i < p->code_count; i++) {
		const enum op op = (enum op)p->code[i].op;
		if (op_jumps(op))
			k->joins[goal(k, &p->code[i])] |= JOIN_JUMP;
		/* behind a conditional jump the stretch goes on */
		if (op == OP_JMP || op == OP_LOOP || op == OP_RET || op == OP_BEGIN || op == OP_END) /* these go from one code to the other */
			k->joins[i + 1] |= JOIN_JUMP;
		else if (op == OP_CALL || op == OP_CALLACT || op == OP_SETTLE)
			k->joins[i + 1] |= JOIN_BACK;
	}
}

void find_noted(struct maker *k)
{
	const struct program *p = k->p;
	for (int f = 0; f < p->fns; f++)
		k->noted[f] = p->fn[f].pure && !memo_is_own(&k->m->memo, f); /* of those it is known what they read */
	if (p->at.act_time_question >= 0 && p->question[p->at.act_time_question].fn >= 0)
		k->noted[p->question[p->at.act_time_question].fn] = 1;
	for (int o = 0; o < p->orders; o++) {
		const int32_t fn[] = {
			p->order[o].key_fn, p->order[o].pair_fn, p->order[o].partner_fn};
		for (size_t n = 0; n < FRAY_COUNT(fn); n++)
			if (fn[n] >= 0)
				k->noted[fn[n]] = 1;
	}
	for (bool more = true; more;) {
		more = false;
		for (int f = 0; f < p->fns; f++)
			for (int32_t i = p->fn[f].entry; k->noted[f] && i < p->fn[f].end; i++) {
				const enum op op = (enum op)p->code[i].op;
				if ((op == OP_CALL || op == OP_SETTLE) && !k->noted[p->code[i].k] && !memo_is_own(&k->m->memo, p->code[i].k))
					k->noted[p->code[i].k] = more = true;
				for (int e = 0; op == OP_CALLACT && e < p->events; e++) {
					const int32_t fn = p->event[e].stage_fn[p->code[i].c];
					if (fn >= 0 && !k->noted[fn] && !memo_is_own(&k->m->memo, fn))
						k->noted[fn] = more = true;
				}
			}
	}
}

/* A turn of a quiet loop rests on a word: it is noted when its field is written. */
static void ask_for_word(struct maker *k, uint32_t at)
{
	for (int f = 0; f < k->p->fields; f++) {
		const struct field_info *of = &k->p->field[f];
		if (of->kind != KIND_ACT &&
			at - of->base < of->stride * k->p->layout.kind[of->kind].count)
			k->asked[f] = 1;
	}
}

void find_asked(struct maker *k)
{
	const struct program *p = k->p;
	for (int f = 0; f < p->fields; f++)
		k->asked[f] = p->field[f].kind == KIND_ACT; /* the order of acts goes by them */
	for (int i = 0; i < p->quiet_rests; i++)
		if (p->quiet_rest[i].sort == QUIET_WHO || p->quiet_rest[i].sort == QUIET_ROW)
			k->asked[p->quiet_rest[i].of] = 1;
		else if (p->quiet_rest[i].sort == QUIET_WORD)
			ask_for_word(k, p->quiet_rest[i].at);
	for (int f = 0; f < p->fns; f++)
		for (int32_t i = p->fn[f].entry; (k->noted[f] || p->fn[f].pure) && i < p->fn[f].end; i++) {
			const struct insn *of = &p->code[i];
			const char *shape = op_table[of->op].shape;
			const unsigned operand[] = {of->a, of->b, of->c};
			for (int s = 0; shape[s] && s < 3; s++)
				if (shape[s] == 'f')
					k->asked[operand[s]] = 1;
		}
}

bool acts_have_actors(const struct maker *k)
{
	const struct program *p = k->p;
	for (int f = 0; f < p->fns; f++)
		for (int32_t i = p->fn[f].entry; i < p->fn[f].end; i++) {
			const struct insn *of = &p->code[i];
			if (of->op == OP_ACT && (i + 1 == p->fn[f].end || of[1].op != OP_STF || of[1].a != of->a || !k->m->reach[of[1].c].actor))
				return false;
		}
	return true;
}

void find_slots(const struct program *p, int32_t *slots)
{
	for (int name = 0; name < p->kepts; name++)
		for (int e = 0; e < p->events; e++, slots++) {
			const struct event_info *of = &p->event[e];
			*slots = -1;
			for (int s = of->slots; s-- > 0;)
				if (of->slot_name[s] == name)
					*slots = HAP_SLOTS + s * p->set_words;
		}
}

#endif
