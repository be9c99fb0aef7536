/* test_plane.c - runtime/base: lengths, places and moments in the plane, and the long numbers below them.
 *
 * Moments are judged by what they must be, not by how they are found: at the moment the two are within the gap, at the
 * fraction next before it (which Euclid gives) they are not. 128 bits hold that for small whole places. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/base/plane.h"
#include "runtime/base/wide.h"

__extension__ typedef __int128 longer;

static uint64_t rng_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static int64_t between(uint64_t *rng, int64_t low, int64_t high)
{
	return low + (int64_t)(rng_next(rng) % (uint64_t)(high - low + 1));
}

static word fraction(int64_t top, int64_t bottom)
{
	bool bad = false;
	word f = frac_make(top, bottom, &bad);
	assert_false(bad);
	return f;
}

/* ---- long numbers ---- */

static void is_longer(const struct wide *a, longer value)
{
	longer got = 0;
	assert_true(a->n <= 4);
	for (int i = a->n - 1; i >= 0; i--)
		got = got << 32 | a->limb[i];
	assert_true((a->sign < 0 ? -got : got) == value);
	assert_true((a->sign == 0) == (a->n == 0));
}

static void sums_and_products(void **state)
{
	(void)state;
	uint64_t rng = 1;
	for (int i = 0; i < 20000; i++) {
		int64_t x = (int64_t)(rng_next(&rng) >> between(&rng, 1, 63)) * (i & 1 ? 1 : -1), y = (int64_t)(rng_next(&rng) >> between(&rng, 1, 63)) * (i & 2 ? 1 : -1);
		struct wide a = wide_of(x), b = wide_of(y), r = wide_add(&a, &b);
		is_longer(&r, (longer)x + y);
		r = wide_sub(&a, &b);
		is_longer(&r, (longer)x - y);
		r = wide_mul(&a, &b);
		is_longer(&r, (longer)x * y);
		assert_int_equal(wide_compare(&a, &b), (x > y) - (x < y));
		uint32_t d = (uint32_t)between(&rng, 1, UINT32_MAX);
		longer product = (longer)x * y, size = product < 0 ? -product : product;
		assert_int_equal(wide_rest(&r, d), (uint32_t)(size % d));
		struct wide part = wide_part(&r, d);
		is_longer(&part, product / d);
	}
}

/* (a + b)(a - b) = a a - b b, past anything a machine word holds */
static void long_products_agree(void **state)
{
	(void)state;
	uint64_t rng = 2;
	for (int i = 0; i < 500; i++) {
		struct wide a = wide_of(1), b = wide_of(-1);
		for (int k = (int)between(&rng, 1, 15); k > 0; k--) {
			a = wide_times(&a, between(&rng, 1, INT64_MAX));
			b = wide_times(&b, between(&rng, -INT32_MAX, INT32_MAX) | 1);
		}
		struct wide sum = wide_add(&a, &b), difference = wide_sub(&a, &b), left = wide_mul(&sum, &difference);
		struct wide aa = wide_mul(&a, &a), bb = wide_mul(&b, &b), right = wide_sub(&aa, &bb);
		assert_int_equal(wide_compare(&left, &right), 0);
		right = wide_add(&right, &(struct wide){.sign = 1, .n = 1, .limb = {1}});
		assert_true(wide_compare(&left, &right) < 0);
	}
}

/* ---- lengths and places ---- */

static word straight(word x, word y, int64_t parts)
{
	bool bad = false;
	word v[] = {x, y, fraction(parts, 1)}, got = plane_straight(v, &bad);
	assert_false(bad);
	return got;
}

static void lengths(void **state)
{
	(void)state;
	uint64_t rng = 3;
	assert_true(straight(fraction(3, 1), fraction(-4, 1), 1) == fraction(5, 1));
	assert_true(straight(fraction(3, 5), fraction(4, 5), 7) == fraction(1, 1));
	assert_true(straight(fraction(0, 1), fraction(0, 1), 100) == fraction(0, 1));
	assert_true(straight(fraction(1, 1), fraction(1, 1), 1000) == fraction(1414, 1000));
	assert_true(straight(fraction(1, 1), fraction(1, 1), 1) == fraction(1, 1));
	for (int i = 0; i < 3000; i++) {
		int64_t x = between(&rng, -900, 900), y = between(&rng, -900, 900), d = between(&rng, 1, 60), parts = between(&rng, 1, 30000);
		word got = straight(fraction(x, d), fraction(y, d), parts);
		/* twice the length in parts lies within one of twice what came */
		longer k = (longer)frac_top(got) * parts / frac_bottom(got), square = 4 * ((longer)x * x + (longer)y * y) * parts * parts;
		assert_true((2 * k - 1) * (2 * k - 1) * d * d <= square || k == 0);
		assert_true((2 * k + 1) * (2 * k + 1) * d * d >= square);
	}
}

