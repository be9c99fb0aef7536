#!/usr/bin/env python3
"""t_classes.py - what class, level, scores and hit dice come to, against the tables of stdlib/shelf/data.

Writes scripts in which every class stands at every level, every score is had by somebody and every
hit dice row by a monster; what is expected of each is read from the CSV files, never from the shelf."""

import os
import re
import subprocess
import sys
import tempfile

import audit

points = []
PERILS = (("death", "death_paralysis_poison"), ("wands", "rod_staff_wand"), ("petrification", "petrification_polymorph"), ("breath", "breath"), ("spells", "spell"))
PLACE = {"osric": "osric", "adnd": "lite"}


def check(name, good, *told):
    points.append(good)
    print("%sok %d - %s" % ("" if good else "not ", len(points), name))
    for t in [] if good else told:
        print("# " + str(t).replace("\n", "\n# "))


def play(rules, name, combatants, expects, more=""):
    """One encounter with everybody in it, and what must be so when it has been set up."""
    script = "use %s\nuse shelf\n%s\n" % (rules, more)
    script += "combatant Nobody { hit points: 1 }\n" + "\n".join(combatants) + "\n"
    names = [re.match(r"\w+ (\S+)", c).group(1) for c in combatants]
    script += "encounter e {\n  side these: %s\n  side those: Nobody\n  round 1 {\n    these wait; those wait\n" % ", ".join(names)
    script += "".join("    expect %s\n" % e for e in expects) + "  }\n}\n"
    with tempfile.NamedTemporaryFile("w", suffix=".fray", delete=False) as f:
        f.write(script)
    done = subprocess.run([audit.FRAY, "test", f.name], capture_output=True, text=True)
    os.unlink(f.name)
    check("%s (%s): %d expectations" % (name, rules, len(expects)), done.returncode == 0 and bool(expects), (done.stdout + done.stderr)[:2000])


def at(rows, level):
    for r in rows:
        if r["from"].isdigit() and int(r["from"]) <= level <= int(r["to"]):
            return r
    return None


def classes():
    """The class, its rows to hit, its saves and its routines, under each set of figures."""
    hits, saves, routines, slots = (audit.rows(f) for f in ("to_hit.csv", "saves.csv", "multiple_attacks.csv", "spell_slots.csv"))
    for system, rules in PLACE.items():
        for group in audit.rows("class_groups.csv"):
            name = group["class"]
            if group["system"] != system or name == "monster":
                continue
            to_hit = [r for r in hits if (r["system"], r["group"]) == (system, group["to_hit_group"])]
            save = [r for r in saves if (r["system"], r["group"]) == (system, group["save_group"])]
            rate = [r for r in routines if r["system"] == system and r["class"] == name]
            slot = [r for r in slots if r["class"] == name]
            who, expects = [], []
            for level in ([0] if name == "normal man" else range(1, 21)):
                h, s = at(to_hit, level), at(save, level)
                if not h or not s or (name == "druid" and level > 14) or (name == "assassin" and level > 15) or (name == "monk" and level > 17):
                    continue
                one = "L%d" % level
                # a monk without a weapon has his open hands
                who.append("combatant %s { class: %s; level: %d; hit points: 9; carries: club, dagger }" % (one, name, level))
                expects.append("%s's THAC0 = %s" % (one, h["ac0_base"]))
                bonus = 2 if (system, name) == ("adnd", "paladin") else 0
                expects += ["%s's save vs %s = %d" % (one, peril, int(s[column]) - bonus) for peril, column in PERILS]
                r = at(rate, level)
                expects.append("%s's routine rate = %s" % (one, r["routines_per_round"] if r else "1"))
                for row in slot:
                    if int(row["level"]) == level:
                        expects += ["slots (%s, %d) = %s" % (one, n, row["s%d" % n] or "0") for n in range(1, 10) if row["s%d" % n]]
            play(rules, name, who, expects)


