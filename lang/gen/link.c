/* link.c - one encounter under one set of rules becomes a program: link_thing.c has the fields and
 * stat blocks, link_start.c the world at the start, this the tables and who calls whom. */
#include <stdlib.h>
#include <string.h>

#include "lang/gen/again.h"
#include "lang/gen/gen.h"
#include "lang/gen/inline.h"
#include "lang/gen/dead_functions.h"
#include "lang/gen/quiet.h"
#include "lang/gen/pipeline.h"
#include "lang/gen/copy_elision.h"
#include "lang/gen/dead_fields.h"
#include "runtime/base/hash.h"
#include "runtime/code/commute.h"
#include "runtime/code/effects.h"
#include "runtime/code/absorbing.h"
#include "runtime/world/block.h"

static word cell(struct gen *g, struct node *n, struct type *type, bool frac)
{
	return n->ref_kind == REF_EVENT && n->ref >= 0 ? n->ref : const_value(g, n, type, frac);
}

enum { KEYS_MOST = 256, ROWS_MOST = INT16_MAX };

static bool is_in(const struct table_row *r, word key)
{
	return (r->from == NONE || key > r->from || (key == r->from && !r->over)) &&
		(r->to == NONE || key <= r->to);
}

/* Where the bounds of a table's rows are few numbers, the row of each is looked up and not looked
 * for. */
static void link_rows(struct gen *g, struct table_info *t)
{
	const struct table_row *row = g->table_row.v + t->first;
	word low = INT64_MAX, high = NONE;
	for (int i = 0; i < t->rows; i++) {
		const word bound[] = {row[i].from, row[i].to};
		for (int b = 0; b < 2; b++)
			if (bound[b] != NONE) {
				low = bound[b] < low ? bound[b] : low;
				high = bound[b] > high ? bound[b] : high;
			}
	}
	if (t->key.frac || high < low || (uint64_t)high - (uint64_t)low >= KEYS_MOST ||
		t->rows > ROWS_MOST)
		return;
	t->low = low;
	t->keys = (uint64_t)(high - low) + 1;
	int16_t *of = arena_array(g->arena, int16_t, t->keys);
	for (uint64_t k = 0; k < t->keys; k++) {
		int i = 0;
		while (i < t->rows && !is_in(&row[i], low + (word)k))
			i++;
		of[k] = i < t->rows ? (int16_t)i : -1;
	}
	t->row_of = of;
}

static void link_table(struct gen *g, int table)
{
	struct node *node = g->m->table.v[table].node;
	const struct mtable *t = &g->m->table.v[g->m->table.v[table].like];
	struct table_info x = {0};
	x.name = gen_text(g, t->name);
	x.key = vtype_of(g, t->param[0], t->key_frac);
	x.type = vtype_of(g, t->type, t->frac);
	x.columns = node_count(node->c);
	x.column = g->table_words.n;
	for (struct node *c = node->c; c; c = c->next)
		VEC_PUSH(g->table_words, cell(g, c, t->param[1], false));
	x.first = g->table_row.n;
	for (struct node *r = node->b; r; r = r->next) {
		struct table_row row = {NONE, NONE, false, g->table_words.n};
		struct node *key = r->a;
		if (!key)
			continue;
		if (key->kind == N_KIND_E_SPAN) {
			row.from = key->a ? cell(g, key->a, t->param[0], t->key_frac) : NONE;
			row.to = key->b ? cell(g, key->b, t->param[0], t->key_frac) : NONE;
			row.over = key->op == SPAN_OVER;
		} else {
			row.from = row.to = cell(g, key, t->param[0], t->key_frac);
		}
		VEC_PUSH(g->table_row, row);
		for (struct node *v = r->b; v; v = v->next)
			VEC_PUSH(g->table_words, const_value(g, v, t->type, t->frac));
		x.rows++;
	}
	link_rows(g, &x);
	VEC_PUSH(g->table, x);
}

static void link_tables(struct gen *g)
{
	for (int i = 0; i < g->m->table.n; i++)
		link_table(g, i);
}

