/* report_turn.c - lines of an encounter that say somebody's turn in other words, or say more than a
 * line can: "Bruna followed brave", "orc #1 Bruna attacks", "for 3 rounds {", "rounds 1-2 {". */
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"

/* Who a line begins with, in tokens; 0: nobody that is known. */
static int who_at(const struct phrase *p, int at)
{
	int n = words_name(p, at, LEX_NAME | LEX_PLURAL);
	if (n && p->raw[at + n].kind == RAW_ORDINAL)
		n++;
	return n;
}

static bool does(const struct phrase *p, int at, sym *verb, int *length)
{
	*length = words_verb(p, at, verb);
	const struct lex_entry *e =
		*length > 0 ? lexicon_find(p->front->lexicon, *verb, LEX_VERB) : NULL;
	return e && e->flags & LEX_ACTION;
}

/* Bruna followed brave; orcs use sensible tactics */
static bool followed(struct phrase *p, int end, int verb)
{
	const bool said = slip_any(p, verb, "followed|following|obeys|obey|obeyed");
	if (verb + 1 >= end ||
		(!said &&
			!(slip_any(p, verb, "use|uses|used|using|run|runs|play|plays") &&
				slip_any(p, end - 1, "tactics|tactic|policy|plan|strategy"))))
		return false;
	const int name = verb + 1 + (end > verb + 2 && slip_any(p, verb + 1, "the|a|policy"));
	struct buf line = {0};
	slip_text(p, p->line, verb, &line);
	const bool many = line.length && line.data[line.length - 1] == 's';
	buf_puts(&line, many ? " follow " : " follows ");
	slip_text(p, name, end, &line);
	return slip_meant(p, p->line, end, &line);
}

/* orc #1 Bruna attacks */
static bool object_first(struct phrase *p, int end, int second)
{
	const int n = who_at(p, second);
	int length;
	sym verb;
	if (!n || !does(p, second + n, &verb, &length) || second + n + length != end)
		return false;
	struct buf line = {0};
	slip_text(p, second, end, &line);
	buf_putc(&line, ' ');
	slip_text(p, p->line, second, &line);
	return slip_meant(p, p->line, end, &line);
}

/* Bruna attacks orc #1 until orc #1 is down: what is done round after round is a policy. */
static bool lasting(struct phrase *p, int end, int at)
{
	int length;
	sym verb;
	if (!does(p, at, &verb, &length))
		return false;
	while (at < end && !slip_any(p, at, "until|till"))
		at++;
	if (at + 1 >= end)
		return false;
	struct buf line = {0};
	buf_printf(&line, "policy brave { %s my nearest enemy } above the encounter, and here: ",
		intern_text(p->front->names, verb));
	slip_text(p, p->line, p->line + who_at(p, p->line), &line);
	buf_puts(&line, words_name(p, p->line, LEX_NAME) ? " follows brave" : " follow brave");
	return slip_meant(p, p->line, end, &line);
}

/* for 3 rounds {, repeat 3 {, while .. {: round after round, in an encounter */
static bool loop(struct phrase *p, int end)
{
	int number = p->line + 1;
	if (!slip_any(p, p->line, "for|repeat|loop|while|every|each") || p->raw[end].kind != '{' ||
		p->brace.n != 1 || !slip_in_encounter(p))
		return false;
	while (number < end && p->raw[number].kind != RAW_NUMBER)
		number++;
	struct buf line = {0};
	buf_puts(&line, "round 1 {, round 2 { and so on, or what somebody does in every round: policy "
			"brave { attack my nearest enemy } above the encounter, and here: Bruna follows brave");
	return slip_meant(p, p->line, end, &line);
}

/* rounds 1-2 {, rounds 1 to 3 { */
static bool rounds(struct phrase *p, int end)
{
	const int first = p->line + 1, mark = first + 1, last = mark + 1;
	if (end != last + 1 || p->raw[end].kind != '{' || p->raw[first].kind != RAW_NUMBER ||
		p->raw[last].kind != RAW_NUMBER ||
		(p->raw[mark].kind != '-' && !slip_any(p, mark, "to|and")) ||
		lexicon_match(p->front->lexicon, LEX_NAMES, &p->raw[p->line], 1, LEX_UNIT, NULL) != 1)
		return false;
	struct buf line = {0};
	buf_puts(&line, "a block for each: round ");
	slip_text(p, first, mark, &line);
	buf_puts(&line, " { .. } and round ");
	slip_text(p, last, end, &line);
	buf_puts(&line, " { .. }; or a policy for all of them");
	return slip_meant(p, p->line, end, &line);
}

/* surprise round {: the unit with a number */
static bool moment_alone(struct phrase *p, int end)
{
	const struct lexicon *l = p->front->lexicon;
	const struct lex_entry *best = NULL;
	const char *first = raw_is_word(&p->raw[p->line])
		? intern_folded(p->front->names, p->raw[p->line].word)
		: "";
	const size_t length = strlen(first);
	if (p->raw[end].kind != '{' || p->brace.n != 1 || end > p->line + 2 || !length)
		return false;
	for (int i = 0; i < lexicon_count(l) && length; i++) {
		const struct lex_entry *e = lexicon_entry(l, i);
		const char *unit = intern_folded(p->front->names, e->text);
		if (e->flags & LEX_UNIT && e->unit == e->text && !strncmp(unit, first, length) &&
			(unit[length] == ' ' || (!unit[length] && end == p->line + 1)))
			best = e;
	}
	if (!best)
		return false;
	struct buf line = {0};
	buf_printf(&line, "%s 1 {", intern_text(p->front->names, best->text));
	return slip_meant(p, p->line, end, &line);
}

