/* wrong.c - where the mistake stands that a rule calls wrong: the line of the script that said it. */
#include <ctype.h>
#include <string.h>

#include "lang/api/interp.h"

/* How much a line and the sentence have in common; of equals the last counts. */
enum { NAMES_FIELD = 1, NAMES_VALUE = 2, NAMES_BOTH = 4 };

/* Where the words stand in a sentence, as whole words; NULL: nowhere. */
static const char *find_words(const char *sentence, const char *words)
{
	size_t n = strlen(words);
	for (const char *p = n ? strstr(sentence, words) : NULL; p; p = strstr(p + 1, words)) {
		bool open = p > sentence && (isalnum((unsigned char)p[-1]) || p[-1] == '-');
		if (!open && !isalnum((unsigned char)p[n]) && p[n] != '-')
			return p;
	}
	return NULL;
}

struct line_sought { struct fray *f; const char *sentence; int best; struct span at; };

static void text_of(struct fray *f, struct span at, struct buf *out)
{
	size_t n;
	const char *text = sources_text(&f->sources, at, &n);
	buf_clear(out);
	buf_add(out, text, n);
}

static void weigh(struct line_sought *x, sym name, const struct node *values, struct span at)
{
	struct buf value = {0}, both = {0};
	const char *field = model_text(&x->f->model, model_alias(&x->f->model, name));
	int weight = find_words(x->sentence, field) ? NAMES_FIELD : 0;
	for (const struct node *v = values; v; v = v->next) {
		text_of(x->f, v->span, &value);
		weight += find_words(x->sentence, buf_text(&value)) ? NAMES_VALUE : 0;
		buf_clear(&both);
		buf_printf(&both, "%s %s", field, buf_text(&value));
		bool together = find_words(x->sentence, buf_text(&both)) != NULL;
		buf_clear(&both);
		buf_printf(&both, "%s is %s", field, buf_text(&value));
		weight += together || find_words(x->sentence, buf_text(&both)) ? NAMES_BOTH : 0;
	}
	if (weight && weight >= x->best) {
		x->best = weight;
		x->at = at;
	}
	buf_free(&value);
	buf_free(&both);
}

/* Lines of the encounter about him: `Ann's level: 99`. */
static void weigh_encounter(struct line_sought *x, sym who)
{
	const struct model *m = &x->f->model;
	if (x->f->encounter < 0)
		return;
	for (const struct node *n = m->encounter.v[x->f->encounter].node->a; n; n = n->next)
		if (n->kind == N_KIND_N_OVERRIDE && n->a && n->a->a && model_alias(m, n->a->a->name) == who)
			weigh(x, n->a->name, n->b, n->span);
}

static bool of_the_user(const struct model *m, int thing)
{
	return m->module.v[m->thing.v[thing].module].layer > LAYER_THING;
}

bool wrong_place(struct fray *f, const char *sentence, const char *who, struct span *at)
{
	const struct model *m = &f->model;
	const char *number = strstr(who, " #");
	sym name = intern_put(f->names, who, number ? (size_t)(number - who) : strlen(who));
	int thing = name && f->checked ? model_thing(m, name, KIND_COMBATANT) : -1;
	struct line_sought x = {.f = f, .sentence = sentence};
	if (thing < 0)
		return false;
	for (int t = thing; t >= 0; t = m->thing.v[t].parent)
		for (const struct node *d = of_the_user(m, t) ? m->thing.v[t].node->b : NULL; d; d = d->next)
			if (d->kind == N_KIND_D_FIELD)
				weigh(&x, d->name, d->a, d->span);
	weigh_encounter(&x, name);
	if (x.best)
		*at = x.at;
	else if (of_the_user(m, thing))
		*at = m->thing.v[thing].node->at;
	else if (f->encounter >= 0)
		*at = m->encounter.v[f->encounter].node->at;
	return x.best || of_the_user(m, thing) || f->encounter >= 0;
}
