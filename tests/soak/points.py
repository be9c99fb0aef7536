"""points.py - what the tests of this folder share: the systems there are, and points told one by one."""

import os
import re
import sys

import systems

SLOW = os.path.basename(os.environ.get("BUILD", "")) in ("asan", "ubsan", "san", "tsan")


def is_system(name):
    path = os.path.join(systems.TOP, "stdlib", name, name + ".fray")
    return os.path.isfile(path) and re.search(r"(?m)^ruleset ", open(path).read())


NAMES = sorted(filter(is_system, os.listdir(os.path.join(systems.TOP, "stdlib"))))
bad = tests = 0


def report(ok, what, *reasons):
    global bad, tests
    tests += 1
    bad += not ok
    print("%sok %d - %s" % ("" if ok else "not ", tests, what))
    for reason in reasons:
        print("# " + str(reason).replace("\n", "\n# "))


def end():
    print("1..%d" % tests)
    sys.exit(1 if bad else 0)
