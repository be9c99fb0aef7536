/* line.c - one line of the prompt: commands, declarations, sentences of the fight.
 *
 * What is typed becomes part of the script: declarations join the files, sentences join the
 * encounter as the block of the round they are meant for. The fight is then linked anew and
 * brought back to where it stood by playing the same steps with the same dice. */
#include "lang/api/probe.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/dice/dice.h"
#include "runtime/dice/dist.h"
#include "runtime/world/block.h"

const char *fray_awaits(const struct fray *f)
{
	return feed_awaits(f->feed);
}

void fray_abandon(struct fray *f)
{
	feed_reset(f->feed);
}

void fray_complete(struct fray *f, const char *line, void (*offer)(void *, const char *, const char *), void *context)
{
	/* the library's words are known even before a script is loaded */
	feed_complete(f->feed, line, offer, context);
}

static bool need_fight(struct fray *f, struct span at)
{
	if (f->vm)
		return true;
	diag_report(&f->sink, M_NO_FIGHT, at, 0);
	return false;
}

static enum fray_status tell(struct fray *f, enum fray_status s)
{
	fray_tell_new(f, FRAY_STORY);
	return s;
}

/* ---- going on and going back ---- */

static word round_now(const struct fray *f)
{
	return vm_block(f->vm)[f->program->field[f->program->at.round_number].base];
}

static enum fray_status step(struct fray *f, const struct node *n)
{
	enum fray_status s = FRAY_OK;
	bool over = false;
	if (!need_fight(f, n->span))
		return FRAY_WRONG;
	word round = round_now(f);
	if (n->a) { /* to a moment of this round */
		struct probe p;
		struct node *at = n->a;
		if (!probe_open(f, at, false, &p)) {
			probe_close(f, &p);
			return FRAY_WRONG;
		}
		word until = p.value[0];
		probe_close(f, &p);
		while (!over && s == FRAY_OK && (vm_block(f->vm)[H_NOW] == NONE || vm_block(f->vm)[H_NOW] < until))
			s = fray_step(f, &over);
	} else if (n->name) { /* step round */
		while (!over && s == FRAY_OK && round_now(f) <= round)
			s = fray_step(f, &over);
	} else {
		for (int64_t i = 0; i < n->num && !over && s == FRAY_OK; i++)
			s = fray_step(f, &over);
	}
	return tell(f, s);
}

static void go_to(struct fray *f, const word *world)
{
	vm_restore(f->vm, world);
	f->told = vm_trace(f->vm)->record.n;
	if (f->asked)
		asked_forget(f->asked);
}

static word *world_copy(const struct fray *f)
{
	size_t bytes = f->program->layout.words * sizeof(word);
	word *w = malloc(bytes);
	if (!w)
		abort();
	memcpy(w, vm_block(f->vm), bytes);
	return w;
}

static enum fray_status undo(struct fray *f, const struct node *n, bool back)
{
	if (!need_fight(f, n->span))
		return FRAY_WRONG;
	int64_t done = 0;
	for (; done < n->num; done++) {
		if ((back ? f->undo.n : f->redo.n) == 0)
			break;
		word *here = world_copy(f);
		word *there = back ? f->undo.v[--f->undo.n] : f->redo.v[--f->redo.n];
		if (back)
			VEC_PUSH(f->redo, here);
		else
			VEC_PUSH(f->undo, here);
		go_to(f, there);
		free(there);
	}
	if (done == 0)
		fray_writef(f, FRAY_PLAIN, "There is nothing to %s.\n", back ? "take back" : "do again");
	else
		fray_writef(f, FRAY_PLAIN, "%lld step%s %s.\n", (long long)done, done == 1 ? "" : "s", back ? "taken back" : "done again");
	return FRAY_OK;
}

/* ---- what is typed joins the script ---- */

/* Links the encounter anew and plays as many steps as were played. */
static enum fray_status relink(struct fray *f)
{
	int steps = f->undo.n, encounter = f->encounter;
	bool fighting = f->vm != NULL;
	struct fray_run_options options = f->options;
	if (!units_check(f)) {
		run_close(f);
		return FRAY_WRONG;
	}
	if (!fighting)
		return FRAY_OK;
	enum fray_status s = fray_begin(f, fray_encounter(f, encounter), &options);
	bool over = false;
	for (int i = 0; i < steps && s == FRAY_OK && !over; i++)
		s = fray_step(f, &over);
	f->told = f->vm ? vm_trace(f->vm)->record.n : 0;
	return s;
}

