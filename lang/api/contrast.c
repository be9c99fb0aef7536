/* contrast.c - see contrast.h. The question about the one is answered as always; of the other it is
 * said why it was not, or, when both could be chosen, what is different between them.
 *
 *   Hal attacked orc #2 in segment 3 of round 2: ..
 *     not Osw: distance 10 ft (Ann: 5 ft) */
#include "lang/api/contrast.h"

#include <string.h>

#include "lang/api/question_read.h"
#include "runtime/explain/absence.h"
#include "runtime/explain/event.h"

bool contrast_split(struct fray *f, const char *text, struct contrast *c, struct buf *asked)
{
	static const char *const joint[] = {
		" and not ", " but not ", ", not ", " instead of ", " rather than ", NULL};
	const char *at = NULL;
	size_t n = 0;
	*c = (struct contrast){.side = NONE, .thing = -1};
	for (int i = 0; joint[i] && !at; i++) {
		at = strstr(text, joint[i]);
		n = strlen(joint[i]);
	}
	if (!at)
		return false;
	struct question q;
	question_clear(&q);
	struct reading r = {f, at + n, &q};
	static const char *const to[] = {"at", "on", "to", "against", NULL};
	read_any(&r, to); /* "at Ulla and not at Tove" */
	if (read_thing(&r) && q.thing.n == 1)
		c->thing = q.thing.v[0];
	else
		read_people(&r, &c->who, &c->side);
	const char *rest = r.at;
	while (read_moment(&r))
		;
	const bool so = contrast_is(c) && !*r.at;
	if (so) {
		buf_add(asked, text, (size_t)(at - text));
		buf_printf(asked, "%s%s", *rest ? " " : "", rest);
	}
	question_free(&q);
	return so;
}

bool contrast_is(const struct contrast *c)
{
	return c->who.n > 0 || c->thing >= 0;
}

void contrast_free(struct contrast *c)
{
	VEC_FREE(c->who);
}

/* A value of pairs as it was for the one and the other: "not Osw: distance 60 ft (Hal: 5 ft)". */
static void pairs_told(
	const struct inquiry *s, int32_t number, word one, word other, struct answer *out)
{
	const word who = log_actor(&s->log, log_at(&s->log, number));
	for (int k = 0; k < s->p->pairs && who != NONE; k++) {
		const struct pair_info *f = &s->p->pair[k];
		word a, b;
		if (f->kind != KIND_COMBATANT || f->kept || !vtype_is_number(f->type) ||
			!absence_pair(&s->log, k, who, one, number, &a) ||
			!absence_pair(&s->log, k, who, other, number, &b))
			continue;
		struct buf x = {0}, y = {0};
		program_value(s->p, f->type, &a, &x);
		program_value(s->p, f->type, &b, &y);
		if (a == b)
			answer_figure(out, -1, -1, "%s: %s %s as well", s->p->live[KIND_COMBATANT][other].name,
				f->name, buf_text(&y));
		else
			answer_figure(out, -1, -1, "%s: %s %s, to %s %s",
				s->p->live[KIND_COMBATANT][other].name, f->name, buf_text(&y),
				s->p->live[KIND_COMBATANT][one].name, buf_text(&x));
		buf_free(&x);
		buf_free(&y);
		return;
	}
}

/* The other could not be chosen any more: "orc #2: died in segment 1". */
static bool fate_told(const struct inquiry *s, int32_t number, word other, struct answer *out)
{
	struct answer fate;
	memset(&fate, 0, sizeof fate);
	const bool so = absence_unable(s, other, number, 0, -1, &fate);
	if (so)
		answer_figure(out, -1, -1, "%s: %s", s->p->live[KIND_COMBATANT][other].name,
			buf_text(&fate.about));
	answer_free(&fate);
	return so;
}

void contrast_told(const struct inquiry *s, const struct question *q, const struct contrast *c,
	struct answer *out)
{
	struct question other = *q;
	word thing = c->thing;
	const bool aimed = c->thing < 0 && q->whom.n > 0;
	other.kind = ASK_NOT;
	other.negated = true;
	other.record = -1;
	if (q->event >= 0 && s->p->event[q->event].action && other.round <= 0)
		other.round = log_at(&s->log, q->record)->round;
	if (c->thing >= 0) {
		other.thing.v = &thing;
		other.thing.n = 1;
	} else if (aimed) {
		other.whom = c->who;
	} else {
		other.who = c->who;
		other.told_text = NULL;
	}
	for (int i = 0; i < (aimed ? c->who.n : 1); i++) {
		struct answer not;
		memset(&not, 0, sizeof not);
		const word who = other.who.n ? other.who.v[0] : NONE;
		const bool did = who != NONE && absence_happened(s, &other, who) >= 0,
				   ended = who != NONE && absence_of(s, &other, who) >= 0;
		if (aimed && !did && !ended) {
			if (!fate_told(s, q->record, c->who.v[i], out))
				pairs_told(s, q->record, q->whom.v[0], c->who.v[i], out);
		} else if (c->thing >= 0 && !did && !ended) {
			continue; /* what was done instead is what was asked about */
		} else if (answer_make(s, &other, &not) && not.about.length && did)
			buf_printf(&out->about, " %s", buf_text(&not.about));
		else if (not.about.length)
			answer_figure(out, -1, -1, "%s", buf_text(&not.about));
		answer_free(&not);
	}
}
