/* test_api.c - the public interface: two interpreters in two threads, the same seed the same
 * world, steps, statuses, and no leak on any way out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "lang/api/fray.h"

static const char SCRIPT[] =
	"use osric\n"
	"weapon sword { damage: 1d8 }\n"
	"monster orc { hit dice: 1; armour class: 6; THAC0: 19; hit points: 5; attacks: axe 1d8 }\n"
	"combatant Bruna { THAC0: 17; hit points: 20; armour class: 4; weapon: sword }\n"
	"policy fight { attack my weakest enemy }\n"
	"encounter the gate {\n"
	"  side party: Bruna\n"
	"  side orcs: 3 orcs\n"
	"  distance: 5 ft\n"
	"  party follows fight\n"
	"  orcs follows fight\n"
	"  until party is down or orcs is down\n"
	"}\n";

struct heard { char *text; size_t length; int reports; char code[8]; };

static void hear(void *context, enum fray_style style, const char *text, size_t length)
{
	struct heard *h = context;
	(void)style;
	h->text = realloc(h->text, h->length + length + 1);
	memcpy(h->text + h->length, text, length);
	h->length += length;
	h->text[h->length] = '\0';
}

static void report(void *context, const struct fray_diagnostic *d)
{
	struct heard *h = context;
	assert_true(d->message[0] != '\0');
	h->reports++;
	snprintf(h->code, sizeof h->code, "%s", d->code);
}

static struct fray *open_with(struct heard *h)
{
	struct fray_config c = {0};
	memset(h, 0, sizeof *h);
	c.abi = FRAY_ABI;
	c.context = h;
	c.write = hear;
	c.report = report;
	struct fray *f = fray_open(&c);
	assert_non_null(f);
	return f;
}

/* The story and the world's bytes after a whole fight. */
static char *play(uint64_t seed, void **world, size_t *length)
{
	struct heard h;
	struct fray *f = open_with(&h);
	struct fray_run_options o = {0};
	o.seed = seed;
	assert_int_equal(fray_load(f, "gate.fray", SCRIPT, strlen(SCRIPT)), FRAY_OK);
	assert_int_equal(fray_begin(f, NULL, &o), FRAY_OK);
	assert_int_equal(fray_run(f), FRAY_OK);
	fray_tell(f, FRAY_STORY);
	const void *w = fray_world(f, length);
	*world = malloc(*length);
	memcpy(*world, w, *length);
	fray_close(f);
	return h.text;
}

static void test_same_seed_same_fight(void **state)
{
	void *a, *b, *c;
	size_t la, lb, lc;
	(void)state;
	char *x = play(3, &a, &la), *y = play(3, &b, &lb), *z = play(4, &c, &lc);
	assert_string_equal(x, y);
	assert_int_equal(la, lb);
	assert_memory_equal(a, b, la);
	assert_true(strcmp(x, z) != 0);
	free(a);
	free(b);
	free(c);
	free(x);
	free(y);
	free(z);
}

static void test_steps_come_to_the_same(void **state)
{
	struct heard h;
	void *whole;
	size_t length, stepped;
	(void)state;
	free(play(5, &whole, &length));
	struct fray *f = open_with(&h);
	struct fray_run_options o = {0};
	o.seed = 5;
	assert_int_equal(fray_load(f, "gate.fray", SCRIPT, strlen(SCRIPT)), FRAY_OK);
	assert_int_equal(fray_begin(f, "the gate", &o), FRAY_OK);
	bool over = false;
	int steps = 0;
	while (!over && steps++ < 10000)
		assert_int_equal(fray_step(f, &over), FRAY_OK);
	assert_true(over && steps > 2);
	const void *w = fray_world(f, &stepped);
	assert_int_equal(length, stepped);
	assert_memory_equal(whole, w, length);
	fray_close(f);
	free(whole);
	free(h.text);
}

struct job { uint64_t seed; char *story; void *world; size_t length; };

