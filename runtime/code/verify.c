/* verify.c - is a program safe to run?
 *
 * Done once, when a program is linked or read back, so that the machine's loop may trust
 * operands: registers lie within the function's frame (windows and sets with all their
 * words), jumps land on instructions of the same function, indices name rows, what a function
 * ends with never runs on into the next. Values in registers are not checked here: the
 * machine looks at those where it uses them. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/diag.h"
#include "runtime/base/plane.h"
#include "runtime/code/show.h"
#include "runtime/code/verify.h"

void verify_wrong(struct verifier *v, const char *format, ...)
{
	va_list args;
	if (v->bad)
		return;
	v->bad = true;
	if (v->fn >= 0)
		buf_printf(v->why, "function %d (%s), ", v->fn, v->p->fn[v->fn].name ? v->p->fn[v->fn].name : "?");
	if (v->at >= 0 && v->p->code[v->at].op < OP_COUNT)
		buf_printf(v->why, "instruction %d (%s): ", v->at, op_table[v->p->code[v->at].op].name);
	else if (v->at >= 0)
		buf_printf(v->why, "instruction %d: ", v->at);
	va_start(args, format);
	buf_vprintf(v->why, format, args);
	va_end(args);
}

bool verify_index(struct verifier *v, const char *what, int64_t index, int64_t count)
{
	if (index >= 0 && index < count)
		return true;
	verify_wrong(v, "there is no %s %lld (of %lld)", what, (long long)index, (long long)count);
	return false;
}

bool verify_optional(struct verifier *v, const char *what, int64_t index, int64_t count)
{
	return index == -1 || verify_index(v, what, index, count);
}

bool verify_range(struct verifier *v, const char *what, int64_t first, int64_t count, int64_t rows)
{
	if (first >= 0 && count >= 0 && first <= rows && count <= rows - first)
		return true;
	verify_wrong(v, "%s %lld..%lld lie outside the table (of %lld)", what, (long long)first, (long long)(first + count), (long long)rows);
	return false;
}

/* ---- operands ---- */

static void registers(struct verifier *v, int64_t first, int64_t count)
{
	int64_t have = v->p->fn[v->fn].registers;
	if (count > 0 && first + count > have)
		verify_wrong(v, "register %lld is past the function's %lld", (long long)(first + count - 1), (long long)have);
}

static int64_t question_words(const struct program *p, const struct question_info *q)
{
	int64_t n = 0;
	for (int i = 0; i < q->params && i < EVENT_ROLES; i++)
		n += program_type_words(p, q->param[i]);
	return n;
}

static int64_t template_words(const struct program *p, const struct template_info *t)
{
	int64_t n = 0;
	for (int i = 0; i < t->count; i++)
		n += p->piece[t->first + i].words;
	return n;
}

/* How many registers an operand stands for beyond what its letter says. */
static int64_t operand_words(const struct program *p, const struct insn *i, int place, char letter)
{
	if (letter == 'D' || letter == 'S')
		return p->set_words;
	switch (i->op) {
	case OP_RET:
		return place == 0 ? i->b : 1;
	case OP_RECAST:
		return place == 0 ? i->k >> 16 : 1;
	case OP_RULING:
	case OP_STP:
	case OP_STEP:
		return place == 0 ? 2 : 1;
	case OP_ADP:
		return place == 0 ? 2 : 1;
	case OP_ADPB:
		return place == 0 ? 2 : 3;
	case OP_ADFB:
		return place == 1 ? 3 : 1;
	case OP_LDP:
	case OP_HASL:
	case OP_ITEM:
	case OP_HAST:
	case OP_ITEMT:
	case OP_CHOSEN:
	case OP_TABLE:
		return place == 1 ? 2 : 1;
	case OP_TABLEOF:
		return place == 1 ? 3 : 1;
	case OP_MEASURE:
		return place == 1 && i->c < MEASURES ? plane_arguments((enum measure)i->c) : 1;
	default:
		return 1;
	}
}

