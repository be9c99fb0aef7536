#!/usr/bin/env python3
"""t_lean.py - a fight is read with the stat blocks it can mean alone, and nobody notices."""

import os
import re
import subprocess
import tempfile

import audit

points = []


def check(name, good, *told):
    points.append(good)
    print("%sok %d - %s" % ("" if good else "not ", len(points), name))
    for t in [] if good else told:
        print("# " + str(t).replace("\n", "\n# "))


def run(text, *files):
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("script.fray", text),) + files:
            with open(os.path.join(folder, name), "w") as f:
                f.write(content)
        done = subprocess.run([audit.FRAY, "run", "--seed", "7", os.path.join(folder, "script.fray")], capture_output=True, text=True)
        whole = subprocess.run([audit.FRAY, "repl", os.path.join(folder, "script.fray")], input="begin\nrun\n", capture_output=True, text=True)
    return done, whole


SCENE = "use osric\nuse shelf\n%s\nencounter e {\n  side a: %s\n  side b: %s\n  distance: 30 ft\n  a and b follow brute tactics\n  round 1 { }\n}\n"
NAMES = ("2 ghouls", "3 giant centipedes", "hill giant, 2 wolves", "Ann's friend, ogre", "1 will-o-the-wisp", "3 gnomes")
for names in NAMES:
    more = 'monster Ann\'s friend is an orc with { hit points: 3 }' if "Ann" in names else ""
    done, whole = run(SCENE % (more, names, "2 bandits"))
    check("%s are found" % names, done.returncode == 0 and not done.stderr, done.stderr)
    check("%s: at the prompt too" % names, whole.returncode == 0 and "F0" not in whole.stderr, whole.stderr)
done, _ = run(SCENE % ("use things", "the beast", "2 orcs"), ("things.fray", "monster the beast is a manticore with { carries: trident }\n"))
check("what a file beside the script is made from", done.returncode == 0, done.stderr)
done, _ = run(SCENE % ("", "2 ghuols", "2 orcs"))
check("a name that is not there gets the nearest of all there are", done.returncode == 2 and "Did you mean" in done.stderr and done.stderr.count("ghuols") >= 1, done.stderr)
done, _ = run(SCENE % ("monster orc { hit dice: 1; hit points: 99; armour class: 6; attacks: axe 1d8 }", "orc", "2 bandits"))
check("a script's own is nearer", done.returncode == 0 and not done.stderr, done.stderr)


# ---- lean and whole tell the same fight: what a warning is said of is read with everything ----

WARNED = "rule no talking \"house\" { forbid talk \"nobody talks\" }\nencounter of the warning {\n  side left: Ann\n  side right: Bob\n  distance: 200 ft\n  round 1 { Ann talks }\n}\n"
PEOPLE = "combatant Ann { class: fighter; level: 2; carries: club }\ncombatant Bob { class: fighter; level: 2; carries: club }\n"
MIXES = (("2 ghouls", "2 wolves"), ("medusa", "4 orcs"), ("wight", "3 gnomes"), ("giant poisonous toad", "2 berserkers"), ("red dragon", "2 ogres"),
         ("troll", "manticore"), ("Mira, ghast", "4 goblins"), ("2 stirges", "Mira"), ("basilisk", "4 hobgoblins"))
MIRA = "combatant Mira { class: cleric; level: 5; wisdom: 16; hit points: 20; carries: mace; knows: bless, \"hold person (cleric)\", cure light wounds }\n"
for a, b in MIXES:
    fight = SCENE % (MIRA + PEOPLE, a, b)
    with tempfile.TemporaryDirectory() as folder:
        told = []
        for more in ("", WARNED):
            path = os.path.join(folder, "fight.fray")
            with open(path, "w") as f:
                f.write(fight.replace("brute tactics", "sensible tactics").replace("round 1 { }", "until a is down or b is down") + more)
            told.append(subprocess.run([audit.FRAY, "run", "--seed", "3", path], capture_output=True, text=True))
    lean, whole = told
    check("%s against %s: the same, read lean and whole" % (a, b), lean.returncode in (0, 3) and len(lean.stdout) > 300 and lean.stdout.strip() in whole.stdout and not lean.stderr and set(re.findall("F0[0-9]{3}", whole.stderr)) == {"F0551"} and "warning" in whole.stderr,
          lean.returncode, lean.stderr[-500:], whole.stderr[-500:])

