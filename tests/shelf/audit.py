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
        for name in names:
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


CHECKS = {"weapons_melee.csv": melee, "weapons_missile.csv": missile, "armour.csv": armour}


def label(row, number):
    """How reasons.csv names a row: by its name, or its number where it has none."""
    return row.get("name") or str(number)


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
    for w in wrong:
        print(w)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
