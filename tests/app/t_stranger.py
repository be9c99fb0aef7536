#!/usr/bin/env python3
"""A stranger's script: each promise of docs/security.md, and an attempt to break it."""

import csv
import html
import os
import pty
import re
import shlex
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import app

MODE = os.path.basename(os.environ.get("BUILD", ""))
PLAIN = MODE in ("", "debug", "release")  # sanitizers and coverage do things of their own at the end
OBEYED = "\x1b\x07\x7f\r\u009b\u202e\u2066\u061c"
FIGHT = app.LONG.replace("until orcs are down", "orcs follow stand firm\n  until party is down or orcs are down")
ENDLESS = FIGHT.replace("hit points: 31", "hit points: 900000").replace("hit points: 5;", "hit points: 900000;")


def reads(t):
    """Nothing but modules beside the script."""
    t.write("out/secret.fray", "the secret of another file\n")
    os.makedirs(os.path.join(t.folder, "in"), exist_ok=True)
    os.symlink("../out/secret.fray", os.path.join(t.folder, "in", "pw.fray"))
    os.symlink("../out", os.path.join(t.folder, "in", "below"))
    os.symlink("bats.fray", os.path.join(t.folder, "in", "flies.fray"))
    t.write("in/bats.fray", app.THINGS)
    t.write("in/a.fray", "use osric\nuse pw\n")
    for command in ("check", "run", "odds", "fmt", "test"):
        status, out, err = t.fray(command, "a.fray", folder=os.path.join(t.folder, "in"))
        t.check("%s does not follow a link out of the folder" % command, "secret of" not in out + err, out, err)
        if command != "fmt":
            t.check("and says so once, with " + command, err.count("is a link out of its folder") == 1 or command == "test", err)
    t.write("in/b.fray", "use osric\nuse flies\n" + FIGHT)
    t.silent("a link within the folder is followed", t.fray("check", "in/b.fray")[2])
    for name in ("../out/secret", "/etc/passwd", ".hidden", "below/secret"):
        t.write("in/c.fray", 'use osric\nuse "%s"\n' % name)
        status, out, err = t.fray("run", "in/c.fray")
        t.check("use of %s reads nothing" % name, status == 2 and "secret of" not in out + err and "root:" not in out + err, status, err)
    status, out, err = t.fray("repl", stdin='load "below/secret"\n', folder=os.path.join(t.folder, "in"))
    t.check("nor does load through a linked folder", "secret of" not in out + err and status == 2, status, out + err)


def writes(t):
    """Nothing is written but what the command line names."""
    before = sorted(os.listdir(t.folder))
    t.write("w.fray", FIGHT + "odds 20 giving party wins\n")
    for args in (["run"], ["check"], ["odds", "--trials=20"], ["test"], ["show", "rules"], ["compare", "--rules=osric,lite"], ["dis"], ["fmt"]):
        t.fray(*args, "w.fray")
    t.same("no command leaves a file", sorted(os.listdir(t.folder)), sorted(before + ["w.fray"]))


def results(t):
    t.write("x.txt", FIGHT)
    t.write("x.fray", FIGHT)
    for option in (["--report=x.fray"], ["--report=x.txt"], ["--report=./x.txt"], ["--shard=1/2", "--out=x.txt"], ["--shard=1/2", "--out=y.fray"]):
        status, out, err = t.fray("odds", "--trials=20", *option, "x.txt")
        t.check("%s does not take the place of a script" % option[-1], status == 2 and ("the script itself" in err or "name of a script" in err), status, err)
        with open(os.path.join(t.folder, "x.txt")) as f:
            t.check("which is as it was", f.read() == FIGHT)
    t.fray("odds", "--trials=20", "--shard=1/1", "--out=p.part", "x.txt")
    t.one_sentence("nor of a part", t.fray("merge", "--report=p.part", "p.part")[2], "one of the parts")


def page(t):
    t.write("-x.fray", FIGHT)
    t.fray("odds", "--trials=20", "--report=page.html", "--", "-x.fray")
    with open(os.path.join(t.folder, "page.html")) as f:
        text = f.read()
    policy = html.unescape(re.search(r'http-equiv="Content-Security-Policy" content="(.*?)"', text).group(1))
    t.check("the report permits no scripts, no requests", policy.startswith("default-src 'none'") and "script" not in policy and "connect" not in policy, policy)
    t.check("the policy stands before all it is about", text.index("Content-Security") < text.index("<style"))
    command = shlex.split(html.unescape(re.search(r"<code>(.*?)</code>", text).group(1)))
    t.same("its command names the file so that it is no option", command[-2:], ["./-x.fray", "--report=page.html"])
    os.remove(os.path.join(t.folder, "page.html"))
    t.fray(*command[1:])
    with open(os.path.join(t.folder, "page.html")) as f:
        t.check("and makes the same page", f.read().replace("./", "").replace(".\\/", "") == text.replace("./", ""))


