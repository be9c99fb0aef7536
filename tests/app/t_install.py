"""`make install` copies every file of docs/packaging/installed.sh, and `make uninstall` takes them away again."""
# seconds: 600

import os
import re
import subprocess
import sys

import app

TOP = os.environ["TOP"]
BUILD = os.environ["BUILD"]
MODE = os.path.basename(BUILD)


def make(t, target, root, *more):
    args = ["make", "-C", TOP, target, "MODE=" + MODE, "PREFIX=/usr", "DESTDIR=" + root, *more]
    done = subprocess.run(args, capture_output=True, text=True, timeout=600)
    t.check("make %s %s" % (target, " ".join(more)), done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:])


def files(root):
    return sorted(os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names)


WANTED = ["usr/bin/fray", "usr/include/fray/fray.h", "usr/lib/libfray.a", "usr/lib/libfray.so", "usr/lib/pkgconfig/fray.pc", "usr/share/man/man1/fray.1",
          "usr/share/man/man5/fray.5", "usr/share/bash-completion/completions/fray", "usr/share/zsh/site-functions/_fray",
          "usr/share/fish/vendor_completions.d/fray.fish", "usr/share/doc/fray/README.md", "usr/share/doc/fray/docs/language.md",
          "usr/share/doc/fray/examples/bridge.fray", "usr/share/vim/vimfiles/syntax/fray.vim", "usr/share/emacs/site-lisp/fray-mode.el",
          "usr/share/fray/vscode/package.json"]


def installing(t):
    root = os.path.join(t.folder, "root")
    make(t, "install", root)
    there = files(root)
    for name in WANTED:
        t.check("there is " + name, name in there and os.path.getsize(os.path.join(root, name)) > 0, there)
    run = subprocess.run([os.path.join(root, "usr/bin/fray"), "test", os.path.join(root, "usr/share/doc/fray/examples/web.fray")], capture_output=True, text=True)
    t.check("the installed command plays an installed example", run.returncode == 0, run.stdout + run.stderr)
    with open(os.path.join(root, "usr/lib/pkgconfig/fray.pc"), encoding="utf-8") as f:
        t.check("nothing installed names the folder it was copied through", root not in f.read())
    own = os.path.join(root, "usr/share/doc/other.txt")
    with open(own, "w", encoding="utf-8") as f:
        f.write("somebody else's\n")
    make(t, "uninstall", root)
    t.same("uninstall leaves what is not its own, and nothing else", files(root), ["usr/share/doc/other.txt"])
    left = [folder for folder, _, _ in os.walk(root) if "fray" in os.path.relpath(folder, root)]
    t.same("and no folder of Fray's", left, [])


def elsewhere(t):
    root = os.path.join(t.folder, "multi")
    make(t, "install", root, "LIBDIR=/usr/lib/x", "DOCDIR=/usr/share/doc/packages/fray")
    there = files(root)
    t.check("folders can be given one by one", "usr/lib/x/libfray.a" in there and "usr/share/doc/packages/fray/README.md" in there, there)
    make(t, "uninstall", root, "LIBDIR=/usr/lib/x", "DOCDIR=/usr/share/doc/packages/fray")
    t.same("and are found again", files(root), [])


def packing(t):
    """Two archives of the sources are the same bytes."""
    made = []
    for _ in range(2):
        done = subprocess.run(["make", "-C", TOP, "dist"], capture_output=True, text=True, timeout=600)
        said = re.search(r"^build/\S+\.tar\.gz$", done.stdout, re.M)
        path = os.path.join(TOP, said.group()) if said else ""
        if done.returncode or not os.path.isfile(path):
            t.check("make dist", False, done.stdout + done.stderr)
            return
        with open(path, "rb") as f:
            made.append(f.read())
    t.check("make dist twice is the same bytes", made[0] == made[1])
    listed = subprocess.run(["tar", "-tzf", path], capture_output=True, text=True).stdout.split("\n")
    t.check("with the sources, and nothing built", any(x.endswith("/Makefile") for x in listed) and not any("/build/" in x for x in listed), listed[:20])


app.run([installing, elsewhere, packing])
