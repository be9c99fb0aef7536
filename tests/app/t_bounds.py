"""What the command cannot read or write: one sentence and status 2, never silence."""

import os
import signal
import pty
import subprocess

import app


def files(t):
    t.write("folder/x.txt", "")
    for command in ("run", "check", "dis"):
        status, out, err = t.fray(command, "folder")
        if command != "check":
            t.same("%s of a folder is status 2" % command, (status, out), (2, ""))
            t.one_sentence("%s of a folder" % command, err, "folder is a folder, not a script")
        status, out, err = t.fray(command, "none.fray")
        t.same("%s of no file is status 2" % command, (status, out), (2, ""))
        t.one_sentence("%s of no file" % command, err, "none.fray: there is no such file")
    t.write("locked.fray", app.FORD)
    os.chmod(os.path.join(t.folder, "locked.fray"), 0)
    if os.getuid() == 0:
        t.check("a file that may not be read # SKIP root reads everything", True)
    else:
        t.one_sentence("a file that may not be read", t.fray("run", "locked.fray")[2], "locked.fray")
    t.one_sentence("a name too long", t.fray("run", "x" * 5000 + ".fray")[2], "cannot read x")


def sizes(t):
    t.write("big.fray", b"-- x\n" * (16 * 1024 * 1024 // 5 + 10))
    status, out, err = t.fray("check", "big.fray")
    t.same("more than 16 MB is status 2", (status, out), (2, ""))
    t.one_sentence("more than 16 MB", err, "big.fray is too long: 16 MB")
    status, out, err = t.fray("check", "-", stdin=b"x" * (16 * 1024 * 1024 + 1))
    t.one_sentence("more than 16 MB of standard input", err, "standard input is too long")
    status, out, err = t.fray("check", "/dev/zero")
    t.one_sentence("a file without an end", err, "/dev/zero is too long")
    t.same("an empty file is fine to check", t.fray("check", t.write("empty.fray", "")), (0, "", ""))
    for name, content in (("NUL", b"monster or\0c { hit dice: 1 }\n"), ("Latin-1", b"monster \xe9 { hit dice: 1 }\n"), ("cut off", b"monster orc { hit dice: ")):
        status, out, err = t.fray("check", t.write("bad.fray", content))
        t.check("%s: wrong, with its line" % name, status == 2 and "bad.fray:1: " in err, status, err)


def full(t):
    t.write("ford.fray", app.FORD)
    for args in (["run", "ford.fray"], ["run", "--json", "ford.fray"], ["test", "ford.fray"], ["dis", "ford.fray"], ["--help"], ["--version"], ["run", "--help"]):
        with open("/dev/full", "w") as device:
            status, out, err = t.fray(*args, stdout=device)
        t.same("a full disk is noticed by `%s`" % " ".join(args), status, 2)
        t.one_sentence("and said by `%s`" % " ".join(args), err, "cannot write the output")
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as closed:
        status, out, err = t.fray("run", "ford.fray", stdout=closed)
    t.same("a reader that went away ends it, as it ends other commands, without a word", (status, err), (-signal.SIGPIPE, ""))


def on_terminal(t, env):
    """What `run` writes to a terminal."""
    master, slave = pty.openpty()
    child = subprocess.Popen([app.FRAY, "run", "ford.fray"], cwd=t.folder, stdin=slave, stdout=slave, stderr=slave,
                             env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm", "PAGER": "cat", **env})
    os.close(slave)
    out = b""
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:
            break
        if not piece:
            break
        out += piece
    os.close(master)
    child.wait()
    return out.decode()


def colours(t):
    t.write("ford.fray", app.FORD)
    t.check("a terminal gets colours", "\033[" in on_terminal(t, {}))
    t.check("unless NO_COLOR is set", "\033[" not in on_terminal(t, {"NO_COLOR": "1"}))
    for said, coloured in (("always", True), ("never", False), ("auto", False)):
        for option in ("--color=" + said, "--colour=" + said):
            t.same("%s where no terminal is" % option, "\033[" in t.fray("run", option, "ford.fray")[1], coloured)
    t.check("--color alone is always", "\033[" in t.fray("--color", "ford.fray")[1])
    t.check("and wins over NO_COLOR", "\033[" in t.fray("--color", "ford.fray", env={"NO_COLOR": "1"})[1])
    t.one_sentence("another word is wrong", t.fray("--color=blue", "ford.fray")[2], "--color takes auto, always or never")
    t.check("behind -- it is a file", "there is no such file" in t.fray("check", "--", "--color")[2])
    t.check("an empty NO_COLOR is not set", "\033[" in on_terminal(t, {"NO_COLOR": ""}))
    t.check("unless the terminal is dumb", "\033[" not in on_terminal(t, {"TERM": "dumb"}))
    t.same("the words are the same", on_terminal(t, {"NO_COLOR": "1"}).split(), t.fray("run", "ford.fray")[1].split())


app.run([files, sizes, full, colours])
