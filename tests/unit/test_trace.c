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
	int32_t values = trace_values(t, v, 2), faces = trace_faces(t, f, 3), at = trace_text(t, text, strlen(text));
	struct record *x = trace_at(t, r);
	x->values = values;
	x->value_count = 2;
	x->faces = faces;
	x->face_count = 3;
	x->text = at;
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
	assert_int_equal(t.record.n, 40);
	assert_int_equal(t.values.n, 80);
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
	assert_int_equal(t.record.n, 0);
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
	int32_t at = trace_text(&t, "told", 4);
	trace_at(&t, told)->text = at;
	int32_t later = trace_add(&t, REC_EVENT, early);
	at = trace_text(&t, "late", 4);
	trace_at(&t, early)->text = at;
	assert_string_equal(trace_text_at(&t, trace_get(&t, early)->text), "late");
	trace_cut(&t, later);
	assert_int_equal(trace_get(&t, early)->text, -1);
	assert_string_equal(trace_text_at(&t, trace_get(&t, told)->text), "told");
	trace_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_record_says_nothing),
		cmocka_unit_test(past_the_limit_nothing_is_added),
		cmocka_unit_test(cutting_forgets_what_came_after),
		cmocka_unit_test(what_was_told_late_is_untold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
