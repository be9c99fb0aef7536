/* reason_cond.c - why a condition holds, or does not: down to what decides, the first part that fails or the
 * one that holds, and to the stored values that this rests on. Names are put in, and values are added. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lang/api/reason.h"

enum { DEEP_MOST = 8, MEMBERS_TOLD = 6, ALIKE_LEAST = 3, MEMBERS_MOST = 12, SET_MOST = 64 };

void condition_free(struct condition *c)
{
	buf_free(&c->text);
	buf_free(&c->dice);
	VEC_FREE(c->rest);
	VEC_FREE(c->clause);
	memset(c, 0, sizeof *c);
}

/* A clause that was gone through. What only a question reaches is no clause of the fight's own program. */
static void condition_clause(const struct fray *f, struct condition *out, int32_t clause)
{
	if (clause >= 0 && clause < f->program->clauses)
		VEC_PUSH(out->clause, clause);
}

/* The same of a clause of the model: another clause of its rule will do. */
static void condition_rule(const struct fray *f, struct condition *out, const struct mclause *c)
{
	const struct program *p = f->program;
	const char *rule = c->rule >= 0 ? model_text(&f->model, f->model.rule.v[c->rule].name) : "";
	int32_t clause = c->program;
	for (int i = 0; i < p->clauses && *rule && (clause < 0 || clause >= p->clauses); i++)
		if (p->clause[i].rule && !strcmp(p->clause[i].rule, rule))
			clause = i;
	condition_clause(f, out, clause);
}

/* ---- in words ---- */

static bool literal(const struct node *n)
{
	switch (n->kind) {
	case N_KIND_E_NUM: case N_KIND_E_QTY: case N_KIND_E_PERCENT: case N_KIND_E_CHANCE: case N_KIND_E_DICE: case N_KIND_E_TEXT:
	case N_KIND_E_YES: case N_KIND_E_NO: case N_KIND_E_NONE: case N_KIND_E_MOMENT:
		return true;
	default:
		return false;
	}
}

/* "orc #1's hit points are" */
static void subject_add(struct fray *f, const struct node *n, const struct names *b, struct buf *out)
{
	struct buf text = {0};
	static const char base[] = "base ";
	reason_text(f, n, b, &text);
	const bool field = n->kind == N_KIND_E_FIELD;
	/* as it is stored: at the table that has no name of its own */
	const bool stored = !strncmp(buf_text(&text), base, sizeof base - 1);
	buf_printf(out, "%s %s ", buf_text(&text) + (stored ? sizeof base - 1 : 0),
		field && reason_plural(model_text(&f->model, n->name)) ? "are" : "is");
	buf_free(&text);
}

/* "13/4" is said as "3 1/4". */
static void mixed(struct buf *value)
{
	char *end;
	const char *text = buf_text(value);
	const long top = strtol(text, &end, 10);
	if (*end != '/' || end == text)
		return;
	const long bottom = strtol(end + 1, &end, 10);
	if (*end || bottom <= 0 || top < bottom)
		return;
	buf_clear(value);
	buf_printf(value, "%ld %ld/%ld", top / bottom, top % bottom, bottom);
}

/* "4", "Bruna's armour class (4)" */
static void operand_add(struct fray *f, const struct node *n, const struct names *b, struct buf *out)
{
	struct buf value = {0}, text = {0};
	reason_text(f, n, b, &text);
	const bool worked_out = !literal(n) && reason_value_text(f, reason_put(f, n, b), &value);
	mixed(&value);
	/* a name that no one writes at a table says nothing beside its value */
	if (worked_out && strchr(buf_text(&text), '_'))
		buf_puts(out, buf_text(&value));
	else if (worked_out && strcmp(buf_text(&value), buf_text(&text)) != 0)
		buf_printf(out, "%s (%s)", buf_text(&value), buf_text(&text));
	else
		buf_puts(out, buf_text(&text));
	buf_free(&value);
	buf_free(&text);
}

