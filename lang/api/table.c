/* table.c - see table.h. The questions themselves are asked.c's; here is who is asked, what
 * was answered, and what becomes of an answer that is taken back: the beat is played again
 * from its beginning with the answers before it. */
#include "lang/api/table.h"

#include <stdlib.h>
#include <string.h>

#include "lang/api/foresee.h"
#include "lang/api/session.h"
#include "lang/front/lexicon.h"
#include "runtime/world/block.h"

struct table {
	struct dice_source source;
	struct fray *f;
	struct asked asked;
	const struct table_dice *known; /* how dice fell that fell before */
	struct table_dice *fresh;       /* takes the answers of the beat in progress; NULL: none are asked for */
	int met;                        /* how many of `known` have fallen again */
	bool undo;                      /* the last answer is to be taken back */
	const word *start;              /* the world before the beat in progress */
};

/* ---- answers ---- */

static void die_free(struct table_die *d)
{
	free(d->face);
	free(d->name);
}

void table_dice_free(struct table_dice *d)
{
	for (int i = 0; i < d->die.n; i++)
		die_free(&d->die.v[i]);
	VEC_FREE(d->die);
}

static char *copy_text(const char *text)
{
	char *c = strdup(text);
	if (!c)
		abort();
	return c;
}

static int32_t *copy_faces(const int32_t *face, int n)
{
	int32_t *c = malloc(sizeof *c * (size_t)(n + 1));
	if (!c)
		abort();
	if (n)
		memcpy(c, face, sizeof *c * (size_t)n);
	return c;
}

struct table_dice table_dice_copy(const struct table_dice *d)
{
	struct table_dice copy = {0};
	for (int i = 0; i < d->die.n; i++) {
		struct table_die one = d->die.v[i];
		one.face = copy_faces(one.face, one.faces);
		one.name = copy_text(one.name);
		VEC_PUSH(copy.die, one);
	}
	return copy;
}

bool table_dice_same(const struct table_dice *a, const struct table_dice *b)
{
	if (a->die.n != b->die.n)
		return false;
	for (int i = 0; i < a->die.n; i++) {
		const struct table_die *x = &a->die.v[i], *y = &b->die.v[i];
		if (x->hash != y->hash || x->occurrence != y->occurrence || x->rolled != y->rolled || x->total != y->total || x->faces != y->faces ||
		    memcmp(x->face, y->face, sizeof *x->face * (size_t)x->faces))
			return false;
	}
	return true;
}

static void keep(struct table *t, const struct dice_ask *ask, enum dice_answer a, const struct dice_result *r)
{
	struct table_die d = {.hash = ask->label, .occurrence = ask->occurrence, .rolled = a == DICE_PASS};
	int32_t face[FACES_MAX];
	d.total = d.rolled ? 0 : r->total;
	d.faces = d.rolled ? 0 : r->faces;
	for (int i = 0; i < d.faces; i++)
		face[i] = r->face[i] < 0 ? -r->face[i] : r->face[i];
	d.face = copy_faces(face, d.faces);
	d.name = copy_text(ask->name(ask->context));
	VEC_PUSH(t->fresh->die, d);
}

static const struct table_die *find(const struct table_dice *d, const struct dice_ask *ask)
{
	for (int i = 0; d && i < d->die.n; i++)
		if (d->die.v[i].hash == ask->label && d->die.v[i].occurrence == ask->occurrence)
			return &d->die.v[i];
	return NULL;
}

void table_dice_script(const struct table_dice *d, const char *indent, struct buf *out)
{
	int said = 0;
	for (int i = 0; i < d->die.n; i++) {
		const struct table_die *x = &d->die.v[i];
		if (x->rolled)
			continue;
		buf_printf(out, "%s%s #%u ", said++ ? ", " : indent, x->name, x->occurrence + 1);
		if (x->faces < 2)
			buf_printf(out, "%lld", (long long)x->total);
		for (int k = 0; k < x->faces && x->faces > 1; k++)
			buf_printf(out, "%s%d", k ? "+" : "", x->face[k]);
	}
	if (said)
		buf_putc(out, '\n');
}

