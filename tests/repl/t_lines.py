#!/usr/bin/env python3
"""t_lines.py - some of the damaged sessions and scripts of lines.py; LINES says how many."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.environ.setdefault("FRAY", os.path.join(HERE, "../../build/debug/fray"))

import lines

COUNT = int(os.environ.get("LINES") or 10)

bad = 0
for number in range(COUNT):
    for what, one in (("session", lines.session), ("script", lines.script)):
        wrong = one(number)
        bad += wrong is not None
        print("%sok %d - %s %d, damaged" % ("not " if wrong else "", 2 * number + 1 + (what == "script"), what, number))
        if wrong:
            print("# " + wrong.replace("\n", "\n# "))
print("1..%d" % (2 * COUNT))
sys.exit(1 if bad else 0)
