/* trace.c - the record of a run: adding to it, cutting it, reading it. */
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/trace.h"

void trace_init(struct trace *t, int32_t limit)
{
	memset(t, 0, sizeof *t);
	t->limit = limit;
}

/* How many of the records of a log of `n` a page holds. */
static int held(int32_t n, int32_t page)
{
	int32_t rest = n - page * TRACE_PAGE;
	return rest < TRACE_PAGE ? rest : TRACE_PAGE;
}

/* ---- the desk: pages that lie open ---- */

static struct desk *desk_of(struct trace *t)
{
	if (!t->desk)
		t->desk = calloc(1, sizeof *t->desk);
	if (!t->desk)
		abort();
	t->desk->glanced = -1;
	return t->desk;
}

static void sheet_free(struct sheet *s)
{
	if (s)
		free(s->value);
	free(s);
}

/* A sheet that nobody needs any longer. */
static void sheet_put(struct desk *d, struct sheet *s)
{
#ifndef NDEBUG
	memset(s->record, 0xa5, sizeof s->record);
	sheet_free(s);
#else
	sheet_free(d->spare);
	d->spare = s;
#endif
	(void)d;
}

static struct sheet *sheet_get(struct desk *d)
{
	struct sheet *s = d->spare;
	d->spare = NULL;
	if (!s)
		s = calloc(1, sizeof *s);
	if (!s)
		abort();
	s->values = 0;
	return s;
}

static void pack(struct page *p, int32_t page, int32_t n)
{
	if (!p->packed)
		p->packed = page_pack(p, page * TRACE_PAGE, held(n, page));
}

/* The page lies open no longer; its sheet. */
static struct sheet *desk_take(struct desk *d, struct page *v, int32_t page)
{
	struct sheet *s = v[page].open;
	int i = d->page.n - 1;
	while (d->page.v[i] != page)
		i--;
	d->page.v[i] = d->page.v[--d->page.n];
	v[page].open = NULL;
	d->lets -= v[page].let;
	v[page].let = v[page].fresh = false;
	return s;
}

/* Of the pages nobody holds anything of, the one that was looked at longest ago; -1: there is none. */
static int32_t oldest_let(const struct trace *t)
{
	int32_t oldest = -1;
	for (int i = 0; t->desk->lets && i < t->desk->page.n; i++) {
		int32_t page = t->desk->page.v[i];
		if (t->page.v[page].let && (oldest < 0 || t->page.v[page].looked < t->page.v[oldest].looked))
			oldest = page;
	}
	return oldest;
}

static void desk_close(const struct trace *t, int32_t page)
{
	struct desk *d = t->desk;
	pack(&t->page.v[page], page, t->n);
	sheet_put(d, desk_take(d, t->page.v, page));
}

/* Lays a page open. Where enough lie open already, others make room. */
static void desk_put(const struct trace *t, int32_t page, struct sheet *s)
{
	struct desk *d = t->desk;
	for (int32_t oldest; d->page.n >= TRACE_OPEN && (oldest = oldest_let(t)) >= 0;)
		desk_close(t, oldest);
	VEC_PUSH(d->page, page);
	t->page.v[page].open = s;
	t->page.v[page].looked = t->page.v[page].held = ++d->time;
	t->page.v[page].let = t->page.v[page].fresh = false;
}

void trace_hold(const struct trace *t, int32_t page)
{
	t->page.v[page].held = ++t->desk->time;
	t->page.v[page].let = false;
	t->desk->lets--;
}

static void let_go(struct desk *d, struct page *p)
{
	d->lets += !p->let;
	p->let = true;
}

void trace_done(const struct trace *t, uint64_t errand)
{
	struct desk *d = t->desk;
	if (!d || d->time == errand)
		return; /* nothing was laid open in it */
	for (int i = 0; i < d->page.n; i++)
		if (t->page.v[d->page.v[i]].held > errand)
			let_go(d, &t->page.v[d->page.v[i]]);
	/* after a long errand; else they may be wanted again */
	for (int i = d->page.n; d->page.n > 2 * TRACE_OPEN && i-- > 0;)
		if (t->page.v[d->page.v[i]].let)
			desk_close(t, d->page.v[i]);
}

void trace_open(const struct trace *t, int32_t page)
{
	struct page *p = &t->page.v[page];
	struct sheet *s = sheet_get(t->desk);
	page_unpack(p, page * TRACE_PAGE, held(t->n, page), s);
	desk_put(t, page, s);
}

/* Open, and to be packed anew. */
void trace_write(struct trace *t, int32_t page)
{
	struct page *p = &t->page.v[page];
	if (!p->open)
		trace_open(t, page);
	else if (p->let)
		trace_hold(t, page);
	t->desk->glanced = -1;
	packed_free(p->packed);
	p->packed = NULL;
}

