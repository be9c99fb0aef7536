/* question_reworded.c - questions said by their names and verbs: pronouns become names, what is
 * said in a roundabout way or by another verb is said by the event's own. Nothing is left out that
 * was asked; for that see question_plain.c. Only for questions that could not be read as they
 * stand. */
#include <string.h>

#include "lang/api/question_asked.h"
#include "lang/api/question_read.h"

enum { WORDS_MOST = 60 };

/* English words for what events may be called; the first that is an event here, or an alias of one,
 * is taken. */
static const struct { const char *said; const char *meant; } synonyms[] = {
#define SYNONYM(said, meant) {said, meant},
#include "stdlib/synonyms.def"
#undef SYNONYM
};

struct plain {
	struct fray *f;
	const char *at;
	struct buf *out;
	people named;
	int clause;
	bool often;
};

static bool is_event(const struct fray *f, const char *name)
{
	const sym s = intern_find(f->names, name, strlen(name));
	return s && model_event(&f->model, model_alias(&f->model, s)) >= 0;
}

static void put(struct plain *p, const char *text, size_t n)
{
	if (n == 0)
		return;
	if (p->out->length && p->out->data[p->out->length - 1] != ' ')
		buf_putc(p->out, ' ');
	buf_add(p->out, text, n);
}

static bool take(struct plain *p, const char *words)
{
	struct reading r = {p->f, p->at, NULL};
	if (!read_take(&r, words))
		return false;
	p->at = r.at;
	return true;
}

static bool take_any(struct plain *p, const char *const *words)
{
	for (; *words; words++)
		if (take(p, *words))
			return true;
	return false;
}

/* Somebody named here goes over as they are. */
static bool name(struct plain *p)
{
	struct question q;
	word side = NONE;
	people one = {0};
	question_clear(&q);
	struct reading r = {p->f, p->at, &q};
	const bool so = read_people(&r, &one, &side);
	if (so) {
		size_t n = (size_t)(r.at - p->at);
		while (n && p->at[n - 1] == ' ')
			n--;
		put(p, p->at, n);
		VEC_PUSH(p->named, one.v[0]);
		p->at = r.at;
		if (*p->at == '\'') {
			n = strcspn(p->at, " ");
			buf_add(p->out, p->at, n);
			p->at += n + strspn(p->at + n, " ");
		}
	}
	VEC_FREE(one);
	return so;
}

/* Was it told of a thing, by its name behind a blank, that it did so: "frost rod functions"? */
static bool told_of(const struct fray *f, const char *name, const char *verb)
{
	const struct trace *t = vm_trace(f->vm);
	struct buf said = {0};
	bool found = false;
	buf_printf(&said, "%s %s", name + strspn(name, " "), verb);
	for (int32_t i = t->n - 1; i >= 0 && !found; i--) {
		const struct record *x = trace_look(t, i);
		found = x->kind == REC_EVENT && !x->dropped && x->text >= 0 &&
			strstr(trace_text_at(t, x->text), buf_text(&said)) != NULL;
	}
	buf_free(&said);
	return found;
}

/* Behind "Greta's hush", where her name ends at `at`: it was lost, or came off. */
static bool fate(struct plain *p, size_t at)
{
	static const char *const lost[] = {
		"lost", "interrupted", "disrupted", "ruined", "wasted", "stopped", "broken", NULL};
	static const char *const off[] = {"come off", "go off", "take effect", "get off", "succeed",
		"get finished", "get cast", NULL};
	static const char *const never[] = {"ever", "never", "not", NULL};
	if (is_event(p->f, "spoil") && take_any(p, lost)) {
		put(p, "spoiled", 7);
		return true;
	}
	const char *was = p->at;
	const bool denied = !strncmp(was, "never", 5) || !strncmp(was, "not ", 4);
	take_any(p, never);
	/* a device functions, if rules have it so */
	if (!denied && told_of(p->f, buf_text(p->out) + at, "functions") &&
		(take(p, "work") || take(p, "worked"))) {
		put(p, "function", 8);
		return true;
	}
	if (is_event(p->f, "complete") && (take_any(p, off) || take(p, "work"))) {
		/* "Ulla's fire dart" is what she completes */
		struct buf said = {0};
		buf_add(&said, p->out->data, at - 2);
		buf_printf(&said, "%s complete%s", denied ? " not" : "", buf_text(p->out) + at);
		buf_free(p->out);
		*p->out = said;
		return true;
	}
	p->at = was;
	return false;
}