/* Those of a set for whom a part of its condition holds, `parts` of it. */
static int members(struct fray *f, const struct node *set, const struct names *b, int parts, word *who, int most)
{
	struct node *x = reason_put(f, set, b);
	struct probe p;
	const int32_t mark = vm_trace(f->vm)->n;
	int n = 0;
	if (x->c && x->c->kind == N_KIND_E_AND) {
		struct node **end = &x->c->a;
		for (int i = 0; i < parts && *end; i++)
			end = &(*end)->next;
		*end = NULL;
		if (parts == 1)
			x->c = x->c->a;
	}
	if (parts == 0)
		x->c = NULL;
	const bool known = reason_worth(f, x, false, &p) && p.type.base == VT_SET;
	for (int i = 0; known && i < p.words * 64; i++)
		if (p.value[i / 64] >> (i % 64) & 1) {
			if (n < most)
				who[n] = i;
			n++;
		}
	n = known ? n : -1;
	reason_close(f, &p, mark);
	return n;
}

static void people_add(struct fray *f, const word *who, int n, struct buf *out)
{
	const int told = n > MEMBERS_TOLD ? MEMBERS_TOLD : n;
	for (int i = 0; i < told; i++) {
		buf_puts(out, i == 0 ? "" : i == n - 1 ? " and " : ", ");
		program_live(f->program, KIND_COMBATANT, who[i], out);
	}
	if (n > told)
		buf_printf(out, " and %d more", n - told);
}

/* "count (foe in X's enemies where ..)": how many those are, and who. */
static bool counted(struct fray *f, const struct node *n, const struct names *b, struct buf *out)
{
	word who[SET_MOST];
	if (n->kind != N_KIND_E_AGG || n->op != AGG_COUNT || !n->a)
		return false;
	const struct node *set = n->a;
	int k;
	if (set->kind == N_KIND_E_SET) {
		const int parts = !set->c ? 0 : set->c->kind == N_KIND_E_AND ? node_count(set->c->a) : 1;
		k = members(f, set, b, parts, who, SET_MOST);
	} else {
		return false;
	}
	if (k < 0)
		return false;
	buf_printf(out, "of ");
	reason_text(f, set->a ? set->a : set, b, out);
	buf_printf(out, " it counts %d", k);
	if (k > 0 && k <= SET_MOST) {
		buf_puts(out, " (");
		people_add(f, who, k, out);
		buf_putc(out, ')');
	}
	return true;
}

/* Did the dice that are told fall before the first round, and has that begun? */
static bool fell_early(const struct log *l, int32_t end, const char *dice)
{
	if (end <= 0 || log_at(l, end - 1)->round <= 0)
		return false;
	for (int32_t i = trace_back(l->t, end - 1, 1u << REC_ROLL); i >= 0;
		i = trace_back(l->t, i - 1, 1u << REC_ROLL)) {
		struct buf name = {0};
		if (log_at(l, i)->dropped)
			continue;
		log_label(l, log_at(l, i), &name);
		const bool told = strstr(dice, buf_text(&name)) != NULL;
		buf_free(&name);
		if (told)
			return log_at(l, i)->round <= 0;
	}
	return false;
}

/* The dice behind a number that rules make: "Brand's surprise rests on the party's surprise die, 2
 * (forced)". */
static void dice_behind(
	struct fray *f, const struct node *n, const struct names *b, struct condition *out)
{
	struct probe p;
	struct log log;
	struct answer rules;
	struct buf dice = {0};
	const int32_t mark = vm_trace(f->vm)->n;
	memset(&rules, 0, sizeof rules);
	if (n->kind != N_KIND_E_FIELD || out->dice.length)
		return;
	if (reason_worth(f, reason_put(f, n, b), true, &p) && p.record >= 0) {
		log_open(&log, p.program, vm_trace(f->vm));
		if (reason_dice(&log, p.record, true, &rules, &dice)) {
			reason_text(f, n, b, &out->dice);
			buf_printf(&out->dice, " rests on %s", buf_text(&dice));
			out->early = fell_early(&log, mark, buf_text(&dice));
		}
		for (int i = 0; i < rules.rule.n; i++)
			condition_clause(f, out, rules.rule.v[i]);
		log_close(&log);
	}
	reason_close(f, &p, mark);
	answer_free(&rules);
	buf_free(&dice);
}

/* The words for one part of so many: "half", "a quarter". */
static const char *part_name(const char *times)
{
	return !strcmp(times, "2") ? "half"
		: !strcmp(times, "3") ? "a third"
		: !strcmp(times, "4") ? "a quarter"
				      : NULL;
}

