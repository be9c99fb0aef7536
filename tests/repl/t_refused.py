#!/usr/bin/env python3
"""A refused line leaves model, session and journal as they were, and never ends the program."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))

import app
import crash

THINGS = """\
use %s
weapon long sword { damage: 1d8; speed factor: 5; length: 3.5 ft }
weapon spear { damage: 1d6; speed factor: 7; length: 8 ft }
class fighter { hit die: 1d10 }
monster orc { hit dice: 1; hit points: 14; armour class: 6; THAC0: 19; carries: spear; level: 1 }
combatant Bruna { class: fighter; level: 4; hit points: 40; armour class: 3; THAC0: 17; carries: long sword }
combatant Korg { class: fighter; level: 2; hit points: 18; armour class: 5; THAC0: 19; carries: spear }
policy press on { attack my nearest enemy }
encounter small { side party: Bruna, Korg; side orcs: 2 orcs; distance: 5 ft; party follows press on; orcs follow press on; until party is down or orcs are down }
"""
SYSTEMS = ["osric", "lite", "proc", "crucible", "dew"]
ASKS = "show world\nshow rules\nshow options\nforks\n"


def refused(t, title, first, line, system="osric"):
    """Whether the same questions are answered alike after a refused line as without it."""
    t.write("small.fray", THINGS % system)
    status, without, _ = t.fray("repl", "small.fray", stdin=first + ASKS)
    again, with_it, said = t.fray("repl", "small.fray", stdin=first + line + ASKS)
    t.check(title + ": it is refused", again == 2 and status == 0 and said.strip(), said)
    other = [pair for pair in zip(without.split("\n"), with_it.split("\n")) if pair[0] != pair[1]]
    t.check(title + ": and nothing else is told afterwards", with_it == without, other[:3])


def questions(t):
    """What is said of a question that cannot be read, and that what it proposes can be asked."""
    asked = (("why did Bruna yodel at orc #1", "\"yodel\"", "Bruna"), ("did the blue moon help Korg", "\"blue moon help\"", "Korg"),
             ("which of the why", "I know its words", ""))
    for system in SYSTEMS:
        t.write("small.fray", THINGS % system)
        for line, words, name in asked:
            status, out, err = t.fray("repl", "small.fray", stdin="begin\nrun\n%s\n" % line)
            t.check("%s under %s: what is not understood" % (line, system), status == 2 and words in err and err.count("[F0895]") == 1, err)
            t.check("%s under %s: whom it names" % (line, system), name in err.split("for example:")[-1], err)
            proposed = " ".join(err.split("for example:")[-1].split()).split("; ")
            status, out, err = t.fray("repl", "small.fray", stdin="begin\nrun\n%s\n" % "\n".join(proposed))
            t.check("%s under %s: what is proposed is answered" % (line, system), len(proposed) in (2, 3) and status == 0, proposed, err)
    status, out, err = t.fray("repl", "--json", "small.fray", stdin="begin\nrun\n%s\n" % asked[0][0])
    problems = [p for answer in app.objects(out) for p in answer["problems"]]
    t.check("so it is in JSON", [p["code"] for p in problems] == ["F0895"] and "yodel" in problems[0]["message"] and "why did Bruna" in problems[0]["hint"], problems)
    status, out, err = t.fray("repl", "small.fray", stdin="begin\nrun\nwhy did Brunna attack\n")
    t.check("a slip of spelling proposes the name", '"Brunna"' in err and "why did Bruna attack" in err, err)


def lines(t):
    for system in SYSTEMS:
        refused(t, "a stray } under " + system, "begin\nstep\n", "}\n", system)
        refused(t, "a rule that is wrong under " + system, "begin\nstep\n", "rule r { define combatant's hit points = moon }\n", system)
        refused(t, "a module that is not there under " + system, "begin\nstep\n", "use nothere\n", system)
        refused(t, "an encounter that is not there under " + system, "begin\nstep 2\n", "begin the moon\n", system)
    refused(t, "a script that is wrong", "begin\nstep 2\nfork f\nundo\n", "load \"small.fray\"\n")
    refused(t, "half a block", "begin\nstep\n", "rule attack orc {\nbefore attack { note \"x\" }\n}}\n")
    t.write("ford.fray", crash.SCRIPT % "dew")
    status, out, err = t.fray("repl", "ford.fray", stdin="begin\nuse shelf\ngiant rat joins orcs\nstep\nbegin\n")
    t.check("a library used in a fight goes with it", status == 0 and out.count("party: Hal") == 2 and "giant rat" in out, out, err)
    t.write("bad.fray", "combatant Elm { hit pints: 4 }\nencounter moon { side party: Elm }\n")
    status, out, err = t.fray("repl", "small.fray", stdin="load \"bad.fray\"\nload \"bad.fray\"\nshow encounters\nbegin\n")
    t.check("a script that is wrong leaves nothing behind", status == 2 and out.startswith("  small\n  party:") and err.count("hit pints\".") == 2, out, err)
    t.write("unfit.fray", (THINGS % "osric").replace("encounter small", "rule fit { before set up { wrong \"nobody is fit\" } }\nencounter small"))
    status, out, err = t.fray("repl", "unfit.fray", stdin="begin\nKorg's hit points\nbegin\n")
    t.check("an encounter that the rules refuse has not begun", status == 2 and err.count("nobody is fit. [F0611]") == 2 and "No fight has begun" in err, out, err)
    t.write("endless.fray", (THINGS % "osric").replace("press on;", "rest;").replace("encounter small", "policy rest { wait }\nencounter small"))
    status, out, err = t.fray("repl", "endless.fray", stdin="begin\nrun\nset Korg's hit points = 3\nKorg's hit points\nset Korg's hit points = moon\nKorg's hit points\n")
    t.check("a line after a fight that was stopped is answered as after one that is over", status == 3 and "F0361" in err and "The fight is over. undo goes back into it" in out and out.count("\n18") == 2, out[-200:], err)
    refused(t, "of several lines", "begin\n", "policy deep {\n  attack my nearest\n}\n")
    t.write("far.fray", (THINGS % "crucible") + "encounter nowhere { side party: Bruna; side orcs: 2 orcs }\n")
    states = {}
    for line in "", "begin nowhere\n":
        _, out, _ = t.fray("repl", "--json", "far.fray", stdin="begin small\n" + line + "step\n")
        states[line] = [json.loads(x)["status"] for x in out.splitlines()]
    t.check("an encounter that the rules refuse leaves no error for the next step", states == {"": ["ok", "ok"], "begin nowhere\n": ["ok", "wrong", "ok"]}, states)
    given_up = t.fray("repl", "small.fray", stdin="begin\npolicy Bruna attacks\n\nBruna attacks orc #1\nstep\n" + ASKS)
    t.check("a name from a line that an empty one gives up is not known", given_up == t.fray("repl", "small.fray", stdin="begin\nBruna attacks orc #1\nstep\n" + ASKS) and not given_up[0], given_up)
    status, out, _ = t.fray("repl", "--json", "small.fray", stdin="(\n\n7d1\n\n")
    t.check("an answer tells that its lines were given up", [json.loads(x)["input"] for x in out.splitlines()] == ["(\n", "7d1", ""], out)
    refused(t, "a name from a refused line", "begin\nset Bruna's hit points = 7\n", "rule set { before attack { set moon = 3 } }\n")


def names(t):
    t.write("small.fray", THINGS % "osric")
    status, out, err = t.fray("repl", "small.fray", stdin="begin\nFoo is able\nFoo is able\n")
    t.same("each line is told of its own mistakes", err.count("I don't know what \"Foo\" is."), 2)
    status, out, err = t.fray("repl", "small.fray", stdin="begin\n}\nset Bruna's hit points = 5\nBruna's hit points\n")
    t.check("lines after a stray } are read", out.endswith("5\n") and status == 2, out, err)
    t.write("shelf.fray", "use osric\nuse shelf\ncombatant Ann { hit points: 8; level: 1 }\nencounter e { side one: Ann; side two: orc }\n")
    for line, answer in (("Ann's sickened", "0"), ("set Ann's terrified = yes\nAnn's terrified", "yes"), ("Ann's psychic wound", "no")):
        status, out, err = t.fray("repl", "shelf.fray", stdin="begin\n5\n%s\n" % line)
        t.check("known at once, from a part of the shelf not read yet: " + line.split("\n")[0], status == 0 and out.endswith("\n%s\n" % answer), out, err)
    status, out, err = t.fray("repl", "small.fray", stdin="combatant attack orc #1 { hit pints: 3 }\nbegin\nBruna attacks orc #1\nstep 3\n")
    t.check("a name that was refused is no name", status == 2 and "Bruna attacks orc #1" in out, out, err)


def encounters(t):
    t.write("small.fray", THINGS % "osric")
    typed = "encounter wood { side party: Bruna; side orcs: 2 orcs }\n"
    status, out, err = t.fray("repl", "small.fray", stdin="begin\n" + typed + "begin wood\nshow encounters\n")
    t.check("an encounter typed in a fight can be begun", status == 0 and out.endswith("  small\n  wood\n"), out, err)
    status, out, err = t.fray("repl", "small.fray", stdin="begin\n" + typed + "undo\nbegin wood\nshow world\n")
    t.check("but not when it was taken back", status == 2 and "Korg" in out.split("\n")[-2] + out, out, err)
    status, out, err = t.fray("repl", "small.fray", stdin="begin\nset Bruna's hit points = 3\nbegin\nBruna's hit points\n")
    t.check("a fight that begins anew forgets what was typed", status == 0 and out.endswith("40\n"), out, err)
    status, out, err = t.fray("run", "small.fray", "small and")
    t.check("an encounter asked for by a longer name", status == 2 and "small and" in err, err)


def scripts(t):
    t.write("house.fray", "use crucible with skirmish, drill\ncombatant Mira { hit points: 6; weapon: bow }\nencounter the yard {\n  side party: Mkra, Nan\n"
            "  round 1 {\n    Mira and Nan shoot bow at Uz\n  }\n}\n")
    t.same("house rules that are not there", t.fray("check", "house.fray")[0], 2)
    t.write("house.fray", "use osric with nothere\ncombatant Nan { hit points: 6 }\ncombatant Uz { hit points: 6 }\nencounter y {\n  side party: Mira, Nan\n"
            "  round 1 { Uz attacks Mira }\n}\n")
    t.same("and somebody who is not there", t.fray("check", "house.fray")[0], 2)
    t.write("every.fray", "every combatant to combatant has{instead of attack(b)unless b\n  }}\n")
    t.same("a clause in every, half written", t.fray("check", "every.fray")[0], 2)


app.run([questions, lines, names, encounters, scripts])
