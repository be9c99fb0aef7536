/* otherwise.c - see otherwise.h.
 *
 * Dice that fell before, those nearest to what is asked about first, are given other faces one
 * at a time: the fight is played on from the beat in which the die fell, with all other dice
 * as they fell, and looked at. The search is bounded in dice and in instructions. */
#include "lang/api/otherwise.h"

#include <stdlib.h>
#include <string.h>

#include "lang/api/lines.h"
#include "lang/api/session.h"
#include "runtime/explain/event.h"
#include "runtime/explain/explain.h"
#include "runtime/explain/log.h"
#include "runtime/vm/whatif.h"
#include "runtime/world/block.h"

enum { CANDIDATES = 8, FACES_NEAR = 2, RECORDS_BACK = 20000, FACES_MOST = 100, FUEL = 2000000, STEPS_MOST = 400, VALUE_WORDS = 16, VERY_NEAR = 10, OF_THE_ROUND = 4, TIERS = 4 };

struct candidate {
	int32_t record;          /* the roll */
	int back;                /* so many beats ago it fell .. */
	const word *start;       /* .. in the beat that began here .. */
	const word *after;       /* .. and ended here; both borrowed */
	int done;                /* how often what was denied happened all the same since then */
	uint64_t hash;
	uint32_t occurrence;
	int64_t was, least, most;
	const struct dice *dice; /* NULL: a chance */
	int32_t round;           /* when it fell */
	word time;
	int near, tier;          /* tier: 0 the very act, 1 an act of that round, 2 the round's own dice, 3 farther */
};

struct search {
	struct dice_source source;
	struct fray *f;
	const struct otherwise *q;
	struct candidate at[CANDIDATES];
	struct dice dice[CANDIDATES];
	word *start[CANDIDATES];      /* worlds that candidates are tried from, the latest first .. */
	word *after[CANDIDATES];      /* .. and what the beat made of them */
	int n, starts;
	bool typed;                   /* dice were asked for */
	const struct candidate *die;  /* the one that is changed */
	int64_t value;
	struct whatif *tries;
	int32_t round, round_from;    /* of what is asked about; its first record */
	int32_t root;                 /* the act that an event happened in, or the event itself */
	int times;                    /* how often it had happened in that round by then; of an order, which came first */
	int order;                    /* which came first in the last try */
	word was[VALUE_WORDS], is[VALUE_WORDS];
	int words;
	int beats;                    /* the present one */
	word present_round, present;  /* and its time */
	bool ended;                   /* the present is the end of the fight */
	bool once;                    /* what befalls one alone: sooner or later it is the same */
	int32_t told_to;              /* records of a try up to the present: what is to come is nobody's business */
	bool gave_up;
	bool same;                    /* the last try came to the fight's own world */
	/* the smallest change so far */
	const struct candidate *best;
	int64_t best_value;
	bool best_all;                /* everything beyond will do as well */
};

/* ---- which dice ---- */

static int touches(const struct program *p, const struct trace *t, const struct record *e, word who)
{
	const word *values = who == NONE ? NULL : trace_values_at(t, e);
	if (!values)
		return 0;
	for (int k = 0; k < p->event[e->what].roles; k++) {
		const struct role_info *role = &p->event[e->what].role[k];
		if (role->type.base == VT_LIVE && role->type.kind == KIND_COMBATANT && values[role->word] == who)
			return 1;
	}
	return 0;
}

/* How much a roll has to do with it: part of the very event, its owner named, in an event
 * around it somebody who is named. */
