/* foreseen.c - lines of a script that the rules are sure to refuse: what can be known before
 * anything is played.
 *
 * A condition is worked out from what stays as it was written: fields that no rule and no line
 * ever changes, and what rules define from these. Whatever else it rests on is not known, and
 * then nothing is said: a line is reported only when no dice can make it allowed. */
#include "lang/check/foreseen.h"
#include "runtime/base/num.h"

struct fact fact_make(enum sort sort, int64_t num, int ref)
{
	return (struct fact){sort, num, 1, ref, 0};
}

static struct fact answer(int known)
{
	return known < 0 ? fact_make(UNKNOWN, 0, 0) : fact_make(ANSWER, known, 0);
}

/* 1: so, 0: not so, -1: not known */
int fact_holds(struct foresight *f, const struct node *n)
{
	struct fact x = fact_of(f, n);
	return x.sort == ANSWER ? x.num != 0 : -1;
}

void fact_bind(struct foresight *f, sym name, struct fact fact)
{
	if (f->n == BOUND_MAX)
		return;
	f->bound[f->n].name = name;
	f->bound[f->n++].fact = fact;
}

/* ---- what is written anywhere ---- */

void foresee_written(struct model *m, const struct node *n)
{
	bool listed = n->kind == N_KIND_S_ADD || n->kind == N_KIND_S_REMOVE;
	const struct node *path = listed ? n->b : n->kind == N_KIND_S_SET || n->kind == N_KIND_S_CHANGE ? n->a : NULL;
	sym name = !path ? 0 : path->kind == N_KIND_E_CALL && path->a ? path->a->name : path->name;
	if (name && name < m->symbols)
		m->written[name] |= n->kind == N_KIND_S_REMOVE ? TAKEN_FROM : SET_OR_ADDED;
}

/* ---- stored values ---- */

const struct node *thing_states(const struct model *m, int thing, int field)
{
	for (int t = thing; t >= 0; t = m->thing.v[t].parent)
		for (const struct node *d = m->thing.v[t].node->b; d; d = d->next)
			if (d->ref == field && !d->damaged && d->kind == N_KIND_D_FIELD)
				return d->a;
	return m->field.v[field].initial;
}

/* What the encounter says of one of those in it; false when it may be said of him in a way not looked at. */
bool fact_overridden(const struct foresight *f, int live, int field, const struct node **out)
{
	for (const struct node *n = f->items; n; n = n->next) {
		if (n->kind != N_KIND_N_OVERRIDE || n->damaged || n->ref != field)
			continue;
		const struct node *owner = n->a->a;
		if (owner->ref_kind != REF_LIVE)
			return false;
		if (owner->ref == live)
			*out = n->b;
	}
	return true;
}

/* Whether a field that nothing states is still unset while the start is gone through. */
static bool still_unset(const struct foresight *f, sym name)
{
	for (int i = 0; i < f->dirt; i++)
		if (f->dirty[i] == name)
			return false;
	return f->at_start && !f->lost;
}

/* What the field begins with, if nothing ever does what `unless` says to it; NULL: not known, or nothing said. */
static const struct node *values_of(const struct foresight *f, struct fact owner, int field, uint8_t unless)
{
	const struct model *m = f->m;
	sym name = m->field.v[field].name;
	if (owner.sort == LIVE && owner.ref >= m->live.n)
		return NULL; /* of no encounter in scope */
	int thing = owner.sort == THING ? owner.ref : owner.sort == LIVE ? m->live.v[owner.ref].thing : -1;
	const struct node *v = thing < 0 ? NULL : thing_states(m, thing, field);
	if (thing < 0 || (owner.sort == LIVE && !fact_overridden(f, owner.ref, field, &v)))
		return NULL;
	/* as it is set up whatever is stated is what it is */
	bool written = owner.sort == LIVE && name < f->symbols && (f->written[name] & unless);
	return written && !(f->at_start && v != m->field.v[field].initial) &&
			!still_unset(f, name)
		? NULL
		: v;
}

