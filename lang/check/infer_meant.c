/* infer_meant.c - what a run of words was meant to say that is no name: "party loses", "Bruna gets
 * killed", "nobody", "hit points of Bruna". Everything here is a line to write instead. */
#include <string.h>

#include "lang/check/infer.h"
#include "lang/front/slip.h"
#include "runtime/code/show.h"

static bool is_state(const struct model *m, int kind, sym name)
{
	int field = model_field(m, kind, name);
	return model_question_of(m, kind, name, true) >= 0 || (field >= 0 && type_is(m->field.v[field].type, VT_BOOL));
}

static bool known_state(const struct model *m, int kind, const char *state)
{
	sym name = intern_find(m->front->names, state, strlen(state));
	return name && is_state(m, kind, model_alias(m, name));
}

static void put_wins(const struct model *m, int side, struct buf *out)
{
	const char *name = model_text(m, m->side.v[side].name);
	buf_printf(out, "%s %s", name, plural_is(name) ? "win" : "wins");
}

static bool known_field(const struct model *m, const char *field)
{
	sym name = intern_find(m->front->names, field, strlen(field));
	return name && model_field(m, KIND_COMBATANT, name) >= 0;
}

/* Behind a word, or one of several parted by |; NULL when it does not begin so. */
static const char *behind(const char *text, const char *words)
{
	for (const char *w = words; *w;) {
		size_t n = strcspn(w, "|");
		if (!strncmp(text, w, n) && (text[n] == '\0' || text[n] == ' ' || text[n] == '\''))
			return text[n] == ' ' ? text + n + 1 : text + n;
		w += n + (w[n] == '|');
	}
	return NULL;
}

/* Where the line behind a name goes on, and where what ends a measure stands. */
static struct span rest_at(const struct model *m, struct span at)
{
	const struct source *s = &m->front->sources->file.v[at.file];
	uint32_t end = at.end;
	while (end < s->length && s->text[end] == ' ')
		end++;
	at.start = end;
	while (end < s->length && !strchr(",;)\n<>=", s->text[end]))
		end++;
	while (end > at.start && s->text[end - 1] == ' ')
		end--;
	at.end = end;
	return at;
}

/* The line around these words, without what stands in braces around it. */
struct span line_around(const struct model *m, struct span at)
{
	const struct source *s = &m->front->sources->file.v[at.file];
	while (at.start && !strchr("\n;{}", s->text[at.start - 1]))
		at.start--;
	while (at.start < at.end && strchr(" \t", s->text[at.start]))
		at.start++;
	while (at.end < s->length && !strchr("\n;{}\r", s->text[at.end]) &&
		strncmp(s->text + at.end, " --", 3) != 0)
		at.end++;
	while (at.end > at.start && s->text[at.end - 1] == ' ')
		at.end--;
	return at;
}

bool verb_said(struct model *m, struct span at, struct buf *line)
{
	return m->in_encounter >= 0 && said_line(m->front, line_around(m, at), at, line);
}

bool report_verb_said(struct model *m, struct span at)
{
	struct buf line = {0};
	size_t length;
	const char *text = sources_text(m->front->sources, line_around(m, at), &length);
	const bool found = verb_said(m, at, &line);
	if (found)
		model_report(
			m, M_VERB_SAID, at, 2, arena_text(m->arena, text, length), buf_text(&line));
	buf_free(&line);
	return found;
}

static const char *rest_of(const struct model *m, struct span at)
{
	struct span rest = rest_at(m, at);
	return arena_text(m->arena, m->front->sources->file.v[at.file].text + rest.start, rest.end - rest.start);
}

/* The side that words speak of, by its name or that of one of it; NULL: none is named. */
static const char *side_of_words(const struct model *m, const char *words)
{
	for (int i = 0; i < m->live.n; i++) {
		const char *one = model_text(m, m->live.v[i].name);
		size_t n = strcspn(one, "#");
		n -= n && one[n - 1] == ' ';
		if (m->live.v[i].side >= 0 && !strncmp(words, one, n) && strchr(" s", words[n]))
			return model_text(m, m->side.v[m->live.v[i].side].name);
	}
	for (int i = 0; i < m->side.n; i++)
		if (strstr(words, model_text(m, m->side.v[i].name)))
			return model_text(m, m->side.v[i].name);
	return NULL;
}

