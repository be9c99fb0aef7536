#!/usr/bin/env python3
"""fray lsp: every request of the server once, by what comes back; positions in UTF-16."""

import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(TOP, "tests")]
import client  # noqa: E402
import tap  # noqa: E402

WEB = """use osric
use folk

-- Ünïcödé 🐉 before the names, so that units, characters and bytes differ
encounter "the 🐉 ford" { side party: Halvaine, Bruna; side orcs: 2 orcs; distance: 5 ft
  dice: party's surprise die 5, orcs' surprise die 6
  round 1 {
    dice: party's initiative 5, orcs' initiative 4, orc #1's attack roll 19
    Halvaine casts web at orcs
    Bruna attacks orc #2
    orcs attack Halvaine
    expect Halvaine does not complete web
  }
}
"""
FOLK = open(os.path.join(TOP, "examples", "things.fray"), encoding="utf-8").read()


class Session:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="fray-lsp-")
        self.path = os.path.join(self.folder.name, "web.fray")
        self.folk = os.path.join(self.folder.name, "folk.fray")
        for path, text in ((self.path, WEB), (self.folk, FOLK)):
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        self.uri, self.text, self.version = client.uri_of(self.path), WEB, 1
        self.client = client.Client(self.folder.name, self.folder.name)
        self.client.open(self.uri, WEB)

    def set(self, text):
        self.text, self.version = text, self.version + 1
        self.client.change(self.uri, self.version, [{"text": text}])
        return self.client.problems(self.uri, self.version)

    def at(self, words, inside=0):
        return client.position(self.text, self.text.index(words) + inside)

    def ask(self, method, **params):
        return self.client.ask("textDocument/" + method, textDocument=self.client.of(self.uri), **params)

    def ask_at(self, method, words, inside=0, **params):
        return self.ask(method, position=self.at(words, inside), **params)

    def said(self, span):
        return client.said(self.text, span)


def begin(s):
    able = s.client.opened["capabilities"]
    tap.check("positions are in UTF-16", able["positionEncoding"] == "utf-16", able)
    tap.check("a sound script has no mistakes", s.client.problems(s.uri, 1) == [], s.client.published)
    tap.check("an unknown request is refused", s.client.ask("textDocument/nonsense").get("code") == -32601)
    tap.check("so is one of a document that is not open", s.client.ask("textDocument/hover", textDocument={"uri": "file:///none"}).get("code") == -32602)
    s.client.raw(b"Content-Length: 7\r\n\r\n{broken")
    while (told := s.client.next()).get("error", {}).get("code") != -32700:
        pass
    tap.check("broken JSON is told, and the server lives", told["id"] is None and s.ask("foldingRange") != [])


def mistakes(s):
    found = s.set(WEB.replace("Bruna attacks", "Brunna attacks"))
    tap.check("a mistake is published with its version", len(found) == 1 and found[0]["code"] == "F0206", found)
    tap.check("under the word itself", s.said(found[0]["range"]) == "Brunna", found)
    tap.check("with the hint", "Did you mean" in found[0]["message"], found)
    found = s.set(WEB.replace("2 orcs;", "2 orks;"))
    tap.check("behind characters outside the BMP too", found and s.said(found[0]["range"]) == "orks", found)
    s.set(WEB)
    at = s.at("party: Hal")
    s.version += 1
    s.client.change(s.uri, s.version, [{"range": {"start": at, "end": s.at("party: Hal", 5)}, "text": "héros"},
                                       {"range": {"start": s.at("orcs: 2"), "end": s.at("orcs: 2")}, "text": "🐲"}])
    # the second change is counted in the text that the first has made: as many units, so the same place
    s.text = WEB.replace("party: Hal", "héros: Hal", 1).replace("orcs: 2", "🐲orcs: 2", 1)
    found = s.client.problems(s.uri, s.version)
    whole = tempfile.NamedTemporaryFile("w", suffix=".fray", dir=s.folder.name, encoding="utf-8")
    whole.write(s.text)
    whole.flush()
    tap.check("incremental changes make the text that they say", found == again(s), (found, again(s)))
    tap.check("what an edit made wrong is right when it is taken back", s.set(WEB) == [])


def again(s):
    """What a server says of this text that never saw another."""
    other = client.Client(s.folder.name, s.folder.name)
    other.open(s.uri, s.text)
    found = other.problems(s.uri, 1)
    other.close()
    return found


