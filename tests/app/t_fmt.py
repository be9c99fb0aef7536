#!/usr/bin/env python3
"""fray fmt: canonical layout, the same program, and the second time nothing.

Every script of the project is laid out twice: the second time changes nothing. For a part of them (EVERY=1: all)
the bytecode before and after is compared. Mutants come from a seed: of layout (blanks, empty lines, indentation),
which are laid out as their original is, and of tokens (lines and words lost or doubled), which are laid out
without a crash and then hold still."""

import difflib
import glob
import os
import random
import re
import shutil

import app

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MUTANTS = int(os.environ.get("MUTANTS", "40"))
EVERY = os.environ.get("EVERY")

LAID_OUT = {
    "blanks around marks": ("weapon   axe{damage:1d8 ;weight : 5 lb;}\n", "weapon axe { damage: 1d8; weight: 5 lb }\n"),
    "operators and signs": ("define combatant's luck=3+combatant's hit points*2- 1\n",
                            "define combatant's luck = 3 + combatant's hit points * 2 - 1\n"),
    "a minus of one number": ("define combatant's luck = highest ( - 3 , -combatant's hit points -1 )\n",
                              "define combatant's luck = highest (-3, -combatant's hit points - 1)\n"),
    "a moment below zero": ("use crucible\nencounter a { side x: y; expect y goes in count   -1 ; }\n",
                            "use crucible\nencounter a { side x: y; expect y goes in count -1 }\n"),
    "fractions and ranges stay close": ("table a (b) { 1 .. 2: 3/2; 3..: 2 / 3 }\n", "table a (b) { 1 .. 2: 3/2; 3..: 2 / 3 }\n"),
    "indentation": ("policy a {\n        flee when my hit points <= 4\nwait\n}\n", "policy a {\n  flee when my hit points <= 4\n  wait\n}\n"),
    "a line that goes on": ("define combatant's luck = 1\nwhen combatant's hit points > 3\nand combatant's hit points < 9\n",
                            "define combatant's luck = 1\n  when combatant's hit points > 3\n  and combatant's hit points < 9\n"),
    "empty lines": ("\n\nunit hop\n\n\n\nunit skip\npolicy a {\n\n  wait\n\n}\n\n", "unit hop\n\nunit skip\npolicy a {\n  wait\n}\n"),
    "comments": ("unit hop     -- one\n      -- two   \n--three\nunit skip -- four\n", "unit hop   -- one\n-- two\n--three\nunit skip   -- four\n"),
    "columns that were meant": ("unit hop    = 6 seconds\nunit jump = 10 hops\n", "unit hop  = 6 seconds\nunit jump = 10 hops\n"),
    "columns that were not": ("unit hop = 6 seconds\nunit jump = 10 hops\n", "unit hop = 6 seconds\nunit jump = 10 hops\n"),
    "columns of conditions": ("policy a {\n  flee     when my hit points < 3\n  surrender  unless my hit points > 2\n}\n",
                              "policy a {\n  flee        when my hit points < 3\n  surrender   unless my hit points > 2\n}\n"),
    "a table": ("table a (b, c) {\n : tall,  short\n up to 35: 6, 14\n  36..: 10,2\n}\n",
                "table a (b, c) {\n          : tall, short\n  up to 35:    6,    14\n  36..:       10,     2\n}\n"),
    "other people's marks": ("weapon “axe” { weight: 5 lb }\ndefine combatant’s luck = 5 − 3\ndefine combatant is odd when combatant’s luck != 2\n",
                             "weapon \"axe\" { weight: 5 lb }\ndefine combatant's luck = 5 - 3\ndefine combatant is odd when combatant's luck <> 2\n"),
    "a line for the shell": ("#!/usr/bin/env fray\n\n\nunit   hop\n", "#!/usr/bin/env fray\n\nunit hop\n"),
    "no end of line at the end": ("unit hop", "unit hop\n"),
    "ends of line of other systems": ("unit  hop\r\nunit skip -- a\r\n", "unit hop\nunit skip   -- a\n"),
    "nothing at all": ("", ""),
}


def layouts(t):
    for name, (before, after) in LAID_OUT.items():
        t.same(name, t.fray("fmt", "-", stdin=before), (0, after, ""))
        t.same(name + ", again", t.fray("fmt", "-", stdin=after)[1], after)


