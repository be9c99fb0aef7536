/* json.c - a run as JSON, one object a line.
 *
 * Questions are not objects of their own: those an event asked stand in its "modifiers", each
 * with what it was made of. Questions below them, and the keys of the order, are left to
 * `why`, which reads the log itself. */
#include <string.h>

#include "runtime/explain/emit.h"
#include "runtime/explain/json.h"
#include "runtime/explain/ends.h"

struct teller {
	struct log log;
	const struct json_run *run;
	struct buf out;  /* the object being written */
};

/* A member whose text a function of log.h appends. */
#define TEXT_MEMBER(j, key, ...)                     \
	do {                                             \
		struct buf text_ = {0};                      \
		__VA_ARGS__;                                 \
		emit_member(&(j)->out, key, buf_text(&text_)); \
		buf_free(&text_);                            \
	} while (0)

static void value_member(struct teller *j, const char *key, struct vtype type, const word *value)
{
	if (type.base != VT_SET && *value == NONE) {
		emit_null(&j->out, key);
	} else if (type.base == VT_NUMBER && !type.frac) {
		emit_number(&j->out, key, *value);
	} else if (type.base == VT_BOOL) {
		emit_flag(&j->out, key, *value != 0);
	} else {
		TEXT_MEMBER(j, key, program_value(j->log.p, type, value, &text_));
	}
}

static void rule_members(struct teller *j, int32_t clause)
{
	const struct clause_info *c = clause >= 0 && clause < j->log.p->clauses ? &j->log.p->clause[clause] : NULL;
	if (!c)
		return;
	/* a clause that stands in no rule is its own name */
	emit_member(&j->out, "rule", c->rule && *c->rule ? c->rule : c->text ? c->text : "");
	if (c->module && *c->module)
		emit_member(&j->out, "module", c->module);
	if (c->cite && *c->cite)
		emit_member(&j->out, "cite", c->cite);
	if (c->ruling && *c->ruling)
		emit_member(&j->out, "ruling", c->ruling);
}

static void place_members(struct teller *j, int32_t number)
{
	const struct record *r = log_at(&j->log, number);
	struct buf time = {0};
	emit_number(&j->out, "id", number);
	emit_number(&j->out, "round", r->round);
	if (log_moment(&j->log, number, &time)) {
		emit_member(&j->out, "time", buf_text(&time));
		int64_t column;
		if (program_column(j->log.p, r->time, log_start(&j->log, number), &column))
			emit_number(&j->out, "moment", column);
	}
	buf_free(&time);
	if (r->group >= 0)
		emit_number(&j->out, "group", r->group);
	if (r->parent >= 0)
		emit_number(&j->out, "cause", r->parent);
}

static void open(struct teller *j, const char *event, const char *kind, int32_t number)
{
	buf_putc(&j->out, '{');
	emit_member(&j->out, "event", event);
	emit_member(&j->out, "kind", kind);
	place_members(j, number);
}

static void close(struct teller *j)
{
	buf_puts(&j->out, "}\n");
	j->run->write(j->run->context, 0, j->out.data, j->out.length);
	buf_clear(&j->out);
}

static void who_members(struct teller *j, const struct record *r)
{
	struct vtype type;
	const word *value;
	word actor = log_actor(&j->log, r);
	if (actor != NONE)
		TEXT_MEMBER(j, "actor", program_live(j->log.p, KIND_COMBATANT, actor, &text_));
	if (log_target(&j->log, r, &type, &value))
		TEXT_MEMBER(j, "target", program_value(j->log.p, type, value, &text_));
}

/* The arguments by role: readable, and as the words they are, for playing the log again. */
static void argument_members(struct teller *j, const struct record *r)
{
	const struct program *p = j->log.p;
	const word *v = trace_values_at(j->log.t, r);
	if (!v || r->what < 0 || r->what >= p->events)
		return;
	const struct event_info *e = &p->event[r->what];
	emit_key(&j->out, "arguments");
	buf_putc(&j->out, '{');
	for (int i = 0; i < e->roles; i++) {
		const word *value = log_role(&j->log, r, i);
		if (value)
			value_member(j, e->role[i].name, e->role[i].type, value);
	}
	buf_putc(&j->out, '}');
	emit_key(&j->out, "words");
	buf_putc(&j->out, '[');
	for (int i = 0; i < r->value_count && i < e->words; i++) {
		emit_comma(&j->out);
		if (v[i] == NONE)
			buf_puts(&j->out, "null");
		else
			buf_printf(&j->out, "%lld", (long long)v[i]);
	}
	buf_putc(&j->out, ']');
}

