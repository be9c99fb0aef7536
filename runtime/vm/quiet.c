/* quiet.c - see quiet.h. */
#include "runtime/vm/quiet.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/must.h"
#include "runtime/vm/machine.h"

/* A mark, and the word that brings it. */
struct brought { uint32_t word; struct memo_mark mark; };
struct bringers { VEC(struct brought) all; };

static int by_word(const void *a, const void *b)
{
	const uint32_t x = ((const struct brought *)a)->word, y = ((const struct brought *)b)->word;
	return (x > y) - (x < y);
}

static void add(
	struct bringers *b, uint32_t at, uint64_t bits, uint32_t from, uint32_t step, uint32_t n)
{
	VEC_PUSH(b->all, (struct brought){at, {bits, from, step, n, false}});
}

/* One loop's turns of the pair (row, who): from a cell that stands there, or the other way round.
 */
static void add_cells(
	struct bringers *b, const struct memo_quiet *q, const struct pair_info *f, bool back)
{
	for (uint32_t row = 0; row < q->rows; row++)
		for (uint32_t who = 0; who < q->things; who++) {
			uint32_t one = back ? who : row, other = back ? row : who;
			if (!f->directed && one > other) /* the cell is the other pair's */
				continue;
			add(b, f->base + one * f->side + other, 1ull << who % 64,
				q->first + row * q->words + who / 64, 1, 1);
		}
}

/* Of word k of a row, the bits that stand for somebody. */
static uint64_t all_of(const struct memo_quiet *q, uint32_t k)
{
	return k + 1 == q->words && q->things % 64 ? (1ull << q->things % 64) - 1 : ~0ull;
}

static void add_rest(struct bringers *b, const struct program *p, const struct memo_quiet *q,
	const struct quiet_rest *r)
{
	const struct field_info *f =
		r->sort == QUIET_WHO || r->sort == QUIET_ROW ? &p->field[r->of] : NULL;
	switch (r->sort) {
	case QUIET_WHO:
		for (uint32_t who = 0; who < q->things; who++)
			add(b, f->base + who * f->stride, 1ull << who % 64, q->first + who / 64,
				q->words, q->rows);
		break;
	case QUIET_ROW:
		for (uint32_t row = 0; row < q->rows; row++)
			for (uint32_t k = 0; k < q->words; k++)
				add(b, f->base + row * f->stride, all_of(q, k),
					q->first + row * q->words + k, 1, 1);
		break;
	case QUIET_CELL: case QUIET_BACK:
		add_cells(b, q, &p->pair[r->of], r->sort == QUIET_BACK);
		break;
	case QUIET_WORD:
		for (uint32_t k = 0; k < q->words; k++)
			add(b, r->at, all_of(q, k), q->first + k, q->words, q->rows);
		break;
	}
}

static void set_marks(struct memo *x, struct bringers *b)
{
	if (b->all.n > 0)
		qsort(b->all.v, (size_t)b->all.n, sizeof *b->all.v, by_word);
	for (int i = 0; i < b->all.n; i++) {
		const struct brought *one = &b->all.v[i];
		if (i == 0 || one[-1].word != one->word) {
			x->marks_of[one->word] = (uint32_t)x->mark.n;
			x->head[one->word] |= MEMO_QUIET;
			VEC_PUSH(x->marked, one->word);
		}
		VEC_PUSH(x->mark, one->mark);
		x->mark.v[x->mark.n - 1].last = i + 1 == b->all.n || one[1].word != one->word;
	}
}

