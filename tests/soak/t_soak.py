#!/usr/bin/env python3
"""t_soak.py - a few of the random fights of soak.py under every system of stdlib; and what they
are examined for is found in logs that are made wrong."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.environ.setdefault("FRAY", os.path.join(HERE, "../../build/debug/fray"))

import invariants
import soak
import systems
from points import NAMES, SLOW, end, report

FIGHTS = 3 if SLOW else 4

for name in NAMES:
    done = soak.Soak(name, 2, shrink=0).run(range(FIGHTS))
    report(not done.failures and not done.rulings, "%s: %d random fights" % (name, done.done),
           *["fight %d: %s" % (number, words) for number, words, _ in done.failures + done.rulings])

# ---- the examiner itself ----

def event(group, name, actor, **more):
    return dict({"kind": "event", "event": name, "round": 1, "time": "segment %d" % group, "group": group, "actor": actor, "act": 7,
                 "outcome": "done"}, **more)

END = {"kind": "outcome", "round": 9}
LEGS = [{"kind": "group", "group": 1}, event(1, "death", "orc", arguments={"victim": "orc"}), {"kind": "group", "group": 2}]
PEND = {"kind": "pend", "deed": "complete", "act": 7, "actor": "Hal", "round": 1, "arguments": {"spell": "web"}}
WRONG = [
    ("acts of the dead", LEGS + [event(2, "attack", "orc"), END], "orc, after death, does attack"),
    ("spells that never end", [PEND, END], "Hal began web in round 1 and it never ended"),
    ("what becomes pending twice", [dict(PEND, deed="attack"), dict(PEND, deed="attack"), END], "attack of Hal becomes pending twice"),
    ("acts that are pending for ever", [dict(PEND, deed="attack"), END], "attack of Hal is pending since round 1"),
    ("blows below nothing", [{"kind": "change", "what": "Ash's active left", "new": -1}, END], "Ash's active left is -1"),
    ("blows that heal", [event(1, "damage", None, arguments={"victim": "Ash", "amount": -1}), END], "Ash has -1 damage"),
    ("what the watching rules say", [{"kind": "note", "told": "broken: Ash: too much"}, END], "Ash: too much"),
    ("a log without an end", [{"kind": "note", "told": "all is well"}], "the log has no end"),
]
dew = systems.system("dew")
for what, log, words in WRONG:
    found = invariants.examine(log, dew)
    report(found == words, "the examiner finds " + what, "told: %s" % found)
report(invariants.examine(LEGS + [event(1, "attack", "orc"), PEND, dict(event(2, "complete", "Hal"), round=1), END], dew) is None,
       "and nothing in what is right")
end()
