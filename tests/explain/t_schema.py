#!/usr/bin/env python3
"""t_schema.py - every line of every log keeps to docs/schema/log.schema.json, and a run can be
played again from its own log. TAP."""
import json
import os
import re
import subprocess
import sys
import tempfile

import jsonschema

FRAY = os.path.join(os.environ.get("BUILD", "build/debug"), "fray")
with open("docs/schema/log.schema.json", encoding="utf-8") as f:
    CHECK = jsonschema.Draft7Validator(json.load(f))

scripts = sorted(
    os.path.join(folder, name)
    for top in ("examples", "tests/rules/osric", "tests/rules/lite")
    for folder, _, names in os.walk(top)
    for name in names
    if name.endswith(".fray"))

count = failed = 0


def point(ok, name, *lines):
    global count, failed
    count += 1
    failed += not ok
    print(("ok" if ok else "not ok"), count, "-", name)
    if not ok:
        for line in lines:
            print("# " + str(line)[:400])


for kind in ("answer", "log", "why"):
    with open("docs/schema/%s.schema.json" % kind, encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft7Validator.check_schema(schema)
    point(re.fullmatch("urn:fray:schema:%s:[1-9][0-9]*" % kind, schema.get("$id", "")), "the schema of %s says which version it is" % kind, schema.get("$id"))
for script in scripts:
    names = subprocess.run([FRAY, "show", "encounters", script], capture_output=True, text=True).stdout.split("\n")
    for encounter in [n.strip() for n in names if n.strip()][:3]:
        run = subprocess.run([FRAY, "run", "--json", "--seed=7", script, encounter], capture_output=True, text=True)
        lines = run.stdout.splitlines()
        wrong = []
        for line in lines:
            event = json.loads(line)
            if list(event)[0] != "event":
                wrong.append("the first key is not event: " + line)
            wrong += ["%s in %s" % (e.message, line) for e in CHECK.iter_errors(event)]
        point(lines and not wrong, "schema %s: %s" % (script, encounter), *wrong[:3], run.stderr[:300] if not lines else "")
        if not lines:
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".json") as log:
            log.write(run.stdout)
            log.flush()
            again = subprocess.run([FRAY, "run", "--json", "--replay=" + log.name, script, encounter], capture_output=True, text=True)
        point(run.stdout == again.stdout, "replay %s: %s" % (script, encounter), again.stderr,
              *[a + " <> " + b for a, b in zip(run.stdout.splitlines(), again.stdout.splitlines()) if a != b][:2])
print("1..%d" % count)
sys.exit(failed > 0)
