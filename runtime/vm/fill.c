/* fill.c - loops done at once: one that fills the cells of a pair field nobody has filled - in a large fight
 * most of setting up is telling how far everybody is from everybody -, and one that stores a number into a field of all. */
#include <string.h>

#include "runtime/vm/inside.h"
#include "runtime/vm/quick.h"

/* `n` cells from `at` on, `step` words apart: those that hold nothing get the value. Was there one? */
__attribute__((noinline)) static bool fill_some(struct vm *m, uint32_t at, uint32_t step, uint32_t n, word value)
{
	word *const w = m->w;
	bool filled = false;
	for (const uint32_t end = at + n * step; at != end; at += step) {
		if (w[at] != NONE)
			continue;
		w[at] = value;
		memo_wrote(&m->memo, at);
		filled = true;
	}
	return filled;
}

/* The same of cells that mostly all hold something: those whose row was filled before. */
static inline bool fill_column(struct vm *m, uint32_t at, uint32_t step, uint32_t n, word value)
{
	const word *cell = m->w + at;
	const size_t apart = step;
	word any = 0; /* below 0 if one of them is, as NONE is */
	uint32_t left = n;
	for (; left >= 4; left -= 4, cell += 4 * apart) {
		any |= cell[0];
		any |= cell[apart];
		any |= cell[2 * apart];
		any |= cell[3 * apart];
	}
	for (; left > 0; left--, cell += apart)
		any |= *cell;
	return any < 0 && fill_some(m, at, step, n, value);
}

/* The same of neighbours that mostly all hold nothing. */
static inline bool fill_row(struct vm *m, uint32_t at, uint32_t n, word value)
{
	word *cell = m->w + at;
	const word *const end = cell + n;
	if (m->memo.cells_noted) /* something may rest on one of them */
		return fill_some(m, at, 1, n, value);
	while (end - cell >= 4 && cell[0] == NONE && cell[1] == NONE && cell[2] == NONE && cell[3] == NONE) {
		cell[0] = cell[1] = cell[2] = cell[3] = value;
		cell += 4;
	}
	bool filled = cell != m->w + at;
	for (; cell != end; cell++)
		if (*cell == NONE) {
			*cell = value;
			filled = true;
		}
	return filled;
}

/* The cells (one, member) that hold nothing get the value, for the members behind *after, all but the
 * last, who goes the ordinary way. Returns how many there were; *after becomes the last of them. */
static uint64_t fill_cells(struct vm *m, const struct pair_info *f, word one, const word *set, word *after, word value)
{
	const uint32_t side = f->side, self = (uint32_t)one, row = f->base + self * side;
	const uint32_t mirrored = f->directed ? 0 : self; /* those before it have the cell in their own row */
	const uint32_t first = (uint32_t)(*after + 1);
	int words = m->p->set_words;
	while (words > 0 && !set[words - 1])
		words--;
	if (words == 0)
		return 0;
	const uint32_t last = (uint32_t)words * 64 - 1 - (uint32_t)__builtin_clzll((uint64_t)set[words - 1]);
	if ((uint64_t)one >= side || last >= side)
		return 0;
	uint64_t members = 0;
	uint32_t end = first;
	bool filled = false;
	uint64_t mask = ~0ull << first % 64;
	for (uint32_t i = first / 64; i <= last / 64; i++, mask = ~0ull) {
		uint64_t bits = (uint64_t)set[i] & mask, rest;
		if (i == last / 64)
			bits &= (1ull << last % 64) - 1;
		for (; bits; bits &= rest) { /* run by run of neighbours */
			rest = bits + (bits & -bits); /* the bit behind the run, and the runs that follow */
			uint32_t from = i * 64 + (uint32_t)__builtin_ctzll(bits);
			end = i * 64 + (rest ? (uint32_t)__builtin_ctzll(rest) : 64);
			members += end - from;
			if (from < mirrored) {
				const uint32_t to = end < mirrored ? end : mirrored;
				filled |= fill_column(m, f->base + from * side + self, side, to - from, value);
				from = to;
			}
			if (from < end)
				filled |= fill_row(m, row + from, end - from, value);
		}
	}
	*after = (word)end - 1;
	if (filled)
		m->w[H_DIRTY] |= (word)f->touches;
	return members;
}

uint64_t fill(struct vm *m, word *r, const struct insn *i)
{
	if (m->journaling || m->memo.depth)
		return 0;
	const struct insn *write = quick_fill_write(i);
	return fill_cells(m, &m->p->pair[write->c], r[i[2].b], &r[i->b], &r[i->a], write[-1].k);
}

/* Two words at once, as every compiler can for x86-64; elsewhere it takes them apart. */
typedef word two_words __attribute__((vector_size(16)));

static inline void store_eight(word *at, two_words value)
{
	memcpy(at, &value, sizeof value);
	memcpy(at + 2, &value, sizeof value);
	memcpy(at + 4, &value, sizeof value);
	memcpy(at + 6, &value, sizeof value);
}

/* May something rest on one of eight words? */
static inline bool has_resting(const uint32_t *head)
{
	return (head[0] | head[1] | head[2] | head[3] | head[4] | head[5] | head[6] | head[7]) != 0;
}

void store_all(struct vm *m, word *r, const struct insn *i, bool asked)
{
	const struct reach *f = &m->reach[i[3].c];
	const word value = i[2].op == OP_LOADI ? i[2].k : m->p->constant[i[2].k];
	const uint32_t count = m->p->layout.kind[i->k].count;
	if (m->journaling || !f->plain || (uint64_t)(r[i->a] + 1) >= count)
		return;
	uint32_t at = f->base + (uint32_t)(r[i->a] + 1);
	const uint32_t end = f->base + count, *const head = m->memo.head;
	const word eight[] = {value, value, value, value, value, value, value, value};
	word *const w = m->w;
	for (; !asked && end - at >= 8; at += 8)
		store_eight(w + at, (two_words){value, value});
	while (at < end)
		if (end - at >= 8 && !has_resting(head + at)) {
			store_eight(w + at, (two_words){value, value});
			at += 8;
		} else if (end - at >= 8 && !memcmp(w + at, eight, sizeof eight)) {
			at += 8;
		} else {
			write_field(m, f, (word)(at - f->base), value);
			at++;
		}
	w[H_DIRTY] |= f->touches;
	r[i[2].a] = value;
	r[i->a] = (word)count - 1;
}
