/* moments.c - what is said of moments that rules do not count, do not wait for or never come to.
 *
 * A moment may stand in a line (from segment 3), in an expectation, in odds, at the head of a
 * block and, by mistake, in a condition. Each time the message says what these rules count, and
 * the line. */
#include <string.h>

#include "lang/check/infer.h"
#include "lang/front/lexicon.h"

static bool names_field(const struct node *n, const void *field)
{
	return n->kind == N_KIND_E_FIELD && n->name == *(const sym *)field;
}

bool clause_names_field(const struct mclause *x, sym field)
{
	return node_any(x->node, names_field, &field);
}

bool act_field_read(const struct model *m, int field)
{
	for (int c = 0; c < m->clause.n; c++)
		if (m->clause.v[c].in_force && m->clause.v[c].sort != CLAUSE_ON &&
			node_any(m->clause.v[c].node, names_field, &m->field.v[field].name))
			return true;
	return false;
}

/* Whether rules let somebody wait for a moment. */
static bool waits(struct model *m)
{
	const int held = model_field(m, KIND_ACT, model_sym(m, "held until"));
	return held >= 0 && act_field_read(m, held);
}

bool moment_known(const struct model *m, const struct node *n)
{
	const int unit = model_unit(m, n->name);
	return unit >= 0 &&
		(m->unit.v[unit].base == VT_TIME || m->unit.v[unit].base == VT_COUNT);
}

/* "segment, turn or round": what these rules count; of blocks, only what can head one. */
static void put_counted(const struct model *m, bool block, struct buf *out)
{
	VEC(const char *) names = {0};
	for (int i = 0; i < m->unit.n; i++) {
		const struct munit *u = &m->unit.v[i];
		const bool time = u->base == VT_TIME || u->base == VT_COUNT;
		if (time && u->name != m->w.round && !unit_of_core(m, i) &&
			(!block || model_field(m, KIND_ENCOUNTER, u->name) >= 0))
			VEC_PUSH(names, model_text(m, u->name));
	}
	VEC_PUSH(names, model_text(m, m->w.round));
	diag_list(names.v, names.n, NULL, names.n, out);
	VEC_FREE(names);
}

bool line_without(const struct model *m, struct span at, struct buf *out)
{
	struct buf whole = {0};
	const bool found = statement_with(m, at, "", &whole);
	for (size_t i = 0; found && i < whole.length; i++)
		if (whole.data[i] != ' ' ||
			(i + 1 < whole.length && i && whole.data[i - 1] != ' '))
			buf_putc(out, whole.data[i]);
	buf_free(&whole);
	return found;
}

/* "Bob attacks Ann from segment 3": what a block of a moment says first, as a line of a round. */
static void put_deed(struct model *m, const struct node *block, struct buf *out)
{
	size_t length = 0;
	const struct node *first = block->a;
	const char *text = first ? sources_text(m->front->sources, first->span, &length) : "";
	const int known = model_unit(m, block->name), round = model_unit(m, m->w.round);
	const bool shorter = known >= 0 && round >= 0 && m->unit.v[known].base == VT_TIME &&
		m->unit.v[round].base == VT_TIME &&
		m->unit.v[known].num * m->unit.v[round].den <
			m->unit.v[round].num * m->unit.v[known].den;
	const bool longer = known >= 0 && !shorter; /* turn 1 { .. }: no time within a round */
	const sym unit = longer ? 0 : shorter ? block->name : counted_unit(m);
	const bool deed = first && first->kind == N_KIND_N_SAY && length < 80;
	buf_add(out, deed ? text : "Bruna attacks orc #1", deed ? length : 20);
	if (waits(m) && unit)
		buf_printf(out, " from %s %lld", model_text(m, unit), (long long)block->num);
}

void report_no_moment(struct model *m, const struct node *n, const struct node *phrase)
{
	struct buf list = {0}, line = {0}, moment = {0};
	const bool block = n->kind == N_KIND_MOMENT, held = phrase && !waits(m);
	const sym unit = counted_unit(m);
	put_counted(m, block, &list);
	buf_printf(&moment, "%s %lld", unit ? model_text(m, unit) : "round", (long long)n->num);
	if (block) {
		buf_puts(&line, "round 1 { ");
		put_deed(m, n, &line);
		buf_puts(&line, " }");
	} else if (held ? !line_without(m, phrase->span, &line)
		      : !statement_with(m, n->span, buf_text(&moment), &line))
		buf_puts(&line, buf_text(&moment));
	model_report(
		m, M_NO_MOMENT, n->at, 3, model_text(m, n->name), buf_text(&list), buf_text(&line));
	buf_free(&list);
	buf_free(&line);
	buf_free(&moment);
}

int64_t most_in_round(const struct model *m, sym name)
{
	const int unit = model_unit(m, name), round = model_unit(m, m->w.round);
	if (unit < 0 || round < 0 || m->unit.v[unit].base != VT_TIME ||
		m->unit.v[round].base != VT_TIME || name == m->w.round)
		return 0;
	const struct munit *u = &m->unit.v[unit], *r = &m->unit.v[round];
	return r->num * u->den / (r->den * u->num);
}

