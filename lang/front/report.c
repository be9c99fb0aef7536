/* report.c - what a syntax error is called.
 *
 * The parser knows what it did not expect and, exactly, what it did. Here that becomes one
 * sentence: slips that people make often have one of their own, all else says after what
 * something is missing, or what does not belong. */
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"

struct expected {
	const int *token;
	int n;
};

static bool has(const struct expected *e, int token)
{
	for (int i = 0; i < e->n; i++)
		if (e->token[i] == token)
			return true;
	return false;
}

/* What was found, in the user's words. */
static void found(struct phrase *p, int token, struct buf *out)
{
	size_t length;
	const char *text = sources_text(p->front->sources, p->token, &length);
	if (token == TOK_NL) {
		buf_puts(out, "the end of the line");
		return;
	}
	if (token == TOK_YYEOF || length == 0) {
		buf_puts(out, "the end of the text");
		return;
	}
	buf_putc(out, '"');
	buf_add(out, text, length < 60 ? length : 60);
	if (length >= 60)
		buf_puts(out, "..");
	buf_putc(out, '"');
}

static void before(struct phrase *p, struct buf *out)
{
	size_t length;
	const char *text = sources_text(p->front->sources, p->before, &length);
	if (length > 40 || length == 0 || memchr(text, '\n', length))
		return;
	buf_add(out, text, length);
}

/* The words for one token. */
static void one(int token, struct buf *out)
{
	const char *name = gram_name(token);
	if (token == ',')
		buf_puts(out, "a comma");
	else if (name[0] == '\'' && name[1])
		buf_printf(out, "\"%c\"", name[1]);
	else if (token == TOK_STRING)
		buf_puts(out, "a text in quotes: \"..\"");
	else if (token == TOK_PREP)
		buf_puts(out, "a word like \"at\" or \"with\"");
	else if (!strncmp(name, "a ", 2) || !strncmp(name, "the ", 4) || token == TOK_SUBJECT || token == TOK_DICE)
		buf_puts(out, name);
	else
		buf_printf(out, "\"%s\"", name);
}

/* What would have fitted: a group before single words, the likeliest first, few of them. What
 * may always follow a name or a value (operators, 's, a parenthesis) is no news. */
static void wanted(const struct expected *e, const struct phrase *p, struct buf *out)
{
	static const int order[] = {
		TOK_VERB, TOK_SUBJECT, TOK_KIND, ':', '=', ')', '}', '{', TOK_BY, TOK_TO, TOK_FROM, TOK_HAS, TOK_IN, TOK_AT, TOK_THEN, TOK_ELSE, TOK_GIVING, TOK_ON,
		TOK_OVER, TOK_ALL, TOK_NEXT, TOK_UNTIL, TOK_AT_LEAST, TOK_AT_MOST, TOK_PHASE, TOK_FOR, TOK_WHEN, TOK_STRING, TOK_NUMBER, TOK_DICE, TOK_MOMENT, ',', '(', TOK_NL,
	};
	if (has(e, TOK_ENCOUNTER) && has(e, TOK_KIND)) {
		buf_puts(out, "a stat block, a rule or an encounter");
		return;
	}
	bool value = has(e, TOK_NUMBER) && has(e, TOK_NAME) && has(e, '('), after = has(e, '+');
	bool preps = has(e, TOK_PREP) && has(e, TOK_WITH);
	int part[4], n = 0, group = value || has(e, TOK_NAME);
	for (size_t i = 0; i < FRAY_COUNT(order) && n + group < 4; i++) {
		int t = order[i];
		if (!has(e, t) || (value && (t == TOK_STRING || t == TOK_NUMBER || t == TOK_DICE || t == TOK_MOMENT || t == '(')))
			continue;
		if (preps && (t == TOK_BY || t == TOK_TO || t == TOK_FROM || t == TOK_IN || t == TOK_AT || t == TOK_ON || t == TOK_UNTIL || t == TOK_FOR))
			continue;
		if (t == ',' && p->zone == ZONE_SAID && has(e, TOK_AND)) /* one more whom: nearly always possible */
			continue;
		if ((after && (t == TOK_IN || t == TOK_HAS || t == '=')) || (has(e, TOK_OF) && t == '('))
			continue;
		part[n++] = t;
	}
	if (!n && !group && e->n)
		part[n++] = e->token[0];
	if (p->paren && has(e, ')') && !group) {
		buf_puts(out, "\")\"");
		return;
	}
	if (group)
		buf_puts(out, !value ? "a name" : p->zone == ZONE_SAID ? "whom or what" : "a value");
	if (preps && n < 4)
		part[n++] = TOK_PREP;
	for (int i = 0; i < n; i++) {
		if (i || group)
			buf_puts(out, i + 1 == n ? " or " : ", ");
		one(part[i], out);
	}
}

