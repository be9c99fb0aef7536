/* fuzz_part.c - a part of a sample, as another machine may have written it (lang/api/part.h). */
#include "tests/fuzz/host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 4 * FUZZ_SIZE_MAX)
		return 0;
	struct fray *f = fuzz_open();
	struct fray_part part = {"part", (const char *)data, size};
	fuzz_bound_odds(f, FRAY_SAMPLED);
	if (fray_merge(f, &part, 1) == FRAY_OK)
		fuzz_read(fray_merged_command(f), strlen(fray_merged_command(f)));
	fray_close(f);
	return 0;
}
