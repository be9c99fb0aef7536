"""fray odds: the same answer for any number of threads, true answers, every way of asking,
and a word about everything that cannot be asked."""
# seconds: 300

import json
import math
import os
import signal
import subprocess

import app

DUEL = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bench/f1.fray")).read()
FIVE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/five-ways.fray")
# what f1_exact.py works out
F1 = {"party wins": 0.236016, "enemy wins": 0.755426}

ASKED = app.LONG.replace("until orcs are down", "until party is down or orcs are down") + """
odds 400 giving Bruna dies, Bruna is not dead, Bruna hits orc #1, average round, orc #1 falls, Bruna acts before orc #2, Bruna does not act
odds 300 { Bruna waits } vs { Bruna attacks orc #2 } giving party wins, average Bruna's hit points
sweep Bruna's hit points from 1 to 31 by 15 { odds 300 giving party wins }
"""
ASKED = ASKED.replace("Bruna follows stand firm", "Bruna follows stand firm\n  orcs follow stand firm\n  distance: 5 ft")


OTHER = "encounter The Other {\n  side party: Bruna\n  side orcs: 1 orc\n  Bruna follows stand firm\n  orcs follow stand firm\n  until party is down or orcs are down\n}\n"


def objects(out):
    return [json.loads(line) for line in out.splitlines()]


def values(o):
    return {m["name"]: m for m in o["measures"]}


def threads(t):
    t.write("duel.fray", DUEL)
    t.write("asked.fray", ASKED)
    for form in ("--json", "--csv", "--seed=3"):
        runs = [t.fray("odds", "--trials=700", form, "--threads=%d" % n, "asked.fray") for n in (1, 2, 16)]
        t.same("one thread or two with %s" % form, runs[0], runs[1])
        t.same("or sixteen", runs[0], runs[2])
        t.same("and all is well", (runs[0][0], runs[0][2]), (0, ""))
    t.check("another seed, another sample", t.fray("odds", "--trials=700", "duel.fray") != t.fray("odds", "--trials=700", "--seed=2", "duel.fray"))


def truth(t):
    t.write("duel.fray", DUEL)
    status, out, err = t.fray("odds", "--trials=4000", "--json", "duel.fray")
    o = objects(out)[0]
    t.same("how it was found", (status, o["method"], o["trials"], o["seed"], o["interrupted"]), (0, "sampled", 4000, 1, False))
    for name, p in F1.items():
        m = values(o)[name]
        sigma = math.sqrt(p * (1 - p) / 4000)
        t.check("%s as often as it should" % name, abs(m["value"] - p) < 4.5 * sigma, m)
        t.check("in an interval of the right size", 0.8 < (m["high"] - m["low"]) / (2 * 1.96 * sigma) < 1.25, m)
    t.check("so many rounds", abs(values(o)["round"]["value"] - 5.850086) < 0.35, values(o)["round"])
    spread = values(o)["ogre's hit points"]["spread"]
    t.check("spreads add up", abs(sum(spread.values()) - 1) < 1e-9, spread)


def intervals(t):
    """The interval of 95 samples in 100 holds the truth."""
    t.write("duel.fray", DUEL + "odds 200 on duel giving party wins\n")
    held = 0
    for seed in range(60):
        o = objects(t.fray("odds", "--trials=200", "--json", "--seed=%d" % (seed + 100), "duel.fray")[1])[0]
        m = values(o)["party wins"]
        held += m["low"] <= F1["party wins"] <= m["high"]
    # 60 draws at 95 %: fewer than 50 happens once in 100,000 times
    t.check("intervals hold the truth", 50 <= held <= 60, held)


def story(t):
    """A sentence is counted in odds as often as it stands in the stories of the same trials."""
    t.write("gorge.fray", ASKED.split("odds 400")[0] + "odds 40 giving orc #1 falls, Bruna hits orc #1, Bruna falls\n")
    o = objects(t.fray("odds", "--trials=40", "--json", "gorge.fray")[1])[1]
    count = {m["name"]: round(m["value"] * 40) for m in o["measures"]}
    found = dict.fromkeys(count, 0)
    for k in range(40):
        status, out, err = t.fray("odds", "--trial=%d" % k, "--json", "gorge.fray")
        events = [json.loads(line) for line in out.splitlines()]
        said = {(e.get("event"), e.get("actor"), e.get("target")) for e in events}
        text = out
        found["orc #1 falls"] += '"event":"fall"' in text and any(e.get("event") == "fall" and "orc #1" in json.dumps(e) for e in events)
        found["Bruna falls"] += any(e.get("event") == "fall" and "Bruna" in json.dumps(e) for e in events)
        found["Bruna hits orc #1"] += any(e.get("event") == "hit" and e.get("actor") == "Bruna" and e.get("target") == "orc #1" for e in events)
        if k == 0:
            t.check("a trial is a whole story", status == 0 and len(said) > 3, out[:300])
    t.same("sentences are counted as they are told", count, found)