static void *work(void *context)
{
	struct job *j = context;
	for (int i = 0; i < 5; i++) {
		free(j->story);
		free(j->world);
		j->story = play(j->seed, &j->world, &j->length);
	}
	return NULL;
}

static void test_two_threads(void **state)
{
	struct job one = {11, NULL, NULL, 0}, two = {11, NULL, NULL, 0};
	pthread_t a, b;
	(void)state;
	assert_int_equal(pthread_create(&a, NULL, work, &one), 0);
	assert_int_equal(pthread_create(&b, NULL, work, &two), 0);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert_string_equal(one.story, two.story);
	assert_memory_equal(one.world, two.world, one.length);
	free(one.story);
	free(one.world);
	free(two.story);
	free(two.world);
}

static void test_wrong_scripts(void **state)
{
	static const char *const wrong[] = {"encounter {", "use nowhere\n", "combatant X { hit pionts: 3 }\n", "rule x { define y = }\n", "\x01\x02", "weapon"};
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct heard h;
		struct fray *f = open_with(&h);
		assert_int_equal(fray_load(f, "wrong.fray", wrong[i], strlen(wrong[i])), FRAY_WRONG);
		assert_true(h.reports > 0);
		assert_int_equal(fray_begin(f, NULL, NULL), FRAY_WRONG);
		fray_close(f);
		free(h.text);
	}
}

static void test_prompt(void **state)
{
	struct heard h;
	(void)state;
	struct fray *f = open_with(&h);
	/* a unit over several lines, then what is not there yet, then leaving */
	assert_int_equal(fray_line(f, "combatant Sly {"), FRAY_MORE);
	assert_true(fray_awaits(f)[0] != '\0');
	assert_int_equal(fray_line(f, "  hit points: 4 }"), FRAY_OK);
	assert_int_equal(fray_line(f, "dice ask"), FRAY_OK);
	assert_int_equal(fray_line(f, "step"), FRAY_WRONG);
	assert_string_equal(h.code, "F0810");
	assert_int_equal(fray_line(f, "load \"nowhere.fray\""), FRAY_WRONG);
	assert_string_equal(h.code, "F0890");
	assert_int_equal(fray_line(f, "quit"), FRAY_QUIT);
	fray_close(f);
	free(h.text);
}

static void test_why(void **state)
{
	static const struct { const char *question, *code; } asked[] = {
		{"Bruna's armour class", ""}, {"why Bruna's armour class", ""}, {"", ""},
		{"who won", ""}, {"not Bruna flees", ""}, {"flurble of the day", "F0895"}};
	(void)state;
	struct heard h;
	struct fray *f = open_with(&h);
	assert_int_equal(fray_load(f, "gate.fray", SCRIPT, strlen(SCRIPT)), FRAY_OK);
	assert_int_equal(fray_begin(f, NULL, NULL), FRAY_OK);
	assert_int_equal(fray_line(f, "run"), FRAY_OK);
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		h.code[0] = '\0';
		h.length = 0;
		const enum fray_status s = fray_why(f, asked[i].question);
		assert_int_equal(s, *asked[i].code ? FRAY_WRONG : FRAY_OK);
		assert_string_equal(h.code, asked[i].code);
		assert_true(*asked[i].code || h.length > 0);
	}
	fray_close(f);
	free(h.text);
}

static void test_other_abi(void **state)
{
	struct fray_config c = {0};
	(void)state;
	c.abi = FRAY_ABI + 1;
	assert_null(fray_open(&c));
	assert_null(fray_open(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_seed_same_fight),
		cmocka_unit_test(test_steps_come_to_the_same),
		cmocka_unit_test(test_two_threads),
		cmocka_unit_test(test_wrong_scripts),
		cmocka_unit_test(test_prompt),
		cmocka_unit_test(test_why),
		cmocka_unit_test(test_other_abi),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
