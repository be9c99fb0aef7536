/* why.c - explanations on demand: the short answer, or the derivation in full; both as JSON. */
#include <string.h>

#include "lang/api/contrast.h"
#include "lang/api/otherwise.h"
#include "lang/api/question.h"
#include "lang/api/question_asked.h"
#include "lang/api/reason.h"
#include "runtime/code/show.h"
#include "runtime/explain/emit.h"
#include "runtime/explain/event.h"
#include "runtime/explain/explain.h"
#include "runtime/world/block.h"

/* A question being answered. */
struct asking {
	struct question q;
	struct node *node;       /* as the grammar has it; NULL: it was read as it is spoken */
	bool full;               /* in full */
	struct contrast contrast; /* "and not orc #2": what it is set against */
	const struct program *program; /* whose clauses are cited */
	struct probe probe;      /* of a value or a state: open */
	bool probed;
	struct buf value;        /* it in words */
	struct buf derivation;   /* JSON: the elements of an array */
};

static void write_styled(void *context, int style, const char *text, size_t length)
{
	struct fray *f = context;
	if (f->config.write)
		f->config.write(f->config.context, (enum fray_style)style, text, length);
}

static enum fray_status nothing(struct fray *f)
{
	fray_write(f, FRAY_PLAIN, "Nothing of that sort has happened.\n");
	return FRAY_OK;
}

static word first(const people *p)
{
	return p->n ? p->v[0] : NONE;
}

/* ---- in full ---- */

/* The question as otherwise.h takes it. */
static struct otherwise turned(const struct asking *a, enum otherwise_sort sort, int32_t record)
{
	const struct question *q = &a->q;
	return (struct otherwise){.sort = sort, .record = record, .event = q->event, .who = first(&q->who), .whom = first(&q->whom),
		.other_event = -1, .other = first(&q->other)};
}

/* Of an event nobody named, actor and target are in the log. */
static void named_by_log(struct fray *f, struct otherwise *q)
{
	const struct record *r = trace_get(vm_trace(f->vm), q->record);
	struct log l = {.p = f->program, .t = vm_trace(f->vm), .n = vm_trace(f->vm)->n};
	struct vtype type;
	const word *target;
	q->event = r->what;
	q->who = log_actor(&l, r);
	if (log_target(&l, r, &type, &target) && type.base == VT_LIVE && type.kind == KIND_COMBATANT)
		q->whom = *target;
}

static void full_not(struct fray *f, struct asking *a, const struct story_options *o)
{
	const struct trace *t = vm_trace(f->vm);
	const struct question *q = &a->q;
	const word who = first(&q->who), whom = first(&q->whom);
	int32_t r = q->record;
	if (q->event >= 0 && explain_find_open(f->program, t, q->event, who, whom) > r) {
		fray_write(f, FRAY_PLAIN, "Its turn has not come yet: it is declared, and still to be done.\n");
		return;
	}
	if (r < 0 && who != NONE && !reason_able(f, who)) {
		explain_unable(f->program, t, who, o);
		return;
	}
	if (r >= 0) {
		explain_not(f->program, t, r, o);
	} else {
		/* no act of that name was given up: what did he do instead? */
		bool so = explain_find(f->program, t, q->event, who, whom) >= 0;
		r = explain_find(f->program, t, so ? q->event : -1, who, whom);
		if (r < 0)
			r = explain_find(f->program, t, -1, who, NONE);
		if (r < 0) {
			nothing(f);
			return;
		}
		fray_write(f, FRAY_PLAIN,
			so ? "It happened:\n" : "That did not happen. The closest event:\n");
		explain_event(f->program, t, r, o);
		if (so)
			return;
	}
	struct otherwise x = turned(a, OTHERWISE_NOT, r);
	if (!o->derived)
		otherwise_tell(f, &x);
}

static void full_value(struct fray *f, struct asking *a, const struct story_options *o)
{
	struct trace *t = vm_trace(f->vm);
	bool changed = a->probe.record >= 0;
	if (changed) {
		explain_value(a->probe.program, t, a->probe.record, o);
	} else {
		changed = a->q.field >= 0 && explain_stored(f->program, t, a->q.field, a->q.owner, buf_text(&a->value), o);
		if (!changed && !o->derived)
			fray_writef(f, FRAY_PLAIN, "%s: so it is stated, and no rule touches it.\n",
				buf_text(&a->value));
	}
	if (!changed || o->derived)
		return;
	trace_cut(t, (int32_t)vm_block(f->vm)[H_TRACE]); /* the question is told: the fight's own log again */
	struct otherwise x = turned(a, OTHERWISE_VALUE, -1);
	x.event = -1;
	x.value = &a->probe;
	otherwise_tell(f, &x);
}

