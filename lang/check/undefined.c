/* undefined.c - clauses about what nothing defines, and with roles that the question does not have.
 *
 * `adjust` and `limit` change a value that a field holds or a definition gives. Without either they
 * do nothing, so they are refused. The roles of a clause are names of its own; the names that the
 * question itself uses, written in another order, are taken for a slip. */
#include <string.h>

#include "lang/check/model.h"

static const char *number_word(int n)
{
	static const char *const words[] = {"none", "one", "two", "three", "four", "five", "six", "seven", "eight"};
	return words[n >= 0 && n < (int)FRAY_COUNT(words) ? n : 0];
}

/* "combatant's armour class", "combatant is able", "to-hit" */
static void put_question(const struct model *m, const struct mquestion *q, struct buf *out)
{
	if (q->subject >= 0)
		buf_printf(out, q->adjective ? "%s is " : "%s's ", model_text(m, m->kind.v[q->subject].name));
	buf_puts(out, model_text(m, q->name));
}

void question_shown(const struct model *m, int question, struct buf *out)
{
	put_question(m, &m->question.v[question], out);
}

static void put_roles(const struct model *m, const sym *name, int first, int n, struct buf *out)
{
	for (int i = first; i < n; i++)
		buf_printf(out, "%s%s", i > first ? ", " : "", model_text(m, name[i]));
}

/* Whether a clause that holds where this one does says what there is to adjust. */
static bool has_value(const struct model *m, const struct mquestion *q, const struct mclause *x)
{
	if (q->field >= 0 || q->pair >= 0)
		return true;
	for (int i = 0; i < q->clause.n; i++) {
		const struct mclause *other = &m->clause.v[q->clause.v[i]];
		if (other->sort == CLAUSE_DEFINE && (other->encounter < 0 || other->encounter == x->encounter))
			return true;
	}
	return false;
}

static bool is_defined(const struct model *m, const struct mquestion *q)
{
	for (int i = 0; i < q->clause.n; i++)
		if (m->clause.v[q->clause.v[i]].sort == CLAUSE_DEFINE)
			return true;
	return q->field >= 0 || q->pair >= 0;
}

const char *question_near(struct model *m, const struct mquestion *q)
{
	VEC(const char *) names = {0};
	for (int i = 0; i < m->question.n; i++) {
		const struct mquestion *other = &m->question.v[i];
		if (other != q && other->name != q->name && other->subject == q->subject && (q->adjective || !other->adjective) && is_defined(m, other))
			VEC_PUSH(names, model_text(m, other->name));
	}
	for (int i = 0; q->subject >= 0 && i < m->field.n; i++)
		if (m->field.v[i].kind == q->subject && !m->field.v[i].hidden && m->field.v[i].name != q->name)
			VEC_PUSH(names, model_text(m, m->field.v[i].name));
	for (int i = 0; q->subject < 0 && i < m->pair.n; i++)
		VEC_PUSH(names, model_text(m, m->pair.v[i].name));
	const char *best = diag_nearest(model_text(m, q->name), names.v, names.n);
	if (!best)
		best = field_meant(m, model_text(m, q->name), names.v, names.n);
	VEC_FREE(names);
	return best;
}

/* What is asked by this name of another number of roles: its roles; NULL: nothing. */
static const sym *other_roles(const struct model *m, const struct mquestion *q, int *n)
{
	static sym of_pair[2];
	for (int i = 0; i < m->question.n; i++) {
		const struct mquestion *other = &m->question.v[i];
		if (other->name == q->name && other->subject == q->subject && other->params != q->params && is_defined(m, other)) {
			*n = other->params;
			return other->param_name;
		}
	}
	if (q->subject >= 0 || model_pair(m, q->name) < 0)
		return NULL;
	of_pair[0] = m->w.one;
	of_pair[1] = m->w.other;
	*n = 2;
	return of_pair;
}

const char *clause_word(const struct mclause *x)
{
	return x->sort == CLAUSE_ADJUST ? "adjust" : x->sort == CLAUSE_LIMIT ? "limit" : "define";
}

/* The clause with this in place of what it names now; or its beginning, where it is long. */
static void put_clause(struct model *m, const struct mclause *x, struct span at, const char *named,
	struct buf *out)
{
	if (!statement_with(m, at, named, out))
		buf_printf(out, "%s %s ..", clause_word(x), named);
}

