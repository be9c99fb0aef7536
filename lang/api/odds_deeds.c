/* odds_deeds.c - what everybody did, for the report: the first fights of the sample, played
 * with a log. Whatever is told of a combatant is counted, by the weapon or spell it was done
 * with; what others lost by it of the field that the usual odds tell of everybody is put down
 * to the event of another's that led to it. Of tactics each line is counted that chose
 * something. */
#include "lang/api/odds.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/explain/log.h"
#include "runtime/sim/stats.h"

enum { FIGHTS = 400, DEEDS_MOST = 600 };

struct deed {
	const char *who, *what, *with;   /* with: "" */
	struct span line;                /* of tactics: the line that chose */
	bool tactic;
	bool befell;                     /* came of another's act */
	int place;                       /* of who, in the encounter; set at the end */
	uint64_t fights, times, won;     /* fights in which it happened; of them those the first side won */
	double cost;                     /* of the field, taken by it, in all */
	uint64_t last;                   /* the fight it was last counted in, + 1 */
};

struct deeds {
	struct fray *f;
	const struct program *p;
	int32_t field;                   /* what is lost, or -1 */
	VEC(struct deed) deed;
	uint64_t fights, won, seed;
};

/* Many of a kind are one: "orc" for orc #1, orc #2. */
static const char *name_of(const struct program *p, word who)
{
	const struct live_info *l = &p->live[KIND_COMBATANT][who];
	int alike = 0;
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++)
		alike += p->live[KIND_COMBATANT][i].thing == l->thing;
	return l->thing >= 0 && alike > 1 ? p->thing[l->thing].name : l->name;
}

/* The weapon or spell among an event's arguments. */
static const char *tool_of(const struct log *log, const struct record *r)
{
	const struct event_info *e = &log->p->event[r->what];
	for (int i = 0; i < e->roles; i++) {
		const word *v = e->role[i].type.base == VT_THING ? log_role(log, r, i) : NULL;
		if (v && *v >= 0 && *v < log->p->things)
			return log->p->thing[*v].name;
	}
	return "";
}

static struct deed *deed_of(struct deeds *d, const char *who, const char *what, const char *with, struct span line, bool tactic, bool befell)
{
	for (int i = 0; i < d->deed.n; i++) {
		struct deed *x = &d->deed.v[i];
		if (x->tactic == tactic && x->befell == befell && x->line.start == line.start && x->line.file == line.file && !strcmp(x->who, who) && !strcmp(x->what, what) && !strcmp(x->with, with))
			return x;
	}
	if (d->deed.n == DEEDS_MOST)
		return NULL;
	struct deed x = {who, what, with, line, tactic, befell, 0, 0, 0, 0, 0, 0};
	VEC_PUSH(d->deed, x);
	return &d->deed.v[d->deed.n - 1];
}

static void count(struct deeds *d, struct deed *x)
{
	if (!x)
		return;
	x->times++;
	x->fights += x->last != d->fights + 1;
	x->last = d->fights + 1;
}

static bool is_deed(const struct program *p, const struct record *r)
{
	return r->kind == REC_EVENT && !r->dropped && r->flag == EVENT_DONE && r->what >= 0 && r->what < p->events && p->event[r->what].told && !p->event[r->what].idle &&
	       !p->event[r->what].waiting;
}

/* Done by himself: in an act of his own, or, outside all acts, with something of his. */
static bool is_own(const struct log *log, const struct record *r, word who, bool with_tool)
{
	const struct record *outmost = r;
	for (const struct record *x = r; x; x = log_at(log, x->parent)) {
		if (x->kind != REC_EVENT || log_actor(log, x) == NONE)
			continue;
		if (log->p->event[x->what].action)
			return log_actor(log, x) == who;
		outmost = x;
	}
	return outmost == r ? with_tool : log_actor(log, outmost) == who;
}

