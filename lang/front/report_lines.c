/* report_lines.c - lines of an encounter that are no sentences: what two have between them, `set ..
 * as soon as ..`, and how somebody is. */
#include <ctype.h>
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"

/* ---- distance (Ann, Grak) = 200 ft ---- */

bool report_pair(struct phrase *p, int token)
{
	const int at = slip_raw(p), end = slip_line_end(p, at);
	if ((token != '=' && token != ':') || p->lead || at <= p->line || p->raw[at - 1].kind != ')' ||
		!words_name(p, p->line, LEX_FIELD) || at + 1 >= end)
		return false;
	struct buf line = {0};
	buf_puts(&line, "set ");
	slip_text(p, p->line, at, &line);
	buf_puts(&line, " = ");
	slip_text(p, at + 1, end, &line);
	phrase_report(p, M_PAIR_SET, p->token, 1, slip_kept(p, &line), NULL);
	buf_free(&line);
	return true;
}

/* ---- set Ann's hit points = 5 as soon as Grak moves ---- */

/* sides: Ann, Bruna vs 2 orcs */
bool report_versus(struct phrase *p)
{
	static const char *const called[] = {"party", "foes", "others"};
	const int at = slip_raw(p), end = slip_line_end(p, at), from = slip_begin(p, at);
	size_t sides = 0;
	int part = from;
	while (part < at && p->raw[part].kind != ':')
		part++;
	if (part == at || !slip_in_encounter(p) || p->brace.n != 1 || !slip_any(p, at - 1, "vs"))
		return false;
	struct buf line = {0};
	for (int i = ++part; i <= end && sides < FRAY_COUNT(called); i++) {
		if (i < end && !slip_any(p, i, "vs|versus"))
			continue;
		buf_printf(&line, "%sside %s: ", sides ? "; " : "", called[sides]);
		slip_text(p, part, i, &line);
		sides++;
		part = i + 1;
	}
	return slip_meant(p, from, end, &line);
}

/* What a rule does it for: `Grak moves` is the event move with Grak as its actor. */
static void put_cue(struct phrase *p, int from, int end, struct buf *line)
{
	sym verb;
	for (int i = from + 1; i < end; i++)
		if (words_verb(p, i, &verb) > 0) {
			buf_printf(line, "after %s when actor is ", intern_text(p->front->names, verb));
			slip_text(p, from, i, line);
			return;
		}
	buf_puts(line, "after .. when ..");
}

bool report_set_waits(struct phrase *p)
{
	const bool edits =
		p->lead == TOK_SET || p->lead == TOK_CHANGE || p->lead == TOK_ADD || p->lead == TOK_REMOVE;
	const int at = slip_raw(p), end = slip_line_end(p, at);
	int words = phrase_is(p, at, "as") && phrase_is(p, at + 1, "soon") && phrase_is(p, at + 2, "as")
		? 3
		: slip_any(p, at, "when|if|whenever|once") ? 1
												   : 0;
	if (!edits || !words || at + words >= end)
		return false;
	const bool encounter = slip_in_encounter(p);
	struct buf edit = {0}, said = {0}, line = {0}, first = {0};
	slip_text(p, p->line, at, &edit);
	slip_text(p, at, at + words, &said);
	slip_text(p, p->line, p->line + 1, &first);
	buf_puts(&line, encounter ? "rule again \"ours\" { " : "");
	if (words == 3)
		put_cue(p, at + words, end, &line);
	else {
		buf_puts(&line, encounter ? "whenever " : "if ");
		slip_text(p, at + words, end, &line);
	}
	buf_printf(&line, " { %s }%s", buf_text(&edit), encounter ? " }" : "");
	struct diag d =
		diag_make(M_SET_WAITS, phrase_span(p, p->raw[at].start, p->raw[at + words - 1].end));
	diag_arg(&d, buf_text(&first));
	diag_arg(&d, buf_text(&said));
	diag_arg(&d, buf_text(&line));
	p->damaged = true;
	if (!p->quiet)
		diag_send(p->front->sink, &d);
	buf_free(&edit);
	buf_free(&said);
	buf_free(&line);
	buf_free(&first);
	return true;
}