/* "2 * count (friend in X's friends where friend is down) >= count (X's friends)": "of X's friends
 * 3 of 6 are down (Ann, Bob and Cyd), half or more". False: it is something else. */
static bool share_said(
	struct fray *f, const struct node *n, const struct names *b, bool so, struct buf *out)
{
	const struct node *left = n->a, *right = n->b;
	if (left->kind != N_KIND_E_BINARY || left->op != BIN_MUL || left->a->kind != N_KIND_E_NUM ||
		left->b->kind != N_KIND_E_AGG || left->b->op != AGG_COUNT || !left->b->a ||
		left->b->a->kind != N_KIND_E_SET || (n->op != BIN_GE && n->op != BIN_GT))
		return false;
	const struct node *set = left->b->a, *where = set->c;
	const bool is = where && where->kind == N_KIND_E_IS && !(where->num & 1) && where->b;
	const int parts = !where ? 0 : where->kind == N_KIND_E_AND ? node_count(where->a) : 1;
	struct buf times = {0}, all = {0};
	word who[SET_MOST];
	reason_text(f, left->a, b, &times);
	const char *part = part_name(buf_text(&times));
	const int k = members(f, set, b, parts, who, SET_MOST);
	const bool told = part && k >= 0 && reason_value_text(f, reason_put(f, right, b), &all);
	if (told) {
		buf_puts(out, "of ");
		reason_text(f, set->a ? set->a : set, b, out);
		buf_printf(out, " %d of %s %s ", k, buf_text(&all), k == 1 ? "is" : "are");
		if (is)
			reason_text(f, where->b, b, out);
		else
			buf_puts(out, "such");
		if (k > 0 && k <= SET_MOST) {
			buf_puts(out, " (");
			people_add(f, who, k, out);
			buf_putc(out, ')');
		}
		buf_printf(out,
			n->op == BIN_GE ? (so ? ", %s or more" : ", less than %s")
					: (so ? ", more than %s" : ", no more than %s"),
			part);
	}
	buf_free(&times);
	buf_free(&all);
	return told;
}

/* Is it 0, of whatever unit? */
static bool is_nil(const struct node *n)
{
	return (n->kind == N_KIND_E_NUM || n->kind == N_KIND_E_QTY) && n->num == 0;
}

static void comparison(struct fray *f, const struct node *n, const struct names *b, bool so, struct condition *out)
{
	static const char *const holds[] = {[BIN_EQ] = "", [BIN_NE] = ", not ", [BIN_LT] = ", less than ", [BIN_GT] = ", more than ", [BIN_LE] = " or less", [BIN_GE] = " or more"};
	static const char *const fails[] = {[BIN_EQ] = ", not ", [BIN_NE] = "", [BIN_LT] = ", not less than ", [BIN_GT] = ", not more than ", [BIN_LE] = ", more than ", [BIN_GE] = ", less than "};
	const char *relation = (so ? holds : fails)[n->op];
	if (n->b->kind == N_KIND_E_AGG && n->b->op == AGG_COUNT &&
		share_said(f, n, b, so, &out->text))
		return;
	struct node *left = reason_put(f, n->a, b);
	struct buf value = {0};
	if (!reason_value_text(f, left, &value))
		buf_puts(&value, "unknown");
	mixed(&value);
	if (!counted(f, n->a, b, &out->text)) {
		subject_add(f, n->a, b, &out->text);
		buf_puts(&out->text, buf_text(&value));
	}
	const bool worked_out = !literal(n->b);
	if (*relation == ' ' && worked_out) /* "2, no more than 4 (dead's surprise range)" */
		relation = n->op == BIN_LE ? ", no more than " : ", no less than ";
	if (*relation == ' ') { /* "0"; "-3, 0 or less" */
		struct buf right = {0};
		operand_add(f, n->b, b, &right);
		if (strcmp(buf_text(&right), buf_text(&value)) != 0)
			buf_printf(&out->text, ", %s%s", buf_text(&right), relation);
		buf_free(&right);
	} else if (*relation && !(n->op == BIN_GT && is_nil(n->b))) {
		buf_puts(&out->text, relation);
		operand_add(f, n->b, b, &out->text);
	}
	buf_free(&value);
}

