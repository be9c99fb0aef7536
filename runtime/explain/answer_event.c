/* answer_event.c - what an event came from. */
#include "runtime/explain/answer.h"

/* Has no short answer yet: the derivation is told. */
bool answer_event(const struct inquiry *s, const struct question *q, struct answer *out)
{
	(void)s;
	(void)q;
	(void)out;
	return false;
}
