/* parts.c - the parts of a sample put together: checked against each other, and then handed
 * out question by question while the same questions are asked again. */
#include "lang/api/part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"

struct one { const char *name; json_t *head, *questions; };

struct parts {
	struct one *one;       /* in the order of their shards */
	int n;
	size_t asked;          /* questions so far */
};

void parts_free(struct parts *p)
{
	if (!p)
		return;
	for (int i = 0; i < p->n; i++) {
		json_decref(p->one[i].head);
		json_decref(p->one[i].questions);
	}
	free(p->one);
	free(p);
}

/* ---- reading ---- */

/* Where the last line begins; `length` when there is none. */
static size_t last_line(const char *data, size_t length)
{
	size_t at = length;
	if (length < 2 || data[length - 1] != '\n')
		return length;
	for (at = length - 1; at > 0 && data[at - 1] != '\n'; at--)
		;
	return at;
}

static bool sum_holds(const char *data, size_t length, size_t at)
{
	char sum[20];
	json_t *o = json_loadb(data + at, length - at, 0, NULL);
	const char *said = json_string_value(json_object_get(o, "sum"));
	snprintf(sum, sizeof sum, "%016" PRIx64, hash_bytes(data, at, 0));
	bool holds = said && !strcmp(said, sum);
	json_decref(o);
	return holds;
}

static bool read_one(struct fray *f, const struct fray_part *given, struct one *out)
{
	size_t sum = last_line(given->data, given->length);
	out->name = given->name;
	out->questions = json_array();
	bool whole = sum < given->length && sum_holds(given->data, given->length, sum);
	for (size_t at = 0; whole && at < sum;) {
		const char *end = memchr(given->data + at, '\n', sum - at);
		json_t *o = end ? json_loadb(given->data + at, (size_t)(end - given->data) - at, 0, NULL) : NULL;
		whole = json_is_object(o);
		if (at == 0)
			out->head = o;
		else
			json_array_append_new(out->questions, o);
		at = end ? (size_t)(end - given->data) + 1 : sum;
	}
	if (whole && json_is_integer(json_object_get(out->head, "fray part")))
		return true;
	diag_report(&f->sink, M_PART_BROKEN, (struct span){0}, 1, given->name);
	return false;
}

static int64_t number(const struct one *p, const char *key)
{
	return (int64_t)json_integer_value(json_object_get(p->head, key));
}

static const char *words(const struct one *p, const char *key)
{
	const char *s = json_string_value(json_object_get(p->head, key));
	return s ? s : "";
}

/* ---- do they belong together? ---- */

static bool same_version(struct fray *f, const struct one *p)
{
	const bool same = !strcmp(words(p, "version"), FRAY_VERSION);
	const int64_t format = number(p, "fray part");
	char written[64], ours[64];
	if (same && format == PART_FORMAT)
		return true;
	/* between two releases */
	snprintf(written, sizeof written, "%s with parts of form %" PRId64, FRAY_VERSION, format);
	snprintf(ours, sizeof ours, "%s with parts of form %d", FRAY_VERSION, PART_FORMAT);
	diag_report(&f->sink, M_PART_VERSION, (struct span){0}, 3, p->name, same ? written : words(p, "version"), same ? ours : FRAY_VERSION);
	return false;
}

static bool same_question(struct fray *f, const struct one *a, const struct one *b)
{
	static const struct { const char *key, *what; } told[] = {
		{"scripts", "script"}, {"modules", "script"}, {"seed", "seed"}, {"rules", "choice of rules"}, {"of", "number of shards"},
		{"encounter", "question"}, {"sensitivity", "question"}, {"giving", "question"}, {"from", "position"}, {"trials", "number of fights"}, {"max_rounds", "number of rounds"}, {"method", "method"}, {"states", "budget of worlds"},
	};
	for (size_t i = 0; i < FRAY_COUNT(told); i++)
		if (!json_equal(json_object_get(a->head, told[i].key), json_object_get(b->head, told[i].key))) {
			diag_report(&f->sink, M_PART_OTHER, (struct span){0}, 3, b->name, told[i].what, a->name);
			return false;
		}
	return true;
}

static int by_shard(const void *a, const void *b)
{
	int64_t x = number(a, "shard"), y = number(b, "shard");
	return (x > y) - (x < y);
}

static bool all_there(struct fray *f, const struct parts *p)
{
	struct buf missing = {0}, of = {0};
	int64_t shards = number(&p->one[0], "of"), next = 1;
	int missed = 0;
	buf_printf(&of, "%lld", (long long)shards);
	for (int i = 0; i <= p->n; i++) {
		int64_t shard = i < p->n ? number(&p->one[i], "shard") : shards + 1;
		if (i > 0 && i < p->n && shard == number(&p->one[i - 1], "shard")) {
			struct buf which = {0};
			buf_printf(&which, "%lld", (long long)shard);
			diag_report(&f->sink, M_PART_TWICE, (struct span){0}, 4, buf_text(&which), buf_text(&of), p->one[i - 1].name, p->one[i].name);
			buf_free(&which);
			buf_free(&of);
			buf_free(&missing);
			return false;
		}
		for (; next < shard && missed < 20; next++, missed++)
			buf_printf(&missing, "%s%lld", missed ? ", " : "", (long long)next);
		if (next < shard)
			buf_puts(&missing, " ..");
		next = shard + 1;
	}
	if (missed)
		diag_report(&f->sink, M_PART_MISSING, (struct span){0}, 2, buf_text(&missing), buf_text(&of));
	buf_free(&missing);
	buf_free(&of);
	return missed == 0;
}

