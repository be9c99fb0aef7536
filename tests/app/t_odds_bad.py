"""Odds that cannot be what was hoped for: each says so in a clear sentence, and leaves nothing behind;
and what may not matter does not: the order in which things are declared."""
# seconds: 300

import os
import re
import signal
import subprocess
import time

import app

SCRIPT = app.LONG.replace("until orcs are down", "orcs follow stand firm\n  distance: 5 ft\n  until party is down or orcs are down").replace("hit points: 31", "hit points: 9")
SMALL = SCRIPT.replace("2 orcs", "1 orc").replace("hit points: 9", "hit points: 90").replace("  until party is down or orcs are down\n", "  round 1 { Bruna attacks orc #1 }\n").replace("distance: 5 ft", "distance: 5 ft\n  party's alerted: yes\n  orcs's alerted: yes")


PIKES = """use osric
weapon stick { damage: 1d8 }
monster pike { hit points: 30; THAC0: 19; armour class: 5; weapon: stick }
policy hit { attack my nearest enemy }
encounter e {
  side reds: pike
  side blues: pike
  distance: 5 ft
  reds follow hit
  blues follow hit
  until reds are down or blues are down
}
"""


def asked_wrong(t):
    t.write("x.fray", SCRIPT)
    for words, says in ((("--trials=0",), "--trials takes a whole number from 1"), (("--trials=-5",), "--trials takes a whole number"), (("--trials=many",), "--trials takes a whole number"),
                        (("--within=0",), "--within takes a share such as 0.1% or 0.001, not \"0\"."), (("--within=0%",), "--within takes a share"), (("--within=-1%",), "--within takes a share"),
                        (("--within=100%",), "--within takes a share"), (("--within=",), "--within takes a share"), (("--states=0", "--exact"), "--states takes a whole number from 1"),
                        (("--max-rounds=0",), "--max-rounds takes a whole number from 1"), (("--threads=0",), "--threads takes a whole number from 1")):
        status, out, err = t.fray("odds", *words, "x.fray")
        t.one_sentence("odds %s" % " ".join(words), err, says)
        t.same("odds %s plays nothing" % " ".join(words), (status, out), (2, ""))


def unplayable(t):
    """Of a fight that no rule lets begin there are no odds: it said that everything never happens."""
    t.write("shield.fray", "use dew\nuse shelf\ncombatant Wulf { class: fighter; level: 3; EN: 25; carries: long sword, shield }\n"
            "encounter e { side a: Wulf; side b: 2 bandits; distance: 5 ft; until a is down or b is down }\n")
    for words in ((), ("--exact",), ("--trials=10",)):
        status, out, err = t.fray("odds", *words, "shield.fray")
        t.check("odds %s say that no fight could be played" % " ".join(words),
                status == 2 and out == "e\n  no fight can be finished, so there are no odds\n" and "[F0611]" in err, status, out, err)
        status, out, err = t.fray("odds", "--json", *words, "shield.fray")
        t.same("machines are told of no figure", {m["value"] for m in app.objects(out)[0]["measures"]}, {None})


