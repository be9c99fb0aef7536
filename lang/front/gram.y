/* gram.y - the grammar of Fray. Its actions only build trees.
 *
 * The phraser feeds it one token at a time (phrase.h), so runs of words arrive as NAME, VERB
 * or SUBJECT. A text begins with START_FILE or START_PROMPT, which differ in one thing: at
 * the prompt an expression may stand alone. Every list of lines has an `error NL` member;
 * the phraser skips to the end of the broken line before it sends that NL. */
%require "3.8"
%define api.prefix {fray_}
%define api.token.prefix {TOK_}
%define api.pure full
%define api.push-pull push
%define api.header.include {"lang/front/gram.h"}
%define api.value.type {union value}
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%define lr.type lalr
%locations
%expect 0
%param { struct phrase *p }

%code requires {
#include "lang/front/phrase.h"
#include "lang/front/slip.h"
}

%code {
#include <string.h>

#include "runtime/base/num.h"

#define YYMAXDEPTH 4000
#define YYLLOC_DEFAULT(now, of, n) ((now) = (n) ? span_join((of)[1], (of)[n]) : \
	(struct span){(of)[0].file, (of)[0].end, (of)[0].end})

#define NEW(kind, at) build(p, N_KIND_##kind, at)
#define NAMED(kind, at, w, wat) build_named(p, N_KIND_##kind, at, w, wat)

static void fray_error(struct span *at, struct phrase *p, const char *message);
static struct node *number(struct phrase *p, enum node_kind kind, struct span at, struct word w);
static struct node *node1(struct node *n, struct node *a);
static struct node *node2(struct node *n, struct node *a, struct node *b);
static struct node *text1(struct node *n, const char *text);
static struct node *op1(struct node *n, int op);
}

/* ---- tokens ---- */
%token START_FILE START_PROMPT
%token NL "the end of the line"
%token <word> NAME "a name" SUBJECT "somebody" VERB "a verb" KIND "a kind of thing"
%token <word> STRING "a quoted text" NUMBER "a number" QTY "a quantity" DICE "dice" PERCENT "a percentage" CHANCE "a chance" MOMENT "a moment" TIMES "a number of times"
%token LE "<=" GE ">=" NE "<>" SPAN ".." OF "'s"
%token DICE_COLON "dice:" DICE_ONLY "dice only:" CHOICES "choices:" REFEREE "referee:"
%token JOIN "join" SHARED "shared" PAIR_OF "pair of" OPTION_OF "of" AS_LABEL "as"

%token USE "use" RULESET "ruleset" LIBRARY "library" HOUSE "house rules" UNIT "unit" SEQUENCE "sequence" OPTION "option" ALIAS "alias" SPELLING "spelling"
%token KIND_WORD "kind" EVERY "every" EVENT "event" ACTION "action" RULE "rule" DROP "drop rule" TABLE "table" POLICY "policy"
%token ENCOUNTER "encounter" SIDE "side" DEFINE "define" ADJUST "adjust" LIMIT "limit" ORDER "order" WHENEVER "whenever"
%token FORBID "forbid" PERMIT "permit" DEFAULT_ACTION "default action" DEFAULT_POLICY "default policy" INSTEAD "instead of" NEEDS "needs" COSTS "costs" DOES "does"
%token LET "let" SET "set" CHANGE "change" ADD "add" REMOVE "remove" EACH "each" REPEAT "repeat" STOP "stop" CARRY_ON "carry on"
%token PEND "pend" RESOLVE "resolve" ASK "ask" CANCEL "cancel" NOTE "note" REFER "refer" REFUSE "refuse" WRONG "wrong" TOGETHER "together"
%token BEGIN_ROUND "begin round" PERFORM_PHASE "perform phase" EXPECT "expect" EXPECT_VAIN "expect in vain" ODDS "odds" SWEEP "sweep" COMPARE "compare" PLOT "plot"
%token WHEN_ASKED "when asked" FOLLOWS "follows"
%token BEGIN "begin" STEP "step" RUN "run" UNDO "undo" REDO "redo" FORK "fork" SWITCH "switch" FORKS "forks" FORCE "force" WHY "why"
%token SHOW "show" SAVE "save" LOAD "load" HELP "help" QUIT "quit" DICE_ASK "dice ask" DICE_ROLL "dice roll" IN_FULL "in full"

%token <word> WITH "with" UNTIL "until" BY "by" TO "to" AT "at" ON "on" BEFORE "before" AFTER "after" IN "in" FROM "from" FOR "for" PREP "a preposition" TOGETHER_WITH "together with"
%token WHEN "when" UNLESS "unless" IS "is" HAS "has" KEEPS "keeps" NOTES "notes" VS "vs" GIVING "giving" BY_DEFAULT "by default" THEN "then" AT_LEAST "at least" AT_MOST "at most"
%token BEGINS "is .." END_OF "end of" NO_LONGER "no longer" WHILE "while" AT_END_OF "at the end of"
%token WHERE "where" ELSE "else" MAY "may" AND "and" OR "or" NOT "not" AS "as " AS_SOON_AS "as soon as" CHOOSES "chooses"
%token PRECEDES "precedes" YIELDS "yields to" MEETS "meets" APART_FROM "apart from"
%token ROUNDED_UP "rounded up" ROUNDED_DOWN "rounded down" ROUNDED_NEAREST "rounded nearest"
%token IF "if" YES "yes" NO "no" NONE "none" ROLL "roll" THIS "this" BASE "base" STATED "stated" COUNT "count" ANY "any" PICK "pick" RANDOM "random" ONCE "once" THOSE "those" TOTAL "total"
%token HIGHEST "highest" LOWEST "lowest" EXTENDS "extends" EXCEPTION "exception to" REPLACES "replaces" RULING "ruling" EXACT "exact"
%token AVERAGE "average" SPREAD "spread" OVER "over" UP_TO "up to" ALL "all" NEXT "next" COPY_OF "copy of" EVERYTHING "everything" EVERYTHING_EXCEPT "everything except" PHASE "phase" IN_ORDER "in this order" ANYBODY "anybody" NOBODY "nobody" SOMEONE "someone"

%type <node> top item told_line use drop preference part_of_rule field settled_field decl_line setting scene_line rule clause every_head action_line row key policy_line command asked eval
%type <node> value block stmt stmt_line if_stmt edit option_setting question odds_head tested sweep_line measure branch
%type <node> expr cond cmp num sum term factor primary rollable path set over folded drawn choose barred acts rule_mod rule_ref drop_ref sort part
%type <node> sentence queue deed bare target force faces choice answer column member said expected expect_said expect_not expect expect_times expect_nobody moment pattern_part cue option_value times
%type <node> table opt_length opt_parent opt_in opt_where opt_at opt_default opt_block opt_else_choice opt_step opt_condition cell_key signed_number
%type <list> opt_use use_items use_item settings setting_lines names opt_roles decl opt_decl decl_lines told opt_told told_lines values fields field_lines opt_fields
%type <list> columns rows row_lines exprs rule_mods rule_refs clauses clause_lines pattern opt_action action_lines keys stmt_lines blocks
%type <list> all either policy_lines scene_lines opt_targets targets preps opt_aims aims parts subjects pips asked_names forced choices answers members option_values
%type <node> turned state lasting order_part
%type <list> branches opt_branches opt_giving measures sweep_lines rulesets opt_for say_rest ordered
%type <when> opt_when
%type <word> opt_name opt_text opt_label opt_extends opt_of name prep opt_on
%type <op> opt_once pair stage bound inequality opt_shared settled opt_copy round in_full

%start program
%%

program
	: START_FILE lines
	| START_PROMPT prompt_lines
	;
lines
	: %empty
	| lines line
	;
line
	: NL
	| top NL { build_unit(p, $1, @1); }
	| error NL { yyerrok; build_unit(p, build_broken(p, @1), @1); }
	;
prompt_lines
	: %empty
	| prompt_lines prompt_line
	;
prompt_line
	: line
	| eval NL { build_unit(p, $1, @1); }
	;
eval
	: expr { $$ = node1($1->kind == N_KIND_E_DICE ? NEW(X_ROLL, @$) : NEW(X_EVAL, @$), $1); }
	;