static void window(struct verifier *v, const struct insn *i)
{
	const struct program *p = v->p;
	int64_t need = 0;
	switch (i->op) {
	case OP_CALL:
		if (verify_index(v, "function", i->k, p->fns)) {
			const struct fn_info *f = &p->fn[i->k];
			need = 2 + (int64_t)f->arguments;
			if (f->results > need)
				need = f->results;
		}
		break;
	case OP_SETTLE:
		if (verify_index(v, "function", i->k, p->fns) && (p->fn[i->k].arguments > 0 || p->fn[i->k].results > 2))
			verify_wrong(v, "the conditions take and give nothing");
		need = 2;
		break;
	case OP_CALLACT: /* the act, or all an event is told, behind two words for the way back */
		need = 3;
		for (int e = 0; e < p->events; e++)
			if (i->c <= AT_STAGES && p->event[e].stage_fn[i->c] >= 0 && 2 + (int64_t)p->event[e].words + (i->c == AT_STAGES) > need)
				need = 2 + (int64_t)p->event[e].words + (i->c == AT_STAGES);
		break;
	case OP_ENTER:
		if (verify_index(v, "event", i->k, p->events))
			need = p->event[i->k].words;
		break;
	case OP_ASKED:
		if (verify_index(v, "question", i->k, p->questions))
			need = question_words(p, &p->question[i->k]);
		break;
	default: /* NOTE, REFER, WRONG, TELL */
		if (verify_index(v, "text", i->k, p->templates))
			need = template_words(p, &p->template_[i->k]);
	}
	registers(v, i->a, need);
}

static void wide_number(struct verifier *v, const struct insn *i)
{
	const struct program *p = v->p;
	switch (i->op) {
	case OP_RULING:
		if (i->k < -2 || i->k >= p->questions)
			verify_wrong(v, "there is no question %d", i->k);
		break;
	case OP_BASE:
	case OP_LOST:
	case OP_ADJUST:
	case OP_BOUND:
	case OP_WHY:
		verify_optional(v, "clause", i->k, p->clauses);
		break;
	case OP_RECAST:
		verify_index(v, "role", i->k & 0xff, EVENT_ROLES);
		verify_index(v, "way to recast", i->k >> 8 & 0xff, RECASTS);
		if (i->k >> 16 != 1 && i->k >> 16 != p->set_words)
			verify_wrong(v, "a role of %d words", i->k >> 16);
		break;
	case OP_PAUSE:
		verify_index(v, "register that is needed", i->k, (int64_t)p->fn[v->fn].registers + 2);
		break;
	case OP_PHASE:
		verify_index(v, "phase", i->k, p->phases);
		break;
	case OP_MOMENT:
	case OP_BLOCK:
		verify_index(v, "block", i->k, p->blocks);
		break;
	case OP_WATCH:
	case OP_WATCHED:
		verify_index(v, "watch", i->k, p->watches * WATCH_HOWS);
		break;
	case OP_STAGE:
		verify_index(v, "stage", i->k, AT_INSTEAD + 1);
		break;
	case OP_WOKE:
		if (verify_index(v, "condition", i->k, p->whenevers))
			registers(v, i->a, 1 + (int64_t)p->whenever[i->k].params);
		break;
	case OP_DIRTY:
		if (i->k < 0)
			verify_wrong(v, "there is no condition %d", i->k);
		break;
	case OP_EXT: {
		int before = v->at > 0 && v->owner[v->at - 1] == v->fn ? p->code[v->at - 1].op : OP_NOP;
		if (before == OP_SKNOWN) {
			if (verify_index(v, "function", i->k, p->fns) && (p->fn[i->k].arguments != 1 || p->fn[i->k].results != 1))
				verify_wrong(v, "%s does not take one of them", p->fn[i->k].name);
		} else if (before == OP_SOUGHT)
			verify_index(v, "filter", i->k, p->filters);
		else if (before == OP_TURNED)
			verify_index(v, "condition", i->k, p->whenevers);
		else if (before == OP_ROLL || before == OP_CHANCE)
			verify_index(v, "label", i->k, p->labels);
		else
			verify_wrong(v, "nothing before it needs a wide operand");
		break;
	}
	default:
		break;
	}
}

