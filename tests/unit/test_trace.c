/* test_trace.c - runtime/trace: adding, cutting, reading. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/trace/trace.h"

static void a_new_record_says_nothing(void **state)
{
	(void)state;
	struct trace t;
	trace_init(&t, 10);
	assert_int_equal(trace_add(&t, REC_RUN, -1), 0);
	assert_int_equal(trace_add(&t, REC_EVENT, 0), 1);
	const struct record *r = trace_get(&t, 1);
	assert_int_equal(r->kind, REC_EVENT);
	assert_int_equal(r->parent, 0);
	assert_int_equal(r->what, -1);
	assert_int_equal(r->clause, -1);
	assert_int_equal(r->act, -1);
	assert_true(r->time == NONE && r->value == NONE && r->owner == NONE);
	assert_string_equal(trace_text_at(&t, r->text), "");
	assert_null(trace_values_at(&t, r));
	assert_null(trace_faces_at(&t, r));
	assert_null(trace_get(&t, 2));
	assert_null(trace_get(&t, -1));
	trace_free(&t);
}

static void past_the_limit_nothing_is_added(void **state)
{
	(void)state;
	struct trace t;
	trace_init(&t, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(trace_add(&t, REC_RUN, -1), i);
	assert_int_equal(trace_add(&t, REC_RUN, -1), -1);
	trace_cut(&t, 1);
	assert_int_equal(trace_add(&t, REC_RUN, -1), 1);
	trace_free(&t);
}

static int32_t rich(struct trace *t, int number)
{
	word v[2] = {number, number + 1};
	int32_t f[3] = {number, -1, 6};
	char text[32];
	snprintf(text, sizeof text, "record %d", number);
	int32_t r = trace_add(t, REC_EVENT, number - 1);
	int32_t values = trace_values(t, v, 2), faces = trace_faces(t, f, 3);
	trace_tell(t, r, text, strlen(text));
	struct record *x = trace_at(t, r);
	x->values = values;
	x->value_count = 2;
	x->faces = faces;
	x->face_count = 3;
	return r;
}

static void cutting_forgets_what_came_after(void **state)
{
	(void)state;
	struct trace t;
	trace_init(&t, 1000);
	for (int i = 0; i < 100; i++)
		rich(&t, i);
	size_t texts = t.texts.length;
	trace_cut(&t, 100); /* nothing to do */
	trace_cut(&t, 1000);
	assert_int_equal(t.texts.length, texts);
	trace_cut(&t, 40);
	assert_int_equal(t.n, 40);
	assert_int_equal(t.end.values, 80);
	assert_int_equal(t.faces.n, 120);
	for (int i = 40; i < 60; i++)
		assert_int_equal(rich(&t, i), i);
	for (int i = 0; i < 60; i++) {
		char text[32];
		const struct record *r = trace_get(&t, i);
		snprintf(text, sizeof text, "record %d", i);
		assert_string_equal(trace_text_at(&t, r->text), text);
		assert_int_equal(trace_values_at(&t, r)[1], i + 1);
		assert_int_equal(trace_faces_at(&t, r)[0], i);
	}
	trace_cut(&t, 0);
	assert_int_equal(t.n, 0);
	assert_int_equal(t.texts.length, 0);
	trace_free(&t);
}

/* An event begun before the cut and told after it: undone, it has not been told. */
static void what_was_told_late_is_untold(void **state)
{
	(void)state;
	struct trace t;
	trace_init(&t, 100);
	int32_t early = trace_add(&t, REC_EVENT, -1), told = trace_add(&t, REC_EVENT, -1);
	trace_tell(&t, told, "told", 4);
	int32_t later = trace_add(&t, REC_EVENT, early);
	trace_tell(&t, early, "late", 4);
	assert_string_equal(trace_text_at(&t, trace_get(&t, early)->text), "late");
	trace_cut(&t, later);
	assert_int_equal(trace_get(&t, early)->text, -1);
	assert_string_equal(trace_text_at(&t, trace_get(&t, told)->text), "told");
	trace_free(&t);
}

