#!/usr/bin/env python3
"""t_audit.py - every figure of the shelf equals its table, and no row is lost without a reason."""

import audit

points = []


def check(name, good, *told):
    points.append(good)
    print("%sok %d - %s" % ("" if good else "not ", len(points), name))
    for t in [] if good else told:
        print("# %s" % (t,))


# What is not on the shelf yet, and is counted as such by `make shelf-audit`.
UNFINISHED = set()
counts, wrong = audit.audit()
check("every figure on the shelf is the table's", not wrong, *wrong)
for name, rows, there, reasons, neither in counts:
    check("%s: %d rows, %d on the shelf, %d with a reason" % (name, rows, there, reasons), (neither == 0) != (name in UNFINISHED), neither)

# the comparison itself can fail
shelf = audit.Shelf()
for name, field, value in (("weapons_melee.csv", "damage_sm", "9d9"), ("weapons_missile.csv", "range_long", "99"), ("armour.csv", "weight_lb", "99"), ("monsters.csv", "ac", "99"), ("monsters.csv", "damage", "9d9"), ("monsters.csv", "special", "flies off"),
                           ("to_hit.csv", "ac0_base", "3"), ("saves.csv", "breath", "3"), ("spell_slots.csv", "s1", "9"), ("strength.csv", "damage", "9"),
                           ("weapon_vs_ac.csv", "ac5", "9"), ("turn_undead.csv", "l3", "2"), ("monk.csv", "ac", "99")):
    row = dict(audit.rows(name)[1])
    check("%s: a wrong %s is found" % (name, field), audit.CHECKS[name](dict(row, **{field: value}), shelf), row)
    if "aliases" not in row:
        continue
    check("%s: a row that has no stat block is found" % name, audit.CHECKS[name](dict(row, name="nobody has this", aliases=""), shelf) is None)
print("1..%d" % len(points))
