/* question_text.c - questions as they are spoken: "why did the orcs miss", "why is orc #1 down", "why was Ann hit by Bob",
 * "why orc chief falls asleep". What is not understood here is left to the grammar, which says what is wrong with it. */
#include <ctype.h>
#include <string.h>

#include "lang/api/question.h"
#include "runtime/code/show.h"

struct reading {
	struct fray *f;
	const char *at;          /* what is not read yet */
	struct question *q;
};

/* ---- words ---- */

static bool same_letters(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i]))
			return false;
	return true;
}

static bool ends_word(char c)
{
	return c == '\0' || c == ' ' || c == ',' || c == '\'' || c == ';';
}

/* Takes a word, or several, in any case. */
static bool take(struct reading *r, const char *words)
{
	const size_t n = strlen(words);
	if (strlen(r->at) < n || !same_letters(r->at, words, n) || !ends_word(r->at[n]))
		return false;
	r->at += n;
	r->at += strspn(r->at, " ");
	return true;
}

static bool take_any(struct reading *r, const char *const *words)
{
	for (; *words; words++)
		if (take(r, *words))
			return true;
	return false;
}

/* ---- who ---- */

struct named { size_t length; sym name; };

static void longer(struct fray *f, const char *text, const char *name, struct named *best)
{
	const size_t n = strlen(name);
	if (n > best->length && strlen(text) >= n && same_letters(text, name, n) && ends_word(text[n])) {
		best->length = n;
		best->name = intern_word(f->names, name);
	}
}

/* The longest name of somebody, of all of a sort, or of a side that the text begins with. */
static struct named name_here(struct fray *f, const char *text)
{
	const struct program *p = f->program;
	struct named best = {0, 0};
	struct buf sort = {0};
	for (int kind = KIND_SIDE; kind <= KIND_COMBATANT; kind++)
		for (int i = 0; i < p->lives[kind]; i++)
			longer(f, text, p->live[kind][i].name, &best);
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++) {
		const char *name = p->live[KIND_COMBATANT][i].name, *number = strstr(name, " #");
		if (!number)
			continue;
		buf_clear(&sort);
		buf_add(&sort, name, (size_t)(number - name));
		struct buf plural = {0};
		plural_add(buf_text(&sort), &plural);
		longer(f, text, buf_text(&plural), &best);
		buf_free(&plural);
	}
	for (int i = 0; i < f->model.alias.n; i++) {
		sym to = model_alias(&f->model, f->model.alias.v[i].from);
		for (int k = 0; k < p->lives[KIND_COMBATANT]; k++)
			if (intern_word(f->names, p->live[KIND_COMBATANT][k].name) == to)
				longer(f, text, model_text(&f->model, f->model.alias.v[i].from), &best);
	}
	buf_free(&sort);
	return best;
}

/* "the orcs", "Ann and Bob", "Ann, Bob and Cob": takes them. False: nobody stands here. */
static bool take_people(struct reading *r, people *out, word *side)
{
	const char *was = r->at;
	bool any = false;
	for (;;) {
		take(r, "the");
		struct named n = name_here(r->f, r->at);
		if (!n.length) {
			if (!any)
				r->at = was;
			return any;
		}
		question_named(r->f, model_alias(&r->f->model, n.name), out, side);
		r->at += n.length;
		r->at += strspn(r->at, " ");
		any = true;
		was = r->at;
		if (*r->at == ',')
			r->at += 1 + strspn(r->at + 1, " ");
		if (!take(r, "and") && was == r->at)
			return true;
		if (!name_here(r->f, !strncmp(r->at, "the ", 4) ? r->at + 4 : r->at).length) {
			r->at = was;
			return true;
		}
	}
}

/* ---- verbs ---- */

enum form { FORM_PLAIN, FORM_PARTICIPLE };

