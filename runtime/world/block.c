/* block.c - the world block: made, copied, compared, looked into. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/buf.h"
#include "runtime/base/hash.h"
#include "runtime/base/must.h"
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

static void mark(bool *stays, const struct program *p, uint32_t from, uint32_t n)
{
	if (from <= p->layout.acts && n <= p->layout.acts - from)
		memset(stays + from, true, n);
}

/* What nobody writes: fields, and of a pair field for both ways the cells with the greater thing first. */
static void mark_staying(bool *stays, const struct program *p)
{
	for (int i = 0; i < p->fields; i++) {
		const struct field_info *f = &p->field[i];
		for (uint32_t k = 0; k < p->layout.kind[f->kind].count && f->fixed && f->kind != KIND_ACT; k++)
			mark(stays, p, f->base + k * f->stride, f->words);
	}
	for (int i = 0; i < p->pairs; i++) {
		const struct pair_info *f = &p->pair[i];
		for (uint32_t k = 0; k < f->side; k++)
			mark(stays, p, f->base + k * f->side, f->fixed ? f->side : f->directed ? 0 : k);
	}
}

void block_find_runs(struct block_runs *x, const struct program *p)
{
	enum { APART = 16 }; /* what is less apart is written on the way */
	const struct layout *l = &p->layout;
	x->n = 0;
	if (p->observed || l->stack < l->acts || l->happenings < l->stack)
		return; /* its host may write, too; laid out otherwise */
	bool *stays = calloc(l->acts + 1, sizeof *stays);
	if (!stays)
		abort();
	mark_staying(stays, p);
	for (uint32_t at = 0; at < l->acts; at++) {
		if (stays[at])
			continue;
		if (x->n && at - x->v[x->n - 1].end < APART)
			x->v[x->n - 1].end = at + 1;
		else
			VEC_PUSH(*x, (struct block_run){at, at + 1});
	}
	free(stays);
}

void block_renew(word *block, const struct program *p, const struct block_runs *runs, uint64_t seed, uint64_t trial)
{
	const struct layout *l = &p->layout;
	word acts = block[H_ACTS];
	if (runs->n == 0 || acts < 0 || acts > l->act_count) {
		block_reset(block, p, seed, trial);
		return;
	}
	for (int i = 0; i < runs->n; i++)
		renew(block, p, runs->v[i].from, runs->v[i].end);
	renew(block, p, l->acts, l->acts + (uint32_t)acts * l->act_stride);
	must(memcmp(block, p->start, (l->acts + l->act_count * l->act_stride) * sizeof *block) == 0);
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
	const word pc = block[H_PC], end = (word)p->layout.stack + p->layout.stack_words;
	const bool paused = pc > 0 && pc <= p->code_count && p->code[pc - 1].op == OP_PAUSE;
	const int32_t held = paused ? p->code[pc - 1].k : 0;
	word top = block[H_FP] + (held ? held - 1 : p->fn[block[H_FN]].registers);
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
