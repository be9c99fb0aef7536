/* question_asked.c - questions that do not begin with "why": "who killed Hrolf", "how often was Ann
 * hit", "when did Quill die", "did Bob hit Ann". Each becomes a question as question_text.c reads
 * it, and what is wanted to know of those events: who, whom, how often, or the cause. See
 * question_asked.h. */
#include "lang/api/question_asked.h"

#include <string.h>

#include "lang/api/question_read.h"
#include "lang/api/reason.h"
#include "lang/api/reason.h"

/* ---- how often, how much ---- */

/* A noun for what somebody does: "hits", "blows" of the event it is called by. */
static bool take_noun(struct reading *r, struct buf *verb)
{
	const struct program *p = r->f->program;
	for (int i = 0; i < p->events; i++) {
		const char *name = p->event[i].name;
		const size_t n = strlen(name);
		struct buf plural = {0};
		plural_add(name, &plural);
		const bool one = !strchr(name, ' ') && read_take(r, buf_text(&plural));
		buf_free(&plural);
		if (one || (!strchr(name, ' ') && n > 2 && read_take(r, name))) {
			buf_puts(verb, name);
			return true;
		}
	}
	return false;
}

/* "did Corin land", "has Ann taken": who of whom a noun is told; *suffered: it was done to them. */
static bool take_landed(struct reading *r, const char **who, size_t *length, bool *suffered)
{
	static const char *const landed[] = {"land", "landed", "score", "scored", "make", "made", "get",
		"got", "deal", "dealt", "do", "done", "inflict", "inflicted", "cause", "caused", NULL};
	static const char *const taken[] = {
		"take", "taken", "took", "suffer", "suffered", "receive", "received", NULL};
	people all = {0};
	word side = NONE;
	read_any(r, read_help_words);
	*who = r->at;
	const bool named = read_people(r, &all, &side);
	*length = (size_t)(r->at - *who);
	VEC_FREE(all);
	*suffered = named && read_any(r, taken);
	return named && (*suffered || read_any(r, landed));
}

/* "hits did Corin land on Ann", "damage did Ann take from Bob". */
static bool noun_asked(struct reading *r, struct otherly *out)
{
	static const char *const upon[] = {"on", "upon", "to", "from", "against", "at", NULL};
	struct buf verb = {0};
	const char *was = r->at, *who;
	size_t n;
	bool suffered;
	const bool so = take_noun(r, &verb) && take_landed(r, &who, &n, &suffered);
	if (so) {
		const bool whom = read_any(r, upon);
		if (suffered) {
			struct buf done = {0}, third = {0};
			verb_add(buf_text(&verb), &third);
			english_verb(buf_text(&third), third.length, TENSE_PARTICIPLE, &done);
			buf_printf(&out->text, "was %.*s%s", (int)n, who, buf_text(&done));
			buf_free(&done);
			buf_free(&third);
		} else {
			out->doer = true;
			buf_printf(&out->text, "did %.*s%s", (int)n, who, buf_text(&verb));
		}
		buf_printf(&out->text, "%s%s", suffered && whom ? " by " : " ", r->at);
	} else {
		r->at = was;
	}
	buf_free(&verb);
	return so;
}

/* "hit points does Ann have left", "is Ann's armour class": a value, for the grammar. */
static bool value_asked(struct reading *r, struct otherly *out)
{
	const struct model *m = &r->f->model;
	const char *was = r->at, *best = NULL;
	for (int i = 0; i < m->field.n; i++) {
		const char *name = model_text(m, m->field.v[i].name);
		if ((!best || strlen(name) > strlen(best)) && strlen(r->at) >= strlen(name) &&
			read_same(r->at, name, strlen(name)) && read_ends(r->at[strlen(name)]))
			best = name;
	}
	if (!best)
		return false;
	r->at += strlen(best) + strspn(r->at + strlen(best), " ");
	people all = {0};
	word side = NONE;
	static const char *const got[] = {"have", "got", "have got", "lost", "lose", NULL};
	read_any(r, read_help_words);
	const char *who = r->at;
	const bool named = read_people(r, &all, &side);
	size_t n = (size_t)(r->at - who);
	VEC_FREE(all);
	read_any(r, got);
	read_take(r, "left");
	while (n && who[n - 1] == ' ')
		n--;
	if (!named || *r->at) {
		r->at = was;
		return false;
	}
	out->value = true;
	buf_printf(&out->text, "%.*s%s %s", (int)n, who, who[n - 1] == 's' ? "'" : "'s", best);
	return true;
}