/* Who is counted: those of the side that words speak of, or everybody. */
static const char *set_of_words(const struct model *m, const char *words)
{
	const char *side = side_of_words(m, words);
	return side ? side : "combatants";
}

/* Sides as people call them: the first is theirs. -1: another word. */
static int side_by_habit(const struct model *m, const char *text, const char **then)
{
	static const char *const words[] = {"players|heroes|PCs|pcs|adventurers|characters|we|good guys|our side", "monsters|enemy|enemies|foe|foes|opponents|villains|they|bad guys|other side"};
	for (int i = 0; i < 2 && m->side.n == 2; i++)
		if ((*then = behind(text, words[i])) != NULL)
			return i;
	return -1;
}

/* "nobody", "everybody dies", "a draw": of nobody in particular. */
static bool meant_of_all(const struct model *m, const char *text, const char *rest, struct buf *out)
{
	const char *then, *in = "combatants";
	int habit = side_by_habit(m, text, &then);
	if (habit >= 0) { /* heroes win, or lose */
		then = *then ? then : rest;
		if (behind(then, "win|wins|won|lose|loses|lost"))
			put_wins(m, habit ^ (behind(then, "lose|loses|lost") != NULL), out);
		else if (behind(then, "die|dies|are dead|are killed|are down|fall"))
			buf_printf(out, "%s %s down", model_text(m, m->side.v[habit].name), plural_is(model_text(m, m->side.v[habit].name)) ? "are" : "is");
		if (out->length)
			return true;
	}
	bool wins = behind(rest, "win|wins") != NULL, none = behind(text, "nobody|no one|none") != NULL;
	bool all = behind(text, "everybody|everyone|all|both") != NULL, some = behind(text, "somebody|someone|anybody|anyone") != NULL;
	const char *last = strrchr(text, ' '), *does = *rest || !last ? NULL : said_state(last + 1, strlen(last + 1)); /* read as one name */
	bool dies = behind(rest, "die|dies|is dead|are dead|is killed|falls|fall") != NULL || (does && !strcmp(does, "dead"));
	bool lives = behind(rest, "live|lives|survive|survives|is alive|are alive") != NULL || (does && !strcmp(does, "alive"));
	if ((then = behind(text, "any|some|each|every|no|none")) != NULL && *then) {
		some = behind(text, "any|some") != NULL;
		none = behind(text, "no|none") != NULL;
		all |= !some && !none;
		in = set_of_words(m, then);
	} else if ((then = behind(text, "all|both")) != NULL && *then) {
		in = set_of_words(m, then);
	}
	/* "one side wins": then the others are down */
	const char *side = behind(text, "one side|either side|any side|some side|side|one team");
	const bool over = side && behind(*side ? side : rest, "win|wins|won|is left|remains|is down|is dead|loses");
	const char *one = side ? NULL : behind(text, "one|somebody|someone");
	if (m->side.n > 1 && (over || (one && behind(*one ? one : rest, "win|wins|won")))) {
		for (int i = 0; i < m->side.n; i++) {
			const char *name = model_text(m, m->side.v[i].name);
			buf_printf(out, "%s%s %s down", i ? " or " : "", name, plural_is(name) ? "are" : "is");
		}
	} else if (none && wins)
		buf_puts(out, "(no (one in sides where one is victorious))");
	else if ((none || all || some) && (dies || lives) && known_state(m, KIND_COMBATANT, "dead"))
		buf_printf(out, "(%s (one in %s where one is %sdead))", some ? "any" : "no", in, lives ^ all ? "not " : "");
	else if ((then = behind(text, "number of|how many")) != NULL && !behind(then, "round|rounds"))
		buf_printf(out, "average (count (one in %s where one is %s))", set_of_words(m, then), behind(then, "dead") || dies ? "dead" : "alive");
	else if ((then = behind(text, "dead")) != NULL && *then)
		buf_printf(out, "average (count (one in %s where one is dead))", set_of_words(m, then));
	else if ((then = behind(text, "side")) != NULL && *then && intern_find(m->front->names, then, strlen(then)) && model_side(m, intern_find(m->front->names, then, strlen(then))) >= 0)
		buf_puts(out, then);
	else if (behind(text, "survivors") && known_state(m, KIND_COMBATANT, "alive"))
		buf_printf(out, "average (count (one in %s where one is alive))", model_text(m, m->side.v[0].name));
	else if (behind(text, "casualties|deaths|losses|dead") && known_state(m, KIND_COMBATANT, "dead"))
		buf_printf(out, "average (count (one in %s where one is dead))", model_text(m, m->side.v[0].name));
	else if (behind(text, "draw|tie|tied|stalemate"))
		buf_puts(out, "(no (one in sides where one is victorious))");
	else if (m->side.n > 1 && (behind(text, "win|wins|victory") || (behind(text, "enemy|enemies|foe|foes|opponents") && wins)))
		put_wins(m, behind(text, "win|wins|victory") ? 0 : 1, out);
	else if (behind(text, "loss|defeat|lose|losing") && m->side.n > 1)
		put_wins(m, 1, out);
	else if (behind(text, "who") && wins)
		for (int i = 0; i < m->side.n; i++) {
			buf_puts(out, i ? ", " : "");
			put_wins(m, i, out);
		}
	else if (behind(text, "total party kill|tpk|TPK"))
		buf_printf(out, "%s %s down", model_text(m, m->side.v[0].name), plural_is(model_text(m, m->side.v[0].name)) ? "are" : "is");
	else if (behind(text, "how many rounds|number of rounds|rounds|how long|length|duration"))
		buf_puts(out, "average round");
	return out->length > 0;
}

