"""Branches of odds from the present moment: what is said in one counts as if it had been typed, and the fight stands as it stood."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))

import app

FORD = """\
use osric
weapon sword { damage: 1d8 }
weapon dart { damage: 1d3; missile: yes; range: 10 ft; rate of fire: 3 }
monster orc { hit points: 9; armour class: 6; THAC0: 18; carries: sword }
combatant Bruna { hit points: 12; armour class: 4; THAC0: 17; carries: sword }
combatant Hal { hit points: 8; armour class: 8; THAC0: 20; carries: sword, 9 darts }
combatant Korg { hit points: 11; armour class: 5; THAC0: 19; carries: sword }
policy stand firm { follow hang back when round >= 90; attack my nearest enemy with sword }
policy hang back { throw dart at my nearest enemy unless me is engaged; attack my nearest enemy with sword }
encounter the ford {
  side party: Bruna, Hal
  side orcs: 3 orcs
  distance: 5 ft
  Bruna and Hal follow stand firm
  orcs follow stand firm
  until party is down or orcs are down
}
"""
NIGHT = 'house rules night for osric "by night"\nrule dark "house 9" { adjust to-hit (attacker, target, weapon) by -3 }\n'

LINES = [
    ["Hal leaves"], ["orc joins orcs"], ["Korg joins party"], ["side wolves: 2 orcs"], ["Hal leaves", "Korg joins party", "Korg attacks orc #2 with sword"],
    ["set Bruna's hit points = 3"], ["change orc #2's hit points by 5"], ["orcs' armour class: 9"], ["distance: 60 ft"], ["referee: death (orc #3)"],
    ["use osric with { tie: reroll; death.at: -10 }"], ["use night"], ["set option tie = reroll"], ["Hal follows hang back"], ["until orc #3 is down"],
    ["round 4 { Bruna flees }"], ["round 2 { Hal leaves }"], ["drop rule death"], ["rule mud \"ruled\" { adjust to-hit (attacker, target, weapon) by -4 when attacker is orc }"],
    ["Bruna flees"], ["dice: Bruna's attack roll 20"],
]
MEASURES = "giving party wins, average round, Bruna is dead"


def answer(out):
    """What odds told: from their first line on."""
    at = out.find("the ford")
    return out[at:] if at >= 0 else None


def as_typed(t):
    t.write("ford.fray", FORD)
    t.write("night.fray", NIGHT)
    # on from lines that were typed before as well
    for start, every in (("begin\nstep 3\n", 1), ("begin\nstep 2\nBruna flees\nset Hal's hit points = 7\n", 3)):
        now = t.fray("repl", "ford.fray", stdin=start + "show world\n")[1]
        begun = t.fray("repl", "ford.fray", stdin=start)[1]
        for lines in LINES[::every]:
            said = "; ".join(lines)
            status, out, err = t.fray("repl", "ford.fray", stdin=start + "odds 60 { %s } %s\nshow world\n" % (said, MEASURES))
            t.same(said + ": is taken", (status, err), (0, ""))
            told = answer(out)
            typed = t.fray("repl", "ford.fray", stdin=start + "\n".join(lines) + "\nodds 60 %s\n" % MEASURES)[1]
            t.check(said + ": counts as if typed", told and answer(typed) and told.startswith(answer(typed)), out, typed)
            t.check(said + ": the fight stands as it stood", told and out.endswith(now[len(begun):]), out)


def of_the_start(t):
    t.write("ford.fray", FORD)
    status, out, err = t.fray("repl", "ford.fray", stdin="begin\nodds 300 { Korg joins party; Korg follows stand firm } vs { Bruna leaves } vs { } giving party wins\n")
    shares = [float(x) for x in re.findall(r"^    (?:Korg joins party.*?|Bruna leaves|as it is) +(?:under )?([0-9.]+) %", out, re.M)]
    t.check("joining and leaving count from the start", status == 0 and len(shares) == 3 and shares[1] < shares[2] < shares[0], out, err)
    t.write("asks.fray", FORD + "odds 300 { Korg joins party; Korg follows stand firm } vs { Bruna leaves } vs { } giving party wins\n")
    status, out, err = t.fray("odds", "asks.fray")
    told = [float(x) for x in re.findall(r"^    (?:Korg joins party.*?|Bruna leaves|as it is) +(?:under )?([0-9.]+) %", out, re.M)]
    t.check("in a script as well", status == 0 and told == shares, out, err)


def sweeps(t):
    t.write("ford.fray", FORD)
    start = "begin\nstep 3\n"
    status, out, err = t.fray("repl", "ford.fray", stdin=start + "sweep Bruna's hit points from 2 to 12 by 5 { odds 100 giving party wins }\n")
    shares = re.findall(r"^  party wins +(\S+) %", out, re.M)
    one = []
    for n in (2, 7, 12):
        one += re.findall(r"^  party wins +(\S+) %", t.fray("repl", "ford.fray", stdin=start + "set Bruna's hit points = %d\nodds 100 giving party wins\n" % n)[1], re.M)
    t.check("a sweep goes from the present moment", status == 0 and len(shares) == 3 and shares == one, out, err, one)


def refused(t):
    t.write("ford.fray", FORD)
    for line, why in (("round 1 { Bruna flees }", "It is round 2 now: round 1 is over."), ("use lite", "\"lite\" is a whole system"),
                      ("expect Bruna is dead", "A branch of odds cannot contain this line."), ("Zed joins party", "\"Zed\""), ("surprise segment 1 { Bruna waits }", "only rounds can have a block")):
        status, out, err = t.fray("repl", "ford.fray", "--keep-going", stdin="begin\nstep 3\nodds 50 { %s }\nodds 50 giving party wins\n" % line)
        t.check(line + ": why not", why in err, err)
        t.check(line + ": the next question is answered", "party wins" in out, out, err)


app.run([as_typed, of_the_start, sweeps, refused])
