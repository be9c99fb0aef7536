/* again.c - see again.h. */
#include <string.h>

#include "runtime/explain/again.h"
#include "runtime/explain/ink.h"

enum { FEW = 2 };

struct piece {
	int style;
	size_t length;
};

static void put_piece(struct buf *b, int style, const char *text, size_t length)
{
	const struct piece p = {style, length};
	buf_add(b, &p, sizeof p);
	buf_add(b, text, length);
}

static void write_pieces(const struct again *a, const struct buf *b)
{
	struct piece p;
	for (size_t at = 0; at < b->length; at += sizeof p + p.length) {
		memcpy(&p, b->data + at, sizeof p);
		a->write(a->context, p.style, b->data + at + sizeof p, p.length);
	}
}

static void write_held(struct again *a)
{
	struct buf line = {0};
	if (a->rounds > FEW) {
		buf_printf(&line, "rounds %lld to %lld: ", (long long)a->first,
			(long long)(a->first + a->rounds - 1));
		if (a->before.length)
			buf_printf(&line, "as round %lld", (long long)a->like);
		else
			buf_puts(&line, "nobody did anything");
		a->write(a->context, INK_PLAIN, "\n", 1);
		a->write(a->context, INK_HEADING, line.data, line.length);
		a->write(a->context, INK_PLAIN, "\n", 1);
	} else {
		write_pieces(a, &a->held);
	}
	buf_free(&line);
	buf_clear(&a->held);
	a->rounds = 0;
}

static bool as_before(const struct again *a)
{
	return a->like && a->said.length == a->before.length &&
		(!a->said.length || !memcmp(a->said.data, a->before.data, a->said.length));
}

void again_write(void *context, int style, const char *text, size_t length)
{
	struct again *a = context;
	if (!a->round) {
		a->write(a->context, style, text, length);
		return;
	}
	put_piece(&a->pieces, style, text, length);
	if (!a->apart)
		buf_add(&a->said, text, length);
}

void again_round(struct again *a, int64_t round)
{
	if (a->round && as_before(a)) {
		if (a->rounds++ == 0)
			a->first = a->round;
		if (a->rounds <= FEW)
			buf_add(&a->held, a->pieces.data, a->pieces.length);
	} else if (a->round) {
		write_held(a);
		write_pieces(a, &a->pieces);
		buf_clear(&a->before);
		buf_add(&a->before, a->said.data, a->said.length);
		a->like = a->round;
	}
	if (!round)
		write_held(a);
	buf_clear(&a->pieces);
	buf_clear(&a->said);
	a->round = round;
}

void again_end(struct again *a)
{
	again_round(a, 0);
	buf_free(&a->pieces);
	buf_free(&a->said);
	buf_free(&a->before);
	buf_free(&a->held);
}
