/* gram.y - the grammar; its actions make nodes and nothing else. What a token is was decided
 * by the phraser (phrase.c); what a name means is decided by the checker. */
%require "3.8"
%code requires {
#include "lang/read/phrase.h"
#include "runtime/base/num.h"
struct fray_when { struct node *cond; bool unless; };
}
%code top {
#include <stdlib.h>
#include <string.h>
}
%define api.prefix {fray_}
%define api.token.prefix {TOK_}
%define api.pure full
%define api.push-pull push
%define api.value.type union
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%define lr.type lalr
%locations
%expect 0
%param { struct parse *p }

%code {
#define YYLLOC_DEFAULT(Current, Rhs, N) \
	do { \
		if (N) (Current) = span_join(YYRHSLOC(Rhs, 1), YYRHSLOC(Rhs, N)); \
		else { (Current) = YYRHSLOC(Rhs, 0); (Current).start = (Current).end; } \
	} while (0)
#define yyerror fray_error
static void fray_error(struct span *at, struct parse *p, const char *message) { (void)at; (void)p; (void)message; }

static struct node *make(struct parse *p, enum node_kind kind, struct span at)
{
	return node_new(p->front->arena, kind, at);
}

static struct node *named(struct parse *p, enum node_kind kind, struct span all, struct word_value w, struct span at)
{
	struct node *n = make(p, kind, all);
	n->name = w.name;
	n->at = at;
	return n;
}

static struct list one(struct node *n)
{
	struct list l = {n, n};
	while (l.tail && l.tail->next)
		l.tail = l.tail->next;
	return l;
}

static struct list more(struct list l, struct node *n)
{
	if (!n)
		return l;
	if (!l.head)
		return one(n);
	l.tail->next = n;
	l.tail = n;
	while (l.tail->next)
		l.tail = l.tail->next;
	return l;
}

static struct list none(void)
{
	struct list l = {NULL, NULL};
	return l;
}

static struct node *binary(struct parse *p, int op, struct node *a, struct node *b, struct span all)
{
	struct node *n = make(p, N_KIND_E_BINARY, all);
	n->op = (uint8_t)op;
	n->a = a;
	n->b = b;
	return n;
}

static struct node *literal(struct parse *p, enum node_kind kind, struct span at, struct word_value w)
{
	struct node *n = make(p, kind, at);
	n->name = w.name;
	n->num = w.num;
	n->den = w.den ? w.den : 1;
	n->text = w.text;
	return n;
}

static struct node *block(struct parse *p, struct list l, struct span at)
{
	struct node *n = make(p, N_KIND_S_BLOCK, at);
	n->a = l.head;
	return n;
}

static struct node *fold(struct parse *p, int op, struct node *first, struct list rest, struct node *set, struct span all)
{
	struct node *n = make(p, N_KIND_E_FOLD, all);
	n->op = (uint8_t)op;
	n->a = first;
	first->next = rest.head;
	n->b = set;
	return n;
}


static void add_unit(struct parse *p, struct node *n)
{
	for (struct node *x = n; x; x = x->next)
		x->damaged |= p->error;
	p->error = false;
	p->units = more(p->units, n);
}

static struct node *not_of(struct parse *p, struct node *n, struct span at)
{
	struct node *x = make(p, N_KIND_E_NOT, at);
	x->a = n;
	return x;
}
}

%token <struct word_value> NAME "a name" STRING "a quoted text" NUMBER "a number" DICE "dice" QTY "a quantity"
%token <struct word_value> PERCENT "a percentage" CHANCE "a chance" TIMEPOINT "a moment" VERB "a verb" KINDNAME "a kind of thing"
%token <struct word_value> ORDERNAME "a word"
%token END 0 "the end"
%token NL "the end of the line" POSS "'s" LE "<=" GE ">=" NE "<>" DOTDOT ".."
%token LBRACE "{" RBRACE "}" LPAREN "(" RPAREN ")" COMMA "," COLON ":" EQUALS "=" LESS "<" MORE ">" PLUS "+" MINUS "-" TIMES "*" OVER_ "/"
%token USE "use" WITH "with" ENCOUNTER "encounter" SIDE "side" DICEKW "dice:" DICEONLY "dice only:" EXPECT "expect"
%token POLICY "policy" FOLLOWS "follows" UNTIL "until" WHEN "when" UNLESS "unless" IS "is" HAS "has"
%token ODDS "odds" EXACT "exact" VS "vs" GIVING "giving" AVERAGE "average" SPREAD "spread" SWEEP "sweep" OVER "over" COMPARE "compare" PLOT "plot"
%token RULESET "ruleset" HOUSERULES "house rules" EXTENDS "extends" OPTION "option" UNITKW "unit" SEQUENCE "sequence" ALIAS "alias" KINDKW "kind"
%token EVERY "every" EVERYPAIR "every pair of" EVENT "event" ACTION "action" NEEDS "needs" COSTS "costs" DOES "does" TABLE "table" DROP "drop" RULE "rule"
%token EXCEPTION "exception to" REPLACES "replaces" RULING "ruling"
%token DEFINE "define" ADJUST "adjust" LIMIT "limit" ORDER "order" BY "by" THEN "then" TO "to" AT_LEAST "at least" AT_MOST "at most"
%token WHENEVER "whenever" CARRYON "carry on" CHOICES "choices:" FORBID "forbid" PERMIT "permit" DEFAULT "default action"
%token PRECEDES "precedes" YIELDS "yields to" TOGETHER "together with" MEETS "meets" APART "apart from" ON "on" BEFORE "before" AFTER "after" INSTEAD "instead of" PHASE "phase"
%token LET "let" SET "set" CHANGE "change" ADD "add" REMOVE "remove" EACH "each" IN "in" WHERE "where" FROM "from" IF "if" ELSE "else" REPEAT "repeat" STOP "stop"
%token PEND "pend" COPYOF "copy of" AT "at" RESOLVE "resolve" ASK "ask" MAY "may" CANCEL "cancel" NOTE "note" REFER "refer" REFUSE "refuse" PERFORMPHASE "perform phase" TOGETHERB "together" BEGINROUND "begin round at" SETOPTION "set option"
%token AND "and" OR "or" NOT "not" AS "as a" ROLL "roll" ANY "any" NO "no" YES "yes" NONE_ "none" COUNT "count" HIGHEST "highest" LOWEST "lowest" TOTAL "total" PICK "pick" FOR "for"
%token THIS "this" BASE "base" OPTIONX "the option" CHOOSES "chooses" BYDEFAULT "by default" ROUNDUP "rounded up" ROUNDDOWN "rounded down" ROUNDNEAR "rounded nearest" SHARED "shared" THOSE "those" ASLABEL "as" ORNONE "or none" LIVE "live" PAIROF "pair of"
%token INTO "into" AGAINST "against" TOWARD "toward" USING "using" BEHIND "behind" PAST "past"
%token SOMEONE "someone" ASSOONAS "as soon as" REFEREE "referee:" WHENASKED "when asked" JOIN "join"
%token C_BEGIN "begin" C_STEP "step" C_RUN "run" C_UNDO "undo" C_REDO "redo" C_FORK "fork" C_SWITCH "switch" C_FORKS "forks" C_FORCE "force" C_WHY "why" C_SHOW "show" C_SAVE "save" C_LOAD "load" C_HELP "help" C_QUIT "quit" C_ASKDICE "dice ask" C_ROLLDICE "dice roll"

%type <struct node *> top line isa value field ditem clause hook block1 stmt edit if_stmt key rule mod expr cond cmp sum term factor unit primary rollable set path
%type <struct node *> scene say say_tail target prep_phrase sitem member die pip choice measure question question_e branch pline policy_tail table_row row_key command aitem part setting house_item
%type <struct node *> opt_default opt_in opt_where opt_at opt_until_num opt_step opt_chosen opt_cue
%type <struct list> opt_decl decl ditems values names opt_roles pattern opt_act aitems rows exprs opt_exprs mods clauses block stmts opt_fields fields keys scenes targets opt_targets preps subjects members dice pips faces choices answers plines questions measures opt_giving branches opt_branches use_with house_items rulesets opt_ask_for blocks_and optvalues settings
%type <struct word_value> opt_cite rulename prep opt_of telling
%type <struct fray_when> opt_when when
%type <int> hookword cmpop ineq mode agg minmax

