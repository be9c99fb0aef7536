/* force.c - which dice would have made an expectation hold.
 *
 * The fight is played again, silently, with one die changed: to its most, to its least, and,
 * where that is enough, to the nearest face that still is. Dice that only then fall (the damage
 * of a blow that hits) are changed too. All other dice fall as they fell. */
#include <string.h>

#include "lang/api/session.h"
#include "lang/api/interp.h"
#include "runtime/code/show.h"
#include "runtime/explain/log.h"
#include "runtime/world/block.h"

enum { TRIALS_MOST = 400, CANDIDATES = 10, CHANGES = 4, LOG_MOST = 20000, FACES_TRIED = 20, FUEL = 4000000 };

struct fallen { uint64_t hash; uint32_t occurrence; int32_t record; };

struct change {
	uint64_t hash;
	uint32_t occurrence;
	int64_t value, least, most, was;
	bool up, fresh;      /* up: this much or more will do; fresh: it did not fall before */
	bool exact;          /* this and nothing else */
	const char *label;
	int pips;            /* the row of the script's own forced dice it comes from, or -1 */
};

enum rest { AS_THEY_FELL, ALL_LEAST, ALL_MOST };

struct trial {
	struct dice_source source;
	struct fray *f;
	const struct expect_info *e;
	VEC(struct fallen) fallen;    /* the dice of the fight as it was */
	struct change change[CHANGES];
	int changes;
	enum rest rest;               /* of dice that did not fall then */
	bool done, holds;
	int runs;
	struct vm *vm;
};

static uint64_t roll_hash(const struct program *p, const struct record *r)
{
	return program_roll_hash(p, r->what, r->owner);
}

static void list_fallen(const struct program *p, const struct trace *t, struct trial *x)
{
	for (int32_t i = 0; i < t->n; i++) {
		const struct record *r = trace_get(t, i);
		if (r->kind != REC_ROLL)
			continue;
		struct fallen one = {roll_hash(p, r), 0, i};
		for (int k = 0; k < x->fallen.n; k++)
			one.occurrence += x->fallen.v[k].hash == one.hash;
		VEC_PUSH(x->fallen, one);
	}
}

static const struct fallen *find_fallen(const struct trial *x, uint64_t hash, uint32_t occurrence)
{
	for (int i = 0; i < x->fallen.n; i++)
		if (x->fallen.v[i].hash == hash && x->fallen.v[i].occurrence == occurrence)
			return &x->fallen.v[i];
	return NULL;
}

static enum dice_answer roll(struct dice_source *self, const struct dice_ask *ask, struct dice_result *out)
{
	struct trial *x = (struct trial *)self;
	for (int i = 0; i < x->changes; i++)
		if (x->change[i].hash == ask->label && x->change[i].occurrence == ask->occurrence)
			return dice_give(ask, NULL, 0, x->change[i].value, out);
	const struct fallen *before = find_fallen(x, ask->label, ask->occurrence);
	if (before) {
		const struct record *r = trace_get(vm_trace(x->f->vm), before->record);
		return r->flag == DIE_TYPED ? dice_give(ask, NULL, 0, r->value, out) : DICE_PASS;
	}
	if (x->rest == AS_THEY_FELL)
		return DICE_PASS;
	int least = 0, most = 1;
	if (ask->dice)
		dice_range(ask->dice, &least, &most);
	enum dice_answer a = dice_give(ask, NULL, 0, x->rest == ALL_MOST ? most : least, out);
	out->kind = DICE_ROLLED;
	return a;
}

static void block_over(void *context, int32_t block, bool reached)
{
	struct trial *x = context;
	struct buf why = {0};
	if (block != x->e->block || !reached || x->done)
		return;
	struct vm *own = x->f->vm;
	x->f->vm = x->vm;
	x->holds = expect_holds(x->f, x->e, &why);
	x->f->vm = own;
	x->done = true;
	buf_free(&why);
}

static bool over(void *context)
{
	return ((struct trial *)context)->done;
}

/* A die as it fell in the log, to be changed. */
static struct change change_of(struct trial *x, const struct log *log, const struct record *r, uint64_t hash, uint32_t occurrence)
{
	const char *formula = x->f->program->dice[trace_values_at(log->t, r)[0]].text;
	struct change c = {.hash = hash, .occurrence = occurrence, .value = r->value, .was = r->value, .pips = -1};
	struct buf label = {0};
	struct dice dice;
	int least, most;
	log_label(log, r, &label);
	dice_parse(formula, strlen(formula), &dice);
	dice_range(&dice, &least, &most);
	c.least = least;
	c.most = most;
	c.label = arena_text(&x->f->arena, label.data, label.length);
	buf_free(&label);
	return c;
}

