/* elsewhere.c - which systems of the library have an action, for a verb that the rules in force do
 * not have; and whose rules read a fact that these do not. */
#include <string.h>

#include "lang/api/interp.h"
#include "lang/front/lexicon.h"
#include "stdlib/builtins.h"

/* Whether what is said begins with the verb as a whole, or with its third person: "fall back", "falls back". */
static bool is_said(const char *said, const char *verb, size_t length)
{
	struct buf plain = {0}, first = {0};
	const size_t head = strcspn(verb, " ") < length ? strcspn(verb, " ") : length;
	buf_add(&plain, verb, head);
	lexicon_plural(&first, buf_text(&plain));
	buf_add(&first, verb + head, length - head);
	const bool is = (!strncmp(said, verb, length) && (said[length] == ' ' || !said[length])) ||
	                (!strncmp(said, buf_text(&first), first.length) && (said[first.length] == ' ' || !said[first.length]));
	buf_free(&plain);
	buf_free(&first);
	return is;
}

/* The length of the longest action that is said; 0: none is. */
static size_t has_action(const char *text, const char *said)
{
	static const char begins[] = "\naction ";
	size_t longest = 0;
	for (const char *p = strstr(text, begins); p; p = strstr(p, begins)) {
		p += sizeof begins - 1;
		size_t length = strcspn(p, "({\"\n");
		while (length && p[length - 1] == ' ')
			length--;
		if (length > longest && is_said(said, p, length))
			longest = length;
	}
	return longest;
}

/* The module a text of the library belongs to: its folder. */
static bool same_module(const char *a, const char *b)
{
	const size_t n = strcspn(a, "/");
	return n == strcspn(b, "/") && !strncmp(a, b, n);
}

/* Is it a system? Other modules can be used beside one. */
static bool is_ruleset(const char *name)
{
	for (unsigned long i = 0; i < fray_builtin_count; i++) {
		const char *text = fray_builtins[i].text;
		if (same_module(fray_builtins[i].name, name) &&
			(!strncmp(text, "ruleset ", 8) || strstr(text, "\nruleset ")))
			return true;
	}
	return false;
}

const char *elsewhere_verb(void *context, const char *said)
{
	struct fray *f = context;
	const char *last = NULL;
	size_t longest = 1;
	f->elsewhere.length = 0;
	for (unsigned long i = 0; i < fray_builtin_count; i++) {
		const size_t length = has_action(fray_builtins[i].text, said);
		longest = length > longest ? length : longest;
	}
	for (unsigned long i = 0; i < fray_builtin_count; i++) {
		const struct fray_builtin *b = &fray_builtins[i];
		if ((last && same_module(last, b->name)) || has_action(b->text, said) < longest)
			continue;
		last = b->name;
		const int length = (int)strcspn(b->name, "/");
		buf_printf(
			&f->elsewhere, "%s%.*s", f->elsewhere.length ? ", " : "", length, b->name);
		if (!is_ruleset(b->name))
			buf_printf(&f->elsewhere, " (write: use %.*s)", length, b->name);
	}
	return last ? buf_text(&f->elsewhere) : NULL;
}

const char *elsewhere_value(void *context, const char *said)
{
	struct fray *f = context;
	const char *last = NULL;
	struct buf define = {0};
	f->elsewhere.length = 0;
	buf_printf(&define, " define %s ", said);
	for (unsigned long i = 0; i < fray_builtin_count; i++) {
		const struct fray_builtin *b = &fray_builtins[i];
		if ((last && same_module(last, b->name)) || !is_ruleset(b->name) ||
			!strstr(b->text, buf_text(&define)))
			continue;
		last = b->name;
		buf_printf(&f->elsewhere, "%s%.*s", f->elsewhere.length ? ", " : "",
			(int)strcspn(b->name, "/"), b->name);
	}
	buf_free(&define);
	return last ? buf_text(&f->elsewhere) : NULL;
}

const struct said_verb *elsewhere_said(int *count)
{
	static const struct said_verb said[] = {
#define SAID(of_many, of_one, do_, does, by) {of_many, of_one, do_, does, by},
#include "stdlib/said.def"
#undef SAID
	};
	*count = FRAY_COUNT(said);
	return said;
}

const char *elsewhere_read(const char *kind, const char *field)
{
	static const struct { const char *kind, *field, *library; } unread[] = {
#define UNREAD(kind, field, library) {kind, field, library},
#include "stdlib/unread.def"
#undef UNREAD
	};
	for (size_t i = 0; i < FRAY_COUNT(unread); i++)
		if (!strcmp(unread[i].field, field) && !strcmp(unread[i].kind, kind))
			return unread[i].library;
	return NULL;
}

bool elsewhere_asked(const char *said)
{
	static const char *const before[] = {" is ", " is not ", " has "};
	const size_t n = strlen(said);
	for (unsigned long i = 0; i < fray_builtin_count; i++)
		for (const char *text = fray_builtins[i].text, *p = strstr(text, said); p;
			 p = strstr(p + 1, said))
			for (size_t k = 0; k < FRAY_COUNT(before); k++) {
				const size_t length = strlen(before[k]);
				if ((size_t)(p - text) >= length && !strncmp(p - length, before[k], length) &&
					strchr(" )}\n", p[n]))
					return true;
			}
	return false;
}

bool elsewhere_hostile(const char *action)
{
	static const char *const hostile[] = {
#define HOSTILE(action) action,
#include "stdlib/hostile.def"
#undef HOSTILE
	};
	for (size_t i = 0; i < FRAY_COUNT(hostile); i++)
		if (!strcmp(hostile[i], action))
			return true;
	return false;
}
