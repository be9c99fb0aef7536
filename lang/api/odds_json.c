/* odds_json.c - answers for machines: one JSON object, or lines of CSV, a question. */
#include "lang/api/session.h"
#include "lang/api/odds.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/sim/exact.h"

static json_t *real(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static void put_value(const struct answer *a, int branch, int measure, word value, struct buf *out)
{
	const struct program *p = a->program[branch];
	const struct vtype type = p->measure[measure].type;
	const char *unit;
	if (value == NONE)
		buf_puts(out, "none");
	else if (vtype_is_number(type) && !type.frac)
		buf_printf(out, "%.12g", odds_in_unit(p, type, (double)value, &unit));
	else
		program_value(p, type, &value, out);
}

static json_t *spread(const struct answer *a, int branch, int measure)
{
	json_t *o = json_object();
	for (int i = 0; i < odds_values(a, branch, measure); i++) {
		double share;
		struct buf b = {0};
		put_value(a, branch, measure, odds_value(a, branch, measure, i, &share), &b);
		json_object_set_new(o, buf_text(&b), json_real(share));
		buf_free(&b);
	}
	return o;
}

static json_t *measure_of(const struct answer *a, int branch, int measure)
{
	const struct program *p = a->program[branch];
	const struct measure_info *info = &p->measure[measure];
	struct figure x = odds_figure(a, branch, measure);
	const char *unit = "";
	bool chance = info->how == MEASURED_CHANCE;
	json_t *o = json_object();
	json_object_set_new(o, "name", json_string(info->text));
	json_object_set_new(o, "kind", json_string(chance ? "chance" : info->how == MEASURED_AVERAGE ? "average" : "spread"));
	bool number = chance || vtype_is_number(info->type);
	double scale = 1;
	if (!chance && number)
		scale = odds_in_unit(p, info->type, 1, &unit);
	json_object_set_new(o, "value", number ? real(x.value * scale) : json_null());
	json_object_set_new(o, "low", number ? real(x.low * scale) : json_null());
	json_object_set_new(o, "high", number ? real(x.high * scale) : json_null());
	if (chance) {
		struct buf b = {0};
		if (x.bottom)
			buf_printf(&b, "%lld/%lld", (long long)x.top, (long long)x.bottom);
		json_object_set_new(o, "fraction", x.bottom ? json_string(buf_text(&b)) : json_null());
		buf_free(&b);
	} else {
		json_object_set_new(o, "fraction", json_null());
		json_object_set_new(o, "deviation", number ? real(x.deviation * scale) : json_null());
		json_object_set_new(o, "unset", json_real(x.unset));
		if (*unit)
			json_object_set_new(o, "unit", json_string(unit));
	}
	if (info->how == MEASURED_SPREAD)
		json_object_set_new(o, "spread", spread(a, branch, measure));
	if (branch > 0 && number) {
		struct figure d = odds_difference(a, branch, measure);
		json_object_set_new(o, "difference", json_pack("{s:o,s:o,s:o}", "value", real(d.value * scale), "low", real(d.low * scale), "high", real(d.high * scale)));
	}
	return o;
}

static json_t *measures_of(const struct answer *a, int branch)
{
	json_t *list = json_array();
	for (int i = 0; i < a->program[branch]->measures; i++)
		json_array_append_new(list, measure_of(a, branch, i));
	return list;
}

/* Shares of fights that the limit of rounds ended, and that could not be played to their end. */
static void put_ends(json_t *o, const struct answer *a, int branch)
{
	double unsettled = 0, stopped = 0;
	if (a->exact) {
		unsettled = a->found[branch].unsettled;
		stopped = a->found[branch].stopped;
	} else if (a->trials.done) {
		unsettled = (double)a->trials.branch[branch].unsettled / (double)a->trials.done;
		stopped = (double)a->trials.branch[branch].stopped / (double)a->trials.done;
	}
	json_object_set_new(o, "unsettled", json_real(unsettled));
	json_object_set_new(o, "stopped", json_real(stopped));
}

static json_t *rules_of(const struct fray *f)
{
	json_t *list = json_array();
	for (int i = 0; i < f->model.module.n; i++)
		if (f->model.module.v[i].layer == LAYER_RULESET || f->model.module.v[i].layer == LAYER_HOUSE)
			json_array_append_new(list, json_string(f->model.module.v[i].shown));
	return list;
}

void odds_write(struct fray *f, json_t *o)
{
	char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17));
	if (text) {
		fray_write(f, FRAY_PLAIN, text);
		fray_write(f, FRAY_PLAIN, "\n");
	}
	free(text);
	json_decref(o);
}

