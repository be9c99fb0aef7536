/* fingerprint.c - see fingerprint.h. Of trees also what the checker wrote into them is counted, and of that
 * nothing that the linker writes, nor which rules are in force: that is worked out for the encounter in
 * scope before it is used. Labels, kept values and choices are met by linking, too. */
#include "lang/api/fingerprint.h"

#include <string.h>

#include "lang/api/session.h"
#include "lang/front/image.h"
#include "lang/front/lexicon.h"
#include "stdlib/builtins.h"
#include "runtime/base/hash.h"
#include "runtime/world/block.h"

static void add(uint64_t *h, uint64_t value)
{
	*h = (*h ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	*h ^= *h >> 29;
}

static void add_bytes(uint64_t *h, const void *bytes, size_t length)
{
	add(h, hash_bytes(bytes, length, length));
}

static void add_text(uint64_t *h, const char *text)
{
	add(h, text != NULL);
	if (text)
		add_bytes(h, text, strlen(text));
}

static void add_type(uint64_t *h, struct type *t)
{
	add(h, t != NULL);
	for (int depth = 0; t && depth < 4; depth++, t = t->elem) {
		t = type_find(t);
		add(h, t->base);
		add(h, t->kind);
	}
}

static void add_tree(uint64_t *h, const struct node *n)
{
	for (; n; n = n->next) {
		bool linked = n->kind == N_KIND_MOMENT || n->kind == N_KIND_KEY; /* they get numbers in the program */
		add(h, n->kind * 256 + n->op);
		add(h, n->damaged * 2 + n->frac);
		add(h, (uint64_t)n->name << 32 | n->name2);
		add(h, n->num);
		add(h, n->den);
		add(h, (uint64_t)n->span.start << 32 | n->span.end);
		add(h, n->ref_kind);
		add(h, linked ? 0 : n->ref);
		add(h, linked ? 0 : n->role);
		add_text(h, n->text);
		add_type(h, n->type);
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		for (int i = 0; i < 6; i++) {
			add(h, kids[i] != NULL);
			if (kids[i])
				add_tree(h, kids[i]);
		}
	}
	add(h, -1);
}

static uint64_t print_names(const struct fray *f)
{
	const struct lexicon *l = f->front.lexicon;
	uint64_t h = 1;
	add(&h, f->front.torn * 2 + f->front.incomplete);
	add(&h, lexicon_count(l));
	for (int i = 0; i < lexicon_count(l); i++) {
		const struct lex_entry *e = lexicon_entry(l, i);
		add(&h, e->flags);
		add(&h, (uint64_t)e->text << 32 | e->verb);
		add(&h, (uint64_t)e->kind << 32 | e->unit);
		add(&h, (uint64_t)e->alias << 32 | (uint32_t)e->word);
	}
	return h;
}

static uint64_t print_files(const struct fray *f)
{
	uint64_t h = 2;
	for (int i = 0; i < f->unit.n; i++) {
		const struct unit *u = &f->unit.v[i];
		add(&h, (uint64_t)u->name << 32 | u->module);
		add(&h, (uint64_t)u->file << 32 | u->layer);
		add(&h, u->collected_only * 4 + u->called * 2 + u->aside);
		add(&h, (uint64_t)u->varied << 32 | u->only);
		add(&h, u->under);
	}
	for (int i = 0; i < f->put_off.n; i++) {
		const struct put_off *p = &f->put_off.v[i];
		add(&h, (uint64_t)p->builtin);
		add_bytes(&h, p->taken, fray_image.file[p->builtin].blocks * sizeof *p->taken);
	}
	add(&h, f->units_again);
	add(&h, f->more_read);
	add(&h, f->met_sources);
	if (f->met)
		add_bytes(&h, f->met, (fray_image.vocabularies + 1) * sizeof *f->met);
	return h;
}

static uint64_t print_trees(const struct fray *f)
{
	uint64_t h = 3;
	for (int i = 0; i < f->unit.n; i++)
		add_tree(&h, f->unit.v[i].tree);
	add_tree(&h, f->typed);
	return h;
}

static void add_clause(uint64_t *h, const struct mclause *c)
{
	add(h, (uint64_t)c->rule << 32 | (uint32_t)c->module);
	add(h, (uint64_t)c->thing << 32 | c->sort);
	add(h, (uint64_t)c->question << 32 | (uint32_t)c->event);
	add(h, c->phase * 2 + c->unless);
	add(h, (uint64_t)c->encounter << 32 | (uint32_t)c->params);
	for (int i = 0; i < c->params && i < EVENT_ROLES; i++)
		add(h, c->param_name[i]);
}

static void add_event(uint64_t *h, const struct mevent *e)
{
	add(h, (uint64_t)e->name << 32 | (uint32_t)e->roles);
	for (int i = 0; i < e->roles; i++) {
		add(h, (uint64_t)e->role[i].name << 32 | e->role[i].preposition);
		add(h, e->role[i].field);
		add_type(h, e->role[i].type);
	}
	for (int k = 0; k < 4; k++)
		for (int i = 0; i < e->clause[k].n; i++)
			add(h, e->clause[k].v[i]);
	add(h, (uint64_t)e->forbid.n << 32 | (uint32_t)e->permit.n);
	add(h, (uint64_t)e->does << 32 | (uint32_t)e->costs);
	add(h, (uint64_t)e->slot.n << 32 | e->action);
}

static uint64_t print_model(const struct fray *f)
{
	const struct model *m = &f->model;
	uint64_t h = 4;
	add(&h, f->checked * 2 + f->sound);
	if (!f->checked)
		return h;
	for (int i = 0; i < m->module.n; i++)
		add(&h, (uint64_t)m->module.v[i].name << 32 | m->module.v[i].layer);
	for (int i = 0; i < m->kind.n; i++)
		add(&h, (uint64_t)m->kind.v[i].name << 32 | (uint32_t)m->kind.v[i].isa);
	for (int i = 0; i < m->field.n; i++) {
		add(&h, (uint64_t)m->field.v[i].name << 32 | (uint32_t)m->field.v[i].kind);
		add(&h,
			(uint64_t)m->field.v[i].question << 8 |
				(m->field.v[i].noted * 16 + m->field.v[i].kept * 8 + m->field.v[i].frac * 4 +
					m->field.v[i].shared * 2 + m->field.v[i].closed));
		if (m->field.v[i].settled)
			add(&h, (uint64_t)m->field.v[i].settled << 32 | (uint32_t)m->field.v[i].lead);
		add_type(&h, m->field.v[i].type);
	}
	for (int i = 0; i < m->pair.n; i++)
		add(&h, (uint64_t)m->pair.v[i].name << 32 | (uint32_t)m->pair.v[i].kind);
	for (int i = 0; i < m->question.n; i++) {
		const struct mquestion *q = &m->question.v[i];
		add(&h, (uint64_t)q->name << 32 | (uint32_t)q->subject);
		add(&h, (uint64_t)q->params << 32 | (uint32_t)q->clause.n);
		add_type(&h, q->type);
		for (int k = 0; k < q->clause.n; k++)
			add(&h, q->clause.v[k]);
	}
	for (int i = 0; i < m->event.n; i++)
		add_event(&h, &m->event.v[i]);
	for (int i = 0; i < m->clause.n; i++)
		add_clause(&h, &m->clause.v[i]);
	for (int i = 0; i < m->rule.n; i++)
		add(&h, (uint64_t)m->rule.v[i].name << 32 | (uint32_t)m->rule.v[i].module);
	for (int i = 0; i < m->thing.n; i++)
		add(&h, (uint64_t)m->thing.v[i].name << 32 | (uint32_t)(m->thing.v[i].kind * 65536 + m->thing.v[i].parent));
	for (int i = 0; i < m->table.n; i++)
		add(&h, (uint64_t)m->table.v[i].name << 32 | (uint32_t)m->table.v[i].like);
	for (int i = 0; i < m->policy.n; i++)
		add(&h, m->policy.v[i].name);
	for (int i = 0; i < m->encounter.n; i++)
		add(&h, m->encounter.v[i].name);
	for (int i = 0; i < m->option.n; i++)
		add(&h, (uint64_t)m->option.v[i].name << 32 | (uint32_t)m->option.v[i].field);
	for (int i = 0; i < m->alias.n; i++)
		add(&h, (uint64_t)m->alias.v[i].from << 32 | m->alias.v[i].to);
	add(&h, (uint64_t)m->unit.n << 32 | (uint32_t)m->phase.n);
	add(&h, (uint64_t)m->said.n << 32 | (uint32_t)m->unknown.n);
	return h;
}

static uint64_t print_session(const struct fray *f)
{
	const struct session *s = &f->session;
	uint64_t h = 5;
	add(&h, s->current);
	add(&h, s->replaying);
	for (int i = 0; i < s->fork.n; i++) {
		const struct fork *x = &s->fork.v[i];
		add_text(&h, x->name);
		add_text(&h, x->place);
		add(&h, (uint64_t)x->parent << 32 | (uint32_t)x->parted);
		add(&h, (uint64_t)x->line.entry.n << 32 | (uint32_t)x->line.at);
		for (int k = 0; k < x->line.entry.n; k++) {
			add(&h, x->line.entry.v[k].sort);
			add(&h, (uint64_t)(uintptr_t)x->line.entry.v[k].node);
			add(&h, x->line.entry.v[k].dice.die.n);
		}
	}
	return h;
}

static uint64_t print_fight(struct fray *f)
{
	uint64_t h = 6;
	add(&h, f->encounter);
	add(&h, f->rounds);
	add(&h, (uint64_t)f->options.seed);
	add(&h, (uint64_t)f->options.trial);
	add(&h, f->options.ask);
	add(&h, (uint64_t)f->revision);
	add(&h, f->rolls);
	add(&h, f->asking.on * 256 + f->asking.names);
	add(&h, (uint64_t)f->tally.expects_failed << 32 | (uint32_t)f->tally.expects_passed);
	add(&h, (uint64_t)f->run_sink.errors << 32 | (uint32_t)f->run_sink.warnings);
	add(&h, f->vm != NULL);
	if (!f->vm)
		return h;
	add(&h, (uint64_t)f->program->id);
	add(&h, f->told);
	add(&h, f->session.pasts.beat.n);
	block_tidy(vm_block(f->vm), f->program);
	add_bytes(&h, vm_block(f->vm), f->program->layout.words * sizeof(word));
	return h;
}

struct fingerprint fingerprint_of(struct fray *f)
{
	struct fingerprint p;
	p.part[PRINT_NAMES] = print_names(f);
	p.part[PRINT_FILES] = print_files(f);
	p.part[PRINT_TREES] = print_trees(f);
	p.part[PRINT_MODEL] = print_model(f);
	p.part[PRINT_SESSION] = print_session(f);
	p.part[PRINT_FIGHT] = print_fight(f);
	return p;
}
