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
#include "runtime/code/show.h"

struct verifier {
	const struct program *p;
	struct buf *why;
	int32_t fn, at;        /* being looked at; -1 when a table is */
	int32_t *owner;        /* function of each instruction, -1 */
	bool bad;
};

static void FRAY_PRINTF(2, 3) wrong(struct verifier *v, const char *format, ...)
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

static bool within(struct verifier *v, const char *what, int64_t index, int64_t count)
{
	if (index >= 0 && index < count)
		return true;
	wrong(v, "there is no %s %lld (of %lld)", what, (long long)index, (long long)count);
	return false;
}

/* As `within`, but -1 stands for none. */
static bool within_or_none(struct verifier *v, const char *what, int64_t index, int64_t count)
{
	return index == -1 || within(v, what, index, count);
}

/* `first` to `first + count` lie within a table of `rows`. */
static bool range(struct verifier *v, const char *what, int64_t first, int64_t count, int64_t rows)
{
	if (first >= 0 && count >= 0 && first <= rows && count <= rows - first)
		return true;
	wrong(v, "%s %lld..%lld lie outside the table (of %lld)", what, (long long)first, (long long)(first + count), (long long)rows);
	return false;
}

static bool type_good(struct verifier *v, const char *what, struct vtype t)
{
	const struct program *p = v->p;
	if (t.base >= VT_BASES)
		return wrong(v, "%s: no such type %d", what, t.base), false;
	if (t.base == VT_COUNT)
		return within(v, "unit", t.kind, p->units);
	if (t.base == VT_LIVE || t.base == VT_SET) {
		if (!within(v, "kind", t.kind, p->kinds))
			return false;
		return p->kind[t.kind].live || (wrong(v, "%s: %s is no live kind", what, p->kind[t.kind].name), false);
	}
	return true;
}

/* ---- operands ---- */

static void registers(struct verifier *v, int64_t first, int64_t count)
{
	int64_t have = v->p->fn[v->fn].registers;
	if (count > 0 && first + count > have)
		wrong(v, "register %lld is past the function's %lld", (long long)(first + count - 1), (long long)have);
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
	case OP_RULING:
	case OP_STP:
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
		if (within(v, "function", i->k, p->fns)) {
			const struct fn_info *f = &p->fn[i->k];
			need = 2 + (int64_t)f->arguments;
			if (f->results > need)
				need = f->results;
		}
		break;
	case OP_CALLACT: /* the act and its stage behind two words for the way back */
		need = 4;
		break;
	case OP_ENTER:
		if (within(v, "event", i->k, p->events))
			need = p->event[i->k].words;
		break;
	case OP_ASKED:
		if (within(v, "question", i->k, p->questions))
			need = question_words(p, &p->question[i->k]);
		break;
	default: /* NOTE, REFER, TELL */
		if (within(v, "text", i->k, p->templates))
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
			wrong(v, "there is no question %d", i->k);
		break;
	case OP_BASE:
	case OP_LOST:
	case OP_ADJUST:
	case OP_BOUND:
	case OP_WHY:
		within_or_none(v, "clause", i->k, p->clauses);
		break;
	case OP_PHASE:
		within(v, "phase", i->k, p->phases);
		break;
	case OP_STAGE:
		within(v, "stage", i->k, AT_STAGES);
		break;
	case OP_DIRTY:
		if (i->k < 0)
			wrong(v, "there is no condition %d", i->k);
		break;
	case OP_EXT: {
		int before = v->at > 0 && v->owner[v->at - 1] == v->fn ? p->code[v->at - 1].op : OP_NOP;
		if (before == OP_TURNED)
			within(v, "condition", i->k, p->whenevers);
		else if (before == OP_ROLL || before == OP_CHANCE)
			within(v, "label", i->k, p->labels);
		else
			wrong(v, "nothing before it needs a wide operand");
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
			within(v, "order", i->b, p->orders);
		else if (i->op == OP_KEEP)
			within(v, "slot", i->b, 16);
		return;
	}
	switch (i->op) {
	case OP_ROUND:
		within(v, "rounding", i->c, 3);
		break;
	case OP_CHOICE:
	case OP_CHOSEN:
	case OP_PROMPT:
		if (i->c != UINT16_MAX)
			within(v, "choice", i->c, p->choices);
		break;
	case OP_KEYED:
		if (i->c != UINT16_MAX)
			within(v, "condition", i->c, p->whenevers);
		break;
	case OP_LDA:
	case OP_STA:
		within(v, "argument word", i->c, p->layout.act_arg_words);
		break;
	case OP_MEMBER: /* 9 asks how many there are */
		if (i->c != 9)
			within(v, "stage", i->c, AT_STAGES);
		break;
	case OP_BEGIN:
	case OP_END:
		within(v, "stage", i->c, AT_STAGES);
		break;
	case OP_VOID:
		within(v, "reason", i->c, VOID_CANCELLED + 1);
		break;
	case OP_DECLARE:
		within(v, "source of a choice", i->c, BY_DEFAULT + 1);
		break;
	default:
		break;
	}
}

