/* use_meant.c - `use dew with surprise no`: the line that sets the options it speaks of.
 *
 * A line counts as such where what is named is an option of the system's, or where yes, no, on, off
 * or a number ends it; what else is said there may be a file of the user's. */
#include <string.h>

#include "lang/api/interp.h"
#include "stdlib/builtins.h"

enum { MEANT_MAX = 256 };

/* Length of the word at `text`: of letters, digits and marks within names. */
static size_t word_length(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
}

static bool is_word(const char *text, const char *of)
{
	const size_t n = strlen(of);
	return word_length(text) == n && !strncmp(text, of, n);
}

/* Behind whatever may stand between system, name and value. */
static const char *skip(const char *text, bool *no)
{
	static const char *const fill[] = {"with", "and", "option", "options", "set", "to", "is"};
	for (bool more = true; more;) {
		more = false;
		text += strspn(text, " \t,(){}=:;\r");
		for (size_t i = 0; i < FRAY_COUNT(fill) && !more; i++)
			if (is_word(text, fill[i])) {
				text += strlen(fill[i]);
				more = true;
			}
		if (no && (is_word(text, "without") || is_word(text, "no"))) {
			*no = more = true;
			text += word_length(text);
		}
	}
	return text;
}

/* The option's name at `said`, as some system of the library declares it: how long it is there,
 * and behind it the values, in *values. */
static size_t option_at(
	const char *system, const char *said, const char **name, const char **values)
{
	static const char begins[] = "\noption ";
	const size_t folder = strlen(system);
	for (unsigned long i = 0; i < fray_builtin_count; i++) {
		const struct fray_builtin *b = &fray_builtins[i];
		if (strncmp(b->name, system, folder) != 0 || b->name[folder] != '/')
			continue;
		for (const char *p = strstr(b->text, begins); p; p = strstr(p, begins)) {
			p += sizeof begins - 1;
			const size_t n = word_length(p);
			if (n && word_length(said) == n && !strncmp(said, p, n)) {
				*name = p;
				*values = p + strcspn(p, ":\n");
				return n;
			}
		}
	}
	return 0;
}

/* The value at `said` as the option lists it, with its quotes: how much of `said` it is, or 0. */
static size_t value_at(const char *values, const char *said, struct buf *out)
{
	for (const char *v = values + (*values == ':'); *v && *v != '\n';) {
		v += strspn(v, " ,");
		const bool quoted = *v == '"';
		const size_t n = quoted ? strcspn(v + 1, "\"") : word_length(v);
		if (!n)
			return 0;
		if (!strncmp(v + quoted, said, n) && !word_length(said + n)) {
			buf_add(out, v, n + 2 * (size_t)quoted);
			return n;
		}
		v += n + 2 * (size_t)quoted;
	}
	return 0;
}

/* `some words no`, of which the system has no option: the next line says so, and which it has. */
static const char *put_unknown(const char *said, bool no, struct buf *out)
{
	static const char *const values[] = {"yes", "no", "on", "off", "true", "false"};
	const size_t whole = strcspn(said, ",;)}");
	size_t end = whole, last;
	while (end && strchr(" \t\r", said[end - 1]))
		end--;
	for (last = end; !no && last && !strchr(" :=\t", said[last - 1]);)
		last--;
	bool value = no || (said[last] >= '0' && said[last] <= '9');
	for (size_t i = 0; i < FRAY_COUNT(values); i++)
		value |= is_word(said + last, values[i]);
	size_t name = last;
	while (name && strchr(" :=\t\r", said[name - 1]))
		name--;
	if (!value || !name)
		return NULL;
	buf_printf(out, "%s%.*s: %.*s", out->length ? "; " : "", (int)name, said,
		no ? 2 : (int)(end - last), no ? "no" : said + last);
	return said + whole;
}

/* "surprise: no; ": one setting, and behind it; NULL: none stands there. */
static const char *put_setting(const char *system, const char *said, bool no, struct buf *out)
{
	const char *name, *values;
	size_t n = option_at(system, said, &name, &values);
	if (!n)
		return put_unknown(said, no, out);
	buf_printf(out, "%s%.*s: ", out->length ? "; " : "", (int)n, name);
	said += n;
	if (no) {
		if (!value_at(values, "no", out) && !value_at(values, "off", out))
			buf_puts(out, "..");
		return said;
	}
	said = skip(said, NULL);
	said += *said == '"';
	n = value_at(values, said, out);
	if (!n) {
		n = word_length(said);
		if (n)
			buf_add(out, said, n);
		else
			buf_puts(out, "..");
	}
	return said + n + (said[n] == '"');
}

bool use_meant(const char *line, size_t length, struct buf *out)
{
	char text[MEANT_MAX];
	struct buf settings = {0};
	if (length >= sizeof text)
		return false;
	memcpy(text, line, length);
	text[length] = '\0';
	const char *comment = strstr(text, "--");
	if (comment)
		text[comment - text] = '\0';
	const char *p = text + strspn(text, " \t");
	if (!is_word(p, "use"))
		return false;
	p += 3 + strspn(p + 3, " \t");
	char *system = text + (p - text);
	size_t n = word_length(system);
	if (!n || !system[n])
		return false;
	system[n] = '\0';
	for (p = system + n + 1; *p;) {
		bool no = false;
		p = skip(p, &no);
		p = *p ? put_setting(system, p, no, &settings) : p;
		if (!p)
			break;
		p += strspn(p, " \t,(){}=:;\r");
	}
	const bool meant = p && settings.length;
	if (meant)
		buf_printf(out, "use %s with { %s }", system, buf_text(&settings));
	buf_free(&settings);
	return meant;
}
