/* scenes.c - encounters and policies: the items of a block, what odds ask, the lines of a policy.
 * */
#include <string.h>

#include "lang/check/lost.h"
#include "lang/check/scene.h"

/* ---- items of an encounter ---- */

enum { SCENE_ITEMS = 10000, COUNT_DIGITS = 18 };

/* "sdie party": the name with its first word put right, if that is nearly `wanted`; else NULL. */
static const char *near_word(const struct model *m, sym name, const char *wanted)
{
	const char *text = model_text(m, name), *rest = strchr(text, ' ');
	if (!rest)
		return strcmp(text, "sides") ? NULL : "side party";
	char *first = arena_text(m->arena, text, (size_t)(rest - text));
	if (!diag_nearest(first, &wanted, 1))
		return NULL;
	struct buf b = {0};
	buf_printf(&b, "%s%s", wanted, rest);
	const char *right = arena_text(m->arena, buf_text(&b), b.length);
	buf_free(&b);
	return right;
}

/* A broken line that may have said who is there. */
static bool side_broken(const struct model *m, const struct node *items)
{
	for (const struct node *n = items; n; n = n->next) {
		size_t length;
		const char *text = n->kind == N_KIND_NOTHING ? sources_text(m->front->sources, n->span, &length) : NULL;
		if ((text && length >= 4 && !strncmp(text, "side", 4)) ||
			(text &&
				model_thing(m, intern_find(m->front->names, text, length), KIND_COMBATANT) >= 0) ||
			(n->kind == N_KIND_SIDE && n->damaged))
			return true;
		for (const struct node *x = n->kind == N_KIND_SIDE ? n->a : NULL; x; x = x->next) { /* a count too big to be one */
			text = sources_text(m->front->sources, x->span, &length);
			if (strspn(text, "0123456789") > COUNT_DIGITS)
				return true;
		}
		if (n->kind == N_KIND_D_FIELD && model_field(m, KIND_ENCOUNTER, n->name) < 0 &&
			(near_word(m, n->name, "side") || names_people(m, n)))
			return true;
	}
	return false;
}

int policy_named(struct model *m, const struct node *n)
{
	for (int i = 0; i < m->policy.n; i++)
		if (m->policy.v[i].name == n->name)
			return i;
	VEC(const char *) names = {0};
	for (int i = 0; i < m->policy.n; i++)
		VEC_PUSH(names, model_text(m, m->policy.v[i].name));
	const char *said = model_text(m, n->name);
	const char *best =
		diag_nearest(strncmp(said, "policy ", strlen("policy ")) ? said : said + strlen("policy "),
			names.v, names.n);
	struct buf listed = {0};
	if (names.n) {
		buf_puts(&listed, "There are: ");
		diag_list(names.v, names.n, NULL, 12, &listed);
		buf_puts(&listed, ". ");
	}
	buf_printf(&listed, "To make one, write: policy %s { attack my nearest enemy }", said);
	model_report(m, best ? M_NO_POLICY_NEAR : M_NO_POLICY, n->at, 2, said,
		best ? best : buf_text(&listed));
	buf_free(&listed);
	VEC_FREE(names);
	return -1;
}

static void infer_items(struct scope *s, struct node *list, const struct node *block);

static struct node *named(struct model *m, struct span at, sym name)
{
	struct node *n = node_new(m->arena, N_KIND_E_NAME, at);
	n->at = at;
	n->name = name;
	return n;
}

static struct node *field_of(struct model *m, struct span at, struct node *owner, sym field)
{
	struct node *n = node_new(m->arena, N_KIND_E_FIELD, at);
	n->at = at;
	n->a = owner;
	n->name = field;
	return n;
}

/* What a line in a block writes to, and for whom. */
struct edited {
	struct node *line, *owner; /* owner NULL: the encounter */
	bool group, side;          /* each of several; the members of a side */
	struct span at;
};

