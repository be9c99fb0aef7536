"""creatures.py - the rows of monsters.csv against the stat blocks: figures, and what became of every special."""

import re

SIZES = {"S": "small", "M": "medium", "L": "large"}
# which field says what a token of the table says; a token whose field is missing has to stand in `also`
FIELDS = {
    "magic_weapon": "harmed only by", "harmed_by": "also harmed by", "regeneration": "regeneration", "immune": "immune to", "resist": "resists", "half": "half from",
    "undead": "undead", "no_morale": "fearless", "poison": "venom", "paralysis": "paralysis", "petrify": "petrifies", "gaze": "gaze", "level_drain": "drains levels",
    "breath": "breath", "hug": "hug", "mangle": "rend", "rake": "rend", "constrict": "grip", "blood_drain": "grip", "strangle": "grip", "swallow": "swallows on",
    "rock": "rocks", "invisible": "unseen", "to_hit": "to-hit bonus", "damage": "damage bonus", "attack_as": "attacks as", "fear": "dread", "fear_aura": "dread",
    "stench": "stench", "stun": "stuns", "sleep": "lulls", "double_damage": "double damage on", "explodes": "bursts", "stat_drain": "weakens", "surprises": "surprises on",
}
# and those that may be said by one of several
SEVERAL = {"surprised": ("unsurprised", "surprised once in"), "charge": ("charge multiplier", "charge damage"), "dive": ("charge multiplier",), "save_as": ("saves as",), "save": ("save bonus",)}


def dice(text):
    if re.fullmatch(r"\d+", text):
        return "1d1" if text == "1" else "1d1+%d" % (int(text) - 1)
    return text if re.fullmatch(r"\d+d\d+([+-]\d+)?", text) else None


def specials(row, block):
    """(said by a field, told in `also`, lost)"""
    said, told, lost = [], [], []
    also = block.get("also", "")
    for token in [t for t in row["special"].split(";") if t] + ["other " + t for t in row["special_other"].split(";") if t]:
        other = token.startswith("other ")
        token = token[6:] if other else token
        key = token.partition(":")[0]
        fields = () if other else SEVERAL.get(key, (FIELDS[key],) if key in FIELDS else ())
        if token.replace("_", " ").replace('"', "") in also:
            told.append(token)
        elif any(f in block for f in fields):
            said.append(token)
        else:
            lost.append(token)
    return said, told, lost


def figures(row, block):
    """What differs between a row and its stat block."""
    wrong = []

    def same(field, value):
        if value is not None and block.get(field) != value:
            wrong.append("%s: %s is %r on the shelf and %r in the table" % (row["name"], field, block.get(field), value))

    armour = re.match(r"-?\d+", row["ac"])
    same("armour class", armour.group() if armour else "10")
    die = re.match(r"(\d+)([+-]\d+)?", row["hd"])
    if row["hd"] == "<1":
        same("hit dice", "0")
        if not row["hp_fixed"]:
            same("hit point dice", row["hp_dice"] or "1d4")
    elif die:
        same("hit dice", die.group(1))
        same("hit points over", die.group(2).lstrip("+") if die.group(2) else None)
    if row["hp_fixed"]:
        same("hit points", re.match(r"\d+", row["hp_fixed"]).group())
    elif row["hp_bonus"]:
        same("extra hit points", row["hp_bonus"])
    want = []
    for blow in row["damage"].split(";"):
        known = [d for d in (dice(alternative.strip()) for alternative in blow.split("|")) if d]
        want += known[:1]
    has = re.findall(r"(\d+d\d+(?:[+-]\d+)?)", block.get("attacks", ""))
    if has != want and has != ["1d1-1"]:
        wrong.append("%s: attacks %s on the shelf and %s in the table" % (row["name"], has, want))
    gaits = set()
    for part in row["move_ft"].split(";"):
        step = re.fullmatch(r" ?(fly |swim |burrow )?(\d+)(?: \([IVX]+\))?", part)
        if step:
            field = {None: "move", "fly ": "flying", "swim ": "swimming", "burrow ": "burrowing"}[step.group(1)]
            if field not in gaits:
                same(field, '%g"' % (int(step.group(2)) / 10))
            gaits.add(field)
    if row["size"]:
        same("size", SIZES[row["size"][0]])
    if re.fullmatch(r"\d+", row["magic_resistance_pct"]):
        same("magic resistance", row["magic_resistance_pct"] + "%")
    if row["morale"] == "never":
        same("fearless", "yes")
    elif row["morale"] and "fearless" not in block:
        same("morale", row["morale"].split("-")[0] + "%")
    same("number appearing", '"%s"' % row["number"] if row["number"] else None)
    if re.fullmatch(r"\d+", row["xp_base"]) and re.fullmatch(r"\d*", row["xp_per_hp"]):
        same("experience", row["xp_base"])
        same("experience a hit point", row["xp_per_hp"] or "0")
    return wrong


class Count:
    """How many specials are rules, and which are told to the referee alone."""

    said, told = 0, {}


def check(row, shelf):
    names = [row["name"], " ".join(reversed(row["name"].split(", ", 1)))] + [a.strip() for a in row["aliases"].split(";")]
    block = shelf.find("monsters", "lite", [n.replace("'-", "-") for n in names])
    if block is None:
        return None
    said, told, lost = specials(row, block)
    Count.said += len(said)
    for token in told:
        key = token.partition(":")[0]
        Count.told[key] = Count.told.get(key, 0) + 1
    return figures(row, block) + ["%s: its special %r is lost" % (row["name"], t) for t in lost]
