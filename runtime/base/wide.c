/* wide.c - sums, products and comparisons of whole numbers longer than a word, as on paper. */
#include "runtime/base/wide.h"

#include "runtime/base/must.h"

static void trim(struct wide *a)
{
	while (a->n > 0 && a->limb[a->n - 1] == 0)
		a->n--;
	if (a->n == 0)
		a->sign = 0;
}

struct wide wide_of(int64_t value)
{
	struct wide a = {.sign = value < 0 ? -1 : 1, .n = 2};
	uint64_t size = value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
	a.limb[0] = (uint32_t)size;
	a.limb[1] = (uint32_t)(size >> 32);
	trim(&a);
	return a;
}

static int compare_sizes(const struct wide *a, const struct wide *b)
{
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (int i = a->n - 1; i >= 0; i--)
		if (a->limb[i] != b->limb[i])
			return a->limb[i] < b->limb[i] ? -1 : 1;
	return 0;
}

static struct wide add_sizes(const struct wide *a, const struct wide *b, int sign)
{
	struct wide r = {.sign = sign};
	uint64_t carry = 0;
	int n = a->n > b->n ? a->n : b->n;
	for (int i = 0; i < n; i++) {
		carry += (uint64_t)(i < a->n ? a->limb[i] : 0) + (i < b->n ? b->limb[i] : 0);
		r.limb[i] = (uint32_t)carry;
		carry >>= 32;
	}
	r.n = n;
	if (carry) {
		must(n < WIDE_LIMBS);
		r.limb[r.n++] = (uint32_t)carry;
	}
	trim(&r);
	return r;
}

/* |a| - |b|, |a| being no less */
static struct wide sub_sizes(const struct wide *a, const struct wide *b, int sign)
{
	struct wide r = {.sign = sign, .n = a->n};
	int64_t borrow = 0;
	for (int i = 0; i < a->n; i++) {
		int64_t d = (int64_t)a->limb[i] - (i < b->n ? b->limb[i] : 0) - borrow;
		borrow = d < 0;
		r.limb[i] = (uint32_t)d;
	}
	trim(&r);
	return r;
}

struct wide wide_add(const struct wide *a, const struct wide *b)
{
	if (a->sign == 0)
		return *b;
	if (b->sign == 0)
		return *a;
	if (a->sign == b->sign)
		return add_sizes(a, b, a->sign);
	return compare_sizes(a, b) >= 0 ? sub_sizes(a, b, a->sign) : sub_sizes(b, a, b->sign);
}

struct wide wide_sub(const struct wide *a, const struct wide *b)
{
	struct wide less = *b;
	less.sign = -less.sign;
	return wide_add(a, &less);
}

struct wide wide_mul(const struct wide *a, const struct wide *b)
{
	struct wide r = {.sign = a->sign * b->sign, .n = a->n + b->n};
	if (r.sign == 0)
		return wide_of(0);
	must(r.n <= WIDE_LIMBS);
	for (int i = 0; i < a->n; i++) {
		uint64_t carry = 0;
		for (int k = 0; k < b->n; k++) {
			carry += (uint64_t)a->limb[i] * b->limb[k] + r.limb[i + k];
			r.limb[i + k] = (uint32_t)carry;
			carry >>= 32;
		}
		r.limb[i + b->n] = (uint32_t)carry;
	}
	trim(&r);
	return r;
}

struct wide wide_times(const struct wide *a, int64_t b)
{
	struct wide factor = wide_of(b);
	return wide_mul(a, &factor);
}

uint32_t wide_rest(const struct wide *a, uint32_t d)
{
	uint64_t rest = 0;
	for (int i = a->n - 1; i >= 0; i--)
		rest = (rest << 32 | a->limb[i]) % d;
	return (uint32_t)rest;
}

struct wide wide_part(const struct wide *a, uint32_t d)
{
	struct wide r = {.sign = a->sign, .n = a->n};
	uint64_t rest = 0;
	for (int i = a->n - 1; i >= 0; i--) {
		rest = rest << 32 | a->limb[i];
		r.limb[i] = (uint32_t)(rest / d);
		rest %= d;
	}
	trim(&r);
	return r;
}

int wide_compare(const struct wide *a, const struct wide *b)
{
	if (a->sign != b->sign)
		return a->sign < b->sign ? -1 : 1;
	return a->sign * compare_sizes(a, b);
}