static bool how_many(struct reading *r, struct otherly *out)
{
	static const char *const times[] = {"often", "many times", NULL};
	static const char *const much[] = {"many", "much", NULL};
	if (read_any(r, times)) {
		out->wanted = WANT_COUNT;
		buf_puts(&out->text, r->at);
		return true;
	}
	if (!read_any(r, much))
		return false;
	static const char *const rounds[] = {"rounds", "rounds long", NULL};
	static const char *const took[] = {"did it take", "did it last", "did the fight take",
		"did the fight last", "was the fight", "were there", "were fought", "were played",
		NULL};
	out->wanted = WANT_COUNT;
	const char *was = r->at;
	if (read_any(r, rounds) && read_any(r, took) && !*r->at) {
		buf_puts(&out->text, "did it take so long");
		return true;
	}
	r->at = was;
	if (value_asked(r, out) || noun_asked(r, out))
		return true;
	/* "how many orcs fell": who of them; "how many orcs are down" */
	read_take(r, "of");
	const char *all = r->at;
	word side = NONE;
	if (read_people(r, &out->of, &side) && read_any(r, read_be_words)) {
		buf_puts(&out->state, r->at);
		r->at = all;
		buf_puts(&out->text, r->at);
		return true;
	}
	/* "how many goblins did Walt kill" */
	size_t n = (size_t)(r->at - all);
	const char *behind = r->at;
	out->wanted = WANT_MANY;
	if (out->of.n && read_any(r, read_help_words)) {
		people by = {0};
		const char *who = r->at;
		if (read_people(r, &by, &side) && *r->at) {
			const size_t k = strcspn(r->at, " ");
			out->wanted = WANT_MANY_WHOM;
			buf_printf(&out->text, "did %.*s%.*s %.*s%s", (int)(r->at - who), who,
				(int)k, r->at, (int)n, all, r->at + k);
			VEC_FREE(by);
			VEC_FREE(out->of);
			return true;
		}
		VEC_FREE(by);
	}
	r->at = behind;
	const bool none = out->of.n == 0;
	VEC_FREE(out->of);
	if (none && read_any(r, read_be_words)) { /* "how many are down" */
		out->wanted = WANT_COUNT;
		buf_puts(&out->state, r->at);
		r->at = all;
		buf_printf(&out->text, "somebody %s", r->at);
		return true;
	}
	r->at = all;
	buf_printf(&out->text, "%s%s", none ? "somebody " : "", r->at);
	return true;
}

/* "far is Ann from Bob", "far apart are Ann and Bob" */
static bool how_far(struct reading *r, struct otherly *out)
{
	static const char *const from[] = {"from", "to", "away from", "and", NULL};
	people one = {0}, other = {0};
	word side = NONE;
	if (!read_take(r, "far"))
		return false;
	read_any(r, (const char *const[]){"apart", "away", NULL});
	read_any(r, read_be_words);
	bool so = read_people(r, &one, &side);
	if (so && one.n == 2 && !*r->at)
		VEC_PUSH(other, one.v[1]);
	else if (so)
		so = read_any(r, from) && read_people(r, &other, &side);
	while (so && read_any(r, (const char *const[]){"now", "away", "apart", NULL}))
		;
	so = so && !*r->at && other.n;
	if (so) {
		buf_puts(&out->text, "distance (");
		program_live(r->f->program, KIND_COMBATANT, one.v[0], &out->text);
		buf_puts(&out->text, ", ");
		program_live(r->f->program, KIND_COMBATANT, other.v[0], &out->text);
		buf_putc(&out->text, ')');
		out->value = true;
	}
	VEC_FREE(one);
	VEC_FREE(other);
	return so;
}