static struct page *page_write(struct trace *t, int32_t page)
{
	struct page *p = &t->page.v[page];
	if (!p->open || p->packed || p->let)
		trace_write(t, page);
	p->looked = t->desk->time;
	return p;
}

static void page_close(struct page *p)
{
	packed_free(p->packed);
	sheet_free(p->open);
}

/* Drops the last page. */
static void page_drop(struct trace *t)
{
	struct page *p = &t->page.v[--t->page.n];
	if (p->open)
		sheet_put(t->desk, desk_take(t->desk, t->page.v, t->page.n));
	page_close(p);
}

void trace_free(struct trace *t)
{
	for (int i = 0; i < t->page.n; i++)
		page_close(&t->page.v[i]);
	VEC_FREE(t->page);
	if (t->desk) {
		sheet_free(t->desk->spare);
		sheet_free(t->desk->glance);
		VEC_FREE(t->desk->page);
	}
	free(t->desk);
	t->desk = NULL;
	t->n = 0;
	t->end = (struct trace_mark){0};
	VEC_FREE(t->faces);
	buf_free(&t->texts);
}

/* ---- adding ---- */

int32_t trace_add(struct trace *t, enum record_kind kind, int32_t parent)
{
	/* how the run ended is always told */
	if (kind != REC_OUTCOME && t->texts.length > TRACE_TEXTS)
		return -1;
	if (t->n >= t->limit + (kind == REC_OUTCOME))
		return -1;
	must(parent < t->n);
	int32_t page = t->n / TRACE_PAGE, i = t->n % TRACE_PAGE;
	if (page == t->page.n) {
		struct page new = {.first = t->end, .last_text = -1};
		desk_of(t);
		VEC_PUSH(t->page, new);
		desk_put(t, page, sheet_get(t->desk));
		t->page.v[page].fresh = true;
		/* what is written goes on for long: who writes holds nothing of pages so far back */
		if (page >= TRACE_FRESH && t->page.v[page - TRACE_FRESH].fresh)
			let_go(t->desk, &t->page.v[page - TRACE_FRESH]);
	}
	struct sheet *s = page_write(t, page)->open;
	s->mark[i] = t->end;
	s->record[i] = (struct record){
		.kind = (uint8_t)kind, .parent = parent, .what = -1, .clause = -1, .act = -1, .time = NONE, .value = NONE,
		.owner = NONE, .text = -1, .faces = -1, .values = -1,
	};
	return t->n++;
}

void trace_tell(struct trace *t, int32_t number, const char *text, size_t length)
{
	struct record *r = trace_at(t, number);
	r->text = -1;
	if (t->texts.length + length + 1 > INT32_MAX)
		return;
	r->text = (int32_t)t->texts.length;
	t->page.v[number / TRACE_PAGE].last_text = r->text;
	buf_add(&t->texts, text, length);
	buf_putc(&t->texts, '\0');
	t->end.texts = t->texts.length;
}

const char *trace_text_at(const struct trace *t, int32_t offset)
{
	return offset >= 0 && (size_t)offset < t->texts.length ? t->texts.data + offset : "";
}

int32_t trace_values(struct trace *t, const word *values, int n)
{
	if (n <= 0)
		return -1;
	int32_t at = t->end.values;
	must(t->n > 0);
	struct sheet *s = page_write(t, t->page.n - 1)->open;
	sheet_room(s, n);
	memcpy(s->value + s->values, values, sizeof *values * (size_t)n);
	s->values += n;
	t->end.values += n;
	return at;
}

int32_t trace_faces(struct trace *t, const int32_t *faces, int n)
{
	if (n <= 0)
		return -1;
	int32_t at = t->faces.n;
	for (int i = 0; i < n; i++)
		VEC_PUSH(t->faces, faces[i]);
	t->end.faces = t->faces.n;
	return at;
}

/* ---- reading ---- */

const struct record *trace_peek(const struct trace *t, int32_t number)
{
	const struct page *p = number >= 0 && number < t->n ? &t->page.v[number / TRACE_PAGE] : NULL;
	return p && p->open ? &p->open->record[number % TRACE_PAGE] : trace_look(t, number);
}

const struct record *trace_look(const struct trace *t, int32_t number)
{
	int32_t page = number / TRACE_PAGE;
	if (number < 0 || number >= t->n || t->page.v[page].open)
		return trace_get(t, number);
	struct desk *d = t->desk;
	if (d->glanced != page) {
		if (!d->glance)
			d->glance = calloc(1, sizeof *d->glance);
		if (!d->glance)
			abort();
		page_unpack(&t->page.v[page], page * TRACE_PAGE, held(t->n, page), d->glance);
		d->glanced = page;
	}
	return &d->glance->record[number % TRACE_PAGE];
}

