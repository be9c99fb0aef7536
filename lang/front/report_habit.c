/* report_habit.c - lines as they stand in a referee's notes: "1. Bruna attacks orc #2", "Bruna
 * full attack orc #2 (rolled 15)", "Ann and Bob attack each other", "orc is attacked by Ann".
 * Each comes to the line to write. Looked at only where a line could not be read. */
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"

/* Who a line begins with, in tokens: orc #2; 0: nobody that is known. */
static int who_at(const struct phrase *p, int at)
{
	int n = words_name(p, at, LEX_NAME | LEX_PLURAL);
	if (n && p->raw[at + n].kind == RAW_ORDINAL)
		n++;
	return n;
}

/* An action as one does it: "attacks"; `many`: attack. */
static void put_verb(const struct phrase *p, sym verb, bool many, struct buf *out)
{
	buf_puts(out, many ? intern_folded(p->front->names, verb)
			   : lexicon_does(p->front->lexicon, p->front->names, verb));
}

static bool is_action(const struct phrase *p, int at, int *length, sym *verb)
{
	const struct lex_entry *e;
	*length = words_verb(p, at, verb);
	if (*length <= 0)
		return false;
	e = lexicon_find(p->front->lexicon, *verb, LEX_VERB);
	return e && e->flags & LEX_ACTION;
}

/* - Bruna attacks orc #2; 1. Bruna attacks orc #2 */
static bool bullet(struct phrase *p, int end)
{
	int at = p->line;
	const char *mark = phrase_text(p, p->raw[at].start);
	if (*mark == '-' || *mark == '*')
		at++;
	else if (p->raw[at].kind == RAW_NUMBER && at + 1 < end &&
		strchr(".)", *phrase_text(p, p->raw[at + 1].start)))
		at += 2;
	if (at == p->line || at >= end || !who_at(p, at))
		return false;
	struct buf line = {0};
	slip_text(p, at, end, &line);
	return slip_meant(p, p->line, end, &line);
}

/* Bruna attacks orc #2! */
static bool cried(struct phrase *p, int end)
{
	int last = end;
	while (last > p->line && *phrase_text(p, p->raw[last - 1].start) == '!')
		last--;
	if (last == end || last == p->line)
		return false;
	struct buf line = {0};
	slip_text(p, p->line, last, &line);
	return slip_meant(p, last - 1, end, &line);
}

/* Bruna attacks orc #2 (rolled 15, hit) */
static bool remark(struct phrase *p, int end)
{
	int open = p->line + who_at(p, p->line), close;
	const int who = open;
	int length;
	sym verb;
	while (open < end && p->raw[open].kind != '(' && p->raw[open].kind != ':')
		open++;
	if (open >= end || p->raw[open].kind == ':' || !is_action(p, who, &length, &verb))
		return false;
	for (close = open; close < end && p->raw[close].kind != ')'; close++)
		;
	if (who == p->line || open <= who + 1 || close >= end || close < open + 2 ||
		slip_any(p, open - 1, "when|unless|and|or|not|if|that|those"))
		return false;
	struct buf line = {0};
	slip_text(p, p->line, open, &line);
	if (close + 1 < end) {
		buf_putc(&line, ' ');
		slip_text(p, close + 1, end, &line);
	}
	buf_puts(&line, " -- ");
	slip_text(p, open + 1, close, &line);
	return slip_meant(p, open, close + 1, &line);
}

/* table hits (n) { 1-3: "arm" } */
bool report_row(struct phrase *p)
{
	int at = p->line;
	while (at < p->count && p->raw[at].start < p->token.start)
		at++;
	if (at == 0 || at + 2 > p->count || p->raw[at - 1].kind != RAW_NUMBER ||
		p->raw[at + 1].kind != RAW_NUMBER)
		return false;
	struct buf line = {0};
	slip_text(p, at - 1, at, &line);
	buf_puts(&line, "..");
	slip_text(p, at + 1, at + 2, &line);
	return slip_meant(p, at - 1, at + 2, &line);
}

/* monster ghast = ghoul with { hit dice: 4 } */
bool report_inherits(struct phrase *p)
{
	int at = p->line, end = slip_line_end(p, p->line);
	while (at < end && p->raw[at].start < p->token.start)
		at++;
	if (at < p->line + 2 || at + 1 >= end)
		return false;
	struct buf line = {0};
	slip_text(p, p->line, at, &line);
	buf_puts(&line, " is ");
	slip_text(p, at + 1, end, &line);
	return slip_meant(p, p->line, end, &line);
}

