/* story.c - a run told.
 *
 * One pass over the records in order. A record that a line has taken in is marked; what is
 * left over begins a line of its own. Dice rolled outside any act are collected into one line
 * of dice. How the parts of a line are joined: the telling of the act, ": ", then the rest;
 * what follows a die is its result (": "); a part that begins with somebody's name is a
 * sentence of its own ("; "); anything else goes on with a comma. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/explain/again.h"
#include "runtime/explain/amount.h"
#include "runtime/explain/answer.h"
#include "runtime/explain/ends.h"
#include "runtime/explain/event.h"
#include "runtime/explain/ink.h"
#include "runtime/explain/left.h"
#include "runtime/explain/story.h"

struct part {
	int32_t record;
	char *text;
	size_t told;      /* bytes of it that a rule tells; what is left, ", 12 hit points left", follows */
	bool die;         /* it is a die, or ends in one's result */
	int32_t spoken;   /* label of the die it speaks of, -1 */
	bool gone;        /* a die another part speaks of */
};

struct story {
	struct log log;
	const struct story_options *o;
	struct ink ink;
	unsigned char *taken;
	VEC(struct part) part;
	VEC(int32_t) dice;     /* rolls waiting for their line */
	struct buf label;      /* of the last line, so that it is not repeated */
	int column;            /* where lines' texts begin */
	int32_t phase;         /* of the encounter, before the first round; -1 */
	bool headed;           /* the heading of that phase has been written */
	bool in_round;
	int32_t group;         /* GROUP record last met */
	int32_t now;           /* the phase in progress */
	word stale;            /* the clock as the phase before left it; NONE once a group has set it */
	word actor;            /* of the line being built: whose dice need no name */
	struct again again;
};

/* ---- parts of a line ---- */

/* Where `name` stands in `text` as a whole word; NULL. */
static const char *find_word(const char *text, const char *name)
{
	size_t n = strlen(name);
	if (n == 0)
		return NULL;
	for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
		bool before = at == text || !isalnum((unsigned char)at[-1]);
		if (before && !isalnum((unsigned char)at[n]))
			return at;
	}
	return NULL;
}

/* Does a telling speak of this die: by its name and its total? *end: where in the text it has
 * done so. *plain: "attack roll 17" as it stands, so that a lone face need not be repeated. */
static bool speaks_of(const struct story *s, const char *text, const struct record *die, size_t *end, bool *plain)
{
	if (die->what < 0 || die->what >= s->log.p->labels)
		return false;
	const char *name = s->log.p->label[die->what].name;
	const char *at = find_word(text, name);
	struct buf total = {0};
	log_total(&s->log, die, &total);
	const char *number = at ? find_word(text, buf_text(&total)) : NULL;
	if (number) {
		const char *after = at + strlen(name), *past = number + total.length;
		*end = (size_t)((after > past ? after : past) - text);
		while (*after == ' ' || *after == ':')
			after++;
		*plain = after == number;
	}
	buf_free(&total);
	return number != NULL;
}

/* A telling may speak of dice that fell in its event or below it, and of those that fell in
 * the event around it before it began. */
static bool may_speak_of(const struct story *s, int32_t telling, int32_t die)
{
	int32_t rolled_in = log_at(&s->log, die)->parent;
	for (int32_t i = rolled_in; i >= 0; i = log_at(&s->log, i)->parent)
		if (i == telling)
			return true;
	for (int32_t i = telling; telling > die && i >= 0; i = log_at(&s->log, i)->parent)
		if (i == rolled_in)
			return true;
	return false;
}

static void part_add(struct story *s, int32_t record, const char *text, bool die)
{
	struct part part = {.record = record, .text = malloc(strlen(text) + 1), .told = strlen(text), .die = die, .spoken = -1};
	if (!part.text)
		abort();
	strcpy(part.text, text);
	VEC_PUSH(s->part, part);
}

static void part_sentence(struct story *s, int32_t record)
{
	struct buf b = {0};
	log_sentence(&s->log, record, &b);
	if (b.length)
		part_add(s, record, buf_text(&b), false);
	buf_free(&b);
}

