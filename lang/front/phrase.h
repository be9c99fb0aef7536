/* phrase.h - runs of words to names, verbs and words of the language; the parser's driver.
 *
 *   raw tokens -> phrase_run -> tokens -> push parser -> units
 *
 * The phraser reads raw tokens one statement at a time and pushes tokens. It keeps no
 * grammar of its own: whether a word of the language fits, and whether a line may end, is
 * asked of the parser (gram_accepts). What it adds is what a context-free grammar cannot
 * know: which words make one name. */
#ifndef FRAY_FRONT_PHRASE_H
#define FRAY_FRONT_PHRASE_H

#include "lang/front/front.h"
#include "lang/front/lexicon.h"

/* ---- what tokens and symbols of the grammar carry ---- */
struct word {
	sym name, as;     /* canonical; as written, when that differs */
	int64_t num, den;
	const char *text;
	bool quoted;
};
struct list {
	struct node *head, *tail;
};
struct when {
	struct node *e;
	bool unless;
};
union value {
	struct word word;
	struct node *node;
	struct list list;
	struct when when;
	int op;
};

/* ---- words.def ---- */
enum word_class {
	W_START = 1,  /* begins a statement */
	W_INNER = 2,  /* ends a run of words wherever it stands */
	W_FIRST = 4,  /* only as the first word of a run, and only where the grammar takes it */
	W_CALL = 8,   /* with W_FIRST: only before ( */
	W_MORE = 16,  /* begins a line that continues the one above */
	W_TOP = 32,   /* with W_START: begins what stands at the top of a file */
	W_CLAUSE = 64 /* with W_START: begins a clause of a rule */
};
struct word_row {
	const char *text;
	int token;
	unsigned class;
};
extern const struct word_row word_table[];
extern const int word_count;

/* ---- the state of one text, or of the prompt ---- */
enum zone {
	ZONE_PLAIN,   /* names are names */
	ZONE_SUBJECT, /* a verb may end the name */
	ZONE_SAID     /* after the verb of a sentence */
};

struct brace {
	uint32_t open;    /* where it stands */
	uint32_t indent;  /* of the line it stands on */
	uint32_t doubt;   /* a later line that starts no further in; 0: none */
	int lead;         /* what the line above goes on with */
	bool sentence;
};

struct phrase {
	struct front *front;
	uint16_t file;
	void *parser;             /* fray_pstate */
	const struct raw *raw;    /* borrowed; raw[count] is an end mark */
	int count, at;

	/* the statement being read */
	bool start;               /* at its first token */
	bool sentence;            /* a line's end always ends it */
	bool of_rules;            /* names are rules' names */
	bool value;               /* after the colon of a field */
	enum zone zone;
	int line;                 /* its first raw token */
	uint32_t indent;          /* of the line that token is on */
	int lead;                 /* the token it began with */
	int last, after;          /* the last token pushed, and the one before it */
	sym verb;
	struct span verb_at;      /* the sentence's verb as written */
	int paren;
	uint32_t paren_at;        /* the outermost open ( */
	VEC(struct brace) brace;

	/* towards the parser */
	struct list units;        /* finished */
	bool damaged;             /* an error since the last unit */
	bool failed;              /* the last push met an error */
	bool closed_inside; /* a block inside an encounter was told: the } of that closes nothing */
	bool quiet;               /* errors are not reported: a dry run, or after a fatal one */
	bool stopped;             /* a limit was met: nothing more is read */
	int chain;                /* parts joined in this statement */
	struct span token;        /* where the token being pushed stands */
	struct span before;       /* where the one before it stood */
	bool declares;            /* a file, which holds declarations: not the prompt */
	bool nobody;              /* lines without a subject were reported since the last } */
	bool open_said, close_said; /* a { or } was reported as missing: its partner is not in excess, or open */
	int streak;               /* the last complaint, when no statement was good since; 0: none */
	uint32_t said_at;         /* a token that was complained about already, plus one */
};

enum { CHAIN_MAX = 1000 };