%%

program
	: %empty
	| program line
	;

line
	: NL { $$ = NULL; p->error = false; }
	| top NL { add_unit(p, $top); $$ = NULL; }
	| error NL { $$ = NULL; yyerrok; p->error = false; p->awaits = NULL; }
	;

top
	: USE NAME[n] use_with { $$ = named(p, N_KIND_USE, @$, $n, @n); for (struct node *x = $use_with.head, *next; x; x = next) { next = x->next; x->next = NULL; if (x->kind == N_KIND_D_FIELD) $$->b = node_append($$->b, x); else $$->a = node_append($$->a, x); } }
	| RULESET NAME[n] opt_cite { $$ = named(p, N_KIND_RULESET, @$, $n, @n); $$->text = $opt_cite.text; }
	| RULESET NAME[n] opt_cite EXTENDS NAME[e] { $$ = named(p, N_KIND_RULESET, @$, $n, @n); $$->text = $opt_cite.text; $$->name2 = $e.name; }
	| HOUSERULES NAME[n] FOR NAME[r] opt_cite { $$ = named(p, N_KIND_HOUSE, @$, $n, @n); $$->name2 = $r.name; $$->text = $opt_cite.text; }
	| UNITKW NAME[n] EQUALS expr { $$ = named(p, N_KIND_UNIT, @$, $n, @n); $$->a = $expr; }
	| UNITKW NAME[n] { $$ = named(p, N_KIND_UNIT, @$, $n, @n); }
	| SEQUENCE NAME[n] COLON names { $$ = named(p, N_KIND_SEQUENCE, @$, $n, @n); $$->a = $names.head; }
	| OPTION NAME[n] opt_of COLON optvalues opt_cite { $$ = named(p, N_KIND_OPTION, @$, $n, @n); $$->name2 = $opt_of.name; $$->a = $optvalues.head; $$->text = $opt_cite.text; }
	| ALIAS NAME[n] EQUALS NAME[w] { $$ = named(p, N_KIND_ALIAS, @$, $n, @n); $$->name2 = $w.name; }
	| KINDKW NAME[n] isa opt_decl { $$ = named(p, N_KIND_KIND, @$, $n, @n); if ($isa) $$->name2 = $isa->name; $$->a = $opt_decl.head; }
	| KINDKW NAME[n] IS LIVE opt_decl { $$ = named(p, N_KIND_KIND, @$, $n, @n); $$->num = 1; $$->a = $opt_decl.head; }
	| EVERY NAME[n] HAS decl { $$ = named(p, N_KIND_EVERY, @$, $n, @n); $$->op = EVERY_KIND; $$->a = $decl.head; }
	| EVERY NAME[n] TO NAME[o] HAS decl { $$ = named(p, N_KIND_EVERY, @$, $n, @n); $$->op = EVERY_DIRECTED; $$->name2 = $o.name; $$->a = $decl.head; }
	| EVERYPAIR NAME[n] HAS decl { $$ = named(p, N_KIND_EVERY, @$, $n, @n); $$->op = EVERY_PAIR; $$->name2 = $n.name; $$->a = $decl.head; }
	| KINDNAME[k] NAME[n] isa opt_decl { $$ = named(p, N_KIND_THING, @$, $n, @n); $$->name2 = $k.name; $$->num = $n.num; $$->a = $isa; $$->b = $opt_decl.head; }
	| EVENT NAME[n] opt_roles telling { $$ = named(p, N_KIND_EVENT, @$, $n, @n); $$->a = $opt_roles.head; $$->text = $telling.text; }
	| ACTION NAME[n] pattern telling opt_act { $$ = named(p, N_KIND_ACTION, @$, $n, @n); $$->a = $pattern.head; $$->text = $telling.text; $$->b = $opt_act.head; }
	| rule
	| clause
	| DROP RULE rulename { $$ = named(p, N_KIND_DROP, @$, $rulename, @rulename); $$->name2 = $rulename.name2; }
	| TABLE NAME[n] LPAREN names RPAREN LBRACE rows RBRACE { $$ = named(p, N_KIND_TABLE, @$, $n, @n); $$->a = $names.head; for (struct node *r = $rows.head, *next; r; r = next) { next = r->next; r->next = NULL; if (!r->a) $$->c = r->b; else $$->b = node_append($$->b, r); } }
	| POLICY NAME[n] LBRACE plines RBRACE { $$ = named(p, N_KIND_POLICY, @$, $n, @n); $$->a = $plines.head; }
	| ENCOUNTER NAME[n] LBRACE scenes RBRACE { $$ = named(p, N_KIND_ENCOUNTER, @$, $n, @n); $$->a = $scenes.head; }
	| scene
	| question
	| PLOT question { $$ = make(p, N_KIND_Q_PLOT, @$); $$->a = $2; }
	| EXPECT question_e { $$ = $2; }
	| command
	;

use_with
	: %empty { $$ = none(); }
	| WITH house_items { $$ = $2; }
	;
house_items
	: house_item { $$ = one($1); }
	| house_items COMMA house_item { $$ = more($1, $3); }
	;
house_item
	: NAME { $$ = named(p, N_KIND_E_NAME, @1, $1, @1); }
	| LBRACE settings RBRACE { $$ = $2.head; }
	;
settings
	: %empty { $$ = none(); }
	| settings setting NL { $$ = more($1, $2); }
	;
setting
	: field { $$ = $1; }
	;
opt_cite
	: %empty { memset(&$$, 0, sizeof $$); }
	| STRING
	;
telling
	: %empty { memset(&$$, 0, sizeof $$); }
	| STRING
	;
opt_of
	: %empty { memset(&$$, 0, sizeof $$); }
	| FOR NAME { $$ = $2; }
	;
optvalues
	: expr { $$ = one($1); }
	| optvalues COMMA expr { $$ = more($1, $3); }
	;
names
	: NAME { $$ = one(named(p, N_KIND_E_NAME, @1, $1, @1)); }
	| names COMMA NAME { $$ = more($1, named(p, N_KIND_E_NAME, @3, $3, @3)); }
	;
isa
	: %empty { $$ = NULL; }
	| IS NAME { $$ = named(p, N_KIND_E_NAME, @2, $2, @2); }
	| IS NAME WITH { $$ = named(p, N_KIND_E_NAME, @2, $2, @2); }
	;
opt_roles
	: %empty { $$ = none(); }
	| LPAREN names RPAREN { $$ = $2; }
	| LPAREN RPAREN { $$ = none(); }
	;

/* ---- stat blocks ---- */
opt_decl
	: %empty { $$ = none(); }
	| decl
	;
decl
	: LBRACE ditems RBRACE { $$ = $2; }
	;
ditems
	: %empty { $$ = none(); }
	| ditems ditem NL { $$ = more($1, $2); }
	| ditems error NL { $$ = $1; yyerrok; }
	;
ditem
	: field
	| rule
	| clause
	;
field
	: NAME[n] COLON values { $$ = named(p, N_KIND_D_FIELD, @$, $n, @n); $$->a = $values.head; }
	| NAME[n] COLON values SHARED { $$ = named(p, N_KIND_D_FIELD, @$, $n, @n); $$->a = $values.head; $$->num = 1; }
	;
values
	: value { $$ = one($1); }
	| values COMMA value { $$ = more($1, $3); }
	;
value
	: expr { $$ = make(p, N_KIND_V_PLAIN, @$); $$->a = $1; }
	| expr VS NAME[n] { $$ = named(p, N_KIND_V_VERSUS, @$, $n, @n); $$->a = $1; }
	| NUMBER[c] NAME[n] { $$ = named(p, N_KIND_V_COUNT, @$, $n, @n); $$->num = $c.num; }
	| NAME[n] DICE[d] { $$ = named(p, N_KIND_V_NAMED, @$, $n, @n); $$->a = literal(p, N_KIND_E_DICE, @d, $d); }
	| NAME[n] PERCENT[d] { $$ = named(p, N_KIND_V_NAMED, @$, $n, @n); $$->a = literal(p, N_KIND_E_PERCENT, @d, $d); }
	;
pattern
	: %empty { $$ = none(); }
	| pattern part { $$ = more($1, $2); }
	;
