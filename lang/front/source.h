/* source.h - what the rest of the front end may do with texts beyond front.h. */
#ifndef FRAY_FRONT_SOURCE_H
#define FRAY_FRONT_SOURCE_H

#include "lang/front/front.h"

/* Adds to the end of a text; pointers into it are void, offsets stay. */
void source_grow(struct sources *s, uint16_t file, const char *text, size_t length);
/* Where what is read begins: behind a byte order mark and a line for the shell, `#!..`. */
uint32_t source_start(const struct source *s);
/* Drops the tokens that are kept of it. */
void source_forget(struct source *f);
/* Cuts a text back to a shorter length. */
void source_cut(struct sources *s, uint16_t file, uint32_t length);

#endif
