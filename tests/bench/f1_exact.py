"""f1_exact.py - the exact odds of the duel F1 (FIGHTS.md), by other means than playing it.

usage: python3 f1_exact.py [DIGITS]
prints the line that fights.c prints, exact but for the last bits of a double; with so many digits [6].

A fight between rounds is the two hit points. From such a state one round leads back to the
same state (both miss) or to states with fewer hit points; so states are solved in order of
their sum, and the way back to the same state is divided out. What lasts beyond 1000 rounds
counts with the rest here; it weighs less than a double can show.
"""
import sys
from collections import defaultdict

A, B, BOTH, ROUNDS = range(4)


def spread(count, sides, plus=0):
    """The distribution of the sum of some dice."""
    odds = {plus: 1.0}
    for _ in range(count):
        more = defaultdict(float)
        for total, p in odds.items():
            for face in range(1, sides + 1):
                more[total + face] += p / sides
        odds = more
    return odds


def blow(need, sides):
    """The distribution of the damage of one attack."""
    hits = (21 - need) / 20
    return {0: 1 - hits, **{face: hits / sides for face in range(1, sides + 1)}}


FIGHTER, OGRE = blow(13, 8), blow(11, 10)


def side_action(states, side):
    """The states after one blow of that side, for states where both are up."""
    after = defaultdict(float)
    for (a, b), p in states.items():
        if a <= 0 or b <= 0:
            after[a, b] += p
            continue
        for damage, q in (FIGHTER if side == A else OGRE).items():
            state = (a, max(0, b - damage)) if side == A else (max(0, a - damage), b)
            after[state] += p * q
    return after


def one_round(a, b):
    """The states one round later, from both up."""
    after = defaultdict(float)
    start = {(a, b): 1.0}
    for first in (A, B):
        for state, p in side_action(side_action(start, first), 1 - first).items():
            after[state] += p * 15 / 36
    for damage_a, p in FIGHTER.items():
        for damage_b, q in OGRE.items():
            after[max(0, a - damage_b), max(0, b - damage_a)] += p * q * 6 / 36
    return after


def main():
    hit_points_a, hit_points_b = spread(3, 10), spread(4, 8, 1)
    known = {}
    for total in range(max(hit_points_a) + max(hit_points_b) + 1):
        for a in range(min(total, max(hit_points_a)) + 1):
            b = total - a
            if b > max(hit_points_b):
                continue
            if a == 0 or b == 0:
                known[a, b] = [float(a > 0), float(b > 0), float(a == b), 0.0]
                continue
            after = one_round(a, b)
            stays = after.pop((a, b))
            answer = [0.0, 0.0, 0.0, 1.0]
            for state, p in after.items():
                for i in range(4):
                    answer[i] += p * known[state][i]
            known[a, b] = [x / (1 - stays) for x in answer]

    start = {(a, b): p * q for a, p in hit_points_a.items() for b, q in hit_points_b.items()}
    lost = {1: 1 / 6, 2: 1 / 6, 0: 4 / 6}
    result = [0.0] * 4
    for lost_a, p in lost.items():
        for lost_b, q in lost.items():
            states = start
            for _ in range(abs(lost_a - lost_b)):
                states = side_action(states, A if lost_a < lost_b else B)
            for state, r in states.items():
                for i in range(4):
                    result[i] += p * q * r * known[state][i]
    line = "f1 A %.Nf B %.Nf both %.Nf unresolved 0.000000 rounds %.Nf".replace("N", sys.argv[1] if len(sys.argv) > 1 else "6")
    print(line % tuple(result))


main()
