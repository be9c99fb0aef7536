/* report.c - what of all that is wrong with a model is said: one mistake, one report.
 *
 * A name that nobody declares is not reported when something that may declare it could not be
 * read; nor is what merely follows from a mistake that was reported already. */
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "lang/check/model.h"
#include "lang/front/lexicon.h"

enum { SAID_MAX = 200 };

/* True of what no further declaration could put right. */
static bool certain(enum message id)
{
	switch (id) {
	case M_TWICE: case M_PARENT_CYCLE: case M_MANY_ROLES: case M_MANY_NAMES: case M_SEQUENCE: case M_SCALE_AND_FEET: case M_ROLL_IN_PURE:
	case M_DICE_NO_NUMBER: case M_ROLL_WHAT: case M_NOT_COMPARED: case M_ROUND_NUMBER: case M_NOT_A_NUMBER: case M_FIELD_VALUE: case M_FIELD_WHOLE: case M_FIELD_UNIT: case M_FIELD_BY_RULES: case M_ONE_VALUE: case M_NOT_ONE_OF: case M_CHANGE_WHAT:
	case M_TABLE_COLUMNS: case M_TABLE_SHAPE: case M_TABLE_VALUES: case M_EXCEPTION_CYCLE: case M_MANY_COMBATANTS: case M_TWICE_THERE:
	case M_BLOCK_IN_BLOCK: case M_USE_INSIDE: case M_OUTSIDE: case M_PROMPT_ONLY: case M_USE_BRACES: case M_NO_SIDES: case M_NUMBER_TOO_BIG:
	case M_DICE_NOT: case M_DICE_NO_DICE: case M_DICE_NO_SIDES: case M_DICE_KEEP: case M_DICE_REROLL: case M_DICE_PICK: case M_DICE_TOO_MANY:
	case M_DICE_TOO_BIG:
		return true;
	default:
		return false;
	}
}

/* True of what a rule could put right that could not be read. */
static bool rules_could_say(enum message id)
{
	switch (id) {
	case M_NO_FUNCTION: case M_NO_FUNCTION_NEAR: case M_NO_ADJECTIVE: case M_NO_ADJECTIVE_NEAR: case M_STATE_OF_SIDE: case M_STATE_OF_ONE: case M_SAID_OTHERWISE: case M_NO_FIELD: case M_NO_FIELD_NEAR:
	case M_NO_NAME: case M_NO_NAME_NEAR: case M_NOBODY_HERE: case M_NO_VERB_OF: case M_NO_LABEL: case M_NO_LABEL_NEAR: case M_NO_CHOICE: case M_NO_CHOICE_NEAR: case M_CHOICE_VALUE:
	case M_NOTHING_KEPT:
	case M_KEPT_TYPE:
	case M_UNKNOWN_TYPE:
	case M_ARGUMENT_TYPE:
	case M_ARGUMENT_MEANT:
	case M_NO_RULE:
	case M_NO_RULE_NEAR:
	case M_NEVER_REACHED:
	case M_RULING_DEFINE:
	case M_ADJUST_NOTHING:
	case M_ADJUST_NOTHING_NEAR:
	case M_ASKED_OF:
	case M_DASH:
		return true;
	default:
		return false;
	}
}

/* True of what could be right if somebody else were in the encounter. */
static bool may_be_there(enum message id)
{
	return id == M_NOT_HERE || id == M_NO_NAME || id == M_NO_NAME_NEAR || id == M_NOBODY_HERE || id == M_NO_VERB_OF || id == M_NO_SUBJECT || id == M_UNKNOWN_TYPE || id == M_NO_SIDES || id == M_NO_VERB_OF_NEAR || id == M_SAID_OTHERWISE || id == M_DEED_INSIDE || id == M_STATE_OF_SET;
}

