/* said.c - numbers in a measure that are told in words: how many do what, how much of something
 * somebody has, in how many rounds. All that comes of it is a line to write. */
#include <stdlib.h>
#include <string.h>

#include "lang/front/slip.h"

enum { WORDS_MAX = 24 };

struct words {
	const struct front *front;
	const char *at[WORDS_MAX];
	size_t length[WORDS_MAX];
	int n;
};

static bool is(const struct words *w, int i, const char *any)
{
	if (i < 0 || i >= w->n)
		return false;
	for (const char *c = any; *c; c += strcspn(c, "|"), c += *c == '|')
		if (strcspn(c, "|") == w->length[i] && !strncmp(c, w->at[i], w->length[i]))
			return true;
	return false;
}

static bool split(struct words *w, const struct front *f, const char *text, size_t length)
{
	w->front = f;
	w->n = 0;
	for (size_t i = 0; i < length;) {
		while (i < length && text[i] == ' ')
			i++;
		size_t from = i;
		while (i < length && text[i] != ' ')
			i++;
		if (i == from)
			break;
		if (w->n == WORDS_MAX)
			return false;
		w->at[w->n] = text + from;
		w->length[w->n++] = i - from;
	}
	return w->n > 1;
}

static const struct lex_entry *entry(const struct words *w, const char *text, size_t length, unsigned flags)
{
	sym name = intern_find(w->front->names, text, length);
	return name ? lexicon_find(w->front->lexicon, name, flags) : NULL;
}

/* From one word to before another, as it was written. */
static size_t run(const struct words *w, int from, int to)
{
	return to > from ? (size_t)(w->at[to - 1] - w->at[from]) + w->length[to - 1] : 0;
}

/* How many of the words make a name with one of the flags: as many as can. */
static int named(const struct words *w, int from, int to, unsigned flags)
{
	for (int n = to - from; n > 0; n--) {
		if (entry(w, w->at[from], run(w, from, from + n), flags))
			return n;
	}
	return 0;
}

/* Whether words are a field's name, or another for it: hp. */
static bool is_field(const struct words *w, int from, int to)
{
	const struct lex_entry *e = to > from ? entry(w, w->at[from], run(w, from, to), LEX_FIELD | LEX_ALIAS) : NULL;
	return e && (e->flags & LEX_FIELD || lexicon_find(w->front->lexicon, e->alias, LEX_FIELD));
}

/* "at least", "more than": how many words, and the comparison. */
static int compared(const struct words *w, int i, const char **op)
{
	static const struct { const char *words, *op; } all[] = {
		{"no more than", "<="}, {"no fewer than", ">="}, {"no less than", ">="}, {"not more than", "<="}, {"at least", ">="}, {"at most", "<="}, {"more than", ">"}, {"greater than", ">"},
		{"fewer than", "<"}, {"less than", "<"}, {"up to", "<="}, {"over", ">"}, {"above", ">"}, {"under", "<"}, {"below", "<"}, {"exactly", "="}, {"only", "="}, {"just", "="},
	};
	for (size_t k = 0; k < FRAY_COUNT(all); k++) {
		int n = 0;
		const char *c = all[k].words;
		for (; *c; n++) {
			size_t length = strcspn(c, " ");
			if (i + n >= w->n || w->length[i + n] != length || strncmp(w->at[i + n], c, length) != 0)
				break;
			c += length + (c[length] == ' ');
		}
		if (!*c) {
			*op = all[k].op;
			return n;
		}
	}
	return 0;
}