/* ---- what stands at the top of a file ---- */
top
	: item
	| LIBRARY NAME opt_text { $$ = text1(NAMED(LIBRARY, @$, $2, @2), $3.text); }
	| RULESET NAME opt_text opt_extends { $$ = text1(NAMED(RULESET, @$, $2, @2), $3.text); $$->name2 = $4.name; }
	| HOUSE NAME FOR NAME opt_text { $$ = text1(NAMED(HOUSE, @$, $2, @2), $5.text); $$->name2 = $4.name; }
	| UNIT NAME opt_length { $$ = node1(NAMED(UNIT, @$, $2, @2), $3); }
	| SEQUENCE NAME ':' names { $$ = node1(NAMED(SEQUENCE, @$, $2, @2), $4.head); }
	| OPTION NAME opt_of ':' option_values opt_text { $$ = text1(node1(NAMED(OPTION, @$, $2, @2), $5.head), $6.text); $$->name2 = $3.name; }
	| SPELLING NAME '=' name { $$ = NAMED(SPELLING, @$, $2, @2); $$->name2 = $4.name; }
	| ALIAS NAME '=' name { $$ = NAMED(ALIAS, @$, $2, @2); $$->name2 = $4.name; }
	| KIND_WORD NAME opt_parent opt_told {
		bool live = $3 && !strcmp(intern_folded(p->front->names, $3->name), "live");
		$$ = node1(NAMED(KIND, @$, $2, @2), $4.head);
		$$->num = live;
		$$->name2 = $3 && !live ? $3->name : 0;
	}
	| EVERY every_head HAS told { $$ = node1($2, $4.head); $$->span = @$; }
	| EVERY every_head KEEPS told { $$ = node1($2, $4.head); $$->span = @$; $$->num = 1; }
	| EVERY every_head NOTES told { $$ = node1($2, $4.head); $$->span = @$; $$->num = 2; }
	| KIND NAME opt_text opt_parent opt_decl {
		$$ = node2(NAMED(THING, @$, $2, @2), $4, $5.head);
		$$->name2 = $1.name;
		$$->num = $2.quoted;
		if ($3.text)
			build_meaning(p, $$, $3.text, @3);
	}
	| EVENT NAME opt_roles opt_once opt_text { $$ = text1(node1(NAMED(EVENT, @$, $2, @2), $3.head), $5.text); $$->num = $4; }
	| ACTION NAME pattern opt_text opt_action { $$ = text1(node2(NAMED(ACTION, @$, $2, @2), $3.head, $5.head), $4.text); }
	| table
	| POLICY NAME '{' policy_lines '}' { $$ = node1(NAMED(POLICY, @$, $2, @2), $4.head); }
	| ENCOUNTER NAME '{' scene_lines '}' { $$ = node1(NAMED(ENCOUNTER, @$, $2, @2), $4.head); }
	| command
	;
name
	: NAME
	| STRING { $$ = $1; $$.quoted = true; }
	;
names
	: NAME { $$ = build_list(NAMED(E_NAME, @1, $1, @1)); }
	| names ',' NAME { $$ = build_add($1, NAMED(E_NAME, @3, $3, @3)); }
	;
opt_name
	: %empty { $$ = (struct word){0}; }
	| NAME
	;
opt_text
	: %empty { $$ = (struct word){0}; }
	| STRING
	;
opt_extends
	: %empty { $$ = (struct word){0}; }
	| EXTENDS NAME { $$ = $2; }
	;
opt_once
	: %empty { $$ = 0; }
	| ONCE { $$ = 1; }
	;
opt_length
	: %empty { $$ = NULL; }
	| '=' num { $$ = $2; }
	;
opt_of
	: %empty { $$ = (struct word){0}; }
	| OPTION_OF NAME { $$ = $2; }
	;
option_values
	: option_value { $$ = build_list($1); }
	| option_values ',' option_value { $$ = build_add($1, $3); }
	;
option_value
	: NAME { $$ = NAMED(E_NAME, @$, $1, @1); }
	| STRING { $$ = text1(NEW(E_TEXT, @$), $1.text); }
	| signed_number
	| QTY { $$ = number(p, N_KIND_E_QTY, @$, $1); }
	| PERCENT { $$ = number(p, N_KIND_E_PERCENT, @$, $1); }
	| DICE { $$ = text1(NEW(E_DICE, @$), $1.text); }
	| YES { $$ = NEW(E_YES, @$); }
	| NO { $$ = NEW(E_NO, @$); }
	| NONE { $$ = NEW(E_NONE, @$); }
	;
signed_number
	: NUMBER { $$ = number(p, N_KIND_E_NUM, @$, $1); }
	| '-' NUMBER { $$ = number(p, N_KIND_E_NUM, @$, $2); $$->num = -$$->num; }
	| '+' NUMBER { $$ = number(p, N_KIND_E_NUM, @$, $2); }
	;
opt_parent
	: %empty { $$ = NULL; }
	| IS name { $$ = NAMED(E_NAME, @2, $2, @2); $$->num = $2.quoted; }
	| IS name WITH { $$ = NAMED(E_NAME, @2, $2, @2); $$->num = $2.quoted; }
	;
every_head
	: NAME { $$ = op1(NAMED(EVERY, @$, $1, @1), EVERY_KIND); }
	| PAIR_OF NAME { $$ = op1(NAMED(EVERY, @$, $2, @2), EVERY_PAIR); $$->name2 = $2.name; }
	| NAME TO NAME { $$ = op1(NAMED(EVERY, @$, $1, @1), EVERY_DIRECTED); $$->name2 = $3.name; }
	;
opt_roles
	: %empty { $$ = (struct list){0}; }
	| '(' names ')' { $$ = $2; }
	| '(' ')' { $$ = (struct list){0}; }
	;

use
	: USE name opt_use {
		$$ = NAMED(USE, @$, $2, @2);
		for (struct node *n = $3.head, *next; n; n = next) {
			next = n->next;
			n->next = NULL;
			if (n->kind == N_KIND_E_NAME)
				$$->a = node_append($$->a, n);
			else
				$$->b = node_append($$->b, n);
		}
	}
	| USE WITH settings { $$ = NEW(USE, @$); $$->b = $3.head; }
	;
opt_use
	: %empty { $$ = (struct list){0}; }
	| WITH use_items { $$ = $2; }
	;
use_items
	: use_item
	| use_items ',' use_item { $$ = build_join($1, $3); }
	;
use_item
	: name { $$ = build_list(NAMED(E_NAME, @$, $1, @1)); }
	| settings
	;
settings
	: '{' setting_lines '}' { $$ = $2; }
	;
setting_lines
	: %empty { $$ = (struct list){0}; }
	| setting_lines setting NL { $$ = build_add($1, $2); }
	| setting_lines error NL { yyerrok; $$ = build_add($1, build_broken(p, @2)); }
	;
setting
	: NAME ':' option_value {
		$$ = node1(NAMED(D_FIELD, @$, $1, @1), node1(NEW(V_PLAIN, @3), $3));
	}
	;

/* ---- stat blocks ---- */
opt_decl
	: %empty { $$ = (struct list){0}; }
	| decl
	;
decl
	: '{' decl_lines '}' { $$ = $2; }
	;
decl_lines
	: %empty { $$ = (struct list){0}; }
	| decl_lines decl_line NL { $$ = build_add($1, $2); }
	| decl_lines error NL { yyerrok; $$ = build_add($1, build_broken(p, @2)); }
	;
decl_line
	: field
	| table
	| rule
	| clause
	;
field
	: NAME ':' values opt_shared { $$ = node1(NAMED(D_FIELD, @$, $1, @1), $3.head); $$->num = $4; }
	;
/* Where fields are declared: each may say what it means. */
opt_told
	: %empty { $$ = (struct list){0}; }
	| told
	;
told
	: '{' told_lines '}' { $$ = $2; }
	;
told_lines
	: %empty { $$ = (struct list){0}; }
	| told_lines told_line NL { $$ = build_add($1, $2); }
	| told_lines error NL { yyerrok; $$ = build_add($1, build_broken(p, @2)); }
	;
told_line
	: decl_line
	| field STRING { $$ = text1($1, $2.text); $$->span = @$; }
	| settled_field
	| settled_field STRING { $$ = text1($1, $2.text); $$->span = @$; }
	;
opt_shared
	: %empty { $$ = 0; }
	| SHARED { $$ = 1; }
	;
