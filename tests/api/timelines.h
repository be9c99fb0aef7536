/* timelines.h - the prompt's timelines against a naive model: after every command the world is
 * that of a script in which only what still counts is written down, byte for byte; what is
 * saved plays to the same world.
 *
 * SEQUENCES says how many, and makes more of the commands lines of the language (make soak);
 * FIRST where to begin; with COMMANDS every command is told. */
#ifndef FRAY_TESTS_API_TIMELINES_H
#define FRAY_TESTS_API_TIMELINES_H

#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "tests/api/naive.h"

/* A check plays 50; where every access to memory is watched, which takes five times as long, fewer. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SEQUENCES = 6 };
#else
enum { SEQUENCES = 50 };
#endif
enum { COMMANDS = 200, LINES_MAX = 4 * COMMANDS, FORKS_MAX = 4 };

static const char body[] =
	"weapon long sword { damage: 1d8; speed factor: 5; length: 3.5 ft }\n"
	"weapon dagger { damage: 1d4; speed factor: 2; length: 1 ft }\n"
	"weapon spear { damage: 1d6; speed factor: 7; length: 8 ft }\n"
	"weapon short bow { damage: 1d6; rate of fire: 2; range: 50 ft; missile: yes }\n"
	"spell bolt { level: 1; casting time: 6 seconds; on effect { each foe in target { change foe's hit points by -3 } } }\n"
	"spell web { level: 2; casting time: 12 seconds; on effect { each foe in target where foe is able { set foe's awake = no } } }\n"
	"class magic-user { hit die: 1d4 }\n"
	"class fighter { hit die: 1d10 }\n"
	"monster orc { hit dice: 1; hit points: 14; armour class: 6; THAC0: 19; carries: spear; level: 1 }\n"
	"combatant Hal { class: magic-user; level: 3; hit points: 16; armour class: 8; THAC0: 20; knows: web, bolt, bolt; carries: dagger }\n"
	"combatant Bruna { class: fighter; level: 4; hit points: 40; armour class: 3; THAC0: 17; carries: long sword }\n"
	"combatant Korg { class: fighter; level: 2; hit points: 18; armour class: 5; THAC0: 19; carries: short bow }\n"
	"policy press on { attack my nearest enemy }\n"
	"policy hang back { shoot short bow at my nearest enemy unless me is engaged; attack my nearest enemy }\n"
	"encounter the ford {\n"
	"  side party: Hal, Bruna, Korg\n"
	"  side orcs: 4 orcs\n"
	"  distance: 5 ft\n"
	"  Hal and Bruna follow press on\n"
	"  Korg follows hang back\n"
	"  orcs follow press on\n"
	"  until party is down or orcs are down\n"
	"  expect Korg is able\n"
	"  round 3 { expect Bruna is dead }\n"
	"}\n";

static const struct typed one_step = {STEP, 0, "step"};

/* House rules that a line may use in mid-fight. */
static inline char *night_module(const char *name, size_t *length)
{
	static const char text[] =
		"-- night.fray\n"
		"rule night \"by night\" { adjust to-hit (attacker, target, weapon) by -2 }\n"
		"rule lasting pain \"by night\" { after damage (victim, amount, source) { change victim's THAC0 by 1 } }\n";
	if (strcmp(name, "night"))
		return NULL;
	*length = sizeof text - 1;
	return strdup(text);
}

/* Some are refused, always or as long as another line was not typed. Those that only one system can
 * take come behind, each after the system's name. */
