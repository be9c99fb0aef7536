/* trial.c - what one trial of `fray odds` costs once the fight is known: loading, linking, native code and what the
 * first trials teach are behind it.
 *
 * usage: trial FILE ENCOUNTER WARM time SECONDS [ROUNDS]
 *                                                 processor time of the trials that follow the first WARM; of so many rounds
 *        trial FILE ENCOUNTER WARM count N        instructions of N trials, when run under callgrind
 *                                                 (--instr-atstart=no); callgrind itself prints them
 *        trial FILE ENCOUNTER WARM check          plays WARM trials
 * FRAY_NATIVE=0 in the environment: without native code. ENCOUNTER is "" for the last of the file, or its only one.
 * Prints "trials N nanoseconds NS stopped N unsettled N rounds N status S": the share of trials that stopped for a ruling
 * or a limit, that of those left undecided and the average number of rounds are those of `fray odds --json`, in parts of a million. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined __has_include
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#ifndef CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_START_INSTRUMENTATION (void)0
#define CALLGRIND_STOP_INSTRUMENTATION (void)0
#endif

#include "lang/api/fray.h"

enum { PATH_SIZE = 4096, TEXT_MAX = 1 << 20 };

struct bench {
	const char *path;
	uint64_t warm, last;  /* trials before the measured ones; the number of the last measured, or 0 by time */
	double budget;        /* nanoseconds to measure for, about */
	uint64_t played, look; /* trials so far; the next at which the clock is read */
	double begun, took;   /* of the measured ones */
	uint64_t measured;
	char *json;
	size_t length;
	bool over;
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Called once before each measured trial and once after the last, since `fray odds` asks after every trial. */
static bool trial_done(void *context)
{
	struct bench *b = context;
	b->played++;
	if (b->played < b->look || b->over)
		return b->over;
	if (b->played == b->warm) {
		b->look = b->last ? b->last : b->warm + 1;
		b->begun = now();
		CALLGRIND_START_INSTRUMENTATION;
		return false;
	}
	if (b->last)
		CALLGRIND_STOP_INSTRUMENTATION;
	b->took = now() - b->begun;
	b->measured = b->played - b->warm;
	b->over = b->last || b->took >= b->budget;
	b->look = b->warm + 2 * b->measured;
	return b->over;
}

static void complain(void *context, const struct fray_diagnostic *d)
{
	(void)context;
	if (d->severity >= FRAY_ERROR)
		fputs(d->text, stderr);
}

static void keep(void *context, enum fray_style style, const char *text, size_t length)
{
	struct bench *b = context;
	(void)style;
	b->json = realloc(b->json, b->length + length + 1);
	if (!b->json)
		abort();
	memcpy(b->json + b->length, text, length);
	b->length += length;
	b->json[b->length] = '\0';
}

static char *read_file(const char *path, size_t *length)
{
	FILE *in = fopen(path, "rb");
	char *text = in ? malloc(TEXT_MAX) : NULL;
	*length = text ? fread(text, 1, TEXT_MAX, in) : 0;
	if (in)
		fclose(in);
	return text;
}

/* Modules stand beside the script. */
static char *module(void *context, const char *name, const char *from, size_t *length)
{
	char path[PATH_SIZE];
	const char *slash = strrchr(((struct bench *)context)->path, '/');
	(void)from;
	snprintf(path, sizeof path, "%.*s%s.fray", slash ? (int)(slash + 1 - ((struct bench *)context)->path) : 0,
		((struct bench *)context)->path, name);
	return read_file(path, length);
}

/* The average number of rounds. */
static long rounds(const struct bench *b)
{
	const char *at = b->json ? strstr(b->json, "\"name\":\"round\"") : NULL;
	at = at ? strstr(at, "\"value\":") : NULL;
	return at ? (long)(strtod(at + strlen("\"value\":"), NULL) * 1e6 + 0.5) : 0;
}

/* The number behind `name` in what fray_odds wrote, in parts of a million. */
static long parts(const struct bench *b, const char *name)
{
	const char *at = b->json ? strstr(b->json, name) : NULL;
	return at ? (long)(strtod(at + strlen(name), NULL) * 1e6 + 0.5) : 0;
}

int main(int argc, char **argv)
{
	struct bench b = {0};
	bool timed = (argc == 6 || argc == 7) && !strcmp(argv[4], "time"), counted = argc == 6 && !strcmp(argv[4], "count");
	if (!timed && !counted && !(argc == 5 && !strcmp(argv[4], "check"))) {
		fprintf(stderr, "usage: trial FILE ENCOUNTER WARM time SECONDS [ROUNDS]|count N|check\n");
		return 2;
	}
	b.path = argv[1];
	b.look = b.warm = strtoull(argv[3], NULL, 10);
	b.budget = timed ? strtod(argv[5], NULL) * 1e9 : 0;
	b.last = counted ? b.warm + strtoull(argv[5], NULL, 10) : 0;
	const char *native = getenv("FRAY_NATIVE");
	struct fray_config config = {.abi = FRAY_ABI, .context = &b, .report = complain, .write = keep, .module = module, .interrupted = trial_done,
		.no_native = native && !strcmp(native, "0")};
	struct fray *f = fray_open(&config);
	size_t length;
	char *script = read_file(argv[1], &length);
	if (!f || !script)
		return 2;
	fray_lean(f, NULL);
	enum fray_status s = fray_load(f, argv[1], script, length);
	struct fray_odds_options o = {.method = FRAY_SAMPLED, .form = FRAY_ODDS_JSON, .seed = 1, .threads = 1,
		.trials = timed || counted ? 1000000000 : b.warm, .max_rounds = argc == 7 ? atoi(argv[6]) : 0};
	fray_set_odds(f, &o);
	if (s == FRAY_OK)
		s = fray_odds(f, *argv[2] ? argv[2] : NULL);
	printf("trials %llu nanoseconds %.0f stopped %ld unsettled %ld rounds %ld status %d\n", (unsigned long long)b.measured, b.took,
		parts(&b, "\"stopped\":"), parts(&b, "\"unsettled\":"), rounds(&b), (int)s);
	free(script);
	free(b.json);
	fray_close(f);
	return 0;
}
