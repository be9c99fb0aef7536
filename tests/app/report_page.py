"""report_page.py - a script whose odds fill a page, and what a test asks of a page."""

import html.parser
import os

import app

SCRIPT = app.LONG.replace("until orcs are down", "orcs follow stand firm\n  until party is down or orcs are down") + """
odds 300 { Bruna waits } vs { Bruna attacks orc #2 } giving party wins, average round, spread Bruna's hit points
odds 200 giving Bruna dies, Bruna hits orc #1, average Bruna's hit points
sweep Bruna's hit points from 1 to 31 by 15 { odds 100 giving party wins, orcs win, average round }
sweep Bruna's weapon over long sword { odds 100 giving party wins }
compare osric vs lite on The Gorge giving party wins, spread Bruna's hit points
"""
VOID = {"meta", "link", "br", "img", "hr", "rect", "line", "circle", "polygon", "polyline"}


class Page(html.parser.HTMLParser):
    """What a test asks of a page: its tags in order, each plot's words, its tables' figures."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.plots, self.sections, self.cells = [], [], [], [], []
        self.text, self.unclosed, self.ids, self.data = {}, [], [], ""
        self.feed(text)
        self.unclosed = list(self.open)

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.tags.append((tag, a))
        if "id" in a:
            self.ids.append(a["id"])
        if tag == "svg":
            self.plots.append({"attributes": a, "title": "", "desc": "", "section": len(self.sections)})
        if tag == "section":
            self.sections.append({"class": a.get("class", ""), "plots": 0, "tables": 0, "text": ""})
        if self.sections and tag in ("svg", "table"):
            self.sections[-1]["plots" if tag == "svg" else "tables"] += 1
        if tag == "td":
            self.cells.append(a)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.unclosed.append(tag)

    def handle_data(self, data):
        where = self.open[-1] if self.open else ""
        self.text[where] = self.text.get(where, "") + data
        if self.sections:
            self.sections[-1]["text"] += data
        if self.plots and where in ("title", "desc"):
            self.plots[-1][where] += data


def make(t, *words):
    t.write("gorge.fray", SCRIPT)
    status, out, err = t.fray("odds", "--trials=400", "--json", "--report=page.html", *words, "gorge.fray")
    with open(os.path.join(t.folder, "page.html")) as f:
        text = f.read()
    return status, out, err, text, Page(text)
