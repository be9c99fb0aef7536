/* little.h - a small program built by hand, for the tests of what reads programs and logs:
 * two sides, a few combatants, three events, a clock of segments. Its code is valid, so a
 * test may damage it. Everything lies in one struct: copy it and the copy stands alone after
 * little_bind. */
#ifndef FRAY_TESTS_LITTLE_H
#define FRAY_TESTS_LITTLE_H

#include <string.h>

#include "runtime/base/must.h"
#include "runtime/code/program.h"
#include "runtime/world/block.h"

enum { KIND_WEAPON = KIND_FIRST_DECLARED, KIND_SPELL, KIND_MONSTER, LITTLE_KINDS };
enum { T_SWORD, T_WEB, T_ORC, T_CHIEF, LITTLE_THINGS };
enum { EV_ATTACK, EV_STRIKE, EV_HIT, EV_DAMAGE, EV_CAST, EV_COMPLETE, EV_INITIATIVE, EV_SPOIL, LITTLE_EVENTS };
enum { C_BLOW, C_INIT, C_CAST, C_HOLD, C_ORDER, C_SPOIL, C_HIGH, C_NEEDS, LITTLE_CLAUSES };
enum { Q_TOHIT, Q_TIME, LITTLE_QUESTIONS };
enum { L_INITIATIVE, L_ATTACK, L_DAMAGE, L_MORALE, LITTLE_LABELS };
enum { F_NUMBER, F_START, F_SIDE, F_HP, F_SEEN, F_BAG, F_ACTOR, LITTLE_FIELDS };
enum { HALVAINE, BRUNA, ORC1, ORC2, ORC3, ORC4, LITTLE_WHO };
enum { PARTY, ORCS };

#define TYPE(b, k) ((struct vtype){(b), false, (k)})
#define FRAC_TYPE(b) ((struct vtype){(b), true, 0})
#define WHO TYPE(VT_LIVE, KIND_COMBATANT)

struct little {
	struct program p;
	struct insn code[160];
	struct span span[160];
	word constant[2];
	struct fn_info fn[4]; /* the last for a test that wants one more */
	struct kind_info kind[LITTLE_KINDS];
	struct field_info field[LITTLE_FIELDS];
	struct pair_info pair[1];
	struct thing_field thing_field[2];
	struct thing_info thing[LITTLE_THINGS];
	word thing_words[LITTLE_THINGS * 2];
	word list_words[4];
	struct event_info event[LITTLE_EVENTS];
	struct clause_info clause[LITTLE_CLAUSES];
	struct question_info question[LITTLE_QUESTIONS];
	struct label_info label[LITTLE_LABELS];
	struct choice_info choice[1];
	struct block_info block[1];
	struct order_info order[1];
	struct template_piece piece[3];
	struct template_info template_[1];
	struct table_info table[1];
	struct table_row row[2];
	word table_words[2];
	struct dice_info dice[2];
	const char *text[3];
	int32_t rank[3];
	const char *kept[1];
	struct phase_info phase[3];
	struct whenever_info whenever[1];
	struct unit_info unit[9];
	struct option_info option[1];
	struct live_info sides[2], who[LITTLE_WHO];
	word start[256];
};

static inline void little_bind(struct little *l)
{
	struct program *p = &l->p;
	p->code = l->code;
	p->code_span = l->span;
	p->constant = l->constant;
	p->fn = l->fn;
	p->kind = l->kind;
	p->field = l->field;
	p->pair = l->pair;
	p->thing_field = l->thing_field;
	p->thing = l->thing;
	p->thing_words = l->thing_words;
	p->list_words = l->list_words;
	p->event = l->event;
	p->clause = l->clause;
	p->question = l->question;
	p->label = l->label;
	p->choice = l->choice;
	p->block = l->block;
	p->order = l->order;
	p->piece = l->piece;
	p->template_ = l->template_;
	p->table = l->table;
	p->table_row = l->row;
	p->table_words = l->table_words;
	p->dice = l->dice;
	p->text = l->text;
	p->text_rank = l->rank;
	p->kept = l->kept;
	p->phase = l->phase;
	p->whenever = l->whenever;
	p->unit = l->unit;
	p->option = l->option;
	p->live[KIND_SIDE] = l->sides;
	p->live[KIND_COMBATANT] = l->who;
	p->start = l->start;
}