static void link_events(struct gen *g)
{
	struct model *m = g->m;
	for (int i = 0; i < m->event.n; i++) {
		struct mevent *e = &m->event.v[i];
		struct event_info x;
		memset(&x, 0, sizeof x);
		x.name = gen_text(g, e->name);
		x.action = e->action;
		x.roles = (uint8_t)e->roles;
		x.perform_fn = x.legal_fn = -1;
		for (int k = 0; k <= AT_STAGES; k++)
			x.stage_fn[k] = -1;
		x.told = e->node && e->node->text;
		x.waiting = e->name == m->w.wait;
		x.idle = e->name == m->default_action;
		x.span = e->at;
		int at = 0;
		for (int k = 0; k < e->roles; k++) {
			struct role_info *r = &x.role[k];
			r->name = gen_text(g, e->role[k].name);
			r->preposition = e->role[k].preposition ? gen_text(g, e->role[k].preposition) : "";
			r->type = vtype_of(g, e->role[k].type, e->role[k].frac);
			r->field = e->role[k].field >= 0 ? link_field(g, e->role[k].field) : -1;
			r->word = (uint16_t)at;
			at += width_of(g, e->role[k].type);
		}
		x.words = (uint16_t)at;
		for (int k = 0; k < e->slot.n && k < 16; k++) {
			int name = -1;
			for (int j = 0; j < m->kept.n; j++)
				if (m->kept.v[j].name == e->slot.v[k].name)
					name = j;
			if (name < 0) {
				struct mkept kept = {e->slot.v[k].name, e->slot.v[k].type, e->slot.v[k].frac};
				VEC_PUSH(m->kept, kept);
				name = m->kept.n - 1;
			}
			x.slot_name[x.slots] = (uint16_t)name;
			struct node *initial = e->slot.v[k].initial;
			x.slot_initial[x.slots] = type_is(e->slot.v[k].type, VT_SET) ? 0 : NONE;
			if (initial && initial->kind == N_KIND_V_PLAIN && !type_is(e->slot.v[k].type, VT_SET))
				x.slot_initial[x.slots] = const_value(g, initial->a, e->slot.v[k].type, e->slot.v[k].frac);
			x.slot_type[x.slots++] = vtype_of(g, e->slot.v[k].type, e->slot.v[k].frac);
		}
		VEC_PUSH(g->event, x);
	}
}

/* A combatant's name with the letters of its stat block: `combatant Foe` is Foe, though rules of the library were
 * read first and name a variable foe. */
const char *live_written(struct gen *g, const struct mlive *l)
{
	struct model *m = g->m;
	const struct mthing *t = &m->thing.v[l->thing];
	const char *called = model_text(m, l->name), *of = model_text(m, t->name);
	size_t length = 0, n = strlen(of);
	const char *text = t->node ? sources_text(m->front->sources, t->node->at, &length) : NULL;
	if (!text || length != n || intern_find(m->front->names, text, length) != t->name || strncmp(called, of, n))
		return gen_text(g, l->name);
	char *name = arena_text(g->arena, called, strlen(called));
	memcpy(name, text, n);
	return name;
}

struct ranked { const char *text; int32_t at; };

static int compare_texts(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	return strcmp(x->text, y->text);
}

void link_rank_texts(const char *const *text, int32_t texts, int32_t *rank)
{
	struct ranked *sorted = malloc(((size_t)texts + 1) * sizeof *sorted);
	if (!sorted)
		abort();
	for (int32_t i = 0; i < texts; i++)
		sorted[i] = (struct ranked){text[i], i};
	qsort(sorted, (size_t)texts, sizeof *sorted, compare_texts);
	for (int32_t k = 0; k < texts; k++)
		rank[sorted[k].at] = k;
	free(sorted);
}

static int numbered_before(const void *a, const void *b)
{
	const struct numbered_die *x = a, *y = b;
	if (x->label != y->label)
		return x->label < y->label ? -1 : 1;
	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	if (x->occurrence != y->occurrence)
		return x->occurrence < y->occurrence ? -1 : 1;
	return (x->pips > y->pips) - (x->pips < y->pips); /* as they were written */
}

#define MOVE_TABLE(member, count, type)                                           \
	do {                                                                          \
		p->count = g->member.n;                                                   \
		p->member = arena_array(g->arena, type, g->member.n + 1);                 \
		if (g->member.n)                                                          \
			memcpy(p->member, g->member.v, (size_t)g->member.n * sizeof *p->member); \
	} while (0)

