/* build.c - what the grammar's actions call: nodes, lists with tails, sentences. */
#include <string.h>

#include "lang/front/phrase.h"

struct node *build(struct phrase *p, enum node_kind kind, struct span at)
{
	return node_new(p->front->arena, kind, at);
}

struct node *build_named(struct phrase *p, enum node_kind kind, struct span at, struct word name, struct span name_at)
{
	struct node *n = build(p, kind, at);
	n->name = name.name;
	if (name.name)
		n->at = name_at;
	return n;
}

struct list build_list(struct node *n)
{
	struct list l = {n, n};
	return l;
}

struct list build_add(struct list l, struct node *n)
{
	return build_join(l, build_list(n));
}

struct list build_join(struct list a, struct list b)
{
	if (!a.head)
		return b;
	if (!b.head)
		return a;
	a.tail->next = b.head;
	a.tail = b.tail;
	return a;
}

/* Chains lean to the left and are walked by recursion, so their length is a depth. */
void build_linked(struct phrase *p, struct span at)
{
	if (++p->chain > CHAIN_MAX && !p->stopped) {
		phrase_report(p, M_TOO_MANY_PARTS, at, 0, NULL, NULL);
		p->stopped = true;
	}
}

struct node *build_binary(struct phrase *p, int op, struct node *a, struct node *b)
{
	struct node *n = build(p, N_KIND_E_BINARY, span_join(a->span, b->span));
	n->op = (uint8_t)op;
	n->a = a;
	n->b = b;
	build_linked(p, n->span);
	return n;
}

void build_when(struct node *n, struct when w)
{
	if (!w.e)
		return;
	n->c = w.e;
	n->num = w.unless;
}

void build_unit(struct phrase *p, struct node *n, struct span at)
{
	(void)at;
	n->damaged |= p->damaged;
	p->damaged = false;
	p->chain = 0;
	p->units = build_add(p->units, n);
}

/* What a syntax error leaves behind in a list. */
struct node *build_broken(struct phrase *p, struct span at)
{
	struct node *n = build(p, N_KIND_NOTHING, at);
	n->damaged = true;
	p->damaged = true;
	return n;
}

struct node *build_prep(struct phrase *p, struct span at, struct word prep, struct list targets)
{
	struct node *n;
	/* `on pass (mover, door)` is the event that is waited for, not a thing on which to act */
	if (targets.head && targets.head->kind == N_KIND_E_CALL && !strcmp(intern_folded(p->front->names, prep.name), "on")) {
		n = build(p, N_KIND_CUE, at);
		n->a = targets.head;
		return n;
	}
	n = build(p, N_KIND_PREP, at);
	n->name = prep.name;
	n->a = targets.head;
	return n;
}

static struct node *named(struct phrase *p, struct span at, const char *text)
{
	struct word w = {.name = intern_word(p->front->names, text)};
	return build_named(p, N_KIND_E_NAME, at, w, at);
}

struct node *build_anybody(struct phrase *p, struct span at, struct span who, struct word verb,
	struct span verb_at, struct list rest)
{
	struct node *n = build_named(p, N_KIND_N_EXPECT_SAY, at, verb, verb_at);
	n->name2 = verb.as;
	n->a = named(p, who, "combatants");
	n->b = rest.head;
	n->d = rest.tail;
	return n;
}

struct node *build_at_end(struct node *moment, struct node *expect)
{
	moment->kind = N_KIND_MOMENT;
	moment->a = expect;
	moment->name2 = moment->name; /* no block of its own */
	return moment;
}

struct node *build_moment(struct node *moment, struct node *list)
{
	for (struct node **at = &list; *at; at = &(*at)->next) {
		struct node *n = *at;
		if (n->kind != N_KIND_MOMENT || !n->name2 || n->name != moment->name ||
			n->num != moment->num)
			continue;
		n->a->next = n->next;
		*at = n->a;
	}
	moment->a = list;
	return moment;
}

struct node *build_acts(struct phrase *p, struct span at, struct node *who)
{
	const struct word acts = {.name = intern_word(p->front->names, "act")};
	struct node *n = build_named(p, N_KIND_N_EXPECT_SAY, at, acts, at);
	n->a = who;
	return n;
}

struct node *build_anybody_is(
	struct phrase *p, struct span at, struct span who, int agg, struct node *state)
{
	struct word one = {.name = intern_word(p->front->names, "one")};
	struct node *is = build(p, N_KIND_E_IS, at),
		    *set = build_named(p, N_KIND_E_SET, at, one, who),
		    *all = build(p, N_KIND_E_AGG, at);
	struct node *n = build(p, N_KIND_N_EXPECT, at);
	is->a = named(p, who, "one");
	is->b = state;
	set->a = named(p, who, "combatants");
	set->c = is;
	all->op = agg;
	all->a = set;
	n->a = all;
	return n;
}

struct node *build_times(struct node *say, struct node *times, struct list preps)
{
	say->c = times;
	say->d = node_append(say->d, preps.head);
	return say;
}

struct node *build_deed(struct phrase *p, struct span at, struct word verb, struct span verb_at, struct list targets, struct list more, struct when when)
{
	struct node *n = build_named(p, N_KIND_N_SAY, at, verb, verb_at);
	n->name2 = verb.as;
	n->b = targets.head;
	n->d = more.head;
	/* what must hold belongs to the cue, when there is one */
	for (struct node *x = more.head; x && when.e; x = x->next)
		if (x->kind == N_KIND_CUE) {
			build_when(x, when);
			return n;
		}
	build_when(n, when);
	return n;
}

/* A target alone repeats the verb before it. */
static void repeat_verb(struct node *deed, const struct node *model)
{
	if (deed->name)
		return;
	deed->name = model->name;
	deed->name2 = model->name2;
}

/* queue: first choice, e -> second choice, e -> ..; each choice: act, f -> next act, f -> .. */
void build_then(struct node *queue, struct node *deed)
{
	while (queue->e)
		queue = queue->e;
	while (queue->f)
		queue = queue->f;
	repeat_verb(deed, queue);
	queue->f = deed;
}

void build_else(struct node *queue, struct node *other)
{
	while (queue->e)
		queue = queue->e;
	repeat_verb(other, queue);
	queue->e = other;
}

struct node *build_subjects(struct node *deed, struct list subjects)
{
	deed->a = subjects.head;
	return deed;
}

struct node *build_define(struct phrase *p, struct span at, struct node *path, struct word adjective, struct when when)
{
	struct node *n = build(p, N_KIND_C_BE, at);
	n->name = adjective.name;
	if (path->kind == N_KIND_E_NAME) {
		n->name2 = path->name;
	} else {
		phrase_report(p, M_BE_KIND, path->span, 0, NULL, NULL);
		n->damaged = p->damaged = true;
	}
	build_when(n, when);
	return n;
}

/* A first row without a key names the columns. */
struct node *build_table(struct phrase *p, struct span at, struct word name, struct span name_at, struct list keys, struct list rows)
{
	struct node *n = build_named(p, N_KIND_TABLE, at, name, name_at);
	n->a = keys.head;
	n->b = rows.head;
	if (n->b && n->b->kind == N_KIND_ROW && !n->b->a) {
		n->c = n->b->b;
		n->b = n->b->next;
	}
	return n;
}

struct node *build_show(struct phrase *p, struct span at, struct word topic, struct word more, struct node *what)
{
	struct node *n = build(p, N_KIND_X_SHOW, at);
	n->name = topic.name;
	if (more.name && what->kind == N_KIND_E_NAME)
		n->name2 = what->name;
	n->a = what;
	return n;
}
