/* disasm.c - a program as readable text.
 *
 * What an operand means is read from the instruction's shape (ops.def); what it names, from
 * the program's tables. It prints anything it is given: an operand out of range is shown as
 * its number with a question mark, so a program the verifier refused can be looked at. */
#include <string.h>

#include "runtime/base/diag.h"
#include "runtime/code/show.h"

static void quoted_add(const char *text, struct buf *out)
{
	buf_putc(out, '"');
	for (; text && *text; text++)
		if (*text == '\n')
			buf_puts(out, "\\n");
		else
			buf_putc(out, *text);
	buf_putc(out, '"');
}

/* A name from a table, or the number when there is no such row. */
#define NAMED(out, table, count, member, index) \
	((index) >= 0 && (index) < (count) && (table)[index].member ? buf_puts(out, (table)[index].member) \
	                                                            : buf_printf(out, "%lld?", (long long)(index)))

static void clause_add(const struct program *p, int clause, struct buf *out)
{
	if (clause >= 0 && clause < p->clauses)
		program_cite(p, clause, out);
	else if (clause == -1)
		buf_puts(out, "no clause");
	else
		buf_printf(out, "clause %d?", clause);
}

static void template_add(const struct program *p, int template, struct buf *out)
{
	if (template < 0 || template >= p->templates) {
		buf_printf(out, "text %d?", template);
		return;
	}
	struct buf text = {0};
	const struct template_info *t = &p->template_[template];
	for (int i = 0; i < t->count && t->first >= 0 && t->first <= p->pieces - t->count; i++) {
		const struct template_piece *piece = &p->piece[t->first + i];
		if (piece->text)
			buf_puts(&text, piece->text);
		if (piece->words > 0) {
			buf_putc(&text, '{');
			program_type(p, piece->type, &text);
			buf_putc(&text, '}');
		}
	}
	quoted_add(buf_text(&text), out);
	buf_free(&text);
}

static void field_add(const struct program *p, int field, struct buf *out)
{
	if (field < 0 || field >= p->fields) {
		buf_printf(out, "field %d?", field);
		return;
	}
	NAMED(out, p->kind, p->kinds, name, p->field[field].kind);
	buf_printf(out, "'s %s", p->field[field].name);
}

static void pair_add(const struct program *p, int pair, struct buf *out)
{
	NAMED(out, p->pair, p->pairs, name, pair);
	if (pair >= 0 && pair < p->pairs)
		buf_puts(out, p->pair[pair].directed ? " (one, to other)" : " (one, other)");
}

/* Constants carry no type: a number, and what it would be as a fraction if it can be one. */
static void constant_add(const struct program *p, int index, struct buf *out)
{
	if (index < 0 || index >= p->constants) {
		buf_printf(out, "constant %d?", index);
		return;
	}
	word v = p->constant[index];
	if (v == NONE) {
		buf_puts(out, "unset");
		return;
	}
	if (frac_sound(v) && v > INT32_MAX)
		buf_printf(out, "%lld/%lld or ", (long long)frac_top(v), (long long)frac_bottom(v));
	buf_printf(out, "%lld", (long long)v);
}

static void message_add(int id, struct buf *out)
{
	if (id >= 0 && id < M_COUNT)
		buf_printf(out, "%s %s", message_table[id].code, message_table[id].name);
	else
		buf_printf(out, "message %d?", id);
}

/* What the wide number of an instruction names, by instruction. */
static void wide_number_add(const struct program *p, const struct insn *i, int before, struct buf *out)
{
	static const char *const stage[] = {"costs", "before", "on", "after", "instead"};
	switch (i->op) {
	case OP_RULING:
		if (i->k < 0) {
			buf_puts(out, i->k == -2 ? "which of two acts comes first" : "what happens");
			break;
		}
		NAMED(out, p->question, p->questions, name, i->k);
		break;
	case OP_ASKED:
		NAMED(out, p->question, p->questions, name, i->k);
		break;
	case OP_BASE:
	case OP_LOST:
	case OP_ADJUST:
	case OP_BOUND:
	case OP_WHY:
		clause_add(p, i->k, out);
		break;
	case OP_PHASE:
		NAMED(out, p->phase, p->phases, name, i->k);
		break;
	case OP_STAGE:
		if (i->k >= 0 && i->k <= AT_INSTEAD)
			buf_puts(out, stage[i->k]);
		else
			buf_printf(out, "stage %d?", i->k);
		break;
	case OP_EXT:
		if (before == OP_TURNED) {
			NAMED(out, p->whenever, p->whenevers, text, i->k);
		} else if (before == OP_SOUGHT) {
			buf_printf(out, "filter %d", i->k);
		} else if (before == OP_SKNOWN) {
			NAMED(out, p->fn, p->fns, name, i->k);
		} else {
			buf_puts(out, "label ");
			NAMED(out, p->label, p->labels, name, i->k);
		}
		break;
	default:
		buf_printf(out, "%d", i->k);
	}
}

