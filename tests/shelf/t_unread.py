#!/usr/bin/env python3
"""t_unread.py - stdlib/unread.def against the rules of the library: which facts no system reads.

A field of the library either is read by the rules of some system, or is declared for people (`notes`), or is on the
list: with "" where nobody reads it, with the name of the library whose rules alone do, where it can be stated without
that library. `fray show fields --json` tells who reads what.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build", "debug", "fray")))
SYSTEMS = ["osric", "lite", "proc", "crucible", "dew"]
LIBRARY = "shelf"


def fields(uses):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "uses.fray")
        with open(path, "w", encoding="utf-8") as f:
            f.writelines("use %s\n" % name for name in uses)
        out = subprocess.run([FRAY, "show", "fields", "--json", path], capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in out.stdout.splitlines()]
    return [r for r in rows if "read by" in r and not r["kept"] and r["kind"] not in ("act", "round")]


def main():
    readers, noted, alone = {}, set(), set()
    for system in SYSTEMS:
        for library in (False, True):
            for r in fields([system] + [LIBRARY] * library):
                key = r["kind"], r["field"]
                readers.setdefault(key, set()).update(r["read by"])
                if r["noted"]:
                    noted.add(key)
                if not library:
                    alone.add(key)
    want = {}
    for key, by in readers.items():
        of_library = {name for name in by if name.split()[0] == LIBRARY}
        if key in noted or by - of_library or (of_library and key not in alone):
            continue
        want[key] = LIBRARY if of_library else ""
    with open(os.path.join(TOP, "stdlib", "unread.def"), encoding="utf-8") as f:
        has = {(k, n): by for k, n, by in re.findall(r'^UNREAD\("(.*?)", "(.*?)", "(.*?)"\)$', f.read(), re.M)}
    keys = sorted(set(want) | set(has))
    failed = 0
    print("1..%d" % len(keys))
    for i, key in enumerate(keys, 1):
        if want.get(key) == has.get(key):
            print("ok %d - %s's %s" % ((i,) + key))
            continue
        failed += 1
        print("not ok %d - %s's %s" % ((i,) + key))
        if key in want:
            print('# write: UNREAD("%s", "%s", "%s"), or declare it with notes, or read it in a rule' % (key + (want[key],)))
        else:
            print("# take it away: a system reads it, or it is declared with notes")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