static void in_full(struct fray *f, struct asking *a, const struct story_options *o)
{
	const struct question *q = &a->q;
	const struct trace *t = vm_trace(f->vm);
	struct otherwise x;
	switch (q->kind) {
	case ASK_EVENT:
		if (q->record < 0) {
			nothing(f);
			return;
		}
		explain_event(f->program, t, q->record, o);
		x = turned(a, OTHERWISE_EVENT, q->record);
		if (!*q->text)
			named_by_log(f, &x);
		break;
	case ASK_ORDER:
		if (q->record < 0 || (q->other.n && q->other_record < 0)) {
			nothing(f);
			return;
		}
		if (q->other_record < 0) {
			explain_event(f->program, t, q->record, o);
			x = turned(a, OTHERWISE_EVENT, q->record);
			break;
		}
		explain_order(f->program, t, q->record, q->other_record, o);
		x = turned(a, OTHERWISE_ORDER, q->record > q->other_record ? q->record : q->other_record);
		break;
	case ASK_NOT:
		full_not(f, a, o);
		return;
	default:
		if (a->probed)
			full_value(f, a, o);
		return;
	}
	if (!o->derived)
		otherwise_tell(f, &x);
}

/* ---- short ---- */

static void last_sentence(struct fray *f, struct asking *a, struct answer *answer)
{
	static const enum otherwise_sort sort[] = {[TURN_EVENT] = OTHERWISE_EVENT, [TURN_NOT] = OTHERWISE_NOT, [TURN_ORDER] = OTHERWISE_ORDER, [TURN_VALUE] = OTHERWISE_VALUE};
	const struct turn *turn = &answer->turn;
	struct altered found;
	if (turn->sort == TURN_NOTHING || answer->otherwise.length)
		return;
	struct otherwise x = {.sort = sort[turn->sort], .record = turn->record, .event = turn->event, .who = turn->who, .whom = turn->whom,
		.other_event = turn->other_event, .other = turn->other,
		.value = a->probed ? &a->probe : NULL,
		.asked = &a->q};
	if (turn->sort == TURN_VALUE) {
		if (!a->probed)
			return;
		trace_cut(vm_trace(f->vm), (int32_t)vm_block(f->vm)[H_TRACE]);
	}
	otherwise_sentence(f, &x, answer, &found, &answer->otherwise);
	if (found.found) {
		buf_puts(&answer->die, buf_text(&found.die));
		answer->die_value = found.value;
		answer->die_was = found.was;
	}
	altered_free(&found);
}

static void place_of(void *context, struct span at, struct buf *out)
{
	struct fray *f = context;
	int line, column;
	if (at.file == 0 || at.file >= f->sources.file.n)
		return;
	sources_place(&f->sources, at, &line, &column);
	if (!strcmp(f->sources.file.v[at.file].name, "(prompt)"))
		buf_puts(out, "typed at the prompt");
	else
		buf_printf(out, "%s, line %d", f->sources.file.v[at.file].name, line);
}

static void text_of(void *context, struct span at, struct buf *out)
{
	struct fray *f = context;
	size_t n;
	if (at.file == 0 || at.file >= f->sources.file.n)
		return;
	const char *text = sources_text(&f->sources, at, &n);
	buf_add(out, text, n);
}

static struct inquiry inquiry_of(struct fray *f, const struct asking *a)
{
	struct inquiry s = {.p = a->program,
		.t = vm_trace(f->vm),
		.world = vm_block(f->vm),
		.place = place_of,
		.text = text_of,
		.context = f};
	s.end = (int32_t)s.world[H_TRACE] < s.t->n ? (int32_t)s.world[H_TRACE] : s.t->n;
	return s;
}