static bool makes_things(const struct model *m, struct type *t, const struct node *values)
{
	struct type *elem = t->elem ? type_find(t->elem) : t;
	for (const struct node *v = values; v; v = v->next)
		if (v->b)
			return true;
	return t->base == VT_SET && elem->base == VT_LIVE && kind_borne(m, elem->kind);
}

/* "each of them" with this statement about each: those of a set, or the members of a side. */
static struct node *for_each(
	struct model *m, struct span at, struct node *those, bool side, struct node *statement)
{
	struct node *each = node_new(m->arena, N_KIND_S_EACH, at),
				*body = node_new(m->arena, N_KIND_S_BLOCK, at);
	each->at = at;
	each->name = model_sym(m, "each of them");
	each->a = side ? field_of(m, those->span, those, m->w.members) : those;
	each->b = body;
	body->a = statement;
	return each;
}

/* "orcs are stunned": a condition begins or ends for each of them. */
static void begins_for_each(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	struct node *call = n->a && n->a->kind == N_KIND_S_CALL && n->a->a->kind == N_KIND_E_CALL
		? n->a->a
		: NULL,
				*who = call ? call->b : NULL;
	if (!who || call->a->kind != N_KIND_E_NAME ||
		(call->a->name != m->w.befall && call->a->name != m->w.lapse))
		return;
	const struct type *t = type_find(infer(s, who, NULL));
	const bool side = t->base == VT_LIVE && t->kind == KIND_SIDE;
	if (!side && t->base != VT_SET)
		return;
	struct node *one = named(m, who->span, model_sym(m, "each of them"));
	struct node *rolled = who->next ? who->next->next : NULL;
	if (rolled && rolled->kind == N_KIND_E_ROLL && rolled->b) /* each by a die of his own */
		rolled->b = named(m, who->span, one->name);
	one->next = who->next;
	who->next = NULL;
	call->b = one;
	n->a = for_each(m, n->span, who, side, n->a);
}

/* The statement that gives the field one value, or a list all of them. */
static struct node *set_of(struct model *m, const struct edited *e, sym field, struct node *value, struct node *values)
{
	struct node *set = node_new(m->arena, N_KIND_S_SET, e->line->span), *owner = e->owner ? e->owner : named(m, e->line->at, m->w.encounter);
	sym one = model_sym(m, "each of them");
	set->b = value;
	set->c = values;
	set->role = DOOR_LINE;
	set->a = field_of(m, e->at, e->group ? named(m, owner->span, one) : owner, field);
	foresee_written(m, set);
	if (!e->group)
		return set;
	return for_each(m, e->line->span, owner, e->side, set);
}

/* "distance: 40 ft", "orcs' armour class: 4" in a block are said of a fight in progress: they set
 * it, for each of a group; several values fill a list, or further fields. What is wrong is left
 * as it stands, to be reported as in an encounter. */
static void set_in_block(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	bool own = n->kind == N_KIND_D_FIELD;
	struct node *path = own ? NULL : n->a, *values = own ? n->a : n->b, *edits = NULL;
	if (!own && path->kind != N_KIND_E_FIELD)
		return; /* reported below */
	sym field = own ? n->name : path->name;
	struct type *t = own ? NULL : type_find(infer(s, path->a, NULL));
	bool side = t && t->base == VT_LIVE && t->kind == KIND_SIDE && model_field(m, KIND_SIDE, field) < 0;
	struct edited e = {n, own ? NULL : path->a, side || (t && t->base == VT_SET), side, own ? n->at : path->span};
	int f = model_field(m, own ? KIND_ENCOUNTER : t->base == VT_LIVE && !side ? t->kind : KIND_COMBATANT, field);
	struct type *type = f < 0 ? NULL : type_find(m->field.v[f].type);
	if (!type || m->field.v[f].kept)
		return;
	if (makes_things(m, type, values)) {
		size_t length;
		const char *text = sources_text(m->front->sources, e.at, &length);
		struct buf b = {0};
		buf_puts(&b, own ? "encounter's " : "");
		buf_add(&b, text, length);
		model_report(m, M_LIST_IN_BLOCK, n->span, 1, arena_text(m->arena, b.data, b.length));
		buf_free(&b);
		return;
	}
	bool list = type->base == VT_LIST || type->base == VT_SET;
	int nth = 0;
	for (struct node *v = list ? NULL : values; v; v = v->next) {
		int to = v->kind == N_KIND_V_PLAIN || v->kind == N_KIND_V_VERSUS ? field_of_value(m, f, nth, v) : -1;
		if (to < 0)
			return;
		nth += v->kind == N_KIND_V_PLAIN;
		edits = node_append(edits, set_of(m, &e, to == f ? field : m->field.v[to].name, v->a, NULL));
	}
	if (list)
		edits = set_of(m, &e, field, NULL, values);
	n->kind = N_KIND_N_EDIT;
	n->a = edits;
	n->b = NULL;
}

