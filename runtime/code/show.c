/* show.c - values in the referee's words.
 *
 * A value is an untagged word; its vtype says how to read it. Quantities are shown in the
 * units the rules declare: times in the largest unit that divides them, lengths and weights
 * in the first unit listed, money in the largest coin that divides it. */
#include <string.h>

#include "runtime/code/show.h"

bool plural_is(const char *name)
{
	size_t n = strlen(name);
	return n > 2 && name[n - 1] == 's' && name[n - 2] != 's';
}

void plural_add(const char *name, struct buf *out)
{
	size_t n = strlen(name);
	buf_puts(out, name);
	if (n < 3)
		return; /* ft, lb, gp */
	char last = name[n - 1];
	bool hiss = last == 's' || last == 'x' || (last == 'h' && (name[n - 2] == 'c' || name[n - 2] == 's'));
	buf_puts(out, hiss ? "es" : "s");
}

bool plural_irregular(const char *name, struct buf *out)
{
	static const struct {
		const char *one, *more;
	} ends[] = {{"fe", "ves"}, {"f", "ves"}, {"man", "men"}, {"mouse", "mice"}, {"y", "ies"}};
	const size_t n = strlen(name);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const size_t m = strlen(ends[i].one);
		if (n <= m + 1 || strcmp(name + n - m, ends[i].one) != 0)
			continue;
		if (*ends[i].one == 'y' && strchr("aeiou", name[n - 2]))
			return false;
		buf_add(out, name, n - m);
		buf_puts(out, ends[i].more);
		return true;
	}
	return false;
}

void verb_add(const char *name, struct buf *out)
{
	const size_t n = strcspn(name, " ");
	const char last = n ? name[n - 1] : '\0', before = n > 1 ? name[n - 2] : '\0';
	const bool hiss = last == 's' || last == 'x' || last == 'z' || last == 'o' || (last == 'h' && (before == 'c' || before == 's'));
	if (last == 'y' && before && !strchr("aeiou", before)) {
		buf_add(out, name, n - 1);
		buf_puts(out, "ies");
	} else {
		buf_add(out, name, n);
		buf_puts(out, hiss ? "es" : "s");
	}
	buf_puts(out, name + n);
}

static void unknown_add(const char *what, word value, struct buf *out)
{
	buf_printf(out, "%s %lld?", what, (long long)value);
}

static const char *live_name(const struct program *p, int kind, word index)
{
	if (kind < 0 || kind >= 32 || !p->live[kind] || index < 0 || index >= p->lives[kind])
		return NULL;
	const char *name = p->live[kind][index].name;
	return name && *name ? name : NULL;
}

void program_live(const struct program *p, int kind, word index, struct buf *out)
{
	const char *name = live_name(p, kind, index);
	if (index == NONE)
		buf_puts(out, "none");
	else if (name)
		buf_puts(out, name);
	else if (kind == KIND_ENCOUNTER)
		buf_puts(out, "the encounter");
	else if (kind == KIND_ROUND)
		buf_puts(out, "the round");
	else if (kind >= 0 && kind < p->kinds)
		buf_printf(out, "%s %lld", p->kind[kind].name, (long long)index + 1);
	else
		unknown_add("thing", index, out);
}

void program_owner(const struct program *p, int kind, word index, struct buf *out)
{
	program_live(p, kind, index, out);
	buf_puts(out, out->length && out->data[out->length - 1] == 's' ? "'" : "'s");
}

static void thing_add(const struct program *p, word index, struct buf *out)
{
	if (index >= 0 && index < p->things)
		buf_puts(out, p->thing[index].name);
	else
		unknown_add("thing", index, out);
}

void program_list(const struct program *p, struct vtype type, const word *list, int64_t capacity, struct buf *out)
{
	struct vtype member = {.base = type.kind == OF_WORDS ? VT_WORD : VT_THING};
	int64_t n = list[0] > capacity ? capacity : list[0];
	if (n <= 0) {
		buf_puts(out, "none");
		return;
	}
	for (int64_t i = 0; i < n; i++) {
		int64_t same = 1;
		bool again = false;
		for (int64_t k = 0; k < i; k++)
			again = again || list[1 + k] == list[1 + i];
		if (again)
			continue;
		for (int64_t k = i + 1; k < n; k++)
			same += list[1 + k] == list[1 + i];
		if (i > 0)
			buf_puts(out, ", ");
		if (same > 1) /* told as a stat block has it: 5 darts */
			buf_printf(out, "%lld ", (long long)same);
		struct buf one = {0};
		program_value(p, member, &list[1 + i], &one);
		if (same > 1)
			plural_add(buf_text(&one), out);
		else
			buf_puts(out, buf_text(&one));
		buf_free(&one);
	}
}

