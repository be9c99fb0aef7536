"""Nothing is lost at the prompt: Ctrl-C in long work, Ctrl-D, and what the journal keeps of both."""

import os
import re
import stat
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))

import app
from terminal import Terminal

FIRST = r"fray[^\n>]*> \Z"

# Some who never fall, so that odds and runs take as long as one lets them.
POND = """\
use osric
every combatant has { spun: 0 }
weapon club { damage: 1d4 }
combatant Ash { hit points: 30000; armour class: 5; THAC0: 19; carries: club }
monster reed { hit points: 30000; armour class: 5; THAC0: 19; carries: club }
monster rush { hit points: 30000; armour class: 5; THAC0: 19; carries: club }
combatant Elm { hit points: 30000; armour class: 5; THAC0: 19; carries: club }
policy strike { attack my nearest enemy with club }
encounter the pond {
  side left: Ash, 30 reeds
  side right: Elm, 30 rushes
  distance: 5 ft
  left follows strike
  right follows strike
  until left is down or right is down
}
"""
# takes a second and more, and is stopped in the end
SPIN = "rule spin { after strike (attacker, target, weapon) { each n from 1 to 9000 { each m from 1 to 9000 { if attacker's nearest enemy is attacker { set attacker's spun = 1 } } } } }"
# takes so long for each blow that a run of many is not over before Ctrl-C comes, on no machine
SLOW = SPIN.replace("rule spin", "rule slow").replace("1 to 9000 { each m from 1 to 9000", "1 to 20 { each m from 1 to 20")
STUCK = "rule stuck { after strike (attacker, target, weapon) { repeat { set attacker's spun = 1; stop when attacker's spun = 2 } } }"


def opened(t, *args):
    p = Terminal("repl", *args, cwd=t.folder, env={"XDG_STATE_HOME": os.path.join(t.folder, "state")})
    p.wait(FIRST)
    return p


def told(p, line):
    """What a line tells, without what readline adds to move the cursor."""
    return p.type(line, FIRST).replace("\r", "").lstrip("\n")


def where(p):
    return told(p, "show world") + told(p, "forks")


def runs(t):
    t.write("pond.fray", POND)
    with opened(t, "pond.fray") as p:
        for line in (SLOW, "begin", "step", "set Ash's hit points = 29000"):
            p.type(line, FIRST)
        for pause in (0.3, 1, 3, 9):  # on a crowded machine nothing may be played yet
            p.cut_short("run", FIRST, pause)
            at = where(p)
            told = re.search(r"(\d+) beats", at)
            steps = int(told.group(1)) if told else 0
            if steps > 1:
                break
        t.check("a run can be interrupted", 1 < steps and "the fight is over" not in at, at)
        p.type("fork later", FIRST)
        p.type("step 2", FIRST)
        at = where(p)
        p.child.kill()
        p.child.wait()
    with opened(t, "--resume") as p:
        t.same("and resumed where it was stopped", where(p), at)
        p.type("undo 3", FIRST)
        p.type("switch main", FIRST)
        t.check("with everything before it", "%d beats" % steps in where(p), steps)
    journal = open(os.path.join(t.folder, "state/fray/session")).read()
    t.check("the journal says how many steps that were", "\nstep %d\n" % (steps - 1) in journal and "\nrun\n" not in journal, journal)


def parts(t):
    t.write("pond.fray", POND)
    with opened(t, "pond.fray") as p:
        for line in ("begin", "step; Ahs attcks Elm; step", "step 2; set Ash's hit points = moon", "set Ash's hit points = moon; step", "step; step"):
            p.type(line, FIRST)
        at = where(p)
        p.child.kill()
        p.child.wait()
    journal = open(os.path.join(t.folder, "state/fray/session")).read()
    kept = [l for l in journal.split("\n") if l and not l.startswith("--")]
    t.same("of a line that was refused in part, what was done is kept", kept, ["begin", "step", "step 2", "step; step"])
    with opened(t, "--resume") as p:
        t.same("and it is resumed there", where(p), at)


def odds(t):
    t.write("pond.fray", POND)
    with opened(t, "pond.fray") as p:
        for line in ("begin", "step 5", "fork other", "step 2"):
            p.type(line, FIRST)
        at = where(p)
        journal = open(os.path.join(t.folder, "state/fray/session")).read()
        began = time.monotonic()
        said = p.cut_short("odds 100000000", FIRST)
        t.check("odds can be interrupted", "; interrupted" in said and time.monotonic() - began < 15, said)
        t.same("and leave the position as it is", where(p), at)
        t.same("and the journal", open(os.path.join(t.folder, "state/fray/session")).read(), journal)
        p.type("step", FIRST)
        t.check("the fight goes on", "8 beats" in where(p), where(p))