/* from segment 15, of ten in a round */
static void warn_late(struct model *m, const struct node *p)
{
	const struct node *n = p->a;
	const int64_t most = most_in_round(m, n->name);
	if (most < 1 || n->num <= most)
		return;
	struct buf count = {0}, moment = {0}, line = {0};
	buf_printf(
		&count, "%lld %s%s", (long long)most, model_text(m, n->name), most == 1 ? "" : "s");
	buf_printf(&moment, "%s %lld", model_text(m, n->name), (long long)most);
	if (!statement_with(m, n->span, buf_text(&moment), &line))
		buf_puts(&line, buf_text(&moment));
	model_report(m, M_MOMENT_LATE, n->span, 2, buf_text(&count), buf_text(&line));
	buf_free(&count);
	buf_free(&moment);
	buf_free(&line);
}

/* "attacks orc #1 in segment 4": rules say when; whoever says a moment waits for it, no more. */
static void warn_said(struct model *m, const struct node *p)
{
	if (p->name == model_sym(m, "from") || p->name == model_sym(m, "until"))
		return;
	struct buf moment = {0}, from = {0}, line = {0};
	size_t length;
	const char *text = sources_text(m->front->sources, p->a->span, &length);
	buf_add(&moment, text, length);
	buf_printf(&from, "from %s", buf_text(&moment));
	if (!statement_with(m, p->span, buf_text(&from), &line))
		buf_puts(&line, buf_text(&from));
	model_report(m, M_MOMENT_SAID, p->span, 3, model_text(m, p->name), buf_text(&moment),
		buf_text(&line));
	buf_free(&moment);
	buf_free(&from);
	buf_free(&line);
}

void warn_not_waited(struct model *m, const struct node *p, int field)
{
	if (!m->reporting)
		return;
	if (act_field_read(m, field)) {
		if (p->a && p->a->kind == N_KIND_E_MOMENT) {
			warn_late(m, p);
			warn_said(m, p);
		}
		return;
	}
	struct buf line = {0};
	if (!line_without(m, p->span, &line))
		buf_puts(&line, "the line without it");
	model_report(m, M_NOT_WAITED, p->span, 2, model_text(m, p->name), buf_text(&line));
	buf_free(&line);
}

bool warn_until_when(struct model *m, const struct node *n)
{
	const struct mevent *e = &m->event.v[n->ref];
	const sym unit = counted_unit(m);
	if (n->b || n->d || n->f || e->roles != 2 || !type_is(e->role[1].type, VT_TIME))
		return false;
	struct buf line = {0};
	size_t length;
	const char *text = sources_text(m->front->sources, n->span, &length);
	length = strcspn(text, ";}\n") < length ? strcspn(text, ";}\n") : length;
	if (waits(m) && unit && !n->c)
		buf_printf(&line, "Write: %.*s %s %s 5. Or leave the line out.", (int)length, text,
			e->role[1].preposition ? model_text(m, e->role[1].preposition) : "until",
			model_text(m, unit));
	else
		buf_puts(&line, "Leave the line out.");
	model_report(m, M_UNTIL_WHEN, n->span, 1, buf_text(&line));
	buf_free(&line);
	return true;
}

void report_block_inside(struct model *m, const struct node *n)
{
	if (n->name == m->w.round || n->name == m->w.beat) {
		model_report(m, M_BLOCK_IN_BLOCK, n->span, 0);
		return;
	}
	struct buf line = {0};
	put_deed(m, n, &line);
	model_report(m, M_BLOCK_OF_ROUND, n->at.file ? n->at : n->span, 2, model_text(m, n->name),
		buf_text(&line));
	buf_free(&line);
}

const char *time_meant(struct scope *s, sym name)
{
	struct model *m = s->m;
	const char *said = model_text(m, name);
	const struct lex_entry *e = lexicon_find(m->front->lexicon, name, LEX_UNIT);
	const int unit = model_unit(m, name);
	if (name == m->w.round || (unit < 0 && !e) ||
		(unit >= 0 && m->unit.v[unit].base != VT_TIME && m->unit.v[unit].base != VT_COUNT))
		return NULL;
	const int own = model_field(m, KIND_ENCOUNTER, name);
	const sym counted = counted_unit(m);
	struct buf b = {0};
	if (own >= 0)
		buf_printf(&b, "encounter's %s", said);
	else if (waits(m) && counted && m->in_encounter >= 0)
		buf_printf(&b,
			"round >= 2: of times, a condition asks for the round alone. To wait for a "
			"%s: %s attacks .. from %s 3",
			model_text(m, counted),
			m->live.n ? model_text(m, m->live.v[0].name) : "Bruna",
			model_text(m, counted));
	else
		buf_puts(&b, "round >= 2: of times, a condition asks for the round alone");
	const char *text = arena_text(m->arena, b.data, b.length);
	buf_free(&b);
	return text;
}

void report_time_asked(struct scope *s, const struct node *n)
{
	struct model *m = s->m;
	const char *meant = time_meant(s, n->name);
	size_t length;
	const char *text = sources_text(m->front->sources, n->span, &length);
	struct buf line = {0};
	if (!meant)
		buf_printf(&line, "round >= %lld", (long long)n->num);
	else if (model_field(m, KIND_ENCOUNTER, n->name) >= 0)
		buf_printf(
			&line, "%s >= %s %lld", meant, model_text(m, n->name), (long long)n->num);
	else
		buf_puts(&line, meant);
	model_report(m, M_SAID_OTHERWISE, n->span, 2, arena_text(m->arena, text, length),
		buf_text(&line));
	buf_free(&line);
}
