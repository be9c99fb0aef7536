/* options.c - the readings that a table chooses: which value each option has, for everybody
 * or for those of one kind, and which rules ask for it. */
#include <ctype.h>
#include <string.h>

#include "lang/check/model.h"

/* "-10" is one number in an option's line, and a sign before a number in an expression. */
static bool is_number(const struct node *n)
{
	return n->kind == N_KIND_E_NUM || (n->kind == N_KIND_E_NEG && n->a->kind == N_KIND_E_NUM);
}

static int64_t signed_number(const struct node *n)
{
	return n->kind == N_KIND_E_NEG ? -n->a->num : n->num;
}

static int64_t denominator(const struct node *n)
{
	return n->kind == N_KIND_E_NEG ? n->a->den : n->den;
}

/* The value index of an option after `use .. with { }` and `set option`. */
int option_value(const struct model *m, int option, const struct node *value)
{
	const struct moption *o = &m->option.v[option];
	sym said = 0;
	if (value->kind == N_KIND_E_NAME)
		said = value->name;
	else if (value->kind == N_KIND_E_TEXT)
		said = intern_word(m->front->names, value->text);
	int i = 0;
	for (const struct node *v = o->node->a; v; v = v->next, i++) {
		sym w = v->kind == N_KIND_E_NAME ? v->name : v->kind == N_KIND_E_TEXT ? intern_word(m->front->names, v->text) : 0;
		if (w && w == said)
			return i;
		if (v->kind == value->kind && (v->kind == N_KIND_E_YES || v->kind == N_KIND_E_NO))
			return i;
		if (is_number(v) && is_number(value) && signed_number(v) == signed_number(value) && denominator(v) == denominator(value))
			return i;
	}
	/* a yes/no option is declared by one of its values */
	if (o->node->a && !o->node->a->next && (o->node->a->kind == N_KIND_E_YES || o->node->a->kind == N_KIND_E_NO) &&
	    (value->kind == N_KIND_E_YES || value->kind == N_KIND_E_NO))
		return 1;
	return -1;
}

bool option_yes_no(const struct moption *o)
{
	for (const struct node *v = o->node->a; v; v = v->next)
		if (v->kind != N_KIND_E_YES && v->kind != N_KIND_E_NO)
			return false;
	return o->node->a != NULL;
}

void report_no_option(struct model *m, const struct node *at, sym name)
{
	VEC(const char *) names = {0};
	for (int i = 0; i < m->option.n; i++)
		VEC_PUSH(names, model_text(m, m->option.v[i].name));
	const char *best = diag_nearest(model_text(m, name), names.v, names.n);
	struct buf list = {0};
	diag_list(names.v, names.n, NULL, names.n, &list);
	model_report(m, best ? M_NO_OPTION_NEAR : M_NO_OPTION, at->at, 3, model_text(m, name), best ? best : "", list.length ? buf_text(&list) : "none");
	buf_free(&list);
	VEC_FREE(names);
}

/* Its values, in their own words. */
static void list_values(const struct model *m, int option, struct name_list *out)
{
	const struct node *x = m->option.v[option].node->a;
	bool yes_no = x && !x->next && (x->kind == N_KIND_E_YES || x->kind == N_KIND_E_NO);
	for (; x; x = x->next) {
		size_t length;
		const char *text = sources_text(m->front->sources, x->span, &length);
		VEC_PUSH(out->at, arena_text(m->arena, text, length));
		if (yes_no)
			VEC_PUSH(out->at, x->kind == N_KIND_E_YES ? "no" : "yes");
	}
}

void report_option_value(struct model *m, int option, const struct node *value)
{
	struct buf list = {0};
	struct name_list values = {0};
	VEC(const char *) words = {0};
	list_values(m, option, &values);
	for (int i = 0; i < values.at.n; i++)
		buf_printf(&list, "%s%s", i ? ", " : "", values.at.v[i]);
	for (const struct node *x = m->option.v[option].node->a; x; x = x->next)
		if (x->kind == N_KIND_E_NAME || x->kind == N_KIND_E_TEXT)
			VEC_PUSH(words, x->kind == N_KIND_E_NAME ? model_text(m, x->name) : x->text);
	const char *said = value->kind == N_KIND_E_NAME ? model_text(m, value->name) : value->kind == N_KIND_E_TEXT ? value->text : NULL;
	const char *best = said ? diag_nearest(said, words.v, words.n) : NULL;
	model_report(m, best ? M_OPTION_VALUE_NEAR : M_OPTION_VALUE, value->span, 3, model_text(m, m->option.v[option].name), buf_text(&list), best ? best : "");
	VEC_FREE(words);
	VEC_FREE(values.at);
	buf_free(&list);
}

