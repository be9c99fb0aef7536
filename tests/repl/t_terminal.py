"""The prompt at a real terminal: continuation, history, completion, Ctrl-C, Ctrl-D."""

import fcntl
import os
import re
import stat
import struct
import sys
import termios

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))

import app
from terminal import Missing, Terminal

FIRST = r"(?:(?<=[\r\n])|\A)[^\r\n]*fray> \Z"
MORE = r"   \.\. \Z"


def started(t, *args, **more):
    terminal = Terminal(*args, cwd=t.folder, **more)
    terminal.wait(FIRST)
    return terminal


def opening(t):
    with started(t) as p:
        t.check("bare fray at a terminal opens the prompt", True)
        p.send("\x04")
        t.same("Ctrl-D leaves", p.ended(), 0)
        t.check("on a line of its own", re.search(r"fray> \r*\n\Z", p.all), repr(p.all))
    with started(t, "repl") as p:
        p.send("quit\r")
        t.same("so does quit", p.ended(), 0)
    with started(t, "repl") as p:
        p.type("no such thing as this")
        p.send("\x04")
        t.same("mistakes made at a terminal do not make the status", p.ended(), 0)


def continuing(t):
    with started(t) as p:
        p.type("monster bat {", MORE)
        t.check("an open brace is continued", True)
        p.type("  hit dice: 1", MORE)
        p.type("}")
        t.check("and its end ends it", True)
        p.type("monster rat {", MORE)
        p.type("  hit dice: 2", MORE)
        p.send("\x04")
        out = p.before(FIRST)
        t.check("Ctrl-D in the middle says what it leaves out, and the prompt stays", "Left out, because its end was missing: monster rat { .." in out, out)
        t.check("and nothing of it is left", "3" in p.type("3d1"))
        p.send("\x04")
        t.same("a second one leaves", p.ended(), 0)


def keeping(t):
    """`save` over a file that was saved keeps the old one; any other is left alone."""
    t.write("ford.fray", app.FORD)
    kept = os.path.join(t.folder, "kept.fray")
    with started(t, "repl", "ford.fray") as p:
        p.type("begin")
        t.check("the first save says nothing of another", ".old" not in p.type('save "kept.fray"'))
        t.check("nor does one that would change nothing", ".old" not in p.type('save "kept.fray"') and not os.path.exists(kept + ".old"))
        before = open(kept).read()
        p.type("step")
        out = p.type('save "kept.fray"')
        t.check("one over another says where that is now", "The kept.fray that was there is now kept.fray.old." in out, out)
        t.same("and it is there", open(kept + ".old").read(), before)
        t.check("with the new one beside it", open(kept).read() != before)
        with open(kept + ".old", "w") as f:
            f.write("my own notes\n")
        p.type("step")
        out = p.type('save "kept.fray"')
        t.check("nothing that was not saved here is lost for it", "not saved" in out and open(kept + ".old").read() == "my own notes\n", out)


def opened(t):
    """`edit` opens the last block in $EDITOR, and reads what comes back."""
    t.write("ford.fray", app.FORD.replace("  round 1 {", "  until orcs are down\n  round 1 {"))
    env = {"VISUAL": "", "EDITOR": "sed -i -e s/99/6/ -e s/dise/dice/"}
    with started(t, "repl", "ford.fray", env=env) as p:
        p.type("monster bat {", MORE)
        p.type("  hit dise: 1", MORE)
        t.check("a block that is wrong", "F0" in p.type("}"))
        p.send("edit\r")
        p.wait(r"hit dice: 1\r\n}\r\n")
        p.wait(FIRST)
        t.check("can be put right in the editor", "hit dice: 1" in p.type("show monster bat"))
        t.check("what was not changed is not read again", "Nothing was changed." in p.type("edit"))
        p.type("monster rat {", MORE)
        p.type("  hit dise: 2", MORE)
        p.send("\x04")
        p.wait("Left out")
        p.wait(FIRST)
        p.send("edit\r")
        p.wait(r"hit dice: 2\r\n")
        p.wait(MORE)
        p.type("}")
        t.check("so can one that was left out, to be gone on with", "hit dice: 2" in p.type("show monster rat"))
        p.type("begin")
        p.type("rule heavy {", MORE)
        p.type("  adjust damage done (attacker, target, weapon) by 99", MORE)
        p.type("}")
        p.send("edit\r")
        p.wait("1 step taken back")
        p.wait("by 6")
        p.wait(FIRST)
        rules = p.type("show rules heavy")
        t.check("in a fight the block is taken back first", "by 6" in rules and "by 99" not in rules, rules)
    with started(t, env={"VISUAL": "false"}) as p:
        t.check("an editor that fails is told of", "nothing was changed" in p.type("edit"))
        t.check("and the prompt goes on", "2" in p.type("2d1"))


