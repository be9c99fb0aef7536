/* question_ledger.c - questions about how much was taken or given back, by whom, from whom and with
 * what, read word by word in any order: "who did the most damage", "how much was Ann healed",
 * "why did the fireball do 24 damage", "what did Bruna's long sword do". The answers are made of
 * the ledger (runtime/explain/ledger.h). */
#include <ctype.h>
#include <string.h>

#include "lang/api/question_asked.h"
#include "lang/api/question_read.h"
#include "lang/api/reason.h"
#include "runtime/explain/ledger.h"
#include "runtime/world/block.h"

static const struct {
	const char *event, *field;
	bool given;
	const char *noun, *did, *got, *back, *participle, *words;
} topics[] = {
#define AMOUNT(event, field, given, noun, did, got, back, participle, words) \
	{event, field, given, noun, did, got, back, participle, words},
#include "stdlib/amounts.def"
#undef AMOUNT
};

enum opening { OPEN_WHO, OPEN_WHAT, OPEN_MUCH, OPEN_OFTEN, OPEN_DID, OPEN_WHY, OPEN_WHEN };
/* How what the verb says relates to those before it. */
enum voice { VOICE_NONE, VOICE_DO, VOICE_GET, VOICE_USE, VOICE_WORK };
enum about { ABOUT_AMOUNT, ABOUT_THING, ABOUT_EFFECT, ABOUT_KIND, ABOUT_EVENT };

struct wording {
	struct reading r;
	const char *text;
	struct question q;       /* its times, and whose it is */
	enum opening opening;
	enum voice voice;
	int topic;               /* -1 */
	bool verb;               /* the topic is said by a verb: "healed" */
	bool be, most, least, hardest, hit, negated, in_all, only, many, lost, failed,
		spared;
	people subject, by, to;
	word subject_side, by_side, to_side;
	int thing, kind;         /* -1; "which spells" */
	bool owned;              /* "Bruna's long sword": the subject is only whose it is */
	int64_t figure;
	int event;               /* what a thing does by itself: "breaks"; -1 */
	const char *event_verb;
};

static bool any(struct wording *w, const char *const *words)
{
	return read_any(&w->r, words);
}

/* One of "heal|heals|healed". */
static bool one_of(struct wording *w, const char *words)
{
	while (*words) {
		const size_t n = strcspn(words, "|");
		if (strlen(w->r.at) >= n && read_same(w->r.at, words, n) && read_ends(w->r.at[n])) {
			w->r.at += n;
			w->r.at += strspn(w->r.at, " ");
			return true;
		}
		words += n + (words[n] == '|');
	}
	return false;
}

/* "a level", of "levels": only with an article, or it is a value of somebody's. */
static bool one_noun(struct wording *w, const char *nouns)
{
	const size_t n = strlen(nouns);
	const bool one = w->r.at - w->text > 2 && read_same(w->r.at - 2, "a ", 2);
	if (!one || n < 2 || nouns[n - 1] != 's' || strlen(w->r.at) < n - 1 ||
		!read_same(w->r.at, nouns, n - 1) || !read_ends(w->r.at[n - 1]))
		return false;
	w->r.at += n - 1;
	w->r.at += strspn(w->r.at, " ");
	return true;
}

static bool topic_read(struct wording *w)
{
	const char *begin = w->r.at;
	const bool named = begin - w->text > 4 && read_same(begin - 4, "the ", 4); /* "the cure" */
	for (size_t i = 0; i < FRAY_COUNT(topics); i++) {
		const bool noun = one_of(w, topics[i].noun) || one_noun(w, topics[i].noun);
		if (!noun && (named || !one_of(w, topics[i].words)))
			continue;
		if (w->topic >= 0 && w->topic != (int)i) {
			/* "how many hit points of damage": the one said by a verb, or the last */
			if (noun && w->verb)
				return true;
		}
		w->topic = (int)i;
		w->verb |= !noun;
		return true;
	}
	return false;
}

enum { NAMES = 3 }; /* so many letters of its name are enough to call a thing by */

/* How much of the text is a run of whole words of a name: "sword" of "long sword", "hold person" of
 * "hold person (cleric)"; 0: nothing. */
