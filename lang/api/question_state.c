/* question_state.c - how several are, or nobody, or everybody: "is nobody asleep", "are Ruk and
 * Marn
 * not unconscious", "who was paralysed". A state is a condition of the rules, a word that a field
 * of theirs holds, or the contrary of either; each is told with the reason that one alone is asked
 * for (reason_state.c, reason_told.c). */
#include <string.h>
#include <strings.h>

#include "lang/api/question_asked.h"
#include "lang/api/question_read.h"
#include "lang/api/reason.h"
#include "runtime/world/block.h"

enum { LINES_MOST = 7, LINE_WIDE = 74 };

/* Does a field of theirs hold that word? 1, 0; -1: no field of combatants has it. */
static int word_held(const struct fray *f, word who, const char *state)
{
	const struct model *m = &f->model;
	int known = -1;
	for (int i = 0; i < m->field.n; i++) {
		const struct mfield *x = &m->field.v[i];
		for (int k = 0; x->kind == KIND_COMBATANT && x->program >= 0 && k < x->words.n;
			k++) {
			if (strcasecmp(model_text(m, x->words.v[k]), state))
				continue;
			const struct field_info *i2 = &f->program->field[x->program];
			const word value = vm_block(f->vm)[i2->base + (uint32_t)who * i2->stride];
			struct buf b = {0};
			if (value != NONE && i2->type.base == VT_WORD)
				program_value(f->program, i2->type, &value, &b);
			known = known > 0 || !strcasecmp(buf_text(&b), state);
			buf_free(&b);
		}
	}
	return known;
}

int state_holds(struct fray *f, word who, const char *state)
{
	bool holds = false;
	if (question_is_value(f, state))
		return state_is(f, f->program->live[KIND_COMBATANT][who].name, state, &holds)
			? holds
			: -1;
	const int held = word_held(f, who, state);
	if (held > 0 || strncasecmp(state, "un", 2) || !question_is_value(f, state + 2))
		return held;
	const int other = state_holds(f, who, state + 2);
	return other < 0 ? held : !other;
}

/* Why one of them is so, or not, without a full stop. False: nothing is known of it. */
static bool reason_of(struct fray *f, word who, const char *state, bool so, struct answer *out)
{
	struct span at = {0};
	struct question q;
	struct node *is = node_new(&f->arena, N_KIND_E_IS, at);
	is->a = node_new(&f->arena, N_KIND_E_NAME, at);
	is->a->name = intern_word(f->names, f->program->live[KIND_COMBATANT][who].name);
	is->b = node_new(&f->arena, N_KIND_E_NAME, at);
	is->b->name = intern_word(f->names, state);
	question_clear(&q);
	q.kind = ASK_STATE;
	q.negated = !so;
	VEC_PUSH(q.who, who);
	const bool made = reason_make(f, &q, is, out);
	question_free(&q);
	return made;
}

/* A line for those of whom the same is to be said: "Ruk is not unconscious: Ruk's EN is 9". */
static void reasons_told(
	struct fray *f, const people *all, const char *state, bool so, struct answer *out)
{
	struct buf same[64];
	struct answer one[64];
	bool made[64];
	int n = all->n < 64 ? all->n : 64, lines = 0, left = 0;
	memset(same, 0, sizeof same);
	memset(one, 0, sizeof one);
	for (int i = 0; i < n; i++) {
		made[i] = reason_of(f, all->v[i], state, so, &one[i]);
		english_nameless(buf_text(&one[i].about),
			f->program->live[KIND_COMBATANT][all->v[i]].name, &same[i]);
	}
	for (int i = 0; i < n; i++) {
		word others[64];
		int k = 0;
		if (!made[i])
			continue;
		for (int j = i + 1; j < n; j++)
			if (made[j] && !strcmp(buf_text(&same[i]), buf_text(&same[j]))) {
				made[j] = false;
				others[k++] = all->v[j];
			}
		struct buf line = {0};
		buf_puts(&line, buf_text(&one[i].about));
		if (k) {
			buf_puts(&line, " The same goes for ");
			answer_people(f->program, others, k, &line);
		}
		while (line.length && line.data[line.length - 1] == '.')
			line.data[--line.length] = '\0';
		lines += 1 + (int)(line.length / LINE_WIDE);
		if (lines > LINES_MOST && i > 0) {
			left += 1 + k;
			buf_free(&line);
			continue;
		}
		answer_figure(out, -1, -1, "%s", buf_text(&line));
		answer_rules_from(f->program, out, &one[i]);
		buf_free(&line);
	}
	if (left)
		answer_figure(out, -1, -1, left > 1 ? "and %d others" : "and %d other", left);
	for (int i = 0; i < n; i++) {
		answer_free(&one[i]);
		buf_free(&same[i]);
	}
}

static void those(const struct fray *f, const people *p, const people *all, struct buf *out)
{
	if (p->n == all->n && p->n == f->program->lives[KIND_COMBATANT])
		buf_puts(out, "everybody");
	else
		answer_people(f->program, p->v, p->n, out);
}

static void write_answer(void *context, int style, const char *text, size_t length)
{
	struct fray *f = context;
	if (f->config.write)
		f->config.write(f->config.context, (enum fray_style)style, text, length);
}

/* What is asked: of whom, which state, whether it is denied. */
struct asked_state {
	people of;
	word side;
	bool nobody, some, negated, past;
	const char *state;
};

static const char *const idle_words[] = {
	"still", "now", "already", "ever", "all", "any longer", "yet", NULL};

