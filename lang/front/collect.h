/* collect.h - learning declared names from raw tokens, before anything is parsed. */
#ifndef FRAY_FRONT_COLLECT_H
#define FRAY_FRONT_COLLECT_H

#include "lang/front/front.h"
#include "lang/front/raw.h"

enum { RAWS_MARGIN = 8 }; /* end marks after the last token, so that looking ahead needs no bounds */

/* The raw tokens of a whole text, then the margin. */
void front_raws(struct front *f, uint16_t file, struct raws *out);
/* The same, of a text that was looked at: those that were kept then, if they were. */
void front_raws_take(struct front *f, uint16_t file, struct raws *out);
/* Learns the names that `count` raw tokens declare, which stand inside `depth` braces; lists
 * the modules used, when uses is given. */
bool collect_names(struct front *f, uint16_t file, const struct raw *raw, int count, int depth,
	struct node **uses);
/* The name that n raw tokens make, as written, with single blanks. */
void raws_text(const struct front *f, uint16_t file, const struct raw *raw, int n, struct buf *out);
void collect_kind(struct front *f, const char *text);
void collect_unit(struct front *f, const char *text);
/* Reports what makes a text unreadable: true when nothing does. */
bool collect_readable(struct front *f, uint16_t file, uint32_t from);
/* Reports the first comment that is written with // or #; true when there is none. */
bool collect_comment(struct front *f, uint16_t file, const struct raws *raws);
bool collect_strings(struct front *f, uint16_t file, const struct raw *raw, int count);

#endif
