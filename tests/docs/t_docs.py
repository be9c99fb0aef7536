"""Everything the pages show is true: each fenced block of README.md, docs/*.md, docs/systems/*.md and
docs/decisions/*.md is tried, by what stands after its first fence.

usage: t_docs.py [--bless] [PAGE ...]     --bless writes what is told now into console and fray-repl blocks

  fray            a whole script: `fray check` finds nothing; with encounters, `fray run` ends well
  fray NAME.fray  the same, and the page's later blocks find it under that name
  fray examples/NAME.fray   the same, and it is that file, letter by letter
  fray from examples/NAME.fray   lines of that file, letter by letter
  fray part       declarations: checked after `use osric` and `use things` (examples/things.fray)
  fray scene      lines of an encounter between Halvaine, Bruna and Korg on one side and four
                  orcs and their chief on the other, ten feet apart: played
  fray-repl FILE  a session at the prompt over FILE: what follows `fray> ` and `   .. ` is typed,
                  the rest is exactly what comes of it, line by line
  console         `$ command`, then exactly what it prints
  c               a C program that compiles against the public header
  sh, text        not tried
  python          not tried here: t_embedding.py does

Commands run in an empty folder that has the examples in it; fray (and build/fray) is the one under
test. Besides, every word of lang/front/words.def stands in docs/language.md, every file that a page
names is there, and README.md names the packages that tests/need.sh looks for."""
# seconds: 600

import glob
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
        self.now = None  # its lines as they should be; of console and fray-repl

    def text(self):
        return "".join(line + "\n" for line in self.lines)


def pages():
    yield "README.md"
    for folder in ("docs", "docs/systems", "docs/decisions"):
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
    if kind == "from":
        with open(os.path.join(TOP, block.info[2]), encoding="utf-8") as f:
            return None if text in f.read() else "%s does not have these lines" % block.info[2]
    if kind and not re.fullmatch(r"(examples/)?[\w-]+\.fray", kind):
        return "what is a %r?" % " ".join(block.info)
    if kind.startswith("examples/"):
        with open(os.path.join(TOP, kind), encoding="utf-8") as f:
            differs = compare(f.read(), text, kind)
        if differs:
            return differs
    return try_script(text, folder, re.search(r"^encounter ", text, re.M), kind or "shown.fray")


def compare(wanted, got, what):
    if wanted == got:
        return None
    return "%s\n-- wanted:\n%s-- it is:\n%s" % (what, wanted, got)


def judge(block, turns):
    """turns: (the lines as typed, what the page says of it, what comes of it)"""
    block.now = []
    for typed, _, got in turns:
        block.now += typed + got.splitlines()
    for typed, wanted, got in turns:
        if wanted != got:
            return compare(wanted, got, "\n".join(typed))
    return None


def try_repl(block, folder):
    typed, told = [], []
    for line in block.lines:
        if line.startswith(PROMPTS):
            typed.append(line)
            told.append("")
        elif not typed:
            return "it has to begin with something typed"
        else:
            told[-1] += line + "\n"
    # the first n lines alone say what comes of each; a block's lines are told after its last
    before, turns = "", []
    for n, line in enumerate(typed, 1):
        said = before
        if n == len(typed) or not typed[n].startswith(PROMPTS[1]):
            entered = "".join(one[len(PROMPTS[0]) :] + "\n" for one in typed[:n])
            _, said = run([FRAY, "repl", *block.info[1:]], folder, entered)
            if not said.startswith(before):
                return "typing %r changed what was told before:\n%s" % (line, said)
        turns.append(([line], told[n - 1], said[len(before) :]))
        before = said
    return judge(block, turns)


def try_console(block, folder):
    turns = []
    for line in block.lines:
        if line.startswith("$ "):
            turns.append([[line], "", ""])
        elif not turns:
            return "it has to begin with a command"
        else:
            turns[-1][1] += line + "\n"
    for turn in turns:
        _, turn[2] = run(["sh", "-c", turn[0][0][2:]], folder)
    return judge(block, turns)


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
    if kind in ("sh", "text", "python"):
        return None
    return UNTRIED.get(kind, "blocks are fray, fray-repl, console, c, python, sh or text, not %r" % kind)


def unknown_words():
    """The words of the language that its page never mentions."""
    with open(os.path.join(TOP, "lang/front/words.def"), encoding="utf-8") as f:
        words = re.findall(r'^WORD\("([^"]+)"', f.read(), re.M)
    with open(os.path.join(TOP, "docs/language.md"), encoding="utf-8") as f:
        page = f.read()
    lost = [word for word in words if not re.search(r"\b%s\b" % re.escape(word), page)]
    return "docs/language.md does not mention: " + ", ".join(lost) if lost else None


