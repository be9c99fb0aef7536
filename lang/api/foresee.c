/* foresee.c - see foresee.h. The beat is played again for each value, up to the next die. */
#include "lang/api/foresee.h"

#include <string.h>

#include "lang/api/session.h"
#include "runtime/explain/log.h"

enum { VALUES_MOST = 400, FUEL = 40000000 };

/* What a value leads to: in words, and the same with numbers left out. */
struct end { int64_t value; char *text, *kind, *next; };

struct foreseer {
	struct dice_source source;
	struct fray *f;
	uint64_t hash;
	uint32_t occurrence;
	int64_t value;
	bool fell;                       /* the die in question did */
	char *next;                      /* the die after it, owned; NULL: none */
	const struct table_dice *known;
	VEC(struct end) end;
};

static enum dice_answer roll(struct dice_source *self, const struct dice_ask *ask, struct dice_result *out)
{
	struct foreseer *x = (struct foreseer *)self;
	if (ask->label == x->hash && ask->occurrence == x->occurrence) {
		x->fell = true;
		return dice_give(ask, NULL, 0, x->value, out);
	}
	for (int i = 0; i < x->known->die.n; i++) {
		const struct table_die *d = &x->known->die.v[i];
		if (d->hash == ask->label && d->occurrence == ask->occurrence)
			return d->rolled ? DICE_PASS : dice_give(ask, d->face, d->faces, d->total, out);
	}
	if (!x->fell)
		return DICE_PASS;
	struct buf next = {0};
	buf_puts(&next, ask->name(ask->context));
	if (ask->dice) {
		buf_puts(&next, " (");
		dice_print(ask->dice, &next);
		buf_putc(&next, ')');
	}
	x->next = buf_take(&next);
	return DICE_STOP;
}

static void add(struct buf *text, const char *more)
{
	if (*more)
		buf_printf(text, "%s%s", text->length ? ", " : "", more);
}

/* What was told behind record `from`, in one line. */
static void told_since(const struct log *l, int32_t from, struct buf *out)
{
	for (int32_t i = from + 1; i < l->n; i++) {
		const struct record *r = log_at(l, i);
		struct buf b = {0};
		if (r->dropped)
			continue;
		if (r->kind == REC_EVENT || r->kind == REC_NOTE || r->kind == REC_REFER)
			buf_puts(&b, trace_text_at(l->t, r->text));
		else if (r->kind == REC_VOID || r->kind == REC_REFUSED)
			log_sentence(l, i, &b);
		else if (r->kind == REC_OUTCOME && r->flag != OUTCOME_STOPPED)
			log_outcome(l, r, &b);
		else if (r->kind == REC_GROUP)
			break; /* others act now */
		add(out, buf_text(&b));
		buf_free(&b);
	}
}

static char *without_numbers(const char *text)
{
	struct buf b = {0};
	for (const char *c = text; *c; c++)
		if (*c < '0' || *c > '9')
			buf_putc(&b, *c);
		else if (c == text || c[-1] < '0' || c[-1] > '9')
			buf_putc(&b, '#');
	return buf_take(&b);
}

/* The act, and the rule that rolls. */
static void tell_cause(struct fray *f, const struct log *l, int32_t die)
{
	const struct record *r = log_at(l, die);
	struct buf cite = {0};
	int32_t told[8];
	int n = 0;
	for (int32_t i = r->parent; i >= 0 && n < (int)FRAY_COUNT(told); i = log_at(l, i)->parent)
		if (log_at(l, i)->text >= 0)
			told[n++] = i;
	fray_write(f, FRAY_PLAIN, n ? "  " : "  before anybody acts");
	for (int k = n; k-- > 0;)
		fray_writef(f, FRAY_PLAIN, "%s%s", trace_text_at(l->t, log_at(l, told[k])->text), k ? ": " : "");
	program_cite(l->p, r->clause, &cite);
	if (cite.length)
		fray_writef(f, FRAY_CITE, "  %s", buf_text(&cite));
	fray_write(f, FRAY_PLAIN, "\n");
	buf_free(&cite);
}

