/* show.h - inside fray_show: what is told at length. */
#ifndef FRAY_API_SHOW_H
#define FRAY_API_SHOW_H

#include "lang/api/interp.h"

/* Every option of the rules: its citation, its values, the one in force and what each means,
 * and who has another. As JSON one value a line. */
void show_options(struct fray *f, bool json);

/* The rules of libraries that ask for fields which this stat block states: those fields, the rule's name and the
 * words behind it, in the order they are read in. */
typedef void (*trait_teller)(struct fray *f, const char *fields, const char *rule, const char *words, void *context);
void show_traits(struct fray *f, int thing, trait_teller tell, void *context);

/* The model's rules and options as they are where the fight stands, until it is called with false. */
void model_where(struct fray *f, bool fight);

#endif
