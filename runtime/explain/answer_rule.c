/* answer_rule.c - why a rule did not count. */
#include "runtime/explain/answer.h"

/* Has no short answer yet: the derivation is told. */
bool answer_rule(const struct inquiry *s, const struct question *q, struct answer *out)
{
	(void)s;
	(void)q;
	(void)out;
	return false;
}