static const struct typed typed[] = {
	{NOW, 0, "use night"},
	{NOW, 0, "Sly joins party"},
	{NOW, 0, "2 orcs join orcs"},
	{NOW, 0, "Sly leaves"},
	{NOW, 0, "orc #2 leaves"},
	{NOW, 0, "orc #2 joins party"},
	{NOW, 0, "Korg joins orcs"},
	{NOW, 0, "Korg leaves"},
	{NOW, 0, "Korg joins party"},
	{NOW, 0, "orcs leave"},
	{NOW, 0, "side wolves: orc"},
	{NOW, 0, "orc #5 attacks Bruna"},
	{NOW, 0, "orcs follow hang back"},
	{ROUND, 2, "round 2 { orc joins orcs; orc #1 leaves }"},
	{NOW, 0, "Hal casts bolt at orc #1"},
	{NOW, 0, "Hal casts web at orc #2 and orc #3"},
	{NOW, 0, "Bruna attacks orc #2 with long sword"},
	{NOW, 0, "orc #3 attacks Hal with spear"},
	{NOW, 0, "Korg shoots short bow at orc #4"},
	{NOW, 0, "orc #1 waits"},
	{NOW, 0, "Hal flees"},
	{NOW, 0, "set Bruna's hit points = 15"},
	{NOW, 0, "change orc #1's hit points by 5"},
	{NOW, 0, "change Hal's hit points by -4"},
	{NOW, 0, "set orc #2's awake = no"},
	{NOW, 0, "set Hal's hit point = 3"},
	{NOW, 0, "dice: Bruna's attack roll 20"},
	{NOW, 0, "force orc #1's attack roll 1"},
	{NOW, 0, "force Bruna's damage 7"},
	{NOW, 0, "rule heavy \"ruled at the table\" { adjust damage done (attacker, target, weapon) by 1 }"},
	{NOW, 0, "rule heavier \"ruled at the table\" { adjust damage done (attacker, target, weapon) by 2 }"},
	{NOW, 0, "ruling heavier over heavy"},
	{NOW, 0, "ruling heavy over heavier \"on second thoughts\""},
	{NOW, 0, "ruling late over later"},
	{NOW, 0, "rule late \"ruled at the table\" { adjust act's time by 1 segment when act is melee attack }"},
	{NOW, 0, "rule later \"ruled at the table\" { adjust act's time by 6 seconds when act is melee attack }"},
	{NOW, 0, "rule told \"ruled at the table\" { after strike (attacker, target, weapon) { note \"{attacker} struck\" } }"},
	{NOW, 0, "drop rule death"},
	{NOW, 0, "Korg follows press on"},
	{NOW, 0, "Bruna follows wary"},
	{NOW, 0, "expect Bruna is not dead"},
	{NOW, 0, "expect Hal is dead"},
	{NOW, 0, "orc #2 surrenders"},
	{NOW, 0, "referee: death (orc #1)"},
	{NOW, 0, "Bruna attacks orc #1 from segment 7"},
	{NOW, 0, "Hal waits then flees"},
	{ROUND, 3, "round 3 { Hal flees }"},
	{ROUND, 2, "round 2 { Bruna waits; expect Korg is not dead }"},
	{NOW, 0, "until Hal is down"},
	{OUTSIDE, 0, "combatant Sly { hit points: 5 }"},
	{OUTSIDE, 0, "policy wary { wait when my hit points <= 12; attack my nearest enemy }"},
};

static const struct { const char *system; struct typed line; } readings[] = {
	{"osric", {NOW, 0, "set option tie = reroll"}},
	{"osric", {NOW, 0, "use osric with { tie: simultaneous; death.at: -10 }"}},
	{"osric", {NOW, 0, "set option death.at = 0"}},
	{"osric", {NOW, 0, "set option dead_target = retarget"}},
	{"osric", {NOW, 0, "set option spell.spoiled_by = \"any hit this round\""}},
	{"lite", {NOW, 0, "set option caster.melee_factor = factor"}},
	{"lite", {NOW, 0, "use lite with { caster.melee_factor: die; dead_target: retarget }"}},
	{"lite", {NOW, 0, "set option factor.extra = \"at every clash\""}},
	{"lite", {NOW, 0, "set option dead_target = \"attack lost\""}},
	{"proc", {NOW, 0, "set option winner_strikes_first = \"on\""}},
	{"proc", {NOW, 0, "use with { winner_strikes_first: off; death_when: \"Phase 9 only\" }"}},
	{"proc", {NOW, 0, "set option mar_enemy = \"any opponent\""}},
	{"proc", {NOW, 0, "set option death_when = \"at once\""}},
	{"crucible", {NOW, 0, "set option initiative = individual"}},
	{"crucible", {NOW, 0, "use crucible with { initiative: adjusted; tie_wsf: \"on\" }"}},
	{"crucible", {NOW, 0, "set option tie_multi = \"on\""}},
	{"crucible", {NOW, 0, "set option initiative = group"}},
	{"dew", {NOW, 0, "set option parries = sum"}},
	{"dew", {NOW, 0, "use dew with { parries: largest; unconscious_below: 1 }"}},
	{"dew", {NOW, 0, "set option dead_at = -10"}},
	{"dew", {NOW, 0, "set option max_damage_needs_critical = no"}},
};