part
	: LPAREN NAME[n] RPAREN { $$ = named(p, N_KIND_PART, @$, $n, @n); }
	| prep LPAREN NAME[n] RPAREN { $$ = named(p, N_KIND_PART, @$, $n, @n); $$->name2 = $prep.name; }
	;
opt_act
	: %empty { $$ = none(); }
	| LBRACE aitems RBRACE { $$ = $2; }
	;
aitems
	: %empty { $$ = none(); }
	| aitems aitem NL { $$ = more($1, $2); }
	| aitems error NL { $$ = $1; yyerrok; }
	;
aitem
	: field
	| NEEDS expr opt_cite { $$ = make(p, N_KIND_NEEDS, @$); $$->a = $expr; $$->text = $opt_cite.text; }
	| DOES block1 { $$ = make(p, N_KIND_DOES, @$); $$->b = $2; }
	| COSTS block1 { $$ = make(p, N_KIND_COSTS, @$); $$->b = $2; }
	;
rows
	: %empty { $$ = none(); }
	| rows table_row NL { $$ = more($1, $2); }
	| rows error NL { $$ = $1; yyerrok; }
	;
table_row
	: row_key COLON exprs { $$ = make(p, N_KIND_ROW, @$); $$->a = $1; $$->b = $3.head; }
	| COLON names { $$ = make(p, N_KIND_ROW, @$); $$->b = $2.head; }
	;
row_key
	: NUMBER { $$ = literal(p, N_KIND_E_NUM, @1, $1); }
	| NUMBER DOTDOT { $$ = make(p, N_KIND_E_SPAN, @$); $$->a = literal(p, N_KIND_E_NUM, @1, $1); $$->num = 1; }
	| NUMBER DOTDOT NUMBER { $$ = make(p, N_KIND_E_SPAN, @$); $$->a = literal(p, N_KIND_E_NUM, @1, $1); $$->b = literal(p, N_KIND_E_NUM, @3, $3); }
	| NAME { $$ = named(p, N_KIND_E_NAME, @1, $1, @1); }
	;
exprs
	: expr { $$ = one($1); }
	| exprs COMMA expr { $$ = more($1, $3); }
	;

/* ---- rules and their clauses ---- */
rule
	: RULE NAME[n] opt_cite mods LBRACE clauses RBRACE { $$ = named(p, N_KIND_RULE, @$, $n, @n); $$->text = $opt_cite.text; $$->a = $mods.head; $$->b = $clauses.head; }
	;
mods
	: %empty { $$ = none(); }
	| mods mod { $$ = more($1, $2); }
	;
mod
	: EXCEPTION rulename { $$ = named(p, N_KIND_MOD, @$, $2, @2); $$->op = MOD_EXCEPTION; $$->name2 = $2.name2; }
	| mod COMMA rulename { struct node *m = named(p, N_KIND_MOD, @3, $3, @3); m->op = $1->op; m->name2 = $3.name2; node_append($1, m); $$ = $1; }
	| REPLACES rulename { $$ = named(p, N_KIND_MOD, @$, $2, @2); $$->op = MOD_REPLACES; $$->name2 = $2.name2; }
	| IF expr { $$ = make(p, N_KIND_MOD, @$); $$->op = MOD_IF; $$->a = $2; }
	| RULING STRING { $$ = make(p, N_KIND_MOD, @$); $$->op = MOD_RULING; $$->text = $2.text; }
	;
rulename
	: NAME
	| NAME POSS NAME { $$ = $3; $$.name2 = $1.name; }
	;
clauses
	: %empty { $$ = none(); }
	| clauses clause NL { $$ = more($1, $2); }
	| clauses error NL { $$ = $1; yyerrok; }
	;
clause
	: DEFINE path EQUALS expr opt_when { $$ = make(p, N_KIND_C_DEFINE, @$); $$->a = $2; $$->b = $4; $$->c = $5.cond; $$->num = $5.unless; }
	| DEFINE path IS NAME[n] when { $$ = named(p, N_KIND_C_BE, @$, $n, @n); $$->name2 = $2->name; $$->a = NULL; $$->c = $when.cond; $$->num = $when.unless; }
	| ADJUST path BY expr opt_when { $$ = make(p, N_KIND_C_ADJUST, @$); $$->a = $2; $$->b = $4; $$->c = $5.cond; $$->num = $5.unless; }
	| LIMIT path TO minmax expr opt_when { $$ = make(p, N_KIND_C_LIMIT, @$); $$->op = (uint8_t)$minmax; $$->a = $2; $$->b = $expr; $$->c = $opt_when.cond; $$->num = $opt_when.unless; }
	| ORDER NAME[n] BY keys opt_when { $$ = named(p, N_KIND_C_ORDER, @$, $n, @n); $$->a = $keys.head; $$->c = $opt_when.cond; $$->num = $opt_when.unless; }
	| NAME[a] PRECEDES NAME[b] opt_when { $$ = named(p, N_KIND_C_PAIR, @$, $a, @a); $$->op = PAIR_PRECEDES; $$->name2 = $b.name; $$->c = $opt_when.cond; $$->num = $opt_when.unless; }
	| NAME[a] YIELDS NAME[b] opt_when { $$ = named(p, N_KIND_C_PAIR, @$, $a, @a); $$->op = PAIR_YIELDS; $$->name2 = $b.name; $$->c = $opt_when.cond; $$->num = $opt_when.unless; }
	| NAME[a] TOGETHER NAME[b] opt_when { $$ = named(p, N_KIND_C_PAIR, @$, $a, @a); $$->op = PAIR_TOGETHER; $$->name2 = $b.name; $$->c = $opt_when.cond; $$->num = $opt_when.unless; }
	| NAME[a] MEETS NAME[b] opt_when { $$ = named(p, N_KIND_C_PAIR, @$, $a, @a); $$->op = PAIR_MEETS; $$->name2 = $b.name; $$->c = $opt_when.cond; $$->num = $opt_when.unless; }
	| NAME[a] APART NAME[b] opt_when { $$ = named(p, N_KIND_C_PAIR, @$, $a, @a); $$->op = PAIR_APART; $$->name2 = $b.name; $$->c = $opt_when.cond; $$->num = $opt_when.unless; }
	| hook
	| WHENEVER expr block1 { $$ = make(p, N_KIND_C_WHENEVER, @$); $$->a = $2; $$->b = $3; }
	| FORBID names opt_when opt_cite { $$ = make(p, N_KIND_C_FORBID, @$); $$->a = $2.head; $$->c = $3.cond; $$->num = $3.unless; $$->text = $4.text; }
	| PERMIT names opt_when opt_cite { $$ = make(p, N_KIND_C_PERMIT, @$); $$->a = $2.head; $$->c = $3.cond; $$->num = $3.unless; $$->text = $4.text; }
	| DEFAULT NAME[n] { $$ = named(p, N_KIND_C_DEFAULT, @$, $n, @n); }
	;
minmax
	: AT_LEAST { $$ = AT_LEAST_OP; }
	| AT_MOST { $$ = AT_MOST_OP; }
	;
hook
	: hookword NAME[n] opt_roles opt_when block1 { $$ = named(p, N_KIND_C_HOOK, @$, $n, @n); $$->op = (uint8_t)$1; $$->a = $opt_roles.head; $$->c = $opt_when.cond; $$->num = $opt_when.unless; $$->b = $block1; }
	| hookword PHASE NAME[n] opt_when block1 { $$ = named(p, N_KIND_C_HOOK, @$, $n, @n); $$->op = (uint8_t)$1; $$->c = $opt_when.cond; $$->num = $opt_when.unless; $$->b = $block1; $$->d = make(p, N_KIND_NOTHING, @2); }
	;
hookword
	: ON { $$ = STAGE_ON; }
	| BEFORE { $$ = STAGE_BEFORE; }
	| AFTER { $$ = STAGE_AFTER; }
	| INSTEAD { $$ = STAGE_INSTEAD; }
	;
keys
	: key { $$ = one($1); }
	| keys THEN key { $$ = more($1, $3); }
	| keys COMMA THEN key { $$ = more($1, $4); }
	;
key
	: expr { $$ = make(p, N_KIND_KEY, @$); $$->op = KEY_PLAIN; $$->a = $1; }
	| HIGHEST expr { $$ = make(p, N_KIND_KEY, @$); $$->op = KEY_HIGHEST; $$->a = $2; }
	| LOWEST expr { $$ = make(p, N_KIND_KEY, @$); $$->op = KEY_LOWEST; $$->a = $2; }
	;