/* In segment 4 Bruna attacks orc #2; in round 2, Bruna attacks orc #2 */
static bool moment_first(struct phrase *p, int end)
{
	int number = p->line + 2, who;
	if (!slip_any(p, p->line, "in|at|during|from"))
		return false;
	while (number < end && number < p->line + 4 && p->raw[number].kind != RAW_NUMBER)
		number++;
	if (number >= end || p->raw[number].kind != RAW_NUMBER)
		return false;
	who = number + 1;
	if (who < end && (p->raw[who].kind == ',' || p->raw[who].kind == ':'))
		who++;
	if (who >= end || !who_at(p, who))
		return false;
	struct buf line = {0};
	const bool round = phrase_is(p, p->line + 1, "round");
	if (round) {
		slip_text(p, p->line + 1, number + 1, &line);
		buf_puts(&line, " { ");
	}
	slip_text(p, who, end, &line);
	if (round) {
		buf_puts(&line, " }");
	} else {
		buf_puts(&line, " from ");
		slip_text(p, p->line + 1, number + 1, &line);
	}
	return slip_meant(p, p->line, end, &line);
}

/* attacks orc #2 if orc #2 is able; as soon as orc #2 is dead */
static bool condition(struct phrase *p, int end)
{
	for (int i = p->line + 1; i + 2 < end; i++) {
		const bool cue = phrase_is(p, i, "as") && phrase_is(p, i + 1, "soon") &&
			phrase_is(p, i + 2, "as");
		int is = i + 1;
		if (!cue && !slip_any(p, i, "if|while|provided|whenever|once"))
			continue;
		while (is < end && !slip_any(p, is, "is|are|has") &&
			!slip_compares(p->raw[is].kind))
			is++;
		if (is >= end)
			return false;
		struct buf line = {0};
		slip_text(p, p->line, i, &line);
		buf_puts(&line, " when ");
		slip_text(p, i + (cue ? 3 : 1), end, &line);
		return slip_meant(p, i, end, &line);
	}
	return false;
}

/* attacks Bob as soon as Bob parries, where another system has the verb */
static bool cue_elsewhere(struct phrase *p, int end)
{
	for (int i = p->line + 1; i + 3 < end; i++) {
		const int who = i + 3, verb = who + who_at(p, who);
		if (!phrase_is(p, i, "as") || !phrase_is(p, i + 1, "soon") || verb == who ||
			verb >= end || !p->front->verb_elsewhere)
			continue;
		struct buf said = {0}, doing = {0};
		slip_text(p, verb, verb + 1, &said);
		slip_text(p, who, verb + 1, &doing);
		const char *where = p->front->verb_elsewhere(p->front->elsewhere, buf_text(&said));
		if (where)
			phrase_report(p, M_VERB_ELSEWHERE,
				phrase_span(p, p->raw[verb].start, p->raw[verb].end), 2,
				slip_kept(p, &doing),
				arena_text(p->front->arena, where, strlen(where)));
		buf_free(&said);
		buf_free(&doing);
		return where != NULL;
	}
	return false;
}

/* Ann does not attack Bob */
static bool denied(struct phrase *p, int end, int verb)
{
	sym name;
	if (!slip_any(p, verb, "does|do|did") || !phrase_is(p, verb + 1, "not") ||
		verb + 2 >= end || words_verb(p, verb + 2, &name) <= 0)
		return false;
	struct buf line = {0};
	slip_text(p, p->line, verb, &line);
	buf_printf(&line,
		" %s; or, to keep somebody from it: rule forbidden \"ours\" { forbid %s when actor "
		"is ",
		slip_any(p, verb, "do") ? "wait" : "waits", intern_text(p->front->names, name));
	slip_text(p, p->line, verb, &line);
	buf_puts(&line, " \"why\" }");
	return slip_meant(p, p->line, end, &line);
}

