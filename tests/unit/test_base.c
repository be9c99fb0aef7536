/* test_base.c - runtime/base: memory, buffers, numbers, names, diagnostics.
 *
 * Fractions are compared with plain 128-bit arithmetic on pseudo-random operands that
 * crowd around the edges of the 32-bit halves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/arena.h"
#include "runtime/base/buf.h"
#include "runtime/base/diag.h"
#include "runtime/base/hash.h"
#include "runtime/base/intern.h"
#include "runtime/base/num.h"
#include "runtime/base/span.h"

__extension__ typedef __int128 wide;

/* ---- a small generator, so that every run tries the same numbers ---- */

static uint64_t rng_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* Small numbers, the edges of 32 and 64 bits, and anything. */
static int64_t rng_number(uint64_t *state)
{
	static const int64_t edge[] = { 0, INT32_MAX, INT32_MIN, INT64_MAX, -INT64_MAX, (int64_t)1 << 32, 65536, -65536 };
	uint64_t r = rng_next(state);
	switch (r % 4) {
	case 0:
		return (int64_t)(rng_next(state) % 41) - 20;
	case 1:
		return edge[rng_next(state) % 8] / (int64_t)(1 + rng_next(state) % 3);
	case 2:
		return (int32_t)(uint32_t)rng_next(state);
	default:
		return (int64_t)(rng_next(state) >> 1 >> rng_next(state) % 63) * (r & 4 ? 1 : -1);
	}
}

/* A fraction that fits, made of 32-bit halves. */
static word rng_fraction(uint64_t *state)
{
	bool bad = false;
	int64_t n = (int32_t)rng_number(state), d = (int64_t)(rng_next(state) % 1000) + 1;
	word f;
	if (rng_next(state) % 4 == 0)
		d = (int64_t)(rng_next(state) % INT32_MAX) + 1;
	f = frac_make(n, d, &bad);
	assert_false(bad);
	return f;
}

/* ---- arena ---- */

static void arena_gives_zeroed_aligned_memory(void **state)
{
	struct arena a;
	unsigned char *last = NULL;
	size_t total = 0;
	(void)state;
	arena_init(&a);
	for (size_t size = 0; size < 3000; size += 7) {
		unsigned char *p = arena_alloc(&a, size);
		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		assert_ptr_not_equal(p, last);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xab, size);
		last = p;
		total += size ? size : 1;
	}
	assert_int_equal(a.used, total);
	arena_free(&a);
	assert_null(a.top);
	assert_int_equal(a.used, 0);
}

static void arena_keeps_objects_apart(void **state)
{
	enum { N = 400 };
	struct arena a;
	unsigned char *p[N];
	size_t size[N];
	uint64_t rng = 1;
	(void)state;
	arena_init(&a);
	for (int i = 0; i < N; i++) {
		size[i] = 1 + (size_t)(rng_next(&rng) % (i % 50 == 0 ? 3000000 : 300));
		p[i] = arena_alloc(&a, size[i]);
		memset(p[i], i % 251, size[i]);
	}
	for (int i = 0; i < N; i++)
		for (size_t k = 0; k < size[i]; k += size[i] > 1000 ? 997 : 1)
			assert_int_equal(p[i][k], i % 251);
	arena_free(&a);
}

static void arena_copies_text(void **state)
{
	struct arena a;
	char *t;
	(void)state;
	arena_init(&a);
	t = arena_text(&a, "orc chief", 3);
	assert_string_equal(t, "orc");
	assert_string_equal(arena_text(&a, NULL, 0), "");
	assert_string_equal(t, "orc");
	arena_free(&a);
}

static void jump_away(void *context)
{
	longjmp(*(jmp_buf *)context, 1);
}

static void count_calls(void *context)
{
	++*(int *)context;
}

