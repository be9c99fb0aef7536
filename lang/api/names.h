/* names.h - what every name of a text means, for editors: one walk over the checked trees.
 *
 * A meaning is a sort, a name and a scope: names with the same meaning are one thing's. The walk
 * goes in the order of the tree, which is nearly that of the text, and passes over what could not
 * be read.
 *
 *   names.c       declarations, encounters      names_expr.c  expressions, bodies of rules
 *   about.c       what is told of a name        outline.c     what a text declares
 *   complete.c    what may stand at a place */
#ifndef FRAY_API_NAMES_H
#define FRAY_API_NAMES_H

#include "lang/api/interp.h"

struct meaning {
	enum fray_name_sort sort;
	sym name;
	int32_t scope; /* the kind; of a SIDE the encounter, of a LOCAL its place */
};

struct named {
	struct span at;
	struct meaning means;
	bool declares;
};

typedef void named_teller(void *context, const struct named *x);

/* The scope of what belongs to a pair, and of a function. */
enum { SCOPE_OF_PAIR = -2, SCOPE_OF_NONE = -1 };

/* Every name of a file; 0: of all. */
void names_each(struct fray *f, uint16_t file, named_teller *tell, void *context);
bool meaning_same(const struct meaning *a, const struct meaning *b);
/* The file of a name as diagnostics show it; 0: none was read. */
uint16_t file_named(const struct fray *f, const char *name);
struct fray_place place_of(const struct fray *f, struct span at);

/* ---- what the two files of the walk share ---- */
struct local {
	sym name;
	struct span at;
};
struct names {
	struct fray *f;
	const struct model *m;
	uint16_t file;
	named_teller *tell;
	void *context;
	VEC(struct local) local;
	int encounter; /* or -1 */
	int kind;      /* whose fields stand here, or -1 */
};

void names_put(struct names *w, enum fray_name_sort sort, sym name, int scope, struct span at,
	bool declares);
/* The name of a node that has others besides: at its place, or where it is found in the node. */
void names_put_in(struct names *w, enum fray_name_sort sort, sym name, int scope,
	const struct node *n, bool declares);
void names_thing(struct names *w, sym name, struct span at);
/* A field or, where rules alone define it, a question of a kind; false: it has none so called. */
bool names_field_of(struct names *w, int kind, sym name, struct span at, bool declares);
void names_event(struct names *w, sym name, struct span at);
/* A name that is one of a role, a member or a value from here on. */
void names_local(struct names *w, sym name, struct span at);
void names_roles(struct names *w, sym event);
void names_list(struct names *w, const struct node *list);
void names_node(struct names *w, const struct node *n); /* names.c */
bool names_inside(
	struct names *w, const struct node *n); /* names_expr.c; false: it is none of its nodes */

#endif