/* Dice that fell only this time, put on the list of changes at what they showed. */
static bool take_fresh(struct trial *x, const struct trace *t)
{
	const struct program *p = x->f->program;
	struct log log;
	bool fits = true;
	log_open(&log, p, t);
	for (int32_t i = 0; i < t->n && fits; i++) {
		const struct record *r = trace_get(t, i);
		if (r->kind != REC_ROLL || r->flag == DIE_FORCED)
			continue;
		uint32_t occurrence = 0;
		uint64_t hash = roll_hash(p, r);
		for (int32_t k = 0; k < i; k++) {
			const struct record *before = trace_look(t, k);
			occurrence += before->kind == REC_ROLL && roll_hash(p, before) == hash;
		}
		if (find_fallen(x, hash, occurrence))
			continue;
		r = trace_get(t, i);
		const word *v = trace_values_at(t, r);
		if (!v || v[0] == NONE || x->changes == CHANGES) {
			fits = false;
			break;
		}
		struct change c = change_of(x, &log, r, roll_hash(p, r), occurrence);
		c.up = x->rest == ALL_MOST;
		c.fresh = true;
		x->change[x->changes++] = c;
	}
	log_close(&log);
	return fits;
}

/* Plays the fight with the changes; true if the expectation then holds. */
static bool play(struct trial *x, bool take)
{
	struct fray *f = x->f;
	struct program *p = f->program;
	struct diag_sink silent = {0};
	struct vm_host host = {0};
	struct pips kept[CHANGES];
	int32_t face[CHANGES];
	if (++x->runs > TRIALS_MOST)
		return false;
	host.dice = &x->source;
	host.block_over = block_over;
	host.interrupted = over;
	host.context = x;
	host.sink = &silent;
	host.fuel = FUEL;
	x->done = x->holds = false;
	for (int i = 0; i < x->changes; i++)
		if (x->change[i].pips >= 0) {
			struct pips *s = &p->pips[x->change[i].pips];
			kept[i] = *s;
			face[i] = p->pip_faces[s->first];
			s->faces = 0;
			p->pip_faces[s->first] = (int32_t)x->change[i].value;
		}
	x->vm = vm_new(p, &host);
	vm_begin(x->vm, f->options.seed, f->options.trial, f->rounds);
	vm_run(x->vm);
	bool holds = x->done && x->holds;
	if (x->done && take)
		holds &= take_fresh(x, vm_trace(x->vm));
	vm_free(x->vm);
	x->vm = NULL;
	for (int i = x->changes; i-- > 0;)
		if (x->change[i].pips >= 0 && !x->change[i].fresh) {
			p->pips[x->change[i].pips] = kept[i];
			p->pip_faces[kept[i].first] = face[i];
		}
	return holds;
}

/* The face nearest to what will not do with which it still holds. */
static void narrow(struct trial *x, struct change *c, int64_t fails)
{
	int64_t good = c->value;
	while ((c->up ? good - fails : fails - good) > 1) {
		int64_t middle = fails + (good - fails) / 2;
		c->value = middle;
		if (play(x, false))
			good = middle;
		else
			fails = middle;
	}
	c->value = good;
}

/* With the first die at an end of its range: is that enough, alone or with what then falls? */
static bool try_end(struct trial *x, bool up)
{
	struct change *c = &x->change[0];
	x->changes = 1;
	c->up = up;
	c->value = up ? c->most : c->least;
	if (c->value == c->was)
		return false;
	bool found = false;
	for (enum rest rest = AS_THEY_FELL; rest <= ALL_MOST && !found; rest++) {
		x->changes = 1;
		x->rest = rest;
		found = play(x, rest != AS_THEY_FELL);
	}
	if (!found)
		return false;
	x->rest = AS_THEY_FELL;
	narrow(x, c, c->was);
	for (int i = 1; i < x->changes; i++) {
		c = &x->change[i];
		int64_t good = c->value, other = c->up ? c->least : c->most;
		c->value = other;
		if (play(x, false)) { /* whatever it shows: not worth a word */
			*c = x->change[--x->changes];
			i--;
		} else {
			c->value = good;
			narrow(x, c, other);
		}
	}
	return play(x, false);
}

/* Face by face: the one that a condition such as "hit points = 3" needs. */
static bool try_faces(struct trial *x, struct change *c)
{
	if (c->most - c->least >= FACES_TRIED)
		return false;
	c->exact = true;
	for (c->value = c->least; c->value <= c->most; c->value++)
		if (play(x, false))
			return true;
	return false;
}

