/* show.c - the world as text.
 *
 * A field is shown when it is set to something: not unset, not 0 or "no" unless it began
 * otherwise. Hidden fields, the machine's own, never are. */
#include <string.h>

#include "runtime/code/show.h"
#include "runtime/world/show.h"

static const word *field_at(const struct program *p, const word *block, int field, word thing)
{
	const struct field_info *f = &p->field[field];
	if (thing < 0 || thing >= block_count(p, f->kind))
		return NULL;
	return block + f->base + (size_t)thing * f->stride;
}

static bool worth_showing(const struct program *p, const struct field_info *f, const word *v, const word *began)
{
	if (memcmp(v, began, sizeof(word) * f->words) != 0)
		return true;
	if (f->type.base == VT_LIST)
		return v[0] > 0;
	if (f->type.base == VT_SET) {
		for (int i = 0; i < p->set_words; i++)
			if (v[i])
				return true;
		return false;
	}
	if (v[0] == NONE)
		return false;
	/* index 0 is a thing like any other; a number of 0 and "no" say nothing */
	if (vtype_is_number(f->type))
		return f->type.frac || f->type.base == VT_CHANCE ? !frac_sound(v[0]) || frac_top(v[0]) != 0 : v[0] != 0;
	return f->type.base != VT_BOOL || v[0] != 0;
}

static void act_add(const struct program *p, const word *block, word act, struct buf *out);

static void field_value(const struct program *p, const word *block, const struct field_info *f, const word *v, struct buf *out)
{
	struct buf one = {0};
	if (f->type.base == VT_LIST)
		program_list(p, f->type, v, (int64_t)f->words - 1, out);
	else if (f->type.base == VT_LIVE && f->type.kind == KIND_ACT && v[0] != NONE && f->kind != KIND_ACT)
		act_add(p, block, v[0], out);
	else if (f->type.base == VT_TEXT)
		program_written(p, f->type, v, (int)f->words, &one); /* as it can be typed */
	else
		program_value(p, f->type, v, &one);
	if (one.length)
		buf_puts(out, buf_text(&one));
	buf_free(&one);
}

/* "stunned: until the end of round 2" */
static void state_show(const struct program *p, const word *block, const struct field_info *f,
	word left, struct buf *out)
{
	const word *round = field_at(p, block, p->at.round_number, 0);
	if (left == 0)
		return;
	buf_printf(out, "  %s: ", f->state);
	world_state_left(left, *round, out);
	buf_putc(out, '\n');
}

void world_state_left(word left, word round, struct buf *out)
{
	if (left == NONE)
		buf_puts(out, "until it is ended");
	else
		buf_printf(out, "until the end of round %lld", (long long)(round + left - 1));
}

void world_show_thing(const struct program *p, const word *block, int kind, word thing, bool full, struct buf *out)
{
	for (int i = 0; i < p->fields; i++) {
		const struct field_info *f = &p->field[i];
		if (f->state && f->kind == kind) {
			state_show(p, block, f, *field_at(p, block, i, thing), out);
			continue;
		}
		if (f->kind != kind || f->hidden || (f->kept && !full) || i == p->at.round_number || i == p->at.round_start)
			continue;
		const word *v = field_at(p, block, i, thing), *began = field_at(p, p->start, i, thing);
		if (!v || (f->option ? *v == f->usual : (f->common && *v == f->usual && *began == f->usual) || !worth_showing(p, f, v, began)))
			continue;
		buf_printf(out, "  %s: ", f->name);
		field_value(p, block, f, v, out);
		if (v[0] != began[0] && began[0] != NONE && f->kind == KIND_COMBATANT && vtype_is_number(f->type)) {
			buf_puts(out, " (was ");
			field_value(p, block, f, began, out);
			buf_putc(out, ')');
		}
		buf_putc(out, '\n');
	}
	for (int i = 0; i < p->pairs; i++) {
		const struct pair_info *f = &p->pair[i];
		if (f->kind != kind || (f->kept && !full))
			continue;
		for (word other = 0; other < f->side; other++) {
			word a = thing, b = other;
			if (other == thing || thing >= f->side || (!f->directed && other < thing))
				continue;
			word v = block[f->base + (size_t)a * f->side + (size_t)b];
			if (v == NONE || v == p->start[f->base + (size_t)a * f->side + (size_t)b])
				continue; /* as the encounter began */
			buf_printf(out, "  %s to ", f->name);
			program_live(p, kind, other, out);
			buf_puts(out, ": ");
			program_value(p, f->type, &v, out);
			buf_putc(out, '\n');
		}
	}
}

