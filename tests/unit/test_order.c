/* test_order.c - the order of pending acts: worked examples, then random acts and answers
 * against a slow implementation and against what must hold of every order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/buf.h"
#include "tests/unit/order_slow.h"
#include "tests/unit/order_slow.c"

/* ---- orders written down: "a | b c | d", answers "b yields d, d precedes a" ---- */

struct scene {
	struct order_input in;
	int32_t rank[32];
	struct order_answer answer[128];
};

static void scene_make(struct scene *s, const char *base, const char *answers)
{
	static const char *const verbs[] = {"precedes", "yields", "together", "meets", "apart"};
	int rank = 0;
	memset(s, 0, sizeof *s);
	s->in.rank = s->rank;
	s->in.answer = s->answer;
	/* acts are letters, declared in alphabetical order */
	for (const char *p = base; *p; p++) {
		rank += *p == '|';
		if (*p >= 'a' && *p <= 'z') {
			s->rank[*p - 'a'] = rank * 10;
			s->in.n++;
		}
	}
	for (const char *p = answers; *p; p++) {
		char one, verb[16], other;
		int used = 0;
		assert_int_equal(sscanf(p, " %c %15[a-z] %c%n", &one, verb, &other, &used), 3);
		struct order_answer *a = &s->answer[s->in.answers];
		a->one = one - 'a';
		a->other = other - 'a';
		a->verb = ORDER_PRECEDES;
		while (strcmp(verbs[a->verb], verb) != 0)
			a->verb++;
		a->clause = 100 + s->in.answers++;
		p += used;
		if (!*p)
			break;
	}
}

static const char *order_text(const struct order_input *in, const struct order *o, struct buf *b)
{
	buf_clear(b);
	for (int32_t g = 0; g < o->groups; g++) {
		if (g > 0)
			buf_puts(b, " |");
		for (int32_t k = o->start[g]; k < o->start[g + 1]; k++) {
			assert_int_equal(o->group[o->act[k]], g);
			buf_printf(b, "%s%c", k ? " " : "", 'a' + (char)o->act[k]);
		}
	}
	(void)in;
	return buf_text(b);
}

static void test_examples(void **state)
{
	static const struct { const char *base, *answers, *order; } row[] = {
		{"", "", ""},
		{"a", "", "a"},
		{"b | a c | d", "", "b | a c | d"},
		/* the walk: b straight after d, whatever is true already */
		{"a | b | c | d", "b yields d, d yields a", "a | c | d | b"},
		{"a | b | c | d", "c precedes a, a precedes d", "c | a | b | d"},
		/* a charge, b attack, c shot: the verb says who moves */
		{"a | b | c", "c precedes a", "c | a | b"},
		{"a | b | c", "a yields c", "b | c | a"},
		/* routines by places: two against one */
		{"a | c | b", "", "a | c | b"},
		/* one leaves its class, its fellows stay together */
		{"a b c | d", "b yields d", "a c | d | b"},
		{"a | b c | d", "d precedes b", "a | d | b c"},
		{"a b c", "b yields a", "a c | b"},
		{"a b c", "b precedes a", "b | a c"},
		/* waiters taken up at once keep base order among themselves */
		{"a | b | c d", "a yields c, b yields d", "c d | a | b"},
		{"a b | c", "a yields c, b yields c", "c | a b"},
		{"a | b | c", "a yields b, a yields c", "b | c | a"},
		{"a | b | c | d", "a yields c, b yields a", "c | a | b | d"},
		/* what is pulled pulls its own, and keeps base order */
		{"a | b | c | d", "c precedes a, d precedes c", "d | c | a | b"},
		{"a | b | c | d", "d precedes b, c precedes b", "a | c | d | b"},
		{"a | b c", "b precedes a, c precedes a", "b c | a"},
		/* both verbs: the puller waits for what its train waits for */
		{"a | b | c", "c precedes a, a yields b", "b | c | a"},
		{"a | b | c | d", "c precedes a, c yields d", "b | d | c | a"},
		{"a b | c", "a yields c, c precedes b", "c | a b"},
		{"a | b | c", "a yields c, c precedes b", "c | a | b"},
		{"a | b | c", "b precedes a, c precedes a, b yields c", "c | b | a"},
		/* bundles */
		{"a | b | c", "c together a", "a c | b"},
		{"a | b | c", "a together c", "b | a c"},
		{"a | b | c", "a meets c", "b | a c"},
		{"a | b | c", "c meets a", "b | a c"},
		{"a | b | c d", "c together a, b yields d", "a c | d | b"},
		{"a | b | c", "a together b, a yields c", "c | a b"},
		{"a | b | c", "a together b, b together a", "a b | c"},
		{"a | b | c | d", "a together b, b together d", "c | a b d"},
		{"a | b | c", "c together a, c together b", "a b c"},
		/* unordered, never together */
		{"a b c", "b apart c", "a b | c"},
		{"a b c", "c apart b", "a b | c"},
		{"a b c", "a apart b, b apart c", "a | b | c"},
		{"a b c", "a apart b, a apart c", "a | b c"},
		{"b | a", "a apart b", "b | a"},
		{"a b c | d", "a apart b, d together b", "a c | b d"},
		{"b c | a", "b apart c, a precedes b", "a | b | c"},
	};
	struct order o;
	struct buf b = {0};
	(void)state;
	order_init(&o);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct scene s;
		scene_make(&s, row[i].base, row[i].answers);
		assert_true(order_all(&s.in, &o));
		if (strcmp(order_text(&s.in, &o, &b), row[i].order) != 0)
			fail_msg("base %s, %s: %s, not %s", row[i].base, row[i].answers, buf_text(&b), row[i].order);
	}
	buf_free(&b);
	order_free(&o);
}

