"""One mistake, one report: nothing that merely follows from a mistake is said, and nothing that
is wrong in its own right is kept back."""

import os
import re

import app

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")

# What is changed in the bridge, and the one report it gets.
SLIPS = [
    ("use osric", "use osrik", "F0802"),
    ("use things", "use thinks", "F0802|F0801"),
    ("use things", "use ../things", "F0803"),
    ("side party: Halvaine", "side party: Halvane", "F0502"),
    ("side orcs: 4 orcs", "side orcs: 4 ogres", "F0552"),
    ("side party:", "sied party:", "F0208"),
    ("side party: Halvaine, Bruna, Korg", "side party Halvaine, Bruna, Korg", "F0240"),
    ("round 1 {", "round 1", "F0132"),
    ("policy gang up {", "policy gang up", "F0132"),
    ("policy gang up {\n", "", "F0157"),
    ("Korg waits", "Korg wates", "F0134"),
    ("Bruna attacks orc #1", "attacks orc #1", "F0157"),
    ("expect Halvaine acts", "expct Halvaine acts", "F0206"),
    ("expect Halvaine acts", "expect Halvaine atcs", "F0229"),
    ("until party is down", "until praty is down", "F0206"),
    ("(my nearest enemy, me)\n  charge", "(my nearest enemy me)\n  charge", "F0313"),
    ("attack Halvaine", "attack Halvane", "F0206"),
    ("distance: 30 ft", "distance: 30 hours", "F0332"),
    ("distance: 30 ft", "distence: 30 ft", "F0208"),
    ("Bruna's attack roll 17", "Bruna's atack roll 17", "F0515"),
    ("Bruna's attack roll 17", "Bruna's attack roll 27", "F0516"),
    ("orcs follow gang up", "orcs follow gang op", "F0220"),
]

RULES = """\
kind beast is combatant
every beast has { venom: 2; hide: 3 }
event gnaw (biter, prey) "gnaws"
action bite at (prey) { does { gnaw (actor, prey) } }
rule bites "1" {
  define combatant's fangs = 2
  on gnaw (biter, prey) { let sting = roll d6 as "sting"; change prey's hit points by prey's hide - sting }
}
"""

SCRIPT = """\
use beasts
beast asp { hit points: 3; venom: 4 }
monster orc { hit points: 5; armour class: 6 }
rule bitten "2" { define combatant's scars = combatant's fangs + 1 }
policy hunt { bite at my nearest enemy when me's venom > 1 }
encounter the pit {
  side snakes: 2 asps
  side orcs: orc
  asp #2 follows hunt
  round 1 {
    dice: asp #1's sting 4
    asp #1 bites at orc
    expect orc's scars = 3
  }
}
"""


def reports(t, name):
    status, out, err = t.fray("check", "--json", name)
    found = app.objects(out)
    t.same("status of %s" % name, status, 2 if found else 0)
    return ["%s:%d %s %s" % (d["file"], d["line"], d["code"], d["message"]) for d in found]


def bridge(t):
    with open(os.path.join(EXAMPLES, "bridge.fray")) as f:
        good = f.read()
    with open(os.path.join(EXAMPLES, "things.fray")) as f:
        t.write("things.fray", f.read())
    t.same("the bridge is in order", reports(t, os.path.basename(t.write("bridge.fray", good))), [])
    for was, now, code in SLIPS:
        assert was in good, was
        t.write("bridge.fray", good.replace(was, now, 1))
        found = reports(t, "bridge.fray")
        t.check("%r for %r is one %s" % (now, was, code), len(found) == 1 and re.search(code, found[0]), found)
    many = good.replace("use osric", "use osrik").replace("distance: 30 ft", "distance: 30 hours").replace("4 orcs", "1001 orcs")
    t.write("bridge.fray", many)
    t.same("what no ruleset could put right is said all the same", [f.split()[1] for f in reports(t, "bridge.fray")], ["F0802", "F0503", "F0332"])


def every_word(t):
    """Two letters of any word exchanged, or any mark left out, outside of the lines that declare."""
    with open(os.path.join(EXAMPLES, "bridge.fray")) as f:
        lines = f.read().split("\n")
    with open(os.path.join(EXAMPLES, "things.fray")) as f:
        t.write("things.fray", f.read())
    worst = []
    for i, line in enumerate(lines):
        code = line.split("--")[0]
        for m in re.finditer(r"[A-Za-z]{5,}|[{}():;,=]", code):
            w = m.group()
            changed = line[: m.start()] + (w[0] + w[2] + w[1] + w[3:] if len(w) > 1 else "") + line[m.end() :]
            t.write("slip.fray", "\n".join(lines[:i] + [changed] + lines[i + 1 :]))
            status, out, err = t.fray("check", "--json", "slip.fray")
            if len(out.splitlines()) > 1 or status not in (0, 2):
                worst.append((changed.strip(), out))
    t.same("no slip of the pen in the bridge is reported twice", worst, [])


def modules(t):
    t.write("beasts.fray", RULES)
    t.write("pit.fray", SCRIPT)
    t.same("the pit is in order", reports(t, "pit.fray"), [])
    for what, was, now in (
        ("a declaration that failed to parse", "every beast has { venom: 2; hide: 3 }", "every beast has { venom 2; hide: 3 }"),
        ("a kind whose line is wrong", "kind beast is combatant", "kind beast is combatant of"),
        ("a rule that failed to parse", "define combatant's fangs = 2", "define combatant's fangs : 2"),
        ("an event that failed to parse", "event gnaw (biter, prey)", "event gnaw (biter prey"),
        ("a body that failed to parse", 'let sting = roll d6 as "sting"', 'let sting = roll roll d6 as'),
        ("a stray brace", 'event gnaw (biter, prey) "gnaws"', 'event gnaw (biter, prey) "gnaws" }'),
        ("a zero byte", "kind beast", "kind\0beast"),
        ("a quote that is open", '"gnaws"', '"bites'),
    ):
        assert was in RULES, was
        t.write("beasts.fray", RULES.replace(was, now))
        found = reports(t, "pit.fray")
        t.check("%s in a module is one report" % what, len(found) == 1 and found[0].startswith("beasts.fray:"), found)
    t.write("beasts.fray", RULES)
    for what, was, now, code in (
        ("a stat block", "beast asp { hit points: 3; venom: 4 }", "beast asp { hit points 3; venom: 4 }", "F0163"),
        ("a side", "side snakes: 2 asps", "side snakes 2 asps", "F0240"),
        ("a rule", "define combatant's scars =", "define combatant's scars :", "F0137"),
        ("a policy", "bite at my nearest enemy when me's", "bite at when me's", "F0131"),
    ):
        assert was in SCRIPT, was
        t.write("pit.fray", SCRIPT.replace(was, now))
        found = reports(t, "pit.fray")
        t.check("%s that failed to parse is one report" % what, len(found) == 1 and code in found[0], found)
    t.write("pit.fray", SCRIPT.replace("hit points: 5", "hit pints: 5").replace("orc's scars = 3", "orc's scars = = 3").replace("asp #1 bites at orc", "asp #1 bites at ork"))
    t.same("three mistakes are three reports", [f.split()[1] for f in reports(t, "pit.fray")], ["F0131", "F0208", "F0206"])


app.run([bridge, every_word, modules])
