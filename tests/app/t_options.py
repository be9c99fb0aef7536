"""Every option of the five inventories, each of its values: for a table, an encounter and, where it may differ, for one
combatant; as `fray show options` lists it, and as a fight is played; and what is said of one mistyped."""

import os
import re

import app

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# options of the table that are fields of somebody, too
FIELDS = ("initiative",)
# those that are a state of somebody, too: refused as what rules work out
STATES = ("helpless",)

# as the inventories name them, and last those for what a source leaves open; those of a combatant have a star
OPTIONS = {
    "lite": "surprise.percent_round surprise.ally_share surprise.phase surprise.attacks init.mixed_d8 strike_first.beats_length charge.stop "
            "charge.barred charge.equal_length caster.melee_factor cantrip.after_spoil* factor.extra psi.same_segment dead_target* "
            "charge.won helpless missile.rate routines.spread",
    "proc": "surprise_count surprise_attacks winner_strikes_first duel_includes_devices mar_needs_more mar_enemy tie_mar death_when* helpless "
            "charge.won missile.rate routines.spread",
    "osric": "tie spell.effect spell.spoiled_by surprise.attacks mult.second_at mult.third_at missile.penalty missile.rate set_weapon.multiplier flee.bonus helpless "
             "death.at* dead_target*",
    "crucible": "initiative surprise tie_wsf tie_multi tie_spell_melee tie_missile_spell ready_extra* aoo_any_shot disengage_no_fight* helpless",
    "dew": "unconscious_below* dead_at* noncombat_gate borrow shield parries max_damage_needs_critical don adjust_wt movement helpless",
}


def stair():
    with open(os.path.join(TOP, "examples", "five-ways.fray"), encoding="utf-8") as f:
        return f.read()


def in_force(t, script):
    """{option: its value for the table}, and {option: who or where it is another}"""
    status, out, err = t.fray("show", "--json", "options", script)
    rows = app.objects(out) if status == 0 else []
    return ({r["option"]: r["value"] for r in rows if r["in force"]}, {r["option"]: r["otherwise"] for r in rows}, err)


def plain(value):
    return value.strip('"').lstrip("+")


def wrong(text):
    """With one letter less, and it is another word."""
    less = text[:-2] + text[-1] if len(text) > 3 else text + "q"
    return text[:-1] if less == "armor" else less  # another spelling is right


def every_value(t):
    scene = stair()
    for system, names in OPTIONS.items():
        rows = app.objects(t.fray("show", "--json", "options", "--rules=" + system)[1])
        t.same(system + " has the options of its inventory", sorted({r["option"] + ("*" if r["of"] == "combatant" else "") for r in rows}), sorted(names.split()))
        for r in rows:
            one(t, scene, system, r)


def one(t, scene, system, row):
    option, value = row["option"], row["value"]
    name = "%s's %s: %s" % (system, option, value)
    t.check(name + " has a clause, and a meaning or none to tell", row["cite"], row)
    t.write("table.fray", scene.replace("use osric", "use %s with { %s: %s }" % (system, option, value)))
    chosen, _, err = in_force(t, "table.fray")
    t.same(name + " for a table", plain(chosen.get(option, err)), plain(value))
    status, out, err = t.fray("run", "--max-rounds=12", "table.fray")
    t.check(name + " is played", status in (0, 3) and "uling needed" not in err and "round 1" in out, status, err)
    t.write("encounter.fray", scene.replace("use osric", "use " + system).replace("  distance: 5 ft\n", "  distance: 5 ft\n  set option %s = %s\n" % (option, value)))
    _, other, err = in_force(t, "encounter.fray")
    t.check(name + " for an encounter", [plain(x["value"]) for x in other.get(option, [])] == [plain(value)], other.get(option), err)
    again, told, err = t.fray("run", "--max-rounds=12", "encounter.fray")
    t.same(name + " is the same fight", (again, told), (status, out))
    of_one(t, scene.replace("use osric", "use " + system), name, row)


def of_one(t, scene, name, row):
    option, value = row["option"], row["value"]
    ways = {
        "in a stat block": scene.replace("armour class: 3; THAC0: 17;", "armour class: 3; THAC0: 17; %s: %s;" % (option, value)),
        "in the encounter": scene.replace("  distance: 5 ft\n", "  distance: 5 ft\n  Bruna's %s: %s\n" % (option, value)),
        "for a side": scene.replace("  distance: 5 ft\n", "  distance: 5 ft\n  orcs' %s: %s\n" % (option, value)),
        "in a round": scene.replace("  round 1 {\n", "  round 1 {\n    set Bruna's %s = %s\n" % (option, value)),
    }
    for way, script in ways.items():
        t.write("one.fray", script)
        status, out, err = t.fray("run", "--max-rounds=12", "one.fray")
        if row["of"] == "combatant":
            t.check("%s %s is played" % (name, way), status in (0, 3) and "uling needed" not in err, status, err)
            t.check("%s %s is listed" % (name, way), [plain(x["value"]) for x in in_force(t, "one.fray")[1].get(option, [])] == [plain(value)])
        elif option in STATES and way == "in a round":
            t.check("%s %s is refused: rules work it out" % (name, way), status == 2 and "never set" in err, status, err)
        elif option not in FIELDS:
            t.check("%s %s is refused: it is the whole table's" % (name, way), status == 2 and "option" in err and "set option %s = " % option in err, status, err)


def mistyped(t):
    scene = stair()
    for system, names in OPTIONS.items():
        for option in names.replace("*", "").split():
            bad = wrong(option)
            t.write("bad.fray", scene.replace("use osric", "use %s with { %s: 1 }" % (system, bad)))
            status, out, err = t.fray("check", "bad.fray")
            t.check("%s: %s is not known, %s is near" % (system, bad, option), status == 2 and 'Did you mean "%s"?' % option in err, status, err)
            t.write("bad.fray", scene.replace("use osric", "use " + system).replace("  distance: 5 ft\n", "  set option %s = 1\n" % bad))
            status, out, err = t.fray("check", "bad.fray")
            t.check("%s: nor in an encounter" % system, status == 2 and 'Did you mean "%s"?' % option in err, status, err)
        rows = app.objects(t.fray("show", "--json", "options", "--rules=" + system)[1])
        for r in rows:
            value = plain(r["value"])
            bad = "77" if re.match(r"[-+]?\d+$", value) else '"%s"' % wrong(value)
            t.write("bad.fray", scene.replace("use osric", "use %s with { %s: %s }" % (system, r["option"], bad)))
            status, out, err = t.fray("check", "bad.fray")
            t.check("%s: %s is no value of %s, %s is one" % (system, bad, r["option"], value),
                    status == 2 and value in err.split("\n")[0], status, err)


app.run([every_value, mistyped])
