#!/usr/bin/env python3
"""picture.py - draws the picture of docs/ARCHITECTURE.md: which folder includes which.

usage: python3 docs/picture.py [--check]

The picture is made from the #include lines of runtime/ and lang/. It stands between the two marks
below. Folders are in the order of their floors; an x says that the row's folder includes the
column's. With --check nothing is written; status 1 says that the picture is stale.
"""

import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(TOP, "docs", "ARCHITECTURE.md")
BEGIN, END = "<!-- picture: docs/picture.py -->\n", "<!-- end of picture -->\n"
INCLUDE = re.compile(r'^\s*#\s*include\s*"((?:runtime|lang)/\w+)/', re.M)


def folders():
    """{folder: the other folders that its files include}"""
    found = {}
    for top in ("runtime", "lang"):
        for name in sorted(os.listdir(os.path.join(TOP, top))):
            folder = os.path.join(TOP, top, name)
            if not os.path.isdir(folder):
                continue
            used = set()
            files = [one for one in os.listdir(folder) if one.endswith((".c", ".h", ".y", ".l", ".def"))]
            if not files:
                continue  # no C in it, as in lang/editors
            for file in files:
                with open(os.path.join(folder, file), encoding="utf-8") as f:
                    used.update(INCLUDE.findall(f.read()))
            found["%s/%s" % (top, name)] = used - {"%s/%s" % (top, name)}
    return found


def floors(found):
    """The folders, each after all that it includes; of several that could come next, the first by
    name. A circle among folders ends the script."""
    order, left = [], dict(found)
    while left:
        ready = [folder for folder, used in left.items() if not used - set(order)]
        if not ready:
            sys.exit("these folders include each other: " + " ".join(sorted(left)))
        first = min(ready, key=lambda folder: (folder.startswith("lang/"), folder))
        order.append(first)
        del left[first]
    return order


def picture():
    found = folders()
    order = floors(found)
    short = [folder.split("/")[1] for folder in order]
    lines = [" " * 16 + " ".join(short)]
    for at, folder in reversed(list(enumerate(order))):
        cells = []
        for column, other in enumerate(order):
            mark = "." if other == folder else "x" if other in found[folder] else " "
            cells.append(mark.center(len(short[column])))
        lines.append(("%-16s" % folder + " ".join(cells)).rstrip())
    return "```text\n" + "\n".join(lines) + "\n```\n"


def main():
    with open(PAGE, encoding="utf-8") as f:
        page = f.read()
    before, rest = page.split(BEGIN)
    now = before + BEGIN + picture() + END + rest.split(END)[1]
    if "--check" in sys.argv[1:]:
        if now != page:
            print("docs/ARCHITECTURE.md: the picture is stale; run make docs")
            return 1
        return 0
    if now != page:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(now)
        print("docs/ARCHITECTURE.md written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
