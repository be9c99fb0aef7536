/* codes.h - what each message means, with an example and its cure: `help F0123`. */
#ifndef FRAY_API_CODES_H
#define FRAY_API_CODES_H

#include "lang/api/interp.h"

/* Whether a topic looks like the number of a message: "F0123", "f0123", "123". */
bool codes_is_code(const char *topic);
/* Explains one message; FRAY_WRONG, with `*near` set, when there is none of that number. */
enum fray_status codes_explain(struct fray *f, const char *topic, bool json, enum message *near);
/* Every message in the order of the codes: one line each, or, as JSON, all that is known of it. */
void codes_list(struct fray *f, bool json);

#endif
