/* odds_from.c - odds from a position saved at the prompt: the file's first lines say where it
 * stands (saved.c), the fight is played to there, and the questions are asked. */
#include "lang/api/session.h"
#include "lang/api/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plays the fight up to there, without a word. */
static enum fray_status play_to(struct fray *f, const struct saved_place *p)
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
	struct saved_place p = {0};
	if (!f->sound)
		return FRAY_WRONG;
	if (!saved_read(f, &p)) {
		diag_report(&f->sink, M_NO_POSITION, (struct span){0}, 0);
		return FRAY_WRONG;
	}
	enum fray_status s = play_to(f, &p);
	saved_free(&p);
	f->from = s == FRAY_OK;
	return s;
}
