"""fray odds --report: one page that needs nothing else, with the figures that --json tells, a
plot with words for each, and a command that makes it again; there whole or not at all."""

import html.parser
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

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


def structure(t):
    status, out, err, text, page = make(t)
    t.same("a page is written beside the answer", (status, err), (0, ""))
    t.same("its tags are closed in order", page.unclosed, [])
    t.same("it stands alone", [(tag, k, v) for tag, a in page.tags for k, v in a.items() if k in ("src", "href", "xlink:href", "srcset", "action") and not (v or "").startswith(("data:", "#"))], [])
    t.check("and its style, too", not re.search(r"@import|url\(|https?:", page.text["style"]), page.text["style"][:200])
    t.check("no script runs in it", all(a.get("type") == "application/json" for tag, a in page.tags if tag == "script"))
    t.check("it is in English, for a phone's width", ("html", {"lang": "en"}) in page.tags and "width=device-width" in text)
    t.check("it has colours for the night and for paper", "prefers-color-scheme:dark" in text and "@media print" in text)
    t.same("every id is there once", len(page.ids), len(set(page.ids)))
    t.check("there are plots", len(page.plots) > 15, len(page.plots))
    for p in page.plots:
        names = p["attributes"].get("aria-labelledby", "").split()
        if not (p["attributes"].get("role") == "img" and p["title"] and len(p["desc"]) > 5 and len(names) == 2 and set(names) <= set(page.ids)):
            t.check("each plot is told in words", False, p)
            break
    else:
        t.check("each plot is told in words", True)
    t.same("and each part with plots has its figures in a table", [s["class"] for s in page.sections if s["plots"] and not s["tables"]], [])
    t.same("everything asked is there", [s["class"] for s in page.sections],
           ["usual", "deeds", "tactics", "branches", "alone", "sweep", "sweep", "compare", "script", "force"])
    part = {s["class"]: s["text"] for s in page.sections}
    t.check("the script in force", "Bruna follows stand firm" in part["script"] and "odds 300" in part["script"])
    t.check("and the rules, with where they are printed", "order of segments" in part["force"] and "OSRIC-TIE-1" in part["force"])
    t.check("what the weapons did", "hit: long sword" in part["deeds"] and "hit points it cost" in part["deeds"], part["deeds"][:300])
    t.check("what the tactics chose", "attack my nearest enemy with my weapon" in part["tactics"], part["tactics"][:300])
    t.check("the sweep's lines are named", "If Bruna's hit points were different" in part["sweep"] or "If Bruna's weapon were different" in part["sweep"])


def figures(t):
    status, out, err, text, page = make(t)
    answers = app.objects(out)
    data = re.search(r'<script type="application/json" id="figures">(.*?)</script>', text, re.S).group(1)
    t.same("every figure of --json stands in the page", json.loads(data)["odds"], answers)
    told = [float(c["data-value"]) for c in page.cells if "data-value" in c]
    wanted = []
    for o in answers:
        for branch in o.get("branches", [o]):
            for m in branch["measures"]:
                wanted += [m["value"]] if m["value"] is not None else []
    t.same("and in its tables", sorted(set(wanted) - set(told)), [])
    d = answers[1]["branches"][1]["measures"][0]["difference"]["value"]
    t.check("differences, too", d in [float(c["data-difference"]) for c in page.cells if "data-difference" in c], d)
    t.unlike("a sample is never all or nothing", re.sub(r"<(style|svg|script|pre).*?</\1>", "", text, flags=re.S), r'<td class="n" data-value="[01]">(0|100)[.0]* %')


def again(t):
    status, out, err, text, page = make(t, "--seed=7", "--threads=2")
    command = shlex.split(page.text["code"])
    t.same("the command", command, ["fray", "odds", "--trials=400", "--seed=7", "gorge.fray"])
    t.fray(*command[1:], "--threads=1", "--report=again.html")
    with open(os.path.join(t.folder, "again.html")) as f:
        t.check("makes the same page again, byte for byte", f.read() == text)
    t.write("it's a fight.fray", SCRIPT.split("odds 300")[0])
    t.fray("odds", "--exact", "--states=50", "--max-rounds=2", "--report=x.html", "it's a fight.fray", "The", "Gorge")
    with open(os.path.join(t.folder, "x.html")) as f:
        t.same("words are quoted as a shell wants them", shlex.split(Page(f.read()).text["code"])[2:], ["--exact", "--states=50", "--max-rounds=2", "--seed=1", "it's a fight.fray", "The", "Gorge"])


def odd_names(t):
    t.write("odd.fray", SCRIPT.split("odds 300")[0].replace("-- ", "") + "-- </pre><script>alert(1)</script> & <i>\n")
    t.fray("odds", "--trials=20", "--report=odd.html", "odd.fray")
    with open(os.path.join(t.folder, "odd.html")) as f:
        text = f.read()
    t.check("what stands in a script is text in the page", "alert(1)" in text and "<script>alert" not in text and Page(text).unclosed == [])


