"""fray import: tables of creatures become stat blocks, and what is not understood is kept and told."""

import time

import app

TABLE = """name,ac,hd,hp,attacks,kind,colour,morale
swamp thing,5,4+1,20,claw 1d6;claw 1d6;bite 2d4,monster,green,55%
"Ann ""the axe""\",3,1,9,,combatant,,
"odd, one",banana,2,,bite 1d4,,red,80%
"""

MADE = """monster swamp thing {
  armour class: 5
  hit dice: 4; hit points over: 1
  hit points: 20
  attacks: claw 1d6,claw 1d6,bite 2d4
  -- colour: green
  morale: 55%
}
combatant "Ann the axe" {
  armour class: 3
  hit dice: 1
  hit points: 9
}
monster "odd, one" {
  -- ac: banana
  hit dice: 2
  attacks: bite 1d4
  -- colour: red
  morale: 80%
}
"""

EXPORT = """{"actors": [
  {"name": "Goblin King", "type": "monster", "system": {"attributes": {"hp": {"value": 11, "max": 12}}, "ac": {"value": 6}, "hd": "2", "notes": "angry"}},
  {"name": "Bruna", "type": "character", "system": {"str": 17, "class": "fighter", "lvl": 4, "brave": true}}
]}
"""


# as the virtual table's systems of this family write their actors: hp, ac, thac0, saves, movement, details, items
ACTOR = """{"name": "Gnoll Chief", "type": "monster", "img": "g.webp", "system": {"hp": {"hd": "3+1", "value": 15, "max": 16}, "ac": {"value": 4, "mod": 0},
  "thac0": {"value": 16, "mod": {"missile": 0, "melee": 0}}, "saves": {"death": {"value": 12}, "wand": {"value": 13}, "paralysis": {"value": 14}, "breath": {"value": 15}, "spell": {"value": 16}},
  "movement": {"base": 90}, "details": {"xp": 135, "alignment": "CE"}},
 "items": [{"name": "Spear, long", "type": "weapon", "system": {"damage": "1d6+1"}}, {"name": "Bite", "type": "weapon", "system": {"damage": "1d4"}}, {"name": "Infravision", "type": "ability"}]}
"""
ACTOR_MADE = """monster Gnoll Chief {
  -- type: monster
  -- img: g.webp
  hit dice: 3; hit points over: 1
  hit points: 15
  armour class: 4
  -- mod: 0
  THAC0: 16
  -- missile: 0
  -- melee: 0
  save vs death: 12
  save vs wands: 13
  save vs petrification: 14
  save vs breath: 15
  save vs spells: 16
  move: 9"
  experience: 135
  alignment: CE
  attacks: spear  long 1d6+1, bite 1d4
  -- other items: infravision
}
"""
HERO = """{"actors": [{"name": "Mira", "type": "character", "system": {"scores": {"str": {"value": 12}, "dex": {"value": 16}}, "details": {"class": "magic-user", "level": 3}},
 "items": [{"name": "Dagger", "type": "weapon", "system": {"damage": "1d4"}}, {"name": "Sleep", "type": "spell"}, {"name": "Rope", "type": "item"}]}]}
"""


def tables(t):
    t.write("them.csv", TABLE)
    status, out, err = t.fray("import", "them.csv")
    t.same("a table becomes stat blocks", (status, out), (0, MADE))
    t.same("what was kept as a comment is told", err, "3 stat blocks. Kept as comments: colour (2), ac (1).\n")
    t.write("them.fray", "use osric\nuse shelf\n" + out)
    t.same("they are good stat blocks", t.fray("check", "them.fray"), (0, "", ""))
    back = app.objects(t.fray("show", "--json", "monster", "swamp thing", "them.fray")[1])
    t.same("and go out again", (back[0]["fields"]["hit dice"], back[0]["fields"]["hit points over"]), ("4", "1"))
    t.write("many.csv", "name,hue,ac\n" + "".join("thing %d,blue,5\n" % i for i in range(1, 200)))
    status, out, err = t.fray("import", "many.csv")
    t.check("a column that is no field is left out everywhere", status == 0 and out.count("-- hue: blue") == 199 and out.count("armour class: 5") == 199, status, err)
    t.write("odd.csv", "name,ac\n\"a } monster x { hit points: 5\",5\n")
    status, out, err = t.fray("import", "odd.csv")
    t.check("a cell cannot begin a block of its own", status == 0 and out.startswith('monster "a } monster x { hit points: 5" {'), status, out, err)


def exports(t):
    t.write("them.json", EXPORT)
    status, out, err = t.fray("import", "them.json")
    t.check("an export of actors", status == 0 and "monster Goblin King {" in out and "  hit points: 11\n" in out and "hit points: 12" not in out and "  armour class: 6\n" in out, status, out, err)
    t.check("with characters, and the classes of the shelf", "combatant Bruna {" in out and "  strength: 17\n" in out and "  class: fighter\n" in out and "  level: 4\n" in out and "  -- brave: yes\n" in out, out)


