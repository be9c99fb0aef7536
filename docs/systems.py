#!/usr/bin/env python3
"""systems.py - prints tables into docs/systems/*.md, core.md and own-system.md from the rules.

usage: python3 docs/systems.py [--check]

A page has marks such as `<!-- print osric options -->`, up to `<!-- end of print -->`; what is
between them is printed here. The text comes from `fray show TOPIC --json` and from the sequences
and units in stdlib, so that a page says what the rules say. FRAY names the command to ask
(build/release/fray). With --check nothing is written; status 1 says that a page is stale."""

import glob
import json
import os
import re
import subprocess
import sys

from pages import put

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build/release/fray")))
PRINTED = re.compile(r"(<!-- print (\w+) ([\w ]+) -->\n).*?(<!-- end of print -->\n)", re.S)
TYPES = {"yes or no": "yes or no", "a number": "number", "a word": "word", "a text": "text"}


def show(system, topic, known={}):
    """The objects of `fray show TOPIC --json` under a system; core: under none."""
    if (system, topic) not in known:
        rules = [] if system == "core" else ["--rules", system]
        done = subprocess.run([FRAY, "show", topic, "--json", *rules], stdout=subprocess.PIPE, text=True, check=True, timeout=50)
        known[system, topic] = [json.loads(line) for line in done.stdout.splitlines()]
    return known[system, topic]


def source(system):
    """The text of a system, its head file first."""
    names = sorted(glob.glob(os.path.join(TOP, "stdlib", system, "*.fray")))
    names.sort(key=lambda name: os.path.basename(name) != system + ".fray")
    return "\n".join(open(name, encoding="utf-8").read() for name in names)


def own(system, topic, key):
    """What the system has beyond core."""
    if system == "core":
        return show(system, topic)
    core = [key(one) for one in show("core", topic)]
    return [one for one in show(system, topic) if key(one) not in core]


def says(cite):
    """(where the rule is printed, what it says) of a citation."""
    place, colon, text = cite.partition(": ")
    return (place, text) if colon else (cite, "")


def cited(system, module=None):
    """{rule: what it says} of the rules in force."""
    found = {}
    for clause in show(system, "rules"):
        found.setdefault("%s (%s)" % (clause["rule"], clause["module"]), says(clause["cite"])[1] or clause["cite"])
    return found


def because(rules, names):
    """What the rules of these names say, each with its name."""
    told = []
    for name in names:
        bare = name.rpartition(" (")[0]
        told.append(rules.get(name, "") and "%s (%s)" % (rules[name], bare) if bare != "a line of its own" else "a clause without a name")
    return "; ".join(told)


def cell(text):
    return " ".join(text.replace("|", "\\|").split())


def code(text):
    return "`%s`" % text if text else ""


def table(columns, rows):
    out = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(out + ["| " + " | ".join(cell(one) for one in row) + " |" for row in rows]) + "\n"


def kind_of(typed):
    """A type, without its article."""
    return re.sub(r"^an? ", "", typed)


def roles(one):
    return ", ".join("%s: %s" % (name, kind_of(typed)) for name, typed in one["roles"].items() if name != "actor")


# ---- the tables ----


def print_round(system):
    """Each phase, and what the rules in force do in it."""
    text, rows = source(system), []
    clauses = [one for one in show(system, "rules") if one["in force"]]
    for sequence in ("encounter", "round"):
        line = re.search(r"^sequence %s: (.*?)\s*(?:--.*)?$" % sequence, text, re.M)
        for phase in line.group(1).split(", "):
            if phase == "rounds":
                rows.append(("**the rounds**", "each round has the phases below"))
                continue
            done = []
            for when in ("before", "on", "after"):
                for one in clauses:
                    if re.match(r"%s phase %s\b(?! \w+ \{)" % (when, re.escape(phase)), one["clause"]):
                        line = "%s (%s)" % (says(one["cite"])[1] or one["cite"], one["rule"])
                        if line not in done:
                            done.append(line)
            rows.append((phase, "; ".join(done)))
    return table(("phase", "what happens (rule)"), rows)


