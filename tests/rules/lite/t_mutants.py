#!/usr/bin/env python3
"""t_mutants.py - every rule of stdlib/lite is missed by a test when it is gone; see mutants.py."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import mutants

# rule: why no test can notice that it is gone
KNOWN = dict.fromkeys((
    "another target",
    "laden",
    "charge within an inch",
    "initiative of equal lengths",
    "first strike against a charge",
    "armour of a charger",
    "spectator's side",
    "first strike",
    "edition",
    "load of the referee",
    "routines in even rounds",
    "haste",
    "mundane interruption",
    "interruption in the same segment",
    "extra blows at every clash",
    "third blow",
    "attacker who won",
    "plain order against a caster",
    "factor against casting time",
    "factor less the die",
    "spells of a full round",
    "disruption by spells",
    "two cantrips",
    "second cantrip",
    "no dodging while casting",
    "dodging",
    "stealth of the best",
    "exact percentages",
    "reaction of the laden",
    "end with the side",
    "what can be done in surprise",
    "one attack in surprise",
    "casting in surprise",
    "freed early",
    "crossbow of speed in surprise",
    "after surprise",
), "its script is still to be written")

sys.exit(mutants.run("lite", KNOWN))
