#!/usr/bin/env python3
"""bars.py - what every fight is held to besides the time of a trial: growth with the number of combatants, the first
answer of `fray odds`, ten thousand trials of an example, `check` of a thousand lines, the prompt late in a large fight under every system, two plain
fights beside C and Lua (plain.c, plain.lua), and two spellings of one fight.

usage: python3 tests/bench/bars.py BUILD [references|spellings|growth|first|examples|check|prompt ..]

A figure over its bar is told as "short of its bar". That fails only where OPEN does not name it: OPEN lists the bars
that do not hold yet, and whoever makes one hold takes it off. Programs that do not play the same fight always fail. Times are those of the processor, on one thread."""

import glob
import json
import math
import os
import re
import resource
import subprocess
import sys

import fights
import trials

OPEN = {"growth lite", "growth proc", "growth crucible", "growth dew", "growth osric", "first", "examples", "lua", "f2-standard", "f3-standard"}
OPEN |= {"prompt why not crucible", "prompt why not dew", "prompt why proc"}
OPEN |= {"prompt why lite", "prompt why not lite"} # lite holds them, or misses them by a tenth

SIZES = (1, 2, 4, 8, 16, 32, 64)
ROUNDS = 4              # the first of each fight: hardly anybody has fallen, so the size is what it says
FITTED = 8              # from this size on the exponent is taken: below, a fight has not much to grow
# rolls times the logarithm of N: from 8 to 64 eight times the rolls, and the logarithm twice
EXPONENT = math.log(8 * math.log(64) / math.log(8)) / math.log(8)
FIRST = 0.5             # seconds
EXAMPLE = 1.0
PROMPT = (10, 30)       # milliseconds, the median and the worst
# million instructions of `fray check` by callgrind, and how much more is too much; gcc 12, x86-64
CHECKED = {"combatants": 99.2, "rules": 53.4}
SLOWER = 1.1
SPELLED = 1.2           # times as long, of two spellings of one fight
SIGMAS = 5              # figures of two programs may lie apart
PATIENCE = 120

SIEGE = """use %s
weapon spear { damage: 1d8 }
monster guard { hit points: 4000; armour class: 2; THAC0: 19; carries: spear%s }
monster goblin { hit points: 4000; armour class: 2; THAC0: 19; carries: spear%s }
policy stand firm { attack my nearest enemy with spear }
encounter the long fight {
  side party: 20 guards
  side horde: 20 goblins
  distance: 5 ft
  guards follow stand firm
  goblins follow stand firm
  until party is down or horde is down
}
"""


class Bars:
    """What was found short of its bar."""

    def __init__(self):
        self.bad = []

    def hold(self, name, good):
        """The word to print beside a figure."""
        if good:
            return ""
        if name not in OPEN:
            self.bad.append(name)
        return "short of its bar" if name in OPEN else "SHORT OF ITS BAR"


