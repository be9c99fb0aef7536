/* meant_word.c - fields, roles and values in a referee's words (stdlib/meant.def): "weather: rain"
 * is written surroundings: rain, "huge" is large, the attacker of a damage is its cause's actor. */
#include <string.h>

#include "lang/check/infer.h"
#include "lang/front/lexicon.h"

static const struct { const char *kind, *said, *line; } fields[] = {
#define FIELD(kind, said, line) {kind, said, line},
#include "stdlib/meant.def"
};

static const struct { const char *said, *word; } words[] = {
#define SAME(said, word) {said, word},
#include "stdlib/meant.def"
};

static const struct { const char *said, *path; } roles[] = {
#define ROLE(said, path) {said, path},
#include "stdlib/meant.def"
};

/* The die that a figure behind a deed shows. */
static const char SHOWN[] =
#define DIE(name) name
#include "stdlib/meant.def"
	;

static bool is_among(const char *const *all, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(all[i], name))
			return true;
	return false;
}

/* The names of the values that bodies of events keep with let, each once. */
static void kept_names(const struct model *m, struct name_list *out)
{
	for (int e = 0; e < m->event.n; e++)
		for (int i = 0; i < m->event.v[e].clause[STAGE_ON].n; i++) {
			const struct mclause *x = &m->clause.v[m->event.v[e].clause[STAGE_ON].v[i]];
			for (const struct node *b = x->node->b ? x->node->b->a : NULL; b; b = b->next)
				if (b->kind == N_KIND_S_LET &&
					!is_among(out->at.v, out->at.n, model_text(m, b->name)))
					VEC_PUSH(out->at, model_text(m, b->name));
		}
}

static bool let_somewhere(const struct model *m, sym name)
{
	struct name_list kept = {0};
	kept_names(m, &kept);
	const bool so = is_among(kept.at.v, kept.at.n, model_text(m, name));
	VEC_FREE(kept.at);
	return so;
}

void report_nothing_kept(struct model *m, const struct node *n)
{
	struct name_list kept = {0};
	struct buf all = {0};
	kept_names(m, &kept);
	buf_puts(&all, "What rules keep with let can be asked for: ");
	diag_list(kept.at.v, kept.at.n, model_text(m, n->name), 8, &all);
	buf_puts(&all, ". An event's own roles are asked for by name, such as: amount");
	if (!kept.at.n) {
		buf_clear(&all);
		buf_printf(&all, "Keep it in a rule of the event: let %s = ..", model_text(m, n->name));
	}
	model_report(m, M_NOTHING_KEPT, n->span, 2, model_text(m, n->name), buf_text(&all));
	buf_free(&all);
	VEC_FREE(kept.at);
}

void put_die_above(
	const char *said, const char *who, const char *figure, size_t length, struct buf *out)
{
	buf_printf(out, "%s; and in a line above it: dice: %s's %s %.*s", said, who, SHOWN, (int)length,
		figure);
}

/* Bruna attacks orc #1: 15 */
bool report_deed_colon(struct model *m, struct span at, sym name)
{
	const char *said = model_text(m, name),
			   *text = m->front->sources->file.v[at.file].text + at.end;
	const char *value = text + strspn(text, " :");
	const size_t digits = strspn(value, "0123456789");
	struct buf line = {0}, whole = {0};
	for (int i = 0; i < m->live.n && !line.length; i++) {
		const char *who = model_text(m, m->live.v[i].name);
		const size_t length = strlen(who);
		if (strncmp(said, who, length) || said[length] != ' ' || !digits || value == text)
			continue;
		put_die_above(said, who, value, digits, &line);
	}
	buf_printf(&whole, "%s: %.*s", said, (int)digits, value);
	const bool found = line.length > 0;
	if (found)
		model_report(m, M_SAID_OTHERWISE, at, 2, buf_text(&whole), buf_text(&line));
	buf_free(&line);
	buf_free(&whole);
	return found;
}

