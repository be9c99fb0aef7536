#!/usr/bin/env python3
"""moments - acts of one moment come to the same in whatever order they are written.

usage: python3 tests/soak/moments.py SYSTEM [FIGHTS [FIRST]]
       python3 tests/soak/moments.py SYSTEM+shelf [FIGHTS [FIRST]]     between creatures whose blows and spells bring states

Draws small fights in which sides act in the same moment, and writes each several times over: the lines of a round in another
order, the sides in another order, the members of a side in another order. All are played with the same seed - dice go by their
names and owners -, and must end in the same world, with the same things told up to their order. House rules are drawn besides
that would show a leak: what is before an act changes others, conditions wait for what two acts do together.
What a rule of a system puts in an order on purpose is not swapped: see ORDERED and BY_ROSTER."""

import collections
import glob
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import draw
import systems

FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(systems.TOP, "build/fray")))
BATCH = 8
DICE = {"osric": ("surprise die", 5, 6), "lite": ("surprise roll", 5, 6), "proc": ("surprise roll", 5, 6), "crucible": ("surprise die", 9, 12)}
# proc does the acts of a side in the order in which they are declared (PROC-X-ORDER-1), crucible in listed order (CRUC-X-SAME-1)
ORDERED = {"proc": 1, "crucible": 1}
BY_ROSTER = ("flees", "disengages", "falls back", "avoids", "circles", "goes", "runs", "steps", "moves")


# what the blows of the shelf's creatures bring, and spells that are laid on one
TRAITS = ["paralysis: 3d4; paralysis lasts: 1", "paralysis: 1d4; paralysis lasts: 1; paralysis unsaved: yes", "stuns: 1d4", "lulls: yes", "venom: yes",
          "venom: yes; venom brings: unconscious; venom lasts: 1d6", "venom: yes; venom brings: held", "venom: yes; venom damage: 1d6", "petrifies: touch",
          "drains levels: 1", "weakens: yes", "hug: 1d6; hug on: 12", "rend: 1d6", "double damage on: 12"]
ALONE = ["swallows on: 12", "grip: 1d4"]    # of one kind only: of two who seize one in a moment the roster decides
HOSTILE = ["hold person", "hold monster", "web", "charm person", "magic missile", "slow", "light", "faerie fire", "ray of enfeeblement",
           "dispel magic", "command", "cause light wounds", "blindness", "paralysation", "confusion", "feeblemind", "bestow curse",
           "shocking grasp", "spiritual weapon", "produce flame", "heat metal"]
FRIENDLY = ["cure light wounds", "bless", "haste", "shield", "protection from evil", "invisibility", "mirror image", "dispel magic", "sanctuary",
            "barkskin", "blur", "chant", "prayer", "enchanted weapon", "minor globe of invulnerability", "remove fear", "resist fire"]


def forced(sides, label, face):
    return "dice: " + ", ".join("%s' %s %d" % (side, label, face) for side, _ in sides)


def leaky(rng, system, kinds):
    """Rules of the house that show what acts of one moment see of each other."""
    acts = [a for a in ("attack", "shoot", "throw", "cast", "charge", "flee", "wait", "talk") if a in system.actions]
    points = "EN lost" if system.name == "dew" else "hit points"
    hurt = "change foe's %s by %s" % (points, "1" if system.name == "dew" else "-1")
    rules = [
        "before %s { each foe in actor's enemies { change foe's to-hit bonus by -%d } }" % (rng.choice(acts), rng.randint(1, 20)),
        "before %s { each foe in actor's enemies { %s } }" % (rng.choice(acts), hurt),
        "before %s when any (foe in actor's enemies where foe's omens > 0) { change actor's signs by 1 }" % rng.choice(acts),
        "after %s { change attacker's omens by 1; change target's signs by 2 }" % rng.choice(["hit", "miss", "strike"]),
        "after %s when actor's signs > 0 { each foe in actor's enemies { change foe's omens by actor's signs } }" % rng.choice(acts),
        "whenever combatant's omens > 0 and combatant's signs > 1 { note \"{combatant} shudders\"; change combatant's to-hit bonus by -1 }",
        "whenever combatant's omens > 1 and combatant is able { note \"{combatant} has seen enough\" }",
        "instead of strike when attacker's omens > target's omens + 1 { note \"{attacker} stays the hand\" }",
    ]
    return ["  rule leak%d \"soak\" { %s }" % (n, r) for n, r in enumerate(rng.sample(rules, rng.randint(1, 4)))]