static void test_moves(void **state)
{
	/* for each act "answer,gave up" or "-" */
	static const struct { const char *base, *answers, *moves; } row[] = {
		{"a | b | c", "c precedes a", "- - 0a"},
		{"a | b | c", "a yields c", "0c - -"},
		{"a | b | c | d", "b yields d, d yields a", "- 0d - -"},
		{"a | b | c", "a yields c, b yields a", "0c 1c -"},
		{"a | b | c | d", "c precedes a, d precedes c", "- - 0a 1c"},
		{"a | b | c | d", "c precedes a, b precedes c", "- 1a 0a -"},
		{"a | b | c", "c together a", "- - 0a"},
		{"a | b | c", "a meets c", "0c - -"},
		{"a b c", "b apart c", "- - 0b"},
		{"a b | c", "a yields c, c precedes b", "- - 1b"},
		{"a | b | c", "a yields c, c precedes b", "0c - 1b"},
	};
	struct order o;
	struct buf b = {0};
	(void)state;
	order_init(&o);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct scene s;
		scene_make(&s, row[i].base, row[i].answers);
		assert_true(order_all(&s.in, &o));
		buf_clear(&b);
		for (int k = 0; k < s.in.n; k++) {
			buf_puts(&b, k ? " " : "");
			if (o.move[k].answer < 0)
				buf_putc(&b, '-');
			else
				buf_printf(&b, "%d%c", o.move[k].answer, 'a' + (char)o.move[k].gave_up);
		}
		if (strcmp(buf_text(&b), row[i].moves) != 0)
			fail_msg("base %s, %s: %s, not %s", row[i].base, row[i].answers, buf_text(&b), row[i].moves);
	}
	struct scene s;
	scene_make(&s, "a | b | c", "c precedes a");
	assert_true(order_all(&s.in, &o));
	assert_true(order_gave_up(&s.in, &o, 0, 2));
	assert_true(order_gave_up(&s.in, &o, 1, 2));
	assert_false(order_gave_up(&s.in, &o, 0, 1));
	assert_false(order_gave_up(&s.in, &o, 2, 0));
	buf_free(&b);
	order_free(&o);
}