static int nearness(const struct search *s, const struct trace *t, int32_t number)
{
	const struct program *p = s->f->program;
	const struct record roll = *trace_get(t, number), *r = &roll; /* a copy: what it happened in is looked up far back */
	const struct label_info *l = &p->label[r->what];
	const word set[3] = {s->q->who, s->q->whom, s->q->sort == OTHERWISE_ORDER ? s->q->other : NONE};
	int near = 0;
	for (int k = 0; k < 3; k++) {
		if (set[k] == NONE)
			continue;
		near += l->owner.base == VT_LIVE && l->owner.kind == KIND_COMBATANT && r->owner == set[k];
		near += l->owner.base == VT_LIVE && l->owner.kind == KIND_SIDE &&
		        r->owner == vm_block(s->f->vm)[p->field[p->at.combatant_side].base + (uint32_t)set[k] * p->field[p->at.combatant_side].stride];
		for (int32_t i = r->parent; i >= 0; i = trace_get(t, i)->parent)
			if (trace_get(t, i)->kind == REC_EVENT && touches(p, t, trace_get(t, i), set[k])) {
				near++;
				break;
			}
	}
	if (s->q->sort == OTHERWISE_ORDER && r->act < 0)
		near += OF_THE_ROUND; /* initiative and the like */
	for (int32_t k = r->parent; k >= 0 && s->root >= 0; k = trace_get(t, k)->parent)
		if (k == s->root)
			return near + VERY_NEAR;
	return near;
}

/* The last record that hangs below one. */
static int32_t end_of(const struct trace *t, int32_t number)
{
	int32_t end = number;
	for (int32_t i = number + 1; i < t->n && i < number + 2000; i++) {
		int32_t parent = trace_get(t, i)->parent;
		while (parent > number)
			parent = trace_get(t, parent)->parent;
		if (parent == number)
			end = i;
	}
	return end;
}

static bool candidate_of(struct search *s, int32_t number, uint32_t occurrence, struct candidate *c, struct dice *dice)
{
	const struct program *p = s->f->program;
	const struct trace *t = vm_trace(s->f->vm);
	const struct record *r = trace_get(t, number);
	const word *v = trace_values_at(t, r);
	int least = 0, most = 1;
	memset(c, 0, sizeof *c);
	if (!v)
		return false;
	if (v[0] != NONE) {
		const struct dice_info *d = &p->dice[v[0]];
		*dice = (struct dice){d->count, d->sides, d->keep, (enum dice_keep)d->keep_how, d->explode, d->reroll, d->add};
		dice_range(dice, &least, &most);
	}
	c->dice = v[0] != NONE ? dice : NULL;
	c->record = number;
	c->round = r->round;
	c->time = r->time;
	c->hash = program_roll_hash(p, r->what, r->owner);
	c->occurrence = occurrence;
	c->was = r->value;
	c->least = least;
	c->most = most;
	return most - least <= FACES_MOST;
}

struct seen { int32_t label; word owner; uint32_t n; };

static void list_candidates(struct search *s)
{
	const struct trace *t = vm_trace(s->f->vm);
	VEC(struct seen) seen = {0};
	/* what has begun comes no sooner or later for a die that falls in it */
	int32_t end = s->q->sort == OTHERWISE_ORDER ? s->q->record : s->q->record >= 0 ? end_of(t, s->q->record) : t->n - 1;
	for (int32_t i = t->n - 1; i >= 0 && i >= t->n - RECORDS_BACK; i--) {
		const struct record *r = trace_get(t, i);
		struct candidate c;
		struct dice dice;
		int k = 0, at;
		if (r->kind != REC_ROLL)
			continue;
		while (k < seen.n && (seen.v[k].label != r->what || seen.v[k].owner != r->owner))
			k++;
		if (k == seen.n) {
			struct seen one = {r->what, r->owner, 0};
			VEC_PUSH(seen, one);
		}
		uint32_t all = vm_rolled(s->f->vm, r->what, r->owner);
		if (++seen.v[k].n > all)
			continue;
		if (i > end || r->round < s->round - 1 || !candidate_of(s, i, all - seen.v[k].n, &c, &dice))
			continue;
		c.near = nearness(s, t, i);
		r = trace_get(t, i);
		c.tier = c.near >= VERY_NEAR ? 0 : s->root < 0 || r->round != s->round ? TIERS - 1 : r->act >= 0 ? 1 : 2;
		for (at = s->n; at > 0 && s->at[at - 1].near < c.near; at--)
			;
		if (at >= CANDIDATES)
			continue;
		s->n += s->n < CANDIDATES;
		for (int x = s->n - 1; x > at; x--) {
			s->at[x] = s->at[x - 1];
			s->dice[x] = s->dice[x - 1];
		}
		s->at[at] = c;
		s->dice[at] = dice;
	}
	VEC_FREE(seen);
	for (int i = 0; i < s->n; i++)
		if (s->at[i].dice)
			s->at[i].dice = &s->dice[i];
}

