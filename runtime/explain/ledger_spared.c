/* ledger_spared.c - on whom a spell, or another thing that reaches several, took effect, and on
 * whom it did not, each with what kept it from them. See ledger.h. */
#include <string.h>

#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"
#include "runtime/explain/ledger.h"

enum { FAR = 6000, LINES_MOST = 6 };

/* ---- whom it was meant for ---- */

static void add_once(people *to, word who)
{
	if (!to->n || !people_has(to, who))
		VEC_PUSH(*to, who);
}

/* At whom a record is aimed; its actor only as one of several. */
static void aimed_at(const struct inquiry *s, int32_t number, people *out)
{
	struct vtype type;
	const word *target;
	const struct record *r = log_at(&s->log, number);
	const word actor = log_actor(&s->log, r);
	if (!log_target(&s->log, log_at(&s->log, number), &type, &target) ||
		type.kind != KIND_COMBATANT || (type.base != VT_LIVE && type.base != VT_SET))
		return;
	for (word i = 0; i < s->p->lives[KIND_COMBATANT]; i++)
		if (type.base == VT_LIVE ? *target == i && i != actor
					 : (target[i / 64] >> (i % 64) & 1) != 0)
			add_once(out, i);
}

/* Those an act was meant for: its own target, and that of what it was begun as. */
static void meant_for(const struct inquiry *s, int32_t act, people *out)
{
	const int32_t begun = event_begun(&s->log, act);
	aimed_at(s, act, out);
	if (begun >= 0)
		aimed_at(s, begun, out);
}

/* ---- why it spared them ---- */

/* The last event below an act that came to somebody and is not told: "orc #3 escaped sleep". */
static int32_t untold(const struct inquiry *s, int32_t act, word who)
{
	int32_t found = -1;
	for (int32_t i = act + 1; i < s->end && i < act + FAR; i++) {
		const struct record r = *trace_look(s->t, i);
		if (r.kind == REC_EVENT && !r.dropped && r.text < 0 && r.flag == EVENT_DONE &&
			log_is_below(&s->log, i, act) && log_actor(&s->log, log_at(&s->log, i)) == who)
			found = i;
	}
	return found;
}

/* What a rule says that brought an event about, in its own words. */
static void by_rule(const struct inquiry *s, int32_t event, struct answer *out)
{
	const int32_t clause = event_clause(&s->log, event);
	if (out && clause >= 0)
		answer_rule_of(s->p, out, clause);
}

bool ledger_spared_said(
	const struct inquiry *s, int32_t act, word who, struct buf *about, struct answer *out)
{
	people meant = {0};
	struct answer fate;
	const int32_t left = untold(s, act, who);
	memset(&fate, 0, sizeof fate);
	meant_for(s, act, &meant);
	const bool among = meant.n == 0 || people_has(&meant, who);
	bool said = true;
	if (left >= 0) {
		english_event(&s->log, left, MOOD_DID, about);
		buf_puts(about, " it");
		by_rule(s, left, out);
	} else if (absence_unable(s, who, act, 0, -1, &fate)) {
		absence_name(s, who, about);
		buf_printf(about, " %s", buf_text(&fate.about));
	} else if (!among) {
		absence_name(s, who, about);
		buf_puts(about, " was not among those it was for: ");
		answer_people(s->p, meant.v, meant.n, about);
	} else {
		said = false;
	}
	answer_free(&fate);
	VEC_FREE(meant);
	return said;
}

/* ---- all of them ---- */

/* A line for each reason, for all of whom it is so. */
struct line { struct buf text; people who; };
enum { LINES = 16 };

static void line_add(
	const struct inquiry *s, struct line *line, int *lines, const char *text, word who)
{
	struct buf bare = {0};
	int k = 0;
	english_nameless(text, s->p->live[KIND_COMBATANT][who].name, &bare);
	while (k < *lines && strcmp(buf_text(&line[k].text), buf_text(&bare)) != 0)
		k++;
	if (k == *lines && k < LINES)
		line[(*lines)++].text = bare;
	else
		buf_free(&bare);
	if (k < LINES)
		VEC_PUSH(line[k].who, who);
}

/* "goblin #1: 16 damage": what was told without a name gets it. */
static void took_line(
	const struct inquiry *s, struct line *line, int *lines, const char *text, word who)
{
	struct buf b = {0};
	const char *name = s->p->live[KIND_COMBATANT][who].name;
	if (strncmp(text, name, strlen(name)) != 0)
		buf_printf(&b, "%s: ", name);
	buf_puts(&b, text);
	line_add(s, line, lines, buf_text(&b), who);
	buf_free(&b);
}

