/* infer_name.c - what a name means where it stands: somebody, something, a word of a list, a question. */
#include <string.h>

#include "lang/check/infer.h"
#include "lang/front/lexicon.h"
#include "runtime/code/show.h"
#include "runtime/dice/formula.h"

/* Whether a run of words is a name of somebody or something here. */
static bool is_named(const struct scope *s, const char *text, size_t length)
{
	const struct model *m = s->m;
	sym name = intern_find(m->front->names, text, length);
	if (!name)
		return false;
	name = model_alias(m, name);
	for (int i = 0; i < s->vars; i++)
		if (s->var[i].name == name)
			return true;
	return model_thing(m, name, -1) >= 0 || model_live(m, name) >= 0 || model_side(m, name) >= 0;
}

static bool is_adjective(const struct model *m, sym name)
{
	for (int i = 0; i < m->question.n; i++)
		if (m->question.v[i].name == name && type_is(m->question.v[i].type, VT_BOOL) && m->question.v[i].subject >= 0)
			return true;
	return false;
}

/* "bow" for "short bow": the one thing with this word in its name; NULL if there are none or several. */
static const char *with_word(const struct model *m, const char *part)
{
	const char *found = NULL;
	size_t n = strlen(part);
	for (int i = 0; i < m->live.n + m->thing.n; i++) {
		const char *name = model_text(
			m, i < m->live.n ? m->live.v[i].name : m->thing.v[i - m->live.n].name);
		const char *at = strstr(name, part);
		if (!at || (at > name && at[-1] != ' ') || (at[n] && at[n] != ' '))
			continue;
		if (found && strcmp(found, name))
			return NULL;
		found = name;
	}
	return found;
}

/* "light bolts": what some thing says in a text, so that it is no thing of its own. */
static bool text_of_thing(const struct model *m, const char *said, struct buf *line)
{
	for (int i = 0; i < m->thing.n; i++)
		for (const struct node *f = m->thing.v[i].node ? m->thing.v[i].node->b : NULL; f;
			 f = f->next) {
			const struct node *v =
				f->kind == N_KIND_D_FIELD && f->a && f->a->kind == N_KIND_V_PLAIN ? f->a->a : NULL;
			if (!v || v->kind != N_KIND_E_TEXT || !v->text)
				continue;
			struct buf plural = {0};
			lexicon_plural(&plural, v->text);
			const size_t whole = plural.length, part = strlen(said);
			bool is = !strcmp(v->text, said) || !strcmp(buf_text(&plural), said);
			is |= part > 3 && whole > part && plural.data[whole - part - 1] == ' ' &&
				!strcmp(plural.data + whole - part, said);
			buf_free(&plural);
			if (is) {
				buf_printf(line,
					"\"%s\" is only the %s of a %s, and no thing of its own: leave it out.",
					v->text, model_text(m, f->name), model_text(m, m->thing.v[i].name));
				return true;
			}
		}
	return false;
}

/* "sword", "bow": the things of which it is one word, where there are several; of: their kind, or
 * -1. */
static bool with_words(const struct model *m, const char *part, int of, struct buf *line)
{
	enum { SHOWN = 8 };
	const size_t n = strlen(part);
	const char *last = "";
	int found = 0;
	for (int i = 0; i < m->thing.n; i++) {
		const int kind = kind_root(m, m->thing.v[i].kind);
		const char *name = model_text(m, m->thing.v[i].name), *at = strstr(name, part);
		if (!at || (at > name && at[-1] != ' ') || (at[n] && at[n] != ' ') ||
			(of >= 0 ? kind != of : kind == KIND_COMBATANT) || !strcmp(last, name) ||
			strpbrk(name, "+("))
			continue;
		last = name;
		if (found++ < SHOWN)
			buf_printf(line, "%s%s", found > 1 ? ", " : "There are: ", name);
	}
	buf_puts(line, found > SHOWN ? ", .." : ".");
	return found > 1;
}

static bool is_side(const struct model *m, const char *text, size_t length)
{
	sym name = intern_find(m->front->names, text, length);
	return name && model_side(m, model_alias(m, name)) >= 0;
}

