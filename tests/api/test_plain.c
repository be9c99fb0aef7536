/* test_plain.c - a plain word of a machine is never taken for a symbol (runtime/vm/lift.h),
 * whatever
 * its bits are: masks of a saved machine, words of bits in the world, numbers that rules make. */
#include <math.h>

#include "tests/api/scripts.h"

#include "runtime/sim/exact.h"
#include "runtime/sim/graph.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/symbols.h"

/* What has the bits of a symbol that no run ever makes, and of one that every run makes. */
static const word alike[] = {SYMBOL_FIRST + 0x6001f, SYMBOL_FIRST + 1};

/* The machine is closed and opened again: words changed in it are what they were. */
static void back_again(struct vm *m, struct lift *l, const uint32_t *at, const word *value, int n,
	const char *what)
{
	struct saved s = {0};
	int columns = 0;
	l->failed = false;
	lift_begin(m, l);
	lift_close(m, false, &s, &columns);
	if (l->failed)
		fail_msg("%s: given up", what);
	word *column = calloc((size_t)columns + 1, sizeof *column);
	assert_non_null(column);
	for (int k = 0; k < columns; k++) {
		const word low = s.v[s.n - 2 * columns + 2 * k];
		column[k] = low == NONE ? 0 : low;
	}
	lift_open(m, l, &s, columns, column);
	for (int k = 0; k < n; k++)
		if (m->w[at[k]] != value[k])
			fail_msg("%s: word %u is %llx and not %llx", what, at[k],
				(unsigned long long)m->w[at[k]], (unsigned long long)value[k]);
	lift_stop(m);
	free(column);
	VEC_FREE(s);
}

/* A saved machine has a mask for each 64 words: those that differ from the start. Here the words
 * differ that make each mask look like a symbol. */
static void masks_of(const struct program *p, struct graph *g, uint32_t from, uint32_t to)
{
	for (uint32_t base = from; base + 64 <= to; base += 64)
		for (int bit = 0; bit < 18; bit++) {
			const uint32_t at[3] = {base + 63, base + 32, base + (uint32_t)bit};
			word value[3], was[3];
			char what[60];
			vm_begin(g->m, 0, 0, 5);
			g->m->live = g->live;
			/* the others of the 64 are as they were: numbers that are counted cannot be put
			 * aside */
			for (uint32_t k = 0; k < 64; k++)
				g->m->w[base + k] = p->start[base + k];
			bool counted = false;
			for (int k = 0; k < 3; k++) {
				was[k] = g->m->w[at[k]];
				value[k] = g->m->w[at[k]] = p->start[at[k]] + 1;
				counted = counted || g->lift->home[at[k]].lifted;
			}
			snprintf(what, sizeof what, "words %u, bit %d", base, bit);
			if (!counted)
				back_again(g->m, g->lift, at, value, 3, what);
			for (int k = 0; k < 3; k++)
				g->m->w[at[k]] = was[k];
		}
}

static void bits_of(const struct program *p, struct graph *g)
{
	int n = 0;
	for (uint32_t at = 0; at < p->layout.acts; at++)
		for (size_t k = 0; g->lift->home[at].bits && k < sizeof alike / sizeof *alike;
			k++, n++) {
			vm_begin(g->m, 0, 0, 5);
			g->m->live = g->live;
			g->m->w[at] = alike[k];
			back_again(g->m, g->lift, &at, &alike[k], 1, "bits");
		}
	assert_true(n > 4);
}

static void test_saved(void **state)
{
	static const char *const scripts[] = {
		"tests/bench/f1.fray", "examples/web.fray", "tests/bench/f2.fray"};
	(void)state;
	for (size_t k = 0; k < sizeof scripts / sizeof *scripts; k++) {
		struct script s;
		script_open(&s, scripts[k]);
		assert_true(s.right);
		struct program *p = link_measured(s.f, 0);
		assert_non_null(p);
		struct graph *g = graph_new(p, NULL, 5, 0, 64 << 20);
		assert_non_null(g);
		masks_of(p, g, p->layout.lists, p->layout.labels);
		masks_of(p, g, p->layout.forced, p->layout.acts);
		bits_of(p, g);
		graph_free(g);
		program_free(p);
		script_close(&s);
	}
}

/* Numbers that look like symbols. %s: what Bruna's far becomes, what her ell becomes, and what it
 * is at the start. */
static const char fight[] =
	"every combatant has { ell: 1/2; lot: 0; far: 0 }\n"
	"action trot\n"
	"rule trotting \"ours\" {\n"
	"  on trot {\n"
	"    set actor's lot = actor's lot + roll 1d6\n"
	"    set actor's far = %s\n"
	"    set actor's ell = %s\n"
	"  }\n"
	"}\n"
	"combatant Bruna { hit points: 9; ell: %s }\n"
	"policy trot on { trot }\n"
	"encounter the bridge {\n"
	"  side party: Bruna\n"
	"  Bruna follows trot on\n"
	"  until Bruna's lot > 12\n"
	"  odds giving (Bruna's ell < 0), (Bruna's far < 0), average Bruna's lot\n"
	"}\n";

static void asked(const char *far, const char *set, const char *first)
{
	struct script s = {.folder = -1, .path = "tests/bench/f1.fray"};
	char text[1000];
	snprintf(text, sizeof text, fight, far, set, first);
	s.told.module = module_beside;
	s.f = host_open(&s.told);
	if (host_load(s.f, text, strlen(text)) != FRAY_OK)
		fail_msg("%s, %s: %s", far, set, s.told.first);
	struct program *p = link_measured(s.f, 0);
	assert_non_null(p);
	struct exact_plan plan = {.program = p,
		.max_rounds = 8,
		.effort = 10000ull * EFFORT_FORK,
		.states = 10000,
		.give_up = true,
		.keep_all = true};
	struct exact whole, flow;
	exact_run(&plan, &whole);
	plan.keep_all = false;
	plan.states = 1000000;
	plan.effort = 0;
	exact_run(&plan, &flow);
	assert_false(whole.gave_up);
	assert_int_equal(whole.measures, flow.measures);
	for (int i = 0; i < whole.measures; i++) {
		const char *what = p->measure[i].text;
		if (whole.measure[i].n != flow.measure[i].n)
			fail_msg("%s, %s: %s has %d values and not %d", far, set, what,
				flow.measure[i].n, whole.measure[i].n);
		for (int k = 0; k < whole.measure[i].n; k++) {
			const struct share *a = &whole.measure[i].share[k],
					   *b = &flow.measure[i].share[k];
			if (a->value != b->value || fabs(a->p - b->p) > 1e-12)
				fail_msg("%s, %s: %s is %lld with %g and not %lld with %g", far,
					set, what, (long long)b->value, b->p, (long long)a->value,
					a->p);
		}
	}
	exact_free(&whole);
	exact_free(&flow);
	program_free(p);
	fray_close(s.f);
}

static void test_numbers(void **state)
{
	(void)state;
	asked("1", "1/2", "1/2");
	asked("1", "-2147483647 / 3", "1/2");
	asked("1", "(1 - 2147483648) / (actor's lot + 3)", "1/2");
	asked("1", "actor's ell", "-2147483647/3");
	asked("0 - 9223372032559808511", "1/2", "1/2");
	asked("0 - 9223372032559808511 + actor's lot", "1/2", "1/2");
	asked("-4611686016279904250 - 4611686016279904250", "1/2", "1/2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_saved),
		cmocka_unit_test(test_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
