/* fill.c - a loop that fills the cells of a pair field nobody has filled, done at once: in a large fight
 * most of setting up is telling how far everybody is from everybody. */
#include "runtime/vm/inside.h"
#include "runtime/vm/quick.h"

/* The cells (one, member) that hold nothing get the value, for the members behind *after, all but the
 * last, who goes the ordinary way. Returns how many there were; *after becomes the last of them. */
static uint64_t fill_cells(struct vm *m, const struct pair_info *f, word one, const word *set, word *after, word value)
{
	uint64_t members = 0;
	const uint64_t side = f->side, self = (uint64_t)one;
	const uint32_t base = f->base, row = base + (uint32_t)(self * side);
	const uint64_t mirrored = f->directed ? 0 : self; /* those before it have the cell in their own row */
	const word first = *after + 1;
	uint64_t who = (uint64_t)*after;
	word *const w = m->w;
	const uint32_t *const head = m->memo.head;
	bool filled = false;
	int words = m->p->set_words;
	while (words > 0 && !set[words - 1])
		words--;
	for (int i = (int)(first / 64); i < words && self < side; i++) {
		uint64_t bits = (uint64_t)set[i];
		if (i == first / 64)
			bits &= ~0ull << first % 64;
		if (bits && i + 1 == words)
			bits &= ~(1ull << (63 - __builtin_clzll(bits)));
		for (; bits; bits &= bits - 1) {
			who = (uint64_t)i * 64 + (uint64_t)__builtin_ctzll(bits);
			members++;
			if (who >= side)
				continue;
			const uint32_t at = who < mirrored ? base + (uint32_t)(who * side + self) : row + (uint32_t)who;
			if (w[at] != NONE)
				continue;
			w[at] = value;
			if (head[at])
				memo_void(&m->memo, at);
			filled = true;
		}
	}
	*after = (word)who;
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
