"""The examples under every system: each plays, or is told, for every mistake, what would be right."""

import glob
import os
import re

import app

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SYSTEMS = ("lite", "proc", "osric", "crucible", "dew")
MISTAKE = re.compile(r"^(?:warning: )?\S+\.fray:\d+: (.*)$", re.M)


def examples():
    """(folder, script) of everything in examples/ that has an encounter."""
    for path in sorted(glob.glob(os.path.join(TOP, "examples", "**", "*.fray"), recursive=True)):
        with open(path, encoding="utf-8") as f:
            if re.search(r"^encounter ", f.read(), re.M):
                yield os.path.split(path)


def written_for(script):
    with open(script, encoding="utf-8") as f:
        return re.search(r"^use (\w+)", f.read(), re.M).group(1)


def unhelpful(told):
    """The mistakes with no line behind the text that is shown: nothing says what would be right."""
    found = []
    for block in re.split(r"\n\n(?=\S)", told):
        first = MISTAKE.match(block.strip())
        if first and not block.startswith("warning:") and not re.search(r"^ +\| +\^+\n  \S", block, re.M):
            found.append(first.group(0))
    return found


def everywhere(t):
    played = {s: 0 for s in SYSTEMS}
    for folder, script in examples():
        own = written_for(os.path.join(folder, script))
        if own not in SYSTEMS: # it brings a system of its own, in words of its own
            continue
        for system in SYSTEMS:
            name = "%s under %s" % (script, system)
            status, out, err = t.fray("run", "--max-rounds=30", "--rules=" + system, script, folder=folder)
            if status in (0, 1, 3): # it plays; what a script of another system expects need not come about
                played[system] += 1
                t.check(name + " plays", out.strip() and (system != own or status != 1), status, out, err)
                continue
            t.check(name + " is told what would be right", status == 2 and system != own and MISTAKE.search(err) and not unhelpful(err), status, unhelpful(err), err)
            t.check(name + ": the last word says why", err.rstrip().split("\n\n")[-1].startswith(
                "warning: %s was written for %s, and is read under %s." % (script, own, system)), err)
    for system in SYSTEMS:
        t.check("some play under " + system, played[system] >= 3, played)


# what a referee would stumble over when he reads a fight aloud
STUMBLES = {
    "aims at nobody": r"toward someone|attacks none|attacks someone",
    "tells of the rules' own turns": r"take turn|carry out",
    "says when it was in another round": r"segment -\d|segment \d\d\d",
    "says the same twice": r"[:;] ([^;:\[\]]{8,}); \1(;|$)",
}


def stories(t):
    """five-ways, to its end, under every system."""
    folder = os.path.join(TOP, "examples")
    for system in SYSTEMS:
        first = t.fray("run", "--rules=" + system, "five-ways.fray", folder=folder)[1].split("surprise" if system != "dew" else "round 1")[0]
        t.check(system + ": what was assumed is told first", ("not told, so assumed: " in first or "converted: " in first) == (system != "osric"), first)
    for system in SYSTEMS:
        for seed in range(1, 9):
            status, out, err = t.fray("run", "--rules=" + system, "--seed=%d" % seed, "five-ways.fray", folder=folder)
            whole = re.sub(r"\n {8,}(?! *(?:dice|segment|count|together) )", " ", out)
            for what, pattern in STUMBLES.items():
                found = re.search(pattern, whole)
                t.check("%s with seed %d: no line %s" % (system, seed, what), status in (0, 3) and not found, found and whole[max(0, found.start() - 200):found.end() + 100], err)


HOUSE = """\
house rules soft for osric "the Monday table"
rule soft blows "monday 1" { adjust damage done (attacker, target, weapon) by -1 }
"""


def house_rules(t):
    t.write("soft.fray", HOUSE)
    t.write("ford.fray", "use osric with soft\n" + app.FORD)
    t.write("wrong.fray", "use lite with soft\n" + app.FORD)
    t.write("mine.fray", "ruleset mine \"ours\" extends osric\n")
    t.write("heir.fray", "use mine with soft\n" + app.FORD)
    status, out, err = t.fray("run", "ford.fray", "--rules=lite")
    t.same("house rules for a system that is not taken are left out", err,
           "warning: The house rules soft are for osric; under lite they are left out. [F0850]\n\n")
    t.check("and the rest plays", status in (0, 1) and "round 1" in out, status, out)
    status, out, err = t.fray("run", "ford.fray", "--rules=osric")
    t.check("under their own they stay", "left out" not in err, status, err)
    status, out, err = t.fray("check", "wrong.fray")
    t.check("a script that mixes them is told", status == 2 and "The house rules soft are for osric, and these rules are lite." in err
            and "Write: use osric with soft" in err and err.count(".fray:") == 1, err)
    codes = [d["code"] for d in app.objects(t.fray("check", "--json", "wrong.fray")[1])]
    t.same("that is all it is told", codes, ["F0849"])
    t.write("dale.fray", app.FORD.replace("armour class: 3", "armour class: 3; valour: 9"))
    t.write("hill.fray", "use osric with soft\n" + open(os.path.join(t.folder, "dale.fray"), encoding="utf-8").read())
    codes = [d["code"] for d in app.objects(t.fray("check", "--json", "hill.fray", "--rules=lite")[1])]
    t.same("in this order", codes, ["F0850", "F0207", "F0851"])
    status, out, err = t.fray("check", "ford.fray", "--rules=lite,soft")
    t.check("so is who names them beside another system", status == 2 and "The house rules soft are for osric, and these rules are lite." in err, err)
    status, out, err = t.fray("check", "heir.fray")
    t.check("they fit what extends their system", status == 0, err)


app.run([everywhere, stories, house_rules])
