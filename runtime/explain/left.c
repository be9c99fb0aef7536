/* left.c - why an act was left over: see left.h.
 *
 *   no turn was left after: moves toward orc; at the end of the round: out of reach (distance 80 ft)
 *
 * What is declared in one sentence, by `then`, stands in the log one behind the other. */
#include <string.h>

#include "runtime/explain/answer.h"
#include "runtime/explain/ends.h"
#include "runtime/explain/left.h"

bool left_beyond(const struct log *l, int32_t number, int64_t *column)
{
	const struct record *r = log_at(l, number);
	const struct event_info *e = r->what >= 0 && r->what < l->p->events ? &l->p->event[r->what] : NULL;
	const word *v = trace_values_at(l->t, r);
	const int64_t columns = program_columns(l->p);
	if (r->flag == LEFT_REPLACED || r->flag == LEFT_HINDERED || r->flag == LEFT_CONDITION ||
		r->flag == LEFT_FIGHT || r->flag == LEFT_SCRIPT || !e || !v ||
		r->value_count <= e->words || v[e->words] == NONE || columns <= 0)
		return false;
	const word time = v[e->words];
	return program_column(l->p, time, log_start(l, number), column) && *column > columns;
}

/* The act declared by the same combatant just before this one, in the same round, and not forgotten since; -1: none. */
static int32_t declared_before(const struct log *l, int32_t begun)
{
	const struct record r = *log_at(l, begun);
	if (begun <= 0 || r.kind != REC_DECLARE || r.owner == NONE)
		return -1;
	for (int32_t i = begun - 1; i >= 0 && trace_look(l->t, i)->round == r.round; i--) {
		const struct record *x = trace_look(l->t, i);
		if (x->kind == REC_LEFT && x->flag == LEFT_REPLACED && !x->dropped && log_at(l, i)->owner == r.owner)
			return -1;
		if (x->kind == REC_DECLARE && !x->dropped && log_at(l, i)->owner == r.owner)
			return i;
	}
	return -1;
}

/* Was the act that a record began performed, itself or as a copy? */
static bool was_done(const struct log *l, int32_t begun)
{
	for (int32_t i = begun + 1; i < l->n; i++) {
		const struct record *x = trace_look(l->t, i);
		if (x->dropped || x->value != begun)
			continue;
		if (x->kind == REC_EVENT && x->flag != EVENT_VOIDED && x->flag != EVENT_STOPPED)
			return true;
		if (x->kind == REC_PEND && was_done(l, i))
			return true;
	}
	return false;
}

/* "moves toward orc" */
static void act_said(const struct log *l, int32_t number, struct buf *out)
{
	struct buf told = {0}, who = {0};
	const struct record *r = log_at(l, number);
	program_live(l->p, KIND_COMBATANT, log_actor(l, r), &who);
	log_act_told(l, r, &told);
	const bool named = told.length > who.length + 1 && !strncmp(told.data, who.data, who.length);
	buf_puts(out, buf_text(&told) + (named ? who.length + 1 : 0));
	buf_free(&told);
	buf_free(&who);
}

/* The last act before it, in the same declaration, that was performed; -1: none. `first`: the one just before it; -1: none. */
static int32_t done_before(const struct log *l, int32_t number, int32_t *first)
{
	const word begun = log_at(l, number)->value;
	*first = begun > 0 ? declared_before(l, (int32_t)begun) : -1;
	int32_t done = *first;
	while (done >= 0 && !was_done(l, done))
		done = declared_before(l, done);
	return done;
}

int32_t left_turn(const struct log *l, int32_t number)
{
	int32_t first;
	const int32_t done = done_before(l, number, &first);
	for (int32_t i = done + 1; done >= 0 && i < l->n; i++) {
		const struct record *x = trace_look(l->t, i);
		if (x->kind == REC_PEND && !x->dropped && x->value == done)
			return i;
	}
	return -1;
}

