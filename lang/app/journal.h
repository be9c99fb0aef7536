/* journal.h - what was typed at the prompt, line by line, so that a session that dies can go on.
 *
 * $XDG_STATE_HOME/fray/session holds the last one: a few comments that say which script and
 * rules it began with, then every line that changed something, written when it was accepted.
 * The one before is kept as session.old. A prompt that is opened while another one is keeps
 * session.2, session.3 ..: each has a lock while it is open (session.lock). */
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
enum { SESSIONS_MOST = 9 };
/* The numbers, from 1, of the sessions that no open prompt is keeping now; how many. */
int journal_sessions(int number[SESSIONS_MOST]);
/* That session's; false when there is none. */
bool journal_read(struct journal_read *r, int number);
void journal_read_free(struct journal_read *r);
/* When a session was last written to, "2026-11-28 16:50". */
void journal_when(int number, char *text, size_t size);
/* Goes on writing to it. */
struct journal *journal_again(int number);

#endif
