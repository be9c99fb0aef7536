/* symbols.h - numbers that are not known while a machine is lifted (lift.h): what a die shows and what came of it. A word
 * in the world or a register is plain, or stands for a symbol. */
#ifndef FRAY_VM_SYMBOLS_H
#define FRAY_VM_SYMBOLS_H

#include "runtime/vm/lift.h"

/* Beyond this sums could overflow: they are noted as they are made, and checked. */
#define WIDE ((word)1 << 56)

static inline struct symbol *symbol_of(const struct lift *l, word w)
{
	return &l->symbol.v[w - SYMBOL_FIRST];
}

/* A plain word that was just made. One that looks like a symbol ends the attempt, and the run
 * goes on with 1,
 * which is safe as a number, as a fraction and as a set. */
static inline word lift_plain(struct lift *l, word w)
{
	if (!is_symbol(w))
		return w;
	l->failed = true;
	return 1;
}

static inline bool settled(const struct symbol *s)
{
	return s->fixed || (!s->frac && s->low == s->high);
}

/* A symbol with one value left is that value. */
static inline word plain(const struct lift *l, word w)
{
	if (!is_symbol(w))
		return w;
	const struct symbol *s = symbol_of(l, w);
	return settled(s) ? s->value : w;
}

static inline word value_of(const struct lift *l, word w)
{
	return is_symbol(w) ? symbol_of(l, w)->value : w;
}

static inline word low_of(const struct lift *l, word w)
{
	return is_symbol(w) ? symbol_of(l, w)->low : w;
}

static inline word high_of(const struct lift *l, word w)
{
	return is_symbol(w) ? symbol_of(l, w)->high : w;
}

static inline bool frac_symbol(const struct lift *l, word w)
{
	return is_symbol(w) && symbol_of(l, w)->frac;
}

/* ---- lift_symbol.c ---- */
word lift_symbol_add(struct lift *l, struct symbol s);
uint16_t lift_slot_new(struct lift *l);
uint16_t lift_constant_slot(struct lift *l, word value);
uint16_t lift_slot_of(struct lift *l, word w);  /* where the word stands; it is noted how it is come to when it must be */
void lift_note(struct lift *l, struct step s);

/* ---- lift_test.c ---- */
int lift_sure_of(const struct lift *l, int op, word a, word b); /* 0, 1; -1: it may be either */

#endif
