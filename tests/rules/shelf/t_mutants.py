#!/usr/bin/env python3
"""t_mutants.py - every rule of the shelf is missed by a script of this folder when it is gone.

As in ../mutants.py each rule is dropped in turn, and some script must fail. A rule of stdlib/shelf/SYSTEM is
there for that ruleset alone, so only scripts that use it count. All of it takes minutes: `make check` tries
every sixth rule, another sixth each day of the year; EVERY=1 all of them, as `make soak` does."""

import concurrent.futures
import datetime
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import mutants

SHELF = os.path.join(mutants.TOP, "stdlib", "shelf")
# rule: why no script can notice that it is gone
KNOWN = {"what cannot be": "a script that it refuses has no expectations that hold: tests/shelf/t_wrong.py has them"}


def rules():
    """(file, rule, the ruleset it is read with or None)"""
    found = []
    for path in sorted(glob.glob(os.path.join(SHELF, "*.fray")) + glob.glob(os.path.join(SHELF, "*", "*.fray"))):
        folder = os.path.relpath(os.path.dirname(path), SHELF)
        for name, _ in mutants.HEADER.findall(mutants.clauses.read(path)):
            found.append((os.path.relpath(path, SHELF), name, None if folder == "." else folder))
    return found


def of_system(scripts, system):
    return {name: text for name, text in scripts.items() if not system or re.search(r"(?m)^use %s\b" % system, text)}


def without(scripts, rule):
    """Whether a script notices; (False, None) where there is no script of its ruleset."""
    fit = of_system(scripts, rule[2])
    return mutants.try_without(fit, (rule[0], rule[1], [])) if fit else (False, None)


def main():
    if os.path.basename(os.environ.get("BUILD", "")) in ("asan", "ubsan", "san", "tsan", "fuzz"):
        print("ok 1 - left to builds without sanitizers\n1..1")
        return 0
    every = int(os.environ.get("EVERY", "6"))
    first = datetime.date.today().timetuple().tm_yday % every
    scripts = {os.path.basename(p): mutants.clauses.read(p) for p in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "*.fray")))}
    whole = mutants.test(list(scripts), scripts, "\n")
    good = whole.returncode == 0 and b"\n1.." in whole.stdout
    print("%sok 1 - with every rule in force all scripts hold" % ("" if good else "not "))
    points, bad, survivors, book = 1, not good, [], rules()[first::every]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (file, name, _), (noticed, after) in zip(book, pool.map(lambda r: without(scripts, r), book)):
            points += 1
            good = noticed != (name in KNOWN) and after is not None and after.returncode in (0, 1)
            bad += not good
            print("%sok %d - %s: without \"%s\" %s" % ("" if good else "not ", points, file, name, "no script fails: " + KNOWN[name] if name in KNOWN else "a script fails"))
            if not noticed:
                survivors.append(name)
    print("# %d of %d rules tried; survivors: %s" % (len(book), len(rules()), ", ".join(survivors) or "none"))
    print("1..%d" % points)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