bool scene_leaving(const struct model *m, const struct node *n)
{
	int event = n->name == m->w.leave ? model_event(m, n->name) : -1;
	return event >= 0 && !m->event.v[event].action && n->a && !n->b && !n->c && !n->d && !n->e && !n->f;
}

/* A module used in mid-fight is read aside; a whole system is not. */
static void infer_use(struct model *m, const struct node *n, const struct node *block)
{
	if (!block || block->name != m->w.beat) {
		if (n->name || n->a)
			model_report(m, M_USE_INSIDE, n->span, 0);
		else if (block)
			model_report(m, M_OPTION_IN_BLOCK, n->span, 0);
		return;
	}
	for (const struct node *x = n; x; x = x == n ? n->a : x->next) {
		bool known = !x->name;
		for (int i = 0; i < m->module.n && !known; i++)
			known = m->module.v[i].name == x->name;
		if (!known)
			model_report(m, M_TOO_LATE, x->span, 1, model_text(m, x->name));
	}
}

/* `block`: the block it stands in, or NULL. */
static void infer_item(struct scope *s, struct node *n, const struct node *block)
{
	struct model *m = s->m;
	int vars = s->vars;
	if (block && (n->kind == N_KIND_D_FIELD || n->kind == N_KIND_N_OVERRIDE))
		set_in_block(s, n);
	switch (n->kind) {
	case N_KIND_SIDE:
		break;
	case N_KIND_D_FIELD: {
		int f = model_field(m, KIND_ENCOUNTER, n->name);
		/* a side that is there already is told so in a branch */
		const bool there = model_side(m, model_alias(m, n->name)) >= 0;
		if (f < 0 && !there && !near_word(m, n->name, "side") && names_people(m, n)) {
			report_side_word(m, n);
			break;
		}
		if (f < 0 && (report_name_colon(m, n) || (!there && report_sides_line(m, n))))
			break;
		if (f < 0) {
			VEC(const char *) names = {0};
			for (int i = 0; i < m->field.n; i++)
				if (m->field.v[i].kind == KIND_ENCOUNTER && !m->field.v[i].hidden && !m->field.v[i].kept)
					VEC_PUSH(names, model_text(m, m->field.v[i].name));
			const char *best = diag_nearest(model_text(m, n->name), names.v, names.n);
			if (!best)
				best = near_word(m, n->name, "side");
			report_no_field(m, n->at, n->name, KIND_ENCOUNTER, best);
			VEC_FREE(names);
			break;
		}
		infer_values(s, f, n->at, n->role ? (enum door)n->role : DOOR_LINE, n->a);
		n->ref = f;
		break;
	}
	case N_KIND_N_OVERRIDE: {
		struct node *path = n->a;
		if (path->kind != N_KIND_E_FIELD) {
			model_report(m, M_NOT_A_PLACE, path->span, 0);
			break;
		}
		struct type *t = type_find(infer(s, path->a, NULL));
		if (t->base != VT_LIVE || !kind_borne(m, t->kind)) /* "Rolf's sword's number: 16" is fine too */
			infer_subjects(s, path->a);
		/* "orcs' surprises: 3": each of them, unless the side itself has the field */
		int kind = t->base == VT_LIVE ? t->kind : KIND_COMBATANT;
		int f = model_field(m, kind, path->name);
		if (f < 0 && kind == KIND_SIDE)
			f = model_field(m, KIND_COMBATANT, path->name);
		if (f < 0 && report_option_of_all(m, path))
			break;
		if (f < 0) {
			VEC(const char *) names = {0};
			for (int i = 0; i < m->field.n; i++)
				if ((m->field.v[i].kind == kind || m->field.v[i].kind == KIND_COMBATANT) && !m->field.v[i].hidden && !m->field.v[i].kept)
					VEC_PUSH(names, model_text(m, m->field.v[i].name));
			const char *best = diag_nearest(model_text(m, path->name), names.v, names.n);
			report_no_field(m, path->at, path->name, kind, best);
			VEC_FREE(names);
			break;
		}
		n->ref = f;
		infer_values(s, f, path->span, n->role ? (enum door)n->role : DOOR_LINE, n->b);
		if (!n->role)
			check_rolled_line(m, path, n->b, block);
		break;
	}
	case N_KIND_N_EDIT:
	case N_KIND_N_REFEREE:
		s->pure = false;
		begins_for_each(s, n);
		infer_block(s, n->a);
		for (const struct node *e = m->reporting ? n->a : NULL; e; e = e->next)
			check_rolled_edit(m, e, block);
		for (struct node *e = m->reporting && block ? n->a : NULL; e; e = e->next)
			warn_instead(m, e);
		break;
	case N_KIND_N_SAY:
		s->pure = true;
		if (!scene_leaving(m, n)) {
			infer_line(s, n, n->a);
			part_turns(m, n);
			break;
		}
		n->kind = N_KIND_N_LEAVE;
		/* fallthrough */
	case N_KIND_N_LEAVE:
		infer_subjects(s, n->a);
		break;
	case N_KIND_N_FOLLOWS: {
		infer_subjects(s, n->a);
		n->ref = policy_named(m, n);
		if (n->c)
			infer(s, n->c, type_new(m, VT_BOOL, -1));
		break;
	}
	case N_KIND_N_DICE:
		infer_forced(s, n);
		break;
	case N_KIND_N_CHOICES:
		infer_choices(s, n);
		break;
	case N_KIND_N_EXPECT_SAY: {
		if (n->op == SAID_ORDER) {
			for (struct node *each = n->e; each; each = each->next)
				infer_expect_say(s, each);
			break;
		}
		struct node *is = adjective_said(m, n);
		if (!is) {
			if (n->op != SAID_HAPPENS)
				infer_expect_end(s, n);
			else
				infer_expect_say(s, n);
			break;
		}
		n->kind = N_KIND_N_EXPECT;
		n->a = is;
		n->num &= 2;
	} /* fallthrough */
	case N_KIND_N_EXPECT:
	case N_KIND_N_UNTIL: {
		if (n->kind == N_KIND_N_EXPECT)
			expect_end(m, n);
		if (n->kind == N_KIND_N_EXPECT_SAY) {
			infer_expect_end(s, n);
			break;
		}
		if (n->text) {
			model_report(m, M_REASON_OF_WHAT, n->span, 0);
			break;
		}
		s->pure = true;
		if (m->reporting && n->kind == N_KIND_N_EXPECT && n->a->kind == N_KIND_E_BINARY && n->a->b->kind == N_KIND_E_PERCENT && n->a->a->kind == N_KIND_E_NAME && report_question(m, n->span))
			break;
		want_type(s, n->a, bool_type(s), M_NOT_YES_NO);
		break;
	}
	case N_KIND_MOMENT:
		if (block)
			report_block_inside(m, n);
		if (n->name != m->w.round && n->name != m->w.beat && model_field(m, KIND_ENCOUNTER, n->name) < 0) {
			report_no_moment(m, n, NULL);
		}
		if (n->name == m->w.round && n->num < 1)
			model_report(m, M_ROUND_NONE, n->at.file ? n->at : n->span, 0);
		infer_items(s, n->a, n);
		break;
	case N_KIND_N_OPTION: {
		int o = model_option(m, n->name);
		n->ref = o;
		if (o < 0)
			report_no_option(m, n, n->name);
		else if (block && block->name != m->w.beat)
			model_report(m, M_OPTION_IN_BLOCK, n->span, 0);
		break;
	}
	case N_KIND_N_JOIN:
		break;
	case N_KIND_USE:
		infer_use(m, n, block);
		break;
	default:
		break;
	}
	s->vars = vars;
}

