/* habit.c - words of other prompts, and what they are called here. */
#include "lang/api/interp.h"
#include "lang/front/lexicon.h"
#include "lang/front/slip.h"

#include <stdio.h>
#include <string.h>

static const struct { const char *word, *instead;
} habits[] = {
	{"next", "To play on, write: step"},
	{"continue", "To play on, write: step, or run"},
	{"go", "To play on, write: step, or run"},
	{"start", "To set everybody up, write: begin"},
	{"restart", "To set everybody up again, write: begin"},
	{"reset", "To set everybody up again, write: begin"},
	{"back", "To take something back, write: undo"},
	{"open", "To read a script, write: load \"FILE\""},
	{"print", "To see how things stand, write: show world"},
	{"list", "To see how things stand, write: show world"},
	{"status", "To see how things stand, write: show world"},
	{"log", "To see what has happened, write: show log"},
	{"story", "To see what has happened, write: show log"},
	{"history", "To see what has happened, write: show log"},
	{"reroll", "Go back and say what the die shows: undo, then force X's attack roll 4"},
	{"who", "To see who acts when, write: show timeline; to see who is there: show world"},
	{"kill", "To say that somebody is down, write: set X's hit points = 0"},
	{"heal", "To give hit points back, write: change X's hit points by 4"},
	{"give", "To give hit points back, write: change X's hit points by 4"},
	{"cure", "To give hit points back, write: change X's hit points by 4"},
	{"join", "To let somebody join, write: Sly joins party"},
	{"leave", "To let somebody go, write: Sly leaves"},
	{"damage", "To take hit points away, write: change X's hit points by -4"},
	{"dice", "To say what a die is to show, write: force X's attack roll 4"},
};

/* What a name of this game begins with is no habit. */
static bool known(const struct fray *f, const char *text, size_t length)
{
	const struct lexicon *l = f->front.lexicon;
	for (int i = 0; i < lexicon_count(l); i++) {
		if (!(lexicon_entry(l, i)->flags & (LEX_NAME | LEX_PLURAL | LEX_KIND)))
			continue;
		const char *name = intern_folded(f->names, lexicon_entry(l, i)->text);
		if (!strncmp(name, text, length) && (name[length] == '\0' || name[length] == ' '))
			return true;
	}
	return false;
}

/* "run 3 rounds": how it is said here. */
static bool run_rounds(struct fray *f, const char *line)
{
	int number, end = 0;
	char text[80];
	if ((sscanf(line, "run %d rounds %n", &number, &end) != 1 || !end) &&
		(sscanf(line, "run %d round %n", &number, &end) != 1 || !end))
		return false;
	if (line[end] || number < 1 || number > 1000 || !f->vm)
		return false;
	const struct program *p = f->program;
	const word round = vm_block(f->vm)[p->field[p->at.round_number].base];
	snprintf(text, sizeof text, "To play on so far, write: run until round %d",
		number + (round > 0 ? (int)round : 0) + (round <= 0));
	diag_report(&f->sink, M_OTHER_WAY, (struct span){0}, 1, text);
	return true;
}

/* "step segment 3": how it is said here. */
static bool step_to(struct fray *f, const char *line)
{
	int number, end = 0;
	char unit[20], text[80], said[40];
	if (sscanf(line, "step to %d %n", &number, &end) == 1 && !line[end]) {
		snprintf(text, sizeof text, "To play on to a moment, write: step to segment %d, or step to round %d", number, number);
		diag_report(&f->sink, M_OTHER_WAY, (struct span){0}, 1, text);
		return true;
	}
	if (sscanf(line, "step %19s %d %n", unit, &number, &end) != 2 || line[end] || !strcmp(unit, "to"))
		return false;
	snprintf(text, sizeof text, "To play on to that moment, write: step to %s %d", unit, number);
	snprintf(said, sizeof said, "step %s", unit);
	diag_report(&f->sink, M_OTHER_WORD, (struct span){0}, 2, said, text);
	return true;
}

