/* unheard.c - a question that cannot be read: which of its words were not understood, and two or
 * three like it that can be asked of this fight. See unheard.h. */
#include "lang/api/unheard.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "lang/api/attempt.h"
#include "lang/api/question_asked.h"
#include "lang/api/question_read.h"
#include "runtime/explain/log.h"

enum { EXAMPLES = 3, TRIED = 12, LONG_WORD = 3 };

/* What was heard of a question. */
struct heard {
	struct fray *f;
	struct question q;           /* its things and moments */
	people who;
	VEC(int) event;
	const char *value;           /* "armour class"; NULL */
	struct buf unknown;          /* "set pike" and "survive" */
	VEC(const char *) strange;   /* those words, one by one */
	bool order;                  /* before, after, first, last */
	bool denied;                 /* not, never, couldn't */
	const char *sort;            /* "why did", "when did", "how often did" */
	/* examples */
	struct buf ask;
	int asked;
};

static const char *const common[] = {"why", "who", "whom", "whose", "what", "which", "when", "how",
	"many", "much", "often", "long", "far", "not", "never", "nobody", "anybody", "somebody",
	"everybody", "no one", "anyone", "someone", "everyone", "nothing", "anything", "something",
	"the", "a", "an", "this", "that", "these", "those", "it", "he", "she", "they", "him", "her",
	"them", "his", "its", "their", "of", "in", "on", "at", "to", "from", "by", "with", "for",
	"against", "and", "or", "but", "than", "as", "if", "so", "only", "still", "be", "been",
	"there", "all", "any", "each", "one", "two", "three", "other", "another", "more", "less",
	"round", "rounds", "fight", "happen", "happened", "do", "done", "get", "got", "have",
	"take", "took", "no", "some", "up", "into", "again", "then", "once", "twice", "because",
	"while", NULL};
static const char *const ordering[] = {"before", "after", "first", "last", "together", "order",
	"earlier", "later", "same", NULL};

/* Somebody whose name is nearly written so is heard as well. */
static void nearly_named(struct heard *h, const char *said)
{
	const struct program *p = h->f->program;
	VEC(const char *) names = {0};
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++)
		VEC_PUSH(names, p->live[KIND_COMBATANT][i].name);
	const char *near = strlen(said) > LONG_WORD ? diag_nearest(said, names.v, names.n) : NULL;
	for (int i = 0; near && i < names.n; i++)
		if (names.v[i] == near)
			VEC_PUSH(h->who, i);
	VEC_FREE(names);
}

/* Takes a word that means nothing here; those that stand together are told together. */
static void strange_word(struct heard *h, const char **at, bool *together)
{
	const size_t n = strcspn(*at, " ,;'");
	if (*together) {
		h->unknown.data[--h->unknown.length] = '\0';
		buf_putc(&h->unknown, ' ');
	} else {
		buf_puts(&h->unknown, h->unknown.length ? " and \"" : "\"");
	}
	buf_add(&h->unknown, *at, n);
	buf_putc(&h->unknown, '"');
	const char *said = arena_text(&h->f->arena, *at, n);
	VEC_PUSH(h->strange, said);
	nearly_named(h, said);
	*at += n;
	*together = true;
}

static bool word_heard(struct heard *h, struct reading *r)
{
	struct fray *f = h->f;
	const char *name = NULL, *was = r->at;
	word side = NONE;
	bool opposite;
	if (read_people(r, &h->who, &side)) {
		if (*r->at != '\'')
			return true;
		r->at += 1 + (r->at[1] == 's');
		r->at += strspn(r->at, " ");
		r->at += value_named(f, r->at, &h->value);
		return true;
	}
	const size_t n = value_named(f, r->at, &name);
	if (n) {
		r->at += n;
		return true;
	}
	if (read_moment(r) || read_thing(r))
		return true;
	if (read_any(r, ordering))
		return h->order = true;
	if (read_any(r, common) || read_any(r, read_be_words) || read_any(r, read_help_words) ||
		read_any(r, read_be_not_words) || read_any(r, read_not_words))
		return true;
	if (read_verb(r, false) || read_verb(r, true)) {
		if (r->q->event >= 0)
			VEC_PUSH(h->event, r->q->event);
		return true;
	}
	const size_t length = strcspn(was, " ,;");
	const char *word_alone = arena_text(&f->arena, was, length);
	if (question_state_other(word_alone, &opposite) || isdigit((unsigned char)*was)) {
		r->at += length;
		return true;
	}
	return false;
}