/* Something told of one, and no adjective. */
static bool is_field(const struct model *m, int kind, const char *text)
{
	sym name = intern_find(m->front->names, text, strlen(text));
	int field = name ? model_field(m, kind, model_alias(m, name)) : -1;
	return field >= 0 && !type_is(m->field.v[field].type, VT_BOOL);
}

/* "party surprises orcs": orcs are surprised. Who it is done to is somebody, or a side of some. */
static bool suffered(const struct model *m, const char *verb, const char *whom, struct buf *out)
{
	size_t n = strlen(verb) - (verb[strlen(verb) - 1] == 's');
	bool side = is_side(m, whom, strlen(whom));
	for (int i = 0; i < m->question.n; i++) {
		const struct mquestion *q = &m->question.v[i];
		const char *state = model_text(m, q->name);
		size_t length = strlen(state);
		if (!type_is(q->type, VT_BOOL) || q->subject != KIND_COMBATANT || length < n || strncmp(state, verb, n) != 0 || (strcmp(state + n, "d") != 0 && strcmp(state + n, "ed") != 0))
			continue;
		if (side)
			buf_printf(out, "(any (one in %s where one is %s))", whom, state);
		else
			buf_printf(out, "%s is %s", whom, state);
		return true;
	}
	return false;
}

/* Who begins a run of words that has no verb; "": nobody. */
const char *infer_doer(const struct scope *s, const char *text)
{
	for (const char *cut = strchr(text, ' '); cut; cut = strchr(cut + 1, ' ')) {
		sym name = intern_find(s->m->front->names, text, (size_t)(cut - text));
		name = name ? model_alias(s->m, name) : 0;
		if (name && cut[1] != '#' && (model_live(s->m, name) >= 0 || is_side(s->m, text, (size_t)(cut - text))))
			return arena_text(s->m->arena, text, (size_t)(cut - text));
	}
	return "";
}

/* What was meant by two words run together: "Bruna Korg" without its comma, "epxect Bruna" with a
 * slip in the first word, "Bruna atacks" where *verb is set. NULL: no idea. Lives in the arena. */
static const char *of_two(const struct scope *s, const char *text, bool *verb)
{
	static const char *const starts[] = {"expect", "set", "change", "side", "until"};
	sym tail;
	const struct model *m = s->m;
	struct buf b = {0};
	*verb = false;
	for (const char *cut = strchr(text, ' '); cut && !b.length; cut = strchr(cut + 1, ' ')) {
		size_t left = (size_t)(cut - text);
		const char *right = cut + 1;
		const char *last = strchr(right, ' ');
		if (last && is_named(s, text, left) && is_named(s, last + 1, strlen(last + 1)) && suffered(m, arena_text(m->arena, right, (size_t)(last - right)), last + 1, &b)) {
			*verb = true;
		} else if (is_named(s, text, left) && is_named(s, right, strlen(right))) {
			buf_printf(&b, "%.*s, %s", (int)left, text, right);
		} else if (is_named(s, text, left) && is_field(m, is_side(m, text, left) ? KIND_SIDE : KIND_COMBATANT, right)) {
			buf_printf(&b, "%.*s's %s", (int)left, text, right);
		} else if (is_named(s, text, left) && (tail = intern_find(m->front->names, right, strlen(right))) != 0 && is_adjective(m, tail)) {
			bool many = is_side(m, text, left);
			if (many && model_question_of(m, KIND_SIDE, tail, true) < 0)
				buf_printf(&b, "(no (one in %.*s where one is not %s))", (int)left, text, right);
			else
				buf_printf(&b, "%.*s %s %s", (int)left, text, many ? "are" : "is", right);
		} else if (is_named(s, right, strlen(right))) {
			const char *start = diag_nearest(arena_text(m->arena, text, left), starts, FRAY_COUNT(starts));
			if (start && m->in_encounter >= 0)
				buf_printf(&b, "%s %s", start, right);
			else if (!strncmp(text, "all ", 4) || !strncmp(text, "that ", 5))
				buf_puts(&b, right);
		} else if (is_named(s, text, left) && m->in_encounter >= 0) {
			VEC(const char *) names = {0};
			VEC_PUSH(names, "acts");
			for (int i = 0; i < m->event.n; i++)
				if (m->event.v[i].node) {
					struct buf form = {0};
					buf_printf(&form, "%ss", model_text(m, m->event.v[i].name));
					VEC_PUSH(names, arena_text(m->arena, form.data, form.length));
					buf_free(&form);
				}
			for (int i = 0; i < m->alias.n; i++)
				if (model_event(m, m->alias.v[i].from) >= 0)
					VEC_PUSH(names, model_text(m, m->alias.v[i].from));
			size_t end = strcspn(right, " ");
			const char *best = diag_nearest(arena_text(m->arena, right, end), names.v, names.n);
			if (best) {
				buf_printf(&b, "%.*s %s%s", (int)left, text, best, right + end);
				*verb = true;
			}
			VEC_FREE(names);
		}
	}
	const char *found = b.length ? arena_text(m->arena, b.data, b.length) : NULL;
	buf_free(&b);
	return found;
}

