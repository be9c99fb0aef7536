/* feed.c - the prompt: lines in, finished units out; what may stand next.
 *
 * All lines of a session make one text that grows, so that a place in it stays a place. The
 * raw tokens of the unit being read are kept until it is finished: Tab reads them again with
 * a second, silent parser and asks that one what fits. Whether a unit is finished is the
 * phraser's and the parser's answer; nothing here knows the grammar. */
#include <string.h>

#include "lang/front/collect.h"
#include "lang/front/gram.h"
#include "lang/front/phrase.h"
#include "lang/front/source.h"

struct feed {
	struct front *front;
	uint16_t file;
	struct raws raws;   /* of the unit being read, with the margin */
	struct phrase p;
	struct buf awaits;
};

/* ---- lines ---- */

static void restart(struct feed *d)
{
	phrase_stop(&d->p);
	phrase_start(&d->p, d->front, d->file, TOK_START_PROMPT);
	d->raws.at.n = 0;
	buf_clear(&d->awaits);
}

struct feed *feed_new(struct front *f)
{
	struct feed *d = calloc(1, sizeof *d);
	if (!d)
		abort();
	d->front = f;
	d->file = sources_add(f->sources, "(prompt)", "", 0);
	restart(d);
	return d;
}

void feed_free(struct feed *d)
{
	if (!d)
		return;
	phrase_stop(&d->p);
	VEC_FREE(d->raws.at);
	buf_free(&d->awaits);
	free(d);
}

void feed_reset(struct feed *d)
{
	restart(d);
}

static void add_margin(struct raws *r, uint32_t at)
{
	struct raw end = {RAW_END, at, at, 0};
	for (int i = 0; i < RAWS_MARGIN; i++)
		VEC_PUSH(r->at, end);
}

/* Adds a line's raw tokens behind those there are. */
static void scan_line(struct feed *d, struct raws *r, uint32_t from)
{
	struct source *s = &d->front->sources->file.v[d->file];
	if (r->at.n)
		r->at.n -= RAWS_MARGIN;
	if (!raw_scan(r, d->front->names, (char *)(uintptr_t)s->text, from, s->length))
		abort();
	add_margin(r, s->length);
}

static bool is_blank(const char *line)
{
	return line[strspn(line, " \t\r")] == '\0';
}

static void say_awaits(struct feed *d)
{
	struct phrase *p = &d->p;
	buf_clear(&d->awaits);
	if (p->paren)
		buf_puts(&d->awaits, "a closing )");
	else if (p->brace.n && (p->start || phrase_accepts(p, TOK_NL)))
		buf_puts(&d->awaits, "a closing }");
	else
		report_wanted(p, &d->awaits);
}

enum feed_state feed_line(struct feed *d, const char *line, struct node **units)
{
	struct sources *s = d->front->sources;
	uint32_t from = s->file.v[d->file].length;
	d->front->said.n = 0;
	*units = NULL;
	if (is_blank(line)) {
		if (d->raws.at.n && d->p.brace.n)
			return FEED_MORE; /* a block copied from somewhere may hold some */
		restart(d);
		return FEED_EMPTY;
	}
	size_t length = strlen(line);
	if (length > FRAY_TEXT_MAX || from + length >= FRAY_TEXT_MAX) {
		struct span at = {d->file, from, from};
		diag_report(d->front->sink, M_TEXT_TOO_LONG, at, 0);
		restart(d);
		return FEED_ERROR;
	}
	source_grow(s, d->file, line, length);
	source_grow(s, d->file, "\n", 1);
	int old = d->raws.at.n ? d->raws.at.n - RAWS_MARGIN : 0;
	bool good = collect_readable(d->front, d->file, from);
	if (good) {
		scan_line(d, &d->raws, from);
		int count = d->raws.at.n - RAWS_MARGIN;
		good = collect_comment(d->front, d->file, &d->raws) && collect_strings(d->front, d->file, d->raws.at.v + old, count - old);
		d->raws.comment.end = 0;
		if (good) {
			collect_names(d->front, d->file, d->raws.at.v + old, count - old, d->p.brace.n, NULL);
			phrase_run(&d->p, d->raws.at.v, count, true);
			good = !d->p.failed && !d->p.stopped && !d->p.damaged;
			for (struct node *u = d->p.units.head; u; u = u->next)
				good &= !u->damaged;
		}
	}
	if (!good) {
		restart(d);
		return FEED_ERROR;
	}
	if (!phrase_whole(&d->p)) {
		say_awaits(d);
		return FEED_MORE;
	}
	*units = d->p.units.head;
	d->p.units = (struct list){0};
	d->p.at = 0;
	d->raws.at.n = 0;
	buf_clear(&d->awaits);
	return *units ? FEED_UNIT : FEED_EMPTY;
}