static void infer_items(struct scope *s, struct node *list, const struct node *block)
{
	for (struct node *n = list; n; n = n->next)
		if (!n->damaged)
			infer_item(s, n, block);
}

static int count_items(const struct node *list)
{
	int n = 0;
	for (; list; list = list->next)
		n += 1 + (list->kind == N_KIND_MOMENT ? count_items(list->a) : 0);
	return n;
}

/* Things of this kind are named in sentences: some action takes one. A class, say, is not. */
static bool kind_said(const struct model *m, int kind)
{
	for (int i = 0; i < m->event.n; i++)
		for (int k = 0; k < m->event.v[i].roles && m->event.v[i].action; k++) {
			const struct type *t = type_find(m->event.v[i].role[k].type);
			if ((t->base == VT_THING || t->base == VT_LIVE) && t->kind >= 0 && kind_root(m, t->kind) == kind)
				return true;
		}
	return false;
}

/* The sort of thing, no combatant, that is called so; NULL: there is none. */
static const char *thing_called(const struct model *m, sym name)
{
	int found = -1;
	for (int i = model_things_named(m, name); i >= 0; i = m->thing.v[i].same)
		if (kind_root(m, m->thing.v[i].kind) != KIND_COMBATANT && kind_said(m, kind_root(m, m->thing.v[i].kind)))
			found = i; /* the first declared is the last met */
	return found < 0 ? NULL : model_text(m, m->kind.v[m->thing.v[found].kind].name);
}

