"""fray show, fray dis and fray -e: how their words are understood."""

import re

import app


def topics(t):
    t.write("ford.fray", app.FORD)
    t.write("wrong.fray", app.WRONG)
    status, out, err = t.fray("show", "rules", "ford.fray")
    t.same("rules of a script", (status, err), (0, ""))
    t.like("with their sources", out, r"core: a d20")
    one = t.fray("show", "rules", "number to hit", "ford.fray")
    t.same("WHAT narrows them down", one[0], 0)
    t.check("to fewer", 0 < len(one[1]) < len(out), one[1])
    t.same("it may be several words", t.fray("show", "rules", "number", "to", "hit", "ford.fray"), one)
    t.same("without a script: what every system shares", t.fray("show", "rules")[0], 0)
    t.like("or the rules that are named", t.fray("show", "rules", "--rules=osric")[1], "osric")
    for topic in ("order", "fields", "actions", "options"):
        status, out, err = t.fray("show", topic, "--rules=osric")
        t.check("show %s says something" % topic, status == 0 and out.strip() and not err, status, err)
        status, out, err = t.fray("show", "--json", topic, "--rules=osric")
        t.check("and as JSON", status == 0 and all(isinstance(o, dict) for o in app.objects(out)) and out.strip(), out, err)
    status, out, err = t.fray("show", "rulez", "ford.fray")
    t.same("an unknown topic is wrong", (status, out), (2, ""))
    t.check("and said", err.strip(), err)
    t.same("a wrong script is wrong", t.fray("show", "rules", "wrong.fray")[0:2], (2, ""))
    t.same("a missing one too", t.fray("show", "rules", "none.fray")[0:2], (2, ""))
    t.write("both.fray", app.BOTH)
    t.same("a fight may be chosen", t.fray("show", "order", "--encounter=The Ford", "both.fray")[0], 0)
    t.same("if it is there", t.fray("show", "order", "--encounter=The Fort", "both.fray")[0:2], (2, ""))


def stat_blocks(t):
    status, out, err = t.fray("show", "weapon", "long sword", "--rules=osric")
    t.check("a stat block of the library", status == 0 and not err and out.startswith("weapon long sword   shelf for osric\n") and "  damage: 1d8, 1d12 vs large\n" in out, status, out, err)
    t.like("as other rules have it", t.fray("show", "weapon", "long", "sword", "--rules=lite")[1], r"\Aweapon long sword   shelf\n(.*\n)*  weight: 6 lb\n")
    one = app.objects(t.fray("show", "--json", "weapon", "long sword", "--rules=osric")[1])
    t.same("as JSON, what it is made from included", (one[0]["kind"], one[0]["fields"]["weight"], one[0]["fields"]["speed factor"], len(one)), ("weapon", "7 lb", "5", 1))
    t.write("cave.fray", "use osric\nuse shelf\nmonster cave thing { hit dice: 2; gaze: petrified }\nmonster plain thing { hit dice: 2; armour class: 5 }\n")
    ghoul = t.fray("show", "monster", "ghoul")[1]
    t.like("what a monster's traits do", ghoul, r"(?m)^what its traits do\n(.*\n)*  paralysis, paralysis lasts, paralysis spares - paralysing touch: OSRIC 2\.2\n")
    t.check("and not what those of others do to it", "breath" not in ghoul and "dread" not in ghoul, ghoul)
    t.like("a script's own monster has them, too", t.fray("show", "monster", "cave thing", "cave.fray")[1], r"what its traits do\n  gaze - gazes: ")
    t.check("who has none is told nothing of", "traits" not in t.fray("show", "monster", "plain thing", "cave.fray")[1])
    traits = app.objects(t.fray("show", "--json", "monster", "basilisk")[1])[0]["traits"]
    t.check("as objects", ("gaze, gaze peril", "gazes") in [(x["fields"], x["rule"]) for x in traits], traits)
    t.same("its other name", t.fray("show", "weapon", "longsword", "--rules=lite")[0], 0)
    fast = t.fray("show", "shelf", "weapons", "speed", "factor", "1..2")[1]
    t.check("all that fit a range", "dagger" in fast and "fist" in fast and "long sword" not in fast, fast)
    t.check("or a word", len(t.fray("show", "shelf", "weapons", "category", "bow")[1].splitlines()) >= 4)
    t.same("or none", t.fray("show", "shelf", "weapons", "speed", "factor", "90..")[1], "There is none.\n")
    status, out, err = t.fray("show", "weapon", "long swrod")
    t.check("the nearest name is told", status == 2 and not out and "F0204" in err or 'Did you mean "long sword"' in err, status, out, err)
    t.write("own.fray", "use osric\nuse shelf\nweapon long sword { damage: 1d10 }\nweapon long spoon { damage: 1d2 }\n")
    t.like("a script's own is nearer", t.fray("show", "weapon", "long sword", "own.fray")[1], r"\Aweapon long sword   the script\n  damage: 1d10\n\Z")