def asking(t):
    t.write("asked.fray", ASKED)
    status, out, err = t.fray("odds", "--json", "--trials=400", "asked.fray")
    answers = objects(out)
    t.same("the usual, then each question of the script", (status, err, len(answers)), (0, "", 6))
    first = values(answers[1])
    t.same("as asked", list(first), ["Bruna dies", "Bruna is not dead", "Bruna hits orc #1", "round", "orc #1 falls", "Bruna acts before orc #2", "Bruna does not act"])
    t.check("dead or not", abs(first["Bruna dies"]["value"] + first["Bruna is not dead"]["value"] - 1) < 1e-12, first)
    t.check("a question's own number counts", answers[1]["trials"] == 400 and answers[2]["trials"] == 300)
    status, out, err = t.fray("odds", "--json", "--trials=100", "asked.fray")
    t.same("unless --trials is less", [a["trials"] for a in objects(out)[1:3]], [100, 100])
    b = answers[2]["branches"]
    t.same("branches", [x["branch"] for x in b], ["Bruna waits", "Bruna attacks orc #2"])
    d = b[1]["measures"][0]["difference"]
    t.check("paired difference", abs(d["value"] - (b[1]["measures"][0]["value"] - b[0]["measures"][0]["value"])) < 1e-9 and d["low"] < d["value"] < d["high"], d)
    steps = [a["step"] for a in answers[3:]]
    t.same("a sweep's steps", steps, ["Bruna's hit points = 1", "Bruna's hit points = 16", "Bruna's hit points = 31"])
    wins = [a["measures"][0]["value"] for a in answers[3:]]
    t.check("more hit points win more", wins[0] < wins[1] < wins[2], wins)
    status, out, err = t.fray("odds", "--csv", "--trials=50", "asked.fray")
    t.check("as CSV too", status == 0 and out.startswith("encounter,step,branch,measure,kind,at,method,value,low,high\n"), out[:200])
    t.check("with a heading once", out.count("encounter,step") == 1)


def text(t):
    t.write("asked.fray", ASKED)
    status, out, err = t.fray("odds", "--trials=300", "asked.fray")
    t.check("never a bare nought or a bare hundred", "  0 %" not in out and " 0.0 %" not in out and " 100 %" not in out and "under" in out, out)
    t.like("it says how it was found", out, r"sampled: 300 fights, seed 1")
    t.check("nothing is wider than the terminal", all(len(line) <= 80 for line in out.splitlines()), max(out.splitlines(), key=len))


def enough(t):
    t.write("duel.fray", DUEL)
    o = objects(t.fray("odds", "--within=1%", "--json", "duel.fray")[1])[0]
    t.check("--within stops when it is known well enough", all((m["high"] - m["low"]) / 2 <= 0.01 for m in o["measures"] if m["kind"] == "chance"), o)
    t.check("and not long after", 4096 <= o["trials"] <= 16384, o["trials"])
    again = [t.fray("odds", "--within=1%", "--json", "--threads=%d" % n, "duel.fray") for n in (1, 3)]
    t.same("at the same trial for any threads", again[0], again[1])
    # a mean is known to that share of the span of what came up, and so is what two plans differ by
    for asked in ("average round", "spread ogre's hit points"):
        answers = [t.fray("odds", "--within=0.3%", "--json", "--threads=%d" % n, "--giving=%s, spread round" % asked, "duel.fray")[1] for n in (1, 3)]
        o = objects(answers[0])[0]
        rounds = [float(n) for n in o["measures"][1]["spread"]]
        span = max(rounds) - min(rounds)
        t.check("%s: until the means are known" % asked, 4096 < o["trials"] < 100000000 and (o["measures"][1]["high"] - o["measures"][1]["low"]) / 2 <= 0.003 * span, o["trials"], span)
        t.same("%s: at the same trial for any threads" % asked, answers[0], answers[1])
    t.write("plans.fray", DUEL + "odds { } vs { ogre's hit points: 12 } giving party wins\nodds giving spread ogre's weapon\n")
    o = objects(t.fray("odds", "--within=0.6%", "--json", "plans.fray")[1])
    x = o[1]["branches"][1]["measures"][0]["difference"]
    t.check("a difference", (x["high"] - x["low"]) / 2 <= 0.006, o[1])
    t.check("what is no number: each of its values", o[2]["trials"] == 4096, o[2])


