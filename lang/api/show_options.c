/* show_options.c - the readings a table can choose, which one is in force, what each of them
 * means, and who has one of his own. */
#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "lang/api/show.h"

/* What a rule does, from its citation: "3 - OSRIC-GAP-8: a blow is lost" tells the last part. */
static const char *gist(const struct mrule *r)
{
	const char *colon = strstr(r->cite, ": ");
	return colon ? colon + 2 : r->cite;
}

/* How a rule has to do with one value of an option. */
enum reading { READS_NOTHING, READS_OPTION, READS_OTHER, READS_VALUE };

static bool same_text(const char *text, size_t length, size_t at, const char *wanted, size_t n)
{
	return at + n <= length && !memcmp(text + at, wanted, n);
}

/* As same_text, where no longer word begins so. */
static bool same_word(const char *text, size_t length, size_t at, const char *wanted, size_t n)
{
	unsigned char after = at + n < length ? (unsigned char)text[at + n] : ' ';
	return same_text(text, length, at, wanted, n) && !isalnum(after) && !strchr("_-.", after);
}

static enum reading reading_of(const struct fray *f, const struct mrule *r, const struct moption *o, const char *value, size_t value_length)
{
	size_t n;
	const char *text = sources_text(&f->sources, r->node->span, &n), *name = model_text(&f->model, o->name);
	size_t k = strlen(name);
	enum reading best = READS_NOTHING;
	for (size_t i = 0; i < n; i++) {
		size_t after = same_text(text, n, i, "option ", 7) ? i + 7 : o->kind >= 0 && same_text(text, n, i, "'s ", 3) ? i + 3 : 0;
		if (!after || !same_word(text, n, after, name, k))
			continue;
		after += k;
		size_t is = same_text(text, n, after, " is ", 4) ? 4 : same_text(text, n, after, " = ", 3) ? 3 : 0;
		enum reading here = !is ? READS_OPTION : same_word(text, n, after + is, value, value_length) ? READS_VALUE : READS_OTHER;
		best = here > best ? here : best;
	}
	return best;
}

static void add_gist(const struct model *m, const struct mrule *r, struct buf *b)
{
	buf_printf(b, "%s%s (%s)", b->length ? "; " : "", gist(r), model_text(m, r->name));
}

/* What stands when none of an option's rules comes in: what those are exceptions to. */
static void plain_reading(struct fray *f, const struct moption *o, const char *value, size_t length, struct buf *b)
{
	struct model *m = &f->model;
	for (int r = 0; r < m->rule.n; r++) {
		if (reading_of(f, &m->rule.v[r], o, value, length) != READS_OTHER)
			continue;
		for (const struct node *mod = m->rule.v[r].node->a; mod; mod = mod->next) {
			int under = mod->op == MOD_EXCEPTION || mod->op == MOD_REPLACES ? model_rule(m, mod->name, mod->name2) : -1;
			if (under >= 0 && !strstr(buf_text(b), model_text(m, m->rule.v[under].name)))
				add_gist(m, &m->rule.v[under], b);
		}
	}
}

/* What one value means: the rules that ask for it, those in whose formulas it stands, or the
 * rules that hold as long as no other value is chosen. */
static void meaning(struct fray *f, const struct moption *o, const struct node *v, struct buf *b)
{
	struct model *m = &f->model;
	size_t length;
	const char *value = sources_text(&f->sources, v->span, &length);
	for (enum reading wanted = READS_VALUE; wanted > READS_NOTHING && !b->length; wanted--)
		for (int r = 0; r < m->rule.n && wanted != READS_OTHER; r++)
			if (reading_of(f, &m->rule.v[r], o, value, length) == wanted)
				add_gist(m, &m->rule.v[r], b);
	if (!b->length)
		plain_reading(f, o, value, length, b);
	if (b->length && (v->kind == N_KIND_E_NUM || v->kind == N_KIND_E_NEG)) { /* the rule says for what; its value is this */
		struct buf whole = {0};
		buf_printf(&whole, "the number in: %s", buf_text(b));
		buf_clear(b);
		buf_puts(b, buf_text(&whole));
		buf_free(&whole);
	}
}

/* Who has a value of his own, or which encounter: called for each. */
struct otherwise { struct fray *f; const struct moption *o; struct buf text; json_t *rows; };

static void add_other(struct otherwise *x, const char *who, size_t length, const struct node *value, const char *where)
{
	size_t n;
	const char *text = sources_text(&x->f->sources, value->span, &n);
	buf_printf(&x->text, "    %.*s%s%s: %.*s\n", (int)length, who, *where ? (length ? " in " : "in ") : "", where, (int)n, text);
	json_array_append_new(x->rows, json_pack("{s:s%,s:s,s:s%}", "who", who, length, "where", where, "value", text, n));
}

static void add_of(struct otherwise *x, const struct node *owner, const struct node *value, const char *where)
{
	size_t n;
	const char *text = sources_text(&x->f->sources, owner->span, &n);
	add_other(x, text, n, value, where);
}

