/* test_dice.c - runtime/dice: formulas, the seeded dice, the sources and exact distributions.
 *
 * The seeded dice are tried with chi-square tests on fixed seeds: each either passes for ever
 * or fails for ever; the threshold is a probability of one in a million. Distributions are
 * compared with listing every fall of a small pool, with a die-by-die count for exploding
 * ones, and with the seeded dice themselves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/dice/dice.h"
#include "runtime/dice/dist.h"
#include "runtime/dice/draws.h"

static struct dice formula(const char *text)
{
	struct dice d;
	enum dice_error e = dice_parse(text, strlen(text), &d);
	if (e != DICE_OK)
		fail_msg("%s is refused: %d", text, (int)e);
	return d;
}

static const char *name_of(void *context)
{
	return context ? context : "Bruna's attack roll";
}

static struct dice_ask ask_for(const struct dice *d, uint64_t label)
{
	return (struct dice_ask){.seed = 11, .trial = 0, .label = label, .dice = d, .num = 1, .den = 3, .name = name_of};
}

/* ---- formulas ---- */

static void test_formulas(void **state)
{
	static const struct { const char *text; struct dice d; int least, most; const char *shortest; } row[] = {
		{"d6", {1, 6, 0, KEEP_ALL, false, 0, 0}, 1, 6, "d6"},
		{"1d1", {1, 1, 0, KEEP_ALL, false, 0, 0}, 1, 1, "d1"},
		{"3D6+1", {3, 6, 0, KEEP_ALL, false, 0, 1}, 4, 19, "3d6+1"},
		{"2d4-5", {2, 4, 0, KEEP_ALL, false, 0, -5}, -3, 3, "2d4-5"},
		{"d%", {1, 100, 0, KEEP_ALL, false, 0, 0}, 1, 100, "d100"},
		{"4d6kh3", {4, 6, 3, KEEP_HIGH, false, 0, 0}, 3, 18, "4d6kh3"},
		{"2d20kl1", {2, 20, 1, KEEP_LOW, false, 0, 0}, 1, 20, "2d20kl1"},
		{"5d6dh1", {5, 6, 4, KEEP_LOW, false, 0, 0}, 4, 24, "5d6kl4"},
		{"4d6dl1+2", {4, 6, 3, KEEP_HIGH, false, 0, 2}, 5, 20, "4d6kh3+2"},
		{"4d6kh4", {4, 6, 0, KEEP_ALL, false, 0, 0}, 4, 24, "4d6"},
		{"6d6!", {6, 6, 0, KEEP_ALL, true, 0, 0}, 6, 636, "6d6!"},
		{"4d6r1kh3", {4, 6, 3, KEEP_HIGH, false, 1, 0}, 3, 18, "4d6kh3r1"},
		{"2d6!r2-1", {2, 6, 0, KEEP_ALL, true, 2, -1}, 1, 611, "2d6!r2-1"},
		{"1000d10000+1000000", {1000, 10000, 0, KEEP_ALL, false, 0, 1000000}, 1001000, 11000000, "1000d10000+1000000"},
	};
	(void)state;
	for (size_t i = 0; i < FRAY_COUNT(row); i++) {
		struct dice d = formula(row[i].text);
		struct buf b = {0};
		int least, most;
		assert_memory_equal(&d, &row[i].d, sizeof d);
		dice_range(&d, &least, &most);
		assert_int_equal(least, row[i].least);
		assert_int_equal(most, row[i].most);
		dice_print(&d, &b);
		assert_string_equal(buf_text(&b), row[i].shortest);
		buf_free(&b);
	}
}

static void test_round_trip(void **state)
{
	uint32_t draw = 0;
	(void)state;
	for (int i = 0; i < 20000; i++) {
#define PICK(n) (seeded_face(5, (uint64_t)i, 0, 0, draw++ % 4096, (n)) - 1)
		struct dice d = {.count = 1}, back;
		struct buf b = {0};
		d.count += PICK(i % 3 ? 9 : 1000);
		d.sides = 2 + PICK(i % 5 ? 20 : 9999);
		if (PICK(3) == 0 && d.count > 1) {
			d.how = PICK(2) ? KEEP_HIGH : KEEP_LOW;
			d.keep = 1 + PICK(d.count - 1);
		} else if (PICK(3) == 0) {
			d.explode = true;
		}
		if (PICK(3) == 0)
			d.reroll = 1 + PICK(d.sides - 1);
		if (PICK(2))
			d.add = PICK(2000001) - 1000000;
#undef PICK
		dice_print(&d, &b);
		assert_int_equal(dice_parse(buf_text(&b), b.length, &back), DICE_OK);
		assert_memory_equal(&d, &back, sizeof d);
		buf_free(&b);
	}
}

static void test_refused(void **state)
{
	static const struct { const char *text; enum dice_error e; const char *code; } row[] = {
		{"", DICE_NOT, "F0340"}, {"6", DICE_NOT, "F0340"}, {"d", DICE_NOT, "F0340"}, {"3d", DICE_NOT, "F0340"},
		{"d6+", DICE_NOT, "F0340"}, {"d6 ", DICE_NOT, "F0340"}, {"d6x", DICE_NOT, "F0340"}, {"d6+1+1", DICE_NOT, "F0340"},
		{"d6+1!", DICE_NOT, "F0340"}, {"4d6k3", DICE_NOT, "F0340"}, {"4d6kh", DICE_NOT, "F0340"}, {"d6!!", DICE_NOT, "F0340"},
		{"4d6kh3kl1", DICE_NOT, "F0340"}, {"4d6kh4kl1", DICE_NOT, "F0340"}, {"d6r", DICE_NOT, "F0340"}, {"d6r1r1", DICE_NOT, "F0340"},
		{"-1d6", DICE_NOT, "F0340"}, {"+d6", DICE_NOT, "F0340"}, {"d-6", DICE_NOT, "F0340"}, {"d6\xff", DICE_NOT, "F0340"},
		{"0d6", DICE_NO_DICE, "F0341"}, {"000d6", DICE_NO_DICE, "F0341"},
		{"d0", DICE_NO_SIDES, "F0342"}, {"4d0kh9", DICE_NO_SIDES, "F0342"},
		{"4d6kh9", DICE_KEEP, "F0343"}, {"4d6kh0", DICE_KEEP, "F0343"}, {"4d6dl4", DICE_KEEP, "F0343"},
		{"4d6kh9999999999999999999", DICE_KEEP, "F0343"},
		{"d6r6", DICE_REROLL, "F0344"}, {"d6r0", DICE_REROLL, "F0344"}, {"d1!", DICE_REROLL, "F0344"}, {"d6r99999999999", DICE_REROLL, "F0344"},
		{"4d6!kh3", DICE_PICK, "F0345"}, {"4d6dl1!", DICE_PICK, "F0345"},
		{"1001d6", DICE_TOO_MANY, "F0740"}, {"9999999999999d6", DICE_TOO_MANY, "F0740"}, {"100000d1000000", DICE_TOO_MANY, "F0740"},
		{"d10001", DICE_TOO_BIG, "F0741"}, {"d4294967302", DICE_TOO_BIG, "F0741"}, {"d6+1000001", DICE_TOO_BIG, "F0741"},
		{"d6-99999999999999999999", DICE_TOO_BIG, "F0741"},
	};
	(void)state;
	for (size_t i = 0; i < FRAY_COUNT(row); i++) {
		struct dice d;
		enum dice_error e = dice_parse(row[i].text, strlen(row[i].text), &d);
		if (e != row[i].e)
			fail_msg("\"%s\" gives %d, not %d", row[i].text, (int)e, (int)row[i].e);
		assert_string_equal(message_table[dice_message(e)].code, row[i].code);
	}
	/* every text is read to its end and no further */
	struct dice d;
	assert_int_equal(dice_parse("d6+1", 2, &d), DICE_OK);
	assert_int_equal(d.add, 0);
}

