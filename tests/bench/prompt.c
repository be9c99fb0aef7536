/* prompt.c - how long lines of the prompt take late in a large fight, and what undo holds.
 *
 * usage: prompt SCRIPT answers ROUNDS   after so many rounds: "NAME NANOSECONDS", the median of
 *                                       what is typed again and again, and the slowest
 *        prompt SCRIPT asked QUESTIONS  plays to the end; for each line of a file "NANOSECONDS QUESTION",
 *                                       the median of a few
 *        prompt SCRIPT typed ROUNDS     the same of what is typed under any system, a few times
 *        prompt SCRIPT steps N          plays N steps, each of which can be taken back; asks why, and
 *                                       goes through the whole log
 *        prompt SCRIPT played N         plays as many, of which none can be: the log alone
 *        prompt SCRIPT back N           plays N steps and takes all of them back
 * Times are those of the processor: a busy machine is not to count.
 * The last three print "kilobytes KB nanoseconds NS", the most that was held and the time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "lang/api/fray.h"

enum { TIMES = 41, FEW = 7, TIMES_ASKED = 5, TEXT_MAX = 1 << 20 };

static int64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void report(void *context, const struct fray_diagnostic *d)
{
	(void)context;
	fputs(d->text, stderr);
}

static void nowhere(void *context, enum fray_style style, const char *text, size_t length)
{
	(void)context;
	(void)style;
	(void)text;
	(void)length;
}

static int64_t line(struct fray *f, const char *text)
{
	int64_t began = now();
	if (fray_line(f, text) >= FRAY_WRONG) {
		fprintf(stderr, "%s: refused\n", text);
		exit(2);
	}
	return now() - began;
}

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* `text` many times; before each `first`, which is not counted. */
static void median_of(struct fray *f, int times, const char *name, const char *first, const char *text)
{
	int64_t took[TIMES];
	for (int i = 0; i < times; i++) {
		if (*first)
			line(f, first);
		took[i] = line(f, text);
	}
	qsort(took, (size_t)times, sizeof *took, by_size);
	printf("%s %lld %lld\n", name, (long long)took[times / 2], (long long)took[times - 1]);
}

static void median(struct fray *f, const char *name, const char *first, const char *text)
{
	median_of(f, TIMES, name, first, text);
}

/* What is typed under any system, some of which take seconds for a line. */
static void typed(struct fray *f, int rounds)
{
	bool over = false;
	while (!over && fray_result(f).rounds < rounds)
		fray_step(f, &over);
	fray_tell_new(f, FRAY_STORY);
	median_of(f, FEW, "step", "", "step");
	median_of(f, FEW, "undo", "step", "undo");
	median_of(f, FEW, "why", "", "why");
	median_of(f, FEW, "why,not", "", "why not guard #1 dies");
	median_of(f, FEW, "a,line", "", "set guard #1's size = large");
}

static void answers(struct fray *f, int rounds)
{
	bool over = false;
	while (!over && fray_result(f).rounds < rounds)
		fray_step(f, &over);
	fray_tell_new(f, FRAY_STORY);
	median(f, "step", "", "step");
	median(f, "undo", "step", "undo");
	median(f, "redo", "undo", "redo");
	median(f, "why", "", "why");
	median(f, "why,a,value", "", "why guard #3's armour class");
	median(f, "why,an,order", "", "why goblin #1 acts before guard #1");
	median(f, "why,not", "", "why not guard #1 dies");
	median(f, "undo,a,line", "set guard #1's hit points = 300", "undo");
	median(f, "redo,a,line", "undo 1", "redo");
	median(f, "a,line", "undo 1", "set guard #1's hit points = 300");
	line(f, "fork other");
	line(f, "step");
	line(f, "switch main");
	median(f, "switch", "switch other", "switch main");
}

/* Each line of a file, when the fight is over. */
static void asked(struct fray *f, const char *path)
{
	char text[256];
	FILE *file = fopen(path, "r");
	if (!file) {
		fprintf(stderr, "%s: not found\n", path);
		exit(2);
	}
	while (fgets(text, sizeof text, file)) {
		int64_t took[TIMES_ASKED];
		text[strcspn(text, "\n")] = '\0';
		for (int i = 0; i < TIMES_ASKED; i++)
			took[i] = line(f, text);
		qsort(took, TIMES_ASKED, sizeof *took, by_size);
		printf("%lld %s\n", (long long)took[TIMES_ASKED / 2], text);
	}
	fclose(file);
}

int main(int argc, char **argv)
{
	static char text[TEXT_MAX];
	FILE *file = argc == 4 ? fopen(argv[1], "r") : NULL;
	if (!file) {
		fprintf(stderr, "usage: prompt SCRIPT answers|asked|typed|steps|played|back N\n");
		return 2;
	}
	size_t length = fread(text, 1, sizeof text, file);
	fclose(file);
	struct fray_config c = {.abi = FRAY_ABI, .report = report, .write = nowhere, .fuel = UINT64_MAX / 2};
	struct fray_run_options o = {.seed = 1, .max_rounds = 100000};
	struct fray *f = fray_open(&c);
	int n = atoi(argv[3]);
	bool over = false;
	if (!f || fray_load(f, argv[1], text, length) != FRAY_OK || fray_begin(f, NULL, &o) != FRAY_OK)
		return 2;
	int64_t began = now();
	if (!strcmp(argv[2], "answers")) {
		answers(f, n);
	} else if (!strcmp(argv[2], "typed")) {
		typed(f, n);
	} else if (!strcmp(argv[2], "asked")) {
		while (!over && fray_step(f, &over) == FRAY_OK)
			;
		asked(f, argv[3]);
	} else if (!strcmp(argv[2], "played")) {
		o.max_rounds = n; /* the number of rounds that N steps were */
		fray_begin(f, NULL, &o);
		fray_run(f);
	} else {
		for (int i = 0; i < n && !over; i++)
			fray_step(f, &over);
		fprintf(stderr, "%d\n", fray_result(f).rounds);
		began = now();
		if (!strcmp(argv[2], "back")) {
			line(f, "undo 1000000");
		} else {
			line(f, "why");
			line(f, "why not guard #1 dies");
			line(f, "why guard #3's armour class");
			fray_tell(f, FRAY_STORY);
		}
	}
	if (strcmp(argv[2], "answers") != 0 && strcmp(argv[2], "asked") != 0 && strcmp(argv[2], "typed") != 0) {
		struct rusage used;
		getrusage(RUSAGE_SELF, &used);
		printf("kilobytes %ld nanoseconds %lld\n", used.ru_maxrss, (long long)(now() - began));
	}
	fray_close(f);
	return 0;
}
