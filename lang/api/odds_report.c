/* odds_report.c - answers kept for the page, and the page around them: what was asked and how
 * to ask it again, the script, the rules in force, and all figures once more for machines. */
#include "lang/api/odds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lang/api/page.h"

struct report {
	json_t *kept;       /* answers, each with what asked */
	json_t *rows;       /* of --sensitivity */
	json_t *head;       /* the first answer behind them, or NULL: script, rules, method */
	json_t *deeds;      /* of the usual question, or NULL */
	int encounter;      /* of the first answer, -1 */
	int group;
	struct buf page;
};

void report_free(struct report *r)
{
	if (!r)
		return;
	json_decref(r->kept);
	json_decref(r->rows);
	json_decref(r->head);
	json_decref(r->deeds);
	buf_free(&r->page);
	free(r);
}

void fray_report_keep(struct fray *f)
{
	report_free(f->report);
	f->report = calloc(1, sizeof *f->report);
	if (!f->report)
		abort();
	f->report->kept = json_array();
	f->report->rows = json_array();
	f->report->encounter = -1;
}

void odds_keep_together(struct fray *f)
{
	if (f->report)
		f->report->group++;
}

/* Sides and combatants by name, each with its side's place: a side has one colour on the page. */
static json_t *sides(struct fray *f, int encounter)
{
	const struct model *m = &f->model;
	json_t *o = json_object();
	scene_enter(&f->model, encounter);
	for (int i = 0; i < m->live.n; i++) {
		const struct mlive *l = &m->live.v[i];
		json_object_set_new(o, model_text(m, l->name), json_integer(l->side));
		if (l->thing >= 0) /* of several alike the page tells as one */
			json_object_set_new(o, model_text(m, m->thing.v[l->thing].name), json_integer(l->side));
	}
	for (int i = 0; i < m->side.n; i++)
		json_object_set_new(o, model_text(m, m->side.v[i].name), json_integer(i));
	return o;
}

void odds_keep(struct fray *f, const struct asking *q, const struct answer *a)
{
	struct report *r = f->report;
	size_t n = 0;
	if (!r)
		return;
	if (q->as == ASKED_USUAL || q->as == ASKED_ALONE)
		r->group++;
	if (r->encounter < 0)
		r->encounter = q->encounter;
	const char *text = q->text.file ? sources_text(&f->sources, q->text, &n) : "";
	json_array_append_new(r->kept, json_pack("{s:i,s:i,s:s%,s:o,s:o,s:o}", "as", (int)q->as, "group", r->group, "asked", text, n, "at",
	                                         isfinite(q->at) ? json_real(q->at) : json_null(), "odds", odds_object(f, q, a), "sides", sides(f, q->encounter)));
	if (q->as == ASKED_USUAL && !r->deeds)
		r->deeds = odds_deeds(f, q, a->seed);
}

void odds_keep_head(struct fray *f, const struct asking *q, const struct answer *a)
{
	struct report *r = f->report;
	if (!r || r->head)
		return;
	r->head = odds_object(f, q, a);
	r->encounter = q->encounter;
}

void odds_keep_row(struct fray *f, json_t *row)
{
	if (f->report)
		json_array_append(f->report->rows, row);
}

/* ---- the page ---- */

static void escaped(struct buf *out, const char *text, size_t n)
{
	struct buf b = {0};
	buf_add(&b, text, n);
	plot_escape(out, buf_text(&b));
	buf_free(&b);
}

static void fact(struct buf *out, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	buf_printf(out, "<dt>%s</dt><dd>", name);
	plot_escape(out, value);
	buf_puts(out, "</dd>\n");
}

/* Who wins, in one sentence. */
static void lede(struct buf *out, const json_t *odds)
{
	const json_t *m;
	size_t i;
	int n = 0;
	json_array_foreach(json_object_get(odds, "measures"), i, m) {
		const char *name = json_string_value(json_object_get(m, "name"));
		size_t k = name ? strlen(name) : 0;
		if ((k <= 5 || strcmp(name + k - 5, " wins")) && (k <= 4 || strcmp(name + k - 4, " win")))
			continue;
		struct buf b = {0};
		page_figure(&b, m, page_is_exact(odds));
		buf_puts(out, n++ ? ", " : "<p class=\"lede\">");
		plot_escape(out, name);
		buf_printf(out, " <strong>%s</strong>", buf_text(&b));
		buf_free(&b);
	}
	if (n)
		buf_puts(out, "</p>\n");
}

