"""Long answers at a terminal go through $PAGER; in pipes nothing does, nor what asks for dice."""

import os
import pty
import subprocess

import app


def at_terminal(t, *args, pager=None, less=None, stdin=b""):
    """What shows on a terminal, and the status."""
    env = {k: v for k, v in os.environ.items() if k not in ("PAGER", "LESS")}
    env.update({} if pager is None else {"PAGER": pager})
    env.update({} if less is None else {"LESS": less})
    ours, theirs = pty.openpty()
    child = subprocess.Popen([os.environ["FRAY"], *args], stdin=theirs, stdout=theirs, stderr=theirs, cwd=t.folder, env=env, close_fds=True)
    os.close(theirs)
    if stdin:
        os.write(ours, stdin)
    shown = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:
            break
        if not more:
            break
        shown += more
    status = child.wait(timeout=60)
    os.close(ours)
    return status, shown.decode().replace("\r\n", "\n")


def pages(t):
    t.write("ford.fray", app.FORD)
    plain = t.fray("show", "order", "ford.fray")[1]
    t.same("show is paged", at_terminal(t, "show", "order", "ford.fray", pager="sed s/^/P:/"), (0, "".join("P:%s\n" % x for x in plain.splitlines())))
    t.check("run is", at_terminal(t, "run", "ford.fray", pager="sed s/^/P:/")[1].startswith("P:"))
    t.check("help is", at_terminal(t, "help", "F0208", pager="sed s/^/P:/")[1].startswith("P:"))
    t.check("a script by its name is", at_terminal(t, "ford.fray", pager="sed s/^/P:/")[1].startswith("P:"))
    t.same("the status is that of the command", at_terminal(t, "show", "monster", "gull", "ford.fray", pager="cat >/dev/null")[0], t.fray("show", "monster", "gull", "ford.fray")[0])
    t.same("LESS is FRX where nothing is said", at_terminal(t, "show", "order", "ford.fray", pager="cat >/dev/null; echo $LESS"), (0, "FRX\n"))
    t.same("and stays what it is", at_terminal(t, "show", "order", "ford.fray", pager="cat >/dev/null; echo $LESS", less="S"), (0, "S\n"))
    t.same("a reader who leaves at once is no mistake", at_terminal(t, "show", "rules", "ford.fray", pager="head -1 >/dev/null"), (0, ""))


def not_paged(t):
    t.write("ford.fray", app.FORD)
    t.check("nothing in a pipe", not t.fray("show", "order", "ford.fray", env={"PAGER": "sed s/^/P:/"})[1].startswith("P:"))
    for pager in ("", "cat"):
        t.check("nothing for PAGER=%s" % pager, not at_terminal(t, "show", "order", "ford.fray", pager=pager)[1].startswith("P:"))
    t.check("not check", "P:" not in at_terminal(t, "check", "ford.fray", pager="sed s/^/P:/")[1])
    t.check("not what asks for dice", "P:" not in at_terminal(t, "run", "--dice=ask", "ford.fray", pager="sed s/^/P:/", stdin=b"\n" * 40)[1])


app.run([pages, not_paged])
