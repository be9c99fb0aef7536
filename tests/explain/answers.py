#!/usr/bin/env python3
"""answers.py - asks why of random fights, and checks the answers by their logs.

usage: FRAY=build/release/fray python3 tests/explain/answers.py [-v] [-s SORTS] SYSTEM [FIGHTS [FIRST]]

Every fight comes from its number alone (tests/soak/draw.py). It is played for a few rounds at the
prompt; questions are made from its log: why of what happened, why not of what did not, which of two
acted first, what a value or a state rests on, and each of these also of what is not so. Then:

  - there is an answer, in a sentence, in the shape that t_questions.py wants; ten lines but for few;
  - what happened is not denied, and what did not happen is not explained as if it had;
  - sums add up: those in sentences, and the figures of the JSON object up to their totals;
  - dice, hit points and rounds that are named are in the log;
  - the die of the last sentence, made to show what it says, turns round what was asked.

What is wrong is printed with its question, its answer, and the script in build/soak."""

import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "../soak"))
os.environ.setdefault("FRAY", os.path.join(HERE, "../../build/debug/fray"))

import draw
import t_questions
from systems import FRAY, TOP, system

ROUNDS = 4
ASKED = 10                      # questions of a fight
TURNED = 3                      # of these, how many last sentences are played again
LOG = os.path.join(TOP, "build/soak")
DENIAL = re.compile(r"other way round|together|at the same (time|moment)|\b(not|never|nobody|nothing|no|neither|none|cannot|already|alive|still)\b|n't\b|It did|did (die|fall|hit|act)|has happened", re.I)
SUM = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?(?: [-+] \d+(?:\.\d+)?)+) = (-?\d+(?:\.\d+)?)(?![\w.])")


class Ruling(Exception):
    """The fight needs a ruling, or cannot be played."""