const char *field_row(struct model *m, struct span at, sym name, int kind)
{
	const char *of = model_text(m, m->kind.v[kind_root(m, kind)].name), *said = model_text(m, name);
	const char *text = m->front->sources->file.v[at.file].text + at.end;
	const char *value = text + strspn(text, " :=");
	size_t length = strcspn(value, ";}\r\n");
	while (length && value[length - 1] == ' ')
		length--;
	value += length && *value == '+'; /* attack bonus: +5 */
	length -= length && value[-1] == '+';
	for (size_t i = 0; i < FRAY_COUNT(fields); i++) {
		struct buf b = {0};
		if (strcmp(fields[i].said, said) || strcmp(fields[i].kind, of))
			continue;
		const char *hole = strstr(fields[i].line, "{value}");
		if (hole)
			buf_printf(&b, "%.*s%.*s%s", (int)(hole - fields[i].line), fields[i].line, (int)length,
				value, hole + strlen("{value}"));
		else
			buf_puts(&b, fields[i].line);
		const char *line = arena_text(m->arena, b.data, b.length);
		buf_free(&b);
		return line;
	}
	return NULL;
}

const char *word_meant(const char *said, const char *const *known, int n)
{
	for (size_t i = 0; i < FRAY_COUNT(words); i++)
		for (int k = 0; k < n && !strcmp(words[i].said, said); k++)
			if (!strcmp(words[i].word, known[k]))
				return known[k];
	return NULL;
}

/* "attack roll", where `this attack roll` is meant; "attacker", where the event has a cause. */
const char *value_meant_here(struct scope *s, const struct node *n)
{
	const struct model *m = s->m;
	const char *said = model_text(m, n->name);
	struct buf b = {0};
	if (s->event >= 0 && let_somewhere(m, n->name))
		buf_printf(&b, "this %s", said);
	for (size_t i = 0; i < FRAY_COUNT(roles) && s->vars && !b.length; i++) {
		const size_t length = strcspn(roles[i].path, "'");
		const sym first = intern_find(m->front->names, roles[i].path, length);
		bool known = !strcmp(roles[i].path, "cause's actor") && s->event >= 0;
		for (int k = 0; k < s->vars; k++)
			known |= s->var[k].name == first;
		if (known && !strcmp(roles[i].said, said))
			buf_puts(&b, roles[i].path);
	}
	const char *text = b.length ? arena_text(m->arena, b.data, b.length) : NULL;
	buf_free(&b);
	return text;
}

/* "weakest orc", "random enemy": who is chosen, in a policy or an encounter. */
const char *chosen_of_several(struct scope *s, const struct node *n)
{
	static const char *const ranks[] = {"nearest", "closest", "weakest", "strongest", "random"};
	struct model *m = s->m;
	const char *said = model_text(m, n->name);
	bool me = false;
	for (int i = 0; i < s->vars; i++)
		me |= s->var[i].name == m->w.me;
	for (size_t i = 0; i < FRAY_COUNT(ranks); i++) {
		const size_t length = strlen(ranks[i]);
		struct buf b = {0}, field = {0};
		if (strncmp(said, ranks[i], length) || said[length] != ' ')
			continue;
		buf_printf(&field, "%s enemy", !strcmp(ranks[i], "closest") ? "nearest" : ranks[i]);
		const sym whose = intern_find(m->front->names, buf_text(&field), field.length);
		const bool known = whose &&
			(model_field(m, KIND_COMBATANT, whose) >= 0 ||
				model_question_of(m, KIND_COMBATANT, whose, false) >= 0);
		const char *who = me ? "my " : "";
		struct buf owner = {0};
		if (!me && m->live.n)
			buf_printf(&owner, "%s's ", first_of_line(m, n->span));
		if (known)
			buf_printf(&b, "%s%s%s", who, buf_text(&owner), buf_text(&field));
		else if (me && !strcmp(ranks[i], "random"))
			buf_puts(&b, "random (foe in my enemies where foe is able)");
		else if (me && !strcmp(ranks[i], "weakest"))
			buf_puts(&b, "pick (foe in my enemies where foe is able by lowest foe's hit points)");
		else if (me && !strcmp(ranks[i], "strongest"))
			buf_puts(&b, "pick (foe in my enemies where foe is able by highest foe's hit points)");
		const char *line = b.length ? arena_text(m->arena, b.data, b.length) : NULL;
		buf_free(&b);
		buf_free(&field);
		buf_free(&owner);
		return line;
	}
	return NULL;
}
