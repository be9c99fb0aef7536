/* infer_slip.c - what was meant by names and values as they stand in notes and in other games'
 * books: "the first orc", "nearest enemy", 1d10 + 2, mace +1, `mace and chain mail`. Each comes to
 * the text to write instead. */
#include <string.h>

#include "lang/check/infer.h"
#include "lang/front/lexicon.h"

static const char *kept(struct model *m, struct buf *b)
{
	const char *text = b->length ? arena_text(m->arena, b->data, b->length) : NULL;
	buf_free(b);
	return text;
}

/* ---- names ---- */

static bool is_live(const struct model *m, const char *text, size_t length)
{
	sym name = intern_find(m->front->names, text, length);
	for (int i = 0; name && i < m->live.n; i++)
		if (m->live.v[i].name == model_alias(m, name))
			return true;
	return false;
}

/* How many are numbered so: orc #1, orc #2. */
static int numbered(const struct model *m, const char *text, size_t length)
{
	int n = 0;
	for (int i = 0; i < m->live.n; i++) {
		const char *name = model_text(m, m->live.v[i].name);
		n += !strncmp(name, text, length) && !strncmp(name + length, " #", 2);
	}
	return n;
}

/* "first cave orc", "cave orc #7" of five */
static const char *one_of_several(struct model *m, const char *said)
{
	int64_t ordinal;
	const char *number = strstr(said, " #"), *cut = strchr(said, ' ');
	struct buf b = {0};
	if (number && number[2] && strspn(number + 2, "0123456789") == strlen(number + 2) &&
		numbered(m, said, (size_t)(number - said)) > 0) {
		const int n = numbered(m, said, (size_t)(number - said));
		buf_printf(&b, "%.*s #1 .. #%d: there are %d of them", (int)(number - said), said, n, n);
		return kept(m, &b);
	}
	if (cut && ordinal_read(said, &ordinal) == (size_t)(cut - said) && ordinal > 0 &&
		ordinal <= numbered(m, cut + 1, strlen(cut + 1))) {
		buf_printf(&b, "%s #%d", cut + 1, (int)ordinal);
		return kept(m, &b);
	}
	return NULL;
}

/* Whether combatants have something of this name: a field, or what rules work out. */
static bool of_combatant(const struct model *m, sym name)
{
	for (int i = 0; i < m->question.n; i++)
		if (m->question.v[i].subject == KIND_COMBATANT && m->question.v[i].name == name &&
			!type_is(m->question.v[i].type, VT_BOOL))
			return true;
	const int field = model_field(m, KIND_COMBATANT, name);
	return field >= 0 && !m->field.v[field].hidden;
}

/* "cave orc #1 twice", "Grak if able": somebody, and more words where only somebody is needed. */
static const char *somebody_first(struct model *m, const char *said)
{
	struct buf b = {0};
	for (const char *cut = strrchr(said, ' '); cut && cut > said; ) {
		const size_t length = (size_t)(cut - said);
		if (is_live(m, said, length) && cut[1] != '#') {
			buf_printf(&b, strncmp(cut, " if ", 4) ? "%.*s" : "%.*s when .., and what has to be so",
				(int)length, said);
			if (!strcmp(cut, " twice"))
				buf_printf(&b, " then %.*s; how often a combatant attacks, the rules say",
					(int)length, said);
			else if (!strcmp(cut, " first"))
				buf_puts(&b, "; who acts first, the rules decide");
			else if (!strcmp(cut, " every round") || !strcmp(cut, " each round"))
				buf_puts(&b, "; for every round, above the encounter: policy brave { attack my "
					"nearest enemy }, and here: Bruna follows brave");
			break;
		}
		do
			cut--;
		while (cut > said && *cut != ' ');
	}
	return kept(m, &b);
}

const char *infer_named_first(struct model *m, const char *text, size_t length)
{
	return somebody_first(m, arena_text(m->arena, text, length));
}

