/* first.c - the script to begin with, from the rows of stdlib/first.def. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/fray.h"
#include "runtime/base/buf.h"

static const char *const lines[] = {
#define FIRST(line) line,
#include "stdlib/first.def"
#undef FIRST
};

char *fray_first(const char *title, const char *file, const char *rules)
{
	const struct {
		const char *name, *value;
	} given[] = {{"{title}", title}, {"{file}", file}, {"{rules}", rules}};
	struct buf b = {0};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		for (const char *p = lines[i]; *p;) {
			size_t k = 0;
			while (k < 3 && strncmp(p, given[k].name, strlen(given[k].name)))
				k++;
			if (k < 3)
				buf_puts(&b, given[k].value);
			else
				buf_putc(&b, *p);
			p += k < 3 ? strlen(given[k].name) : 1;
		}
		buf_putc(&b, '\n');
	}
	char *script = strdup(buf_text(&b));
	buf_free(&b);
	return script;
}
