"""mutants.py - does any test notice when a rule of the book is gone?

Each system's t_mutants.py calls run(): every rule of stdlib/SYSTEM is dropped in turn
(`drop rule NAME` at the end of a copy of the scripts of tests/rules/SYSTEM). At least one script
must then fail: an expectation, a die that nobody rolls, or an error. The scripts that claim a
clause the rule cites are tried first, and the others only when these notice nothing. What
survives must be listed by the caller with its reason."""

import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build/debug/fray")))
REFUSALS = "a script that it refuses has no expectations that hold: t_vocabulary.py has them"
HEADER = re.compile(r'^rule (.*?)\s*(?:"(.*?)"|\{|exception to |replaces |if |ruling )', re.M)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import map as clauses


def rules(system):
    """(file, rule, clauses it cites) of the whole book, in the order of its files."""
    found = []
    for path in sorted(glob.glob(os.path.join(TOP, "stdlib", system, "*.fray"))):
        text = clauses.read(path)
        for name, citation in HEADER.findall(text):
            found.append((os.path.basename(path), name, clauses.cited(citation, system)))
    return found


def test(names, scripts, tail):
    """What `fray test` says of the named scripts with a line more at the end of each."""
    with tempfile.TemporaryDirectory(prefix="fray-mutants-") as folder:
        for name in names:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                f.write(scripts[name] + tail)
        return subprocess.run([FRAY, "test", *names], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)


def try_without(scripts, rule):
    """(noticed, the last `fray test`) for one rule."""
    _, name, cites = rule
    tail = "\ndrop rule %s\n" % name
    near = [s for s in scripts if any(re.search(r"%s\b(?![.-])" % re.escape(c), scripts[s]) for c in cites)]
    after = None
    for names in (near, [s for s in scripts if s not in near]):
        if not names:
            continue
        after = test(names, scripts, tail)
        if after.returncode != 0:
            break
    return after.returncode == 1 and b"not ok" in after.stdout, after


def run(system, known):
    """Prints TAP; `known` says of each rule that nobody can miss, why. Returns an exit status."""
    known = dict({name: REFUSALS for file, name, _ in rules(system) if file == "bounds.fray"}, **known)
    if os.path.basename(os.environ.get("BUILD", "")) in ("asan", "ubsan", "san", "tsan", "fuzz"):
        # the scripts themselves are played there; which rule they miss is the same everywhere
        print("ok 1 - left to builds without sanitizers\n1..1")
        return 0
    scripts = {}
    for path in sorted(glob.glob(os.path.join(TOP, "tests", "rules", system, "*.fray"))):
        scripts[os.path.basename(path)] = clauses.read(path)
    whole = test(list(scripts), scripts, "\n")
    good = whole.returncode == 0 and b"\n1.." in whole.stdout
    print("%sok 1 - with every rule in force all scripts hold" % ("" if good else "not "))
    points, bad, killed, survivors, book = 1, not good, 0, [], rules(system)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for rule, (noticed, after) in zip(book, pool.map(lambda r: try_without(scripts, r), book)):
            file, name, _ = rule
            points += 1
            killed += noticed
            good = noticed != (name in known) and after.returncode in (0, 1)
            bad += not good
            print("%sok %d - %s: without \"%s\" %s" % ("" if good else "not ", points, file, name,
                  "no test fails: " + known[name] if name in known else "a test fails"))
            if not noticed:
                survivors.append(name)
            if not good:
                for line in after.stdout.decode("utf-8", "replace").splitlines()[:5]:
                    print("# " + line)
    print("# %d of %d rules noticed (%d%%); survivors: %s" % (killed, len(book), killed * 100 // len(book), ", ".join(survivors) or "none"))
    print("1..%d" % points)
    return 1 if bad else 0
