#!/usr/bin/env python3
"""screen.py - draws the pictures of README.md: a story and its `why`, as the prompt tells them.

usage: python3 docs/screen.py [--check]

examples/web.fray is played at the prompt and what is told is drawn, for light and for dark pages:
docs/screen-light.svg and docs/screen-dark.svg. FRAY names the command to ask (build/release/fray).
With --check nothing is written; status 1 says that a picture is stale."""

import os
import re
import subprocess
import sys
from xml.sax.saxutils import escape

from pages import put

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build/release/fray")))
TYPED = ("begin", "run", "why not Halvaine completes web")
WIDTH, ROW, LETTER, EDGE = 80, 19, 8.0, 18
COLOURS = {  # page, frame, text, what is typed, headings, what is of less weight, what would have been
    "light": ("#fbfaf7", "#d8d4c8", "#2c2a26", "#8a3b12", "#1d4f73", "#7d786c", "#2f6b2f"),
    "dark": ("#1c1b19", "#3d3a34", "#e4e0d6", "#f0a36b", "#8fc1e3", "#958f82", "#9ccf8f"),
}


def told():
    """What the prompt tells, with what is typed."""
    # piped, the prompt does not echo: what the first n lines tell is what those before tell, and more
    lines, before = [], ""
    for n, line in enumerate(TYPED, 1):
        done = subprocess.run([FRAY, "repl", "examples/web.fray"], cwd=TOP, input="".join(one + "\n" for one in TYPED[:n]), stdout=subprocess.PIPE, text=True,
                              env={**os.environ, "COLUMNS": str(WIDTH)}, check=True, timeout=50)
        lines += ["fray> " + line] + done.stdout[len(before):].splitlines()
        before = done.stdout
    return lines


def style(line, heading):
    """The class of a line."""
    if line.startswith("fray> "):
        return "typed"
    if re.fullmatch(r"surprise|round \d+", line):
        return "head"
    if re.match(r"  (dice|rules?:)\b", line) or line == "the script ends here":
        return "less"
    return "would" if heading else ""


def picture(lines, colours):
    page, frame, text, typed, head, less, would = colours
    width, height = 2 * EDGE + WIDTH * LETTER, 2 * EDGE + len(lines) * ROW
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img">' % (width, height, width, height),
           "<title>A fight told at the prompt of Fray, and why a spell failed</title>",
           "<style>text{font:13.3px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:%s;white-space:pre}" % text,
           ".typed{fill:%s;font-weight:bold}.head{fill:%s;font-weight:bold}.less{fill:%s}.would{fill:%s}</style>" % (typed, head, less, would),
           '<rect x=".5" y=".5" width="%g" height="%g" rx="8" fill="%s" stroke="%s"/>' % (width - 1, height - 1, page, frame)]
    last = False
    for n, line in enumerate(lines):
        last = last or bool(re.match(r"With \d+ or (less|more) on ", line))
        if line:
            kind = style(line, last)
            bare = line.lstrip()
            out.append('<text x="%g" y="%g" xml:space="preserve" textLength="%g"%s>%s</text>'
                       % (EDGE + (len(line) - len(bare)) * LETTER, EDGE + (n + 0.75) * ROW, len(bare) * LETTER, ' class="%s"' % kind if kind else "", escape(bare)))
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    check, stale = "--check" in sys.argv[1:], 0
    lines = told()
    for name, colours in COLOURS.items():
        stale += put("docs/screen-%s.svg" % name, picture(lines, colours), check)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
