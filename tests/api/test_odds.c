/* test_odds.c - odds through the public interface: statuses, messages, the prompt, and that
 * an answer comes even when it is cut short. */
#include "tests/api/host.h"

#include <inttypes.h>

#include "runtime/base/hash.h"

static const char script[] =
	"use osric\n"
	"combatant Ann { THAC0: 18; armour class: 4; hit points: 20; weapon: club }\n"
	"combatant Bob { THAC0: 18; armour class: 6; hit points: 9; weapon: club }\n"
	"weapon club { damage: 1d6 }\n"
	"spell web { casting time: 1 segment }\n"
	"policy hit { attack my weakest enemy }\n"
	"encounter duel {\n"
	"  side us: Ann\n"
	"  side them: Bob\n"
	"  distance: 5 ft\n"
	"  Ann and Bob follow hit\n"
	"  until us is down or them is down\n"
	"}\n";

static struct fray *open_duel(struct told *t)
{
	struct fray *f = host_open(t);
	assert_int_equal(host_load(f, script, sizeof script - 1), FRAY_OK);
	struct fray_odds_options o = {.method = FRAY_EITHER, .seed = 1, .trials = 300};
	fray_set_odds(f, &o);
	return f;
}

/* A line at the prompt, and the code of what is said against it. */
static void refused(const char *line, const char *code)
{
	struct told t = {.codes = ""};
	struct fray *f = open_duel(&t);
	assert_int_equal(fray_line(f, line), FRAY_WRONG);
	if (strcmp(t.codes, code))
		fail_msg("%s: %s, not %s\n%s", line, t.codes, code, t.first);
	fray_close(f);
}

static void test_refused(void **state)
{
	(void)state;
	refused("odds 10 giving Ann's hit points", "F0820");
	refused("odds 10 giving average Ann's weapon", "F0821");
	refused("odds 10 { expect Ann is dead } vs { Ann waits }", "F0822");
	refused("odds 10 { side them: Bob }", "F0856");
	refused("odds 0", "F0827");
	refused("sweep Ann's hit points from 9 to 3 { odds 10 }", "F0828");
	refused("odds 10 on nowhere", "F0805");
	refused("odds 10 giving Ann's wit", "F0207");
	refused("odds 10 {Ann waits} vs {Ann waits} vs {Ann waits} vs {Ann waits} vs {Ann waits} vs {Ann waits} vs {Ann waits} vs {Ann waits} vs {Ann waits}", "F0825");
}

static void test_many_measures(void **state)
{
	struct told t = {.codes = ""};
	char line[4000] = "odds 10 giving Ann is dead";
	(void)state;
	struct fray *f = open_duel(&t);
	for (int i = 0; i < 200; i++)
		strcat(line, ", Bob is dead");
	assert_int_equal(fray_line(f, line), FRAY_WRONG);
	assert_string_equal(t.codes, "F0826");
	fray_close(f);
}

static void test_present(void **state)
{
	struct told t = {.codes = ""};
	(void)state;
	struct fray *f = open_duel(&t);
	size_t n;
	assert_int_equal(fray_line(f, "begin duel"), FRAY_OK);
	assert_int_equal(fray_line(f, "step 3"), FRAY_OK);
	const void *now = fray_world(f, &n);
	void *before = malloc(n);
	memcpy(before, now, n);
	assert_int_equal(fray_line(f, "odds 50"), FRAY_OK);
	assert_int_equal(fray_line(f, "odds 50 { Ann waits } vs { Ann attacks Bob } giving Bob is dead"), FRAY_OK);
	/* asking changes nothing */
	assert_memory_equal(before, fray_world(f, &n), n);
	assert_int_equal(fray_line(f, "odds 50 { set Ann's hit points = 1 }"), FRAY_OK);
	assert_int_equal(fray_line(f, "odds 50 { expect Ann is dead }"), FRAY_WRONG);
	assert_string_equal(t.codes, "F0822");
	assert_int_equal(fray_line(f, "step"), FRAY_OK);
	assert_int_equal(fray_line(f, "run"), FRAY_OK);
	assert_int_equal(fray_line(f, "odds 50"), FRAY_OK); /* it is over */
	free(before);
	fray_close(f);
}