/* The event that a question means which was asked in words of its own, or as it was told. */
static void find_event(struct fray *f, struct asking *a)
{
	struct inquiry s = inquiry_of(f, a);
	if (a->node || a->q.kind != ASK_EVENT)
		return;
	log_open(&s.log, s.p, s.t);
	a->q.record = answer_event_found(&s, &a->q);
	if (a->q.record < 0 && a->q.figure) { /* no such number: what is asked apart from it */
		a->q.figure = 0;
		a->q.record = answer_event_found(&s, &a->q);
	}
	if (a->q.blow < 0 && a->q.record >= 0 && trace_get(s.t, a->q.record)->kind == REC_EVENT)
		a->q.event = trace_get(s.t, a->q.record)->what;
	/* "did nobody attack Ann"; "did Ann cast web", who did not: why that never came */
	const bool act = a->q.event >= 0 && a->q.blow < 0 && !a->q.befell && !a->q.told_verb &&
		f->program->event[a->q.event].action;
	if (a->q.record < 0 && (a->q.anybody || (a->q.polar && act && a->q.wanted == WANT_CAUSE)))
		a->q.kind = ASK_NOT;
	log_close(&s.log);
}

/* "who won": it is said first. */
static void winner_named(const struct program *p, word side, struct answer *answer)
{
	struct buf b = {0};
	if (side == NONE || !answer->about.length)
		return;
	buf_printf(&b, "The %s won: ", p->live[KIND_SIDE][side].name);
	answer_lead(p, buf_text(&b), 0, &answer->about);
	buf_free(&b);
}

/* "how long did the fight last": its rounds are said first. */
static void length_named(const struct fray *f, struct answer *answer)
{
	const struct trace *t = vm_trace(f->vm);
	const int32_t over = trace_back(t, t->n - 1, 1u << REC_OUTCOME);
	const int32_t rounds = over >= 0 ? trace_get(t, over)->round : 0;
	struct buf b = {0};
	if (rounds <= 0 || !answer->about.length)
		return;
	buf_printf(&b, rounds == 1 ? "It took %d round: " : "It took %d rounds: ", rounds);
	answer_lead(f->program, buf_text(&b), 0, &answer->about);
	buf_free(&b);
}

/* "Dot did not hit gnoll.": nothing more is said of it; what kept them from it is. */
static void never_explained(
	const struct inquiry *s, const struct question *q, struct answer *answer)
{
	struct buf plain = {0};
	struct answer why;
	struct question not = *q;
	not.kind = ASK_NOT;
	not.negated = true;
	memset(&why, 0, sizeof why);
	event_did_not(s, q, &plain);
	buf_putc(&plain, '.');
	const bool bare_said = q->who.n == 1 && !q->befell && !q->told_verb && !q->told_text &&
		answer->figure.n == 0 && !strcmp(buf_text(&plain), buf_text(&answer->about));
	if (bare_said && answer_not(s, &not , &why) &&
		strcmp(buf_text(&why.about), buf_text(&answer->about)) != 0) {
		answer->about.data[--answer->about.length] = '\0';
		buf_printf(&answer->about, ": %s", buf_text(&why.about));
		answer_figures_from(answer, &why);
		answer_rules_from(s->p, answer, &why);
	}
	buf_free(&plain);
	answer_free(&why);
}

/* "X did not save: X saved against ..", "X did not hit: X did not hit in round 4, but ..": what is
 * said next is enough. */
static void said_once(const struct program *p, struct answer *answer)
{
	const char *text = buf_text(&answer->about), *not = strstr(text, " did not ");
	const char *next = not ? strstr(not , ": ") : NULL;
	const size_t n = not ? (size_t)(not - text) : 0;
	if (!next || strncmp(next + 2, text, n) != 0 || next[2 + n] != ' ')
		return;
	const char *verb = not + strlen(" did not ");
	struct buf third = {0}, past = {0}, said = {0};
	buf_add(&said, verb, strcspn(verb, " :"));
	verb_add(buf_text(&said), &third);
	english_verb(buf_text(&third), third.length, TENSE_PAST, &past);
	const char *rest = next + 2 + n;
	const bool did = !strncmp(rest + 1, buf_text(&past), past.length) &&
		strchr(" ,.:", rest[1 + past.length]);
	const size_t whole = (size_t)(next - not);
	const bool same = !strncmp(rest, not , whole);
	/* nobody was named to whom it was not done */
	const bool bare_verb = whole == strlen(" did not ") + said.length;
	if ((did && bare_verb) || same)
		answer_lead(p, "", (size_t)(next + 2 - text), &answer->about);
	buf_free(&third);
	buf_free(&past);
	buf_free(&said);
}

