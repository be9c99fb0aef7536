/* app.h - what the files of the command share: its subcommands and exit statuses. */
#ifndef FRAY_APP_APP_H
#define FRAY_APP_APP_H

#include <stdio.h>

#include "lang/api/fray.h"

enum exit_status {
	EXIT_FINE = 0,
	EXIT_EXPECTATION = 1,
	EXIT_WRONG = 2,
	EXIT_STOPPED = 3,
	EXIT_INTERRUPTED = 130
};

struct command {
	const char *name;
	/* argv[0] is the command's name; returns an exit status */
	int (*function)(const struct command *self, int argc, char **argv);
	const char *arguments;
	const char *what;
};

#define COMMAND(name, function, arguments, what) int function(const struct command *self, int argc, char **argv);
#include "lang/app/cmd.def"
#undef COMMAND

/* All commands, in the order of help. */
const struct command *app_commands(int *count);
/* The command of this name, or NULL. */
const struct command *app_command(const char *name);
/* What `fray --help` prints. */
void app_usage(FILE *out);

/* `fray -e LINE .. [FILE]`: lines of the prompt from the command line. */
int cmd_line(const struct command *self, int argc, char **argv);

#endif