/* ---- the seeded dice ---- */

/* The chance that a chi-square of this many degrees is at least x: the upper incomplete gamma
 * function, by its series or its continued fraction. */
static double chi_square_tail(double x, int degrees)
{
	double a = degrees / 2.0, h = x / 2;
	if (h < a + 1) {
		double term = 1 / a, sum = term;
		for (int n = 1; n < 100000 && term > sum * 1e-15; n++) {
			term *= h / (a + n);
			sum += term;
		}
		return 1 - sum * exp(a * log(h) - h - lgamma(a));
	}
	double b = h + 1 - a, c = 1e300, d = 1 / b, f = d;
	for (int n = 1; n < 100000; n++) {
		double an = n * (a - n);
		b += 2;
		d = 1 / (an * d + b);
		c = b + an / c;
		f *= c * d;
		if (fabs(c * d - 1) < 1e-15)
			break;
	}
	return f * exp(a * log(h) - h - lgamma(a));
}

/* Both too bad and too good are suspicious. */
static void assert_fits(const uint32_t *seen, const double *expected, int cells, const char *what)
{
	double x = 0;
	for (int i = 0; i < cells; i++)
		x += (seen[i] - expected[i]) * (seen[i] - expected[i]) / expected[i];
	double tail = chi_square_tail(x, cells - 1);
	if (!(tail > 1e-6 && tail < 1 - 1e-6))
		fail_msg("%s: chi-square %g over %d cells, probability %g", what, x, cells, tail);
}

static void assert_even(const uint32_t *seen, int cells, double total, const char *what)
{
	double *expected = malloc((size_t)cells * sizeof *expected);
	for (int i = 0; i < cells; i++)
		expected[i] = total / cells;
	assert_fits(seen, expected, cells, what);
	free(expected);
}

static void test_chi_square_itself(void **state)
{
	(void)state;
	/* from printed tables: 5% and 0.1% points */
	assert_true(fabs(chi_square_tail(3.841459, 1) - 0.05) < 1e-6);
	assert_true(fabs(chi_square_tail(11.070498, 5) - 0.05) < 1e-6);
	assert_true(fabs(chi_square_tail(43.820196, 19) - 0.001) < 1e-6);
	assert_true(fabs(chi_square_tail(123.225221, 99) - 0.05) < 1e-6);
}

static void test_faces_even(void **state)
{
	/* of 2^16 pieces a face of the last size would own six or seven, were none drawn again */
	static const int size[] = {1, 2, 3, 4, 6, 8, 10, 12, 20, 100, 7, 1000, 10000};
	(void)state;
	for (size_t k = 0; k < FRAY_COUNT(size); k++) {
		int s = size[k];
		uint32_t *seen = calloc((size_t)s, sizeof *seen), *lone = calloc((size_t)s, sizeof *lone);
		for (uint64_t i = 0; i < 200000; i++) {
			int face = seeded_face(2024, i / 8, 77, (uint32_t)(i % 8 / 2), (uint32_t)(i % 2), s);
			assert_in_range(face, 1, s);
			seen[face - 1]++;
			face = seeded_lone(2024, i / 20, 77, (uint32_t)(i % 20), s);
			assert_in_range(face, 1, s);
			lone[face - 1]++;
		}
		if (s > 1) {
			assert_even(seen, s, 200000, "faces");
			assert_even(lone, s, 200000, "faces of lone dice");
		}
		free(seen);
		free(lone);
	}
}

enum step { STEP_SEED, STEP_TRIAL, STEP_LABEL, STEP_OCCURRENCE, STEP_DIE, STEP_SIDES, STEPS };

static int face_at(enum step step, uint64_t i, uint32_t by, int sides)
{
	uint64_t v[STEPS] = {3, 3, 3, 3, 3, 0};
	v[step] = i + by;
	return seeded_face(v[STEP_SEED], v[STEP_TRIAL], v[STEP_LABEL], (uint32_t)v[STEP_OCCURRENCE], (uint32_t)v[STEP_DIE], sides) - 1;
}

/* Neighbours along every part of the address do not know of each other. */
static void test_independence(void **state)
{
	static const int size[] = {6, 20};
	static const uint32_t apart[] = {1, 2, 4, 256};
	(void)state;
	for (int step = STEP_SEED; step <= STEP_DIE; step++)
		for (size_t k = 0; k < FRAY_COUNT(size); k++)
			for (size_t a = 0; a < FRAY_COUNT(apart); a++) {
				uint32_t seen[400] = {0};
				int s = size[k];
				for (uint64_t i = 0; i < 40000; i++)
					seen[face_at(step, i, 0, s) * s + face_at(step, i, apart[a], s)]++;
				assert_even(seen, s * s, 40000, "pairs");
			}
}

