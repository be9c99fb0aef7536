#!/usr/bin/env python3
"""t_rolled.py - facts that the rules of a system set themselves: check tells of them, and they do change nothing.

Each field of a side and of a combatant is stated in a small fight under every system. Where `fray check` says that
rules roll it or work it out (F0557 to F0559), the fight is played with two values and with none, from several
seeds, and has to come to the same. Which fields those are is listed, so that none is lost.
"""

import json
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build", "debug", "fray")))
TOLD = {"F0557", "F0558", "F0559"}
SEEDS = range(1, 7)
SET = {
    "osric": {"side's surprise die", "side's initiative"},
    "lite": {"side's surprise roll", "side's lost", "side's initiative", "combatant's own initiative"},
    "proc": {"side's surprise roll", "side's reaction roll", "side's initiative"},
    "crucible": {"side's surprise die", "side's initiative", "combatant's initiative"},
    "dew": set(),
}
VALUES = {"a number": ("1", "3"), "a time": ("1 segment", "3 segments")}
SCRIPT = """use %s
weapon club { damage: 1d6 }
combatant Ann { hit points: 12; weapon: club }
combatant Ben { hit points: 12; weapon: club }
policy fight { attack my nearest enemy }
encounter e {
  side here: Ann
  side there: Ben
  distance: 5 ft
%s  Ann and Ben follow fight
}
"""


def fray(*args):
    return subprocess.run([FRAY, *args], capture_output=True, text=True)


def played(path):
    logs = []
    for seed in SEEDS:
        out = fray("run", "--seed=%d" % seed, "--max-rounds=3", path).stdout
        logs.append(out)
    return logs


def fields(system, path):
    write(path, system, "")
    rows = [json.loads(line) for line in fray("show", "fields", "--json", path).stdout.splitlines()]
    return [r for r in rows if r["kind"] in ("side", "combatant") and r["type"] in VALUES and not r["kept"] and not r["noted"]]


def write(path, system, line):
    with open(path, "w", encoding="utf-8") as f:
        f.write(SCRIPT % (system, line))


def told(path):
    rows = [json.loads(line) for line in fray("check", "--json", path).stdout.splitlines()]
    return any(r.get("code") in TOLD for r in rows)


def look(system, path):
    """The fields of which check tells, and those of them that change the fight all the same."""
    found, change = set(), []
    write(path, system, "")
    without = played(path)
    for r in fields(system, path):
        owner = "here" if r["kind"] == "side" else "Ann"
        for value in VALUES[r["type"]]:
            write(path, system, "  %s's %s: %s\n" % (owner, r["field"], value))
            if not told(path):
                break
            name = "%s's %s" % (r["kind"], r["field"])
            found.add(name)
            if played(path) != without:
                change.append("%s: %s" % (name, value))
    return found, change


def main():
    failed = 0
    print("1..%d" % (2 * len(SET)))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "e.fray")
        for i, (system, want) in enumerate(SET.items()):
            found, change = look(system, path)
            for k, (ok, what, why) in enumerate((
                    (found == want, "check tells of what the rules set", sorted(found ^ want)),
                    (not change, "what it tells of changes nothing", change))):
                failed += not ok
                print("%sok %d - %s: %s" % ("" if ok else "not ", 2 * i + k + 1, system, what))
                if not ok:
                    print("# %s" % ", ".join(why))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
