/* answer_not.c - why something did not happen. */
#include "runtime/explain/answer.h"

/* Has no short answer yet: the derivation is told. */
bool answer_not(const struct inquiry *s, const struct question *q, struct answer *out)
{
	(void)s;
	(void)q;
	(void)out;
	return false;
}
