"""What is saved at the prompt comes to the same world and passes `fray test`, whatever became of the fight: expectations
that failed, one nobody fights, one that was played by other rules than its script names."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))

import app

YARD = """\
use osric
weapon club { damage: 1d4 }
combatant Ash { hit points: 90; armour class: 5; THAC0: 19; carries: club }
combatant Elm { hit points: 12; armour class: 5; THAC0: 19; carries: club }
policy strike { attack my nearest enemy with club }
policy wait a while { wait }
encounter the yard {
  side left: Ash
  side right: Elm
  distance: 5 ft
  Ash and Elm follow strike
  until Ash is dead or Elm is dead
  round 1 { Ash waits; expect Ash attacks Elm; Elm waits }
  round 2 { expect Elm's hit points = 4
    expect Elm is dead }
  expect Ash is able
  expect Elm is dead
}
"""
START = "begin\nstep round\nexpect Ash's hit points = 99\nexpect Ash is able\nstep round\nstep round\n"


def play(t, name, stdin, *args):
    """The world behind the lines, and what `save` wrote."""
    status, out, err = t.fray("repl", "--keep-going", *args, "yard.fray", stdin=stdin + "9d1\nshow world\nforks\nsave \"%s\"\n" % name)
    with open(os.path.join(t.folder, name), encoding="utf-8") as f:
        return out[out.rindex("9   1 1 1 1 1 1 1 1 1\n") :], f.read()


def again(t, name, *args):
    """The world of the saved script at its place."""
    with open(os.path.join(t.folder, name), encoding="utf-8") as f:
        steps = re.search(r"begin .* and step (\d+)", f.read()).group(1)
    status, out, err = t.fray("repl", "--keep-going", *args, name, stdin="begin\nstep %s\n9d1\nshow world\nforks\nsave \"more.fray\"\n" % steps)
    os.remove(os.path.join(t.folder, "more.fray"))
    return out[out.rindex("9   1 1 1 1 1 1 1 1 1\n") :]


def world(seen):
    seen = re.sub(r"(?m)^The .* that was there is now .*\n", "", seen)
    return re.sub(r"(?m)^\* main .*\n", "", seen).replace("more.fray", "saved").replace("kept.fray", "saved")


def in_vain(t):
    t.write("yard.fray", YARD)
    seen, text = play(t, "kept.fray", START)
    for line in ("expect in vain Ash attacks Elm; Elm waits }", "expect in vain Elm's hit points = 4", "    expect in vain Elm is dead }", "  expect in vain Elm is dead\n",
                 "    expect in vain Ash's hit points = 99\n"):
        t.check("was not so: " + line.strip(), line in text, text)
    t.check("what held is expected still", "  expect Ash is able\n  expect in vain" in text and "    expect Ash is able\n" in text, text)
    t.same("it passes", t.fray("test", "kept.fray")[:2], (0, "ok 1 - kept.fray: the yard\n1..1\n"))
    t.same("and comes to the same world", world(again(t, "kept.fray")), world(seen))
    status, out, err = t.fray("run", "kept.fray")
    t.check("played on, what was not so yet may come to be", status == 0 and "of the fight" not in err, status, out, err)
    # what was so later than it is now is said when the rules change
    t.write("kept.fray", text.replace("encounter the yard {", "encounter the yard {\n  rule stout { define Ash's hit points = 99 }\n"))
    t.same("that it is so now is said", t.fray("test", "kept.fray")[0], 1)


def not_looked_at(t):
    t.write("yard.fray", YARD.replace("  expect Ash is able\n", "  round 900 { expect Ash is able }\n"))
    seen, text = play(t, "kept.fray", "begin\nset Elm's hit points = 1\nrun\n")
    t.check("the fight was over before", "round 900 { expect in vain Ash is able }" in text, text)
    t.same("it passes as well", t.fray("test", "kept.fray")[:2], (0, "ok 1 - kept.fray: the yard\n1..1\n"))
    t.same("to the same world", world(again(t, "kept.fray")), world(seen))


def added(t):
    t.write("yard.fray", YARD.replace("  expect Elm is dead\n", ""))
    text = play(t, "kept.fray", "begin\nstep 3\n")[1]
    for said, passes in (("Elm is not dead", True), ("Elm is dead", False)):
        t.write("kept.fray", re.sub(r"\}\s*\Z", "  expect %s\n}\n" % said, text))
        t.same("an expectation that is added looks at the evening's end: " + said, t.fray("test", "kept.fray")[0], 0 if passes else 1)


def nobody_fights(t):
    t.write("yard.fray", YARD)
    idle = "begin\nAsh follows wait a while\nElm follows wait a while\n"
    for steps in ("step 9\n", "run\n"):
        seen, text = play(t, "kept.fray", idle + "step 2\nexpect Ash is able\n" + steps)
        t.same("nobody fights: it passes", t.fray("test", "kept.fray")[:2], (0, "ok 1 - kept.fray: the yard\n1..1\n"))
        t.same("and comes to the same world", world(again(t, "kept.fray")), world(seen))
        os.remove(os.path.join(t.folder, "kept.fray"))


def named(t):
    t.write("yard.fray", YARD)
    status, out, err = t.fray("repl", "yard.fray", stdin="begin\nstep\nsave \"late\"\n")
    t.check("a name without an ending gets one", status == 0 and "Saved in late.fray.\n" in out and os.path.exists(os.path.join(t.folder, "late.fray")), status, out, err)
    t.same("and is found by it", t.fray("repl", stdin="load \"late\"\nbegin\nstep\n")[0], 0)


def other_rules(t):
    t.write("yard.fray", YARD.replace("distance: 5 ft", "distance: 4 ft"))
    seen, text = play(t, "kept.fray", "begin\nstep 2\nexpect Ash is able\nset option dead_target = retarget\nstep\n", "--rules=lite", "--seed=7")
    t.check("the head says by which rules, and the dice", "; seed 7; played with --rules=lite.\n" in text, text)
    t.same("it is tested by these, with these dice", t.fray("test", "kept.fray")[:2], (0, "ok 1 - kept.fray: the yard\n1..1\n"))


app.run([in_vain, not_looked_at, added, nobody_fights, named, other_rules])
