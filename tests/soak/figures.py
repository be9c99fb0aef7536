#!/usr/bin/env python3
"""figures.py - plain odds always answer: every figure is a number with an interval.

usage: python3 tests/soak/figures.py [EVERY [FIRST [SHELF]]]     (FRAY names the command)

Asks `fray odds` without any option about every encounter of examples, docs and tests, or about one in EVERY from
number FIRST on; and about SHELF random fights between creatures of the shelf (500), each drawn from its number alone.
What the rules stop everywhere (a limit, a ruling, a mistake on purpose) has no odds and is counted apart."""

import concurrent.futures
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build/release/fray")))
SYSTEMS = ("osric", "lite", "proc", "crucible", "dew")
PATIENCE = 600
FIGHT = """use %s
use shelf
encounter drawn {
  side left: %s
  side right: %s
  distance: %d ft
  left and right follow sensible tactics
  until left is down or right is down or round = %d
}
"""


def creatures():
    """Names that need no quotes."""
    told = subprocess.run([FRAY, "show", "monsters", "--json", "--rules", "osric"], input="", capture_output=True, text=True)
    names = [json.loads(line).get("name", "") for line in told.stdout.splitlines() if line.startswith("{")]
    return [n for n in names if re.match(r"^[a-z][a-z ]*$", n)]


def drawn(number, names):
    rng = random.Random("figures %d" % number)
    side = lambda: ", ".join("%d %s" % (rng.choice((1, 2, 3)), n) if rng.random() < 0.6 else n for n in rng.sample(names, rng.choice((1, 1, 2))))
    return FIGHT % (SYSTEMS[number % len(SYSTEMS)], side(), side(), rng.choice((5, 10, 30, 60)), rng.choice((3, 10, 30)))


def written():
    """(file, encounter) of all that is written down."""
    for folder in ("examples", "tests"):
        for path in sorted(glob.glob(os.path.join(TOP, folder, "**", "*.fray"), recursive=True)):
            with open(path, encoding="utf-8", errors="replace") as f:
                for title in re.findall(r'(?m)^encounter ("[^"\n]*"|[^{\n]*?) *\{', f.read()):
                    yield path, title.strip('"')


def of_pages(folder):
    """The same of the blocks of the docs, written down as scripts of their own."""
    for page in sorted(glob.glob(os.path.join(TOP, "docs", "*.md")) + [os.path.join(TOP, "README.md")]):
        with open(page, encoding="utf-8") as f:
            for number, block in enumerate(re.findall(r"(?ms)^```fray(?: [^\n]*)?\n(.*?)^```", f.read())):
                titles = re.findall(r"(?m)^encounter ([^{\n]*?) *\{", block)
                if not titles or not re.search(r"(?m)^use ", block):
                    continue
                path = os.path.join(folder, "%s-%d.fray" % (os.path.basename(page), number))
                with open(path, "w", encoding="utf-8") as out:
                    out.write(block)
                yield from ((path, t) for t in titles)


def unknown(measure):
    """Why a figure is none, or None."""
    value, low, high = (measure.get(k) for k in ("value", "low", "high"))
    if value is None and measure["kind"] != "chance" and measure.get("unset") == 1:
        return None     # in no fight was there such a thing
    if not all(isinstance(x, (int, float)) for x in (value, low, high)):
        return "%s: %s, %s .. %s" % (measure["name"], value, low, high)
    return None if low - 1e-9 <= value <= high + 1e-9 else "%s: %s is not in %s .. %s" % (measure["name"], value, low, high)


def ask(path, title):
    """(whether it was answered, what is wrong with the answer or None)"""
    try:
        done = subprocess.run([FRAY, "odds", "--json", path] + ([title] if title else []), input="", capture_output=True, text=True,
                              timeout=PATIENCE, cwd=os.path.dirname(path))
    except subprocess.TimeoutExpired:
        return True, "%s, %s: no answer in %d s" % (path, title, PATIENCE)
    name = "%s, %s" % (os.path.relpath(path, TOP), title)
    if done.returncode not in (0, 1, 2, 3):
        return True, "%s: status %d: %s" % (name, done.returncode, done.stderr[-300:])
    answers = [o for o in map(json.loads, done.stdout.splitlines()) if "measures" in o]
    if done.returncode in (2, 3):
        return False, None
    if not answers:
        return True, "%s: no answer: %s" % (name, done.stderr[-300:])
    wrong = [w for w in (unknown(m) for a in answers for m in a["measures"]) if w]
    return True, "%s: %s" % (name, "; ".join(wrong)) if wrong else None


def run(every=1, first=0, shelf=500, step=1):
    """(answered, without odds, what went wrong)"""
    with tempfile.TemporaryDirectory(prefix="fray-figures-") as folder:
        fights = (list(written()) + list(of_pages(folder)))[first % every::every]
        names = creatures()
        for number in range(first, first + shelf * step, step):
            path = os.path.join(folder, "drawn%d.fray" % number)
            with open(path, "w", encoding="utf-8") as out:
                out.write(drawn(number, names))
            fights.append((path, None))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            told = list(pool.map(lambda f: ask(*f), fights))
    return sum(a for a, _ in told), sum(not a for a, _ in told), [w for _, w in told if w]


if __name__ == "__main__":
    answered, apart, wrong = run(*[int(a) for a in sys.argv[1:]])
    print("%d answered, %d without odds" % (answered, apart))
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)