int32_t trace_back(const struct trace *t, int32_t number, uint32_t kinds)
{
	for (int32_t i = number; i >= 0; i--) {
		const struct page *p = &t->page.v[i / TRACE_PAGE];
		if (p->packed && !(p->kinds & kinds))
			i -= i % TRACE_PAGE;
		else if (kinds >> trace_look(t, i)->kind & 1)
			return i;
	}
	return -1;
}

static int32_t back_to(const struct trace *t, int32_t number, uint32_t kinds, int32_t what,
	word owner)
{
	const bool change = kinds == 1u << REC_CHANGE;
	const uint32_t bit = change ? about_bit(what, owner) : event_bit(what);
	for (int32_t i = number; i >= 0; i--) {
		const struct page *p = &t->page.v[i / TRACE_PAGE];
		const struct record *r;
		const uint64_t *has = change ? p->about : p->events;
		if (p->packed && !(p->kinds & kinds && has[bit / 64] >> bit % 64 & 1))
			i -= i % TRACE_PAGE;
		else if (kinds >> (r = trace_look(t, i))->kind & 1 && r->what == what &&
			(!change || r->owner == owner))
			return i;
	}
	return -1;
}

int32_t trace_back_to_event(const struct trace *t, int32_t number, uint32_t kinds, int32_t event)
{
	must(!(kinds & ~OF_EVENTS));
	return event < 0 ? trace_back(t, number, kinds) : back_to(t, number, kinds, event, NONE);
}

int32_t trace_back_to_change(const struct trace *t, int32_t number, int32_t field, word owner)
{
	int32_t i = back_to(t, number, 1u << REC_CHANGE, field, owner);
	while (i >= 0 && trace_look(t, i)->dropped)
		i = back_to(t, i - 1, 1u << REC_CHANGE, field, owner);
	return i;
}

