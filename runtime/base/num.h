/* num.h - the numbers of the language: checked whole numbers and exact fractions.
 *
 * A word is an int64. NONE, the "unset" value, is INT64_MIN and is never the result of
 * arithmetic: operations on NONE give NONE; what overflows is reported through *bad.
 * A fraction is packed in one word as two 32-bit halves, numerator above denominator,
 * lowest terms, denominator > 0. So equal values are equal words. */
#ifndef FRAY_BASE_NUM_H
#define FRAY_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t word;

#define NONE INT64_MIN

enum rounding { ROUND_UP, ROUND_DOWN, ROUND_NEAREST }; /* nearest: halves away from zero */

/* "2nd", "second" at the front of a text: how many bytes it takes, or 0; words up to "tenth". */
size_t ordinal_read(const char *text, int64_t *number);

/* Whole numbers. On overflow *bad is set and 0 returned. */
word num_add(word a, word b, bool *bad);
word num_sub(word a, word b, bool *bad);
word num_mul(word a, word b, bool *bad);

/* Fractions. frac_make reduces; a denominator of 0 or a result that does not fit sets *bad. */
word frac_make(int64_t numerator, int64_t denominator, bool *bad);
word frac_of(word whole, bool *bad);
int64_t frac_top(word f);
int64_t frac_bottom(word f);
word frac_add(word a, word b, bool *bad);
word frac_sub(word a, word b, bool *bad);
word frac_mul(word a, word b, bool *bad);
word frac_div(word a, word b, bool *bad); /* by zero: *bad */
/* <0, 0, >0; neither operand may be NONE */
int frac_compare(word a, word b);
/* The whole number a fraction rounds to; "up" is toward +infinity. NONE stays NONE. */
word frac_round(word f, enum rounding how);

#endif