static void put_header(struct buf *out, struct fray *f, const json_t *first, const char *command)
{
	const json_t *odds = first ? json_object_get(first, "odds") : f->report->head, *rule;
	struct buf rules = {0}, method = {0};
	const char *title = f->report->encounter >= 0 ? model_text(&f->model, f->model.encounter.v[f->report->encounter].name) : "odds";
	size_t i;
	buf_puts(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
		"name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\""
		"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
		"form-action 'none'\">\n"
		"<meta name=\"generator\" content=\"Fray " FRAY_VERSION
		"\">\n<link rel=\"icon\" href=\"data:,\">\n<title>");
	plot_escape(out, title);
	buf_puts(out, " - odds</title>\n<style>\n");
	buf_puts(out, page_style);
	buf_puts(out, "</style>\n</head>\n<body>\n<header>\n<p class=\"kicker\">How likely</p>\n<h1>");
	plot_escape(out, title);
	buf_puts(out, "</h1>\n");
	json_array_foreach(json_object_get(odds, "rules"), i, rule)
		buf_printf(&rules, "%s%s", i ? " with " : "", json_string_value(rule));
	if (odds) {
		lede(out, odds);
		page_method(&method, odds);
	}
	buf_puts(out, "<dl class=\"facts\">\n");
	if (odds)
		fact(out, "Script", json_string_value(json_object_get(odds, "script")));
	if (odds)
		fact(out, "From", json_string_value(json_object_get(odds, "from")));
	fact(out, "Rules", buf_text(&rules));
	fact(out, "Found", buf_text(&method));
	buf_puts(out, "<dt>Again</dt><dd><code>");
	plot_escape(out, command);
	buf_puts(out, "</code></dd>\n</dl>\n</header>\n<main>\n");
	buf_free(&rules);
	buf_free(&method);
}

static void put_answers(struct plot *p, const struct report *r)
{
	size_t n = json_array_size(r->kept);
	json_t **group = calloc(n + 1, sizeof *group);
	if (!group)
		abort();
	for (size_t i = 0; i < n;) {
		json_t *first = json_array_get(r->kept, i);
		json_int_t number = json_integer_value(json_object_get(first, "group")), as = json_integer_value(json_object_get(first, "as"));
		size_t end = i;
		while (end < n && json_integer_value(json_object_get(json_array_get(r->kept, end), "group")) == number)
			end++;
		/* a sweep may ask several questions at each step */
		for (size_t from = i; from < end; from++) {
			const char *asked = json_string_value(json_object_get(json_array_get(r->kept, from), "asked"));
			int k = 0;
			bool seen = false;
			for (size_t j = i; j < end; j++) {
				const char *other = json_string_value(json_object_get(json_array_get(r->kept, j), "asked"));
				if (strcmp(asked, other))
					continue;
				seen = seen || j < from;
				group[k++] = json_array_get(r->kept, j);
			}
			if (seen)
				continue;
			if (as == ASKED_USUAL)
				page_usual(p, first);
			else if (as == ASKED_SWEEP)
				page_sweep(p, group, k);
			else if (as == ASKED_COMPARE)
				page_compare(p, group, k);
			else
				page_alone(p, first);
		}
		if (as == ASKED_USUAL && r->deeds)
			page_deeds(p, r->deeds, json_object_get(first, "sides"));
		i = end;
	}
	free(group);
}

static bool in_force(const struct fray *f, const struct mrule *r)
{
	enum layer layer = f->model.module.v[r->module].layer;
	return !r->dropped && r->replaced_by < 0 && !r->option_off && layer != LAYER_CORE && (r->encounter < 0 || r->encounter == f->report->encounter);
}