# an actor as the virtual table's AD&D system has it, OSRIC's creatures among them: figures as text, blows as a number and what each does
CREATURE = """{"name": "Owl Bear", "type": "npc", "img": "o.webp", "system": {"acNote": "5", "hitdice": "5+2", "numberAttacks": "3", "damage": "1-6/1-6/2d6",
 "movement": "12", "magicresist": "10%", "morale": "Steady (11)", "numberAppearing": "2-5", "specialAttacks": "hug", "specialDefenses": "", "treasureType": "C", "sizenote": "L",
 "attributes": {"ac": {"value": 5}, "thaco": {"value": 15}, "hp": {"base": 0, "value": 28, "min": 0, "max": 28}, "size": "large"},
 "saves": {"paralyzation": {"value": 11}, "poison": {"value": 11}, "death": {"value": 11}, "rod": {"value": 13}, "staff": {"value": 13}, "wand": {"value": 13},
 "petrification": {"value": 12}, "polymorph": {"value": 12}, "breath": {"value": 13}, "spell": {"value": 14}},
 "details": {"alignment": "n", "source": "book"}, "xp": {"value": 225}}}"""
CREATURE_MADE = ("hit dice: 5; hit points over: 2", 'move: 12"', "magic resistance: 10%", 'number appearing: "2-5"', "armour class: 5", "THAC0: 15", "hit points: 28", "size: large",
                 "save vs death: 11", "save vs wands: 13", "save vs petrification: 12", "save vs breath: 13", "save vs spells: 14", "experience: 225", "attacks: blow 1d6, blow 1d6, blow 2d6", "alignment: n")
ARMED = """[{"name": "Guard", "type": "npc", "system": {"hitdice": "1", "numberAttacks": "2", "damage": "2-7", "attributes": {"ac": {"value": 7}}}},
 {"name": "Archer", "type": "npc", "system": {"hitdice": "1", "numberAttacks": "1", "damage": "1d4", "attributes": {"ac": {"value": 7}}},
 "items": [{"name": "Axe", "type": "weapon", "system": {"damage": {"normal": "1d6", "large": "1d4"}}}]}]"""


def creatures(t):
    t.write("bear.json", CREATURE)
    status, out, err = t.fray("import", "bear.json")
    lines = [line.strip() for line in out.split("\n")]
    t.check("a creature with figures as text", status == 0 and "monster Owl Bear {" in out and all(line in lines for line in CREATURE_MADE), [x for x in CREATURE_MADE if x not in lines], out, err)
    t.check("what is no field stays as a comment", "-- specialAttacks: hug" in lines and "-- treasureType: C" in lines and "specialAttacks (1)" in err and "damage" not in err, out, err)
    t.write("armed.json", ARMED)
    status, out, err = t.fray("import", "armed.json")
    t.check("blows by their number, and weapons before them", status == 0 and "attacks: blow 1d6+1, blow 1d6+1" in out and "attacks: axe 1d6" in out and "blow 1d4" not in out, out, err)


def actors(t):
    t.write("chief.json", ACTOR)
    status, out, err = t.fray("import", "chief.json")
    t.same("an actor of a virtual table, with saves, movement and items", (status, out), (0, ACTOR_MADE))
    t.check("what is left out of it is told", err.startswith("1 stat block. Kept as comments: ") and "other items (1)" in err, err)
    t.write("hero.json", HERO)
    status, out, err = t.fray("import", "hero.json")
    t.check("a character's arms are carried, and spells known", "  carries: dagger\n  knows: sleep\n  -- other items: rope\n" in out and "  strength: 12\n" in out, out, err)
    t.write("hero.fray", "use osric\nuse shelf\n" + out)
    t.same("it is a good stat block", t.fray("check", "hero.fray"), (0, "", ""))
    t.write("hundred.json", "[" + '{"name": "x"},' * 8000000 + '{"name": "y"}]')
    begun = time.monotonic()
    status, out, err = t.fray("import", "hundred.json")
    t.check("a JSON of 100 MB: one sentence, at once", status == 2 and not out and err.count("\n") == 1 and time.monotonic() - begun < 5, status, err, time.monotonic() - begun)
    t.write("deep.json", '{"a":' * 3000 + "1" + "}" * 3000)
    status, out, err = t.fray("import", "deep.json")
    t.check("a JSON of many levels: one sentence", status == 2 and err.count("\n") == 1, status, err)


def refused(t):
    def no(name, text, like):
        t.write(name, text)
        status, out, err = t.fray("import", name)
        t.check("%s: one sentence" % name, status == 2 and not out and err.count("\n") == 1 and like in err, status, out, err)

    no("quote.csv", 'name,ac\n"x,3\n', "quote.csv:2: a quote is opened here and never closed.")
    no("wide.csv", "name,ac\nx,3,4\n", "wide.csv:2: this line has more cells than the heading.")
    no("narrow.csv", "name,ac,hd\nx,3\n", "narrow.csv:2: this line has 2 of the heading's 3 cells.")
    no("nameless.csv", "ac,hd\n3,4\n", "row 1 has no name")
    no("empty.csv", "name,ac\n", "there is nothing below the heading")
    no("zero.csv", "name,ac\nx\0,3\n", "zero byte")
    no("broken.json", '{"a":', "broken.json:1: this is not JSON")
    no("numbers.json", "[1, 2, 3]", "there are no objects in this JSON")
    no("kind.csv", "name,kind\nx,zorkmid\n", "not valid stat blocks")
    no("huge.json", "[" + " " * (17 * 1024 * 1024) + "]", "huge.json")
    t.same("a missing file", t.fray("import", "none.csv")[0:2], (2, ""))
    t.same("no file", t.fray("import")[0:2], (2, ""))


app.run([tables, exports, actors, creatures, refused])
