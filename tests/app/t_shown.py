#!/usr/bin/env python3
"""What a script says reaches the terminal as text: escapes in names, notes, titles and citations are spelt out."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import app

OBEYED = ["\x1b[31m", "\x1b]0;title\x07", "\x7f", "\u009b2J", "\u202e", "\u2066", "\r"]
EVIL = """\
weapon long sword { damage: 1d8 }
monster orc { hit dice: 1; hit points: 5; armour class: 6; THAC0: 19; attacks: axe 1d8 }
combatant "Ann\x1b[31m" { hit points: 31; armour class: 3; THAC0: 17; weapon: long sword }
encounter "e\x1b[31mvil" {
  side party: "Ann\x1b[31m"
  side orcs: orc
  rule watch "\x1b]0;pwn\x07" { before attack { note "a\x1b[31mred\x1b]0;title\x07 \u202e rtl \u009b2J \u2066 \x7f" } }
  orc attacks %s
  until orcs are down
  expect orc is dead
}
"""


def plain(t, title, *args, **more):
    status, out, err = t.fray(*args, **more)
    left = [hex(ord(c)) for c in out + err if ord(c) < 32 and c not in "\n\t" or ord(c) == 127 or 128 <= ord(c) < 160 or c in "\u202e\u2066"]
    t.check(title, not left and status in (0, 1, 2), left, status, (out + err)[:500])
    return out + err


def escapes(t):
    t.write("evil.fray", EVIL % "nobody")
    plain(t, "an encounter's text in messages", "check", "evil.fray")
    t.write("evil.fray", (EVIL % "my nearest enemy").replace("  orc attacks my nearest enemy\n", "").replace("encounter", "policy p { attack my nearest enemy }\nencounter").replace("  until", "  orcs follow p\n  until"))
    said = plain(t, "a note in a story", "run", "--max-rounds=2", "evil.fray")
    t.check("it can be seen what stood there", "a\\u001b[31mred\\u001b]0;title\\u0007 \\u202e rtl \\u009b2J \\u2066 \\u007f" in said, said)
    for args in (["test"], ["run", "--why", "--max-rounds=2"], ["show", "rules"], ["show", "encounters"], ["odds", "--trials=5", "--max-rounds=2"], ["run", "--timeline", "--max-rounds=2"]):
        plain(t, "fray " + " ".join(args), *args, "evil.fray")
    plain(t, "the prompt", "repl", "evil.fray", stdin="begin\nfork \"x\x1b[31m\"\nstep 3\nforks\nshow world\nwhy\nshow log\n")
    status, out, err = t.fray("run", "--json", "--max-rounds=2", "evil.fray")
    notes = [x["told"] for x in map(json.loads, out.splitlines()) if x.get("kind") == "note"]
    t.check("a log for programs has the note as it is", notes and notes[0].startswith("a\x1b[31mred\x1b]0;title\x07 \u202e rtl"), notes[:1], err)


def quoted(t):
    t.write("ann.fray", app.LONG.replace("combatant Bruna", "combatant \"Bruna, the bold\"").replace("party: Bruna", "party: \"Bruna, the bold\"")
            .replace("Bruna follows", "party follows"))
    status, out, err = t.fray("odds", "--trials=20", "--max-rounds=5", "ann.fray")
    t.check("odds of one whose name has marks in it", status == 0 and "Bruna the bold survives" in out and "Bruna the bold's hit points" in out, out, err)


app.run([escapes, quoted])