def actions(s):
    def offered(text):
        found = s.set(text)
        return [] if not found else s.ask("codeAction", range=found[0]["range"], context={"diagnostics": found})

    for name, text, want in (
            ("Did you mean", WEB.replace("Bruna attacks", "Brunna attacks"), WEB),
            ("Write, for a value", WEB.replace("distance: 5 ft", "distance: 5ft"), WEB.replace("distance: 5 ft", "distance: 5 ft")),
            ("Write, for a colon", WEB + "monster gull { hit points 3 }\n", WEB + "monster gull { hit points: 3 }\n"),
            ("Write, for a comment", WEB + "// gulls\n", WEB + "-- gulls\n")):
        offers = offered(text)
        edits = offers[0]["edit"]["changes"][s.uri] if offers else []
        tap.check(name + ": the edit mends it", offers and client.applied(text, edits) == want, (s.client.published[s.uri], offers))
        tap.check(name + ": and nothing is left", offers and s.set(client.applied(text, edits)) == [], s.client.published[s.uri])
    tap.check("other sorts of actions are not offered", s.ask("codeAction", range={"start": s.at("use"), "end": s.at("use")}, context={"diagnostics": [], "only": ["refactor"]}) == [])
    s.set(WEB)


def declared(s, words, inside=0):
    return [(os.path.basename(x["uri"]), x["range"]) for x in s.ask_at("definition", words, inside)]


def names(s):
    folk = lambda x: (x[0], client.said(FOLK, x[1]))  # noqa: E731
    tap.check("somebody is declared in the module", [folk(x) for x in declared(s, "Bruna attacks")] == [("folk.fray", "Bruna")], declared(s, "Bruna attacks"))
    tap.check("by a short name too", [x[0] for x in declared(s, "Halvaine casts")] == ["folk.fray"])
    tap.check("one of several is of their stat block", [folk(x) for x in declared(s, "orc #2")] == [("folk.fray", "orc")], declared(s, "orc #2"))
    there = s.ask_at("definition", "attacks orc")
    path = there[0]["uri"][7:] if there else ""
    tap.check("a verb leads into the library", path.endswith("/library/core/core.fray"), there)
    text = open(path, encoding="utf-8").read() if path else "\n" * 999
    tap.check("to its own line, in a file that is there", there and client.said(text, there[0]["range"]) == "attack", there)
    tap.check("which cannot be written to", path and not os.stat(path).st_mode & 0o222)
    uses = s.ask_at("references", "party: Hal", context={"includeDeclaration": True})
    tap.check("references of a side", [s.said(x["range"]) for x in uses] == ["party"] * 3, uses)
    uses = s.ask_at("references", "web at", context={"includeDeclaration": False})
    tap.check("references across modules", {os.path.basename(x["uri"]) for x in uses} == {"web.fray", "folk.fray"}, uses)
    marks = s.ask_at("documentHighlight", "Bruna attacks")
    tap.check("highlights", [s.said(x["range"]) for x in marks] == ["Bruna"] * 2, marks)
    tap.check("nothing stands in a comment", s.ask_at("definition", "Ünïcödé") == [] and s.ask_at("hover", "Ünïcödé") is None)
    told = s.ask_at("hover", "attacks orc")["contents"]["value"]
    tap.check("hover tells what a line makes happen", "action attack" in told and "OSRIC-GAP-5" in told, told)
    told = s.ask_at("hover", "orc #2")["contents"]["value"]
    tap.check("hover tells a stat block", "THAC0: 19" in told and told.startswith("**monster orc"), told)
    told = s.ask_at("hover", "distance: 5")["contents"]["value"]
    tap.check("hover tells what a field means", "how far the sides are" in told, told)
    library = client.uri_of(path)
    s.client.open(library, text)
    tap.check("a text of the library is not judged", s.client.problems(library, 1) == [])
    seen = s.client.ask("textDocument/definition", textDocument={"uri": library}, position=client.position(text, text.index("does { begin spell") + 7))
    tap.check("and its names lead on", seen and client.said(text, seen[0]["range"]) == "begin spell", seen)
    no = s.client.ask("textDocument/rename", textDocument={"uri": library}, position=there[0]["range"]["start"], newName="smite")
    tap.check("and cannot be renamed", no.get("code") == -32803, no)
    s.client.tell("textDocument/didClose", textDocument={"uri": library})


def rename(s):
    def renamed(words, name, inside=0):
        got = s.ask_at("rename", words, inside, newName=name)
        return got["changes"] if "changes" in got else got

    asked = s.ask_at("prepareRename", "party: Hal")
    tap.check("a side may be renamed", asked["placeholder"] == "party" and s.said(asked["range"]) == "party", asked)
    changes = renamed("party: Hal", "heroes")
    tap.check("at each of its places", client.applied(WEB, changes[s.uri]) == WEB.replace("party", "heroes"), changes)
    changes = renamed("orc #2", "wolf")
    folk = client.uri_of(s.folk)
    want = WEB.replace("2 orcs", "2 wolfs").replace("orc #", "wolf #")
    tap.check("plurals and numbers go along, and the module", client.applied(WEB, changes.get(s.uri, [])) == want and "monster wolf" in client.applied(FOLK, changes.get(folk, [])), changes)
    tap.check("the library's names stay", renamed("attacks orc", "smite").get("code") == -32803)
    tap.check("what is no name is refused", renamed("party: Hal", "a {").get("code") == -32803)
    tap.check("and one that breaks something", renamed("party: Hal", "orcs").get("code") == -32803)


