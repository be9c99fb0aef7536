#!/usr/bin/env python3
"""FRAY_NATIVE=0: `odds` and `run` say the same, to the byte, with native code and without."""

import os
import sys

import app

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "bench"))

import fights  # noqa: E402  (the path first)


def both(t, *args):
    """What is said with native code and without."""
    return [t.fray(*args, env={"FRAY_NATIVE": native}) for native in ("1", "0")]


def same(t):
    for fight in fights.standing():
        if fight.group in ("plain", "standard") and not fight.name.endswith("-10"):
            continue
        path = fights.write(fight, t.folder)
        for args in (("odds", "--trials=80", "--threads=1", "--json", path), ("run", path)):
            with_code, without = both(t, *args)
            t.check("%s of %s is the same without native code" % (args[0], fight.name), with_code == without and with_code[0] == 0 and with_code[1], with_code, without)


app.run([same])