static void set_add(const struct program *p, int kind, const word *value, struct buf *out)
{
	int total = 0, shown = 0;
	int bits = p->set_words * 64;
	for (int i = 0; i < bits; i++)
		total += (int)((uint64_t)value[i / 64] >> (i % 64) & 1);
	if (total == 0)
		buf_puts(out, "nobody");
	for (int i = 0; i < bits && shown < total; i++) {
		if (((uint64_t)value[i / 64] >> (i % 64) & 1) == 0)
			continue;
		if (shown > 0)
			buf_puts(out, shown == total - 1 ? " and " : ", ");
		program_live(p, kind, i, out);
		shown++;
	}
}

/* ---- quantities ---- */

bool frac_sound(word v)
{
	return v != NONE && (int32_t)(uint32_t)(uint64_t)v > 0;
}

/* top/bottom as "12", "3.5" where hundredths can say it, else "7/3". */
static void ratio_add(int64_t top, int64_t bottom, struct buf *out)
{
	if (top % bottom == 0) {
		buf_printf(out, "%lld", (long long)(top / bottom));
		return;
	}
	int64_t whole = top / bottom, rest = top % bottom;
	const char *sign = top < 0 ? "-" : "";
	whole = whole < 0 ? -whole : whole;
	rest = rest < 0 ? -rest : rest;
	if (rest <= INT64_MAX / 100 && rest * 100 % bottom == 0) {
		int64_t cents = rest * 100 / bottom;
		if (cents % 10 == 0)
			buf_printf(out, "%s%lld.%lld", sign, (long long)whole, (long long)cents / 10);
		else
			buf_printf(out, "%s%lld.%02lld", sign, (long long)whole, (long long)cents);
	} else {
		buf_printf(out, "%lld/%lld", (long long)top, (long long)bottom);
	}
}

/* The value in units of num/den base units, as top/bottom; false if that does not fit. */
static bool in_unit(struct vtype type, word value, int64_t num, int64_t den, int64_t *top, int64_t *bottom)
{
	if ((type.frac && !frac_sound(value)) || num <= 0 || den <= 0)
		return false;
	int64_t t = type.frac ? frac_top(value) : value, b = type.frac ? frac_bottom(value) : 1;
	bool bad = false;
	t = num_mul(t, den, &bad);
	b = num_mul(b, num, &bad);
	if (bad)
		return false;
	for (int64_t x = t < 0 ? -t : t, y = b;;) {
		int64_t r = y ? x % y : 0;
		if (y == 0 || r == 0) {
			int64_t g = y ? y : x;
			t /= g ? g : 1;
			b /= g ? g : 1;
			break;
		}
		x = y;
		y = r;
	}
	*top = t;
	*bottom = b;
	return true;
}

static void unit_add(const char *name, int64_t top, int64_t bottom, struct buf *out)
{
	ratio_add(top, bottom, out);
	if (strcmp(name, "\"") == 0) {
		buf_puts(out, "\"");
		return;
	}
	buf_putc(out, ' ');
	if (top == bottom || top == -bottom)
		buf_puts(out, name);
	else if (strcmp(name, "foot") == 0)
		buf_puts(out, "feet");
	else
		plural_add(name, out);
}

/* What the rules' units must leave open: the base units themselves. */
static const struct unit_info plain_unit[VT_BASES] = {
	[VT_TIME] = {"second", VT_TIME, SECOND, 1, false},
	[VT_DISTANCE] = {"ft", VT_DISTANCE, FOOT, 1, false},
	[VT_SCALE] = {"\"", VT_SCALE, FOOT, 1, false},
	[VT_WEIGHT] = {"lb", VT_WEIGHT, POUND, 1, false},
	[VT_MONEY] = {"cp", VT_MONEY, 1, 1, false},
};

static bool unit_larger(const struct unit_info *a, const struct unit_info *b)
{
	/* floating point will do: only which is the larger matters */
	return (double)a->num / (double)a->den >= (double)b->num / (double)b->den;
}

/* The unit a value is told in; NULL when the rules declare none for it. */
static const struct unit_info *unit_pick(const struct program *p, struct vtype type, word value)
{
	const struct unit_info *even = NULL, *least = NULL;
	int64_t top, bottom;
	for (int i = 0; i < p->units; i++) {
		const struct unit_info *u = &p->unit[i];
		if (u->base != type.base || u->num <= 0 || u->den <= 0)
			continue;
		if (type.base != VT_TIME && type.base != VT_MONEY)
			return u; /* 35 ft stay feet, though 30 ft are ten yards */
		if (value == 0 && u->shown)
			return u;
		if (!least || !unit_larger(u, least))
			least = u;
		/* a later unit of the same size is the rules' own: a round rather than a minute */
		if (value != 0 && in_unit(type, value, u->num, u->den, &top, &bottom) && bottom == 1 && (!even || unit_larger(u, even)))
			even = u;
	}
	return even ? even : least;
}

