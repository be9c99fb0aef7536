/* odds_questions.c - questions of a script, of the prompt and of the command: what each asks. */
#include "lang/api/session.h"
#include "lang/api/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/explain/story.h"
#include "runtime/sim/exact.h"
#include "runtime/world/block.h"

/* ---- what is asked ---- */

static int encounter_named(struct fray *f, const struct node *n)
{
	for (int i = 0; i < f->model.encounter.n; i++)
		if (f->model.encounter.v[i].name == n->name)
			return i;
	const char *asked = model_text(&f->model, n->name), *best = encounter_near(f, asked);
	diag_report(&f->sink, best ? M_NO_ENCOUNTER_NEAR : M_NO_ENCOUNTER, n->at, 2, asked,
		best ? best : encounters_there(f));
	return -1;
}

/* Which is meant where none is named; `here` is the one the question stands in, -1 for none. */
static int encounter_here(const struct fray *f, int here)
{
	return here >= 0 ? here : f->vm ? f->encounter : fray_encounters(f) - 1;
}

static bool asking_of(struct fray *f, const struct node *n, int here, struct node *also, struct asking *q)
{
	memset(q, 0, sizeof *q);
	q->as = ASKED_ALONE;
	q->text = n->span;
	q->at = NAN;
	q->title = "";
	q->also = also;
	q->encounter = n->name ? encounter_named(f, n) : encounter_here(f, here);
	if (n->name && q->encounter < 0)
		return false;
	if (q->encounter < 0) {
		diag_report(&f->sink, M_NO_ENCOUNTER_AT_ALL, n->span, 0);
		return false;
	}
	q->present = !n->name && (here < 0 || f->from) && f->vm && session_beats(f) > 0 && q->encounter == f->encounter;
	for (struct node *b = n->a; b; b = b->next) {
		if (q->branches == BRANCHES_MAX) {
			diag_report(&f->sink, M_MANY_BRANCHES, b->span, 0);
			return false;
		}
		q->branch[q->branches++] = b;
	}
	if (q->branches == 0)
		q->branches = 1;
	if (f->from && !odds_fits_present(q))
		q->present = false; /* a question of the script about the start is one still */
	q->measures = n->b ? n->b : odds_usual_measures(f, q->encounter, false);
	if (node_count(q->measures) > MEASURES_MAX) {
		diag_report(&f->sink, M_MANY_MEASURES, n->span, 0);
		return false;
	}
	q->method = n->op;
	q->trials = n->op == METHOD_SAMPLED && n->num > 0 ? (uint64_t)n->num : 0;
	if (n->op == METHOD_SAMPLED && (n->num <= 0 || n->den > 1)) {
		diag_report(&f->sink, M_NO_TRIALS, n->span, 0);
		return false;
	}
	if (n->op == METHOD_AUTO && f->odds.method)
		q->method = f->odds.method == FRAY_EXACT ? METHOD_EXACT : METHOD_SAMPLED;
	return true;
}

/* One step of a sweep, or the encounter under one of the rules compared. */
struct step { enum asked_as as; struct node *also; const char *title; double at; struct span text; };

static enum fray_status question_odds(struct fray *f, const struct node *n, int here, const struct step *step)
{
	struct asking q;
	struct answer a;
	if (!asking_of(f, n, here, step ? step->also : NULL, &q))
		return FRAY_WRONG;
	if (step) {
		q.as = step->as;
		q.title = step->title;
		q.at = step->at;
		if (step->text.file)
			q.text = step->text;
	}
	enum fray_status s = odds_ask(f, &q, &a);
	if (odds_answered(&a))
		odds_show(f, &q, &a);
	odds_answer_free(&a);
	return s;
}

enum fray_status odds_of_forks(struct fray *f, struct node *measures, const char *const fork[2])
{
	struct node n = {0};
	struct asking q;
	struct answer a;
	n.kind = N_KIND_Q_ODDS;
	n.b = measures;
	if (!asking_of(f, &n, -1, NULL, &q))
		return FRAY_WRONG;
	q.branches = 2;
	q.present = true;
	for (int b = 0; b < 2; b++)
		q.fork[b] = fork[b];
	enum fray_status s = odds_ask(f, &q, &a);
	if (odds_answered(&a))
		odds_show(f, &q, &a);
	odds_answer_free(&a);
	return s;
}

enum fray_status odds_named(struct fray *f, const struct node *encounter, struct node *measures, const char *title, struct span text)
{
	struct node n = {0};
	n.kind = N_KIND_Q_ODDS;
	n.name = encounter ? encounter->name : 0;
	n.at = n.span = encounter ? encounter->at : (struct span){0};
	n.b = measures;
	struct step step = {ASKED_COMPARE, NULL, title, NAN, text};
	return question_odds(f, &n, -1, &step);
}

