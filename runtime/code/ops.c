/* ops.c - the table of instructions, made from ops.def. */
#include "runtime/code/ops.h"

const struct op_info op_table[OP_COUNT] = {
#define OP(name, shape, doc) {#name, shape, doc},
#include "runtime/code/ops.def"
#undef OP
};
