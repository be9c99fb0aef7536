#!/usr/bin/env python3
"""fray lsp under random edits: the server lives, what it publishes is what a new server says of the same
text, and every place it gives lies in the text. SESSIONS (3) sessions from seed FIRST (0) on."""

import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(TOP, "tests")]
import client  # noqa: E402
import tap  # noqa: E402

STEPS = int(os.environ.get("STEPS", "40"))
SCRIPTS = ["examples/web.fray", "examples/crypt.fray", "examples/five-ways.fray", "examples/bridge.fray", "examples/things.fray"]
PIECES = ["🐉", "é", "\n", "\r\n", " ", "{", "}", "\"", ":", ";", "'s ", "--", "orc #1", "Bruna", "attacks", "5 ft", "1d6", "round 2 {\n}\n",
          "use dew\n", "monster gull { hit points: 3 }\n", "rule r \"x\" {\n", "define combatant's odd = 1 when ", "\t", "#", "//", "𝔉ray", "\u0301", "\0"]
ASKED = ["hover", "definition", "references", "documentHighlight", "completion", "prepareRename", "rename"]
WHOLE = ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "formatting"]


def edit(random, text):
    """A change and the text it makes; several characters are written, taken away, or put elsewhere."""
    start = random.randrange(len(text) + 1)
    end = min(len(text), start + random.choice([0, 0, 0, 1, 2, 5, 40, 400]))
    if text[start - 1:start + 1] == "\r\n":
        start -= 1
    if text[end - 1:end + 1] == "\r\n":
        end += 1
    source = random.randrange(len(text) + 1)
    new = random.choice([random.choice(PIECES), text[source:source + random.randrange(60)], ""])
    return {"range": {"start": client.position(text, start), "end": client.position(text, end)}, "text": new}, text[:start] + new + text[end:]


def places(value):
    """Every range in an answer about the document itself."""
    if isinstance(value, dict):
        if "start" in value and "end" in value and "line" in value["start"]:
            yield value
        for inner in value.values():
            yield from places(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from places(inner)


def inside(text, span):
    rows = client.lines(text)
    return all(p["line"] < len(rows) and p["character"] <= client.units(rows[p["line"]]) for p in (span["start"], span["end"]))


def ask(r, c, uri, text):
    at = client.position(text, r.randrange(len(text) + 1))
    more = {"context": {"includeDeclaration": True}, "newName": r.choice(["gull", "two words", "x{", "é"])}
    method = r.choice(ASKED + WHOLE + ["codeAction", "inlayHint"])
    answer = c.ask("textDocument/" + method, textDocument={"uri": uri}, position=at, range={"start": at, "end": at}, options={}, **more)
    if method in ("references", "definition", "rename"):
        answer = [x for x in answer if x["uri"] == uri] if isinstance(answer, list) else answer.get("changes", {}).get(uri, [])
    outside = [x for x in places(answer) if not inside(text, x)]
    return outside and (method, outside)


def session(seed, home):
    r = random.Random(seed)
    name = os.path.join(TOP, SCRIPTS[seed % len(SCRIPTS)])
    uri, text = client.uri_of(name), open(name, encoding="utf-8").read()
    c = client.Client(None, home)
    c.open(uri, text)
    for version in range(2, STEPS + 2):
        changes = []
        for _ in range(r.choice([1, 1, 1, 3])):
            change, text = edit(r, text)
            changes.append(change)
        if r.random() < 0.05:
            text = open(name, encoding="utf-8").read()
            changes.append({"text": text})
        c.change(uri, version, changes)
        if r.random() < 0.4:
            bad = ask(r, c, uri, text)
            if bad:
                return "seed %d, version %d: outside the text: %s" % (seed, version, bad)
        if version % 10 == 0:
            found, other = c.problems(uri, version), client.Client(None, home)
            other.open(uri, text)
            fresh = other.problems(uri, 1)
            other.close()
            if found != fresh:
                return "seed %d, version %d: stale: %s, not %s" % (seed, version, found, fresh)
            if not all(inside(text, d["range"]) for d in found):
                return "seed %d, version %d: a mistake outside the text: %s" % (seed, version, found)
    return None if c.close() == 0 else "seed %d: no clean end" % seed


def main():
    first, sessions = int(os.environ.get("FIRST", "0")), int(os.environ.get("SESSIONS", "3"))
    with tempfile.TemporaryDirectory(prefix="fray-lsp-") as home:
        for seed in range(first, first + sessions):
            try:
                wrong = session(seed, home)
            except (EOFError, OSError) as e:
                wrong = "seed %d: %s" % (seed, e)
            tap.check("session %d of random edits" % seed, not wrong, wrong or "")
    tap.end()


main()
