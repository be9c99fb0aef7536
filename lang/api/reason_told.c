/* reason_told.c - states that no rule asks for by that name: a word that a field holds ("paralysed"), the contrary of
 * another ("unconscious"), what was told of somebody ("is stuck"). */
#include <string.h>
#include <strings.h>

#include "lang/api/reason.h"

/* The last change by which a field of his came to hold that word, or ceased to: the field; -1. */
static int word_field(const struct reason *r, word who, const char *said)
{
	for (int32_t i = trace_back(r->t, r->end - 1, 1u << REC_CHANGE); i >= 0; i = trace_back(r->t, i - 1, 1u << REC_CHANGE)) {
		const struct record *c = trace_get(r->t, i);
		if (c->dropped || c->flag == 1 || c->owner != who || c->what < 0 || r->p->field[c->what].kind != KIND_COMBATANT || r->p->field[c->what].type.base != VT_WORD)
			continue;
		struct buf b = {0};
		const word value = c->value;
		if (value != NONE)
			program_value(r->p, r->p->field[c->what].type, &value, &b);
		const bool so = !strcasecmp(buf_text(&b), said);
		const int field = c->what;
		buf_free(&b);
		if (so)
			return field;
	}
	return -1;
}

/* "Bruna is paralysed, since ..": a field of words holds it, or did. */
static bool by_field(struct reason *r, word who, const char *said, bool want, struct answer *out)
{
	const int field = word_field(r, who, said);
	const char *name = r->p->live[KIND_COMBATANT][who].name;
	struct answer value;
	if (field < 0)
		return false;
	struct node *kept = r->n, *n = node_new(&r->f->arena, N_KIND_E_FIELD, kept->span);
	n->name = intern_word(r->f->names, r->p->field[field].name);
	n->a = node_new(&r->f->arena, N_KIND_E_NAME, kept->span);
	n->a->name = intern_word(r->f->names, name);
	r->n = n;
	memset(&value, 0, sizeof value);
	const bool told = reason_value(r, &value);
	r->n = kept;
	if (told) {
		const char *text = buf_text(&value.about);
		const size_t length = strlen(said);
		const bool is = !strncasecmp(text, said, length) && strchr(",:.", text[length]);
		if (is != want)
			answer_premise(out, PREMISE_OTHER);
		if (is)
			buf_printf(&out->about, "%s is %s", name, text);
		else
			buf_printf(&out->about, "%s is not %s any more: %s is %s", name, said, r->p->field[field].name, text);
		answer_rules_from(r->p, out, &value);
	}
	answer_free(&value);
	return told;
}

static bool has_word(const char *text, const char *said)
{
	const size_t n = strlen(said);
	for (const char *at = text; n && *at; at++)
		if ((at == text || at[-1] == ' ') && !strncasecmp(at, said, n) && (!at[n] || strchr(" ,.;:", at[n])))
			return true;
	return false;
}

/* The last that was told of him with that word: "ogre is stuck in the web". */
static bool by_telling(struct reason *r, word who, const char *said, bool want, struct answer *out)
{
	const char *name = r->p->live[KIND_COMBATANT][who].name;
	const size_t n = strlen(name);
	for (int32_t i = trace_back(r->t, r->end - 1, 1u << REC_EVENT | 1u << REC_NOTE); i >= 0; i = trace_back(r->t, i - 1, 1u << REC_EVENT | 1u << REC_NOTE)) {
		const struct record *x = trace_get(r->t, i);
		const char *text = x->text >= 0 ? trace_text_at(r->t, x->text) : "";
		if (x->dropped || (x->kind == REC_EVENT && x->flag != EVENT_DONE) || strncmp(text, name, n) != 0 || text[n] != ' ' || !has_word(text + n, said))
			continue;
		struct buf told = {0};
		const int32_t parent = x->parent, clause = x->clause;
		if (!english_sentence(r->p, text, MOOD_DID, &told))
			buf_puts(&told, text);
		if (!want)
			answer_premise(out, PREMISE_OTHER);
		buf_puts(&out->about, buf_text(&told));
		reason_when(r->log, i, &out->about);
		const int32_t deed = parent >= 0 ? reason_deed(r->log, parent) : -1;
		if (deed >= 0 && deed != i && reason_is_told(r->log, deed)) {
			buf_puts(&out->about, ", when ");
			reason_deed_text(r->log, parent, &out->about);
		}
		buf_putc(&out->about, '.');
		answer_rule_of(r->p, out, clause);
		buf_free(&told);
		return true;
	}
	return false;
}

/* "unconscious": not conscious. */
static bool contrary(struct reason *r, struct node *is, const char *said, struct answer *out)
{
	const struct model *m = &r->f->model;
	if (strncasecmp(said, "un", 2) != 0)
		return false;
	const sym name = model_sym(m, said + 2);
	if (!name || (model_question_of(m, KIND_COMBATANT, name, true) < 0 && model_field(m, KIND_COMBATANT, name) < 0))
		return false;
	struct node *kept = r->n, *n = node_new(&r->f->arena, N_KIND_E_IS, is->span);
	const bool negated = r->negated;
	n->a = is->a;
	n->b = node_new(&r->f->arena, N_KIND_E_NAME, is->span);
	n->b->name = name;
	r->n = n;
	r->negated = !negated;
	const bool told = reason_state(r, out);
	r->n = kept;
	r->negated = negated;
	return told;
}

bool reason_told(struct reason *r, const people *who, struct answer *out)
{
	struct node *n = r->n;
	while (n->kind == N_KIND_E_NOT)
		n = n->a;
	if (n->kind != N_KIND_E_IS || !n->b || n->b->kind != N_KIND_E_NAME || who->n == 0)
		return false;
	const char *said = model_text(&r->f->model, n->b->name);
	if (contrary(r, n, said, out))
		return true;
	for (int i = 0; i < who->n; i++)
		if (by_field(r, who->v[i], said, !r->negated, out) || by_telling(r, who->v[i], said, !r->negated, out))
			return true;
	return who->n == 1 && reason_spared(r, who->v[0], said, out);
}
