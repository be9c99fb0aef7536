/* intern.h - text <-> 32-bit symbol.
 *
 * Names in Fray are runs of words; "Orc Chief" and "orc chief" are the same name.
 * A symbol stands for a name folded to lower case with single blanks; the first
 * spelling met is kept for printing. Symbol 0 is "no name". */
#ifndef FRAY_BASE_INTERN_H
#define FRAY_BASE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t sym;

struct intern;

struct intern *intern_new(void);
void intern_free(struct intern *t);

/* The symbol of a name; case is folded (ASCII) and runs of blanks become one. */
sym intern_put(struct intern *t, const char *text, size_t length);
sym intern_word(struct intern *t, const char *text); /* NUL-terminated */
/* The same, told from now on as it is spelled here. */
sym intern_spelt(struct intern *t, const char *text, size_t length);
/* The symbol if the name was ever interned, else 0. */
sym intern_find(const struct intern *t, const char *text, size_t length);
/* The spelling first met; borrowed, valid until intern_free. "" for 0. */
const char *intern_text(const struct intern *t, sym s);
/* The folded spelling; borrowed, valid until intern_free. */
const char *intern_folded(const struct intern *t, sym s);
/* From now on the word `from` is another spelling of the word `to`: names with the one are those with the other. False:
 * they are not words of letters alone. */
bool intern_spelling(struct intern *t, const char *from, const char *to);
/* The symbol that s counts as: of a word met before another spelling of it was known, that of the word. */
sym intern_first(const struct intern *t, sym s);
/* How many such there are, and the words of each: `from`, and *as. */
int intern_spellings(const struct intern *t);
const char *intern_spelled(const struct intern *t, int i, const char **as);
/* Number of symbols so far, 0 included: symbols are 0 .. count-1. */
uint32_t intern_count(const struct intern *t);

#endif
