/* line.c - one line of the prompt: commands, declarations, sentences of the fight.
 *
 * Declarations join the files, sentences join the fight: see session.c.
 */
#include "lang/api/attempt.h"
#include "lang/api/bars.h"
#include "lang/api/probe.h"
#include "lang/api/session.h"
#include "lang/api/unheard.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/dice/dice.h"
#include "runtime/dice/dist.h"
#include "runtime/world/block.h"

const char *fray_awaits(const struct fray *f)
{
	return feed_awaits(f->feed);
}

uint64_t fray_revision(const struct fray *f)
{
	return f->revision;
}

const char *fray_place(struct fray *f)
{
	return f->vm ? session_place(f) : "";
}

void fray_answers(struct fray *f, enum fray_form form)
{
	f->answers = form;
	f->odds.form = form == FRAY_JSON ? FRAY_ODDS_JSON : FRAY_ODDS_TEXT;
}

bool fray_asks(const struct fray *f)
{
	return f->vm && table_asks(f);
}

void fray_seed(struct fray *f, uint64_t seed)
{
	f->options.seed = seed;
}

const char *fray_fork(const struct fray *f)
{
	return session_is_open(f) ? f->session.fork.v[f->session.current].name : "";
}

void fray_abandon(struct fray *f)
{
	feed_reset(f->feed);
	attempt_undo(f);
}

static void learn_name(void *to, const struct unread *u)
{
	struct fray *f = to;
	front_learn(&f->front, u->name);
}

void fray_complete(struct fray *f, const char *line, void (*offer)(void *, const char *, const char *), void *context)
{
	/* the library's words are known even before a script is loaded, and those of it that are not read */
	if (!f->names_known && f->put_off.n)
		unread_each(f, true, learn_name, f);
	f->names_known = f->put_off.n > 0;
	struct scope_names scope = {names_in_scope, f};
	feed_complete(f->feed, line, &scope, offer, context);
}

static bool need_fight(struct fray *f, struct span at)
{
	if (f->vm && !session_is_open(f))
		session_open(f);
	if (f->vm)
		return true;
	report_no_fight(f, at);
	return false;
}

static enum fray_status tell(struct fray *f, enum fray_status s)
{
	fray_tell_new(f, f->answers);
	return s;
}

/* After the end nothing can be played: no beat is counted that is none. */
static bool is_over(struct fray *f)
{
	bool over = vm_block(f->vm)[H_STAGE] == WORLD_OVER;
	if (over)
		fray_write(f, FRAY_PLAIN, "The fight is over. undo goes back into it; begin starts it anew.\n");
	return over;
}

/* ---- going on and going back ---- */

static word round_now(const struct fray *f)
{
	return vm_block(f->vm)[f->program->field[f->program->at.round_number].base];
}

/* One beat, which can be taken back; one that was cut short never was: the fight stands before
 * it, to be mended and played. Whoever rolls for it sees what came of it at once. */
static enum fray_status beat(struct fray *f, bool *over)
{
	enum fray_status s = fray_step(f, over);
	if (s != FRAY_OK && s != FRAY_EXPECTATION && vm_block(f->vm)[H_STAGE] != WORLD_OVER) {
		session_unstep(f);
		*over = false;
	} else if (table_asks(f)) {
		fray_tell_new(f, f->answers);
	}
	return s;
}

/* What was expected and is not so is said, and the fight goes on. */
static bool goes_on(enum fray_status s)
{
	return s == FRAY_OK || s == FRAY_EXPECTATION;
}

/* A moment of the round in progress. */
static bool moment_of_round(struct fray *f, struct node *at, word *out)
{
	struct probe p;
	bool ok = probe_open(f, at, false, &p);
	*out = p.value[0];
	probe_close(f, &p);
	return ok;
}

