/* reason_rest.c - the stored values that a condition rests on, and the last change that turned it. See reason.h. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/reason.h"
#include "runtime/world/show.h"

enum { DEEP_MOST = 4 };

void condition_rest(struct condition *c, struct rests x)
{
	for (int i = 0; i < c->rest.n; i++)
		if (c->rest.v[i].field == x.field && c->rest.v[i].pair == x.pair && c->rest.v[i].owner == x.owner && c->rest.v[i].other == x.other)
			return;
	VEC_PUSH(c->rest, x);
}

/* The live thing that a node names; NONE: none. */
word reason_live(struct fray *f, const struct node *n, const struct names *b)
{
	struct probe p;
	const int32_t mark = vm_trace(f->vm)->n;
	struct node *x = reason_put(f, n, b);
	word who = reason_worth(f, x, false, &p) && p.type.base == VT_LIVE ? p.value[0] : NONE;
	reason_close(f, &p, mark);
	return who;
}

/* The same of what defines a question of two: "along (one, other)" reads the place of each. */
static void rests_of_definition(struct fray *f, const struct node *n, const struct node *x,
	const struct names *b, struct condition *out)
{
	const struct model *m = &f->model;
	if (x->ref_kind != REF_QUESTION || x->ref < 0 || out->deep >= DEEP_MOST)
		return;
	const struct mquestion *q = &m->question.v[x->ref];
	out->deep++;
	for (int i = 0; i < q->clause.n; i++) {
		const struct mclause *c = &m->clause.v[q->clause.v[i]];
		struct names names = {.n = 0};
		struct probe p;
		const struct node *a = n->b;
		if (!c->in_force || c->sort != CLAUSE_DEFINE || c->node->kind != N_KIND_C_DEFINE ||
			!c->node->b)
			continue;
		for (int k = 0; a && k < c->params; k++, a = a->next) {
			const word live = reason_live(f, a, b);
			if (live != NONE)
				names_bind(&names, c->param_name[k], KIND_COMBATANT, live);
		}
		const int32_t mark = vm_trace(f->vm)->n;
		struct node *body = reason_put(f, c->node->b, &names);
		if (names.n != c->params)
			continue;
		if (reason_worth(f, body, false, &p))
			condition_rests(f, c->node->b, body, &names, out);
		reason_close(f, &p, mark);
	}
	out->deep--;
}

/* The stored values that a checked expression reads: `x` is `n` with the names put in. */
void condition_rests(struct fray *f, const struct node *n, const struct node *x, const struct names *b, struct condition *out)
{
	const struct model *m = &f->model;
	if (!n || !x)
		return;
	if (x->kind == N_KIND_E_FIELD && n->a) {
		int field = x->ref_kind == REF_FIELD ? x->ref : x->ref_kind == REF_QUESTION ? m->question.v[x->ref].field : -1;
		if (field >= 0 && m->kind.v[m->field.v[field].kind].live)
			condition_rest(out, (struct rests){.field = field, .owner = reason_live(f, n->a, b), .other = NONE});
	}
	if (x->kind == N_KIND_E_CALL && n->b && n->b->next && n->a) {
		int pair = x->a->kind == N_KIND_E_NAME ? model_pair(m, x->a->name) : -1;
		if (pair >= 0)
			condition_rest(out, (struct rests){.field = pair, .pair = true, .owner = reason_live(f, n->b, b), .other = reason_live(f, n->b->next, b)});
		rests_of_definition(f, n, x, b, out);
	}
	const struct node *const from[] = {n->a, n->b, n->c, n->d}, *const to[] = {x->a, x->b, x->c, x->d};
	if (x->kind == N_KIND_E_AGG || x->kind == N_KIND_E_SET || x->kind == N_KIND_E_PICK)
		return;
	for (int i = 0; i < 4; i++)
		for (const struct node *k = from[i], *l = to[i]; k && l; k = k->next, l = l->next)
			condition_rests(f, k, l, b, out);
}

static bool within(const struct rests *x, word value)
{
	if (value == NONE || (x->frac && (!frac_sound(value) || !frac_sound(x->bound))))
		return false;
	return relation_holds(x->op, x->frac ? frac_compare(value, x->bound) : (value > x->bound) - (value < x->bound));
}

