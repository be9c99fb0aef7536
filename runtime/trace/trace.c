/* trace.c - the record of a run: adding to it, cutting it, reading it. */
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/trace.h"

void trace_init(struct trace *t, int32_t limit)
{
	memset(t, 0, sizeof *t);
	t->limit = limit;
}

void trace_free(struct trace *t)
{
	VEC_FREE(t->record);
	VEC_FREE(t->mark);
	VEC_FREE(t->faces);
	VEC_FREE(t->values);
	buf_free(&t->texts);
}

int32_t trace_add(struct trace *t, enum record_kind kind, int32_t parent)
{
	/* how the run ended is always told */
	if (t->record.n >= t->limit + (kind == REC_OUTCOME))
		return -1;
	must(parent < t->record.n);
	struct trace_mark mark = {t->faces.n, t->values.n, t->texts.length};
	struct record r = {
		.kind = (uint8_t)kind, .parent = parent, .what = -1, .clause = -1, .act = -1, .time = NONE, .value = NONE,
		.owner = NONE, .text = -1, .faces = -1, .values = -1,
	};
	VEC_PUSH(t->mark, mark);
	VEC_PUSH(t->record, r);
	return t->record.n - 1;
}

struct record *trace_at(struct trace *t, int32_t number)
{
	must(number >= 0 && number < t->record.n);
	return &t->record.v[number];
}

const struct record *trace_get(const struct trace *t, int32_t number)
{
	return number >= 0 && number < t->record.n ? &t->record.v[number] : NULL;
}

#define COPY_ALL(member) \
	for (int i = 0; i < from->member.n; i++) \
		VEC_PUSH(to->member, from->member.v[i])

void trace_copy(struct trace *to, const struct trace *from)
{
	must(to->record.n == 0);
	COPY_ALL(record);
	COPY_ALL(mark);
	COPY_ALL(faces);
	COPY_ALL(values);
	buf_add(&to->texts, from->texts.data ? from->texts.data : "", from->texts.length);
}

void trace_cut(struct trace *t, int32_t length)
{
	if (length < 0)
		length = 0;
	if (length >= t->record.n)
		return;
	struct trace_mark mark = t->mark.v[length];
	size_t texts = t->texts.length;
	t->record.n = t->mark.n = length;
	t->faces.n = mark.faces;
	t->values.n = mark.values;
	t->texts.length = mark.texts;
	if (texts == mark.texts)
		return;
	/* an event that began before the cut may have been told after it: untell it */
	for (int32_t i = 0; i < length; i++)
		if (t->record.v[i].text >= 0 && (size_t)t->record.v[i].text >= mark.texts)
			t->record.v[i].text = -1;
}

int32_t trace_text(struct trace *t, const char *text, size_t length)
{
	if (t->texts.length + length + 1 > INT32_MAX)
		return -1;
	int32_t at = (int32_t)t->texts.length;
	buf_add(&t->texts, text, length);
	buf_putc(&t->texts, '\0');
	return at;
}

const char *trace_text_at(const struct trace *t, int32_t offset)
{
	return offset >= 0 && (size_t)offset < t->texts.length ? t->texts.data + offset : "";
}

int32_t trace_values(struct trace *t, const word *values, int n)
{
	if (n <= 0)
		return -1;
	int32_t at = t->values.n;
	for (int i = 0; i < n; i++)
		VEC_PUSH(t->values, values[i]);
	return at;
}

int32_t trace_faces(struct trace *t, const int32_t *faces, int n)
{
	if (n <= 0)
		return -1;
	int32_t at = t->faces.n;
	for (int i = 0; i < n; i++)
		VEC_PUSH(t->faces, faces[i]);
	return at;
}

const word *trace_values_at(const struct trace *t, const struct record *r)
{
	if (r->values < 0 || r->value_count == 0 || r->values > t->values.n - (int)r->value_count)
		return NULL;
	return &t->values.v[r->values];
}

const int32_t *trace_faces_at(const struct trace *t, const struct record *r)
{
	if (r->faces < 0 || r->face_count <= 0 || r->faces > t->faces.n - r->face_count)
		return NULL;
	return &t->faces.v[r->faces];
}
