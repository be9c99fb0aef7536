#!/usr/bin/env python3
"""t_vocabulary.py - the vocabulary of each system, line by line: what holds where nothing is said, and what is said of the rest.

A line has what it is of, its name, what must hold of the bare script (or None: it is fixed, or shown by a wrong value
alone), and values that are outside it, each with where it is written and the code that it is told. A code alone stands
for a field that may not be left out: the script without it is told so. NEEDED is what the message has to name."""

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from tap import check, end

FRAY = os.path.abspath(os.environ.get("FRAY", "build/debug/fray"))

# the bare script of each system; %(x)s are the places where something may be written
SCRIPT = {
    "osric": """use osric
%(top)s
weapon stick { %(weapon)s }
weapon bow { missile: yes; %(bow)s }
spell spark { %(spell)s on effect { note "it sparks" } }
combatant Ann { hit points: 5; weapon: stick; carries: bow; knows: spark; %(one)s }
combatant Ben { %(bare)s }
encounter e {
  side a: Ann
  side b: Ben
  %(scene)s
  dice: a's surprise die 5, b's surprise die 6
  round 1 {
    dice: a's initiative 5, b's initiative 2
    %(line)s; Ben waits
%(expect)s  }
}
""",
    "lite": """use lite
%(top)s
weapon stick { %(weapon)s }
weapon bow { missile: yes; %(bow)s }
device wand { on affect { note "it works" } }
spell spark { %(spell)s on affect { note "it sparks" } }
psionic mode thrust { cost: 1 }
combatant Ann { hit points: 5; weapon: stick; carries: bow, wand; knows: spark; %(one)s }
combatant Ben { %(bare)s }
encounter e {
  side a: Ann
  side b: Ben
  %(scene)s
  dice: a's surprise roll 5, b's surprise roll 6
  round 1 {
    dice: a's initiative 5, b's initiative 2
    %(line)s; Ben talks
%(expect)s  }
}
""",
    "proc": """use proc
%(top)s
weapon stick { damage: 1d4; %(weapon)s }
weapon bow { damage: 1d6; missile: yes; %(bow)s }
device wand { %(device)s on work { note "it works" } }
spell spark { %(spell)s on effect { note "it sparks" } }
combatant Ann { hit points: 5; weapon: stick; carries: bow, wand; knows: spark; %(one)s }
combatant Ben { hit points: 5; %(bare)s }
encounter e {
  side a: Ann
  side b: Ben
  already met: yes
  distance: 5 ft
  %(scene)s
  round 1 {
    dice: a's initiative 5, b's initiative 2
    %(line)s; Ben waits
%(expect)s  }
}
""",
    "crucible": """use crucible
%(top)s
weapon stick { damage: 1d4; %(weapon)s }
weapon bow { damage: 1d6; missile: yes; %(bow)s }
spell spark { %(spell)s on effect { note "it sparks" } }
combatant Ann { hit points: 5; weapon: stick; carries: bow; knows: spark; %(one)s }
combatant Ben { hit points: 5; %(bare)s }
encounter e {
  side a: Ann
  side b: Ben
  distance: 5 ft
  %(scene)s
  dice: a's surprise die 8, b's surprise die 8
  round 1 {
    dice: a's initiative 5, b's initiative 2
    %(line)s; Ben waits
%(expect)s  }
}
""",
    "dew": """use dew
%(top)s
weapon stick { %(weapon)s }
armour coat { encumbrance: 3; %(armour)s }
spell spark { %(spell)s on effect { note "it sparks" } }
combatant Ann { carries: stick, coat; knows: spark; %(one)s }
combatant Ben { %(bare)s }
encounter e {
  side a: Ann
  side b: Ben
  %(scene)s
  round 1 {
    %(line)s; Ben passes
%(expect)s  }
}
""",
}
REST = {"osric": "Ann waits", "lite": "Ann talks", "proc": "Ann waits", "crucible": "Ann waits", "dew": "Ann passes"}

