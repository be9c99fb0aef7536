/* event_cause.c - what led to a record: the clause around it, the change that met a condition, the comparison that
 * decided, whose doing it was, who declared it. See event.h. */
#include "runtime/explain/event.h"

#include <string.h>

#include "runtime/explain/sum.h"

enum { UP_MOST = 16, CHANGES_BACK = 4000 };

int event_people(const struct event_info *e)
{
	int n = 0;
	for (int k = 0; k < e->roles; k++)
		n += (e->role[k].type.base == VT_LIVE || e->role[k].type.base == VT_SET) &&
			e->role[k].type.kind == KIND_COMBATANT;
	return n;
}

bool event_is_told(const struct log *l, int32_t number)
{
	const struct record *r = log_at(l, number);
	return r && r->kind == REC_EVENT && r->text >= 0;
}

bool event_told_within(const struct log *l, int32_t act)
{
	for (int32_t i = log_child(l, act); i >= 0; i = log_sibling(l, i))
		if (log_at(l, i)->kind == REC_EVENT && !log_at(l, i)->dropped &&
			(event_is_told(l, i) || event_told_within(l, i)))
			return true;
	return false;
}

/* The event that an act begins with. */
bool event_is_root(const struct log *l, int32_t number)
{
	const struct record *r = log_at(l, number);
	return r->kind == REC_EVENT && r->act >= 0 && (r->parent < 0 || log_at(l, r->parent)->act != r->act);
}

/* The clause in whose body something was brought about; -1: of an act, which nothing but its turn brings about. */
int32_t event_clause(const struct log *l, int32_t number)
{
	const struct record *r = log_at(l, number);
	if (event_is_root(l, number))
		return -1;
	const int32_t clause = r->kind == REC_EVENT ? r->faces : r->clause;
	return clause >= 0 && clause < l->p->clauses ? clause : -1;
}

/* The whenever clause that an event, or an event around it in the same breath, comes from; *from: that event. -1. */
int32_t event_whenever(const struct log *l, int32_t number, int32_t *from)
{
	for (int32_t i = number, up = 0; i >= 0 && up < UP_MOST; i = log_at(l, i)->parent, up++) {
		int32_t clause = event_clause(l, i);
		if (clause >= 0 && l->p->clause[clause].sort == CLAUSE_WHENEVER) {
			*from = i;
			return clause;
		}
		if (clause < 0 || (log_at(l, i)->kind == REC_EVENT && log_at(l, i)->text >= 0 && i != number && !event_is_told(l, log_at(l, i)->parent)))
			break;
	}
	return -1;
}

/* How a clause may ask for a field: "who's nerve = .."; or "who's rout is .."; or "actor's dodged"
 * alone. */
enum asking { BY_NUMBER, BY_WORD, BY_FLAG };

/* Does a clause ask how this field of somebody's is? To set it is not to ask. */
static bool asks_field(const char *text, const char *field, enum asking how)
{
	struct buf own = {0};
	buf_printf(&own, "'s %s", field);
	bool found = false;
	for (const char *at = text; !found && (at = strstr(at, buf_text(&own))) != NULL;
		 at += own.length) {
		const char *from = at;
		while (from > text && !strchr("{};", from[-1]))
			from--;
		from += strspn(from, " ");
		const char *next = at + own.length + strspn(at + own.length, " ");
		const bool ends = strchr(" )}", at[own.length]) != NULL,
				   number = *next && strchr("<>=", *next);
		const bool named = how >= BY_WORD && !strncmp(next, "is ", 3);
		found = ends && strncmp(from, "set ", 4) && (number || named || how == BY_FLAG);
	}
	buf_free(&own);
	return found;
}

/* Does a condition, or what defines an adjective in it, compare this field? */
static bool decides(const struct program *p, int32_t clause, const char *field)
{
	const char *text = p->clause[clause].text;
	if (!text || asks_field(text, field, BY_NUMBER))
		return text != NULL;
	for (int32_t c = 0; c < p->clauses; c++) {
		const struct clause_info *x = &p->clause[c];
		if (x->sort == CLAUSE_DEFINE && x->text && x->question >= 0 &&
			strstr(text, p->question[x->question].name) && asks_field(x->text, field, BY_NUMBER))
			return true;
	}
	return false;
}

