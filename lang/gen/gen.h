/* gen.h - from a checked model to a linked program for one encounter.
 *
 *   link.c       the tables; calls the rest: link_thing.c fields and stat blocks, link_start.c the world at the start
 *   const.c      stat block values to words
 *   gen_expr.c   expressions: gen_name.c names and fields, gen_is.c is and has, gen_walk.c sets, gen_call.c calls
 *   gen_stmt.c   statements: gen_sum.c what the log says about their numbers
 *   gen_rule.c   which clause answers, by the three sieves: gen_question.c questions, gen_event.c events and what is allowed
 *   gen_time.c   phases and rounds: gen_order.c orders of acts, gen_lead.c groups of them, gen_turn.c what happens at once, done
 *                in turn, gen_whenever.c conditions
 *   gen_item.c   things in play: which one is meant, what there is at the start
 *   gen_scene.c  the script: gen_line.c its sentences, gen_ask.c who declares which, gen_told.c
 * dice, gen_expect.c expectations
 *   gen_odds.c   measures, and the events they wait for
 *   grow.c       functions added to a linked program, one by one
 *   emit.c       the only writer of instructions; registers; jumps
 *
 * Nothing is looked up while a fight runs: which clauses answer a question is decided here,
 * and a clause whose rule is out of force leaves no instruction behind. Functions are made on
 * first use, so what an encounter cannot reach is not in its program. */
#ifndef FRAY_GEN_GEN_H
#define FRAY_GEN_GEN_H

#include "lang/check/model.h"
#include "runtime/code/program.h"

enum { RANDOM_MOST = 1000 }; /* among how many one is picked */

struct jumps { int at[64]; int n; };   /* instructions waiting for their target */

/* What a statement's `stop` and `carry on` mean where it stands. */
enum body { BODY_PLAIN, BODY_INSTEAD, BODY_BEFORE, BODY_ON, BODY_AFTER, BODY_COSTS };

struct pending_fn { int fn; enum { FN_QUESTION, FN_BASE, FN_EVENT_PERFORM, FN_EVENT_ACT, FN_EVENT_LEGAL, FN_EVENT_STAGE, FN_EVENT_RECAST, FN_ASK, FN_POLICY, FN_ANSWER, FN_OTHER } sort; int what, stage; };

/* An event odds ask about: `say` of a measure, or (`other`) whom its `before` or `after` names. */
struct watch { struct node *say, *other; int event, place; enum op_watch how; };

/* A node whose value is copied to a register when it has been worked out; `text`: the template of all that were
 * copied to the window, written down then; -1. */
struct summed { const struct node *node; int at, window, text; };

struct gen {
	struct model *m;
	struct program *p;
	struct arena *arena;   /* the program's */
	bool observed;
	bool apart;            /* what was typed in mid-fight has functions of its own (gen_typed.c) */
	int encounter;
	bool failed;

	/* growing tables, moved into the program at the end */
	VEC(struct insn) code;
	VEC(struct span) code_span;
	VEC(word) constant;
	VEC(struct fn_info) fn;
	VEC(struct event_info) event;
	VEC(struct clause_info) clause;
	VEC(struct label_info) label;
	VEC(struct field_info) field;
	VEC(struct pair_info) pair;
	VEC(struct thing_info) thing;
	VEC(struct thing_field) thing_field;
	VEC(word) thing_words;
	VEC(word) list_words;
	VEC(const char *) text;
	VEC(struct dice_info) dice;
	VEC(struct template_piece) piece;
	VEC(struct template_info) template_;
	VEC(struct order_info) order;
	VEC(struct nested_order {
		struct node *keys;
		int order;
	})
	nested; /* what a list of its own is ordered by */
	VEC(struct forced_die) forced;
	VEC(struct numbered_die) numbered;
	VEC(struct pips) pips;
	VEC(int32_t) pip_face;
	VEC(struct forced_choice) forced_choice;
	VEC(word) answer;
	VEC(struct block_info) block;
	VEC(struct expect_info) expect;
	VEC(struct table_info) table;
	VEC(struct table_row) table_row;
	VEC(word) table_words;
	VEC(struct phase_info) phase;
	VEC(struct whenever_info) whenever;
	VEC(struct beats_info) beats;
	VEC(struct line_info) line;
	int judged_reg;        /* of a function that says whether an act is allowed: the act */
	VEC(struct summed) summed; /* gen_sum.c */
	bool tells_clauses;    /* the machine is told whose body it is in: it records, or a ruling was given */
	VEC(int) extra_thing_word; /* natural weapons: model thing they were made for */
	VEC(struct pending_fn) todo;
	VEC(struct watch) watch;

