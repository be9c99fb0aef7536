"""Exact odds: against fights worked out by other means, against samples, and what happens when
a fight is too big for them."""
# seconds: 600

import json
import math
import os
import signal
import subprocess
import sys
from fractions import Fraction as F

import app

DUEL = """\
use osric
weapon stick { damage: 1d%d }
combatant Ann { THAC0: 14; armour class: 0; hit points: %d; weapon: stick }
combatant Bob { THAC0: 14; armour class: 0; hit points: %d; weapon: stick }
policy hit { attack my weakest enemy }
encounter duel {
  side us: Ann
  side them: Bob
  distance: 5 ft
  us's alerted: yes
  them's alerted: yes
  Ann and Bob follow hit
  until us is down or them is down
}
"""
SLOW = os.path.basename(os.environ.get("BUILD", "")) in ("asan", "ubsan", "san", "tsan")
HIT = F(7, 20)  # 14 to 20 on a d20


def blow(sides):
    return [(0, 1 - HIT)] + [(d, HIT / sides) for d in range(1, sides + 1)]


def one_round(states, sides):
    """States (a, b) after a round of d6 initiative; those in which somebody is down stay."""
    after = {}

    def add(state, p):
        after[state] = after.get(state, 0) + p

    for (a, b), p in states.items():
        if a <= 0 or b <= 0:
            add((a, b), p)
            continue
        for d, q in blow(sides):
            for e, r in blow(sides):
                add((a - e, b - d), p * q * r * F(6, 36))                                   # a tie: both strike
                add((a - (e if b - d > 0 else 0), b - d), p * q * r * F(15, 36))             # Ann first
                add((a - e, b - (d if a - e > 0 else 0)), p * q * r * F(15, 36))             # Bob first
    return after


def shares(states):
    us = sum(p for (a, b), p in states.items() if a > 0 >= b)
    them = sum(p for (a, b), p in states.items() if b > 0 >= a)
    return us, them


def measures(out, line=0):
    o = json.loads(out.splitlines()[line])
    return o, {m["name"]: m for m in o["measures"]}


def fractions(t):
    for sides, a, b, n in ((8, 8, 5, 1), (3, 3, 2, 2), (2, 2, 2, 3)):
        t.write("duel.fray", DUEL % (sides, a, b))
        states = {(a, b): F(1)}
        for _ in range(n):
            states = one_round(states, sides)
        us, them = shares(states)
        status, out, err = t.fray("odds", "--exact", "--json", "--max-rounds=%d" % n, "duel.fray")
        o, m = measures(out)
        t.same("d%d for %d rounds" % (sides, n), (status, o["method"], o["unexplored"]), (0, "exact", 0.0))
        t.check("one side's share to the last digit", abs(m["us wins"]["value"] - us) < 1e-14, m["us wins"], float(us))
        t.check("and the other's", abs(m["them wins"]["value"] - them) < 1e-14, m["them wins"], float(them))
        if us.denominator < 10 ** 11:
            t.same("as a fraction", m["us wins"]["fraction"], str(us))
        spread = m["Ann's hit points"]["spread"]
        for value in set(x for x, _ in states):
            share = sum(p for (x, _), p in states.items() if x == value)
            t.check("hit points %d" % value, abs(spread[str(value)] - share) < 1e-14, spread, float(share))


def to_the_end(t):
    t.write("duel.fray", DUEL % (2, 2, 2))
    states = {(2, 2): F(1)}
    for _ in range(60):
        states = {s: F(float(p)) for s, p in one_round(states, 2).items()}
    us, them = shares(states)
    status, out, err = t.fray("odds", "--exact", "--json", "duel.fray")
    o, m = measures(out)
    t.check("a fight of any length", abs(m["us wins"]["value"] - float(us)) < 1e-12, m["us wins"], float(us))
    t.check("both alike when both are alike", abs(m["us wins"]["value"] - m["them wins"]["value"]) < 1e-13, m)
    t.check("next to nothing is left open", 0 <= o["unexplored"] < 1e-12, o["unexplored"])


