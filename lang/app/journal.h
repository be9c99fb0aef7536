/* journal.h - what was typed at the prompt, line by line, so that a session that dies can go on.
 *
 * $XDG_STATE_HOME/fray/session holds the last one: a few comments that say which script and
 * rules it began with, then every line that changed something, written when it was accepted.
 * The one before is kept as session.old. */
#ifndef FRAY_APP_JOURNAL_H
#define FRAY_APP_JOURNAL_H

#include "lang/app/app.h"

struct journal;

/* A journal to write to; nothing is written, and nothing lost, before the first line is kept.
 * `script`, `rules` and `seed` may be NULL. */
struct journal *journal_new(const char *script, const char *rules, const char *seed);
/* Lines of a unit that was accepted, each with its newline. */
void journal_keep(struct journal *j, const char *lines, size_t length);
void journal_free(struct journal *j);

struct journal_read {
	char *text;              /* the whole of it */
	char *folder;            /* where it was typed: what it loads and saves is there; or NULL */
	char *script, *rules, *seed; /* or NULL */
	const char *lines;       /* within text */
};
/* The last session's; false when there is none. */
bool journal_read(struct journal_read *r);
void journal_read_free(struct journal_read *r);
/* Goes on writing to it. */
struct journal *journal_again(void);

#endif