json_t *odds_object(struct fray *f, const struct asking *q, const struct answer *a)
{
	json_t *o = json_object();
	double unexplored = 0;
	uint64_t rulings = 0, referrals = 0;
	json_object_set_new(o, "script", json_string(a->program[0]->script));
	json_object_set_new(o, "encounter", json_string(a->program[0]->encounter));
	if (*q->title)
		json_object_set_new(o, "step", json_string(q->title));
	if (q->present)
		json_object_set_new(o, "from", json_string(session_place(f)));
	json_object_set_new(o, "rules", rules_of(f));
	json_object_set_new(o, "method", json_string(a->exact ? "exact" : "sampled"));
	if (a->exact) {
		uint64_t worlds = 0;
		for (int b = 0; b < a->branches; b++) {
			worlds += a->found[b].worlds;
			if (!a->found[b].complete)
				unexplored = fmax(unexplored, a->found[b].unexplored);
		}
		json_object_set_new(o, "worlds", json_integer((json_int_t)worlds));
	} else {
		json_object_set_new(o, "trials", json_integer((json_int_t)a->trials.done));
		json_object_set_new(o, "seed", json_integer((json_int_t)a->seed));
		json_object_set_new(o, "interrupted", json_boolean(a->trials.interrupted));
		for (int b = 0; b < a->branches; b++) {
			rulings += a->trials.branch[b].rulings;
			referrals += a->trials.branch[b].referrals;
		}
	}
	if (a->branches == 1) {
		json_object_set_new(o, "measures", measures_of(a, 0));
		put_ends(o, a, 0);
	} else {
		json_t *list = json_array();
		for (int b = 0; b < a->branches; b++) {
			json_t *one = json_pack("{s:s,s:o}", "branch", a->name[b], "measures", measures_of(a, b));
			put_ends(one, a, b);
			json_array_append_new(list, one);
		}
		json_object_set_new(o, "branches", list);
	}
	json_object_set_new(o, "unexplored", json_real(unexplored));
	if (odds_cut_short(a))
		json_object_set_new(o, "cut_short_by", json_string(odds_cut_short(a)));
	json_object_set_new(o, "rulings", json_integer((json_int_t)rulings));
	json_object_set_new(o, "referee_calls", json_integer((json_int_t)referrals));
	return o;
}

void odds_json(struct fray *f, const struct asking *q, const struct answer *a)
{
	odds_write(f, odds_object(f, q, a));
}

/* ---- CSV ---- */

/* Whether a spreadsheet would take a text for a formula: it begins like one and is no number. */
static bool is_formula(const char *text)
{
	if (!*text || !strchr("=+-@\t\r", *text))
		return false;
	const bool sign = *text == '-' || *text == '+';
	return !sign || !text[1] || text[1 + strspn(text + 1, "0123456789./")];
}

static void cell(struct buf *out, const char *text)
{
	const bool formula = is_formula(text), quoted = formula || strpbrk(text, ",\"\n\r");
	if (out->length)
		buf_putc(out, ',');
	if (quoted)
		buf_putc(out, '"');
	if (formula)
		buf_putc(out, '\''); /* a spreadsheet shows what follows as it is */
	for (; *text; text++) {
		if (*text == '"')
			buf_putc(out, '"');
		buf_putc(out, *text);
	}
	if (quoted)
		buf_putc(out, '"');
}

static void real_cell(struct buf *out, double x)
{
	char text[40] = "";
	if (isfinite(x))
		snprintf(text, sizeof text, "%.17g", x);
	buf_putc(out, ',');
	buf_puts(out, text);
}

static void csv_line(struct fray *f, const struct asking *q, const struct answer *a, int b, int m, const char *kind, const char *at, struct figure x)
{
	const struct program *p = a->program[b];
	struct buf line = {0};
	cell(&line, p->encounter);
	buf_putc(&line, ',');
	struct buf rest = {0};
	const char *cells[] = {q->title, a->name[b], p->measure[m].text, kind, at, a->exact ? "exact" : "sampled"};
	for (size_t i = 0; i < FRAY_COUNT(cells); i++) {
		/* an empty first cell still needs its comma */
		struct buf one = {0};
		cell(&one, cells[i]);
		buf_printf(&rest, "%s%s", i ? "," : "", buf_text(&one));
		buf_free(&one);
	}
	buf_puts(&line, buf_text(&rest));
	buf_free(&rest);
	real_cell(&line, x.value);
	real_cell(&line, x.low);
	real_cell(&line, x.high);
	buf_putc(&line, '\n');
	fray_write(f, FRAY_PLAIN, buf_text(&line));
	buf_free(&line);
}

void odds_csv(struct fray *f, const struct asking *q, const struct answer *a)
{
	if (!f->csv_begun)
		fray_write(f, FRAY_PLAIN, "encounter,step,branch,measure,kind,at,method,value,low,high\n");
	f->csv_begun = true;
	for (int b = 0; b < a->branches; b++)
		for (int m = 0; m < a->program[b]->measures; m++) {
			const struct measure_info *info = &a->program[b]->measure[m];
			struct figure x = odds_figure(a, b, m);
			const char *unit;
			bool chance = info->how == MEASURED_CHANCE;
			if (!chance) {
				double scale = odds_in_unit(a->program[b], info->type, 1, &unit);
				x.value *= scale;
				x.low *= scale;
				x.high *= scale;
			}
			if (chance || vtype_is_number(info->type))
				csv_line(f, q, a, b, m, chance ? "chance" : "average", "", x);
			for (int i = 0; info->how == MEASURED_SPREAD && i < odds_values(a, b, m); i++) {
				struct figure one = {0};
				struct buf at = {0};
				put_value(a, b, m, odds_value(a, b, m, i, &one.value), &at);
				one.low = one.high = a->exact ? one.value : NAN;
				csv_line(f, q, a, b, m, "share", buf_text(&at), one);
				buf_free(&at);
			}
		}
}
