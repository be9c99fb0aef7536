/* collect.c - the first look at a text: is it readable, and which names does it declare?
 *
 * Statements are told apart by line ends, semicolons and braces alone; their first words say
 * what they declare. What this pass takes for a name too much does little harm: declared names
 * only decide where a run of words is cut. */
#include "lang/front/collect.h"

#include <stdlib.h>
#include <string.h>

#include "lang/front/image.h"
#include "lang/front/lexicon.h"
#include "lang/front/source.h"

struct reader {
	struct front *front;
	const struct raw *raw;
	int count;
	uint16_t file;
	int depth;
	bool misnamed; /* a name that could not be read where it is used */
	struct node **uses, *last_use; /* the list of modules used, when wanted */
	bool asking;   /* in a question of odds, which stands in so many blocks: */
	int asked;
	int beat;      /* how deep a block of a beat stands open, 0: none does */
};

/* ---- is it readable? ---- */

static bool refuse(struct front *f, enum message id, uint16_t file, uint32_t start, uint32_t end)
{
	struct span at = {file, start, end};
	diag_report(f->sink, id, at, 0);
	return false;
}

bool collect_readable(struct front *f, uint16_t file, uint32_t from)
{
	const struct source *s = &f->sources->file.v[file];
	const unsigned char *t = (const unsigned char *)s->text;
	if (s->length > FRAY_TEXT_MAX)
		return refuse(f, M_TEXT_TOO_LONG, file, 0, 1);
	for (uint32_t i = from, n; i < s->length; i += n) {
		if (t[i] == 0)
			return refuse(f, M_ZERO_BYTE, file, i, i + 1);
		n = utf8_length(s->text + i, s->length - i);
		if (n == 0)
			return refuse(f, M_NOT_UTF8, file, i, i + 1);
	}
	return true;
}

bool collect_comment(struct front *f, uint16_t file, const struct raws *raws)
{
	if (!raws->comment.end)
		return true;
	const struct span at = {file, raws->comment.start, raws->comment.end};
	size_t length, mark = 1;
	const char *text = sources_text(f->sources, at, &length);
	if (*text == '/')
		mark = 2;
	else if (*text != '#')
		mark = strlen("\xE2\x80\x94");
	char *said = arena_text(f->arena, text + mark, length - mark), *sign = arena_text(f->arena, text, mark);
	said += strspn(said, " \t");
	said[strcspn(said, "\r")] = '\0';
	char *also = strstr(said, "--"); /* a comment behind it on the same line */
	if (also)
		*also = '\0';
	diag_report(f->sink, M_COMMENT, (struct span){file, at.start, at.start + (uint32_t)mark}, 2, sign, said);
	return false;
}

bool collect_strings(struct front *f, uint16_t file, const struct raw *raw, int count)
{
	bool good = true;
	for (int i = 0; i < count; i++)
		if (raw[i].kind == RAW_OPEN_STRING)
			good = refuse(f, M_QUOTE_OPEN, file, raw[i].start, raw[i].start + 1);
	return good;
}

static void end_raws(const struct source *s, struct raws *out)
{
	struct raw end = {RAW_END, s->length, s->length, 0};
	for (int i = 0; i < RAWS_MARGIN; i++)
		VEC_PUSH(out->at, end);
}

void front_raws(struct front *f, uint16_t file, struct raws *out)
{
	struct source *s = &f->sources->file.v[file];
	if (s->image) {
		if (!f->spelt && !(f->spelt = calloc(s->image->spellings, sizeof *f->spelt)))
			abort();
		image_raws(s->image, s->image_file, s->taken, f->spelt, f->names, out);
		end_raws(s, out);
		return;
	}
	if (!raw_scan(out, f->names, (char *)(uintptr_t)s->text, source_start(s), s->length))
		abort();
	end_raws(s, out);
}

static void raws_keep(struct front *f, uint16_t file, const struct raws *raws)
{
	struct source *s = &f->sources->file.v[file];
	source_forget(s);
	s->kept = malloc(sizeof *s->kept);
	if (!s->kept)
		abort();
	*s->kept = *raws;
	s->kept_spellings = intern_spellings(f->names);
}

void front_raws_take(struct front *f, uint16_t file, struct raws *out)
{
	struct source *s = &f->sources->file.v[file];
	if (!s->kept) {
		front_raws(f, file, out);
		return;
	}
	*out = *s->kept;
	free(s->kept);
	s->kept = NULL;
	/* spellings may have been declared since */
	for (int i = 0; i < out->at.n && s->kept_spellings != intern_spellings(f->names); i++)
		if (out->at.v[i].word)
			out->at.v[i].word = intern_first(f->names, out->at.v[i].word);
}

