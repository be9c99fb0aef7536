"""fray run: how a fight is told, what the options change, and the exit statuses."""

import os
import re
import signal
import subprocess
import time

import app


def story(t):
    t.write("ford.fray", app.FORD)
    status, out, err = t.fray("run", "ford.fray")
    t.same("a fight that goes as expected is fine", status, 0)
    t.like("its story is told", out, r"attack roll 17\s+\[forced\]")
    t.like("what held is counted", out, r"^The expectation holds\.$")
    t.silent("and nothing is wrong", err)
    t.same("`fray FILE` is `fray run FILE`", t.fray("ford.fray"), (status, out, err))
    t.same("so is an option first", t.fray("--seed", "1", "ford.fray"), (status, out, err))
    t.same("a script may come from standard input", t.fray("run", "-", stdin=app.FORD), (status, out, err))
    t.unlike("no colours outside a terminal", out, "\033")


def expectation(t):
    t.write("cellar.fray", app.CELLAR)
    status, out, err = t.fray("run", "cellar.fray")
    t.same("a failed expectation is status 1", status, 1)
    t.like("the expectation is shown with its place", err, r"^cellar\.fray:10: ")
    t.like("the story is told all the same", out, "Bruna attacks orc #1")
    t.like("what failed is counted", out, r"^1 of 1 expectations failed\.$")


def encounters(t):
    t.write("both.fray", app.BOTH.replace("combatant", "\ncombatant"))
    status, out, err = t.fray("run", "both.fray")
    t.same("without a name all are played, and the worst counts", status, 1)
    t.check("in the order of the file", re.search("^The Ford$.*^The Cellar$", out, re.S | re.M), out)
    status, out, err = t.fray("run", "both.fray", "The", "Ford")
    t.same("a name chooses one, quoted or not", (status, err), (0, ""))
    t.same("quoted", t.fray("run", "both.fray", "The Ford"), (status, out, err))
    status, out, err = t.fray("run", "both.fray", "The Fort")
    t.same("an unknown encounter is wrong", (status, out), (2, ""))
    t.like("and the nearest is named", err, "The Ford")
    t.write("things.fray", app.THINGS)
    status, out, err = t.fray("run", "things.fray")
    t.same("nothing to play is wrong", (status, out), (2, ""))
    t.check("and said", err.strip() != "", err)


def seeds(t):
    t.write("loose.fray", app.LOOSE)
    first = t.fray("run", "loose.fray")
    t.same("a fight is the same each time", t.fray("run", "loose.fray"), first)
    t.same("because its seed is 1", t.fray("run", "--seed=1", "loose.fray"), first)
    rolls = {re.search(r"attack roll (\d+)", t.fray("run", "--seed=%d" % n, "loose.fray")[1]).group(1) for n in range(12)}
    t.check("other seeds roll other dice", len(rolls) > 3, rolls)
    status, out, err = t.fray("run", "--seed=random", "loose.fray")
    seed = re.match(r"seed (\d+)\n", out)
    t.check("a random seed is told", seed, out)
    again = t.fray("run", "--seed", seed.group(1), "loose.fray")
    t.same("so that the fight can be had again", again[1], out[seed.end():])
    for bad in ("x", "-1", "1.5", "", "18446744073709551616", "0x10"):
        t.one_sentence("seed %r is refused" % bad, t.fray("run", "--seed=" + bad, "loose.fray")[2], "--seed takes a whole number")
    t.same("the greatest seed is taken", t.fray("run", "--seed=18446744073709551615", "loose.fray")[0], 0)


def asked(t):
    t.write("loose.fray", app.LOOSE)
    status, out, err = t.fray("run", "--dice=ask", "loose.fray", stdin="20\n8\n")
    t.same("typed dice: the fight is played", status, 0)
    t.like("the die is asked for by name", err, r"Bruna's attack roll \(d20\): ")
    t.like("the typed face counts", out, r"attack roll 20\s+\[typed\]")
    status, out, err = t.fray("run", "--dice", "ask", "loose.fray", stdin="21\nhello\n2\n")
    t.same("a face no die has is asked again", (status, err.count("(d20): ")), (0, 3))
    t.like("until one will do", out, r"attack roll 2\s+\[typed\]")
    status, out, err = t.fray("run", "--dice=ask", "loose.fray", stdin="\n\n")
    t.unlike("Return rolls", out, "typed")
    t.same("by the seed", out, t.fray("run", "loose.fray")[1])
    status, out, err = t.fray("run", "--dice=ask", "loose.fray", stdin="")
    t.check("no more answers stop the run", status in (3, 130), status, err)
    status, out, err = t.fray("run", "--dice=ask", "--json", "loose.fray", stdin="20\n8\n")
    t.same("JSON stays clean of questions", (status, [d["source"] for o in app.objects(out) for d in o.get("dice", []) if o["kind"] == "roll"][0]), (0, "typed"))
    t.one_sentence("dice and script cannot both be standard input", t.fray("run", "--dice=ask", "-", stdin=app.LOOSE)[2], "standard input")
    t.one_sentence("--dice takes two words", t.fray("run", "--dice=throw", "loose.fray")[2], "ask or roll")
    t.same("--dice=roll is the usual", t.fray("run", "--dice=roll", "loose.fray"), t.fray("run", "loose.fray"))