def runaway(t):
    t.write("pond.fray", POND)
    with opened(t, "pond.fray") as p:
        for line in ("begin", "step 3", SPIN):
            p.type(line, FIRST)
        at = where(p)
        said = p.cut_short("step", FIRST, 0.1)
        t.check("a runaway rule can be interrupted", "I stopped it" not in said, said)
        t.same("the position is untouched", where(p), at)
        t.check("and nothing half done is told", "attacks" not in said, said)
        p.type("undo", FIRST)
        p.type(STUCK, FIRST)
        at = where(p)
        said = told(p, "step")
        t.check("one that never stops is stopped, and said", 'This "repeat" reached its limit of turns and did not stop' in said, said)
        t.same("with the position untouched as well", where(p), at)
        p.type("drop rule stuck", FIRST)
        said = told(p, "step")
        t.check("without it the fight goes on", "attacks" in said, said)
        at = where(p)
        p.child.kill()
        p.child.wait()
    with opened(t, "--resume") as p:
        t.same("resumed it stands there", where(p), at)


def hasty(t):
    """Between Return and the work the line is put into the history: one that waits to be read stands for a slow disc."""
    t.write("pond.fray", POND)
    with opened(t, "pond.fray") as p:
        for line in ("begin", "step 3", SPIN):
            p.type(line, FIRST)
        at = where(p)
        history = os.path.join(t.folder, "state/fray/history")
        os.remove(history)
        os.mkfifo(history)
        said = p.cut_short("step", FIRST)
        os.remove(history)
        t.check("Ctrl-C counts before the work has begun", "I stopped it" not in said, said)
        t.same("and leaves the position as it is", where(p), at)


def leaving(t):
    t.write("pond.fray", POND)
    with opened(t, "pond.fray") as p:
        for line in ("begin", "step 3", "fork dark", "set Elm's hit points = 4"):
            p.type(line, FIRST)
        at = where(p)
        before = len(p.all)
        p.send("\x04")
        t.same("Ctrl-D leaves in mid-fight", p.ended(), 0)
        t.same("and asks nothing", p.all[before:].strip(), "")
    kept = os.path.join(t.folder, "state/fray/session")
    t.same("the journal is there, its owner's alone", stat.S_IMODE(os.stat(kept).st_mode), 0o600)
    t.same("so is its folder", stat.S_IMODE(os.stat(os.path.dirname(kept)).st_mode), 0o700)
    with opened(t, "--resume") as p:
        t.same("and stands for the session", where(p), at)
    os.umask(0o077)
    os.chmod(kept, 0o644)
    with opened(t, "pond.fray") as p:
        p.type("begin", FIRST)
        t.same("a new session has a journal of its own", open(kept).read().count("begin"), 1)
        t.same("and nobody else reads it", stat.S_IMODE(os.stat(kept).st_mode), 0o600)


def folders(t):
    """What a session loads and saves is in its own folder, wherever it is resumed."""
    t.write("den/pond.fray", POND)
    env = {"XDG_STATE_HOME": os.path.join(t.folder, "state")}
    with Terminal("repl", cwd=os.path.join(t.folder, "den"), env=env) as p:
        p.wait(FIRST)
        for line in ('load "pond.fray"', "begin", "step 2"):
            p.type(line, FIRST)
        at = where(p)
        p.child.kill()
        p.child.wait()
    with Terminal("repl", "--resume", cwd="/", env=env) as p:
        p.wait(FIRST)
        t.same("a script that was loaded is found from anywhere", where(p), at)
        p.type('save "kept.fray"', FIRST)
        t.check("and the script that is saved lies beside it", os.path.exists(os.path.join(t.folder, "den", "kept.fray")))
    os.rename(os.path.join(t.folder, "den"), os.path.join(t.folder, "lair"))
    status, out, err = t.fray("repl", "--resume", env=env)
    t.check("without its folder there is no going on", status == 2 and "den" in err, status, out, err)