struct fact fact_stored(struct foresight *f, struct fact owner, int field)
{
	const struct model *m = f->m;
	struct type *type = type_find(m->field.v[field].type);
	sym name = m->field.v[field].name;
	const struct node *v = values_of(f, owner, field, SET_OR_ADDED | TAKEN_FROM);
	const sym role = owner.sort == THING ? field_works_on(m, field) : 0;
	if (role)
		return answer(thing_works_on(m, owner.ref, role));
	bool changes = owner.sort == LIVE && name < f->symbols && f->written[name] &&
		!(f->at_start && v) && !still_unset(f, name);
	if (changes || (owner.sort != LIVE && owner.sort != THING) || type->base == VT_LIST || type->base == VT_SET)
		return fact_make(UNKNOWN, 0, 0);
	if (!v)
		return type->base == VT_BOOL ? answer(0) : fact_make(UNSET, 0, 0);
	if (v->kind != N_KIND_V_PLAIN || v->next)
		return fact_make(UNKNOWN, 0, 0);
	if (type->base == VT_WORD && v->a->kind == N_KIND_E_NAME && !type_named(f->m, v->a->name)) {
		struct fact said = fact_make(WORD_SAID, 0, 0);
		said.word = model_alias(m, v->a->name);
		return said;
	}
	if (type->base == VT_THING && v->a->kind == N_KIND_E_NAME) {
		int thing = model_thing(m, v->a->name, type->kind >= 0 ? kind_root(m, type->kind) : -1);
		return thing < 0 ? fact_make(UNSET, 0, 0) : fact_make(THING, 0, thing);
	}
	int before = f->n;
	struct fact x = fact_of(f, v->a);
	f->n = before;
	return x;
}

/* ---- questions ---- */

/* 1: the clause applies, 0: it does not, -1: not known */
int fact_applies(struct foresight *f, const struct mclause *x)
{
	if (clause_guarded(f->m, (int)(x - f->m->clause.v)))
		return -1;
	int so = x->when ? fact_holds(f, x->when) : 1;
	return so < 0 || !x->unless ? so : !so;
}

/* Whether a clause that is sure to apply is an exception to this one. */
static bool excepted(struct foresight *f, const struct mquestion *q, int clause, const struct fact *arguments, int n)
{
	int before = f->n;
	for (int i = 0; i < q->clause.n; i++) {
		const struct mclause *x = &f->m->clause.v[q->clause.v[i]];
		if (!x->in_force || x->sort != CLAUSE_DEFINE || q->clause.v[i] == clause || !clause_excepts(f->m, q->clause.v[i], clause))
			continue;
		for (int k = 0; k < n; k++)
			fact_bind(f, x->param_name[k], arguments[k]);
		int so = fact_applies(f, x);
		f->n = before;
		if (so == 1)
			return true;
	}
	return false;
}

/* Whether a block of the script rules another clause over this one. */
static bool overruled(const struct foresight *f, const struct mquestion *q, int clause)
{
	for (int i = 0; i < q->clause.n; i++)
		if (f->m->clause.v[q->clause.v[i]].in_force && clause_ruled(f->m, q->clause.v[i], clause))
			return true;
	return false;
}

static struct fact asked(struct foresight *f, int question, const struct fact *arguments, int n)
{
	struct model *m = f->m;
	const struct mquestion *q = &m->question.v[question];
	struct fact plain = fact_make(UNKNOWN, 0, 0), best = plain;
	int found = 0, before = f->n;
	if (q->params != n || q->pair >= 0 || f->depth > DEEP)
		return fact_make(UNKNOWN, 0, 0);
	f->depth++;
	bool sure = true, has_plain = false;
	for (int i = 0; i < q->clause.n && sure; i++) {
		const struct mclause *x = &m->clause.v[q->clause.v[i]];
		if (!x->in_force || (x->sort == CLAUSE_DEFINE && excepted(f, q, q->clause.v[i], arguments, n)))
			continue;
		f->n = before;
		for (int k = 0; k < n; k++)
			fact_bind(f, x->param_name[k], arguments[k]);
		int so = fact_applies(f, x);
		if (so == 0)
			continue;
		if (so < 0 || x->sort != CLAUSE_DEFINE || x->thing >= 0 || overruled(f, q, q->clause.v[i])) {
			sure = false;
			break;
		}
		struct fact value = x->node->kind == N_KIND_C_BE ? answer(1) : fact_of(f, x->node->b);
		if (!x->when && !has_plain) {
			plain = value;
			has_plain = true;
		} else if (x->when && found++ == 0) {
			best = value;
		} else {
			sure = false; /* which of several wins is not for here */
		}
	}
	f->n = before;
	f->depth--;
	if (!sure)
		return fact_make(UNKNOWN, 0, 0);
	if (found)
		return best;
	if (has_plain)
		return plain;
	return q->field >= 0 ? fact_stored(f, arguments[0], q->field) : type_is(q->type, VT_BOOL) ? answer(0) : fact_make(UNSET, 0, 0);
}