def endless(t):
    """An encounter that never ends is stopped by rounds, and its share is told."""
    t.write("endless.fray", app.ENDLESS.replace("200", "2"))
    status, out, err = t.fray("odds", "--trials=20", "--max-rounds=3", "endless.fray")
    t.check("people are told its share, with what is known of it", status == 0 and "over 83.9 % of the fights were not settled when the last round was over" in " ".join(out.split()), out, err)
    status, out, err = t.fray("odds", "--trials=20", "--max-rounds=3", "--json", "endless.fray")
    o = app.objects(out)[0]
    t.same("machines are, too", (o["unsettled"], o["stopped"]), (1.0, 0.0))
    t.same("and nobody wins", [m["value"] for m in o["measures"] if m["name"].endswith((" wins", " win"))], [0.0, 0.0])
    t.write("some.fray", SCRIPT)
    status, out, err = t.fray("odds", "--trials=300", "--max-rounds=3", "--json", "some.fray")
    o = app.objects(out)[0]
    wins = sum(m["value"] for m in o["measures"] if m["name"].endswith(" wins"))
    t.check("of some it is some", 0 < o["unsettled"] < 1 and wins + o["unsettled"] <= 1 + 1e-9, o["unsettled"], wins)
    t.write("some.fray", SCRIPT.replace("2 orcs", "1 orc"))
    status, out, err = t.fray("odds", "--exact", "--max-rounds=1", "--json", "some.fray")
    t.check("counted exactly, too", 0 < app.objects(out)[0]["unsettled"] < 1, out)
    t.write("pikes.fray", PIKES)
    told = t.fray("odds", "--exact", "--max-rounds=2", "--giving=pike hits pike #2", "pikes.fray")[1]
    t.check("of a fight that is left when all is decided nobody says that it was settled", "62.5148 %" in told and "37.4849 % of the fights had not decided what is asked when the last round was over" in " ".join(told.split()), told)
    told = t.fray("odds", "--exact", "--max-rounds=2", "--giving=pike acts", "pikes.fray")[1]
    t.check("nor that it was not", "always" in told and "last round" not in told, told)
    status, out, err = t.fray("odds", "--trials=20", "--max-rounds=3", "--report=page.html", "endless.fray")
    with open(os.path.join(t.folder, "page.html")) as f:
        t.check("the page says so", "were not settled when the last round was over" in f.read())


def never(t):
    """What cannot happen is said to be so where it was counted, and bounded where it was sampled."""
    t.write("small.fray", SMALL + "odds exact giving Bruna dies, Bruna is not dead, Bruna hits orc #1\nodds 100 giving Bruna dies, Bruna is not dead\n")
    status, out, err = t.fray("odds", "--trials=100", "small.fray")
    told = out[out.rindex("Bruna hits orc #1") - 400:]
    t.like("never", told, r"^  Bruna dies +never +exact ")
    t.like("always", told, r"^  Bruna is not dead +always +exact ")
    t.like("a sample's nothing", told, r"^  Bruna dies +under 3\.7 %   0\.0 \.\. 3\.7")
    t.like("a sample's all", told, r"^  Bruna is not dead +over 96\.3 %   96\.3 \.\. 100\.0")
    status, out, err = t.fray("odds", "--trials=50", "--json", "--report=page.html", "small.fray")
    t.same("in fractions", [m["fraction"] for m in app.objects(out)[1]["measures"]][:2], ["0/1", "1/1"])
    t.same("a sample has none", [m["fraction"] for m in app.objects(out)[2]["measures"]], [None, None])
    with open(os.path.join(t.folder, "page.html")) as f:
        page = f.read()
    t.check("the page says the same", ">never<" in page and ">always<" in page and ">0/1<" not in page, re.findall(r"<td[^>]*>[^<]*</td>", page))
    t.write("open.fray", SCRIPT.replace("2 orcs", "1 orc").replace("orcs follow stand firm", ""))
    status, out, err = t.fray("odds", "--exact", "--giving=Bruna dies, orc #1 dies", "open.fray")
    t.like("nothing in all that was counted of a fight without end is no never", out, r"^  Bruna dies +under 1e-11 % +exact ")
    t.write("cannot.fray", SMALL + "odds 100 giving Bruna completes fireball\n")
    status, out, err = t.fray("odds", "cannot.fray")
    t.check("what is no word of the fight is said to be so", status == 2 and "fireball" in err, err)
    t.write("cannot.fray", SMALL + "odds 100 giving Bruna's hit points\n")
    status, out, err = t.fray("odds", "cannot.fray")
    t.check("and what is no event", status == 2 and "Odds tell how likely something is" in err, err)


