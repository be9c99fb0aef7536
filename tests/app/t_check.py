"""fray check: every mistake of every file, as text and as JSON."""

import json

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


app.run([text, as_json, escapes])