static bool is_scene(const struct node *n)
{
	switch (n->kind) {
	case N_KIND_N_SAY: case N_KIND_N_FOLLOWS: case N_KIND_N_DICE: case N_KIND_N_CHOICES: case N_KIND_N_EXPECT: case N_KIND_N_EXPECT_SAY:
	case N_KIND_N_UNTIL: case N_KIND_N_EDIT: case N_KIND_N_OPTION: case N_KIND_N_REFEREE: case N_KIND_MOMENT: case N_KIND_SIDE: case N_KIND_N_OVERRIDE:
		return true;
	default:
		return false;
	}
}

static enum fray_status add_scene(struct fray *f, struct node *n)
{
	if (f->encounter < 0 || !need_fight(f, n->span))
		return FRAY_WRONG;
	struct node *e = f->model.encounter.v[f->encounter].node;
	struct node *item = n;
	bool loose = n->kind != N_KIND_MOMENT && n->kind != N_KIND_N_UNTIL && n->kind != N_KIND_N_OPTION && n->kind != N_KIND_SIDE;
	if (loose) {
		/* a sentence is meant for the next time somebody is asked: the round to come */
		item = node_new(&f->arena, N_KIND_MOMENT, n->span);
		item->name = f->model.w.round;
		item->num = round_now(f) + 1;
		item->a = n;
		/* the same round's block may be there already */
		for (struct node *x = e->a; x; x = x->next)
			if (x->kind == N_KIND_MOMENT && x->name == item->name && x->num == item->num) {
				x->a = node_append(x->a, n);
				item = NULL;
				break;
			}
	}
	struct node *before = e->a;
	if (item)
		e->a = node_append(e->a, item);
	enum fray_status s = relink(f);
	if (s == FRAY_WRONG) {
		/* take it out again: the fight goes on as it was */
		struct node *last = NULL;
		if (item) {
			for (struct node *x = before; x && x != item; x = x->next)
				last = x;
			if (last)
				last->next = NULL;
			else
				e->a = NULL;
		} else {
			for (struct node *x = e->a; x; x = x->next)
				for (struct node *y = x->kind == N_KIND_MOMENT ? x->a : NULL; y; y = y->next)
					if (y->next == n)
						y->next = NULL;
		}
		relink(f);
	}
	return s;
}

static enum fray_status add_declaration(struct fray *f, struct node *n)
{
	struct node *before = NULL;
	for (struct node *x = f->typed; x; x = x->next)
		before = x;
	f->typed = node_append(f->typed, n);
	if (n->kind == N_KIND_USE) {
		/* modules named at the prompt are read now */
		struct buf line = {0};
		buf_printf(&line, "use %s\n", model_text(&f->model, n->name));
		bool ok = units_load(f, "prompt", buf_text(&line), line.length);
		buf_free(&line);
		if (before)
			before->next = NULL;
		else
			f->typed = NULL;
		return relink(f) == FRAY_OK && ok ? FRAY_OK : FRAY_WRONG;
	}
	enum fray_status s = relink(f);
	if (s == FRAY_WRONG) {
		if (before)
			before->next = NULL;
		else
			f->typed = NULL;
		relink(f);
	}
	return s;
}

/* ---- dice on their own ---- */