static void part_die(struct story *s, int32_t record)
{
	struct buf b = {0};
	const struct record *r = log_at(&s->log, record);
	const struct label_info *l = r->what >= 0 && r->what < s->log.p->labels ? &s->log.p->label[r->what] : NULL;
	if (l && s->actor != NONE && r->owner == s->actor && l->owner.base == VT_LIVE && l->owner.kind == KIND_COMBATANT)
		buf_puts(&b, l->name);
	else
		log_label(&s->log, r, &b);
	buf_putc(&b, ' ');
	log_total(&s->log, r, &b);
	log_fall(&s->log, r, false, &b);
	part_add(s, record, buf_text(&b), true);
	buf_free(&b);
}

/* A note; said twice in a row, as by each blow of a routine, it is said once. */
static void part_note(struct story *s, int32_t record)
{
	const char *text = trace_text_at(s->log.t, log_at(&s->log, record)->text);
	if (s->part.n == 0 || strcmp(s->part.v[s->part.n - 1].text, text))
		part_add(s, record, text, false);
}

/* A policy's line that is not allowed is no news: the next one is tried. */
static bool passed_over(const struct story *s, const struct record *r)
{
	return r->kind == REC_REFUSED && (r->flag == BY_POLICY || r->flag == BY_DEFAULT) && !s->o->why;
}

/* Who can no longer wait is no news, nor is what was never to be told: the rules' own "take turn". */
static bool idle(const struct story *s, const struct record *r)
{
	return r->kind == REC_VOID && !log_is_news(&s->log, r);
}

/* Was an act interrupted by what is told of its own actor ("Zel's spell is spoiled"), or by his
 * part
 * in what somebody else does: a blow against a charger is struck in the charge? What he himself
 * does
 * does not tell of the next that he was to do. */
static bool told_by_its_actor(const struct story *s, int32_t number)
{
	const struct record *r = log_at(&s->log, number);
	const word who = log_actor(&s->log, r);
	for (int32_t i = log_sibling(&s->log, number); i >= 0; i = log_sibling(&s->log, i))
		if (log_at(&s->log, i)->kind == REC_EVENT && !log_at(&s->log, i)->dropped &&
			log_actor(&s->log, log_at(&s->log, i)) == who)
			return true;
	word inner = NONE; /* who does the nearest told event around */
	bool another = false;
	for (int32_t i = log_at(&s->log, number)->parent; i >= 0; i = log_at(&s->log, i)->parent) {
		const struct record x = *log_at(&s->log, i);
		if (x.kind != REC_EVENT || x.text < 0)
			continue;
		const word its = log_actor(&s->log, &x);
		another |= its != who;
		if (inner == NONE)
			inner = its;
	}
	return inner == who && another;
}

/* What a policy chose is told, but for a yes or no: what comes of that is told itself. */
static bool choice_told(const struct story *s, const struct record *r)
{
	const bool yes_or_no = r->what >= 0 && r->what < s->log.p->choices && s->log.p->choice[r->what].type.base == VT_BOOL;
	return s->o->why || r->flag == BY_PROMPT || (r->flag == BY_POLICY && !yes_or_no);
}

/* "12 hit points left", "now 12 hit points", "at -3 hit points". */
static void left_add(const char *name, word old, word now, struct buf *out)
{
	size_t n = strlen(name);
	if (now < 0) {
		buf_printf(out, ", at %lld %s", (long long)now, name);
		return;
	}
	buf_puts(out, now > old ? ", now " : ", ");
	if (now)
		buf_printf(out, "%lld ", (long long)now);
	else
		buf_puts(out, "no ");
	buf_add(out, name, now == 1 && n && name[n - 1] == 's' ? n - 1 : n);
	buf_puts(out, now > old ? "" : " left");
}

/* What a telling of so much leaves, when a number that the event names is what was taken from or added to a number of
 * somebody's. What rules keep is nobody's news. */
static void left(const struct story *s, int32_t event, struct buf *out)
{
	for (int32_t i = log_child(&s->log, event); i >= 0; i = log_sibling(&s->log, i)) {
		word was;
		if (log_told_change(&s->log, i, &was))
			left_add(s->log.p->field[log_at(&s->log, i)->what].name, was, log_at(&s->log, i)->value, out);
	}
}

