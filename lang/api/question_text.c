/* question_text.c - questions as they are spoken: "why did the orcs miss", "why is orc #1 down", "why was Ann hit by Bob",
 * "why orc chief falls asleep". What is not understood here is left to the grammar, which says what is wrong with it. */
#include <ctype.h>
#include <string.h>

#include "lang/api/question_read.h"
#include "runtime/explain/event.h"
#include "runtime/code/show.h"

/* ---- words ---- */

bool read_same(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i]))
			return false;
	return true;
}

bool read_ends(char c)
{
	return c == '\0' || c == ' ' || c == ',' || c == '\'' || c == ';';
}

/* Takes a word, or several, in any case. */
bool read_take(struct reading *r, const char *words)
{
	const size_t n = strlen(words);
	if (strlen(r->at) < n || !read_same(r->at, words, n) || !read_ends(r->at[n]))
		return false;
	r->at += n;
	r->at += strspn(r->at, " ");
	return true;
}

bool read_any(struct reading *r, const char *const *words)
{
	for (; *words; words++)
		if (read_take(r, *words))
			return true;
	return false;
}

/* ---- who ---- */

struct named { size_t length; sym name; };

static void longer(struct fray *f, const char *text, const char *name, struct named *best)
{
	const size_t n = strlen(name);
	if (n > best->length && strlen(text) >= n && read_same(text, name, n) && read_ends(text[n])) {
		best->length = n;
		best->name = intern_word(f->names, name);
	}
}

/* "the spiders" of "giant spider", where no other sort is called so. */
static void longer_part(struct fray *f, const char *text, const char *sort, struct named *best)
{
	const struct program *p = f->program;
	const char *last = strrchr(sort, ' ');
	if (!last)
		return;
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++) {
		const char *name = p->live[KIND_COMBATANT][i].name, *number = strstr(name, " #");
		const size_t n = number ? (size_t)(number - name) : strlen(name), k = strlen(last);
		const bool own = n == strlen(sort) && !strncmp(name, sort, n);
		if (!own && ((n > k && !strncmp(name + n - k, last, k)) ||
						(n == k - 1 && !strncmp(name, last + 1, n))))
			return;
	}
	struct buf plural = {0};
	const size_t before = best->length;
	plural_add(last + 1, &plural);
	longer(f, text, buf_text(&plural), best);
	buf_clear(&plural);
	if (plural_irregular(last + 1, &plural))
		longer(f, text, buf_text(&plural), best);
	if (best->length > before) /* they are called by the one */
		best->name = intern_word(f->names, sort);
	buf_free(&plural);
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
		longer(f, text, buf_text(&sort), &best);
		buf_clear(&plural);
		const size_t before = best.length;
		if (plural_irregular(buf_text(&sort), &plural))
			longer(f, text, buf_text(&plural), &best);
		if (best.length > before) /* it is called by the one */
			best.name = intern_word(f->names, buf_text(&sort));
		buf_free(&plural);
		longer_part(f, text, buf_text(&sort), &best);
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
bool read_people(struct reading *r, people *out, word *side)
{
	const char *was = r->at;
	bool any = false;
	for (;;) {
		if (!read_take(r, "the") && !read_take(r, "a"))
			read_take(r, "an");
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
		if (!read_take(r, "and") && was == r->at)
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
size_t read_verb_length(const char *text, const char *third, bool participle)
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
		if (n > best && strlen(text) >= n && read_same(text, b.data, n) && read_ends(text[n]))
			best = n;
		buf_free(&b);
	}
	return best;
}

