/* dice.c - asking down the stack of sources, and what a handful of faces comes to. */
#include "runtime/dice/dice.h"

enum dice_answer dice_roll(struct dice_source *top, const struct dice_ask *ask, struct dice_result *out)
{
	for (struct dice_source *s = top; s; s = s->below) {
		enum dice_answer a = s->roll(s, ask, out);
		if (a != DICE_PASS)
			return a;
	}
	return seeded_roll(ask, out);
}

/* The face to drop next: the lowest when the high ones are kept; of equals the last. */
static int worst(const struct dice *d, const struct dice_result *r)
{
	int w = -1;
	for (int i = 0; i < r->faces; i++) {
		if (r->face[i] < 0)
			continue;
		if (w < 0 || (d->how == KEEP_HIGH ? r->face[i] <= r->face[w] : r->face[i] >= r->face[w]))
			w = i;
	}
	return w;
}

void dice_total(const struct dice *d, struct dice_result *r)
{
	if (d->how != KEEP_ALL)
		for (int drop = r->faces - d->keep; drop > 0; drop--) {
			int w = worst(d, r);
			r->face[w] = (int16_t)-r->face[w];
		}
	r->total = d->add;
	for (int i = 0; i < r->faces; i++)
		if (r->face[i] > 0)
			r->total += r->face[i];
}

static enum dice_answer impossible(struct dice_result *out, enum dice_wrong wrong, int64_t given)
{
	out->wrong = wrong;
	out->given = given;
	return DICE_IMPOSSIBLE;
}

enum dice_answer dice_give(const struct dice_ask *ask, const int32_t *face, int faces, int64_t total, struct dice_result *out)
{
	const struct dice *d = ask->dice;
	out->faces = 0;
	if (faces == 0) {
		if (d ? !dice_can_show(d, total) : total != 0 && total != 1)
			return impossible(out, WRONG_TOTAL, total);
		if (d && d->count == 1 && !d->explode) {
			out->face[0] = (int16_t)(total - d->add);
			out->faces = 1;
		}
		out->total = total;
		return DICE_ANSWERED;
	}
	if (!d || faces > FACES_MAX)
		return impossible(out, WRONG_FACES, faces);
	for (int i = 0; i < faces; i++) {
		if (face[i] < 1 || face[i] > d->sides)
			return impossible(out, WRONG_FACE, face[i]);
		out->face[i] = (int16_t)face[i];
	}
	if (!dice_can_fall(d, out->face, faces))
		return impossible(out, WRONG_FACES, faces);
	out->faces = faces;
	dice_total(d, out);
	return DICE_ANSWERED;
}

static struct diag complaint(const struct dice_ask *ask, const struct dice_result *r, struct buf text[3])
{
	struct diag diag = diag_make(r->wrong == WRONG_FACES ? M_DICE_FACES : M_DICE_CANNOT, (struct span){0});
	if (!ask->dice) {
		buf_printf(&text[0], "%lld in %lld", (long long)ask->num, (long long)ask->den);
		buf_puts(&text[2], "1 for yes or 0 for no");
	} else {
		int least, most;
		dice_print(ask->dice, &text[0]);
		dice_range(ask->dice, &least, &most);
		if (r->wrong == WRONG_FACE) {
			least = 1;
			most = ask->dice->sides;
		}
		buf_printf(&text[2], "%d to %d", least, most);
		if (r->wrong == WRONG_TOTAL && r->given >= least && r->given <= most)
			buf_puts(&text[2], ", but a highest face brings another die");
	}
	buf_printf(&text[1], "%lld", (long long)r->given);
	diag_arg(&diag, ask->name(ask->context));
	for (int i = 0; i < 3; i++)
		diag_arg(&diag, buf_text(&text[i]));
	return diag;
}

void dice_report(const struct dice_ask *ask, const struct dice_result *r, struct diag_sink *sink, struct span span)
{
	struct buf text[3] = {{0}};
	struct diag diag = complaint(ask, r, text);
	diag.span = span;
	diag_send(sink, &diag);
	for (int i = 0; i < 3; i++)
		buf_free(&text[i]);
}

void dice_complaint(const struct dice_ask *ask, const struct dice_result *r, struct buf *out)
{
	struct buf text[3] = {{0}};
	struct diag diag = complaint(ask, r, text);
	diag_spoken(&diag, out);
	for (int i = 0; i < 3; i++)
		buf_free(&text[i]);
}