def rolled_again(t):
    """Dice that are rolled until they differ: each turn of the `repeat` is a place of its own, so ways meet there."""
    t.write("duel.fray", (DUEL % (2, 3, 2)).replace("use osric", "use osric with { tie: reroll }"))
    states = {(3, 2): F(1)}
    for _ in range(60):
        after = {}
        for (a, b), p in states.items():
            if a <= 0 or b <= 0:
                after[a, b] = after.get((a, b), 0) + p
                continue
            for d, q in blow(2):
                for e, r in blow(2):
                    for state in ((a - (e if b - d > 0 else 0), b - d), (a - e, b - (d if a - e > 0 else 0))):
                        after[state] = after.get(state, 0) + p * q * r / 2
        states = {s: F(float(p)) for s, p in after.items()}
    us, them = shares(states)
    status, out, err = t.fray("odds", "--exact", "--json", "duel.fray")
    o, m = measures(out)
    t.check("ties rolled again, to the end", abs(m["us wins"]["value"] - float(us)) < 1e-12 and abs(m["them wins"]["value"] - float(them)) < 1e-12, m["us wins"], float(us))
    t.check("next to nothing is left open", "cut_short_by" not in o and 0 <= o["unexplored"] < 1e-12, o["unexplored"])
    runs = [t.fray("odds", "--exact", "--json", "--threads=%d" % n, "duel.fray") for n in (1, 2, 16)]
    t.same("the same for any threads", runs[1:], [runs[0]] * 2)
    if SLOW:
        return
    # ends of fights count as ways, whoever finds them: the budget is used up at the same one
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bench/f1.fray")) as f:
        script = f.read().replace("use osric", "use osric with { tie: reroll }").replace("  until ", "  party's alerted: yes\n  enemy's alerted: yes\n  until ")
    t.write("long.fray", script.replace("damage: 1d8 ", "damage: 1d400 ").replace("damage: 1d10 ", "damage: 1d500 "))
    runs = [t.fray("odds", "--exact", "--json", "--states=40000", "--threads=%d" % n, "long.fray") for n in (1, 2)]
    t.same("also where a budget of ways is used up", runs[1], runs[0])
    o = measures(runs[0][1])[0]
    t.check("which it was", o.get("cut_short_by") == "ways" and o["worlds"] < 40000, runs[0][1][:300])
    t.like("and people are told", " ".join(t.fray("odds", "--exact", "--states=40000", "long.fray")[1].split()), r"; there are more ways to its worlds than --states allows, --states=160000 goes further")


COMPANIES = """\
use osric
weapon stick { damage: 1d%d }
combatant Ann { THAC0: 14; armour class: 0; hit points: %d; weapon: stick }
combatant Bob { THAC0: 14; armour class: 0; hit points: %d; weapon: stick }
policy hit { attack my weakest enemy }
encounter companies {
  side us: %s
  side them: %s
  distance: 5 ft
  us's alerted: yes
  them's alerted: yes
  us and them follow hit
  until us is down or them is down
}
"""


def blows(count, sides, hit):
    """What so many attackers take from one man, all together."""
    sums = {0: hit / hit}
    for _ in range(count):
        more = {}
        for total, p in sums.items():
            for d in range(sides + 1):
                more[total + d] = more.get(total + d, 0) + p * (hit / sides if d else 1 - hit)
        sums = more
    return sums


def struck(men, who, damage):
    return tuple(h - damage if i == who else h for i, h in enumerate(men))


def weakest(men):
    return min((i for i, h in enumerate(men) if h > 0), key=lambda i: men[i])