/* Who is dead then, or which side down. */
static bool put_fallen(const struct model *m, const char *whom, struct buf *out)
{
	const char *article = behind(whom, "the|a|an");
	whom = article ? article : whom;
	sym name = intern_find(m->front->names, whom, strlen(whom));
	name = name ? model_alias(m, name) : 0;
	if (name && model_side(m, name) >= 0)
		buf_printf(out, "%s %s down", whom, plural_is(whom) ? "are" : "is");
	else if (name && model_live(m, name) >= 0)
		buf_printf(out, "%s dies", whom);
	return out->length > 0;
}

static bool meant_of(const struct model *m, const char *who, const char *said, const char *rest, struct buf *out)
{
	const char *then;
	sym name = intern_find(m->front->names, who, strlen(who));
	int side = model_side(m, model_alias(m, name)), live = model_live(m, model_alias(m, name));
	int own = side >= 0 ? side : live >= 0 ? m->live.v[live].side : -1;
	if ((then = behind(said, "all")) != NULL)
		said = then;
	if (own < 0)
		return false;
	if ((then = behind(said, "lose|loses|lost|losing")) != NULL) {
		if (*then && put_fallen(m, then, out)) /* party loses Bruna */
			return true;
		if (*then && !behind(then, "the|badly|fight|battle|here"))
			return false;
		if (m->side.n == 2) {
			put_wins(m, !own, out);
			buf_puts(out, "; or, if a fight that nobody wins counts as lost: ");
		}
		buf_puts(out, "not ");
		put_wins(m, own, out);
	} else if (behind(said, "won|winning|victory")) {
		put_wins(m, own, out);
	} else if (behind(said, "takes|take|suffers") && behind(rest, "damage|any damage|a hit|hits") && live >= 0 && known_field(m, "hit points") && known_field(m, "full hit points")) {
		buf_printf(out, "(%s's hit points < %s's full hit points)", who, who);
	} else if ((then = behind(said, "kill|kills|killed|slay|slays|defeat|defeats|beat|beats")) != NULL) {
		const char *whom = *then ? then : rest, *all = behind(whom, "all|every|each");
		if (all && *all)
			buf_printf(out, "(no (one in %s where one is not dead))", set_of_words(m, all));
		/* who did it is not asked; somebody else, for one, where it is not said who of several */
		for (int i = 0; !put_fallen(m, *then ? then : rest, out) && i < m->live.n; i++)
			if (m->live.v[i].side != own)
				put_fallen(m, model_text(m, m->live.v[i].name), out);
	} else if (behind(said, "killed|slain|dying|perish|perishes|gets killed|get killed|gets slain|get slain") || (side >= 0 && behind(said, "die|dead"))) {
		put_fallen(m, who, out);
	} else if (side >= 0 && behind(said, "ties|tie|draws|draw|tied")) {
		buf_puts(out, "(no (one in sides where one is victorious))");
	} else if (behind(said, "never|doesn|don|didn|can|isn|aren")) {
		const char *verb = behind(said, "never") ? rest : behind(rest, "'t|\xE2\x80\x99t");
		if (verb && *verb)
			buf_printf(out, behind(said, "never") ? "not %s %s" : behind(said, "isn|aren") ? "not %s is %s" : "%s does not %s", who, verb);
	}
	return out->length > 0;
}

