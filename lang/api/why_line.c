/* why_line.c - a line that asks for a reason, and what is made of one that is not understood.
 *
 * A question is read as it is spoken (question_text.c), then by the grammar. What neither can read is
 * tried in other words (question_plain.c), nothing being said of the attempts. Only when none of them
 * can be answered is the line left to the grammar for good, which says what is wrong with it. */
#include <string.h>

#include "lang/api/attempt.h"
#include "lang/api/question.h"
#include "lang/api/question_read.h"
#include "lang/api/session.h"

static void unheard(void *context, const struct diag *d)
{
	(void)context;
	(void)d;
}

static bool answered(enum fray_status s)
{
	return s == FRAY_OK;
}

/* Whether the grammar reads `text`, and it was answered. */
static bool by_grammar(struct fray *f, const char *text, enum fray_status *s)
{
	struct node *units = NULL;
	const char *line = arena_text(&f->arena, text, strlen(text));
	if (feed_line(f->feed, line, &units) == FEED_UNIT && units && units->kind == N_KIND_X_WHY &&
		!units->next && units->a)
		*s = why_node(f, units);
	else
		*s = FRAY_WRONG;
	feed_reset(f->feed);
	return answered(*s);
}

static void forgotten(struct fray *f)
{
	attempt_undo(f);
	attempt_begin(f);
}

/* Whether a question, without "why", can be answered. Nothing is kept of one that cannot. */
static bool tried(struct fray *f, const char *question, enum fray_status *s)
{
	struct buf turned = {0}, line = {0};
	bool so = why_spoken(f, question, &turned, s);
	if (!so) {
		buf_printf(&line, "why %s", question);
		so = by_grammar(f, buf_text(turned.length ? &turned : &line), s);
	}
	if (!so)
		forgotten(f);
	buf_free(&turned);
	buf_free(&line);
	return so;
}

/* "why ..", and at a prompt where nobody is called so, "who killed Bruna". NULL: no question. */
static const char *question_of(struct fray *f, const char *line)
{
	static const char *const begins[] = {"who ", "what ", "how ", "when "};
	const char *name = NULL;
	line += strspn(line, " \t");
	if (!strncmp(line, "why", 3) && (!line[3] || line[3] == ' '))
		return line + 3;
	for (size_t i = 0; i < FRAY_COUNT(begins); i++)
		if (!strncmp(line, begins[i], strlen(begins[i])))
			name = line;
	return name && f->vm && f->program ? name : NULL;
}

bool why_line(struct fray *f, const char *line, struct buf *turned, enum fray_status *s)
{
	const char *question = question_of(f, line);
	const bool why = question && !strncmp(line + strspn(line, " \t"), "why", 3);
	if (!question || !units_refresh(f))
		return false;
	bool so = why && why_spoken(f, question, turned, s);
	if (!so && f->vm && *question) {
		const struct diag_sink kept = f->sink;
		struct buf other = {0};
		bool dropped = false;
		f->sink.report = unheard;
		question += strspn(question, " ");
		if (why && !strchr(question, ';')) {
			buf_printf(&other, "why %s", question);
			so = by_grammar(f, buf_text(turned->length ? turned : &other), s);
			if (!so)
				forgotten(f);
		}
		for (int k = 0; !so && question_plain(f, question, k, &other, &dropped); k++)
			so = other.length && tried(f, buf_text(&other), s);
		f->sink = kept;
		if (so && dropped && f->answers != FRAY_JSON)
			fray_writef(f, FRAY_PLAIN, "Read as: why %s\n", buf_text(&other));
		buf_free(&other);
	}
	if (!so) {
		*s = FRAY_OK; /* nothing was done yet */
	} else {
		buf_clear(&f->kept);
		buf_puts(&f->kept, line + strspn(line, " \t"));
	}
	return so;
}
