/* show.h - values in the referee's words, for whatever prints: stories, JSON, why, dis.
 *
 * Every function appends to `out` and copes with any word: an index that names nothing is
 * printed as a number with a question mark, so a damaged program can still be looked at.
 * program_value and program_print are in program.h. */
#ifndef FRAY_CODE_SHOW_H
#define FRAY_CODE_SHOW_H

#include "runtime/base/buf.h"
#include "runtime/code/program.h"

/* "segment 4", "segment 4 1/2", "segment 2 of the next round": a time as a moment of the
 * round that began at `start`, in the unit the story counts in. False, and nothing is
 * added, when no unit is shown or a time is unset. */
bool program_moment(const struct program *p, word time, word start, struct buf *out);
/* The whole number of shown units from `start` to `time`, rounded up: below one for what comes before;
 * false when there is none. */
bool program_column(const struct program *p, word time, word start, int64_t *out);
/* How many shown units a round has, 0 when that cannot be said. */
int64_t program_columns(const struct program *p);

/* "Bruna", "party", "the encounter"; "Bruna's", "orcs'". */
void program_live(const struct program *p, int kind, word index, struct buf *out);
void program_owner(const struct program *p, int kind, word index, struct buf *out);
/* A list of that type as it stands in a live field: a count, then the members. */
void program_list(const struct program *p, struct vtype type, const word *list, int64_t capacity, struct buf *out);
/* "osric: initiative segment (3)"; "" for -1. Of a citation that goes on with what it says,
 * "3: the die shows ..", only the place is given. */
void program_cite(const struct program *p, int clause, struct buf *out);
/* After a value was put at `at`: "a" before it becomes "an" where it begins with a vowel. */
void program_article(struct buf *out, size_t at);
/* Text behind a number of 1 that was put at `at` in `out`: " levels" is " level". */
void program_agree(struct buf *out, size_t at, const char *text);
/* Template text with its values put in: pieces' texts and values in turn. */
void program_fill(const struct program *p, int template, const word *values, struct buf *out);
/* "number", "set of combatant", "spell" */
void program_type(const struct program *p, struct vtype type, struct buf *out);
/* True if a word can be read as a fraction at all: what a damaged program holds may not be. */
bool frac_sound(word v);
/* Words a value of this type takes. */
int program_type_words(const struct program *p, struct vtype type);
/* The plural of a unit or a kind: "segments", "inches"; abbreviations stay as they are. */
void plural_add(const char *name, struct buf *out);
/* "wolves", "spearmen", "harpies": an English plural by another rule. False: it has none. */
bool plural_irregular(const char *name, struct buf *out);
/* Does a name read as several ("orcs", not "party" or "Boss"), so that they win and not he wins? */
bool plural_is(const char *name);
/* An action's name as somebody does it: "attacks", "falls back", "carries out". */
void verb_add(const char *name, struct buf *out);

#endif