static void narrow_number(struct verifier *v, const struct insn *i, int place)
{
	const struct program *p = v->p;
	if (place == 0)
		return;
	if (place == 1) {
		if (i->op == OP_OPEN)
			verify_index(v, "order", i->b, p->orders);
		else if (i->op == OP_KEEP)
			verify_index(v, "slot", i->b, 16);
		return;
	}
	switch (i->op) {
	case OP_ROUND:
		verify_index(v, "rounding", i->c, 3);
		break;
	case OP_QNEXT: case OP_AGAIN:
		verify_index(v, "quiet loop", i->c, p->quiets);
		break;
	case OP_MEASURE:
		verify_index(v, "measure", i->c, MEASURES);
		break;
	case OP_CHOICE:
	case OP_CHOSEN:
	case OP_PROMPT:
		if (i->c != UINT16_MAX)
			verify_index(v, "choice", i->c, p->choices);
		break;
	case OP_KEYED:
		if (i->c == FIRED)
			break;
		if (i->c != UINT16_MAX && i->c >= ONCE_EVENT)
			verify_index(v, "event", i->c - ONCE_EVENT, p->events);
		else if (i->c != UINT16_MAX)
			verify_index(v, "condition", i->c, p->whenevers);
		break;
	case OP_LDA:
	case OP_STA:
		verify_index(v, "argument word", i->c, p->layout.act_arg_words);
		break;
	case OP_MEMBER:
		if (i->c != MEMBER_COUNT && i->c != MEMBER_ACTED)
			verify_index(v, "stage", i->c, AT_STAGES);
		break;
	case OP_BEGIN:
	case OP_BEGINS:
	case OP_END:
		verify_index(v, "stage", i->c, AT_STAGES);
		break;
	case OP_STEP:
	case OP_IDLE:
		verify_index(v, "stage", i->c, AT_STAGES);
		break;
	case OP_NEEDS:
		verify_index(v, "stages", i->b, 1 << (AT_STAGES + 1));
		verify_index(v, "answer", i->c, 2);
		break;
	case OP_CALLACT:
		verify_index(v, "stage", i->c, AT_STAGES + 1);
		break;
	case OP_VOID:
		verify_index(v, "reason", i->c, VOID_CANCELLED + 1);
		break;
	case OP_DECLARE:
		verify_index(v, "source of a choice", i->c, BY_DEFAULT + 1);
		break;
	default:
		break;
	}
}

/* A live field and what the instruction takes it for. */
static void field_operand(struct verifier *v, const struct insn *i, int field)
{
	const struct program *p = v->p;
	if (!verify_index(v, "field", field, p->fields))
		return;
	uint8_t base = p->field[field].type.base;
	bool set = base == VT_SET, list = base == VT_LIST, fine = true;
	switch (i->op) {
	case OP_LDSF:
	case OP_STSF:
		fine = set;
		break;
	case OP_ADDS:
	case OP_REMS:
		fine = set || list;
		break;
	case OP_HASL:
	case OP_LEN:
	case OP_ITEM:
		fine = list;
		break;
	default: /* a list's count is the machine's; a set of one word is a word */
		fine = !list && (!set || p->set_words == 1);
	}
	if (!fine)
		verify_wrong(v, "field %s is not of the sort it works on", p->field[field].name);
}

static void operand(struct verifier *v, const struct insn *i, int place, char letter)
{
	const struct program *p = v->p;
	int narrow = place == 0 ? i->a : place == 1 ? i->b : i->c;
	int64_t to = (int64_t)v->at + 1 + i->k;
	switch (letter) {
	case 'd':
	case 's':
	case 'D':
	case 'S':
		registers(v, narrow, operand_words(p, i, place, letter));
		break;
	case 'w':
		window(v, i);
		break;
	case 'n':
		narrow_number(v, i, place);
		break;
	case 'K':
		wide_number(v, i);
		break;
	case 'C':
		verify_index(v, "constant", i->k, p->constants);
		break;
	case 'J':
		if (to < 0 || to >= p->code_count || v->owner[to] != v->fn)
			verify_wrong(v, "jumps out of its function, to %lld", (long long)to);
		else if (p->code[to].op == OP_EXT)
			verify_wrong(v, "jumps into the middle of an instruction, at %lld", (long long)to);
		break;
	case 'F':
		verify_index(v, "function", i->k, p->fns);
		break;
	case 'E':
		verify_index(v, "event", i->k, p->events);
		break;
	case 'L':
		verify_index(v, "label", i->k, p->labels);
		break;
	case 'T':
		if (i->op != OP_REFUSE || p->observed) /* unobserved, nobody reads a reason */
			verify_index(v, "text", i->k, p->templates);
		break;
	case 'M':
		verify_index(v, "message", i->k, M_COUNT);
		break;
	case 'Y':
		if (verify_index(v, "kind", i->k, p->kinds) && !p->kind[i->k].live)
			verify_wrong(v, "%s is no live kind", p->kind[i->k].name);
		break;
	case 'f':
		field_operand(v, i, narrow);
		break;
	case 'p':
		verify_index(v, "pair field", narrow, p->pairs);
		break;
	case 't':
		verify_index(v, "field of templates", narrow, p->thing_fields);
		break;
	case 'q':
		verify_index(v, "table", narrow, p->tables);
		break;
	case 'x':
		if (i->op != OP_KEEP)
			verify_index(v, "kept value", narrow, p->kepts);
		break;
	default:
		verify_wrong(v, "its shape has a letter nobody knows: %c", letter);
	}
}

