/* emit.c - the only writer of instructions: registers, jumps, functions, constants. */
#include <string.h>

#include "lang/gen/gen.h"
#include "runtime/base/hash.h"
#include "runtime/dice/formula.h"

int emit(struct gen *g, enum op op, int a, int b, int c)
{
	struct insn i = {0};
	i.op = (uint16_t)op;
	i.a = (uint16_t)a;
	i.b = (uint16_t)b;
	i.c = (uint16_t)c;
	VEC_PUSH(g->code, i);
	VEC_PUSH(g->code_span, g->span);
	return g->code.n - 1;
}

int emit_wide(struct gen *g, enum op op, int a, int64_t k)
{
	struct insn i = {0};
	i.op = (uint16_t)op;
	i.a = (uint16_t)a;
	i.k = (int32_t)k;
	VEC_PUSH(g->code, i);
	VEC_PUSH(g->code_span, g->span);
	return g->code.n - 1;
}

int emit_const(struct gen *g, int reg, word value)
{
	if (value >= INT32_MIN && value <= INT32_MAX)
		return emit_wide(g, OP_LOADI, reg, value);
	for (int i = 0; i < g->constant.n; i++)
		if (g->constant.v[i] == value)
			return emit_wide(g, OP_LOADK, reg, i);
	VEC_PUSH(g->constant, value);
	return emit_wide(g, OP_LOADK, reg, g->constant.n - 1);
}

int here(const struct gen *g)
{
	return g->code.n;
}

/* Jump operands are relative to the instruction after the jump. */
int emit_jump(struct gen *g, enum op op, int reg)
{
	return emit_wide(g, op, reg, 0);
}

void jump_here(struct gen *g, int at)
{
	g->code.v[at].k = here(g) - at - 1;
}

void jumps_add(struct gen *g, struct jumps *j, int at)
{
	if (j->n == (int)FRAY_COUNT(j->at)) {
		/* a long condition: chain through a jump of its own */
		int over = emit_jump(g, OP_JMP, 0);
		jumps_here(g, j);
		j->n = 0;
		j->at[j->n++] = emit_jump(g, OP_JMP, 0);
		jump_here(g, over);
	}
	j->at[j->n++] = at;
}

void jumps_here(struct gen *g, struct jumps *j)
{
	for (int i = 0; i < j->n; i++)
		jump_here(g, j->at[i]);
	j->n = 0;
}

void jump_back(struct gen *g, int target)
{
	emit_wide(g, OP_LOOP, 0, target - here(g) - 1);
}

int regs(struct gen *g, int n)
{
	int r = g->top;
	g->top += n;
	if (g->top > g->most)
		g->most = g->top;
	if (g->top > 60000 && !g->failed) {
		diag_report(g->m->sink, M_RULE_TOO_BIG, g->span, 0);
		g->failed = true;
		g->top = n;
		return 0;
	}
	return r;
}

int fn_new(struct gen *g, const char *name, struct span span)
{
	struct fn_info f = {0};
	f.name = gen_copy(g, name, strlen(name));
	f.entry = f.end = -1;
	f.span = span;
	VEC_PUSH(g->fn, f);
	return g->fn.n - 1;
}

void fn_begin(struct gen *g, int fn, int arguments)
{
	g->current = fn;
	g->fn.v[fn].entry = here(g);
	g->fn.v[fn].arguments = (uint16_t)arguments;
	g->top = g->most = arguments;
	g->vars = 0;
	g->span = g->fn.v[fn].span;
	g->body = BODY_PLAIN;
	g->stops = g->carries = NULL;
	g->owner_reg = g->owner_kind = -1;
	g->in_event = g->in_thing = g->in_clause = -1;
}

void fn_end(struct gen *g, int results)
{
	struct fn_info *f = &g->fn.v[g->current];
	f->end = here(g);
	f->results = (uint16_t)results;
	f->registers = (uint16_t)(g->most < 1 ? 1 : g->most);
}

struct var *gen_var(struct gen *g, sym name)
{
	for (int i = g->vars; i-- > 0;)
		if (g->var[i].name == name)
			return &g->var[i];
	return NULL;
}

