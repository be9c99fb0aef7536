"""draw.py - the script of random fights, from a system and their numbers alone. BATCH fights, one encounter each, share
their stat blocks and policies and stand in one file: it is read once for all of them."""

import collections
import random

from invariants import IDLE
from systems import MELEE, MISSILE, SPELLS, THROWN, some

BATCH = 10
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
KINDS = ["brute", "archer", "mage", "thug", "captain", "adept", "beast"]
Present = collections.namedtuple("Present", "side kind who")
Fighter = collections.namedtuple("Fighter", "kind carried melee missile thrown knows")

CONDITIONS = ["my hit points <= 3", "me is engaged", "not me is engaged", "my hit points > my full hit points / 2",
              "count (foe in my enemies where foe is able) >= 2", "my nearest enemy is casting", "round's number >= 2", "remainder (round's number, 2) = 0",
              "any (friend in my friends where friend is down)", "no (friend in my friends where friend is able)", "my side's initiative >= 4"]   # the last where sides have one
GUARDED = ["engaged (my nearest enemy, me)", "distance (me, my nearest enemy) > 10 ft"]   # only where there is a nearest enemy
AIMS = ["my nearest enemy", "my nearest enemy", "my weakest enemy", "random (foe in my enemies where foe is able)",
        "(pick (foe in my enemies where foe is able by highest foe's hit points))"]


# ---- things ----

def weapons(rng, system):
    for name in MELEE:
        yield "weapon %s { %s }" % (name, system.block("weapon", [
            ("damage", rng.choice(["1d6", "1d8", "2d4", "1d10+1", "1d4-1"])), ("damage vs large", "1d12"), ("length", "%d ft" % rng.randint(1, 18)),
            ("hands", rng.choice([1, 1, 2])), ("bonus", rng.choice([0, 0, 0, 1, 2]))]
            + ([("speed factor", rng.randint(1, 13))] if rng.random() < 0.8 else []) + system.weapon(rng, name)))
    for name in MISSILE + THROWN:
        yield "weapon %s { %s }" % (name, system.block("weapon", [
            ("damage", rng.choice(["1d4", "1d6", "1d6+1"])), ("rate of fire", rng.randint(1, 3)),
            ("range", "%d ft" % rng.choice([30, 60, 120])), ("missile", "yes" if name in MISSILE else "no"),
            ("thrown", "yes" if name in THROWN else "no"), ("hands", 2 if name in MISSILE else 1)] + system.weapon(rng, name)))


def spells(rng, system):
    effects = [("effect", "each foe in target where foe is able { set foe's awake = no }"),
               ("effect", "each foe in target where foe is able { change foe's hit points by -4 }"),
               ("effect", "each foe in target where foe is able { damage (foe, 2, none) }"),
               ("effect", "each one in target { let burn = roll 2d4 as \"burn\"; damage (one, burn, none) }"),
               ("effect", "note \"nothing to be seen\"")] + system.effects(rng)
    for name in SPELLS:
        fields = dict([("level", rng.randint(1, 4)), ("casting time", "%d segments" % rng.choice([1, 1, 2, 3, 4, 6, 8, 9, 10, 14]))] + system.spell(rng, name))
        if system.name == "dew":
            fields["casting time"] = "%d seconds" % rng.randint(1, 60)
        when, what = rng.choice(effects)
        yield "spell %s { %s; on %s { %s } }" % (name, system.block("spell", fields.items()), when, what)


