"""invariants.py - what must be true of the log of a fight, whatever the dice and the options were."""

import fractions
import json
import re

# verbs that do nothing to anybody; whoever cannot act may end in them
IDLE = ("wait", "pass", "decide later", "hold", "talk", "hold fire")
# what may stay pending for long: how long a spell lasts
LASTING = ("expire",)


def reader(system):
    """What takes from a log the lines that are examined below: most of a log are changes of no bound."""
    ends = ["hit points"] + [e.removeprefix("'s ") for e in system.FLOORED]
    change = '"kind":"change".*?"what":"(?:range between [^"]*|[^"]*(?:%s))"' % "|".join(ends)
    return re.compile(('^\\{"event":"[^"]*",(?:"kind":"(?:run|event|roll|group|note|declare|refused|void|pend|interrupted|left|outcome)"|%s).*$' % change).encode(), re.M)


def read(out, wanted):
    return json.loads(b"[%s]" % b",".join(wanted.findall(out)))


def examine(log, system):
    """What is wrong with a log, or None."""
    for look in (told, accounted, after_death, forward, spells, pending, floors, ending):
        wrong = look(log, system)
        if wrong:
            return wrong
    return None


def told(log, _system):
    """The rules that watch (draw.py) note what must never be."""
    for o in log:
        if o["kind"] == "note" and "broken:" in o["told"]:
            return re.sub(r".*broken: ", "", o["told"])
    return None


def accounted(log, _system):
    """What was declared or pended ends once: what is done, refused, void, interrupted, replaced or left over says which act's
    end it is. What was declared and is pended in copies ends with them."""
    begun, ended, passed = {}, {}, set()
    for o in log:
        if o["kind"] in ("declare", "pend"):
            begun[o["id"]] = o
        passed.add(o.get("of"))
        if "ends" in o:
            if o["ends"] in ended:
                return "%s of %s ends twice" % (o.get("deed", o["event"]), o.get("actor"))
            ended[o["ends"]] = o
    for at, o in ended.items():
        if at not in begun:
            return "%s ends what was never begun" % o["event"]
        if o.get("deed", o["event"]) != begun[at]["deed"] or o.get("actor") != begun[at].get("actor"):
            return "%s of %s ends %s of %s" % (o.get("deed", o["event"]), o.get("actor"), begun[at]["deed"], begun[at].get("actor"))
    for at, o in begun.items():
        if at not in ended and not (o["kind"] == "declare" and at in passed):
            return "%s of %s was %s in round %d and has no end" % (o["deed"], o.get("actor"), "declared" if o["kind"] == "declare" else "pended", o["round"])
    return None


def unsaid(log, lines, warned=()):
    """Every line of the rounds that were played is accounted for, or what is wrong: whoever it names declared that, was refused it, or
    is told of as not having come to it. One with a condition need not have been taken; of some a message says that nobody ever asks for that."""
    told, played = {}, max(o.get("round", 0) for o in log)
    for o in log:
        if o["kind"] == "refused" or o["kind"] == "declare" and o["by"] == "script" or o["kind"] == "left" and "ends" not in o:
            told.setdefault((o["round"], o.get("actor")), []).append(o["deed"])
    for at, number, who, said in spoken(lines, log[0].get("encounter")):
        if number > played or " when " in said or at in warned:
            continue
        ways = [way.split(" then ")[0] for way in said.split(" else ")]
        deeds = told.get((number, who), [])
        found = next((d for d in deeds if any(way.startswith(draw_inflected(d)) for way in ways)), None)
        if found is None:
            return "%s %s in round %d, and nothing is told of it" % (who, said, number)
        deeds.remove(found)
    return None


SAID = {"void": "was to|were to|comes too late", "refused": "could not", "left over": "was to|were to", "replaced": "was to|were to"}


def silent(log, story):
    """Every act that somebody declared by a line or a policy, and that was not done, has a word in the story; or what is wrong."""
    story = re.sub(r"\s+", " ", story)
    begun = {o["id"]: o for o in log if o["kind"] in ("declare", "pend")}
    for o in log:
        first = begun.get(o.get("ends"), {})
        first = begun.get(first.get("of"), first)
        if o.get("end") not in SAID or first.get("kind") != "declare" or first.get("by") == "default":
            continue
        deed, who = o.get("deed", o["event"]), o.get("actor") or ""
        crowd = re.escape(re.sub(r" #\d+$", "", who))
        named = "(%s|%ss|each)" % (re.escape(who), crowd)
        words = "(%s)" % SAID[o["end"]]
        if deed not in IDLE and not re.search("%s[^:;.]{0,80}%s|%s[^:;.]*%s" % (named, words, words, named), story):
            return "%s of %s ends as %s in round %d, and the story has no word of it" % (deed, who, o["end"], o["round"])
    return None


def draw_inflected(deed):
    import draw     # it takes IDLE from here
    return draw.inflected(deed)


def spoken(lines, encounter):
    """(its number, round, who, what they do) of the lines of rounds in one encounter."""
    here, number = False, None
    for at, line in enumerate(lines, 1):
        if line.startswith("encounter "):
            here = line == "encounter %s {" % encounter
        block = re.match(r"  (?:round (\d+)|[a-z].*) \{$", line)
        if block:
            number = int(block.group(1)) if block.group(1) else None
        elif line == "  }":
            number = None
        said = re.match(r"    ((?:brute|archer|mage|thug|captain|adept|beast)(?: #\d+)?) (.*)$", line)
        if here and number and said:
            yield at, number, said.group(1), said.group(2)