settled_field
	: NAME ':' values BY settled opt_name { $$ = node1(NAMED(D_FIELD, @$, $1, @1), $3.head); $$->num = $5; $$->name2 = $6.name; }
	;
settled
	: HIGHEST { $$ = 2; }
	| LOWEST { $$ = 3; }
	;
values
	: value { $$ = build_list($1); }
	| values ',' value { $$ = build_add($1, $3); }
	;
value
	: expr { $$ = node1(NEW(V_PLAIN, @$), $1); }
	| expr WITH fields { $$ = node2(NEW(V_PLAIN, @$), $1, $3.head); }
	| NUMBER NAME WITH fields { $$ = NAMED(V_COUNT, @$, $2, @2); $$->num = $1.num; $$->b = $4.head; }
	| expr VS name { $$ = node1(NAMED(V_VERSUS, @$, $3, @3), $1); }
	| NUMBER NAME { $$ = NAMED(V_COUNT, @$, $2, @2); $$->num = $1.num; }
	| NAME DICE { $$ = node1(NAMED(V_NAMED, @$, $1, @1), text1(NEW(E_DICE, @2), $2.text)); }
	| NAME DICE WITH fields { $$ = node2(NAMED(V_NAMED, @$, $1, @1), text1(NEW(E_DICE, @2), $2.text), $4.head); }
	| NAME PERCENT { $$ = node1(NAMED(V_NAMED, @$, $1, @1), number(p, N_KIND_E_PERCENT, @2, $2)); }
	| NAME CHANCE { $$ = node1(NAMED(V_NAMED, @$, $1, @1), number(p, N_KIND_E_CHANCE, @2, $2)); }
	;
fields
	: '{' field_lines '}' { $$ = $2; }
	;
field_lines
	: %empty { $$ = (struct list){0}; }
	| field_lines field NL { $$ = build_add($1, $2); }
	| field_lines error NL { yyerrok; $$ = build_add($1, build_broken(p, @2)); }
	;
opt_fields
	: %empty { $$ = (struct list){0}; }
	| WITH fields { $$ = $2; }
	;

/* ---- actions and tables ---- */
pattern
	: %empty { $$ = (struct list){0}; }
	| pattern pattern_part { $$ = build_add($1, $2); }
	;
pattern_part
	: '(' NAME ')' { $$ = NAMED(PART, @$, $2, @2); }
	| prep '(' NAME ')' { $$ = NAMED(PART, @$, $3, @3); $$->name2 = $1.name; }
	;
prep
	: WITH | UNTIL | BY | TO | AT | ON | BEFORE | AFTER | IN | FROM | FOR | PREP
	;
opt_action
	: %empty { $$ = (struct list){0}; }
	| '{' action_lines '}' { $$ = $2; }
	;
action_lines
	: %empty { $$ = (struct list){0}; }
	| action_lines action_line NL { $$ = build_add($1, $2); }
	| action_lines error NL { yyerrok; $$ = build_add($1, build_broken(p, @2)); }
	;
action_line
	: field
	| NEEDS expr opt_text { $$ = text1(node1(NEW(NEEDS, @$), $2), $3.text); }
	| COSTS block { $$ = NEW(COSTS, @$); $$->b = $2; }
	| DOES block { $$ = NEW(DOES, @$); $$->b = $2; }
	;
table
	: TABLE NAME '(' names ')' rows { $$ = build_table(p, @$, $2, @2, $4, $6); }
	;
rows
	: '{' row_lines '}' { $$ = $2; }
	;
row_lines
	: %empty { $$ = (struct list){0}; }
	| row_lines row NL { $$ = build_add($1, $2); }
	| row_lines error NL { yyerrok; $$ = build_add($1, build_broken(p, @2)); }
	;
row
	: key ':' exprs { $$ = node2(NEW(ROW, @$), $1, $3.head); }
	| ':' columns { $$ = node2(NEW(ROW, @$), NULL, $2.head); }
	;
columns
	: column { $$ = build_list($1); }
	| columns ',' column { $$ = build_add($1, $3); }
	;
column
	: name { $$ = NAMED(E_NAME, @$, $1, @1); $$->num = $1.quoted; }
	| cell_key
	;
key
	: column
	| cell_key SPAN cell_key { $$ = node2(NEW(E_SPAN, @$), $1, $3); }
	| cell_key SPAN { $$ = node1(NEW(E_SPAN, @$), $1); }
	| UP_TO cell_key { $$ = node2(NEW(E_SPAN, @$), NULL, $2); }
	| OVER cell_key { $$ = op1(node1(NEW(E_SPAN, @$), $2), SPAN_OVER); }
	| OVER cell_key UP_TO cell_key { $$ = op1(node2(NEW(E_SPAN, @$), $2, $4), SPAN_OVER); }
	;
cell_key
	: signed_number
	| QTY { $$ = number(p, N_KIND_E_QTY, @$, $1); }
	| PERCENT { $$ = number(p, N_KIND_E_PERCENT, @$, $1); }
	| CHANCE { $$ = number(p, N_KIND_E_CHANCE, @$, $1); }
	;
exprs
	: expr { $$ = build_list($1); }
	| exprs ',' expr { $$ = build_add($1, $3); }
	;

/* ---- rules and their clauses ---- */
rule
	: RULE NAME opt_text rule_mods clauses { $$ = text1(node2(NAMED(RULE, @$, $2, @2), $4.head, $5.head), $3.text); }
	;
rule_mods
	: %empty { $$ = (struct list){0}; }
	| rule_mods EXCEPTION rule_refs { $$ = build_join($1, $3); }
	| rule_mods rule_mod { $$ = build_add($1, $2); }
	;
rule_mod
	: REPLACES rule_ref { $$ = op1($2, MOD_REPLACES); }
	| IF expr { $$ = op1(node1(NEW(MOD, @$), $2), MOD_IF); $$->name = $2->kind == N_KIND_E_IS && $2->a->kind == N_KIND_E_OPTION ? $2->a->name : $2->name; }
	| RULING STRING { $$ = op1(text1(NEW(MOD, @$), $2.text), MOD_RULING); }
	;
rule_refs
	: rule_ref { $$ = build_list(op1($1, MOD_EXCEPTION)); }
	| rule_refs ',' rule_ref { $$ = build_add($1, op1($3, MOD_EXCEPTION)); }
	;
rule_ref
	: NAME { $$ = NAMED(MOD, @$, $1, @1); }
	| NAME OF NAME { $$ = NAMED(MOD, @$, $3, @3); $$->name2 = $1.name; }
	;
drop
	: DROP drop_ref { $$ = $2; $$->span = @$; }
	;
drop_ref
	: NAME { $$ = NAMED(DROP, @$, $1, @1); }
	| NAME OF NAME { $$ = NAMED(DROP, @$, $3, @3); $$->name2 = $1.name; }
	;
preference
	: RULING rule_ref OVER rule_ref opt_text { $$ = text1(node2(NEW(PREFERENCE, @$), $2, $4), $5.text); }
	;
clauses
	: '{' clause_lines '}' { $$ = $2; }
	;
clause_lines
	: %empty { $$ = (struct list){0}; }
	| clause_lines clause NL { $$ = build_add($1, $2); }
	| clause_lines error NL { yyerrok; $$ = build_add($1, build_broken(p, @2)); }
	;
clause
	: part_of_rule
	| part_of_rule RULING STRING { $$ = $1; $$->f = text1(NEW(E_TEXT, @3), $3.text); }
	;
part_of_rule
	: DEFINE path '=' expr opt_when { $$ = node2(NEW(C_DEFINE, @$), $2, $4); build_when($$, $5); }
	| DEFINE path IS name opt_when { $$ = build_define(p, @$, $2, $4, $5); $$->at = @4; }
	| ADJUST path BY expr opt_when { $$ = node2(NEW(C_ADJUST, @$), $2, $4); build_when($$, $5); }
	| LIMIT path TO bound expr opt_when { $$ = op1(node2(NEW(C_LIMIT, @$), $2, $5), $4); build_when($$, $6); }
	| ORDER NAME BY keys opt_when { $$ = node1(NAMED(C_ORDER, @$, $2, @2), $4.head); build_when($$, $5); }
	| NAME pair NAME opt_when { $$ = op1(NAMED(C_PAIR, @$, $1, @1), $2); $$->name2 = $3.name; build_when($$, $4); }
	| stage NAME opt_roles opt_when block { $$ = op1(node2(NAMED(C_HOOK, @$, $2, @2), $3.head, $5), $1); build_when($$, $4); }
	| stage PHASE NAME opt_when block {
		$$ = op1(node2(NAMED(C_HOOK, @$, $3, @3), NULL, $5), $1);
		build_when($$, $4);
		$$->d = NAMED(E_NAME, @2, $3, @3);
	}
	| WHENEVER expr block { $$ = node2(NEW(C_WHENEVER, @$), $2, $3); }
	| FORBID barred { $$ = $2; $$->span = $$->at = @$; }
	| PERMIT barred { $$ = $2; $$->kind = N_KIND_C_PERMIT; $$->span = $$->at = @$; }
	| DEFAULT_ACTION NAME { $$ = NAMED(C_DEFAULT, @$, $2, @2); }
	| DEFAULT_POLICY NAME { $$ = op1(NAMED(C_DEFAULT, @$, $2, @2), 1); }
	;
