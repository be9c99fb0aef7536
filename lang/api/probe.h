/* probe.h - a value asked for at the prompt, worked out in the world as it stands. */
#ifndef FRAY_API_PROBE_H
#define FRAY_API_PROBE_H

#include "lang/api/interp.h"

struct probe {
	struct probing *from;    /* NULL: it is not open */
	struct program *program; /* the encounter's, with functions more */
	int32_t fn;              /* the function that works it out */
	struct vtype type;
	word value[256];
	int words;               /* of it */
	int32_t record;          /* its QUESTION record, when asked for; -1 */
};

/* Works out an expression; false with diagnostics sent. With `record`, questions asked on the
 * way are left in the log behind the run's own records; probe_close takes them away. */
bool probe_open(struct fray *f, struct node *expr, bool record, struct probe *out);
void probe_close(struct fray *f, struct probe *p);
/* The same, and the log keeps its first `mark` records. */
void probe_close_to(struct fray *f, struct probe *p, int32_t mark);
/* The program of the fight, or the model, is no longer what it was. */
void probe_forget(struct fray *f);

#endif