/* ---- slips with a sentence of their own ---- */

/* The verb nearest to any word of a name that should have held one: the first only where
 * no subject stands before the verb. */
static const char *near_verb(struct phrase *p, struct span name, bool first, struct span *at)
{
	const struct lexicon *l = p->front->lexicon;
	VEC(const char *) verbs = {0};
	const char *best = NULL;
	if (p->front->sink->errors > SLIPS_ENOUGH)
		return NULL;
	/* what can happen but not be done is no line of an encounter: who "swings" does not mean "wins" */
	bool asked = phrase_is(p, p->line, "expect") || phrase_is(p, p->line, "why") || phrase_is(p, p->line, "odds");
	for (int i = 0; i < lexicon_count(l); i++)
		if (lexicon_entry(l, i)->flags & LEX_VERB && lexicon_verb(l, lexicon_entry(l, i)) && (asked || lexicon_entry(l, i)->flags & LEX_ACTION))
			VEC_PUSH(verbs, intern_folded(p->front->names, lexicon_entry(l, i)->text));
	for (int i = p->line; i < p->count && p->raw[i].start < name.end && !best; i++) {
		if (p->raw[i].start < name.start || p->raw[i].kind != RAW_WORD)
			continue;
		if (!first && words_inner(p, i))
			break;
		if (first)
			best = slip_verb(p, i);
		if (first && !best)
			best = diag_nearest(intern_folded(p->front->names, p->raw[i].word), verbs.v, verbs.n);
		if (best)
			*at = phrase_span(p, p->raw[i].start, p->raw[i].end);
		first = true;
	}
	VEC_FREE(verbs);
	return best;
}

/* "Bruna can: attack, cast, charge": the actions there are, the one that may be meant first. */
static const char *can_do(struct phrase *p, struct span name, struct span verb, const char *best)
{
	enum { LISTED = 18 };
	const struct lexicon *l = p->front->lexicon;
	const struct lex_entry *near = best ? lexicon_find(l, intern_find(p->front->names, best, strlen(best)), LEX_VERB) : NULL;
	sym first = near ? lexicon_verb(l, near) : 0;
	VEC(const char *) actions = {0};
	struct buf b = {0};
	int n = words_name(p, p->line, LEX_NAME | LEX_PLURAL);
	size_t length;
	const char *who = sources_text(p->front->sources, name, &length);
	const bool begins = n && p->raw[p->line].start == name.start;
	if (best && !begins)
		length = verb.start > name.start ? verb.start - name.start : 0;
	else
		length = n && p->raw[p->line].start == name.start && p->raw[p->line + n - 1].end < name.end ? p->raw[p->line + n - 1].end - name.start : 0;
	while (length && who[length - 1] == ' ')
		length--;
	buf_printf(&b, "%.*s can: ", length ? (int)(length < 60 ? length : 60) : 8, length ? who : "Somebody");
	for (int i = 0; i < lexicon_count(l); i++) {
		const struct lex_entry *e = lexicon_entry(l, i);
		if (e->flags & LEX_ACTION && e->verb == e->text)
			VEC_PUSH(actions, intern_text(p->front->names, e->verb));
	}
	diag_list(actions.v, actions.n, first ? intern_text(p->front->names, first) : NULL, LISTED, &b);
	buf_putc(&b, '.');
	const char *text = actions.n ? arena_text(p->front->arena, b.data, b.length) : "";
	VEC_FREE(actions);
	buf_free(&b);
	return text;
}