/* A verb in the tense it is asked in: "attacks", "attack", "attacked", "missed". */
static size_t verb_length(const char *text, const char *third, bool participle)
{
	static const enum tense tense[] = {TENSE_BASE, TENSE_PAST, TENSE_PARTICIPLE};
	const size_t head = strcspn(third, " ");
	size_t best = 0;
	for (int i = -1; i < 3; i++) {
		struct buf b = {0};
		if (participle && i != 2)
			continue;
		if (i < 0)
			buf_add(&b, third, head);
		else
			english_verb(third, head, tense[i], &b);
		buf_puts(&b, third + head);
		const size_t n = b.length;
		if (n > best && strlen(text) >= n && same_letters(text, b.data, n) && ends_word(text[n]))
			best = n;
		buf_free(&b);
	}
	return best;
}

/* The event that a verb here means: by its name, or an alias. *participle: only as one. */
static bool take_verb(struct reading *r, bool participle)
{
	struct fray *f = r->f;
	size_t best = 0;
	int event = -1;
	for (int i = 0; i < f->program->events; i++) {
		struct buf third = {0};
		verb_add(f->program->event[i].name, &third);
		const size_t n = verb_length(r->at, buf_text(&third), participle);
		if (n > best) {
			best = n;
			event = i;
		}
		buf_free(&third);
	}
	for (int i = 0; i < f->model.alias.n; i++) {
		const int e = model_event(&f->model, model_alias(&f->model, f->model.alias.v[i].from));
		const size_t n = e >= 0 && e < f->program->events ? verb_length(r->at, model_text(&f->model, f->model.alias.v[i].from), participle) : 0;
		if (n > best) {
			best = n;
			event = e;
		}
	}
	const size_t acts = participle ? 0 : verb_length(r->at, "acts", false);
	if (acts > best) {
		best = acts;
		event = -1;
	}
	if (!best)
		return false;
	r->q->event = event;
	r->at += best;
	r->at += strspn(r->at, " ");
	return true;
}

/* ---- what follows the verb ---- */

static bool take_number(struct reading *r, int64_t *out)
{
	if (!isdigit((unsigned char)*r->at))
		return false;
	*out = 0;
	while (isdigit((unsigned char)*r->at) && *out < 1000000)
		*out = *out * 10 + (*r->at++ - '0');
	r->at += strspn(r->at, " ");
	return true;
}

static bool take_moment(struct reading *r)
{
	const char *was = r->at;
	const struct program *p = r->f->program;
	int64_t n;
	take(r, "in");
	take(r, "of");
	take(r, "at");
	if (take(r, "round") && take_number(r, &n)) {
		r->q->round = (int32_t)n;
		return true;
	}
	const char *unit = p->shown_unit >= 0 ? p->unit[p->shown_unit].name : NULL;
	if (unit && take(r, unit) && take_number(r, &n)) {
		r->q->moment = n;
		return true;
	}
	r->at = was;
	return false;
}

/* A weapon, a spell: "with long sword", "web". */
static bool take_thing(struct reading *r)
{
	const struct program *p = r->f->program;
	const char *was = r->at;
	struct named best = {0, 0};
	int thing = -1;
	take(r, "with");
	for (int i = 0; i < p->things; i++) {
		const size_t before = best.length;
		if (!p->kind[p->thing[i].kind].live && p->thing[i].name)
			longer(r->f, r->at, p->thing[i].name, &best);
		if (best.length > before)
			thing = i;
	}
	if (thing < 0) {
		r->at = was;
		return false;
	}
	VEC_PUSH(r->q->thing, thing);
	r->at += best.length;
	r->at += strspn(r->at, " ");
	return true;
}

