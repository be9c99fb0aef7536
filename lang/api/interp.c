/* interp.c - an interpreter's life, and how it speaks to its host. */
#include "lang/api/attempt.h"
#include "lang/api/bars.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lang/front/lexicon.h"

void fray_write(struct fray *f, enum fray_style style, const char *text)
{
	if (f->config.write)
		f->config.write(f->config.context, style, text, strlen(text));
}

void fray_writef(struct fray *f, enum fray_style style, const char *format, ...)
{
	struct buf b = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&b, format, args);
	va_end(args);
	if (f->config.write)
		f->config.write(f->config.context, style, buf_text(&b), b.length);
	buf_free(&b);
}

static void add_place(struct fray *f, struct span at, struct buf *out)
{
	int line, column;
	if (at.file == 0)
		return;
	sources_place(&f->sources, at, &line, &column);
	if (line)
		buf_printf(out, "%s:%d: ", f->sources.file.v[at.file].name, line);
}

/* A line of a message. At a terminal it is broken between words, and goes on further in. */
static void put_line(const struct fray *f, const char *text, int hang, struct buf *out)
{
	const char *line = out->length ? strrchr(buf_text(out), '\n') : NULL;
	int column = bars_columns(line ? line + 1 : buf_text(out));
	while (f->config.width > 0 && *text) {
		const size_t n = strcspn(text, " ");
		struct buf piece = {0};
		buf_add(&piece, text, n);
		const int wide = bars_columns(buf_text(&piece));
		buf_free(&piece);
		if (column > hang && column + wide > f->config.width) {
			while (out->length && out->data[out->length - 1] == ' ')
				out->length--;
			buf_printf(out, "\n%*s", hang, "");
			column = hang;
		}
		const size_t blanks = strspn(text + n, " ");
		buf_add(out, text, n + blanks);
		column += wide + (int)blanks;
		text += n + blanks;
	}
	buf_printf(out, "%s\n", text);
}

/* A diagnostic made into text: sentence and code, excerpt, explanation, hint. */
static void render(struct fray *f, const struct diag *d, const char *sentence, const char *hint, struct buf *out)
{
	enum { HANG = 4 };
	struct buf coded = {0};
	add_place(f, d->span, out);
	if (message_table[d->id].severity == SEV_WARNING)
		buf_puts(out, "warning: ");
	buf_printf(&coded, "%s [%s]", sentence, message_table[d->id].code);
	put_line(f, buf_text(&coded), HANG, out);
	buf_free(&coded);
	if (d->span.file) {
		buf_putc(out, '\n');
		sources_excerpt(&f->sources, d->span, out);
	}
	for (int i = 0; i < d->relateds; i++) {
		buf_puts(out, "  ");
		add_place(f, d->related[i].span, out);
		buf_printf(out, "%s\n", d->related[i].label);
		if (d->related[i].span.file)
			sources_excerpt(&f->sources, d->related[i].span, out);
	}
	for (int i = 0; i < d->lines; i++) {
		buf_puts(out, "  ");
		put_line(f, d->line[i], HANG, out);
	}
	if (*hint) {
		buf_puts(out, "  ");
		put_line(f, hint, HANG, out);
	}
	buf_putc(out, '\n');
}

/* Whether it was typed, and is not the script's. */
static bool at_prompt(const struct fray *f, const struct diag *d)
{
	bool wrong = message_table[d->id].severity == SEV_ERROR;
	return wrong && d->span.file && d->span.file < f->sources.file.n && !strcmp(f->sources.file.v[d->span.file].name, "(prompt)");
}

/* What may be typed next, where the message itself says nothing of it. */
static void hint_of_prompt(const struct diag *d, struct buf *hint)
{
	switch (d->id) {
	case M_NOBODY_HERE:
		break;
	case M_NO_NAME: case M_NO_THING: case M_NO_COMBATANT: case M_FIELD_OF_WHAT:
		buf_puts(hint, "Who is there: show world. What can be said of them: show fields, show actions");
		break;
	case M_NO_POLICY:
		buf_printf(hint, "Write it first: policy %s { attack my nearest enemy }", d->args ? d->arg[0] : "NAME");
		break;
	case M_OPTION_VALUE:
		buf_puts(hint, "What each value means: show options");
		break;
	case M_NO_ENCOUNTER:
		buf_puts(hint, "Which there are: show encounters");
		break;
	case M_EXPECT:
		buf_puts(hint, "For the reason, write: why");
		break;
	case M_NOT_SAVED:
		break; /* it says why, and that is another program's affair */
	default:
		buf_puts(hint, "What can be typed: help; how rules are written: help rules");
		break;
	}
}

/* A warning of something typed earlier, which the script now holds. */
static bool said_before(const struct fray *f, const struct diag *d)
{
	const struct node *n = f->session.newest;
	bool newest = n && n->span.file == d->span.file && n->span.start <= d->span.start && d->span.end <= n->span.end;
	bool repeats = message_table[d->id].severity == SEV_WARNING || d->id == M_DIE_UNUSED || d->id == M_CHOICE_UNUSED || d->id == M_EXPECT_NEVER || d->id == M_DIE_UNLISTED;
	return f->session.replaying && repeats && !newest;
}

