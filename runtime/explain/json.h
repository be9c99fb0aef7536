/* json.h - a run as JSON, one object a line (docs/schema/log.schema.json).
 *
 * The first object describes the run, the last its outcome, those between what happened in
 * the order of the log. "event" is the first key of each; "kind" is the sort of object, since
 * an event of the rules may be called anything. Dice ("kind":"roll"), choices and
 * declarations are all there, so the same fight can be played from its log. */
#ifndef FRAY_EXPLAIN_JSON_H
#define FRAY_EXPLAIN_JSON_H

#include "runtime/code/program.h"
#include "runtime/trace/trace.h"

struct json_run {
	const char *version;
	uint64_t seed, trial;
	/* Sends one line, its newline included. */
	void (*write)(void *context, int style, const char *text, size_t length);
	void *context;
	uint64_t max_rounds; /* 0: no limit was given */
};

/* Writes the records from number `from` on; the first object only when `from` is 0. */
void json_tell(const struct program *p, const struct trace *t, int32_t from, const struct json_run *run);

#endif
