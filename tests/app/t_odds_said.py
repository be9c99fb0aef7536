"""Questions of odds as a referee says them who never programmed: each is told the line to write, and
that line is asked without a word."""
# seconds: 300

import re

import app

SCRIPT = """\
use osric
weapon long sword { damage: 1d8; length: 3.5 ft }
weapon dagger { damage: 1d4; length: 1 ft }
monster orc { hit dice: 1; hit points: 5; armour class: 6; THAC0: 19; attacks: axe 1d8 }
combatant Bruna { hit points: 31; armour class: 2; THAC0: 16; weapon: long sword; carries: dagger }
policy stand firm { attack my nearest enemy }
encounter The Gorge {
  side party: Bruna
  side orcs: 3 orcs
  distance: 5 ft
  Bruna and orcs follow stand firm
  until party is down or orcs are down
}
"""

# what is asked, and what is told to be written; a comma parts further ways to say it
MEASURES = (
    ("at least 2 orcs die", "(count (one in orcs where one is dead) >= 2)"), ("two orcs die", "(count (one in orcs where one is dead) >= 2)"), ("more than 1 orc dies", "(count (one in orcs where one is dead) > 1)"),
    ("fewer than 3 of the orcs are alive", "(count (one in orcs where one is alive) < 3)"), ("only one orc survives", "(count (one in orcs where one is alive) = 1)"), ("exactly 2 orcs are dead", "(count (one in orcs where one is dead) = 2)"),
    ("2 or fewer orcs die", "(count (one in orcs where one is dead) <= 2)"), ("at most 1 of them dies", "(count (one in combatants where one is dead) <= 1)"), ("3 monsters are down", "(count (one in monsters where one is down) >= 3)"),
    ("party loses in round 3", "(not party wins and round = 3)"), ("party wins within 3 rounds", "(party wins and round <= 3)"), ("Bruna dies in less than 4 rounds", "Bruna dies before round 4"), ("Bruna dies within 3 rounds", "Bruna dies before round 4"), ("party wins in the second round", None), ("the fight lasts more than 3 rounds", "(round > 3)"),
    ("fight is over within 3 rounds", "(round <= 3)"), ("more than 3 rounds", "(round > 3)"),
    ("Bruna has less than 5 hit points left", "(Bruna's hit points < 5)"), ("Bruna is below 5 hit points", "(Bruna's hit points < 5)"), ("Bruna has 5 hit points or more", "(Bruna's hit points >= 5)"),
    ("Bruna and orc #1 survive", "(Bruna is alive and orc #1 is alive)"), ("Bruna or orc #1 dies", "(Bruna is dead or orc #1 is dead)"), ("Bruna and orc #1 are both down", None),
    ("heroes win", "party wins"), ("players lose", "orcs win"), ("the monsters win", "orcs win"), ("enemies die", "orcs are down"), ("party loses Bruna", "Bruna dies"), ("party ties", "(no (one in sides where one is victorious))"),
    ("monsters are dead", "(no (one in monsters where one is not dead))"), ("all orcs are dead", "(no (one in orcs where one is not dead))"), ("every orc dies", "(no (one in orcs where one is not dead))"), ("no orc survives", "(no (one in orcs where one is not dead))"),
    ("no orcs die", "(no (one in orcs where one is dead))"), ("all party members die", "(no (one in party where one is not dead))"), ("any hero dies", "(any (one in combatants where one is dead))"),
    ("survivors", "average (count (one in party where one is alive))"), ("casualties", "average (count (one in party where one is dead))"), ("number of dead orcs", "average (count (one in orcs where one is dead))"), ("dead orcs", "average (count (one in orcs where one is dead))"), ("how many orcs die", "average (count (one in orcs where one is dead))"),
    ("Bruna kills all orcs", "(no (one in orcs where one is not dead))"), ("wins", "party wins"), ("Bruna takes damage", "(Bruna's hit points < Bruna's full hit points)"),
    ("Bruna's hit points", "average Bruna's hit points"), ("average orcs' hit points", None), ("party's hit points", None),
)

