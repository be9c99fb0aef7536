"""Forks beside each other: where they part, by what, and the odds of each."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))

import app

FORD = """\
use osric
weapon sword { damage: 1d8 }
monster orc { hit points: 14; armour class: 6; THAC0: 18; carries: sword }
combatant Bruna { hit points: 5; armour class: 4; THAC0: 17; carries: sword }
combatant Hal { hit points: 3; armour class: 8; THAC0: 20; carries: sword }
policy stand firm { attack my nearest enemy with sword }
encounter the ford {
  side party: Bruna, Hal
  side orcs: 2 orcs
  distance: 5 ft
  Bruna and Hal follow stand firm
  orcs follow stand firm
  until party is down or orc #1 is down or round's number > 3
}
"""


def compared(t):
    t.write("ford.fray", FORD)
    typed = "begin\nstep\nfork lucky\nforce Bruna's attack roll 20\nstep 2\nswitch main\nstep\nset Hal's hit points = 4\nstep\n"
    status, out, err = t.fray("repl", "ford.fray", stdin=typed + "forks\ncompare forks main vs lucky giving orc #1 is dead\nforks\n")
    t.same("forks are compared", (status, err), (0, ""))
    t.like("where they part", out, r"main and lucky part after round 1, segment 2\.\n")
    t.like("by what", out, r"\n  main: set Hal's hit points = 4\n  lucky: force Bruna's attack roll 20\n")
    t.like("the first event that differs", out, r"\n  main   round 1, segment 6  Bruna attacks orc #1: attack roll 3: miss\n  lucky  round 1, segment 6  Bruna attacks orc #1: attack roll 20 \[forced\]: hit")
    t.like("where each stands", out, r"\nNow main: round 2, segment 1; lucky: round 2, segment 1\.\n")
    shares = [float(x) for x in re.findall(r"^    (?:main|lucky) +([0-9.]+) %", out, re.M)[:2]]
    t.check("and the odds of each", len(shares) == 2 and shares[0] < shares[1], out)
    one, other = [re.search(r"^\* main.*\n.*\n", part, re.M) for part in out.split("main and lucky part")]
    t.check("the fight stands where it stood", one and other and one.group() == other.group(), out)
    alone = t.fray("repl", "ford.fray", stdin=typed + "odds giving orc #1 is dead\nswitch lucky\nodds giving orc #1 is dead\n")[1]
    own = [float(x) for x in re.findall(r"^  orc #1 is dead +([0-9.]+) %", alone, re.M)]
    # which may be exact where the two together were sampled
    t.check("the odds are those of each alone", len(own) == 2 and all(abs(x - y) < 2 for x, y in zip(own, shares)), own, shares)


def others(t):
    t.write("ford.fray", FORD)
    status, out, err = t.fray("repl", "ford.fray", stdin="begin\nstep\nfork a\ncompare forks main vs a giving Bruna is dead\n")
    t.check("forks that are the same", status == 0 and "main and a tell the same so far." in out and "Bruna is dead" in out and "party wins" not in out, out, err)
    status, out, err = t.fray("repl", "ford.fray", stdin="begin\nfork a\nrun\ncompare forks a vs main giving orc #1 is dead\n")
    t.check("one that is over, one that has not begun", status == 0 and "main  stands here: at the beginning" in out and "Now a: the fight is over; main: at the beginning." in out, out, err)
    status, out, err = t.fray("repl", "ford.fray", stdin="begin\nfork a\ncompare forks a vs mine\n")
    t.check("a fork that is none", status == 2 and "There is no fork called \"mine\"." in err and "There are: main, a." in err, out, err)
    t.same("without a fight there are none", t.fray("repl", "ford.fray", stdin="compare forks a vs b\n")[0], 2)
    status, out, err = t.fray("repl", "ford.fray", stdin="compare osric vs lite on the ford giving Bruna is dead\n")
    t.check("rules are compared at the prompt as well", status == 0 and re.search(r"the ford +osric\n +Bruna is dead", out) and re.search(r"the ford +lite\n +Bruna is dead", out), out, err)


app.run([compared, others])
