#!/usr/bin/env python3
"""ways.py - random small fights, each with a question of its own: what they come to in other ways.

usage: python3 tests/soak/ways.py SYSTEM [FIGHTS [FIRST]]

Every fight comes from its number alone (draw.py), with one or two on a side, few hit points and small dice, so that
several rounds can be counted; who asks gets from two to seven measures of all kinds. The programs of tests/api that play
folders of scripts are given them: test_flow counts each through the graph of places, by machines, and by machines that
forget nothing, and the three must agree; test_silent plays each with a log, without, and as code of the processor."""

import os
import random
import re
import subprocess
import sys
import tempfile

import draw
import odds
from systems import FRAY, TOP, system

TESTS = ("test_flow", "test_silent")
WORK = 60000        # dice branched on for each


def measures(rng, name, sides, who):
    points = "EN" if name == "dew" else "hit points"
    found = ["average round", "spread round", "(round's number >= 2)", "(count (one in combatants where one is able) = 1)",
             "(any (one in combatants where one is dead))"] + ["%s wins" % s for s in sides]
    for w in who:
        found += [form % w for form in ("spread %%s's %s" % points, "%s is dead", "%s dies", "%s is able", "%s acts")]
        found += ["%s acts before %s" % (w, other) for other in who if other != w]
    return rng.sample(found, min(len(found), rng.randint(2, 7)))


def fight(name, number):
    """Its text."""
    s = system(name)
    s.near = True
    rng = random.Random("%s %d ways" % (name, number))
    kept, draw.muster = draw.muster, odds.small
    try:
        text = "\n".join(draw.script(s, [number]))
    finally:
        draw.muster = kept
    text = re.sub(r'(?m)^  rule watch "soak" \{\n(    .*\n)*  \}\n', "", text)
    text = re.sub(r"hit points: (\d+)", lambda m: "hit points: %d" % (1 + int(m.group(1)) % 5), text)
    text = re.sub(r"damage: \d+d\d+([+-]\d+)?", lambda m: "damage: " + rng.choice(["1d2", "1d3", "1d2+1", "1d4-1"]), text)
    text = re.sub(r"damage vs large: \d+d\d+", "damage vs large: 1d3", text)
    text = re.sub(r"(claw|bite) \d+d\d+", r"\1 1d2", text)
    sides, who = [], []
    for side, count, kind in re.findall(r"(?m)^  side (\w+): (?:(\d) )?(\w+)", text):
        sides.append(side)
        who += ["%s #%d" % (kind[:-1], i + 1) for i in range(int(count))] if count else [kind]
    end = text.rindex("}")
    return text[:end] + "  odds giving %s\n}\n" % ", ".join(measures(rng, name, sides, who))


def run(name, first, fights, work=WORK):
    """What the tests say that is wrong, and how many rounds of fights were counted."""
    wrong, counted = [], 0
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, "%s_%d.fray" % (name, n)) for n in range(first, first + fights)]
        for number, path in enumerate(paths, first):
            with open(path, "w") as f:
                f.write(fight(name, number))
        files = os.path.join(folder, "files")
        with open(files, "w") as f:
            f.write("\n".join(paths) + "\n")
        for test in TESTS:
            done = subprocess.run([os.path.join(os.path.dirname(FRAY), "tests/api", test)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=TOP,
                                  env=dict(os.environ, FRAY_TEST_FILES=files, FRAY_TEST_WORK=str(work)))
            said = done.stdout.decode("utf-8", "replace")
            found = re.search(r"(\d+) of so many rounds enumerated", said)
            counted += int(found.group(1)) if found else 0
            wrong += [l for l in said.splitlines() if l.startswith(folder)]     # it could not be read
            if done.returncode != 0:
                wrong.append("%s: %s" % (test, said))
    return wrong, counted


def main():
    name, fights, first = sys.argv[1], int((sys.argv[2:] or ["50"])[0]), int((sys.argv[3:] or ["0"])[0])
    wrong, counted = run(name, first, fights)
    print("\n".join(wrong + ["%s: %d rounds of %d random fights come to the same in every way" % (name, counted, fights) if not wrong else "%s: not all ways agree" % name]))
    sys.exit(1 if wrong or not counted else 0)


if __name__ == "__main__":
    main()