/* `distance: 5 ft - they are close`: words that nobody knows behind a dash with blanks around it; not alone, when
 * there is a name like them, more words than these. */
static bool report_dash(struct scope *s, const struct node *n, bool alone)
{
	struct model *m = s->m;
	const struct sources *sources = m->front->sources;
	const char *text = sources->file.v[n->span.file].text;
	uint32_t dash = n->span.start, end = n->span.end;
	for (; dash && text[dash - 1] != '\n' && text[dash - 1] != '{' && text[dash - 1] != ';'; dash--)
		if (dash > 2 && text[dash - 1] == ' ' && text[dash - 2] == '-' && text[dash - 3] == ' ')
			break;
	if (dash < 3 || text[dash - 2] != '-' || n->span.start - dash > FRAY_NAME_MAX)
		return false;
	while (text[end] && !strchr("\n;}", text[end]) && strncmp(text + end, "--", 2) != 0)
		end++;
	while (end > dash && strchr(" \t\r", text[end - 1]))
		end--;
	if (!alone && n->span.end == end)
		return false;
	const struct span said = {n->span.file, dash, end};
	for (int i = 0; i < m->said.n; i++) /* the other words of the same comment */
		if (m->said.v[i].file == said.file && m->said.v[i].start <= dash && dash <= m->said.v[i].end)
			return true;
	model_report(m, M_DASH, said, 1, arena_text(m->arena, text + dash, end - dash));
	return true;
}

/* Whether the words stand behind one of those that ask what somebody does. */
static bool is_asked(const struct scope *s, const struct node *n)
{
	static const char *const words[] = {"why ", "not ", "expect "};
	const char *text = s->m->front->sources->file.v[n->span.file].text;
	for (size_t i = 0; i < FRAY_COUNT(words); i++) {
		const size_t length = strlen(words[i]);
		if (n->span.start >= length && !strncmp(text + n->span.start - length, words[i], length))
			return true;
	}
	return false;
}

/* "why not foes check morale": of several words the first one names nobody. */
static bool report_nobody_here(struct scope *s, const struct node *n)
{
	struct model *m = s->m;
	const char *text = model_text(m, n->name), *cut = strchr(text, ' ');
	struct buf sides = {0};
	if (!cut || cut[1] == '#' || !is_asked(s, n))
		return false;
	for (int i = 0; i < m->side.n; i++)
		buf_printf(&sides, "%s%s", i ? ", " : "", model_text(m, m->side.v[i].name));
	model_report(m, M_NOBODY_HERE, n->span, 2, arena_text(m->arena, text, (size_t)(cut - text)), buf_text(&sides));
	buf_free(&sides);
	return true;
}