static bool how_asked(struct reading *r, struct otherly *out)
{
	if (how_far(r, out) || how_many(r, out))
		return true;
	static const char *const fight[] = {"did it take", "did it last", "did the fight take",
		"did the fight last", "was the fight", "is the fight", NULL};
	const char *was = r->at;
	if (read_take(r, "long") && read_any(r, fight) && !*r->at) {
		out->wanted = WANT_COUNT;
		buf_puts(&out->text, "did it take so long");
	} else if (r->at != was)
		return false;
	else
		buf_puts(&out->text, read_take(r, "come") ? r->at : r->at);
	return true;
}

/* ---- who, what ---- */

bool state_is(struct fray *f, const char *who, const char *state, bool *holds)
{
	struct span at = {0};
	struct node *is = node_new(&f->arena, N_KIND_E_IS, at);
	is->a = node_new(&f->arena, N_KIND_E_NAME, at);
	is->a->name = intern_word(f->names, who);
	is->b = node_new(&f->arena, N_KIND_E_NAME, at);
	is->b->name = intern_word(f->names, state);
	return reason_holds(f, is, holds);
}

/* "who won": the side that did. */
static bool winner_asked(struct reading *r, struct otherly *out)
{
	static const char *const won[] = {"won", "wins", "win", "won the fight", "has won", NULL};
	static const char *const had[] = {"had", "has", "got", "gets", "took", NULL};
	static const char *const lost[] = {"lost", "loses", NULL};
	const char *was = r->at;
	const bool last = read_any(r, lost);
	out->won = NULL;
	if ((last || read_any(r, had)) &&
		(read_side_value(r, &out->won) ||
			read_any(r, (const char *const[]){"the initiative", "initiative", NULL}))) {
		out->wanted = WANT_WHO;
		out->won = last ? NULL : out->won;
		buf_printf(&out->text, "somebody acts %s %s", last ? "last" : "first", r->at);
		return true;
	}
	r->at = was;
	const struct program *p = r->f->program;
	const char *side = NULL;
	if (!read_any(r, won))
		return false;
	if (*r->at &&
		(read_side_value(r, &out->won) ||
			read_any(r,
				(const char *const[]){"the initiative", "initiative",
					NULL}))) { /* "who won the initiative in round 2" */
		out->wanted = WANT_WHO;
		buf_printf(&out->text, "somebody acts first %s", r->at);
		return true;
	}
	if (*r->at)
		return false;
	for (int i = 0; i < p->lives[KIND_SIDE]; i++) {
		bool holds = false;
		if (state_is(r->f, p->live[KIND_SIDE][i].name, "victorious", &holds) && holds)
			side = p->live[KIND_SIDE][i].name;
	}
	out->wanted = WANT_WHO;
	if (side)
		buf_printf(&out->text, "did the %s win", side);
	else
		buf_puts(&out->text, "is the fight over");
	return true;
}

/* "who interrupted Greta": how that came; "who brought down Ulla". */
static bool spoiler_asked(struct reading *r, struct otherly *out)
{
	static const char *const spoiled[] = {
		"interrupted", "disrupted", "spoiled", "broke", "stopped", NULL};
	static const char *const felled[] = {"brought down", "took down", "dropped", "felled",
		"knocked down", "knocked out", "took out", "put down", NULL};
	people all = {0};
	word side = NONE;
	const bool spell = read_any(r, spoiled);
	bool so = spell || read_any(r, felled);
	const char *who = r->at;
	so = so && read_people(r, &all, &side) && all.n == 1;
	size_t n = (size_t)(r->at - who);
	while (n && who[n - 1] == ' ')
		n--;
	VEC_FREE(all);
	if (so && spell)
		buf_printf(
			&out->text, "was %.*s's spell spoiled%s", (int)n, who, *r->at == '\'' ? "" : r->at);
	else if (so) {
		out->value = true; /* a state: for the grammar */
		buf_printf(&out->text, "%.*s is down", (int)n, who);
	}
	return so;
}

