"""Rules in branches of odds: each branch is the fight as if its rules stood in the script, and no
other branch knows of them; fray check looks inside questions; --sensitivity leaves house rules out."""

import re

import app

STRONG = 'rule strong arms "house 1" { adjust to-hit (attacker, target, weapon) by 4 when attacker is Bruna }'
TOUGH = 'rule tough orcs "house 2" { adjust to-hit (attacker, target, weapon) by -3 when target is orc }'
HOUSE = "house rules brave for osric\n" + STRONG + "\nrule last stand \"house 3\" { adjust to-hit (attacker, target, weapon) by -9 when attacker is orc }\n"
SCRIPT = app.LONG.replace("until orcs are down", "orcs follow stand firm\n  distance: 5 ft\n  until party is down or orcs are down").replace("hit points: 31", "hit points: 9")
ASKED = " giving party wins, average round, average Bruna's hit points\n"


def figures(t, text, name="x.fray", words=()):
    """One list of figures for each branch of the script's last question."""
    t.write(name, text)
    status, out, err = t.fray("odds", "--trials=300", "--json", *words, name)
    if status != 0 or err:
        t.check("%s is asked" % name, False, status, out, err)
        return []
    o = app.objects(out)[-1]
    return [[m["value"] for m in b["measures"]] for b in o.get("branches", [o])]


def alone(t, text):
    return figures(t, text + "odds 300" + ASKED, "alone.fray")[0]


def as_in_the_script(t):
    t.write("brave.fray", HOUSE)
    plain = alone(t, SCRIPT)
    # what stands in the branch, and a script that says the same for good
    house = SCRIPT.replace("use osric", "use osric with brave")
    for name, script, branch, same in (
            ("a rule", SCRIPT, STRONG, alone(t, SCRIPT.replace("distance: 5 ft", "distance: 5 ft\n  " + STRONG))),
            ("two rules", SCRIPT, STRONG + "\n" + TOUGH, alone(t, SCRIPT + STRONG + "\n" + TOUGH + "\n")),
            ("a single clause", SCRIPT, "adjust to-hit (attacker, target, weapon) by 4 when attacker is Bruna", alone(t, SCRIPT + STRONG + "\n")),
            ("house rules", SCRIPT, "use osric with brave", alone(t, house)),
            ("house rules by their name", SCRIPT, "use brave", alone(t, house)),
            ("a dropped rule", SCRIPT + STRONG + "\n", "drop rule strong arms", plain),
            ("a dropped house rule", house, "drop rule last stand", alone(t, SCRIPT + STRONG + "\n")),
            ("house rules, one of them dropped", SCRIPT, "use osric with brave\ndrop rule last stand", alone(t, SCRIPT + STRONG + "\n")),
            ("house rules with a setting", SCRIPT, "use osric with brave, { tie: reroll }", alone(t, house.replace("with brave", "with brave, { tie: reroll }"))),
            ("a rule and what somebody does", SCRIPT, STRONG + "\nBruna waits", figures(t, SCRIPT + STRONG + "\nodds 300 { Bruna waits }" + ASKED)[0])):
        without = alone(t, script)
        got = figures(t, script + "odds 300 { } vs {\n" + branch + "\n}" + ASKED)
        t.same("%s counts in its branch" % name, got[1:], [same])
        t.same("%s: and in no other" % name, got[:1], [without])
        t.check("%s: which matters" % name, name == "a rule and what somebody does" or same != without, same)
        again = figures(t, script + "odds 300 {\n" + branch + "\n} vs { }" + ASKED)
        t.same("%s: nor in one that follows" % name, again, [same, without])
    got = figures(t, SCRIPT + "sweep Bruna's hit points from 5 to 9 by 4 { odds 300 { } vs { use brave }" + ASKED.strip() + " }\n")
    t.same("the last step of a sweep", got, figures(t, SCRIPT + "odds 300 { } vs { use brave }" + ASKED))


def present(t):
    """From the present on: as if the rule were typed."""
    t.write("x.fray", SCRIPT)

    def told(*lines):
        words = [w for line in ("begin", "step", "step") + lines for w in ("-e", line)]
        status, out, err = t.fray(*words, "x.fray")
        t.same("all is well", (status, err), (0, ""))
        return [re.findall(r"-?\d[\d.]*", re.sub(r"[^ -~]", "", line))[-3:] for line in out[out.rindex("present moment"):].splitlines() if " .. " in line]

    ask = "odds 400 %sgiving party wins, average round"
    two = told(ask % ("{ } vs { %s } " % STRONG))
    typed, plain = told(STRONG, ask % ""), told(ask % "")
    t.check("a rule from the present on", two[1::2] == typed and two[0::2] == plain and typed != plain, two, typed, plain)
    t.check("and the fight goes on as it was", told(ask % ("{ } vs { %s } " % STRONG), ask % "") == plain)
    status, out, err = t.fray("-e", "begin", "-e", "step", "-e", "odds 10 { use osric with brave } giving party wins", "x.fray")
    t.check("a file of house rules from the present on", status == 0 and "use osric with brave" not in err and "from the present moment" in out, out, err)