static void arena_limit_calls_out(void **state)
{
	struct arena a;
	jmp_buf home;
	int calls = 0;
	(void)state;

	arena_init(&a);
	a.limit = 100;
	a.out = count_calls;
	a.out_context = &calls;
	arena_alloc(&a, 60);
	arena_alloc(&a, 40);
	assert_int_equal(calls, 0);
	assert_non_null(arena_alloc(&a, 1)); /* it may return: then the memory is still given */
	assert_int_equal(calls, 1);

	a.out = jump_away;
	a.out_context = &home;
	if (setjmp(home) == 0) {
		arena_alloc(&a, 1);
		fail();
	}
	arena_free(&a);
	a.limit = 0;
	if (setjmp(home) == 0) {
		arena_alloc(&a, SIZE_MAX - 8);
		fail();
	}
	arena_free(&a);
}

/* ---- buf ---- */

static void buf_appends(void **state)
{
	struct buf b = { 0 };
	char *taken;
	(void)state;
	assert_string_equal(buf_text(&b), "");
	buf_puts(&b, "orc");
	buf_putc(&b, ' ');
	buf_printf(&b, "#%d of %s", 2, "four");
	buf_fill(&b, '.', 3);
	buf_fill(&b, '!', -1);
	buf_add(&b, "xyz", 1);
	assert_string_equal(buf_text(&b), "orc #2 of four...x");
	assert_int_equal(b.length, 18);
	assert_int_equal(b.data[b.length], 0);
	buf_clear(&b);
	assert_string_equal(buf_text(&b), "");
	buf_puts(&b, "again");
	taken = buf_take(&b);
	assert_string_equal(taken, "again");
	assert_null(b.data);
	assert_int_equal(b.length, 0);
	free(taken);
	taken = buf_take(&b);
	assert_string_equal(taken, "");
	free(taken);
	buf_free(&b);
}

static void buf_grows(void **state)
{
	struct buf b = { 0 };
	(void)state;
	for (int i = 0; i < 20000; i++) {
		buf_printf(&b, "%05d", i);
		assert_int_equal(b.data[b.length], 0);
	}
	assert_int_equal(b.length, 100000);
	for (int i = 0; i < 20000; i += 999) {
		char want[12];
		snprintf(want, sizeof want, "%05d", i);
		assert_memory_equal(b.data + i * 5, want, 5);
	}
	buf_add(&b, "a\0b", 3);
	assert_int_equal(b.length, 100003);
	assert_memory_equal(b.data + 100000, "a\0b", 4);
	buf_free(&b);
	assert_null(b.data);
}

static void vec_pushes(void **state)
{
	struct pair { int key, value; };
	VEC(struct pair) list = { 0 };
	(void)state;
	for (int i = 0; i < 1000; i++)
		VEC_PUSH(list, (struct pair){ i, i * i });
	assert_int_equal(list.n, 1000);
	assert_true(list.cap >= 1000);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(list.v[i].key, i);
		assert_int_equal(list.v[i].value, i * i);
	}
	VEC_FREE(list);
	assert_null(list.v);
	assert_int_equal(list.n, 0);
}

/* ---- hash ---- */

static void spans_are_the_same_whatever_lies_between(void **state)
{
	struct span a, b;
	(void)state;
	memset(&a, 0, sizeof a);
	memset(&b, 0xff, sizeof b);
	a.file = b.file = 3;
	a.start = b.start = 14;
	a.end = b.end = 15;
	assert_true(span_same(&a, &b));
	b.end = 16;
	assert_false(span_same(&a, &b));
}

static void hash_is_the_known_one(void **state)
{
	/* the published answers of XXH3-64 for no bytes at all, seeds 0 and PRIME64 */
	(void)state;
	assert_true(hash_bytes("", 0, 0) == UINT64_C(0x2d06800538d394c2));
	assert_true(hash_bytes("", 0, UINT64_C(0x9e3779b185ebca8d)) == UINT64_C(0xa8a6b918b2f0364a));
	assert_true(hash_bytes("orc", 3, 0) == hash_bytes("orc chief", 3, 0));
	assert_true(hash_bytes("orc", 3, 0) != hash_bytes("orc", 3, 1));
	assert_true(hash_bytes("orc", 3, 0) != hash_bytes("orb", 3, 0));
}

/* ---- whole numbers ---- */

typedef word whole_op(word, word, bool *);

