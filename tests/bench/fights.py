"""fights.py - the fights that `make bench` measures, by name.

usage: python3 tests/bench/fights.py                     names and groups
       python3 tests/bench/fights.py BUILD FOLDER NAME   writes the script of one, and what it uses, to the folder

Thirty of them are the set (FIGHTS.md): fifteen that stand fixed - plain fights under every system, examples, a page
of the docs, parties against the shelf - and fifteen drawn by the soak's generator from SEED. F1 to F3 stand beside
the set: they are what its times are given in.

SEED is the number of the release and nothing else: every release draws fifteen new fights, and nobody can have tuned
to them. A fight that is refused, that stops for a ruling more often than not, that is undecided after 1,000 rounds more
than one time in fifty, or in which no die falls is not measured; the next number takes its place, and `make bench`
names it with the reason."""

import collections
import hashlib
import json
import os
import random
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
SYSTEMS = ("osric", "lite", "proc", "crucible", "dew")
DRAWN_EACH = 3          # per system: fifteen
TRIED = 40              # numbers looked at for them
STOPPED_MOST = 0.5      # of its trials, for a ruling or at a limit
UNDECIDED_MOST = 0.02   # after 1,000 rounds: where nobody can win, a trial is as long as that limit and tells of nothing else

# `warm` trials are played before the measured ones, so that native code (after 32), and for the shortest fights what
# is learnt from the first trials (after 64), is there; `count` are counted under callgrind.
Fight = collections.namedtuple("Fight", "name group text encounter warm count")

PLAIN = """-- %(n)d against %(n)d as they come: every option at its default, nobody told anything.
use %(system)s
use shelf
monster pikeman { hit dice: 2; hit points: 9; THAC0: 18; armour class: 5; attacks: pike 1d8 }
monster hillman { hit dice: 2; hit points: 9; THAC0: 18; armour class: 5; attacks: axe 1d8 }
encounter plain {
  side left: %(left)s
  side right: %(right)s
  distance: 5 ft
  until left is down or right is down
}
"""


def read(*path):
    with open(os.path.join(TOP, *path), encoding="utf-8") as f:
        return f.read()


def plain(system, n):
    several = (lambda one, all: one if n == 1 else "%d %s" % (n, all))
    return PLAIN % {"system": system, "n": n, "left": several("pikeman", "pikemen"), "right": several("hillman", "hillmen")}


def of_page(page, title):
    """The block of a page that is a script of this name."""
    return re.search(r"(?ms)^```fray %s\n(.*?)^```" % re.escape(title), read("docs", page)).group(1)


def standing():
    """F1 to F3, and the fifteen that stand fixed."""
    for name, warm, count in (("f1", 100000, 50000), ("f2", 1000, 1000), ("f3", 150, 100), ("f2-standard", 1000, 1000), ("f3-standard", 150, 100)):
        yield Fight(name, "standard", read("tests", "bench", name + ".fray"), "", warm, count)
    for n, warm, count in ((10, 150, 50), (40, 40, 4)):
        for system in SYSTEMS:
            yield Fight("%s-%d" % (system, n), "plain", plain(system, n), "", warm, count)
    yield Fight("bridge", "examples", read("examples", "bridge.fray"), "", 2000, 500)
    yield Fight("crypt", "examples", read("examples", "crypt.fray"), "", 2000, 500)
    yield Fight("mill", "examples", of_page("odds.md", "mill.fray"), "", 2000, 500)
    for name in ("party-osric", "party-lite"):
        yield Fight(name, "parties", read("tests", "bench", name + ".fray"), "", 300, 100)


# ---- drawn ----

def release():
    return re.search(r'FRAY_VERSION "([^"]*)"', read("lang", "api", "fray.h")).group(1)


SEED = release()


def generator(fray):
    """draw.py and systems.py, which ask the command what each system knows."""
    os.environ["FRAY"] = fray
    sys.path.insert(0, os.path.join(TOP, "tests", "soak"))
    import draw
    import systems
    return draw, systems.system


