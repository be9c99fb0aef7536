/* instead.c - what happened instead of what was expected: the lines of the story that speak of
 * those whom the expectation names, and the value that was compared. */
#include <ctype.h>
#include <string.h>

#include "lang/api/expect.h"
#include "runtime/code/show.h"
#include "runtime/world/block.h"

enum { LINES_SHOWN = 6 };

struct line { struct buf moment, text; int named; };

struct gather {
	VEC(struct line) line;
	bool fresh;
};

/* A name as a whole: not the "orc #1" of "orc #12". */
static bool speaks_of(const char *text, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = strstr(text, name); n && at; at = strstr(at + 1, name)) {
		bool begins = at == text || !isalnum((unsigned char)at[-1]);
		if (begins && !isalnum((unsigned char)at[n]))
			return true;
	}
	return false;
}

static bool in_set(const word *set, int one)
{
	return (uint64_t)set[one / 64] >> (one % 64) & 1;
}

static void put_in(word *set, int one)
{
	set[one / 64] = (word)((uint64_t)set[one / 64] | 1ull << (one % 64));
}

void expect_named(struct fray *f, const struct expect_info *e, word *set)
{
	const struct program *p = f->program;
	const struct field_info *side = &p->field[p->at.combatant_side];
	memset(set, 0, sizeof(word) * EXPECT_SET);
	if (p->set_words > EXPECT_SET)
		return;
	if (e->subject_fn >= 0 && !vm_call(f->vm, e->subject_fn, NULL, 0, set, p->set_words, false))
		memset(set, 0, sizeof(word) * EXPECT_SET);
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++) {
		word its = vm_block(f->vm)[side->base + (uint32_t)i * side->stride];
		if (speaks_of(e->text, p->live[KIND_COMBATANT][i].name) ||
		    (its >= 0 && its < p->lives[KIND_SIDE] && speaks_of(e->text, p->live[KIND_SIDE][its].name)))
			put_in(set, i);
	}
}

static void gather_piece(void *context, int style, const char *text, size_t length)
{
	struct gather *g = context;
	if (style == FRAY_HEADING)
		return;
	for (size_t i = 0; i < length; i++) {
		if (g->fresh) {
			struct line l;
			memset(&l, 0, sizeof l);
			VEC_PUSH(g->line, l);
			g->fresh = false;
		}
		struct line *l = &g->line.v[g->line.n - 1];
		if (text[i] == '\n')
			g->fresh = true;
		else if (style == FRAY_TIME && !l->text.length)
			buf_putc(&l->moment, text[i]);
		else if (text[i] != ' ' || l->text.length)
			buf_putc(&l->text, text[i]);
	}
}

/* Where the block's records begin. */
static int32_t block_start(const struct fray *f, int32_t block)
{
	const struct program *p = f->program;
	const struct trace *t = vm_trace(f->vm);
	int32_t field = block ? p->block[block].field : -1;
	for (int32_t i = field >= 0 ? t->n - 1 : -1; i >= 0; i--) {
		const struct record *r = trace_get(t, i);
		bool round = field == p->at.round_number && r->kind == REC_ROUND && r->value == p->block[block].ordinal;
		if (round || (r->kind == REC_CHANGE && r->flag == 0 && r->what == field && r->value == p->block[block].ordinal))
			return i;
	}
	return 0;
}

static int count_named(const struct program *p, const word *set, const char *text)
{
	int n = 0;
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++)
		n += in_set(set, i) && speaks_of(text, p->live[KIND_COMBATANT][i].name);
	return n;
}

static void gather_lines(struct fray *f, const struct expect_info *e, struct gather *g)
{
	struct story_options o = {.width = 400, .write = gather_piece, .context = g};
	g->fresh = true;
	story_tell(f->program, vm_trace(f->vm), block_start(f, e->block), &o);
}

static void let_go(struct gather *g)
{
	for (int i = 0; i < g->line.n; i++) {
		buf_free(&g->line.v[i].moment);
		buf_free(&g->line.v[i].text);
	}
	VEC_FREE(g->line);
}

bool expect_told(struct fray *f, const struct expect_info *e)
{
	struct gather g = {0};
	bool told = false;
	gather_lines(f, e, &g);
	for (int i = 0; i < g.line.n && *e->why && !told; i++)
		told = strstr(buf_text(&g.line.v[i].text), e->why) != NULL;
	let_go(&g);
	return told;
}

/* Lines of the story that name the most of them, the last few. */
static void told_lines(struct fray *f, const struct expect_info *e, struct buf *out)
{
	struct gather g = {0};
	word set[EXPECT_SET];
	int most = 0, fit = 0;
	expect_named(f, e, set);
	gather_lines(f, e, &g);
	const char *moment = "";
	size_t wide = 0;
	for (int i = 0; i < g.line.n; i++) {
		struct line *l = &g.line.v[i];
		if (l->moment.length)
			moment = buf_text(&l->moment);
		else
			buf_puts(&l->moment, moment);
		l->named = count_named(f->program, set, buf_text(&l->text));
		if (l->named > most)
			most = l->named;
	}
	for (int i = 0; i < g.line.n; i++)
		if (most && g.line.v[i].named == most) {
			fit++;
			wide = g.line.v[i].moment.length > wide ? g.line.v[i].moment.length : wide;
		}
	for (int i = 0; i < g.line.n; i++) {
		struct line *l = &g.line.v[i];
		if (most && l->named == most && fit-- <= LINES_SHOWN)
			buf_printf(out, "%-*s  %s\n", (int)wide, buf_text(&l->moment), buf_text(&l->text));
	}
	let_go(&g);
}

void expect_value(struct fray *f, const struct expect_info *e, struct buf *out)
{
	word v[EXPECT_SET];
	int width = program_type_words(f->program, e->left_type);
	if (e->left_fn < 0 || width > EXPECT_SET || !vm_call(f->vm, e->left_fn, NULL, 0, v, width, false))
		return;
	buf_printf(out, " %s: ", e->left_text);
	program_value(f->program, e->left_type, v, out);
}

void expect_instead(struct fray *f, const struct expect_info *e, struct buf *out)
{
	struct buf value = {0};
	expect_value(f, e, &value);
	if (value.length)
		buf_printf(out, "%s\n", buf_text(&value) + 1);
	buf_free(&value);
	told_lines(f, e, out);
}