/* step to segment 12, of ten in a round */
static void step_late(struct fray *f, const struct node *at)
{
	const int64_t most = most_in_round(&f->model, at->name);
	if (most < 1 || at->num <= most)
		return;
	const char *unit = model_text(&f->model, at->name);
	struct buf count = {0}, line = {0};
	buf_printf(&count, "%lld %ss", (long long)most, unit);
	buf_printf(&line, "step to %s %lld", unit, (long long)most);
	diag_report(&f->sink, M_MOMENT_LATE, at->span, 2, buf_text(&count), buf_text(&line));
	buf_free(&count);
	buf_free(&line);
}

/* Until a moment has come: of this round, or of the next when it is past in this one. */
static enum fray_status step_to(struct fray *f, struct node *at)
{
	enum fray_status s = FRAY_OK;
	bool over = false;
	word until, round = round_now(f), now = vm_block(f->vm)[H_NOW];
	if (at->kind == N_KIND_E_MOMENT && at->name == f->model.w.round) {
		if (round > 0 && round >= at->num)
			fray_writef(f, FRAY_PLAIN, "It is round %lld. undo goes back.\n", (long long)round);
		while (!over && goes_on(s) && round_now(f) < at->num)
			s = beat(f, &over);
		return s;
	}
	if (!moment_of_round(f, at, &until))
		return FRAY_WRONG;
	step_late(f, at);
	if (round <= 0)
		round = 1;
	else if (now != NONE && now >= until)
		round++;
	while (!over && goes_on(s) && round_now(f) < round)
		s = beat(f, &over);
	if (!goes_on(s) || !moment_of_round(f, at, &until))
		return s;
	while (!over && goes_on(s) && round_now(f) == round && (vm_block(f->vm)[H_NOW] == NONE || vm_block(f->vm)[H_NOW] < until))
		s = beat(f, &over);
	return s;
}

static enum fray_status step(struct fray *f, const struct node *n)
{
	enum fray_status s = FRAY_OK;
	bool over = false;
	if (!need_fight(f, n->span))
		return FRAY_WRONG;
	if (is_over(f))
		return FRAY_OK;
	word round = round_now(f);
	if (n->a) {
		s = step_to(f, n->a);
		if (s == FRAY_WRONG)
			return s;
	} else if (n->name) { /* step round */
		while (!over && goes_on(s) && round_now(f) <= round)
			s = beat(f, &over);
	} else {
		/* an answer taken back may have taken a beat with it */
		int64_t until = session_beats(f) + n->num;
		while (session_beats(f) < until && !over && goes_on(s))
			s = beat(f, &over);
	}
	return tell(f, s);
}

/* Whether what `run until` waits for is so; false in `ok`: it is nothing that can be so. */
static bool is_reached(struct fray *f, struct node *until, bool *ok)
{
	struct probe p;
	*ok = probe_open(f, until, false, &p);
	const bool so = *ok && p.value[0] != 0 && p.value[0] != NONE;
	if (*ok && p.type.base != VT_BOOL) {
		struct buf is = {0};
		type_print(&f->model, until->type, &is);
		diag_report(&f->sink, M_NOT_YES_NO, until->span, 2, "", buf_text(&is));
		buf_free(&is);
		*ok = false;
	}
	probe_close(f, &p);
	return so && *ok;
}

/* `run until round 3` is `run to round 3`. */
static enum fray_status run(struct fray *f, const struct node *n)
{
	struct node *until = n->b;
	const bool moment = until && until->kind == N_KIND_E_MOMENT;
	enum fray_status s = FRAY_OK;
	bool over = false, ok = true;
	if (n->a || moment) {
		struct node to = *n;
		to.kind = N_KIND_X_STEP;
		to.a = n->a ? n->a : until;
		to.b = NULL;
		return step(f, &to);
	}
	if (!need_fight(f, n->span))
		return FRAY_WRONG;
	if (is_over(f))
		return FRAY_OK;
	if (until && is_reached(f, until, &ok)) {
		fray_write(f, FRAY_PLAIN, "That is so already.\n");
		return FRAY_OK;
	}
	while (ok && !over && goes_on(s)) {
		s = beat(f, &over);
		if (until && is_reached(f, until, &ok))
			break;
	}
	return ok ? tell(f, s) : FRAY_WRONG;
}