static const struct { const char *words, *instead;
} openings[] = {
	{"undo all", "To take everything back, write: undo 999"},
	{"end round", "To play until the next round has begun, write: step round"},
	{"end turn", "To play on, write: step"},
	{"next round", "To play until the next round has begun, write: step round"},
	{"next turn", "To play on, write: step"},
	{"run to end", "To play to the end, write: run"},
	{"run to the end", "To play to the end, write: run"},
	{"run until end", "To play to the end, write: run"},
	{"run until the end", "To play to the end, write: run"},
	{"what if", "Put into braces what somebody does: odds { Bruna flees } vs { }"},
	{"show hp", "To see how things stand, write: show world, or show Bruna"},
	{"show who", "To see who is there, write: show world; who acts when: show timeline"},
};

static bool instead_of(struct fray *f, struct buf *text)
{
	diag_report(&f->sink, M_OTHER_WAY, (struct span){0}, 1, buf_text(text));
	return true;
}

/* "how likely is it that Bruna dies" */
static bool asks(struct fray *f, const char *line)
{
	const char *asked = said_question(line);
	static const char *const past[] = {"was ", "were ", "did ", "has ", "have ", "had ", NULL};
	struct buf text = {0};
	if (!asked)
		return false;
	/* "how often was Ann hit" asks what has happened */
	for (int i = 0; past[i] && f->vm; i++)
		if (!strncmp(asked, past[i], strlen(past[i])))
			return false;
	buf_printf(&text, "To ask how likely it is, write: odds giving %.*s", (int)strcspn(asked, "?\r\n"), asked);
	instead_of(f, &text);
	buf_free(&text);
	return true;
}

static bool opens(struct fray *f, const char *line)
{
	for (size_t i = 0; i < FRAY_COUNT(openings); i++) {
		size_t n = strlen(openings[i].words);
		if (strncmp(line, openings[i].words, n) || !strchr(" \t\r\n", line[n]))
			continue;
		diag_report(&f->sink, M_OTHER_WAY, (struct span){0}, 1, openings[i].instead);
		return true;
	}
	return false;
}

/* The name of somebody in the fight that a text begins with, followed by one of some characters or
 * the end where `ends` says so: its length, or 0. */
static size_t somebody_before(const struct fray *f, const char *text, const char *next, bool ends)
{
	size_t most = 0;
	for (int kind = KIND_SIDE; f->vm && kind <= KIND_COMBATANT; kind++)
		for (int i = 0; i < f->program->lives[kind]; i++) {
			const char *name = f->program->live[kind][i].name;
			size_t n = strlen(name);
			if (n > most && !strncmp(text, name, n) &&
				(text[n] ? strchr(next, text[n]) != NULL : ends))
				most = n;
		}
	return most;
}

static size_t somebody(const struct fray *f, const char *text)
{
	return somebody_before(f, text, " ", false);
}

/* "set Bruna hp = 4", "set Bruna's hp 4": whose it is ends in 's, and before what it becomes stands =. */
static bool sets(struct fray *f, const char *line)
{
	struct buf text = {0};
	bool equals = strchr(line, '=') != NULL, done = false;
	if (strncmp(line, "set ", 4) || strchr(line, '{') || strchr(line, ';'))
		return false;
	const char *path = line + 4, *last = strrchr(line, ' ');
	size_t n = somebody(f, path);
	int digits = last ? (int)strspn(last + 1, "-0123456789") : 0;
	bool number = digits && last > path && strchr("\r\n", last[1 + digits]);
	if (n || (!equals && number)) {
		buf_printf(&text, "To change it, write: set %.*s", (int)n, path);
		const char *field = path + n + (n > 0);
		int length = (int)(equals ? strcspn(field, "\r\n") : number ? (size_t)(last - field) : 0);
		if (length > 0) {
			buf_printf(&text, "%s%.*s", n ? "'s " : "", length, field);
			if (!equals)
				buf_printf(&text, " = %.*s", digits, last + 1);
			done = instead_of(f, &text);
		}
	}
	buf_free(&text);
	return done;
}

