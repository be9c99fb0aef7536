#!/usr/bin/env python3
"""t_wrong.py - a character that cannot be is refused, with one sentence that says what is wrong."""

import os
import re
import subprocess
import tempfile

import audit

points = []
SCRIPT = """use %s
use shelf
monster dummy { hit points: 5; armour class: 10 }
combatant Ann { %s }
encounter e {
  side a: Ann
  side b: dummy
  distance: 5 ft
  %sround 1 { %s }
}
"""

CASES = (
    ("class: fighter; level: 0", "Ann is a fighter of level 0; that class goes from level 1 to 30."),
    ("class: fighter; level: 99", "Ann is a fighter of level 99; that class goes from level 1 to 30."),
    ("class: druid; level: 15", "Ann is a druid of level 15; that class goes from level 1 to 14."),
    ("class: fighter", "Ann is a fighter without a level: write level: 1."),
    ("class: fighter; level: 2; second class: thief; second level: 31", "Ann is a thief of level 31; that class goes from level 1 to 30."),
    ("class: illusionist; level: 2; carries: long sword", "Ann is an illusionist and may not use long sword."),
    ("class: fighter; level: 1; strength: 2", "Ann's strength is 2; scores go from 3 to 19."),
    ("class: fighter; level: 1; strength: 26", "Ann's strength is 26; scores go from 3 to 19."),
    ("class: fighter; level: 1; dexterity: 2", "Ann's dexterity is 2; scores go from 3 to 19."),
    ("class: fighter; level: 1; constitution: 26", "Ann's constitution is 26; scores go from 3 to 19."),
    ("class: fighter; level: 1; strength: 17; exceptional strength: 50", "Ann's exceptional strength is 50; it must be from 1 to 100, with a strength of 18."),
    ("class: fighter; level: 1; strength: 18; exceptional strength: 101", "Ann's exceptional strength is 101; it must be from 1 to 100, with a strength of 18."),
    ("class: magic-user; level: 1; weapon: long sword", "Ann is a magic-user and may not use long sword."),
    ("class: magic-user; level: 1; carries: long sword", "Ann is a magic-user and may not use long sword."),
    ("class: thief; level: 1; carries: short bow, leather armour", "Ann is a thief and may not use short bow."),
    ("class: cleric; level: 1; weapon: dagger", "Ann is a cleric and may not use dagger."),
    ("class: thief; level: 1; weapon: two-handed sword", "Ann is a thief and may not use two-handed sword."),
    ("class: fighter; level: 1; carries: chain mail, plate mail", "Ann wears chain mail and plate mail: only one armour counts."),
    ("class: fighter; level: 1; carries: shield", "Ann carries shield, which is a spell: put known spells into knows; the shield is called small shield or large shield."),
    ("class: fighter; level: 1; carries: small shield, large shield", "Ann carries small shield and large shield: only one shield counts."),
    ("class: magic-user; level: 1; carries: chain mail", "Ann is a magic-user and may not wear chain mail."),
    ("class: thief; level: 1; carries: small shield", "Ann is a thief and may not wear small shield."),
    ("class: druid; level: 1; carries: large shield", "Ann is a druid and may not wear large shield."),
    ("class: fighter; level: 1; carries: long sword; weapon: long sword; second weapon: long sword", "Ann's second weapon is a long sword; the other hand can only use a dagger or a hand axe."),
)
FINE = (
    "class: druid; level: 1; carries: small wooden shield, leather armour, scimitar",
    "class: thief; level: 1; carries: leather armour, short sword, dagger",
    "class: assassin; level: 1; carries: leather armour, small shield, halberd",
    "class: fighter; level: 1; second class: magic-user; second level: 1; carries: long sword, chain mail",
    "class: normal man; level: 0; carries: club",
    "class: fighter; level: 30; strength: 18; exceptional strength: 100; carries: two-handed sword, plate mail",
    "class: monk; level: 17; carries: quarterstaff",
)
# what is only refused when somebody tries
ACTS = (
    ("class: magic-user; level: 1; hit points: 4; carries: dagger, long sword; weapon: dagger", "Ann attacks dummy with long sword", "not a weapon of the class"),
    ("class: magic-user; level: 1; hit points: 4; knows: great flash", "Ann casts great flash at dummy", "a spell of a level not yet had"),
)


def check(name, good, *told):
    points.append(good)
    print("%sok %d - %s" % ("" if good else "not ", len(points), name))
    for t in [] if good else told:
        print("# " + str(t).replace("\n", "\n# "))


def run(rules, who, act=None, more=""):
    with tempfile.NamedTemporaryFile("w", suffix=".fray", delete=False) as f:
        f.write("spell great flash { level: 3; casting time: 6 seconds }\n" + SCRIPT % (rules, who, more, act or ("Ann passes" if rules == "dew" else "Ann waits")))
    done = subprocess.run([audit.FRAY, "run", "--seed", "1", f.name], capture_output=True, text=True)
    os.unlink(f.name)
    return done.returncode, done.stdout, done.stderr


for rules in ("osric", "lite", "proc", "crucible", "dew"):
    for who, sentence in CASES if rules == "osric" else CASES[::5]:
        code, out, err = run(rules, who)
        said = err.replace("Ann's ", "Ann's ")
        check("%s: %s" % (rules, who), code == 2 and (sentence in said or rules == "dew" and "Ann" in said) and len(re.findall("F0[0-9]{3}", said)) == 1, code, out, err)
    for who in FINE:
        code, out, err = run(rules, who)
        check("%s: %s is fine" % (rules, who), code == 0 and not err, code, out, err)
for who, act, why in ACTS:
    code, out, err = run("osric", who, act)
    check("osric: %s" % act, code == 0 and why in " ".join(out.split()), code, out, err)
# the line that is shown is the script's: the field that is wrong, wherever it was said
PLACES = (
    ("class: fighter; level: 99", "", "level: 99"),
    ("class: magic-user; level: 1; strength: 12; carries: dagger, chain mail", "", "carries: dagger, chain mail"),
    ("class: fighter; level: 1; dexterity: 12", "Ann's dexterity: 2\n  ", "Ann's dexterity: 2"),
    ("class: fighter; level: 2; second class: thief; second level: 31", "", "second level: 31"),
)
for who, more, line in PLACES:
    code, out, err = run("osric", who, more=more)
    shown = [x for x in err.split("\n") if " | " in x]
    marked = shown[0][shown[1].index("^"):shown[1].rindex("^") + 1] if len(shown) == 2 else ""
    check("%s%s: the mistake is shown where it stands" % (who, more.strip()), code == 2 and marked == line and "library/" not in err and "reckon" not in err, marked, err)
code, out, err = run("osric", "class: fighter; level: 3", more="Ann's strength: 30\n  ")
check("what stands in no stat block is looked for in the encounter", "Ann's strength: 30" in err and "library/" not in err, err)
print("1..%d" % len(points))