static enum fray_status roll(struct fray *f, const struct node *n)
{
	struct dice d;
	enum dice_error e = dice_parse(n->a->text, strlen(n->a->text), &d);
	if (e != DICE_OK) {
		diag_report(&f->sink, dice_message(e), n->a->span, 1, n->a->text);
		return FRAY_WRONG;
	}
	if (n->num == 0) {
		struct dice_ask ask = {0};
		struct dice_result *r = calloc(1, sizeof *r);
		if (!r)
			return FRAY_STOPPED;
		ask.seed = f->options.seed;
		ask.occurrence = f->rolls++;
		ask.dice = &d;
		dice_roll(NULL, &ask, r);
		fray_writef(f, FRAY_DIE, "%lld", (long long)r->total);
		for (int i = 0; i < r->faces && r->faces > 1; i++)
			fray_writef(f, r->face[i] < 0 ? FRAY_DIM : FRAY_PLAIN, r->face[i] < 0 ? "%s(%d)" : "%s%d", i ? " " : "   ", r->face[i] < 0 ? -r->face[i] : r->face[i]);
		fray_write(f, FRAY_PLAIN, "\n");
		free(r);
		return FRAY_OK;
	}
	struct dist spread;
	if (!dist_make(&d, &spread)) {
		diag_report(&f->sink, M_DICE_SPREAD, n->a->span, 1, n->a->text);
		return FRAY_WRONG;
	}
	double top = 0;
	for (int v = spread.least; v <= spread.most; v++)
		if (dist_at(&spread, v) > top)
			top = dist_at(&spread, v);
	for (int v = spread.least; v <= spread.most; v++) {
		double p = dist_at(&spread, v);
		int bar = top > 0 ? (int)(p / top * 40 + 0.5) : 0;
		fray_writef(f, FRAY_PLAIN, "%6d  %8.4f%%  ", v, p * 100);
		for (int i = 0; i < bar; i++)
			fray_write(f, FRAY_DIE, "#");
		fray_write(f, FRAY_PLAIN, "\n");
	}
	fray_writef(f, FRAY_PLAIN, "  mean  %.6g   exact\n", dist_mean(&spread));
	dist_free(&spread);
	return FRAY_OK;
}

/* ---- help ---- */

static enum fray_status help(struct fray *f, const char *topic)
{
	static const struct { const char *topic, *text; } pages[] = {
		{"", "load \"file\"      read a script          begin NAME        set an encounter up\n"
		     "step, step round play on                run               play to the end\n"
		     "undo, redo       take steps back        why ...           ask for the reason\n"
		     "show world       how things stand       show rules        what is in force\n"
		     "4d6kh3           roll dice              quit              leave\n"
		     "Anything of the language can be typed too. More: help step, help dice, help why, help show, help rules\n"},
		{"step", "step            the next group of acts\nstep 3          three of them\nstep round      until the next round has begun\nstep to segment 5\nrun             to the end\n"},
		{"dice", "dice: Bruna's attack roll 17      in the round to come, this die shows 17\n3d6+1           rolls\nspread 4d6kh3   its exact distribution\n"},
		{"why", "why                               the last event\nwhy Bruna's armour class          a value\nwhy orc #1 acts before Bruna      an order\nwhy not Halvaine completes web    what did not happen\n"},
		{"show", "show world, timeline, log, rules, order, fields, actions, options, sources, encounters\nshow rules for act's time         the rules about one thing\nshow combatant Bruna\n"},
		{"rules", "A rule typed here is nearest and takes effect at once:\n  rule thursday \"ruled at the table\" { adjust act's time by -1 segment }\ndrop rule NAME takes one out.\n"},
	};
	for (size_t i = 0; i < FRAY_COUNT(pages); i++)
		if (!strcmp(pages[i].topic, topic)) {
			fray_write(f, FRAY_PLAIN, pages[i].text);
			return FRAY_OK;
		}
	diag_report(&f->sink, M_NO_HELP, (struct span){0}, 1, topic);
	return FRAY_WRONG;
}

static enum fray_status show(struct fray *f, const struct node *n)
{
	const char *topic = n->name ? model_text(&f->model, n->name) : "world";
	struct buf what = {0};
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
	}
	enum fray_status s = fray_show(f, buf_text(&head), what.length ? buf_text(&what) : NULL, false);
	buf_free(&what);
	buf_free(&head);
	return s;
}

static enum fray_status load(struct fray *f, const struct node *n)
{
	size_t length = 0;
	const char *name = n->text;
	size_t k = strlen(name);
	char stem[128];
	if (k > 5 && !strcmp(name + k - 5, ".fray"))
		k -= 5;
	if (k >= sizeof stem || strchr(name, '/') || name[0] == '.') {
		diag_report(&f->sink, M_USE_PATH, n->span, 1, name);
		return FRAY_WRONG;
	}
	memcpy(stem, name, k);
	stem[k] = '\0';
	char *text = f->config.module ? f->config.module(f->config.context, stem, "", &length) : NULL;
	if (!text) {
		diag_report(&f->sink, M_NO_MODULE, n->span, 1, name);
		return FRAY_WRONG;
	}
	enum fray_status s = fray_load(f, name, text, length);
	free(text);
	if (s == FRAY_OK)
		fray_writef(f, FRAY_PLAIN, "%d encounter%s\n", fray_encounters(f), fray_encounters(f) == 1 ? "" : "s");
	return s;
}