def events(t):
    """What can happen, be rolled and be chosen, with the rules behind each."""
    status, out, err = t.fray("show", "events", "--rules=osric")
    names = [line.split(" (")[0].strip() for line in out.splitlines()]
    t.check("events are listed by name", status == 0 and not err and "strike" in names and names == sorted(names), status, names, err)
    t.check("actions apart from them", "attack" not in names)
    status, out, err = t.fray("show", "events", "strike", "--rules=osric")
    t.same("one event: its roles, marks, and the rules about it", (status, out, err), (0, """\
  strike (attacker, target, weapon)
    roles       attacker: a combatant; target: a combatant; weapon: a weapon
    marks       multiplier: a number; extra to-hit: a number
    raised by   one attack (osric), another target (osric), charging (osric),
                set weapons (osric), fleeing (osric), attack (core), shoot
                (core), throw (core), charge (core)
    instead of it target down (osric), another target (osric)
    on it       attack roll (core)
""", ""))
    t.same("in the singular too", t.fray("show", "event", "strike", "--rules=osric")[1], out)
    one = app.objects(t.fray("show", "--json", "events", "strike", "--rules=osric")[1])[0]
    t.same("as an object", (one["event"], one["roles"]["weapon"], one["marks"]["multiplier"], one["on"], one["after"]),
           ("strike", "a weapon", "a number", ["attack roll (core)"], []))
    status, out, err = t.fray("show", "events", "strikes", "--rules=osric")
    t.check("the nearest name is told", status == 2 and 'Did you mean "strike"' in err, status, out, err)
    t.like("or where they are listed", t.fray("show", "events", "zzyzx", "--rules=osric")[1], "show events lists all")
    t.like("an action has its telling", t.fray("show", "actions", "flee", "--rules=osric")[1], r'flee "\{actor\} flees"')
    t.like("dice have their rules", t.fray("show", "dice", "--rules=osric")[1], r"(?m)^  attack roll +d20\n    rolled by   attack roll \(core\)$")
    t.like("choices too", t.fray("show", "choices", "--rules=osric")[1], r"(?m)^  abandon +yes or no\n    asked by    second thoughts \(osric\)$")
    t.same("what no rule in force asks is left out", "dodge" in t.fray("show", "choices", "--rules=osric")[1], False)
    t.check("and stands where one does", "dodge" in t.fray("show", "choices", "--rules=lite")[1])
    dice = app.objects(t.fray("show", "--json", "dice", "attack", "--rules=osric")[1])
    t.same("as objects, narrowed down", dice, [{"die": "attack roll", "is": "d20", "rules": ["attack roll (core)"]}])
    for topic in ("sources", "encounters"):
        t.write("ford.fray", app.FORD)
        out = t.fray("show", "--json", topic, "ford.fray")[1]
        t.check("%s as JSON" % topic, out.strip() and all(isinstance(o, dict) for o in app.objects(out)), out)


def cited(t):
    """Rules by the clause they carry, by a word, by their module."""
    gap = t.fray("show", "rules", "OSRIC-GAP-7", "--rules=osric")[1]
    t.check("a clause of the book", "osric: fleeing" in gap and gap.count("      osric: ") == 1, gap)
    t.same("without its system, in small letters", t.fray("show", "rules", "gap-7", "--rules=osric")[1], gap)
    t.same("by the rule's name", t.fray("show", "rules", "Fleeing", "--rules=osric")[1], gap)
    t.check("whole, as written", "  before flee {\n    each foe in actor's enemies" in gap and ".." not in gap, gap)
    t.check("a number that stands for a whole id", "holding" in t.fray("show", "rules", "OSRIC-INIT-8", "--rules=osric")[1])
    t.check("and none that only looks like it", "fleeing" not in t.fray("show", "rules", "OSRIC-GAP-77", "--rules=osric")[1])
    words = t.fray("show", "rules", "opponent", "--rules=osric")[1]
    t.check("a word of the citation", "osric: fleeing" in words, words)
    t.write("own.fray", "use osric\nevery combatant has { luck: 0 }\n")
    module = app.objects(t.fray("show", "--json", "rules", "osric", "own.fray")[1])
    t.same("a module's", {o["module"] for o in module}, {"osric"})
    t.like("an option by its clause", t.fray("show", "options", "GAP-7", "--rules=osric")[1], r"\Aflee.bonus   OSRIC-GAP-7\n")