/* The page that a value lies on: the last that begins no later. */
static int32_t page_of_value(const struct trace *t, int32_t value)
{
	int32_t low = 0, high = t->page.n - 1;
	while (low < high) {
		int32_t middle = (low + high + 1) / 2;
		if (t->page.v[middle].first.values <= value)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

const word *trace_values_at(const struct trace *t, const struct record *r)
{
	if (r->values < 0 || r->value_count == 0 || r->values > t->end.values - (int)r->value_count)
		return NULL;
	int32_t page = page_of_value(t, r->values);
	struct page *p = &t->page.v[page];
	if (!p->open)
		trace_open(t, page);
	else if (p->let)
		trace_hold(t, page);
	p->looked = t->desk->time;
	int32_t at = r->values - p->first.values;
	return at + (int)r->value_count <= p->open->values ? p->open->value + at : NULL;
}

word *trace_values_of(struct trace *t, const struct record *r)
{
	return trace_values_at(t, r) ? page_write(t, page_of_value(t, r->values))->open->value + (r->values - t->page.v[page_of_value(t, r->values)].first.values) : NULL;
}

const int32_t *trace_faces_at(const struct trace *t, const struct record *r)
{
	if (r->faces < 0 || r->face_count <= 0 || r->faces > t->faces.n - r->face_count)
		return NULL;
	return &t->faces.v[r->faces];
}

/* ---- cutting ---- */

/* Records of a page that were told behind the cut: they were not, then. */
static void untell(struct trace *t, int32_t page)
{
	struct page *p = &t->page.v[page];
	if (p->last_text < (int64_t)t->end.texts)
		return;
	page_write(t, page);
	for (int i = 0; i < held(t->n, page); i++)
		if (p->open->record[i].text >= 0 && (size_t)p->open->record[i].text >= t->end.texts)
			p->open->record[i].text = -1;
	p->last_text = (int64_t)t->end.texts - 1;
}

/* The mark of a record. */
static struct trace_mark mark_at(const struct trace *t, int32_t number)
{
	int32_t page = number / TRACE_PAGE;
	if (number % TRACE_PAGE == 0)
		return t->page.v[page].first;
	if (!t->page.v[page].open)
		trace_open(t, page);
	return t->page.v[page].open->mark[number % TRACE_PAGE];
}

/* As trace_cut, but for what was told late. */
static void shorten(struct trace *t, int32_t length)
{
	struct trace_mark mark = mark_at(t, length);
	t->desk->glanced = -1;
	if (length % TRACE_PAGE)
		page_write(t, length / TRACE_PAGE)->open->values = mark.values - t->page.v[length / TRACE_PAGE].first.values;
	while (t->page.n * TRACE_PAGE >= length + TRACE_PAGE)
		page_drop(t);
	t->n = length;
	t->end = mark;
	t->faces.n = mark.faces;
	t->texts.length = mark.texts;
}

void trace_cut(struct trace *t, int32_t length)
{
	if (length < 0)
		length = 0;
	if (length >= t->n)
		return;
	size_t texts = t->texts.length;
	shorten(t, length);
	/* an event that began before the cut may have been told after it: untell it */
	for (int32_t i = 0; i < t->page.n && texts != t->end.texts; i++)
		untell(t, i);
}

/* ---- copies and pieces ---- */

#define ADD_ALL(to, from, first, last) \
	for (int i_ = (first); i_ < (last); i_++) \
		VEC_PUSH(to, (from).v[i_])

static void add_text(struct buf *to, const struct buf *from, size_t first, size_t last)
{
	if (last > first)
		buf_add(to, from->data + first, last - first);
}

/* A second page with the same records. */
static struct page page_share(struct page *p, int32_t page, int32_t n)
{
	pack(p, page, n);
	struct page copy = *p;
	copy.packed = packed_share(p->packed);
	copy.open = NULL;
	return copy;
}

void trace_copy(struct trace *to, const struct trace *from)
{
	must(to->n == 0);
	desk_of(to);
	for (int32_t i = 0; i < from->page.n; i++) {
		struct page copy = page_share(&from->page.v[i], i, from->n);
		VEC_PUSH(to->page, copy);
	}
	to->n = from->n;
	to->end = from->end;
	ADD_ALL(to->faces, from->faces, 0, from->faces.n);
	add_text(&to->texts, &from->texts, 0, from->texts.length);
}

void trace_take(struct trace *t, int32_t from, struct trace_tail *tail)
{
	int32_t first = from / TRACE_PAGE;
	memset(tail, 0, sizeof *tail);
	desk_of(t);
	tail->from = from;
	tail->n = t->n;
	tail->end = t->end;
	tail->mark = from < t->n ? mark_at(t, from) : t->end;
	if (from >= t->n)
		return;
	for (int32_t i = first; i < t->page.n; i++) {
		struct page *p = &t->page.v[i];
		VEC_PUSH(tail->page, *p);
		if (p->open)
			desk_take(t->desk, t->page.v, i);
	}
	ADD_ALL(tail->faces, t->faces, tail->mark.faces, t->faces.n);
	add_text(&tail->texts, &t->texts, tail->mark.texts, t->texts.length);
	/* what the first of these pages holds of the log before stays */
	t->page.n = first;
	if (from % TRACE_PAGE) {
		struct page rest = page_share(&tail->page.v[0], first, tail->n);
		VEC_PUSH(t->page, rest);
		t->n = tail->n < (first + 1) * TRACE_PAGE ? tail->n : (first + 1) * TRACE_PAGE;
		shorten(t, from);
	}
	t->n = from;
	t->end = tail->mark;
	t->faces.n = tail->mark.faces;
	t->texts.length = tail->mark.texts;
}

/* The log up to the tail's first record, and its faces and texts. */
static void rejoin(struct trace *t, const struct trace_tail *tail)
{
	if (tail->from < t->n)
		shorten(t, tail->from);
	must(t->n == tail->from);
	t->desk->glanced = -1;
	while (t->page.n > tail->from / TRACE_PAGE && tail->page.n)
		page_drop(t);
	ADD_ALL(t->faces, tail->faces, 0, tail->faces.n);
	add_text(&t->texts, &tail->texts, 0, tail->texts.length);
	t->n = tail->n;
	t->end = tail->end;
}

void trace_lend(struct trace *t, const struct trace_tail *tail, int32_t to)
{
	rejoin(t, tail);
	for (int i = 0; i < tail->page.n; i++) {
		struct page copy = page_share(&tail->page.v[i], tail->from / TRACE_PAGE + i, tail->n);
		VEC_PUSH(t->page, copy);
	}
	if (to < t->n)
		shorten(t, to);
}

void trace_give(struct trace *t, struct trace_tail *tail)
{
	rejoin(t, tail);
	for (int i = 0; i < tail->page.n; i++) {
		struct page p = tail->page.v[i];
		struct sheet *open = p.open;
		p.open = NULL;
		VEC_PUSH(t->page, p);
		if (open)
			desk_put(t, t->page.n - 1, open);
	}
	VEC_FREE(tail->page);
	VEC_FREE(tail->faces);
	buf_free(&tail->texts);
}