static enum fray_status undo(struct fray *f, const struct node *n, bool back)
{
	if (!need_fight(f, n->span))
		return FRAY_WRONG;
	int done = back ? session_undo(f, n->num) : session_redo(f, n->num);
	if (done == 0)
		fray_writef(f, FRAY_PLAIN, "There is nothing to %s.\n", back ? "take back" : "do again");
	else
		fray_writef(f, FRAY_PLAIN, "%d step%s %s: %s.\n", done, done == 1 ? "" : "s", back ? "taken back" : "done again", session_place(f));
	return FRAY_OK;
}

/* Everybody is in place, and the timeline is empty. */
static enum fray_status begin_fight(struct fray *f, const char *encounter, const struct fray_run_options *options)
{
	struct table_dice dice = {0};
	enum fray_status s = fray_begin(f, encounter, options);
	if (s != FRAY_OK)
		return s;
	session_open(f);
	s = status_of(f, table_play(f->table, true, &dice, NULL));
	f->session.set_up = dice;
	f->told = vm_trace(f->vm)->n;
	return s;
}

/* ---- forks ---- */

static enum fray_status fork_off(struct fray *f, const struct node *n)
{
	const char *name = model_text(&f->model, n->name);
	if (!need_fight(f, n->span))
		return FRAY_WRONG;
	if (!session_fork(f, name)) {
		diag_report(&f->sink, M_FORK_TWICE, n->at, 1, name);
		return FRAY_WRONG;
	}
	fray_writef(f, FRAY_PLAIN, "You are on %s now; switch %s goes back.\n", name, f->session.fork.v[f->session.fork.v[f->session.current].parent].name);
	return FRAY_OK;
}

static enum fray_status switch_to(struct fray *f, const struct node *n)
{
	const char *name = model_text(&f->model, n->name);
	if (!need_fight(f, n->span))
		return FRAY_WRONG;
	if (!session_switch(f, name))
		return session_no_fork(f, n->at, name);
	fray_writef(f, FRAY_PLAIN, "%s: %s.\n", name, session_place(f));
	return FRAY_OK;
}

static enum fray_status forks(struct fray *f, const struct node *n)
{
	if (!need_fight(f, n->span))
		return FRAY_WRONG;
	session_show_forks(f);
	return FRAY_OK;
}

/* ---- what is typed joins the script ---- */

static bool is_scene(const struct node *n)
{
	switch (n->kind) {
	case N_KIND_N_SAY: case N_KIND_N_FOLLOWS: case N_KIND_N_DICE: case N_KIND_N_CHOICES: case N_KIND_N_EXPECT: case N_KIND_N_EXPECT_SAY:
	case N_KIND_N_UNTIL: case N_KIND_N_EDIT: case N_KIND_N_OPTION: case N_KIND_N_JOIN: case N_KIND_N_REFEREE: case N_KIND_MOMENT: case N_KIND_SIDE: case N_KIND_N_OVERRIDE: case N_KIND_D_FIELD:
		return true;
	default:
		return false;
	}
}

static bool is_rule(const struct node *n)
{
	return n->kind == N_KIND_RULE || n->kind == N_KIND_DROP || n->kind == N_KIND_PREFERENCE || (n->kind >= N_KIND_C_DEFINE && n->kind <= N_KIND_C_DEFAULT);
}

