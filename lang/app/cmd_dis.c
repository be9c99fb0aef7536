/* cmd_dis.c - fray dis: the bytecode of fights. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/app/host.h"
#include "lang/app/options.h"

enum { RULES, DIS_OPTIONS };

static const struct option dis_options[DIS_OPTIONS] = {
	[RULES] = {"rules", 0, "NAME[,HOUSE..]", "compile with other rules than the script names"},
};

static const char notes[] = "Without ENCOUNTER, all of the file's encounters.\n";

static enum fray_status print_one(struct fray *f, const char *encounter)
{
	struct fray_run_options options;
	memset(&options, 0, sizeof options);
	enum fray_status status = fray_begin(f, encounter, &options);
	return status == FRAY_OK ? fray_disassemble(f) : status;
}

static int print_all(struct host *h, struct fray *f)
{
	int status = EXIT_FINE, n = fray_encounters(f);
	for (int i = 0; i < n; i++) {
		char *name = strdup(fray_encounter(f, i));
		if (!name)
			return EXIT_STOPPED;
		host_write(h, FRAY_PLAIN, i ? "\nencounter " : "encounter ");
		host_write(h, FRAY_NAME, name);
		host_write(h, FRAY_PLAIN, "\n");
		status = exit_worse(status, exit_of(print_one(f, name)));
		free(name);
	}
	return status;
}

int cmd_dis(const struct command *self, int argc, char **argv)
{
	struct options o;
	struct host host;
	const char *rules = NULL;
	int which, status = EXIT_WRONG;
	options_begin(&o, self, dis_options, DIS_OPTIONS, notes, argc, argv);
	while ((which = options_next(&o)) != OPTIONS_DONE) {
		if (which != RULES)
			return options_status(which);
		rules = o.value;
	}
	if (o.operands == 0)
		return options_missing(&o, "a script");
	host_init(&host);
	struct fray *f = host_open(&host, rules);
	if (f && host_load(&host, f, o.operand[0]) == FRAY_OK) {
		struct text name = {0};
		text_add_words(&name, o.operand + 1, o.operands - 1);
		if (o.operands > 1 || fray_encounters(f) < 2)
			status = exit_of(print_one(f, o.operands > 1 ? name.data : NULL));
		else
			status = print_all(&host, f);
		text_free(&name);
	}
	fray_close(f);
	host_free(&host);
	return status;
}