def wrong(t):
    t.write("duel.fray", DUEL)
    for words, says in ((("--trials=0", "duel.fray"), "trials"), (("--within=0", "duel.fray"), "within"), (("--within=x", "duel.fray"), "within"),
                        (("--threads=0", "duel.fray"), "threads"), (("--json", "--csv", "duel.fray"), "choose one"),
                        (("--exact", "--trials=5", "duel.fray"), "samples nothing"), ((), "needs a script"), (("none.fray",), "none.fray"),
                        (("duel.fray", "nowhere"), "nowhere")):
        status, out, err = t.fray("odds", *words)
        t.check("odds %s" % " ".join(words), status == 2 and out == "" and says in err, status, out, err)
    t.write("endless.fray", app.ENDLESS)
    status, out, err = t.fray("odds", "--trials=20", "--max-rounds=3", "endless.fray")
    t.check("a fight that never ends is told as such", status == 0 and "not settled" in out, out, err)


def sensitivity(t):
    t.write("duel.fray", DUEL.replace("until party", "party's alerted: yes\n  enemy's alerted: yes\n  until party"))
    runs = [t.fray("odds", "--sensitivity", "--json", "--trials=300", "--threads=%d" % n, "duel.fray") for n in (1, 3)]
    t.same("the same for any threads", runs[0], runs[1])
    status, out, err = runs[0]
    rows = objects(out)
    t.check("every option of the rules is turned", status == 0 and len({r["option"] for r in rows if "option" in r}) == 13, len(rows), err)
    moved = [abs(r["difference"]["value"]) for r in rows]
    t.same("those that matter come first", moved, sorted(moved, reverse=True))
    t.same("and every rule of the script's own left out", sorted(r["rule"] for r in rows if "rule" in r), ["hit points", "outcome"])
    ties = [r for r in rows if r.get("option") == "tie"]
    t.check("rolling ties again matters in a duel", any(r["difference"]["value"] != 0 for r in ties), ties)
    still = [r for r in rows if r.get("option") == "missile.rate"][0]["difference"]
    t.same("what no fight met moves nothing", still, {"value": 0.0, "low": 0.0, "high": 0.0})
    status, out, err = t.fray("odds", "--sensitivity", "--trials=100", "duel.fray")
    t.check("people read it in 80 columns", status == 0 and "the same in every fight" in out and all(len(line) <= 80 for line in out.splitlines()), out)


def giving(t):
    """What is asked instead of who wins, and what matters for it."""
    t.write("duel.fray", DUEL)
    o = objects(t.fray("odds", "--trials=200", "--json", "--giving=enemy wins, average round", "duel.fray")[1])[0]
    t.same("the measures that are asked, and no others", [(m["name"], m["kind"]) for m in o["measures"]], [("enemy wins", "chance"), ("round", "average")])
    usual = {m["name"]: m for m in objects(t.fray("odds", "--trials=200", "--json", "duel.fray")[1])[0]["measures"]}
    t.same("of the same fights", [m["value"] for m in o["measures"]], [usual["enemy wins"]["value"], usual["round"]["value"]])
    rows = objects(t.fray("odds", "--sensitivity", "--trials=200", "--json", "--giving=average round", "duel.fray")[1])
    t.check("what matters is ranked by a number", all(r["measure"] == "average round" and r["kind"] == "average" and r["mean"] > 0 for r in rows), rows)
    moved = [abs(r["difference"]["value"]) for r in rows]
    t.same("those that matter come first", moved, sorted(moved, reverse=True))
    t.check("some do", moved[0] > 0, rows[0])
    tie = [r for r in rows if r.get("value") == "reroll"][0]
    t.write("vs.fray", DUEL + "odds 200 { } vs { set option tie = reroll } giving average round\n")
    branch = objects(t.fray("odds", "--trials=200", "--json", "vs.fray")[1])[1]["branches"][1]["measures"][0]
    t.same("by as much as a branch with it says", tie["difference"], branch["difference"])
    t.write("small.fray", DUEL.replace("3d10", "2d4").replace("4d8+1", "2d4").replace("until party", "party's alerted: yes\n  enemy's alerted: yes\n  until party"))
    rows = objects(t.fray("odds", "--sensitivity", "--exact", "--max-rounds=2", "--json", "small.fray")[1])
    tie = [r for r in rows if r.get("value") == "reroll"][0]
    t.check("counted exactly when that is asked", all(r["method"] == "exact" and r["difference"]["low"] == r["difference"]["high"] for r in rows) and tie["difference"]["value"] != 0, rows)
    told = t.fray("odds", "--sensitivity", "--exact", "--max-rounds=2", "small.fray")[1]
    t.like("and told as exact", told, r"^  tie = reroll +[-+]\d+\.\d\d %  exact$")
    for words, says in ((("--giving=",), "Something is missing after \"giving\""), (("--giving=party wins\nsweep",), "is a state: it has no time"), (("--giving=average",), "Something is missing"),
                        (("--sensitivity", "--giving=enemy wins, party wins"), "one chance, or one number"),  # F0847
                        (("--sensitivity", "--trials=5", "--giving=spread Fighter's weapon"), "one chance, or one number")):
        status, out, err = t.fray("odds", *words, "duel.fray")
        t.check("odds %s" % " ".join(words).replace("\n", " "), status == 2 and out == "" and says in err, status, out, err)