static int latest_first(const void *a, const void *b)
{
	const struct candidate *x = *(const struct candidate *const *)a, *y = *(const struct candidate *const *)b;
	return (x->record < y->record) - (x->record > y->record);
}

/* The acts that answer a denial, from record `from` on: how many, and the one behind the first
 * `past` of them. */
static int answering(const struct search *s, int32_t from, int past, int32_t *found)
{
	const struct trace *t = vm_trace(s->f->vm);
	const struct otherwise *q = s->q;
	const struct log l = {.p = s->f->program, .t = t, .n = t->n};
	int n = 0;
	for (int32_t i = from; i < t->n; i++)
		if (altered_answers(&l, q, i) && n++ == past && found)
			*found = i;
	return n;
}

/* Finds the world before the beat in which each die fell. Those it cannot be found for are
 * left out; the others are put into `order`, the latest first: they are played on soonest. */
static int place_candidates(struct search *s, const struct candidate *order[CANDIDATES])
{
	int kept = 0, back = 0, n = 0;
	struct candidate *all[CANDIDATES];
	word *world = NULL;
	for (int i = 0; i < s->n; i++)
		all[i] = &s->at[i];
	qsort(all, (size_t)s->n, sizeof *all, latest_first);
	for (; n < s->n; n++) {
		struct candidate *c = all[n];
		if (!world || world[H_TRACE] > c->record) {
			world = NULL; /* the last one is kept */
			while (++back <= s->beats && !world) {
				world = session_world_before(s->f, back);
				if (world[H_TRACE] > c->record) {
					free(world);
					world = NULL;
				}
			}
			back--;
			if (!world)
				break;
			s->start[s->starts] = world;
			s->after[s->starts++] = session_world_before(s->f, back - 1);
		}
		c->back = back;
		c->start = world;
		c->after = s->after[s->starts - 1];
		c->done = s->q->sort == OTHERWISE_NOT ? answering(s, (int32_t)world[H_TRACE], -1, NULL) : 0;
		order[kept++] = c;
	}
	return kept;
}

/* ---- another face ---- */

static enum dice_answer roll(struct dice_source *self, const struct dice_ask *ask, struct dice_result *out)
{
	const struct search *s = (const struct search *)self;
	const struct timeline *t = &s->f->session.fork.v[s->f->session.current].line;
	for (int i = 0; i < t->at && s->typed; i++)
		for (int k = 0; k < t->entry.v[i].dice.die.n; k++) {
			const struct table_die *d = &t->entry.v[i].dice.die.v[k];
			if (d->hash == ask->label && d->occurrence == ask->occurrence && !d->rolled)
				return dice_give(ask, d->face, d->faces, d->total, out);
		}
	return DICE_PASS;
}

static bool instead(void *context, const struct dice_ask *ask, struct dice_result *out)
{
	const struct search *s = context;
	enum dice_kind kind = out->kind;
	if (ask->label != s->die->hash || ask->occurrence != s->die->occurrence)
		return false;
	dice_give(ask, NULL, 0, s->value, out);
	out->kind = kind;
	return true;
}

/* The outermost event of the act that a record belongs to. */
static int32_t root_of(const struct trace *t, int32_t number)
{
	int32_t root = number, act = trace_get(t, number)->act;
	for (int32_t i = number; i >= 0; i = trace_get(t, i)->parent)
		if (trace_get(t, i)->kind == REC_EVENT && trace_get(t, i)->act == act && act >= 0)
			root = i;
	return root;
}

