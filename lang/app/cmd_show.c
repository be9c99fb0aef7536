/* cmd_show.c - fray show: what is in force.
 *
 * TOPIC comes first, a script last, and the words between them are WHAT:
 *   fray show rules "act's time" bridge.fray */
#include <string.h>

#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/options.h"

enum { JSON, RULES, ENCOUNTER, SHOW_OPTIONS };

static const struct option show_options[SHOW_OPTIONS] = {
	[JSON] = {"json", 0, NULL, "one object a line"},
	[RULES] = {"rules", 0, "NAME[,HOUSE..]", "other rules than the script names"},
	[ENCOUNTER] = {"encounter", 0, "NAME", "the fight that is meant, when the file has several"},
};

static const char notes[] =
	"TOPIC is rules, order, fields, actions, options, sources or any kind of thing, such as monster.\n"
	"WHAT narrows it down: a question (\"act's time\"), the name of a rule, an action, a monster.\n"
	"Without FILE the rules named by --rules are shown, or those every system shares.\n";

static bool is_script(const char *word)
{
	size_t n = strlen(word);
	return !strcmp(word, "-") || strchr(word, '/') || (n > 5 && !strcmp(word + n - 5, ".fray")) || file_exists(word);
}

/* Sets the fight up, so that its sides and combatants can be shown too. */
static enum fray_status begin(struct fray *f, const char *encounter)
{
	struct fray_run_options options;
	memset(&options, 0, sizeof options);
	options.seed = 1;
	if (!encounter && fray_encounters(f) == 0)
		return FRAY_OK;
	return fray_begin(f, encounter, &options);
}

/* Without a script: what the rules say, or the stat blocks of the library. */
static const char *no_script(const char *topic)
{
	static const char *const of_rules[] = {"rules", "order", "fields", "actions", "options", "sources", "encounters", "world", "timeline", "log", "combatant"};
	for (size_t i = 0; i < sizeof of_rules / sizeof *of_rules; i++)
		if (!strcmp(topic, of_rules[i]))
			return "";
	return "use shelf\n";
}

int cmd_show(const struct command *self, int argc, char **argv)
{
	struct options o;
	struct host host;
	const char *rules = NULL, *encounter = NULL;
	bool json = false;
	int which;
	options_begin(&o, self, show_options, SHOW_OPTIONS, notes, argc, argv);
	while ((which = options_next(&o)) != OPTIONS_DONE) {
		switch (which) {
		case JSON:
			json = true;
			break;
		case RULES:
			rules = o.value;
			break;
		case ENCOUNTER:
			encounter = o.value;
			break;
		default:
			return options_status(which);
		}
	}
	if (o.operands == 0)
		return options_missing(&o, "a topic, such as rules or order");
	const char *script = o.operands > 1 && is_script(o.operand[o.operands - 1]) ? o.operand[o.operands - 1] : NULL;
	struct text what = {0};
	int words = o.operands - 1 - (script != NULL);
	host_init(&host);
	struct fray *f = host_open(&host, rules);
	enum fray_status status = !f ? FRAY_STOPPED : script ? host_load(&host, f, script) : fray_load(f, "nothing", no_script(o.operand[0]), strlen(no_script(o.operand[0])));
	if (status == FRAY_OK)
		status = begin(f, encounter);
	if (status == FRAY_OK) {
		text_add_words(&what, o.operand + 1, words);
		status = fray_show(f, o.operand[0], words ? what.data : NULL, json);
	}
	text_free(&what);
	fray_close(f);
	host_free(&host);
	return exit_of(status);
}
