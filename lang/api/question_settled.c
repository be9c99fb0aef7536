/* question_settled.c - questions about what dice settled before the first round: "why was Ann
 * surprised", "who was surprised", "how long were the orcs surprised". Rules keep what it came to
 * in words of their own, and give most of it up when it is over; what decided it they say in one
 * condition (stdlib/settled.def), which is told of everybody who is asked about.
 *
 *   Ann was surprised for 2 segments: the party's surprise die was 2, no more than 2 (the party's
 *   surprise range). */
#include <string.h>

#include "lang/api/question_asked.h"
#include "lang/api/question_read.h"
#include "lang/api/reason.h"
#include "lang/api/session.h"

static const struct { const char *said, *stem, *state, *time; } table[] = {
#define SETTLED(said, stem, state, time) {said, stem, state, time},
#include "stdlib/settled.def"
#undef SETTLED
};

/* How it is asked: of those named; whether they were so; of anybody, nobody; who was. */
struct asked_of {
	int row;
	people of;
	word side;
	bool why, polar, who, any, negated, act, past; /* a round has begun since */
};

/* One of them, or several of whom the same is to be said. */
struct settled {
	people who;
	bool so;
	struct buf why, time;
	struct answer below;
};
typedef VEC(struct settled) settled_list;

/* ---- read ---- */

static const char *const all_words[] = {"everybody", "everyone", NULL};

static bool read_state_row(struct reading *r, struct asked_of *a)
{
	for (size_t i = 0; i < FRAY_COUNT(table); i++)
		if (read_take(r, table[i].said)) {
			a->row = (int)i;
			return true;
		}
	return false;
}

/* "act in the surprise round": what they could not do while it lasted. */
static bool read_deed(struct reading *r, struct asked_of *a)
{
	static const char *const acts[] = {"act", "do anything", "do something", "move", NULL};
	static const char *const spans[] = {"round", "rounds", "segment", "segments", NULL};
	if (!read_any(r, acts) || !(read_take(r, "in") || read_take(r, "during")))
		return false;
	read_take(r, "the");
	for (size_t i = 0; i < FRAY_COUNT(table); i++)
		if (read_take(r, table[i].stem)) {
			a->row = (int)i;
			read_any(r, spans);
			return true;
		}
	return false;
}

static bool read_whom(struct reading *r, struct asked_of *a)
{
	if (read_any(r, read_anybody_words)) {
		a->any = true;
	} else if (read_any(r, read_nobody_words)) {
		a->any = true;
		a->negated = !a->negated;
	} else if (!read_any(r, all_words)) {
		return read_people(r, &a->of, &a->side) && *r->at != '\'';
	}
	if (a->any && read_take(r, "of"))
		return read_people(r, &a->of, &a->side);
	return true;
}

static bool read_be(struct reading *r, struct asked_of *a)
{
	if (read_any(r, read_be_words))
		return true;
	const bool not_so = read_any(r, read_be_not_words);
	a->negated |= not_so;
	return not_so;
}

static bool read_asked(struct reading *r, struct asked_of *a)
{
	static const char *const how[] = {"why", "how come", "how", "when", NULL};
	static const char *const spans[] = {"for how long", "how long", NULL};
	if (read_take(r, "who")) {
		a->who = true;
		if (!read_be(r, a))
			return false;
		a->negated ^= read_take(r, "not");
		return read_state_row(r, a) && !*r->at;
	}
	a->why = read_any(r, spans) || read_any(r, how);
	a->negated = a->why && read_take(r, "not");
	if (read_be(r, a)) {
		a->polar = !a->why;
		if (!read_whom(r, a))
			return false;
	} else if (a->why && (read_any(r, read_help_words) || read_any(r, read_not_words))) {
		a->act = true;
		return read_whom(r, a) && read_take(r, "not") && read_deed(r, a) && !*r->at;
	} else {
		const bool not_so = a->negated; /* "why not the orcs are surprised" */
		a->negated = false;
		if (!a->why || !read_whom(r, a) || !read_be(r, a))
			return false;
		a->negated ^= not_so;
	}
	while (read_take(r, "still") || read_take(r, "ever") || read_take(r, "all"))
		;
	a->negated ^= read_take(r, "not") || read_take(r, "never");
	return read_state_row(r, a) && (!*r->at || read_take(r, "at all")) && !*r->at;
}

/* ---- what decided it ---- */

static struct node *named(struct fray *f, const char *name)
{
	struct node *n = node_new(&f->arena, N_KIND_E_NAME, (struct span){0});
	n->name = intern_word(f->names, name);
	return n;
}

