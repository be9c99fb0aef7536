/* fights_fray.c - plays a script many times through the public interface, for `make bench`.
 *
 * usage: fights_fray FILE TRIALS SEED begin|run|tell
 *
 * Trial t of the seed is begun (begin), played to its end (run), and its story read (tell).
 * Only `tell` prints, the same line as fights.c, the party being A: an outcome is read from
 * the notes "party is down" and "enemy is down" of the script. `begin` and `run` exist to be
 * measured: the cost of a trial is the difference between runs of different length, so
 * loading drops out. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/api/fray.h"

struct story { char *text; size_t length, room; };

static void keep(void *context, enum fray_style style, const char *text, size_t length)
{
	struct story *s = context;
	(void)style;
	if (s->room - s->length <= length) {
		s->room = 2 * (s->room + length) + 64;
		s->text = realloc(s->text, s->room);
		if (!s->text)
			abort();
	}
	memcpy(s->text + s->length, text, length);
	s->length += length;
	s->text[s->length] = '\0';
}

static void complain(void *context, const struct fray_diagnostic *d)
{
	(void)context;
	fputs(d->text, stderr);
}

static char *read_file(const char *path, size_t *length)
{
	FILE *in = fopen(path, "rb");
	if (!in)
		return NULL;
	struct story s = {0};
	char piece[4096];
	size_t n;
	while ((n = fread(piece, 1, sizeof piece, in)) > 0)
		keep(&s, FRAY_PLAIN, piece, n);
	fclose(in);
	*length = s.length;
	return s.text;
}

int main(int argc, char **argv)
{
	if (argc != 5) {
		fprintf(stderr, "usage: fights_fray FILE TRIALS SEED begin|run|tell\n");
		return 2;
	}
	unsigned long trials = strtoul(argv[2], NULL, 10);
	struct fray_run_options options = {.seed = strtoull(argv[3], NULL, 10)};
	int depth = !strcmp(argv[4], "begin") ? 0 : !strcmp(argv[4], "run") ? 1 : 2;

	struct story story = {0};
	/* wide, so that no line is broken inside a note */
	struct fray_config config = {.abi = FRAY_ABI, .context = &story, .report = complain, .write = keep, .width = 30000};
	struct fray *f = fray_open(&config);
	size_t length;
	char *script = read_file(argv[1], &length);
	if (!f || !script || fray_load(f, argv[1], script, length) != FRAY_OK) {
		fprintf(stderr, "fights_fray: %s cannot be played\n", argv[1]);
		return 2;
	}
	free(script);

	/* how often each: bit 0 the party is down, bit 1 the enemy is */
	unsigned long ended[4] = {0}, rounds = 0;
	for (unsigned long t = 0; t < trials; t++) {
		options.trial = t;
		if (fray_begin(f, NULL, &options) != FRAY_OK || (depth && fray_run(f) != FRAY_OK)) {
			fprintf(stderr, "fights_fray: trial %lu of %s went wrong\n", t, argv[1]);
			return 2;
		}
		if (depth < 2)
			continue;
		story.length = 0;
		fray_tell(f, FRAY_STORY);
		ended[(strstr(story.text, "party is down") != NULL) | (strstr(story.text, "enemy is down") != NULL) << 1]++;
		rounds += (unsigned long)fray_result(f).rounds;
	}
	if (depth == 2) {
		double n = trials ? (double)trials : 1;
		printf("A %.6f B %.6f both %.6f unresolved %.6f rounds %.6f\n", (double)ended[2] / n, (double)ended[1] / n,
			(double)ended[3] / n, (double)ended[0] / n, (double)rounds / n);
	}
	fray_close(f);
	free(story.text);
	return 0;
}
