/* load_check.c - all units that were read, checked together: the model, and what a syntax error
 * hides of it. */
#include "lang/api/attempt.h"
#include "lang/api/probe.h"
#include "lang/check/lost.h"

static void reset_tree(struct node *n)
{
	for (; n; n = n->next) {
		n->type = NULL;
		n->frac = false;
		n->ref = n->ref_kind = 0;
		struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		for (int i = 0; i < 6; i++)
			if (kids[i])
				reset_tree(kids[i]);
	}
}

/* What a syntax error inside it hides: a stat block, a policy or an encounter nothing that
 * the rest could speak of; what rules say, if it is one. */
static enum missing hidden_by(const struct node *n)
{
	switch (n->kind) {
	case N_KIND_ENCOUNTER: case N_KIND_POLICY:
		return MISSING_NONE;
	case N_KIND_RULE: case N_KIND_ACTION: case N_KIND_TABLE:
		return MISSING_BODIES;
	case N_KIND_THING:
		for (const struct node *x = n->b; x; x = x->next)
			if (x->kind != N_KIND_D_FIELD && x->kind != N_KIND_NOTHING)
				return MISSING_BODIES;
		return MISSING_NONE;
	default:
		return n->kind >= N_KIND_C_DEFINE && n->kind <= N_KIND_C_DEFAULT ? MISSING_BODIES
																		 : MISSING_NAMES;
	}
}

/* Whether anything of a file is damaged; *missing is what this hides. */
static bool look_for_damage(const struct node *tree, enum missing *missing)
{
	bool damaged = false;
	for (const struct node *n = tree; n; n = n->next) {
		damaged |= n->damaged;
		if (n->damaged && hidden_by(n) > *missing)
			*missing = hidden_by(n);
	}
	return damaged;
}

/* Whether a beat block of some encounter uses the unit's module, or the one that brought it. */
static bool used_late(const struct fray *f, const struct unit *u)
{
	sym beat = intern_find(f->names, "beat", 4);
	for (int i = 0; i < f->unit.n && u->aside; i++)
		for (const struct node *e = f->unit.v[i].tree; e; e = e->next)
			for (const struct node *b = e->kind == N_KIND_ENCOUNTER ? e->a : NULL; b; b = b->next)
				for (const struct node *n = b->kind == N_KIND_MOMENT && b->name == beat ? b->a
																						: NULL;
					 n; n = n->next) {
					bool named = n->kind == N_KIND_USE && n->name && n->name == u->under;
					for (const struct node *x = n->kind == N_KIND_USE ? n->a : NULL; x; x = x->next)
						named |= x->name == u->under;
					if (named)
						return true;
				}
	return false;
}

bool units_check(struct fray *f)
{
	static const enum layer order[] = {
		LAYER_CORE, LAYER_PARENT, LAYER_RULESET, LAYER_THING, LAYER_HOUSE, LAYER_SCRIPT};
	int errors = f->sink.errors;
	bool damaged = false;
	enum missing missing = f->front.incomplete ? MISSING_NAMES : MISSING_NONE;
	probe_forget(f);
	if (f->checked)
		model_free(&f->model);
	/* the library first: what is said of a script's lines rests on its fields */
	for (int built = 1; built >= 0; built--)
		for (int i = 0; i < f->unit.n; i++) {
			struct unit *u = &f->unit.v[i];
			if (u->builtin != (built == 1))
				continue;
			if (u->collected_only)
				damaged = true;
			else if (!u->tree)
				u->tree = front_parse(&f->front, u->file);
			else
				reset_tree(u->tree);
			damaged |= look_for_damage(u->tree, &missing);
		}
	reset_tree(f->typed);
	model_init(&f->model, &f->front);
	f->model.unread = unread_each;
	f->model.unread_context = f;
	f->model.read_by = elsewhere_read;
	f->model.word_asked = elsewhere_asked;
	f->model.hostile = elsewhere_hostile;
	f->more_read = false;
	f->made++;
	f->model.converted = written_for(f) != NULL;
	f->checked = true;
	for (size_t k = 0; k < FRAY_COUNT(order); k++)
		for (int i = 0; i < f->unit.n; i++) {
			struct unit *u = &f->unit.v[i];
			bool late = u->aside && !u->called && used_late(f, u);
			if (u->layer != order[k] || !unit_wanted(f, u) || !u->tree ||
				(u->aside && !u->called && !late))
				continue;
			int module = -1;
			for (int j = 0; j < f->model.module.n; j++)
				if (u->module && f->model.module.v[j].name == u->module)
					module = j;
			if (module < 0)
				module = model_add_module(&f->model, u->module, u->layer);
			f->model.module.v[module].own = !u->builtin;
			if (late)
				f->model.module.v[module].late = u->under;
			model_add_tree(&f->model, module, u->tree);
		}
	if (f->typed)
		model_add_tree(&f->model, model_add_module(&f->model, 0, LAYER_PROMPT), f->typed);
	/* one mistake, one report: of what may follow from a name that could not be read, nothing is
	 * said; and nothing at all where it is a guess what stands inside what */
	f->model.missing = missing;
	if (!f->front.torn && house_rules_fit(f)) {
		model_declare(&f->model);
		model_check(&f->model);
	}
	if (f->rules && (f->sink.errors != errors || damaged))
		tell_other_rules(f);
	/* a file that could not be read may have held anything */
	f->sound = f->sink.errors == errors && !damaged && !f->front.torn && !f->front.incomplete;
	/* under other rules than it was written for, a script may hold lines that these do not allow */
	if (f->sound && !f->rules)
		foresee(&f->model);
	if (f->sound && !f->rules) {
		check_roles(&f->model);
		check_bodies(&f->model);
		check_conditions(&f->model);
		check_effect(&f->model);
		check_idle(&f->model);
		check_kept(&f->model);
		check_lost(&f->model);
		check_rows(&f->model);
		check_inert(&f->model);
	}
	return f->sound;
}