def fighter(rng, system, kind):
    """(the fighter, the line of its stat block)"""
    carried = [rng.choice(MELEE)]
    carried = [rng.choice(MISSILE)] + carried if kind == "archer" else carried
    carried += [rng.choice(THROWN)] if kind == "thug" or rng.random() < 0.1 else []
    extra = system.carried(rng, kind)
    knows = rng.sample(SPELLS, rng.randint(1, 4)) if kind == "mage" or rng.random() < 0.15 else []
    fields = [("armour class", rng.randint(0, 9)), ("THAC0", rng.randint(8, 20)), ("hit dice", rng.randint(1, 9)),
              ("dexterity", rng.randint(3, 18)), ("size", rng.choice(["small", "medium", "large"])), ("to-hit bonus", rng.choice([0, 0, 1])),
              ("damage bonus", rng.choice([0, 0, 1, -1])), ("movement rate", "%d ft" % rng.choice([60, 90, 120])), ("hasted", rng.choice(["no"] * 4 + ["yes"])),
              ("attack routines", rng.choice([1, 1, 1, 2, 3])), ("attacking adjustment", rng.randint(-2, 3)), ("reaction adjustment", rng.randint(-2, 3)),
              ("dexterity bonus", rng.randint(-1, 3))]
    fields = list(dict(fields + system.fighter(rng, kind)).items())
    if getattr(system, "native", False):
        fields = [f for f in fields if f[0] not in ("armour class", "THAC0", "hit dice")]
    else:
        fields.insert(0, ("hit points", rng.randint(1, 24)))
    if knows:
        fields.append(("knows", ", ".join(knows)))
    if kind == "beast" and not getattr(system, "native", False):
        fields.append(("attacks", rng.choice(["claw 1d3, claw 1d3, bite 1d6", "bite 2d4", "claw 1d4, claw 1d4"])))
        carried = carried if rng.random() < 0.2 else []
    if carried + extra:
        fields.append(("carries", ", ".join(carried + extra)))
    fighter = Fighter(kind, carried + [e.split(" with ")[0] for e in extra], next((w for w in carried if w in MELEE), None),
                      next((w for w in carried if w in MISSILE), None), next((w for w in carried if w in THROWN), None), knows)
    return fighter, "monster %s { %s }" % (kind, system.block("combatant", fields))


# ---- deeds ----

def deeds(rng, system, fighter, target, everybody="my enemies"):
    """What somebody of this kind might do, in words that this system has. The target is one, and may be worked out."""
    found = []

    def offer(action, *words):
        if action in system.actions and None not in words:
            found.append(" ".join((action,) + words))

    for _ in range(3):
        offer("attack", target, "with", fighter.melee)
    if not fighter.melee or rng.random() < 0.3:
        offer("attack", target)
    for _ in range(2):
        offer("shoot", fighter.missile, "at", target)
        offer("throw", fighter.thrown, "at", target)
        for spell in fighter.knows:
            offer("cast", spell, "at", target)
            offer("cast", spell, "at", everybody)
    offer("cast", rng.choice(SPELLS), "at", target)     # perhaps one that is not known
    offer("charge", target)
    offer("charge", target)
    offer("close", target)
    offer("move", "%d ft toward" % (10 * rng.randint(1, 6)), target)
    offer("move", "toward", target)
    offer("flee")
    offer("wait")
    offer("talk")
    offer("reload", *([] if fighter.missile else [None]))
    if rng.random() < 0.2:
        offer("surrender")
    return found + [d for d in system.deeds(rng, fighter, target) if "None" not in d]


def policy(rng, system, fighter, others):
    aim = rng.choice(AIMS)
    lines = ["policy %s's way {" % fighter.kind]
    for choice, answers in system.asked(fighter).items():
        if rng.random() < 0.4:
            when = " when %s" % rng.choice(CONDITIONS[:-1]) if rng.random() < 0.4 else ""
            answer = ", ".join(rng.sample(sorted(set(answers)), min(len(set(answers)), rng.randint(1, 2)))) if choice == "parry" and "none" in answers else rng.choice(answers)
            lines.append("  when asked %s: %s%s" % (choice, answer, when))
    known = CONDITIONS if "initiative" in system.fields.get("side", ()) else CONDITIONS[:-1]
    conditions = known + GUARDED + system.CONDITIONS
    for _ in range(rng.randint(0, 4)):
        deed = rng.choice(deeds(rng, system, fighter, rng.choice(AIMS)))
        when = rng.choice(conditions)
        if rng.random() < 0.2:
            lines += ["  if %s {" % when, "    %s when %s" % (deed, rng.choice(conditions)), "  }"]
        else:
            lines.append("  %s %s %s" % (deed, rng.choice(["when", "when", "unless"]), when))
    if others and rng.random() < 0.1:
        return lines + ["  follow %s's way" % rng.choice(others), "}"]
    idle = ("flee", "wait", "surrender", "talk", "pass", "reload")
    best = [d for d in deeds(rng, system, fighter, aim) if not d.startswith(idle)] or ["wait"]
    if "charge" in system.actions and system.name != "dew" and rng.random() < 0.5:
        lines.append("  %s when engaged (my nearest enemy, me)" % best[0])
        lines.append("  charge my nearest enemy")
    else:
        lines += ["  %s when me is able" % rng.choice(best), "  %s" % best[0]]
    return lines + ["}"]