# ---- the prompt and `fray show` read what is named, when it is named ----


def prompt(*lines):
    return subprocess.run([audit.FRAY, "repl", "--seed", "5"], input="\n".join(lines) + "\n", capture_output=True, text=True)


FIGHT = ("use osric", "use shelf", "encounter e {", "side a: 2 ogres", "side b: 3 orcs", "distance: 10 ft", "}", "begin")
done = prompt(*FIGHT, "step 4", "monster big gnoll is gnoll with { hit points: 12 }", "big gnoll joins b", "show world", "step 4", "undo 4", "undo", "redo", "step 4")
check("more is named in mid-fight", done.returncode == 0 and not done.stderr and "big gnoll" in done.stdout, done.stdout[-800:], done.stderr)
plain = prompt(*FIGHT, "step 3", "step 3", "why")
asked = prompt(*FIGHT, "step 3", "show monster ghoul", "show shelf monsters hd 4", "show rules gazes", "step 3", "why")
rest = lambda text: text.split("\n")
check("what is looked at in mid-fight changes nothing of it", asked.returncode == 0 and not asked.stderr and all(line in rest(asked.stdout) for line in rest(plain.stdout)),
      plain.stdout[-600:], asked.stdout[-600:], asked.stderr)
done = prompt(*FIGHT, "fork other", "step 2", "show spell web", "switch main", "step 2", "switch other", "undo 2", "step 1")
check("forks stand after more was read", done.returncode == 0 and not done.stderr, done.stdout[-400:], done.stderr)
done = prompt(*FIGHT, "show monster ghuol", "monster chief is an orck with { hit points: 9 }")
check("the nearest of what is not read is told", done.stderr.count("Did you mean") == 2 and '"ghoul"' in done.stderr and '"orc"' in done.stderr, done.stderr)
done = prompt("use osric", "use shelf", "rule no fright exception to fright { after suffer when spell's frightens { note \"nothing\" } }", "show rules gazes", "show fields combatant")
check("rules that nothing set in motion are there for who names them", done.returncode == 0 and not done.stderr and "meet the gaze" in done.stdout and "gaze peril" in done.stdout, done.stdout[-300:], done.stderr)
done = prompt("use osric", "use shelf", "monster chief is a ghuol with { hit points: 9 }", "show spell bless")
check("a mistake leaves the prompt as it was", "level:" in done.stdout, done.stdout, done.stderr)
for words, said in ((("dragons",), ', and "dragons" is none. There are: '), ((), "one kind at a time. There are: ")):
    done = subprocess.run([audit.FRAY, "show", "shelf", *words], capture_output=True, text=True)
    told = " ".join(re.sub(r" \[F[0-9]{4}\]", "", done.stderr).split())
    check("what of the shelf is shown: F0891, %s" % (words,), done.returncode == 2 and said in told and "monsters" in told.split("There are")[1], done.stderr)
one = subprocess.run([audit.FRAY, "show", "monster", "ghoul"], capture_output=True, text=True)
all_ = subprocess.run([audit.FRAY, "show", "shelf", "monsters"], capture_output=True, text=True)
check("show reads one", one.returncode == 0 and "paralysis: 3d4" in one.stdout and not one.stderr, one.stdout, one.stderr)
check("or all of a kind", all_.returncode == 0 and all_.stdout.count("\n") > 475 and not all_.stderr, all_.stdout.count("\n"), all_.stderr)
print("1..%d" % len(points))
