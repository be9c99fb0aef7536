#!/usr/bin/env python3
"""odds.py - random small fights: what is counted exactly against what is sampled.

usage: python3 tests/soak/odds.py SYSTEM [FIGHTS [FIRST]]

Every fight comes from its number alone (draw.py), with one or two on a side and two rounds at most. Each of its
measures - who wins, rounds, who survives, hit points left - is counted exactly and sampled, and the two are compared
by a chi-square that fails once in a million. Fights too big to be counted are told; they may not be many."""

import json
import math
import os
import random
import subprocess
import sys
import tempfile

import draw
from systems import FRAY, system

TRIALS, STATES, ROUNDS = 4000, 60000, 2


def small(rng, sides):
    """As draw.muster, of few."""
    shuffled = rng.sample(draw.KINDS, len(draw.KINDS))
    lines, present = [], []
    for n, side in enumerate(sides):
        kind, count = shuffled[n], rng.choice([1, 1, 1, 2])
        lines.append("  side %s: %s" % (side, kind if count == 1 else "%d %ss" % (count, kind)))
        present += [draw.Present(side, kind, kind if count == 1 else "%s #%d" % (kind, i + 1)) for i in range(count)]
    return lines, present


def limit(degrees):
    """The value a chi-square of so many degrees passes once in a million, by Wilson and Hilferty."""
    return degrees * (1 - 2 / (9 * degrees) + 4.7534 * math.sqrt(2 / (9 * degrees))) ** 3


def shares(m):
    """Values of a measure with their shares."""
    if m["kind"] == "chance":
        return {"yes": m["value"], "no": 1 - m["value"]}
    return dict(m["spread"], unset=m.get("unset") or 0)


def differs(exact, sample):
    """Why the sample cannot be of that, or None."""
    for e, s in zip(exact["measures"], sample["measures"]):
        if e["name"] != s["name"] or (e["kind"] != "chance" and "spread" not in e):
            continue
        p, q = shares(e), shares(s)
        rare, chi, degrees, rest = 0.0, 0.0, 0, 1.0
        for value in set(p) | set(q):
            share, seen = p.get(value, 0), q.get(value, 0)
            if share * TRIALS < 5:
                rare += share
                rest -= seen
                continue
            chi += (seen - share) ** 2 * TRIALS / share
            rest -= seen
            degrees += 1
        seen_rare = sum(q.get(v, 0) for v in q if p.get(v, 0) * TRIALS < 5)
        if rare * TRIALS >= 5:
            chi += (seen_rare - rare) ** 2 * TRIALS / rare
            degrees += 1
        elif seen_rare * TRIALS > 40:
            return "%s: %g of the sample is next to impossible" % (e["name"], seen_rare)
        if degrees > 1 and chi > limit(degrees - 1):
            return "%s: a chi-square of %g with %d values: %s and %s" % (e["name"], chi, degrees, p, q)
    return None


def ask(path, *options):
    done = subprocess.run([FRAY, "odds", "--json", "--max-rounds=%d" % ROUNDS, *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    line = done.stdout.decode().splitlines()
    return (json.loads(line[0]) if line else None), done.returncode, done.stderr.decode("utf-8", "replace")


def fight(name, number, folder):
    """("same", None), ("big", how much was left open), ("ruling", None) or ("wrong", why)."""
    s = system(name)
    kept, draw.muster = draw.muster, small
    try:
        lines = draw.script(s, [number])
    finally:
        draw.muster = kept
    path = os.path.join(folder, "fight.fray")
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")
    exact, status, said = ask(path, "--exact", "--states=%d" % STATES)
    if exact is None:
        return "wrong", "status %d: %s" % (status, said)
    if exact["unexplored"] > 1e-9:
        return "big", exact["unexplored"]
    sample, sampled, said = ask(path, "--trials=%d" % TRIALS, "--seed=%d" % random.Random("%s %d odds" % (name, number)).randint(1, 10 ** 9), "--threads=1")
    if sample is None:
        return "wrong", "status %d: %s" % (sampled, said)
    if status not in (0, 3) or sampled not in (0, 3):
        return "wrong", "status %d and %d: %s" % (status, sampled, said)
    if sampled == 3 and status == 0:
        return "wrong", "sampled fights stop, and none that are counted: %s" % said
    why = differs(exact, sample)
    return ("wrong", why) if why else ("ruling" if status == 3 else "same", None)


def run(name, numbers, tell=None):
    """How many of each kind, and what is wrong."""
    counts, wrong = {"same": 0, "big": 0, "ruling": 0, "wrong": 0}, []
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            kind, why = fight(name, number, folder)
            counts[kind] += 1
            if kind == "wrong":
                wrong.append("fight %d: %s" % (number, why))
            if tell:
                tell(number, kind, why)
    return counts, wrong


def main():
    name, fights, first = sys.argv[1], int((sys.argv[2:] or ["200"])[0]), int((sys.argv[3:] or ["0"])[0])
    counts, wrong = run(name, range(first, first + fights), lambda number, kind, why: kind == "wrong" and print("%s: fight %d: %s" % (name, number, why), flush=True))
    print("%s: of %d random fights %d are sampled as they are counted, %d likewise though some need a ruling, %d are too big, %d wrong" % (
        name, fights, counts["same"], counts["ruling"], counts["big"], counts["wrong"]))
    sys.exit(1 if wrong or counts["big"] * 4 > fights * 3 else 0)


if __name__ == "__main__":
    main()
