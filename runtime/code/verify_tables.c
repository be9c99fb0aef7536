/* verify_tables.c - are a program's tables consistent? Every index names a row, every run of
 * rows lies within its table, every part of the world within the block. */
#include "runtime/code/show.h"
#include "runtime/code/verify.h"

static bool type_good(struct verifier *v, const char *what, struct vtype t)
{
	const struct program *p = v->p;
	if (t.base >= VT_BASES)
		return verify_wrong(v, "%s: no such type %d", what, t.base), false;
	if (t.base == VT_COUNT)
		return verify_index(v, "unit", t.kind, p->units);
	if (t.base == VT_LIVE || t.base == VT_SET) {
		if (!verify_index(v, "kind", t.kind, p->kinds))
			return false;
		return p->kind[t.kind].live || (verify_wrong(v, "%s: %s is no live kind", what, p->kind[t.kind].name), false);
	}
	return true;
}

/* A function taking and giving so many words. */
static void function_row(struct verifier *v, const char *what, int32_t fn, int64_t arguments, int64_t results)
{
	const struct program *p = v->p;
	if (!verify_optional(v, what, fn, p->fns) || fn < 0)
		return;
	if (p->fn[fn].arguments > arguments || p->fn[fn].results > results)
		verify_wrong(v, "%s: %s takes %u and gives %u words, not %lld and %lld", what, p->fn[fn].name, p->fn[fn].arguments, p->fn[fn].results,
			(long long)arguments, (long long)results);
}

static void event_row(struct verifier *v, const struct event_info *e)
{
	const struct program *p = v->p;
	if (e->roles > EVENT_ROLES || e->slots > 16 || e->words > ACT_WORDS * 4) {
		verify_wrong(v, "event %s has more roles or slots than there is room for", e->name);
		return;
	}
	for (int i = 0; i < e->roles; i++) {
		const struct role_info *r = &e->role[i];
		if (!type_good(v, e->name, r->type) || !verify_optional(v, "field", r->field, p->fields))
			return;
		if (r->word + program_type_words(p, r->type) > e->words)
			verify_wrong(v, "event %s: %s does not fit its %u words", e->name, r->name, e->words);
	}
	for (int i = 0; i < e->slots; i++)
		if (!type_good(v, e->name, e->slot_type[i]) || !verify_index(v, "kept value", e->slot_name[i], p->kepts))
			return;
	for (int i = 0; i <= AT_STAGES; i++)
		function_row(v, "stage function", e->stage_fn[i], UINT16_MAX, 1);
	for (int i = 0; i <= AT_STAGES; i++)
		if (e->stage_fn[i] >= 0 && e->stage_fn[i] < p->fns && p->fn[e->stage_fn[i]].arguments != e->words + (i == AT_STAGES))
			verify_wrong(v, "event %s: a stage takes other arguments", e->name);
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
	if (!verify_index(v, "kind", f->kind, p->kinds < 32 ? p->kinds : 32) || !type_good(v, f->name, f->type))
		return;
	int64_t rows = kind_rows(p, f->kind), words = f->type.base == VT_SET ? p->set_words : 1;
	if (f->words < words)
		verify_wrong(v, "field %s has %u words, not %lld", f->name, f->words, (long long)words);
	if (rows > 0)
		verify_range(v, f->name, f->base, (rows - 1) * (int64_t)f->stride + f->words, p->layout.words);
}

static void layout(struct verifier *v)
{
	const struct program *p = v->p;
	const struct layout *l = &p->layout;
	int64_t words = l->words;
	verify_range(v, "the stack", l->stack, l->stack_words, words);
	verify_range(v, "the happenings", l->happenings, l->happening_words, words);
	verify_range(v, "the lists", l->lists, l->list_depth, words);
	verify_range(v, "the conditions", l->conditions, l->condition_words, words);
	verify_range(v, "the acts", l->acts, l->act_stride * ((int64_t)l->act_count + 1), words); /* with their pattern */
	if (l->act_stride < ACT_LEAST && l->act_count > 0)
		verify_wrong(v, "an act of %u words is too short", l->act_stride);
	if (l->act_args + (int64_t)l->act_arg_words > l->act_stride && l->act_count > 0)
		verify_wrong(v, "an act's arguments do not fit its %u words", l->act_stride);
	verify_range(v, "places in the forced dice", l->forced, p->forceds, words);
	verify_range(v, "places in the forced choices", l->choices, p->forced_choices, words);
}