bool report_asked_of(struct model *m, int clause, enum message id)
{
	const struct mclause *x = &m->clause.v[clause];
	const struct mquestion *q = &m->question.v[x->question];
	struct buf shown = {0}, roles = {0}, given = {0}, named = {0}, line = {0};
	int n = 0, first = q->subject >= 0;
	const sym *want = other_roles(m, q, &n);
	if (!want)
		return false;
	put_question(m, q, &shown);
	put_roles(m, want, first, n, &roles);
	buf_printf(&given, "%s %s", number_word(q->params - first), q->params - first == 1 ? "is" : "are");
	given.data[0] -= 'a' - 'A';
	buf_printf(&named, "%s (%s)", buf_text(&shown), buf_text(&roles));
	put_clause(m, x, x->node->a->span, buf_text(&named), &line);
	model_report(m, id, x->node->a->span, 5, buf_text(&shown), number_word(n - first),
		buf_text(&roles), buf_text(&given), buf_text(&line));
	if (m->reporting) /* what the clause says of a role that is left out follows */
		VEC_PUSH(m->said, x->node->span);
	buf_free(&shown);
	buf_free(&roles);
	buf_free(&given);
	buf_free(&named);
	buf_free(&line);
	return true;
}

/* Whose this is: "combatant's armour class", a field or what rules work out; false: nobody's. */
static bool put_owned(const struct model *m, sym name, struct buf *out)
{
	for (int k = 0; k < m->kind.n; k++) {
		const int root = kind_root(m, k), field = model_field(m, root, name);
		const int q = model_question_of(m, root, name, false);
		if ((field < 0 && q < 0) || (field >= 0 && m->field.v[field].hidden))
			continue;
		buf_printf(out, "%s's %s", model_text(m, m->kind.v[k].name), model_text(m, name));
		return true;
	}
	return false;
}

void report_bare(struct model *m, struct span at, sym name, const struct mclause *x)
{
	struct mquestion q = {.name = name, .subject = -1};
	struct buf roles = {0}, named = {0}, line = {0};
	int n = 0;
	const sym *want = other_roles(m, &q, &n);
	if (want) {
		put_roles(m, want, 0, n, &roles);
		buf_printf(&named, "%s (%s)", model_text(m, name), buf_text(&roles));
		put_clause(m, x, at, buf_text(&named), &line);
		model_report(m, M_ASKED_OF, at, 5, model_text(m, name), number_word(n),
			buf_text(&roles), "None are", buf_text(&line));
	} else {
		if (put_owned(m, name, &named))
			put_clause(m, x, at, buf_text(&named), &line);
		else
			buf_printf(&line, "%s combatant's %s .., or: %s %s (one, other) ..",
				clause_word(x), model_text(m, name), clause_word(x),
				model_text(m, name));
		model_report(m, M_DEFINE_SUBJECT, at, 1, buf_text(&line));
	}
	buf_free(&roles);
	buf_free(&named);
	buf_free(&line);
}

/* "side's initiative", for what was asked of another: whose field is called so; NULL: nobody's. */
static const char *of_another(const struct model *m, const struct mquestion *q)
{
	for (int k = 0; q->subject >= 0 && k < m->kind.n; k++) {
		if (!m->kind.v[k].live || k == q->subject || model_field(m, k, q->name) < 0)
			continue;
		struct buf b = {0};
		buf_printf(&b, "%s's %s", model_text(m, m->kind.v[k].name), model_text(m, q->name));
		const char *text = arena_text(m->arena, b.data, b.length);
		buf_free(&b);
		return text;
	}
	return NULL;
}

