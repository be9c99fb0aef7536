/* question_loss.c - what somebody lost of a number of theirs, and why: "why did Dag lose 1 EN in
 * segment 2", "how much EN did Bors lose in round 1". Told by the changes of that number. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/question_asked.h"
#include "lang/api/question_read.h"
#include "lang/api/reason.h"
#include "runtime/world/block.h"

enum { STEPS_MOST = 400, LINES_MOST = 6 };

static const char *const lose_words[] = {
	"lose", "loses", "lost", "pay", "pays", "paid", "spend", "spends", "spent", NULL};

struct loss {
	struct question q;       /* its time */
	word who;
	int field;               /* the model's */
	const char *name;
	int64_t figure;          /* so much; 0: not said */
	bool much, more, loose;
};

/* A number of combatants' that is stored, by its name; of one of it as well: "1 hit point". */
static bool field_read(struct reading *r, struct loss *out)
{
	const struct model *m = &r->f->model;
	size_t best = 0;
	for (int i = 0; i < m->field.n; i++) {
		const struct mfield *x = &m->field.v[i];
		const char *name = model_text(m, x->name);
		size_t n = strlen(name);
		if (x->kind != KIND_COMBATANT || x->program < 0 || x->hidden || !type_number(x->type))
			continue;
		const bool one = n > 2 && name[n - 1] == 's' && read_same(r->at, name, n - 1) &&
			strlen(r->at) >= n - 1 && read_ends(r->at[n - 1]);
		if (!one && (strlen(r->at) < n || !read_same(r->at, name, n) || !read_ends(r->at[n])))
			continue;
		if (n > best) {
			best = one ? n - 1 : n;
			out->field = i;
			out->name = name;
		}
	}
	r->at += best;
	r->at += strspn(r->at, " ");
	return best > 0;
}

/* The moments that stand in the rest of a line; what else it says is left out. */
static void rest_read(struct reading *r, struct loss *out)
{
	while (*r->at) {
		if (read_moment(r))
			continue;
		out->loose = true;
		r->at += strcspn(r->at, " ");
		r->at += strspn(r->at, " ");
	}
}

static bool loss_read(struct fray *f, const char *line, struct loss *out)
{
	people who = {0};
	word side = NONE;
	memset(out, 0, sizeof *out);
	question_clear(&out->q);
	size_t length = strlen(line);
	while (length && strchr(" ?.!\r\n", line[length - 1]))
		length--;
	struct reading r = {f, arena_text(&f->arena, line, length), &out->q};
	out->much = read_take(&r, "how much") || read_take(&r, "how many");
	bool so = out->much ? field_read(&r, out) : read_take(&r, "why");
	so = so && (read_any(&r, read_help_words) || read_take(&r, "has") || read_take(&r, "had")) &&
		read_people(&r, &who, &side) && who.n == 1 && read_any(&r, lose_words);
	if (so && !out->much) {
		char *end;
		out->figure = strtol(r.at, &end, 10);
		r.at = end + strspn(end, " ");
		out->more = read_take(&r, "more");
		so = field_read(&r, out);
	}
	out->who = so ? who.v[0] : NONE;
	if (so)
		rest_read(&r, out);
	VEC_FREE(who);
	return so && (out->much ? !out->loose : out->figure || !out->loose);
}

/* Does another rule take it in what the change before it came of? */
static bool is_more(const struct reason *r, const struct step *v, int n, int i)
{
	const int32_t deed = reason_deed(r->log, v[i].record);
	return i + 1 < n && deed >= 0 && deed == reason_deed(r->log, v[i + 1].record) &&
		trace_get(r->t, v[i].record)->clause != trace_get(r->t, v[i + 1].record)->clause;
}

static void number_add(const struct reason *r, const struct loss *a, word value, struct buf *out)
{
	program_value(r->p, r->p->field[r->f->model.field.v[a->field].program].type, &value, out);
}

/* "11 EN", "1 hit point", "no EN" */
static void much_add(const struct reason *r, const struct loss *a, word value, struct buf *out)
{
	if (value == 0)
		buf_puts(out, "no");
	else
		number_add(r, a, value, out);
	buf_printf(out, " %s%s", a->more ? "more " : "", a->name);
	if (value == 1 && out->length > 2 && out->data[out->length - 1] == 's')
		out->data[--out->length] = '\0';
}

