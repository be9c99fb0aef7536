/* fill.c - a loop that fills the cells of a pair field nobody has filled, done at once: in a large fight
 * most of setting up is telling how far everybody is from everybody. */
#include "runtime/vm/inside.h"
#include "runtime/vm/quick.h"

/* `n` cells from `at` on, `step` words apart: those that hold nothing get the value. Was there one? */
__attribute__((always_inline)) static inline bool fill_run(struct vm *m, uint32_t at, uint32_t step, uint32_t n, word value)
{
	word *const w = m->w;
	const uint32_t *const head = m->memo.head;
	bool filled = false;
	for (const uint32_t end = at + n * step; at != end; at += step) {
		if (w[at] != NONE)
			continue;
		w[at] = value;
		filled = true;
		if (head[at])
			memo_void(&m->memo, at);
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
	uint64_t members = 0;
	bool filled = false;
	int words = m->p->set_words;
	while (words > 0 && !set[words - 1])
		words--;
	for (int i = (int)(first / 64); i < words && (uint64_t)one < side; i++) {
		uint64_t bits = (uint64_t)set[i];
		if ((uint32_t)i == first / 64)
			bits &= ~0ull << first % 64;
		if (bits && i + 1 == words)
			bits &= ~(1ull << (63 - __builtin_clzll(bits)));
		while (bits) { /* run by run of neighbours */
			const unsigned low = (unsigned)__builtin_ctzll(bits);
			const uint64_t rest = ~(bits >> low);
			const unsigned n = rest ? (unsigned)__builtin_ctzll(rest) : 64;
			uint32_t from = (uint32_t)i * 64 + low, to = from + n;
			bits &= low + n < 64 ? ~0ull << (low + n) : 0;
			*after = (word)to - 1;
			members += n;
			to = to < side ? to : side;
			if (from < to && from < mirrored) {
				const uint32_t end = to < mirrored ? to : mirrored;
				filled |= fill_run(m, f->base + from * side + self, side, end - from, value);
				from = end;
			}
			if (from < to)
				filled |= fill_run(m, row + from, 1, to - from, value);
		}
	}
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
