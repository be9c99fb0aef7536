#!/usr/bin/env python3
"""lines.py - damaged lines and damaged scripts: nothing ends the program, and what is refused changes nothing.

usage: lines.py [SESSIONS [FIRST]]       FRAY names the command; build/debug/fray else

A session types lines at the prompt over one fight; most are damaged: tokens left out, doubled, exchanged, stray braces
and quotes, words of other systems, names of nobody. Then the lines that were refused are left out, and the rest is typed
again: every answer must be the same. A script, of the project or one of its tests, is damaged in the same way, checked and
run: it ends with status 0, 1, 2 or 3. Sanitizers end the command with a status of their own (`failed` below)."""

import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
FRAY = os.path.abspath(os.environ.setdefault("FRAY", os.path.join(TOP, "build/debug/fray")))

import crash

MODE = os.path.basename(os.path.dirname(FRAY))
PATIENCE = 60 * {"asan": 4, "ubsan": 3, "san": 5, "tsan": 10}.get(MODE, 1)
TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z]+(?:\'s)?|\d+|[^\sA-Za-z0-9]')
STRAY = ["{", "}", "(", ")", '"', ",", ":", "=", ";", "--", "'s", "#", "%", "0", "-1", "99999999999999999999", "1d6", "0d0", "5 ft", "yes", "none",
         "nobody", "orc", "orc #9", "Bruna", "round", "segment 3", "all", "not", "and", "when", "use", "rule", "before", "after", "with", "me", "it",
         "combatant", "encounter", "each", "in", "where", "roll", "beat 1", "\u201c", "\u00e9", "."]
# what other systems have, and what stands in scripts alone
MORE = [
    "use shelf", "use nothere", "use osric", "use dew with night", "use osric with { tie: reroll }", "set option tie = reroll", "set option parries = sum",
    "set option nothing = 3", "Bruna parries", "Hal prepares bolt", "Bruna charges orc #1", "Korg shoots short bow at orc #2", "Hal changes range", "Bruna sets spear",
    "begin the ford", "begin nowhere", "begin wood", "encounter wood { side party: Bruna; side orcs: 2 orcs }", "encounter the ford { side party: Hal; side orcs: orc }",
    "encounter wood {\n side party: Hal, Bruna\n side foes: 2 orcs, giant rat\n distance: 10 ft\n}", "load \"fight.fray\"", "load \"bad.fray\"", "load \"nowhere\"",
    "giant rat joins orcs", "side rats: 2 giant rats", "drop rule attack roll", "drop rule nothing", "drop rule heavy", "rule heavy exception to attack roll { on strike { } }",
    "rule loop \"x\" { define combatant's armour class = combatant's armour class + 1 }", "rule moon { before attack { set moon = 3 } }",
    "define combatant's luck = 3", "define combatant is lucky when combatant's hit points > 3", "adjust to-hit (attacker, target, weapon) by 1",
    "every combatant has { luck: 3 }", "every combatant to combatant has { grudge: no }", "table odd (number) {\n 1: 2\n 3: 4\n}", "kind gem", "gem ruby", "unit mark = 3 seconds",
    "alias Bru = Bruna", "alias slay = attack", "Bru attacks orc #1", "event bang (who)", "action dance { does { note \"x\" } }", "Hal dances", "whenever Hal is down { note \"y\" }",
    "weapon club { damage: 1d4 }", "monster bat { hit dice: 1; hit points: 3 }", "2 bats join orcs", "combatant Hal { hit points: 3 }", "policy press on { wait }",
    "odds 5 giving party wins", "odds 5 { Hal waits } vs { Hal flees } giving party wins", "sweep Hal's hit points from 1 to 3 { odds 3 giving party wins }",
    "compare forks main vs fork1", "why orc #1 acts before Bruna", "why not Hal acts", "why moon", "show world", "show rules", "show order \"moon\"", "show fields", "show orc", "show monsters",
    "show shelf monsters hd 1..2", "show nothing", "Bruna's hit points", "any (foe in combatants where foe is down)", "roll 3d6 as \"luck\"", "1d6+", "9d1", "spread 2d6", "choices: Hal's target orc #2",
    "dice: nothing 3", "force nothing 3", "dice ask", "dice roll", "referee: x", "quit it", "help nothing", "step until Hal is down", "step to segment 4", "run until moon", "step 0", "undo 0",
    "note \"x\"", "expect moon", "expect party wins >= 50%", "every.", "  ", "-- nothing", "}", "rule half {", "sequence round: declare, act out", "default policy press on", "ruleset mine \"x\"",
    "house rules mine for osric", "library mine \"x\"", "before attack { note \"{actor}\" }", "round 0 { Hal waits }", "round 1 { Hal waits", "beat 2 { Hal waits }",
    "encounter \"self\" { side party: Bruna; side foes: 2 orcs; distance: 5 ft }", "begin \"self\"", "begin self", "encounter half { side party: Bruna; side foes: orc }", "begin half",
    "combatant \"every\" { hit points: 5 }", "\"every\" joins party", "\"Bruna\" attacks orc #1", "weapon \"hits\" { damage: 1d4 }", "Bruna attacks orc #1 with \"hits\"", "policy Bruna attacks", "",
    "monster force { hit dice: 1; hit points: 3 }", "2 force join orcs", "side \"each\": 2 force", "policy \"none\" { wait }", "default policy \"none\"", "weapon none { damage: 1 }",
    "limit combatant's hit points to at least 0", "ruling attack roll over damage roll", "let x = 3", "each combatant { note \"x\" }", "remove encounter's surroundings", "add night to encounter's surroundings",
]
ASKS = ["show world", "show rules", "show options", "show encounters", "forks", "Bruna's hit points", "why", "show actions"]
MARK = "7d1"
LAST = ["}"] * 8 + ["", MARK] + ["show world", "show rules", "show options", "show fields", "show encounters", "forks", 'save "kept.fray"', "step", "show world"]


