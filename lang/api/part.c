/* part.c - one machine's share of a sample, as text: a line that says what was asked and with
 * which scripts, a line a question with its tallies, and a line that vouches for all of it. */
#include "lang/api/part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"

struct part {
	uint32_t shard, of;
	json_t *modules, *questions;
	char *encounter;       /* as given, or NULL */
	bool sensitivity, from;
	struct buf text;
};

void part_free(struct part *p)
{
	if (!p)
		return;
	json_decref(p->modules);
	json_decref(p->questions);
	free(p->encounter);
	buf_free(&p->text);
	free(p);
}

void fray_share(struct fray *f, uint32_t shard, uint32_t of)
{
	part_free(f->part);
	f->part = calloc(1, sizeof *f->part);
	if (!f->part)
		abort();
	f->part->shard = shard;
	f->part->of = of;
	f->part->modules = json_array();
	f->part->questions = json_array();
}

/* first .. end of `trials`, without a product that could overflow. */
static uint64_t border(uint64_t trials, uint32_t shard, uint32_t of)
{
	return trials / of * shard + trials % of * shard / of;
}

void part_share(const struct part *p, struct trials_plan *plan)
{
	plan->first = border(plan->trials, p->shard - 1, p->of);
	plan->trials = border(plan->trials, p->shard, p->of);
}

static json_t *tally_list(const struct tally *t)
{
	json_t *list = json_array();
	for (uint32_t i = 0; i < t->n; i++) {
		json_array_append_new(list, json_integer(t->value[i]));
		json_array_append_new(list, json_integer((json_int_t)t->count[i]));
	}
	return list;
}

uint64_t part_question_id(const struct answer *a, const struct trials_plan *plan)
{
	uint64_t id = hash_bytes(&plan->max_rounds, sizeof plan->max_rounds, plan->seed);
	for (int b = 0; b < plan->branches; b++) {
		id = hash_bytes(&a->program[b]->id, sizeof a->program[b]->id, id);
		if (a->start[b])
			id = hash_bytes(a->start[b], a->program[b]->layout.words * sizeof(word), id);
	}
	return id;
}

void part_keep(struct part *p, const struct answer *a, const struct trials_plan *plan)
{
	char id[20];
	json_t *branches = json_array();
	for (int b = 0; b < a->trials.branches; b++) {
		const struct trials_branch *x = &a->trials.branch[b];
		json_t *measures = json_array();
		for (int i = 0; i < a->trials.measures; i++)
			json_array_append_new(measures, json_pack("{s:o,s:o}", "value", tally_list(&x->measure[i].value), "difference", tally_list(&x->measure[i].difference)));
		json_array_append_new(branches, json_pack("{s:I,s:I,s:I,s:I,s:I,s:o}", "unsettled", (json_int_t)x->unsettled, "stopped", (json_int_t)x->stopped, "rulings",
		                                          (json_int_t)x->rulings, "referrals", (json_int_t)x->referrals, "first_stopped",
		                                          x->stopped ? (json_int_t)x->first_stopped : -1, "measures", measures));
	}
	snprintf(id, sizeof id, "%016" PRIx64, part_question_id(a, plan));
	json_array_append_new(p->questions, json_pack("{s:s,s:I,s:I,s:o}", "id", id, "first", (json_int_t)plan->first, "trials", (json_int_t)a->trials.done, "branches", branches));
}

void part_asked(struct fray *f, const char *encounter, bool sensitivity)
{
	if (!f->part)
		return;
	free(f->part->encounter);
	f->part->encounter = encounter ? strdup(encounter) : NULL;
	f->part->sensitivity = sensitivity;
	f->part->from = f->from;
}

void part_module(struct part *p, const char *name, const char *text, size_t length)
{
	size_t i;
	json_t *m;
	json_array_foreach(p->modules, i, m)
		if (!strcmp(json_string_value(json_object_get(m, "name")), name))
			return;
	json_array_append_new(p->modules, json_pack("{s:s,s:s%}", "name", name, "text", text, length));
}

/* ---- the text ---- */

static void line(struct buf *out, json_t *o)
{
	char *text = json_dumps(o, JSON_COMPACT);
	if (text)
		buf_puts(out, text);
	buf_putc(out, '\n');
	free(text);
	json_decref(o);
}

static json_t *scripts(const struct fray *f)
{
	json_t *list = json_array();
	for (int i = 0; i < f->unit.n; i++) {
		const struct source *s = &f->sources.file.v[f->unit.v[i].file];
		if (f->unit.v[i].layer == LAYER_SCRIPT)
			json_array_append_new(list, json_pack("{s:s,s:s%}", "name", f->unit.v[i].shown, "text", s->text, s->length));
	}
	return list;
}

const char *fray_part(struct fray *f, const char *command, size_t *length)
{
	struct part *p = f->part;
	size_t i;
	json_t *q;
	if (!p)
		return NULL;
	buf_clear(&p->text);
	json_t *head = json_pack("{s:i,s:s,s:I,s:I,s:I,s:I,s:I,s:i,s:I,s:b,s:b,s:s}", "fray part", PART_FORMAT, "version", FRAY_VERSION, "shard", (json_int_t)p->shard, "of",
	                         (json_int_t)p->of, "seed", (json_int_t)f->odds.seed, "trials", (json_int_t)f->odds.trials, "max_rounds", (json_int_t)f->odds.max_rounds, "method",
	                         (int)f->odds.method, "states", (json_int_t)f->odds.states, "sensitivity", (int)p->sensitivity, "from", (int)p->from, "command", command);
	json_object_set_new(head, "giving", f->odds.giving ? json_string(f->odds.giving) : json_null());
	json_object_set_new(head, "encounter", p->encounter ? json_string(p->encounter) : json_null());
	json_object_set_new(head, "rules", f->rules ? json_string(f->rules) : json_null());
	json_object_set_new(head, "lean", json_boolean(f->lean)); /* programs number the stat blocks that were read */
	json_object_set_new(head, "scripts", scripts(f));
	json_object_set(head, "modules", p->modules);
	line(&p->text, head);
	json_array_foreach(p->questions, i, q)
		line(&p->text, json_incref(q));
	char sum[20];
	snprintf(sum, sizeof sum, "%016" PRIx64, hash_bytes(p->text.data, p->text.length, 0));
	line(&p->text, json_pack("{s:s}", "sum", sum));
	*length = p->text.length;
	return buf_text(&p->text);
}
