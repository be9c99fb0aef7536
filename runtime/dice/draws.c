/* draws.c - see draws.h: blocks made, one by one and several at once. */
#include <stdlib.h>

#include "runtime/dice/draws.h"

#include "runtime/dice/dice.h"

#ifdef __x86_64__
#include <immintrin.h>

/* draws_many.inc: MANY_LAY */
__attribute__((target("avx2"), always_inline)) static inline void lay_four(uint16_t *piece, size_t width, __m256i words)
{
	const __m256i by_two = _mm256_setr_epi8(6, 7, 14, 15, 4, 5, 12, 13, 2, 3, 10, 11, 0, 1, 8, 9, 6, 7, 14, 15, 4, 5, 12, 13, 2, 3, 10, 11, 0, 1, 8, 9);
	const __m256i by_four = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
	words = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(words, by_two), by_four);
	const __m128d first = _mm256_castpd256_pd128(_mm256_castsi256_pd(words)), second = _mm256_extractf128_pd(_mm256_castsi256_pd(words), 1);
	_mm_storel_pd((double *)(void *)piece, first);
	_mm_storeh_pd((double *)(void *)(piece + width), first);
	_mm_storel_pd((double *)(void *)(piece + 2 * width), second);
	_mm_storeh_pd((double *)(void *)(piece + 3 * width), second);
}

__attribute__((target("avx512bw"), always_inline)) static inline void lay_eight(uint16_t *piece, size_t width, __m512i words)
{
	const __m512i by_piece = _mm512_set_epi16(28, 24, 20, 16, 12, 8, 4, 0, 29, 25, 21, 17, 13, 9, 5, 1, 30, 26, 22, 18, 14, 10, 6, 2, 31, 27, 23, 19, 15, 11, 7, 3);
	words = _mm512_permutexvar_epi16(by_piece, words);
	_mm_storeu_si128((__m128i *)(void *)piece, _mm512_castsi512_si128(words));
	_mm_storeu_si128((__m128i *)(void *)(piece + width), _mm512_extracti32x4_epi32(words, 1));
	_mm_storeu_si128((__m128i *)(void *)(piece + 2 * width), _mm512_extracti32x4_epi32(words, 2));
	_mm_storeu_si128((__m128i *)(void *)(piece + 3 * width), _mm512_extracti32x4_epi32(words, 3));
}

#define MANY 4
#define MANY_TARGET "avx2"
#define MANY_NAME(x) four_##x
#define MANY_TIMES(a, b) ((four_words)_mm256_mul_epu32((__m256i)(a), (__m256i)(b)))
#define MANY_JOIN(low, high) ((four_words)_mm256_blend_epi32((__m256i)(low), (__m256i)(high), 0xaa))
#define MANY_LAY(piece, width, words) lay_four(piece, width, (__m256i)(words))
#include "runtime/dice/draws_many.inc"

#define MANY 8
#define MANY_TWICE
#define MANY_TARGET "avx512bw"
#define MANY_NAME(x) eight_##x
#define MANY_TIMES(a, b) ((eight_words)_mm512_mul_epu32((__m512i)(a), (__m512i)(b)))
#define MANY_JOIN(low, high) ((eight_words)_mm512_mask_blend_epi32(0xaaaa, (__m512i)(low), (__m512i)(high)))
#define MANY_LAY(piece, width, words) lay_eight(piece, width, (__m512i)(words))
#include "runtime/dice/draws_many.inc"
#endif

static void set_keys(struct draws *d, uint64_t seed)
{
	for (uint32_t n = 0; n < DRAW_ROUNDS; n++)
		for (int i = 0; i < DRAWS_MOST; i++) {
			d->key[n][0][i] = seed + n * DRAW_KEY;
			d->key[n][1][i] = n * DRAW_OTHER;
		}
}

/* Of 8, 4 and 1 the most that the processor can. */
static uint32_t at_once(void)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx512bw"))
		return 8;
	if (__builtin_cpu_supports("avx2"))
		return 4;
