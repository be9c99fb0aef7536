#!/usr/bin/env python3
"""t_lean.py - a fight is read with the stat blocks it can mean alone, and nobody notices."""

import os
import subprocess
import tempfile

import audit

points = []


def check(name, good, *told):
    points.append(good)
    print("%sok %d - %s" % ("" if good else "not ", len(points), name))
    for t in [] if good else told:
        print("# " + str(t).replace("\n", "\n# "))


def run(text, *files):
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("script.fray", text),) + files:
            with open(os.path.join(folder, name), "w") as f:
                f.write(content)
        done = subprocess.run([audit.FRAY, "run", "--seed", "7", os.path.join(folder, "script.fray")], capture_output=True, text=True)
        whole = subprocess.run([audit.FRAY, "repl", os.path.join(folder, "script.fray")], input="begin\nrun\n", capture_output=True, text=True)
    return done, whole


SCENE = "use osric\nuse shelf\n%s\nencounter e {\n  side a: %s\n  side b: %s\n  distance: 30 ft\n  a and b follow brute tactics\n  round 1 { }\n}\n"
NAMES = ("2 ghouls", "3 giant centipedes", "hill giant, 2 wolves", "Ann's friend, ogre", "1 will-o-the-wisp", "3 gnomes")
for names in NAMES:
    more = 'monster Ann\'s friend is an orc with { hit points: 3 }' if "Ann" in names else ""
    done, whole = run(SCENE % (more, names, "2 bandits"))
    check("%s are found" % names, done.returncode == 0 and not done.stderr, done.stderr)
    check("%s: at the prompt too" % names, whole.returncode == 0 and "F0" not in whole.stderr, whole.stderr)
done, _ = run(SCENE % ("use things", "the beast", "2 orcs"), ("things.fray", "monster the beast is a manticore with { carries: trident }\n"))
check("what a file beside the script is made from", done.returncode == 0, done.stderr)
done, _ = run(SCENE % ("", "2 ghuols", "2 orcs"))
check("a name that is not there gets the nearest of all there are", done.returncode == 2 and "Did you mean" in done.stderr and done.stderr.count("ghuols") >= 1, done.stderr)
done, _ = run(SCENE % ("monster orc { hit dice: 1; hit points: 99; armour class: 6; attacks: axe 1d8 }", "orc", "2 bandits"))
check("a script's own is nearer", done.returncode == 0 and not done.stderr, done.stderr)
print("1..%d" % len(points))
