/* otherwise_said.c - the smallest change of one die, told: in full with the altered story, and as the
 * last sentence of a short answer:
 *
 *   With 4 or less on Bruna's damage, orc #1 would not have died. */
#include <string.h>

#include "lang/api/otherwise.h"
#include "runtime/explain/answer.h"

enum { LINES_TOLD = 2 };

/* ---- in full: the altered story ---- */

static bool names(const struct fray *f, struct told_line *l, word who)
{
	return who != NONE && strstr(buf_text(&l->text), f->program->live[KIND_COMBATANT][who].name) != NULL;
}

static void tell_line(struct fray *f, struct told_line *l)
{
	fray_writef(f, FRAY_TIME, "  %s  ", buf_text(&l->moment));
	fray_wrap(f, buf_text(&l->text), 4 + (int)l->moment.length, 6);
}

/* Of the lines that are new, the one of the die and the first that speaks of whom was asked. */
static void tell_lines(struct fray *f, const struct otherwise *q, struct told_lines *now, struct told_lines *then)
{
	int told = 0;
	bool any = false;
	for (int i = 0; i < now->line.n && told < LINES_TOLD; i++) {
		bool old = false;
		for (int k = 0; k < then->line.n && !old; k++)
			old = lines_same(&now->line.v[i], &then->line.v[k]);
		if (old)
			continue;
		bool named = names(f, &now->line.v[i], q->who) && (q->whom == NONE || names(f, &now->line.v[i], q->whom));
		if (any && !named)
			continue;
		tell_line(f, &now->line.v[i]);
		any = true;
		told++;
	}
}

static void tell(struct fray *f, const struct otherwise *q, struct altered *a)
{
	struct buf label = {0};
	fray_write(f, FRAY_DIM, "otherwise  ");
	buf_puts(&label, buf_text(&a->die));
	if (a->chance)
		buf_puts(&label, a->value ? " yes" : " no");
	else
		buf_printf(&label, " %lld%s instead of %lld", (long long)a->value, !a->all ? "" : a->value > a->was ? " or more" : " or less", (long long)a->was);
	buf_printf(&label, "%s%s", a->is.length ? ": it would be " : ":", buf_text(&a->is));
	fray_wrap(f, buf_text(&label), 11, 11);
	if (!a->is.length)
		tell_lines(f, q, &a->now, &a->then);
	buf_free(&label);
}

void otherwise_tell(struct fray *f, const struct otherwise *q)
{
	struct altered a;
	otherwise_find(f, q, &a);
	if (a.found)
		tell(f, q, &a);
	else if (a.gave_up)
		fray_write(f, FRAY_DIM, "Whether one other face would have changed it was not found out: the search was given up.\n");
	altered_free(&a);
}

/* ---- in a sentence ---- */

/* "Bruna's second attack roll": the count stands in front of the last name. */
static void die_add(struct altered *a, struct buf *out)
{
	static const char *const nth[] = {"", "first ", "second ", "third ", "fourth ", "fifth ", "sixth "};
	const char *die = buf_text(&a->die), *own = NULL;
	for (const char *at = die; (at = strstr(at, "'")) != NULL; at++)
		own = at[1] == 's' && at[2] == ' ' ? at + 3 : at[1] == ' ' ? at + 2 : own;
	buf_puts(out, a->of_side ? "the " : "");
	if (a->of > 1 && a->nth < (int)FRAY_COUNT(nth) && own)
		buf_printf(out, "%.*s%s%s", (int)(own - die), die, nth[a->nth], own);
	else
		buf_puts(out, die);
	buf_puts(out, buf_text(&a->when));
}

void altered_die(struct altered *a, struct buf *out)
{
	if (a->chance)
		buf_puts(out, a->value ? "yes on " : "no on ");
	else
		buf_printf(out, "%lld%s ", (long long)a->value,
			!a->all                 ? ""
				: a->value > a->was ? " or more"
									: " or less");
	if (!a->chance && a->unsaid)
		buf_printf(out, "instead of %lld ", (long long)a->was);
	buf_puts(out, a->chance ? "" : "on ");
	die_add(a, out);
}

/* "orc #1 would have attacked Bruna in segment 5", without its first words when the sentence has them already. */
static void deed_add(const struct program *p, struct told_deed *d, word who, bool begun, struct buf *out)
{
	struct buf head = {0};
	if (who != NONE)
		program_live(p, KIND_COMBATANT, who, &head);
	buf_puts(&head, " would have ");
	const char *text = buf_text(&d->would);
	buf_puts(out, begun && !strncmp(text, buf_text(&head), head.length) ? text + head.length : text);
	buf_free(&head);
}

