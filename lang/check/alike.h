/* alike.h - parts of clauses, conditions and lines, and whether two are written alike. */
#ifndef FRAY_CHECK_ALIKE_H
#define FRAY_CHECK_ALIKE_H

#include "lang/check/model.h"

/* Or that it is not so. Names of the clause's parameters, where there is a clause, are those
 * parameters; what stands in the definition of an adjective says `for_name` for whom the adjective
 * is said of. */
struct part {
	const struct node *n;
	bool denied;
	const struct mclause *clause;
	sym for_name;
	const struct node *whom;
};

/* `denied` is not looked at. A roll is not like another: it comes out differently. */
bool parts_alike(const struct model *m, struct part a, struct part b);
/* The same of what stands in them; either may be NULL. */
bool parts_alike_in(const struct model *m, struct part a, const struct node *x, struct part b,
	const struct node *y);

#endif