def encounter(system, number, fighters):
    """The versions of fight `number`: their names and lines."""
    rng = random.Random("moment %s %d" % (system.name, number))
    kinds = rng.sample(draw.KINDS, 4)
    most = ORDERED.get(system.name, 2)
    sides = [("reds", kinds[:rng.randint(1, most)]), ("blues", kinds[2:2 + rng.randint(1, most)])]
    present = [draw.Present(side, kind, kind) for side, members in sides for kind in members]
    head = draw.scene(rng, system)
    for side, _ in sides:
        head += ["  " + l for l in system.side(rng, side, [s for s, _ in sides if s != side])]
    head += ["  set option %s = %s" % s for s in draw.settings(rng, system, rng.choice([0, 0, 0.2]))]
    head += leaky(rng, system, kinds)
    rounds = []
    for _ in range(rng.randint(1, 3)):
        dice = ["    " + forced(sides, "initiative", rng.randint(1, DICE[system.name][2]))] if system.name in DICE and rng.random() < 0.8 else []
        said = [draw.line(rng, system, one, fighters, present) for one in present if rng.random() < 0.9]
        rounds.append((dice, [line for line in said if "someone" not in line]))     # who that is goes by the roster
    if system.name in DICE and rng.random() < 0.7:
        head.append("  " + forced(sides, *DICE[system.name][:2]))
    # strikes at the back of one who goes are dealt in the order of the roster (`each foe in ..`) until he is down
    goes = any(word in said for _, lines in rounds for said in lines for word in BY_ROSTER)
    return versions(number, sides, head, rounds, goes)


def versions(number, sides, head, rounds, goes):
    def version(name, sides_at, members_at, lines_at):
        lines = ["encounter %s {" % name]
        lines += ["  side %s: %s" % (side, ", ".join(members[::members_at])) for side, members in sides[::sides_at]] + head
        for n, (dice, said) in enumerate(rounds, 1):
            lines += ["  round %d {" % n] + dice + said[::lines_at] + ["  }"]
        return lines + ["  until round >= %d" % (len(rounds) + 1), "}"]

    shapes = [(1, 1, 1), (1, 1, -1), (-1, 1, 1), (1, 1 if goes else -1, 1), (-1, 1 if goes else -1, -1)]
    return [("moment %s %s" % (draw.NUMBERS[number % BATCH], word), version("moment %s %s" % (draw.NUMBERS[number % BATCH], word), *shape))
            for word, shape in zip(["plain", "lines", "sides", "members", "all"], shapes)]


def things(system, batch):
    lines, fighters = draw.things(system, 100000 + batch)
    # policies choose by the roster where several are alike: everybody does what is written
    out, inside = [], False
    for l in lines:
        inside = inside or l.startswith("policy ")
        if not inside:
            out.append(l)
        inside = inside and l != "}"
    return out + ["every combatant has { omens: 0; signs: 0 }"], fighters


SPELLS = {}


def known_spells():
    there = {o["name"] for o in systems.objects("spells", "osric,shelf") if "says" not in o["fields"]}   # else the referee is asked
    SPELLS["hostile"], SPELLS["friendly"] = ([s for s in known if s in there] for known in (HOSTILE, FRIENDLY))


def shelf_things(system, batch):
    """The same of creatures of the shelf: what each blow brings, and what each caster knows. Nobody runs: whoever goes is struck in the order of the roster."""
    rng = random.Random("shelf %s batch %d" % (system.name, batch))
    lines, fighters = ["use %s" % system.name, "use shelf", "default policy none"], {}
    for kind in draw.KINDS:
        knows = rng.sample(SPELLS["hostile"], 3) + rng.sample(SPELLS["friendly"], 2) if kind in ("mage", "adept") or rng.random() < 0.2 else []
        lines.append("monster %s { hit dice: %d; hit points: %d; armour class: %d; to-hit bonus: %d; attacks: %s; fearless: yes; %s%s }" % (
            kind, rng.randint(1, 6), rng.randint(5, 60), rng.randint(4, 10), rng.randint(0, 8), rng.choice(["claw 1d3, claw 1d3, bite 1d6", "touch 1d4", "bite 2d4", "claw 1d4, claw 1d4"]),
            "; ".join(dict((t.split(":")[0], t) for t in rng.sample(TRAITS + ALONE * (kind == "thug"), rng.randint(1, 3))).values()), "; knows: " + ", ".join(knows) if knows else ""))
        fighters[kind] = knows
    return lines + ["every combatant has { omens: 0; signs: 0 }"], fighters


