/* answer.h - what the prompt says besides the answers themselves: where the fight stands, what
 * an unfinished line waits for, and for programs each answer as an object. */
#ifndef FRAY_APP_ANSWER_H
#define FRAY_APP_ANSWER_H

#include "lang/app/host.h"

/* "round 1, segment 5 fray> ", with the fork's name before it when it is not the first; after
 * FRAY_MORE what is awaited: "a closing }   .. ". Lent until the next call. */
const char *answer_prompt(const struct host *h, struct fray *f, bool more);

/* One object on a line of standard output: the line (or lines) that was typed, what came of
 * it, and where the fight stands then (docs/schema/answer.schema.json). Takes what the host
 * captured and held, and empties it. */
void answer_print(struct host *h, struct fray *f, int number, const char *input, size_t length, enum fray_status status);

#endif