static void instruction(struct verifier *v)
{
	const struct program *p = v->p;
	const struct insn *i = &p->code[v->at];
	if (i->op >= OP_COUNT) {
		verify_wrong(v, "there is no operation %d", i->op);
		return;
	}
	const char *shape = op_table[i->op].shape;
	for (int place = 0; shape[place] && !v->bad; place++)
		if (shape[place] != '-')
			operand(v, i, place, shape[place]);
	if (i->op == OP_PROMPT)
		registers(v, (int64_t)i->b + 1, p->set_words);
	bool wide = i->op == OP_ROLL || i->op == OP_CHANCE || i->op == OP_TURNED ||
		i->op == OP_SKNOWN || i->op == OP_SOUGHT;
	if (wide && (v->at + 1 >= p->fn[v->fn].end || p->code[v->at + 1].op != OP_EXT))
		verify_wrong(v, "its wide operand is missing");
	/* CALLACT's own registers; its shape has no wide operand */
	if (i->op == OP_CALLACT)
		window(v, i);
}

static bool ends(uint16_t op)
{
	return op == OP_RET || op == OP_JMP || op == OP_LOOP || op == OP_HALT || op == OP_FATAL;
}

/* ---- functions ---- */

static void functions(struct verifier *v)
{
	const struct program *p = v->p;
	for (int32_t i = 0; i < p->code_count; i++)
		v->owner[i] = -1;
	for (v->fn = 0; v->fn < p->fns && !v->bad; v->fn++) {
		const struct fn_info *f = &p->fn[v->fn];
		if (!verify_range(v, "its instructions", f->entry, (int64_t)f->end - f->entry, p->code_count))
			break;
		if (f->end == f->entry)
			verify_wrong(v, "it is empty");
		if (f->arguments > f->registers)
			verify_wrong(v, "%u arguments do not fit %u registers", f->arguments, f->registers);
		for (int32_t i = f->entry; i < f->end && !v->bad; i++) {
			if (v->owner[i] >= 0)
				verify_wrong(v, "shares instruction %d with function %d", i, v->owner[i]);
			v->owner[i] = v->fn;
		}
	}
	v->fn = -1;
	for (int32_t i = 0; i < p->code_count && !v->bad; i++)
		if (v->owner[i] < 0)
			verify_wrong(v, "instruction %d belongs to no function", i);
	for (v->fn = 0; v->fn < p->fns && !v->bad; v->fn++) {
		const struct fn_info *f = &p->fn[v->fn];
		for (v->at = f->entry; v->at < f->end && !v->bad; v->at++)
			instruction(v);
		v->at = f->end - 1;
		if (!v->bad && !ends(p->code[v->at].op))
			verify_wrong(v, "runs on past its end");
		v->at = -1;
		if (v->bad)
			break;
	}
	v->fn = v->at = -1;
}

bool program_verify(const struct program *p, struct buf *why)
{
	struct verifier v = {.p = p, .why = why, .fn = -1, .at = -1};
	if (p->code_count <= 0 || p->fns <= 0) {
		buf_puts(why, "there is no code");
		return false;
	}
	v.owner = malloc(sizeof *v.owner * (size_t)p->code_count);
	if (!v.owner)
		abort();
	verify_tables(&v);
	if (!v.bad)
		functions(&v);
	free(v.owner);
	return !v.bad;
}
