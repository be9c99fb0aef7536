/* odds_swept.c - sweeps that cannot be: of how many there are, of an option, of somebody; over
 * "dagger or long sword"; in steps that come to no end. Each is told the line that was meant. */
#include "lang/api/session.h"
#include "lang/api/odds.h"
#include "lang/front/lexicon.h"

#include <math.h>
#include <string.h>

static void add(struct fray *f, struct span at, struct buf *line)
{
	size_t length;
	const char *text = sources_text(&f->sources, at, &length);
	buf_add(line, text, length);
}

bool odds_number_of(const struct node *n, double *out, int64_t *den)
{
	bool minus = n->kind == N_KIND_E_NEG;
	const struct node *x = minus ? n->a : n;
	if (x->kind != N_KIND_E_NUM && x->kind != N_KIND_E_QTY && x->kind != N_KIND_E_PERCENT)
		return false;
	int64_t of = x->den ? x->den : 1;
	*out = (double)(minus ? -x->num : x->num) / (double)of;
	*den = of;
	return true;
}

/* The least of 1, 2, 5, 10, .. in which there are not too many steps. */
static double step_of(double span)
{
	double step = 1;
	for (int i = 0; span / step > SWEEP_MAX; i++)
		step *= i % 3 == 1 ? 2.5 : 2;
	return step;
}

void odds_report_sweep(struct fray *f, const struct node *n)
{
	double from = 0, to = 0, by = 0;
	int64_t den;
	struct buf line = {0};
	bool numbers = odds_number_of(n->b, &from, &den) && odds_number_of(n->c, &to, &den), down = numbers && from > to;
	bool step = n->d && odds_number_of(n->d, &by, &den) && by != 0 && den <= SWEEP_MAX && fabs((to - from) / by) <= SWEEP_MAX;
	buf_puts(&line, "sweep ");
	add(f, n->a->span, &line);
	if (numbers) {
		buf_puts(&line, " from ");
		add(f, (down ? n->c : n->b)->span, &line);
		buf_puts(&line, " to ");
		add(f, (down ? n->b : n->c)->span, &line);
		if (step) {
			buf_puts(&line, " by ");
			add(f, (by < 0 && n->d->kind == N_KIND_E_NEG ? n->d->a : n->d)->span, &line);
		} else if (fabs(to - from) > SWEEP_MAX) {
			buf_printf(&line, " by %.9g", step_of(fabs(to - from)));
		}
	} else if (n->b->kind == N_KIND_E_NAME && n->c->kind == N_KIND_E_NAME) { /* from dagger to long sword */
		buf_puts(&line, " over ");
		add(f, n->b->span, &line);
		buf_puts(&line, ", ");
		add(f, n->c->span, &line);
	} else {
		buf_puts(&line, " from 1 to 9");
	}
	diag_report(&f->sink, M_SWEEP, n->span, 1, buf_text(&line));
	buf_free(&line);
}

/* over dagger, mace or long sword */
static bool chained(struct fray *f, const struct node *n)
{
	struct buf line = {0};
	const struct node *last = n->b;
	bool chain = false;
	buf_puts(&line, "sweep ");
	add(f, n->a->span, &line);
	buf_puts(&line, " over ");
	for (const struct node *v = n->b; v; v = v->next) {
		bool many = v->kind == N_KIND_E_OR || v->kind == N_KIND_E_AND;
		for (const struct node *x = many ? v->a : v; x; x = many ? x->next : NULL) {
			buf_puts(&line, x == n->b || (v == n->b && x == v->a) ? "" : ", ");
			add(f, x->span, &line);
		}
		chain |= many;
		last = v;
	}
	struct span rest = n->span;
	rest.start = last->span.end;
	add(f, rest, &line);
	if (chain)
		diag_report(&f->sink, M_SWEEP_HEAD, n->b->span, 1, buf_text(&line));
	buf_free(&line);
	return chain;
}

/* ---- what branches say instead ---- */

enum { ALTERNATIVES = 8 };

/* The question that is asked in the sweep, with these branches. */
static void put_question(struct fray *f, const struct node *n, const struct buf *branches, struct buf *line)
{
	const struct node *q = n->e;
	while (q && q->kind != N_KIND_Q_ODDS)
		q = q->next;
	buf_puts(line, "odds");
	if (q && q->op == METHOD_EXACT)
		buf_puts(line, " exact");
	else if (q && q->op == METHOD_SAMPLED)
		buf_printf(line, " %lld", (long long)q->num);
	if (q && q->name)
		buf_printf(line, " on %s", model_text(&f->model, q->name));
	buf_add(line, branches->data, branches->length);
	if (q && q->b) {
		struct span at = q->b->span;
		at.end = q->span.end;
		buf_puts(line, " giving ");
		add(f, at, line);
	}
}

/* The values of the sweep that are whole numbers, no more than branches there are. */
static int whole_values(const struct node *n, int value[ALTERNATIVES])
{
	double from, to, by = 1;
	int64_t den;
	int k = 0;
	if (!n->c) {
		for (const struct node *v = n->b; v && k < ALTERNATIVES; v = v->next)
			if (odds_number_of(v, &from, &den) && den == 1 && from >= 0)
				value[k++] = (int)from;
		return k;
	}
	if (!odds_number_of(n->b, &from, &den) || !odds_number_of(n->c, &to, &den) || from < 0 || to < from || to > SWEEP_MAX)
		return 0;
	if (n->d && (!odds_number_of(n->d, &by, &den) || by < 1))
		by = 1;
	by = fmax(by, ceil((to - from) / (ALTERNATIVES - 1)));
	for (double v = from; v <= to && k < ALTERNATIVES; v += by)
		value[k++] = (int)v;
	return k;
}