/* two orcs die, party loses in round 3: numbers told in words, of all that is said from here. */
static bool in_words(const struct model *m, struct span at, struct buf *out)
{
	struct span rest = rest_at(m, at);
	return said_measure(m->front, m->front->sources->file.v[at.file].text + at.start, (rest.end > rest.start ? rest.end : at.end) - at.start, out);
}

const char *meant_line(const struct scope *s, const struct node *n)
{
	const struct model *m = s->m;
	const char *text = model_text(m, n->name), *rest, *then;
	struct buf b = {0};
	if (m->in_encounter < 0 || m->side.n == 0)
		return NULL;
	rest = rest_of(m, n->span);
	if (in_words(m, n->span, &b))
		text = "";
	if (!b.length && !meant_of_all(m, text, rest, &b) && (then = behind(text, "all|every")) != NULL && *then)
		text = then;
	for (const char *cut = strchr(text, ' '); cut && !b.length; cut = strchr(cut + 1, ' ')) {
		sym name = intern_find(m->front->names, text, (size_t)(cut - text));
		const char *left = arena_text(m->arena, text, (size_t)(cut - text));
		name = name ? model_alias(m, name) : 0;
		if (name && cut[1] != '#' && (model_live(m, name) >= 0 || model_side(m, name) >= 0))
			meant_of(m, left, cut + 1, rest, &b);
		else if ((then = behind(cut + 1, "of")) != NULL && name && model_field(m, KIND_COMBATANT, name) >= 0 && (name = intern_find(m->front->names, then, strlen(then))) != 0 && model_live(m, model_alias(m, name)) >= 0)
			buf_printf(&b, "%s's %s", then, left);
	}
	/* casts sleep on goblins, not: with sword on orc #2 */
	const struct source *source = &m->front->sources->file.v[n->span.file];
	bool with = n->span.start >= 5 && !strncmp(source->text + n->span.start - 5, "with ", 5);
	for (const char *on = strstr(text, " on "); on && !b.length && !with; on = NULL) {
		sym what = intern_find(m->front->names, text, (size_t)(on - text)), whom = intern_find(m->front->names, on + 4, strlen(on + 4));
		if (what && whom && model_thing(m, model_alias(m, what), -1) >= 0 && (model_live(m, model_alias(m, whom)) >= 0 || model_side(m, model_alias(m, whom)) >= 0))
			buf_printf(&b, "%.*s at %s", (int)(on - text), text, on + 4);
	}
	/* whose hit points? */
	if (!b.length && m->live.n && model_field(m, KIND_COMBATANT, model_alias(m, n->name)) >= 0)
		buf_printf(&b, "%s's %s", model_text(m, m->live.v[0].name), text);
	const char *line = b.length ? arena_text(m->arena, b.data, b.length) : NULL;
	buf_free(&b);
	return line;
}

bool report_state_of_other(struct model *m, const struct node *who, const struct node *state, int kind)
{
	sym name = model_alias(m, state->name);
	int side = who->kind == N_KIND_E_NAME ? model_side(m, model_alias(m, who->name)) : -1, live = who->kind == N_KIND_E_NAME ? model_live(m, model_alias(m, who->name)) : -1;
	struct buf b = {0};
	if (kind == KIND_COMBATANT && live >= 0 && is_state(m, KIND_SIDE, name)) {
		const char *own = model_text(m, m->side.v[m->live.v[live].side].name);
		if (name == intern_find(m->front->names, "victorious", 10))
			put_wins(m, m->live.v[live].side, &b);
		else
			buf_printf(&b, "%s %s %s", own, plural_is(own) ? "are" : "is", model_text(m, name));
		model_report(m, M_STATE_OF_SIDE, state->span, 2, model_text(m, name), buf_text(&b));
	} else if (kind == KIND_SIDE && side >= 0 && is_state(m, KIND_COMBATANT, name)) {
		const char *own = model_text(m, m->side.v[side].name);
		if (name == intern_find(m->front->names, "dead", 4))
			buf_printf(&b, "%s %s down; or, ", own, plural_is(own) ? "are" : "is");
		model_report(m, M_STATE_OF_ONE, state->span, 3, model_text(m, name), own, buf_text(&b));
	} else {
		return false;
	}
	buf_free(&b);
	return true;
}