static void hear(struct heard *h, const char *line)
{
	struct buf text = {0};
	bool together = false;
	buf_puts(&text, line);
	while (text.length && strchr(" \t\r\n?.!", text.data[text.length - 1]))
		text.data[--text.length] = '\0';
	question_names(h->f, &text);
	struct reading r = {h->f, buf_text(&text), &h->q};
	while (*r.at) {
		const char *was = r.at;
		r.at += strspn(r.at, " ,;'");
		if (!*r.at)
			break;
		if (word_heard(h, &r) && r.at > was)
			together = false;
		else
			strange_word(h, &r.at, &together);
	}
	buf_free(&text);
}

/* ---- what can be asked ---- */

static void nowhere(void *context, const struct diag *d)
{
	(void)context;
	(void)d;
}

/* Can this be answered? Nothing is said of it, and nothing kept. */
static bool answers(struct fray *f, const char *question)
{
	const struct diag_sink sink = f->sink;
	struct buf turned = {0};
	enum fray_status s = FRAY_WRONG;
	struct fray_config *config = &f->config;
	void (*const write)(void *, enum fray_style, const char *, size_t) = config->write;
	f->sink.report = nowhere;
	config->write = NULL;
	const bool so =
		why_line(f, arena_text(&f->arena, question, strlen(question)), &turned, &s) &&
		s == FRAY_OK;
	config->write = write;
	f->sink = sink;
	attempt_undo(f);
	attempt_begin(f);
	buf_free(&turned);
	return so;
}

static bool propose(struct heard *h, const char *question)
{
	if (h->asked == EXAMPLES || strstr(buf_text(&h->ask), question) || !answers(h->f, question))
		return false;
	buf_printf(&h->ask, "%s%s", h->asked ? "; " : "", question);
	h->asked++;
	return true;
}

static bool mentions(const char *text, const char *said)
{
	/* "survive" of "survives", "turn" of "turning": the stem will do */
	size_t n = strlen(said);
	if (n > 6 && !strcmp(said + n - 3, "ing"))
		n -= 3;
	else if (n > 5 && !strcmp(said + n - 2, "ed"))
		n -= 2;
	else if (n > 4 && said[n - 1] == 's')
		n--;
	for (; n >= LONG_WORD && *text; text++)
		if (strlen(text) >= n && read_same(text, said, n))
			return true;
	return false;
}

/* How near an event of the log is to what was heard; 0: it cannot be asked about. */
static int nearness(const struct heard *h, const struct log *l, const struct record *x)
{
	const struct program *p = h->f->program;
	const word actor = log_actor(l, x);
	struct vtype type;
	const word *target;
	int near = 1;
	if (x->kind != REC_EVENT || x->dropped || x->text < 0 || actor == NONE)
		return 0;
	const char *text = trace_text_at(l->t, x->text);
	for (int i = 0; i < h->event.n; i++)
		near += h->event.v[i] == x->what ? 8 : 0;
	const bool by_them = people_has(&h->who, actor);
	bool at_them = false;
	if (log_target(l, x, &type, &target) && type.base == VT_LIVE &&
		type.kind == KIND_COMBATANT && *target != actor)
		at_them = people_has(&h->who, *target);
	near += by_them && at_them ? 14 : by_them ? 6 : at_them ? 4 : 0;
	near += h->q.round && h->q.round == x->round ? 6 : 0;
	for (int i = 0; i < h->strange.n; i++)
		near += mentions(text, h->strange.v[i]) ? 4 : 0;
	for (int i = 0; i < h->q.thing.n; i++)
		near += mentions(text, p->thing[h->q.thing.v[i]].name) ? 6 : 0;
	return near;
}

/* What somebody did, as it was told of them or as rules call it: "die" of "orc #2 dies", "hit". */
static bool deed_of(
	const struct program *p, const struct log *l, const struct record *x, struct buf *deed)
{
	const char *text = trace_text_at(l->t, x->text), *name = p->event[x->what].name;
	const size_t n = strlen(name);
	size_t subject, verb;
	struct buf who = {0};
	program_live(p, KIND_COMBATANT, log_actor(l, x), &who);
	const bool told = english_split(p, text, &subject, &verb) && subject == who.length &&
		!strncmp(text, buf_text(&who), subject) && verb > subject + 2 &&
		text[verb - 1] == 's' && strncmp(text + subject, " is", 3) != 0;
	if (told)
		english_verb(text + subject + 1, verb - subject - 1, TENSE_BASE, deed);
	else if (p->event[x->what].action || (!strncmp(text, name, n) && read_ends(text[n])))
		buf_puts(deed, name);
	buf_free(&who);
	return deed->length > 0;
}