/* "attack orc #1 with long sword" */
static void act_add(const struct program *p, const word *block, word act, struct buf *out)
{
	if (act < 0 || act >= p->layout.act_count) {
		program_live(p, KIND_ACT, act, out);
		return;
	}
	const word *w = block + p->layout.acts + (size_t)act * p->layout.act_stride;
	word event = w[ACT_EVENT];
	if (w[ACT_STATE] == ACT_FREE || event < 0 || event >= p->events) {
		buf_puts(out, "none");
		return;
	}
	const struct event_info *e = &p->event[event];
	buf_puts(out, e->name);
	for (int i = 0; i < e->roles; i++) {
		const struct role_info *r = &e->role[i];
		const word *v;
		if (r->field >= 0 && r->field == p->at.act_actor)
			continue;
		if (r->field >= 0 && r->field < p->fields)
			v = field_at(p, block, r->field, act);
		else if (r->word + program_type_words(p, r->type) <= (int)p->layout.act_arg_words)
			v = w + p->layout.act_args + r->word;
		else
			continue;
		if (!v || (r->type.base != VT_SET && *v == NONE))
			continue;
		buf_putc(out, ' ');
		if (r->preposition && *r->preposition)
			buf_printf(out, "%s ", r->preposition);
		program_value(p, r->type, v, out);
	}
}

static void acts_show(const struct program *p, const word *block, struct buf *out)
{
	/* in the order in which they were made */
	word after = -1;
	for (;;) {
		word next = NONE, least = INT64_MAX;
		for (word i = 0; i < p->layout.act_count; i++) {
			const word *w = block + p->layout.acts + (size_t)i * p->layout.act_stride;
			if (w[ACT_STATE] == ACT_FREE || w[ACT_SERIAL] <= after || w[ACT_SERIAL] >= least)
				continue;
			least = w[ACT_SERIAL];
			next = i;
		}
		if (next == NONE)
			return;
		after = least;
		const word *w = block + p->layout.acts + (size_t)next * p->layout.act_stride;
		const word *actor = field_at(p, block, p->at.act_actor, next);
		buf_puts(out, w[ACT_STATE] == ACT_PENDING ? "pending: " : w[ACT_STATE] == ACT_PERFORMING ? "in progress: " : "declared: ");
		if (actor && *actor != NONE) {
			program_live(p, KIND_COMBATANT, *actor, out);
			buf_puts(out, ": ");
		}
		act_add(p, block, next, out);
		buf_putc(out, '\n');
	}
}

/* "round 2, segment 4" */
static void moment_show(const struct program *p, const word *block, struct buf *out)
{
	const word *number = field_at(p, block, p->at.round_number, 0), *start = field_at(p, block, p->at.round_start, 0);
	struct buf moment = {0};
	if (number && *number > 0)
		buf_printf(out, "round %lld", (long long)*number);
	else
		buf_puts(out, "before the first round");
	if (start && block[H_NOW] > *start && program_moment(p, block[H_NOW], *start, &moment))
		buf_printf(out, ", %s", buf_text(&moment));
	buf_putc(out, '\n');
	buf_free(&moment);
}

/* Whether he or it has a part in the fight: who comes later has none yet. */
static bool is_there(const struct program *p, const word *block, int kind, word thing)
{
	const word *side = field_at(p, block, p->at.combatant_side, thing);
	if (kind == KIND_COMBATANT)
		return !side || *side != NONE;
	for (int i = 0; i < p->fields; i++)
		if (p->field[i].kind == kind && p->field[i].hidden && !strcmp(p->field[i].name, "awaited"))
			return !*field_at(p, block, i, thing);
	return true;
}

void world_show(const struct program *p, const word *block, bool full, struct buf *out)
{
	static const int kinds[] = {KIND_SIDE, KIND_COMBATANT};
	buf_printf(out, "%s\n", p->encounter ? p->encounter : "");
	world_show_thing(p, block, KIND_ENCOUNTER, 0, full, out);
	moment_show(p, block, out);
	world_show_thing(p, block, KIND_ROUND, 0, full, out);
	for (size_t k = 0; k < FRAY_COUNT(kinds); k++)
		for (word i = 0; i < block_count(p, kinds[k]); i++) {
			if (!is_there(p, block, kinds[k], i))
				continue;
			program_live(p, kinds[k], i, out);
			buf_putc(out, '\n');
			world_show_thing(p, block, kinds[k], i, full, out);
		}
	for (int k = KIND_FIRST_DECLARED; k < p->kinds && k < 32; k++) /* live things of the rules' own kinds */
		for (word i = 0; p->kind[k].live && i < block_count(p, k); i++) {
			program_live(p, k, i, out);
			buf_putc(out, '\n');
			world_show_thing(p, block, k, i, full, out);
		}
	acts_show(p, block, out);
}