/* A stat block, field or table of a name that has one: the fight was played with the other. */
static bool declares_again(struct fray *f, const struct node *n)
{
	const struct model *m = &f->model;
	int kind = n->kind == N_KIND_EVERY && n->op == EVERY_KIND ? model_kind(m, n->name) : -1;
	for (const struct node *d = kind >= 0 ? n->a : NULL; d; d = d->next)
		if (d->kind == N_KIND_D_FIELD && model_field(m, kind_root(m, kind), d->name) >= 0)
			return true;
	for (int i = 0; i < m->table.n && n->kind == N_KIND_TABLE; i++)
		if (m->table.v[i].thing < 0 && m->table.v[i].name == n->name)
			return true;
	return n->kind == N_KIND_THING && model_thing(m, n->name, kind_root(m, model_kind(m, n->name2))) >= 0;
}

/* Phases are settled before a fight begins: in its middle they would change what has happened. */
static bool too_late(struct fray *f, const struct node *n)
{
	bool frame = n->kind == N_KIND_SEQUENCE || n->kind == N_KIND_C_DEFAULT || n->kind == N_KIND_RULESET || n->kind == N_KIND_LIBRARY || n->kind == N_KIND_HOUSE;
	if (!f->vm || !session_is_open(f))
		return false;
	if (!frame && !declares_again(f, n))
		return false;
	diag_report(&f->sink, frame ? M_LATE_FRAME : M_LATE_AGAIN, n->span, 1, n->kind == N_KIND_EVERY ? "that field" : model_text(&f->model, n->name));
	return true;
}

/* Declarations outside any fight. */
static enum fray_status add_typed(struct fray *f, struct node *n)
{
	f->typed = node_append(f->typed, n);
	f->revision++;
	return units_check(f) ? FRAY_OK : FRAY_WRONG;
}

static enum fray_status use_module(struct fray *f, struct node *n)
{
	struct buf line = {0};
	size_t length;
	const char *text = sources_text(&f->sources, n->span, &length);
	run_close(f);
	buf_add(&line, text, length);
	buf_putc(&line, '\n');
	bool ok = units_load(f, "prompt", buf_text(&line), line.length);
	buf_free(&line);
	f->revision++;
	return units_check(f) && ok ? FRAY_OK : FRAY_WRONG;
}

/* A line that can come to nothing is told of at once. */
static void foresee_it(struct fray *f, const struct node *n, enum fray_status said)
{
	if (said != FRAY_WRONG && !f->rules &&
		(n->kind == N_KIND_N_SAY || n->kind == N_KIND_POLICY))
		foresee_said(&f->model, f->encounter, n);
}

static enum fray_status add(struct fray *f, struct node *n)
{
	bool fight = f->vm && session_is_open(f);
	if (too_late(f, n))
		return FRAY_WRONG;
	if (n->kind == N_KIND_USE && !fight)
		return use_module(f, n);
	if (n->kind == N_KIND_USE) /* from now on; a system is refused with the line */
		return units_use_late(f, n) ? session_say(f, n) : FRAY_WRONG;
	if (n->kind == N_KIND_N_OPTION && !fight)
		return add_typed(f, n);
	if (is_scene(n)) {
		if (!need_fight(f, n->span))
			return FRAY_WRONG;
		bool expects = n->kind == N_KIND_N_EXPECT || n->kind == N_KIND_N_EXPECT_SAY;
		enum fray_status s = session_say(f, n);
		if (s != FRAY_WRONG && !expects)
			is_over(f); /* it is said that nothing comes of it */
		if (s != FRAY_WRONG)
			replaced_tell(f, n);
		foresee_it(f, n, s);
		return f->told < vm_trace(f->vm)->n ? tell(f, s) : s;
	}
	if (!f->vm)
		return add_typed(f, n);
	const enum fray_status s = is_rule(n) ? session_say(f, n) : session_declare(f, n);
	foresee_it(f, n, s);
	return s;
}

