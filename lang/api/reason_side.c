/* reason_side.c - why a side won or lost, and why it took so long: who went down, when, and by whom; who was left. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/question.h"
#include "lang/api/reason.h"

enum { LOST_MOST = 64, KNOWN_MOST = 12, LINES_MOST = 6 };

/* Somebody out of the fight: since which change, and whose act that was. */
struct lost { word who, by; int32_t change, round; bool known; };

static struct lost lost_of(struct reason *r, word who)
{
	const struct names nobody = {.n = 0};
	struct lost out = {.who = who, .by = NONE, .change = -1};
	struct condition c;
	if (!condition_of(r->f, reason_said_of(r->f, KIND_COMBATANT, who, "able"), &nobody, false, &c))
		return out;
	out.change = condition_change(r->f, &c);
	condition_free(&c);
	if (out.change < 0)
		return out;
	out.known = true;
	out.round = trace_get(r->t, out.change)->round;
	const int32_t deed = reason_deed(r->log, out.change);
	if (deed >= 0)
		out.by = log_actor(r->log, trace_get(r->t, deed));
	return out;
}

/* "orc #1": where its number begins, and the number; 0: it has none. */
static long numbered(const char *name, size_t *stem)
{
	const char *mark = strrchr(name, '#');
	*stem = mark ? (size_t)(mark - name) : 0;
	return mark ? strtol(mark + 1, NULL, 10) : 0;
}

/* How many from `i` on are numbered one behind the other: orc #1, orc #2, orc #3. */
static int run_length(const struct reason *r, const word *who, int i, int n)
{
	const char *first = r->p->live[KIND_COMBATANT][who[i]].name;
	size_t stem, other;
	const long number = numbered(first, &stem);
	int k = 1;
	while (number && i + k < n) {
		const char *name = r->p->live[KIND_COMBATANT][who[i + k]].name;
		if (numbered(name, &other) != number + k || other != stem || strncmp(name, first, stem))
			break;
		k++;
	}
	return k;
}

/* "orc #1 to #14, orc chief and Snag": many, in groups. */
static void groups_add(const struct reason *r, const word *who, int n, struct buf *out)
{
	for (int i = 0; i < n;) {
		const int run = run_length(r, who, i, n), k = run > 2 ? run : 1;
		buf_puts(out, i == 0 ? "" : i + k == n ? " and " : ", ");
		program_live(r->p, KIND_COMBATANT, who[i], out);
		if (k > 1)
			buf_printf(out, " to %s", strrchr(r->p->live[KIND_COMBATANT][who[i + k - 1]].name, '#'));
		i += k;
	}
}

static void people_add(struct reason *r, const struct lost *l, const int *at, int n, struct buf *out)
{
	word who[LOST_MOST];
	for (int i = 0; i < n; i++)
		who[i] = l[at[i]].who;
	groups_add(r, who, n, out);
}

/* Those of `n`, of whom no more than LOST_MOST are known by name. */
static void all_add(const struct reason *r, const word *who, int n, struct buf *out)
{
	groups_add(r, who, n < LOST_MOST ? n : LOST_MOST, out);
	if (n > LOST_MOST)
		buf_printf(out, " and %d more", n - LOST_MOST);
}

/* "in round 1", "in rounds 1 and 2", "before the first round" */
static void rounds_add(const struct lost *l, const int *at, int n, struct buf *out)
{
	int32_t round[LOST_MOST] = {0}, k = 0;
	for (int i = 0; i < n; i++) {
		bool old = false;
		for (int j = 0; j < k; j++)
			old |= round[j] == l[at[i]].round;
		if (!old)
			round[k++] = l[at[i]].round;
	}
	if (k == 1 && round[0] <= 0) {
		buf_puts(out, "before the first round");
		return;
	}
	const bool early = round[0] <= 0; /* "before the first round and in round 4" */
	buf_puts(out, early ? "before the first round and in " : "");
	buf_puts(out, k == 1 + early ? "round " : "rounds ");
	for (int i = early; i < k; i++)
		buf_printf(out, "%s%d", i == early ? "" : i == k - 1 ? " and " : ", ", round[i]);
}

/* What became of one who was lost by nobody else's doing: " fled". */
static void became(struct reason *r, const struct lost *l, struct buf *out)
{
	struct buf b = {0};
	const char *name = r->p->live[KIND_COMBATANT][l->who].name;
	const size_t n = strlen(name);
	if (l->known && reason_is_told(r->log, reason_deed(r->log, l->change)))
		reason_deed_text(r->log, l->change, &b);
	if (b.length > n && !strncmp(b.data, name, n) && b.data[n] == ' ' && b.length < n + 24)
		buf_puts(out, b.data + n);
	buf_free(&b);
}

