#!/usr/bin/env python3
"""t_mutants.py - does any test notice when a rule of the book is gone?

Every rule of stdlib/osric is dropped in turn (`drop rule NAME` at the end of a copy of every
script of this folder). At least one script must then fail: an expectation, a die that nobody
rolls, or an error. What survives must be listed below with its reason."""

import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build/debug/fray")))
HEADER = re.compile(r'^rule (.*?)\s*(?:"|\{|exception to |replaces |if |ruling )', re.M)

# rule: why no test can notice that it is gone
KNOWN = {}


def rules():
    """(file, rule) of the whole book, in the order of its files."""
    found = []
    for path in sorted(glob.glob(os.path.join(TOP, "stdlib/osric/*.fray"))):
        with open(path, encoding="utf-8") as f:
            found += [(os.path.basename(path), name) for name in HEADER.findall(f.read())]
    return found


def status(folder, scripts, tail):
    """What `fray test` says of the scripts with a line more at the end of each."""
    for name, text in scripts.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text + tail)
    return subprocess.run([FRAY, "test", *scripts], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)


def main():
    scripts = {}
    for path in sorted(glob.glob(os.path.join(HERE, "*.fray"))):
        with open(path, encoding="utf-8") as f:
            scripts[os.path.basename(path)] = f.read()
    points, bad, killed, survivors = 1, 0, 0, []
    with tempfile.TemporaryDirectory(prefix="fray-mutants-") as folder:
        whole = status(folder, scripts, "\n")
        good = whole.returncode == 0 and b"\n1.." in whole.stdout
        print("%sok 1 - with every rule in force all scripts hold" % ("" if good else "not "))
        bad += not good
        book = rules()
        for file, name in book:
            points += 1
            after = status(folder, scripts, "\ndrop rule %s\n" % name)
            known = name in KNOWN
            noticed = after.returncode == 1 and b"not ok" in after.stdout
            killed += noticed
            good = noticed != known and after.returncode in (0, 1)
            bad += not good
            print("%sok %d - %s: without \"%s\" %s" % ("" if good else "not ", points, file, name,
                  "no test fails: " + KNOWN[name] if known else "a test fails"))
            if not noticed:
                survivors.append(name)
            if not good:
                for line in after.stdout.decode("utf-8", "replace").splitlines()[:5]:
                    print("# " + line)
    print("# %d of %d rules noticed (%d%%); survivors: %s" % (killed, len(book), killed * 100 // len(book), ", ".join(survivors) or "none"))
    print("1..%d" % points)
    return 1 if bad else 0


sys.exit(main())
