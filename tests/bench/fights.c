/* fights.c - the three standard fights, played by hand-written C: what a programmer would
 * write who needs one fight fast and never changes its rules. `make bench` compares Fray
 * with it. fights.lua plays the same fights; their rules are in FIGHTS.md beside this file.
 *
 * usage: fights FIGHT TRIALS SEED        FIGHT is f1, f2 or f3
 * prints: shares of A wins, B wins, both down, unresolved; average rounds
 *
 * Each fight is a struct of state and two functions, its hit points and its side action;
 * `play` is the procedure all three share and is inlined into each.
 *
 * Dice: xoshiro256++ (period 2^256 - 1), its state filled from the seed by splitmix64. A
 * face is the high word of draw * sides, so no face of dN is off by more than N / 2^64. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* ---- dice ---- */

struct rng { uint64_t s[4]; };

static void rng_seed(struct rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++) {
		uint64_t z = seed += 0x9e3779b97f4a7c15;
		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
		z = (z ^ z >> 27) * 0x94d049bb133111eb;
		r->s[i] = z ^ z >> 31;
	}
}

static inline uint64_t turn(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

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

/* 1..n */
static inline int die(struct rng *r, int n)
{
	return 1 + (int)((wide)rng_next(r) * (uint64_t)n >> 64);
}

static inline int dice(struct rng *r, int count, int n)
{
	int sum = 0;
	while (count--)
		sum += die(r, n);
	return sum;
}

/* ---- the procedure ---- */

enum { A, B };
enum outcome { A_WINS, B_WINS, BOTH, UNRESOLVED, OUTCOMES };
enum { MAX_ROUNDS = 1000, MOST = 60 };

/* `hp` of the members in list order; who is asleep is kept as hit points 0, since nobody
 * wakes and nobody strikes sleepers. `up` counts those with hit points left; the horde keeps
 * its living in hp[0..up), whose order means nothing there. */
struct side { int hp[MOST], members, up; };

struct field {
	struct rng *rng;
	struct side side[2];
	bool has_spell; /* its caster is up and has not used it */
	bool casting;   /* declared this round and not yet spoiled */
};

typedef void set_up(struct field *f);
/* One side action by those of `actors` with hit points: the side as it stood when the
 * segment began. Changes only the other side, and by damage the enemy's spell. */
typedef void action(struct field *f, int side, const struct side *actors, bool free_segment);
typedef void complete(struct field *f);

static inline bool over(const struct field *f)
{
	return !f->side[A].up || !f->side[B].up;
}

__attribute__((always_inline)) static inline enum outcome play(struct field *f, set_up *ready, action *act, complete *spell, int *rounds)
{
	*rounds = 0;
	ready(f);
	int lost[2];
	for (int s = A; s <= B; s++) {
		int d = die(f->rng, 6);
		lost[s] = d <= 2 ? d : 0;
	}
	int free_side = lost[A] < lost[B] ? A : B;
	for (int n = abs(lost[A] - lost[B]); n && !over(f); n--)
		act(f, free_side, &f->side[free_side], true);
	while (!over(f)) {
		if (*rounds == MAX_ROUNDS)
			return UNRESOLVED;
		++*rounds;
		f->casting = f->has_spell;
		int da = die(f->rng, 6), db = die(f->rng, 6);
		if (da == db) {
			struct side before = f->side[B];
			act(f, A, &f->side[A], false);
			act(f, B, &before, false);
		} else {
			int first = da > db ? A : B;
			act(f, first, &f->side[first], false);
			/* a spell of one segment begun first is complete when the others act */
			if (first == A && f->casting && !over(f))
				spell(f);
			if (!over(f))
				act(f, !first, &f->side[!first], false);
		}
		if (f->casting && !over(f))
			spell(f);
		f->has_spell = f->casting = false; /* cast or spoiled: gone either way */
	}
	return f->side[A].up ? A_WINS : f->side[B].up ? B_WINS : BOTH;
}

/* Lowers one enemy's hit points. */
static inline void wound(struct side *enemy, int who, int amount)
{
	enemy->hp[who] -= amount;
	if (enemy->hp[who] <= 0) {
		enemy->hp[who] = 0;
		enemy->up--;
	}
}

static void no_spell(struct field *f)
{
	(void)f;
}

/* ---- F1 duel ---- */

static void duel_ready(struct field *f)
{
	f->side[A].hp[0] = dice(f->rng, 3, 10);
	f->side[B].hp[0] = dice(f->rng, 4, 8) + 1;
	for (int s = A; s <= B; s++)
		f->side[s].members = f->side[s].up = 1;
	f->has_spell = false;
}

static inline void duel_act(struct field *f, int side, const struct side *actors, bool free_segment)
{
	(void)free_segment;
	(void)actors; /* with one member a side, the one whose turn it is was up */
	if (die(f->rng, 20) >= (side == A ? 13 : 11))
		wound(&f->side[!side], 0, die(f->rng, side == A ? 8 : 10));
}

/* ---- F2 ford ---- */

struct warrior { int to_hit, ac, attacks, dice, faces, plus, hp_dice, hp_faces; };

enum { MAGIC_USER = 4, PARTY = 5, ORCS = 8 };
static const struct warrior party[PARTY] = {
	{19, 3, 1, 1, 8, 0, 2, 10}, /* fighter, longsword */
	{19, 4, 1, 1, 8, 0, 2, 10}, /* fighter, battle axe */
	{20, 4, 1, 1, 6, 1, 2, 8},  /* cleric, mace */
	{20, 7, 2, 1, 6, 0, 2, 6},  /* thief, short bow */
	{20, 9, 3, 1, 3, 0, 2, 4},  /* magic-user, darts */
};
static const struct warrior orc = {19, 6, 1, 1, 8, 0, 1, 8};

static void ford_ready(struct field *f)
{
	for (int i = 0; i < PARTY; i++)
		f->side[A].hp[i] = dice(f->rng, party[i].hp_dice, party[i].hp_faces);
	for (int i = 0; i < ORCS; i++)
		f->side[B].hp[i] = die(f->rng, 8);
	f->side[A].members = f->side[A].up = PARTY;
	f->side[B].members = f->side[B].up = ORCS;
	f->has_spell = true;
	f->casting = false;
}

/* The first 2d4 orcs that are up fall asleep. */
static void ford_sleep(struct field *f)
{
	struct side *orcs = &f->side[B];
	int victims = dice(f->rng, 2, 4);
	for (int i = 0; i < ORCS && victims; i++)
		if (orcs->hp[i] > 0) {
			orcs->hp[i] = 0;
			orcs->up--;
			victims--;
		}
	f->has_spell = f->casting = false;
}

/* Lowest hit points first, then first listed; -1 when nobody is up. */
static inline int weakest(const struct side *s)
{
	int best = -1;
	for (int i = 0; i < s->members; i++)
		if (s->hp[i] > 0 && (best < 0 || s->hp[i] < s->hp[best]))
			best = i;
	return best;
}

static void ford_act(struct field *f, int side, const struct side *actors, bool free_segment)
{
	struct side *enemy = &f->side[!side];
	bool casts_now = free_segment && side == A && f->has_spell;
	for (int i = 0; i < actors->members; i++) {
		if (actors->hp[i] <= 0)
			continue;
		/* whoever declared a spell does nothing else, be it spoiled or not */
		if (side == A && i == MAGIC_USER && f->has_spell)
			continue;
		const struct warrior *w = side == A ? &party[i] : &orc;
		for (int n = 0; n < w->attacks; n++) {
			int target = weakest(enemy);
			if (target < 0)
				return;
			int ac = side == A ? orc.ac : party[target].ac;
			if (die(f->rng, 20) < w->to_hit - ac)
				continue;
			wound(enemy, target, die(f->rng, w->faces) + w->plus);
			if (side == B && target == MAGIC_USER) {
				f->casting = false;
				f->has_spell &= enemy->hp[target] > 0;
			}
		}
	}
	if (casts_now)
		ford_sleep(f);
}

/* ---- F3 horde ---- */

static void horde_ready(struct field *f)
{
	for (int i = 0; i < 20; i++)
		f->side[A].hp[i] = dice(f->rng, 2, 8);
	for (int i = 0; i < 60; i++) {
		int hp = die(f->rng, 8) - 1;
		f->side[B].hp[i] = hp ? hp : 1;
	}
	f->side[A].members = f->side[A].up = 20;
	f->side[B].members = f->side[B].up = 60;
	f->has_spell = false;
}

/* All enemies have one armour class, so only a hit needs a target; the fallen are replaced
 * by the last of the living. */
static void horde_act(struct field *f, int side, const struct side *actors, bool free_segment)
{
	(void)free_segment;
	struct side *enemy = &f->side[!side];
	int need = side == A ? 13 : 19, faces = side == A ? 8 : 6;
	for (int n = actors->up; n && enemy->up; n--)
		if (die(f->rng, 20) >= need) {
			int target = die(f->rng, enemy->up) - 1;
			wound(enemy, target, die(f->rng, faces));
			if (!enemy->hp[target])
				enemy->hp[target] = enemy->hp[enemy->up];
		}
}

int main(int argc, char **argv)
{
	if (argc != 4 || argv[1][0] != 'f' || !strchr("123", argv[1][1]) || strlen(argv[1]) != 2) {
		fprintf(stderr, "usage: fights f1|f2|f3 TRIALS SEED\n");
		return 2;
	}
	uint64_t trials = strtoull(argv[2], NULL, 10);
	struct rng rng;
	rng_seed(&rng, strtoull(argv[3], NULL, 10));
	struct field f = {.rng = &rng};
	uint64_t count[OUTCOMES] = {0}, all_rounds = 0;
	for (uint64_t t = 0; t < trials; t++) {
		int rounds;
		enum outcome o;
		switch (argv[1][1]) {
		case '1': o = play(&f, duel_ready, duel_act, no_spell, &rounds); break;
		case '2': o = play(&f, ford_ready, ford_act, ford_sleep, &rounds); break;
		default: o = play(&f, horde_ready, horde_act, no_spell, &rounds); break;
		}
		count[o]++;
		all_rounds += (uint64_t)rounds;
	}
	double n = trials ? (double)trials : 1;
	printf("%s A %.6f B %.6f both %.6f unresolved %.6f rounds %.6f\n", argv[1], (double)count[A_WINS] / n,
		(double)count[B_WINS] / n, (double)count[BOTH] / n, (double)count[UNRESOLVED] / n, (double)all_rounds / n);
	return 0;
}