/* Whose number the last told change in an event was; NONE. */
static word whose_change(const struct story *s, int32_t event)
{
	word who = NONE, was;
	for (int32_t i = log_child(&s->log, event); i >= 0; i = log_sibling(&s->log, i))
		if (log_told_change(&s->log, i, &was))
			who = log_at(&s->log, i)->owner;
	return who;
}

/* Does the line leave open whose number changes? Not where it has named them since it told somebody else's. */
static bool unnamed(const struct story *s, word who, const char *text)
{
	const char *name = s->log.p->live[KIND_COMBATANT][who].name;
	if (find_word(text, name))
		return false;
	for (int i = s->part.n - 1; i >= 0; i--) {
		const word other = log_at(&s->log, s->part.v[i].record)->kind == REC_EVENT ? whose_change(s, s->part.v[i].record) : NONE;
		if (other != NONE)
			return other != who && !find_word(s->part.v[i].text, name);
		if (find_word(s->part.v[i].text, name))
			return false;
	}
	return true;
}

/* Was this number of theirs told in the line, and in which part last? -1: it was not. */
static int told_before(const struct story *s, int field, word who)
{
	for (int i = s->part.n - 1; i >= 0; i--) {
		const struct record r = *log_at(&s->log, s->part.v[i].record);
		if (r.kind == REC_CHANGE && r.what == field && r.owner == who)
			return i;
		for (int32_t k = r.kind == REC_EVENT ? log_child(&s->log, s->part.v[i].record) : -1;
			k >= 0; k = log_sibling(&s->log, k)) {
			word was;
			if (log_told_change(&s->log, k, &was) &&
				log_at(&s->log, k)->what == field &&
				log_at(&s->log, k)->owner == who)
				return i;
		}
	}
	return -1;
}

/* ", then 15": what a rule changes besides of a number that the line has told already; ", 15 hit
 * points left" where it has told another since. */
static void part_change(struct story *s, int32_t change)
{
	const struct record r = *log_at(&s->log, change);
	word was;
	if (r.value == NONE || log_told_change(&s->log, change, &was) || r.what < 0)
		return;
	const int before = told_before(s, r.what, r.owner);
	const word *old = trace_values_at(s->log.t, &r);
	struct buf b = {0};
	if (before < 0 || !old)
		return;
	if (before == s->part.n - 1)
		buf_printf(&b, "  then %lld", (long long)r.value);
	else
		left_add(s->log.p->field[r.what].name, *old, r.value, &b);
	part_add(s, change, buf_text(&b) + 2, false);
	buf_free(&b);
}

static void part_event(struct story *s, int32_t event)
{
	struct buf b = {0};
	const char *text = trace_text_at(s->log.t, log_at(&s->log, event)->text);
	const word who = whose_change(s, event);
	if (who != NONE && unnamed(s, who, text)) {
		program_live(s->log.p, KIND_COMBATANT, who, &b);
		buf_puts(&b, ": ");
	}
	buf_puts(&b, text);
	const size_t told = b.length;
	left(s, event, &b);
	part_add(s, event, buf_text(&b), false);
	s->part.v[s->part.n - 1].told = told;
	buf_free(&b);
}

/* Did a condition that another act brought about come to be looked at in this one: does it befall
 * somebody whom the line has not named? It has a line of its own. */
static bool of_another(const struct story *s, int32_t event)
{
	int32_t from;
	const word who = log_actor(&s->log, log_at(&s->log, event));
	if (who == NONE || who == s->actor || log_at(&s->log, event)->text < 0 ||
		event_whenever(&s->log, event, &from) < 0)
		return false;
	for (int i = 0; i < s->part.n; i++)
		if (find_word(s->part.v[i].text, s->log.p->live[KIND_COMBATANT][who].name))
			return false;
	struct vtype type;
	const word *target;
	const struct record *first = s->part.n ? log_at(&s->log, s->part.v[0].record) : NULL;
	if (!first || first->kind != REC_EVENT)
		return false;
	return !log_target(&s->log, first, &type, &target) || type.kind != KIND_COMBATANT ||
		!(type.base == VT_SET ? (target[who / 64] >> (who % 64) & 1) != 0 : *target == who);
}

