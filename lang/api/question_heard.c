/* question_heard.c - questions that no other reader knows, put in words that one does, by the
 * patterns of stdlib/heard.def: "how many arrows did Gil shoot" is "how often did Gil shoot". */
#include <ctype.h>
#include <string.h>

#include "lang/api/question_asked.h"
#include "lang/api/question_read.h"

enum { HOLES = 8 };

static const struct row {
	const char *said, *meant;
	bool loose; /* less is asked than was said, which is told */
	bool first; /* before any other reader */
} rows[] = {
#define HEARD(said, meant) {said, meant, false, false},
#define HEARD_LESS(said, meant) {said, meant, true, false},
#define HEARD_FIRST(said, meant) {said, meant, false, true},
#define HEARD_FIRST_LESS(said, meant) {said, meant, true, true},
#include "stdlib/heard.def"
#undef HEARD
#undef HEARD_LESS
#undef HEARD_FIRST
#undef HEARD_FIRST_LESS
};

struct hole { const char *name, *text; size_t name_length, length; };
struct match { struct fray *f; struct hole hole[HOLES]; int holes; };

size_t value_named(struct fray *f, const char *at, const char **name)
{
	const struct model *m = &f->model;
	size_t best = 0;
	for (int i = 0; i < m->field.n + m->question.n; i++) {
		const char *said = model_text(m,
			i < m->field.n ? m->field.v[i].name : m->question.v[i - m->field.n].name);
		const size_t n = strlen(said);
		if (n > best && strlen(at) >= n && read_same(at, said, n) && read_ends(at[n])) {
			best = n;
			if (name)
				*name = said;
		}
	}
	return best;
}

static const char *blanks(const char *at)
{
	return at + strspn(at, " ");
}

/* A thing of the fight by the last word of its name, of one or several, which no other thing has:
 * its name, and how much of the text that is; 0: there is none. */
static size_t thing_in_short(const struct fray *f, const char *text, const char **name)
{
	const struct program *p = f->program;
	const size_t n = strcspn(text, " ,'");
	size_t found = 0;
	const char *entire = NULL;
	bool several = false;
	for (int i = 0; n > 2 && i < p->things; i++) {
		const char *whole = p->kind[p->thing[i].kind].live ? NULL : p->thing[i].name;
		const char *last = whole ? strrchr(whole, ' ') : NULL;
		last = last ? last + 1 : whole;
		const size_t k = last ? strlen(last) : 0;
		if (k == 0 || !read_same(text, last, k < n ? k : n) ||
			(k != n && !(k + 1 == n && text[k] == 's')))
			continue;
		/* a whole name comes before the last word of others */
		const bool same = last == whole;
		if (same)
			entire = whole;
		several |= found > 0;
		found = n;
		*name = entire ? entire : whole;
	}
	return several && !entire ? 0 : found;
}

/* How much of the text a hole of this name takes, without the blanks behind; 0: it does not fit. */
static size_t filled(struct match *m, const char *name, size_t n, const char *text)
{
	static const char *const numbers[] = {"one", "two", "three", "four", "five", "six", "seven",
		"eight", "nine", "ten", "eleven", "twelve", NULL};
	static const char *const asks[] = {"who", "whom", "which", "what", "how", "when", "did",
		"does", "is", "was", "were", "are", NULL};
	struct question q;
	people some = {0};
	word side = NONE;
	bool so = false;
	question_clear(&q);
	struct reading r = {m->f, text, &q};
	const bool one = n == 3 && (!strncmp(name, "one", n) || !strncmp(name, "two", n));
	if (one || !strncmp(name, "who", 3))
		so = read_people(&r, &some, &side);
	else if (n == 5 && !strncmp(name, "thing", n))
		so = read_thing(&r);
	else if (n == 4 && !strncmp(name, "deed", n))
		so = read_verb(&r, false);
	else if (n == 4 && !strncmp(name, "when", n))
		so = read_moment(&r);
	else if (n == 3 && !strncmp(name, "nth", n))
		so = read_any(&r, read_ordinal_words);
	else if (n == 4 && !strncmp(name, "asks", n))
		so = read_take(&r, "why") || read_any(&r, asks);
	else if (n == 4 && !strncmp(name, "word", n))
		so = *text && (r.at += strcspn(text, " ,'")) > text;
	else if (n == 6 && !strncmp(name, "number", n)) {
		const size_t digits = strspn(text, "0123456789");
		so = digits ? read_ends(text[digits]) && (r.at += digits) : read_any(&r, numbers);
	} else if (n == 5 && !strncmp(name, "value", n)) {
		const size_t length = value_named(m->f, text, NULL);
		r.at += length;
		so = length > 0;
	}
	VEC_FREE(some);
	question_free(&q);
	size_t length = so ? (size_t)(r.at - text) : 0;
	const char *joint = one && so ? strstr(text, " and ") : NULL; /* of two named only the first */
	if (joint && (size_t)(joint - text) < length)
		length = (size_t)(joint - text);
	while (length && text[length - 1] == ' ')
		length--;
	return length;
}

