/* formula.h - die formulas: 3d6+1, 4d6kh3, 2d20kl1, d%, 6d6!, 4d6r1.
 *
 *   [count] d sides|% { kh|kl|dh|dl n | ! | r n } [+n | -n]
 *
 * kh/kl keep the n highest or lowest faces, dh/dl drop them. ! rolls one more die for each
 * highest face, extra dice included, DICE_EXTRA extra dice at most in all. r n rolls a face
 * of n or less again, once; the face it showed first is forgotten. A pool that explodes
 * neither keeps nor drops: which of its dice "4" would count is anybody's guess. */
#ifndef FRAY_DICE_FORMULA_H
#define FRAY_DICE_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/diag.h"

enum { DICE_COUNT_MAX = 1000, DICE_SIDES_MAX = 10000, DICE_ADD_MAX = 1000000, DICE_EXTRA = 100 };
enum dice_keep { KEEP_ALL, KEEP_HIGH, KEEP_LOW };

struct dice {
	int count, sides;
	int keep;          /* how many count, when how is not KEEP_ALL */
	enum dice_keep how;
	bool explode;
	int reroll;        /* faces up to this are rolled again once; 0: none */
	int add;
};

enum dice_error { DICE_OK, DICE_NOT, DICE_NO_DICE, DICE_NO_SIDES, DICE_TOO_MANY, DICE_TOO_BIG, DICE_KEEP, DICE_REROLL, DICE_PICK };

/* On an error *out is 1d0 and must not be rolled. */
enum dice_error dice_parse(const char *text, size_t length, struct dice *out);
/* The message that says what is wrong; its argument is the formula as written. Not for DICE_OK. */
enum message dice_message(enum dice_error e);
/* The formula in its shortest form; reading that gives the same dice. */
void dice_print(const struct dice *d, struct buf *out);

/* All fall once and count as they are? */
static inline bool dice_plain(const struct dice *d)
{
	return d->how == KEEP_ALL && !d->explode && d->reroll <= 0;
}
/* How many faces count towards the total (extra dice aside). */
int dice_kept(const struct dice *d);
/* The least and most total (exploding dice: with every extra die spent). */
void dice_range(const struct dice *d, int *least, int *most);
/* Can the total come up? Not everything in the range can: d6! is never 6. */
bool dice_can_show(const struct dice *d, int64_t total);
/* Can these faces lie on the table, in any order? Rerolled faces are not among them. */
bool dice_can_fall(const struct dice *d, const int16_t *face, int faces);

#endif
