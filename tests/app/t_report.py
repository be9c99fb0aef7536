"""fray odds --report: one page that needs nothing else, with the figures that --json tells, a
plot with words for each, and a command that makes it again; there whole or not at all."""
# seconds: 300

import json
import os
import re
import resource
import shlex
import signal
import subprocess
import time

import app
from report_page import SCRIPT, Page, make


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
    t.same("the command", command, ["fray", "odds", "--trials=400", "--seed=7", "gorge.fray", "--report=page.html"])
    os.remove(os.path.join(t.folder, "page.html"))
    t.fray(*command[1:], "--threads=1")
    with open(os.path.join(t.folder, "page.html")) as f:
        t.check("makes the same page again, byte for byte", f.read() == text)
    t.write("it's a fight.fray", SCRIPT.split("odds 300")[0])
    t.fray("odds", "--exact", "--states=50", "--max-rounds=2", "--report=x.html", "it's a fight.fray", "The", "Gorge")
    with open(os.path.join(t.folder, "x.html")) as f:
        t.same("words are quoted as a shell wants them", shlex.split(Page(f.read()).text["code"])[2:], ["--exact", "--states=50", "--max-rounds=2", "--seed=1", "it's a fight.fray", "The", "Gorge", "--report=x.html"])


CROWD = app.LONG.replace("until orcs are down", "orcs follow stand firm\n  until party is down or orcs are down")


def charts(t):
    """Who does what and suffers what have rows of their own, sides colours, and what a chart leaves out is counted."""
    t.write("gorge.fray", CROWD)
    t.fray("odds", "--trials=60", "--report=c.html", "gorge.fray")
    with open(os.path.join(t.folder, "c.html")) as f:
        text = f.read()
    plots = re.findall(r"<svg.*?</svg>", text, re.S)
    win = [p for p in plots if "party wins:" in p][0]
    live = [p for p in plots if "Bruna survives:" in p][0]
    colours = dict(re.findall(r'class="label">([^<]*?)</text>.*?class="bar s(\d)"', live, re.S))
    t.same("sides have a colour each", re.findall(r'class="bar s(\d)"', win), ["0", "1"])
    t.same("and those on a side have its colour", sorted(set((name.startswith("orc"), c) for name, c in colours.items())), [(False, "0"), (True, "1")])
    deeds = re.search(r'<section class="deeds">.*?</section>', text, re.S).group(0)
    t.check("what others did says so", "damage: axe, by others" in deeds or ", by others" in deeds, deeds[:400])
    for figure in re.findall(r"<figure>.*?</figure>", deeds, re.S):
        rows, shown = figure.count("<tr><td>"), len(re.findall(r'class="label"', figure))
        names = re.findall(r"<tr><td>(.*?)</td>", figure)
        t.same("no two rows of a table have one name", sorted(names), sorted(set(names)))
        t.check("each row is in the chart, or counted there", shown == rows or "%d more</text>" % (rows - shown + 1) in figure, rows, shown)


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
        text = f.read()
    page = Page(text)
    rows = app.objects(out)
    t.check("which says of which fight, by which rules and method", "<h1>The Gorge</h1>" in text and "<dt>Script</dt><dd>gorge.fray</dd>" in text and "<dt>Rules</dt><dd>osric" in text and "sampled: 60 fights" in text, text[:3000])
    t.fray("odds", "--trials=60", "--sensitivity", "--giving=average round", "--report=n.html", "gorge.fray")
    with open(os.path.join(t.folder, "n.html")) as f:
        numbers = f.read()
    t.check("a number is told as one", "average round: how far each other reading" in numbers and not any("%" in c for c in numbers.split("data-difference")[1:2][0].split("</td>")[:1]), numbers[:3000])
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
    status, out, err = t.fray("odds", "--trials=1000000000", "--report=nowhere/page.html", "gorge.fray")
    t.check("a folder that is not there, before anything is played", status == 2 and out == "" and "cannot write the report nowhere/page.html: No such file or directory." in err, err)
    status, out, err = t.fray("odds", "--trials=1000000000", "--report=.", "gorge.fray")
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


GAP = """\
use osric
weapon club { damage: 1d1+1 }
combatant Korg { hit points: 3; THAC0: 20; weapon: club }
combatant Ulf { hit points: 9; armour class: 8 }
encounter a yard {
  side one: Korg
  side two: Ulf
  distance: 5 ft
  one's alerted: yes
  two's alerted: yes
  round 1 { Korg attacks Ulf }
}
odds exact giving spread Ulf's hit points
odds exact { set Ulf's hit points = -3 } vs { } giving average Ulf's hit points
"""


def axes(t):
    """A number between two others has its place, though it never came up; bars begin at 0, whichever way they go."""
    t.write("gap.fray", GAP)
    status, out, err = t.fray("odds", "--exact", "--report=gap.html", "gap.fray")
    with open(os.path.join(t.folder, "gap.html")) as f:
        plots = re.findall(r"<svg.*?</svg>", f.read(), re.S)
    spread = [p for p in plots if "7 45.00 %, 9 55.00 %." in p][-1]
    t.same("7, 8 and 9 on the axis", re.findall(r'class="tick">(\d)</text>', spread), ["7", "8", "9"])
    means = [p for p in plots if "= -3: -3.0000; as it is: 8.1000." in p][0]
    zero = float(re.search(r'<line x1="([\d.]+)"[^>]*class="zero"', means).group(1))
    bars = [(float(x), float(w)) for x, w in re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', means)]
    t.check("-3 ends at 0 and 8.1 begins there", len(bars) == 2 and abs(bars[0][0] + bars[0][1] - zero) < 0.2 and abs(bars[1][0] - zero) < 0.2, zero, bars)


app.run([structure, axes, figures, again, charts, odd_names, sensitivity, whole])