/* ---- who is asked ---- */

bool table_asks(const struct fray *f)
{
	return f->asking.on || f->options.ask;
}

static bool names(const struct fray *f, sym name, const char *text)
{
	return intern_word(f->names, text) == name;
}

/* By his name, the name of his like (orc, orcs), or his side's. */
static bool called(const struct fray *f, sym name, int combatant, int side)
{
	const struct program *p = f->program;
	const char *own = p->live[KIND_COMBATANT][combatant].name, *number = strstr(own, " #");
	if (names(f, name, own) || (side >= 0 && names(f, name, p->live[KIND_SIDE][side].name)))
		return true;
	if (!number)
		return false;
	struct buf like = {0}, many = {0};
	buf_add(&like, own, (size_t)(number - own));
	lexicon_plural(&many, buf_text(&like));
	bool is = names(f, name, buf_text(&like)) || names(f, name, buf_text(&many));
	buf_free(&like);
	buf_free(&many);
	return is;
}

static word side_of(const struct fray *f, word combatant)
{
	const struct field_info *side = &f->program->field[f->program->at.combatant_side];
	return vm_block(f->vm)[side->base + (uint32_t)combatant * side->stride];
}

static bool owned_by(const struct fray *f, sym name, int kind, word owner)
{
	if (kind == KIND_SIDE)
		return names(f, name, f->program->live[KIND_SIDE][owner].name);
	return called(f, name, (int)owner, (int)side_of(f, owner));
}

static bool wants(void *context, const struct dice_ask *ask)
{
	struct table *t = context;
	const struct fray *f = t->f;
	int kind = 0;
	word owner = NONE;
	(void)ask;
	if (f->asking.on && f->asking.names == 0)
		return true;
	if (!f->asking.on && f->options.ask == 1)
		return true;
	if (!vm_rolling(f->vm, &kind, &owner))
		return false;
	if (!f->asking.on) /* the players are those of the first side */
		return (kind == KIND_SIDE ? owner : side_of(f, owner)) == 0;
	for (int i = 0; i < f->asking.names; i++)
		if (owned_by(f, f->asking.name[i], kind, owner))
			return true;
	return false;
}

static bool anybody(const struct fray *f, sym name)
{
	const struct program *p = f->program;
	for (int i = 0; i < p->lives[KIND_SIDE]; i++)
		if (names(f, name, p->live[KIND_SIDE][i].name))
			return true;
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++)
		if (called(f, name, i, -1))
			return true;
	return false;
}

enum fray_status table_say(struct fray *f, const struct node *n)
{
	int count = node_count(n->a);
	if (count > ASKED_NAMES) {
		diag_report(&f->sink, M_ASK_MANY, n->span, 0);
		return FRAY_WRONG;
	}
	for (const struct node *x = n->a; x; x = x->next) {
		sym name = model_alias(&f->model, x->name);
		if (f->program && anybody(f, name))
			continue;
		if (!f->program)
			report_no_fight(f, x->span);
		else
			diag_report(&f->sink, M_ASK_WHOM, x->span, 1, model_text(&f->model, x->name));
		return FRAY_WRONG;
	}
	struct asking_dice to = {.on = n->num == 1};
	for (const struct node *x = n->a; x; x = x->next)
		to.name[to.names++] = model_alias(&f->model, x->name);
	f->asking = to;
	f->options.ask = 0;
	f->revision++;
	fray_write(f, FRAY_PLAIN, !to.on ? "Fray rolls all dice.\n" : to.names ? "Fray asks for their dice, and rolls the rest.\n" : "Fray asks for every die.\n");
	if (to.on)
		fray_wrap(f, "Type what a die shows, several at once if you like (17 4 9); Return rolls it, ? tells why, undo takes the last one back, Ctrl-D goes back to the prompt.", 0, 0);
	return FRAY_OK;
}

/* ---- the questions ---- */