/* "target carries shield": what a list of things holds is asked with `has`. */
static const char *has_of_words(struct scope *s, const char *said)
{
	struct model *m = s->m;
	for (int i = 0; i < s->vars; i++) {
		const char *who = model_text(m, s->var[i].name);
		const size_t n = strlen(who);
		if (strncmp(said, who, n) || said[n] != ' ')
			continue;
		const char *list = said + n + 1;
		for (const char *cut = strchr(list, ' '); cut; cut = strchr(cut + 1, ' ')) {
			const sym of = intern_find(m->front->names, list, (size_t)(cut - list));
			const sym what = intern_find(m->front->names, cut + 1, strlen(cut + 1));
			const int field = of ? model_field(m, KIND_COMBATANT, model_alias(m, of))
					     : -1;
			if (field < 0 || !type_is(m->field.v[field].type, VT_LIST) || !what ||
				(model_thing(m, model_alias(m, what), -1) < 0 &&
					model_kind(m, model_alias(m, what)) < 0))
				continue;
			struct buf b = {0};
			buf_printf(&b, "%s's %.*s has %s", who, (int)(cut - list), list, cut + 1);
			return kept(m, &b);
		}
	}
	return NULL;
}

/* "two orcs", where one is needed: how many they are is no matter, which one is. */
static const char *one_of_counted(struct model *m, const char *said)
{
	static const char *const counts[] = {"two ", "three ", "four ", "five ", "six ", "some ",
		"both ", "several ", "all ", "every "};
	struct buf b = {0};
	for (size_t i = 0; i < FRAY_COUNT(counts); i++) {
		const size_t length = strlen(counts[i]);
		if (strncmp(said, counts[i], length) != 0)
			continue;
		for (int k = 0; k < m->live.n && !b.length; k++) {
			const char *name = model_text(m, m->live.v[k].name),
				   *mark = strstr(name, " #");
			struct buf one = {0}, many = {0};
			buf_add(&one, name, mark ? (size_t)(mark - name) : strlen(name));
			lexicon_plural(&many, buf_text(&one));
			if (!strcmp(buf_text(&many), said + length) ||
				!strcmp(buf_text(&one), said + length))
				buf_printf(&b, "one of them: %s", name);
			buf_free(&one);
			buf_free(&many);
		}
	}
	return kept(m, &b);
}

const char *first_of_line(struct model *m, struct span at)
{
	struct buf line = {0};
	const char *first = m->live.n ? model_text(m, m->live.v[0].name) : "Bruna";
	statement_with(m, at, "", &line);
	for (int i = 0; i < m->live.n; i++) {
		const char *name = model_text(m, m->live.v[i].name);
		if (!strncmp(buf_text(&line), name, strlen(name)))
			first = name;
	}
	buf_free(&line);
	return first;
}

/* Somebody of another side than whom the line begins with. */
static const char *opponent_of(struct model *m, const struct node *n)
{
	int side = -1, found = m->live.n - 1;
	const char *first = first_of_line(m, n->span);
	for (int i = 0; i < m->live.n && side < 0; i++)
		if (!strcmp(model_text(m, m->live.v[i].name), first))
			side = m->live.v[i].side;
	for (int i = 0; i < m->live.n && side >= 0; i++)
		if (m->live.v[i].side != side)
			found = i;
	return model_text(m, m->live.v[found].name);
}

/* "it", "everyone": a word for somebody who has a name. */
static const char *by_name(struct model *m, const struct node *n, const char *said)
{
	static const char *const all[] = {"all", "everyone", "everybody", "both", "we", "us"};
	static const char *const one[] = {"it", "he", "she", "him", "her"};
	struct buf b = {0};
	for (size_t i = 0; i < FRAY_COUNT(all) && m->side.n; i++)
		if (!strcmp(said, all[i])) {
			buf_puts(&b, "the side, or who is meant: ");
			for (int k = 0; k < m->side.n; k++)
				buf_printf(&b, "%s%s", k ? ", " : "",
					model_text(m, m->side.v[k].name));
		}
	for (size_t i = 0; i < FRAY_COUNT(one) && m->live.n; i++)
		if (!strcmp(said, one[i]))
			buf_printf(&b, "the name, such as: %s", opponent_of(m, n));
	return kept(m, &b);
}

/* "Ann and Bob attack each other": a line for each of the two. */
static const char *each_other(struct model *m, const struct node *n, const char *said)
{
	struct buf line = {0}, b = {0};
	if (strcmp(said, "each other") != 0 && strcmp(said, "one another") != 0)
		return NULL;
	if (statement_with(m, n->span, "", &line)) {
		while (line.length && line.data[line.length - 1] == ' ')
			line.data[--line.length] = '\0';
		const char *text = buf_text(&line), *and = strstr(text, " and ");
		const char *verb = and ? strrchr(and + 5, ' ') : NULL;
		if (verb) {
			const int one = (int)(and - text), other = (int)(verb - and - 5);
			buf_printf(&b, "%.*s%ss %.*s; %.*s%ss %.*s", one, text, verb, other, and+5,
				other, and+5, verb, one, text);
		}
	}
	buf_free(&line);
	return kept(m, &b);
}

