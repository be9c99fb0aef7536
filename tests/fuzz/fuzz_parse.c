/* fuzz_parse.c - text to trees, and the same text at the prompt, line by line. */
#include <string.h>

#include "lang/front/front.h"
#include "tests/fuzz/host.h"

static void ignore(void *context, const struct diag *d)
{
	(void)context;
	(void)d;
}

static void offer(void *context, const char *word, const char *what)
{
	(void)context;
	fuzz_read(word, strlen(word));
	fuzz_read(what, strlen(what));
}

static void feed_all(struct front *front, const char *text, size_t size)
{
	struct feed *feed = feed_new(front);
	char line[512];
	for (size_t at = 0; at < size;) {
		size_t n = 0;
		while (at < size && text[at] != '\n') {
			if (n + 1 < sizeof line && text[at])
				line[n++] = text[at];
			at++;
		}
		at++;
		line[n] = '\0';
		struct node *units = NULL;
		feed_line(feed, line, &units);
		line[n / 2] = '\0';
		feed_complete(feed, line, NULL, offer, NULL);
		fuzz_read(feed_awaits(feed), strlen(feed_awaits(feed)));
	}
	feed_free(feed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	struct sources sources;
	struct front front;
	struct diag_sink sink;
	struct node *uses;
	if (size > FUZZ_SIZE_MAX / 4)
		return 0;
	memset(&sink, 0, sizeof sink);
	sink.report = ignore;
	arena_init(&arena);
	sources_init(&sources);
	struct intern *names = intern_new();
	front_init(&front, &arena, names, &sources, &sink);
	uint16_t file = sources_add(&sources, "fuzz", (const char *)data, size);
	if (front_collect(&front, file, &uses))
		front_parse(&front, file);
	feed_all(&front, (const char *)data, size);
	front_free(&front);
	sources_free(&sources);
	intern_free(names);
	arena_free(&arena);
	return 0;
}
