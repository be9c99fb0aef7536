/* rows.c - tables of a script that answer less than they seem to: without rows, with rows that are
 * never reached, and with rows that share a key.
 *
 * The first row that matches answers. So a row may hold the keys of one above it, which is an
 * exception to it, and rows that are open below ("up to 20 ft") share keys with those above. */
#include <string.h>

#include "lang/check/lost.h"

/* The keys of a row; `open`: without the lower end itself. */
struct keys { bool low, high, open; int64_t from, from_den, to, to_den; const struct node *row; };

static int compare(int64_t a, int64_t ad, int64_t b, int64_t bd)
{
	const long double x = (long double)a / (long double)ad, y = (long double)b / (long double)bd;
	return x < y ? -1 : x > y;
}

static bool number_of(const struct node *n, sym *unit, int64_t *num, int64_t *den)
{
	const bool minus = n->kind == N_KIND_E_NEG;
	const struct node *x = minus ? n->a : n;
	if (x->kind != N_KIND_E_NUM && x->kind != N_KIND_E_QTY && x->kind != N_KIND_E_PERCENT)
		return false;
	const sym of = x->kind == N_KIND_E_QTY ? x->name : 0;
	if (*unit && of != *unit)
		return false;
	*unit = of;
	*num = minus ? -x->num : x->num;
	*den = x->den ? x->den : 1;
	return true;
}

/* Words and things are the same key when they are written alike; false: it is no number. */
static bool keys_of(const struct node *row, sym *unit, struct keys *out)
{
	const struct node *key = row->a;
	*out = (struct keys){.from_den = 1, .to_den = 1, .row = row};
	if (key->kind == N_KIND_E_SPAN) {
		out->low = key->a != NULL;
		out->high = key->b != NULL;
		out->open = key->op == SPAN_OVER;
		return (!key->a || number_of(key->a, unit, &out->from, &out->from_den)) &&
			(!key->b || number_of(key->b, unit, &out->to, &out->to_den));
	}
	out->low = out->high = true;
	if (!number_of(key, unit, &out->from, &out->from_den))
		return false;
	out->to = out->from;
	out->to_den = out->from_den;
	return true;
}

static bool covers(const struct keys *a, const struct keys *b)
{
	const int from = a->low && b->low ? compare(a->from, a->from_den, b->from, b->from_den) : 0;
	const bool below = !a->low || (b->low && (from < 0 || (from == 0 && (!a->open || b->open))));
	const bool above =
		!a->high || (b->high && compare(a->to, a->to_den, b->to, b->to_den) >= 0);
	return below && above;
}

/* Whether two rows that both say where they begin share a key. */
static bool overlap(const struct keys *a, const struct keys *b)
{
	if (!a->low || !b->low || (!a->high && !b->high))
		return false;
	const int ab = b->high ? compare(a->from, a->from_den, b->to, b->to_den) : -1;
	const int ba = a->high ? compare(b->from, b->from_den, a->to, a->to_den) : -1;
	return (ab < 0 || (ab == 0 && !a->open)) && (ba < 0 || (ba == 0 && !b->open));
}

static void report(
	struct model *m, enum message id, const struct node *row, const struct node *above)
{
	size_t length;
	const char *text = sources_text(m->front->sources, above->a->span, &length);
	struct buf key = {0};
	buf_add(&key, text, length);
	struct diag d = diag_make(id, row->a->span);
	diag_arg(&d, buf_text(&key));
	diag_relate(&d, above->span, "this row");
	model_send(m, &d);
	buf_free(&key);
}

static void look_words(struct model *m, const struct node *rows, const struct node *row)
{
	for (const struct node *above = rows; above != row; above = above->next)
		if (above->a && above->a->kind == row->a->kind && above->a->name == row->a->name) {
			report(m, M_ROW_NEVER, row, above);
			return;
		}
}

static void look_table(struct model *m, const struct node *table)
{
	sym unit = 0;
	bool any = false;
	for (const struct node *row = table->b; row; row = row->next) {
		struct keys its, other;
		if (!row->a)
			continue;
		any = true;
		if (row->a->kind == N_KIND_E_NAME) {
			look_words(m, table->b, row);
			continue;
		}
		if (!keys_of(row, &unit, &its))
			return;
		for (const struct node *above = table->b; above != row; above = above->next) {
			if (!above->a || above->a->kind == N_KIND_E_NAME || !keys_of(above, &unit, &other))
				continue;
			const bool never = covers(&other, &its);
			if (!never && (covers(&its, &other) || !overlap(&other, &its)))
				continue;
			report(m, never ? M_ROW_NEVER : M_ROWS_SHARE, row, above);
			break;
		}
	}
	if (!any)
		model_report(m, M_TABLE_EMPTY, table->at, 1, model_text(m, table->name));
}

void check_rows(struct model *m)
{
	for (int i = 0; i < m->table.n; i++)
		if (m->module.v[m->table.v[i].module].own)
			look_table(m, m->table.v[i].node);
}