static void lines_told(const struct inquiry *s, struct line *line, int lines, struct answer *out)
{
	for (int k = 0; k < lines; k++) {
		struct buf b = {0};
		const char *text = buf_text(&line[k].text);
		for (; *text && k < LINES_MOST; text++)
			if (*text == '@') {
				answer_people(s->p, line[k].who.v, line[k].who.n, &b);
				if (line[k].who.n > 1 && !strncmp(text + 1, " was ", 5)) {
					buf_puts(&b, " were");
					text += strlen(" was");
				}
			} else
				buf_putc(&b, *text);
		if (k < LINES_MOST)
			answer_figure(out, -1, -1, "%s", buf_text(&b));
		buf_free(&b);
		buf_free(&line[k].text);
		VEC_FREE(line[k].who);
	}
}

/* What was supposed and is not so: that it took those alone, or spared them. */
static void premise_said(
	const struct inquiry *s, const struct ledger_question *q, const people *took, struct answer *out)
{
	people not = {0}, did = {0};
	for (int i = 0; i < q->to.n; i++)
		if (took->n && people_has(took, q->to.v[i]))
			VEC_PUSH(did, q->to.v[i]);
		else
			VEC_PUSH(not , q->to.v[i]);
	const people *wrong = q->spared ? &did : &not ;
	if (wrong->n) {
		buf_puts(&out->about, q->spared ? "It did not spare " : "It did not take ");
		ledger_people(s, wrong, NONE, &out->about);
		buf_puts(&out->about, ": ");
	} else if (q->only && q->to.n && took->n > did.n) {
		buf_puts(&out->about, "It took more than ");
		ledger_people(s, &q->to, q->to_side, &out->about);
		buf_puts(&out->about, ": ");
	}
	VEC_FREE(not );
	VEC_FREE(did);
}

bool ledger_spared(
	const struct inquiry *s, const struct ledger_question *q, int32_t act, struct answer *out)
{
	const word by = log_actor(&s->log, log_at(&s->log, act));
	people all = {0}, took = {0}, spared = {0};
	struct line line[LINES];
	int lines = 0;
	memset(line, 0, sizeof line);
	meant_for(s, act, &all);
	for (int i = 0; i < q->to.n; i++)
		add_once(&all, q->to.v[i]);
	for (word i = 0; i < s->p->lives[KIND_COMBATANT]; i++) {
		struct buf told = {0};
		const bool meant = all.n && people_has(&all, i);
		const bool so = (meant || i != by) && ledger_came_to(s, act, i, &told);
		if (so) {
			VEC_PUSH(took, i);
			if (told.length)
				took_line(s, line, &lines, buf_text(&told), i);
		} else if (meant) {
			struct buf why = {0};
			VEC_PUSH(spared, i);
			if (told.length)
				line_add(s, line, &lines, buf_text(&told), i);
			else if (ledger_spared_said(s, act, i, &why, out))
				line_add(s, line, &lines, buf_text(&why), i);
			buf_free(&why);
		}
		buf_free(&told);
	}
	if (q->wanted != LEDGER_DID)
		premise_said(s, q, &took, out);
	english_event(&s->log, act, MOOD_DID, &out->about);
	ledger_when(s, act, &out->about);
	buf_puts(&out->about, took.n ? " and took effect on " : " and took effect on nobody");
	answer_people(s->p, took.v, took.n, &out->about);
	if (spared.n && took.n) {
		buf_puts(&out->about, ", not on ");
		answer_people(s->p, spared.v, spared.n, &out->about);
	}
	if (took.n && !spared.n && all.n == took.n)
		buf_puts(&out->about, ", and was for nobody else");
	lines_told(s, line, lines, out);
	VEC_FREE(all);
	VEC_FREE(took);
	VEC_FREE(spared);
	return true;
}

void ledger_spared_each(const struct inquiry *s, int32_t act, struct answer *out)
{
	people meant = {0};
	meant_for(s, act, &meant);
	for (int i = 0, n = 0; i < meant.n && n < LINES_MOST; i++) {
		struct buf why = {0};
		if (ledger_spared_said(s, act, meant.v[i], &why, out) && meant.n == 1)
			buf_printf(&out->about, ": %s", buf_text(&why));
		else if (why.length)
			answer_figure(out, -1, -1, "%s", buf_text(&why));
		n += why.length > 0;
		buf_free(&why);
	}
	VEC_FREE(meant);
}
