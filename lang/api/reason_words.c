/* reason_words.c - sentences of the script with the names put in, and what they come to in a world that the fight went through. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lang/api/reason.h"
#include "lang/api/session.h"
#include "runtime/explain/sum.h"
#include "runtime/world/block.h"

/* ---- names ---- */

void names_bind(struct names *b, sym name, int kind, word live)
{
	if (name && b->n < BOUND_MOST && live != NONE)
		b->at[b->n++] = (struct bound){name, kind, live};
}

static const struct bound *bound_of(const struct names *b, sym name)
{
	for (int i = b->n - 1; i >= 0 && name; i--)
		if (b->at[i].name == name)
			return &b->at[i];
	return NULL;
}

struct node *reason_put(struct fray *f, const struct node *n, const struct names *b)
{
	if (!n)
		return NULL;
	struct node *copy = node_new(&f->arena, n->kind, n->span);
	copy->op = n->op;
	copy->name = n->name;
	copy->name2 = n->name2;
	copy->at = n->at;
	copy->num = n->num;
	copy->den = n->den;
	copy->text = n->text;
	const struct bound *x = n->kind == N_KIND_E_NAME ? bound_of(b, n->name) : NULL;
	/* an act has no name that could be put in */
	if (x && x->kind != KIND_ACT && f->program->live[x->kind] &&
		x->live < f->program->lives[x->kind] && f->program->live[x->kind][x->live].name)
		copy->name = intern_word(f->names, f->program->live[x->kind][x->live].name);
	struct node *const from[] = {n->a, n->b, n->c, n->d, n->e, n->f};
	struct node **const to[] = {&copy->a, &copy->b, &copy->c, &copy->d, &copy->e, &copy->f};
	for (int i = 0; i < 6; i++) {
		struct node **end = to[i];
		for (const struct node *k = from[i]; k; k = k->next) {
			*end = reason_put(f, k, b);
			end = &(*end)->next;
		}
	}
	return copy;
}

void reason_owner(const struct program *p, int kind, word live, struct buf *out)
{
	program_owner(p, kind, live, out);
}

static bool part_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* A name of the clause at this place of its text; its length in *n. "my" is the owner's form of "me". */
static const struct bound *name_here(struct fray *f, const struct names *b, const char *text, size_t left, size_t *n, bool *owns)
{
	for (int i = 0; i < b->n; i++) {
		const char *name = model_text(&f->model, b->at[i].name);
		size_t length = strlen(name);
		if (length <= left && !strncmp(text, name, length) && (length == left || !part_of_word(text[length]))) {
			*owns = length + 1 < left && text[length] == '\'' && text[length + 1] == 's';
			*n = length + (*owns ? 2 : 0);
			return &b->at[i];
		}
		if (!strcmp(name, "me") && left >= 2 && !strncmp(text, "my", 2) && (left == 2 || !part_of_word(text[2]))) {
			*owns = true;
			*n = 2;
			return &b->at[i];
		}
	}
	return NULL;
}

void reason_text(struct fray *f, const struct node *node, const struct names *b, struct buf *out)
{
	size_t length, n;
	const char *text = sources_text(&f->sources, node->span, &length);
	bool blank = false, inside = false, owns;
	if (!node->span.file && node->kind == N_KIND_E_NAME) /* nobody wrote it */
		buf_puts(out, model_text(&f->model, node->name));
	for (size_t i = 0; i < length;) {
		if (isspace((unsigned char)text[i])) {
			blank = true;
			i++;
			inside = false;
			continue;
		}
		if (blank)
			buf_putc(out, ' ');
		blank = false;
		const struct bound *x = inside ? NULL : name_here(f, b, text + i, length - i, &n, &owns);
		if (x) {
			(owns ? program_owner : program_live)(f->program, x->kind, x->live, out);
			i += n;
			inside = false;
			continue;
		}
		inside = part_of_word(text[i]);
		buf_putc(out, text[i++]);
	}
}

/* ---- what it comes to ---- */

bool reason_worth(struct fray *f, struct node *n, bool record, struct probe *p)
{
	struct diag_sink kept = f->sink, run = f->run_sink;
	const bool reporting = f->model.reporting;
	const int said = f->model.said.n, unknown = f->model.unknown.n;
	f->sink.report = say_nothing;
	bool ok = probe_open(f, n, record, p);
	f->sink = kept;
	f->run_sink = run;
	f->model.reporting = reporting;
	f->model.said.n = said;
	f->model.unknown.n = unknown;
	return ok;
}

void reason_close(struct fray *f, struct probe *p, int32_t mark)
{
	probe_close_to(f, p, mark);
}

bool reason_can(struct fray *f, const struct node *n)
{
	const struct names nobody = {.n = 0};
	const int32_t mark = vm_trace(f->vm)->n;
	struct probe p;
	const bool can = reason_worth(f, reason_put(f, n, &nobody), false, &p);
	reason_close(f, &p, mark);
	return can;
}

