/* test_complete.c - Tab offers what the grammar and the names in scope accept here, and nothing else. */
#include "tests/api/host.h"

static const char script[] =
	"use osric\n"
	"weapon long sword { damage: 1d8 }\n"
	"weapon dagger { damage: 1d4 }\n"
	"spell web { level: 2; casting time: 12 seconds }\n"
	"spell sleep { level: 1; casting time: 6 seconds }\n"
	"monster orc { hit points: 5; carries: dagger }\n"
	"combatant Hal { hit points: 9; knows: web, sleep; carries: dagger }\n"
	"combatant Bruna { hit points: 30; carries: long sword }\n"
	"combatant Sly { hit points: 30; carries: long sword }\n"
	"policy stand firm { attack my nearest enemy }\n"
	"encounter the ford {\n"
	"  side party: Hal, Bruna\n"
	"  side orcs: 2 orcs\n"
	"  distance: 5 ft\n"
	"  orcs follow stand firm\n"
	"}\n";

struct offers { char text[1 << 16]; size_t n; };

static void note(void *context, const char *word, const char *what)
{
	struct offers *o = context;
	(void)what;
	o->n += (size_t)snprintf(o->text + o->n, sizeof o->text - o->n, "|%s|", word);
	assert_true(o->n < sizeof o->text);
}

static bool offered(const struct offers *o, const char *word)
{
	char framed[80];
	snprintf(framed, sizeof framed, "|%s|", word);
	return strstr(o->text, framed) != NULL;
}

/* After the line: words that are offered, words that are not; "" ends each list. */
static const struct { const char *line, *yes[6], *no[6]; } tabs[] = {
	{"Hal casts sleep at ", {"orc #1", "orcs", "Bruna"}, {"web", "Sly", "death", "stand firm", "dagger"}},
	{"Hal casts sleep at or", {"orc #1", "orc #2", "orcs"}, {"Bruna"}},
	{"Hal casts ", {"web", "sleep"}, {"dagger", "Bruna"}},
	{"Bruna attacks ", {"orc #1", "Hal"}, {"long sword", "sleep"}},
	{"Bruna attacks orc #1 with ", {"long sword", "dagger"}, {"web", "Hal", "orc #2"}},
	{"Bruna attacks orc #1 with long sw", {"sword"}, {"dagger"}},
	{"Bruna ", {"attacks", "casts", "follows", "joins", "leaves", "flees"}, {"hit", "dies", "strike", "orc #1"}},
	{"Bruna att", {"attacks"}, {"attack", "casts"}},
	{"switch ", {"main", "what if"}, {"Bruna", "death", "orcs"}},
	{"switch wh", {"what if"}, {"main"}},
	{"compare forks ", {"main", "what if"}, {"Bruna"}},
	{"compare forks main vs ", {"main", "what if"}, {"Bruna"}},
	{"force ", {"Bruna", "orc #1", "party"}, {"death", "stand firm", "what if"}},
	{"force Bruna's ", {"attack roll", "damage"}, {"hit points", "surprise die"}},
	{"force Bruna's att", {"attack roll"}, {"damage"}},
	{"force party's ", {"surprise die", "initiative"}, {"hit points"}},
	{"dice: orc #1's ", {"attack roll"}, {"hit points"}},
	{"drop rule ", {"death", "segment", "spoiling"}, {"Bruna", "web", "stand firm"}},
	{"drop rule sp", {"spoiling"}, {"death"}},
	{"Bruna follows ", {"stand firm"}, {"Bruna", "death"}},
	{"Sly joins ", {"party", "orcs"}, {"Bruna", "web"}},
	{"use osric with { ", {"tie", "death.at"}, {"hit points", "Bruna"}},
	{"use osric with { ti", {"tie"}, {"Bruna"}},
	{"drop rule spo", {"spoiling"}, {"death"}},
	{"use osric with { tie: ", {"reroll", "simultaneous"}, {"Bruna", "tie"}},
	{"set option ", {"tie", "death.at"}, {"Bruna"}},
	{"set option tie = ", {"reroll"}, {"Bruna"}},
	{"use ", {"osric", "lite"}, {"Bruna", "core"}},
	{"show ", {"timeline", "Bruna", "party", "forks"}, {"death"}},
	{"help ", {"step", "odds", "join"}, {"Bruna"}},
	{"begin ", {"the ford"}, {"Bruna"}},
	{"odds on ", {"the ford"}, {"Bruna"}},
	{"set Bruna's ", {"hit points", "armour class"}, {"damage", "casting time"}},
	{"why Bruna's hit p", {"points"}, {"armour class"}},
	{"", {"Bruna", "orcs", "step", "why"}, {"death"}},
	{"dice ask ", {"party", "Bruna"}, {"web"}},
	{"Bruna attacks orc #", {"#1", "#2"}, {"and", "Bruna", "orc #1", "with"}},
	{"force orc #", {"#1", "#2"}, {"Bruna"}},
	{"step to ", {"round", "segment"}, {"Bruna", "death"}},
	{"step to se", {"segment"}, {"round"}},
	{"run to ", {"round", "segment"}, {"Bruna"}},
	{"choices: Bruna's ", {"new target"}, {"hit points"}},
};

static void offers_what_fits(void **s)
{
	static struct offers o;
	struct told told = {.codes = ""};
	struct fray *f = host_open(&told);
	(void)s;
	assert_int_equal(host_load(f, script, sizeof script - 1), FRAY_OK);
	assert_int_equal(fray_line(f, "begin"), FRAY_OK);
	assert_int_equal(fray_line(f, "step"), FRAY_OK);
	assert_int_equal(fray_line(f, "fork what if"), FRAY_OK);
	int wrong = 0;
	for (size_t i = 0; i < sizeof tabs / sizeof *tabs; i++) {
		memset(&o, 0, sizeof o);
		fray_complete(f, tabs[i].line, note, &o);
		for (int k = 0; k < 6 && tabs[i].yes[k]; k++)
			if (!offered(&o, tabs[i].yes[k]) && ++wrong)
				print_message("%s: not offered: %s of %.200s\n", tabs[i].line, tabs[i].yes[k], o.text);
		for (int k = 0; k < 6 && tabs[i].no[k]; k++)
			if (offered(&o, tabs[i].no[k]) && ++wrong)
				print_message("%s: offered: %s\n", tabs[i].line, tabs[i].no[k]);
	}
	assert_int_equal(wrong, 0);
	assert_string_equal(told.codes, "");
	fray_close(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(offers_what_fits)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
