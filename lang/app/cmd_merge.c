/* cmd_merge.c - fray merge: the parts of a sample that was divided, told as one. */
#include <stdlib.h>
#include <string.h>

#include "lang/app/budget.h"
#include "lang/app/files.h"
#include "lang/app/odds_run.h"
#include "lang/app/options.h"

enum { JSON, CSV, REPORT, THREADS, MERGE_OPTIONS };

static const struct option merge_options[MERGE_OPTIONS] = {
	[JSON] = {"json", 0, NULL, "print one object a line for each question"},
	[CSV] = {"csv", 0, NULL, "print one line for each figure"},
	[REPORT] = {"report", 0, "FILE.html",
		"also write a page with plots, to look at, print or pass on"},
	[THREADS] = {"threads", 0, "N", "use N threads for exact answers [1]"},
};

static const char notes[] = "Parts are written by: fray odds --shard I/N --out PART FILE. Their "
							"order does not matter. All\n"
							"of them are needed, with the same script, version, seed and question. "
							"The answer is the same, to\n"
							"the byte, as from one machine.\n";

static int merge(struct odds *o, char *const *path, int n)
{
	struct fray_part *part = calloc((size_t)n, sizeof *part);
	int status = EXIT_FINE;
	if (!part)
		budget_out_of_memory();
	for (int i = 0; i < n && status == EXIT_FINE; i++) {
		part[i].name = path[i];
		part[i].data = file_read_part(path[i], &part[i].length);
		if (!part[i].data)
			status = EXIT_WRONG;
	}
	if (status == EXIT_FINE)
		status = odds_run_merge(o, part, n);
	for (int i = 0; i < n; i++)
		free((char *)part[i].data);
	free(part);
	return status;
}

int cmd_merge(const struct command *self, int argc, char **argv)
{
	struct options given;
	struct odds o;
	uint64_t n = 0;
	int which;
	memset(&o, 0, sizeof o);
	options_begin(&given, self, merge_options, MERGE_OPTIONS, notes, argc, argv);
	while ((which = options_next(&given)) != OPTIONS_DONE) {
		if (which < 0)
			return options_status(which);
		if (which == REPORT)
			o.report = given.value;
		else if (which == THREADS && !options_number(&given, 1, 256, &n))
			return EXIT_WRONG;
		else if ((which == JSON || which == CSV) && !odds_take_form(&o, which == JSON ? FRAY_ODDS_JSON : FRAY_ODDS_CSV))
			return EXIT_WRONG;
	}
	if (given.operands < 1)
		return options_missing(&given, "the parts");
	o.options.threads = o.options.threads_exact = (int)n;
	return merge(&o, given.operand, given.operands);
}
