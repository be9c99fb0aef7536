/* infer_unit.c - the unit that a written number lacks or has too much, in a comparison or a sum. */
#include <string.h>

#include "lang/check/infer.h"
#include "lang/front/lexicon.h"

/* The unit of a quantity that a type is told in, with a blank; "" of a plain number, NULL of what
 * has no unit that is usual. */
static const char *usual_unit(struct model *m, struct type *t)
{
	switch (type_find(t)->base) {
	case VT_NUMBER: return "";
	case VT_COUNT: {
		const int unit = type_find(t)->kind;
		struct buf b = {0}, many = {0};
		if (unit < 0)
			return NULL;
		lexicon_plural(&many, model_text(m, m->unit.v[unit].name));
		buf_printf(&b, " %s", buf_text(&many));
		const char *text = arena_text(m->arena, b.data, b.length);
		buf_free(&b);
		buf_free(&many);
		return text;
	}
	case VT_DISTANCE: case VT_SCALE: case VT_WEIGHT: case VT_MONEY: {
		const char *example = type_example(m, t);
		return example + strspn(example, "0123456789");
	}
	default: return NULL;
	}
}

static void put_source(
	struct model *m, uint16_t file, uint32_t start, uint32_t end, struct buf *out)
{
	size_t length;
	const char *text = sources_text(m->front->sources, (struct span){file, start, end}, &length);
	buf_add(out, text, length);
}

bool report_unit_of(struct scope *s, const struct node *n, struct type *a, struct type *b)
{
	struct model *m = s->m;
	const bool left = (n->a->kind == N_KIND_E_NUM || n->a->kind == N_KIND_E_QTY) &&
		n->b->kind != N_KIND_E_NUM && n->b->kind != N_KIND_E_QTY;
	const struct node *number = left ? n->a : n->b;
	const char *unit = usual_unit(m, left ? b : a);
	if ((number->kind != N_KIND_E_NUM && number->kind != N_KIND_E_QTY) || !unit ||
		number->den != 1 || !type_number(a) || !type_number(b))
		return false;
	struct buf x = {0}, y = {0}, line = {0};
	type_print(m, a, &x);
	type_print(m, b, &y);
	put_source(m, n->span.file, n->span.start, number->span.start, &line);
	buf_printf(&line, "%lld%s", (long long)number->num, unit);
	put_source(m, n->span.file, number->span.end, n->span.end, &line);
	model_report(
		m, M_NOT_COMPARED_UNIT, number->span, 3, buf_text(&x), buf_text(&y), buf_text(&line));
	buf_free(&x);
	buf_free(&y);
	buf_free(&line);
	return true;
}

/* The field that says how much there is of this one at most: "full hit points"; 0: none. */
static sym whole_of(struct model *m, const struct node *path)
{
	const int part = field_stated(m, path);
	struct buf name = {0};
	if (part < 0)
		return 0;
	buf_printf(&name, "full %s", model_text(m, m->field.v[part].name));
	const sym whole = intern_find(m->front->names, name.data, name.length);
	buf_free(&name);
	return whole && model_field(m, m->field.v[part].kind, whole) >= 0 ? whole : 0;
}

/* my hit points < 50%: a share says of what. */
bool report_share(struct scope *s, const struct node *n)
{
	struct model *m = s->m;
	const bool left = n->a->kind == N_KIND_E_PERCENT || n->a->kind == N_KIND_E_CHANCE;
	const struct node *share = left ? n->a : n->b, *of = left ? n->b : n->a;
	if (!m->reporting || of->frac ||
		(share->kind != N_KIND_E_PERCENT && share->kind != N_KIND_E_CHANCE))
		return false;
	const sym whole = whole_of(m, of);
	struct buf line = {0}, said = {0};
	put_source(m, n->span.file, n->span.start, share->span.start, &line);
	put_source(m, share->span.file, share->span.start, share->span.end, &said);
	if (whole) {
		put_source(m, of->span.file, of->span.start, of->at.start, &line);
		buf_printf(&line, "%s * %s", model_text(m, whole), buf_text(&said));
	} else
		buf_printf(&line, "%lld", (long long)share->num);
	put_source(m, n->span.file, share->span.end, n->span.end, &line);
	model_report(m, M_SHARE_OF_WHAT, share->span, 2, buf_text(&said), buf_text(&line));
	buf_free(&line);
	buf_free(&said);
	return true;
}

/* damage (target, 5, none) where target is a list; damage (foe, 1d6, none). */
static bool put_argument(struct scope *s, const struct node *n, struct type *want,
	struct type *given, struct buf *line)
{
	struct model *m = s->m;
	struct buf said = {0}, one = {0};
	size_t length;
	const char *text = sources_text(m->front->sources, n->span, &length);
	buf_add(&said, text, length);
	const bool many = given->base == VT_SET || given->base == VT_LIST;
	bool found = false;
	if (many && type_fits(m, want, given->elem) && statement_with(m, n->span, "one", &one)) {
		buf_printf(line, "each one in %s { %s }", buf_text(&said), buf_text(&one));
		found = true;
	} else if (given->base == VT_DICE && type_is(want, VT_NUMBER) && !s->pure) {
		buf_printf(&one, "roll %s", buf_text(&said));
		found = statement_with(
			m, n->span, arena_text(m->arena, one.data, one.length), line);
	}
	buf_free(&said);
	buf_free(&one);
	return found;
}

bool report_argument(
	struct scope *s, const struct node *n, struct type *want, struct type *given)
{
	struct model *m = s->m;
	struct buf line = {0}, x = {0}, y = {0};
	const bool found = put_argument(s, n, type_find(want), type_find(given), &line);
	if (found) {
		type_print(m, want, &x);
		type_print(m, given, &y);
		model_report(m, M_ARGUMENT_MEANT, n->span, 3, buf_text(&x), buf_text(&y),
			buf_text(&line));
	}
	buf_free(&line);
	buf_free(&x);
	buf_free(&y);
	return found;
}

/* "1/2 ft": half of a unit, written as a fraction. It is said as a decimal, where that ends. */
bool report_part_of(struct scope *s, const struct node *n, struct type *a, struct type *b)
{
	struct model *m = s->m;
	const struct node *part = n->a, *whole = n->b;
	if (n->op != BIN_DIV || part->kind != N_KIND_E_NUM || whole->kind != N_KIND_E_QTY ||
		part->den != 1 || whole->den != 1 || whole->num <= 0 || part->num < 0 ||
		part->num > 1000 || part->num * 1000 % whole->num)
		return false;
	const long long parts = part->num * 1000 / whole->num;
	struct buf x = {0}, y = {0}, line = {0};
	type_print(m, a, &x);
	type_print(m, b, &y);
	buf_printf(&line, "%lld", parts / 1000);
	for (long long left = parts % 1000, one = 100; left; left %= one, one /= 10)
		buf_printf(&line, "%s%lld", one == 100 ? "." : "", left / one);
	buf_printf(&line, " %s", model_text(m, whole->name));
	model_report(
		m, M_NOT_COMPARED_UNIT, n->span, 3, buf_text(&x), buf_text(&y), buf_text(&line));
	buf_free(&x);
	buf_free(&y);
	buf_free(&line);
	return true;
}