/* One value; false when it cannot be played. */
static bool try_value(struct foreseer *x, struct vm *vm, const word *start, bool first)
{
	struct fray *f = x->f;
	x->fell = false;
	free(x->next);
	x->next = NULL;
	if (start)
		vm_restore(vm, start);
	else
		vm_begin(vm, f->options.seed, f->options.trial, f->rounds);
	if (start)
		vm_step(vm);
	else
		vm_set_up(vm);
	const struct trace *t = vm_trace(vm);
	int32_t die = -1;
	for (int32_t i = t->n; i-- > 0 && die < 0;) {
		const struct record *r = trace_get(t, i);
		if (r->kind == REC_ROLL && program_roll_hash(f->program, r->what, r->owner) == x->hash)
			die = i; /* the last of that name: all later dice stop the run */
	}
	if (!x->fell || die < 0)
		return false;
	struct log log;
	struct buf text = {0};
	log_open(&log, f->program, t);
	if (first)
		tell_cause(f, &log, die);
	told_since(&log, die, &text);
	log_close(&log);
	struct end e = {.value = x->value, .text = buf_take(&text), .next = x->next};
	x->next = NULL;
	buf_printf(&text, "%s; %s", e.text, e.next ? e.next : "");
	e.kind = without_numbers(buf_text(&text));
	buf_free(&text);
	VEC_PUSH(x->end, e);
	return true;
}

static void tell_ends(struct foreseer *x, bool chance)
{
	for (int i = 0; i < x->end.n;) {
		int k = i + 1;
		while (k < x->end.n && !strcmp(x->end.v[k].kind, x->end.v[i].kind))
			k++;
		const struct end *a = &x->end.v[i], *b = &x->end.v[k - 1];
		if (chance)
			fray_writef(x->f, FRAY_DIE, "  %s", a->value ? "yes" : "no");
		else if (a == b)
			fray_writef(x->f, FRAY_DIE, "  %lld", (long long)a->value);
		else
			fray_writef(x->f, FRAY_DIE, "  %lld to %lld", (long long)a->value, (long long)b->value);
		fray_writef(x->f, FRAY_PLAIN, ": %s", *a->text || a->next ? a->text : "nothing that is told");
		if (strcmp(a->text, b->text))
			fray_writef(x->f, FRAY_PLAIN, " .. %s", b->text);
		if (a->next)
			fray_writef(x->f, FRAY_DIM, "%sthen %s", *a->text ? "; " : "", a->next);
		fray_write(x->f, FRAY_PLAIN, "\n");
		i = k;
	}
}

void table_foresee(struct fray *f, const struct dice_ask *ask, const word *start, const struct table_dice *known)
{
	struct foreseer x = {{roll, NULL}, f, ask->label, ask->occurrence, 0, false, NULL, known, {0}};
	struct vm_host host = {0};
	int least = 0, most = 1;
	host.dice = &x.source;
	host.fuel = FUEL;
	if (ask->dice)
		dice_range(ask->dice, &least, &most);
	struct vm *vm = vm_new(f->program, &host);
	vm_begin(vm, f->options.seed, f->options.trial, f->rounds);
	trace_cut(vm_trace(vm), 0);
	if (start)
		trace_copy(vm_trace(vm), vm_trace(f->vm));
	for (int v = least; v <= most && v < least + VALUES_MOST; v++) {
		x.value = v;
		if ((!ask->dice || dice_can_show(ask->dice, v)) && !try_value(&x, vm, start, x.end.n == 0))
			break;
	}
	vm_free(vm);
	tell_ends(&x, !ask->dice);
	for (int i = 0; i < x.end.n; i++) {
		free(x.end.v[i].text);
		free(x.end.v[i].kind);
		free(x.end.v[i].next);
	}
	VEC_FREE(x.end);
	free(x.next);
}
