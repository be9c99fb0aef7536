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
	assert_int_equal(fray_line(f, "why Bruna"), FRAY_OK); /* what may be asked of her */
	assert_int_equal(fray_line(f, "round 0 { Bruna waits }"), FRAY_WRONG);
	assert_int_equal(fray_line(f, "beat 1 { Bruna waits }"), FRAY_WRONG);
	assert_int_equal(fray_line(f, "surprise segment 1 { Bruna waits }"), FRAY_WRONG);
	/* F0437: the spells of the body say how one saves, which the shelf alone reads */
	assert_string_equal(told.codes, "F0437 F0814 F0815 F0816 F0862 F0861 F0819 F0864 F0865");
	fray_close(f);
	/* a host that keeps no files */
	struct told deaf = {.codes = ""};
	struct fray_config c = {.abi = FRAY_ABI, .context = &deaf, .report = host_report};
	f = fray_open(&c);
	assert_int_equal(host_load(f, script, strlen(script)), FRAY_OK);
	assert_int_equal(fray_line(f, "begin"), FRAY_OK);
	assert_int_equal(fray_line(f, "save \"kept.fray\""), FRAY_WRONG);
	assert_string_equal(deaf.codes, "F0437 F0817");
	fray_close(f);
}

/* What was typed in a fight is gone when it is begun anew: program and world are those of the first time. */
static void begun_anew(void **s)
{
	static char script[sizeof body + 40];
	static const char *const lines[] = {"step 2", "rule heavy { adjust damage done (attacker, target, weapon) by 1 }", "step", "set orc #2's awake = no", "fork other",
	                                    "policy wary { wait }", "Bruna follows wary", "step", "begin", "step 4"};
	struct told told = {.codes = ""};
	size_t n, k;
	(void)s;
	snprintf(script, sizeof script, "use osric\n%s", body);
	struct fray *f = host_open(&told), *fresh = host_open(&told);
	assert_int_equal(host_load(f, script, strlen(script)), FRAY_OK);
	assert_int_equal(host_load(fresh, script, strlen(script)), FRAY_OK);
	assert_int_equal(fray_line(f, "begin"), FRAY_OK);
	assert_int_equal(fray_line(fresh, "begin"), FRAY_OK);
	assert_int_equal(fray_line(fresh, "step 4"), FRAY_OK);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_int_equal(fray_line(f, lines[i]), FRAY_OK);
	const void *a = fray_world(f, &n), *b = fray_world(fresh, &k);
	assert_true(same_bytes(a, n, b, k));
	assert_int_equal(fray_line(f, "Bruna follows wary"), FRAY_WRONG);
	fray_close(f);
	fray_close(fresh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(any_commands), cmocka_unit_test(what_cannot_be), cmocka_unit_test(begun_anew)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
