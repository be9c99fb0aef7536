"""fray check: every mistake of every file, as text and as JSON."""

import json
import resource

import app

KEYS = ["code", "severity", "file", "line", "column", "end_line", "end_column", "message", "hint"]


def text(t):
    t.write("ford.fray", app.FORD)
    t.write("wrong.fray", app.WRONG)
    t.same("nothing is said of a good script", t.fray("check", "ford.fray"), (0, "", ""))
    status, out, err = t.fray("check", "wrong.fray")
    t.same("mistakes are status 2, and not results", (status, out), (2, ""))
    t.like("the first is shown", err, r"^wrong\.fray:2: .*hit pints")
    t.like("with the nearest right word", err, r"hit points")
    t.like("and so is the second", err, r"^wrong\.fray:5: .*armour clas")
    t.unlike("a script is not played by checking it", t.fray("check", t.write("cellar.fray", app.CELLAR))[2], ".")
    status, out, err = t.fray("check", "ford.fray", "wrong.fray", "cellar.fray")
    t.same("one wrong file of several is status 2", status, 2)
    t.like("with its name", err, r"^wrong\.fray:2: ")
    status, out, err = t.fray("check", "wrong.fray", "missing.fray", "wrong.fray")
    t.same("a missing file does not keep the others from being read", (status, err.count("wrong.fray:2: ")), (2, 2))
    t.same("standard input can be checked", t.fray("check", "-", stdin=app.FORD), (0, "", ""))
    t.like("it is called so", t.fray("check", "-", stdin=app.WRONG)[2], r"^standard input:2: ")
    t.same("no file at all is wrong", t.fray("check")[0], 2)


def as_json(t):
    t.write("ford.fray", app.FORD)
    t.write("wrong.fray", app.WRONG)
    t.same("JSON of a good script is nothing", t.fray("check", "--json", "ford.fray"), (0, "", ""))
    status, out, err = t.fray("check", "--json", "wrong.fray")
    t.same("mistakes are results then", (status, err), (2, ""))
    found = app.objects(out)
    t.same("each has every member, in one order", [list(d) for d in found], [KEYS] * len(found))
    t.same("at their places", [(d["line"], d["column"], d["severity"], d["file"]) for d in found],
           [(2, 3, "error", "wrong.fray"), (5, 3, "error", "wrong.fray")])
    t.same("as long as the word", [(d["end_line"], d["end_column"]) for d in found], [(2, 12), (5, 13)])
    d = app.objects(t.fray("check", "--json", "--rules=osrik", "ford.fray")[1])[0]
    t.same("what has no place has line 0", (d["file"], d["line"], d["column"], d["end_line"], d["end_column"]), ("", 0, 0, 0, 0))
    t.same("columns are characters", app.objects(t.fray("check", "--json", "-", stdin='monster "Ëöü" { hit pints: 5 }\n')[1])[0]["column"], 17)
    t.same("a folder is every script below it", len(app.objects(t.fray("check", "--json", ".")[1])), 2)
    t.write(".hidden/wrong.fray", app.WRONG)
    t.write("notes.txt", app.WRONG)
    t.same("but hidden and other files", len(app.objects(t.fray("check", "--json", ".")[1])), 2)


def escapes(t):
    name = 'a"\\\t\x01\n\x7fé.fray'
    t.write(name, b"monster orc { hit pints: 5 }\n")
    status, out, err = t.fray("check", "--json", name)
    t.same("any file name is one JSON line", (status, [d["file"] for d in app.objects(out)]), (2, [name]))
    t.write(b"\xff.fray".decode("utf-8", "surrogateescape"), "monster orc { hit pints: 5 }\n")
    status, out, err = t.fray("check", "--json", b"\xff.fray")
    t.same("a name that is not UTF-8 becomes UTF-8", json.loads(out)["file"], "\ufffd.fray")
    status, out, err = t.fray("check", "--json", t.write("latin.fray", b"monster \xe9lan { hit dice: 1 }\n"))
    t.same("so do bytes of the script", (status, app.objects(out)[0]["line"]), (2, 1))


HEAD = "use osric\nweapon sword { damage: 1d8 }\ncombatant Ann { hit points: 9; armour class: 4; weapon: sword }\ncombatant Bob { hit points: 9; armour class: 4; weapon: sword }\n"
RULE = 'rule r%d "here" {\n  adjust to-hit (attacker, target, weapon) by 1 when attacker\'s hit points = %d\n}\n'


def many(what, n):
    if what == "encounters":
        lines = ["encounter e%d {\n  side a: Ann\n  side b: Bob\n  round 1 { Ann attacks Bob }\n}\n" % i for i in range(n)]
    elif what == "aliases":
        lines = ["alias name%d = Ann\n" % i for i in range(5 * n)]
    else:
        lines = [RULE % (i, i) for i in range(n)]
    if what == "rulings":
        lines += ["ruling r%d over r%d\n" % (i, i - 1) for i in range(1, n) if i % 10]
    if what == "a chain of rulings":
        lines += ["ruling r%d over r%d\n" % (i, i - 1) for i in range(1, n)]
    return HEAD + "".join(lines)


def seconds(t, what, n):
    """Of the processor, the least of three."""
    t.write("many.fray", many(what, n))
    least = 1e9
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        status, out, err = t.fray("check", "many.fray")
        least = min(least, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        if status:
            t.same("%d %s are right" % (n, what), (status, err), (0, ""))
    return least


def grows(t):
    """Four times as much takes about four times as long, not sixteen."""
    for what in ("encounters", "aliases", "rules", "rulings"):
        few, all_of_it = seconds(t, what, 1000), seconds(t, what, 4000)
        t.check("%s: time grows with their number" % what, all_of_it < 9 * few + 0.05, few, all_of_it)
    plain, chain = seconds(t, "rules", 1000), seconds(t, "a chain of rulings", 1000)
    t.check("a chain of rulings takes little more than its rules", chain < 5 * plain + 0.05, plain, chain)


app.run([text, as_json, escapes, grows])