/* "attacks Bruna when orc #1 dies": for what happens a line waits with "as soon as". */
static bool report_cue_meant(struct model *m, const struct node *n)
{
	const char *text = m->front->sources->file.v[n->span.file].text;
	struct span at = n->span;
	struct buf meant = {0}, line = {0};
	if (m->in_encounter < 0 || at.start < 6 || strncmp(text + at.start - 5, "when ", 5) != 0)
		return false;
	at.start -= 5;
	buf_printf(&meant, "as soon as %s", model_text(m, n->name));
	const bool found = statement_with(m, at, buf_text(&meant), &line);
	if (found)
		model_report(m, M_SAID_OTHERWISE, at, 2,
			arena_text(m->arena, text + at.start, at.end - at.start), buf_text(&line));
	buf_free(&meant);
	buf_free(&line);
	return found;
}

static void report_name(struct scope *s, struct node *n, struct type *expected)
{
	struct model *m = s->m;
	if (!m->reporting)
		return;
	int option = m->in_encounter >= 0 ? model_option(m, n->name) : -1;
	if (option >= 0 && m->option.v[option].kind < 0) {
		report_option(m, M_OPTION_OF_RULES, n->span, option);
		return;
	}
	if (report_verb_said(m, n->span) || report_side_outside(m, n->span, n->name) ||
		(m->in_encounter >= 0 && report_second_doer(m, n->span)))
		return;
	const char *meant = time_meant(s, n->name);
	if (!meant)
		meant = meant_line(s, n);
	if (!meant)
		meant = name_slip(s, n, expected);
	if (meant) {
		model_report(m, M_SAID_OTHERWISE, n->span, 2, model_text(m, n->name), meant);
		return;
	}
	struct name_list names = {0};
	for (int i = 0; i < s->vars; i++)
		VEC_PUSH(names.at, model_text(m, s->var[i].name));
	/* a field that holds a sort of thing is given no other */
	const struct type *holds = s->written && expected ? type_find(expected) : NULL;
	const int of = holds && holds->base == VT_THING && holds->kind >= 0 ? kind_root(m, holds->kind) : -1;
	for (int i = 0; i < m->thing.n; i++)
		if (of < 0 || kind_root(m, m->thing.v[i].kind) == of)
			VEC_PUSH(names.at, model_text(m, m->thing.v[i].name));
	for (int i = 0; i < m->live.n; i++)
		VEC_PUSH(names.at, model_text(m, m->live.v[i].name));
	for (int i = 0; i < m->alias.n; i++)
		VEC_PUSH(names.at, model_text(m, m->alias.v[i].from));
	for (int i = 0; i < m->side.n; i++)
		VEC_PUSH(names.at, model_text(m, m->side.v[i].name));
	for (int i = 0; i < m->field.n; i++)
		if (m->field.v[i].kind == KIND_ENCOUNTER)
			VEC_PUSH(names.at, model_text(m, m->field.v[i].name));
	model_unread(m, of, &names);
	struct buf several = {0};
	const struct type *wanted = expected ? type_find(expected) : NULL;
	const bool listed = wanted && wanted->base == VT_THING &&
		with_words(m, intern_folded(m->front->names, n->name),
			wanted->kind < 0 ? -1 : kind_root(m, wanted->kind), &several);
	const char *best = listed ? NULL : diag_nearest(model_text(m, n->name), names.at.v, names.at.n);
	bool verb = false;
	if (!best && !listed)
		best = of_two(s, model_text(m, n->name), &verb);
	if (!best && !listed)
		best = with_word(m, model_text(m, n->name));
	if (report_dash(s, n, !best)) {
		VEC_FREE(names.at);
		buf_free(&several);
		return;
	}
	/* "expect not (Bruna acts)" */
	bool deed = verb && !strcmp(best, model_text(m, n->name));
	if (deed && report_cue_meant(m, n)) {
		VEC_FREE(names.at);
		buf_free(&several);
		return;
	}
	const char *who = best || m->in_encounter < 0 ? "" : infer_doer(s, model_text(m, n->name));
	if (!best && !*who && m->in_encounter >= 0 && s->scene && m->side.n && (!expected || type_find(expected)->base == VT_BOOL || type_find(expected)->base == VT_UNKNOWN) && report_nobody_here(s, n)) {
		VEC_FREE(names.at);
		buf_free(&several);
		return;
	}
	struct diag d = diag_make(deed ? M_DEED_INSIDE : verb ? M_NO_VERB_OF_NEAR : best ? M_NO_NAME_NEAR : *who ? M_NO_VERB_OF : M_NO_NAME, n->span);
	struct buf line = {0}, more = {0};
	diag_arg(&d, model_text(m, n->name));
	diag_arg(&d, best ? best : who);
	bool side = is_side(m, who, strlen(who));
	bool many = side && who[strlen(who) - 1] == 's';
	diag_arg(&d, many ? "win" : side ? "wins" : "dies");
	diag_arg(&d, many ? "are down" : side ? "is down" : "is dead");
	expected = expected ? type_find(expected) : NULL;
	if (listed) {
		diag_line(&d, buf_text(&several));
	} else if (expected && expected->base != VT_UNKNOWN && expected->base != VT_BOOL && !best) {
		const char *example = type_example(m, expected);
		if (s->written)
			buf_printf(&line, "Needed in \"%s\": ", model_text(m, s->written));
		else
			buf_puts(&line, "Needed here: ");
		type_print(m, expected, &line);
		if (strcmp(example, "..") != 0)
			buf_printf(&line, ", such as: %s", example);
		diag_line(&d, buf_text(&line));
		if (expected->base == VT_THING && text_of_thing(m, model_text(m, n->name), &more))
			diag_line(&d, buf_text(&more));
	} else if (s->written && expected && expected->base != VT_UNKNOWN) {
		buf_printf(&line, "The field \"%s\" holds ", model_text(m, s->written));
		type_print(m, expected, &line);
		buf_puts(&line, ".");
		diag_line(&d, buf_text(&line));
	} else if (s->asked && !best && !*who && m->live.n && m->side.n) {
		const char *first = model_text(m, m->side.v[0].name);
		buf_printf(&line, "Odds tell what happens: %s dies, %s %s; how it stands: (round > 3); and numbers: average round", model_text(m, m->live.v[0].name), first, plural_is(first) ? "win" : "wins");
		diag_line(&d, buf_text(&line));
	}
	if (!line.length && !best && m->in_encounter < 0 && s->vars) {
		buf_puts(&line, "Known here: ");
		for (int i = 0; i < s->vars; i++)
			buf_printf(&line, "%s%s", i ? ", " : "", model_text(m, s->var[i].name));
		diag_line(&d, buf_text(&line));
	}
	if (!line.length && !best && !*who && !listed && m->in_encounter >= 0 && m->live.n) {
		VEC(const char *) here = {0};
		for (int i = 0; i < m->live.n; i++)
			VEC_PUSH(here, model_text(m, m->live.v[i].name));
		buf_puts(&line, "Here are: ");
		diag_list(here.v, here.n, NULL, 8, &line);
		buf_putc(&line, '.');
		diag_line(&d, buf_text(&line));
		VEC_FREE(here);
	}
	model_send(m, &d);
	buf_free(&line);
	buf_free(&more);
	buf_free(&several);
	VEC_FREE(names.at);
}