/* ---- expressions ---- */

static struct fact named(struct foresight *f, const struct node *n)
{
	struct fact x = fact_make(UNKNOWN, 0, 0);
	switch (n->ref_kind) {
	case REF_LOCAL:
		for (int i = f->n; i-- > 0;)
			if (f->bound[i].name == n->name || f->bound[i].name == model_alias(f->m, n->name))
				return f->bound[i].fact;
		return x;
	case REF_THING:
		return fact_make(THING, 0, n->ref);
	case REF_LIVE:
		return fact_make(LIVE, 0, n->ref);
	case REF_WORD:
		x.sort = WORD_SAID;
		x.word = model_alias(f->m, n->name);
		return x;
	default:
		return x;
	}
}

bool thing_is_a(const struct model *m, int thing, int ancestor)
{
	for (; thing >= 0; thing = m->thing.v[thing].parent)
		if (thing == ancestor)
			return true;
	return false;
}

static struct fact is(struct foresight *f, const struct node *n)
{
	struct fact left = fact_of(f, n->a);
	int so = -1;
	if (left.sort == UNKNOWN)
		return left;
	switch (n->ref_kind) {
	case REF_NONE:
		so = left.sort == UNSET;
		break;
	case REF_ADJECTIVE:
		if (left.sort == LIVE || left.sort == THING) {
			struct fact x = asked(f, n->ref, &left, 1);
			so = x.sort == ANSWER ? x.num != 0 : -1;
		}
		break;
	case REF_FLAG:
		if (left.sort == LIVE || left.sort == THING) {
			struct fact x = fact_stored(f, left, n->ref);
			so = x.sort == ANSWER ? x.num != 0 : -1;
		}
		break;
	case REF_WORD:
		if (left.sort == WORD_SAID || left.sort == UNSET)
			so = left.sort == WORD_SAID && n->b->kind == N_KIND_E_NAME && left.word == model_alias(f->m, n->b->name);
		break;
	case REF_LOCAL: { /* "target is actor" */
		struct fact right = left.sort == LIVE ? fact_of(f, n->b) : left;
		if (left.sort == LIVE && right.sort == LIVE)
			so = left.ref == right.ref;
		break;
	}
	case REF_ISA:
		if (left.sort == THING || left.sort == LIVE)
			so = thing_is_a(f->m,
				left.sort == LIVE ? f->m->live.v[left.ref].thing : left.ref,
				n->ref);
		break;
	default:
		break;
	}
	return answer(so < 0 ? so : n->num == 1 ? !so : so);
}

