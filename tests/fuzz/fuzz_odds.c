/* fuzz_odds.c - the odds of a script: a few fights sampled, small ones counted. */
#include "tests/fuzz/host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > FUZZ_SIZE_MAX)
		return 0;
	for (int way = FRAY_SAMPLED; way <= FRAY_EXACT; way++) {
		struct fray *f = fuzz_open();
		fuzz_bound_odds(f, (enum fray_method)way);
		if (fray_load(f, "fuzz.fray", (const char *)data, size) == FRAY_OK)
			fray_odds(f, NULL);
		fray_close(f);
	}
	return 0;
}
