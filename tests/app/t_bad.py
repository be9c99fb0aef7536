"""What nobody means to write: one clear sentence with its place, status 2 or 3, and soon."""

import os
import re
import time

import app

THERE = "weapon club { damage: 1d6 }\ncombatant Bruna { hit points: 31; weapon: club }\nmonster orc { hit points: 5; weapon: club }\n"
FIGHT = "encounter x { side a: Bruna\n side b: 2 orcs\n round 1 { Bruna attacks orc #1 } }\n"


def strike(body):
    return THERE + 'rule x "1" exception to attack roll { on strike { %s } }\n' % body + FIGHT


# name, text, code, line (0: no place), status of `fray run`
BAD = [
    ("a zero byte", b"monster or\0c { hit points: 1 }\n", "F0148", 1, 2),
    ("invalid UTF-8", b"monster \xff\xfe { hit points: 1 }\n", "F0149", 1, 2),
    ("cut off in a block", (THERE + FIGHT)[:-20], "F0139", 6, 2),
    ("cut off before the last }", (THERE + FIGHT)[:-3], "F0139", 4, 2),
    ("cut off in a quote", 'encounter x { side a: "Bru', "F0141", 1, 2),
    ("10 MB of (", "(" * 10_000_000, "F0101", 1, 2),
    ("a value of 10 MB of (", "define f (a) = " + "(" * 10_000_000, "F0151", 1, 2),
    ("10 MB of {", "{" * 10_000_000, "F0101", 1, 2),
    ("a million of -", "define f (a) = " + "- " * 1_000_000 + "1\n", "F0151", 1, 2),
    ("a million of not", "define f (a) = " + "not " * 1_000_000 + "yes\n", "F0151", 1, 2),
    ("a million of +1", "define f (a) = 1" + "+1" * 1_000_000 + "\n", "F0154", 1, 2),
    ("100,000 ifs", 'rule x "1" { on strike {' + "if yes { " * 100_000 + "} }", "F0151", 1, 2),
    ("100,000 else ifs", 'rule x "1" { on strike { if yes {} ' + "else if yes { } " * 100_000 + "} }", "F0151", 1, 2),
    ("100,000 of '", "define f (a) = a" + "'s b" * 100_000 + "\n", "F0154", 1, 2),
    ("100,000 of }", "}\n" * 100_000, "F0140", 1, 2),
    ("an encounter of 100,000 lines", THERE + FIGHT.replace("Bruna attacks orc #1", "\nBruna attacks orc #1" * 100_000 + "\n"), "F0541", 4, 2),
    ("a name of 10,000 letters", "monster %s { hit points: 1 }\n" % ("a" * 10_000), "F0152", 1, 2),
    ("a name of 10,000 words", "monster %s { hit points: 1 }\n" % ("ab " * 10_000), "F0152", 1, 2),
    ("10,000 letters in quotes", 'monster "%s" { hit points: 1 }\n' % ("a" * 10_000), "F0152", 1, 2),
    ("somebody of 10,000 letters", THERE + "encounter x { side a: %s; side b: orc }" % ("q" * 10_000), "F0152", 4, 2),
    ("d0", "weapon a { damage: d0 }\n", "F0342", 1, 2),
    ("100000d1000000", "weapon a { damage: 100000d1000000 }\n", "F0740", 1, 2),
    ("dice past 64 bits", "weapon a { damage: 99999999999999999999d99999999999999999999 }\n", "F0740", 1, 2),
    ("4d6kh9", "weapon a { damage: 4d6kh9 }\n", "F0343", 1, 2),
    ("a number past 64 bits", "monster a { hit points: 9999999999999999999999 }\n", "F0153", 1, 2),
    ("a product past 64 bits", strike("change attacker's hit points by 999999999999999999 * 999999999999999999"), "F0601", 4, 2),
    ("division by zero", strike("change attacker's hit points by (5 / (target's level - target's level)) rounded up").replace("hit points: 5", "level: 1; hit points: 5"), "F0602", 4, 2),
    ("division by a written zero", strike("change attacker's hit points by (5 / 0) rounded up"), "F0602", 4, 2),
    ("use of a path", "use ../../etc/passwd\n", "F0803", 1, 2),
    ("use of an absolute path", "use /etc/passwd\n", "F0803", 1, 2),
    ("use of a path in quotes", 'use "../../etc/passwd"\n', "F0803", 1, 2),
    ("use of an absolute path in quotes", 'use "/etc/passwd"\n', "F0803", 1, 2),
    ("use of a hidden file", 'use ".profile"\n', "F0803", 1, 2),
    ("an event that performs itself", strike("strike (attacker, target, weapon)"), "F0703", 4, 3),
    ("a repeat without an end", strike("repeat { set attacker's level = 1 }"), "F0704", 4, 3),
    ("a repeat of a billion", strike("repeat at most 1000000000 { set attacker's level = 1 }"), "F07", 4, 3),
    ("a value worked out from that of others", THERE + 'rule a "1" { define combatant\'s zip = zap of (combatant, 1) }\nrule b "1" exception to attack roll { define zap of (combatant, n) = zap of (combatant, n + 1)\n'
     " on strike { set attacker's level = attacker's zip } }\n" + FIGHT, "F0702", 5, 3),
    ("a value worked out from itself", THERE + 'rule a "1" { define combatant\'s zip = combatant\'s zap }\nrule b "1" { define combatant\'s zap = combatant\'s zip\n'
     " on strike { set attacker's level = attacker's zip } }\n" + FIGHT, "F0427", 4, 2),
    ("a circle of exceptions", THERE + "".join('rule %s "1" exception to %s { define combatant\'s zip = %d }\n' % (a, b, i) for i, (a, b) in enumerate(("ab", "bc", "ca")))
     + FIGHT, "F0404", 4, 2),
    ("a circle of parents", "monster a is a b with { hit points: 1 }\nmonster b is a c with { hit points: 1 }\nmonster c is an a with { hit points: 1 }\n", "F0223", 1, 2),
    ("10,000 combatants", THERE + FIGHT.replace("2 orcs", "10000 orcs"), "F0503", 5, 2),
    ("more combatants than can be counted", THERE + FIGHT.replace("2 orcs", "99999999999999999999 orcs"), "F0153", 5, 2),
    ("fewer than none", THERE + FIGHT.replace("2 orcs", "-3 orcs"), "F0131", 5, 2),
    ("nothing", "", "F0807", 0, 2),
    ("a million of ;", ";" * 1_000_000, "F0807", 0, 2),
]