/* What a declaration hides that this was said of. */
static enum missing hides(enum message id)
{
	switch (id) {
	case M_NO_KIND: case M_NO_UNIT: case M_NO_DEFAULT: case M_UNIT_LENGTH: case M_NUMBER_TOO_BIG: case M_MANY_ROLES: case M_SEQUENCE:
		return MISSING_NAMES;
	case M_DEFINE_SUBJECT: case M_DEFINE_KIND: case M_PARAMETER: case M_ARGUMENT_COUNT: case M_NO_EVENT: case M_NO_EVENT_NEAR:
	case M_SAY_PHASE: case M_NO_PHASE: case M_ROLE_COUNT:
		return MISSING_BODIES;
	default:
		return MISSING_NONE;
	}
}

static bool covers(struct span a, struct span b)
{
	return a.file == b.file && a.start <= b.start && b.end <= a.end;
}

/* What is said of a part, or of the whole around it, follows from what was said already. */
static bool follows(const struct model *m, struct span at)
{
	for (int i = 0; at.file && i < m->said.n; i++)
		if (covers(m->said.v[i], at) || covers(at, m->said.v[i]))
			return true;
	for (int i = 0; at.file && i < m->front->said.n && i < SAID_MAX; i++)
		if (covers(m->front->said.v[i], at))
			return true;
	return false;
}

/* Somebody who is not declared, or not there, is one mistake however often he is named. */
static bool said_unknown(struct model *m, const struct diag *d)
{
	switch (d->id) {
	case M_NO_NAME: case M_NO_NAME_NEAR: case M_NOBODY_HERE: case M_NO_VERB_OF: case M_NO_COMBATANT: case M_NO_COMBATANT_NEAR: case M_NOT_HERE: case M_NO_UNIT:
	case M_NO_FUNCTION: case M_NO_FUNCTION_NEAR:
		break;
	default:
		return false;
	}
	sym name = intern_word(m->front->names, d->arg[0]);
	for (int i = 0; i < m->unknown.n; i++)
		if (m->unknown.v[i] == name)
			return true;
	VEC_PUSH(m->unknown, name);
	return false;
}

/* ---- what the library has, and was not read ---- */

struct looked_for { struct model *m; int kind; struct name_list *names; const char *name; bool field, nobody; const char *module; };

static void put_near(void *to, const struct unread *u)
{
	struct looked_for *x = to;
	int kind = model_kind(x->m, intern_find(x->m->front->names, u->kind, strlen(u->kind)));
	if (!u->field && (x->kind < 0 || (kind >= 0 && kind_root(x->m, kind) == kind_root(x->m, x->kind))))
		VEC_PUSH(x->names->at, arena_text(x->m->arena, u->name, strlen(u->name)));
}

void model_unread(struct model *m, int kind, struct name_list *names)
{
	struct looked_for all = {.m = m, .kind = kind, .names = names};
	if (m->unread && m->reporting)
		m->unread(m->unread_context, true, put_near, &all);
}

static void put_same(void *to, const struct unread *u)
{
	struct looked_for *x = to;
	struct buf plural = {0};
	int kind = model_kind(x->m, intern_find(x->m->front->names, u->kind, strlen(u->kind)));
	if (x->module || u->field != x->field || (x->nobody && kind >= 0 && kind_root(x->m, kind) == KIND_COMBATANT))
		return;
	if (!u->field)
		lexicon_plural(&plural, u->name);
	if (!strcmp(u->name, x->name) || (plural.length && !strcmp(buf_text(&plural), x->name)))
		x->module = arena_text(x->m->arena, u->module, strlen(u->module));
	buf_free(&plural);
}

/* What is unknown here, and like nothing there is, a library may have that is not in use: then this is what to say. */
static void point_to_library(struct model *m, struct diag *d)
{
	static const struct { enum message none, library; int name; bool field; } which[] = {
		{M_NO_THING, M_NO_THING_LIBRARY, 1, false}, {M_NO_NAME, M_NO_NAME_LIBRARY, 0, false},
		{M_NO_COMBATANT, M_NO_COMBATANT_LIBRARY, 0, false}, {M_NO_FIELD, M_NO_FIELD_LIBRARY, 0, true},
	};
	for (size_t i = 0; i < FRAY_COUNT(which) && m->unread; i++) {
		if (d->id != which[i].none)
			continue;
		sym name = intern_word(m->front->names, d->arg[which[i].name]);
		struct looked_for x = {.m = m, .field = which[i].field, .name = intern_folded(m->front->names, name)};
		x.nobody = d->id == M_NO_NAME && m->in_encounter >= 0; /* who is not there is not missing in the library */
		m->unread(m->unread_context, false, put_same, &x);
		if (!x.module)
			return;
		d->id = which[i].library;
		d->args = which[i].name + 1;
		d->lines = 0;
		diag_arg(d, x.module);
		return;
	}
}

