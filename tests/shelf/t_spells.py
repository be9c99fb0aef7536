#!/usr/bin/env python3
"""t_spells.py - every spell that does something: its effect, a save made, its end, and what spoils it.

For each row of spells.csv whose stat block has no `says`, a script is written whose expectations are
worked out from the row: dice and how often they fall at level 5, what the save does, how long it lasts,
what the columns `effect_kind` and `effect` tell. A spell that hands its effect to the referee has to name it."""

import math
import os
import re
import subprocess
import tempfile

import audit

LEVEL = 5
points = []
SCENE = """use osric
use shelf
default policy none
combatant Mage { level: 5; hit points: 30; armour class: 10; knows: %(spell)s }
combatant Friend { class: fighter; level: 3; hit points: 10; full hit points: 60; armour class: 8; THAC0: 18; carries: club }
monster foe { hit dice: 3; hit points: 90; armour class: 8; THAC0: 10; person: yes; alignment: CE; carries: club }
"""
ENCOUNTER = """encounter %s {
  side party: Mage, Friend
  side foes: foe
  distance: 5 ft
  dice: party's surprise die 5, foes' surprise die 6
%s}
"""
CLUB = "club"
FRIENDLY = ("buff", "heal")
# ailments as the shelf words them, by what the table says
AILMENTS = {"sleep": ("asleep",), "hold": ("held", "paralysed", "stuck", "spellbound", "away"), "charm": ("charmed",)}


def check(name, good, *told):
    points.append(good)
    print("%sok %d - %s" % ("" if good else "not ", len(points), name))
    for t in [] if good else told:
        print("# " + str(t).replace("\n", "\n# "))


def quoted(name):
    return name if re.match(r"^[A-Za-z][A-Za-z' -]*$", name) else '"%s"' % name


def figure(formula):
    return math.floor(eval(formula, {"floor": math.floor, "level": LEVEL}))


def lasts(text):
    """(rounds at level 5, dice or None); None where the table gives no number."""
    if text in ("", "0", "special", "permanent"):
        return None
    dice = re.search(r"(?<![*\d])(\d+d\d+)(?!\*)", text)
    rest = re.sub(r"\+?\d+d\d+(\*\d+)?\+?", "", text).strip("+") or "0"
    return math.floor(eval(rest, {"level": LEVEL})), dice.group(1) if dice else None


def harm(row):
    """(dice of one roll, how often, what is added) of a damaging or healing row."""
    dice, times = row["dice"], row["dice_times"] or "1"
    plus = 0
    if dice.isdigit():
        return None, 1, int(dice) * figure(times)
    m = re.fullmatch(r"(\d+d\d+(?:\+\d+)?)\+level", dice)
    if m:
        dice, plus = m.group(1), LEVEL
    if dice == "level":
        return None, 1, LEVEL * figure(times)
    return dice, figure(times), plus


def least_plus(dice):
    """The lowest total of a formula."""
    count, _, bonus = re.fullmatch(r"(\d+)d(\d+)(?:\+(\d+))?", dice).groups()
    return int(count) + int(bonus or 0)


def far(row):
    """How far it reaches at level 5, in feet; None where the table gives no number."""
    if not re.fullmatch(r"[\d+*level(),min]+", row["range_ft"]) or row["range_ft"] == "0":
        return None
    return math.floor(eval(row["range_ft"], {"level": LEVEL, "min": min}))


class Case:
    """One spell on somebody: dice that fall when it takes effect, and what is so afterwards."""

    def __init__(self, spell, on, dice, expects, later=None, before=()):
        self.spell, self.on, self.dice, self.expects, self.later, self.before = spell, on, dice, expects, later or {}, before
        self.cast = False
        self.foe = None

    def script(self, title):
        body = "  round 1 {\n"
        if self.cast:
            body += "    dice: party's initiative 1, foes' initiative 1\n"
        if self.dice:
            body += "    dice: %s\n" % ", ".join(self.dice)
        if self.cast:
            body += "    Mage casts %s at %s\n    Friend waits; foes wait\n" % (quoted(self.spell), self.on)
        else:
            body += "".join("    %s\n" % b for b in self.before)
            body += "    referee: effect (Mage, %s, those (one in combatants where one is %s))\n    party wait; %s\n" % (quoted(self.spell), self.on, self.foe or "foes wait")
        body += "".join("    expect %s\n" % e for e in self.expects) + "  }\n"
        for number, lines in sorted(self.later.items()):
            body += "  round %d {\n    party wait; foes wait\n%s  }\n" % (number, "".join("    %s\n" % x for x in lines))
        return ENCOUNTER % (title, body)


