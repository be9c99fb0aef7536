/* test_table.c - dice asked for at the prompt: whatever is typed, taken back, undone, done
 * again, forked and edited, a saved session plays to the same world, byte for byte. */
#include "tests/api/host.h"

enum { SEQUENCES = 10, COMMANDS = 40 };

static const char script[] =
	"use osric\n"
	"weapon sword { damage: 1d8 }\n"
	"weapon maul { damage: 2d6 }\n"
	"monster orc { hit points: 9; armour class: 6; THAC0: 18; carries: sword }\n"
	"combatant Bruna { hit points: 22; armour class: 4; THAC0: 17; carries: maul }\n"
	"combatant Hal { hit points: 8; armour class: 8; THAC0: 20; carries: sword }\n"
	"policy stand firm { attack my nearest enemy with my weapon }\n"
	"encounter the ford {\n"
	"  side party: Bruna, Hal\n"
	"  side orcs: 3 orcs\n"
	"  distance: 5 ft\n"
	"  round 2 { dice: Bruna's attack roll 12 }\n"
	"  Bruna follows stand firm\n"
	"  Hal follows stand firm\n"
	"  orcs follow stand firm\n"
	"  until party is down or orcs are down\n"
	"}\n";

static unsigned state;

static unsigned drawn(unsigned n)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16) % n;
}

/* ---- somebody at the table ---- */

struct table { const char *const *line; int at; char text[60]; int asked, problems; char seen[4000]; };
static struct table table;

static const char *answer(void *context, const char *prompt, const char *problem)
{
	(void)context;
	table.asked++;
	table.problems += problem != NULL;
	if (strlen(table.seen) + strlen(prompt) + 2 < sizeof table.seen) {
		strcat(table.seen, prompt);
		strcat(table.seen, "\n");
	}
	if (table.line)
		return table.line[table.at] ? table.line[table.at++] : NULL;
	int sides = 6, count = 1;
	const char *dice = strrchr(prompt, '(');
	assert_non_null(dice);
	if (sscanf(dice, "(%dd%d", &count, &sides) != 2)
		assert_int_equal(sscanf(dice, "(d%d", &sides), 1);
	switch (drawn(9)) {
	case 0: return "";
	case 1: return "undo";
	case 2: return "?";
	case 3: return "99 1";
	case 4: return "roll";
	case 5: snprintf(table.text, sizeof table.text, "1 undo %d", count); return count == 1 ? table.text : "";
	default: snprintf(table.text, sizeof table.text, "%u", (unsigned)count + drawn((unsigned)(count * sides - count + 1))); return table.text;
	}
}

static struct fray *open_at_table(struct told *t)
{
	struct fray_config c = {.abi = FRAY_ABI, .context = t, .report = host_report, .write = host_write, .save = host_save, .ask_die = answer};
	struct fray *f = fray_open(&c);
	assert_non_null(f);
	assert_int_equal(host_load(f, script, sizeof script - 1), FRAY_OK);
	return f;
}

static void same_saved(struct fray *f, struct told *told)
{
	struct told other = {.codes = ""};
	char line[40];
	size_t n, k;
	int beats;
	assert_int_equal(fray_line(f, "save \"kept.fray\""), FRAY_OK);
	const char *step = strstr(told->saved, "step ");
	assert_non_null(step);
	assert_int_equal(sscanf(step, "step %d", &beats), 1);
	struct fray *again = host_open(&other);
	if (host_load(again, told->saved, told->saved_length) != FRAY_OK)
		fail_msg("what was saved is wrong:\n%s\n%s", other.first, told->saved);
	assert_int_equal(fray_line(again, "begin"), FRAY_OK);
	snprintf(line, sizeof line, "step %d", beats);
	if (beats)
		fray_line(again, line);
	const void *a = fray_world(f, &n), *b = fray_world(again, &k);
	assert_int_equal(n, k);
	if (memcmp(a, b, n))
		fail_msg("what was saved plays to another world:\n%s", told->saved);
	fray_close(again);
}

static void test_sequences(void **context)
{
	static const char *const lines[] = {
		"step", "step", "step", "step 2", "step round", "undo", "undo 2", "redo", "redo", "fork other", "switch main", "switch other",
		"set Bruna's hit points = 15", "force orc #1's attack roll 20", "dice roll", "dice ask", "dice ask party", "dice ask Hal, orcs",
	};
	(void)context;
	for (int s = 0; s < SEQUENCES; s++) {
		struct told told = {.codes = ""};
		memset(&table, 0, sizeof table);
		state = (unsigned)s + 77;
		struct fray *f = open_at_table(&told);
		assert_int_equal(fray_line(f, "begin"), FRAY_OK);
		assert_int_equal(fray_line(f, "dice ask"), FRAY_OK);
		for (int i = 0; i < COMMANDS; i++) {
			fray_line(f, lines[drawn((unsigned)(sizeof lines / sizeof *lines))]);
			table.seen[0] = '\0';
			if (i % 8 == 7)
				same_saved(f, &told);
		}
		same_saved(f, &told);
		assert_true(table.asked > 0);
		free(told.saved);
		fray_close(f);
	}
}

