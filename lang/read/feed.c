/* feed.c - the prompt: lines are gathered until the parser could end there. */
#include <stdlib.h>
#include <string.h>

#include "lang/front/front.h"
#include "lang/read/phrase.h"

struct feed {
	struct front *front;
	struct buf text;         /* the half-read unit */
	const char *awaits;
	char why[64];
};

struct feed *feed_new(struct front *f)
{
	struct feed *d = calloc(1, sizeof *d);
	if (!d)
		abort();
	d->front = f;
	d->awaits = "";
	return d;
}

void feed_free(struct feed *d)
{
	if (!d)
		return;
	buf_free(&d->text);
	free(d);
}

void feed_reset(struct feed *d)
{
	buf_clear(&d->text);
	d->awaits = "";
}

const char *feed_awaits(const struct feed *d)
{
	return d->awaits;
}

static bool blank(const char *line)
{
	return line[strspn(line, " \t\r")] == '\0';
}

static void swallow(void *context, const struct diag *d)
{
	(void)context;
	(void)d;
}

enum feed_state feed_line(struct feed *d, const char *line, struct node **units)
{
	*units = NULL;
	if (blank(line)) {
		feed_reset(d);
		return FEED_EMPTY;
	}
	buf_puts(&d->text, line);
	buf_putc(&d->text, '\n');
	/* a trial run first, silent: is the unit complete? */
	struct diag_sink silent = {swallow, NULL, 0, 0, 0};
	struct diag_sink *sink = d->front->sink;
	uint16_t file = sources_add(d->front->sources, "prompt", d->text.data, d->text.length);
	struct raws raw = {{0}};
	struct node *uses;
	struct parse p;
	struct phrase_end end;
	memset(&p, 0, sizeof p);
	p.front = d->front;
	p.file = file;
	p.prompt = true;
	if (!front_collect(d->front, file, &uses)) {
		feed_reset(d);
		return FEED_ERROR;
	}
	scan_text(d->text.data, (uint32_t)d->text.length, &raw);
	d->front->sink = &silent;
	phrase_run(&p, raw.token.v, raw.token.n, false, &end);
	d->front->sink = sink;
	if (p.errors == 0 && !end.complete) {
		VEC_FREE(raw.token);
		d->awaits = end.open ? "a closing }" : end.in_parens ? "a closing )" : "the rest of the line";
		return FEED_MORE;
	}
	memset(&p, 0, sizeof p);
	p.front = d->front;
	p.file = file;
	p.prompt = true;
	phrase_run(&p, raw.token.v, raw.token.n, true, &end);
	VEC_FREE(raw.token);
	feed_reset(d);
	if (p.errors)
		return FEED_ERROR;
	*units = p.units.head;
	return p.units.head ? FEED_UNIT : FEED_EMPTY;
}

/* ---- completion ---- */

struct offer { const char *tail; size_t length; void (*offer)(void *, const char *, const char *); void *context; struct front *front; bool names, verbs; };

static void offer_name(void *context, sym name, int flags)
{
	struct offer *o = context;
	const char *text = intern_text(o->front->names, name);
	const char *folded = intern_folded(o->front->names, name);
	bool wanted = (o->names && flags & LEX_NAME) || (o->verbs && flags & LEX_VERB);
	if (wanted && !strncmp(folded, o->tail, o->length))
		o->offer(o->context, text, flags & LEX_VERB && !(flags & LEX_NAME) ? "verb" : "name");
}

void feed_complete(struct feed *d, const char *prefix, void (*offer)(void *context, const char *word, const char *what), void *context)
{
	struct buf text = {0};
	size_t n = strlen(prefix), from = n;
	while (from > 0 && prefix[from - 1] != ' ' && prefix[from - 1] != '\t' && prefix[from - 1] != '(' && prefix[from - 1] != ',')
		from--;
	buf_add(&text, d->text.data ? d->text.data : "", d->text.length);
	buf_add(&text, prefix, from);
	struct diag_sink silent = {swallow, NULL, 0, 0, 0};
	struct diag_sink *sink = d->front->sink;
	uint16_t file = sources_add(d->front->sources, "completion", buf_text(&text), text.length);
	struct raws raw = {{0}};
	struct parse p;
	struct phrase_end end;
	memset(&p, 0, sizeof p);
	memset(&end, 0, sizeof end);
	p.front = d->front;
	p.file = file;
	p.prompt = true;
	d->front->sink = &silent;
	if (scan_text(buf_text(&text), (uint32_t)text.length, &raw)) {
		/* without the line end that the scanner adds: the line goes on */
		int tokens = raw.token.n - 2;
		phrase_run(&p, raw.token.v, tokens < 0 ? 0 : tokens, false, &end);
	}
	d->front->sink = sink;
	VEC_FREE(raw.token);
	struct offer o = {prefix + from, n - from, offer, context, d->front, false, false};
	for (int i = 0; i < end.expecteds; i++) {
		const char *word = parser_token_name(end.expected[i]);
		if (!strcmp(word, "a name"))
			o.names = true;
		else if (!strcmp(word, "a verb"))
			o.verbs = true;
		else if (strncmp(word, "a ", 2) && strncmp(word, "the ", 4) && word[0] >= 'a' && word[0] <= 'z' && !strncmp(word, o.tail, o.length))
			offer(context, word, "keyword");
	}
	lexicon_each(d->front->lexicon, offer_name, &o);
	buf_free(&text);
}
