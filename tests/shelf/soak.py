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
    if not re.match(r"^[A-Za-z][A-Za-z' -]*$", name):
        name = '"%s"' % name
    moves = "".join("  %s my nearest enemy unless my nearest enemy is none\n" % m for m in MOVES[system])
    return PARTY % (system, moves, name, "5 ft" if system == "dew" else "30 ft")


def play(system, name):
    with tempfile.NamedTemporaryFile("w", suffix=".fray", delete=False) as f:
        f.write(script(system, name))
    done = subprocess.run([audit.FRAY, "run", "--max-rounds", "50", "--seed", "3", f.name], capture_output=True, text=True)
    os.unlink(f.name)
    return done


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
    print("\n".join(told))
    sys.exit(1 if told else 0)