def too_big(t):
    """Exact odds of a fight far too big end at their budget and bound what they left out."""
    t.write("big.fray", SCRIPT.replace("2 orcs", "6 orcs"))
    status, out, err = t.fray("odds", "--exact", "--states=300", "--max-rounds=3", "big.fray")
    t.check("what was left out is told", status == 0 and "of the fights were not explored, and any of them may go either way" in " ".join(out.split()), out, err)
    status, out, err = t.fray("odds", "--exact", "--states=300", "--max-rounds=3", "--json", "big.fray")
    o = app.objects(out)[0]
    for m in o["measures"]:
        if m["kind"] == "chance":
            t.check("%s lies between bounds" % m["name"], 0 <= m["low"] <= m["high"] <= 1 and m["high"] - m["low"] <= o["unexplored"] + 1e-12, m, o["unexplored"])
    t.check("the budget was felt", o["unexplored"] > 0.01, o["unexplored"])


def full(t):
    t.write("x.fray", SCRIPT)
    for words in ((), ("--json",), ("--csv",)):
        with open("/dev/full", "w") as device:
            done = subprocess.run([app.FRAY, "odds", "--trials=20", *words, "x.fray"], cwd=t.folder, stdout=device, stderr=subprocess.PIPE)
        t.check("a full disk below the output %s" % " ".join(words), done.returncode == 2 and b"cannot write the output: No space left on device." in done.stderr, done.stderr)


def before_all(t):
    """A question that cannot be asked is told before any other is played; what can be, is as it was."""
    t.write("one.fray", SCRIPT + "odds 1000000000 giving party wins\nodds 10 giving Bruna's hitpoints\ncompare osric vs litte giving party wins\n")
    status, out, err = t.fray("odds", "--trials=1000000000", "one.fray")
    t.check("all of them are told, and nothing is played", (status, out) == (2, "") and "I don't know the field" in err and 'I cannot find "litte".' in err, status, out, err)
    t.write("two.fray", SCRIPT + "sweep encounter's distance from 5 ft to 10 ft by 2.5 ft { odds 10 giving party wins }\nodds 10 giving spread Bruna's weapon\n")
    status, out, err = t.fray("odds", "--trials=10", "--giving=party wins", "two.fray")
    t.same("steps of a half, of what the encounter says", re.findall(r"^The Gorge   (.*)$", out, re.M), ["encounter's distance = 5 ft", "encounter's distance = 7.5 ft", "encounter's distance = 10 ft"])
    t.like("what is no number has no mean", out, r"^  Bruna's weapon\n    long sword   100\.00 %")
    t.write("big.fray", SCRIPT.replace("2 orcs", "6 orcs"))
    status, out, err = t.fray("odds", "--exact", "--states=1", "--giving=party wins", "--report=page.html", "big.fray")
    t.like("what nothing is known of is unknown", out, r"^  party wins +unknown   0 \.\. 100")
    with open(os.path.join(t.folder, "page.html")) as f:
        t.check("on the page as well", ">unknown<" in f.read())