def blocks(t):
    """A rule of one round is of that round, whatever blocks a branch adds."""
    late = SCRIPT.replace("distance: 5 ft", "distance: 5 ft\n  round 2 { %s }" % STRONG)
    said = figures(t, late.replace("distance: 5 ft", "distance: 5 ft\n  round 1 { Bruna waits }") + "odds 300" + ASKED)
    t.same("as if the block stood in the script", figures(t, late + "odds 300 { round 1 { Bruna waits } }" + ASKED), said)
    t.check("where the rule counts", figures(t, late + "odds 300" + ASKED) not in (figures(t, SCRIPT + "odds 300" + ASKED), figures(t, SCRIPT + STRONG + "\nodds 300" + ASKED)))


def checked(t):
    """fray check finds what is wrong in a question; nothing is played for that."""
    t.write("brave.fray", HOUSE)
    t.write("broken.fray", "house rules broken for osric\nrule x \"house\" { adjust no such thing by 1 }\n")
    t.write("good.fray", SCRIPT + "odds 100000000 { use brave } vs { drop rule order of the referee } giving party wins\nsweep Bruna's hit points from 1 to 999 { odds 100000000 }\n"
            "compare osric vs lite on The Gorge giving party wins\nexpect odds 100000000 giving party wins > 99.999%\n")
    t.same("good questions", t.fray("check", "good.fray"), (0, "", ""))
    for name, question, says in (("a name", "odds giving Bruno dies", "Bruno"), ("an encounter", "odds on The Gorgon giving party wins", "Gorgon"),
                                 ("a measure", "odds giving average Bruna's name", ""), ("a branch's line", "odds { Bruna casts fireball } vs { Bruna waits } giving party wins", "fireball"),
                                 ("a branch's rule", "odds { rule y { adjust to-hit (attacker, target, weapon) by 1 lb } } vs { Bruna waits }", "lb"),
                                 ("a dropped rule", "odds { drop rule no such rule } vs { Bruna waits }", "no such rule"),
                                 ("a house", "odds { use osric with nowhere } vs { Bruna waits }", "nowhere"), ("a house that is wrong", "odds { use broken } vs { Bruna waits }", "no such thing"),
                                 ("another system (F0845)", "odds { use lite } vs { Bruna waits }", "A branch can change house rules, not the whole system to \"lite\"."),
                                 ("a sweep", "sweep Bruna's hit points from 9 to 1 { odds }", "A sweep goes up"), ("a sweep's question", "sweep Bruna's hit points from 1 to 9 { odds giving Bruno dies }", "Bruno"),
                                 ("a comparison", "compare osric vs nowhere on The Gorge giving party wins", "nowhere"), ("an expectation", "expect odds giving Bruno dies > 5%", "Bruno"),
                                 ("no fights", "odds 0 giving party wins", "a whole number of fights")):
        t.write("bad.fray", SCRIPT + question + "\n")
        status, out, err = t.fray("check", "bad.fray")
        t.check("%s in a question" % name, status == 2 and says in err and err, status, err)
    t.write("bad.fray", SCRIPT.replace("until party", "odds giving Bruno dies\n  until party"))
    t.check("and in one that stands in an encounter", t.fray("check", "bad.fray")[0] == 2)


def left_out(t):
    t.write("brave.fray", HOUSE)
    house = SCRIPT.replace("use osric", "use osric with brave")
    t.write("x.fray", house)
    status, out, err = t.fray("odds", "--sensitivity", "--trials=300", "--json", "x.fray")
    rows = app.objects(out)
    rules = {r["rule"]: r for r in rows if "rule" in r}
    t.same("each house rule is left out", (status, err, sorted(rules)), (0, "", ["last stand", "strong arms"]))
    moved = [abs(r["difference"]["value"]) for r in rows]
    t.same("and ranked among the options", moved, sorted(moved, reverse=True))
    t.same("its citation is told", rules["strong arms"]["cite"], "house 1")
    t.write("asked.fray", house + "odds 300 { } vs { drop rule last stand } giving party wins\n")
    o = app.objects(t.fray("odds", "--trials=300", "--json", "asked.fray")[1])[-1]
    t.same("by as much as a branch that drops it", rules["last stand"]["difference"], o["branches"][1]["measures"][0]["difference"])
    t.check("with an interval", rules["last stand"]["difference"]["low"] < rules["last stand"]["difference"]["value"] < rules["last stand"]["difference"]["high"])
    status, out, err = t.fray("odds", "--sensitivity", "--trials=300", "x.fray")
    t.check("people are told, too", status == 0 and "  without last stand " in out, out)
    t.write("x.fray", SCRIPT + STRONG + "\nrule stronger yet \"house\" exception to strong arms { adjust to-hit (attacker, target, weapon) by 5 when attacker is Bruna }\n")
    status, out, err = t.fray("odds", "--sensitivity", "--trials=100", "--json", "x.fray")
    t.check("the script's own rules, also when others speak of them", status == 0 and err == "" and '"rule":"stronger yet"' in out, out, err)


app.run([as_in_the_script, present, blocks, checked, left_out])