/* The same for the first die, and for the one that falls because of it. */
static bool try_exact(struct trial *x)
{
	x->rest = AS_THEY_FELL;
	x->changes = 1;
	if (try_faces(x, &x->change[0]))
		return true;
	for (int up = 1; up >= 0; up--) {
		struct change *c = &x->change[0];
		x->changes = 1;
		x->rest = AS_THEY_FELL;
		c->exact = false;
		c->up = up == 1;
		c->value = up ? c->most : c->least;
		play(x, true);
		if (x->changes != 2 || !try_faces(x, &x->change[1]))
			continue;
		narrow(x, c, c->was);
		return play(x, false);
	}
	return false;
}

/* The row of the script's forced dice that a roll took its face from, or -1. */
static int pips_of(const struct program *p, const struct trace *t, int32_t number)
{
	const struct record *r = trace_get(t, number);
	int used = 0;
	for (int32_t i = 0; i < number; i++) {
		const struct record *x = trace_look(t, i);
		used += x->kind == REC_ROLL && x->flag == DIE_FORCED && x->what == r->what && x->owner == r->owner && span_same(&x->span, &r->span);
	}
	for (int i = 0; i < p->forceds; i++) {
		const struct forced_die *d = &p->forced[i];
		if (d->label == r->what && (word)d->owner == (r->owner == NONE ? -1 : r->owner) && span_same(&d->span, &r->span) && used < d->count)
			return d->first + used;
	}
	return -1;
}

/* How much a roll has to do with those named: as its owner, or in the events around it. */
static int nearness(const struct program *p, const struct trace *t, int32_t number, const word *set)
{
	const struct record *r = trace_get(t, number);
	const struct label_info *l = &p->label[r->what];
	int near = 0;
	if (l->owner.base == VT_LIVE && l->owner.kind == KIND_COMBATANT && r->owner != NONE)
		near += (int)((uint64_t)set[r->owner / 64] >> (r->owner % 64) & 1);
	for (int32_t i = r->parent; i >= 0; i = trace_get(t, i)->parent) {
		const struct record *e = trace_get(t, i);
		if (e->kind != REC_EVENT || e->values < 0)
			continue;
		const word *values = trace_values_at(t, e);
		for (int k = 0; values && k < p->event[e->what].roles; k++) {
			const struct role_info *role = &p->event[e->what].role[k];
			word v = values[role->word];
			if (role->type.base == VT_LIVE && role->type.kind == KIND_COMBATANT && v >= 0)
				near += (int)((uint64_t)set[v / 64] >> (v % 64) & 1);
		}
		break;
	}
	return near;
}

static void say(const struct trial *x, struct buf *out)
{
	buf_printf(out, "Perhaps %s the dice:   dice: ", x->change[0].pips >= 0 ? "change" : "force");
	for (int i = 0; i < x->changes; i++)
		buf_printf(out, "%s%s %lld", i ? ", " : "", x->change[i].label, (long long)x->change[i].value);
	buf_puts(out, "   (");
	for (int i = 0; i < x->changes; i++) {
		const struct change *c = &x->change[i];
		bool end = c->exact || c->value == (c->up ? c->most : c->least);
		buf_printf(out, "%s%lld%s", i ? ", and " : "", (long long)c->value, end ? "" : c->up ? " or more" : " or less");
		if (!c->fresh)
			buf_printf(out, " instead of %lld", (long long)c->was);
	}
	buf_puts(out, ")\n");
}

void expect_force(struct fray *f, const struct expect_info *e, struct buf *out)
{
	const struct program *p = f->program;
	const struct trace *t = vm_trace(f->vm);
	struct trial x;
	word set[EXPECT_SET];
	struct log log;
	memset(&x, 0, sizeof x);
	x.f = f;
	x.e = e;
	x.source.roll = roll;
	if (t->n > LOG_MOST || p->set_words > EXPECT_SET || session_is_open(f) || f->typed)
		return;
	expect_named(f, e, set);
	list_fallen(p, t, &x);
	log_open(&log, p, t);
	bool found = play(&x, false); /* what the referee did in between cannot be played again */
	for (int near = found || !x.done ? -1 : 4, tried = 0; near >= 0 && !found; near--)
		for (int i = x.fallen.n; i-- > 0 && !found && tried < CANDIDATES;) {
			int is = nearness(p, t, x.fallen.v[i].record, set);
			const struct record *r = trace_get(t, x.fallen.v[i].record);
			const word *v = trace_values_at(t, r);
			if ((is > 4 ? 4 : is) != near || !v || v[0] == NONE)
				continue;
			x.change[0] = change_of(&x, &log, r, x.fallen.v[i].hash, x.fallen.v[i].occurrence);
			x.change[0].up = true;
			x.change[0].pips = r->flag == DIE_FORCED ? pips_of(p, t, x.fallen.v[i].record) : -1;
			tried++;
			found = try_end(&x, true) || try_end(&x, false) || (e->left_fn >= 0 && try_exact(&x));
		}
	if (found && x.changes)
		say(&x, out);
	log_close(&log);
	VEC_FREE(x.fallen);
}
