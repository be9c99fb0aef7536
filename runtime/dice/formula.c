/* formula.c - reading die formulas, and what can come of them. */
#include "runtime/dice/formula.h"

#include <ctype.h>

struct reader { const char *at, *end; };

enum { NUMBER_MAX = 100000000 }; /* where reading stops counting: past every limit */

static bool number(struct reader *r, int *out)
{
	int v = 0;
	if (r->at == r->end || !isdigit((unsigned char)*r->at))
		return false;
	while (r->at < r->end && isdigit((unsigned char)*r->at)) {
		v = v * 10 + (*r->at++ - '0');
		if (v > NUMBER_MAX)
			v = NUMBER_MAX;
	}
	*out = v;
	return true;
}

static bool next_is(struct reader *r, char c)
{
	if (r->at < r->end && tolower((unsigned char)*r->at) == c) {
		r->at++;
		return true;
	}
	return false;
}

/* The rest of kh, kl, dh, dl. */
static enum dice_error pick(struct reader *r, struct dice *d, bool drop)
{
	int n;
	bool high = next_is(r, 'h');
	if ((!high && !next_is(r, 'l')) || !number(r, &n) || d->keep)
		return DICE_NOT;
	if (n < 1 || n > d->count || (drop && n == d->count))
		return DICE_KEEP;
	d->keep = drop ? d->count - n : n;
	d->how = high != drop ? KEEP_HIGH : KEEP_LOW;
	return DICE_OK;
}

static enum dice_error suffix(struct reader *r, struct dice *d)
{
	if (next_is(r, 'k'))
		return pick(r, d, false);
	if (next_is(r, 'd'))
		return pick(r, d, true);
	if (next_is(r, '!')) {
		if (d->explode)
			return DICE_NOT;
		d->explode = true;
		return d->sides > 1 ? DICE_OK : DICE_REROLL;
	}
	if (next_is(r, 'r')) {
		if (d->reroll || !number(r, &d->reroll))
			return DICE_NOT;
		return d->reroll >= 1 && d->reroll < d->sides ? DICE_OK : DICE_REROLL;
	}
	bool minus = next_is(r, '-');
	if ((!minus && !next_is(r, '+')) || !number(r, &d->add) || r->at != r->end)
		return DICE_NOT;
	if (d->add > DICE_ADD_MAX)
		return DICE_TOO_BIG;
	if (minus)
		d->add = -d->add;
	return DICE_OK;
}

enum dice_error dice_parse(const char *text, size_t length, struct dice *out)
{
	struct reader r = {text, text + length};
	struct dice d = {.count = 1};
	*out = d;
	number(&r, &d.count);
	if (!next_is(&r, 'd'))
		return DICE_NOT;
	if (next_is(&r, '%'))
		d.sides = 100;
	else if (!number(&r, &d.sides))
		return DICE_NOT;
	if (d.count < 1)
		return DICE_NO_DICE;
	if (d.sides < 1)
		return DICE_NO_SIDES;
	if (d.count > DICE_COUNT_MAX)
		return DICE_TOO_MANY;
	if (d.sides > DICE_SIDES_MAX)
		return DICE_TOO_BIG;
	while (r.at < r.end) {
		enum dice_error e = suffix(&r, &d);
		if (e != DICE_OK)
			return e;
	}
	if (d.explode && d.keep)
		return DICE_PICK;
	if (d.keep == d.count) {
		d.how = KEEP_ALL;
		d.keep = 0;
	}
	*out = d;
	return DICE_OK;
}

enum message dice_message(enum dice_error e)
{
	static const enum message messages[] = {
		[DICE_OK] = M_DICE_NOT, [DICE_NOT] = M_DICE_NOT, [DICE_NO_DICE] = M_DICE_NO_DICE, [DICE_NO_SIDES] = M_DICE_NO_SIDES,
		[DICE_TOO_MANY] = M_DICE_TOO_MANY, [DICE_TOO_BIG] = M_DICE_TOO_BIG, [DICE_KEEP] = M_DICE_KEEP,
		[DICE_REROLL] = M_DICE_REROLL, [DICE_PICK] = M_DICE_PICK,
	};
	must(e != DICE_OK);
	return messages[e];
}

void dice_print(const struct dice *d, struct buf *out)
{
	if (d->count != 1)
		buf_printf(out, "%d", d->count);
	buf_printf(out, "d%d", d->sides);
	if (d->how != KEEP_ALL)
		buf_printf(out, "%s%d", d->how == KEEP_HIGH ? "kh" : "kl", d->keep);
	if (d->explode)
		buf_putc(out, '!');
	if (d->reroll)
		buf_printf(out, "r%d", d->reroll);
	if (d->add)
		buf_printf(out, "%+d", d->add);
}

int dice_kept(const struct dice *d)
{
	return d->how == KEEP_ALL ? d->count : d->keep;
}

void dice_range(const struct dice *d, int *least, int *most)
{
	int n = dice_kept(d);
	*least = n + d->add;
	*most = (n + (d->explode ? DICE_EXTRA : 0)) * d->sides + d->add;
}

bool dice_can_show(const struct dice *d, int64_t total)
{
	int least, most;
	dice_range(d, &least, &most);
	if (total < least || total > most)
		return false;
	if (!d->explode)
		return true;
	/* With h highest faces, the other dice show 1 to sides - 1 each. There are as many others
	 * as there were dice at first; once the extra dice are spent, a highest face brings no
	 * more and takes the place of another. */
	total -= d->add;
	for (int h = 0; h <= d->count + DICE_EXTRA; h++) {
		int64_t others = h <= DICE_EXTRA ? d->count : d->count + DICE_EXTRA - h;
		int64_t rest = total - (int64_t)h * d->sides;
		if (rest >= others && rest <= others * (d->sides - 1))
			return true;
	}
	return false;
}

bool dice_can_fall(const struct dice *d, const int16_t *face, int faces)
{
	int due = d->count, extra = 0;
	for (int i = 0; i < faces; i++) {
		if (face[i] < 1 || face[i] > d->sides)
			return false;
		if (d->explode && face[i] == d->sides && extra < DICE_EXTRA) {
			extra++;
			due++;
		}
	}
	return faces == due;
}