static bool part_of(const struct names *b, sym name)
{
	for (int i = 0; i < b->n; i++)
		if (b->at[i].name == name)
			return true;
	return false;
}

/* A side whose name is a plural: "the rats are". */
static bool names_side(const struct fray *f, const char *name)
{
	for (int i = 0; i < f->program->lives[KIND_SIDE]; i++)
		if (!strcasecmp(f->program->live[KIND_SIDE][i].name, name))
			return reason_plural(name);
	return false;
}

void reason_has_text(
	struct fray *f, const struct node *n, const struct names *b, bool so, struct buf *out)
{
	const struct type *t = n->a->kind == N_KIND_E_FIELD ? type_find(n->a->type) : NULL;
	const word who = t && t->base == VT_LIST && type_is(t->elem, VT_THING)
		? reason_live(f, n->a->a, b)
		: NONE;
	if (who != NONE)
		program_live(f->program, KIND_COMBATANT, who, out);
	else
		reason_text(f, n->a, b, out);
	buf_puts(out, so ? " has " : " has no ");
	reason_text(f, n->b, b, out);
}

/* "X is Y", "X is not Y" as it stands there. */
void reason_is_text(struct fray *f, const struct node *n, const struct names *b, bool so, struct buf *out)
{
	reason_text(f, n->a, b, out);
	const bool plural = n->a->kind == N_KIND_E_NAME && !part_of(b, n->a->name) &&
		names_side(f, model_text(&f->model, model_alias(&f->model, n->a->name)));
	buf_printf(out, " %s%s ", plural ? "are" : "is", so ? "" : " not");
	if (n->b->kind == N_KIND_E_NAME && !part_of(b, n->b->name))
		buf_puts(out, model_text(&f->model, n->b->name));
	else
		reason_text(f, n->b, b, out);
}

static bool deep(struct fray *f, const struct node *n, const struct names *b, bool so, struct condition *out, int depth);

/* The clause of the program that answered a question of that name, asked with `record` since `mark`; -1: what is stored did. */
static int32_t answered_by(struct fray *f, const char *name, int32_t mark)
{
	const struct trace *t = vm_trace(f->vm);
	int32_t clause = -1;
	for (int32_t i = mark; i < t->n; i++) {
		const struct record *q = trace_get(t, i);
		if (q->kind == REC_QUESTION && q->parent < mark && q->what >= 0 && !strcmp(f->program->question[q->what].name, name))
			clause = q->clause;
	}
	return clause;
}

static int model_clause(const struct model *m, int32_t program)
{
	for (int i = 0; i < m->clause.n; i++)
		if (m->clause.v[i].in_force && m->clause.v[i].program == program && m->clause.v[i].question >= 0)
			return i;
	return -1;
}

/* A definition that says yes: "X is able when ..", "X's able = yes when .." */
static bool says_yes(const struct mclause *c)
{
	return c->in_force && c->sort == CLAUSE_DEFINE && c->when && (c->node->kind == N_KIND_C_BE || (c->node->b && c->node->b->kind == N_KIND_E_YES));
}

static void names_of(const struct mclause *c, const struct names *who, struct names *b)
{
	b->n = 0;
	for (int i = 0; i < c->params && i < who->n; i++)
		names_bind(b, c->param_name[i], who->at[i].kind, who->at[i].live);
}

static void condition_join(struct condition *out, struct condition *more)
{
	/* "X is 2, and X is 2, less than 3" is said once */
	const size_t n = out->text.length;
	if (n && !strncmp(buf_text(&more->text), buf_text(&out->text), n) &&
		strchr(",", more->text.data[n]))
		buf_clear(&out->text);
	buf_printf(&out->text, "%s%s", out->text.length ? ", and " : "", buf_text(&more->text));
	for (int i = 0; i < more->rest.n; i++)
		condition_rest(out, more->rest.v[i]);
	for (int i = 0; i < more->clause.n; i++)
		VEC_PUSH(out->clause, more->clause.v[i]);
	if (more->dice.length)
		buf_printf(&out->dice, "%s%s", out->dice.length ? "; " : "", buf_text(&more->dice));
	condition_free(more);
}