/* ---- dice ---- */

static void die_object(struct teller *j, const struct record *r)
{
	const struct program *p = j->log.p;
	const word *v = trace_values_at(j->log.t, r);
	const int32_t *face = trace_faces_at(j->log.t, r);
	emit_comma(&j->out);
	buf_putc(&j->out, '{');
	TEXT_MEMBER(j, "label", log_label(&j->log, r, &text_));
	if (r->what >= 0 && r->what < p->labels) {
		const struct label_info *l = &p->label[r->what];
		emit_member(&j->out, "name", l->name);
		if (l->owner.base == VT_LIVE && r->owner != NONE)
			TEXT_MEMBER(j, "owner", program_live(p, l->owner.kind, r->owner, &text_));
	}
	if (v && v[0] == NONE) {
		struct vtype chance = {.base = VT_CHANCE, .frac = true};
		if (r->value_count > 1)
			TEXT_MEMBER(j, "chance", program_value(p, chance, &v[1], &text_));
		emit_flag(&j->out, "answer", r->value != 0);
	} else {
		if (v && v[0] >= 0 && v[0] < p->dices)
			emit_member(&j->out, "dice", p->dice[v[0]].text);
		emit_number(&j->out, "total", r->value);
		/* faces that do not count are told apart: "kept" says so, face by face */
		emit_key(&j->out, "faces");
		buf_putc(&j->out, '[');
		bool all = true;
		for (int32_t i = 0; face && i < r->face_count; i++) {
			buf_printf(&j->out, "%s%d", i ? "," : "", face[i] < 0 ? -face[i] : face[i]);
			all = all && face[i] >= 0;
		}
		buf_putc(&j->out, ']');
		if (!all) {
			emit_key(&j->out, "kept");
			buf_putc(&j->out, '[');
			for (int32_t i = 0; i < r->face_count; i++)
				buf_printf(&j->out, "%s%s", i ? "," : "", face[i] < 0 ? "false" : "true");
			buf_putc(&j->out, ']');
		}
	}
	emit_member(&j->out, "source", die_source_name(r->flag));
	buf_putc(&j->out, '}');
}

static void dice_member(struct teller *j, int32_t event)
{
	bool any = false;
	for (int32_t i = log_child(&j->log, event); i >= 0; i = log_sibling(&j->log, i)) {
		const struct record *r = log_at(&j->log, i);
		if (r->kind != REC_ROLL || r->dropped)
			continue;
		if (!any) {
			emit_key(&j->out, "dice");
			buf_putc(&j->out, '[');
		}
		any = true;
		die_object(j, r);
	}
	if (any)
		buf_putc(&j->out, ']');
}

/* ---- modifiers ---- */

static void answer_member(struct teller *j, const char *key, int32_t number, int question, word value)
{
	const struct program *p = j->log.p;
	struct vtype type = question >= 0 && question < p->questions ? p->question[question].type : (struct vtype){.base = VT_NUMBER};
	if (type.base == VT_TIME || type.base == VT_SET) {
		TEXT_MEMBER(j, key, log_answer(&j->log, number, question, value, &text_));
		return;
	}
	value_member(j, key, type, &value);
}

static void modifier_object(struct teller *j, int32_t number)
{
	const struct record *q = log_at(&j->log, number);
	struct vtype type = q->what >= 0 && q->what < j->log.p->questions ? j->log.p->question[q->what].type : (struct vtype){.base = VT_NUMBER};
	emit_comma(&j->out);
	buf_putc(&j->out, '{');
	TEXT_MEMBER(j, "name", log_question(&j->log, number, &text_));
	emit_key(&j->out, "parts");
	buf_putc(&j->out, '[');
	for (int32_t i = log_child(&j->log, number); i >= 0; i = log_sibling(&j->log, i)) {
		const struct record *r = log_at(&j->log, i);
		static const char *const by[REC_KINDS] = {[REC_BASE] = "base", [REC_LOST] = "lost", [REC_ADJUST] = "adjust", [REC_BOUND] = "limit"};
		if (r->dropped || !by[r->kind])
			continue;
		emit_comma(&j->out);
		buf_putc(&j->out, '{');
		emit_member(&j->out, "by", by[r->kind]);
		if (r->kind == REC_ADJUST)
			value_member(j, "value", type, &r->value);
		else if (r->kind != REC_LOST)
			answer_member(j, "value", i, q->what, r->value);
		rule_members(j, r->clause);
		buf_putc(&j->out, '}');
	}
	buf_putc(&j->out, ']');
	answer_member(j, "value", number, q->what, q->value);
	buf_putc(&j->out, '}');
}