/* Did they leave the fight by something of their own, as by flight? */
static bool left(struct reason *r, const struct lost *l)
{
	struct buf fate = {0};
	if (l->known && (l->by == NONE || l->by == l->who))
		became(r, l, &fate);
	const bool so = fate.length > 0;
	buf_free(&fate);
	return so;
}

static bool same_fate(struct reason *r, const struct lost *one, const struct lost *other)
{
	struct buf a = {0}, b = {0};
	became(r, one, &a);
	became(r, other, &b);
	const bool same = !strcmp(buf_text(&a), buf_text(&b));
	buf_free(&a);
	buf_free(&b);
	return same;
}

/* "orc #1 went down, orc #2 fled": those who were lost in one round. */
static void fates_add(struct reason *r, const struct lost *l, const int *at, int n, struct buf *out)
{
	bool told[LOST_MOST] = {false};
	for (int i = 0; i < n; i++) {
		int same[LOST_MOST], k = 0;
		struct buf fate = {0};
		for (int j = i; j < n && !told[i]; j++)
			if (!told[j] && same_fate(r, &l[at[i]], &l[at[j]]))
				same[k++] = j;
		for (int j = 0; j < k; j++) {
			told[same[j]] = true;
			same[j] = at[same[j]];
		}
		if (k == 0)
			continue;
		became(r, &l[at[i]], &fate);
		buf_puts(out, i ? ", " : "");
		people_add(r, l, same, k, out);
		buf_puts(out, fate.length ? buf_text(&fate) : " went down");
		buf_free(&fate);
	}
}

/* "orc #1 and orc #2 by Bruna (rounds 1 and 2), orc #4 fled (round 3)" */
static void by_whom(struct reason *r, const struct lost *l, int n, struct buf *out)
{
	bool told[LOST_MOST] = {false};
	bool any = false;
	for (int i = 0; i < n; i++) {
		int at[LOST_MOST], k = 0;
		if (told[i])
			continue;
		const bool other = l[i].known && l[i].by != NONE && l[i].by != l[i].who;
		for (int j = i; j < n; j++)
			if (!told[j] && l[j].known == l[i].known && (other ? l[j].by == l[i].by && l[j].by != l[j].who : (l[j].by == NONE || l[j].by == l[j].who) && same_fate(r, &l[i], &l[j]))) {
				at[k++] = j;
				told[j] = true;
			}
		buf_puts(out, any ? "; " : "");
		any = true;
		people_add(r, l, at, k, out);
		if (other) {
			buf_puts(out, " by ");
			program_live(r->p, KIND_COMBATANT, l[i].by, out);
		} else {
			became(r, &l[i], out);
		}
		if (l[i].known) {
			buf_puts(out, " (");
			rounds_add(l, at, k, out);
			buf_putc(out, ')');
		}
	}
}

/* Those of a side who are able, or those who are not: how many; the first `most` of them. */
static int of_side(struct reason *r, word side, bool able, word *who)
{
	struct node *all = node_new(&r->f->arena, N_KIND_E_SET, r->n->span),
				*is = reason_said_of(r->f, KIND_SIDE, side, "able");
	const int32_t mark = r->t->n;
	struct probe p;
	int n = 0;
	all->name = intern_word(r->f->names, "member");
	all->a = node_new(&r->f->arena, N_KIND_E_FIELD, r->n->span);
	all->a->name = intern_word(r->f->names, "members");
	all->a->a = is->a;
	is->a = node_new(&r->f->arena, N_KIND_E_NAME, r->n->span);
	is->a->name = all->name;
	is->num = !able;
	all->c = is;
	if (reason_worth(r->f, all, false, &p) && p.type.base == VT_SET)
		for (int i = 0; i < p.words * 64; i++)
			if (p.value[i / 64] >> (i % 64) & 1) {
				if (n < LOST_MOST)
					who[n] = i;
				n++;
			}
	reason_close(r->f, &p, mark);
	return n;
}

/* What each was lost to, and when; those of one event on one line. Of who fled, the sentence says
 * all of it. */
static void lines(struct reason *r, const struct lost *l, int n, struct answer *out)
{
	bool told[LOST_MOST] = {false};
	int lines = 0;
	for (int i = 0; i < n; i++)
		told[i] = left(r, &l[i]);
	for (int i = 0; i < n; i++) {
		int at[LOST_MOST], k = 0;
		struct buf b = {0};
		if (told[i] || !l[i].known)
			continue;
		const int32_t deed = reason_deed(r->log, l[i].change);
		for (int j = i; j < n; j++)
			if (l[j].known && !told[j] && (j == i || (deed >= 0 && reason_deed(r->log, l[j].change) == deed))) {
				at[k++] = j;
				told[j] = true;
			}
		if (lines++ == LINES_MOST) {
			answer_figure(out, -1, -1, "and %d more", n - i);
			return;
		}
		people_add(r, l, at, k, &b);
		buf_puts(&b, ": ");
		reason_deed_text(r->log, l[i].change, &b);
		reason_when(r->log, l[i].change, &b);
		answer_figure(out, l[i].change, -1, "%s", buf_text(&b));
		buf_free(&b);
	}
}

