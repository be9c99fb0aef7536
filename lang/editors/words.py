#!/usr/bin/env python3
"""words.py - writes the words of the language into the editors' files.

usage: python3 lang/editors/words.py [--check]

lang/front/words.def says which words begin a statement and which stand inside one. Each editor's
file has a line for either, which ends in or stands below a mark with `words.def`; this program
writes those lines. With --check nothing is written; status 1 says that a file is stale."""

import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
ROW = re.compile(r'^WORD\("([a-z]+(?: [a-z]+)*)", \w+, ([^)]*)\)', re.M)


def words():
    """(the words that begin statements, those inside): the longest first, so that it is found."""
    with open(os.path.join(TOP, "lang/front/words.def"), encoding="utf-8") as f:
        rows = ROW.findall(f.read())
    starts = {w for w, c in rows if re.search(r"W_START|W_TOP|W_FIRST|W_CLAUSE", c)}
    inner = {w for w, c in rows if w not in starts}
    by_length = lambda w: (-len(w), w)  # noqa: E731
    return sorted(starts, key=by_length), sorted(inner, key=by_length)


def vscode(text, starts, inner):
    grammar = json.loads(text)
    for name, which in (("statement", starts), ("inside", inner)):
        either = "|".join(w.replace(" ", "\\s+") for w in which)
        begins = "(?:^|(?<=[{};]))\\s*" if name == "statement" else ""
        grammar["repository"][name]["match"] = "(?i)%s(?<![\\w'-])(%s)(?![\\w'-])" % (begins, either)
    return json.dumps(grammar, indent=2, ensure_ascii=False) + "\n"


def vim(text, starts, inner):
    def line(group, which, before):
        either = "\\|".join(w.replace(" ", "\\s\\+") for w in which)
        return 'syntax match %s "%s\\<\\%%(%s\\)\\>\'\\@!" " words.def' % (group, before, either)

    text = re.sub(r'^syntax match frayStatement .*words\.def$', lambda m: line("frayStatement", starts, "\\%(^\\|[{};]\\)\\s*\\zs"), text, flags=re.M)
    return re.sub(r'^syntax match frayInside .*words\.def$', lambda m: line("frayInside", inner, ""), text, flags=re.M)


def emacs(text, starts, inner):
    def form(name, which):
        quoted = "\n    ".join('"%s"' % w for w in which)
        return "(defconst %s ; words.def\n  '(%s))" % (name, quoted)

    text = re.sub(r"^\(defconst fray-starts ; words\.def\n.*?\)\)$", lambda m: form("fray-starts", starts), text, flags=re.M | re.S)
    return re.sub(r"^\(defconst fray-inside ; words\.def\n.*?\)\)$", lambda m: form("fray-inside", inner), text, flags=re.M | re.S)


FILES = {"vscode/syntaxes/fray.tmLanguage.json": vscode, "vim/syntax/fray.vim": vim, "emacs/fray-mode.el": emacs}


def main():
    stale = 0
    for name, fill in FILES.items():
        path = os.path.join(HERE, name)
        with open(path, encoding="utf-8") as f:
            old = f.read()
        new = fill(old, *words())
        if new == old:
            continue
        if sys.argv[1:] == ["--check"]:
            print("lang/editors/%s: not the words of lang/front/words.def; python3 lang/editors/words.py writes them" % name)
            stale = 1
        else:
            with open(path, "w", encoding="utf-8") as f:
                f.write(new)
            print("lang/editors/%s written" % name)
    return stale


sys.exit(main())
