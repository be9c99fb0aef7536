/* cmd_check.c - fray check: every mistake, and nothing played. */
#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/options.h"

enum { JSON, RULES, CHECK_OPTIONS };

static const struct option check_options[CHECK_OPTIONS] = {
	[JSON] = {"json", 0, NULL, "print one object a line on standard output"},
	[RULES] = {"rules", 0, "NAME[,HOUSE..]", "check against other rules than the scripts name"},
};

static const char notes[] =
	"A folder means every .fray file below it. Prints nothing if there are no mistakes.\n";

static int check_file(struct host *h, const char *path, const char *rules)
{
	struct fray *f = host_open(h, rules);
	if (f)
		fray_lean(f, NULL);
	int status = f ? exit_of(host_load(h, f, path)) : EXIT_STOPPED;
	if (status == EXIT_FINE)
		status = exit_of(fray_odds_check(f));
	fray_close(f);
	return status;
}

int cmd_check(const struct command *self, int argc, char **argv)
{
	struct options o;
	struct host host;
	struct file_list files = {0};
	const char *rules = NULL;
	int which, status = EXIT_FINE;
	host_init(&host);
	options_begin(&o, self, check_options, CHECK_OPTIONS, notes, argc, argv);
	while ((which = options_next(&o)) != OPTIONS_DONE) {
		switch (which) {
		case JSON:
			host.reports = REPORT_JSON;
			break;
		case RULES:
			rules = o.value;
			break;
		default:
			return options_status(which);
		}
	}
	if (o.operands == 0)
		return options_missing(&o, "a script");
	for (int i = 0; i < o.operands; i++)
		if (!file_list_add(&files, o.operand[i]))
			status = EXIT_WRONG;
	for (int i = 0; i < files.n; i++)
		status = exit_worse(status, check_file(&host, files.path[i], rules));
	file_list_free(&files);
	host_free(&host);
	return status;
}
