/* emit.c - JSON written in order. */
#include "runtime/explain/emit.h"

/* Length of the UTF-8 character at `s`, 0 if there is none. */
static int character(const unsigned char *s)
{
	int n = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] <= 0xdf ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4 : 0;
	for (int i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* too long, a surrogate, or past the last character */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

void emit_text(struct buf *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	buf_putc(out, '"');
	while (*s) {
		int n = character(s);
		if (n == 0) {
			buf_puts(out, "\\ufffd");
			s++;
			continue;
		}
		if (*s == '"' || *s == '\\')
			buf_printf(out, "\\%c", *s);
		else if (*s == '\n')
			buf_puts(out, "\\n");
		else if (*s == '\t')
			buf_puts(out, "\\t");
		else if (*s < 0x20)
			buf_printf(out, "\\u%04x", *s);
		else
			buf_add(out, s, (size_t)n);
		s += n;
	}
	buf_putc(out, '"');
}

void emit_comma(struct buf *out)
{
	char last = out->length ? out->data[out->length - 1] : '{';
	if (last != '{' && last != '[' && last != ':')
		buf_putc(out, ',');
}

void emit_key(struct buf *out, const char *key)
{
	emit_comma(out);
	emit_text(out, key);
	buf_putc(out, ':');
}

void emit_member(struct buf *out, const char *key, const char *text)
{
	emit_key(out, key);
	emit_text(out, text);
}

void emit_number(struct buf *out, const char *key, int64_t value)
{
	emit_key(out, key);
	buf_printf(out, "%lld", (long long)value);
}

void emit_unsigned(struct buf *out, const char *key, uint64_t value)
{
	emit_key(out, key);
	buf_printf(out, "%llu", (unsigned long long)value);
}

void emit_flag(struct buf *out, const char *key, bool value)
{
	emit_key(out, key);
	buf_puts(out, value ? "true" : "false");
}

void emit_null(struct buf *out, const char *key)
{
	emit_key(out, key);
	buf_puts(out, "null");
}