	/* functions already made, by entity; -1 */
	int *fn_question, *fn_base, *fn_stage[4];
	/* `ask X` and each `ask X for ..`: a function, and one for each policy under it */
	VEC(struct ask { struct node *stmt; int fn, typed; int *policy; }) ask;
	int asking;            /* index of the one being made */
	VEC(struct stated_field { int mfield, field; }) stated; /* what "stated" reads, by field */
	VEC(struct line_field { const struct node *node; int field; }) used; /* who has had which line of the script */
	VEC(struct line_field) reserved; /* fields of what was typed, in that order (gen_typed.c) */
	bool *pended;          /* by event: are there acts of it? */
	int fn_whenever, fn_group, fn_one, fn_over, fn_moment, fn_answer, fn_untaken;
	int beat;              /* the field that counts beats, where they are counted */
	int fn_typed, fn_told; /* of what was typed in mid-fight: its edits; who is told anything; -1 */
	int up_field; /* who was up as the round began, where lines of groups are told of; -1 */
	bool some_lines, some_in_groups, only_told;
	int *whenever_bits;    /* first bit of each */
	int whenever_total;
	int order_main;
	int random_dice;       /* the first of those that pick one of several, -1: none yet */

	/* the function being made */
	int current;
	int top, most;
	struct var var[128];
	int vars;
	struct span span;
	enum body body;
	bool outside;          /* no act is going on: what a statement brings about is a moment of its own */
	struct jumps *stops;   /* where `stop` jumps to collect, or NULL: return */
	struct jumps *carries;
	int owner_reg;         /* whose die it is, -1; its kind */
	int owner_kind;
	int in_event;          /* event whose stage this is, or -1 */
	int recast_words;      /* words of roles that the stage gives back, 0: it changes none */
	int in_thing;          /* stat block around, or -1 */
	int in_clause;         /* program clause, -1 */
	int bearer_reg;        /* whose "sword" is: a register, -1 */
	int bearer_live;       /* or a combatant known now, -1 */
	bool sifting;          /* the next walk may look at all before it begins */
	struct jumps *unfit;   /* where a line goes that is not what was asked for, or NULL */
	int template_field[32]; /* pattern of things in play, by kind: program field + 1 */
	int awaited, newcomer;  /* fields, see gen_flight.c; -1: there is none */
	VEC(struct followed { struct node *node; int done; }) followed;
};

