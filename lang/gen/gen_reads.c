/* gen_reads.c - what is read by somebody who asks, through all the questions he asks in turn. */
#include "lang/gen/gen.h"

static void reads_field(struct gen *g, int field, struct reader *x)
{
	g->field.v[field].touches |= x->bit;
	x->shared |= g->field.v[field].shared;
	x->rounds |= g->m->field.v[field].kind == KIND_ROUND;
}

static void reads_pair(struct gen *g, int pair, struct reader *x)
{
	g->pair.v[pair].touches |= x->bit;
	x->shared |= g->pair.v[pair].shared;
}

void gen_reads_one(struct gen *g, struct node *n, struct reader *x)
{
	struct node *next = n->next;
	n->next = NULL;
	gen_reads(g, n, x);
	n->next = next;
}

static void reads_question(struct gen *g, int question, struct reader *x)
{
	struct model *m = g->m;
	struct mquestion *q = &m->question.v[question];
	if (x->seen[question])
		return;
	x->seen[question] = 1;
	if (q->field >= 0 && m->kind.v[m->field.v[q->field].kind].live)
		reads_field(g, link_field(g, q->field), x);
	if (q->pair >= 0)
		reads_pair(g, link_pair(g, q->pair), x);
	for (int i = 0; i < q->clause.n; i++) {
		struct mclause *c = &m->clause.v[q->clause.v[i]];
		if (!c->in_force)
			continue;
		if (c->node->kind != N_KIND_C_BE && c->node->b)
			gen_reads_one(g, c->node->b, x);
		if (c->when)
			gen_reads_one(g, c->when, x);
	}
}

void gen_reads(struct gen *g, struct node *n, struct reader *x)
{
	struct model *m = g->m;
	for (; n; n = n->next) {
		int question = -1, field = -1, pair = -1;
		switch (n->ref_kind) {
		case REF_QUESTION:
		case REF_ADJECTIVE:
			if (n->kind == N_KIND_E_FIELD || n->kind == N_KIND_E_CALL || n->kind == N_KIND_E_IS || n->kind == N_KIND_E_NAME)
				question = n->ref;
			break;
		case REF_FIELD:
		case REF_FLAG:
		case REF_VIA:
		case REF_FIELD_OF_ENCOUNTER:
			field = n->ref;
			break;
		case REF_PAIR:
			pair = n->ref;
			break;
		case REF_LIST_FIELD:
			field = n->ref;
			break;
		default:
			break;
		}
		if (field >= 0 && m->kind.v[m->field.v[field].kind].live) {
			reads_field(g, link_field(g, field), x);
			question = m->field.v[field].question;
		}
		if (pair >= 0) {
			reads_pair(g, link_pair(g, pair), x);
			question = m->pair.v[pair].question;
		}
		if (question >= 0)
			reads_question(g, question, x);
		struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		for (int i = 0; i < 6; i++)
			if (kids[i])
				gen_reads(g, kids[i], x);
	}
}

/* Can others change whether an act is void though they work on copies? */
bool void_shares(struct gen *g, int question)
{
	struct reader x = {.seen = calloc((size_t)g->m->question.n + 1, 1)};
	if (!x.seen)
		abort();
	if (question >= 0)
		reads_question(g, question, &x);
	free(x.seen);
	return x.shared;
}