def usual(t):
    """The library says what is asked where nobody does."""
    t.write("duel.fray", DUEL)
    names = [m["name"] for m in objects(t.fray("odds", "--trials=20", "--json", "duel.fray")[1])[0]["measures"]]
    t.check("core's question, of each side and everybody", names[0].endswith(" wins") and "round" in names and any(n.endswith("'s hit points") for n in names), names)
    t.write("tired.fray", 'house rules tired for osric "tiredness"\nodds giving side wins, combatant survives, spread combatant\'s THAC0\n')
    t.write("house.fray", DUEL.replace("use osric", "use osric with tired"))
    status, out, err = t.fray("odds", "--trials=20", "--json", "house.fray")
    t.same("no word against it", (status, err), (0, ""))
    ours = [m["name"] for m in objects(out)[0]["measures"]]
    t.same("house rules may ask another", ours, [n for n in names if n.endswith(" wins")] + [n for n in names if n.endswith(" survives")] + [n.replace("hit points", "THAC0") for n in names if n.endswith("'s hit points")])
    t.write("house.fray", DUEL.replace("use osric", "use osric with tired") + "odds 20\n")
    short = objects(t.fray("odds", "--trials=20", "--json", "house.fray")[1])[1]
    t.same("a bare question asks of nobody in particular", [m["name"] for m in short["measures"]], [n for n in names if n.endswith(" wins")])
    dew = [m["name"] for m in objects(t.fray("odds", "--trials=5", "--json", "--max-rounds=3", "--rules=dew", FIVE)[1])[0]["measures"]]
    t.check("dew tells of everybody what its rules go by", "Bruna's EN" in dew and "Bruna's BD" in dew and not any("hit points" in n for n in dew), dew)


HUNDRED = """\
use osric
weapon stick { damage: 1d8 }
monster pike { hit points: 4; THAC0: 19; armour class: 5; weapon: stick }
monster gnoll { hit points: 4; THAC0: 18; armour class: 5; weapon: stick }
policy hit { attack my nearest enemy }
encounter a hundred {
  side pikes: 50 pikes
  side gnolls: 50 gnolls
  distance: 5 ft
  pikes follow hit
  gnolls follow hit
  until pikes are down or gnolls are down
}
"""


def memory(t):
    """A hundred combatants fit in 64 MB, however many threads and branches there are."""
    if os.path.basename(os.environ.get("BUILD", "")) in ("asan", "ubsan", "san", "tsan", "cov"):
        t.skip("memory of a hundred combatants", "this build takes more")
        return
    t.write("hundred.fray", HUNDRED + "odds 600 { pikes wait } vs { gnolls wait } giving pikes win\n")
    for words in (("--threads=1",), ("--threads=4",)):
        child = subprocess.Popen([app.FRAY, "odds", "--trials=600", "--max-rounds=2", *words, "hundred.fray"], cwd=t.folder, stdout=subprocess.DEVNULL)
        pid, status, used = os.wait4(child.pid, 0)
        child.returncode = 0
        t.check("%s: under 64 MB" % words, status == 0 and used.ru_maxrss < 65536, status, used.ru_maxrss)