def outline(s):
    found = s.ask("documentSymbol")
    tap.check("symbols of a document", [(x["name"], [y["name"] for y in x["children"]]) for x in found] == [("the 🐉 ford", ["party", "orcs", "round 1"])], found)
    tap.check("with their place", s.said(found[0]["selectionRange"]).strip('"') == "the 🐉 ford" and s.said(found[0]["range"]).endswith("}"), found)
    found = s.client.ask("workspace/symbol", query="brun")
    tap.check("symbols of the workspace", [(x["name"], os.path.basename(x["location"]["uri"])) for x in found] == [("Bruna", "folk.fray")], found)
    folds = {(f["startLine"], f["endLine"], f.get("kind")) for f in s.ask("foldingRange")}
    tap.check("folding", {(4, 12, None), (6, 11, None), (0, 1, "imports")} <= folds, folds)
    legend = s.client.opened["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
    data, line, column, seen = s.ask("semanticTokens/full")["data"], 0, 0, []
    for i in range(0, len(data), 5):
        line, column = line + data[i], data[i + 1] + (0 if data[i] else column)
        span = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + data[i + 2]}}
        seen.append((s.said(span), legend[data[i + 3]]))
    tap.check("semantic tokens", [("party", "variable"), ("Halvaine", "class"), ("casts", "method"), ("distance", "property")] == [x for x in [("party", "variable"), ("Halvaine", "class"), ("casts", "method"), ("distance", "property")] if x in seen], seen)


def asked(s):
    def offers(text, words, inside):
        s.set(text)
        return [x["label"] for x in s.ask_at("completion", words, inside)["items"]]

    tap.check("verbs behind somebody", "attacks" in offers(WEB.replace("Bruna attacks orc #2", "Bruna att"), "Bruna att", 9))
    tap.check("members of a side", "orc chief" in offers(WEB.replace("2 orcs", "2 orc"), "side orcs: 2 orc", 16))
    tap.check("fields of a stat block", "armour class" in offers(WEB + "monster gull { arm", "{ arm", 5))
    tap.check("values of a field", "long sword" in offers(WEB + "monster gull { carries: long", "carries: long", 13))
    tap.check("modules", "dew" in offers("use d", "use d", 5))
    tap.check("whoever is there", "orc #1" in offers(WEB.replace("attacks orc #2", "attacks or"), "attacks or", 10))
    tap.check("nothing in a comment", offers(WEB.replace("so that", "so t"), "so t", 4) == [])
    s.set(WEB.replace("    Bruna", "  Bruna").replace("dice: party's s", "dice:   party's s"))
    edits = s.ask("formatting", options={"tabSize": 8, "insertSpaces": False})
    laid = client.applied(s.text, edits)
    tap.check("formatting is that of fray fmt", s.set(laid) == [] and s.ask("formatting", options={}) == [] and "\n    Bruna" in laid, laid)
    s.set(WEB + "weapon stick { damage: 1d6 }\n")
    hints = s.ask("inlayHint", range={"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}})
    tap.check("what dice come to", [(h["label"], h["position"]) for h in hints] == [("avg 3.5", s.at("1d6", 3))], hints)
    s.set(WEB)
    lenses = s.ask("codeLens")
    tap.check("code lenses over an encounter", [x["command"]["title"] for x in lenses] == ["Run", "Why", "Odds"], lenses)
    told = [s.client.ask("workspace/executeCommand", command=x["command"]["command"], arguments=x["command"]["arguments"])["text"] for x in lenses]
    tap.check("run tells the fight", "orc #1 attacks Halvaine" in told[0], told[0])
    tap.check("why tells more", len(told[1]) > len(told[0]), told[1])
    tap.check("odds tell who wins", "party" in told[2] and "%" in told[2], told[2])


def others(s):
    folk = client.uri_of(s.folk)
    s.client.open(folk, FOLK.replace("combatant Bruna", "combatant Brona"))
    s.client.problems(folk, 1)
    while not s.client.published[s.uri]["diagnostics"]:
        s.client.next()
    tap.check("a change of a module is a mistake where it is used", s.client.published[s.uri]["diagnostics"][0]["code"].startswith("F0"))
    s.client.tell("textDocument/didClose", textDocument={"uri": folk})
    while s.client.published[s.uri]["diagnostics"]:
        s.client.next()
    tap.check("and none when it is closed unsaved", True)
    tap.check("its mistakes are taken away", s.client.published[folk]["diagnostics"] == [])


def main():
    s = Session()
    for part in (begin, mistakes, actions, names, rename, outline, asked, others):
        try:
            part(s)
        except Exception as e:  # a part that ends early is one point that failed
            import traceback
            tap.check(part.__name__ + " came to its end", False, traceback.format_exc() + str(e))
            break
    tap.check("shutdown and exit end it with status 0", s.client.close() == 0)
    early = client.Client()
    early.process.stdin.close()
    tap.check("an end without shutdown is status 1", early.process.wait(timeout=60) == 1)
    s.folder.cleanup()
    tap.end()


main()
