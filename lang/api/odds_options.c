/* odds_options.c - which reading of the rules decides a fight: each option turned, and each
 * house rule left out, one at a time, with the same dice. */
#include "lang/api/bars.h"
#include "lang/api/part.h"
#include "lang/api/session.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct turned { const char *option, *value, *instead, *rule, *cite; struct figure figure, difference; };
/* All rows, and what is the same for all of them. */
struct all_turned { VEC(struct turned) row; bool chance, exact; const char *unit; uint64_t trials; };

static struct node *branch_with(struct fray *f, const struct moption *o, const struct node *value)
{
	struct node *branch = node_new(&f->arena, N_KIND_BRANCH, o->node->span);
	if (!value)
		return branch;
	struct node *set = node_new(&f->arena, N_KIND_N_OPTION, o->node->span);
	set->at = o->node->at;
	set->name = o->name;
	set->a = node_new(&f->arena, value->kind, value->span);
	*set->a = *value;
	set->a->next = NULL;
	branch->a = set;
	return branch;
}

static const char *words_of(struct fray *f, const struct node *n)
{
	size_t length;
	const char *text = sources_text(&f->sources, n->span, &length);
	return arena_text(&f->arena, text, length);
}

/* Adds a branch's row, in the measure's own unit. False after reporting that it is no number. */
static bool add_row(struct fray *f, const struct asking *q, const struct answer *a, int branch, struct turned t, struct all_turned *out)
{
	const struct measure_info *info = &a->program[branch]->measure[0];
	const char *unit = "";
	double scale = 1;
	out->chance = info->how == MEASURED_CHANCE;
	if (!out->chance && !vtype_is_number(info->type)) {
		diag_report(&f->sink, M_SENSITIVITY, q->measures->span, 0);
		return false;
	}
	if (!out->chance)
		scale = odds_in_unit(a->program[branch], info->type, 1, &unit);
	out->unit = arena_text(&f->arena, unit, strlen(unit));
	out->exact |= a->exact;
	out->trials = a->exact ? out->trials : a->trials.done;
	t.figure = odds_figure(a, branch, 0);
	t.difference = odds_difference(a, branch, 0);
	struct figure *all[] = {&t.figure, &t.difference};
	for (int i = 0; i < 2; i++) {
		all[i]->value *= scale;
		all[i]->low *= scale;
		all[i]->high *= scale;
	}
	VEC_PUSH(out->row, t);
	odds_keep_head(f, q, a);
	return true;
}

/* All other values of one option, beside the one in force. */
static enum fray_status turn(struct fray *f, int option, struct asking *q, struct all_turned *out)
{
	const struct moption its = f->model.option.v[option], *o = &its; /* asking may make the model anew */
	const struct node *in_force = NULL;
	struct answer a;
	int k = 0;
	q->branches = 0;
	q->branch[q->branches++] = branch_with(f, o, NULL);
	VEC(const struct node *) other = {0};
	for (const struct node *v = o->node->a; v; v = v->next, k++) {
		if (k == o->value) {
			in_force = v;
		} else if (q->branches < BRANCHES_MAX) {
			q->branch[q->branches++] = branch_with(f, o, v);
			VEC_PUSH(other, v);
		}
	}
	enum fray_status s = other.n ? odds_ask(f, q, &a) : FRAY_OK;
	for (int b = 1; b <= other.n && odds_answered(&a) && !f->part; b++) {
		struct turned t = {.option = model_text(&f->model, o->name), .value = words_of(f, other.v[b - 1]), .instead = in_force ? words_of(f, in_force) : ""};
		if (!add_row(f, q, &a, b, t, out))
			s = FRAY_WRONG;
	}
	if (other.n)
		odds_answer_free(&a);
	VEC_FREE(other);
	return s;
}

/* The fight without one house rule; one that cannot be left out, because others speak of it,
 * is passed over. */
