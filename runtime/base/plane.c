/* plane.c - when do two who walk evenly come near each other? The square of their distance is a quadratic
 * in the moment, with a square in front that is never below nothing: it falls, and then
 * rises. Its root need not be a fraction, but on which side of it a fraction lies can be told exactly, by
 * the quadratic's sign there; so the first fraction not before it is found by halving (Stern and
 * Brocot's way, in growing strides). The numbers on the way are too long for words: wide.h. */
#include "runtime/base/plane.h"

#include "runtime/base/wide.h"

int plane_arguments(enum measure what)
{
	static const int count[MEASURES] = {[MEASURE_STRAIGHT] = 3, [MEASURE_ALONG] = 6, [MEASURE_MEETING] = PLANE_ARGUMENTS};
	return count[what];
}

/* ---- fractions over a common denominator ---- */

static uint32_t common(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t t = a % b;
		a = b;
		b = t;
	}
	return a;
}

static uint32_t bottom(word f)
{
	return (uint32_t)frac_bottom(f);
}

/* So grown, *shared is a whole multiple of f's denominator. */
static void share_bottom(struct wide *shared, word f)
{
	uint32_t d = bottom(f);
	*shared = wide_times(shared, d / common(d, wide_rest(shared, d)));
}

static struct wide over(word f, const struct wide *shared)
{
	struct wide times = wide_part(shared, bottom(f));
	return wide_times(&times, frac_top(f));
}

/* The largest whole number k, not above most, for which enough(k) holds; it holds for 0. */
struct search {
	bool (*enough)(const void *, int64_t);
	const void *of;
};

