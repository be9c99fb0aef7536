/* lexicon.h - every declared name, as a trie of words.
 *
 * A name is a run of words; what a run is (a thing, a verb, a unit, a rule's name ..) are
 * flags on the trie's node where it ends. One walk finds the longest name at a place, in
 * steps of one hash look-up a word. The language's own words stand in a second trie of the
 * same sort, and the names of the user's files in a third: the library is read without them,
 * so whatever a script calls somebody cuts no line of a rule. The lexicon owns its memory;
 * texts belong to the table of symbols. */
#ifndef FRAY_FRONT_LEXICON_H
#define FRAY_FRONT_LEXICON_H

#include <stdbool.h>

#include "lang/front/raw.h"

enum lex_flag {
	LEX_NAME = 1,      /* anything that may be named */
	LEX_KIND = 2,      /* a kind; to = its singular */
	LEX_VERB = 4,      /* a form of an action or event; to = the action */
	LEX_UNIT = 8,      /* a unit or its plural; to = the unit */
	LEX_RULE = 16,     /* a rule's name */
	LEX_ALIAS = 32,    /* stands for another name; to = that name */
	LEX_PREP = 64,     /* joins a part to a verb, by some action's pattern */
	LEX_CARRIER = 128, /* a verb whose "to" is followed by another act */
	LEX_LABEL = 256,   /* of a die or a choice */
	LEX_QUOTED = 512,  /* declared in quotes */
	LEX_FIELD = 1024,
	LEX_PLURAL = 2048, /* of a thing */
	LEX_WORD = 4096,   /* a word of the language; second trie only */
	LEX_ACTION = 8192, /* a verb that somebody can be told to do */
	LEX_TITLE = 16384, /* of an encounter: a name only where one is named */
	LEX_STATE = 32768, /* of a condition */
	LEX_CALLED = LEX_NAME | LEX_RULE | LEX_LABEL | LEX_FIELD | LEX_ALIAS | LEX_PLURAL
};

/* LEX_NAMES asks for LEX_OWN as well, unless a text of the library is read. */
enum lex_root { LEX_NAMES, LEX_WORDS, LEX_OWN, LEX_ROOTS };

struct lex_entry {
	unsigned flags;
	sym text;         /* the whole name */
	sym verb, kind, unit, alias;
	int word;         /* LEX_WORD: row of words.def */
};

struct lexicon;

struct lexicon *lexicon_new(struct intern *names);
struct lexicon *lexicon_copy(const struct lexicon *l);
/* Whether a copy is still like the other. */
bool lexicon_same(const struct lexicon *a, const struct lexicon *b);
void lexicon_free(struct lexicon *l);
/* Whether a text of the library is read: its names are all that is known then, and it declares
 * what is added. Returns what was so before; a new lexicon reads the user's. */
bool lexicon_library(struct lexicon *l, bool library);

/* Adds a run of words under some flags; `text` is the whole name. The entry is valid until
 * the next add. */
struct lex_entry *lexicon_add(struct lexicon *l, enum lex_root root, const sym *word, int n, sym text, unsigned flags);
/* The same for words in one text, separated by single blanks. */
struct lex_entry *lexicon_add_text(struct lexicon *l, enum lex_root root, const char *text, unsigned flags);
/* Adds a verb in its forms: attack, attacks; set weapon, sets weapon. */
void lexicon_add_verb(struct lexicon *l, const sym *word, int n, sym text, unsigned more);

/* How many of the raw tokens at `at` (at most `most`) make the longest run with one of the
 * flags; 0 for none. *found is its entry. */
int lexicon_match(const struct lexicon *l, enum lex_root root, const struct raw *at, int most, unsigned flags, const struct lex_entry **found);
/* The entry of a whole name that has one of the flags; NULL when there is none. */
const struct lex_entry *lexicon_find(const struct lexicon *l, sym text, unsigned flags);
/* The action or event that a verb entry means, through aliases; 0 when it is none. */
sym lexicon_verb(const struct lexicon *l, const struct lex_entry *e);
/* An action as one does it: "attacks". */
const char *lexicon_does(const struct lexicon *l, const struct intern *names, sym verb);
/* "pies" -> "pie" and so on: the regular plural of a text, or of its last word. */
void lexicon_plural(struct buf *out, const char *text);

/* All entries in the order of declaration. */
int lexicon_count(const struct lexicon *l);
const struct lex_entry *lexicon_entry(const struct lexicon *l, int i);

#endif
