"""fray new: a first script, which every system plays, and which leaves nothing to correct."""

import os

import app

SYSTEMS = ["osric", "lite", "proc", "crucible", "dew"]


def writes(t):
    status, out, err = t.fray("new", "The", "Old", "Mill")
    t.same("it is written, and how to play it is said", (status, out, err), (0, "Wrote the-old-mill.fray. To play it, type: fray run the-old-mill.fray\n", ""))
    with open(os.path.join(t.folder, "the-old-mill.fray"), encoding="utf-8") as f:
        text = f.read()
    t.check("with its title, its file and the usual rules", "encounter \"The Old Mill\" {" in text and "fray run the-old-mill.fray" in text and "use osric\n" in text, text)
    status, out, err = t.fray("new", "The Old Mill")
    t.check("one that is there is left alone", status == 2 and out == "" and "the-old-mill.fray" in err, status, out, err)
    with open(os.path.join(t.folder, "the-old-mill.fray"), encoding="utf-8") as f:
        t.same("to the byte", f.read(), text)


def plays(t):
    for rules in SYSTEMS:
        t.fray("new", "--rules=" + rules, "under", rules)
        name = "under-%s.fray" % rules
        t.same("%s: nothing to correct" % rules, t.fray("check", name), (0, "", ""))
        t.same("%s: nothing to lay out" % rules, t.fray("fmt", "--check", name), (0, "", ""))
        status, out, err = t.fray("run", name)
        t.check("%s: it is played until somebody wins" % rules, status == 0 and err == "" and out.rstrip().endswith((": party wins", ": orcs win")), status, out, err)
        if rules == "osric":
            t.check("the spell is cast", "bless" in out, out)


def refuses(t):
    before = sorted(os.listdir(t.folder))
    t.check("a system that there is not", t.fray("new", "--rules=oscric", "x")[0] == 2)
    t.one_sentence("no letters", t.fray("new", "..")[2], "a name has letters or digits")
    t.same("no name", t.fray("new")[0], 2)
    t.same("and nothing is written", sorted(os.listdir(t.folder)), before)
    t.same("quotes and braces do no harm", (t.fray("new", 'The "Mill" {')[0], t.fray("check", "the-mill.fray")), (0, (0, "", "")))


app.run([writes, plays, refuses])
