/* show_rules.c - the rules in force where the fight stands: all of them, those about one thing,
 * those that cite a clause, the order of a round, and where rules come from. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "lang/api/session.h"
#include "lang/api/show.h"

static const char *const LAYERS[] = {
	"core", "parent ruleset", "ruleset", "thing", "house rules", "script", "prompt"};

void model_where(struct fray *f, bool fight)
{
	struct model *m = &f->model;
	bool reporting = m->reporting;
	m->reporting = false;
	m->in_encounter = fight && f->vm ? f->encounter : -1;
	layers_resolve(m);
	for (int k = 1; fight && f->vm && k <= m->stretch.n; k++)
		m->at_stretch = m->stretch.v[k - 1] <= session_beats(f) + 1 ? k : m->at_stretch;
	m->reporting = reporting;
}

static bool block_holds(const struct fray *f, const struct node *moment)
{
	const struct model *m = &f->model;
	const word *w = f->vm ? vm_block(f->vm) : NULL;
	if (!w)
		return false;
	if (moment->name == m->w.beat)
		return moment->num <= session_beats((struct fray *)(uintptr_t)f) + 1;
	return moment->name == m->w.round &&
		w[f->program->field[f->program->at.round_number].base] == moment->num;
}

bool in_force_now(const struct fray *f, const struct mclause *x)
{
	const struct model *m = &f->model;
	bool in_force = x->in_force && (!x->moment || block_holds(f, x->moment)) &&
		!(x->off && x->off[m->at_stretch]);
	for (int i = 0; i < x->gone.n; i++)
		in_force &= !block_holds(f, x->gone.v[i]);
	return in_force;
}

/* ---- one clause ---- */

void add_flat(const char *text, size_t n, struct buf *out)
{
	bool gap = false;
	for (size_t i = 0; i < n; i++) {
		const bool blank = isspace((unsigned char)text[i]);
		if (!blank && gap && out->length)
			buf_putc(out, ' ');
		gap = blank;
		if (!blank)
			buf_putc(out, text[i]);
	}
}

/* How many blanks the line begins with, a tab as two; *length: how many bytes these are. */
static int indent_of(const char *line, size_t *length)
{
	int wide = 0;
	size_t i = 0;
	for (; line[i] == ' ' || line[i] == '\t'; i++)
		wide += line[i] == '\t' ? 2 : 1;
	*length = i;
	return wide;
}

/* The clause as it is written, indented by two more than the line on which it begins. */
static void write_lines(struct fray *f, struct span at)
{
	size_t n, blanks;
	const char *text = sources_text(&f->sources, at, &n), *begin = text;
	while (begin > f->sources.file.v[at.file].text && begin[-1] != '\n')
		begin--;
	const int own = indent_of(begin, &blanks);
	for (size_t i = 0; i < n;) {
		const char *end = memchr(text + i, '\n', n - i);
		const size_t stop = end ? (size_t)(end - text) : n;
		int in = 2;
		if (i) {
			const int wide = indent_of(text + i, &blanks);
			in += wide > own ? wide - own : 0;
			i += blanks;
		}
		struct buf line = {0};
		buf_fill(&line, ' ', in);
		fray_write(f, FRAY_PLAIN, buf_text(&line));
		buf_clear(&line);
		if (stop > i)
			buf_add(&line, text + i, stop - i);
		fray_wrap(f, buf_text(&line), in, in + 2);
		buf_free(&line);
		i = stop + 1;
	}
}

static void clause_json(
	struct shown *s, const struct mclause *x, const char *rule, const char *cite)
{
	struct model *m = &s->f->model;
	const struct module *mod = &m->module.v[x->module];
	struct buf b = {0}, one = {0};
	size_t n;
	const char *text = sources_text(&s->f->sources, x->node->span, &n);
	add_flat(text, n, &one);
	json_text(&b, "rule", rule, true);
	json_text(&b, "module", mod->shown, false);
	json_text(&b, "layer", LAYERS[mod->layer], false);
	json_text(&b, "cite", cite, false);
	json_text(&b, "clause", buf_text(&one), false);
	buf_printf(&b, ",\"in force\":%s}\n", in_force_now(s->f, x) ? "true" : "false");
	fray_write(s->f, FRAY_PLAIN, buf_text(&b));
	buf_free(&one);
	buf_free(&b);
}