/* Nothing said yes: each definition that could have, and what it lacks. */
static bool undefined(struct fray *f, const struct mquestion *q, const struct names *who, struct condition *out, int depth)
{
	bool told = false;
	for (int i = 0; i < q->clause.n; i++) {
		const struct mclause *c = &f->model.clause.v[q->clause.v[i]];
		struct condition one = {0};
		struct names b;
		if (!says_yes(c))
			continue;
		names_of(c, who, &b);
		condition_clause(f, &one, c->program);
		if (!deep(f, c->when, &b, c->unless, &one, depth + 1)) {
			condition_free(&one);
			return false;
		}
		condition_join(out, &one);
		told = true;
	}
	return told;
}

/* A question of a subject or of several was answered so: by which clause, and why that. */
static bool answered(struct fray *f, int question, struct node *asked, const struct names *who, bool yes, struct condition *out, int depth)
{
	const struct model *m = &f->model;
	const struct mquestion *q = &m->question.v[question];
	struct probe p;
	const int32_t mark = vm_trace(f->vm)->n;
	struct names b = {.n = 0};
	bool ok = reason_worth(f, asked, true, &p);
	const int32_t clause = ok ? answered_by(f, model_text(m, q->name), mark) : -1;
	reason_close(f, &p, mark);
	int at = clause >= 0 ? model_clause(m, clause) : -1;
	if (at < 0)
		return !yes && undefined(f, q, who, out, depth);
	const struct mclause *c = &m->clause.v[at];
	names_of(c, who, &b);
	condition_rule(f, out, c);
	/* "define engaged (one, other) = distance (one, other) <= 10 ft" */
	if (c->node->kind == N_KIND_C_DEFINE && c->node->b && !literal(c->node->b) &&
		deep(f, c->node->b, &b, yes, out, depth + 1))
		return true;
	return c->when && deep(f, c->when, &b, !c->unless, out, depth + 1);
}

static bool is_adjective(struct fray *f, const struct node *n, const struct node *x, const struct names *b, bool so, struct condition *out, int depth)
{
	const struct mquestion *q = &f->model.question.v[x->ref];
	struct names who = {.n = 0};
	const word live = reason_live(f, n->a, b);
	struct node *asked = reason_put(f, n, b);
	asked->num = 0;
	if (live != NONE && q->subject >= 0)
		names_bind(&who, q->name, kind_root(&f->model, q->subject), live);
	if (live != NONE && depth < DEEP_MOST && answered(f, x->ref, asked, &who, so, out, depth))
		return true;
	reason_is_text(f, n, b, so, &out->text);
	if (q->field >= 0)
		condition_rest(out, (struct rests){.field = q->field, .owner = live, .other = NONE});
	return true;
}

/* ---- of several ---- */

/* "orc #1, orc #2 and orc #3 are not able": a part of the condition that says something of the member alone. */
static bool of_each(struct fray *f, const struct node *part, sym member, const struct names *b, const word *who, int n, bool so, struct buf *out)
{
	if (part->kind != N_KIND_E_IS || part->a->kind != N_KIND_E_NAME || part->a->name != member || part->b->kind != N_KIND_E_NAME)
		return false;
	const bool not_so = so == (part->num == 1);
	if (n > 1 && n == f->program->lives[KIND_COMBATANT]) {
		buf_puts(out, not_so ? "nobody is " : "everybody is ");
		reason_text(f, part->b, b, out);
		return true;
	}
	people_add(f, who, n, out);
	buf_printf(out, " %s%s ", n == 1 ? "is" : "are", not_so ? " not" : "");
	reason_text(f, part->b, b, out);
	return true;
}

/* What a part comes to for each of them, and what it rests on. */
static bool each_of(struct fray *f, const struct node *part, sym member, const struct names *b, const word *who, int n, bool so, struct condition *out, int depth)
{
	const bool together = of_each(f, part, member, b, who, n, so, &out->text);
	int said = 0;
	for (int i = 0; i < n && i < MEMBERS_MOST; i++) {
		struct condition c = {0};
		struct names one = *b;
		names_bind(&one, member, KIND_COMBATANT, who[i]);
		bool told = deep(f, part, &one, so, &c, depth + 1);
		if (!told && !together) {
			condition_free(&c);
			return false;
		}
		/* of many the first is told, and who is like it */
		if (together || (n > ALIKE_LEAST && said > 0) || i >= MEMBERS_TOLD)
			buf_clear(&c.text);
		said += c.text.length > 0;
		if (!c.text.length) {
			for (int k = 0; k < c.rest.n; k++)
				condition_rest(out, c.rest.v[k]);
			condition_free(&c);
		} else {
			condition_join(out, &c);
		}
	}
	if (!together && n > ALIKE_LEAST && said) {
		buf_puts(&out->text, ", and the like goes for ");
		people_add(f, who + 1, n - 1, &out->text);
	}
	return true;
}