static int32_t outcome_of(const struct reason *r)
{
	for (int32_t i = r->end - 1; i >= 0 && i > r->end - 400; i--)
		if (trace_get(r->t, i)->kind == REC_OUTCOME)
			return i;
	return -1;
}

static const char *numeral(int n)
{
	static const char *const spelt[] = {"none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"};
	return n < (int)FRAY_COUNT(spelt) ? spelt[n] : NULL;
}

static void side_name(const struct reason *r, word side, struct buf *out)
{
	const char *name = r->p->live[KIND_SIDE][side].name;
	if (*name >= 'a' && *name <= 'z')
		buf_puts(out, "the ");
	buf_puts(out, name);
}

/* "All five of the orcs are down: "; "are out of the fight" when some of them fled. */
static void many(int n, const char *side, const char *state, struct buf *out)
{
	const bool inner = out->length > 0;
	if (n == 1)
		buf_puts(out, inner ? "the only one" : "The only one");
	else if (n == 2)
		buf_puts(out, inner ? "both" : "Both");
	else if (numeral(n))
		buf_printf(out, "%s %s", inner ? "all" : "All", numeral(n));
	else
		buf_printf(out, "%s %d", inner ? "all" : "All", n);
	buf_printf(out, " of %s %s %s: ", side, n == 1 ? "is" : "are", state);
}

static bool some_left(struct reason *r, const struct lost *l, int n)
{
	bool some = false;
	for (int i = 0; i < n && !some; i++)
		some = left(r, &l[i]);
	return some;
}

static void tell_loss(struct reason *r, word side, word winner, struct answer *out)
{
	word down[LOST_MOST], left[LOST_MOST];
	struct lost l[LOST_MOST];
	const int n = of_side(r, side, false, down), known = n < KNOWN_MOST ? n : KNOWN_MOST;
	for (int i = 0; i < known; i++)
		l[i] = lost_of(r, down[i]);
	struct buf b = {0};
	side_name(r, side, &b);
	many(n, buf_text(&b), some_left(r, l, known) ? "out of the fight" : "down", &out->about);
	by_whom(r, l, known, &out->about);
	if (known < n) {
		buf_puts(&out->about, "; and ");
		groups_add(r, down + known, (n < LOST_MOST ? n : LOST_MOST) - known, &out->about);
		if (n > LOST_MOST)
			buf_printf(&out->about, " and %d more", n - LOST_MOST);
	}
	if (winner != NONE) {
		const int k = of_side(r, winner, true, left);
		buf_clear(&b);
		side_name(r, winner, &b);
		buf_printf(&out->about, "; of %s ", buf_text(&b));
		all_add(r, left, k, &out->about);
		buf_puts(&out->about, k == 0 ? "nobody is left" : k == 1 ? " is left" : " are left");
	}
	buf_putc(&out->about, '.');
	lines(r, l, known, out);
	buf_free(&b);
}

/* "The party did not win:" and why: who of the others still stands. */
static void not_won(struct reason *r, word side, int32_t outcome, struct answer *out)
{
	word left[LOST_MOST];
	struct buf b = {0};
	side_name(r, side, &b);
	b.data[0] = b.data[0] >= 'a' && b.data[0] <= 'z' ? (char)(b.data[0] - 'a' + 'A') : b.data[0];
	buf_printf(&out->about, "%s %s: ", buf_text(&b), outcome < 0 ? "has not won yet" : "did not win");
	bool any = false;
	for (int s = 0; s < r->p->lives[KIND_SIDE]; s++) {
		const int n = s == side ? 0 : of_side(r, s, true, left);
		if (!n)
			continue;
		buf_clear(&b);
		side_name(r, s, &b);
		buf_printf(&out->about, "%sof %s ", any ? "; " : "", buf_text(&b));
		all_add(r, left, n, &out->about);
		buf_puts(&out->about, n == 1 ? " can still act" : " can still act");
		any = true;
	}
	if (!any)
		buf_puts(&out->about, "nobody is left on any side");
	buf_putc(&out->about, '.');
	buf_free(&b);
}

