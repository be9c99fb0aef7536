/* foreseen_wrong.c - stat blocks that rules are sure to find wrong: a `wrong` among what is done when an encounter is set up.
 *
 * What is done on `set up` is gone through for each combatant, as far as what stat blocks state decides which way it
 * goes: conditions that hold for sure, walks over everybody and over what somebody's list names, events that are
 * called. What is not known is passed over, and then nothing is said: the run will say it. */
#include <string.h>

#include "lang/check/foreseen.h"

enum { CALLS_DEEP = 6 };

struct looking { struct foresight *f; int live, depth; };

static bool walk_block(struct looking *l, const struct node *list);

/* ---- what is told ---- */

/* As it is written in a stat block; false: of that measure it is not known how. */
static bool number_text(struct fact x, enum vbase base, struct buf *out)
{
	const int64_t one = base == VT_DISTANCE || base == VT_SCALE ? FOOT
		: base == VT_WEIGHT                                     ? POUND
		: base == VT_NUMBER                                     ? 1
																: 0;
	if (x.den != 1 || !one || x.num % one)
		return false;
	buf_printf(out, "%lld%s", (long long)(x.num / one),
		base == VT_DISTANCE     ? " ft"
			: base == VT_SCALE  ? "\""
			: base == VT_WEIGHT ? " lb"
								: "");
	return true;
}

static bool fact_text(const struct model *m, struct fact x, enum vbase base, struct buf *out)
{
	switch (x.sort) {
	case NUMBER:
		return number_text(x, base, out);
	case THING:
		buf_puts(out, model_text(m, m->thing.v[x.ref].name));
		return true;
	case LIVE:
		buf_puts(out, model_text(m, m->live.v[x.ref].name));
		return true;
	case WORD_SAID:
		buf_puts(out, model_text(m, x.word));
		return true;
	default:
		return false;
	}
}

/* "who's class": the first name is bound, those behind it are fields. *base is the measure of a
 * number. */
static struct fact follow(struct foresight *f, const char *path, size_t length, enum vbase *base)
{
	const struct model *m = f->m;
	struct fact x = fact_make(UNKNOWN, 0, 0);
	*base = VT_NUMBER;
	for (size_t at = 0, n; at < length; at += n + 3) {
		for (n = 0; at + n < length && strncmp(path + at + n, "'s ", 3); n++)
			;
		sym name = intern_find(m->front->names, path + at, n);
		if (at == 0) {
			for (int i = f->n; i-- > 0 && x.sort == UNKNOWN;)
				if (f->bound[i].name == name)
					x = f->bound[i].fact;
			continue;
		}
		int kind = x.sort == LIVE ? KIND_COMBATANT : x.sort == THING ? kind_root(m, m->thing.v[x.ref].kind) : -1;
		int field = name && kind >= 0 ? model_field(m, kind, model_alias(m, name)) : -1;
		x = field >= 0 ? fact_stored(f, x, field) : fact_make(UNKNOWN, 0, 0);
		*base = field >= 0 ? type_find(m->field.v[field].type)->base : VT_UNKNOWN;
	}
	return x;
}

/* Where it is said: in the line of the encounter that changes a field which is named; else in the
 * stat block. */
static struct span said_at(const struct looking *l, const char *text)
{
	const struct model *m = l->f->m;
	struct span at = m->thing.v[m->live.v[l->live].thing].node->at;
	for (const struct node *n = l->f->items; n; n = n->next) {
		if (n->kind != N_KIND_N_OVERRIDE || n->damaged || n->ref < 0 ||
			n->a->a->ref_kind != REF_LIVE || n->a->a->ref != l->live)
			continue;
		if (strstr(text, model_text(m, m->field.v[n->ref].name)))
			at = n->span;
	}
	return at;
}

static void report_wrong(struct looking *l, const struct node *n)
{
	struct model *m = l->f->m;
	struct mthing *t = &m->thing.v[m->live.v[l->live].thing];
	struct buf b = {0};
	for (const char *p = n->text; *p;) {
		const char *close = *p == '{' ? strchr(p, '}') : NULL;
		if (!close) {
			buf_putc(&b, *p++);
			continue;
		}
		enum vbase base;
		struct fact x = follow(l->f, p + 1, (size_t)(close - p - 1), &base);
		if (!fact_text(m, x, base, &b))
			buf_puts(&b, "..");
		p = close + 1;
	}
	if (!t->found_wrong)
		model_report(m, M_FOUND_WRONG, said_at(l, n->text), 1, buf_text(&b));
	t->found_wrong = true;
	buf_free(&b);
}

/* ---- what is written on the way ---- */

static void dirty(struct foresight *f, sym name)
{
	if (f->dirt < BOUND_MAX)
		f->dirty[f->dirt++] = name;
	else
		f->lost = true;
}

