/* replay.c - a run played once more from its own JSON log: its dice are the log's dice, label
 * by label in the order they fell. Everything else follows from the script. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/api/interp.h"
#include "runtime/dice/dice.h"

struct logged_roll { char *label; int64_t total; int faces; int32_t face[FACES_MAX]; bool used, typed; };

struct replay {
	struct dice_source source;
	struct fray *f;
	VEC(struct logged_roll *) roll;
	struct fray_run_options options;
	char *encounter;
	bool missing;        /* a die the log does not know was asked for */
};

static enum dice_answer roll(struct dice_source *self, const struct dice_ask *ask, struct dice_result *out)
{
	struct replay *r = (struct replay *)self;
	const char *name = ask->name(ask->context);
	for (int i = 0; i < r->roll.n; i++) {
		struct logged_roll *l = r->roll.v[i];
		if (l->used || strcmp(l->label, name))
			continue;
		l->used = true;
		enum dice_answer a = dice_give(ask, l->face, l->faces, l->total, out);
		out->kind = l->typed ? DICE_TYPED : DICE_ROLLED;
		return a;
	}
	r->missing = true;
	return DICE_STOP;
}

static char *copy(const char *text)
{
	char *c = malloc(strlen(text) + 1);
	if (!c)
		abort();
	return strcpy(c, text);
}

static void add_roll(struct replay *r, json_t *line)
{
	json_t *dice = json_object_get(line, "dice"), *one;
	size_t i;
	json_array_foreach(dice, i, one) {
		const char *label = json_string_value(json_object_get(one, "label"));
		json_t *total = json_object_get(one, "total"), *faces = json_object_get(one, "faces");
		const char *from = json_string_value(json_object_get(one, "source"));
		/* forced dice are in the script already */
		if (!label || (from && !strcmp(from, "forced")))
			continue;
		struct logged_roll *l = calloc(1, sizeof *l);
		if (!l)
			abort();
		l->label = copy(label);
		l->typed = from && !strcmp(from, "typed");
		l->total = json_is_boolean(total) ? json_is_true(total) : (int64_t)json_integer_value(total);
		for (size_t k = 0; k < json_array_size(faces) && k < FACES_MAX; k++) {
			json_int_t face = json_integer_value(json_array_get(faces, k));
			l->face[l->faces++] = (int32_t)(face < 0 ? -face : face);
		}
		VEC_PUSH(r->roll, l);
	}
}

struct replay *replay_new(struct fray *f, const char *text, size_t length)
{
	struct replay *r = calloc(1, sizeof *r);
	if (!r)
		abort();
	r->f = f;
	r->source.roll = roll;
	const char *p = text, *end = text + length;
	while (p < end) {
		const char *line = p;
		while (p < end && *p != '\n')
			p++;
		json_error_t error;
		json_t *o = p > line ? json_loadb(line, (size_t)(p - line), 0, &error) : NULL;
		p += p < end;
		if (!o)
			continue;
		const char *kind = json_string_value(json_object_get(o, "kind"));
		if (kind && !strcmp(kind, "run") && !r->encounter) {
			const char *encounter = json_string_value(json_object_get(o, "encounter"));
			r->encounter = encounter ? copy(encounter) : NULL;
			r->options.seed = (uint64_t)json_integer_value(json_object_get(o, "seed"));
			r->options.trial = (uint64_t)json_integer_value(json_object_get(o, "trial"));
			r->options.max_rounds = json_integer_value(json_object_get(o, "max rounds"));
		} else if (kind && !strcmp(kind, "roll")) {
			add_roll(r, o);
		}
		json_decref(o);
	}
	return r;
}

void replay_free(struct replay *r)
{
	if (!r)
		return;
	for (int i = 0; i < r->roll.n; i++) {
		free(r->roll.v[i]->label);
		free(r->roll.v[i]);
	}
	VEC_FREE(r->roll);
	free(r->encounter);
	free(r);
}

struct dice_source *replay_source(struct replay *r)
{
	return &r->source;
}

/* ---- whether what was played is what the log tells ---- */

struct told { struct buf text; };

static void keep(void *context, enum fray_style style, const char *text, size_t length)
{
	struct told *t = context;
	(void)style;
	buf_add(&t->text, text, length);
}

/* The next line as an object; NULL where it is none. The end moves behind its newline. */
static json_t *next_line(const char **at, const char *end)
{
	json_error_t error;
	const char *line = *at, *newline = memchr(line, '\n', (size_t)(end - line));
	const size_t n = newline ? (size_t)(newline - line) : (size_t)(end - line);
	*at += n + (newline != NULL);
	return json_loadb(line, n, 0, &error);
}

/* The number of the first line that differs; 0: none. The script may have another name now. */
static int first_difference(const char *log, size_t length, const struct buf *told)
{
	const char *a = log, *a_end = log + length, *b = told->data, *b_end = b + told->length;
	int number = 1;
	for (bool same = true;; number++) {
		for (; a < a_end && *a == '\n'; a++)
			;
		if (a == a_end && b == b_end)
			return 0;
		json_t *was = a < a_end ? next_line(&a, a_end) : NULL;
		json_t *is = b < b_end ? next_line(&b, b_end) : NULL;
		if (number == 1 && was && is) {
			json_object_del(was, "script");
			json_object_del(is, "script");
		}
		same = was && is && json_equal(was, is);
		json_decref(was);
		json_decref(is);
		if (!same)
			return number;
	}
}

static bool as_logged(struct fray *f, const char *log, size_t length)
{
	const struct fray_config config = f->config;
	struct told told = {{0}};
	f->config.write = keep;
	f->config.context = &told;
	fray_tell(f, FRAY_JSON);
	f->config = config;
	f->told = 0;
	const int at = told.text.length ? first_difference(log, length, &told.text) : 1;
	buf_free(&told.text);
	if (at) {
		struct diag d = diag_make(M_OTHER_LOG, (struct span){0});
		char line[100];
		snprintf(line, sizeof line,
			"Line %d of the log tells something else than what happens here.", at);
		diag_line(&d, line);
		diag_send(&f->sink, &d);
	}
	return !at;
}

enum fray_status fray_replay(struct fray *f, const char *json, size_t length)
{
	struct replay *r = replay_new(f, json, length);
	enum fray_status s = FRAY_WRONG;
	if (!r->encounter) {
		diag_report(&f->sink, M_NO_LOG, (struct span){0}, 0);
	} else {
		f->replay = r;
		s = fray_begin(f, r->encounter, &r->options);
		if (s == FRAY_OK)
			s = fray_run(f);
		f->replay = NULL;
		bool unused = false;
		for (int i = 0; i < r->roll.n; i++)
			unused |= !r->roll.v[i]->used;
		if (r->missing || (unused && s == FRAY_OK)) {
			diag_report(&f->sink, M_OTHER_LOG, (struct span){0}, 0);
			s = FRAY_WRONG;
		} else if ((s == FRAY_OK || s == FRAY_EXPECTATION) && !as_logged(f, json, length)) {
			s = FRAY_WRONG;
		}
	}
	/* the machine's source points into the log: nothing more can be rolled */
	f->replayed = r;
	return s;
}