int state_polar(struct fray *f, const char *text)
{
	struct question q;
	people who = {0};
	word side = NONE;
	struct buf bare = {0};
	int so = -1;
	question_clear(&q);
	buf_puts(&bare, text);
	while (bare.length && strchr(" \t\r\n?.!", bare.data[bare.length - 1]))
		bare.data[--bare.length] = '\0';
	struct reading r = {f, buf_text(&bare), &q};
	const bool past = read_same(r.at, "w", 1);
	if (read_any(&r, read_be_words) && read_people(&r, &who, &side) && *r.at != '\'') {
		bool opposite;
		while (read_any(&r, idle_words))
			;
		const bool denied = read_take(&r, "not");
		const char *state = question_state(f, r.at, &opposite);
		int n = 0, known = 0;
		for (int i = 0; i < who.n && *state; i++) {
			int holds = state_holds(f, who.v[i], state);
			if (holds == 0 && past && !opposite)
				holds = reason_was(f, who.v[i], state);
			known += holds >= 0;
			n += holds >= 0 && (holds > 0) != opposite;
		}
		if (who.n && known == who.n && (n == 0 || n == who.n))
			so = (n > 0) != denied;
	}
	VEC_FREE(who);
	buf_free(&bare);
	question_free(&q);
	return so;
}

static bool read_state(struct reading *r, struct asked_state *a)
{
	static const char *const all[] = {"everybody", "everyone", "all", "all of them", NULL};
	static const char *const idle[] = {
		"still", "now", "already", "ever", "all", "any longer", NULL};
	const char *begin = r->at;
	bool be = read_any(r, read_be_words);
	if (!be && (be = read_any(r, read_be_not_words)))
		a->negated = !a->negated;
	a->past = be && read_same(begin, "w", 1);
	const bool none = read_any(r, read_nobody_words),
		   some = !none && (read_any(r, read_anybody_words) || read_take(r, "any"));
	a->nobody = none || some;
	a->some = some;
	a->negated ^= none;
	const bool whole = !a->nobody && read_any(r, all);
	if ((a->nobody || whole) && read_take(r, "of") && !read_people(r, &a->of, &a->side))
		return false;
	if (!a->nobody && !whole && !read_people(r, &a->of, &a->side))
		return false;
	const int everybody = a->of.n ? 0 : r->f->program->lives[KIND_COMBATANT];
	for (int i = 0; i < everybody; i++)
		VEC_PUSH(a->of, i);
	if (!be) {
		a->past = read_same(r->at, "w", 1);
		if (!read_any(r, read_be_words))
			return false;
	}
	while (read_any(r, idle))
		;
	if (read_take(r, "not") || read_take(r, "never"))
		a->negated = !a->negated;
	while (read_any(r, idle))
		;
	a->state = r->at;
	return *r->at && a->of.n > 1 && (a->nobody || whole || a->negated);
}

bool state_asked(struct fray *f, const char *text, bool polar, enum fray_status *s)
{
	struct question q;
	struct asked_state a = {.side = NONE};
	struct buf bare = {0};
	people are = {0}, not = {0};
	question_clear(&q);
	buf_puts(&bare, text);
	while (bare.length && strchr(" \t\r?.!", bare.data[bare.length - 1]))
		bare.data[--bare.length] = '\0';
	struct reading r = {f, buf_text(&bare), &q};
	bool holds, known = f->vm && f->answers != FRAY_JSON && read_state(&r, &a);
	/* of a side as a whole, where that can be said */
	if (known && !a.nobody && a.side != NONE && question_is_value(f, a.state))
		known = !state_is(f, f->program->live[KIND_SIDE][a.side].name, a.state, &holds);
	for (int i = 0; known && i < a.of.n; i++) {
		int so = state_holds(f, a.of.v[i], a.state);
		known = so >= 0;
		if (a.past && so == 0)
			so = reason_was(f, a.of.v[i], a.state);
		if (so > 0)
			VEC_PUSH(are, a.of.v[i]);
		else
			VEC_PUSH(not, a.of.v[i]);
	}
	if (known) {
		struct answer said;
		struct story_options o = {
			.width = f->config.width, .write = write_answer, .context = f};
		memset(&said, 0, sizeof said);
		const people *told = a.negated ? &not : &are, *other = a.negated ? &are : &not ;
		/* what is asked of all of them is so only when none is otherwise; of anybody, when
		 * one is */
		const bool wrong = a.some && !a.negated ? told->n == 0 : other->n > 0;
		if (polar)
			buf_puts(&said.about, wrong ? "No: " : "Yes: ");
		else if (wrong)
			answer_premise(&said, PREMISE_OTHER);
		if (wrong)
			told = other;
		const bool so = told == &are;
		const char *be = a.past ? "was" : "is";
		if (!so && told->n == f->program->lives[KIND_COMBATANT]) {
			buf_printf(&said.about, "nobody %s %s.", be, a.state);
		} else {
			those(f, told, &a.of, &said.about);
			const bool many = told->n > 1 &&
				told->n < f->program->lives[KIND_COMBATANT];
			buf_printf(&said.about, " %s %s%s.", many ? (a.past ? "were" : "are") : be,
				so ? "" : "not ", a.state);
		}
		answer_capital(f->program, &said.about, 0);
		reasons_told(f, told, a.state, so, &said);
		answer_shorten(f->program, &said);
		answer_tell(f->program, &said, &o);
		answer_free(&said);
		*s = FRAY_OK;
	}
	VEC_FREE(are);
	VEC_FREE(not );
	VEC_FREE(a.of);
	buf_free(&bare);
	question_free(&q);
	return known;
}
