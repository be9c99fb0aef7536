#!/usr/bin/env python3
"""t_crash.py - a few of the killed and resumed sessions of crash.py, two under each system."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.environ.setdefault("FRAY", os.path.join(HERE, "../../build/debug/fray"))

import crash

SESSIONS = 5 if os.path.basename(os.environ.get("BUILD", "")) in ("asan", "ubsan", "san", "tsan") else 10

bad = 0
for number in range(SESSIONS):
    wrong = crash.one(number)
    bad += wrong is not None
    print("%sok %d - session %d is killed and resumed" % ("not " if wrong else "", number + 1, number))
    if wrong:
        print("# " + wrong.replace("\n", "\n# "))
print("1..%d" % SESSIONS)
sys.exit(1 if bad else 0)