/* Is it a word of what some rule tells: "{who} falls asleep"? */
static bool is_told(const struct fray *f, const char *said)
{
	const struct program *p = f->program;
	for (int i = 0; i < p->templates; i++)
		for (int k = 0; k < p->template_[i].count; k++) {
			const char *text = p->piece[p->template_[i].first + k].text;
			const char *at = text ? strstr(text, said) : NULL;
			const size_t n = strlen(said);
			if (at && at > text && at[-1] == ' ' && (!at[n] || strchr(" ,.;", at[n])))
				return true;
		}
	return false;
}

/* "who put Garr to sleep": how he came to be asleep. */
static bool putter_asked(struct reading *r, struct otherly *out)
{
	struct buf state = {0};
	people all = {0};
	word side = NONE;
	const bool put = read_take(r, "put");
	const char *who = r->at;
	bool so = put && read_people(r, &all, &side);
	size_t m = (size_t)(r->at - who);
	while (m && who[m - 1] == ' ')
		m--;
	so = so && read_take(r, "to");
	const size_t n = so ? strcspn(r->at, " ") : 0;
	buf_printf(&state, "a%.*s", (int)n, r->at);
	so = n > 0 &&
		(state_holds(r->f, 0, buf_text(&state)) >= 0 || is_told(r->f, buf_text(&state)));
	if (so)
		buf_printf(&out->text, "was %.*s %s%s", (int)m, who, buf_text(&state), r->at + n);
	VEC_FREE(all);
	buf_free(&state);
	return so;
}

/* "who paralysed Garr": how he came to be so. */
static bool dealer_asked(struct reading *r, struct otherly *out)
{
	struct buf state = {0};
	const size_t n = strcspn(r->at, " ");
	people all = {0};
	word side = NONE;
	buf_add(&state, r->at, n);
	/* "who attacked Garr": what somebody did, though a state is called so */
	struct question doing;
	struct reading done = {r->f, r->at, &doing};
	question_clear(&doing);
	bool so = n > 0 && r->at[n] && !read_verb(&done, false) &&
		state_holds(r->f, 0, buf_text(&state)) >= 0;
	r->at += n + strspn(r->at + n, " ");
	const char *who = r->at;
	so = so && read_people(r, &all, &side);
	size_t m = (size_t)(r->at - who);
	while (m && who[m - 1] == ' ')
		m--;
	if (so)
		buf_printf(&out->text, "was %.*s %s %s", (int)m, who, buf_text(&state), r->at);
	VEC_FREE(all);
	buf_free(&state);
	return so;
}

static bool who_asked(struct reading *r, struct otherly *out)
{
	struct reading was = *r;
	if (putter_asked(r, out))
		return true;
	*r = was;
	if (dealer_asked(r, out))
		return true;
	*r = was;
	if (winner_asked(r, out))
		return true;
	*r = was;
	if (spoiler_asked(r, out))
		return true;
	*r = was;
	if (read_take(r, "side") || read_take(r, "of the sides")) { /* "which side went first" */
		const struct reading side_first = *r;
		if (winner_asked(r, out))
			return true;
		*r = side_first;
		was = side_first;
	}
	out->wanted = WANT_WHO;
	word side = NONE;
	read_take(r, "of");
	const char *be = read_people(r, &out->of, &side) ? r->at : NULL;
	if (be && read_any(r, read_be_words)) { /* "which orcs are down" */
		out->past = read_same(be, "w", 1);
		buf_puts(&out->state, r->at);
		buf_puts(&out->text, was.at);
		return true;
	}
	VEC_FREE(out->of);
	*r = was;
	if (be && *be && *be != '\'') { /* "which orcs died" */
		buf_puts(&out->text, r->at);
		return true;
	}
	if (!strncmp(r->at, "never ", 6)) { /* "who never cast web" */
		buf_printf(&out->text, "somebody %s", r->at);
		return true;
	}
	static const char *const survived[] = {"survived", "survives", "survive", "lived", NULL};
	if (read_any(r, survived) && (!*r->at || read_take(r, "the fight"))) {
		buf_puts(&out->state, "alive");
		buf_puts(&out->text, "is somebody alive");
		return true;
	}
	*r = was;
	if (read_any(r, read_be_words)) {
		/* "who was the last to die" */
		const bool last = read_take(r, "the last to"),
				   first = !last && read_take(r, "the first to");
		if (last || first) {
			buf_printf(&out->text, "somebody %s %s", r->at, last ? "last" : "first");
			return true;
		}
		/* "who was hit by Corin": whom */
		buf_printf(&out->text, "%.*s somebody %s", (int)strcspn(was.at, " "), was.at, r->at);
		buf_puts(&out->state, r->at);
		out->past = read_same(was.at, "w", 1);
		return true;
	}
	const bool did = read_any(r, read_help_words);
	if (did && (read_take(r, "not") || read_take(r, "never"))) {
		buf_printf(&out->text, "somebody never %s", r->at);
		return true;
	}
	if (did) {
		out->wanted = WANT_WHOM;
		buf_printf(&out->text, "did %s", r->at);
		return true;
	}
	buf_printf(&out->text, "somebody %s", r->at);
	return true;
}