def shelf_encounter(system, number, fighters):
    """The versions of a fight between them: several strike one in a moment, and are struck."""
    rng = random.Random("shelf moment %s %d" % (system.name, number))
    kinds = rng.sample(draw.KINDS, 5)
    sides = [("reds", kinds[:rng.randint(2, 3)]), ("blues", kinds[3:])]
    if system.name == "crucible":       # it places several sides one behind the other, as they are listed
        sides = [("reds", kinds[:1]), ("blues", kinds[1:2])]
    elif system.name in ORDERED:
        sides = list(zip(("reds", "blues", "greens", "whites"), [[k] for k in kinds[:rng.randint(3, 4)]]))
    head = ["  distance: 5 ft"] + ["  already met: yes"] * (system.name == "proc") + ["  set option %s = %s" % s for s in draw.settings(rng, system, rng.choice([0, 0, 0.2]))]
    if rng.random() < 0.3:
        head += leaky(rng, system, kinds)
    if system.name in DICE:
        head.append("  " + forced(sides, *DICE[system.name][:2]))
    rounds, victim = [], rng.choice(sides[-1][1])
    for _ in range(rng.randint(1, 3)):
        dice = ["    " + forced(sides, "initiative", rng.randint(1, DICE[system.name][2]))] if system.name in DICE else []
        said = []
        for side, members in sides:
            foes = [k for other, theirs in sides for k in theirs if other != side]
            for kind in members:
                foe = victim if victim in foes and rng.random() < 0.7 else rng.choice(foes)
                bad, good = ([s for s in fighters[kind] if s in known] for known in (SPELLS["hostile"], SPELLS["friendly"]))
                deed = "attacks %s" % foe
                if bad and rng.random() < 0.5:
                    deed = "casts %s at %s" % (rng.choice(bad), foe)
                elif good and rng.random() < 0.5:
                    deed = "casts %s at %s" % (rng.choice(good), rng.choice(members))
                if rng.random() < 0.95:
                    said.append("    %s %s" % (kind, deed))
        rounds.append((dice, said))
    # a blow at who is down goes to the next of the roster
    return versions(number, sides, head, rounds, system.name == "lite" or any("retarget" in l for l in head))


def parts(said):
    """What a fight ended as: the words told in each round, and the facts of its world, up to their order."""
    story, _, world = said.partition("\x01")
    told, at = collections.Counter(), ""
    lines = [l for l in story.split("\n") if not re.search(r"moments\.fray:\d|^\s*\d* *\||^\s+(Write|Ask for)\b|^  (reds|blues|greens|whites): ", l)]
    for block in re.split(r"\n(?=round \d)", "\n".join(lines)):
        at = block.split("\n")[0] if block.startswith("round") else ""
        block = re.sub(r"\s+", " ", block)     # whose die it is, is told where it is not the actor's
        # a refusal tells the numbers that it looked up: what an act before it asked is known, and not looked up again
        block = re.sub(r"(could not [^:]*: [^;()]*)\([^()]*\)", r"\1", block)
        block = re.sub(r"(-?\d+|no) hit points? left|at -?\d+ hit points?", " ", block)     # how many are left when it is told
        for word in re.sub(r"\((hit points|EN lost|EN|BD)[^)]*\)|\b(segment|count) -?\d+|\b(together|then|dice) |\b(%s)'s\b|[;:,.]" % "|".join(draw.KINDS), " ", block).split():
            told[(at, word)] += 1
    facts, places, of = collections.Counter(), {}, ""
    for l in world.split("\n"):
        if l and not l.startswith(" "):
            of = l
        if of.startswith("moment"):
            of = "encounter"
        pair = re.match(r"  (.+) to (%s): (.*)" % "|".join(draw.KINDS), l)
        if pair and of in draw.KINDS:
            facts["%s of %s: %s" % (pair[1], " and ".join(sorted([of, pair[2]])), pair[3])] += 1
        elif re.match(r"  place: (-?\d+)", l):
            places[of] = int(re.match(r"  place: (-?\d+)", l)[1])
        elif l.startswith("  ") and not of.startswith("declared") and not l.startswith("  listed: "):
            facts["%s: %s" % (of, l.strip())] += 1
    for one, other in itertools.combinations(sorted(p for p in places if not any(fact.startswith(p + ": fled: yes") for fact in facts)), 2):   # from whoever stands first
        facts["%s and %s apart by %d" % (one, other, abs(places[one] - places[other]))] += 1
    return told, facts


def play(lines, names, seed, folder):
    path = os.path.join(folder, "moments.fray")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    commands = "".join("begin %s\nrun\nshow world\n" % n for n in names)
    done = subprocess.run([FRAY, "repl", "--keep-going", "--seed=%d" % seed, path], input=commands.encode(), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, cwd=folder, timeout=300, env=dict(os.environ, COLUMNS="2000"))
    return done.stdout.decode("utf-8", "replace")


