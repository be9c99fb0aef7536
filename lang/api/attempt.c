/* attempt.c - see attempt.h.
 *
 * Trees, sources and symbols only grow, so what a refused text added of them is unreachable again when
 * lists are cut to their length. What is changed in place - the lexicon, flags of modules and of the
 * library's blocks - is copied. The model is a function of all that, so it is made again; the fight is
 * never copied: its machine and timelines are taken over when something is about to replace them. */
#include "lang/api/attempt.h"

#include <stdlib.h>
#include <string.h>

#include "lang/api/aside.h"
#include "lang/api/fingerprint.h"
#include "lang/api/probe.h"
#include "lang/api/session.h"
#include "lang/front/image.h"
#include "lang/front/lexicon.h"
#include "stdlib/builtins.h"

struct attempt {
	struct lexicon *lexicon;
	bool torn, incomplete;
	struct unit *unit;
	struct put_off *put_off;
	int units, put_offs, units_again, met_sources;
	bool *met, more_read, names_known;
	struct node *typed, *typed_last, *typed_tail;
	/* the model */
	uint64_t made;
	bool checked, sound;
	int said, unknown, labels, kept, choices;
	/* the fight */
	bool idle;             /* there was none */
	bool has_run;          /* it was about to be closed; `session` is its timelines */
	struct aside *machine;
	struct session session;
	struct replay *replayed;
	int encounter, unmet;
	int64_t rounds;
	struct fray_run_options options;
	struct fray_tally tally;
	int run_errors, run_warnings;
	bool unwritten, at_saved, from;
	int32_t told;
	uint32_t rolls;
	uint64_t revision;
	struct asking_dice asking;
#ifndef NDEBUG
	struct fingerprint print;
#endif
};

static void *copy(const void *from, size_t size)
{
	void *to = malloc(size ? size : 1);
	if (!to)
		abort();
	if (size)
		memcpy(to, from, size);
	return to;
}

static size_t blocks_of(const struct put_off *p)
{
	return fray_image.file[p->builtin].blocks * sizeof *p->taken;
}

/* Few lines declare a name, so the last copy mostly serves again. */
static void note_names(struct fray *f, struct attempt *a)
{
	if (f->lexicon && lexicon_same(f->lexicon, f->front.lexicon)) {
		a->lexicon = f->lexicon;
		f->lexicon = NULL;
	} else {
		a->lexicon = lexicon_copy(f->front.lexicon);
	}
}

static void give_back_names(struct fray *f, struct attempt *a)
{
	if (lexicon_same(f->front.lexicon, a->lexicon))
		return;
	lexicon_free(f->front.lexicon);
	f->front.lexicon = a->lexicon;
	a->lexicon = NULL;
}

static void note_files(struct fray *f, struct attempt *a)
{
	a->unit = copy(f->unit.v, (size_t)f->unit.n * sizeof *a->unit);
	a->units = f->unit.n;
	a->units_again = f->units_again;
	a->put_off = copy(f->put_off.v, (size_t)f->put_off.n * sizeof *a->put_off);
	a->put_offs = f->put_off.n;
	for (int i = 0; i < a->put_offs; i++) {
		a->put_off[i].taken = copy(a->put_off[i].taken, blocks_of(&a->put_off[i]));
		a->put_off[i].fresh = copy(a->put_off[i].fresh, blocks_of(&a->put_off[i]));
	}
	a->met = f->met ? copy(f->met, (fray_image.vocabularies + 1) * sizeof *f->met) : NULL;
	a->met_sources = f->met_sources;
	a->more_read = f->more_read;
	a->names_known = f->names_known;
}

static void note_fight(const struct fray *f, struct attempt *a)
{
	a->encounter = f->encounter;
	a->unmet = f->unmet.n;
	a->rounds = f->rounds;
	a->options = f->options;
	a->tally = f->tally;
	a->run_errors = f->run_sink.errors;
	a->run_warnings = f->run_sink.warnings;
	a->unwritten = f->unwritten;
	a->at_saved = f->at_saved;
	a->from = f->from;
	a->told = f->told;
	a->rolls = f->rolls;
	a->revision = f->revision;
	a->asking = f->asking;
	a->typed_tail = f->session.typed_tail;
	a->idle = !f->vm && !session_is_open(f);
}

void attempt_begin(struct fray *f)
{
	if (f->attempt)
		return;
	struct attempt *a = calloc(1, sizeof *a);
	if (!a)
		abort();
	note_names(f, a);
	a->torn = f->front.torn;
	a->incomplete = f->front.incomplete;
	note_files(f, a);
	note_fight(f, a);
	a->typed = a->typed_last = f->typed;
	while (a->typed_last && a->typed_last->next)
		a->typed_last = a->typed_last->next;
	a->made = f->made;
	a->checked = f->checked;
	a->sound = f->sound;
	a->said = f->checked ? f->model.said.n : 0;
	a->unknown = f->checked ? f->model.unknown.n : 0;
	a->labels = f->checked ? f->model.label.n : 0;
	a->kept = f->checked ? f->model.kept.n : 0;
	a->choices = f->checked ? f->model.choice.n : 0;
#ifndef NDEBUG
	a->print = fingerprint_of(f);
#endif
	f->attempt = a;
}

bool attempt_is_open(const struct fray *f)
{
	return f->attempt != NULL;
}