def bad(t):
    for name, content, code, line, wanted in BAD:
        t.write("bad.fray", content)
        start = time.monotonic()
        status, out, err = t.fray("run", "bad.fray")
        took = time.monotonic() - start
        heads = re.findall(r"^\S.*", err, re.M)
        t.same("%s: status" % name, status, wanted)
        if line:
            t.check("%s: one sentence, with its place" % name, len(heads) == 1 and heads[0].startswith("bad.fray:%d: " % line) and re.search(r"[.?] \[F\d{4}\]$", heads[0]), heads)
        else:
            t.check("%s: one sentence" % name, len(heads) == 1, heads)
        if wanted == 2 and line and "round 1" not in out:
            found = app.objects(t.fray("check", "--json", "bad.fray")[1])
            t.same("%s: the code" % name, [d["code"] for d in found], [code])
        t.check("%s: soon" % name, took < 30, took)
        t.check("%s: nothing that would trouble a terminal" % name, not re.search("[\x00-\x08\x0b-\x1f\x7f\ufffd]", err), err[:300])


def circles(t):
    t.write("one.fray", "use two\n" + THERE)
    t.write("two.fray", "use one\nuse two\nmonster bat { hit points: 1 }\n")
    t.write("self.fray", "use self\n" + THERE + FIGHT)
    t.write("fight.fray", "use one\n" + FIGHT.replace("orcs", "bats").replace("orc #1", "bat #1"))
    t.same("modules that use each other are fine", (t.fray("check", "fight.fray")[0], t.fray("run", "fight.fray")[0]), (0, 0))
    t.same("so is a script that uses itself", t.fray("check", "self.fray"), (0, "", ""))


def large(t):
    t.write("large.fray", "".join("monster orc%d { hit points: %d }\n" % (i, i % 9 + 1) for i in range(100_000)) + THERE + FIGHT)
    status, out, err = t.fray("run", "large.fray")
    t.same("a script of 100,000 lines is played", (status, err), (0, ""))
    t.write("many.fray", THERE + FIGHT.replace("2 orcs", "900 orcs"))
    t.same("so is a fight of 900", t.fray("run", "many.fray")[0], 0)


app.run([bad, circles, large])