static int lone_at(enum step step, uint64_t i, uint32_t by, int sides)
{
	uint64_t v[STEPS] = {3, 3, 3, 3, 3, 0};
	v[step] = i + by;
	return seeded_lone(v[STEP_SEED], v[STEP_TRIAL], v[STEP_LABEL], (uint32_t)v[STEP_OCCURRENCE], sides) - 1;
}

/* The same of dice rolled by themselves: of pieces of one block and of blocks behind each other, of
 * several trials and labels. */
static void test_lone_independence(void **state)
{
	static const int size[] = {6, 20};
	static const uint32_t apart[] = {1, 2, 3, 4, 5, 8, 12, 15, 16, 17, 64, 256};
	(void)state;
	for (int step = STEP_SEED; step <= STEP_OCCURRENCE; step++)
		for (size_t k = 0; k < FRAY_COUNT(size); k++)
			for (size_t a = 0; a < FRAY_COUNT(apart); a++) {
				uint32_t seen[400] = {0};
				int s = size[k];
				for (uint64_t i = 0; i < 40000; i++)
					seen[lone_at(step, i, 0, s) * s + lone_at(step, i, apart[a], s)]++;
				assert_even(seen, s * s, 40000, "pairs of lone dice");
			}
}

/* A die of 2^13 faces shows the upper bits of its piece: of two pieces of a block each of them is alike in half of the
 * trials. And three dice of one block know nothing of each other. */
static void test_pieces(void **state)
{
	uint32_t alike[32] = {0}, three[216] = {0};
	double even[32];
	(void)state;
	for (uint64_t trial = 0; trial < 100000; trial++) {
		int a = seeded_lone(9, trial, 4, 5, 8192) - 1, b = seeded_lone(9, trial, 4, 6, 8192) - 1;
		for (int bit = 0; bit < 13; bit++)
			alike[bit] += (uint32_t)(~(a ^ b) >> bit & 1);
		int at = 0;
		for (uint32_t o = 0; o < 3; o++)
			at = at * 6 + seeded_lone(9, trial, 5, 8 + 3 * o, 6) - 1;
		three[at]++;
	}
	for (int bit = 0; bit < 13; bit++) {
		even[0] = even[1] = 50000;
		assert_fits((uint32_t[]){alike[bit], 100000 - alike[bit]}, even, 2, "a bit of two pieces");
	}
	assert_even(three, 216, 100000, "three lone dice");
}

/* The same occurrence of labels as they are made - a label's hash and an owner's - and a lone die beside the dice of a
 * roll of several, whose occurrence counts the same. */
static void test_owners_and_rolls(void **state)
{
	static const uint64_t label = 0x9ae16a3b2f90404full, owner[] = {0x1ull, 0x2ull, 0xc3a5c85c97cb3127ull, 0xc3a5c85c97cb3128ull};
	static uint32_t owners[4][400], rolls[8][400];
	(void)state;
	for (uint64_t i = 0; i < 40000; i++) {
		const uint64_t trial = i / 4;
		const uint32_t occurrence = (uint32_t)(i % 4) * 5;
		int lone = seeded_lone(1, trial, label, occurrence, 20) - 1;
		for (int o = 0; o < 4; o++)
			owners[o][lone * 20 + seeded_lone(1, trial, label ^ owner[o] * 0x9FB21C651E98DF25ull, occurrence, 20) - 1]++;
		for (uint32_t die = 0; die < 8; die++)
			rolls[die][lone * 20 + seeded_face(1, trial, label, occurrence, die, 20) - 1]++;
	}
	for (int o = 0; o < 4; o++)
		assert_even(owners[o], 400, 40000, "a label's owners");
	for (int die = 0; die < 8; die++)
		assert_even(rolls[die], 400, 40000, "a lone die and one of several");
}

/* Whatever block is at hand, a lone die shows what it has to; and no die of which a piece settles the face takes the long way. */
static void test_blocks_at_hand(void **state)
{
	static const int size[] = {1, 2, 6, 20, 100, 10000};
	struct draw_block b;
	int left = 0, n = 0;
	(void)state;
	draw_none(&b, 1);
	for (uint64_t i = 0; i < 60000; i++) {
		const uint64_t pick = (uint64_t)seeded_face(8, i, 0, 0, 0, 10000), trial = pick % 3 ? pick % 7 : UINT64_MAX - pick % 7;
		const uint32_t occurrence = pick % 5 ? (uint32_t)(pick / 10 % 40) : UINT32_MAX - (uint32_t)(pick / 10 % 40);
		const int sides = size[i % FRAY_COUNT(size)];
		if (!draw_has(&b, trial, occurrence))
			draw_fill(&b, 6, 12345, trial, occurrence);
		int64_t face = draw_face(&b, occurrence, (uint32_t)sides);
		n += sides <= 100;
		left += face < 0 && sides <= 100;
		if (face >= 0)
			assert_int_equal(face + 1, seeded_lone(6, trial, 12345, occurrence, sides));
	}
	assert_true(left > 0 && left < n / 1000);
}

/* The same of the blocks of many at hand, however many of them are made at once. */
static void test_everybody_at_hand(void **state)
{
	static const int size[] = {1, 2, 6, 20, 100, 10000};
	static const uint64_t words[] = {0, 1, 0x9E3779B97F4A7C15ull, UINT64_MAX, 77, (uint64_t)1 << 32, 0xffffffff};
	enum { LABELS = 3, OWNERS = 19 };
	(void)state;
	for (uint32_t at_once = 1; at_once <= DRAWS_MOST; at_once *= 2) {
		struct draws d;
		int settled = 0, n = 0;
		draws_open(&d, LABELS, OWNERS);
		if (at_once == 2 || at_once > d.at_once) { /* the processor cannot */
			draws_close(&d);
			continue;
		}
		d.at_once = at_once;
		for (uint64_t i = 0; i < LABELS; i++)
			d.label[i] = words[i + 1] * 31;
		for (uint64_t i = 0; i + 1 < OWNERS; i++)
			d.owner[i] = words[i % FRAY_COUNT(words)] ^ i << 40;
		for (uint64_t i = 0; i < 60000; i++) {
#define ANY(die, n) ((uint32_t)seeded_face(9, i, 0, 0, die, (n)) - 1)
			const uint32_t label = ANY(0, LABELS), owner = ANY(1, OWNERS), occurrence = ANY(2, 20) ? ANY(3, 40) : UINT32_MAX - ANY(3, 40);
			const int sides = size[i % FRAY_COUNT(size)];
			if (ANY(4, 200) == 0)
				draws_of(&d, words[ANY(5, 7)], words[ANY(6, 7)]);
			if (ANY(7, 400) == 0) /* no turn is left */
				d.turn = DRAWS_NEVER - ((uint64_t)1 << 32);
			if (!draws_has(&d, label, owner, occurrence))
				draws_fill(&d, label, owner, occurrence);
			assert_true(draws_has(&d, label, owner, occurrence));
			const int64_t face = draws_face(&d, label, owner, occurrence, (uint32_t)sides);
			n += sides <= 100;
			settled += face >= 0 && sides <= 100;
			if (face >= 0)
				assert_int_equal(face + 1, seeded_lone(d.seed, d.trial, d.label[label] ^ d.owner[owner], occurrence, sides));
			assert_int_equal(draws_face(&d, label, owner, occurrence, DRAW_UNSETTLED), -1);
			const uint32_t first = ANY(8, 2) ? 0 : occurrence;
			const int count = (int)ANY(9, SUM_MOST) + 1;
			assert_int_equal(draws_sum(&d, label, owner, first, count, sides, -3), seeded_sum(d.seed, d.trial, d.label[label] ^ d.owner[owner], first, count, sides, -3));
#undef ANY
		}
		assert_true(settled < n && settled > n - n / 1000);
		draws_close(&d);
	}
}

