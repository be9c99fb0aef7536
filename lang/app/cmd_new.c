/* cmd_new.c - fray new: writes a first script to begin with. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/app/host.h"
#include "lang/app/options.h"

enum { RULES, NEW_OPTIONS };

static const struct option new_options[NEW_OPTIONS] = {
	[RULES] = {"rules", 0, "NAME", "use this system [osric]"},
};

static const char notes[] =
	"NAME is the title of the encounter; the file is called after it: \"The Old Mill\" is\n"
	"the-old-mill.fray. An existing file is not changed.\n";

/* The name of the file, from the letters and digits of a title; false: there are none. */
static bool file_of(const char *title, struct text *out)
{
	bool gap = false;
	for (const char *p = title; *p; p++) {
		const unsigned char c = (unsigned char)*p;
		if (!isalnum(c) && c < 0x80) {
			gap = out->length > 0;
			continue;
		}
		if (gap)
			text_add(out, "-", 1);
		gap = false;
		const char low = (char)(c < 0x80 ? tolower(c) : c);
		text_add(out, &low, 1);
	}
	if (!out->length)
		return false;
	text_add(out, ".fray", sizeof ".fray"); /* with its NUL */
	return true;
}

/* A title as it may stand in quotes and in a comment. */
static void plain_title(const char *words, struct text *out)
{
	for (const char *p = words; *p; p++)
		if (*p != '"' && *p != '\\' && (unsigned char)*p >= ' ')
			text_add(out, p, 1);
	text_add(out, "", 1);
}

static int write_file(const char *file, const char *script)
{
	FILE *out = fopen(file, "wx");
	bool good = out && fputs(script, out) >= 0;
	good &= out && !fclose(out);
	if (!good) {
		fprintf(stderr, "fray: cannot write %s: %s\n", file, strerror(errno));
		return out ? EXIT_STOPPED : EXIT_WRONG;
	}
	printf("Wrote %s. To play it, type: fray run %s\n", file, file);
	return EXIT_FINE;
}

/* Writes the script when the rules it names can play it. */
static int write_first(const char *title, const char *file, const char *rules)
{
	struct host host;
	host_init(&host);
	struct fray *f = host_open(&host, NULL);
	char *script = fray_first(title, file, rules);
	int status = EXIT_STOPPED;
	if (f && script)
		status = exit_of(fray_load(f, file, script, strlen(script)));
	fray_close(f);
	host_free(&host);
	if (status == EXIT_FINE)
		status = write_file(file, script);
	free(script);
	return status;
}

int cmd_new(const struct command *self, int argc, char **argv)
{
	struct options o;
	const char *rules = "osric";
	int which;
	options_begin(&o, self, new_options, NEW_OPTIONS, notes, argc, argv);
	while ((which = options_next(&o)) != OPTIONS_DONE) {
		if (which != RULES)
			return options_status(which);
		rules = o.value;
	}
	if (o.operands == 0)
		return options_missing(&o, "a name");
	int status = EXIT_FINE;
	struct text words = {0}, title = {0}, file = {0};
	text_add_words(&words, o.operand, o.operands);
	plain_title(words.data, &title);
	if (status == EXIT_FINE && !file_of(title.data, &file)) {
		fprintf(stderr, "fray: a name has letters or digits: fray new \"The Old Mill\"\n");
		status = EXIT_WRONG;
	}
	if (status == EXIT_FINE)
		status = write_first(title.data, file.data, rules);
	text_free(&words);
	text_free(&title);
	text_free(&file);
	return status;
}
