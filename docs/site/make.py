#!/usr/bin/env python3
"""make.py - the site: every page of docs/ and the messages as HTML, with contents and a search index.

usage: python3 docs/site/make.py build/site          (`make site` calls it; FRAY: the command to ask)

pandoc makes each page; what is done here is what it cannot know: links between pages (a link to
a file of the tree becomes a page with that file), colours of Fray, "Try it" at whole scripts, the page
of messages, the list of decisions, the index. Nothing is fetched and nothing is counted."""

import base64
import concurrent.futures
import html
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build/release/fray")))

# The contents: heading, pages as (path below docs/, what the list calls it).
CONTENTS = [
    ("Learn", [("tutorial.md", "Tutorial"), ("cookbook.md", "Cookbook of house rules"), ("table.md", "At the table"), ("odds.md", "Odds"), ("own-system.md", "Your own system")]),
    ("Reference", [("language.md", "Language"), ("repl.md", "Prompt"), ("commands.md", "Commands"), ("core.md", "Core"), ("messages.md", "Messages"), ("editors.md", "Editors"), ("security.md", "Scripts from strangers")]),
    ("Systems", [("systems/osric.md", "OSRIC"), ("systems/lite.md", "Lite"), ("systems/proc.md", "Proc"), ("systems/crucible.md", "Crucible"), ("systems/dew.md", "Dew"),
                 ("rules/osric.md", "OSRIC, clause by clause"), ("rules/lite.md", "Lite, clause by clause"), ("rules/proc.md", "Proc, clause by clause"),
                 ("rules/crucible.md", "Crucible, clause by clause"), ("rules/dew.md", "Dew, clause by clause"), ("departures.md", "Departures from the sources")]),
    ("Build with it", [("embedding.md", "Embedding"), ("ARCHITECTURE.md", "Architecture"), ("HACKING.md", "Building and extending"), ("CONTRIBUTING.md", "Contributing"), ("reference.md", "Printed tables")]),
    ("Background", [("decisions.md", "Decisions"), ("NOTICE.md", "Sources and licences")]),
]


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as f:
        return f.read()


def fray(*words):
    return subprocess.run([FRAY, *words], check=True, stdout=subprocess.PIPE, cwd=TOP).stdout.decode()


# ---- Fray in colours ----

KEYWORDS = [w for w in re.findall(r'^WORD\("([^"]+)"', read("lang/front/words.def"), re.M) if re.match(r"[a-z]", w)]
TOKEN = re.compile(r'(?P<c>--[^\n]*)|(?P<s>"[^"\n]*")|(?P<n>\b\d*d\d+(?:kh?\d+|kl\d+)?\b|\b\d+\b)|(?P<k>\b(?:%s)\b)|.' % "|".join(sorted(map(re.escape, KEYWORDS), key=len, reverse=True)), re.S)


def coloured(text):
    def one(m):
        piece = html.escape(m[0], quote=False)
        return '<span class="%s">%s</span>' % (m.lastgroup, piece) if m.lastgroup else piece
    return TOKEN.sub(one, text)


def coloured_session(text, prompts):
    lines = []
    for line in text.split("\n"):
        prompt = next((p for p in prompts if line.startswith(p)), None)
        lines.append('<span class="c">%s</span><span class="t">%s</span>' % (html.escape(prompt), html.escape(line[len(prompt):], quote=False)) if prompt else html.escape(line, quote=False))
    return "\n".join(lines)


