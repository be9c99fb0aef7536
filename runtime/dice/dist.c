/* dist.c - exact distributions.
 *
 * A pool is worked out in weights: whole numbers of ways when all of them together stay below
 * 2^53, so that doubles count exactly, and probabilities otherwise. Only sums and products of
 * numbers that are not negative are taken, so small probabilities keep their digits. */
#include "runtime/dice/dist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double WHOLE_MAX = 9007199254740992.0;

/* Weights of the totals first .. first + n - 1. */
struct row { int first, n; double *w; };

static double *zeros(size_t n)
{
	double *w = calloc(n ? n : 1, sizeof *w);
	if (!w)
		abort();
	return w;
}

static struct row row_new(int first, int n)
{
	return (struct row){first, n, zeros((size_t)n)};
}

static struct row row_times(const struct row *a, const struct row *b)
{
	struct row r = row_new(a->first + b->first, a->n + b->n - 1);
	for (int i = 0; i < a->n; i++)
		for (int k = 0; k < b->n; k++)
			r.w[i + k] += a->w[i] * b->w[k];
	return r;
}

/* The sum of n dice of one kind. */
static struct row row_power(const struct row *face, int n)
{
	if (n == 1) {
		struct row r = row_new(face->first, face->n);
		memcpy(r.w, face->w, (size_t)face->n * sizeof *r.w);
		return r;
	}
	struct row half = row_power(face, n / 2);
	struct row r = row_times(&half, &half);
	free(half.w);
	if (n % 2) {
		struct row odd = row_times(&r, face);
		free(r.w);
		r = odd;
	}
	return r;
}

/* ---- one die ---- */

/* Ways one die has to fall, rerolls counted: each face has sides ways to be the second. */
static double face_ways(const struct dice *d, int face)
{
	if (!d->reroll)
		return 1;
	return (face > d->reroll ? d->sides : 0) + d->reroll;
}

static double all_ways(const struct dice *d)
{
	return d->reroll ? (double)d->sides * d->sides : d->sides;
}

static struct row face_row(const struct dice *d, int sides, double unit)
{
	struct row r = row_new(1, sides);
	for (int i = 0; i < sides; i++)
		r.w[i] = face_ways(d, i + 1) * unit;
	return r;
}

/* ---- keeping ---- */

static void powers(double base, int n, double *out)
{
	out[0] = 1;
	for (int i = 1; i <= n; i++)
		out[i] = out[i - 1] * base;
}

/* The k highest of `count` dice with these face weights. In state (j, sum) j dice lie above
 * the faces still to come, all of them kept. A state is done with when the dice that show the
 * current face fill the places left; what lies below does not matter then. */
static struct row keep_high(int count, int k, const struct row *face)
{
	int s = face->n, width = k * s + 1, n1 = count + 1;
	struct row out = row_new(k, k * (s - 1) + 1);
	double *state = zeros((size_t)k * (size_t)width);      /* [j][sum] */
	double *choose = zeros((size_t)n1 * (size_t)n1);       /* Pascal's triangle */
	double *up = zeros((size_t)n1), *down = zeros((size_t)n1);
	double *below = zeros((size_t)s + 1);                  /* weight of the faces below a face */
	for (int n = 0; n < n1; n++)
		for (int c = 0; c <= n; c++)
			choose[n * n1 + c] = c == 0 || c == n ? 1 : choose[(n - 1) * n1 + c - 1] + choose[(n - 1) * n1 + c];
	for (int x = 2; x <= s; x++)
		below[x] = below[x - 1] + face->w[x - 2];
	state[0] = 1;
	for (int x = s; x >= 1; x--) {
		powers(face->w[x - 1], count, up);
		powers(below[x], count, down);
		/* from many dice above to few, so that a state is read before it is added to */
		for (int j = k - 1; j >= 0; j--) {
			const double *from = state + (size_t)j * (size_t)width;
			const double *ways = choose + (count - j) * n1;
			int rest = count - j, left = k - j, top = j * s;
			double fill = 0;
			for (int c = left; c <= rest; c++)
				fill += ways[c] * up[c] * down[rest - c];
			for (int sum = 0; sum <= top; sum++)
				if (from[sum] > 0)
					out.w[sum + left * x - k] += from[sum] * fill;
			for (int c = 1; c < left; c++) {
				double *to = state + (size_t)(j + c) * (size_t)width + (size_t)c * (size_t)x;
				double w = ways[c] * up[c];
				for (int sum = 0; sum <= top; sum++)
					to[sum] += from[sum] * w;
			}
		}
	}
	free(state);
	free(choose);
	free(up);
	free(down);
	free(below);
	return out;
}

static struct row keep_row(const struct dice *d, const struct row *face)
{
	int s = face->n;
	if (d->how == KEEP_HIGH)
		return keep_high(d->count, d->keep, face);
	/* the lowest are the highest of the dice turned upside down */
	struct row turned = row_new(1, s);
	for (int i = 0; i < s; i++)
		turned.w[i] = face->w[s - 1 - i];
	struct row high = keep_high(d->count, d->keep, &turned);
	for (int i = 0; i < high.n / 2; i++) {
		double w = high.w[i];
		high.w[i] = high.w[high.n - 1 - i];
		high.w[high.n - 1 - i] = w;
	}
	free(turned.w);
	return high;
}

/* ---- exploding ---- */

struct logs { double factorial[DICE_COUNT_MAX + DICE_EXTRA + 1]; };

