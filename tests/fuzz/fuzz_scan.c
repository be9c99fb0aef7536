/* fuzz_scan.c - bytes to raw tokens and declared names: tokens lie in the text, in order. */
#include <string.h>

#include "lang/front/collect.h"
#include "tests/fuzz/host.h"

static void ignore(void *context, const struct diag *d)
{
	(void)context;
	(void)d;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	struct sources sources;
	struct front front;
	struct diag_sink sink;
	struct node *uses;
	if (size > FUZZ_SIZE_MAX)
		return 0;
	memset(&sink, 0, sizeof sink);
	sink.report = ignore;
	arena_init(&arena);
	sources_init(&sources);
	struct intern *names = intern_new();
	front_init(&front, &arena, names, &sources, &sink);
	uint16_t file = sources_add(&sources, "fuzz", (const char *)data, size);
	if (front_collect(&front, file, &uses)) {
		struct raws raws = {0};
		uint32_t last = 0;
		front_raws(&front, file, &raws);
		for (int i = 0; i < raws.at.n; i++) {
			const struct raw *r = &raws.at.v[i];
			if (r->start < last || r->end < r->start || r->end > size)
				abort();
			last = r->start;
		}
		VEC_FREE(raws.at);
	}
	front_free(&front);
	sources_free(&sources);
	intern_free(names);
	arena_free(&arena);
	return 0;
}
