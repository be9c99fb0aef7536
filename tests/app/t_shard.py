"""fray odds --shard and fray merge: to the byte what one machine would have told;
parts that do not belong together, are missing, spoilt or half there are refused.

The messages are F0840 (no part), F0841 (version), F0842 (of another ..), F0843 (twice), F0844 (missing)."""
# seconds: 300

import json
import os
import resource
import signal
import subprocess
import time

import app

SCRIPT = app.LONG.replace("until orcs are down", "orcs follow stand firm\n  until party is down or orcs are down").replace("use osric\n", "use osric with brave\n") + """
odds 301 giving party wins, Bruna hits orc #1, average round, spread Bruna's hit points
odds 200 { Bruna waits } vs { Bruna attacks orc #2 } giving party wins, average Bruna's hit points
sweep Bruna's hit points from 1 to 31 by 15 { odds 50 giving party wins }
compare osric vs lite on The Gorge giving party wins
odds exact giving Bruna is dead
"""
SMALL = app.LONG.replace("2 orcs", "1 orc").replace("until orcs are down", "round 1 { Bruna attacks orc #1 }")
BRAVE = 'house rules brave for osric\nrule brave "house 1" { adjust to-hit (attacker, target, weapon) by 1 when attacker is Bruna }\n'


def parts(t, n, *words, name="gorge.fray"):
    made = []
    for i in range(n):
        path = "%d-of-%d.part" % (i + 1, n)
        status, out, err = t.fray("odds", "--shard=%d/%d" % (i + 1, n), "--out=" + path, *words, name)
        err = err.replace("warning: The house rules brave are for osric; under lite they are left out. [F0850]\n\n", "")
        if (status, out, err) != (0, "", ""):
            t.check("shard %d of %d" % (i + 1, n), False, status, out, err)
        made.append(path)
    return made


def read(t, name):
    with open(os.path.join(t.folder, name), "rb") as f:
        return f.read()


def same(t):
    t.write("gorge.fray", SCRIPT.replace("odds exact giving Bruna is dead\n", ""))
    t.write("brave.fray", BRAVE)
    words = ("--trials=500", "--seed=5")
    one = {form: t.fray("odds", *words, *form, "gorge.fray") for form in ((), ("--json",), ("--csv",))}
    t.fray("odds", *words, "--report=one.html", "gorge.fray")
    for n in (1, 3):
        made = parts(t, n, *words, "--threads=%d" % n)
        made.reverse()
        os.rename(os.path.join(t.folder, "brave.fray"), os.path.join(t.folder, "away"))
        for form, wanted in one.items():
            t.same("%d shards, as one machine%s" % (n, "".join(form)), t.fray("merge", *form, *made), wanted)
        t.fray("merge", "--report=many.html", *made)
        t.check("%d shards: the same page" % n, read(t, "one.html").replace(b"--report=one", b"--report=many") == read(t, "many.html"))
        os.rename(os.path.join(t.folder, "away"), os.path.join(t.folder, "brave.fray"))
    t.write("shelf.fray", SMALL.replace("use osric\n", "use osric\nuse shelf\n").replace("1 orc", "wolf").replace("orc #1", "wolf"))
    for words in (("--trials=20",), ("--trials=20", "--giving=Bruna dies, average round"), ("--trials=20", "--rules=lite"), ("--trials=6", "--sensitivity")):
        t.same("with a library %s" % " ".join(words), t.fray("merge", *parts(t, 2, *words, name="shelf.fray")), t.fray("odds", *words, "shelf.fray"))
    made = parts(t, 5, "--trials=3", name="gorge.fray")
    t.same("more shards than fights", t.fray("merge", *made), t.fray("odds", "--trials=3", "gorge.fray"))


def methods(t):
    """What is exact is worked out where the parts are put together."""
    t.write("brave.fray", BRAVE)
    t.write("small.fray", SMALL + "odds exact giving Bruna hits orc #1\nexpect odds exact giving Bruna hits orc #1 > 99%\n")
    made = parts(t, 2, name="small.fray")
    one = t.fray("odds", "--json", "small.fray")
    t.same("exact answers and failed expectations", t.fray("merge", "--json", *made), one)
    t.check("they were", '"exact"' in one[1] and one[0] == 1, one)
    t.write("gorge.fray", SCRIPT.split("odds 301")[0])
    made = parts(t, 3, "--trials=90", "--sensitivity")
    t.same("what matters here", t.fray("merge", *made), t.fray("odds", "--trials=90", "--sensitivity", "gorge.fray"))
    t.write("two.fray", SCRIPT.split("odds 301")[0] + "encounter The Other { side party: Bruna\n side orcs: 1 orc\n Bruna follows stand firm\n until orcs are down }\n")
    for i in (1, 2):
        t.fray("odds", "--trials=40", "--rules=lite", "--max-rounds=4", "--shard=%d/2" % i, "--out=%d" % i, "two.fray", "The", "Gorge")
    t.same("rules, rounds and encounter go with the parts", t.fray("merge", "1", "2"), t.fray("odds", "--trials=40", "--rules=lite", "--max-rounds=4", "two.fray", "The", "Gorge"))


