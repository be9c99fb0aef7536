/* scope.c - the names that fit at a place of a line, for Tab: who is in the fight, its forks, its
 * dice, what the rules have. */
#include <string.h>

#include "lang/api/session.h"
#include "stdlib/builtins.h"

struct out { void (*put)(void *to, const char *name); void *to; };

static void put(const struct out *o, const char *name)
{
	o->put(o->to, name);
}

static word side_of(const struct fray *f, int who)
{
	const struct program *p = f->program;
	return vm_block(f->vm)[p->field[p->at.combatant_side].base + (uint32_t)who * p->field[p->at.combatant_side].stride];
}

/* Whoever is there; the sides; and groups, by the plurals they are written with. */
static bool who(const struct fray *f, const struct out *o)
{
	const struct program *p = f->program;
	if (!f->vm)
		return false;
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++)
		if (side_of(f, i) != NONE)
			put(o, p->live[KIND_COMBATANT][i].name);
	for (int i = 0; i < p->lives[KIND_SIDE]; i++)
		put(o, p->live[KIND_SIDE][i].name);
	for (int i = 0; i < f->model.alias.n; i++) {
		const char *of = model_text(&f->model, f->model.alias.v[i].to);
		for (int k = 0; k < p->lives[KIND_COMBATANT]; k++)
			if (!strcmp(of, p->live[KIND_COMBATANT][k].name))
				put(o, model_text(&f->model, f->model.alias.v[i].from));
	}
	return true;
}

static bool sides(const struct fray *f, const struct out *o)
{
	for (int i = 0; f->vm && i < f->program->lives[KIND_SIDE]; i++)
		put(o, f->program->live[KIND_SIDE][i].name);
	return f->vm != NULL;
}

/* Dice: behind somebody's name those he rolls; else whoever rolls any, and the dice of nobody. */
static bool rolls(struct fray *f, sym owner, const struct out *o)
{
	const struct program *p = f->program;
	if (!f->vm)
		return false;
	owner = model_alias(&f->model, owner);
	bool side = false;
	for (int i = 0; i < p->lives[KIND_SIDE]; i++)
		side |= owner && intern_word(f->names, p->live[KIND_SIDE][i].name) == owner;
	for (int i = 0; i < f->model.label.n; i++) {
		const char *name = model_text(&f->model, f->model.label.v[i].name);
		int kind = KIND_COMBATANT; /* nobody has it yet who could roll it */
		for (int k = 0; k < p->labels; k++)
			if (!strcmp(p->label[k].name, name))
				kind = p->label[k].owner.base == VT_LIVE ? p->label[k].owner.kind : -1;
		if (owner ? kind == KIND_COMBATANT || (side && kind == KIND_SIDE) : kind != KIND_COMBATANT && kind != KIND_SIDE)
			put(o, name);
	}
	return owner || who(f, o);
}

static bool choices(const struct fray *f, const struct out *o)
{
	for (int i = 0; i < f->model.choice.n; i++)
		put(o, model_text(&f->model, f->model.choice.v[i].name));
	return true;
}

static bool rules(const struct fray *f, const struct out *o)
{
	for (int i = 0; i < f->model.rule.n; i++)
		if (rule_in_force(&f->model, i) || f->model.rule.v[i].off)
			put(o, model_text(&f->model, f->model.rule.v[i].name));
	return true;
}

static bool values(const struct fray *f, sym name, const struct out *o)
{
	int option = model_option(&f->model, name);
	const struct node *v = option < 0 ? NULL : f->model.option.v[option].node->a;
	for (; v; v = v->next) {
		size_t n;
		const char *text = sources_text(&f->sources, v->span, &n);
		put(o, arena_text((struct arena *)(uintptr_t)&f->arena, text, n));
	}
	return option >= 0;
}

/* Rulesets of the library; what else stands beside the script is not known here. */
static bool modules(struct fray *f, const struct out *o)
{
	for (unsigned long i = 0; i < fray_builtin_count; i++) {
		const char *slash = strchr(fray_builtins[i].name, '/');
		size_t n = slash ? (size_t)(slash - fray_builtins[i].name) : 0;
		if (n && strncmp(fray_builtins[i].name, "core/", 5))
			put(o, arena_text(&f->arena, fray_builtins[i].name, n));
	}
	for (int i = 0; i < f->unit.n; i++)
		if (f->unit.v[i].aside)
			put(o, model_text(&f->model, f->unit.v[i].module));
	return true;
}

static bool topics(const struct fray *f, const struct out *o)
{
	static const char *const topic[] = {
#define TOPIC(name, of, function) name,
#include "lang/api/topics.def"
#undef TOPIC
		"forks", "combatant", "shelf"};
	for (size_t i = 0; i < FRAY_COUNT(topic); i++)
		put(o, topic[i]);
	who(f, o);
	return true;
}

struct out_of_kind { const struct fray *f; int kind; const struct out *o; };