static bool make(struct fray *f, struct asking *a, struct answer *answer)
{
	struct inquiry s = inquiry_of(f, a);
	log_open(&s.log, s.p, s.t);
	/* "who died last", "who attacked Ann first": no order of all acts, but of such events */
	const bool end = a->q.kind == ASK_ORDER && a->q.event >= 0 &&
		(!f->program->event[a->q.event].action || a->q.whom.n || a->q.wanted == WANT_WHO) &&
		(a->q.order == ASKED_FIRST || a->q.order == ASKED_LAST);
	const bool never = a->q.kind == ASK_NOT && a->q.negated && a->q.anybody &&
		a->q.wanted == WANT_WHO;
	/* what befell somebody is told also where nothing did */
	const bool fate = a->q.wanted == WANT_FATE && a->q.whom.n;
	const bool listed = end || never || fate ||
		(a->q.wanted != WANT_CAUSE && a->q.kind == ASK_EVENT);
	if (a->q.nth && a->q.kind == ASK_EVENT && answer_nth(&s, &a->q, answer)) {
		log_close(&s.log);
		return true;
	}
	if (a->q.times && a->q.wanted == WANT_CAUSE && a->q.kind == ASK_EVENT &&
		answer_times(&s, &a->q, answer)) {
		log_close(&s.log);
		return true;
	}
	answer_free(answer);
	const int die =
		a->q.times && a->q.kind == ASK_DIE && a->q.name ? reason_label(s.p, a->q.name) : -1;
	if (die >= 0 && reason_often(&s, die, &a->q, answer)) {
		log_close(&s.log);
		return true;
	}
	if (a->q.wanted == WANT_INTENT) {
		const bool meant = answer_meant(&s, &a->q, answer);
		log_close(&s.log);
		return meant;
	}
	if (a->q.kind == ASK_EVENT && a->q.record >= 0 && a->q.wanted == WANT_CAUSE &&
		event_found_nobody(&s.log, a->q.record))
		a->q.kind = ASK_NOT; /* "why Jory attacks someone", who found nobody */
	bool made = (listed && answer_list(&s, &a->q, answer)) ||
		reason_make(f, &a->q, a->node ? a->node->a : NULL, answer) ||
		answer_make(&s, &a->q, answer);
	if (made && a->q.kind == ASK_EVENT && a->q.record < 0)
		never_explained(&s, &a->q, answer);
	if (made && a->q.kind == ASK_EVENT)
		said_once(f->program, answer);
	if (made && a->q.kind == ASK_SIDE && a->q.wanted == WANT_WHO)
		winner_named(f->program, a->q.who_side, answer);
	if (made && a->q.kind == ASK_SIDE && a->q.wanted == WANT_COUNT)
		length_named(f, answer);
	if (made && contrast_is(&a->contrast) && a->q.kind == ASK_EVENT && a->q.record >= 0)
		contrast_told(&s, &a->q, &a->contrast, answer);
	if (made && answer->refused) {
		struct reason r = {.f = f, .log = &s.log, .p = s.p, .t = s.t, .end = s.end};
		reason_refused(&r, answer->refused - 1, answer);
	}
	if (made && a->q.polar)
		polar_said(&s, &a->q, answer);
	if (made)
		round_missing(f, &a->q, answer);
	log_close(&s.log);
	return made;
}

/* ---- JSON ---- */

static void derived(void *context, int depth, const char *text, int32_t clause)
{
	struct asking *a = context;
	struct buf *out = &a->derivation;
	const struct program *p = a->program;
	emit_comma(out);
	buf_putc(out, '{');
	emit_number(out, "depth", depth);
	emit_member(out, "text", text);
	if (p && clause >= 0 && clause < p->clauses) {
		emit_member(out, "rule", p->clause[clause].rule);
		emit_member(out, "module", p->clause[clause].module);
		emit_member(out, "cite", p->clause[clause].cite);
	}
	buf_putc(out, '}');
}

static void answer_object(struct fray *f, struct asking *a, struct answer *answer)
{
	struct buf out = {0};
	buf_putc(&out, '{');
	emit_member(&out, "question", a->q.text);
	answer_json(f->program, answer, &out);
	emit_key(&out, "derivation");
	buf_printf(&out, "[%s]}\n", buf_text(&a->derivation));
	fray_write(f, FRAY_PLAIN, buf_text(&out));
	buf_free(&out);
}