/* ---- long logs: beside each a plain one, of which everything lies open ---- */

enum { LONG = 9 * TRACE_PAGE * (TRACE_OPEN < 16 ? TRACE_OPEN : 1), VALUES = 4 };

struct plain { struct record record; char text[24]; word value[VALUES]; int32_t face; };
struct both { struct trace t; struct plain *plain; int n; uint64_t rng; };

static uint32_t drawn(struct both *b, uint32_t sides)
{
	b->rng = b->rng * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(b->rng >> 33) % sides;
}

static void both_open(struct both *b)
{
	memset(b, 0, sizeof *b);
	b->plain = calloc(LONG, sizeof *b->plain);
	assert_non_null(b->plain);
	trace_init(&b->t, LONG);
}

static void both_close(struct both *b)
{
	free(b->plain);
	trace_free(&b->t);
}

static void tell(struct both *b, int32_t number)
{
	struct plain *x = &b->plain[number];
	snprintf(x->text, sizeof x->text, "text %u", drawn(b, 1000000));
	trace_tell(&b->t, number, x->text, strlen(x->text));
	x->record.text = trace_get(&b->t, number)->text;
}

static word some_word(struct both *b)
{
	static const word odd[] = {NONE, 0, -1, INT64_MAX, INT64_MIN + 1, 1ll << 40, -77};
	return drawn(b, 3) ? (word)drawn(b, 40) : odd[drawn(b, FRAY_COUNT(odd))];
}

static void both_add(struct both *b)
{
	struct plain *x = &b->plain[b->n];
	int32_t n = trace_add(&b->t, (enum record_kind)drawn(b, REC_KINDS), b->n ? (int32_t)drawn(b, (uint32_t)b->n) : -1);
	int words = drawn(b, 2) ? (int)drawn(b, VALUES + 1) : 2;
	assert_int_equal(n, b->n);
	for (int i = 0; i < words; i++)
		x->value[i] = some_word(b);
	int32_t values = trace_values(&b->t, x->value, words), faces = -1;
	if (drawn(b, 9) == 0) {
		x->face = (int32_t)drawn(b, 20) - 9;
		faces = trace_faces(&b->t, &x->face, 1);
	}
	struct record *r = trace_at(&b->t, n);
	r->values = values;
	r->value_count = (uint16_t)words;
	r->faces = faces;
	r->face_count = faces >= 0;
	r->what = (int32_t)drawn(b, 12) - 1;
	r->flag = (uint8_t)drawn(b, 3);
	r->owner = some_word(b);
	r->value = some_word(b);
	r->time = drawn(b, 5) ? 10 : some_word(b);
	r->clause = (int32_t)drawn(b, 4) - 1;
	r->act = drawn(b, 4) ? 3 : -1;
	r->group = b->n / 30;
	r->round = b->n / 100;
	r->span = (struct span){(uint16_t)drawn(b, 3), drawn(b, 4) * 100, drawn(b, 4) * 90};
	x->record = *r;
	b->n++;
	if (drawn(b, 6) == 0)
		tell(b, n);
}

static void assert_same(struct both *b)
{
	assert_int_equal(b->t.n, b->n);
	for (int k = 0; k < b->n; k++) {
		/* here and there: pages come and go */
		int i = k % 7 ? k : (int)drawn(b, (uint32_t)b->n);
		const struct plain *x = &b->plain[i];
		const struct record *r = k % 3 ? trace_get(&b->t, i) : trace_look(&b->t, i), *y = &x->record;
		assert_true(r->kind == y->kind && r->flag == y->flag && r->dropped == y->dropped && r->closed == y->closed && r->parent == y->parent);
		assert_true(r->what == y->what && r->clause == y->clause && r->act == y->act && r->round == y->round && r->time == y->time);
		assert_true(r->value == y->value && r->owner == y->owner && r->group == y->group && r->value_count == y->value_count);
		assert_true(r->span.file == y->span.file && r->span.start == y->span.start && r->span.end == y->span.end);
		assert_string_equal(trace_text_at(&b->t, r->text), y->text < 0 ? "" : x->text);
		struct record kept = *r; /* a look lasts till the next page is opened */
		const word *v = trace_values_at(&b->t, &kept);
		assert_true((v != NULL) == (y->value_count > 0));
		if (v)
			assert_memory_equal(v, x->value, sizeof *v * y->value_count);
		const int32_t *face = trace_faces_at(&b->t, &kept);
		assert_true((face != NULL) == (y->face_count > 0) && (!face || *face == x->face));
	}
}