/* How often the event happened in that round, from record `from` up to `to`. */
static int happened(const struct search *s, int event, word who, word whom, int32_t from, int32_t to, int32_t *first)
{
	const struct trace *t = vm_trace(s->f->vm);
	int n = 0;
	for (int32_t i = from; i < to; i++)
		if (trace_get(t, i)->round == s->round && explain_is(s->f->program, t, i, event, who, whom)) {
			if (n++ == 0 && first)
				*first = i;
		}
	return n;
}

/* Which of two events came first: -1 the one, 1 the other, 0 for neither: they are of one group of acts. */
static int came(const struct trace *t, int32_t one, int32_t other)
{
	const int32_t a = trace_get(t, root_of(t, one))->group, b = trace_get(t, root_of(t, other))->group;
	return a == b ? 0 : a < b ? -1 : 1;
}

/* Whether it is as it was. `start`: the world played on from. */
static bool as_it_was(struct search *s, const word *start)
{
	const struct otherwise *q = s->q;
	const struct trace *t = vm_trace(s->f->vm);
	int32_t from = (int32_t)start[H_TRACE], one = -1, other = -1;
	switch (q->sort) {
	case OTHERWISE_EVENT:
		/* a die of another act has to keep it from the whole round: who is not slain by one may be
		 * slain by the next; and who is slain sooner or later is slain */
		if (s->once && s->die->near < VERY_NEAR) {
			for (int32_t i = from; i < t->n; i++)
				if (explain_is(s->f->program, t, i, q->event, q->who, q->whom))
					return true;
			return false;
		}
		return happened(s, q->event, q->who, q->whom, s->round_from, t->n, NULL) >=
			(s->die->near >= VERY_NEAR && !s->once ? s->times : 1);
	case OTHERWISE_NOT:
		if (answering(s, from, s->die->done, &one) <= s->die->done)
			return true;
		s->told_to = s->told_to > one ? s->told_to : end_of(t, one) + 1;
		return false;
	case OTHERWISE_ORDER:
		happened(s, q->event, q->who, q->whom, s->round_from, t->n, &one);
		happened(s, q->other_event, q->other, NONE, s->round_from, t->n, &other);
		s->order = one < 0 || other < 0 ? s->times : came(t, one, other);
		return s->order == 0 || s->order == s->times;
	case OTHERWISE_VALUE:
		break;
	}
	vm_program(s->f->vm, q->value->program);
	bool ok = vm_call(s->f->vm, q->value->fn, NULL, 0, s->is, s->words, false);
	vm_program(s->f->vm, s->f->program);
	return !ok || !memcmp(s->is, s->was, sizeof(word) * (size_t)s->words);
}

/* A word of an event in progress: the number of its record? */
static bool is_record(const word *w, uint32_t at)
{
	for (word h = w[H_HAPPENING]; h; h = w[h + HAP_PARENT])
		if (at == (uint32_t)h + HAP_RECORD)
			return true;
	return false;
}

/* Whether the try stands where the fight itself stood after the die's beat: all that follows will be as it was. The two
 * number their records differently, and what events that are over have left behind is nobody's. */
static bool came_to_the_same(struct search *s, const struct candidate *die)
{
	const struct layout *l = &s->f->program->layout;
	word *w = vm_block(s->f->vm), first = die->start[H_TRACE];
	const word *own = die->after;
	block_tidy(w, s->f->program);
	for (uint32_t i = 0; i < H_WORDS; i++)
		if (w[i] != own[i] && i != H_TRACE)
			return false;
	uint32_t used = l->happenings + (uint32_t)w[H_HAPPENINGS], end = l->happenings + l->happening_words;
	if (memcmp(w + H_WORDS, own + H_WORDS, (l->happenings - H_WORDS) * sizeof *w) || memcmp(w + end, own + end, (l->words - end) * sizeof *w))
		return false;
	for (uint32_t i = l->happenings; i < used; i++)
		if (w[i] != own[i] && !(w[i] >= first && own[i] >= first && is_record(w, i)))
			return false;
	return true;
}

