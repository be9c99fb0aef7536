/* show_traits.c - what the traits of a stat block do: the rules that ask for a field it states. */
#include <stdlib.h>

#include "lang/api/show.h"

/* A field that is stated, and how a rule asks for it. */
enum how_asked { ASKED_NOT, ASKED_OF_MANY, ASKED };
struct trait { sym name; enum how_asked most; };
struct traits { VEC(struct trait) v; };

static int trait_of(const struct traits *t, sym name)
{
	for (int i = 0; i < t->v.n; i++)
		if (t->v.v[i].name == name)
			return i;
	return -1;
}

/* How what stands below n, or behind it, asks for the traits. What it asks of each of many is most
 * often a thing about the others: a breath asks who is immune. */
static void look(const struct model *m, const struct node *n, const struct traits *of, bool of_many, enum how_asked *how)
{
	for (; n; n = n->next) {
		const struct node *part[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		bool is = n->kind == N_KIND_E_IS && n->b && n->b->kind == N_KIND_E_NAME;
		int trait = n->kind == N_KIND_E_FIELD || is ? trait_of(of, model_alias(m, is ? n->b->name : n->name)) : -1;
		enum how_asked now = of_many ? ASKED_OF_MANY : ASKED;
		if (trait >= 0 && how[trait] < now)
			how[trait] = now;
		for (size_t i = 0; i < FRAY_COUNT(part); i++)
			if (part[i])
				look(m, part[i], of, of_many || n->kind == N_KIND_S_EACH, how);
	}
}

/* What was read from this file. */
static const struct unit *unit_of(const struct fray *f, uint16_t file)
{
	for (int i = 0; i < f->unit.n; i++)
		if (f->unit.v[i].file == file)
			return &f->unit.v[i];
	return NULL;
}

/* Of a module that is neither the core nor a ruleset: what those declare - hit dice, a size -
 * everybody has, and it is no trait. */
static sym library_of(const struct fray *f, uint16_t file)
{
	const struct unit *u = unit_of(f, file);
	return u && u->layer != LAYER_CORE && u->layer != LAYER_PARENT && u->layer != LAYER_RULESET ? u->module : 0;
}

/* The fields of libraries that a thing, or one it is made after, states. */
static void traits_of(struct fray *f, int thing, struct traits *out)
{
	const struct model *m = &f->model;
	for (int t = thing; t >= 0; t = m->thing.v[t].parent)
		for (const struct node *d = m->thing.v[t].node->b; d; d = d->next) {
			sym name = d->kind == N_KIND_D_FIELD && !d->damaged ? model_alias(m, d->name) : 0;
			int field = name ? model_field(m, m->thing.v[thing].kind, name) : -1;
			if (field >= 0 && library_of(f, m->field.v[field].at.file) && trait_of(out, name) < 0)
				VEC_PUSH(out->v, ((struct trait){name, ASKED_NOT}));
		}
}

static bool tells(const struct fray *f, const struct mrule *r)
{
	return !r->dropped && r->replaced_by < 0 && !r->option_off && library_of(f, r->node->span.file);
}

void show_traits(struct fray *f, int thing, trait_teller tell, void *context)
{
	const struct model *m = &f->model;
	struct traits traits = {0};
	struct buf names = {0};
	traits_of(f, thing, &traits);
	enum how_asked *how = calloc((size_t)m->rule.n * (size_t)traits.v.n + 1, sizeof *how);
	if (!how)
		abort();
	for (int i = 0; i < m->rule.n; i++) {
		enum how_asked *row = how + i * traits.v.n;
		if (tells(f, &m->rule.v[i]))
			look(m, m->rule.v[i].node->b, &traits, false, row);
		for (int k = 0; k < traits.v.n; k++)
			traits.v.v[k].most = row[k] > traits.v.v[k].most ? row[k] : traits.v.v[k].most;
	}
	for (int i = 0; i < m->rule.n; i++) {
		names.length = 0;
		for (int k = 0; k < traits.v.n; k++)
			if (traits.v.v[k].most && how[i * traits.v.n + k] == traits.v.v[k].most)
				buf_printf(&names, "%s%s", names.length ? ", " : "", model_text(m, traits.v.v[k].name));
		if (names.length)
			tell(f, buf_text(&names), model_text(m, m->rule.v[i].name), m->rule.v[i].cite ? m->rule.v[i].cite : "", context);
	}
	free(how);
	buf_free(&names);
	VEC_FREE(traits.v);
}