static enum fray_status save(struct fray *f, const struct node *n)
{
	const char *name = n->text, *why = "";
	struct buf text = {0};
	if (!need_fight(f, n->span))
		return FRAY_WRONG;
	if (!*name || strchr(name, '/') || *name == '.') {
		diag_report(&f->sink, M_FILE_NAME, n->span, 1, name);
		return FRAY_WRONG;
	}
	session_script(f, &text);
	if (!strchr(name, '.')) { /* `load` finds it by that name */
		struct buf whole = {0};
		buf_printf(&whole, "%s.fray", name);
		name = arena_text(&f->arena, buf_text(&whole), whole.length);
		buf_free(&whole);
	}
	why = f->config.save ? f->config.save(f->config.context, name, buf_text(&text), text.length) : "nothing here keeps files";
	buf_free(&text);
	if (why) {
		diag_report(&f->sink, M_NOT_SAVED, n->span, 2, name, why);
		return FRAY_WRONG;
	}
	fray_writef(f, FRAY_PLAIN, "Saved in %s.\n", name);
	return FRAY_OK;
}

/* ---- what there is ---- */

static bool is_combatant(struct fray *f, sym name)
{
	name = model_alias(&f->model, name);
	for (int i = 0; f->vm && i < f->program->lives[KIND_COMBATANT]; i++)
		if (intern_word(f->names, f->program->live[KIND_COMBATANT][i].name) == name)
			return true;
	return false;
}

static int side_called(struct fray *f, sym name)
{
	name = model_alias(&f->model, name);
	for (int i = 0; i < f->program->lives[KIND_SIDE]; i++)
		if (intern_word(f->names, f->program->live[KIND_SIDE][i].name) == name)
			return i;
	return -1;
}

/* "show party": each of them. */
static enum fray_status show_side(struct fray *f, int side, bool full)
{
	const struct program *p = f->program;
	enum fray_status s = FRAY_OK;
	for (int i = 0; i < p->lives[KIND_COMBATANT] && s == FRAY_OK; i++) {
		if (vm_block(f->vm)[p->field[p->at.combatant_side].base + (uint32_t)i * p->field[p->at.combatant_side].stride] != side)
			continue;
		if (f->answers != FRAY_JSON)
			fray_writef(f, FRAY_NAME, "%s\n", p->live[KIND_COMBATANT][i].name);
		struct buf what = {0};
		buf_printf(&what, "%s%s", p->live[KIND_COMBATANT][i].name, full ? " in full" : "");
		s = fray_show(f, "combatant", buf_text(&what), f->answers == FRAY_JSON);
		buf_free(&what);
	}
	return s;
}

static enum fray_status show(struct fray *f, const struct node *n)
{
	const bool full = n->num != 0;
	const char *topic = n->name ? model_text(&f->model, n->name) : "world";
	struct buf what = {0};
	int side = f->vm && n->name && !n->a ? side_called(f, n->name) : -1;
	if (!strcmp(topic, "forks"))
		return forks(f, n);
	if (side >= 0)
		return show_side(f, side, full);
	if (n->a) {
		size_t length;
		const char *text = sources_text(&f->sources, n->a->span, &length);
		buf_add(&what, text, length);
	}
	/* "show combatant Bruna" reads as one name */
	struct buf head = {0};
	buf_puts(&head, topic);
	if (!strncmp(topic, "combatant ", 10)) {
		buf_puts(&what, topic + 10);
		head.length = 9;
		head.data[9] = '\0';
	} else if (!n->a && n->name && is_combatant(f, n->name)) { /* "show Bruna" */
		buf_puts(&what, topic);
		buf_clear(&head);
		buf_puts(&head, "combatant");
	}
	if (full)
		buf_puts(&what, what.length ? " in full" : "in full");
	enum fray_status s = fray_show(f, buf_text(&head), what.length ? buf_text(&what) : NULL, f->answers == FRAY_JSON);
	buf_free(&what);
	buf_free(&head);
	return s;
}

/* A path that leads nowhere but into folders below: no name in it is empty or begins with a dot. */
static bool is_below(const char *path)
{
	for (const char *p = path; p; p = strchr(p, '/')) {
		p += p > path;
		if (*p == '.' || *p == '/' || !*p)
			return false;
	}
	return !strchr(path, '\\');
}

