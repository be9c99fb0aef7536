#!/usr/bin/env python3
"""seeds.py - what the fuzzers begin with besides their corpus: the scripts of examples and tests,
the sessions of the pages, and the logs and parts that the command makes of some scripts.

usage: python3 tests/fuzz/seeds.py FOLDER

FRAY names the command; without it there are scripts and sessions alone. Each target NAME has its
own in FOLDER/NAME. A script longer than the fuzz targets take (FUZZ_SIZE_MAX in host.h) is cut:
what stands above its first encounter, with three of its encounters spread over it."""

import glob
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FRAY = os.environ.get("FRAY")
FROM = ["examples/**/*.fray", "tests/rules/*/*.fray", "tests/lang/**/*.fray",
        "tests/golden/**/*.fray"]
SCRIPTS = ["scan", "parse", "check", "script", "odds", "saved"] # their input is a script
SESSION = r"^```fray-repl *(\S*)[^\n]*\n(.*?)^```"
MOST = 8192
PARTS = 3
PLAYED = 40 # so many scripts are played for logs and parts
SECONDS = 20


def cut(text):
    """The script, or scripts of one of its encounters each, that are short enough."""
    if len(text) <= MOST:
        return [text]
    head, *encounters = re.split(r"^(?=encounter )", text, flags=re.M)
    chosen = encounters[::max(1, len(encounters) // PARTS)]
    return [head + e for e in chosen if len(head + e) <= MOST]


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        return f.read()


def keep(folder, target, name, text):
    path = os.path.join(folder, target, name)
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write(text)


def scripts():
    """(name, text) of all that are short enough."""
    for pattern in FROM:
        for path in sorted(glob.glob(os.path.join(TOP, pattern), recursive=True)):
            for n, part in enumerate(cut(read(path))):
                yield "%s-%d" % (os.path.relpath(path, TOP).replace("/", "_"), n), part


def sessions():
    """What is typed in the blocks of the pages, below the script they name."""
    pages = sorted(glob.glob(os.path.join(TOP, "docs", "*.md")))
    for page in pages + [os.path.join(TOP, "README.md")]:
        for n, found in enumerate(re.finditer(SESSION, read(page), flags=re.M | re.S)):
            lines = re.findall(r"^(?:fray>|\.{3,}|  *>) ?(.*)", found[2], flags=re.M)
            typed = "".join(line + "\n" for line in lines)
            script = os.path.join(TOP, found[1])
            above = cut(read(script))[:1] if os.path.isfile(script) else []
            yield "%s-%d" % (os.path.basename(page), n), "".join(above) + "\n%%\n" + typed


def told(*command):
    try:
        done = subprocess.run([FRAY, *command], input="", capture_output=True, text=True,
                              timeout=SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


def played(folder, name, text):
    """What the command makes of a script: its log and a part of its odds."""
    with tempfile.TemporaryDirectory(prefix="fray-seeds-") as beside:
        path, part = os.path.join(beside, "seed.fray"), os.path.join(beside, "part")
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
            f.write(text)
        log = told("run", "--json", path)
        if 0 < len(log) < 3 * MOST:
            keep(folder, "log", name, text + "\n%%\n" + log)
        told("odds", "--trials=4", "--shard=1/1", "--out=" + part, path)
        if os.path.isfile(part) and os.path.getsize(part) < 4 * MOST:
            keep(folder, "part", name, read(part))


def main():
    folder = sys.argv[1]
    for target in SCRIPTS + ["session", "log", "part", "table"]:
        os.makedirs(os.path.join(folder, target), exist_ok=True)
        for old in os.listdir(os.path.join(folder, target)):
            os.remove(os.path.join(folder, target, old))
    all_ = list(scripts())
    for name, text in all_:
        for target in SCRIPTS:
            keep(folder, target, name, text)
    for name, text in sessions():
        keep(folder, "session", name, text)
    fights = [(name, text) for name, text in all_
              if FRAY and re.search(r"^encounter ", text, flags=re.M)]
    for name, text in fights[::max(1, len(fights) // PLAYED)]:
        played(folder, name, text)


main()