/* The change before an event that its condition looks at: of those in one moment the one of a number that is compared; -1. */
int32_t event_change(const struct log *l, int32_t event, int32_t clause)
{
	const struct program *p = l->p;
	const word who = log_actor(l, log_at(l, event));
	int32_t found = -1;
	int k = 0;
	while (k < p->whenevers && p->whenever[k].clause != clause)
		k++;
	if (k == p->whenevers)
		return -1;
	const uint64_t bit = 1ull << (k > 63 ? 63 : k);
	for (int32_t i = event - 1; i >= 0 && i > event - CHANGES_BACK; i--) {
		const struct record *r = trace_look(l->t, i);
		if (r->kind != REC_CHANGE || r->dropped || r->flag == 1 || r->what < 0 || r->what >= p->fields || !(p->field[r->what].touches & bit) ||
		    (p->field[r->what].kind == KIND_COMBATANT && who != NONE && r->owner != who))
			continue;
		if (found >= 0 && (r->round != trace_look(l->t, found)->round || r->time != trace_look(l->t, found)->time))
			break;
		found = found < 0 ? i : found;
		if (decides(p, clause, p->field[r->what].name))
			return i;
	}
	return found;
}

int32_t event_suffered(const struct log *l, int32_t number)
{
	const word who = log_at(l, number)->owner;
	for (int32_t i = log_at(l, number)->parent, up = 0; i >= 0 && up < UP_MOST; i = log_at(l, i)->parent, up++)
		if (event_is_told(l, i) && log_actor(l, log_at(l, i)) == who)
			return i;
	return -1;
}

int32_t event_occasion(const struct log *l, int32_t number)
{
	const word who = log_actor(l, log_at(l, number));
	const char *name = who == NONE ? "" : l->p->live[KIND_COMBATANT][who].name;
	size_t subject, verb;
	for (int32_t i = log_at(l, number)->parent, up = 0; i >= 0 && up < UP_MOST && *name;
		 i = log_at(l, i)->parent, up++) {
		const char *text = event_is_told(l, i) && log_actor(l, log_at(l, i)) == who
			? trace_text_at(l->t, log_at(l, i)->text)
			: "";
		if (!strncmp(text, name, strlen(name)) && english_split(l->p, text, &subject, &verb) &&
			subject == strlen(name))
			return event_is_root(l, i) ? -1 : i;
	}
	return -1;
}

/* Somebody's doing, to somebody else: the event around that a cause is told by. -1. */
int32_t event_doing(const struct log *l, int32_t number, word but)
{
	for (int32_t i = log_at(l, number)->parent, up = 0; i >= 0 && up < UP_MOST; i = log_at(l, i)->parent, up++) {
		const struct record *r = log_at(l, i);
		struct vtype type;
		const word *target;
		if (r->kind != REC_EVENT || r->text < 0)
			continue;
		const word actor = log_actor(l, r);
		if (actor != NONE && (actor != but || (log_target(l, r, &type, &target) && but == NONE)))
			return i;
	}
	return -1;
}

/* The comparison that let this come: below the event it happened in, or one around that. -1. */
int32_t event_decided(const struct log *l, int32_t number)
{
	int32_t before = number;
	for (int32_t i = log_at(l, number)->parent, up = 0; i >= 0 && up < UP_MOST; before = i, i = log_at(l, i)->parent, up++) {
		int32_t found = sum_before(l, i, before, true, "");
		struct sum s = {0};
		/* that a die is not one certain number lets other rules decide: "2 is not 20" */
		while (found >= 0 && sum_read(l, found, &s) && s.how && !strcmp(s.how, "=") &&
			!s.holds)
			found = sum_before(l, i, found, true, "");
		if (found >= 0 && s.record == found && sum_has_die(l, &s) && !sum_is_trivial(&s))
			return found;
		if (event_is_told(l, i) && !l->p->event[log_at(l, i)->what].action)
			break; /* that is what brought it about */
	}
	return -1;
}