static void whole_matches(whole_op *op, wide exact, word a, word b)
{
	bool bad = false;
	word got = op(a, b, &bad);
	if (exact > INT64_MAX || exact <= INT64_MIN) {
		assert_true(bad);
		assert_int_equal(got, 0);
	} else {
		assert_false(bad);
		assert_true(got == (word)exact);
	}
}

static void whole_numbers_are_exact_or_bad(void **state)
{
	uint64_t rng = 7;
	(void)state;
	for (int i = 0; i < 200000; i++) {
		word a = rng_number(&rng), b = rng_number(&rng);
		if (a == NONE || b == NONE)
			continue;
		whole_matches(num_add, (wide)a + b, a, b);
		whole_matches(num_sub, (wide)a - b, a, b);
		whole_matches(num_mul, (wide)a * b, a, b);
	}
	whole_matches(num_add, (wide)INT64_MAX + 1, INT64_MAX, 1);
	whole_matches(num_sub, (wide)INT64_MIN, -INT64_MAX, 1); /* the value of NONE is never a result */
}

static void none_spreads(void **state)
{
	static whole_op *const op[] = { num_add, num_sub, num_mul, frac_add, frac_sub, frac_mul, frac_div, frac_make };
	bool bad = false;
	(void)state;
	for (size_t i = 0; i < FRAY_COUNT(op); i++) {
		word one = frac_make(1, 1, &bad);
		assert_true(op[i](NONE, one, &bad) == NONE);
		assert_true(op[i](one, NONE, &bad) == NONE);
		assert_true(op[i](NONE, NONE, &bad) == NONE);
	}
	assert_true(frac_of(NONE, &bad) == NONE);
	for (enum rounding how = ROUND_UP; how <= ROUND_NEAREST; how++)
		assert_true(frac_round(NONE, how) == NONE);
	assert_false(bad);
}

/* ---- fractions ---- */

static wide wide_gcd(wide a, wide b)
{
	if (a < 0)
		a = -a;
	while (b) {
		wide t = a % b;
		a = b;
		b = t;
	}
	return a;
}

/* `got` is n/d in lowest terms, or bad when that does not fit. */
static void fraction_is(word got, bool bad, wide n, wide d)
{
	wide g;
	if (d == 0) {
		assert_true(bad);
		return;
	}
	if (d < 0) {
		n = -n;
		d = -d;
	}
	g = wide_gcd(n, d);
	n /= g;
	d /= g;
	if (n < INT32_MIN || n > INT32_MAX || d > INT32_MAX) {
		assert_true(bad);
		n = 0;
		d = 1;
	} else {
		assert_false(bad);
	}
	assert_true(frac_top(got) == (int64_t)n);
	assert_true(frac_bottom(got) == (int64_t)d);
	assert_true(got != NONE);
}

static void fractions_are_made_in_lowest_terms(void **state)
{
	uint64_t rng = 11;
	(void)state;
	for (int i = 0; i < 200000; i++) {
		int64_t n = rng_number(&rng), d = rng_number(&rng);
		bool bad = false;
		word f;
		if (n == NONE || d == NONE)
			continue;
		f = frac_make(n, d, &bad);
		fraction_is(f, bad, n, d);
		bad = false;
		f = frac_of(n, &bad);
		fraction_is(f, bad, n, 1);
	}
}

static void fraction_arithmetic_is_exact_or_bad(void **state)
{
	uint64_t rng = 13;
	int fitted = 0;
	(void)state;
	for (int i = 0; i < 200000; i++) {
		word a = rng_fraction(&rng), b = rng_fraction(&rng), f;
		wide an = frac_top(a), ad = frac_bottom(a), bn = frac_top(b), bd = frac_bottom(b), left, right;
		bool bad;

		bad = false;
		f = frac_add(a, b, &bad);
		fraction_is(f, bad, an * bd + bn * ad, ad * bd);
		fitted += !bad;
		bad = false;
		f = frac_sub(a, b, &bad);
		fraction_is(f, bad, an * bd - bn * ad, ad * bd);
		bad = false;
		f = frac_mul(a, b, &bad);
		fraction_is(f, bad, an * bn, ad * bd);
		bad = false;
		f = frac_div(a, b, &bad);
		fraction_is(f, bad, an * bd, ad * bn);

		left = an * bd;
		right = bn * ad;
		assert_int_equal(frac_compare(a, b), (left > right) - (left < right));
		assert_int_equal(frac_compare(a, a), 0);
	}
	assert_in_range(fitted, 20000, 190000); /* both outcomes were tried often */
}

