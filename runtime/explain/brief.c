/* brief.c - a run told in a line a round: what came of its acts, and whose numbers they moved.
 *
 * What came of an act are the told events below it that begin with somebody's name: who falls, dies, flees, is caught; and notes of
 * what somebody was made to be: who falls asleep. They of whom the same is told are named together: "orc #1 to #3 fall asleep".
 * So are those that belong to no act, and acts that a rule refused. The numbers are those that the story tells beside a blow: what somebody had when the round began and when it ended. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/explain/answer.h"
#include "runtime/explain/brief.h"
#include "runtime/explain/ends.h"
#include "runtime/explain/ink.h"
#include "runtime/explain/log.h"

enum { LABEL = 10 };

struct moved { word who; int32_t field; word was, now; };

/* What was told: "orc #1", " falls asleep"; or a whole sentence of nobody's. */
struct telling { char *subject, *verb, *rest; };

struct brief {
	struct log log;
	struct ink ink;
	struct buf title;   /* of the line being gathered; empty: none */
	VEC(struct telling) told;
	VEC(struct moved) moved;
};

static bool names_somebody(const struct program *p, const char *text)
{
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++) {
		const char *name = p->live[KIND_COMBATANT][i].name;
		size_t n = strlen(name);
		if (!strncmp(text, name, n) && !isalnum((unsigned char)text[n]))
			return true;
	}
	return false;
}

/* Below an act that is told itself, or of no act and below nothing that is told: a condition that was met. */
static bool came_of_it(const struct log *l, int32_t event)
{
	for (int32_t i = log_at(l, event)->parent; i >= 0; i = log_at(l, i)->parent)
		if (log_at(l, i)->kind == REC_EVENT && log_at(l, i)->text >= 0)
			return log_at(l, i)->act >= 0;
	/* what a spell begun before comes to is no act of that moment */
	return log_at(l, event)->act < 0 || !l->p->event[log_at(l, event)->what].action;
}

static void move(struct brief *b, const struct record *r, word was)
{
	struct moved x = {r->owner, r->what, was, r->value};
	for (int i = 0; i < b->moved.n; i++)
		if (b->moved.v[i].who == x.who && b->moved.v[i].field == x.field) {
			b->moved.v[i].now = x.now;
			return;
		}
	VEC_PUSH(b->moved, x);
}

/* "hit points: Bruna 29 to 23, orc #1 5 to 0", field by field. */
static void moved_write(struct brief *b, struct buf *out)
{
	const struct program *p = b->log.p;
	for (int f = 0; f < p->fields; f++) {
		bool any = false;
		for (int i = 0; i < b->moved.n; i++) {
			const struct moved *x = &b->moved.v[i];
			if (x->field != f || x->was == x->now)
				continue;
			if (any)
				buf_puts(out, ", ");
			else
				buf_printf(out, "%s%s: ", out->length ? "; " : "", p->field[f].name);
			program_live(p, KIND_COMBATANT, x->who, out);
			buf_printf(out, " %lld to %lld", (long long)x->was, (long long)x->now);
			any = true;
		}
	}
}

static char *kept(const char *text, size_t n)
{
	struct buf b = {0};
	buf_add(&b, text, n);
	buf_putc(&b, '\0');
	return buf_take(&b);
}

/* The same of the same is told once. */
static bool told_before(const struct brief *b, const char *text)
{
	for (int i = 0; i < b->told.n; i++) {
		const struct telling *x = &b->told.v[i];
		struct buf said = {0};
		buf_printf(&said, "%s%s%s%s", x->subject, *x->subject ? " " : "", x->verb, x->rest);
		const bool same = !strcmp(buf_text(&said), text);
		buf_free(&said);
		if (same)
			return true;
	}
	return false;
}

static void tell(struct brief *b, const char *text, bool sentence)
{
	if (told_before(b, text))
		return;
	size_t subject = 0, verb = 0;
	const bool split = !sentence && english_split(b->log.p, text, &subject, &verb);
	const struct telling x = split
		? (struct telling){kept(text, subject), kept(text + subject + 1, verb - subject - 1), kept(text + verb, strlen(text + verb))}
		: (struct telling){kept("", 0), kept("", 0), kept(text, strlen(text))};
	VEC_PUSH(b->told, x);
}

static bool alike(const struct telling *one, const struct telling *other)
{
	return *one->subject && *other->subject && !strcmp(one->verb, other->verb) && !strcmp(one->rest, other->rest);
}

/* "falls" of one, "fall" of several */
static void verb_write(const char *verb, int n, struct buf *out)
{
	if (n == 1)
		buf_puts(out, verb);
	else if (!strcmp(verb, "is"))
		buf_puts(out, "are");
	else
		english_verb(verb, strlen(verb), TENSE_BASE, out);
}