void gen_bind(struct gen *g, sym name, struct type *type, bool frac, int reg)
{
	must(g->vars < (int)FRAY_COUNT(g->var));
	struct var v = {name, type, frac, reg, -1};
	g->var[g->vars++] = v;
}

const char *gen_copy(struct gen *g, const char *text, size_t length)
{
	return arena_text(g->arena, text, length);
}

const char *gen_text(struct gen *g, sym name)
{
	const char *t = model_text(g->m, name);
	return gen_copy(g, t, strlen(t));
}

int text_index(struct gen *g, const char *text)
{
	for (int i = 0; i < g->text.n; i++)
		if (!strcmp(g->text.v[i], text))
			return i;
	VEC_PUSH(g->text, gen_copy(g, text, strlen(text)));
	return g->text.n - 1;
}

int dice_index(struct gen *g, const char *formula)
{
	for (int i = 0; i < g->dice.n; i++)
		if (!strcmp(g->dice.v[i].text, formula))
			return i;
	struct dice d;
	struct dice_info info = {0};
	info.text = gen_copy(g, formula, strlen(formula));
	if (dice_parse(formula, strlen(formula), &d) == DICE_OK) {
		info.count = (int16_t)d.count;
		info.sides = (int16_t)d.sides;
		info.keep_how = (uint8_t)d.how;
		info.keep = (int16_t)d.keep;
		info.explode = d.explode;
		info.reroll = (int16_t)d.reroll;
		info.add = d.add;
	}
	VEC_PUSH(g->dice, info);
	return g->dice.n - 1;
}

int label_index(struct gen *g, sym name, int owner_kind)
{
	const char *text = name ? model_text(g->m, name) : "die";
	for (int i = 0; i < g->label.n; i++)
		if (!strcmp(g->label.v[i].name, text) && g->label.v[i].owner.kind == (owner_kind < 0 ? 0 : owner_kind) &&
		    (g->label.v[i].owner.base == VT_UNKNOWN) == (owner_kind < 0))
			return i;
	struct label_info l = {0};
	l.name = gen_copy(g, text, strlen(text));
	/* fold case so that a label's address does not hang on its spelling */
	const char *folded = name ? intern_folded(g->m->front->names, name) : text;
	l.hash = hash_bytes(folded, strlen(folded), 0);
	if (owner_kind >= 0) {
		l.owner.base = VT_LIVE;
		l.owner.kind = (uint16_t)owner_kind;
	}
	VEC_PUSH(g->label, l);
	return g->label.n - 1;
}

int width_of(struct gen *g, struct type *t)
{
	return type_is(t, VT_SET) ? g->p->set_words : 1;
}

struct vtype vtype_of(struct gen *g, struct type *t, bool frac)
{
	struct vtype v = {0};
	t = type_find(t);
	v.base = t->base;
	v.frac = frac && type_number(t);
	if (t->base == VT_CHANCE)
		v.frac = true;
	if (t->base == VT_SET || t->base == VT_LIST) {
		struct type *e = type_find(t->elem);
		int kind = kind_root(g->m, e->kind);
		v.kind = (uint16_t)(kind < 0 ? 0 : kind);
		if (t->base == VT_LIST && e->base == VT_WORD)
			v.kind = OF_WORDS;
	} else if (t->base == VT_LIVE || t->base == VT_THING) {
		int kind = kind_root(g->m, t->kind);
		v.kind = (uint16_t)(kind < 0 ? 0 : kind);
	}
	return v;
}

void gen_call(struct gen *g, int fn, int window)
{
	emit_wide(g, OP_CALL, window, fn);
	if (window + 2 > g->most)
		g->most = window + 2;
}

const char *gen_excerpt(struct gen *g, struct span span)
{
	size_t length;
	const char *text = sources_text(g->m->front->sources, span, &length);
	struct buf b = {0};
	bool blank = false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
			blank = b.length > 0;
			continue;
		}
		if (blank && b.length >= 160) {
			buf_puts(&b, " ..");
			break;
		}
		if (blank)
			buf_putc(&b, ' ');
		blank = false;
		buf_putc(&b, text[i]);
	}
	const char *copy = gen_copy(g, buf_text(&b), b.length);
	buf_free(&b);
	return copy;
}