def script_hash(text):
    """A script as the playground's link carries it: raw deflate, base64 for addresses."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packed.compress(text.encode()) + packed.flush()).decode().rstrip("=")


def block(classes, text, root, known):
    """A block of code; a script that can be played alone has a link to the playground."""
    kind = classes.split()
    body = html.escape(text, quote=False)
    extra = ""
    if kind[:1] == ["fray"]:
        body = coloured(text)
        modules = set(re.findall(r"^use (\w[\w-]*)", text, re.M))
        if re.search(r"^encounter ", text, re.M) and modules <= known:
            extra = '<a class="try" href="%splay.html#s=%s">Try it</a>' % (root, script_hash(text))
    elif kind[:1] == ["fray-repl"]:
        body = coloured_session(text, ("fray&gt; ", "fray> ", "   .. "))
    elif kind[:1] == ["console"]:
        body = coloured_session(text, ("$ ",))
    return '<div class="block">%s<pre class="%s" tabindex="0"><code>%s</code></pre></div>' % (extra, html.escape(classes), body)


# ---- pages ----

class Site:
    def __init__(self, out):
        self.out = out
        self.pages = {}    # path below docs/ -> markdown
        self.title = {}    # -> its first heading
        self.files = set() # files of the tree that pages lead to
        self.index = []
        self.known = {os.path.basename(d) for d in (os.path.join(TOP, "stdlib", n) for n in os.listdir(os.path.join(TOP, "stdlib"))) if os.path.isdir(d)} | {"things"}

    def add(self, path, text):
        self.pages[path] = text
        m = re.search(r"^# (.+)$", text, re.M)
        self.title[path] = re.sub(r"[`*]", "", m[1]) if m else path

    def collect(self):
        for folder in ("", "systems", "rules", "decisions", "reference"):
            for name in sorted(os.listdir(os.path.join(TOP, "docs", folder))):
                if name.endswith(".md"):
                    path = posixpath.join(folder, name)
                    self.add(path, read("docs/" + path))
        self.add("index.md", read("docs/site/index.md"))
        self.add("search.md", '# Search\n\n<p id="told" role="status"></p>\n<ul class="found"></ul>\n')
        self.add("messages.md", self.messages())
        self.add("commands.md", self.commands())
        for name, title, about in (("decisions", "Decisions", "Why things are as they are, a page each."), ("reference", "Printed tables", "Pages that `make docs` prints from the tables of the sources.")):
            rows = ["- [%s](%s)" % (self.title[p], p) for p in sorted(self.pages) if p.startswith(name + "/")]
            self.add(name + ".md", "# %s\n\n%s\n\n%s\n" % (title, about, "\n".join(rows)))

    def messages(self):
        """Every message with its meaning, an example and the cure."""
        out = ["# Messages", "", "What Fray can say about a script, by number. `fray help F0208` prints the same; the playground shows", "it at the place.", ""]
        rows = [json.loads(line) for line in fray("help", "messages", "--json").splitlines()]
        for hundred in sorted({r["code"][:3] for r in rows}):
            some = [r for r in rows if r["code"].startswith(hundred)]
            out += ["## %s00 to %s99" % (hundred, hundred), ""]
            for r in some:
                out += ["### %s" % r["code"], "", "**%s**" % markdown_text(r["message"]), ""]
                if r.get("hint"):
                    out += [markdown_text(r["hint"]), ""]
                if r.get("meaning"):
                    out += [markdown_text(r["meaning"]), ""]
                for key, head in (("example", "Example"), ("cure", "Cure")):
                    if r.get(key):
                        fence = "fray" if r.get("how") in ("check", "run", "odds") else "text"
                        out += [head + ":", "", "```" + fence, r[key].rstrip("\n"), "```", ""]
        return "\n".join(out)

    def commands(self):
        """The manual page."""
        page = subprocess.run(["pandoc", "-f", "man", "-t", "gfm", os.path.join(TOP, "docs/fray.1")], check=True, stdout=subprocess.PIPE).stdout.decode()
        page = re.sub(r"^(#+) ([A-Z][A-Z ]+)$", lambda m: "#" + m[1] + " " + m[2].capitalize(), page, flags=re.M)
        return "# Commands\n\nThis is the manual page, `man fray`.\n\n" + page

    def nav(self, path, root):
        out = []
        for head, pages in CONTENTS:
            out.append("<p>%s</p>\n<ul>" % head)
            for page, name in pages:
                here = ' aria-current="page"' if page == path else ""
                out.append('<li><a href="%s%s"%s>%s</a></li>' % (root, page[:-3] + ".html", here, html.escape(name)))
            out.append("</ul>")
        return "\n".join(out)

    def link(self, path, target):
        """Where a link of a page leads on the site."""
        if re.match(r"[a-z]+:|#", target):
            return target
        name, _, part = target.partition("#")
        # pages are below docs/; those that are made here count as lying there too
        there = posixpath.normpath(posixpath.join("docs", posixpath.dirname(path), name))
        part = "#" + part if part else ""
        root = "../" * path.count("/")
        if there.startswith("docs/") and there[5:] in self.pages:
            return root + there[5:-3] + ".html" + part
        if there == "docs/play.html":
            return root + "play.html" + part
        if there.startswith("docs/site/") or (there.startswith("docs/") and there.endswith((".html", ".svg", ".json"))):
            return root + re.sub(r"^docs/(site/)?", "", there) + part
        if os.path.exists(os.path.join(TOP, there)):
            self.files.add(there)
            return root + "files/" + there + ".html"
        return target

    def body(self, path, made, root):
        """pandoc's HTML with our links and blocks."""
        def code(m):
            classes = re.search(r'class="([^"]*)"', m[1])
            info = re.sub(r"\bsourceCode\b", "", classes[1]).strip() if classes else ""
            return block(info, html.unescape(re.sub(r"<[^>]+>", "", m[2])), root, self.known)
        made = re.sub(r"<pre([^>]*)><code[^>]*>(.*?)</code></pre>", code, made, flags=re.S)
        made = re.sub(r'(<(?:a|img|source)[^>]*? (?:href|src|srcset)=")([^"]*)"', lambda m: m[1] + html.escape(self.link(path, html.unescape(m[2]))) + '"', made)
        return re.sub(r"(<table.*?</table>)", r'<div class="table" tabindex="0">\1</div>', made, flags=re.S)

    def make(self, path):
        root = "../" * path.count("/")
        made = subprocess.run(["pandoc", "-f", "gfm", "-t", "html5", "--no-highlight", "--toc", "--toc-depth=3", "--template", os.path.join(HERE, "toc.html"), "--wrap=preserve", "--quiet"],
                              input=self.pages[path].encode(), check=True, stdout=subprocess.PIPE).stdout.decode()
        toc, _, made = made.partition("<!-- body -->\n")
        toc = re.sub(r' id="toc-[^"]*"', "", toc)
        # the first heading is the page itself
        short = re.findall(r"<li>", toc)
        self.write(path[:-3] + ".html", path, root, self.title[path], self.body(path, made, root), toc if len(short) > 3 and path not in ("index.md", "search.md") else "")
        return path, made

    def write(self, name, path, root, title, body, toc):
        page = read("docs/site/page.html")
        page = re.sub(r"\$if\(toc\)\$(.*?)\$endif\$", (lambda m: m[1]) if toc else "", page, flags=re.S)
        for key, value in (("title", html.escape(title if title == "Fray" else title + " - Fray")), ("root", root), ("nav", self.nav(path, root)), ("toc", toc), ("body", body)):
            page = page.replace("$%s$" % key, value)
        full = os.path.join(self.out, name)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as f:
            f.write(page)

    def playground(self):
        """The page of the playground, as wide as the window."""
        self.write("play.html", "play.md", "", "Playground", read("docs/site/play.html"), "")
        full = os.path.join(self.out, "play.html")
        with open(full, encoding="utf-8") as f:
            page = f.read()
        # no contents beside it but for a phone's menu, and its own script
        page = page.replace('<div class="columns">', '<div class="columns wide">').replace("</body>", '<script defer src="play.js"></script>\n</body>')
        with open(full, "w", encoding="utf-8") as f:
            f.write(page)

    def remember(self, path, made):
        """Sections of a page for the search: address, page, heading, words."""
        if path in ("index.md", "search.md"):
            return
        for piece in re.split(r"(?=<h[1-4] id=)", made):
            m = re.match(r'<h[1-4] id="([^"]*)"[^>]*>(.*?)</h[1-4]>', piece, re.S)
            text = html.unescape(re.sub(r"<[^>]+>", " ", piece[m.end():] if m else piece))
            text = re.sub(r"\s+", " ", text).strip()
            if m and text:
                self.index.append([path[:-3] + ".html#" + m[1], self.title[path], html.unescape(re.sub(r"<[^>]+>", "", m[2])), text[:3000]])

    def file_pages(self):
        """Files of the tree that pages lead to; of a folder, the list of its files."""
        done = set()
        while self.files - done:
            for name in sorted(self.files - done):
                done.add(name)
                root = "../" * (name.count("/") + 1)
                full = os.path.join(TOP, name)
                if os.path.isdir(full):
                    inside = sorted(n for n in os.listdir(full) if not n.startswith((".", "__")))
                    self.files |= {name + "/" + n for n in inside}
                    body = "<ul>%s</ul>" % "".join('<li><a href="%sfiles/%s/%s.html">%s</a></li>' % (root, name, n, n) for n in inside)
                else:
                    body = block("fray" if name.endswith(".fray") else "text", read(name), root, self.known)
                self.write("files/" + name + ".html", name, root, name, "<h1>%s</h1>\n%s" % (html.escape(name), body), "")

    def examples(self):
        """What the playground offers: the examples, and the fights of the cookbook."""
        shown = [{"group": "Examples", "name": re.search(r"^encounter ([^{]+?) *\{", read("examples/" + n), re.M)[1], "text": read("examples/" + n)} for n in ("web.fray", "bridge.fray", "duel.fray")]
        for head, text in re.findall(r"^## ([^\n]+)\n(?:(?!^## ).)*?^```fray\n(.*?)^```", read("docs/cookbook.md"), re.M | re.S):
            shown.append({"group": "Cookbook", "name": head, "text": text})
        with open(os.path.join(self.out, "examples.json"), "w", encoding="utf-8") as f:
            json.dump({"examples": shown, "modules": {"things.fray": read("examples/things.fray")}, "keywords": KEYWORDS}, f)


def markdown_text(text):
    return re.sub(r"([\\`*_<>#\[\]])", r"\\\1", text)


def main():
    site = Site(sys.argv[1])
    os.makedirs(site.out, exist_ok=True)
    site.collect()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, made in pool.map(site.make, sorted(site.pages)):
            site.remember(path, made)
    site.file_pages()
    site.playground()
    for name in ("style.css", "site.js", "icon.svg"):
        shutil.copy(os.path.join(HERE, name), site.out)
    for folder, ending in (("docs", ".svg"), ("docs/schema", ".json")):
        for name in os.listdir(os.path.join(TOP, folder)):
            if name.endswith(ending):
                there = os.path.join(site.out, posixpath.relpath(folder, "docs"))
                os.makedirs(there, exist_ok=True)
                shutil.copy(os.path.join(TOP, folder, name), there)
    with open(os.path.join(site.out, "index.js"), "w", encoding="utf-8") as f:
        f.write("window.FRAY_INDEX=" + json.dumps(site.index, ensure_ascii=False, separators=(",", ":")) + ";\n")
    site.examples()
    print("%d pages in %s" % (sum(len(f) for _, _, f in os.walk(site.out)), site.out))


if __name__ == "__main__":
    main()