def third_person(deed):
    """The deed as somebody's line has it: `orc attacks ..`, in each of its parts."""
    return " then ".join(" else ".join(inflected(part) for part in step.split(" else ")) for step in deed.split(" then "))


def inflected(deed):
    verb, _, rest = deed.partition(" ")
    if verb[-1] == "y" and verb[-2] not in "aeiou":
        verb = verb[:-1] + "ies"
    else:
        verb += "es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s"
    return ("%s %s" % (verb, rest)).rstrip()


def line(rng, system, one, fighters, present):
    """What somebody says he does."""
    foes = [p for p in present if p.side != one.side]
    target = rng.choice(foes)
    several = rng.sample(foes, min(len(foes), rng.randint(1, 3)))
    names = several[0].who if len(several) == 1 else ", ".join(s.who for s in several[:-1]) + " and " + several[-1].who
    offered = deeds(rng, system, fighters[one.kind], target.who, rng.choice([names, target.side]))
    deed = rng.choice(offered)
    said = third_person(deed)
    chance = rng.random()
    single = " then " not in deed
    if chance < 0.06 and single:
        said += " else " + inflected(rng.choice([d for d in offered if " then " not in d]))
    elif chance < 0.12 and single:
        said += " when %s is able" % rng.choice(present).who
    elif chance < 0.16 and deed.startswith("attack ") and single:
        said += " then %s" % rng.choice(foes).who
    elif chance < 0.20 and single:
        said += " as soon as %s %s" % (target.who, rng.choice(["moves", "attacks", "charges", "casts"]))
    elif chance < 0.30 and system.HELD and single:
        said += rng.choice([" from segment %d" % rng.randint(1, 12), " after %s" % target.side])
    return "    %s %s" % (one.who, said)


# ---- the encounter ----

def muster(rng, sides):
    """Who is there: lines `side ..`, and everybody. No kind stands on two sides: its followers would be ambiguous."""
    shuffled = rng.sample(KINDS, len(KINDS))
    lines, present = [], []
    for n, side in enumerate(sides):
        room, members = rng.randint(1, 8), []
        for kind in shuffled[n::len(sides)]:
            count = min(room, rng.randint(0 if members else 1, 3))
            room -= count
            if count:
                members.append(kind if count == 1 else "%d %ss" % (count, kind))
                present += [Present(side, kind, kind if count == 1 else "%s #%d" % (kind, i + 1)) for i in range(count)]
        lines.append("  side %s: %s" % (side, ", ".join(members)))
    return lines, present


def scene(rng, system):
    lines = some(rng, 0.9, "distance: %d ft" % rng.choice([5, 5, 5, 10, 20, 30, 60]))
    lines = lines or list(system.far)
    lines += some(rng, 0.3, "surroundings: %s" % rng.choice(["outdoors", "outdoors, night", "dungeon"])) + some(rng, 0.1, "scale: 30 ft")
    said = system.scene(rng)
    if "already met: yes" in said and not any(l.startswith("distance:") for l in lines):
        lines = ["distance: 10 ft"] + lines     # nobody rolls it then
    return ["  " + l for l in lines + said]


