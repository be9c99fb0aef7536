/* cmd_fmt.c - fray fmt: scripts in their canonical layout. */
#include <stdlib.h>
#include <string.h>

#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/layout_diff.h"
#include "lang/app/options.h"
#include "lang/app/shown.h"

enum { CHECK, DIFF, WRITE, RULES, FMT_OPTIONS };

static const struct option fmt_options[FMT_OPTIONS] = {
	[CHECK] = {"check", 0, NULL,
		"change nothing: name the files that would change, with exit status 1"},
	[DIFF] = {"diff", 0, NULL,
		"change nothing: print what would change as a diff, with exit status 1"},
	[RULES] = {"rules", 0, "NAME[,HOUSE..]",
		"read the files as chapters of these rules"},
	[WRITE] = {"write", 'w', NULL, "write the files, and name those that changed"},
};

static const char notes[] = "Prints the text on standard output. A folder means every .fray file "
			    "below it, - standard input.\n"
			    "Only the layout changes: blanks, indentation, empty lines. Comments "
			    "and line ends stay.\n"
			    "A statement with a mistake is kept as it is; the mistake is "
			    "reported, with exit status 2.\n";

struct formatting {
	struct host *host;
	const char *rules;
	bool check, diff, write;
};

static int put(const struct formatting *o, const char *path, const char *before, size_t length,
	const char *after, size_t size)
{
	bool same = length == size && !memcmp(before, after, size);
	struct text t = {0};
	if (!o->check && !o->diff && !o->write)
		return text_print_kept(after, size) ? EXIT_FINE : EXIT_WRONG;
	if (same)
		return EXIT_FINE;
	if (o->diff) {
		layout_diff(&t, path, before, length, after, size);
		text_print_kept(t.data, t.length);
		text_free(&t);
	}
	if (o->write) {
		const char *why = file_write(path, after, size);
		if (why) {
			complain("cannot write %s: %s", path, why);
			return EXIT_WRONG;
		}
	}
	if (!o->diff) {
		text_print_shown(stdout, path, strlen(path));
		putchar('\n');
	}
	return o->write ? EXIT_FINE : EXIT_EXPECTATION;
}

static int format_file(const struct formatting *o, const char *path)
{
	size_t length, size;
	const char *after;
	char *text = file_read(path, &length);
	struct fray *f = text ? host_open(o->host, o->rules) : NULL;
	if (!f) {
		free(text);
		return text ? EXIT_STOPPED : EXIT_WRONG;
	}
	free(o->host->folder);
	o->host->folder = o->rules ? NULL
				   : file_folder(path); /* a chapter is no module of its own */
	int status = exit_of(fray_format(
		f, strcmp(path, "-") ? path : "standard input", text, length, &after, &size));
	if (after)
		status = exit_worse(status, put(o, path, text, length, after, size));
	fray_close(f);
	free(text);
	return status;
}

int cmd_fmt(const struct command *self, int argc, char **argv)
{
	struct options o;
	struct host host;
	struct formatting how = {.host = &host};
	struct file_list files = {0};
	int which, status = EXIT_FINE;
	host_init(&host);
	options_begin(&o, self, fmt_options, FMT_OPTIONS, notes, argc, argv);
	while ((which = options_next(&o)) != OPTIONS_DONE) {
		switch (which) {
		case CHECK:
			how.check = true;
			break;
		case DIFF:
			how.diff = true;
			break;
		case WRITE:
			how.write = true;
			break;
		case RULES:
			how.rules = o.value;
			break;
		default:
			return options_status(which);
		}
	}
	if (o.operands == 0)
		return options_missing(&o, "a script");
	for (int i = 0; i < o.operands; i++) {
		if (how.write && !strcmp(o.operand[i], "-")) {
			complain("standard input cannot be written to: leave out --write, and the "
				 "text is printed.");
			status = EXIT_WRONG;
		} else if (!file_list_add(&files, o.operand[i])) {
			status = EXIT_WRONG;
		}
	}
	for (int i = 0; i < files.n; i++)
		status = exit_worse(status, format_file(&how, files.path[i]));
	file_list_free(&files);
	host_free(&host);
	return status;
}