static enum fray_status load(struct fray *f, const struct node *n)
{
	size_t length = 0;
	const char *name = n->text;
	size_t k = strlen(name);
	char stem[128];
	if (f->vm && session_is_open(f) && session_beats(f) > 0 && vm_block(f->vm)[H_STAGE] != WORLD_OVER) {
		diag_report(&f->sink, M_FIGHT_ON, n->span, 1, name);
		return FRAY_WRONG;
	}
	if (k > 5 && !strcmp(name + k - 5, ".fray"))
		k -= 5;
	if (k >= sizeof stem || !is_below(name)) {
		diag_report(&f->sink, M_FILE_NAME, n->span, 1, name);
		return FRAY_WRONG;
	}
	memcpy(stem, name, k);
	stem[k] = '\0';
	char *text = f->config.module ? f->config.module(f->config.context, stem, "", &length) : NULL;
	if (!text) {
		diag_report(&f->sink, M_NO_SCRIPT, n->span, 1, name);
		return FRAY_WRONG;
	}
	enum fray_status s = fray_load(f, name, text, length);
	f->revision++;
	free(text);
	if (s == FRAY_OK)
		fray_writef(f, FRAY_PLAIN, "%d encounter%s\n", fray_encounters(f), fray_encounters(f) == 1 ? "" : "s");
	return s;
}

static enum fray_status begin(struct fray *f, const struct node *n)
{
	struct fray_run_options o = f->options;
	if (o.seed == 0)
		o.seed = 1;
	enum fray_status s = begin_fight(f, n->name ? model_text(&f->model, n->name) : NULL, &o);
	if (s == FRAY_OK) {
		const struct program *p = f->program;
		for (int side = 0; side < p->lives[KIND_SIDE]; side++) {
			fray_writef(f, FRAY_PLAIN, "  %s:", p->live[KIND_SIDE][side].name);
			int n_of = 0, column = 3 + bars_columns(p->live[KIND_SIDE][side].name);
			for (int i = 0; i < p->lives[KIND_COMBATANT]; i++) {
				const char *name = p->live[KIND_COMBATANT][i].name;
				if (!f->vm || vm_block(f->vm)[p->field[p->at.combatant_side].base + (uint32_t)i * p->field[p->at.combatant_side].stride] != side)
					continue;
				bool turn = n_of > 0 && column + 3 + bars_columns(name) > bars_room(f);
				column = (turn ? 3 : column + 1 + (n_of > 0)) + bars_columns(name);
				fray_writef(f, FRAY_NAME, "%s%s %s", n_of++ ? "," : "", turn ? "\n   " : "", name);
			}
			fray_write(f, FRAY_PLAIN, "\n");
		}
	}
	return s;
}

static enum fray_status unit(struct fray *f, struct node *n)
{
	switch (n->kind) {
	case N_KIND_X_BEGIN: return begin(f, n);
	case N_KIND_X_STEP: return step(f, n);
	case N_KIND_X_RUN: return run(f, n);
	case N_KIND_X_UNDO: return undo(f, n, true);
	case N_KIND_X_REDO: return undo(f, n, false);
	case N_KIND_X_WHY: return why_node(f, n);
	case N_KIND_X_SHOW: return show(f, n);
	case N_KIND_X_LOAD: return load(f, n);
	case N_KIND_X_HELP: return help(f, n);
	case N_KIND_X_QUIT: return FRAY_QUIT;
	case N_KIND_X_ROLL: return dice_said(f, n);
	case N_KIND_X_EVAL:
		if (n->a->kind == N_KIND_E_ROLL && n->a->a->kind == N_KIND_E_DICE) { /* "roll 3d6" */
			n->a = n->a->a;
			return dice_said(f, n);
		}
		return evaluate(f, n);
	case N_KIND_X_FORCE: {
		struct node *dice = node_new(&f->arena, N_KIND_N_DICE, n->span);
		dice->a = n->a;
		return add(f, dice);
	}
	case N_KIND_X_FORK: return fork_off(f, n);
	case N_KIND_X_SWITCH: return switch_to(f, n);
	case N_KIND_X_FORKS: return forks(f, n);
	case N_KIND_X_COMPARE: return need_fight(f, n->span) ? forks_compare(f, n) : FRAY_WRONG;
	case N_KIND_Q_ODDS: case N_KIND_Q_SWEEP: case N_KIND_Q_COMPARE: case N_KIND_Q_PLOT: case N_KIND_Q_EXPECT:
		return odds_question(f, n);
	case N_KIND_X_SAVE: return save(f, n);
	case N_KIND_X_ASKED: return table_say(f, n);
	default:
		return add(f, n);
	}
}

