/* fuzz_table.c - a table of creatures, as `fray import` reads it: first as CSV, then as JSON. */
#include "tests/fuzz/host.h"

#include "lang/app/table_in.c" /* part of the command, not of the library */

/* What it says of a table goes to the terminal there. */
void complain(const char *format, ...)
{
	fuzz_read(format, strlen(format));
}

/* As in host.c, which is the command's as well. */
void text_add(struct text *t, const char *data, size_t length)
{
	char *grown = realloc(t->data, t->length + length + 1);
	if (!grown)
		abort();
	t->data = grown;
	if (length)
		memcpy(t->data + t->length, data, length);
	t->length += length;
}

void text_free(struct text *t)
{
	free(t->data);
	memset(t, 0, sizeof *t);
}

static void look(struct table_in *t, bool right)
{
	for (int i = 0; right && i < t->rows; i++)
		for (int k = 0; k < t->row[i].cells; k++) {
			fuzz_read(t->row[i].cell[k].column, strlen(t->row[i].cell[k].column));
			fuzz_read(t->row[i].cell[k].value, strlen(t->row[i].cell[k].value));
		}
	table_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct table_in csv = {0}, json = {0};
	if (size > FUZZ_SIZE_MAX)
		return 0;
	look(&csv, table_read_csv(&csv, "fuzz.csv", (const char *)data, size));
	look(&json, table_read_json(&json, "fuzz.json", (const char *)data, size));
	return 0;
}
