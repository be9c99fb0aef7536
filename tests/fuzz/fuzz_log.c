/* fuzz_log.c - a script, and the log of a fight that is said to be its own, played again. */
#include "tests/fuzz/pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *log;
	size_t left, script = fuzz_pair(data, size, &log, &left);
	struct fray_run_options o = {.seed = 1, .max_rounds = 4};
	if (size > 4 * FUZZ_SIZE_MAX || !script)
		return 0;
	struct fray *f = fuzz_open();
	if (fray_load(f, "fuzz.fray", (const char *)data, script) == FRAY_OK &&
		fray_begin(f, NULL, &o) == FRAY_OK && fray_replay(f, log, left) == FRAY_OK)
		fray_tell(f, FRAY_STORY_WHY);
	fray_close(f);
	return 0;
}