/* "show shelf monsters hd 1..3", "show monster giant toad", "show big Bob": names and ranges that are no
 * expressions. False: it is some other line. */
static bool show_line(struct fray *f, const char *line, enum fray_status *s)
{
	static const char show[] = "show ";
	line += strspn(line, " \t");
	if (strncmp(line, show, sizeof show - 1))
		return false;
	line += sizeof show - 1;
	line += strspn(line, " \t");
	size_t n = strlen(line);
	while (n && strchr(" \t\r", line[n - 1]))
		n--;
	struct buf topic = {0}, what = {0};
	size_t first = strcspn(line, " \t");
	buf_add(&topic, line, first < n ? first : n);
	if (first < n)
		buf_add(&what, line + first + strspn(line + first, " \t"), n - first - strspn(line + first, " \t"));
	bool things = shows_things(f, buf_text(&topic));
	sym name = n <= FRAY_NAME_MAX ? intern_find(f->names, line, n) : 0;
	bool one = what.length && name && is_combatant(f, name);
	bool read = (things || one) && units_named(f, line, n) && units_refresh(f);
	if (things && read)
		*s = fray_show(f, buf_text(&topic), what.length ? buf_text(&what) : NULL, f->answers == FRAY_JSON);
	else if (one && read)
		*s = fray_show(f, "combatant", model_text(&f->model, name), f->answers == FRAY_JSON);
	buf_free(&topic);
	buf_free(&what);
	return read;
}

/* Before the first line, the library alone is loaded: its words are known. */
static bool ready(struct fray *f)
{
	if (f->checked)
		return true;
	return units_load(f, "prompt", "", 0) && units_check(f);
}

static bool is_refused(enum fray_status s)
{
	return s == FRAY_WRONG || s == FRAY_STOPPED || s == FRAY_INTERRUPTED;
}

/* Of several statements on a line each is kept or undone for itself. Beats that were played stay,
 * whatever the next one came to. */
static enum fray_status try_unit(struct fray *f, struct node *n)
{
	attempt_begin(f);
	uint64_t revision = f->revision;
	bool plays = n->kind == N_KIND_X_STEP || n->kind == N_KIND_X_RUN;
	enum fray_status s = unit(f, n);
	if (is_refused(s) && !(plays && f->revision != revision))
		attempt_undo(f);
	else
		attempt_keep(f);
	return s;
}