/* A line at the top of a file: the kind or word of the language that may begin it. */
static bool no_declaration(struct phrase *p, const char *said, struct span at)
{
	const struct lexicon *l = p->front->lexicon;
	VEC(const char *) begins = {0};
	if (report_dice_named(p))
		return true;
	if (!p->declares || p->brace.n)
		return false;
	for (int i = 0; i < word_count; i++)
		if (word_table[i].class & W_TOP)
			VEC_PUSH(begins, word_table[i].text);
	for (int i = 0; i < lexicon_count(l); i++)
		if (lexicon_entry(l, i)->flags & LEX_KIND && lexicon_entry(l, i)->kind == lexicon_entry(l, i)->text)
			VEC_PUSH(begins, intern_folded(p->front->names, lexicon_entry(l, i)->text));
	const char *best = diag_nearest(intern_folded(p->front->names, p->raw[p->line].word), begins.v, begins.n), *asked = said_question(said);
	if (asked) {
		struct buf line = {0};
		buf_printf(&line, "odds giving %s", asked);
		slip_say(p, M_ODDS_HEAD, at, &line);
		buf_free(&line);
	} else if (!best && report_head_word(p)) {
		VEC_FREE(begins);
		return true;
	} else if (best && !strcmp(best, said))
		phrase_report(p, M_NO_NAME_BEHIND, at, 1, said, NULL);
	else
		phrase_report(p, best ? M_NO_DECLARATION_NEAR : M_NO_DECLARATION, at, 2, said, best ? best : "");
	VEC_FREE(begins);
	return true;
}

/* "distance 10 ft", "round one": lines that are no sentences, but nearly something else. */
static bool nearly_other(struct phrase *p, uint32_t line_end)
{
	const struct raw *r = &p->raw[p->line];
	int n = p->brace.n ? words_name(p, p->line, LEX_FIELD) : 0;
	if (n && r[n].kind == RAW_NUMBER) {
		struct span at = phrase_span(p, r[0].start, r[n - 1].end);
		size_t name, value;
		const int unit =
			words_name(p, p->line + n + 1, LEX_UNIT); /* distance 30 feet apart */
		const uint32_t end = unit ? r[n + unit].end : line_end;
		const char *field = sources_text(p->front->sources, at, &name),
			   *number = sources_text(
				   p->front->sources, phrase_span(p, r[n].start, end), &value);
		phrase_report(p, M_COLON_MISSING, at, 2, arena_text(p->front->arena, field, name), arena_text(p->front->arena, number, value < 60 ? value : 60));
		return true;
	}
	n = p->brace.n ? lexicon_match(p->front->lexicon, LEX_NAMES, r, p->count - p->line, LEX_UNIT, NULL) : 0;
	if (!n)
		return false;
	phrase_report(p, M_MOMENT, phrase_span(p, r[0].start, r[n - 1].end), 1, "round 2", NULL);
	return true;
}

/* Whether a word of the language begins what stands in an encounter. */
static bool in_encounter(int token)
{
	switch (token) {
	case TOK_SIDE: case TOK_UNTIL: case TOK_EXPECT: case TOK_EXPECT_VAIN: case TOK_ODDS: case TOK_SWEEP: case TOK_COMPARE: case TOK_PLOT:
		return true;
	default:
		return false;
	}
}

/* "untill party is down": the word meant by the first one of a line in an encounter, unless it names somebody. */
static const char *near_opening(struct phrase *p, struct span *at)
{
	const struct raw *r = &p->raw[p->line];
	VEC(const char *) words = {0};
	if (!p->brace.n || r->kind != RAW_WORD || words_name(p, p->line, LEX_CALLED))
		return NULL;
	for (int i = 0; i < word_count; i++)
		if (word_table[i].class & W_START && in_encounter(word_table[i].token))
			VEC_PUSH(words, word_table[i].text);
	const char *best = diag_nearest(intern_folded(p->front->names, r->word), words.v, words.n);
	VEC_FREE(words);
	if (best)
		*at = phrase_span(p, r->start, r->end);
	return best;
}

