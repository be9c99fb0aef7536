/* watch.c - a program with Fray inside: plays a script, counts its events, prints its story.
 *
 *     cc watch.c $(pkg-config --cflags --libs fray) -o watch
 *     ./watch fight.fray
 *
 * Everything Fray says comes through the callbacks; it never prints and never exits. */
#include <fray/fray.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct watcher {
	FILE *out;
	int complaints;
};

static void report(void *context, const struct fray_diagnostic *d)
{
	struct watcher *w = context;
	w->complaints++;
	fprintf(stderr, "%s:%d: %s: %s\n", d->file, d->line, d->code, d->message);
}

static void story(void *context, enum fray_style style, const char *text, size_t length)
{
	struct watcher *w = context;
	(void)style;
	fwrite(text, 1, length, w->out);
}

/* The whole of a file, malloc'ed; NULL when it cannot be read. */
static char *whole(const char *path, size_t *length)
{
	FILE *in = fopen(path, "rb");
	char *text = NULL;
	size_t room = 0;
	*length = 0;
	if (!in)
		return NULL;
	do {
		if (*length == room) {
			char *grown = realloc(text, room = 2 * room + 4096);
			if (!grown)
				break;
			text = grown;
		}
		*length += fread(text + *length, 1, room - *length, in);
	} while (*length == room);
	if (ferror(in)) {
		free(text);
		text = NULL;
	}
	fclose(in);
	return text;
}

/* The text that `use things` means: things.fray in the folder of the script. */
static char *beside(void *context, const char *name, const char *from, size_t *length)
{
	const char *slash = strrchr(from, '/');
	char path[4096];
	(void)context;
	int n = snprintf(path, sizeof path, "%.*s%s.fray", slash ? (int)(slash + 1 - from) : 0, from, name);
	return n > 0 && (size_t)n < sizeof path ? whole(path, length) : NULL;
}

int main(int argc, char **argv)
{
	struct watcher w = {stdout, 0};
	struct fray_config config = {.abi = FRAY_ABI, .context = &w, .report = report, .write = story, .module = beside};
	struct fray_run_options options = {.seed = 1};
	if (argc != 2) {
		fprintf(stderr, "usage: watch SCRIPT\n");
		return 64;
	}
	size_t length;
	char *text = whole(argv[1], &length);
	if (!text) {
		perror(argv[1]);
		return 2;
	}
	struct fray *f = fray_open(&config);
	if (!f) {
		fprintf(stderr, "watch: this is another version of libfray\n");
		free(text);
		return 2;
	}
	enum fray_status s = fray_load(f, argv[1], text, length);
	int steps = 0;
	bool over = false;
	if (s == FRAY_OK)
		s = fray_begin(f, NULL, &options);
	while (s == FRAY_OK && !over) {
		s = fray_step(f, &over);
		steps++;
		fray_tell_new(f, FRAY_STORY);
	}
	struct fray_tally t = fray_result(f);
	printf("%d steps, %d rounds, %d expectations held, %d failed, %d complaints\n", steps, t.rounds,
	       t.expects_passed, t.expects_failed, w.complaints);
	fray_close(f);
	free(text);
	return (int)s;
}