class Prompt:
    """`fray repl --json`, a line at a time."""

    def __init__(self, path, seed):
        self.child = subprocess.Popen([FRAY, "repl", "--json", "--seed=%d" % seed, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def type(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()
        got = self.child.stdout.readline()
        if not got:
            raise RuntimeError("the prompt ended with status %s at: %s" % (self.child.wait(), line))
        return json.loads(got)

    def close(self):
        self.child.stdin.close()
        self.child.stdout.close()
        self.child.stderr.close()
        self.child.wait()


def played(path, seed):
    """(the prompt, the log, who is there) of a fight played for ROUNDS rounds."""
    prompt = Prompt(path, seed)
    log, people = [], []
    for line in ("begin", "step to round %d" % (ROUNDS + 1)):
        got = prompt.type(line)
        log += got["data"]
        people = people or sorted(t_questions.names_in(got["text"]))
        if got["status"] != "ok" and line == "begin":
            prompt.close()
            raise Ruling("; ".join(p["message"] for p in got["problems"]))
        if got["status"] not in ("ok", "wrong"):
            prompt.close()
            raise Ruling("; ".join(p["message"] for p in got["problems"]))
    return prompt, [o for o in log if "kind" in o], people


# ---- what happened ----

Act = collections.namedtuple("Act", "id name actor target round group told ends")


def done(log):
    return [Act(o["id"], o["event"], o.get("actor"), o.get("target"), o["round"], o.get("group"), o.get("told"), o.get("ends"))
            for o in log if o["kind"] == "event" and o.get("outcome") == "done" and o.get("actor")]


def one(who):
    """It is somebody, not several."""
    return who and "," not in who and " and " not in who


VERBS = {"hit": "hits", "miss": "misses", "death": "dies", "fall": "falls"}
VALUES = {"dew": ("EN", "BD")}


def said(act):
    """The event as a question has it, or None."""
    if act.name in ("hit", "miss"):
        return "%s %s %s" % (act.actor, VERBS[act.name], act.target) if one(act.target) and one(act.actor) else None
    if act.name in VERBS:
        return "%s %s" % (act.actor, VERBS[act.name])
    # an act is told in a sentence that begins with who acts
    if act.told and act.told.startswith(act.actor) and re.match(r"(attacks|charges|casts|shoots|throws|flees|falls back|begins casting|closes|surrenders|waits|moves)\b", act.told[len(act.actor) + 1:]):
        return act.told
    return None


def same(act, other):
    return (act.name, act.actor, act.target) == (other.name, other.actor, other.target)


Asked = collections.namedtuple("Asked", "text sort act so other")


def made(log, rng, name, people):
    """Questions, from a log."""
    acts = done(log)
    told = [a for a in acts if said(a)]
    blows = [a for a in told if a.name in ("hit", "miss")]
    found = []
    for act in rng.sample(told, min(2, len(told))) + rng.sample(blows, min(2, len(blows))) + [a for a in told if a.name == "death"][:2]:
        found.append(Asked("why " + said(act), "event", act, True, None))
    hits = {(a.actor, a.target) for a in blows if a.name == "hit"}
    for act in rng.sample(blows, min(2, len(blows))):
        missed = act.name == "miss" and (act.actor, act.target) not in hits
        if missed:
            found.append(Asked("why not %s hits %s" % (act.actor, act.target), "not", act, False, None))
            found.append(Asked("why %s hits %s" % (act.actor, act.target), "event", act, False, None))
        elif act.name == "hit":
            found.append(Asked("why not %s hits %s" % (act.actor, act.target), "not", act, True, None))
    for o in rng.sample(log, min(len(log), 400)):
        if o["kind"] in ("void", "refused") and o.get("deed") and one(o.get("actor")) and len(found) < ASKED:
            found.append(Asked("why not %s %s" % (o["actor"], third(o["deed"])), "not-deed", None, None, o))
            break
    ranked = [a for a in acts if a.group is not None and (a.told or a.ends is not None) and one(a.actor)]
    rounds = sorted({a.round for a in ranked})
    for r in rng.sample(rounds, min(2, len(rounds))):
        there = sorted({a.actor for a in ranked if a.round == r})
        if len(there) > 1:
            a, b = rng.sample(there, 2)
            idle = {(o["actor"], o["round"]) for o in log if o["kind"] in ("void", "left") and o.get("actor")}
            found.append(Asked("why %s acts before %s" % (a, b), "order", None, None, (a, b, ranked, idle)))
    for who in rng.sample(people, min(2, len(people))):
        for value in VALUES.get(name, ("hit points", "armour class"))[:1 + (rng.random() < 0.5)]:
            found.append(Asked("why %s's %s" % (who, value), "value", None, None, "%s's %s" % (who, value)))
    who = rng.choice(people)
    found.append(Asked("why %s is able" % who, "state", None, None, "%s is able" % who))
    dead = {a.actor for a in acts if a.name == "death"}
    found.append(Asked("why not %s dies" % who, "not", None, who in dead, None) if rng.random() < 0.5 else Asked("why %s dies" % who, "event", None, who in dead, None))
    rng.shuffle(found)
    return found[:ASKED]


def third(deed):
    return draw.inflected(deed)


# ---- whether it is true ----

def number(text):
    return float(text)


def sums(text):
    """What is wrong with the sums of a text: a - b + c = d."""
    wrong = []
    for terms, total in SUM.findall(t_questions.flat(text)):
        value = 0
        for sign, term in re.findall(r"(^-?|[-+] )(\d+(?:\.\d+)?)", terms):
            value += -number(term) if sign.strip() == "-" else number(term)
        if abs(value - number(total)) > 0.001:
            wrong.append("it does not add up: %s = %s" % (terms, total))
    return wrong


def fraction(value):
    if isinstance(value, str):
        above, below = value.split("/")
        return int(above) / int(below)
    return value


def figures(answer):
    """Addends add up to their totals."""
    wrong, value = [], None
    for f in answer["figures"]:
        if "value" not in f:
            continue
        if not f.get("total"):
            value = (value or 0) + fraction(f["value"])
        else:
            if value is not None and abs(value - fraction(f["value"])) > 0.001:
                wrong.append("the figures come to %s, not %s: %s" % (value, f["value"], f["text"]))
            value = None
    return wrong


def rolls(log):
    return [(die["label"], die["total"], o) for o in log if o["kind"] == "roll" for die in o.get("dice", ())]


def befores(a, b, ranked):
    """Whether a acted before b, b before a, both in one group, in any one round."""
    found = set()
    for x in ranked:
        for y in ranked:
            if x.actor == a and y.actor == b and x.round == y.round:
                found.add("before" if x.group < y.group else "after" if x.group > y.group else "together")
    return found


def judged(question, answer, text, log, value):
    """What is wrong with an answer, by the log."""
    wrong = sums(text) + figures(answer)
    lead = t_questions.sentence(text)
    denied = DENIAL.search(lead)
    if question.sort == "event" and question.so is True:
        act = question.act
        if act and re.search(r"\b(did not|never|nobody|other way round)\b", lead) and not re.search(r"nobody acts|never (falls|below)", lead):
            wrong.append("it denies what happened")
        if act and act.name in ("hit", "miss", "death") and act.actor not in text and not (act.target and act.target in text):
            wrong.append("it does not name " + act.actor)
    if question.sort == "event" and question.so is False and not denied:
        wrong.append("it explains what did not happen")
    if question.sort == "not" and question.so is True and not re.search(r"\b(did|does|died|dies|dead|hit|hits|has|was|is)\b", lead):
        wrong.append("it does not say that it happened")
    if question.sort == "order":
        a, b, ranked, idle = question.other
        found = befores(a, b, ranked)
        # somebody whose act came to nothing would have acted later
        found |= {"before" for x in ranked if x.actor == a and (b, x.round) in idle and not denied}
        # the end of a spell may count as an act of its caster, or may not
        plain = befores(a, b, [x for x in ranked if x.told and x.ends is not None and x.name != "complete"])
        if "before" in plain and re.search(r"other way round|act together|acted together", lead):
            wrong.append("%s did act before %s" % (a, b))
        if "before" not in found and not denied:
            wrong.append("%s never acted before %s in one round" % (a, b))
        if "together" not in found and re.search(r"\bact(ed)? together", lead):
            wrong.append("they never acted together")
    if question.sort == "value" and value is not None:
        if not t_questions.within(value, lead):
            wrong.append("it is %s, and the first sentence does not say so" % value)
    if question.sort == "state" and value in ("yes", "no"):
        if value == "no" and not denied:
            wrong.append("it explains a state that is not so")
    for label, face in re.findall(r"^\s+(attack roll|hit) (\d+)", text, re.M):
        if not any(l.endswith(label) and t == int(face) for l, t, _ in rolls(log)):
            wrong.append("no %s of %s is in the log" % (label, face))
    for before, after in re.findall(r"(-?\d+)(?: - \d+)+ = (-?\d+)", lead):
        points = [(o.get("old"), o.get("new")) for o in log if o["kind"] == "change" and re.search(r"'s (hit points|EN|BD)$", o.get("what", ""))]
        if question.sort == "event" and question.act and question.act.name == "death" and not (any(x == int(before) for x, _ in points) and any(y == int(after) for _, y in points)):
            wrong.append("nobody's points went from %s to %s" % (before, after))
    return wrong


# ---- the die of the last sentence ----

def faces(dice, total):
    """How a formula shows a total, as a script has it: 9+8; None if that is not easily said."""
    m = re.fullmatch(r"(\d*)d(\d+)([+-]\d+)?", dice or "")
    if not m:
        return None
    count, sides, add = int(m.group(1) or 1), int(m.group(2)), int(m.group(3) or 0)
    if count == 1:
        return str(total)
    rest = total - add
    shown = []
    for left in range(count, 0, -1):
        face = max(1, min(sides, rest - (left - 1)))
        shown.append(face)
        rest -= face
    return "+".join(map(str, shown)) if rest == 0 else None


def turned(question, answer, lines, folder, seed, log, value):
    """What is wrong with the last sentence: the fight with that die changed is played again."""
    last = answer["otherwise"]
    if not last or "die" not in last:
        return None
    if last["value"] == last["was"]:
        return ["the last sentence proposes what is: " + last["text"]]
    same_die = [(o, die) for o in log if o["kind"] == "roll" for die in o.get("dice", ()) if die["label"] == last["die"]]
    tries = 0
    for n, (o, die) in enumerate(same_die, 1):
        if die["total"] != last["was"]:
            continue
        shown = faces(die.get("dice"), last["value"])
        if shown is None:
            return None
        changed = lines[:-1] + ["  dice: %s #%d %s" % (last["die"], n, shown), "}"]
        path = os.path.join(folder, "changed.fray")
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(changed) + "\n")
        tries += 1
        try:
            prompt, again, _ = played(path, seed)
        except Ruling:
            return None
        other = prompt.type(question.other)["text"].strip() if question.sort in ("value", "state") else None
        prompt.close()
        if differs(question, log, again, value, other):
            return []
    if not tries:
        return ["no %s showed %s: %s" % (last["die"], last["was"], last["text"])]
    return ["with that die it is as it was: " + last["text"]]


def differs(question, log, again, value, other):
    """Whether what was asked is otherwise in the fight played again."""
    if question.sort in ("value", "state"):
        return value != other
    if question.sort == "order":
        a, b, ranked, idle = question.other
        if any((b, r) in idle or (a, r) in idle for r in range(ROUNDS + 2)):
            return True             # an act that came to nothing has no place to look at
        now = [x for x in done(again) if x.group is not None and (x.told or x.ends is not None) and one(x.actor)]
        return [befores_in(a, b, ranked, r) for r in range(ROUNDS + 2)] != [befores_in(a, b, now, r) for r in range(ROUNDS + 2)]
    if question.sort == "not-deed":
        was, now = ([(x.round, x.name, x.actor) for x in done(l) if x.actor == question.other["actor"] and x.name == question.other["deed"].split(" ")[0]] for l in (log, again))
        return was != now
    if question.act is None:
        return [a.round for a in deaths(question, log)] != [a.round for a in deaths(question, again)]
    key = question.act
    if question.sort == "not" and question.so is False or question.sort == "event" and question.so is False:
        key = key._replace(name="hit")
    was, now = (collections.Counter(x.round for x in done(l) if same(x, key)) for l in (log, again))
    return was != now


def deaths(question, log):
    who = question.text.replace("why not ", "").replace("why ", "").replace(" dies", "")
    return [a for a in done(log) if a.name == "death" and a.actor == who]


def befores_in(a, b, ranked, r):
    mine, theirs = [x.group for x in ranked if x.actor == a and x.round == r], [x.group for x in ranked if x.actor == b and x.round == r]
    return [x < y for x in mine for y in theirs], [x == y for x in mine for y in theirs], bool(mine), bool(theirs)


# ---- all of it ----

class Tally:
    def __init__(self):
        self.fights = self.asked = self.rulings = self.turns = self.silent = 0
        self.lines, self.seconds, self.wrong = [], [], []


def ask(name, number_, tally, verbose=False, sorts=None):
    here = system(name)
    lines = draw.script(here, [number_])
    rng = random.Random("answers %s %d" % (name, number_))
    seed = number_
    with tempfile.TemporaryDirectory(prefix="fray-answers-") as folder:
        path = os.path.join(folder, "fight.fray")
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        try:
            prompt, log, people = played(path, seed)
        except Ruling:
            tally.rulings += 1
            return
        plain = t_questions.Prompt(path, ["--seed=%d" % seed])
        try:
            plain.must("begin")
            plain.type("step to round %d" % (ROUNDS + 1))
            tally.fights += 1
            turns = 0
            for q in made(log, rng, name, people):
                if sorts and q.sort not in sorts:
                    continue
                began = time.time()
                text = plain.type(q.text)
                tally.seconds.append(time.time() - began)
                tally.asked += 1
                value = None
                if q.sort in ("value", "state"):
                    value = plain.type(q.other).strip()
                got = prompt.type(q.text)
                wrong = []
                if got["status"] != "ok" or t_questions.refused(text):
                    wrong.append("it is refused: " + text)
                else:
                    answer = got["data"][0]
                    if not answer["answer"]:
                        wrong.append("there is no short answer")
                    if answer["answer"]:
                        wrong += t_questions.shape(t_questions.Question(q.text, 0, ("end",)), text, people, most=1000)
                        wrong += judged(q, answer, text, log, value)
                        tally.lines.append(text.count("\n"))
                        if turns < TURNED and answer["otherwise"] and q.sort != "state":
                            said_ = turned(q, answer, lines, folder, seed, log, value)
                            turns += said_ is not None
                            tally.turns += said_ is not None
                            wrong += said_ or []
                if verbose:
                    print("## %s\n%s" % (q.text, text))
                if wrong:
                    tally.wrong.append((number_, q.text, wrong, text))
                    os.makedirs(LOG, exist_ok=True)
                    with open(os.path.join(LOG, "answers-%s-%d.fray" % (name, number_)), "w", encoding="utf-8") as f:
                        f.write("-- --seed=%d, step to round %d: %s\n" % (seed, ROUNDS + 1, q.text) + "\n".join(lines) + "\n")
        except RuntimeError as problem:
            tally.wrong.append((number_, "", [str(problem)], ""))
        finally:
            prompt.close()
            plain.close()


def run(name, numbers, verbose=False, sorts=None):
    tally = Tally()
    for n in numbers:
        ask(name, n, tally, verbose, sorts)
    return tally


def within_ten(tally):
    return sum(n <= t_questions.LINES for n in tally.lines) / max(1, len(tally.lines))


def main():
    arguments = argparse.ArgumentParser(usage=__doc__.split("\n")[2][len("usage: "):])
    arguments.add_argument("-v", "--verbose", action="store_true")
    arguments.add_argument("-s", "--sorts", help="only these: event,not,not-deed,order,value,state")
    arguments.add_argument("system")
    arguments.add_argument("fights", type=int, nargs="?", default=100)
    arguments.add_argument("first", type=int, nargs="?", default=0)
    a = arguments.parse_args()
    tally = run(a.system, range(a.first, a.first + a.fights), a.verbose, a.sorts and a.sorts.split(","))
    for number_, question, wrong, text in tally.wrong:
        print("fight %d: %s\n  %s\n    %s" % (number_, question, "\n  ".join(wrong), text.rstrip().replace("\n", "\n    ")))
    kinds = collections.Counter(re.sub(r"[:].*", "", w) for _, _, wrong, _ in tally.wrong for w in wrong)
    for kind, n in kinds.most_common(12):
        print("%5d  %s" % (n, kind[:120]))
    print("%s: %d fights, %d questions, %d wrong; %d last sentences played again; %.0f %% within ten lines; %.0f ms an answer, %.0f at most; %d rulings" % (
        a.system, tally.fights, tally.asked, len(tally.wrong), tally.turns, 100 * within_ten(tally),
        1000 * sum(tally.seconds) / max(1, len(tally.seconds)), 1000 * max(tally.seconds or [0]), tally.rulings))
    return 1 if tally.wrong or within_ten(tally) < 0.9 else 0


if __name__ == "__main__":
    sys.exit(main())
