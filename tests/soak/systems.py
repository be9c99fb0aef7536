"""systems.py - what the random fights of soak.py may draw on under each system: fields of stat
blocks, further things, deeds, choices, the referee's hand, and what may never be true."""

import json
import os
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build/fray")))

MELEE = ["long sword", "short sword", "spear", "battle axe", "club"]
MISSILE = ["long bow", "light crossbow", "sling"]
THROWN = ["dart", "javelin"]
SPELLS = ["sleep", "fire bolt", "hold person", "spark"]


def objects(topic, system):
    out = subprocess.run([FRAY, "show", "--json", topic, "--rules=" + system], stdout=subprocess.PIPE, timeout=60).stdout
    return [json.loads(line) for line in out.decode().splitlines()]


def some(rng, share, *offers):
    """Each of the offers with that probability."""
    return [o for o in offers if rng.random() < share]


class System:
    """A system as `fray show` tells it; its subclasses know what only this one has."""

    MOMENTS = []        # blocks of a script before round 1
    ASKED = {}          # choices of the rules, and what a policy may answer
    CONDITIONS = []
    # (a condition, what to call it): true at no moment, nor in the view of one of several who act together
    NEVER = []
    UNABLE_BUT = ""     # in which case those who are not able act all the same
    STRUCK_FIRST = ()   # acts before which others may strike: the act may be over before it is begun
    FLOORED = ()        # ends of changed things that never go below 0
    DOWN = ("death",)   # events after which nobody acts, but in the same moment
    HELD = False        # acts may be held: from a moment, behind others
    EARLIEST = 0        # the moment before which nothing of a round is told: its beginning
    far = ()            # what says how far apart the sides are, where that may not be left out
    near = False        # fights are short: who fights is to be ready for it, and within reach

    def __init__(self, name):
        self.name = name
        self.actions = {o["action"] for o in objects("actions", name)}
        self.fields = {}
        for o in objects("fields", name):
            self.fields.setdefault(o["kind"], set()).add(o["field"])
        self.fighters = {}      # of the fights in hand, by kind
        self.options = {}
        for o in objects("options", name):
            self.options.setdefault(o["option"], []).append(o["value"])

    def block(self, kind, fields):
        """The fields of a stat block that this system knows."""
        known = self.fields.get(kind, set())
        return "; ".join("%s: %s" % (f, v) for f, v in fields if f in known)

    def asked(self, _fighter):
        """The choices of the rules, and what the policy of a fighter may answer."""
        return self.ASKED

    def things(self, _rng):
        """Lines of the file for further things."""
        return []

    def weapon(self, _rng, _name):
        return []

    def spell(self, _rng, _name):
        return []

    def effects(self, _rng):
        """(when, what) spells may bring about, beyond the common."""
        return []

    def fighter(self, _rng, _kind):
        return []

    def carried(self, _rng, _kind):
        return []

    def side(self, _rng, _side, _others):
        """Lines of the encounter about a side."""
        return []

    def scene(self, _rng):
        """Lines of the encounter."""
        return []

    def deeds(self, _rng, _fighter, _target):
        """What a fighter of this system may do besides what all systems have."""
        return []

    def hand(self, _rng, _present):
        """Lines by which the referee takes a hand in a round."""
        return []


class Osric(System):
    MOMENTS = ["surprise segment 1", "surprise segment 2"]
    ASKED = {"abandon": ["yes", "no"], "meet the charge": ["yes", "no"], "strike at the back": ["yes", "no"]}
    DOWN = ("death", "fall")
    UNABLE_BUT = " and actor's down since <> now"      # OSRIC-TIE-3
    HELD = True

    def fighter(self, rng, _kind):
        return [("surprises", rng.choice([2, 2, 3, 4])), ("never surprised", rng.choice(["no", "no", "no", "yes"])),
                ("surprise bonus", rng.randint(-3, 3)), ("missile bonus", rng.randint(-2, 3))]

    def side(self, rng, side, others):
        return some(rng, 0.15, "%s's alerted: yes" % side, "%s's surprised on: %d" % (side, rng.randint(0, 5)))

    def scene(self, rng):
        return some(rng, 0.3, "first in ties: reds")

    def deeds(self, rng, fighter, target):
        return ["set %s" % fighter.melee, "attack someone"]


