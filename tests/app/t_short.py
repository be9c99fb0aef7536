#!/usr/bin/env python3
"""Memory that runs out, calls that are interrupted, reads and writes that do less than was asked: a
message and exit status 3, or the same answer; never a signal.

usage: t_short.py [SAMPLES]   how many allocations of each command fail, spread over all; 0: each one"""

import os
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import app

HERE = os.path.dirname(os.path.abspath(__file__))
MODE = os.path.basename(os.environ.get("BUILD", ""))
SAMPLES = int(sys.argv[1]) if len(sys.argv) > 1 else int(os.environ.get("SHORT", 12))
FIGHT = app.LONG.replace("until orcs are down", "orcs follow stand firm\n  until party is down or orcs are down\n  expect Bruna is not dead")
TYPED = 'begin\nstep\nwhy\nundo\nfork "b"\nrun\nwhy Bruna\nshow world\nsave "kept.fray"\n'

COMMANDS = [
    ("check", ["check", "f.fray"], ""),
    ("run", ["run", "--why", "f.fray"], ""),
    ("run --json", ["run", "--json", "f.fray"], ""),
    ("odds", ["odds", "--trials=40", "--threads=2", "f.fray"], ""),
    ("exact", ["odds", "--exact", "--states=2000", "--max-rounds=2", "f.fray"], ""),
    ("report", ["odds", "--trials=20", "--report=r.html", "f.fray"], ""),
    ("repl", ["repl", "f.fray"], TYPED),
    ("shard", ["odds", "--trials=20", "--shard=1/1", "--out=o.part", "f.fray"], ""),
    ("merge", ["merge", "--json", "p.part"], ""),
    ("import", ["import", "t.csv"], ""),
    ("fmt", ["fmt", "f.fray"], ""),
    ("test", ["test", "f.fray"], ""),
    ("compare", ["compare", "--rules=osric,lite", "f.fray"], ""),
]


def shim(t):
    path = os.path.join(t.folder, "shim.so")
    subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-shared", "-fPIC", "-O1", "-o", path, os.path.join(HERE, "shim.c")], check=True)
    return path


def plays(t, args, stdin, **how):
    return t.fray(*args, stdin=stdin, env={"LD_PRELOAD": os.path.join(t.folder, "shim.so"), **{k.upper(): str(v) for k, v in how.items()}})


def begin(t):
    t.write("f.fray", FIGHT)
    t.write("t.csv", "name,hit dice,hit points\norc,1,5\nogre,4+1,19\n")
    t.fray("odds", "--trials=20", "--shard=1/1", "--out=p.part", "f.fray")
    shim(t)


def memory(t):
    for name, args, stdin in COMMANDS:
        count = os.path.join(t.folder, "count")
        usual = plays(t, args, stdin, shim_count=count)
        with open(count) as f:
            n = int(f.read())
        step = max(1, n // SAMPLES) if SAMPLES else 1
        bad, mute, refused = [], [], 0
        for k in range(1, n + 1, step):
            for on in (0, 1):
                status, out, err = plays(t, args, stdin, shim_memory=k, shim_on=on)
                if status not in (0, 1, 2, 3):
                    bad.append((k, on, status, err[-200:]))
                refused += status == 3
                if status == 3 and "not enough memory" not in err:
                    mute.append((k, on, err[-200:]))
                if status == 0 and not on and (status, out) != usual[:2] and "memory" not in err:
                    mute.append((k, on, "another answer"))
        t.check("%s: no allocation of %d that fails ends it by a signal" % (name, n), not bad, bad[:9], len(bad))
        t.check("%s: memory that runs out is said" % name, not mute and refused, mute[:9], len(mute), refused)


def calls(t):
    for name, args, stdin in COMMANDS:
        usual = t.fray(*args, stdin=stdin)
        for how in ("shim_eintr", "shim_short"):
            t.same("%s with %s" % (name, how), plays(t, args, stdin, **{how: 1}), usual)


if MODE in ("", "release", "debug"):
    app.run([begin, memory, calls])
else:
    print("1..0 # SKIP a sanitizer has its own allocator")
