#!/usr/bin/env python3
"""t_ways.py - the first of the random fights of ways.py under every system of stdlib come to the same in every way; and a
fight that cannot be read is told."""
# seconds: 600

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.environ.setdefault("FRAY", os.path.join(HERE, "../../build/debug/fray"))

import ways
from points import NAMES, SLOW, end, report

FIGHTS = 2 if SLOW else 8

rounds = 0
for name in NAMES:
    wrong, counted = ways.run(name, 0, FIGHTS, 8000)
    rounds += counted
    report(not wrong, "%s: %d random fights come to the same in every way" % (name, FIGHTS), *wrong)
report(rounds >= (1 if SLOW else len(NAMES)), "and rounds of them can be counted", rounds)

drawn, ways.fight = ways.fight, lambda name, number: "use osric\nencounter wrong { side reds: nobody known\n}\n"
report(ways.run("osric", 0, 1, 100)[0], "a fight that cannot be read is told")
ways.fight = drawn
end()