def missing_files():
    """The files of the tree that a page names and that are not there; NAME, SYSTEM and N stand for any."""
    lost = []
    for page in pages():
        with open(os.path.join(TOP, page), encoding="utf-8") as f:
            text = f.read()
        for name in re.findall(r"(?<![\w/.])(?:runtime|lang|stdlib|tests|docs|examples)/[\w./*-]*[\w*]", text):
            some = name if not re.search("SYSTEM|NAME", name) else re.sub("SYSTEM|NAME", "*", os.path.dirname(name))
            if not glob.glob(os.path.join(TOP, some)):
                lost.append("%s: %s" % (page, name))
    return "named but not there:\n" + "\n".join(lost) if lost else None


def unnamed_packages():
    """What README.md forgets of what play and check need elsewhere than on Debian."""
    with open(os.path.join(TOP, "tests/need.sh"), encoding="utf-8") as f:
        rows = re.findall(r'^\s*(?:if .*; then )?need(?:_header)? (\S+) (\S+) (\S+) (\S+) (\S+) "', f.read().split("\tbench)")[0], re.M)
    with open(os.path.join(TOP, "README.md"), encoding="utf-8") as f:
        named = set(f.read().split())
    conditional = {"clang", "expect", "tmux"}  # for fuzzing, and for tests there may be none of
    lost = sorted({name for row in rows for name in row[2:] if name != "-" and "$" not in name and '"' not in name} - named - conditional)
    if len(rows) < 10:
        return "tests/need.sh is not understood"
    return "README.md does not name: " + " ".join(lost) if lost else None


NO_ANSWER = re.compile("Permission denied|Text file busy|Exec format error|cannot execute|command not found|(?i:segmentation fault)|core dumped")


def unfit(block):
    """The line of what a block is told now that no command of ours says, or None: it was never run."""
    return next((line for line in block.now or () if NO_ANSWER.search(line) and line not in block.lines), None)


def cannot_run():
    """Why there is no command to ask, or None."""
    try:
        status, out = run([FRAY, "--version"], TOP)
    except (OSError, subprocess.SubprocessError) as problem:
        return str(problem)
    return None if status == 0 and out.startswith("fray ") else "status %d: %s" % (status, out)


def bless(page, blocks):
    """Writes what the blocks should say into their page."""
    for block in blocks:
        if unfit(block):
            sys.exit("%s:%d is not written, since a command could not be run: %s" % (page, block.line, unfit(block)))
    path = os.path.join(TOP, page)
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    for block in reversed(blocks):
        if block.now is not None:
            lines[block.line : block.line + len(block.lines)] = block.now
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines))


class Points:
    """TAP."""

    def __init__(self):
        self.count = self.failed = 0

    def say(self, name, wrong):
        self.count += 1
        self.failed += wrong is not None
        print("%sok %d - %s" % ("not " if wrong else "", self.count, name))
        for line in (wrong or "").splitlines():
            print("# " + line)


def try_page(page, points):
    blocks = read(page)
    folder = tempfile.mkdtemp(prefix="fray-docs-")
    try:
        shutil.copytree(os.path.join(TOP, "examples"), os.path.join(folder, "examples"))
        for name in os.listdir(os.path.join(TOP, "examples")):
            if name.endswith(".fray"):
                shutil.copy(os.path.join(TOP, "examples", name), folder)
        shutil.copy(os.path.join(TOP, "examples/basic/basic.fray"), folder)
        os.mkdir(os.path.join(folder, "build"))
        os.symlink(FRAY, os.path.join(folder, "build", "fray"))
        for block in blocks:
            try:
                wrong = try_block(block, folder)
            except (OSError, subprocess.SubprocessError) as problem:
                wrong = repr(problem)
            points.say("%s:%d %s" % (page, block.line, " ".join(block.info)), wrong)
    finally:
        shutil.rmtree(folder)
    return blocks


def main():
    wanted = [argument for argument in sys.argv[1:] if argument != "--bless"]
    points = Points()
    if "--bless" in sys.argv and cannot_run():
        sys.exit("nothing is written, since %s cannot be run: %s" % (FRAY, cannot_run()))
    for page in pages():
        if not wanted or page in wanted:
            blocks = try_page(page, points)
            if "--bless" in sys.argv:
                bless(page, blocks)
    if not wanted:
        points.say("docs/language.md mentions every word", unknown_words())
        points.say("files that pages name are there", missing_files())
        points.say("README.md names the packages", unnamed_packages())
    print("1..%d" % points.count)
    return 1 if points.failed else 0


if __name__ == "__main__":
    sys.exit(main())