/* A live field and what the instruction takes it for. */
static void field_operand(struct verifier *v, const struct insn *i, int field)
{
	const struct program *p = v->p;
	if (!within(v, "field", field, p->fields))
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
		wrong(v, "field %s is not of the sort it works on", p->field[field].name);
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
		within(v, "constant", i->k, p->constants);
		break;
	case 'J':
		if (to < 0 || to >= p->code_count || v->owner[to] != v->fn)
			wrong(v, "jumps out of its function, to %lld", (long long)to);
		else if (p->code[to].op == OP_EXT)
			wrong(v, "jumps into the middle of an instruction, at %lld", (long long)to);
		break;
	case 'F':
		within(v, "function", i->k, p->fns);
		break;
	case 'E':
		within(v, "event", i->k, p->events);
		break;
	case 'L':
		within(v, "label", i->k, p->labels);
		break;
	case 'T':
		within(v, "text", i->k, p->templates);
		break;
	case 'M':
		within(v, "message", i->k, M_COUNT);
		break;
	case 'Y':
		if (within(v, "kind", i->k, p->kinds) && !p->kind[i->k].live)
			wrong(v, "%s is no live kind", p->kind[i->k].name);
		break;
	case 'f':
		field_operand(v, i, narrow);
		break;
	case 'p':
		within(v, "pair field", narrow, p->pairs);
		break;
	case 't':
		within(v, "field of templates", narrow, p->thing_fields);
		break;
	case 'q':
		within(v, "table", narrow, p->tables);
		break;
	case 'x':
		if (i->op != OP_KEEP)
			within(v, "kept value", narrow, p->kepts);
		break;
	default:
		wrong(v, "its shape has a letter nobody knows: %c", letter);
	}
}

static void instruction(struct verifier *v)
{
	const struct program *p = v->p;
	const struct insn *i = &p->code[v->at];
	if (i->op >= OP_COUNT) {
		wrong(v, "there is no operation %d", i->op);
		return;
	}
	const char *shape = op_table[i->op].shape;
	for (int place = 0; shape[place] && !v->bad; place++)
		if (shape[place] != '-')
			operand(v, i, place, shape[place]);
	if (i->op == OP_PROMPT)
		registers(v, (int64_t)i->b + 1, p->set_words);
	bool wide = i->op == OP_ROLL || i->op == OP_CHANCE || i->op == OP_TURNED;
	if (wide && (v->at + 1 >= p->fn[v->fn].end || p->code[v->at + 1].op != OP_EXT))
		wrong(v, "its wide operand is missing");
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
		if (!range(v, "its instructions", f->entry, (int64_t)f->end - f->entry, p->code_count))
			break;
		if (f->end == f->entry)
			wrong(v, "it is empty");
		if (f->arguments > f->registers)
			wrong(v, "%u arguments do not fit %u registers", f->arguments, f->registers);
		for (int32_t i = f->entry; i < f->end && !v->bad; i++) {
			if (v->owner[i] >= 0)
				wrong(v, "shares instruction %d with function %d", i, v->owner[i]);
			v->owner[i] = v->fn;
		}
	}
	v->fn = -1;
	for (int32_t i = 0; i < p->code_count && !v->bad; i++)
		if (v->owner[i] < 0)
			wrong(v, "instruction %d belongs to no function", i);
	for (v->fn = 0; v->fn < p->fns && !v->bad; v->fn++) {
		const struct fn_info *f = &p->fn[v->fn];
		for (v->at = f->entry; v->at < f->end && !v->bad; v->at++)
			instruction(v);
		v->at = f->end - 1;
		if (!v->bad && !ends(p->code[v->at].op))
			wrong(v, "runs on past its end");
		v->at = -1;
		if (v->bad)
			break;
	}
	v->fn = v->at = -1;
}

/* ---- tables ---- */

/* A function taking and giving so many words. */
static void function_row(struct verifier *v, const char *what, int32_t fn, int64_t arguments, int64_t results)
{
	const struct program *p = v->p;
	if (!within_or_none(v, what, fn, p->fns) || fn < 0)
		return;
	if (p->fn[fn].arguments > arguments || p->fn[fn].results > results)
		wrong(v, "%s: %s takes %u and gives %u words, not %lld and %lld", what, p->fn[fn].name, p->fn[fn].arguments, p->fn[fn].results,
			(long long)arguments, (long long)results);
}