/* ---- learning ---- */

void collect_kind(struct front *f, const char *text)
{
	struct buf b = {0};
	sym kind = intern_word(f->names, text);
	lexicon_add_text(f->lexicon, LEX_NAMES, text, LEX_KIND)->kind = kind;
	lexicon_plural(&b, text);
	struct lex_entry *e = lexicon_add_text(f->lexicon, LEX_NAMES, buf_text(&b), LEX_KIND);
	if (!e->kind)
		e->kind = kind;
	buf_free(&b);
}

void collect_unit(struct front *f, const char *text)
{
	struct buf b = {0};
	sym unit = intern_word(f->names, text);
	lexicon_add_text(f->lexicon, LEX_NAMES, text, LEX_UNIT)->unit = unit;
	lexicon_plural(&b, text);
	struct lex_entry *e = lexicon_add_text(f->lexicon, LEX_NAMES, buf_text(&b), LEX_UNIT);
	if (!e->unit)
		e->unit = unit;
	buf_free(&b);
}

static bool is(const struct reader *r, int at, const char *word)
{
	const char *text = r->raw[at].kind == RAW_WORD ? intern_folded(r->front->names, r->raw[at].word) : "";
	return *text == *word && !strcmp(text, word);
}

static int run(const struct reader *r, int at)
{
	int n = 0;
	while (at + n < r->count && raw_is_word(&r->raw[at + n]))
		n++;
	return n;
}

void raws_text(const struct front *f, uint16_t file, const struct raw *raw, int n, struct buf *out)
{
	const char *text = f->sources->file.v[file].text;
	for (int i = 0; i < n; i++) {
		bool of = raw[i].kind == RAW_OF;
		if (i && !of)
			buf_putc(out, ' ');
		if (of) /* whatever the apostrophe looks like */
			buf_puts(out, text[raw[i].end - 1] == 's' ? "'s" : "'");
		else
			buf_add(out, text + raw[i].start, raw[i].end - raw[i].start);
	}
}

static void text_at(const struct reader *r, int at, int n, struct buf *out)
{
	raws_text(r->front, r->file, &r->raw[at], n, out);
}

static sym name_at(const struct reader *r, int at, int n)
{
	struct buf b = {0};
	if (n == 1)
		return r->raw[at].word;
	text_at(r, at, n, &b);
	sym s = intern_put(r->front->names, buf_text(&b), b.length);
	buf_free(&b);
	return s;
}

static struct lex_entry *learn(struct reader *r, int at, int n, unsigned flags)
{
	sym word[128];
	if (n < 1)
		return NULL;
	if (n > (int)FRAY_COUNT(word))
		n = FRAY_COUNT(word);
	for (int i = 0; i < n; i++)
		word[i] = r->raw[at + i].word;
	return lexicon_add(r->front->lexicon, LEX_NAMES, word, n, name_at(r, at, n), flags);
}

/* Words up to a mark or one of the words in `stop`, a list with | around each. */
static int header(const struct reader *r, int at, const char *stop, bool of)
{
	int n = 0;
	for (; at + n < r->count; n++) {
		const struct raw *w = &r->raw[at + n];
		if (!raw_is_word(w) && !(of && n && w->kind == RAW_OF && raw_is_word(w + 1)))
			break;
		if (n && w->kind == RAW_WORD) {
			const char *t = intern_folded(r->front->names, w->word);
			size_t length = strlen(t);
			for (const char *s = strstr(stop, t); s; s = strstr(s + 1, t))
				if (s > stop && s[-1] == '|' && s[length] == '|')
					return n;
		}
	}
	return n;
}

/* The text from one place to another as a name. */
static void learn_text(struct reader *r, uint32_t start, uint32_t end, unsigned flags)
{
	const sym s = start < end && end - start <= FRAY_NAME_MAX
		? intern_put(r->front->names, r->front->sources->file.v[r->file].text + start, end - start)
		: 0;
	if (s && *intern_folded(r->front->names, s))
		lexicon_add_text(r->front->lexicon, LEX_NAMES, intern_text(r->front->names, s), flags);
}