static void test_rings(void **state)
{
	static const struct { const char *base, *answers; int n, ring[6]; } row[] = {
		{"a | b", "a precedes b, b precedes a", 2, {0, 1}},
		{"a | b", "a precedes b, a yields b", 2, {0, 1}},
		{"a | b | c | d", "d precedes a, a yields b, b yields c, c yields a", 3, {2, 1, 3}},
		{"a | b | c", "a together b, c precedes a, b precedes c", 3, {1, 0, 2}},
		{"a | b", "a meets b, a yields b", 2, {1, 0}},
		{"a | b | c", "a meets b, b together c, c apart a", 3, {2, 0, 1}},
		{"a | b | c | d", "b yields a, d precedes c, c precedes d, d yields b", 2, {1, 2}},
	};
	struct order o;
	(void)state;
	order_init(&o);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct scene s;
		bool same = true;
		scene_make(&s, row[i].base, row[i].answers);
		assert_false(order_all(&s.in, &o));
		assert_int_equal(o.groups, 0);
		assert_int_equal(o.ring, row[i].n);
		for (int k = 0; k < row[i].n; k++) {
			bool found = false; /* a ring has no first answer */
			for (int j = 0; j < row[i].n; j++)
				found |= o.ring_answer[j] == row[i].ring[k];
			same &= found;
		}
		if (!same)
			fail_msg("base %s, %s: another ring", row[i].base, row[i].answers);
		assert_false(order_next(&s.in, &o));
	}
	order_free(&o);
}

static void test_lowest(void **state)
{
	static const int32_t rank[] = {7, 3, INT32_MAX, 3, 9, 3};
	int32_t act[6];
	(void)state;
	assert_int_equal(order_lowest(rank, 6, act), 3);
	assert_memory_equal(act, ((int32_t[]){1, 3, 5}), 3 * sizeof *act);
	assert_int_equal(order_lowest(rank, 1, act), 1);
	assert_int_equal(order_lowest(rank, 0, act), 0);
}

/* ---- random acts ---- */

static uint64_t seed;

static int pick(int n)
{
	uint64_t z = seed += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (int)((z ^ z >> 31) % (uint64_t)n);
}

enum { PRECEDES = 1, YIELDS = 2, TIES = 12, APART = 16, ALL = 31 };

/* Verbs by bits; `along`: answers never contradict one hidden line of the acts, so that most
 * of what is made has no ring. */
static void scene_random(struct scene *s, int verbs, bool along)
{
	int line[SLOW_ACTS], classes;
	memset(s, 0, sizeof *s);
	s->in.rank = s->rank;
	s->in.answer = s->answer;
	s->in.n = 1 + pick(9);
	classes = 1 + pick(s->in.n + 1);
	for (int i = 0; i < s->in.n; i++) {
		s->rank[i] = pick(classes) - 3;
		line[i] = pick(1000) * SLOW_ACTS + i;
	}
	if (s->in.n == 1)
		return;
	s->in.answers = pick(pick(3) ? 6 : 16);
	for (int i = 0; i < s->in.answers; i++) {
		struct order_answer *a = &s->answer[i];
		do
			a->verb = (enum order_verb)pick(5);
		while (!(verbs >> a->verb & 1));
		a->one = pick(s->in.n);
		do
			a->other = pick(s->in.n);
		while (a->other == a->one);
		if (along && (a->verb == ORDER_PRECEDES) != (line[a->one] < line[a->other]) && a->verb <= ORDER_YIELDS) {
			int32_t t = a->one;
			a->one = a->other;
			a->other = t;
		}
		a->clause = i;
	}
}

static void scene_fail(const struct scene *s, const char *what)
{
	static const char *const verbs[] = {"precedes", "yields", "together", "meets", "apart"};
	struct buf b = {0};
	for (int i = 0; i < s->in.n; i++)
		buf_printf(&b, " %c:%d", 'a' + i, s->rank[i]);
	for (int i = 0; i < s->in.answers; i++)
		buf_printf(&b, ", %c %s %c", 'a' + s->answer[i].one, verbs[s->answer[i].verb], 'a' + s->answer[i].other);
	fail_msg("%s:%s", what, buf_text(&b));
}

static void compare(const struct scene *s, const struct order *o, int groups, const int32_t *group, const char *what)
{
	if (o->groups != (groups < 0 ? 0 : groups) || (groups < 0) != (o->ring > 0))
		scene_fail(s, what);
	for (int i = 0; i < s->in.n && groups >= 0; i++)
		if (o->group[i] != group[i])
			scene_fail(s, what);
}

