#!/usr/bin/env python3
"""odds.py - random small fights: what is counted exactly against what is sampled.

usage: python3 tests/soak/odds.py SYSTEM [FIGHTS [FIRST]]

Every fight comes from its number alone (draw.py), with one or two on a side, near each other and ready. Each of its
measures - who wins, rounds, who survives, hit points left - is counted exactly and sampled, and the two are compared by
a chi-square that fails once in a million. One round is counted, and more where that took few worlds, all within little
memory: so a fight takes about a second. Numbers are taken one after the other until so many fights have been counted in
which chance has a say. Those too big to be counted do not count; of them, the sample must lie within the bounds that
were told. Nor do those that can end in one way only.

Every tenth fight is also sampled by three threads, and by two machines whose parts are put together, which must give the
same answer; and every tenth is counted in so little memory that it has to begin again and leave most of it open."""

import json
import math
import os
import random
import subprocess
import sys
import tempfile

import draw
from systems import FRAY, system

TRIALS, STATES, MEMORY = 4000, 100000, 48      # worlds are few or small: the last is MiB
ROUNDS = (1, 3)         # one after the other, as long as
FEW = 4000              # the last took no more worlds than that
TAIL = 1e-9             # what an endless reroll may leave open
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


def outside(exact, sample):
    """Why the sample cannot be of something that lies within these bounds, or None: five deviations, and some for what is rare."""
    for e, s in zip(exact["measures"], sample["measures"]):
        if e["kind"] == "chance" and e["name"] == s["name"]:
            spare = [5 * math.sqrt(max(0, p * (1 - p)) / TRIALS) + 10 / TRIALS for p in (e["low"], e["high"])]
            if not e["low"] - spare[0] <= s["value"] <= e["high"] + spare[1]:
                return "%s: %g of the sample, and it is bound to lie from %g to %g" % (e["name"], s["value"], e["low"], e["high"])
    return None


def ask(path, rounds, *options):
    """What is said of it: the answer, the status, the warnings. Words that are no options name an encounter."""
    done = subprocess.run([FRAY, "odds", "--json", "--max-rounds=%d" % rounds, path, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    line = done.stdout.decode().splitlines()
    return (json.loads(line[0]) if line else None), done.returncode, done.stderr.decode("utf-8", "replace")


def divided(path, rounds, seed):
    """The same sample by three threads, and from parts of two machines."""
    options = ("--trials=%d" % TRIALS, "--seed=%d" % seed)
    yield "three threads", ask(path, rounds, *options, "--threads=3")[0]
    parts = ["%s.%d" % (path, i) for i in (1, 2)]
    for i, part in enumerate(parts):
        subprocess.run([FRAY, "odds", "--max-rounds=%d" % rounds, *options, "--shard=%d/2" % (i + 1), "--out=" + part, path], stderr=subprocess.DEVNULL, timeout=600)
    merged = subprocess.run([FRAY, "merge", "--json", *parts], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600).stdout
    yield "two machines", json.loads(merged) if merged else None


def starved(path, rounds, sample):
    """What is wrong with what little memory suffices for, or None."""
    for mib in (4, 8):
        some, status, said = ask(path, rounds, "--exact", "--states=%d" % STATES, "--memory=%d" % mib)
        why = outside(some, sample) if some else "status %d: %s" % (status, said)
        if why:
            return "in %d MiB: %s" % (mib, why)
    return None


def sure(exact):
    """Is there nothing to be sampled? Every measure has one value."""
    return not any(0 < share < 1 for m in exact["measures"] if m["kind"] == "chance" or "spread" in m for share in shares(m).values())


def counted(path, *encounter):
    """How many rounds of it, and what was counted in them."""
    found = None
    for rounds in ROUNDS:
        answer = ask(path, rounds, *encounter, "--exact", "--states=%d" % STATES, "--memory=%d" % MEMORY)
        if found and answer[0] and answer[0]["unexplored"] > TAIL:
            break
        found = rounds, answer
        if answer[0] is None or answer[0]["unexplored"] > TAIL or answer[0]["worlds"] > FEW:
            break
    return found


def compare(path, seed, *encounter):
    """What was counted of it, what was sampled, how many rounds of it, and why the two do not fit, or None."""
    rounds, (exact, status, said) = counted(path, *encounter)
    sample, sampled, heard = ask(path, rounds, *encounter, "--trials=%d" % TRIALS, "--seed=%d" % seed, "--threads=1")
    if exact is None or sample is None or status not in (0, 3) or sampled not in (0, 3):
        return exact, sample, rounds, "status %d and %d: %s" % (status, sampled, said or heard)
    if exact["unexplored"] > TAIL:
        return exact, sample, rounds, outside(exact, sample)
    if sampled == 3 and status == 0:
        return exact, sample, rounds, "sampled fights stop, and none that are counted: %s" % heard
    return exact, sample, rounds, differs(exact, sample)


def fight(s, number, folder):
    """Of the system: ("same", None), ("sure", None), ("big", how much was left open), ("ruling", None) or ("wrong", why)."""
    s.near = True
    kept, draw.muster = draw.muster, small
    try:
        lines = draw.script(s, [number])
    finally:
        draw.muster = kept
    path = os.path.join(folder, "fight.fray")
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")
    seed = random.Random("%s %d odds" % (s.name, number)).randint(1, 10 ** 9)
    exact, sample, rounds, why = compare(path, seed)
    for how, other in divided(path, rounds, seed) if number % 10 == 0 and not why else ():
        if other != sample:
            why = "%s give another sample" % how
    if number % 10 == 1 and not why:
        why = starved(path, rounds, sample)
    if why:
        return "wrong", why
    if exact["unexplored"] > TAIL:
        return "big", exact["unexplored"]
    return ("sure" if sure(exact) else "ruling" if exact["stopped"] > 0 else "same"), None


def run(name, first, fights, tell=None):
    """From number `first` on until so many fights were counted: how many of each kind, and what is wrong."""
    counts, wrong = {"same": 0, "sure": 0, "big": 0, "ruling": 0, "wrong": 0}, []
    s = system(name)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + fights * TRIED):
            if counts["same"] + counts["ruling"] + counts["wrong"] >= fights:
                break
            kind, why = fight(s, number, folder)
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