static size_t run_of(const char *text, const char *name)
{
	size_t best = 0;
	for (const char *from = name; *from; from++) {
		if (from != name && from[-1] != ' ')
			continue;
		size_t n = 0, whole = 0;
		while (from[n] && text[n] && read_same(from + n, text + n, 1)) {
			n++;
			if ((!from[n] || from[n] == ' ') && read_ends(text[n]))
				whole = n;
		}
		/* "darts" of "dart" */
		if ((!from[n] || from[n] == ' ') && n > 2 && text[n] == 's' &&
			read_ends(text[n + 1]))
			whole = n + 1;
		best = whole > best ? whole : best;
	}
	return best;
}

/* Can an event be about that thing? A monster, say, is a thing that no role of an event holds. */
static bool takes_part(const struct program *p, int thing)
{
	for (int i = 0; i < p->events; i++)
		for (int k = 0; k < p->event[i].roles; k++) {
			const struct vtype t = p->event[i].role[k].type;
			if (t.base == VT_THING && p->thing[thing].kind == t.kind)
				return true;
			const word lives =
				t.base == VT_LIVE && t.kind > KIND_ACT ? p->lives[t.kind] : 0;
			for (word one = 0; one < lives; one++)
				if (p->live[t.kind][one].thing == thing)
					return true;
		}
	return false;
}

/* A thing that took part in the fight, called by words of its name; of theirs where somebody is
 * named. `entire`: only a whole name is wanted. *n: how much of the text it is. -1: none. */
static int thing_in_part(const struct wording *w, bool entire, size_t *n)
{
	const struct program *p = w->r.f->program;
	const struct trace *t = vm_trace(w->r.f->vm);
	struct log l = {.p = p, .t = t, .n = t->n};
	VEC(int) times = {0}; /* of things that fit equally well the one met most often */
	VEC(size_t) runs = {0};
	size_t most = 0;
	int found = -1;
	*n = 0;
	for (int i = 0; i < p->things; i++) {
		const size_t run = p->thing[i].name ? run_of(w->r.at, p->thing[i].name) : 0;
		VEC_PUSH(times, 0);
		VEC_PUSH(runs, run);
		if (run > most && (!entire || run == strlen(p->thing[i].name)) && takes_part(p, i))
			most = run;
	}
	/* the log is long: it is walked only for words that can name a thing */
	const int32_t last = most >= NAMES ? t->n - 1 : -1;
	for (int32_t i = trace_back(t, last, 1u << REC_EVENT); i >= 0;
		 i = trace_back(t, i - 1, 1u << REC_EVENT)) {
		const struct record *e = log_at(&l, i);
		if (w->owned && w->subject.n && log_actor(&l, e) != w->subject.v[0])
			continue;
		for (int k = 0; k < p->event[e->what].roles; k++) {
			const int32_t thing = ledger_thing_named(
				p, p->event[e->what].role[k].type, log_role(&l, e, k));
			const size_t run = thing >= 0 ? runs.v[thing] : 0;
			if (run == 0)
				continue;
			times.v[thing]++;
			if (run > *n || (run == *n && times.v[thing] > times.v[found])) {
				*n = run;
				found = thing;
			}
		}
	}
	VEC_FREE(times);
	VEC_FREE(runs);
	return found;
}

static bool thing_read(struct wording *w, bool whole)
{
	struct question q = w->q;
	memset(&q.thing, 0, sizeof q.thing);
	const bool quoted = *w->r.at == '"';
	w->r.at += quoted;
	struct reading r = {w->r.f, w->r.at, &q};
	int thing = read_thing(&r) && q.thing.n ? (int)q.thing.v[0] : -1;
	size_t n = thing >= 0 ? (size_t)(r.at - w->r.at) : 0, part = 0;
	VEC_FREE(q.thing);
	while (n && w->r.at[n - 1] == ' ')
		n--;
	const int used = thing_in_part(w, whole && n == 0, &part);
	const bool all_of_it = used >= 0 && w->r.f->program->thing[used].name &&
		strlen(w->r.f->program->thing[used].name) == part;
	if (used >= 0 && (n || !whole || all_of_it) && part >= NAMES && part >= n) {
		thing = used;
		n = part;
	}
	if (thing < 0 || (w->thing >= 0 && w->thing != thing)) {
		w->r.at -= quoted;
		return false;
	}
	w->r.at += n;
	w->r.at += quoted && *w->r.at == '"';
	w->r.at += strspn(w->r.at, " ");
	w->thing = thing;
	return true;
}