/* High halves of the address count as much as low ones. */
static void test_address_parts(void **state)
{
	int same[10] = {0}, n = 2000;
	(void)state;
	for (uint64_t i = 0; i < (uint64_t)n; i++) {
		int f = seeded_face(i, i, i, 5, 6, 100);
		same[0] += f == seeded_face(i + ((uint64_t)1 << 40), i, i, 5, 6, 100);
		same[1] += f == seeded_face(i, i + ((uint64_t)1 << 40), i, 5, 6, 100);
		same[2] += f == seeded_face(i, i, i + ((uint64_t)1 << 63), 5, 6, 100);
		same[3] += f == seeded_face(i, i, i, 5 + (1u << 31), 6, 100);
		same[4] += f == seeded_face(i, i, i, 5, 6 + 1024, 100);
		same[5] += f == seeded_face(i, i, i, 5, 6, 100);
		f = seeded_lone(i, i, i, 5, 100);
		same[6] += f == seeded_lone(i + ((uint64_t)1 << 40), i, i, 5, 100);
		same[7] += f == seeded_lone(i, i + ((uint64_t)1 << 40), i, 5, 100);
		same[8] += f == seeded_lone(i, i, i + ((uint64_t)1 << 63), 5, 100);
		same[9] += f == seeded_lone(i, i, i, 5 + (1u << 31), 100);
	}
	assert_int_equal(same[5], n);
	for (int k = 0; k < 10; k++) /* one in a hundred expected */
		if (k != 5)
			assert_in_range(same[k], 3, 60);
}

/* A saved fight replays on every machine: these faces change only when all seeds come to other fights (PART_FORMAT). They were
 * worked out with another implementation of the generator. */
static void test_faces_for_ever(void **state)
{
	static const int d20[] = {13, 10, 16, 12, 13, 14, 10, 17, 8, 2, 16, 20};
	static const int d6[] = {6, 6, 2, 1, 2, 3, 1, 4, 6, 1, 3, 6};
	static const int lone_d20[] = {17, 6, 19, 18, 6, 2, 9, 1, 5, 20, 10, 6};
	static const int lone_d10000[] = {8179, 5455, 3917, 9045, 3668, 481, 8925, 2027, 5904, 6147, 9829, 470};
	(void)state;
	for (uint32_t i = 0; i < FRAY_COUNT(d20); i++)
		assert_int_equal(seeded_face(1, 2, 3, 4, i, 20), d20[i]);
	for (uint32_t i = 0; i < FRAY_COUNT(d6); i++)
		assert_int_equal(seeded_face(UINT64_MAX, 0, 0x123456789abcdef0u, i, 0, 6), d6[i]);
	for (uint32_t i = 0; i < FRAY_COUNT(lone_d20); i++)
		assert_int_equal(seeded_lone(1, 2, 3, 10 + i, 20), lone_d20[i]);
	for (uint32_t i = 0; i < FRAY_COUNT(lone_d10000); i++)
		assert_int_equal(seeded_lone(UINT64_MAX, 0, 0x123456789abcdef0u, UINT32_MAX - 11 + i, 10000), lone_d10000[i]);
}

static void test_roll_is_faces(void **state)
{
	static struct dice_result r;
	struct dice d = formula("11d8+2");
	struct dice_ask ask = ask_for(&d, 42);
	(void)state;
	for (ask.occurrence = 0; ask.occurrence < 500; ask.occurrence++) {
		int64_t total = 2;
		assert_int_equal(dice_roll(NULL, &ask, &r), DICE_ANSWERED);
		assert_int_equal(r.kind, DICE_ROLLED);
		assert_int_equal(r.faces, 11);
		for (uint32_t i = 0; i < 11; i++) {
			int face = seeded_face(ask.seed, ask.trial, 42, ask.occurrence, i, 8);
			assert_int_equal(r.face[i], face);
			total += face;
		}
		assert_int_equal(r.total, total);
	}
}

/* One die with nothing to it is a lone one, whoever rolls it; any other roll has its own draws. */
static void test_roll_of_one(void **state)
{
	static struct dice_result r;
	struct dice d = formula("d8+2"), again = formula("d8r1"), two = formula("2d8");
	struct dice_ask ask = ask_for(&d, 42);
	(void)state;
	for (ask.occurrence = 0; ask.occurrence < 500; ask.occurrence++) {
		const int lone = seeded_lone(ask.seed, ask.trial, 42, ask.occurrence, 8), first = seeded_face(ask.seed, ask.trial, 42, ask.occurrence, 0, 8);
		ask.dice = &d;
		assert_int_equal(dice_roll(NULL, &ask, &r), DICE_ANSWERED);
		assert_int_equal(r.faces, 1);
		assert_int_equal(r.face[0], lone);
		assert_int_equal(r.total, lone + 2);
		assert_int_equal(seeded_total(&ask), lone + 2);
		ask.dice = &again;
		dice_roll(NULL, &ask, &r);
		if (first > 1)
			assert_int_equal(r.total, first);
		ask.dice = &two;
		dice_roll(NULL, &ask, &r);
		assert_int_equal(r.total, first + seeded_face(ask.seed, ask.trial, 42, ask.occurrence, 1, 8));
		assert_int_equal(seeded_total(&ask), r.total);
	}
}

