/* phrase.h - the parser's state: the phraser feeds it tokens, the grammar builds the tree. */
#ifndef FRAY_FRONT_PHRASE_H
#define FRAY_FRONT_PHRASE_H

#include "lang/front/front.h"
#include "lang/read/lexicon.h"

struct list { struct node *head, *tail; };

/* What a token carries: a name, a text, a number. */
struct word_value { sym name, name2; const char *text; int64_t num, den; };

struct parse {
	struct front *front;
	uint16_t file;
	struct list units;       /* finished top-level nodes */
	bool prompt;             /* commands of the prompt are allowed */
	bool error;              /* a syntax error was met in the unit being read */
	int errors;
	struct span last_error;
	int depth;
	const char *awaits;
	const char *shown;       /* the text of the token at hand */
	size_t shown_length;
};

/* Tokens to the parser; defined with the grammar. */
struct fray_pstate;
struct fray_pstate *parser_new(void);
void parser_free(struct fray_pstate *ps);
/* 0: more, 1: accepted, 2: failed for good */
int parser_push(struct fray_pstate *ps, struct parse *p, int token, struct word_value *value, struct span at);
bool parser_accepts(struct fray_pstate *ps, int token);
int parser_expected(struct fray_pstate *ps, int *tokens, int most);
const char *parser_token_name(int symbol);

/* One file or one prompt unit through phraser and parser. `open` tells how many braces were
 * left open and where the last one stands. */
struct phrase_end { int open; struct span opened; bool complete; bool in_parens; int expected[64]; int expecteds; };
void phrase_run(struct parse *p, const struct raw *tokens, int n, bool finish, struct phrase_end *end);

#endif