def options(t):
    t.write("table.fray", "use osric with { tie: reroll }\n" + app.FORD)
    status, out, err = t.fray("show", "options", "table.fray")
    wrapped, out = out, re.sub(r"\n {6,}(?=\S)", " ", out)
    t.check("their readings fit the width", max(map(len, wrapped.splitlines())) <= 80, wrapped)
    t.check("options name their clause, the value in force and what every value means", status == 0 and not err and """\
tie   OSRIC-TIE-2
    simultaneous: each side rolls a d6 at the start of every round (initiative die)
  * reroll: equal dice are rolled again (ties rolled again)
""" in out, status, out, err)
    t.check("also one that stands in a formula", """\
flee.bonus   OSRIC-GAP-7
  * 4: the number in: every opponent in melee has one blow at whoever flees (fleeing)
""" in out, out)
    t.check("and what holds as long as no value is chosen", """\
dead_target of each combatant   OSRIC-GAP-8
  * "attack lost": a blow at one who is down already is lost, without a die (target down)
    retarget: the blow goes to another enemy within reach (another target)
""" in out, out)
    t.write("own.fray", """\
use osric
monster troll { hit points: 9; death.at: -10 }
encounter The Ford {
  side a: troll
  side b: troll
  set option tie = reroll
  b's dead_target: retarget
  round 2 { set troll's death.at = 0 }
}
""")
    status, out, err = t.fray("show", "options", "own.fray")
    t.check("who has another than the rest is named, and where", status == 0 and not err and """\
    troll: -10
    troll in The Ford, round 2: 0
""" in out and "    b in The Ford: retarget\n" in out and "    in The Ford: reroll\n" in out, status, out, err)
    rows = app.objects(t.fray("show", "--json", "options", "own.fray")[1])
    t.same("as JSON too", [o["otherwise"] for o in rows if o["option"] == "death.at"][0],
           [{"who": "troll", "where": "", "value": "-10"}, {"who": "troll", "where": "The Ford, round 2", "value": "0"}])
    rows = app.objects(t.fray("show", "--json", "options", "table.fray")[1])
    t.same("as JSON one value a line", [o["value"] for o in rows if o["option"] == "tie" and o["in force"]], ["reroll"])


def bytecode(t):
    t.write("both.fray", app.BOTH)
    status, out, err = t.fray("dis", "both.fray")
    t.same("every encounter's bytecode", (status, err, out.count("\nencounter ") + out.startswith("encounter ")), (0, "", 2))
    t.like("is readable", out, r"^ +\d+  [A-Z]+ +r\d+")
    status, one, err = t.fray("dis", "both.fray", "The", "Cellar")
    t.same("or one encounter's", (status, err), (0, ""))
    t.check("which is shorter", len(one) < len(out))
    t.same("if it is there", t.fray("dis", "both.fray", "The Attic")[0:2], (2, ""))
    t.write("things.fray", app.THINGS)
    t.same("nothing to compile is wrong", t.fray("dis", "things.fray")[0:2], (2, ""))


def lines(t):
    status, out, err = t.fray("-e", "3d1+2")
    t.check("a formula is rolled", status == 0 and "5" in out, status, out, err)
    t.same("-eLINE is the same", t.fray("-e3d1+2"), (status, out, err))
    status, out, err = t.fray("-e", "spread 4d6kh3")
    t.check("a spread is worked out", status == 0 and re.search(r"^ +18 +1\.6204%", out, re.M), status, out, err)
    t.like("with its mean and deviation", out, r"mean 12\.2445987\d*, deviation 2\.84684, median 12")
    t.like("where most rolls end", out, r"half of all rolls: 10 \.\. 14; nine in ten: 7 \.\. 17")
    t.like("and how exact it is", out, r"exact: 1296 ways to fall")
    status, out, err = t.fray("-e", "spread 100d6kh50")
    t.check("many dice are no trouble", status == 0 and "mean 248.0" in out and all(len(line) <= 80 for line in out.splitlines()), status, out, err)
    status, out, err = t.fray("-e", "spread 6d6!")
    t.like("of exploding dice it says where they end", out, r"at most 100 extra dice are rolled; they run out once in [0-9.e+]+ rolls")
    t.like("rare totals are summed up", out, r"^  \d+ \.\. 636: [0-9.e-]+ % together")
    status, out, err = t.fray("-e", "no such thing as this")
    t.same("a wrong line is status 2", (status, out), (2, ""))
    t.check("and said", err.strip(), err)
    t.one_sentence("an unfinished line is said to be so", t.fray("-e", "monster bat {")[2], "ended too early")
    t.same("lines add up", t.fray("-e", "monster bat {", "-e", "}")[0], 0)
    t.write("ford.fray", app.FORD)
    status, out, err = t.fray("-e", "begin", "-e", "run", "ford.fray")
    t.check("a script is loaded first", status == 0 and "Bruna attacks orc #1" in out, status, out, err)
    t.write("cellar.fray", app.CELLAR)
    t.same("what fails is status 1", t.fray("-e", "begin", "-e", "run", "cellar.fray")[0], 1)
    t.same("quit ends it", t.fray("-e", "quit", "-e", "no such thing as this")[0], 0)
    t.same("a line is needed", t.fray("-e")[0], 2)


def read_back(t):
    """A text is printed as it can be typed: in its quotes."""
    t.write("motto.fray", 'use osric\nevery combatant has { motto: text }\ncombatant Ann { hit points: 9; motto: "as it was" }\n'
            "combatant Bob { hit points: 9 }\nencounter e {\n  side a: Ann\n  side b: Bob\n}\n")
    for line in ("show Ann", "show world"):
        out, err = t.fray("-e", "begin", "-e", "Ann's motto: \"he, she\"", "-e", line, "motto.fray")[1:]
        t.check(line + " prints texts in quotes", 'motto: "he, she"' in out, out, err)


app.run([topics, options, bytecode, lines, stat_blocks, events, cited, read_back])
