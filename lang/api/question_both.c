/* question_both.c - two questions in one: "why did orc #1 miss and Bruna hit". Each half is asked
 * by itself; only when both can be answered is either told. See question_asked.h. */
#include <string.h>

#include "lang/api/question_asked.h"
#include "lang/api/question_read.h"

/* What was written meanwhile, to be told once both halves are answered. */
struct piece { enum fray_style style; size_t from, to; };
struct held {
	struct buf text;
	VEC(struct piece) piece;
};

static void hold(void *context, enum fray_style style, const char *text, size_t length)
{
	struct held *h = context;
	const struct piece one = {style, h->text.length, h->text.length + length};
	buf_add(&h->text, text, length);
	VEC_PUSH(h->piece, one);
}

/* "did orc #1 " of "did orc #1 miss": the word of asking, and who it is about. *help: the length of
 * the first. */
static size_t subject_of(struct fray *f, const char *text, size_t *help)
{
	struct question q;
	question_clear(&q);
	struct reading r = {f, text, &q};
	if (!read_any(&r, read_help_words) && !read_any(&r, read_not_words) &&
		!read_any(&r, read_be_words))
		read_any(&r, read_be_not_words);
	*help = (size_t)(r.at - text);
	const bool so = read_people(&r, &q.who, &q.who_side) && *r.at != '\'';
	const size_t n = so ? (size_t)(r.at - text) : 0;
	question_free(&q);
	return n;
}

/* The text before a moment at its end: "did Bruna hit orc #1 in round 2" without "in round 2". */
static size_t without_moment(struct fray *f, const char *text, size_t n)
{
	struct buf b = {0};
	struct question q;
	question_clear(&q);
	buf_add(&b, text, n);
	for (size_t at = 1; at < n; at++) {
		struct reading r = {f, b.data + at, &q};
		if (b.data[at - 1] == ' ' && read_moment(&r) && !*r.at) {
			n = at - 1;
			break;
		}
	}
	buf_free(&b);
	question_free(&q);
	return n;
}

/* The k-th way to ask the second half by itself; false: there are no more. */
static bool second_half(
	struct fray *f, const char *text, size_t left, const char *right, int k, struct buf *out)
{
	size_t help, own;
	const size_t subject = subject_of(f, text, &help);
	struct reading r = {f, right, NULL};
	buf_clear(out);
	read_take(&r, "why");
	read_take(&r, "then");
	const bool denied = read_take(&r, "not");
	switch (k) {
	case 0: /* "why was Ann hit and was Bob hit" */
		if (subject_of(f, r.at, &own) && own)
			buf_puts(out, r.at);
		return true;
	case 1: /* "did orc #1 miss and Bruna hit" */
		if (subject_of(f, r.at, &own) && !own)
			buf_printf(out, "%.*s%s", (int)help, text, r.at);
		return true;
	case 2: /* "did orc #1 hit Bruna and kill Korg" */
		if (subject && !subject_of(f, r.at, &own)) {
			const size_t bare = without_moment(f, text, left),
				     end = strlen(r.at), own_moment = without_moment(f, r.at, end);
			buf_printf(out, "%.*s%s%s", (int)subject, text, denied ? "not " : "", r.at);
			/* "move in round 1 and not attack": then, too */
			if (denied && bare < left && own_moment == end)
				buf_printf(out, "%.*s", (int)(left - bare), text + bare);
		}
		return true;
	case 3: /* "did Bruna hit orc #1 in round 2 and not in round 1" */
		if (subject && denied)
			buf_printf(out, "%.*snot %.*s %s", (int)subject, text,
				(int)(without_moment(f, text, left) - subject), text + subject,
				r.at);
		return true;
	default:
		return false;
	}
}

static void told_now(struct fray *f, const struct held *h)
{
	for (int i = 0; i < h->piece.n && f->config.write; i++)
		f->config.write(f->config.context, h->piece.v[i].style,
			h->text.data + h->piece.v[i].from,
			h->piece.v[i].to - h->piece.v[i].from);
}

bool parts_asked(
	struct fray *f, const char *text, bool (*ask)(struct fray *f, const char *part))
{
	const struct fray_config kept = f->config;
	struct held held = {0};
	bool so = true;
	f->config.write = hold;
	f->config.context = &held;
	while (so && *text) {
		const char *end = strstr(text, "; ");
		const size_t n = end ? (size_t)(end - text) : strlen(text),
			     before = held.text.length;
		so = ask(f, arena_text(&f->arena, text, n)) && held.text.length > before;
		text += end ? n + 2 : n;
	}
	f->config = kept;
	if (so)
		told_now(f, &held);
	buf_free(&held.text);
	VEC_FREE(held.piece);
	return so;
}

bool halves_asked(struct fray *f, struct otherly *as,
	bool (*ask)(struct fray *f, struct otherly *as, enum fray_status *s), enum fray_status *s)
{
	const char *text = buf_text(&as->text);
	const struct fray_config kept = f->config;
	struct held held = {0};
	bool so = false;
	for (const char *at = strstr(text, " and "); at && !so; at = strstr(at + 1, " and ")) {
		struct otherly one = *as;
		const size_t left = (size_t)(at - text);
		one.text = (struct buf){0};
		buf_add(&one.text, text, left);
		f->config.write = hold;
		f->config.context = &held;
		bool told = ask(f, &one, s);
		const size_t first = held.text.length;
		for (int k = 0; told && !so && second_half(f, text, left, at + 5, k, &one.text);
			k++)
			so = one.text.length && ask(f, &one, s) && held.text.length > first;
		f->config = kept;
		buf_free(&one.text);
		if (so)
			told_now(f, &held);
		buf_clear(&held.text);
		held.piece.n = 0;
	}
	buf_free(&held.text);
	VEC_FREE(held.piece);
	return so;
}