def company_round(states, sides, hit):
    """States (us, them) after a round in which each side strikes the weakest of the other, who was
    chosen when the round began."""
    after = {}
    one = hit / hit
    for (us, them), p in states.items():
        on_us, on_them = weakest(us), weakest(them)
        able = lambda men: sum(h > 0 for h in men)
        ways = []
        for d, q in blows(able(us), sides, hit).items():
            hurt = struck(them, on_them, d)
            ways += [(us, hurt, q * 15 * one / 36)] if max(hurt) <= 0 else [
                (struck(us, on_us, e), hurt, q * r * 15 * one / 36) for e, r in blows(able(hurt), sides, hit).items()]
            ways += [(struck(us, on_us, e), hurt, q * r * 6 * one / 36) for e, r in blows(able(them), sides, hit).items()]
        for e, r in blows(able(them), sides, hit).items():
            hurt = struck(us, on_us, e)
            ways += [(hurt, them, r * 15 * one / 36)] if max(hurt) <= 0 else [
                (hurt, struck(them, on_them, d), q * r * 15 * one / 36) for d, q in blows(able(hurt), sides, hit).items()]
        for a, b, q in ways:
            after[a, b] = after.get((a, b), 0) + p * q
    return after


def company(t, us, them, sides, rounds, hit):
    """Who wins, and each one's hit points, against an independent reckoning."""
    name = lambda who, n: "%s" % who if n == 1 else "%d %s" % (n, who)
    t.write("companies.fray", COMPANIES % (sides, us[0], them[0], name("Ann", len(us)), name("Bob", len(them))))
    states, over = {(us, them): hit / hit}, {}
    while states and not rounds:
        # nobody heals, so who has most hit points left is come to by nobody else any more; rounds
        # in which nothing happens are divided out
        most = max(states, key=lambda x: sum(x[0]) + sum(x[1]))
        share, after = states.pop(most), company_round({most: hit / hit}, sides, hit)
        stays = after.pop(most)
        for state, p in after.items():
            into = over if max(state[0]) <= 0 or max(state[1]) <= 0 else states
            into[state] = into.get(state, 0) + share * p / (1 - stays)
    for _ in range(rounds):
        states = company_round(states, sides, hit)
        for state in [x for x in states if max(x[0]) <= 0 or max(x[1]) <= 0]:
            over[state] = over.get(state, 0) + states.pop(state)
    states.update(over)
    status, out, err = t.fray("odds", "--exact", "--json", *(["--max-rounds=%d" % rounds] if rounds else []), "companies.fray")
    o, m = measures(out)
    title = "%d against %d, d%d, %s" % (len(us), len(them), sides, "%d rounds" % rounds if rounds else "to the end")
    t.check(title, status == 0 and o["unexplored"] < 1e-13, status, o["unexplored"], err)
    for side, won in (("us", lambda a, b: max(a) > 0 >= max(b)), ("them", lambda a, b: max(b) > 0 >= max(a))):
        share = sum(p for (a, b), p in states.items() if won(a, b))
        t.check(title + ": " + side, abs(m[side + " wins"]["value"] - share) < 1e-13, m[side + " wins"], float(share))
        if rounds and share.denominator < 10 ** 9:
            t.same(title + ": as a fraction", m[side + " wins"]["fraction"], str(share))
    for side, men, who in ((0, us, "Ann"), (1, them, "Bob")):
        for i in range(len(men)):
            called = who if len(men) == 1 else "%s #%d" % (who, i + 1)
            shares = {}
            for state, p in states.items():
                shares[state[side][i]] = shares.get(state[side][i], 0) + p
            told = m[called + "'s hit points"]["spread"]
            t.check("%s: %s" % (title, called), all(abs(told.get(str(h), 0) - p) < 1e-13 for h, p in shares.items()) and all(int(h) in shares for h in told),
                    told, {h: float(p) for h, p in shares.items()})


