#!/usr/bin/env python3
"""soak.py - random but legal fights, played under a system with random options.

usage: python3 tests/soak/soak.py [-j JOBS] [-r] [-w N] SYSTEM [FIGHTS [FIRST]]

Every fight comes from its number alone (draw.py, systems.py). It is played, its log is examined
(invariants.py) and played again:

  - no crash, no limit, no mistake in the script; a ruling needed is counted, not an error;
  - nobody acts when he is out; spells and pending acts end; no counter goes below what it may;
  - the log played again gives the same log;
  - one fight of each batch is played again with all its dice said beforehand, and no others allowed:
    every one of them falls, and it is the same fight; and is told as a story, with reasons.

With -w N only one batch of fights in N is examined so; of the others it is seen that they can be told to
their end, and that the rules of draw.py which watch them have nothing to say.

A fight that fails is shortened as long as it still fails and written to build/soak; with -r those
that need a ruling are, too."""

import argparse
import concurrent.futures
import copy
import itertools
import os
import re
import subprocess
import sys
import tempfile
import time

import draw
import invariants
from systems import FRAY, TOP, system

ROUNDS = 10
RUN = b'{"event":"run","kind":"run",'
LOG = os.path.join(TOP, "build/soak")


def fray(*args, timeout=120):
    return subprocess.run([FRAY, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)


class Wrong(Exception):
    """What is wrong with a fight."""


class Ruling(Exception):
    """A ruling is needed."""


def played(done, folder):
    """The log of a fight that was played."""
    said = done.stderr.decode("utf-8", "replace").strip().replace(folder, "")
    if done.returncode == 3 and "uling needed" in said:
        raise Ruling(said)
    if done.returncode != 0:
        raise Wrong("status %d: %s" % (done.returncode, said.split("\n")[0]))
    return done.stdout


def fights(out):
    """The logs of one fight each."""
    return [RUN + log for log in (b"\n" + out).split(b"\n" + RUN)[1:]]


def same(logs, others):
    """Whether they tell the same, but for the name of the script, and whether a die was rolled, read or said beforehand."""
    return len(logs) == len(others) and all(as_played(a) == as_played(b) for a, b in zip(logs, others))


def as_played(log):
    return log[log.index(b"\n"):].replace(b'"source":"rolled"', b'"source":"forced"').rstrip()


def play(system, lines, folder, seed, thorough):
    """Plays the fights of one script; raises Wrong or Ruling unless all is well with all of them."""
    never = set()       # the lines that these rules never ask for

    def run(name, text, *args):
        path = os.path.join(folder, name)
        if text:
            with open(path, "w", encoding="utf-8") as f:
                f.write("\n".join(text) + "\n")
        try:
            done = fray("run", "--max-rounds=%d" % ROUNDS, *args, path)
            never.update(int(at) for at in re.findall(rb":(\d+): warning: This line is never used", done.stderr))
            return played(done, folder)
        except subprocess.TimeoutExpired:
            raise Wrong("it never ends") from None

    seed = "--seed=%d" % seed
    out = run("fight.fray", lines, "--json", seed)
    logs = fights(out)
    for log in logs:
        read = invariants.read(log, invariants.reader(system))
        wrong = invariants.examine(read, system) or invariants.unsaid(read, lines, never)
        if wrong:
            raise Wrong(wrong)
    kept = os.path.join(folder, "log.json")
    with open(kept, "wb") as f:
        f.write(out)
    if not same(fights(run("fight.fray", None, "--json", "--replay=" + kept)), logs):
        raise Wrong("played again from its log it is another fight")
    if not thorough:
        return
    said = invariants.forced(lines, invariants.read(out, invariants.reader(system))) if len(logs) == 1 else None
    if said and not same(fights(run("forced.fray", said, "--json", seed)), logs):
        raise Wrong("with its dice said beforehand it is another fight")
    story = run("fight.fray", lines, seed).decode("utf-8", "replace")
    wrong = invariants.silent(invariants.read(out, invariants.reader(system)), story) if len(logs) == 1 else None
    if wrong:
        raise Wrong(wrong)
    run("fight.fray", None, "--why", seed)
    run("fight.fray", None, "--timeline", seed)


def verdict(system, lines, folder, seed, thorough):
    """("", "wrong" or "ruling"; the words for it)"""
    try:
        play(system, lines, folder, seed, thorough)
    except Wrong as wrong:
        return "wrong", str(wrong)
    except Ruling as ruling:
        return "ruling", str(ruling)
    return "", ""


def told_well(lines, folder, seed):
    """Whether the fights of a script can be told as stories to their end, and no rule that watches has anything to say."""
    path = os.path.join(folder, "fight.fray")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    try:
        done = fray("run", "--max-rounds=%d" % ROUNDS, "--seed=%d" % seed, path)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0 and b"broken:" not in done.stdout


# ---- shortening ----

def shorten(system, lines, kind, words, folder, seed):
    """Takes out lines and blocks, then fields and sentences, as long as the same thing goes wrong."""
    def same(shorter):
        k, w = verdict(system, shorter, folder, seed, True)
        return k == kind and gist(w) == gist(words)

    def fewer(parts, joined):
        size = len(parts) // 2
        while size:
            at = 0
            while at < len(parts):
                without = parts[:at] + parts[at + size:]
                if same(joined(without)):
                    parts = without
                else:
                    at += size
            size //= 2
        return parts

    before = None
    while lines != before:
        before = list(lines)
        for at in range(len(lines) - 1, -1, -1):        # whole blocks first
            if at < len(lines) and lines[at].endswith("{"):
                end = block_end(lines, at)
                if same(lines[:at] + lines[end:]):
                    lines = lines[:at] + lines[end:]
        lines = fewer(lines, lambda parts: parts)
        for at, line in enumerate(lines):
            head, brace, fields = line.partition("{ ")
            if brace and fields.endswith(" }"):
                kept = fewer(fields[:-2].split("; "), lambda parts: lines[:at] + [head + "{ " + "; ".join(parts) + " }"] + lines[at + 1:])
                lines[at] = head + "{ " + "; ".join(kept) + " }"
    return lines


def block_end(lines, at):
    """Behind the } of the block that line `at` opens."""
    depth = 0
    for end in range(at, len(lines)):
        depth += lines[end].count("{") - lines[end].count("}")
        if depth <= 0:
            return end + 1
    return len(lines)


def gist(words):
    """What goes wrong, without where, with whom and by how much."""
    first = words.split("\n")[0]
    return re.sub(r"\d+|\"[^\"]*\"|\b(%s)s?\b( #)?" % "|".join(draw.KINDS + ["rat", "reds", "blues", "greens"]), "", re.sub(r"\"[^\"]* \(", "\"(", first) if "uling" not in first else
                  ",".join(re.findall(r'"\w+: [^("]*', first)))


# ---- many of them ----

class Soak:
    def __init__(self, name, jobs=1, rulings=False, shrink=5, every=1):
        self.name, self.jobs, self.keep_rulings, self.shrink, self.every = name, jobs, rulings, shrink, every
        self.system, self.done = system(name), 0
        self.rulings, self.failures = [], []        # [(number, words, its shortened lines)]

    def batch(self, numbers):
        here = copy.copy(self.system)               # what it settles for one batch is not for another's
        with tempfile.TemporaryDirectory(prefix="fray-soak-") as folder:
            seed = numbers[0] // draw.BATCH
            lines = draw.script(here, numbers)
            whole = seed % self.every == 0
            if verdict(here, lines, folder, seed, False)[0] if whole else not told_well(lines, folder, seed):
                for number in numbers:
                    self.one(here, number, folder, seed)
            elif whole:
                self.one(here, numbers[seed % len(numbers)], folder, seed)
        self.done += len(numbers)

    def one(self, here, number, folder, seed):
        lines = draw.script(here, [number])
        kind, words = verdict(here, lines, folder, seed, True)
        short = []
        if kind and len(self.failures) < self.shrink and (kind == "wrong" or self.keep_rulings):
            short = shorten(here, lines, kind, words, folder, seed)
            self.write(number, seed, words, short)
        if kind:
            (self.failures if kind == "wrong" else self.rulings).append((number, words, short))

    def write(self, number, seed, words, lines):
        os.makedirs(LOG, exist_ok=True)
        with open(os.path.join(LOG, "%s-%d.fray" % (self.name, number)), "w", encoding="utf-8") as f:
            f.write("-- --seed=%d: %s\n" % (seed, words.split("\n")[0]) + "\n".join(lines) + "\n")

    def run(self, numbers, say=False):
        began = time.time()
        batches = [list(batch) for _, batch in itertools.groupby(numbers, lambda n: n // draw.BATCH)]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for n, _ in enumerate(pool.map(self.batch, batches), 1):
                if say and n % 100 == 0:
                    print("%s: %d fights, %d wrong, %d rulings, %d s" % (self.name, self.done, len(self.failures), len(self.rulings), time.time() - began), flush=True)
        return self


def main():
    arguments = argparse.ArgumentParser(usage=__doc__.split("\n")[2][len("usage: "):])
    arguments.add_argument("-j", "--jobs", type=int, default=2)
    arguments.add_argument("-r", "--rulings", action="store_true")
    arguments.add_argument("-w", "--whole", type=int, default=1)
    arguments.add_argument("system")
    arguments.add_argument("fights", type=int, nargs="?", default=1000)
    arguments.add_argument("first", type=int, nargs="?", default=0)
    a = arguments.parse_args()
    soak = Soak(a.system, a.jobs, a.rulings, every=a.whole).run(range(a.first, a.first + a.fights), say=True)
    for number, words, lines in soak.failures:
        print("fight %d: %s" % (number, words.split("\n")[0]))
    for number, words, _ in soak.rulings[:10]:
        print("fight %d: %s" % (number, words.split("\n")[0]))
    print("%s: %d fights, %d wrong, %d ended with a ruling needed" % (a.system, soak.done, len(soak.failures), len(soak.rulings)))
    return 1 if soak.failures or len(soak.rulings) * 1000 >= soak.done else 0


if __name__ == "__main__":
    sys.exit(main())