static bool thing(struct plain *p)
{
	struct question q;
	question_clear(&q);
	struct reading r = {p->f, p->at, &q};
	const bool so = read_thing(&r) && q.thing.n;
	if (so) {
		size_t n = (size_t)(r.at - p->at);
		while (n && p->at[n - 1] == ' ')
			n--;
		const bool own = p->out->length > 1 && p->out->data[p->out->length - 1] == 's' &&
			p->out->data[p->out->length - 2] == '\'';
		const size_t at = p->out->length;
		put(p, p->at, n);
		p->at = r.at;
		if (own)
			fate(p, at);
	}
	question_free(&q);
	return so;
}

/* "him", "them": the last who was named and is not the first. */
static bool pronoun(struct plain *p)
{
	static const char *const object[] = {"him", "them", "it", "her", NULL};
	static const char *const subject[] = {"he", "she", "they", NULL};
	static const char *const own[] = {"his", "their", "its", "her", NULL};
	const char *was = p->at;
	if (take_any(p, own)) {
		const char *behind = p->at;
		if (*behind && strncmp(behind, "in ", 3) && strncmp(behind, "at ", 3) &&
			strncmp(behind, "with ", 5))
			return true; /* "his sword": the sword */
		p->at = was;
	}
	if (p->named.n == 0)
		return false;
	const bool other = take_any(p, object);
	if (!other && !take_any(p, subject))
		return false;
	const char *who =
		p->f->program->live[KIND_COMBATANT][p->named.v[other ? p->named.n - 1 : 0]].name;
	put(p, who, strlen(who));
	return true;
}

/* "so often": how often is told. */
static bool often_asked(struct plain *p)
{
	static const char *const often[] = {
		"so often", "so many times", "that often", "that many times", "so frequently", NULL};
	const bool so = take_any(p, often);
	p->often |= so;
	return so;
}

/* "get a blow at", "take a swing at", "have a go at": by the verb of the noun. */
static bool roundabout(struct plain *p)
{
	static const char *const get[] = {"get", "gets", "got", "take", "takes", "took", "have", "has",
		"had", "make", "makes", "made", "be given", NULL};
	static const char *const which[] = {"a", "an", "another", "his", "her", "their", "its", "free",
		"parting", "second", "extra", "two", "three", "more", "in", "off", "the", "any", NULL};
	static const char *const at[] = {
		"at", "on", "in on", "against", "in at", "off at", "off", NULL};
	static const struct {
		const char *noun, *verb;
	} nouns[] = {{"blow", "strike"}, {"blows", "strike"}, {"swing", "strike"}, {"stroke", "strike"},
		{"strike", "strike"}, {"hit", "hit"}, {"hits", "hit"}, {"attack", "attack"},
		{"attacks", "attack"}, {"shot", "shoot"}, {"shots", "shoot"}};
	const char *was = p->at;
	if (!take_any(p, get))
		return false;
	const char *behind = p->at;
	if (take(p, "a second blow") || take(p, "a third blow")) { /* told in these words */
		put(p, "have", 4);
		put(p, behind, (size_t)(p->at - behind) - (p->at[-1] == ' '));
		return true;
	}
	while (take_any(p, which))
		;
	for (size_t i = 0; i < FRAY_COUNT(nouns); i++)
		if (take(p, nouns[i].noun) && is_event(p->f, nouns[i].verb)) {
			put(p, nouns[i].verb, strlen(nouns[i].verb));
			take_any(p, at); /* not "in", as in "in round 2" */
			return true;
		}
	p->at = was;
	return false;
}

