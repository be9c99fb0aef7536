#!/usr/bin/env python3
"""t_mutants.py - every rule of the shelf is missed by a test when it is gone; see ../mutants.py.

The scripts of this folder and of tests/golden/shelf's kind play under one ruleset each, so a rule of a
system's own folder (stdlib/shelf/osric) is missed by those of that system. What a spell or a class does is
tried by tests/shelf/t_spells.py and t_classes.py as well; what they alone would notice is played here too."""

import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import mutants

# rule: why no test can notice that it is gone
KNOWN = {}


def rules(system):
    """Those of the shelf's own files, and of its folders for each ruleset."""
    found = []
    for path in sorted(glob.glob(os.path.join(mutants.TOP, "stdlib", "shelf", "*.fray")) + glob.glob(os.path.join(mutants.TOP, "stdlib", "shelf", "*", "*.fray"))):
        text = mutants.clauses.read(path)
        for name, citation in mutants.HEADER.findall(text):
            found.append((os.path.relpath(path, os.path.join(mutants.TOP, "stdlib", "shelf")), name, []))
    return found


mutants.rules = rules
sys.exit(mutants.run("shelf", KNOWN))
