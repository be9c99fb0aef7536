/* order_slow.c - the definition in order.h, sentence by sentence, over tables of yes and no.
 * Nothing is remembered from one group to the next. */
#include "tests/unit/order_slow.h"

#include <string.h>

typedef bool table[SLOW_ACTS][SLOW_ACTS];

struct facts {
	const struct order_input *in;
	int n;
	table bundled;     /* 1: one bundle, a bundle's members all bundled with each other */
	int rank[SLOW_ACTS];
	table precedes;    /* a's bundle precedes b's, through others too */
	table waits;       /* a's bundle waits for b's */
	table apart;
};

/* Through others too. */
static void close_table(table t, int n)
{
	for (int k = 0; k < n; k++)
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				t[i][j] = t[i][j] || (t[i][k] && t[k][j]);
}

static void set_bundles(const struct facts *f, table t, int a, int b)
{
	for (int i = 0; i < f->n; i++)
		for (int j = 0; j < f->n; j++)
			if (f->bundled[a][i] && f->bundled[b][j])
				t[i][j] = true;
}

static bool joins(const struct order_input *in, int act)
{
	for (int i = 0; i < in->answers; i++)
		if (in->answer[i].verb == ORDER_TOGETHER && in->answer[i].one == act)
			return true;
	return false;
}

static int bundle_rank(const struct facts *f, int act)
{
	int best = INT32_MIN, among_all = INT32_MIN;
	bool any = false;
	for (int i = 0; i < f->n; i++) {
		if (!f->bundled[act][i])
			continue;
		if (f->in->rank[i] > among_all)
			among_all = f->in->rank[i];
		if (joins(f->in, i))
			continue;
		any = true;
		if (f->in->rank[i] > best)
			best = f->in->rank[i];
	}
	return any ? best : among_all;
}

/* False: a ruling is needed. */
static bool gather(struct facts *f, const struct order_input *in)
{
	table before;
	memset(f, 0, sizeof *f);
	memset(before, 0, sizeof before);
	f->in = in;
	f->n = in->n;
	for (int i = 0; i < f->n; i++)
		f->bundled[i][i] = true;
	for (int i = 0; i < in->answers; i++) {
		const struct order_answer *a = &in->answer[i];
		if (a->verb == ORDER_TOGETHER || a->verb == ORDER_MEETS)
			f->bundled[a->one][a->other] = f->bundled[a->other][a->one] = true;
	}
	close_table(f->bundled, f->n);
	for (int i = 0; i < f->n; i++)
		f->rank[i] = bundle_rank(f, i);
	for (int i = 0; i < in->answers; i++) {
		const struct order_answer *a = &in->answer[i];
		if (a->verb == ORDER_PRECEDES)
			set_bundles(f, f->precedes, a->one, a->other);
		if (a->verb == ORDER_YIELDS)
			set_bundles(f, f->waits, a->one, a->other);
		if (a->verb == ORDER_APART) {
			set_bundles(f, f->apart, a->one, a->other);
			set_bundles(f, f->apart, a->other, a->one);
			if (f->bundled[a->one][a->other])
				return false;
		}
	}
	for (int i = 0; i < f->n; i++)
		for (int j = 0; j < f->n; j++)
			before[i][j] = f->precedes[i][j] || f->waits[j][i];
	close_table(before, f->n);
	for (int i = 0; i < f->n; i++)
		if (before[i][i])
			return false;
	close_table(f->precedes, f->n);
	return true;
}

static bool in_train(const struct facts *f, int act, int of)
{
	return f->precedes[act][of] || f->bundled[act][of];
}

static bool is_free(const struct facts *f, const bool *to_come, int act)
{
	for (int t = 0; t < f->n; t++) {
		if (!to_come[t] || !in_train(f, t, act))
			continue;
		for (int a = 0; a < f->n; a++)
			if (to_come[a] && f->waits[t][a] && !in_train(f, a, act))
				return false;
	}
	return true;
}

static int earliest_declared(const struct facts *f, int act)
{
	int i = 0;
	while (!f->bundled[act][i])
		i++;
	return i;
}