void report_option(struct model *m, enum message id, struct span at, int option)
{
	const struct source *s = &m->front->sources->file.v[at.file];
	struct name_list values = {0};
	struct buf list = {0};
	uint32_t from = at.end;
	int now = option_now(m, option), shown = -1;
	while (from < s->length && strchr(" :=", s->text[from]))
		from++;
	list_values(m, option, &values);
	for (int i = 0; i < values.at.n; i++)
		buf_printf(&list, "%s%s", i ? ", " : "", values.at.v[i]);
	/* the one that stands behind the name, or the first that is not in force */
	for (int i = values.at.n; i-- > 0;)
		shown = i == now && shown >= 0 ? shown : i;
	for (int i = 0; i < values.at.n; i++) {
		uint32_t n = (uint32_t)strlen(values.at.v[i]);
		if (from + n <= s->length && !strncmp(s->text + from, values.at.v[i], n)) {
			shown = i;
			at.end = from + n; /* what it is set to is not said to be unknown as well */
		}
	}
	model_report(m, id, at, 3, model_text(m, m->option.v[option].name), shown >= 0 ? values.at.v[shown] : "..", buf_text(&list));
	VEC_FREE(values.at);
	buf_free(&list);
}

bool option_allows(struct model *m, int field, const struct node *value)
{
	bool constant = is_number(value) || value->kind == N_KIND_E_TEXT || value->kind == N_KIND_E_NAME;
	for (int o = 0; o < m->option.n; o++) {
		if (m->option.v[o].field != field || field < 0)
			continue;
		if (constant && option_value(m, o, value) < 0)
			report_option_value(m, o, value);
		return true;
	}
	return false;
}

bool report_option_of_all(struct model *m, const struct node *at)
{
	int o = model_option(m, at->name);
	if (o < 0 || m->option.v[o].kind >= 0)
		return false;
	report_option(m, M_OPTION_OF_ALL, at->at, o);
	return true;
}

int option_now(const struct model *m, int option)
{
	const struct moption *o = &m->option.v[option];
	return o->later && m->at_stretch > 0 ? o->later[m->at_stretch] : o->value;
}

/* From a stretch on; 0: the whole fight, as far as nothing else is said later. */
static void set_option(struct model *m, struct node *at, sym name, struct node *value, int stretch)
{
	int o = model_option(m, name);
	if (o < 0) {
		report_no_option(m, at, name);
		return;
	}
	int v = option_value(m, o, value);
	if (v < 0) {
		report_option_value(m, o, value);
		return;
	}
	struct moption *x = &m->option.v[o];
	int n = m->stretch.n + 1;
	if (stretch == 0) {
		x->value = v;
		x->set = value;
		return;
	}
	if (!x->later) {
		x->later = arena_array(m->arena, int, n);
		for (int k = 0; k < n; k++)
			x->later[k] = x->value;
	}
	for (int k = stretch; k < n; k++)
		x->later[k] = v;
}

/* What may differ from one to the next cannot switch a whole rule. */
static bool if_of_kind(struct model *m, int option, const struct node *at)
{
	const struct moption *o = &m->option.v[option];
	if (o->kind >= 0)
		model_report(m, M_IF_OPTION_OF, at->span, 2, model_text(m, o->name), model_text(m, m->kind.v[o->kind].name));
	return o->kind >= 0;
}

