/* run.c - playing one encounter. */
#include "lang/api/attempt.h"
#include "lang/api/probe.h"
#include "lang/api/session.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/dice/dice.h"
#include "runtime/explain/brief.h"
#include "runtime/explain/timeline.h"
#include "runtime/world/block.h"

void run_close(struct fray *f)
{
	attempt_take_run(f);
	probe_forget(f);
	session_close(f);
	f->from = false;
	vm_free(f->vm);
	if (f->program)
		program_free(f->program);
	table_close(f->table);
	replay_free(f->replayed);
	f->replayed = NULL;
	f->vm = NULL;
	f->program = NULL;
	f->table = NULL;
	f->told = 0;
	if (!f->unwritten || f->closing)
		return;
	/* clauses knew the blocks they had been typed in */
	f->unwritten = false;
	f->session.replaying = true;
	units_check(f);
	f->session.replaying = false;
}

static void block_over(void *context, int32_t block, bool reached)
{
	if (session_silent(context, block))
		return;
	expects_of_block(context, block, reached);
	if (reached)
		lines_of_block(context, block);
	else
		block_unplayed(context, block);
}

static bool interrupted(void *context)
{
	struct fray *f = context;
	/* what was played before comes to its end again, or undo would stop half way */
	return !f->session.replaying && f->config.interrupted && f->config.interrupted(f->config.context);
}

/* The rounds a script without an `until` tells of; 0: it is played until it is over; -1: none, it tells of what comes before them. */
static int64_t script_rounds(const struct fray *f, int encounter)
{
	bool until = false;
	int64_t last = 0;
	for (const struct node *n = f->model.encounter.v[encounter].node->a; n; n = n->next) {
		bool beat = n->kind == N_KIND_MOMENT && n->name == f->model.w.beat;
		until |= n->kind == N_KIND_N_UNTIL;
		for (const struct node *x = beat ? n->a : NULL; x; x = x->next)
			until |= x->kind == N_KIND_N_UNTIL;
		if (beat)
			continue; /* typed in mid-fight: it is no longer or shorter for that */
		if (n->kind == N_KIND_MOMENT && n->name == f->model.w.round && n->num > last)
			last = n->num;
		if (n->kind == N_KIND_MOMENT && last == 0)
			last = -1; /* blocks, but of no round */
	}
	return until ? 0 : last;
}

/* Links it; nothing is in progress. */
static bool link(struct fray *f, int encounter)
{
	f->encounter = encounter;
	f->program = link_encounter(&f->model, encounter, true);
	if (!f->program)
		return false;
	f->program->script_rounds = (int32_t)script_rounds(f, encounter);
	const char *script = f->sources.file.v[f->model.encounter.v[encounter].node->span.file].name;
	f->program->script = arena_text(&f->program->arena, script, strlen(script));
	struct buf why = {0};
	bool ok = program_verify(f->program, &why);
	if (!ok)
		diag_report(&f->sink, M_BAD_PROGRAM, (struct span){0}, 1, buf_text(&why));
	buf_free(&why);
	return ok;
}

bool run_link(struct fray *f, int encounter)
{
	run_close(f);
	return link(f, encounter);
}

static int find_encounter(struct fray *f, const char *name)
{
	if (!name)
		return fray_encounters(f) ? fray_encounters(f) - 1 : -1;
	sym s = intern_find(f->names, name, strlen(name));
	for (int i = 0; i < f->model.encounter.n; i++)
		if (s && f->model.encounter.v[i].name == s)
			return i;
	return -1;
}

int64_t fight_rounds(const struct fray *f, int encounter, int64_t most)
{
	int64_t told = script_rounds(f, encounter);
	if (told < 0 || (told > 0 && (most == 0 || most > told)))
		return told;
	return most > 0 ? most : 1000;
}