static void test_against_slow(void **state)
{
	struct order o;
	int rings = 0, moved = 0, many = 60000;
	(void)state;
	order_init(&o);
	seed = 1;
	for (int k = 0; k < many; k++) {
		struct scene s;
		int32_t group[SLOW_ACTS];
		int groups;
		scene_random(&s, k % 4 == 0 ? PRECEDES | YIELDS : k % 4 == 1 ? ALL & ~TIES : ALL, k % 3 > 0);
		groups = order_slow(&s.in, group);
		assert_int_equal(order_all(&s.in, &o), groups >= 0);
		compare(&s, &o, groups, group, "not as the slow one");
		rings += groups < 0;
		for (int i = 0; i < s.in.n && groups >= 0; i++)
			moved += o.move[i].answer >= 0;
	}
	/* both sorts were tried, and much was moved */
	assert_in_range(rings, many / 10, many / 2);
	assert_true(moved > many / 2);
	order_free(&o);
}

static void test_one_verb(void **state)
{
	struct order o;
	int rings = 0;
	(void)state;
	order_init(&o);
	seed = 2;
	for (int k = 0; k < 40000; k++) {
		struct scene s;
		int32_t group[SLOW_ACTS];
		bool yields = k % 2;
		scene_random(&s, yields ? YIELDS : PRECEDES, k % 8 > 1);
		int groups = yields ? order_yields_only(&s.in, group) : order_precedes_only(&s.in, group);
		order_all(&s.in, &o);
		compare(&s, &o, groups, group, yields ? "not the plain walk" : "not the mirror image");
		rings += groups < 0;
	}
	assert_true(rings > 1000);
	order_free(&o);
}

/* What must hold of every order, said without saying how it is made. */
static void test_promises(void **state)
{
	struct order o, rest;
	(void)state;
	order_init(&o);
	order_init(&rest);
	seed = 3;
	for (int k = 0; k < 40000; k++) {
		struct scene s;
		scene_random(&s, ALL, true);
		if (!order_all(&s.in, &o))
			continue;
		for (int i = 0; i < s.in.answers; i++) {
			const struct order_answer *a = &s.answer[i];
			int one = o.group[a->one], other = o.group[a->other];
			if ((a->verb == ORDER_PRECEDES && one >= other) || (a->verb == ORDER_YIELDS && one <= other) ||
			    ((a->verb == ORDER_TOGETHER || a->verb == ORDER_MEETS) && one != other) || (a->verb == ORDER_APART && one == other))
				scene_fail(&s, "an answer is not heeded");
		}
		/* every place given up has an act that was moved, and says so */
		for (int i = 0; i < s.in.n; i++) {
			for (int j = 0; j < s.in.n; j++)
				if (order_gave_up(&s.in, &o, i, j) && o.move[i].answer < 0 && o.move[j].answer < 0)
					scene_fail(&s, "nobody was moved");
			if ((o.move[i].answer < 0) != (o.move[i].gave_up < 0) || o.move[i].gave_up == i)
				scene_fail(&s, "half a reason");
			if (s.in.answers == 0 && o.move[i].answer >= 0)
				scene_fail(&s, "moved by nothing");
		}
		/* the first group alone; then the rest goes on the same way */
		assert_true(order_next(&s.in, &rest));
		assert_int_equal(rest.groups, 1);
		for (int i = 0; i < s.in.n; i++)
			if ((rest.group[i] == 0) != (o.group[i] == 0) || (rest.group[i] != 0 && rest.group[i] != -1))
				scene_fail(&s, "another first group");
		struct scene left;
		int number[SLOW_ACTS];
		memset(&left, 0, sizeof left);
		left.in.rank = left.rank;
		left.in.answer = left.answer;
		for (int i = 0; i < s.in.n; i++) {
			number[i] = left.in.n;
			if (o.group[i] > 0)
				left.rank[left.in.n++] = s.rank[i];
		}
		for (int i = 0; i < s.in.answers; i++) {
			struct order_answer a = s.answer[i];
			if (o.group[a.one] == 0 || o.group[a.other] == 0)
				continue;
			a.one = number[a.one];
			a.other = number[a.other];
			left.answer[left.in.answers++] = a;
		}
		assert_true(order_all(&left.in, &rest));
		for (int i = 0; i < s.in.n; i++)
			if (o.group[i] > 0 && rest.group[number[i]] != o.group[i] - 1)
				scene_fail(&s, "the rest goes on another way");
	}
	order_free(&o);
	order_free(&rest);
}

