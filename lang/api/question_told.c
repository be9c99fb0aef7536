/* question_told.c - questions that say an event as it is told: "orc chief falls asleep", "was Halvaine's web complete". See question_read.h. */
#include <ctype.h>
#include <string.h>

#include "lang/api/question_read.h"

/* ---- as it was told ---- */

/* Was something told of those asked about in these words? The verb comes first. */
bool read_as_told(struct reading *r)
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
		const size_t n = read_verb_length(r->at, buf_text(&third), false);
		const char *rest = r->at + n + strspn(r->at + n, " "), *told = text + verb + strspn(text + verb, " ");
		size_t m = strlen(rest);
		/* "in round 2" may follow */
		struct question moment = *r->q;
		struct reading tail = {f, rest, &moment};
		for (size_t k = 0; k < m; k++)
			if (k == 0 || rest[k - 1] == ' ') {
				tail.at = rest + k;
				if (read_moment(&tail) && (read_moment(&tail) || true) && !*tail.at) {
					m = k;
					break;
				}
			}
		while (m && rest[m - 1] == ' ')
			m--;
		bool same = n && strlen(told) >= m && read_same(told, rest, m) && (read_ends(told[m]));
		if (same) {
			struct buf base = {0};
			english_verb(buf_text(&third), third.length, TENSE_BASE, &base);
			r->q->told_verb = arena_text(&f->arena, buf_text(&base), base.length);
			r->q->told_rest = arena_text(&f->arena, rest, m);
			r->q->round = rest[m] ? moment.round : 0;
			r->q->moment = rest[m] ? moment.moment : INT64_MIN;
			r->q->before_rounds = rest[m] && moment.before_rounds;
			buf_free(&base);
		}
		buf_free(&third);
		if (same)
			return true;
	}
	return false;
}

/* The very words: "Halvaine's web is complete". */
bool read_word_for_word(struct reading *r)
{
	const struct trace *t = vm_trace(r->f->vm);
	const size_t n = strlen(r->at);
	for (int32_t i = t->n - 1; i >= 0; i--) {
		const struct record *x = trace_look(t, i);
		if ((x->kind != REC_EVENT && x->kind != REC_NOTE) || x->dropped || x->text < 0)
			continue;
		const char *text = trace_text_at(t, x->text);
		size_t subject, verb;
		if (strlen(text) != n || !read_same(text, r->at, n) || !english_split(r->f->program, text, &subject, &verb))
			continue;
		r->q->kind = ASK_EVENT;
		r->q->told_text = arena_text(&r->f->arena, text, n);
		return true;
	}
	return false;
}

/* ---- a telling in the form of a question ---- */

/* What stands for a name in a telling: somebody's, a thing's, anything else. */
enum hole { HOLE_WHO = 1, HOLE_THING, HOLE_OTHER };
enum { PATTERN_MOST = 200 };
/* How a telling may be asked: "X falls asleep", "X fell asleep", "did X fall asleep", "was X asleep". */
enum asked_as { AS_TOLD, AS_PAST, AS_DID, AS_BE };

/* The word of a telling that is its verb: "is" wherever it stands, else the word behind the first name. False: there is none. */
static bool verb_of(const char *pattern, bool be, size_t *from, size_t *length)
{
	size_t i = strcspn(pattern, " ");
	if (!be) {
		*from = i + (pattern[i] == ' ');
		*length = strcspn(pattern + *from, " ,");
		return *length > 1 && pattern[*from + *length - 1] == 's';
	}
	for (; pattern[i]; i += strcspn(pattern + i, " ")) {
		i += strspn(pattern + i, " ");
		const size_t n = strcspn(pattern + i, " ,");
		if ((n == 2 && !strncmp(pattern + i, "is", 2)) || (n == 3 && !strncmp(pattern + i, "are", 3))) {
			*from = i;
			*length = n;
			return true;
		}
	}
	return false;
}

static bool turn(const char *pattern, enum asked_as as, struct buf *out)
{
	size_t from, n;
	buf_clear(out);
	if (as == AS_TOLD) {
		buf_puts(out, pattern);
		return true;
	}
	/* "was X asleep", of "X falls asleep" */
	if (as == AS_BE && !verb_of(pattern, true, &from, &n) && verb_of(pattern, false, &from, &n)) {
		bool becomes = false;
		for (int i = 0; read_become_words[i] && !becomes; i++)
			becomes = strlen(read_become_words[i]) == n && !strncmp(read_become_words[i], pattern + from, n);
		if (!becomes)
			return false;
		buf_add(out, pattern, from);
		buf_puts(out, pattern + from + n + (pattern[from + n] == ' '));
		return true;
	}
	if (!verb_of(pattern, as == AS_BE, &from, &n) && !(as == AS_PAST && verb_of(pattern, true, &from, &n)))
		return false;
	buf_add(out, pattern, from);
	if (as == AS_BE)
		buf_puts(out, pattern + from + n + (pattern[from + n] == ' '));
	else {
		english_verb(pattern + from, n, as == AS_DID ? TENSE_BASE : TENSE_PAST, out);
		buf_puts(out, pattern + from + n);
	}
	return true;
}

