"""The page of fray odds --report in headless Chromium: on a phone, at a desk, at night, on paper; with
nothing on the console. Skipped, and said so, where there is no Chromium."""
# seconds: 300

import os
import re
import shutil
import subprocess
import tempfile

import app
from report_page import make


def browser(t):
    chromium = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome")) if p), None)
    if not chromium:
        t.skip("the page in a browser", "there is no Chromium here")
        return
    status, out, err, text, page = make(t)
    ask = "<script>addEventListener('load',()=>{document.title='wide '+document.documentElement.scrollWidth+' '+innerWidth+' '+document.querySelectorAll('svg').length+' '+[...document.querySelectorAll('svg')].filter(s=>s.getBoundingClientRect().height<40).length})</script></body>"
    free = re.sub(r"<meta http-equiv=[^>]*>", "", text)  # the page lets no script run, not even ours
    t.check("the page says what it may do", free != text)
    t.write("asked.html", free.replace("</body>", ask))
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


app.run([browser])