/* A local value, the nearest of its name, is another now. */
static void rebind(struct foresight *f, sym name, struct fact fact)
{
	for (int i = f->n; i-- > 0;)
		if (f->bound[i].name == name) {
			f->bound[i].fact = fact;
			return;
		}
}

/* A statement sets, changes, adds to or takes from a field or a local value; `fact`: its value. */
static void write_to(struct foresight *f, const struct node *n, struct fact fact)
{
	const bool listed = n->kind == N_KIND_S_ADD || n->kind == N_KIND_S_REMOVE;
	const struct node *path = listed ? n->b : n->a;
	if (path->kind == N_KIND_E_NAME)
		rebind(f, path->name, fact);
	else if (path->kind == N_KIND_E_FIELD)
		dirty(f, path->name);
	else
		f->lost = true;
}

/* What a list of statements might have written, of which it is not known whether it is done. */
static void forget(struct foresight *f, const struct node *n)
{
	for (; n && !f->lost; n = n->next) {
		switch (n->kind) {
		case N_KIND_S_SET: case N_KIND_S_CHANGE: case N_KIND_S_ADD: case N_KIND_S_REMOVE:
			write_to(f, n, fact_make(UNKNOWN, 0, 0));
			break;
		case N_KIND_S_LET: case N_KIND_S_NOTE: case N_KIND_S_WRONG: case N_KIND_S_STOP:
			break;
		case N_KIND_S_BLOCK: case N_KIND_S_IF: case N_KIND_S_EACH: case N_KIND_S_COUNT:
			forget(f, n->kind == N_KIND_S_BLOCK ? n->a : n->b);
			if (n->kind == N_KIND_S_IF)
				forget(f, n->c);
			break;
		default:
			f->lost = true;
		}
	}
}

/* ---- what is done ---- */

static void walk_event(struct looking *l, int event, const struct fact *roles)
{
	struct foresight *f = l->f;
	const struct mevent *e = &f->m->event.v[event];
	const int stages[] = {STAGE_INSTEAD, STAGE_BEFORE, STAGE_ON, STAGE_AFTER}, before = f->n;
	f->lost |= l->depth >= CALLS_DEEP;
	if (++l->depth <= CALLS_DEEP)
		for (size_t s = 0; s < FRAY_COUNT(stages); s++)
			for (int i = 0; i < e->clause[stages[s]].n; i++) {
				const struct mclause *x = &f->m->clause.v[e->clause[stages[s]].v[i]];
				for (int k = 0; k < e->roles && k < x->params; k++)
					fact_bind(f, x->param_name[k], roles[k]);
				const int so = x->in_force && x->node->b ? fact_applies(f, x) : 0;
				if (so == 1)
					walk_block(l, x->node->b->a);
				else if (so < 0)
					forget(f, x->node->b);
				f->n = before;
			}
	l->depth--;
}

static void walk_call(struct looking *l, const struct node *n)
{
	struct fact roles[EVENT_ROLES];
	int count = 0;
	if (n->ref_kind == REF_PERFORM || n->ref < 0 || n->a->kind != N_KIND_E_CALL ||
		n->a->ref_kind != REF_EVENT) {
		l->f->lost = true;
		return;
	}
	for (const struct node *a = n->a->b; a && count < EVENT_ROLES; a = a->next)
		roles[count++] = fact_of(l->f, a);
	for (; count < EVENT_ROLES; count++)
		roles[count] = fact_make(UNKNOWN, 0, 0);
	walk_event(l, n->a->ref, roles);
}

/* One of those whom an `each` goes over. `unsure`: it may not be one of them. */
static void walk_member(struct looking *l, const struct node *n, bool unsure)
{
	const int so = unsure ? -1 : n->c ? fact_holds(l->f, n->c) : 1;
	if (so == 1)
		walk_block(l, n->b->a);
	else if (so < 0)
		forget(l->f, n->b);
}

/* `each armour in who's carries`: each that the list names. */
static void walk_list(struct looking *l, const struct node *n)
{
	struct foresight *f = l->f;
	const struct model *m = f->m;
	const struct node *source = n->a;
	const int field = source->ref_kind == REF_FIELD ? source->ref : source->ref_kind == REF_QUESTION ? m->question.v[source->ref].field : -1, before = f->n;
	struct fact owner = source->kind == N_KIND_E_FIELD ? fact_of(f, source->a) : fact_make(UNKNOWN, 0, 0);
	if (field < 0 || owner.sort != LIVE) {
		forget(f, n->b);
		return;
	}
	const struct node *v = thing_states(m, m->live.v[owner.ref].thing, field);
	if (!fact_overridden(f, owner.ref, field, &v) || v == m->field.v[field].initial) {
		forget(f, n->b);
		return;
	}
	for (; v; v = v->next) {
		int thing = v->kind == N_KIND_V_COUNT ? v->ref : v->kind == N_KIND_V_PLAIN && v->a->kind == N_KIND_E_NAME ? model_thing(m, v->a->name, -1) : -1;
		if (thing >= 0 && n->ref >= 0 && kind_root(m, m->thing.v[thing].kind) != n->ref)
			continue;
		fact_bind(f, n->name,
			thing < 0 ? fact_make(UNKNOWN, 0, 0) : fact_make(THING, 0, thing));
		walk_member(l, n, thing < 0);
		f->n = before;
	}
}