static void learn_quoted(struct reader *r, int at, unsigned flags)
{
	const struct raw *w = &r->raw[at];
	const uint32_t mark = r->front->sources->file.v[r->file].text[w->start] == '"' ? 1 : 3;
	if (w->end - w->start > 2 * mark)
		learn_text(r, w->start + mark, w->end - mark, flags);
}

static void learn_plural(struct reader *r, int at, int n)
{
	struct buf b = {0}, plural = {0};
	text_at(r, at, n, &b);
	lexicon_plural(&plural, buf_text(&b));
	lexicon_add_text(r->front->lexicon, LEX_NAMES, buf_text(&plural), LEX_PLURAL);
	buf_free(&b);
	buf_free(&plural);
}

void front_learn(struct front *f, const char *name)
{
	struct buf plural = {0};
	bool before = lexicon_library(f->lexicon, true);
	lexicon_plural(&plural, name);
	lexicon_add_text(f->lexicon, LEX_NAMES, name, LEX_NAME);
	lexicon_add_text(f->lexicon, LEX_NAMES, buf_text(&plural), LEX_PLURAL);
	lexicon_library(f->lexicon, before);
	buf_free(&plural);
}

/* Names separated by commas, up to the closing mark. */
static void learn_list(struct reader *r, int at, unsigned flags)
{
	while (at < r->count) {
		int n = run(r, at);
		learn(r, at, n, flags);
		at += n;
		if (r->raw[at].kind != ',')
			return;
		at++;
	}
}

static void learn_verb(struct reader *r, int at, int n, unsigned more)
{
	sym word[128];
	if (n < 1 || n > (int)FRAY_COUNT(word))
		return;
	for (int i = 0; i < n; i++)
		word[i] = r->raw[at + i].word;
	lexicon_add_verb(r->front->lexicon, word, n, name_at(r, at, n), more);
}

/* ---- statements ---- */

static const char prepositions[] = "|with|until|by|to|at|on|before|after|in|from|for|into|against|toward|towards|using|behind|past|"
	"through|between|under|inside|near|beside|among|around|across|along|onto|upon|without|within|beyond|";

static bool is_preposition(const struct reader *r, int at)
{
	struct buf b = {0};
	buf_printf(&b, "|%s|", r->raw[at].word ? intern_folded(r->front->names, r->raw[at].word) : " ");
	bool found = strstr(prepositions, buf_text(&b)) != NULL;
	buf_free(&b);
	return found;
}

static void collect_action(struct reader *r, int at)
{
	int n = run(r, at), first = at;
	unsigned more = 0;
	if (n > 1 && r->raw[at + n].kind == '(' && is_preposition(r, at + n - 1))
		n--;
	at += n;
	while (at < r->count) {
		int k = run(r, at);
		if (r->raw[at + k].kind != '(')
			break;
		if (k)
			learn(r, at, k, LEX_PREP);
		if (k == 1 && is(r, at, "to") && (is(r, at + 2, "act") || is(r, at + 2, "action")))
			more = LEX_CARRIER;
		at += k + 1;
		learn_list(r, at, LEX_NAME);
		while (at < r->count && r->raw[at].kind != ')' && r->raw[at].kind != RAW_NL)
			at++;
		at += r->raw[at].kind == ')';
	}
	learn_verb(r, first, n, more | LEX_ACTION);
}

/* define X's field = ..; define name (a, b) = ..; define X is adjective when .. */
static void collect_define(struct reader *r, int at)
{
	while (at < r->count) {
		int kind = r->raw[at].kind;
		if (raw_is_word(&r->raw[at])) {
			if (is(r, at, "when") || is(r, at, "unless"))
				return;
			if (is(r, at, "is")) {
				at++;
				learn(r, at, header(r, at, "|when|unless|", false), LEX_NAME);
				return;
			}
			int n = header(r, at, "|is|when|unless|", false);
			learn(r, at, n, LEX_FIELD);
			at += n;
			if (r->raw[at].kind == '(')
				learn_list(r, at + 1, LEX_NAME);
		} else if (kind == RAW_OF || kind == '(' || kind == ')' || kind == ',') {
			at++;
		} else {
			return;
		}
	}
}