static bool synonym(struct plain *p)
{
	for (size_t i = 0; i < FRAY_COUNT(synonyms); i++) {
		if (!is_event(p->f, synonyms[i].meant) || !take(p, synonyms[i].said))
			continue;
		put(p, synonyms[i].meant, strlen(synonyms[i].meant));
		return true;
	}
	return false;
}

static bool nothing_done(struct plain *p)
{
	static const char *const nothing[] = {"do nothing", "did nothing", "does nothing",
		"stand around", "stood around", "stand idle", "stood idle", "not do anything",
		"never do anything", NULL};
	if (p->named.n == 0 || !take_any(p, nothing))
		return false;
	put(p, "not act", 7);
	return true;
}

/* "out of the fight": down. */
static bool state_meant(struct plain *p)
{
	static const char *const down[] = {
		"out of the fight", "out of action", "out of it", "knocked out", NULL};
	if (!take_any(p, down))
		return false;
	put(p, "down", 4);
	return true;
}

/* "didn't ghoul #2 paralyse Hild": "wasn't Hild paralysed". */
static bool dealt(struct plain *p)
{
	struct buf base = {0}, third = {0}, state = {0};
	const size_t n = strcspn(p->at, " ,");
	const char *behind = p->at + n + strspn(p->at + n, " ");
	buf_add(&base, p->at, n);
	verb_add(buf_text(&base), &third);
	english_verb(buf_text(&third), third.length, TENSE_PARTICIPLE, &state);
	struct question q;
	word side = NONE;
	people one = {0};
	question_clear(&q);
	struct reading r = {p->f, behind, &q};
	const bool known = n > 2 && state_holds(p->f, 0, buf_text(&state)) >= 0;
	const bool anybody = known && !p->named.n && strstr(buf_text(p->out), "nobody") &&
		read_any(&r, read_anybody_words); /* "did nobody surprise anybody" */
	const bool so = anybody || (known && p->named.n && read_people(&r, &one, &side));
	if (anybody)
		behind = "nobody ";
	if (so) {
		size_t m = anybody ? strlen(behind) : (size_t)(r.at - behind);
		while (m && behind[m - 1] == ' ')
			m--;
		const char *said = buf_text(p->out);
		const bool not = !anybody && (strstr(said, "n't") || strstr(said, " not") ||
			strstr(said, " never"));
		buf_clear(p->out);
		buf_printf(p->out, "was %.*s%s %s", (int)m, behind, not ? " not" : "",
			buf_text(&state));
		p->at = r.at;
	}
	VEC_FREE(one);
	buf_free(&base);
	buf_free(&third);
	buf_free(&state);
	return so;
}

bool question_reworded(struct fray *f, const char *text, struct buf *out, bool *often)
{
	static const char *const joint[] = {
		"although", "though", "when", "while", "because", "if", "since", "after", "before", NULL};
	struct plain p = {.f = f, .at = text, .out = out};
	buf_clear(out);
	while (*p.at) {
		p.at += strspn(p.at, " ");
		const char *begins = p.at;
		if (take_any(&p, joint))
			p.clause = p.named.n;
		p.at = begins;
		if (*p.at == ',') {
			p.at += 1 + strspn(p.at + 1, " ");
			if (out->length)
				buf_putc(out, ',');
			continue;
		}
		if (name(&p) || thing(&p) || nothing_done(&p) || state_meant(&p) ||
			roundabout(&p) || often_asked(&p) || pronoun(&p) || synonym(&p) ||
			dealt(&p))
			continue;
		const size_t n = strcspn(p.at, " ,");
		put(&p, p.at, n);
		p.at += n + strspn(p.at + n, " ");
	}
	VEC_FREE(p.named);
	*often = p.often;
	return out->length > 0 && strcmp(buf_text(out), text) != 0;
}