const char *feed_awaits(const struct feed *d)
{
	return d->awaits.length ? d->awaits.data : "";
}

/* ---- completion ---- */

struct completion {
	struct feed *feed;
	const char *stem;     /* what is typed of the word or name, blanks single */
	size_t skip;          /* of which so much stands before the last word */
	bool numbered;        /* a # ends it: numbers of somebody alone */
	bool subject;         /* what was offered follows a subject: verbs have an ending */
	const struct scope_names *scope;
	void (*offer)(void *context, const char *word, const char *what);
	void *context;
	VEC(bool) offered;    /* by symbol */
};

static bool begins(const char *text, const char *stem)
{
	for (; *stem; stem++, text++) {
		char a = *text, b = *stem;
		a = a >= 'A' && a <= 'Z' ? (char)(a + 32) : a;
		b = b >= 'A' && b <= 'Z' ? (char)(b + 32) : b;
		if (a != b)
			return false;
	}
	return true;
}

static void offer_text(struct completion *c, const char *text, const char *what)
{
	struct intern *names = c->feed->front->names;
	if (strlen(text) <= c->skip || !begins(text, c->stem) || (c->numbered && text[c->skip] != '#'))
		return;
	sym s = intern_word(names, text + c->skip);
	while (c->offered.n <= (int)s)
		VEC_PUSH(c->offered, false);
	if (!c->offered.v[s])
		c->offer(c->context, text + c->skip, what);
	c->offered.v[s] = true;
}

static void offer_entries(struct completion *c, unsigned flags, unsigned without, const char *what)
{
	const struct lexicon *l = c->feed->front->lexicon;
	for (int i = 0; i < lexicon_count(l); i++) {
		const struct lex_entry *e = lexicon_entry(l, i);
		if (flags & LEX_VERB && (!lexicon_verb(l, e) || (e->verb && c->subject == (e->verb == e->text))))
			continue;
		if ((e->flags & flags) == flags && !(e->flags & without))
			offer_text(c, intern_text(c->feed->front->names, e->text), what);
	}
}

/* ---- what a name has to be the name of ---- */

static void put_name(void *to, const char *name)
{
	offer_text(to, name, "name");
}

static bool offer_scope(struct completion *c, enum scope_of of, sym name, sym prep)
{
	struct scope_asked asked = {of, name, prep};
	return c->scope && c->scope->names && c->scope->names(c->scope->context, &asked, put_name, c);
}

/* The words before a mark, as one name: "orc #1" before its 's. */
static sym name_before(const struct phrase *p, int at)
{
	struct buf b = {0};
	int from = at;
	while (from > 0 && (p->raw[from - 1].kind == RAW_WORD || p->raw[from - 1].kind == RAW_ORDINAL) && !words_inner(p, from - 1))
		from--;
	if (p->lead && from == p->line && from < at)
		from += 1 + phrase_is(p, from + 1, "option"); /* the statement's own words */
	for (int i = from; i < at; i++)
		buf_printf(&b, "%s%s", i > from ? " " : "", intern_text(p->front->names, p->raw[i].word));
	sym name = b.length ? intern_find(p->front->names, b.data, b.length) : 0;
	buf_free(&b);
	return name;
}

/* In the braces of a line `use .. with { .. }`: which option, or which value. */
static bool offer_setting(struct completion *c, const struct phrase *p)
{
	bool use = p->count && phrase_is(p, 0, "use") && p->brace.n == 1;
	if (!use)
		return false;
	int end = p->count;
	if (end && p->raw[end - 1].kind == ':')
		return offer_scope(c, SCOPE_VALUE, name_before(p, end - 1), 0);
	return offer_scope(c, SCOPE_OPTION, 0, 0);
}

static bool is_prep(int token)
{
	return token == TOK_WITH || token == TOK_UNTIL || token == TOK_BY || token == TOK_TO || token == TOK_AT || token == TOK_ON || token == TOK_BEFORE ||
	       token == TOK_AFTER || token == TOK_IN || token == TOK_FROM || token == TOK_FOR || token == TOK_PREP;
}