static void put_unread(void *to, const struct unread *u)
{
	const struct out_of_kind *x = to;
	const struct model *m = &x->f->model;
	int kind = model_kind(m, intern_find(x->f->names, u->kind, strlen(u->kind)));
	if (x->kind < 0 || (kind >= 0 && kind_root(m, kind) == kind_root(m, x->kind)))
		put(x->o, u->name);
}

static bool of_kind(const struct fray *f, int kind, const struct out *o)
{
	const struct model *m = &f->model;
	struct out_of_kind unread = {f, kind, o};
	unread_each((void *)(uintptr_t)f, true, put_unread, &unread);
	for (int i = 0; i < m->thing.n; i++)
		if (kind < 0 || kind_root(m, m->thing.v[i].kind) == kind_root(m, kind))
			put(o, model_text(m, m->thing.v[i].name));
	return true;
}

/* What a part of a sentence takes, by the role it fills. */
static bool part(const struct fray *f, sym verb, sym prep, const struct out *o)
{
	const struct model *m = &f->model;
	int event = model_event(m, verb);
	const struct mevent *e = event < 0 ? NULL : &m->event.v[event];
	for (int i = 1; e && i < e->roles; i++) {
		if (e->role[i].preposition != prep)
			continue;
		struct type *t = type_find(e->role[i].type);
		if (t->base == VT_SET)
			t = type_find(t->elem);
		if (t->base == VT_LIVE && t->kind == KIND_COMBATANT)
			return who(f, o);
		if (t->base == VT_THING || (t->base == VT_LIVE && t->kind >= KIND_FIRST_DECLARED))
			return of_kind(f, t->kind, o);
		return false;
	}
	return false;
}

/* Fields of somebody, and what rules define of him. */
static bool fields(struct fray *f, sym owner, const struct out *o)
{
	const struct model *m = &f->model;
	const struct program *p = f->program;
	int kind = model_kind(m, owner);
	owner = model_alias(m, owner);
	for (int i = 0; f->vm && i < p->lives[KIND_COMBATANT]; i++)
		kind = intern_word(f->names, p->live[KIND_COMBATANT][i].name) == owner ? KIND_COMBATANT : kind;
	for (int i = 0; f->vm && i < p->lives[KIND_SIDE]; i++)
		kind = intern_word(f->names, p->live[KIND_SIDE][i].name) == owner ? KIND_SIDE : kind;
	if (kind < 0)
		return false;
	for (int i = 0; i < m->field.n; i++)
		if (m->field.v[i].kind == kind_root(m, kind) && !m->field.v[i].hidden && !m->field.v[i].kept)
			put(o, model_text(m, m->field.v[i].name));
	for (int i = 0; i < m->question.n; i++)
		if (m->question.v[i].subject == kind && !m->question.v[i].adjective && m->question.v[i].params == 1)
			put(o, model_text(m, m->question.v[i].name));
	return true;
}

bool names_in_scope(void *context, const struct scope_asked *asked, void (*to_put)(void *to, const char *name), void *to)
{
	struct fray *f = context;
	const struct out o = {to_put, to};
	if (!f->checked)
		return asked->of == SCOPE_MODULE && modules(f, &o);
	switch (asked->of) {
	case SCOPE_WHO: return who(f, &o);
	case SCOPE_SIDE: return sides(f, &o);
	case SCOPE_FORK:
		for (int i = 0; i < f->session.fork.n; i++)
			put(&o, f->session.fork.v[i].name);
		return true;
	case SCOPE_ROLL: return rolls(f, asked->name, &o);
	case SCOPE_CHOICE: return choices(f, &o);
	case SCOPE_RULE: return rules(f, &o);
	case SCOPE_POLICY:
		for (int i = 0; i < f->model.policy.n; i++)
			put(&o, model_text(&f->model, f->model.policy.v[i].name));
		return true;
	case SCOPE_OPTION:
		for (int i = 0; i < f->model.option.n; i++)
			put(&o, model_text(&f->model, f->model.option.v[i].name));
		return true;
	case SCOPE_VALUE: return values(f, asked->name, &o);
	case SCOPE_MODULE: return modules(f, &o);
	case SCOPE_TOPIC: return topics(f, &o);
	case SCOPE_HELP:
		for (int i = 0; help_topic(f, i); i++)
			put(&o, help_topic(f, i));
		return true;
	case SCOPE_ENCOUNTER:
		for (int i = 0; i < fray_encounters(f); i++)
			put(&o, fray_encounter(f, i));
		return true;
	case SCOPE_MOMENT:
		put(&o, "round");
		if (f->vm && f->program->shown_unit >= 0)
			put(&o, f->program->unit[f->program->shown_unit].name);
		return true;
	case SCOPE_PART: return part(f, asked->name, asked->prep, &o);
	case SCOPE_FIELD: return fields(f, asked->name, &o);
	}
	return false;
}