static void test_kept_faces(void **state)
{
	static struct dice_result r;
	static const struct { const char *text; int16_t fell[5]; int n; int16_t left[5]; int total; } row[] = {
		{"4d6kh3", {3, 1, 6, 1}, 4, {3, 1, 6, -1}, 10},
		{"4d6dh1", {3, 6, 6, 1}, 4, {3, 6, -6, 1}, 10},
		{"2d20kl1+1", {17, 4}, 2, {-17, 4}, 5},
		{"5d4kh1", {4, 4, 4, 4, 4}, 5, {4, -4, -4, -4, -4}, 4},
		{"2d6!", {6, 2, 5}, 3, {6, 2, 5}, 13},
	};
	(void)state;
	for (size_t i = 0; i < FRAY_COUNT(row); i++) {
		struct dice d = formula(row[i].text);
		memcpy(r.face, row[i].fell, sizeof row[i].fell);
		r.faces = row[i].n;
		dice_total(&d, &r);
		assert_int_equal(r.total, row[i].total);
		assert_memory_equal(r.face, row[i].left, (size_t)row[i].n * sizeof *r.face);
	}
}

static void test_seeded_chance(void **state)
{
	static struct dice_result r;
	struct dice_ask ask = ask_for(NULL, 9);
	uint32_t seen[2] = {0};
	(void)state;
	for (ask.trial = 0; ask.trial < 60000; ask.trial++) {
		assert_int_equal(dice_roll(NULL, &ask, &r), DICE_ANSWERED);
		assert_in_range(r.total, 0, 1);
		assert_int_equal(r.faces, 0);
		seen[r.total]++;
	}
	assert_fits(seen, (double[]){40000, 20000}, 2, "1 in 3");
	ask.num = 0;
	dice_roll(NULL, &ask, &r);
	assert_int_equal(r.total, 0);
	ask.num = 3;
	dice_roll(NULL, &ask, &r);
	assert_int_equal(r.total, 1);
}

/* ---- dictated and typed dice ---- */

static void test_scripted(void **state)
{
	static struct dice_result r;
	static const int32_t faces[] = {2, 6, 1, 5}, bad_face[] = {2, 7, 1, 5}, few[] = {2, 3};
	static const struct scripted_value first[] = {{NULL, 0, 17}, {NULL, 0, 4}}, pool[] = {{faces, 4, 0}, {NULL, 0, 18}};
	static const struct scripted_value later[] = {{NULL, 0, 20}, {NULL, 0, 21}}, wrong[] = {{bad_face, 4, 0}}, short_[] = {{few, 2, 0}};
	static const struct scripted_value yes[] = {{NULL, 0, 1}, {NULL, 0, 2}}, hole[] = {{NULL, 0, 12}};
	static const struct scripted_queue queue[] = {
		{100, first, 2}, {200, pool, 2}, {100, later, 2}, {300, wrong, 1}, {400, short_, 1}, {500, yes, 2}, {600, hole, 1},
	};
	word place[] = {0, 0, -1, 0, 0, 0, 0}, saved[7];
	struct scripted s;
	struct dice d20 = formula("d20"), pick = formula("4d6kh3"), boom = formula("d6!");
	struct dice_ask ask = ask_for(&d20, 100), many = ask_for(&pick, 200), other = ask_for(&d20, 999), chance = ask_for(NULL, 500);
	struct dice_ask explode = ask_for(&boom, 600);
	struct buf b = {0};
	(void)state;
	scripted_init(&s, queue, 7, place, NULL);
	assert_int_equal(dice_roll(&s.source, &ask, &r), DICE_ANSWERED);
	assert_int_equal(r.total, 17);
	assert_int_equal(r.kind, DICE_FORCED);
	assert_int_equal(r.faces, 1);
	assert_int_equal(r.face[0], 17);
	memcpy(saved, place, sizeof place);
	assert_int_equal(dice_roll(&s.source, &ask, &r), DICE_ANSWERED);
	assert_int_equal(r.total, 4);
	/* undo: the place is the caller's */
	memcpy(place, saved, sizeof place);
	assert_int_equal(dice_roll(&s.source, &ask, &r), DICE_ANSWERED);
	assert_int_equal(r.total, 4);
	/* used up, and the later queue is not open: rolled */
	assert_int_equal(dice_roll(&s.source, &ask, &r), DICE_ANSWERED);
	assert_int_equal(r.kind, DICE_ROLLED);
	place[2] = 0;
	assert_int_equal(dice_roll(&s.source, &ask, &r), DICE_ANSWERED);
	assert_int_equal(r.total, 20);
	/* a value the die cannot show stops, and stays where it is */
	for (int i = 0; i < 2; i++) {
		assert_int_equal(dice_roll(&s.source, &ask, &r), DICE_IMPOSSIBLE);
		assert_int_equal(place[2], 1);
	}
	assert_int_equal(r.wrong, WRONG_TOTAL);
	dice_complaint(&ask, &r, &b);
	assert_string_equal(
		buf_text(&b), "Bruna's attack roll (d20) cannot show 21. It shows 1 to 20. [F0348]");
	buf_clear(&b);
	assert_string_equal(message_table[M_DICE_CANNOT].code, "F0348");
	/* faces: the lowest is dropped; a total of such a pool has no faces */
	assert_int_equal(dice_roll(&s.source, &many, &r), DICE_ANSWERED);
	assert_int_equal(r.total, 13);
	assert_int_equal(r.faces, 4);
	assert_int_equal(r.face[2], -1);
	assert_int_equal(dice_roll(&s.source, &many, &r), DICE_ANSWERED);
	assert_int_equal(r.total, 18);
	assert_int_equal(r.faces, 0);
	many.label = 300;
	assert_int_equal(dice_roll(&s.source, &many, &r), DICE_IMPOSSIBLE);
	assert_int_equal(r.wrong, WRONG_FACE);
	dice_complaint(&many, &r, &b);
	assert_string_equal(
		buf_text(&b), "Bruna's attack roll (4d6kh3) cannot show 7. It shows 1 to 6. [F0348]");
	buf_clear(&b);
	many.label = 400;
	assert_int_equal(dice_roll(&s.source, &many, &r), DICE_IMPOSSIBLE);
	dice_complaint(&many, &r, &b);
	assert_string_equal(buf_text(&b),
		"Bruna's attack roll (4d6kh3) is not rolled with 2 dice. Give one face for each die, joined "
		"by +, or the total. [F0346]");
	buf_clear(&b);
	assert_string_equal(message_table[M_DICE_FACES].code, "F0346");
	assert_int_equal(dice_roll(&s.source, &explode, &r), DICE_IMPOSSIBLE);
	dice_complaint(&explode, &r, &b);
	assert_string_equal(buf_text(&b),
		"Bruna's attack roll (d6!) cannot show 12. It shows 1 to 606, but a highest face brings "
		"another die. [F0348]");
	buf_clear(&b);
	assert_int_equal(dice_roll(&s.source, &chance, &r), DICE_ANSWERED);
	assert_int_equal(r.total, 1);
	assert_int_equal(dice_roll(&s.source, &chance, &r), DICE_IMPOSSIBLE);
	dice_complaint(&chance, &r, &b);
	assert_string_equal(buf_text(&b),
		"Bruna's attack roll (1 in 3) cannot show 2. It shows 1 for yes or 0 for no. [F0348]");
	assert_int_equal(dice_roll(&s.source, &other, &r), DICE_ANSWERED);
	assert_int_equal(r.kind, DICE_ROLLED);
	buf_free(&b);
}