static void narrow_number_add(const struct program *p, const struct insn *i, int place, unsigned v, struct buf *out)
{
	if ((i->op == OP_CHOICE || i->op == OP_CHOSEN || i->op == OP_PROMPT) && place == 2 && v != UINT16_MAX) {
		NAMED(out, p->choice, p->choices, name, (int)v);
		return;
	}
	if (i->op == OP_KEYED && place == 2 && v < (unsigned)p->whenevers) {
		buf_puts(out, p->whenever[v].text);
		return;
	}
	if (i->op == OP_KEYED && place == 2 && v >= ONCE_EVENT && v - ONCE_EVENT < (unsigned)p->events) {
		buf_puts(out, p->event[v - ONCE_EVENT].name);
		return;
	}
	if (i->op == OP_OPEN && place == 1 && v < (unsigned)p->orders) {
		quoted_add(p->order[v].name, out);
		return;
	}
	buf_printf(out, "%d", v == UINT16_MAX ? -1 : (int)v);
}

static void operand_add(const struct program *p, int32_t at, int place, char letter, struct buf *out)
{
	const struct insn *i = &p->code[at];
	unsigned v = place == 0 ? i->a : place == 1 ? i->b : i->c;
	switch (letter) {
	case 'd':
	case 's':
		buf_printf(out, "r%u", v);
		break;
	case 'D':
	case 'S':
		buf_printf(out, "{r%u..}", v);
		break;
	case 'w':
		buf_printf(out, "r%u..", v);
		break;
	case 'n':
		narrow_number_add(p, i, place, v, out);
		break;
	case 'K':
		wide_number_add(p, i, at > 0 ? p->code[at - 1].op : OP_NOP, out);
		break;
	case 'C':
		constant_add(p, i->k, out);
		break;
	case 'J':
		buf_printf(out, "-> %lld", (long long)at + 1 + i->k);
		break;
	case 'F':
		NAMED(out, p->fn, p->fns, name, i->k);
		break;
	case 'E':
		NAMED(out, p->event, p->events, name, i->k);
		break;
	case 'L':
		NAMED(out, p->label, p->labels, name, i->k);
		break;
	case 'T':
		template_add(p, i->k, out);
		break;
	case 'M':
		message_add(i->k, out);
		break;
	case 'Y':
		NAMED(out, p->kind, p->kinds, plural, i->k);
		break;
	case 'f':
		field_add(p, (int)v, out);
		break;
	case 'p':
		pair_add(p, (int)v, out);
		break;
	case 't':
		NAMED(out, p->thing_field, p->thing_fields, name, (int)v);
		break;
	case 'q':
		NAMED(out, p->table, p->tables, name, (int)v);
		break;
	case 'x':
		if (v < (unsigned)p->kepts)
			buf_puts(out, p->kept[v]);
		else
			buf_printf(out, "kept %u?", v);
		break;
	default:
		buf_printf(out, "%c?", letter);
	}
}

void program_print_insn(const struct program *p, int32_t at, struct buf *out)
{
	const struct insn *i = &p->code[at];
	if (i->op >= OP_COUNT) {
		buf_printf(out, "  %5d  op %u?\n", at, i->op);
		return;
	}
	const struct op_info *info = &op_table[i->op];
	buf_printf(out, strcmp(info->shape, "---") == 0 ? "  %5d  %s" : "  %5d  %-8s", at, info->name);
	const char *comma = " ";
	for (int place = 0; info->shape[place]; place++) {
		if (info->shape[place] == '-')
			continue;
		buf_puts(out, comma);
		operand_add(p, at, place, info->shape[place], out);
		comma = ", ";
	}
	buf_putc(out, '\n');
}

void program_print(const struct program *p, struct buf *out)
{
	buf_printf(out, "-- %s: %s, %s\n", p->script ? p->script : "", p->encounter ? p->encounter : "", p->ruleset ? p->ruleset : "");
	buf_printf(out, "-- %d instructions, %d functions, %d fields, %d events, %d clauses; the world is %u words\n",
		p->code_count, p->fns, p->fields, p->events, p->clauses, p->layout.words);
	for (int f = 0; f < p->fns; f++) {
		const struct fn_info *fn = &p->fn[f];
		buf_printf(out, "\n%s:  -- function %d: %u arguments, %u results, %u registers%s\n", fn->name ? fn->name : "?", f, fn->arguments, fn->results,
			fn->registers, f == p->main_fn ? "; where the run begins" : "");
		for (int32_t at = fn->entry < 0 ? 0 : fn->entry; at < fn->end && at < p->code_count; at++)
			program_print_insn(p, at, out);
	}
}