SHELTERS = {"fire shield": "fire", "resist fire": "fire", "resist cold": "cold", "protection from fire": "fire", "protection from lightning": "electricity"}
# what ails somebody before the spell, and what is so when it has worked
CURED = {
    "remove fear": ("set Friend's ailment = afraid", "Friend is able"), "neutralise poison": ("set Friend's ailment = poisoned", "Friend is able"),
    "cure blindness": ("set Friend's sight lost = -4", "to-hit (Friend, foe, club) = 0"),
}


def until(spell, on, dice, during, after, length, fell, condition=False):
    """Played to its end: so in its last round, and not so in the next. The referee's hand comes before its round begins, so that round counts
    already; but a condition counts from the round in which it begins. None when the table gives no number of rounds."""
    if not length or not after:
        return None
    last = max(length[0] + (fell or 0), 1) - (0 if condition else 1)
    if last < 1:
        return None
    return Case(spell, on, dice, during, {last: ["expect " + e for e in during], last + 1: ["expect " + e for e in after]})


def for_good(spell, on, dice, during, before=()):
    """What the table calls permanent, or what is done at once, is so as long as anybody looks."""
    return Case(spell, on, dice, during, {2: ["expect " + e for e in during], 30: ["expect " + e for e in during]}, before=before)


def at_once(case):
    """The harm is done when it is done: nothing more comes of it."""
    return Case(case.spell, case.on, case.dice, case.expects, {number: ["expect " + e for e in case.expects] for number in (2, 3, 12)}, before=case.before)


def striking(spell, rounds):
    """A weapon of force strikes when it is made and in each round after; a roll of 1 misses, one of 20 hits for the least. Made by the
    referee's hand before a round begins, it strikes twice in that one."""
    first = Case(spell, "foe", ["foe's force roll 20 then 1", "foe's force 2"], ["foe's hit points = 88"])
    missed = Case(spell, "foe", ["foe's force roll 1 then 1"], ["foe's hit points = 90"])
    later = {number: ["dice: foe's force roll 20, foe's force 2"] for number in range(2, rounds)}
    for number in (rounds, rounds + 2):
        later[number] = ["expect foe's hit points = %d and foe's strike rounds = 0" % (90 - 2 * rounds)]
    return first, missed, Case(spell, "foe", ["foe's force roll 20 then 20", "foe's force 2 then 2"], ["foe's hit points = 86"], later)


def refuge(spell, length):
    """Who attacks saves, or turns away."""
    def attacked(will, points):
        case = Case(spell, "Friend", ["foe's will %d" % will] + (["foe's attack roll 20", "foe's damage 2"] if points < 10 else []), ["Friend's hit points = %d" % points])
        case.foe = "foe attacks Friend"
        return case
    return attacked(1, 10), attacked(20, 8), until(spell, "Friend", [], ["Friend is sacrosanct"], ["Friend is not sacrosanct"], length, 0, True)


def stinging(spell, sting, length):
    """Every round it stings, and when it is over no more: a foe that lasts."""
    rounds = length[0]
    return Case(spell, "foe", [], ["foe's torment rounds = %d" % (rounds - 1)],
                {rounds: ["expect foe's torment rounds = 0 and foe's hit points = %d" % (9000 - sting * rounds)], rounds + 1: ["expect foe's hit points = %d" % (9000 - sting * rounds)]},
                before=["set foe's hit points = 9000"])