static void longer(const char *text, const char *name, int which, size_t *best, int *found)
{
	const size_t m = name ? strlen(name) : 0;
	if (m > *best && strlen(text) >= m && read_same(text, name, m) && read_ends(text[m])) {
		*best = m;
		*found = which;
	}
}

/* The longest name, or other name, of a kind of hole that stands here; *which: whose. 0: none does. */
static size_t named_here(const struct fray *f, const char *text, enum hole hole, int *which)
{
	const struct program *p = f->program;
	size_t best = 0;
	if (hole == HOLE_THING) {
		for (int i = 0; i < p->things; i++)
			longer(text, p->kind[p->thing[i].kind].live ? NULL : p->thing[i].name, i, &best, which);
		return best;
	}
	for (int i = 0; i < p->lives[KIND_COMBATANT]; i++)
		longer(text, p->live[KIND_COMBATANT][i].name, i, &best, which);
	for (int k = 0; k < f->model.alias.n; k++)
		for (int i = 0; i < p->lives[KIND_COMBATANT]; i++)
			if (!strcmp(p->live[KIND_COMBATANT][i].name, model_text(&f->model, model_alias(&f->model, f->model.alias.v[k].from))))
				longer(text, model_text(&f->model, f->model.alias.v[k].from), i, &best, which);
	return best;
}

/* A thing called by its name where a telling says only of what kind it is; its length; 0: none. */
static size_t of_that_kind(const struct fray *f, const char *at, const char *kind, size_t n, int *which)
{
	const struct program *p = f->program;
	for (int k = 0; k < p->kinds; k++) {
		if (p->kind[k].live || strlen(p->kind[k].name) != n || strncmp(p->kind[k].name, kind, n) != 0)
			continue;
		const size_t length = named_here(f, at, HOLE_THING, which);
		return length && p->thing[*which].kind == k ? length : 0;
	}
	return 0;
}

/* Reads what is asked along a telling; the question is filled with whom it names. What follows the end of the telling, and what the
 * telling says beyond the question, is left. At least a word besides the names is to be the same. False: it says something else. */
static bool along(struct reading *r, const char *pattern, const char **after)
{
	const char *at = r->at;
	int words = 0, which = -1;
	while (*pattern && *at) {
		size_t n;
		if (*at == ' ' && *pattern != ' ')
			break;
		if (*pattern == HOLE_WHO || *pattern == HOLE_THING) {
			if (!strncmp(at, "the ", 4))
				at += 4;
			n = named_here(r->f, at, (enum hole)*pattern, &which);
			if (!n)
				break;
			if (*pattern == HOLE_THING)
				VEC_PUSH(r->q->thing, which);
			else if (!r->q->who.n)
				VEC_PUSH(r->q->who, which);
			else
				VEC_PUSH(r->q->whom, which);
			pattern++;
			at += n;
		} else if (*pattern == HOLE_OTHER) {
			n = strcspn(at, " ,");
			if (!n)
				break;
			pattern++;
			at += n;
		} else {
			n = strcspn(pattern, " ,:\x01\x02\x03");
			if (n == 0) {
				if (*pattern != *at)
					break;
				pattern++;
				at++;
				continue;
			}
			const size_t named = of_that_kind(r->f, at, pattern, n, &which);
			if (named) { /* "Halvaine's web", where "Halvaine's spell" was told */
				VEC_PUSH(r->q->thing, which);
				words++;
				pattern += n;
				at += named;
				continue;
			}
			if (strlen(at) < n || !read_same(at, pattern, n) || (isalnum((unsigned char)pattern[n - 1]) && isalnum((unsigned char)at[n])))
				break;
			/* "is" alone says nothing */
			words += *pattern != '\'' && !(n == 2 && !strncmp(pattern, "is", 2)) && !(n == 3 && (!strncmp(pattern, "are", 3) || !strncmp(pattern, "was", 3)));
			pattern += n;
			at += n;
		}
	}
	/* "in round 2" may stand where the telling goes on */
	const bool whole = !*pattern || *pattern == ' ' || *pattern == ',' || *pattern == ':' ||
		(words && pattern[-1] == ' ' && at[-1] == ' ');
	*after = at + strspn(at, " ");
	return words && whole && (read_ends(*at) || at[-1] == ' ');
}