static bool any_preferred(const struct model *m)
{
	for (int i = 0; i < m->rule.n; i++)
		if (m->rule.v[i].preferred)
			return true;
	return false;
}

/* By rulings of blocks: while these hold. */
static void link_ruled(struct gen *g, struct beats_info beats, int over, int under)
{
	const struct mrule *r = &g->m->rule.v[over];
	for (int i = 0; i < r->ruled.n; i++) {
		if (r->ruled.v[i].under != under)
			continue;
		beats.from = block_of(r->ruled.v[i].moment);
		beats.until = block_of(r->ruled.v[i].until);
		VEC_PUSH(g->beats, beats);
	}
}

/* Of clauses that order acts which beat which; of those that do something where a ruling says so. */
static void link_beats(struct gen *g)
{
	struct model *m = g->m;
	for (int a = 0; a < m->clause.n; a++) {
		enum clause_sort sort = (enum clause_sort)m->clause.v[a].sort;
		bool does = sort == CLAUSE_PAIR || (sort >= CLAUSE_INSTEAD && sort <= CLAUSE_WHENEVER);
		for (int b = 0; b < m->clause.n && does && m->clause.v[a].program >= 0; b++) {
			struct beats_info beats = {m->clause.v[a].program, m->clause.v[b].program, 0, 0};
			bool ruled = sort == CLAUSE_PAIR || (m->clause.v[a].rule >= 0 && m->rule.v[m->clause.v[a].rule].preferred);
			bool alike = (m->clause.v[b].sort == CLAUSE_PAIR) == (sort == CLAUSE_PAIR);
			if (beats.under >= 0 && alike && ruled && clause_excepts(m, a, b))
				VEC_PUSH(g->beats, beats);
			else if (beats.under >= 0 && alike && ruled && clause_ruled(m, a, b))
				link_ruled(g, beats, m->clause.v[a].rule, m->clause.v[b].rule);
		}
	}
}

void gen_free_tables(struct gen *g)
{
	VEC_FREE(g->code);
	VEC_FREE(g->code_span);
	VEC_FREE(g->followed);
	VEC_FREE(g->summed);
	VEC_FREE(g->constant);
	VEC_FREE(g->fn);
	VEC_FREE(g->event);
	VEC_FREE(g->clause);
	VEC_FREE(g->label);
	VEC_FREE(g->field);
	VEC_FREE(g->pair);
	VEC_FREE(g->thing);
	VEC_FREE(g->thing_field);
	VEC_FREE(g->thing_words);
	VEC_FREE(g->list_words);
	VEC_FREE(g->text);
	VEC_FREE(g->dice);
	VEC_FREE(g->piece);
	VEC_FREE(g->template_);
	VEC_FREE(g->order);
	VEC_FREE(g->nested);
	VEC_FREE(g->forced);
	VEC_FREE(g->numbered);
	VEC_FREE(g->pips);
	VEC_FREE(g->pip_face);
	VEC_FREE(g->forced_choice);
	VEC_FREE(g->answer);
	VEC_FREE(g->block);
	VEC_FREE(g->expect);
	VEC_FREE(g->line);
	VEC_FREE(g->table);
	VEC_FREE(g->table_row);
	VEC_FREE(g->table_words);
	VEC_FREE(g->phase);
	VEC_FREE(g->whenever);
	VEC_FREE(g->beats);
	VEC_FREE(g->watch);
	VEC_FREE(g->todo);
	VEC_FREE(g->ask);
	VEC_FREE(g->stated);
	VEC_FREE(g->used);
	VEC_FREE(g->reserved);
	VEC_FREE(g->extra_thing_word);
}