/* Names that fit where the statement stands; false: any name may. */
static bool offer_names(struct completion *c, const struct phrase *p)
{
	int last = p->last;
	sym before = p->count ? p->raw[p->count - 1].word : 0;
	if (offer_setting(c, p))
		return true;
	if (p->of_rules)
		return offer_scope(c, SCOPE_RULE, 0, 0);
	if (last == TOK_OF && (p->lead == TOK_FORCE || p->lead == TOK_DICE_COLON || p->lead == TOK_DICE_ONLY || p->lead == TOK_CHOICES))
		return offer_scope(c, p->lead == TOK_CHOICES ? SCOPE_CHOICE : SCOPE_ROLL, name_before(p, p->count - 1), 0);
	switch (last) {
	case TOK_SWITCH: return offer_scope(c, SCOPE_FORK, 0, 0);
	case TOK_FORKS: return offer_scope(c, SCOPE_FORK, 0, 0);
	case TOK_VS: return p->lead == TOK_COMPARE && p->count > 1 && phrase_is(p, 1, "forks") && offer_scope(c, SCOPE_FORK, 0, 0);
	case TOK_FORK: return true; /* a new one */
	case TOK_FORCE: case TOK_DICE_COLON: case TOK_DICE_ONLY: return offer_scope(c, SCOPE_ROLL, 0, 0);
	case TOK_CHOICES: return offer_scope(c, SCOPE_WHO, 0, 0);
	case TOK_FOLLOWS: return offer_scope(c, SCOPE_POLICY, 0, 0);
	case TOK_JOIN: return offer_scope(c, SCOPE_SIDE, 0, 0);
	case TOK_USE: return offer_scope(c, SCOPE_MODULE, 0, 0);
	case TOK_OPTION: return offer_scope(c, SCOPE_OPTION, 0, 0);
	case TOK_SHOW: return offer_scope(c, SCOPE_TOPIC, 0, 0);
	case TOK_HELP: return offer_scope(c, SCOPE_HELP, 0, 0);
	case TOK_BEGIN: return offer_scope(c, SCOPE_ENCOUNTER, 0, 0);
	case TOK_DICE_ASK: return offer_scope(c, SCOPE_WHO, 0, 0);
	default: break;
	}
	if (last == TOK_WITH && p->lead == TOK_USE)
		return offer_scope(c, SCOPE_MODULE, 0, 0);
	if (last == TOK_ON && p->lead == TOK_ODDS)
		return offer_scope(c, SCOPE_ENCOUNTER, 0, 0);
	if (last == '=' && p->count > 2 && phrase_is(p, p->line, "set") && phrase_is(p, p->line + 1, "option"))
		return offer_scope(c, SCOPE_VALUE, name_before(p, p->count - 1), 0);
	if (last == TOK_OF)
		return offer_scope(c, SCOPE_FIELD, name_before(p, p->count - 1), 0);
	if (p->sentence && p->verb && last == TOK_VERB)
		return offer_scope(c, SCOPE_PART, p->verb, 0);
	if (p->sentence && p->verb && is_prep(last))
		return offer_scope(c, SCOPE_PART, p->verb, before);
	return false;
}

static void offer_expected(struct completion *c, struct phrase *p)
{
	enum { MOST = 256 };
	int token[MOST], n = gram_expected(p->parser, token, MOST);
	bool start = p->start;
	for (int i = 0; i < word_count; i++) {
		bool here = start ? word_table[i].class & (W_START | W_FIRST) : word_table[i].class & (W_INNER | W_FIRST);
		for (int k = 0; here && k < n; k++)
			if (token[k] == word_table[i].token) {
				offer_text(c, word_table[i].text, "keyword");
				break;
			}
	}
	for (int k = 0; k < n; k++)
		switch (token[k]) {
		case TOK_DICE_COLON: case TOK_DICE_ONLY: case TOK_CHOICES: case TOK_REFEREE:
			offer_text(c, gram_name(token[k]), "keyword");
			break;
		case TOK_KIND:
			offer_entries(c, LEX_KIND, 0, "keyword");
			break;
		case TOK_VERB:
			c->subject = !start;
			offer_entries(c, p->sentence && !start ? LEX_VERB | LEX_ACTION : LEX_VERB, 0, "verb");
			break;
		case TOK_SUBJECT:
			if (start)
				offer_scope(c, SCOPE_WHO, 0, 0);
			break;
		case TOK_MOMENT:
			if (p->last == TOK_TO)
				offer_scope(c, SCOPE_MOMENT, 0, 0);
			break;
		case TOK_NAME:
			if (offer_names(c, p))
				break;
			if (p->last == TOK_OF)
				offer_entries(c, LEX_FIELD, 0, "field");
			else if (p->of_rules)
				offer_entries(c, LEX_RULE, 0, "name");
			else
				offer_entries(c, LEX_NAME, LEX_RULE, "name");
			break;
		default:
			break;
		}
}