/* Only a moment, and by whom, may follow. */
static bool nothing_more(struct reading *r, const char *after)
{
	people by = {0};
	word side;
	r->at = after;
	while (*r->at && (read_moment(r) || (read_take(r, "by") && read_people(r, &by, &side))))
		;
	VEC_FREE(by);
	return !*r->at;
}

static void forget_names(struct question *q)
{
	q->who.n = q->whom.n = q->thing.n = 0;
	q->round = 0;
	q->moment = INT64_MIN;
}

static bool asked_along(struct reading *r, const char *pattern, enum asked_as as)
{
	struct buf turned = {0};
	const char *was = r->at, *after;
	bool same = turn(pattern, as, &turned) && along(r, buf_text(&turned), &after) && nothing_more(r, after);
	if (!same) {
		forget_names(r->q);
		r->at = was;
	}
	buf_free(&turned);
	return same;
}

/* "{caster}'s {spell} is complete" with a mark for each name. False: it does not begin with somebody. */
static bool pattern_of(const struct event_info *e, const char *text, struct buf *out)
{
	buf_clear(out);
	for (; *text; text++) {
		const char *close = *text == '{' ? strchr(text, '}') : NULL;
		if (!close) {
			buf_putc(out, *text);
			continue;
		}
		enum hole hole = HOLE_OTHER;
		for (int k = 0; k < e->roles; k++)
			if (strlen(e->role[k].name) == (size_t)(close - text - 1) && !strncmp(e->role[k].name, text + 1, strlen(e->role[k].name)))
				hole = e->role[k].type.base == VT_THING ? HOLE_THING : e->role[k].type.base == VT_LIVE && e->role[k].type.kind == KIND_COMBATANT ? HOLE_WHO : HOLE_OTHER;
		buf_putc(out, (char)hole);
		text = close;
	}
	return out->length && out->length < PATTERN_MOST && out->data[0] == HOLE_WHO;
}

/* A telling with the names that were read: what it would have been. */
static void told_with(struct fray *f, const struct question *q, const char *pattern, struct buf *out)
{
	const struct program *p = f->program;
	int who = 0, thing = 0;
	for (; *pattern; pattern++)
		if (*pattern == HOLE_WHO) {
			const word w = who == 0 ? q->who.v[0] : who <= q->whom.n ? q->whom.v[who - 1] : NONE;
			who++;
			if (w == NONE)
				return;
			program_live(p, KIND_COMBATANT, w, out);
		} else if (*pattern == HOLE_THING) {
			if (thing >= q->thing.n)
				return;
			buf_puts(out, p->thing[q->thing.v[thing++]].name);
		} else {
			buf_putc(out, *pattern);
		}
}

/* What was read is about him; if not, it is not read. */
static bool is_of(struct reading *r, int who, const char *was)
{
	if (r->q->who.v[0] == who)
		return true;
	forget_names(r->q);
	r->at = was;
	return false;
}

/* Something that was told, asked in another form. */
static bool was_told(struct reading *r, const enum asked_as *as, int forms)
{
	const struct trace *t = vm_trace(r->f->vm);
	for (int32_t i = t->n - 1; i >= 0; i--) {
		const struct record *x = trace_look(t, i);
		if ((x->kind != REC_EVENT && x->kind != REC_NOTE) || x->dropped || x->text < 0)
			continue;
		const char *text = trace_text_at(t, x->text);
		struct buf pattern = {0}, told = {0};
		int who = -1;
		const size_t n = named_here(r->f, text, HOLE_WHO, &who);
		bool same = false;
		const char *was = r->at;
		if (n) {
			buf_putc(&pattern, HOLE_WHO);
			buf_puts(&pattern, text + n);
			buf_puts(&told, text);
		}
		for (int k = 0; n && k < forms && !same; k++)
			same = asked_along(r, buf_text(&pattern), as[k]) && is_of(r, who, was);
		if (same) {
			r->q->told_text = arena_text(&r->f->arena, buf_text(&told), told.length);
			r->q->event = x->kind == REC_EVENT ? x->what : -1;
		}
		buf_free(&pattern);
		buf_free(&told);
		if (same)
			return true;
	}
	return false;
}