/* ---- sweep ---- */

/* "set X = value" as a line of a branch. */
static struct node *step_line(struct fray *f, const struct node *sweep, struct node *value)
{
	struct node *set = node_new(&f->arena, N_KIND_S_SET, sweep->a->span);
	struct node *edit = node_new(&f->arena, N_KIND_N_EDIT, sweep->a->span);
	set->at = edit->at = sweep->a->at;
	set->a = sweep->a;
	set->b = node_new(&f->arena, value->kind, value->span);
	*set->b = *value;
	set->b->next = NULL;
	set->role = DOOR_SWEEP;
	edit->a = set;
	return edit;
}

static const char *step_title(struct fray *f, const struct node *sweep, const struct node *value)
{
	size_t n;
	struct buf b = {0};
	const char *text = sources_text(&f->sources, sweep->a->span, &n);
	buf_add(&b, text, n);
	buf_puts(&b, " = ");
	if (sweep->c) {
		buf_printf(&b, "%.12g", (double)value->num / (double)(value->den ? value->den : 1));
		text = sources_text(&f->sources, sweep->b->span, &n);
		while (n && (*text == '-' || (*text >= '0' && *text <= '9') || *text == '.')) {
			text++;
			n--;
		}
	} else {
		text = sources_text(&f->sources, value->span, &n);
	}
	buf_add(&b, text, n);
	const char *title = arena_text(&f->arena, b.data, b.length);
	buf_free(&b);
	return title;
}

static enum fray_status sweep_step(struct fray *f, const struct node *sweep, struct node *value, double at, int here)
{
	struct node *also = step_line(f, sweep, value);
	enum fray_status s = FRAY_OK;
	for (struct node *x = sweep->e; x; x = x->next)
		if (x->kind == N_KIND_N_EDIT || x->kind == N_KIND_N_OPTION) {
			struct node *copy = node_new(&f->arena, x->kind, x->span);
			*copy = *x;
			copy->next = NULL;
			also = node_append(also, copy);
		}
	struct step step = {ASKED_SWEEP, also, step_title(f, sweep, value), at, {0}};
	for (struct node *x = sweep->e; x && s == FRAY_OK; x = x->next)
		if (x->kind == N_KIND_Q_ODDS)
			s = question_odds(f, x, here, &step);
	return s;
}

static enum fray_status question_sweep(struct fray *f, const struct node *n, int here)
{
	enum fray_status s = FRAY_OK;
	const struct node *first = n->e;
	while (first && first->kind != N_KIND_Q_ODDS)
		first = first->next;
	if (!odds_can_sweep(f, n, first && first->name ? encounter_named(f, first) : encounter_here(f, here)))
		return FRAY_WRONG;
	odds_keep_together(f);
	if (!n->c) {
		for (struct node *v = n->b; v && s == FRAY_OK; v = v->next)
			s = sweep_step(f, n, v, NAN, here);
		return s;
	}
	double from, to, by = 1;
	int64_t den, den_to, den_by = 1;
	bool numbers = odds_number_of(n->b, &from, &den) && odds_number_of(n->c, &to, &den_to) && (!n->d || odds_number_of(n->d, &by, &den_by));
	if (!numbers || by <= 0 || from > to || (to - from) / by > SWEEP_MAX || den > SWEEP_MAX || den_by > SWEEP_MAX) {
		odds_report_sweep(f, n);
		return FRAY_WRONG;
	}
	den *= den_by;
	for (int i = 0; from + i * by <= to + 1e-9 && s == FRAY_OK; i++) {
		double v = from + i * by;
		if (i > 1 && f->only_checking)
			break; /* what is wrong with the second is wrong with all */
		struct node *value = node_new(&f->arena, n->b->kind == N_KIND_E_NEG ? n->b->a->kind : n->b->kind, n->b->span);
		*value = n->b->kind == N_KIND_E_NEG ? *n->b->a : *n->b;
		value->span = i && n->d ? n->d->span : n->b->span;
		value->next = NULL;
		value->num = llround(v * (double)den);
		value->den = den;
		for (int64_t k = 2; k <= value->den; k++)
			while (value->den % k == 0 && value->num % k == 0) {
				value->den /= k;
				value->num /= k;
			}
		s = sweep_step(f, n, value, v, here);
	}
	return s;
}

/* ---- expect odds ---- */