static void both_cut(struct both *b, int length)
{
	trace_cut(&b->t, length);
	b->n = length;
	size_t texts = b->t.texts.length;
	for (int i = 0; i < length; i++)
		if (b->plain[i].record.text >= 0 && (size_t)b->plain[i].record.text >= texts)
			b->plain[i].record.text = -1;
}

static void a_long_log_is_what_was_written(void **state)
{
	(void)state;
	struct both b;
	both_open(&b);
	for (int turn = 0; turn < 12; turn++) {
		while (b.n < LONG && drawn(&b, 3 * TRACE_PAGE))
			both_add(&b);
		for (int i = 0; i < 5; i++) {
			/* what was written long ago is written to */
			int32_t late = (int32_t)drawn(&b, (uint32_t)b.n);
			trace_at(&b.t, late)->dropped = b.plain[late].record.dropped = true;
			trace_at(&b.t, late)->closed = b.plain[late].record.closed = true;
			tell(&b, late);
		}
		assert_same(&b);
		if (turn % 2)
			both_cut(&b, (int)drawn(&b, (uint32_t)b.n));
		assert_same(&b);
	}
	both_cut(&b, TRACE_PAGE);
	assert_same(&b);
	both_cut(&b, 0);
	while (b.n < LONG)
		both_add(&b);
	assert_int_equal(trace_add(&b.t, REC_NOTE, -1), -1);
	assert_same(&b);
	both_close(&b);
}

static void what_is_looked_back_for_is_found(void **state)
{
	(void)state;
	struct both b;
	both_open(&b);
	while (b.n < LONG)
		both_add(&b);
	for (int i = 0; i < 60; i++) {
		int32_t from = (int32_t)drawn(&b, LONG), kind = (int32_t)drawn(&b, REC_KINDS), what = (int32_t)drawn(&b, 13) - 1, k = from, e = from, c = from;
		const uint32_t of = i % 2 ? OF_EVENTS : 1u << REC_EVENT;
		word owner = some_word(&b);
		while (k >= 0 && b.plain[k].record.kind != kind)
			k--;
		while (e >= 0 &&
			(!(of >> b.plain[e].record.kind & 1) ||
				(what >= 0 && b.plain[e].record.what != what)))
			e--;
		while (c >= 0 && (b.plain[c].record.kind != REC_CHANGE || b.plain[c].record.what != what || b.plain[c].record.owner != owner))
			c--;
		assert_int_equal(trace_back(&b.t, from, 1u << kind), k);
		assert_int_equal(trace_back_to_event(&b.t, from, of, what), e);
		assert_int_equal(trace_back_to_change(&b.t, from, what, owner), c);
	}
	both_close(&b);
}

static void a_copy_goes_its_own_way(void **state)
{
	(void)state;
	struct both b, copy;
	both_open(&b);
	both_open(&copy);
	while (b.n < LONG / 2)
		both_add(&b);
	trace_copy(&copy.t, &b.t);
	memcpy(copy.plain, b.plain, sizeof *b.plain * (size_t)b.n);
	copy.n = b.n;
	copy.rng = 99;
	for (int i = 0; i < TRACE_PAGE; i++) {
		both_add(&b);
		both_add(&copy);
		tell(&b, i * 3);
		trace_at(&copy.t, i)->dropped = copy.plain[i].record.dropped = true;
	}
	both_cut(&copy, copy.n - 2 * TRACE_PAGE - 7);
	both_add(&copy);
	assert_same(&b);
	assert_same(&copy);
	both_close(&b);
	assert_same(&copy);
	both_close(&copy);
}

