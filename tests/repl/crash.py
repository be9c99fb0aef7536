#!/usr/bin/env python3
"""crash.py - nothing is lost: sessions at a terminal, killed at any moment and resumed.

usage: crash.py [SESSIONS [FIRST]]       FRAY names the command; build/release/fray else

A session types random commands over one fight and is killed with signal 9, sometimes while a line
is still being worked on. `fray repl --resume` must then stand where the session stood, or, of a
line that was being worked on, before or after it: the world shown, the forks, and the script that
`save` writes are compared with those of the same lines read from a pipe. Then it goes on, is
killed and resumed again. What was saved must come to the same world and pass
`fray test`."""

import difflib
import os
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.environ.setdefault("FRAY", os.path.join(HERE, "../../build/release/fray"))

from terminal import FRAY, Terminal

SYSTEMS = ["osric", "lite", "proc", "crucible", "dew"]
PROMPT = r"[^\r\n]*fray> \Z"

SCRIPT = """use %s
weapon long sword { damage: 1d8; speed factor: 5; length: 3.5 ft }
weapon dagger { damage: 1d4; speed factor: 2; length: 1 ft }
weapon spear { damage: 1d6; speed factor: 7; length: 8 ft }
weapon short bow { damage: 1d6; rate of fire: 2; range: 50 ft; missile: yes }
spell bolt { level: 1; casting time: 6 seconds; on effect { each foe in target { change foe's hit points by -3 } } }
class magic-user { hit die: 1d4 }
class fighter { hit die: 1d10 }
monster orc { hit dice: 1; hit points: 14; armour class: 6; THAC0: 19; carries: spear; level: 1 }
combatant Hal { class: magic-user; level: 3; hit points: 16; armour class: 8; THAC0: 20; knows: bolt, bolt; carries: dagger }
combatant Bruna { class: fighter; level: 4; hit points: 40; armour class: 3; THAC0: 17; carries: long sword }
combatant Korg { class: fighter; level: 2; hit points: 18; armour class: 5; THAC0: 19; carries: short bow }
policy press on { attack my nearest enemy }
policy hang back { shoot short bow at my nearest enemy unless me is engaged; attack my nearest enemy }
encounter the ford {
  side party: Hal, Bruna, Korg
  side orcs: 4 orcs
  distance: 5 ft
  Hal and Bruna follow press on
  Korg follows hang back
  orcs follow press on
  until party is down or orcs are down
}
"""

# one line or several, which make one unit
LINES = [
    "Hal casts bolt at orc #1", "Bruna attacks orc #2 with long sword", "orc #3 attacks Hal with spear", "orc #1 waits", "Hal flees",
    "set Bruna's hit points = 15", "change orc #1's hit points by 5", "set orc #2's awake = no", "set Hal's hit point = 3",
    "rule heavy {\n adjust damage done (attacker, target, weapon) by 1\n}", "round 3 {\n Hal waits\n}", "round 2 { Bruna waits }",
    "combatant Sly { hit points: 5 }", "Sly joins party", "Sly leaves", "2 orcs join orcs", "orc #2 joins party", "Korg leaves", "Korg joins party",
    "side wolves: orc", "use night", "distance: 20 ft", "orcs' armour class: 8", "until Hal is down", "Bruna holds until segment 7", "READING",
    "round 2 {\n orc joins orcs\n orc #1 leaves\n}", "expect Bruna is not dead", "show party", "help odds", "show options", "policy wary {\n wait when my hit points <= 12\n attack my nearest enemy\n}", "Bruna follows wary",
    "begin", "run", "odds 3", "orc #2 surrenders",
    "dice: Bruna's attack roll 20", "force orc #1's attack roll 1", "step round", "step 3", "undo 2", "undo 9", "redo", "redo 5", "why", "show order",
]


READINGS = {"osric": "use osric with { tie: reroll; death.at: -10 }", "lite": "set option factor.extra = \"at every clash\"", "proc": "use with { death_when: \"Phase 9 only\" }",
            "crucible": "use crucible with {\n initiative: individual\n}", "dew": "set option parries = sum"}
NIGHT = "rule night \"by night\" { adjust to-hit (attacker, target, weapon) by -2 }\n"


def commands(rng, system):
    forks = ["main"]
    while True:
        n = rng.randrange(10)
        if n < 4:
            yield "step"
        elif n == 4 and len(forks) < 4:
            forks.append("fork%d" % len(forks))
            yield "fork " + forks[-1]
        elif n == 5:
            yield "switch " + rng.choice(forks)
        else:
            line = rng.choice(LINES)
            yield READINGS[system] if line == "READING" else line


class Wrong(Exception):
    pass


def difference(wanted, got):
    return "\n".join(difflib.unified_diff("\n".join(wanted).split("\n"), "\n".join(got).split("\n"), "wanted", "got", lineterm="", n=1))


