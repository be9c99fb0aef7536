/* page.c - a page of the log in few bytes.
 *
 * Records are much like one another: like the one before in where and when, like the last that
 * asked the same question in what they say. A record is its kind, what it is about, two bytes that
 * say in which of its members it differs from those two, and these members. Some ten bytes, then,
 * for what takes a hundred when it lies open. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/small.h"
#include "runtime/trace/trace.h"

struct packed { int shared; uint8_t byte[]; };

enum differs {
	D_PARENT = 1, D_CLAUSE = 2, D_ACT = 4, D_ROUND = 8, D_TIME = 16, D_VALUE = 32, D_OWNER = 64, D_GROUP = 128,
	D_TEXT = 256, D_FACES = 512, D_VALUES = 1024, D_SPAN = 2048, D_TEXTS = 4096, D_FACED = 8192, D_FLAG = 16384
};
enum { KIND_BITS = 0x3f, DROPPED = 0x40, CLOSED = 0x80, RECORD_MOST = 2 + 20 * SMALL_MOST, ALIKE = 64 };

struct packed *packed_share(struct packed *p)
{
	p->shared++;
	return p;
}

void packed_free(struct packed *p)
{
	if (p && --p->shared == 0)
		free(p);
}

void sheet_room(struct sheet *s, int32_t more)
{
	while (s->room < s->values + more) {
		int room = s->room;
		s->value = vec_grow(s->value, &room, sizeof *s->value);
		s->room = room;
	}
}

uint32_t about_bit(int32_t field, word owner)
{
	uint32_t whose = (uint32_t)(uint64_t)owner;
	return ((uint32_t)field * 0x9e3779b1u + whose * 0x85ebca6bu) >> 16 & (ABOUT_BITS - 1);
}

uint32_t event_bit(int32_t event)
{
	return (uint32_t)event % EVENT_BITS;
}

/* Notes what can be told of the page without opening it. */
static void sum_up(struct page *p, int n)
{
	p->kinds = 0;
	memset(p->about, 0, sizeof p->about);
	memset(p->events, 0, sizeof p->events);
	for (int i = 0; i < n; i++) {
		const struct record *r = &p->open->record[i];
		p->kinds |= 1u << r->kind;
		const bool change = r->kind == REC_CHANGE;
		if (!change && !(OF_EVENTS >> r->kind & 1))
			continue;
		const uint32_t bit = change ? about_bit(r->what, r->owner) : event_bit(r->what);
		(change ? p->about : p->events)[bit / 64] |= (uint64_t)1 << bit % 64;
	}
}

/* What is foretold of a record: the one before it, and the last of its sort. */
struct sorted { struct record last; int32_t words; };
struct foretold { struct record before; struct trace_mark mark; struct sorted of[ALIKE]; };

static void foretell(struct foretold *f, const struct page *p)
{
	memset(f, 0, sizeof *f);
	f->mark = p->first;
}

static struct sorted *sort_of(struct foretold *f, int kind, int32_t what)
{
	return &f->of[((uint32_t)what * 5u + (uint32_t)kind) % ALIKE];
}

static void remember(struct foretold *f, struct sorted *s, const struct record *r, const struct trace_mark *mark, int32_t words)
{
	f->before = *r;
	f->mark = *mark;
	s->last = *r;
	s->words = words;
}

#define DIFFER(bit, member, from) \
	if (r->member != (from).member) { \
		mask |= bit; \
		at = small_put(at, small_of(r->member)); \
	}

static uint8_t *put_record(uint8_t *at, struct foretold *f, const struct record *r, const struct trace_mark *mark, const word *value, int32_t words, int32_t number)
{
	struct sorted *s = sort_of(f, r->kind, r->what);
	uint32_t mask = 0;
	must(r->kind <= KIND_BITS);
	*at++ = (uint8_t)(r->kind | (r->dropped ? DROPPED : 0) | (r->closed ? CLOSED : 0));
	at = small_put(at, small_of(r->what));
	uint8_t *mask_at = at;
	at += 2;
	if (r->parent != f->before.parent) {
		mask |= D_PARENT;
		at = small_put(at, small_of((int64_t)number - r->parent));
	}
	DIFFER(D_CLAUSE, clause, s->last)
	DIFFER(D_ACT, act, f->before)
	DIFFER(D_ROUND, round, f->before)
	DIFFER(D_TIME, time, f->before)
	DIFFER(D_VALUE, value, s->last)
	DIFFER(D_OWNER, owner, s->last)
	DIFFER(D_GROUP, group, f->before)
	DIFFER(D_FLAG, flag, s->last)
	if (r->text != -1) {
		mask |= D_TEXT;
		at = small_put(at, small_of(r->text - (int64_t)mark->texts));
	}
	if (r->faces != -1 || r->face_count) {
		mask |= D_FACES;
		at = small_put(at, small_of((int64_t)r->faces - mark->faces));
		at = small_put(at, small_of(r->face_count));
	}
	if (words != s->words || r->value_count != words || r->values != (words ? mark->values : -1)) {
		mask |= D_VALUES;
		at = small_put(at, (uint64_t)words);
		at = small_put(at, r->value_count);
		at = small_put(at, small_of((int64_t)r->values - mark->values));
	}
	for (int32_t i = 0; i < words; i++)
		at = small_put(at, small_of(value[i]));
	if (r->span.file != s->last.span.file || r->span.start != s->last.span.start || r->span.end != s->last.span.end) {
		mask |= D_SPAN;
		at = small_put(at, r->span.file);
		at = small_put(at, r->span.start);
		at = small_put(at, small_of((int64_t)r->span.end - r->span.start));
	}
	if (mark->texts != f->mark.texts) {
		mask |= D_TEXTS;
		at = small_put(at, mark->texts - f->mark.texts);
	}
	if (mark->faces != f->mark.faces) {
		mask |= D_FACED;
		at = small_put(at, (uint64_t)((int64_t)mark->faces - f->mark.faces));
	}
	mask_at[0] = (uint8_t)mask;
	mask_at[1] = (uint8_t)(mask >> 8);
	remember(f, s, r, mark, words);
	return at;
}

