#!/usr/bin/env python3
"""t_cookbook.py - every recipe of docs/cookbook.md depends on its rule: with the rule every
expectation of its fight holds; without it one fails at least, and nothing else goes wrong.

usage: t_cookbook.py [TITLE ...]"""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import t_docs
import tap

PAGE = "docs/cookbook.md"
RULE = re.compile(r"^rule [^{]*\{\n.*?^\}\n", re.M | re.S)


def fray(folder, command, text):
    """(status, what is told) of a command on a script"""
    with open(os.path.join(folder, "recipe.fray"), "w", encoding="utf-8") as f:
        f.write(text)
    done = subprocess.run([t_docs.FRAY, command, "recipe.fray"], cwd=folder, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=50)
    return done.returncode, done.stdout


def try_recipe(title, text, folder):
    status, said = fray(folder, "check", text)
    tap.check("%s: nothing to complain of" % title, (status, said) == (0, ""), said)
    status, said = fray(folder, "test", text)
    tap.check("%s: its fight comes out as the page says" % title, status == 0, said)
    less, gone = RULE.subn("", text)
    status, said = fray(folder, "test", less)
    if "[F0517]" in said or "[F0514]" in said:  # choices and dice that are the rule's alone go with it
        less = re.sub(r"^ *choices:.*\n", "", less, flags=re.M)
        for die in set(re.findall(r'No rule rolls a die called "([^"]+)"', said)):
            less = re.sub(r",? [^,\n]*'s? %s [\d then]+" % re.escape(die), "", less)
        status, said = fray(folder, "test", re.sub(r"^ *dice:\n", "", less, flags=re.M))
    fails = status == 1 and "This expectation failed" in said
    tap.check("%s: its fight comes out differently without the rule" % title, gone >= 1 and fails, said)


def main():
    titles = {}
    with open(os.path.join(t_docs.TOP, PAGE), encoding="utf-8") as f:
        lines = f.read().split("\n")
    recipes = []
    for block in t_docs.read(PAGE):
        title = next(line[3:] for line in reversed(lines[: block.line]) if line.startswith("## "))
        titles[title] = titles.get(title, 0) + 1
        if block.info == ["fray"] and (len(sys.argv) < 2 or title in sys.argv[1:]):
            recipes.append((title, block.text()))
    headed = [line[3:] for line in lines if line.startswith("## ")]
    tap.check("every heading has one recipe", len(sys.argv) > 1 or titles == dict.fromkeys(headed, 1), titles)
    for title, text in recipes:
        with tempfile.TemporaryDirectory(prefix="fray-cook-") as folder:
            with open(os.path.join(t_docs.TOP, "examples/things.fray"), encoding="utf-8") as f, \
                 open(os.path.join(folder, "things.fray"), "w", encoding="utf-8") as to:
                to.write(f.read())
            try_recipe(title, text, folder)
    tap.end()


if __name__ == "__main__":
    main()