/* `next`: the clause that follows, or -1: where a rule comes from is said after its last clause. */
static void clause_line(struct shown *s, int c, int next)
{
	struct model *m = &s->f->model;
	const struct mclause *x = &m->clause.v[c];
	const struct module *mod = &m->module.v[x->module];
	const char *rule = x->rule >= 0 ? model_text(m, m->rule.v[x->rule].name) : "";
	const char *cite = x->rule >= 0 ? m->rule.v[x->rule].cite : "";
	if (s->json) {
		clause_json(s, x, rule, cite);
		return;
	}
	write_lines(s->f, x->node->span);
	if (next >= 0 && x->rule >= 0 && m->clause.v[next].rule == x->rule &&
		in_force_now(s->f, x) == in_force_now(s->f, &m->clause.v[next]))
		return;
	struct buf from = {0};
	buf_printf(&from, "%s%s%s%s%s%s", in_force_now(s->f, x) ? "" : "[not in force] ",
		*mod->shown ? mod->shown : "the script", *rule ? ": " : "", rule, *cite ? ", " : "",
		cite);
	fray_write(s->f, FRAY_PLAIN, "      ");
	fray_wrap(s->f, buf_text(&from), 6, 8);
	buf_free(&from);
}

/* ---- which clauses ---- */

bool has_words(const char *text, const char *words)
{
	const size_t n = strlen(words);
	for (const char *at = text; *at; at++)
		if ((at == text || !isalnum((unsigned char)at[-1])) && !strncasecmp(at, words, n))
			return true;
	return false;
}

/* The length of the id, or the part of one, that begins here: letters, digits, points and dashes.
 */
static size_t id_length(const char *at)
{
	size_t n = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-");
	while (n && strchr(".-", at[n - 1]))
		n--;
	return n;
}

/* Whether `asked` is this id, or what follows its system: OSRIC-GAP-7, GAP-7. */
static bool same_id(struct buf *id, size_t system, const char *asked)
{
	const char *text = buf_text(id);
	return !strcasecmp(text, asked) ||
		(system < id->length && !strcasecmp(text + system, asked));
}

bool cites(const char *cite, const char *asked)
{
	const char *stop = strstr(cite, ": "), *first = strchr(asked, '-');
	struct buf id = {0}, next = {0};
	size_t system = 0; /* the length of "OSRIC-" */
	bool found = false;
	if (!first || !first[1])
		return false;
	for (const char *at = cite; !found && *at && (!stop || at < stop);) {
		const bool further = *at == '-' && at > cite && at[-1] == ' ';
		const size_t n = id_length(at + further);
		const bool dashed = n && memchr(at, '-', n + further) != NULL;
		if (!n || !dashed) {
			at += n || further ? n + further : 1;
			continue;
		}
		buf_clear(&next);
		if (further && system) { /* as the last one, but for what its last dash leads to */
			const char *last = strrchr(buf_text(&id), '-');
			buf_add(&next, buf_text(&id), (size_t)(last - buf_text(&id)) + 1);
		} else if (system && strncmp(at, buf_text(&id), system) != 0) {
			buf_add(&next, buf_text(&id), system);
		} else if (!system && !further) {
			system = (size_t)((const char *)memchr(at, '-', n) - at) + 1;
		}
		buf_add(&next, at + further, n);
		buf_clear(&id);
		buf_puts(&id, buf_text(&next));
		found = same_id(&id, system, asked);
		at += n + further;
	}
	buf_free(&id);
	buf_free(&next);
	return found;
}

/* How a clause answers to `what`: not at all; by a word of its rule's name or citation; by the
 * clause it cites; or it is what was named: its rule, its module, the question or the event it is
 * about. */
enum answers { NO_ANSWER, BY_WORD, BY_CITATION, BY_NAME };

