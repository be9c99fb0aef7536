/* odds_options.c - which reading of the rules decides a fight: each option turned, and each
 * house rule left out, one at a time, with the same dice. */
#include "lang/api/bars.h"
#include "lang/api/part.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct turned { const char *option, *value, *instead, *rule, *cite; struct figure wins, difference; };
struct all_turned { VEC(struct turned) row; };

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

/* All other values of one option, beside the one in force. */
static enum fray_status turn(struct fray *f, int option, struct asking *q, struct all_turned *out)
{
	const struct moption *o = &f->model.option.v[option];
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
	for (int b = 1; b <= other.n && a.trials.branches; b++) {
		struct turned t = {model_text(&f->model, o->name), words_of(f, other.v[b - 1]), in_force ? words_of(f, in_force) : "", NULL, NULL, odds_figure(&a, b, 0), odds_difference(&a, b, 0)};
		VEC_PUSH(out->row, t);
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
	if (a.trials.branches) {
		struct turned t = {"", "", "", model_text(&f->model, rule), cite, odds_figure(&a, 1, 0), odds_difference(&a, 1, 0)};
		VEC_PUSH(out->row, t);
	}
	odds_answer_free(&a);
	return s == FRAY_WRONG && !f->parts ? FRAY_OK : s;
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
	if (p != q)
		return p > q ? -1 : 1;
	int by_name = strcmp(a->rule ? a->rule : a->option, b->rule ? b->rule : b->option);
	return by_name ? by_name : strcmp(a->value, b->value);
}

static void tell_text(struct fray *f, const struct turned *t)
{
	bool matters = t->difference.low > 0 || t->difference.high < 0;
	struct buf name = {0}, effect = {0};
	if (t->rule)
		buf_printf(&name, "without %s", t->rule);
	else
		buf_printf(&name, "%s = %s", t->option, t->value);
	buf_printf(&effect, "%+.2f %%  (%+.2f .. %+.2f)", t->difference.value * 100, t->difference.low * 100, t->difference.high * 100);
	fray_write(f, FRAY_PLAIN, "  ");
	bars_pad(f, FRAY_NAME, buf_text(&name), 44);
	fray_write(f, FRAY_PLAIN, " ");
	fray_write(f, matters ? FRAY_GOOD : FRAY_DIM, t->difference.low < t->difference.high ? buf_text(&effect) : "the same in every fight");
	fray_write(f, FRAY_PLAIN, "\n");
	buf_free(&name);
	buf_free(&effect);
}

static json_t *object(struct fray *f, const struct turned *t, const char *measure, uint64_t trials)
{
	if (t->rule)
		return json_pack("{s:s,s:s,s:s,s:f,s:{s:f,s:f,s:f},s:I,s:I}", "rule", t->rule, "cite", t->cite, "measure", measure, "share", t->wins.value, "difference", "value",
		                 t->difference.value, "low", t->difference.low, "high", t->difference.high, "trials", (json_int_t)trials, "seed", (json_int_t)f->odds.seed);
	return json_pack("{s:s,s:s,s:s,s:s,s:f,s:{s:f,s:f,s:f},s:I,s:I}", "option", t->option, "value", t->value, "instead_of", t->instead, "measure", measure,
	                      "share", t->wins.value, "difference", "value", t->difference.value, "low", t->difference.low, "high", t->difference.high,
	                 "trials", (json_int_t)trials, "seed", (json_int_t)f->odds.seed);
}

enum fray_status fray_odds_sensitivity(struct fray *f, const char *encounter)
{
	struct asking q;
	struct all_turned all;
	int e = odds_encounter(f, encounter);
	if (e < 0)
		return FRAY_WRONG;
	run_close(f); /* also of a saved position: readings of the rules are chosen at the start */
	part_asked(f, encounter, true);
	memset(&q, 0, sizeof q);
	memset(&all, 0, sizeof all);
	q.title = "";
	q.at = NAN;
	q.encounter = e;
	q.method = METHOD_SAMPLED;
	q.measures = odds_usual_measures(f, e, false);
	enum fray_status s = FRAY_OK;
	for (int i = 0; i < f->model.option.n && s == FRAY_OK; i++)
		s = turn(f, i, &q, &all);
	if (s == FRAY_OK)
		s = leave_out_each(f, &q, &all);
	if (all.row.n)
		qsort(all.row.v, (size_t)all.row.n, sizeof *all.row.v, further);
	size_t n;
	const char *text = q.measures ? sources_text(&f->sources, q.measures->span, &n) : "";
	const char *measure = arena_text(&f->arena, text, q.measures ? n : 0);
	if (f->part) {
		VEC_FREE(all.row);
		return s;
	}
	if (f->odds.form == FRAY_ODDS_TEXT) {
		fray_write(f, FRAY_HEADING, model_text(&f->model, f->model.encounter.v[e].name));
		fray_writef(f, FRAY_PLAIN, "\n  %s: what other readings of the rules change, one at a time\n", measure);
		if (!all.row.n)
			fray_write(f, FRAY_PLAIN, "  there are no options and no house rules\n");
	}
	uint64_t trials = f->odds.trials ? f->odds.trials : 10000;
	for (int i = 0; i < all.row.n; i++) {
		if (f->odds.form == FRAY_ODDS_TEXT)
			tell_text(f, &all.row.v[i]);
		json_t *o = object(f, &all.row.v[i], measure, trials);
		odds_keep_row(f, o);
		if (f->odds.form != FRAY_ODDS_TEXT)
			odds_write(f, o);
		else
			json_decref(o);
	}
	VEC_FREE(all.row);
	return s;
}