static void collect_alias(struct reader *r, int at)
{
	int n = header(r, at, "", true), to = at + n + 1;
	if (n < 1 || r->raw[at + n].kind != '=')
		return;
	struct buf b = {0};
	if (r->raw[to].kind == RAW_STRING) {
		const char *t = r->front->sources->file.v[r->file].text + r->raw[to].start;
		buf_add(&b, t + 1, r->raw[to].end - r->raw[to].start - 2);
	} else {
		text_at(r, to, header(r, to, "", true), &b);
	}
	sym target = intern_put(r->front->names, buf_text(&b), b.length);
	b.length = 0;
	if (target && *intern_folded(r->front->names, target)) {
		learn(r, at, n, LEX_NAME | LEX_ALIAS | LEX_VERB)->alias = target;
		/* "alias slay = kill" also makes "slays" a verb; "alias dies = death" is one itself */
		struct buf form = {0};
		const char *first = intern_folded(r->front->names, r->raw[at].word);
		if (first[strlen(first) - 1] == 's') {
			buf_free(&b);
			return;
		}
		lexicon_plural(&form, first);
		if (n > 1) {
			buf_putc(&form, ' ');
			text_at(r, at + 1, n - 1, &form);
		}
		struct lex_entry *e = lexicon_add_text(r->front->lexicon, LEX_NAMES, buf_text(&form), LEX_VERB);
		if (!e->verb)
			e->alias = target;
		buf_free(&form);
	}
	buf_free(&b);
}

/* "spelling color = colour" */
static void collect_spelling(struct reader *r, int at)
{
	if (!raw_is_word(&r->raw[at]) || r->raw[at + 1].kind != '=' || !raw_is_word(&r->raw[at + 2]) || raw_is_word(&r->raw[at + 3]))
		return;
	struct buf from = {0}, to = {0};
	text_at(r, at, 1, &from);
	text_at(r, at + 2, 1, &to);
	intern_spelling(r->front->names, buf_text(&from), buf_text(&to));
	buf_free(&from);
	buf_free(&to);
}

/* A part of a file's path: only names of modules are used. */
static bool is_path(const struct reader *r, int at)
{
	int kind = at >= 0 && at < r->count ? r->raw[at].kind : RAW_NL;
	return kind == '/' || kind == '.' || (kind != RAW_STRING && r->raw[at].end > r->raw[at].start && r->front->sources->file.v[r->file].text[r->raw[at].start] == '.');
}

static void collect_use(struct reader *r, int at)
{
	int depth = 0;
	for (; at < r->count && r->raw[at].kind != RAW_NL && r->raw[at].kind != RAW_SEMI; at++) {
		int n = header(r, at, "|with|", false);
		if (r->raw[at].kind == '}' && depth == 0) /* of the block the line stands in */
			return;
		depth += (r->raw[at].kind == '{') - (r->raw[at].kind == '}');
		if (depth || (n < 1 && r->raw[at].kind != RAW_STRING) || is(r, at, "with"))
			continue;
		struct span span = {r->file, r->raw[at].start, r->raw[at + (n ? n - 1 : 0)].end};
		if (n && (is_path(r, at - 1) || is_path(r, at + n))) /* the parser says what is wrong with it */
			return;
		struct node *name = node_new(r->front->arena, N_KIND_E_NAME, span);
		name->op = r->depth > 0; /* of a branch of odds, or in mid-fight */
		if (n) {
			name->name = name_at(r, at, n);
			at += n - 1;
		} else {
			const char *t = r->front->sources->file.v[r->file].text + span.start;
			name->name = intern_put(r->front->names, t + 1, span.end - span.start - 2);
			name->num = 1;
		}
		if (r->last_use)
			r->last_use->next = name;
		else
			*r->uses = name;
		r->last_use = name;
	}
}

/* "my sword": where such a name is used, its first word is read as something else. */
static bool is_misnamed(struct reader *r, int at, int n)
{
	static const char *const words[] = {"my", "me", "not", "and", "or", "when", "unless"};
	bool found = is_preposition(r, at);
	for (size_t i = 0; i < FRAY_COUNT(words); i++)
		found |= is(r, at, words[i]);
	if (!found || n < 2)
		return false;
	struct buf rest = {0}, whole = {0};
	text_at(r, at + 1, n - 1, &rest);
	text_at(r, at, n, &whole);
	diag_report(r->front->sink, M_NAME_BEGINS,
		(struct span){r->file, r->raw[at].start, r->raw[at + n - 1].end}, 3,
		intern_text(r->front->names, r->raw[at].word), buf_text(&rest), buf_text(&whole));
	buf_free(&rest);
	buf_free(&whole);
	r->misnamed = true;
	return true;
}

