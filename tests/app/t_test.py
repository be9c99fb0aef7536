"""fray test: TAP from scripts."""

import os
import re
import shutil
import subprocess

import app


def points(t):
    t.write("both.fray", app.BOTH)
    status, out, err = t.fray("test", "both.fray")
    lines = out.splitlines()
    t.same("a failed test is status 1", status, 1)
    t.same("what holds is ok", lines[0], "ok 1 - both.fray: The Ford")
    t.same("what does not is not", lines[1], "not ok 2 - both.fray: The Cellar")
    t.same("the plan comes last", lines[-1], "1..2")
    t.check("between them why, as comments", len(lines) > 4 and all(l.startswith("# ") for l in lines[2:-1]), out)
    t.like("with the place", lines[2], r"^# both\.fray:19: ")
    t.silent("nothing goes to standard error", err)
    t.write("ford.fray", app.FORD)
    t.same("all is well: status 0", t.fray("test", "ford.fray"), (0, "ok 1 - ford.fray: The Ford\n1..1\n", ""))
    t.same("standard input", t.fray("test", "-", stdin=app.FORD), (0, "ok 1 - -: The Ford\n1..1\n", ""))


def none(t):
    t.write("things.fray", app.THINGS)
    t.same("things alone are no test", t.fray("test", "things.fray"), (0, "1..0\n", ""))
    t.write("loose.fray", app.LOOSE)
    t.same("nor is a fight that expects nothing", t.fray("test", "loose.fray"), (0, "1..0\n", ""))
    t.write("empty.fray", "")
    t.same("nor an empty file", t.fray("test", "empty.fray"), (0, "1..0\n", ""))


def wrong(t):
    t.write("wrong.fray", app.WRONG)
    t.write("ford.fray", app.FORD)
    status, out, err = t.fray("test", "wrong.fray", "ford.fray")
    t.same("a file with mistakes is one failed test", (status, re.findall(r"^(?:not )?ok.*|^1\.\..*", out, re.M)),
           (1, ["not ok 1 - wrong.fray", "ok 2 - ford.fray: The Ford", "1..2"]))
    t.like("with its mistakes", out, r"^# wrong\.fray:2: .*hit pints")
    status, out, err = t.fray("test", "ford.fray", "missing.fray")
    t.same("a path that is not there is status 2, and no tests run", (status, out), (2, ""))
    t.one_sentence("it is named", err, r"missing\.fray")
    t.same("no path at all is wrong", t.fray("test")[0], 2)
    t.same("a seed must be a number", t.fray("test", "--seed=x", "ford.fray")[0], 2)


def folders(t):
    t.write("all/b/two.fray", app.FORD)
    t.write("all/a/one.fray", app.FORD)
    t.write("all/three.fray", app.FORD)
    t.write("all/.git/four.fray", app.FORD)
    t.write("all/five.txt", app.FORD)
    os.symlink("..", os.path.join(t.folder, "all", "a", "round and round"))
    wanted = ["all/a/one.fray", "all/b/two.fray", "all/three.fray"]
    status, out, err = t.fray("test", "all")
    t.same("folders are walked in order, hidden and linked ones not", (status, re.findall(r"- (.*):", out)), (0, wanted))
    t.same("a slash at the end changes nothing", t.fray("test", "all/")[1], out)


def names(t):
    t.write("odd #1.fray", app.FORD.replace("The Ford", '"Ford #2 # TODO"'))
    status, out, err = t.fray("test", "odd #1.fray")
    t.same("# is escaped: it would be a directive", out.splitlines()[0], r"ok 1 - odd \#1.fray: Ford \#2 \# TODO")


def prove(t):
    if not shutil.which("prove"):
        t.check("prove accepts it # SKIP there is no prove here", True)
        return
    t.write("ford.fray", app.FORD)
    t.write("cellar.fray", app.CELLAR)
    good = subprocess.run(["prove", "--exec", app.FRAY + " test", "ford.fray"], cwd=t.folder, capture_output=True)
    t.same("prove is content with what holds", good.returncode, 0)
    bad = subprocess.run(["prove", "--exec", app.FRAY + " test", "ford.fray", "cellar.fray"], cwd=t.folder, capture_output=True)
    t.check("and not with what does not", bad.returncode != 0, bad.stdout)


app.run([points, none, wrong, folders, names, prove])
