/* rolled.c - what a script states and rules set themselves before anybody acts by it: dice, and
 * what follows from dice.
 *
 * A field is looked for among what is done in a phase of the encounter or of every round, and in
 * the events that such a phase performs. A die may fall under a condition (who rolls apart); what
 * is worked out counts only where it is so for all of the kind. Where a rule asks whether the field
 * is stated, or what it holds before it sets it, the fact matters and nothing is said. */
#include <string.h>

#include "lang/check/scene.h"

enum { CALLS_DEEP = 4, ASKED_DEEP = 4 };

/* How rules set a field: the value, and the clause of the phase. */
struct setting {
	struct model *m;
	int field;
	bool round;                /* in every round; else once, before the first */
	bool perhaps;              /* under a condition */
	bool asked;                /* it is read on the way there, or asked whether it is stated */
	const struct node *value;
	const struct mclause *by;
	int deep;
};

static int stored(const struct model *m, const struct node *n)
{
	switch (n->ref_kind) {
	case REF_FIELD: case REF_FLAG: case REF_FIELD_OF_ENCOUNTER:
		return n->ref;
	case REF_QUESTION: case REF_ADJECTIVE:
		return n->ref >= 0 ? m->question.v[n->ref].field : -1;
	default:
		return -1;
	}
}

/* Whether a part of the tree reads the field: not where it is the one that is set. */
static bool reads(const struct model *m, const struct node *n, int field)
{
	for (; n; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		const bool sets = n->kind == N_KIND_S_SET && n->a->kind == N_KIND_E_FIELD;
		if (!sets && stored(m, n) == field)
			return true;
		if (sets && reads(m, n->a->a, field))
			return true;
		for (int i = sets; i < 6; i++)
			if (kids[i] && reads(m, kids[i], field))
				return true;
	}
	return false;
}

/* Whether what is read is done: perhaps; surely; surely, and for all of the kind. */
enum sure { PERHAPS, SURELY, FOR_ALL };

static void find_in(struct setting *s, const struct node *n, enum sure sure);

static void find_called(struct setting *s, int event)
{
	const struct mevent *e = &s->m->event.v[event];
	if (s->deep == CALLS_DEEP || e->action)
		return;
	s->deep++;
	for (int stage = 0; stage < 4 && !s->value; stage++)
		for (int i = 0; i < e->clause[stage].n && !s->value; i++)
			if (s->m->clause.v[e->clause[stage].v[i]].in_force)
				find_in(s, s->m->clause.v[e->clause[stage].v[i]].node->b, PERHAPS);
	s->deep--;
}

static bool is_setting(const struct setting *s, const struct node *n, enum sure sure)
{
	if (!n->b || n->a->kind != N_KIND_E_FIELD || stored(s->m, n->a) != s->field)
		return false;
	if (reads(s->m, n->b, s->field))
		return false;
	return n->b->kind == N_KIND_E_ROLL || (sure == FOR_ALL && !s->round);
}

static void find_in(struct setting *s, const struct node *n, enum sure sure)
{
	for (; n && !s->value; n = n->next) {
		switch (n->kind) {
		case N_KIND_S_SET:
			if (is_setting(s, n, sure)) {
				s->value = n->b;
				s->perhaps = sure != FOR_ALL;
			}
			break;
		case N_KIND_S_EACH:
			s->asked |= n->c && reads(s->m, n->c, s->field);
			find_in(s, n->b, sure == SURELY && !n->a && !n->c ? FOR_ALL : PERHAPS);
			break;
		case N_KIND_S_IF:
			s->asked |= reads(s->m, n->a, s->field);
			find_in(s, n->b, PERHAPS);
			find_in(s, n->c, PERHAPS);
			break;
		case N_KIND_S_BLOCK:
			find_in(s, n->a, sure);
			break;
		case N_KIND_S_REPEAT: case N_KIND_S_COUNT:
			find_in(s, n->b, PERHAPS);
			break;
		case N_KIND_S_CALL:
			if (n->a->ref_kind == REF_EVENT && n->a->ref >= 0)
				find_called(s, n->a->ref);
			break;
		default:
			break;
		}
	}
}

static bool in_sequence(const struct node *sequence, sym phase)
{
	for (const struct node *p = sequence ? sequence->a : NULL; p; p = p->next)
		if (p->name == phase)
			return true;
	return false;
}

