#!/usr/bin/env python3
"""tables.py - prints the .def tables of the tree as reference pages.

usage: python3 docs/tables.py [--check]

A .def file documents itself: its head comment names the columns, as in
`OP(name, shape, "what it does")`, and every row is one such call. So a page is the head
comment, then one table, cut where the file has a /* ---- heading ---- */ or /* heading */.
Pages go to docs/reference/. With --check nothing is written; status 1 says a page is stale.
"""

import os
import re
import sys

from pages import put

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = os.path.join(TOP, "docs", "reference")
PIECE = re.compile(r'/\*(?P<comment>.*?)\*/|(?P<call>\b[A-Z]+\()|(?P<other>\S)', re.S)


def plain(comment):
    """A comment's text without its stars."""
    return "\n".join(re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip().splitlines())


def arguments(text, at):
    """The arguments of a call whose ( ends at `at`, and where the call ends."""
    found, now, depth = [], "", 0
    while True:
        if text[at] == '"':
            end = at + 1
            while text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            now += text[at : end + 1]
            at = end
        elif text[at] == "," and depth == 0:
            found.append(now.strip())
            now = ""
        elif text[at] == ")" and depth == 0:
            found.append(now.strip())
            return found, at + 1
        else:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            now += text[at]
        at += 1


def cell(argument):
    """An argument as a reader wants it: strings without quotes, blanks as one."""
    if argument.startswith('"'):
        argument = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', argument))
        argument = argument.replace('\\"', '"').replace("\\n", " ").replace("\\\\", "\\")
    return re.sub(r"\s+", " ", argument).replace("|", "\\|").replace("<", "&lt;")


def lines(argument):
    """The text of a C string in several pieces, with its line ends."""
    text = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', argument))
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m.group(1), m.group(1)), text)


def messages():
    """{name: (code, template)} of runtime/base/message.def"""
    with open(os.path.join(TOP, "runtime/base/message.def"), encoding="utf-8") as f:
        text = f.read()
    found = {}
    for call in re.finditer(r"^MSG\(", text, re.M):
        row, _ = arguments(text, call.end())
        found[row[0]] = lines(row[1]), re.sub(r"\{\d\}", "..", lines(row[3]))
    return found


def explained(row, known):
    """A row of HELP: what a message means, its example and the cure."""
    name, how, meaning, example, cure = row
    code, template = known[name]
    out = ["", "## %s" % code, "", "> " + template.replace("<", "&lt;"), "", lines(meaning)]
    if how == "LIKE":
        return out + ["", "The example is that of %s." % lines(example)]
    if how == "NEVER":
        return out + ["", "There is no example: no script and no command of this version produces it.", "", lines(cure)]
    words = {"CHECK": "Example:", "RUN": "Example, found when it is played:", "PROMPT": "Example, typed at the prompt:", "COMMAND": "Example, typed at the shell:"}
    return out + ["", words[how], "", "```text", lines(example), "```", "", "Cure:", "", "```text", lines(cure), "```"]


def page(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as f:
        text = f.read()
    head = re.match(r"\s*/\*(.*?)\*/", text, re.S)
    if not head:
        raise SystemExit("%s: no head comment" % path)
    prose = plain(head.group(1))
    title, _, rest = prose.partition("\n")
    name, _, what = title.partition(" - ")
    signature = re.search(r"\b([A-Z]+)\(", prose)
    if not signature:
        raise SystemExit("%s: the head comment names no columns, as in ROW(name, \"what\")" % path)
    macro = signature.group(1)
    columns, _ = arguments(prose, signature.end())
    out = ["# %s" % name, "", "Printed from `%s` by `make docs`." % path, "", "```text", (what + "\n" + rest).strip(), "```", ""]
    if macro == "HELP":
        known = messages()
        for call in re.finditer(r"^HELP\(", text[head.end():], re.M):
            out += explained(arguments(text, head.end() + call.end())[0], known)
        return name.replace(".def", ".md"), "\n".join(out).rstrip() + "\n"
    started = False
    at = head.end()
    while True:
        piece = PIECE.search(text, at)
        if not piece:
            break
        at = piece.end()
        if piece.group("comment") is not None:
            heading = plain(piece.group("comment")).strip("- \n")
            if heading:
                out += ["", "## " + " ".join(heading.split()), ""]
            started = False
        elif piece.group("call"):
            row, at = arguments(text, piece.end())
            if piece.group("call") != macro + "(":
                continue
            if not started:
                out += ["| " + " | ".join(cell(c) for c in columns) + " |", "|" + "---|" * len(columns)]
                started = True
            row += [""] * (len(columns) - len(row))
            out.append("| " + " | ".join(cell(c) for c in row) + " |")
    return name.replace(".def", ".md"), "\n".join(out).rstrip() + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    stale = 0
    pages = {}
    for top in ("runtime", "lang"):
        for root, folders, names in os.walk(os.path.join(TOP, top)):
            folders.sort()
            for name in sorted(names):
                if name.endswith(".def"):
                    out, text = page(os.path.relpath(os.path.join(root, name), TOP))
                    pages[out] = text
    if not check:
        os.makedirs(OUT, exist_ok=True)
    old = set(os.listdir(OUT)) if os.path.isdir(OUT) else set()
    for gone in sorted(old - set(pages)):
        stale += 1
        print("docs/reference/%s has no table any more" % gone)
        if not check:
            os.remove(os.path.join(OUT, gone))
    for out, text in sorted(pages.items()):
        stale += put("docs/reference/" + out, text, check)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