/* Plays on from the die's beat with another face; true when it is otherwise then. */
static bool changes(struct search *s, const struct candidate *die, int64_t value)
{
	const word *start = die->start;
	int round_field = (int)s->f->program->field[s->f->program->at.round_number].base;
	s->die = die;
	s->value = value;
	if (s->round_from > (int32_t)start[H_TRACE])
		s->round_from = (int32_t)start[H_TRACE]; /* the round may begin earlier then */
	s->told_to = (int32_t)start[H_TRACE];
	s->same = false;
	if (!whatif_at(s->tries, start)) {
		s->gave_up = true;
		return false;
	}
	for (int i = 0; i < STEPS_MOST; i++) {
		enum vm_status now = vm_step(s->f->vm);
		if (now != VM_PAUSED && now != VM_OVER && now != VM_SYNC) {
			s->gave_up |= now == VM_LIMIT;
			return false;
		}
		word round = vm_block(s->f->vm)[round_field];
		const word time = vm_block(s->f->vm)[H_NOW];
		const bool sooner =
					   round < s->present_round || (round == s->present_round && time < s->present),
				   later =
					   round > s->present_round || (round == s->present_round && time > s->present);
		if (sooner || (round == s->present_round && time == s->present))
			s->told_to = vm_trace(s->f->vm)->n;
		/* a value is looked at where the present is, whatever came before */
		const bool value_at = s->q->sort == OTHERWISE_VALUE && !s->ended &&
			(later || (!sooner && i + 1 >= die->back));
		const bool past = s->q->sort == OTHERWISE_VALUE ? value_at
			: s->once && die->near < VERY_NEAR          ? later && !s->ended
														: round > s->round;
		if (now != VM_PAUSED || past)
			break;
		if (i == 0 && value != die->was && came_to_the_same(s, die)) {
			s->same = true;
			return false;
		}
		/* it has happened as it did */
		if (s->q->sort == OTHERWISE_EVENT && as_it_was(s, start))
			return false;
	}
	return !as_it_was(s, start);
}

static bool can_show(const struct candidate *c, int64_t v)
{
	return v >= c->least && v <= c->most && (!c->dice || dice_can_show(c->dice, v));
}

/* A change is small or large by how many faces there are. */
static bool smaller(const struct search *s, const struct candidate *c, int64_t by)
{
	if (!s->best)
		return true;
	return by * (s->best->most - s->best->least) < llabs(s->best_value - s->best->was) * (c->most - c->least);
}

static void take(struct search *s, const struct candidate *c, int64_t value, bool all)
{
	int64_t by = llabs(value - c->was);
	if (!smaller(s, c, by))
		return;
	s->best = c;
	s->best_value = value;
	s->best_all = all && s->q->sort != OTHERWISE_VALUE;
}

/* Towards an end of its range: where the end changes it, the nearest face that still does. True when the end came to the fight's own world, and so will every face before it. */
static bool try_way(struct search *s, const struct candidate *c, int64_t end)
{
	int64_t way = end > c->was ? 1 : -1, same = c->was, other = end;
	while (!can_show(c, other) && other != c->was)
		other -= way;
	if (other == c->was || !smaller(s, c, 1) || !changes(s, c, other))
		return s->same;
	while (llabs(other - same) > 1 && !s->gave_up) {
		int64_t middle = same + (other - same) / 2;
		if (!can_show(c, middle))
			middle += way; /* only dice that explode leave gaps, of one */
		if (middle == other)
			break;
		if (changes(s, c, middle))
			other = middle;
		else
			same = middle;
	}
	take(s, c, other, other != end);
	return false;
}