/* ---- emit.c ---- */
int emit(struct gen *g, enum op op, int a, int b, int c);
int emit_wide(struct gen *g, enum op op, int a, int64_t k);
int emit_const(struct gen *g, int reg, word value);      /* LOADI or LOADK */
int emit_jump(struct gen *g, enum op op, int reg);       /* target patched later */
void jump_here(struct gen *g, int at);
void jumps_add(struct gen *g, struct jumps *j, int at);
void jumps_here(struct gen *g, struct jumps *j);
void jump_back(struct gen *g, int target);               /* LOOP to an earlier instruction */
int here(const struct gen *g);
int regs(struct gen *g, int n);
int fn_new(struct gen *g, const char *name, struct span span);
void fn_begin(struct gen *g, int fn, int arguments);
void fn_end(struct gen *g, int results);
struct var *gen_var(struct gen *g, sym name);
void gen_bind(struct gen *g, sym name, struct type *type, bool frac, int reg);
const char *gen_text(struct gen *g, sym name);
const char *gen_copy(struct gen *g, const char *text, size_t length);
int text_index(struct gen *g, const char *text);
int dice_index(struct gen *g, const char *formula);
int label_index(struct gen *g, sym name, int owner_kind);
int width_of(struct gen *g, struct type *t);
struct vtype vtype_of(struct gen *g, struct type *t, bool frac);
void gen_call(struct gen *g, int fn, int window);
const char *gen_excerpt(struct gen *g, struct span span); /* a clause on one line */

/* ---- gen_expr.c ---- */
int gen_expr(struct gen *g, struct node *n, int dst);
int gen_number(struct gen *g, struct node *n, int dst, bool frac); /* as a fraction if asked */
void gen_unless(struct gen *g, struct node *n, struct jumps *out);  /* jumps out if not so */
void gen_when(struct gen *g, struct node *when, bool unless, struct jumps *out);
int gen_into(struct gen *g, int dst, int width);                     /* dst, or new registers if it is -1 */
int gen_put(struct gen *g, int dst, word value);
void gen_move(struct gen *g, struct type *t, int dst, int src);

/* ---- gen_sum.c: what the log of an observed run says about numbers ---- */
/* Has what n is made of written down when it has been worked out, called `name`. */
void gen_sum(struct gen *g, const struct node *n, const char *name);
/* The same of what the comparisons of a condition compare. Both take registers: the caller lets them go, and
 * sets g->summed.n back, when n has been worked out. */
void gen_compared(struct gen *g, const struct node *n);
/* The same of comparisons of one number of two people alone, such as the lengths of two weapons. */
void gen_weighed(struct gen *g, const struct node *n);
void gen_came_by(struct gen *g, const struct node *n, int r);

/* ---- gen_name.c ---- */
int gen_name(struct gen *g, struct node *n, int dst);
int live_named(struct gen *g, sym name);                            /* whom the encounter calls so, -1 */
int load_field(struct gen *g, int field, int object, int dst);      /* as stored, no rule applied */
/* All of a list, for it to be told: how many words it takes, and they from `dst` on - how many there are and which;
 * of a stat block where its list stands. */
int list_width(struct gen *g, const struct node *path);
void gen_list(struct gen *g, struct node *path, int dst);
int gen_field(struct gen *g, int field, int object, int dst);       /* through its question */
int gen_question(struct gen *g, int question, int window);          /* arguments stand in the window */
bool question_bare(struct gen *g, int question);                    /* no clause in force touches it */
void gen_mixed_field(struct gen *g, struct node *n, int r);
int gen_single(struct gen *g);                                       /* the only one of its kind: a register with 0 */

/* ---- gen_is.c ---- */
int gen_is(struct gen *g, struct node *n, int dst);
int gen_has(struct gen *g, struct node *n, int dst);
int gen_in(struct gen *g, struct node *n, int dst);

/* ---- gen_walk.c ---- */
/* The members of a side, into the registers of a set that is returned. */
int gen_side(struct gen *g, struct node *side);
struct walking { int cursor, again; struct jumps next, end; int vars, top; int owner_reg, owner_kind; };
void walk_open(struct gen *g, struct walking *w, struct node *holder, struct node *source, sym name, struct node *where);
void walk_close(struct gen *g, struct walking *w);
/* Those of a walk, into the registers of a set that is returned. */
int gen_members(struct gen *g, struct node *holder, struct node *source, sym name, struct node *where);
/* The holder of a set standing in parentheses: an E_SET, or a bare path made into one. */
struct node *set_holder(struct gen *g, struct node *set, struct node **source, sym *name, struct node **where);
int gen_set(struct gen *g, struct node *n, int dst);
int gen_agg(struct gen *g, struct node *n, int dst);
int gen_pick(struct gen *g, struct node *n, int dst);
int gen_fold(struct gen *g, struct node *n, int dst);
int gen_random(struct gen *g, struct node *n, int dst);