static void fractions_round(void **state)
{
	static const struct { int64_t n, d, up, down, nearest; } row[] = {
		{ 7, 2, 4, 3, 4 }, { -7, 2, -3, -4, -4 }, { 5, 2, 3, 2, 3 }, { -5, 2, -2, -3, -3 },
		{ 1, 3, 1, 0, 0 }, { -1, 3, 0, -1, 0 }, { 2, 3, 1, 0, 1 }, { -2, 3, 0, -1, -1 },
		{ 1, 2, 1, 0, 1 }, { -1, 2, 0, -1, -1 }, { 6, 1, 6, 6, 6 }, { -6, 1, -6, -6, -6 }, { 0, 1, 0, 0, 0 },
		{ INT32_MAX, 2, 1073741824, 1073741823, 1073741824 }, { INT32_MIN, 1, INT32_MIN, INT32_MIN, INT32_MIN },
	};
	uint64_t rng = 17;
	bool bad = false;
	(void)state;
	for (size_t i = 0; i < FRAY_COUNT(row); i++) {
		word f = frac_make(row[i].n, row[i].d, &bad);
		assert_int_equal(frac_round(f, ROUND_UP), row[i].up);
		assert_int_equal(frac_round(f, ROUND_DOWN), row[i].down);
		assert_int_equal(frac_round(f, ROUND_NEAREST), row[i].nearest);
	}
	for (int i = 0; i < 100000; i++) {
		word f = rng_fraction(&rng);
		wide n = frac_top(f), d = frac_bottom(f);
		wide up = frac_round(f, ROUND_UP), down = frac_round(f, ROUND_DOWN), nearest = frac_round(f, ROUND_NEAREST);
		wide off = nearest * d - n;
		assert_true(up * d >= n && (up - 1) * d < n);
		assert_true(down * d <= n && (down + 1) * d > n);
		assert_true(2 * off <= d && -2 * off <= d);
		if (2 * off == d || -2 * off == d)
			assert_true((off > 0) == (n > 0));
	}
	assert_false(bad);
}

/* ---- names ---- */

static void names_fold(void **state)
{
	struct intern *t = intern_new();
	sym chief = intern_word(t, "Orc  Chief");
	(void)state;
	assert_int_equal(chief, 1);
	assert_int_equal(intern_word(t, "orc chief"), chief);
	assert_int_equal(intern_word(t, "  ORC\t\n chief "), chief);
	assert_int_equal(intern_put(t, "orc chiefs", 9), chief);
	assert_string_equal(intern_text(t, chief), "Orc Chief");
	assert_string_equal(intern_folded(t, chief), "orc chief");
	assert_int_not_equal(intern_word(t, "orcchief"), chief);
	assert_int_equal(intern_count(t), 3);
	assert_int_equal(intern_word(t, ""), 0);
	assert_int_equal(intern_word(t, " \t"), 0);
	assert_string_equal(intern_text(t, 0), "");
	assert_string_equal(intern_folded(t, 0), "");
	assert_int_equal(intern_find(t, "ghoul", 5), 0);
	assert_int_equal(intern_find(t, "ORC CHIEF", 9), chief);
	assert_int_equal(intern_find(t, "", 0), 0);
	assert_int_equal(intern_count(t), 3);
	intern_free(t);
	intern_free(NULL);
}

static void names_other_bytes_stay(void **state)
{
	struct intern *t = intern_new();
	sym s = intern_word(t, "\xc3\x89lan #2");
	(void)state;
	assert_string_equal(intern_folded(t, s), "\xc3\x89lan #2"); /* only ASCII letters fold */
	assert_int_not_equal(intern_word(t, "\xc3\xa9lan #2"), s);
	intern_free(t);
}

