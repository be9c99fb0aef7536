/* question_short.c - names as a table says them: "the giant" is the hill giant when there is but one, "no gnoll" is none of the
 * gnolls, "the home side" the side called home. */
#include <ctype.h>
#include <string.h>

#include "lang/api/question_read.h"

/* Does a text have these words here, as words? */
static bool stands(const char *text, size_t at, const char *words)
{
	const size_t n = strlen(words);
	return (at == 0 || text[at - 1] == ' ') && strlen(text + at) >= n && read_same(text + at, words, n) && read_ends(text[at + n]);
}

/* The last word of a name of several words, which nobody else's name ends in and nothing else is called by; NULL. */
static const char *short_name(const struct fray *f, int who)
{
	const struct program *p = f->program;
	const char *name = p->live[KIND_COMBATANT][who].name, *last = strrchr(name, ' ');
	if (!last || strchr(name, '#'))
		return NULL;
	last++;
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++) {
		const char *other = p->live[KIND_COMBATANT][i].name;
		for (size_t k = 0; i != who && other[k]; k++)
			if (stands(other, k, last))
				return NULL;
	}
	for (int i = 0; i < p->things; i++)
		if (p->thing[i].name && !p->kind[p->thing[i].kind].live && !strcmp(p->thing[i].name, last))
			return NULL;
	return last;
}

static void put_for(struct buf *b, size_t at, size_t n, const char *words)
{
	struct buf put = {0};
	buf_add(&put, b->data, at);
	buf_puts(&put, words);
	buf_puts(&put, b->data + at + n);
	buf_free(b);
	*b = put;
}

/* Is it the end of the whole name already? */
static bool is_whole(const char *text, size_t at, const char *name, const char *last)
{
	const size_t before = (size_t)(last - name);
	return at >= before && read_same(text + at - before, name, before);
}

static void full_names(const struct fray *f, struct buf *b)
{
	const struct program *p = f->program;
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++) {
		const char *name = p->live[KIND_COMBATANT][i].name, *last = short_name(f, i);
		for (size_t at = 0; last && at < b->length; at++) {
			if (!stands(b->data, at, last) || is_whole(b->data, at, name, last))
				continue;
			put_for(b, at, strlen(last), name);
			at += strlen(name) - 1;
		}
	}
}

/* "no gnoll" */
static void none_of(struct fray *f, struct buf *b)
{
	struct question q;
	question_clear(&q);
	for (size_t at = 0; at < b->length; at++) {
		struct reading r = {f, b->data + at + 3, &q};
		if (!stands(b->data, at, "no") || b->data[at + 2] != ' ' || !read_people(&r, &q.who, &q.who_side))
			continue;
		put_for(b, at, 3, "none of the ");
		break;
	}
	question_free(&q);
}

/* "the home side" */
static void sides(const struct fray *f, struct buf *b)
{
	const struct program *p = f->program;
	for (int i = 0; i < p->lives[KIND_SIDE]; i++) {
		struct buf said = {0};
		buf_printf(&said, "%s side", p->live[KIND_SIDE][i].name);
		for (size_t at = 0; at < b->length; at++)
			if (stands(b->data, at, buf_text(&said)))
				put_for(b, at, said.length, p->live[KIND_SIDE][i].name);
		buf_free(&said);
	}
}

/* "our side", "us": of two sides the first, which a table plays; "on either side" leaves nobody
 * out. */
void question_ours(struct fray *f, struct buf *b)
{
	static const char *const ours[] = {"our side", "our two", "our three", "our four",
		"our people", "our lot", "ours", "our", "us"};
	static const char *const either[] = {
		"on either side ", "of either side ", "from either side ", "on both sides "};
	const struct program *p = f->program;
	for (size_t i = 0; i < FRAY_COUNT(either); i++) {
		const char *at = strstr(buf_text(b), either[i]);
		if (at)
			put_for(b, (size_t)(at - b->data), strlen(either[i]), "");
	}
	if (p->lives[KIND_SIDE] != 2)
		return;
	struct buf side = {0};
	buf_printf(&side, "the %s", p->live[KIND_SIDE][0].name);
	for (size_t i = 0; i < FRAY_COUNT(ours); i++)
		for (size_t at = 0; at < b->length; at++)
			if (stands(b->data, at, ours[i]))
				put_for(b, at, strlen(ours[i]), buf_text(&side));
	buf_free(&side);
}

/* "cultists" of the side called cult, if nobody is called so. */
void question_members(struct fray *f, struct buf *b)
{
	static const char *const ends[] = {"ist", "ists", "men", "members"};
	const struct program *p = f->program;
	for (int i = 0; i < p->lives[KIND_SIDE]; i++)
		for (size_t k = 0; k < FRAY_COUNT(ends); k++) {
			struct buf said = {0};
			buf_printf(&said, "%s%s", p->live[KIND_SIDE][i].name, ends[k]);
			for (size_t at = 0; at < b->length; at++) {
				struct question q;
				question_clear(&q);
				struct reading r = {f, b->data + at, &q};
				if (stands(b->data, at, buf_text(&said)) &&
					!read_people(&r, &q.who, &q.who_side))
					put_for(b, at, said.length, p->live[KIND_SIDE][i].name);
				question_free(&q);
			}
			buf_free(&said);
		}
}

void question_names(struct fray *f, struct buf *b)
{
	if (!f->program || !b->length)
		return;
	full_names(f, b);
	sides(f, b);
	none_of(f, b);
}
