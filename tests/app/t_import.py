"""fray import: tables of creatures become stat blocks, and what is not understood is kept and told."""

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
    no("broken.json", '{"a":', "broken.json:1: this is no JSON")
    no("numbers.json", "[1, 2, 3]", "there are no objects in this JSON")
    no("kind.csv", "name,kind\nx,zorkmid\n", "make no stat blocks")
    no("huge.json", "[" + " " * (17 * 1024 * 1024) + "]", "huge.json")
    t.same("a missing file", t.fray("import", "none.csv")[0:2], (2, ""))
    t.same("no file", t.fray("import")[0:2], (2, ""))


app.run([tables, exports, refused])