/* Somebody, and then one of the words: the question becomes one about an act of theirs. If it is
 * not
 * said like that, it is read again from `was`. */
static bool somebody_does(struct reading *r, const char *was, const char *const *words,
	enum wanted wanted, struct otherly *out)
{
	people all = {0};
	word side = NONE;
	const char *who = r->at;
	const bool named = read_people(r, &all, &side);
	const size_t n = (size_t)(r->at - who);
	const bool so = named && read_any(r, words);
	VEC_FREE(all);
	if (so) {
		out->wanted = wanted;
		buf_printf(&out->text, "did %.*sact %s", (int)n, who, r->at);
	} else {
		r->at = was;
	}
	return so;
}

/* "was orc #2 going to do", "did orc #2 do": one of the words `be` (NULL: none) after a form of
 * "be",
 * or of `help` after a form of "do". */
static bool of_somebody(struct reading *r, const char *const *be, const char *const *help,
	enum wanted wanted, struct otherly *out)
{
	const char *was = r->at;
	const bool is = be && read_any(r, read_be_words);
	return (is || read_any(r, read_help_words)) &&
		somebody_does(r, was, is ? be : help, wanted, out);
}

/* "do", "happened": what somebody did, or what befell them. */
static bool deeds_asked(struct reading *r, struct otherly *out)
{
	static const char *const done[] = {"do", "done", "doing", NULL};
	const char *was = r->at;
	if (read_take(r, "happened") || read_take(r, "happens")) {
		static const char *const to[] = {"to", "with", NULL};
		out->wanted = WANT_FATE;
		if (read_any(r, to)) {
			buf_printf(&out->text, "did somebody act on %s", r->at);
			return true;
		}
		if (*r->at) { /* "what happened in round 9" */
			out->wanted = WANT_DEEDS;
			buf_printf(&out->text, "did somebody act %s", r->at);
			return true;
		}
		r->at = was;
		return false;
	}
	return of_somebody(r, NULL, done, WANT_DEEDS, out);
}

/* "the order in round 2", "the order of acts": in what order they acted. */
static bool sequence_asked(struct reading *r, struct otherly *out)
{
	static const char *const of[] = {"of acts", "of action", "of actions", "of events",
		"of turns", "of play", "of initiative", "of combat", "they acted in",
		"everybody acted in", "everyone acted in", NULL};
	const char *was = r->at;
	if (!read_any(r, read_be_words) ||
		!(read_take(r, "the order") || read_take(r, "the turn order") ||
			read_take(r, "the initiative order"))) {
		r->at = was;
		return false;
	}
	read_any(r, of);
	buf_printf(&out->text, "somebody acts in order %s", r->at);
	return true;
}