static bool read_all(struct fray *f, struct parts *p, const struct fray_part *given, int n)
{
	p->one = calloc((size_t)n, sizeof *p->one);
	if (!p->one)
		abort();
	for (p->n = 0; p->n < n;) {
		struct one *x = &p->one[p->n++];
		if (!read_one(f, &given[p->n - 1], x) || !same_version(f, x) || !same_question(f, &p->one[0], x))
			return false;
	}
	qsort(p->one, (size_t)n, sizeof *p->one, by_shard);
	return all_there(f, p);
}

/* ---- asking again ---- */

char *parts_module(const struct parts *p, const char *name, size_t *length)
{
	size_t i;
	json_t *m;
	json_array_foreach(json_object_get(p->one[0].head, "modules"), i, m) {
		const json_t *text = json_object_get(m, "text");
		if (strcmp(json_string_value(json_object_get(m, "name")) ? json_string_value(json_object_get(m, "name")) : "", name) || !json_is_string(text))
			continue;
		*length = json_string_length(text);
		char *copy = malloc(*length + 1);
		if (!copy)
			abort();
		memcpy(copy, json_string_value(text), *length + 1);
		return copy;
	}
	return NULL;
}

static bool add_tally(struct tally *t, const json_t *list)
{
	size_t n = json_array_size(list);
	for (size_t i = 0; i + 1 < n; i += 2) {
		const json_t *value = json_array_get(list, i), *count = json_array_get(list, i + 1);
		if (!json_is_integer(value) || !json_is_integer(count) || json_integer_value(count) <= 0)
			return false;
		tally_add(t, (word)json_integer_value(value), (uint64_t)json_integer_value(count));
	}
	return n % 2 == 0;
}

static uint64_t count_in(const json_t *o, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(o, key));
}

static bool add_branch(struct trials_branch *to, const json_t *from, int measures)
{
	const json_t *list = json_object_get(from, "measures");
	int64_t first = json_integer_value(json_object_get(from, "first_stopped"));
	to->unsettled += count_in(from, "unsettled");
	to->stopped += count_in(from, "stopped");
	to->rulings += count_in(from, "rulings");
	to->referrals += count_in(from, "referrals");
	if (first >= 0 && (uint64_t)first < to->first_stopped)
		to->first_stopped = (uint64_t)first;
	if ((int)json_array_size(list) != measures)
		return false;
	for (int i = 0; i < measures; i++) {
		const json_t *m = json_array_get(list, (size_t)i);
		if (!add_tally(&to->measure[i].value, json_object_get(m, "value")) || !add_tally(&to->measure[i].difference, json_object_get(m, "difference")))
			return false;
	}
	return true;
}

static bool add_part(struct trials *t, const json_t *q, const char *id)
{
	const char *said = json_string_value(json_object_get(q, "id"));
	const json_t *branches = json_object_get(q, "branches");
	if (!said || strcmp(said, id) || (int)json_array_size(branches) != t->branches)
		return false;
	t->done += count_in(q, "trials");
	for (int b = 0; b < t->branches; b++)
		if (!add_branch(&t->branch[b], json_array_get(branches, (size_t)b), t->measures))
			return false;
	return true;
}

bool parts_take(struct fray *f, struct answer *a, const struct trials_plan *plan)
{
	struct parts *p = f->parts;
	char id[20];
	snprintf(id, sizeof id, "%016" PRIx64, part_question_id(a, plan));
	trials_new(&a->trials, plan);
	for (int i = 0; i < p->n; i++) {
		if (add_part(&a->trials, json_array_get(p->one[i].questions, p->asked), id))
			continue;
		diag_report(&f->sink, M_PART_OTHER, (struct span){0}, 3, p->one[i].name, "question", "the script it carries");
		trials_free(&a->trials);
		return false;
	}
	p->asked++;
	trials_sort(&a->trials, plan);
	return true;
}

const char *fray_merged_command(const struct fray *f)
{
	return f->parts && f->parts->n ? words(&f->parts->one[0], "command") : "";
}

enum fray_status fray_merge(struct fray *f, const struct fray_part *part, int n)
{
	parts_free(f->parts);
	f->parts = calloc(1, sizeof *f->parts);
	if (!f->parts)
		abort();
	if (n < 1 || !read_all(f, f->parts, part, n))
		return FRAY_WRONG;
	const struct one *first = &f->parts->one[0];
	size_t i;
	json_t *script;
	f->odds.seed = (uint64_t)number(first, "seed");
	f->odds.trials = (uint64_t)number(first, "trials");
	f->odds.max_rounds = number(first, "max_rounds");
	f->odds.method = (enum fray_method)number(first, "method");
	f->odds.states = (uint64_t)number(first, "states");
	f->odds.within = 0;
	f->odds.giving = json_string_value(json_object_get(first->head, "giving"));
	const char *rules = json_string_value(json_object_get(first->head, "rules"));
	const char *encounter = json_string_value(json_object_get(first->head, "encounter"));
	enum fray_status s = FRAY_OK;
	if (json_is_true(json_object_get(first->head, "lean")))
		fray_lean(f, NULL);
	if (rules)
		s = fray_rules(f, rules);
	json_array_foreach(json_object_get(first->head, "scripts"), i, script) {
		const json_t *text = json_object_get(script, "text");
		const char *name = json_string_value(json_object_get(script, "name"));
		if (s == FRAY_OK && json_is_string(text) && name)
			s = fray_load(f, name, json_string_value(text), json_string_length(text));
	}
	if (s == FRAY_OK && json_is_true(json_object_get(first->head, "from")))
		s = fray_odds_stand(f);
	if (s != FRAY_OK)
		return s;
	return json_is_true(json_object_get(first->head, "sensitivity")) ? fray_odds_sensitivity(f, encounter) : fray_odds(f, encounter);
}