static void collect_thing(struct reader *r, int at, const char *kind)
{
	const unsigned state = strcmp(kind, "condition") ? 0 : LEX_STATE;
	if (r->raw[at].kind == RAW_STRING) {
		learn_quoted(r, at, LEX_NAME | LEX_QUOTED | state);
		return;
	}
	int n = header(r, at, "|is|with|", true);
	if (n < 1 || is_misnamed(r, at, n))
		return;
	learn(r, at, n, LEX_NAME | state);
	learn_plural(r, at, n);
}

/* What is declared in the middle of statements: labels after `as`, choices after `may`. */
static void collect_inside(struct reader *r, int at)
{
	if (is(r, at, "as") && r->raw[at + 1].kind == RAW_STRING)
		learn_quoted(r, at + 1, LEX_LABEL);
	else if (is(r, at, "may"))
		learn(r, at + 1, header(r, at + 1, "|by|", false), LEX_LABEL);
}

/* What stands before a colon and is no field. */
static bool is_lead(const struct reader *r, int at, int n)
{
	if (n == 1 || (n == 2 && is(r, at + 1, "only")))
		return is(r, at, "dice") || is(r, at, "choices") || is(r, at, "referee");
	return is(r, at, "side") || is(r, at, "sequence") || is(r, at, "option") || (is(r, at, "when") && is(r, at + 1, "asked"));
}

/* The branches of a question of odds may use house rules, and a block of a beat; `use` in any other block is what somebody does. */
static void note_question(struct reader *r, int at)
{
	bool asks = is(r, at, "odds") || is(r, at, "sweep") || is(r, at, "compare") || is(r, at, "expect");
	if (r->asking && r->depth > r->asked)
		return;
	if (asks) {
		r->asking = true;
		r->asked = r->depth;
	} else if (!is(r, at, "vs")) {
		r->asking = false;
	}
}

static void collect_statement(struct reader *r, int at)
{
	static const struct { const char *word, *stop; unsigned flags; bool of; } headers[] = {
		{"rule", "|exception|replaces|if|ruling|", LEX_RULE, true}, {"policy", "", LEX_NAME, true}, {"encounter", "", LEX_TITLE, true},
		{"table", "", LEX_NAME, false}, {"let", "", LEX_NAME, false}, {"each", "|in|where|from|", LEX_NAME, false},
		{"ruleset", "|extends|", LEX_NAME, false}, {"library", "", LEX_NAME, false}, {"side", "", LEX_NAME, false}, {"option", "|of|", LEX_NAME, false},
	};
	int n = run(r, at), from = at;
	const struct lex_entry *e;
	note_question(r, at);
	if (n > 1 && is(r, at, "sequence"))
		for (from = at + n + 1; from < r->count && r->raw[from].kind != RAW_NL; from++)
			if (raw_is_word(&r->raw[from])) {
				int k = run(r, from);
				learn(r, from, k, LEX_NAME);
				from += k - 1;
			}
	if (n && r->raw[at + n].kind == ':') {
		for (size_t i = 0; i < FRAY_COUNT(headers); i++)
			if (n > 1 && is(r, at, headers[i].word))
				learn(r, at + 1, header(r, at + 1, headers[i].stop, false), headers[i].flags);
		/* `option tie: ..` declares "tie" and no field of that whole name */
		if (n < 2 || !is(r, at, "option"))
			if (!is_lead(r, at, n))
			learn(r, at, n, LEX_FIELD);
		return;
	}
	for (size_t i = 0; i < FRAY_COUNT(headers); i++)
		if (is(r, at, headers[i].word)) {
			if (r->raw[at + 1].kind == RAW_STRING)
				learn_quoted(r, at + 1, headers[i].flags | (headers[i].flags & LEX_NAME ? LEX_QUOTED : 0));
			else if (headers[i].flags & LEX_TITLE && (n = raw_title(&r->raw[at + 1], r->count - at - 1)) > 0)
				learn_text(r, r->raw[at + 1].start, r->raw[at + n].end, LEX_TITLE);
			else
				learn(r, at + 1, header(r, at + 1, headers[i].stop, headers[i].of), headers[i].flags);
		}
	if (is(r, at, "house") && is(r, at + 1, "rules")) {
		learn(r, at + 2, header(r, at + 2, "|for|", false), LEX_NAME);
	} else if (is(r, at, "action")) {
		collect_action(r, at + 1);
	} else if (is(r, at, "event")) {
		int k = run(r, at + 1);
		learn_verb(r, at + 1, k, 0);
		if (r->raw[at + 1 + k].kind == '(')
			learn_list(r, at + 2 + k, LEX_NAME);
	} else if (is(r, at, "define")) {
		collect_define(r, at + 1);
	} else if (is(r, at, "spelling")) {
		collect_spelling(r, at + 1);
	} else if (is(r, at, "alias")) {
		collect_alias(r, at + 1);
	} else if (is(r, at, "use") && r->uses && (r->depth == 0 || r->asking || (r->beat && r->depth == r->beat))) {
		collect_use(r, at + 1);
	} else if (is(r, at, "kind") || is(r, at, "unit")) {
		struct buf b = {0};
		int k = header(r, at + 1, "|is|", false);
		if (k > 0) {
			text_at(r, at + 1, k, &b);
			(is(r, at, "kind") ? collect_kind : collect_unit)(r->front, buf_text(&b));
		}
		buf_free(&b);
	} else if (r->depth == 0 && !is(r, at, "encounter")) {
		n = lexicon_match(r->front->lexicon, LEX_NAMES, &r->raw[at], r->count - at, LEX_KIND, &e);
		if (n && e->kind == e->text && (raw_is_word(&r->raw[at + n]) || r->raw[at + n].kind == RAW_STRING))
			collect_thing(r, at + n, intern_text(r->front->names, e->kind));
	}
}

