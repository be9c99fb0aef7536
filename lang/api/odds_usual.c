/* odds_usual.c - what is asked when no question says what: --giving, or else the library, says it. A question that
 * stands at the top of core, a ruleset or house rules - "odds giving side wins, spread round,
 * spread combatant's hit points" - is asked of each side and each combatant there is. That of
 * the nearest layer counts. */
#include "lang/api/session.h"
#include "lang/api/odds.h"

#include <string.h>

#include "lang/front/lexicon.h"
#include "lang/front/phrase.h"
#include "runtime/code/show.h"

enum { COMBATANTS_TOLD = 12 };

static const struct node *question_in(const struct node *list)
{
	for (; list; list = list->next)
		if (list->kind == N_KIND_Q_ODDS && !list->damaged && list->b && !list->a && !list->name)
			return list;
	return NULL;
}

/* The measures of the question in force, or NULL. */
static struct node *wanted(const struct fray *f)
{
	const struct node *found = NULL;
	enum layer from = LAYER_CORE;
	for (int i = 0; i < f->unit.n; i++) {
		const struct unit *u = &f->unit.v[i];
		const struct node *q = u->layer < LAYER_SCRIPT && unit_wanted(f, u) ? question_in(u->tree) : NULL;
		if (q && (!found || u->layer >= from)) {
			found = q;
			from = u->layer;
		}
	}
	return found ? found->b : NULL;
}

static bool in_word(char c)
{
	return c == '-' || c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (unsigned char)c >= 128;
}

/* Where the word stands in the text; NULL. */
static const char *find_word(const char *text, size_t n, const char *what)
{
	size_t length = strlen(what);
	for (const char *p = text; p + length <= text + n; p++)
		if (!strncmp(p, what, length) && (p == text || !in_word(p[-1])) && (p + length == text + n || !in_word(p[length])))
			return p;
	return NULL;
}

/* The text with `name` for each `what` in it. */
static void put_named(struct buf *out, const char *text, size_t n, const char *what, const char *name)
{
	const char *end = text + n, *at;
	for (; (at = find_word(text, (size_t)(end - text), what)); text = at + strlen(what)) {
		buf_add(out, text, (size_t)(at - text));
		buf_puts(out, name);
	}
	buf_add(out, text, (size_t)(end - text));
}

/* Of a name with marks in it, which was declared in quotes, its words alone: sentences are about words. */
static sym spoken(struct fray *f, sym name)
{
	const char *text = model_text(&f->model, name);
	struct buf words = {0};
	for (const char *p = text; *p; p++)
		if (in_word(*p) || strchr("'#", *p))
			buf_putc(&words, *p);
		else if (words.length && words.data[words.length - 1] != ' ')
			buf_putc(&words, ' ');
	while (words.length && words.data[words.length - 1] == ' ')
		words.length--;
	sym plain = intern_put(f->names, buf_text(&words), words.length);
	buf_free(&words);
	return plain && model_thing(&f->model, plain, -1) < 0 ? plain : name; /* not what something else is called */
}

/* Whether a name that was declared in quotes is read otherwise without them: 1, every, D1. */
static bool needs_quotes(const struct fray *f, const char *text)
{
	if (*text >= '0' && *text <= '9')
		return true;
	for (const char *p = text; *p; p += strspn(p, " ")) {
		const size_t n = strcspn(p, " ");
		if (strcspn(p, "0123456789'") < n)
			return lexicon_find(f->front.lexicon, intern_word(f->names, text), LEX_QUOTED) != NULL;
		for (int i = 0; i < word_count; i++)
			if (!strncmp(word_table[i].text, p, n) && !word_table[i].text[n])
				return lexicon_find(f->front.lexicon, intern_word(f->names, text), LEX_QUOTED) != NULL;
		p += n;
	}
	return false;
}

/* The same, and it is known where sentences are read. */
static const char *spoken_text(struct fray *f, sym name)
{
	const char *text = model_text(&f->model, spoken(f, name));
	if (spoken(f, name) != name)
		lexicon_add_text(f->front.lexicon, LEX_NAMES, text, LEX_NAME);
	if (!needs_quotes(f, text))
		return text;
	struct buf quoted = {0};
	buf_printf(&quoted, "\"%s\"", text);
	text = arena_text(&f->arena, quoted.data, quoted.length);
	buf_free(&quoted);
	return text;
}