static void put_rules(struct buf *out, const struct fray *f)
{
	const struct model *m = &f->model;
	buf_puts(out, "<section class=\"force\"><h2>The rules in force</h2>\n");
	if (m->option.n) {
		buf_puts(out, "<details><summary>Options</summary><div class=\"scroll\"><table><thead><tr><th>option</th><th>is</th></tr></thead><tbody>\n");
		for (int i = 0; i < m->option.n; i++) {
			const struct moption *o = &m->option.v[i];
			const struct node *v = o->node->a;
			size_t n = 0;
			for (int k = 0; v && k < o->value; k++)
				v = v->next;
			const char *text = v ? sources_text(&f->sources, v->span, &n) : "";
			buf_puts(out, "<tr><td>");
			plot_escape(out, model_text(m, o->name));
			buf_puts(out, "</td><td>");
			escaped(out, text, n);
			buf_puts(out, "</td></tr>\n");
		}
		buf_puts(out, "</tbody></table></div></details>\n");
	}
	for (int k = 0; k < m->module.n; k++) {
		bool any = false;
		for (int i = 0; i < m->rule.n; i++) {
			const struct mrule *r = &m->rule.v[i];
			if (r->module != k || !in_force(f, r))
				continue;
			if (!any) {
				buf_puts(out, "<details open><summary>");
				plot_escape(out, *m->module.v[k].shown ? m->module.v[k].shown : "the script's own");
				buf_puts(out, "</summary><ul class=\"rules\">\n");
			}
			any = true;
			buf_puts(out, "<li>");
			plot_escape(out, model_text(m, r->name));
			if (r->cite && *r->cite) {
				buf_puts(out, " <span class=\"soft\">");
				plot_escape(out, r->cite);
				buf_puts(out, "</span>");
			}
			buf_puts(out, "</li>\n");
		}
		if (any)
			buf_puts(out, "</ul></details>\n");
	}
	buf_puts(out, "</section>\n");
}

/* The scripts, and what was written beside them: built-in systems are known by their names. */
static void put_scripts(struct buf *out, const struct fray *f)
{
	buf_puts(out, "<section class=\"script\"><h2>The script</h2>\n");
	for (int i = 0; i < f->unit.n; i++) {
		const struct unit *u = &f->unit.v[i];
		if (u->layer != LAYER_SCRIPT && u->layer != LAYER_HOUSE)
			continue;
		const struct source *s = &f->sources.file.v[u->file];
		buf_puts(out, "<h3>");
		plot_escape(out, u->shown ? u->shown : s->name);
		buf_puts(out, "</h3>\n<pre>");
		escaped(out, s->text, s->length);
		buf_puts(out, "</pre>\n");
	}
	buf_puts(out, "</section>\n");
}

/* Every digit, for whoever wants to go on with the figures. */
static void put_figures(struct buf *out, const struct report *r)
{
	json_t *list = json_array(), *kept;
	size_t i;
	json_array_foreach(r->kept, i, kept)
		json_array_append(list, json_object_get(kept, "odds"));
	json_t *o = json_pack("{s:o,s:O}", "odds", list, "sensitivity", r->rows);
	if (r->deeds)
		json_object_set(o, "deeds", r->deeds);
	char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17) | JSON_ESCAPE_SLASH);
	buf_puts(out, "<script type=\"application/json\" id=\"figures\">");
	for (const char *s = text ? text : "{}"; *s; s++)
		if (*s == '<')
			buf_puts(out, "\\u003c");
		else
			buf_putc(out, *s);
	buf_puts(out, "</script>\n");
	free(text);
	json_decref(o);
}

const char *fray_report_page(struct fray *f, const char *command, size_t *length)
{
	struct report *r = f->report;
	if (!r || (!json_array_size(r->kept) && !json_array_size(r->rows)))
		return NULL;
	buf_clear(&r->page);
	struct plot p = {&r->page, 0};
	put_header(&r->page, f, json_array_get(r->kept, 0), command);
	if (json_array_size(r->rows))
		page_sensitivity(&p, r->rows);
	put_answers(&p, r);
	put_scripts(&r->page, f);
	put_rules(&r->page, f);
	put_figures(&r->page, r);
	buf_puts(&r->page, "</main>\n<footer><p>Fray " FRAY_VERSION "</p></footer>\n</body>\n</html>\n");
	*length = r->page.length;
	return buf_text(&r->page);
}
