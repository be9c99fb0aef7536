/* extends.c - see extends.h. Tables are compared row by row: each of p's has to be there with
 * its number. */
#include <string.h>

#include "runtime/world/extends.h"
#include "runtime/world/block.h"

static bool text_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool type_same(struct vtype a, struct vtype b)
{
	return a.base == b.base && a.frac == b.frac && a.kind == b.kind;
}

/* Calls SAME for each row of p with that of `more`. */
#define ROWS(type, rows, count, SAME)                                \
	do {                                                             \
		if (p->count > more->count)                                  \
			return false;                                            \
		for (int32_t i = 0; i < p->count; i++) {                     \
			const struct type *a = &p->rows[i], *b = &more->rows[i]; \
			if (!(SAME))                                             \
				return false;                                        \
		}                                                            \
	} while (0)

static bool words_same(const word *a, const word *b, int64_t n, int64_t of)
{
	return n <= of && (n == 0 || !memcmp(a, b, (size_t)n * sizeof *a));
}

/* ---- code ---- */

static bool code_same(const struct program *p, const struct program *more)
{
	const int32_t n = p->before_typed;
	if (n <= 0 || n != more->before_typed || p->fns_before_typed != more->fns_before_typed)
		return false;
	if (memcmp(p->code, more->code, (size_t)n * sizeof *p->code))
		return false;
	for (int32_t i = 0; i < n; i++) {
		const struct insn *x = &p->code[i];
		const char wide = op_table[x->op].shape[1];
		if (wide == 'C' && p->constant[x->k] != more->constant[x->k])
			return false;
		if (x->op == OP_RANK && p->texts != more->texts) /* a place among all texts */
			return false;
	}
	for (int32_t i = 0; i < p->fns_before_typed; i++) {
		const struct fn_info *a = &p->fn[i], *b = &more->fn[i];
		const bool own = a->entry < n;
		if (!text_same(a->name, b->name) || own != (b->entry < n))
			return false;
		if (own && (a->entry != b->entry || a->end != b->end || a->registers != b->registers))
			return false;
		if (a->arguments != b->arguments || a->results != b->results)
			return false;
	}
	return true;
}

/* The function is the same, or nobody who was played calls it. */
static bool fn_same(const struct program *p, int32_t a, int32_t b, const struct program *more)
{
	if (a < 0 || b < 0)
		return a == b || (a < 0 && more->fn[b].entry >= p->before_typed);
	const bool own = p->fn[a].entry < p->before_typed, too = more->fn[b].entry < p->before_typed;
	return own || too ? a == b : true;
}

/* ---- what records and worlds speak of ---- */

static bool role_same(const struct role_info *a, const struct role_info *b)
{
	return text_same(a->name, b->name) && type_same(a->type, b->type) && a->field == b->field &&
	       a->word == b->word;
}

static bool event_same(const struct event_info *a, const struct event_info *b)
{
	if (!text_same(a->name, b->name) || a->action != b->action || a->roles != b->roles ||
	    a->words != b->words || a->slots != b->slots)
		return false;
	if (a->perform_fn != b->perform_fn || a->legal_fn != b->legal_fn ||
	    memcmp(a->stage_fn, b->stage_fn, sizeof a->stage_fn))
		return false;
	for (int i = 0; i < a->roles; i++)
		if (!role_same(&a->role[i], &b->role[i]))
			return false;
	for (int i = 0; i < a->slots && i < 16; i++)
		if (a->slot_name[i] != b->slot_name[i] || a->slot_initial[i] != b->slot_initial[i])
			return false;
	return a->told == b->told && a->waiting == b->waiting && a->idle == b->idle;
}

static bool field_same(const struct field_info *a, const struct field_info *b)
{
	return text_same(a->name, b->name) && a->kind == b->kind && type_same(a->type, b->type) &&
	       a->base == b->base && a->stride == b->stride && a->words == b->words &&
	       a->shared == b->shared && a->hidden == b->hidden && a->kept == b->kept &&
	       a->touches == b->touches && a->settled == b->settled && a->lead == b->lead &&
	       span_same(&a->span, &b->span) && a->option == b->option && a->common == b->common &&
	       a->usual == b->usual;
}