/* A piece is taken out, something else is written there, and then it is put back. */
static void a_piece_comes_back(void **state)
{
	(void)state;
	for (int turn = 0; turn < 40; turn++) {
		struct both b;
		both_open(&b);
		b.rng = (uint64_t)turn;
		while (b.n < LONG / 3 + turn * 5)
			both_add(&b);
		static const int shorter[] = {0, 1, TRACE_PAGE, TRACE_PAGE + 1, 3 * TRACE_PAGE, 3 * TRACE_PAGE - 1};
		int from = b.n - shorter[turn % FRAY_COUNT(shorter)], n = b.n, to = from + (n - from) / 2;
		struct trace_tail tail;
		struct plain *kept = malloc(sizeof *kept * (size_t)LONG);
		assert_non_null(kept);
		from -= turn % 2 ? 0 : from % TRACE_PAGE;
		memcpy(kept, b.plain, sizeof *kept * (size_t)LONG);
		trace_take(&b.t, from, &tail);
		b.n = from;
		assert_same(&b);
		for (int i = 0; i < 2 * TRACE_PAGE; i++)
			both_add(&b);
		assert_same(&b);
		memcpy(b.plain, kept, sizeof *kept * (size_t)LONG);
		trace_lend(&b.t, &tail, to);
		b.n = to;
		for (int i = 0; i < TRACE_PAGE / 2; i++)
			both_add(&b);
		assert_same(&b);
		memcpy(b.plain, kept, sizeof *kept * (size_t)LONG);
		trace_give(&b.t, &tail);
		b.n = n;
		assert_same(&b);
		both_add(&b);
		assert_same(&b);
		free(kept);
		both_close(&b);
	}
}

/* What is lent stays where it is until its errand is done, however many pages are opened meanwhile. */
static void what_is_lent_lasts(void **state)
{
	enum { MANY = TRACE_PAGE * (3 * TRACE_OPEN) };
	(void)state;
	struct trace t;
	trace_init(&t, MANY + 1);
	uint64_t adding = trace_errand(&t);
	for (int i = 0; i < MANY; i++)
		rich(&t, i);
	trace_done(&t, adding);
	assert_true(t.desk->page.n <= 2 * TRACE_OPEN);
	uint64_t whole = trace_errand(&t);
	const struct record *first = trace_get(&t, 0);
	for (int32_t i = 0; i < MANY; i += TRACE_PAGE) {
		uint64_t one = trace_errand(&t);
		assert_int_equal(trace_get(&t, i)->parent, i - 1);
		trace_done(&t, one);
	}
	assert_ptr_equal(trace_get(&t, 0), first);
	assert_true(t.desk->page.n <= TRACE_OPEN + 1);
	const struct record *held[3 * TRACE_OPEN];
	for (int i = 0; i < 3 * TRACE_OPEN; i++)
		held[i] = trace_get(&t, i * TRACE_PAGE);
	for (int i = 0; i < 3 * TRACE_OPEN; i++)
		assert_ptr_equal(trace_get(&t, i * TRACE_PAGE), held[i]);
	trace_done(&t, whole);
	assert_true(t.desk->page.n <= 2 * TRACE_OPEN);
	assert_int_equal(trace_get(&t, MANY - 1)->parent, MANY - 2);
	trace_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_record_says_nothing),
		cmocka_unit_test(past_the_limit_nothing_is_added),
		cmocka_unit_test(cutting_forgets_what_came_after),
		cmocka_unit_test(a_long_log_is_what_was_written),
		cmocka_unit_test(what_is_looked_back_for_is_found),
		cmocka_unit_test(a_copy_goes_its_own_way),
		cmocka_unit_test(a_piece_comes_back),
		cmocka_unit_test(what_was_told_late_is_untold),
		cmocka_unit_test(what_is_lent_lasts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