QUESTIONS = (
    ("odds giving party wins if Bruna flees", "odds { Bruna flees } giving party wins"), ("odds giving party wins without Bruna", "odds { Bruna leaves } giving party wins"), ("odds giving party wins 100", "odds 100 giving party wins"),
    ("odds 10 giving party wins on The Gorge", "odds on The Gorge giving party wins"), ("odds giving party wins, 100 times", "odds 100 giving party wins"), ("odds 10 giving party wins vs orcs win", "odds 10 giving party wins, orcs win"),
    ("odds 10 giving party wins, and Bruna dies", "odds 10 giving party wins, Bruna dies"), ("odds 10 giving party wins { Bruna flees }", "odds 10 { Bruna flees } giving party wins"), ("odds 10 of party winning", "odds 10 giving party wins"),
    ("odds that Bruna dies?", "odds giving Bruna dies"), ("expect odds 10 of Bruna dying < 99%", "expect odds 10 giving Bruna dies < 99%"), ("odds 100 exact giving (1 < 2)", "odds exact giving (1 < 2)"), ("odds without Bruna giving orcs win", "odds { Bruna leaves } giving orcs win"),
    ("odds 10 vs { Bruna flees } giving party wins", "odds 10 { } vs { Bruna flees } giving party wins"), ("odds 10 { Bruna flees } vs giving party wins", "odds 10 { Bruna flees } vs { } giving party wins"),
    ("odds 10 { Bruna flees } vs nothing giving party wins", "odds 10 { Bruna flees } vs { } giving party wins"), ("odds 10 { Bruna flees } vs. { } giving party wins", "odds 10 { Bruna flees } vs { } giving party wins"),
    ("odds 10 [Bruna flees] giving party wins", "odds 10 { Bruna flees } giving party wins"), ("odds 10 (Bruna flees) vs (Bruna waits) giving party wins", "odds 10 { Bruna flees } vs { Bruna waits } giving party wins"),
    ("compare { Bruna flees } vs { } giving party wins", "odds { Bruna flees } vs { } giving party wins"), ("chance party wins", "odds giving party wins"), ("chance of Bruna dies", "odds giving Bruna dies"), ("how likely is it that Bruna dies", "odds giving Bruna dies"),
    ("expect party wins >= 1%", "expect odds giving party wins >= 1%"), ("plot party wins", "plot odds giving party wins"),
    ("sweep Bruna's hit points 5 to 20 by 15 { odds 10 }", "sweep Bruna's hit points from 5 to 20 by 15 { odds 10 }"), ("sweep Bruna's hit points 5..7 { odds 10 }", "sweep Bruna's hit points from 5 to 7 { odds 10 }"),
    ("sweep Bruna's hit points from 5 to 20 step 15 odds 10 giving party wins", "sweep Bruna's hit points from 5 to 20 by 15 { odds 10 giving party wins }"), ("sweep Bruna's hit points between 5 and 7 { odds 10 }", "sweep Bruna's hit points from 5 to 7 { odds 10 }"),
    ("sweep Bruna's hit points from 5 to 20 by 15 giving party wins", "sweep Bruna's hit points from 5 to 20 by 15 { odds giving party wins }"), ("sweep Bruna's hit points from 5 to 20 by 15", "sweep Bruna's hit points from 5 to 20 by 15 { odds giving party wins }"),
    ("sweep Bruna's hit points in 5, 10 or 20 { odds 10 }", "sweep Bruna's hit points over 5, 10, 20 { odds 10 }"), ("sweep Bruna's hit points: 5, 10 { odds 10 }", "sweep Bruna's hit points over 5, 10 { odds 10 }"), ("sweep Bruna's hit points 5 10 { odds 10 }", "sweep Bruna's hit points over 5, 10 { odds 10 }"),
    ("sweep Bruna's weapon over dagger or long sword { odds 10 }", "sweep Bruna's weapon over dagger, long sword { odds 10 }"), ("sweep Bruna's weapon over dagger, dagger and long sword { odds 10 }", "sweep Bruna's weapon over dagger, dagger, long sword { odds 10 }"),
    ("sweep hit points from 5 to 6 { odds 10 }", "sweep Bruna's hit points from 5 to 6 { odds 10 }"), ("sweep Bruna over 5, 6 { odds 10 }", "sweep Bruna's hit points over 5, 6 { odds 10 }"), ("sweep distance 5 ft to 10 ft by 5 ft { odds 10 }", "sweep distance from 5 ft to 10 ft by 5 ft { odds 10 }"),
    ("sweep orcs from 1 to 5 { odds 10 giving party wins }", "odds 10 { orc #2, orc #3 leave } vs { orc #3 leaves } vs { } vs { orc joins orcs } vs { 2 orcs join orcs } giving party wins"), ("sweep number of orcs over 2, 3 { odds on The Gorge }", "odds on The Gorge { orc #3 leaves } vs { }"),
    ("sweep tie over simultaneous, reroll { odds 10 giving party wins }", "odds 10 { set option tie = simultaneous } vs { set option tie = reroll } giving party wins"),
    ("sweep Bruna's hit points from 20 to 5 by -5 { odds 10 }", "sweep Bruna's hit points from 5 to 20 by 5 { odds .. }"), ("sweep Bruna's hit points from 1 to 5000 { odds 10 }", "sweep Bruna's hit points from 1 to 5000 by 5 { odds .. }"), ("sweep Bruna's hit points from 5 to 6 by 0 { odds 10 }", "sweep Bruna's hit points from 5 to 6 { odds .. }"),
)