static inline struct insn little_insn(enum op op, int a, int b, int c)
{
	struct insn i = {0};
	i.op = (uint16_t)op;
	i.a = (uint16_t)a;
	i.b = (uint16_t)b;
	i.c = (uint16_t)c;
	return i;
}

static inline struct insn little_wide(enum op op, int a, int32_t k)
{
	struct insn i = {0};
	i.op = (uint16_t)op;
	i.a = (uint16_t)a;
	i.k = k;
	return i;
}

static inline void little_event(struct event_info *e, const char *name, int roles, const char *const *role, const struct vtype *type, const char *preposition)
{
	e->name = name;
	e->roles = (uint8_t)roles;
	e->words = (uint16_t)roles;
	e->perform_fn = e->legal_fn = -1;
	for (int i = 0; i <= AT_STAGES; i++)
		e->stage_fn[i] = -1;
	for (int i = 0; i < roles; i++) {
		e->role[i] = (struct role_info){role[i], i == 2 ? preposition : "", type[i], i == 0 ? F_ACTOR : -1, (uint16_t)i};
		if (e->action == false)
			e->role[i].field = -1;
	}
}

static inline void little_clause(struct clause_info *c, const char *rule, const char *cite, const char *text, enum clause_sort sort)
{
	*c = (struct clause_info){.rule = rule, .module = "osric", .cite = cite, .ruling = "", .text = text, .layer = LAYER_RULESET, .sort = (uint8_t)sort, .question = -1, .option = -1};
}

static inline void little_code(struct little *l)
{
	int n = 0;
	struct insn *c = l->code;
	/* main: a loop, a question, an event, a roll */
	c[n++] = little_wide(OP_LOADI, 0, 3);
	c[n++] = little_wide(OP_LOADK, 1, 0);
	c[n++] = little_wide(OP_JZ, 0, 2);
	c[n++] = little_insn(OP_LDF, 2, 0, F_HP);
	c[n++] = little_wide(OP_LOOP, 0, -3);
	c[n++] = little_insn(OP_ROLL, 2, 0, 1);
	c[n++] = little_wide(OP_EXT, 0, L_ATTACK);
	c[n++] = little_wide(OP_CALL, 2, 1);
	c[n++] = little_wide(OP_ENTER, 2, EV_ATTACK);
	c[n++] = little_wide(OP_WHY, 1, C_BLOW);
	c[n++] = little_wide(OP_NOTE, 2, 0);
	c[n++] = little_wide(OP_LEAVE, 0, 0);
	c[n++] = little_insn(OP_LDSF, 4, 0, F_SEEN);
	c[n++] = little_insn(OP_LDP, 4, 0, 0);
	c[n++] = little_insn(OP_TABLE, 4, 0, 0);
	c[n++] = little_wide(OP_HALT, 0, 0);
	l->fn[0] = (struct fn_info){.name = "main", .entry = 0, .end = n, .registers = 8};
	l->fn[1] = (struct fn_info){.name = "to-hit number", .entry = n, .registers = 4, .arguments = 2, .results = 1};
	c[n++] = little_wide(OP_ASKED, 0, Q_TOHIT);
	c[n++] = little_insn(OP_LDF, 2, 1, F_HP);
	c[n++] = little_wide(OP_BASE, 2, C_BLOW);
	c[n++] = little_insn(OP_RET, 2, 1, 0);
	l->fn[1].end = n;
	l->fn[2] = (struct fn_info){.name = "keys", .entry = n, .registers = 3, .arguments = 1, .results = 1};
	c[n++] = little_insn(OP_NOW, 1, 0, 0);
	c[n++] = little_insn(OP_RET, 1, 1, 0);
	l->fn[2].end = n;
	l->p.code_count = n;
}

