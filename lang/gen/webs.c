/* webs.c - registers given anew. What is written into a register and read from it belongs together: a web.
 * Before the passes each web gets a register of its own beyond the function's, so that nothing known is
 * lost because a register served twice; after them the webs are put back into as few as they need, those
 * that a move connects into the same one if that can be. A web whose place matters - it lies in a window,
 * a set or a pair, it is an argument - stays where it is. */
#include "lang/gen/insn_list.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t *live_before(const struct items *s, int32_t at)
{
	return s->live + (size_t)at * LIVE_WORDS;
}

/* Those read after an item, wherever it goes on. */
static void live_behind(const struct items *s, int32_t at, uint64_t *set)
{
	const struct item *x = &s->item[at];
	memset(set, 0, LIVE_WORDS * sizeof *set);
	for (int w = 0; w < LIVE_WORDS; w++) {
		if (goes_on((enum op)x->i.op))
			set[w] |= live_before(s, at + 1)[w];
		if (x->to >= 0)
			set[w] |= live_before(s, x->to)[w];
	}
}

static uint16_t *operand(struct insn *i, int k)
{
	return k == 0 ? &i->a : k == 1 ? &i->b : &i->c;
}

/* Goes on from one to the next of what it writes. */
static bool is_cursor(enum op op)
{
	return op == OP_SNEXT || op == OP_KNEXT;
}

/* Operands another register will do for, as bits: those read, and the one written. */
static int replaceable(const struct items *s, const struct insn *i)
{
	int which = item_sources(s, i);
	if (op_table[i->op].shape[0] == 'd' && i->op != OP_WOKE)
		which |= 1;
	return which;
}

/* ---- apart ---- */

struct webs {
	int32_t *first;  /* by item: its first node; a node is a register that is read at an item or later */
	int32_t *parent; /* by node */
	uint8_t *stays;  /* by node that stands for its web */
	uint16_t *given; /* the same: its new register, 0 none yet */
};

static int32_t node(const struct items *s, const struct webs *x, int32_t at, int reg)
{
	const uint64_t *live = live_before(s, at);
	int32_t n = x->first[at];
	for (int w = 0; w < reg / 64; w++)
		n += __builtin_popcountll(live[w]);
	return n + __builtin_popcountll(live[reg / 64] & ((1ull << reg % 64) - 1));
}

static int32_t root(struct webs *x, int32_t n)
{
	while (x->parent[n] != n)
		n = x->parent[n] = x->parent[x->parent[n]];
	return n;
}

static void join(struct webs *x, int32_t a, int32_t b)
{
	a = root(x, a);
	b = root(x, b);
	if (a == b)
		return;
	x->parent[b] = a;
	x->stays[a] |= x->stays[b];
}

/* What comes out of an item in a register: a node of who reads it next; -1. */
static int32_t coming_out(const struct items *s, const struct webs *x, int32_t at, int reg)
{
	const struct item *i = &s->item[at];
	if (goes_on((enum op)i->i.op) && reg_in(live_before(s, at + 1), reg))
		return node(s, x, at + 1, reg);
	return i->to >= 0 && reg_in(live_before(s, i->to), reg) ? node(s, x, i->to, reg) : -1;
}

/* Writes what it reads: what was there goes on into what is there then. */
static bool is_carried(enum op op)
{
	return is_cursor(op) || op == OP_SADD || op == OP_WOKE || op == OP_STEP || op == OP_TURN;
}

/* Registers that hold something new behind it, whatever was there. */
static int replaced(const struct items *s, const struct insn *i, int *first)
{
	if (is_carried((enum op)i->op))
		return 0;
	return i->op == OP_SKNOWN ? (*first = i->a, s->p->set_words) : item_written(s, i, first);
}

static void put_all(uint64_t *set, int first, int n)
{
	for (int r = first; r < first + n && r < REGISTERS; r++)
		reg_put(set, r);
}

/* What it reads where it stands, and nowhere else. */
static void read_in_place(const struct items *s, struct insn *i, uint64_t *set)
{
	const char *shape = op_table[i->op].shape;
	int which = replaceable(s, i), last = s->f->registers;
	uint64_t others[LIVE_WORDS] = {0};
	memset(set, 0, LIVE_WORDS * sizeof *set);
	live_step(s->p, s->f, i, set);
	for (int k = 0; k < 3 && shape[k] && !strchr("KCJFELTMY", shape[k]); k++) {
		int reg = *operand(i, k);
		if (shape[k] == 'w')
			put_all(others, reg, last - reg);
		else if ((shape[k] == 's' || shape[k] == 'S') && !(which >> k & 1))
			put_all(others, reg, i->op == OP_RET ? i->b : live_words(s->p, i, k));
		else if (which >> k & 1 && (shape[k] == 's' || is_cursor((enum op)i->op)))
			set[reg / 64] &= ~(1ull << reg % 64);
	}
	for (int w = 0; w < LIVE_WORDS; w++)
		set[w] |= others[w];
}

