#!/usr/bin/env python3
"""Names that are words elsewhere, under every system with the shelf: encounters, combatants, weapons and monsters may be
called like a word of the language or of the library. The library reads the same, and the fight is the same."""
import os
import re
import subprocess
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SYSTEMS = ("osric", "lite", "proc", "crucible", "dew")
FRAY = os.environ.get("FRAY", "fray")
# what the library names, asks for or writes into its tables; then what looks like something else
LIBRARY = """half self caster target hits damage die level strength force load doors surprise fighter missiles death wands breath round
segment attack cast melee foe distance morale initiative armour weapon spell monster side combatant encounter actor victim who""".split()
LIBRARY += ["hit points", "long sword", "full hit points", "attack roll", "1", "1d6", "orc #2", "-", "'", "x", "3 ft", "the", "none"]
with open(os.path.join(TOP, "lang", "front", "words.def"), encoding="utf-8") as f:
    LANGUAGE = re.findall(r'^WORD\("([^"]+)"', f.read(), re.M)
KINDS = ("weapon", "spell", "armour", "monster", "combatant", "encounter", "class", "act", "item", "race", "side", "round")

PEOPLE = """use %s
use shelf
combatant Hal { class: magic-user; level: 3; hit points: 16; armour class: 8; knows: sleep; carries: dagger }
combatant Bruna { class: fighter; level: 4; hit points: 40; armour class: 3; carries: long sword, "%s" }
"""
FIGHT = """encounter "%s" {
  side party: Bruna, Hal
  side foes: 3 orcs
  distance: 5 ft
  round 1 { Bruna attacks orc #1 with %s; Hal casts sleep at foes }
  until foes are down or round > 3
}
"""
WEAPON = "weapon %s { damage: 1d8; speed factor: 5; length: 3.5 ft }\n"


def fray(script, *args):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "titles.fray"), "w", encoding="utf-8") as f:
            f.write(script)
        p = subprocess.run([FRAY, args[0], "titles.fray", *args[1:]], capture_output=True, text=True, cwd=folder)
    return p.returncode, p.stdout + (p.stderr if p.returncode else "")   # warnings quote the script


def story(text, name):
    """What is told, wherever its lines are broken."""
    for before in ("with ", "Bruna's "):
        text = text.replace(before + name, before + "NAME")
    return " ".join(text.split())


def wrong(system):
    words = sorted(set(LIBRARY + LANGUAGE))
    people = PEOPLE % (system, "plain")
    plain = WEAPON % "plain" + people
    # all titles at once
    status, out = fray(plain + "".join('encounter "%s" { side party: Hal; side foes: orc }\n' % w for w in words), "check")
    if status:
        return "titles: " + out
    # the same fight under another title
    status, usual = fray(plain + FIGHT % ("the ford", "plain"), "run")
    for word in ("self", "half", "caster", "hit points"):
        status, out = fray(plain + FIGHT % (word, "plain"), "run", word)
        if status or out != usual:
            return 'the fight "%s": %s' % (word, out)
    # all weapons and monsters at once
    quoted = [w for w in words if w not in KINDS and w != "orc #2"]
    for sort, block in (("weapon", "{ damage: 1d8 }"), ("spell", "{ level: 1; casting time: 6 seconds }")):
        status, out = fray(plain + "".join('%s "%s" %s\n' % (sort, w, block) for w in quoted), "check")
        if status:
            return "%ss: %s" % (sort, out)
    for sort in ("combatant", "monster"):
        others = [w for w in quoted if w not in ("long sword", "fighter", "none")]
        status, out = fray(plain + "".join('%s "%s" { hit points: 4 }\n' % (sort, w) for w in others), "check")
        if status:
            return "%ss: %s" % (sort, out)
    # the same fight with another weapon
    for word in ("hits", "damage", "half", "1", "force", "load"):
        status, out = fray(WEAPON % ('"%s"' % word) + PEOPLE % (system, word) + FIGHT % ("the ford", '"%s"' % word), "run")
        if status or story(out, word) != story(usual, "plain"):
            return 'the weapon "%s": %s' % (word, out)
    return None


print("1..%d" % len(SYSTEMS))
for number, system in enumerate(SYSTEMS, 1):
    why = wrong(system)
    print("%s %d - %s" % ("not ok" if why else "ok", number, system))
    if why:
        print("\n".join("# " + line for line in why.splitlines()[:20]))