#endif
	return 1;
}

void draws_open(struct draws *d, uint32_t labels, uint32_t owners)
{
	const size_t width = (owners + DRAWS_MOST - 1) & ~(DRAWS_MOST - 1u), places = labels * width;
	*d = (struct draws){.labels = labels, .owners = owners, .width = (uint32_t)width, .turn = (uint64_t)1 << 32, .at_once = at_once()};
	d->has = calloc(places * (2 * sizeof *d->has + DRAW_WORDS * sizeof *d->sum + DRAW_PIECES * sizeof *d->piece) + labels * sizeof *d->label + width * sizeof *d->owner + 1, 1);
	if (!d->has)
		abort();
	d->has_sum = d->has + places;
	d->label = d->has_sum + places;
	d->owner = d->label + labels;
	d->sum = d->owner + width;
	d->piece = (uint16_t *)(d->sum + DRAW_WORDS * places);
	set_keys(d, 0);
}

void draws_close(struct draws *d)
{
	free(d->has);
	*d = (struct draws){0};
}

void draws_turn(struct draws *d, uint64_t seed, uint64_t trial)
{
	if (d->seed != seed)
		set_keys(d, seed);
	d->seed = seed;
	d->trial = trial;
	d->turn += (uint64_t)1 << 32;
	if (d->turn == DRAWS_NEVER) {
		memset(d->has, 0, 2 * sizeof *d->has * d->labels * d->width); /* and has_sum */
		d->turn = (uint64_t)1 << 32;
	}
}

__attribute__((noinline)) static void fill_one(const struct draws *d, uint32_t label, uint32_t owner, uint32_t occurrence)
{
	struct draw_block b;
	uint16_t *piece = &d->piece[label * DRAW_PIECES * d->width + owner];
	draw_fill(&b, d->seed, d->label[label] ^ d->owner[owner], d->trial, occurrence);
	for (uint32_t n = 0; n < DRAW_PIECES; n++, piece += d->width)
		*piece = (uint16_t)draw_piece(b.word, n);
	d->has[label * d->width + owner] = d->turn + (occurrence & ~(DRAW_PIECES - 1u));
}

void draws_fill(struct draws *d, uint32_t label, uint32_t owner, uint32_t occurrence)
{
#ifdef __x86_64__
	if (occurrence < DRAW_PIECES && owner + 1 < d->owners && d->at_once != 1) {
		if (d->at_once == 8 && (owner & ~15u) + 16 <= d->width)
			eight_fill_twice(d, label, owner & ~15u);
		else if (d->at_once == 8)
			eight_fill(d, label, owner & ~7u);
		else
			four_fill(d, label, owner & ~3u);
		return;
	}
#endif
	fill_one(d, label, owner, occurrence);
}

/* Are the words of an owner's first roll of several dice at hand, or can they be made with his neighbours'? */
static bool has_sum(const struct draws *d, uint32_t label, uint32_t owner)
{
	if (d->has_sum[label * d->width + owner] == d->turn)
		return true;
#ifdef __x86_64__
	if (owner + 1 < d->owners && d->at_once != 1) {
		if (d->at_once == 8)
			eight_fill_sums(d, label, owner & ~7u);
		else
			four_fill_sums(d, label, owner & ~3u);
		return true;
	}
#endif
	return false;
}

int64_t draws_sum(struct draws *d, uint32_t label, uint32_t owner, uint32_t occurrence, int count, int sides, int add)
{
	const uint64_t address = d->label[label] ^ d->owner[owner];
	if (occurrence > 0 || count == 1 || !has_sum(d, label, owner))
		return seeded_sum(d->seed, d->trial, address, occurrence, count, sides, add);
	return seeded_sum_of(&d->sum[label * DRAW_WORDS * d->width + owner], d->width, d->seed, d->trial, address, count, sides, add);
}