static struct fact binary(struct foresight *f, const struct node *n)
{
	struct fact a = fact_of(f, n->a), b = fact_of(f, n->b);
	if (n->op == BIN_EQ || n->op == BIN_NE) {
		bool comparable = a.sort == b.sort && a.sort != UNKNOWN && a.sort != SOMETHING;
		bool same = a.num == b.num && a.den == b.den && a.ref == b.ref && a.word == b.word;
		if (a.sort == NUMBER && a.den != b.den)
			return fact_make(UNKNOWN, 0, 0);
		return comparable ? answer(same == (n->op == BIN_EQ)) : fact_make(UNKNOWN, 0, 0);
	}
	if ((n->op == BIN_ADD || n->op == BIN_SUB) && a.sort == NUMBER && b.sort == NUMBER &&
		a.den == b.den) {
		bool over = false;
		a.num = num_add(a.num, n->op == BIN_ADD ? b.num : -b.num, &over);
		return over ? fact_make(UNKNOWN, 0, 0) : a;
	}
	bool compares = n->op == BIN_LT || n->op == BIN_GT || n->op == BIN_LE || n->op == BIN_GE, bad = false;
	if (compares && ((a.sort == UNSET && b.sort != UNKNOWN) || (b.sort == UNSET && a.sort != UNKNOWN)))
		return answer(0); /* what is unset is neither more nor less */
	if (!compares || a.sort != NUMBER || b.sort != NUMBER)
		return fact_make(UNKNOWN, 0, 0);
	int64_t x = num_mul(a.num, b.den, &bad), y = num_mul(b.num, a.den, &bad);
	return bad ? fact_make(UNKNOWN, 0, 0) : answer(n->op == BIN_LT ? x < y : n->op == BIN_GT ? x > y : n->op == BIN_LE ? x <= y : x >= y);
}

/* Whether a list that nothing is ever added to begins without the thing. */
static struct fact has(struct foresight *f, const struct node *n)
{
	const struct node *path = n->a;
	bool own = n->ref_kind == REF_LIST_FIELD && n->ref >= 0; /* "actor has spell": among what he knows */
	int field = own ? n->ref : path->ref_kind == REF_FIELD ? path->ref : path->ref_kind == REF_QUESTION ? f->m->question.v[path->ref].field : -1;
	struct fact owner = own ? fact_of(f, path) : path->kind == N_KIND_E_FIELD ? fact_of(f, path->a) : fact_make(UNKNOWN, 0, 0), thing = fact_of(f, n->b);
	if (field < 0 || thing.sort != THING || (owner.sort != LIVE && owner.sort != THING))
		return fact_make(UNKNOWN, 0, 0);
	const struct node *v = values_of(f, owner, field, SET_OR_ADDED);
	if (!v)
		return fact_make(UNKNOWN, 0, 0);
	for (; v; v = v->next) {
		int one = v->kind == N_KIND_V_COUNT ? v->ref : v->kind == N_KIND_V_PLAIN && v->a->kind == N_KIND_E_NAME ? model_thing(f->m, v->a->name, -1) : -1;
		if (one < 0 || thing_is_a(f->m, one, thing.ref))
			return fact_make(UNKNOWN, 0, 0);
	}
	return answer(0);
}

/* What a list of a stat block begins with, into *v, which is NULL where nothing is said. False: it
 * is not known. */
static bool list_known(struct foresight *f, const struct node *path, const struct node **v)
{
	const int field = path->ref_kind == REF_FIELD || path->ref_kind == REF_THING_FIELD
		? path->ref
		: path->ref_kind == REF_QUESTION ? f->m->question.v[path->ref].field
						 : -1;
	if (path->kind != N_KIND_E_FIELD || field < 0 ||
		type_find(f->m->field.v[field].type)->base != VT_LIST)
		return false;
	const struct fact owner = fact_of(f, path->a);
	*v = values_of(f, owner, field, SET_OR_ADDED | TAKEN_FROM);
	/* nothing changes a thing's own fields: what is not said of it is not there */
	return *v || owner.sort == THING;
}

/* `weapon's category in class's weapon categories`: a word in a list of words. */
static struct fact within(struct foresight *f, const struct node *n)
{
	const struct fact sought = fact_of(f, n->a);
	const struct node *v;
	if (n->c || (sought.sort != WORD_SAID && sought.sort != UNSET) || !list_known(f, n->b, &v))
		return fact_make(UNKNOWN, 0, 0);
	for (; v; v = v->next) {
		if (v->kind != N_KIND_V_PLAIN || v->a->kind != N_KIND_E_NAME)
			return v->kind == N_KIND_V_PLAIN && v->a->kind == N_KIND_E_NONE
				? answer(0)
				: fact_make(UNKNOWN, 0, 0);
		if (sought.sort == WORD_SAID && model_alias(f->m, v->a->name) == sought.word)
			return answer(1);
	}
	return answer(0);
}

