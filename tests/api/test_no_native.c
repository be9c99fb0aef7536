/* test_no_native.c - fray_config.no_native: odds are the same bytes with native code and without, and without it no
 * memory is made executable. Where /proc tells nothing of memory, only the bytes are compared. */
#include "tests/api/host.h"

#include <stdbool.h>

enum { TRIALS = 200, LOOK_AT = 50 /* native code comes with trial 32 */ };

static const char script[] =
	"use osric\n"
	"weapon club { damage: 1d6 }\n"
	"monster gnoll { THAC0: 18; armour class: 5; hit points: 6; weapon: club }\n"
	"monster pike { THAC0: 18; armour class: 5; hit points: 6; weapon: club }\n"
	"policy hit { attack my nearest enemy }\n"
	"encounter a brawl {\n"
	"  side us: 4 pikes\n"
	"  side them: 4 gnolls\n"
	"  distance: 5 ft\n"
	"  us and them follow hit\n"
	"  until us is down or them is down\n"
	"}\n";

struct played {
	char *said;
	size_t length;
	int trials, executable; /* pages that may be executed and belong to no file, after LOOK_AT trials */
};

/* -1: cannot be told. */
static int executable_pages(void)
{
#ifdef __EMSCRIPTEN__
	return -1; /* /proc is about node there, which makes code of its own */
#endif
	char line[600], may[8], file[500];
	FILE *maps = fopen("/proc/self/maps", "r");
	int found = 0;
	if (!maps)
		return -1;
	while (fgets(line, sizeof line, maps)) {
		*file = '\0';
		if (sscanf(line, "%*s %7s %*s %*s %*s %499s", may, file) >= 1 && strchr(may, 'x') && !*file)
			found++;
	}
	fclose(maps);
	return found;
}

static bool trial_done(void *context)
{
	struct played *p = context;
	if (++p->trials == LOOK_AT)
		p->executable = executable_pages();
	return false;
}

static void keep(void *context, enum fray_style style, const char *text, size_t length)
{
	struct played *p = context;
	(void)style;
	p->said = realloc(p->said, p->length + length + 1);
	assert_non_null(p->said);
	memcpy(p->said + p->length, text, length);
	p->length += length;
	p->said[p->length] = '\0';
}

static struct played play(bool no_native)
{
	struct played p = {0};
	struct fray_config c = {.abi = FRAY_ABI, .context = &p, .write = keep, .interrupted = trial_done, .no_native = no_native};
	struct fray_odds_options o = {.method = FRAY_SAMPLED, .form = FRAY_ODDS_JSON, .seed = 1, .trials = TRIALS, .threads = 1};
	struct fray *f = fray_open(&c);
	assert_int_equal(fray_load(f, "brawl", script, sizeof script - 1), FRAY_OK);
	fray_set_odds(f, &o);
	assert_int_equal(fray_odds(f, NULL), FRAY_OK);
	fray_close(f);
	return p;
}

static void test_same_bytes(void **state)
{
	(void)state;
	int before = executable_pages();
	struct played without = play(true), with = play(false);
	assert_true(without.trials >= TRIALS);
	assert_string_equal(without.said, with.said);
	assert_int_equal(without.executable, before);
#ifdef __x86_64__
	if (before >= 0)
		assert_true(with.executable > before);
#endif
	free(without.said);
	free(with.said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bytes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
