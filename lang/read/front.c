/* front.c - one file through the front end: first looked over, then parsed. */
#include <stdlib.h>
#include <string.h>

#include "lang/front/front.h"
#include "lang/read/phrase.h"

void front_init(struct front *f, struct arena *a, struct intern *names, struct sources *s, struct diag_sink *sink)
{
	f->arena = a;
	f->names = names;
	f->sources = s;
	f->sink = sink;
	f->lexicon = lexicon_new(names);
}

void front_free(struct front *f)
{
	lexicon_free(f->lexicon);
	f->lexicon = NULL;
}

/* The first byte that begins no valid UTF-8 character, or the length. */
static uint32_t bad_utf8(const unsigned char *t, uint32_t n)
{
	for (uint32_t i = 0; i < n;) {
		unsigned c = t[i];
		uint32_t more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : 9;
		if (more == 9 || i + more >= n + (more == 0))
			return i;
		for (uint32_t k = 1; k <= more; k++)
			if ((t[i + k] & 0xc0) != 0x80)
				return i;
		if ((c == 0xe0 && t[i + 1] < 0xa0) || (c == 0xed && t[i + 1] > 0x9f) || (c == 0xf0 && t[i + 1] < 0x90) || (c == 0xf4 && t[i + 1] > 0x8f))
			return i;
		i += more + 1;
	}
	return n;
}

static bool look_over(struct front *f, uint16_t file, struct raws *raw)
{
	struct source *s = &f->sources->file.v[file];
	struct span at = {file, 0, 1};
	const char *nul = memchr(s->text, 0, s->length);
	if (nul) {
		at.start = (uint32_t)(nul - s->text);
		at.end = at.start + 1;
		diag_report(f->sink, M_NUL, at, 0);
		return false;
	}
	uint32_t bad = bad_utf8((const unsigned char *)s->text, s->length);
	if (bad < s->length) {
		at.start = bad;
		at.end = bad + 1;
		diag_report(f->sink, M_UTF8, at, 0);
		return false;
	}
	if (!scan_text(s->text, s->length, raw)) {
		diag_report(f->sink, M_TEXT_LONG, at, 0);
		return false;
	}
	bool ok = true;
	int told = 0;
	for (int i = 0; i < raw->token.n && told < 20; i++) {
		const struct raw *r = &raw->token.v[i];
		struct span where = {file, r->start, r->end};
		if (r->kind == RAW_OPEN_STRING) {
			diag_report(f->sink, M_OPEN_QUOTE, where, 0);
			ok = false;
			told++;
		} else if (r->kind == RAW_BAD_NUMBER) {
			struct buf b = {0};
			buf_add(&b, s->text + r->start, r->end - r->start);
			diag_report(f->sink, M_BAD_NUMBER, where, 1, buf_text(&b));
			buf_free(&b);
			ok = false;
			told++;
		} else if (r->kind == RAW_BAD) {
			struct buf b = {0};
			buf_add(&b, s->text + r->start, r->end - r->start);
			diag_report(f->sink, M_STRAY_MARK, where, 1, buf_text(&b));
			buf_free(&b);
			ok = false;
			told++;
		}
	}
	return ok;
}

static bool word_is(const struct source *s, const struct raw *r, const char *word)
{
	size_t n = strlen(word);
	return r->kind == RAW_WORD && r->end - r->start == n && !strncmp(s->text + r->start, word, n);
}

/* `use NAME [with NAME, ..]` lines, found before anything is parsed. */
static struct node *find_uses(struct front *f, uint16_t file, const struct raws *raw)
{
	const struct source *s = &f->sources->file.v[file];
	struct node *uses = NULL;
	bool start = true;
	int depth = 0;
	for (int i = 0; i < raw->token.n; i++) {
		const struct raw *r = &raw->token.v[i];
		if (r->mark == '{')
			depth++;
		if (r->mark == '}')
			depth--;
		if (r->kind == RAW_NEWLINE || r->mark == '{' || r->mark == '}') {
			start = true;
			continue;
		}
		if (start && depth == 0 && word_is(s, r, "use")) {
			bool house = false;
			for (int k = i + 1; k < raw->token.n && raw->token.v[k].kind != RAW_NEWLINE && raw->token.v[k].mark != '{';) {
				int n = 0;
				const struct raw *v = &raw->token.v[k];
				if (v->kind == RAW_STRING) {
					struct span at = {file, v->start, v->end};
					struct node *u = node_new(f->arena, N_KIND_E_NAME, at);
					u->name = intern_put(f->names, s->text + v->start + 1, v->end - v->start - 2);
					u->num = house;
					uses = node_append(uses, u);
					k++;
					continue;
				}
				while (k + n < raw->token.n && raw->token.v[k + n].kind == RAW_WORD && !word_is(s, &raw->token.v[k + n], "with"))
					n++;
				if (n) {
					struct span at = {file, v->start, raw->token.v[k + n - 1].end};
					struct node *u = node_new(f->arena, N_KIND_E_NAME, at);
					u->name = intern_put(f->names, s->text + at.start, at.end - at.start);
					u->num = house; /* 1: after `with` */
					uses = node_append(uses, u);
					k += n;
				} else {
					house |= word_is(s, v, "with");
					k++;
				}
			}
		}
		start = false;
	}
	return uses;
}

bool front_collect(struct front *f, uint16_t file, struct node **uses)
{
	struct raws raw = {{0}};
	*uses = NULL;
	bool ok = look_over(f, file, &raw);
	if (raw.token.n && f->sources->file.v[file].length) {
		lexicon_learn(f->lexicon, f->sources->file.v[file].text, raw.token.v, raw.token.n);
		if (ok)
			*uses = find_uses(f, file, &raw);
	}
	VEC_FREE(raw.token);
	return ok;
}

struct node *front_parse(struct front *f, uint16_t file)
{
	struct raws raw = {{0}};
	struct parse p;
	struct phrase_end end;
	memset(&p, 0, sizeof p);
	p.front = f;
	p.file = file;
	if (scan_text(f->sources->file.v[file].text, f->sources->file.v[file].length, &raw))
		phrase_run(&p, raw.token.v, raw.token.n, true, &end);
	VEC_FREE(raw.token);
	return p.units.head;
}
