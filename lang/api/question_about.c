/* question_about.c - questions about something else than what somebody did: who won, what was
 * chosen, why a die was rolled, why a rule applied, how somebody is. See question_read.h. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/question_read.h"

/* A value of sides that dice make: "initiative". */
bool read_side_value(struct reading *r, const char **name)
{
	const struct program *p = r->f->program;
	read_take(r, "the");
	for (int i = 0; i < p->labels; i++)
		if (p->label[i].owner.base == VT_LIVE && p->label[i].owner.kind == KIND_SIDE &&
			question_is_value(r->f, p->label[i].name) &&
			read_take(r, p->label[i].name)) {
			*name = p->label[i].name;
			return true;
		}
	return false;
}

/* "wins the initiative", "lost initiative in round 2": who of theirs, or of the others, is first. */
static bool first_turn(struct reading *r)
{
	static const char *const get[] = {
		"wins", "win", "won", "has", "have", "had", "gets", "get", "got", NULL};
	static const char *const lose[] = {"loses", "lose", "lost", NULL};
	const char *was = r->at;
	struct question *q = r->q;
	const bool wins = read_any(r, get), so = wins || read_any(r, lose);
	const char *value;
	bool read = so && read_side_value(r, &value);
	while (read && read_moment(r))
		;
	if (!read || *r->at) {
		r->at = was;
		q->round = 0;
		q->moment = INT64_MIN;
		return false;
	}
	const word side = q->who_side != NONE ? q->who_side : question_side(r->f, (int)q->who.v[0]);
	q->who.n = 0;
	for (int i = 0; i < r->f->program->lives[KIND_COMBATANT]; i++)
		if ((question_side(r->f, i) == side) == (wins != q->negated))
			VEC_PUSH(q->who, i);
	q->who_side = NONE;
	q->negated = false;
	q->name = NULL;
	q->kind = ASK_ORDER;
	q->order = ASKED_FIRST;
	return true;
}

bool read_side(struct reading *r)
{
	static const char *const wins[] = {"wins", "win", "won", "loses", "lose", "lost", "is victorious", NULL};
	static const char *const fight[] = {"is the fight over", "was the fight over",
		"the fight is over", "the fight was over", "the fight ends", "did the fight end",
		"did it take so long", "did the fight take so long", "the fight takes so long",
		"the fight took so long", "it took so long", "is the fight not over",
		"isn't the fight over", "the fight is not over", "was the fight not over",
		"did the fight not end", "has the fight not ended", "has the fight ended",
		"is it over", "is it not over", "did it take so many rounds", "did it take rounds",
		"did it take", "does the fight end", "the fight ended", "does it end", "did it end",
		"did the fight stop", "did the fight end when it did", NULL};
	struct question *q = r->q;
	const char *was = r->at;
	bool over = read_any(r, fight);
	if (!over) { /* "did the fight last six rounds", "did it take ten rounds" */
		static const char *const last[] = {"did the fight last", "did it last",
			"did it take", "did the fight take", "the fight lasted", "the fight took",
			"it took", "it lasted", "was the fight", "did the fight go on for", NULL};
		static const char *const rounds[] = {"rounds", "round", "rounds long",
			"so many rounds", "long", "so long", NULL};
		over = read_any(r, last);
		if (over && !read_any(r, rounds)) { /* a number in front */
			r->at += strcspn(r->at, " ");
			r->at += strspn(r->at, " ");
			over = read_any(r, rounds);
		}
	}
	while (over && *r->at && read_moment(r))
		;
	if (over && !*r->at) {
		q->round = 0;
		q->moment = INT64_MIN;
		q->kind = ASK_SIDE;
		return true;
	}
	r->at = was;
	const bool negated = q->negated;
	if (read_any(r, read_not_words))
		q->negated = !q->negated;
	else
		read_any(r, read_help_words);
	if (read_people(r, &q->who, &q->who_side)) {
		if (read_take(r, "not") || read_take(r, "never"))
			q->negated = !q->negated;
		q->name = r->at;
		if (first_turn(r))
			return true;
		if (read_any(r, wins) && !*r->at) {
			/* one of a side wins with it */
			if (q->who_side == NONE)
				q->who_side = question_side(r->f, (int)q->who.v[0]);
			q->kind = ASK_SIDE;
			return true;
		}
	}
	q->who.n = 0;
	q->who_side = NONE;
	q->name = NULL;
	q->negated = negated;
	r->at = was;
	return false;
}

