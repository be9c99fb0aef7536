/* fuzz_session.c - an evening at the prompt: a script, then lines typed. */
#include "tests/fuzz/pair.h"

enum { LINES_MOST = 60, LINE_MOST = 400 };

static void offer(void *context, const char *word, const char *what)
{
	(void)context;
	fuzz_read(word, strlen(word));
	fuzz_read(what, strlen(what));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text;
	size_t left, script = fuzz_pair(data, size, &text, &left);
	if (size > FUZZ_SIZE_MAX)
		return 0;
	struct fray *f = fuzz_open();
	fuzz_bound_odds(f, FRAY_EITHER);
	if (!script || fray_load(f, "fuzz.fray", (const char *)data, script) == FRAY_OK) {
		enum fray_status s = FRAY_OK;
		for (int n = 0; left && n < LINES_MOST && s != FRAY_QUIT; n++) {
			char line[LINE_MOST];
			size_t length = 0, used = 0;
			while (used < left && text[used] != '\n') {
				if (length + 1 < sizeof line && text[used])
					line[length++] = text[used];
				used++;
			}
			line[length] = '\0';
			text += used + (used < left);
			left -= used + (used < left);
			s = fray_line(f, line);
			fuzz_read(fray_awaits(f), strlen(fray_awaits(f)));
			line[length / 2] = '\0';
			fray_complete(f, line, offer, NULL);
		}
		fray_abandon(f);
	}
	fray_close(f);
	return 0;
}