bool reason_won(struct reason *r, word side, bool wins, struct answer *out)
{
	const int32_t outcome = outcome_of(r);
	bool won = false, down = false;
	if (side == NONE ||
		!reason_holds(r->f, reason_said_of(r->f, KIND_SIDE, side, "victorious"), &won) ||
		!reason_holds(r->f, reason_said_of(r->f, KIND_SIDE, side, "down"), &down))
		return false;
	if (wins && won) {
		for (int s = 0; s < r->p->lives[KIND_SIDE]; s++)
			if (s != side) {
				if (out->about.length)
					buf_putc(&out->about, ' ');
				tell_loss(r, s, side, out);
			}
		if (!out->about.length) {
			side_name(r, side, &out->about);
			buf_puts(&out->about, " has nobody against it.");
			if (out->about.data[0] == 't')
				out->about.data[0] = 'T';
		}
		return true;
	}
	if (down) {
		word winner = NONE;
		for (int s = 0; s < r->p->lives[KIND_SIDE]; s++)
			if (s != side &&
				reason_holds(r->f, reason_said_of(r->f, KIND_SIDE, s, "victorious"), &won) && won)
				winner = s;
		if (wins) {
			answer_premise(out, PREMISE_OTHER);
			if (winner != NONE) {
				side_name(r, winner, &out->about);
				buf_puts(&out->about, " won, for ");
			}
		}
		tell_loss(r, side, winner, out);
		return true;
	}
	if (!wins && won) {
		struct buf b = {0};
		side_name(r, side, &b);
		answer_premise(out, PREMISE_OTHER);
		buf_printf(&out->about, "%s won, for ", buf_text(&b));
		buf_free(&b);
		for (int s = 0; s < r->p->lives[KIND_SIDE]; s++)
			if (s != side)
				tell_loss(r, s, side, out);
		return true;
	}
	not_won(r, side, outcome, out);
	return true;
}

/* Why the fight is over, or took as long as it did: the last who fell, and the rounds in which nobody did. */
bool reason_length(struct reason *r, struct answer *out)
{
	const int32_t outcome = outcome_of(r);
	const word round = vm_block(r->f->vm)[r->p->field[r->p->at.round_number].base];
	struct lost l[LOST_MOST];
	int n = 0, last = -1;
	word side = NONE;
	for (int s = 0; s < r->p->lives[KIND_SIDE]; s++) {
		word down[LOST_MOST];
		const int k = of_side(r, s, false, down);
		bool is = false;
		if (reason_holds(r->f, reason_said_of(r->f, KIND_SIDE, s, "down"), &is) && is)
			side = s;
		for (int i = 0; i < k && i < LOST_MOST && n < 2 * KNOWN_MOST; i++) {
			l[n] = lost_of(r, down[i]);
			if (l[n].known && (last < 0 || l[n].change > l[last].change))
				last = n;
			n++;
		}
	}
	if (outcome < 0) {
		buf_printf(&out->about, "It is not over: round %lld is in progress, and %s down so far.", (long long)round, n == 0 ? "nobody is" : n == 1 ? "one is" : "some are");
		lines(r, l, n, out);
		return true;
	}
	if (side == NONE || last < 0) {
		buf_printf(&out->about, "It ended after round %lld without a side that is down.", (long long)round);
		lines(r, l, n, out);
		return true;
	}
	/* of that side: another's may have left later */
	for (int i = 0, its = -1; i < n; i++)
		if (l[i].known && question_side(r->f, l[i].who) == side &&
			(its < 0 || l[i].change > l[its].change))
			last = its = i;
	struct buf b = {0};
	side_name(r, side, &b);
	struct buf fate = {0};
	became(r, &l[last], &fate);
	/* a script may go on when nobody is left */
	buf_printf(&out->about,
		l[last].round < round
			? "It ended in round %lld; the last of %s had gone down before: "
			: fate.length ? "It ended in round %lld, when the last of %s was out: "
				      : "It ended in round %lld, when the last of %s went down: ",
		(long long)round, buf_text(&b));
	buf_free(&fate);
	program_live(r->p, KIND_COMBATANT, l[last].who, &out->about);
	buf_puts(&out->about, ", when ");
	reason_deed_text(r->log, l[last].change, &out->about);
	reason_when(r->log, l[last].change, &out->about);
	buf_putc(&out->about, '.');
	for (int32_t k = 1; k <= round; k++) {
		int at[LOST_MOST], m = 0;
		for (int i = 0; i < n; i++)
			if (l[i].known && l[i].round == k)
				at[m++] = i;
		buf_clear(&b);
		if (m)
			fates_add(r, l, at, m, &b);
		int32_t to = k;
		while (!m && to < round) {
			bool some = false;
			for (int i = 0; i < n; i++)
				some |= l[i].known && l[i].round == to + 1;
			if (some)
				break;
			to++;
		}
		if (out->figure.n == LINES_MOST)
			break;
		if (to > k)
			answer_figure(out, -1, -1, "rounds %d to %d: nobody went down", k, to);
		else
			answer_figure(out, -1, -1, "round %d: %s", k,
				m ? buf_text(&b) : "nobody went down");
		k = to;
	}
	buf_free(&b);
	return true;
}