/* "Bruna takes 5 damage", "Bruna loses 5 hp", "Bruna heals 5". */
static bool hurts(struct fray *f, const char *line)
{
	static const struct { const char *verb; bool down; } verbs[] = {{"takes ", true}, {"loses ", true}, {"suffers ", true}, {"heals ", false}, {"regains ", false}, {"gains ", false}};
	size_t n = somebody(f, line);
	int amount, end = 0;
	for (size_t i = 0; n && i < FRAY_COUNT(verbs); i++) {
		const char *rest = line + n + 1;
		size_t k = strlen(verbs[i].verb);
		if (strncmp(rest, verbs[i].verb, k) || sscanf(rest + k, "%d%n", &amount, &end) != 1)
			continue;
		struct buf text = {0};
		buf_printf(&text, "To %s, write: change %.*s's hit points by %s%d", verbs[i].down ? "take hit points away" : "give hit points back", (int)n, line, verbs[i].down ? "-" : "", amount);
		instead_of(f, &text);
		buf_free(&text);
		return true;
	}
	return false;
}

/* Whether words are a field, or another name for one: hp. */
static bool is_field(const struct fray *f, const char *text, size_t length)
{
	const sym name = length ? intern_find(f->names, text, length) : 0;
	const struct lex_entry *e =
		name ? lexicon_find(f->front.lexicon, name, LEX_FIELD | LEX_ALIAS) : NULL;
	return e && (e->flags & LEX_FIELD || lexicon_find(f->front.lexicon, e->alias, LEX_FIELD));
}

/* "show Bruna's hp", "Bruna hp", "orc #1 hp 3". */
static bool shows(struct fray *f, const char *line)
{
	const bool show = !strncmp(line, "show ", 5);
	const char *who = show ? line + 5 : line;
	const size_t n = show ? somebody_before(f, who, "' ", false) : somebody(f, who);
	const char *field = who + n + (n > 0);
	if (n && !strncmp(field, "s ", 2) && field[-1] == '\'')
		field += 2;
	size_t length = strcspn(field, "\r\n0123456789");
	const char *value = field + length;
	while (length && field[length - 1] == ' ')
		length--;
	if (!n || !is_field(f, field, length))
		return false;
	struct buf text = {0};
	const bool change = !show && *value >= '0' && *value <= '9';
	buf_printf(&text, "To %s it, write: %s%.*s's %.*s", change ? "change" : "see",
		change ? "set " : "", (int)n, who, (int)length, field);
	if (change)
		buf_printf(&text, " = %.*s", (int)strcspn(value, " \r\n"), value);
	instead_of(f, &text);
	buf_free(&text);
	return true;
}

/* "add 2 orcs": whoever is new joins a side. */
static bool adds(struct fray *f, const char *line)
{
	if (strncmp(line, "add ", 4) || !f->vm || line[4] < '1' || line[4] > '9' ||
		strstr(line, " to "))
		return false;
	const char *what = line + 4;
	struct buf text = {0};
	buf_printf(&text, "To let more of them join, write: %.*s join %s",
		(int)strcspn(what, "\r\n"), what,
		f->program->live[KIND_SIDE][f->program->lives[KIND_SIDE] - 1].name);
	instead_of(f, &text);
	buf_free(&text);
	return true;
}

/* "Bruna rolls 18". */
static bool figures(struct fray *f, const char *line)
{
	static const struct { const char *said, *before, *after; } rows[] = {
		{"rolls ", "To say what a die shows, write: force ", "'s attack roll"},
		{"rolled ", "To say what a die shows, write: force ", "'s attack roll"},
	};
	const size_t n = somebody(f, line);
	int amount, end = 0;
	for (size_t i = 0; n && i < FRAY_COUNT(rows); i++) {
		const char *rest = line + n + 1;
		const size_t k = strlen(rows[i].said);
		if (strncmp(rest, rows[i].said, k) ||
			sscanf(rest + k, "%d %n", &amount, &end) != 1 || rest[k + (size_t)end])
			continue;
		struct buf text = {0};
		buf_printf(&text, "%s%.*s%s %d", rows[i].before, (int)n, line, rows[i].after, amount);
		instead_of(f, &text);
		buf_free(&text);
		return true;
	}
	return false;
}