def scores():
    for rules in PLACE.values():
        who, expects = [], []
        for n, r in enumerate(audit.rows("strength.csv")):
            score, _, part = r["score"].partition("/")
            exact = {"01-50": 50, "51-75": 51, "76-90": 90, "91-99": 95, "00": 100}.get(part)
            who.append("combatant S%d { hit points: 9; strength: %s%s }" % (n, score, "; exceptional strength: %d" % exact if exact else ""))
            expects += ["S%d's strength to hit = %s and S%d's strength damage = %s" % (n, r["to_hit"], n, r["damage"]), "S%d's free load = %s lb" % (n, r["encumbrance_adj_lb"]),
                        "strength of (S%d, doors) = %s and strength of (S%d, bars) = %s" % (n, re.sub(r"\(\d\)", "", r["force_doors_d6"]).split("-")[-1], n, r["bend_bars_pct"])]
        for r in audit.rows("dexterity.csv"):
            n = r["score"]
            who.append("combatant X%s { hit points: 9; dexterity: %s }" % (n, n))
            aim = "0" if rules == "osric" else r["missile_to_hit_adj"]  # osric counts its missile bonus
            expects += ["X%s's armour class = %d" % (n, 10 + int(r["defensive_adj"])), "X%s's missile aim = %s" % (n, aim),
                        "X%s's quickness adjustment = %s and X%s's surprise adjustment = %s" % (n, r["reaction_attacking_adj"], n, r["surprise_adj"])]
            expects.append("X%s's %s = %s" % (n, "missile bonus" if rules == "osric" else "attacking adjustment", r["reaction_attacking_adj"]))
        for r in audit.rows("constitution.csv"):
            n = r["score"]
            for name, column, die in (("fighter", "hp_per_die_fighter", 10), ("thief", "hp_per_die", 6)):
                who.append("combatant C%s%s { class: %s; level: 3; constitution: %s }" % (n, name[0], name, n))
                expects.append("C%s%s's hit points in %d..%d" % (n, name[0], 3 * max(1, 1 + int(r[column])), 3 * max(1, die + int(r[column]))))
            expects += ["constitution part (%s, life) = %s and constitution part (%s, warrior) = %s" % (n, r["hp_per_die"], n, r["hp_per_die_fighter"]),
                        "constitution part (%s, raising) = %s and constitution part (%s, shock) = %s" % (n, r["survive_resurrection_pct"], n, r["system_shock_pct"])]
        play(rules, "scores", who, expects)


