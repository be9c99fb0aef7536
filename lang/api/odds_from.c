/* odds_from.c - odds from a position saved at the prompt: the file's first lines say where it
 * stands (session.c writes them), the fight is played to there, and the questions are asked. */
#include "lang/api/session.h"
#include "lang/api/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct position { char *encounter; int64_t beats; uint64_t seed; };

/* "-- At the prompt, begin NAME and step 3 stand there again; seed 7." */
static bool read_position(const char *text, size_t length, struct position *out)
{
	static const char first[] = "-- Saved at the prompt of Fray ", second[] = "-- At the prompt, begin ", between[] = " and step ";
	const char *line = memchr(text, '\n', length);
	if (length < sizeof first || strncmp(text, first, sizeof first - 1) || !line || strncmp(line + 1, second, sizeof second - 1))
		return false;
	line += sizeof second;
	const char *end = strchr(line, '\n'), *step = NULL;
	for (const char *p = strstr(line, between); p && end && p < end; p = strstr(p + 1, between))
		step = p;
	if (!step || sscanf(step + sizeof between - 1, "%lld", (long long *)&out->beats) != 1 || out->beats < 0)
		return false;
	out->encounter = strndup(line, (size_t)(step - line));
	if (!out->encounter)
		abort();
	out->seed = 1;
	const char *seed = strstr(step, "; seed ");
	if (seed && seed < end)
		out->seed = strtoull(seed + strlen("; seed "), NULL, 10);
	return true;
}

/* Plays the fight up to there, without a word. */
static enum fray_status play_to(struct fray *f, const struct position *p)
{
	struct fray_run_options options = {0};
	bool over = false;
	options.seed = p->seed;
	enum fray_status s = fray_begin(f, p->encounter, &options);
	if (s != FRAY_OK)
		return s;
	session_open(f);
	f->session.replaying = true; /* what is expected on the way was looked at when it was played */
	s = status_of(f, vm_set_up(f->vm));
	for (int64_t i = 0; i < p->beats && s == FRAY_OK && !over; i++)
		s = fray_step(f, &over);
	f->session.replaying = false;
	if (s == FRAY_OK && session_beats(f) < p->beats) { /* over sooner than it was */
		diag_report(&f->sink, M_ODDS_PRESENT, (struct span){0}, 0);
		return FRAY_WRONG;
	}
	return s;
}

enum fray_status fray_odds_stand(struct fray *f)
{
	struct position p = {0};
	bool found = false;
	if (!f->sound)
		return FRAY_WRONG;
	for (int i = 0; i < f->unit.n && !found; i++) {
		const struct source *s = &f->sources.file.v[f->unit.v[i].file];
		found = f->unit.v[i].layer == LAYER_SCRIPT && read_position(s->text, s->length, &p);
	}
	if (!found) {
		diag_report(&f->sink, M_NO_POSITION, (struct span){0}, 0);
		return FRAY_WRONG;
	}
	enum fray_status s = play_to(f, &p);
	free(p.encounter);
	f->from = s == FRAY_OK;
	return s;
}
