#!/usr/bin/env python3
"""soak.py - random but legal fights, played under a system with random options.

usage: python3 tests/soak/soak.py SYSTEM [FIGHTS [FIRST]]

Every fight comes from its number alone. It is played, its log is examined and played again:

  - no crash, no limit, no mistake in the script; a ruling needed is counted, not an error;
  - who is dead does nothing at a later moment;
  - a spell that was begun is completed, spoiled or cancelled, its caster out of the fight, or
    the fight over;
  - nobody's counters go below what the system allows;
  - the log played again gives the same log.

A fight that fails is shortened as long as it still fails and written to build/soak."""

import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build/fray")))
ROUNDS = 30


def fray(*args, text=None, timeout=60):
    return subprocess.run([FRAY, *args], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)


def objects(topic, system):
    out = fray("show", "--json", topic, "--rules=" + system).stdout.decode()
    return [json.loads(line) for line in out.splitlines()]


# ---- what a system has ----

class System:
    def __init__(self, name):
        self.name = name
        self.actions = {o["action"] for o in objects("actions", name)}
        self.fields = {}
        for o in objects("fields", name):
            self.fields.setdefault(o["kind"], set()).add(o["field"])
        self.options = {}
        for o in objects("options", name):
            self.options.setdefault(o["option"], []).append(o["value"])

    def block(self, kind, fields):
        """The fields of a stat block that this system knows."""
        known = self.fields.get(kind, set())
        return "; ".join("%s: %s" % (f, v) for f, v in fields if f.split(" #")[0] in known)


# ---- one fight ----

MELEE = ["long sword", "short sword", "spear", "battle axe", "club"]
MISSILE = ["long bow", "light crossbow", "sling"]
THROWN = ["dart", "javelin"]
SPELLS = ["sleep", "fire bolt", "hold person"]
KINDS = ["brute", "archer", "mage", "thug", "captain"]


def weapons(rng, system):
    more = random.Random("arms of %s" % system.name)   # fields of one system alone: the others' fights stay as they are
    for name in MELEE:
        yield "weapon %s { %s }" % (name, system.block("weapon", [
            ("damage", rng.choice(["1d6", "1d8", "2d4", "1d10+1"])), ("speed factor", rng.randint(1, 10)),
            ("length", "%d ft" % rng.randint(1, 12)), ("hands", rng.choice([1, 1, 2])),
            ("class", more.choice(["light", "medium", "heavy"])), ("number", more.randint(9, 18)), ("breakage", more.randint(0, 12)),
            ("parry", more.randint(0, 4)), ("parry for others", more.randint(0, 2)), ("thrusting", more.choice(["no", "no", "yes"]))]))
    for name in MISSILE + THROWN:
        yield "weapon %s { %s }" % (name, system.block("weapon", [
            ("damage", rng.choice(["1d4", "1d6", "1d6+1"])), ("rate of fire", rng.randint(1, 3)),
            ("range", "%d ft" % rng.choice([30, 60, 120])), ("missile", "yes" if name in MISSILE else "no"),
            ("thrown", "yes" if name in THROWN else "no")]))


def spells(rng, system):
    effects = ["each foe in target where foe is able { set foe's awake = no }",
               "each foe in target where foe is able { change foe's hit points by -4 }",
               "note \"nothing to be seen\""]
    for name, effect in zip(SPELLS, effects):
        yield "spell %s { %s; on effect { %s } }" % (name, system.block("spell", [
            ("level", rng.randint(1, 4)), ("casting time", "%d seconds" % (6 * rng.randint(1, 9)))]), effect)


def kinds(rng, system, number):
    more = random.Random("people of %s %d" % (system.name, number))
    for name in KINDS:
        fields = [("hit points", rng.randint(1, 20)), ("armour class", rng.randint(0, 9)), ("THAC0", rng.randint(12, 20)),
                  ("hit dice", rng.randint(1, 5)), ("dexterity", rng.randint(3, 18)), ("missile bonus", rng.randint(-2, 3)),
                  ("attacking adjustment", rng.randint(-2, 3)), ("reaction adjustment", rng.randint(-2, 3)), ("dexterity bonus", rng.randint(-1, 3)),
                  ("attack routines", rng.choice([1, 1, 1, 2, 3])), ("surprise bonus", rng.randint(-2, 3)),
                  ("movement rate", "%d ft" % rng.choice([60, 90, 120])), ("hasted", rng.choice(["no", "no", "no", "yes"]))]
        fields += [("EL", more.randint(1, 4)), ("EN", more.randint(4, 20)), ("BD", more.randint(3, 12)), ("AC", more.randint(3, 9)),
                   ("active blows", more.randint(1, 4)), ("reactive blows", more.randint(0, 3)), ("ST", more.randint(3, 18)),
                   ("alert", more.choice(["yes", "yes", "yes", "no"])), ("first modifier", -more.randint(0, 3))]
        carried = [rng.choice(MELEE)]
        if name == "archer":
            carried = [rng.choice(MISSILE)] + carried
        if name == "thug":
            carried += [rng.choice(THROWN)]
        if name == "mage":
            fields.append(("knows", ", ".join(rng.sample(SPELLS, rng.randint(1, 3)))))
        fields.append(("carries", ", ".join(carried)))
        yield "monster %s { %s }" % (name, system.block("combatant", fields)), carried


