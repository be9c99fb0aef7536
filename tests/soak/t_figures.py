#!/usr/bin/env python3
"""t_figures.py - plain odds always answer: some of what figures.py asks, and the fights that did not answer once."""
# seconds: 600

import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.environ.setdefault("FRAY", os.path.join(HERE, "../../build/debug/fray"))

import figures
from points import SLOW, end, report

# the exact attempt ran out here, and its empty answer was printed: every line "unknown"
answered, wrong = figures.ask(os.path.join(figures.TOP, "examples/crypt.fray"), "the crypt")
report(answered and not wrong, "the odds of examples/crypt.fray are numbers", *[wrong] if wrong else [])

# here it did not end for minutes: one moment with more dice than can be told apart
with tempfile.TemporaryDirectory(prefix="fray-figures-") as folder:
    path = os.path.join(folder, "long.fray")
    with open(path, "w", encoding="utf-8") as out:
        out.write(figures.FIGHT % ("proc", "lamia, 3 sahuagin female", "1 light horse", 5, 30))
    answered, wrong = figures.ask(path, None)
report(answered and not wrong, "an exact attempt within one long moment ends", *[wrong] if wrong else [])

# here the exact attempt ended with a signal: the mask of a saved machine was taken for a symbol (tests/api/test_plain.c)
with tempfile.TemporaryDirectory(prefix="fray-figures-") as folder:
    path = os.path.join(folder, "skunks.fray")
    with open(path, "w", encoding="utf-8") as out:
        out.write(figures.drawn(258, figures.creatures()))
    answered, wrong = figures.ask(path, None)
report(answered and not wrong, "an exact attempt of skunks against cyclopes ends", *[wrong] if wrong else [])

answered, apart, wrong = figures.run(*((400, 7, 1) if SLOW else (97, 7, 5, 99)))
report(not wrong, "%d fights are asked for their odds without an option, and each figure is a number with an interval" % answered, *wrong)
report(answered > apart, "most have odds", *[] if answered > apart else ["%d of %d" % (answered, answered + apart)])
end()