def cells(t):
    for name in ("=1+1", "+cmd", "-2+3", "@sum", "=a,b"):
        t.write("csv.fray", FIGHT.replace("encounter The Gorge", 'encounter "%s"' % name))
        status, out, err = t.fray("odds", "--trials=20", "--csv", "csv.fray")
        rows = list(csv.reader(out.splitlines()))
        got = {row[0] for row in rows[1:]}
        t.check("a cell that begins with %s is text" % name[0], status == 0 and len(got) == 1 and got.pop().startswith("'"), out[:300], err)
    t.write("csv.fray", FIGHT)
    rows = list(csv.reader(t.fray("odds", "--trials=20", "--csv", "--giving=average (Bruna's hit points - 100)", "csv.fray")[1].splitlines()))
    t.check("figures stay figures", rows[1:] and float(rows[1][-3]) < 0, rows)


def at_terminal(t, *args):
    """What a terminal gets."""
    leader, follower = pty.openpty()
    child = subprocess.Popen([app.FRAY, *args], cwd=t.folder, stdin=subprocess.DEVNULL, stdout=follower, stderr=follower, env={**os.environ, "PAGER": "cat", "NO_COLOR": "1"})
    os.close(follower)
    got = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        got += piece
    os.close(leader)
    child.wait()
    return got.decode("utf-8", "backslashreplace").replace("\r\n", "\n")


def shown(t):
    evil = "".join("a" + c for c in OBEYED)
    t.write("s.fray", FIGHT.replace("hit dice: 1;", 'hit dice: 1; attacks: axe 1d8; -- %s\n' % evil.replace("\r", "")).replace("attacks: axe 1d8 }", "}")
            .replace("encounter The Gorge", 'encounter "go%srge"' % evil.replace("\r", "")))
    t.write("s%s.fray" % evil.replace("\r", ""), "   " + FIGHT)
    t.write("wrong.fray", 'encounter "go%srge" {\n  side party: "Nob%sody" -- %s\n}\n' % ((evil.replace("\r", ""),) * 3))
    t.write("t.csv", "name,hit dice,%s\norc%s,1,x\n" % (evil.replace("\r", ""), evil.replace("\r", "")))
    for args in (["fmt", "s.fray"], ["fmt", "--diff", "s.fray"], ["check", "wrong.fray"], ["check", "--json", "wrong.fray"], ["run", "--max-rounds=2", "s.fray"],
                 ["run", "--json", "--max-rounds=2", "s.fray"], ["run", "--timeline", "--max-rounds=2", "s.fray"], ["odds", "--trials=9", "s.fray"],
                 ["odds", "--csv", "--trials=9", "s.fray"], ["show", "encounters", "s.fray"], ["test", "."], ["import", "t.csv"], ["compare", "--rules=osric,lite", "s.fray"],
                 ["fmt", "--check", "s%s.fray" % evil.replace("\r", "")], ["run", "nothing%s.fray" % evil]):
        text = at_terminal(t, *args)
        left = sorted({hex(ord(c)) for c in text if c in OBEYED})
        t.check("a terminal gets none of them from fray " + " ".join(args)[:40], not left and text, left, text[:600])
    os.remove(os.path.join(t.folder, "s%s.fray" % evil.replace("\r", "")))


def budgets(t):
    t.write("many.fray", ENDLESS.split("encounter")[0] + "".join("encounter e%d {" % i + ENDLESS.split("encounter The Gorge {")[1] for i in range(200)))
    start = time.time()
    status, out, err = t.fray("run", "--max-rounds=100000", "--time=1", "many.fray")
    took = time.time() - start
    t.check("a run ends when its time is up", status == 3 and took < 15, status, took)
    t.like("and says so", err, r"^fray: this took longer than 1 second, so I stopped it. --time=SECONDS allows more.$")
    start = time.time()
    status, out, err = t.fray("odds", "--trials=100000000", "--time=1", "many.fray", "e0")
    t.check("odds tell what they know when the time is up", status == 3 and "e0" in out and "longer than 1 second" in err and time.time() - start < 15, status, out[:300], err)
    status, out, err = t.fray("run", "--output=1", "--max-rounds=100000", "--json", "many.fray")
    t.check("output has an end", status == 3 and len(out) <= 1 << 21 and "wrote more than 1 MB, so I stopped it. --output=MB allows more." in err, status, len(out), err)
    for said in ("0", "x", "", "-1", "99999999999999999999"):
        for option in ("time", "memory", "output"):
            t.one_sentence("--%s=%s" % (option, said), t.fray("run", "--%s=%s" % (option, said), "many.fray")[2], "--%s takes a whole number from 1 to" % option)
    t.one_sentence("--time without a number", t.fray("run", "many.fray", "--time")[2], "--time needs a value: --time=SECONDS")
    t.check("behind -- it is a file", "--time" in t.fray("check", "--", "--time=1")[2])


