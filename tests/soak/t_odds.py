#!/usr/bin/env python3
"""t_odds.py - the first of the random fights of odds.py under every system of stdlib, and every example, are sampled as
they are counted; and what they are compared by finds a sample of something else."""
# seconds: 600

import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.environ.setdefault("FRAY", os.path.join(HERE, "../../build/debug/fray"))

import odds
from points import NAMES, SLOW, end, report
from systems import TOP

FIGHTS = 2 if SLOW else 8
ENDS = 20       # examples that can be counted in a round, of 27

for name in NAMES:
    counts, wrong = odds.run(name, 0, FIGHTS)
    report(not wrong, "%s: %d random fights are sampled as they are counted" % (name, FIGHTS), *wrong)
    report(counts["same"] + counts["ruling"] + counts["wrong"] == FIGHTS and counts["big"] <= 2 * FIGHTS, "%s: they can be counted, and chance has a say in them" % name, counts)

ends = 0
for path in sorted(glob.glob(os.path.join(TOP, "examples/*.fray")) + glob.glob(os.path.join(TOP, "examples/house/*.fray"))):
    with open(path) as script:
        encounters = re.findall(r"(?m)^encounter (.*?) *\{", script.read())
    for encounter in encounters[:1] if SLOW else encounters:
        title = "%s: %s" % (os.path.basename(path), encounter)
        exact, _, _, why = odds.compare(path, 1, encounter)
        report(why is None, "%s is sampled as it is counted" % title, *[why] if why else [])
        ends += exact is not None and exact["unexplored"] <= odds.TAIL
if not SLOW:
    report(ends >= ENDS, "of the examples, %d can be counted" % ENDS, "only %d" % ends)

CHANCE = {"name": "party wins", "kind": "chance", "value": 0.5}
SPREAD = {"name": "hit points", "kind": "spread", "spread": {"1": 0.25, "2": 0.25, "3": 0.5}}
WHOLE = {"measures": [CHANCE, SPREAD]}
report(odds.differs(WHOLE, {"measures": [dict(CHANCE, value=0.51), dict(SPREAD, spread={"1": 0.26, "2": 0.24, "3": 0.5})]}) is None, "a sample of it is taken for one")
report(odds.differs(WHOLE, {"measures": [dict(CHANCE, value=0.55), SPREAD]}) is not None, "a chance that is another is not")
report(odds.differs(WHOLE, {"measures": [CHANCE, dict(SPREAD, spread={"1": 0.3, "2": 0.2, "3": 0.5})]}) is not None, "nor a spread")
report(odds.differs(WHOLE, {"measures": [CHANCE, dict(SPREAD, spread={"1": 0.22, "2": 0.22, "3": 0.5, "4": 0.06})]}) is not None, "nor a value that cannot be")
end()