def resizing(t):
    t.write("long.fray", app.LONG)
    with started(t, "repl", "long.fray") as p:
        p.type("begin")
        p.type("step 4")
        fcntl.ioctl(p.master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 44, 0, 0))
        lines = p.type("show order").replace("\r", "").split("\n")
        t.check("tables follow the width of the terminal", max(map(len, lines)) <= 44, lines)


def abandoning(t):
    with started(t) as p:
        p.send("monster half typed")
        p.wait("half typed")
        p.interrupt()
        p.wait(r"\^C\r\n")
        p.wait(FIRST)
        t.check("Ctrl-C abandons a line", True)
        out = p.type("2d1")
        t.check("and nothing of it is left", "half typed" not in out, out)
        p.type("monster bat {", MORE)
        p.leave(FIRST)
        t.check("Ctrl-C abandons an open block", True)
        out = p.type("3d1")
        t.check("and the next line stands alone", "3" in out, out)
        for _ in range(3):
            p.leave(FIRST)
        t.check("again and again", p.child.poll() is None)
        p.signal()
        p.wait(FIRST)
        t.check("a signal is the same as the key", True)


def history(t):
    state = os.path.join(t.folder, "state")
    env = {"XDG_STATE_HOME": state}
    kept = os.path.join(state, "fray", "history")
    with started(t, env=env) as p:
        p.type("4d1")
        p.type("4d1")
        p.type("5d1")
        p.send("\x1b[A\x1b[A")
        p.wait("4d1")
        t.check("the same line twice is kept once", True)
        p.send("\r")
        p.wait(FIRST)
        p.child.kill()
        p.child.wait()
    t.same("a killed prompt loses nothing", open(kept).read(), "4d1\n5d1\n4d1\n")
    t.same("the file is its owner's alone", stat.S_IMODE(os.stat(kept).st_mode), 0o600)
    t.same("and its folder", stat.S_IMODE(os.stat(os.path.dirname(kept)).st_mode), 0o700)
    with started(t, env=env) as p:
        p.send("\x1b[A\x1b[A")
        p.wait("5d1")
        t.check("lines of the last session come back", True)
        p.send("\r")
        p.wait(FIRST)
        p.send("\x12")
        p.wait("search")
        p.send("4")
        p.wait("4d1")
        t.check("and are found with Ctrl-R", True)
        p.leave(FIRST)
        p.type("6d1")
        p.send("4\x1b[A")
        p.wait("4d1")
        t.check("Up seeks a line that begins so", True)
        p.leave(FIRST)
        # the signal overtakes the key, and the terminal forgets the key: once readline slept
        # on for it, and once it went on with a search it had dropped
        for _ in range(60):
            p.send("\x12")
            p.wait("search")
            p.send("4")
            p.leave(FIRST)
        t.check("a search can be left between two keys", True)
        p.send("\x04")
        p.ended()
    t.same("blank lines and abandoned ones are not kept", open(kept).read(), "4d1\n5d1\n4d1\n5d1\n6d1\n")
    with started(t, env={"XDG_STATE_HOME": "", "HOME": os.path.join(t.folder, "home")}) as p:
        p.type("6d1")
    t.same("without XDG_STATE_HOME it is below HOME", open(os.path.join(t.folder, "home/.local/state/fray/history")).read(), "6d1\n")
    with started(t, env={"XDG_STATE_HOME": "/proc/none"}) as p:
        out = p.type("7d1")
        t.check("where nothing can be kept the prompt works all the same", "7" in out, out)