opt_when
	: %empty { $$.cond = NULL; $$.unless = false; }
	| when
	;
when
	: WHEN expr { $$.cond = $2; $$.unless = false; }
	| UNLESS expr { $$.cond = $2; $$.unless = true; }
	;

/* ---- bodies ---- */
block1
	: block { $$ = block(p, $1, @1); }
	;
block
	: LBRACE stmts RBRACE { $$ = $2; }
	;
stmts
	: %empty { $$ = none(); }
	| stmts stmt NL { $$ = more($1, $2); }
	| stmts error NL { $$ = $1; yyerrok; }
	;
stmt
	: LET NAME[n] EQUALS expr { $$ = named(p, N_KIND_S_LET, @$, $n, @n); $$->a = $expr; }
	| edit
	| EACH NAME[n] opt_in opt_where block1 { $$ = named(p, N_KIND_S_EACH, @$, $n, @n); $$->a = $opt_in; $$->c = $opt_where; $$->b = $block1; }
	| EACH NAME[n] FROM sum[a] TO sum[b] opt_where block1 { $$ = named(p, N_KIND_S_COUNT, @$, $n, @n); $$->a = $a; $$->d = $b; $$->c = $opt_where; $$->b = $block1; }
	| if_stmt
	| REPEAT opt_until_num block1 { $$ = make(p, N_KIND_S_REPEAT, @$); $$->a = $2; $$->b = $3; }
	| STOP opt_when { $$ = make(p, N_KIND_S_STOP, @$); $$->c = $2.cond; $$->num = $2.unless; }
	| CARRYON { $$ = make(p, N_KIND_S_CARRY_ON, @$); }
	| PEND path opt_at opt_fields { $$ = make(p, N_KIND_S_PEND, @$); $$->a = $2; $$->c = $3; $$->b = $4.head; }
	| PEND COPYOF path opt_at opt_fields { $$ = make(p, N_KIND_S_PEND, @$); $$->num = 1; $$->a = $3; $$->c = $4; $$->b = $5.head; }
	| RESOLVE NAME[n] { $$ = named(p, N_KIND_S_RESOLVE, @$, $n, @n); $$->op = RESOLVE_ALL; const char *t = intern_folded(p->front->names, $n.name); if (!strcmp(t, "next")) $$->op = RESOLVE_NEXT; else if (strcmp(t, "all")) diag_report(p->front->sink, M_RESOLVE_WHAT, @n, 0); }
	| RESOLVE UNTIL sum { $$ = make(p, N_KIND_S_RESOLVE, @$); $$->op = RESOLVE_UNTIL; $$->a = $3; }
	| RESOLVE BY keys block1 { $$ = make(p, N_KIND_S_RESOLVE, @$); $$->op = RESOLVE_BY; $$->a = $3.head; $$->b = $4; }
	| ASK path opt_ask_for opt_where { $$ = make(p, N_KIND_S_ASK, @$); $$->a = $2; $$->b = $3.head; $$->c = $4; }
	| path opt_fields { $$ = make(p, N_KIND_S_CALL, @$); $$->a = $1; $$->b = $2.head; }
	| path MAY path opt_default { $$ = make(p, N_KIND_S_MAY, @$); $$->a = $1; $$->b = $3; $$->d = $4; }
	| path MAY path opt_default block1 { $$ = make(p, N_KIND_S_MAY, @$); $$->a = $1; $$->b = $3; $$->d = $4; $$->c = $5; }
	| CANCEL path opt_where { $$ = make(p, N_KIND_S_CANCEL, @$); $$->a = $2; $$->c = $3; }
	| NOTE STRING { $$ = make(p, N_KIND_S_NOTE, @$); $$->text = $2.text; }
	| REFER STRING opt_when { $$ = make(p, N_KIND_S_REFER, @$); $$->text = $2.text; $$->c = $3.cond; $$->num = $3.unless; }
	| REFUSE STRING opt_when { $$ = make(p, N_KIND_S_REFUSE, @$); $$->text = $2.text; $$->c = $3.cond; $$->num = $3.unless; }
	| PERFORMPHASE NAME[n] { $$ = named(p, N_KIND_S_PHASE, @$, $n, @n); }
	| TOGETHERB blocks_and { $$ = make(p, N_KIND_S_TOGETHER, @$); $$->a = $2.head; }
	| BEGINROUND sum { $$ = make(p, N_KIND_S_BEGIN_ROUND, @$); $$->a = $2; }
	;
blocks_and
	: block1 AND block1 { $$ = more(one($1), $3); }
	| blocks_and AND block1 { $$ = more($1, $3); }
	;
edit
	: SET path EQUALS expr { $$ = make(p, N_KIND_S_SET, @$); $$->a = $2; $$->b = $4; }
	| CHANGE path BY expr { $$ = make(p, N_KIND_S_CHANGE, @$); $$->a = $2; $$->b = $4; }
	| CHANGE path BY expr AT_MOST expr[m] { $$ = make(p, N_KIND_S_CHANGE, @$); $$->a = $2; $$->b = $4; $$->c = $m; }
	| CHANGE path BY expr AT_LEAST expr[l] { $$ = make(p, N_KIND_S_CHANGE, @$); $$->a = $2; $$->b = $4; $$->d = $l; }
	| CHANGE path BY expr AT_LEAST expr[l] AT_MOST expr[m] { $$ = make(p, N_KIND_S_CHANGE, @$); $$->a = $2; $$->b = $4; $$->c = $m; $$->d = $l; }
	| ADD expr TO path { $$ = make(p, N_KIND_S_ADD, @$); $$->a = $2; $$->b = $4; }
	| REMOVE expr FROM path { $$ = make(p, N_KIND_S_REMOVE, @$); $$->a = $2; $$->b = $4; }
	;
opt_in
	: %empty { $$ = NULL; }
	| IN path { $$ = $2; }
	;
opt_where
	: %empty { $$ = NULL; }
	| WHERE expr { $$ = $2; }
	;
opt_at
	: %empty { $$ = NULL; }
	| AT sum { $$ = $2; }
	;
opt_until_num
	: %empty { $$ = NULL; }
	| AT_MOST sum { $$ = $2; }
	;
opt_fields
	: %empty { $$ = none(); }
	| WITH LBRACE fields RBRACE { $$ = $3; }
	;
fields
	: %empty { $$ = none(); }
	| fields field NL { $$ = more($1, $2); }
	;
opt_ask_for
	: %empty { $$ = none(); }
	| FOR names { $$ = $2; }
	;
opt_default
	: %empty { $$ = NULL; }
	| BYDEFAULT expr { $$ = $2; }
	;
if_stmt
	: IF expr block1 { $$ = make(p, N_KIND_S_IF, @$); $$->a = $2; $$->b = $3; }
	| IF expr block1[t] ELSE block1[e] { $$ = make(p, N_KIND_S_IF, @$); $$->a = $2; $$->b = $t; $$->c = $e; }
	| IF expr block1[t] ELSE if_stmt[e] { $$ = make(p, N_KIND_S_IF, @$); $$->a = $2; $$->b = $t; $$->c = $e; }
	;

/* ---- expressions ---- */
expr
	: cond
	| all { $$ = $<struct node *>1; }
	| either { $$ = $<struct node *>1; }
	| IF expr[c] THEN expr[t] ELSE expr[e] { $$ = make(p, N_KIND_E_IF, @$); $$->a = $c; $$->b = $t; $$->c = $e; }
	;
all
	: cond AND cond { struct node *n = make(p, N_KIND_E_AND, @$); n->a = $1; $1->next = $3; $<struct node *>$ = n; }
	| all AND cond { struct node *n = $<struct node *>1; node_append(n->a, $3); n->span = @$; $<struct node *>$ = n; }
	;
either
	: cond OR cond { struct node *n = make(p, N_KIND_E_OR, @$); n->a = $1; $1->next = $3; $<struct node *>$ = n; }
	| either OR cond { struct node *n = $<struct node *>1; node_append(n->a, $3); n->span = @$; $<struct node *>$ = n; }
	;
cond
	: cmp
	| NOT cond { $$ = not_of(p, $2, @$); }
	;