barred /* the reason may stand before or after the condition */
	: acts opt_when { $$ = $1; build_when($$, $2); }
	| acts STRING opt_when { $$ = text1($1, $2.text); build_when($$, $3); }
	| acts WHEN expr STRING { $$ = text1($1, $4.text); build_when($$, (struct when){$3, false}); }
	| acts UNLESS expr STRING { $$ = text1($1, $4.text); build_when($$, (struct when){$3, true}); }
	;
acts
	: names { $$ = node1(NEW(C_FORBID, @$), $1.head); }
	| EVERYTHING { $$ = NEW(C_FORBID, @$); }
	| EVERYTHING_EXCEPT names { $$ = node2(NEW(C_FORBID, @$), NULL, $2.head); }
	;
bound
	: AT_LEAST { $$ = AT_LEAST_OP; }
	| AT_MOST { $$ = AT_MOST_OP; }
	;
pair
	: PRECEDES { $$ = PAIR_PRECEDES; }
	| YIELDS { $$ = PAIR_YIELDS; }
	| TOGETHER_WITH { $$ = PAIR_TOGETHER; }
	| MEETS { $$ = PAIR_MEETS; }
	| APART_FROM { $$ = PAIR_APART; }
	;
stage
	: INSTEAD { $$ = STAGE_INSTEAD; }
	| BEFORE { $$ = STAGE_BEFORE; }
	| ON { $$ = STAGE_ON; }
	| AFTER { $$ = STAGE_AFTER; }
	;
keys
	: sort { $$ = build_list($1); }
	| keys THEN sort { $$ = build_add($1, $3); }
	| keys ',' THEN sort { $$ = build_add($1, $4); }
	;
sort
	: expr { $$ = node1(NEW(KEY, @$), $1); }
	| HIGHEST expr { $$ = op1(node1(NEW(KEY, @$), $2), KEY_HIGHEST); }
	| LOWEST expr { $$ = op1(node1(NEW(KEY, @$), $2), KEY_LOWEST); }
	;
opt_when
	: %empty { $$ = (struct when){0}; }
	| WHEN expr { $$ = (struct when){$2, false}; }
	| UNLESS expr { $$ = (struct when){$2, true}; }
	;

/* ---- bodies ---- */
block
	: '{' stmt_lines '}' { $$ = node1(NEW(S_BLOCK, @$), $2.head); }
	;
stmt_lines
	: %empty { $$ = (struct list){0}; }
	| stmt_lines stmt_line { $$ = build_add($1, $2); }
	;
stmt_line
	: stmt NL
	| error NL { yyerrok; $$ = build_broken(p, @1); }
	;
stmt
	: LET NAME '=' expr { $$ = node1(NAMED(S_LET, @$, $2, @2), $4); }
	| edit
	| EACH NAME opt_in opt_where block { $$ = node2(NAMED(S_EACH, @$, $2, @2), $3, $5); $$->c = $4; }
	| EACH NAME FROM num TO num opt_where block {
		$$ = node2(NAMED(S_COUNT, @$, $2, @2), $4, $8);
		$$->c = $7;
		$$->d = $6;
	}
	| if_stmt
	| REPEAT opt_condition block { $$ = node2(NEW(S_REPEAT, @$), $2, $3); }
	| STOP opt_when { $$ = NEW(S_STOP, @$); build_when($$, $2); }
	| CARRY_ON { $$ = NEW(S_CARRY_ON, @$); }
	| path opt_fields { $$ = node2(NEW(S_CALL, @$), $1, $2.head); }
	| PERFORM_PHASE NAME { $$ = NAMED(S_PHASE, @$, $2, @2); }
	| PEND opt_copy path opt_at opt_fields { $$ = node2(NEW(S_PEND, @$), $3, $5.head); $$->c = $4; $$->num = $2; }
	| RESOLVE ALL { $$ = op1(NEW(S_RESOLVE, @$), RESOLVE_ALL); }
	| RESOLVE NEXT { $$ = op1(NEW(S_RESOLVE, @$), RESOLVE_NEXT); }
	| RESOLVE UNTIL num { $$ = op1(node1(NEW(S_RESOLVE, @$), $3), RESOLVE_UNTIL); }
	| RESOLVE BY keys block { $$ = op1(node2(NEW(S_RESOLVE, @$), $3.head, $4), RESOLVE_BY); }
	| ASK path opt_for opt_where { $$ = node2(NEW(S_ASK, @$), $2, $3.head); $$->c = $4; }
	| path MAY path opt_default opt_block { $$ = node2(NEW(S_MAY, @$), $1, $3); $$->c = $5; $$->d = $4; }
	| path MAY path opt_default block ELSE block { $$ = node2(NEW(S_MAY, @$), $1, $3); $$->c = $5; $$->d = $4; $$->e = $7; }
	| path MAY path opt_default block ELSE if_stmt { $$ = node2(NEW(S_MAY, @$), $1, $3); $$->c = $5; $$->d = $4; $$->e = $7; }
	| CANCEL path opt_where { $$ = node1(NEW(S_CANCEL, @$), $2); $$->c = $3; }
	| NOTE STRING { $$ = text1(NEW(S_NOTE, @$), $2.text); }
	| REFER STRING opt_when { $$ = text1(NEW(S_REFER, @$), $2.text); build_when($$, $3); }
	| WRONG STRING opt_when { $$ = text1(NEW(S_WRONG, @$), $2.text); build_when($$, $3); }
	| REFUSE STRING opt_when { $$ = text1(NEW(S_REFUSE, @$), $2.text); build_when($$, $3); }
	| TOGETHER blocks { $$ = node1(NEW(S_TOGETHER, @$), $2.head); }
	| BEGIN_ROUND AT num { $$ = node1(NEW(S_BEGIN_ROUND, @$), $3); }
	| turned
	;
turned /* a condition that begins or ends; core's events do it */
	: path BEGINS state { $$ = build_begins(p, @$, $1, $3, NULL); }
	| path BEGINS state lasting { $$ = build_begins(p, @$, $1, $3, $4); }
	| path BEGINS state WHILE expr { $$ = build_begins(p, @$, $1, $3, NULL); $$->c = $5; }
	| path BEGINS NO_LONGER state { $$ = build_ends(p, @$, $1, $4); }
	;
state
	: path
	| STRING { $$ = NAMED(E_NAME, @$, $1, @1); $$->num = 1; }
	;
lasting /* how many whole rounds after this one */
	: FOR QTY { $$ = build_rounds(p, @2, number(p, N_KIND_E_QTY, @2, $2)); }
	| FOR DICE NAME { $$ = build_rolled(p, @2, text1(NEW(E_DICE, @2), $2.text), $3, @3); }
	| FOR '(' expr ')' NAME { $$ = build_counted(p, $3, $5, @5); }
	| UNTIL MOMENT { $$ = build_until(p, number(p, N_KIND_E_MOMENT, @2, $2), 1); }
	| UNTIL END_OF MOMENT { $$ = build_until(p, number(p, N_KIND_E_MOMENT, @3, $3), 0); }
	| UNTIL END_OF NAME { $$ = build_present(p, NEW(E_NUM, @3), $3, @3); }
	;
