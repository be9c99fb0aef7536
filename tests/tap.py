"""tap.py - points of a test told one by one, each with what was seen where it failed."""

import sys

bad = tests = 0


def report(ok, what, *reasons):
    global bad, tests
    tests += 1
    bad += not ok
    print("%sok %d - %s" % ("" if ok else "not ", tests, what))
    for reason in reasons:
        print("# " + str(reason).replace("\n", "\n# "))


def check(name, good, detail=""):
    """The same; what was seen is told of a point that failed alone."""
    report(good, name, *([] if good or not str(detail) else [detail]))


def end():
    print("1..%d" % tests)
    sys.exit(1 if bad else 0)