# the whole script of what may not be left out: a line of it is taken away
WITHOUT = {
    "hit points": ("combatant Ben { hit points: 5;", "combatant Ben {"),
    "damage": ("weapon stick { damage: 1d4;", "weapon stick {"),
    "damage of what is carried": ("weapon bow { damage: 1d6;", "weapon bow {"),
    "distance": ("  distance: 5 ft\n", ""),
}

VOCABULARY = {
    "osric": [
        ("encounter", "round, segment, turn", "1 round = 60 seconds and 1 segment = 6 seconds and 1 turn = 600 seconds", []),
        ("encounter", "distance", "encounter's distance = 10 ft and distance (Ann, Ben) = 10 ft",
         [("scene", "distance: -5 ft", "F0611 apart"), ("scene", "distance: 5 lb", "F0332"), ("scene", "scale: 0 ft", "F0611 inch")]),
        ("side", "name, members", "count (one in a's members) = 1", [("scene", "side c: Nobody", "F0501")]),
        ("side", "surprise range", "a's surprise range = 2", [("scene", "a's surprised on: 7", "F0611 a is surprised on 7"), ("scene", "a's surprised on: -1", "F0611")]),
        ("side", "alerted", "not a's alerted", [("scene", "a's alerted: perhaps", "F0361")]),
        ("side", "surprise roll, initiative roll", "a's surprise die = 5 and a's initiative = 5",
         [("scene", "a's surprise die: 3", "F0557 dice: a's surprise die 3"), ("scene", "a's initiative: 3", "F0557"), ("scene", "dice: a's initiative 7", "F0516")]),
        ("combatant", "hit points", "Ben's hit points = 1", [("bare", "hit points: 5 ft", "F0332"), ("bare", "hit points: 1/2", "F0355")]),
        ("combatant", "armour class", "Ann's armour class = 10", [("one", "armour class: low", "F0361")]),
        ("combatant", "armour worn", None, [("top", "armour coat { armour class: 4 }", "F0437 use shelf")]),
        ("combatant", "THAC0", "Ann's THAC0 = 20", [("one", "THAC0: good", "F0361")]),
        ("combatant", "Dexterity surprise bonus", "Ann's surprise bonus = 0", [("one", "surprise bonus: 1 segment", "F0332")]),
        ("combatant", "Dexterity missile bonus", "Ann's missile bonus = 0", [("one", "missile bonus: 1/2", "F0381")]),
        ("combatant", "surprises others on", "Ann's surprises = 2 and not Ann's never surprised", [("one", "surprises: 7", "F0371 Ann surprises on 7"), ("one", "surprises: -1", "F0371")]),
        ("combatant", "missile weapon in hand", "Ann is not holding a missile weapon", []),
        ("combatant", "movement rate", "Ann's movement rate = 120 ft", [("one", "movement rate: -10 ft", "F0371 -10 ft"), ("one", 'movement rate: 12"', "F0332")]),
        ("combatant", "attack routines", "Ann's attack routines = 1 and Ann's routines = 1", [("one", "attack routines: 0", "F0371 0 attack routines"), ("one", "attack routines: 3/2", "F0381")]),
        ("combatant", "hasted", "not Ann's hasted", [("one", "hasted: very", "F0361")]),
        ("combatant", "weapon set against a charge", "Ann's action is not set", []),
        ("routine", "list of attacks", "no (blow in Ben's attacks)", [("one", "attacks: 3", "F0332")]),
        ("weapon", "kind, damage", "stick is not missile and stick's damage is none", [("weapon", "damage: 5", "F0332"), ("weapon", "missile: perhaps", "F0361"), ("weapon", "kind: missile", "F0207")]),
        ("weapon", "rate of fire", "bow's rate of fire = 1", [("bow", "rate of fire: 0", "F0371 rate of fire of 0")]),
        ("spell", "casting time", "spark's casting time = 1 segment",
         [("spell", "casting time: -2 segments;", "F0611 casting time of -2 segments"), ("spell", "casting time: 10 seconds;", "F0611 whole number of segments"), ("spell", "casting time: 2;", "F0332")]),
        ("spell", "effect", None, [("spell", "on efect { note \"it sparks\" };", "F0209 F0210")]),
        ("action", "kind", "Ann's action is wait", [("line", "Ann swims", "F0133")]),
        ("action", "hold until", "Ann's action's held until is none", [("line", "Ann holds until segment low", "F0205 F0206")]),
        ("action", "declines to cast", None, [("scene", "choices: Ann's abandn yes", "F0517 F0518")]),
    ],
    "lite": [
        ("encounter", "setting", "encounter's setting is indoors", [("scene", "setting: wild", "F0331")]),
        ("encounter", "distance", "distance (Ann, Ben) = 10 ft", [("scene", "distance: -5 ft", "F0611 apart")]),
        ("encounter", "surprise possible", "a is may be surprised", [("scene", "a's may be surprised: once", "F0361")]),
        ("encounter", "in melee before this round", "not began apart (Ann, Ben)", []),
        ("side", "surprise die, chance", "a's surprise range = 2 and Ann's surprised on = 2 and Ann's surprise faces = 6",
         [("one", "surprised on: 7", "F0371 on 7 in 6"), ("one", "surprised on: -1", "F0371"), ("one", "surprise faces: 0", "F0371 0 faces")]),
        ("side", "initiative die", "a's initiative dice is d6 and Ann's initiative faces = 6", [("one", "initiative faces: 12", "F0371 d6 or a d8")]),
        ("side", "surprise roll, initiative roll", "a's surprise roll = 5 and a's initiative = 5",
         [("scene", "a's surprise roll: 3", "F0557"), ("scene", "a's initiative: 3", "F0557")]),
        ("combatant", "hit points", "Ben's hit points = 1", [("bare", "hit points: many", "F0361")]),
        ("combatant", "armour class", "Ann's armour class = 10", [("one", "armour class: 5.5", "F0359")]),
        ("combatant", "armour worn", None, [("top", "armour coat { armour class: 4 }", "F0437 use shelf")]),
        ("combatant", "Dexterity part of armour class", "Ann's dexterity bonus = 0", [("one", "dexterity bonus: 2 ft", "F0332")]),
        ("combatant", "THAC0", "Ann's THAC0 = 20", [("one", "THAC0: d20", "F0332")]),
        ("combatant", "less often surprised", "Ann's less often surprised = 0", [("one", "less often surprised: 1 in 6", "F0332")]),
        ("combatant", "surprises more often", "Ann's surprises more often = 0", [("one", "surprises more often: yes", "F0332")]),
        ("combatant", "reaction adjustment", "Ann's reaction adjustment = 0", [("one", "reaction adjustment: 1 segment", "F0332")]),
        ("combatant", "attacking adjustment", "Ann's attacking adjustment = 0", [("one", "attacking adjustment: good", "F0361")]),
        ("combatant", "move", 'Ann\'s move = 12"', [("one", 'move: -3"', 'F0371 -3"'), ("one", "move: 120 ft", "F0332")]),
        ("combatant", "gear load", "Ann's load is light gear", [("one", "gear: feathers", "F0331")]),
        ("combatant", "legs", "Ann is not quadruped", [("one", "quadruped: four", "F0361")]),
        ("combatant", "attack routines", "Ann's attack routines = 1", [("one", "attack routines: -1", "F0371 -1 attack routines")]),
        ("combatant", "routine pattern", "Ann's routines in even rounds is none", [("one", "routines in even rounds: -1", "F0371 in even rounds")]),
        ("combatant", "hasted", "Ann is not hasted", [("one", "hasted: 2", "F0332")]),
        ("combatant", "strikes-first item", "stick is not strikes first", [("weapon", "strikes first: 1", "F0332")]),
        ("combatant", "psionic strengths", "Ann's attack strength is none and Ann's defense strength is none",
         [("one", "attack strength: -4", "F0371 attack strength is -4"), ("one", "defense strength: -4", "F0371 defense strength is -4")]),
        ("combatant", "psionic modes", "Ann's attack mode is none and Ann's defense mode is none", [("one", "attack mode: crush", "F0205 F0206")]),
        ("routine", "list of attacks", "no (blow in Ben's attacks)", [("one", "attacks: twice", "F0361 F0205 F0206")]),
        ("routine", "incidental damage", "stick's incidental damage is none and stick's incidental on is none", [("weapon", "incidental damage: 5", "F0332"), ("weapon", "incidental damage: 2d8", "F0611 write incidental on"), ("weapon", "incidental on: 18", "F0371 write incidental damage")]),
        ("weapon", "kind", "stick is not missile", [("weapon", "missile: nearly", "F0361")]),
        ("weapon", "speed factor", "stick's speed factor is none", [("weapon", "speed factor: -1", "F0371 speed factor of -1"), ("weapon", "speed factor: quick", "F0361")]),
        ("weapon", "length", "stick's length = 0 ft", [("weapon", "length: -1 ft", "F0371 -1 ft long"), ("weapon", "length: 3", "F0332")]),
        ("weapon", "damage", "stick's damage is none", [("weapon", "damage: 4", "F0332")]),
        ("weapon", "rate of fire", "bow's rate of fire = 1", [("bow", "rate of fire: 0", "F0371 rate of fire of 0")]),
        ("weapon", "missiles ready", "Ann is not missiles ready", [("one", "missiles ready: 3", "F0332")]),
        ("weapon", "fires in surprise", "bow is not fires in surprise", [("bow", "fires in surprise: 3", "F0332")]),
        ("spell", "casting time", "spark's casting time = 1 segment or spark's casting time is none",
         [("spell", "casting time: -2 segments;", "F0611 casting time of -2 segments"), ("spell", "casting time: 10 seconds;", "F0611 whole number of segments")]),
        ("spell", "cantrip", "spark is not cantrip", [("spell", "cantrip: twice;", "F0361")]),
        ("spell", "targets, save, effect", "spark is not save allowed", [("spell", "save allowed: half;", "F0361")]),
        ("device", "activation time", None, [("top", "device rod { activation time: 3 }", "F0332")]),
        ("action", "kind", "Ann's action is talk", [("line", "Ann swims", "F0133")]),
        ("action", "keeps casting or dodges", None, [("scene", "choices: Ann's dogde yes", "F0517 F0518")]),
        ("psionic table", "points lost, cost", None, [("top", "psionic mode crush { cost: some }", "F0361")]),
    ],
    "proc": [
        ("encounter", "place", "no (word in encounter's surroundings where word is outdoors) and encounter's scale = 10 ft", [("scene", "scale: 0 ft", "F0611 inch")]),
        ("encounter", "reaction note", "encounter's reaction note is none", [("scene", "reaction note: 3", "F0332")]),
        ("encounter", "distance", None, [("scene", "set distance (Ann, Ben) = 3 lb", "F0316 F0332")]),
        ("encounter", "round, segment", "round's number = 1", []),
        ("encounter", "resolved", "not encounter's resolved", [("scene", "resolved: nearly", "F0361")]),
        ("side", "run by", "Ann is not run by a player", [("one", "role: player", "F0331")]),
        ("side", "may be surprised", "a's may be surprised", [("scene", "a's may be surprised: once", "F0361")]),
        ("side", "has detected", "not detected (a, b)", []),
        ("side", "surprise die, surprised on", "a's surprised on = 2 and a's surprise die = 1d6 and a's surprise chance is none",
         [("scene", "a's surprised on: -1", "F0611 surprised on -1"), ("scene", "a's surprise die: 6", "F0332"), ("scene", "a's surprise chance: 2", "F0332")]),
        ("side", "initiative die", "a's initiative die = 1d6", [("scene", "a's initiative die: 6", "F0332")]),
        ("side", "initiative", "a's initiative = 5", [("scene", "a's initiative: 3", "F0557"), ("scene", "a's surprise roll: 3", "F0557"), ("scene", "a's reaction roll: 3", "F0557")]),
        ("combatant", "role", "Ann's role is npc", [("one", "role: wizard", "F0331")]),
        ("combatant", "classed, intelligent", "Ann is not classed and Ann's intelligent", [("one", "intelligent: 9", "F0332")]),
        ("combatant", "hit points", "Ben's full hit points = 5", "F0611 Ben has no hit points"),
        ("combatant", "state", "Ann is able and Ann is alive and not Ann's fled and not Ann's surrendered", [("one", "fled: perhaps", "F0361")]),
        ("combatant", "bound", "not Ann's bound", [("one", "bound: tightly", "F0361")]),
        ("combatant", "was negative", "not Ann's was negative", [("one", "was negative: yes", "F0372")]),
        ("combatant", "reaction", "Ann's reaction = 0", [("one", "reaction: quick", "F0361")]),
        ("combatant", "light gear", "Ann's light gear", [("one", "light gear: fairly", "F0361")]),
        ("combatant", "armour worn", None, [("top", "armour coat { armour class: 4 }", "F0437 use shelf")]),
        ("combatant", "move", 'Ann\'s move = 12"', [("one", 'move: -3"', 'F0371 -3"')]),
        ("combatant", "gait", "Ann's gait is biped", [("one", "gait: hexapod", "F0331")]),
        ("combatant", "routines", "Ann's routines = 1 and Ann's attack routines = 1", [("one", "attack routines: 0", "F0371 0 attack routines")]),
        ("combatant", "routines left", "Ann's routines left = 1", [("one", "routines left: 3", "F0372")]),
        ("combatant", "sweep", "Ann's sweep = 0", [("one", "sweep: -1", "F0371 sweep is -1")]),
        ("combatant", "engaged with", "Ann is engaged", []),
        ("combatant", "psionic", "not Ann's psionic", [("one", "psionic: 3", "F0332")]),
        ("combatant", "morale group, target", "Ann's morale group is none and Ann's morale target is none and Ann's morale number = 50", [("one", "morale target: high", "F0361")]),
        ("combatant", "morale due", "not Ann's morale due", [("one", "morale due: yes", "F0372")]),
        ("combatant", "delay", "Ann's delay = 0 segments and Ann's dithers = 0", [("one", "dithers: -1", "F0371 dithers for -1")]),
        ("combatant", "damaged this round", "not Ann's damaged this round", [("one", "damaged this round: yes", "F0372")]),
        ("combatant", "needs", "Ann's needs is none", [("one", "needs: luck", "F0361")]),
        ("weapon", "kind", "stick's missile = no", [("weapon", "missile: nearly", "F0361")]),
        ("weapon", "length", "stick's length = 0 ft", [("weapon", "length: -1 ft", "F0371 -1 ft long")]),
        ("weapon", "speed factor", "stick's speed factor is none", [("weapon", "speed factor: -1", "F0371 speed factor of -1")]),
        ("weapon", "damage", None, "F0371 stick has no damage"),
        ("weapon", "damage of what is carried", None, "F0371 bow has no damage"),
        ("weapon", "set multiplier", "stick's set multiplier = 1", [("weapon", "set multiplier: 0", "F0371 set multiplier of 0")]),
        ("spell", "casting time", "spark's casting time = 1 segment", [("spell", "casting time: -1 segments;", "F0611"), ("spell", "casting time: 10 seconds;", "F0611 whole number of segments")]),
        ("device", "usage time", "wand's usage time = 1 segment", [("device", "usage time: -1 segments;", "F0611 usage time of -1 segment"), ("device", "usage time: 10 seconds;", "F0611")]),
        ("action", "letter, form", "Ann's action is wait", [("line", "Ann X Ben", "F0133")]),
        ("action", "prepared, cancelled", "not Ann's prepared and not Ann's cancelled", [("one", "prepared: yes", "F0372"), ("one", "cancelled: nearly", "F0361")]),
    ],
    "crucible": [
        ("encounter", "distance", None, "F0611 write distance: 60 ft"),
        ("encounter", "surprise ruling", "not a's ruled surprised", [("scene", "a's ruled surprised: nearly", "F0361")]),
        ("encounter", "round", "round's number = 1", []),
        ("encounter", "square", "encounter's square = 5 ft", [("scene", "square: 0 ft", "F0611 square")]),
        ("side", "run by", "a's run by is none", [("scene", "a's run by: me", "F0331")]),
        ("side", "surprise range", "a's surprise modifier = 0", [("scene", "a's surprise modifier: 1 in 6", "F0332")]),
        ("side", "dexterity", "a's dexterity = 0", [("scene", "a's dexterity: high", "F0361")]),
        ("side", "rolls", "a's surprise die = 8 and a's initiative = 5",
         [("scene", "a's surprise die: 3", "F0557"), ("scene", "a's initiative: 3", "F0557"), ("scene", "dice: a's initiative 13", "F0516")]),
        ("side", "surprised", "not Ann's surprised", []),
        ("combatant", "class, level", "Ann's class is none and Ann's level is none and Ann's grade = 1", [("one", "level: -1", "F0371 level is -1"), ("one", "class: fighter; level: 0", "F0371 fighter of level 0"), ("one", "class: druid", "F0205 F0206 F0203 F0233")]),
        ("combatant", "race", "Ann's race is none", [("one", "race: martian", "F0331")]),
        ("combatant", "on point", "not Ann's on point", [("one", "on point: nearly", "F0361")]),
        ("combatant", "old surprise", "Ann's old surprise = 6 and Ann's old wariness = 0", [("one", "old surprise: 0", "F0371 1 in 0"), ("one", "old surprise: 1/8", "F0381")]),
        ("combatant", "role", "Ann's role is none", [("one", "role: wizard", "F0331")]),
        ("combatant", "hit points", "Ben's full hit points = 5", "F0611 Ben has no hit points"),
        ("combatant", "state", "Ann is able and not Ann's fled and not Ann's surrendered", [("one", "fled: nearly", "F0361")]),
        ("combatant", "dexterity initiative", "Ann's dexterity initiative = 0", [("one", "dexterity initiative: 1 count", "F0332")]),
        ("combatant", "dexterity armour", "Ann's dexterity armour = 0", [("one", "dexterity armour: 1 ft", "F0332")]),
        ("combatant", "armour worn", None,
         [("top", "armour coat { armour class: 4 }", "F0437 use shelf")]),
        ("combatant", "movement", "Ann's movement = 30 ft and Ann's pace is none", [("one", "pace: -1", "F0371 pace is -1")]),
        ("combatant", "carried", "Ann's load = 0 lb", [("one", "load: -1 lb", "F0371 -1 lb"), ("one", "load: 3", "F0332")]),
        ("combatant", "attacks", "Ann's attack rate is none and Ann's attacks this round = 1", [("one", "attack rate: 0", "F0371 attack rate is 0"), ("one", "attack rate: 3/2", "F0381")]),
        ("combatant", "reach", "Ann's reach = 5 ft", [("one", "reach: -5 ft", "F0371 reaches -5 ft")]),
        ("combatant", "armed", "Ann is not unarmed", []),
        ("combatant", "count", None, [("one", "initiative: early", "F0361")]),
        ("combatant", "attacked, opportunities", "not Ann's attacked and Ann's openings = 0", [("one", "attacked: yes", "F0372"), ("one", "openings: 1", "F0372")]),
        ("combatant", "damaged this round", "not Ann's hurt", [("one", "hurt: yes", "F0372")]),
        ("combatant", "casting", "Ann is not casting", []),
        ("combatant", "memorised", "Ann has spark", [("one", "knows: 3", "F0332")]),
        ("combatant", "morale", "Ann's nerve is none", [("one", "flight: -1", "F0371 -1 times")]),
        ("combatant", "needs", "Ann's needs is none", [("one", "needs: luck", "F0361")]),
        ("weapon", "kind", "stick is not missile", [("weapon", "missile: nearly", "F0361")]),
        ("weapon", "length", "stick's length = 0 ft", [("weapon", "length: -1 ft", "F0371 -1 ft long")]),
        ("weapon", "speed factor", "stick's speed factor is none", [("weapon", "speed factor: -1", "F0371")]),
        ("weapon", "ready", "not Ann's missile ready", [("one", "missile ready: nearly", "F0361")]),
        ("weapon", "damage", None, "F0371 stick has no damage"),
        ("weapon", "damage of what is carried", None, "F0371 bow has no damage"),
        ("spell", "casting time", "spark's casting time = 1 count", [("spell", "casting time: -1 counts;", "F0611"), ("spell", "casting time: 3;", "F0332")]),
        ("move", "feet, reach", "Ann's moved = 0 ft and feet inside (Ann, Ben) = 0 ft", [("one", "moved: 5 ft", "F0372")]),
        ("move", "gait", "not Ann's ran", [("one", "ran: yes", "F0372")]),
    ],
    "dew": [
        ("combatant", "alert", "Ann is alert", [("one", "alert: nearly", "F0361")]),
        ("combatant", "fallen", "Ann is not fallen", [("one", "fallen: 1", "F0332")]),
        ("combatant", "inanimate", "Ann is not inanimate", [("one", "inanimate: 1", "F0332")]),
        ("combatant", "stationary", "Ann is stationary", []),
        ("combatant", "EL", "Ann's EL = 1 and Ann's EN limit = 3", [("one", "EL: -1", "F0371 EL is -1"), ("one", "EL: 1/2", "F0381")]),
        ("combatant", "EN die", "Ann's EN die is d6", [("one", "EN die: d8", "F0611 d6, d6+2 or d6+4"), ("one", "EN die: 6", "F0332")]),
        ("combatant", "EN, full EN", "Ann's EN = 4 and Ann's full EN = 4", [("one", "EN: strong", "F0361")]),
        ("combatant", "BD", "Ann's BD = 10", [("one", "BD: d10", "F0332")]),
        ("combatant", "conscious", "Ann is conscious", []),
        ("combatant", "knocked out", "Ann is not knocked out", [("one", "knocked out: once", "F0361")]),
        ("combatant", "ST", "Ann's ST = 11", [("one", "ST: 18/30", "F0381")]),
        ("combatant", "DX", "Ann's DX = 11", [("one", "DX: quick", "F0361")]),
        ("combatant", "blows", "Ann's active blows = 1 and Ann's reactive blows = 1", [("one", "active blows: -1", "F0371 -1 active blows"), ("one", "reactive blows: -1", "F0371 -1 reactive blows")]),
        ("combatant", "AC", "Ann's AC = 7", [("one", "AC: low", "F0361")]),
        ("combatant", "armour worn", None,
         [("armour", "armour class: 4", "F0437 use shelf")]),
        ("combatant", "first, second modifier", "Ann's first modifier = 0 and Ann's second modifier = 0", [("one", "first modifier: 1 ft", "F0332")]),
        ("combatant", "critical number", "Ann's critical number = 9", [("one", "critical number: d12", "F0332")]),
        ("weapon", "number", "Ann's stick's number = 16", [("weapon", "number: skilled", "F0361")]),
        ("combatant", "hourly", "Ann's hourly = 1", [("one", "hourly: -1", "F0371 recovery is -1")]),
        ("combatant", "move", 'Ann\'s move = 12"', [("one", 'move: -3"', 'F0371 -3"')]),
        ("combatant", "WT", "Ann's WT = 12", [("one", "WT: 0", "F0371 WT is 0")]),
        ("armour", "encumbrance", "Ann's coat's encumbrance = 3 and Ann's coat's basic encumbrance = 3", [("armour", "basic encumbrance: -3", "F0611 basic encumbrance is -3")]),
        ("combatant", "position", "gap (Ann, Ben) is none", []),
        ("combatant", "range", "range (Ann, Ben) is none", [("scene", "set range (Ann, Ben) = 2 ft", "F0316 F0332")]),
        ("combatant", "hands", "free hands (Ben) = 2 and free hands (Ann) = 1", []),
        ("bookkeeping", "blows, EN", "Ben's spent = 0 and Ben's EN this phase = 0 and Ben's EN last round = 0", [("one", "spent: 1", "F0372"), ("one", "EN this phase: 1", "F0372")]),
        ("weapon", "class", "Ann's stick's class is medium", [("weapon", "class: huge", "F0331")]),
        ("weapon", "hands", "Ann's stick's hands = 1", [("weapon", "hands: 3", "F0611 3 hands"), ("weapon", "hands: 0", "F0611 0 hands")]),
        ("weapon", "thrusting, flexible", "Ann's stick is not thrusting and Ann's stick is not flexible", [("weapon", "thrusting: nearly", "F0361")]),
        ("weapon", "thrown, missile, bow", "Ann's stick is not thrown and Ann's stick is not missile and Ann's stick is not bow", [("weapon", "bow: long", "F0361")]),
        ("weapon", "reach", "Ann's stick's shortest = 0 and Ann's stick's longest = 6", [("weapon", "longest: 7", "F0611 steps to 7"), ("weapon", "shortest: 4; longest: 3", "F0611 from 4 steps to 3")]),
        ("weapon", "bands", "Ann's stick's first band = 0\"", [("weapon", "first band: 30 ft", "F0332")]),
        ("weapon", "damage", "Ann's stick's damage is 1d8", [("weapon", "damage: 8", "F0332")]),
        ("weapon", "breakage", "Ann's stick's breakage = 0", [("weapon", "breakage: -1", "F0611 breakage is -1")]),
        ("weapon", "parry", "Ann's stick's parry = 0 and Ann's stick's parry for others = 0", [("weapon", "parry: 1/2", "F0355")]),
        ("weapon", "hit dice", "Ann's stick's hit dice is 2d10", [("weapon", "hit dice: 20", "F0332")]),
        ("shield", "modifier, parry, breakage", "Ann's stick is not shield and Ann's stick's modifier = 0", [("weapon", "shield: small", "F0361")]),
        ("spell", "EN", "spark's EN = 0", [("spell", "EN: -3;", "F0371 F0611 costs -3 EN")]),
    ],
}


