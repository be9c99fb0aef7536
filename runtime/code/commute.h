/* commute.h - which simultaneous acts commute, so that they may run in place. */
#ifndef FRAY_CODE_COMMUTE_H
#define FRAY_CODE_COMMUTE_H

#include "runtime/code/program.h"

/* Fills event_info.alone: a bit for each stage in which an act of this event, and whatever that
 * calls, writes only fields of its actor and acts that it makes itself, while neither the act nor
 * the question whether it is void reads such a field of another combatant. Such events commute, so
 * members of a group, each the act of another combatant, may run in place. Dice may fall: members
 * run one after the other in any case. Needs program_effects first. */
void program_alone(struct program *p);

/* Lists gone through in turn (TURNS): what is asked before each turn, and what an act of the event does, must not interfere
 * either; where it does, or nobody knows, TURNS becomes a plain no. What is asked is read off the code as it was made, what
 * is done once it is as short as it gets: so one before, and one after. */
struct turn { int32_t event; uint8_t *reads; }; /* by field */
struct turns { struct turn *v; int n, cap; };
void program_turns_open(struct program *p, struct turns *t);
void program_turns_close(struct program *p, struct turns *t);

#endif