def print_time(system):
    rows = []
    for name, length, note in re.findall(r"^unit ([\w ]+?)\s*(?:= (.*?))?\s*(?:--\s*(.*))?$", source(system), re.M):
        rows.append((code(name), length or "not measured, counted only", note))
    return table(("unit", "length", "note"), rows)


def print_fields(system):
    rows, before, options = [], "", {one["option"] for one in show(system, "options")}
    key = lambda one: (one["kind"], one["field"])
    for one in own(system, "fields", key):
        if one["kept"] or one["field"] in options:
            continue
        meaning = one["meaning"] + (" (for people to read)" if one["noted"] else "")
        rows.append((one["kind"] if one["kind"] != before else "", code(one["field"]), meaning,
                     ", ".join(one["values"]) if "values" in one else kind_of(one["type"]), one.get("default", "")))
        before = one["kind"]
    return table(("of", "field", "meaning", "value", "if not stated"), rows)


def print_keeps(system):
    """What rules remember."""
    found, key = {}, lambda one: (one["kind"], one["field"])
    for one in own(system, "fields", key):
        if one["kept"]:
            found.setdefault(one["kind"], []).append(code(one["field"]) + (" (%s)" % one["meaning"] if one["meaning"] else ""))
    return table(("of", "fields"), [(kind, ", ".join(names)) for kind, names in found.items()])


def print_actions(system):
    rows = [(code(one["pattern"]), roles(one), code(one["told"])) for one in own(system, "actions", lambda one: one["action"])]
    return table(("action", "roles", "told as"), sorted(rows))


def print_shared(system):
    core = [one["action"] for one in show("core", "actions")]
    return "From [core](../core.md): " + ", ".join("`%s`" % one["pattern"] for one in show(system, "actions") if one["action"] in core) + ".\n"


def print_refusals(system):
    """What the rules of the system refuse, and in which words."""
    rows = []
    for one in show(system, "rules"):
        found = re.match(r'forbid (.*?) (?:when|unless) .*?"([^"]*)"$', one["clause"])
        if found and one["module"] == system and one["in force"]:
            rows.append((", ".join(code(action) for action in found.group(1).split(", ")), found.group(2), one["rule"]))
    return table(("action", "refused with the words", "rule"), rows)


def print_dice(system):
    rules, rows = cited(system), []
    for one in show(system, "dice"):
        rows.append((code(one["die"]), one["is"], because(rules, one["rules"])))
    return table(("die", "is", "rolled because (rule)"), sorted(rows))


def print_choices(system):
    rules, rows = cited(system), []
    for one in show(system, "choices"):
        asked, default = "", ""
        for clause in show(system, "rules"):
            if "%s (%s)" % (clause["rule"], clause["module"]) not in one["rules"]:
                continue
            may = re.search(r"(\w[\w' ]*?) may %s\b(?: \([^)]*\))?(?: by default ([^{}]*))?" % re.escape(one["choice"]), clause["clause"])
            picks = re.search(r'(\w[\w\']*) chooses \(.*?\)( or none)? as "%s"' % re.escape(one["choice"]), clause["clause"])
            if may:
                asked, default = may.group(1).split(" ")[-1], (may.group(2) or "yes").strip()
                default = default if default in ("yes", "no") else code(default)
            elif picks:
                asked, default = picks.group(1), "the first possible"
        rows.append((code(one["choice"]), one["is"], default,
                     because(rules, one["rules"])))
    return table(("choice", "answer", "if nobody says", "offered because (rule)"), sorted(rows))


def print_options(system):
    rows, before = [], ""
    for one in show(system, "options"):
        of = "" if one["of"] == "all" else " of each %s" % one["of"]
        means = one["means"] or "no rule changes anything"
        if means.startswith("the number in: "):
            means = "the number in the rule: " + means[len("the number in: "):]
        name = "`%s`%s (%s)" % (one["option"], of, one["cite"])
        rows.append((name if name != before else "", code(one["value"]) + (" (usual)" if one["in force"] else ""), means))
        before = name
    return table(("option", "value", "what it changes (rule)"), rows)