static int number(const struct words *w, int i)
{
	static const char *const words[] = {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"};
	if (i >= w->n)
		return -1;
	if (strspn(w->at[i], "0123456789") >= w->length[i] && w->length[i] < 7)
		return atoi(w->at[i]);
	for (size_t k = 0; k < FRAY_COUNT(words); k++)
		if (is(w, i, words[k]))
			return (int)k + 1;
	return -1;
}

const char *said_state(const char *word, size_t length)
{
	static const struct { const char *word, *state; } all[] = {
		{"die", "dead"}, {"dies", "dead"}, {"died", "dead"}, {"dead", "dead"}, {"killed", "dead"}, {"slain", "dead"}, {"perish", "dead"}, {"perishes", "dead"},
		{"survive", "alive"}, {"survives", "alive"}, {"live", "alive"}, {"lives", "alive"}, {"alive", "alive"}, {"remain", "alive"}, {"remains", "alive"}, {"left", "alive"}, {"fall", "down"}, {"falls", "down"},
	};
	for (size_t i = 0; i < FRAY_COUNT(all); i++)
		if (strlen(all[i].word) == length && !strncmp(all[i].word, word, length))
			return all[i].state;
	return NULL;
}

/* How it is with those who are counted: "die", "are dead", "are able". */
static bool state(const struct words *w, int i, struct buf *out)
{
	bool be = is(w, i, "is|are|be|get|gets");
	const char *known = i + be == w->n - 1 ? said_state(w->at[i + be], w->length[i + be]) : NULL;
	if (known)
		buf_puts(out, known);
	else if (be && i + 1 < w->n && entry(w, w->at[i + 1], run(w, i + 1, w->n), ~0u))
		buf_add(out, w->at[i + 1], run(w, i + 1, w->n));
	else
		return false;
	return true;
}

/* The set that is counted: a side, all of a sort, or everybody. */
static void put_set(const struct words *w, int from, int to, struct buf *out)
{
	int n = named(w, from, to, LEX_NAME | LEX_PLURAL | LEX_KIND);
	struct buf plural = {0}, one = {0};
	buf_add(&one, w->at[from], run(w, from, from + n));
	if (n)
		lexicon_plural(&plural, buf_text(&one));
	const bool all = n && entry(w, plural.data, plural.length, LEX_PLURAL | LEX_KIND);
	buf_puts(out, !n ? "combatants" : all ? buf_text(&plural) : buf_text(&one));
	buf_free(&plural);
	buf_free(&one);
}

/* [at least] 2 [of the] orcs die; [more than] 3 rounds */
static bool how_many(const struct words *w, struct buf *out)
{
	const char *op = ">=";
	int i = compared(w, 0, &op), n = number(w, i);
	if (n < 0)
		return false;
	i++;
	if (is(w, i, "or") && is(w, i + 1, "more|less|fewer")) {
		op = is(w, i + 1, "more") ? ">=" : "<=";
		i += 2;
	}
	while (is(w, i, "of|the|our|their|all"))
		i++;
	if (is(w, i, "round|rounds") && i == w->n - 1) {
		buf_printf(out, "(round %s %d)", op, n);
		return true;
	}
	struct buf is_so = {0};
	bool found = false;
	for (int then = i + 1; then < w->n && !found; then++)
		if (state(w, then, &is_so)) {
			buf_puts(out, "(count (one in ");
			put_set(w, i, then, out);
			buf_printf(out, " where one is %s) %s %d)", buf_text(&is_so), op, n);
			found = true;
		}
	buf_free(&is_so);
	return found;
}

/* "within 3 rounds", "before round 3", "in less than 3 rounds": where it begins, before the end of the words. */
static int when(const struct words *w, const char **op, int *rounds)
{
	for (int i = 0; i < w->n; i++) {
		int k = i + 1;
		*op = is(w, i, "within|by|inside") ? "<=" : is(w, i, "before") ? "<" : is(w, i, "after") ? ">" : is(w, i, "in") ? NULL : "";
		if (*op && !**op)
			continue;
		if (!*op)
			k += compared(w, k, op);
		while (is(w, k, "the|first") && !is(w, k + 1, "round"))
			k++;
		if (is(w, k, "first|second|third") && is(w, k + 1, "round") && k + 2 == w->n) {
			*rounds = is(w, k, "first") ? 1 : is(w, k, "second") ? 2 : 3;
			*op = *op ? *op : "=";
			return i;
		}
		bool named_first = is(w, k, "round|rounds");
		*rounds = number(w, k + named_first);
		if (*rounds < 0 || k + named_first + !named_first + 1 != w->n || (!named_first && !is(w, k + 1, "round|rounds")))
			continue;
		if (!*op)
			*op = named_first ? "=" : "<=";
		return i;
	}
	return 0;
}

/* the fight lasts more than 3 rounds; party wins within 3 rounds */
static bool in_rounds(const struct words *w, struct buf *out)
{
	const char *op = "=";
	int rounds, from = is(w, 0, "the|a"), i;
	bool fight = is(w, from, "fight|combat|battle|encounter|it");
	if (fight && is(w, from + 1, "lasts|last|takes|take|goes|needs")) {
		from += 2;
		from += is(w, from, "on|for");
		from += compared(w, from, &op);
		rounds = number(w, from);
		if (rounds < 0 || !is(w, from + 1, "round|rounds") || from + 2 != w->n)
			return false;
		buf_printf(out, "(round %s %d)", op, rounds);
		return true;
	}
	i = when(w, &op, &rounds);
	if (i < 2)
		return false;
	if (fight) {
		buf_printf(out, "(round %s %d)", op, rounds);
		return true;
	}
	const char *known = said_state(w->at[i - 1], w->length[i - 1]);
	if (is(w, i - 1, "die|dies")) { /* what happens has a time of its own: the fight may go on */
		bool within = !strcmp(op, "<="), after = !strcmp(op, ">");
		buf_add(out, w->at[0], run(w, 0, i));
		buf_printf(out, " %s round %d", within || *op == '<' ? "before" : after ? "after" : "in", rounds + within);
		return true;
	}
	bool loses = is(w, i - 1, "lose|loses|lost");
	buf_puts(out, loses ? "(not " : "(");
	buf_add(out, w->at[0], run(w, 0, known || loses ? i - 1 : i));
	if (loses)
		buf_puts(out, " wins");
	else if (known)
		buf_printf(out, "%s%s", is(w, i - 2, "is|are") ? " " : " is ", known);
	buf_printf(out, " and round %s %d)", op, rounds);
	return true;
}

/* Bruna has less than 5 hit points left; Bruna is below 5 hit points */
static bool how_much(const struct words *w, struct buf *out)
{
	const char *op = "=";
	int who = named(w, 0, w->n, LEX_NAME), i = who;
	if (!who)
		return false;
	while (is(w, i, "is|are|has|have|ends|stands|with|at|still|left"))
		i++;
	i += compared(w, i, &op);
	int n = number(w, i), end = w->n;
	if (n < 0)
		return false;
	if (is(w, end - 2, "or") && is(w, end - 1, "more|less|fewer")) {
		op = is(w, end - 1, "more") ? ">=" : "<=";
		end -= 2;
	}
	end -= is(w, end - 1, "left");
	if (!is_field(w, i + 1, end))
		return false;
	buf_printf(out, "(%.*s's %.*s %s %d)", (int)run(w, 0, who), w->at[0], (int)run(w, i + 1, end), w->at[i + 1], op, n);
	return true;
}

/* orc #1 takes 5 damage; Bruna loses 3 hit points: of what a full field says when unhurt */
static bool how_much_less(const struct words *w, struct buf *out)
{
	static const struct { const char *noun, *field; } lost[] = {
#define AMOUNT(event, field, given, noun, did, got, back, participle, words)                       \
	{noun, given ? "" : field},
#include "stdlib/amounts.def"
#undef AMOUNT
	};
	const int name = named(w, 0, w->n, LEX_NAME);
	const int who = name + (name < w->n && *w->at[name] == '#'), n = number(w, who + 1);
	if (!name || n < 0 || !is(w, who, "takes|take|took|loses|lose|lost|suffers|suffer"))
		return false;
	int from = who + 2;
	while (is(w, from, "points|point|of|hp") && from + 1 < w->n)
		from++;
	struct buf field = {0}, full = {0};
	buf_add(&field, w->at[from], run(w, from, w->n));
	for (size_t i = 0; i < FRAY_COUNT(lost); i++)
		if (!strcmp(buf_text(&field), lost[i].noun) && *lost[i].field) {
			buf_clear(&field);
			buf_puts(&field, lost[i].field);
		}
	buf_printf(&full, "full %s", buf_text(&field));
	const bool known = entry(w, field.data, field.length, LEX_FIELD) &&
		entry(w, full.data, full.length, LEX_FIELD);
	if (known) {
		const int length = (int)run(w, 0, who);
		buf_printf(out, "(%.*s's %s = %.*s's %s - %d)", length, w->at[0],
			buf_text(&field), length, w->at[0], buf_text(&full), n);
	}
	buf_free(&field);
	buf_free(&full);
	return known;
}

bool said_measure(const struct front *f, const char *text, size_t length, struct buf *out)
{
	struct words w;
	return split(&w, f, text, length) && (how_many(&w, out) || in_rounds(&w, out) ||
		how_much(&w, out) || how_much_less(&w, out));
}

const char *said_question(const char *line)
{
	static const char *const begins[] = {"the chance that ", "chance that ", "chance of ", "chance ", "probability that ", "probability of ", "probability ", "how likely is it that ", "how likely is ", "how likely ",
		"how often does ", "how often do ", "how often ", "what are the odds that ", "what are the odds of ", "what is the chance that ", "what is the chance of "};
	for (size_t i = 0; i < FRAY_COUNT(begins); i++)
		if (!strncmp(line, begins[i], strlen(begins[i])) && line[strlen(begins[i])])
			return line + strlen(begins[i]);
	return NULL;
}