/* Takes in what happened below an event, but not other acts. */
static void gather(struct story *s, int32_t event, int32_t act)
{
	for (int32_t i = log_child(&s->log, event); i >= 0; i = log_sibling(&s->log, i)) {
		const struct record *r = log_at(&s->log, i);
		if (r->dropped)
			continue;
		switch (r->kind) {
		case REC_EVENT:
			if ((r->act >= 0 && r->act != act) || of_another(s, i))
				continue;
			s->taken[i] = 1;
			if (r->text >= 0)
				part_event(s, i);
			gather(s, i, act);
			break;
		case REC_ROLL:
			s->taken[i] = 1;
			part_die(s, i);
			break;
		case REC_NOTE:
			s->taken[i] = 1;
			part_note(s, i);
			break;
		case REC_CHANGE:
			part_change(s, i);
			break;
		case REC_REFER: {
			struct buf b = {0};
			s->taken[i] = 1;
			buf_printf(&b, "referee's call: %s", trace_text_at(s->log.t, r->text));
			part_add(s, i, buf_text(&b), false);
			buf_free(&b);
			break;
		}
		case REC_CHOICE:
			s->taken[i] = 1;
			if (choice_told(s, r))
				part_sentence(s, i);
			break;
		case REC_REFUSED:
		case REC_VOID:
			s->taken[i] = 1;
			if (!idle(s, r) && !passed_over(s, r))
				part_sentence(s, i);
			break;
		default:
			break;
		}
	}
}

/* "damage 3" is not told beside "4 damage": the die stands behind the amount it is part of, "4 damage [1d8: 3, +1]". */
static void absorb_amounts(struct story *s)
{
	for (int i = 0; i < s->part.n; i++) {
		struct part *part = &s->part.v[i];
		struct buf fall = {0}, text = {0}, number = {0};
		word amount;
		const int32_t roll = log_at(&s->log, part->record)->kind == REC_EVENT ? amount_die(&s->log, part->record, &amount, &fall) : -1;
		int k = 0;
		while (roll >= 0 && k < s->part.n && (s->part.v[k].record != roll || s->part.v[k].gone))
			k++;
		if (roll >= 0 && k < s->part.n && log_at(&s->log, roll)->what >= 0 && log_at(&s->log, roll)->what < s->log.p->labels) {
			const char *name = s->log.p->label[log_at(&s->log, roll)->what].name, *at;
			buf_printf(&number, "%lld %s", (long long)amount, name);
			at = find_word(part->text, buf_text(&number));
			if (at && (size_t)(at - part->text) + number.length <= part->told) {
				const size_t end = (size_t)(at - part->text) + number.length;
				buf_add(&text, part->text, end);
				buf_puts(&text, buf_text(&fall));
				part->told += fall.length;
				buf_puts(&text, part->text + end);
				free(part->text);
				part->text = buf_take(&text);
				part->spoken = log_at(&s->log, roll)->what;
				s->part.v[k].gone = true;
			}
		}
		buf_free(&fall);
		buf_free(&text);
		buf_free(&number);
	}
}

/* A die a telling speaks of is not told again: only how it fell, right behind its total. */
static void absorb(struct story *s)
{
	for (int i = 0; i < s->part.n; i++) {
		struct part *die = &s->part.v[i];
		const struct record *r = log_at(&s->log, die->record);
		for (int k = 0; k < s->part.n && r->kind == REC_ROLL && !die->gone; k++) {
			struct part *part = &s->part.v[k];
			struct buf text = {0}, told = {0};
			size_t end;
			bool plain;
			if (log_at(&s->log, part->record)->kind == REC_ROLL || part->spoken == r->what || !may_speak_of(s, part->record, die->record))
				continue;
			/* not of a total that only stands in what is left: 8 damage, 4 hit points left, is no 4 of damage */
			buf_add(&told, part->text, part->told);
			const bool speaks = speaks_of(s, buf_text(&told), r, &end, &plain);
			buf_free(&told);
			if (!speaks)
				continue;
			buf_add(&text, part->text, end);
			log_fall(&s->log, r, !plain, &text);
			part->told += text.length - end;
			buf_puts(&text, part->text + end);
			free(part->text);
			part->text = buf_take(&text);
			part->die = part->die || plain;
			part->spoken = r->what;
			die->gone = true;
		}
	}
}

