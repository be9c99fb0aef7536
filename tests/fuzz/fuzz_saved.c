/* fuzz_saved.c - a script as `save` writes it: the fight is taken up where it stood. */
#include "tests/fuzz/host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fray_run_options o = {.seed = 0, .max_rounds = 4};
	if (size > FUZZ_SIZE_MAX)
		return 0;
	char *rules = fray_saved_rules((const char *)data, size);
	if (rules)
		fuzz_read(rules, strlen(rules));
	free(rules);
	struct fray *f = fuzz_open();
	fuzz_bound_odds(f, FRAY_EITHER);
	if (fray_load(f, "fuzz.fray", (const char *)data, size) == FRAY_OK) {
		if (fray_run_saved(f, NULL, &o) != FRAY_WRONG)
			fray_tell(f, FRAY_JSON);
		if (fray_odds_stand(f) == FRAY_OK)
			fray_odds(f, NULL);
	}
	fray_close(f);
	return 0;
}
