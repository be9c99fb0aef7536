#!/usr/bin/env python3
"""odds.py - random small fights: what is counted exactly against what is sampled.

usage: python3 tests/soak/odds.py SYSTEM [FIGHTS [FIRST]]

Every fight comes from its number alone (draw.py), with one or two on a side and two rounds at most; one round where two
are too many to be counted. Each of its measures - who wins, rounds, who survives, hit points left - is counted exactly
and sampled, and the two are compared by a chi-square that fails once in a million. Numbers are taken one after the
other until so many fights have been counted in which chance has a say: those too big to be counted, and those that can
end in one way only, are told and do not count."""

import json
import math
import os
import random
import subprocess
import sys
import tempfile

import draw
from systems import FRAY, system

TRIALS, STATES = 4000, 60000
ROUNDS = (2, 1)         # what is too big in two rounds may be counted in one
TRIED = 25              # numbers looked at, at most, for one fight that is counted


def small(rng, sides):
    """As draw.muster, of few."""
    shuffled = rng.sample(draw.KINDS, len(draw.KINDS))
    lines, present = [], []
    for n, side in enumerate(sides):
        kind, count = shuffled[n], rng.choice([1, 1, 1, 1, 2])
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


def ask(path, rounds, *options):
    done = subprocess.run([FRAY, "odds", "--json", "--max-rounds=%d" % rounds, *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    line = done.stdout.decode().splitlines()
    return (json.loads(line[0]) if line else None), done.returncode, done.stderr.decode("utf-8", "replace")


def sure(exact):
    """Is there nothing to be sampled? Every measure has one value."""
    return not any(0 < share < 1 for m in exact["measures"] if m["kind"] == "chance" or "spread" in m for share in shares(m).values())


def counted(path):
    """How many rounds of it, and what was counted; the last that was tried when all are too many."""
    for rounds in ROUNDS:
        answer = ask(path, rounds, "--exact", "--states=%d" % STATES)
        if answer[0] is None or answer[0]["unexplored"] <= 1e-9:
            break
    return rounds, answer


def fight(name, number, folder):
    """("same", None), ("sure", None), ("big", how much was left open), ("ruling", None) or ("wrong", why)."""
    s = system(name)
    kept, draw.muster = draw.muster, small
    try:
        lines = draw.script(s, [number])
    finally:
        draw.muster = kept
    path = os.path.join(folder, "fight.fray")
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")
    rounds, (exact, status, said) = counted(path)
    if exact is None:
        return "wrong", "status %d: %s" % (status, said)
    if exact["unexplored"] > 1e-9:
        return "big", exact["unexplored"]
    seed = random.Random("%s %d odds" % (name, number)).randint(1, 10 ** 9)
    sample, sampled, said = ask(path, rounds, "--trials=%d" % TRIALS, "--seed=%d" % seed, "--threads=1")
    if sample is None:
        return "wrong", "status %d: %s" % (sampled, said)
    if status not in (0, 3) or sampled not in (0, 3):
        return "wrong", "status %d and %d: %s" % (status, sampled, said)
    if sampled == 3 and status == 0:
        return "wrong", "sampled fights stop, and none that are counted: %s" % said
    why = differs(exact, sample)
    if why:
        return "wrong", why
    return ("sure" if sure(exact) else "ruling" if status == 3 else "same"), None


def run(name, first, fights, tell=None):
    """From number `first` on until so many fights were counted: how many of each kind, and what is wrong."""
    counts, wrong = {"same": 0, "sure": 0, "big": 0, "ruling": 0, "wrong": 0}, []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + fights * TRIED):
            if counts["same"] + counts["ruling"] + counts["wrong"] >= fights:
                break
            kind, why = fight(name, number, folder)
            counts[kind] += 1
            if kind == "wrong":
                wrong.append("fight %d: %s" % (number, why))
            if tell:
                tell(number, kind, why)
    return counts, wrong


def main():
    name, fights, first = sys.argv[1], int((sys.argv[2:] or ["200"])[0]), int((sys.argv[3:] or ["0"])[0])
    counts, wrong = run(name, first, fights, lambda number, kind, why: kind == "wrong" and print("%s: fight %d: %s" % (name, number, why), flush=True))
    found = counts["same"] + counts["ruling"] + counts["wrong"]
    print("%s: of %d random fights in which chance has a say %d are sampled as they are counted, %d likewise though some need a ruling, %d are not; besides, %d that can end in one way only and %d too big to count" % (
        name, found, counts["same"], counts["ruling"], counts["wrong"], counts["sure"], counts["big"]))
    sys.exit(1 if wrong or found < fights else 0)


if __name__ == "__main__":
    main()
