/* source.h - what the rest of the front end may do with texts beyond front.h. */
#ifndef FRAY_FRONT_SOURCE_H
#define FRAY_FRONT_SOURCE_H

#include "lang/front/front.h"

/* Adds to the end of a text; pointers into it are void, offsets stay. */
void source_grow(struct sources *s, uint16_t file, const char *text, size_t length);
/* Cuts a text back to a shorter length. */
void source_cut(struct sources *s, uint16_t file, uint32_t length);

#endif