/* "Bruna full attack orc #2": more words than a name before the verb. */
static const char *name_before_verb(struct model *m, const struct node *n, const char *said)
{
	const struct source *f = &m->front->sources->file.v[n->span.file];
	const char *next = f->text + n->span.end + strspn(f->text + n->span.end, " ");
	const size_t length = strcspn(next, " \t\r\n;}");
	const sym verb = intern_find(m->front->names, next, length);
	const struct lex_entry *e = verb ? lexicon_find(m->front->lexicon, verb, LEX_VERB) : NULL;
	const char *who = e && e->flags & LEX_ACTION ? somebody_first(m, said) : NULL;
	struct buf line = {0};
	const size_t first = who ? strlen(who) : 0;
	if (who && said[first] == ' ' && is_live(m, said + first + 1, strlen(said + first + 1))) {
		buf_printf(
			&line, "%s %.*s %s", said + first + 1, (int)length, next, who); /* orc #1 Ann attacks */
		return kept(m, &line);
	}
	if (!who || !statement_with(m, n->span, who, &line)) {
		buf_free(&line);
		return who;
	}
	char *against = strstr(line.data, " against "); /* readies an attack against orc #2 */
	if (against)
		memmove(against + 1, against + 9, strlen(against + 9) + 1);
	line.length = strlen(line.data);
	return kept(m, &line);
}

const char *name_slip(struct scope *s, const struct node *n, struct type *expected)
{
	static const char *const helpers[] = {" will", " shall", " tries to", " wants to", " must",
		" then", " now", " also", " is going to"};
	struct model *m = s->m;
	const char *said = model_text(m, n->name), *several = one_of_several(m, said);
	bool me = false;
	struct buf b = {0};
	for (int i = 0; i < s->vars; i++)
		me |= s->var[i].name == m->w.me;
	if (several)
		return several;
	const char *chosen = chosen_of_several(s, n);
	if (!chosen && m->in_encounter < 0)
		chosen = value_meant_here(s, n);
	if (chosen)
		return chosen;
	if (expected && type_is(expected, VT_LIVE)) {
		const char *first = somebody_first(m, said);
		if (first)
			return first;
	}
	const char *other = one_of_counted(m, said);
	if (!other)
		other = each_other(m, n, said);
	if (!other && m->in_encounter >= 0 && !me)
		other = by_name(m, n, intern_folded(m->front->names, n->name));
	if (!other && m->in_encounter >= 0)
		other = name_before_verb(m, n, said);
	if (other)
		return other;
	const char *dot = strchr(said, '.');
	if (dot && dot > said && dot[1] &&
		is_live(m, said, (size_t)(dot - said))) { /* Ann.hit points */
		buf_printf(&b, "%.*s's %s", (int)(dot - said), said, dot + 1);
		return kept(m, &b);
	}
	if (n->name == m->w.me && !me && m->in_encounter >= 0 && m->live.n) {
		buf_printf(&b, "the name, such as: %s's nearest enemy; \"my\" and \"me\" are for policies",
			model_text(m, m->live.v[0].name));
		return kept(m, &b);
	}
	const char *borne = has_of_words(s, said);
	if (borne)
		return borne;
	const char *whose = me ? NULL : whose_slip(s, said);
	if (whose)
		return whose;
	for (size_t i = 0; i < FRAY_COUNT(helpers); i++) {
		const size_t length = strlen(said), end = strlen(helpers[i]);
		if (length > end && !strcmp(said + length - end, helpers[i]) &&
			is_live(m, said, length - end)) {
			buf_add(&b, said, length - end);
			return kept(m, &b);
		}
	}
	if (me && of_combatant(m, model_alias(m, n->name))) {
		buf_printf(&b, "my %s", said);
		return kept(m, &b);
	}
	const char *of =
		m->in_encounter >= 0 && !s->written && m->live.n && of_combatant(m, model_alias(m, n->name))
		? model_text(m, m->live.v[0].name)
		: NULL;
	if (of)
		buf_printf(&b, "whose it is, such as: %s's %s", of, said);
	return kept(m, &b);
}