def other_words(t):
    """What odds call otherwise, or do not know: the line to write."""
    t.write("x.fray", SCRIPT)
    for asked, hint in (("median round", "A spread tells it. Write: giving spread round"), ("chance that Bruna is dead", "Write: giving Bruna is dead"),
                        ("mean Bruna's hit points", "Write: giving average Bruna's hit points"), ("average number of rounds", "Write: giving average rounds"),
                        ("party surprises orcs", 'Did you mean "(any (one in orcs where one is surprised))"?'), ("orcs surprise Bruna", 'Did you mean "Bruna is surprised"?'),
                        ("Bruna snores loudly", "Say what happens, such as: Bruna dies; or a state: Bruna is dead"), ("party snores loudly", "Say what happens, such as: party wins; or a state: party is down"),
                        ("Bruna loses", "Write: orcs win; or, if a fight that nobody wins counts as lost: not party wins"), ("orcs all lose", "Write: party wins; or, if a fight that nobody wins counts as lost: not orcs win"),
                        ("party won", "Write: party wins"), ("who wins", "Write: party wins, orcs win"), ("the enemy wins", "Write: orcs win"), ("a draw", "Write: (no (one in sides where one is victorious))"),
                        ("Bruna kills orc #1", "Write: orc #1 dies"), ("party kills the orcs", "Write: orcs are down"), ("Bruna gets killed", "Write: Bruna dies"), ("orcs die", "Write: orcs are down"),
                        ("party doesn't win", "Write: party does not win"), ("Bruna never dies", "Write: not Bruna dies"), ("Bruna isn't dead", "Write: not Bruna is dead"),
                        ("everybody dies", "Write: (no (one in combatants where one is not dead))"), ("hit points of Bruna", "Write: Bruna's hit points"),
                        ("how many rounds", "Write: average round"), ("average number of orcs alive", "Write: average (count (one in orcs where one is alive))"), ("how many orcs", "Write: average (count (one in orcs where one is alive))"),
                        ("everybody survives", "Write: (no (one in combatants where one is dead))"), ("nobody survives", "Write: (no (one in combatants where one is not alive)); or, of any: (any (one in combatants where one is alive))"), ("all of them die", "Write: (no (one in combatants where one is not dead))"),
                        ("each orc dies", "Write: (no (one in orcs where one is not dead))"), ("Bruna dies or orc #1 dies", "Write: giving (Bruna is dead or orc #1 is dead)"), ("Bruna's hit points below 5", "Write: giving (Bruna's hit points < 5)"),
                        ("(Bruna's hit points is more than 5)", "Write: giving (Bruna's hit points > 5)"), ("any orc dies", "Write: (any (one in orcs where one is dead))"), ("average hit points", "Write: Bruna's hit points"), ("total party kill", "Write: party is down"), ("Bruna wins", "Write: party wins"),
                        ("orcs are dead", "Write: orcs are down; or, of all of them: (no (one in orcs where one is not dead)); of any: (any (one in orcs where one is dead))"),
                        ("average Bruna hit points", 'Did you mean "Bruna\'s hit points"?')):
        status, out, err = t.fray("odds", "--trials=10", "--giving=%s" % asked, "x.fray")
        t.same("`giving %s`" % asked, (status, out, err.splitlines()[-2]), (2, "", "  " + hint))
    status, out, err = t.fray("odds", "--trials=200", "--json", "--giving=Bruna dies, not Bruna dies, Bruna does not die, Bruna is dead, not Bruna is dead, (any (one in orcs where one is surprised)), (no (one in sides where one is victorious)), (no (one in combatants where one is dead)), (no (one in combatants where one is not dead)), party does not win, orcs are down, (any (one in combatants where one is dead)), (no (one in orcs where one is not dead)), average (count (one in orcs where one is alive)), nobody dies, somebody dies", "x.fray")
    t.same("all those lines can be written", (status, err), (0, ""))
    v = [m["value"] for m in app.objects(out)[0]["measures"]]
    t.same("nobody and somebody are words for it", v[-2:], [v[7], v[11]])
    t.check("what does not happen is the rest", v[0] > 0 and v[1] == v[2] and abs(v[0] + v[1] - 1) < 1e-9 and abs(v[3] + v[4] - 1) < 1e-9 and 0 < v[5] < 1, v)
    for question, hint in (("odds 10 { } vs { tie: reroll } giving party wins", "Write: set option tie = reroll"), ("odds 10 { set tie = \"referee's order\" } giving party wins", "Write: set option tie = \"referee's order\""),
                           ("odds 10 { set option death.at: 5 }", "Write: set option death.at = -10"), ("odds 10 { Bruna's tie: reroll }", "Set it for all: use RULES with { tie: reroll } at the top, or set option tie = reroll in the encounter"),
                           ("odds 10 { Bruna's hit points = 5 } giving party wins", "Write: set Bruna's hit points = 5"), ("odds 10 giving party wins in round 3", "Write: party wins; or, with a time: (party wins and round = 3)"),
                           ("expect odds 10 giving party wins", "Write: expect odds 10 giving party wins >= 50%"), ("expect odds 10 giving average round", "Write: expect odds 10 giving average round <= 5"),
                           ("expect odds 10 giving party wins between 40% and 60%", "Write: expect odds 10 giving party wins = 40% .. 60%"),
                           ("odds 10 { side orcs: 3 orcs }", "To add to it: 3 orcs join orcs. To replace it: orcs leave; 3 orcs join orcs"),
                           ("odds 10 { } vs { side party: orc }", "To add to it: orc joins party. To replace it: party leaves; orc joins party"),
                           ("odds 10 fights giving party wins", "Write: odds 10 giving party wins"), ("odds giving 10 party wins", "Write: odds 10 giving party wins"), ("odds ten giving party wins", "Write: odds giving party wins"),
                           ("expect odds 10 fights giving party wins >= 5%", "Write: expect odds 10 giving party wins >= 5%"), ("odds Bruna dies, party wins", "Write: odds giving Bruna dies, party wins"),
                           ("odds 10 for The Gorge giving party wins", "Write: odds 10 on The Gorge giving party wins"), ("odds in The Gorge", "Write: odds on The Gorge"), ("odds 10 if Bruna flees", "Write: odds 10 { Bruna flees }"),
                           ("odds 10 Bruna flees vs Bruna attacks orc #1 giving party wins", "Write: odds 10 { Bruna flees } vs { Bruna attacks orc #1 } giving party wins"),
                           ("odds 10 { Bruna flees } { Bruna waits } giving party wins", "Write: odds 10 { Bruna flees } vs { Bruna waits } giving party wins"),
                           ("compare osric vs lite", "Write: compare osric vs lite giving party wins"), ("compare osric vs lite on The Gorge", "Write: compare osric vs lite on The Gorge giving party wins"),
                           ("odds 10 { Bruna attacks orc #1 with long sword on orc #2 }", "Needed here: a weapon, such as: long sword"),
                           ("plot Bruna's hit points from 1 to 9 { odds }", "Write: plot sweep Bruna's hit points from 1 to 9 { odds }"),
                           ("sweep Bruna's weapon from dagger to long sword { odds }", "Write: sweep Bruna's weapon over dagger, long sword { odds .. }")):
        t.write("y.fray", SCRIPT + question + "\n")
        status, out, err = t.fray("odds", "--trials=10", "--giving=party wins", "y.fray")
        t.same("`%s`" % question, (status, err.splitlines()[-2]), (2, "  " + hint))
    t.write("y.fray", SCRIPT + "odds 10 { } vs { 2 orcs, orc join orcs } vs { orcs leave; orc joins orcs } vs { side wolves: orc } giving average (count (x in orcs))\n")
    status, out, err = t.fray("odds", "--trials=10", "--giving=party wins", "y.fray")
    t.same("who comes, as those lines say", re.findall(r"^    (?!  ).* (\d)\.0000 ", out, re.M), ["2", "5", "3", "2"])
    t.same("a ; between questions", t.fray("odds", "--trials=10", "--giving=party wins; Bruna dies", "x.fray"), t.fray("odds", "--trials=10", "--giving=party wins, Bruna dies", "x.fray"))
    t.one_sentence("--giving twice", t.fray("odds", "--giving=party wins", "--giving=Bruna dies", "x.fray")[2], "--giving='party wins, Bruna dies'")
    t.one_sentence("per cent without their sign", t.fray("odds", "--within=0.5", "x.fray")[2], "--within=0.5 is .* 50 %: write --within=0.5%")
    status, out, err = t.fray("odds", "--trials=200", "--giving=spread round", "x.fray")
    t.like("a spread that is asked for tells its median", out, r"^ +half of them: \d+ \.\. \d+, median \d+\n +\d")