void report_no_verb(struct phrase *p, struct span name)
{
	struct span at = name;
	const char *best = near_verb(p, name, p->token.start == name.start, &at);
	size_t length;
	struct span line = name;
	for (int i = p->line; i < p->count && p->raw[i].kind != RAW_NL && p->raw[i].kind != RAW_SEMI && p->raw[i].kind != '{' && p->raw[i].kind != '}'; i++)
		line.end = p->raw[i].end;
	const char *text = sources_text(p->front->sources, line, &length);
	char *said = arena_text(p->front->arena, text, length < 60 ? length : name.end - name.start < 60 ? name.end - name.start : 60);
	bool whole = name.start == p->raw[p->line].start;
	const char *opening = !best && whole ? near_opening(p, &at) : NULL;
	if (opening)
		best = opening;
	if (whole && (report_turn(p) || report_habit(p)))
		return;
	if (whole &&
		(report_against(p) || report_side_parted(p) || report_moment(p) ||
			report_counted(p) || report_branch(p)))
		return;
	if (whole && (no_declaration(p, said, name) || (!best && nearly_other(p, line.end))))
		return;
	if (whole && !opening && !best && report_state_line(p))
		return;
	if (whole && !opening &&
		(report_expect_two(p) || report_said_verb(p) || report_verb_late(p)))
		return;
	const char *where = whole && !opening ? report_elsewhere(p) : NULL;
	VEC_PUSH(p->front->said, at);
	struct diag d = diag_make(where ? M_VERB_ELSEWHERE : best ? M_NO_VERB_HERE_NEAR : M_NO_VERB_HERE, at);
	diag_arg(&d, said);
	diag_arg(&d, where ? where : best ? best : "");
	if (!opening)
		diag_line(&d, can_do(p, name, at, best));
	if (!best && report_in_branch(p))
		diag_line(&d, "Or who comes and goes, and how it stands: Bruna leaves; 2 orcs join orcs; set Bruna's hit points = 5");
	p->damaged = true;
	if (!p->quiet && !phrase_doubtful(p, d.id))
		diag_send(p->front->sink, &d);
}

void report_nobody(struct phrase *p, struct span at, sym verb)
{
	p->damaged = true;
	if (!p->nobody) /* the lines of a policy whose first line is missing are one mistake */
		phrase_report(p, M_NOBODY, at, 1, intern_text(p->front->names, verb), NULL);
	p->nobody = true;
}

/* Where a word that begins a statement has its place. */
static const char *place_of(int token)
{
	if (in_encounter(token))
		return "in an encounter";
	switch (token) {
	case TOK_LET: case TOK_EACH: case TOK_REPEAT: case TOK_STOP: case TOK_CARRY_ON: case TOK_PEND: case TOK_RESOLVE: case TOK_ASK: case TOK_CANCEL:
	case TOK_NOTE: case TOK_REFER: case TOK_WRONG: case TOK_TOGETHER: case TOK_BEGIN_ROUND: case TOK_PERFORM_PHASE: case TOK_IF: case TOK_SET: case TOK_CHANGE: case TOK_ADD: case TOK_REMOVE:
		return "in the body of a rule: on strike { .. }";
	case TOK_NEEDS: case TOK_COSTS: case TOK_DOES: case TOK_REFUSE:
		return "in an action: action attack (target) { .. }";
	case TOK_DEFINE: case TOK_ADJUST: case TOK_LIMIT: case TOK_ORDER: case TOK_WHENEVER: case TOK_FORBID: case TOK_PERMIT: case TOK_DEFAULT_ACTION: case TOK_DEFAULT_POLICY:
	case TOK_ON: case TOK_BEFORE: case TOK_AFTER: case TOK_INSTEAD:
		return "in a rule, outside its bodies";
	case TOK_WHEN_ASKED:
		return "in a policy";
	default:
		return "outside every { }";
	}
}