def numbers(row):
    """What `effect` tells of to-hit, damage and the like, as conditions; and the field whose rounds run out."""
    text, kind, name = row["effect"], row["effect_kind"], row["name"]
    on = "Friend" if kind in FRIENDLY else "foe"
    if name == "improved invisibility":
        return on, ["to-hit (foe, Friend, club) = -4"], ["to-hit (foe, Friend, club) = 0"], "hidden rounds"
    other = "foe" if on == "Friend" else "Friend"
    if name in ("prayer", "chant", "bless"):
        return on, ["to-hit (Friend, foe, club) = 1"], ["to-hit (Friend, foe, club) = 0"], "aim by spell rounds"
    if name == "curse":
        return on, ["to-hit (foe, Friend, club) = -1"], ["to-hit (foe, Friend, club) = 0"], "aim by spell rounds"
    if "evil_to_hit -2" in text:
        return on, ["to-hit (foe, Friend, club) = -2"], ["to-hit (foe, Friend, club) = 0"], "evil kept off rounds"
    if name != "blur" and re.search(r"attackers -4|^invisible", text):
        return on, ["to-hit (foe, Friend, club) = -4"], ["to-hit (foe, Friend, club) = 0"], "hidden rounds"
    if name == "blur":
        return on, ["to-hit (foe, Friend, club) = -2"], ["to-hit (foe, Friend, club) = 0"], "hidden rounds"
    if "attackers to_hit +2" in text:
        return on, ["to-hit (Friend, foe, club) = 2"], ["to-hit (Friend, foe, club) = 0"], "shown up rounds"
    if kind != "heal" and "blind" in text or name in ("blindness", "cause blindness"):
        return on, ["to-hit (%s, %s, club) = -4" % (on, other)], ["to-hit (%s, %s, club) = 0" % (on, other)], "sight lost rounds"
    if name == "shield":
        return on, ["Friend's armour class = 4"], ["Friend's armour class = 8"], "spell armour rounds"
    if name == "barkskin":
        return on, ["Friend's armour class = 7"], ["Friend's armour class = 8"], "spell armour rounds"
    if name == "haste":
        return on, ["Friend's hasted"], ["not Friend's hasted"], "speed by spell rounds"
    if name == "slow":
        return on, ["foe's speed by spell = -1"], ["foe's speed by spell = 0"], "speed by spell rounds"
    if name in ("darkness, 15-ft radius", "darkness", "continual darkness"):
        return "foe", ["to-hit (foe, Friend, club) = -4"], ["to-hit (foe, Friend, club) = 0"], "sight lost rounds"
    if name == "ray of enfeeblement":
        return "foe", ["damage done (foe, Friend, club) = -2"], ["damage done (foe, Friend, club) = 0"], "force by spell rounds"
    if name == "strength":
        return on, ["damage done (Friend, foe, club) = 1 and to-hit (Friend, foe, club) = 1"], ["damage done (Friend, foe, club) = 0"], "force by spell rounds"
    if name == "flame arrow":
        return on, ["damage done (Friend, foe, club) = 1"], ["damage done (Friend, foe, club) = 0"], "force by spell rounds"
    if name == "protection from normal missiles":
        return on, ["Friend is missile proof"], ["Friend is not missile proof"], "rounds of missile proof"
    if name == "enchanted weapon":
        return on, ["Friend's magic in hand = 1"], ["Friend's magic in hand = 0"], "magic in hand rounds"
    if name == "minor globe of invulnerability":
        return on, ["Friend's warded level = 3 and Friend's warded rounds > 0"], ["Friend's warded rounds = 0"], "warded rounds"
    if name == "sanctuary":
        return on, ["Friend is sacrosanct"], ["Friend is not sacrosanct"], "sanctuary rounds"
    if name == "bestow curse":
        return "foe", ["to-hit (foe, Friend, club) = -4"], ["to-hit (foe, Friend, club) = 0"], None
    for word, element in SHELTERS.items():
        if name == word:
            better = {"fire shield": 2, "resist fire": 3, "resist cold": 3}.get(name, 4)
            return on, ["Friend's shelter = \"%s\" and Friend's luck by spell = %d" % (element, better)], ["Friend's shelter is none"], "shelter rounds"
    if name == "silence, 15-ft radius":
        return on, ["foe is silenced"], ["foe is not silenced"], "rounds of silenced"
    return None