def deeds(rng, system, name, carried, target):
    """What somebody of this kind might do, in words that this system has."""
    melee = [w for w in carried if w in MELEE]
    found = []

    def offer(action, *words):
        if action in system.actions:
            found.append(" ".join((action,) + words))

    offer("attack", target, "with", melee[0])
    offer("attack", target, "with", melee[0])
    offer("charge", target)
    offer("close", target)
    offer("move", "10 ft toward", target)
    for w in carried:
        if w in MISSILE:
            offer("shoot", w, "at", target)
            offer("shoot", w, "at", target)
        if w in THROWN:
            offer("throw", w, "at", target)
    if name == "mage":
        for s in SPELLS:
            offer("cast", s, "at", target)
            offer("cast", s, "at", target)
            offer("cast", s, "at", "my enemies" if target.startswith("my") else target)
    offer("flee")
    offer("wait")
    return found


CONDITIONS = ["my hit points <= 3", "engaged (my nearest enemy, me)", "not engaged (my nearest enemy, me)",
              "count (foe in my enemies where foe is able) >= 2", "my nearest enemy is casting"]


def policy(rng, system, name, carried):
    lines = ["policy %s's way {" % name]
    for _ in range(rng.randint(0, 3)):
        deed = rng.choice(deeds(rng, system, name, carried, rng.choice(["my nearest enemy", "my weakest enemy"])))
        lines.append("  %s when %s" % (deed, rng.choice(CONDITIONS)))
    best = [d for d in deeds(rng, system, name, carried, "my nearest enemy") if not d.startswith(("flee", "wait"))]
    if "charge" in system.actions and rng.random() < 0.5:
        lines.append("  %s when engaged (my nearest enemy, me)" % best[0])
        lines.append("  charge my nearest enemy")
    else:
        lines.append("  %s" % rng.choice(best))
    return lines + ["}"]


def script(system, number):
    """The lines of fight `number`."""
    rng = random.Random("%s %d" % (system.name, number))
    set_options = ["%s: %s" % (o, rng.choice(v)) for o, v in system.options.items() if rng.random() < 0.4]
    lines = ["use %s%s" % (system.name, " with { %s }" % "; ".join(set_options) if set_options else "")]
    lines += weapons(rng, system)
    lines += spells(rng, system)
    carried = {}
    for line, name in zip(kinds(rng, system, number), KINDS):
        lines.append(line[0])
        carried[name] = line[1]
    for name in KINDS:
        lines += policy(rng, system, name, carried[name])
    lines.append("encounter soak {")
    present = []
    # no kind stands on both sides: its followers would be ambiguous
    shuffled = rng.sample(KINDS, len(KINDS))
    cut = rng.randint(1, 4)
    for side, names in (("reds", shuffled[:cut]), ("blues", shuffled[cut:])):
        room, members = rng.randint(1, 8), []
        for name in names:
            n = min(room, rng.randint(1, 3))
            if n == 0:
                break
            room -= n
            members.append(name if n == 1 else "%d %ss" % (n, name))
            present += [(side, name, name if n == 1 else "%s #%d" % (name, i + 1)) for i in range(n)]
        lines.append("  side %s: %s" % (side, ", ".join(members)))
    lines.append("  distance: %d ft" % rng.choice([5, 10, 20, 30, 60]))
    if "active left" in system.fields.get("combatant", ()):
        lines += ["  rule contact { after set up { each one in combatants { each foe in one's enemies { set range (one, foe) = 2 } } } }"]
    for r in range(1, rng.randint(1, 3)):
        lines.append("  round %d {" % r)
        for side, name, who in present:
            if rng.random() < 0.4:
                foes = [w for s, _, w in present if s != side]
                lines.append("    %s %s" % (who, third_person(rng.choice(deeds(rng, system, name, carried[name], rng.choice(foes))))))
        lines.append("  }")
    for name in sorted({n for _, n, _ in present}):
        one = sum(n == name for _, n, _ in present) == 1
        lines.append("  %s %s %s's way" % (name if one else name + "s", "follows" if one else "follow", name))
    lines += ["  until reds are down or blues are down", "}"]
    return lines


def third_person(deed):
    verb, _, rest = deed.partition(" ")
    return ("%s %s" % ({"flee": "flees", "close": "closes"}.get(verb, verb + "s"), rest)).rstrip()


# ---- what must be true of it ----