void quiet_open(struct memo *x, const struct program *p)
{
	struct bringers b = {{0}};
	if (!x->on || p->quiets == 0)
		return;
	x->quiet = calloc((size_t)p->quiets, sizeof *x->quiet);
	x->marks_of = calloc(x->words, sizeof *x->marks_of);
	must(x->quiet && x->marks_of);
	x->quiets = (uint32_t)p->quiets;
	for (int i = 0; i < p->quiets; i++) {
		const struct quiet_info *q = &p->quiet[i];
		const uint32_t things = p->layout.kind[q->kind].count;
		x->quiet[i] = (struct memo_quiet){
			x->due_words, (things + 63) / 64, q->pairs ? things : 1, things};
		x->due_words += x->quiet[i].words * x->quiet[i].rows;
		for (int r = 0; r < q->count; r++) {
			const struct quiet_rest *of = &p->quiet_rest[q->first + r];
			x->cells_noted |= of->sort == QUIET_CELL || of->sort == QUIET_BACK;
			add_rest(&b, p, &x->quiet[i], of);
		}
	}
	x->due = malloc((x->due_words + 1) * sizeof *x->due);
	must(x->due);
	set_marks(x, &b);
	quiet_forget(x);
	VEC_FREE(b.all);
}

void quiet_close(struct memo *x)
{
	free(x->quiet);
	free(x->due);
	free(x->marks_of);
	VEC_FREE(x->mark);
	VEC_FREE(x->marked);
}

void quiet_forget(struct memo *x)
{
	for (uint32_t i = 0; x->due && i < x->quiets; i++)
		for (uint32_t k = 0; k < x->quiet[i].rows * x->quiet[i].words; k++)
			x->due[x->quiet[i].first + k] = all_of(&x->quiet[i], k % x->quiet[i].words);
}

void quiet_wrote(struct memo *x, uint32_t at)
{
	const struct memo_mark *k = &x->mark.v[x->marks_of[at]];
	for (;; k++) {
		uint64_t *due = x->due + k->at;
		for (uint32_t n = k->n; n > 0; n--, due += k->step)
			*due |= k->bits;
		if (k->last)
			return;
	}
}

void quiet_renew(struct memo *x, const word *now, const word *to)
{
	for (int i = 0; i < x->marked.n; i++) {
		const uint32_t at = x->marked.v[i];
		if (now[at] != to[at])
			quiet_wrote(x, at);
	}
}

/* Is it known who is due, and may the others be passed over? A copy or a trial notes what is stored
 * even where it stands there already. */
static bool is_known(const struct vm *m, const struct quiet_info *q, word row)
{
	return m->memo.due && m->memo.depth == 0 && vm_remembers(m) &&
		!(q->writes && (m->journaling || m->tries)) &&
		(!q->pairs || (uint64_t)row < m->p->layout.kind[q->kind].count);
}

word quiet_next(struct vm *m, int32_t loop, word one, word row)
{
	const struct quiet_info *q = &m->p->quiet[loop];
	const uint64_t from = (uint64_t)one + 1, things = m->p->layout.kind[q->kind].count;
	if (from >= things)
		return NONE;
	if (!is_known(m, q, row))
		return (word)from;
	const struct memo_quiet *x = &m->memo.quiet[loop];
	uint64_t *due = m->memo.due + x->first + (q->pairs ? (uint64_t)row * x->words : 0);
	uint64_t k = from / 64, bits = due[k] >> from % 64 << from % 64;
	while (!bits && ++k < x->words)
		bits = due[k];
	if (!bits)
		return NONE;
	const uint64_t who = k * 64 + (uint64_t)__builtin_ctzll(bits);
	due[k] &= ~(bits & -bits);
	return (word)who;
}

void quiet_again(struct vm *m, int32_t loop, word one, word row)
{
	const struct quiet_info *q = &m->p->quiet[loop];
	const uint64_t things = m->p->layout.kind[q->kind].count;
	if (!m->memo.due || (uint64_t)one >= things || (q->pairs && (uint64_t)row >= things))
		return;
	const struct memo_quiet *x = &m->memo.quiet[loop];
	m->memo.due[x->first + (q->pairs ? (uint64_t)row * x->words : 0) + (uint64_t)one / 64] |=
		1ull << one % 64;
}