static void report_nothing(struct model *m, int clause)
{
	const struct mclause *x = &m->clause.v[clause];
	const struct mquestion *q = &m->question.v[x->question];
	struct buf shown = {0}, hint = {0};
	const sym of = q->subject >= 0 ? m->kind.v[q->subject].name : 0;
	if (report_value_meant(m, x->node->a->span, q->name, of, x))
		return;
	const char *other = of_another(m, q), *best = other ? other : question_near(m, q);
	put_question(m, q, &shown);
	const struct front *f = m->front;
	const char *where = best || !f->value_elsewhere
		? NULL
		: f->value_elsewhere(f->elsewhere, buf_text(&shown));
	if (where)
		buf_printf(&hint,
			"It is a value of %s, not of these rules. To see theirs: fray show rules FILE", where);
	else
		buf_printf(&hint, "Define it first: define %s = ..", buf_text(&shown));
	model_report(m, best ? M_ADJUST_NOTHING_NEAR : M_ADJUST_NOTHING, x->node->a->span, 3,
		buf_text(&shown), clause_word(x), best ? best : buf_text(&hint));
	if (m->reporting) /* what the clause says of it follows */
		VEC_PUSH(m->said, x->node->span);
	buf_free(&shown);
	buf_free(&hint);
}

/* The question's own names, at other places. */
static bool in_other_order(const struct mquestion *q, const struct mclause *x)
{
	bool moved = false;
	for (int i = q->subject >= 0; i < q->params; i++) {
		int k = q->subject >= 0;
		while (k < q->params && q->param_name[k] != x->param_name[i])
			k++;
		if (k == q->params)
			return false;
		moved |= k != i;
	}
	return moved;
}

static void report_order(struct model *m, struct span at, const char *shown, const sym *names, int first, int n)
{
	struct buf roles = {0};
	put_roles(m, names, first, n, &roles);
	model_report(m, M_ROLES_ORDER, at, 2, shown, buf_text(&roles));
	buf_free(&roles);
}

void check_undefined(struct model *m)
{
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (x->question < 0)
			continue;
		const struct mquestion *q = &m->question.v[x->question];
		if (x->sort == CLAUSE_DEFINE || has_value(m, q, x))
			continue;
		if (!report_asked_of(m, c, M_ASKED_OF))
			report_nothing(m, c);
	}
}

/* A role that has the name of a kind, and is of another. */
static bool other_kind(struct model *m, sym name, struct type *type, struct buf *is)
{
	struct type *named = type_named(m, name), *given = type_find(type);
	if (!named || named->base == given->base || given->base == VT_UNKNOWN || given->base == VT_SET)
		return false;
	if ((named->base != VT_LIVE && named->base != VT_THING) || (given->base != VT_LIVE && given->base != VT_THING))
		return false;
	type_print(m, given, is);
	return true;
}

static void check_kinds(struct model *m, const struct mclause *x, struct span at, const char *shown, struct type *(*type_of)(const struct model *, const struct mclause *, int))
{
	for (int i = 0; i < x->params; i++) {
		struct buf is = {0};
		if (other_kind(m, x->param_name[i], type_of(m, x, i), &is))
			model_report(m, M_ROLE_KIND, at, 3, model_text(m, x->param_name[i]), shown, buf_text(&is));
		buf_free(&is);
	}
}

static struct type *type_of_question(const struct model *m, const struct mclause *x, int i)
{
	return m->question.v[x->question].param[i];
}

static struct type *type_of_event(const struct model *m, const struct mclause *x, int i)
{
	return m->event.v[x->event].role[i].type;
}

static void check_hook_order(struct model *m, const struct mclause *x)
{
	const struct mevent *e = &m->event.v[x->event];
	sym own[EVENT_ROLES];
	struct mquestion as = {.subject = -1, .params = e->roles};
	for (int i = 0; i < e->roles; i++)
		as.param_name[i] = own[i] = e->role[i].name;
	if (in_other_order(&as, x))
		report_order(m, x->node->at, model_text(m, e->name), own, 0, e->roles);
	else
		check_kinds(m, x, x->node->at, model_text(m, e->name), type_of_event);
}

void check_roles(struct model *m)
{
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (!m->module.v[x->module].own)
			continue;
		if (x->event >= 0 && x->node->kind == N_KIND_C_HOOK && x->node->a && x->params > 1)
			check_hook_order(m, x);
		if (x->question < 0 || x->node->kind == N_KIND_C_BE)
			continue;
		const struct mquestion *q = &m->question.v[x->question];
		if (q->params - (q->subject >= 0) < 1)
			continue;
		if (in_other_order(q, x))
			report_order(m, x->node->a->span, model_text(m, q->name), q->param_name, q->subject >= 0, q->params);
		else
			check_kinds(m, x, x->node->a->span, model_text(m, q->name), type_of_question);
	}
}