/* "was orc #2 going to do", "did orc #2 want to do": what somebody was to do. */
static bool meant_asked(struct reading *r, struct otherly *out)
{
	static const char *const going[] = {"going to do", "about to do", "to do", "supposed to do",
		"to have done", "meant to do", "planning to do", "trying to do", "up to", NULL};
	static const char *const want[] = {"want to do", "wanted to do", "intend to do", "intend",
		"mean to do", "plan to do", "plan", "declare", "declared", "try to do", "have done",
		NULL};
	return of_somebody(r, going, want, WANT_INTENT, out);
}

static bool what_asked(struct reading *r, struct otherly *out)
{
	static const char *const made[] = {"made", "makes", "caused", NULL};
	if (meant_asked(r, out) || deeds_asked(r, out) || sequence_asked(r, out))
		return true;
	if (read_any(r, made)) {
		buf_printf(&out->text, "did %s", r->at);
		return true;
	}
	const char *was = r->at;
	if (read_any(r, read_be_words)) { /* "what was Ann's armour class" */
		out->value = true;
		buf_puts(&out->text, r->at);
		return true;
	}
	r->at = was;
	return who_asked(r, out);
}

/* ---- the whole ---- */

/* "did Fen do anything after round 1": what Fen did. */
static bool something_asked(struct reading *r, struct otherly *out)
{
	static const char *const thing[] = {"do anything", "do something", "do nothing", "do much",
		"do anything at all", "get to do anything", NULL};
	const char *was = r->at;
	return (read_any(r, read_help_words) || read_any(r, read_not_words)) &&
		somebody_does(r, was, thing, WANT_DEEDS, out);
}

static const char *const in_order[] = {"in what order", "in which order", "what order", NULL};

bool question_word(const char *line)
{
	static const char *const words[] = {"who", "whom", "whose", "where", "which", "what", "how",
		"when", "for how long", "until when", NULL};
	struct reading r = {NULL, line + strspn(line, " \t"), NULL};
	return read_any(&r, words) || read_any(&r, in_order) || read_any(&r, read_be_words) ||
		read_any(&r, read_be_not_words) || read_any(&r, read_help_words) ||
		read_any(&r, read_not_words);
}

bool question_asked(struct fray *f, const char *line, struct otherly *out)
{
	static const struct {
		const char *word;
		bool (*read)(struct reading *, struct otherly *);
	} words[] = {{"who", who_asked}, {"whom", who_asked}, {"which", who_asked},
		{"what", what_asked}, {"how", how_asked}};
	struct question q;
	question_clear(&q);
	struct reading r = {f, line, &q};
	memset(out, 0, sizeof *out);
	bool so = false;
	/* "who won and why": the reason is told anyway */
	static const char *const reason[] = {" and why", ", and why", " and how"};
	size_t length = strlen(line);
	while (length && strchr(" ?.!", line[length - 1]))
		length--;
	for (size_t i = 0; i < FRAY_COUNT(reason); i++) {
		const size_t n = strlen(reason[i]);
		if (length > n && read_same(line + length - n, reason[i], n)) {
			r.at = line = arena_text(&f->arena, line, length - n);
			break;
		}
	}
	if (read_any(&r, in_order)) { /* "in what order did they act in round 2" */
		static const char *const they[] = {"they", "the combatants", "everybody",
			"everyone", "people", "we", "the two sides", "the sides", NULL};
		static const char *const acting[] = {"act", "acts", "acted", "go", "went", "move",
			"strike", "attack", "come", NULL};
		read_any(&r, read_help_words);
		const char *who = r.at;
		bool all = read_any(&r, they);
		if (all || read_people(&r, &out->of, &q.who_side)) {
			const size_t n = (size_t)(r.at - who);
			so = read_any(&r, acting);
			if (!strncmp(r.at, "in in ", 6) || !strcmp(r.at, "in"))
				read_take(&r, "in");
			buf_printf(&out->text, "did %.*s act in order %s", all ? 8 : (int)n,
				all ? "somebody" : who, r.at);
		}
		VEC_FREE(out->of);
		question_free(&q);
		if (!so)
			otherly_free(out);
		return so;
	}
	for (size_t i = 0; i < FRAY_COUNT(words) && !so; i++)
		so = read_take(&r, words[i].word) && words[i].read(&r, out);
	if (!so && read_take(&r, "when")) {
		buf_puts(&out->text, r.at);
		so = true;
	}
	if (!so && something_asked(&r, out))
		so = true;
	if (!so && (read_any(&r, read_be_words) || read_any(&r, read_be_not_words) ||
				   read_any(&r, read_help_words) || read_any(&r, read_not_words))) {
		static const char *const could[] = {"could", "can", "might", NULL};
		struct reading begun = {f, line + strspn(line, " "), NULL};
		buf_puts(&out->text, line);
		out->polar = read_any(&begun, could) ? POLAR_COULD
			: read_same(line + strspn(line, " "), "w", 1) ||
				read_same(line + strspn(line, " "), "h", 1)
			? POLAR_PAST
			: POLAR_NOW;
		so = true;
	}
	question_free(&q);
	if (!so)
		otherly_free(out);
	return so;
}

