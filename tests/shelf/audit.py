#!/usr/bin/env python3
"""audit.py - the tables of stdlib/shelf/data against the shelf: nothing lost without a reason.

usage: python3 tests/shelf/audit.py          (FRAY names the command; `make shelf-audit` calls it)

Prints for each CSV file how many rows it has, how many of them are on the shelf with every figure
equal, how many are on the list of reasons, and how many are neither. What the shelf holds is asked of
fray itself (`fray show KIND --json`). Exit status 1: a figure differs, or a reason names no row.
"""

import csv
import json
import os
import re
import subprocess
import sys

import creatures
import tables

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(TOP, "stdlib", "shelf", "data")
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build", "debug", "fray")))


def rows(name):
    with open(os.path.join(DATA, name), newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def show(kind, rules):
    """Every stat block of a kind under some rules: name -> fields as they are written."""
    out = subprocess.run([FRAY, "show", kind, "--json", "--rules", rules], capture_output=True, text=True, check=True)
    blocks = [json.loads(line) for line in out.stdout.splitlines()]
    return {b["name"]: b for b in blocks}


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../stdlib/core/core.fray"), encoding="utf-8") as core:
    SPELLED = dict(re.findall(r"\bspelling (\w+) = (\w+)", core.read()))  # a name is shown as core spells it


class Shelf:
    """The stat blocks, as they are under OSRIC and under the other systems."""

    def __init__(self):
        self.seen = {}

    def of(self, kind, rules):
        if (kind, rules) not in self.seen:
            self.seen[kind, rules] = show(kind, rules)
        return self.seen[kind, rules]

    def find(self, kind, rules, names):
        blocks = self.of(kind, rules)
        for name in names + [re.sub(r"[a-z]+", lambda m: SPELLED.get(m[0], m[0]), n) for n in names]:
            if name in blocks:
                return blocks[name]["fields"]
        return None


def names_of(row):
    """What a row may be called on the shelf: its name, "sword, long" the other way round, its other names."""
    return [row["name"]] + [n.strip() for n in row["aliases"].split(";") if n.strip()]


def plain(number):
    return "%g" % float(number)


def dice(small, large):
    return small if not large or small == large else "%s, %s vs large" % (small, large)


def compare(found, told, what):
    """What differs, as sentences."""
    wrong = []
    for field, value in what.items():
        has = found.get(field)
        if has is not None and re.fullmatch(r"-?[\d.]+( \w+)?", has) and value is not None:
            number, _, unit = has.partition(" ")
            has = (plain(number) + " " + unit).strip()
        if has != value:
            wrong.append("%s: %s is %r on the shelf and %r in the table" % (told, field, has, value))
    return wrong


def feet(tens):
    return plain(float(tens) * 10) + " ft"


WOUNDS = {"B": "blunt", "P": "piercing", "S": "slashing"}
HURLED = {"axe, hand (hurled)": "hand axe", "club (hurled)": "club", "dagger (hurled)": "dagger", "hammer (hurled)": "hammer", "spear (hurled)": "spear"}


def melee(row, shelf):
    adnd, osric = (shelf.find("weapon", rules, names_of(row)) for rules in ("lite", "osric"))
    if adnd is None:
        return None
    want = {"damage": dice(row["damage_sm"], row["damage_large"]), "speed factor": plain(row["speed_factor"]), "length": plain(row["length_ft"]) + " ft",
            "space": plain(row["space_ft"].split("-")[0]) + " ft", "weight": plain(row["weight_lb"]) + " lb", "hands": row["hands"].split(" ")[0],
            "most hands": "2" if " or " in row["hands"] else None, "one hand from strength": row["one_hand_strength"] or None,
            "damage type": ", ".join(WOUNDS[x] for x in row["damage_type"].split("/")) if row["damage_type"] else None, "category": row["category"],
            "set multiplier": "2" if "set_charge_x2" in row["flags"].replace("set_charge_x2(osric)", "") else None,
            "mounted multiplier": "2" if "mounted_charge_x2" in row["flags"] else None,
            "for riders": "yes" if "mounted" in row["flags"].split(";") else None, "dismounts": "yes" if "dismount?" in row["flags"] else None,
            "thrown": "yes" if "throwable" in row["flags"] else None}
    if row["name"] == "javelin":  # the missile table has the rest
        want.pop("set multiplier")
    wrong = compare(adnd, row["name"], want)
    if osric and row["osric_damage_sm"]:
        want = {"damage": dice(row["osric_damage_sm"], row["osric_damage_large"]), "weight": plain(row["osric_weight_lb"] or row["weight_lb"]) + " lb"}
        wrong += compare(osric, row["name"] + " (osric)", want)
    return wrong


def missile(row, shelf):
    names = [HURLED[row["name"]]] if row["name"] in HURLED else names_of(row)
    adnd, osric = (shelf.find("weapon", rules, names) for rules in ("lite", "osric"))
    if adnd is None:
        return None
    want = {}
    if row["damage_sm"]:
        want["damage"] = dice(row["damage_sm"], row["damage_large"])
    want["rate of fire"] = "1" if row["rate_of_fire"] == "1/2" or not row["damage_sm"] else row["rate_of_fire"]
    if not row["damage_sm"]:
        want.pop("rate of fire")
    want["rounds a shot"] = "2" if row["rate_of_fire"] == "1/2" else None
    if row["range_short"]:
        want["range"] = ", ".join(feet(row["range_" + k]) for k in ("short", "medium", "long"))
    if "strength_damage" in row["flags"]:
        want["strength adds"] = "yes"
    if row["weight_lb"] and row["name"] not in HURLED:
        want["weight"] = plain(row["weight_lb"]) + " lb"
    wrong = compare(adnd, row["name"], want)
    want = {}
    if row["osric_damage_sm"]:
        want["damage"] = dice(row["osric_damage_sm"], row["osric_damage_large"])
    if row["osric_increment_ft"]:
        want["range increment"] = plain(row["osric_increment_ft"]) + " ft"
    return wrong + compare(osric, row["name"] + " (osric)", want)


BULK = {"non": '"not bulky"', "fairly": '"fairly bulky"', "bulky": "bulky"}


def armour(row, shelf):
    adnd, osric = (shelf.find("armour", rules, names_of(row)) for rules in ("lite", "osric"))
    if adnd is None:
        return None
    want = {"bulk": BULK[row["bulk"]], "weight": plain(row["weight_lb"]) + " lb"}
    of_osric = {"weight": plain(row["osric_weight_lb"] or row["weight_lb"]) + " lb"}
    if row["kind"] == "armour":
        want.update({"armour class": row["ac"], "most move": row["adnd_base_move_in"] + '"'})
        of_osric["most feet"] = row["osric_max_move_ft"] + " ft"
    else:
        want.update({"armour class bonus": row["ac_bonus"], "guards": row["shield_attacks_per_round"]})
    return compare(adnd, row["name"], want) + compare(osric, row["name"] + " (osric)", of_osric)


def fray(*path):
    return os.path.join(TOP, "stdlib", "shelf", *path)


class Tables:
    """The tables of classes and abilities as the files have them; osric's own before the others."""

    def __init__(self):
        self.adnd = {**tables.read(fray("classes.fray"), "class"), **tables.read(fray("classes-more.fray"), "class")}
        self.osric = {**self.adnd, **tables.read(fray("osric", "classes.fray"), "class")}
        self.scores = tables.read(fray("abilities.fray"), "class")
        self.rates = tables.read(fray("rates.fray"), "class")
        self.contact = tables.read(fray("contact.fray"), "class")
        self.osric_contact = tables.read(fray("osric", "contact.fray"), "class")
        self.weapons = {}
        for name in ("melee.fray", "polearms.fray", "missiles.fray"):
            self.weapons.update(tables.read(fray(name), "weapon"))
        with open(fray("classes-more.fray"), encoding="utf-8") as f:
            self.parents = dict(re.findall(r"(?m)^class ([\w -]+?) is ([\w -]+?) with", f.read()))

    def of(self, system, name, table):
        found = self.osric if system == "osric" else self.adnd
        while name:
            if (name, table) in found:
                return found[name, table]
            name = self.parents.get(name)
        return [], {}


TABLES = Tables()
CRUCIBLE = tables.read(os.path.join(TOP, "stdlib", "crucible", "melee.fray"), "class")


def band(row):
    return sorted({int(row["from"]), int(row["to"]) if row["to"] != "99" else int(row["from"]) + 5})


def by_level(row, name, table, want, told):
    columns, rows = TABLES.of(row["system"], name, table)
    wrong = []
    for level in band(row):
        has = tables.look_up(rows, level)
        if has != want:
            wrong.append("%s at level %d is %s on the shelf and %s in the table" % (told, level, has, want))
    return wrong


def to_hit(row, shelf):
    if row["group"] == "monster":
        return monster_to_hit(row)
    name = {"magic-user": "magic-user"}.get(row["group"], row["group"])
    return by_level(row, name, "attack number", [row["ac0_base"]], "to hit, %s" % row["group"])


def monster_to_hit(row):
    """1-1 and 1+1 are rules, which t_classes.py tries."""
    rows = TABLES.rates["", "monster attack number"][1]
    first = {"<1-1": 0, "1": 1}.get(row["from"], int(row["from"]) if row["from"].isdigit() else None)
    if first is None:
        return []
    has = tables.look_up(rows, first)
    return [] if has == [row["ac0_base"]] else ["monsters of %s dice: %s on the shelf, %s in the table" % (row["from"], has, row["ac0_base"])]


def saves(row, shelf):
    want = [row[k] for k in ("death_paralysis_poison", "rod_staff_wand", "petrification_polymorph", "breath", "spell")]
    return by_level(row, row["group"], "saves", want, "saves, %s" % row["group"])


def routines(row, shelf):
    if row["system"] == "crucible":  # printed by that document, and in its own rules
        rows = CRUCIBLE["", "attacks in two rounds of %ss" % row["class"]][1]
        want = {"1": "2", "3/2": "3", "2": "4"}[row["routines_per_round"]]
        has = tables.look_up(rows, int(row["from"]))
        return [] if has == [want] else ["crucible %s from %s: %s in its rules" % (row["class"], row["from"], has)]
    if row["class"].startswith("monk"):
        return by_level(dict(row, system="adnd"), "monk", "open hand attacks", [row["routines_per_round"]], "open hands") if "adnd" in row["system"] else None
    if "(" in row["class"] or " vs " in row["class"]:
        return []  # rules: t_classes.py and classes.fray try them
    name = "thief" if row["class"] == "all other classes" else row["class"]
    if not TABLES.of(row["system"], name, "routines")[1]:
        return None
    return by_level(row, name, "routines", [row["routines_per_round"]], "routines, %s" % row["class"])


def group(row, shelf):
    name = row["class"]
    if name == "monster":
        return []  # hit dice: t_classes.py
    return [] if TABLES.of(row["system"], name, "attack number")[1] and TABLES.of(row["system"], name, "saves")[1] else None


def slots(row, shelf):
    columns, rows = TABLES.of("adnd", row["class"], "slots")
    want = [row["s%s" % c] or "0" for c in columns]
    has = tables.look_up(rows, int(row["level"]))
    return [] if has == want else ["slots, %s %s: %s on the shelf, %s in the table" % (row["class"], row["level"], has, want)]


def worth(row, shelf):
    """A rule, not a table: t_classes.py compares what comes of it with these rows."""
    return []


# Rules as well; t_classes.py tries the first against every cell of to_hit.csv.
RULES = {"repeated_20s": "six twenties", "default_reading": "attack roll", "saving_throw_1": "saving throws"}


def hitting(row, shelf):
    return [] if row["rule"] in RULES else None


WEIGHTS = {
    "25% of party eliminated or slain": "by 5 when quarter lost", "50% or more eliminated or slain": "by 15 when half lost", "each enemy deserting": "by -5 * count",
    "each enemy slain": "by -10 * count", "inflicting casualties without receiving any": "by -20 when any", "each friend killed": "by 10 * count",
    "taking casualties without inflicting any": "by 10 when no", "each friend deserting": "by 15 * count", "outnumbered and outclassed by 3 or more to 1": "by 20 when count",
    "leader unconscious": "by 10 when any", "leader slain or deserts": "by 30 when any",
}
# the same in osric/contact.fray
OSRIC_WEIGHTS = {
    "per friend killed, surrendered or fled": "by 5 * own lost", "own side 25% casualties": "by 5 when 4 * own lost", "own side 50% casualties": "by 15 when 2 * own lost",
    "numerical inferiority": "by 10 when foes left", "own side outnumbered 2 to 1 or more": "by 20 when foes left", "own leader out of action": "by 25 when any",
    "per foe killed, surrendered or fled": "by -5 * foes lost", "own side inflicted 25% casualties": "by -5 when 4 * foes lost",
    "own side inflicted 50% casualties": "by -15 when 2 * foes lost", "numerical superiority": "by -10 when foes left",
}
# the number without dice, and what each die of the creature adds
COURAGE = {
    ("adnd", "base"): "courage = 50 + ", ("adnd", "per_hd_above_1"): " + 5 * highest (0, combatant's hit dice - 1)", ("adnd", "per_hp_pip"): " + highest (0, combatant's hit points over)",
    ("osric", "base"): "courage = 50 + ", ("osric", "per_hd"): " + 5 * combatant's hit dice when",
    ("osric", "max_checks"): "heart tried < 2", ("osric", "never_checks"): "and combatant is not fearless",
}


def courage(row, shelf):
    """The adjustments of the rule, as it is written; the way to break, from its table."""
    adnd = row["system"] == "adnd"
    with open(fray("contact.fray") if adnd else fray("osric", "contact.fray"), encoding="utf-8") as f:
        text = f.read()
    if row["situation"] == "faced by obviously superior force":
        return []  # it adds nothing
    if (row["system"], row["kind"]) in COURAGE:
        says = COURAGE[row["system"], row["kind"]]
        return [] if says in text and (not row["value"].isdigit() or row["value"] in says or row["value"] == "1") else ["morale, %s: the rule does not say %s" % (row["kind"], row["value"])]
    if row["kind"] == "failure_margin" and not adnd:
        rows = TABLES.osric_contact["", "way to break under OSRIC"][1]
        has = tables.look_up({k.replace("up to ", "0.."): v for k, v in rows.items()}, int(re.match(r"\d+", row["situation"]).group()))
        want = {"fighting withdrawal": "falling back", "turn and flee": "panic", "surrender": "yield"}[row["value"]]
        return [] if has == [want] else ["morale %s: %s under osric, %s in the table" % (row["situation"], has, want)]
    if row["kind"] == "failure_margin":
        rows = TABLES.contact["", "way to break"][1]
        has = tables.look_up({k.replace("up to ", "0.."): v for k, v in rows.items()}, int(re.match(r"\d+", row["situation"]).group()))
        want = {"fall back, fighting": "falling back", "disengage and retreat": "retreat", "flee in panic": "panic", "surrender": "yield"}[row["value"]]
        return [] if has == [want] else ["morale %s: %s on the shelf, %s in the table" % (row["situation"], has, want)]
    weights = WEIGHTS if adnd else OSRIC_WEIGHTS
    if row["situation"] in weights:
        value = int(row["value"])
        line = "adjust courage burden (combatant) " + weights[row["situation"]]
        return [] if line in text and weights[row["situation"]].startswith("by %d " % value) else ["morale, %s: the rule does not say %d" % (row["situation"], value)]
    return None


MIND = {}
STATES = {"confused": "confused", "dazed": "dazed", "sleep/coma": "comatose", "wounded (psionically)": "mind wounded", "permanent wound": "mind maimed", "killed": "killed", "idiocy": "idiotic",
          "robot": "robotic", "death": "killed", "coma": "comatose", "sleep": "asleep", "stun": "stunned", "permanent insanity": "permanently insane", "temporary insanity": "temporarily insane",
          "mild insanity": "mildly insane"}
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh".split()
BANDS = ("001-025", "026-050", "051-075", "076-100", "101-125", "126+")
MODES = "A B C D F G H I J".split()


def mind(row, shelf):
    """A cell of the psionic tables. The letters of modes and states are looked up in the file itself."""
    if not MIND:
        MIND.update({name: t for (_, name), t in tables.read(fray("psionics.fray"), "monster").items()})
        MIND["letters"] = {r["row"]: r["value"] for r in rows("psionics.csv") if r["column"] == "name"}
        MIND["codes"] = {r["row"]: STATES[r["value"]] for r in rows("psionics.csv") if r["table"] == "code"}
    letters, table, value = MIND["letters"], row["table"], row["value"]

    def cell(name, key, column=None):
        columns, found = MIND[name]
        values = found.get(key)
        if values is None and re.match(r"-?\d+$", key):
            values = tables.look_up({k.replace("up to ", "0.."): v for k, v in found.items()}, int(key))
        return None if values is None else values[columns.index(column) if column else 0]

    def same(has, want):
        return [] if has == want else ["%s, %s, %s: %s on the shelf, %s in the table" % (table, row["row"], row["column"], has, want)]

    if table in ("attack_mode", "defence_mode"):
        name = letters[row["row"]]
        if row["column"] == "name":
            return same(name if cell("psionic cost", name) else None, value)
        if row["column"] == "range_tens_ft":
            want = ["%d ft" % (10 * int(x)) if x != "-" else "0 ft" for x in value.split("/")]
            return same([cell("psionic reach", name, str(n)) for n in (1, 2, 3)], want)
        return same(cell({"cost": "psionic cost", "area": "psionic area"}[row["column"]], name), value if row["column"] == "cost" else '"%s"' % value.replace('"', " in."))
    if table.startswith("points_lost:strength "):
        band = BANDS.index(table.split()[-1])
        if row["row"] == "E":
            return same(cell("crushing chance", str(int(table.split()[-1][:3])), letters[row["column"]]), value)
        return same(cell(ORDINALS[band] + " mind loss", letters[row["row"]], letters[row["column"]]), value)
    if table.startswith("defenceless:"):
        band, least = BANDS.index(table.split()[-1]), re.search(r"\d+", row["column"]).group()
        if row["row"] == "E":
            return same(cell("defenceless crushed", least, str(band + 1)), value)
        has = cell(ORDINALS[band] + " defenceless", least, letters[row["row"]])
        return same(cell("psionic state", has) if has.startswith("-") else has, MIND["codes"].get(value, value))
    if table == "code":
        return same(MIND["codes"][row["row"]] in [v[0] for v in MIND["psionic state"][1].values()], True)
    if table == "blast_vs_nonpsionic:save":
        return same([cell("blast save", re.match(r"\d+", row["row"]).group(), str(n)) for n in (1, 2, 3)], value.split("/"))
    if table == "blast_vs_nonpsionic:effect":
        bands = [r["row"] for r in rows("psionics.csv") if r["table"] == table]
        name = ORDINALS[bands.index(row["row"])] + " blast"
        wrong = []
        for part in value.split("; "):
            what, a, b = re.match(r"(.*?) (\d\d)(?:-(\d\d))?$", part).groups()
            for roll in {int(a) or 100, int(b or a) or 100}:
                wrong += same(cell(name, str(roll)), STATES.get(what, what))
        return wrong
    if table == "recovery_per_hour":
        return same(cell("psionic recovery", row["row"]), value)
    return [] if (row["row"], row["column"]) in (("exchanges", "per_segment"), ("strength_band", "basis"), ("vs non-psionic", "modes")) else None


def spell_name(row, blocks):
    """The stat block of a row: its class's own where several classes have the spell."""
    others = {"strength": "might", "friends": "friendship", "poison": "poison touch"}
    plain_name = others.get(row["name"], row["name"])
    for name in ("%s (%s)" % (plain_name, row["class"]), plain_name):
        if name in blocks and blocks[name]["fields"].get("school of") == row["class"]:
            return name
    return None


def spell(row, shelf):
    blocks = shelf.of("spells", "lite")
    name = spell_name(row, blocks)
    if name is None:
        return None
    block, wrong = blocks[name]["fields"], []

    def same(field, value):
        if value is not None and block.get(field) != value:
            wrong.append("%s: %s is %r on the shelf and %r in the table" % (name, field, block.get(field), value))

    same("level", row["level"])
    same("segments", row["casting_segments"] or "10")
    if row["range_ft"] == "touch":
        same("reach", "10 ft")
    elif row["range_ft"] == "self":
        same("for self", "yes")
    else:
        m = re.fullmatch(r"(?:(\d+)(?:\+|$))?(?:(\d+)\*level)?", row["range_ft"])
        if m and row["range_ft"] not in ("", "0"):
            same("reach", "%s ft" % (m.group(1) or "0"))
            same("reach a level", "%s ft" % m.group(2) if m.group(2) else None)
        m = re.fullmatch(r"min\((\d+)\*level,(\d+)\)", row["range_ft"])
        if m:
            same("reach a level", "%s ft" % m.group(1))
            same("reach at most", "%s ft" % m.group(2))
    same("save", '"%s"' % row["save"] if row["save"] in ("negates", "half") else None)
    if re.fullmatch(r"-?[1-9]\d*", row["save_modifier"]) and row["save"] in ("negates", "half"):
        same("save shift", row["save_modifier"])
    same("area", '"%s"' % row["area"].replace('"', ""))
    if "says" not in block:
        m = re.match(r"(\d+d\d+(?:\+\d+)?)", row["dice"] or "")
        if m and row["effect_kind"] == "damage" and "harm" in block:
            same("harm", "1d8" if row["name"] == "call lightning" else m.group(1))
        elif m and row["effect_kind"] == "heal":
            same("mends", m.group(1))
        if "lasts" in block and re.fullmatch(r"\d+", row["duration_rounds"]):
            same("lasts", row["duration_rounds"])
        m = re.fullmatch(r"(?:(\d+)\+)?(\d+)\*level", row["duration_rounds"])
        if m and "lasts a level" in block:
            same("lasts a level", m.group(2))
            same("lasts", m.group(1))
    return wrong


def monk(row, shelf):
    want = {"bare armour class": row["ac"], "open hand": row["open_hand_damage"], "open hand attacks": row["open_hand_attacks"]}
    has = {t: tables.look_up(TABLES.of("adnd", "monk", t)[1], int(row["level"]))[0] for t in want}
    return ["monk %s: %s is %s on the shelf and %s in the table" % (row["level"], t, has[t], want[t]) for t in want if has[t] != want[t]]


def score(table, columns):
    def check(row, shelf):
        name, key = table, row["score"]
        if "/" in key:
            name, key = "exceptional part", {"18/01-50": "1", "18/51-75": "51", "18/76-90": "76", "18/91-99": "91", "18/00": "100"}[key]
        shown, rows = TABLES.scores["", name]
        has, wrong = tables.look_up(rows, int(key)), []
        for column, of in columns.items():
            want = re.sub(r"\(\d\)", "", row[of]).split("-")[-1] if of == "force_doors_d6" else row[of]
            if has[shown.index(column)] != want:
                wrong.append("%s %s: %s is %s on the shelf and %s in the table" % (table, row["score"], column, has[shown.index(column)], want))
        return wrong
    return check


def turning(row, shelf):
    columns, rows = TABLES.contact["", "turning number"]
    want = [{"T": "0", "D": "-1", "-": "99"}.get(row[k], row[k]) for k in ("l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9_13", "l14_18", "l19")]
    has = tables.look_up(rows, int(row["type"]))
    return [] if has == want else ["turning type %s: %s on the shelf, %s in the table" % (row["type"], has, want)]


REACTIONS = {"26": "uncertain but negative", "56": "uncertain but positive"}


def reaction(row, shelf):
    rows = TABLES.contact["", "first reaction"][1]
    first = max(int(row["from"]), 0)
    want = REACTIONS.get(row["from"], row["reaction"])
    has = tables.look_up({k.replace("up to ", "0.."): v for k, v in rows.items()}, first)
    return [] if has == [want] else ["reaction from %s: %s on the shelf, %s in the table" % (row["from"], has, want)]


PLACES = {"indoors": "indoors", "indoors, surprise": "surprised indoors", "indoors, noise or light gives warning": "warned indoors", "outdoors": "outdoors"}


def meeting(row, shelf):
    place = PLACES.get(row["situation"])
    rows = (TABLES.osric_contact if row["system"] == "osric" else TABLES.contact)["", "meeting distance"][1]
    if not place:
        return None
    return [] if rows[place] == [row["dice"]] else ["meeting %s: %s on the shelf, %s in the table" % (place, rows[place], row["dice"])]


def against_armour(row, shelf):
    bare = re.sub(r" \(.*\)", "", row["name"])
    hurled = row["mode"] == "hurled"
    names = [bare] + [" ".join(reversed(bare.split(", ")))] + ALIASES.get(row["name"], []) + ALIASES.get(bare, [])
    for name in names:
        for table in ["hurled against armour"] if hurled else ["against armour"]:
            if (name, table) in TABLES.weapons:
                rows = TABLES.weapons[name, table][1]
                return ["%s against armour class %d: %s on the shelf, %s in the table" % (name, a, tables.look_up(rows, a), row["ac%d" % a])
                        for a in range(11) if tables.look_up(rows, a) != [row["ac%d" % a]]]
    return None


ALIASES = {r["name"]: names_of(r) for f in ("weapons_melee.csv", "weapons_missile.csv") for r in rows(f)}

CHECKS = {
    "weapons_melee.csv": melee, "weapons_missile.csv": missile, "armour.csv": armour, "weapon_vs_ac.csv": against_armour,
    "to_hit.csv": to_hit, "saves.csv": saves, "multiple_attacks.csv": routines, "class_groups.csv": group, "spell_slots.csv": slots, "monk.csv": monk,
    "monsters.csv": creatures.check, "spells.csv": spell, "monster_hd_levels.csv": worth, "to_hit_rules.csv": hitting, "morale.csv": courage, "psionics.csv": mind,
    "turn_undead.csv": turning, "reaction.csv": reaction, "encounter_distance.csv": meeting,
    "strength.csv": score("strength part", {"aim": "to_hit", "force": "damage", "load": "encumbrance_adj_lb", "doors": "force_doors_d6", "bars": "bend_bars_pct"}),
    "dexterity.csv": score("dexterity part", {"attacking": "reaction_attacking_adj", "surprise": "surprise_adj", "missiles": "missile_to_hit_adj", "defence": "defensive_adj"}),
    "constitution.csv": score("constitution part", {"life": "hp_per_die", "warrior": "hp_per_die_fighter", "raising": "survive_resurrection_pct", "shock": "system_shock_pct"}),
}


def label(row, number):
    """How reasons.csv names a row: by its name, or its class and first level, or its number."""
    if "routines_per_round" in row:
        return "%s %s %s" % (row["system"], row["class"], row["from"])
    if "situation" in row and "dice" in row:
        return "%s %s" % (row["system"], row["situation"])
    if "column" in row:
        return "%s %s %s" % (row["table"], row["row"], row["column"])
    if "situation" in row:
        return "%s %s %s" % (row["system"], row["kind"], row["situation"])
    return row.get("name") or row.get("rule") or str(number)


def audit():
    """For each file: its name, rows, on the shelf, reasons, neither; and what is wrong."""
    shelf, counts, wrong = Shelf(), [], []
    reasons = {}
    for r in rows("reasons.csv"):
        reasons.setdefault(r["file"], {})[r["row"]] = r["reason"]
    for name in sorted(os.listdir(DATA)):
        if not name.endswith(".csv") or name == "reasons.csv":
            continue
        there = with_reason = 0
        table = rows(name)
        left = dict(reasons.pop(name, {}))
        for number, row in enumerate(table, 1):
            told = CHECKS[name](row, shelf) if name in CHECKS else None
            because = left.pop(label(row, number), None)
            if told is not None and because:
                wrong.append("%s: %s is on the shelf and on the list of reasons" % (name, label(row, number)))
            if told is not None:
                there += 1
                wrong += ["%s: %s" % (name, w) for w in told]
            elif because or "*" in left:
                with_reason += 1
        wrong += ["reasons.csv: %s has no row %r" % (name, r) for r in left if r != "*"]
        counts.append((name, len(table), there, with_reason, len(table) - there - with_reason))
    wrong += ["reasons.csv: there is no file %r" % r for r in reasons]
    return counts, wrong


def main():
    counts, wrong = audit()
    print("%-24s %5s %9s %8s %8s" % ("file", "rows", "on shelf", "reasons", "neither"))
    for c in counts:
        print("%-24s %5d %9d %8d %8d" % c)
    print("%-24s %5d %9d %8d %8d" % (("all",) + tuple(sum(c[i] for c in counts) for i in range(1, 5))))
    spells = [b["fields"] for b in show("spells", "lite").values()]
    print("spells: %d act by rule, %d are handed to the referee by name" % (sum("says" not in s for s in spells), sum("says" in s for s in spells)))
    told = sorted(creatures.Count.told.items(), key=lambda x: (-x[1], x[0]))
    print("specials of monsters: %d are rules, %d are told to the referee (also: ..): %s" % (creatures.Count.said, sum(n for _, n in told), ", ".join("%s %d" % x for x in told)))
    for w in wrong:
        print(w)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