bool reason_holds(struct fray *f, struct node *n, bool *holds)
{
	struct probe p;
	const int32_t mark = vm_trace(f->vm)->n;
	bool ok = reason_worth(f, n, false, &p) && p.type.base == VT_BOOL;
	*holds = ok && p.value[0] != 0 && p.value[0] != NONE;
	reason_close(f, &p, mark);
	return ok;
}

bool reason_value_text(struct fray *f, struct node *n, struct buf *out)
{
	struct probe p;
	const int32_t mark = vm_trace(f->vm)->n;
	bool ok = reason_worth(f, n, false, &p);
	if (ok)
		program_values(p.program, p.type, p.value, p.words, out);
	reason_close(f, &p, mark);
	return ok;
}

/* ---- the past ---- */

/* Stands in a world with all that the log has, the records of questions behind the fight's own
 * included. */
static void stand_in(struct fray *f, word *world, word fight)
{
	world[H_TRACE] = vm_trace(f->vm)->n;
	vm_restore(f->vm, world);
	vm_block(f->vm)[H_TRACE] = fight;
}

bool reason_go(struct fray *f, int32_t before, struct visit *v)
{
	v->present = NULL;
	if (!session_is_open(f) || f->session.pasts.beat.n != session_beats(f))
		return false;
	const int beats = session_beats(f);
	for (int back = 0; back <= beats; back++) {
		word *world = session_world_before(f, back);
		if (world[H_TRACE] > before) {
			free(world);
			continue;
		}
		v->present = session_world(f);
		v->records = (int32_t)world[H_TRACE];
		stand_in(f, world, v->present[H_TRACE]);
		free(world);
		return true;
	}
	return false;
}

bool reason_go_to(struct fray *f, int32_t record, struct visit *v)
{
	const struct trace *t = vm_trace(f->vm);
	if (!reason_go(f, record, v))
		return false;
	word *world = vm_block(f->vm);
	for (int32_t i = v->records; i < record; i++) {
		const struct record *c = trace_get(t, i);
		if (c->kind != REC_CHANGE || c->dropped || c->what < 0)
			continue;
		if (c->flag == 1) {
			const struct pair_info *x = &f->program->pair[c->what];
			const uint32_t one = (uint32_t)c->owner,
				       other = (uint32_t)trace_values_at(t, c)[1];
			const bool swap = !x->directed && one > other; /* the lesser first */
			world[x->base + (swap ? other : one) * x->side + (swap ? one : other)] =
				c->value;
			continue;
		}
		const struct field_info *x = &f->program->field[c->what];
		if (x->words == 1)
			world[x->base + (uint32_t)c->owner * x->stride] = c->value;
	}
	return true;
}

int32_t reason_go_back(struct fray *f, int back, struct visit *v)
{
	v->present = NULL;
	if (!session_is_open(f) || f->session.pasts.beat.n != session_beats(f) ||
		back > session_beats(f))
		return -1;
	word *world = session_world_before(f, back);
	const int32_t to = (int32_t)world[H_TRACE];
	v->present = session_world(f);
	stand_in(f, world, v->present[H_TRACE]);
	free(world);
	return to;
}

void reason_back(struct fray *f, struct visit *v)
{
	if (v->present)
		stand_in(f, v->present, v->present[H_TRACE]);
	free(v->present);
	v->present = NULL;
}

struct node *reason_said_of(struct fray *f, int kind, word live, const char *state)
{
	const struct span nowhere = {0};
	struct node *is = node_new(&f->arena, N_KIND_E_IS, nowhere);
	is->a = node_new(&f->arena, N_KIND_E_NAME, nowhere);
	is->a->name = intern_word(f->names, f->program->live[kind][live].name);
	is->b = node_new(&f->arena, N_KIND_E_NAME, nowhere);
	is->b->name = intern_word(f->names, state);
	return is;
}

bool reason_able(struct fray *f, word who)
{
	bool able;
	return !reason_holds(f, reason_said_of(f, KIND_COMBATANT, who, "able"), &able) || able;
}

/* ---- events ---- */

enum { CARRIED_MOST = 16 };

/* The combatant that brought a record about, going up from it: the first who is not the one it befell. */
static word doer(const struct log *l, int32_t record)
{
	const struct record *r = log_at(l, record);
	const word befell = r->kind == REC_CHANGE && r->flag != 1 && r->what >= 0 && l->p->field[r->what].kind == KIND_COMBATANT ? r->owner : NONE;
	for (int32_t i = r->parent; befell != NONE && i >= 0; i = log_at(l, i)->parent) {
		const struct record *e = log_at(l, i);
		const word who = e->kind == REC_EVENT ? log_actor(l, e) : NONE;
		if (who != NONE && who != befell)
			return who;
	}
	return NONE;
}