bool read_verb(struct reading *r, bool participle)
{
	struct fray *f = r->f;
	size_t best = 0;
	int event = -1;
	for (int i = 0; i < f->program->events; i++) {
		struct buf third = {0};
		verb_add(f->program->event[i].name, &third);
		const size_t n = read_verb_length(r->at, buf_text(&third), participle);
		if (n > best) {
			best = n;
			event = i;
		}
		buf_free(&third);
	}
	for (int i = 0; i < f->model.alias.n; i++) {
		const int e = model_event(&f->model, model_alias(&f->model, f->model.alias.v[i].from));
		const size_t n = e >= 0 && e < f->program->events ? read_verb_length(r->at, model_text(&f->model, f->model.alias.v[i].from), participle) : 0;
		if (n > best) {
			best = n;
			event = e;
		}
	}
	const size_t acts = participle ? 0 : read_verb_length(r->at, "acts", false);
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

/* "the surprise", "the surprise round": a phase that began before the first round. */
static bool phase_before(struct reading *r)
{
	const struct program *p = r->f->program;
	const struct trace *t = vm_trace(r->f->vm);
	size_t best = 0;
	read_take(r, "the");
	for (int k = 0; k < p->phases; k++) {
		const char *name = p->phase[k].name;
		const size_t n = strlen(name);
		if (n <= best || strlen(r->at) < n || !read_same(r->at, name, n) ||
			!read_ends(r->at[n]))
			continue;
		for (int32_t i = 0; i < t->n && trace_look(t, i)->round == 0 && best < n; i++)
			if (trace_look(t, i)->kind == REC_PHASE && trace_look(t, i)->what == k)
				best = n;
	}
	r->at += best;
	r->at += strspn(r->at, " ");
	const char *unit = p->shown_unit >= 0 ? p->unit[p->shown_unit].name : "round";
	struct buf units = {0};
	plural_add(unit, &units);
	if (best && !read_take(r, "round") && !read_take(r, "rounds") && !read_take(r, unit))
		read_take(r, buf_text(&units));
	buf_free(&units);
	return best > 0;
}

/* "in surprise segment 1", "in the surprise round", "before the first round": a moment counted in
 * another unit than those of a round, or a phase before the first. */
static bool before_rounds(struct reading *r)
{
	const struct program *p = r->f->program;
	const char *was = r->at;
	int64_t n;
	bool found = read_take(r, "before the first round") || read_take(r, "before round 1");
	for (int i = 0; i < p->units && !found; i++)
		if (i != p->shown_unit && read_take(r, p->unit[i].name)) {
			found = take_number(r, &n);
			r->q->moment = found ? n : r->q->moment;
			r->at = found ? r->at : was;
		}
	if (!found)
		found = phase_before(r);
	r->at = found ? r->at : was;
	r->q->before_rounds |= found;
	return found;
}

bool read_moment(struct reading *r)
{
	const char *was = r->at;
	const struct program *p = r->f->program;
	int64_t n;
	read_take(r, "in");
	read_take(r, "of");
	read_take(r, "at");
	read_take(r, "on");
	read_take(r, "during");
	static const char *const nth[] = {"the first round", "the second round", "the third round",
		"the fourth round", "the fifth round", "the sixth round"};
	if (read_take(r, "round") && take_number(r, &n)) {
		r->q->round = (int32_t)n;
		return true;
	}
	for (int i = 0; i < (int)FRAY_COUNT(nth); i++)
		if (read_take(r, nth[i])) {
			r->q->round = i + 1;
			return true;
		}
	if (before_rounds(r))
		return true;
	const char *unit = p->shown_unit >= 0 ? p->unit[p->shown_unit].name : NULL;
	if (unit && read_take(r, unit) && take_number(r, &n)) {
		r->q->moment = n;
		return true;
	}
	r->at = was;
	return false;
}

/* A weapon, a spell: "with long sword", "web". */
/* Did an event of the fight have that thing in it? */
static bool took_part(const struct reading *r, int thing)
{
	const struct program *p = r->f->program;
	const struct trace *t = vm_trace(r->f->vm);
	struct log l = {.p = p, .t = t, .n = t->n};
	const uint32_t kinds = 1u << REC_EVENT | 1u << REC_DECLARE;
	for (int32_t i = trace_back(t, t->n - 1, kinds); i >= 0; i = trace_back(t, i - 1, kinds)) {
		const struct record *e = log_at(&l, i);
		for (int k = 0; e->what >= 0 && k < p->event[e->what].roles; k++) {
			const word *v = p->event[e->what].role[k].type.base == VT_THING
				? log_role(&l, log_at(&l, i), k)
				: NULL;
			if (v && *v == thing)
				return true;
		}
	}
	return false;
}

/* "hold person", where only "hold person (cleric)" was about: that one. */
static int thing_meant(const struct reading *r, int thing)
{
	const struct program *p = r->f->program;
	const char *name = p->thing[thing].name;
	const size_t n = strlen(name);
	for (int i = 0; i < p->things; i++)
		if (p->thing[i].name && strlen(p->thing[i].name) > n &&
			p->thing[i].kind == p->thing[thing].kind &&
			read_same(p->thing[i].name, name, n) &&
			!strncmp(p->thing[i].name + n, " (", 2) && took_part(r, i) &&
			!took_part(r, thing))
			return i;
	return thing;
}

bool read_thing(struct reading *r)
{
	const struct program *p = r->f->program;
	const char *was = r->at;
	struct named best = {0, 0};
	int thing = -1;
	read_take(r, "with");
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
	VEC_PUSH(r->q->thing, thing_meant(r, thing));
	r->at += best.length;
	r->at += strspn(r->at, " ");
	return true;
}

/* "before segment 6", "after segment 2": a moment of the unit shown; "after round 2". */
static bool bounded(struct reading *r)
{
	const char *was = r->at;
	struct question *q = r->q;
	static const char *const since[] = {"since", "from", NULL};
	static const char *const on[] = {"on", "onward", "onwards", NULL};
	const bool from = read_any(r, since);
	const enum asked_bound bound = from || read_take(r, "before") ? BOUND_BEFORE
		: read_take(r, "after")                               ? BOUND_AFTER
								      : BOUND_IN;
	const int64_t moment = q->moment;
	const int32_t round = q->round;
	const bool early = q->before_rounds;
	q->moment = INT64_MIN;
	q->round = 0;
	q->before_rounds = false;
	const bool read = bound != BOUND_IN && read_moment(r) && !q->before_rounds;
	q->before_rounds |= early;
	if (read && q->moment != INT64_MIN && !from) {
		q->round = q->round ? q->round : round;
		q->bound = bound;
		return true;
	}
	if (read && q->round > 0 && q->moment == INT64_MIN) { /* "after round 2", "since round 3" */
		if (from || bound == BOUND_AFTER)
			q->from = from ? q->round : q->round + 1;
		else
			q->to = q->round - 1;
		q->round = round;
		read_any(r, on);
		return true;
	}
	q->moment = moment;
	q->round = round;
	q->before_rounds = early;
	r->at = was;
	return false;
}

/* "contends with Thrax": whom it is done to. */
static bool done_with(const struct reading *r)
{
	const struct model *m = &r->f->model;
	const int event = r->q->event;
	const char *told = event >= 0 && event < m->event.n && m->event.v[event].node
		? m->event.v[event].node->text
		: NULL;
	return told && strstr(told, " with {") && r->q->whom.n == 0;
}

/* "before orc #1 strikes", "before orc #1 could strike Bruna": the same without it. */
static void other_verb(struct reading *r)
{
	const int event = r->q->event;
	const char *was = r->at;
	people whom = {0};
	word side;
	read_any(r, read_help_words);
	if (read_verb(r, false)) {
		read_take(r, "back");
		read_people(r, &whom, &side);
	} else {
		r->at = was;
	}
	r->q->event = event;
	VEC_FREE(whom);
}

bool read_times(struct reading *r)
{
	static const char *const times[] = {
		"once", "twice", "three times", "four times", "five times", "six times"};
	const char *was = r->at;
	read_any(r, (const char *const[]){"only", "just", "but", NULL});
	int n = read_take(r, "two times") ? 2 : 0;
	for (int i = 0; i < (int)FRAY_COUNT(times) && !n; i++)
		n = read_take(r, times[i]) ? i + 1 : 0;
	if (n) {
		r->q->times = n;
		read_any(r, (const char *const[]){"in a row", "running", "in succession", NULL});
	} else {
		r->at = was;
	}
	return n > 0;
}

/* "Bruna with long sword in round 2", "before Halvaine": all of it has to be understood. */
static bool take_rest(struct reading *r)
{
	struct question *q = r->q;
	word side;
	if (read_any(r, read_nobody_words)) { /* "attacks nobody": does not attack */
		q->negated = !q->negated;
		q->kind = q->negated ? ASK_NOT : ASK_EVENT;
		read_take(r, "of");
	}
	static const char *const again[] = {
		"again", "a second time", "for the second time", "once more", NULL};
	static const char *const to[] = {"at", "on", "to", "from", "toward", "towards", "against", "by", NULL};
	static const char *const sequence[] = {"in order", "in that order", "in this order", NULL};
	static const char *const when[] = {"so late", "so early", "so soon", "so slowly",
		"so quickly", "when they did", "when he did", "when she did", "when it did", NULL};
	if (!read_people(r, &q->whom, &side)) {
		const char *was = r->at;
		if (read_any(r, to) && !read_people(r, &q->whom, &side))
			r->at = was;
	}
	while (*r->at) {
		if (read_any(r, sequence)) {
			q->kind = ASK_ORDER;
			q->order = ASKED_SEQUENCE;
			continue;
		}
		/* of several the last is told, and how many there were */
		if (read_moment(r) || read_thing(r) || read_times(r))
			continue;
		if (!q->negated && read_nth_time(r))
			continue;
		if (read_any(r, again)) {
			q->again = true;
			continue;
		}
		if (read_any(r, to) && read_people(r, &q->whom, &side))
			continue;
		if (bounded(r))
			continue;
		if (read_any(r, when)) {
			q->kind = ASK_ORDER;
			q->order = ASKED_WHEN;
			continue;
		}
		if (done_with(r) && read_take(r, "with") && read_people(r, &q->whom, &side))
			continue;
		q->kind = ASK_ORDER;
		if (read_take(r, "before"))
			q->order = ASKED_BEFORE;
		else if (read_take(r, "after"))
			q->order = ASKED_AFTER;
		else if (read_take(r, "together with") || read_take(r, "at the same time as") || read_take(r, "with"))
			q->order = ASKED_TOGETHER;
		else if (read_take(r, "first"))
			q->order = ASKED_FIRST;
		else if (read_take(r, "last"))
			q->order = ASKED_LAST;
		else if (read_take(r, "together"))
			q->order = ASKED_TOGETHER;
		else
			return false;
		if (q->order <= ASKED_AFTER && !read_people(r, &q->other, &side) && !read_take(r, "everybody") && !read_take(r, "everyone") && !read_take(r, "the others"))
			return false;
		if (q->order == ASKED_TOGETHER)
			read_people(r, &q->other, &side);
		if (q->order <= ASKED_AFTER)
			other_verb(r);
	}
	if (q->kind == ASK_EVENT && q->event < 0 && q->moment != INT64_MIN) {
		q->kind = ASK_ORDER;
		q->order = ASKED_WHEN;
	}
	return true;
}

/* ---- the whole ---- */

const char *const read_be_words[] = {"is", "are", "was", "were", "am", NULL};
const char *const read_nobody_words[] = {"nobody", "no one", "none", NULL};
const char *const read_anybody_words[] = {"anybody", "anyone", "somebody", "someone", NULL};
const char *const read_help_words[] = {"did", "does", "do", "has", "have", "had", "could", "can", "would", "will", "should", "may", "might", NULL};
const char *const read_be_not_words[] = {"isn't", "aren't", "wasn't", "weren't", NULL};
const char *const read_not_words[] = {"didn't", "doesn't", "don't", "hasn't", "haven't", "hadn't", "couldn't", "can't", "cannot", "won't",
	"wouldn't", "shouldn't", NULL};

/* Who did it to whom: "orc #2 is hit by Bruna". */
static bool passive(struct reading *r)
{
	struct question *q = r->q;
	word side;
	bool killed = read_take(r, "killed") || read_take(r, "slain");
	if (killed)
		q->event = model_event(&r->f->model, model_alias(&r->f->model, intern_word(r->f->names, "dies")));
	if (!killed && !read_verb(r, true))
		return false;
	read_take(r, "at"); /* "was shot at" */
	/* "surprised": of an event that befalls nobody it says nothing */
	if (q->event < 0 || r->f->program->event[q->event].roles == 0)
		return false;
	people subject = {0};
	if (read_take(r, "by") && !read_people(r, &subject, &side))
		return false;
	while (read_moment(r))
		;
	if (*r->at) {
		VEC_FREE(subject);
		return false;
	}
	/* an event of one alone has him for its subject: he died; nobody is gone by another's going */
	if (killed && subject.n) { /* "was Dorn slain by the ghast", "who was slain by it" */
		VEC_FREE(q->by);
		q->by = subject;
		if (q->who.n == 0) {
			q->who = subject;
			q->by = (people){0};
			q->doer = true;
			q->anybody = false;
		}
		return true;
	}
	if (event_people(&r->f->program->event[q->event]) < 2 || killed) {
		const bool acts =
			r->f->program->event[q->event].action && r->f->program->event[q->event].roles > 1;
		if (acts || subject.n == 0) {
			VEC_FREE(subject);
			return !acts;
		}
	}
	VEC_FREE(q->whom);
	q->whom = q->who;
	q->who = subject;
	q->passive = true;
	q->who_side = NONE;
	q->anybody = subject.n == 0;
	return true;
}

/* Words between whom it is about and the verb that add nothing: "Bruna managed to hit". */
static void skip_trying(struct reading *r)
{
	static const char *const trying[] = {"get to", "gets to", "got to", "manage to",
		"manages to", "managed to", "have to", "has to", "had to", "want to", "wants to",
		"wanted to", "try to", "tries to", "tried to", "need to", "needs to", "needed to",
		"able to", "allowed to", "only", NULL};
	read_any(r, trying);
}

/* "Rurik kills clay man #1": it dies. */
static bool killing(struct reading *r)
{
	static const char *const any_one[] = {
		"anybody", "anyone", "somebody", "someone", "nobody", "no one", NULL};
	static const char *const kills[] = {"kill", "kills", "killed", "slay", "slays", "slew", NULL};
	struct question *q = r->q;
	people victims = {0};
	word side = NONE;
	const char *was = r->at;
	const int dies = model_event(&r->f->model, model_alias(&r->f->model, intern_word(r->f->names, "dies")));
	bool so =
		dies >= 0 && read_any(r, kills) &&
		(read_people(r, &victims, &side) || read_any(r, any_one) || !*r->at || q->who.n);
	while (so && read_moment(r))
		;
	if (!so || *r->at) {
		VEC_FREE(victims);
		r->at = was;
		return false;
	}
	q->event = dies;
	if (victims.n == 0) /* "whom did Rurik kill" */
		return q->doer = true;
	VEC_FREE(q->by);
	q->by = q->who;
	q->who = victims;
	q->who_side = side;
	q->anybody = false;
	return true;
}

const char *const read_become_words[] = {"fall", "falls", "fell", "become", "becomes", "became", "get",
	"gets", "got", "go", "goes", "went", "turn", "turns", "turned", NULL};

/* "fell asleep", "became stuck": "is asleep". */
static bool becoming(struct reading *r)
{
	struct buf b = {0};
	if (!read_any(r, read_become_words) || !*r->at)
		return false;
	buf_printf(&b, "is %s", r->at);
	r->at = arena_text(&r->f->arena, buf_text(&b), b.length);
	buf_free(&b);
	return read_as_told(r);
}

static void forget_doing(struct question *q)
{
	q->event = -1;
	q->passive = q->doer = false;
	q->times = q->nth = 0;
	q->whom.n = q->other.n = q->thing.n = 0;
	q->round = q->from = q->to = 0;
	q->moment = INT64_MIN;
	q->bound = BOUND_IN;
	q->kind = q->negated ? ASK_NOT : ASK_EVENT;
}

/* "everybody": whoever is in the fight. */
static bool everybody_named(struct reading *r)
{
	static const char *const all[] = {"everybody", "everyone", "all of them", NULL};
	if (!read_any(r, all))
		return false;
	for (int i = 0; i < r->f->program->lives[KIND_COMBATANT]; i++)
		VEC_PUSH(r->q->who, i);
	return true;
}

/* Behind those it is about. */
static bool doing_read(struct reading *r, bool be_here)
{
	struct question *q = r->q;
	const char *verb = r->at;
	static const char *const get[] = {"get", "gets", "got", NULL};
	if (be_here && question_is_value(r->f, verb))
		return false; /* how it stands: the grammar has that */
	if (be_here) { /* "is gone" is told of who fled, and is nothing that another did */
		struct buf b = {0};
		buf_printf(&b, "is %s", verb);
		r->at = arena_text(&r->f->arena, buf_text(&b), b.length);
		buf_free(&b);
		if (read_as_told(r))
			return true;
		r->at = verb;
	}
	if (be_here && passive(r))
		return true;
	if (!be_here && read_any(r, get) && passive(r))
		return true;
	r->at = verb;
	forget_doing(q);
	if (!be_here && read_verb(r, false) && take_rest(r)) {
		/* "strikes first" may be what was told */
		const bool order = q->kind == ASK_ORDER && (q->order == ASKED_FIRST || q->order == ASKED_LAST);
		const char *end = r->at;
		r->at = verb;
		if (order && (read_as_told(r) || read_told_order(r, verb))) {
			q->kind = q->negated ? ASK_NOT : ASK_EVENT;
			return true;
		}
		r->at = end;
		return true;
	}
	r->at = verb;
	forget_doing(q);
	if (!be_here && killing(r))
		return true;
	if (be_here)
		return false;
	if (read_as_told(r))
		return true;
	r->at = verb;
	return becoming(r);
}

/* "nobody", "none of the orcs", "anybody": no one in particular. */
static bool anybody_named(struct reading *r)
{
	static const char *const nobody[] = {"nobody", "no one", "none", NULL};
	static const char *const anybody[] = {"anybody", "anyone", "somebody", "someone", "any", NULL};
	struct question *q = r->q;
	const char *was = r->at;
	const bool none = read_any(r, nobody);
	if (!none && !read_any(r, anybody))
		return false;
	if (read_take(r, "of") && !read_people(r, &q->who, &q->who_side)) {
		r->at = was;
		return false;
	}
	q->negated ^= none;
	return q->anybody = true;
}

/* "who was hit by Corin" */
static bool by_somebody(const char *rest)
{
	return strstr(rest, " by ") != NULL;
}

/* "nobody was hit in round 1" */
static bool befallen(struct reading *r)
{
	if (!passive(r))
		return false;
	r->q->kind = r->q->negated ? ASK_NOT : ASK_EVENT;
	return r->q->anybody = true;
}

static bool about_doing(struct reading *r)
{
	struct question *q = r->q;
	const char *was = r->at;
	const bool negated = q->negated;
	bool is = read_any(r, read_be_words);
	if (!is && read_any(r, read_be_not_words)) {
		is = true;
		q->negated = !q->negated;
	} else if (!is && read_any(r, read_not_words)) {
		q->negated = !q->negated;
	} else if (!is) {
		read_any(r, read_help_words);
	}
	if (!(anybody_named(r) || everybody_named(r) || read_people(r, &q->who, &q->who_side)) ||
		*r->at == '\'') {
		r->at = was;
		q->negated = negated;
		q->anybody = false;
		return false;
	}
	if (!is)
		read_any(r, read_help_words); /* "Halvaine does not complete web" */
	if (!is && read_any(r, read_not_words))
		q->negated = !q->negated;
	if (read_take(r, "not") || read_take(r, "never"))
		q->negated = !q->negated;
	skip_trying(r);
	bool be_here = is || read_any(r, read_be_words);
	if (!be_here && read_any(r, read_be_not_words)) {
		be_here = true;
		q->negated = !q->negated;
	}
	if (be_here && (read_take(r, "not") || read_take(r, "never")))
		q->negated = !q->negated;
	if (q->anybody && be_here && !by_somebody(r->at)
			? !question_is_value(r->f, r->at) && befallen(r)
			: doing_read(r, be_here))
		return true;
	r->at = was;
	q->anybody = false;
	q->negated = negated;
	return false;
}

/* "{victim} is poisoned" is told of whom it befell: who did it comes second among its roles. */
static void patient_first(const struct fray *f, struct question *q)
{
	const struct model *m = &f->model;
	const char *text = q->event >= 0 && q->event < m->event.n && m->event.v[q->event].node
		? m->event.v[q->event].node->text
		: NULL;
	const struct event_info *e = q->event >= 0 ? &f->program->event[q->event] : NULL;
	if (!text || e->action || e->roles < 2 || event_people(e) < 2 || q->told_verb ||
		q->told_text)
		return;
	const size_t n = strlen(e->role[0].name);
	const char *close = *text == '{' ? strchr(text, '}') : NULL;
	const bool own =
		close && (size_t)(close - text - 1) == n && !strncmp(text + 1, e->role[0].name, n);
	if (!close || (own && strncmp(close, "} is ", 5) != 0))
		return;
	const people who = q->who;
	q->who = q->whom;
	q->whom = who;
	q->who_side = NONE;
	q->passive = false;
	q->anybody = q->who.n == 0;
	q->befell = true;
}

bool question_text(struct fray *f, const char *text, struct question *q)
{
	struct reading r = {f, text, q};
	question_clear(q);
	if (!*text)
		return false;
	if (read_take(&r, "not"))
		q->negated = true;
	const char *begin = r.at;
	if (read_rule(&r))
		return true;
	if (read_side(&r) || (!q->negated && (read_choice(&r) || read_die(&r))))
		return true;
	r.at = begin;
	if (read_thrown(&r))
		return true;
	if (!q->negated && read_word_for_word(&r)) {
		question_records(f, q);
		return true;
	}
	if (!about_doing(&r) && !read_telling(&r)) {
		question_free(q);
		question_clear(q);
		return false;
	}
	if (q->kind == ASK_EVENT && q->negated)
		q->kind = ASK_NOT;
	patient_first(f, q);
	question_records(f, q);
	return true;
}
