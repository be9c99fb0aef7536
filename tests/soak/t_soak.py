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
ACT = dict(PEND, deed="attack", id=3)
WRONG = [
    (invariants.after_death, "acts of the dead", LEGS + [event(2, "attack", "orc"), END], "orc, after death, does attack"),
    (invariants.spells, "spells that never end", [PEND, END], "Hal began web in round 1 and it never ended"),
    (invariants.pending, "what becomes pending twice", [ACT, ACT], "attack of Hal becomes pending twice"),
    (invariants.pending, "acts that are pending for ever", [ACT, END], "attack of Hal is pending since round 1"),
    (invariants.accounted, "acts without an end", [ACT, END], "attack of Hal was pended in round 1 and has no end"),
    (invariants.accounted, "acts with two ends", [ACT, dict(event(1, "attack", "Hal"), ends=3), dict(event(1, "attack", "Hal"), ends=3)], "attack of Hal ends twice"),
    (invariants.floors, "blows below nothing", [{"kind": "change", "what": "Ash's active left", "new": -1}, END], "Ash's active left is -1"),
    (invariants.floors, "blows that heal", [event(1, "damage", None, arguments={"victim": "Ash", "amount": -1}), END], "Ash has -1 damage"),
    (invariants.told, "what the watching rules say", [{"kind": "note", "told": "broken: Ash: too much"}, END], "Ash: too much"),
    (invariants.forward, "what comes before its round", [{"kind": "group", "round": 1, "moment": -1, "time": "segment 0"}], "group is told at segment 0, in round 1"),
    (invariants.forward, "what goes back in time", [{"kind": "group", "round": 1, "moment": at, "time": "segment %d" % at} for at in (2, 1)],
     "after segment 2 comes segment 1, in round 1"),
    (invariants.ending, "a log without an end", [{"kind": "note", "told": "all is well"}], "the log has no end"),
]
dew = systems.system("dew")
for look, what, log, words in WRONG:
    found = look(log, dew)
    report(found == words, "the examiner finds " + what, "told: %s" % found)
SCRIPT = ["encounter soak one {", "  round 1 {", "    thug attacks mage else flees", "    thug falls back 5 ft from mage", "    mage waits when thug is able", "  }", "}"]
LINES = [{"kind": "run", "encounter": "soak one"}, {"kind": "refused", "deed": "attack", "actor": "thug", "by": "script", "round": 1}]
TOLD = LINES + [{"kind": "left", "deed": "fall back", "actor": "thug", "round": 1}]
report(invariants.unsaid(TOLD, SCRIPT) is None, "every line of a script is accounted for")
found = invariants.unsaid(LINES, SCRIPT)
report(found == "thug falls back 5 ft from mage in round 1, and nothing is told of it", "the examiner finds a line that nothing is told of", "told: %s" % found)
report(invariants.unsaid(LINES, SCRIPT, {4}) is None, "unless a message says that these rules never ask for it")
EARLY = [{"kind": "group", "round": 1, "moment": at, "time": "count %d" % (at + 1)} for at in (-3, -4)]
crucible = systems.system("crucible")
report(invariants.forward(EARLY[:1], crucible) is None, "counts below one are no way back in time under crucible")
report(invariants.forward(EARLY[1:], crucible) == "group is told at count -3, in round 1", "but counts that no dexterity comes to are")
RIGHT = LEGS + [event(1, "attack", "orc"), dict(PEND, id=3), dict(event(2, "complete", "Hal"), round=1, ends=3), END]
found = invariants.examine(RIGHT, dew)
report(found is None, "and nothing in what is right", "told: %s" % found)
report(invariants.examine(RIGHT[:-1], dew) == "the log has no end", "all of it is looked at")
end()