/* Of those who fulfil several conditions: the one that did so longest, by the condition `told`. It
 * rests on all of theirs. */
static bool longest_so(struct fray *f, const struct node *set, const struct names *b,
	const word *who, int n, const struct node *told, struct condition *out, int depth)
{
	struct condition best = {0};
	int32_t since = INT32_MAX;
	for (int i = 0; i < n; i++) {
		struct condition all = {0};
		struct names one = *b;
		names_bind(&one, set->name, KIND_COMBATANT, who[i]);
		for (const struct node *part = set->c->a; part; part = part->next) {
			struct condition c = {0};
			deep(f, part, &one, true, &c, depth + 1);
			if (part != told)
				buf_clear(&c.text);
			if (c.text.length) {
				condition_join(&all, &c);
				continue;
			}
			for (int k = 0; k < c.rest.n; k++)
				condition_rest(&all, c.rest.v[k]);
			condition_free(&c);
		}
		const int32_t turned = condition_change(f, &all);
		if (all.text.length && turned < since) {
			condition_free(&best);
			best = all;
			since = turned;
		} else {
			condition_free(&all);
		}
	}
	if (!best.text.length) {
		condition_free(&best);
		return false;
	}
	condition_join(out, &best);
	return true;
}

/* "any (foe in X's enemies where ..)": who it is; of nobody, at which part of the condition the last ones fail. */
static bool of_several(struct fray *f, const struct node *n, const struct names *b, bool some, struct condition *out, int depth)
{
	const struct node *set = n->a;
	word now[SET_MOST], before[SET_MOST];
	if (!set || set->kind != N_KIND_E_SET || !set->c || set->b)
		return false;
	const int parts = set->c->kind == N_KIND_E_AND ? node_count(set->c->a) : 1;
	const struct node *part = set->c->kind == N_KIND_E_AND ? set->c->a : set->c;
	if (some) {
		int k = members(f, set, b, parts, now, SET_MOST);
		if (k <= 0)
			return false;
		k = k < SET_MOST ? k : SET_MOST;
		/* a part that says something of the member alone reads best, unless another is a
		 * number between them and somebody */
		const struct node *own = part, *between = part;
		while (own && own->kind != N_KIND_E_IS)
			own = parts > 1 ? own->next : NULL;
		while (between && between->kind != N_KIND_E_CALL)
			between = parts > 1 ? between->next : NULL;
		if (between && own && parts > 1)
			return longest_so(f, set, b, now, k, between, out, depth);
		return each_of(f, own ? own : part, set->name, b, now, k, true, out, depth);
	}
	int last = members(f, set, b, 0, before, SET_MOST);
	if (last == 0) {
		buf_puts(&out->text, "there is nobody in ");
		reason_text(f, set->a, b, &out->text);
		return true;
	}
	for (int i = 1; i <= parts && last > 0; i++, part = part->next) {
		int k = members(f, set, b, i, now, SET_MOST);
		if (k < 0)
			return false;
		if (k == 0)
			return each_of(f, part, set->name, b, before, last < SET_MOST ? last : SET_MOST, false, out, depth);
		memcpy(before, now, sizeof before);
		last = k;
	}
	return false;
}

/* ---- all kinds ---- */

static bool parts_of(struct fray *f, const struct node *n, const struct names *b, bool so, struct condition *out, int depth)
{
	/* one part decides: the first that fails of all, the first that holds of any */
	const bool all = n->kind == N_KIND_E_AND;
	bool told = false;
	for (const struct node *k = n->a; k; k = k->next) {
		bool holds;
		if (!reason_holds(f, reason_put(f, k, b), &holds))
			return false;
		if (so == all) { /* every part is needed */
			struct condition c = {0};
			if (deep(f, k, b, so, &c, depth + 1)) {
				condition_join(out, &c);
				told = true;
			} else {
				condition_free(&c);
			}
		} else if (holds == so) {
			return deep(f, k, b, so, out, depth + 1);
		}
	}
	return told;
}