static bool begins_with_name(const struct story *s, const char *text)
{
	static const int kinds[] = {KIND_COMBATANT, KIND_SIDE};
	for (size_t k = 0; k < FRAY_COUNT(kinds); k++)
		for (int i = 0; i < s->log.p->lives[kinds[k]]; i++) {
			const char *name = s->log.p->live[kinds[k]] ? s->log.p->live[kinds[k]][i].name : NULL;
			size_t n = name ? strlen(name) : 0;
			if (n && strncmp(text, name, n) == 0 && !isalnum((unsigned char)text[n]))
				return true;
		}
	return strncmp(text, "referee's call", 14) == 0;
}

/* How much of a part is the name of the die that was told right before: of several dice it is said once. */
static size_t again(const struct story *s, int at)
{
	int k = at - 1;
	while (k >= 0 && s->part.v[k].gone)
		k--;
	if (k < 0)
		return 0;
	const struct record one = *log_at(&s->log, s->part.v[at].record), before = *log_at(&s->log, s->part.v[k].record);
	if (one.kind != REC_ROLL || before.kind != REC_ROLL || one.what != before.what || one.owner != before.owner)
		return 0;
	/* "troll #2's harm 2": the name ends behind that of the die */
	const char *text = s->part.v[at].text, *name = one.what >= 0 && one.what < s->log.p->labels ? s->log.p->label[one.what].name : NULL;
	const char *die = name ? find_word(text, name) : NULL;
	return die && die[strlen(name)] == ' ' ? (size_t)(die - text) + strlen(name) + 1 : 0;
}

static void parts_write(struct story *s, enum ink_style style)
{
	bool first = true, second = false, after_die = false;
	for (int i = 0; i < s->part.n; i++) {
		struct part *part = &s->part.v[i];
		if (part->gone)
			continue;
		bool named = begins_with_name(s, part->text) && !part->die;
		const char *text = part->text + again(s, i);
		if (!first)
			ink_add(&s->ink, INK_PLAIN, second || (after_die && !named && !part->die) ? ": " : named ? "; " : ", ");
		ink_add(&s->ink, part->die ? INK_DIE : style, text);
		second = first;
		first = false;
		after_die = part->die;
	}
}

static void parts_clear(struct story *s)
{
	for (int i = 0; i < s->part.n; i++)
		free(s->part.v[i].text);
	s->part.n = 0;
}

/* ---- lines ---- */

static void heading(struct story *s)
{
	if (s->in_round || s->phase < 0 || s->headed)
		return;
	s->headed = true;
	ink_add(&s->ink, INK_HEADING, s->log.p->phase[s->phase].name);
	ink_line(&s->ink, 2);
}

/* The start of a line: its label in the column of times, unless it was the last line's. */
static void label(struct story *s, const char *text)
{
	heading(s);
	ink_add(&s->ink, INK_PLAIN, "  ");
	if (*text && (!s->label.length || strcmp(buf_text(&s->label), text) != 0))
		ink_add(&s->ink, INK_TIME, text);
	buf_clear(&s->label);
	buf_puts(&s->label, text);
	ink_pad(&s->ink, s->column);
}

static void dice_flush(struct story *s)
{
	if (!s->dice.n)
		return;
	s->again.apart = true;
	label(s, "dice");
	for (int i = 0; i < s->dice.n; i++) {
		struct buf b = {0};
		const struct record *r = log_at(&s->log, s->dice.v[i]);
		const struct record *before = i ? log_at(&s->log, s->dice.v[i - 1]) : NULL;
		const bool again = before && before->what == r->what && before->owner == r->owner;
		if (!again) {
			log_label(&s->log, r, &b);
			buf_putc(&b, ' ');
		}
		log_total(&s->log, r, &b);
		log_fall(&s->log, r, false, &b);
		ink_add(&s->ink, INK_PLAIN, i ? again ? " + " : ", " : "");
		ink_add(&s->ink, INK_DIE, buf_text(&b));
		buf_free(&b);
	}
	ink_line(&s->ink, s->column);
	s->again.apart = false;
	s->dice.n = 0;
	buf_clear(&s->label);
}