def comparing(t):
    script = ASKED.split("odds 400")[0] + "compare osric vs lite on The Gorge giving party wins, average round\n"
    t.write("rules.fray", script)
    status, out, err = t.fray("odds", "--trials=200", "--json", "rules.fray")
    answers = objects(out)
    t.same("one encounter under each of the rules", (status, err, [(a.get("step"), a["rules"]) for a in answers[1:]]), (0, "", [("osric", ["osric"]), ("lite", ["lite"])]))
    t.same("each as if it were asked alone", answers[2]["measures"],
           objects(t.fray("odds", "--trials=200", "--json", "--rules=lite", "asked_alone.fray" if t.write("asked_alone.fray", script.replace("compare osric vs lite on The Gorge", "odds on The Gorge")) else "")[1])[1]["measures"])
    t.write("last.fray", script.replace(" on The Gorge giving", " giving"))
    t.same("without a name it is the last encounter", objects(t.fray("odds", "--trials=200", "--json", "last.fray")[1])[1:], [dict(a, script="last.fray") for a in answers[1:]])
    inside = ASKED.split("odds 400")[0].replace("  until party", "  compare osric vs lite giving party wins, average round\n  until party") + OTHER
    t.write("inside.fray", inside)
    status, out, err = t.fray("odds", "--trials=200", "--json", "inside.fray", "The", "Gorge")
    t.same("or the one it stands in", (status, err, [(a.get("step"), a["measures"]) for a in objects(out)[1:]]), (0, "", [(a["step"], a["measures"]) for a in answers[1:]]))
    t.write("plain.fray", ASKED.split("odds 400")[0].replace("2 orcs", "6 orcs") + OTHER)  # too many to be counted
    status, out, err = t.fray("-e", "begin The Gorge", "-e", "odds 50", "-e", "compare osric vs lite giving party wins", "plain.fray")
    t.check("at the prompt the fight in progress", status == 0 and err == "" and "The Gorge   lite" in out and "seed 0" not in out and out.count("seed 1") == 3, out, err)
    t.write("nowhere.fray", script.replace("lite", "nowhere"))
    status, out, err = t.fray("odds", "--trials=20", "--json", "nowhere.fray")
    t.check("rules that are not there are said to be so", status == 2 and "nowhere" in err, status, err)


def expectations(t):
    good = ASKED.split("odds 400")[0] + "expect odds 300 giving party wins >= 10%\nexpect odds 300 giving average round < 100\n"
    t.write("good.fray", good)
    status, out, err = t.fray("test", "good.fray")
    t.same("expected odds are a test", (status, out), (0, "ok 1 - good.fray: odds\n1..1\n"))
    t.write("bad.fray", good.replace("< 100", "> 100"))
    status, out, err = t.fray("test", "bad.fray")
    t.check("that can fail", status == 1 and "not ok 1" in out and "It is" in out, out)
    t.same("fray odds says so too", t.fray("odds", "--trials=10", "bad.fray")[0], 1)


def interrupt(t):
    t.write("duel.fray", DUEL)
    child = subprocess.Popen([app.FRAY, "odds", "--trials=1000000000", "--json", "duel.fray"], cwd=t.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        child.wait(0.7)
    except subprocess.TimeoutExpired:
        pass
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    o = json.loads(out.decode().splitlines()[0])
    t.same("Ctrl-C ends it", child.returncode, 130)
    t.check("with what is known by then", o["interrupted"] and 0 < o["trials"] < 1000000000, o)


CROWD = """use crucible
use shelf
encounter the field {
  side left: 20 orcs
  side right: 20 goblins
  distance: 10 ft
  left and right follow sensible tactics
  until left is down or right is down
}
"""


def crowd(t):
    """Where all forty move at one moment each blow of a longer weapon is an act, and nothing else: 800 were too many."""
    t.write("crowd.fray", CROWD)
    status, out, err = t.fray("odds", "--seed=1", "--trials=60", "crowd.fray")
    t.check("no fight of a crowd stops", status == 0 and "F0705" not in out + err and "stopped" not in out + err, (status, out, err))


app.run([threads, truth, intervals, story, asking, text, enough, wrong, sensitivity, giving, usual, memory, comparing, expectations, interrupt, crowd])
