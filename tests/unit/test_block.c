/* test_block.c - runtime/world: the block and its text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/world/show.h"
#include "tests/unit/little.h"

static struct little l;

static int setup(void **state)
{
	(void)state;
	little_make(&l);
	return 0;
}

static void a_new_block_is_the_start_with_its_seed(void **state)
{
	(void)state;
	word *b = block_new(&l.p, 5, 9);
	assert_int_equal(b[H_PROGRAM], 77);
	assert_int_equal(b[H_SEED], 5);
	assert_int_equal(b[H_TRIAL], 9);
	assert_int_equal(*block_field(b, &l.p, F_HP, BRUNA), 8);
	*block_field(b, &l.p, F_HP, BRUNA) = 3;
	b[H_ROUNDS_LEFT] = 4;
	block_reset(b, &l.p, 6, 1);
	assert_int_equal(*block_field(b, &l.p, F_HP, BRUNA), 8);
	assert_int_equal(b[H_ROUNDS_LEFT], 0);
	assert_int_equal(b[H_SEED], 6);
	free(b);
}

static void a_copy_is_equal_until_it_changes(void **state)
{
	(void)state;
	word *a = block_new(&l.p, 1, 1), *b = block_new(&l.p, 2, 2);
	assert_false(block_equal(a, b, &l.p));
	block_copy(b, a, &l.p);
	assert_true(block_equal(a, b, &l.p));
	uint64_t hash = block_hash(a, &l.p);
	assert_true(hash == block_hash(b, &l.p));
	for (uint32_t i = 0; i < l.p.layout.words; i++) {
		b[i] ^= 1;
		assert_false(block_equal(a, b, &l.p));
		assert_true(block_hash(b, &l.p) != hash);
		b[i] ^= 1;
	}
	free(a);
	free(b);
}

static void have_runs(const struct block_run *want, int n)
{
	struct block_runs runs = {0};
	block_find_runs(&runs, &l.p);
	assert_int_equal(runs.n, n);
	for (int i = 0; i < n; i++) {
		assert_int_equal(runs.v[i].from, want[i].from);
		assert_int_equal(runs.v[i].end, want[i].end);
	}
	/* a block in which all of them were written is the start again */
	word *b = block_new(&l.p, 1, 1), *fresh = block_new(&l.p, 2, 3);
	for (int i = 0; i < n; i++)
		for (uint32_t at = runs.v[i].from; at < runs.v[i].end; at++)
			b[at] = 77;
	b[H_ACTS] = 1;
	memset(b + l.p.layout.acts, 0, l.p.layout.act_stride * sizeof *b);
	block_renew(b, &l.p, &runs, 2, 3);
	assert_true(block_equal(b, fresh, &l.p));
	free(b);
	free(fresh);
	free(runs.v);
}

/* The stack and what is in progress behind the acts. */
static void lay_out_as_linked(void)
{
	l.p.layout.stack = 240;
	l.p.layout.stack_words = 8;
	l.p.layout.happenings = 248;
	l.p.layout.happening_words = 8;
}

static void a_trial_writes_what_the_last_may_have_written(void **state)
{
	(void)state;
	have_runs(NULL, 0); /* the host looks on, and may write */
	l.p.observed = false;
	have_runs(NULL, 0); /* the stack before the acts */
	lay_out_as_linked();
	for (int i = 0; i < l.p.fields; i++)
		l.field[i].fixed = i != F_NUMBER;
	l.pair[0].fixed = true;
	/* what lies between the fields of two is little */
	have_runs((struct block_run[]){{0, 140}, {176, 180}}, 2);
	l.field[F_BAG].words = 5; /* nothing does */
	have_runs((struct block_run[]){{0, 88}, {136, 140}, {176, 180}}, 3);
	l.field[F_SIDE].fixed = false;
	have_runs((struct block_run[]){{0, 140}, {176, 180}}, 2);
	l.pair[0].fixed = false;
	have_runs((struct block_run[]){{0, 180}}, 1);
}

