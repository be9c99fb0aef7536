/* order_slow.h - the order of pending acts, straight from its definition (order.h) and with
 * no thought of speed: to compare with. */
#ifndef FRAY_TESTS_UNIT_ORDER_SLOW_H
#define FRAY_TESTS_UNIT_ORDER_SLOW_H

#include "runtime/world/order.h"

enum { SLOW_ACTS = 12 };

/* Writes the group of each act; returns how many groups, or -1 when a ruling is needed. */
int order_slow(const struct order_input *in, int32_t *group);

/* Another definition, for `yields to` alone: one list of those passed over, looked through
 * again after every group. And its mirror, for `precedes` alone. */
int order_yields_only(const struct order_input *in, int32_t *group);
int order_precedes_only(const struct order_input *in, int32_t *group);

#endif
