/* lexicon.h - the names a program declares, known before anything is parsed.
 *
 * Free names of several words are told from the words of the language by one rule: the
 * longest declared name wins. So names are collected over the raw tokens of all files first:
 * after `weapon`, `rule`, `let`, .., before every `:`, and every action and event as a verb. */
#ifndef FRAY_FRONT_LEXICON_H
#define FRAY_FRONT_LEXICON_H

#include "lang/read/scan.h"
#include "runtime/base/intern.h"

enum { LEX_NAME = 1, LEX_VERB = 2, LEX_KIND = 4, LEX_UNIT = 8, LEX_EVENT = 16 };
enum { NAME_WORDS = 10, FRAY_WORD_MAX = 256 };

struct lexicon;

struct lexicon *lexicon_new(struct intern *names);
void lexicon_free(struct lexicon *l);
/* Learns the names that raw tokens declare. */
void lexicon_learn(struct lexicon *l, const char *text, const struct raw *tokens, int n);
int lexicon_flags(const struct lexicon *l, sym name);
sym lexicon_verb(const struct lexicon *l, sym word); /* "attacks" -> attack; 0 if no verb */
/* Words i.. of the tokens joined: the symbol if such a name was ever met, else 0. */
sym lexicon_join(const struct lexicon *l, const char *text, const struct raw *tokens, int i, int words);
/* How many words the longest declared name (of the given sorts) at i has; 0: none. */
int lexicon_longest(const struct lexicon *l, const char *text, const struct raw *tokens, int i, int n, int flags);
/* Every declared name, for completion. */
void lexicon_each(const struct lexicon *l, void (*offer)(void *context, sym name, int flags), void *context);

#endif