/* Whether some rule in force asks if the field is stated. */
static bool asks_stated(const struct model *m, const struct node *n, int field)
{
	for (; n; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		if (n->kind == N_KIND_E_STATED && stored(m, n->a) == field)
			return true;
		for (int i = 0; i < 6; i++)
			if (kids[i] && asks_stated(m, kids[i], field))
				return true;
	}
	return false;
}

/* The first clause of a phase that sets the field, of those in force or of the others. */
static bool find_setting(struct setting *s, bool in_force)
{
	struct model *m = s->m;
	for (int c = 0; c < m->clause.n && !s->value; c++) {
		const struct mclause *x = &m->clause.v[c];
		if (!x->phase || x->in_force != in_force || x->node->kind != N_KIND_C_HOOK || x->encounter >= 0)
			continue;
		s->round = in_sequence(m->sequence_round, x->node->name);
		if (!s->round && !in_sequence(m->sequence_encounter, x->node->name))
			continue;
		s->asked = x->when && reads(m, x->when, s->field);
		s->by = x;
		find_in(s, x->node->b, x->when ? PERHAPS : SURELY);
	}
	for (int c = 0; c < m->clause.n && s->value && !s->asked; c++)
		if (m->clause.v[c].in_force)
			s->asked = asks_stated(m, m->clause.v[c].node->b, s->field) ||
				(m->clause.v[c].when && asks_stated(m, m->clause.v[c].when, s->field));
	return s->value && !s->asked;
}

/* The die that a value comes of: a field of the same owner that rules roll. */
static const struct node *die_behind(struct model *m, const struct node *n, int kind, int deep)
{
	for (; n && deep < ASKED_DEEP; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		const int field = stored(m, n), question = n->ref_kind == REF_QUESTION ? n->ref : -1;
		struct setting s = {.m = m, .field = field};
		const bool own = field >= 0 && m->field.v[field].kind == kind;
		if (own && find_setting(&s, true) && s.value->kind == N_KIND_E_ROLL)
			return s.value;
		const struct mquestion *q = question >= 0 ? &m->question.v[question] : NULL;
		for (int i = 0; q && q->subject == kind && i < q->clause.n; i++) {
			const struct mclause *x = &m->clause.v[q->clause.v[i]];
			const struct node *found = x->in_force ? die_behind(m, x->node->b, kind, deep + 1) : NULL;
			if (found)
				return found;
		}
		for (int i = 0; i < 6; i++) {
			const struct node *found = kids[i] ? die_behind(m, kids[i], kind, deep) : NULL;
			if (found)
				return found;
		}
	}
	return NULL;
}

/* "Ann's initiative 4": the die of whoever is meant. */
static void put_die(const struct model *m, const char *owner, const struct node *roll,
	const char *shows, struct buf *out)
{
	const size_t n = strlen(owner);
	const char *of = n && owner[n - 1] == 's' ? "'" : "'s";
	buf_printf(out, "%s%s %s %s", owner, of, model_text(m, roll->name), shows);
}

/* "initiative: individual": the option under which a rule is in force; false: it has none. */
static bool put_option(const struct model *m, const struct mclause *x, struct buf *out)
{
	const struct node *mod = x->rule >= 0 ? m->rule.v[x->rule].node->a : NULL;
	for (; mod; mod = mod->next) {
		if (mod->op != MOD_IF || mod->a->kind != N_KIND_E_IS)
			continue;
		size_t length;
		const char *text = sources_text(m->front->sources, mod->a->b->span, &length);
		buf_printf(out, "%s: ", model_text(m, mod->name));
		buf_add(out, text, length);
		return true;
	}
	return false;
}

/* Whether a rule in force reads it, or somebody at the table asks for it. */
static bool is_read(const struct model *m, int field)
{
	for (int c = 0; c < m->clause.n; c++) {
		const struct mclause *x = &m->clause.v[c];
		const struct node *n = x->node;
		/* what is answered, or a list of roles, is not read */
		const bool path = x->question >= 0 || n->kind == N_KIND_C_HOOK;
		const bool read = (x->when && reads(m, x->when, field)) || reads(m, n->b, field) ||
			(!path && reads(m, n->a, field));
		if (x->in_force && read)
			return true;
	}
	return false;
}

static bool may_choose(const struct model *m)
{
	for (int i = 0; i < m->encounter.n; i++)
		if (chooses_rules(m->encounter.v[i].node->a))
			return true;
	return false;
}

