/* emit.h - JSON written in order, one value after another, into a buffer.
 *
 * Keys come out in the order they are written. Text that is not UTF-8 is written with U+FFFD
 * for what cannot be read, so what comes out is always valid. */
#ifndef FRAY_EXPLAIN_EMIT_H
#define FRAY_EXPLAIN_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/buf.h"

void emit_text(struct buf *out, const char *text);             /* "..", quoted and escaped */
/* Members: a comma is put before all but the first of an object or array. */
void emit_key(struct buf *out, const char *key);
void emit_member(struct buf *out, const char *key, const char *text);
void emit_number(struct buf *out, const char *key, int64_t value);
void emit_unsigned(struct buf *out, const char *key, uint64_t value);
void emit_flag(struct buf *out, const char *key, bool value);
void emit_null(struct buf *out, const char *key);
void emit_comma(struct buf *out);                              /* before an element of an array, unless it is the first */

#endif