/* "save thursday": names of files stand in quotes. */
static bool files(struct fray *f, const char *line)
{
	static const char *const words[] = {"save", "load"};
	for (size_t i = 0; i < FRAY_COUNT(words); i++) {
		size_t n = strlen(words[i]);
		if (strncmp(line, words[i], n) || line[n] != ' ')
			continue;
		const char *name = line + n + 1;
		int length = (int)strcspn(name, "\r\n");
		if (length == 0 || strchr(name, '"'))
			continue;
		struct buf text = {0};
		bool ending = length > 5 && !strncmp(name + length - 5, ".fray", 5);
		buf_printf(&text, "The name of a file stands in quotes: %s \"%.*s%s\"", words[i], length, name, ending ? "" : ".fray");
		instead_of(f, &text);
		buf_free(&text);
		return true;
	}
	return false;
}

/* Whether the line is this word alone. */
static bool is_alone(const char *line, const char *those)
{
	size_t n = strlen(those);
	return !strncmp(line, those, n) && line[n + strspn(line + n, " \t\r\n")] == '\0';
}

const char *habit_meant(struct fray *f, const char *line)
{
	static const char *const leave[] = {"exit", "bye", "q"};
	const char *text = line + strspn(line, " \t");
	for (size_t i = 0; i < FRAY_COUNT(leave); i++)
		if (is_alone(text, leave[i]) && !known(f, leave[i], strlen(leave[i])))
			return "quit";
	struct buf help = {0};
	size_t end = strlen(line);
	while (end && strchr(" \t\r\n?", line[end - 1]))
		end--;
	if (*text != '?' && strchr(line + end, '?')) { /* "who won?" is asked without its mark */
		const bool ends = line[strlen(line) - 1] == '\n';
		buf_add(&help, line, end);
		buf_puts(&help, ends ? "\n" : "");
		line = arena_text(&f->arena, help.data ? help.data : "", help.length);
		buf_free(&help);
		return line;
	}
	if (*text != '?')
		return line;
	buf_printf(&help, "help %s", text + 1 + strspn(text + 1, " \t"));
	line = arena_text(&f->arena, help.data, help.length);
	buf_free(&help);
	return line;
}

/* The line to write for a habit, with whom and how much the line named in place of X and 4:
 * "give Ann 5 hp". */
static void habit_filled(
	const struct fray *f, const char *instead, const char *rest, struct buf *out)
{
	size_t n = 0;
	const char *who = rest, *number = strpbrk(rest, "0123456789");
	while (*who && !(n = somebody_before(f, who, " \r\n", true))) {
		who += strcspn(who, " ");
		who += strspn(who, " ");
	}
	if (n && number >= who && number < who + n) /* the number of orc #2 */
		number = strpbrk(who + n, "0123456789");
	for (const char *at = instead; *at; at++) {
		if (n && !strncmp(at, "X's", 3))
			buf_printf(out, "%.*s", (int)n, who);
		else if (number && *at == '4' && !at[1])
			buf_printf(out, "%.*s", (int)strspn(number, "0123456789"), number);
		else
			buf_putc(out, *at);
	}
}

bool habit_report(struct fray *f, const char *line)
{
	line += strspn(line, " \t");
	if (is_alone(line, "save")) {
		diag_report(&f->sink, M_OTHER_WAY, (struct span){0}, 1,
			"A saved fight has a name, in quotes: save \"thursday.fray\"");
		return true;
	}
	if (step_to(f, line) || opens(f, line) || asks(f, line) || sets(f, line) || hurts(f, line) ||
		shows(f, line) || adds(f, line) || figures(f, line) || files(f, line) ||
		run_rounds(f, line))
		return true;
	size_t length = strcspn(line, " \t\r\n");
	for (size_t i = 0; i < FRAY_COUNT(habits); i++) {
		if (strlen(habits[i].word) != length || strncmp(habits[i].word, line, length) ||
			((known(f, line, length) || !strncmp(line, "dice", length)) &&
				!(line[length] == ' ' &&
					somebody_before(f, line + length + 1, " \r\n", true))))
			continue;
		struct buf text = {0};
		habit_filled(f, habits[i].instead, line + length, &text);
		diag_report(&f->sink, M_OTHER_WORD, (struct span){0}, 2, habits[i].word,
			buf_text(&text));
		buf_free(&text);
		return true;
	}
	return false;
}