def cases(row, spell, block):
    """(failed, saved, ending) for a row; None where there is nothing to compare."""
    name, kind = row["name"], row["effect_kind"]
    saves = block.get("peril") is not None
    fail, made = (["foe's spell save 1"], ["foe's spell save 20"]) if saves else ([], [])
    length = lasts(row["duration_rounds"])
    if "strikes" in block:
        return striking(spell, length[0])
    if name == "sanctuary":
        return refuge(spell, length)
    if kind == "damage" and "harm" in block:
        dice, times, plus = harm(row)
        total, fell = plus, []
        if dice:
            face = least_plus(dice) + 1
            total += face * times
            fell = ["foe's harm " + " then ".join([str(face)] * times)]
        half = 90 - total // 2 if row["save"] == "half" else 90
        whole = Case(spell, "foe", fail + fell, ["foe's hit points = %d" % (90 - total)])
        return (whole, Case(spell, "foe", made + (fell if row["save"] == "half" else []), ["foe's hit points = %d" % half]) if saves else None, at_once(whole))
    if kind == "damage" and "slays" in block:
        return Case(spell, "foe", fail, ["foe is dead"]), Case(spell, "foe", made, ["foe is not dead"]), for_good(spell, "foe", fail, ["foe is dead"])
    if kind == "damage" and "torments" in block:
        sting = int(row["dice"])
        return (Case(spell, "foe", [], ["foe's torment rounds > 0 or foe's hit points = %d" % (90 - sting)],
                     {2: ["expect foe's hit points <= %d" % (90 - sting)]}), None, stinging(spell, sting, length))
    if kind == "heal" and "mends" in block:
        face = least_plus(row["dice"])
        whole = Case(spell, "Friend", ["Friend's healing %d" % face], ["Friend's hit points = %d" % (10 + face)])
        return whole, None, at_once(whole)
    if "brings" in block and "brings sight" not in block:
        brings = block["brings"]
        if kind in AILMENTS and brings not in AILMENTS[kind]:
            return None
        more = ["foe's sleepers 3"] if name == "sleep" else []
        told = lasts("1d4+1" if name == "stinking cloud" else row["duration_rounds"])  # the cloud's own rounds are another matter
        dice = []
        if "lasts dice" in block:
            dice = ["foe's duration %d" % least_plus(block["lasts dice"])]
        expects = ["foe is not able and foe's ailment = \"%s\"" % brings]
        if name == "sleep":
            more = ["Mage's sleepers 3"]
        fell = least_plus(told[1]) if told and told[1] else 0
        if told is None and "lasts dice" in block:
            told, fell = (0, block["lasts dice"]), least_plus(block["lasts dice"])
        ending = until(spell, "foe", fail + more + dice, expects, ["foe is able"], told, fell)
        if ending is None and told is None:
            ending = for_good(spell, "foe", fail + more + dice, expects)
        if told and not told[1] and told[0] <= 1:
            # it is over with the round it is cast in
            short = Case(spell, "foe", fail + more + dice, expects, {2: ["expect foe is able"]})
            short.cast = True
            return short, Case(spell, "foe", made, ["foe is able"]) if saves else None, None
        if told and not told[1] and "lasts dice" not in block:
            # rounds are counted down from the second on, or from the first
            expects = expects + ["foe's ailment rounds in %d..%d" % (max(told[0] - 1, 0), told[0])]
        return Case(spell, "foe", fail + more + dice, expects), Case(spell, "foe", made, ["foe is able"]) if saves else None, ending
    if "frightens" in block:
        return Case(spell, "foe", fail, ["foe is fled"]), Case(spell, "foe", made, ["foe is not fled"]) if saves else None, for_good(spell, "foe", fail, ["foe is fled"])
    found = numbers(row)
    if found:
        on, during, after, rounds = found
        dice = fail if on == "foe" else []
        more = ["%s's duration %d" % (on, least_plus(block["lasts dice"]))] if "lasts dice" in block else []
        if not length and "lasts dice" in block:
            length = (0, block["lasts dice"])
        last = until(spell, on, dice + more, list(during), after, length, least_plus(length[1]) if length and length[1] else 0,
                     bool(rounds) and rounds.startswith("rounds of "))
        if not length or length == (0, None):
            last = for_good(spell, on, dice + more, list(during))
        if length and not length[1] and length[0] <= 1 and rounds:
            short = Case(spell, on, dice + more, during, {2: ["expect " + e for e in after]})
            short.cast = True
            return short, Case(spell, on, made, after) if saves and on == "foe" else None, None
        if length and not length[1] and rounds:
            during = during + ["%s's %s in %d..%d" % (on, rounds, max(length[0] - 1, 0), length[0])]
        return Case(spell, on, dice + more, during), Case(spell, on, made, after) if saves and on == "foe" else None, last
    if "images" in block:
        images = re.search(r"\d+d\d+(?:\+\d+)?", row["effect"]).group()
        dice, during = ["Friend's images %d" % least_plus(images)], ["Friend's mirror images = %d" % least_plus(images), "Friend's mirror rounds > 0"]
        return Case(spell, "Friend", dice, during[:1]), None, until(spell, "Friend", dice, during, ["Friend's mirror rounds = 0"], length, 0)
    if "dispels" in block:
        before = ["set foe's ailment = held", "set foe's aim by spell = 2"]
        gone = ["foe is able", "to-hit (foe, Friend, club) = 0"]
        return (Case(spell, "foe", ["foe's dispelling 50"], gone, before=before),
                Case(spell, "foe", ["foe's dispelling 51"], ["foe is not able", "to-hit (foe, Friend, club) = 2"], before=before), for_good(spell, "foe", ["foe's dispelling 50"], gone, before))
    if name in CURED:
        ail, well = CURED[name]
        return Case(spell, "Friend", [], [well], before=[ail]), None, for_good(spell, "Friend", [], [well], [ail])
    return None


