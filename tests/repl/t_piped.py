"""The prompt on piped input: no prompt, exit statuses, lines that cannot be read."""

import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))

import app


def statuses(t):
    t.write("ford.fray", app.FORD)
    t.write("cellar.fray", app.CELLAR)
    t.write("wrong.fray", app.WRONG)
    t.same("no input at all is fine", t.fray("repl"), (0, "", ""))
    t.same("blank lines are nothing", t.fray("repl", stdin="\n  \n\t\n"), (0, "", ""))
    status, out, err = t.fray("repl", stdin="2d1\n3d1\n")
    t.check("there is no prompt", status == 0 and "fray>" not in out + err and out.startswith("2"), out, err)
    t.same("the last line needs no end", t.fray("repl", stdin="2d1\n3d1"), (status, out, err))
    t.same("lines may end as on Windows", t.fray("repl", stdin="2d1\r\n3d1\r\n"), (status, out, err))
    status, out, err = t.fray("repl", stdin="no such thing as this\n2d1\n")
    t.same("a mistake is status 2", status, 2)
    t.check("and the lines after it are run", out.startswith("2"), out)
    t.same("a failed expectation is status 1", t.fray("repl", "cellar.fray", stdin="begin\nrun\n")[0], 1)
    t.same("of several the worst counts", t.fray("repl", "cellar.fray", stdin="begin\nrun\nno such thing as this\n2d1\n")[0], 2)
    t.same("after quit nothing counts", t.fray("repl", stdin="quit\nno such thing as this\n")[0], 0)
    status, out, err = t.fray("repl", stdin="monster bat {\n")
    t.same("an open block at the end is status 2", status, 2)
    t.one_sentence("and said", err, "ended too early: a closing }")
    status, out, err = t.fray("repl", "wrong.fray", stdin="2d1\n")
    t.same("a wrong script ends it at once", (status, out), (2, ""))
    t.same("so does a missing one", t.fray("repl", "none.fray", stdin="2d1\n")[0:2], (2, ""))
    t.same("the prompt's lines cannot be the script", t.fray("repl", "-", stdin="2d1\n")[0:2], (2, ""))
    t.same("one script is enough", t.fray("repl", "ford.fray", "cellar.fray")[0], 2)
    t.fray("repl", stdin="2d1\n", env={"XDG_STATE_HOME": t.folder})
    t.check("no history is kept of them", not os.path.exists(os.path.join(t.folder, "fray")))


TACTICS = """\
use osric
use shelf
combatant Ann { class: fighter; level: 3; hit points: 20; carries: long sword }
monster thug { hit dice: 1; hit points: 60; armour class: 9; carries: club; venom save: 2 }
encounter yard {
  side party: Ann
  side foes: thug
  distance: 60 ft
}
"""


def default_tactics(t):
    """A first line in mid-fight takes its subject out of the default policy from then on, and not before."""
    t.write("yard.fray", TACTICS)
    def fought(*typed):
        return t.fray("repl", "yard.fray", stdin="\n".join(("begin", "step", "step") + typed + ("show log", "show combatant Ann")) + "\n")[1]
    lines = fought("Ann waits").splitlines()
    charges = [x for x in fought().splitlines() if "Ann charges" in x]
    t.check("what she did stays done", charges and charges[-1] in lines, charges, lines)
    shown = fought()
    t.like("what a fight is about is shown", shown, "(?m)^  save vs death: ")
    t.check("a library's field that is as it is for everybody is not", "hug on" not in shown and "venom peril" not in shown, shown)
    t.like("another is", t.fray("repl", "yard.fray", stdin="begin\nshow combatant thug\n")[1], "(?m)^  venom save: 2$")


def strange(t):
    status, out, err = t.fray("repl", stdin=b"2d\x001\n3d1\n")
    t.same("a NUL byte is status 2", status, 2)
    t.one_sentence("it is said", err, "NUL byte")
    t.check("and the line passed over, not cut short", out.startswith("3"), out)
    status, out, err = t.fray("repl", stdin=b"\xff\xfe\n3d1\n")
    t.check("so are bytes that are no text", status == 2 and out.startswith("3"), status, out, err)
    status, out, err = t.fray("repl", stdin=b"x" * (17 * 1024 * 1024) + b"\n3d1\n")
    t.one_sentence("a line without an end", err, "too long: 16 MB")
    t.check("is passed over", status == 2 and out.startswith("3"), status, out)
    status, out, err = t.fray("repl", stdin="(" * 100000 + "\n")
    t.check("a heap of brackets is no crash", status == 2 and err.count("\n") < 200, status, err[:500])


