/* scene_meant.c - the whole line that was meant by a sentence with a wrong preposition, or with
 * none, and by a line that names people where a field should stand. */
#include <string.h>

#include "lang/check/scene.h"

static void put_source(struct model *m, struct span at, struct buf *out)
{
	size_t length;
	const char *text = sources_text(m->front->sources, at, &length);
	buf_add(out, text, length < 120 && !memchr(text, '\n', length) ? length : 0);
}

/* Where the line begins: with who does it, where that stands before the verb. */
static struct span line_from(const struct node *n, const struct node *subject, uint32_t end)
{
	struct span at = n->at;
	at.start = subject && subject->span.file == at.file && subject->span.start < at.start
		? subject->span.start
		: at.start;
	at.end = end;
	return at;
}

/* The role of a verb that takes a thing of this type behind a preposition; of those that are left
 * the first. -1: none. */
static int role_behind(const struct model *m, int event, struct type *type, unsigned taken)
{
	const struct mevent *e = &m->event.v[event];
	for (int i = 1; type && i < e->roles; i++) {
		const struct type *role = type_find(e->role[i].type), *given = type_find(type);
		bool several = role->base == VT_SET && (given->base == VT_LIVE || given->base == VT_SET);
		bool one = role->base == given->base || (role->base == VT_LIVE && given->base == VT_SET);
		if (e->role[i].preposition && !(taken >> i & 1) && (several || one))
			return i;
	}
	return -1;
}

/* The prepositions of a line that its action takes. */
static unsigned taken_by(const struct model *m, int event, const struct node *n)
{
	unsigned taken = 0;
	for (const struct node *p = n->d; p; p = p->next)
		for (int i = 1; i < m->event.v[event].roles && p->kind == N_KIND_PREP; i++)
			if (m->event.v[event].role[i].preposition == p->name)
				taken |= 1u << i;
	return taken;
}

/* "charges at orc #1", "shoots orc #1 with bow": what stands behind the preposition belongs
 * straight behind the verb. */
static const char *line_turned(
	struct scope *s, const struct node *n, const struct node *subject, struct node *p)
{
	struct model *m = s->m;
	const struct mevent *e = &m->event.v[n->ref];
	const struct type *type = object_type(s, p->a);
	int direct = -1;
	for (int i = 1; i < e->roles; i++)
		if (!e->role[i].preposition && direct < 0 && type &&
			(type_find(e->role[i].type)->base == type->base ||
				(type->base == VT_SET && type_find(e->role[i].type)->base == VT_LIVE)))
			direct = i;
	const int behind =
		n->b ? role_behind(m, n->ref, object_type(s, n->b), taken_by(m, n->ref, n)) : -1;
	if (direct < 0 || (n->b && behind < 0))
		return NULL;
	struct buf b = {0};
	struct span verb = line_from(n, subject, n->at.end);
	put_source(m, verb, &b);
	buf_putc(&b, ' ');
	put_source(m, p->a->span, &b);
	if (n->b) {
		buf_printf(&b, " %s ", model_text(m, e->role[behind].preposition));
		put_source(m, n->b->span, &b);
	}
	const char *line = arena_text(m->arena, b.data ? b.data : "", b.length);
	buf_free(&b);
	return line;
}

const char *line_meant(
	struct scope *s, const struct node *n, const struct node *subject, struct node *p)
{
	struct model *m = s->m;
	const int event = n->ref;
	int role = p->a && p->a->kind != N_KIND_COUNTED && m->reporting
		? role_behind(m, event, object_type(s, p->a), taken_by(m, event, n))
		: -1;
	if (role < 0) {
		const char *whole = p->a && m->reporting ? line_turned(s, n, subject, p) : NULL;
		struct buf line = {0};
		if (!whole && line_without(m, p->span, &line))
			whole = arena_text(m->arena, line.data, line.length);
		buf_free(&line);
		return whole ? whole : pattern_of(m, event);
	}
	struct buf b = {0};
	put_source(m, line_from(n, subject, p->span.start), &b);
	buf_printf(&b, "%s ", model_text(m, m->event.v[event].role[role].preposition));
	put_source(m, p->a->span, &b);
	const char *line = arena_text(m->arena, b.data ? b.data : "", b.length);
	buf_free(&b);
	return line;
}

/* What a part of a name means: somebody, a side, or a thing. NULL: nothing. */
static struct type *part_type(struct model *m, const char *text, size_t length)
{
	sym name = intern_find(m->front->names, text, length);
	if (!name)
		return NULL;
	name = model_alias(m, name);
	if (model_side(m, name) >= 0)
		return type_new(m, VT_LIVE, KIND_SIDE);
	for (int i = 0; i < m->live.n; i++)
		if (m->live.v[i].name == name)
			return type_new(m, VT_LIVE, KIND_COMBATANT);
	int thing = model_thing(m, name, -1);
	return thing < 0 ? NULL
		: kind_root(m, m->thing.v[thing].kind) == KIND_COMBATANT
		? type_new(m, VT_LIVE, KIND_COMBATANT)
		: type_new(m, VT_THING, m->thing.v[thing].kind);
}