static void connect(struct items *s, struct webs *x, int32_t at)
{
	struct item *i = &s->item[at];
	uint64_t behind[LIVE_WORDS], reads[LIVE_WORDS];
	int from, written = item_written(s, &i->i, &from), first = 0, new = replaced(s, &i->i, &first);
	bool free = replaceable(s, &i->i) & 1;
	live_behind(s, at, behind);
	for (int w = 0; w < LIVE_WORDS; w++)
		for (uint64_t left = behind[w]; left; left &= left - 1) {
			int r = w * 64 + __builtin_ctzll(left);
			int32_t out = coming_out(s, x, at, r);
			if (i->to >= 0 && reg_in(live_before(s, i->to), r))
				join(x, out, node(s, x, i->to, r));
			if (r < first || r >= first + new)
				join(x, out, node(s, x, at, r));
			if (r >= from && r < from + written && !free)
				x->stays[root(x, out)] = 1;
		}
	read_in_place(s, &i->i, reads);
	for (int w = 0; w < LIVE_WORDS; w++)
		for (uint64_t left = reads[w] & live_before(s, at)[w]; left; left &= left - 1)
			x->stays[root(x, node(s, x, at, w * 64 + __builtin_ctzll(left)))] = 1;
}

/* The register of a web: a new one, if there are any left. */
static uint16_t register_of(struct items *s, struct webs *x, int32_t n, uint16_t reg)
{
	n = root(x, n);
	if (x->stays[n] || (!x->given[n] && s->registers == REGISTERS))
		return reg;
	if (!x->given[n])
		x->given[n] = (uint16_t)s->registers++;
	return x->given[n];
}

static void rename_item(struct items *s, struct webs *x, int32_t at)
{
	struct insn *i = &s->item[at].i;
	const char *shape = op_table[i->op].shape;
	int which = replaceable(s, i);
	for (int k = 0; k < 3; k++) {
		uint16_t *reg = operand(i, k);
		if (!(which >> k & 1))
			continue;
		int32_t n = shape[k] == 'd' && !is_cursor((enum op)i->op) ? coming_out(s, x, at, *reg) : node(s, x, at, *reg);
		if (n >= 0)
			*reg = register_of(s, x, n, *reg);
	}
}

void items_split(struct items *s)
{
	struct webs x = {.first = malloc(((size_t)s->n + 1) * sizeof *x.first)};
	int32_t nodes = 0;
	if (!x.first)
		abort();
	items_find_live(s);
	for (int32_t at = 0; at <= s->n; at++) {
		x.first[at] = nodes;
		for (int w = 0; w < LIVE_WORDS; w++)
			nodes += __builtin_popcountll(live_before(s, at)[w]);
	}
	x.parent = malloc(((size_t)nodes + 1) * sizeof *x.parent);
	x.stays = calloc((size_t)nodes + 1, 1);
	x.given = calloc((size_t)nodes + 1, sizeof *x.given);
	if (!x.parent || !x.stays || !x.given)
		abort();
	for (int32_t n = 0; n < nodes; n++)
		x.parent[n] = n;
	for (int32_t at = 0; at < s->n; at++)
		connect(s, &x, at);
	/* who called has put them there */
	for (int32_t n = 0; s->n > 0 && n < x.first[1]; n++)
		x.stays[root(&x, n)] = 1;
	for (int32_t at = 0; at < s->n; at++)
		rename_item(s, &x, at);
	free(x.first);
	free(x.parent);
	free(x.stays);
	free(x.given);
}

/* ---- together ---- */

enum { GROWTH = 24 }; /* registers a function may take beyond those it had */

struct gathering {
	uint64_t apart[REGISTERS][LIVE_WORDS]; /* both hold something at once */
	int16_t in[REGISTERS];                 /* put together with; itself */
	int16_t below[REGISTERS];              /* lies across a call whose window begins there */
	int16_t given[REGISTERS];              /* -1 none yet */
};

static int same_as(const struct gathering *g, int reg)
{
	while (g->in[reg] != reg)
		reg = g->in[reg];
	return reg;
}

static void keep_apart(struct gathering *g, int reg, const uint64_t *others)
{
	for (int w = 0; w < LIVE_WORDS; w++)
		for (uint64_t left = others[w]; left; left &= left - 1) {
			int r = w * 64 + __builtin_ctzll(left);
			if (r == reg)
				continue;
			reg_put(g->apart[r], reg);
			reg_put(g->apart[reg], r);
		}
}