/* ---- the grammar: gram.y ---- */
void *gram_new(void);
void gram_free(void *parser);
/* Pushes one token; p->failed and p->stopped tell how it went. */
void gram_push(struct phrase *p, int token, const union value *v, struct span at);
bool gram_accepts(void *parser, int token);
/* Tokens accepted next, by number, into out; how many there are. */
int gram_expected(void *parser, int *out, int most);
/* How a token is called: "name", "when". */
const char *gram_name(int token);
int gram_last_token(void);

/* ---- build.c: what the grammar's actions call ---- */
struct node *build(struct phrase *p, enum node_kind kind, struct span at);
struct node *build_named(struct phrase *p, enum node_kind kind, struct span at, struct word name, struct span name_at);
struct list build_list(struct node *n);
struct list build_add(struct list l, struct node *n);
struct list build_join(struct list a, struct list b);
/* One more part in a chain of operators; too many is a limit. */
struct node *build_binary(struct phrase *p, int op, struct node *a, struct node *b);
void build_linked(struct phrase *p, struct span at);
void build_when(struct node *n, struct when w);
void build_unit(struct phrase *p, struct node *n, struct span at);
struct node *build_broken(struct phrase *p, struct span at);
struct node *build_deed(struct phrase *p, struct span at, struct word verb, struct span verb_at, struct list targets, struct list more, struct when when);
void build_then(struct node *queue, struct node *deed);
void build_else(struct node *queue, struct node *other);
struct node *build_subjects(struct node *deed, struct list subjects);
struct node *build_prep(struct phrase *p, struct span at, struct word prep, struct list targets);
/* "nobody dies", "somebody hits Ann": of all combatants. */
struct node *build_anybody(struct phrase *p, struct span at, struct span who, struct word verb,
	struct span verb_at, struct list rest);
/* "nobody is dead": no (one in combatants where one is dead), by enum op_agg */
struct node *build_anybody_is(
	struct phrase *p, struct span at, struct span who, int agg, struct node *state);
/* "hits Brand twice": the same sentence, how often, and what is said behind that. */
struct node *build_times(struct node *say, struct node *times, struct list preps);
struct node *build_define(struct phrase *p, struct span at, struct node *path, struct word adjective, struct when when);
struct node *build_table(struct phrase *p, struct span at, struct word name, struct span name_at, struct list keys, struct list rows);
/* ---- build_state.c ---- */
void build_meaning(struct phrase *p, struct node *thing, const char *text, struct span at);
struct node *build_begins(
	struct phrase *p, struct span at, struct node *who, struct node *state, struct node *rounds);
/* "expect c at the end of round 2": a block of that round with the expectation. Within the block of
 * that round it is one of its lines. */
struct node *build_at_end(struct node *moment, struct node *expect);
struct node *build_moment(struct node *moment, struct node *list);
/* Somebody acts, as an expectation. */
struct node *build_acts(struct phrase *p, struct span at, struct node *who);
struct node *build_ends(struct phrase *p, struct span at, struct node *who, struct node *state);
/* How many whole rounds after the present one; another unit is reported. */
struct node *build_rounds(struct phrase *p, struct span at, struct node *quantity);
struct node *build_counted(struct phrase *p, struct node *number, struct word unit, struct span at);
struct node *build_present(struct phrase *p, struct node *number, struct word unit, struct span at);
struct node *build_rolled(
	struct phrase *p, struct span at, struct node *dice, struct word unit, struct span unit_at);
struct node *build_until(struct phrase *p, struct node *moment, int less);

struct node *build_show(struct phrase *p, struct span at, struct word topic, struct word more, struct node *what);

/* ---- phrase.c ---- */
void phrase_start(struct phrase *p, struct front *f, uint16_t file, int first);
void phrase_stop(struct phrase *p);
/* Reads on. `more`: further lines may come, so what only the next line can decide waits. */
void phrase_run(struct phrase *p, const struct raw *raw, int count, bool more);
/* The text is at its end: closes what is open, reporting it. */
void phrase_end(struct phrase *p);
/* Nothing is half read. */
bool phrase_whole(const struct phrase *p);