def command(t):
    good = "unit hop\n"
    ugly = "unit    hop\n\n\nunit skip\n"
    t.write("good.fray", good)
    t.write("ugly.fray", ugly)
    t.same("the text is printed", t.fray("fmt", "ugly.fray"), (0, "unit hop\n\nunit skip\n", ""))
    t.same("and the file stays as it is", open(os.path.join(t.folder, "ugly.fray")).read(), ugly)
    t.same("--check names what is laid out otherwise", t.fray("fmt", "--check", "good.fray", "ugly.fray"), (1, "ugly.fray\n", ""))
    t.same("--check of good ones says nothing", t.fray("fmt", "--check", "good.fray"), (0, "", ""))
    status, out, err = t.fray("fmt", "--diff", "good.fray", "ugly.fray")
    t.same("--diff shows what would change", (status, out, err),
           (1, "--- ugly.fray\n+++ ugly.fray\n@@ -1,4 +1,3 @@\n-unit    hop\n+unit hop\n \n-\n unit skip\n", ""))
    t.same("--write names what it wrote", t.fray("fmt", "--write", "good.fray", "ugly.fray"), (0, "ugly.fray\n", ""))
    t.same("and wrote it", open(os.path.join(t.folder, "ugly.fray")).read(), "unit hop\n\nunit skip\n")
    t.same("a second time there is nothing to write", t.fray("fmt", "--write", "ugly.fray"), (0, "", ""))
    t.one_sentence("standard input is not written to", t.fray("fmt", "--write", "-", stdin=good)[2], "standard input")
    t.same("no file at all is wrong", t.fray("fmt")[0], 2)
    t.same("a file that is not there is wrong", t.fray("fmt", "nowhere.fray")[0], 2)


def patches(t):
    """A diff is one that patch(1) would apply: put together again here."""
    rng = random.Random(5)
    for i in range(20):
        lines = ["unit u%d" % n for n in range(30)]
        ugly = [rng.choice(["", "  ", "", ""]) + line + rng.choice(["", "", "  "]) + rng.choice(["\n", "\n", "\n\n", "\n\n\n"]) for line in lines]
        before = "".join(ugly)
        t.write("some.fray", before)
        diff, after = t.fray("fmt", "--diff", "some.fray")[1], t.fray("fmt", "some.fray")[1]
        old, new, at = before.splitlines(True), [], 0
        for line in diff.splitlines(True)[2:]:
            head = re.match(r"@@ -(\d+),", line)
            if head:
                new += old[at:int(head[1]) - 1]
                at = int(head[1]) - 1
            elif line[0] == "+":
                new.append(line[1:])
            else:
                if old[at] != line[1:]:
                    break
                new += old[at:at + 1] if line[0] == " " else []
                at += 1
        t.same("diff %d leads from one to the other" % i, "".join(new + old[at:]), after)


def damaged(t):
    text = "unit   hop\npolicy a {\n     flee   when when   my  hit points\n}\n\n\nunit    skip\n"
    status, out, err = t.fray("fmt", "-", stdin=text)
    t.same("a damaged statement is kept as it is", out, "unit hop\npolicy a {\n     flee   when when   my  hit points\n}\n\n\nunit skip\n")
    t.same("its mistake is told", (status, "standard input:3" in err), (2, True))
    text = "unit   hop\npolicy a {\n     flee\n\n\nunit    skip\n"
    t.same("of a block that is never closed on, all", t.fray("fmt", "-", stdin=text)[1], "unit hop\npolicy a {\n     flee\n\n\nunit    skip\n")
    status, out, err = t.fray("fmt", "-", stdin=b"unit hop\0\n")
    t.same("what cannot be read is not printed", (status, out), (2, ""))
    status, out, err = t.fray("fmt", "-", stdin="use nowhere\nweapon   axe\n")
    t.same("a module that is missing is told, the rest laid out", (status, out, "F0801" in err), (2, "use nowhere\nweapon axe\n", True))


def scripts():
    found = []
    for folder in ("stdlib", "examples", "tests"):
        found += glob.glob(os.path.join(TOP, folder, "**", "*.fray"), recursive=True)
    return sorted(found)


def rules_of(path):
    """A chapter of the library has its system's words."""
    folder = os.path.relpath(path, TOP).split(os.sep)
    if folder[0] != "stdlib" or folder[1] == "core":
        return []
    if folder[1] in ("shelf", "house"):
        return ["--rules=%s,shelf" % (folder[2] if len(folder) > 3 else "osric")]
    return ["--rules=" + folder[1]]