static struct node *state_node(struct fray *f, const char *who, const char *state)
{
	struct node *n = node_new(&f->arena, N_KIND_E_IS, (struct span){0});
	n->a = named(f, who);
	n->b = named(f, state);
	return n;
}

static struct node *field_node(struct fray *f, const char *who, const char *field)
{
	struct node *n = node_new(&f->arena, N_KIND_E_FIELD, (struct span){0});
	n->name = intern_word(f->names, field);
	n->a = named(f, who);
	return n;
}

/* "party's surprise range": where that is in a sentence, it being a name of somebody's. */
static bool tells_field(const char *text, const char *owner, const char *field)
{
	struct buf b = {0};
	const size_t k = strlen(owner);
	buf_printf(&b, "%s%s %s", owner, k && owner[k - 1] == 's' ? "'" : "'s", field);
	bool told = false;
	for (const char *at = text; (at = strstr(at, buf_text(&b))) && !told; at++)
		told = (at == text || strchr(" (", at[-1])) &&
			(!at[b.length] || strchr(" ,.)", at[b.length]));
	buf_free(&b);
	return told;
}

/* What rules made of a number of somebody's, if they made something of it: "the party's surprise
 * range 2: 4: ..; less 2: a ranger is surprised by 2 less". */
static void number_below(
	struct fray *f, struct log *l, const char *owner, const char *field, struct answer *out)
{
	struct answer one;
	struct buf line = {0};
	int parts = 0;
	struct reason r = {.f = f, .log = l, .p = f->program, .t = vm_trace(f->vm),
		.n = field_node(f, owner, field), .text = "", .end = l->n};
	memset(&one, 0, sizeof one);
	const bool made = reason_value(&r, &one);
	const char *about = buf_text(&one.about);
	for (int i = 0; i < one.figure.n && made; i++)
		parts += one.figure.v[i].has_value && !one.figure.v[i].total;
	buf_printf(&line, "%s%s %s ", owner, owner[strlen(owner) - 1] == 's' ? "'" : "'s", field);
	if (parts > 1) {
		buf_add(&line, about, strcspn(about, ":"));
		for (int i = 0; i < one.figure.n; i++)
			if (!one.figure.v[i].total)
				buf_printf(&line, "%s %s", i ? ";" : ":", one.figure.v[i].text);
	} else {
		buf_puts(&line, about);
		while (line.data[line.length - 1] == '.')
			line.data[--line.length] = '\0';
	}
	if (parts > 1 || (made && (strstr(about, " less ") || strstr(about, " plus "))))
		answer_figure(out, -1, -1, "%s", buf_text(&line));
	buf_free(&line);
	answer_free(&one);
}

/* The numbers that a condition compares. */
static void numbers_below(struct fray *f, struct log *l, const char *text, struct answer *out)
{
	static const int kinds[] = {KIND_SIDE, KIND_COMBATANT};
	const struct model *m = &f->model;
	for (int i = 0; i < m->question.n; i++)
		for (int k = 0; k < 2; k++)
			for (int w = 0; w < f->program->lives[kinds[k]]; w++) {
				const struct mquestion *q = &m->question.v[i];
				const char *owner = f->program->live[kinds[k]][w].name;
				const char *field = model_text(m, q->name);
				if (q->subject >= 0 && kind_root(m, q->subject) == kinds[k] &&
					tells_field(text, owner, field))
					number_below(f, l, owner, field, out);
			}
}

/* The dice that are told in a sentence, as they fell; of one that has none, those called after
 * it. */
static void dice_below(const struct log *l, const char *text, const char *stem, struct answer *out)
{
	for (int turn = 0, told = 0; turn < 2 && !told; turn++)
		for (int32_t i = 0; i < l->n; i++) {
			const struct record r = *log_at(l, i);
			struct buf name = {0}, line = {0};
			if (r.kind != REC_ROLL || r.dropped || r.round > 0)
				continue;
			log_label(l, &r, &name);
			if (turn == 0 ? strstr(text, buf_text(&name)) != NULL
				      : strstr(buf_text(&name), stem) != NULL) {
				buf_printf(&line, "%s ", buf_text(&name));
				log_total(l, &r, &line);
				answer_fall(l, &r, &line);
				answer_figure(out, i, -1, "%s", buf_text(&line));
				answer_rule_of(l->p, out, r.clause);
				told = 1;
			}
			buf_free(&name);
			buf_free(&line);
		}
}