void fray_report(struct fray *f, const struct diag *sent)
{
	struct diag own = *sent;
	const struct diag *d = &own;
	struct fray_diagnostic r;
	struct buf sentence = {0}, hint = {0}, text = {0};
	static const enum fray_severity severity[] = {[SEV_NOTE] = FRAY_NOTE, [SEV_WARNING] = FRAY_WARNING, [SEV_ERROR] = FRAY_ERROR,
	                                              [SEV_RULING] = FRAY_RULING, [SEV_LIMIT] = FRAY_LIMIT};
	if (!f->config.report || said_before(f, d))
		return;
	/* what a rule calls wrong stands in the script, and by which ways the rule came to look at it is no matter */
	if (d->id == M_WRONG && d->args > 1 && wrong_place(f, d->arg[0], d->arg[1], &own.span))
		own.lines = 0;
	memset(&r, 0, sizeof r);
	diag_sentence(d, &sentence);
	diag_hint(d, &hint);
	if (!hint.length && d->lines == 0 && at_prompt(f, d))
		hint_of_prompt(d, &hint);
	render(f, d, buf_text(&sentence), buf_text(&hint), &text);
	r.severity = severity[message_table[d->id].severity];
	r.code = message_table[d->id].code;
	r.file = d->span.file && d->span.file < f->sources.file.n ? f->sources.file.v[d->span.file].name : "";
	if (d->span.file) {
		struct span end = d->span;
		sources_place(&f->sources, d->span, &r.line, &r.column);
		end.start = end.end;
		sources_place(&f->sources, end, &r.end_line, &r.end_column);
		r.start = d->span.start;
		r.end = d->span.end;
	}
	r.message = buf_text(&sentence);
	r.hint = hint.length || !d->lines ? buf_text(&hint) : d->line[0];
	r.text = buf_text(&text);
	f->config.report(f->config.context, &r);
	buf_free(&sentence);
	buf_free(&hint);
	buf_free(&text);
}

static void report(void *context, const struct diag *d)
{
	fray_report(context, d);
}

static void begin(struct fray *f)
{
	arena_init(&f->arena);
	f->names = intern_new();
	sources_init(&f->sources);
	f->sink.report = report;
	f->sink.context = f;
	f->sink.errors = f->sink.warnings = 0;
	f->sink.limit = 40;
	f->run_sink = f->sink;
	f->run_sink.limit = 200;
	front_init(&f->front, &f->arena, f->names, &f->sources, &f->sink);
	f->front.verb_elsewhere = elsewhere_verb;
	f->front.value_elsewhere = elsewhere_value;
	f->front.state_line = state_line;
	f->front.elsewhere = f;
	f->front.use_meant = use_meant;
	f->front.said_verb = elsewhere_said(&f->front.said_verbs);
	f->feed = feed_new(&f->front);
	f->encounter = -1;
}

static void end(struct fray *f)
{
	attempt_keep(f);
	f->closing = true;
	run_close(f);
	f->closing = f->unwritten = false;
	if (f->checked)
		model_free(&f->model);
	f->checked = f->sound = false;
	VEC_FREE(f->unit);
	VEC_FREE(f->unmet);
	lean_forget(f);
	f->units_again = 0;
	f->more_read = f->names_known = false;
	feed_free(f->feed);
	front_free(&f->front);
	lexicon_free(f->lexicon);
	f->lexicon = NULL;
	sources_free(&f->sources);
	intern_free(f->names);
	arena_free(&f->arena);
}

void interp_anew(struct fray *f)
{
	end(f);
	begin(f);
}

struct fray *fray_open(const struct fray_config *config)
{
	if (!config || config->abi != FRAY_ABI)
		return NULL;
	struct fray *f = calloc(1, sizeof *f);
	if (!f)
		return NULL;
	f->config = *config;
	begin(f);
	return f;
}

void fray_close(struct fray *f)
{
	if (!f)
		return;
	end(f);
	buf_free(&f->text);
	buf_free(&f->elsewhere);
	buf_free(&f->kept);
	report_free(f->report);
	part_free(f->part);
	parts_free(f->parts);
	free(f->rules);
	free(f->meant);
	free(f);
}

enum fray_status fray_rules(struct fray *f, const char *rules)
{
	free(f->rules);
	f->rules = NULL;
	if (rules) {
		f->rules = malloc(strlen(rules) + 1);
		if (!f->rules)
			return FRAY_STOPPED;
		/* osric+gentle and osric, gentle are osric,gentle */
		char *to = f->rules;
		for (const char *p = rules; *p; p++) {
			const bool between = to == f->rules || to[-1] == ',' || p[1 + strspn(p + 1, " ")] == ',' || p[1 + strspn(p + 1, " ")] == '+' || !p[1 + strspn(p + 1, " ")];
			if (*p != ' ' || !between)
				*to++ = *p == '+' ? ',' : *p;
		}
		*to = '\0';
	}
	return FRAY_OK;
}

void fray_width(struct fray *f, int columns)
{
	f->config.width = columns;
}

void fray_wrap(struct fray *f, const char *text, int column, int hang)
{
	int width = f->config.width > 0 ? f->config.width : 80;
	bool first = true;
	while (*text) {
		size_t n = strcspn(text, " ");
		int blank = first ? 0 : 1;
		if (!first && column + blank + (int)n > width) {
			fray_writef(f, FRAY_PLAIN, "\n%*s", hang, "");
			column = hang;
			blank = 0;
		}
		fray_writef(f, FRAY_PLAIN, "%s%.*s", blank ? " " : "", (int)n, text);
		column += blank + (int)n;
		text += n + strspn(text + n, " ");
		first = false;
	}
	fray_write(f, FRAY_PLAIN, "\n");
}
