/* test_profile.c - what `make profile` counts outlives the program it is counted of. */
#define FRAY_PROFILE
#undef FRAY_VM_PROFILE_H
#include "runtime/vm/profile.c" /* other builds have none of it */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/little.h"

static struct little one, other;

/* A program is freed, and its memory is another's: nothing of it is looked at again. */
static void test_freed(void **state)
{
	(void)state;
	setenv("FRAY_PROFILE_LINES", "1", 1);
	little_make(&one);
	little_make(&other);
	for (int i = 0; i < 5; i++)
		profile_step(&one.p, one.fn[1].entry);
	profile_over(&other.p);
	assert_ptr_equal(of, &one.p);
	profile_over(&one.p);
	assert_null(of);
	memset(&one, 0xab, sizeof one);
	profile_step(&other.p, other.fn[2].entry);
	profile_step(&other.p, other.fn[2].entry);
	assert_ptr_equal(of, &other.p);
	uint64_t seen[2] = {0};
	profile_over(&other.p);
	for (int i = 0; i < functions; i++)
		for (int k = 0; k < 2; k++)
			if (!strcmp(function[i].name, other.fn[1 + k].name))
				seen[k] = function[i].n;
	assert_int_equal(seen[0], 5);
	assert_int_equal(seen[1], 2);
	assert_int_equal(all, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_freed)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
