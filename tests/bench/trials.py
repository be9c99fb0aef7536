#!/usr/bin/env python3
"""trials.py - what a trial of each fight costs: processor time, its ratio to F3 in the same run, how many times as long
it takes without native code, instructions, and instructions for each die.

usage: python3 tests/bench/trials.py [--time] [--passes=N] [--seconds=S] [--history=COMMIT] BUILD [PART ..]

BUILD holds fray and libfray.a; CC names the compiler that trial.c is built with. A PART is a part of a fight's name or group (fights.py). --time leaves the
instructions out, which take nine tenths of the time. Fights are measured by turns, `passes` times each, and
the least counts, since noise only adds. --history adds two rows to history.csv, as is done for a release and for a
change that is meant to make fights faster: ratios of time to F3, and instructions of a trial."""

import argparse
import datetime
import os
import re
import statistics
import subprocess
import sys

import fights

DICE_TRIALS = 10
ROW = "%-14s %12s %9s %7s %14s %8s %10s   %s"


def compile_with(build, name):
    """Builds the program NAME.c of this folder with libfray.a."""
    out = os.path.join(build, "bench")
    os.makedirs(out, exist_ok=True)
    subprocess.run(os.environ.get("CC", "gcc").split() + ["-std=c11", "-O2", "-D_POSIX_C_SOURCE=200809L", "-I" + fights.TOP, "-o", os.path.join(out, name),
                   os.path.join(fights.HERE, name + ".c"), os.path.join(build, "libfray.a"), "-ljansson", "-lm", "-pthread"], check=True)


def trial(build, path, fight, seconds, native):
    """(nanoseconds a trial or None, the rest of what `trial` says)"""
    done = subprocess.run([os.path.join(build, "bench", "trial"), path, fight.encounter, str(fight.warm), "time", str(seconds)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=dict(os.environ, FRAY_NATIVE=native))
    told = re.match(r"trials (\d+) nanoseconds (\d+) stopped (\d+) unsettled (\d+) rounds \d+ status (\d+)", done.stdout.decode())
    if not told:
        return None, done.stderr.decode("utf-8", "replace").strip()
    trials, took, stopped, unsettled, _ = (int(x) for x in told.groups())
    notes = ["%.1f %% stop: %s" % (stopped / 1e4, fights.complaint(done.stderr))] if stopped else []
    notes += ["%.1f %% undecided" % (unsettled / 1e4)] if unsettled else []
    return (took / trials if trials else None), ", ".join(notes)


def instructions(build, path, fight):
    """Of a trial, or None without valgrind."""
    try:
        done = subprocess.run(["valgrind", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=/dev/null",
                               os.path.join(build, "bench", "trial"), path, fight.encounter, str(fight.warm), "count", str(fight.count)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    except FileNotFoundError:
        return None
    told = re.search(r"Collected : (\d+)", done.stderr.decode("utf-8", "replace"))
    return int(told.group(1)) / fight.count if told and int(told.group(1)) else None


def times(build, all_fights, passes, seconds):
    """(nanoseconds of a trial, of one without native code, what there is to note) by name: by turns, the least."""
    found = {}
    for fight, path in all_fights * passes:
        with_code, note = trial(build, path, fight, seconds, "1")
        without, _ = trial(build, path, fight, seconds, "0")
        best = found.get(fight.name, (None, None, note))
        found[fight.name] = (least(best[0], with_code), least(best[1], without), note)
    return found


def least(a, b):
    return a if b is None or (a is not None and a < b) else b


def measured(build, parts, passes, seconds, count, told):
    """Rows: (fight, (nanoseconds, without native code, note), instructions, dice)."""
    folder = os.path.join(build, "bench", "fights")
    os.makedirs(folder, exist_ok=True)
    chosen = fights.chosen(build, parts, told)
    if "f3" not in [f.name for f in chosen]:
        chosen = [f for f in fights.standing() if f.name == "f3"] + chosen
    placed = [(f, fights.write(f, folder)) for f in chosen]
    took = times(build, placed, passes, seconds)
    for fight, path in placed:
        dice = fights.dice(os.path.join(build, "fray"), path, fight.encounter, DICE_TRIALS)
        yield fight, took[fight.name], instructions(build, path, fight) if count else None, dice


def remember(commit, rows, set_of):
    """Adds what was measured to history.csv: `rows` of (fight, ratio to F3, instructions)."""
    path = os.path.join(fights.HERE, "history.csv")
    with open(path, encoding="utf-8") as f:
        names = f.readline().strip().split(",")[4:]
    found = {fight.name: (number(ratio, "%.3f"), number(spent, "%.0f")) for fight, ratio, spent in rows}
    with open(path, "a", encoding="utf-8") as f:
        for i, figure in enumerate(("ratio to f3", "instructions")):
            f.write(",".join([commit, datetime.date.today().isoformat(), set_of, figure] + [found.get(n, ("-", "-"))[i] for n in names]) + "\n")


def number(x, form):
    return form % x if x is not None else "-"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--time", action="store_true")
    options.add_argument("--passes", type=int, default=3)
    options.add_argument("--seconds", type=float, default=0.2)
    options.add_argument("--history", metavar="COMMIT")
    options.add_argument("build")
    options.add_argument("parts", nargs="*")
    o = options.parse_args()
    build, base, rows = os.path.abspath(o.build), None, []
    compile_with(build, "trial")
    print(ROW % ("a trial of", "microseconds", "of f3", "native", "instructions", "dice", "a die", "to note"), flush=True)
    for fight, (took, without, note), spent, dice in measured(build, o.parts, o.passes, o.seconds, not o.time, print):
        base = took if fight.name == "f3" else base
        ratio = took / base if took and base else None
        rows.append((fight, ratio, spent))
        print(ROW % (fight.name, number(took and took / 1000, "%.2f"), number(ratio, "%.3f"), number(without / took if took and without else None, "%.1f"), number(spent, "%.0f"), number(dice, "%.1f"),
                     number(spent / dice if spent and dice else None, "%.0f"), note), flush=True)
    ratios = [ratio for fight, ratio, _ in rows if ratio and fight.group != "standard"]
    if ratios:
        print(ROW % ("median of %d" % len(ratios), "", "%.3f" % statistics.median(ratios), "", "", "", "", ""))
    if o.history:
        remember(o.history, rows, fights.mark([fight for fight, _, _ in rows]))


if __name__ == "__main__":
    main()