void model_send(struct model *m, const struct diag *sent)
{
	struct diag copy = *sent;
	const struct diag *d = &copy;
	if (!m->reporting)
		return;
	if (hides(d->id) > m->hidden)
		m->hidden = hides(d->id);
	if ((m->missing == MISSING_NAMES && !certain(d->id)) || (m->missing == MISSING_BODIES && rules_could_say(d->id)))
		return;
	if (m->crowd_unsure && may_be_there(d->id))
		return;
	for (int i = 0; i < d->args; i++)
		if (strlen(d->arg[i]) > FRAY_NAME_MAX && !strstr(d->arg[i], ", ") && d->id != M_MANY_COMBATANTS) /* the name was refused as too long; a list is none */
			return;
	bool told = follows(m, d->span) || said_unknown(m, d);
	if (d->span.file && m->said.n < SAID_MAX)
		VEC_PUSH(m->said, d->span);
	if (told)
		return;
	point_to_library(m, &copy);
	diag_send(m->sink, d);
}

void model_report(struct model *m, enum message id, struct span at, int args, ...)
{
	if (!m->reporting)
		return;
	struct diag d = diag_make(id, at);
	va_list list;
	va_start(list, args);
	for (int i = 0; i < args; i++)
		diag_arg(&d, va_arg(list, const char *));
	va_end(list);
	model_send(m, &d);
}

/* ---- what these rules have instead ---- */

static bool of_core(const struct model *m, int module)
{
	return module < 0 || m->module.v[module].layer == LAYER_CORE;
}

bool unit_of_core(const struct model *m, int unit)
{
	return of_core(m, m->unit.v[unit].module);
}

/* Do two names have a word in common, or the beginning of one? */
static bool share_word(const char *a, const char *b)
{
	enum { ENOUGH = 5 }; /* letters */
	for (const char *at = a; *at; at++) {
		size_t n = strcspn(at, " ");
		if ((at == a || at[-1] == ' ') && n >= ENOUGH)
			for (const char *in = b; *in; in++)
				if ((in == b || in[-1] == ' ') && !strncmp(at, in, ENOUGH))
					return true;
	}
	return false;
}

/* "A side has: ..", those most like the name first; what is written stands in line and lives as long as it. */
static void list_fields(struct model *m, struct diag *d, int kind, const char *name, struct buf *line)
{
	enum { SHOWN = 12 };
	int root = kind_root(m, kind), listed = 0;
	const char *of = model_text(m, m->kind.v[kind].name);
	buf_printf(line, "%s %s has: ", strchr("aeiou", of[0]) ? "An" : "A", of);
	for (int like = 1; like >= 0; like--)
		for (int i = 0; i < m->field.n; i++) {
			const char *field = model_text(m, m->field.v[i].name);
			if (m->field.v[i].kind == root && !m->field.v[i].hidden && !m->field.v[i].kept && share_word(name, field) == like && listed++ < SHOWN)
				buf_printf(line, "%s%s", listed > 1 ? ", " : "", field);
		}
	buf_puts(line, listed > SHOWN ? ", ..." : ".");
	if (listed)
		diag_line(d, buf_text(line));
}

/* The list that this kind has of the other's sort (attacks); NULL. */
static const char *list_of(const struct model *m, int root, int other)
{
	for (int i = 0; i < m->field.n; i++) {
		struct type *type = type_find(m->field.v[i].type);
		if (m->field.v[i].kind == root && !m->field.v[i].hidden && !m->field.v[i].kept && type->base == VT_LIST && type_is(type->elem, VT_THING) && type_find(type->elem)->kind == other)
			return model_text(m, m->field.v[i].name);
	}
	return NULL;
}