/* ---- gen_call.c ---- */
int gen_call_expr(struct gen *g, struct node *n, int dst);
int gen_event_args(struct gen *g, int event, struct node *args, int window);

/* ---- gen_choose.c ---- */
/* The script's answer, the policy's, the host's, the default; only a candidate is taken. */
int gen_choose(struct gen *g, struct node *n, int dst);
/* The answer of who's policy in r, of the candidates in `set` (-1: of any); jumps when there is one. who + 1: who decided. */
void gen_answered(struct gen *g, int r, int who, int choice, int set, struct jumps *decided);

/* ---- gen_item.c: things in play ---- */
int gen_item(struct gen *g, struct node *n, int dst);               /* "sword", "X's sword" */
void gen_item_counted(struct gen *g, int thing, int dst);
void gen_borne(struct gen *g, struct node *n, int dst);             /* X has that thing */
void gen_skip_unborne(struct gen *g, int kind, int cursor, int who, struct jumps *next);
word item_constant(struct gen *g, struct node *n);                  /* whose it is must be known by now */
int template_field(struct gen *g, int kind);
void link_templates(struct gen *g);
int item_pattern(const struct gen *g, int kind, int index);         /* model thing, -1 */
struct node *item_values(struct gen *g, int kind, int index, int mfield);
void store_items(struct gen *g, word *block);
void store_item_set(struct gen *g, int mfield, int bearer, word *at);
void link_item_names(struct gen *g);

/* ---- gen_stmt.c ---- */
void gen_block(struct gen *g, struct node *list);
void gen_note(struct gen *g, enum op op, const char *text, struct span span);
int gen_act(struct gen *g, int event, int window); /* an act of an event from its argument window; its register */
void gen_act_arg(struct gen *g, int act, int event, int role, int value);

/* ---- gen_rule.c ---- */
enum { CANDIDATES_MAX = 96 };
struct candidates { int clause[CANDIDATES_MAX]; int n; };
struct choice_of {
	struct candidates of;
	int winner;      /* register: index of the winner among `of`, unset for none */
	int flags;       /* first of `of.n` registers: who applied (observed runs only) */
};
/* How near to the table a clause stands: enum layer. */
int layer_of(struct gen *g, int clause);
bool clause_stands(struct gen *g, int clause); /* is its rule in force? */
/* Those of a list that may answer, the highest standing first. */
void gen_eligible(struct gen *g, const int *list, int n, enum clause_sort sort, struct candidates *out);
/* Leaves the winner in c, by asking at run time what is not known yet (gen_rule.c). */
void gen_choose_clause(struct gen *g, struct choice_of *c, int question, void (*value)(struct gen *, int clause, int dst, void *), void *context, int width);
/* Jumps where the i-th of c.of did not win; -1: it is the last, and nobody else is left. */
int gen_unless_won(struct gen *g, const struct choice_of *c, int i);
void gen_applies(struct gen *g, int clause, struct jumps *out); /* jumps out unless it does */
void gen_guard(struct gen *g, int clause, struct jumps *out);
/* Whether clause a's rule is an exception to b's, at some time; jumps out while it is not. */
bool may_except(const struct gen *g, int a, int b);
void gen_excepts(struct gen *g, int a, int b, struct jumps *out);
int clause_index(struct gen *g, int mclause);
void bind_params(struct gen *g, int mclause, int first_reg);

/* ---- gen_question.c ---- */
int question_fn(struct gen *g, int question);
int base_fn(struct gen *g, int question);
void gen_question_fn(struct gen *g, int fn, int question);
void gen_base_fn(struct gen *g, int fn, int question);

