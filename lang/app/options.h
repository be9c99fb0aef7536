/* options.h - command-line options in GNU style: long names that may be shortened while they
 * are unique, values as `--name=value` or `--name value`, options and operands in any order,
 * `--` before operands that look like options, `-` for standard input.
 *
 *   struct options o;
 *   options_begin(&o, self, table, COUNT, notes, argc, argv);
 *   while ((which = options_next(&o)) >= 0)
 *           switch (which) { .. o.value .. }
 *   if (which != OPTIONS_DONE)
 *           return options_status(which);
 *   .. o.operand[0 .. o.operands - 1] ..
 *
 * `--help` and `--version` are answered here, for every command. */
#ifndef FRAY_APP_OPTIONS_H
#define FRAY_APP_OPTIONS_H

#include "lang/app/app.h"

struct option {
	const char *name;  /* without its dashes */
	char letter;       /* the short form, or 0 */
	const char *value; /* what help calls its value; NULL: it has none; "[=full]": it may have one,
						  behind =, and nothing else; "[=N]": it may have any behind = */
	const char *help;
};

enum { OPTIONS_DONE = -1, OPTIONS_WRONG = -2, OPTIONS_ANSWERED = -3 };

struct options {
	const struct command *command;
	const struct option *table;
	int count;
	const char *notes;   /* printed at the end of help; NULL for none */
	int argc, at;
	char **argv;         /* reordered: operands move to its front */
	bool no_more;
	const struct option *current;
	const char *value;
	char **operand;
	int operands;
};

void options_begin(struct options *o, const struct command *command, const struct option *table, int count, const char *notes, int argc, char **argv);
/* The index in the table of the next option, or one of OPTIONS_*; what is wrong was said. */
int options_next(struct options *o);
/* The current option's value as a whole number; false after saying what is wrong. */
bool options_number(const struct options *o, uint64_t least, uint64_t most, uint64_t *number);
/* The option's value as a seed; "random" takes one nobody knows. */
bool options_seed(const struct options *o, uint64_t *seed, bool *random);
/* The exit status after OPTIONS_WRONG or OPTIONS_ANSWERED. */
int options_status(int which);
/* Says that the command was not given what it needs; returns the exit status. */
int options_missing(const struct options *o, const char *what);
/* The index of the word nearest to `word`, or -1 when none is near. */
int options_nearest(const char *word, const char *(*name)(const void *table, int i), const void *table, int count);

/* Tells the table of a command's options, and runs nothing; and that of every command's. */
typedef void options_teller(void *context, const struct option *table, int count);
void options_list(const struct command *command, options_teller *tell, void *context);
const struct option *options_everywhere(int *count);

/* What `--version` prints. */
void options_print_version(void);

#endif
