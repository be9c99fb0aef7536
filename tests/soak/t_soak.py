#!/usr/bin/env python3
"""t_soak.py - a few dozen of the random fights of soak.py under every system of stdlib."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.environ.setdefault("FRAY", os.path.join(HERE, "../../build/debug/fray"))

import soak

FIGHTS = 8 if os.path.basename(os.environ.get("BUILD", "")) in ("asan", "ubsan", "san", "tsan") else 25

systems = sorted(name for name in os.listdir(os.path.join(soak.TOP, "stdlib"))
                 if os.path.isfile(os.path.join(soak.TOP, "stdlib", name, name + ".fray")) and name != "core")
bad = 0
for n, name in enumerate(systems, 1):
    rulings, failures = soak.soak(soak.System(name), range(FIGHTS))
    print("%sok %d - %s: %d random fights" % ("not " if failures or rulings else "", n, name, FIGHTS))
    bad += bool(failures or rulings)
    for number, wrong, lines in failures:
        print("# fight %d: %s\n# %s" % (number, wrong, "\n# ".join(lines)))
    for number in rulings:
        print("# fight %d: a ruling is needed" % number)
print("1..%d" % len(systems))
sys.exit(1 if bad else 0)