/* Rings are rings: each answer leads to the act the next begins with. */
static void test_rings_close(void **state)
{
	struct order o;
	int rings = 0;
	(void)state;
	order_init(&o);
	seed = 4;
	for (int k = 0; k < 20000; k++) {
		struct scene s;
		scene_random(&s, ALL, false);
		if (order_all(&s.in, &o))
			continue;
		rings++;
		bool closed = false;
		/* an end of the first answer to start from; apart and ties lead both ways */
		for (int way = 0; way < 2; way++) {
			const struct order_answer *a = &s.answer[o.ring_answer[0]];
			int at = way ? a->one : a->other, begin = at;
			bool good = true;
			for (int i = 0; i < o.ring && good; i++) {
				a = &s.answer[o.ring_answer[i]];
				good = a->one == at || a->other == at;
				int to = a->one == at ? a->other : a->one;
				if (a->verb == ORDER_PRECEDES)
					good &= at == a->one;
				if (a->verb == ORDER_YIELDS)
					good &= at == a->other;
				if (a->verb == ORDER_APART)
					good &= i == 0;
				at = to;
			}
			closed |= good && at == begin;
		}
		if (!closed)
			scene_fail(&s, "the ring does not close");
	}
	assert_true(rings > 2000);
	order_free(&o);
}

/* Declared in another order, without `apart`, the same acts come in the same groups. */
static void test_declaration_does_not_matter(void **state)
{
	struct order o, other;
	(void)state;
	order_init(&o);
	order_init(&other);
	seed = 5;
	for (int k = 0; k < 20000; k++) {
		struct scene s, t;
		int to[SLOW_ACTS];
		scene_random(&s, ALL & ~APART, true);
		memset(&t, 0, sizeof t);
		t = s;
		t.in.rank = t.rank;
		t.in.answer = t.answer;
		for (int i = 0; i < s.in.n; i++) {
			int j = pick(i + 1);
			to[i] = to[j];
			to[j] = i;
		}
		for (int i = 0; i < s.in.n; i++)
			t.rank[to[i]] = s.rank[i];
		for (int i = 0; i < s.in.answers; i++) {
			struct order_answer *a = &t.answer[s.in.answers - 1 - i];
			*a = s.answer[i];
			a->one = to[a->one];
			a->other = to[a->other];
		}
		assert_int_equal(order_all(&s.in, &o), order_all(&t.in, &other));
		for (int i = 0; i < s.in.n && !o.ring; i++)
			if (o.group[i] != other.group[to[i]])
				scene_fail(&s, "declaration matters");
	}
	order_free(&o);
	order_free(&other);
}

/* Several hundred acts, every pair answered: the first stays quick, and sets of bits longer
 * than one word are right. */
static void test_many(void **state)
{
	enum { N = 300 };
	static int32_t rank[N];
	static struct order_answer answer[N * N];
	struct order_input in = {N, rank, answer, 0};
	struct order o;
	(void)state;
	order_init(&o);
	for (int i = 0; i < N; i++)
		rank[i] = i;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < i; j++)
			answer[in.answers++] = (struct order_answer){i, j, i % 2 ? ORDER_PRECEDES : ORDER_APART, 0};
	/* each odd act goes before all earlier ones: odd ones fall to the front backwards */
	assert_true(order_all(&in, &o));
	assert_int_equal(o.groups, N);
	for (int i = 0; i < N; i++)
		assert_int_equal(o.group[i], i % 2 ? N / 2 - 1 - i / 2 : N / 2 + i / 2);
	for (int i = 0; i < N; i++)
		rank[i] = 0;
	in.answers = 0;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < i; j++)
			answer[in.answers++] = (struct order_answer){j, i, ORDER_YIELDS, 0};
	assert_true(order_all(&in, &o));
	for (int i = 0; i < N; i++)
		assert_int_equal(o.group[i], N - 1 - i);
	answer[in.answers++] = (struct order_answer){N - 1, 0, ORDER_YIELDS, 0};
	assert_false(order_all(&in, &o));
	assert_in_range(o.ring, 2, 3);
	order_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_rings),
		cmocka_unit_test(test_lowest),
		cmocka_unit_test(test_against_slow),
		cmocka_unit_test(test_one_verb),
		cmocka_unit_test(test_promises),
		cmocka_unit_test(test_rings_close),
		cmocka_unit_test(test_declaration_does_not_matter),
		cmocka_unit_test(test_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
