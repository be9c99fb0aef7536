/* aside.c - see aside.h. */
#include "lang/api/aside.h"

#include <stdlib.h>
#include <string.h>

#include "lang/api/past.h"
#include "runtime/dice/dice.h"
#include "runtime/world/block.h"
#include "runtime/world/extends.h"

/* Enough for the lines one takes back in a while; logs may be long. */
enum { ASIDE_MOST = 12, RECORDS_MOST = 400000 };

struct aside {
	struct program *program;
	struct vm *vm;
	struct table *table;
	struct pasts pasts;
	struct fray_tally tally;
	int64_t rounds;
	uint64_t order;        /* of being set aside */
};

void pasts_clear(struct pasts *p)
{
	for (int i = 0; i < p->beat.n; i++)
		past_free(p->beat.v[i]);
	VEC_FREE(p->beat);
	memset(p, 0, sizeof *p);
}

static void drop_machine(struct fray *f)
{
	vm_free(f->vm);
	if (f->program)
		program_free(f->program);
	table_close(f->table);
	f->vm = NULL;
	f->program = NULL;
	f->table = NULL;
	pasts_clear(&f->session.pasts);
}

void aside_put(struct fray *f, struct aside **place)
{
	struct aside *a = calloc(1, sizeof *a);
	must(*place == NULL);
	if (!a)
		abort();
	a->program = f->program;
	a->vm = f->vm;
	a->table = f->table;
	a->pasts = f->session.pasts;
	a->tally = f->tally;
	a->rounds = f->rounds;
	a->order = f->session.asides++;
	f->program = NULL;
	f->vm = NULL;
	f->table = NULL;
	memset(&f->session.pasts, 0, sizeof f->session.pasts);
	*place = a;
}

void aside_take(struct fray *f, struct aside **place)
{
	struct aside *a = *place;
	drop_machine(f);
	f->program = a->program;
	f->vm = a->vm;
	f->table = a->table;
	f->session.pasts = a->pasts;
	f->tally = a->tally;
	f->rounds = a->rounds;
	f->told = vm_trace(f->vm)->n;
	table_forget(f->table);
	free(a);
	*place = NULL;
}

void aside_exchange(struct fray *f, struct aside **place)
{
	struct aside *there = *place;
	*place = NULL;
	aside_put(f, place);
	aside_take(f, &there);
}

bool aside_extend(struct fray *f, struct aside *from)
{
	struct pasts *pasts = &f->session.pasts;
	if (!vm_extend(f->vm, from->vm))
		return false;
	for (int i = 0; i < from->pasts.beat.n; i++)
		VEC_PUSH(pasts->beat, past_share(from->pasts.beat.v[i]));
	return true;
}

void aside_moment(struct fray *f, struct aside *from)
{
	struct pasts *pasts = &f->session.pasts;
	const uint32_t words = f->program->layout.words;
	const int last = pasts->beat.n - 1;
	block_tidy(vm_block(f->vm), f->program);
	if (last < 0)
		return;
	word *before = malloc(words * sizeof *before);
	if (!before)
		abort();
	memcpy(before, vm_block(from->vm), words * sizeof *before);
	past_apply(pasts->beat.v[last], before);
	program_extend_world(from->program, f->program, before);
	past_free(pasts->beat.v[last]);
	pasts->beat.v[last] = past_of(before, vm_block(f->vm), words);
	free(before);
}

void aside_free(struct aside **place)
{
	struct aside *a = *place;
	if (!a)
		return;
	vm_free(a->vm);
	program_free(a->program);
	table_close(a->table);
	pasts_clear(&a->pasts);
	free(a);
	*place = NULL;
}

struct count { struct aside **oldest; int n; int64_t records; };

static void count_one(struct count *c, struct aside **place)
{
	if (!*place)
		return;
	c->n++;
	c->records += vm_trace((*place)->vm)->n;
	if (!c->oldest || (*place)->order < (*c->oldest)->order)
		c->oldest = place;
}

static struct count count_all(struct session *s)
{
	struct count c = {0};
	for (int i = 0; i < s->fork.n; i++) {
		count_one(&c, &s->fork.v[i].aside);
		for (int k = 0; k < s->fork.v[i].line.entry.n; k++)
			count_one(&c, &s->fork.v[i].line.entry.v[k].other);
	}
	return c;
}

void aside_limit(struct fray *f)
{
	for (;;) {
		struct count c = count_all(&f->session);
		/* the last one is kept, however long its log: taking back the last line is at once */
		if (c.n <= 1 || (c.n <= ASIDE_MOST && c.records <= RECORDS_MOST))
			return;
		aside_free(c.oldest);
	}
}
