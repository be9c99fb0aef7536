/* answer.c - answers as they are put together, and as they are told: text and JSON. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/explain/answer.h"
#include "runtime/explain/emit.h"
#include "runtime/explain/ink.h"

enum { INDENT = 2, HANG = 4, BRACKET_MOST = 60, LINES_MOST = 10 };

void answer_premise(struct answer *a, enum premise p)
{
	static const char *const says[] = {[PREMISE_HOLDS] = "",
		[PREMISE_OTHER] = "It is the other way round: ",
		[PREMISE_OVER] = "That is over: ",
		[PREMISE_HAPPENED] = "But it did happen: ",
		[PREMISE_SOMEBODY] = "Somebody did: "};
	if (a->about.length == 0) {
		a->premise = p;
		a->premise_length = strlen(says[p]);
	}
	buf_puts(&a->about, says[p]);
}

void answer_free(struct answer *a)
{
	for (int i = 0; i < a->figure.n; i++)
		free(a->figure.v[i].text);
	VEC_FREE(a->figure);
	VEC_FREE(a->rule);
	buf_free(&a->about);
	buf_free(&a->otherwise);
	buf_free(&a->die);
	memset(a, 0, sizeof *a);
}

FRAY_PRINTF(4, 0)
static struct figure *figure_add(struct answer *a, int32_t record, int32_t clause, const char *format, va_list args)
{
	struct buf b = {0};
	buf_vprintf(&b, format, args);
	struct figure one = {.text = buf_take(&b), .record = record, .clause = clause, .den = 1};
	VEC_PUSH(a->figure, one);
	return &a->figure.v[a->figure.n - 1];
}

void answer_figure(struct answer *a, int32_t record, int32_t clause, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	figure_add(a, record, clause, format, args);
	va_end(args);
}

void answer_addend(struct answer *a, int32_t record, int32_t clause, int64_t value, int64_t den, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct figure *f = figure_add(a, record, clause, format, args);
	va_end(args);
	f->has_value = true;
	f->value = value;
	f->den = den;
}

/* Addends stand between the total before and this one. */
static void must_add_up(const struct answer *a)
{
#ifndef NDEBUG
	const struct figure *total = &a->figure.v[a->figure.n - 1];
	int64_t sum = 0, den = 1;
	int addends = 0;
	for (int i = a->figure.n - 2; i >= 0 && !a->figure.v[i].total; i--) {
		const struct figure *f = &a->figure.v[i];
		if (!f->has_value)
			continue;
		sum = sum * f->den + f->value * den;
		den *= f->den;
		addends++;
	}
	must(addends == 0 || sum * total->den == total->value * den);
#else
	(void)a;
#endif
}

void answer_total(struct answer *a, int32_t record, int32_t clause, int64_t value, int64_t den, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct figure *f = figure_add(a, record, clause, format, args);
	va_end(args);
	f->has_value = f->total = true;
	f->value = value;
	f->den = den;
	must_add_up(a);
}

void answer_rule_of(const struct program *p, struct answer *a, int32_t clause)
{
	if (clause < 0 || clause >= p->clauses)
		return;
	for (int i = 0; i < a->rule.n; i++) {
		const struct clause_info *x = &p->clause[a->rule.v[i]], *y = &p->clause[clause];
		if (!strcmp(x->rule, y->rule) && !strcmp(x->module, y->module) && (*x->rule || a->rule.v[i] == clause))
			return;
	}
	VEC_PUSH(a->rule, clause);
}

void answer_rules_from(const struct program *p, struct answer *a, const struct answer *from)
{
	for (int i = 0; i < from->rule.n; i++)
		answer_rule_of(p, a, from->rule.v[i]);
}

void answer_figures_from(struct answer *a, const struct answer *from)
{
	for (int i = 0; i < from->figure.n; i++)
		answer_figure(
			a, from->figure.v[i].record, from->figure.v[i].clause, "%s", from->figure.v[i].text);
}

bool answer_make(const struct inquiry *s, const struct question *q, struct answer *out)
{
	static bool (*const make[])(const struct inquiry *, const struct question *, struct answer *) = {
		[ASK_EVENT] = answer_event, [ASK_NOT] = answer_not, [ASK_ORDER] = answer_order,
	};
	return q->kind < FRAY_COUNT(make) && make[q->kind](s, q, out);
}

/* ---- text ---- */

/* How far the word that begins here reaches: a bracket that is not too long is one word with what stands in it. */
static size_t word_end(const char *text, size_t at)
{
	const size_t begin = at;
	for (; text[at] && text[at] != ' '; at++) {
		const char close = text[at] == '[' ? ']' : text[at] == '(' ? ')' : 0;
		const char *end = close ? strchr(text + at, close) : NULL;
		if (end && end - (text + at) < BRACKET_MOST)
			at = (size_t)(end - text);
	}
	/* "5 segments", "- 5", "orc #1": a number stays with what follows it, a sign with its number, a name with its number */
	bool number = at > begin && at - begin < 8 && strspn(text + begin, "0123456789+-/=") == at - begin;
	number = number || (text[at] == ' ' && text[at + 1] == '#');
	number = number || (text[at] == ' ' && (text[at + 1] == '-' || text[at + 1] == '+') && isdigit((unsigned char)text[at + 2]));
	return number && text[at] == ' ' && text[at + 1] ? word_end(text, at + 1) : at;
}