/* orc #2 is attacked by Bruna */
static bool suffered(struct phrase *p, int end, int is)
{
	if (!slip_any(p, is, "is|are|was|were|gets|get") || is + 3 >= end ||
		!phrase_is(p, is + 2, "by") || p->raw[is + 1].kind != RAW_WORD)
		return false;
	const char *done = intern_folded(p->front->names, p->raw[is + 1].word);
	const size_t n = strlen(done);
	const int by = is + 3, who = who_at(p, by);
	sym verb = 0;
	for (size_t cut = 1; cut <= 2 && !verb && n > 4; cut++) {
		const sym base = intern_find(p->front->names, done, n - cut);
		const struct lex_entry *e =
			base ? lexicon_find(p->front->lexicon, base, LEX_VERB) : NULL;
		verb = e && e->flags & LEX_ACTION ? lexicon_verb(p->front->lexicon, e) : 0;
	}
	if (!verb || !who)
		return false;
	struct buf line = {0};
	slip_text(p, by, by + who, &line);
	buf_putc(&line, ' ');
	put_verb(p, verb, words_name(p, by, LEX_NAME) == 0, &line);
	buf_putc(&line, ' ');
	slip_text(p, p->line, is, &line);
	if (by + who < end) {
		buf_putc(&line, ' ');
		slip_text(p, by + who, end, &line);
	}
	return slip_meant(p, p->line, end, &line);
}

/* Bruna rolls 15; Bruna rolled 15 for damage */
static bool rolled(struct phrase *p, int end, int verb)
{
	const int number = verb + 1 + slip_any(p, verb + 1, "a|an");
	if (!slip_any(p, verb, "rolls|roll|rolled|throws|threw") || number >= end ||
		p->raw[number].kind != RAW_NUMBER)
		return false;
	const bool damage = slip_any(p, end - 1, "damage");
	struct buf line = {0};
	buf_puts(&line, "dice: ");
	slip_text(p, p->line, verb, &line);
	buf_puts(&line, damage ? "'s damage " : "'s attack roll ");
	slip_text(p, number, number + 1, &line);
	return slip_meant(p, p->line, end, &line);
}

/* Ann and Bob attack each other */
static bool mutual(struct phrase *p, int end)
{
	const int first = who_at(p, p->line), and = p->line + first;
	const int second = first && phrase_is(p, and, "and") ? who_at(p, and + 1) : 0;
	int length, each = and + 1 + second;
	sym verb;
	if (!second || !is_action(p, each, &length, &verb))
		return false;
	each += length;
	const bool with = slip_any(p, each, "with|at|on|toward");
	if (!((phrase_is(p, each + with, "each") && phrase_is(p, each + with + 1, "other")) ||
		(phrase_is(p, each + with, "one") && phrase_is(p, each + with + 1, "another"))))
		return false;
	struct buf line = {0};
	for (int k = 0; k < 2; k++) {
		const int doer = k ? and + 1 : p->line, other = k ? p->line : and + 1;
		const int n = k ? second : first, m = k ? first : second;
		buf_puts(&line, k ? "; " : "");
		slip_text(p, doer, doer + n, &line);
		buf_putc(&line, ' ');
		put_verb(p, verb, words_name(p, doer, LEX_NAME) == 0, &line);
		buf_putc(&line, ' ');
		if (with) {
			slip_text(p, each, each + 1, &line);
			buf_putc(&line, ' ');
		}
		slip_text(p, other, other + m, &line);
	}
	return slip_meant(p, p->line, end, &line);
}

/* Bruna moves 30 ft closer to orc #2 */
static bool nearer(struct phrase *p, int end)
{
	for (int i = p->line + 1; i + 1 < end; i++) {
		const int to =
			slip_any(p, i, "closer|nearer|up") && phrase_is(p, i + 1, "to") ? 2 : 0;
		if (!to || i + to >= end)
			continue;
		struct buf line = {0};
		slip_text(p, p->line, i, &line);
		buf_puts(&line, " toward ");
		slip_text(p, i + to, end, &line);
		return slip_meant(p, i, i + to, &line);
	}
	return false;
}

/* Bruna with long sword attacks orc #2; Bruna full attack orc #2; Bruna readies an attack
 * against orc #2 */
