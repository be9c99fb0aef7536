/* num.c - checked whole numbers and exact fractions.
 *
 * Fraction word:   [ numerator, int32 | denominator, 1 .. INT32_MAX ]
 *
 * NONE has a zero in the lower half, so no fraction equals it. What does not fit sets
 * *bad and gives 0 (for fractions: 0/1); *bad is never cleared, so one test at the end
 * of a calculation is enough. Halves are 32 bits: products and sums of two products
 * stay inside 64. */
#include "runtime/base/num.h"

#include <ctype.h>
#include <string.h>

#include "runtime/base/must.h"

size_t ordinal_read(const char *text, int64_t *number)
{
	static const char *const spelt[] = {"first", "second", "third", "fourth", "fifth", "sixth",
		"seventh", "eighth", "ninth", "tenth"};
	size_t n = 0;
	for (*number = 0; n < 4 && isdigit((unsigned char)text[n]); n++)
		*number = *number * 10 + (text[n] - '0');
	if (n) {
		const bool ending = !strncmp(text + n, "st", 2) || !strncmp(text + n, "nd", 2) ||
			!strncmp(text + n, "rd", 2) || !strncmp(text + n, "th", 2);
		if (ending && !isalnum((unsigned char)text[n + 2]))
			return n + 2;
	}
	for (size_t i = 0; i < sizeof spelt / sizeof *spelt; i++) {
		n = strlen(spelt[i]);
		*number = (int64_t)i + 1;
		if (!strncmp(text, spelt[i], n) && !isalnum((unsigned char)text[n]))
			return n;
	}
	*number = 0;
	return 0;
}

/* INT64_MIN is a fine int64 but means "unset" here, so it overflows too. */
static word whole_or_bad(bool overflow, word result, bool *bad)
{
	if (overflow || result == NONE) {
		*bad = true;
		return 0;
	}
	return result;
}

word num_add(word a, word b, bool *bad)
{
	bool overflow;
	word r;
	if (a == NONE || b == NONE)
		return NONE;
	overflow = __builtin_add_overflow(a, b, &r);
	return whole_or_bad(overflow, r, bad);
}

word num_sub(word a, word b, bool *bad)
{
	bool overflow;
	word r;
	if (a == NONE || b == NONE)
		return NONE;
	overflow = __builtin_sub_overflow(a, b, &r);
	return whole_or_bad(overflow, r, bad);
}

word num_mul(word a, word b, bool *bad)
{
	bool overflow;
	word r;
	if (a == NONE || b == NONE)
		return NONE;
	overflow = __builtin_mul_overflow(a, b, &r);
	return whole_or_bad(overflow, r, bad);
}

static word pack(int64_t top, int64_t bottom)
{
	return (word)((uint64_t)top << 32 | (uint32_t)bottom);
}

static int64_t gcd(int64_t a, int64_t b)
{
	while (b) {
		int64_t t = a % b;
		a = b;
		b = t;
	}
	return a;
}

word frac_make(int64_t numerator, int64_t denominator, bool *bad)
{
	int64_t common;

	if (numerator == NONE || denominator == NONE)
		return NONE;
	if (denominator == 0) {
		*bad = true;
		return pack(0, 1);
	}
	if (denominator < 0) {
		numerator = -numerator;
		denominator = -denominator;
	}
	common = gcd(numerator < 0 ? -numerator : numerator, denominator);
	numerator /= common;
	denominator /= common;
	if (numerator < INT32_MIN || numerator > INT32_MAX || denominator > INT32_MAX) {
		*bad = true;
		return pack(0, 1);
	}
	return pack(numerator, denominator);
}

word frac_of(word whole, bool *bad)
{
	return frac_make(whole, 1, bad);
}

int64_t frac_top(word f)
{
	return f == NONE ? NONE : f >> 32;
}

int64_t frac_bottom(word f)
{
	must(f == NONE || (int32_t)(uint32_t)f > 0);
	return f == NONE ? NONE : (int64_t)(uint32_t)f;
}

word frac_add(word a, word b, bool *bad)
{
	if (a == NONE || b == NONE)
		return NONE;
	return frac_make(frac_top(a) * frac_bottom(b) + frac_top(b) * frac_bottom(a), frac_bottom(a) * frac_bottom(b), bad);
}

word frac_sub(word a, word b, bool *bad)
{
	if (a == NONE || b == NONE)
		return NONE;
	return frac_make(frac_top(a) * frac_bottom(b) - frac_top(b) * frac_bottom(a), frac_bottom(a) * frac_bottom(b), bad);
}

word frac_mul(word a, word b, bool *bad)
{
	if (a == NONE || b == NONE)
		return NONE;
	return frac_make(frac_top(a) * frac_top(b), frac_bottom(a) * frac_bottom(b), bad);
}

word frac_div(word a, word b, bool *bad)
{
	if (a == NONE || b == NONE)
		return NONE;
	return frac_make(frac_top(a) * frac_bottom(b), frac_bottom(a) * frac_top(b), bad);
}

int frac_compare(word a, word b)
{
	int64_t left, right;

	must(a != NONE && b != NONE);
	left = frac_top(a) * frac_bottom(b);
	right = frac_top(b) * frac_bottom(a);
	return (left > right) - (left < right);
}

word frac_round(word f, enum rounding how)
{
	int64_t n, d, floor, rest;

	if (f == NONE)
		return NONE;
	n = frac_top(f);
	d = frac_bottom(f);
	floor = n / d - (n % d < 0);
	rest = n - floor * d; /* 0 .. d-1 */
	switch (how) {
	case ROUND_DOWN:
		return floor;
	case ROUND_UP:
		return floor + (rest > 0);
	case ROUND_NEAREST:
		return floor + (2 * rest > d || (2 * rest == d && n > 0));
	}
	unreachable();
}
