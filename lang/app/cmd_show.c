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
	[JSON] = {"json", 0, NULL, "print one object a line"},
	[RULES] = {"rules", 0, "NAME[,HOUSE..]", "use other rules than the script names"},
	[ENCOUNTER] = {"encounter", 0, "NAME", "show this fight, if the file has several"},
};

static const char notes[] =
	"TOPIC is rules, order, events, actions, dice, choices, fields, options, sources, or any\n"
	"kind of thing, such as monster.\n"
	"WHAT narrows it down. For rules: a question (\"act's time\"), a rule, an event, a clause "
	"of\n"
	"the book (OSRIC-GAP-7) or a word of its citation; else a name, such as a monster's.\n"
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

static enum fray_status load(struct host *host, struct fray *f, const char *topic, const char *what, const char *script)
{
	bool things = !fray_is_topic(topic);
	if (things)
		fray_lean(f, what);
	if (script)
		return host_load(host, f, script);
	return things ? fray_load_libraries(f) : fray_load(f, "nothing", "", 0);
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
	text_add_words(&what, o.operand + 1, words);
	const char *asked = words ? what.data : NULL;
	enum fray_status status = f ? load(&host, f, o.operand[0], asked, script) : FRAY_STOPPED;
	if (status == FRAY_OK && fray_is_topic(o.operand[0]))
		status = begin(f, encounter);
	if (status == FRAY_OK)
		status = fray_show(f, o.operand[0], asked, json);
	text_free(&what);
	fray_close(f);
	host_free(&host);
	return exit_of(status);
}