/* "party wins", "Bruna survives" inside a condition: an adjective said as a verb. The node becomes
 * what it means: party is victorious. */
static bool adjective_of(struct scope *s, struct node *n)
{
	struct model *m = s->m;
	const char *text = model_text(m, n->name);
	for (const char *cut = strchr(text, ' '); cut; cut = strchr(cut + 1, ' ')) {
		sym tail = intern_find(m->front->names, cut + 1, strlen(cut + 1)), means = tail ? model_alias(m, tail) : 0;
		if (means == tail || !is_adjective(m, means) || !is_named(s, text, (size_t)(cut - text)))
			continue;
		struct node *who = node_new(m->arena, N_KIND_E_NAME, n->span), *what = node_new(m->arena, N_KIND_E_NAME, n->span);
		who->name = intern_put(m->front->names, text, (size_t)(cut - text));
		what->name = means;
		who->at = what->at = n->at;
		n->kind = N_KIND_E_IS;
		n->a = who;
		n->b = what;
		n->name = 0;
		n->num = 0;
		return true;
	}
	return false;
}

static int first_of(const struct model *m, int thing)
{
	int i = 0;
	while (i + 1 < m->live.n && m->live.v[i].thing != thing)
		i++;
	return i;
}

/* A ruleset's words are its own: it cannot mean what is declared nearer to the table under the same name. */
static bool beyond(const struct scope *s, int thing)
{
	const struct model *m = s->m;
	int module = s->clause >= 0 ? m->clause.v[s->clause].module : -1;
	return module >= 0 && m->module.v[module].layer <= LAYER_RULESET && m->module.v[m->thing.v[thing].module].layer > LAYER_RULESET;
}