/* ---- gen_event.c ---- */
int event_index(struct gen *g, int mevent);
int stage_fn(struct gen *g, int event, int stage);
void ret_stage(struct gen *g, word stopped); /* ends a stage */
int perform_fn(struct gen *g, int event);
void event_pended(struct gen *g, int event); /* there are acts of it: its stages are needed */
int stage_window(struct gen *g);             /* registers for a CALLACT of any event */
int legal_fn(struct gen *g, int event);
/* A function that was asked for is made by and by: its code would stand in the middle of another's. */
void gen_todo(struct gen *g, int fn, int sort, int what, int stage);
void gen_pending(struct gen *g);             /* makes all of them */

/* ---- gen_time.c ---- */
void gen_main(struct gen *g);

/* ---- gen_order.c ---- */
int order_new(struct gen *g, const char *name);
int order_index(struct gen *g, struct node *keys); /* NULL: the main order */
void gen_main_keys(struct gen *g, int order);
void gen_pairs(struct gen *g, int order);          /* of the main order: its clauses that compare two acts */
int gen_partners(struct gen *g, const int *clauses, int n); /* gen_partner.c: the function that says which acts these may compare */
void gen_nested_orders(struct gen *g); /* those of lists that were opened so far */

/* ---- gen_reads.c ---- */
/* What somebody reads, through all the questions he asks: conditions are woken by it. */
/* `rounds`: what is read may change when a round begins. */
struct reader { uint64_t bit; unsigned char *seen; bool shared, rounds; };
void gen_reads(struct gen *g, struct node *n, struct reader *x);
void gen_reads_one(struct gen *g, struct node *n, struct reader *x); /* without those behind it */
/* Can others change whether an act is void though they work on copies? */
bool void_shares(struct gen *g, int question);

/* ---- gen_lead.c ---- */
void gen_resolve(struct gen *g, enum op_resolve how, struct node *until);
int group_fn(struct gen *g);
void gen_group_fn(struct gen *g);
void gen_one_fn(struct gen *g);
/* Ends the fight if it is over; `window`: three free registers. Only a log is told which side won. */
void gen_ended(struct gen *g, int window);

/* ---- gen_whenever.c ---- */
int whenever_fn(struct gen *g);
void gen_whenever_fn(struct gen *g);
bool whenever_by_rounds(struct gen *g); /* whether one of them reads what a new round changes */
void gen_settle(struct gen *g, int window); /* the conditions are asked, where any wait to be */

/* ---- gen_turn.c ---- */
/* A list that is resolved (S_RESOLVE by keys) is gone through in turn, if it might be; jumps out, with nothing done, where it cannot. */
bool gen_in_turn(struct gen *g, struct node *n, struct jumps *whole);

/* ---- gen_scene.c ---- */
void gen_script(struct gen *g);        /* blocks, dice, choices, expectations */
int over_fn(struct gen *g);
int moment_fn(struct gen *g);
int block_of(const struct node *moment); /* its number; 0 is the encounter itself */
bool is_expect(const struct node *n);
/* Jumps out unless the block's moment is now. */
void gen_in_block(struct gen *g, struct node *moment, struct jumps *out);
bool gen_is_edit(const struct node *n);
/* In a block: who comes then. Of the encounter itself it is how the fight begins. */
bool gen_is_coming(const struct node *n, const struct node *moment);
/* What a block, or the encounter (NULL), changes: once each. */
void gen_edits(struct gen *g, struct node *list, struct node *moment);

/* ---- gen_typed.c ---- */
struct node *gen_first_typed(const struct gen *g, struct node *items); /* NULL: nothing was */
/* A hidden field of the encounter: that of something typed, or a new one. */
int gen_own_field(
	struct gen *g, const struct node *node, const char *name, struct vtype type, int words);