static void event_row(struct verifier *v, const struct event_info *e)
{
	const struct program *p = v->p;
	if (e->roles > EVENT_ROLES || e->slots > 16 || e->words > ACT_WORDS * 4) {
		wrong(v, "event %s has more roles or slots than there is room for", e->name);
		return;
	}
	for (int i = 0; i < e->roles; i++) {
		const struct role_info *r = &e->role[i];
		if (!type_good(v, e->name, r->type) || !within_or_none(v, "field", r->field, p->fields))
			return;
		if (r->word + program_type_words(p, r->type) > e->words)
			wrong(v, "event %s: %s does not fit its %u words", e->name, r->name, e->words);
	}
	for (int i = 0; i < e->slots; i++)
		if (!type_good(v, e->name, e->slot_type[i]) || !within(v, "kept value", e->slot_name[i], p->kepts))
			return;
	function_row(v, "act function", e->act_fn, 2, 1);
	function_row(v, "performing function", e->perform_fn, UINT16_MAX, UINT16_MAX);
	function_row(v, "legality function", e->legal_fn, UINT16_MAX, UINT16_MAX);
}

static int64_t kind_rows(const struct program *p, int kind)
{
	return kind >= 32 ? 0 : kind == KIND_ACT ? (int64_t)p->layout.act_count : (int64_t)p->layout.kind[kind].count;
}

static void field_row(struct verifier *v, const struct field_info *f)
{
	const struct program *p = v->p;
	if (!within(v, "kind", f->kind, p->kinds < 32 ? p->kinds : 32) || !type_good(v, f->name, f->type))
		return;
	int64_t rows = kind_rows(p, f->kind), words = f->type.base == VT_SET ? p->set_words : 1;
	if (f->words < words)
		wrong(v, "field %s has %u words, not %lld", f->name, f->words, (long long)words);
	if (rows > 0)
		range(v, f->name, f->base, (rows - 1) * (int64_t)f->stride + f->words, p->layout.words);
}

static void layout(struct verifier *v)
{
	const struct program *p = v->p;
	const struct layout *l = &p->layout;
	int64_t words = l->words;
	range(v, "the stack", l->stack, l->stack_words, words);
	range(v, "the happenings", l->happenings, l->happening_words, words);
	range(v, "the lists", l->lists, l->list_depth, words);
	range(v, "the conditions", l->conditions, l->condition_words, words);
	range(v, "the acts", l->acts, (int64_t)l->act_stride * l->act_count, words);
	if (l->act_args + (int64_t)l->act_arg_words > l->act_stride && l->act_count > 0)
		wrong(v, "an act's arguments do not fit its %u words", l->act_stride);
	range(v, "places in the forced dice", l->forced, p->forceds, words);
	range(v, "places in the forced choices", l->choices, p->forced_choices, words);
	for (int k = 0; k < p->kinds && k < 32; k++)
		if (k != KIND_ACT && l->kind[k].count > 0)
			range(v, p->kind[k].name, l->kind[k].base, (int64_t)l->kind[k].stride * l->kind[k].count, words);
}

static void forced_rows(struct verifier *v)
{
	const struct program *p = v->p;
	for (int i = 0; i < p->forceds && !v->bad; i++) {
		const struct forced_die *f = &p->forced[i];
		within(v, "label", f->label, p->labels);
		within_or_none(v, "block", f->block, p->blocks);
		range(v, "forced faces", f->first, f->count, p->pips_count);
		for (int k = 0; k < f->count && !v->bad; k++) {
			const struct pips *x = &p->pips[f->first + k];
			/* a total is one number in the same table */
			range(v, "faces", x->first, x->faces > 0 ? x->faces : 1, p->pip_face_count);
		}
	}
	for (int i = 0; i < p->forced_choices && !v->bad; i++) {
		const struct forced_choice *f = &p->forced_choice[i];
		within(v, "choice", f->choice, p->choices);
		within_or_none(v, "block", f->block, p->blocks);
		range(v, "answers", f->first, f->count, p->answer_count);
	}
}

static void table_row(struct verifier *v, const struct table_info *t)
{
	const struct program *p = v->p;
	if (!range(v, t->name, t->first, t->rows, p->table_rows))
		return;
	for (int i = 0; i < t->rows && !v->bad; i++)
		range(v, t->name, p->table_row[t->first + i].values, t->columns > 0 ? t->columns : 1, p->table_word_count);
}

