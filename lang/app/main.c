/* main.c - finds the subcommand and runs it.
 *
 * `fray FILE` is `fray run FILE`, so that a script may begin with "#!/usr/bin/env fray".
 * Bare `fray` opens the prompt at a terminal. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lang/app/budget.h"
#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/options.h"
#include "lang/app/pager.h"

static const struct command commands[] = {
#define COMMAND(name, function, arguments, what) {#name, function, arguments, what},
#include "lang/app/cmd.def"
#undef COMMAND
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const struct command line_command = {"", cmd_line, "-e LINE... [FILE]", "run lines of the language or of the prompt"};

void app_usage(FILE *out)
{
	fprintf(out, "usage: fray FILE [ENCOUNTER]      the same as fray run\n");
	fprintf(out, "       fray COMMAND ...\n");
	fprintf(out, "       fray -e LINE              run one line, such as: spread 4d6kh3\n");
	fprintf(out, "       fray                      open the prompt (at a terminal)\n\n");
	for (int i = 0; i < COMMANDS; i++) {
		char left[40];
		snprintf(left, sizeof left, "%s %s", commands[i].name, commands[i].arguments);
		fprintf(out, "  %-26s %s\n", left, commands[i].what);
	}
	fprintf(out, "\n--color=WHEN, with every command: always, never, or auto, at a terminal only.\n");
	fprintf(out,
		"--time=SECONDS, --memory=MB, --output=MB, with every command: stop when it needs more.\n");
	fprintf(out, "fray COMMAND --help tells more; \"-\" as FILE is standard input.\n");
	fprintf(out, "Exit status: 0 fine, 1 an expectation failed, 2 the script or the command line is wrong,\n");
	fprintf(out, "3 a limit or a needed ruling stopped the run, 130 interrupted.\n");
}

static const char *command_name(const void *table, int i)
{
	return ((const struct command *)table)[i].name;
}

const struct command *app_commands(int *count)
{
	*count = COMMANDS;
	return commands;
}

const struct command *app_command(const char *name)
{
	for (int i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

/* Commands whose answers are long, and that ask nothing: dice and the prompt do. */
static int run_paged(const struct command *c, int argc, char **argv)
{
	static const char *const paged[] = {"run", "show", "help", "dis", "compare"};
	bool asks = false, pages = false;
	for (int i = 1; i < argc; i++)
		asks |= !strncmp(argv[i], "--d", 3) || !strcmp(argv[i], "-");
	for (size_t i = 0; i < sizeof paged / sizeof *paged; i++)
		pages |= !strcmp(paged[i], c->name);
	if (pages && !asks)
		pager_begin();
	budget_begin(c->name);
	return c->function(c, argc, argv);
}

/* Runs a command whose name was left out: the words begin at argv[1] all the same. */
static int run_unnamed(const char *name, int argc, char **argv)
{
	return run_paged(app_command(name), argc, argv);
}

/* --help, --version and what they may be shortened to; the words of other options are longer. */
static bool is_short_for(const char *word, const char *whole, char letter)
{
	if (word[0] == '-' && word[1] == letter && !word[2])
		return true;
	return !strncmp(word, "--", 2) && word[2] && !strncmp(whole, word + 2, strlen(word + 2));
}

static int dispatch(int argc, char **argv)
{
	if (argc < 2 && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		return run_unnamed("repl", argc, argv);
	if (argc < 2) {
		app_usage(stderr);
		return EXIT_WRONG;
	}
	const char *first = argv[1];
	const struct command *c = app_command(first);
	if (c)
		return run_paged(c, argc - 1, argv + 1);
	if (is_short_for(first, "help", 'h')) {
		app_usage(stdout);
		return EXIT_FINE;
	}
	if (is_short_for(first, "version", 'V')) {
		options_print_version();
		return EXIT_FINE;
	}
	if (!strncmp(first, "-e", 2))
		budget_begin("");
	if (!strncmp(first, "-e", 2))
		return line_command.function(&line_command, argc, argv);
	/* an option of `run`, a file, or something that can only have been meant as one */
	if (first[0] == '-' || strpbrk(first, "./") || file_exists(first))
		return run_unnamed("run", argc, argv);
	static const char *const typed[] = {
		"why", "begin", "step", "undo", "fork", "expect", "what", "who", "how"};
	for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
		if (!strcmp(first, typed[i])) {
			complain("\"%s\" is typed at the prompt: fray repl FILE", first);
			return EXIT_WRONG;
		}
	const char *meant = file_meant(first);
	if (*meant == ';') {
		complain("there is no command or file \"%s\"%s", first, meant);
		return EXIT_WRONG;
	}
	int near = options_nearest(first, command_name, commands, COMMANDS);
	if (near >= 0)
		complain("there is no command or file \"%s\"; did you mean \"fray %s\"?", first, commands[near].name);
	else
		complain("there is no command or file \"%s\"; \"fray --help\" lists the commands.", first);
	return EXIT_WRONG;
}

/* `--color=WHEN` may stand anywhere, with every command: takes it out of the words. */
static bool take_colours(int *argc, char **argv)
{
	static const char *const when[] = {
		[COLOURS_AUTO] = "auto", [COLOURS_ALWAYS] = "always", [COLOURS_NEVER] = "never"};
	int n = 1;
	bool options = true;
	for (int i = 1; i < *argc; i++) {
		options = options && strcmp(argv[i], "--");
		bool us = !strncmp(argv[i], "--color", 7), british = !strncmp(argv[i], "--colour", 8);
		const char *said = argv[i] + (british ? 8 : 7);
		if (!options || !(us || british) || (*said && *said != '=')) {
			argv[n++] = argv[i];
			continue;
		}
		int chosen = -1;
		for (int k = 0; k < 3; k++)
			if (*said ? !strcmp(said + 1, when[k]) : k == COLOURS_ALWAYS)
				chosen = k;
		if (chosen < 0) {
			complain("--color takes auto, always or never, not \"%s\".", said + 1);
			return false;
		}
		host_colours((enum colours)chosen);
	}
	argv[n] = NULL;
	*argc = n;
	return true;
}

int main(int argc, char **argv)
{
	/* what is being written is finished first; host_finish ends the process then */
	signal(SIGPIPE, SIG_IGN);
	const bool taken = take_colours(&argc, argv) && budget_take(&argc, argv);
	const int status = budget_finish(taken ? dispatch(argc, argv) : EXIT_WRONG);
	if (!pager_runs())
		return host_finish(status);
	pager_end();
	return status;
}