static void told_write(struct brief *b, struct buf *out)
{
	struct buf last = {0};
	for (int i = 0; i < b->told.n; i++) {
		const struct telling *x = &b->told.v[i];
		struct buf names = {0};
		int n = 0, of = 0;
		bool later = false; /* of several told of, with the last */
		for (int k = 0; k < b->told.n; k++)
			if (k == i || alike(x, &b->told.v[k])) {
				later |= k > i;
				of++;
			}
		for (int k = 0; k <= i && !later; k++)
			if (k == i || alike(x, &b->told.v[k]))
				buf_printf(&names, "%s%s", ++n == 1 ? "" : n == of ? " and " : ", ", b->told.v[k].subject);
		if (n) {
			answer_runs(b->log.p, &names);
			const bool same = names.length && !strcmp(buf_text(&names), buf_text(&last)); /* "orc #1 falls and dies" */
			if (same)
				buf_puts(out, " and ");
			else
				buf_printf(out, "%s%s%s", out->length ? "; " : "", buf_text(&names), names.length ? " " : "");
			buf_clear(&last);
			buf_puts(&last, buf_text(&names));
			verb_write(x->verb, n, out);
			buf_puts(out, x->rest);
		}
		buf_free(&names);
	}
	buf_free(&last);
}

static void told_clear(struct brief *b)
{
	for (int i = 0; i < b->told.n; i++) {
		free(b->told.v[i].subject);
		free(b->told.v[i].verb);
		free(b->told.v[i].rest);
	}
	b->told.n = 0;
}

/* Is a note of what somebody was made to be: right behind a change of theirs that is no number? */
static bool of_a_state(const struct log *l, int32_t note)
{
	const char *text = trace_text_at(l->t, log_at(l, note)->text);
	const int32_t around = log_at(l, note)->parent;
	for (int32_t i = note - 1; i >= 0 && i > around; i--) {
		const struct record *r = log_at(l, i);
		if (r->kind != REC_CHANGE || r->dropped || r->parent != around)
			continue;
		const struct field_info *f = &l->p->field[r->what];
		if (f->kind != KIND_COMBATANT || vtype_is_number(f->type))
			return false;
		const char *name = l->p->live[KIND_COMBATANT][r->owner].name;
		return !strncmp(text, name, strlen(name));
	}
	return false;
}

static void line_end(struct brief *b, bool always)
{
	struct buf events = {0};
	if (b->title.length) {
		told_write(b, &events);
		moved_write(b, &events);
		if (events.length || always) {
			ink_add(&b->ink, INK_HEADING, buf_text(&b->title));
			ink_pad(&b->ink, LABEL);
			ink_add(&b->ink, INK_PLAIN, events.length ? buf_text(&events) : "nothing comes of it");
			ink_line(&b->ink, LABEL);
		}
	}
	buf_clear(&b->title);
	buf_free(&events);
	told_clear(b);
	b->moved.n = 0;
}

/* What somebody was told to do and the rules did not let happen. A policy's line that is not allowed is no news: the next one is tried. */
static bool refused(const struct log *l, const struct record *r)
{
	if (r->kind == REC_VOID)
		return r->flag == VOID_REFUSED && log_is_news(l, r);
	return r->flag != BY_POLICY && r->flag != BY_DEFAULT;
}

static void gather(struct brief *b, int32_t i)
{
	const struct record told = *log_at(&b->log, i), *r = &told;
	struct buf text = {0};
	word was;
	switch (r->kind) {
	case REC_ROUND:
		line_end(b, !strncmp(buf_text(&b->title), "round", 5));
		buf_printf(&b->title, "round %lld", (long long)r->value);
		break;
	case REC_EVENT:
		buf_puts(&text, trace_text_at(b->log.t, r->text));
		if (r->text >= 0 && names_somebody(b->log.p, buf_text(&text)) && came_of_it(&b->log, i))
			tell(b, buf_text(&text), false);
		break;
	case REC_NOTE:
		buf_puts(&text, trace_text_at(b->log.t, r->text));
		if (of_a_state(&b->log, i))
			tell(b, buf_text(&text), false);
		break;
	case REC_REFUSED:
	case REC_VOID:
		if (!refused(&b->log, r))
			break;
		end_said(&b->log, i, &text);
		tell(b, buf_text(&text), true);
		break;
	case REC_CHANGE:
		if (log_told_change(&b->log, i, &was))
			move(b, r, was);
		break;
	case REC_OUTCOME:
		line_end(b, !strncmp(buf_text(&b->title), "round", 5));
		log_outcome(&b->log, r, &text);
		ink_add(&b->ink, r->flag == OUTCOME_STOPPED ? INK_BAD : INK_GOOD, buf_text(&text));
		ink_line(&b->ink, 0);
		break;
	default:
		break;
	}
	buf_free(&text);
}

void brief_tell(const struct program *p, const struct trace *t, int32_t from, const struct story_options *o)
{
	struct brief b = {.log = {0}};
	log_open(&b.log, p, t);
	b.ink = (struct ink){.write = o->write, .context = o->context, .width = o->width};
	buf_puts(&b.title, "at first");
	for (int32_t i = from < 0 ? 0 : from; i < b.log.n; i++) {
		uint64_t errand = trace_errand(t);
		if (!log_at(&b.log, i)->dropped)
			gather(&b, i);
		trace_done(t, errand);
	}
	line_end(&b, false);
	buf_free(&b.title);
	VEC_FREE(b.told);
	VEC_FREE(b.moved);
	ink_free(&b.ink);
	log_close(&b.log);
}