static void walk_each(struct looking *l, const struct node *n)
{
	struct foresight *f = l->f;
	const int before = f->n;
	if (n->ref_kind == WALK_LIST || n->ref_kind == WALK_BORNE)
		walk_list(l, n);
	else if (n->ref_kind != WALK_ALL || n->ref != KIND_COMBATANT)
		forget(f, n->b);
	if (n->ref_kind != WALK_ALL || n->ref != KIND_COMBATANT)
		return;
	fact_bind(f, n->name, fact_make(LIVE, 0, l->live));
	walk_member(l, n, false);
	f->n = before;
}

/* False: it may have stopped, and what follows is not sure to be done. */
static bool walk_block(struct looking *l, const struct node *list)
{
	struct foresight *f = l->f;
	const int before = f->n;
	bool on = true;
	for (const struct node *n = list; n && on; n = n->next) {
		int so = 1;
		switch (n->kind) {
		case N_KIND_S_LET:
			fact_bind(f, n->name, fact_of(f, n->a));
			break;
		case N_KIND_S_SET:
			write_to(f, n, n->b ? fact_of(f, n->b) : fact_make(UNKNOWN, 0, 0));
			break;
		case N_KIND_S_CHANGE: case N_KIND_S_ADD: case N_KIND_S_REMOVE:
			write_to(f, n, fact_make(UNKNOWN, 0, 0));
			break;
		case N_KIND_S_IF:
			so = fact_holds(f, n->a);
			if (so == 1)
				on = walk_block(l, n->b->a);
			else if (so == 0 && n->c)
				on = walk_block(l, n->c->kind == N_KIND_S_IF ? n->c : n->c->a);
			else if (so < 0)
				forget(f, n->b), forget(f, n->c);
			break;
		case N_KIND_S_EACH:
			walk_each(l, n);
			break;
		case N_KIND_S_CALL:
			walk_call(l, n);
			break;
		case N_KIND_S_STOP:
			so = n->c ? fact_holds(f, n->c) : 1;
			on = so == (n->num == 1);
			f->lost |= so < 0;
			break;
		case N_KIND_S_NOTE: case N_KIND_S_CARRY_ON:
			break;
		case N_KIND_S_WRONG:
			so = n->c ? fact_holds(f, n->c) : 1;
			if (so >= 0 && (n->c && n->num == 1 ? !so : so))
				report_wrong(l, n);
			break;
		default:
			f->lost = true;
			break;
		}
	}
	f->n = before;
	return on;
}

/* Whether an encounter holds nothing that changes this combatant's stat block or rules before the first round: what
 * is found right of a stat block in one of them is right in all. */
static bool is_plain(const struct node *items, int live)
{
	for (const struct node *n = items; n; n = n->next)
		switch (n->kind) {
		case N_KIND_N_OVERRIDE:
			if (n->damaged || n->a->a->ref_kind != REF_LIVE || n->a->a->ref == live)
				return false;
			break;
		case N_KIND_SIDE: case N_KIND_D_FIELD: case N_KIND_MOMENT: case N_KIND_N_SAY: case N_KIND_N_FOLLOWS: case N_KIND_N_DICE:
		case N_KIND_N_CHOICES: case N_KIND_N_EXPECT: case N_KIND_N_EXPECT_SAY: case N_KIND_N_UNTIL:
			break;
		default:
			return false;
		}
	return true;
}

void foresee_wrong(struct foresight *f)
{
	struct model *m = f->m;
	const int set_up = model_event(m, m->w.set_up);
	f->at_start = true;
	for (int i = 0; i < m->live.n && set_up >= 0; i++) {
		struct looking l = {.f = f, .live = i};
		struct mthing *t = m->live.v[i].thing >= 0 ? &m->thing.v[m->live.v[i].thing] : NULL;
		const bool plain = t && is_plain(f->items, i);
		f->n = f->dirt = 0;
		f->lost = !plain;
		if (!t || t->found_wrong || (plain && t->found_right))
			continue;
		walk_event(&l, set_up, NULL);
		t->found_right |= plain && !t->found_wrong;
	}
	f->n = f->dirt = 0;
	f->at_start = f->lost = false;
}