BRANCHES = (
    ("without Bruna", "Bruna leaves"), ("no orcs", "orcs leave"), ("Bruna is not there", "Bruna leaves"), ("without orc #1 and orc #2", "orc #1 and orc #2 leave"), ("Bruna stays home", "Bruna leaves"), ("Bruna dead", "Bruna leaves"),
    ("2 more orcs", "2 orcs join orcs"), ("one more orc", "orc joins orcs"), ("add 2 orcs", "2 orcs join orcs"), ("4 orcs", "4 orcs join orcs; or, instead of those there: orcs leave; 4 orcs join orcs"),
    ("set Bruna's hit points to 5", "set Bruna's hit points = 5"), ("Bruna's hit points to 5", "set Bruna's hit points = 5"), ("set hit points of Bruna to 5", "set Bruna's hit points = 5"), ("Bruna has 5 hit points", "Bruna's hit points: 5"), ("Bruna hit points 5", "set Bruna's hit points = 5"),
    ("Bruna loses 5 hit points", "change Bruna's hit points by -5"), ("Bruna takes 5 damage", "change Bruna's hit points by -5"), ("Bruna wields dagger", "Bruna's weapon: dagger"), ("Bruna carries dagger", "Bruna's carries: dagger"),
)


def asked(t, lines):
    t.write("x.fray", SCRIPT + "".join(line + "\n" for line in lines))
    return t.fray("odds", "--trials=10", "--giving=(1 > 2)", "x.fray")


def measures(t):
    for said, meant in MEASURES:
        status, out, err = asked(t, ["odds 10 giving " + said])
        told = re.search(r"^  Write: (?:giving )?(.*?)(?:; or.*)?$", err, re.M)
        t.check("giving %s" % said, status == 2 and told and (meant is None or told.group(1) == meant), err)
    told = [meant for said, meant in MEASURES if meant]
    status, out, err = asked(t, ["odds 10 giving %s" % ", ".join(told)])
    t.same("all those lines can be written", (status, err), (0, ""))
    status, out, err = asked(t, ["odds 10 giving " + "average party's hit points"])
    t.like("whose is told, and all together", err, r"  Write: Bruna's hit points; or, of all together: total \(one's hit points for one in party\)\n")
    t.same("which can be written", asked(t, ["odds 10 giving average total (one's hit points for one in party)"])[0], 0)
    for said in ("tie", "a tie"):
        status, out, err = asked(t, ["odds 10 giving " + said])
        t.like("giving %s is no option" % said, err, r'I don\'t understand "tie" here\. \[F0240\]\n(.*\n)*  Write: \(no \(one in sides where one is victorious\)\), where nobody wins; the option is part of a branch: \{ set option tie = \.\. \}\n')
    for said in ("damage", "average damage", "everything"):
        t.like("giving %s: what can be asked" % said, asked(t, ["odds 10 giving " + said])[2], r"  Odds tell what happens: Bruna dies, party wins; how it stands: \(round > 3\); and numbers: average round\n")
    for said, meant in (("in round 3", "round = 3"), ("before round 3", "round < 3"), ("by round 3", "round <= 3"), ("after round 3", "round > 3")):
        t.like("giving party wins %s" % said, asked(t, ["odds 10 giving party wins " + said])[2], r"  Write: party wins; or, with a time: \(party wins and %s\)\n" % meant)


def questions(t):
    """Whole lines; what no sweep can do, branches do (F0857)."""
    for said, meant in QUESTIONS:
        status, out, err = asked(t, [said])
        t.same(said, (status, re.findall(r"^  Write: (.*)$", err, re.M)), (2, [meant]))
    status, out, err = asked(t, [meant.replace("{ odds .. }", "{ odds 5 giving (1 < 2) }").replace("to 5000 by 5 ", "to 5000 by 500 ") for said, meant in QUESTIONS])
    t.same("all those lines can be written", (status, err), (0, ""))
    for said in ("odds 0.5", "odds 100.5", "odds 50%", "odds -5", "odds 1e5"):
        t.like(said, asked(t, [said])[2], r"Odds need a whole number of fights, 1 or more\.")
    t.like("an encounter by one of its words", asked(t, ["odds on gorge"])[2], r'Did you mean "The Gorge"\?')