/* What an actor was under way with when the round of a record began, and came to in it: its EVENT record; -1: nothing. */
static int32_t busy_with(const struct log *l, int32_t number)
{
	const struct record r = *log_at(l, number);
	const word who = log_actor(l, &r);
	int32_t begun = trace_back(l->t, number - 1, 1u << REC_ROUND);
	while (begun >= 0 && trace_look(l->t, begun)->round > r.round)
		begun = trace_back(l->t, begun - 1, 1u << REC_ROUND);
	for (int32_t i = begun + 1; begun >= 0 && i < l->n && trace_look(l->t, i)->round == r.round; i++) {
		const struct record *x = trace_look(l->t, i);
		if (x->kind == REC_EVENT && !x->dropped && x->value > 0 && x->value < begun && log_actor(l, log_at(l, i)) == who &&
			log_at(l, (int32_t)log_at(l, i)->value)->kind == REC_PEND)
			return i;
	}
	return -1;
}

int32_t left_in_effect(const struct log *l, int32_t number)
{
	const struct record r = *log_at(l, number);
	const word who = log_actor(l, log_at(l, number));
	struct vtype type, other;
	const word *to;
	if (r.kind != REC_LEFT || log_left(l, number) != LEFT_ROUND || who == NONE ||
		!log_target(l, log_at(l, number), &type, &to) || type.base != VT_LIVE)
		return -1;
	const word whom = *to;
	int32_t found = -1;
	for (int32_t i = number - 1; i >= 0 && trace_look(l->t, i)->round == r.round; i--) {
		const struct record *x = trace_look(l->t, i);
		if (x->kind != REC_EVENT || x->dropped || x->flag != EVENT_DONE || x->act < 0 ||
			x->text < 0 || l->p->event[x->what].action ||
			(x->parent >= 0 && trace_look(l->t, x->parent)->act == x->act))
			continue;
		if (log_actor(l, log_at(l, i)) == who && log_target(l, log_at(l, i), &other, &to) &&
			other.base == VT_LIVE && other.kind == type.kind && *to == whom)
			found = found < 0 ? i : found;
	}
	return found;
}

/* The last act that its actor did in the round, or since the act was declared in an earlier one,
 * and that is told: "Hob1 disengages"; -1: none. */
static int32_t did_instead(const struct log *l, int32_t number)
{
	const struct record r = *log_at(l, number);
	const word who = log_actor(l, &r);
	const bool declared = r.value > 0 && trace_look(l->t, (int32_t)r.value)->round < r.round;
	for (int32_t i = trace_back(l->t, number - 1, 1u << REC_EVENT); i >= 0 && who != NONE &&
		(declared ? i > r.value : trace_look(l->t, i)->round == r.round);
		i = trace_back(l->t, i - 1, 1u << REC_EVENT)) {
		const struct record x = *log_at(l, i);
		if (!x.dropped && x.flag == EVENT_DONE && x.text >= 0 && x.what >= 0 &&
			l->p->event[x.what].action && log_actor(l, &x) == who)
			return i;
	}
	return -1;
}

/* "disengaged", without its actor's name. */
static void past_deed(const struct log *l, int32_t number, struct buf *out)
{
	struct buf told = {0};
	const word who = log_actor(l, log_at(l, number));
	const char *name = l->p->live[KIND_COMBATANT][who].name;
	english_event(l, number, MOOD_DID, &told);
	const size_t n = strlen(name);
	const bool named = !strncmp(buf_text(&told), name, n) && buf_text(&told)[n] == ' ';
	buf_puts(out, buf_text(&told) + (named ? n + 1 : 0));
	buf_free(&told);
}

/* Its turn did not come: what came before it in the same declaration, if anything did. */
static void no_turn(const struct log *l, int32_t number, struct buf *out)
{
	int32_t first;
	const int32_t done = done_before(l, number, &first);
	if (first < 0) {
		const int32_t busy = busy_with(l, number), done_so = left_in_effect(l, number);
		if (done_so >= 0) {
			buf_puts(out, "needs no turn of its own: ");
			english_event(l, done_so, MOOD_DID, out);
			return;
		}
		const int32_t did = busy < 0 ? did_instead(l, number) : -1;
		if (did >= 0) {
			past_deed(l, did, out);
			return;
		}
		buf_puts(out, busy < 0 ? "the turn for it did not come" : "was still busy when the round began: ");
		struct buf when = {0};
		if (busy >= 0)
			english_event(l, busy, MOOD_DID, out);
		if (busy >= 0 && log_moment(l, busy, &when))
			buf_printf(out, " in %s", buf_text(&when));
		buf_free(&when);
		return;
	}
	/* rules that ask for each act go on with the next line, and not with what stands behind
	 * `then` */
	const bool anew = done >= 0 && log_at(l, number)->flag == LEFT_REPLACED;
	buf_puts(out,
		anew                ? "another line was asked for after: "
			: done >= 0 ? "no turn was left after: "
				    : "this was to come first, and was not done: ");
	act_said(l, done >= 0 ? done : first, out);
}

