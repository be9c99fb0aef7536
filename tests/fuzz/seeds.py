#!/usr/bin/env python3
"""seeds.py - what the fuzzers begin with besides their corpus: the scripts of examples and tests.

usage: python3 tests/fuzz/seeds.py FOLDER

A script longer than the fuzz targets take (FUZZ_SIZE_MAX in host.h) is cut: what stands above its
first encounter, with three of its encounters spread over it."""

import glob
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FROM = ["examples/**/*.fray", "tests/rules/*/*.fray", "tests/lang/**/*.fray", "tests/golden/**/*.fray"]
MOST = 8192
PARTS = 3


def cut(text):
    """The script, or scripts of one of its encounters each, that are short enough."""
    if len(text) <= MOST:
        return [text]
    head, *encounters = re.split(r"^(?=encounter )", text, flags=re.M)
    chosen = encounters[::max(1, len(encounters) // PARTS)]
    return [head + e for e in chosen if len(head + e) <= MOST]


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for old in os.listdir(folder):
        os.remove(os.path.join(folder, old))
    for pattern in FROM:
        for path in sorted(glob.glob(os.path.join(TOP, pattern), recursive=True)):
            with open(path, encoding="utf-8", errors="surrogateescape") as f:
                parts = cut(f.read())
            for n, part in enumerate(parts):
                name = "%s-%d" % (os.path.relpath(path, TOP).replace("/", "_"), n)
                with open(os.path.join(folder, name), "w", encoding="utf-8", errors="surrogateescape") as f:
                    f.write(part)


main()