static void modifiers_member(struct teller *j, int32_t event)
{
	bool any = false;
	for (int32_t i = log_child(&j->log, event); i >= 0; i = log_sibling(&j->log, i)) {
		if (log_at(&j->log, i)->kind != REC_QUESTION || log_at(&j->log, i)->dropped || !log_weighed(&j->log, i))
			continue;
		if (!any) {
			emit_key(&j->out, "modifiers");
			buf_putc(&j->out, '[');
		}
		any = true;
		modifier_object(j, i);
	}
	if (any)
		buf_putc(&j->out, ']');
}

/* The role whose value a record says was changed; NULL: it is no such record, or a damaged one. */
static const struct role_info *recast_role(const struct teller *j, const struct record *r)
{
	if (r->kind != REC_RECAST || r->dropped || r->what < 0 || r->what >= j->log.p->events)
		return NULL;
	const struct event_info *e = &j->log.p->event[r->what];
	return r->owner >= 0 && r->owner < e->roles ? &e->role[r->owner] : NULL;
}

/* What rules changed of what an event is about before it happened. */
static void recast_member(struct teller *j, int32_t event)
{
	bool any = false;
	for (int32_t i = log_child(&j->log, event); i >= 0; i = log_sibling(&j->log, i)) {
		const struct record *r = log_at(&j->log, i);
		const struct role_info *role = recast_role(j, r);
		if (!role)
			continue;
		if (!any) {
			emit_key(&j->out, "recast");
			buf_putc(&j->out, '[');
		}
		any = true;
		const word now = r->value, *was = trace_values_at(j->log.t, r);
		emit_comma(&j->out);
		buf_putc(&j->out, '{');
		emit_member(&j->out, "role", role->name);
		if (was && role->type.base != VT_SET) { /* only a set's first word is in the log */
			value_member(j, "was", role->type, was);
			value_member(j, "is", role->type, &now);
		}
		rule_members(j, r->clause);
		buf_putc(&j->out, '}');
	}
	if (any)
		buf_putc(&j->out, ']');
}

/* ---- objects ---- */

/* "osric, gentle" as an array of names. */
static void rules_member(struct teller *j, const char *rules)
{
	emit_key(&j->out, "rules");
	buf_putc(&j->out, '[');
	for (const char *s = rules; *s;) {
		size_t skip = strspn(s, ", ");
		s += skip;
		size_t n = strcspn(s, ",");
		while (n > 0 && s[n - 1] == ' ')
			n--;
		if (n > 0) {
			struct buf name = {0};
			buf_add(&name, s, n);
			emit_comma(&j->out);
			emit_text(&j->out, buf_text(&name));
			buf_free(&name);
		}
		s += n + strcspn(s + n, ",");
	}
	buf_putc(&j->out, ']');
}

static void run_object(struct teller *j)
{
	const struct program *p = j->log.p;
	buf_putc(&j->out, '{');
	emit_member(&j->out, "event", "run");
	emit_member(&j->out, "kind", "run");
	emit_member(&j->out, "version", j->run->version ? j->run->version : "");
	emit_member(&j->out, "script", p->script ? p->script : "");
	emit_member(&j->out, "encounter", p->encounter ? p->encounter : "");
	rules_member(j, p->ruleset ? p->ruleset : "");
	emit_key(&j->out, "options");
	buf_putc(&j->out, '{');
	for (int i = 0; i < p->options; i++)
		emit_member(&j->out, p->option[i].name, p->option[i].value ? p->option[i].value : "");
	buf_putc(&j->out, '}');
	emit_unsigned(&j->out, "seed", j->run->seed);
	emit_unsigned(&j->out, "trial", j->run->trial);
	if (j->run->max_rounds)
		emit_unsigned(&j->out, "max rounds", j->run->max_rounds);
	close(j);
}