static void forced_rows(struct verifier *v)
{
	const struct program *p = v->p;
	for (int i = 0; i < p->forceds && !v->bad; i++) {
		const struct forced_die *f = &p->forced[i];
		verify_index(v, "label", f->label, p->labels);
		verify_optional(v, "block", f->block, p->blocks);
		verify_range(v, "forced faces", f->first, f->count, p->pips_count);
		for (int k = 0; k < f->count && !v->bad; k++) {
			const struct pips *x = &p->pips[f->first + k];
			/* a total is one number in the same table */
			verify_range(v, "faces", x->first, x->faces > 0 ? x->faces : 1, p->pip_face_count);
		}
	}
	for (int i = 0; i < p->numbereds && !v->bad; i++) {
		const struct numbered_die *d = &p->numbered[i];
		verify_index(v, "label", d->label, p->labels);
		verify_optional(v, "block", d->block, p->blocks);
		if (!verify_index(v, "forced faces", d->pips, p->pips_count))
			break;
		const struct pips *x = &p->pips[d->pips];
		verify_range(v, "faces", x->first, x->faces > 0 ? x->faces : 1, p->pip_face_count);
	}
	for (int i = 0; i < p->forced_choices && !v->bad; i++) {
		const struct forced_choice *f = &p->forced_choice[i];
		verify_index(v, "choice", f->choice, p->choices);
		verify_optional(v, "block", f->block, p->blocks);
		verify_range(v, "answers", f->first, f->count, p->answer_count);
	}
}

static void script_rows(struct verifier *v)
{
	const struct program *p = v->p;
	for (int i = 0; i < p->blocks && !v->bad; i++) {
		verify_optional(v, "field", p->block[i].field, p->fields);
		verify_range(v, "expectations", p->block[i].expect_first, p->block[i].expect_count, p->expects);
	}
	for (int i = 0; i < p->expects && !v->bad; i++) {
		const struct expect_info *e = &p->expect[i];
		if (e->roles > EVENT_ROLES) {
			verify_wrong(v, "an expectation has %u roles", e->roles);
			return;
		}
		const int32_t fns[] = {e->fn, e->subject_fn, e->time_fn, e->other_fn, e->left_fn};
		for (size_t k = 0; k < FRAY_COUNT(fns); k++)
			verify_optional(v, "function", fns[k], p->fns);
		for (int k = 0; k < e->roles; k++)
			verify_optional(v, "function", e->match[k].fn, p->fns);
		verify_optional(v, "block", e->block, p->blocks);
		verify_optional(v, "event", e->event, p->events);
		verify_optional(v, "event", e->within, p->events);
		verify_range(v, "parts of an expectation", i, e->parts + 1, p->expects);
	}
}

static void table_row(struct verifier *v, const struct table_info *t)
{
	const struct program *p = v->p;
	if (!verify_range(v, t->name, t->first, t->rows, p->table_rows) || !verify_range(v, t->name, t->column, t->columns, p->table_word_count))
		return;
	for (int i = 0; i < t->rows && !v->bad; i++)
		verify_range(v, t->name, p->table_row[t->first + i].values, t->columns > 0 ? t->columns : 1, p->table_word_count);
}

static void thing_rows(struct verifier *v)
{
	const struct program *p = v->p;
	for (int i = 0; i < p->thing_fields && !v->bad; i++)
		type_good(v, p->thing_field[i].name, p->thing_field[i].type);
	for (int i = 0; i < p->things && !v->bad; i++) {
		int32_t parent = p->thing[i].parent;
		verify_optional(v, "thing", parent, p->things);
		for (int steps = 0; parent >= 0 && parent < p->things && !v->bad; parent = p->thing[parent].parent)
			if (++steps > p->things)
				verify_wrong(v, "%s inherits from itself", p->thing[i].name);
		for (int k = 0; k < p->thing_fields && !v->bad; k++) {
			word list = p->thing_words[(int64_t)i * p->thing_fields + k];
			if (p->thing_field[k].type.base != VT_LIST || list == NONE)
				continue;
			if (verify_index(v, "list", list, p->list_word_count))
				verify_range(v, "a list's things", list + 1, p->list_words[list], p->list_word_count);
		}
	}
}

static void whenever_row(struct verifier *v, const struct whenever_info *x)
{
	const struct program *p = v->p;
	int64_t places = (int64_t)x->count[0] * x->count[1];
	verify_optional(v, "clause", x->clause, p->clauses);
	if (x->params > 2 || x->count[0] < 0 || x->count[1] < 0 || (x->params == 0 && places != 1) || (x->params == 1 && x->count[1] != 1))
		verify_wrong(v, "condition %s: its places are not counted", x->text);
	verify_range(v, "its places", x->first, places, (int64_t)p->layout.condition_words * 64);
	if (verify_index(v, "function", x->fn, p->fns) && (p->fn[x->fn].arguments != x->params || p->fn[x->fn].results != 1))
		verify_wrong(v, "condition %s: %s takes other arguments", x->text, p->fn[x->fn].name);
}

