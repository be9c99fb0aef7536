/* replay.c - feeds files to a fuzz target, one after the other.
 *
 * libFuzzer brings its own main; this one lets every check run the corpus of a target with
 * any compiler, so a crash once found stays mended. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *name)
{
	FILE *f = fopen(name, "rb");
	uint8_t *data = NULL;
	long size;

	if (!f || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET) != 0) {
		perror(name);
		if (f)
			fclose(f);
		return 1;
	}
	/* exactly as long as the file, so that reading past the end is seen */
	data = malloc(size ? (size_t)size : 1);
	if (!data || fread(data, 1, (size_t)size, f) != (size_t)size) {
		perror(name);
		fclose(f);
		free(data);
		return 1;
	}
	fclose(f);
	LLVMFuzzerTestOneInput(data, (size_t)size);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	int wrong = 0;
	for (int i = 1; i < argc; i++)
		wrong |= replay(argv[i]);
	return wrong;
}
