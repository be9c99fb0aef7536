/* test_session_dew.c - timelines.h under dew. */
#include "tests/api/timelines.h"

static void any_commands(void **s)
{
	(void)s;
	sequences("dew");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(any_commands)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
