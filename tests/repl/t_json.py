"""The prompt for programs: --json, --keep-going, --seed."""

import json
import os
import sys

import jsonschema

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))

import app

with open("docs/schema/answer.schema.json", encoding="utf-8") as f:
    ANSWER = jsonschema.Draft7Validator(json.load(f))
with open("docs/schema/why.schema.json", encoding="utf-8") as f:
    WHY = jsonschema.Draft7Validator(json.load(f))
with open("docs/schema/log.schema.json", encoding="utf-8") as f:
    LOG = jsonschema.Draft7Validator(json.load(f))

LINES = """\
begin
step
why
no such thing
show rules for act's time
monster bat {
  hit dice: 1
}
fork lucky
odds 50
compare forks main vs lucky
2d6
dice ask
step
17 4
quit
"""


def answers(t):
    t.write("long.fray", app.LONG)
    status, out, err = t.fray("repl", "--json", "long.fray", stdin=LINES)
    said = [json.loads(line) for line in out.splitlines()]
    problems = ["%s: %s" % (x["input"], e.message) for x in said for e in ANSWER.iter_errors(x)]
    t.check("each answer is an object of the schema", said and not problems, problems[:4])
    t.same("one for each line or block", [x["input"].split("\n")[0] for x in said],
           ["begin", "step", "why", "no such thing", "show rules for act's time", "monster bat {", "fork lucky", "odds 50", "compare forks main vs lucky", "2d6", "dice ask", "step", "quit"])
    t.same("numbered", [x["answer"] for x in said], list(range(1, len(said) + 1)))
    by = {x["input"]: x for x in said if x["input"] != "step"}
    steps = [x for x in said if x["input"] == "step"]
    wrong = ["%s" % e.message for x in steps for d in x["data"] for e in LOG.iter_errors(d)]
    t.check("a step answers with the records of the log", len(steps) == 2 and all(x["data"] for x in steps) and not wrong, wrong[:3])
    t.same("a mistake is the line's own", (by["no such thing"]["status"], [p["code"] for p in by["no such thing"]["problems"]]), ("wrong", ["F0205"]))
    t.check("standard error is silent", err == "", err)
    t.same("the place and the fork are told", (said[0]["place"], by["fork lucky"]["fork"], by["quit"]["fork"]), ("at the beginning", "lucky", "lucky"))
    t.check("odds are data", by["odds 50"]["data"] and by["odds 50"]["data"][0]["measures"], by["odds 50"])
    t.check("what is no data is text", by["2d6"]["text"].strip() and not by["why"]["text"], by["2d6"])
    why = by["why"]["data"]
    wrong = [e.message for x in why for e in WHY.iter_errors(x)]
    t.check("why answers with an object of its schema", len(why) == 1 and not wrong, wrong[:3])
    t.check("the derivation is in it", [x["text"] for x in why[0]["derivation"]][:1] == ["round 1, segment 2"] and len(why[0]["derivation"]) > 1, why)
    t.same("a mistake makes the status", status, 2)


def keeping_going(t):
    t.write("cellar.fray", app.CELLAR)
    t.same("unless it is not to", t.fray("repl", "--keep-going", stdin="no such thing\n2d1\n")[0], 0)
    t.same("nor does an expectation then", t.fray("repl", "--keep-going", "cellar.fray", stdin="begin\nrun\n")[0], 0)
    t.check("it is said all the same", "no such thing" in t.fray("repl", "--keep-going", stdin="no such thing\n")[2])


def seeds(t):
    t.write("long.fray", app.LONG)
    told = {seed: t.fray("repl", *seed, "long.fray", stdin="begin\nrun\n")[1] for seed in ((), ("--seed=1",), ("--seed=2",), ("--seed=2", "--keep-going"))}
    t.same("the seed is 1 unless another is given", told[()], told[("--seed=1",)])
    t.check("another rolls other dice", told[("--seed=2",)] != told[()])
    t.same("the same the same", told[("--seed=2",)], told[("--seed=2", "--keep-going")])
    run = t.fray("run", "--seed=2", "long.fray")[1]
    t.check("those of fray run", told[("--seed=2",)].split("surprise", 1)[1] == run.split("surprise", 1)[1], told[("--seed=2",)], run)
    t.same("a seed is a number", t.fray("repl", "--seed=x", stdin="")[0], 2)


app.run([answers, keeping_going, seeds])