/* ---- what is asked, and what an answer taken back leaves ---- */

static void test_order(void **context)
{
	static const char *const answers[] = {"5 6", "3 4", "17 11", "7", "2 undo 14", "?", "undo undo 3", "roll", NULL};
	struct told told = {.codes = ""};
	(void)context;
	memset(&table, 0, sizeof table);
	table.line = answers;
	struct fray *f = open_at_table(&told);
	assert_int_equal(fray_line(f, "begin"), FRAY_OK);
	assert_int_equal(fray_line(f, "dice ask"), FRAY_OK);
	assert_int_equal(fray_line(f, "step"), FRAY_INTERRUPTED);
	assert_int_equal(table.problems, 1);
	assert_string_equal(table.seen,
		"party's surprise die (d6): \n"      /* 5 6 */
		"party's initiative (d6): \n"        /* 3 4 */
		"orc #1's attack roll (d20): \n"     /* 17; 11 is more than the damage can be */
		"orc #1's damage (d8): \n"           /* 7 */
		"orc #2's attack roll (d20): \n"     /* 2, and it is to be another: 14 */
		"orc #2's damage (d8): \n"           /* ? */
		"orc #2's damage (d8): \n"           /* back to the 14, back to the 7: 3 damage */
		"orc #2's attack roll (d20): \n"     /* roll: it misses */
		"orc #3's attack roll (d20): \n");   /* nobody answers any more */
	same_saved(f, &told);
	free(told.saved);
	fray_close(f);
}

/* The last answer may belong to a beat that is over. */
static void test_back_across(void **context)
{
	static const char *const answers[] = {"", "", "2", "3", "4", "undo", "undo", "19 8", "5", NULL};
	struct told told = {.codes = ""};
	size_t n;
	(void)context;
	memset(&table, 0, sizeof table);
	table.line = answers;
	struct fray *f = open_at_table(&told);
	assert_int_equal(fray_line(f, "begin"), FRAY_OK);
	assert_int_equal(fray_line(f, "dice ask orcs"), FRAY_OK);
	fray_line(f, "step 3");
	assert_true(fray_world(f, &n) != NULL);
	assert_non_null(strstr(table.seen,
		"orc #3's attack roll (d20): \n"
		"orcs' initiative (d6): \n"          /* of the second round: back to the first */
		"orc #3's attack roll (d20): \n"     /* and to orc #2 */
		"orc #2's attack roll (d20): \n"     /* 19 8 */
		"orc #3's attack roll (d20): \n"));
	same_saved(f, &told);
	free(told.saved);
	fray_close(f);
}

/* Nobody answers any more: nothing of the step has happened. */
static void test_left(void **context)
{
	static const char *const answers[] = {"5", "6", NULL};
	struct told told = {.codes = ""};
	size_t n;
	(void)context;
	memset(&table, 0, sizeof table);
	table.line = answers;
	struct fray *f = open_at_table(&told);
	assert_int_equal(fray_line(f, "begin"), FRAY_OK);
	assert_int_equal(fray_line(f, "dice ask"), FRAY_OK);
	fray_world(f, &n);
	void *before = malloc(n);
	assert_non_null(before);
	memcpy(before, fray_world(f, &n), n);
	assert_int_equal(fray_line(f, "step"), FRAY_INTERRUPTED);
	assert_memory_equal(before, fray_world(f, &n), n);
	assert_int_equal(fray_line(f, "dice roll"), FRAY_OK);
	assert_int_equal(fray_line(f, "step"), FRAY_OK);
	free(before);
	fray_close(f);
}

static void test_whom(void **context)
{
	struct told told = {.codes = ""};
	(void)context;
	struct fray *f = open_at_table(&told);
	assert_int_equal(fray_line(f, "dice ask party"), FRAY_WRONG);
	assert_string_equal(told.codes, "F0810");
	assert_int_equal(fray_line(f, "begin"), FRAY_OK);
	assert_int_equal(fray_line(f, "dice ask orcs, Hal, party"), FRAY_OK);
	assert_int_equal(fray_line(f, "dice ask sword"), FRAY_WRONG);
	assert_string_equal(told.codes, "F0810 F0830");
	assert_int_equal(fray_line(f, "dice ask Hal, Hal, Hal, Hal, Hal, Hal, Hal, Hal, Hal, Hal, Hal, Hal, Hal, Hal, Hal, Hal, Hal"), FRAY_WRONG);
	assert_string_equal(told.codes, "F0810 F0830 F0831");
	fray_close(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_back_across),
		cmocka_unit_test(test_left),
		cmocka_unit_test(test_whom),
		cmocka_unit_test(test_sequences),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
