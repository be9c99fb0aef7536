/* answer_state.c - why somebody is so. */
#include "runtime/explain/answer.h"

/* Has no short answer yet: the derivation is told. */
bool answer_state(const struct inquiry *s, const struct question *q, struct answer *out)
{
	(void)s;
	(void)q;
	(void)out;
	return false;
}
