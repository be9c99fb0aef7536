/* outline.c - what a text declares, from its trees: of one with mistakes, too. */
#include "lang/api/names.h"

#include <string.h>

struct outlining {
	struct fray *f;
	fray_outline_teller tell;
	void *context;
};

/* Where the name of a node stands, the first line of the node when it is not known. */
static struct span name_span(const struct fray *f, const struct node *n)
{
	struct span at = n->at.file ? n->at : n->span;
	size_t length;
	const char *text = sources_text(&f->sources, at, &length);
	const char *end = memchr(text, '\n', length);
	if (end)
		at.end = at.start + (uint32_t)(end - text);
	return at;
}

static void put(const struct outlining *o, enum fray_name_sort sort, const struct node *n,
	const char *name, const char *detail, int depth)
{
	struct fray_outline x = {
		.sort = sort, .name = name, .detail = detail ? detail : "", .depth = depth};
	x.whole = place_of(o->f, n->span);
	x.at = place_of(o->f, name_span(o->f, n));
	if (x.whole.start >= x.whole.end || !*name)
		return;
	if (x.at.start < x.whole.start || x.at.end > x.whole.end)
		x.at = x.whole;
	o->tell(o->context, &x);
}

static const char *text_of(const struct outlining *o, sym name)
{
	return intern_text(o->f->names, name);
}

static void fields(const struct outlining *o, const struct node *list)
{
	for (; list; list = list->next) {
		if (list->kind == N_KIND_D_FIELD)
			put(o, FRAY_NAME_FIELD, list, text_of(o, list->name), list->text, 1);
		else if (list->kind == N_KIND_RULE)
			put(o, FRAY_NAME_RULE, list, text_of(o, list->name), list->text, 1);
		else if (list->kind == N_KIND_TABLE)
			put(o, FRAY_NAME_TABLE, list, text_of(o, list->name), "", 1);
	}
}

static void encounter(const struct outlining *o, const struct node *list)
{
	for (; list; list = list->next) {
		struct buf moment = {0};
		if (list->kind == N_KIND_SIDE)
			put(o, FRAY_NAME_SIDE, list, text_of(o, list->name), "side", 1);
		if (list->kind == N_KIND_MOMENT) {
			buf_printf(
				&moment, "%s %lld", text_of(o, list->name), (long long)list->num);
			put(o, FRAY_NAME_PHASE, list, buf_text(&moment), "", 1);
		}
		if (list->kind == N_KIND_RULE)
			put(o, FRAY_NAME_RULE, list, text_of(o, list->name), list->text, 1);
		buf_free(&moment);
	}
}

static void one(const struct outlining *o, const struct node *n)
{
	const char *name = text_of(o, n->name);
	switch (n->kind) {
	case N_KIND_LIBRARY:
	case N_KIND_RULESET:
	case N_KIND_HOUSE:
		put(o, FRAY_NAME_MODULE, n, name, n->text, 0);
		break;
	case N_KIND_UNIT:
		put(o, FRAY_NAME_UNIT, n, name, "unit", 0);
		break;
	case N_KIND_OPTION:
		put(o, FRAY_NAME_OPTION, n, name, n->text, 0);
		break;
	case N_KIND_ALIAS:
		put(o, FRAY_NAME_ALIAS, n, name, text_of(o, n->name2), 0);
		break;
	case N_KIND_KIND:
	case N_KIND_EVERY:
		put(o, FRAY_NAME_KIND, n, name, n->kind == N_KIND_KIND ? "kind" : "every", 0);
		fields(o, n->a);
		break;
	case N_KIND_THING:
		put(o, FRAY_NAME_THING, n, name, text_of(o, n->name2), 0);
		fields(o, n->b);
		break;
	case N_KIND_EVENT:
		put(o, FRAY_NAME_EVENT, n, name, "event", 0);
		break;
	case N_KIND_ACTION:
		put(o, FRAY_NAME_EVENT, n, name, "action", 0);
		break;
	case N_KIND_RULE:
		put(o, FRAY_NAME_RULE, n, name, n->text, 0);
		break;
	case N_KIND_TABLE:
		put(o, FRAY_NAME_TABLE, n, name, "table", 0);
		break;
	case N_KIND_POLICY:
		put(o, FRAY_NAME_POLICY, n, name, "policy", 0);
		break;
	case N_KIND_ENCOUNTER:
		put(o, FRAY_NAME_ENCOUNTER, n, name, "encounter", 0);
		encounter(o, n->a);
		break;
	default:
		break;
	}
}

void fray_outline(struct fray *f, const char *file, fray_outline_teller tell, void *context)
{
	const struct outlining o = {f, tell, context};
	const uint16_t number = file_named(f, file);
	for (int i = 0; number && i < f->unit.n; i++)
		for (const struct node *n = f->unit.v[i].file == number ? f->unit.v[i].tree : NULL;
			n; n = n->next)
			one(&o, n);
}
