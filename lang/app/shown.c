/* shown.c - see shown.h. */
#include "lang/app/shown.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The character that begins here, if a terminal does something at it instead of showing it; 0. *bytes: its length. */
static unsigned obeyed(const char *text, size_t left, size_t *bytes)
{
	const unsigned char *t = (const unsigned char *)text;
	*bytes = 1;
	if ((t[0] < 32 && t[0] != '\n' && t[0] != '\t') || t[0] == 127)
		return t[0] ? t[0] : 0x2400; /* a zero byte stands in no text */
	if (left > 1 && t[0] == 0xC2 && t[1] >= 0x80 && t[1] < 0xA0) { /* the upper control characters */
		*bytes = 2;
		return t[1];
	}
	if (left > 1 && t[0] == 0xD8 && t[1] == 0x9C) { /* the Arabic letter mark */
		*bytes = 2;
		return 0x61C;
	}
	if (left > 2 && t[0] == 0xE2 && (t[1] == 0x80 || t[1] == 0x81)) {
		unsigned c = 0x2000u + (t[1] == 0x81 ? 0x40u : 0) + (t[2] & 0x3Fu);
		*bytes = 3;
		if (c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069))
			return c;
	}
	return 0;
}

size_t text_obeyed(const char *text, size_t left, unsigned *character)
{
	size_t bytes;
	*character = obeyed(text, left, &bytes);
	return *character ? bytes : 0;
}

bool text_is_plain(const char *text, size_t length)
{
	size_t bytes;
	for (size_t i = 0; i < length; i++)
		if (obeyed(text + i, length - i, &bytes))
			return false;
	return true;
}

void text_add_shown(struct text *t, const char *text, size_t length)
{
	size_t from = 0, bytes;
	for (size_t i = 0; i < length; i++) {
		unsigned c = obeyed(text + i, length - i, &bytes);
		if (!c)
			continue;
		char spelt[16];
		text_add(t, text + from, i - from);
		snprintf(spelt, sizeof spelt, "\\u%04x", c);
		text_add(t, spelt, strlen(spelt));
		i += bytes - 1;
		from = i + 1;
	}
	text_add(t, text + from, length - from);
}

void text_print_shown(FILE *out, const char *text, size_t length)
{
	struct text shown = {0};
	text_add_shown(&shown, text, length);
	fwrite(shown.data, 1, shown.length, out);
	text_free(&shown);
}

bool text_print_kept(const char *text, size_t length)
{
	if (!isatty(STDOUT_FILENO))
		return fwrite(text, 1, length, stdout) == length;
	text_print_shown(stdout, text, length);
	return !ferror(stdout);
}
