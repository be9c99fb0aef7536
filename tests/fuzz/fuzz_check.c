/* fuzz_check.c - a whole script is read and checked; its bytecode is made and printed. */
#include "tests/fuzz/host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > FUZZ_SIZE_MAX)
		return 0;
	struct fray *f = fuzz_open();
	if (fray_load(f, "fuzz.fray", (const char *)data, size) == FRAY_OK)
		fray_disassemble(f);
	fray_close(f);
	return 0;
}
