/* host.h - what the fuzz targets share: a host that reads all it is told and keeps nothing. */
#ifndef FRAY_TESTS_FUZZ_HOST_H
#define FRAY_TESTS_FUZZ_HOST_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lang/api/fray.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_FUEL = 200000, FUZZ_SIZE_MAX = 8192 };

/* Every byte is looked at, so that a sanitizer sees what is lent beyond its life. */
static inline void fuzz_read(const char *text, size_t length)
{
	static volatile unsigned char sum;
	for (size_t i = 0; i < length; i++)
		sum = (unsigned char)(sum + (unsigned char)text[i]);
}

static inline void fuzz_report(void *context, const struct fray_diagnostic *d)
{
	(void)context;
	fuzz_read(d->text, strlen(d->text));
	fuzz_read(d->message, strlen(d->message));
	fuzz_read(d->hint, strlen(d->hint));
	if (d->line < 0 || d->column < 0)
		abort();
}

static inline void fuzz_write(void *context, enum fray_style style, const char *text, size_t length)
{
	(void)context;
	(void)style;
	fuzz_read(text, length);
}

/* A script may ask for ten thousand fights, whatever fuzz_bound_odds says: a second is enough. */
static clock_t fuzz_began;

static inline bool fuzz_interrupted(void *context)
{
	(void)context;
	return clock() - fuzz_began > CLOCKS_PER_SEC;
}

static inline struct fray *fuzz_open(void)
{
	struct fray_config c = {.abi = FRAY_ABI,
		.report = fuzz_report,
		.write = fuzz_write,
		.interrupted = fuzz_interrupted,
		.fuel = FUZZ_FUEL};
	fuzz_began = clock();
	struct fray *f = fray_open(&c);
	if (!f)
		abort();
	return f;
}

/* Small odds, where the script does not ask for more itself. */
static inline void fuzz_bound_odds(struct fray *f, enum fray_method method)
{
	struct fray_odds_options o = {.method = method,
		.seed = 1,
		.trials = 10,
		.threads = 1,
		.max_rounds = 4,
		.states = 500,
		.memory = 16};
	fray_set_odds(f, &o);
}

#endif