static void thing_rows(struct verifier *v)
{
	const struct program *p = v->p;
	for (int i = 0; i < p->thing_fields && !v->bad; i++)
		type_good(v, p->thing_field[i].name, p->thing_field[i].type);
	for (int i = 0; i < p->things && !v->bad; i++) {
		int32_t parent = p->thing[i].parent;
		within_or_none(v, "thing", parent, p->things);
		for (int steps = 0; parent >= 0 && parent < p->things && !v->bad; parent = p->thing[parent].parent)
			if (++steps > p->things)
				wrong(v, "%s inherits from itself", p->thing[i].name);
		for (int k = 0; k < p->thing_fields && !v->bad; k++) {
			word list = p->thing_words[(int64_t)i * p->thing_fields + k];
			if (p->thing_field[k].type.base != VT_LIST || list == NONE)
				continue;
			if (within(v, "list", list, p->list_word_count))
				range(v, "a list's things", list + 1, p->list_words[list], p->list_word_count);
		}
	}
}

static void tables(struct verifier *v)
{
	const struct program *p = v->p;
	within(v, "main function", p->main_fn, p->fns);
	if (p->set_words < 1 || p->set_words > 1024)
		wrong(v, "a set cannot have %d words", p->set_words);
	if (p->kinds < KIND_FIRST_DECLARED || p->kinds > 32)
		wrong(v, "%d kinds", p->kinds);
	layout(v);
	for (int i = 0; i < p->fields && !v->bad; i++)
		field_row(v, &p->field[i]);
	for (int i = 0; i < p->pairs && !v->bad; i++)
		if (type_good(v, p->pair[i].name, p->pair[i].type))
			range(v, p->pair[i].name, p->pair[i].base, (int64_t)p->pair[i].side * p->pair[i].side, p->layout.words);
	thing_rows(v);
	for (int i = 0; i < p->events && !v->bad; i++)
		event_row(v, &p->event[i]);
	for (int i = 0; i < p->questions && !v->bad; i++) {
		const struct question_info *q = &p->question[i];
		if (q->params > EVENT_ROLES) {
			wrong(v, "question %s has %u parameters", q->name, q->params);
			break;
		}
		for (int k = 0; k < q->params; k++)
			type_good(v, q->name, q->param[k]);
		type_good(v, q->name, q->type);
		within_or_none(v, "function", q->fn, p->fns);
	}
	for (int i = 0; i < p->labels && !v->bad; i++)
		type_good(v, p->label[i].name, p->label[i].owner);
	for (int i = 0; i < p->choices && !v->bad; i++)
		type_good(v, p->choice[i].name, p->choice[i].type);
	for (int i = 0; i < p->clauses && !v->bad; i++)
		within_or_none(v, "question", p->clause[i].question, p->questions);
	for (int i = 0; i < p->templates && !v->bad; i++)
		range(v, "pieces", p->template_[i].first, p->template_[i].count, p->pieces);
	for (int i = 0; i < p->pieces && !v->bad; i++)
		if (p->piece[i].words > 0 && type_good(v, "a text's value", p->piece[i].type) && p->piece[i].words < program_type_words(p, p->piece[i].type))
			wrong(v, "piece %d of the texts is too short for its value", i);
	for (int i = 0; i < p->orders && !v->bad; i++) {
		if (p->order[i].keys > ORDER_KEYS)
			wrong(v, "order %s has %u keys", p->order[i].name, p->order[i].keys);
		function_row(v, "keys", p->order[i].key_fn, 1, ORDER_KEYS);
		function_row(v, "pair clauses", p->order[i].pair_fn, 2, 2);
	}
	for (int i = 0; i < p->tables && !v->bad; i++)
		table_row(v, &p->table[i]);
	for (int i = 0; i < p->phases && !v->bad; i++)
		within_or_none(v, "function", p->phase[i].fn, p->fns);
	for (int i = 0; i < p->whenevers && !v->bad; i++)
		within_or_none(v, "clause", p->whenever[i].clause, p->clauses);
	forced_rows(v);
	for (int k = 0; k < 32 && !v->bad; k++)
		for (int i = 0; p->live[k] && i < p->lives[k] && !v->bad; i++)
			within_or_none(v, "thing", p->live[k][i].thing, p->things);
	within_or_none(v, "unit", p->shown_unit, p->units);
	within(v, "field", p->at.act_actor, p->fields);
	within(v, "field", p->at.round_number, p->fields);
	within(v, "field", p->at.round_start, p->fields);
	within_or_none(v, "question", p->at.act_time_question, p->questions);
	within_or_none(v, "question", p->at.void_question, p->questions);
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
	tables(&v);
	if (!v.bad)
		functions(&v);
	free(v.owner);
	return !v.bad;
}