/* When: a moment of the clock, or, where no clock is shown, how the group stood to the last. */
static void when(struct story *s, int32_t record)
{
	struct buf b = {0};
	const struct record *r = log_at(&s->log, record);
	dice_flush(s);
	/* a line refused before the phase's first act belongs to no moment of the phase before */
	bool before_acts = r->kind == REC_REFUSED && s->stale != NONE && r->time == s->stale;
	if ((before_acts || !log_moment(&s->log, record, &b)) && s->log.p->shown_unit < 0 && r->group >= 0 && s->group >= 0) {
		const struct record *g = log_at(&s->log, s->group);
		if (g->group == r->group)
			buf_puts(&b, g->value > 1 ? "together" : "then");
	}
	/* each group of its own says so, though the last one said the same */
	if (s->log.p->shown_unit < 0 && b.length && s->group >= 0) {
		if (s->taken[s->group] != 2)
			buf_clear(&s->label);
		s->taken[s->group] = 2;
	}
	if (before_acts && !b.length && s->label.length && s->now >= 0 && s->now < s->log.p->phases)
		buf_puts(&b, s->log.p->phase[s->now].name);
	label(s, buf_text(&b));
	buf_free(&b);
}

static void cite(struct story *s, int32_t clause, int32_t *seen, int *n)
{
	if (clause < 0 || clause >= s->log.p->clauses)
		return;
	for (int i = 0; i < *n; i++)
		if (seen[i] == clause)
			return;
	if (*n < 32)
		seen[(*n)++] = clause;
	struct buf b = {0};
	program_cite(s->log.p, clause, &b);
	ink_pad(&s->ink, s->column + 2);
	ink_add(&s->ink, INK_CITE, buf_text(&b));
	if (s->log.p->clause[clause].ruling && *s->log.p->clause[clause].ruling)
		ink_printf(&s->ink, INK_DIM, " - ruling: %s", s->log.p->clause[clause].ruling);
	ink_line(&s->ink, s->column + 4);
	buf_free(&b);
}

static void reasons_below(struct story *s, int32_t record, int32_t *seen, int *n)
{
	for (int32_t i = log_child(&s->log, record); i >= 0; i = log_sibling(&s->log, i)) {
		const struct record *r = log_at(&s->log, i);
		struct buf b = {0};
		if (r->dropped)
			continue;
		if (r->kind == REC_QUESTION) {
			struct buf parts = {0};
			if (log_parts(&s->log, i, &parts)) {
				log_question(&s->log, i, &b);
				buf_puts(&b, ": ");
				log_answer(&s->log, i, r->what, r->value, &b);
				buf_puts(&b, buf_text(&parts));
			}
			buf_free(&parts);
		} else if (r->kind == REC_CHANGE || r->kind == REC_RECAST) {
			log_sentence(&s->log, i, &b);
			if (r->kind == REC_RECAST) {
				buf_puts(&b, " by ");
				program_cite(s->log.p, r->clause, &b);
			}
		} else if (r->kind == REC_EVENT && s->taken[i]) {
			cite(s, r->clause, seen, n);
			reasons_below(s, i, seen, n);
		} else if (r->kind == REC_NOTE || r->kind == REC_REFER || r->kind == REC_VOID || r->kind == REC_REFUSED) {
			cite(s, r->clause, seen, n);
		}
		if (b.length) {
			ink_pad(&s->ink, s->column + 2);
			ink_add(&s->ink, INK_DIM, buf_text(&b));
			ink_line(&s->ink, s->column + 4);
		}
		buf_free(&b);
	}
}