/* A line that begins with a word of the language which does not belong here. */
static bool wrong_place(struct phrase *p, int unexpected)
{
	int token, n = words_of_language(p, p->line, W_START, &token);
	if (p->lead || !n || token == TOK_FOLLOWS || token == TOK_SPREAD)
		return false;
	if (unexpected == ':' || (unexpected == '=' && token != TOK_SET && token != TOK_LET && token != TOK_DEFINE))
		return false;
	struct span at = phrase_span(p, p->raw[p->line].start, p->raw[p->line + n - 1].end);
	struct buf b = {0};
	size_t length;
	const char *text = sources_text(p->front->sources, at, &length);
	buf_add(&b, text, length);
	if (p->streak != M_WRONG_PLACE) /* the lines of one block in the wrong place are one mistake */
		phrase_report(p, M_WRONG_PLACE, at, 2, buf_text(&b), place_of(token));
	p->streak = M_WRONG_PLACE;
	buf_free(&b);
	return true;
}

/* "Bruna atacks orc #1": a line that should be a sentence, and has no verb. */
static bool no_verb(struct phrase *p, int token, const struct expected *e)
{
	bool policy = has(e, TOK_VERB) && token == TOK_NAME && p->after != TOK_TO;
	if (p->lead || !p->sentence || token == ':' || token == TOK_OF)
		return false;
	sym verb;
	int n;
	if (policy && words_subject(p, p->line)) {
		phrase_report(p, M_POLICY_SUBJECT, p->token, 0, NULL, NULL);
		return true;
	}
	bool begun = p->verb_at.start == p->raw[p->line].start && p->verb; /* a policy's line */
	if (!policy && !begun && (n = words_verb(p, p->line, &verb)) > 0) {
		struct span at = phrase_span(p, p->raw[p->line].start, p->raw[p->line + n - 1].end);
		report_nobody(p, at, verb);
		return true;
	}
	if (policy && p->token.start == p->raw[p->line].start) {
		report_no_verb(p, p->token);
		return true;
	}
	if (p->after != TOK_NAME || p->before.start != p->raw[p->line].start)
		return false;
	report_no_verb(p, p->before);
	return true;
}

/* Where the run of words that begins here has an end that a name cannot hold: at a mark, a
 * comparison or a verb. */
static int whole_name(const struct phrase *p, int at, bool *verb)
{
	static const char *const ends[] = {"is", "are", "has", "have", "when", "unless", "and", "or", "then", "else", "does", "do", "follow", "follows"};
	int n = 0;
	sym v;
	*verb = false;
	for (; at + n < p->count && raw_is_word(&p->raw[at + n]); n++) {
		for (size_t i = 0; n && i < FRAY_COUNT(ends); i++)
			if (phrase_is(p, at + n, ends[i]))
				return n;
		*verb = n && words_verb(p, at + n, &v);
		if (*verb)
			return n;
	}
	return n;
}

/* "Keeper of the Keys to Heaven": a name that nobody declared, cut at a word of the language. */
static bool cut_name(struct phrase *p)
{
	int from = p->at, token;
	bool verb;
	if (p->after != TOK_NAME || p->at >= p->count || !words_of_language(p, p->at, W_INNER, &token) || token == TOK_AT_LEAST || token == TOK_AT_MOST)
		return false;
	while (from > p->line && p->raw[from].start > p->before.start)
		from--;
	int said = p->at - from;
	if (words_name(p, from, LEX_CALLED) >= said)
		return false;
	int n = whole_name(p, from, &verb);
	if (n <= said || (from == p->line && !verb))
		return false;
	struct span at = phrase_span(p, p->raw[from].start, p->raw[from + n - 1].end);
	size_t length;
	const char *text = sources_text(p->front->sources, at, &length);
	char *name = arena_text(p->front->arena, text, length < FRAY_NAME_MAX ? length : FRAY_NAME_MAX);
	if (p->lead != TOK_SIDE && report_said_name(p, at))
		return true;
	phrase_report(p, p->lead == TOK_SIDE ? M_NO_COMBATANT : M_NO_NAME, at, 2, name, "");
	return true;
}

