"""points.py - what the tests of this folder share: the systems there are, and points told one by one."""

import os
import sys

import systems

SLOW = os.path.basename(os.environ.get("BUILD", "")) in ("asan", "ubsan", "san", "tsan")
NAMES = sorted(name for name in os.listdir(os.path.join(systems.TOP, "stdlib"))
               if os.path.isfile(os.path.join(systems.TOP, "stdlib", name, name + ".fray")) and name != "core")
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