void why_told(struct fray *f, const char *text, struct answer *said)
{
	struct story_options o = {
		.why = true, .width = f->config.width, .write = write_styled, .context = f};
	struct asking a;
	memset(&a, 0, sizeof a);
	a.q.text = text;
	answer_shorten(f->program, said);
	if (f->answers == FRAY_JSON)
		answer_object(f, &a, said);
	else
		answer_tell(f->program, said, &o);
}

/* ---- the question ---- */

/* Asks for the value once more, recorded. */
static bool ask_value(struct fray *f, struct asking *a)
{
	struct node *x = a->node->a;
	a->probed = probe_open(f, x, true, &a->probe);
	if (!a->probed)
		return false;
	a->q.record = a->probe.record;
	program_values(a->probe.program, a->probe.type, a->probe.value, a->probe.words, &a->value);
	a->q.value = buf_text(&a->value);
	if (a->probe.record < 0 && x->kind == N_KIND_E_FIELD && x->ref_kind == REF_FIELD) {
		a->q.field = f->model.field.v[x->ref].program;
		a->q.owner = question_who(f, x->a);
	}
	return true;
}

/* False: there is neither an answer nor a derivation. */
static bool answer(struct fray *f, struct asking *a)
{
	const bool json = f->answers == FRAY_JSON, derived_from = a->q.kind <= ASK_STATE;
	struct story_options o = {.why = true, .width = f->config.width, .write = write_styled, .context = f};
	struct answer said;
	memset(&said, 0, sizeof said);
	find_event(f, a);
	if (json) {
		struct story_options d = {.why = true, .context = a, .derived = derived};
		in_full(f, a, &d);
	}
	bool made = (json || !a->full || !derived_from) && make(f, a, &said);
	if (!made && !derived_from) {
		answer_free(&said);
		return false;
	}
	if (!made && a->node && !a->probed && (a->q.kind == ASK_VALUE || a->q.kind == ASK_STATE)) {
		/* no rule knows it: that is said now */
		if (!ask_value(f, a)) {
			answer_free(&said);
			return false;
		}
		a->program = a->probe.program;
	}
	if (made) {
		last_sentence(f, a, &said);
		answer_shorten(f->program, &said);
	}
	if (json)
		answer_object(f, a, &said);
	else if (made)
		answer_tell(f->program, &said, &o);
	else
		in_full(f, a, &o);
	answer_free(&said);
	return true;
}

/* False: nothing is known of that. */
static bool why_asked(struct fray *f, struct asking *a, enum fray_status *s)
{
	const bool value = a->q.kind == ASK_VALUE || a->q.kind == ASK_STATE;
	if (value && a->node && reason_can(f, a->node->a))
		ask_value(f, a);
	a->program = a->probed ? a->probe.program : f->program;
	const bool known = answer(f, a);
	*s = FRAY_OK;
	if (value)
		probe_close(f, &a->probe);
	question_free(&a->q);
	buf_free(&a->value);
	buf_free(&a->derivation);
	return known;
}

/* Without "why", "in full", a question mark: what is asked. */
static void bare(const char *text, struct buf *out, bool *full)
{
	static const char in_full[] = " in full";
	buf_puts(out, text + strspn(text, " \t"));
	for (int turn = 0; turn < 2; turn++) {
		while (out->length && strchr(" \t\r?.!", out->data[out->length - 1]))
			out->length--;
		const size_t n = sizeof in_full - 1;
		if (turn == 0 && out->length >= n && !strncmp(out->data + out->length - n, in_full, n)) {
			out->length -= n;
			*full = true;
		}
	}
	if (out->length)
		out->data[out->length] = '\0';
}