def script(system, **places):
    places.setdefault("line", REST[system])
    return SCRIPT[system] % {**dict.fromkeys(("top", "weapon", "bow", "device", "armour", "spell", "one", "bare", "scene", "expect"), ""), **places}


def fray(command, text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.fray")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        done = subprocess.run([FRAY, command, "t.fray"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, text=True, timeout=120)
        return done.returncode, done.stdout


def told(text, wanted):
    """What is wanted: one of some codes, then the words. Of F0371 the run says the same, and ends."""
    codes = re.findall(r"^(?:F\d+ ?)+", wanted)[0].split()
    words = wanted[len(" ".join(codes)):].strip()
    status, out = fray("run" if "F0611" in codes else "check", text)
    good = any(re.search(r"\[%s\d*\]" % code, out) for code in codes) and words in re.sub(r"\s+", " ", out)
    if good and "F0371" in codes and status == 0:
        status, out = fray("run", text)
        good = status != 0 and "[F0611]" in out and words in re.sub(r"\s+", " ", out)
    return good, "wanted %s\n%s%s" % (wanted, text, out)


def defaults(system, rows):
    """All that must hold of the bare script, in one fight; each expectation that fails is of a line of its own."""
    held = [(of, name, holds) for of, name, holds, _ in rows if holds]
    text = script(system, expect="".join("    expect %s\n" % holds for _, _, holds in held))
    first = text[:text.index("    expect ")].count("\n") + 1
    status, out = fray("run", text)
    fails = {int(n): why for n, why in re.findall(r"t\.fray:(\d+): (.*)", out)}
    for i, (of, name, holds) in enumerate(held):
        check("%s: of %s, %s is as nothing is said: %s" % (system, of, name, holds), first + i not in fails, fails.get(first + i, ""))
    check("%s: nothing is told of what was left out" % system, status == 0 and not fails, out)


def outside(system, rows):
    for of, name, _, wrong in rows:
        if isinstance(wrong, str):
            there, gone = WITHOUT[name]
            text = script(system)
            good, detail = told(text.replace(there, gone), wrong)
            check("%s: of %s, %s may not be left out" % (system, of, name), there in text and good, detail)
            continue
        for place, value, code in wrong:
            good, detail = told(script(system, **{place: value}), code)
            check("%s: of %s, %s is told of %s" % (system, of, name, value.split("\n")[0]), good, detail)


def main():
    for system in sys.argv[1:] or VOCABULARY:
        defaults(system, VOCABULARY[system])
        outside(system, VOCABULARY[system])
    end()


main()
