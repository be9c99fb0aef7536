/* budget.c - see budget.h.
 *
 * When the time is up, the first alarm looks like Ctrl-C to whoever asks host_interrupted: odds tell
 * what they know by then. The second alarm comes two seconds later and ends the process, for work
 * that never asks. */
#include "lang/app/budget.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "lang/app/host.h"
#include "lang/app/pager.h"

enum { TIME, OUTPUT, BUDGETS };
enum { GRACE_SECONDS = 2, SECONDS_DEFAULT = 600, OUTPUT_DEFAULT = 256 };

static const struct option options[BUDGETS] = {
	[TIME] = {"time", 0, "SECONDS", "stop after so many seconds [600]"},
	[OUTPUT] = {"output", 0, "MB", "stop when more is written [256]"},
};

static const uint64_t most[BUDGETS] = {[TIME] = 31536000, [OUTPUT] = 1 << 20};

static struct {
	uint64_t said[BUDGETS]; /* 0: nothing was said */
	uint64_t written;
} budget;

static char late[120];              /* what is said when the time is up */
static volatile sig_atomic_t alarms;

const struct option *budget_options(int *count)
{
	*count = BUDGETS;
	return options;
}

static bool take_number(int which, const char *value)
{
	char *end = NULL;
	errno = 0;
	const unsigned long long n = value ? strtoull(value, &end, 10) : 0;
	if (value && *value >= '0' && *value <= '9' && !*end && !errno && n && n <= most[which]) {
		budget.said[which] = n;
		return true;
	}
	if (!value)
		complain("--%s needs a value: --%s=%s", options[which].name, options[which].name,
			options[which].value);
	else
		complain("--%s takes a whole number from 1 to %llu, not \"%s\".",
			options[which].name, (unsigned long long)most[which], value);
	return false;
}

/* Which budget a word sets; *value: what stands behind `=`, or NULL. */
static int meant(const char *word, const char **value)
{
	for (int i = 0; i < BUDGETS; i++) {
		const size_t n = strlen(options[i].name);
		if (strncmp(word, "--", 2) || strncmp(word + 2, options[i].name, n))
			continue;
		if (word[2 + n] && word[2 + n] != '=')
			continue;
		*value = word[2 + n] ? word + 2 + n + 1 : NULL;
		return i;
	}
	return -1;
}

bool budget_take(int *argc, char **argv)
{
	int n = 1;
	bool over = false;
	for (int i = 1; i < *argc; i++) {
		const char *value = NULL;
		over = over || !strcmp(argv[i], "--");
		const int which = over ? -1 : meant(argv[i], &value);
		if (which < 0) {
			argv[n++] = argv[i];
			continue;
		}
		if (!value && i + 1 < *argc)
			value = argv[++i];
		if (!take_number(which, value))
			return false;
	}
	argv[n] = NULL;
	*argc = n;
	return true;
}

/* ---- time ---- */

static void set_alarm(unsigned seconds)
{
	const struct itimerval when = {.it_value.tv_sec = seconds};
	setitimer(ITIMER_REAL, &when, NULL);
}

static void say_late(void)
{
	const ssize_t n = write(STDERR_FILENO, late, strlen(late));
	(void)n;
}

static void time_is_up(int signal_number)
{
	(void)signal_number;
	const int before = errno;
	if (alarms++) {
		say_late();
		_exit(EXIT_STOPPED);
	}
	host_interrupt();
	set_alarm(GRACE_SECONDS);
	errno = before;
}

static void begin_time(uint64_t seconds)
{
	struct sigaction act;
	memset(&act, 0, sizeof act);
	snprintf(late, sizeof late,
		"fray: this took longer than %llu second%s, so I stopped it. --time=SECONDS allows "
		"more.\n", (unsigned long long)seconds, seconds == 1 ? "" : "s");
	act.sa_handler = time_is_up;
	sigemptyset(&act.sa_mask);
	sigaction(SIGALRM, &act, NULL);
	set_alarm((unsigned)seconds);
}

void budget_begin(const char *command)
{
	/* there somebody sits, or an editor waits */
	const bool waits = !strcmp(command, "repl") || !strcmp(command, "lsp");
	if (budget.said[TIME])
		begin_time(budget.said[TIME]);
	else if (!waits)
		begin_time(SECONDS_DEFAULT);
}

void budget_asked(void)
{
	if (!budget.said[TIME])
		set_alarm(0);
}

bool budget_time_is_up(void)
{
	return alarms > 0;
}

int budget_finish(int status)
{
	set_alarm(0);
	if (!alarms)
		return status;
	fflush(stdout);
	say_late();
	return EXIT_STOPPED;
}

/* ---- output ---- */

void budget_written(size_t bytes)
{
	const uint64_t mb = budget.said[OUTPUT] ? budget.said[OUTPUT] : OUTPUT_DEFAULT;
	budget.written += bytes;
	if (budget.written <= mb << 20)
		return;
	fflush(stdout);
	complain("this wrote more than %llu MB, so I stopped it. --output=MB allows more.",
		(unsigned long long)mb);
	if (pager_runs())
		pager_end();
	_exit(EXIT_STOPPED);
}