static void try_die(struct search *s, const struct candidate *c)
{
	s->same = false;
	bool none_below = try_way(s, c, c->least);
	s->same = false;
	bool none_above = try_way(s, c, c->most);
	/* what only some face in between would do */
	for (int64_t by = 1; by <= FACES_NEAR && !s->best && !s->gave_up; by++)
		for (int64_t v = c->was - by; v <= c->was + by && !s->best; v += 2 * by)
			if (v > c->least && v < c->most && !(v < c->was ? none_below : none_above) && can_show(c, v) && changes(s, c, v))
				take(s, c, v, false);
}

static bool ready(struct search *s)
{
	const struct otherwise *q = s->q;
	const struct trace *t = vm_trace(s->f->vm);
	const word *w = vm_block(s->f->vm);
	s->beats = session_beats(s->f);
	s->present_round = w[s->f->program->field[s->f->program->at.round_number].base];
	s->present = w[H_NOW];
	s->ended = w[H_STAGE] == WORLD_OVER;
	s->once = q->sort == OTHERWISE_EVENT && q->event >= 0 &&
		!s->f->program->event[q->event].action &&
		event_people(&s->f->program->event[q->event]) == 1;
	if (!session_is_open(s->f) || s->beats == 0)
		return false;
	s->round = q->record >= 0 ? trace_get(t, q->record)->round
		: q->asked && q->sort == OTHERWISE_NOT && q->asked->round > 0
		? q->asked->round
		: (int32_t)w[s->f->program->field[s->f->program->at.round_number].base];
	s->round_from = t->n;
	while (s->round_from > 0 && trace_get(t, s->round_from - 1)->round >= s->round)
		s->round_from--;
	s->root = q->record >= 0 && q->sort != OTHERWISE_ORDER ? root_of(t, q->record) : -1;
	if (q->sort == OTHERWISE_EVENT)
		s->times = happened(s, q->event, q->who, q->whom, s->round_from, q->record + 1, NULL);
	if (q->sort == OTHERWISE_ORDER) {
		int32_t one = -1, other = -1;
		happened(s, q->event, q->who, q->whom, s->round_from, t->n, &one);
		happened(s, q->other_event, q->other, NONE, s->round_from, t->n, &other);
		if (one < 0 || other < 0)
			return false;
		s->times = came(t, one, other);
	}
	if (q->sort == OTHERWISE_VALUE) {
		s->words = program_type_words(q->value->program, q->value->type);
		if (s->words > VALUE_WORDS)
			return false;
		memcpy(s->was, q->value->value, sizeof(word) * (size_t)s->words);
	}
	const struct timeline *line = &s->f->session.fork.v[s->f->session.current].line;
	for (int i = 0; i < line->at; i++)
		s->typed |= line->entry.v[i].dice.die.n > 0;
	list_candidates(s);
	return s->n > 0;
}

static void forget_starts(struct search *s)
{
	for (int i = 0; i < s->starts; i++) {
		free(s->start[i]);
		free(s->after[i]);
	}
}

/* The try's story from record `from` up to `end`. */
static void lines_up_to(struct told_lines *l, struct fray *f, int32_t end, int32_t from)
{
	trace_cut(vm_trace(f->vm), end);
	lines_take(l, f->program, vm_trace(f->vm), from);
}

static void keep(struct search *s, struct altered *out)
{
	const struct candidate *c = s->best;
	struct log log = {.p = s->f->program, .t = vm_trace(s->f->vm)};
	const struct record *r = trace_get(log.t, c->record);
	const struct vtype owner = r->what >= 0 && r->what < log.p->labels ? log.p->label[r->what].owner : (struct vtype){0};
	log_label(&log, r, &out->die);
	out->of_side = owner.base == VT_LIVE && owner.kind == KIND_SIDE;
	out->chance = !c->dice;
	out->all = s->best_all;
	out->value = s->best_value;
	out->was = c->was;
}

/* Would the last face of all those that change it leave as much as the first? `as`: what is
 * asked. */
