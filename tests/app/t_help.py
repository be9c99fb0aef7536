"""fray help: every message is explained by an example that provokes it and a cure that does not.

The examples are those of lang/api/message_NN.def, read from `fray help messages --json`: a script that `fray check` or
`fray run` refuses, lines typed at the prompt, or lines typed at the shell. Each is tried in a folder of its own with a
bridge.fray. A message that nothing known produces says so; only those of NEVER may."""

import concurrent.futures
import json
import os
import re
import subprocess

import app

BRIDGE = app.FORD.replace("The Ford", "The Bridge").replace("    dice: Bruna's attack roll 17, Bruna's damage 4\n", "").replace("    expect Bruna hits orc #1\n", "")
# Messages whose severity does not stop the script, so that other messages may stand beside them.
SERIOUS = ("error", "limit", "ruling")
HOWS = ("check", "run", "prompt", "command", "like")
# A text too long for the command to read, bounds that tighter bounds keep scripts from, Fray's own faults, other versions.
NEVER = ["F0150", "F0411", "F0608", "F0841"]


def problems(text, severities):
    """[(code, severity)] of every message in a command's text, or in its or the prompt's JSON"""
    found = []
    for line in text.splitlines():
        if not line.startswith("{"):
            continue
        try:
            o = json.loads(line)
        except ValueError:
            continue
        found += [(p["code"], p["severity"]) for p in [o] + o.get("problems", []) if "code" in p and "severity" in p]
    return found + [(code, severities[code]) for code in re.findall(r"^\S.* \[(F\d{4})\]$", text, re.M)]


def shell(folder, lines):
    """Lines for the shell, by one `sh` with `fray` on its path."""
    os.makedirs(os.path.join(folder, "bin"))
    os.symlink(app.FRAY, os.path.join(folder, "bin", "fray"))
    env = {**os.environ, "PATH": os.path.join(folder, "bin") + ":" + os.environ["PATH"], "FRAY": app.FRAY}
    done = subprocess.run(["sh", "-c", lines], stdin=subprocess.DEVNULL, capture_output=True, cwd=folder, env=env, timeout=app.PATIENCE)
    return done.returncode, done.stdout.decode("utf-8", "backslashreplace"), done.stderr.decode("utf-8", "backslashreplace")


def tried(t, row, text, which, severities):
    """The problems of an example or a cure."""
    folder = os.path.join(t.folder, row["code"], which)
    os.makedirs(folder)
    with open(os.path.join(folder, "bridge.fray"), "w") as f:
        f.write(BRIDGE)
    with open(os.path.join(folder, "example.fray"), "w") as f:
        f.write(text + "\n")
    if row["how"] == "prompt":
        status, out, err = t.fray("repl", "--json", stdin=text + "\n", folder=folder)
    elif row["how"] == "command":
        status, out, err = shell(folder, text)
    else:
        status, out, err = t.fray(row["how"], "--json", "example.fray", folder=folder)
    found = problems(out + err, severities)
    if status != 0 and not any(severity in SERIOUS for _, severity in found):
        found.append(("no code", "error"))
    return found, status, out + err


def both(t, row, severities):
    return row, tried(t, row, row["example"], "wrong", severities), tried(t, row, row["cure"], "cured", severities) if row["cure"] else None


def examples(t):
    status, out, err = t.fray("help", "messages", "--json")
    t.same("the messages are listed", (status, err), (0, ""))
    rows = app.objects(out)
    codes = [row["code"] for row in rows]
    t.same("in the order of their codes", codes, sorted(set(codes)))
    t.check("there are hundreds", len(rows) > 300, len(rows))
    shown = {row["code"]: row["how"] for row in rows}
    severities = {row["code"]: row["severity"] for row in rows}
    t.same("all have an example, but those that nothing produces", [row["code"] for row in rows if row["how"] not in HOWS], NEVER)
    for row in rows:
        if row["how"] == "like":
            t.check("%s borrows an example that there is" % row["code"], shown.get(row["example"]) in HOWS[:4], row["example"])
        elif row["how"] == "never":
            t.check("%s has a cure in words" % row["code"], not row["example"] and row["cure"], row)
    tests = [row for row in rows if row["how"] in HOWS[:4]]
    with concurrent.futures.ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as pool:
        for row, wrong, cured in pool.map(lambda row: both(t, row, severities), tests):
            code = row["code"]
            t.check("%s: the example provokes it" % code, code in [c for c, _ in wrong[0]], row["example"], wrong[0], wrong[2][:600])
            t.check("%s: there is a cure" % code, row["cure"] and row["cure"] != row["example"])
            bad = [(c, s) for c, s in cured[0] if c == code or s in SERIOUS] if cured else []
            t.check("%s: the cure has no mistake" % code, cured and not bad, row["cure"], bad, cured and cured[2][:600])
            t.check("%s: both are short" % code, max(len(text.splitlines()) for text in (row["example"], row["cure"])) <= 16
                    and max(len(line) for text in (row["example"], row["cure"]) for line in text.splitlines()) <= 110, row["example"])


def told(t):
    status, out, err = t.fray("help", "F0208")
    t.same("a message is explained", (status, err), (0, ""))
    t.like("first what it says", out, r"\AF0208: I don't know the field \"\.\.\"\.$")
    t.like("then an example", out, r"^Example:\n    monster orc")
    t.like("and its cure", out, r"^Cure:\n    monster orc")
    for other in ("f0208", "208", "0208"):
        t.same("%s is the same" % other, t.fray("help", other), (0, out, ""))
    status, at_prompt, err = t.fray("repl", stdin="help F0208\n")
    t.same("so it is at the prompt", (status, at_prompt), (0, out))
    t.same("by its number alone, too", t.fray("repl", stdin="help 208\n"), (0, out, ""))
    for command, words in ((("repl", "--keep-going"), "help F%d\n" % 199), (("help", "0199"), "")):
        status, out, err = t.fray(*command, stdin=words)
        t.like("%s: F0893: the nearest of a number that there is not" % command[0], out + err, r"There is no message with the number \"F%04d\".*(\n.*)*help F0201" % 199)
    t.same("status 2", status, 2)


def topics(t):
    usage = t.fray("--help")[1]
    status, out, err = t.fray("help")
    t.same("help alone", (status, err, out.startswith(usage)), (0, "", True))
    t.like("with the topics of the prompt", out, "^step, step round")
    t.same("a command's options", t.fray("help", "check"), t.fray("check", "--help"))
    t.like("a command that is a topic: both", t.fray("help", "odds")[1], r"\Ausage: fray odds(.*\n)*At the prompt:\nodds ")
    t.like("a topic", t.fray("help", "dice")[1], r"\Adice ask ")
    t.like("a topic of several words", t.fray("help", "dice", "ask")[1], r"\Adice ask ")
    status, out, err = t.fray("help", "thunder")
    t.same("nothing of that name", (status, out), (2, ""))
    t.like("is told what there is", err, "There is help on: begin, .*messages")
    t.like("the messages", t.fray("help", "messages")[1], r"^F0101 I did not expect \.\. here\.$")


app.run([told, topics, examples])