void verify_tables(struct verifier *v)
{
	const struct program *p = v->p;
	verify_index(v, "main function", p->main_fn, p->fns);
	if (p->set_words < 1 || p->set_words > 1024)
		verify_wrong(v, "a set cannot have %d words", p->set_words);
	if (p->kinds < KIND_FIRST_DECLARED || p->kinds > 32)
		verify_wrong(v, "%d kinds", p->kinds);
	layout(v);
	for (int i = 0; i < p->fields && !v->bad; i++)
		field_row(v, &p->field[i]);
	for (int i = 0; i < p->pairs && !v->bad; i++)
		if (type_good(v, p->pair[i].name, p->pair[i].type))
			verify_range(v, p->pair[i].name, p->pair[i].base, (int64_t)p->pair[i].side * p->pair[i].side, p->layout.words);
	thing_rows(v);
	for (int i = 0; i < p->events && !v->bad; i++)
		event_row(v, &p->event[i]);
	for (int i = 0; i < p->questions && !v->bad; i++) {
		const struct question_info *q = &p->question[i];
		if (q->params > EVENT_ROLES) {
			verify_wrong(v, "question %s has %u parameters", q->name, q->params);
			break;
		}
		for (int k = 0; k < q->params; k++)
			type_good(v, q->name, q->param[k]);
		type_good(v, q->name, q->type);
		verify_optional(v, "function", q->fn, p->fns);
	}
	for (int i = 0; i < p->labels && !v->bad; i++)
		type_good(v, p->label[i].name, p->label[i].owner);
	for (int i = 0; i < p->choices && !v->bad; i++)
		type_good(v, p->choice[i].name, p->choice[i].type);
	for (int i = 0; i < p->clauses && !v->bad; i++)
		if (verify_optional(v, "question", p->clause[i].question, p->questions))
			verify_optional(v, "option", p->clause[i].option, p->options);
	for (int i = 0; i < p->lines && !v->bad; i++) {
		verify_index(v, "field", p->line[i].field, p->fields);
		verify_index(v, "block", p->line[i].block, p->blocks);
		verify_optional(v, "combatant", p->line[i].who, p->lives[KIND_COMBATANT]);
		verify_optional(v, "event", p->line[i].event, p->events);
	}
	for (int i = 0; i < p->beats_count && !v->bad; i++) {
		verify_index(v, "clause", p->beats[i].over, p->clauses);
		verify_index(v, "clause", p->beats[i].under, p->clauses);
		verify_index(v, "block", p->beats[i].from, p->blocks ? p->blocks : 1);
		verify_index(v, "block", p->beats[i].until, p->blocks ? p->blocks : 1);
	}
	for (int i = 0; i < p->templates && !v->bad; i++)
		verify_range(v, "pieces", p->template_[i].first, p->template_[i].count, p->pieces);
	for (int i = 0; i < p->pieces && !v->bad; i++)
		if (p->piece[i].words > 0 && type_good(v, "a text's value", p->piece[i].type) && p->piece[i].words < program_type_words(p, p->piece[i].type))
			verify_wrong(v, "piece %d of the texts is too short for its value", i);
	for (int i = 0; i < p->orders && !v->bad; i++) {
		if (p->order[i].keys > ORDER_KEYS)
			verify_wrong(v, "order %s has %u keys", p->order[i].name, p->order[i].keys);
		function_row(v, "keys", p->order[i].key_fn, 1, ORDER_KEYS);
		function_row(v, "pair clauses", p->order[i].pair_fn, 3, 2);
		function_row(v, "partners", p->order[i].partner_fn, 1, 2 * PARTNER_WORDS);
	}
	for (int i = 0; i < p->tables && !v->bad; i++)
		table_row(v, &p->table[i]);
	for (int i = 0; i < p->phases && !v->bad; i++)
		verify_optional(v, "function", p->phase[i].fn, p->fns);
	for (int i = 0; i < p->whenevers && !v->bad; i++)
		whenever_row(v, &p->whenever[i]);
	forced_rows(v);
	script_rows(v);
	for (int k = 0; k < 32 && !v->bad; k++)
		for (int i = 0; p->live[k] && i < p->lives[k] && !v->bad; i++)
			verify_optional(v, "thing", p->live[k][i].thing, p->things);
	verify_optional(v, "function", p->measure_fn, p->fns);
	for (int i = 0; i < p->measures && !v->bad; i++)
		type_good(v, p->measure[i].text, p->measure[i].type);
	verify_range(v, "watches", p->layout.watches, p->watches, p->layout.words);
	verify_optional(v, "unit", p->shown_unit, p->units);
	verify_index(v, "field", p->at.act_actor, p->fields);
	verify_index(v, "field", p->at.round_number, p->fields);
	verify_index(v, "field", p->at.round_start, p->fields);
	verify_optional(v, "field", p->at.beat, p->fields);
	verify_optional(v, "question", p->at.act_time_question, p->questions);
	verify_optional(v, "question", p->at.void_question, p->questions);
}