static const char *ask_line(void *context, const char *prompt, const char *problem)
{
	struct fray *f = ((struct table *)context)->f;
	return f->config.ask_die ? f->config.ask_die(f->config.context, prompt, problem) : NULL;
}

static enum asked_word word_typed(void *context, const struct dice_ask *ask, const char *text, size_t length)
{
	struct table *t = context;
	if (length == 4 && !strncmp(text, "undo", 4)) {
		t->undo = true;
		return ASKED_STOP;
	}
	if (length != 1 || *text != '?')
		return ASKED_NO_WORD;
	table_foresee(t->f, ask, t->start, t->fresh);
	return ASKED_AGAIN;
}

static enum dice_answer roll(struct dice_source *self, const struct dice_ask *ask, struct dice_result *out)
{
	struct table *t = (struct table *)self;
	const struct table_die *d = find(t->known, ask);
	if (d) {
		if (++t->met >= t->known->die.n && t->fresh)
			t->f->session.replaying = false;
		if (d->rolled)
			return DICE_PASS;
		enum dice_answer a = dice_give(ask, d->face, d->faces, d->total, out);
		out->kind = DICE_TYPED;
		return a;
	}
	if (!t->fresh || !table_asks(t->f) || !wants(t, ask))
		return DICE_PASS;
	enum dice_answer a = t->asked.source.roll(&t->asked.source, ask, out);
	if (a == DICE_ANSWERED || a == DICE_PASS) {
		keep(t, ask, a, out);
		t->met++;
	}
	return a;
}

struct table *table_new(struct fray *f)
{
	struct table *t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	t->f = f;
	t->source.roll = roll;
	asked_init(&t->asked, NULL);
	t->asked.line = ask_line;
	t->asked.word = word_typed;
	t->asked.context = t;
	return t;
}

void table_close(struct table *t)
{
	if (!t)
		return;
	asked_free(&t->asked);
	free(t);
}

struct dice_source *table_source(struct table *t)
{
	return &t->source;
}

void table_forget(struct table *t)
{
	if (t)
		asked_forget(&t->asked);
}

void table_leave(struct fray *f)
{
	struct asked *a = f->table ? &f->table->asked : NULL;
	if (!a || !a->ahead.length)
		return;
	fray_writef(f, FRAY_PLAIN, "No die was left for: %s\n", buf_text(&a->ahead));
	asked_forget(a);
}

void table_replay(struct table *t, const struct table_dice *known)
{
	t->known = known;
	t->fresh = NULL;
	t->met = 0;
}

/* The last answer, of this beat or of one before it, is taken back; false when there is none. */
static bool take_back(struct table *t, bool set_up, struct table_dice *known)
{
	if (known->die.n == 0 && !set_up) {
		struct table_dice earlier = {0};
		if (!session_back_to_asked(t->f, &earlier))
			return false;
		table_dice_free(known);
		*known = earlier;
	}
	if (known->die.n == 0)
		return false;
	die_free(&known->die.v[--known->die.n]);
	return true;
}

enum vm_status table_play(struct table *t, bool set_up, struct table_dice *known, word **before)
{
	struct fray *f = t->f;
	for (;;) {
		word *start = session_world(f);
		struct fray_tally tally = f->tally;
		int errors = f->run_sink.errors;
		t->known = known;
		t->fresh = known;
		t->start = set_up ? NULL : start;
		t->met = 0;
		t->undo = false;
		/* what was expected before the last answer was looked at then */
		f->session.replaying = known->die.n > 0;
		enum vm_status s = set_up ? vm_set_up(f->vm) : vm_step(f->vm);
		f->session.replaying = false;
		t->fresh = NULL;
		t->known = NULL;
		t->start = NULL;
		if (s != VM_INTERRUPTED || !t->undo) {
			if (before)
				*before = start;
			else
				free(start);
			return s;
		}
		f->tally = tally;
		f->run_sink.errors = errors;
		vm_restore(f->vm, start);
		free(start);
		f->told = vm_trace(f->vm)->n;
		if (!take_back(t, set_up, known))
			fray_write(f, FRAY_PLAIN, "There is no answer to take back.\n");
	}
}
