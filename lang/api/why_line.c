/* why_line.c - a line that asks for a reason, and what is made of one that is not understood.
 *
 * A question is read as it is spoken (question_text.c), then by the grammar. What neither can read is
 * tried in other words (question_plain.c), nothing being said of the attempts. Only when none of them
 * can be answered is the line left to the grammar for good, which says what is wrong with it. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/attempt.h"
#include "lang/api/question_asked.h"
#include "lang/api/question_read.h"
#include "lang/api/session.h"
#include "lang/api/unheard.h"
#include "lang/front/lexicon.h"

static void unheard(void *context, const struct diag *d)
{
	(void)context;
	(void)d;
}

static bool answered(enum fray_status s)
{
	return s == FRAY_OK;
}

/* Whether the grammar reads `text`, and it was answered. The round of a value of several -
 * "distance (Ann, orc #1) in round 1" - is known already. */
static bool by_grammar(
	struct fray *f, const char *text, const struct otherly *as, enum fray_status *s)
{
	struct node *units = NULL;
	const char *round = as->round ? strstr(text, ") in round ") : NULL;
	const char *line = arena_text(
		&f->arena, text, round ? (size_t)(round + 1 - text) : strlen(text));
	if (feed_line(f->feed, line, &units) == FEED_UNIT && units && units->kind == N_KIND_X_WHY &&
		!units->next && units->a)
		*s = why_asked_as(f, units, as);
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
static bool tried(
	struct fray *f, const char *question, const struct otherly *as, enum fray_status *s)
{
	struct buf turned = {0}, line = {0};
	bool so = why_spoken_as(f, question, as, &turned, s);
	if (!so && (as->wanted == WANT_CAUSE || as->value)) {
		buf_printf(&line, "why %s", question);
		so = by_grammar(f, buf_text(turned.length ? &turned : &line), as, s);
	}
	if (!so)
		forgotten(f);
	buf_free(&turned);
	buf_free(&line);
	return so;
}

/* "hit with a 20", "did 8 damage": the number; 0: none. */
static int figure_of(const char *line)
{
	static const char *const before[] = {" a ", " an ", " with ", " for ", " did ", " do ",
		" only ", " rolled ", " roll ", " took ", " take ", " dealt ", " deal ", " of "};
	for (const char *at = line; *at; at++)
		for (size_t i = 0; i < FRAY_COUNT(before); i++) {
			const size_t n = strlen(before[i]);
			char *end;
			if (strncmp(at, before[i], n) != 0 || at[n] < '1' || at[n] > '9')
				continue;
			const long value = strtol(at + n, &end, 10);
			if (value < 10000 && (!*end || strchr(" ?.!", *end)))
				return (int)value;
		}
	return 0;
}

/* "why ..", and when a fight is on "who killed Bruna", "how often was Ann hit": what is asked.
 * False: it is no question. */
static bool question_of(struct fray *f, const char *line, struct otherly *as)
{
	memset(as, 0, sizeof *as);
	line += strspn(line, " \t");
	if (!strncmp(line, "why", 3) && (!line[3] || line[3] == ' ')) {
		buf_puts(&as->text, line + 3 + strspn(line + 3, " "));
		return true;
	}
	return f->vm && f->program && question_word(line) && question_asked(f, line, as);
}

/* "Pell's hit points in round 1" of "Pell's hit points": the round, which the shorter one leaves
 * out; 0: it leaves out more, or none. */
static int round_left_out(const char *question, struct buf *shorter)
{
	static const char *const before[] = {
		" in round ", " after round ", " at the end of round "};
	const char *rest = question + shorter->length;
	if (!shorter->length || strncmp(question, buf_text(shorter), shorter->length) != 0)
		return 0;
	for (size_t i = 0; i < FRAY_COUNT(before); i++) {
		const size_t n = strlen(before[i]);
		char *end;
		const long round = strncmp(rest, before[i], n) ? 0 : strtol(rest + n, &end, 10);
		if (round > 0 && round < 10000 && !end[strspn(end, " ?.!")])
			return (int)round;
	}
	return 0;
}

/* In other words, with the same meaning, or as much of it as can be read. */
static bool in_other_words(struct fray *f, struct otherly *as, enum fray_status *s)
{
	struct buf other = {0}, same = {0};
	bool dropped = false, often = false, so = false;
	const char *question = buf_text(&as->text);
	struct otherly reworded = *as;
	if (question_reworded(f, question, &same, &often)) {
		question = buf_text(&same);
		if (often && as->wanted == WANT_CAUSE)
			reworded.wanted = WANT_COUNT;
		so = tried(f, question, &reworded, s);
	}
	for (int k = 0; !so && question_plain(f, question, k, &other, &dropped); k++) {
		const int round = dropped ? round_left_out(question, &other) : 0;
		reworded.round = round ? round : as->round;
		dropped &= round == 0;
		so = other.length && tried(f, buf_text(&other), &reworded, s);
	}
	if (so && dropped && f->answers != FRAY_JSON)
		fray_writef(f, FRAY_PLAIN, "Read as: why %s\n", buf_text(&other));
	buf_free(&other);
	buf_free(&same);
	return so;
}

/* One of two questions in a line: as it stands, or in other words of the same meaning. */
static bool ask_half(struct fray *f, struct otherly *as, enum fray_status *s)
{
	struct buf other = {0};
	bool often = false, dropped = false;
	bool so = as->wanted == WANT_CAUSE && state_asked(f, buf_text(&as->text), as->polar, s);
	so = so || tried(f, buf_text(&as->text), as, s);
	if (!so && question_reworded(f, buf_text(&as->text), &other, &often))
		so = tried(f, buf_text(&other), as, s);
	if (!so && question_plain(f, buf_text(&as->text), 1, &other, &dropped) && !dropped &&
		other.length)
		so = tried(f, buf_text(&other), as, s);
	buf_free(&other);
	return so;
}

/* How much, by whom, with what: what is counted in a fight. */
static bool counted(struct fray *f, const char *line)
{
	struct answer said;
	memset(&said, 0, sizeof said);
	const bool so = f->vm && f->program &&
		(settled_asked(f, line, &said) || span_asked(f, line, &said) ||
			worn_asked(f, line, &said) || ledger_asked(f, line, &said) || loss_asked(f, line, &said));
	if (so) {
		buf_clear(&f->kept);
		buf_puts(&f->kept, line);
		why_told(f, line, &said);
	}
	answer_free(&said);
	return so;
}

/* "was not put to sleep": not asleep. */
static const char *put_to(struct fray *f, const char *line)
{
	static const char put[] = " put to ";
	const char *at = strstr(line, put);
	const char *said = at ? at + sizeof put - 1 : NULL;
	const size_t n = said ? strcspn(said, " ?.!\r\n") : 0;
	struct buf state = {0}, whole = {0};
	if (n == 0 || !f->vm || !f->program || !f->program->lives[KIND_COMBATANT])
		return line;
	buf_printf(&state, "a%.*s", (int)n, said);
	if (state_holds(f, 0, buf_text(&state)) >= 0) {
		buf_printf(&whole, "%.*s %s%s", (int)(at - line), line, buf_text(&state), said + n);
		line = arena_text(&f->arena, buf_text(&whole), whole.length);
	}
	buf_free(&state);
	buf_free(&whole);
	return line;
}

/* "what level is Ann", "what armour class does Ann have": what is Ann's level. */
static const char *value_of(struct fray *f, const char *line)
{
	static const char *const joints[] = {" is ", " was ", " does ", " did ", " has ", " had "};
	struct buf name = {0}, whole = {0};
	const char *what = !strncmp(line, "what ", 5) ? line + 5 : NULL;
	for (size_t i = 0; what && f->vm && f->program && i < FRAY_COUNT(joints); i++) {
		const char *at = strstr(what, joints[i]);
		if (!at || at == what)
			continue;
		buf_clear(&name);
		buf_add(&name, what, (size_t)(at - what));
		const char *who = at + strlen(joints[i]);
		size_t n = strcspn(who, "?.!\r\n");
		if (n > 5 && !strncmp(who + n - 5, " have", 5))
			n -= 5;
		people some = {0};
		word side = NONE;
		struct question q;
		question_clear(&q);
		const char *said = arena_text(&f->arena, who, n);
		struct reading r = {f, said, &q};
		const bool so = question_is_value(f, buf_text(&name)) &&
			read_people(&r, &some, &side) && !*r.at;
		VEC_FREE(some);
		question_free(&q);
		if (!so)
			continue;
		buf_printf(&whole, "what is %s's %s", said, buf_text(&name));
		line = arena_text(&f->arena, buf_text(&whole), whole.length);
		break;
	}
	buf_free(&name);
	buf_free(&whole);
	return line;
}

static bool asked_line(struct fray *f, const char *line, struct buf *turned, enum fray_status *s)
{
	struct otherly as;
	line += strspn(line, " \t");
	const bool why = !strncmp(line, "why", 3) && (!line[3] || line[3] == ' ');
	if ((!why && !question_word(line)) || !units_refresh(f))
		return false;
	line = value_of(f, put_to(f, line));
	if (counted(f, line)) {
		*s = FRAY_OK;
		return true;
	}
	if (!question_of(f, line, &as))
		return false;
	bool so = false;
	as.figure = figure_of(line);
	const char *in_round = strstr(line, " in round ");
	as.round = in_round ? (int32_t)strtol(in_round + strlen(" in round "), NULL, 10) : 0;
	as.is_so = as.polar && f->vm ? state_polar(f, line) : -1;
	if (as.state.length)
		so = who_is(f, &as);
	if (!so && f->vm && as.text.length && as.wanted == WANT_CAUSE)
		so = state_asked(f, buf_text(&as.text), as.polar, s);
	if (!so && !as.value)
		so = why_spoken_as(f, buf_text(&as.text), &as, turned, s);
	if (!so && f->vm && as.text.length) {
		const struct diag_sink kept = f->sink;
		struct buf other = {0};
		f->sink.report = unheard;
		if ((as.value || as.wanted == WANT_CAUSE) && !strchr(buf_text(&as.text), ';')) {
			buf_printf(&other, "why %s", buf_text(&as.text));
			so = by_grammar(f, buf_text(turned->length ? turned : &other), &as, s);
			if (!so)
				forgotten(f);
		}
		so = so || (f->answers != FRAY_JSON && halves_asked(f, &as, ask_half, s)) ||
			in_other_words(f, &as, s);
		f->sink = kept;
		buf_free(&other);
	}
	if (!so) {
		*s = FRAY_OK; /* nothing was done yet */
		if (!why)
			buf_clear(turned);
	} else {
		buf_clear(&f->kept);
		buf_puts(&f->kept, line);
	}
	otherly_free(&as);
	return so;
}

static bool heard(struct fray *f, const char *line, bool first);

/* One of the questions that a pattern makes of a line. */
static bool ask_part(struct fray *f, const char *part)
{
	struct buf turned = {0};
	enum fray_status s;
	const bool so = asked_line(f, part, &turned, &s) && answered(s);
	if (!so)
		forgotten(f);
	buf_free(&turned);
	return so;
}

static bool ask_or_hear(struct fray *f, const char *part)
{
	return ask_part(f, part) || heard(f, part, false);
}

/* By the patterns of stdlib/heard.def; nothing is said of those that lead nowhere. */
static bool heard(struct fray *f, const char *line, bool first)
{
	const struct diag_sink kept = f->sink;
	struct buf other = {0};
	bool so = false, loose = false;
	f->sink.report = unheard;
	for (int from = 0; !so && question_heard(f, line, first, &from, &other, &loose);) {
		const char *meant = arena_text(&f->arena, buf_text(&other), other.length);
		so = strstr(meant, "; ")
			? f->answers != FRAY_JSON && parts_asked(f, meant, ask_or_hear)
			: ask_part(f, meant);
	}
	f->sink = kept;
	if (so && loose && f->answers != FRAY_JSON)
		fray_writef(f, FRAY_PLAIN, "Read as: %s\n", buf_text(&other));
	if (so) {
		buf_clear(&f->kept);
		buf_puts(&f->kept, line);
	}
	buf_free(&other);
	return so;
}

/* "Why did Ann fall": as it is read, with a small letter. */
static const char *begun_small(struct fray *f, const char *line)
{
	static const char *const why[] = {"why", NULL};
	line += strspn(line, " \t");
	struct reading r = {f, line, NULL};
	if (*line < 'A' || *line > 'Z' || !(read_any(&r, why) || question_word(line)))
		return line;
	char *small = arena_text(&f->arena, line, strlen(line));
	small[0] += 'a' - 'A';
	return small;
}

/* Names that were declared in quotes may be asked for in quotes: they are taken off. */
static void put_unquoted(struct fray *f, const char *line, struct buf *out)
{
	while (*line) {
		const char *end = *line == '"' ? strchr(line + 1, '"') : NULL;
		const sym name = end ? intern_find(f->names, line + 1, (size_t)(end - line - 1)) : 0;
		if (name && lexicon_find(f->front.lexicon, name, LEX_QUOTED)) {
			buf_add(out, line + 1, (size_t)(end - line - 1));
			line = end + 1;
		} else {
			buf_putc(out, *line++);
		}
	}
}

bool why_line(struct fray *f, const char *line, struct buf *turned, enum fray_status *s)
{
	line = begun_small(f, line);
	const bool why = !strncmp(line, "why ", 4);
	const bool on = f->vm && f->program && (why || question_word(line));
	if (on) {
		struct buf named = {0};
		put_unquoted(f, line, &named);
		question_ours(f, &named);
		question_members(f, &named);
		line = arena_text(&f->arena, buf_text(&named), named.length);
		buf_free(&named);
	}
	*s = FRAY_OK;
	if (on && unheard_moment(f, line)) {
		*s = FRAY_WRONG;
		return true;
	}
	if (on && heard(f, line, true))
		return true;
	if (asked_line(f, line, turned, s))
		return true;
	if (!on)
		return false;
	*s = FRAY_OK; /* nothing was done yet */
	return heard(f, line, false);
}