static struct deed *event_deed(struct deeds *d, const struct log *log, const struct record *r)
{
	word who = log_actor(log, r);
	if (who == NONE || who < 0 || who >= d->p->lives[KIND_COMBATANT])
		return NULL;
	const char *tool = tool_of(log, r);
	return deed_of(d, name_of(d->p, who), d->p->event[r->what].name, tool, (struct span){0}, false, !is_own(log, r, who, *tool != '\0'));
}

/* Whose doing it was that somebody lost some of the field: the nearest told event of another's. */
static void charge(struct deeds *d, const struct log *log, const struct record *change)
{
	const word *old = trace_values_at(log->t, change);
	if (!old || old[0] == NONE || change->value == NONE)
		return;
	bool frac = d->p->field[d->field].type.frac;
	double lost = stats_number(old[0], frac) - stats_number(change->value, frac);
	for (const struct record *r = log_at(log, change->parent); lost > 0 && r; r = log_at(log, r->parent)) {
		if (!is_deed(d->p, r) || log_actor(log, r) == change->owner)
			continue;
		struct deed *x = event_deed(d, log, r);
		if (x)
			x->cost += lost;
		return;
	}
}

static void read_log(struct deeds *d, const struct trace *t)
{
	struct log log;
	log_open(&log, d->p, t);
	for (int32_t i = 0; i < log.n; i++) {
		const struct record *r = log_at(&log, i);
		if (r->dropped)
			continue;
		if (is_deed(d->p, r))
			count(d, event_deed(d, &log, r));
		else if (r->kind == REC_CHANGE && r->flag != 1 && r->what == d->field)
			charge(d, &log, r);
		else if (r->kind == REC_DECLARE && r->flag == BY_POLICY && r->owner != NONE && r->span.file)
			count(d, deed_of(d, name_of(d->p, r->owner), "", "", r->span, true, false));
	}
	log_close(&log);
}

static void play(struct deeds *d, const struct asking *q, struct vm *m, struct present *past, word *values)
{
	const struct program *p = d->p;
	for (d->fights = 0; d->fights < FIGHTS; d->fights++) {
		if (d->f->config.interrupted && d->f->config.interrupted(d->f->config.context))
			break;
		if (!q->present)
			vm_begin(m, d->seed, d->fights, odds_rounds(d->f, q));
		else if (!odds_present_begin(past, m, d->seed, d->fights))
			break;
		bool over = vm_run(m) == VM_OVER;
		read_log(d, vm_trace(m));
		bool won = over && p->measure_fn >= 0 && vm_call(m, p->measure_fn, NULL, 0, values, p->measures, false) && values[0] != NONE && values[0] != 0;
		d->won += won;
		for (int i = 0; won && i < d->deed.n; i++)
			d->deed.v[i].won += d->deed.v[i].last == d->fights + 1;
	}
}

/* By whom, in the order in which they stand in the encounter; what happens most comes first. */
static int place_of(const struct program *p, const char *who)
{
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++)
		if (!strcmp(name_of(p, i), who))
			return i;
	return p->lives[KIND_COMBATANT];
}

static int by_place(const void *a, const void *b)
{
	const struct deed *x = a, *y = b;
	if (x->tactic != y->tactic)
		return x->tactic - y->tactic;
	if (x->place != y->place)
		return x->place - y->place;
	if (x->befell != y->befell)
		return x->befell - y->befell;
	if (x->tactic)
		return (x->line.start > y->line.start) - (x->line.start < y->line.start);
	if (x->times != y->times)
		return x->times > y->times ? -1 : 1;
	int by_what = strcmp(x->what, y->what);
	return by_what ? by_what : strcmp(x->with, y->with);
}

/* The tactic a line stands in, and the line on one line. */
static const char *tactic_of(struct fray *f, struct span line)
{
	for (int i = 0; i < f->model.policy.n; i++) {
		const struct node *n = f->model.policy.v[i].node;
		if (n->span.file == line.file && n->span.start <= line.start && line.start < n->span.end)
			return model_text(&f->model, f->model.policy.v[i].name);
	}
	return "";
}