def spoiled(spell):
    body = "  round 1 {\n    dice: party's initiative 1, foes' initiative 1, foe's attack roll 20, foe's damage 2\n"
    body += "    Mage casts %s\n    foe attacks Mage\n    Friend waits\n    expect Mage does not complete %s\n  }\n" % (quoted(spell), quoted(spell))
    return ENCOUNTER % ("spoiled", body)


def play(spells, text):
    with tempfile.NamedTemporaryFile("w", suffix=".fray", delete=False) as f:
        f.write(SCENE % {"spell": spells} + text)
    done = subprocess.run([audit.FRAY, "test", f.name], capture_output=True, text=True)
    os.unlink(f.name)
    return done


BATCH = 16  # spells in one script: reading the shelf takes longer than playing
blocks = audit.show("spells", "osric")
acting, batch = 0, []


def play_batch():
    """Every encounter of a batch has a number for a name; what it was about is told."""
    text, about = "", {}
    for spell, parts in batch:
        for what, part in parts:
            number = len(about) + 1
            about[number] = "%s %s" % (spell, what)
            text += part.replace("encounter %s {" % what.replace(" ", "_"), "encounter n%d {" % number, 1)
    done = play(", ".join(quoted(spell) for spell, _ in batch), text)
    said = dict((int(n), ok) for ok, n in re.findall(r"(?m)^(not ok|ok) \d+ - .*: n(\d+)$", done.stdout))
    for number, what in about.items():
        told = re.search(r"(?ms)^not ok \d+ - [^\n]*: n%d$(.*?)(?=^(?:not )?ok|^1\.\.)" % number, done.stdout)
        check(what, said.get(number) == "ok", told.group(1) if told else done.stdout[:800] + done.stderr[:800])


for row in audit.rows("spells.csv"):
    spell = audit.spell_name(row, blocks)
    block = blocks[spell]["fields"] if spell else {}
    if not spell or "says" in block:
        continue
    acting += 1
    found = cases(row, spell, block)
    if not found:
        check("%s: what the table calls it" % spell, False, row["effect_kind"], block)
        continue
    ends = found[2] or (found[0].cast and found[0].later)
    check("%s: it is known what its end is, and what a save does" % spell, ends and (found[1] or not block.get("peril")), row["duration_rounds"], block)
    reach = far(row)
    if reach:
        found[0].expects = found[0].expects + ["farthest (Mage, %s) = %d ft" % (quoted(spell), reach)]
    parts = [(what, case.script(what.replace(" ", "_"))) for what, case in zip(("takes effect", "is saved against", "runs out"), found) if case]
    batch.append((spell, parts + [("spoiled", spoiled(spell))]))
    if len(batch) == BATCH:
        play_batch()
        batch = []
play_batch()
check("%d spells do something" % acting, acting >= 100)
print("1..%d" % len(points))
