#!/usr/bin/env python3
"""t_plane.py - traces in the plane, against a reckoning of their own.

So many scenes are drawn from a number: some walk straight somewhere, some chase, some stand, some wait for somebody to come
near. Here the traces are drawn and followed with sixty digits and the solution of the quadratic everybody
knows; Fray does it with whole numbers and signs. Who stops with whom, in which order, must be the same, and everybody's
place within a thousandth of an inch. Scenes in which two moments differ by less than sixty digits can
tell from rounding are left out."""

import os
import random
import subprocess
import sys
import tempfile
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
FRAY = os.path.abspath(os.environ.get("FRAY", "build/debug/fray"))
SCENES = 150
CLOSE = Decimal(10) ** -5  # two moments nearer than this, and not the same, prove nothing: lengths are held to 1/27720
NAMES = ["Abe", "Ben", "Cal", "Dot", "Eve"]


def number(f):
    return Decimal(f.numerator) / Decimal(f.denominator)


class Walker:
    def __init__(self, name):
        self.name, self.quarry, self.goal, self.near, self.walks = name, None, None, None, None
        self.legs = []  # (from, to, length), in order
        self.done = False
        self.turn = 0


def length(a, b):
    return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2).sqrt()


def toward(a, b, way):
    whole = length(a, b)
    return tuple(a[i] + (b[i] - a[i]) * way / whole for i in (0, 1))


def drawn(who, limit, depth=0):
    """The legs of the trace of `who`, no longer than `limit`."""
    if who.quarry is not None and depth < 200:
        first = length(who.start, who.quarry.start)
        if first >= limit:
            return [(who.start, toward(who.start, who.quarry.start, limit), limit)]
        rest = min(limit - first, total(who.quarry))
        return [(who.start, who.quarry.start, first)] + drawn(who.quarry, rest, depth + 1)
    if who.goal is None or limit <= 0 or who.goal == who.start:
        return []
    return [(who.start, toward(who.start, who.goal, limit), limit)]


def total(who):
    """How long the trace is."""
    return who.length


def lengths(walkers):
    for w in walkers:
        w.length = w.reach if w.quarry is not None or (w.goal is not None and w.goal != w.start) else Decimal(0)
    for _ in walkers:
        for w in walkers:
            if w.quarry is not None:
                w.length = min(w.reach, length(w.start, w.quarry.start) + w.quarry.length)


def spot(who, t):
    way = t * who.length
    for a, b, far in who.legs:
        if way <= far:
            return toward(a, b, way) if way > 0 else a
        way -= far
    return who.legs[-1][1] if who.legs else who.start


def bends(who):
    found, way = [], Decimal(0)
    for _, _, far in who.legs:
        way += far
        if way < who.length:
            found.append(way / who.length)
    return found


def place(who, t):
    return who.at if who.done else spot(who, t)


def first_near(who, foe, gap, now):
    """The first moment from now on within `gap`, or None."""
    stops = sorted({now, Decimal(1)} | {b for w in (who, foe) if not w.done for b in bends(w) if b > now})
    for t0, t1 in zip(stops, stops[1:]):
        p, q = ([place(who, t)[i] - place(foe, t)[i] for i in (0, 1)] for t in (t0, t1))
        v = [q[i] - p[i] for i in (0, 1)]
        a = v[0] ** 2 + v[1] ** 2
        b = 2 * (p[0] * v[0] + p[1] * v[1])
        c = p[0] ** 2 + p[1] ** 2 - gap ** 2
        if c <= Decimal(10) ** -40:
            return t0
        d = b * b - 4 * a * c
        if a < Decimal(10) ** -40 or d < 0:
            continue
        root = (-b - d.sqrt()) / (2 * a)
        if 0 <= root <= 1:
            return t0 + root * (t1 - t0)
    p = [place(who, Decimal(1))[i] - place(foe, Decimal(1))[i] for i in (0, 1)]
    return Decimal(1) if p[0] ** 2 + p[1] ** 2 <= gap ** 2 else None


class Unclear(Exception):
    pass


