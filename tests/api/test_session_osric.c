/* test_session_osric.c - timelines.h under osric; and what a timeline refuses. */
#include "tests/api/timelines.h"

static void any_commands(void **s)
{
	(void)s;
	sequences("osric");
}

static void what_cannot_be(void **s)
{
	static char script[sizeof body + 40];
	struct told told = {.codes = ""};
	(void)s;
	snprintf(script, sizeof script, "use osric\n%s", body);
	struct fray *f = host_open(&told);
	assert_int_equal(host_load(f, script, strlen(script)), FRAY_OK);
	assert_int_equal(fray_line(f, "begin"), FRAY_OK);
	assert_int_equal(fray_line(f, "step"), FRAY_OK);
	assert_int_equal(fray_line(f, "fork main"), FRAY_WRONG);
	assert_int_equal(fray_line(f, "switch mian"), FRAY_WRONG);
	assert_int_equal(fray_line(f, "use lite"), FRAY_WRONG);
	assert_int_equal(fray_line(f, "save \"../up.fray\""), FRAY_WRONG);
	assert_int_equal(fray_line(f, "load \"other.fray\""), FRAY_WRONG);
	assert_int_equal(fray_line(f, "weapon dagger { damage: 1d12 }"), FRAY_WRONG);
	assert_int_equal(fray_line(f, "why Bruna"), FRAY_WRONG);
	assert_int_equal(fray_line(f, "round 0 { Bruna waits }"), FRAY_WRONG);
	assert_int_equal(fray_line(f, "beat 1 { Bruna waits }"), FRAY_WRONG);
	assert_int_equal(fray_line(f, "surprise segment 1 { Bruna waits }"), FRAY_WRONG);
	assert_string_equal(told.codes, "F0814 F0815 F0816 F0862 F0861 F0819 F0863 F0864 F0865");
	fray_close(f);
	/* a host that keeps no files */
	struct told deaf = {.codes = ""};
	struct fray_config c = {.abi = FRAY_ABI, .context = &deaf, .report = host_report};
	f = fray_open(&c);
	assert_int_equal(host_load(f, script, strlen(script)), FRAY_OK);
	assert_int_equal(fray_line(f, "begin"), FRAY_OK);
	assert_int_equal(fray_line(f, "save \"kept.fray\""), FRAY_WRONG);
	assert_string_equal(deaf.codes, "F0817");
	fray_close(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(any_commands), cmocka_unit_test(what_cannot_be)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