static inline void little_layout(struct little *l)
{
	struct layout *y = &l->p.layout;
	struct field_info *f = l->field;
	y->words = 256;
	y->stack = 32;
	y->stack_words = 32;
	y->labels = y->forced = y->choices = y->conditions = y->happenings = y->lists = 64;
	y->condition_words = 1;
	y->happening_words = 16;
	y->list_depth = 4;
	y->kind[KIND_ROUND].count = y->kind[KIND_ENCOUNTER].count = 1;
	y->kind[KIND_SIDE].count = 2;
	y->kind[KIND_COMBATANT].count = LITTLE_WHO;
	y->acts = 180;
	y->act_stride = 12;
	y->act_count = 4;
	y->act_args = ACT_ARGS;
	y->act_arg_words = 4;
	f[F_NUMBER] = (struct field_info){"number", KIND_ROUND, TYPE(VT_NUMBER, 0), false, false, false,
		false, 80, 2, 1, 0, false, false, 0, 0, 0, NULL, {0, 0, 0}};
	f[F_START] = (struct field_info){"start", KIND_ROUND, TYPE(VT_TIME, 0), false, false, false,
		false, 81, 2, 1, 0, false, false, 0, 0, 0, NULL, {0, 0, 0}};
	f[F_SIDE] = (struct field_info){"side", KIND_COMBATANT, TYPE(VT_LIVE, KIND_SIDE), false, false,
		false, false, 88, 8, 1, 0, false, false, 0, 0, 0, NULL, {0, 0, 0}};
	f[F_HP] = (struct field_info){"hit points", KIND_COMBATANT, TYPE(VT_NUMBER, 0), false, false,
		false, false, 89, 8, 1, 0, false, false, 0, 0, 0, NULL, {0, 0, 0}};
	f[F_SEEN] = (struct field_info){"seen", KIND_COMBATANT, TYPE(VT_SET, KIND_COMBATANT), false,
		false, false, false, 90, 8, 1, 0, false, false, 0, 0, 0, NULL, {0, 0, 0}};
	f[F_BAG] = (struct field_info){"carries", KIND_COMBATANT, TYPE(VT_LIST, KIND_WEAPON), false,
		false, false, false, 91, 8, 4, 0, false, false, 0, 0, 0, NULL, {0, 0, 0}};
	f[F_ACTOR] = (struct field_info){"actor", KIND_ACT, TYPE(VT_LIVE, KIND_COMBATANT), false, false,
		false, false, 188, 12, 1, 0, false, false, 0, 0, 0, NULL, {0, 0, 0}};
	l->pair[0] = (struct pair_info){"distance", KIND_COMBATANT, false, false, TYPE(VT_DISTANCE, 0), false, false, 140, LITTLE_WHO, 0};
	for (int i = 0; i < LITTLE_WHO; i++) {
		l->start[88 + i * 8] = i > BRUNA;
		l->start[89 + i * 8] = 8;
		l->start[91 + i * 8] = i == BRUNA ? 2 : 0;
		l->start[92 + i * 8] = T_SWORD;
		l->start[93 + i * 8] = T_SWORD;
	}
	l->start[80] = l->start[81] = 0;
}

