/* odds_compare.c - one encounter under several rules: each in an interpreter of its own that
 * has read the same scripts. */
#include "lang/api/odds.h"

#include <string.h>

/* The node that stands at the same place of the same file. */
static struct node *same_place(struct node *list, uint32_t start)
{
	for (struct node *n = list; n; n = n->next) {
		if (n->kind == N_KIND_Q_PLOT && n->a && n->a->kind == N_KIND_Q_COMPARE && n->a->span.start == start)
			return n->a;
		if (n->kind == N_KIND_Q_COMPARE && n->span.start == start)
			return n;
		struct node *inside = n->kind == N_KIND_ENCOUNTER ? same_place(n->a, start) : NULL;
		if (inside)
			return inside;
	}
	return NULL;
}

/* `own`: the question is all there is of that file. */
static struct node *question_in_copy(struct fray *f, struct fray *copy, const struct node *asked, bool own)
{
	const char *name = f->sources.file.v[asked->span.file].name;
	for (int i = 0; i < copy->unit.n; i++) {
		const struct unit *u = &copy->unit.v[i];
		if (u->layer != LAYER_SCRIPT || !u->tree || strcmp(u->shown, name))
			continue;
		struct node *n = same_place(u->tree, own ? 0 : asked->span.start);
		if (n)
			return n;
	}
	return NULL;
}

/* Else it was typed at the prompt. */
static bool in_a_script(const struct fray *f, const struct node *asked)
{
	for (int i = 0; i < f->unit.n; i++)
		if (f->unit.v[i].layer == LAYER_SCRIPT && f->unit.v[i].file == asked->span.file)
			return true;
	return false;
}

/* The encounter that is asked about, by its name; NULL: the last. */
static const char *about(const struct fray *f, const struct node *asked, int here)
{
	int e = here >= 0 ? here : f->vm ? f->encounter : -1;
	sym name = asked->name ? asked->name : e >= 0 ? f->model.encounter.v[e].name : 0;
	return name ? intern_text(f->names, name) : NULL;
}

static enum fray_status under(struct fray *f, const struct node *asked, int here, const char *rules)
{
	struct fray *copy = fray_open(&f->config);
	enum fray_status s = FRAY_STOPPED;
	if (!copy)
		return s;
	copy->report = f->report;
	copy->only_checking = f->only_checking;
	copy->part = f->part;
	copy->parts = f->parts;
	fray_rules(copy, rules);
	s = FRAY_OK;
	for (int i = 0; i < f->unit.n && s == FRAY_OK; i++) {
		const struct unit *u = &f->unit.v[i];
		if (u->layer != LAYER_SCRIPT)
			continue;
		const struct source *text = &f->sources.file.v[u->file];
		s = fray_load(copy, u->shown, text->text, text->length);
	}
	bool typed = !in_a_script(f, asked);
	if (s == FRAY_OK && typed) {
		size_t length;
		const char *text = sources_text(&f->sources, asked->span, &length);
		s = fray_load(copy, f->sources.file.v[asked->span.file].name, text, length);
	}
	struct node *n = s == FRAY_OK ? question_in_copy(f, copy, asked, typed) : NULL;
	must(n || s != FRAY_OK);
	if (n) {
		struct fray_odds_options options = f->odds;
		options.seed = odds_seed(f);
		fray_set_odds(copy, &options);
		copy->csv_begun = f->csv_begun;
		const char *encounter = about(f, asked, here);
		struct node named = *n;
		named.name = encounter ? intern_put(copy->names, encounter, strlen(encounter)) : 0;
		s = odds_named(copy, encounter ? &named : NULL, n->b, rules, n->span);
		f->csv_begun = copy->csv_begun;
	}
	copy->report = NULL;
	copy->part = NULL;
	copy->parts = NULL;
	fray_close(copy);
	return s;
}

enum fray_status odds_compare(struct fray *f, const struct node *n, int here)
{
	enum fray_status s = FRAY_OK;
	odds_keep_together(f);
	for (const struct node *r = n->a; r && s != FRAY_INTERRUPTED; r = r->next) {
		enum fray_status one = under(f, n, here, model_text(&f->model, r->name));
		s = one == FRAY_OK ? s : one;
	}
	return s;
}