/* "Bruna with long sword in round 2", "before Halvaine": all of it has to be understood. */
static bool take_rest(struct reading *r)
{
	struct question *q = r->q;
	word side;
	static const char *const to[] = {"at", "on", "to", "from", "toward", "towards", "against", "by", NULL};
	if (!take_people(r, &q->whom, &side)) {
		const char *was = r->at;
		if (take_any(r, to) && !take_people(r, &q->whom, &side))
			r->at = was;
	}
	while (*r->at) {
		if (take_moment(r) || take_thing(r))
			continue;
		if (take_any(r, to) && take_people(r, &q->whom, &side))
			continue;
		q->kind = ASK_ORDER;
		if (take(r, "before"))
			q->order = ASKED_BEFORE;
		else if (take(r, "after"))
			q->order = ASKED_AFTER;
		else if (take(r, "together with") || take(r, "at the same time as") || take(r, "with"))
			q->order = ASKED_TOGETHER;
		else if (take(r, "first"))
			q->order = ASKED_FIRST;
		else if (take(r, "last"))
			q->order = ASKED_LAST;
		else if (take(r, "together"))
			q->order = ASKED_TOGETHER;
		else
			return false;
		if (q->order <= ASKED_AFTER && !take_people(r, &q->other, &side) && !take(r, "everybody") && !take(r, "everyone") && !take(r, "the others"))
			return false;
		if (q->order == ASKED_TOGETHER)
			take_people(r, &q->other, &side);
	}
	if (q->kind == ASK_EVENT && q->event < 0 && q->moment != INT64_MIN) {
		q->kind = ASK_ORDER;
		q->order = ASKED_WHEN;
	}
	return true;
}

/* ---- as it was told ---- */

/* Was something told of those asked about in these words? The verb comes first. */
static bool as_told(struct reading *r)
{
	struct fray *f = r->f;
	const struct trace *t = vm_trace(f->vm);
	const size_t head = strcspn(r->at, " ");
	for (int32_t i = t->n - 1; i >= 0 && head; i--) {
		const struct record *x = trace_look(t, i);
		size_t subject, verb;
		if ((x->kind != REC_EVENT && x->kind != REC_NOTE) || x->dropped || x->text < 0)
			continue;
		const char *text = trace_text_at(t, x->text);
		if (!english_split(f->program, text, &subject, &verb))
			continue;
		struct buf third = {0};
		buf_add(&third, text + subject + 1, verb - subject - 1);
		const size_t n = verb_length(r->at, buf_text(&third), false);
		const char *rest = r->at + n + strspn(r->at + n, " "), *told = text + verb + strspn(text + verb, " ");
		size_t m = strlen(rest);
		/* "in round 2" may follow */
		struct question moment = *r->q;
		struct reading tail = {f, rest, &moment};
		for (size_t k = 0; k < m; k++)
			if (k == 0 || rest[k - 1] == ' ') {
				tail.at = rest + k;
				if (take_moment(&tail) && (take_moment(&tail) || true) && !*tail.at) {
					m = k;
					break;
				}
			}
		while (m && rest[m - 1] == ' ')
			m--;
		bool same = n && strlen(told) >= m && same_letters(told, rest, m) && (ends_word(told[m]));
		if (same) {
			struct buf base = {0};
			english_verb(buf_text(&third), third.length, TENSE_BASE, &base);
			r->q->told_verb = arena_text(&f->arena, buf_text(&base), base.length);
			r->q->told_rest = arena_text(&f->arena, rest, m);
			r->q->round = rest[m] ? moment.round : 0;
			r->q->moment = rest[m] ? moment.moment : INT64_MIN;
			buf_free(&base);
		}
		buf_free(&third);
		if (same)
			return true;
	}
	return false;
}

/* The very words: "Halvaine's web is complete". */
static bool word_for_word(struct reading *r)
{
	const struct trace *t = vm_trace(r->f->vm);
	const size_t n = strlen(r->at);
	for (int32_t i = t->n - 1; i >= 0; i--) {
		const struct record *x = trace_look(t, i);
		if ((x->kind != REC_EVENT && x->kind != REC_NOTE) || x->dropped || x->text < 0)
			continue;
		const char *text = trace_text_at(t, x->text);
		size_t subject, verb;
		if (strlen(text) != n || !same_letters(text, r->at, n) || !english_split(r->f->program, text, &subject, &verb))
			continue;
		r->q->kind = ASK_EVENT;
		r->q->told_text = arena_text(&r->f->arena, text, n);
		return true;
	}
	return false;
}