/* One timeline: lists of lines, each one longer than the one before; it stands at `at`. */
struct line_model { struct list *list[LINES_MAX + 1]; int at, n; };

struct session_model {
	struct fray *f;
	struct told told;
	struct naive naive;
	struct line_model fork[FORKS_MAX];
	int forks, now;
	bool verbose, many;
	const char *system;
};

static unsigned state;

static unsigned drawn(unsigned n)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16) % n;
}

static enum fray_status type(struct session_model *m, const char *line)
{
	if (m->verbose)
		print_message("%s\n", line);
	return fray_line(m->f, line);
}

static void show_difference(const int64_t *a, const int64_t *b, size_t words)
{
	for (size_t i = 0, told = 0; i < words && told < 20; i++)
		if (a[i] != b[i] && ++told)
			print_message("word %zu: %lld, not %lld\n", i, (long long)a[i], (long long)b[i]);
}

static bool same_bytes(const void *a, size_t n, const void *b, size_t k)
{
	if (n != k)
		print_message("%zu bytes, not %zu\n", n, k);
	else if (memcmp(a, b, n))
		show_difference(a, b, n / sizeof(int64_t));
	return n == k && !memcmp(a, b, n);
}

static void same_world(struct session_model *m)
{
	const struct line_model *line = &m->fork[m->now];
	const struct list *l = line->list[line->at];
	size_t n;
	const void *world = fray_world(m->f, &n);
	if (!same_bytes(world, n, l->world, l->size)) {
		naive_print(l);
		fail_msg("the world is another one than after these lines");
	}
}

/* Types a line; what was refused counts for nothing, and is refused in a script as well. */
static void say(struct session_model *m, const struct typed *y)
{
	struct line_model *line = &m->fork[m->now];
	enum fray_status s = type(m, y->text);
	if (y->how == STEP && line->list[line->at]->over)
		return; /* there is none */
	struct list *l = naive_more(&m->naive, line->list[line->at], y);
	if ((s == FRAY_WRONG) != l->wrong) {
		naive_print(l);
		fail_msg("the last of these lines is %s at the prompt, but not in a script", l->wrong ? "taken" : "refused");
	}
	if (l->wrong)
		return;
	assert_true(line->at < LINES_MAX);
	line->list[++line->at] = l;
	line->n = line->at;
}

static void say_step(struct session_model *m, unsigned steps)
{
	char text[20];
	struct line_model *line = &m->fork[m->now];
	if (steps == 0) { /* until the next round has begun */
		type(m, "step round");
		struct list *l = line->list[line->at];
		for (int from = l->round; !l->over && l->round == from; l = line->list[line->at]) {
			line->list[line->at + 1] = naive_more(&m->naive, l, &one_step);
			line->n = ++line->at;
		}
		return;
	}
	snprintf(text, sizeof text, "step %u", steps);
	type(m, text);
	for (; steps && !line->list[line->at]->over; steps--) {
		assert_true(line->at < LINES_MAX);
		line->list[line->at + 1] = naive_more(&m->naive, line->list[line->at], &one_step);
		line->n = ++line->at;
	}
}

static void say_back(struct session_model *m, bool back, int n)
{
	char text[20];
	struct line_model *line = &m->fork[m->now];
	snprintf(text, sizeof text, "%s %d", back ? "undo" : "redo", n);
	assert_int_equal(type(m, text), FRAY_OK);
	if (back)
		line->at = n < line->at ? line->at - n : 0;
	else
		line->at = n < line->n - line->at ? line->at + n : line->n;
}