/* What would have come instead of an event. */
static void event_then(const struct log *l, const struct otherwise *q, struct altered *a, struct buf *out)
{
	struct told_deed *place = NULL, *deed = NULL;
	for (int i = a->deed.n - 1; i >= 0; i--)
		*(a->deed.v[i].place ? &place : &deed) = &a->deed.v[i];
	if (place) {
		deed_add(l->p, place, NONE, false, out);
		return;
	}
	if (a->left.length) {
		buf_puts(out, buf_text(&a->left));
	} else {
		/* it may come later, when the fight goes on longer than it did */
		english_event(l, q->record, MOOD_WOULD_NOT, out);
		buf_puts(out, " then");
	}
	if (!deed)
		return;
	buf_puts(out, a->left.length ? " and " : ": ");
	deed_add(l->p, deed, q->who, a->left.length > 0, out);
}

/* What did not happen, as if it were an event. */
static void would_have(const struct log *l, const struct otherwise *q, struct buf *out)
{
	struct buf told = {0};
	const struct program *p = l->p;
	const struct record *r = q->record >= 0 ? log_at(l, q->record) : NULL;
	if (q->event >= 0 && !p->event[q->event].action) {
		buf_puts(out, "it would have happened");
		return;
	}
	if (r && r->kind != REC_EVENT && r->what == q->event) {
		english_event(l, q->record, MOOD_WOULD, out);
		return;
	}
	if (q->who != NONE)
		program_live(p, KIND_COMBATANT, q->who, &told);
	else
		buf_puts(&told, "it");
	buf_putc(&told, ' ');
	if (q->event >= 0)
		verb_add(p->event[q->event].name, &told);
	else
		buf_puts(&told, "acts");
	if (q->whom != NONE) {
		buf_putc(&told, ' ');
		program_live(p, KIND_COMBATANT, q->whom, &told);
	}
	if (!english_sentence(p, buf_text(&told), MOOD_WOULD, out))
		buf_puts(out, "that would have happened");
	buf_free(&told);
}

/* "Korg would have acted before orc #1" */
static void order_then(const struct program *p, const struct otherwise *q, const struct altered *a, struct buf *out)
{
	const bool one = a->order < 0;
	const int event = one ? q->event : q->other_event;
	program_live(p, KIND_COMBATANT, one ? q->who : q->other, out);
	buf_puts(out, event < 0 ? " would have acted before " : " would have come before ");
	program_live(p, KIND_COMBATANT, one ? q->other : q->who, out);
}

/* "Eli would not be down", of a state that was asked about. */
static void state_then(const struct program *p, const struct otherwise *q, struct buf *out)
{
	const char *asked = q->asked ? q->asked->text : "";
	const bool denied = !strncmp(asked, "not ", 4);
	const enum mood mood = (q->value->value[0] != 0) == denied ? MOOD_WOULD : MOOD_WOULD_NOT;
	if (!*asked || !english_sentence(p, asked + (denied ? 4 : 0), mood, out))
		buf_puts(out, "that would be otherwise");
}

static void consequence(struct fray *f, const struct otherwise *q, struct altered *a, struct buf *out)
{
	struct log l;
	log_open(&l, f->program, vm_trace(f->vm));
	switch (q->sort) {
	case OTHERWISE_EVENT:
		event_then(&l, q, a, out);
		break;
	case OTHERWISE_NOT:
		if (a->deed.n)
			buf_puts(out, buf_text(&a->deed.v[0].would));
		else
			would_have(&l, q, out);
		break;
	case OTHERWISE_ORDER:
		order_then(f->program, q, a, out);
		break;
	case OTHERWISE_VALUE:
		if (q->value && q->value->type.base == VT_BOOL)
			state_then(f->program, q, out);
		else
			buf_printf(out, "it would be %s", buf_text(&a->is));
		break;
	}
	log_close(&l);
}

/* Does an answer name the die? Its owner may have been named before it. */
static bool names_die(struct answer *said, struct altered *a)
{
	const char *die = buf_text(&a->die), *own = strstr(die, "'s ");
	own = own ? own + 3 : die;
	bool found = strstr(buf_text(&said->about), own) != NULL;
	for (int i = 0; i < said->figure.n && !found; i++)
		found = strstr(said->figure.v[i].text, own) != NULL;
	return found;
}

void otherwise_sentence(struct fray *f, const struct otherwise *q, struct answer *said,
	struct altered *a, struct buf *out)
{
	otherwise_find(f, q, a);
	if (!a->found)
		return;
	a->unsaid = !names_die(said, a);
	buf_puts(out, "With ");
	altered_die(a, out);
	buf_puts(out, ", ");
	consequence(f, q, a, out);
	buf_putc(out, '.');
}