/* ---- the whole ---- */

static const char *const be[] = {"is", "are", "was", "were", NULL};
static const char *const helping[] = {"did", "does", "do", "has", "have", "had", NULL};
static const char *const no[] = {"didn't", "doesn't", "don't", "isn't", "wasn't", "weren't", "hasn't", NULL};

static bool about_side(struct reading *r)
{
	static const char *const wins[] = {"wins", "win", "won", "loses", "lose", "lost", "is victorious", NULL};
	static const char *const fight[] = {"is the fight over", "was the fight over", "the fight is over", "the fight was over", "the fight ends", "did the fight end", "did it take so long",
		"did the fight take so long", "the fight takes so long", "the fight took so long", "it took so long", NULL};
	struct question *q = r->q;
	const char *was = r->at;
	if (take_any(r, fight) && !*r->at) {
		q->kind = ASK_SIDE;
		return true;
	}
	r->at = was;
	take_any(r, helping);
	if (take_people(r, &q->who, &q->who_side)) {
		q->name = r->at;
		if (q->who_side != NONE && take_any(r, wins) && !*r->at) {
			q->kind = ASK_SIDE;
			return true;
		}
	}
	q->who.n = 0;
	q->who_side = NONE;
	q->name = NULL;
	r->at = was;
	return false;
}

static bool about_choice(struct reading *r)
{
	static const char *const that[] = {"choose that", "choose so", "choose this", "do that", "chooses that", "does that", "chose that", "did that", "choose", "chose", NULL};
	const char *was = r->at;
	struct question *q = r->q;
	take_any(r, helping);
	if (take_people(r, &q->who, &q->who_side) && take_any(r, that)) {
		while (take_moment(r))
			;
		if (!*r->at) {
			q->kind = ASK_CHOICE;
			return true;
		}
	}
	q->who.n = 0;
	r->at = was;
	return false;
}

/* "Bruna's attack roll", "was the attack roll rolled twice": a die that is no value as well. */
static bool about_die(struct reading *r)
{
	static const char *const rolled[] = {"rolled twice", "rolled", "roll", NULL};
	const struct program *p = r->f->program;
	struct question *q = r->q;
	const char *was = r->at;
	bool asked = take_any(r, be) || take_any(r, helping);
	if (take(r, "this die") || take(r, "that die") || take(r, "the die")) {
		take_any(r, rolled);
		q->kind = ASK_DIE;
		if (!*r->at)
			return true;
	}
	r->at = was;
	if (asked)
		take_any(r, be);
	if (take_people(r, &q->who, &q->who_side)) {
		if (*r->at == '\'')
			r->at += 1 + (r->at[1] == 's');
		r->at += strspn(r->at, " ");
	}
	for (int i = 0; i < p->labels; i++) {
		const char *mark = r->at;
		if (!take(r, p->label[i].name))
			continue;
		bool twice = take_any(r, rolled);
		while (take_moment(r))
			;
		if (!*r->at && (twice || !question_is_value(r->f, p->label[i].name))) {
			q->kind = ASK_DIE;
			q->name = p->label[i].name;
			return true;
		}
		r->at = mark;
	}
	q->who.n = 0;
	q->who_side = NONE;
	r->at = was;
	return false;
}

static bool about_rule(struct reading *r)
{
	const struct program *p = r->f->program;
	const char *text = r->at;
	size_t n = strlen(text);
	if (n > 2 && *text == '"' && text[n - 1] == '"') {
		text++;
		n -= 2;
	}
	for (int i = 0; i < p->clauses; i++) {
		const char *rule = p->clause[i].rule;
		if (!rule || strlen(rule) != n || !same_letters(rule, text, n))
			continue;
		r->q->kind = ASK_RULE;
		r->q->name = rule;
		return true;
	}
	return false;
}