static void report_set(
	const struct setting *s, struct span at, const char *owner, const char *shows)
{
	struct model *m = s->m;
	const char *name = model_text(m, m->field.v[s->field].name);
	struct buf b = {0}, option = {0};
	if (!s->by->in_force) {
		const bool idle = s->value->kind == N_KIND_E_ROLL && !may_choose(m) && !is_read(m, s->field);
		if (idle && put_option(m, s->by, &option)) {
			put_die(m, owner, s->value, shows, &b);
			model_report(m, M_ROLLED_BY_OPTION, at, 3, name, buf_text(&option), buf_text(&b));
		}
	} else if (s->value->kind == N_KIND_E_ROLL) {
		put_die(m, owner, s->value, shows, &b);
		model_report(
			m, M_ROLLED_OVER, at, 3, name, buf_text(&b), s->perhaps ? ", where it falls" : "");
	} else {
		const struct node *die = die_behind(m, s->value, m->field.v[s->field].kind, 0);
		buf_puts(&b, "Take it away");
		if (die) {
			buf_puts(&b, ", and say what its die shows: dice: ");
			put_die(m, owner, die, "..", &b);
		}
		model_report(m, M_WORKED_OUT, at, 3, name, model_text(m, s->by->node->name), buf_text(&b));
	}
	buf_free(&b);
	buf_free(&option);
}

bool never_rolled(const struct model *m, int field)
{
	return field < m->never_sets && m->never_set[field] == m->layers;
}

static void note_never(struct model *m, int field)
{
	if (m->never_sets < m->field.n) {
		int *more = arena_array(m->arena, int, (size_t)m->field.n);
		if (m->never_sets)
			memcpy(more, m->never_set, (size_t)m->never_sets * sizeof *more);
		m->never_set = more;
		m->never_sets = m->field.n;
	}
	m->never_set[field] = m->layers;
}

/* Whether the field is one that a phase could set. */
static bool may_be_set(const struct model *m, const struct mfield *f)
{
	if (f->kept || f->noted || f->hidden || (f->kind != KIND_SIDE && f->kind != KIND_COMBATANT))
		return false;
	return f->name >= m->symbols || m->written[f->name];
}

void check_rolled(struct model *m, int field, struct span at, const char *owner,
	const struct node *value, const struct node *block)
{
	const struct mfield *f = &m->field.v[field];
	size_t length = 0;
	const char *text = value ? sources_text(m->front->sources, value->span, &length) : NULL;
	struct setting s = {.m = m, .field = field};
	if (!m->reporting || m->converted || never_rolled(m, field))
		return;
	if (!may_be_set(m, f)) {
		note_never(m, field);
		return;
	}
	if (!text)
		return;
	if (block && block->name != m->w.round)
		return;
	const bool found = find_setting(&s, true) || (!s.value && find_setting(&s, false));
	if (!s.value)
		note_never(m, field);
	if (found && (s.round || !block))
		report_set(&s, at, owner, arena_text(m->arena, text, length));
}

void check_rolled_line(
	struct model *m, const struct node *path, const struct node *value, const struct node *block)
{
	const struct node *owner = path->a;
	size_t length;
	const char *text = sources_text(m->front->sources, owner->span, &length);
	const bool name = owner->kind == N_KIND_E_NAME;
	const int side = name ? model_side(m, model_alias(m, owner->name)) : -1;
	int field = side < 0 ? -1 : model_field(m, KIND_SIDE, path->name);
	text = arena_text(m->arena, text, length);
	for (int i = 0; i < m->live.n && side >= 0 && field < 0; i++)
		if (m->live.v[i].side == side) { /* of its members it is told of the first */
			text = model_text(m, m->live.v[i].name);
			break;
		}
	field = field < 0 ? model_field(m, KIND_COMBATANT, path->name) : field;
	if (value && value->kind == N_KIND_V_PLAIN)
		value = value->a;
	if (field >= 0)
		check_rolled(m, field, path->span, text, value, block);
}

void check_rolled_edit(struct model *m, const struct node *n, const struct node *block)
{
	const struct node *inner = n->kind == N_KIND_S_EACH ? n->b
		: n->kind == N_KIND_S_BLOCK                     ? n->a
														: NULL;
	for (; inner; inner = inner->next)
		check_rolled_edit(m, inner, block);
	if (n->kind == N_KIND_S_SET && n->a->kind == N_KIND_E_FIELD && n->b)
		check_rolled_line(m, n->a, n->b, block);
}
