/* odds_run.h - doing what `fray odds`, `fray merge` and fray-mpi ask for. */
#ifndef FRAY_APP_ODDS_RUN_H
#define FRAY_APP_ODDS_RUN_H

#include <time.h>

#include "lang/app/host.h"

struct odds {
	struct host host;                    /* first: the callbacks' context */
	struct fray *f;
	struct fray_odds_options options;
	const char *report, *rules, *within, *out, *from; /* as given, or NULL */
	uint32_t shard, of;                  /* of 0: the whole sample */
	bool one_trial, sensitivity, threads_given;
	uint64_t trial;
	char **operand;                      /* script and encounter */
	int operands;
	struct text *answer;                 /* goes here, not to standard output; may be NULL */
	bool shown;                          /* progress stands on the last line */
	struct timespec begun, last;
};

/* Reads the command line; OPTIONS_DONE, or else an exit status. */
int odds_read_options(const struct command *self, int argc, char **argv, struct odds *o);
/* Before anything is played: false after complaining that the report cannot be written. */
bool odds_may_report(const struct odds *o);
/* All that is left to do; each returns an exit status after saying what is wrong. */
int odds_run(struct odds *o);
/* Plays one shard; its part goes to `part`. */
int odds_run_share(struct odds *o, struct text *part);
/* Tells what the parts come to, as o->options.form and o->report say. */
int odds_run_merge(struct odds *o, const struct fray_part *part, int n);

/* --json and --csv; false after complaining about both. */
bool odds_take_form(struct odds *o, enum fray_odds_form form);

#endif