def companies(t):
    company(t, (3,), (2, 2), 2, 2, HIT)
    company(t, (3, 3), (2, 2), 2, 2, HIT)
    company(t, (2, 2), (3, 3), 3, 2, HIT)
    company(t, (5,), (5, 5), 8, 0, 0.35)
    company(t, (8,), (8, 8), 8, 0, 0.35)
    company(t, (3, 3), (4, 4), 4, 0, 0.35)
    if not SLOW:
        company(t, (5, 5), (8, 8), 8, 0, 0.35)


def rounds_told(t):
    """In which round it ends: what comes to a place by a way found only then must go on in the same round."""
    for hp in (2, 3, 4, 5, 6):
        t.write("companies.fray", COMPANIES % (8, hp, hp, "Ann", "2 Bob"))
        o, m = measures(t.fray("odds", "--exact", "--json", "companies.fray")[1])
        told, states = m["round"]["spread"], {((hp,), (hp, hp)): 1.0}
        for number in range(1, 13):
            states, over = company_round(states, 8, 0.35), 0
            for state in [x for x in states if max(x[0]) <= 0 or max(x[1]) <= 0]:
                over += states.pop(state)
            t.check("one against two with %d hit points: round %d" % (hp, number), abs(told[str(number)] - over) < 1e-13, told[str(number)], over)
        t.check("one against two with %d hit points: all of it" % hp, abs(sum(told.values()) - 1) < 1e-12, sum(told.values()))


def duel_of_the_bench(t):
    """F1, with hit points rolled, against the answer worked out by other means."""
    here = os.path.dirname(os.path.abspath(__file__))
    words = subprocess.run([sys.executable, os.path.join(here, "../bench/f1_exact.py"), "15"], stdout=subprocess.PIPE, check=True).stdout.decode().split()
    wanted = {words[i]: float(words[i + 1]) for i in range(1, len(words), 2)}
    t.write("f1.fray", open(os.path.join(here, "../bench/f1.fray")).read())
    if SLOW:
        t.skip("F1 to 12 digits", "a build that is too slow")
        return
    o, m = measures(t.fray("odds", "--exact", "--json", "f1.fray")[1])
    for name, letter in (("party wins", "A"), ("enemy wins", "B")):
        t.check("F1: %s, to 12 digits" % name, abs(m[name]["value"] - wanted[letter]) < 1e-12, m[name], wanted)
    t.check("F1: rounds", abs(m["round"]["value"] - wanted["rounds"]) < 1e-11, m["round"]["value"], wanted)
    t.check("F1: nothing is left open", o["unexplored"] < 1e-13, o["unexplored"])


def threads(t):
    """The same to the byte, also where something is left out; who is declared first does not matter."""
    here = os.path.dirname(os.path.abspath(__file__))
    t.write("f1.fray", open(os.path.join(here, "../bench/f1.fray")).read().replace("3d10", "1d10").replace("4d8+1", "1d8"))
    script = COMPANIES % (8, 8, 8, "2 Ann", "2 Bob")
    t.write("companies.fray", script)
    for name, words in (("f1.fray", ()), ("companies.fray", ()), ("companies.fray", ("--max-rounds=2",)), ("companies.fray", ("--states=4000",)), ("companies.fray", ("--memory=4",))):
        one = t.fray("odds", "--exact", "--json", "--threads=1", *words, name)
        for n in (2, 16):
            t.same("%s on %d threads as on one" % (" ".join((name,) + words), n), t.fray("odds", "--exact", "--json", "--threads=%d" % n, *words, name), one)
    lines = script.split("\n")
    ann, bob = [next(l for l in lines if l.startswith("combatant " + who)) for who in ("Ann", "Bob")]
    t.write("turned.fray", script.replace(ann, "#").replace(bob, ann).replace("#", bob))
    a, b = measures(t.fray("odds", "--exact", "--json", "companies.fray")[1])[1], measures(t.fray("odds", "--exact", "--json", "turned.fray")[1])[1]
    t.check("in whatever order they are declared", set(a) == set(b) and all(abs(a[k]["value"] - b[k]["value"]) < 1e-13 for k in a), a, b)


