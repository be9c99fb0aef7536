/* fuzz_script.c - a whole script: read, checked, each encounter played for a while, told. */
#include "tests/fuzz/host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fray_run_options o = {.seed = 1, .max_rounds = 4};
	if (size > FUZZ_SIZE_MAX)
		return 0;
	struct fray *f = fuzz_open();
	if (fray_load(f, "fuzz.fray", (const char *)data, size) == FRAY_OK)
		for (int i = 0; i < fray_encounters(f) && i < 4; i++) {
			if (fray_begin(f, fray_encounter(f, i), &o) != FRAY_OK)
				continue;
			fray_run(f);
			fray_tell(f, FRAY_STORY_WHY);
			fray_tell(f, FRAY_TIMELINE);
			fray_tell(f, FRAY_JSON);
		}
	fray_close(f);
	return 0;
}
