/* test_session.c - the prompt's timelines against a naive model: after any commands the world
 * is that of a new session in which only what still counts was typed. */
#include "tests/api/host.h"

enum { SEQUENCES = 12, COMMANDS = 60, LINES_MAX = 2 * COMMANDS, FORKS_MAX = 4 };

static const char script[] =
	"use osric\n"
	"weapon sword { damage: 1d8 }\n"
	"spell bolt { level: 1; casting time: 2 segments; on effect { each foe in target { change foe's hit points by -3 } } }\n"
	"monster orc { hit points: 9; armour class: 6; THAC0: 18; carries: sword }\n"
	"combatant Bruna { hit points: 22; armour class: 4; THAC0: 17; carries: sword }\n"
	"combatant Hal { hit points: 8; armour class: 8; THAC0: 20; knows: bolt, bolt, bolt; carries: sword }\n"
	"policy stand firm { attack my nearest enemy with sword }\n"
	"encounter the ford {\n"
	"  side party: Bruna, Hal\n"
	"  side orcs: 3 orcs\n"
	"  distance: 5 ft\n"
	"  Bruna follows stand firm\n"
	"  orcs follow stand firm\n"
	"  until party is down or orcs are down\n"
	"}\n";

static const char *const typed[] = {
	"Hal casts bolt at orc #1",
	"Hal attacks orc #2 with sword",
	"orc #3 attacks Hal with sword",
	"set Bruna's hit points = 15",
	"change orc #1's hit points by 5",
	"dice: Bruna's attack roll 20",
	"force orc #1's attack roll 1",
	"rule heavy \"ruled at the table\" { adjust damage done (attacker, target, weapon) by 1 }",
	"rule late \"ruled at the table\" { adjust act's time by 1 segment when act is melee attack }",
	"drop rule death",
	"Hal follows stand firm",
	"expect Bruna is not dead",
	"round 3 { Hal flees }",
	"combatant Sly { hit points: 5 }",
};

/* What still counts of one timeline: the lines to type, in order. */
struct line_model { const char *line[LINES_MAX]; int at, n; };

static unsigned state;

static unsigned drawn(unsigned n)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16) % n;
}

static struct fray *begun(struct told *told)
{
	struct fray *f = host_open(told);
	assert_int_equal(host_load(f, script, sizeof script - 1), FRAY_OK);
	assert_int_equal(fray_line(f, "begin"), FRAY_OK);
	return f;
}

static void show_difference(const int64_t *a, const int64_t *b, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (a[i] != b[i])
			print_message("word %zu: %lld, not %lld\n", i, (long long)a[i], (long long)b[i]);
}

static void same_world(struct fray *f, const struct line_model *m)
{
	struct told told = {.codes = ""};
	struct fray *naive = begun(&told);
	size_t n, k;
	for (int i = 0; i < m->at; i++)
		fray_line(naive, m->line[i]);
	const void *a = fray_world(f, &n), *b = fray_world(naive, &k);
	assert_int_equal(n, k);
	if (memcmp(a, b, n)) {
		show_difference(a, b, n / sizeof(int64_t));
		for (int i = 0; i < m->at; i++)
			print_message("  %s\n", m->line[i]);
		fail_msg("the world is another one than after these lines");
	}
	fray_close(naive);
}

/* Types a line; what was refused counts for nothing. */
static void say(struct fray *f, struct line_model *m, const char *line)
{
	enum fray_status s = fray_line(f, line);
	if (s == FRAY_WRONG || m->at == LINES_MAX)
		return;
	m->line[m->at++] = line;
	m->n = m->at;
}

/* What is saved plays to the same world. */
static void same_saved(struct fray *f, struct told *told)
{
	struct told other = {.codes = ""};
	char line[40];
	size_t n, k;
	int beats;
	assert_int_equal(fray_line(f, "save \"kept.fray\""), FRAY_OK);
	assert_non_null(told->saved);
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
	if (memcmp(a, b, n)) {
		show_difference(a, b, n / sizeof(int64_t));
		fail_msg("what was saved plays to another world:\n%s", told->saved);
	}
	fray_close(again);
}

static void sequence(unsigned seed)
{
	static const char *const name[FORKS_MAX] = {"main", "second", "third", "fourth"};
	struct told told = {.codes = ""};
	struct line_model fork[FORKS_MAX] = {{{0}, 0, 0}};
	int forks = 1, now = 0;
	char line[40];
	state = seed;
	struct fray *f = begun(&told);
	for (int i = 0; i < COMMANDS; i++) {
		struct line_model *m = &fork[now];
		unsigned what = drawn(20);
		if (what < 7) {
			say(f, m, "step");
		} else if (what < 13) {
			say(f, m, typed[drawn(sizeof typed / sizeof *typed)]);
		} else if (what < 15) {
			int n = (int)drawn(4) + 1;
			snprintf(line, sizeof line, "undo %d", n);
			assert_int_equal(fray_line(f, line), FRAY_OK);
			m->at = n < m->at ? m->at - n : 0;
		} else if (what < 17) {
			int n = (int)drawn(4) + 1;
			snprintf(line, sizeof line, "redo %d", n);
			assert_int_equal(fray_line(f, line), FRAY_OK);
			m->at = n < m->n - m->at ? m->at + n : m->n;
		} else if (what == 17 && forks < FORKS_MAX) {
			snprintf(line, sizeof line, "fork %s", name[forks]);
			assert_int_equal(fray_line(f, line), FRAY_OK);
			fork[forks] = *m;
			fork[forks].n = m->at;
			now = forks++;
		} else {
			now = (int)drawn((unsigned)forks);
			snprintf(line, sizeof line, "switch %s", name[now]);
			assert_int_equal(fray_line(f, line), FRAY_OK);
		}
		same_world(f, &fork[now]);
	}
	same_saved(f, &told);
	free(told.saved);
	fray_close(f);
}

static void any_commands(void **s)
{
	const char *more = getenv("SEQUENCES"); /* make soak asks for many */
	unsigned n = more ? (unsigned)atoi(more) : SEQUENCES;
	(void)s;
	for (unsigned i = 1; i <= n; i++)
		sequence(i);
}

static void what_cannot_be(void **s)
{
	struct told told = {.codes = ""};
	(void)s;
	struct fray *f = begun(&told);
	assert_int_equal(fray_line(f, "step"), FRAY_OK);
	assert_int_equal(fray_line(f, "fork main"), FRAY_WRONG);
	assert_int_equal(fray_line(f, "switch mian"), FRAY_WRONG);
	assert_int_equal(fray_line(f, "use osric with { tie: reroll }"), FRAY_WRONG);
	assert_int_equal(fray_line(f, "save \"../up.fray\""), FRAY_WRONG);
	assert_string_equal(told.codes, "F0814 F0815 F0816 F0803");
	fray_close(f);
	/* a host that keeps no files */
	struct told deaf = {.codes = ""};
	struct fray_config c = {.abi = FRAY_ABI, .context = &deaf, .report = host_report};
	f = fray_open(&c);
	assert_int_equal(host_load(f, script, sizeof script - 1), FRAY_OK);
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