static void what_does_not_exist_has_no_field(void **state)
{
	(void)state;
	word *b = block_new(&l.p, 0, 0);
	assert_null(block_field(b, &l.p, F_HP, LITTLE_WHO));
	assert_null(block_field(b, &l.p, F_HP, -1));
	assert_null(block_field(b, &l.p, F_HP, NONE));
	assert_null(block_field(b, &l.p, LITTLE_FIELDS, 0));
	assert_null(block_field(b, &l.p, -1, 0));
	assert_null(block_field(b, &l.p, F_ACTOR, 4));
	assert_non_null(block_field(b, &l.p, F_ACTOR, 3));
	assert_null(block_pair(b, &l.p, 0, 0, LITTLE_WHO));
	assert_null(block_pair(b, &l.p, 0, NONE, 0));
	assert_null(block_pair(b, &l.p, 1, 0, 0));
	assert_null(block_act(b, &l.p, 4));
	assert_null(block_act(b, &l.p, NONE));
	assert_ptr_equal(block_act(b, &l.p, 1), b + 192);
	assert_ptr_equal(block_field(b, &l.p, F_HP, ORC2), b + 89 + 3 * 8);
	free(b);
}

static void a_pair_is_one_cell_unless_directed(void **state)
{
	(void)state;
	word *b = block_new(&l.p, 0, 0);
	assert_ptr_equal(block_pair(b, &l.p, 0, BRUNA, ORC1), block_pair(b, &l.p, 0, ORC1, BRUNA));
	l.pair[0].directed = true;
	assert_ptr_not_equal(block_pair(b, &l.p, 0, BRUNA, ORC1), block_pair(b, &l.p, 0, ORC1, BRUNA));
	free(b);
}

static void the_world_is_shown(void **state)
{
	(void)state;
	struct buf out = {0};
	word *b = block_new(&l.p, 0, 0);
	b[H_NOW] = 840;
	*block_field(b, &l.p, F_NUMBER, 0) = 2;
	*block_field(b, &l.p, F_START, 0) = 600;
	*block_field(b, &l.p, F_HP, ORC1) = 3;
	*block_field(b, &l.p, F_SEEN, ORC1) = 1 << HALVAINE | 1 << BRUNA;
	*block_field(b, &l.p, F_HP, ORC2) = 0;
	*block_pair(b, &l.p, 0, ORC1, BRUNA) = 1000;
	word *act = block_act(b, &l.p, 2);
	act[ACT_STATE] = ACT_PENDING;
	act[ACT_SERIAL] = 1;
	act[ACT_EVENT] = EV_ATTACK;
	act[ACT_ARGS + 1] = ORC1;
	act[ACT_ARGS + 2] = T_SWORD;
	*block_field(b, &l.p, F_ACTOR, 2) = BRUNA;
	act = block_act(b, &l.p, 0);
	act[ACT_STATE] = ACT_DECLARED;
	act[ACT_SERIAL] = 2;
	act[ACT_EVENT] = EV_CAST;
	act[ACT_ARGS + 1] = T_WEB;
	act[ACT_ARGS + 2] = 1 << ORC1 | 1 << ORC2;
	*block_field(b, &l.p, F_ACTOR, 0) = HALVAINE;
	world_show(&l.p, b, true, &out);
	assert_string_equal(buf_text(&out), 
		"The Bridge\n"
		"round 2, segment 4\n"
		"party\n"
		"orcs\n"
		"Halvaine\n"
		"  side: party\n"
		"  hit points: 8\n"
		"Bruna\n"
		"  side: party\n"
		"  hit points: 8\n"
		"  carries: 2 long swords\n"
		"  distance to orc #1: 10 ft\n"
		"orc #1\n"
		"  side: orcs\n"
		"  hit points: 3 (was 8)\n"
		"  seen: Halvaine and Bruna\n"
		"orc #2\n"
		"  side: orcs\n"
		"  hit points: 0 (was 8)\n"
		"orc #3\n"
		"  side: orcs\n"
		"  hit points: 8\n"
		"orc #4\n"
		"  side: orcs\n"
		"  hit points: 8\n"
		"pending: Bruna: attack orc #1 with long sword\n"
		"declared: Halvaine: cast web at orc #1 and orc #2\n");
	free(b);
	buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_new_block_is_the_start_with_its_seed, setup),
		cmocka_unit_test_setup(a_copy_is_equal_until_it_changes, setup),
		cmocka_unit_test_setup(a_trial_writes_what_the_last_may_have_written, setup),
		cmocka_unit_test_setup(what_does_not_exist_has_no_field, setup),
		cmocka_unit_test_setup(a_pair_is_one_cell_unless_directed, setup),
		cmocka_unit_test_setup(the_world_is_shown, setup),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