static void places_on_a_line(void **state)
{
	(void)state;
	uint64_t rng = 4;
	for (int i = 0; i < 3000; i++) {
		bool bad = false;
		int64_t d = between(&rng, 1, 40), t0 = between(&rng, 0, 40), t1 = t0 + between(&rng, 1, 40), t = between(&rng, 0, 80);
		int64_t a = between(&rng, -500, 500), b = between(&rng, -500, 500), parts = between(&rng, 1, 30000);
		word v[] = {fraction(t, d), fraction(t0, d), fraction(a, 7), fraction(t1, d), fraction(b, 7), fraction(parts, 1)}, got = plane_along(v, &bad);
		/* exact: (a (t1 - t) + b (t - t0)) / (7 (t1 - t0)) */
		longer top = (longer)a * (t1 - t) + (longer)b * (t - t0), bottom = (longer)7 * (t1 - t0);
		longer off = 2 * ((longer)frac_top(got) * bottom - top * frac_bottom(got)) * parts;
		assert_false(bad);
		assert_true((off < 0 ? -off : off) <= bottom * frac_bottom(got));
		assert_int_equal(parts % frac_bottom(got), 0);
	}
	bool bad = false;
	word still[] = {fraction(1, 2), fraction(1, 3), fraction(5, 2), fraction(1, 3), fraction(9, 1), fraction(4, 1)};
	assert_true(plane_along(still, &bad) == fraction(5, 2));
	assert_false(bad);
}

/* ---- moments ---- */

/* is one leg's walker, from (x0, y0) to (x1, y1) over the whole time, within g of the other's at p / q? */
static bool within(const int64_t *c, int64_t g, int64_t p, int64_t q)
{
	longer x = (longer)(c[0] - c[4]) * (q - p) + (longer)(c[2] - c[6]) * p, y = (longer)(c[1] - c[5]) * (q - p) + (longer)(c[3] - c[7]) * p;
	return x * x + y * y <= (longer)g * g * q * q;
}

/* the fraction next before p / q among those whose denominators fit */
static void next_before(int64_t p, int64_t q, int64_t *bp, int64_t *bq)
{
	int64_t a = q, b = p, x0 = 0, x1 = 1; /* b = x1 p, a = x0 p, modulo q */
	while (b > 0) {
		int64_t k = a / b, t = a - k * b;
		a = b;
		b = t;
		t = x0 - k * x1;
		x0 = x1;
		x1 = t;
	}
	int64_t inverse = ((x0 % q) + q) % q; /* p inverse = 1 (mod q) */
	*bq = inverse + (INT32_MAX - inverse) / q * q;
	*bp = (int64_t)(((longer)p * *bq - 1) / q);
}

static word meeting(const int64_t *c, int64_t g, word from)
{
	bool bad = false;
	word zero = fraction(0, 1), one = fraction(1, 1);
	word v[] = {fraction(g, 1), from, zero, fraction(c[0], 1), fraction(c[1], 1), one, fraction(c[2], 1), fraction(c[3], 1),
	            zero, fraction(c[4], 1), fraction(c[5], 1), one, fraction(c[6], 1), fraction(c[7], 1)};
	word got = plane_meeting(v, &bad);
	assert_false(bad);
	return got;
}

static void moments(void **state)
{
	(void)state;
	uint64_t rng = 5;
	int met = 0, never = 0, fractions = 0;
	for (int i = 0; i < 4000; i++) {
		int64_t c[8], g = between(&rng, 0, 6), q = between(&rng, 1, 9), p = between(&rng, 0, q / 2), bp, bq;
		for (int k = 0; k < 8; k++)
			c[k] = between(&rng, -15, 15);
		word from = fraction(p, q), at = meeting(c, g, from);
		if (at == NONE) {
			never++;
			for (int64_t k = 0; k <= 5040; k++)
				assert_false(k * q >= p * 5040 && within(c, g, k, 5040));
			continue;
		}
		met++;
		fractions += frac_bottom(at) < 100000;
		assert_true(within(c, g, frac_top(at), frac_bottom(at)));
		if (at == from)
			continue;
		assert_true(frac_compare(at, from) > 0);
		next_before(frac_top(at), frac_bottom(at), &bp, &bq);
		assert_true((longer)frac_top(at) * bq - (longer)bp * frac_bottom(at) == 1);
		assert_false(within(c, g, bp, bq));
	}
	assert_true(met > 500 && never > 500 && fractions > 20);
}