struct type *infer_name(struct scope *s, struct node *n, struct type *expected)
{
	struct model *m = s->m;
	sym name = model_alias(m, n->name);
	struct var *v = scope_find(s, name);
	if (!v && name != n->name)
		v = scope_find(s, n->name);
	if (v) {
		n->ref_kind = REF_LOCAL;
		n->frac = v->frac;
		return v->type;
	}
	if (expected && type_is(expected, VT_WORD)) { /* whatever else is called so */
		n->ref_kind = REF_WORD;
		return expected;
	}
	if (name == m->w.now) {
		n->ref_kind = REF_NOW;
		return type_new(m, VT_TIME, -1);
	}
	if (name == m->w.cause) {
		n->ref_kind = REF_CAUSE;
		return live_type(s, KIND_ACT);
	}
	if (name == m->w.act && s->event >= 0 && s->clause >= 0 && m->event.v[s->event].action && !s->in_costs) {
		int sort = m->clause.v[s->clause].sort;
		n->ref_kind = sort == CLAUSE_FORBID || sort == CLAUSE_PERMIT || sort == CLAUSE_NEEDS ? REF_JUDGED : REF_CAUSE;
		return live_type(s, KIND_ACT);
	}
	if (name == m->w.encounter || name == m->w.round) {
		n->ref_kind = REF_SINGLE;
		n->ref = name == m->w.round ? KIND_ROUND : KIND_ENCOUNTER;
		return live_type(s, n->ref);
	}
	if (name == m->w.pending_acts || name == m->w.acts) {
		n->ref_kind = REF_PENDING;
		return type_set(m, live_type(s, KIND_ACT));
	}
	if (s->thing >= 0) {
		int kind = m->thing.v[s->thing].kind;
		for (int k = kind; k >= 0; k = m->kind.v[k].isa)
			if (m->kind.v[k].name == name && !m->kind.v[kind_root(m, k)].live) {
				n->ref_kind = REF_OWN_NAME;
				n->ref = s->thing;
				return type_new(m, VT_THING, kind_root(m, k));
			}
	}
	if (m->in_encounter >= 0) {
		/* who is called so himself comes before what an alias of the rules means */
		int side = model_side(m, n->name), live = model_live(m, n->name);
		if (side < 0 && live < 0) {
			side = model_side(m, name);
			live = model_live(m, name);
		}
		if (live >= 0) {
			n->ref_kind = REF_LIVE;
			n->ref = live;
			return live_type(s, KIND_COMBATANT);
		}
		if (side >= 0) {
			n->ref_kind = REF_SIDE;
			n->ref = side;
			return live_type(s, KIND_SIDE);
		}
	}
	int kind = model_kind(m, name);
	if (kind >= 0 && m->kind.v[kind].plural == name && m->kind.v[kind_root(m, kind)].live) {
		n->ref_kind = REF_KIND_ALL;
		n->ref = kind_root(m, kind);
		return type_set(m, live_type(s, kind_root(m, kind)));
	}
	struct type *e = expected ? type_find(expected) : NULL;
	int thing = model_thing_at(m, n->span, name, -1);
	if (thing >= 0 && !(e && e->base == VT_THING) && beyond(s, thing))
		thing = -1;
	if (thing >= 0 && e && e->base == VT_THING && e->kind >= 0) {
		int better = model_thing_at(m, n->span, name, kind_root(m, e->kind));
		if (better >= 0)
			thing = better;
	}
	bool wants_word = e && (e->base == VT_WORD || e->base == VT_EVENT || e->base == VT_TEXT);
	if (thing >= 0 && !wants_word) {
		if (kind_root(m, m->thing.v[thing].kind) == KIND_COMBATANT) {
			/* a combatant named outside its encounter: whoever bears the name there */
			n->ref_kind = REF_LIVE;
			n->ref = -1;
			if (m->in_encounter >= 0) {
				int bearer = -1, bearers = 0;
				for (int i = 0; i < m->live.n; i++)
					if (m->live.v[i].thing == thing) {
						bearer = i;
						bearers++;
					}
				if (bearers == 1)
					n->ref = bearer;
				else if (bearers > 1)
					model_report(m, M_WHICH, n->span, 2, model_text(m, n->name), model_text(m, m->live.v[first_of(m, thing)].name));
				else if (s->scene)
					model_report(m, M_NOT_HERE, n->span, 1, model_text(m, n->name));
			}
			return live_type(s, KIND_COMBATANT);
		}
		n->ref = thing;
		if (kind_borne(m, m->thing.v[thing].kind) && !(e && e->base == VT_THING)) {
			n->ref_kind = REF_ITEM; /* whoever it is about has one */
			return live_type(s, kind_root(m, m->thing.v[thing].kind));
		}
		n->ref_kind = REF_THING;
		return type_new(m, VT_THING, m->thing.v[thing].kind);
	}
	int field = model_field(m, KIND_ENCOUNTER, name);
	if (field >= 0 && !wants_word) {
		n->ref_kind = REF_FIELD_OF_ENCOUNTER;
		n->ref = field;
		n->frac = m->field.v[field].frac;
		return m->field.v[field].type;
	}
	int q = model_question_of(m, KIND_ENCOUNTER, name, false);
	if (q >= 0 && !wants_word) {
		n->ref_kind = REF_QUESTION;
		n->ref = q;
		n->frac = m->question.v[q].frac;
		return m->question.v[q].type;
	}
	if (e && e->base == VT_EVENT) {
		int event = model_event(m, name);
		if (event >= 0) {
			n->ref_kind = REF_EVENT;
			n->ref = event;
			return expected;
		}
	}
	if (e && e->base == VT_WORD) {
		n->ref_kind = REF_WORD;
		return expected;
	}
	if (m->in_encounter >= 0) {
		thing = model_thing_plural(m, name, -1);
		if (thing >= 0 && kind_root(m, m->thing.v[thing].kind) == KIND_COMBATANT) {
			n->ref_kind = REF_ISA; /* all of that template */
			n->ref = thing;
			return type_set(m, live_type(s, KIND_COMBATANT));
		}
		int folded = -1, count = 0;
		const char *t = intern_folded(m->front->names, name);
		size_t length = strlen(t);
		for (int i = 0; i < m->live.n; i++) {
			const char *l = intern_folded(m->front->names, m->live.v[i].name);
			if (!strncmp(l, t, length) && !strncmp(l + length, " #", 2)) {
				folded = i;
				count++;
			}
		}
		if (count == 1) {
			n->ref_kind = REF_LIVE;
			n->ref = folded;
			return live_type(s, KIND_COMBATANT);
		}
	}
	thing = model_thing_plural(m, name, -1);
	if (thing >= 0 && e && e->base == VT_THING) {
		n->ref_kind = REF_THING;
		n->ref = thing;
		return type_new(m, VT_THING, m->thing.v[thing].kind);
	}
	if (adjective_of(s, n))
		return infer_is(s, n);
	n->ref_kind = REF_UNKNOWN;
	if (!e || e->base != VT_UNKNOWN || m->pass > 6)
		report_name(s, n, expected);
	else if (m->reporting)
		report_name(s, n, expected);
	return node_type(s, n);
}
