/* saved.c - a script that was saved at the prompt: its first lines say where the fight stood, and
 * it can be led there again. What was expected and was not so is said to be vain. */
#include "lang/api/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/world/block.h"

static const char first[] = "-- Saved at the prompt of Fray ", second[] = "-- At the prompt, begin ", between[] = " and step ", seeded[] = "; seed ", ruled[] = "; played with --rules=";

void saved_head(struct fray *f, struct buf *out)
{
	buf_printf(out, "%s%s: %s.\n", first, FRAY_VERSION, session_place(f));
	buf_printf(out, "%s%s%s%d lead back here", second, fray_encounter(f, f->encounter), between,
		session_beats(f));
	if (f->options.seed != 1)
		buf_printf(out, "%s%llu", seeded, (unsigned long long)f->options.seed);
	buf_printf(out, "%s%s.\n", f->rules ? ruled : "", f->rules ? f->rules : "");
}

/* "-- At the prompt, begin NAME and step 3 lead back here; seed 7; played with --rules=lite." */
static bool read_head(const char *text, size_t length, struct saved_place *out)
{
	const char *line = memchr(text, '\n', length);
	if (length < sizeof first || strncmp(text, first, sizeof first - 1) || !line || strncmp(line + 1, second, sizeof second - 1))
		return false;
	line += sizeof second;
	const char *end = strchr(line, '\n'), *step = NULL;
	for (const char *p = strstr(line, between); p && end && p < end; p = strstr(p + 1, between))
		step = p;
	if (!step || sscanf(step + sizeof between - 1, "%lld", (long long *)&out->beats) != 1 || out->beats < 0)
		return false;
	const char *seed = strstr(step, seeded), *rules = strstr(step, ruled);
	out->seed = seed && seed < end ? strtoull(seed + sizeof seeded - 1, NULL, 10) : 1;
	out->encounter = strndup(line, (size_t)(step - line));
	out->rules = rules && rules < end - 1 ? strndup(rules + sizeof ruled - 1, (size_t)(end - 1 - (rules + sizeof ruled - 1))) : strdup("");
	if (!out->encounter || !out->rules)
		abort();
	return true;
}

bool saved_read(const struct fray *f, struct saved_place *out)
{
	for (int i = 0; i < f->unit.n; i++) {
		const struct source *s = &f->sources.file.v[f->unit.v[i].file];
		if (f->unit.v[i].layer == LAYER_SCRIPT && read_head(s->text, s->length, out))
			return true;
	}
	return false;
}

void saved_free(struct saved_place *s)
{
	free(s->encounter);
	free(s->rules);
}

char *fray_saved_rules(const char *text, size_t length)
{
	struct saved_place s = {0};
	char *rules = NULL;
	char *whole = strndup(text, length); /* a text by its length need not end with a NUL */
	if (whole && read_head(whole, strlen(whole), &s) && *s.rules) {
		rules = s.rules;
		s.rules = NULL;
	}
	saved_free(&s);
	free(whole);
	return rules;
}

/* ---- led there again ---- */

enum fray_status fray_run_saved(struct fray *f, const char *encounter, const struct fray_run_options *options)
{
	struct saved_place at = {0};
	struct fray_run_options o = *options;
	bool over = false, here = saved_read(f, &at) && !strcmp(at.encounter, encounter);
	int64_t beats = at.beats;
	if (o.seed == 0)
		o.seed = here ? at.seed : 1;
	saved_free(&at);
	enum fray_status s = fray_begin(f, encounter, &o);
	if (s != FRAY_OK)
		return s;
	if (!here)
		return fray_run(f);
	session_open(f);
	f->at_saved = true;
	s = status_of(f, vm_set_up(f->vm));
	for (int64_t i = 0; i < beats && !over && (s == FRAY_OK || s == FRAY_EXPECTATION); i++)
		s = fray_step(f, &over);
	bool ended = vm_block(f->vm)[H_STAGE] == WORLD_OVER;
	if (s == FRAY_STOPPED && ended) /* it stopped there at the prompt as well */
		s = FRAY_OK;
	if ((s == FRAY_OK || s == FRAY_EXPECTATION) && !ended)
		expects_of_block(f, 0, true);
	f->at_saved = false;
	if (s != FRAY_OK && s != FRAY_EXPECTATION)
		return s;
	return f->tally.expects_failed ? FRAY_EXPECTATION : FRAY_OK;
}

/* ---- what was not so ---- */

static int earlier(const void *a, const void *b)
{
	const struct span *x = a, *y = b;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* The text with these expectations said to be vain. */
static void say_vain(const char *text, size_t length, struct span *unmet, int n, struct buf *out)
{
	static const char expect[] = "expect";
	size_t at = 0, lead = sizeof expect - 1;
	qsort(unmet, (size_t)n, sizeof *unmet, earlier);
	for (int i = 0; i < n; i++) {
		if (unmet[i].start < at || strncmp(text + unmet[i].start, expect, lead))
			continue; /* looked at in several blocks */
		buf_add(out, text + at, unmet[i].start + lead - at);
		buf_puts(out, " in vain");
		at = unmet[i].start + lead;
	}
	buf_add(out, text + at, length - at);
}

void saved_true(struct fray *f, struct buf *script)
{
	struct fray_config c = f->config;
	struct fray_run_options o = {0};
	struct buf told = {0};
	c.report = NULL;
	c.write = NULL;
	c.ask_die = NULL;
	c.ask_choice = NULL;
	c.save = NULL;
	struct fray *again = fray_open(&c);
	if (!again)
		return;
	if (f->rules)
		fray_rules(again, f->rules);
	bool ok = fray_load(again, "saved", buf_text(script), script->length) == FRAY_OK && fray_run_saved(again, fray_encounter(f, f->encounter), &o) == FRAY_EXPECTATION;
	int n = 0;
	for (int i = 0; ok && i < again->unmet.n; i++)
		if (again->unmet.v[i].file == again->model.encounter.v[again->encounter].node->span.file)
			again->unmet.v[n++] = again->unmet.v[i];
	if (n > 0) {
		say_vain(buf_text(script), script->length, again->unmet.v, n, &told);
		buf_clear(script);
		buf_add(script, buf_text(&told), told.length);
	}
	fray_close(again);
	buf_free(&told);
}
