/* session.h - the timelines of a fight at the prompt: undo, redo, forks. */
#ifndef FRAY_API_SESSION_H
#define FRAY_API_SESSION_H

#include "lang/api/interp.h"

/* Begins a timeline called main at a fight that has just begun. */
void session_open(struct fray *f);
bool session_is_open(const struct fray *f);
/* Moves the timelines away: what was typed in them is out of the script. */
void session_put(struct fray *f, struct session *to);
/* An encounter that was typed in the fight is to be begun: with it, all that was declared in the fight stays
 * when the fight is over. False: it is the script's. */
bool session_keeps_typed(struct fray *f, const struct node *n);
/* Frees what was moved away. */
void session_drop(struct session *s);
/* Writes what was typed into the script again, behind what was declared until `typed_tail`. */
void session_rewrite(struct fray *f, struct node *typed_tail);

/* A beat was played; takes over `before`, the world before it (session_world), and what was
 * answered. */
void session_stepped(struct fray *f, word *before, struct table_dice dice);
/* Back to before the last beat in which dice were asked for; `dice` takes what was answered
 * then. False, and nothing is done, when there is none since the last change. */
bool session_back_to_asked(struct fray *f, struct table_dice *dice);
/* The world before the last so many beats of this machine, to be freed. */
word *session_world_before(const struct fray *f, int beats);
/* The last beat was interrupted: it never was. */
void session_unstep(struct fray *f);
void session_restore(struct fray *f, const word *world);
/* Plays the timeline's beats up to its position, on a new program. */
enum fray_status session_play(struct fray *f);
int session_beats(struct fray *f);

/* Whether a block is of what has been played, or of what comes round again and again, and so would
 * change the past; reports it. */
bool session_is_past(struct fray *f, const struct node *block);
/* A sentence or rule for the fight, from the present beat on; or a declaration. FRAY_WRONG:
 * it was reported, and everything is as before. */
enum fray_status session_say(struct fray *f, struct node *n);
/* replaced.c: says which declaration the one just typed replaces, and whether it counts for the round in progress. */
void replaced_tell(struct fray *f, const struct node *line);
enum fray_status session_declare(struct fray *f, struct node *n);

/* More of the library was read: everything is made anew, and played to where it stands. */
bool session_refresh(struct fray *f);

/* How many entries could be taken back, or done again. */
int session_undo(struct fray *f, int64_t count);
int session_redo(struct fray *f, int64_t count);

/* A second timeline like the present one, to go on with; false when the name is taken. */
bool session_fork(struct fray *f, const char *name);
/* False when there is none of that name. */
bool session_switch(struct fray *f, const char *name);

/* The index of a fork, -1 when there is none of that name; that is reported: FRAY_WRONG. */
int session_fork_named(const struct fray *f, const char *name);
enum fray_status session_no_fork(struct fray *f, struct span at, const char *name);
/* How many entries two forks begin with that are the same. */
int session_same_entries(const struct fray *f, int one, int other);
/* What was typed: a line of the fight, or answers to dice asked for; false when it was nothing. */
bool session_entry_text(const struct fray *f, const struct entry *e, struct buf *out);
/* `compare forks A vs B` (forks.c). */
enum fray_status forks_compare(struct fray *f, const struct node *n);

/* Where the fight stands: "round 1, segment 5"; lent until the next call. */
const char *session_place(struct fray *f);
/* The script with what was typed in its place: played as far as it was, it comes to this world. */
void session_script(struct fray *f, struct buf *out);
/* The forks as a tree, with where each stands. */
void session_show_forks(struct fray *f);
/* A copy of the world, for session_stepped. */
word *session_world(const struct fray *f);

/* ---- saved.c ---- */
/* Where the fight of a script stood that was saved at the prompt. */
struct saved_place { char *encounter, *rules; int64_t beats; uint64_t seed; };
/* False: it was not saved there. */
bool saved_read(const struct fray *f, struct saved_place *out);
void saved_free(struct saved_place *s);
/* The lines that say so. */
void saved_head(struct fray *f, struct buf *out);
/* Says of those expectations of a saved script that do not hold where it stands that they are vain. */
void saved_true(struct fray *f, struct buf *script);

/* ---- between session.c, session_forks.c and session_script.c ---- */
/* The timeline at hand. */
struct timeline *session_timeline(struct fray *f);
int session_fork_add(struct fray *f, const char *name);
/* After going over lines: the script, and where a machine was missing the fight as well. */
void session_arrive(struct fray *f, bool crossed, bool missing);

#endif