/* Of which act this is the end, and which of the ends there are. */
static void end_members(struct teller *j, int32_t i)
{
	const word begun = log_at(&j->log, i)->value;
	if (begun <= 0)
		return;
	emit_number(&j->out, "ends", begun);
	emit_member(&j->out, "end", log_end(&j->log, i));
}

static void event_object(struct teller *j, int32_t i)
{
	static const char *const outcome[] = {"done", "replaced", "interrupted", "void"};
	const struct record *r = log_at(&j->log, i);
	open(j, r->what >= 0 && r->what < j->log.p->events ? j->log.p->event[r->what].name : "", "event", i);
	who_members(j, r);
	rule_members(j, r->clause);
	if (r->act >= 0)
		emit_number(&j->out, "act", r->act);
	emit_member(&j->out, "outcome", r->flag < FRAY_COUNT(outcome) ? outcome[r->flag] : "done");
	end_members(j, i);
	r = log_at(&j->log, i);
	if (r->text >= 0)
		emit_member(&j->out, "told", trace_text_at(j->log.t, r->text));
	argument_members(j, r);
	dice_member(j, i);
	modifiers_member(j, i);
	recast_member(j, i);
	close(j);
}

/* Declared, refused, void, pended, interrupted, left over: an act and what became of it. */
static void act_object(struct teller *j, int32_t i, const char *kind)
{
	static const char *const why[] = {"unable", "refused", "interrupted", "given up"};
	const struct record *r = log_at(&j->log, i);
	open(j, kind, kind, i);
	who_members(j, r);
	rule_members(j, r->clause);
	if (r->what >= 0 && r->what < j->log.p->events)
		emit_member(&j->out, "deed", j->log.p->event[r->what].name);
	emit_number(&j->out, "act", r->act);
	if (r->kind == REC_DECLARE || r->kind == REC_REFUSED)
		emit_member(&j->out, "by", decided_name(r->flag));
	if (r->kind == REC_VOID)
		emit_member(&j->out, "reason", why[r->flag < FRAY_COUNT(why) ? r->flag : 0]);
	if (r->kind == REC_LEFT)
		TEXT_MEMBER(j, "reason", end_because(&j->log, i, &text_));
	if (r->kind == REC_PEND && r->value > 0)
		emit_number(&j->out, "of", r->value);
	if (r->kind == REC_LEFT && r->value <= 0) /* of a line that nobody took: nothing was begun */
		emit_member(&j->out, "end", log_end(&j->log, i));
	else if (r->kind == REC_CANCEL || r->kind == REC_LEFT)
		end_members(j, i);
	r = log_at(&j->log, i);
	argument_members(j, r);
	TEXT_MEMBER(j, "told", log_sentence(&j->log, i, &text_));
	close(j);
}

static void text_object(struct teller *j, int32_t i, const char *kind)
{
	const struct record *r = log_at(&j->log, i);
	open(j, kind, kind, i);
	rule_members(j, r->clause);
	TEXT_MEMBER(j, "told", log_sentence(&j->log, i, &text_));
	close(j);
}

static void roll_object(struct teller *j, int32_t i)
{
	const struct record *r = log_at(&j->log, i);
	const struct label_info *l = r->what >= 0 && r->what < j->log.p->labels ? &j->log.p->label[r->what] : NULL;
	open(j, "roll", "roll", i);
	if (l && l->owner.base == VT_LIVE && l->owner.kind == KIND_COMBATANT && r->owner != NONE)
		TEXT_MEMBER(j, "actor", program_live(j->log.p, KIND_COMBATANT, r->owner, &text_));
	rule_members(j, r->clause);
	emit_key(&j->out, "dice");
	buf_putc(&j->out, '[');
	die_object(j, r);
	buf_putc(&j->out, ']');
	close(j);
}

static void choice_object(struct teller *j, int32_t i)
{
	const struct record *r = log_at(&j->log, i);
	const struct choice_info *c = r->what >= 0 && r->what < j->log.p->choices ? &j->log.p->choice[r->what] : NULL;
	open(j, "choice", "choice", i);
	if (c && r->owner != NONE)
		TEXT_MEMBER(j, "actor", program_live(j->log.p, c->owner.base == VT_LIVE ? c->owner.kind : KIND_COMBATANT, r->owner, &text_));
	rule_members(j, r->clause);
	emit_member(&j->out, "choice", c ? c->name : "");
	if (c)
		value_member(j, "answer", c->type, &r->value);
	emit_member(&j->out, "by", decided_name(r->flag));
	close(j);
}