static json_t *object(struct deeds *d, const struct deed *x)
{
	double low, high, n = (double)d->fights;
	json_t *o = json_object();
	json_object_set_new(o, "who", json_string(x->who));
	if (x->tactic) {
		size_t length;
		const char *text = sources_text(&d->f->sources, x->line, &length);
		struct buf line = {0};
		for (size_t i = 0; i < length; i++) {
			bool blank = text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r';
			if (!blank || (line.length && line.data[line.length - 1] != ' '))
				buf_putc(&line, blank ? ' ' : text[i]);
		}
		json_object_set_new(o, "tactic", json_string(tactic_of(d->f, x->line)));
		json_object_set_new(o, "line", json_string(buf_text(&line)));
		buf_free(&line);
	} else {
		json_object_set_new(o, "deed", json_string(x->what));
		json_object_set_new(o, "with", json_string(x->with));
		json_object_set_new(o, "befell", json_boolean(x->befell));
		json_object_set_new(o, "cost", json_real(n > 0 ? x->cost / n : 0));
	}
	stats_wilson(x->fights, d->fights, &low, &high);
	json_object_set_new(o, "share", json_real(n > 0 ? (double)x->fights / n : 0));
	json_object_set_new(o, "low", json_real(low));
	json_object_set_new(o, "high", json_real(high));
	json_object_set_new(o, "times", json_real(n > 0 ? (double)x->times / n : 0));
	stats_wilson(x->won, x->fights, &low, &high);
	json_object_set_new(o, "won", json_pack("{s:f,s:f,s:f}", "value", x->fights ? (double)x->won / (double)x->fights : 0, "low", low, "high", high));
	return o;
}

json_t *odds_deeds(struct fray *f, const struct asking *q, uint64_t seed)
{
	struct deeds d;
	memset(&d, 0, sizeof d);
	struct program *p = odds_link_observed(f, q, 0);
	if (!p)
		return NULL;
	struct present past;
	d.f = f;
	d.p = p;
	d.seed = seed;
	const char *told = odds_field_told(f);
	d.field = -1;
	for (int i = 0; told && i < p->fields; i++)
		if (p->field[i].kind == KIND_COMBATANT && !strcmp(p->field[i].name, told))
			d.field = i;
	struct diag_sink silent = {0};
	struct vm_host host = {0};
	odds_present_init(&past, f);
	host.dice = q->present ? &past.source : NULL;
	host.sink = &silent;
	host.fuel = f->config.fuel;
	struct vm *m = vm_new(p, &host);
	vm_ignore_script(m, !q->present);
	word *values = calloc((size_t)p->measures + 1, sizeof *values);
	if (!values)
		abort();
	play(&d, q, m, &past, values);
	for (int i = 0; i < d.deed.n; i++)
		d.deed.v[i].place = place_of(p, d.deed.v[i].who);
	if (d.deed.n)
		qsort(d.deed.v, (size_t)d.deed.n, sizeof *d.deed.v, by_place);
	json_t *deeds = json_array(), *tactics = json_array();
	for (int i = 0; i < d.deed.n; i++)
		json_array_append_new(d.deed.v[i].tactic ? tactics : deeds, object(&d, &d.deed.v[i]));
	json_t *o = json_pack("{s:I,s:s,s:f,s:s,s:o,s:o}", "fights", (json_int_t)d.fights, "cost_of", d.field >= 0 ? told : "", "won", d.fights ? (double)d.won / (double)d.fights : 0.0, "measure",
	                      p->measures ? p->measure[0].text : "", "deeds", deeds, "tactics", tactics);
	VEC_FREE(d.deed);
	free(values);
	vm_free(m);
	program_free(p);
	return o;
}
