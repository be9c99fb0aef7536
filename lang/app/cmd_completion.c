/* cmd_completion.c - fray completion: what completes words in a shell, from the tables of the
 * commands and of their options. */
#include <stdio.h>
#include <string.h>

#include "lang/app/host.h"
#include "lang/app/options.h"

static const char notes[] =
	"SHELL is bash, zsh or fish. Put the text where your shell looks for such files, or read "
	"it at once:\n"
	"  bash   source <(fray completion bash)\n"
	"  zsh    fray completion zsh > a folder of $fpath/_fray\n"
	"  fish   fray completion fish > ~/.config/fish/completions/fray.fish\n";

/* A text between single quotes of any of the shells; zsh takes [ ] and : of an option's help for
 * its own. */
static void quoted(const char *text, bool zsh)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else if (zsh && strchr("[]:\\", *text))
			printf("\\%c", *text);
		else
			putchar(*text);
	}
}

/* What an operand is, by how help calls it. */
static bool takes_files(const struct command *c)
{
	return strstr(c->arguments, "FILE") || strstr(c->arguments, "PATH") ||
		strstr(c->arguments, "PART") || strstr(c->arguments, "TABLE");
}

static const char *const shells[] = {"bash", "zsh", "fish"};

static void each_name(const char *before)
{
	int n;
	const struct command *c = app_commands(&n);
	for (int i = 0; i < n; i++)
		printf("%s%s", i ? " " : before, c[i].name);
}

static void everywhere(options_teller *tell, void *context)
{
	int n;
	const struct option *table = options_everywhere(&n);
	tell(context, table, n);
}

/* ---- bash ---- */

static void bash_option(void *context, const struct option *table, int count)
{
	(void)context;
	for (int i = 0; i < count; i++) {
		printf(" --%s%s", table[i].name,
			table[i].value && *table[i].value != '[' ? "=" : "");
		if (table[i].letter)
			printf(" -%c", table[i].letter);
	}
}

