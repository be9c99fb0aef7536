"""fray compare: one fight under several rules, side by side."""

import fcntl
import json
import os
import re
import struct
import termios

import app

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")

QUICK = """\
house rules quick for osric "a table that likes long swords"
rule swords first "house 1" { adjust act's first time by -2 segments when act is attack and act's weapon is long sword }
"""

DUEL = """\
use osric
weapon long sword { damage: 1d8 }
weapon axe { damage: 1d8 }
combatant Bruna { hit points: 40; weapon: long sword }
combatant Orc { hit points: 40; weapon: axe }
encounter The Duel {
  side party: Bruna
  side orcs: Orc
  distance: 5 ft
  round 1 {
    dice: party's initiative 5, orcs' initiative 4
    Bruna attacks Orc
    Orc attacks Bruna
  }
}
"""


def parts(t):
    t.write("quick.fray", QUICK)
    t.write("duel.fray", DUEL)
    status, out, err = t.fray("compare", "duel.fray", "--trials=0", "--rules=osric,osric+quick")
    t.same("a comparison ends well", (status, err), (0, ""))
    t.same("each system has a column; an order that stays is no difference", out, """\
round 1                     osric         osric+quick
Bruna attacks Orc           1  segment 4  1  segment 2
Orc attacks Bruna           2  segment 5  2  segment 5
the fight is over in round  -             -
1, 2, ..: the place in the order of the round; those with one number act together

osric and osric+quick: the order is the same
""")
    t.same("a rule that changes no order changes nothing", t.fray("compare", "duel.fray", "--trials=0", "--rules=osric,osric")[1].splitlines()[-1],
           "osric and osric: the order is the same")
    t.write("own.fray", DUEL.replace("use osric", "use osric with quick", 1))
    t.same("house rules that one column names are left out of the others, whatever the script takes",
           t.fray("compare", "own.fray", "--trials=0", "--rules=osric,osric+quick")[1], out)
    t.check("house rules that the script takes itself and no column names are told of",
            "the script itself uses the house rules quick: they are in force in every column"
            in t.fray("compare", "own.fray", "--trials=0", "--rules=osric,osric")[1])


def reasons(t):
    t.write("quick.fray", QUICK)
    t.write("late.fray", DUEL.replace("initiative 5, orcs' initiative 4", "initiative 4, orcs' initiative 5"))
    status, out, err = t.fray("compare", "late.fray", "--rules", "osric,osric+quick")
    t.check("* marks where they part", """\
Orc attacks Bruna           1  segment 4  2  segment 4
Bruna attacks Orc           2  segment 5  1* segment 3
""" in out, status, out, err)
    t.check("who comes first is told for both in one sentence", """\
osric and osric+quick part in round 1: Orc attacks Bruna before Bruna attacks Orc under osric, after it under osric+quick.
""" in out, status, out, err)
    t.check("with the rule that decides it", "\n  osric+quick: Bruna acts in segment 3, Orc in segment 4.\n" in out and "-2 segments for swords first" in (out.split("osric+quick: Bruna") + [""])[1], out)
    status, out, err = t.fray("compare", os.path.join(EXAMPLES, "five-ways.fray"), "--trials=0", "--rules=osric,lite")
    t.check("and, of what no order places, the rule that does it", "before the acts of the round are put in their order.\n      rule: casting starts with the round" in out, out)
    status, out, err = t.fray("compare", "late.fray", "--rules", "osric,osric+quick", "--json")
    one = json.loads(out)
    t.same("as JSON the same", [(p["round"], [u["one is"] for u in p["under"]]) for p in one["parts"]], [(1, ["before", "after"])])
    t.same("with places", one["rows"][0]["places"]["osric+quick"]["place"] in (1, 2), True)