/* In short: what decided it. */
static void figures(struct story *s, int32_t record)
{
	struct answer a;
	struct buf rules = {0};
	memset(&a, 0, sizeof a);
	answer_below(&s->log, record, &a);
	for (int i = 0; i < a.figure.n; i++) {
		ink_pad(&s->ink, s->column + 2);
		ink_add(&s->ink, INK_DIM, a.figure.v[i].text);
		ink_line(&s->ink, s->column + 4);
	}
	for (int i = 0; i < a.rule.n; i++) {
		buf_puts(&rules, i ? "; " : a.rule.n > 1 ? "rules: " : "rule: ");
		answer_rule_text(s->log.p, a.rule.v[i], &rules);
	}
	if (rules.length) {
		ink_pad(&s->ink, s->column + 2);
		ink_add(&s->ink, INK_CITE, buf_text(&rules));
		ink_line(&s->ink, s->column + 4);
	}
	buf_free(&rules);
	answer_free(&a);
}

static void reasons(struct story *s, int32_t record)
{
	int32_t seen[32];
	int n = 0;
	if (!s->o->why)
		return;
	if (!s->o->full) {
		figures(s, record);
		return;
	}
	cite(s, log_at(&s->log, record)->clause, seen, &n);
	if (log_at(&s->log, record)->kind == REC_EVENT)
		reasons_below(s, record, seen, &n);
}

static void line_end(struct story *s, int32_t record, enum ink_style style)
{
	when(s, record);
	absorb_amounts(s);
	absorb(s);
	parts_write(s, style);
	parts_clear(s);
	ink_line(&s->ink, s->column);
	reasons(s, record);
}

/* An act that was stopped: what a rule notes of it, or says may not be done, tells that already; where nothing is told of it, why it was. */
static void part_stopped(struct story *s, int32_t i)
{
	const int32_t last = s->part.v[s->part.n - 1].record;
	const enum record_kind kind = log_at(&s->log, last)->kind;
	if (last == i) {
		struct buf b = {0};
		end_said(&s->log, i, &b);
		parts_clear(s);
		part_add(s, i, buf_text(&b), false);
		buf_free(&b);
	} else if (kind != REC_NOTE && kind != REC_REFUSED && kind != REC_VOID) {
		part_add(s, i, "which stops it", false);
	}
}

static void told_event(struct story *s, int32_t i)
{
	const struct record event = *log_at(&s->log, i), *r = &event;
	s->taken[i] = 1;
	s->actor = log_actor(&s->log, r);
	part_event(s, i);
	gather(s, i, r->act);
	s->actor = NONE;
	if (r->flag == EVENT_STOPPED)
		part_stopped(s, i);
	line_end(s, i, INK_PLAIN);
}

static void sentence(struct story *s, int32_t i, enum ink_style style)
{
	part_sentence(s, i);
	line_end(s, i, style);
}

static void left_over(struct story *s, int32_t i)
{
	struct buf told = {0};
	for (int32_t end = left_together(&s->log, i, &told); i < end; i++)
		s->taken[i] = 1;
	if (told.length) {
		dice_flush(s);
		label(s, "");
		ink_add(&s->ink, INK_BAD, buf_text(&told));
		ink_line(&s->ink, s->column);
	}
	buf_free(&told);
}

static void round_begins(struct story *s, int32_t i)
{
	const int64_t round = log_at(&s->log, i)->value;
	dice_flush(s);
	again_round(&s->again, s->o->why ? 0 : round);
	s->again.apart = true;
	/* rounds stand apart, but a round told by itself begins with its first line */
	if (s->ink.lines)
		ink_line(&s->ink, 0);
	s->in_round = true;
	buf_clear(&s->label);
	ink_printf(&s->ink, INK_HEADING, "round %lld", (long long)round);
	ink_line(&s->ink, 2);
	s->again.apart = false;
}