static int reports;
static void count_report(void *context, const struct diag *d)
{
	reports++;
	assert_ptr_equal(context, &reports);
	assert_int_equal(d->id, M_DICE_CANNOT);
	assert_int_equal(d->span.start, 7);
}

static void test_report(void **state)
{
	static struct dice_result r;
	struct dice d = formula("d20");
	struct dice_ask ask = ask_for(&d, 1);
	struct diag_sink sink = {.report = count_report, .context = &reports};
	(void)state;
	assert_int_equal(dice_give(&ask, NULL, 0, 0, &r), DICE_IMPOSSIBLE);
	dice_report(&ask, &r, &sink, (struct span){1, 7, 9});
	assert_int_equal(reports, 1);
	assert_int_equal(sink.errors, 1);
}

/* The table: lines typed one after another, and what was shown for each. */
struct table { const char *const *line; int at; char shown[4096]; };

static const char *type_line(void *context, const char *prompt, const char *problem)
{
	struct table *t = context;
	if (problem) {
		strcat(t->shown, "! ");
		strcat(t->shown, problem);
		strcat(t->shown, "\n");
	}
	strcat(t->shown, prompt);
	strcat(t->shown, "\n");
	return t->line[t->at] ? t->line[t->at++] : NULL;
}

static bool never(void *context, const struct dice_ask *ask)
{
	(void)context;
	return ask->label != 1;
}

static void test_asked(void **state)
{
	static struct dice_result r;
	static const char *const lines[] = {
		"17", " 21 ", "9+8", "x7", "12,3 20", "", "6+2+5", "6+2", "Y", "7", "n", "40 6+7", "41+", "5 99", "", NULL,
	};
	static const struct scripted_value forced[] = {{NULL, 0, 8}};
	static const struct scripted_queue queue[] = {{2, forced, 1}};
	word place[] = {0};
	struct scripted s;
	struct asked a;
	struct table t = {lines, 0, ""};
	struct dice d20 = formula("d20"), two = formula("2d10"), boom = formula("2d6!"), big = formula("d100");
	struct dice_ask one = ask_for(&d20, 2), pair = ask_for(&two, 3), explode = ask_for(&boom, 4);
	struct dice_ask chance = ask_for(NULL, 5), cent = ask_for(&big, 6);
	(void)state;
	scripted_init(&s, queue, 1, place, NULL);
	asked_init(&a, &s.source);
	a.line = type_line;
	a.context = &t;
#define ROLL(ask, t_, k) do { \
		assert_int_equal(dice_roll(&a.source, &(ask), &r), DICE_ANSWERED); \
		assert_int_equal(r.total, (t_)); \
		assert_int_equal(r.kind, (k)); \
	} while (0)
	ROLL(one, 17, DICE_TYPED);
	assert_int_equal(r.face[0], 17);
	ROLL(pair, 17, DICE_TYPED); /* 21 is refused; then faces */
	assert_int_equal(r.faces, 2);
	assert_int_equal(r.face[1], 8);
	ROLL(one, 12, DICE_TYPED);  /* x7 is refused; then three at once */
	ROLL(pair, 3, DICE_TYPED);
	assert_int_equal(r.faces, 0);
	ROLL(one, 20, DICE_TYPED);
	ROLL(one, 8, DICE_FORCED);  /* an empty line: the next source answers */
	ROLL(explode, 13, DICE_TYPED); /* 6+2 would be one die short */
	assert_int_equal(r.faces, 3);
	ROLL(explode, 7, DICE_TYPED);  /* 6+2 and Y are refused, 7 is fine */
	ROLL(chance, 0, DICE_TYPED);
	ROLL(cent, 40, DICE_TYPED);
	ROLL(pair, 13, DICE_TYPED); /* 6+7, typed ahead */
	ROLL(one, 5, DICE_TYPED);   /* 41+ is refused; 99 waits .. */
	assert_int_equal(a.ahead.length, 2);
	assert_int_equal(dice_roll(&a.source, &one, &r), DICE_ANSWERED); /* .. and will not do */
	assert_int_equal(r.kind, DICE_ROLLED);
	assert_int_equal(dice_roll(&a.source, &one, &r), DICE_STOP);
	assert_string_equal(t.shown,
		"Bruna's attack roll (d20): \n"
		"Bruna's attack roll (2d10): \n"
		"! Bruna's attack roll (2d10) cannot show 21. It shows 2 to 20. [F0348]\n"
		"Bruna's attack roll (2d10): \n"
		"Bruna's attack roll (d20): \n"
		"! I cannot read \"x7\" as a roll. Type the total, or the faces joined by +. "
		"Press Return to let me roll. [F0347]\n"
		"Bruna's attack roll (d20): \n"
		"Bruna's attack roll (d20): \n"
		"Bruna's attack roll (2d6!): \n"
		"Bruna's attack roll (2d6!): \n"
		"! Bruna's attack roll (2d6!) is not rolled with 2 dice. Give one face for each die, joined "
		"by +, or the total. [F0346]\n"
		"Bruna's attack roll (2d6!): \n"
		"! I cannot read \"Y\" as a roll. Type the total, or the faces joined by +. Press "
		"Return to let me roll. [F0347]\n"
		"Bruna's attack roll (2d6!): \n"
		"Bruna's attack roll (1 in 3, yes or no): \n"
		"Bruna's attack roll (d100): \n"
		"Bruna's attack roll (d20): \n"
		"! I cannot read \"41+\" as a roll. Type the total, or the faces joined by +. "
		"Press Return to let me roll. [F0347]\n"
		"Bruna's attack roll (d20): \n"
		"! Bruna's attack roll (d20) cannot show 99. It shows 1 to 20. [F0348]\n"
		"Bruna's attack roll (d20): \n"
		"Bruna's attack roll (d20): \n");
	assert_string_equal(message_table[M_DICE_UNREAD].code, "F0347");
	asked_free(&a);
}