def complaint(text):
    """The first line that is more than a warning, without its place."""
    found = [l for l in text.decode("utf-8", "replace").splitlines() if re.search(r"\[F\d{4}\]$", l) and " warning: " not in l]
    return re.sub(r"^\S*:\d+: ", "", found[0]) if found else ""


def unfit(fray, path):
    """Why a fight is not measured, or None."""
    done = subprocess.run([fray, "odds", "--json", "--trials=50", "--threads=1", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = done.stdout.decode().splitlines()
    told = complaint(done.stderr)
    if not said:
        return "refused: %s" % (told or "status %d" % done.returncode)
    odds = json.loads(said[0])
    if odds["stopped"] > STOPPED_MOST:
        return "stopped in %.0f %% of its trials: %s" % (100 * odds["stopped"], told)
    if odds["unsettled"] > UNDECIDED_MOST:
        return "undecided after 1,000 rounds in %.0f %% of its trials" % (100 * odds["unsettled"])
    return None if dice(fray, path, "", 2) else "no die falls"


def drawn(build, names, told):
    """The other fifteen, of these systems; `told` is called with what is not measured and why."""
    fray = os.path.join(build, "fray")
    draw, system = generator(fray)
    folder = os.path.join(build, "bench", "drawn")
    os.makedirs(folder, exist_ok=True)
    for name in names:
        rng, one = random.Random("bench %s %s" % (SEED, name)), system(name)
        found = 0
        for _ in range(TRIED):
            number = rng.randrange(1000000)
            text = "\n".join(draw.script(one, [number])) + "\n"
            text = re.sub(r'(?m)^  rule watch "soak" \{\n(    .*\n)*  \}\n', "", text)    # what the soak looks for is no part of a fight
            path = os.path.join(folder, "%s-%d.fray" % (name, number))
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            why = unfit(fray, path)
            if why:
                told("%s %d is not measured: %s" % (name, number, why))
                continue
            found += 1
            yield Fight("%s-%s" % (name, "abc"[found - 1]), "drawn", text, "", 300, 50)
            if found == DRAWN_EACH:
                break


def chosen(build, patterns, told):
    """The fights whose name or group holds a pattern; all without one."""
    wanted = (lambda fight: not patterns or any(p in fight.name or p in fight.group for p in patterns))
    found = [f for f in standing() if wanted(f)]
    names = [s for s in SYSTEMS if any(wanted(Fight("%s-%s" % (s, x), "drawn", "", "", 0, 0)) for x in "abc")]
    return found + [f for f in drawn(build, names, told) if wanted(f)]


def mark(chosen):
    """Some letters that stand for the texts: rows of history.csv with the same ones are of the same fights."""
    return hashlib.sha256("".join(f.name + f.text for f in chosen).encode()).hexdigest()[:8]


def write(fight, folder):
    """The script as a file, with what it uses beside it."""
    path = os.path.join(folder, fight.name + ".fray")
    for name, text in ((fight.name, fight.text), ("things", read("examples", "things.fray")), ("gentle", read("examples", "house", "gentle.fray"))):
        with open(os.path.join(folder, name + ".fray"), "w", encoding="utf-8") as f:
            f.write(text)
    return path


def dice(fray, path, encounter, trials):
    """Dice that fall in a trial, on average over the first so many."""
    fell = 0
    for trial in range(trials):
        done = subprocess.run([fray, "odds", "--json", "--trial=%d" % trial, path] + ([encounter] if encounter else []), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in done.stdout.splitlines():
            if b'"kind":"roll"' in line:
                fell += sum(len(d["faces"]) for d in json.loads(line)["dice"] if d["source"] == "rolled")
    return fell / trials


def main():
    if len(sys.argv) != 4:
        print("\n".join("%-12s %s" % (f.name, f.group) for f in standing()) + "\n%-12s drawn" % "SYSTEM-a .. -c")
        return
    build, folder, name = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for fight in chosen(os.path.abspath(build), [name], print):
        print(write(fight, folder))


if __name__ == "__main__":
    main()