class Lite(System):
    MOMENTS = ["surprise segment 1", "surprise segment 2", "surprise segment 3"]
    ASKED = {"dodge": ["yes", "no"], "withdraw": ["yes", "no"]}
    FLOORED = ("'s answers left",)
    NEVER = [("combatant's spells done > 2", "more than two spells in a round")]

    def things(self, rng):
        return ["device wand { activation time: %d segments; on affect { change victim's hit points by -2 } }" % rng.randint(1, 12),
                "psionic mode thrust { cost: %d }" % rng.randint(1, 5), "psionic mode crush { cost: %d }" % rng.randint(1, 8),
                "psionic mode barrier { cost: %d }" % rng.randint(0, 3), "psionic mode wall { cost: 1 }",
                "table losses (attack, defense) {", "  : barrier, wall", "  thrust: %d, %d" % (rng.randint(0, 9), rng.randint(0, 9)),
                "  crush: %d, %d" % (rng.randint(0, 9), rng.randint(0, 9)), "}",
                "rule what minds lose \"soak\" {", "  define points lost (attack, defense) = %s" % rng.choice([0, 0, 5, "none"]),
                "  define points lost (attack, defense) = losses (attack, defense) when defense is not none", "}"]

    def weapon(self, rng, _name):
        found = [("strikes first", "yes")] if rng.random() < 0.1 else []
        found += [("fires in surprise", "yes")] if rng.random() < 0.15 else []
        found += [("incidental damage", "1d6"), ("incidental on", rng.randint(14, 20))] if rng.random() < 0.15 else []
        return found

    def spell(self, rng, _name):
        return [("cantrip", rng.choice(["no", "no", "yes"])), ("save allowed", rng.choice(["no", "yes"]))]

    def effects(self, rng):
        return [("affect", "set victim's awake = no"), ("affect", "change victim's hit points by -3"),
                ("affect", "set victim's hasted = yes")]

    def fighter(self, rng, kind):
        found = [("surprised on", rng.choice([2, 2, 1, 3])), ("surprise faces", rng.choice([6, 6, 6, 8, 10, 12])),
                 ("less often surprised", rng.choice([0, 0, 0, 1])), ("surprises more often", rng.choice([0, 0, 0, 1])),
                 ("gear", rng.choice(["light gear", "heavy gear", "very heavy gear", "encumbered"])), ("quadruped", rng.choice(["no", "no", "yes"])),
                 ("move", "%d\"" % rng.choice([3, 6, 9, 12, 15])), ("initiative faces", rng.choice([6, 6, 6, 6, 8])),
                 ("saving throw", rng.randint(5, 20)), ("missiles ready", rng.choice(["no", "yes"]))]
        if rng.random() < 0.7:
            found = [f for f in found if f[0] != "gear"]
        if rng.random() < 0.3:
            found.append(("routines in even rounds", rng.randint(1, 3)))
        if kind in ("adept", "mage") or rng.random() < 0.1:
            found += [("attack strength", rng.randint(5, 60)), ("defense strength", rng.randint(5, 60)),
                      ("attack mode", rng.choice(["thrust", "crush"]))]
            found += [("defense mode", rng.choice(["barrier", "wall"]))] if rng.random() < 0.8 else []
        return found

    def carried(self, rng, kind):
        return ["wand"] if kind == "mage" else []

    def side(self, rng, side, _others):
        return some(rng, 0.1, "%s's may be surprised: no" % side)

    def scene(self, rng):
        return some(rng, 0.4, "setting: outdoors")

    def deeds(self, rng, fighter, target):
        found = ["decide later"] if rng.random() < 0.1 else []
        found += ["contend with %s" % target] * (2 if fighter.kind in ("adept", "mage") else 0)
        found += ["use wand at %s" % target] if fighter.kind == "mage" else []
        if fighter.kind == "mage" and rng.random() < 0.5:
            found.append("cast %s at %s then cast %s at %s" % (rng.choice(fighter.knows), target, rng.choice(fighter.knows), target))
        return found