static void quantity_add(const struct program *p, struct vtype type, word value, struct buf *out)
{
	const struct unit_info *u = unit_pick(p, type, value);
	int64_t top, bottom;
	if (!u)
		u = &plain_unit[type.base];
	if (!u->name || !in_unit(type, value, u->num, u->den, &top, &bottom))
		unknown_add("quantity", value, out);
	else
		unit_add(u->name, top, bottom, out);
}

static void chance_add(word value, struct buf *out)
{
	if (!frac_sound(value)) {
		unknown_add("chance", value, out);
		return;
	}
	int64_t top = frac_top(value), bottom = frac_bottom(value);
	if (top * 100 % bottom == 0)
		buf_printf(out, "%lld%%", (long long)(top * 100 / bottom));
	else
		buf_printf(out, "%lld/%lld", (long long)top, (long long)bottom);
}

int program_type_words(const struct program *p, struct vtype type)
{
	return type.base == VT_SET ? p->set_words : 1;
}

void program_value(const struct program *p, struct vtype type, const word *value, struct buf *out)
{
	word v = value[0];
	if (type.base == VT_SET) { /* any bits are a set, the ones that look like "unset" too */
		set_add(p, type.kind, value, out);
		return;
	}
	if (v == NONE) {
		buf_puts(out, "none");
		return;
	}
	switch (type.base) {
	case VT_NUMBER:
		if (type.frac && !frac_sound(v))
			unknown_add("fraction", v, out);
		else if (type.frac && frac_bottom(v) != 1)
			buf_printf(out, "%lld/%lld", (long long)frac_top(v), (long long)frac_bottom(v));
		else
			buf_printf(out, "%lld", (long long)(type.frac ? frac_top(v) : v));
		break;
	case VT_COUNT: {
		int64_t top, bottom;
		if (type.kind < p->units && in_unit(type, v, 1, 1, &top, &bottom))
			unit_add(p->unit[type.kind].name, top, bottom, out);
		else
			unknown_add("count", v, out);
		break;
	}
	case VT_TIME:
	case VT_DISTANCE:
	case VT_SCALE:
	case VT_WEIGHT:
	case VT_MONEY:
		quantity_add(p, type, v, out);
		break;
	case VT_CHANCE:
		chance_add(v, out);
		break;
	case VT_BOOL:
		buf_puts(out, v ? "yes" : "no");
		break;
	case VT_WORD:
	case VT_TEXT:
		if (v >= 0 && v < p->texts)
			buf_puts(out, p->text[v]);
		else
			unknown_add("text", v, out);
		break;
	case VT_DICE:
		if (v >= 0 && v < p->dices)
			buf_puts(out, p->dice[v].text);
		else
			unknown_add("dice", v, out);
		break;
	case VT_THING:
		thing_add(p, v, out);
		break;
	case VT_LIVE:
		program_live(p, type.kind, v, out);
		break;
	case VT_LIST: /* a template's field: its word says where the list stands */
		if (v >= 0 && v < p->list_word_count)
			program_list(p, type, &p->list_words[v], p->list_word_count - v - 1, out);
		else
			unknown_add("list", v, out);
		break;
	case VT_EVENT:
		if (v >= 0 && v < p->events)
			buf_puts(out, p->event[v].name);
		else
			unknown_add("event", v, out);
		break;
	default:
		buf_printf(out, "%lld", (long long)v);
	}
}

void program_values(const struct program *p, struct vtype type, const word *value, int words, struct buf *out)
{
	if (type.base == VT_LIST && words > 1) /* all of a list: how many, and which */
		program_list(p, type, value, words - 1, out);
	else
		program_value(p, type, value, out);
}

/* ---- as it can be typed ---- */

/* A name, in quotes where it would not be read as one: "long sword +1". */
static void name_written(const char *name, struct buf *out)
{
	bool plain = true;
	for (const char *c = name; *c; c++)
		plain = plain && ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (unsigned char)*c >= 128 || *c == ' ' || *c == '-' || *c == '\'' || *c == '.');
	buf_printf(out, plain ? "%s" : "\"%s\"", name);
}