edit
	: SET path '=' expr { $$ = node2(NEW(S_SET, @$), $2, $4); }
	| CHANGE path BY num { $$ = node2(NEW(S_CHANGE, @$), $2, $4); }
	| CHANGE path BY num AT_MOST num { $$ = node2(NEW(S_CHANGE, @$), $2, $4); $$->c = $6; }
	| CHANGE path BY num AT_LEAST num { $$ = node2(NEW(S_CHANGE, @$), $2, $4); $$->d = $6; }
	| CHANGE path BY num AT_MOST num AT_LEAST num { $$ = node2(NEW(S_CHANGE, @$), $2, $4); $$->c = $6; $$->d = $8; }
	| CHANGE path BY num AT_LEAST num AT_MOST num { $$ = node2(NEW(S_CHANGE, @$), $2, $4); $$->d = $6; $$->c = $8; }
	| ADD num TO path { $$ = node2(NEW(S_ADD, @$), $2, $4); }
	| REMOVE num FROM path { $$ = node2(NEW(S_REMOVE, @$), $2, $4); }
	;
opt_condition
	: %empty { $$ = NULL; }
	| AT_MOST num { $$ = $2; }
	;
opt_in
	: %empty { $$ = NULL; }
	| IN path { $$ = $2; }
	;
opt_where
	: %empty { $$ = NULL; }
	| WHERE expr { $$ = $2; }
	;
opt_copy
	: %empty { $$ = 0; }
	| COPY_OF { $$ = 1; }
	;
opt_at
	: %empty { $$ = NULL; }
	| AT num { $$ = $2; }
	;
opt_for
	: %empty { $$ = (struct list){0}; }
	| FOR names { $$ = $2; }
	;
opt_default
	: %empty { $$ = NULL; }
	| BY_DEFAULT expr { $$ = $2; }
	;
opt_block
	: %empty { $$ = NULL; }
	| block
	;
blocks
	: block { $$ = build_list($1); }
	| blocks AND block { $$ = build_add($1, $3); }
	;
if_stmt
	: IF expr block { $$ = node2(NEW(S_IF, @$), $2, $3); }
	| IF expr block ELSE block { $$ = node2(NEW(S_IF, @$), $2, $3); $$->c = $5; }
	| IF expr block ELSE if_stmt { $$ = node2(NEW(S_IF, @$), $2, $3); $$->c = $5; }
	;

/* ---- expressions ---- */
expr
	: cond
	| all { $$ = node1(NEW(E_AND, @$), $1.head); }
	| either { $$ = node1(NEW(E_OR, @$), $1.head); }
	| choose
	| IF expr THEN expr ELSE expr { $$ = node2(NEW(E_IF, @$), $2, $4); $$->c = $6; }
	;
all
	: cond AND cond { $$ = build_add(build_list($1), $3); }
	| all AND cond { $$ = build_add($1, $3); }
	;
either
	: cond OR cond { $$ = build_add(build_list($1), $3); }
	| either OR cond { $$ = build_add($1, $3); }
	;
cond
	: cmp
	| NOT cond { $$ = node1(NEW(E_NOT, @$), $2); }
	;
cmp
	: num
	| num '=' num { $$ = build_binary(p, BIN_EQ, $1, $3); }
	| num NE num { $$ = build_binary(p, BIN_NE, $1, $3); }
	| num '<' num { $$ = build_binary(p, BIN_LT, $1, $3); }
	| num '>' num { $$ = build_binary(p, BIN_GT, $1, $3); }
	| num LE num { $$ = build_binary(p, BIN_LE, $1, $3); }
	| num GE num { $$ = build_binary(p, BIN_GE, $1, $3); }
	| num IS num { $$ = node2(NEW(E_IS, @$), $1, $3); }
	| num IS NOT num { $$ = node2(NEW(E_IS, @$), $1, $4); $$->num = 1; }
	| num HAS num { $$ = node2(NEW(E_HAS, @$), $1, $3); }
	| num IN num { $$ = node2(NEW(E_IN, @$), $1, $3); }
	| num IN num SPAN num { $$ = node2(NEW(E_IN, @$), $1, $3); $$->c = $5; }
	;
num
	: sum
	| num round { $$ = op1(node1(NEW(E_ROUND, @$), $1), $2); build_linked(p, @$); }
	;
round
	: ROUNDED_UP { $$ = ROUND_UP; }
	| ROUNDED_DOWN { $$ = ROUND_DOWN; }
	| ROUNDED_NEAREST { $$ = ROUND_NEAREST; }
	;
sum
	: term
	| sum '+' term { $$ = build_binary(p, BIN_ADD, $1, $3); }
	| sum '-' term { $$ = build_binary(p, BIN_SUB, $1, $3); }
	;
term
	: factor
	| term '*' factor { $$ = build_binary(p, BIN_MUL, $1, $3); }
	| term '/' factor { $$ = build_binary(p, BIN_DIV, $1, $3); }
	| term AS NAME { $$ = node1(NAMED(E_AS, @$, $3, @3), $1); build_linked(p, @$); }
	;
factor
	: primary
	| '-' factor { $$ = node1(NEW(E_NEG, @$), $2); }
	| '+' factor { $$ = $2; $$->span = @$; }
	;
primary
	: NUMBER { $$ = number(p, N_KIND_E_NUM, @$, $1); }
	| QTY { $$ = number(p, N_KIND_E_QTY, @$, $1); }
	| DICE { $$ = text1(NEW(E_DICE, @$), $1.text); }
	| PERCENT { $$ = number(p, N_KIND_E_PERCENT, @$, $1); }
	| CHANCE { $$ = number(p, N_KIND_E_CHANCE, @$, $1); }
	| MOMENT { $$ = number(p, N_KIND_E_MOMENT, @$, $1); }
	| STRING { $$ = text1(NEW(E_TEXT, @$), $1.text); }
	| YES { $$ = NEW(E_YES, @$); }
	| NO { $$ = NEW(E_NO, @$); }
	| NONE { $$ = NEW(E_NONE, @$); }
	| path
	| THIS NAME { $$ = NAMED(E_THIS, @$, $2, @2); }
	| BASE path { $$ = node1(NEW(E_BASE, @$), $2); }
	| STATED path { $$ = node1(NEW(E_STATED, @$), $2); }
	| OPTION NAME { $$ = NAMED(E_OPTION, @$, $2, @2); }
	| ROLL rollable { $$ = node1(NEW(E_ROLL, @$), $2); }
	| ROLL rollable AS_LABEL STRING { $$ = text1(node1(NEW(E_ROLL, @$), $2), $4.text); }
	| '(' expr ')' { $$ = $2; }
	| COUNT '(' set ')' { $$ = op1(node1(NEW(E_AGG, @$), $3), AGG_COUNT); }
	| ANY '(' set ')' { $$ = op1(node1(NEW(E_AGG, @$), $3), AGG_ANY); }
	| NO '(' set ')' { $$ = op1(node1(NEW(E_AGG, @$), $3), AGG_NO); }
	| PICK '(' set ')' { $$ = node1(NEW(E_PICK, @$), $3); }
	| PICK '(' set BY sort ')' { $$ = op1(node2(NEW(E_PICK, @$), $3, $5->a), $5->op); }
	| drawn
	| THOSE '(' set ')' { $$ = $3; }
	| HIGHEST '(' folded ')' { $$ = op1($3, FOLD_HIGHEST); $$->span = $$->at = @$; }
	| LOWEST '(' folded ')' { $$ = op1($3, FOLD_LOWEST); $$->span = $$->at = @$; }
	| TOTAL '(' folded ')' { $$ = op1($3, FOLD_TOTAL); $$->span = $$->at = @$; }
	;
drawn
	: RANDOM '(' set ')' opt_label { $$ = text1(node1(NEW(E_RANDOM, @$), $3), $5.text); }
	;
folded
	: expr ',' exprs { $$ = node1(NEW(E_FOLD, @$), build_join(build_list($1), $3).head); }
	| expr over { $$ = node2(NEW(E_FOLD, @$), $1, $2); }
	;
over
	: FOR NAME IN path opt_where { $$ = node1(NAMED(E_SET, @$, $2, @2), $4); $$->c = $5; }
	;
rollable
	: DICE { $$ = text1(NEW(E_DICE, @$), $1.text); }
	| PERCENT { $$ = number(p, N_KIND_E_PERCENT, @$, $1); }
	| CHANCE { $$ = number(p, N_KIND_E_CHANCE, @$, $1); }
	| path
	| '(' expr ')' { $$ = $2; }
	;
set
	: path
	| NAME IN path opt_where { $$ = node1(NAMED(E_SET, @$, $1, @1), $3); $$->c = $4; }
	;