/* The truth of a rule's `if`: options only. */
static bool option_condition(struct model *m, struct node *n, bool *ok)
{
	switch (n->kind) {
	case N_KIND_E_AND:
		for (struct node *x = n->a; x; x = x->next)
			if (!option_condition(m, x, ok))
				return false;
		return true;
	case N_KIND_E_OR: {
		bool any = false;
		for (struct node *x = n->a; x; x = x->next)
			any |= option_condition(m, x, ok);
		return any;
	}
	case N_KIND_E_NOT:
		return !option_condition(m, n->a, ok);
	case N_KIND_E_IS:
	case N_KIND_E_BINARY: {
		if (n->kind == N_KIND_E_BINARY && n->op != BIN_EQ && n->op != BIN_NE)
			break;
		struct node *left = n->a;
		if (left->kind != N_KIND_E_OPTION && left->kind != N_KIND_E_NAME)
			break;
		int o = model_option(m, left->name);
		if (o < 0) {
			report_no_option(m, left, left->name);
			return false;
		}
		if (if_of_kind(m, o, left))
			return false;
		int v = option_value(m, o, n->b);
		if (v < 0) {
			report_option_value(m, o, n->b);
			return false;
		}
		bool same = option_now(m, o) == v;
		bool negated = n->kind == N_KIND_E_IS ? n->num == 1 : n->op == BIN_NE;
		return same != negated;
	}
	case N_KIND_E_OPTION:
	case N_KIND_E_NAME: {
		int o = model_option(m, n->name);
		if (o < 0) {
			report_no_option(m, n, n->name);
			return false;
		}
		if (if_of_kind(m, o, n))
			return false;
		bool first_yes = m->option.v[o].node->a && m->option.v[o].node->a->kind == N_KIND_E_YES;
		return (option_now(m, o) == 0) == first_yes;
	}
	default:
		break;
	}
	*ok = false;
	return false;
}

bool rule_if(struct model *m, int rule, bool report)
{
	bool in_force = true;
	for (struct node *mod = m->rule.v[rule].node->a; mod; mod = mod->next) {
		bool ok = true;
		if (mod->op != MOD_IF)
			continue;
		in_force &= option_condition(m, mod->a, &ok);
		if (!ok && report)
			model_report(m, M_IF_OPTION, mod->span, 0);
	}
	return in_force;
}

/* Whoever says nothing of his own has the reading of the table. */
static void settle_field(struct model *m, const struct moption *o)
{
	const struct node *value = o->node->a;
	for (int i = 0; i < o->value && value && value->next; i++)
		value = value->next;
	if (o->field < 0 || !value)
		return;
	struct node *copy = node_new(m->arena, value->kind, value->span), *plain = node_new(m->arena, N_KIND_V_PLAIN, value->span);
	*copy = *value;
	copy->next = NULL;
	if (o->value > 0 && !o->node->a->next) /* declared by one of its two values */
		copy->kind = value->kind == N_KIND_E_YES ? N_KIND_E_NO : N_KIND_E_YES;
	plain->a = copy;
	m->field.v[o->field].initial = plain;
}

/* ---- options set in mid-fight ---- */

static bool is_beat(const struct model *m, const struct node *n)
{
	return n->kind == N_KIND_MOMENT && n->name == m->w.beat && !n->damaged;
}

static bool sets_options(const struct node *n)
{
	return n->kind == N_KIND_N_OPTION || n->kind == N_KIND_USE;
}

/* Whether the line uses the module, or one that uses it. */
bool option_by_module(const struct model *m, const struct node *use, int module)
{
	sym late = m->module.v[module].late;
	if (use->kind != N_KIND_USE || use->damaged || !late)
		return false;
	for (const struct node *n = use->a; n; n = n->next)
		if (n->name == late)
			return true;
	return use->name == late;
}

struct node *module_moment(const struct model *m, int module)
{
	struct node *first = NULL;
	if (m->in_encounter < 0 || !m->module.v[module].late)
		return NULL;
	for (struct node *n = m->encounter.v[m->in_encounter].node->a; n; n = n->next)
		for (struct node *x = is_beat(m, n) ? n->a : NULL; x; x = x->next)
			if (option_by_module(m, x, module) && (!first || n->num < first->num))
				first = n;
	return first;
}

int stretch_of(const struct model *m, const struct node *moment)
{
	int k = 0;
	while (k < m->stretch.n && moment->num >= m->stretch.v[k])
		k++;
	return k;
}

/* The stretches of the encounter in scope: one from each of its beat blocks on, if any of them sets options. */
static void find_stretches(struct model *m)
{
	bool any = false;
	m->stretch.n = m->at_stretch = 0;
	if (m->in_encounter < 0)
		return;
	for (const struct node *n = m->encounter.v[m->in_encounter].node->a; n; n = n->next)
		for (const struct node *x = is_beat(m, n) ? n->a : NULL; x; x = x->next)
			any |= sets_options(x);
	for (const struct node *n = m->encounter.v[m->in_encounter].node->a; n && any; n = n->next) {
		int at = m->stretch.n;
		if (!is_beat(m, n) || (stretch_of(m, n) > 0 && m->stretch.v[stretch_of(m, n) - 1] == n->num))
			continue;
		VEC_PUSH(m->stretch, n->num);
		for (; at > 0 && m->stretch.v[at - 1] > n->num; at--)
			m->stretch.v[at] = m->stretch.v[at - 1];
		m->stretch.v[at] = n->num;
	}
}

