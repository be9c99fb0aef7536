/* test_no_image.c - with a stale image of the library everything is read from its texts, and the
 * same fight comes of it, with the shelf read lean or whole. */
#include "tests/api/host.h"

#include "lang/front/image.h"
#include "stdlib/builtins.h"

/* In place of the one that make worked out: its seal does not hold. */
const struct image fray_image = {0};

static const char script[] =
	"use osric\n"
	"use shelf\n"
	"combatant Bruna { class: ranger; level: 4; strength: 17; carries: long sword, chain mail }\n"
	"encounter e {\n"
	"  side party: Bruna\n"
	"  side foes: 2 ghouls\n"
	"  distance: 5 ft\n"
	"  round 1 {\n"
	"    Bruna attacks ghoul #1; foes wait\n"
	"    expect Bruna's armour class = 5 and Bruna's THAC0 = 17 and ghoul #1's paralysis is not none\n"
	"  }\n"
	"}\n";

static void play(bool lean)
{
	struct told t = {0};
	struct fray *f = host_open(&t);
	if (lean)
		fray_lean(f, NULL);
	assert_int_equal(host_load(f, script, strlen(script)), FRAY_OK);
	assert_string_equal(t.codes, "");
	struct fray_run_options o = {.seed = 1};
	assert_int_equal(fray_begin(f, fray_encounter(f, 0), &o), FRAY_OK);
	assert_int_equal(fray_run(f), FRAY_OK);
	assert_string_equal(t.codes, "");
	fray_close(f);
}

static void stale(void **state)
{
	(void)state;
	assert_false(image_sound(&fray_image));
	play(false);
	play(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(stale)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
