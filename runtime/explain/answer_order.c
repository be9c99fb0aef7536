/* answer_order.c - why one acts before, with or after another. */
#include "runtime/explain/answer.h"

/* Has no short answer yet: the derivation is told. */
bool answer_order(const struct inquiry *s, const struct question *q, struct answer *out)
{
	(void)s;
	(void)q;
	(void)out;
	return false;
}