/* Reads and answers one wording of a question. False: it is not understood. */
static bool try_wording(struct fray *f, struct asking *a, const char *text,
	const struct otherly *as, enum fray_status *s)
{
	struct buf one = {0};
	const bool parted = contrast_split(f, text, &a->contrast, &one);
	bool read = question_text(f, buf_text(&one)[0] ? buf_text(&one) : text, &a->q);
	/* only of what somebody did, or what befell them, the other can be told as well */
	if (read && parted && a->q.kind != ASK_EVENT) {
		question_free(&a->q);
		read = false;
	}
	if (read) {
		a->q.text = text;
		a->q.wanted = as->wanted;
		a->q.polar = as->polar;
		a->q.is_so = as->is_so;
		a->q.won = as->won;
		if (a->q.kind != ASK_DIE || !a->q.figure)
			a->q.figure = a->q.kind == ASK_EVENT || a->q.kind == ASK_DIE ? as->figure : 0;
		a->q.doer |= as->doer;
		/* "who was hit by Corin" */
		if (as->wanted == WANT_WHO && a->q.befell && a->q.who.n == 1)
			a->q.wanted = WANT_CAUSE; /* "who poisoned Ann": how that came */
		if (as->wanted == WANT_CAUSE && a->q.doer && as->polar)
			a->q.wanted = WANT_WHOM;
		if (as->wanted == WANT_WHO && a->q.passive && (a->q.who.n || !a->q.negated))
			a->q.wanted = WANT_WHOM;
		read = why_asked(f, a, s);
	}
	contrast_free(&a->contrast);
	buf_free(&one);
	return read;
}

bool why_spoken_as(struct fray *f, const char *text, const struct otherly *as, struct buf *instead,
	enum fray_status *s)
{
	struct asking a;
	struct buf asked = {0}, other = {0};
	memset(&a, 0, sizeof a);
	if (!f->vm || strchr(text, ';'))
		return false;
	bare(text, &asked, &a.full);
	const bool read = try_wording(f, &a, buf_text(&asked), as, s);
	if (!read && question_turned(f, buf_text(&asked), &other))
		buf_printf(instead, "why %s%s", buf_text(&other), a.full ? " in full" : "");
	buf_free(&asked);
	buf_free(&other);
	return read;
}

enum fray_status why_node(struct fray *f, struct node *n)
{
	return why_asked_as(f, n, NULL);
}

enum fray_status why_asked_as(struct fray *f, struct node *n, const struct otherly *as)
{
	struct asking a;
	struct buf text = {0};
	if (!f->vm) {
		report_no_fight(f, n->span);
		return FRAY_WRONG;
	}
	memset(&a, 0, sizeof a);
	if (!question_sound(f, n))
		return FRAY_WRONG;
	a.node = n;
	a.contrast.thing = -1;
	a.full = (n->num & WHY_IN_FULL) != 0;
	question_read(f, n, &a.q);
	a.q.polar = as ? as->polar : POLAR_NO;
	a.q.is_so = as ? as->is_so : -1;
	if (a.q.kind == ASK_VALUE && a.q.round == 0 && as)
		a.q.round = as->round;
	if (n->a) {
		size_t length;
		const char *asked = sources_text(&f->sources, n->a->span, &length);
		buf_add(&text, asked, length);
		a.q.text = buf_text(&text);
	}
	enum fray_status s;
	if (!why_asked(f, &a, &s))
		s = FRAY_WRONG;
	buf_free(&text);
	return s;
}

/* As it is typed at the prompt, so that it is understood, or refused, in the same words. */
enum fray_status fray_why(struct fray *f, const char *question)
{
	const bool whole = question_word(question) || !strncmp(question, "why", 3);
	struct buf line = {0};
	buf_printf(&line, "%s%s", whole ? "" : *question ? "why " : "why", question);
	feed_reset(f->feed);
	const enum fray_status s = fray_line(f, buf_text(&line));
	feed_reset(f->feed);
	buf_free(&line);
	return s;
}

enum fray_status fray_why_order(struct fray *f, int64_t one, int64_t other)
{
	struct story_options o = {.why = true, .width = f->config.width, .write = write_styled, .context = f};
	if (!f->vm || one < 0 || other < 0 || one >= (int64_t)vm_trace(f->vm)->n || other >= (int64_t)vm_trace(f->vm)->n)
		return FRAY_WRONG;
	struct inquiry s = {.p = f->program, .t = vm_trace(f->vm), .world = vm_block(f->vm), .end = vm_trace(f->vm)->n};
	struct answer said;
	memset(&said, 0, sizeof said);
	log_open(&s.log, s.p, s.t);
	const bool made = answer_order_of(&s, (int32_t)one, (int32_t)other, &said);
	log_close(&s.log);
	if (made)
		answer_tell(f->program, &said, &o);
	else
		explain_order(f->program, vm_trace(f->vm), (int32_t)one, (int32_t)other, &o);
	answer_free(&said);
	return FRAY_OK;
}