static void move_tables(struct gen *g)
{
	struct program *p = g->p;
	p->code_span = arena_array(g->arena, struct span, g->code.n + 1);
	memcpy(p->code_span, g->code_span.v, (size_t)g->code_span.n * sizeof(struct span));
	p->code_count = g->code.n;
	p->code = arena_array(g->arena, struct insn, g->code.n + 1);
	memcpy(p->code, g->code.v, (size_t)g->code.n * sizeof(struct insn));
	MOVE_TABLE(constant, constants, word);
	MOVE_TABLE(fn, fns, struct fn_info);
	MOVE_TABLE(event, events, struct event_info);
	MOVE_TABLE(clause, clauses, struct clause_info);
	MOVE_TABLE(label, labels, struct label_info);
	MOVE_TABLE(field, fields, struct field_info);
	MOVE_TABLE(pair, pairs, struct pair_info);
	MOVE_TABLE(thing, things, struct thing_info);
	MOVE_TABLE(thing_field, thing_fields, struct thing_field);
	p->thing_words = arena_array(g->arena, word, g->thing_words.n + 1);
	if (g->thing_words.n)
		memcpy(p->thing_words, g->thing_words.v, (size_t)g->thing_words.n * sizeof(word));
	p->list_word_count = g->list_words.n;
	p->list_words = arena_array(g->arena, word, g->list_words.n + 1);
	if (g->list_words.n)
		memcpy(p->list_words, g->list_words.v, (size_t)g->list_words.n * sizeof(word));
	MOVE_TABLE(text, texts, const char *);
	MOVE_TABLE(dice, dices, struct dice_info);
	MOVE_TABLE(piece, pieces, struct template_piece);
	MOVE_TABLE(template_, templates, struct template_info);
	MOVE_TABLE(order, orders, struct order_info);
	MOVE_TABLE(forced, forceds, struct forced_die);
	MOVE_TABLE(numbered, numbereds, struct numbered_die);
	MOVE_TABLE(pips, pips_count, struct pips);
	p->pip_face_count = g->pip_face.n;
	p->pip_faces = arena_array(g->arena, int32_t, g->pip_face.n + 1);
	if (g->pip_face.n)
		memcpy(p->pip_faces, g->pip_face.v, (size_t)g->pip_face.n * sizeof(int32_t));
	MOVE_TABLE(forced_choice, forced_choices, struct forced_choice);
	p->answer_count = g->answer.n;
	p->answers = arena_array(g->arena, word, g->answer.n + 1);
	if (g->answer.n)
		memcpy(p->answers, g->answer.v, (size_t)g->answer.n * sizeof(word));
	MOVE_TABLE(block, blocks, struct block_info);
	MOVE_TABLE(expect, expects, struct expect_info);
	MOVE_TABLE(line, lines, struct line_info);
	MOVE_TABLE(table, tables, struct table_info);
	MOVE_TABLE(table_row, table_rows, struct table_row);
	p->table_word_count = g->table_words.n;
	p->table_words = arena_array(g->arena, word, g->table_words.n + 1);
	if (g->table_words.n)
		memcpy(p->table_words, g->table_words.v, (size_t)g->table_words.n * sizeof(word));
	MOVE_TABLE(phase, phases, struct phase_info);
	MOVE_TABLE(whenever, whenevers, struct whenever_info);
	MOVE_TABLE(beats, beats_count, struct beats_info);
	gen_free_tables(g);
}

static int *minus_ones(struct gen *g, int n)
{
	int *v = arena_array(g->arena, int, n + 1);
	for (int i = 0; i <= n; i++)
		v[i] = -1;
	return v;
}

static uint64_t program_identity(const struct program *p)
{
	uint64_t h = hash_bytes(p->code, (size_t)p->code_count * sizeof *p->code, 7);
	h = hash_bytes(p->beats, (size_t)p->beats_count * sizeof *p->beats, h);
	h = hash_bytes(&p->layout, sizeof p->layout, h);
	h = hash_bytes(p->start, p->layout.words * sizeof(word), h);
	return h;
}

enum { CALLS_DEEP = 4 };

/* For runs that nobody observes: short functions are put in where they are called, and all become shorter. */
static void specialise(struct program *p)
{
	bool *grown = calloc((size_t)p->fns + 1, sizeof *grown);
	if (!grown)
		abort();
	program_prune(p, NULL);
	program_effects(p);
	program_shorten(p, NULL);
	program_prune(p, NULL);
	if (program_drop_unread(p, grown)) {
		program_effects(p);
		program_shorten(p, grown);
	}
	if (program_ask_once(p, grown)) {
		program_effects(p);
		program_shorten(p, grown);
	}
	for (int i = 0; i < CALLS_DEEP; i++) {
		program_prune(p, NULL);
		program_effects(p);
		if (!program_inline(p, grown))
			break;
		program_prune(p, grown);
		program_shorten(p, grown);
	}
	program_prune(p, NULL);
	if (program_spend_declared(p, grown)) {
		program_effects(p);
		program_shorten(p, grown);
	}
	free(grown);
}