/* Those named here, and what they are in what is told: who did it, or whom it befell. */
static bool people_read(struct wording *w)
{
	static const char *const by[] = {"by", "from", NULL},
				 *const to[] = {"to", "on", "upon", "against", "at", NULL},
				 *const any_one[] = {"anybody", "anyone", "somebody", "someone",
					 "everybody", "everyone", "nobody", NULL};
	const char *was = w->r.at;
	const bool is_by = any(w, by), is_to = !is_by && any(w, to);
	people *into = is_by                                 ? &w->by
		: is_to || w->voice != VOICE_NONE || w->verb ? &w->to
							     : &w->subject;
	word *side = is_by ? &w->by_side : into == &w->to ? &w->to_side : &w->subject_side;
	if (any(w, any_one))
		return into->n == 0;
	if (into->n) {
		w->r.at = was;
		return false;
	}
	if (!read_people(&w->r, into, side)) {
		if (is_by || is_to)
			return *w->r.at && thing_read(w, false);
		w->r.at = was;
		return false;
	}
	if (*w->r.at == '\'') { /* "Bruna's long sword" */
		w->r.at += 1 + (w->r.at[1] == 's');
		w->r.at += strspn(w->r.at, " ");
		w->owned = true;
		if (into == &w->to) {
			w->by = w->to;
			w->by_side = w->to_side;
			w->to = (people){0};
			w->to_side = NONE;
		}
	}
	return true;
}

/* "breaks", where an event is told as "{item} breaks". */
static bool event_read(struct wording *w)
{
	const struct model *m = &w->r.f->model;
	const struct program *p = w->r.f->program;
	for (int i = 0; i < m->event.n && i < p->events; i++) {
		const char *text = m->event.v[i].node ? m->event.v[i].node->text : NULL;
		const char *close = text && *text == '{' ? strchr(text, '}') : NULL;
		const size_t n = close && close[1] == ' ' ? strcspn(close + 2, " ,") : 0;
		if (n == 0 || close[2 + n])
			continue;
		for (int k = 0; k < p->event[i].roles; k++) {
			const char *role = p->event[i].role[k].name;
			const size_t length = strlen(role);
			const struct vtype t = p->event[i].role[k].type;
			const size_t verb =
				(t.base == VT_THING || (t.base == VT_LIVE && t.kind > KIND_ACT)) &&
					length == (size_t)(close - text - 1) &&
					!strncmp(text + 1, role, length)
				? read_verb_length(w->r.at, close + 2, false)
				: 0;
			if (verb) {
				w->r.at += verb;
				w->r.at += strspn(w->r.at, " ");
				w->event = i;
				w->event_verb = close + 2;
				w->voice = VOICE_WORK;
				return true;
			}
		}
	}
	return false;
}

static bool verb_read(struct wording *w)
{
	const char *was = w->r.at;
	if (w->thing >= 0 && w->event < 0 && event_read(w))
		return true;
	static const char *const doing[] = {"do", "does", "did", "done", "deal", "deals", "dealt",
		"cause", "caused", "inflict", "inflicted", "give", "gave", "deliver", "delivered",
		NULL};
	static const char *const getting[] = {"take", "takes", "took", "taken", "suffer", "suffers",
		"suffered", "get", "got", "receive", "received", "gain", "gained",
		"regain", "regained", NULL};
	static const char *const working[] = {"work", "works", "worked", "affect", "affects",
		"affected", "reach", "reached", "help", "helped", "fail", "fails", "failed", "succeed",
		"succeeded", "take effect", "took effect", "take hold", "touch", "hit", "miss", "catch",
		"caught", "take", "took", "spare", "spared", "have no effect", "have any effect",
		"have an effect", "had no effect", "do nothing", "did nothing", "do anything", "of no use",
		"of any use", "useless", "come off", "go wrong", "get", NULL},
							 *const upon[] = {"on", "upon", "against", "to", "for", NULL};
	static const char *const using[] = {"use", "used", "uses", "wield", "wielded", "cast",
		"casting", "fight with", "shoot", "shot", "throw", "threw", NULL};
	static const char *const losing[] = {"lose", "lost", "loses", NULL};
	static const char *const landing[] = {"land", "landed", "score", "scored", NULL};
	/* what a thing did, and to whom: only where one was named */
	const bool sparing = !strncmp(was, "spare", 5);
	if (w->thing >= 0 && any(w, working)) {
		w->voice = VOICE_WORK;
		w->spared |= sparing;
		w->failed |=
			!strncmp(was, "fail", 4) || strstr(was, " no ") || strstr(was, "nothing");
		any(w, upon);
	} else if (any(w, using)) {
		w->voice = VOICE_USE;
	} else if (any(w, doing) || any(w, landing)) {
		w->voice = VOICE_DO;
	} else if (any(w, losing)) {
		w->voice = VOICE_GET;
		w->lost = true;
	} else if (any(w, getting)) {
		w->voice = VOICE_GET;
	} else {
		return false;
	}
	return true;
}