static enum fray_status leave_out(struct fray *f, sym rule, const char *cite, struct asking *q, struct all_turned *out)
{
	struct answer a;
	struct diag_sink kept = f->sink;
	struct node *drop = node_new(&f->arena, N_KIND_DROP, (struct span){0});
	q->branches = 2;
	q->branch[0] = node_new(&f->arena, N_KIND_BRANCH, (struct span){0});
	q->branch[1] = node_new(&f->arena, N_KIND_BRANCH, (struct span){0});
	drop->name = rule;
	q->branch[1]->a = drop;
	f->sink.report = NULL;
	enum fray_status s = odds_ask(f, q, &a);
	f->sink = kept;
	bool number = true;
	if (odds_answered(&a) && !f->part) {
		struct turned t = {.option = "", .value = "", .instead = "", .rule = model_text(&f->model, rule), .cite = cite};
		number = add_row(f, q, &a, 1, t, out);
	}
	odds_answer_free(&a);
	return s == FRAY_WRONG && !f->parts && number ? FRAY_OK : number ? s : FRAY_WRONG;
}

/* Rules of this table and of the script that are in force; asking makes the model anew, so they
 * are noted first. */
static enum fray_status leave_out_each(struct fray *f, struct asking *q, struct all_turned *out)
{
	VEC(struct ours { sym name; const char *cite; }) rule = {0};
	enum fray_status s = FRAY_OK;
	scene_enter(&f->model, q->encounter);
	layers_resolve(&f->model);
	for (int i = 0; i < f->model.rule.n; i++) {
		const struct mrule *r = &f->model.rule.v[i];
		enum layer layer = f->model.module.v[r->module].layer;
		bool ours = layer == LAYER_HOUSE || layer == LAYER_SCRIPT || layer == LAYER_PROMPT;
		if (!ours || !rule_in_force(&f->model, i) || (r->encounter >= 0 && r->encounter != q->encounter))
			continue;
		VEC_PUSH(rule, (struct ours){r->name, r->cite ? r->cite : ""});
	}
	scene_leave(&f->model);
	for (int i = 0; i < rule.n && s == FRAY_OK; i++)
		s = leave_out(f, rule.v[i].name, rule.v[i].cite, q, out);
	VEC_FREE(rule);
	return s;
}

static int further(const void *x, const void *y)
{
	const struct turned *a = x, *b = y;
	double p = fabs(a->difference.value), q = fabs(b->difference.value);
	p = isnan(p) ? -1 : p;
	q = isnan(q) ? -1 : q;
	if (p != q)
		return p > q ? -1 : 1;
	int by_name = strcmp(a->rule ? a->rule : a->option, b->rule ? b->rule : b->option);
	return by_name ? by_name : strcmp(a->value, b->value);
}

/* ---- told ---- */

static void put_number(struct buf *out, const struct all_turned *all, double x)
{
	buf_printf(out, "%+.2f", all->chance ? x * 100 : x);
}

static void put_effect(struct buf *out, const struct all_turned *all, const struct turned *t)
{
	const struct figure *d = &t->difference;
	if (isnan(d->value)) {
		buf_puts(out, "has no value in some fight");
	} else if (d->low < d->high || (d->value < 0 || d->value > 0)) {
		put_number(out, all, d->value);
		buf_printf(out, *all->unit == '"' ? "%s" : " %s", all->chance ? "%" : all->unit);
		if (d->low < d->high) {
			buf_puts(out, *all->unit || all->chance ? "  (" : " (");
			put_number(out, all, d->low);
			buf_puts(out, " .. ");
			put_number(out, all, d->high);
			buf_puts(out, ")");
		} else if (all->exact) {
			buf_puts(out, *all->unit || all->chance ? "  exact" : " exact");
		}
	} else {
		buf_puts(out, "the same in every fight");
	}
}

static void tell_text(struct fray *f, const struct all_turned *all, const struct turned *t)
{
	bool matters = t->difference.low > 0 || t->difference.high < 0;
	struct buf name = {0}, effect = {0};
	if (t->rule)
		buf_printf(&name, "without %s", t->rule);
	else
		buf_printf(&name, "%s = %s", t->option, t->value);
	put_effect(&effect, all, t);
	fray_write(f, FRAY_PLAIN, "  ");
	bars_pad(f, FRAY_NAME, buf_text(&name), 44);
	fray_write(f, FRAY_PLAIN, " ");
	fray_write(f, matters ? FRAY_GOOD : FRAY_DIM, buf_text(&effect));
	fray_write(f, FRAY_PLAIN, "\n");
	buf_free(&name);
	buf_free(&effect);
}