static void otherwise_in(struct otherwise *x, const struct node *items, const char *where)
{
	for (const struct node *n = items; n; n = n->next) {
		const struct node *path = n->kind == N_KIND_N_OVERRIDE ? n->a : n->kind == N_KIND_N_EDIT && n->a->kind == N_KIND_S_SET ? n->a->a : NULL;
		const struct node *value = !path ? NULL : n->kind == N_KIND_N_EDIT ? n->a->b : n->b ? n->b->a : NULL;
		if (n->damaged)
			continue;
		if (n->kind == N_KIND_MOMENT) {
			struct buf b = {0};
			buf_printf(&b, "%s, %s %lld", where, model_text(&x->f->model, n->name), (long long)n->num);
			otherwise_in(x, n->a, buf_text(&b));
			buf_free(&b);
		} else if (n->kind == N_KIND_N_OPTION && n->name == x->o->name) {
			add_other(x, "", 0, n->a, where);
		} else if (n->kind == N_KIND_USE) {
			for (const struct node *d = n->b; d; d = d->next)
				if (d->name == x->o->name && d->a && d->a->a)
					add_other(x, "", 0, d->a->a, where);
		} else if (value && x->o->field >= 0 && path->kind == N_KIND_E_FIELD && path->name == x->o->name) {
			add_of(x, path->a, value, where);
		}
	}
}

static void otherwise(struct otherwise *x)
{
	struct model *m = &x->f->model;
	for (int i = 0; i < m->thing.n; i++)
		for (const struct node *d = m->thing.v[i].node->b; d; d = d->next)
			if (x->o->field >= 0 && d->kind == N_KIND_D_FIELD && !d->damaged && d->ref == x->o->field && d->a && d->a->a) {
				const char *name = model_text(m, m->thing.v[i].name);
				add_other(x, name, strlen(name), d->a->a, "");
			}
	for (int e = 0; e < m->encounter.n; e++)
		otherwise_in(x, m->encounter.v[e].node->a, model_text(m, m->encounter.v[e].name));
}

static void write_json(struct fray *f, const struct moption *o, const char *value, bool in_force, const char *means, json_t *rows)
{
	struct model *m = &f->model;
	json_t *row = json_pack("{s:s,s:s,s:s,s:b,s:s,s:s,s:O}", "option", model_text(m, o->name), "of", o->kind >= 0 ? model_text(m, m->kind.v[o->kind].name) : "all",
	                        "value", value, "in force", in_force, "means", means, "cite", o->node->text ? o->node->text : "", "otherwise", rows);
	char *text = json_dumps(row, JSON_COMPACT);
	if (text)
		fray_writef(f, FRAY_PLAIN, "%s\n", text);
	free(text);
	json_decref(row);
}

static void show_option(struct fray *f, const struct moption *o, int now, bool json)
{
	struct model *m = &f->model;
	struct otherwise other = {f, o, {0}, json_array()};
	int k = 0;
	otherwise(&other);
	if (!json) {
		fray_writef(f, FRAY_NAME, "%s", model_text(m, o->name));
		if (o->kind >= 0)
			fray_writef(f, FRAY_PLAIN, " of each %s", model_text(m, m->kind.v[o->kind].name));
		fray_writef(f, FRAY_CITE, "   %s\n", o->node->text ? o->node->text : "");
	}
	for (const struct node *v = o->node->a; v; v = v->next, k++) {
		size_t n;
		const char *text = sources_text(&f->sources, v->span, &n);
		struct buf value = {0}, means = {0};
		buf_add(&value, text, n);
		meaning(f, o, v, &means);
		if (json)
			write_json(f, o, buf_text(&value), k == now, buf_text(&means), other.rows);
		else {
			struct buf line = {0};
			fray_write(f, FRAY_PLAIN, k == now ? "  * " : "    ");
			buf_printf(&line, "%s%s%s", buf_text(&value), means.length ? ": " : "", buf_text(&means));
			fray_wrap(f, buf_text(&line), 4, 6);
			buf_free(&line);
		}
		buf_free(&value);
		buf_free(&means);
	}
	if (!json && other.text.length)
		fray_writef(f, FRAY_PLAIN, "%s", buf_text(&other.text));
	buf_free(&other.text);
	json_decref(other.rows);
}

static const char *option_name(const struct model *m, int i)
{
	return model_text(m, m->option.v[i].name);
}

/* As they stand now: those of a fight in progress may have changed in it. */
enum fray_status show_options(struct shown *s, const char *what)
{
	struct fray *f = s->f;
	int *order = in_listed_order(s, f->model.option.n, option_name);
	model_where(f, true);
	for (const int *i = order; *i >= 0; i++) {
		const struct moption *o = &f->model.option.v[*i];
		if (!what || has_words(model_text(&f->model, o->name), what) ||
			(o->node->text && cites(o->node->text, what)))
			show_option(f, o, option_now(&f->model, *i), s->json);
	}
	model_where(f, false);
	free(order);
	return FRAY_OK;
}