/* "is" becomes "was" in all of a sentence. */
static void in_the_past(const char *text, struct buf *out)
{
	for (; *text;) {
		if (!strncmp(text, " is ", 4)) {
			buf_puts(out, " was ");
			text += 4;
		} else if (!strncmp(text, " are ", 5)) {
			buf_puts(out, " were ");
			text += 5;
		} else {
			buf_putc(out, *text++);
		}
	}
}

/* A side is "the orcs" within a sentence. */
static void with_articles(const struct program *p, const char *text, struct buf *out)
{
	for (const char *at = text; *at;) {
		const bool begins = at == text || strchr(" (", at[-1]);
		for (int i = 0; begins && i < p->lives[KIND_SIDE]; i++) {
			const char *name = p->live[KIND_SIDE][i].name;
			const size_t n = strlen(name);
			const bool the = at >= text + 4 && !strncmp(at - 4, "the ", 4);
			if (!strncmp(at, name, n) && strchr("' ,.", at[n]) && at[n] && !the &&
				*name >= 'a' && *name <= 'z') {
				buf_puts(out, "the ");
				break;
			}
		}
		buf_putc(out, *at++);
	}
}

/* The first record of a round: what was settled before is settled there. */
static int32_t round_begun(const struct log *l)
{
	for (int32_t i = 0; i < l->n; i++)
		if (log_at(l, i)->round > 0)
			return i;
	return -1;
}

static bool settle(
	struct fray *f, struct log *l, int row, bool past, word who, struct settled *out)
{
	const char *name = f->program->live[KIND_COMBATANT][who].name;
	const struct names nobody = {.n = 0};
	struct node *n = state_node(f, name, table[row].state);
	struct condition c;
	struct buf text = {0};
	memset(out, 0, sizeof *out);
	VEC_PUSH(out->who, who);
	if (!reason_holds(f, reason_put(f, n, &nobody), &out->so))
		return false;
	if (condition_of(f, n, &nobody, out->so, &c)) {
		if (past)
			in_the_past(buf_text(&c.text), &text);
		else
			buf_puts(&text, buf_text(&c.text));
		with_articles(f->program, buf_text(&text), &out->why);
		dice_below(l, buf_text(&c.text), table[row].stem, &out->below);
		numbers_below(f, l, buf_text(&c.text), &out->below);
		for (int i = 0; i < c.clause.n; i++)
			if (*f->program->clause[c.clause.v[i]].cite)
				answer_rule_of(f->program, &out->below, c.clause.v[i]);
		condition_free(&c);
	}
	if (out->so)
		reason_value_text(f, field_node(f, name, table[row].time), &out->time);
	buf_free(&text);
	return true;
}

/* The same is said once of all of whom it is to be said. */
static void gather(struct fray *f, struct log *l, const struct asked_of *a, settled_list *all)
{
	for (int i = 0; i < a->of.n; i++) {
		struct settled one;
		bool joined = false;
		if (!settle(f, l, a->row, a->past, a->of.v[i], &one)) {
			VEC_FREE(one.who);
			continue;
		}
		for (int k = 0; k < all->n && !joined; k++) {
			struct settled *other = &all->v[k];
			joined = other->so == one.so &&
				!strcmp(buf_text(&other->why), buf_text(&one.why)) &&
				!strcmp(buf_text(&other->time), buf_text(&one.time));
			if (joined)
				VEC_PUSH(other->who, a->of.v[i]);
		}
		if (!joined) {
			VEC_PUSH(*all, one);
			continue;
		}
		VEC_FREE(one.who);
		buf_free(&one.why);
		buf_free(&one.time);
		answer_free(&one.below);
	}
}

/* ---- told ---- */

/* "all of the orcs were", "none of the orcs was"; those who are not a whole side by name. */
static void whom_told(
	const struct fray *f, const people *who, bool so, bool past, struct buf *out)
{
	const struct program *p = f->program;
	const word side = question_side(f, who->v[0]);
	int of_side = 0, same = 0;
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++)
		of_side += question_side(f, i) == side;
	for (int i = 0; i < who->n; i++)
		same += question_side(f, who->v[i]) == side;
	if (who->n > 1 && same == who->n && of_side == same) {
		const char *name = p->live[KIND_SIDE][side].name;
		const bool named = *name < 'a' || *name > 'z';
		buf_printf(out, "%s of %s%s %s ", so ? "all" : "none", named ? "" : "the ", name,
			so ? (past ? "were" : "are") : past ? "was" : "is");
		return;
	}
	answer_people(p, who->v, who->n, out);
	const char *be = who->n > 1 ? (past ? "were" : "are") : past ? "was" : "is";
	buf_printf(out, " %s %s", be, so ? "" : "not ");
}