static void test_nothing_to_ask(void **state)
{
	struct told t = {.codes = ""};
	(void)state;
	struct fray *f = host_open(&t);
	assert_int_equal(fray_line(f, "odds 10"), FRAY_WRONG);
	assert_string_equal(t.codes, "F0807");
	fray_close(f);
}

/* Dice typed at the table that the script cannot lead to again. */
static const char *ask_die(void *context, const char *prompt, const char *problem)
{
	(void)context;
	(void)prompt;
	return problem ? NULL : "4";
}

static bool stop_at_once(void *context)
{
	(void)context;
	return true;
}

static void test_interrupted(void **state)
{
	struct told t = {.codes = ""};
	(void)state;
	struct fray_config c = {.abi = FRAY_ABI, .context = &t, .report = host_report, .write = host_write, .ask_die = ask_die, .interrupted = stop_at_once};
	struct fray *f = fray_open(&c);
	assert_int_equal(host_load(f, script, sizeof script - 1), FRAY_OK);
	struct fray_odds_options o = {.method = FRAY_SAMPLED, .seed = 1, .trials = 100000000};
	fray_set_odds(f, &o);
	assert_int_equal(fray_odds(f, NULL), FRAY_INTERRUPTED);
	fray_close(f);
}

static void test_typed_dice(void **state)
{
	struct told t = {.codes = ""};
	(void)state;
	struct fray_config c = {.abi = FRAY_ABI, .context = &t, .report = host_report, .write = host_write, .ask_die = ask_die};
	struct fray *f = fray_open(&c);
	assert_int_equal(host_load(f, script, sizeof script - 1), FRAY_OK);
	struct fray_run_options o = {.seed = 1, .ask = 1};
	assert_int_equal(fray_begin(f, NULL, &o), FRAY_OK);
	bool over = false;
	for (int i = 0; i < 3; i++)
		assert_int_equal(fray_step(f, &over), FRAY_OK);
	/* what was typed is taken as it fell */
	assert_int_equal(fray_line(f, "odds 20"), FRAY_OK);
	fray_close(f);
}

/* A whole part of another form, which the same version made earlier, is told apart by its form. */
static void test_older_part(void **state)
{
	struct told t = {.codes = ""};
	size_t length;
	char older[20000], expects[80];
	(void)state;
	struct fray *f = host_open(&t);
	fray_share(f, 1, 1);
	assert_int_equal(host_load(f, script, sizeof script - 1), FRAY_OK);
	struct fray_odds_options o = {.method = FRAY_SAMPLED, .seed = 1, .trials = 20};
	fray_set_odds(f, &o);
	assert_int_equal(fray_odds(f, NULL), FRAY_OK);
	const char *part = fray_part(f, "fray odds", &length);
	const struct fray_part as_made = {"made", part, length};
	const char *form = strstr(part, "\"fray part\":"), *sum = strstr(part, "\n{\"sum\"");
	assert_true(form && sum && length < sizeof older);
	const size_t head = (size_t)(form - part) + strlen("\"fray part\":"), body = (size_t)(sum - part) + 1;
	const char now = part[head];
	memcpy(older, part, body);
	older[head] = '1';
	assert_int_not_equal(now, '1');
	snprintf(older + body, sizeof older - body, "{\"sum\":\"%016" PRIx64 "\"}\n", hash_bytes(older, body, 0));
	struct told merged = {.codes = ""};
	struct fray *g = host_open(&merged);
	assert_int_equal(fray_merge(g, &as_made, 1), FRAY_OK);
	fray_close(g);
	g = host_open(&merged);
	const struct fray_part of_old = {"old", older, strlen(older)};
	assert_int_equal(fray_merge(g, &of_old, 1), FRAY_WRONG);
	assert_string_equal(merged.codes, "F0841");
	snprintf(expects, sizeof expects, "with parts of form 1; this is Fray %s with parts of form %c.", FRAY_VERSION, now);
	if (!strstr(merged.first, expects))
		fail_msg("%s, not %s", merged.first, expects);
	fray_close(g);
	fray_close(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused), cmocka_unit_test(test_many_measures), cmocka_unit_test(test_present),
		cmocka_unit_test(test_nothing_to_ask), cmocka_unit_test(test_interrupted), cmocka_unit_test(test_typed_dice), cmocka_unit_test(test_older_part),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
