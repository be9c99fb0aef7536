"""What the pages show of the prompt comes of the same keys at a real terminal: every fray-repl block
is typed there, line by line, and what is told between two prompts is what the page says. Besides,
docs/repl.md types every command there is.

usage: t_terminal.py [PAGE ...]"""

import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "repl"))

import t_docs

os.environ["FRAY"] = t_docs.FRAY

from terminal import Missing, Terminal

PROMPT = r"([^\r\n]*fray> |[^\r\n]*   \.\. )\Z"
# how a command of lang/front/ast.def begins that does not begin with its own name
OTHERWISE = {"ROLL": r"\d+d\d+|spread ", "EVAL": r"[A-Z]\w+'s |count ", "ASKED": "dice ask|dice roll"}


def opened(block, folder):
    env = {"XDG_STATE_HOME": os.path.join(folder, "state")}
    p = Terminal("repl", *block.info[1:], cwd=folder, env=env, width=80)
    p.wait(PROMPT)
    return p


def echo(line):
    """A typed line as readline shows it: it may turn at the edge of the terminal."""
    return r"(?: ?\r)?".join(map(re.escape, line.rstrip())) + r" *\r+\n"


def plain(text):
    """Without what readline adds to move the cursor."""
    return text.replace("\r", "").lstrip("\n")


def joined(text):
    """Messages are broken between words at a terminal, and go on four columns in; piped they are not."""
    return re.sub(r"\n {4,}(?=\S)(?!\d+ \|)", " ", text)


def try_repl(block, folder):
    turns = []
    for line in block.lines:
        if line.startswith(t_docs.PROMPTS):
            turns.append([line, ""])
        else:
            turns[-1][1] += line + "\n"
    with opened(block, folder) as p:
        for n, (line, wanted) in enumerate(turns):
            p.send(line[len(t_docs.PROMPTS[0]) :] + "\r")
            p.wait(echo(line[len(t_docs.PROMPTS[0]) :]))
            if n + 1 == len(turns) and line.endswith("> quit"):
                p.ended()
                return None
            got = plain(p.before(PROMPT))
            if joined(got) != joined(plain(wanted)):
                return t_docs.compare(wanted, got, line)
    return None


def untyped_commands():
    """The commands of the prompt that docs/repl.md never types."""
    with open(os.path.join(t_docs.TOP, "lang/front/ast.def"), encoding="utf-8") as f:
        names = re.findall(r"^NODE\(X_(\w+)", f.read(), re.M)
    typed = [line[len(t_docs.PROMPTS[0]) :] for block in t_docs.read("docs/repl.md") if block.info[:1] == ["fray-repl"]
             for line in block.lines if line.startswith(t_docs.PROMPTS)]
    lost = [name for name in names if not any(re.match(OTHERWISE.get(name, name.lower() + r"\b"), line) for line in typed)]
    if not names:
        return "lang/front/ast.def is not understood"
    return "docs/repl.md never types: " + ", ".join(lost) if lost else None


def try_page(page, points):
    blocks = t_docs.read(page)
    if not any(block.info[:1] == ["fray-repl"] for block in blocks):
        return
    folder = tempfile.mkdtemp(prefix="fray-terminal-")
    try:
        shutil.copytree(os.path.join(t_docs.TOP, "examples"), os.path.join(folder, "examples"))
        for name in os.listdir(os.path.join(t_docs.TOP, "examples")):
            if name.endswith(".fray"):
                shutil.copy(os.path.join(t_docs.TOP, "examples", name), folder)
        for block in blocks:
            if block.info[:1] == ["fray-repl"]:
                try:
                    wrong = try_repl(block, folder)
                except Missing as problem:
                    wrong = str(problem)
                points.say("%s:%d at a terminal" % (page, block.line), wrong)
            elif block.info[:1] == ["fray"] and len(block.info) > 1 and block.info[1] not in ("part", "scene", "from"):
                with open(os.path.join(folder, os.path.basename(block.info[1])), "w", encoding="utf-8") as f:
                    f.write(block.text())
    finally:
        shutil.rmtree(folder)


def main():
    points = t_docs.Points()
    if "readline" not in t_docs.run([t_docs.FRAY, "--version"], ".")[1]:
        print("1..0")
        return 0
    for page in t_docs.pages():
        if not sys.argv[1:] or page in sys.argv[1:]:
            try_page(page, points)
    if not sys.argv[1:]:
        points.say("docs/repl.md types every command", untyped_commands())
    print("1..%d" % points.count)
    return 1 if points.failed else 0


sys.exit(main())