static void list_written(const struct program *p, struct vtype type, const word *list, int64_t capacity, struct buf *out)
{
	struct vtype member = {.base = type.kind == OF_WORDS ? VT_WORD : VT_THING};
	int64_t n = list[0] > capacity ? capacity : list[0];
	if (n <= 0)
		buf_puts(out, "none");
	for (int64_t i = 0, same; i < n; i++) {
		bool again = false;
		same = 0;
		for (int64_t k = 0; k < n; k++) {
			again = again || (k < i && list[1 + k] == list[1 + i]);
			same += list[1 + k] == list[1 + i];
		}
		if (again)
			continue;
		struct buf one = {0}, many = {0};
		program_value(p, member, &list[1 + i], &one);
		name_written(buf_text(&one), &many);
		buf_puts(out, i ? ", " : "");
		if (same == 1)
			buf_puts(out, buf_text(&many));
		else if (*buf_text(&many) != '"') {
			buf_printf(out, "%lld ", (long long)same);
			plural_add(buf_text(&one), out);
		} else {
			for (int64_t k = 0; k < same; k++)
				buf_printf(out, "%s%s", k ? ", " : "", buf_text(&many));
		}
		buf_free(&one);
		buf_free(&many);
	}
}

void program_written(const struct program *p, struct vtype type, const word *value, int words, struct buf *out)
{
	struct buf plain = {0};
	word v = value[0];
	const word *list = words > 1 ? value : v >= 0 && v < p->list_word_count ? &p->list_words[v] : NULL;
	bool text = (type.base == VT_TEXT || type.base == VT_WORD) && v >= 0 && v < p->texts;
	bool part = (vtype_is_number(type) && type.base != VT_CHANCE && type.base != VT_NUMBER) && type.frac && frac_sound(v);
	program_value(p, type, value, &plain);
	if (type.base == VT_LIST && list) {
		list_written(p, type, list, words > 1 ? words - 1 : p->list_word_count - v - 1, out);
	} else if (text && type.base == VT_TEXT) {
		buf_printf(out, "\"%s\"", p->text[v]);
	} else if (text || (type.base == VT_THING && v != NONE)) {
		name_written(buf_text(&plain), out);
	} else if (type.base == VT_CHANCE && frac_sound(v) && frac_top(v) * 100 % frac_bottom(v) != 0) {
		buf_printf(out, "%lld in %lld", (long long)frac_top(v), (long long)frac_bottom(v));
	} else if (part && strchr(buf_text(&plain), '/')) { /* 7/3 ft would be 7 by 3 ft */
		const char *slash = strchr(buf_text(&plain), '/');
		size_t digits = strspn(slash + 1, "0123456789");
		buf_add(out, plain.data, (size_t)(slash - plain.data));
		buf_puts(out, slash + 1 + digits);
		buf_printf(out, " / %.*s", (int)digits, slash + 1);
	} else {
		buf_puts(out, buf_text(&plain));
	}
	buf_free(&plain);
}

/* ---- moments ---- */

static const struct unit_info *shown_unit(const struct program *p)
{
	if (p->shown_unit < 0 || p->shown_unit >= p->units)
		return NULL;
	const struct unit_info *u = &p->unit[p->shown_unit];
	return u->num > 0 && u->den > 0 && (u->base == VT_TIME || u->base == VT_COUNT) ? u : NULL;
}

int64_t program_columns(const struct program *p)
{
	const struct unit_info *u = shown_unit(p);
	for (int i = p->units - 1; u && i >= 0; i--) {
		const struct unit_info *r = &p->unit[i];
		int64_t top, bottom;
		struct vtype whole = {.base = VT_TIME};
		if (r->base == VT_TIME && u->base == VT_TIME && r->den == 1 && strcmp(r->name, "round") == 0 &&
		    in_unit(whole, r->num, u->num, u->den, &top, &bottom))
			return top / bottom;
	}
	return 0;
}

bool program_column(const struct program *p, word time, word start, int64_t *out)
{
	const struct unit_info *u = shown_unit(p);
	int64_t top, bottom;
	struct vtype whole = {.base = VT_TIME};
	if (!u || time == NONE)
		return false;
	bool bad = false;
	word past = num_sub(time, start == NONE ? 0 : start, &bad);
	if (bad || !in_unit(whole, past, u->num, u->den, &top, &bottom))
		return false;
	*out = top / bottom + (top % bottom > 0);
	return true;
}