cmp
	: sum
	| sum[a] cmpop sum[b] { $$ = binary(p, $cmpop, $a, $b, @$); }
	| sum[a] IS sum[b] { $$ = make(p, N_KIND_E_IS, @$); $$->a = $a; $$->b = $b; }
	| sum[a] IS NOT sum[b] { $$ = make(p, N_KIND_E_IS, @$); $$->a = $a; $$->b = $b; $$->num = 1; }
	| sum[a] HAS sum[b] { $$ = make(p, N_KIND_E_HAS, @$); $$->a = $a; $$->b = $b; }
	| sum[a] IN sum[b] DOTDOT sum[c] { $$ = make(p, N_KIND_E_IN, @$); $$->a = $a; $$->b = $b; $$->c = $c; }
	| path[a] CHOOSES LPAREN set RPAREN opt_cite2 opt_chosen { $$ = make(p, N_KIND_E_CHOOSE, @$); $$->a = $a; $$->b = $set; $$->c = $opt_chosen; $$->text = $<struct word_value>6.text; }
	;
opt_chosen
	: %empty { $$ = NULL; }
	| ORNONE { $$ = make(p, N_KIND_E_NONE, @1); }
	| BYDEFAULT sum { $$ = $2; }
	;
opt_cite2
	: %empty { memset(&$<struct word_value>$, 0, sizeof(struct word_value)); }
	| ASLABEL STRING { $<struct word_value>$ = $2; }
	;
cmpop
	: EQUALS { $$ = BIN_EQ; }
	| NE { $$ = BIN_NE; }
	| LESS { $$ = BIN_LT; }
	| MORE { $$ = BIN_GT; }
	| LE { $$ = BIN_LE; }
	| GE { $$ = BIN_GE; }
	;
sum
	: term
	| sum PLUS term { $$ = binary(p, BIN_ADD, $1, $3, @$); }
	| sum MINUS term { $$ = binary(p, BIN_SUB, $1, $3, @$); }
	;
term
	: factor
	| term TIMES factor { $$ = binary(p, BIN_MUL, $1, $3, @$); }
	| term OVER_ factor { $$ = binary(p, BIN_DIV, $1, $3, @$); }
	;
factor
	: unit
	| MINUS factor { $$ = make(p, N_KIND_E_NEG, @$); $$->a = $2; }
	| PLUS factor { $$ = $2; }
	;
unit
	: primary
	| unit AS NAME[n] { $$ = named(p, N_KIND_E_AS, @$, $n, @n); $$->a = $1; }
	| unit ROUNDUP { $$ = make(p, N_KIND_E_ROUND, @$); $$->op = ROUND_UP; $$->a = $1; }
	| unit ROUNDDOWN { $$ = make(p, N_KIND_E_ROUND, @$); $$->op = ROUND_DOWN; $$->a = $1; }
	| unit ROUNDNEAR { $$ = make(p, N_KIND_E_ROUND, @$); $$->op = ROUND_NEAREST; $$->a = $1; }
	;
primary
	: NUMBER { $$ = literal(p, N_KIND_E_NUM, @1, $1); }
	| QTY { $$ = literal(p, N_KIND_E_QTY, @1, $1); }
	| DICE { $$ = literal(p, N_KIND_E_DICE, @1, $1); }
	| PERCENT { $$ = literal(p, N_KIND_E_PERCENT, @1, $1); }
	| CHANCE { $$ = literal(p, N_KIND_E_CHANCE, @1, $1); }
	| STRING { $$ = literal(p, N_KIND_E_TEXT, @1, $1); }
	| TIMEPOINT { $$ = literal(p, N_KIND_E_MOMENT, @1, $1); }
	| YES { $$ = make(p, N_KIND_E_YES, @1); }
	| NO { $$ = make(p, N_KIND_E_NO, @1); }
	| NONE_ { $$ = make(p, N_KIND_E_NONE, @1); }
	| path
	| THIS NAME[n] { $$ = named(p, N_KIND_E_THIS, @$, $n, @n); }
	| BASE path { $$ = make(p, N_KIND_E_BASE, @$); $$->a = $2; }
	| OPTIONX NAME[n] { $$ = named(p, N_KIND_E_OPTION, @$, $n, @n); }
	| ROLL rollable { $$ = make(p, N_KIND_E_ROLL, @$); $$->a = $2; }
	| ROLL rollable ASLABEL STRING { $$ = make(p, N_KIND_E_ROLL, @$); $$->a = $2; $$->text = $4.text; }
	| LPAREN expr RPAREN { $$ = $2; }
	| THOSE LPAREN NAME[n] IN path opt_where RPAREN { $$ = named(p, N_KIND_E_SET, @$, $n, @n); $$->a = $path; $$->c = $opt_where; }
	| agg LPAREN set RPAREN { $$ = make(p, N_KIND_E_AGG, @$); $$->op = (uint8_t)$1; $$->a = $3; }
	| PICK LPAREN set RPAREN { $$ = make(p, N_KIND_E_PICK, @$); $$->a = $3; }
	| PICK LPAREN set BY key RPAREN { $$ = make(p, N_KIND_E_PICK, @$); $$->a = $3; $$->b = $5; $$->op = $5->op; }
	| HIGHEST LPAREN expr[e] COMMA exprs[l] RPAREN { $$ = fold(p, FOLD_HIGHEST, $e, $l, NULL, @$); }
	| HIGHEST LPAREN expr[e] FOR NAME[n] IN path opt_where RPAREN { struct node *s = named(p, N_KIND_E_SET, @$, $n, @n); s->a = $path; s->c = $opt_where; $$ = fold(p, FOLD_HIGHEST, $e, none(), s, @$); }
	| LOWEST LPAREN expr[e] COMMA exprs[l] RPAREN { $$ = fold(p, FOLD_LOWEST, $e, $l, NULL, @$); }
	| LOWEST LPAREN expr[e] FOR NAME[n] IN path opt_where RPAREN { struct node *s = named(p, N_KIND_E_SET, @$, $n, @n); s->a = $path; s->c = $opt_where; $$ = fold(p, FOLD_LOWEST, $e, none(), s, @$); }
	| TOTAL LPAREN expr[e] COMMA exprs[l] RPAREN { $$ = fold(p, FOLD_TOTAL, $e, $l, NULL, @$); }
	| TOTAL LPAREN expr[e] FOR NAME[n] IN path opt_where RPAREN { struct node *s = named(p, N_KIND_E_SET, @$, $n, @n); s->a = $path; s->c = $opt_where; $$ = fold(p, FOLD_TOTAL, $e, none(), s, @$); }
	;
agg
	: COUNT { $$ = AGG_COUNT; }
	| ANY { $$ = AGG_ANY; }
	| NO { $$ = AGG_NO; }
	;
rollable
	: DICE { $$ = literal(p, N_KIND_E_DICE, @1, $1); }
	| PERCENT { $$ = literal(p, N_KIND_E_PERCENT, @1, $1); }
	| CHANCE { $$ = literal(p, N_KIND_E_CHANCE, @1, $1); }
	| path
	| LPAREN expr RPAREN { $$ = $2; }
	;
set
	: path
	| NAME[n] IN path opt_where { $$ = named(p, N_KIND_E_SET, @$, $n, @n); $$->a = $path; $$->c = $opt_where; }
	;
path
	: NAME { $$ = named(p, N_KIND_E_NAME, @1, $1, @1); $$->num = $1.num; }
	| path[o] POSS NAME[n] { $$ = named(p, N_KIND_E_FIELD, @$, $n, @n); $$->a = $o; }
	| path[o] LPAREN opt_exprs RPAREN { $$ = make(p, N_KIND_E_CALL, @$); $$->a = $o; $$->at = $o->at; $$->b = $3.head; }
	;
opt_exprs
	: %empty { $$ = none(); }
	| exprs
	;

/* ---- scenes ---- */
scenes
	: %empty { $$ = none(); }
	| scenes sitem NL { $$ = more($1, $2); }
	| scenes error NL { $$ = $1; yyerrok; }
	;