bool read_choice(struct reading *r)
{
	static const char *const that[] = {"choose that", "choose so", "choose this", "do that", "chooses that", "does that", "chose that", "did that", "choose", "chose", NULL};
	const char *was = r->at;
	struct question *q = r->q;
	read_any(r, read_help_words);
	if (read_people(r, &q->who, &q->who_side) && read_any(r, that)) {
		while (read_moment(r))
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

/* "Garran roll two attack rolls", "were there two attack rolls": a die, and how often. */
static bool read_dice(struct reading *r)
{
	static const char *const rolls[] = {"rolled", "roll", "made", "make", "had", "have", "got",
		"get", "there", NULL};
	static const char *const many[] = {"two", "three", "four", "five", "six"};
	const struct program *p = r->f->program;
	const char *was = r->at;
	word side;
	int n = 0;
	read_any(r, read_help_words);
	read_any(r, read_be_words);
	read_people(r, &r->q->who, &side);
	if (read_any(r, rolls))
		for (int i = 0; i < (int)FRAY_COUNT(many) && !n; i++)
			n = read_take(r, many[i]) ? i + 2 : 0;
	for (int i = 0; i < p->labels && n; i++) {
		struct buf plural = {0};
		buf_printf(&plural, "%ss", p->label[i].name);
		const bool this = read_take(r, buf_text(&plural));
		buf_free(&plural);
		while (this && read_moment(r))
			;
		if (!this || *r->at)
			continue;
		r->q->kind = ASK_DIE;
		r->q->name = p->label[i].name;
		r->q->times = n;
		return true;
	}
	r->q->who.n = 0;
	r->at = was;
	return false;
}

/* "8 a failure", "was 12 not enough", behind the name of a die: what it showed, and that it was or
 * was not so much as was needed. */
static bool read_shown(struct reading *r)
{
	static const char *const verdict[] = {"not enough", "enough", "a failure", "a success", "a hit",
		"a miss", "too low", "too little", "too high", "no good", "not good enough",
		"good enough", "not sufficient", NULL};
	const char *was = r->at;
	read_any(r, read_be_words);
	const size_t n = strspn(r->at, "0123456789");
	if (n == 0 || n > 4 || !read_ends(r->at[n])) {
		r->at = was;
		return false;
	}
	const int figure = (int)strtol(r->at, NULL, 10);
	r->at += n;
	r->at += strspn(r->at, " ");
	if (!read_any(r, verdict)) {
		r->at = was;
		return false;
	}
	r->q->figure = figure;
	return true;
}

/* "Bruna's attack roll", "was the attack roll rolled twice": a die that is no value as well. */
bool read_die(struct reading *r)
{
	static const char *const rolled[] = {"rolled", "roll", NULL};
	const struct program *p = r->f->program;
	struct question *q = r->q;
	const char *was = r->at;
	if (read_dice(r))
		return true;
	bool asked = read_any(r, read_be_words) || read_any(r, read_help_words);
	if (read_take(r, "this die") || read_take(r, "that die") || read_take(r, "the die")) {
		read_any(r, rolled);
		read_times(r);
		q->kind = ASK_DIE;
		if (!*r->at)
			return true;
	}
	r->at = was;
	if (asked)
		read_any(r, read_be_words);
	bool owned = true;
	if (read_people(r, &q->who, &q->who_side)) {
		owned = *r->at == '\'';
		if (owned)
			r->at += 1 + (r->at[1] == 's');
		r->at += strspn(r->at, " ");
	}
	if (!read_take(r, "the") && !read_take(r, "a"))
		read_take(r, "an");
	for (int i = 0; i < p->labels; i++) {
		const char *mark = r->at;
		if (!read_take(r, p->label[i].name))
			continue;
		bool twice = read_any(r, rolled);
		twice |= read_shown(r);
		while (read_moment(r) || (twice && read_times(r)))
			;
		/* "was Joss hit" asks for no die, though one is called so */
		if (!*r->at && (twice || owned) &&
			(twice || !question_is_value(r->f, p->label[i].name))) {
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

/* The longest name of a rule that stands here, in quotes or without. NULL: none. */
static const char *rule_here(struct reading *r)
{
	const struct program *p = r->f->program;
	const bool quoted = *r->at == '"';
	const char *text = r->at + quoted, *best = NULL;
	size_t most = 0;
	for (int i = 0; i < p->clauses; i++) {
		const char *rule = p->clause[i].rule;
		const size_t n = rule ? strlen(rule) : 0;
		if (n > most && strlen(text) >= n && read_same(rule, text, n) &&
			(quoted ? text[n] == '"' : read_ends(text[n]))) {
			best = rule;
			most = n;
		}
	}
	if (best) {
		r->at = text + most + quoted;
		r->at += strspn(r->at, " ");
	}
	return best;
}

bool read_rule(struct reading *r)
{
	static const char *const apply[] = {"apply", "applies", "applied", "hold", "holds", "held",
		"count", "counts", "counted", "work", "works", "worked", NULL};
	static const char *const to[] = {"to", "for", "on", "upon", NULL};
	struct question *q = r->q;
	const char *was = r->at;
	const bool negated = q->negated;
	const bool is_not = read_any(r, read_not_words), is = is_not || read_any(r, read_help_words);
	q->negated ^= is_not;
	/* a rule may be called "the .." itself */
	q->name = rule_here(r);
	if (!q->name) {
		read_take(r, "the");
		read_take(r, "rule");
		q->name = rule_here(r);
	}
	bool so = q->name != NULL;
	if (so)
		read_take(r, "rule");
	if (so && *r->at) {
		const bool denied =
			read_take(r, "not") || read_take(r, "does not") || read_take(r, "did not") ||
			read_any(r, read_not_words);
		q->negated ^= denied;
		const bool applies = read_any(r, apply);
		if (read_any(r, to))
			so = read_people(r, &q->who, &q->who_side);
		while (so && read_moment(r))
			;
		so = so && !*r->at && (applies || !is || q->who.n);
	}
	if (so) {
		q->kind = ASK_RULE;
		return true;
	}
	q->who.n = 0;
	q->who_side = NONE;
	q->round = 0;
	q->moment = INT64_MIN;
	q->before_rounds = false;
	q->name = NULL;
	q->negated = negated;
	r->at = was;
	return false;
}

static const struct {
	const char *said, *meant;
	bool opposite;
} state_words[] = {
#define STATE(said, meant, opposite) {said, meant, opposite},
#include "stdlib/states.def"
#undef STATE
};

const char *question_state_other(const char *said, bool *opposite)
{
	for (size_t i = 0; i < FRAY_COUNT(state_words); i++)
		if (!strcmp(state_words[i].said, said)) {
			*opposite = state_words[i].opposite;
			return state_words[i].meant;
		}
	return NULL;
}

const char *question_state(struct fray *f, const char *said, bool *opposite)
{
	const struct model *m = &f->model;
	*opposite = false;
	/* a flag of theirs may be one of several ways to be so: "knocked out" */
	const int flag = model_field(m, KIND_COMBATANT, model_sym(m, said));
	const bool one_way = flag >= 0 && m->field.v[flag].hidden == false &&
		model_question_of(m, KIND_COMBATANT, model_sym(m, said), true) < 0;
	bool own = !one_way && question_is_value(f, said); /* or a word that a field may hold */
	for (int i = 0; i < m->field.n && !own; i++)
		for (int k = 0;
			m->field.v[i].kind == KIND_COMBATANT && k < m->field.v[i].words.n && !own;
			k++)
			own = !strcmp(model_text(m, m->field.v[i].words.v[k]), said);
	if (own)
		return said;
	for (size_t i = 0; i < FRAY_COUNT(state_words); i++)
		if (!strcmp(state_words[i].said, said) &&
			question_is_value(f, state_words[i].meant)) {
			*opposite = state_words[i].opposite;
			return state_words[i].meant;
		}
	return said;
}

bool question_turned(struct fray *f, const char *text, struct buf *out)
{
	struct question q;
	struct reading r = {f, text, &q};
	question_clear(&q);
	bool not = read_take(&r, "not"), is = read_any(&r, read_be_words);
	if (!is && read_any(&r, read_be_not_words)) {
		is = true;
		not = !not;
	}
	/* "didn't orc #2 fall asleep" */
	const bool not_so = !is && read_any(&r, read_not_words);
	const bool did = not_so || (!is && read_any(&r, read_help_words));
	not ^= not_so;
	const bool nobody = is &&
		read_any(&r, (const char *const[]){"nobody", "no one", "none", NULL});
	const bool all =
		(nobody ||
			(is && read_any(&r, (const char *const[]){"anybody", "anyone", NULL}))) &&
		!read_take(&r, "of");
	not ^= nobody;
	const char *who = r.at;
	bool turned = (all || read_people(&r, &q.who, &q.who_side)) && *r.at && *r.at != '\'';
	const char *end = r.at;
	if (turned && is)
		read_any(&r, (const char *const[]){"still", "already", "yet", NULL});
	if (turned && is && (read_take(&r, "not") || read_take(&r, "never")))
		not = !not ;
	if (turned && !is) {
		not ^= read_take(&r, "not");
		turned = did && read_any(&r, read_become_words) && *r.at && !strchr(r.at, ' ');
	}
	if (turned) {
		while (end > who && end[-1] == ' ')
			end--;
		if (!strncmp(who, "the ", 4))
			who += 4;
		bool opposite;
		const char *state = question_state(f, r.at, &opposite);
		buf_printf(out, "%s%.*s is %s", not != opposite ? "not " : "",
			all ? 10 : (int)(end - who), all ? "combatants" : who, state);
	}
	question_free(&q);
	return turned;
}