/* So many of a thing on a side where `there` are, as a line of a branch. */
static void put_many(const struct fray *f, int thing, const char *side, int there, int want, struct buf *out)
{
	const struct model *m = &f->model;
	struct buf plural = {0};
	int seen = 0;
	buf_puts(out, " {");
	for (int i = 0; want < there && i < m->live.n; i++)
		if (m->live.v[i].thing == thing && ++seen > want)
			buf_printf(out, "%s %s", seen > want + 1 ? "," : "", model_text(m, m->live.v[i].name));
	if (want < there)
		buf_puts(out, there - want > 1 ? " leave" : " leaves");
	lexicon_plural(&plural, model_text(m, m->thing.v[thing].name));
	if (want == there + 1)
		buf_printf(out, " %s joins %s", model_text(m, m->thing.v[thing].name), side);
	else if (want > there)
		buf_printf(out, " %d %s join %s", want - there, buf_text(&plural), side);
	buf_puts(out, " }");
	buf_free(&plural);
}

/* sweep orcs from 1 to 5: those of a side, or of a sort */
static bool of_many(struct fray *f, const struct node *n, const char *name)
{
	const struct model *m = &f->model;
	int most = -1, there = 0, value[ALTERNATIVES], values = whole_values(n, value);
	const char *side = "";
	static const char *const before[] = {"number of ", "count of ", "how many ", "side "};
	for (size_t i = 0; i < FRAY_COUNT(before); i++)
		if (!strncmp(name, before[i], strlen(before[i])))
			name += strlen(before[i]);
	sym own = intern_find(f->names, name, strlen(name));
	int of = own ? model_side(m, own) : -1;
	for (int i = 0; i < m->live.n; i++) {
		struct buf plural = {0};
		int thing = m->live.v[i].thing, count = 0;
		const char *one = model_text(m, m->thing.v[thing].name);
		lexicon_plural(&plural, one);
		bool meant = !strcmp(name, one) || !strcmp(name, buf_text(&plural)) || (of >= 0 && m->live.v[i].side == of);
		buf_free(&plural);
		for (int k = 0; k < m->live.n; k++)
			count += m->live.v[k].thing == thing;
		if (!meant || count <= there || m->live.v[i].name == m->thing.v[thing].name)
			continue; /* who has a name of his own is one */
		most = thing;
		there = count;
		side = m->live.v[i].side >= 0 ? model_text(m, m->side.v[m->live.v[i].side].name) : name;
	}
	if (most < 0 || values < 1)
		return false;
	struct buf branches = {0}, line = {0};
	for (int i = 0; i < values; i++) {
		buf_puts(&branches, i ? " vs" : "");
		put_many(f, most, side, there, value[i], &branches);
	}
	put_question(f, n, &branches, &line);
	diag_report(&f->sink, M_SWEEP_BRANCHES, n->a->span, 1, buf_text(&line));
	buf_free(&branches);
	buf_free(&line);
	return true;
}

static bool of_option(struct fray *f, const struct node *n, const char *name)
{
	const struct model *m = &f->model;
	name += strncmp(name, "option ", 7) ? 0 : 7;
	sym own = intern_find(f->names, name, strlen(name));
	if (!own || model_option(m, own) < 0 || n->c || model_field(m, KIND_COMBATANT, own) >= 0)
		return false;
	struct buf branches = {0}, line = {0};
	int k = 0;
	for (const struct node *v = n->b; v && k < ALTERNATIVES; v = v->next) {
		buf_printf(&branches, "%s { set option %s = ", k++ ? " vs" : "", name);
		add(f, v->span, &branches);
		buf_puts(&branches, " }");
	}
	put_question(f, n, &branches, &line);
	diag_report(&f->sink, M_SWEEP_BRANCHES, n->a->span, 1, buf_text(&line));
	buf_free(&branches);
	buf_free(&line);
	return true;
}

/* sweep hit points from 5 to 20; sweep Bruna from 5 to 20: whose, or what of his? */
static bool of_half(struct fray *f, const struct node *n, sym name)
{
	const struct model *m = &f->model;
	int live = model_live(m, name);
	bool field = model_field(m, KIND_COMBATANT, name) >= 0;
	if ((live < 0 && !field) || m->live.n == 0)
		return false;
	struct buf line = {0};
	struct span rest = n->span;
	rest.start = n->a->span.end;
	buf_printf(&line, "sweep %s's %s", model_text(m, m->live.v[live < 0 ? 0 : live].name), field ? model_text(m, name) : "hit points");
	add(f, rest, &line);
	diag_report(&f->sink, M_SWEEP_HEAD, n->a->span, 1, buf_text(&line));
	buf_free(&line);
	return true;
}

bool odds_can_sweep(struct fray *f, const struct node *n, int encounter)
{
	const struct model *m = &f->model;
	if (!n->c && chained(f, n))
		return false;
	if (n->a->kind != N_KIND_E_NAME || encounter < 0 || model_field(m, KIND_ENCOUNTER, n->a->name) >= 0)
		return true;
	const char *name = model_text(m, n->a->name);
	scene_enter(&f->model, encounter);
	bool told = of_option(f, n, name) || of_many(f, n, name) || of_half(f, n, model_alias(m, n->a->name));
	scene_leave(&f->model);
	return !told;
}