/* A monster's damage is its weapon's: has something else such a field, for which this kind has a field of the same name? */
static bool report_field_of_its(struct model *m, struct span at, sym name, int kind)
{
	const int root = kind_root(m, kind);
	for (int i = 0; i < m->field.n; i++) {
		const struct mfield *has = &m->field.v[i];
		const int other = type_is(has->type, VT_THING) ? type_find(has->type)->kind : -1;
		const int field = other >= 0 && m->kind.v[other].name == has->name ? model_field(m, other, name) : -1;
		if (has->kind != root || has->hidden || has->kept || field < 0)
			continue;
		struct buf line = {0};
		struct diag d = diag_make(M_NO_FIELD_ITS, at);
		diag_arg(&d, model_text(m, name));
		diag_arg(&d, model_text(m, m->kind.v[kind].name));
		diag_arg(&d, model_text(m, has->name));
		const char *list = type_is(m->field.v[field].type, VT_DICE) ? list_of(m, root, other) : NULL;
		if (list) {
			buf_printf(&line, "For this one alone: %s: NAME 1d6", list);
			diag_line(&d, buf_text(&line));
		}
		if (m->reporting)
			model_send(m, &d);
		buf_free(&line);
		return true;
	}
	return false;
}

/* distance Ann to Grak: 200 ft */
static bool report_pair_of(struct model *m, struct span at, sym name)
{
	const char *said = model_text(m, name);
	int pair = 0, found[2] = {-1, -1};
	while (pair < m->pair.n &&
		(strncmp(model_text(m, m->pair.v[pair].name), said,
			 strlen(model_text(m, m->pair.v[pair].name))) ||
			said[strlen(model_text(m, m->pair.v[pair].name))] != ' '))
		pair++;
	if (pair == m->pair.n)
		return false;
	const char *rest = said + strlen(model_text(m, m->pair.v[pair].name));
	for (const char *p = rest; *p; p++)
		for (int i = 0; p[-1] == ' ' && i < m->live.n && found[1] < 0; i++) {
			const char *one = model_text(m, m->live.v[i].name);
			const size_t n = strlen(one);
			if (!strncasecmp(p, one, n) && (!p[n] || p[n] == ' ') && i != found[0])
				found[found[0] >= 0] = i;
		}
	if (found[1] < 0)
		return false;
	struct buf line = {0};
	buf_printf(&line, "set %s (%s, %s) = ..", model_text(m, m->pair.v[pair].name),
		model_text(m, m->live.v[found[0]].name), model_text(m, m->live.v[found[1]].name));
	model_report(m, M_PAIR_SET, at, 1, buf_text(&line));
	buf_free(&line);
	return true;
}

bool statement_with(const struct model *m, struct span at, const char *meant, struct buf *out)
{
	enum { LONGEST = 100 };
	if (at.file >= m->front->sources->file.n)
		return false;
	const struct source *f = &m->front->sources->file.v[at.file];
	uint32_t from = at.start, to = at.end;
	while (from > 0 && !strchr(";{}\n", f->text[from - 1]))
		from--;
	while (to < f->length && !strchr(";{}\n", f->text[to]) &&
		strncmp(f->text + to, "--", 2) != 0)
		to++;
	from += (uint32_t)strspn(f->text + from, " \t");
	while (to > at.end && strchr(" \t\r", f->text[to - 1]))
		to--;
	if (from > at.start || to - from > LONGEST || (to < f->length && f->text[to] == '{'))
		return false;
	buf_add(out, f->text + from, at.start - from);
	buf_puts(out, meant);
	buf_add(out, f->text + at.end, to - at.end);
	return true;
}