# scripts whose layout is what is tested, or in which something is wrong on purpose
AS_TYPED = ("tests/golden/diagnostics/asked.fray",)


def laid_out(t):
    """The project's own scripts are in canonical layout."""
    for rules in sorted({" ".join(rules_of(path)) for path in scripts()}):
        those = [p for p in scripts() if " ".join(rules_of(p)) == rules and os.path.relpath(p, TOP) not in AS_TYPED]
        status, out, err = t.fray("fmt", "--check", *rules.split(), *those)
        t.same("scripts%s are laid out: fray fmt --write FILE" % (" of " + rules[8:] if rules else ""), out, "")


def still(t):
    """All of the project, in a copy of its folders, since modules stand beside scripts."""
    copy = os.path.join(t.folder, "all")
    for path in scripts():
        to = os.path.join(copy, os.path.relpath(path, TOP))
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copy(path, to)
    for folder in ("stdlib", "examples", "tests"):
        status, out, err = t.fray("fmt", "--write", os.path.join(copy, folder))
        t.check("%s can be laid out" % folder, status in (0, 2), err[-2000:])
        status, out, err = t.fray("fmt", "--check", os.path.join(copy, folder))
        t.same("%s holds still then" % folder, out, "")
    rng = random.Random(7)
    those = scripts() if EVERY else [p for p in scripts() if "examples" in p] + rng.sample(scripts(), 25)
    for path in those:
        name = os.path.relpath(path, TOP)
        if not re.search(r"^encounter ", open(path, encoding="utf-8", errors="replace").read(), re.M):
            continue
        one, two = t.fray("dis", path), t.fray("dis", os.path.join(copy, name))
        if one[0] == 0:
            t.same("%s is the same program" % name, *[re.sub(r"(?m)^-- .*: ", "", text) for text in (two[1], one[1])])


def loosen(rng, text):
    """Another layout of it that means the same."""
    out = []
    for line in text.splitlines():
        body = line.strip()
        if not body or '"' in line or "“" in line or line.startswith("#!"):
            out.append(line)
            continue
        if "--" not in body and not re.search(r"  ", body):
            body = re.sub(r" ([=*<>]|<=|>=) ", lambda m: rng.choice([" %s ", "%s"]) % m[1], body)
            body = re.sub(r", ", lambda m: rng.choice([", ", ",", " , "]), body)
        out.append(" " * rng.randrange(7) + body + " " * rng.randrange(3))
    return "\n".join(out) + "\n"


def mutants(t):
    rng = random.Random(11)
    those = [p for p in scripts() if "/diagnostics/" not in p and "/parse/" not in p and "/shelf/data/" not in p]
    for i in range(MUTANTS):
        path = rng.choice(those)
        text = open(path, encoding="utf-8").read()
        folder = os.path.join(t.folder, "m%d" % i)
        shutil.copytree(os.path.dirname(path), folder, ignore=lambda d, names: [n for n in names if not n.endswith(".fray")])
        name = os.path.join(folder, os.path.basename(path))
        rules = rules_of(path)
        plain = t.fray("fmt", *rules, path)[1]
        open(name, "w", encoding="utf-8").write(loosen(rng, text))
        loose = t.fray("fmt", *rules, name)
        t.check("layout %d of %s" % (i, os.path.relpath(path, TOP)), loose[1] == plain,
                "\n".join(difflib.unified_diff(plain.splitlines(), loose[1].splitlines(), lineterm="")), loose[2])
        words = re.split(r"(\s+)", text)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(words))
            words[at:at + 1] = rng.choice([[], [words[at], words[at]], ["{"], ["}"], ['"'], ["("], [words[at][:1]]])
        open(name, "w", encoding="utf-8").write("".join(words))
        status, out, err = t.fray("fmt", *rules, name)
        t.check("damage %d of %s" % (i, os.path.relpath(path, TOP)), status in (0, 2), err[-2000:])
        if out:
            open(name, "w", encoding="utf-8").write(out)
            t.same("damage %d holds still" % i, t.fray("fmt", *rules, name)[1], out)
        shutil.rmtree(folder)


app.run([layouts, command, patches, damaged, laid_out, still, mutants])