/* Returns the act that `fn`, of one ask's typed lines, has for `who`, if any. */
void gen_call_typed(struct gen *g, int fn, int who);
/* Jumps when `who` is told anything by what was typed. */
void gen_told_typed(struct gen *g, int who, struct jumps *told);
void gen_all_typed(struct gen *g, struct node *items);

/* ---- gen_line.c ---- */
int gen_line(struct gen *g, struct node *say, int who, int decided, struct jumps *refused);
void gen_try_line(struct gen *g, struct node *n, int who, int decided, struct jumps *unfit); /* a policy's: refused lines are passed over */
bool line_asked_for(const struct gen *g, const struct node *say);
void gen_is_subject(struct gen *g, struct node *subjects, int who, struct jumps *out); /* jumps out unless `who` is meant */
void gen_target(struct gen *g, struct node *target, struct type *want, bool frac, int dst); /* several make a set */
int ensure_var_owner(struct gen *g, int who);
bool cues_on(struct gen *g, int event);    /* does a line of the script wait for it? */
int gen_told_line(struct gen *g, struct node *say,
	int who); /* an act that is told of and never done: nothing is drawn or judged */
void gen_cues(struct gen *g, int event);   /* behind its `after` stage: those acts go off */

/* ---- gen_untaken.c ---- */
void gen_lines_begin(struct gen *g);       /* a round begins, or the fight */
void gen_lines_end(struct gen *g,
	enum left_why why); /* a round is over, or the fight: lines that nobody took are told of */
void gen_untaken_fn(struct gen *g);

/* ---- gen_ask.c ---- */
int ask_fn(struct gen *g, struct node *stmt); /* of an S_ASK; NULL: everything may be declared */
void gen_ask_fn(struct gen *g, int ask);
/* A block of what was typed in the middle of the fight. */
bool gen_is_typed(const struct gen *g, const struct node *n);
/* What was said in such blocks, from the last on. */
void gen_typed_lines(struct gen *g, struct node *items);
/* Sets `told` when `who` is told anything in the whole encounter. */
void gen_is_told(struct gen *g, struct node *list, int who, int told);
int policy_fn(struct gen *g, int policy);
void gen_policy_fn(struct gen *g, int policy, int ask); /* its body, when its turn comes */
int answer_fn(struct gen *g);
void gen_answer_fn(struct gen *g);
bool has_answers(struct node *list);
struct node *cue_of(const struct node *say);
int line_used(struct gen *g, const struct node *line); /* the field that holds who has had this line */
/* Skips who has had the line: `used` holds them. From `set` on there are registers for a set and two words. */
void gen_unless_used(struct gen *g, int set, int who, int used, struct jumps *skip);
int stand_ready_event(const struct model *m); /* the action of whoever waits for a cue, -1: the rules have none */
void gen_stand_ready(struct gen *g, struct node *n, struct node *moment, int who);
void list_lines(struct gen *g, struct node *items, struct node *moment);

/* ---- gen_told.c ---- */
int gen_expr_fn(struct gen *g, struct node *n, const char *name); /* () -> its value */
void gen_forced(struct gen *g, struct node *n, int block);
void gen_choices(struct gen *g, struct node *n, int block);
void gen_expects(struct gen *g, struct node *list, int block, bool lasts);

/* ---- gen_flight.c: what the script changes in mid-fight ---- */
/* Whether some of the kind, combatants or sides, come later than the rest. */
bool gen_some_late(struct gen *g, int kind);
void gen_skip_late(struct gen *g, int kind, int who, struct jumps *next); /* jumps when he has not come yet */
/* In what is done when everybody is set up: jumps unless it is done for all, or for him who comes. */
void gen_skip_others(struct gen *g, int who, struct jumps *next);
void gen_all_there(struct gen *g, int kind, int set);                     /* the set of those who have */
int awaited_field(struct gen *g);                                         /* of a side: it has not come yet */
void gen_joins(struct gen *g, struct node *n);                            /* N_JOIN, SIDE */
void gen_leaves(struct gen *g, struct node *n);                           /* N_LEAVE */
/* A line `X follows P` that has counted once the field `done` says so. */
void gen_followed(struct gen *g, struct node *follows, int done);
/* Options that combatants have as a field, and that change. */
bool gen_options_change(struct gen *g);
void gen_options_of(struct gen *g, struct node *n, struct node *moment); /* of a line of a beat block */