def asked(t):
    t.write("ask.fray", FIGHT + "odds 999999999999999999 giving party wins\n")
    start = time.time()
    status, out, err = t.fray("odds", "--trials=50", "ask.fray")
    t.check("a script asks for no more fights than --trials", status == 0 and time.time() - start < 20 and out.count("50 fights") + out.count("of 50") >= 1, status, out, err)
    status, out, err = t.fray("odds", "--time=1", "ask.fray")
    t.check("without it, time ends them", status == 3 and "longer than 1 second" in err, status, err)


PROBE = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "lang/app/sandbox.h"
static void said(const char *what, int good) { printf("%s %s\n", what, good ? "yes" : "no"); }
int main(void)
{
	const char *why = sandbox_enter("in");
	if (why) { printf("none: %s\n", why); return 0; }
	said("read inside", open("in/bats.fray", O_RDONLY) >= 0);
	said("read outside", open("/etc/passwd", O_RDONLY) >= 0);
	said("write inside", open("in/new", O_WRONLY | O_CREAT, 0600) >= 0);
	said("write again", open("in/bats.fray", O_RDWR) >= 0);
	said("truncate", open("in/bats.fray", O_RDONLY | O_TRUNC) >= 0);
	said("remove", unlink("in/bats.fray") == 0);
	said("rename", rename("in/bats.fray", "in/b") == 0);
	said("socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
	said("fork", syscall(SYS_clone, 17, 0, 0, 0, 0) >= 0);
	char *words[] = {"/bin/true", NULL};
	execv(words[0], words);
	said("program", 0);
	said("code", mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
	said("memory", mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
	said("kill", syscall(SYS_kill, getppid(), 0) == 0);
	said("type ahead", syscall(SYS_ioctl, 0, 0x5412 /* TIOCSTI */, "x") == 0 || errno != EPERM);
	return 0;
}
"""


def sandbox(t):
    t.write("plain.fray", "use bats\n" + FIGHT)
    t.write("bats.fray", app.THINGS)
    t.write("probe.c", PROBE)
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    program = os.path.join(t.folder, "probe")
    subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-I", root, "-o", program, os.path.join(t.folder, "probe.c"), os.path.join(root, "lang/app/sandbox.c")], check=True)
    out = subprocess.run([program], cwd=t.folder, stdout=subprocess.PIPE, check=False).stdout.decode()
    if out.startswith("none: "):
        t.skip("the sandbox", out.strip())
        t.one_sentence("--sandbox says that there is none", t.fray("run", "--sandbox", "plain.fray")[2], "there is no sandbox here: ")
        return
    for line in out.splitlines():
        what, can = line.rsplit(" ", 1)
        if what == "read outside" and can == "yes" and not landlock():
            t.skip("in the sandbox: read outside", "this kernel has no Landlock")
            continue
        t.same("in the sandbox: " + what, can, "yes" if what in ("read inside", "memory") else "no")
    t.same("all of it was tried", len(out.splitlines()), 14)
    if not PLAIN:
        t.skip("runs in the sandbox", "this build does things of its own")
        return
    for args in ([], ["--json"], ["--timeline"], ["--seed=7", "--why"]):
        t.same("a run in the sandbox is the same: " + " ".join(args), t.fray("run", "--sandbox", *args, "plain.fray"), t.fray("run", *args, "plain.fray"))
    with open(os.path.join(t.folder, "plain.fray")) as f:
        t.same("and of standard input", t.fray("run", "--sandbox", "-", stdin=f.read()), t.fray("run", "plain.fray"))
    t.write("many.fray", ENDLESS)
    child = subprocess.Popen([app.FRAY, "run", "--sandbox", "--max-rounds=1000000", "--time=20", "many.fray"], cwd=t.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    mode = ""
    for _ in range(100):
        with open("/proc/%d/status" % child.pid) as f:
            mode = re.search(r"^Seccomp:\s*(\d)", f.read(), re.M).group(1)
        if mode == "2" or child.poll() is not None:
            break
        time.sleep(0.05)
    child.kill()
    child.wait()
    t.same("a run is shut in while it plays", mode, "2")
    status, out, err = t.fray("run", "--sandbox", "--time=1", "--max-rounds=1000000", "many.fray")
    t.check("a budget ends it there, too", status == 3 and "longer than 1 second" in err, status, err)
    for where in ([], ["--sandbox"]):
        status, out, err = t.fray("run", *where, "--memory=2", "--max-rounds=100000", "many.fray")
        t.check("so does memory that runs out: " + " ".join(where), status == 3 and "memory" in err, status, err)


def landlock():
    try:
        with open("/sys/kernel/security/lsm") as f:
            return "landlock" in f.read()
    except OSError:
        return False


app.run([reads, writes, results, page, cells, shown, budgets, asked, sandbox])