class Proc(System):
    MOMENTS = ["surprise segment 1", "surprise segment 2"]
    ASKED = {"follow": ["yes", "no"], "parry": ["yes", "no"], "parting blow": ["yes", "no"], "rally": ["yes", "no"],
             "stand firm": ["yes", "no"], "drive off": ["yes", "no"], "overcome": ["yes", "no"], "dodge": ["yes", "no"],
             "seize": ["yes", "no"]}
    CONDITIONS = ["my braced", "me is surprised", "my routines left > 0", "my morale due"]
    FLOORED = ("'s routines left",)
    STRUCK_FIRST = ("flee", "disengage")
    NEVER = [("combatant's left < 0 segments", "time left of an act")]
    DOWN = ("death", "fall")

    def things(self, rng):
        return ["device wand { usage time: %d segments }" % rng.randint(1, 14), "device horn { usage time: 1 segment }"]

    def weapon(self, rng, _name):
        return [("set multiplier", rng.choice([1, 1, 2])), ("fetching time", "%d segments" % rng.randint(1, 4))]

    def effects(self, rng):
        return [("effect", "each foe in target where foe is able { change foe's morale modifier by 10 }"),
                ("effect", "each foe in target where foe is able { set foe's visible = no }")]

    def fighter(self, rng, kind):
        found = [("role", rng.choice(["pc", "henchman", "hireling", "monster", "npc", "monster"])), ("reaction", rng.randint(-2, 3)),
                 ("intelligent", rng.choice(["yes", "yes", "no"])), ("light gear", rng.choice(["yes", "yes", "no"])),
                 ("dexterity defence", rng.randint(0, 3)), ("gait", rng.choice(["biped", "biped", "quadruped"])),
                 ("move", "%d\"" % rng.choice([3, 6, 9, 12, 15])), ("dithers", rng.choice([0, 0, 0, 7, 13, 20])),
                 ("psionic", "yes" if kind in ("adept", "captain") else "no"), ("leads", "yes" if kind == "captain" else "no")]
        found += [("needs", rng.randint(5, 19))] if rng.random() < 0.4 else []
        found += [("sweep", rng.randint(0, 3))] if rng.random() < 0.15 else []
        found += [("morale group", rng.choice(["band", "\"%s\"" % kind]))] if rng.random() < 0.6 else []
        found += [("loyalty", rng.randint(20, 90))] if rng.random() < 0.2 else []
        found += [("morale target", rng.randint(10, 80))] if rng.random() < 0.2 else []
        return found

    def carried(self, rng, kind):
        return ["wand", "horn"] if kind in ("mage", "adept") else []

    def side(self, rng, side, others):
        return some(rng, 0.12, "%s's may be surprised: no" % side, "%s's surprised on: %d" % (side, rng.randint(1, 5)),
                    "%s's surprise die: 1d8" % side, "%s's surprise chance: %d%%" % (side, rng.randint(5, 60)),
                    "%s's reaction modifier: %d" % (side, rng.randint(-30, 10)), "%s's overawed: yes" % side,
                    "set detected (%s, %s) = yes" % (side, rng.choice(others)))

    def scene(self, rng):
        return some(rng, 0.25, "already met: yes", "distance given: yes", "reaction note: \"they are wary\"")

    def deeds(self, rng, fighter, target):
        found = ["reposition", "fall back", "disengage", "avoid", "set %s" % fighter.melee, "grapple %s" % target, "turn %s" % target,
                 "bind %s" % (rng.choice(["me", target]) if target.startswith("my") else target), "draw %s" % fighter.melee, "fetch %s" % fighter.melee, "prepare blow", "prepare move"]
        if fighter.kind in ("mage", "adept"):
            found += ["use wand at %s" % target] * 3 + ["handle horn", "prepare spell", "finish %s at %s" % (rng.choice(SPELLS), target)]
        if fighter.kind in ("adept", "captain"):
            found += ["assail %s" % target] * 3
        if fighter.missile:
            found += ["prepare shot"]
        if fighter.knows:
            found += ["cast %s" % rng.choice(fighter.knows)]
        return found + some(rng, 0.1, "explore", "travel", "tie up %s" % target)

    def hand(self, rng, present):
        who = rng.choice(present).who
        return some(rng, 0.06, "set %s's morale due = yes" % who, "set %s's cancelled = yes" % who, "set %s's dithers = %d" % (who, rng.randint(0, 30)))


