#!/usr/bin/env python3
"""Names in quotes - "O'Brien", "St. John", "Agent 47" - in every command and in every question."""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import app

NAMES = ("O'Brien", "St. John", "Agent 47")
FIGHT = """\
use osric
use shelf
combatant "O'Brien" { class: fighter; level: 3; hit points: 20; armour class: 4; weapon: long sword }
combatant "St. John" { class: cleric; level: 3; hit points: 16; armour class: 4; weapon: mace }
combatant "Agent 47" { class: thief; level: 3; hit points: 12; armour class: 6; weapon: short sword }
policy p { attack my nearest enemy }
encounter "The King's Arms" {
  side party: "O'Brien", "St. John", "Agent 47"
  side orcs: 3 orcs
  distance: 5 ft
  party follows p
  orcs follow p
  round 1 {
    dice: "O'Brien"'s attack roll 19
    "O'Brien" attacks orc #1
    "Agent 47" attacks orc #2 when "St. John" is able
  }
  until party is down or orcs are down
  expect "O'Brien" attacks orc #1
  expect "O'Brien" hits orc #1
  expect "St. John" is not dead
  expect "Agent 47"'s hit points > 0
}
odds 50 giving "O'Brien" dies, average "St. John"'s hit points, "Agent 47" hits orc #2
"""
QUESTIONS = ("what did %s do", "what happened to %s", "why %s's hit points", "did %s hit orc #2", "who attacked %s",
             "how many orcs did %s hit", "why did %s attack", "what does %s carry")
LINES = ('%s attacks orc #2', 'set %s\'s hit points = 5', 'show %s', 'expect %s is not dead', 'odds 20 giving %s dies', 'force %s\'s attack roll 3')


def commands(t):
    t.write("q.fray", FIGHT)
    for args in (["check"], ["run"], ["run", "--why"], ["run", "--timeline"], ["run", "--brief"], ["run", "--json"], ["odds", "--trials=20"], ["odds", "--trials=20", "--csv"],
                 ["odds", "--trials=20", "--json"], ["odds", "--exact", "--max-rounds=1", "--states=500"], ["odds", "--trials=20", "--report=r.html"],
                 ["test"], ["compare", "--rules=osric,lite"], ["fmt", "--check"], ["show", "encounters"], ["dis"]):
        status, out, err = t.fray(*args, "q.fray")
        t.check("fray %s" % " ".join(args), status == 0, status, err, out[-600:])
    status, out, err = t.fray("odds", "--trials=20", "q.fray")
    for name in NAMES:
        t.check("the usual questions are asked of " + name, re.search('^  "?%s"? survives' % re.escape(name).replace("\\.", ".?"), out, re.M), out)
    t.write("d.fray", FIGHT.replace("Agent 47", "D1"))
    status, out, err = t.fray("odds", "--trials=20", "d.fray")
    t.check("and of one who reads as a die", status == 0 and '  "D1" survives' in out, status, out, err)
    t.silent("a named encounter", t.fray("run", "q.fray", "The King's Arms")[2])


def questions(t):
    for name in NAMES:
        for question in QUESTIONS:
            status, out, err = t.fray("repl", "q.fray", stdin="begin\nrun\n%s\n" % (question % ('"%s"' % name)))
            t.check("%s is answered of a name in quotes" % (question % name), status == 0, err)


def lines(t):
    for name in NAMES:
        for line in LINES:
            line = line % ('"%s"' % name)
            if line:
                status, out, err = t.fray("repl", "q.fray", stdin="begin\nstep\n%s\n" % line)
                t.check("the prompt takes " + line, status == 0, out, err)
    status, out, err = t.fray("repl", "q.fray", stdin='begin\nstep\nsave "s.fray"\n')
    t.same("what is saved is played again", t.fray("test", "s.fray")[0], 0)


app.run([commands, questions, lines])