static enum fray_status question_expect(struct fray *f, const struct node *n, int here)
{
	struct asking q;
	struct answer a;
	struct odds_bound bound;
	if (!asking_of(f, n->a, here, NULL, &q))
		return FRAY_WRONG;
	q.expects = true;
	if (!odds_bound_read(f, n, q.measures->op == MEASURE_PLAIN, &bound))
		return FRAY_WRONG;
	enum fray_status s = odds_ask(f, &q, &a);
	if (f->part || f->only_checking) { /* whether it holds is seen when the parts are put together */
		odds_answer_free(&a);
		return s;
	}
	if (s == FRAY_OK && odds_answered(&a)) {
		struct figure x = odds_figure(&a, 0, 0);
		bool chance = a.program[0]->measure[0].how == MEASURED_CHANCE;
		/* a sample holds when the truth may well be so, what is counted when it is so whatever was left out */
		bool holds = odds_bound_holds(&bound, x.low, x.high, a.exact);
		if (holds) {
			f->tally.expects_passed++;
		} else {
			size_t length;
			const char *text = sources_text(&f->sources, n->span, &length);
			struct buf said = {0}, is = {0};
			buf_add(&said, text, length);
			if (a.exact && !a.found[0].complete && chance)
				buf_printf(&is, "What was counted leaves it from %.6g%% to %.6g%%. A sample tells more: expect odds 10000 ..", x.low * 100, x.high * 100);
			else if (a.exact && !a.found[0].complete)
				buf_puts(&is, "Not all was counted. A sample tells more: expect odds 10000 ..");
			else if (chance && !a.exact)
				buf_printf(&is, "It is %.4g%% to %.4g%%, as far as a sample of %llu tells.", x.low * 100, x.high * 100, (unsigned long long)a.trials.done);
			else if (chance)
				buf_printf(&is, "It is %.6g%%.", x.value * 100);
			else
				buf_printf(&is, "It is %.6g%s.", x.value, a.exact ? "" : " in a sample");
			struct diag d = diag_make(M_EXPECT, n->span);
			diag_arg(&d, buf_text(&said));
			diag_line(&d, buf_text(&is));
			diag_send(&f->run_sink, &d);
			buf_free(&said);
			buf_free(&is);
			f->tally.expects_failed++;
			s = FRAY_EXPECTATION;
		}
	}
	odds_answer_free(&a);
	return s;
}

static enum fray_status question_in(struct fray *f, struct node *n, int here)
{
	switch (n->kind) {
	case N_KIND_Q_ODDS: return question_odds(f, n, here, NULL);
	case N_KIND_Q_SWEEP: return question_sweep(f, n, here);
	case N_KIND_Q_PLOT: return question_in(f, n->a, here);
	case N_KIND_Q_EXPECT: return question_expect(f, n, here);
	case N_KIND_Q_COMPARE: return odds_compare(f, n, here);
	default:
		must(false);
		return FRAY_WRONG;
	}
}

enum fray_status odds_question(struct fray *f, struct node *n)
{
	return question_in(f, n, -1);
}

/* ---- for the command ---- */

static bool is_question(const struct node *n)
{
	return !n->damaged && (n->kind == N_KIND_Q_ODDS || n->kind == N_KIND_Q_SWEEP || n->kind == N_KIND_Q_COMPARE || n->kind == N_KIND_Q_PLOT || n->kind == N_KIND_Q_EXPECT);
}

static enum fray_status questions_of(struct fray *f, struct node *list, int here, bool expects, enum fray_status s)
{
	for (struct node *n = list; n && s != FRAY_INTERRUPTED; n = n->next) {
		if (!is_question(n) || (expects && n->kind != N_KIND_Q_EXPECT))
			continue;
		enum fray_status one = question_in(f, n, here);
		s = one == FRAY_OK || (one == FRAY_EXPECTATION && s != FRAY_OK) ? s : one;
	}
	return s;
}

static enum fray_status questions_of_script(struct fray *f, bool expects, enum fray_status s)
{
	if (!f->from)
		run_close(f);
	f->run_sink.errors = 0;
	for (int i = 0; i < f->unit.n; i++)
		if (f->unit.v[i].layer == LAYER_SCRIPT && f->unit.v[i].tree)
			s = questions_of(f, f->unit.v[i].tree, -1, expects, s);
	return s;
}

enum fray_status fray_odds_asked(struct fray *f, bool expects)
{
	memset(&f->tally, 0, sizeof f->tally);
	if (!f->sound)
		return FRAY_WRONG;
	enum fray_status s = FRAY_OK;
	for (int i = 0; i < fray_encounters(f); i++)
		s = questions_of(f, f->model.encounter.v[i].node->a, i, expects, s);
	return questions_of_script(f, expects, s);
}

static int count_expects(const struct node *list)
{
	int n = 0;
	for (; list; list = list->next)
		n += list->kind == N_KIND_Q_EXPECT && !list->damaged;
	return n;
}

