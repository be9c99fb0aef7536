#!/usr/bin/env python3
"""t_bare.py - two sides that are told nothing fight under every system, and odds on them mean something."""

import json
import os
import subprocess
import tempfile

import audit

points = []
SYSTEMS = ("osric", "lite", "proc", "crucible", "dew")
PARTY = """use %s
use shelf
combatant Bruna { class: fighter; level: %d; strength: 16; hit points: %d; carries: long sword, chain mail, small shield }
combatant Hal   { class: magic-user; level: 3; hit points: 8; carries: dagger; knows: sleep, magic missile }
combatant Oswin { class: cleric; level: 3; hit points: 14; carries: footman's mace, chain mail; knows: cure light wounds, hold person }
combatant Mira  { class: thief; level: 3; hit points: 11; dexterity: 16; carries: sling bullet, short sword, leather armour }
encounter e {
  side party: %s
  side foes: %s
  distance: 60 ft
%s  until party is down or foes are down
}
"""


def check(name, good, *told):
    points.append(good)
    print("%sok %d - %s" % ("" if good else "not ", len(points), name))
    for t in [] if good else told:
        print("# " + str(t).replace("\n", "\n# "))


def odds(system, party, foes, level=3, more=""):
    """(how often the party wins, how often nobody does) in a hundred fights."""
    with tempfile.NamedTemporaryFile("w", suffix=".fray", delete=False) as f:
        f.write(PARTY % (system, level, 7 * level, party, foes, more))
    done = subprocess.run([audit.FRAY, "odds", "--json", "--trials", "100", "--seed", "5", f.name], capture_output=True, text=True)
    os.unlink(f.name)
    wins = {}
    for line in done.stdout.splitlines():
        for measure in json.loads(line).get("measures", ()):
            if measure["name"] in ("party wins", "foes win"):
                wins[measure["name"].split()[0]] = measure["value"]
    if done.returncode != 0 or len(wins) != 2:
        return None, done.stdout[:600] + done.stderr[:600]
    return wins["party"], 1 - wins["party"] - wins["foes"]


for system in SYSTEMS:
    alone = odds(system, "Bruna", "4 orcs")
    check("%s: 4 orcs against a fighter are settled" % system, alone[0] is not None and alone[1] < 0.05, alone)
    strong = odds(system, "Bruna", "4 orcs", level=9)
    check("%s: a better fighter fares better" % system, strong[0] is not None and alone[0] is not None and strong[0] > alone[0] and strong[0] > 0.6, alone, strong)
    all_four = odds(system, "Bruna, Hal, Oswin, Mira", "3 ghouls, ogre")
    check("%s: four of them against ghouls and an ogre are settled" % system, all_four[0] is not None and all_four[1] < 0.05, all_four)
    told = odds(system, "Bruna, Mira", "orc", more="  default policy none\n  Bruna and Mira follow brute tactics\n")
    check("%s: who follows something goes on, who is told nothing waits" % system, told[0] is not None and told[0] > 0.9, told)
print("1..%d" % len(points))
