/* ledger_worn.c - what armour and shields did for whoever wore them: the blows that hit in spite of
 * them, and those that missed. See ledger.h. */
#include <string.h>

#include "runtime/explain/event.h"
#include "runtime/explain/ledger.h"

static const struct { const char *kind, *value, *wards_off, *instead; } worn[] = {
#define WORN(kind, value, wards_off, instead) {kind, value, wards_off, instead},
#include "stdlib/worn.def"
#undef WORN
};

static int row_of(const struct program *p, int32_t thing)
{
	for (int i = 0; i < (int)FRAY_COUNT(worn); i++)
		if (!strcmp(p->kind[p->thing[thing].kind].name, worn[i].kind))
			return i;
	return -1;
}

/* Is it one thing under two names: "plate" is plate mail? */
static bool same_thing(const struct program *p, int32_t one, int32_t other)
{
	return one == other || p->thing[one].parent == other || p->thing[other].parent == one;
}

const char *ledger_worn_kind(const char *text)
{
	for (size_t i = 0; i < FRAY_COUNT(worn); i++)
		if (!strncmp(text, worn[i].kind, strlen(worn[i].kind)))
			return worn[i].kind;
	return NULL;
}

bool ledger_is_worn(const struct program *p, int32_t thing)
{
	return row_of(p, thing) >= 0;
}

int32_t ledger_borne(const struct program *p, const word *world, word who, int32_t thing, bool *on)
{
	int32_t found = -1;
	*on = false;
	for (int i = 0; i < p->fields; i++) {
		const struct field_info *f = &p->field[i];
		const word *at = world + f->base + (uint32_t)who * f->stride;
		if (f->kind != KIND_COMBATANT || f->hidden)
			continue;
		const bool list = f->type.base == VT_LIST && f->words > 1;
		const word n = list ? at[0] : f->type.base == VT_THING && *at != NONE;
		for (word k = 0; k < n; k++) {
			const word one = list ? at[1 + k] : *at;
			if (one < 0 || one >= p->things || row_of(p, (int32_t)one) < 0 ||
				(thing >= 0 && !same_thing(p, (int32_t)one, thing)) ||
				(thing < 0 && *on))
				continue;
			found = (int32_t)one;
			*on |= !list;
		}
	}
	return found;
}

/* How often an event of that name came to somebody; *last: the last of them. */
static int times_of(const struct inquiry *s, const char *event, const struct question *when,
	word who, int32_t *last)
{
	int n = 0;
	*last = -1;
	for (int32_t i = trace_back(s->t, s->end - 1, 1u << REC_EVENT); i >= 0;
		i = trace_back(s->t, i - 1, 1u << REC_EVENT)) {
		struct vtype type;
		const word *target;
		const struct record r = *log_at(&s->log, i);
		if (r.dropped || r.flag != EVENT_DONE || strcmp(s->p->event[r.what].name, event) ||
			!log_target(&s->log, log_at(&s->log, i), &type, &target) ||
			type.base != VT_LIVE || type.kind != KIND_COMBATANT || *target != who ||
			!event_in_time(&s->log, when, i))
			continue;
		*last = *last < 0 ? i : *last;
		n++;
	}
	return n;
}

bool ledger_worn(const struct inquiry *s, word who, int32_t thing, bool on,
	const struct question *when, struct answer *out)
{
	const int row = row_of(s->p, thing);
	const char *name = s->p->thing[thing].name, *bearer = s->p->live[KIND_COMBATANT][who].name;
	int32_t hit, missed;
	const int hits = times_of(s, worn[row].wards_off, when, who, &hit);
	const int misses = times_of(s, worn[row].instead, when, who, &missed);
	struct buf *about = &out->about;
	if (on)
		buf_printf(about, "%s counts in %s's %s", name, bearer, worn[row].value);
	else
		buf_printf(about, "%s carries %s", bearer, name);
	if (hits + misses == 0)
		buf_printf(about, ", but nobody struck at %s", bearer);
	else if (hits == 0 && misses == 1)
		buf_printf(about, ", and the one blow at %s missed", bearer);
	else if (hits == 0)
		buf_printf(about, ", and all %d blows at %s missed", misses, bearer);
	else if (misses)
		buf_printf(about, ", and %d of %d blows at %s missed", misses,
			hits + misses, bearer);
	else
		buf_printf(about, ", but no blow at %s missed", bearer);
	if (hits + misses == 0)
		event_asked_time(s->p, when, about);
	if (hits || misses) {
		buf_puts(about, hits ? "; " : ": ");
		event_say(s, hits ? hit : missed, about, out);
	}
	if (hits > 1)
		answer_figure(out, hit, -1, "this was the last of %d that hit", hits);
	event_stop(s->p, about);
	return true;
}