/* For phrase_line.c and phrase_words.c */
void phrase_push(struct phrase *p, int token, struct word w, uint32_t start, uint32_t end);
void phrase_push_raw(struct phrase *p, int token, int n); /* n raw tokens as one token */
void phrase_name(struct phrase *p, int n);                /* n raw words as a NAME */
struct word phrase_word(struct phrase *p, int from, int n);
struct word phrase_quoted(struct phrase *p, const struct raw *r); /* the text in quotes, and as a name */
bool phrase_accepts(struct phrase *p, int token);
bool phrase_doubtful(const struct phrase *p, enum message id); /* a name that could not be read may be all that is wrong */
void phrase_report(struct phrase *p, enum message id, struct span at, int args, const char *a, const char *b);
void phrase_name_fits(struct phrase *p, uint32_t start, uint32_t end);
struct span phrase_span(const struct phrase *p, uint32_t start, uint32_t end);
const char *phrase_text(const struct phrase *p, uint32_t start);
bool phrase_is(const struct phrase *p, int at, const char *word); /* the raw token is this word */

/* ---- phrase_line.c: how a statement begins ---- */
void phrase_begin(struct phrase *p);

/* ---- phrase_look.c: the words ahead; lengths in raw tokens, 0 for none ---- */
int words_run(const struct phrase *p, int at);                  /* words from here to the next mark */
int words_inner(const struct phrase *p, int at);                /* a word that ends a run here */
int words_of_language(const struct phrase *p, int at, unsigned class, int *token);
int words_name(const struct phrase *p, int at, unsigned flags); /* the longest declared name */
int words_verb(const struct phrase *p, int at, sym *verb);
int words_anybody(const struct phrase *p, int at,
	int *token); /* nobody, somebody: who does what the verb says */
int words_numbered(const struct phrase *p, int at); /* "2nd strike" before what it does; else 1 */
int words_times(const struct phrase *p, int at,
	int64_t *many); /* twice, 3 times: at the end of an expectation */
int words_prep(const struct phrase *p, int at);                 /* one declared by an action's pattern */
int words_moment(const struct phrase *p, int at, sym *unit);    /* the unit in: surprise segment 1 */
int words_subject(struct phrase *p, int at);                    /* who does something, up to the verb */
bool words_verb_fits(const struct phrase *p, int at, int n);    /* can what follows stand behind a verb? */
bool words_measured(const struct phrase *p, int at, int n);
/* The words behind "is" name a condition, or something in a rule that holds one: victim is spell's
 * brings. */
bool words_state(const struct phrase *p, int at, bool timed);
bool words_shared(const struct phrase *p, int at);              /* the mark behind a field's value */
int words_settled(const struct phrase *p, int at);              /* another: `by highest ..` */
bool words_do(const struct phrase *p, int at);                  /* does, do, did */
bool words_article(const struct phrase *p, int at);

/* ---- phrase_words.c: everything inside a statement ---- */
void phrase_inside(struct phrase *p);

/* ---- report.c ---- */
void report_syntax(struct phrase *p, int unexpected, const int *expected, int n);
/* What is done is said, but not by whom. */
void report_nobody(struct phrase *p, struct span at, sym verb);
/* A header's { is missing behind the last token. */
void report_brace(struct phrase *p);
/* Somebody is named, and what he does is no verb: says so. */
void report_no_verb(struct phrase *p, struct span name);
/* What would fit next, in words: "a name or "when"". */
void report_wanted(struct phrase *p, struct buf *out);

/* ---- report_odds.c ---- */
/* A slip in a question of odds, when it is one. `whole`: what is expected of could end here. */
bool report_odds(struct phrase *p, int token, bool whole);
/* What odds are expected to come to is missing or told in other words, which raw token `at` shows. */
bool report_bound(struct phrase *p, int at);
/* A measure of odds tells a number in words. */
bool report_told(struct phrase *p);
/* A mark that the language does not use stands in a question: { .. } vs. { .. } */
bool report_odds_mark(struct phrase *p);
/* Whether raw token `at` is of an expectation of odds, and what they come to does not begin at `next`; or of a comparison of rules and nothing follows, or of a sweep and no braces do. */
bool report_lacks_bound(const struct phrase *p, int at, int next);

#endif