/* ---- orcs are held ---- */

bool report_state_line(struct phrase *p)
{
	const int n = words_name(p, p->line, LEX_NAME | LEX_PLURAL), end = slip_line_end(p, p->line);
	int at = p->line;
	while (at < end && !slip_any(p, at, "is|are|was|were|becomes|become"))
		at++;
	if (!n || at == p->line || at + 1 >= end || slip_any(p, end - 2, "by") ||
		p->raw[end].kind == '{' || !p->front->state_line)
		return false;
	const bool not = phrase_is(p, at + 1, "not");
	if (end - at - 1 - not > 2) /* it is shot by Ann: a sentence, not a word for a state */
		return false;
	struct buf who = {0}, word = {0}, line = {0};
	slip_text(p, p->line, at, &who);
	slip_text(p, at + 1 + not, end, &word);
	const char *field =
		word.length ? p->front->state_line(p->front->elsewhere, buf_text(&word)) : NULL;
	struct diag d = diag_make(!field ? M_STATE_UNKNOWN
			: *field                 ? M_STATE_LINE
									 : M_STATE_WORKED_OUT,
		phrase_span(p, p->raw[p->line].start, p->raw[end - 1].end));
	struct buf whole = {0}, target = {0};
	slip_text(p, p->line, end, &whole);
	const char *owner = buf_text(&who);
	bool plural = who.length && owner[who.length - 1] == 's' && phrase_is(p, at, "are");
	if (field && *field)
		buf_printf(&line, "%s'%s %.*s%s", owner, plural ? "" : "s",
			(int)(not ? strcspn(field, ":") : strlen(field)), field,
			!not                         ? ""
				: strstr(field, ": yes") ? ": no"
										 : ": none");
	diag_arg(&d, buf_text(&whole));
	diag_arg(&d, line.length ? buf_text(&line) : buf_text(&word));
	buf_printf(&target, slip_any(p, at, "are|were|become") ? "target's side is %s" : "target is %s",
		owner);
	diag_arg(&d, buf_text(&target));
	p->damaged = true;
	VEC_PUSH(p->front->said, d.span);
	if (!p->quiet && !phrase_doubtful(p, M_NO_VERB_HERE))
		diag_send(p->front->sink, &d);
	buf_free(&who);
	buf_free(&word);
	buf_free(&line);
	buf_free(&whole);
	buf_free(&target);
	return true;
}

/* ---- lines that no statement begins ---- */

bool report_moment_colon(struct phrase *p, int token)
{
	const int at = slip_raw(p), end = slip_line_end(p, at);
	if (token != ':' || at != p->line + 2 || !raw_is_word(&p->raw[p->line]) ||
		!lexicon_find(p->front->lexicon, p->raw[p->line].word, LEX_UNIT))
		return false;
	struct buf line = {0};
	slip_text(p, p->line, at, &line);
	buf_puts(&line, " {");
	if (end > at + 1) {
		buf_putc(&line, ' ');
		slip_text(p, at + 1, end, &line);
		buf_puts(&line, " }");
	} else
		p->open_said = true;
	return slip_meant(p, p->line, end, &line);
}

bool report_when_first(struct phrase *p, int token)
{
	const int at = slip_raw(p), end = slip_line_end(p, at);
	if (token != TOK_WHEN || end >= p->count || p->raw[end].kind != '{' || end == at + 1)
		return false;
	struct buf line = {0};
	buf_puts(&line, "if ");
	slip_text(p, at + 1, end + 1, &line);
	return slip_meant(p, at, end + 1, &line);
}

bool report_side_parted(struct phrase *p)
{
	const int end = slip_line_end(p, p->line);
	int from = p->line - 1;
	if (from <= 0 || p->raw[from].kind != RAW_SEMI ||
		words_name(p, p->line, LEX_NAME | LEX_PLURAL) != end - p->line)
		return false;
	from = slip_begin(p, from);
	if (!phrase_is(p, from, "side"))
		return false;
	return slip_comma(p, from, end);
}