/* Kinds come first: a thing may stand above the line that declares its kind. */
static void collect_kinds(struct reader *r)
{
	bool start = true;
	for (int i = 0; i < r->count; i++) {
		int kind = r->raw[i].kind;
		if (start && is(r, i, "kind"))
			collect_statement(r, i);
		start = kind == RAW_NL || kind == RAW_SEMI || kind == '{' || kind == '}';
	}
}

bool collect_names(struct front *f, uint16_t file, const struct raw *raw, int count, int depth,
	struct node **uses)
{
	struct reader r = {.front = f, .raw = raw, .count = count, .file = file, .depth = depth};
	bool start = true;
	collect_kinds(&r);
	r.uses = uses;
	for (int i = 0; i < count; i++) {
		int kind = raw[i].kind;
		if (kind == '{') {
			r.depth++;
			if (i > 1 && raw[i - 1].kind == RAW_NUMBER && is(&r, i - 2, "beat"))
				r.beat = r.depth;
		} else if (kind == '}' && r.depth > 0) {
			r.depth--;
			r.beat = r.beat > r.depth ? 0 : r.beat;
		}
		if (kind == RAW_NL || kind == RAW_SEMI || kind == '{' || kind == '}') {
			start = true;
			continue;
		}
		if (start && raw_is_word(&raw[i]))
			collect_statement(&r, i);
		else if (raw_is_word(&raw[i]))
			collect_inside(&r, i);
		start = false;
	}
	return !r.misnamed;
}

/* Spellings come before names: a name learnt from this file has to be found with either word. */
static void collect_spellings(struct front *f, uint16_t file, struct raws *raws)
{
	struct reader r = {.front = f, .raw = raws->at.v, .count = raws->at.n - RAWS_MARGIN, .file = file};
	int before = intern_spellings(f->names);
	const sym spelling = intern_word(f->names, "spelling");
	for (int i = 0; i < r.count; i++)
		if (r.raw[i].word == spelling && (i == 0 || r.raw[i - 1].kind == RAW_NL || r.raw[i - 1].kind == RAW_SEMI))
			collect_spelling(&r, i + 1);
	for (int i = 0; i < r.count && intern_spellings(f->names) > before; i++)
		if (raw_is_word(&raws->at.v[i]))
			raws->at.v[i].word = intern_first(f->names, raws->at.v[i].word);
}

bool front_collect(struct front *f, uint16_t file, struct node **uses)
{
	struct raws raws = {0};
	if (uses)
		*uses = NULL;
	/* what has an image was read when that was made */
	if (!f->sources->file.v[file].image && !collect_readable(f, file, 0))
		return false;
	front_raws(f, file, &raws);
	collect_comment(f, file, &raws); /* the rest of the file can be read */
	collect_spellings(f, file, &raws);
	bool good = collect_strings(f, file, raws.at.v, raws.at.n - RAWS_MARGIN);
	bool before = lexicon_library(f->lexicon, f->sources->file.v[file].library);
	if (good)
		good = collect_names(f, file, raws.at.v, raws.at.n - RAWS_MARGIN, 0, uses);
	lexicon_library(f->lexicon, before);
	if (good)
		raws_keep(f, file, &raws);
	else
		VEC_FREE(raws.at);
	return good;
}
