/* order.h - which pending acts come next: the walk of the base order.
 *
 * Acts have a rank in the base order (equal ranks stand together) and pairwise answers that
 * overrule it. Read `one VERB other`:
 *
 *   precedes    one is taken up just before other, if the base order puts it later
 *   yields to   one is passed over until other has been taken up, and is then taken up
 *               straight after it (after the last of all it yields to)
 *   together    one joins other's place
 *   meets       both stand at the later of their two places
 *   apart from  never in one place: the one declared earlier first
 *
 * The walk takes acts in base order (rank, then the order of declaration). An answer that
 * the base order already satisfies moves nobody. Acts of one rank that nobody moved share a
 * place; moved acts that are taken up for the same reason at the same moment share one too,
 * if their ranks are equal. A cycle of answers leaves acts that can never be taken up: they
 * are reported, and the caller asks for a ruling. */
#ifndef FRAY_WORLD_ORDER_H
#define FRAY_WORLD_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum order_verb { ORDER_NONE, ORDER_PRECEDES, ORDER_YIELDS, ORDER_TOGETHER, ORDER_MEETS, ORDER_APART };

struct order_act {
	int rank;          /* in */
	int place;         /* out: 0 for the next group, counting up; -1 in a cycle */
	int moved_by;      /* out: the act that moved it, or -1 */
	int verb;          /* out: by which verb */
	int32_t clause;    /* out: and clause */
	bool in_cycle;     /* out */
};
struct order_answer { int verb; int32_t clause; };
struct order_result { int places; bool cycle; };

/* answers[i * n + k] is the winning answer to "how does i stand to k?". Acts are given in the
 * order of declaration. */
void order_walk(struct order_act *acts, int n, const struct order_answer *answers, struct order_result *out);

#endif
