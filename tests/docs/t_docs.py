"""Everything the pages show is true: each fenced block of README.md, docs/*.md and
docs/decisions/*.md is tried, by what stands after its first fence.

  fray            a whole script: `fray check` finds nothing; with encounters, `fray run` ends well
  fray NAME.fray  the same, and the page's later blocks find it under that name
  fray part       declarations: checked after `use osric` and `use things` (examples/things.fray)
  fray scene      lines of an encounter between Halvaine, Bruna and Korg on one side and four
                  orcs and their chief on the other, ten feet apart: played
  fray-repl FILE  a session at the prompt over FILE: what follows `fray> ` and `   .. ` is typed,
                  the rest is exactly what comes of it, line by line
  console         `$ command`, then exactly what it prints
  c               a C program that compiles against the public header
  sh, text        not tried

Commands run in an empty folder that has the examples in it; fray is the one under test."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build/debug/fray")))
BASIS = "use osric\nuse things\n"
SCENE = BASIS + "encounter shown {\nside party: Halvaine, Bruna, Korg\nside orcs: 4 orcs, orc chief\n%s}\n"
PROMPTS = ("fray> ", "   .. ")


class Block:
    def __init__(self, page, line, info):
        self.page, self.line, self.info, self.lines = page, line, info.split(), []

    def text(self):
        return "".join(line + "\n" for line in self.lines)


def pages():
    yield "README.md"
    for folder in ("docs", "docs/decisions"):
        for name in sorted(os.listdir(os.path.join(TOP, folder))):
            if name.endswith(".md"):
                yield folder + "/" + name


def read(page):
    """The blocks of a page."""
    blocks, block, before = [], None, ""
    with open(os.path.join(TOP, page), encoding="utf-8") as f:
        for number, line in enumerate(f.read().split("\n"), 1):
            if block is None and line.startswith("```"):
                block = Block(page, number, line[3:])
            elif block is not None and line == "```":
                blocks.append(block)
                block = None
            elif block is not None:
                block.lines.append(line)
            elif re.match(r"( {4}|\t)\S", line) and before == "":
                blocks.append(Block(page, number, "indented"))
            before = line
    if block is not None:
        block.info = ["open"]
        blocks.append(block)
    return blocks


def run(args, folder, stdin=""):
    """(status, output and complaints as they came)"""
    env = {**os.environ, "PATH": os.path.dirname(FRAY) + os.pathsep + os.environ["PATH"], "COLUMNS": "80"}
    done = subprocess.run(args, cwd=folder, input=stdin.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, timeout=50)
    return done.returncode, done.stdout.decode("utf-8", "backslashreplace")


def try_script(text, folder, play, name="shown.fray"):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text)
    status, said = run([FRAY, "check", name], folder)
    if (status, said) != (0, ""):
        return "fray check: status %d\n%s" % (status, said)
    if play:
        status, said = run([FRAY, "run", name], folder)
        if status != 0:
            return "fray run: status %d\n%s" % (status, said)
    return None


def try_fray(block, folder):
    kind = block.info[1] if len(block.info) > 1 else ""
    text = block.text()
    if kind == "part":
        return try_script(BASIS + text, folder, False)
    if kind == "scene":
        return try_script(SCENE % text, folder, True)
    if kind and not re.fullmatch(r"[\w-]+\.fray", kind):
        return "what is a %r?" % " ".join(block.info)
    return try_script(text, folder, re.search(r"^encounter ", text, re.M), kind or "shown.fray")


def compare(wanted, got, what):
    if wanted == got:
        return None
    return "%s\n-- the page says:\n%s-- it is:\n%s" % (what, wanted, got)


def try_repl(block, folder):
    typed, told = [], []
    for line in block.lines:
        if line.startswith(PROMPTS):
            typed.append(line[len(PROMPTS[0]):])
            told.append("")
        elif not typed:
            return "it has to begin with something typed"
        else:
            told[-1] += line + "\n"
    # the first n lines alone say what comes of each; a block's lines are told after its last
    whole, before = len(typed), ""
    for n in range(1, whole + 1):
        _, said = run([FRAY, "repl", *block.info[1:]], folder, "".join(line + "\n" for line in typed[:n]))
        if "ended too early" in said and n < whole:
            said = before
        if not said.startswith(before):
            return "typing %r changed what was told before:\n%s" % (typed[n - 1], said)
        wrong = compare(told[n - 1], said[len(before):], "fray> " + typed[n - 1])
        if wrong:
            return wrong
        before = said
    return None


def try_console(block, folder):
    command, wanted = None, ""
    for line in block.lines + ["$ "]:
        if not line.startswith("$ "):
            if command is None:
                return "it has to begin with a command"
            wanted += line + "\n"
            continue
        if command is not None:
            _, said = run(["sh", "-c", command], folder)
            wrong = compare(wanted, said, "$ " + command)
            if wrong:
                return wrong
        command, wanted = line[2:], ""
    return None


def try_c(block, folder):
    include = os.path.join(folder, "include")
    os.makedirs(include, exist_ok=True)
    if not os.path.exists(os.path.join(include, "fray")):
        os.symlink(os.path.join(TOP, "lang/api"), os.path.join(include, "fray"))
    with open(os.path.join(folder, "shown.c"), "w", encoding="utf-8") as f:
        f.write(block.text())
    status, said = run([os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-Iinclude", "shown.c"], folder)
    return said if status != 0 else None


TRIED = {"fray": try_fray, "fray-repl": try_repl, "console": try_console, "c": try_c}
UNTRIED = {
    "": "a block says what it is after its fence",
    "open": "this block is never closed",
    "indented": "put this between fences, so that it can be tried",
}


def try_block(block, folder):
    kind = block.info[0] if block.info else ""
    if kind in TRIED:
        return TRIED[kind](block, folder)
    if kind in ("sh", "text"):
        return None
    return UNTRIED.get(kind, "blocks are fray, fray-repl, console, c, sh or text, not %r" % kind)


def main():
    point = failed = 0
    wanted = sys.argv[1:]
    for page in pages():
        if wanted and page not in wanted:
            continue
        folder = tempfile.mkdtemp(prefix="fray-docs-")
        shutil.copytree(os.path.join(TOP, "examples"), os.path.join(folder, "examples"))
        for name in os.listdir(os.path.join(TOP, "examples")):
            if name.endswith(".fray"):
                shutil.copy(os.path.join(TOP, "examples", name), folder)
        for block in read(page):
            try:
                wrong = try_block(block, folder)
            except (OSError, subprocess.SubprocessError) as problem:
                wrong = repr(problem)
            point += 1
            failed += wrong is not None
            print("%sok %d - %s:%d %s" % ("not " if wrong else "", point, page, block.line, " ".join(block.info)))
            for line in (wrong or "").splitlines():
                print("# " + line)
        shutil.rmtree(folder)
    print("1..%d" % point)
    return 1 if failed else 0


sys.exit(main())