/* One of "did|does" at the begin of a text; 0: none. */
static size_t literal(const char *words, size_t n, const char *text)
{
	for (size_t from = 0; from < n;) {
		size_t k = 0;
		while (from + k < n && words[from + k] != '|')
			k++;
		if (strlen(text) >= k && read_same(text, words + from, k) && read_ends(text[k]))
			return k;
		from += k + 1;
	}
	return 0;
}

static const char *article(const char *text)
{
	static const char *const articles[] = {"the ", "a ", "an "};
	for (size_t i = 0; i < FRAY_COUNT(articles); i++)
		if (!strncmp(text, articles[i], strlen(articles[i])))
			return blanks(text + strlen(articles[i]));
	return text;
}

static bool matches(struct match *m, const char *pattern, const char *text);

/* Fills a hole with so much of the text, where the rest of the pattern fits behind it. */
static bool fill(struct match *m, const char *name, size_t n, const char *text, size_t length,
	const char *pattern)
{
	const int holes = m->holes;
	if (holes == HOLES)
		return false;
	m->hole[m->holes++] = (struct hole){name, text, n, length};
	if (matches(m, pattern, text + length))
		return true;
	m->holes = holes;
	return false;
}

static bool matches(struct match *m, const char *pattern, const char *text)
{
	pattern = blanks(pattern);
	text = blanks(text);
	if (!*pattern)
		return !*text;
	if (*pattern == '{') {
		const char *name = pattern + 1;
		const size_t n = strcspn(name, "}");
		const char *behind = name + n + 1;
		if (n == 4 && !strncmp(name, "rest", n))
			return fill(m, name, n, text, strlen(text), behind);
		if (n == 3 && !strncmp(name, "any", n)) {
			size_t k = strcspn(text, " ");
			while (k && text[k] && !fill(m, name, n, text, k, behind))
				k += 1 + strcspn(text + k + 1, " ");
			return k && (text[k] || fill(m, name, n, text, k, behind));
		}
		const char *whole = NULL;
		size_t length = filled(m, name, n, text);
		if (length == 0) {
			text = article(text);
			length = filled(m, name, n, text);
		}
		if (length == 0 && n == 5 && !strncmp(name, "thing", n) &&
			(length = thing_in_short(m->f, text, &whole)) > 0 && m->holes < HOLES) {
			m->hole[m->holes++] = (struct hole){name, whole, n, strlen(whole)};
			if (matches(m, behind, text + length))
				return true;
			m->holes--;
			return false;
		}
		return length && fill(m, name, n, text, length, behind);
	}
	if (*pattern == '\'') /* "Ann's", "the orcs'" */
		return *text == '\'' && matches(m, pattern + 2, text + 1 + (text[1] == 's'));
	const size_t n = strcspn(pattern, " {");
	size_t k = literal(pattern, n, text);
	if (k == 0) {
		text = article(text);
		k = literal(pattern, n, text);
	}
	return k && matches(m, pattern + n, text + k);
}

