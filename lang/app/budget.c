/* budget.c - see budget.h.
 *
 * When the time is up, the first alarm looks like Ctrl-C to whoever asks host_interrupted: odds
 * tell what they know by then. The second alarm comes two seconds later and ends the process, for
 * work that never asks. */
#include "lang/app/budget.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "lang/app/host.h"
#include "lang/app/pager.h"

enum { TIME, MEMORY, OUTPUT, BUDGETS };
enum {
	THREAD_MB = 16,
	GRACE_SECONDS = 2,
	SECONDS_DEFAULT = 600,
	MB_DEFAULT = 1024,
	OUTPUT_DEFAULT = 256
};

static const struct option options[BUDGETS] = {
	[TIME] = {"time", 0, "SECONDS", "stop after so many seconds [600]"},
	[MEMORY] = {"memory", 0, "MB", "stop when more memory is needed [1024]"},
	[OUTPUT] = {"output", 0, "MB", "stop when more is written [256]"},
};

static const uint64_t most[BUDGETS] = {[TIME] = 31536000, [MEMORY] = 1 << 20, [OUTPUT] = 1 << 20};

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

/* `odds` has a --memory of its own: what an exact answer may take. */
static bool has_its_own(int which, int argc, char **argv)
{
	return which == MEMORY && argc > 1 && !strcmp(argv[1], "odds");
}

bool budget_take(int *argc, char **argv)
{
	int n = 1;
	bool over = false;
	for (int i = 1; i < *argc; i++) {
		const char *value = NULL;
		over = over || !strcmp(argv[i], "--");
		const int which = over ? -1 : meant(argv[i], &value);
		if (which < 0 || has_its_own(which, *argc, argv)) {
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

/* ---- memory ----
 *
 * The kernel refuses what goes beyond the limit, and malloc tells of it by ENOMEM. The library
 * calls abort() then, since it cannot go on: that becomes a message. */

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { OWN_ALLOCATOR = 1 }; /* it maps terabytes to begin with */
#else
enum { OWN_ALLOCATOR = 0 };
#endif

static const char short_of_memory[] =
	"fray: there is not enough memory, so I stopped. --memory=MB allows more.\n";

static void aborted(int signal_number)
{
	if (errno == ENOMEM) {
		const ssize_t n = write(STDERR_FILENO, short_of_memory, sizeof short_of_memory - 1);
		(void)n;
		_exit(EXIT_STOPPED);
	}
	signal(signal_number, SIG_DFL); /* a fault of Fray's own */
}

void budget_out_of_memory(void)
{
	errno = ENOMEM;
	aborted(SIGABRT);
	_exit(EXIT_STOPPED);
}

/* JSON that was left incomplete would be another answer. */
static void *json_memory(size_t size)
{
	void *p = malloc(size);
	if (!p)
		budget_out_of_memory();
	return p;
}

void budget_answer_takes(uint64_t mb, int threads)
{
	const uint64_t stacks = (uint64_t)(threads > 0 ? threads : 0) * THREAD_MB;
	const uint64_t all = mb + MB_DEFAULT + stacks;
	const struct rlimit limit = {(rlim_t)all << 20, RLIM_INFINITY};
	if (!OWN_ALLOCATOR)
		setrlimit(RLIMIT_DATA, &limit);
}

/* Lines of the prompt, an editor's requests: there somebody sits. */
static bool is_typed(const char *command)
{
	return !*command || !strcmp(command, "repl") || !strcmp(command, "lsp");
}

static void begin_memory(const char *command)
{
	/* an answer of odds may take as much again */
	const bool asks = !strcmp(command, "test") || !strcmp(command, "compare");
	const uint64_t usual = asks ? 2 * MB_DEFAULT : MB_DEFAULT;
	const uint64_t mb = budget.said[MEMORY] ? budget.said[MEMORY] : usual;
	const struct rlimit limit = {(rlim_t)mb << 20, RLIM_INFINITY};
	const bool limited = budget.said[MEMORY] || (!is_typed(command) && strcmp(command, "merge"));
	struct sigaction act;
	memset(&act, 0, sizeof act);
	act.sa_handler = aborted;
	sigemptyset(&act.sa_mask);
	sigaction(SIGABRT, &act, NULL);
	json_set_alloc_funcs(json_memory, free);
	if (!OWN_ALLOCATOR && limited) /* the parts of merge are as long as they are */
		setrlimit(RLIMIT_DATA, &limit);
}

void budget_begin(const char *command)
{
	begin_memory(command);
	if (budget.said[TIME])
		begin_time(budget.said[TIME]);
	else if (!is_typed(command))
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