def after_death(log, system):
    """Who is dead, down or gone does nothing at a later moment, until he is up again."""
    out, group = {}, 0
    for o in log:
        group = o.get("group", 0) if o["kind"] == "group" else group
        if o["kind"] == "change" and o["what"].endswith("'s hit points") and isinstance(o["new"], int) and o["new"] > 0:
            out.pop(o["what"][:-len("'s hit points")], None)
        if o["kind"] != "event" or o["outcome"] != "done":
            continue
        name, actor = o["event"], o.get("actor")
        moment = (o["round"], o.get("time"))
        # in one moment the blows of the dead may count (OSRIC-TIE-3, whoever is taken first)
        if o.get("act") is not None and name in system.actions and name not in IDLE and actor in out:
            fell, then, how = out[actor]
            if fell < group and then != moment:
                return "%s, after %s, does %s" % (actor, how, name)
        if name in system.DOWN + ("leave",):
            victim = o.get("arguments", {}).get("victim") or o.get("arguments", {}).get("mover") or actor
            out.setdefault(victim, (group, moment, name))
    return None


def forward(log, system):
    """No story goes back in time: nothing is told at a moment before the earliest of its round, and the moments of the groups of one step
    never decrease within a round. A step that an act takes inside its own moment (it resolves acts of its own) is counted apart."""
    last = {}           # (round, the event that resolves the acts) -> the latest moment, as a number and as it is told
    for o in log:
        if o.get("moment") is None:
            continue
        step, moment = (o["round"], o.get("cause")), number(o["moment"])
        if moment < system.EARLIEST:
            return "%s is told at %s, in round %d" % (o["kind"], o["time"], o["round"])
        if o["kind"] != "group":
            continue
        if step in last and moment < last[step][0]:
            return "after %s comes %s, in round %d" % (last[step][1], o["time"], o["round"])
        last[step] = (moment, o["time"])
    return None


def number(value):
    return fractions.Fraction(value) if isinstance(value, str) else value


def spells(log, _system):
    """A spell that was begun is completed, spoiled, given up or its caster out of the fight: no
    spell of these fights takes more than 14 segments, so none is under way after two whole rounds."""
    begun = {}          # act -> its caster, its spell, when it was begun
    for o in log:
        act = o.get("act")
        if o["kind"] == "pend" and o["deed"] in ("complete", "function"):
            begun[act] = (o["actor"], o["arguments"].get("spell"), o["round"])
        elif act in begun and ((o["kind"] == "event" and o["event"] in ("complete", "function")) or o["kind"] in ("interrupted", "void", "refused", "left")):
            begun.pop(act)
    for caster, spell, began in begun.values():
        if log[-1]["round"] >= began + 3:
            return "%s began %s in round %d and it never ended" % (caster, spell, began)
    return None


def pending(log, _system):
    """What has become pending is performed, void or cancelled before it can become so again; and
    when a round begins nothing is left of those before the last."""
    waiting = {}        # act -> what, whose, since which round
    for o in log:
        act = o.get("act")
        if o["kind"] == "pend":
            if act in waiting:
                return "%s of %s becomes pending twice" % (o["deed"], o.get("actor"))
            waiting[act] = (o["deed"], o.get("actor"), o["round"])
        elif act in waiting and o["kind"] in ("event", "void", "interrupted", "refused", "left"):
            waiting.pop(act)
    for deed, actor, since in waiting.values():
        if log[-1]["round"] >= since + 5 and deed not in LASTING:
            return "%s of %s is pending since round %d" % (deed, actor, since)
    return None


def floors(log, system):
    for o in log:
        if o["kind"] == "change" and o["what"].endswith(system.FLOORED or ("\0",)) and below(o["new"]):
            return "%s is %s" % (o["what"], o["new"])
        if o["kind"] == "event" and o["event"] == "damage" and below(o.get("arguments", {}).get("amount")):
            return "%s has %s damage" % (o["arguments"]["victim"], o["arguments"]["amount"])
        if o["kind"] == "change" and o["what"].startswith("range between ") and isinstance(o["new"], int) and not 0 <= o["new"] <= 6:
            return "%s is %s" % (o["what"], o["new"])
    return None


def below(value):
    if isinstance(value, str):
        value = re.match(r"-?\d+", value)
        return bool(value) and int(value.group()) < 0
    return isinstance(value, (int, float)) and value < 0


def ending(log, _system):
    return None if log[-1]["kind"] == "outcome" else "the log has no end"


# ---- every forced die is used ----

def forced(lines, log):
    """The script with all that fell said beforehand, and no other die allowed."""
    fell = {}
    for o in log:
        if o["kind"] == "roll":
            for die in o["dice"]:
                if not die.get("owner") or die.get("dice") is None:
                    return None
                faces = die["faces"] if len(die.get("faces", ())) > 1 else [die["total"]]
                fell.setdefault(die["label"], []).append("+".join(map(str, faces)))
    at = next(i for i, l in enumerate(lines) if l.startswith("encounter "))
    said = ["  dice only:"] + ["  dice: %s %s" % (label, " then ".join(faces)) for label, faces in fell.items()]
    return lines[:at + 1] + said + lines[at + 1:]