/* Whether one of the words of a name is this, in capitals or not. */
static bool has_word(const char *name, const char *part)
{
	size_t n = strlen(part);
	for (const char *at = name; *at; at++) {
		size_t i = 0;
		while (i < n && at[i] && (at[i] | 32) == (part[i] | 32)) /* a NUL is like a blank in that */
			i++;
		if (i == n && n && (at == name || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	}
	return false;
}

const char *encounters_there(struct fray *f)
{
	VEC(const char *) names = {0};
	struct buf b = {0};
	for (int i = 0; i < fray_encounters(f); i++)
		VEC_PUSH(names, fray_encounter(f, i));
	if (names.n)
		diag_list(names.v, names.n, NULL, 8, &b);
	else
		buf_puts(&b, "none yet. Write one: encounter the bridge { side party: .. }");
	const char *text = arena_text(&f->arena, b.data, b.length);
	buf_free(&b);
	VEC_FREE(names);
	return text;
}

void report_no_fight(struct fray *f, struct span at)
{
	const int n = fray_encounters(f);
	struct buf b = {0};
	if (n)
		buf_printf(&b, "begin %s", fray_encounter(f, n - 1));
	else
		buf_puts(&b, "load \"FILE.fray\", and then: begin");
	diag_report(&f->sink, M_NO_FIGHT, at, 1, buf_text(&b));
	buf_free(&b);
}

const char *encounter_near(struct fray *f, const char *asked)
{
	VEC(const char *) names = {0};
	const char *one = NULL;
	int with = 0;
	for (int i = 0; i < fray_encounters(f); i++)
		VEC_PUSH(names, fray_encounter(f, i));
	const char *best = diag_nearest(asked, names.v, names.n);
	for (int i = 0; i < names.n && !best; i++)
		if (has_word(names.v[i], asked) || has_word(asked, names.v[i])) {
			one = names.v[i];
			with++;
		}
	VEC_FREE(names);
	return best ? best : with == 1 ? one : NULL;
}

bool run_ready(struct fray *f, sym name)
{
	const int e = f->sound ? find_encounter(f, intern_text(f->names, name)) : -1;
	if (e < 0 || !link(f, e))
		return false;
	struct vm_host host = {0};
	host.block_over = block_over;
	host.interrupted = interrupted;
	host.context = f;
	host.sink = &f->run_sink;
	host.fuel = f->config.fuel;
	f->run_sink.errors = f->run_sink.warnings = 0;
	f->table = table_new(f);
	if (!f->table)
		return true;
	host.dice = table_source(f->table);
	if (f->replay)
		host.dice = replay_source(f->replay);
	memset(&f->tally, 0, sizeof f->tally);
	f->unmet.n = 0;
	f->vm = vm_new(f->program, &host);
	f->rounds = fight_rounds(f, e, f->options.max_rounds);
	return true;
}

enum fray_status fray_begin(struct fray *f, const char *encounter, const struct fray_run_options *options)
{
	if (!f->sound)
		return FRAY_WRONG;
	int e = find_encounter(f, encounter);
	if (e < 0) {
		const char *best = encounter ? encounter_near(f, encounter) : NULL;
		diag_report(&f->sink,
			!encounter     ? M_NO_ENCOUNTER_AT_ALL
				: best ? M_NO_ENCOUNTER_NEAR
				       : M_NO_ENCOUNTER,
			(struct span){0}, 2, encounter ? encounter : "",
			best ? best : encounters_there(f));
		return FRAY_WRONG;
	}
	memset(&f->options, 0, sizeof f->options);
	if (options)
		f->options = *options;
	/* what was typed in the fight that ends here goes with it, and the model is made anew */
	sym name = f->model.encounter.v[e].name;
	session_keeps_typed(f, f->model.encounter.v[e].node);
	run_close(f);
	if (!run_ready(f, name))
		return FRAY_WRONG;
	if (!f->table)
		return FRAY_STOPPED;
	vm_begin(f->vm, f->options.seed, f->options.trial, f->rounds);
	return FRAY_OK;
}

/* Nobody asked for so few rounds, and still the fight is not over. */
static enum fray_status endless(struct fray *f)
{
	struct buf b = {0};
	buf_printf(&b, "%lld", (long long)f->rounds);
	diag_report(&f->run_sink, M_ROUNDS, f->model.encounter.v[f->encounter].node->at, 1, buf_text(&b));
	buf_free(&b);
	return FRAY_STOPPED;
}

enum fray_status status_of(struct fray *f, enum vm_status s)
{
	const word *w = vm_block(f->vm);
	f->tally.rounds = (int)w[f->program->field[f->program->at.round_number].base];
	f->tally.referrals = (int)w[H_REFERRALS];
	switch (s) {
	case VM_OVER:
		lines_gave_out(f);
		if (w[H_OUTCOME] == OUTCOME_ROUNDS && f->options.max_rounds == 0 && f->program->script_rounds == 0)
			return endless(f);
		/* fall through */
	case VM_PAUSED:
		return f->run_sink.errors || f->tally.expects_failed ? FRAY_EXPECTATION : FRAY_OK;
	case VM_INTERRUPTED:
		return FRAY_INTERRUPTED;
	case VM_FAILED:
		return FRAY_WRONG;
	default:
		return FRAY_STOPPED;
	}
}

enum fray_status fray_step(struct fray *f, bool *over)
{
	*over = false;
	if (!f->vm)
		return FRAY_WRONG;
	if (!session_is_open(f))
		session_open(f);
	struct table_dice dice = {0};
	word *before;
	vm_refuel(f->vm); /* somebody looks on: what is endless is one step, not all of them */
	enum vm_status s = table_play(f->table, false, &dice, &before);
	session_stepped(f, before, dice);
	*over = s != VM_PAUSED;
	return status_of(f, s);
}

/* Is nobody told anything, and nothing said of when it ends? What comes of that is seen in one round. */
static bool is_blank(const struct fray *f)
{
	const struct model *m = &f->model;
	for (int i = 0; i < m->default_policies.n; i++)
		if (m->clause.v[m->default_policies.v[i]].in_force && m->clause.v[m->default_policies.v[i]].node->ref >= 0)
			return false;
	for (const struct node *n = m->encounter.v[f->encounter].node->a; n; n = n->next)
		if (n->kind == N_KIND_MOMENT || n->kind == N_KIND_N_UNTIL || n->kind == N_KIND_N_SAY || n->kind == N_KIND_N_FOLLOWS || n->kind == N_KIND_RULE)
			return false;
	return true;
}

enum fray_status fray_run(struct fray *f)
{
	if (!f->vm)
		return FRAY_WRONG;
	if (f->options.max_rounds == 0 && vm_block(f->vm)[H_STAGE] == WORLD_FRESH && is_blank(f)) {
		f->program->script_rounds = 1;
		vm_block(f->vm)[H_ROUNDS_LEFT] = 1;
	}
	if (!table_asks(f))
		return status_of(f, vm_run(f->vm));
	/* an answer can be taken back to where a beat begins */
	bool over = false;
	enum fray_status s = FRAY_OK;
	while (!over && (s == FRAY_OK || s == FRAY_EXPECTATION))
		s = fray_step(f, &over);
	return s;
}

struct fray_tally fray_result(const struct fray *f)
{
	return f->tally;
}

static void write_styled(void *context, int style, const char *text, size_t length)
{
	struct fray *f = context;
	if (f->config.write)
		f->config.write(f->config.context, (enum fray_style)style, text, length);
}

static void tell_from(struct fray *f, enum fray_form form, int32_t from)
{
	if (!f->vm)
		return;
	const struct trace *t = vm_trace(f->vm);
	if (form == FRAY_JSON) {
		struct json_run run = {0};
		run.version = FRAY_VERSION;
		run.seed = f->options.seed;
		run.trial = f->options.trial;
		run.max_rounds = f->options.max_rounds > 0 ? (uint64_t)f->options.max_rounds : 0;
		run.write = write_styled;
		run.context = f;
		json_tell(f->program, t, from, &run);
	} else {
		struct story_options o = {.why = form == FRAY_STORY_WHY || form == FRAY_STORY_FULL, .full = form == FRAY_STORY_FULL, .width = f->config.width, .write = write_styled, .context = f};
		if (form == FRAY_TIMELINE)
			timeline_draw(f->program, t, from, &o);
		else if (form == FRAY_BRIEF)
			brief_tell(f->program, t, from, &o);
		else
			story_tell(f->program, t, from, &o);
	}
	f->told = t->n;
}

void fray_tell(struct fray *f, enum fray_form form)
{
	tell_from(f, form, 0);
}

void fray_tell_new(struct fray *f, enum fray_form form)
{
	tell_from(f, form, f->told);
}

const void *fray_world(const struct fray *f, size_t *length)
{
	if (!f->vm) {
		*length = 0;
		return NULL;
	}
	*length = f->program->layout.words * sizeof(word);
	block_tidy(vm_block(f->vm), f->program);
	return vm_block(f->vm);
}

enum fray_status fray_disassemble(struct fray *f)
{
	if (!f->program && (fray_encounters(f) == 0 || !run_link(f, fray_encounters(f) - 1)))
		return FRAY_WRONG;
	struct buf b = {0};
	program_print(f->program, &b);
	fray_write(f, FRAY_PLAIN, buf_text(&b));
	buf_free(&b);
	return FRAY_OK;
}