bool report_state_of_set(struct model *m, const struct node *who, const struct node *state)
{
	sym name = model_alias(m, state->name);
	const char *of = who->kind == N_KIND_E_NAME ? model_text(m, who->name) : "", *then, *is = model_text(m, name);
	struct buf b = {0};
	if (!*of || m->in_encounter < 0 || m->side.n == 0)
		return false;
	int habit = side_by_habit(m, of, &then);
	if (is_state(m, KIND_COMBATANT, name)) {
		buf_printf(&b, "(no (one in %s where one is not %s)); or, of any: (any (one in %s where one is %s))", of, is, of, is);
	} else if (is_state(m, KIND_SIDE, name)) {
		bool wins = name == intern_find(m->front->names, "victorious", 10);
		for (int i = 0; i < m->side.n; i++) {
			const char *side = model_text(m, m->side.v[i].name);
			if (habit >= 0 && i != habit)
				continue;
			buf_puts(&b, b.length ? ", " : "");
			if (wins)
				put_wins(m, i, &b);
			else
				buf_printf(&b, "%s %s %s", side, plural_is(side) ? "are" : "is", is);
		}
	}
	if (b.length)
		model_report(m, M_STATE_OF_SET, who->span, 2, buf_text(&b), of);
	bool found = b.length > 0;
	buf_free(&b);
	return found;
}

bool report_field_of_each(struct model *m, const struct node *n, int kind)
{
	int side = kind == KIND_SIDE && n->a && n->a->kind == N_KIND_E_NAME ? model_side(m, model_alias(m, n->a->name)) : -1, live = 0;
	if (side < 0 || model_field(m, KIND_COMBATANT, model_alias(m, n->name)) < 0)
		return false;
	while (live < m->live.n && m->live.v[live].side != side)
		live++;
	const char *field = model_text(m, n->name), *of = model_text(m, m->side.v[side].name);
	struct buf said = {0}, line = {0};
	size_t length;
	const char *text = sources_text(m->front->sources, n->span, &length);
	buf_add(&said, text, length);
	if (live < m->live.n)
		buf_printf(&line, "%s's %s; or, of all together: ", model_text(m, m->live.v[live].name), field);
	buf_printf(&line, "total (one's %s for one in %s)", field, of);
	model_report(m, M_SAID_OTHERWISE, n->span, 2, buf_text(&said), buf_text(&line));
	buf_free(&said);
	buf_free(&line);
	return true;
}

bool report_edit_of_each(struct model *m, const struct node *n)
{
	const struct node *path = n->a, *value = n->b;
	const bool owned =
		path && path->kind == N_KIND_E_FIELD && path->a && path->a->kind == N_KIND_E_NAME;
	const int side =
		owned && m->in_encounter >= 0 && value ? model_side(m, model_alias(m, path->a->name)) : -1;
	const int field = side < 0 ? -1 : model_field(m, KIND_COMBATANT, model_alias(m, path->name));
	if (!m->reporting || field < 0 || model_field(m, KIND_SIDE, model_alias(m, path->name)) >= 0)
		return false;
	for (int i = 0; i < m->live.n; i++)
		if (m->live.v[i].name == model_alias(m, path->a->name))
			return false; /* a combatant of the same name is meant */
	int live = 0;
	while (live < m->live.n && m->live.v[live].side != side)
		live++;
	const bool set = n->kind == N_KIND_S_SET, block = set && !m->field.v[field].kept;
	size_t place, after;
	const char *text = sources_text(m->front->sources, path->span, &place),
			   *is = sources_text(m->front->sources, value->span, &after);
	if (!block && live == m->live.n)
		return false;
	struct buf line = {0}, said = {0};
	buf_add(&said, text, place);
	if (block)
		buf_printf(&line, "%.*s: %.*s", (int)place, text, (int)after, is);
	else
		buf_printf(&line,
			set ? "set %s's %s = %.*s; and so for each of them"
				: "change %s's %s by %.*s; and so for each of them",
			model_text(m, m->live.v[live].name), model_text(m, path->name), (int)after, is);
	model_report(m, M_SAID_OTHERWISE, path->span, 2, buf_text(&said), buf_text(&line));
	buf_free(&line);
	buf_free(&said);
	return true;
}