def in_rounds(t):
    """A round has a number; the time of day that its beginning stands for is none of its segments."""
    t.write("y.fray", SCRIPT.replace("3 orcs", "1 orc") + "".join("odds %s giving orc #1 dies before round 2, orc #1 dies in round 2, orc #1 dies after round 2, orc #1 dies, (orcs are down and round = 4), orc #1 dies in round 4\n" % how for how in ("2000", "exact")))
    status, out, err = t.fray("odds", "--trials=10", "--giving=(1 > 2)", "--json", "y.fray")
    for o in app.objects(out)[1:]:
        v = [m["value"] for m in o["measures"]]
        t.check("before, in and after are all there is, %s" % o["method"], min(v[:3]) > 0.05 and abs(sum(v[:3]) - v[3]) < 1e-9, v)
        t.check("and the last one dies in the round in which it is over, %s" % o["method"], v[4] == v[5] > 0.05, v)
    told = app.objects(out)[1:]
    t.check("counted and sampled", all(a["low"] - 0.02 <= b["value"] <= a["high"] + 0.02 for a, b in zip(told[0]["measures"], told[1]["measures"])), told)
    for says, holds in (("in round 2", True), ("before round 2", False), ("after round 2", False), ("before round 3", True), ("after round 1", True), ("in round 1", False)):
        t.write("z.fray", SCRIPT.replace("  until", "  round 1 { Bruna waits }\n  round 2 { dice: Bruna's attack roll 20, Bruna's damage 8; Bruna attacks orc #1 }\n  until").replace("orcs are down\n", "orcs are down\n  expect orc #1 dies %s\n" % says))
        status, out, err = t.fray("test", "z.fray")
        t.check("expect orc #1 dies %s" % says, status == (0 if holds else 1) and ("It happened in round 2." in out + err) == (not holds), out, err)


def branches(t):
    for said, meant in BRANCHES:
        status, out, err = asked(t, ["odds 10 { %s } vs { } giving party wins" % said])
        t.same("{ %s }" % said, (status, re.findall(r"^  Write: (.*)$", err, re.M)), (2, [meant]))
        status, out, err = asked(t, ["odds 10 { } vs { %s } giving party wins" % part for part in meant.split("; or, instead of those there: ")])
        t.same("{ %s }" % meant, (status, err), (0, ""))
    for said, meant in (("nothing", "{ }"), ("as it is", "{ }"), ("Bruna flees vs Bruna waits", "{ Bruna flees } vs { Bruna waits }")):
        t.like("{ %s }" % said, asked(t, ["odds 10 { %s } giving party wins" % said])[2], "  Write: %s\n" % re.escape(meant))
    t.like("{ orcs: 2 orcs }", asked(t, ["odds 10 { orcs: 2 orcs } giving party wins"])[2], "  To add to it: 2 orcs join orcs. To replace it: orcs leave; 2 orcs join orcs\n")
    t.like("another line: what may stand there", asked(t, ["odds 10 { foo } giving party wins"])[2], "  Or who comes and goes, and how it stands: Bruna leaves; 2 orcs join orcs; set Bruna's hit points = 5\n")


def field_over(t):
    """A field of the library is called "hit points over": a sweep over numbers is one all the same."""
    t.write("x.fray", SCRIPT.replace("use osric\n", "use osric\nuse shelf\n") + "sweep Bruna's hit points over 5, 9 { odds 10 giving party wins }\nsweep orc #1's hit points over over 1, 2 { odds 10 giving party wins }\n")
    status, out, err = t.fray("odds", "--trials=10", "--giving=(1 > 2)", "x.fray")
    t.same("each of its values", (err, re.findall(r"^The Gorge   (.*)$", out, re.M)), ("", ["Bruna's hit points = 5", "Bruna's hit points = 9", "orc #1's hit points over = 1", "orc #1's hit points over = 2"]))


def at_the_prompt(t):
    """No question that lacks something swallows the next line."""
    t.write("x.fray", SCRIPT)
    lines = ("sweep Bruna's hit points from 5 to 10 by 5", "plot", "odds 10 of party winning", "how likely is it that Bruna dies?", "chance party wins", "sweep orcs over 2, 3 { odds 10 giving party wins }", "odds 10 { without orc #1 }",
             "sweep Bruna's hit points over 5,\n6 { odds 3 giving (1 < 2) }")
    status, out, err = t.fray("repl", "x.fray", stdin="".join("%s\nodds %d giving (1 < 2)\n" % (line, i + 11) for i, line in enumerate(lines)))
    t.same("each line is asked", re.findall(r"sampled: (\d+) fights", out), ["11", "12", "13", "14", "15", "16", "17", "3", "3", "18"])
    t.same("and told", re.findall(r"(?:W|, w)rite: (.*)$", err, re.M), ["sweep Bruna's hit points from 5 to 10 by 5 { odds giving party wins }", "odds 10 giving party wins", "odds giving Bruna dies", "odds giving party wins",
                                                                "odds 10 { orc #3 leaves } vs { } giving party wins", "orc #1 leaves"])
    status, out, err = t.fray("repl", "x.fray", stdin="begin\nstep\n" + "".join("odds 10 { %s } giving party wins\n" % part for said, meant in BRANCHES for part in meant.split("; or, instead of those there: ") if "carries" not in part))
    t.same("what branches say holds in mid-fight", (status, err), (0, ""))


app.run([measures, questions, in_rounds, branches, field_over, at_the_prompt])