class Crucible(System):
    MOMENTS = ["surprise round 1"]
    far = ("distance: 10 ft",)
    EARLIEST = -3       # counts go below one: a face of 1, less the best dexterity that is drawn
    ASKED = {"first blow": ["yes", "no"], "follow": ["yes", "no"], "opportunity": ["yes", "no"], "think again": ["yes", "no"]}
    CONDITIONS = ["my movement left > 5 ft", "my attacked", "me is hurt", "me is holding", "any (foe in my enemies where foe is able and distance (foe, me) <= my reach)"]
    NEVER = [("combatant's openings > 1", "more than one opening in a round"),
             ("combatant is attacked and combatant is cast", "an attack and a spell in one round")]
    FLOORED = ("'s openings", "'s moved", "'s way")
    DOWN = ("death", "fall")

    def weapon(self, rng, name):
        return [("open hand", "yes")] if name == "club" and rng.random() < 0.3 else []

    def spell(self, rng, _name):
        return [("casting time", "%d counts" % rng.randint(1, 20)), ("duration", "%d %s" % (rng.randint(1, 3), "rounds"))]

    def effects(self, rng):
        return [("effect", "each foe in target where foe is able { compel (foe, \"%s\") }" % rng.choice(["flees", "falls back", "disengages", "surrenders"])),
                ("effect", "each foe in target where foe is able { impaired (foe) }"),
                ("effect", "each foe in target where foe is able { morale (foe, \"%s\") }" % rng.choice(["flees", "falls back", "disengages"]))]

    def fighter(self, rng, kind):
        found = [("role", rng.choice(["pc", "npc", "monster"])), ("race", rng.choice(["human", "elf", "halfling", "dwarf", "orc"])),
                 ("on point", rng.choice(["no", "no", "no", "yes"])), ("old surprise", rng.choice([6, 6, 8, 10, 12])),
                 ("dexterity initiative", rng.randint(-2, 3)), ("dexterity armour", rng.randint(0, 3)), ("reach", "%d ft" % rng.choice([5, 5, 5, 10, 15])),
                 ("load", "%d lb" % rng.choice([10, 40, 80, 120])), ("weight allowance", "%d lb" % rng.choice([0, 10, 40])),
                 ("bulk", "%d lb" % rng.choice([0, 0, 20])), ("level", rng.randint(1, 15)), ("missile ready", rng.choice(["no", "yes"])),
                 ("extra shot", rng.choice(["no", "no", "yes"])), ("parry", rng.randint(0, 4))]
        found += [("class", rng.choice(["fighter", "paladin", "ranger", "monk"]))] if rng.random() < 0.5 else []
        found += [("attack rate", rng.randint(1, 6))] if rng.random() < 0.25 else []
        found += [("pace", rng.randint(0, 12))] if rng.random() < 0.25 else []
        found += [("held to", "%d ft" % rng.choice([5, 10]))] if rng.random() < 0.1 else []
        found += [("lane", "%d ft" % (5 * rng.randint(0, 4)))] if rng.random() < 0.3 else []
        return found

    def side(self, rng, side, _others):
        return ["%s's run by: %s" % (side, rng.choice(["players", "dm"]))] + some(
            rng, 0.15, "%s's surprise modifier: %d" % (side, rng.randint(-4, 6)), "%s's dexterity: %d" % (side, rng.randint(-2, 3)),
            "%s's group roll: yes" % side) + some(rng, 0.05, "%s's ruled surprised: yes" % side)

    def deeds(self, rng, fighter, target):
        d = "%d ft" % (5 * rng.randint(1, 6))
        way = rng.choice(["toward", "from", "past"])
        found = ["go %s %s %s" % (d, way, target), "circle %s" % d, "step %s %s" % (rng.choice(["toward", "from"]), target),
                 "run %s %s %s" % ("%d ft" % (10 * rng.randint(1, 12)), way, target), "fall back %s from %s" % (rng.choice(["5 ft", "10 ft", "15 ft"]), target),
                 "disengage %s from %s" % (d, target), "parry", "hold fire", "attack someone",
                 "move toward %s then attack %s" % (target, target), "go 5 ft toward %s then attack %s then go 5 ft from %s" % (target, target, target),
                 "circle 10 ft then attack %s" % target, "attack %s then fall back 5 ft from %s" % (target, target)]
        if fighter.missile:
            found += ["shoot %s at %s then move 5 ft toward %s" % (fighter.missile, target, target)]
        if fighter.knows:
            found += ["cast %s at %s then go 5 ft from %s" % (rng.choice(fighter.knows), target, target)]
        return found

    def hand(self, rng, present):
        one = rng.choice(present)
        outcome = rng.choice(["flees", "falls back", "disengages", "surrenders", "holds"])
        return some(rng, 0.06, "referee: morale (%s, \"%s\")" % (one.who, outcome), "referee: group morale (%s, \"%s\")" % (one.side, outcome),
                    "referee: rally (%s)" % one.who, "referee: impaired (%s)" % one.who, "referee: drop things (%s)" % one.who)


