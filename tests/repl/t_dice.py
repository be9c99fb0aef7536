"""Dice asked for at the prompt: piped, at a terminal, and after a crash."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))

import app
from terminal import Terminal

FIRST = r"[^\r\n]*fray> \Z"

TABLE = """\
use osric
weapon sword { damage: 1d8 }
monster orc { hit points: 9; armour class: 6; THAC0: 18; carries: sword }
combatant Bruna { hit points: 22; armour class: 4; THAC0: 17; carries: sword }
combatant Hal { hit points: 8; armour class: 8; THAC0: 20; carries: sword }
policy stand firm { attack my nearest enemy with sword }
encounter the ford {
  side party: Bruna, Hal
  side orcs: 3 orcs
  distance: 5 ft
  Bruna and Hal follow stand firm
  orcs follow stand firm
  until party is down or orcs are down
}
"""


def piped(t):
    t.write("table.fray", TABLE)
    status, out, err = t.fray("repl", "table.fray", stdin="begin\ndice ask\nstep\n5 6\n2 4\n17 7\n3 4\n")
    t.check("answers come from the pipe, several on a line", status == 0 and "orc #1 attacks Bruna: attack roll 17 [typed]: hit, 7 damage" in out, status, out, err)
    t.check("and no question is shown", "d20" not in err + out.replace("attack roll", ""), out, err)
    status, out, err = t.fray("repl", "table.fray", stdin="begin\ndice ask\nstep\n5 6\n2 4\n99\n17\n?\n7\n3 4\n")
    t.check("a bad face is refused and asked for again", "cannot show 99. It shows 1 to 20." in err and "attack roll 17 [typed]: hit, 7 damage" in out, out, err)
    t.check("? tells the act, the rule and what each face leads to", re.search(r"orc #1 attacks Bruna: hit  core: damage roll\n  1 to 8: 1 damage \.\. 8 damage; then orc #2's attack roll \(d20\)\n", out), out)
    status, out, err = t.fray("repl", "table.fray", stdin="begin\ndice ask\nstep\n5 6\n2 4\n?\n7\n3 4\n")
    t.check("and what an attack roll must reach", re.search(r"orc #1 attacks Bruna  core: attack roll\n  1 to 13: miss; then orc #2's attack roll \(d20\)\n  14 to 20: then orc #1's damage \(d8\)\n", out), out)
    status, out, err = t.fray("repl", "table.fray", stdin="begin\ndice ask party\nstep\n5\n2\n")
    t.check("the party's dice are asked for, the rest rolled", status == 0 and "party's surprise die 5 [typed], orcs' surprise die 4\n" in out, status, out, err)
    status, out, err = t.fray("repl", "table.fray", stdin="begin\ndice ask\nstep\n5 6\n")
    t.same("an input that ends at a question is status 2", status, 2)
    t.one_sentence("and said", err, "before all dice were told")
    status, out, err = t.fray("repl", "table.fray", stdin="begin\ndice ask\nstep\n5 6 2 4 17 7 3 4\ndice roll\nstep\n")
    t.check("until dice roll", status == 0 and "Hal attacks orc #1: attack roll 2: miss" in out, status, out, err)


def saved(t):
    """What was typed is in the saved script, and undo, redo and forks keep it."""
    t.write("table.fray", TABLE)
    typed = "begin\ndice ask\nstep\n5 6 2 4 17 7 3 4\nstep\n15 6 2\nundo\nfork b\nswitch main\nredo\ndice roll\nstep\n"
    status, out, err = t.fray("repl", "table.fray", stdin=typed + 'save "kept.fray"\nshow world\n')
    world = out[out.index("the ford"):]
    t.check("undo and redo bring the faces back", status == 0 and "hit points: 15" in world and "hit points: -2 (was 9)" in world, status, out, err)
    kept = open(os.path.join(t.folder, "kept.fray")).read()
    t.check("each die is saved by its name and number", "dice: Bruna's attack roll #1 15, Bruna's damage #1 6, Hal's attack roll #1 2" in kept, kept)
    status, out, err = t.fray("repl", "kept.fray", stdin="begin\nstep 3\nshow world\n")
    t.same("and plays to the same world", (status, out[out.index("the ford"):]), (0, world))
    t.same("fray test takes it", t.fray("check", "kept.fray")[0], 0)


def numbers(t):
    """What the dice show, typed where a command is expected, plays on as far as they reach."""
    t.write("table.fray", TABLE)
    one = "begin\ndice ask\nstep\n5 6 2 4 17 7 3 4\nstep\n15 6 2\nstep\n3 4 2 9 5\n"
    other = "begin\ndice ask\n5 6 2 4 17 7 3 4 15 6 2 3 4 2 9 5\n"
    told = [t.fray("repl", "table.fray", stdin=lines + "dice roll\nshow world\nforks\n") for lines in (one, other)]
    t.check("a round is a line of numbers", told[0][0] == 0 and told[0] == told[1], *told)
    status, out, err = t.fray("repl", "table.fray", stdin="begin\ndice ask\n5 6 2 4 17 7 3 4 15 6 2 40 4 2\n3 4 2 9 5\nforks\n")
    t.check("one that no die can show stops the line", "cannot show 40" in err and "3 beats" in out, out, err)
    status, out, err = t.fray("repl", "table.fray", stdin="begin\ndice ask party\n5 2 15 6 2\nforks\n")
    t.check("the others' dice are rolled in between", status == 0 and "party's initiative 2 [typed], orcs' initiative" in out and "Bruna attacks orc #1: attack roll 15 [typed]: hit, 6 damage" in out, out, err)
    t.check("a line that is no dice is a line", t.fray("repl", "table.fray", stdin="begin\n17 4\n")[0] == 2)
    t.write("short.fray", TABLE.replace("hit points: 9;", "hit points: 1;").replace("3 orcs", "1 orc"))
    status, out, err = t.fray("repl", "short.fray", stdin="begin\ndice ask\n5 6 4 2 20 4 9 9 9\n")
    t.check("what is left when the fight is over is said", "No die was left for: 9 9 9\n" in out or "No die was left for: 9 9\n" in out, out, err)


def kill(p):
    p.child.kill()
    p.child.wait()


def resumed(p):
    """At the question where both crashes below strike; what comes of answering it."""
    p.wait(r"Back in the last session: round 1, segment 2\.")
    p.wait(r"Hal's attack roll \(d20\): \Z")
    out = p.type("3")
    return "attack roll 15 [typed]: hit, 6 damage" in out and "Hal attacks orc #1: attack roll 3 [typed]: miss" in out, out


def numbers_killed(t):
    """Killed in a line of numbers, at a question behind it: all is there again."""
    env = {"XDG_STATE_HOME": os.path.join(t.folder, "numbers")}
    t.write("table.fray", TABLE)
    with Terminal("repl", "table.fray", cwd=t.folder, env=env) as p:
        p.wait(FIRST)
        p.type("begin")
        p.type("dice ask")
        p.type("5 6 2 4 17 7 3 4 15", r"Bruna's damage \(d8\): \Z")
        p.type("6", r"Hal's attack roll \(d20\): \Z")
        kill(p)
    with Terminal("repl", "--resume", cwd="/", env=env) as p:
        t.check("a line of numbers is resumed where it was", *resumed(p))
        kill(p)


def terminal(t):
    t.write("table.fray", TABLE)
    with Terminal("repl", "table.fray", cwd=t.folder) as p:
        p.wait(FIRST)
        p.type("begin")
        p.type("dice ask")
        p.type("step", r"party's surprise die \(d6\): \Z")
        p.type("5 6", r"party's initiative \(d6\): \Z")
        p.type("2 4", r"orc #1's attack roll \(d20\): \Z")
        out = p.type("?", r"orc #1's attack roll \(d20\): \Z")
        t.check("? is answered, and the question stands", "14 to 20: then orc #1's damage" in out, out)
        p.type("17", r"orc #1's damage \(d8\): \Z")
        p.type("undo", r"orc #1's attack roll \(d20\): \Z")
        out = p.type("21", r"orc #1's attack roll \(d20\): \Z")
        t.check("what a die cannot show is refused", "cannot show 21" in out, out)
        out = p.type("4 4 4")
        t.check("undo took the last face back", "orc #1 attacks Bruna: attack roll 4 [typed]: miss" in out, out)
        p.type("step", r"Bruna's attack roll \(d20\): \Z")
        p.send("\r")
        p.wait(r"Hal's attack roll \(d20\): \Z")
        t.check("Return rolls", True)
        p.interrupt()
        p.wait(r"\^C\r\n")
        p.wait(FIRST)
        place = p.type("forks")
        t.check("Ctrl-C at a question takes the step back", "1 beat," in place, place)


def crash(t):
    """Killed at a question: what was answered is there again, and the question too."""
    env = {"XDG_STATE_HOME": os.path.join(t.folder, "crash")}
    t.write("table.fray", TABLE)
    with Terminal("repl", "table.fray", cwd=t.folder, env=env) as p:
        p.wait(FIRST)
        p.type("begin")
        p.type("dice ask")
        p.type("step", r"party's surprise die \(d6\): \Z")
        p.type("5 6 2 4 4 4 4")
        p.type("step", r"Bruna's attack roll \(d20\): \Z")
        p.interrupt()
        p.wait(r"\^C\r\n")
        p.wait(FIRST)
        p.type("step", r"Bruna's attack roll \(d20\): \Z")
        p.type("15", r"Bruna's damage \(d8\): \Z")
        p.type("6", r"Hal's attack roll \(d20\): \Z")
        kill(p)
    with Terminal("repl", "--resume", cwd="/", env=env) as p:
        t.check("the question is asked that stood there, with the answers before it", *resumed(p))
        world = p.type("show world")
        kill(p)
    with Terminal("repl", "--resume", cwd="/", env=env) as p:
        p.wait(FIRST)
        t.same("and after the next crash all is as it was", p.type("show world"), world)


app.run([piped, saved, numbers, numbers_killed, terminal, crash])