bool program_moment(const struct program *p, word time, word start, struct buf *out)
{
	const struct unit_info *u = shown_unit(p);
	int64_t top, bottom;
	struct vtype whole = {.base = VT_TIME};
	bool bad = false;
	if (!u || time == NONE)
		return false;
	word past = num_sub(time, start == NONE ? 0 : start, &bad);
	if (bad || !in_unit(whole, past, u->num, u->den, &top, &bottom))
		return false;
	int64_t round = program_columns(p), later = 0;
	if (round > 0 && top > round * bottom) { /* segment 12 is segment 2 of the next round */
		later = (top - 1) / (round * bottom);
		top -= later * round * bottom;
	}
	buf_printf(out, "%s ", u->name);
	if (bottom == 1 || top < bottom)
		ratio_add(top, bottom, out);
	else
		buf_printf(out, "%lld %lld/%lld", (long long)(top / bottom), (long long)(top % bottom), (long long)bottom);
	if (later == 1)
		buf_puts(out, " of the next round");
	else if (later > 1)
		buf_printf(out, ", %lld rounds later", (long long)later);
	return true;
}

/* ---- citations, templates, types ---- */

void program_cite(const struct program *p, int clause, struct buf *out)
{
	if (clause < 0 || clause >= p->clauses)
		return;
	const struct clause_info *c = &p->clause[clause];
	if (c->module && *c->module)
		buf_printf(out, "%s: ", c->module);
	buf_puts(out, c->rule && *c->rule ? c->rule : c->text ? c->text : "");
	/* "3, note on spells: casting begins .." is cited as 3, note on spells */
	const char *colon = c->cite ? strstr(c->cite, ": ") : NULL;
	int n = colon ? (int)(colon - c->cite) : c->cite ? (int)strlen(c->cite) : 0;
	bool said = c->module && strlen(c->module) == (size_t)n && strncmp(c->module, c->cite, (size_t)n) == 0;
	if (n > 0 && !said)
		buf_printf(out, " (%.*s)", n, c->cite);
}

void program_article(struct buf *out, size_t at)
{
	bool alone = at >= 2 && out->data[at - 1] == ' ' && out->data[at - 2] == 'a' && (at == 2 || out->data[at - 3] == ' ');
	if (!alone || at >= out->length || !strchr("aeioAEIO", out->data[at]))
		return;
	buf_putc(out, ' ');
	memmove(out->data + at, out->data + at - 1, out->length - at);
	out->data[at - 1] = 'n';
}

void program_agree(struct buf *out, size_t at, const char *text)
{
	const size_t n = *text == ' ' ? 1 + strcspn(text + 1, " ,.;:") : 0;
	const bool one = out->length == at + 1 && out->data[at] == '1';
	/* a word that ends the clause: what goes on may be a verb, "is", "has" */
	const bool several = one && n > 4 && text[n] != ' ' && text[n - 1] == 's' &&
		!strchr("sui", text[n - 2]);
	buf_add(out, text, several ? n - 1 : n);
	buf_puts(out, text + n);
}

void program_fill(const struct program *p, int template, const word *values, struct buf *out)
{
	if (template < 0 || template >= p->templates)
		return;
	const struct template_info *t = &p->template_[template];
	for (size_t i = 0, at = out->length; i < (size_t)t->count; i++) {
		const struct template_piece *piece = &p->piece[t->first + (int32_t)i];
		if (piece->text)
			program_agree(out, at, piece->text);
		if (piece->words > 0) {
			at = out->length;
			program_values(p, piece->type, values, piece->words, out);
			program_article(out, at);
			values += piece->words;
		}
	}
}

void program_type(const struct program *p, struct vtype type, struct buf *out)
{
	static const char *const name[VT_BASES] = {
		[VT_UNKNOWN] = "anything", [VT_NUMBER] = "number", [VT_TIME] = "time", [VT_DISTANCE] = "distance",
		[VT_SCALE] = "scale distance", [VT_WEIGHT] = "weight", [VT_MONEY] = "money", [VT_CHANCE] = "chance",
		[VT_COUNT] = "count", [VT_BOOL] = "yes/no", [VT_WORD] = "word", [VT_TEXT] = "text", [VT_DICE] = "dice",
		[VT_EVENT] = "event",
	};
	const char *kind = type.kind < p->kinds ? p->kind[type.kind].name : "thing";
	if (type.base == VT_SET)
		buf_printf(out, "set of %s", kind);
	else if (type.base == VT_LIST)
		buf_printf(out, "list of %s", type.kind == OF_WORDS ? "words" : kind);
	else if (type.base == VT_THING || type.base == VT_LIVE)
		buf_puts(out, kind);
	else if (type.base == VT_COUNT && type.kind < p->units)
		buf_puts(out, p->unit[type.kind].name);
	else
		buf_puts(out, type.base < VT_BASES && name[type.base] ? name[type.base] : "?");
	if (type.frac && type.base != VT_CHANCE)
		buf_puts(out, " (fraction)");
}