static void change_object(struct teller *j, int32_t i)
{
	const struct record *r = log_at(&j->log, i);
	const struct program *p = j->log.p;
	const word *old = trace_values_at(j->log.t, r);
	bool pair = r->kind == REC_CHANGE && r->flag == 1;
	struct vtype type = {.base = VT_NUMBER};
	open(j, r->kind == REC_EDIT ? "edit" : "change", r->kind == REC_EDIT ? "edit" : "change", i);
	rule_members(j, r->clause);
	TEXT_MEMBER(j, "what", log_place(&j->log, r, &text_));
	if (pair && r->what >= 0 && r->what < p->pairs)
		type = p->pair[r->what].type;
	else if (!pair && r->what >= 0 && r->what < p->fields)
		type = p->field[r->what].type;
	if (type.base != VT_SET && type.base != VT_LIST) {
		if (old)
			value_member(j, "old", type, old);
		value_member(j, "new", type, &r->value);
	}
	emit_flag(&j->out, "by hand", r->kind == REC_EDIT || r->flag == 2);
	TEXT_MEMBER(j, "told", log_sentence(&j->log, i, &text_));
	close(j);
}

static void outcome_object(struct teller *j, int32_t i)
{
	static const char *const how[] = {"over", "rounds", "stopped", "played"};
	const struct record *r = log_at(&j->log, i);
	open(j, "outcome", "outcome", i);
	emit_member(&j->out, "outcome", r->flag < FRAY_COUNT(how) ? how[r->flag] : "stopped");
	if (r->flag == OUTCOME_OVER && r->owner != NONE)
		TEXT_MEMBER(j, "winner", program_live(j->log.p, KIND_SIDE, r->owner, &text_));
	TEXT_MEMBER(j, "told", log_outcome(&j->log, r, &text_));
	close(j);
}

static void object(struct teller *j, int32_t i)
{
	const struct record *r = log_at(&j->log, i);
	switch (r->kind) {
	case REC_PHASE:
		open(j, "phase", "phase", i);
		emit_member(&j->out, "phase", r->what >= 0 && r->what < j->log.p->phases ? j->log.p->phase[r->what].name : "");
		close(j);
		break;
	case REC_ROUND:
		open(j, "round", "round", i);
		emit_number(&j->out, "number", r->value);
		close(j);
		break;
	case REC_GROUP:
		open(j, "group", "group", i);
		emit_number(&j->out, "size", r->value);
		close(j);
		break;
	case REC_EVENT:
		event_object(j, i);
		break;
	case REC_ROLL:
		roll_object(j, i);
		break;
	case REC_NOTE:
		text_object(j, i, "note");
		break;
	case REC_REFER:
		text_object(j, i, "referee");
		break;
	case REC_CHOICE:
		choice_object(j, i);
		break;
	case REC_DECLARE:
		act_object(j, i, "declare");
		break;
	case REC_REFUSED:
		act_object(j, i, "refused");
		break;
	case REC_VOID:
		act_object(j, i, "void");
		break;
	case REC_PEND:
		act_object(j, i, "pend");
		break;
	case REC_CANCEL:
		act_object(j, i, "interrupted");
		break;
	case REC_LEFT:
		act_object(j, i, "left");
		break;
	case REC_CHANGE:
	case REC_EDIT:
		change_object(j, i);
		break;
	case REC_OUTCOME:
		outcome_object(j, i);
		break;
	default: /* RUN is the first object; questions, their parts, keys and moves: see above */
		break;
	}
}

void json_tell(const struct program *p, const struct trace *t, int32_t from, const struct json_run *run)
{
	struct teller j = {.run = run};
	log_open(&j.log, p, t);
	if (from <= 0)
		run_object(&j);
	/* dropped copies are left out, but their dice fell: a replay needs them */
	for (int32_t i = from < 0 ? 0 : from; i < j.log.n; i++) {
		uint64_t errand = trace_errand(t);
		if (!log_at(&j.log, i)->dropped || log_at(&j.log, i)->kind == REC_ROLL)
			object(&j, i);
		trace_done(t, errand);
	}
	buf_free(&j.out);
	log_close(&j.log);
}