BEFORE = """\
use osric
weapon stick { damage: 1d2 }
combatant Ann { THAC0: 14; armour class: 0; hit points: 50; weapon: stick }
combatant Bob { THAC0: 14; armour class: 0; hit points: 50; weapon: stick }
encounter duel {
  side us: Ann
  side them: Bob
  distance: 5 ft
  us's alerted: yes
  them's alerted: yes
  round 1 { %s }
  round 2 { %s }
}
odds exact giving Ann attacks Bob before Bob, Bob attacks Ann before Ann
odds 3000 giving Ann attacks Bob before Bob, Bob attacks Ann before Ann
"""


def which_first(t):
    """Groups are numbered within a round; what happened in the same group of another round is no tie."""
    ann, bob = "Ann attacks Bob", "Bob attacks Ann"
    asleep, awake = "set %s's awake = no; ", "set %s's awake = yes; "
    for first, second, chances in ((asleep % "Bob" + ann, awake % "Bob" + bob, (1, 0)), (asleep % "Ann" + bob, awake % "Ann" + ann, (0, 1)),
                                   (ann + "; " + bob, ann, (0, F(15, 36)))):  # all of hers are to come first
        t.write("before.fray", BEFORE % (first, second))
        status, out, err = t.fray("odds", "--json", "--max-rounds=2", "before.fray")
        exact, sample = [[m["value"] for m in json.loads(line)["measures"]] for line in out.splitlines()[1:3]]
        title = "who was first in %s and %s" % (first or "nothing", second or "nothing")
        t.check(title, all(abs(x - p) < 1e-14 for x, p in zip(exact, chances)), exact, chances)
        t.check(title + ", sampled", all(abs(x - p) < 0.05 and (p not in (0, 1) or x == p) for x, p in zip(sample, chances)), sample, chances)


