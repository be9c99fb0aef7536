/* cmd_help.c - fray help: a command's options, a topic of the prompt, or what a message means. */
#include <stdio.h>
#include <string.h>

#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/options.h"

enum { JSON, HELP_OPTIONS };

static const struct option help_options[HELP_OPTIONS] = {
	[JSON] = {"json", 0, NULL, "print a message as one object on a line"},
};

static const char notes[] =
	"WHAT is a command (fray help odds), a topic of the prompt (fray help dice), the number of a message\n"
	"(fray help F0208), or \"messages\" for the list of them. A message is told with an example and its cure.\n";

static int explain(const char *topic, bool json)
{
	struct host host;
	host_init(&host);
	struct fray *f = host_open(&host, NULL);
	int status = f ? exit_of(fray_help(f, topic, json)) : EXIT_STOPPED;
	fray_close(f);
	host_free(&host);
	return status;
}

/* A command's own --help, and the topic of that name, if there is one. */
static int explain_command(const struct command *c, bool json)
{
	char option[] = "--help", name[32];
	snprintf(name, sizeof name, "%s", c->name);
	char *words[] = {name, option, NULL};
	int status = c->function(c, 2, words);
	if (status != EXIT_FINE || !fray_help_topic(c->name))
		return status;
	printf("\nAt the prompt:\n");
	return explain(c->name, json);
}

int cmd_help(const struct command *self, int argc, char **argv)
{
	struct options o;
	bool json = false;
	int which;
	options_begin(&o, self, help_options, HELP_OPTIONS, notes, argc, argv);
	while ((which = options_next(&o)) != OPTIONS_DONE) {
		if (which != JSON)
			return options_status(which);
		json = true;
	}
	if (o.operands == 0) {
		app_usage(stdout);
		printf("fray help COMMAND, fray help TOPIC and fray help F0208 tell more; topics of the prompt:\n\n");
		return explain("", json);
	}
	const struct command *c = o.operands == 1 ? app_command(o.operand[0]) : NULL;
	if (c)
		return explain_command(c, json);
	struct text topic = {0};
	text_add_words(&topic, o.operand, o.operands);
	int status = explain(topic.data, json);
	text_free(&topic);
	return status;
}