/* roll: Bruna's attack roll 15 */
static bool rolls(struct phrase *p, int end)
{
	if (!slip_any(p, p->line, "roll|rolls|rolled|die") || p->raw[p->line + 1].kind != ':' ||
		end < p->line + 3)
		return false;
	struct buf line = {0};
	buf_puts(&line, "dice: ");
	slip_text(p, p->line + 2, end, &line);
	return slip_meant(p, p->line, end, &line);
}

/* if orc #1 is able { Bruna attacks orc #1 } else { .. }, in a round of an encounter */
static bool if_in_round(struct phrase *p, int end)
{
	if (!slip_any(p, p->line, "if|when|unless") || p->raw[end].kind != '{' || !slip_in_encounter(p))
		return false;
	const int body = end + 1, last = slip_line_end(p, body), who = who_at(p, body);
	int length;
	sym verb;
	if (!who || body >= last || !does(p, body + who, &verb, &length))
		return false;
	struct buf line = {0};
	slip_text(p, body, last, &line);
	buf_puts(&line, slip_any(p, p->line, "unless") ? " unless " : " when ");
	slip_text(p, p->line + 1, end, &line);
	p->open_said = true;
	return slip_meant(p, p->line, end, &line);
}

bool report_turn(struct phrase *p)
{
	const int end = slip_line_end(p, p->line);
	if (!p->brace.n || end <= p->line || p->front->incomplete)
		return false;
	if (loop(p, end) || rounds(p, end) || moment_alone(p, end) || rolls(p, end) ||
		if_in_round(p, end))
		return true;
	const int n = who_at(p, p->line), verb = p->line + n;
	return n && verb < end && p->raw[end].kind != '{' &&
		(followed(p, end, verb) || object_first(p, end, verb) || lasting(p, end, verb));
}

/* ---- clauses ---- */

/* adjust .. by 2 if attacker is Ann */
static bool clause_if(struct phrase *p, int end)
{
	int at = p->line;
	if (!slip_any(p, p->line, "adjust|define|limit|forbid|permit|before|after|on|instead"))
		return false;
	while (at < end && !phrase_is(p, at, "if"))
		at++;
	return at > p->line + 1 && at + 1 < end && slip_with(p, at, " when ", at + 1, end);
}

static const struct { const char *value, *roles; } asked[] = {
#define ASKED(value, roles) {value, roles},
#include "stdlib/meant.def"
};

/* to-hit +2 when attacker is Ann */
static bool signed_value(struct phrase *p, int end)
{
	int at = p->line;
	while (at < end && p->raw[at].kind != '+' && p->raw[at].kind != '-')
		at++;
	if (at == p->line || at + 1 >= end || p->raw[at + 1].kind != RAW_NUMBER || p->brace.n != 1 ||
		p->lead)
		return false;
	for (int i = p->line; i < at; i++)
		if (!raw_is_word(&p->raw[i]) && p->raw[i].kind != RAW_OF)
			return false;
	struct buf line = {0};
	buf_puts(&line, "adjust ");
	slip_text(p, p->line, at, &line);
	struct buf value = {0};
	slip_text(p, p->line, at, &value);
	for (size_t i = 0; i < FRAY_COUNT(asked); i++)
		if (!strcmp(asked[i].value, buf_text(&value)))
			buf_printf(&line, " (%s)", asked[i].roles);
	buf_free(&value);
	buf_printf(&line, " by %s", p->raw[at].kind == '-' ? "-" : "");
	slip_text(p, at + 1, end, &line);
	return slip_meant(p, p->line, end, &line);
}

/* rule { .. }: a rule without a name */
static bool nameless(struct phrase *p, int end)
{
	if (!slip_any(p, p->line, "rule|policy") || p->raw[end].kind != '{' || end != p->line + 1)
		return false;
	struct buf line = {0};
	buf_puts(&line, phrase_is(p, p->line, "rule") ? "rule NAME \"why\" {" : "policy NAME {");
	return slip_meant(p, p->line, end, &line);
}

/* at the end of the round { .. }: a phase of these rules */
static bool at_moment(struct phrase *p, int end)
{
	if (!slip_any(p, p->line, "at|every|each") || p->raw[end].kind != '{' || p->brace.n != 1 ||
		slip_in_encounter(p) || !(slip_any(p, end - 1, "round|turn|segment|fight")))
		return false;
	bool last = false;
	for (int i = p->line; i < end; i++)
		last |= slip_any(p, i, "end");
	struct buf line = {0};
	buf_printf(&line, "%s phase .. {, with a phase of these rules: fray show order FILE",
		last ? "after" : "before");
	return slip_meant(p, p->line, end, &line);
}

bool report_clause_said(struct phrase *p)
{
	const int end = slip_line_end(p, p->line);
	return end > p->line && !p->front->incomplete &&
		(clause_if(p, end) || nameless(p, end) ||
			(p->brace.n && (at_moment(p, end) || (!slip_in_encounter(p) && signed_value(p, end)))));
}