/* "why did the ghoul hit Pim in round 2" */
static bool event_question(
	const struct heard *h, const struct log *l, int32_t number, struct buf *b)
{
	const struct program *p = h->f->program;
	const struct record *x = log_at(l, number);
	struct vtype type;
	const word *target;
	struct buf deed = {0};
	buf_clear(b);
	buf_printf(b, "%s ", h->sort);
	program_live(p, KIND_COMBATANT, log_actor(l, x), b);
	const bool so = deed_of(p, l, x, &deed);
	buf_printf(b, " %s", buf_text(&deed));
	if (log_target(l, x, &type, &target) && type.base == VT_LIVE &&
		type.kind == KIND_COMBATANT) {
		buf_putc(b, ' ');
		program_live(p, KIND_COMBATANT, *target, b);
	}
	if (x->round > 0 && (h->q.round || !strncmp(h->sort, "why", 3)))
		buf_printf(b, " in round %d", x->round);
	buf_free(&deed);
	return so;
}

/* The nearest events, each of another sort. */
static void propose_events(struct heard *h, int most)
{
	struct fray *f = h->f;
	struct log l;
	struct buf b = {0};
	int32_t best[TRIED];
	int near[TRIED], n = 0, used = 0;
	log_open(&l, f->program, vm_trace(f->vm));
	for (int32_t i = l.n - 1; i >= 0; i--) {
		const struct record *x = log_at(&l, i);
		const int at = nearness(h, &l, x);
		int k = 0;
		if (at == 0)
			continue;
		while (k < n && log_at(&l, best[k])->what != x->what)
			k++;
		if (k < n && near[k] >= at) /* of one sort the nearest */
			continue;
		if (k == n)
			n += n < TRIED;
		for (k = k < n ? k : n - 1; k > 0 && near[k - 1] < at; k--) {
			near[k] = near[k - 1];
			best[k] = best[k - 1];
		}
		near[k] = at;
		best[k] = i;
	}
	for (int k = 0; k < n && used < most; k++) {
		used += event_question(h, &l, best[k], &b) && propose(h, buf_text(&b));
	}
	log_close(&l);
	buf_free(&b);
}

/* "why did Ann not attack Bob in round 2": what was asked is why something was not done. */
static void propose_denial(struct heard *h)
{
	const struct program *p = h->f->program;
	struct buf b = {0};
	for (int i = 0; h->denied && h->who.n && i < h->event.n; i++) {
		buf_clear(&b);
		buf_puts(&b, "why did ");
		program_live(p, KIND_COMBATANT, h->who.v[0], &b);
		buf_printf(&b, " not %s", p->event[h->event.v[i]].name);
		if (h->q.thing.n) {
			buf_printf(&b, " %s", p->thing[h->q.thing.v[0]].name);
		} else if (h->who.n > 1) {
			buf_putc(&b, ' ');
			program_live(p, KIND_COMBATANT, h->who.v[h->who.n - 1], &b);
		}
		if (h->q.round)
			buf_printf(&b, " in round %d", h->q.round);
		propose(h, buf_text(&b));
	}
	buf_free(&b);
}

static void propose_all(struct heard *h)
{
	const struct program *p = h->f->program;
	struct buf b = {0};
	if (h->who.n && h->value) {
		buf_puts(&b, "why ");
		program_live(p, KIND_COMBATANT, h->who.v[0], &b);
		buf_printf(&b, "'s %s", h->value);
		propose(h, buf_text(&b));
	}
	propose_denial(h);
	if (h->q.thing.n) {
		buf_clear(&b);
		buf_printf(&b, "what did %s do", p->thing[h->q.thing.v[0]].name);
		propose(h, buf_text(&b));
	}
	const int most = EXAMPLES - 1 - h->asked;
	propose_events(h, h->order ? 1 : most > 0 ? most : 1);
	buf_clear(&b);
	if (h->order && h->q.round)
		buf_printf(&b, "in what order did they act in round %d", h->q.round);
	else if (h->order)
		buf_puts(&b, "in what order did they act in round 1");
	if (b.length)
		propose(h, buf_text(&b));
	if (h->q.round) {
		buf_clear(&b);
		buf_puts(&b, h->who.n ? "what did " : "what happened");
		if (h->who.n)
			program_live(p, KIND_COMBATANT, h->who.v[0], &b);
		buf_printf(&b, "%s in round %d", h->who.n ? " do" : "", h->q.round);
		propose(h, buf_text(&b));
	}
	if (h->who.n) {
		buf_clear(&b);
		buf_puts(&b, "what happened to ");
		program_live(p, KIND_COMBATANT, h->who.v[0], &b);
		propose(h, buf_text(&b));
		buf_clear(&b);
		buf_puts(&b, "what did ");
		program_live(p, KIND_COMBATANT, h->who.v[0], &b);
		buf_puts(&b, " do");
		propose(h, buf_text(&b));
	}
	propose(h, "who won");
	propose(h, "what happened in round 1");
	buf_free(&b);
}