/* "which spells", "what weapon": a kind of thing. */
static bool kind_read(struct wording *w)
{
	const struct program *p = w->r.f->program;
	if (w->kind >= 0 || (w->opening != OPEN_WHAT && w->opening != OPEN_MUCH))
		return false;
	for (int i = 0; i < p->kinds; i++) {
		struct buf plural = {0};
		if (p->kind[i].live && i <= KIND_ACT)
			continue;
		plural_add(p->kind[i].name, &plural);
		const bool so =
			read_take(&w->r, buf_text(&plural)) || read_take(&w->r, p->kind[i].name);
		buf_free(&plural);
		if (so) {
			w->kind = i;
			return true;
		}
	}
	return false;
}

static bool number_read(struct wording *w)
{
	if (!isdigit((unsigned char)*w->r.at))
		return false;
	const size_t n = strspn(w->r.at, "0123456789");
	if (w->r.at[n] && w->r.at[n] != ' ')
		return false;
	w->figure = 0;
	for (size_t i = 0; i < n && w->figure < 100000; i++)
		w->figure = w->figure * 10 + (w->r.at[i] - '0');
	w->r.at += n;
	w->r.at += strspn(w->r.at, " ");
	return true;
}

static bool word_read(struct wording *w)
{
	static const char *const
		most[] = {"the most", "most", "the greatest", "the worst", "worst", NULL},
		*const least[] = {"the least", "least", "the fewest", NULL},
		*const hardest[] = {"the hardest", "the biggest", "the highest", "the largest",
			"the heaviest", "the best", "hardest", "biggest", "highest", "heaviest",
			"largest", "single hardest", NULL},
		*const hit[] = {"hit", "hits", "blow", "blows", "wound", "strike", "shot", NULL},
		*const in_all[] = {"in all", "in total", "all told", "altogether",
			"over the whole fight", "in the whole fight", "overall", "of the fight",
			"in the fight", "in this fight", "total", NULL},
		*const idle[] = {"the", "any", "a", "an", "of", "back", "with", "his", "her", "its",
			"their", "ever", "really", "actually", "have", "has", "had", "that",
			"badly", "as", "for", "all", "in", NULL},
		*const only[] = {"only", "just", "so much", "so little", "as much as", NULL};
	if (any(w, in_all))
		return w->in_all = true;
	if (any(w, only))
		return w->only = true;
	if (any(w, most))
		return w->most = true;
	if (any(w, least))
		return w->least = true;
	if (any(w, hardest))
		return w->hardest = true;
	if (any(w, hit)) {
		/* "who hit Bruna hardest": whom */
		if (w->voice == VOICE_NONE && w->opening == OPEN_WHO)
			w->voice = VOICE_DO;
		return w->hit = true;
	}
	if (read_take(&w->r, "not") || read_take(&w->r, "never"))
		return w->negated = true;
	return any(w, idle);
}

static bool opened(struct wording *w)
{
	static const char *const who[] = {"who", "whom", "which of them", "who of them", NULL},
				 *const much[] = {"how much of the", "how much", "how many",
					 "how badly", NULL},
				 *const often[] = {"how often", "how many times", NULL};
	if (any(w, often))
		w->opening = OPEN_OFTEN;
	else if ((w->many = !strncmp(w->r.at, "how many", 8)), any(w, much))
		w->opening = OPEN_MUCH;
	else if (any(w, who))
		w->opening = OPEN_WHO;
	else if (read_take(&w->r, "what") || read_take(&w->r, "which"))
		w->opening = OPEN_WHAT;
	else if (read_take(&w->r, "why"))
		w->opening = OPEN_WHY;
	else if (read_take(&w->r, "when"))
		w->opening = OPEN_WHEN;
	else
		w->opening = OPEN_DID;
	return true;
}