def forms(t):
    t.write("ford.fray", app.FORD)
    status, out, err = t.fray("run", "--json", "ford.fray")
    events = app.objects(out)
    t.same("--json: the first object describes the run", (status, events[0]["event"], events[0]["encounter"], events[0]["seed"]), (0, "run", "The Ford", 1))
    t.same("the last is the outcome", events[-1]["event"], "outcome")
    t.check("event is each object's first key", all(next(iter(e)) == "event" for e in events), out)
    status, out, err = t.fray("run", "--timeline", "ford.fray")
    t.check("--timeline draws", status == 0 and re.search(r"^round 1\b.*\n(.*\n)*Bruna +x", out), out)
    status, out, err = t.fray("run", "--why", "ford.fray")
    t.check("--why tells what decided", status == 0 and re.search(r"attack roll \d+ \[d20.*needed \d+", out) and "core: attack roll" not in out, out)
    status, out, err = t.fray("run", "--why=full", "ford.fray")
    t.check("--why=full cites", status == 0 and "core: attack roll" in out, out)
    t.same("and there is nothing else", t.fray("run", "--why=short", "ford.fray")[0], 2)
    for pair in (["--json", "--why"], ["--why", "--timeline"], ["--timeline", "--json"]):
        status, out, err = t.fray("run", *pair, "ford.fray")
        t.same("%s with %s is refused" % tuple(pair), (status, out), (2, ""))
    t.same("the same twice is fine", t.fray("run", "--json", "--json", "ford.fray")[0], 0)


def rounds(t):
    t.write("long.fray", app.LONG)
    told = lambda *more: re.findall(r"^round (\d+)", t.fray("run", *more, "long.fray")[1], re.M)
    t.same("--max-rounds ends a fight early", told("--max-rounds=2"), ["1", "2"])
    t.check("which goes on otherwise", len(told()) > 2, told())
    for bad in ("0", "x", "1000001"):
        t.one_sentence("--max-rounds=%s is refused" % bad, t.fray("run", "--max-rounds=" + bad, "long.fray")[2], "--max-rounds takes")


def rules(t):
    t.write("loose.fray", app.LOOSE)
    status, out, err = t.fray("run", "--rules=osrik", "loose.fray")
    t.same("unknown rules are wrong", (status, out), (2, ""))
    t.like("and the nearest are named", err, "osric")
    t.write("sharp.fray", 'house rules sharp\nrule sharp swords "house 1" { adjust number to hit (one, other) by -20 }\n')
    misses = [t.fray("run", "--seed=%d" % n, "--rules=core,sharp", "loose.fray")[1].count("miss") for n in range(6)]
    t.same("house rules beside the script change the fight", misses, [0] * 6)
    t.check("which misses at times without them", any("miss" in t.fray("run", "--seed=%d" % n, "loose.fray")[1] for n in range(6)))


def modules(t):
    t.write("den/beasts.fray", "monster bat { hit dice: 1; hit points: 1; THAC0: 20; attacks: bite 1d2 }\n")
    t.write("den/den.fray", "use beasts\n" + app.FORD.replace("2 orcs", "2 orcs, 3 bats"))
    status, out, err = t.fray("run", "den/den.fray")
    t.same("what a script uses is found beside it", (status, err), (0, ""))
    t.write("away.fray", "use beasts\n" + app.FORD)
    status, out, err = t.fray("run", "away.fray")
    t.same("and nowhere else", (status, out), (2, ""))
    t.write("den/climb.fray", 'use "../away"\n' + app.FORD)
    status, out, err = t.fray("run", "den/climb.fray")
    t.same("no path leads out of the folder", (status, out), (2, ""))
    t.unlike("and the file outside was not read", err, r"^(\.\./)?away\.fray:")
    os.mkfifo(os.path.join(t.folder, "den", "pipe.fray"))
    t.write("den/waits.fray", "use pipe\n" + app.FORD)
    t.same("a pipe of that name is not waited for", t.fray("run", "den/waits.fray")[0], 2)
    t.write("osric.fray", app.FORD)
    t.same("a script may be called as its system is", t.fray("check", "osric.fray"), (0, "", ""))
    t.same("and stand beside others that use it", t.fray("check", "ford.fray"), (0, "", ""))
    t.write("proc.fray", "ruleset proc \"ours\"\nevery combatant has { poise: 0 }\n")
    t.write("poise.fray", "use proc\ncombatant A { poise: 3 }\n")
    t.same("a ruleset beside the script stands in for the library's", t.fray("check", "poise.fray"), (0, "", ""))