bool unheard_line(struct fray *f, const char *line)
{
	line += strspn(line, " \t");
	const bool why =
		read_same(line, "why", strnlen(line, 3)) && (line[3] == ' ' || line[3] == '\t');
	return f->vm && f->program && !strchr(line, ';') && (why || question_word(line));
}

void unheard_told(struct fray *f, const char *line)
{
	struct heard h = {.f = f};
	question_clear(&h.q);
	const char *said = arena_text(&f->arena, line, strlen(line));
	hear(&h, said);
	h.denied = strstr(said, "n't ") || strstr(said, " not ") || strstr(said, " never ");
	h.sort = read_same(said, "when", 4) ? "when did"
		: read_same(said, "how many", 8) || read_same(said, "how often", 9)
		? "how often did"
		: "why did";
	propose_all(&h);
	struct buf what = {0};
	if (h.unknown.length)
		buf_printf(&what, "%s in this question", buf_text(&h.unknown));
	else
		buf_puts(&what, "what this question asks, though I know its words");
	diag_report(&f->sink, M_UNHEARD, (struct span){0}, 2, buf_text(&what), buf_text(&h.ask));
	VEC_FREE(h.who);
	VEC_FREE(h.event);
	VEC_FREE(h.strange);
	question_free(&h.q);
	buf_free(&h.unknown);
	buf_free(&h.ask);
	buf_free(&what);
}

/* ---- "in count 3", where these rules count segments ---- */

static bool counted_here(const struct program *p, const char *unit)
{
	for (int i = 0; i < p->units; i++)
		if (!strcmp(p->unit[i].name, unit))
			return true;
	return !strncmp(unit, "round", 5);
}

/* Whether somebody's name, or a thing's, begins with this word: orc 2. */
static bool begins_name(const struct program *p, const char *said)
{
	const size_t n = strlen(said);
	for (int k = 0; k < (int)FRAY_COUNT(p->lives); k++)
		for (int i = 0; i < p->lives[k]; i++)
			if (p->live[k][i].name && !strncasecmp(p->live[k][i].name, said, n))
				return true;
	for (int i = 0; i < p->things; i++)
		if (p->thing[i].name && !strncasecmp(p->thing[i].name, said, n))
			return true;
	return false;
}

static bool tell_uncounted(
	struct fray *f, const char *line, const char *unit, const char *at)
{
	const struct program *p = f->program;
	const int shown = p->shown_unit;
	struct buf list = {0}, meant = {0};
	const char *own = shown >= 0 ? p->unit[shown].name : "round";
	buf_puts(&list, "round");
	if (shown >= 0)
		buf_printf(&list, ", %s", own);
	buf_add(&meant, line, (size_t)(at - line));
	buf_printf(&meant, "%s%s", own, at + strlen(unit));
	diag_report(&f->sink, M_NO_MOMENT, (struct span){0}, 3, unit, buf_text(&list),
		buf_text(&meant));
	buf_free(&list);
	buf_free(&meant);
	return true;
}

bool unheard_moment(struct fray *f, const char *line)
{
	static const char *const before[] = {" in ", " at ", " from ", " until ", " since ",
		" before ", " after ", " by "};
	for (const char *at = line; *at; at++)
		for (size_t i = 0; i < FRAY_COUNT(before); i++) {
			const char *unit_at = at + strlen(before[i]);
			if (strncmp(at, before[i], strlen(before[i])) != 0)
				continue;
			size_t n = 0;
			while (isalpha((unsigned char)unit_at[n]))
				n++;
			const size_t digits =
				n && unit_at[n] == ' ' ? strspn(unit_at + n + 1, "0123456789") : 0;
			if (n < LONG_WORD || !digits || !strchr(" ?.!,;", unit_at[n + 1 + digits]))
				continue;
			const char *unit = arena_text(&f->arena, unit_at, n);
			if (!counted_here(f->program, unit) && !begins_name(f->program, unit))
				return tell_uncounted(f, line, unit, unit_at);
		}
	return false;
}