def difference(one, other):
    out = []
    for sign, more in (("-", one[1] - other[1]), ("+", other[1] - one[1])):
        out += ["%s %s" % (sign, fact) for fact in sorted(more)]
    for sign, more in (("-", one[0] - other[0]), ("+", other[0] - one[0])):
        out += ["%s told in %s: \"%s\"" % (sign, at, piece) for at, piece in sorted(more)]
    return out


def shared_fields():
    """Fields that are written at once, in the order of the roster: a rule asks for it (docs/language.md, Simultaneous acts)."""
    found = set()
    for path in glob.glob(os.path.join(systems.TOP, "stdlib", "*", "*.fray")):
        with open(path, encoding="utf-8") as f:
            found |= set(re.findall(r"([a-z][\w ]*?): [^;{}\n]*? shared\b", f.read(), re.I))
    return found


def contested(lines, title, seed):
    """Did two acts of one moment roll the same die, or one of them spend what is shared of who acts in the other?"""
    with tempfile.TemporaryDirectory(prefix="fray-moments-") as folder:
        path = os.path.join(folder, "moments.fray")
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        out = subprocess.run([FRAY, "run", "--json", "--seed=%d" % seed, path, title], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300).stdout
    log, users, actors, spent = {}, {}, {}, []
    shared = shared_fields()
    for l in out.decode("utf-8", "replace").splitlines():
        r = json.loads(l)
        if "id" not in r:
            continue
        log[r["id"]] = r
        act, up = None, r
        while up is not None and up.get("group") is not None:   # the act of the outermost group that this is part of
            act = up if up["kind"] == "event" else act
            up = log.get(up.get("cause"))
        if act is None:
            continue
        moment = (r["round"], act["group"])
        if r["kind"] == "event" and r is act:
            actors.setdefault(moment, {})[act["id"]] = act.get("actor")
        for die in r.get("dice", []) if r["kind"] == "roll" else []:
            users.setdefault((moment, die["label"]), set()).add(act["id"])
        if r["kind"] == "change" and str(r.get("what", "")).split("'s ")[-1] in shared:
            spent.append((moment, act["id"], str(r["what"]).split("'s ")[0]))
    return any(len(u) > 1 for u in users.values()) or any(
        owner in [who for other, who in actors.get(moment, {}).items() if other != act] for moment, act, owner in spent)


def run(name, numbers):
    """(fights played, those that ended with a ruling or not at all, those where a rule asks for the order, [(number, words)])"""
    name, _, shelf = name.partition("+")
    system = systems.system(name)
    system.near = True
    if shelf:
        known_spells()
    played = rulings = exempt = 0
    wrong = []
    for batch in sorted({n // BATCH for n in numbers}):
        here = [n for n in numbers if n // BATCH == batch]
        lines, fighters = (shelf_things if shelf else things)(system, batch)
        fights = [(n, (shelf_encounter if shelf else encounter)(system, n, fighters)) for n in here]
        names = [title for _, versions in fights for title, _ in versions]
        for _, versions in fights:
            for _, said in versions:
                lines = lines + said
        with tempfile.TemporaryDirectory(prefix="fray-moments-") as folder:
            said = play(lines, names, batch, folder)
        ends = cut(said, names)
        for n, versions in fights:
            whole = [ends.get(title) for title, _ in versions]
            if any(w is None for w in whole):
                rulings += 1
                continue
            played += 1
            base = parts(whole[0])
            for (title, _), other in zip(versions[1:], whole[1:]):
                found = difference(base, parts(other))
                if found and contested(lines, versions[0][0], batch):
                    exempt += 1
                    break
                if found:
                    wrong.append((n, title + ":\n" + "\n".join(found[:12])))
                    break
    return played, rulings, exempt, wrong


def cut(said, names):
    """By name: what was told of it, and the world at its end; those that came to no end are left out."""
    found, at = {}, 0
    for name in names:
        here = said.find("\n%s\n" % name, at)
        if here < 0:
            continue
        story = said[at:here]
        end = re.search(r"\n  (reds|blues|greens|whites): ", said[here:])
        stop = here + end.start() if end else len(said)
        if "Ruling needed" not in story and "error" not in story:
            found[name] = story + "\x01" + said[here:stop]
        at = stop
    return found


def main():
    name, fights, first = sys.argv[1], int((sys.argv[2:] or [200])[0]), int((sys.argv[3:] or [0])[0])
    played, rulings, exempt, wrong = run(name, range(first, first + fights))
    for number, words in wrong:
        print("fight %d: %s" % (number, words))
    print("%s: %d fights in five orders, %d came to other worlds; in %d two acts rolled one die or spent one budget, %d ended with a ruling or not at all" % (
        name, played, len(wrong), exempt, rulings))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