struct packed *page_pack(struct page *p, int32_t number, int n)
{
	const struct sheet *s = p->open;
	struct foretold f;
	uint8_t *room = malloc((size_t)n * RECORD_MOST + (size_t)s->values * SMALL_MOST + 1), *at = room;
	if (!room)
		abort();
	sum_up(p, n);
	foretell(&f, p);
	for (int i = 0; i < n; i++) {
		int32_t from = s->mark[i].values, to = i + 1 < n ? s->mark[i + 1].values : p->first.values + s->values;
		at = put_record(at, &f, &s->record[i], &s->mark[i], s->value ? s->value + (from - p->first.values) : NULL, to - from, number + i);
	}
	struct packed *out = malloc(sizeof *out + (size_t)(at - room));
	if (!out)
		abort();
	out->shared = 1;
	memcpy(out->byte, room, (size_t)(at - room));
	free(room);
	return out;
}

#define TOLD(bit, member, type, from) r->member = mask & bit ? (type)small_to(small_get(&at)) : (from).member;

static const uint8_t *get_record(const uint8_t *at, struct foretold *f, struct record *r, struct trace_mark *mark, struct sheet *into, int32_t number)
{
	uint8_t head = *at++;
	memset(r, 0, sizeof *r);
	r->kind = head & KIND_BITS;
	r->dropped = head & DROPPED;
	r->closed = head & CLOSED;
	r->what = (int32_t)small_to(small_get(&at));
	uint32_t mask = at[0] | (uint32_t)at[1] << 8;
	at += 2;
	struct sorted *s = sort_of(f, r->kind, r->what);
	int64_t text = -1, faces = 0, values = 0;
	int32_t words = s->words;
	r->parent = mask & D_PARENT ? (int32_t)(number - small_to(small_get(&at))) : f->before.parent;
	TOLD(D_CLAUSE, clause, int32_t, s->last)
	TOLD(D_ACT, act, int32_t, f->before)
	TOLD(D_ROUND, round, int32_t, f->before)
	TOLD(D_TIME, time, word, f->before)
	TOLD(D_VALUE, value, word, s->last)
	TOLD(D_OWNER, owner, word, s->last)
	TOLD(D_GROUP, group, int32_t, f->before)
	TOLD(D_FLAG, flag, uint8_t, s->last)
	if (mask & D_TEXT)
		text = small_to(small_get(&at));
	if (mask & D_FACES) {
		faces = small_to(small_get(&at));
		r->face_count = (int32_t)small_to(small_get(&at));
	}
	if (mask & D_VALUES) {
		words = (int32_t)small_get(&at);
		r->value_count = (uint16_t)small_get(&at);
		values = small_to(small_get(&at));
	}
	int32_t first = f->mark.values;
	sheet_room(into, words);
	for (int32_t i = 0; i < words; i++)
		into->value[into->values++] = small_to(small_get(&at));
	r->span = s->last.span;
	if (mask & D_SPAN) {
		r->span.file = (uint16_t)small_get(&at);
		r->span.start = (uint32_t)small_get(&at);
		r->span.end = (uint32_t)(r->span.start + small_to(small_get(&at)));
	}
	*mark = f->mark;
	if (mask & D_TEXTS)
		mark->texts += small_get(&at);
	if (mask & D_FACED)
		mark->faces += (int32_t)small_get(&at);
	r->text = mask & D_TEXT ? (int32_t)(text + (int64_t)mark->texts) : -1;
	r->faces = mask & D_FACES ? (int32_t)(faces + mark->faces) : -1;
	r->values = mask & D_VALUES ? (int32_t)(values + first) : words ? first : -1;
	if (!(mask & D_VALUES))
		r->value_count = (uint16_t)words;
	remember(f, s, r, mark, words);
	f->mark.values = first + words; /* that of the next */
	return at;
}

void page_unpack(const struct page *p, int32_t number, int n, struct sheet *into)
{
	struct foretold f;
	const uint8_t *at = p->packed->byte;
	into->values = 0;
	foretell(&f, p);
	for (int i = 0; i < n; i++)
		at = get_record(at, &f, &into->record[i], &into->mark[i], into, number + i);
}