void otherly_free(struct otherly *a)
{
	buf_free(&a->text);
	buf_free(&a->state);
	VEC_FREE(a->of);
}

/* ---- who is down ---- */

/* Those of whom a state holds now, or does not; false: it is no state of combatants. */
static bool those_who_are(
	struct fray *f, const struct otherly *as, const char *state, people *are, people * not )
{
	for (int i = 0; i < f->program->lives[KIND_COMBATANT]; i++) {
		bool among = as->of.n == 0;
		for (int k = 0; k < as->of.n && !among; k++)
			among = as->of.v[k] == i;
		if (!among)
			continue;
		int holds = state_holds(f, i, state);
		if (holds < 0)
			return false;
		if (as->past && holds == 0)
			holds = reason_was(f, i, state);
		if (holds)
			VEC_PUSH(*are, i);
		else
			VEC_PUSH(*not, i);
	}
	return true;
}

static void asked_write(void *context, int style, const char *text, size_t length)
{
	struct fray *f = context;
	if (f->config.write)
		f->config.write(f->config.context, (enum fray_style)style, text, length);
}

bool who_is(struct fray *f, struct otherly *as)
{
	people are = {0}, not = {0};
	const bool count = as->wanted == WANT_COUNT;
	const char *text = buf_text(&as->state);
	bool opposite, denied = false;
	struct reading r = {f, text, NULL};
	while (read_any(&r, (const char *const[]){"still", "already", NULL}) ||
		(!denied && read_any(&r, (const char *const[]){"not", "never", NULL}) &&
			(denied = true)))
		;
	const char *state = question_state(f, r.at, &opposite);
	denied ^= opposite;
	const bool so = those_who_are(f, as, state, &are, &not );
	if (so && denied) {
		const people kept = are;
		are = not ;
		not = kept;
	}
	if (so) {
		struct answer said;
		struct story_options o = {.width = f->config.width, .write = asked_write, .context = f};
		memset(&said, 0, sizeof said);
		if (count)
			buf_printf(&said.about, "%d of %d: ", are.n, are.n + not.n);
		if (are.n)
			answer_people(f->program, are.v, are.n, &said.about);
		else
			buf_puts(&said.about, "nobody");
		const bool past = as->past;
		const char *is = past ? "was" : "is", *all = past ? "were" : "are";
		buf_printf(&said.about, " %s%s%s", are.n > 1 ? all : is, denied ? " not " : " ",
			state);
		if (are.n && not.n) {
			buf_puts(&said.about, "; ");
			answer_people(f->program, not.v, not.n, &said.about);
			buf_printf(
				&said.about, " %s%s", not .n > 1 ? all : is, denied ? "" : " not");
		}
		buf_putc(&said.about, '.');
		answer_capital(f->program, &said.about, 0);
		answer_shorten(f->program, &said);
		answer_tell(f->program, &said, &o);
		answer_free(&said);
	}
	VEC_FREE(are);
	VEC_FREE(not);
	return so;
}