/* What an event would be told by, had it come. */
static bool could_be_told(struct reading *r, const enum asked_as *as, int forms)
{
	const struct model *m = &r->f->model;
	const struct program *p = r->f->program;
	bool same = false;
	for (int i = 0; i < m->event.n && i < p->events && !same; i++) {
		const char *text = m->event.v[i].node ? m->event.v[i].node->text : NULL;
		struct buf pattern = {0}, told = {0};
		if (text && pattern_of(&p->event[i], text, &pattern))
			for (int k = 0; k < forms && !same; k++)
				same = asked_along(r, buf_text(&pattern), as[k]);
		if (same) {
			told_with(r->f, r->q, buf_text(&pattern), &told);
			r->q->event = i;
			if (!strchr(buf_text(&pattern), HOLE_OTHER))
				r->q->told_text = arena_text(&r->f->arena, buf_text(&told), told.length);
		}
		buf_free(&pattern);
		buf_free(&told);
	}
	return same;
}

/* A telling that a rule or a spell would have noted: its parts are names and what stands between them. */
static bool could_be_noted(struct reading *r, const enum asked_as *as, int forms)
{
	const struct program *p = r->f->program;
	bool same = false;
	for (int i = 0; i < p->templates && !same; i++) {
		const struct template_info *t = &p->template_[i];
		struct buf pattern = {0}, told = {0};
		for (int k = 0; k < t->count; k++) {
			const struct template_piece *piece = &p->piece[t->first + k];
			buf_puts(&pattern, piece->text ? piece->text : "");
			if (piece->words)
				buf_putc(&pattern, piece->type.base == VT_LIVE && piece->type.kind == KIND_COMBATANT ? HOLE_WHO : piece->type.base == VT_THING ? HOLE_THING : HOLE_OTHER);
		}
		if (pattern.length && pattern.data[0] == HOLE_WHO && !strchr(buf_text(&pattern), HOLE_OTHER))
			for (int k = 0; k < forms && !same; k++)
				same = asked_along(r, buf_text(&pattern), as[k]);
		if (same) {
			told_with(r->f, r->q, buf_text(&pattern), &told);
			r->q->told_text = arena_text(&r->f->arena, buf_text(&told), told.length);
			r->q->event = -1;
		}
		buf_free(&pattern);
		buf_free(&told);
	}
	return same;
}

/* The rest of a question without its "not"; NULL: it has none. */
static const char *not_denied(struct reading *r)
{
	static const char *const denials[] = {" not ", " never "};
	for (size_t i = 0; i < FRAY_COUNT(denials); i++) {
		const char *at = strstr(r->at, denials[i]);
		struct buf b = {0};
		if (!at)
			continue;
		buf_add(&b, r->at, (size_t)(at - r->at) + 1);
		buf_puts(&b, at + strlen(denials[i]));
		const char *text = arena_text(&r->f->arena, buf_text(&b), b.length);
		buf_free(&b);
		return text;
	}
	return NULL;
}

bool read_telling(struct reading *r)
{
	static const enum asked_as plain[] = {AS_TOLD, AS_PAST}, did[] = {AS_DID}, be[] = {AS_BE};
	struct question *q = r->q;
	const char *was = r->at;
	const bool negated = q->negated;
	const enum asked_as *as = plain;
	int forms = 2;
	if (read_any(r, read_be_words)) {
		as = be;
		forms = 1;
	} else if (read_any(r, read_be_not_words)) {
		q->negated = !q->negated;
		as = be;
		forms = 1;
	} else if (read_any(r, read_not_words)) {
		q->negated = !q->negated;
		as = did;
		forms = 1;
	} else if (read_any(r, read_help_words)) {
		as = did;
		forms = 1;
	}
	forget_names(q);
	bool told = was_told(r, as, forms) || could_be_told(r, as, forms) || could_be_noted(r, as, forms);
	const char *undenied = told ? NULL : not_denied(r);
	if (undenied) { /* "did Halvaine not keep the spell" */
		r->at = undenied;
		q->negated = !q->negated;
		told = was_told(r, as, forms) || could_be_told(r, as, forms) || could_be_noted(r, as, forms);
	}
	if (told) {
		q->kind = q->negated ? ASK_NOT : ASK_EVENT;
		return true;
	}
	q->negated = negated;
	r->at = was;
	return false;
}

bool read_told_order(struct reading *r, const char *verb)
{
	struct question *q = r->q;
	struct buf b = {0};
	const people whom = q->whom;
	const int32_t round = q->round;
	if (whom.n == 0 && round == 0)
		return false;
	buf_add(&b, verb, strcspn(verb, " "));
	buf_puts(&b, q->order == ASKED_FIRST ? " first" : " last");
	r->at = arena_text(&r->f->arena, buf_text(&b), b.length);
	buf_free(&b);
	q->whom = (people){0};
	const bool so = read_as_told(r);
	VEC_FREE(q->whom);
	q->whom = whom;
	q->round = round;
	if (so)
		r->at += strlen(r->at);
	return so;
}