static bool pair_same(const struct pair_info *a, const struct pair_info *b)
{
	return text_same(a->name, b->name) && a->kind == b->kind && a->directed == b->directed &&
	       a->base == b->base && a->side == b->side && type_same(a->type, b->type) &&
	       a->touches == b->touches;
}

static bool clause_same(const struct clause_info *a, const struct clause_info *b)
{
	return text_same(a->rule, b->rule) && text_same(a->module, b->module) &&
	       text_same(a->cite, b->cite) && text_same(a->ruling, b->ruling) &&
	       text_same(a->text, b->text) && span_same(&a->span, &b->span) && a->layer == b->layer &&
	       a->sort == b->sort && a->conditional == b->conditional && a->question == b->question &&
	       a->option == b->option;
}

static bool question_same(const struct question_info *a, const struct question_info *b)
{
	return text_same(a->name, b->name) && a->params == b->params && type_same(a->type, b->type) &&
	       a->of_subject == b->of_subject && a->is_answer == b->is_answer && a->stored == b->stored;
}

static bool events_same(const struct program *p, const struct program *more)
{
	ROWS(event_info, event, events, event_same(a, b));
	ROWS(question_info, question, questions, question_same(a, b) && fn_same(p, a->fn, b->fn, more));
	ROWS(clause_info, clause, clauses, clause_same(a, b));
	ROWS(label_info, label, labels,
	    text_same(a->name, b->name) && a->hash == b->hash && type_same(a->owner, b->owner));
	ROWS(choice_info, choice, choices, text_same(a->name, b->name) && type_same(a->type, b->type));
	ROWS(phase_info, phase, phases, text_same(a->name, b->name) && a->fn == b->fn);
	ROWS(order_info, order, orders,
	    fn_same(p, a->key_fn, b->key_fn, more) && fn_same(p, a->pair_fn, b->pair_fn, more) &&
	        a->keys == b->keys);
	ROWS(dice_info, dice, dices, text_same(a->text, b->text));
	ROWS(template_piece, piece, pieces,
	    text_same(a->text, b->text) && type_same(a->type, b->type) && a->words == b->words);
	ROWS(template_info, template_, templates,
	    a->first == b->first && a->count == b->count && span_same(&a->span, &b->span));
	ROWS(option_info, option, options,
	    text_same(a->name, b->name) && text_same(a->value, b->value) && a->set == b->set);
	ROWS(unit_info, unit, units,
	    text_same(a->name, b->name) && a->num == b->num && a->den == b->den);
	return p->events == more->events && p->options == more->options;
}

static bool texts_same(const struct program *p, const struct program *more)
{
	if (p->texts > more->texts || p->kepts > more->kepts)
		return false;
	for (int32_t i = 0; i < p->texts; i++)
		if (!text_same(p->text[i], more->text[i]))
			return false;
	for (int32_t i = 0; i < p->kepts; i++)
		if (!text_same(p->kept[i], more->kept[i]))
			return false;
	return true;
}

static bool things_same(const struct program *p, const struct program *more)
{
	ROWS(thing_info, thing, things,
	    text_same(a->name, b->name) && a->kind == b->kind && a->parent == b->parent);
	ROWS(thing_field, thing_field, thing_fields,
	    text_same(a->name, b->name) && a->kind == b->kind && type_same(a->type, b->type));
	ROWS(table_info, table, tables,
	    text_same(a->name, b->name) && a->first == b->first && a->rows == b->rows &&
	        a->column == b->column && a->columns == b->columns);
	ROWS(table_row, table_row, table_rows,
	    a->from == b->from && a->to == b->to && a->over == b->over && a->values == b->values);
	for (int k = 0; k < 32; k++) {
		if (p->lives[k] != more->lives[k])
			return false;
		for (int32_t i = 0; i < p->lives[k]; i++)
			if (p->live[k][i].hash != more->live[k][i].hash ||
			    p->live[k][i].thing != more->live[k][i].thing ||
			    !text_same(p->live[k][i].name, more->live[k][i].name))
				return false;
	}
	return p->thing_fields == more->thing_fields && p->kinds == more->kinds &&
	       words_same(p->thing_words, more->thing_words, (int64_t)p->things * p->thing_fields,
	           (int64_t)more->things * more->thing_fields) &&
	       words_same(p->list_words, more->list_words, p->list_word_count, more->list_word_count) &&
	       words_same(
	           p->table_words, more->table_words, p->table_word_count, more->table_word_count);
}

