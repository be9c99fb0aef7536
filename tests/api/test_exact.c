/* test_exact.c - what the enumeration forgets or puts together changes no answer: with and
 * without it, the same shares to the last digit and the same residues. */
#include "tests/api/host.h"

#include "lang/api/interp.h"
#include "runtime/sim/exact.h"

#include <math.h>

#define MORTAL \
	"use osric\nweapon stick { damage: 1d2 }\n" \
	"combatant Ann { THAC0: 14; armour class: 0; hit points: 1; weapon: stick }\n" \
	"combatant Bob { THAC0: 15; armour class: 1; hit points: 2; weapon: stick }\n" \
	"policy hit { attack my weakest enemy }\n" \
	"encounter duel { \n side us: Ann\n side them: Bob\n distance: 5 ft\n us's alerted: yes\n them's alerted: yes\n Ann and Bob follow hit\n" \
	" until us is down or them is down\n"

static const char *const scripts[] = {
	"use osric\nweapon stick { damage: 1d2 }\n"
	"combatant Ann { THAC0: 14; armour class: 0; hit points: 2; weapon: stick }\n"
	"combatant Bob { THAC0: 15; armour class: 1; hit points: 2; weapon: stick }\n"
	"policy hit { attack my weakest enemy }\n"
	"encounter duel { \n side us: Ann\n side them: Bob\n distance: 5 ft\n us's alerted: yes\n them's alerted: yes\n Ann and Bob follow hit\n"
	" until us is down or them is down\n odds giving Ann falls, Bob falls, spread Ann's hit points, average round, Ann acts before Bob\n}\n",
	/* a field that is read a round later, a chance, dice kept and dropped */
	"use core\nevery combatant has { luck: 0; grudge: 0 }\n"
	"combatant Ann { hit points: 3 }\ncombatant Bob { hit points: 3 }\n"
	"rule wear \"test\" { before phase declare { each combatant { if combatant's grudge > 3 { change combatant's hit points by -1 }\n set combatant's luck = roll 2d4kh1 }\n"
	" each combatant { set combatant's grudge = combatant's luck }\n if roll 25% { change Ann's hit points by -1 }\n } }\n"
	"encounter wearing { \n side us: Ann\n side them: Bob\n until Ann's hit points < 1 or Bob's hit points < 1\n"
	" odds giving (Ann's hit points < 1), (Bob's hit points < 1), spread Bob's hit points, average round\n}\n",
	/* states beside events: over as soon as all is decided; and where somebody is raised it is not */
	MORTAL " odds giving Ann is dead, Bob falls, Ann is not dead\n}\n",
	MORTAL " round 2 { set Ann's alive = yes }\n odds giving Ann is dead, Bob falls, Bob does not act\n}\n",
};

static struct node *question_of(struct fray *f)
{
	struct node *n = f->model.encounter.v[0].node->a;
	while (n && n->kind != N_KIND_Q_ODDS)
		n = n->next;
	assert_non_null(n);
	return n;
}

static void compare(const char *script)
{
	struct told told = {.codes = ""};
	struct fray *f = host_open(&told);
	if (host_load(f, script, strlen(script)) != FRAY_OK)
		fail_msg("%s", told.first);
	struct model *m = &f->model;
	m->measures = question_of(f)->b;
	m->reporting = true;
	m->pass = 9;
	infer_measures(m, 0, m->measures);
	m->for_odds = true;
	struct program *p = link_encounter(m, 0, false);
	assert_non_null(p);
	struct exact whole, less;
	struct exact_plan plan = {.program = p, .max_rounds = 2, .states = 10000000};
	exact_run(&plan, &less);
	plan.keep_all = true;
	exact_run(&plan, &whole);
	assert_true(whole.complete && less.complete);
	assert_true(whole.proven && less.proven);
	assert_int_equal(whole.measures, less.measures);
	for (int i = 0; i < whole.measures; i++) {
		double all = 0;
		assert_int_equal(whole.measure[i].n, less.measure[i].n);
		for (int k = 0; k < whole.measure[i].n; k++) {
			const struct share *a = &whole.measure[i].share[k], *b = &less.measure[i].share[k];
			assert_int_equal(a->value, b->value);
			assert_true(fabs(a->p - b->p) < 1e-15);
			assert_true(a->residue == b->residue);
			all += a->p;
		}
		assert_true(fabs(all - 1) < 1e-14);
	}
	/* never more to do */
	assert_true(less.worlds <= whole.worlds);
	exact_free(&whole);
	exact_free(&less);
	program_free(p);
	fray_close(f);
}

static void test_forgetting(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		compare(scripts[i]);
}

static void test_fractions(void **state)
{
	int64_t top, bottom;
	(void)state;
	assert_true(exact_fraction(289.0 / 320, residue_of(289, 320), &top, &bottom));
	assert_true(top == 289 && bottom == 320);
	assert_true(exact_fraction(1.0 / 3, residue_of(1, 3), &top, &bottom));
	assert_true(top == 1 && bottom == 3);
	assert_true(exact_fraction(1, residue_of(1, 1), &top, &bottom));
	assert_true(top == 1 && bottom == 1);
	/* digits alone prove nothing */
	assert_true(exact_fraction(84883337.0 / 737280000, residue_of(84883337, 737280000), &top, &bottom));
	assert_true(top == 84883337 && bottom == 737280000);
	assert_true(exact_fraction(123456789011.0 / 987654321000, residue_of(123456789011, 987654321000), &top, &bottom));
	assert_true(top == 123456789011 && bottom == 987654321000);
	assert_true(exact_fraction(0, 0, &top, &bottom));
	assert_true(top == 0 && bottom == 1);
	assert_false(exact_fraction(1.0 / 3, residue_of(1, 7), &top, &bottom));
	assert_false(exact_fraction(0.123456789, 987654321987654321u % ((1ull << 61) - 1), &top, &bottom));
	assert_false(exact_fraction(0.5, residue_of(500001, 1000000), &top, &bottom));
	uint64_t third = residue_of(1, 3);
	assert_true(residue_add(third, residue_add(third, third)) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_forgetting), cmocka_unit_test(test_fractions)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