sitem
	: scene
	| field
	| path POSS NAME[n] COLON values { struct node *f = named(p, N_KIND_E_FIELD, @path, $n, @n); f->a = $path; f->span = span_join(@path, @n); $$ = make(p, N_KIND_N_OVERRIDE, @$); $$->a = f; $$->b = $values.head; }
	| USE WITH house_items { $$ = make(p, N_KIND_USE, @$); $$->b = $3.head; }
	| USE NAME[n] use_with { $$ = named(p, N_KIND_USE, @$, $n, @n); $$->a = $use_with.head; }
	| SIDE NAME[n] COLON members { $$ = named(p, N_KIND_SIDE, @$, $n, @n); $$->a = $members.head; }
	| rule
	| clause
	| DROP RULE rulename { $$ = named(p, N_KIND_DROP, @$, $rulename, @rulename); $$->name2 = $rulename.name2; }
	| question
	| EXPECT question_e { $$ = $2; }
	;
scene
	: subjects say { $$ = $say; $$->a = $subjects.head; $$->span = @$; }
	| subjects FOLLOWS NAME[n] opt_when { $$ = named(p, N_KIND_N_FOLLOWS, @$, $n, @n); $$->a = $subjects.head; $$->c = $opt_when.cond; $$->num = $opt_when.unless; }
	| NUMBER[c] NAME[m] JOIN NAME[n] { $$ = named(p, N_KIND_N_JOIN, @$, $n, @n); $$->a = named(p, N_KIND_MEMBER, @m, $m, @m); $$->a->num = $c.num; }
	| DICEKW dice { $$ = make(p, N_KIND_N_DICE, @$); $$->a = $2.head; }
	| DICEONLY dice { $$ = make(p, N_KIND_N_DICE, @$); $$->a = $2.head; $$->num = 1; }
	| CHOICES choices { $$ = make(p, N_KIND_N_CHOICES, @$); $$->a = $2.head; }
	| EXPECT expr { $$ = make(p, N_KIND_N_EXPECT, @$); $$->a = $2; }
	| EXPECT path VERB[v] opt_targets preps { $$ = named(p, N_KIND_N_EXPECT_SAY, @$, $v, @v); $$->name2 = $v.name2; $$->a = $path; $$->b = $opt_targets.head; $$->d = $preps.head; }
	| EXPECT NOT path VERB[v] opt_targets preps { $$ = named(p, N_KIND_N_EXPECT_SAY, @$, $v, @v); $$->name2 = $v.name2; $$->num = 1; $$->a = $path; $$->b = $opt_targets.head; $$->d = $preps.head; }
	| EXPECT path NOT VERB[v] opt_targets preps { $$ = named(p, N_KIND_N_EXPECT_SAY, @$, $v, @v); $$->name2 = $v.name2; $$->num = 1; $$->a = $path; $$->b = $opt_targets.head; $$->d = $preps.head; }
	| UNTIL expr { $$ = make(p, N_KIND_N_UNTIL, @$); $$->a = $2; }
	| edit { $$ = make(p, N_KIND_N_EDIT, @$); $$->a = $1; }
	| SETOPTION NAME[n] EQUALS expr { $$ = named(p, N_KIND_N_OPTION, @$, $n, @n); $$->a = $expr; }
	| REFEREE stmt { $$ = make(p, N_KIND_N_REFEREE, @$); $$->a = $2; }
	| TIMEPOINT[t] LBRACE scenes RBRACE { $$ = named(p, N_KIND_MOMENT, @$, $t, @t); $$->num = $t.num; $$->a = $scenes.head; }
	;
say
	: VERB[v] opt_targets preps opt_cue opt_when say_tail { if ($opt_cue) $preps = more($preps, $opt_cue); $$ = named(p, N_KIND_N_SAY, @$, $v, @v); $$->name2 = $v.name2; $$->b = $opt_targets.head; $$->d = $preps.head; $$->c = $opt_when.cond; $$->num = $opt_when.unless; if ($say_tail) { if ($say_tail->op == 1) $$->e = $say_tail->a; else $$->f = $say_tail->a; for (struct node *x = $$->f; x; x = x->f) if (!x->name) { x->name = $v.name; x->name2 = $v.name2; } } }
	;
opt_cue
	: %empty { $$ = NULL; }
	| ASSOONAS path VERB[v] opt_targets { struct node *n = named(p, N_KIND_N_SAY, @$, $v, @v); n->name2 = $v.name2; n->a = $path; n->b = $opt_targets.head; $$ = make(p, N_KIND_CUE, @$); $$->a = n; }
	;
say_tail
	: %empty { $$ = NULL; }
	| ELSE say { $$ = make(p, N_KIND_NOTHING, @$); $$->op = 1; $$->a = $2; }
	| THEN say { $$ = make(p, N_KIND_NOTHING, @$); $$->op = 2; $$->a = $2; }
	| THEN target say_tail[t] { struct node *n = make(p, N_KIND_N_SAY, @$); n->b = $target; if ($t) { if ($t->op == 1) n->e = $t->a; else n->f = $t->a; } $$ = make(p, N_KIND_NOTHING, @$); $$->op = 2; $$->a = n; }
	;
subjects
	: path { $$ = one($1); }
	| subjects AND path { $$ = more($1, $3); }
	| subjects COMMA path { $$ = more($1, $3); }
	;
members
	: member { $$ = one($1); }
	| members COMMA member { $$ = more($1, $3); }
	;
member
	: NAME[n] { $$ = named(p, N_KIND_MEMBER, @$, $n, @n); }
	| NUMBER[c] NAME[n] { $$ = named(p, N_KIND_MEMBER, @$, $n, @n); $$->num = $c.num; }
	;
opt_targets
	: %empty { $$ = none(); }
	| targets
	;
targets
	: target { $$ = one($1); }
	| targets AND target { $$ = more($1, $3); }
	;
target
	: path
	| STRING { $$ = literal(p, N_KIND_E_TEXT, @1, $1); }
	| NUMBER[c] NAME[n] { $$ = named(p, N_KIND_COUNTED, @$, $n, @n); $$->num = $c.num; }
	| NUMBER { $$ = literal(p, N_KIND_E_NUM, @1, $1); }
	| QTY { $$ = literal(p, N_KIND_E_QTY, @1, $1); }
	| TIMEPOINT { $$ = literal(p, N_KIND_E_MOMENT, @1, $1); }
	| LPAREN expr RPAREN { $$ = $2; }
	| SOMEONE { $$ = make(p, N_KIND_SOMEONE, @1); }
	;
preps
	: %empty { $$ = none(); }
	| preps prep_phrase { $$ = more($1, $2); }
	;
prep_phrase
	: prep targets { $$ = named(p, N_KIND_PREP, @$, $1, @1); $$->a = $2.head; }
	;
prep
	: AT { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "at"); }
	| WITH { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "with"); }
	| TO { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "to"); }
	| FROM { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "from"); }
	| ON { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "on"); }
	| IN { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "in"); }
	| BY { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "by"); }
	| FOR { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "for"); }
	| INTO { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "into"); }
	| AGAINST { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "against"); }
	| TOWARD { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "toward"); }
	| USING { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "using"); }
	| BEHIND { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "behind"); }
	| PAST { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "past"); }
	| UNTIL { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "until"); }
	| BEFORE { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "before"); }
	| AFTER { memset(&$$, 0, sizeof $$); $$.name = intern_word(p->front->names, "after"); }
	;
dice
	: die { $$ = one($1); }
	| dice COMMA die { $$ = more($1, $3); }
	;
die
	: path pips { $$ = make(p, N_KIND_FORCE, @$); $$->a = $1; $$->b = $2.head; }
	;
pips
	: pip { $$ = one($1); }
	| pips THEN pip { $$ = more($1, $3); }
	;
pip
	: faces { $$ = make(p, N_KIND_PIPS, @$); $$->a = $1.head; }
	;
faces
	: NUMBER { $$ = one(literal(p, N_KIND_E_NUM, @1, $1)); }
	| faces PLUS NUMBER { $$ = more($1, literal(p, N_KIND_E_NUM, @3, $3)); }
	;
choices
	: choice { $$ = one($1); }
	| choices COMMA choice { $$ = more($1, $3); }
	;
choice
	: path answers { $$ = make(p, N_KIND_CHOICE, @$); $$->a = $1; $$->b = $2.head; }
	;
answers
	: answer { $$ = one($<struct node *>1); }
	| answers THEN answer { $$ = more($1, $<struct node *>3); }
	;