/* attacker's attack roll: a die, which is no field of whoever rolls it. */
static bool report_die(struct model *m, struct span at, sym name)
{
	struct buf line = {0};
	bool die = false;
	for (int i = 0; i < m->label.n; i++)
		die |= m->label.v[i].name == name;
	if (m->in_encounter >= 0 && die && m->live.n)
		buf_printf(&line, "To say what it shows, write: dice: %s's %s 15",
			model_text(m, m->live.v[0].name), model_text(m, name));
	else if (m->in_encounter < 0 && die && event_keeps(m, name))
		buf_printf(&line, "Write: this %s", model_text(m, name));
	const bool said = line.length > 0;
	if (said)
		model_report(m, M_DIE_NOT_KEPT, at, 2, model_text(m, name), buf_text(&line));
	buf_free(&line);
	return said;
}

void report_no_field(struct model *m, struct span at, sym name, int kind, const char *best)
{
	if (kind == KIND_COMBATANT && !best && report_die(m, at, name))
		return;
	static const char *const before[] = {"set option ", "option ", "use with ", "set ", ""};
	for (size_t i = 0; kind == KIND_ENCOUNTER && i < FRAY_COUNT(before); i++) { /* set option tie: reroll */
		const char *text = model_text(m, name);
		size_t n = strlen(before[i]);
		sym own = strncmp(text, before[i], n) == 0 ? intern_find(m->front->names, text + n, strlen(text + n)) : 0;
		int option = own ? model_option(m, own) : -1;
		if (option >= 0) {
			report_option(m, M_OPTION_OF_RULES, at, option);
			return;
		}
	}
	if (kind == KIND_ENCOUNTER && (report_side_again(m, at, name) || report_pair_of(m, at, name)))
		return;
	if (!best && !field_row(m, at, name, kind) && report_field_of_its(m, at, name, kind))
		return;
	struct buf line = {0};
	if (kind == KIND_ENCOUNTER && report_deed_colon(m, at, name))
		return;
	const char *row = field_row(m, at, name, kind);
	if (row) {
		model_report(m, M_FIELD_MEANT, at, 2, model_text(m, name), row);
		return;
	}
	struct diag d = diag_make(best ? M_NO_FIELD_NEAR : M_NO_FIELD, at);
	diag_arg(&d, model_text(m, name));
	diag_arg(&d, model_text(m, m->kind.v[kind].name));
	diag_arg(&d, best ? best : "");
	struct buf meant = {0};
	const int thing = best || kind != KIND_COMBATANT ? -1 : model_thing(m, name, -1);
	if (thing >= 0) { /* with Mir's dagger */
		const char *sort = model_text(m, m->kind.v[m->thing.v[thing].kind].name);
		buf_printf(&line, "\"%s\" is %s %s. Write it alone: %s", model_text(m, name),
			strchr("aeio", *sort) ? "an" : "a", sort, model_text(m, name));
		diag_line(&d, buf_text(&line));
	} else if (best && statement_with(m, at, best, &meant)) {
		buf_printf(&line, "Write: %s", buf_text(&meant));
		diag_line(&d, buf_text(&line));
	}
	else
		list_fields(m, &d, kind, model_text(m, name), &line);
	if (m->reporting)
		model_send(m, &d);
	buf_free(&line);
	buf_free(&meant);
}

/* The combatant, or sort of them, that was meant: attacker is Brunna; NULL: none. */
static const char *somebody_near(struct model *m, sym name)
{
	VEC(const char *) names = {0};
	for (int i = 0; i < m->thing.n; i++)
		if (kind_root(m, m->thing.v[i].kind) == KIND_COMBATANT)
			VEC_PUSH(names, model_text(m, m->thing.v[i].name));
	const char *best = diag_nearest(model_text(m, name), names.v, names.n);
	VEC_FREE(names);
	return best;
}