static bool all_read(struct wording *w)
{
	opened(w);
	bool helped = false;
	for (int first = 1; *w->r.at; first = 0) {
		const char *was = w->r.at;
		if (*w->r.at == ',') {
			w->r.at += 1 + strspn(w->r.at + 1, " ");
			continue;
		}
		if (!helped && w->voice == VOICE_NONE && any(w, read_be_words)) {
			helped = w->be = true;
			continue;
		}
		/* "who did the most damage": the verb itself, where nobody is named behind it */
		if (!helped && (w->opening != OPEN_WHO || w->subject.n == 0) &&
			any(w, read_help_words)) {
			helped = true;
			if (w->opening == OPEN_WHO || w->opening == OPEN_WHAT) {
				people some = {0};
				word side = NONE;
				struct reading r = w->r;
				const bool named = read_people(&r, &some, &side);
				VEC_FREE(some);
				if (!named && !first && !(w->opening == OPEN_WHAT))
					return false;
				if (!named && w->opening == OPEN_WHO)
					w->voice = VOICE_DO;
			}
			continue;
		}
		if (read_moment(&w->r) || number_read(w) || kind_read(w) || thing_read(w, true) ||
			topic_read(w) || verb_read(w) || people_read(w) || word_read(w) ||
			thing_read(w, false))
			continue;
		w->r.at = was;
		return false;
	}
	return true;
}

/* What the words come to. False: it is no such question. */
static bool meant(struct wording *w, struct ledger_question *a, enum about *about)
{
	const struct model *m = &w->r.f->model;
	const bool thing = w->thing >= 0, people_first = w->subject.n > 0;
	*about = ABOUT_AMOUNT;
	const bool extreme = w->hardest || w->most || w->least;
	if (w->topic < 0 && w->hit && (extreme || (w->many && w->voice == VOICE_GET)))
		w->topic = 0;
	if (w->lost && w->topic > 0 &&
		topics[w->topic].given) /* "how many hit points did Ann lose" */
		w->topic = 0;
	if (w->topic > 0 && !w->verb && w->voice == VOICE_NONE)
		return false; /* "how many hit points does Ann have" */
	if (w->topic < 0 && thing &&
		((w->opening == OPEN_WHAT && w->voice != VOICE_NONE) ||
			(w->opening == OPEN_WHO && w->voice == VOICE_USE) ||
			(w->opening == OPEN_OFTEN && w->voice == VOICE_USE))) {
		*about = ABOUT_THING;
		w->topic = 0;
	}
	if (w->topic < 0 && thing && w->event >= 0) {
		*about = ABOUT_EVENT;
		w->topic = 0;
	}
	if (w->topic < 0 && thing && w->voice == VOICE_WORK &&
		(w->opening == OPEN_DID || w->opening == OPEN_WHY || w->opening == OPEN_WHO)) {
		*about = ABOUT_EFFECT;
		w->topic = 0;
	}
	if (w->topic < 0 && w->kind >= 0 && !thing && w->voice != VOICE_NONE) {
		*about = ABOUT_KIND;
		w->topic = 0;
	}
	if (w->topic < 0)
		return false;
	memset(&a->topic, 0, sizeof a->topic);
	a->topic.event = model_event(m, intern_word(w->r.f->names, topics[w->topic].event));
	a->topic.field = -1;
	for (int i = 0; i < m->field.n && *topics[w->topic].field; i++)
		if (m->field.v[i].kind == KIND_COMBATANT &&
			!strcmp(model_text(m, m->field.v[i].name), topics[w->topic].field))
			a->topic.field = m->field.v[i].program;
	if (a->topic.event < 0 && a->topic.field < 0)
		return false;
	a->topic.given = topics[w->topic].given;
	a->topic.noun = topics[w->topic].noun;
	a->topic.did = topics[w->topic].did;
	a->topic.got = topics[w->topic].got;
	a->topic.back = topics[w->topic].back;
	a->topic.participle = topics[w->topic].participle;
	const bool undergone = w->voice == VOICE_GET || (w->be && w->verb);
	a->upon = undergone;
	a->by = w->by;
	a->by_side = w->by_side;
	a->to = w->to;
	a->to_side = w->to_side;
	if (people_first) {
		people *into = undergone && !w->owned ? &a->to : &a->by;
		if (into->n)
			return false;
		*into = w->subject;
		*(undergone && !w->owned ? &a->to_side : &a->by_side) = w->subject_side;
	}
	a->thing = w->thing;
	a->figure = w->figure;
	a->least = w->least;
	a->negated = w->negated || w->failed;
	a->only = w->only;
	a->spared = w->spared;
	a->each = w->only || w->spared || w->opening == OPEN_WHO;
	a->when = &w->q;
	return true;
}