choose
	: path CHOOSES '(' set ')' opt_else_choice opt_label {
		$$ = text1(node2(NEW(E_CHOOSE, @$), $1, $4), $7.text);
		$$->c = $6;
	}
	| path CHOOSES FROM '(' set ')' opt_else_choice opt_label {
		$$ = text1(node2(NEW(E_CHOOSE, @$), $1, $5), $8.text);
		$$->c = $7;
	}
	;
opt_else_choice
	: %empty { $$ = NULL; }
	| OR NONE { $$ = NEW(E_NONE, @2); }
	| BY_DEFAULT path { $$ = $2; }
	| BY_DEFAULT NONE { $$ = NEW(E_NONE, @2); }
	;
opt_label
	: %empty { $$ = (struct word){0}; }
	| AS_LABEL STRING { $$ = $2; }
	;
path
	: NAME { $$ = NAMED(E_NAME, @$, $1, @1); $$->num = $1.quoted; }
	| path OF NAME { $$ = node1(NAMED(E_FIELD, @$, $3, @3), $1); build_linked(p, @$); }
	| path '(' ')' { $$ = node1(NEW(E_CALL, @$), $1); $$->at = $1->at; build_linked(p, @$); }
	| path '(' exprs ')' { $$ = node2(NEW(E_CALL, @$), $1, $3.head); $$->at = $1->at; build_linked(p, @$); }
	;

/* ---- scenes ---- */
scene_lines
	: %empty { $$ = (struct list){0}; }
	| scene_lines scene_line { $$ = build_add($1, $2); }
	;
scene_line
	: item NL
	| error NL { yyerrok; $$ = build_broken(p, @1); }
	;
item
	: use
	| drop
	| preference
	| rule
	| clause
	| field
	| path OF NAME ':' values {
		struct node *f = node1(NAMED(E_FIELD, span_join(@1, @3), $3, @3), $1);
		$$ = node2(NEW(N_OVERRIDE, @$), f, $5.head);
	}
	| SIDE NAME ':' members { $$ = node1(NAMED(SIDE, @$, $2, @2), $4.head); }
	| members JOIN NAME { $$ = node1(NAMED(N_JOIN, @$, $3, @3), $1.head); }
	| sentence
	| subjects FOLLOWS NAME opt_when { $$ = node1(NAMED(N_FOLLOWS, @$, $3, @3), $1.head); build_when($$, $4); }
	| moment
	| DICE_COLON forced { $$ = node1(NEW(N_DICE, @$), $2.head); }
	| DICE_ONLY forced { $$ = node1(NEW(N_DICE, @$), $2.head); $$->num = 1; }
	| DICE_ONLY { $$ = NEW(N_DICE, @$); $$->num = 1; }
	| CHOICES choices { $$ = node1(NEW(N_CHOICES, @$), $2.head); }
	| REFEREE path opt_fields { $$ = node1(NEW(N_REFEREE, @$), node2(NEW(S_CALL, span_join(@2, @3)), $2, $3.head)); }
	| REFEREE edit { $$ = node1(NEW(N_REFEREE, @$), $2); }
	| turned { $$ = node1(NEW(N_REFEREE, @$), $1); }
	| expect
	| UNTIL expr { $$ = node1(NEW(N_UNTIL, @$), $2); }
	| edit { $$ = node1(NEW(N_EDIT, @$), $1); }
	| option_setting
	| question
	| PLOT question { $$ = node1(NEW(Q_PLOT, @$), $2); }
	| EXPECT tested { $$ = $2; $$->span = @$; }
	;
option_setting
	: SET OPTION NAME '=' option_value { $$ = node1(NAMED(N_OPTION, @$, $3, @3), $5); }
	;
moment
	: MOMENT '{' scene_lines '}' { $$ = build_moment(number(p, N_KIND_MOMENT, @$, $1), $3.head); $$->at = @1; }
	;
members
	: member { $$ = build_list($1); }
	| members ',' member { $$ = build_add($1, $3); }
	;
member
	: name { $$ = NAMED(MEMBER, @$, $1, @1); }
	| NUMBER NAME { $$ = NAMED(MEMBER, @$, $2, @2); $$->num = $1.num; }
	;
subjects
	: SUBJECT { $$ = build_list(NAMED(E_NAME, @$, $1, @1)); }
	| subjects AND SUBJECT { $$ = build_add($1, NAMED(E_NAME, @3, $3, @3)); }
	| subjects ',' SUBJECT { $$ = build_add($1, NAMED(E_NAME, @3, $3, @3)); }
	;
sentence
	: subjects queue { $$ = build_subjects($2, $1); $$->span = @$; }
	;

/* A queue of acts, with `then`; second choices, with `else`. */
queue
	: deed
	| queue THEN deed { $$ = $1; build_then($1, $3); build_linked(p, @3); }
	| queue THEN bare { $$ = $1; build_then($1, $3); build_linked(p, @3); }
	| queue ELSE deed { $$ = $1; build_else($1, $3); build_linked(p, @3); }
	| queue ELSE bare { $$ = $1; build_else($1, $3); build_linked(p, @3); }
	;
deed
	: VERB opt_aims parts opt_when { $$ = build_deed(p, @$, $1, @1, $2, $3, $4); }
	| VERB opt_aims parts cue opt_when {
		build_when($4, $5);
		$$ = build_deed(p, @$, $1, @1, $2, build_add($3, $4), (struct when){0});
	}
	| VERB opt_aims parts TO deed { $$ = build_deed(p, @$, $1, @1, $2, build_add($3, build_prep(p, span_join(@4, @5), $4, build_list($5))), (struct when){0}); }
	;
bare
	: aims parts opt_when { $$ = build_deed(p, @$, (struct word){0}, @1, $1, $2, $3); }
	;
cue
	: AS_SOON_AS said { $$ = node1(NEW(CUE, @$), $2); }
	;
said
	: path VERB opt_targets preps { $$ = build_subjects(build_deed(p, @$, $2, @2, $3, $4, (struct when){0}), build_list($1)); }
	;
opt_targets
	: %empty { $$ = (struct list){0}; }
	| targets
	;
opt_aims /* of one who acts: commas may join them, for nothing else is listed there */
	: %empty { $$ = (struct list){0}; }
	| aims
	;
aims
	: target { $$ = build_list($1); }
	| aims AND target { $$ = build_add($1, $3); }
	| aims ',' target { $$ = build_add($1, $3); }
	;
parts
	: %empty { $$ = (struct list){0}; }
	| parts prep aims { $$ = build_add($1, build_prep(p, span_join(@2, @3), $2, $3)); }
	;
targets
	: target { $$ = build_list($1); }
	| targets AND target { $$ = build_add($1, $3); }
	;
target
	: path
	| STRING { $$ = NAMED(E_NAME, @$, $1, @1); $$->num = 1; }
	| NUMBER NAME { $$ = NAMED(COUNTED, @$, $2, @2); $$->num = $1.num; }
	| signed_number
	| QTY { $$ = number(p, N_KIND_E_QTY, @$, $1); }
	| MOMENT { $$ = number(p, N_KIND_E_MOMENT, @$, $1); }
	| SOMEONE { $$ = NEW(SOMEONE, @$); }
	| NONE { $$ = NEW(E_NONE, @$); }
	| '(' expr ')' { $$ = $2; }
	| drawn
	;
preps
	: %empty { $$ = (struct list){0}; }
	| preps part { $$ = build_add($1, $2); }
	;
part
	: prep targets { $$ = build_prep(p, @$, $1, $2); }
	| TOGETHER_WITH targets { $$ = build_prep(p, @$, $1, $2); }
	;

asked_names
	: NAME { $$ = build_list(NAMED(E_NAME, @$, $1, @1)); }
	| asked_names ',' NAME { $$ = build_add($1, NAMED(E_NAME, @3, $3, @3)); }
	;
forced
	: force { $$ = build_list($1); }
	| forced ',' force { $$ = build_add($1, $3); }
	;
force
	: path pips { $$ = node2(NEW(FORCE, @$), $1, $2.head); }
	;
pips
	: faces { $$ = build_list($1); }
	| pips THEN faces { $$ = build_add($1, $3); }
	;
