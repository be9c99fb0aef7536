#!/usr/bin/env python3
"""t_fields.py - every field of every system takes what its type says, by whichever door it comes.

Wrong: a wrong unit, word, number, fraction, list and thing is written into each field in a stat block, a line of an
encounter, a block of a round, a `set` of a rule, a branch, a sweep and at the prompt, and each is told which line.
Right: each field is set at the prompt, printed, typed as it was printed and printed again; and the session is saved
and played again. Each field of weapons, armour, spells, monsters and classes is printed by `show` and by name, and read
back from a stat block; so is every stat block of the shelf. The fields are what `fray show fields --json` lists. FRAY_TEST_ALL takes all of them, else a part.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from tap import check, end

FRAY = os.path.abspath(os.environ.get("FRAY", "build/debug/fray"))
ALL = bool(os.environ.get("FRAY_TEST_ALL"))
SYSTEMS = sys.argv[1:] or ("lite", "proc", "osric", "crucible", "dew")
PART = 1 if ALL else 48         # every so manieth field of a system
BATCH = 30                      # a script tells forty mistakes at most

# what can be written to a field of a type, and what cannot
QUANTITIES = {"a number": "12", "feet": "20 ft", "a time": "6 seconds", "scale distance": '6"', "a weight": "7 lb", "a chance": "35%", "money": "5 gp"}
LAWFUL = dict(QUANTITIES, **{"yes or no": "yes", "dice": "2d6+1", "a text": '"as it was, he said"'})
LISTS = {"a list of weapons": "probe club, 2 probe clubs", "a list of spells": "probe sleep", "a list of things": "probe club, 2 probe spears", "a list of words": "red, blue"}


def fray(*args, stdin="", folder=None):
    done = subprocess.run([FRAY, *args], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, text=True, timeout=600)
    return done.stdout, done.stderr


def nonsense():
    """A word that is told again, for it was not told yet."""
    nonsense.n += 1
    return "zork" + "".join("bdfghjkl"[nonsense.n >> 3 * k & 7] for k in range(5))


nonsense.n = 0


def wrong_values(type, closed=False):
    """What a field of that type never takes: (which mistake, the value)."""
    wrong = []
    if type != "a text":
        wrong.append(("a text", '"nonsense"')) if type not in ("a word", "a list of words") else None
    if type not in ("a number",):
        wrong.append(("a number", "5"))
    wrong.append(("a unit", "5 cp" if type != "money" else "5 lb"))
    wrong.append(("no unit", "30 " + nonsense()))
    if closed or type in ("a number", "yes or no", "dice", "a chance") or type in QUANTITIES:
        wrong.append(("a word", nonsense()))
    if type not in ("a list of words", "a word", "a text", "a list of things") and not type.startswith("a list"):
        wrong.append(("two", "%s, %s" % (LAWFUL.get(type, "5"), LAWFUL.get(type, "5"))))
    if type not in ("a weapon", "a list of weapons", "a list of things", "a word", "a list of words"):
        wrong.append(("a thing", "probe club"))
    if type in ("a weapon", "a list of weapons"):
        wrong.append(("a thing", "probe sleep"))
    if type in ("yes or no", "a text"):
        wrong.append(("dice", "2d6"))
    return wrong


def skipped(field, mistake, fields):
    """A second value is for a further field, where there is one."""
    return mistake == "two" and any(f["field"] == "second " + field["field"] and f["kind"] == field["kind"] for f in fields)


HEAD = """use %s
use shelf
weapon probe club { damage: 1d6; weight: 3 lb }
weapon probe spear { damage: 1d6; weight: 3 lb }
spell probe sleep { level: 1 }
combatant Ann { hit points: 9; level: 1; carries: probe club }
combatant Bob { hit points: 9; level: 1; carries: probe club }
"""
SCENE = "encounter e {\n  side one: Ann\n  side two: Bob\n  distance: 10 ft\n%s}\n"


def told(err, line, code=""):
    return re.search(r":%d: .+%s" % (line, code), err) is not None


def ask(rules, what, head, lines, tail, command=("check",), code=""):
    """Each line is told; lines that are not are returned. `head` and `tail` are what stands around them."""
    silent = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.fray")
        for at in range(0, len(lines), BATCH):
            batch = lines[at:at + BATCH]
            with open(path, "w") as f:
                f.write(head + "".join(line + "\n" for line in batch) + tail)
            _, err = fray(*command, "t.fray", folder=folder)
            first = head.count("\n") + 1
            silent += [line for i, line in enumerate(batch) if not told(err, first + i, code)]
    check("%s: %d wrong values in %s are told" % (rules, len(lines), what), not silent, "not a word of:\n" + "\n".join(silent[:40]))


OWN = {"combatant": "Ann", "side": "one", "encounter": "encounter"}


def line_of(field, value):
    """What rules keep is only ever set."""
    if field["kept"]:
        return "set %s's %s = %s" % (OWN[field["kind"]], field["field"], value)
    return ("" if field["kind"] == "encounter" else OWN[field["kind"]] + "'s ") + "%s: %s" % (field["field"], value)


def kept_is_not_stated(rules, fields):
    """Whatever rules keep is refused in a stat block, an encounter and a block, though the value would do."""
    kept = [f for f in fields if f["kept"] and f["kind"] not in ("round", "act") and lawful(f)]
    check("%s keeps something" % rules, len(kept) > 2, kept)
    stated = ["  %s: %s" % (f["field"], lawful(f)) for f in kept if f["kind"] == "combatant"]
    ask(rules, "what a stat block states and rules keep", HEAD % rules + "monster probe thing {\n", stated, "}\n" + SCENE % "", code="F0372")
    lines = ["  " + line_of(dict(f, kept=False), lawful(f)) for f in kept if f["kind"] in OWN]
    open_scene = SCENE[:SCENE.index("%s")]
    ask(rules, "what an encounter states and rules keep", HEAD % rules + open_scene, lines, "}\n", code="F0372")
    ask(rules, "what a block states and rules keep", HEAD % rules + open_scene + "round 1 {\n", lines, "}\n}\n", code="F0372")


def doors(rules, fields, of_all):
    fields = [f for f in fields if not f["kept"] and " of " not in f["kind"] and " to " not in f["kind"]]
    wrong = [(f, mistake, value) for f in fields for mistake, value in wrong_values(f["type"], "values" in f) if not skipped(f, mistake, of_all)]
    head = HEAD % rules
    own = OWN
    # stat blocks: of each kind its own
    for kind in sorted({f["kind"] for f, _, _ in wrong}):
        if kind in ("encounter", "round", "side", "act"):
            continue
        ask(rules, "stat blocks of a " + kind, head + "%s probe thing {\n" % kind, ["  %s: %s" % (f["field"], v) for f, _, v in wrong if f["kind"] == kind], "}\n" + SCENE % "")
    lines = ["  " + line_of(f, v) for f, _, v in wrong if f["kind"] in own]
    sets = ["  set %s's %s = %s" % (own[f["kind"]], f["field"], v) for f, m, v in wrong if f["kind"] in own and m != "two"]
    open_scene = SCENE[:SCENE.index("%s")]
    ask(rules, "the encounter", head + open_scene, lines, "}\n")
    ask(rules, "a block", head + open_scene + "round 1 {\n", lines, "}\n}\n")
    ask(rules, "a block's set", head + open_scene + "round 1 {\n", sets, "}\n}\n")
    bodies = ["    set %s's %s = %s" % (f["kind"] if f["kind"] in ("encounter", "side") else "victim", f["field"], v)
              for f, m, v in wrong if f["kind"] in ("combatant", "encounter") and m != "two"]
    ask(rules, "a rule", head + 'rule probe "here" {\n  after fall (victim) {\n', bodies, "  }\n}\n" + SCENE % "")
    branches = ["odds 5 on e { %s } vs { Ann waits } giving one wins" % line.strip()
                for line in lines[:: 1 if ALL else 7] + [x for x in sets if " = 30 zork" not in x][:: 1 if ALL else 7]]
    ask(rules, "a branch of odds", head + SCENE % "", branches, "", command=("check",))
    sweeps = ["sweep %s's %s over %s { odds 5 on e giving one wins }" % (own[f["kind"]], f["field"], v)
              for f, m, v in wrong if f["kind"] in own and m not in ("two", "no unit")][:: 1 if ALL else 7]
    ask(rules, "a sweep", head + SCENE % "", sweeps, "")
    typed = [line.strip() for line in lines[:: 1 if ALL else 7] + sets[:: 1 if ALL else 7]]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "t.fray"), "w") as f:
            f.write(head + SCENE % "")
        _, err = fray("repl", "t.fray", stdin="begin\n" + "\n".join(typed) + "\n", folder=folder)
    silent = [line for i, line in enumerate(typed) if not told(err, i + 2)]
    check("%s: %d wrong values at the prompt are told" % (rules, len(typed)), not silent, "not a word of:\n" + "\n".join(silent[:40]))


def lawful(field):
    if "values" in field:
        return ", ".join('"%s"' % word if " " in word else word for word in field["values"][-2 if "list" in field["type"] else -1:])
    if field["type"] in LAWFUL:
        return LAWFUL[field["type"]]
    return {"a weapon": "probe club", "a spell": "probe sleep", "a combatant": "Bob", "a side": "two"}.get(field["type"]) or LISTS.get(field["type"])


def read_back(rules, fields):
    """Printed, typed as printed, printed again; and what was saved says the same."""
    pairs = [(OWN[f["kind"]] + "'s " + f["field"], f, lawful(f)) for f in fields if f["kind"] in OWN]
    pairs = [(path, f, value) for path, f, value in pairs if value and not re.search(r"[_.]", path)]  # options have values of their own
    if rules == "dew":  # no weapon comes to be in the middle of a fight, where weapons are things in play
        pairs = [(path, f, value) for path, f, value in pairs if f["type"] not in ("a list of weapons", "a weapon")]
    with tempfile.TemporaryDirectory() as folder:
        # `show fields` reads all of the library
        def session(lines, script="t.fray"):
            out, err = fray("repl", script, stdin="\n".join(["show fields round", "begin", "54321"] + lines) + "\n", folder=folder)
            return out[out.index("54321\n"):].splitlines()[1:], err
        with open(os.path.join(folder, "t.fray"), "w") as f:
            f.write(HEAD % rules + SCENE % "")
        lines = [line for path, f, value in pairs for line in (line_of(f, value), path)]
        first, err = session(lines)
        check("%s: %d values are taken" % (rules, len(pairs)), not mistakes(err) and len(first) == len(pairs), err or first)
        again, err = session([line for (path, f, _), printed in zip(pairs, first) for line in (line_of(f, printed), path)] + ['save "kept.fray"'] + [path for path, _, _ in pairs])
        again, last = again[:len(pairs)], again[len(pairs) + 1:]
        check("%s: they are printed as they can be typed" % rules, not mistakes(err) and again == first,
              err or "\n".join("%s: %s, then %s" % (p, a, b) for (p, _, _), a, b in zip(pairs, first, again) if a != b))
        kept, err = session([path for path, _, _ in pairs], "kept.fray")
        check("%s: a session that was saved says the same" % rules, not mistakes(err) and kept == last,
              err or "\n".join("%s: %s, then %s" % (p, a, b) for (p, _, _), a, b in zip(pairs, last, kept) if a != b))


KINDS = {"weapon": "weapon", "armour": "armour", "spell": "spell", "combatant": "monster", "class": "class"}


def shown(kind, text, folder):
    """The stat blocks of a script and its library: by name, the fields as they are printed; and what was said of the script."""
    with open(os.path.join(folder, "t.fray"), "w") as f:
        f.write(text)
    out, err = fray("show", "--json", kind, "t.fray", folder=folder)
    return {o["name"]: o["fields"] for o in map(json.loads, out.splitlines())}, err


def block(kind, name, fields):
    return '%s "%s" {\n%s}\n' % (kind, name, "".join("  %s: %s\n" % item for item in fields.items()))


def told_of(text, paths, folder, owned):
    """What the prompt answers to "probe club's weight". Things in play belong to somebody, an armour each: "bearer bdf's probe club's weight"."""
    bearers = ["bearer " + name.split()[-1] for name, _ in paths]
    own = "".join("combatant %s { carries: %s }\n" % (bearer, name) for bearer, (name, _) in zip(bearers, paths))
    with open(os.path.join(folder, "t.fray"), "w") as f:
        f.write(text + (own + SCENE.replace("Ann", ", ".join(["Ann"] + bearers)) if owned else SCENE) % "")
    lines = ["%s%s's %s" % (bearer + "'s " if owned else "", *path) for bearer, path in zip(bearers, paths)]
    out, err = fray("repl", "t.fray", stdin="\n".join(["begin", "54321"] + lines) + "\n", folder=folder)
    return out.partition("54321\n")[2].splitlines(), err


def mistakes(err):
    """That no rule reads a field is a warning, and true."""
    return re.search(r":\d+: (?!warning)", err) is not None


def differing(one, other):
    return "\n".join("%s: %s, then %s" % (name, one[name], other.get(name)) for name in one if one[name] != other.get(name))


def things_read_back(rules, fields):
    """What `show` prints of a thing can be written in its stat block, and so can what its field is told to be at the prompt."""
    head = HEAD % rules + "armour probe mail { weight: 3 lb }\nclass probe calling { }\n"
    own = {"a class": "probe calling", "an armour": "probe mail", "a word": "band", "a number": "2"}  # what no rule finds wrong
    with tempfile.TemporaryDirectory() as folder:
        for kind, word in KINDS.items():
            mine = [(f["field"], own[f["type"]] if f["type"] in own and "values" not in f else lawful(f)) for f in fields
                    if f["kind"] == kind and not f["kept"] and f["type"] not in ("a combatant", "a side", "an act") and not re.search(r"[_.]", f["field"])]
            mine = [x for x in mine if x[1]]
            names = ["probe thing " + "".join("bdfghjkl"[at >> 3 * k & 7] for k in range(3)) for at in range(len(mine))]
            given = {name: dict([x]) for name, x in zip(names, mine)}
            first, err = shown(word, head + "".join(block(word, *x) for x in given.items()), folder)
            first = {name: first.get(name) for name in names}
            check("%s: %d fields of a %s are printed as they were written" % (rules, len(mine), word), not mistakes(err) and first == given, err or differing(given, first))
            again, err = shown(word, head + "".join(block(word, *x) for x in first.items()), folder)
            check("%s: and can be written again" % rules, not mistakes(err) and not differing(first, again), err or differing(first, again))
            if kind == "combatant":     # a monster is printed as whoever it becomes: read_back
                continue
            owned = rules == "dew" and word in ("weapon", "armour")
            told, err = told_of(head + "".join(block(word, *x) for x in given.items()), [(name, field) for name, (field, _) in zip(names, mine)], folder, owned)
            check("%s: %d fields of a %s are told at the prompt" % (rules, len(mine), word), not mistakes(err) and len(told) == len(mine), err or told)
            said = {name: {field: value} for name, (field, _), value in zip(names, mine, told)}
            again, err = told_of(head + "".join(block(word, *x) for x in said.items()), [(name, field) for name, (field, _) in zip(names, mine)], folder, owned)
            check("%s: and can be written as they are told" % rules, not mistakes(err) and told == again,
                  err or "\n".join("%s: %s, then %s" % x for x in zip(mine, told, again) if x[1] != x[2]))
        library = "use %s\nuse shelf\n" % rules
        for word in KINDS.values() if ALL or rules == SYSTEMS[0] else ():
            first, _ = shown(word, library, folder)
            again, err = shown(word, library + "".join(block(word, "copied " + name, x) for name, x in first.items()), folder)
            again = {name: again.get("copied " + name) for name in first}
            check("%s: %d stat blocks of the shelf are printed as they can be written" % (rules, len(first)), first and not err and first == again, err or differing(first, again))


def main():
    for k, rules in enumerate(SYSTEMS):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "t.fray"), "w") as f:
                f.write("use %s\nuse shelf\n" % rules)
            out, _ = fray("show", "fields", "--json", "t.fray", folder=folder)
        fields = [json.loads(line) for line in out.splitlines()]
        kept_is_not_stated(rules, fields)
        doors(rules, fields[k % PART::PART] if not ALL else fields, fields)
        read_back(rules, fields if ALL else fields[k % 8::8])
        things_read_back(rules, fields if ALL else fields[k % 4::4])
    end()


main()