static const char *number_word(const struct phrase *p, int at)
{
	static const struct { const char *words, *number;
	} all[] = {
		{"one|first|1st", "1"},
		{"two|second|2nd", "2"},
		{"three|third|3rd", "3"},
		{"four|fourth|4th", "4"},
		{"five|fifth|5th", "5"},
		{"six|sixth|6th", "6"},
	};
	for (size_t i = 0; i < FRAY_COUNT(all); i++)
		if (slip_any(p, at, all[i].words))
			return all[i].number;
	return NULL;
}

bool report_counted(struct phrase *p)
{
	const int end = slip_line_end(p, p->line);
	if (end == p->line + 1 && p->raw[end].kind == '{') { /* round1 { */
		const char *said = intern_folded(p->front->names, p->raw[p->line].word);
		const size_t letters = strcspn(said, "0123456789");
		sym unit = letters && said[letters] &&
				strspn(said + letters, "0123456789") == strlen(said + letters)
			? intern_find(p->front->names, said, letters)
			: 0;
		if (unit && lexicon_find(p->front->lexicon, unit, LEX_UNIT)) {
			struct buf round = {0};
			buf_printf(&round, "%.*s %s {", (int)letters, said, said + letters);
			phrase_report(p, M_MOMENT, phrase_span(p, p->raw[p->line].start, p->raw[p->line].end),
				1, arena_text(p->front->arena, round.data, round.length), NULL);
			buf_free(&round);
			return true;
		}
	}
	if (end != p->line + 2)
		return false;
	const bool first = number_word(p, p->line) != NULL;
	const char *number = number_word(p, first ? p->line : p->line + 1);
	const int word = first ? p->line + 1 : p->line;
	if (!number ||
		lexicon_match(p->front->lexicon, LEX_NAMES, &p->raw[word], 1, LEX_UNIT, NULL) != 1)
		return false;
	struct buf line = {0};
	slip_text(p, word, word + 1, &line);
	buf_printf(&line, " %s%s", number, p->raw[end].kind == '{' ? " {" : "");
	phrase_report(p, M_MOMENT, phrase_span(p, p->raw[p->line].start, p->raw[end - 1].end), 1,
		slip_kept(p, &line), NULL);
	buf_free(&line);
	return true;
}

bool report_head_word(struct phrase *p)
{
	static const struct { const char *words, *kind;
	} all[] = {
		{"character|pc|npc|hero|heroine|player|person|fighter", "combatant"},
		{"creature|beast|enemy|foe|mob", "monster"},
		{"fight|battle|combat|scene|scenario|skirmish|melee", "encounter"},
		{"tactic|tactics|plan|strategy", "policy"},
		{"houserule|ruling", "rule"},
	};
	const int end = slip_line_end(p, p->line);
	const char *kind = NULL;
	if (p->brace.n || p->raw[end].kind != '{' || end == p->line || p->front->incomplete)
		return false;
	for (size_t i = 0; i < FRAY_COUNT(all) && end > p->line + 1; i++)
		if (slip_any(p, p->line, all[i].words))
			kind = all[i].kind;
	const int from = p->line + (kind != NULL) + (kind && p->raw[p->line + 1].kind == ':');
	for (int i = from; i < end; i++)
		if (!raw_is_word(&p->raw[i]) && p->raw[i].kind != RAW_STRING)
			return false;
	if (from >= end)
		return false;
	struct buf line = {0};
	if (!kind && end > p->line + 1 && slip_any(p, p->line, "state|status|effect")) {
		buf_puts(&line, "condition ");
		slip_text(p, from + 1, end, &line);
		buf_puts(&line, " {");
		return slip_meant(p, p->line, end, &line);
	}
	buf_printf(&line, "%s ",
		kind                                                              ? kind
			: islower((unsigned char)*phrase_text(p, p->raw[from].start)) ? "monster"
																		  : "combatant");
	slip_text(p, from, end, &line);
	buf_puts(&line, " {");
	return slip_meant(p, p->line, end, &line);
}
