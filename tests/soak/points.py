"""points.py - what the tests of this folder share: the systems there are, and points told one by one."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import systems
from tap import end, report

SLOW = os.path.basename(os.environ.get("BUILD", "")) in ("asan", "ubsan", "san", "tsan")


def is_system(name):
    path = os.path.join(systems.TOP, "stdlib", name, name + ".fray")
    return os.path.isfile(path) and re.search(r"(?m)^ruleset ", open(path).read())


NAMES = sorted(filter(is_system, os.listdir(os.path.join(systems.TOP, "stdlib"))))