static json_t *real(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static json_t *object(struct fray *f, const struct asking *q, const struct all_turned *all, const struct turned *t, const char *measure)
{
	json_t *o = json_object();
	if (t->rule) {
		json_object_set_new(o, "rule", json_string(t->rule));
		json_object_set_new(o, "cite", json_string(t->cite));
	} else {
		json_object_set_new(o, "option", json_string(t->option));
		json_object_set_new(o, "value", json_string(t->value));
		json_object_set_new(o, "instead_of", json_string(t->instead));
	}
	json_object_set_new(o, "measure", json_string(measure));
	if (q->present)
		json_object_set_new(o, "from", json_string(session_place(f)));
	json_object_set_new(o, "kind", json_string(all->chance ? "chance" : "average"));
	if (*all->unit)
		json_object_set_new(o, "unit", json_string(all->unit));
	json_object_set_new(o, all->chance ? "share" : "mean", real(t->figure.value));
	json_object_set_new(o, "difference", json_pack("{s:o,s:o,s:o}", "value", real(t->difference.value), "low", real(t->difference.low), "high", real(t->difference.high)));
	json_object_set_new(o, "method", json_string(all->exact ? "exact" : "sampled"));
	if (!all->exact) {
		json_object_set_new(o, "trials", json_integer((json_int_t)all->trials));
		json_object_set_new(o, "seed", json_integer((json_int_t)f->odds.seed));
	}
	return o;
}

static void tell_heading(struct fray *f, const struct asking *q, const struct all_turned *all, const char *measure)
{
	fray_write(f, FRAY_HEADING, model_text(&f->model, f->model.encounter.v[q->encounter].name));
	fray_write(f, FRAY_PLAIN, q->present ? " from the present moment\n" : "\n");
	fray_writef(f, FRAY_PLAIN, "  %s: what other readings of the rules change, one at a time\n", measure);
	if (!all->row.n)
		fray_write(f, FRAY_PLAIN, "  there are no options and no house rules\n");
}

static void tell_all(struct fray *f, const struct asking *q, const struct all_turned *all)
{
	size_t n;
	const char *text = sources_text(&f->sources, q->measures->span, &n), *measure = arena_text(&f->arena, text, n);
	if (f->odds.form == FRAY_ODDS_TEXT)
		tell_heading(f, q, all, measure);
	for (int i = 0; i < all->row.n; i++) {
		if (f->odds.form == FRAY_ODDS_TEXT)
			tell_text(f, all, &all->row.v[i]);
		json_t *o = object(f, q, all, &all->row.v[i], measure);
		odds_keep_row(f, o);
		if (f->odds.form != FRAY_ODDS_TEXT)
			odds_write(f, o);
		else
			json_decref(o);
	}
}

/* False after reporting. */
static bool one_measure(struct fray *f, const char *encounter, int e, struct asking *q)
{
	part_asked(f, encounter, true);
	memset(q, 0, sizeof *q);
	q->title = "";
	q->at = NAN;
	q->encounter = e;
	q->present = f->from && session_beats(f) > 0 && e == f->encounter; /* other readings hold from there on */
	q->method = f->odds.method == FRAY_EXACT ? METHOD_EXACT : METHOD_SAMPLED;
	q->measures = odds_command_measures(f, e, false);
	if (q->measures && q->measures->next && f->odds.giving) {
		diag_report(&f->sink, M_SENSITIVITY, q->measures->next->span, 0);
		return false;
	}
	if (q->measures)
		q->measures->next = NULL;
	return q->measures != NULL;
}

enum fray_status fray_odds_sensitivity(struct fray *f, const char *encounter)
{
	struct asking q;
	struct all_turned all;
	int e = odds_encounter(f, encounter);
	if (e < 0)
		return FRAY_WRONG;
	if (!f->from)
		run_close(f);
	if (!one_measure(f, encounter, e, &q))
		return FRAY_WRONG;
	memset(&all, 0, sizeof all);
	all.unit = "";
	enum fray_status s = FRAY_OK;
	for (int i = 0; i < f->model.option.n && s == FRAY_OK; i++)
		s = turn(f, i, &q, &all);
	if (s == FRAY_OK)
		s = leave_out_each(f, &q, &all);
	if (all.row.n)
		qsort(all.row.v, (size_t)all.row.n, sizeof *all.row.v, further);
	if (!f->part && s != FRAY_WRONG)
		tell_all(f, &q, &all);
	VEC_FREE(all.row);
	return s;
}
