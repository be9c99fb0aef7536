/* show.h - inside fray_show: what is told at length. */
#ifndef FRAY_API_SHOW_H
#define FRAY_API_SHOW_H

#include "lang/api/interp.h"

/* What a topic is told from and how: one JSON object a line, or lines to read; with what rules keep
 * if `full`. */
struct shown { struct fray *f; bool json, full; };

/* Tells one topic of topics.def; `what` narrows it down, or is NULL. FRAY_WRONG: nothing is called
 * so, and that was reported. */
typedef enum fray_status show_fn(struct shown *s, const char *what);
#define TOPIC(name, of, function) show_fn function;
#include "lang/api/topics.def"
#undef TOPIC

/* The rules of libraries that ask for fields which this stat block states: those fields, the rule's name and the
 * words behind it, in the order they are read in. */
typedef void (*trait_teller)(struct fray *f, const char *fields, const char *rule, const char *words, void *context);
void show_traits(struct fray *f, int thing, trait_teller tell, void *context);

/* The model's rules and options as they are where the fight stands, until it is called with false. */
void model_where(struct fray *f, bool fight);

/* Whether a clause holds where the fight stands, between model_where(f, true) and (f, false). */
bool in_force_now(const struct fray *f, const struct mclause *x);

/* Whether a citation names the clause id `asked`, whole ("OSRIC-GAP-7") or without its system
 * ("GAP-7"); of "OSRIC-INIT-6, -8" the second is OSRIC-INIT-8. In any case of letters. */
bool cites(const char *cite, const char *asked);
/* Whether the words stand in the text, where a word begins; in any case of letters. */
bool has_words(const char *text, const char *words);

/* Adds text on one line, whatever blanks and line ends stand in it. */
void add_flat(const char *text, size_t n, struct buf *out);

/* Indices into an array of the model: for people by the names that `name` gives them, as JSON in
 * the order of their declarations; ends with -1. The caller frees it. */
int *in_listed_order(
	const struct shown *s, int n, const char *(*name)(const struct model *m, int i));

#endif