/* What left an act pending that is due by itself: "Halvaine began casting web"; -1. */
int32_t event_begun(const struct log *l, int32_t number)
{
	const struct record *e = log_at(l, number);
	const int32_t pend = event_is_root(l, number) && e->value > 0 && e->value < number ? (int32_t)e->value : -1;
	if (pend < 0 || log_at(l, pend)->kind != REC_PEND)
		return -1;
	int32_t i = log_at(l, pend)->parent;
	for (int up = 0; i >= 0 && up < UP_MOST && !event_is_told(l, i); up++)
		i = log_at(l, i)->parent;
	return i >= 0 && event_is_told(l, i) ? i : -1;
}

int32_t event_prompted(const struct log *l, int32_t number)
{
	const struct program *p = l->p;
	const struct record r = *log_at(l, number);
	const bool due =
		r.kind == REC_EVENT && event_is_root(l, number) && r.value > 0 && r.value < number;
	const int32_t clause = due ? log_at(l, (int32_t)r.value)->clause : event_clause(l, number);
	const word who = log_actor(l, log_at(l, number));
	int32_t found = -1;
	if (clause < 0 || who == NONE || !p->clause[clause].text)
		return -1;
	for (int i = 0; i < p->fields; i++) {
		if (p->field[i].kind != KIND_COMBATANT ||
			!asks_field(p->clause[clause].text, p->field[i].name,
				p->field[i].type.base == VT_BOOL ? BY_FLAG : BY_WORD))
			continue;
		const int32_t change = trace_back_to_change(l->t, number - 1, i, who);
		found = change > found ? change : found;
	}
	return found;
}

/* The last dice of an event's body before a record of it; -1. */
static int32_t last_roll(const struct log *l, int32_t event, int32_t before)
{
	int32_t found = -1;
	for (int32_t k = log_child(l, event); k >= 0 && k < before; k = log_sibling(l, k))
		if (log_at(l, k)->kind == REC_ROLL && !log_at(l, k)->dropped)
			found = k;
	return found;
}

int32_t event_rolled(const struct log *l, int32_t number, int32_t *roll)
{
	int32_t i = number;
	for (int up = 0; i >= 0 && up < UP_MOST; up++) {
		const int32_t before = i;
		const struct record r = *log_at(l, i);
		/* a die is rolled for what was left pending before that comes about */
		const bool due = r.kind == REC_EVENT && event_is_root(l, i) && r.value > 0 && r.value < i;
		i = due ? (int32_t)r.value : r.parent;
		if (i < 0 || (log_at(l, i)->kind != REC_EVENT && log_at(l, i)->kind != REC_PEND))
			break; /* the dice of a phase are everybody's */
		*roll = last_roll(l, i, before);
		if (*roll >= 0)
			return i;
	}
	return -1;
}

/* Somebody else's doing around it: the blow, where somebody saves against what it brings; -1. */
int32_t event_befell(const struct log *l, int32_t number)
{
	const struct record *r = log_at(l, number);
	const char *text = r->text >= 0 ? trace_text_at(l->t, r->text) : "";
	const int32_t cause = event_doing(l, number, r->kind == REC_EVENT ? log_actor(l, r) : NONE);
	if (cause < 0)
		return -1;
	const word actor = log_actor(l, log_at(l, cause));
	const char *name = actor == NONE ? "" : l->p->live[KIND_COMBATANT][actor].name;
	size_t subject, verb;
	/* only what is told of the one it befell */
	return *name && english_split(l->p, text, &subject, &verb) && strncmp(text, name, strlen(name)) ? cause : -1;
}

/* The DECLARE record of the act that an event is; -1. */
int32_t event_declared(const struct log *l, int32_t number)
{
	const struct record *e = log_at(l, number);
	int32_t at = (int32_t)e->value;
	for (int up = 0; at > 0 && at < number && up < UP_MOST; up++) {
		const struct record *r = log_at(l, at);
		if (r->kind == REC_DECLARE)
			return at;
		if (r->kind != REC_PEND || r->value <= 0)
			break;
		at = (int32_t)r->value;
	}
	const word who = log_actor(l, e);
	for (at = number - 1; at >= 0 && trace_look(l->t, at)->round == e->round; at--) {
		const struct record *r = trace_look(l->t, at);
		if (r->kind == REC_DECLARE && !r->dropped && r->what == e->what && log_actor(l, log_at(l, at)) == who)
			return at;
	}
	return -1;
}

bool event_is_act(const struct log *l, int32_t number)
{
	return event_is_root(l, number) && l->p->event[log_at(l, number)->what].action;
}