/* hit points: 12, armour class: 5 */
static bool comma_before(const struct phrase *p)
{
	bool colon = false, comma = false;
	for (int i = p->line; i < p->at; i++) {
		colon |= p->raw[i].kind == ':';
		comma |= colon && p->raw[i].kind == ',';
	}
	return p->brace.n > 0 && comma;
}

/* "hit points: 12; armour class: 4": the line with a semicolon for the comma before this field. */
static void report_comma_fields(struct phrase *p)
{
	int at = p->line, comma = p->line, end;
	for (; at < p->count && p->raw[at].start < p->token.start; at++)
		if (p->raw[at].kind == ',')
			comma = at;
	for (end = at; end < p->count && !raw_is_end(&p->raw[end]) && p->raw[end].kind != '}' &&
		(end == at || p->raw[end].kind != ',');
		end++)
		;
	size_t first, second;
	const char *a = sources_text(p->front->sources,
		phrase_span(p, p->raw[p->line].start, p->raw[comma].start), &first);
	const char *b = sources_text(p->front->sources,
		phrase_span(p, p->raw[comma].end, p->raw[end - 1].end), &second);
	struct buf line = {0};
	for (; first && a[first - 1] == ' '; first--)
		;
	buf_add(&line, a, first);
	buf_putc(&line, ';');
	buf_add(&line, b, second);
	phrase_report(p, M_COMMA_FIELDS, p->token, 1,
		arena_text(p->front->arena, line.data, line.length), NULL);
	buf_free(&line);
}

/* use ../things: a path where a module's name belongs. */
static bool path_used(struct phrase *p)
{
	struct span at = p->token;
	size_t length;
	const char *text = sources_text(p->front->sources, at, &length);
	if (p->lead != TOK_USE || !length || (*text != '.' && *text != '/'))
		return false;
	at.start = p->after == TOK_USE || p->last == TOK_USE ? at.start : p->before.start;
	for (at.end = p->token.end; text[length] && !strchr(" ,;\t\r\n", text[length]); length++)
		at.end++;
	text = sources_text(p->front->sources, at, &length);
	phrase_report(p, M_USE_PATH, at, 1, arena_text(p->front->arena, text, length < 100 ? length : 100), NULL);
	return true;
}

/* Bruna's hit points = 5 */
static void report_equals(struct phrase *p)
{
	int at = p->line, end = p->line;
	struct span value = p->token;
	size_t name, length;
	while (at < p->count && p->raw[at].start < p->token.start)
		at++;
	for (end = at + 1; end < p->count && !raw_is_end(&p->raw[end]) && p->raw[end].kind != '}'; end++)
		;
	value.start = p->token.end;
	value.end = p->raw[end - 1].end;
	const char *text = sources_text(p->front->sources, phrase_span(p, p->raw[p->line].start, at > p->line ? p->raw[at - 1].end : p->token.start), &name), *is = sources_text(p->front->sources, value, &length);
	for (; length && *is == ' '; length--)
		is++;
	phrase_report(p, M_EQUALS_IN_BLOCK, p->token, 2, arena_text(p->front->arena, text, name), length ? arena_text(p->front->arena, is, length) : "..");
}