def damaged(rng, text, lines):
    """The text with one to three slips in it."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        at = [m.span() for m in TOKEN.finditer(text)]
        if not at:
            return text + rng.choice(STRAY)
        a, b = rng.choice(at)
        kind = rng.randrange(8)
        if kind == 0:
            text = text[:a] + text[b:]
        elif kind == 1:
            text = text[:b] + " " + text[a:b] + text[b:]
        elif kind == 2:
            c, d = rng.choice(at)
            (a, b), (c, d) = sorted([(a, b), (c, d)])
            text = text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:] if b <= c else text
        elif kind == 3:
            text = text[:a] + rng.choice(STRAY) + text[b:]
        elif kind == 4:
            text = text[:a] + rng.choice(STRAY) + " " + text[a:]
        elif kind == 5:
            c, d = rng.choice([m.span() for m in TOKEN.finditer(rng.choice(lines))] or [(0, 0)])
            text = text[:a] + rng.choice(STRAY) + text[b:] if c == d else text[:a] + rng.choice(lines)[c:d] + text[b:]
        elif kind == 6:
            c = rng.randrange(a, b)
            text = text[:c] + text[c + 1:] if rng.randrange(2) else text[:c] + text[c] + text[c:]
        else:
            text = text[:a]
    return text


def drawn(rng, system):
    """What is typed in a session."""
    valid = [crash.READINGS[system] if x == "READING" else x for x in crash.LINES]
    all_lines = valid + MORE + list(crash.READINGS.values())
    out = ["begin"] if rng.randrange(8) else []
    forks = 0
    for _ in range(rng.randrange(5, 40)):
        n = rng.randrange(12)
        if n < 2:
            line = "step"
        elif n == 2:
            line = rng.choice(ASKS)
        elif n == 3:
            forks += rng.randrange(2)
            line = rng.choice(["fork fork%d" % forks, "switch main", "switch fork1", "begin"])
        elif n < 6:
            line = rng.choice(all_lines)
        else:
            line = damaged(rng, rng.choice(all_lines), all_lines)
            if re.search(r"odds|sweep|compare", line) and not re.search(r"odds [1-9]\b", line):
                continue  # thousands of fights
        out.append(line)
    return out


def failed(status, err):
    """Why the command did not end as it should, or None."""
    if status not in (0, 1, 2, 3) or "Sanitizer" in err or "runtime error:" in err:
        return "it ended with %s: %s" % (status, "\n".join(x for x in err.split("\n") if "rror" in x or "ssert" in x or x.lstrip().startswith("#"))[:3000])
    return None


def command(folder, args, text=""):
    env = {**os.environ, "XDG_STATE_HOME": folder, "NO_COLOR": "1", "COLUMNS": "100", "ASAN_OPTIONS": "exitcode=99", "UBSAN_OPTIONS": "exitcode=98:print_stacktrace=1"}
    done = subprocess.run([FRAY] + args, input=text.encode("utf-8", "surrogatepass"), cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def told(out):
    """The answers, without what tells only how many lines were typed before."""
    answers = []
    for line in out.split("\n"):
        if not line.startswith('{"answer"'):
            continue
        a = json.loads(line, strict=False)
        a.pop("answer")
        if not a["input"].strip():
            continue
        text = json.dumps(a, sort_keys=True)
        a["text_of"] = re.sub(r'"(end_)?(line|column)": \d+', "", re.sub(r"\(prompt\):\d+", "(prompt)", text))
        answers.append(a)
    return answers


def is_refused(a):
    plays = re.match(r"\s*(step|run)\b", a["input"])
    return a["status"] in ("wrong", "stopped") and not plays


def session(number):
    """Why the session went wrong, or None."""
    rng = random.Random("lines %d" % number)
    system = crash.SYSTEMS[number % len(crash.SYSTEMS)]
    lines = drawn(rng, system)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("fight.fray", crash.SCRIPT % system), ("night.fray", crash.NIGHT), ("bad.fray", "combatant Elm { hit pints: 4 }\nencounter moon { side party: Elm }\n")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                f.write(text)
        args = ["repl", "--json", "fight.fray"] if number % 7 else ["repl", "--json"]

        def play(typed):
            text = "\n".join(typed + LAST) + "\n"
            try:
                status, out, err = command(folder, args, text)
            except subprocess.TimeoutExpired:
                return "it took longer than %d seconds" % PATIENCE, [], ""
            path = os.path.join(folder, "kept.fray")
            saved = open(path, encoding="utf-8", errors="replace").read() if os.path.exists(path) else ""
            if saved:
                os.remove(path)
            return failed(status, err), told(out), saved

        def lost(why):
            return "%s\nsystem %s, %s, lines:\n%s" % (why, system, " ".join(args), "\n".join(lines))

        wrong, answers, saved = play(lines)
        if wrong:
            return lost(wrong)
        if any(x.strip() and ";" in re.sub(r"\{[^{}]*\}", "", re.sub(r"\{[^{}]*\}", "", x)) for x in lines):
            return None  # several statements on a line: one of them may have been refused
        kept = [a for a in answers if not is_refused(a)]
        inputs = [a["input"] for a in kept]
        inputs = inputs[:inputs.index(MARK)] if MARK in inputs else inputs
        # a blank line behind each: it gives up what was left open, as one in the session did
        wrong, again, saved_again = play([x for one in inputs for x in (one, "")])
        if wrong:
            return lost(wrong)
        again = [a for a in again if not is_refused(a)]
        for a, b in zip(kept, again):
            if a["text_of"] != b["text_of"]:
                at = next((i for i, (x, y) in enumerate(zip(a["text_of"], b["text_of"])) if x != y), 0)
                return lost("%r is answered otherwise without the lines that were refused:\n with: %s\n without: %s" %
                            (a["input"], a["text_of"][max(0, at - 100):at + 200], b["text_of"][max(0, at - 100):at + 200]))
        if saved != saved_again:
            return lost("what is saved is another script without the lines that were refused")
        if len(kept) != len(again):
            return lost("without the lines that were refused there are %d answers, not %d" % (len(again), len(kept)))
    return None


def scripts():
    found = glob.glob(os.path.join(TOP, "examples", "*.fray"))
    for folder in ("lang", "rules", "golden", "shelf"):
        found += glob.glob(os.path.join(TOP, "tests", folder, "**", "*.fray"), recursive=True)
    return sorted(x for x in found if os.path.getsize(x) < 20000)


def script(number, paths=[]):
    """Why a damaged script went wrong, or None."""
    rng = random.Random("script %d" % number)
    if not paths:
        paths.extend(scripts())
    path = rng.choice(paths)
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        text = f.read()
    lines = text.split("\n")
    for _ in range(rng.choice([1, 1, 2, 5])):
        n = rng.randrange(len(lines))
        kind = rng.randrange(6)
        if kind == 0:
            del lines[n]
            lines = lines or [""]
        elif kind == 1:
            lines.insert(n, rng.choice(lines))
        elif kind == 2:
            m = rng.randrange(len(lines))
            lines[n], lines[m] = lines[m], lines[n]
        else:
            lines[n] = damaged(rng, lines[n], lines)
    if not rng.randrange(10):
        lines = lines[:rng.randrange(len(lines)) + 1]
    with tempfile.TemporaryDirectory() as folder:
        for beside in glob.glob(os.path.join(os.path.dirname(path), "*.fray")):
            shutil.copy(beside, folder)
        name = os.path.join(folder, os.path.basename(path))
        if os.path.exists(name):
            os.chmod(name, 0o644)
        with open(name, "w", encoding="utf-8", errors="surrogateescape") as f:
            f.write("\n".join(lines))
        for args in (["check"], ["run", "--max-rounds=3"]):
            try:
                status, _, err = command(folder, args + [os.path.basename(path)])
            except subprocess.TimeoutExpired:
                if args[0] == "run":
                    continue  # a fight may go on for as long as its fuel lasts
                status, err = "too long a time", ""
            wrong = failed(status, err)
            if wrong:
                return "%s %s: %s\n%s" % (args[0], path, wrong, "\n".join(lines))
    return None


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    bad = 0
    for number in range(first, first + count):
        for what, one in (("session", session), ("script", script)):
            wrong = one(number)
            if wrong:
                bad += 1
                print("%s %d: %s\n" % (what, number, wrong), flush=True)
    print("lines: %d sessions and scripts, %d wrong" % (count, bad))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