static void logs_fill(struct logs *l)
{
	l->factorial[0] = 0;
	for (int i = 1; i <= DICE_COUNT_MAX + DICE_EXTRA; i++)
		l->factorial[i] = l->factorial[i - 1] + log(i);
}

/* Probability that h highest faces fall, and m others. While extra dice are left the pool ends
 * with its count-th other face; when they are spent, count + DICE_EXTRA dice lie there. */
static double explode_weight(const struct logs *l, const struct dice *d, int h, int m)
{
	double q = face_ways(d, d->sides) / all_ways(d);
	int dice = h <= DICE_EXTRA ? h + m - 1 : h + m;
	int others = h <= DICE_EXTRA ? m - 1 : m;
	return exp(l->factorial[dice] - l->factorial[h] - l->factorial[others] + h * log(q) + m * log1p(-q));
}

static struct row explode_row(const struct dice *d, double *spent)
{
	struct logs *l = malloc(sizeof *l);
	int n = d->count, s = d->sides;
	double q = face_ways(d, s) / all_ways(d);
	struct row other = face_row(d, s - 1, 1 / (all_ways(d) * (1 - q)));
	struct row sum = row_new(0, 1); /* of m other faces */
	struct row out = row_new(n, (n + DICE_EXTRA) * s - n + 1);
	if (!l)
		abort();
	logs_fill(l);
	sum.w[0] = 1;
	for (int m = 0; m <= n; m++) {
		int h = m < n ? n + DICE_EXTRA - m : 0;
		int h_end = m < n ? h : DICE_EXTRA;
		for (; h <= h_end; h++) {
			double w = explode_weight(l, d, h, m);
			if (m < n)
				*spent += w;
			for (int i = 0; i < sum.n; i++)
				out.w[h * s + sum.first + i - n] += w * sum.w[i];
		}
		if (m < n) {
			struct row next = row_times(&sum, &other);
			free(sum.w);
			sum = next;
		}
	}
	free(sum.w);
	free(other.w);
	free(l);
	return out;
}

/* ---- the whole ---- */

/* Multiplications the formula takes, roughly. */
static double work(const struct dice *d)
{
	double n = d->count, s = d->sides, k = dice_kept(d);
	if (d->explode)
		return n * n / 2 * s * s + DICE_EXTRA * n * s;
	if (d->how == KEEP_ALL)
		return n * s * n * s / 3 + s;
	return s * k * (k * k * s / 6 + n) + n * n;
}

bool dist_make(const struct dice *d, struct dist *out)
{
	memset(out, 0, sizeof *out);
	if (work(d) > DIST_WORK)
		return false;
	struct row r;
	double spent = 0;
	if (d->explode) {
		r = explode_row(d, &spent);
	} else {
		double of = 1;
		for (int i = 0; i < d->count && of <= WHOLE_MAX; i++)
			of *= all_ways(d);
		bool whole = of <= WHOLE_MAX;
		struct row face = face_row(d, d->sides, whole ? 1 : 1 / all_ways(d));
		r = d->how == KEEP_ALL ? row_power(&face, d->count) : keep_row(d, &face);
		free(face.w);
		if (whole) {
			for (int i = 0; i < r.n; i++)
				r.w[i] /= of;
			out->of = of;
		}
	}
	out->least = r.first + d->add;
	out->most = r.first + r.n - 1 + d->add;
	out->p = r.w;
	out->spent = spent;
	return true;
}

void dist_free(struct dist *d)
{
	free(d->p);
	memset(d, 0, sizeof *d);
}

double dist_at(const struct dist *d, int64_t total)
{
	return total < d->least || total > d->most ? 0 : d->p[total - d->least];
}

double dist_mean(const struct dist *d)
{
	double sum = 0;
	for (int i = 0; i <= d->most - d->least; i++)
		sum += d->p[i] * i;
	return d->least + sum;
}

/* ---- averages ---- */

/* The expected number, at most k, of `count` dice that succeed with probability p. */
static double expected_at_most(const struct logs *l, int count, int k, double p)
{
	double sum = 0;
	if (p <= 0 || p >= 1)
		return p <= 0 ? 0 : k;
	for (int c = 1; c <= count; c++) {
		double w = exp(l->factorial[count] - l->factorial[c] - l->factorial[count - c] + c * log(p) + (count - c) * log1p(-p));
		sum += w * (c < k ? c : k);
	}
	return sum;
}

double dice_mean(const struct dice *d)
{
	double one = 0, above = 1, sum = 0;
	struct logs l;
	for (int x = 1; x <= d->sides; x++)
		one += x * (face_ways(d, x) / all_ways(d));
	if (d->how == KEEP_ALL && !d->explode)
		return d->count * one + d->add;
	logs_fill(&l);
	if (d->explode) {
		/* Every die falls like the first, and stopping does not look ahead: average dice
		 * times an average face. */
		double extra = DICE_EXTRA;
		for (int h = 0; h < DICE_EXTRA; h++)
			extra -= (DICE_EXTRA - h) * explode_weight(&l, d, h, d->count);
		return (d->count + extra) * one + d->add;
	}
	/* The k highest add up to what is counted face by face: how many of them show x or more. */
	int k = d->how == KEEP_HIGH ? d->keep : d->count - d->keep;
	for (int x = 1; x <= d->sides; x++) {
		sum += expected_at_most(&l, d->count, k, above);
		above -= face_ways(d, x) / all_ways(d);
	}
	return (d->how == KEEP_HIGH ? sum : d->count * one - sum) + d->add;
}