/* The text that its record holds: of rules, "was surprised"; of a line, what its condition was. */
static void in_words(const struct log *l, int32_t number, struct buf *out)
{
	const struct record r = *log_at(l, number);
	const word *v = trace_values_at(l->t, &r);
	const struct event_info *e = &l->p->event[r.what];
	const word text = v && r.value_count > e->words ? v[e->words] : -1;
	buf_puts(out, text >= 0 && text < l->p->texts ? l->p->text[text] : "had no turn");
}

/* Whether a rule of that name says who is able: "define combatant's able = no". */
static bool disables(const struct program *p, const char *rule)
{
	static const char begins[] = "define combatant's able";
	for (int i = 0; i < p->clauses; i++)
		if (p->clause[i].rule && !strcmp(p->clause[i].rule, rule) && p->clause[i].text &&
			!strncmp(p->clause[i].text, begins, sizeof begins - 1))
			return true;
	return false;
}

/* " (held)": the condition by which somebody could do nothing; of several the one that says so. */
static void state_said(const struct log *l, int32_t number, struct buf *out)
{
	const struct program *p = l->p;
	const word who = log_actor(l, log_at(l, number));
	const char *only = NULL;
	int states = 0;
	for (int i = 0; i < p->fields && who != NONE; i++) {
		const struct field_info *f = &p->field[i];
		word now = f->state ? p->start[f->base + (uint32_t)who * f->stride] : 0;
		int32_t k = f->state ? number - 1 : -1;
		for (; k >= 0; k = trace_back(l->t, k - 1, 1u << REC_CHANGE)) {
			const struct record *c = log_at(l, k);
			if (c->kind != REC_CHANGE || c->dropped || c->flag == 1 || c->what != i ||
				c->owner != who)
				continue;
			now = c->value;
			break;
		}
		if (now == 0 || (states && !disables(p, f->state)))
			continue;
		only = states && disables(p, only) ? only : f->state;
		states++;
	}
	if (only && (states == 1 || disables(p, only)))
		buf_printf(out, " (%s)", only);
}

void left_reason(const struct log *l, int32_t number, struct buf *out)
{
	static const char *const why[] = {
		[LEFT_REPLACED] = "a later line replaced that", [LEFT_FIGHT] = "the fight was over", [LEFT_SCRIPT] = "the script was over before that",
		[LEFT_LIST] = "the turn for it did not come", [LEFT_STOPPED] = "the run stopped before that",
		[LEFT_CUE] = "what it waited for (\"as soon as\") did not happen", [LEFT_UNABLE] = "could do nothing by then",
		[LEFT_LINE] = "had another line",
		[LEFT_FIRST] = "what was to come first could not be done",
	};
	const enum left_why flag = log_left(l, number);
	int64_t column;
	if (left_beyond(l, number, &column))
		buf_printf(out, "its %s, %lld, lies beyond the %lld of a round", l->p->unit[l->p->shown_unit].name, (long long)column, (long long)program_columns(l->p));
	else if (flag == LEFT_ROUND && l->p->event[log_at(l, number)->what].idle)
		buf_puts(out, "nothing more was said");
	else if (flag == LEFT_ROUND)
		no_turn(l, number, out);
	else if (flag == LEFT_HINDERED || flag == LEFT_CONDITION)
		in_words(l, number, out);
	else
		buf_puts(out, why[flag < FRAY_COUNT(why) ? flag : LEFT_LIST]);
	if (flag == LEFT_UNABLE)
		state_said(l, number, out);
}

bool left_refused(const struct log *l, int32_t number, struct buf *out)
{
	const struct record *r = log_at(l, number);
	if (r->flag != LEFT_ROUND || r->clause < 0)
		return false;
	refusal_reason(l, number, out);
	refusal_figures(l, number, out);
	return true;
}