def bounds(t):
    """What odds are expected to come to: a number or a range, and every other way of saying it is told the line."""
    for asked, meant in (("giving party wins is 50%", "giving party wins = 50%"), ("giving party wins 50%", "giving party wins = 50%"), ("giving party wins at least 50 %", "giving party wins >= 50%"),
                         ("giving party wins more than 50", "giving party wins > 50%"), ("giving party wins >= 50 percent", "giving party wins >= 50%"), ("giving party wins about 50%", "giving party wins = 45% .. 55%"),
                         ("giving party wins = 50% +- 10%", "giving party wins = 40% .. 60%"), ("giving party wins = 95% +/- 10%", "giving party wins = 85% .. 100%"),
                         ("giving party wins = 50% \u00b1 10%", "giving party wins = 40% .. 60%"), ("giving party wins = 50% plus or minus 10%", "giving party wins = 40% .. 60%"),
                         ("giving party wins = 40% to 60%", "giving party wins = 40% .. 60%"), ("giving party wins = 40% - 60%", "giving party wins = 40% .. 60%"), ("giving party wins >= 40% and <= 60%", "giving party wins = 40% .. 60%"),
                         ("giving party wins = 60% .. 40%", "giving party wins = 40% .. 60%"), ("giving party wins >= 1/2", "giving party wins >= 50%"), ("giving party wins = 50% + 20%", "giving party wins = 70%"),
                         ("giving party wins >= Bruna's hit points", "giving party wins >= 50%"), ("giving party wins, Bruna dies >= 20%", "giving party wins >= 20%"), (">= 60%", "giving party wins >= 60%"), ("", "giving party wins >= 50%"),
                         ("{ Bruna flees } vs\n{ }", "{ Bruna flees } vs\n{ } giving party wins >= 50%"), ("giving average round at most 5", "giving average round <= 5"), ("giving average round about 5", "giving average round = 4 .. 6"),
                         ("giving average round = 5 +- 2", "giving average round = 3 .. 7"), ("giving average round >= round 5", "giving average round >= 5"), ("giving (Bruna is dead) is at most 5%", "giving (Bruna is dead) <= 5%")):
        t.write("x.fray", SCRIPT + "expect odds 10 %s\n" % asked)
        status, out, err = t.fray("odds", "--trials=10", "--giving=party wins", "x.fray")
        t.check("`%s`" % asked, status == 2 and err.endswith("  Write: %s\n\n" % ("expect odds 10 " + meant).rstrip()), err)
    for asked, meant in ((">= 60", "60%"), ("<= 150%", "100%"), (">= -5%", "0%"), ("= 0.5 .. 2%", None), (">= 1 in 2", None), ("> -0%", None)):
        t.write("x.fray", SCRIPT + "expect odds 10 giving (1 < 2) %s\n" % asked)
        status, out, err = t.fray("odds", "--trials=10", "--giving=party wins", "x.fray")
        t.check("a share %s" % asked, "A chance is given as a share of 100 %, or of 1. [F0853]\n" in err and err.endswith("  Write: %s\n\n" % meant) if meant else "A chance is" not in err, err)
    # what a sample allows holds; what is counted holds when it is sure
    for asked, holds in (("200 giving party wins = 60%", True), ("200 giving party wins = 60.1% .. 60.2%", True), ("200 giving party wins = 40%", False), ("200 giving party wins = 66% .. 90%", False), ("200 giving party wins < 60%", True),
                         ("200 giving average Bruna's hit points >= -500", True), ("200 giving average Bruna's hit points <= -500", False), ("exact giving party wins = 53% .. 54 %", True), ("exact giving party wins = 53%", False)):
        t.write("x.fray", SCRIPT + "expect odds %s\n" % asked)
        status, out, err = t.fray("test", "x.fray")
        t.check("expect odds %s" % asked, status == (0 if holds else 1), out, err)
    t.write("big.fray", SCRIPT.replace("2 orcs", "6 orcs") + "expect odds exact giving party wins <= 99%\nexpect odds exact giving average round <= 90\nexpect odds exact giving party wins = 0% .. 100%\n")
    status, out, err = t.fray("odds", "--states=300", "--max-rounds=3", "--trials=10", "--giving=party wins", "big.fray")
    t.check("what was not counted is not taken for sure", status == 1 and err.count("This expectation failed") == 2, status, err)
    t.like("a chance is bounded", err, r"^  What was counted leaves it from \S+% to 100%\. A sample tells more: expect odds 10000 \.\.$")
    t.like("a mean is not", err, r"^  Not all was counted\. A sample tells more: expect odds 10000 \.\.$")