/* The last word typed may be the first of a name, or its second, or third ..: each way is
 * tried with the parser as it stands before that name. */
static void complete_from(struct completion *c, const struct raw *raw, int count, int words, bool open)
{
	struct front quiet = *c->feed->front;
	struct arena scratch;
	struct buf stem = {0};
	struct phrase p;
	arena_init(&scratch);
	quiet.arena = &scratch;
	memset(&quiet.said, 0, sizeof quiet.said); /* what is wrong here is nobody's business */
	phrase_start(&p, &quiet, c->feed->file, TOK_START_PROMPT);
	p.quiet = true;
	struct raw *cut = malloc(sizeof *cut * (size_t)(count - words + RAWS_MARGIN));
	if (!cut)
		abort();
	memcpy(cut, raw, sizeof *cut * (size_t)(count - words));
	for (int i = 0; i < RAWS_MARGIN; i++)
		cut[count - words + i] = raw[count];
	phrase_run(&p, cut, count - words, true);
	c->skip = 0;
	for (int i = count - words; i < count; i++) {
		if (i + 1 == count && open)
			c->skip = stem.length;
		buf_puts(&stem, intern_text(quiet.names, raw[i].word));
		bool glued = i + 1 < count && raw[i + 1].kind == RAW_OF;
		if (!glued && (i + 1 < count || !open))
			buf_putc(&stem, ' ');
	}
	if (!open)
		c->skip = stem.length;
	c->stem = buf_text(&stem);
	if (!p.failed && !p.stopped) {
		offer_expected(c, &p);
		/* "set option" is read as one only when more has come */
		static const char set_option[] = "option ";
		if (p.last == TOK_SET && begins(c->stem, set_option)) {
			c->stem += sizeof set_option - 1;
			c->skip = c->skip < sizeof set_option ? 0 : c->skip - (sizeof set_option - 1);
			offer_scope(c, SCOPE_OPTION, 0, 0);
		}
		/* somebody is named: what may he do? */
		bool sentence = p.start ? phrase_accepts(&p, TOK_SUBJECT) : p.zone == ZONE_SUBJECT;
		int who = words - (open ? 1 : 0);
		if (sentence && who && words_name(&(struct phrase){.front = &quiet, .raw = raw, .count = count}, count - words, LEX_NAME | LEX_PLURAL) == who) {
			c->subject = true;
			c->stem = open ? intern_text(quiet.names, raw[count - 1].word) : "";
			c->skip = 0;
			offer_entries(c, LEX_VERB | LEX_ACTION, 0, "verb");
			static const char *const also[] = {"joins", "leaves", "follows"};
			for (size_t i = 0; i < FRAY_COUNT(also); i++)
				offer_text(c, also[i], "verb");
		}
	}
	free(cut);
	buf_free(&stem);
	phrase_stop(&p);
	VEC_FREE(quiet.said);
	arena_free(&scratch);
}

void feed_complete(struct feed *d, const char *prefix, const struct scope_names *scope, void (*offer)(void *context, const char *word, const char *what), void *context)
{
	struct completion c = {.feed = d, .stem = "", .scope = scope, .offer = offer, .context = context};
	uint32_t from = d->front->sources->file.v[d->file].length;
	size_t length = strlen(prefix);
	c.numbered = length && prefix[length - 1] == '#'; /* "orc #": which one? */
	length -= c.numbered;
	struct raws r = {0};
	if (from + length >= FRAY_TEXT_MAX)
		return;
	for (int i = 0; i < d->raws.at.n; i++)
		VEC_PUSH(r.at, d->raws.at.v[i]);
	source_grow(d->front->sources, d->file, prefix, length);
	scan_line(d, &r, from);
	int count = r.at.n - RAWS_MARGIN, old = d->raws.at.n ? d->raws.at.n - RAWS_MARGIN : 0, words = 0;
	for (int kind; words < 6 && count - words > old; words++) {
		kind = r.at.v[count - words - 1].kind;
		if (kind != RAW_WORD && kind != RAW_ORDINAL && (kind != RAW_OF || words == 0)) /* footman's mace is one name */
			break;
	}
	bool open = words && length && prefix[length - 1] != ' ' && prefix[length - 1] != '\t';
	for (int k = open ? 1 : 0; k <= words; k++)
		complete_from(&c, r.at.v, count, k, open);
	source_cut(d->front->sources, d->file, from);
	VEC_FREE(r.at);
	VEC_FREE(c.offered);
}