void left_why(const struct log *l, int32_t number, struct buf *out)
{
	struct buf refused = {0};
	left_reason(l, number, out);
	if (left_refused(l, number, &refused))
		buf_printf(out, "; at the end of the round: %s", buf_text(&refused));
	buf_free(&refused);
}

/* Is it told when nothing comes of it? Not what is done when nothing is said. */
static bool is_missed(const struct log *l, const struct record *r)
{
	return !r->dropped && log_is_news(l, r) && !(r->what >= 0 && r->what < l->p->events && l->p->event[r->what].idle);
}

/* Was the same said already of the same, as of lines of several blocks? */
static bool said_before(const struct log *l, const int32_t *left, int k)
{
	struct buf deed = {0}, other = {0};
	bool found = false;
	end_deed(l, left[k], &deed);
	for (int i = 0; i < k && !found; i++) {
		if (log_actor(l, log_at(l, left[i])) != log_actor(l, log_at(l, left[k])))
			continue;
		buf_clear(&other);
		end_deed(l, left[i], &other);
		found = !strcmp(buf_text(&deed), buf_text(&other));
	}
	buf_free(&deed);
	buf_free(&other);
	return found;
}

/* Those who were to do something: "orc #1 and orc #2 were to talk", "orc #1 was to talk, orc #2 to
 * flee and to shout". */
static void were_to(const struct log *l, const int32_t *left, int n, struct buf *out)
{
	struct buf deed = {0}, other = {0};
	bool same = true;
	word before = NONE;
	for (int k = 0; k < n && same; k++) {
		buf_clear(&other);
		end_deed(l, left[k], k ? &other : &deed);
		same = (k == 0 || !strcmp(buf_text(&deed), buf_text(&other))) &&
			(k == 0 || log_actor(l, log_at(l, left[k])) != before);
		before = log_actor(l, log_at(l, left[k]));
	}
	before = NONE;
	for (int k = 0; k < n; k++) {
		const word who = log_actor(l, log_at(l, left[k]));
		const bool again = k > 0 && who == before;
		buf_puts(out, k == 0 ? "" : again || (same && k == n - 1) ? " and " : ", ");
		if (!again)
			program_live(l->p, KIND_COMBATANT, who, out);
		before = who;
		if (same && k < n - 1)
			continue;
		buf_puts(out, same && n > 1 ? " were to " : again ? "to " : k ? " to " : " was to ");
		end_deed(l, left[k], out);
	}
	buf_free(&deed);
	buf_free(&other);
}

int32_t left_together(const struct log *l, int32_t number, struct buf *out)
{
	struct buf why = {0}, reason = {0};
	VEC(int32_t) left = {0};
	int32_t end = number;
	for (int32_t k = number; k < l->n; k++) {
		const struct record r = *log_at(l, k);
		int64_t column;
		if (r.kind != REC_LEFT && r.parent >= number)
			continue; /* what was asked about one of them */
		if (r.kind != REC_LEFT)
			break;
		if (is_missed(l, &r) && left_in_effect(l, k) < 0) {
			/* "what it waited for" is said of one */
			const bool own = r.flag == LEFT_CUE || log_actor(l, &r) == NONE || left_beyond(l, k, &column);
			buf_clear(&reason);
			end_because(l, k, &reason);
			if (left.n && (own || strcmp(buf_text(&reason), buf_text(&why))))
				break;
			VEC_PUSH(left, k);
			left.n -= said_before(l, left.v, left.n - 1);
			buf_clear(&why);
			buf_puts(&why, buf_text(&reason));
		}
		end = k + 1;
	}
	if (left.n == 1) {
		end_said(l, left.v[0], out);
	} else if (left.n > 1) {
		were_to(l, left.v, left.n, out);
		/* of several of them: "were gone" */
		bool one = true;
		for (int k = 1; k < left.n; k++)
			one &= log_actor(l, log_at(l, left.v[k])) == log_actor(l, log_at(l, left.v[0]));
		const bool was = !one && !strncmp(buf_text(&why), "was ", 4);
		buf_printf(out, was ? ", but were %s" : ", but %s", buf_text(&why) + (was ? 4 : 0));
	}
	VEC_FREE(left);
	buf_free(&why);
	buf_free(&reason);
	return end;
}
