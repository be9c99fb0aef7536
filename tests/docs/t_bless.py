#!/usr/bin/env python3
"""t_bless.py - t_docs.py --bless writes nothing when the command that the pages ask could not be run."""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import t_docs


def blessed(program, mode):
    """(status, complaint) of blessing a page by a command of our own."""
    with tempfile.TemporaryDirectory(prefix="fray-bless-") as folder:
        path = os.path.join(folder, "fray")
        with open(path, "w", encoding="utf-8") as f:
            f.write(program)
        os.chmod(path, mode)
        done = subprocess.run([sys.executable, os.path.join(HERE, "t_docs.py"), "--bless", "docs/tutorial.md"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, env={**os.environ, "FRAY": path}, timeout=50)
        return done.returncode, done.stderr


def block(now, lines=()):
    one = t_docs.Block("page", 1, "console")
    one.lines, one.now = list(lines), now
    return one


def main():
    page = os.path.join(t_docs.TOP, "docs/tutorial.md")
    with open(page, encoding="utf-8") as f:
        before = f.read()
    points = t_docs.Points()
    for name, program, mode in (("that may not be executed", "#!/bin/sh\necho fray 1\n", 0o644),
                                ("that fails", "#!/bin/sh\nexit 126\n", 0o755),
                                ("of another sort", "#!/bin/sh\necho hello\n", 0o755)):
        status, said = blessed(program, mode)
        points.say("a command %s" % name, None if status and re.search("nothing is written", said) else "%d: %s" % (status, said))
    with open(page, encoding="utf-8") as f:
        points.say("the page is as it was", None if f.read() == before else "docs/tutorial.md was written")
    busy = "sh: 1: fray: Text file busy"
    points.say("what the shell says is no answer", None if t_docs.unfit(block(["$ fray", busy])) == busy else "it was taken")
    points.say("a page may say so itself", None if t_docs.unfit(block(["$ fray", busy], [busy])) is None else "it was refused")
    print("1..%d" % points.count)
    return points.failed != 0


if __name__ == "__main__":
    sys.exit(main())