# what is typed, what Tab makes of it, and what that is
COMPLETED = [
    ("switch ma", "switch main", "a fork after switch"),
    ("compare forks main vs luck", "main vs lucky day", "a fork after vs"),
    ("force Bruna's att", "force Bruna's attack roll", "a die after force"),
    ("drop rule attack r", "drop rule attack roll", "a rule after drop rule"),
    ("Bruna attacks orc #2 wi", "with", "a preposition after a target"),
    ("Halvaine casts sleep at Brun", "at Bruna", "somebody after at"),
    ("Bruna fle", "Bruna flees", "what somebody can do"),
    ("Bruna joins par", "joins party", "a side after joins"),
    ("use osr", "use osric", "a module after use"),
    ("help od", "help odds", "a page of help"),
]


def completing(t):
    t.write("ford.fray", app.FORD)
    with started(t, "repl", "ford.fray") as p:
        p.send("enc\t")
        p.wait("encounter")
        t.check("Tab completes a word of the language", True)
        p.leave(FIRST)
        p.send("show rules for Bru\t")
        p.wait("Bruna")
        t.check("and a name of the script", True)
        p.leave(FIRST)
        p.send('load "for\t')
        p.wait("ford.fray")
        t.check("and a file's", True)
        p.leave(FIRST)
        t.write("ford.txt", "no script\n")
        p.send('load "ford\t')
        p.wait("ford.fray")
        t.check("of a script, and of nothing else", "txt" not in p.all, p.all)
        p.leave(FIRST)
        p.type("begin")
        p.type("step")
        p.type("fork lucky day")
        for typed, shown, what in COMPLETED:
            p.send(typed + "\t")
            try:
                p.wait(re.escape(shown))
                t.check("Tab: %s" % what, True)
            except Missing:
                t.check("Tab: %s" % what, False, p.raw[-300:])
            p.leave(FIRST)


# names of the shelf that nothing on screen has named yet
ON_THE_SHELF = [
    ("  side b: 4 giant cent", "4 giant centipede", "creatures after a number"),
    ("4 giant cent", "4 giant centipede", "and at the beginning of a line"),
    ("show monster ghou", "show monster ghoul", "monsters after show monster"),
    ("show weapon two-handed sw", "show weapon two-handed sword", "weapons after show weapon"),
    ("combatant Ann { carries: two-handed sw", "carries: two-handed sword", "weapons after carries"),
    ("combatant Ann { carries: footman's mac", "carries: footman's mace", "weapons with somebody's name in theirs"),
    ("combatant Ann { class: illus", "class: illusionist", "classes after class"),
    ("combatant Ann { knows: lightning b", "knows: lightning bolt", "spells after knows"),
    ("Bruna casts magic mi", "casts magic missile", "spells after casts"),
    ("monster x is hill gi", "is hill giant", "creatures after is"),
    ("orcs follow sens", "follow sensible tactics", "policies after follow"),
]
SHELF = """use osric
use shelf
combatant Bruna { class: fighter; level: 3; carries: long sword, chain mail }
encounter e {
  side party: Bruna
  side orcs: 4 orcs
  distance: 30 ft
  until party is down or orcs are down
}
"""


def completing_shelf(t):
    t.write("shelf.fray", SHELF)
    with started(t, "repl", "shelf.fray") as p:
        for typed, shown, what in ON_THE_SHELF:
            p.send(typed + "\t")
            try:
                p.wait(re.escape(shown))
                t.check("Tab: %s" % what, True)
            except Missing:
                t.check("Tab: %s" % what, False, p.raw[-300:])
            p.leave(FIRST)


