/* test_growth.c - how often two acts are compared, in fights of N against N: so many times the acts
 * that are pended, whatever N is; and whom loops have to ask. What is counted is the machine's own
 * work, so a busy computer changes nothing. */
#include "tests/api/scripts.h"

#include "runtime/vm/machine.h"

enum { ROUNDS = 4, TRIALS = 3 };

/* Half of a side has no weapons: whoever has one strikes first at whoever has none. */
static const char script[] =
	"use %s\n"
	"weapon spear { damage: 1d6; speed factor: 7; length: 8 ft }\n"
	"weapon fists { damage: 1d2%s }\n"
	"monster orc { hit dice: 1; hit points: 30; armour class: 6; THAC0: 19; carries: spear; level: 1 }\n"
	"monster brawler { hit dice: 1; hit points: 30; armour class: 5; THAC0: 18; level: 1; carries: fists }\n"
	"policy press on { attack my nearest enemy\n move 30 ft toward my nearest enemy }\n"
	"encounter e {\n  side orcs: %d orcs\n  side others: %d orcs, %d brawlers\n  distance: 5 ft\n"
	"  orcs follow press on\n  others follow press on\n  until orcs are down or others are down\n}\n";

/* A fight of n against n under a system, open and made, without native code. */
struct open { struct told told; struct fray *f; struct program *p; struct vm *m; };

static void open_fight(struct open *o, const char *system, const char *more, int n)
{
	static const struct vm_host host;
	char text[2000];
	*o = (struct open){0};
	o->f = host_open(&o->told);
	snprintf(text, sizeof text, script, system, more, n, n / 2, n - n / 2);
	if (host_load(o->f, text, strlen(text)) != FRAY_OK)
		fail_msg("%s: %s", system, o->told.first);
	o->p = link_encounter(&o->f->model, 0, false);
	assert_non_null(o->p);
	o->m = vm_new(o->p, &host);
	vm_native(o->m, NATIVE_NEVER);
}

static void close_fight(struct open *o)
{
	vm_free(o->m);
	program_free(o->p);
	fray_close(o->f);
}

/* Pairs asked for each act of the fights. */
static double asked(const char *system, int n)
{
	struct open o;
	uint64_t pairs = 0, acts = 0;
	open_fight(&o, system, strcmp(system, "crucible") ? "" : "; open hand: yes", n);
	for (uint64_t t = 0; t < TRIALS; t++) {
		vm_begin(o.m, 1, t, ROUNDS);
		assert_int_equal(vm_run(o.m), VM_OVER);
		pairs += o.m->pairs;
		acts += (uint64_t)o.m->w[H_SERIAL];
	}
	close_fight(&o);
	assert_true(acts > 0);
	print_message("%s, %d against %d: %.2f pairs an act\n", system, n, n, (double)pairs / (double)acts);
	return (double)pairs / (double)acts;
}

/* Where all that an answer rests on is seen to be written, an act is compared once, with those whom
 * a clause may concern. The keys of proc may step through the pending acts, which nobody notes;
 * those of these acts do not. Those of lite look for works alone, of which none is pending. */
static void test_kept(void **state)
{
	(void)state;
	static const char *const systems[] = {"crucible", "proc", "lite"};
	for (int i = 0; i < 3; i++) {
		const double few = asked(systems[i], 8), many = asked(systems[i], 32);
		assert_true(few > 0 && many < 2 * few + 1);
	}
}

/* The share of the turns of quiet loops that are due when a fight is over: who was written since.
 */
static double due(const char *system, int n)
{
	struct open o;
	uint64_t turns = 0, left = 0;
	open_fight(&o, system, "", n);
	vm_begin(o.m, 1, 0, ROUNDS);
	assert_int_equal(vm_run(o.m), VM_OVER);
	for (uint32_t i = 0; i < o.m->memo.quiets; i++)
		turns += (uint64_t)o.m->memo.quiet[i].things * o.m->memo.quiet[i].rows;
	for (uint32_t i = 0; i < o.m->memo.due_words; i++)
		left += (uint64_t)__builtin_popcountll(o.m->memo.due[i]);
	assert_true(turns > 0 && (strcmp(system, "lite") || o.p->filters > 0));
	close_fight(&o);
	print_message("%s, %d against %d: %.3f of the turns\n", system, n, n,
		(double)left / (double)turns);
	return (double)left / (double)turns;
}

/* Who has nothing to do in a loop is not asked again. */
static void test_quiet(void **state)
{
	(void)state;
	assert_true(due("dew", 24) < 0.7);
	assert_true(due("lite", 24) < 0.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept), cmocka_unit_test(test_quiet)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
