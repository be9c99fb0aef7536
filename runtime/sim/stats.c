/* stats.c - see stats.h. */
#include "runtime/sim/stats.h"

#include <math.h>
#include <string.h>

static const double Z95 = 1.959963984540054;

void stats_wilson(uint64_t yes, uint64_t n, double *low, double *high)
{
	if (n == 0) {
		*low = 0;
		*high = 1;
		return;
	}
	double count = (double)n, p = (double)yes / count, z2 = Z95 * Z95 / count;
	double middle = (p + z2 / 2) / (1 + z2);
	double half = Z95 / (1 + z2) * sqrt(p * (1 - p) / count + z2 / (4 * count));
	*low = yes == 0 ? 0 : middle - half;
	*high = yes == n ? 1 : middle + half;
}

double stats_needed(uint64_t yes, uint64_t n, double half)
{
	/* Wilson's half, squared, is an equation of the second degree in the size of the sample */
	double p = n ? (double)yes / (double)n : 0.5, pq = p * (1 - p);
	double root = pq + hypot(pq, half * sqrt(fmax(0, 1 - 4 * pq)));
	return Z95 * Z95 * fmax(0, root / half / half / 2 - 1);
}

double stats_number(word value, bool frac)
{
	return frac ? (double)frac_top(value) / (double)frac_bottom(value) : (double)value;
}

struct moments stats_moments(const struct tally *t, bool frac)
{
	struct moments m;
	double sum = 0, squares = 0;
	memset(&m, 0, sizeof m);
	for (uint32_t i = 0; i < t->room; i++) {
		if (!t->count[i])
			continue;
		if (t->value[i] == NONE) {
			m.unset += t->count[i];
			continue;
		}
		m.n += t->count[i];
		sum += stats_number(t->value[i], frac) * (double)t->count[i];
	}
	if (m.n == 0) {
		m.mean = m.deviation = m.low = m.high = NAN;
		return m;
	}
	m.mean = sum / (double)m.n;
	for (uint32_t i = 0; i < t->room; i++)
		if (t->count[i] && t->value[i] != NONE) {
			double d = stats_number(t->value[i], frac) - m.mean;
			squares += d * d * (double)t->count[i];
		}
	m.deviation = m.n > 1 ? sqrt(squares / (double)(m.n - 1)) : 0;
	double half = Z95 * m.deviation / sqrt((double)m.n);
	m.low = m.mean - half;
	m.high = m.mean + half;
	return m;
}