/* Whether a change is of that value, and turned it. */
static bool turned(const struct fray *f, const struct rests *x, int32_t change)
{
	const struct trace *t = vm_trace(f->vm);
	const struct record *r = trace_get(t, change);
	const word *v = trace_values_at(t, r);
	if (r->dropped || !v || (r->flag == 1) != x->pair)
		return false;
	if (x->pair && (r->what != f->model.pair.v[x->field].program || r->value_count < 2 ||
	                !((r->owner == x->owner && v[1] == x->other) || (r->owner == x->other && v[1] == x->owner))))
		return false;
	if (x->bounded)
		return within(x, r->value) != within(x, v[0]);
	const struct vtype type = x->pair ? f->program->pair[r->what].type : f->program->field[r->what].type;
	return type.base == VT_SET || type.base == VT_LIST || v[0] != r->value;
}

int32_t condition_change(const struct fray *f, const struct condition *c)
{
	return condition_change_before(f, c, vm_trace(f->vm)->n);
}

int32_t condition_change_before(const struct fray *f, const struct condition *c, int32_t end)
{
	const struct trace *t = vm_trace(f->vm);
	int32_t best = -1;
	for (int i = 0; i < c->rest.n; i++) {
		const struct rests *x = &c->rest.v[i];
		int32_t at = x->owner == NONE ? -1 : end;
		while (at >= 0 && (at == end || !turned(f, x, at)))
			at = x->pair ? trace_back(t, at - 1, 1u << REC_CHANGE) : trace_back_to_change(t, at - 1, f->model.field.v[x->field].program, x->owner);
		if (at > best)
			best = at;
	}
	return best;
}

/* "X's field <= 3": a change within the bound turns nothing. */
void condition_bounded(struct fray *f, const struct node *n, const struct node *x, const struct names *b, struct condition *out)
{
	const struct model *m = &f->model;
	const struct node *l = x->a;
	const struct mfield *field =
		l->kind == N_KIND_E_FIELD && l->ref_kind == REF_FIELD ? &m->field.v[l->ref] : NULL;
	const struct mquestion *q =
		l->kind == N_KIND_E_FIELD && l->ref_kind == REF_QUESTION ? &m->question.v[l->ref] : NULL;
	const int pair = l->kind == N_KIND_E_CALL && l->a && l->a->kind == N_KIND_E_NAME
		? model_pair(m, l->a->name)
		: -1;
	const int stored = pair >= 0 ? pair : field ? l->ref : q ? q->field : -1;
	const int32_t mark = vm_trace(f->vm)->n;
	struct probe p;
	const int at = stored < 0 ? -1
		: pair >= 0           ? m->pair.v[pair].program
							  : m->field.v[stored].program;
	if (at < 0 || at >= (pair >= 0 ? f->program->pairs : f->program->fields))
		return;
	const struct vtype type = pair >= 0 ? f->program->pair[at].type : f->program->field[at].type;
	const bool ok = reason_worth(f, reason_put(f, n->b, b), false, &p) &&
		p.type.base == type.base && p.type.frac == type.frac &&
		(vtype_is_number(type) || pair >= 0);
	const word bound = ok ? p.value[0] : NONE;
	reason_close(f, &p, mark);
	for (int i = 0; i < out->rest.n && ok && bound != NONE; i++)
		if (out->rest.v[i].pair == (pair >= 0) && out->rest.v[i].field == stored) {
			out->rest.v[i].bounded = true;
			out->rest.v[i].frac = type.frac;
			out->rest.v[i].op = n->op;
			out->rest.v[i].bound = bound;
		}
}

bool condition_lasts(struct fray *f, const struct node *n, const struct node *x,
	const struct names *b, bool so, struct buf *out)
{
	const bool field = x->a->kind == N_KIND_E_FIELD && x->a->ref_kind == REF_FIELD;
	const struct mfield *m = field ? &f->model.field.v[x->a->ref] : NULL;
	if (!m || !m->state || n->op != BIN_EQ || n->b->kind != N_KIND_E_NUM || n->b->num != 0)
		return false;
	struct buf value = {0};
	const struct field_info *round = &f->program->field[f->program->at.round_number];
	const word who = reason_live(f, n->a->a, b);
	if (who == NONE)
		return false;
	const bool known = !so && reason_value_text(f, reason_put(f, n->a, b), &value);
	program_live(f->program, KIND_COMBATANT, who, out);
	buf_printf(out, " is %s%s", so ? "not " : "", model_text(&f->model, m->state));
	if (known) {
		char *end;
		const long left = strtol(buf_text(&value), &end, 10);
		buf_putc(out, ' ');
		world_state_left(end == buf_text(&value) ? NONE : left, vm_block(f->vm)[round->base], out);
	}
	buf_free(&value);
	return true;
}