/* The nearest event that tells in a sentence what its doer did ("Ann's sleep was complete"); else
 * the act, as the outermost event of its number; what somebody else did in the course of it, as
 * his; else the nearest event that was told; else the nearest. */
int32_t reason_deed(const struct log *l, int32_t record)
{
	const int32_t act = log_at(l, record)->act;
	const word by = doer(l, record);
	int32_t own = -1, told = -1, nearest = -1, his = -1, sentence = -1;
	bool of_his = true;
	for (int32_t i = log_at(l, record)->kind == REC_EVENT ? record : log_at(l, record)->parent; i >= 0; i = log_at(l, i)->parent) {
		const struct record *r = log_at(l, i);
		if (r->kind != REC_EVENT)
			continue;
		const bool news = r->text >= 0 || (r->what >= 0 && l->p->event[r->what].action);
		size_t subject, verb;
		if (sentence < 0 && r->text >= 0 && !l->p->event[r->what].action &&
			by != NONE && log_actor(l, r) == by &&
			english_split(l->p, trace_text_at(l->t, r->text), &subject, &verb))
			sentence = i;
		if (act >= 0 && r->act == act && news) {
			own = i;
			of_his = by == NONE || log_actor(l, r) == by;
		}
		/* "strike", not "charge blow" */
		if (by != NONE && log_actor(l, r) == by && r->act == act && (news || !strchr(l->p->event[r->what].name, ' ')))
			his = i;
		if (told < 0 && news)
			told = i;
		if (nearest < 0)
			nearest = i;
	}
	if (sentence >= 0)
		return sentence;
	if (!of_his && his >= 0)
		return his;
	if (own < 0 && (told < 0 || !reason_is_told(l, told)) && log_at(l, record)->kind == REC_CHANGE) {
		/* set at the end of a moment to what was gathered in the course of it */
		int32_t from[CARRIED_MOST];
		if (event_carried(l, record, from, CARRIED_MOST) > 0)
			return reason_deed(l, from[0]);
	}
	return own >= 0 ? own : told >= 0 ? told : nearest;
}

/* The roll of a side of a comparison; -1. */
static int32_t side_roll(const struct log *l, int32_t record, const struct side *side)
{
	for (int i = 0; i < side->n; i++) {
		const int32_t roll = sum_roll(l, record, &side->part[i]);
		if (roll >= 0)
			return roll;
	}
	return -1;
}

void reason_compared(const struct log *l, int32_t record, struct buf *out)
{
	struct sum s;
	if (record < 0 || !sum_read(l, record, &s))
		return;
	int32_t roll = side_roll(l, record, &s.left);
	roll = roll >= 0 ? roll : side_roll(l, record, &s.right);
	if (roll >= 0) {
		log_label(l, log_at(l, roll), out);
		buf_putc(out, ' ');
	}
	sum_compared(l, &s, out);
}

bool reason_befalls(const struct log *l, int32_t event, int kind, word thing)
{
	const struct record *r = event >= 0 ? log_at(l, event) : NULL;
	if (!r || r->kind != REC_EVENT)
		return false;
	for (int i = 0; i < l->p->event[r->what].roles; i++) {
		const struct role_info *role = &l->p->event[r->what].role[i];
		const word *value = role->type.base == VT_LIVE && role->type.kind == kind ? log_role(l, r, i) : NULL;
		if (value && *value == thing)
			return true;
	}
	return false;
}

bool reason_is_told(const struct log *l, int32_t deed)
{
	const struct record *r = log_at(l, deed);
	struct vtype type;
	const word *target;
	const bool acts = r->what >= 0 && log_actor(l, r) != NONE && (l->p->event[r->what].action || log_target(l, r, &type, &target));
	return r->text >= 0 || acts;
}

void reason_deed_text(const struct log *l, int32_t record, struct buf *out)
{
	const int32_t deed = reason_deed(l, record);
	if (deed >= 0 && reason_is_told(l, deed)) {
		english_event(l, deed, MOOD_DID, out);
		return;
	}
	const int32_t clause = log_at(l, record)->clause;
	if (clause >= 0)
		buf_printf(out, "the rule \"%s\" said so", l->p->clause[clause].rule);
	else
		buf_puts(out, "the referee said so");
}

void reason_when(const struct log *l, int32_t record, struct buf *out)
{
	struct buf b = {0};
	if (answer_when(l, record, &b))
		buf_printf(out, " in %s", buf_text(&b));
	else
		buf_puts(out, " before the first round");
	buf_free(&b);
}

bool reason_plural(const char *name)
{
	size_t n = strlen(name);
	return n > 2 && name[n - 1] == 's' && name[n - 2] != 's' && name[n - 2] != 'u';
}
