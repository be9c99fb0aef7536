/* block.c - the world block: made, copied, compared, looked into. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/world/block.h"

static size_t block_bytes(const struct program *p)
{
	return sizeof(word) * p->layout.words;
}

word *block_new(const struct program *p, uint64_t seed, uint64_t trial)
{
	word *block = malloc(block_bytes(p));
	if (!block)
		abort();
	block_reset(block, p, seed, trial);
	return block;
}

void block_reset(word *block, const struct program *p, uint64_t seed, uint64_t trial)
{
	memcpy(block, p->start, block_bytes(p));
	block[H_PROGRAM] = (word)p->id;
	block[H_SEED] = (word)seed;
	block[H_TRIAL] = (word)trial;
}

/* In pieces: long ones are copied byte by byte on some machines, by an instruction that is slow to begin. */
static void renew(word *block, const struct program *p, uint32_t from, uint32_t end)
{
	enum { PIECE = 128 };
	for (uint32_t n; from < end; from += n) {
		n = end - from < PIECE ? end - from : PIECE;
		memcpy(block + from, p->start + from, n * sizeof(word));
	}
}

/* The cells of a pair field that somebody may have written; returns the word behind the field. */
static uint32_t renew_pair(word *block, const struct program *p, const struct pair_info *f)
{
	if (f->fixed)
		return f->base + f->side * f->side;
	for (uint32_t a = 0; a < f->side; a++) /* of an undirected one those with the lesser thing first */
		renew(block, p, f->base + a * f->side + (f->directed ? 0 : a), f->base + (a + 1) * f->side);
	return f->base + f->side * f->side;
}

void block_renew(word *block, const struct program *p, uint64_t seed, uint64_t trial)
{
	const struct layout *l = &p->layout;
	word acts = block[H_ACTS];
	if (l->stack < l->acts || l->happenings < l->stack || acts < 0 || acts > l->act_count) {
		block_reset(block, p, seed, trial); /* laid out otherwise */
		return;
	}
	uint32_t at = 0;
	for (int i = 0; i < p->pairs; i++)
		if (p->pair[i].base >= at && p->pair[i].base + p->pair[i].side * p->pair[i].side <= l->acts) {
			renew(block, p, at, p->pair[i].base);
			at = renew_pair(block, p, &p->pair[i]);
		}
	renew(block, p, at, l->acts + (uint32_t)acts * l->act_stride);
	block[H_PROGRAM] = (word)p->id;
	block[H_SEED] = (word)seed;
	block[H_TRIAL] = (word)trial;
}

void block_copy(word *to, const word *from, const struct program *p)
{
	memcpy(to, from, block_bytes(p));
}

bool block_equal(const word *a, const word *b, const struct program *p)
{
	return memcmp(a, b, block_bytes(p)) == 0;
}

void block_tidy(word *block, const struct program *p)
{
	word top = block[H_FP] + p->fn[block[H_FN]].registers, end = (word)p->layout.stack + p->layout.stack_words;
	if (top < end)
		memset(block + top, 0, (size_t)(end - top) * sizeof *block);
}

uint64_t block_hash(const word *block, const struct program *p)
{
	return hash_bytes(block, block_bytes(p), 0);
}

int64_t block_count(const struct program *p, int kind)
{
	if (kind < 0 || kind >= 32)
		return 0;
	return kind == KIND_ACT ? p->layout.act_count : p->layout.kind[kind].count;
}

word *block_field(word *block, const struct program *p, int field, word thing)
{
	if (field < 0 || field >= p->fields)
		return NULL;
	const struct field_info *f = &p->field[field];
	if (thing < 0 || thing >= block_count(p, f->kind))
		return NULL;
	return block + f->base + (size_t)thing * f->stride;
}

word *block_pair(word *block, const struct program *p, int pair, word a, word b)
{
	if (pair < 0 || pair >= p->pairs)
		return NULL;
	const struct pair_info *f = &p->pair[pair];
	if (a < 0 || b < 0 || a >= f->side || b >= f->side)
		return NULL;
	if (!f->directed && a > b) { /* one cell for both ways */
		word swap = a;
		a = b;
		b = swap;
	}
	return block + f->base + (size_t)a * f->side + (size_t)b;
}

word *block_act(word *block, const struct program *p, word act)
{
	if (act < 0 || act >= p->layout.act_count)
		return NULL;
	return block + p->layout.acts + (size_t)act * p->layout.act_stride;
}
