/* spare.c - a second line of somebody in one block, which only counts when the first cannot be done: as far as that can be
 * told before anything is played. The rest is told when the block is over (lang/api/untaken.c).
 *
 * Where rules ask again and again in a round they do so in a `repeat`, or for other actions: then each line may be wanted. So may a line of an
 * action that itself asks (`hold`), one that waits for something, and one with a condition. */
#include "lang/check/lost.h"
#include "lang/check/scene.h"

/* The two lines, and what is looked for among the statements that ask: one that does so again and again, one that asks for
 * what the second line says and not for the first, or any. */
struct asking { const struct model *m; const struct node *first, *second; bool any; };

static bool says_one_of(const struct model *m, const struct node *say, const struct node *names)
{
	for (; say; say = say->e)
		for (const struct node *a = names; a; a = a->next)
			if (say->ref_kind == REF_EVENT && model_event(m, a->name) == say->ref)
				return true;
	return false;
}

static bool asks(const struct asking *x, const struct node *n, bool repeats)
{
	for (; n; n = n->next) {
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		if (n->kind == N_KIND_S_ASK && (x->any || repeats || (says_one_of(x->m, x->second, n->b) && !says_one_of(x->m, x->first, n->b))))
			return true;
		for (int i = 0; i < 6; i++)
			if (kids[i] && asks(x, kids[i], repeats || n->kind == N_KIND_S_REPEAT))
				return true;
	}
	return false;
}

bool both_asked(const struct model *m, const struct node *first, const struct node *second)
{
	const struct asking x = {m, first, second, false};
	for (int c = 0; c < m->clause.n; c++)
		if (m->clause.v[c].in_force && asks(&x, m->clause.v[c].node->b, false))
			return true;
	return false;
}

/* Do rules about this action ask its actor once more? */
static bool asks_again(const struct model *m, int event)
{
	struct mevent *e = &m->event.v[event];
	const struct asking any = {.m = m, .any = true};
	if (e->asks.layers == m->layers)
		return e->asks.so;
	e->asks.layers = m->layers;
	e->asks.so = false;
	for (int s = 0; s < 4 && !e->asks.so; s++)
		for (int i = 0; i < e->clause[s].n && !e->asks.so; i++) {
			const struct mclause *x = &m->clause.v[e->clause[s].v[i]];
			e->asks.so = x->in_force && asks(&any, x->node->b, false);
		}
	return e->asks.so;
}

/* An act said of one name, at once and under no condition. */
static bool is_plain(const struct model *m, const struct node *n)
{
	if (n->kind != N_KIND_N_SAY || n->damaged || n->refused || n->c || !n->a || n->a->next || n->a->ref_kind != REF_LIVE || n->ref_kind != REF_EVENT || n->ref < 0)
		return false;
	for (const struct node *p = n->d; p; p = p->next)
		if (p->kind == N_KIND_CUE || (p->a && p->a->kind == N_KIND_E_MOMENT))
			return false;
	return !asks_again(m, n->ref);
}

static struct node *earlier(const struct model *m, struct node *list, const struct node *n)
{
	for (struct node *x = list; x && x != n; x = x->next)
		if (is_plain(m, x) && x->a->name == n->a->name && x->a->ref == n->a->ref)
			return x;
	return NULL;
}

bool line_spare(const struct model *m, struct node *block, const struct node *n)
{
	const struct node *first = is_plain(m, n) ? earlier(m, block, n) : NULL;
	return first && !both_asked(m, first, n);
}

static void text_of(const struct model *m, struct span at, struct buf *out)
{
	size_t length;
	const char *text = sources_text(m->front->sources, at, &length);
	buf_add(out, text, length);
}

static void report_second(
	struct model *m, const struct node *first, const struct node *n, enum message id)
{
	struct buf who = {0}, one = {0}, other = {0};
	text_of(m, n->a->span, &who);
	text_of(m, first->span, &one);
	text_of(m, (struct span){n->span.file, n->a->span.end, n->span.end}, &other);
	const char *verb = buf_text(&other);
	while (*verb == ' ')
		verb++;
	struct diag d = diag_make(id, n->span);
	diag_arg(&d, buf_text(&who));
	diag_arg(&d, buf_text(&one));
	diag_arg(&d, verb);
	diag_relate(&d, first->span, "this is the first");
	model_send(m, &d);
	buf_free(&who);
	buf_free(&one);
	buf_free(&other);
}

/* A block before this one of the same moment, with a line of the same combatant. What is typed
 * takes the place of what was typed before. */
static const struct node *in_block_before(
	const struct model *m, struct node *items, const struct node *block, const struct node *n)
{
	const bool looks = block->name != m->w.beat && is_plain(m, n);
	for (struct node *x = items; looks && x && x != block; x = x->next) {
		const bool same = x->kind == N_KIND_MOMENT && x->name == block->name &&
			x->num == block->num && x->op == block->op && !x->damaged;
		const struct node *first = same ? earlier(m, x->a, n) : NULL;
		if (first && !both_asked(m, first, n))
			return first;
	}
	return NULL;
}

/* Whether a line that names `list` is about everybody that `one` means. */
static bool is_about(const struct model *m, const struct node *list, const struct node *one)
{
	const bool live = one->ref_kind == REF_LIVE && one->type && type_is(one->type, VT_LIVE);
	const bool combatant = live && type_find(one->type)->kind == KIND_COMBATANT;
	for (const struct node *x = list; x; x = x->next) {
		const bool side = x->ref_kind == REF_SIDE ||
			(x->ref_kind == REF_LIVE && x->type && type_find(x->type)->kind == KIND_SIDE);
		if (x->ref_kind == one->ref_kind && x->ref == one->ref && x->name == one->name)
			return true;
		if (side && combatant && one->ref < m->live.n && m->live.v[one->ref].side == x->ref)
			return true;
	}
	return false;
}

void warn_follows(struct model *m, const struct node *items)
{
	for (const struct node *n = items; n && m->reporting; n = n->next) {
		if (n->kind != N_KIND_N_FOLLOWS || n->damaged)
			continue;
		for (const struct node *later = n->next; later; later = later->next) {
			bool all = later->kind == N_KIND_N_FOLLOWS && !later->damaged && !later->c;
			struct buf who = {0};
			for (const struct node *one = n->a; one && all; one = one->next) {
				all = is_about(m, later->a, one);
				buf_printf(&who, "%s%s", one == n->a ? "" : " and ", model_text(m, one->name));
			}
			if (all)
				model_report(m, M_FOLLOWS_OVER, n->span, 2, buf_text(&who),
					model_text(m, later->name));
			buf_free(&who);
			if (all)
				break;
		}
	}
}

void warn_spare(struct model *m, struct node *items, struct node *block)
{
	for (struct node *n = block->a; n && m->reporting; n = n->next) {
		const bool spare = line_spare(m, block->a, n);
		const struct node *first =
			spare ? earlier(m, block->a, n) : in_block_before(m, items, block, n);
		if (first)
			report_second(m, first, n, spare ? M_LINE_SECOND : M_LINE_INSTEAD);
	}
}