answer
	: YES { $<struct node *>$ = make(p, N_KIND_E_YES, @1); }
	| NO { $<struct node *>$ = make(p, N_KIND_E_NO, @1); }
	| NONE_ { $<struct node *>$ = make(p, N_KIND_E_NONE, @1); }
	| COLON path { $<struct node *>$ = $2; }
	;

/* ---- policies ---- */
plines
	: %empty { $$ = none(); }
	| plines pline NL { $$ = more($1, $2); }
	| plines error NL { $$ = $1; yyerrok; }
	;
pline
	: say { $$ = $1; }
	| IF expr LBRACE plines RBRACE { $$ = make(p, N_KIND_P_IF, @$); $$->a = $2; $$->b = $4.head; }
	| FOLLOWS NAME[n] opt_when { $$ = named(p, N_KIND_N_FOLLOWS, @$, $n, @n); $$->c = $opt_when.cond; $$->num = $opt_when.unless; }
	| WHENASKED NAME[n] COLON exprs policy_tail { $$ = named(p, N_KIND_P_ANSWER, @$, $n, @n); $$->a = $exprs.head; $$->c = $policy_tail; }
	;
policy_tail
	: %empty { $$ = NULL; }
	| WHEN expr { $$ = $2; }
	;

/* ---- questions ---- */
question
	: ODDS mode opt_on opt_branches opt_giving { $$ = make(p, N_KIND_Q_ODDS, @$); $$->op = (uint8_t)($mode < 0 ? METHOD_AUTO : $mode == 0 ? METHOD_EXACT : METHOD_SAMPLED); $$->num = $mode > 0 ? $mode : 0; $$->name = $<struct word_value>3.name; $$->a = $opt_branches.head; $$->b = $opt_giving.head; }
	| SWEEP path FROM sum[a] TO sum[b] opt_step LBRACE questions RBRACE { $$ = make(p, N_KIND_Q_SWEEP, @$); $$->a = $path; $$->b = $a; $$->c = $b; $$->d = $opt_step; $$->e = $questions.head; }
	| SWEEP path OVER exprs LBRACE questions RBRACE { $$ = make(p, N_KIND_Q_SWEEP, @$); $$->a = $path; $$->b = $exprs.head; $$->e = $questions.head; }
	| COMPARE rulesets ON NAME[n] GIVING measures { $$ = named(p, N_KIND_Q_COMPARE, @$, $n, @n); $$->a = $rulesets.head; $$->b = $measures.head; }
	;
question_e
	: ODDS mode opt_on opt_branches GIVING measure EQUALS sum[a] { struct node *q = make(p, N_KIND_Q_ODDS, @$); q->op = (uint8_t)($mode < 0 ? METHOD_AUTO : $mode == 0 ? METHOD_EXACT : METHOD_SAMPLED); q->num = $mode > 0 ? $mode : 0; q->name = $<struct word_value>3.name; q->a = $opt_branches.head; q->b = $measure; $$ = make(p, N_KIND_Q_EXPECT, @$); $$->op = BIN_EQ; $$->a = q; $$->b = $a; }
	| ODDS mode opt_on opt_branches GIVING measure EQUALS sum[a] DOTDOT sum[b] { struct node *q = make(p, N_KIND_Q_ODDS, @$); q->op = (uint8_t)($mode < 0 ? METHOD_AUTO : $mode == 0 ? METHOD_EXACT : METHOD_SAMPLED); q->num = $mode > 0 ? $mode : 0; q->name = $<struct word_value>3.name; q->a = $opt_branches.head; q->b = $measure; $$ = make(p, N_KIND_Q_EXPECT, @$); $$->op = BIN_EQ; $$->a = q; $$->b = $a; $$->c = $b; }
	| ODDS mode opt_on opt_branches GIVING measure ineq sum[a] { struct node *q = make(p, N_KIND_Q_ODDS, @$); q->op = (uint8_t)($mode < 0 ? METHOD_AUTO : $mode == 0 ? METHOD_EXACT : METHOD_SAMPLED); q->num = $mode > 0 ? $mode : 0; q->name = $<struct word_value>3.name; q->a = $opt_branches.head; q->b = $measure; $$ = make(p, N_KIND_Q_EXPECT, @$); $$->op = (uint8_t)$ineq; $$->a = q; $$->b = $a; }
	;
ineq
	: LESS { $$ = BIN_LT; }
	| MORE { $$ = BIN_GT; }
	| LE { $$ = BIN_LE; }
	| GE { $$ = BIN_GE; }
	;
questions
	: %empty { $$ = none(); }
	| questions question NL { $$ = more($1, $2); }
	| questions edit NL { struct node *n = make(p, N_KIND_N_EDIT, @2); n->a = $2; $$ = more($1, n); }
	;
mode
	: %empty { $$ = -1; }
	| NUMBER { $$ = $1.num > 0 && $1.num < INT32_MAX ? (int)$1.num : 1; }
	| EXACT { $$ = 0; }
	;
opt_on
	: %empty { memset(&$<struct word_value>$, 0, sizeof(struct word_value)); }
	| ON NAME { $<struct word_value>$ = $2; }
	;
opt_branches
	: %empty { $$ = none(); }
	| branches
	;
branches
	: branch { $$ = one($1); }
	| branches VS branch { $$ = more($1, $3); }
	;
branch
	: LBRACE scenes RBRACE { $$ = make(p, N_KIND_BRANCH, @$); $$->a = $2.head; }
	;
opt_giving
	: %empty { $$ = none(); }
	| GIVING measures { $$ = $2; }
	;
measures
	: measure { $$ = one($1); }
	| measures COMMA measure { $$ = more($1, $3); }
	;
measure
	: sum { $$ = make(p, N_KIND_MEASURE, @$); $$->a = $1; }
	| sum[a] IS sum[b] { struct node *n = make(p, N_KIND_E_IS, @$); n->a = $a; n->b = $b; $$ = make(p, N_KIND_MEASURE, @$); $$->a = n; }
	| path VERB[v] opt_targets preps { struct node *n = named(p, N_KIND_N_EXPECT_SAY, @$, $v, @v); n->name2 = $v.name2; n->a = $path; n->b = $opt_targets.head; n->d = $preps.head; $$ = make(p, N_KIND_MEASURE, @$); $$->a = n; }
	| AVERAGE sum { $$ = make(p, N_KIND_MEASURE, @$); $$->op = MEASURE_AVERAGE; $$->a = $2; }
	| SPREAD sum { $$ = make(p, N_KIND_MEASURE, @$); $$->op = MEASURE_SPREAD; $$->a = $2; }
	;
opt_step
	: %empty { $$ = NULL; }
	| BY sum { $$ = $2; }
	;
rulesets
	: NAME { $$ = one(named(p, N_KIND_E_NAME, @1, $1, @1)); }
	| rulesets VS NAME { $$ = more($1, named(p, N_KIND_E_NAME, @3, $3, @3)); }
	;