def everywhere(t):
    """The example is one text for every system of the library."""
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    script = os.path.join(top, "examples", "five-ways.fray")
    def is_system(name):
        path = os.path.join(top, "stdlib", name, name + ".fray")
        return os.path.isfile(path) and re.search(r"(?m)^ruleset ", open(path).read())
    systems = sorted(filter(is_system, os.listdir(os.path.join(top, "stdlib"))))
    t.same("of which there are five", len(systems), 5)
    for name in systems:
        status, out, err = t.fray("run", "--rules=" + name, script)
        t.check("%s plays examples/five-ways.fray" % name, status == 0 and "Halvaine" in out and not err, status, err)
    t.like("what dew lacks is told first", t.fray("run", "--rules=dew", script)[1].split("round 1")[0], "Bruna, converted: EN 31")
    status, out, err = t.fray("compare", "--json", "--trials=50", "--rules=" + ",".join(systems), script)
    rows = json.loads(out)["rows"]
    for name in systems:
        t.check("and has its place for something in the comparison: %s" % name, any(r["places"][name] for r in rows))
    odds = json.loads(out)["odds"]
    t.check("the odds stand beside it", all(0 <= m["low"] <= m["value"] <= m["high"] <= 1 for name in systems for m in odds[name] if m["name"].endswith(" wins")), odds)
    t.like("also as a table", t.fray("compare", "--trials=50", "--rules=osric,lite", script)[1], r"odds +osric +lite +\n  party wins +[0-9.]+ % \(")
    t.same("where they part from the first is told for each", len(json.loads(out)["parts"]), len(systems) - 1)


def on_screen(t, columns, *words):
    """What fray prints on a terminal so wide."""
    ours, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    t.fray(*words, stdout=its)
    os.close(its)
    shown = b""
    try:
        while True:
            shown += os.read(ours, 4096)
    except OSError:
        pass
    os.close(ours)
    return shown.decode()


def lines(t):
    """What is compared is what the script declares."""
    duel = DUEL.replace("    dice: party's initiative 5, orcs' initiative 4\n", "")
    t.write("five.fray", duel.replace("  }\n}", "  }\n  Bruna and Orc follow press on\n  until party is down or orcs are down\n}").replace("encounter The", "policy press on { attack my nearest enemy }\nencounter The"))
    out = t.fray("compare", "five.fray", "--trials=0", "--rules=osric,lite,dew")[1].split("\n\n")[0]
    t.check("the rounds with lines are shown", "round 1 " in out and "\nround 2 " not in out, out)
    t.check("who passes for want of a line is no row", "passes" not in out, out)
    t.check("with --max-rounds so many", "\nround 2 " in t.fray("compare", "five.fray", "--trials=0", "--rules=osric,lite", "--max-rounds=3")[1], out)
    words = ("compare", "five.fray", "--trials=0", "--rules=osric,lite,dew,proc,crucible")
    t.check("a wide screen shows the moments", " segment 4" in t.fray(*words)[1])
    narrow = on_screen(t, 60, *words)
    t.check("a narrow one does without", "segment" not in narrow.split("the fight is over")[0] and "fight is over" in narrow, narrow)
    # where nothing is said, proc rolls how far apart they meet
    t.write("far.fray", duel.replace("  distance: 5 ft\n", ""))
    status, out, err = t.fray("compare", "far.fray", "--trials=0", "--rules=lite,proc")
    t.check("what is declared and not allowed is told", " refused\n" in out and "refused: declared, but not allowed there" in out, out)
    t.check("and by which clause", "\n  proc: Bruna could not attack Orc with long sword: out of reach (" in out, out)


def mistakes(t):
    t.write("duel.fray", DUEL)
    for words in (["duel.fray"], ["duel.fray", "--rules=osric"], ["--rules=osric,osric"], ["none.fray", "--rules=osric,osric"],
                  ["duel.fray", "--rules=osric,nosuch"], ["-", "--rules=osric,osric"], ["duel.fray", "The Joust", "--rules=osric,osric"],
                  ["duel.fray", "--rules=" + ",".join(["osric"] * 17)]):
        status, out, err = t.fray("compare", *words)
        t.check("%s is wrong, and said to be" % " ".join(words)[:60], status == 2 and out == "" and err, status, out, err)


app.run([parts, reasons, lines, everywhere, mistakes])