/* `any (one in class's weapon categories)`: whether a list says anything. */
static struct fact some(struct foresight *f, const struct node *n)
{
	const struct node *set = n->a, *v;
	if (n->op != AGG_COUNT && set->kind == N_KIND_E_SET && set->a->kind == N_KIND_E_NAME &&
		set->a->ref_kind == REF_LOCAL && named(f, set->a).sort == UNSET)
		return answer(n->op != AGG_ANY); /* a role that the line does not name */
	if (n->op == AGG_COUNT || set->kind != N_KIND_E_SET || set->c || !list_known(f, set->a, &v))
		return fact_make(UNKNOWN, 0, 0);
	const bool any = v && !(v->kind == N_KIND_V_PLAIN && v->a->kind == N_KIND_E_NONE);
	return answer(any == (n->op == AGG_ANY));
}

static struct fact every(struct foresight *f, const struct node *n, int sought)
{
	int all = !sought;
	for (const struct node *x = n->a; x; x = x->next) {
		int so = fact_holds(f, x);
		if (so == sought)
			return answer(sought);
		if (so < 0)
			all = -1;
	}
	return answer(all);
}

static struct fact called(struct foresight *f, const struct node *n)
{
	struct fact arguments[EVENT_ROLES];
	int count = 0;
	if (n->a->ref_kind != REF_QUESTION && n->ref_kind != REF_QUESTION)
		return fact_make(UNKNOWN, 0, 0);
	for (const struct node *x = n->b; x && count < EVENT_ROLES; x = x->next)
		arguments[count++] = fact_of(f, x);
	return asked(f, n->ref_kind == REF_QUESTION ? n->ref : n->a->ref, arguments, count);
}

struct fact fact_of(struct foresight *f, const struct node *n)
{
	struct fact x = fact_make(UNKNOWN, 0, 0);
	switch (n->kind) {
	case N_KIND_E_NUM:
		x = fact_make(NUMBER, n->num, 0);
		x.den = n->den;
		return x;
	case N_KIND_E_QTY: {
		int unit = model_unit(f->m, n->name);
		bool bad = unit < 0;
		x = fact_make(NUMBER, bad ? 0 : num_mul(f->m->unit.v[unit].num, n->num, &bad), 0);
		x.den = bad ? 1 : num_mul(f->m->unit.v[unit].den, n->den, &bad);
		return bad ? fact_make(UNKNOWN, 0, 0) : x;
	}
	case N_KIND_E_NEG:
		x = fact_of(f, n->a);
		x.num = -x.num;
		return x.sort == NUMBER ? x : fact_make(UNKNOWN, 0, 0);
	case N_KIND_E_DICE:
		return fact_make(SOMETHING, 0, 0);
	case N_KIND_E_YES:
		return answer(1);
	case N_KIND_E_NO:
		return answer(0);
	case N_KIND_E_NONE:
		return fact_make(UNSET, 0, 0);
	case N_KIND_E_TEXT:
		x.sort = WORD_SAID;
		x.word = intern_word(f->m->front->names, n->text);
		return x;
	case N_KIND_E_NAME:
		return named(f, n);
	case N_KIND_E_FIELD: {
		struct fact owner = fact_of(f, n->a);
		if (n->ref_kind == REF_QUESTION)
			return owner.sort == UNKNOWN ? x : asked(f, n->ref, &owner, 1);
		return n->ref_kind == REF_FIELD || n->ref_kind == REF_THING_FIELD ? fact_stored(f, owner, n->ref) : x;
	}
	case N_KIND_E_CALL:
		return called(f, n);
	case N_KIND_E_IS:
		return is(f, n);
	case N_KIND_E_HAS:
		return has(f, n);
	case N_KIND_E_IN:
		return within(f, n);
	case N_KIND_E_AGG:
		return some(f, n);
	case N_KIND_E_AND:
		return every(f, n, 0);
	case N_KIND_E_OR:
		return every(f, n, 1);
	case N_KIND_E_NOT: {
		int so = fact_holds(f, n->a);
		return answer(so < 0 ? so : !so);
	}
	case N_KIND_E_BINARY:
		return binary(f, n);
	default:
		return x;
	}
}