def too_narrow(t):
    """An interval nobody can wait for: what it would take is told after the first 4,096 fights (F0852)."""
    t.write("x.fray", SCRIPT)
    child = subprocess.Popen([app.FRAY, "odds", "--within=1e-9", "x.fray"], cwd=t.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    says = child.stderr.readline() + child.stderr.readline()
    t.like("how many fights", says, r"^warning: A precision of \+- 0\.0000001 % takes about \d{2}0(,000){5} fights, and I play at most 100,000,000\. \[F0852\]$")
    t.like("what to ask for", says, r"^  Ask for less: --within=0\.1%, which takes about \d{3},000\. Ctrl-C prints what is known by then\.$")
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    t.check("Ctrl-C tells what there is", child.returncode == 130 and "party wins" in out and "; interrupted" in out, out, err)
    answers = [t.fray("odds", "--within=0.01", "--trials=5000", "--threads=%d" % n, "x.fray") for n in (1, 3)]
    t.check("a width that --trials does not allow", answers[0][0] == 0 and "takes about 9," in answers[0][2] and "and I play at most 5,000" in answers[0][2]
            and "--within=2%" in answers[0][2] and "sampled: 5,000 fights" in answers[0][1], answers[0])
    t.same("with one thread or three", answers[0], answers[1])
    t.same("one as large as any number", "takes more than 1,000,000,000,000,000,000 fights" in t.fray("odds", "--within=1e-300", "--trials=5000", "x.fray")[2], True)
    t.same("nothing of it where it can be reached", t.fray("odds", "--within=2%", "x.fray")[2], "")


def killed(t):
    t.write("x.fray", SCRIPT)
    before = sorted(os.listdir(t.folder))
    for how in (signal.SIGTERM, signal.SIGKILL):
        child = subprocess.Popen([app.FRAY, "odds", "--trials=100000000", "--threads=4", "--report=page.html", "x.fray"], cwd=t.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.4)
        child.send_signal(how)
        out, err = child.communicate(timeout=30)
        t.check("%s ends all workers and leaves no file" % how.name, child.returncode == -how and sorted(os.listdir(t.folder)) == before, child.returncode, os.listdir(t.folder))


def declared(t):
    """Weapons, monsters, combatants and policies in another order are the same fight."""
    parts = SCRIPT.split("\n")
    top, encounter = [line for line in parts[1:5]], "\n".join(parts[5:])
    t.check("the script is as it was", all(line.split()[0] in ("weapon", "monster", "combatant", "policy") for line in top), top)
    ask = "odds 200 giving party wins, average round, spread Bruna's hit points, Bruna hits orc #1\nodds exact giving Bruna hits orc #1\n"
    small = encounter.replace("2 orcs", "1 orc").replace("until party is down or orcs are down", "round 1 { Bruna attacks orc #1 }")
    for body, what in ((encounter + ask.split("odds exact")[0], "sampled"), (small + "odds exact giving Bruna hits orc #1, spread orc #1's hit points\n", "exact")):
        answers = []
        for order in ((0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)):
            t.write("x.fray", "\n".join(["use osric"] + [top[i] for i in order] + [body]))
            answers.append(t.fray("odds", "--json", "--trials=100", "x.fray"))
        t.same("%s: all is well" % what, (answers[0][0], answers[0][2]), (0, ""))
        t.same("%s: in one order or the other" % what, answers[1], answers[0])
        t.same("%s: or a third" % what, answers[2], answers[0])


app.run([asked_wrong, unplayable, endless, never, too_big, before_all, other_words, bounds, too_narrow, full, killed, declared])