/* What is unknown by this name was said already. */
static void note_unknown(struct model *m, const char *text, size_t length)
{
	struct buf plural = {0}, one = {0};
	buf_add(&one, text, length);
	lexicon_plural(&plural, buf_text(&one));
	VEC_PUSH(m->unknown, intern_put(m->front->names, one.data, one.length));
	VEC_PUSH(m->unknown, intern_put(m->front->names, plural.data, plural.length));
	buf_free(&plural);
	buf_free(&one);
}

void report_parent_words(struct model *m)
{
	static const char *const words[] = {" like ", " extends ", " as ", " from ", " inherits "};
	for (int i = 0; i < m->thing.n; i++) {
		const struct mthing *x = &m->thing.v[i];
		const char *name = model_text(m, x->name);
		for (size_t k = 0; k < FRAY_COUNT(words) && m->module.v[x->module].own && x->node &&
			 !x->node->num && x->parent < 0;
			 k++) {
			const char *cut = strstr(name, words[k]), *of = cut ? cut + strlen(words[k]) : NULL;
			of = of && !strncmp(of, "an ", 3) ? of + 3 : of && !strncmp(of, "a ", 2) ? of + 2 : of;
			sym parent = of ? intern_find(m->front->names, of, strlen(of)) : 0;
			if (!parent || model_thing(m, model_alias(m, parent), kind_root(m, x->kind)) < 0)
				continue;
			struct buf line = {0};
			buf_printf(&line, "%s %.*s is %s with { .. }", model_text(m, m->kind.v[x->kind].name),
				(int)(cut - name), name, of);
			note_unknown(m, name, (size_t)(cut - name));
			model_report(m, M_SAID_OTHERWISE, x->node->at, 2, name, buf_text(&line));
			buf_free(&line);
		}
	}
}

/* ---- values ---- */

static void put_source(struct model *m, struct span at, struct buf *out)
{
	size_t length;
	const char *text = sources_text(m->front->sources, at, &length);
	buf_add(out, text, length < 100 && !memchr(text, '\n', length) ? length : 0);
}

/* mace and chain mail */
static void put_list(struct model *m, const struct node *value, struct buf *out)
{
	for (const struct node *x = value->a; x; x = x->next) {
		put_source(m, x->span, out);
		buf_puts(out, x->next ? ", " : "");
	}
}

/* 1d10 + 2, 1d8/1d12, 1-10 */
static void put_dice(struct model *m, const struct node *v, struct buf *out)
{
	if (v->kind != N_KIND_E_BINARY)
		return;
	const bool dice = v->a->kind == N_KIND_E_DICE,
			   number = v->b->kind == N_KIND_E_NUM && v->b->den == 1;
	if (dice && number && (v->op == BIN_ADD || v->op == BIN_SUB)) {
		put_source(m, v->a->span, out);
		buf_printf(out, "%c%lld", v->op == BIN_ADD ? '+' : '-', (long long)v->b->num);
	} else if (dice && v->b->kind == N_KIND_E_DICE && v->op == BIN_DIV) {
		put_source(m, v->a->span, out);
		buf_puts(out, ", ");
		put_source(m, v->b->span, out);
		buf_puts(out, " vs large");
	} else if (v->op == BIN_SUB && number && v->a->kind == N_KIND_E_NUM && v->a->den == 1 &&
		v->a->num >= 0 && v->b->num > v->a->num) {
		const long long low = (long long)v->a->num, high = (long long)v->b->num;
		const long long n = low && high % low == 0 ? low : 1, more = n == 1 ? low - 1 : 0;
		buf_printf(out, more ? "%lldd%lld%+lld" : "%lldd%lld", n,
			n == 1 ? high - more : high / n, more);
	}
}

/* 30/60/90 where feet are: the figures of several values. */
static bool put_figures(struct model *m, const struct node *v, const char *unit, struct buf *out)
{
	if (v->kind == N_KIND_E_NUM && v->den == 1) {
		buf_printf(out, "%lld%s", (long long)v->num, unit);
		return true;
	}
	if (v->kind != N_KIND_E_BINARY || v->op != BIN_DIV || !put_figures(m, v->a, unit, out))
		return false;
	buf_puts(out, ", ");
	return put_figures(m, v->b, unit, out);
}

/* class: fighter/thief, where there is a second class, too */
static void put_second(
	struct model *m, const struct written *w, const struct node *v, struct buf *out)
{
	struct buf name = {0};
	if (w->field < 0 || v->kind != N_KIND_E_BINARY || v->op != BIN_DIV ||
		v->a->kind != N_KIND_E_NAME || v->b->kind != N_KIND_E_NAME)
		return;
	buf_printf(&name, "second %s", model_text(m, w->name));
	sym second = intern_find(m->front->names, name.data, name.length);
	if (second && model_field(m, m->field.v[w->field].kind, second) >= 0)
		buf_printf(out, "%s; %s: %s", model_text(m, v->a->name), buf_text(&name),
			model_text(m, v->b->name));
	buf_free(&name);
}

