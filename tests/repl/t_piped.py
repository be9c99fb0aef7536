"""The prompt on piped input: no prompt, exit statuses, lines that cannot be read."""

import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app"))

import app


def statuses(t):
    t.write("ford.fray", app.FORD)
    t.write("cellar.fray", app.CELLAR)
    t.write("wrong.fray", app.WRONG)
    t.same("no input at all is fine", t.fray("repl"), (0, "", ""))
    t.same("blank lines are nothing", t.fray("repl", stdin="\n  \n\t\n"), (0, "", ""))
    status, out, err = t.fray("repl", stdin="2d1\n3d1\n")
    t.check("there is no prompt", status == 0 and "fray>" not in out + err and out.startswith("2"), out, err)
    t.same("the last line needs no end", t.fray("repl", stdin="2d1\n3d1"), (status, out, err))
    t.same("lines may end as on Windows", t.fray("repl", stdin="2d1\r\n3d1\r\n"), (status, out, err))
    status, out, err = t.fray("repl", stdin="no such thing as this\n2d1\n")
    t.same("a mistake is status 2", status, 2)
    t.check("and the lines after it are run", out.startswith("2"), out)
    t.same("a failed expectation is status 1", t.fray("repl", "cellar.fray", stdin="begin\nrun\n")[0], 1)
    t.same("of several the worst counts", t.fray("repl", "cellar.fray", stdin="begin\nrun\nno such thing as this\n2d1\n")[0], 2)
    t.same("after quit nothing counts", t.fray("repl", stdin="quit\nno such thing as this\n")[0], 0)
    status, out, err = t.fray("repl", stdin="monster bat {\n")
    t.same("an open block at the end is status 2", status, 2)
    t.one_sentence("and said", err, "ended too early: a closing }")
    status, out, err = t.fray("repl", "wrong.fray", stdin="2d1\n")
    t.same("a wrong script ends it at once", (status, out), (2, ""))
    t.same("so does a missing one", t.fray("repl", "none.fray", stdin="2d1\n")[0:2], (2, ""))
    t.same("the prompt's lines cannot be the script", t.fray("repl", "-", stdin="2d1\n")[0:2], (2, ""))
    t.same("one script is enough", t.fray("repl", "ford.fray", "cellar.fray")[0], 2)
    t.fray("repl", stdin="2d1\n", env={"XDG_STATE_HOME": t.folder})
    t.check("no history is kept of them", not os.path.exists(os.path.join(t.folder, "fray")))


def strange(t):
    status, out, err = t.fray("repl", stdin=b"2d\x001\n3d1\n")
    t.same("a NUL byte is status 2", status, 2)
    t.one_sentence("it is said", err, "NUL byte")
    t.check("and the line passed over, not cut short", out.startswith("3"), out)
    status, out, err = t.fray("repl", stdin=b"\xff\xfe\n3d1\n")
    t.check("so are bytes that are no text", status == 2 and out.startswith("3"), status, out, err)
    status, out, err = t.fray("repl", stdin=b"x" * (17 * 1024 * 1024) + b"\n3d1\n")
    t.one_sentence("a line without an end", err, "too long: 16 MB")
    t.check("is passed over", status == 2 and out.startswith("3"), status, out)
    status, out, err = t.fray("repl", stdin="(" * 100000 + "\n")
    t.check("a heap of brackets is no crash", status == 2 and err.count("\n") < 200, status, err[:500])


def hasty(t):
    """A Ctrl-C that comes between an answer and the wait for the next line is not forgotten."""
    for _ in range(30):
        child = subprocess.Popen([app.FRAY, "repl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        child.stdin.write(b"2d1\n")
        child.stdin.flush()
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        status = child.wait(timeout=30)
        child.stdin.close()
        child.stdout.close()
        if status != 130:
            break
    t.same("an early Ctrl-C is status 130", status, 130)


def live(t):
    """Whoever writes to the pipe sees each answer before writing the next line."""
    child = subprocess.Popen([app.FRAY, "repl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for n in (2, 3, 4):
        child.stdin.write(b"%dd1\n" % n)
        child.stdin.flush()
        t.check("answer %d comes at once" % n, child.stdout.readline().startswith(b"%d" % n))
    child.send_signal(signal.SIGINT)
    t.same("Ctrl-C while waiting is status 130", child.wait(timeout=30), 130)
    child.stdin.close()
    child.stdout.close()
    child.stderr.close()
    t.write("endless.fray", app.ENDLESS)
    child = subprocess.Popen([app.FRAY, "repl", "endless.fray"], cwd=t.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdin.write(b"2d1\nbegin\nrun\n2d1\n")
    child.stdin.flush()
    child.stdout.readline()
    time.sleep(0.7)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    t.same("and during a run", child.returncode, 130)
    with open("/dev/full", "w") as device:
        status, out, err = t.fray("repl", stdin="2d1\n3d1\n", stdout=device)
    t.same("a full disk is status 2", status, 2)


app.run([statuses, strange, hasty, live])