/* ---- gen_odds.c: what odds ask ---- */
void gen_watches(struct gen *g);       /* before any code is made */
void gen_watch_event(struct gen *g, int event); /* an event that happened; its arguments at R[0].. */
void gen_act_arguments(struct gen *g, int act, int event, int at); /* what an act of the event says, out of it */
void gen_watch_group(struct gen *g, int i, int size, int act, int event); /* the acts of a group that took place */
void gen_measures(struct gen *g);

/* ---- const.c ---- */
word gen_too_big(struct gen *g, const struct node *n); /* says so; NONE */
word const_value(struct gen *g, struct node *n, struct type *type, bool frac);
int thing_index(struct gen *g, int mthing);
int natural_weapon(struct gen *g, const struct node *v, int kind);

/* ---- link.c ---- */
/* The program of an encounter under the model's rules, or NULL with diagnostics sent. The
 * caller frees it with program_free. */
struct program *link_encounter(struct model *m, int encounter, bool observed);
/* The same up to the tables, which stay in `g`, and their program without them: g->p, whose arena is g->arena. */
bool link_build(struct gen *g, struct model *m, int encounter, bool observed);
void gen_free_tables(struct gen *g);
/* The place of each text in alphabetical order. */
void link_rank_texts(const char *const *text, int32_t texts, int32_t *rank);

/* ---- grow.c ---- */
/* An observed program of an encounter to which functions are added one by one. */
struct grown;
struct grown *grown_open(struct model *m, int encounter);
/* Nothing can be added: the model, or what it was linked to last, is another; or it has become too large. */
bool grown_stale(const struct grown *x);
/* Adds a function that works out a checked expression. The program, whose probe_fn, probe_type and probe_words are those of
 * the expression; NULL with diagnostics sent. What it returned before goes on to hold, but for where its tables lie. */
struct program *grown_add(struct grown *x, struct node *expr);
void grown_free(struct grown *x);

/* ---- link_thing.c ---- */
void link_fields(struct gen *g);
void link_things(struct gen *g);
int link_field(struct gen *g, int mfield);     /* index into program fields (live kinds) */
int link_thing_field(struct gen *g, int mfield);
int link_pair(struct gen *g, int mpair);
int hidden_field(struct gen *g, const char *name, int kind, struct vtype type, int words);
int stated_field(struct gen *g, int mfield);
/* What a stat block itself, not its pattern, gives a field; or NULL. */
struct node *thing_own_field(struct gen *g, int thing, int mfield);
struct node *thing_values(struct gen *g, int thing, int mfield);
bool extra_value(struct gen *g, int thing, int mfield, word *out);
/* Calls add for each word of a list that is written down. */
void list_items(struct gen *g, struct node *values, struct type *type, void (*add)(struct gen *, word, void *), void *context);

/* ---- link_start.c ---- */
void lay_out(struct gen *g);
void store_world(struct gen *g, word *block);
void store_act_defaults(struct gen *g, word *block);

/* Statements that write: set, change, add and remove (gen_set.c). */
void gen_set_stmt(struct gen *g, struct node *n);
void gen_change_stmt(struct gen *g, struct node *n);
void gen_list_stmt(struct gen *g, struct node *n);

/* Names for messages and stories (link_names.c). */
void link_names(struct gen *g);
/* A combatant's name with the letters of its stat block: `combatant Foe` is Foe, though rules of
 * the library were read first and name a variable foe. */
const char *live_written(struct gen *g, const struct mlive *l);

#endif