class Dew(System):
    ASKED = {"let go of": ["yes", "no", "no"], "lie down": ["yes", "no", "no", "no"], "become alert": ["yes", "no"],
             "stop being alert": ["yes", "no"], "save a reactive blow": ["yes", "no"]}
    CONDITIONS = ["my EN <= 3", "my EN > 6", "me is alert", "me is not alert", "my active left >= 2", "my fallen", "me is hampered",
                  "my weapon's ready preparations > 0"]
    NEVER = [("combatant's active left < 0", "active blows below nothing"), ("combatant's reactive left < 0", "reactive blows below nothing"),
             ("combatant's active owed > combatant's active blows", "more active blows borrowed than there are"),
             ("combatant's reactive owed > combatant's reactive blows", "more reactive blows borrowed than there are"),
             ("combatant's EN this phase > combatant's EN limit", "more EN than a phase allows"),
             ("combatant's EN paid > 0 and base combatant's EN - combatant's EN paid < 0", "EN paid below nothing"),
             ("free hands (combatant) < 0", "more in hand than there are hands"),
             ("combatant's moved > combatant's move", "moved further than the whole distance")]
    FLOORED = ("'s blows", "'s active left", "'s reactive left", "'s EN this phase", "'s EN paid", "'s preparations", "'s encumbrance")
    FOREIGN = 0.3       # share of the fights with people of another system, converted

    def __init__(self, name):
        super().__init__(name)
        self.native = True      # settled anew for each fight, by its first lines

    def asked(self, fighter):
        return dict(self.ASKED, parry=[w for w in fighter.carried if w in MELEE + ["shield", "flail"]] * 3 + ["none"])

    def things(self, rng):
        self.native = rng.random() >= self.FOREIGN
        apart, gap = (2, 6) if self.near else (5, 30)
        contact = "rule contact \"soak\" { after set up { each one in combatants { each foe in one's enemies where range (one, foe) is none"
        return ["weapon shield { shield: yes; modifier: -%d; parry: %d; breakage: %d; shortest: 0; longest: 2 }" % (
                    rng.randint(1, 3), rng.randint(1, 5), rng.randint(1, 12)),
                "weapon flail { flexible: yes; damage: 1d6; breakage: 4 }", "armour chain { WT: %d; basic encumbrance: %d }" % (rng.randint(2, 9), rng.randint(1, 12)),
                contact + " { set range (one, foe) = %d; set gap (one, foe) = %d\" } } } }" % (rng.randint(0, apart), rng.randint(1, gap))]

    def weapon(self, rng, name):
        short = rng.randint(0, 0 if self.near else 3)
        found = [("class", rng.choice(["light", "medium", "medium", "heavy"])), ("number", rng.randint(9, 18)), ("breakage", rng.randint(0, 60)),
                 ("parry", rng.randint(0, 4)), ("parry for others", rng.randint(0, 2)), ("thrusting", rng.choice(["no", "no", "yes"])),
                 ("shortest", short), ("longest", min(6, short + rng.randint(0, 4)))]
        found += [("thrust parry", rng.randint(0, 3))] if rng.random() < 0.3 else []
        if name in MISSILE + THROWN:
            found += [("first band", "%d\"" % rng.randint(3, 10)), ("second band", "%d\"" % rng.randint(11, 20)), ("third band", "%d\"" % rng.randint(21, 50)),
                      ("second number", rng.randint(12, 18)), ("third number", rng.randint(14, 20)), ("thrown skill", rng.randint(0, 2)),
                      ("bow", "yes" if name == "long bow" else "no")]
        return found

    def spell(self, rng, _name):
        return [("EN", rng.randint(0, 6))]

    def effects(self, rng):
        return [("effect", "each foe in target where foe is able { change foe's EN lost by 3 }"), ("effect", "each foe in target { set foe's knocked out = yes }"),
                ("effect", "each foe in target where foe is able { trip (foe) }")]

    def fighter(self, rng, kind):
        found = [("EL", rng.randint(1, 4)), ("EN die", rng.choice(["d6", "d6", "d6+2", "d6+4"])), ("EN", rng.randint(1, 20)), ("BD", rng.randint(3, 12)),
                 ("ST", rng.randint(3, 18)), ("DX", rng.randint(3, 18)), ("active blows", rng.randint(0, 4)), ("reactive blows", rng.randint(0, 4)),
                 ("AC", rng.randint(3, 9)), ("first modifier", -rng.randint(0, 3)), ("second modifier", rng.randint(0, 2)),
                 ("critical number", rng.randint(5, 12)), ("hourly", rng.randint(0, 4)), ("alert", "no" if kind in ("archer", "mage") and rng.random() < 0.7 else
                                                                                         rng.choice(["yes", "yes", "yes", "no"])),
                 ("fallen", rng.choice(["no", "no", "no", "yes"])), ("move", "%d\"" % rng.choice([0, 3, 6, 9, 12])), ("position", rng.randint(-10, 20)),
                 ("aside", rng.choice([0, 0, rng.randint(-8, 8), "%d/%d" % (rng.randint(-30, 30), rng.randint(1, 13))])),
                 ("inanimate", rng.choice(["no"] * 9 + ["yes"])), ("WT", rng.randint(8, 15))]
        if self.near:
            found += [("alert", rng.choice(["yes"] * 9 + ["no"])), ("active blows", rng.randint(1, 4)), ("EN", rng.randint(4, 20)), ("aside", 0), ("position", 0)]
        return found

    def carried(self, rng, kind):
        found = some(rng, 0.4, "shield", "chain", "flail")
        return [c + (" with { sheathed: yes }" if c != "chain" and rng.random() < 0.3 else "") for c in found]

    def deeds(self, rng, fighter, target):
        own = fighter.missile or fighter.melee
        grip = rng.choice(["", " in two hands", " in one hand"])
        found = ["attack %s with %s" % (target, own), "prepare %s%s" % (own, grip), "prepare %s%s" % (fighter.melee, grip), "draw %s" % fighter.melee,
                 "drop %s" % fighter.melee, "take %s%s" % (fighter.melee, grip or " in two hands"), "say \"have at you\"", "pass", "pass",
                 "close %s" % target, "open %s" % target, "step close %s" % target, "step open %s" % target, "change range %s to %d" % (target, rng.randint(0, 7)),
                 "run %d\" toward %s" % (rng.randint(0, 12), target), "run %d\"" % rng.randint(0, 12), "rest", "work",
                 "head for %d" % rng.randint(-12, 24), "head for %d by %d" % (rng.randint(-12, 24), rng.randint(-8, 8)), "chase %s" % target, "await %s at %d\"" % (target, rng.randint(0, 6)), "await %s" % target,
                 "walk %d\"" % rng.randint(0, 12)]
        there = self.fighters.get(target.split(" #")[0])
        arms = [c for c in there.carried if c != "chain"] if there else []
        if arms:
            found += ["grab %s's %s" % (target, rng.choice(arms))] * 2
        if "shield" in fighter.carried:
            found += ["drop shield", "take shield in one hand", "draw shield"]
        if "chain" in fighter.carried:
            found += ["adjust chain"] * 2
        return found

    def hand(self, rng, present):
        who = rng.choice(present).who
        return some(rng, 0.05, "set %s's alert = %s" % (who, rng.choice(["yes", "no"])), "set %s's fallen = yes" % who, "change %s's EN by -2" % who)


SYSTEMS = {"osric": Osric, "lite": Lite, "proc": Proc, "crucible": Crucible, "dew": Dew}


def system(name):
    return SYSTEMS.get(name, System)(name)