static void tell_lines(const struct story_options *o, int style, const char *text, int first, int hang)
{
	const int width = o->width > 0 ? o->width : 80;
	struct buf line = {0};
	bool begun = false;
	buf_fill(&line, ' ', first);
	for (size_t at = 0; text[at];) {
		size_t end = word_end(text, at);
		int columns = text_columns(text + at, end - at);
		if (begun && text_columns(line.data, line.length) + 1 + columns > width) {
			buf_putc(&line, '\n');
			o->write(o->context, style, line.data, line.length);
			buf_clear(&line);
			buf_fill(&line, ' ', hang);
			begun = false;
		}
		if (begun)
			buf_putc(&line, ' ');
		buf_add(&line, text + at, end - at);
		begun = true;
		for (at = end; text[at] == ' '; at++)
			;
	}
	buf_putc(&line, '\n');
	o->write(o->context, style, line.data, line.length);
	buf_free(&line);
}

static void tell_rules(const struct program *p, const struct answer *a, const struct story_options *o)
{
	struct buf b = {0};
	for (int i = 0; i < a->rule.n; i++) {
		buf_puts(&b, i ? "; " : a->rule.n > 1 ? "rules: " : "rule: ");
		answer_rule_text(p, a->rule.v[i], &b);
	}
	if (b.length)
		tell_lines(o, INK_CITE, b.data, INDENT, HANG);
	buf_free(&b);
}

/* A sum has a line for each addend; `joined`: as many on a line as fit, none of them broken. */
static void tell_figures(const struct answer *a, const struct story_options *o, bool joined)
{
	const int width = o->width > 0 ? o->width : 80;
	for (int i = 0; i < a->figure.n; i++) {
		struct buf line = {0};
		buf_puts(&line, a->figure.v[i].text);
		int columns = INDENT + text_columns(line.data, line.length);
		while (joined && a->figure.v[i].has_value && i + 1 < a->figure.n && a->figure.v[i + 1].has_value && !a->figure.v[i].total) {
			const char *next = a->figure.v[i + 1].text;
			columns += 1 + text_columns(next, strlen(next));
			if (columns > width)
				break;
			buf_printf(&line, " %s", next);
			i++;
		}
		tell_lines(o, INK_PLAIN, buf_text(&line), INDENT, HANG);
		buf_free(&line);
	}
}

static void tell(const struct program *p, const struct answer *a, const struct story_options *o, bool joined)
{
	if (a->about.length)
		tell_lines(o, INK_NAME, a->about.data, 0, 0);
	tell_figures(a, o, joined);
	tell_rules(p, a, o);
	if (a->otherwise.length)
		tell_lines(o, INK_PLAIN, a->otherwise.data, 0, 0);
}

static void count_lines(void *context, int style, const char *text, size_t length)
{
	int *lines = context;
	(void)style;
	for (size_t i = 0; i < length; i++)
		*lines += text[i] == '\n';
}

void answer_tell(const struct program *p, const struct answer *a, const struct story_options *o)
{
	int lines = 0;
	struct story_options dry = *o;
	dry.write = count_lines;
	dry.context = &lines;
	tell(p, a, &dry, false);
	const bool joined = lines > LINES_MOST;
	struct answer fits = *a;
	/* the rules that were found last are those that say least */
	for (; joined && fits.rule.n > 1; fits.rule.n--) {
		lines = 0;
		tell(p, &fits, &dry, true);
		if (lines <= LINES_MOST)
			break;
	}
	tell(p, &fits, o, joined);
}

/* ---- JSON ---- */

static void json_rule(const struct program *p, int32_t clause, struct buf *out)
{
	const struct clause_info *c = &p->clause[clause];
	struct buf b = {0};
	emit_comma(out);
	buf_putc(out, '{');
	emit_member(out, "rule", *c->rule ? c->rule : c->text);
	answer_rule_says(p, clause, &b);
	emit_member(out, "says", buf_text(&b));
	buf_clear(&b);
	answer_source(p, clause, &b);
	emit_member(out, "source", buf_text(&b));
	emit_member(out, "module", c->module);
	emit_member(out, "cite", c->cite);
	buf_putc(out, '}');
	buf_free(&b);
}

static void json_figure(const struct program *p, const struct figure *f, struct buf *out)
{
	emit_comma(out);
	buf_putc(out, '{');
	emit_member(out, "text", f->text);
	if (f->has_value && f->den == 1)
		emit_number(out, "value", f->value);
	if (f->has_value && f->den != 1) {
		struct buf b = {0};
		buf_printf(&b, "%lld/%lld", (long long)f->value, (long long)f->den);
		emit_member(out, "value", buf_text(&b));
		buf_free(&b);
	}
	if (f->total)
		emit_flag(out, "total", true);
	if (f->record >= 0)
		emit_number(out, "record", f->record);
	if (f->clause >= 0 && f->clause < p->clauses)
		emit_member(out, "rule", p->clause[f->clause].rule);
	buf_putc(out, '}');
}

void answer_json(const struct program *p, struct answer *a, struct buf *out)
{
	if (a->about.length)
		emit_member(out, "answer", buf_text(&a->about));
	else
		emit_null(out, "answer");
	emit_key(out, "figures");
	buf_putc(out, '[');
	for (int i = 0; i < a->figure.n; i++)
		json_figure(p, &a->figure.v[i], out);
	buf_putc(out, ']');
	emit_key(out, "rules");
	buf_putc(out, '[');
	for (int i = 0; i < a->rule.n; i++)
		json_rule(p, a->rule.v[i], out);
	buf_putc(out, ']');
	if (!a->otherwise.length) {
		emit_null(out, "otherwise");
		return;
	}
	emit_key(out, "otherwise");
	buf_putc(out, '{');
	emit_member(out, "text", buf_text(&a->otherwise));
	if (a->die.length) {
		emit_member(out, "die", buf_text(&a->die));
		emit_number(out, "value", a->die_value);
		emit_number(out, "was", a->die_was);
	}
	buf_putc(out, '}');
}