def hand(rng, system, present):
    """What the referee does himself as a round begins."""
    one = rng.choice(present)
    return ["    " + l for l in some(rng, 0.04, "change %s's hit points by %d" % (one.who, rng.randint(-4, 4)), "set %s's awake = yes" % one.who,
                                     "referee: leave (%s)" % one.who, "add %s to %s's knows" % (rng.choice(SPELLS), one.who),
                                     "2 rats join %s" % one.side) + system.hand(rng, present)]


def watch(system):
    """Rules that see what must never be. Each act sees the world as its own moment has it: whoever acts is able to."""
    lines = ["    whenever %s { note \"broken: {combatant}: %s\" }" % never for never in system.NEVER]
    lines += ["    before %s when actor is not able%s { note \"broken: {actor} cannot act, and does: %s\" }" % (act, system.UNABLE_BUT, act)
              for act in sorted(system.actions - set(IDLE) - set(system.STRUCK_FIRST))]
    return ["  rule watch \"soak\" {"] + lines + ["  }"]


def settings(rng, system, share):
    return [(o, rng.choice(values)) for o, values in system.options.items() if rng.random() < share]


def things(system, batch):
    """Everything outside the encounters, which the fights of one batch share: the lines, and the fighters by kind."""
    rng = random.Random("%s batch %d" % (system.name, batch))
    set_options = ["%s: %s" % s for s in settings(rng, system, rng.choice([0, 0.3, 1]))]
    lines = ["use %s%s" % (system.name, " with { %s }" % "; ".join(set_options) if set_options else "")]
    lines += list(system.things(rng)) + list(weapons(rng, system)) + list(spells(rng, system))
    lines.append("monster rat { %s }" % system.block("combatant", [("hit points", 2), ("attacks", "bite 1d2")]))
    fighters = system.fighters = {}
    for kind in KINDS:
        fighters[kind], said = fighter(rng, system, kind)
        lines.append(said)
    for n, kind in enumerate(KINDS):
        lines += policy(rng, system, fighters[kind], KINDS[:n])
    return lines, fighters


def encounter(system, number, fighters):
    """The lines of fight `number`."""
    rng = random.Random("%s %d" % (system.name, number))
    native = getattr(system, "native", False)
    sides = ["reds", "blues", "greens"] if rng.random() < 0.12 else ["reds", "blues"]
    musters, present = muster(rng, sides)
    lines = ["encounter soak %s {" % NUMBERS[number % BATCH]] + musters + scene(rng, system)
    lines += ["  set option %s = %s" % s for s in settings(rng, system, rng.choice([0, 0.2, 0.5]))]
    for side in sides:
        lines += ["  " + l for l in system.side(rng, side, [s for s in sides if s != side])]
    for one in present:
        lines += ["  %s's hit points: %d" % (one.who, rng.randint(1, 30))] if rng.random() < 0.1 and not native else []
    lines += watch(system)
    for block in [m for m in system.MOMENTS if rng.random() < 0.4] + ["round %d" % r for r in range(1, rng.randint(1, 4))]:
        lines.append("  %s {" % block)
        lines += hand(rng, system, present) if block.startswith("round") else []
        for one in present:
            for _ in range(rng.choice([0, 0, 0, 1, 1, 2])):
                lines.append(line(rng, system, one, fighters, present))
        lines.append("  }")
    for kind in sorted({p.kind for p in present}):
        if rng.random() < 0.95:
            alone = sum(p.kind == kind for p in present) == 1
            lines.append("  %s %s %s's way" % (kind if alone else kind + "s", "follows" if alone else "follow", kind))
    lines += ["  until %s" % " or ".join("%s are down" % s for s in sides[:2])] if rng.random() < 0.95 else []
    return lines + ["}"]


def script(system, numbers):
    """The lines of these fights, all of one batch."""
    lines, fighters = things(system, numbers[0] // BATCH)
    for number in numbers:
        lines += encounter(system, number, fighters)
    return lines