static bool between(struct phrase *p, int end, int middle)
{
	int length = 0, at = middle + 1;
	sym verb;
	while (at < end && !is_action(p, at, &length, &verb))
		at++;
	if (at >= end || at == middle || at - middle > 6 ||
		slip_any(p, middle, "and|or|to|of|is|are") || p->raw[middle].kind != RAW_WORD)
		return false;
	for (int i = middle; i < at; i++)
		if (p->raw[i].kind == RAW_OF || p->raw[i].kind == ':' || p->raw[i].kind == ',')
			return false;
	const bool with = slip_any(p, middle, "with|from|at|on|in");
	int rest = at + length;
	struct buf line = {0};
	slip_text(p, p->line, middle, &line);
	buf_putc(&line, ' ');
	put_verb(p, verb, words_name(p, p->line, LEX_NAME) == 0, &line);
	rest += !with && slip_any(p, rest, "against|on") && rest + 1 < end;
	if (rest < end) {
		buf_putc(&line, ' ');
		slip_text(p, rest, end, &line);
	}
	if (with) {
		buf_putc(&line, ' ');
		slip_text(p, middle, at, &line);
	}
	return slip_meant(p, p->line, end, &line);
}

bool report_habit(struct phrase *p)
{
	const int end = slip_line_end(p, p->line), who = who_at(p, p->line);
	int token;
	if (!p->brace.n || end <= p->line + 1 || p->raw[end].kind == '{' ||
		words_of_language(p, p->line, W_START, &token))
		return false;
	if (bullet(p, end) || cried(p, end) || moment_first(p, end))
		return true;
	if (!who || p->line + who >= end)
		return false;
	const int verb = p->line + who;
	return remark(p, end) || condition(p, end) || cue_elsewhere(p, end) ||
		denied(p, end, verb) || suffered(p, end, verb) || rolled(p, end, verb) ||
		mutual(p, end) || nearer(p, end);
}

bool report_verb_late(struct phrase *p)
{
	const int end = slip_line_end(p, p->line), who = who_at(p, p->line);
	return p->brace.n && who && p->line + who < end && between(p, end, p->line + who);
}

/* The one whose plural this is: orcs. */
static const char *one_of(const struct phrase *p, const char *many)
{
	const struct lexicon *l = p->front->lexicon;
	const char *found = NULL;
	for (int i = 0; i < lexicon_count(l) && !found; i++) {
		const struct lex_entry *e = lexicon_entry(l, i);
		struct buf b = {0};
		if (e->flags & LEX_NAME)
			lexicon_plural(&b, intern_folded(p->front->names, e->text));
		if (b.length && !strcmp(buf_text(&b), many))
			found = intern_text(p->front->names, e->text);
		buf_free(&b);
	}
	return found;
}

bool report_number(struct phrase *p)
{
	const int at = slip_raw(p), end = slip_line_end(p, at);
	int from = at, last = at;
	while (from > p->line && p->raw[from - 1].start >= p->before.start)
		from--;
	if (from == at || p->raw[at].kind != RAW_NUMBER)
		return false;
	last -= at - from > 1 && slip_any(p, at - 1, "number|no|nr|num");
	struct buf name = {0}, line = {0};
	slip_text(p, from, last, &name);
	const sym known = intern_find(p->front->names, name.data, name.length);
	const struct lexicon *l = p->front->lexicon;
	const bool many = known && lexicon_find(l, known, LEX_PLURAL),
		   label = known && lexicon_find(l, known, LEX_FIELD | LEX_LABEL),
		   named = known && !many && !label && lexicon_find(l, known, LEX_NAME);
	const char *one = named ? buf_text(&name) : many ? one_of(p, buf_text(&name)) : NULL;
	const bool span = one && p->raw[at + 1].kind == '-';
	int prep = from;
	while (prep > p->line && !slip_any(p, prep, "on|at|with|in|for|from|to|by|of"))
		prep--;
	bool told = true;
	if (span && !named)
		buf_puts(&line, buf_text(&name)); /* orcs 1-3: all of them, or a line for each */
	else if (one && (last < at || !named)) {
		buf_printf(&line, "%s #", one);
		slip_text(p, at, at + 1, &line);
	} else if (!one && prep > p->line && who_at(p, p->line)) { /* on initiative 4 */
		from = prep;
		slip_text(p, p->line, prep, &line);
	} else
		told = false;
	if (told)
		slip_meant(p, from, span ? end : at + 1, &line);
	buf_free(&name);
	buf_free(&line);
	return told;
}