def refusals(t):
    """A line that is refused changes nothing, not even what could be done again."""
    t.write("pond.fray", POND.replace(", 30 reeds", "").replace(", 30 rushes", "")) # a run to the end is short
    with opened(t, "pond.fray") as p:
        for line in ("begin", "step 3"):
            p.type(line, FIRST)
        at = where(p)
        p.type("undo 2", FIRST)
        p.type("set Elm's hit pints = 4", FIRST)
        p.type("Elm attacks Oak with club", FIRST)
        p.type("redo 2", FIRST)
        t.same("after lines that were refused redo goes on", where(p), at)
        p.type("set Elm's hit points = 1", FIRST)
        p.type("set Ash's hit points = 1", FIRST)
        p.type("run", FIRST)
        at = where(p)
        said = told(p, "step")
        t.check("after the end there is nothing to play", said.startswith("The fight is over. undo goes back into it; begin starts it anew.\n"), said)
        p.type("run", FIRST)
        t.same("and nothing is counted", where(p), at)


REFUSED = ("}", "begin the moon", "set Elm's hit pints = 4", "set Elm's hit points = 5 lb", "Elm attacks Oak with club", "rule r { define combatant's hit points = moon }",
           "use nothere", "combatant Fir { hit pints: 4 }", 'load "nowhere.fray"', "referee: deth (Elm)", "side left: Nobody", "switch nowhere",
           "odds { use lite } vs { Elm waits } giving left wins", 'save "no/where.fray"', "next", "why not", "expect Elm is moon")


def journal(t):
    """Byte for byte: a refused line leaves the journal as it was, and the next one that counts follows what was there."""
    t.write("pond.fray", POND.replace(", 30 reeds", "").replace(", 30 rushes", ""))
    kept = os.path.join(t.folder, "state", "fray", "session")
    with opened(t, "pond.fray") as p:
        for line in ("begin", "step"):
            p.type(line, FIRST)
        for n, line in enumerate(REFUSED):
            before = open(kept, "rb").read()
            said = told(p, line)
            after = open(kept, "rb").read()
            t.check("the journal after: " + line, said.strip() and after == before, said, before, after)
            counts = "set Ash's hit points = %d" % (20000 + n)
            p.type(counts, FIRST)
            t.same("and after the next line", open(kept, "rb").read(), after + counts.encode() + b"\n")
        at = where(p)
        p.child.kill()
        p.child.wait()
    with Terminal("repl", "--resume", cwd=t.folder, env={"XDG_STATE_HOME": os.path.join(t.folder, "state")}) as p:
        p.wait(FIRST)
        t.same("what was kept comes back to the same place", where(p), at)


def several(t):
    """Two prompts at once: each keeps its own journal, and --resume lists them."""
    t.write("pond.fray", POND.replace(", 30 reeds", "").replace(", 30 rushes", ""))
    env = {"XDG_STATE_HOME": os.path.join(t.folder, "several")}

    def at(*args):
        p = Terminal("repl", *args, cwd=t.folder, env=env)
        p.wait(FIRST)
        return p

    with at("pond.fray") as p, at("pond.fray") as q:
        for line in ("begin", "set Ash's hit points = 111"):
            p.type(line, FIRST)
        for line in ("begin", "step", "set Ash's hit points = 222"):
            q.type(line, FIRST)
        p.type("set Elm's hit points = 333", FIRST)
        places = where(p), where(q)
        status, out, err = t.fray("repl", "--resume", env=env)
        t.check("what is open is not continued", status == 2 and "no session to continue" in err, status, out, err)
    kept = [open(os.path.join(t.folder, "several/fray", name)).read() for name in ("session", "session.2")]
    t.same("neither has a line of the other", [(k.count("111"), k.count("222"), k.count("333")) for k in kept], [(1, 0, 1), (0, 1, 0)])
    status, out, err = t.fray("repl", "--resume", env=env)
    t.check("several are listed", status == 2 and "there are 2 sessions to continue. Write: fray repl --resume=1" in err and err.count("pond.fray, ") == 2, status, out, err)
    for number in (1, 2):
        with at("--resume=%d" % number) as p:
            t.same("session %d is where it was" % number, where(p), places[number - 1])
    for number in ("3", "0", "x"):
        t.same("there is no session " + number, t.fray("repl", "--resume=" + number, env=env)[0], 2)


tests = [several, runs, parts, odds, runaway, leaving, folders, refusals, journal]
if "readline" in app.App().fray("--version")[1]:
    tests.insert(3, hasty)
app.run(tests)