static bool is_named(const struct model *m, const struct mclause *x, const char *what)
{
	const char *module = m->module.v[x->module].shown;
	if (x->rule >= 0 && !strcasecmp(model_text(m, m->rule.v[x->rule].name), what))
		return true;
	if (*module && !strcasecmp(module, what))
		return true;
	if (x->question >= 0) {
		struct buf b = {0};
		const struct mquestion *q = &m->question.v[x->question];
		if (q->subject >= 0)
			buf_printf(&b, "%s's ", model_text(m, m->kind.v[q->subject].name));
		buf_puts(&b, model_text(m, q->name));
		const bool hit = !strcasecmp(buf_text(&b), what) ||
			!strcasecmp(model_text(m, q->name), what);
		buf_free(&b);
		return hit;
	}
	if (x->event >= 0)
		return !strcasecmp(model_text(m, m->event.v[x->event].name), what);
	return (x->sort == CLAUSE_ORDER || x->sort == CLAUSE_PAIR) &&
		(!strcasecmp(what, "acts") || !strcasecmp(what, "order"));
}

static enum answers answers(const struct model *m, const struct mclause *x, const char *what)
{
	if (!what || is_named(m, x, what))
		return BY_NAME;
	if (x->rule < 0)
		return NO_ANSWER;
	const struct mrule *r = &m->rule.v[x->rule];
	if (cites(r->cite, what))
		return BY_CITATION;
	return has_words(model_text(m, r->name), what) || has_words(r->cite, what) ? BY_WORD
										   : NO_ANSWER;
}

static bool listed(const struct mclause *x)
{
	return x->sort != CLAUSE_NEEDS && x->sort != CLAUSE_COSTS;
}

enum fray_status show_rules(struct shown *s, const char *what)
{
	struct model *m = &s->f->model;
	enum answers best = NO_ANSWER;
	model_where(s->f, true);
	for (int c = 0; c < m->clause.n; c++) {
		const enum answers here =
			listed(&m->clause.v[c]) ? answers(m, &m->clause.v[c], what) : NO_ANSWER;
		best = here > best ? here : best;
	}
	int last = -1;
	for (int c = 0; c < m->clause.n && best != NO_ANSWER; c++) {
		if (!listed(&m->clause.v[c]) || answers(m, &m->clause.v[c], what) != best)
			continue;
		if (last >= 0 && m->clause.v[last].node == m->clause.v[c].node)
			continue; /* one line about several actions */
		if (last >= 0)
			clause_line(s, last, c);
		last = c;
	}
	if (last >= 0)
		clause_line(s, last, -1);
	model_where(s->f, false);
	if (best == NO_ANSWER && what)
		fray_writef(s->f, FRAY_PLAIN, "No rule speaks of \"%s\".\n", what);
	return FRAY_OK;
}

enum fray_status show_order(struct shown *s, const char *what)
{
	struct model *m = &s->f->model;
	(void)what;
	static const struct {
		const char *title;
		bool round;
	} which[] = {{"an encounter", false}, {"a round", true}};
	for (int i = 0; i < 2 && !s->json; i++) {
		struct node *q = which[i].round ? m->sequence_round : m->sequence_encounter;
		struct buf phases = {0};
		fray_writef(s->f, FRAY_HEADING, "%s: ", which[i].title);
		for (struct node *p = q ? q->a : NULL; p; p = p->next)
			buf_printf(&phases, "%s%s", model_text(m, p->name), p->next ? ", " : "");
		fray_wrap(s->f, buf_text(&phases), (int)strlen(which[i].title) + 2, 2);
		buf_free(&phases);
	}
	show_rules(s, "order");
	return show_rules(s, "act's time");
}

enum fray_status show_sources(struct shown *s, const char *what)
{
	struct model *m = &s->f->model;
	(void)what;
	for (int i = 0; i < m->module.n; i++) {
		const struct module *x = &m->module.v[i];
		int rules = 0;
		for (int k = 0; k < m->rule.n; k++)
			rules += m->rule.v[k].module == i;
		if (s->json) {
			struct buf b = {0};
			json_text(&b, "module", x->shown, true);
			json_text(&b, "layer", LAYERS[x->layer], false);
			json_text(&b, "title", x->title ? x->title : "", false);
			buf_printf(&b, ",\"rules\":%d}\n", rules);
			fray_write(s->f, FRAY_PLAIN, buf_text(&b));
			buf_free(&b);
		} else {
			fray_writef(s->f, FRAY_PLAIN, "  %-16s %-16s %d rule%s  %s\n",
				*x->shown ? x->shown : "(the script)", LAYERS[x->layer], rules,
				rules == 1 ? "" : "s", x->title ? x->title : "");
		}
	}
	return FRAY_OK;
}