static void put_together(const struct match *m, const char *meant, struct buf *out)
{
	buf_clear(out);
	while (*meant) {
		if (*meant != '{') {
			buf_putc(out, *meant++);
			continue;
		}
		const size_t n = strcspn(meant + 1, "}");
		for (int i = 0; i < m->holes; i++)
			if (m->hole[i].name_length == n &&
				!strncmp(m->hole[i].name, meant + 1, n)) {
				buf_add(out, m->hole[i].text, m->hole[i].length);
				break;
			}
		meant += n + 2;
	}
	while (out->length && out->data[out->length - 1] == ' ')
		out->data[--out->length] = '\0';
}

/* "why didn't the spider wake" is said as "why did the spider not wake". */
static void denial_moved(struct fray *f, struct buf *b)
{
	static const char *const short_not[] = {"didn't ", "doesn't ", "don't ", "wasn't ",
		"isn't ", "weren't ", "couldn't ", "hasn't "};
	const char *text = buf_text(b);
	for (size_t i = 0; i < FRAY_COUNT(short_not); i++) {
		const size_t n = strlen(short_not[i]);
		if (strncmp(text, "why ", 4) != 0 || strncmp(text + 4, short_not[i], n) != 0)
			continue;
		struct question q;
		people who = {0};
		word side = NONE;
		question_clear(&q);
		struct reading r = {f, text + 4 + n, &q};
		if (read_people(&r, &who, &side) && *r.at != '\'') {
			struct buf put = {0};
			buf_printf(&put, "why %.*s %.*snot %s", (int)n - 4, short_not[i],
				(int)(r.at - (text + 4 + n)), text + 4 + n, r.at);
			buf_free(b);
			*b = put;
		}
		VEC_FREE(who);
		question_free(&q);
		return;
	}
}

/* "who killed Ann, and when" is matched as it is without the comma. */
static void commas_left_out(struct buf *b)
{
	static const char joint[] = ", and ";
	for (char *at; (at = strstr(b->data, joint)) != NULL; b->length--)
		memmove(at, at + 1, strlen(at));
}

/* A round, segment or count that a line names, and its reading does not, goes behind the reading,
 * so that nothing else is answered. False: it cannot. */
static bool moments_kept(const char *line, struct buf *meant)
{
	static const char *const units[] = {"segment ", "count ", "round "};
	static const char *const bounds[] = {
		"after ", "before ", "since ", "from ", "until ", "by "};
	bool so = true, any = false;
	for (const char *at = line; *at; at++)
		for (size_t i = 0; i < FRAY_COUNT(units) && (at == line || at[-1] == ' '); i++) {
			const size_t k = strlen(units[i]);
			const size_t n =
				strncmp(at, units[i], k) ? 0 : strspn(at + k, "0123456789");
			if (n == 0)
				continue;
			struct buf moment = {0};
			buf_add(&moment, at, k + n);
			const char *said = strstr(buf_text(meant), buf_text(&moment));
			if (!said || isdigit((unsigned char)said[moment.length])) {
				const char *joint = any ? "of " : "in ";
				for (size_t b = 0; b < FRAY_COUNT(bounds); b++) {
					const size_t m = strlen(bounds[b]);
					if ((size_t)(at - line) > m &&
						!strncmp(at - m, bounds[b], m))
						joint = bounds[b];
				}
				so = so && !strstr(buf_text(meant), "; ");
				buf_printf(meant, " %s%s", joint, buf_text(&moment));
				any = true;
			}
			buf_free(&moment);
		}
	return so;
}

bool question_heard(
	struct fray *f, const char *line, bool first, int *from, struct buf *out, bool *loose)
{
	struct buf text = {0};
	buf_puts(&text, line);
	while (text.length && strchr(" \t\r\n?.!", text.data[text.length - 1]))
		text.data[--text.length] = '\0';
	question_names(f, &text);
	denial_moved(f, &text);
	if (text.length)
		commas_left_out(&text);
	bool so = false;
	for (; !so && *from < (int)FRAY_COUNT(rows); ++*from) {
		struct match m = {.f = f};
		if (rows[*from].first != first || !matches(&m, rows[*from].said, buf_text(&text)))
			continue;
		put_together(&m, rows[*from].meant, out);
		*loose = rows[*from].loose;
		so = moments_kept(buf_text(&text), out);
	}
	buf_free(&text);
	return so;
}