def hit_dice():
    """Monsters: their own rows in AD&D, the rows of fighters in OSRIC; saving throws of both."""
    dice = [(0, 0), (1, -1), (1, 0)] + [(n, over) for n in range(1, 18) for over in (1, 3, 4, 5, 8)] + [(n, 0) for n in range(2, 22)]
    hits = audit.rows("to_hit.csv")

    def adnd_number(n, over):
        if n == 0:
            label = "<1-1"
        elif (n, over) == (1, -1):
            label = "1-1"
        elif n == 1 and over == 0:
            label = "1"
        else:
            label = None
        column = [r for r in hits if r["system"] == "adnd" and r["group"] == "monster"]
        if label:
            return next(r["ac0_base"] for r in column if r["from"] == label)
        if n == 1 and over <= 3:
            return next(r["ac0_base"] for r in column if r["from"] == "1+1")
        n += over > 3
        return [r for r in column if r["from"].isdigit() and r["from"] != "1" and int(r["from"]) <= n][-1]["ac0_base"]

    worth = audit.rows("monster_hd_levels.csv")

    def level_of(system, n, over):
        """The row of monster_hd_levels.csv that n dice and a plus belong to."""
        for r in worth:
            label = r["hit_dice"]
            if r["system"] != system:
                continue
            if label.startswith("less than"):
                fits = n == 0
            elif label == "n":
                fits = n > 2 and over == 0
            elif label.startswith("n+"):
                low, high = re.findall(r"n\+(\d)", label)
                fits = n > 2 and int(low) <= over <= int(high)
            elif " to " not in label:
                dice, mark, plus = label.replace(" or more", "").partition("-" if "-" in label else "+")
                least = (int(dice), int(mark + plus) if plus else 0)
                fits = (n, over) >= least if "more" in label else (n, over) == least
            else:
                ends = [(int(a), int(b or 0)) for a, b in re.findall(r"(\d+)(?:\+(\d+))?", label)]
                fits = ends[0] <= (n, over) <= ends[1]
            if fits:
                level = r["equivalent_level"]
                return n + int(level[2:] or 0) if level.startswith("n+") else n if level == "n" else int(level)
        raise ValueError((system, n, over))

    fighters = {s: [r for r in hits if (r["system"], r["group"]) == (s, "fighter")] for s in PLACE}
    saves = {s: [r for r in audit.rows("saves.csv") if (r["system"], r["group"]) == (s, "fighter")] for s in PLACE}
    for system, rules in PLACE.items():
        for part in range(0, len(dice), 60):
            who, expects = [], []
            for n, over in dice[part:part + 60]:
                one = "M%d%s%d" % (n, "u" if over < 0 else "o", abs(over))
                who.append("monster %s { hit points: 9; hit dice: %d; hit points over: %d }" % (one, n, over))
                if system == "adnd":
                    number, level = adnd_number(n, over), level_of(system, n, over)
                else:
                    level = level_of(system, n, over)
                    number = at(fighters[system], min(level, 99))["ac0_base"]
                save = at(saves[system], level)
                expects.append("%s's THAC0 = %s" % (one, number))
                expects += ["%s's save vs %s = %s" % (one, peril, save[column]) for peril, column in PERILS]
            play(rules, "hit dice, part %d" % (part // 60 + 1), who, expects)


def routines():
    """Chosen weapons, and creatures of less than a die: routines by rule."""
    rows = [r for r in audit.rows("multiple_attacks.csv") if r["system"] == "osric" and "specialised" in r["class"]]
    held = {"melee": "long sword", "bow": "long bow", "light crossbow": "light crossbow", "heavy crossbow": "heavy crossbow"}
    who, expects = [], []
    for i, r in enumerate(rows):
        weapon = held[re.search(r"specialised ([\w ]+)", r["class"]).group(1)]
        who.append("combatant R%d { class: fighter; level: %s; hit points: 9; carries: %s; weapon: %s; specialised: %s }" % (i, r["from"], weapon, weapon, weapon))
        shots = 2 if weapon == "long bow" else 1
        expects.append("R%d's rate now * %d = %s" % (i, shots, r["routines_per_round"]))
    play("osric", "chosen weapons", who, expects)


def monks():
    rows = audit.rows("monk.csv")
    who = ["combatant L%s { class: monk; level: %s; hit points: 9 }" % (r["level"], r["level"]) for r in rows]
    play("lite", "monks with open hands", who, [e for r in rows for e in (
        "L%s's armour class = %s" % (r["level"], r["ac"]), "L%s's routine rate = %s" % (r["level"], r["open_hand_attacks"]))])


def repeated():
    """Every cell of the table of numbers, through the rule of the six twenties."""
    for rules, system in (("osric", "osric"), ("lite", "adnd")):
        rows = [r for r in audit.rows("to_hit.csv") if r["system"] == system]
        who = ["combatant A%d { hit points: 9; armour class: %d }" % (10 - a, a) for a in range(10, -11, -1)]
        bases = sorted({r["ac0_base"] for r in rows}, key=int)
        who += ["combatant T%s { hit points: 9; THAC0: %s }" % (b, b) for b in bases]
        cells = {}
        for r in rows:
            cells[r["ac0_base"]] = [r["ac%d" % a] for a in range(10, -11, -1)]
        play(rules, "repeated twenties", who, ["number to hit (T%s, A%d) = %s" % (b, i, c) for b in bases for i, c in enumerate(cells[b])])


classes()
scores()
hit_dice()
monks()
routines()
repeated()
print("1..%d" % len(points))
sys.exit(0)
