"""app.py - what the tests of the command share: running it, and counting in TAP.

Each test file is a list of functions taking an App; every `check` in them is a test point."""

import json
import os
import re
import subprocess
import sys
import tempfile

FRAY = os.environ.get("FRAY", "build/debug/fray")
# how long a command may take: only one that hangs does, and sanitizers take their time
PATIENCE = 60 * {"asan": 4, "ubsan": 3, "san": 5, "tsan": 10}.get(os.path.basename(os.environ.get("BUILD", "")), 1)
# so that `cd` to the folder of a test's scripts does not lose it
FRAY = os.path.abspath(FRAY)

FORD = """\
weapon long sword { damage: 1d8 }
monster orc { hit dice: 1; hit points: 5; armour class: 6; THAC0: 19; attacks: axe 1d8 }
combatant Bruna { hit points: 31; armour class: 3; THAC0: 17; weapon: long sword }
encounter The Ford {
  side party: Bruna
  side orcs: 2 orcs
  round 1 {
    dice: Bruna's attack roll 17, Bruna's damage 4
    Bruna attacks orc #1
    expect Bruna hits orc #1
  }
}
"""

# the same with an expectation that does not hold
CELLAR = FORD.replace("The Ford", "The Cellar").replace("expect Bruna hits", "expect not Bruna hits")

# two encounters: the first holds, the second does not
BOTH = FORD + CELLAR[CELLAR.index("encounter"):]

# nothing forced: the dice are whatever the seed says
LOOSE = FORD.replace("    dice: Bruna's attack roll 17, Bruna's damage 4\n", "").replace("    expect Bruna hits orc #1\n", "")

# goes on until somebody falls
LONG = """\
use osric
weapon long sword { damage: 1d8 }
monster orc { hit dice: 1; hit points: 5; armour class: 6; THAC0: 19; attacks: axe 1d8 }
combatant Bruna { hit points: 31; armour class: 3; THAC0: 17; weapon: long sword }
policy stand firm { attack my nearest enemy with my weapon }
encounter The Gorge {
  side party: Bruna
  side orcs: 2 orcs
  Bruna follows stand firm
  until orcs are down
}
"""

# takes longer than anybody waits
ENDLESS = """\
weapon long sword { damage: 1d8 }
monster orc { hit points: 50000; armour class: 6; THAC0: 19; weapon: long sword }
policy stand firm { attack my nearest enemy with my weapon }
encounter The Gorge {
  side reds: 200 orcs
  side blues: 200 orcs
  reds and blues follow stand firm
  until reds are down
}
"""

WRONG = "monster orc {\n  hit pints: 5\n}\nmonster elf {\n  armor clas: 5\n}\n"

THINGS = "-- only things\nmonster bat { hit dice: 1; hit points: 1 }\n"


class App:
    def __init__(self):
        self.points = self.failed = 0
        self.folder = tempfile.mkdtemp(prefix="fray-app-")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        return path

    def fray(self, *args, stdin="", env=None, stdout=subprocess.PIPE, folder=None):
        """(exit status, standard output, standard error), run in the folder of the scripts, or in another."""
        done = subprocess.run([FRAY, *args], input=stdin if isinstance(stdin, bytes) else stdin.encode(), stdout=stdout,
                              stderr=subprocess.PIPE, cwd=folder or self.folder, env={**os.environ, **(env or {})}, timeout=PATIENCE)
        return done.returncode, (done.stdout or b"").decode("utf-8", "backslashreplace"), done.stderr.decode("utf-8", "backslashreplace")

    def check(self, name, good, *detail):
        self.points += 1
        print("%sok %d - %s" % ("" if good else "not ", self.points, name))
        if not good:
            self.failed += 1
            for item in detail:
                for line in str(item).splitlines():
                    print("# " + line)

    def skip(self, name, why):
        self.points += 1
        print("ok %d - %s # SKIP %s" % (self.points, name, why))

    def same(self, name, got, wanted):
        self.check(name, got == wanted, "got: %r" % (got,), "wanted: %r" % (wanted,))

    def like(self, name, text, pattern):
        self.check(name, re.search(pattern, text, re.M) is not None, "no %r in:" % pattern, text)

    def unlike(self, name, text, pattern):
        self.check(name, re.search(pattern, text, re.M) is None, "a %r in:" % pattern, text)

    def silent(self, name, err):
        self.same(name, err, "")

    def one_sentence(self, name, err, pattern):
        """The command's own complaints are one line each."""
        self.like(name, err, r"\Afray: .*" + pattern)
        self.same(name + ", in one line", err.count("\n"), 1)


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


def run(tests):
    app = App()
    for test in tests:
        try:
            test(app)
        except Exception as problem:  # a test that breaks is a failed point, not a lost plan
            app.check("%s ran to its end" % test.__name__, False, repr(problem))
    print("1..%d" % app.points)
    subprocess.run(["rm", "-rf", app.folder], check=True)
    sys.exit(1 if app.failed else 0)