static void test_asked_chance_and_wants(void **state)
{
	static struct dice_result r;
	static const char *const lines[] = {"yes no ye", "1", "0", "17 4", "nope", "2", NULL};
	struct asked a;
	struct table t = {lines, 0, ""};
	struct dice d20 = formula("d20");
	struct dice_ask chance = ask_for(NULL, 5), one = ask_for(&d20, 2), not_mine = ask_for(&d20, 1);
	(void)state;
	chance.num = 7;
	chance.den = 20;
	asked_init(&a, NULL);
	a.line = type_line;
	a.context = &t;
	a.wants = never;
	ROLL(chance, 1, DICE_TYPED);
	assert_string_equal(t.shown, "Bruna's attack roll (35%, yes or no): \n");
	ROLL(chance, 0, DICE_TYPED);
	ROLL(chance, 1, DICE_TYPED);
	ROLL(chance, 1, DICE_TYPED);
	ROLL(chance, 0, DICE_TYPED);
	ROLL(one, 17, DICE_TYPED);
	assert_int_equal(dice_roll(&a.source, &not_mine, &r), DICE_ANSWERED);
	assert_int_equal(r.kind, DICE_ROLLED);
	asked_forget(&a); /* the 4 is gone */
	assert_int_equal(dice_roll(&a.source, &chance, &r), DICE_STOP); /* nope, 2: no answers */
	assert_int_equal(t.at, 6);
	asked_free(&a);
#undef ROLL
}

/* ---- distributions ---- */

/* Every fall of a small pool, by listing; rerolls are listed as sides * sides ways a die. */
static void list_falls(const struct dice *d, int die, int16_t *face, double *count)
{
	if (die == d->count) {
		static struct dice_result r;
		memcpy(r.face, face, (size_t)d->count * sizeof *face);
		r.faces = d->count;
		dice_total(d, &r);
		count[r.total - d->add]++;
		return;
	}
	for (int first = 1; first <= d->sides; first++)
		for (int second = 1; second <= (d->reroll ? d->sides : 1); second++) {
			face[die] = (int16_t)(d->reroll && first <= d->reroll ? second : first);
			list_falls(d, die + 1, face, count);
		}
}

static void test_against_listing(void **state)
{
	int pools = 0;
	(void)state;
	for (int n = 1; n <= 4; n++)
		for (int s = 1; s <= 6; s++)
			for (int reroll = 0; reroll < s && (reroll == 0 || pow(s * s, n) < 50000); reroll++)
				for (int keep = 1; keep <= n; keep++)
					for (int how = KEEP_ALL; how <= KEEP_LOW; how++) {
						struct dice d = {n, s, how == KEEP_ALL ? 0 : keep, (enum dice_keep)how, false, reroll, 3};
						double count[32] = {0};
						int16_t face[4];
						struct dist t;
						int least, most;
						if (how == KEEP_ALL ? keep > 1 : keep == n)
							continue;
						list_falls(&d, 0, face, count);
						assert_true(dist_make(&d, &t));
						dice_range(&d, &least, &most);
						assert_int_equal(t.least, least);
						assert_int_equal(t.most, most);
						assert_true(t.of == pow(reroll ? s * s : s, n));
						for (int x = least; x <= most; x++) {
							assert_true(round(dist_at(&t, x) * t.of) == count[x - 3]);
							assert_true(fabs(dist_at(&t, x) * t.of - count[x - 3]) < 1e-9 * t.of);
						}
						assert_true(fabs(dice_mean(&d) - dist_mean(&t)) < 1e-10);
						assert_true(dist_at(&t, least - 1) == 0 && dist_at(&t, most + 1) == 0);
						dist_free(&t);
						pools++;
					}
	assert_true(pools > 150);
}

/* An exploding pool die by die: how many dice are still to fall, extra dice so far, total. */
static void explode_slowly(const struct dice *d, double *p)
{
	int sums = (d->count + DICE_EXTRA) * d->sides + 1, lefts = d->count + 2;
	size_t size = (size_t)lefts * (DICE_EXTRA + 1) * (size_t)sums;
	double *now = calloc(size, sizeof *now), *next = calloc(size, sizeof *next);
#define AT(a, left, extra, sum) a[((size_t)(left) * (DICE_EXTRA + 1) + (size_t)(extra)) * (size_t)sums + (size_t)(sum)]
	AT(now, d->count, 0, 0) = 1;
	for (int step = 0; step < d->count + DICE_EXTRA; step++) {
		memset(next, 0, size * sizeof *next);
		for (int left = 1; left <= d->count; left++)
			for (int extra = 0; extra <= DICE_EXTRA; extra++)
				for (int sum = 0; sum < sums; sum++) {
					double w = AT(now, left, extra, sum);
					if (w <= 0)
						continue;
					for (int face = 1; face <= d->sides; face++) {
						double q = 1.0 / d->sides;
						if (d->reroll)
							q = ((face > d->reroll) + (double)d->reroll / d->sides) / d->sides;
						if (face == d->sides && extra < DICE_EXTRA)
							AT(next, left, extra + 1, sum + face) += w * q;
						else if (left == 1)
							p[sum + face] += w * q;
						else
							AT(next, left - 1, extra, sum + face) += w * q;
					}
				}
		double *t = now;
		now = next;
		next = t;
	}
#undef AT
	free(now);
	free(next);
}