def follow(walkers):
    """Plays 3.2; sets turn and at of each. Raises Unclear when rounding would decide."""
    lengths(walkers)
    for w in walkers:
        w.legs = drawn(w, w.length)
    now, turn = Decimal(0), 0
    while any(not w.done for w in walkers):
        turn += 1
        moments = {}
        for w in walkers:
            if w.done:
                continue
            at = Decimal(1)
            if w.near is not None:
                near = first_near(w, w.near[0], w.near[1], now)
                at = at if near is None else min(at, near)
            elif w.walks is not None and w.length > 0:
                at = min(at, w.walks / w.length)
            elif w.goal is not None and w.goal != w.start:
                at = min(at, length(w.start, w.goal) / w.reach)
            if w.near is not None and w.quarry is None and w.goal is not None and w.goal != w.start:
                at = min(at, length(w.start, w.goal) / w.reach)
            moments[w] = max(at, now)
        least = min(moments.values())
        if any(0 < abs(x - y) < CLOSE for x in moments.values() for y in list(moments.values()) + [now]):
            raise Unclear
        for w in walkers:
            if not w.done:
                w.at = spot(w, least)
        for w, at in moments.items():
            if at == least:
                w.done, w.turn = True, turn
        now = least


def scene(number_of):
    rng = random.Random(number_of)
    walkers = [Walker(n) for n in NAMES[: rng.randint(2, 5)]]
    lines, setting = [], []

    def coordinate():
        return Fraction(rng.randint(-12, 12), rng.choice([1, 1, 1, 2, 3, 5]))

    for w in walkers:
        x, y = coordinate(), coordinate()
        move = rng.randint(8, 30)
        w.start = w.at = (number(x), number(y))
        w.reach = Decimal(move) / 2
        setting += ["%s's position: %s" % (w.name, x), "%s's aside: %s" % (w.name, y), "%s's move: %d\"" % (w.name, move)]
    for w in walkers:
        others = [o for o in walkers if o is not w and length(o.start, w.start) > 1]
        kind = rng.choice(["walk", "walk", "chase", "stand"])
        if kind == "chase" and others:
            w.quarry = rng.choice(others)
            w.reach = max(Decimal(0), w.reach - 2)
            lines.append("%s chases %s" % (w.name, w.quarry.name))
        elif kind == "walk":
            x, y = coordinate(), coordinate()
            w.goal = (number(x), number(y))
            if w.goal == w.start:
                w.goal = None
            else:
                lines.append("%s heads for (%s) by (%s)" % (w.name, x, y))
        others = [o for o in walkers if o is not w]
        if rng.random() < 0.6:
            gap = Fraction(rng.randint(0, 16), rng.choice([1, 2, 3]))
            w.near = (rng.choice(others), number(gap))
            lines.append("%s awaits %s at (%s as inches)" % (w.name, w.near[0].name, gap))
    return walkers, setting, lines


def as_text(k):
    walkers, setting, lines = scene(k)
    follow(walkers)
    out = ["encounter \"scene %d\" {" % k] + ["  side %s: %s" % (w.name.lower() + " alone", w.name) for w in walkers] + ["  " + s for s in setting]
    out += ["  round 1 {", "    dice only:"] + ["    " + line for line in lines]
    for w in walkers:
        out.append("    expect %s's turn = %d" % (w.name, w.turn))
        for field, value in (("position", w.at[0]), ("aside", w.at[1])):
            thousandths = int((value * 1000).to_integral_value())
            out.append("    expect %s's %s >= %d/1000 and %s's %s <= %d/1000" % (w.name, field, thousandths - 1, w.name, field, thousandths + 1))
    return "\n".join(out + ["  }", "}"]) + "\n"


HEAD = """use dew with { movement: trace }
every combatant has { turn: 0 }
every encounter has { stops: 0 }
rule seen "test" {
  after walk on { change encounter's stops by 1; each combatant where combatant is stopping { set combatant's turn = encounter's stops } }
}
""" + "".join("combatant %s { EN: 9 }\n" % n for n in NAMES)


def main():
    text, scenes, left_out = HEAD, 0, 0
    for k in range(1, SCENES + 1):
        try:
            text += as_text(k)
            scenes += 1
        except Unclear:
            left_out += 1
    with tempfile.TemporaryDirectory(prefix="fray-plane-") as folder:
        path = os.path.join(folder, "scenes.fray")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        if len(sys.argv) > 1:
            print(text)
        told = subprocess.run([FRAY, "test", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False).stdout.decode()
    played = sum(line.startswith("ok ") for line in told.split("\n"))
    good = played == scenes and left_out < SCENES / 10
    print("%sok 1 - %d scenes of traces stop as reckoned otherwise (%d left out)" % ("" if good else "not ", played, left_out))
    if not good:
        print("\n".join("# " + line for line in told.split("\n") if not line.startswith("ok "))[:6000])
    print("1..1")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