/* Has it read all before it writes? */
static bool reads_first(enum op op)
{
	return item_is_free(op) || op == OP_ADD || op == OP_SUB || op == OP_MUL;
}

static void find_apart(const struct items *s, struct gathering *g)
{
	for (int32_t at = 0; at < s->n; at++) {
		const struct insn *i = &s->item[at].i;
		uint64_t behind[LIVE_WORDS];
		int first, n = item_written(s, i, &first);
		live_behind(s, at, behind);
		if (i->op == OP_CALL || i->op == OP_CALLACT || i->op == OP_SETTLE || i->op == OP_SKNOWN) {
			for (int w = s->f->registers / 64; w < LIVE_WORDS; w++)
				for (uint64_t left = behind[w]; left; left &= left - 1) {
					int r = w * 64 + __builtin_ctzll(left);
					if (r >= s->f->registers && g->below[r] > first)
						g->below[r] = (int16_t)first;
				}
			continue;
		}
		if (i->op == OP_MOVE)
			behind[i->b / 64] &= ~(1ull << i->b % 64);
		for (int r = first; r < first + n && r < REGISTERS; r++) {
			keep_apart(g, r, behind);
			if (!reads_first((enum op)i->op))
				keep_apart(g, r, live_before(s, at));
		}
	}
}

/* One register for both, if they never hold different things. */
static void put_together(const struct items *s, struct gathering *g, int a, int b)
{
	int own = s->f->registers;
	a = same_as(g, a);
	b = same_as(g, b);
	if (a > b) {
		int t = a;
		a = b;
		b = t;
	}
	if (a == b || b < own || reg_in(g->apart[a], b) ||
		(a < own && (a < s->f->arguments || a >= g->below[b])))
		return;
	keep_apart(g, a, g->apart[b]);
	g->in[b] = (int16_t)a;
	if (g->below[b] < g->below[a])
		g->below[a] = g->below[b];
}

static bool find_place(const struct items *s, struct gathering *g, int reg)
{
	uint64_t taken[LIVE_WORDS] = {0};
	for (int w = 0; w < LIVE_WORDS; w++)
		for (uint64_t left = g->apart[reg][w]; left; left &= left - 1) {
			int given = g->given[same_as(g, w * 64 + __builtin_ctzll(left))];
			if (given >= 0)
				reg_put(taken, given);
		}
	for (int r = s->f->arguments; r < g->below[reg]; r++)
		if (!reg_in(taken, r)) {
			g->given[reg] = (int16_t)r;
			return true;
		}
	return false;
}

/* Those that calls leave the least room first. */
static bool find_places(const struct items *s, struct gathering *g)
{
	int last = s->f->registers + GROWTH < REGISTERS - 8 ? s->f->registers + GROWTH : REGISTERS - 8;
	for (int below = 0; below <= last; below++)
		for (int r = s->f->registers; r < s->registers; r++) {
			if (g->below[r] > last)
				g->below[r] = (int16_t)last;
			if (g->below[r] == below && g->in[r] == r && !find_place(s, g, r))
				return false;
		}
	return true;
}

static bool gather(struct items *s, struct gathering *g, bool moves)
{
	memset(g->apart, 0, sizeof g->apart);
	for (int r = 0; r < REGISTERS; r++) {
		g->in[r] = (int16_t)r;
		g->below[r] = REGISTERS;
		g->given[r] = r < s->f->registers ? (int16_t)r : -1;
	}
	find_apart(s, g);
	for (int32_t at = 0; moves && at < s->n; at++)
		if (s->item[at].i.op == OP_MOVE)
			put_together(s, g, s->item[at].i.a, s->item[at].i.b);
	return find_places(s, g);
}

bool items_gather(struct items *s)
{
	static _Thread_local struct gathering g;
	int most = s->f->registers;
	if (s->registers == s->f->registers)
		return true;
	items_find_live(s);
	if (!gather(s, &g, true) && !gather(s, &g, false))
		return false;
	for (int32_t at = 0; at < s->n; at++) {
		struct insn *i = &s->item[at].i;
		int which = replaceable(s, i);
		for (int k = 0; k < 3; k++) {
			uint16_t *reg = operand(i, k);
			if (!(which >> k & 1))
				continue;
			*reg = (uint16_t)g.given[same_as(&g, *reg)];
			if (*reg >= most)
				most = *reg + 1;
		}
		if (i->op == OP_MOVE && i->a == i->b)
			item_clear(s, at);
	}
	s->f->registers = (uint16_t)most;
	s->registers = most;
	return true;
}