/* ---- the prompt ---- */
command
	: C_BEGIN NAME[n] { $$ = named(p, N_KIND_X_BEGIN, @$, $n, @n); }
	| C_BEGIN { $$ = make(p, N_KIND_X_BEGIN, @$); }
	| C_STEP { $$ = make(p, N_KIND_X_STEP, @$); $$->num = 1; }
	| C_STEP NUMBER { $$ = make(p, N_KIND_X_STEP, @$); $$->num = $2.num; }
	| C_STEP NAME[n] { $$ = named(p, N_KIND_X_STEP, @$, $n, @n); $$->num = 1; }
	| C_STEP TO TIMEPOINT { $$ = make(p, N_KIND_X_STEP, @$); $$->a = literal(p, N_KIND_E_MOMENT, @3, $3); }
	| C_RUN { $$ = make(p, N_KIND_X_RUN, @$); }
	| C_RUN TO TIMEPOINT { $$ = make(p, N_KIND_X_RUN, @$); $$->a = literal(p, N_KIND_E_MOMENT, @3, $3); }
	| C_RUN UNTIL expr { $$ = make(p, N_KIND_X_RUN, @$); $$->b = $3; }
	| C_UNDO { $$ = make(p, N_KIND_X_UNDO, @$); $$->num = 1; }
	| C_UNDO NUMBER { $$ = make(p, N_KIND_X_UNDO, @$); $$->num = $2.num; }
	| C_REDO { $$ = make(p, N_KIND_X_REDO, @$); $$->num = 1; }
	| C_REDO NUMBER { $$ = make(p, N_KIND_X_REDO, @$); $$->num = $2.num; }
	| C_FORK NAME[n] { $$ = named(p, N_KIND_X_FORK, @$, $n, @n); }
	| C_SWITCH NAME[n] { $$ = named(p, N_KIND_X_SWITCH, @$, $n, @n); }
	| C_FORKS { $$ = make(p, N_KIND_X_FORKS, @$); }
	| C_FORCE dice { $$ = make(p, N_KIND_X_FORCE, @$); $$->a = $2.head; }
	| C_WHY { $$ = make(p, N_KIND_X_WHY, @$); }
	| C_WHY path { $$ = make(p, N_KIND_X_WHY, @$); $$->a = $2; }
	| C_WHY path VERB[v] opt_targets preps { struct node *n = named(p, N_KIND_N_EXPECT_SAY, @$, $v, @v); n->a = $2; n->b = $4.head; n->d = $5.head; $$ = make(p, N_KIND_X_WHY, @$); $$->a = n; }
	| C_WHY path NOT VERB[v] opt_targets preps { struct node *n = named(p, N_KIND_N_EXPECT_SAY, @$, $v, @v); n->num = 1; n->a = $2; n->b = $5.head; n->d = $6.head; $$ = make(p, N_KIND_X_WHY, @$); $$->a = n; $$->num = 1; }
	| C_WHY NOT path VERB[v] opt_targets preps { struct node *n = named(p, N_KIND_N_EXPECT_SAY, @$, $v, @v); n->num = 1; n->a = $3; n->b = $5.head; n->d = $6.head; $$ = make(p, N_KIND_X_WHY, @$); $$->a = n; $$->num = 1; }
	| C_SHOW { $$ = make(p, N_KIND_X_SHOW, @$); }
	| C_SHOW path { $$ = make(p, N_KIND_X_SHOW, @$); if ($2->kind == N_KIND_E_NAME) $$->name = $2->name; else $$->a = $2; }
	| C_SHOW NAME[n] FOR path { $$ = named(p, N_KIND_X_SHOW, @$, $n, @n); $$->a = $4; }
	| C_SAVE STRING { $$ = make(p, N_KIND_X_SAVE, @$); $$->text = $2.text; }
	| C_LOAD STRING { $$ = make(p, N_KIND_X_LOAD, @$); $$->text = $2.text; }
	| C_HELP { $$ = make(p, N_KIND_X_HELP, @$); }
	| C_HELP NAME[n] { $$ = named(p, N_KIND_X_HELP, @$, $n, @n); }
	| C_QUIT { $$ = make(p, N_KIND_X_QUIT, @$); }
	| C_ASKDICE { $$ = make(p, N_KIND_X_ASKED, @$); $$->num = 1; }
	| C_ROLLDICE { $$ = make(p, N_KIND_X_ASKED, @$); }
	| DICE { $$ = make(p, N_KIND_X_ROLL, @$); $$->a = literal(p, N_KIND_E_DICE, @1, $1); }
	| SPREAD DICE { $$ = make(p, N_KIND_X_ROLL, @$); $$->num = 1; $$->a = literal(p, N_KIND_E_DICE, @2, $2); }
	;

%%

const char *parser_token_name(int symbol)
{
	return yysymbol_name((yysymbol_kind_t)symbol);
}

/* What may stand here, most telling first and only a few: lists of twenty words help nobody. */
static void expected_text(struct parse *p, const yypcontext_t *c, struct buf *out)
{
	yysymbol_kind_t e[YYNTOKENS];
	int n = yypcontext_expected_tokens(c, e, YYNTOKENS);
	bool name = false, line = false, value = false;
	int words = 0;
	(void)p;
	for (int i = 0; i < n; i++) {
		name |= e[i] == YYSYMBOL_NAME;
		line |= e[i] == YYSYMBOL_NL;
		value |= e[i] == YYSYMBOL_NUMBER && n > 6;
	}
	if (value)
		buf_puts(out, "a value or a name");
	else if (name)
		buf_puts(out, "a name");
	for (int i = 0; i < n && words < 4; i++) {
		if (e[i] == YYSYMBOL_NL || e[i] == YYSYMBOL_NAME || e[i] == YYSYMBOL_YYEOF || e[i] == YYSYMBOL_YYerror)
			continue;
		if (n > 10 && (value || name || line))
			break;
		const char *t = yysymbol_name(e[i]);
		bool plain = t[0] == 'a' && t[1] == ' ';
		buf_printf(out, "%s%s%s%s", out->length ? ", " : "", plain ? "" : "\"", t, plain ? "" : "\"");
		words++;
	}
	if (line)
		buf_printf(out, "%sthe end of the line", out->length ? " or " : "");
	if (!out->length)
		buf_puts(out, "something else");
}

static int yyreport_syntax_error(const yypcontext_t *c, struct parse *p)
{
	struct span *at = yypcontext_location(c);
	yysymbol_kind_t token = yypcontext_token(c);
	p->error = true;
	p->errors++;
	if (p->last_error.file == at->file && p->last_error.start == at->start)
		return 0;
	p->last_error = *at;
	struct buf expected = {0}, met = {0};
	expected_text(p, c, &expected);
	if (token == YYSYMBOL_NL) {
		buf_puts(&met, "the end of the line");
	} else if (token == YYSYMBOL_YYEOF) {
		buf_puts(&met, "the end of the text");
	} else {
		size_t n;
		const char *t = sources_text(p->front->sources, *at, &n);
		buf_printf(&met, "\"%.*s\"", (int)(n > 40 ? 40 : n), t);
	}
	enum message id = M_SYNTAX;
	if (token == YYSYMBOL_OR || token == YYSYMBOL_AND) {
		yysymbol_kind_t e[YYNTOKENS];
		int n = yypcontext_expected_tokens(c, e, YYNTOKENS);
		for (int i = 0; i < n; i++)
			if ((token == YYSYMBOL_OR && e[i] == YYSYMBOL_AND) || (token == YYSYMBOL_AND && e[i] == YYSYMBOL_OR))
				id = M_AND_OR;
	} else if (token == YYSYMBOL_EQUALS) {
		yysymbol_kind_t e[YYNTOKENS];
		int n = yypcontext_expected_tokens(c, e, YYNTOKENS);
		for (int i = 0; i < n; i++)
			if (e[i] == YYSYMBOL_COLON)
				id = M_EQUALS_FOR_COLON;
	} else if (token == YYSYMBOL_ELSE) {
		id = M_STRAY_ELSE;
	} else if (token == YYSYMBOL_RBRACE) {
		id = M_STRAY_BRACE;
	}
	diag_report(p->front->sink, id, *at, 2, buf_text(&met), buf_text(&expected));
	buf_free(&expected);
	buf_free(&met);
	return 0;
}

struct fray_pstate *parser_new(void)
{
	return (struct fray_pstate *)fray_pstate_new();
}

void parser_free(struct fray_pstate *ps)
{
	fray_pstate_delete((fray_pstate *)ps);
}

int parser_push(struct fray_pstate *ps, struct parse *p, int token, struct word_value *value, struct span at)
{
	union FRAY_STYPE v;
	struct span where = at;
	memset(&v, 0, sizeof v);
	v.TOK_NAME = *value;
	int s = fray_push_parse((fray_pstate *)ps, token, &v, &where, p);
	return s == YYPUSH_MORE ? 0 : s == 0 ? 1 : 2;
}

bool parser_accepts(struct fray_pstate *ps, int token)
{
	yysymbol_kind_t e[YYNTOKENS];
	int n = yypstate_expected_tokens((yypstate *)ps, e, YYNTOKENS);
	for (int i = 0; i < n; i++)
		if (e[i] == YYTRANSLATE(token))
			return true;
	return false;
}

int parser_expected(struct fray_pstate *ps, int *tokens, int most)
{
	yysymbol_kind_t e[YYNTOKENS];
	int n = yypstate_expected_tokens((yypstate *)ps, e, YYNTOKENS);
	if (n > most)
		n = most;
	for (int i = 0; i < n; i++)
		tokens[i] = (int)e[i];
	return n;
}
