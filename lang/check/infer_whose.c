/* infer_whose.c - who is on which side and what sort of thing something is, as it is said in
 * plain English: "Ann is in party", "Grak's kind is orc", "side is party". Each comes to the
 * line to write. */
#include <ctype.h>
#include <string.h>

#include "lang/check/infer.h"
#include "lang/front/lexicon.h"

static void put_source(const struct model *m, struct span at, struct buf *out)
{
	size_t length;
	const char *text = sources_text(m->front->sources, at, &length);
	buf_add(out, text, length < FRAY_NAME_MAX ? length : 0);
}

static void said_otherwise(struct model *m, struct span at, struct buf *line)
{
	struct buf said = {0};
	put_source(m, at, &said);
	model_report(m, M_SAID_OTHERWISE, at, 2, buf_text(&said), buf_text(line));
	buf_free(&said);
}

/* A side of this name in some encounter of the script; NULL: there is none. */
static const struct mencounter *side_elsewhere(const struct model *m, sym name)
{
	for (int i = 0; i < m->encounter.n; i++)
		for (const struct node *n = m->encounter.v[i].node->a; n; n = n->next)
			if (n->kind == N_KIND_SIDE && n->name == name)
				return &m->encounter.v[i];
	return NULL;
}

static bool is_side_here(const struct model *m, sym name)
{
	return m->in_encounter >= 0 && model_side(m, model_alias(m, name)) >= 0;
}

bool report_side_outside(struct model *m, struct span at, sym name)
{
	const struct mencounter *e =
		m->in_encounter < 0 ? side_elsewhere(m, model_alias(m, name)) : NULL;
	if (!e)
		return false;
	model_report(m, M_SIDE_OUTSIDE, at, 2, model_text(m, name), model_text(m, e->name));
	return true;
}

/* The side that ends what is said of somebody: "member of party"; 0: none. */
static sym side_at_end(const struct model *m, const char *said)
{
	for (const char *c = said; c; c = strchr(c, ' ')) {
		c += *c == ' ';
		const sym name = intern_find(m->front->names, c, strlen(c));
		if (name && (is_side_here(m, name) ||
			(m->in_encounter < 0 && side_elsewhere(m, model_alias(m, name)))))
			return name;
	}
	return 0;
}

bool report_is_side(struct scope *s, const struct node *n, int kind)
{
	struct model *m = s->m;
	const struct node *who = n->a, *what = n->b;
	if (!m->reporting || what->kind != N_KIND_E_NAME || scope_find(s, what->name))
		return false;
	const sym side = side_at_end(m, model_text(m, what->name));
	if (!side || (kind != KIND_COMBATANT && kind != KIND_SIDE))
		return false;
	if (report_side_outside(m, what->span, side))
		return true;
	if (kind == KIND_SIDE)
		return false;
	struct buf line = {0};
	put_source(m, who->span, &line);
	buf_printf(&line, "'s side is %s%s", n->num == 1 ? "not " : "", model_text(m, side));
	said_otherwise(m, n->span, &line);
	buf_free(&line);
	return true;
}

/* "Bob is Ann's enemy", where rules know Ann's enemies. */
bool report_is_one_of(struct scope *s, const struct node *n)
{
	struct model *m = s->m;
	const struct node *of = n->b;
	struct buf many = {0}, line = {0};
	if (!m->reporting || of->kind != N_KIND_E_FIELD ||
		model_field(m, KIND_COMBATANT, of->name) >= 0)
		return false;
	lexicon_plural(&many, model_text(m, of->name));
	const sym name = intern_find(m->front->names, many.data, many.length);
	const int q = name ? model_question_of(m, KIND_COMBATANT, model_alias(m, name), false) : -1;
	const bool found = q >= 0 && model_question_of(m, KIND_COMBATANT, of->name, false) < 0;
	if (found) {
		buf_puts(&line, n->num == 1 ? "not (" : "");
		put_source(m, n->a->span, &line);
		buf_puts(&line, " in ");
		put_source(m, of->a->span, &line);
		buf_printf(&line, "'s %s%s", buf_text(&many), n->num == 1 ? ")" : "");
		said_otherwise(m, n->span, &line);
	}
	buf_free(&many);
	buf_free(&line);
	return found;
}

/* ---- Grak's kind is orc ---- */

/* What is named here, in as many words as there are: somebody, a thing, a side; its length, 0:
 * nothing. */
static size_t named_at(const struct model *m, const char *text, bool *side)
{
	enum { WORDS = 8 };
	size_t ends[WORDS], n = 0;
	for (size_t i = 0; n < WORDS; i++) {
		const bool inside =
			isalnum((unsigned char)text[i]) || text[i] == '#' || text[i] == '-';
		if (!inside && i)
			ends[n++] = i;
		if (!inside && text[i] != ' ')
			break;
	}
	while (n-- > 0) {
		if (text[ends[n] - 1] == ' ')
			continue;
		sym name = intern_find(m->front->names, text, ends[n]);
		name = name ? model_alias(m, name) : 0;
		*side = name && is_side_here(m, name);
		if (name && (*side || model_thing(m, name, -1) >= 0 || model_live(m, name) >= 0))
			return ends[n];
	}
	return 0;
}

bool report_kind_of(struct model *m, const struct node *n, int kind)
{
	static const char *const joints[] = {" is not ", " is ", " = ", " <> "};
	const struct source *f = &m->front->sources->file.v[n->span.file];
	const char *after = f->text + n->span.end;
	struct buf line = {0};
	if (is_side_here(m, n->name)) { /* Ann's party */
		buf_puts(&line, model_text(m, n->name));
		said_otherwise(m, n->span, &line);
		buf_free(&line);
		return true;
	}
	for (size_t i = 0; i < FRAY_COUNT(joints); i++) {
		const size_t joint = strlen(joints[i]);
		if (strncmp(after, joints[i], joint) != 0)
			continue;
		const char *named = after + joint;
		named += !strncmp(named, "an ", 3) ? 3 : !strncmp(named, "a ", 2) ? 2 : 0;
		bool side;
		const size_t length = named_at(m, named, &side);
		if (!length || (side && kind != KIND_COMBATANT))
			return false;
		put_source(m, n->a->span, &line);
		buf_printf(&line, "%s is %s%.*s", side ? "'s side" : "",
			i == 0 || i == 3 ? "not " : "", (int)length, named);
		const struct span whole = {n->span.file, n->span.start,
			(uint32_t)(named + length - f->text)};
		said_otherwise(m, whole, &line);
		buf_free(&line);
		return true;
	}
	return false;
}

/* ---- a field of nobody: side is party ---- */

const char *whose_slip(struct scope *s, const char *said)
{
	struct model *m = s->m;
	struct buf b = {0};
	const sym name = intern_find(m->front->names, said, strlen(said));
	const int field = name ? model_field(m, KIND_COMBATANT, model_alias(m, name)) : -1;
	for (int i = 0; i < s->vars && field >= 0 && !s->written && !b.length; i++) {
		const struct type *t = type_find(s->var[i].type);
		if (t->base == VT_LIVE && t->kind == KIND_COMBATANT)
			buf_printf(&b, "%s's %s", model_text(m, s->var[i].name), said);
	}
	const char *text = b.length ? arena_text(m->arena, b.data, b.length) : NULL;
	buf_free(&b);
	return text;
}
