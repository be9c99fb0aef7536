#!/usr/bin/env python3
"""The files of lang/editors: the words of the language in each, and each read by its editor where
that is here. The session of npm/session.js runs where `make editors` has put its libraries."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(TOP, "tests"))
import tap  # noqa: E402

EDITORS = os.path.join(TOP, "lang", "editors")
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build/debug/fray")))
SCRIPT = "-- a ford\nencounter the ford {\n  side party: Bruna\n  hit points: 12\n  expect orc #2 hit 1d6+1 \"so\" when it is\n}\n"


def done(*args, **more):
    return subprocess.run(args, capture_output=True, text=True, timeout=120, **more)


def skip(what, why):
    tap.tests += 1
    print("ok %d - %s # SKIP %s" % (tap.tests, what, why))


def words():
    said = done(sys.executable, os.path.join(EDITORS, "words.py"), "--check")
    tap.check("each has the words of words.def", said.returncode == 0, said.stdout + said.stderr)


def vscode():
    folder = os.path.join(EDITORS, "vscode")
    for path in glob.glob(os.path.join(folder, "**", "*.json"), recursive=True):
        with open(path, encoding="utf-8") as f:
            tap.check("%s is JSON" % os.path.relpath(path, EDITORS), isinstance(json.load(f), dict))
    with open(os.path.join(folder, "package.json"), encoding="utf-8") as f:
        package = json.load(f)
    inside = package["contributes"]
    named = [package["main"], inside["languages"][0]["configuration"], inside["grammars"][0]["path"], inside["snippets"][0]["path"]]
    tap.check("what the extension names is there", all(os.path.exists(os.path.join(folder, x)) for x in named), named)
    with open(os.path.join(TOP, "lang/api/fray.h"), encoding="utf-8") as f:
        tap.check("it has the version of Fray", '#define FRAY_VERSION "%s"' % package["version"] in f.read())
    if shutil.which("node"):
        tap.check("its program can be read", done("node", "--check", os.path.join(folder, "extension.js")).returncode == 0)
    else:
        skip("its program can be read", "node is not here")


VIM = """
set runtimepath^=%s
filetype plugin on
syntax on
edit ford.fray
redir! > seen
echo &filetype &commentstring
for at in [[1, 1], [2, 1], [3, 3], [4, 3], [4, 15], [5, 3], [5, 14], [5, 21], [5, 27], [5, 32]]
  echo at synIDattr(synID(at[0], at[1], 1), 'name')
endfor
redir END
quit!
"""
WANTED = ["frayComment", "frayStatement", "frayStatement", "frayField", "frayNumber", "frayStatement", "frayOrdinal", "frayDice", "frayString", "frayInside"]


def vim(folder):
    if not shutil.which("vim"):
        skip("vim colours a script", "vim is not here")
        return
    with open(os.path.join(folder, "script.vim"), "w", encoding="utf-8") as f:
        f.write(VIM % os.path.join(EDITORS, "vim"))
    done("vim", "-es", "-N", "-u", "NONE", "-S", "script.vim", cwd=folder)
    with open(os.path.join(folder, "seen"), encoding="utf-8") as f:
        rows = f.read().split("\n")
    seen = [row.split()[-1] for row in rows if row.startswith("[")]
    if not any(seen) or "syntax" in " ".join(rows):
        skip("vim colours a script", "this vim has no colours")
        return
    tap.check("vim knows the file", "fray -- %s" in rows, rows)
    tap.check("vim colours a script", seen == WANTED, rows)


def emacs(folder):
    if not shutil.which("emacs"):
        with open(os.path.join(EDITORS, "emacs", "fray-mode.el"), encoding="utf-8") as f:
            text = re.sub(r"\?\\?.|\\.", "", f.read())
        text = re.sub(r'"[^"]*"|;.*', "", text)
        depth, lowest = text.count("(") - text.count(")"), min(text[:i].count("(") - text[:i].count(")") for i in range(len(text)))
        tap.check("the parentheses of fray-mode.el match", (depth, lowest) == (0, 0), (depth, lowest))
        skip("emacs compiles fray-mode.el", "emacs is not here")
        return
    path = shutil.copy(os.path.join(EDITORS, "emacs", "fray-mode.el"), folder)
    said = done("emacs", "-Q", "--batch", "--eval", "(setq byte-compile-error-on-warn t)", "-f", "batch-byte-compile", path)
    tap.check("emacs compiles fray-mode.el", said.returncode == 0, said.stderr)


def protocol():
    modules = os.path.join(TOP, "build", "editors", "node_modules")
    if not (shutil.which("node") and os.path.isdir(modules)):
        skip("a session by the protocol's own library", "make editors puts it there")
        return
    said = done("node", os.path.join(HERE, "npm", "session.js"), FRAY, TOP, env=dict(os.environ, NODE_PATH=modules))
    points = [x for x in said.stdout.splitlines() if x.startswith(("ok ", "not ok "))]
    tap.check("a session by the protocol's own library: %d points" % len(points), said.returncode == 0 and points, said.stdout + said.stderr)


def main():
    with tempfile.TemporaryDirectory(prefix="fray-editors-") as folder:
        with open(os.path.join(folder, "ford.fray"), "w", encoding="utf-8") as f:
            f.write(SCRIPT)
        words()
        vscode()
        vim(folder)
        emacs(folder)
        protocol()
    tap.end()


main()
