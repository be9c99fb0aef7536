"""What the prompt itself shows: place and fork, what it waits for, colours; a pasted stat block."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))

import app
from terminal import Terminal

FIRST = r"[^\r\n]*fray> \Z"

# as somebody wrote it on a forum: tabs, blank lines, blanks at the ends of lines
POSTED = """\
monster bridge troll is an ogre with {\t

\thit dice: 6+6
\tarmour class: 4   \n\
\thit points: 36

\tattacks: claw 1d4+4, claw 1d4+4, bite 2d6
}
combatant Old Gruff is a bridge troll with {
  hit points: 40
}
"""


def place(t):
    t.write("long.fray", app.LONG)
    with Terminal("repl", "long.fray", cwd=t.folder) as p:
        p.wait(r"\nfray> \Z")
        t.check("before a fight there is no place", True)
        p.type("begin", r"at the beginning fray> \Z")
        p.type("step", r"round 1, segment \d+ fray> \Z")
        t.check("then round and segment", True)
        p.type("fork lucky", r"[\r\n]lucky: round 1, segment \d+ fray> \Z")
        t.check("and the fork", True)
        p.type("switch main", r"round 1, segment \d+ fray> \Z")
        p.type("monster bat {", r"a closing }   \.\. \Z")
        t.check("an open block says what it waits for", True)
        p.type("  hit dice: 1", r"a closing }   \.\. \Z")
        p.type("}")
        p.type("why (", r"a closing \)   \.\. \Z")
        p.leave(FIRST)


def colours(t):
    t.write("long.fray", app.LONG)
    for variable, wanted in (("", True), ("1", False)):
        with Terminal("repl", "long.fray", cwd=t.folder, env={"NO_COLOR": variable}) as p:
            p.wait(FIRST)
            p.type("begin")
            p.type("run")
            p.type("no such thing")
            seen = re.search("\x1b\\[[0-9;]*m", p.raw) is not None
            t.same("colours on a terminal" if wanted else "none with NO_COLOR", seen, wanted)
            # readline's own marks never reach the screen
            t.check("and no marks", "\x01" not in p.raw and "\x02" not in p.raw)
            if wanted:
                t.check("the place is coloured in the prompt", re.search("\x1b\\[36m[^\x1b]*\x1b\\[0m fray> ", p.raw), p.raw[-200:])


def widths(t):
    t.write("long.fray", app.LONG)
    longest = {}
    for width in (50, 120):
        with Terminal("repl", "long.fray", cwd=t.folder, width=width) as p:
            p.wait(FIRST)
            told = p.type("begin") + p.type("step 6") + p.type("why") + p.type("show timeline") + p.type("show options") + p.type("show order")
            longest[width] = max((len(line), line) for line in told.replace("\r", "").split("\n"))
    t.check("tables and stories keep to the width", longest[50][0] <= 50 < longest[120][0] <= 120, longest)


def pasting(t):
    t.write("things.fray", "use osric\nmonster ogre { hit dice: 4+1; armour class: 5; hit points: 20; THAC0: 15; attacks: club 1d10 }\n")
    with Terminal("repl", "things.fray", cwd=t.folder) as p:
        p.wait(FIRST)
        p.send("\x1b[200~" + POSTED + "\x1b[201~")
        p.wait(r"hit points: 40")
        p.send("\r")
        p.wait(r"\r\n")
        p.wait(FIRST)
        t.check("a stat block pasted from elsewhere is taken as a whole", "(prompt):" not in p.all, p.all)
        p.type("encounter the ford {", r"   \.\. \Z")
        p.type("  side trolls: Old Gruff", r"   \.\. \Z")
        p.type("  side party: ogre", r"   \.\. \Z")
        p.type("}")
        p.type("begin the ford")
        out = p.type("Old Gruff's hit points")
        t.check("and can be put into a fight", "40" in out, out)


DAMAGED = """\
monster bog ogre {
  hit dice: 4+1
  armour class: 5 { THAC0: 15
  hit points – 22
  attacks: club 1d10 } }
monster bog imp { hit dice: 1; armour class: 7 }
"""


def pasting_damaged(t):
    """What is wrong in a block is said once, and what stands behind the block is taken."""
    with Terminal("repl", cwd=t.folder) as p:
        p.wait(FIRST)
        p.type("use osric")
        at = len(p.all)
        p.send("\x1b[200~" + DAMAGED + "9d1\x1b[201~")
        p.wait(r"9d1")
        p.send("\r")
        p.wait(r"9   1 1 1 1 1 1 1 1 1\r\n")
        p.wait(FIRST)
        t.same("a damaged block is told of once", p.all[at:].count("(prompt):"), 1)
        out = p.type("show monster bog imp")
        t.check("and what is behind it is taken", "armour class: 7" in out, out)
    status, out, err = t.fray("repl", "--keep-going", stdin="use osric\n" + DAMAGED + "show monster bog imp\n")
    t.check("so it is from a pipe", err.count("(prompt):") == 1 and "armour class: 7" in out, out, err)


COMMANDS = ["begin", "load", "step", "run", "undo", "redo", "fork", "switch", "forks", "compare", "force", "why", "show", "save", "quit", "help", "dice ask", "dice roll",
            "spread", "odds", "sweep", "plot", "use", "option", "rule", "drop rule", "set", "change", "add", "remove", "referee", "policy", "follows", "expect", "until",
            "side", "combatant", "join", "leave", "dice", "choices", "round"]


def mistaken(t):
    t.write("ford.fray", app.FORD)
    for line, hint in [("step segment 5", "step to segment 5"), ("step round 4", "step to round 4"), ("join Sly party", "Sly joins party"), ("why Bruns", "Bruna"),
                       ("Bruna follows nothing", "policy nothing"), ("help nothing", "There is help on")]:
        done = t.fray("repl", "ford.fray", stdin="begin\nstep\n%s\n" % line)
        t.check("it is said what to type instead of %s" % line, done[0] == 2 and hint in done[2], done[2])


def helping(t):
    for command in COMMANDS:
        p = t.fray("repl", stdin="help %s\n" % command)
        t.check("there is help on %s" % command, p[0] == 0 and len(p[1]) > 40, p[2])
        t.same("which fits a narrow screen: %s" % command, [line for line in p[1].split("\n") if len(line) > 80], [])
    topics = re.findall(r"help ([a-z, \n]+) - one", t.fray("repl", stdin="help\n")[1])[0].replace("\n", " ").split(", ")
    t.check("help leads on", len(topics) > 12, topics)
    for topic in topics:
        t.same("to a page that is there: %s" % topic, t.fray("repl", stdin="help %s\n" % topic)[0], 0)


tests = [place, mistaken, helping]
if "readline" in app.App().fray("--version")[1]:
    tests += [colours, widths, pasting, pasting_damaged]
app.run(tests)