/* ---- the script ---- */

/* Rulings that begin with a block of p, or with the fight. */
static bool beats_same(const struct program *p, const struct program *more)
{
	int32_t n = 0;
	for (int32_t i = 0; i < more->beats_count; i++) {
		const struct beats_info *b = &more->beats[i], *a = &p->beats[n];
		if (b->from >= p->blocks)
			continue;
		if (n++ >= p->beats_count || a->over != b->over || a->under != b->under ||
		    a->from != b->from || a->until != b->until)
			return false;
	}
	return n == p->beats_count;
}

static bool script_same(const struct program *p, const struct program *more)
{
	ROWS(block_info, block, blocks,
	    a->field == b->field && a->ordinal == b->ordinal && a->lasting == b->lasting &&
	        a->only == b->only && span_same(&a->span, &b->span));
	for (int32_t i = p->blocks; i < more->blocks; i++)
		if (!more->block[i].lasting)
			return false;
	ROWS(forced_die, forced, forceds,
	    a->label == b->label && a->owner == b->owner && a->block == b->block &&
	        a->first == b->first && a->count == b->count);
	ROWS(pips, pips, pips_count,
	    a->first == b->first && a->faces == b->faces && span_same(&a->span, &b->span));
	ROWS(forced_choice, forced_choice, forced_choices,
	    a->choice == b->choice && a->owner == b->owner && a->block == b->block &&
	        a->first == b->first && a->count == b->count);
	return p->whenevers == more->whenevers && beats_same(p, more) &&
	       words_same(p->answers, more->answers, p->answer_count, more->answer_count);
}

static bool whenevers_same(const struct program *p, const struct program *more)
{
	ROWS(whenever_info, whenever, whenevers,
	    text_same(a->text, b->text) && a->clause == b->clause && a->fn == b->fn &&
	        a->first == b->first && a->params == b->params);
	return true;
}

/* ---- the world ---- */

static bool new_field(const struct program *p, const struct program *more, uint32_t at)
{
	for (int32_t i = p->fields; i < more->fields; i++) {
		const struct field_info *f = &more->field[i];
		if (at >= f->base && at < f->base + f->words && f->kind == KIND_ENCOUNTER)
			return true;
	}
	return false;
}

static bool world_same(const struct program *p, const struct program *more)
{
	ROWS(field_info, field, fields, field_same(a, b));
	ROWS(pair_info, pair, pairs, pair_same(a, b));
	for (int32_t i = p->fields; i < more->fields; i++)
		if (more->field[i].kind != KIND_ENCOUNTER || !more->field[i].hidden)
			return false;
	if (memcmp(&p->layout, &more->layout, sizeof p->layout) ||
	    memcmp(&p->at, &more->at, sizeof p->at))
		return false;
	for (uint32_t i = H_PROGRAM + 1; i < p->layout.words; i++)
		if (p->start[i] != more->start[i] && !new_field(p, more, i))
			return false;
	return true;
}

bool program_extends(const struct program *p, const struct program *more)
{
	return p->observed && more->observed && p->set_words == more->set_words &&
	       p->main_fn == more->main_fn && p->script_rounds == more->script_rounds &&
	       p->shown_unit == more->shown_unit && world_same(p, more) && code_same(p, more) &&
	       events_same(p, more) && texts_same(p, more) && things_same(p, more) &&
	       script_same(p, more) && whenevers_same(p, more);
}

void program_extend_world(const struct program *p, const struct program *more, word *world)
{
	world[H_PROGRAM] = (word)more->id;
	for (int32_t i = p->fields; i < more->fields; i++) {
		const struct field_info *f = &more->field[i];
		memcpy(world + f->base, more->start + f->base, f->words * sizeof *world);
	}
}