def hasty(t):
    """A Ctrl-C that comes between an answer and the wait for the next line is not forgotten."""
    for _ in range(30):
        child = subprocess.Popen([app.FRAY, "repl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        child.stdin.write(b"2d1\n")
        child.stdin.flush()
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        status = child.wait(timeout=30)
        child.stdin.close()
        child.stdout.close()
        if status != 130:
            break
    t.same("an early Ctrl-C is status 130", status, 130)


def live(t):
    """Whoever writes to the pipe sees each answer before writing the next line."""
    child = subprocess.Popen([app.FRAY, "repl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for n in (2, 3, 4):
        child.stdin.write(b"%dd1\n" % n)
        child.stdin.flush()
        t.check("answer %d comes at once" % n, child.stdout.readline().startswith(b"%d" % n))
    child.send_signal(signal.SIGINT)
    t.same("Ctrl-C while waiting is status 130", child.wait(timeout=30), 130)
    child.stdin.close()
    child.stdout.close()
    child.stderr.close()
    t.write("endless.fray", app.ENDLESS)
    child = subprocess.Popen([app.FRAY, "repl", "endless.fray"], cwd=t.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdin.write(b"2d1\nbegin\nrun\n2d1\n")
    child.stdin.flush()
    child.stdout.readline()
    time.sleep(0.7)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    t.same("and during a run", child.returncode, 130)
    with open("/dev/full", "w") as device:
        status, out, err = t.fray("repl", stdin="2d1\n3d1\n", stdout=device)
    t.same("a full disk is status 2", status, 2)


def places(t, *lines):
    """The groups of acts that were played, as "1:4" for round 1, segment 4."""
    out = t.fray("repl", "gorge.fray", stdin="begin\n" + "\n".join(lines) + "\n")[1]
    found, at = [], 0
    for line in out.split("\n"):
        begun = re.match(r"round (\d+)", line)
        group = re.match(r"  segment (\d+)", line)
        at = int(begun.group(1)) if begun else at
        found += ["%d:%s" % (at, group.group(1))] if group else []
    return found


def moments(t):
    """`step to segment 5` is that of this round, or of the next when this one's is past."""
    fight = app.LONG.replace("hit points: 5", "hit points: 50").replace("  Bruna follows", "  orcs follow bite\n  Bruna follows")
    t.write("gorge.fray", "policy bite { attack my nearest enemy }\n" + fight)
    dice = ["dice: party's surprise die 5, orcs' surprise die 5", "dice: party's initiative 5 then 6, orcs' initiative 4 then 2"]
    every = ["1:4", "1:5", "2:2", "2:6"]
    t.same("what there is", places(t, *dice, "step 4"), every)
    t.same("before the first round it is the first's", places(t, *dice, "step to segment 5"), every[:2])
    t.same("in a round it is that one's", places(t, *dice, "step", "step to segment 5"), every[:2])
    t.same("one that is past is the next round's", places(t, *dice, "step 2", "step to segment 2"), every[:3])
    t.same("and so for one that has just come", places(t, *dice, "step", "step to segment 4"), every)
    t.same("a round is a moment, too", places(t, *dice, "step to round 2"), every[:3])
    t.same("what never comes ends with its round", places(t, *dice, "step to segment 40"), every[:3])
    t.same("run does the same", places(t, *dice, "run to segment 5", "run to segment 5"), every)


def said_last(t):
    """A block typed for a round goes before the script's own of that round."""
    t.write("ford.fray", app.FORD.replace("    expect Bruna hits orc #1\n", ""))
    said = t.fray("repl", "ford.fray", stdin="begin\nstep\n")[1]
    t.check("the script's own", "Bruna attacks orc #1" in said, said)
    said = t.fray("repl", "ford.fray", stdin="begin\nround 1 { Bruna attacks orc #2 }\nstep\n")[1]
    t.check("what is typed for the round goes before it", "Bruna attacks orc #2" in said and "orc #1:" not in said, said)
    said = t.fray("repl", "ford.fray", stdin="begin\nround 1 { Bruna attacks orc #2 }\nround 1 { Bruna waits }\nstep\n")[1]
    t.check("and what is typed last before all", "Bruna attacks" not in said, said)
    said = t.fray("repl", "ford.fray", stdin="begin\nround 1 { Bruna attacks orc #2 }\nBruna flees\nstep\n")[1]
    t.check("but what is said now before what is said for a round", "Bruna flees" in said, said)


def below(t):
    """Scripts in folders below, with what stands beside them."""
    t.write("watch/hold.fray", "use captain\n" + app.FORD.replace("side party: Bruna", "side party: Bruna, Rolf"))
    t.write("watch/captain.fray", "combatant Rolf { hit points: 9 }\n")
    for path in ("watch/hold.fray", "watch/hold"):
        status, out, err = t.fray("repl", stdin='load "%s"\nbegin\n' % path)
        t.check("load %s" % path, status == 0 and "Rolf" in out, status, out, err)
    t.write("above.fray", app.FORD)
    for path in ("../above", "/etc/passwd", "watch/../above", "watch//hold", "watch/", "watch/.hold", "./above", "watch\\hold"):
        status, out, err = t.fray("repl", stdin='load "%s"\n' % path, folder=t.folder + "/watch")
        t.check("F0862: load %s is refused" % path, status == 2 and "not a plain file name" in err, status, out, err)


def slips(t):
    """What people type who come from somewhere else, or in a hurry."""
    t.write("ford.fray", app.FORD)

    def answer(line, status=2):
        got, out, err = t.fray("repl", "ford.fray", stdin="begin\n%s\n" % line)
        t.same("%s: status" % line, got, status)
        return (out + err).split("orc #2\n", 1)[1]

    for line in ("exit", " exit ", "bye", "q"):
        status, out, err = t.fray("repl", stdin="%s\n2d1\n" % line)
        t.same("%r leaves" % line, (status, out, err), (0, "", ""))
    t.check("somebody who is called so stays", t.fray("repl", stdin="combatant Exit { hit points: 3 }\nexit\n2d1\n")[1].startswith("2 "))
    t.same("? is help", t.fray("repl", stdin="?\n"), t.fray("repl", stdin="help\n"))
    t.same("? why is help why, before a fight has begun", t.fray("repl", stdin="? why\n"), t.fray("repl", stdin="help why\n"))
    t.check("which tells of why", t.fray("repl", stdin="help why\n")[0::2] == (0, ""))
    for line, instead in (("next", "step"), ("kill orc #1", "set orc #1's hit points = 0"), ("who acts first?", "show timeline"), ("give Bruna 5 hp", "change Bruna's hit points by 5"), ("heal 3 to orc #2", "change orc #2's hit points by 3"), ("give", "change X's hit points by 4"), ("log", "show log"), ("reroll", "undo")):
        said = answer(line)
        t.check("F0860: %s has another name here" % line, "is not a command of the prompt" in said and instead in said, said)
    for line, instead in (("undo all", "undo 999"), ("show who", "show world"), ("step to 5", "step to segment 5"), ("next round", "step round"), ("how likely is it that Bruna dies?", "write: odds giving Bruna dies\n"),
                          ("set Bruna hit points = 9", "write: set Bruna's hit points = 9\n"), ("set Bruna's hit points 9", "write: set Bruna's hit points = 9\n"),
                          ("set orc #1 hit points 3", "write: set orc #1's hit points = 3\n"), ("Bruna takes 5 damage", "write: change Bruna's hit points by -5\n"),
                          ("orc #1 heals 3", "write: change orc #1's hit points by 3\n"), ("save thursday", 'save "thursday.fray"\n'),
                          ("show Bruna's hit points", "write: Bruna's hit points\n"), ("show orc #1 hit points", "write: orc #1's hit points\n"),
                          ("Bruna hit points", "write: Bruna's hit points\n"), ("orc #1 hit points 3", "write: set orc #1's hit points = 3\n"),
                          ("add 2 orcs", "write: 2 orcs join orcs\n"), ("save", 'save "thursday.fray"\n'), ("load ford.fray", 'load "ford.fray"\n')):
        said = answer(line)
        t.check("F0866: %s is told the line to write" % line, "The prompt does not understand this." in said and instead in said, said)
    for line in ("set Bruna's hit points = 9", "set distance = 20 ft", "set orcs' initiative = 3", "set option tie = reroll"):
        t.check("%s is not" % line, "otherwise" not in t.fray("repl", "ford.fray", stdin="begin\n%s\n" % line)[2])
    t.check("what the game calls so is a name", "a command of the prompt" not in t.fray("repl", stdin="combatant Next { hit points: 3 }\nNext waits\n")[2])
    t.check("nor is it one in a block", "a command of the prompt" not in t.fray("repl", stdin="monster bat {\nback\n}\n")[2])
    said = answer("Bruna's hit points = 4", 0)
    t.check("who asks whether may have meant to set", said.startswith("no\nIt is 31. To make it so, write: set Bruna's hit points = 4"), said)
    t.same("but not when it is so", answer("Bruna's hit points = 31", 0), "yes\n")
    t.check("dice may be rolled by word", re.match(r"\d+   \d \d \d\n", answer("roll 3d6", 0)))
    t.check("a combatant may be shown by name alone", "armour class: 3" in answer("show Bruna", 0))
    said = answer("save thursday.fray")
    t.check("quotes that are missing are said", 'in quotes: save "thursday.fray"' in said, said)


app.run([statuses, default_tactics, strange, hasty, live, moments, said_last, below, slips])