/* Who did it to whom: "orc #2 is hit by Bruna". */
static bool passive(struct reading *r)
{
	struct question *q = r->q;
	word side;
	bool killed = take(r, "killed") || take(r, "slain");
	if (killed)
		q->event = model_event(&r->f->model, model_alias(&r->f->model, intern_word(r->f->names, "dies")));
	if (!killed && !take_verb(r, true))
		return false;
	if (q->event < 0)
		return false;
	people subject = {0};
	if (take(r, "by") && !take_people(r, &subject, &side))
		return false;
	while (take_moment(r))
		;
	if (*r->at) {
		VEC_FREE(subject);
		return false;
	}
	/* an event of one alone has him for its subject: he died */
	if (r->f->program->event[q->event].roles < 2 || killed) {
		VEC_FREE(subject);
		return true;
	}
	VEC_FREE(q->whom);
	q->whom = q->who;
	q->who = subject;
	return true;
}

static bool about_doing(struct reading *r)
{
	struct question *q = r->q;
	const char *was = r->at;
	bool is = take_any(r, be);
	if (!is && take_any(r, no))
		q->negated = !q->negated;
	else if (!is)
		take_any(r, helping);
	if (!take_people(r, &q->who, &q->who_side) || *r->at == '\'') {
		r->at = was;
		return false;
	}
	if (!is)
		take_any(r, helping); /* "Halvaine does not complete web" */
	if (take(r, "not"))
		q->negated = !q->negated;
	const char *verb = r->at;
	bool be_here = is || take_any(r, be);
	if (be_here && take(r, "not"))
		q->negated = !q->negated;
	q->kind = q->negated ? ASK_NOT : ASK_EVENT;
	if (be_here && passive(r))
		return true;
	r->at = verb;
	q->event = -1;
	if (!be_here && take_verb(r, false) && take_rest(r))
		return true;
	q->event = -1;
	q->whom.n = q->other.n = 0;
	q->kind = q->negated ? ASK_NOT : ASK_EVENT;
	if (is && !q->negated) {
		struct buf b = {0};
		buf_printf(&b, "is %s", verb);
		r->at = arena_text(&r->f->arena, buf_text(&b), b.length);
		buf_free(&b);
	} else {
		r->at = verb;
	}
	return !q->negated && as_told(r);
}

bool question_text(struct fray *f, const char *text, struct question *q)
{
	struct reading r = {f, text, q};
	question_clear(q);
	if (!*text)
		return false;
	if (take(&r, "not"))
		q->negated = true;
	const char *begin = r.at;
	if (about_rule(&r))
		return true;
	if (!q->negated && (about_side(&r) || about_choice(&r) || about_die(&r)))
		return true;
	r.at = begin;
	if (!q->negated && word_for_word(&r)) {
		question_records(f, q);
		return true;
	}
	if (!about_doing(&r)) {
		question_free(q);
		question_clear(q);
		return false;
	}
	question_records(f, q);
	return true;
}

bool question_turned(struct fray *f, const char *text, struct buf *out)
{
	struct question q;
	struct reading r = {f, text, &q};
	question_clear(&q);
	bool not = take(&r, "not"), is = take_any(&r, be);
	const char *who = r.at;
	bool turned = is && take_people(&r, &q.who, &q.who_side) && *r.at && *r.at != '\'';
	if (turned) {
		while (r.at > who && r.at[-1] == ' ')
			r.at--;
		if (!strncmp(who, "the ", 4))
			who += 4;
		buf_printf(out, "%s%.*s is%s", not ? "not " : "", (int)(r.at - who), who, r.at);
	}
	question_free(&q);
	return turned;
}