bool report_run_on(
	struct scope *s, const struct node *n, const struct node *subject, const struct node *name)
{
	struct model *m = s->m;
	if (!m->reporting || !name || name->kind != N_KIND_E_NAME || name->next ||
		name->ref_kind != REF_UNKNOWN)
		return false;
	const char *text = model_text(m, name->name);
	for (const char *cut = strchr(text, ' '); cut; cut = strchr(cut + 1, ' ')) {
		struct type *first = part_type(m, text, (size_t)(cut - text)),
					*second = part_type(m, cut + 1, strlen(cut + 1));
		int role = first && second ? role_behind(m, n->ref, second, taken_by(m, n->ref, n)) : -1;
		if (role < 0)
			continue;
		struct buf b = {0};
		put_source(m, line_from(n, subject, name->span.start), &b);
		buf_printf(&b, "%.*s %s %s", (int)(cut - text), text,
			model_text(m, m->event.v[n->ref].role[role].preposition), cut + 1);
		model_report(m, M_SAID_OTHERWISE, name->span, 2, text, buf_text(&b));
		buf_free(&b);
		return true;
	}
	return false;
}

/* "party: Ann, Bruna", "orcs: 3 orcs": a side without its word. */
bool names_people(const struct model *m, const struct node *field)
{
	for (const struct node *v = field->a; v; v = v->next) {
		sym name = v->kind == N_KIND_V_COUNT                           ? v->name
			: v->kind == N_KIND_V_PLAIN && v->a->kind == N_KIND_E_NAME ? v->a->name
																	   : 0;
		int thing = name ? model_thing(m, model_alias(m, name), -1) : -1;
		if (name && thing < 0)
			thing = model_thing_plural(m, name, -1);
		if (thing < 0 || kind_root(m, m->thing.v[thing].kind) != KIND_COMBATANT)
			return false;
	}
	return field->a != NULL;
}

void report_side_word(struct model *m, const struct node *field)
{
	const struct node *last = field->a;
	while (last->next)
		last = last->next;
	size_t length;
	const char *text =
		sources_text(m->front->sources, span_join(field->a->span, last->span), &length);
	struct buf line = {0};
	/* "side: Bruna" has everything but the name */
	const bool bare = !strcmp(model_text(m, field->name), "side");
	buf_printf(&line, "side %s", bare ? "party" : model_text(m, field->name));
	model_report(m, M_NO_FIELD_HOLDS, field->at, 3, model_text(m, field->name), buf_text(&line),
		arena_text(m->arena, text, length));
	buf_free(&line);
}

/* "Ann: shoots at orc #1", "Ann: stand firm": a colon behind somebody. */
bool report_name_colon(struct model *m, const struct node *field)
{
	bool live = false;
	for (int i = 0; i < m->live.n; i++)
		live |= m->live.v[i].name == model_alias(m, field->name);
	const struct node *v =
		field->a && field->a->kind == N_KIND_V_PLAIN && !field->a->next ? field->a->a : NULL;
	if (!live || !v || v->kind != N_KIND_E_NAME)
		return false;
	bool policy = false;
	for (int i = 0; i < m->policy.n; i++)
		policy |= m->policy.v[i].name == v->name;
	size_t length;
	const char *text = sources_text(m->front->sources, v->span, &length);
	struct buf line = {0}, said = {0};
	buf_printf(&said, "%s:", model_text(m, field->name));
	buf_printf(&line, "%s %s%.*s", model_text(m, field->name), policy ? "follows " : "",
		(int)length, text);
	model_report(
		m, M_SAID_OTHERWISE, span_join(field->at, v->span), 2, buf_text(&said), buf_text(&line));
	buf_free(&line);
	buf_free(&said);
	return true;
}

/* "sides: Ann, Bruna vs 2 orcs": a line of its own for each side. */
bool report_sides_line(struct model *m, const struct node *n)
{
	static const char *const called[] = {"party", "foes", "others"};
	static const char *const heads[] = {"sides", "teams", "factions", "parties", "combatants", "opponents"};
	const struct node *last = n->a;
	bool head = false;
	for (size_t i = 0; i < FRAY_COUNT(heads); i++)
		head |= !strcmp(intern_folded(m->front->names, n->name), heads[i]);
	while (last && last->next)
		last = last->next;
	if (!last)
		return false;
	size_t length, whole;
	const char *text = sources_text(m->front->sources, span_join(n->a->span, last->span), &length);
	const char *said = sources_text(m->front->sources, span_join(n->at, last->span), &whole);
	struct buf value = {0}, line = {0};
	buf_add(&value, text, length);
	const char *parting = strstr(buf_text(&value), " vs ") ? " vs " : strstr(buf_text(&value), " versus ") ? " versus " : NULL;
	if (!head && !parting) {
		buf_free(&value);
		return false;
	}
	parting = parting ? parting : ", ";
	const char *part = buf_text(&value);
	for (size_t i = 0; part && i < FRAY_COUNT(called); i++) {
		const char *end = strstr(part, parting);
		buf_printf(&line, "%sside %s: %.*s", i ? "; " : "", called[i],
			(int)(end ? (size_t)(end - part) : strlen(part)), part);
		part = end ? end + strlen(parting) : NULL;
	}
	m->crowd_unsure = false; /* whoever is there, this is no line */
	model_report(m, M_SAID_OTHERWISE, n->span, 2, arena_text(m->arena, said, whole), buf_text(&line));
	m->crowd_unsure = true;
	buf_free(&value);
	buf_free(&line);
	return true;
}
