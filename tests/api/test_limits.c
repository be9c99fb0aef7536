/* test_limits.c - bad input and too much of it: one clear sentence, soon, and no harm. */
#include <time.h>

#include "tests/api/host.h"

/* A text made of pieces; freed by its user. */
struct text { char *at; size_t length, room; };

static void add_bytes(struct text *t, const char *bytes, size_t n)
{
	if (t->length + n + 1 > t->room) {
		t->room = (t->length + n + 1) * 2;
		t->at = realloc(t->at, t->room);
		assert_non_null(t->at);
	}
	memcpy(t->at + t->length, bytes, n);
	t->length += n;
	t->at[t->length] = '\0';
}

static void add(struct text *t, const char *more)
{
	add_bytes(t, more, strlen(more));
}

static void add_times(struct text *t, const char *more, int times)
{
	for (int i = 0; i < times; i++)
		add(t, more);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Generous: sanitizers, a busy machine. What is slow is so by a square, not by a little. */
enum { SECONDS = 20 };

static void wrong(const char *text, size_t length, const char *codes)
{
	struct told told = {.codes = ""};
	struct fray *f = host_open(&told);
	double start = now();
	enum fray_status s = host_load(f, text, length);
	double took = now() - start;
	if (strcmp(told.codes, codes))
		fail_msg("%s, not %s\n%s", told.codes, codes, told.first);
	assert_int_equal(s, FRAY_WRONG);
	assert_int_equal(fray_begin(f, NULL, NULL), FRAY_WRONG);
	assert_true(took < SECONDS);
	fray_close(f);
}

static void says(const char *text, const char *codes)
{
	wrong(text, strlen(text), codes);
}

static void right(const struct text *t)
{
	struct told told = {.codes = ""};
	struct fray *f = host_open(&told);
	double start = now();
	enum fray_status s = host_load(f, t->at, t->length);
	double took = now() - start;
	if (s != FRAY_OK)
		fail_msg("%s", told.first);
	assert_true(took < SECONDS);
	fray_close(f);
}

/* ---- bytes ---- */

static void test_bytes(void **state)
{
	(void)state;
	wrong("weapon ma\0ce { }\n", 17, "F0148");
	wrong("\0", 1, "F0148");
	says("weapon caf\xe9 { }\n", "F0149");
	says("weapon caf\xf0\x9f\x92", "F0149");
	says("\xc0\xaf", "F0149");
	says("\xed\xa0\x80", "F0149");
	says("weapon club { damage: 1d6", "F0139");
	says("weapon club {", "F0139");
	says("rule \"", "F0141");
	says("encounter the bridge { round 1 { orc attacks", "F0139");
	struct told told = {.codes = ""};
	struct fray *f = host_open(&told);
	assert_int_equal(host_load(f, "", 0), FRAY_OK);
	assert_int_equal(fray_encounters(f), 0);
	fray_close(f);
}

/* Every beginning of a script is read without harm, and none of them is silently half read. */
static void test_cut_short(void **state)
{
	static const char script[] =
		"weapon long sword { damage: 1d8, 1d12 vs large; length: 3.5 ft }\n"
		"combatant Bruna { hit points: 9; carries: long sword }\n"
		"policy p { attack my nearest enemy with long sword when distance (me, my nearest enemy) <= 10 ft; wait }\n"
		"encounter the bridge { side party: Bruna; side orcs: 2 orcs\n"
		"  round 1 { dice: Bruna's attack roll 17 then 4; Bruna attacks orc #1; expect not Bruna is dead } }\n";
	(void)state;
	for (size_t n = 0; n < sizeof script - 1; n += 3) {
		struct told told = {.codes = ""};
		struct fray *f = host_open(&told);
		enum fray_status s = host_load(f, script, n);
		assert_true((s == FRAY_WRONG) == (told.count > 0));
		assert_true(told.count < 12);
		fray_close(f);
	}
}

/* ---- much of it ---- */

static void test_long(void **state)
{
	(void)state;
	struct text t = {0};
	for (int i = 0; i < 10000; i++)
		add_bytes(&t, "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((", 100);
	wrong(t.at, t.length, "F0101");
	t.length = 0;
	add(&t, "define combatant's luck = ");
	add_times(&t, "(", 1000000);
	wrong(t.at, t.length, "F0151");
	t.length = 0;
	add(&t, "weapon ");
	add_times(&t, "a", 10000);
	add(&t, " { }\n");
	wrong(t.at, t.length, "F0152");
	t.length = 0;
	add(&t, "weapon ");
	add_times(&t, "long ", 10000);
	add(&t, "sword { }\n");
	wrong(t.at, t.length, "F0152");
	t.length = 0;
	add_times(&t, "-- a comment of some length, to fill the page with\n", 400000);
	wrong(t.at, t.length, "F0150");
	free(t.at);
}

static void test_many_lines(void **state)
{
	(void)state;
	struct text t = {0};
	char line[200];
	for (int i = 0; i < 25000; i++) {
		snprintf(line, sizeof line, "weapon \"blade %d\" {\n  damage: 1d8\n  speed factor: %d\n}\n", i, i % 10);
		add(&t, line);
	}
	right(&t);
	free(t.at);
}

static void test_many_rules(void **state)
{
	(void)state;
	struct text t = {0};
	char line[300];
	add(&t, "every combatant has { luck: 0 }\n");
	for (int i = 0; i < 3000; i++) {
		snprintf(line, sizeof line, "rule \"omen %d\" \"house: %d\" { adjust combatant's luck by %d when combatant's hit points = %d }\n", i, i, i, i);
		add(&t, line);
	}
	right(&t);
	free(t.at);
}

static void test_numbers(void **state)
{
	(void)state;
	says("weapon a { damage: d0 }\n", "F0342");
	says("weapon a { damage: 0d6 }\n", "F0341");
	says("weapon a { damage: 100000d1000000 }\n", "F0740");
	says("weapon a { damage: 3d1000000 }\n", "F0741");
	says("weapon a { damage: 4d6kh9 }\n", "F0343");
	says("weapon a { bonus: 99999999999999999999999999 }\n", "F0153");
	says("weapon a { length: 99999999999999999999999999 ft }\n", "F0153");
	says("weapon a { length: 9999999999999999 miles }\n", "F0153");
	says("monster orc { hit points: 1 }\nencounter a { side b: orc; round 99999999999999999999 { } }\n", "F0153");
	says("unit aeon = 99999999999999999 hours\n", "F0153");
	says("unit aeon = 0 seconds\n", "F0302");
	says("unit aeon = 999999 hours\nevery combatant has { age: 999999999999999 aeons }\n", "F0153");
	says("every combatant has { hour: time }\ndefine combatant's hour = second 999999999999999999\n", "F0153");
}

/* ---- modules ---- */

static char *copied(const char *text, size_t *length)
{
	*length = strlen(text);
	char *copy = malloc(*length + 1);
	assert_non_null(copy);
	memcpy(copy, text, *length + 1);
	return copy;
}

static char *endless(const char *name, size_t *length)
{
	char text[100];
	int n = 0;
	if (sscanf(name, "m%d", &n) != 1)
		return NULL;
	snprintf(text, sizeof text, "use m%d\n", n + 1);
	return copied(text, length);
}

static char *circle(const char *name, size_t *length)
{
	return !strcmp(name, "ring") ? copied("use rang\nweapon ring blade { damage: 1d6 }\n", length)
	     : !strcmp(name, "rang") ? copied("use ring\nweapon rang blade is ring blade with { damage: 1d8 }\n", length) : NULL;
}

static void with_modules(char *(*module)(const char *, size_t *), const char *text, const char *codes)
{
	struct told told = {.codes = "", .module = module};
	struct fray *f = host_open(&told);
	enum fray_status s = host_load(f, text, strlen(text));
	if (strcmp(told.codes, codes))
		fail_msg("%s, not %s\n%s", told.codes, codes, told.first);
	assert_int_equal(s, *codes ? FRAY_WRONG : FRAY_OK);
	fray_close(f);
}

static void test_modules(void **state)
{
	(void)state;
	with_modules(NULL, "use xyzzy\n", "F0801");
	with_modules(NULL, "use oscric\n", "F0802");
	with_modules(NULL, "use \"../../etc/passwd\"\n", "F0803");
	with_modules(NULL, "use \"/etc/passwd\"\n", "F0803");
	with_modules(NULL, "use \".hidden\"\n", "F0803");
	with_modules(endless, "use m1\n", "F0804");
	with_modules(circle, "use ring\nweapon mine is rang blade with { damage: 1d10 }\n", "");
}

/* ---- encounters ---- */

static void test_encounters(void **state)
{
	static const char script[] = "combatant Bruna { hit points: 9 }\nencounter the bridge { side party: Bruna }\n";
	(void)state;
	struct told told = {.codes = ""};
	struct fray *f = host_open(&told);
	assert_int_equal(host_load(f, "", 0), FRAY_OK);
	assert_int_equal(fray_begin(f, NULL, NULL), FRAY_WRONG);
	assert_string_equal(told.codes, "F0807");
	fray_close(f);
	memset(&told, 0, sizeof told);
	f = host_open(&told);
	assert_int_equal(host_load(f, script, strlen(script)), FRAY_OK);
	assert_int_equal(fray_begin(f, "the bidge", NULL), FRAY_WRONG);
	assert_int_equal(fray_begin(f, "somewhere else", NULL), FRAY_WRONG);
	assert_string_equal(told.codes, "F0569 F0806 F0805");
	assert_int_equal(fray_begin(f, "the bridge", NULL), FRAY_OK);
	fray_close(f);
}

/* ---- requests ---- */

static void test_requests(void **state)
{
	static const char script[] = "combatant Bruna { hit points: 9 }\nencounter the bridge { side party: Bruna; round 1 { Bruna waits } }\n";
	static const char other[] =
		"{\"kind\":\"run\",\"encounter\":\"the bridge\",\"seed\":1,\"trial\":0}\n"
		"{\"kind\":\"roll\",\"dice\":[{\"label\":\"Bruna's attack roll\",\"faces\":[3],\"total\":3}]}\n";
	(void)state;
	struct told told = {.codes = ""};
	struct fray *f = host_open(&told);
	assert_int_equal(host_load(f, script, strlen(script)), FRAY_OK);
	assert_int_equal(fray_show(f, "world", NULL, false), FRAY_WRONG);
	assert_int_equal(fray_show(f, "thunder", NULL, false), FRAY_WRONG);
	assert_int_equal(fray_replay(f, "thunder", 7), FRAY_WRONG);
	assert_int_equal(fray_replay(f, other, strlen(other)), FRAY_WRONG);
	fray_line(f, "help thunder");
	assert_string_equal(told.codes, "F0569 F0810 F0811 F0808 F0809 F0812");
	fray_close(f);
}

static void test_crowds(void **state)
{
	static const char ten[] = "monster orc { hit points: 4 }\nencounter crowd { side orcs: 10000 orcs }\n";
	static const char many[] =
		"weapon club { damage: 1d6 }\nmonster orc { hit points: 4; carries: club }\nmonster elf { hit points: 6; carries: club }\n"
		"encounter crowd {\n  side orcs: 500 orcs\n  side elves: 500 elfs\n"
		"  round 1 { orcs attack someone; elves attack orc #1 }\n}\n";
	(void)state;
	says(ten, "F0503");
	struct told told = {.codes = ""};
	struct fray *f = host_open(&told);
	double start = now();
	if (host_load(f, many, strlen(many)) != FRAY_OK)
		fail_msg("%s", told.first);
	assert_int_equal(fray_begin(f, NULL, NULL), FRAY_OK);
	enum fray_status s = fray_run(f);
	if (s != FRAY_OK)
		fail_msg("%d: %s", s, told.first);
	assert_int_equal(fray_result(f).rounds, 1);
	fray_tell(f, FRAY_STORY);
	assert_true(now() - start < 3 * SECONDS);
	fray_close(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes), cmocka_unit_test(test_cut_short), cmocka_unit_test(test_long), cmocka_unit_test(test_many_lines),
		cmocka_unit_test(test_many_rules), cmocka_unit_test(test_numbers), cmocka_unit_test(test_modules), cmocka_unit_test(test_encounters), cmocka_unit_test(test_requests),
		cmocka_unit_test(test_crowds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