static void one_told(
	const struct fray *f, struct settled *x, const struct asked_of *a, struct buf *out)
{
	const bool all = x->who.n > 1 && x->who.n == f->program->lives[KIND_COMBATANT];
	if (all)
		buf_printf(out, "%s %s ", x->so ? "everybody" : "nobody", a->past ? "was" : "is");
	else
		whom_told(f, &x->who, x->so, a->past, out);
	buf_puts(out, table[a->row].said);
	if (x->so && x->time.length)
		buf_printf(out, " for %s", buf_text(&x->time));
	if (x->why.length)
		buf_printf(out, ": %s", buf_text(&x->why));
	buf_putc(out, '.');
}

/* What is said before it: that it is so or not, or that what was supposed is not so. */
static void lead(const struct asked_of *a, bool some, bool all, bool alike, struct buf *out)
{
	const bool yes = a->any ? some != a->negated : a->negated ? !some : all;
	if (a->polar && (a->any || all || !some))
		buf_puts(out, yes ? "Yes: " : "No: ");
	else if (!a->polar && !a->who && (a->any ? !yes : a->negated ? all : !some))
		buf_puts(out, "It is the other way round: ");
	if ((a->any || a->who) && !some && !alike)
		buf_printf(out, "%s %s %s: ", out->length ? "nobody" : "Nobody",
			a->past ? "was" : "is", table[a->row].said);
}

static void figures_once(struct answer *out, const struct answer *from)
{
	for (int i = 0; i < from->figure.n; i++) {
		bool told = false;
		for (int k = 0; k < out->figure.n && !told; k++)
			told = !strcmp(out->figure.v[k].text, from->figure.v[i].text);
		if (!told)
			answer_figure(out, from->figure.v[i].record, from->figure.v[i].clause, "%s",
				from->figure.v[i].text);
	}
}

static void tell(
	struct fray *f, const struct asked_of *a, const settled_list *all, struct answer *out)
{
	int so = 0, not_so = 0;
	for (int i = 0; i < all->n; i++) {
		so += all->v[i].so;
		not_so += !all->v[i].so;
	}
	/* what is asked about comes first; where anybody will do, that is all */
	const bool want = (a->any || a->who) && !so ? false : a->any || !a->negated;
	lead(a, so > 0, not_so == 0, all->n == 1, &out->about);
	const bool led = out->about.length > 0;
	for (int turn = 0, said = 0; turn < 2; turn++)
		for (int i = 0; i < all->n; i++) {
			struct settled *x = &all->v[i];
			if ((x->so == want) == (turn == 1) || (turn == 1 && a->any))
				continue;
			buf_puts(&out->about, said ? " " : "");
			const size_t at = out->about.length;
			one_told(f, x, a, &out->about);
			if (said++ || !led)
				answer_capital(f->program, &out->about, at);
			figures_once(out, &x->below);
			answer_rules_from(f->program, out, &x->below);
		}
}

bool settled_asked(struct fray *f, const char *line, struct answer *out)
{
	struct question q;
	struct asked_of a = {.side = NONE};
	struct buf text = {0};
	question_clear(&q);
	buf_puts(&text, line + strspn(line, " \t"));
	while (text.length && strchr(" \t\r\n?.!", text.data[text.length - 1]))
		text.data[--text.length] = '\0';
	struct reading r = {f, buf_text(&text), &q};
	bool so = read_asked(&r, &a) && question_is_value(f, table[a.row].state);
	const int everybody = so && a.of.n == 0 ? f->program->lives[KIND_COMBATANT] : 0;
	for (int i = 0; i < everybody; i++)
		VEC_PUSH(a.of, i);
	if (so) {
		struct log l;
		struct visit v;
		settled_list all = {0};
		log_open(&l, f->program, vm_trace(f->vm));
		const int32_t begun = round_begun(&l);
		const bool there = begun >= 0 && reason_go_to(f, begun, &v);
		a.past = begun >= 0;
		gather(f, &l, &a, &all);
		if (there)
			reason_back(f, &v);
		so = all.n > 0 && (!a.act || (all.n == 1 && all.v[0].so));
		if (so)
			tell(f, &a, &all, out);
		for (int i = 0; i < all.n; i++) {
			VEC_FREE(all.v[i].who);
			buf_free(&all.v[i].why);
			buf_free(&all.v[i].time);
			answer_free(&all.v[i].below);
		}
		VEC_FREE(all);
		log_close(&l);
	}
	VEC_FREE(a.of);
	buf_free(&text);
	question_free(&q);
	return so;
}