/* Names everybody in the tree who was written with words alone as he is called. */
static void call_by_name(struct node *n, sym plain, sym name)
{
	for (; n; n = n->next) {
		struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		if (n->kind == N_KIND_E_NAME && n->name == plain)
			n->name = name;
		for (int i = 0; i < 6; i++)
			if (kids[i])
				call_by_name(kids[i], plain, name);
	}
}

/* "orcs wins" -> "orcs win", of what was put from `from` on. */
static void agree(struct buf *out, size_t from, const char *name)
{
	size_t n = strlen(name);
	const char *verb = buf_text(out) + from + n;
	if (out->length > from + n && plural_is(name) && !strncmp(buf_text(out) + from, name, n) && !strcmp(verb, " wins"))
		out->length--;
}

/* One measure of the library's question, for each whom it speaks of. */
static void put_measure(struct fray *f, struct buf *out, const struct node *measure, bool whole)
{
	const struct model *m = &f->model;
	const char *combatant = model_text(m, m->w.combatant), *side = model_text(m, m->w.side), *spread = "spread ";
	size_t n;
	const char *text = sources_text(&f->sources, measure->span, &n);
	bool each_one = find_word(text, n, combatant), each_side = find_word(text, n, side);
	if (each_one && (!whole || m->live.n > COMBATANTS_TOLD))
		return;
	int times = each_one ? m->live.n : each_side ? m->side.n : 1;
	for (int i = 0; i < times; i++) {
		const char *rest = text;
		size_t left = n;
		if (out->length)
			buf_puts(out, ", ");
		if (!whole && !strncmp(text, spread, strlen(spread))) {
			buf_puts(out, "average ");
			rest += strlen(spread);
			left -= strlen(spread);
		}
		sym name = each_one ? m->live.v[i].name : each_side ? m->side.v[i].name : 0;
		size_t from = out->length;
		put_named(out, rest, left, each_one ? combatant : side, name ? spoken_text(f, name) : side);
		if (each_side)
			agree(out, from, model_text(m, spoken(f, name)));
	}
}

/* Text of the language that stands in no file, as trees. */
static struct node *measures_of(struct fray *f, const char *where, const char *measures)
{
	struct buf text = {0};
	buf_puts(&text, "odds giving ");
	for (const char *p = measures; *p; p++)
		buf_putc(&text, *p == '\n' || *p == '\r' ? ' ' : *p == ';' ? ',' : *p);
	buf_putc(&text, '\n');
	uint16_t file = sources_add(&f->sources, where, text.data, text.length);
	bool torn = f->front.torn;
	struct node *n = front_parse(&f->front, file);
	f->front.torn = torn; /* the script is none the worse for it */
	buf_free(&text);
	return n && n->kind == N_KIND_Q_ODDS && !n->damaged && !n->next ? n->b : NULL;
}

struct node *odds_usual_measures(struct fray *f, int encounter, bool whole)
{
	struct buf text = {0};
	scene_enter(&f->model, encounter);
	for (const struct node *x = wanted(f); x; x = x->next)
		put_measure(f, &text, x, whole);
	struct node *list = measures_of(f, "(odds)", buf_text(&text));
	for (int i = 0; i < f->model.live.n; i++)
		call_by_name(list, spoken(f, f->model.live.v[i].name), f->model.live.v[i].name);
	for (int i = 0; i < f->model.side.n; i++)
		call_by_name(list, spoken(f, f->model.side.v[i].name), f->model.side.v[i].name);
	scene_leave(&f->model);
	buf_free(&text);
	return list;
}

struct node *odds_command_measures(struct fray *f, int encounter, bool whole)
{
	return f->odds.giving ? measures_of(f, "(--giving)", f->odds.giving) : odds_usual_measures(f, encounter, whole);
}

const char *odds_field_told(const struct fray *f)
{
	for (const struct node *x = wanted(f); x; x = x->next)
		if (x->a->kind == N_KIND_E_FIELD && x->a->a->kind == N_KIND_E_NAME && x->a->a->name == f->model.w.combatant)
			return model_text(&f->model, model_alias(&f->model, x->a->name));
	return NULL;
}
