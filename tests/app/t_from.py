"""Odds from where a fight stands: at the prompt, and from a position saved there (--from): the same
figures, with the dice and choices that were typed for what is still to come."""

import re

import app

SCRIPT = app.LONG.replace("until orcs are down", "orcs follow stand firm\n  distance: 5 ft\n  until party is down or orcs are down").replace("hit points: 31", "hit points: 9")
OTHER = "encounter The Other {\n  side party: Bruna\n  side orcs: 1 orc\n  Bruna follows stand firm\n  orcs follow stand firm\n  until party is down or orcs are down\n}\n"


def prompt(t, *lines, file="x.fray"):
    status, out, err = t.fray(*[w for line in lines for w in ("-e", line)], file)
    t.same("%s: all is well" % lines[-1][:40], (status, err), (0, ""))
    return out


def wins(out):
    """What stands beside "party wins", the last time it does."""
    return re.findall(r"party wins +(\S+ ?\S*) %", out)[-1]


def saved(t):
    t.write("x.fray", SCRIPT + OTHER + "odds 150 giving party wins, Bruna hits orc #1\nodds 150 on The Other giving party wins\n")
    told = prompt(t, "begin The Gorge", "step 3", "set Bruna's hit points = 4", "odds 500", 'save "s.fray"')
    start = t.fray("odds", "--trials=500", "--json", "x.fray", "The", "Gorge")
    status, out, err = t.fray("odds", "--from=s.fray", "--trials=500")
    t.same("a saved position", (status, err), (0, ""))
    t.check("is where it was saved", wins(out.split("The Gorge from")[1]) == wins(told) and "The Gorge from the present moment" in out, told, out)
    o = app.objects(t.fray("odds", "--from=s.fray", "--trials=500", "--json")[1])
    t.check("and not at the start", o[0]["measures"] != app.objects(start[1])[0]["measures"] and o[0]["encounter"] == "The Gorge")
    t.check("the place is told", o[0]["from"].startswith("round 2, segment"), o[0].get("from"))
    t.same("its questions are asked from there", [(x["encounter"], "from" in x, x["trials"]) for x in o[1:]], [("The Gorge", True, 150), ("The Other", False, 150)])
    t.write("more.fray", open(t.folder + "/s.fray").read() + "odds 20 { set Bruna's hit points = 3 } vs { Bruna waits } giving party wins\nsweep Bruna's hit points from 5 to 9 by 4 { odds 20 giving party wins }\nodds 20 { Bruna waits } vs { } giving party wins\n")
    status, out, err = t.fray("odds", "--from=more.fray", "--trials=20", "--json")
    t.same("those about the start stay about the start", (status, err, [("from" in x) for x in app.objects(out)]), (0, "", [True, True, False, False, False, False, True]))
    runs = [t.fray("odds", "--from=s.fray", "--trials=200", "--threads=%d" % n) for n in (1, 3)]
    t.same("the same for any threads", runs[0], runs[1])
    for i in (1, 2):
        t.fray("odds", "--from=s.fray", "--trials=200", "--shard=%d/2" % i, "--out=%d" % i)
    t.same("and for shards", t.fray("merge", "1", "2"), runs[0])
    status, out, err = t.fray("odds", "--from=s.fray", "--exact", "--states=3000", "--json")
    m = app.objects(out)[0]["measures"][0]
    t.check("exactly, too", m["low"] - 0.07 < o[0]["measures"][0]["value"] < m["high"] + 0.07, m)
    status, out, err = t.fray("odds", "--from=s.fray", "--trials=100", "--report=page.html")
    page = open(t.folder + "/page.html").read()
    t.check("with a report", status == 0 and "fray odds --trials=100 --seed=1 --from=s.fray" in page and "<dt>From</dt><dd>round 2, segment" in page and "What each spell and weapon did" in page)
    won = 0
    for k in range(12):
        status, out, err = t.fray("odds", "--from=s.fray", "--trial=%d" % k)
        won += bool(re.search(r"Bruna falls|Bruna dies|Bruna is dead", out)) if status == 0 else 1000
    loses = [m["value"] for m in app.objects(t.fray("odds", "--from=s.fray", "--trials=12", "--json")[1])[0]["measures"] if m["name"] == "orcs win"][0]
    t.same("one of its fights, as a story", won, round(loses * 12))


def first_lines(t):
    t.write("x.fray", SCRIPT)
    for name, text in (("a script", SCRIPT), ("half a position", "-- Saved at the prompt of Fray 0.1.0: round 1.\n" + SCRIPT), ("one without steps", "-- Saved at the prompt of Fray 0.1.0: round 1.\n-- At the prompt, begin The Gorge\n" + SCRIPT)):
        t.write("no.fray", text)
        status, out, err = t.fray("odds", "--from=no.fray")  # F0846
        t.check("%s is no position" % name, status == 2 and out == "" and "This is not a position: it was not saved at the prompt." in err, status, err)
    for words, says in ((("--from=x.fray", "x.fray"), "leave out x.fray"), (("--from=nowhere",), "no such file")):
        status, out, err = t.fray("odds", *words)
        t.one_sentence("odds %s" % " ".join(words), err, says)
    prompt(t, "begin", "step 3", 'save "s.fray"')
    with open(t.folder + "/s.fray") as f:
        t.write("later.fray", f.read().replace("and step 3 lead", "and step 300 lead"))
    status, out, err = t.fray("odds", "--from=later.fray")  # F0824
    t.check("a position the fight does not come to", status == 2 and out == "" and "The saved position cannot be reached again" in err, status, err)
    prompt(t, "begin", 'save "start.fray"')
    t.same("a position at the beginning is the beginning", t.fray("odds", "--from=start.fray", "--trials=200")[1], t.fray("odds", "--trials=200", "x.fray")[1])