static void bash(void)
{
	int n;
	const struct command *c = app_commands(&n);
	printf("# fray: completion for bash, printed by `fray completion bash`\n_fray() {\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} cmd=${COMP_WORDS[1]} words='' files=''\n"
	       "\tCOMPREPLY=()\n\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\tfiles=1 words='");
	each_name("");
	printf(" -e");
	everywhere(bash_option, NULL);
	printf("'\n\telse\n\t\tcase $cmd in\n");
	for (int i = 0; i < n; i++) {
		printf("\t\t%s)%s words='", c[i].name, takes_files(&c[i]) ? " files=1" : "");
		if (!strcmp(c[i].arguments, "[WHAT]"))
			each_name(" ");
		for (size_t k = 0; !strcmp(c[i].arguments, "SHELL") && k < 3; k++)
			printf(" %s", shells[k]);
		options_list(&c[i], bash_option, NULL);
		everywhere(bash_option, NULL);
		printf("' ;;\n");
	}
	printf("\t\t*) files=1 ;;\n\t\tesac\n\tfi\n"
	       "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	       "\tif [ -n \"$files\" ] && [ \"${cur#-}\" = \"$cur\" ]; then\n"
	       "\t\tcompopt -o filenames 2>/dev/null\n\t\tlocal found\n"
	       "\t\tmapfile -t found < <(compgen -f -X '!*.fray' -- \"$cur\"; compgen -d -- "
	       "\"$cur\")\n"
	       "\t\tCOMPREPLY+=(\"${found[@]}\")\n\tfi\n"
	       "\tif [ \"${#COMPREPLY[@]}\" = 1 ] && [ \"${COMPREPLY[0]%%=}\" != "
	       "\"${COMPREPLY[0]}\" ]; then\n"
	       "\t\tcompopt -o nospace 2>/dev/null\n\tfi\n}\ncomplete -F _fray fray\n");
}

/* ---- zsh ---- */

static void zsh_option(void *context, const struct option *table, int count)
{
	(void)context;
	for (int i = 0; i < count; i++) {
		const bool value = table[i].value && *table[i].value != '[';
		printf(" \\\n\t\t\t'--%s%s[", table[i].name, value ? "=" : "");
		quoted(table[i].help, true);
		putchar(']');
		if (value) {
			putchar(':');
			quoted(table[i].value, true);
			putchar(':');
		}
		putchar('\'');
	}
}

static void zsh_names(void)
{
	each_name(" \\\n\t\t\t'1:what:(");
	printf(")'");
}

static void zsh(void)
{
	int n;
	const struct command *c = app_commands(&n);
	printf("#compdef fray\n# fray: completion for zsh, printed by `fray completion "
	       "zsh`\n_fray() {\n"
	       "\tlocal -a commands\n\tcommands=(\n");
	for (int i = 0; i < n; i++) {
		printf("\t\t'%s:", c[i].name);
		quoted(c[i].what, true);
		printf("'\n");
	}
	printf("\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command commands\n"
	       "\t\t_files -g '*.fray'\n\t\treturn\n\tfi\n\tlocal cmd=$words[2]\n\tshift words\n"
	       "\t(( CURRENT-- ))\n\tcase $cmd in\n");
	for (int i = 0; i < n; i++) {
		printf("\t\t%s) _arguments", c[i].name);
		options_list(&c[i], zsh_option, NULL);
		everywhere(zsh_option, NULL);
		if (!strcmp(c[i].arguments, "SHELL"))
			printf(" \\\n\t\t\t'1:shell:(bash zsh fish)'");
		else if (!strcmp(c[i].arguments, "[WHAT]"))
			zsh_names();
		else if (takes_files(&c[i]))
			printf(" \\\n\t\t\t'*:file:_files -g \"*.fray(-.)\"'");
		printf(" ;;\n");
	}
	printf("\t\t*) _files -g '*.fray' ;;\n\tesac\n}\n_fray \"$@\"\n");
}

/* ---- fish ---- */

static void fish_option(void *context, const struct option *table, int count)
{
	const struct command *c = context;
	for (int i = 0; i < count; i++) {
		printf("complete -c fray");
		if (c)
			printf(" -n '__fish_seen_subcommand_from %s'", c->name);
		printf(" -l %s", table[i].name);
		if (table[i].letter)
			printf(" -s %c", table[i].letter);
		if (table[i].value && *table[i].value != '[')
			printf(" -r");
		printf(" -d '");
		quoted(table[i].help, false);
		printf("'\n");
	}
}

static void fish(void)
{
	int n;
	const struct command *c = app_commands(&n);
	printf("# fray: completion for fish, printed by `fray completion fish`\n");
	for (int i = 0; i < n; i++) {
		printf("complete -c fray -n __fish_use_subcommand -a %s -d '", c[i].name);
		quoted(c[i].what, false);
		printf("'\n");
	}
	everywhere(fish_option, NULL);
	for (int i = 0; i < n; i++) {
		options_list(&c[i], fish_option, (void *)(size_t)&c[i]);
		if (!strcmp(c[i].arguments, "SHELL"))
			printf("complete -c fray -f -n '__fish_seen_subcommand_from %s' -a 'bash "
			       "zsh fish'\n",
				c[i].name);
		if (!strcmp(c[i].arguments, "[WHAT]")) {
			printf("complete -c fray -f -n '__fish_seen_subcommand_from %s' -a '",
				c[i].name);
			each_name("");
			printf("'\n");
		}
	}
}

static const char *shell_name(const void *table, int i)
{
	return ((const char *const *)table)[i];
}

int cmd_completion(const struct command *self, int argc, char **argv)
{
	static void (*const print[])(void) = {bash, zsh, fish};
	struct options o;
	int which;
	options_begin(&o, self, NULL, 0, notes, argc, argv);
	if ((which = options_next(&o)) != OPTIONS_DONE)
		return options_status(which);
	if (o.operands == 0)
		return options_missing(&o, "a shell");
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (!strcmp(o.operand[0], shells[i])) {
			print[i]();
			return EXIT_FINE;
		}
	int near = options_nearest(o.operand[0], shell_name, shells, 3);
	complain("completion knows bash, zsh and fish, not \"%s\"%s%s%s", o.operand[0],
		near >= 0 ? "; did you mean " : "", near >= 0 ? shells[near] : "",
		near >= 0 ? "?" : ".");
	return EXIT_WRONG;
}