/* Writes the next group among those in sight; `to_come` are all. */
static void next_group(const struct facts *f, const bool *to_come, const bool *sight, bool *out)
{
	bool is_open[SLOW_ACTS] = {false}, trains[SLOW_ACTS] = {false}, any = false;
	int rank = INT32_MAX;
	memset(out, 0, SLOW_ACTS * sizeof *out);
	for (int i = 0; i < f->n; i++) {
		is_open[i] = sight[i] && is_free(f, to_come, i);
		if (is_open[i] && f->rank[i] < rank)
			rank = f->rank[i];
	}
	for (int i = 0; i < f->n; i++) {
		out[i] = is_open[i] && f->rank[i] == rank;
		for (int j = 0; j < f->n; j++)
			if (is_open[j] && f->rank[j] == rank && f->apart[i][j] && earliest_declared(f, j) < earliest_declared(f, i))
				out[i] = false;
	}
	for (int i = 0; i < f->n; i++)
		for (int j = 0; j < f->n; j++)
			if (out[j] && to_come[i] && f->precedes[i][j])
				trains[i] = any = true;
	if (any)
		next_group(f, to_come, trains, out);
}

int order_slow(const struct order_input *in, int32_t *group)
{
	struct facts f;
	bool to_come[SLOW_ACTS], next[SLOW_ACTS];
	int left = in->n, groups = 0;
	if (!gather(&f, in))
		return -1;
	for (int i = 0; i < in->n; i++)
		to_come[i] = true;
	for (; left > 0; groups++) {
		next_group(&f, to_come, to_come, next);
		for (int i = 0; i < in->n; i++)
			if (next[i]) {
				group[i] = groups;
				to_come[i] = false;
				left--;
			}
	}
	return groups;
}

/* ---- one verb alone ---- */

/* `later[i]` after `earlier[i]`, ranks as given; -1 if the walk ends with some left over. */
static int plain_walk(int n, const int *rank, int pairs, const int *later, const int *earlier, int32_t *group)
{
	int groups = 0, left = n;
	bool passed[SLOW_ACTS] = {false}, taken[SLOW_ACTS] = {false};
	while (left > 0) {
		/* those passed over and the class the walk comes to next: all that may be due now */
		int due = INT32_MAX, came = INT32_MAX;
		bool free_[SLOW_ACTS];
		for (int i = 0; i < n; i++)
			if (!taken[i] && !passed[i] && rank[i] < came)
				came = rank[i];
		for (int i = 0; i < n; i++) {
			free_[i] = !taken[i] && (passed[i] || rank[i] == came);
			for (int k = 0; k < pairs; k++)
				if (later[k] == i && !taken[earlier[k]])
					free_[i] = false;
			if (free_[i] && rank[i] < due)
				due = rank[i];
		}
		if (due == INT32_MAX && came == INT32_MAX)
			return -1;
		for (int i = 0; i < n; i++) {
			if (free_[i] && rank[i] == due) {
				taken[i] = true;
				group[i] = groups;
				left--;
			} else if (!taken[i] && rank[i] == came && due >= came) {
				passed[i] = true;
			}
		}
		groups += due != INT32_MAX;
	}
	return groups;
}

int order_yields_only(const struct order_input *in, int32_t *group)
{
	int rank[SLOW_ACTS], later[128], earlier[128];
	for (int i = 0; i < in->n; i++)
		rank[i] = in->rank[i];
	for (int i = 0; i < in->answers; i++) {
		later[i] = in->answer[i].one;
		earlier[i] = in->answer[i].other;
	}
	return plain_walk(in->n, rank, in->answers, later, earlier, group);
}

int order_precedes_only(const struct order_input *in, int32_t *group)
{
	int rank[SLOW_ACTS], later[128], earlier[128], groups;
	for (int i = 0; i < in->n; i++)
		rank[i] = -in->rank[i];
	for (int i = 0; i < in->answers; i++) {
		later[i] = in->answer[i].one;
		earlier[i] = in->answer[i].other;
	}
	groups = plain_walk(in->n, rank, in->answers, later, earlier, group);
	for (int i = 0; i < in->n; i++)
		group[i] = groups - 1 - group[i];
	return groups;
}