def flat(text):
    """A condition without what comes after it, and without doubled blanks."""
    return " ".join(re.sub(r" ruling \".*", "", text).split())


def print_words(system):
    """The adjectives that rules of the system define, and when they hold."""
    found = {}
    for one in show(system, "rules"):
        said = re.match(r"define (combatant|side|act|encounter|weapon|spell) is ([\w -]+?) (when .*|unless .*)$", one["clause"])
        if said and one["module"] == system and one["in force"]:
            found.setdefault((said.group(1), said.group(2)), []).append(flat(said.group(3)))
    rows = [("%s is `%s`" % (kind, word), "; or ".join(code(when) for when in whens)) for (kind, word), whens in sorted(found.items())]
    return table(("adjective", "holds"), rows)


def print_questions(system):
    """What has a value by a definition, adjectives apart."""
    found = {}
    for one in show(system, "rules"):
        said = re.match(r"define ((?:[\w-]+'s )?[\w -]+?(?: \([^)]*\))?) = (.*)$", one["clause"])
        if said and one["module"] == system and one["in force"]:
            found.setdefault(said.group(1), []).append(flat(said.group(2)))
    return table(("question", "answer"), [(code(name), "; or ".join(code(answer) for answer in answers)) for name, answers in found.items()])


def print_events(system):
    rows = []
    for one in own(system, "events", lambda one: one["event"]):
        marks = ", ".join("%s: %s" % (name, kind_of(typed)) for name, typed in one["marks"].items())
        on = [rule.rpartition(" (")[0].replace("a line of its own", "a clause without a name") for rule in one["on"] if rule.endswith("(%s)" % system)]
        rows.append((code(one["pattern"]), roles(one), marks, code(one["told"]), "; ".join(on)))
    return table(("event", "roles", "marks", "told as", "done by"), rows)


def print_read_and_set(library):
    """The fields of core that a library's rules read, and those that they set or adjust, with the rules."""
    text = re.sub(r"--.*", "", source(library))
    rules = re.findall(r"^rule ([\w ,'-]+?) \"[^\"]*\" (?:if .*?)?\{(.*?)^\}|^rule ([\w ,'-]+?) \"[^\"]*\" \{(.*)\}$", text, re.M | re.S)
    names = [one["field"] for topic in ("core", "osric") for one in show(topic, "fields")]
    names += re.findall(r"[{;]?\s*([a-z][a-z ]+): ", text)
    rows = []
    for one in show("core", "fields"):
        if one["kind"] not in ("combatant", "encounter"):
            continue
        longer = {name[len(one["field"]):] for name in names if name.startswith(one["field"] + " ")}
        field = r"'s %s\b(?!%s)" % (re.escape(one["field"]), "|".join(re.escape(more) for more in sorted(longer)) or "$.")
        put, asked = [], []
        for name, body, short, line in rules:
            name, body = name or short, body or line
            if re.search(r"\b(?:set|change|define|adjust|limit|(?:add|remove) [\w' ]+ (?:to|from)) \w+" + field, body):
                put.append(name)
            elif re.search(field, body):
                asked.append(name)
        if put or asked:
            rows.append((one["kind"], code(one["field"]), ", ".join(put), ", ".join(asked[:6]) + (", .." if len(asked) > 6 else "")))
    return table(("of", "field", "set, defined or adjusted by", "read by"), rows)


def printed(match):
    what = globals()["print_" + match.group(3).replace(" ", "_")]
    return match.group(1) + "\n" + what(match.group(2)) + "\n" + match.group(4)


def pages():
    return sorted(glob.glob(os.path.join(TOP, "docs/systems/*.md"))) + [os.path.join(TOP, "docs", name) for name in ("core.md", "own-system.md")]


def main():
    check, stale = "--check" in sys.argv[1:], 0
    for path in pages():
        with open(path, encoding="utf-8") as f:
            before = f.read()
        stale += put(os.path.relpath(path, TOP), PRINTED.sub(printed, before), check)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