def examine(log):
    """What is wrong with a log, or None."""
    dead, gone, begun, group = {}, set(), {}, 0
    for o in log:
        group = o.get("group", group) if o["kind"] == "group" else group
        if o["kind"] == "event" and o["outcome"] == "done":
            name, arguments = o["event"], o.get("arguments", {})
            actor = o.get("actor")
            moment = (o["round"], o.get("time"))
            # in one moment the blows of the dead may count (OSRIC-TIE-3, whoever is taken first)
            if o.get("act") is not None and name in ACTS and actor in dead and dead[actor][0] < group and dead[actor][1] != moment:
                return "%s, who is dead, does %s" % (actor, name)
            if name == "death":
                dead.setdefault(arguments.get("victim", actor), (group, moment))
            if name in ("fall", "death", "leave"):
                gone.add(actor)
            if name == "begin spell":
                begun[actor] = arguments.get("spell")
            if name in ("complete", "spoil"):
                begun.pop(actor, None)
        if o["kind"] == "cancel":
            begun.pop(o.get("actor"), None)
        if o["kind"] == "refused" and o.get("actor") in begun and o.get("deed") == "cast":
            begun.pop(o.get("actor"))
        if o["kind"] == "change" and o["what"].endswith(FLOORED) and isinstance(o["new"], int) and o["new"] < 0:
            return "%s is %d" % (o["what"], o["new"])
    ended = log[-1]["kind"] == "outcome"
    left = [c for c in begun if c not in gone]
    if left and not ended:
        return "%s began %s and it never ended" % (left[0], begun[left[0]])
    return None


ACTS = ("attack", "shoot", "throw", "charge", "cast")
FLOORED = ("'s blows", "'s active left", "'s reactive left", "'s EN this phase")


def play(lines, folder):
    """(what is wrong or None, was a ruling needed) for one script."""
    path = os.path.join(folder, "fight.fray")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    try:
        done = fray("run", "--json", "--max-rounds=%d" % ROUNDS, path)
    except subprocess.TimeoutExpired:
        return "it never ends", False
    said = done.stderr.decode("utf-8", "replace")
    if done.returncode == 3 and "ruling" in said:
        return None, True
    if done.returncode != 0:
        return "status %d: %s" % (done.returncode, said.strip().split("\n")[0].replace(folder, "")), False
    log = [json.loads(line) for line in done.stdout.decode().splitlines()]
    wrong = examine(log)
    if wrong:
        return wrong, False
    kept = os.path.join(folder, "log.json")
    with open(kept, "wb") as f:
        f.write(done.stdout)
    again = fray("run", "--json", "--max-rounds=%d" % ROUNDS, "--replay=" + kept, path)
    if (again.returncode, as_played(again.stdout)) != (0, as_played(done.stdout)):
        return "played again from its log it is another fight", False
    return None, False


def as_played(out):
    """A log without what tells a rolled die from one read from a log."""
    return out.replace(b'"source":"rolled"', b'"source":"forced"')


def shorten(lines, wrong, folder):
    """Takes out lines as long as the same thing goes wrong."""
    def same(shorter):
        return without_numbers(play(shorter, folder)[0] or "") == without_numbers(wrong)

    size = len(lines) // 2
    while size:
        at = 1
        while at < len(lines):
            shorter = lines[:at] + lines[at + size:]
            if same(shorter):
                lines = shorter
            else:
                at += size
        size //= 2
    return lines


def without_numbers(text):
    return re.sub(r"\d+|\"[^\"]*\"", "", text)


def soak(system, numbers):
    """(how many rulings, [(number, what is wrong, its shortened lines)])"""
    rulings, failures = [], []

    def one(number):
        with tempfile.TemporaryDirectory(prefix="fray-soak-") as folder:
            lines = script(system, number)
            wrong, ruling = play(lines, folder)
            if wrong and len(failures) < 5:
                failures.append((number, wrong, shorten(lines, wrong, folder)))
            elif wrong:
                failures.append((number, wrong, []))
            if ruling:
                rulings.append(number)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(one, numbers))
    return rulings, failures


def main():
    name = sys.argv[1]
    fights = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    rulings, failures = soak(System(name), range(first, first + fights))
    for number, wrong, lines in failures:
        print("fight %d: %s" % (number, wrong))
        if lines:
            os.makedirs(os.path.join(TOP, "build/soak"), exist_ok=True)
            with open(os.path.join(TOP, "build/soak/%s-%d.fray" % (name, number)), "w", encoding="utf-8") as f:
                f.write("-- %s\n" % wrong + "\n".join(lines) + "\n")
    print("%s: %d fights, %d wrong, %d ended with a ruling needed%s" % (
        name, fights, len(failures), len(rulings), ": " + ", ".join(map(str, sorted(rulings)[:10])) if rulings else ""))
    return 1 if failures or len(rulings) * 1000 > fights else 0


if __name__ == "__main__":
    sys.exit(main())