/* mace +1; fist (1d4); 1d4 alone, where things that do damage are listed */
static void put_thing(struct model *m, const struct node *v, bool many, struct buf *out)
{
	if (v->kind == N_KIND_E_BINARY && v->op == BIN_ADD && v->a->kind == N_KIND_E_NAME &&
		v->b->kind == N_KIND_E_NUM) {
		const int thing = model_thing(m, model_alias(m, v->a->name), -1);
		struct buf name = {0};
		buf_printf(&name, "%s +%lld", model_text(m, v->a->name), (long long)v->b->num);
		sym called = intern_find(m->front->names, name.data, name.length);
		const bool has = called && model_thing(m, called, -1) >= 0;
		if (has)
			buf_printf(out, "\"%s\"", buf_text(&name));
		else if (thing >= 0)
			buf_printf(out, "\"%s\"; and above: %s \"%s\" is %s with { bonus: %lld }",
				buf_text(&name),
				model_text(m, m->kind.v[kind_root(m, m->thing.v[thing].kind)].name),
				buf_text(&name), model_text(m, v->a->name), (long long)v->b->num);
		buf_free(&name);
	} else if (v->kind == N_KIND_E_CALL && v->a->kind == N_KIND_E_NAME && v->b && !v->b->next &&
		v->b->kind == N_KIND_E_DICE) {
		put_source(m, v->a->span, out);
		buf_putc(out, ' ');
		put_source(m, v->b->span, out);
	} else if (v->kind == N_KIND_E_CALL && v->a->kind == N_KIND_E_NAME &&
		model_thing(m, model_alias(m, v->a->name), -1) >= 0) { /* long sword (magic) */
		size_t length;
		const char *text = sources_text(m->front->sources, v->span, &length);
		sym whole = intern_find(m->front->names, text, length);
		if (!whole || model_thing(m, whole, -1) < 0) /* else it only lacks its quotes */
			put_source(m, v->a->span, out);
	} else if (v->kind == N_KIND_E_DICE && many) {
		buf_puts(out, "a name before the dice, such as: fist ");
		put_source(m, v->span, out);
	}
}

bool report_value_slip(struct scope *s, const struct written *w, const struct node *value)
{
	if (value->kind != N_KIND_E_AND && value->kind != N_KIND_E_BINARY && value->kind != N_KIND_E_CALL &&
		value->kind != N_KIND_E_DICE)
		return false;
	struct model *m = s->m;
	struct type *t = type_find(w->type);
	const bool many = t->base == VT_LIST || t->base == VT_SET;
	struct type *elem = many ? type_find(t->elem) : t;
	struct buf line = {0}, said = {0};
	if (value->kind == N_KIND_E_AND && elem->base != VT_BOOL && elem->base != VT_UNKNOWN)
		put_list(m, value, &line);
	else if (elem->base == VT_DICE)
		put_dice(m, value, &line);
	else if (elem->base == VT_NUMBER && value->kind == N_KIND_E_BINARY &&
		value->op == BIN_SUB && value->a->kind == N_KIND_E_NUM &&
		value->b->kind == N_KIND_E_NUM && value->a->num >= 0 &&
		value->b->num > value->a->num && value->b->den == 1 &&
		w->door == DOOR_LINE) /* hit points: 0-9; set .. = 0 - 9 is a sum */
		buf_printf(
			&line, "one number, not a range, such as: %lld", (long long)value->b->num);
	else if (elem->base == VT_THING || elem->base == VT_LIVE)
		put_thing(m, value, many && made_with_dice(m, elem), &line);
	if (!line.length && elem->base == VT_THING)
		put_second(m, w, value, &line);
	if (!line.length && elem->base == VT_DISTANCE && value->kind == N_KIND_E_BINARY &&
		!put_figures(m, value, " ft", &line))
		buf_clear(&line);
	const bool found = line.length > 0;
	if (found && m->reporting) {
		put_source(m, value->span, &said);
		model_report(m, M_SAID_OTHERWISE, value->span, 2, buf_text(&said), buf_text(&line));
	}
	buf_free(&line);
	buf_free(&said);
	return found;
}