static inline void little_make(struct little *l)
{
	memset(l, 0, sizeof *l);
	struct program *p = &l->p;
	little_bind(l);
	p->id = 77;
	p->script = "bridge.fray";
	p->encounter = "The Bridge";
	p->ruleset = "osric";
	p->observed = true;
	p->set_words = 1;
	p->shown_unit = 3;
	p->at.act_actor = F_ACTOR;
	p->at.round_number = F_NUMBER;
	p->at.round_start = F_START;
	p->at.combatant_side = F_SIDE;
	p->at.combatant_template = p->at.combatant_action = -1;
	p->at.act_time_question = Q_TIME;
	p->at.void_question = -1;

	static const char *const kinds[] = {"encounter", "round", "side", "combatant", "act", "weapon", "spell", "monster"};
	static const char *const plurals[] = {"encounters", "rounds", "sides", "combatants", "acts", "weapons", "spells", "monsters"};
	for (int i = 0; i < LITTLE_KINDS; i++)
		l->kind[i] = (struct kind_info){kinds[i], plurals[i], i < KIND_FIRST_DECLARED};
	p->kinds = LITTLE_KINDS;
	static const char *const units[] = {"second", "ft", "yard", "segment", "round", "turn", "\"", "gp", "count"};
	static const int64_t nums[] = {SECOND, FOOT, 3 * FOOT, 60, 600, 6000, FOOT, 200, 1};
	static const uint8_t bases[] = {VT_TIME, VT_DISTANCE, VT_DISTANCE, VT_TIME, VT_TIME, VT_TIME, VT_SCALE, VT_MONEY, VT_COUNT};
	for (int i = 0; i < 9; i++)
		l->unit[i] = (struct unit_info){units[i], bases[i], nums[i], 1, i == 3};
	p->units = 9;

	static const char *const who[] = {"Halvaine", "Bruna", "orc #1", "orc #2", "orc #3", "orc #4"};
	for (int i = 0; i < LITTLE_WHO; i++)
		l->who[i] = (struct live_info){.name = who[i], .thing = i > BRUNA ? T_ORC : -1};
	l->sides[PARTY] = (struct live_info){.name = "party", .thing = -1};
	l->sides[ORCS] = (struct live_info){.name = "orcs", .thing = -1};
	p->lives[KIND_SIDE] = 2;
	p->lives[KIND_COMBATANT] = LITTLE_WHO;

	l->thing[T_SWORD] = (struct thing_info){"long sword", KIND_WEAPON, -1, {0, 0, 0}};
	l->thing[T_WEB] = (struct thing_info){"web", KIND_SPELL, -1, {0, 0, 0}};
	l->thing[T_ORC] = (struct thing_info){"orc", KIND_MONSTER, -1, {0, 0, 0}};
	l->thing[T_CHIEF] = (struct thing_info){"orc chief", KIND_MONSTER, T_ORC, {0, 0, 0}};
	p->things = LITTLE_THINGS;
	l->thing_field[0] = (struct thing_field){"damage", KIND_WEAPON, TYPE(VT_DICE, 0)};
	l->thing_field[1] = (struct thing_field){"attacks", KIND_MONSTER, TYPE(VT_LIST, KIND_WEAPON)};
	p->thing_fields = 2;
	for (int i = 0; i < LITTLE_THINGS * 2; i++)
		l->thing_words[i] = NONE;
	l->thing_words[T_SWORD * 2] = 1;
	l->thing_words[T_ORC * 2 + 1] = 0;
	l->list_words[0] = 2;
	l->list_words[1] = l->list_words[2] = T_SWORD;
	p->list_word_count = 4;

	static const char *const attack[] = {"actor", "target", "weapon"}, *const cast[] = {"actor", "spell", "target"};
	static const char *const damage[] = {"victim", "amount", "source"}, *const spoil[] = {"caster"};
	const struct vtype weapon = TYPE(VT_THING, KIND_WEAPON), spell = TYPE(VT_THING, KIND_SPELL), set = TYPE(VT_SET, KIND_COMBATANT);
	const struct vtype a[] = {WHO, WHO, weapon}, c[] = {WHO, spell, set}, d[] = {WHO, TYPE(VT_NUMBER, 0), weapon};
	l->event[EV_ATTACK].action = l->event[EV_CAST].action = true;
	little_event(&l->event[EV_ATTACK], "attack", 3, attack, a, "with");
	little_event(&l->event[EV_STRIKE], "strike", 3, attack, a, "");
	little_event(&l->event[EV_HIT], "hit", 3, attack, a, "");
	little_event(&l->event[EV_DAMAGE], "damage", 3, damage, d, "");
	little_event(&l->event[EV_CAST], "cast", 3, cast, c, "at");
	little_event(&l->event[EV_COMPLETE], "complete", 3, cast, c, "");
	little_event(&l->event[EV_INITIATIVE], "initiative", 0, NULL, NULL, "");
	little_event(&l->event[EV_SPOIL], "spoil", 1, spoil, a, "");
	p->events = LITTLE_EVENTS;

	little_clause(&l->clause[C_BLOW], "blow", "5", "on strike { .. }", CLAUSE_ON);
	little_clause(&l->clause[C_INIT], "initiative segment", "3", "define act's time = ..", CLAUSE_DEFINE);
	little_clause(&l->clause[C_CAST], "casting", "3, note on spells", "on begin spell { .. }", CLAUSE_ON);
	little_clause(&l->clause[C_HOLD], "holding", "3", "define act's time = act's held until when ..", CLAUSE_DEFINE);
	little_clause(&l->clause[C_ORDER], "in order of segments", "3", "order acts by lowest act's time", CLAUSE_ORDER);
	little_clause(&l->clause[C_SPOIL], "spoiled spells", "3, example", "after damage { spoil (victim) }", CLAUSE_AFTER);
	little_clause(&l->clause[C_HIGH], "high ground", "house 1", "adjust attacker's to-hit number by 1", CLAUSE_ADJUST);
	little_clause(&l->clause[C_NEEDS], "melee only", "4", "needs weapon is not missile", CLAUSE_NEEDS);
	l->clause[C_HIGH].module = "gentle";
	l->clause[C_HIGH].layer = LAYER_HOUSE;
	l->clause[C_HOLD].conditional = true;
	l->clause[C_SPOIL].ruling = "the text says blow, not wound";
	p->clauses = LITTLE_CLAUSES;

	l->question[Q_TOHIT] = (struct question_info){.name = "to-hit number", .params = 2, .param = {WHO, WHO}, .param_name = {"attacker", "target"},
		.type = TYPE(VT_NUMBER, 0), .fn = 1, .stored = -1};
	l->question[Q_TIME] = (struct question_info){.name = "time", .params = 1, .param = {TYPE(VT_LIVE, KIND_ACT)}, .param_name = {"act"},
		.type = TYPE(VT_TIME, 0), .of_subject = true, .fn = -1, .stored = -1};
	p->questions = LITTLE_QUESTIONS;
	l->label[L_INITIATIVE] = (struct label_info){"initiative", 1, TYPE(VT_LIVE, KIND_SIDE)};
	l->label[L_ATTACK] = (struct label_info){"attack roll", 2, WHO};
	l->label[L_DAMAGE] = (struct label_info){"damage", 3, WHO};
	l->label[L_MORALE] = (struct label_info){"morale check", 4, TYPE(VT_LIVE, KIND_SIDE)};
	p->labels = LITTLE_LABELS;
	l->choice[0] = (struct choice_info){"free blow", TYPE(VT_BOOL, 0), WHO};
	p->choices = 1;
	p->blocks = 1;
	l->order[0] = (struct order_info){.name = "", .key_fn = 2, .keys = 1, .pair_fn = -1, .partner_fn = -1};
	p->orders = 1;
	l->piece[0] = (struct template_piece){NULL, WHO, 1};
	l->piece[1] = (struct template_piece){" has ", TYPE(0, 0), 0};
	l->piece[2] = (struct template_piece){NULL, TYPE(VT_NUMBER, 0), 1};
	p->pieces = 3;
	l->template_[0] = (struct template_info){0, 3, {0, 0, 0}};
	p->templates = 1;
	l->table[0] = (struct table_info){
		"bonus", TYPE(VT_NUMBER, 0), TYPE(VT_NUMBER, 0), 0, 0, 0, 2, NULL, 0, 0};
	l->row[0] = (struct table_row){NONE, 3, false, 0};
	l->row[1] = (struct table_row){4, NONE, false, 1};
	p->tables = 1;
	p->table_rows = 2;
	p->table_word_count = 2;
	l->dice[0] = (struct dice_info){.text = "d20", .count = 1, .sides = 20};
	l->dice[1] = (struct dice_info){.text = "d8", .count = 1, .sides = 8};
	p->dices = 2;
	l->text[0] = "";
	l->text[1] = "outdoors";
	l->text[2] = "indoors";
	p->texts = 3;
	l->kept[0] = "attack roll";
	p->kepts = 1;
	l->phase[0] = (struct phase_info){"surprise", -1};
	l->phase[1] = (struct phase_info){"initiative", -1};
	l->phase[2] = (struct phase_info){"act", -1};
	p->phases = 3;
	l->whenever[0] = (struct whenever_info){.text = "combatant's hit points <= 0", .clause = C_SPOIL, .fn = 2, .params = 1, .count = {LITTLE_WHO, 1}};
	p->whenevers = 1;
	l->option[0] = (struct option_info){.name = "segments.count", .value = "yes", .cite = "3", .others = "yes, no", .set = true};
	p->options = 1;
	l->constant[0] = 1ll << 40;
	l->constant[1] = ((int64_t)1 << 32) + 3;
	p->constants = 2;
	p->fns = 3;
	p->fields = LITTLE_FIELDS;
	p->pairs = 1;
	little_code(l);
	little_layout(l);
}

#endif
