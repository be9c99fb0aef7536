/* link_names.c - what the program names for messages and stories: kinds, combatants, questions,
 * choices, units, options. */
#include <string.h>

#include "lang/gen/gen.h"
#include "runtime/base/hash.h"

/* Units, and the one in which times are shown. */
static void link_units(struct gen *g)
{
	struct model *m = g->m;
	struct program *p = g->p;
	p->units = m->unit.n;
	p->unit = arena_array(g->arena, struct unit_info, m->unit.n + 1);
	p->shown_unit = -1;
	for (int i = 0; i < m->unit.n; i++) {
		struct munit *u = &m->unit.v[i];
		p->unit[i] =
			(struct unit_info){gen_text(g, u->name), u->base, u->num, u->den, u->module >= 0};
		/* what core counts, beats, is no clock of any system */
		bool time = u->module >= 0 && m->module.v[u->module].layer != LAYER_CORE &&
			(u->base == VT_TIME || u->base == VT_COUNT);
		struct unit_info *shown = p->shown_unit < 0 ? NULL : &p->unit[p->shown_unit];
		/* the smallest; what is only counted says nothing where there is a clock */
		if (time &&
			(!shown ||
				(u->base == shown->base ? u->num * shown->den < shown->num * u->den
										: u->base == VT_TIME)))
			p->shown_unit = i;
	}
}

/* Options: the value in force, and the others. */
static void link_options(struct gen *g)
{
	struct model *m = g->m;
	struct program *p = g->p;
	p->options = m->option.n;
	p->option = arena_array(g->arena, struct option_info, m->option.n + 1);
	for (int i = 0; i < m->option.n; i++) {
		struct moption *o = &m->option.v[i];
		struct node *v = o->node->a;
		struct buf others = {0};
		int k = 0;
		for (struct node *x = o->node->a; x; x = x->next, k++) {
			if (k == o->value)
				v = x;
			else
				buf_printf(&others, "%s%s", others.length ? ", " : "", gen_excerpt(g, x->span));
		}
		p->option[i].name = gen_text(g, o->name);
		p->option[i].value = v ? gen_excerpt(g, v->span) : "";
		p->option[i].cite = o->node->text ? gen_copy(g, o->node->text, strlen(o->node->text)) : "";
		p->option[i].others = gen_copy(g, buf_text(&others), others.length);
		p->option[i].set = o->set != NULL;
		p->option[i].span = o->node->at;
		buf_free(&others);
	}
}

void link_names(struct gen *g)
{
	struct model *m = g->m;
	struct program *p = g->p;
	p->kinds = m->kind.n > 32 ? 32 : m->kind.n;
	p->kind = arena_array(g->arena, struct kind_info, p->kinds);
	for (int i = 0; i < p->kinds; i++) {
		p->kind[i].name = gen_text(g, m->kind.v[i].name);
		p->kind[i].plural = gen_text(g, m->kind.v[i].plural);
		p->kind[i].live = m->kind.v[i].live;
	}
	p->lives[KIND_SIDE] = m->side.n;
	p->live[KIND_SIDE] = arena_array(g->arena, struct live_info, m->side.n + 1);
	for (int i = 0; i < m->side.n; i++) {
		p->live[KIND_SIDE][i].name = gen_text(g, m->side.v[i].name);
		p->live[KIND_SIDE][i].thing = -1;
	}
	p->lives[KIND_COMBATANT] = m->live.n;
	p->live[KIND_COMBATANT] = arena_array(g->arena, struct live_info, m->live.n + 1);
	for (int i = 0; i < m->live.n; i++) {
		p->live[KIND_COMBATANT][i].name = live_written(g, &m->live.v[i]);
		p->live[KIND_COMBATANT][i].thing = m->thing.v[m->live.v[i].thing].program;
	}
	for (int k = KIND_SIDE; k <= KIND_COMBATANT; k++)
		for (int i = 0; i < p->lives[k]; i++) {
			sym s = intern_word(m->front->names, p->live[k][i].name);
			const char *t = intern_folded(m->front->names, s);
			p->live[k][i].hash = hash_bytes(t, strlen(t), 1);
		}
	link_item_names(g);
	p->questions = m->question.n;
	p->question = arena_array(g->arena, struct question_info, m->question.n + 1);
	for (int i = 0; i < m->question.n; i++) {
		struct mquestion *q = &m->question.v[i];
		struct question_info *x = &p->question[i];
		x->name = gen_text(g, q->name);
		x->params = (uint8_t)q->params;
		for (int k = 0; k < q->params; k++) {
			x->param[k] = vtype_of(g, q->param[k], q->param_frac[k]);
			x->param_name[k] = gen_text(g, q->param_name[k]);
		}
		x->type = vtype_of(g, q->type, q->frac);
		x->of_subject = q->subject >= 0;
		x->is_answer = q->adjective;
		x->fn = g->fn_question[i];
		x->stored = q->field >= 0 ? m->field.v[q->field].program
			: q->pair >= 0        ? m->pair.v[q->pair].program
								  : -1;
	}
	p->choices = m->choice.n;
	p->choice = arena_array(g->arena, struct choice_info, m->choice.n + 1);
	for (int i = 0; i < m->choice.n; i++) {
		p->choice[i].name = gen_text(g, m->choice.v[i].name);
		p->choice[i].type = vtype_of(g, m->choice.v[i].type, false);
		p->choice[i].owner = (struct vtype){VT_LIVE, false, KIND_COMBATANT};
	}
	p->kepts = m->kept.n;
	p->kept = arena_array(g->arena, const char *, m->kept.n + 1);
	for (int i = 0; i < m->kept.n; i++)
		p->kept[i] = gen_text(g, m->kept.v[i].name);
	link_units(g);
	link_options(g);
}
