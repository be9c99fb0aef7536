/* answer_side.c - how a fight came to its end. */
#include "runtime/explain/answer.h"

/* Has no short answer yet: the derivation is told. */
bool answer_side(const struct inquiry *s, const struct question *q, struct answer *out)
{
	(void)s;
	(void)q;
	(void)out;
	return false;
}
