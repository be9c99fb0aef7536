/* basis.c - sums of columns, reduced as they come. */
#include "runtime/sim/basis.h"

#include <stdlib.h>
#include <string.h>

enum { FORMS_MOST = 40, BY_MOST = 1 << 20 };

void basis_begin(struct basis *s, int columns)
{
	memset(s, 0, sizeof *s);
	s->words = columns / 64 + 1;
	s->alone = calloc((size_t)s->words, sizeof *s->alone);
	if (!s->alone)
		abort();
}

void basis_free(struct basis *s)
{
	for (int i = 0; i < s->form.n; i++)
		free(s->form.v[i].term);
	VEC_FREE(s->form);
	free(s->alone);
	memset(s, 0, sizeof *s);
}

int terms_combine(struct term *to, const struct term *a, int an, int64_t x, const struct term *b, int bn, int64_t y)
{
	int n = 0;
	for (int i = 0, k = 0; i < an || k < bn;) {
		bool left = k == bn || (i < an && a[i].column <= b[k].column), right = i == an || (k < bn && b[k].column <= a[i].column);
		int32_t column = left ? a[i].column : b[k].column;
		int64_t by = (left ? x * a[i].by : 0) + (right ? y * b[k].by : 0);
		i += left;
		k += right;
		if (by == 0)
			continue;
		if (n == TERMS_MOST || by > BY_MOST || by < -BY_MOST)
			return -1;
		to[n++] = (struct term){column, (int32_t)by};
	}
	return n;
}

static int32_t by_of(const struct term *t, int n, int32_t column)
{
	for (int i = 0; i < n; i++)
		if (t[i].column == column)
			return t[i].by;
	return 0;
}

static struct form form_taken(struct basis *s, int at)
{
	struct form f = s->form.v[at];
	s->form.v[at] = s->form.v[--s->form.n];
	return f;
}

/* Sums in which the column stands are looked at again. */
static void look_again(struct basis *s, int32_t column)
{
	VEC(struct form) again = {0};
	for (int i = s->form.n; i-- > 0;)
		if (by_of(s->form.v[i].term, s->form.v[i].n, column))
			VEC_PUSH(again, form_taken(s, i));
	for (int i = 0; i < again.n; i++) {
		basis_add(s, again.v[i].term, again.v[i].n);
		free(again.v[i].term);
	}
	VEC_FREE(again);
}

static bool add_alone(struct basis *s, int32_t column)
{
	if (basis_alone(s, column))
		return false;
	s->alone[column / 64] |= 1ull << (column % 64);
	look_again(s, column);
	return true;
}

static bool all_alone(struct basis *s, const struct term *t, int n)
{
	bool grew = false;
	for (int i = 0; i < n; i++)
		grew |= add_alone(s, t[i].column);
	return grew;
}

/* What is left of the sum when columns that stand alone, and the sums there are, are taken out;
 * -1: it becomes too much. */
static int reduced(const struct basis *s, struct term *to, const struct term *t, int n)
{
	struct term other[TERMS_MOST];
	int m = 0;
	for (int i = 0; i < n; i++)
		if (!basis_alone(s, t[i].column)) {
			if (m == TERMS_MOST)
				return -1;
			to[m++] = t[i];
		}
	for (int i = 0; i < s->form.n && m > 0; i++) {
		const struct form *f = &s->form.v[i];
		int32_t by = by_of(to, m, f->term[0].column);
		if (!by)
			continue;
		m = terms_combine(other, to, m, f->term[0].by, f->term, f->n, -(int64_t)by);
		if (m < 0)
			return -1;
		memcpy(to, other, (size_t)m * sizeof *to);
	}
	return m;
}

static int32_t common(const struct term *t, int n)
{
	int32_t g = 0;
	for (int i = 0; i < n; i++)
		for (int32_t a = t[i].by < 0 ? -t[i].by : t[i].by; a;) {
			int32_t r = g % a;
			g = a;
			a = r;
		}
	return g;
}

bool basis_add(struct basis *s, const struct term *term, int n)
{
	struct term t[TERMS_MOST];
	int m = reduced(s, t, term, n);
	if (m < 0)
		return all_alone(s, term, n);
	if (m == 0)
		return false;
	if (m == 1)
		return add_alone(s, t[0].column);
	if (s->form.n == FORMS_MOST) {
		VEC(struct form) all = {0};
		while (s->form.n)
			VEC_PUSH(all, form_taken(s, s->form.n - 1));
		for (int i = 0; i < all.n; i++) {
			all_alone(s, all.v[i].term, all.v[i].n);
			free(all.v[i].term);
		}
		VEC_FREE(all);
		all_alone(s, t, m);
		return true;
	}
	int32_t g = common(t, m);
	struct form f = {malloc((size_t)m * sizeof *t), m};
	if (!f.term)
		abort();
	for (int i = 0; i < m; i++)
		f.term[i] = (struct term){t[i].column, t[i].by / g};
	/* its first column is to stand nowhere else */
	VEC(struct form) again = {0};
	for (int i = s->form.n; i-- > 0;)
		if (by_of(s->form.v[i].term, s->form.v[i].n, f.term[0].column))
			VEC_PUSH(again, form_taken(s, i));
	VEC_PUSH(s->form, f);
	for (int i = 0; i < again.n; i++) {
		basis_add(s, again.v[i].term, again.v[i].n);
		free(again.v[i].term);
	}
	VEC_FREE(again);
	return true;
}

bool basis_within(const struct basis *less, const struct basis *more)
{
	struct term t[TERMS_MOST];
	for (int k = 0; k < less->words; k++)
		if (less->alone[k] & ~more->alone[k])
			return false;
	for (int i = 0; i < less->form.n; i++)
		if (reduced(more, t, less->form.v[i].term, less->form.v[i].n) != 0)
			return false;
	return true;
}