def resuming(t):
    """A prompt that is killed stands where it stood, dice included."""
    state = os.path.join(t.folder, "crash")
    env = {"XDG_STATE_HOME": state}
    t.write("ford.fray", app.FORD.replace("  round 1 {", "  until orcs are down\n  round 1 {"))
    commands = ["begin", "step", "set Bruna's hit points = 17", "fork lucky", "force Bruna's attack roll 20", "rule heavy {", "adjust damage done (attacker, target, weapon) by 2 }",
                "step", "undo", "redo", "switch main", "step", "step 2"]
    places = []
    for most in range(1, len(commands) + 1):
        with Terminal("repl", "ford.fray", cwd=t.folder, env=env) as p:
            p.wait(FIRST)
            for line in commands[:most]:
                p.type(line, r"(fray> |   .. )\Z")
            open_unit = commands[most - 1].endswith("{")
            world = None if open_unit else p.type("show world") + p.type("forks")
            p.child.kill()
            p.child.wait()
        with Terminal("repl", "--resume", cwd="/", env=env) as p:
            p.wait(FIRST)
            again = p.type("show world") + p.type("forks")
            places.append(world is None or again == world)
            p.send("\x04")
            p.ended()
    t.same("killed after any command it goes on where it was", places, [True] * len(commands))
    kept = os.path.join(state, "fray", "session")
    t.same("the journal is its owner's alone", stat.S_IMODE(os.stat(kept).st_mode), 0o600)
    with Terminal("repl", "--resume", cwd="/", env=env) as p:
        p.wait("Back in the last session: round")
        p.wait(FIRST)
        t.check("it says where that is", True)
        p.type("step")
        length = os.path.getsize(kept)
        p.type("why")
        t.same("what changes nothing is not kept", os.path.getsize(kept), length)
    t.same("without a session there is none to go on with", t.fray("repl", "--resume", env={"XDG_STATE_HOME": os.path.join(t.folder, "none")})[0:2], (2, ""))
    t.same("script and rules are the session's own", t.fray("repl", "--resume", "ford.fray", env=env)[0:2], (2, ""))


def interrupting(t):
    t.write("endless.fray", app.ENDLESS)
    with started(t, "repl", "endless.fray") as p:
        p.type("begin")
        p.type("step")
        out = p.cut_short("run", FIRST, 0.1)
        t.check("Ctrl-C interrupts a run", "no more rounds" not in out, out[-300:])
        at = re.search(r"^round (\d+)", p.type("show world"), re.M)
        t.check("and the position is kept", at and 1 <= int(at.group(1)) < 1000, at)
        t.check("the prompt is there as before", "2" in p.type("2d1"))


def editing(t):
    with started(t) as p:
        p.send("3d6\x7f1\r")
        p.wait(r"\r\n")
        t.check("a typed line can be mended", "3" in p.before(FIRST), p.all)
        p.send("d1\x018\x05\r")
        p.wait(r"\r\n")
        t.check("and moved about in", "8" in p.before(FIRST), p.all)
        p.send("\x1b[200~monster bat {\n\thit dice: 1\n}\n9d1\x1b[201~\r")
        p.wait("9d1")
        p.wait(r"\n")
        t.check("several lines can be pasted", "9" in p.before(FIRST), p.all)
        p.send("\r")
        p.wait(FIRST)
        t.check("an empty line is nothing", True)


def matching(t):
    with started(t, env={"INPUTRC": "/dev/null"}) as p:
        p.send("(((2d1)")
        try:
            p.wait("\x08{4}")
            t.check("a bracket shows the one it closes", True)
        except Missing:
            t.check("a bracket shows the one it closes", False, p.raw)


def plain(t):
    """Without readline, or at a terminal that cannot move its cursor."""
    with started(t, env={"TERM": "dumb"}) as p:
        t.check("the plain reader rolls", "2" in p.type("2d1"))
        p.type("monster bat {", MORE)
        p.leave(FIRST)
        t.check("Ctrl-C abandons an open block", True)
        t.check("and the next line stands alone", "3" in p.type("3d1"))
        p.send("\x04")
        t.same("Ctrl-D leaves", p.ended(), 0)


tests = [opening, continuing, abandoning, interrupting, plain, keeping, opened, resizing]
if "readline" in app.App().fray("--version")[1]:
    tests += [history, completing, completing_shelf, editing, matching, resuming]
app.run(tests)
