/* source.h - what the rest of the front end may do with texts beyond front.h. */
#ifndef FRAY_FRONT_SOURCE_H
#define FRAY_FRONT_SOURCE_H

#include "lang/front/front.h"

/* Adds to the end of a text; pointers into it are void, offsets stay. */
void source_grow(struct sources *s, uint16_t file, const char *text, size_t length);

#endif