static bool leaves_the_same(struct search *s, const struct altered *as, const char *left)
{
	const struct candidate *c = s->best;
	const int64_t way = s->best_value > c->was ? 1 : -1;
	struct altered last = {
		.event = as->event, .field = as->field, .round = as->round, .time = as->time};
	struct log log;
	int64_t end = way > 0 ? c->most : c->least;
	while (!can_show(c, end) && end != s->best_value)
		end -= way;
	if (!changes(s, c, end))
		return false;
	log_open(&log, s->f->program, vm_trace(s->f->vm));
	altered_gather(&log, s->q, c->start, s->told_to, c->done, &last);
	log_close(&log);
	const bool so = !strcmp(buf_text(&last.left), left);
	altered_free(&last);
	return so;
}

/* "4 or less" is not said where less than 4 would leave more than 4 does. */
static void only_this_face(struct search *s, const struct altered *as)
{
	struct altered first = {
		.event = as->event, .field = as->field, .round = as->round, .time = as->time};
	struct log log;
	if (!s->best_all || s->q->sort != OTHERWISE_EVENT || as->field < 0 ||
		!changes(s, s->best, s->best_value))
		return;
	log_open(&log, s->f->program, vm_trace(s->f->vm));
	altered_gather(&log, s->q, s->best->start, s->told_to, s->best->done, &first);
	log_close(&log);
	if (first.left.length)
		s->best_all = leaves_the_same(s, as, buf_text(&first.left));
	altered_free(&first);
}

void otherwise_find(struct fray *f, const struct otherwise *q, struct altered *out)
{
	struct search s;
	struct vm_host host = {0};
	struct diag_sink silent = {0};
	const struct candidate *order[CANDIDATES];
	memset(out, 0, sizeof *out);
	memset(&s, 0, sizeof s);
	s.source.roll = roll;
	s.f = f;
	s.q = q;
	if (!ready(&s))
		return;
	struct log log;
	log_open(&log, f->program, vm_trace(f->vm));
	altered_asked(&log, q, out);
	log_close(&log);
	int n = place_candidates(&s, order);
	if (n == 0) {
		forget_starts(&s);
		return;
	}
	host.dice = &s.source;
	host.instead = instead;
	host.context = &s;
	host.sink = &silent;
	s.tries = whatif_begin(f->vm, order[n - 1]->start, &host, FUEL,
		q->sort == OTHERWISE_VALUE || s.once ? NONE : s.round);
	/* what is still to come may be it: then nothing is to be said */
	bool open = q->sort == OTHERWISE_NOT && changes(&s, order[0], order[0]->was);
	for (int tier = 0; tier < TIERS && !s.best && !open; tier++)
		for (int i = 0; i < n && !s.gave_up; i++)
			if (order[i]->tier == tier)
				try_die(&s, order[i]);
	int32_t from = s.best ? (int32_t)s.best->start[H_TRACE] : 0;
	if (s.best) {
		/* once more, to be told */
		whatif_for_telling(s.tries, FUEL);
		only_this_face(&s, out);
		whatif_for_telling(s.tries, FUEL);
		out->found = changes(&s, s.best, s.best_value);
		out->order = s.order;
		log_open(&log, f->program, vm_trace(f->vm));
		if (out->found && q->record < 0) { /* what never came has no moment: that of the die */
			out->round = s.best->round;
			out->time = s.best->time;
		}
		if (out->found)
			altered_gather(&log, q, s.best->start, s.told_to, s.best->done, out);
		log_close(&log);
		if (q->sort == OTHERWISE_VALUE)
			program_value(q->value->program, q->value->type, s.is, &out->is);
		else
			lines_up_to(&out->now, f, s.told_to, from);
	}
	whatif_end(s.tries);
	if (out->found) {
		lines_take(&out->then, f->program, vm_trace(f->vm), from);
		log_open(&log, f->program, vm_trace(f->vm));
		altered_sift(&log, q, from, out);
		altered_moment(&log, s.best->record, q->record, out);
		log_close(&log);
		keep(&s, out);
	}
	out->gave_up = !out->found && s.gave_up;
	forget_starts(&s);
}