def sensitivity(t):
    t.write("gorge.fray", SCRIPT.split("odds 300")[0])
    status, out, err = t.fray("odds", "--trials=60", "--sensitivity", "--json", "--report=s.html", "gorge.fray")
    with open(os.path.join(t.folder, "s.html")) as f:
        page = Page(f.read())
    rows = app.objects(out)
    t.same("what matters has a page as well", (status, page.sections[0]["class"]), (0, "sensitivity"))
    t.same("with every reading", len([c for c in page.cells if "data-difference" in c]), len(rows))


def whole(t):
    """There is a whole page, or the one that was there."""
    t.write("gorge.fray", SCRIPT.split("odds 300")[0])
    old = t.write("kept.html", "the old one")

    def files():
        return sorted(os.listdir(t.folder))

    before = files()
    status, out, err = t.fray("odds", "--trials=20", "--report=/dev/full", "gorge.fray")
    t.check("a full disk is told", status == 2 and "cannot write the report /dev/full: No space left on device." in err and "party wins" in out, status, err)

    def little():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))

    done = subprocess.run([app.FRAY, "odds", "--trials=20", "--report=kept.html", "gorge.fray"], cwd=t.folder, preexec_fn=little, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    t.check("one that fills up on the way, too", done.returncode == 2 and b"cannot write the report kept.html: File too large." in done.stderr, done.stderr)
    with open(old) as f:
        t.same("the old page is as it was", f.read(), "the old one")
    status, out, err = t.fray("odds", "--trials=20", "--report=nowhere/page.html", "gorge.fray")
    t.check("a folder that is not there", status == 2 and "cannot write the report nowhere/page.html: No such file or directory." in err, err)
    status, out, err = t.fray("odds", "--trials=20", "--report=.", "gorge.fray")
    t.check("a folder instead of a file", status == 2 and "there is a folder of that name" in err, err)
    t.same("nothing is left behind", files(), before)
    child = subprocess.Popen([app.FRAY, "odds", "--trials=100000000", "--report=kept.html", "gorge.fray"], cwd=t.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.3)
    child.kill()
    child.wait()
    t.same("nor by one that is killed", files(), before)
    child = subprocess.Popen([app.FRAY, "odds", "--trials=100000000", "--report=stopped.html", "gorge.fray"], cwd=t.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.7)
    child.send_signal(signal.SIGINT)
    t.same("Ctrl-C ends it", child.wait(60), 130)
    with open(os.path.join(t.folder, "stopped.html")) as f:
        t.check("with a page of what was known by then", "; interrupted" in f.read())
    status, out, err = t.fray("odds", "--trial=3", "--report=x.html", "gorge.fray")
    t.one_sentence("one fight has no report", err, "leave one out")


def browser(t):
    chromium = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome")) if p), None)
    if not chromium:
        t.skip("the page in a browser", "there is no Chromium here")
        return
    status, out, err, text, page = make(t)
    ask = "<script>addEventListener('load',()=>{document.title='wide '+document.documentElement.scrollWidth+' '+innerWidth+' '+document.querySelectorAll('svg').length+' '+[...document.querySelectorAll('svg')].filter(s=>s.getBoundingClientRect().height<40).length})</script></body>"
    t.write("asked.html", text.replace("</body>", ask))
    t.write("night.html", text.replace("prefers-color-scheme:dark", "min-width:0"))
    profile = tempfile.mkdtemp(prefix="fray-browser-")

    def run(*words):
        done = subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr", "--user-data-dir=" + profile, *words],
                              cwd=t.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        return done.stdout.decode("utf-8", "replace"), [line for line in done.stderr.decode("utf-8", "replace").splitlines() if "CONSOLE" in line]

    pictures = {}
    for name, file, width in (("phone", "page.html", 390), ("desk", "page.html", 1200), ("night", "night.html", 1200)):
        out, console = run("--window-size=%d,3000" % width, "--screenshot=%s.png" % name, "file://%s/%s" % (t.folder, file))
        path = os.path.join(t.folder, name + ".png")
        pictures[name] = open(path, "rb").read() if os.path.exists(path) else b""
        t.check("%s: nothing on the console" % name, console == [], console)
        t.check("%s: there is something to see" % name, len(pictures[name]) > 30000, len(pictures[name]))
    t.check("night is not day", pictures["night"] != pictures["desk"])
    for width in (390, 1200):
        out, console = run("--window-size=%d,3000" % width, "--virtual-time-budget=2000", "--dump-dom", "file://%s/asked.html" % t.folder)
        found = re.search(r"<title>wide (\d+) (\d+) (\d+) (\d+)</title>", out)
        t.check("%d wide: nothing sticks out, every plot is drawn" % width, found and int(found[1]) <= int(found[2]) and int(found[3]) == len(page.plots) and found[4] == "0", found and found[0])
    out, console = run("--no-pdf-header-footer", "--print-to-pdf=page.pdf", "file://%s/page.html" % t.folder)
    path = os.path.join(t.folder, "page.pdf")
    t.check("on paper: it prints, on a few pages", os.path.exists(path) and 1 <= len(re.findall(rb"/Type */Page[^s]", open(path, "rb").read())) <= 20)
    subprocess.run(["rm", "-rf", profile], check=True)


app.run([structure, figures, again, odd_names, sensitivity, whole, browser])