/* What the grammar makes of a line that no other reader knew. */
static enum fray_status read_units(struct fray *f, const char *line, bool half_read)
{
	struct node *units, *next;
	enum fray_status s = FRAY_OK;
	enum feed_state state = feed_line(f->feed, line, &units);
	switch (state) {
	case FEED_MORE: return FRAY_MORE;
	case FEED_ERROR: return FRAY_WRONG;
	case FEED_EMPTY:
		if (half_read) /* given up: nothing of it is known */
			attempt_undo(f);
		return FRAY_OK;
	case FEED_UNIT: break;
	}
	if (!units_refresh(f))
		return FRAY_WRONG;
	buf_clear(&f->kept);
	for (struct node *n = units; n && s == FRAY_OK; n = next) {
		const int beats = session_beats(f);
		const uint64_t revision = f->revision;
		next = n->next;
		n->next = NULL;
		s = try_unit(f, n);
		table_leave(f);
		if (s == FRAY_INTERRUPTED && session_beats(f) > beats) {
			buf_printf(&f->kept, "step %d\n", session_beats(f) - beats);
		} else if (s == FRAY_INTERRUPTED && session_beats(f) < beats) {
			/* an answer to a die was taken back that belonged to an earlier step */
			buf_printf(&f->kept, "undo %d\n", beats - session_beats(f));
		} else if (s != FRAY_INTERRUPTED && !(is_refused(s) && f->revision == revision)) {
			size_t length;
			const char *text = sources_text(&f->sources, n->span, &length);
			buf_add(&f->kept, text, length);
			buf_putc(&f->kept, '\n');
		}
	}
	return s;
}

/* Of a question that cannot be read only a slip of spelling is said as the grammar has it; what
 * else it expects is no help to whoever asks. */
struct misread {
	struct diag_sink sink;
	bool why, told;
};

static void misread_report(void *context, const struct diag *d)
{
	struct misread *m = context;
	const struct message_info *info = &message_table[d->id];
	if (info->severity == SEV_NOTE || info->severity == SEV_WARNING)
		return; /* of the line as one of a script */
	m->told |= info->severity != SEV_ERROR || (m->why && d->id == M_NO_VERB_OF_NEAR);
	if (m->told && m->sink.report)
		m->sink.report(m->sink.context, d);
}

static enum fray_status read_question(struct fray *f, const char *line, const char *turned)
{
	struct misread m = {.sink = f->sink, .why = strstr(line, "why") != NULL};
	f->sink.report = misread_report;
	f->sink.context = &m;
	const enum fray_status s = read_units(f, *turned ? turned : line, false);
	f->sink.report = m.sink.report;
	f->sink.context = m.sink.context;
	if (s == FRAY_WRONG && !m.told) {
		f->sink.errors = f->sink.warnings = 0;
		unheard_told(f, line);
	}
	return s;
}

static enum fray_status read_line(struct fray *f, const char *line)
{
	enum fray_status s = FRAY_OK;
	f->sink.errors = f->sink.warnings = 0;
	if (!ready(f))
		return FRAY_WRONG;
	const char *awaited = feed_awaits(f->feed);
	const bool half_read = awaited && *awaited;
	if (!half_read)
		line = habit_meant(f, line);
	if (!half_read && habit_report(f, line))
		return FRAY_WRONG;
	if (!half_read && show_line(f, line, &s))
		return s;
	if (!units_named(f, line, strlen(line)))
		return FRAY_WRONG;
	struct buf turned = {0};
	const bool answered = !half_read && why_line(f, line, &turned, &s);
	const char *meant =
		turned.length ? arena_text(&f->arena, turned.data, turned.length) : NULL;
	buf_free(&turned);
	if (answered)
		return s;
	if (!half_read && unheard_line(f, line))
		return read_question(f, line, meant ? meant : "");
	return read_units(f, meant ? meant : line, half_read);
}

enum fray_status fray_line(struct fray *f, const char *line)
{
	const struct vm *before = f->vm;
	uint64_t errand = f->vm ? trace_errand(vm_trace(f->vm)) : 0;
	attempt_begin(f);
	enum fray_status s = read_line(f, line);
	if (is_refused(s))
		attempt_undo(f);
	else if (s != FRAY_MORE)
		attempt_keep(f);
	if (f->vm)
		trace_done(vm_trace(f->vm), f->vm == before ? errand : 0);
	return s;
}

const char *fray_interrupted_line(struct fray *f)
{
	return buf_text(&f->kept);
}