static void say_fork(struct session_model *m)
{
	static const char *const name[FORKS_MAX] = {"main", "second", "third", "fourth"};
	char text[20];
	if (m->forks < FORKS_MAX) {
		snprintf(text, sizeof text, "fork %s", name[m->forks]);
		m->fork[m->forks] = m->fork[m->now];
		m->fork[m->forks].n = m->fork[m->now].at;
		m->now = m->forks++;
	} else {
		m->now = (int)drawn((unsigned)m->forks);
		snprintf(text, sizeof text, "switch %s", name[m->now]);
	}
	assert_int_equal(type(m, text), FRAY_OK);
}

/* What is saved plays to the same world, and whatever it expects holds. */
static void same_saved(struct session_model *m)
{
	struct told other = {.codes = "", .module = night_module};
	struct fray_run_options options = {0};
	size_t n, k;
	assert_int_equal(type(m, "save \"kept.fray\""), FRAY_OK);
	struct fray *again = host_open(&other);
	if (host_load(again, m->told.saved, m->told.saved_length) != FRAY_OK)
		fail_msg("what was saved is wrong:\n%s\n%s", other.first, m->told.saved);
	if (fray_run_saved(again, "the ford", &options) != FRAY_OK)
		fail_msg("what was saved does not pass:\n%s\n%s", other.first, m->told.saved);
	const void *a = fray_world(m->f, &n), *b = fray_world(again, &k);
	if (!same_bytes(b, k, a, n))
		fail_msg("what was saved plays to another world:\n%s", m->told.saved);
	fray_close(again);
}

static const struct typed *drawn_line(struct session_model *m)
{
	unsigned n = sizeof typed / sizeof *typed, k = drawn(n + 6);
	if (k < n)
		return &typed[k];
	unsigned first = 0, own = 0;
	for (unsigned i = 0; i < sizeof readings / sizeof *readings; i++)
		if (!strcmp(readings[i].system, m->system))
			first = own++ ? first : i;
	return &readings[first + drawn(own)].line;
}

static void command(struct session_model *m)
{
	/* a line of the language costs as much as thirty steps */
	unsigned lines = m->many ? 126 : 108;
	unsigned what = drawn(200);
	if (what >= lines && what < 126)
		what = drawn(86);
	if (what < 76)
		say(m, &one_step);
	else if (what < 86)
		say_step(m, drawn(4));
	else if (what < 126)
		say(m, drawn_line(m));
	else if (what < 148)
		say_back(m, true, (int)drawn(4) + 1);
	else if (what < 152)
		say_back(m, true, (int)drawn(30) + 1);
	else if (what < 173)
		say_back(m, false, (int)drawn(4) + 1);
	else if (what < 178)
		say_back(m, false, (int)drawn(30) + 1);
	else if (what < 197)
		say_fork(m);
	else
		same_saved(m);
	same_world(m);
}

static void sequence(const char *system, unsigned seed)
{
	static struct session_model m;
	static char script[sizeof body + 40];
	memset(&m, 0, sizeof m);
	m.verbose = getenv("COMMANDS") != NULL;
	m.many = getenv("SEQUENCES") != NULL;
	m.system = system;
	m.told.module = night_module;
	snprintf(script, sizeof script, "use %s\n%s", system, body);
	state = seed;
	naive_open(&m.naive, script, night_module);
	m.f = host_open(&m.told);
	assert_int_equal(host_load(m.f, script, strlen(script)), FRAY_OK);
	assert_int_equal(fray_line(m.f, "begin"), FRAY_OK);
	m.forks = 1;
	m.fork[0].list[0] = m.naive.root;
	for (int i = 0; i < COMMANDS; i++)
		command(&m);
	same_saved(&m);
	naive_close(&m.naive);
	free(m.told.saved);
	fray_close(m.f);
}

static inline void sequences(const char *system)
{
	const char *more = getenv("SEQUENCES"), *first = getenv("FIRST");
	unsigned n = more ? (unsigned)atoi(more) : SEQUENCES, from = first ? (unsigned)atoi(first) : 1;
	for (unsigned i = from; i < from + n; i++) {
		if (more && i % 100 == 0)
			print_message("# %s, sequence %u\n", system, i);
		sequence(system, i);
	}
}

#endif