static void test_exploding(void **state)
{
	static const char *const text[] = {"d2!", "d6!", "3d2!", "2d4!r2", "4d3!+2"};
	(void)state;
	for (size_t k = 0; k < FRAY_COUNT(text); k++) {
		struct dice d = formula(text[k]);
		struct dist t;
		double *p = calloc((size_t)((d.count + DICE_EXTRA) * d.sides + 1), sizeof *p), sum = 0;
		assert_true(dist_make(&d, &t));
		assert_true(t.of == 0);
		explode_slowly(&d, p);
		for (int x = t.least; x <= t.most; x++) {
			double want = p[x - d.add], got = dist_at(&t, x);
			if (fabs(got - want) > 1e-9 * want)
				fail_msg("%s = %d: %g, not %g", text[k], x, got, want);
			assert_true((got > 0) == dice_can_show(&d, x));
			sum += got;
		}
		assert_true(fabs(sum - 1) < 1e-12);
		assert_true(fabs(dice_mean(&d) - dist_mean(&t)) < 1e-9);
		dist_free(&t);
		free(p);
	}
	/* d2!: spent when the first 101 dice all show 2 */
	struct dice d = formula("d2!");
	struct dist t;
	assert_true(dist_make(&d, &t));
	assert_true(fabs(t.spent / pow(0.5, 101) - 1) < 1e-10);
	dist_free(&t);
}

static void test_known_pools(void **state)
{
	static const struct { const char *text; int total; double ways, of; } row[] = {
		{"4d6kh3", 18, 21, 1296}, {"4d6kh3", 3, 1, 1296}, {"4d6kh3", 12, 167, 1296},
		{"3d6", 10, 27, 216}, {"2d20kh1", 20, 39, 400}, {"2d20kl1", 20, 1, 400}, {"d%", 1, 1, 100},
	};
	(void)state;
	for (size_t i = 0; i < FRAY_COUNT(row); i++) {
		struct dice d = formula(row[i].text);
		struct dist t;
		assert_true(dist_make(&d, &t));
		assert_true(t.of == row[i].of);
		assert_true(dist_at(&t, row[i].total) == row[i].ways / row[i].of);
		dist_free(&t);
	}
	struct dice d = formula("4d6dl1");
	assert_true(fabs(dice_mean(&d) - 15869.0 / 1296) < 1e-12);
}

/* Big pools come quickly and add up; what is too wide is refused. */
static void test_big_pools(void **state)
{
	static const char *const text[] = {
		"100d6kh50", "100d6dl1", "200d10kl20+5", "1000d6", "300d100", "40d6!", "100d20r3kh10", "1000d2kh999", "1000d1kh500",
	};
	static const char *const wide[] = {"1000d10000", "1000d100", "500d10000kh400", "1000d100!"};
	(void)state;
	for (size_t i = 0; i < FRAY_COUNT(text); i++) {
		struct dice d = formula(text[i]);
		struct dist t;
		double sum = 0, mean;
		assert_true(dist_make(&d, &t));
		for (int x = t.least; x <= t.most; x++) {
			assert_true(dist_at(&t, x) >= 0);
			sum += dist_at(&t, x);
		}
		mean = dice_mean(&d);
		if (fabs(sum - 1) > 1e-10 || fabs(mean - dist_mean(&t)) > 1e-9 * mean)
			fail_msg("%s: sum %.15g, means %.15g and %.15g", text[i], sum, mean, dist_mean(&t));
		dist_free(&t);
	}
	for (size_t i = 0; i < FRAY_COUNT(wide); i++) {
		struct dice d = formula(wide[i]);
		struct dist t;
		assert_false(dist_make(&d, &t));
		assert_null(t.p);
	}
	assert_string_equal(message_table[M_DICE_SPREAD].code, "F0742");
}

/* The same formula through both: counted, and rolled. */
static void test_against_sampling(void **state)
{
	static const char *const text[] = {
		"3d6", "4d6kh3", "5d6dh1", "6d6!", "4d6r1", "2d20kl1", "4d6r1kh3-2", "2d4!r1", "20d6kh3", "d10r4", "7d2!",
	};
	static struct dice_result r;
	(void)state;
	for (size_t i = 0; i < FRAY_COUNT(text); i++) {
		struct dice d = formula(text[i]);
		struct dice_ask ask = ask_for(&d, 7000 + i);
		struct dist t;
		enum { ROLLS = 100000, CELLS = 1000 };
		static uint32_t seen[CELLS];
		static double expected[CELLS];
		assert_true(dist_make(&d, &t));
		int n = t.most - t.least + 1, cells = 0;
		uint32_t *count = calloc((size_t)n, sizeof *count);
		for (ask.trial = 0; ask.trial < ROLLS; ask.trial++) {
			assert_int_equal(dice_roll(NULL, &ask, &r), DICE_ANSWERED);
			assert_in_range(r.total - t.least, 0, n - 1);
			assert_true(dist_at(&t, r.total) > 0);
			count[r.total - t.least]++;
		}
		/* totals are pooled until each cell expects at least ten */
		memset(seen, 0, sizeof seen);
		memset(expected, 0, sizeof expected);
		for (int k = 0; k < n && cells < CELLS; k++) {
			seen[cells] += count[k];
			expected[cells] += t.p[k] * ROLLS;
			if (expected[cells] >= 10 && k < n - 1)
				cells++;
		}
		seen[cells - 1] += seen[cells];
		expected[cells - 1] += expected[cells];
		assert_fits(seen, expected, cells, text[i]);
		free(count);
		dist_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formulas),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_chi_square_itself),
		cmocka_unit_test(test_faces_even),
		cmocka_unit_test(test_independence),
		cmocka_unit_test(test_lone_independence),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_owners_and_rolls),
		cmocka_unit_test(test_blocks_at_hand),
		cmocka_unit_test(test_everybody_at_hand),
		cmocka_unit_test(test_address_parts),
		cmocka_unit_test(test_faces_for_ever),
		cmocka_unit_test(test_roll_is_faces),
		cmocka_unit_test(test_roll_of_one),
		cmocka_unit_test(test_kept_faces),
		cmocka_unit_test(test_seeded_chance),
		cmocka_unit_test(test_scripted),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_asked_chance_and_wants),
		cmocka_unit_test(test_against_listing),
		cmocka_unit_test(test_exploding),
		cmocka_unit_test(test_known_pools),
		cmocka_unit_test(test_big_pools),
		cmocka_unit_test(test_against_sampling),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