static bool wanted(const struct wording *w, struct ledger_question *a)
{
	const bool most = w->most || w->least;
	switch (w->opening) {
	case OPEN_WHO:
		if (w->negated)
			return false;
		if (w->hardest || (most && w->hit))
			a->wanted = LEDGER_ONE;
		else if (most)
			a->wanted = LEDGER_RANK;
		else
			a->wanted = a->upon || w->subject.n ? LEDGER_TO : LEDGER_BY;
		return w->topic >= 0;
	case OPEN_WHAT:
		if (w->hardest || (most && w->hit))
			a->wanted = LEDGER_ONE;
		else if (w->topic > 0 || w->verb)
			a->wanted = LEDGER_BY;
		else
			return false;
		return true;
	case OPEN_MUCH:
		a->wanted = LEDGER_SUM;
		return !most;
	case OPEN_OFTEN:
		a->wanted = LEDGER_TIMES;
		return w->topic > 0 || w->verb;
	case OPEN_DID:
		a->wanted = LEDGER_DID;
		return !most && !w->negated;
	case OPEN_WHY:
		a->wanted = LEDGER_WHY;
		return !most && !w->negated &&
			(w->thing >= 0 || topics[w->topic].given ||
				((w->only || w->owned) && w->figure));
	case OPEN_WHEN:
		a->wanted = LEDGER_WHY;
		return !most && !w->negated && (w->verb || w->figure);
	}
	return false;
}

bool ledger_asked(struct fray *f, const char *line, struct answer *out)
{
	struct wording w;
	struct buf text = {0};
	struct ledger_question a;
	memset(&w, 0, sizeof w);
	memset(&a, 0, sizeof a);
	question_clear(&w.q);
	w.topic = w.thing = w.kind = w.event = -1;
	w.subject_side = w.by_side = w.to_side = NONE;
	buf_puts(&text, line + strspn(line, " \t"));
	while (text.length && strchr(" \t\r\n?.!", text.data[text.length - 1]))
		text.data[--text.length] = '\0';
	w.text = buf_text(&text);
	w.r = (struct reading){f, w.text, &w.q};
	enum about about = ABOUT_AMOUNT;
	bool so =
		all_read(&w) && meant(&w, &a, &about) && (about != ABOUT_AMOUNT || wanted(&w, &a));
	if (so) {
		struct inquiry s = {
			.p = f->program, .t = vm_trace(f->vm), .world = vm_block(f->vm)};
		s.end = (int32_t)s.world[H_TRACE] < s.t->n ? (int32_t)s.world[H_TRACE] : s.t->n;
		log_open(&s.log, s.p, s.t);
		if (about == ABOUT_EFFECT || about == ABOUT_EVENT)
			a.wanted = w.opening == OPEN_DID ? LEDGER_DID : LEDGER_WHY;
		so = about == ABOUT_THING  ? ledger_thing(&s, &a, out)
			: about == ABOUT_EVENT  ? ledger_event(&s, &a, w.event, w.event_verb, out)
			: about == ABOUT_KIND   ? ledger_kind(&s, &a, w.kind, out)
			: about == ABOUT_EFFECT ? ledger_effect(&s, &a, out)
						: ledger_answer(&s, &a, out);
		log_close(&s.log);
	}
	VEC_FREE(w.subject);
	VEC_FREE(w.by);
	VEC_FREE(w.to);
	question_free(&w.q);
	buf_free(&text);
	return so;
}