def same_name(t):
    """A script called like the rules it uses is not mistaken for them."""
    t.write("same/osric.fray", app.FORD)
    status, out, err = t.fray("run", "same/osric.fray")
    t.same("osric.fray may use osric", (status, err), (0, ""))
    t.like("and is played by it", out, "attack roll 17")
    t.write("same/ring.fray", "use ring\n" + app.FORD)
    t.same("and one that uses itself is only itself", t.fray("check", "same/ring.fray"), (0, "", ""))


def interrupts(t):
    # a die is asked for, so that the run is surely waiting when the signal comes
    t.write("loose.fray", app.LOOSE)
    child = subprocess.Popen([app.FRAY, "run", "--dice=ask", "loose.fray"], cwd=t.folder, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    asked = b""
    while not asked.endswith(b"(d20): "):
        asked += os.read(child.stderr.fileno(), 100)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    t.same("Ctrl-C at a question is status 130", child.returncode, 130)
    # when all of this was taken from the pipe, the command has long begun
    script = b"-- a long line\n" * 20000 + app.ENDLESS.encode()
    child = subprocess.Popen([app.FRAY, "run", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdin.write(script)
    child.stdin.close()
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    out, err = child.stdout.read(), child.stderr.read()
    t.same("and so it is during a long run", child.wait(), 130)
    t.check("which does not go on", b"no more rounds" not in out, out[-300:])


def replays(t):
    t.write("loose.fray", app.LOOSE)
    status, log, err = t.fray("run", "--json", "--seed=5", "loose.fray")
    t.write("log.json", log)
    status, out, err = t.fray("run", "--replay=log.json", "loose.fray")
    t.same("a fight is played again from its log", status, 0)
    t.same("roll by roll", re.findall(r"attack roll (\d+)", out), re.findall(r"attack roll (\d+)", t.fray("run", "--seed=5", "loose.fray")[1]))
    for wrong in (log.replace("attack roll", "damage roll", 1), log[:len(log) // 2], log.replace('"hit', '"miss', 1), log + log.splitlines()[-1] + "\n", log.replace("}", ";", 1)):
        t.write("changed.json", wrong)
        status, out, err = t.fray("run", "--replay=changed.json", "loose.fray")
        t.check("a log that was changed is not accepted", wrong != log and status == 2 and ("F0809" in err or "F0808" in err), wrong == log, status, err)
    t.write("gorge.fray", app.LONG)
    short = t.fray("run", "--json", "--max-rounds=1", "gorge.fray")[1]
    t.write("short.json", short)
    again = t.fray("run", "--json", "--replay=short.json", "gorge.fray")
    t.same("a run that was cut short ends there again", (again[0], len(app.objects(again[1]))), (0, len(app.objects(short))))
    two = app.LOOSE + "\n" + app.LOOSE[app.LOOSE.index("encounter "):].replace("encounter ", "encounter another ", 1)
    t.write("two.fray", two)
    t.write("both.json", t.fray("run", "--json", "--seed=5", "two.fray")[1])
    both = t.fray("run", "--json", "--replay=both.json", "two.fray")
    t.same("a log of several fights plays them all", [o["encounter"] for o in app.objects(both[1]) if o["kind"] == "run"],
           [o["encounter"] for o in app.objects(t.fray("run", "--json", "two.fray")[1]) if o["kind"] == "run"])
    t.same("a log that is not there is wrong", t.fray("run", "--replay=none.json", "loose.fray")[0], 2)
    t.write("bad.json", "{}\n")
    t.same("so is one that is none", t.fray("run", "--replay=bad.json", "loose.fray")[0], 2)


app.run([story, expectation, encounters, seeds, asked, forms, rounds, rules, modules, same_name, interrupts, replays])