bool attempt_take_machine(struct fray *f)
{
	struct attempt *a = f->attempt;
	if (!a || a->has_run || a->machine || !f->vm)
		return false;
	aside_put(f, &a->machine);
	return true;
}

bool attempt_take_run(struct fray *f)
{
	struct attempt *a = f->attempt;
	if (!a || a->has_run || a->machine || !f->vm)
		return false;
	aside_put(f, &a->machine);
	session_put(f, &a->session);
	a->replayed = f->replayed;
	f->replayed = NULL;
	a->has_run = true;
	return true;
}

/* Gives back the fight that was taken over, in place of whatever there is. */
static void give_back_run(struct fray *f, struct attempt *a)
{
	if (a->has_run || (a->idle && (f->vm || session_is_open(f)))) {
		bool closing = f->closing;
		f->closing = true; /* the model is made when all is back */
		run_close(f);
		f->closing = closing;
	}
	if (a->has_run) {
		f->session = a->session;
		f->replayed = a->replayed;
		memset(&a->session, 0, sizeof a->session);
		a->replayed = NULL;
	}
	if (a->machine)
		aside_take(f, &a->machine);
}

static void give_back_files(struct fray *f, struct attempt *a)
{
	f->front.torn = a->torn;
	f->front.incomplete = a->incomplete;
	f->unit.n = a->units;
	if (a->units)
		memcpy(f->unit.v, a->unit, (size_t)a->units * sizeof *a->unit);
	lean_forget(f);
	for (int i = 0; i < a->put_offs; i++)
		VEC_PUSH(f->put_off, a->put_off[i]);
	a->put_offs = 0;
	f->met = a->met;
	a->met = NULL;
	f->met_sources = a->met_sources;
	f->units_again = a->units_again;
	f->more_read = a->more_read;
	f->names_known = a->names_known;
	f->typed = a->typed;
	if (a->typed_last)
		a->typed_last->next = NULL;
}

static void give_back_fight(struct fray *f, const struct attempt *a)
{
	f->encounter = a->encounter;
	f->unmet.n = a->unmet;
	f->rounds = a->rounds;
	f->options = a->options;
	f->tally = a->tally;
	f->run_sink.errors = a->run_errors;
	f->run_sink.warnings = a->run_warnings;
	f->unwritten = a->unwritten;
	f->at_saved = a->at_saved;
	f->from = a->from;
	f->told = a->told;
	f->rolls = a->rolls;
	f->revision = a->revision;
	f->asking = a->asking;
}

static void no_word(void *context, const struct diag *d)
{
	(void)context;
	(void)d;
}

/* The model of what is there now; it was sound before, and nothing is said of it again. */
static void give_back_model(struct fray *f, const struct attempt *a)
{
	if (!a->checked) {
		probe_forget(f);
		if (f->checked)
			model_free(&f->model);
		f->checked = f->sound = false;
	} else if (f->made != a->made) {
		struct diag_sink sink = f->sink;
		bool replaying = f->session.replaying;
		f->sink.report = no_word;
		f->session.replaying = true;
		units_check(f);
		f->session.replaying = replaying;
		f->sink = sink;
		must(f->sound == a->sound);
	} else {
		f->model.said.n = a->said;
		f->model.unknown.n = a->unknown;
		f->model.label.n = a->labels;
		f->model.kept.n = a->kept;
		f->model.choice.n = a->choices;
	}
}

static void attempt_free(struct fray *f, struct attempt *a)
{
	lexicon_free(f->lexicon);
	f->lexicon = a->lexicon;
	for (int i = 0; i < a->put_offs; i++) {
		free(a->put_off[i].taken);
		free(a->put_off[i].fresh);
	}
	free(a->put_off);
	free(a->met);
	free(a->unit);
	aside_free(&a->machine);
	session_drop(&a->session);
	replay_free(a->replayed);
	free(a);
}

/* Part by part, so that the message says which. */
static void must_be_same(struct fray *f, const struct attempt *a)
{
#ifndef NDEBUG
	struct fingerprint now = fingerprint_of(f);
	must(now.part[PRINT_NAMES] == a->print.part[PRINT_NAMES]);
	must(now.part[PRINT_FILES] == a->print.part[PRINT_FILES]);
	must(now.part[PRINT_TREES] == a->print.part[PRINT_TREES]);
	must(now.part[PRINT_MODEL] == a->print.part[PRINT_MODEL]);
	must(now.part[PRINT_SESSION] == a->print.part[PRINT_SESSION]);
	must(now.part[PRINT_FIGHT] == a->print.part[PRINT_FIGHT]);
#else
	(void)f;
	(void)a;
#endif
}

void attempt_undo(struct fray *f)
{
	struct attempt *a = f->attempt;
	if (!a)
		return;
	f->attempt = NULL;
	give_back_run(f, a);
	give_back_names(f, a);
	give_back_files(f, a);
	if (session_is_open(f))
		session_rewrite(f, a->typed_tail);
	give_back_fight(f, a);
	give_back_model(f, a);
	must_be_same(f, a);
	attempt_free(f, a);
}

void attempt_keep(struct fray *f)
{
	struct attempt *a = f->attempt;
	if (!a)
		return;
	f->attempt = NULL;
	/* each line is told of its own mistakes */
	if (f->checked && f->made == a->made) {
		f->model.said.n = a->said;
		f->model.unknown.n = a->unknown;
	}
	attempt_free(f, a);
}
