#!/usr/bin/env python3
"""t_answers.py - questions put to a few random fights of every system are answered truly, as far as answers.py can
see; and what it looks for is found in answers that are made wrong. TAP."""
# seconds: 600

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "../soak"))
os.environ.setdefault("FRAY", os.path.join(HERE, "../../build/debug/fray"))

import answers
from points import NAMES, SLOW, end, report

FIGHTS = 2 if SLOW else 4
SORTS = ("event", "value", "state")     # the others are asked by `make soak`, and by t_questions.py

lines = answers.Tally()
for name in NAMES:
    tally = answers.run(name, range(FIGHTS), sorts=SORTS)
    lines.lines += tally.lines
    report(not tally.wrong and tally.asked >= FIGHTS * 3, "%s: %d questions to %d random fights" % (name, tally.asked, tally.fights),
           *["fight %d: %s: %s\n%s" % (number, question, "; ".join(wrong), text) for number, question, wrong, text in tally.wrong])
report(answers.within_ten(lines) >= 0.9, "nine in ten answers are within ten lines")

# ---- the examiner itself ----

report(answers.sums("Bruna hit orc #1, and 5 - 4 = 0 hit points."), "a sum that does not add up is found")
report(not answers.sums("10 + 4 = 14 reaches 13, and 5 - 5 = 0; 2d4 - 1 = 3."), "sums that do are not")
report(answers.figures({"figures": [{"text": "roll", "value": 9}, {"text": "bonus", "value": "1/2"}, {"text": "= 10", "value": 10, "total": True}]}),
       "figures that do not come to their total are found")
report(answers.faces("2d6", 9) == "6+3" and answers.faces("1d4+1", 5) == "5" and answers.faces("3d6+2", 5) == "1+1+1", "faces come to their total")
asked = answers.Asked("why Ann hits Orc", "event", None, False, None)
report(answers.judged(asked, {"figures": []}, "Ann hit Orc for 5 damage.\n", [], None), "what never happened and is explained is found")
report(not answers.judged(asked, {"figures": []}, "Ann did not hit Orc: she missed.\n", [], None), "a corrected premise is not")
end()
