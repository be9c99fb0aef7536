/* plain.c - the plain fights of osric (fights.py: osric-10, osric-40) by hand-written C: what a programmer would write
 * who needs them fast and never changes their rules. plain.lua plays the same; `make bench` compares their odds with Fray's.
 *
 * usage: plain N TRIALS SEED        N against N
 * prints: left L right R both B rounds X
 *
 * The rules are the chapter's at their defaults. Each side rolls a d6 for surprise; on 1 or 2 it loses so many segments. In
 * each segment that one side has lost and the other has not, the other strikes. Then rounds: a d6 a side, and the higher
 * die strikes first; at equal dice both strike, also with those who fall. Everybody strikes the first enemy who is up, as
 * that is when the side's segment begins: whoever strikes one who has fallen to the same side's blows adds nothing, so a
 * side fells one at most. Both sides are alike: THAC0 18 against AC 5 hits on 13, for d8 of 9 hit points.
 *
 * So two numbers a side say it all: how many are up, and the hit points of the first of them. A blow is one face of 160,
 * d20 and d8 together, of which 96 miss; four blows come of one draw, what a multiplication leaves below the word being as
 * good as a draw for the next (no face is off by more than one part in 2^34). */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

enum { HIT_POINTS = 9, NEED = 13, FACES = 20, DAMAGE = 8, MISSES = (NEED - 1) * DAMAGE, SURPRISED = 2,
	AT_ONCE = 4, MAX_ROUNDS = 1000 };

struct rng { uint64_t s[4]; };
struct side { int up, first; }; /* how many, and the hit points of the first of them */

static uint64_t turn(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

/* xoshiro256++ */
static inline uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s, out = turn(s[0] + s[3], 23) + s[0], t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = turn(s[3], 45);
	return out;
}

static inline unsigned die(struct rng *r, unsigned n)
{
	return (unsigned)((wide)rng_next(r) * n >> 64);
}

static uint8_t damage[FACES * DAMAGE]; /* by face; 0: a miss */

/* The damage of so many blows. */
static inline int blows(struct rng *r, int n)
{
	int sum = 0;
	while (n > 0) {
		uint64_t left = rng_next(r);
		for (int i = n < AT_ONCE ? n : AT_ONCE; i; i--) {
			wide w = (wide)left * (FACES * DAMAGE);
			left = (uint64_t)w;
			sum += damage[w >> 64];
		}
		n -= AT_ONCE;
	}
	return sum;
}

static inline void suffer(struct side *s, int damage)
{
	s->first -= damage;
	if (s->first <= 0) {
		s->first = HIT_POINTS;
		s->up--;
	}
}

/* Both strike at once, or one after the other; rounds played. */
static int play(struct rng *r, int n, struct side *left, struct side *right)
{
	int rounds = 0, lost[2];
	left->up = right->up = n;
	left->first = right->first = HIT_POINTS;
	for (int i = 0; i < 2; i++) {
		int d = 1 + (int)die(r, 6);
		lost[i] = d <= SURPRISED ? d : 0;
	}
	for (int segment = 1; segment <= SURPRISED && left->up && right->up; segment++) {
		int acts_left = lost[0] < segment, acts_right = lost[1] < segment;
		if (acts_left == acts_right && acts_left)
			break; /* nobody is surprised any more */
		if (acts_left)
			suffer(right, blows(r, left->up));
		else if (acts_right)
			suffer(left, blows(r, right->up));
	}
	while (left->up && right->up && rounds < MAX_ROUNDS) {
		unsigned a = die(r, 6), b = die(r, 6);
		rounds++;
		if (a == b) {
			int by_left = blows(r, left->up), by_right = blows(r, right->up);
			suffer(right, by_left);
			suffer(left, by_right);
		} else {
			struct side *one = a > b ? left : right, *other = a > b ? right : left;
			suffer(other, blows(r, one->up));
			if (other->up)
				suffer(one, blows(r, other->up));
		}
	}
	return rounds;
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: plain N TRIALS SEED\n");
		return 2;
	}
	int n = atoi(argv[1]);
	uint64_t trials = strtoull(argv[2], NULL, 10), seed = strtoull(argv[3], NULL, 10), count[3] = {0}, rounds = 0;
	struct rng r;
	for (int i = 0; i < 4; i++) { /* splitmix64 */
		uint64_t z = seed += 0x9e3779b97f4a7c15;
		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
		z = (z ^ z >> 27) * 0x94d049bb133111eb;
		r.s[i] = z ^ z >> 31;
	}
	for (int i = MISSES; i < FACES * DAMAGE; i++)
		damage[i] = (uint8_t)(1 + i % DAMAGE);
	for (uint64_t t = 0; t < trials; t++) {
		struct side left, right;
		rounds += (uint64_t)play(&r, n, &left, &right);
		count[left.up ? 0 : right.up ? 1 : 2]++;
	}
	double all = trials ? (double)trials : 1;
	printf("left %.6f right %.6f both %.6f rounds %.6f\n", (double)count[0] / all, (double)count[1] / all, (double)count[2] / all, (double)rounds / all);
	return 0;
}