/* A name that is two things: where it stands alone, nobody knows which is meant. */
static void check_two_things(struct model *m)
{
	for (int i = 0; i < m->side.n; i++) {
		const struct mside *side = &m->side.v[i];
		const char *other = model_live(m, side->name) >= 0 ? "combatant" : thing_called(m, side->name);
		if (other)
			model_report(m, M_SIDE_IS_TWO, side->node->at, 2, model_text(m, side->name), other);
	}
	for (int i = 0; i < m->live.n; i++) {
		const struct mlive *live = &m->live.v[i];
		const char *other = thing_called(m, live->name);
		if (other && live->thing >= 0)
			model_report(m, M_ONE_IS_TWO, m->thing.v[live->thing].node->at, 2, model_text(m, live->name), other);
	}
}

void infer_scene(struct model *m, int encounter)
{
	struct scope s;
	const struct node *scene = m->encounter.v[encounter].node;
	if (count_items(scene->a) > SCENE_ITEMS) {
		model_report(m, M_SCENE_LONG, scene->at, 0);
		return;
	}
	bool reporting = m->reporting;
	scene_enter(m, encounter);
	m->crowd_unsure |= side_broken(m, m->encounter.v[encounter].node->a);
	scope_init(&s, m);
	s.scene = true;
	s.pure = true;
	/* its rules first: dice and choices said beforehand may be theirs */
	for (int c = m->encounter.v[encounter].first_clause; c < m->encounter.v[encounter].clauses_end; c++)
		infer_clause(m, c);
	infer_items(&s, m->encounter.v[encounter].node->a, NULL);
	if (m->reporting)
		check_two_things(m);
	if (m->side.n == 0 && reporting)
		model_report(m, M_NO_SIDES, m->encounter.v[encounter].node->at, 1, model_text(m, m->encounter.v[encounter].name));
	scene_leave(m);
}
