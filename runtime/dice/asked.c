/* asked.c - dice rolled on the table and typed in: a total (17), or the faces joined by +
 * (9+8); yes or no for a chance. Several answers on a line, with blanks or commas between
 * them, answer the next questions too; an empty line, or the word roll, leaves this one to the
 * dice below. */
#include <string.h>
#include <strings.h>

#include "runtime/dice/dice.h"

static const char SEPARATORS[] = " \t\r\n,";

static void prompt_for(const struct dice_ask *ask, struct buf *b)
{
	buf_printf(b, "%s (", ask->name(ask->context));
	if (ask->dice)
		dice_print(ask->dice, b);
	else if (ask->den > 0 && 100 % ask->den == 0)
		buf_printf(b, "%lld%%, yes or no", (long long)(ask->num * (100 / ask->den)));
	else
		buf_printf(b, "%lld in %lld, yes or no", (long long)ask->num, (long long)ask->den);
	buf_puts(b, "): ");
}

/* A whole number of at most nine digits. */
static bool number(const char **at, const char *end, int32_t *out)
{
	const char *p = *at;
	bool minus = p < end && *p == '-';
	int32_t v = 0;
	int digits = 0;
	for (p += minus; p < end && *p >= '0' && *p <= '9'; p++) {
		if (++digits > 9)
			return false;
		v = v * 10 + (*p - '0');
	}
	*at = p;
	*out = minus ? -v : v;
	return digits > 0;
}

static bool is_word(const char *at, size_t length, const char *full)
{
	return length > 0 && length <= strlen(full) && strncasecmp(at, full, length) == 0;
}

/* Takes one answer; a problem is left in `why`. */
static enum dice_answer take(const struct dice_ask *ask, const char *at, size_t length, struct dice_result *out, struct buf *why)
{
	int32_t face[FACES_MAX], total = 0;
	int faces = 0;
	bool read = false;
	const char *p = at, *end = at + length;
	enum dice_answer answer = DICE_IMPOSSIBLE;
	if (!ask->dice && (is_word(at, length, "yes") || is_word(at, length, "no"))) {
		total = is_word(at, length, "yes");
		read = true;
	} else if (number(&p, end, &total)) {
		face[faces++] = total;
		while (p < end && *p == '+' && faces < FACES_MAX && (p++, number(&p, end, &face[faces])))
			faces++;
		read = p == end && p[-1] != '+';
		if (faces == 1)
			faces = 0;
	}
	out->kind = DICE_TYPED;
	if (!read) {
		struct buf text = {0};
		struct diag diag = diag_make(M_DICE_UNREAD, (struct span){0});
		buf_add(&text, at, length);
		diag_arg(&diag, buf_text(&text));
		diag_spoken(&diag, why);
		buf_free(&text);
	} else {
		answer = dice_give(ask, face, faces, total, out);
		if (answer != DICE_ANSWERED)
			dice_complaint(ask, out, why);
	}
	return answer;
}

/* Drops the first answer of those on the line. */
static void use_up(struct buf *ahead, size_t length)
{
	size_t used = length + strspn(ahead->data + length, SEPARATORS);
	memmove(ahead->data, ahead->data + used, ahead->length - used + 1);
	ahead->length -= used;
}

static enum dice_answer roll(struct dice_source *self, const struct dice_ask *ask, struct dice_result *out)
{
	struct asked *a = (struct asked *)self;
	struct buf prompt = {0}, why = {0};
	enum dice_answer answer = DICE_PASS;
	if (a->wants && !a->wants(a->context, ask))
		return DICE_PASS;
	for (;;) {
		if (a->ahead.length == 0) {
			if (prompt.length == 0)
				prompt_for(ask, &prompt);
			const char *line = a->line(a->context, buf_text(&prompt), why.length ? buf_text(&why) : NULL);
			if (!line) {
				answer = DICE_STOP;
				break;
			}
			line += strspn(line, SEPARATORS);
			if (!*line)
				break; /* rolled for them */
			buf_puts(&a->ahead, line);
			buf_clear(&why);
		}
		const char *at = buf_text(&a->ahead);
		size_t length = strcspn(at, SEPARATORS);
		enum asked_word said = a->word ? a->word(a->context, ask, at, length) : ASKED_NO_WORD;
		bool rolls = length == 4 && !strncmp(at, "roll", 4);
		answer = said == ASKED_STOP ? DICE_STOP : rolls || said == ASKED_AGAIN ? DICE_PASS : take(ask, at, length, out, &why);
		if (answer != DICE_IMPOSSIBLE)
			use_up(&a->ahead, length);
		if (said == ASKED_AGAIN)
			continue;
		if (answer != DICE_IMPOSSIBLE)
			break;
		/* the rest of a line with a slip in it was meant for other dice */
		buf_clear(&a->ahead);
		answer = DICE_PASS;
	}
	buf_free(&prompt);
	buf_free(&why);
	return answer;
}

void asked_init(struct asked *a, struct dice_source *below)
{
	memset(a, 0, sizeof *a);
	a->source.roll = roll;
	a->source.below = below;
}

void asked_forget(struct asked *a)
{
	buf_clear(&a->ahead);
}

void asked_free(struct asked *a)
{
	buf_free(&a->ahead);
}