def readings(t):
    """What other readings of the rules would change from the position on."""
    t.write("x.fray", SCRIPT)
    prompt(t, "begin", "step 2", 'save "s.fray"')
    status, out, err = t.fray("odds", "--from=s.fray", "--sensitivity", "--trials=300", "--json")
    rows = app.objects(out)
    t.same("options are turned from a position", (status, err), (0, ""))
    t.check("all of them, and the place is told", len(rows) > 8 and all(r["from"].startswith("round") for r in rows), rows)
    tie = [r for r in rows if r.get("value") == "reroll"][0]
    told = prompt(t, "begin", "step 2", "odds 300 { } vs { set option tie = reroll } giving party wins")
    t.check("each as a branch of odds from the present has it", "%+.1f" % (100 * tie["difference"]["value"]) in told.split("difference")[1] or "%+.2f" % (100 * tie["difference"]["value"]) in told.split("difference")[1], tie, told)
    start = [r for r in app.objects(t.fray("odds", "--sensitivity", "--trials=300", "--json", "x.fray")[1]) if r.get("value") == "reroll"][0]
    t.check("which is not what it changes from the start on", start["difference"] != tie["difference"] and "from" not in start, start, tie)
    t.like("people are told that it is from there", t.fray("odds", "--from=s.fray", "--sensitivity", "--trials=20")[1], r"^The Gorge from the present moment\n  party wins: what other readings")
    for i in (1, 2):
        t.fray("odds", "--from=s.fray", "--sensitivity", "--giving=average round", "--trials=60", "--shard=%d/2" % i, "--out=%d" % i)
    t.same("and for shards", t.fray("merge", "1", "2"), t.fray("odds", "--from=s.fray", "--sensitivity", "--giving=average round", "--trials=60"))


def typed(t):
    """What is typed for the present counts in odds from there, and what the script says does not."""
    t.write("x.fray", SCRIPT)
    for force, many in (("force Bruna's attack roll 20", True), ("force Bruna's attack roll 1", False), ("dice: Bruna's attack roll 20", True), ("round 2 { dice: Bruna's attack roll 20 }", True)):
        out = prompt(t, "begin", "step 2", force, "odds 300 { Bruna attacks orc #1 } giving Bruna hits orc #1, party wins")
        plain = prompt(t, "begin", "step 2", "odds 300 { Bruna attacks orc #1 } giving Bruna hits orc #1, party wins")
        t.check("%s moves the odds" % force, (float(wins(out).split()[-1]) > float(wins(plain).split()[-1])) == many, out, plain)
    # a die that is forced and falls at once is as certain as it is in the fight
    sure = "force party's initiative 1, orcs' initiative 6, orc #1's attack roll 20, orc #1's damage 8, orc #2's attack roll 20, orc #2's damage 8"
    out = prompt(t, "begin", "step 2", sure, "odds 200 giving Bruna is dead")
    told = prompt(t, "begin", "step 2", sure, "step")
    t.check("what is certain to fall is certain to be counted", "over 98." in out and told.count("8 damage") == 2, out, told)
    said = SCRIPT.replace("distance: 5 ft", "distance: 5 ft\n  dice: Bruna's attack roll 20, Bruna's damage 8")
    t.write("said.fray", said)
    ask = "odds 300 giving party wins"
    t.same("the script's own dice are one table's luck", wins(prompt(t, "begin", ask, file="said.fray")), wins(prompt(t, "begin", ask)))
    t.write("branch.fray", SCRIPT)
    both = prompt(t, "begin", "step", "force Bruna's attack roll 1", "odds 300 { dice: Bruna's attack roll 20 } giving party wins")
    t.check("a branch's dice come before those that were typed", float(wins(both).split()[-1]) > float(wins(prompt(t, "begin", "step", "force Bruna's attack roll 1", ask)).split()[-1]), both)


def seeds(t):
    t.write("x.fray", SCRIPT)
    out = prompt(t, "odds 300 giving party wins")
    t.check("the prompt tells the seed it took", "seed 1" in out, out)
    t.write("asked.fray", SCRIPT + "odds 300 giving party wins\n")
    t.same("and it is the command's", wins(out), wins(t.fray("odds", "--trials=300", "asked.fray")[1]))
    t.check("of the fight in progress its own", "seed 1" in prompt(t, "begin", "step", "odds 100"))


app.run([saved, first_lines, readings, typed, seeds])