def processor_seconds(args, folder):
    """(seconds of processor, exit status or None when it took too long)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        status = subprocess.run(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, timeout=PATIENCE).returncode
    except subprocess.TimeoutExpired:
        status = None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, status


def folder_of(build, name):
    path = os.path.join(build, "bench", name)
    os.makedirs(path, exist_ok=True)
    return path


def a_round(build, path, seconds):
    """Microseconds, or None."""
    try:
        done = subprocess.run([os.path.join(build, "bench", "trial"), path, "", "36", "time", str(seconds), str(ROUNDS)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None
    told = re.match(rb"trials (\d+) nanoseconds (\d+) .* rounds (\d+)", done.stdout)
    count, took, rounds = (int(x) for x in told.groups()) if told else (0, 0, 0)
    return took / count / (rounds / 1e6) / 1000 if count and rounds else None


def a_trial(build, path, warm):
    """Microseconds."""
    return min(trials.trial(build, path, fights.Fight("", "", "", "", warm, 0), 0.2, "1")[0] for _ in range(3)) / 1000


def by_hand(args, few, many):
    """(microseconds a trial, figures) of a reference program; N in its arguments is the number of trials."""
    took = [min(processor_seconds([str(n) if a == "N" else a for a in args], fights.TOP)[0] for _ in range(3)) for n in (few, many)]
    said = subprocess.run([str(many) if a == "N" else a for a in args], stdout=subprocess.PIPE, check=True).stdout.decode().split()
    return (took[1] - took[0]) / (many - few) * 1e6, {said[i]: float(said[i + 1]) for i in range(0, len(said), 2)}, many


def apart(one, n_one, two, n_two, spread):
    """Why the figures of two programs cannot be of one fight, or None; `spread` is the deviation of the rounds."""
    share = (one["left"] * n_one + two["left"] * n_two) / (n_one + n_two)
    for name, deviation in (("left", math.sqrt(share * (1 - share))), ("rounds", spread)):
        if abs(one[name] - two[name]) > SIGMAS * deviation * math.sqrt(1 / n_one + 1 / n_two):
            return "%s: %g and %g" % (name, one[name], two[name])
    return None


def references(build, bars):
    folder, out = folder_of(build, "fights"), os.path.join(build, "bench", "plain")
    subprocess.run(os.environ.get("CC", "gcc").split() + ["-std=c11", "-O2", "-o", out, os.path.join(fights.HERE, "plain.c")], check=True)
    print("\n%-16s %12s %10s %10s   %s" % ("a trial of", "microseconds", "C is 1", "Lua is 1", "1 of Lua is wanted"))
    for n, asked in ((10, 20000), (40, 3000)):
        path = os.path.join(folder, "osric-%d.fray" % n)
        with open(path, "w", encoding="utf-8") as f:
            f.write(fights.plain("osric", n))
        took = a_trial(build, path, 150 if n == 10 else 40)
        c = by_hand([out, str(n), "N", "1"], 1000, 400000 if n == 10 else 100000)
        lua = by_hand(["lua5.4", os.path.join(fights.HERE, "plain.lua"), str(n), "N", "2"], 1000, 40000 if n == 10 else 10000)
        odds = json.loads(subprocess.run([os.path.join(build, "fray"), "odds", "--json", "--threads=1", "--trials=%d" % asked, "--giving=left wins, spread round", path],
                                         stdout=subprocess.PIPE, check=True).stdout.splitlines()[0])
        left, rounds = odds["measures"]
        played = {"left": left["value"], "rounds": rounds["value"]}
        wrong = apart(played, asked, c[1], c[2], rounds["deviation"]) or apart(lua[1], lua[2], c[1], c[2], rounds["deviation"])
        if wrong:
            bars.bad.append("the reference of osric-%d plays another fight (%s)" % (n, wrong))
        print("%-16s %12.2f %10.4f %10.3f   %s" % ("osric-%d" % n, took, c[0] / took, lua[0] / took, bars.hold("lua", lua[0] >= took)), flush=True)


def spellings(build, bars):
    folder = folder_of(build, "fights")
    print("\n%-16s %12s %10s   %s" % ("a trial of", "microseconds", "times", "the other spelling; at most %.1f is wanted" % SPELLED))
    for name, warm in (("f2", 1000), ("f3", 150)):
        took, said = {}, {}
        for one in (name, name + "-standard"):
            path = os.path.join(folder, one + ".fray")
            with open(path, "w", encoding="utf-8") as f:
                f.write(fights.read("tests", "bench", one + ".fray"))
            took[one] = a_trial(build, path, warm)
            said[one] = subprocess.run([os.path.join(build, "fray"), "odds", "--threads=1", "--trials=300", path], stdout=subprocess.PIPE, check=True).stdout
        other = name + "-standard"
        if said[name] != said[other]:
            bars.bad.append("%s and %s have other odds" % (name, other))
        print("%-16s %12.2f %10.2f   %s" % (other, took[other], took[other] / took[name], bars.hold(other, took[other] <= SPELLED * took[name])), flush=True)


def exponent(sizes, values):
    """The slope of the logarithms, by least squares."""
    points = [(math.log(n), math.log(v)) for n, v in zip(sizes, values) if n >= FITTED and v]
    if len(points) < 2:
        return None
    x, y = (sum(p[i] for p in points) / len(points) for i in (0, 1))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, b in points)


def growth(build, bars):
    folder = folder_of(build, "growth")
    print("\n%-10s" % "a round" + "".join("%10s" % ("%d v %d" % (n, n)) for n in SIZES) + "  exponent from 8 on; %.2f is wanted" % EXPONENT)
    for system in fights.SYSTEMS:
        values = []
        for n in SIZES:
            path = os.path.join(folder, "%s-%d.fray" % (system, n))
            with open(path, "w", encoding="utf-8") as f:
                f.write(fights.plain(system, n))
            values.append(a_round(build, path, 0.1))
        slope = exponent(SIZES, values)
        print("%-10s" % system + "".join("%10s" % trials.number(v, "%.1f") for v in values) + "  %s %s" % (
            trials.number(slope, "%.2f"), bars.hold("growth " + system, slope is not None and slope <= EXPONENT)), flush=True)
    print("(microseconds, over the first %d rounds of a plain fight)" % ROUNDS)


def first(build, bars):
    folder = folder_of(build, "fights")
    print("\n%-16s %8s   %s" % ("first answer of", "seconds", "%.1f is wanted" % FIRST))
    for fight in fights.chosen(build, [], lambda why: None):
        path = fights.write(fight, folder)
        took, status = processor_seconds([os.path.join(build, "fray"), "odds", "--threads", "1", path], folder)
        print("%-16s %8.2f   %s %s" % (fight.name, took, bars.hold("first", took <= FIRST and status is not None),
                                       "" if status == 0 else "no answer in %d s" % PATIENCE if status is None else "exit status %d" % status), flush=True)


def examples(build, bars):
    print("\n%-44s %8s   %s" % ("10,000 trials of an example", "seconds", "%.1f is wanted" % EXAMPLE))
    for path in sorted(glob.glob(os.path.join(fights.TOP, "examples", "**", "*.fray"), recursive=True)):
        text = fights.read(path)
        for rules in [None] + [s for s in fights.SYSTEMS[1:] if "five-ways" in path]:
            for title in re.findall(r"(?m)^encounter ([^{\n]*?) *\{", text):
                args = [os.path.join(build, "fray"), "odds", "--threads", "1", "--trials", "10000"] + (["--rules", rules] if rules else []) + [path, title]
                took, status = processor_seconds(args, fights.TOP)
                print("%-44s %8.2f   %s %s" % (os.path.relpath(path, os.path.join(fights.TOP, "examples")) + (", " + rules if rules else ", " + title), took,
                                               bars.hold("examples", took <= EXAMPLE and status is not None), "" if status == 0 else "exit status %s" % status), flush=True)


def word(i):
    """A name of letters alone: Bab, Bac, .."""
    return "B" + "aeiou"[i % 5] + "bdfgklmnprst"[i // 5 % 12] + "aeiou"[i // 60 % 5]


def thousand(kind):
    """A script of about 1,000 lines."""
    if kind == "combatants":
        lines = ["use osric", "use shelf"]
        for i in range(200):
            lines += ["combatant Hero %s {" % word(i), "  class: fighter; level: %d; strength: %d" % (1 + i % 9, 9 + i % 10),
                      "  hit points: %d" % (8 + i % 40), "  carries: long sword, chain mail, small shield", "}"]
        return "\n".join(lines) + "\nencounter the field {\n  side one: Hero %s\n  side two: Hero %s\n  distance: 5 ft\n}\n" % (word(0), word(1))
    lines = ["use osric", "weapon sword { damage: 1d8 }", "combatant Ann { hit points: 9; weapon: sword }", "combatant Ben { hit points: 9; weapon: sword }"]
    for i in range(250):
        lines += ['rule custom %s "house %d" {' % (word(i), i),
                  "  adjust to-hit (attacker, target, weapon) by %d when attacker's hit points < %d and target is able" % (1 + i % 3, 2 + i),
                  '  after hit when target\'s hit points < %d { note "{target} is pressed, %s" }' % (i, word(i)), "}"]
    return "\n".join(lines) + "\nencounter the field { side one: Ann; side two: Ben; distance: 5 ft; round 1 { Ann attacks Ben } }\n"


def check(build, bars):
    fray, folder = os.path.join(build, "fray"), folder_of(build, "check")
    print("\n%-20s %10s   %s" % ("1,000 lines", "", "million instructions of `fray check`; a tenth more than last measured is too much"))
    for kind, before in CHECKED.items():
        path = os.path.join(folder, kind + ".fray")
        with open(path, "w", encoding="utf-8") as f:
            f.write(thousand(kind))
        try:
            done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", fray, "check", path],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except FileNotFoundError:
            print("%-20s %10s   valgrind is not installed" % (kind, "-"))
            continue
        told = re.search(rb"Collected : (\d+)", done.stderr)
        count = int(told.group(1)) / 1e6 if told else math.inf
        good = done.returncode == 0 and not done.stdout and count <= before * SLOWER
        print("%-20s %10.1f   %.1f before %s" % (kind, count, before, bars.hold("check " + kind, good)), flush=True)


def prompt(build, bars):
    folder, program = folder_of(build, "siege"), os.path.join(build, "bench", "prompt")
    trials.compile_with(build, "prompt")
    print("\n%-10s %-10s %10s %10s   %s" % ("20 v 20", "", "median", "worst", "milliseconds, after 100 rounds; %d and %d are wanted" % PROMPT))
    for system in fights.SYSTEMS:
        path = os.path.join(folder, system + ".fray")
        lasting = "; BD: 4000" if system == "dew" else ""
        with open(path, "w", encoding="utf-8") as f:
            f.write(SIEGE % (system, lasting, lasting))
        done = subprocess.run([program, path, "typed", "100"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=4 * PATIENCE)
        for line in done.stdout.decode().splitlines():
            name, median, worst = line.split()
            median, worst = int(median) / 1e6, int(worst) / 1e6
            print("%-10s %-10s %10.1f %10.1f   %s" % (system, name.replace(",", " "), median, worst,
                                                      
                                                      bars.hold("prompt %s %s" % (name.replace(",", " "), system),
                                                                median <= PROMPT[0] and worst <= PROMPT[1])), flush=True)
        if done.returncode:
            print("%-10s %s" % (system, done.stderr.decode("utf-8", "replace").strip().splitlines()[-1]))
            bars.hold("prompt", False)


def main():
    build, asked, bars = os.path.abspath(sys.argv[1]), sys.argv[2:], Bars()
    trials.compile_with(build, "trial")
    for part in (references, spellings, growth, first, examples, check, prompt):
        if not asked or part.__name__ in asked:
            part(build, bars)
    if bars.bad:
        sys.exit("over a bar that held, or wrong: " + ", ".join(sorted(set(bars.bad))))


if __name__ == "__main__":
    main()