static bool slip(struct phrase *p, int token, const struct expected *e)
{
	if (path_used(p) || report_clause_said(p) || report_turn(p) || report_expect_two(p) ||
		report_habit(p) || report_dice_name(p) || report_title(p))
		return true;
	if (report_amount(p) || report_rule(p, has(e, '=')))
		return true;
	if (report_pair(p, token) || report_set_waits(p) || report_versus(p) ||
		report_block(p, token, has(e, ':')))
		return true;
	if (report_told(p) || report_branch(p) || report_set_to(p, token) || report_unit(p, token) || report_expected(p) || cut_name(p))
		return true;
	if (token == TOK_OR && has(e, TOK_AND)) {
		phrase_report(p, M_MIXED, p->token, 2, "and", "or");
		return true;
	}
	if (token == TOK_AND && has(e, TOK_OR) && !has(e, TOK_AND)) {
		phrase_report(p, M_MIXED, p->token, 2, "or", "and");
		return true;
	}
	if (has(e, '{') && report_moment_colon(p, token))
		return true;
	if (has(e, TOK_IF) && report_when_first(p, token))
		return true;
	if (report_odds(p, token, has(e, '=')) || (token == '-' && has(e, ':') && report_row(p)) ||
		(token == '=' && has(e, '{') && !has(e, ':') && report_inherits(p)))
		return true;
	if (wrong_place(p, token))
		return true;
	if (token == TOK_NUMBER && p->sentence && p->after == TOK_NAME && !has(e, ':') && !has(e, TOK_NUMBER)) {
		if (report_compared(p) || report_number(p))
			return true;
		size_t name, digits;
		const char *a = sources_text(p->front->sources, p->before, &name), *b = sources_text(p->front->sources, p->token, &digits);
		phrase_report(p, M_NUMBER_MARK, p->token, 2, arena_text(p->front->arena, a, name < 60 ? name : 60), arena_text(p->front->arena, b, digits < 20 ? digits : 20));
		return true;
	}
	if (token == ':' && comma_before(p)) {
		report_comma_fields(p);
		return true;
	}
	if (token == '=' && has(e, ':')) {
		report_equals(p);
		return true;
	}
	if (token == ':' && has(e, '=')) {
		phrase_report(p, M_COLON_IN_RULE, p->token, 0, NULL, NULL);
		return true;
	}
	if (token == TOK_ELSE) {
		if (p->open_said) /* it belongs to an if whose { is missing */
			return true;
		p->close_said = p->last != '}';
		if (!report_policy_else(p))
			phrase_report(p, M_LONE_ELSE, p->token, 0, NULL, NULL);
		return true;
	}
	return no_verb(p, token, e);
}

void report_wanted(struct phrase *p, struct buf *out)
{
	enum { MOST = 256 };
	int token[MOST];
	struct expected e = {token, gram_expected(p->parser, token, MOST)};
	wanted(&e, p, out);
}

void report_brace(struct phrase *p)
{
	size_t length;
	const char *text = sources_text(p->front->sources, p->token, &length);
	struct diag d = diag_make(M_ENDS_SOON, phrase_span(p, p->token.start, p->token.end));
	diag_arg(&d, "the end of the line");
	diag_arg(&d, "\"{\"");
	diag_arg(&d, arena_text(p->front->arena, text, length < 40 ? length : 40));
	if (!phrase_doubtful(p, d.id))
		diag_send(p->front->sink, &d);
}

void report_syntax(struct phrase *p, int token, const int *expected, int n)
{
	struct expected e = {expected, n};
	if (p->quiet || p->said_at == p->token.start + 1 || slip(p, token, &e))
		return;
	/* so are the fields of one stat block */
	if (token == ':' && p->streak == M_UNEXPECTED)
		return;
	p->streak = token == ':' ? M_UNEXPECTED : 0;
	struct buf what = {0}, want = {0}, last = {0};
	found(p, token, &what);
	wanted(&e, p, &want);
	if (p->after == TOK_NAME && p->lead != TOK_SIDE && !strcmp(buf_text(&want), "\":\"") && report_colon(p)) {
		buf_free(&what);
		buf_free(&want);
		return;
	}
	if (has(&e, ':') && p->lead != TOK_SIDE && report_field_open(p)) {
		buf_free(&what);
		buf_free(&want);
		return;
	}
	before(p, &last);
	bool ends = token == TOK_NL || token == TOK_YYEOF;
	p->open_said |= has(&e, '{');
	struct diag d = diag_make(last.length ? (ends ? M_ENDS_SOON : M_UNEXPECTED) : M_SYNTAX, p->token);
	diag_arg(&d, buf_text(&what));
	diag_arg(&d, buf_text(&want));
	diag_arg(&d, buf_text(&last));
	if (p->paren && has(&e, ')'))
		diag_relate(&d, phrase_span(p, p->paren_at, p->paren_at + 1), "the ( is open since here");
	if (!phrase_doubtful(p, d.id))
		diag_send(p->front->sink, &d);
	buf_free(&what);
	buf_free(&want);
	buf_free(&last);
}