faces
	: NUMBER { $$ = node1(NEW(PIPS, @$), number(p, N_KIND_E_NUM, @1, $1)); }
	| '-' NUMBER { $$ = node1(NEW(PIPS, @$), number(p, N_KIND_E_NUM, @$, $2)); $$->a->num = -$$->a->num; }
	| YES { $$ = node1(NEW(PIPS, @$), NEW(E_NUM, @1)); $$->a->num = 1; }
	| NO { $$ = node1(NEW(PIPS, @$), NEW(E_NUM, @1)); }
	| faces '+' NUMBER { $$ = $1; $$->span = @$; $$->a = node_append($$->a, number(p, N_KIND_E_NUM, @3, $3)); build_linked(p, @$); }
	;
choices
	: choice { $$ = build_list($1); }
	| choices ',' choice { $$ = build_add($1, $3); }
	;
choice
	: path answers { $$ = node2(NEW(CHOICE, @$), $1, $2.head); }
	;
answers
	: answer { $$ = build_list($1); }
	| answers THEN answer { $$ = build_add($1, $3); }
	;
answer
	: YES { $$ = NEW(E_YES, @$); }
	| NO { $$ = NEW(E_NO, @$); }
	| NONE { $$ = NEW(E_NONE, @$); }
	| path
	| STRING { $$ = NAMED(E_NAME, @$, $1, @1); $$->num = 1; }
	| signed_number
	| QTY { $$ = number(p, N_KIND_E_QTY, @$, $1); }
	;

expect
	: EXPECT expected {
		$$ = $2;
		$$->span = @$;
		if (report_expect_two(p))
			$$->damaged = true;
	}
	| EXPECT_VAIN expected {
		$$ = $2;
		$$->span = @$;
		($$->kind == N_KIND_MOMENT ? $$->a : $$)->num |= 2;
		if (report_expect_two(p))
			$$->damaged = true;
	}
	;
expected
	: expr opt_text { $$ = text1(node1(NEW(N_EXPECT, @$), $1), $2.text); }
	| expr AT_END_OF MOMENT { $$ = build_at_end(number(p, N_KIND_MOMENT, @$, $3), node1(NEW(N_EXPECT, @$), $1)); $$->at = @3; }
	| expect_said
	| expect_not
	| expect_nobody
	| expect_times
	| NOBODY IS primary { $$ = build_anybody_is(p, @$, @1, AGG_NO, $3); }
	| ANYBODY IS primary { $$ = build_anybody_is(p, @$, @1, AGG_ANY, $3); }
	| IN_ORDER ':' ordered { $$ = op1(NEW(N_EXPECT_SAY, @$), SAID_ORDER); $$->e = $3.head; }
	;
ordered
	: order_part { $$ = build_list($1); }
	| ordered ',' order_part { $$ = build_add($1, $3); }
	;
order_part /* Bruna hits orc #1; Bruna alone: she acts */
	: expect_said | path { $$ = build_acts(p, @$, $1); }
	;
expect_nobody
	: ANYBODY VERB say_rest { $$ = build_anybody(p, @$, @1, $2, @2, $3); }
	| NOBODY VERB say_rest { $$ = build_anybody(p, @$, @1, $2, @2, $3); $$->num = 1; }
	;
expect_times
	: expect_said times preps { $$ = build_times($1, $2, $3); $$->span = @$; }
	| expect_not times preps { $$ = build_times($1, $2, $3); $$->span = @$; }
	| expect_nobody times preps { $$ = build_times($1, $2, $3); $$->span = @$; }
	;
times /* how often: how many, and whether more or fewer will do */
	: TIMES { $$ = op1(number(p, N_KIND_E_NUM, @$, $1), BIN_EQ); }
	| AT_LEAST TIMES { $$ = op1(number(p, N_KIND_E_NUM, @$, $2), BIN_GE); }
	| AT_MOST TIMES { $$ = op1(number(p, N_KIND_E_NUM, @$, $2), BIN_LE); }
	;
expect_not
	: NOT path VERB say_rest {
		$$ = NAMED(N_EXPECT_SAY, @$, $3, @3);
		$$->name2 = $3.as;
		$$->num = 1;
		$$->a = $2;
		$$->b = $4.head;
		$$->d = $4.tail;
	}
	;
expect_said
	: path VERB say_rest {
		$$ = NAMED(N_EXPECT_SAY, @$, $2, @2);
		$$->name2 = $2.as;
		$$->a = $1;
		$$->b = $3.head;
		$$->d = $3.tail;
	}
	| path NOT VERB say_rest {
		$$ = NAMED(N_EXPECT_SAY, @$, $3, @3);
		$$->name2 = $3.as;
		$$->num = 1;
		$$->a = $1;
		$$->b = $4.head;
		$$->d = $4.tail;
	}
	;
say_rest /* head: targets; tail: phrases */
	: opt_targets preps { $$ = (struct list){$1.head, $2.head}; }
	;

/* ---- policies ---- */
policy_lines
	: %empty { $$ = (struct list){0}; }
	| policy_lines policy_line NL { $$ = build_add($1, $2); }
	| policy_lines error NL { yyerrok; $$ = build_add($1, build_broken(p, @2)); }
	;
policy_line
	: queue
	| IF expr '{' policy_lines '}' { $$ = node2(NEW(P_IF, @$), $2, $4.head); }
	| FOLLOWS NAME opt_when { $$ = NAMED(N_FOLLOWS, @$, $2, @2); build_when($$, $3); }
	| WHEN_ASKED NAME ':' exprs opt_when {
		$$ = node1(NAMED(P_ANSWER, @$, $2, @2), $4.head);
		build_when($$, $5);
	}
	;

/* ---- questions ---- */
question
	: odds_head opt_giving { $$ = $1; $$->b = $2.head; $$->span = @$; }
	| SWEEP path FROM num TO num opt_step '{' sweep_lines '}' {
		$$ = node2(NEW(Q_SWEEP, @$), $2, $4);
		$$->c = $6;
		$$->d = $7;
		$$->e = $9.head;
	}
	| SWEEP path OVER exprs '{' sweep_lines '}' { $$ = node2(NEW(Q_SWEEP, @$), $2, $4.head); $$->e = $6.head; }
	| COMPARE rulesets opt_on GIVING measures { $$ = node2(NAMED(Q_COMPARE, @$, $3, @3), $2.head, $5.head); }
	;
odds_head
	: ODDS opt_on opt_branches { $$ = node1(NAMED(Q_ODDS, @$, $2, @2), $3.head); }
	| ODDS NUMBER opt_on opt_branches { $$ = op1(node1(NAMED(Q_ODDS, @$, $3, @3), $4.head), METHOD_SAMPLED); $$->num = $2.num; $$->den = $2.den; }
	| ODDS EXACT opt_on opt_branches { $$ = op1(node1(NAMED(Q_ODDS, @$, $3, @3), $4.head), METHOD_EXACT); }
	;
opt_on
	: %empty { $$ = (struct word){0}; }
	| ON NAME { $$ = $2; }
	;
opt_branches
	: %empty { $$ = (struct list){0}; }
	| branches
	;
branches
	: branch { $$ = build_list($1); }
	| branches VS branch { $$ = build_add($1, $3); }
	;
branch
	: '{' scene_lines '}' { $$ = node1(NEW(BRANCH, @$), $2.head); }
	;
opt_giving
	: %empty { $$ = (struct list){0}; }
	| GIVING measures { $$ = $2; }
	;
measures
	: measure { $$ = build_list($1); }
	| measures ',' measure { $$ = build_add($1, $3); }
	;
measure
	: num { $$ = node1(NEW(MEASURE, @$), $1); }
	| num IS num { $$ = node1(NEW(MEASURE, @$), node2(NEW(E_IS, @$), $1, $3)); }
	| num IS NOT num { $$ = node1(NEW(MEASURE, @$), node2(NEW(E_IS, @$), $1, $4)); $$->a->num = 1; }
	| NOT num { $$ = node1(NEW(MEASURE, @$), node1(NEW(E_NOT, @$), $2)); }
	| NOT num IS num { $$ = node1(NEW(MEASURE, @$), node2(NEW(E_IS, @$), $2, $4)); $$->a->num = 1; }
	| expect_said { $$ = node1(NEW(MEASURE, @$), $1); }
	| expect_not { $$ = node1(NEW(MEASURE, @$), $1); }
	| expect_nobody { $$ = node1(NEW(MEASURE, @$), $1); }
	| expect_times { $$ = node1(NEW(MEASURE, @$), $1); }
	| AVERAGE num { $$ = op1(node1(NEW(MEASURE, @$), $2), MEASURE_AVERAGE); }
	| SPREAD num { $$ = op1(node1(NEW(MEASURE, @$), $2), MEASURE_SPREAD); }
	;