enum fray_status fray_odds_check(struct fray *f)
{
	f->only_checking = true;
	enum fray_status s = f->sound ? FRAY_OK : FRAY_WRONG;
	for (int i = 0; f->sound && i < fray_encounters(f); i++)
		s = questions_of(f, f->model.encounter.v[i].node->a, i, false, s);
	if (f->sound)
		s = questions_of_script(f, false, s);
	f->only_checking = false;
	return s;
}

int fray_odds_expects(const struct fray *f)
{
	int n = 0;
	for (int i = 0; i < fray_encounters(f); i++)
		n += count_expects(f->model.encounter.v[i].node->a);
	for (int i = 0; i < f->unit.n; i++)
		if (f->unit.v[i].layer == LAYER_SCRIPT && f->unit.v[i].tree)
			n += count_expects(f->unit.v[i].tree);
	return n;
}

static int encounter_for(struct fray *f, const char *name, bool *given)
{
	*given = name != NULL;
	if (!f->sound)
		return -1;
	if (!name && f->from)
		return f->encounter;
	if (!name && fray_encounters(f) > 0)
		return fray_encounters(f) - 1;
	if (!name) {
		diag_report(&f->sink, M_NO_ENCOUNTER_AT_ALL, (struct span){0}, 0);
		return -1;
	}
	struct node n = {0};
	n.name = intern_put(f->names, name, strlen(name));
	return encounter_named(f, &n);
}

static bool usual_question(struct fray *f, int encounter, struct asking *q)
{
	memset(q, 0, sizeof *q);
	q->present = f->from && session_beats(f) > 0;
	q->as = ASKED_USUAL;
	q->at = NAN;
	q->title = "";
	q->encounter = encounter;
	q->branches = 1;
	q->usual = !f->odds.giving;
	q->measures = odds_command_measures(f, encounter, true);
	q->method = f->odds.method == FRAY_EXACT ? METHOD_EXACT : f->odds.method == FRAY_SAMPLED ? METHOD_SAMPLED : METHOD_AUTO;
	if (node_count(q->measures) > MEASURES_MAX)
		diag_report(&f->sink, M_MANY_MEASURES, q->measures->span, 0);
	return q->measures && node_count(q->measures) <= MEASURES_MAX;
}

enum fray_status fray_odds(struct fray *f, const char *encounter)
{
	bool given;
	struct asking q;
	struct answer a;
	int e = encounter_for(f, encounter, &given);
	if (e < 0)
		return FRAY_WRONG;
	if (!f->from)
		run_close(f);
	part_asked(f, encounter, false);
	memset(&f->tally, 0, sizeof f->tally);
	if (!usual_question(f, e, &q))
		return FRAY_WRONG;
	enum fray_status s = odds_ask(f, &q, &a);
	if (odds_answered(&a))
		odds_show(f, &q, &a);
	odds_answer_free(&a);
	if (s == FRAY_INTERRUPTED || s == FRAY_WRONG)
		return s;
	s = questions_of(f, f->model.encounter.v[e].node->a, e, false, s);
	return given ? s : questions_of_script(f, false, s);
}

int odds_encounter(struct fray *f, const char *name)
{
	bool given;
	return encounter_for(f, name, &given);
}

enum fray_status fray_odds_trial(struct fray *f, const char *encounter, uint64_t trial, enum fray_form form)
{
	bool given;
	struct asking q;
	int e = encounter_for(f, encounter, &given);
	if (e < 0)
		return FRAY_WRONG;
	if (!usual_question(f, e, &q))
		return FRAY_WRONG;
	if (!q.present)
		run_close(f);
	struct program *p = odds_link_observed(f, &q, 0);
	if (!p)
		return FRAY_WRONG;
	const char *script = f->sources.file.v[f->model.encounter.v[e].node->span.file].name;
	p->script = arena_text(&p->arena, script, strlen(script));
	struct present past;
	struct vm_host host = {0};
	odds_present_init(&past, f);
	host.interrupted = odds_interrupted;
	host.context = f;
	host.sink = &f->run_sink;
	host.fuel = f->config.fuel;
	host.dice = q.present ? &past.source : NULL;
	f->run_sink.errors = 0;
	struct vm *m = vm_new(p, &host);
	vm_ignore_script(m, !q.present);
	if (!q.present)
		vm_begin(m, f->odds.seed, trial, odds_rounds(f, &q));
	else if (!odds_present_begin(&past, m, f->odds.seed, trial)) {
		vm_free(m);
		program_free(p);
		return FRAY_WRONG;
	}
	enum vm_status v = vm_run(m); /* while what it began with is still there */
	run_close(f);
	f->encounter = e;
	f->program = p;
	f->vm = m;
	memset(&f->options, 0, sizeof f->options);
	f->options.seed = f->odds.seed;
	f->options.trial = trial;
	enum fray_status s = status_of(f, v);
	fray_tell(f, form);
	return s;
}