def sampled(t):
    """Chi-square of a sample against the exact spread, on fights with spells, spoiling and ties."""
    t.write("things.fray", open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/things.fray")).read())
    t.write("web.fray", """\
use osric
use things
encounter casting {
  side party: Halvaine
  side orcs: 2 orcs
  distance: 10 ft
  party's alerted: yes
  orcs' alerted: yes
  round 1 {
    Halvaine casts web at orcs
    orcs attack Halvaine
  }
}
odds giving Halvaine completes web, spread Halvaine's hit points, Halvaine acts before orc #1
odds 6000 giving Halvaine completes web, spread Halvaine's hit points, Halvaine acts before orc #1
""")
    status, out, err = t.fray("odds", "--json", "web.fray")
    exact, sample = [json.loads(line) for line in out.splitlines()[1:3]]
    t.same("plain odds are exact where they can be", (status, exact["method"], sample["method"]), (0, "exact", "sampled"))
    chi, degrees = 0.0, 0
    for e, s in zip(exact["measures"], sample["measures"]):
        pairs = [(e["value"], s["value"]), (1 - e["value"], 1 - s["value"])] if e["kind"] == "chance" else [(p, s["spread"].get(k, 0)) for k, p in e["spread"].items()]
        for p, q in pairs:
            if p * 6000 >= 5:
                chi += (q - p) ** 2 * 6000 / p
                degrees += 1
    # the 1 - 1e-6 point of chi-square, by Wilson and Hilferty
    limit = degrees * (1 - 2 / (9 * degrees) + 4.7534 * math.sqrt(2 / (9 * degrees))) ** 3
    t.check("samples agree with it", chi < limit, chi, degrees, limit)
    # by hand: spoiled when the orcs' segment is the caster's or the one after, and one of them hits
    web = exact["measures"][0]
    t.check("the figure is what counting by hand gives", 0.7 < web["value"] < 0.85, web)


def too_big(t):
    t.write("duel.fray", DUEL % (8, 8, 5))
    whole = measures(t.fray("odds", "--exact", "--json", "--max-rounds=2", "duel.fray")[1])[1]["us wins"]["value"]
    status, out, err = t.fray("odds", "--exact", "--json", "--states=160", "--max-rounds=2", "duel.fray")
    o, m = measures(out)
    t.check("past its budget it says how much it left out", status == 0 and 0 < o["unexplored"] < 1, o["unexplored"])
    t.check("and the truth lies within that", m["us wins"]["low"] <= whole <= m["us wins"]["high"] + 1e-12, m["us wins"], whole)
    t.check("no fraction is claimed then", m["us wins"]["fraction"] is None, m["us wins"])
    status, out, err = t.fray("odds", "--exact", "--states=160", "--max-rounds=2", "duel.fray")
    t.like("people are told too, and why", " ".join(out.split()), r"of the fights were not explored, .*; there are more worlds than --states allows, --states=640 goes further")
    t.same("programs as well", o["cut_short_by"], "worlds")
    t.write("big.fray", open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bench/f2.fray")).read())
    status, out, err = t.fray("odds", "big.fray")
    t.like("plain odds sample a big fight, and say so", out, r"sampled: [0-9,]+ fights, seed 1 \(not exact")
    for name in ("f2",) if SLOW else ("f2", "f3", "siege"):
        t.write("big.fray", open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bench/%s.fray" % name)).read())
        status, out, err = t.fray("odds", "--exact", "--states=3000", "--memory=24", "big.fray")
        t.like("%s is far too big, and ends all the same" % name, " ".join(out.split()), r"% of the fights were not explored, and any of them may go either way; .* than --(states|memory) allows")
        t.same("which is no error", (status, err), (0, ""))
    t.write("companies.fray", COMPANIES % (8, 8, 8, "2 Ann", "2 Bob"))
    all_of_it, m = measures(t.fray("odds", "--exact", "--json", "companies.fray")[1])
    whole = m["us wins"]["value"]
    low, high = -1, 2
    for states in (300, 3000, 30000):
        o, m = measures(t.fray("odds", "--exact", "--json", "--states=%d" % states, "companies.fray")[1])
        x = m["us wins"]
        t.check("more worlds, tighter bounds: %d" % states, o["worlds"] <= states and low <= x["low"] <= whole <= x["high"] <= high + 1e-12, x, whole, o["worlds"])
        low, high = x["low"], x["high"]
    # the likeliest are gone into first: two thirds of the worlds hold most of the fights
    most = [t.fray("odds", "--exact", "--json", "--states=%d" % (all_of_it["worlds"] * 2 // 3), "--threads=%d" % n, "companies.fray")[1] for n in (1, 2)]
    o, m = measures(most[0])
    t.check("most of the worlds, and what they tell", o["unexplored"] < 0.6 and m["us wins"]["low"] <= whole <= m["us wins"]["high"], o["unexplored"], m["us wins"])
    t.same("the same for two threads", most[0], most[1])
    o, m = measures(t.fray("odds", "--exact", "--json", "--memory=3", "companies.fray")[1])
    x = m["us wins"]
    # graph and worlds have one bound: of a little more memory the whole of it is counted
    more, n = measures(t.fray("odds", "--exact", "--json", "--memory=64", "companies.fray")[1])
    t.check("refused with 3 MB, counted with 64", "cut_short_by" not in more and abs(n["us wins"]["value"] - whole) < 1e-13, more.get("cut_short_by"), n["us wins"], whole)
    t.write("early.fray", COMPANIES % (8, 8, 8, "3 Ann", "3 Bob") + "odds exact giving Ann #1 acts\nodds 20000 giving Ann #1 acts\n")
    out = t.fray("odds", "--states=20000", "--trials=10", "--json", "early.fray")[1].splitlines()
    some, sample = json.loads(out[1]), json.loads(out[2])
    here, there = some["measures"][0], sample["measures"][0]
    t.check("what has happened need not be played on", here["value"] > 0.8 and some["unexplored"] < 0.2 and here["low"] <= there["high"] and there["low"] <= here["high"], some, there)
    t.like("people are told too, and what to pass", " ".join(t.fray("odds", "--exact", "--memory=3", "companies.fray")[1].split()), r"; they take more memory than --memory allows, --memory=12 goes further")
    t.check("little memory, and the truth within", o["cut_short_by"] == "memory" and x["low"] <= whole <= x["high"], x, whole, o)


RAISED = """\
  round 2 {
    set Ann #1's alive = yes
    set Ann #1's hit points = 3
  }
}
"""

# osric works out who is dead from his hit points, too, which may rise; here death comes once and for all
FOR_GOOD = 'rule dead for good "test" replaces death { whenever combatant\'s hit points <= combatant\'s death.at and combatant is alive { death (combatant) } }\n'


def states(t):
    """Nobody rises from the dead, so who is dead is known when he dies; where one is raised it is known at the end."""
    fight = COMPANIES % (8, 8, 8, "2 Ann", "Bob")
    worlds = {}
    for name, script in (("mortal.fray", fight), ("raised.fray", fight.rstrip().rstrip("}") + RAISED)):
        t.write(name, script + FOR_GOOD)
        status, out, err = t.fray("odds", "--exact", "--json", "--giving=Ann #1 is dead", name)
        alone, m = measures(out)
        beside, n = measures(t.fray("odds", "--exact", "--json", "--giving=Ann #1 is dead, average round", name)[1])
        a, b = m["Ann #1 is dead"]["value"], n["Ann #1 is dead"]["value"]
        t.check("%s: a state is what it is at the end" % name, status == 0 and abs(a - b) < 1e-13 and 0 < a < 1, a, b, err)
        # beside events, and what is not so
        mixed, o = measures(t.fray("odds", "--exact", "--json", "--giving=Ann #1 is dead, Ann #2 dies, Bob does not act, Ann #2 is not dead", name)[1])
        whole, w = measures(t.fray("odds", "--exact", "--json", "--giving=Ann #1 is dead, Ann #2 dies, Bob does not act, Ann #2 is not dead, average round", name)[1])
        t.check("%s: beside events, too" % name, all(abs(o[x]["value"] - w[x]["value"]) < 1e-13 for x in o) and abs(o["Ann #1 is dead"]["value"] - a) < 1e-13, o, w)
        _, q = measures(t.fray("odds", "--exact", "--json", "--giving=Ann #1 is dead, Ann #2 dies", name)[1])
        t.check("%s: whatever the event" % name, abs(q["Ann #1 is dead"]["value"] - a) < 1e-13 and abs(q["Ann #2 dies"]["value"] - w["Ann #2 dies"]["value"]) < 1e-13, q, w)
        # when both Anns are dead the fight is over anyway; one of them dies before
        one = measures(t.fray("odds", "--exact", "--json", "--giving=Ann #1 is dead, Ann #1 dies", name)[1])[0]
        worlds[name] = (alone["worlds"], beside["worlds"], one["worlds"])
    t.check("what is decided is not played on", worlds["mortal.fray"][0] < 0.97 * worlds["mortal.fray"][1], worlds)
    t.check("nor beside events", worlds["mortal.fray"][2] < 0.97 * worlds["mortal.fray"][1], worlds)


def interrupted(t):
    t.write("big.fray", open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bench/f2.fray")).read())
    child = subprocess.Popen([app.FRAY, "odds", "--exact", "--json", "big.fray"], cwd=t.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        child.wait(1)
    except subprocess.TimeoutExpired:
        pass
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    o, m = measures(out.decode())
    t.same("Ctrl-C ends it", child.returncode, 130)
    t.check("with the rest left open", o["unexplored"] > 0.5, o["unexplored"])


app.run([fractions, to_the_end, rolled_again, companies, rounds_told, duel_of_the_bench, threads, which_first, sampled, too_big, states, interrupted])
