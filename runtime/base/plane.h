/* plane.h - places and moments in the plane: lengths, places on a line, and when two who walk
 * evenly come near each other. All is reckoned exactly; what is no fraction, or none that
 * fits, is held as the fraction said below. Arguments and results are fraction words (num.h); an
 * argument that is NONE gives NONE; a result too large, or parts that are no whole number above 0, set *bad. */
#ifndef FRAY_BASE_PLANE_H
#define FRAY_BASE_PLANE_H

#include "runtime/base/num.h"

/* What a measure is of; how many fractions each takes stands in plane_arguments. */
enum measure { MEASURE_STRAIGHT, MEASURE_ALONG, MEASURE_MEETING, MEASURES };

enum { PLANE_ARGUMENTS = 14 };
int plane_arguments(enum measure what);

/* x, y, parts: the length of the straight way x along and y across, to the nearest of so many parts of 1. */
word plane_straight(const word *v, bool *bad);

/* t, t0, a, t1, b, parts: the value at t on the line that has a at t0 and b at t1, to the nearest of
 * so many parts of 1. t0 = t1 gives a. */
word plane_along(const word *v, bool *bad);

/* gap, from, then two legs of six: t0, x0, y0, t1, x1, y1. Each walks evenly from (x0, y0) at t0 to
 * (x1, y1) at t1, the moments lying between 0 and 1. The first moment not before `from` at which both are on
 * their legs and not more than gap apart; NONE when there is none. A moment that is no fraction that fits is held as the next
 * fraction behind it that does. So the order of two moments is never turned round, what is equal stays
 * equal, and only moments between which no fraction of 31 bits lies become one. */
word plane_meeting(const word *v, bool *bad);

word plane_measure(enum measure what, const word *v, bool *bad);

#endif