static bool deep(struct fray *f, const struct node *n, const struct names *b, bool so, struct condition *out, int depth)
{
	bool holds;
	struct node *x = reason_put(f, n, b);
	if (depth > DEEP_MOST || !reason_holds(f, x, &holds) || holds != so)
		return false;
	switch (n->kind) {
	case N_KIND_E_NOT:
		return deep(f, n->a, b, !so, out, depth);
	case N_KIND_E_AND: case N_KIND_E_OR:
		return parts_of(f, n, b, so, out, depth);
	case N_KIND_E_BINARY:
		if (n->op < BIN_EQ)
			return false;
		if (!condition_lasts(f, n, x, b, so, &out->text)) {
			comparison(f, n, b, so, out);
			dice_behind(f, n->a, b, out);
		}
		condition_rests(f, n, x, b, out);
		condition_bounded(f, n, x, b, out);
		return true;
	case N_KIND_E_AGG:
		if (n->op != AGG_COUNT && of_several(f, n, b, (n->op == AGG_ANY) == so, out, depth))
			return true;
		break;
	case N_KIND_E_IS: {
		const bool yes = so != (n->num == 1);
		if (x->ref_kind == REF_ADJECTIVE)
			return is_adjective(f, n, x, b, yes, out, depth);
		if (x->ref_kind == REF_FLAG) {
			reason_is_text(f, n, b, yes, &out->text);
			condition_rest(out, (struct rests){.field = x->ref, .owner = reason_live(f, n->a, b), .other = NONE});
			return true;
		}
		if (x->a->kind == N_KIND_E_FIELD) {
			struct buf value = {0};
			if (!reason_value_text(f, reason_put(f, n->a, b), &value))
				buf_puts(&value, "unknown");
			subject_add(f, n->a, b, &out->text);
			buf_puts(&out->text, buf_text(&value));
			if (!yes && strcmp(buf_text(&value), "none") != 0 && n->b->kind != N_KIND_E_NONE) {
				buf_puts(&out->text, ", not ");
				reason_text(f, n->b, b, &out->text);
			}
			buf_free(&value);
			condition_rests(f, n, x, b, out);
			return true;
		}
		reason_is_text(f, n, b, yes, &out->text);
		return true;
	}
	case N_KIND_E_HAS:
		reason_has_text(f, n, b, so, &out->text);
		if (x->ref_kind == REF_LIST_FIELD && x->ref >= 0)
			condition_rest(out, (struct rests){.field = x->ref, .owner = reason_live(f, n->a, b), .other = NONE});
		condition_rests(f, n, x, b, out);
		return true;
	case N_KIND_E_FIELD:
		if (x->ref_kind == REF_QUESTION) {
			struct names who = {.n = 0};
			const word live = reason_live(f, n->a, b);
			names_bind(&who, f->model.question.v[x->ref].name, kind_root(&f->model, f->model.question.v[x->ref].subject), live);
			if (live != NONE && answered(f, x->ref, reason_put(f, n, b), &who, so, out, depth))
				return true;
		}
		break;
	case N_KIND_E_CALL:
		if (x->ref_kind == REF_QUESTION && x->ref >= 0) {
			struct names who = {.n = 0};
			for (const struct node *a = n->b; a; a = a->next)
				names_bind(&who, f->model.question.v[x->ref].name, KIND_COMBATANT, reason_live(f, a, b));
			if (who.n == node_count(n->b) && answered(f, x->ref, reason_put(f, n, b), &who, so, out, depth))
				return true;
		}
		break;
	default:
		break;
	}
	reason_text(f, n, b, &out->text);
	buf_puts(&out->text, so ? ": yes" : ": no");
	condition_rests(f, n, x, b, out);
	return true;
}

bool condition_of(struct fray *f, const struct node *n, const struct names *b, bool so, struct condition *out)
{
	memset(out, 0, sizeof *out);
	if (deep(f, n, b, so, out, 0) && out->text.length)
		return true;
	condition_free(out);
	return false;
}