static enum fray_status evaluate(struct fray *f, struct node *n)
{
	struct probe p;
	if (!probe_open(f, n->a, false, &p)) {
		probe_close(f, &p);
		return FRAY_WRONG;
	}
	struct buf b = {0};
	program_value(p.program, p.type, p.value, &b);
	buf_putc(&b, '\n');
	fray_write(f, FRAY_PLAIN, buf_text(&b));
	buf_free(&b);
	probe_close(f, &p);
	return FRAY_OK;
}

static enum fray_status begin(struct fray *f, const struct node *n)
{
	struct fray_run_options o = f->options;
	if (o.seed == 0)
		o.seed = 1;
	enum fray_status s = fray_begin(f, n->name ? model_text(&f->model, n->name) : NULL, &o);
	if (s == FRAY_OK) {
		const struct program *p = f->program;
		for (int side = 0; side < p->lives[KIND_SIDE]; side++) {
			fray_writef(f, FRAY_PLAIN, "  %s:", p->live[KIND_SIDE][side].name);
			int n_of = 0;
			for (int i = 0; i < p->lives[KIND_COMBATANT]; i++)
				if (f->vm && vm_block(f->vm)[p->field[p->at.combatant_side].base + (uint32_t)i * p->field[p->at.combatant_side].stride] == side)
					fray_writef(f, FRAY_NAME, "%s %s", n_of++ ? "," : "", p->live[KIND_COMBATANT][i].name);
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
	case N_KIND_X_RUN:
		if (n->a) {
			struct node to = *n;
			to.kind = N_KIND_X_STEP;
			return step(f, &to);
		}
		if (!need_fight(f, n->span))
			return FRAY_WRONG;
		{
			bool over = false;
			enum fray_status s = FRAY_OK;
			while (!over && (s == FRAY_OK || s == FRAY_EXPECTATION)) {
				if (n->b) {
					struct probe p;
					bool ok = probe_open(f, n->b, false, &p);
					bool so = ok && p.value[0] != 0 && p.value[0] != NONE;
					probe_close(f, &p);
					if (!ok || so)
						break;
				}
				s = fray_step(f, &over);
			}
			return tell(f, s);
		}
	case N_KIND_X_UNDO: return undo(f, n, true);
	case N_KIND_X_REDO: return undo(f, n, false);
	case N_KIND_X_WHY: return why_node(f, n);
	case N_KIND_X_SHOW: return show(f, n);
	case N_KIND_X_LOAD: return load(f, n);
	case N_KIND_X_HELP: return help(f, n->name ? model_text(&f->model, n->name) : "");
	case N_KIND_X_QUIT: return FRAY_QUIT;
	case N_KIND_X_ROLL: return roll(f, n);
	case N_KIND_X_EVAL: return evaluate(f, n);
	case N_KIND_X_FORCE: {
		struct node *dice = node_new(&f->arena, N_KIND_N_DICE, n->span);
		dice->a = n->a;
		return add_scene(f, dice);
	}
	case N_KIND_Q_ODDS: case N_KIND_Q_SWEEP: case N_KIND_Q_COMPARE: case N_KIND_Q_PLOT: case N_KIND_Q_EXPECT:
		return odds_question(f, n);
	case N_KIND_X_FORK: case N_KIND_X_SWITCH: case N_KIND_X_FORKS: case N_KIND_X_SAVE: case N_KIND_X_ASKED:
		diag_report(&f->sink, M_NOT_YET, n->span, 0);
		return FRAY_WRONG;
	default:
		return is_scene(n) ? add_scene(f, n) : add_declaration(f, n);
	}
}

/* Before the first line, the library alone is loaded: its words are known. */
static bool ready(struct fray *f)
{
	if (f->checked)
		return true;
	return units_load(f, "prompt", "", 0) && units_check(f);
}

enum fray_status fray_line(struct fray *f, const char *line)
{
	struct node *units, *next;
	enum fray_status s = FRAY_OK;
	f->sink.errors = f->sink.warnings = 0;
	if (!ready(f))
		return FRAY_WRONG;
	switch (feed_line(f->feed, line, &units)) {
	case FEED_MORE: return FRAY_MORE;
	case FEED_ERROR: return FRAY_WRONG;
	case FEED_EMPTY: return FRAY_OK;
	case FEED_UNIT: break;
	}
	for (struct node *n = units; n && s == FRAY_OK; n = next) {
		next = n->next;
		n->next = NULL;
		s = unit(f, n);
	}
	return s;
}