static void set_by(struct model *m, struct node *n, int stretch)
{
	if (n->damaged)
		return;
	if (n->kind == N_KIND_N_OPTION)
		set_option(m, n, n->name, n->a, stretch);
	for (struct node *f = n->kind == N_KIND_USE ? n->b : NULL; f; f = f->next)
		if (f->a && f->a->a)
			set_option(m, f, f->name, f->a->a, stretch);
}

static void set_by_module(struct model *m, int module, int stretch)
{
	for (int i = 0; i < m->module.v[module].settling.n; i++)
		set_by(m, m->module.v[module].settling.v[i], stretch);
}

/* In the order of their moments; of one moment as they are written. */
static void set_in_beats(struct model *m)
{
	for (int k = 1; k <= m->stretch.n; k++)
		for (struct node *n = m->encounter.v[m->in_encounter].node->a; n; n = n->next)
			for (struct node *x = is_beat(m, n) && n->num == m->stretch.v[k - 1] ? n->a : NULL; x; x = x->next) {
				for (int i = 0; i < m->module.n; i++)
					if (option_by_module(m, x, i) && module_moment(m, i) == n)
						set_by_module(m, i, k);
				set_by(m, x, k);
			}
}

/* Options: defaults, then the `use` lines, then the encounter's own `set option`; at last what is
 * set in its beat blocks, from there on. */
void options_settle(struct model *m)
{
	for (int i = 0; i < m->option.n; i++) {
		m->option.v[i].value = 0;
		m->option.v[i].set = NULL;
		m->option.v[i].later = NULL;
	}
	find_stretches(m);
	for (int k = 0; k < m->module.n; k++)
		if (!m->module.v[k].late)
			set_by_module(m, k, 0);
	if (m->in_encounter >= 0)
		for (struct node *n = m->encounter.v[m->in_encounter].node->a; n; n = n->next)
			set_by(m, n, 0);
	for (int i = 0; i < m->option.n; i++)
		settle_field(m, &m->option.v[i]);
	set_in_beats(m);
}

/* ---- which option a rule is a reading of ---- */

/* Whether a name stands there, and no longer word. */
static bool stands_at(const char *text, size_t length, size_t at, const char *name)
{
	size_t k = strlen(name);
	return at + k <= length && !memcmp(text + at, name, k) &&
	       (at + k == length || (!strchr("_-.", text[at + k]) && !isalnum((unsigned char)text[at + k])));
}

/* The option that a rule itself asks for, -1: the first declared of those it names after `option`,
 * or as somebody's own. */
static int option_asked(const struct model *m, int rule)
{
	size_t length;
	const char *text = sources_text(m->front->sources, m->rule.v[rule].node->span, &length);
	int found = m->option.n;
	bool own = false;
	for (int o = 0; o < m->option.n; o++)
		own |= m->option.v[o].kind >= 0;
	for (size_t i = 0; i + 3 <= length; i++) {
		bool asks = text[i] == 'o' && i + 7 <= length && !memcmp(text + i, "option ", 7);
		bool owned = own && text[i] == '\'' && !memcmp(text + i, "'s ", 3);
		for (int o = 0; (asks || owned) && o < found; o++)
			if ((asks || m->option.v[o].kind >= 0) && stands_at(text, length, i + (asks ? 7 : 3), model_text(m, m->option.v[o].name)))
				found = o;
	}
	return found < m->option.n ? found : -1;
}

void options_of_rules(struct model *m)
{
	for (int r = 0; r < m->rule.n; r++)
		m->rule.v[r].option = option_asked(m, r);
	/* what holds as long as another value is not chosen is a reading, too */
	for (int r = 0; r < m->rule.n; r++)
		for (const struct node *mod = m->rule.v[r].option < 0 ? NULL : m->rule.v[r].node->a; mod; mod = mod->next) {
			int under = mod->op == MOD_EXCEPTION || mod->op == MOD_REPLACES ? model_rule(m, mod->name, mod->name2) : -1;
			if (under >= 0 && m->rule.v[under].option < 0)
				m->rule.v[under].option = m->rule.v[r].option;
		}
}
