/* table.h - dice on the table: asked for by name, typed in, and remembered.
 *
 * What was typed for a beat is kept with the beat (struct entry), each die by its label's hash
 * and the number of the roll, so that undo, redo, forks and edits find it again; a saved
 * script says it as `dice: Bruna's attack roll #3 17`. */
#ifndef FRAY_API_TABLE_H
#define FRAY_API_TABLE_H

#include "lang/api/fray.h"
#include "lang/front/ast.h"
#include "runtime/vm/vm.h"

/* One answer: what fell on the table, or that Fray was to roll. */
struct table_die {
	uint64_t hash;
	uint32_t occurrence;
	bool rolled;
	int64_t total;
	int32_t *face;     /* owned; faces 0: only the total is known */
	int faces;
	char *name;        /* owned: "Bruna's attack roll" */
};
struct table_dice { VEC(struct table_die) die; };

struct table;

/* The table of a run that is about to begin, or NULL when memory is short. */
struct table *table_new(struct fray *f);
void table_close(struct table *t);
struct dice_source *table_source(struct table *t);

/* From now on the dice that `known` holds fall as they fell, all others by themselves. */
void table_replay(struct table *t, const struct table_dice *known);
/* Plays a beat, or sets everybody up, with the dice that are to be asked for; their answers
 * are added to `known`. `before`, unless it is NULL, takes the world before it, to be freed. */
enum vm_status table_play(struct table *t, bool set_up, struct table_dice *known, word **before);
/* Whether any die is asked for. */
bool table_asks(const struct fray *f);
/* Forgets what was typed for dice still to come; table_leave says so. */
void table_forget(struct table *t);
void table_leave(struct fray *f);

void table_dice_free(struct table_dice *d);
struct table_dice table_dice_copy(const struct table_dice *d);
bool table_dice_same(const struct table_dice *a, const struct table_dice *b);
/* "dice: Bruna's attack roll #3 17" for what was typed; nothing when all was rolled. */
void table_dice_script(const struct table_dice *d, const char *indent, struct buf *out);

/* `dice ask`, `dice ask party`, `dice roll`. */
enum fray_status table_say(struct fray *f, const struct node *n);

#endif
