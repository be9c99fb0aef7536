/* answer_value.c - what a value is made of. */
#include "runtime/explain/answer.h"

/* Has no short answer yet: the derivation is told. */
bool answer_value(const struct inquiry *s, const struct question *q, struct answer *out)
{
	(void)s;
	(void)q;
	(void)out;
	return false;
}
