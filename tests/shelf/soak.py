#!/usr/bin/env python3
"""soak.py - every monster of the shelf against a stock party, 50 rounds, under every system.

usage: python3 tests/shelf/soak.py [EVERY [FIRST]]     (FRAY names the command; SYSTEMS may name some)

Plays two of each creature; with EVERY only one creature in so many, from number FIRST on. Says which
fights were stopped: by a crash, a limit, a ruling, a mistake in a stat block. Exit status 1 if any was."""

import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

import audit

SYSTEMS = os.environ.get("SYSTEMS", "osric lite proc crucible dew").split()
PARTY = """use %s
use shelf
combatant Bruna { class: fighter; level: 7; strength: 17; dexterity: 16; constitution: 15; carries: "long sword +2", plate mail, small shield }
combatant Oswin { class: cleric; level: 6; carries: footman's mace, chain mail, small shield }
combatant Hal { class: magic-user; level: 7; carries: dagger }
combatant Aldo { class: ranger; level: 7; carries: "long sword +1", leather armour }
policy go {
  breathe at my nearest enemy when my breaths left > 0
  attack my nearest enemy when engaged (me, my nearest enemy)
%s  wait
}
encounter e {
  side party: Bruna, Oswin, Hal, Aldo
  side foes: 2 %s
  distance: %s
  party and foes follow go
  until party is down or foes are down
}
"""
MOVES = {"osric": ("charge", "close"), "lite": ("charge", "close"), "proc": ("charge", "close"), "crucible": ("charge", "move toward"), "dew": ()}


def creatures():
    """Their own names; what only has another name is left out."""
    with open(os.path.join(audit.TOP, "stdlib", "shelf", "monster-names.fray"), encoding="utf-8") as f:
        others = {n.strip('"') for n in re.findall(r"(?m)^monster (.+?) is ", f.read())}
    return [n for n in audit.show("monsters", "lite") if n not in others]


def script(system, name):
    name = script_name(name)
    moves = "".join("  %s my nearest enemy unless my nearest enemy is none\n" % m for m in MOVES[system])
    return PARTY % (system, moves, name, "5 ft" if system == "dew" else "30 ft")


def play(system, name):
    with tempfile.NamedTemporaryFile("w", suffix=".fray", delete=False) as f:
        f.write(script(system, name))
    done = subprocess.run([audit.FRAY, "run", "--max-rounds", "50", "--seed", "3", f.name], capture_output=True, text=True)
    os.unlink(f.name)
    return done


# A special that a rule does, and how the story shows that it was used.
SIGNS = {
    "venom": r"poison save", "paralysis": r"paralysis save|is paralysed", "petrifies": r"petrification save", "drains levels": r"loses \d+ level", "hug": r"hug \d", "rend": r"rending \d",
    "grip": r"squeezes", "swallows on": r"swallows", "stuns": r"stun save|is stunned", "lulls": r"sleep save", "weakens": r"to-hit bonus", "double damage on": r"double damage \d",
    "gaze": r"gaze save", "breath": r"breathes", "dread": r"fear save", "stench": r"stench save", "bursts": r"burst \d", "regeneration": r"regenerates",
    "harmed only by": r"does not harm", "half from": r"damage", "rocks": r"throws", "charge multiplier": r"charges",
}
# People who last, some with arms that bite and some with arms that do not; foes who begin wounded enough to heal, and fall in the end.
TOUGH = """use %s
use shelf
combatant Ann { class: fighter; level: 3; hit dice: 0; hit points: 400; full hit points: 400; armour class: 9; save vs death: 12; save vs spells: 12; carries: club }
combatant Bob { class: fighter; level: 3; hit points: 400; full hit points: 400; armour class: 9; save vs death: 12; save vs spells: 12; carries: "long sword +3" }
encounter e {
  side party: 6 Ann, 3 Bob
  side foes: 3 %s
  distance: %s
  %s
  until party is down or foes are down
}
"""


def used(system, name, field):
    """Whether a special shows within a few fights."""
    for seed in range(1, 9):
        distance = "90 ft" if field in ("rocks", "charge multiplier") else "20 ft"
        with tempfile.NamedTemporaryFile("w", suffix=".fray", delete=False) as f:
            f.write(TOUGH.replace("combatant Ann", "monster Ann").replace("combatant Bob", "monster Bob") % (system, script_name(name), distance, "foes' hit points: %d" % (1 if field == "bursts" else 80)))
        done = subprocess.run([audit.FRAY, "run", "--why", "--max-rounds", "50", "--seed", str(seed), f.name], capture_output=True, text=True)
        os.unlink(f.name)
        if done.returncode not in (0, 3):
            return done.stderr[:300] or "status %d" % done.returncode
        if re.search(SIGNS[field], " ".join(done.stdout.split())):
            return None
    return "never seen"


def script_name(name):
    return name if re.match(r"^[A-Za-z][A-Za-z' -]*$", name) else '"%s"' % name


def specials(every=1, first=0):
    """(specials looked for, those never used): each creature's, under the rulesets by turns."""
    blocks, jobs = audit.show("monsters", "lite"), []
    for name in creatures():
        fields = blocks[name]["fields"]
        jobs += [(("lite", "osric", "proc", "crucible")[len(jobs) % 4], name, field) for field in SIGNS if field in fields and fields[field] not in ("no", "0")]
    chosen, wrong = jobs[first % every::every], []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for job, problem in zip(chosen, pool.map(lambda j: used(*j), chosen)):
            if problem:
                wrong.append("%s, %s: its special %s: %s" % (job + (problem,)))
    return len(chosen), wrong


def soak(every=1, first=0):
    """(fights, what went wrong)"""
    fights, wrong = 0, []
    names = creatures()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for k, system in enumerate(SYSTEMS):
            chosen = names[(first + k) % every::every]
            for name, done in zip(chosen, pool.map(lambda n: play(system, n), chosen)):
                fights += 1
                if done.returncode != 0:
                    wrong.append("%s, %s: status %d: %s" % (system, name, done.returncode, done.stderr[:400]))
    return fights, wrong


if __name__ == "__main__":
    numbers = [int(a) for a in sys.argv[1:]]
    count, told = soak(*numbers)
    print("%d fights, %d stopped" % (count, len(told)))
    many, unused = specials(*numbers)
    print("%d specials, %d never used" % (many, len(unused)))
    print("\n".join(told + unused))
    sys.exit(1 if told or unused else 0)