bool link_build(struct gen *g, struct model *m, int encounter, bool observed)
{
	struct program *p = calloc(1, sizeof *p);
	if (!p)
		abort();
	m->links++;
	memset(g, 0, sizeof *g);
	arena_init(&p->arena);
	g->m = m;
	g->p = p;
	g->arena = &p->arena;
	g->observed = p->observed = observed;
	g->encounter = encounter;
	const bool reporting = m->reporting;
	const int errors = m->sink->errors;
	m->reporting = true;
	scene_enter(m, encounter);
	layers_resolve(m);
	m->reporting = false;
	g->tells_clauses = observed || any_preferred(m);
	for (int i = 0; i < m->clause.n; i++)
		m->clause.v[i].program = -1;
	int most = m->live.n;
	for (int k = KIND_FIRST_DECLARED; k < m->kind.n; k++)
		most = item_count(m, k) > most ? item_count(m, k) : most;
	p->set_words = (most + 63) / 64;
	if (p->set_words < 1)
		p->set_words = 1;
	g->bearer_reg = g->bearer_live = g->awaited = g->newcomer = -1;
	p->at.branch_open = -1;
	p->script = gen_copy(g, "", 0);
	p->encounter = gen_text(g, m->encounter.v[encounter].name);
	p->ruleset = "";
	for (int i = 0; i < m->module.n; i++)
		if (m->module.v[i].layer == LAYER_RULESET)
			p->ruleset = gen_copy(g, m->module.v[i].shown, strlen(m->module.v[i].shown));
	g->fn_question = minus_ones(g, m->question.n);
	g->fn_base = minus_ones(g, m->question.n);
	g->pended = arena_array(g->arena, bool, m->event.n + 1);
	for (int i = 0; i < 4; i++)
		g->fn_stage[i] = minus_ones(g, m->event.n);
	g->fn_whenever = g->fn_group = g->fn_one = g->fn_over = g->fn_moment = g->fn_answer =
		g->fn_untaken = g->fn_typed = g->fn_told = g->up_field = g->random_dice = -1;
	text_index(g, "");
	link_fields(g);
	link_events(g);
	link_things(g);
	link_tables(g);
	const int hindrance = model_question_of(m, KIND_COMBATANT, m->w.hindrance, false);
	if (hindrance >= 0) /* here, so that the texts of a silent program have the same numbers */
		question_fn(g, hindrance);
	gen_script(g);
	p->at.act_time_question = model_question_of(m, KIND_ACT, m->w.time, false);
	p->at.void_question = model_question_of(m, KIND_ACT, m->w.void_, true);
	if (p->at.act_time_question >= 0)
		question_fn(g, p->at.act_time_question);
	gen_pending(g);
	lay_out(g);
	p->start = arena_array(g->arena, word, p->layout.words);
	store_world(g, p->start);
	store_act_defaults(g, p->start);
	link_names(g);
	link_beats(g);
	if (g->numbered.n)
		qsort(g->numbered.v, (size_t)g->numbered.n, sizeof *g->numbered.v, numbered_before);
	scene_leave(m);
	m->reporting = reporting;
	return !g->failed && m->sink->errors == errors;
}

struct program *link_encounter(struct model *m, int encounter, bool observed)
{
	struct gen gen, *g = &gen;
	const bool built = link_build(g, m, encounter, observed);
	struct program *p = g->p;
	move_tables(g);
	p->text_rank = arena_array(g->arena, int32_t, p->texts + 1);
	link_rank_texts(p->text, p->texts, p->text_rank);
	p->from_start = !observed && !m->branch_waits; /* else it goes on from a moment of another program */
	struct turns turns = {0};
	program_effects(p);
	if (!observed) {
		program_turns_open(p, &turns);
		specialise(p);
		program_effects(p);
		program_quieten(p);
		program_turns_close(p, &turns);
		program_alone(p);
		program_lasting(p);
	}
	p->start[H_PROGRAM] = 0;
	p->id = program_identity(p);
	p->start[H_PROGRAM] = (word)p->id;
	if (!built) {
		program_free(p);
		return NULL;
	}
	return p;
}