static void names_are_many(void **state)
{
	enum { N = 30000 };
	struct intern *t = intern_new();
	const char *first;
	char name[600];
	(void)state;
	first = intern_text(t, intern_word(t, "Name 1"));
	for (int i = 2; i <= N; i++) {
		snprintf(name, sizeof name, "Name %d", i);
		assert_int_equal(intern_word(t, name), i);
	}
	assert_int_equal(intern_count(t), N + 1);
	for (int i = 1; i <= N; i += 7) {
		int n = snprintf(name, sizeof name, "name  %d", i);
		assert_int_equal(intern_find(t, name, (size_t)n), i);
		snprintf(name, sizeof name, "Name %d", i);
		assert_string_equal(intern_text(t, (sym)i), name);
	}
	assert_ptr_equal(intern_text(t, 1), first); /* borrowed texts stay in place */
	memset(name, 'Q', sizeof name);             /* longer than any small buffer */
	assert_int_equal(intern_put(t, name, sizeof name), N + 1);
	memset(name, 'q', sizeof name);
	assert_int_equal(intern_find(t, name, sizeof name), N + 1);
	assert_int_equal(intern_find(t, name, sizeof name - 1), 0);
	intern_free(t);
}

/* ---- diagnostics ---- */

struct seen {
	int n;
	enum message id;
	struct buf text;
};

static void see(void *context, const struct diag *d)
{
	struct seen *s = context;
	s->n++;
	s->id = d->id;
	buf_clear(&s->text);
	diag_sentence(d, &s->text);
	buf_puts(&s->text, " / ");
	diag_hint(d, &s->text);
}

static void messages_are_rows(void **state)
{
	(void)state;
	for (int i = 0; i < M_COUNT; i++) {
		const struct message_info *m = &message_table[i];
		assert_non_null(m->name);
		assert_int_equal(strlen(m->code), 5);
		assert_int_equal(m->code[0], 'F');
		assert_true(m->template[0] != '\0');
		assert_non_null(m->hint);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(message_table[k].code, m->code);
		for (const char *p = m->template; (p = strchr(p, '{')); p++)
			assert_false(p[1] >= '0' + DIAG_ARGS && p[1] <= '9' && p[2] == '}');
	}
}

static void diagnostics_are_filled_in(void **state)
{
	struct seen seen = { 0 };
	struct diag_sink sink = { see, &seen, 0, 0, 0 };
	struct span at = { 1, 4, 9 };
	(void)state;
	diag_report(&sink, M_SYNTAX, at, 2, "a brace", "{ or {1}");
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.id, M_SYNTAX);
	assert_string_equal(buf_text(&seen.text), "I did not expect a brace here. / Expected { or {1}.");
	assert_int_equal(sink.errors, 1);
	assert_int_equal(sink.warnings, 0);
	buf_free(&seen.text);
}

static void diagnostics_stop_at_the_limit(void **state)
{
	struct seen seen = { 0 };
	struct diag_sink sink = { see, &seen, 0, 0, 3 };
	struct diag_sink plain = { see, &seen, 0, 0, 0 };
	struct diag_sink deaf = { 0 };
	struct span at = { 0 };
	(void)state;
	for (int i = 0; i < 10; i++)
		diag_report(&sink, M_SYNTAX, at, 2, "x", "y");
	assert_int_equal(seen.n, 3);
	assert_int_equal(sink.errors, 10);
	seen.n = 0;
	for (int i = 0; i < 150; i++)
		diag_report(&plain, M_SYNTAX, at, 2, "x", "y");
	assert_int_equal(seen.n, 100);
	assert_int_equal(plain.errors, 150);
	diag_report(&deaf, M_SYNTAX, at, 2, "x", "y"); /* only counting */
	assert_int_equal(deaf.errors, 1);
	buf_free(&seen.text);
}