class Session:
    def __init__(self, number, folder):
        self.rng = random.Random("crash %d" % number)
        self.system = SYSTEMS[number % len(SYSTEMS)]
        self.folder, self.typed, self.looked = folder, ["begin"], 0
        self.env = {"XDG_STATE_HOME": os.path.join(folder, "state"), "TERM": self.rng.choice(["xterm", "dumb"])}
        self.script = os.path.join(folder, "fight.fray")
        with open(self.script, "w", encoding="utf-8") as f:
            f.write(SCRIPT % self.system)
        with open(os.path.join(folder, "night.fray"), "w", encoding="utf-8") as f:
            f.write(NIGHT)

    def open(self, *args):
        p = Terminal("repl", *args, cwd=self.folder, env=self.env)
        p.wait(PROMPT)
        return p

    def type(self, p, command):
        lines = command.split("\n")
        for line in lines[:-1]:
            p.type(line, r"   \.\. \Z")
        return p.type(lines[-1], PROMPT)

    def saved(self, name):
        path = os.path.join(self.folder, name)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        os.remove(path)
        return text

    def where(self, p):
        """World, forks and script of a session at a terminal."""
        seen = self.type(p, "show world") + self.type(p, "forks")
        said = self.type(p, 'save "kept.fray"')
        if "Saved" not in said:
            raise Wrong("it cannot be saved: " + said)
        return seen.replace("\r", ""), self.saved("kept.fray")

    def piped(self, lines, script=None):
        """The same of lines from a pipe."""
        text = "\n".join(lines + ["9d1", "show world", "forks", 'save "piped.fray"']) + "\n"
        env = {**os.environ, **self.env, "NO_COLOR": "1", "COLUMNS": "200"}
        done = subprocess.run([FRAY, "repl", script or self.script], input=text.encode(), cwd=self.folder, env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
        out = done.stdout.decode()
        seen = out[out.rindex("9   1 1 1 1 1 1 1 1 1\n") :].split("\n", 1)[1]
        return seen.replace("Saved in piped.fray.\n", ""), self.saved("piped.fray")

    def life(self, p, source, most):
        """Types some commands, kills it, and says which positions it may stand at."""
        for _ in range(self.rng.randint(1, most)):
            command = next(source)
            self.type(p, command)
            self.typed.append(command)
        possible = [self.where(p)]
        piped = self.piped(self.typed)
        if possible[0] != piped:
            raise Wrong("at the terminal it is another fight than from a pipe:\n" + difference(piped, possible[0]))
        if self.rng.random() < 0.5:
            # in the middle of a line
            command = next(source)
            p.send(command.replace("\n", "\r") + "\r")
            time.sleep(self.rng.choice([0, 0, 0.001, 0.003, 0.01, 0.03]))
            after = self.piped(self.typed + [command])
            if after != possible[0]:
                possible.append(after)
            self.under_way = command
        else:
            self.under_way = None
        p.child.kill()
        p.child.wait()
        return possible

    def resume(self, possible):
        p = self.open("--resume")
        at = self.where(p)
        if at not in possible:
            raise Wrong("resumed it stands elsewhere:\n" + difference(possible[0], at))
        if at != possible[0] and self.under_way:
            self.typed.append(self.under_way)
        return p, at

    def play_saved(self, at):
        with open(os.path.join(self.folder, "saved.fray"), "w", encoding="utf-8") as f:
            f.write(at[1])
        steps = int(re.search(r"begin .* and step (\d+)", at[1]).group(1))
        seen, _ = self.piped(["begin"] + (["step %d" % steps] if steps else []), "saved.fray")
        world = at[0].split("\n* ")[0].split("\n  main")[0]
        if not seen.startswith(world):
            raise Wrong("what was saved comes to another world:\n%s\n%s\nnot\n%s" % (at[1], seen, world))
        done = subprocess.run([FRAY, "test", "saved.fray"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        if done.returncode != 0:
            raise Wrong("what was saved does not pass: %s\n%s" % (done.stdout.decode(), at[1]))

    def run(self):
        source = commands(self.rng, self.system)
        p = self.open("fight.fray")
        try:
            self.type(p, "begin")
            for _ in range(2):
                possible = self.life(p, source, 25)
                p.__exit__()
                p, at = self.resume(possible)
            self.play_saved(at)
        finally:
            p.__exit__()


def one(number):
    """What went wrong in a session, or None."""
    with tempfile.TemporaryDirectory(prefix="fray-crash-") as folder:
        s = Session(number, folder)
        try:
            s.run()
        except Wrong as why:
            return "%s\nafter\n%s" % (why, "\n".join(s.typed))
        except Exception as why:  # a prompt that does not come back is as wrong as any
            return "%r\nafter\n%s" % (why, "\n".join(s.typed))
    return None


def main():
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    bad = 0
    for number in range(first, first + sessions):
        wrong = one(number)
        if wrong:
            bad += 1
            print("session %d: %s\n" % (number, wrong), flush=True)
    print("crashes: %d sessions, %d wrong" % (sessions, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
