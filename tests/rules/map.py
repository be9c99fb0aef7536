#!/usr/bin/env python3
"""map.py - from each clause of a printed system to the rules that carry it and the tests that show it.

usage: python3 tests/rules/map.py [--check]

Clauses are the ids of tests/rules/SYSTEM/clauses.txt; rules and options of stdlib/SYSTEM cite
them (`"3 - OSRIC-INIT-6, -8: ..."`: what a further number leaves out is as before); scripts
claim them (`-- covers: OSRIC-INIT-6`). One page each in docs/rules/. With --check nothing is
written; status 1 says that a page is stale, or that a rule cites a clause there is not."""

import glob
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RULE = re.compile(r'^(rule|option) (.*?)(?:\s*"|:|\s*\{|\s+exception to |\s+replaces |\s+if |\s+ruling )', re.M)
ENCOUNTER = re.compile(r"^encounter (.*?)\s*\{")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def prefix(system):
    """What every clause id of the system begins with."""
    return read(os.path.join(TOP, "tests", "rules", system, "clauses.txt")).partition("-")[0]


def cited(text, system):
    """The clause ids a citation names: `OSRIC-INIT-6, -8, SEQ-2` are OSRIC-INIT-6, -INIT-8 and -SEQ-2."""
    ids, whole = [], prefix(system)
    for part in re.finditer(r"(?:\b(%s)-|\b([A-Z][A-Z0-9]*)-(?=\d)|(?<=[ ,;])-)([A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*)" % whole, text):
        full, topic, rest = part.groups()
        if full:
            ids.append("%s-%s" % (whole, rest))
        elif topic:
            ids.append("%s-%s-%s" % (whole, topic, rest))
        elif ids:
            ids.append("%s-%s" % (ids[-1].rpartition("-")[0], rest))
    return ids


def rules(system):
    """clause -> what carries it, from the headers of the rules and options."""
    found = {}
    for path in sorted(glob.glob(os.path.join(TOP, "stdlib", system, "*.fray"))):
        name = os.path.basename(path)
        for line in read(path).splitlines():
            header = RULE.match(line)
            if not header:
                continue
            kind, what = header.group(1), header.group(2)
            if kind == "option":
                strings = re.findall(r'"([^"]*)"', line)
                text = strings[-1] if strings else ""
            else:
                string = re.search(r'"([^"]*)"', line)
                text = string.group(1).partition(":")[0] if string else ""
            for clause in cited(text, system):
                found.setdefault(clause, []).append("%s (%s)" % ("option `%s`" % what if kind == "option" else what, name))
    return found


def tests(system):
    """clause -> the encounters that claim it."""
    found = {}
    for path in sorted(glob.glob(os.path.join(TOP, "tests", "rules", system, "*.fray"))):
        name, encounter = os.path.basename(path), ""
        for line in read(path).splitlines():
            header = ENCOUNTER.match(line)
            encounter = header.group(1) if header else encounter
            claim = re.search(r"-- covers: (.*)", line)
            for clause in [c.strip() for c in claim.group(1).split(",")] if claim else []:
                place = "%s: %s" % (name, encounter)
                if place not in found.setdefault(clause, []):
                    found[clause].append(place)
    return found


def page(system, clauses):
    carried, shown = rules(system), tests(system)
    out = ["# %s: clause, rule, test" % system, "", "Printed from the citations of `stdlib/%s` and the claims of `tests/rules/%s` by `make docs`." % (system, system),
           "A clause without a rule defines words, gives an example or leaves something to the referee; its test shows that nothing else is needed.", "",
           "| clause | carried by | shown by |", "|---|---|---|"]
    for clause in clauses:
        out.append("| %s | %s | %s |" % (clause, "; ".join(carried.get(clause, ["-"])), "; ".join(shown.get(clause, ["-"]))))
    out += ["", "%d clauses; %d cited by a rule or an option, %d shown by a test." % (
        len(clauses), sum(c in carried for c in clauses), sum(c in shown for c in clauses))]
    unknown = sorted(c for c in carried if c not in clauses)
    return "\n".join(out) + "\n", unknown


def main():
    check = sys.argv[1:] == ["--check"]
    bad = 0
    for listed in sorted(glob.glob(os.path.join(TOP, "tests", "rules", "*", "clauses.txt"))):
        system = os.path.basename(os.path.dirname(listed))
        if not os.path.isdir(os.path.join(TOP, "stdlib", system)):
            continue
        text, unknown = page(system, read(listed).split())
        for clause in unknown:
            bad = 1
            print("stdlib/%s cites %s, and there is no such clause" % (system, clause))
        out = os.path.join(TOP, "docs", "rules", system + ".md")
        if not os.path.exists(out) or read(out) != text:
            print("docs/rules/%s.md %s" % (system, "is stale: make docs" if check else "written"))
            bad |= check
            if not check:
                os.makedirs(os.path.dirname(out), exist_ok=True)
                with open(out, "w", encoding="utf-8") as f:
                    f.write(text)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