void report_no_adjective(struct model *m, struct span at, sym name, int kind, const char *best)
{
	if (!best && kind_root(m, kind) == KIND_COMBATANT)
		best = somebody_near(m, name);
	struct diag d = diag_make(best ? M_NO_ADJECTIVE_NEAR : M_NO_ADJECTIVE, at);
	struct buf line = {0};
	int listed = 0;
	diag_arg(&d, model_text(m, m->kind.v[kind].name));
	diag_arg(&d, model_text(m, name));
	diag_arg(&d, best ? best : "");
	const char *known = model_text(m, m->kind.v[kind].name);
	buf_printf(&line, "What is known of %s %s: ", strchr("aeio", *known) ? "an" : "a", known);
	for (int i = 0; i < m->question.n; i++)
		if (m->question.v[i].subject == kind_root(m, kind) && m->question.v[i].field < 0 && type_is(m->question.v[i].type, VT_BOOL) && listed++ < 16)
			buf_printf(&line, "%s%s", listed > 1 ? ", " : "", model_text(m, m->question.v[i].name));
	buf_puts(&line, listed > 16 ? ", .." : ".");
	if (listed)
		diag_line(&d, buf_text(&line));
	struct buf sides = {0};
	for (int i = 0; kind == KIND_SIDE && m->in_encounter >= 0 && i < m->side.n; i++)
		buf_printf(&sides, "%s%s", i ? ", " : "The sides here are: ",
			model_text(m, m->side.v[i].name));
	if (sides.length)
		diag_line(&d, buf_text(&sides));
	model_send(m, &d);
	buf_free(&line);
	buf_free(&sides);
}

void report_no_unit(struct model *m, struct span at, sym name)
{
	struct buf list = {0}, hint = {0};
	VEC(const char *) names = {0};
	for (int i = 0; i < m->unit.n; i++)
		if (!of_core(m, m->unit.v[i].module))
			VEC_PUSH(names, model_text(m, m->unit.v[i].name));
	const bool none = names.n == 0; /* a system has its own */
	VEC_PUSH(names, "second");
	VEC_PUSH(names, "minute");
	diag_list(names.v, names.n, NULL, names.n, &list);
	buf_printf(&hint, none ? "Name the rules that have it in the first line, such as: use osric"
			       : "Write one of these, or declare another: unit %s = 6 seconds",
		model_text(m, name));
	model_report(m, M_NO_UNIT, at, 3, model_text(m, name), buf_text(&list), buf_text(&hint));
	buf_free(&hint);
	VEC_FREE(names);
	buf_free(&list);
}

const char *action_elsewhere(const struct model *m, sym name)
{
	const struct front *f = m->front;
	return f->verb_elsewhere ? f->verb_elsewhere(f->elsewhere, model_text(m, name)) : NULL;
}

sym counted_unit(const struct model *m)
{
	int best = -1;
	for (int i = 0; i < m->unit.n; i++) {
		const struct munit *u = &m->unit.v[i];
		if (u->base == VT_TIME && u->name != m->w.round && !of_core(m, u->module) &&
			(best < 0 || u->num * m->unit.v[best].den < m->unit.v[best].num * u->den))
			best = i;
	}
	for (int i = 0; best < 0 && i < m->unit.n; i++)
		if (m->unit.v[i].base == VT_COUNT && m->unit.v[i].name != m->w.round &&
			!of_core(m, m->unit.v[i].module))
			return m->unit.v[i].name;
	return best < 0 ? 0 : m->unit.v[best].name;
}

bool report_bare_time(struct model *m, const struct type *want, const struct node *n)
{
	const sym unit = counted_unit(m);
	if (want->base != VT_TIME || n->kind != N_KIND_E_NUM || n->den != 1 || !unit)
		return false;
	struct buf said = {0}, line = {0};
	buf_printf(&said, "%lld", (long long)n->num);
	buf_printf(&line, "%s %lld", model_text(m, unit), (long long)n->num);
	model_report(m, M_SAID_OTHERWISE, n->span, 2, buf_text(&said), buf_text(&line));
	buf_free(&said);
	buf_free(&line);
	return true;
}

void report_braces(struct model *m, struct span at, const char *text)
{
	const char *open = text ? strchr(text, '{') : NULL;
	if (open && strchr(open, '}') && m->reporting)
		model_report(m, M_BRACES_STAY, at, 0);
}
