/* json_out.c - see json_out.h.
 *
 * Written by hand: the command prints one shape of object, and a file whose text is not UTF-8
 * must still be reported in UTF-8. */
#include "lang/app/json_out.h"

#include <stdio.h>
#include <string.h>

#include "lang/app/shown.h"

/* The length of the UTF-8 character at p, or 0 when there is none. */
static size_t character(const unsigned char *p)
{
	size_t n = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : p[0] >= 0xf0 && p[0] < 0xf5 ? 4 : 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

void json_put_string(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	fputc('"', out);
	while (*p) {
		size_t n = character(p);
		unsigned obeyed;
		if (n > 1 && text_obeyed((const char *)p, n, &obeyed))
			fprintf(out, "\\u%04x", obeyed); /* the same text, whoever shows it */
		else if (n == 0)
			fputs("\\ufffd", out);
		else if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if (*p == '\n')
			fputs("\\n", out);
		else if (*p == '\t')
			fputs("\\t", out);
		else if (*p < 0x20 || *p == 0x7f)
			fprintf(out, "\\u%04x", *p);
		else
			fwrite(p, 1, n, out);
		p += n ? n : 1;
	}
	fputc('"', out);
}

static void put_member(FILE *out, const char *name, const char *text)
{
	fprintf(out, ",\"%s\":", name);
	json_put_string(out, text ? text : "");
}

void json_put_diagnostic(FILE *out, const struct fray_diagnostic *d)
{
	static const char *const severity[] = {
		[FRAY_NOTE] = "note", [FRAY_WARNING] = "warning", [FRAY_ERROR] = "error", [FRAY_RULING] = "ruling", [FRAY_LIMIT] = "limit",
	};
	fputs("{\"code\":", out);
	json_put_string(out, d->code);
	put_member(out, "severity", severity[d->severity]);
	put_member(out, "file", d->file);
	fprintf(out, ",\"line\":%d,\"column\":%d,\"end_line\":%d,\"end_column\":%d", d->line, d->column, d->end_line, d->end_column);
	put_member(out, "message", d->message);
	put_member(out, "hint", d->hint);
	fputc('}', out);
}

void json_print_string(const char *text)
{
	json_put_string(stdout, text);
}

void json_print_diagnostic(const struct fray_diagnostic *d)
{
	json_put_diagnostic(stdout, d);
	fputc('\n', stdout);
}