static void diagnostics_hold_what_fits(void **state)
{
	struct diag d = diag_make(M_SYNTAX, (struct span){ 2, 10, 12 });
	(void)state;
	assert_int_equal(d.span.file, 2);
	for (int i = 0; i < 20; i++) {
		diag_relate(&d, (struct span){ 3, (uint32_t)i, (uint32_t)i + 1 }, "also here");
		diag_line(&d, "a further line");
	}
	assert_int_equal(d.relateds, DIAG_RELATED);
	assert_int_equal(d.lines, DIAG_LINES);
	assert_int_equal(d.related[DIAG_RELATED - 1].span.start, DIAG_RELATED - 1);
	assert_string_equal(d.related[0].label, "also here");
}

static void nearest_word(void **state)
{
	static const char *const field[] = { "hit points", "armour class", "speed factor", "move", "size", "save", "Morale" };
	static const char *const close[] = { "bat", "cat" };
	int n = (int)FRAY_COUNT(field);
	char monster[5000];
	(void)state;
	assert_string_equal(diag_nearest("speed facter", field, n), "speed factor");
	assert_string_equal(diag_nearest("armor class", field, n), "armour class");
	assert_string_equal(diag_nearest("omve", field, n), "move");   /* neighbours swapped count once */
	assert_string_equal(diag_nearest("sizes", field, n), "size");
	assert_string_equal(diag_nearest("morals", field, n), "Morale");
	assert_null(diag_nearest("initiative", field, n));
	assert_null(diag_nearest("mmvv", field, n));                   /* two changes in four letters */
	assert_null(diag_nearest("", field, n));
	assert_null(diag_nearest("move", field, 0));
	assert_string_equal(diag_nearest("cbt", close, 2), "cat");     /* same first letter first */
	assert_string_equal(diag_nearest("a", (const char *const[]){ "b" }, 1), "b"); /* at least one edit */
	memset(monster, 'x', sizeof monster - 1);
	monster[sizeof monster - 1] = '\0';
	assert_null(diag_nearest(monster, field, n));
	assert_null(diag_nearest("move", (const char *const[]){ monster }, 1));
}

/* The distance against the plain definition, by trying every edit of a short word. */
static void nearest_word_reaches_every_single_edit(void **state)
{
	static const char right[] = "halberd";
	const char *const only[] = { right };
	size_t length = strlen(right);
	char typed[16];
	(void)state;
	for (size_t i = 0; i < length; i++) {
		memcpy(typed, right, i);
		strcpy(typed + i, right + i + 1); /* left out */
		assert_string_equal(diag_nearest(typed, only, 1), right);
		typed[i] = 'z';
		strcpy(typed + i + 1, right + i); /* put in */
		assert_string_equal(diag_nearest(typed, only, 1), right);
		strcpy(typed, right);
		typed[i] = 'z'; /* changed */
		assert_string_equal(diag_nearest(typed, only, 1), right);
		if (i + 1 < length) {
			strcpy(typed, right);
			typed[i] = right[i + 1];
			typed[i + 1] = right[i]; /* swapped */
			assert_string_equal(diag_nearest(typed, only, 1), right);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_gives_zeroed_aligned_memory),
		cmocka_unit_test(arena_keeps_objects_apart),
		cmocka_unit_test(arena_copies_text),
		cmocka_unit_test(arena_limit_calls_out),
		cmocka_unit_test(buf_appends),
		cmocka_unit_test(buf_grows),
		cmocka_unit_test(vec_pushes),
		cmocka_unit_test(hash_is_the_known_one),
		cmocka_unit_test(spans_are_the_same_whatever_lies_between),
		cmocka_unit_test(whole_numbers_are_exact_or_bad),
		cmocka_unit_test(none_spreads),
		cmocka_unit_test(fractions_are_made_in_lowest_terms),
		cmocka_unit_test(fraction_arithmetic_is_exact_or_bad),
		cmocka_unit_test(fractions_round),
		cmocka_unit_test(names_fold),
		cmocka_unit_test(names_other_bytes_stay),
		cmocka_unit_test(names_are_many),
		cmocka_unit_test(messages_are_rows),
		cmocka_unit_test(diagnostics_are_filled_in),
		cmocka_unit_test(diagnostics_stop_at_the_limit),
		cmocka_unit_test(diagnostics_hold_what_fits),
		cmocka_unit_test(nearest_word),
		cmocka_unit_test(nearest_word_reaches_every_single_edit),
	};
	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
