"""Messages at a terminal are broken between words."""

import os
import sys

import app

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "repl"))
os.environ["FRAY"] = app.FRAY

from terminal import Terminal

PROMPT = r"fray> \Z"


def wrapped(t):
    t.write("ford.fray", "use osric\n" + app.FORD)
    said = {}
    for width in (40, 80):
        with Terminal("repl", "ford.fray", cwd=t.folder, env={"XDG_STATE_HOME": os.path.join(t.folder, "state")}, width=width) as p:
            p.wait(PROMPT)
            p.send("use lite\r")
            p.wait(r"use lite *\r+\n")
            p.before(PROMPT)
            p.send("begin\r")
            p.before(PROMPT)
            p.send("Bruna swings\r")
            p.wait(r"Bruna swings *\r+\n")
            said[width] = [line.rstrip() for line in p.before(PROMPT).replace("\r", "").split("\n")]
    wide = [line for line in said[40] if len(line) > 40 and "|" not in line]
    t.check("no line is wider than the terminal", not wide, wide, said[40])
    t.same("the words are the same, however wide it is", " ".join(said[40]).split(), " ".join(said[80]).split())
    t.check("and there is something to break", len(said[40]) > len(said[80]), said)


if "readline" in app.App().fray("--version")[1]:
    app.run([wrapped])
else:
    print("1..0")