tested
	: odds_head GIVING measure '=' num { $$ = op1(node2(NEW(Q_EXPECT, @$), $1, $5), BIN_EQ); $1->b = $3; }
	| odds_head GIVING measure '=' num SPAN num { $$ = op1(node2(NEW(Q_EXPECT, @$), $1, $5), BIN_EQ); $$->c = $7; $1->b = $3; }
	| odds_head GIVING measure inequality num { $$ = op1(node2(NEW(Q_EXPECT, @$), $1, $5), $4); $1->b = $3; }
	;
inequality
	: '<' { $$ = BIN_LT; }
	| '>' { $$ = BIN_GT; }
	| LE { $$ = BIN_LE; }
	| GE { $$ = BIN_GE; }
	;
opt_step
	: %empty { $$ = NULL; }
	| BY num { $$ = $2; }
	;
sweep_lines
	: %empty { $$ = (struct list){0}; }
	| sweep_lines sweep_line { $$ = build_add($1, $2); }
	;
sweep_line
	: question NL
	| edit NL { $$ = node1(NEW(N_EDIT, @1), $1); }
	| option_setting NL
	| error NL { yyerrok; $$ = build_broken(p, @1); }
	;
rulesets
	: name { $$ = build_list(NAMED(E_NAME, @$, $1, @1)); }
	| rulesets VS name { $$ = build_add($1, NAMED(E_NAME, @3, $3, @3)); }
	;

/* ---- commands ---- */
command
	: BEGIN opt_name { $$ = NAMED(X_BEGIN, @$, $2, @2); }
	| STEP { $$ = NEW(X_STEP, @$); $$->num = 1; }
	| STEP NUMBER { $$ = NEW(X_STEP, @$); $$->num = $2.num; }
	| STEP NAME { $$ = NAMED(X_STEP, @$, $2, @2); $$->num = 1; }
	| STEP TO MOMENT { $$ = node1(NEW(X_STEP, @$), number(p, N_KIND_E_MOMENT, @3, $3)); }
	| RUN { $$ = NEW(X_RUN, @$); }
	| RUN TO MOMENT { $$ = node1(NEW(X_RUN, @$), number(p, N_KIND_E_MOMENT, @3, $3)); }
	| RUN UNTIL expr { $$ = NEW(X_RUN, @$); $$->b = $3; }
	| UNDO { $$ = NEW(X_UNDO, @$); $$->num = 1; }
	| UNDO NUMBER { $$ = NEW(X_UNDO, @$); $$->num = $2.num; }
	| REDO { $$ = NEW(X_REDO, @$); $$->num = 1; }
	| REDO NUMBER { $$ = NEW(X_REDO, @$); $$->num = $2.num; }
	| FORK NAME { $$ = NAMED(X_FORK, @$, $2, @2); }
	| SWITCH NAME { $$ = NAMED(X_SWITCH, @$, $2, @2); }
	| FORKS { $$ = NEW(X_FORKS, @$); }
	| COMPARE FORKS NAME VS NAME opt_giving {
		$$ = NAMED(X_COMPARE, @$, $3, @3);
		$$->name2 = $5.name;
		$$->b = $6.head;
	}
	| FORCE forced { $$ = node1(NEW(X_FORCE, @$), $2.head); }
	| WHY in_full { $$ = NEW(X_WHY, @$); $$->num = $2; }
	| WHY asked in_full { $$ = node1(NEW(X_WHY, @$), $2); $$->num = $3; }
	| WHY NOT in_full { $$ = NEW(X_WHY, @$); $$->num = 1 | $3; }
	| WHY NOT asked in_full { $$ = node1(NEW(X_WHY, @$), $3); $$->num = 1 | $4; }
	| SHOW in_full { $$ = NEW(X_SHOW, @$); $$->num = $2; }
	| SHOW NAME in_full { $$ = NAMED(X_SHOW, @$, $2, @2); $$->num = $3; }
	| SHOW NAME num in_full { $$ = build_show(p, @$, $2, (struct word){0}, $3); $$->at = @2; $$->num = $4; }
	| SHOW NAME FOR num in_full { $$ = build_show(p, @$, $2, $3, $4); $$->at = @2; $$->num = $5; }
	| SAVE STRING { $$ = text1(NEW(X_SAVE, @$), $2.text); }
	| LOAD STRING { $$ = text1(NEW(X_LOAD, @$), $2.text); }
	| HELP opt_name { $$ = NAMED(X_HELP, @$, $2, @2); }
	| HELP NUMBER { $$ = number(p, N_KIND_X_HELP, @$, $2); }
	| QUIT { $$ = NEW(X_QUIT, @$); }
	| DICE_ASK { $$ = NEW(X_ASKED, @$); $$->num = 1; }
	| DICE_ASK asked_names { $$ = node1(NEW(X_ASKED, @$), $2.head); $$->num = 1; }
	| DICE_ROLL { $$ = NEW(X_ASKED, @$); }
	| SPREAD DICE { $$ = node1(NEW(X_ROLL, @$), text1(NEW(E_DICE, @2), $2.text)); $$->num = 1; }
	;
asked
	: cmp
	| expect_said
	;
in_full
	: %empty { $$ = 0; }
	| IN_FULL { $$ = WHY_IN_FULL; }
	;

%%

static struct node *number(struct phrase *p, enum node_kind kind, struct span at, struct word w)
{
	struct node *n = build_named(p, kind, at, w, at);
	n->num = w.num;
	n->den = w.den ? w.den : 1;
	return n;
}

static struct node *node1(struct node *n, struct node *a)
{
	n->a = a;
	return n;
}

static struct node *node2(struct node *n, struct node *a, struct node *b)
{
	n->a = a;
	n->b = b;
	return n;
}

static struct node *text1(struct node *n, const char *text)
{
	n->text = text;
	return n;
}

static struct node *op1(struct node *n, int op)
{
	n->op = (uint8_t)op;
	return n;
}

/* Called by the skeleton only when its stack may grow no more. */
static void fray_error(struct span *at, struct phrase *p, const char *message)
{
	(void)message;
	phrase_report(p, M_TOO_DEEP, *at, 0, NULL, NULL);
	p->stopped = true;
}

static int yyreport_syntax_error(const yypcontext_t *context, struct phrase *p)
{
	enum { MOST = YYNTOKENS };
	yysymbol_kind_t kind[MOST];
	int token[MOST], n = yypcontext_expected_tokens(context, kind, MOST), known = 0;
	for (int i = 0; i < n; i++)
		for (int t = 0; t <= gram_last_token(); t++)
			if (t != TOK_FRAY_UNDEF && YYTRANSLATE(t) == kind[i]) {
				token[known++] = t;
				break;
			}
	report_syntax(p, yypcontext_token(context) == YYSYMBOL_YYEMPTY ? 0 : p->last, token, known);
	p->failed = true;
	p->damaged = true;
	return 0;
}

void *gram_new(void)
{
	return yypstate_new();
}

void gram_free(void *parser)
{
	yypstate_delete(parser);
}

void gram_push(struct phrase *p, int token, const union value *v, struct span at)
{
	static const union value none;
	int r = yypush_parse(p->parser, token, v ? v : &none, &at, p);
	if (r == 2)
		p->stopped = true;
}

bool gram_accepts(void *parser, int token)
{
	yypstate *yyps = parser;
	return yy_lac(yyps->yyesa, &yyps->yyes, &yyps->yyes_capacity, yyps->yyssp, YYTRANSLATE(token)) == 0;
}

int gram_expected(void *parser, int *out, int most)
{
	int n = 0;
	for (int t = 0; t <= gram_last_token() && n < most; t++)
		if (t != TOK_FRAY_error && t != TOK_FRAY_UNDEF && YYTRANSLATE(t) != YYSYMBOL_YYUNDEF && gram_accepts(parser, t))
			out[n++] = t;
	return n;
}

const char *gram_name(int token)
{
	return yysymbol_name(YYTRANSLATE(token));
}

int gram_last_token(void)
{
	return TOK_SOMEONE;
}