bool report_tie(struct model *m, const struct node *n)
{
	const char *name = n->kind == N_KIND_E_NAME ? model_text(m, n->name) : "";
	struct buf b = {0};
	if (!m->reporting || !behind(name, "tie|draw") || model_option(m, n->name) < 0)
		return false;
	buf_printf(&b, "(no (one in sides where one is victorious)), where nobody wins; the option is part of a branch: { set option %s = .. }", name);
	model_report(m, M_SAID_OTHERWISE, n->span, 2, name, buf_text(&b));
	buf_free(&b);
	return true;
}

/* What stands behind "party wins" and belongs before it: on The Bridge, if Bruna flees, 100. */
static bool put_first(const char *rest, const char *alone, struct buf *out)
{
	const char *then;
	if (behind(rest, "on") || (*rest && strspn(rest, "0123456789") == strlen(rest)))
		buf_printf(out, "odds %s giving %s", rest, alone);
	else if ((then = behind(rest, "if|when")) != NULL && *then)
		buf_printf(out, "odds { %s } giving %s", then, alone);
	else if ((then = behind(rest, "without")) != NULL && *then)
		buf_printf(out, "odds { %s leaves } giving %s", then, alone);
	return out->length > 0;
}

void report_state_with(struct model *m, const struct node *n)
{
	size_t length, state = n->at.end - n->span.start;
	const char *text = sources_text(m->front->sources, n->span, &length), *rest = arena_text(m->arena, text + state, length - state);
	const char *alone = arena_text(m->arena, text, state);
	struct buf line = {0};
	if (put_first(rest + strspn(rest, " "), alone, &line)) {
		model_report(m, M_SAID_OTHERWISE, n->span, 2, arena_text(m->arena, text, length), buf_text(&line));
	} else {
		if (!said_measure(m->front, text, length, &line))
			buf_printf(&line, "(%s and round <= 5)", alone);
		model_report(m, M_STATE_ALONE, n->span, 2, alone, buf_text(&line));
	}
	buf_free(&line);
}

bool report_question(struct model *m, struct span at)
{
	size_t length;
	const char *text = sources_text(m->front->sources, at, &length), *line = arena_text(m->arena, text, length), *then = behind(line, "expect");
	const char *asked = said_question(line);
	struct buf b = {0};
	if (then && strchr(then, '%'))
		buf_printf(&b, "expect odds giving %s", then);
	else if (asked)
		buf_printf(&b, "odds giving %s", asked);
	else
		return false;
	model_report(m, then ? M_EXPECT_BOUND : M_ODDS_HEAD, at, 1, buf_text(&b));
	buf_free(&b);
	return true;
}

/* system: osric */
static bool report_rules_named(struct model *m, struct span at)
{
	const char *text = m->front->sources->file.v[at.file].text + at.start;
	const char *line = arena_text(m->arena, text, strcspn(text, ";\r\n"));
	const char *colon = strchr(line, ':');
	struct buf use = {0};
	const bool named = colon && (!strncmp(line, "system:", 7) || !strncmp(line, "rules:", 6) ||
		!strncmp(line, "ruleset:", 8) || !strncmp(line, "game:", 5));
	if (!named || !colon[1])
		return false;
	buf_printf(&use, "use %s", colon + 1 + strspn(colon + 1, " "));
	model_report(m, M_SAID_OTHERWISE, at, 2, line, buf_text(&use));
	buf_free(&use);
	return true;
}

void report_outside(struct model *m, struct span at)
{
	if (!report_question(m, at) && !report_rules_named(m, at))
		model_report(m, M_OUTSIDE, at, 0);
}

bool report_side_again(struct model *m, struct span at, sym name)
{
	int side = m->in_encounter >= 0 ? model_side(m, model_alias(m, name)) : -1;
	const char *rest = rest_of(m, at);
	if (side < 0 || *rest != ':')
		return false;
	rest += 1 + strspn(rest + 1, " ");
	size_t length = strcspn(rest, "}");
	while (length && rest[length - 1] == ' ')
		length--;
	const char *who = arena_text(m->arena, rest, length), *of = model_text(m, m->side.v[side].name);
	struct buf join = {0};
	buf_printf(&join, "%s %s %s", who, strspn(who, "0123456789 ") && strncmp(who, "1 ", 2) ? "join" : "joins", of);
	model_report(m, M_BRANCH_SIDE, at, 3, of, buf_text(&join), plural_is(of) ? "leave" : "leaves");
	buf_free(&join);
	return true;
}