def refused(t):
    t.write("gorge.fray", SCRIPT.split("odds 301")[0])
    t.write("brave.fray", BRAVE)
    a, b, c = parts(t, 3, "--trials=60")

    def wrong(name, says, *words):
        status, out, err = t.fray("merge", *words)
        t.check(name, status == 2 and out == "" and says in err and err.count("\n") <= 3, status, out, err)

    wrong("a missing shard is named", "Missing: shard 2 of 3.", a, c)
    wrong("several are", "Missing: shard 1, 3 of 3.", b)
    wrong("one that is there twice", "Shard 1 of 3 is given twice", a, a, b, c)
    for name, says, words, script in (("another seed", "seed", ("--seed=9",), None), ("another number of fights", "number of fights", ("--trials=61",), None),
                                      ("another script", "script", (), SCRIPT.split("odds 301")[0] + "-- changed\n"), ("other rules", "rules", ("--rules=lite",), None),
                                      ("another question", "question", ("--sensitivity",), None)):
        t.write("other.fray", script or SCRIPT.split("odds 301")[0])
        t.write("gorge.fray", script or SCRIPT.split("odds 301")[0])
        t.fray("odds", *(("--trials=60",) + words), "--shard=2/3", "--out=other", "gorge.fray")
        wrong(name, "has a different " + says if name != "other rules" else "choice of rules", a, "other", c)
    t.write("gorge.fray", SCRIPT.split("odds 301")[0])
    t.fray("odds", "--trials=60", "--shard=2/4", "--out=other", "gorge.fray")
    wrong("a share of another division", "number of shards", a, "other", c)
    data = read(t, b)
    for name, spoilt in (("half a part", data[:len(data) // 2]), ("one with a flipped bit", data.replace(b'"unsettled":0', b'"unsettled":1', 1)), ("an empty one", b""),
                         ("no part at all", b"encounter X {}\n"), ("one without its last line", data[:data.rstrip().rfind(b"\n") + 1]), ("noise", bytes(range(256)) * 9)):
        t.write("spoilt", spoilt)
        wrong(name, "spoilt is not a part of odds, or is damaged.", a, "spoilt", c)
    lines = data.split(b"\n")
    t.write("spoilt", b"\n".join([lines[0].replace(b'"version":"', b'"version":"9')] + lines[1:]))
    wrong("a changed head", "not a part of odds", a, "spoilt", c)
    wrong("no such file", "cannot read nowhere", a, "nowhere", c)
    for words, says in ((("--shard=0/3", "--out=x"), "--shard takes"), (("--shard=4/3", "--out=x"), "--shard takes"), (("--shard=1/0", "--out=x"), "--shard takes"),
                        (("--shard=1", "--out=x"), "--shard takes"), (("--shard=1/2",), "needs --out"), (("--out=x",), "write --shard"),
                        (("--shard=1/2", "--out=x", "--within=1%"), "leave out"), (("--shard=1/2", "--out=x", "--exact"), "leave out"),
                        (("--shard=1/2", "--out=x", "--trial=1"), "leave out"), (("--shard=1/2", "--out=x", "--json"), "fray merge"), (("--shard=1/2", "--out=x", "--report=y"), "fray merge")):
        status, out, err = t.fray("odds", *words, "gorge.fray")
        t.check("odds %s" % " ".join(words), status == 2 and out == "" and says in err and not os.path.exists(os.path.join(t.folder, "x")), status, out, err)
    status, out, err = t.fray("merge")
    t.one_sentence("merge needs parts", err, "needs the parts")


def version(t):
    """A part of another version, with a sum that holds."""
    t.write("gorge.fray", SMALL)
    a, b = parts(t, 2, "--trials=20")
    # the sum is the library's own hash: a part says version 0.0.0 when it is made by a fray that says so
    exe = open(app.FRAY, "rb").read()
    version = json.loads(read(t, a).split(b"\n")[0])["version"].encode()
    if exe.count(version + b"\0") < 1:
        t.skip("a part of another version", "the version does not stand in the command")
        return
    other = os.path.join(t.folder, "other-fray")
    with open(other, "wb") as f:
        f.write(exe.replace(version + b"\0", b"9" + version[1:] + b"\0"))
    os.chmod(other, 0o755)
    subprocess.run([other, "odds", "--trials=20", "--shard=2/2", "--out=old", "gorge.fray"], cwd=t.folder, check=True)
    status, out, err = t.fray("merge", a, "old")
    t.check("a part of another version", status == 2 and out == "" and "old was written by Fray 9" in err, status, out, err)


def whole(t):
    t.write("gorge.fray", SCRIPT.split("odds 301")[0])
    t.write("brave.fray", BRAVE)
    before = sorted(os.listdir(t.folder))
    status, out, err = t.fray("odds", "--trials=20", "--shard=1/2", "--out=/dev/full", "gorge.fray")
    for out_there in ("nowhere/part", "."):
        late = t.fray("odds", "--trials=1000000000000", "--shard=1/2", "--out=" + out_there, "gorge.fray")
        t.check("%s: told before anything is played" % out_there, late[0] == 2 and late[1] == "" and "cannot write the part %s: " % out_there in late[2], late)
    t.check("a full disk is told", status == 2 and "cannot write the part /dev/full: No space left on device." in err, status, err)

    def little():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))

    done = subprocess.run([app.FRAY, "odds", "--trials=20", "--shard=1/2", "--out=full", "gorge.fray"], cwd=t.folder, preexec_fn=little, stderr=subprocess.PIPE)
    t.check("one that fills up on the way, too", done.returncode == 2 and b"cannot write the part full: File too large." in done.stderr, done.stderr)
    for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        child = subprocess.Popen([app.FRAY, "odds", "--trials=100000000", "--shard=1/2", "--out=dead", "gorge.fray"], cwd=t.folder, stderr=subprocess.PIPE)
        time.sleep(0.6)
        child.send_signal(how)
        err = child.communicate(timeout=60)[1]
        t.check("killed by %s it leaves nothing" % how.name, sorted(os.listdir(t.folder)) == before and child.returncode != 0, child.returncode, os.listdir(t.folder))
    t.check("Ctrl-C says so", child.returncode == 130 and b"interrupted: no part was written. The same command plays shard 1 of 2 from its beginning; more shards are smaller ones." in err, err)


app.run([same, methods, refused, version, whole])