static void known_moments(void **state)
{
	(void)state;
	word zero = fraction(0, 1);
	/* along twelve, past one who stands 9 on and 3/5 beside: 41/60 in a scale of five */
	assert_true(meeting((int64_t[]){0, 0, 60, 0, 45, 3, 45, 3}, 5, zero) == fraction(41, 60));
	/* only touched, and just missed */
	assert_true(meeting((int64_t[]){0, 0, 12, 0, 9, 1, 9, 1}, 1, zero) == fraction(3, 4));
	assert_true(meeting((int64_t[]){0, 0, 1200, 0, 900, 101, 900, 101}, 100, zero) == NONE);
	/* side by side, neither nearer nor farther */
	assert_true(meeting((int64_t[]){0, 0, 9, 9, 2, 0, 11, 9}, 2, fraction(1, 7)) == fraction(1, 7));
	assert_true(meeting((int64_t[]){0, 0, 9, 9, 2, 1, 11, 10}, 2, fraction(1, 7)) == NONE);
	/* behind him by now */
	assert_true(meeting((int64_t[]){0, 0, 12, 0, 3, 0, 3, 0}, 1, fraction(1, 2)) == NONE);
}

/* Legs that begin and end at other moments: only while both last. */
static void legs_of_their_own_time(void **state)
{
	(void)state;
	bool bad = false;
	word f[PLANE_ARGUMENTS] = {fraction(1, 1), fraction(0, 1), fraction(1, 3), fraction(0, 1), fraction(0, 1), fraction(2, 3), fraction(6, 1), fraction(0, 1),
	                           fraction(1, 2), fraction(5, 1), fraction(0, 1), fraction(1, 1), fraction(5, 1), fraction(0, 1)};
	/* 18 a whole; at 4 when t = 1/3 + 4/18 */
	assert_true(plane_meeting(f, &bad) == fraction(5, 9));
	f[8] = fraction(3, 5); /* on his leg only from there; the one is at 24/5 then */
	assert_true(plane_meeting(f, &bad) == fraction(3, 5));
	f[8] = fraction(2, 3);
	assert_true(plane_meeting(f, &bad) == fraction(2, 3));
	f[8] = fraction(5, 7);
	assert_true(plane_meeting(f, &bad) == NONE);
	assert_false(bad);
	f[3] = NONE;
	assert_true(plane_meeting(f, &bad) == NONE);
	f[3] = fraction(0, 1);
	f[8] = fraction(1, 2);
	f[5] = f[11] = fraction(3, 2);
	(void)plane_meeting(f, &bad);
	assert_true(bad);
}

/* The order of two moments that differ by very little is what it is, and what is equal stays equal. */
static void order_is_kept(void **state)
{
	(void)state;
	uint64_t rng = 6;
	for (int i = 0; i < 300; i++) {
		int64_t c[8] = {0, 0, between(&rng, 5, 30000), 0, 0, 0, 0, 0}, d[8];
		c[4] = c[6] = between(&rng, 5, c[2]);
		c[5] = c[7] = between(&rng, -2, 2);
		for (int k = 0; k < 8; k++)
			d[k] = k & 1 ? -c[k] : c[k];
		word one = meeting(c, 3, fraction(0, 1));
		assert_true(one == meeting(d, 3, fraction(0, 1)));
		d[4] = d[6] = c[4] + 1;
		d[2] = c[2] + 1;
		word other = meeting(d, 3, fraction(0, 1));
		/* sqrt(9 - y y) is the same for both: (x - s) / l against (x + 1 - s) / (l + 1) */
		assert_true(one == NONE || other == NONE || frac_compare(one, other) < 0 || c[4] - 1 > c[2]);
	}
}

static void no_whole_number_of_parts(void **state)
{
	(void)state;
	bool bad = false;
	(void)plane_straight((word[]){fraction(1, 1), fraction(1, 1), fraction(1, 2)}, &bad);
	assert_true(bad);
	bad = false;
	(void)plane_along((word[]){fraction(1, 1), fraction(0, 1), fraction(1, 1), fraction(1, 1), fraction(1, 1), fraction(0, 1)}, &bad);
	assert_true(bad);
	bad = false;
	(void)plane_straight((word[]){fraction(INT32_MAX, 1), fraction(INT32_MAX, 1), fraction(1, 1)}, &bad);
	assert_true(bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_and_products),
		cmocka_unit_test(long_products_agree),
		cmocka_unit_test(lengths),
		cmocka_unit_test(places_on_a_line),
		cmocka_unit_test(moments),
		cmocka_unit_test(known_moments),
		cmocka_unit_test(legs_of_their_own_time),
		cmocka_unit_test(order_is_kept),
		cmocka_unit_test(no_whole_number_of_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
