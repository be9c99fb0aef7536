/* test_session_crucible.c - timelines.h under crucible. */
#include "tests/api/timelines.h"

static void any_commands(void **s)
{
	(void)s;
	sequences("crucible");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(any_commands)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