static void tell(struct story *s, int32_t i)
{
	/* a copy: what is told on the way may open other pages of the log, and close this one */
	const struct record told = *log_at(&s->log, i), *r = &told;
	struct buf b = {0};
	switch (r->kind) {
	case REC_PHASE:
		if (!s->in_round && r->what >= 0 && r->what < s->log.p->phases) {
			dice_flush(s);
			s->phase = r->what;
			s->headed = false;
			buf_clear(&s->label);
		}
		s->now = r->what;
		s->stale = r->time;
		break;
	case REC_ROUND:
		round_begins(s, i);
		break;
	case REC_GROUP:
		s->group = i;
		if (r->time != s->stale)
			s->stale = NONE;
		break;
	case REC_EVENT:
		if (r->text >= 0)
			told_event(s, i);
		break;
	case REC_ROLL:
		if (r->act < 0) {
			VEC_PUSH(s->dice, i);
			break;
		}
		part_die(s, i);
		line_end(s, i, INK_PLAIN);
		break;
	case REC_NOTE:
		sentence(s, i, INK_PLAIN);
		break;
	case REC_REFER:
		buf_printf(&b, "referee's call: %s", trace_text_at(s->log.t, r->text));
		part_add(s, i, buf_text(&b), false);
		line_end(s, i, INK_PLAIN);
		break;
	case REC_CHOICE:
		if (choice_told(s, r))
			sentence(s, i, INK_PLAIN);
		break;
	case REC_DECLARE:
		if (s->o->why)
			sentence(s, i, INK_DIM);
		break;
	case REC_REFUSED:
	case REC_VOID:
		if (!idle(s, r) && !passed_over(s, r))
			sentence(s, i, INK_BAD);
		break;
	case REC_CANCEL:
		if (log_is_news(&s->log, r) && !told_by_its_actor(s, i))
			sentence(s, i, INK_BAD);
		break;
	case REC_LEFT:
		left_over(s, i);
		break;
	case REC_CHANGE:
		if (r->flag == 2)
			sentence(s, i, INK_PLAIN);
		break;
	case REC_EDIT:
		sentence(s, i, INK_PLAIN);
		break;
	case REC_OUTCOME:
		dice_flush(s);
		log_outcome(&s->log, r, &b);
		ink_add(&s->ink, r->flag == OUTCOME_STOPPED ? INK_BAD : INK_GOOD, buf_text(&b));
		ink_line(&s->ink, 2);
		break;
	default: /* QUESTION and its parts, PEND, KEY, MOVED: only `why` looks at them */
		break;
	}
	buf_free(&b);
}

void story_tell(const struct program *p, const struct trace *t, int32_t from, const struct story_options *o)
{
	struct story s = {.o = o, .phase = -1, .group = -1, .now = -1, .stale = NONE, .actor = NONE};
	log_open(&s.log, p, t);
	s.again = (struct again){.write = o->write, .context = o->context};
	s.ink = (struct ink){.write = again_write, .context = &s.again, .width = o->width};
	s.taken = calloc((size_t)s.log.n + 1, 1);
	if (!s.taken)
		abort();
	s.column = 2 + 10;
	if (p->shown_unit >= 0 && p->shown_unit < p->units)
		s.column = 2 + (int)strlen(p->unit[p->shown_unit].name) + 4;
	if (s.column < 8)
		s.column = 8; /* room for "dice" */
	if (from < 0)
		from = 0;
	/* where the story left off: logs are long, and rounds and groups are near their ends */
	for (int32_t i = 0; i < from && i < s.log.n && !s.in_round; i++) {
		const struct record *r = trace_look(t, i);
		s.in_round = r->kind == REC_ROUND;
		if (r->kind == REC_PHASE && r->what >= 0 && r->what < p->phases)
			s.phase = r->what;
	}
	for (int32_t i = from < s.log.n ? from : s.log.n; i > 0 && s.group < 0; i--)
		if (trace_look(t, i - 1)->kind == REC_GROUP)
			s.group = i - 1;
	s.headed = from > 0;
	for (int32_t i = from; i < s.log.n; i++) {
		uint64_t errand = trace_errand(t);
		if (!s.taken[i] && !log_at(&s.log, i)->dropped)
			tell(&s, i);
		trace_done(t, errand);
	}
	dice_flush(&s);
	again_end(&s.again);
	parts_clear(&s);
	VEC_FREE(s.part);
	VEC_FREE(s.dice);
	buf_free(&s.label);
	free(s.taken);
	ink_free(&s.ink);
	log_close(&s.log);
}