/* " when Dag attacked orc #1 in segment 2 of round 1: 19 - 1 = 18" */
static void step_said(
	struct reason *r, const struct loss *a, struct step s, word after, struct buf *out)
{
	reason_cause(r, s.record, out);
	buf_puts(out, ": ");
	number_add(r, a, after - s.by, out);
	buf_puts(out, " - ");
	number_add(r, a, -s.by, out);
	buf_puts(out, " = ");
	number_add(r, a, after, out);
}

static void sum_said(struct reason *r, const struct loss *a, const struct step *v, int n, word sum,
	struct answer *out)
{
	buf_printf(&out->about, "%s lost ", r->p->live[KIND_COMBATANT][a->who].name);
	much_add(r, a, sum, &out->about);
	event_asked_time(r->p, &a->q, &out->about);
	buf_puts(&out->about, n == 1 ? "," : n ? ":" : ".");
	for (int i = n - 1, told = 0; i >= 0; i--, told++) {
		struct buf line = {0};
		if (told >= LINES_MOST && i > 0) {
			answer_figure(out, -1, -1, "and in %d changes after that", i + 1);
			break;
		}
		number_add(r, a, -v[i].by, &line);
		if (is_more(r, v, n, i))
			buf_printf(&line, " more at the same time, by the rule \"%s\"",
				r->p->clause[trace_get(r->t, v[i].record)->clause].rule);
		else
			reason_cause(r, v[i].record, &line);
		if (n == 1)
			reason_cause(r, v[i].record, &out->about);
		else
			answer_figure(out, v[i].record, -1, "%s", buf_text(&line));
		answer_rule_of(r->p, out, trace_get(r->t, v[i].record)->clause);
		buf_free(&line);
	}
	if (n == 1)
		buf_putc(&out->about, '.');
}

static void one_said(struct reason *r, const struct loss *a, const struct step *v,
	const word *after, int n, struct answer *out)
{
	buf_printf(&out->about, "%s lost ", r->p->live[KIND_COMBATANT][a->who].name);
	much_add(r, a, -v[0].by, &out->about);
	const int32_t clause = trace_get(r->t, v[0].record)->clause;
	if (a->more && clause >= 0)
		buf_printf(&out->about, " by the rule \"%s\"", r->p->clause[clause].rule);
	step_said(r, a, v[0], after[0], &out->about);
	buf_putc(&out->about, '.');
	answer_rule_of(r->p, out, clause);
	for (int i = 1; i < n && i <= LINES_MOST; i++) {
		struct buf line = {0};
		step_said(r, a, v[i], after[i], &line);
		answer_figure(out, v[i].record, -1, "before that%s", buf_text(&line));
		buf_free(&line);
	}
}

bool loss_asked(struct fray *f, const char *line, struct answer *out)
{
	struct loss a;
	struct log log;
	if (!f->vm || !f->program || !loss_read(f, line, &a))
		return false;
	struct reason r = {.f = f,
		.log = &log,
		.p = f->program,
		.t = vm_trace(f->vm),
		.end = (int32_t)vm_block(f->vm)[H_TRACE]};
	struct step *all = calloc(2 * STEPS_MOST, sizeof *all), *v = all + STEPS_MOST;
	word *after = calloc(STEPS_MOST, sizeof *after);
	if (!all || !after)
		abort();
	log_open(&log, r.p, r.t);
	const struct field_info *x = &r.p->field[f->model.field.v[a.field].program];
	word now = vm_block(f->vm)[x->base + (uint32_t)a.who * x->stride], sum = 0;
	int n = reason_steps(&r, a.field, a.who, all, STEPS_MOST), k = 0;
	struct step *gathered = v;
	const int m = reason_gathered(
		&r, f->model.field.v[a.field].program, a.who, gathered, STEPS_MOST);
	for (int i = 0; i < m; i++)
		now += gathered[i].by;
	for (int i = 0; i < n; now -= all[i].by, i++) {
		if (all[i].by >= 0 || !event_in_time(&log, &a.q, all[i].record) ||
			(a.figure && all[i].by != -a.figure) || (a.more && !is_more(&r, all, n, i)))
			continue;
		after[k] = now;
		sum -= all[i].by;
		v[k++] = all[i];
	}
	const bool told = now != NONE && (k > 0 || a.much);
	if (told && a.much)
		sum_said(&r, &a, v, k, sum, out);
	else if (told)
		one_said(&r, &a, v, after, k, out);
	log_close(&log);
	free(all);
	free(after);
	return told;
}