static int64_t largest(struct search s, int64_t most)
{
	int64_t low = 0, high = most;
	while (low < high) {
		int64_t middle = low + (high - low + 1) / 2;
		if (s.enough(s.of, middle))
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

static bool whole_parts(word parts, bool *bad)
{
	if (frac_bottom(parts) == 1 && frac_top(parts) > 0)
		return true;
	*bad = true;
	return false;
}

static bool unset(const word *v, int n)
{
	for (int i = 0; i < n; i++)
		if (v[i] == NONE)
			return true;
	return false;
}

/* ---- lengths, and places on a line ---- */

static const int64_t too_many = INT64_MAX / 8; /* more parts than any fraction that fits can have */

struct ratio {
	struct wide top, bottom;
};

/* 2k - 1 is no more than twice top / bottom: k is rounded to the nearest, halves up */
static bool below_twice(const void *of, int64_t k)
{
	const struct ratio *r = of;
	struct wide left = wide_times(&r->bottom, 2 * k - 1), right = wide_times(&r->top, 2);
	return wide_compare(&left, &right) <= 0;
}

static bool below_root(const void *of, int64_t k)
{
	const struct ratio *r = of;
	struct wide edge = wide_times(&r->bottom, 2 * k - 1), left = wide_mul(&edge, &edge), right = wide_times(&r->top, 4);
	return k < 1 || wide_compare(&left, &right) <= 0;
}

word plane_straight(const word *v, bool *bad)
{
	struct wide shared = wide_of(1), x, y, xx, yy;
	struct ratio r;
	if (unset(v, 3))
		return NONE;
	if (!whole_parts(v[2], bad))
		return 0;
	share_bottom(&shared, v[0]);
	share_bottom(&shared, v[1]);
	x = over(v[0], &shared);
	y = over(v[1], &shared);
	x = wide_times(&x, frac_top(v[2]));
	y = wide_times(&y, frac_top(v[2]));
	xx = wide_mul(&x, &x);
	yy = wide_mul(&y, &y);
	r.top = wide_add(&xx, &yy);
	r.bottom = shared;
	return frac_make(largest((struct search){below_root, &r}, too_many), frac_top(v[2]), bad);
}

word plane_along(const word *v, bool *bad)
{
	struct wide times = wide_of(1), values = wide_of(1), t, t0, a, t1, b, left, right;
	struct ratio r;
	int sign;
	if (unset(v, 6))
		return NONE;
	if (!whole_parts(v[5], bad))
		return 0;
	share_bottom(&times, v[0]);
	share_bottom(&times, v[1]);
	share_bottom(&times, v[3]);
	share_bottom(&values, v[2]);
	share_bottom(&values, v[4]);
	t = over(v[0], &times);
	t0 = over(v[1], &times);
	t1 = over(v[3], &times);
	a = over(v[2], &values);
	b = over(v[4], &values);
	left = wide_sub(&t1, &t);
	right = wide_sub(&t, &t0);
	r.bottom = wide_sub(&t1, &t0);
	if (r.bottom.sign == 0) {
		left = r.bottom = wide_of(1);
		right = wide_of(0);
	}
	left = wide_mul(&a, &left);
	right = wide_mul(&b, &right);
	r.top = wide_add(&left, &right);
	r.top = wide_times(&r.top, frac_top(v[5]));
	r.bottom = wide_mul(&r.bottom, &values);
	sign = r.top.sign * r.bottom.sign;
	r.top.sign = r.top.sign != 0;
	r.bottom.sign = 1;
	return frac_make(sign * largest((struct search){below_twice, &r}, too_many), frac_top(v[5]), bad);
}

/* ---- two who walk ---- */

/* a t^2 + b t + c, t counted in parts of `unit`: the square of the distance less that of the gap, times something above nothing */
struct quadratic {
	struct wide a, b, c;
	struct wide unit;
};

/* One coordinate of one leg at t: (slope t + start) / length, over the shared denominators. */
struct line {
	struct wide slope, start, length;
};

static struct line line_of(const word *leg, int axis, const struct wide *times, const struct wide *places)
{
	struct wide t0 = over(leg[0], times), t1 = over(leg[3], times), a = over(leg[1 + axis], places), b = over(leg[4 + axis], places);
	struct wide left = wide_mul(&a, &t1), right = wide_mul(&b, &t0);
	struct line l = {wide_sub(&b, &a), wide_sub(&left, &right), wide_sub(&t1, &t0)};
	return l;
}

/* How far the one is from the other: a line over both lengths. */
static struct line apart(const struct line *one, const struct line *other)
{
	struct wide s1 = wide_mul(&one->slope, &other->length), s2 = wide_mul(&other->slope, &one->length);
	struct wide c1 = wide_mul(&one->start, &other->length), c2 = wide_mul(&other->start, &one->length);
	struct line l = {wide_sub(&s1, &s2), wide_sub(&c1, &c2), wide_mul(&one->length, &other->length)};
	return l;
}

static void add_square(struct quadratic *q, const struct line *l)
{
	struct wide a = wide_mul(&l->slope, &l->slope), b = wide_mul(&l->slope, &l->start), c = wide_mul(&l->start, &l->start);
	b = wide_times(&b, 2);
	q->a = wide_add(&q->a, &a);
	q->b = wide_add(&q->b, &b);
	q->c = wide_add(&q->c, &c);
}

static struct quadratic distance_less_gap(const word *v)
{
	struct quadratic q = {.unit = wide_of(1)};
	struct wide places = wide_of(1), gap;
	struct line across;
	share_bottom(&places, v[0]);
	for (int leg = 2; leg < PLANE_ARGUMENTS; leg += 3) {
		share_bottom(&q.unit, v[leg]);
		share_bottom(&places, v[leg + 1]);
		share_bottom(&places, v[leg + 2]);
	}
	for (int axis = 0; axis < 2; axis++) {
		struct line one = line_of(v + 2, axis, &q.unit, &places), other = line_of(v + 8, axis, &q.unit, &places);
		across = apart(&one, &other);
		add_square(&q, &across);
	}
	gap = over(v[0], &places);
	gap = wide_mul(&gap, &across.length);
	gap = wide_mul(&gap, &gap);
	q.c = wide_sub(&q.c, &gap);
	return q;
}

/* its sign at top / under */
static int sign_at(const struct quadratic *q, int64_t top, int64_t under)
{
	struct wide t = wide_times(&q->unit, top), sum = wide_mul(&q->a, &t), b = wide_times(&q->b, under);
	sum = wide_add(&sum, &b);
	sum = wide_mul(&sum, &t);
	b = wide_times(&q->c, under);
	b = wide_times(&b, under);
	return wide_add(&sum, &b).sign;
}

/* the sign of its slope there: above nothing it has passed its least */
static int slope_at(const struct quadratic *q, int64_t top, int64_t under)
{
	struct wide t = wide_times(&q->unit, 2 * top), rise = wide_mul(&q->a, &t), b = wide_times(&q->b, under);
	return wide_add(&rise, &b).sign;
}

static bool has_root(const struct quadratic *q)
{
	struct wide bb = wide_mul(&q->b, &q->b), ac = wide_mul(&q->a, &q->c);
	ac = wide_times(&ac, 4);
	return wide_compare(&bb, &ac) >= 0;
}

/* What is searched for: the first moment not before `low`; the quadratic is above nothing before it, and below or past its least behind it. */
struct moment {
	const struct quadratic *q;
	word low;
};

static bool reached(const struct moment *m, int64_t top, int64_t under)
{
	if (top * frac_bottom(m->low) < frac_top(m->low) * under)
		return false;
	return sign_at(m->q, top, under) <= 0 || slope_at(m->q, top, under) >= 0;
}

/* How many times (ptop, pbottom) may be added to (top, bottom) with the answer staying `so`, and the denominator fitting. */
struct stride {
	const struct moment *m;
	int64_t top, bottom, by_top, by_bottom;
	bool so;
};

static bool may_stride(const void *of, int64_t k)
{
	const struct stride *s = of;
	return k == 0 || reached(s->m, s->top + k * s->by_top, s->bottom + k * s->by_bottom) == s->so;
}

static int64_t strides(const struct stride *s)
{
	int64_t room = (INT32_MAX - s->bottom) / s->by_bottom, most = 1;
	while (most < room && may_stride(s, most)) /* short ones are the rule */
		most = most * 2 < room ? most * 2 : room;
	return largest((struct search){may_stride, s}, most < room ? most : room);
}

/* The least fraction that fits of those reached; 1 is. */
static word first_reached(const struct moment *m, bool *bad)
{
	int64_t lt = 0, lb = 1, ut = 1, ub = 1; /* not reached; reached */
	if (reached(m, 0, 1))
		return frac_make(0, 1, bad);
	while (lb + ub <= INT32_MAX) {
		int64_t k = strides(&(struct stride){m, lt, lb, ut, ub, false});
		lt += k * ut;
		lb += k * ub;
		if (lb + ub > INT32_MAX)
			break;
		k = strides(&(struct stride){m, ut, ub, lt, lb, true});
		ut += k * lt;
		ub += k * lb;
	}
	return frac_make(ut, ub, bad);
}

word plane_meeting(const word *v, bool *bad)
{
	struct quadratic q;
	struct moment m = {&q, 0};
	word low, high;
	if (unset(v, PLANE_ARGUMENTS))
		return NONE;
	low = v[1];
	if (frac_compare(v[2], low) > 0)
		low = v[2];
	if (frac_compare(v[8], low) > 0)
		low = v[8];
	high = frac_compare(v[5], v[11]) < 0 ? v[5] : v[11];
	if (frac_compare(v[2], v[5]) >= 0 || frac_compare(v[8], v[11]) >= 0 || frac_compare(low, high) > 0)
		return NONE;
	if (frac_top(low) < 0 || frac_compare(high, frac_make(1, 1, bad)) > 0) {
		*bad = true;
		return 0;
	}
	q = distance_less_gap(v);
	if (sign_at(&q, frac_top(low), frac_bottom(low)) <= 0)
		return low;
	if (sign_at(&q, frac_top(high), frac_bottom(high)) > 0 &&
	    (slope_at(&q, frac_top(low), frac_bottom(low)) >= 0 || slope_at(&q, frac_top(high), frac_bottom(high)) <= 0 || !has_root(&q)))
		return NONE;
	m.low = low;
	return first_reached(&m, bad);
}

word plane_measure(enum measure what, const word *v, bool *bad)
{
	switch (what) {
	case MEASURE_STRAIGHT: return plane_straight(v, bad);
	case MEASURE_ALONG: return plane_along(v, bad);
	default: return plane_meeting(v, bad);
	}
}
