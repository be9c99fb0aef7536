/* diag.h - a diagnostic is a value, made here and printed at the edge.
 *
 * Every sentence a user can see is a row of message.def: a code whose meaning never
 * changes, a severity, a template with {0}..{9} for arguments and a hint (may be "").
 * A sink counts and passes diagnostics on; nothing in the library prints. */
#ifndef FRAY_BASE_DIAG_H
#define FRAY_BASE_DIAG_H

#include <stdbool.h>

#include "runtime/base/buf.h"
#include "runtime/base/span.h"

enum severity { SEV_NOTE, SEV_WARNING, SEV_ERROR, SEV_RULING, SEV_LIMIT };

enum message {
#define MSG(name, code, severity, template, hint) M_##name,
#include "runtime/base/message.def"
#undef MSG
	M_COUNT
};

struct message_info {
	const char *name;     /* NO_FIELD */
	const char *code;     /* "F0201" */
	enum severity severity;
	const char *template; /* {0}..{9} are arguments */
	const char *hint;     /* shown below the excerpt; "" for none */
};
extern const struct message_info message_table[M_COUNT];

enum { DIAG_ARGS = 8, DIAG_RELATED = 4, DIAG_LINES = 10 };

struct diag {
	enum message id;
	struct span span;
	const char *arg[DIAG_ARGS];     /* borrowed while the sink runs */
	int args;
	struct { struct span span; const char *label; } related[DIAG_RELATED];
	int relateds;
	const char *line[DIAG_LINES];   /* further lines of explanation, already worded */
	int lines;
};

struct diag_sink {
	void (*report)(void *context, const struct diag *d);
	void *context;
	int errors;   /* errors, rulings and limits so far */
	int warnings;
	int limit;    /* errors after which nothing more is passed on; 0: 100 */
};

/* Start a diagnostic; fill arguments, then diag_send. */
struct diag diag_make(enum message id, struct span span);
void diag_arg(struct diag *d, const char *text); /* text borrowed until diag_send returns */
void diag_relate(struct diag *d, struct span span, const char *label);
void diag_line(struct diag *d, const char *text);
void diag_send(struct diag_sink *sink, const struct diag *d);

/* One call for the common case: arguments are C strings. */
void diag_report(struct diag_sink *sink, enum message id, struct span span, int args, ...);

/* The sentence with its arguments put in (no place, no excerpt). */
void diag_sentence(const struct diag *d, struct buf *out);
void diag_hint(const struct diag *d, struct buf *out); /* the hint with arguments; empty when none */
void diag_spoken(const struct diag *d,
	struct buf *out); /* sentence, hint and code in one line, for a question in progress */

/* "attack, cast, flee": names in the order of the alphabet, `first` (or NULL) before the others, at most `most`. */
void diag_list(const char **names, int n, const char *first, int most, struct buf *out);

/* The nearest of `n` candidate words to `word` within about a third of its length, or NULL. */
const char *diag_nearest(const char *word, const char *const *candidates, int n);

/* The candidate of one word that a short form means: lvl is level, str is strength; NULL: none. */
const char *diag_short_for(const char *word, const char *const *candidates, int n);

#endif
