"""fray odds at a terminal: progress with rate and time left on standard error, gone when the answer
comes; bars as wide as the terminal and no wider; Ctrl-C tells what is known by then."""
# seconds: 200

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

import app

SCRIPT = app.LONG.replace("until orcs are down", "orcs follow stand firm\n  distance: 5 ft\n  until party is down or orcs are down").replace("hit points: 31", "hit points: 9")


def at_terminal(t, columns, *words, until=None, then=None, seconds=60):
    """What a terminal of so many columns is sent, and the exit status; `until` matches: `then` is called."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    child = subprocess.Popen([app.FRAY, "odds", *words], cwd=t.folder, stdin=side, stdout=side, stderr=side, env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"})
    os.close(side)
    sent, end = b"", time.time() + seconds
    while time.time() < end:
        if not select.select([main], [], [], 0.2)[0]:
            continue
        try:
            piece = os.read(main, 65536)
        except OSError:
            break
        if not piece:
            break
        sent += piece
        if until and re.search(until, sent):
            then(child)
            until = None
    if child.poll() is None and time.time() >= end:
        child.kill()
    child.wait()
    os.close(main)
    return child.returncode, sent.decode("utf-8", "replace").replace("\r\n", "\n")


def progress(t):
    t.write("x.fray", SCRIPT)
    shown = rb"\r[0-9]+ of 200000000 fights, [0-9]+ a second, [0-9]+ s left\x1b\[K"
    status, sent = at_terminal(t, 80, "--trials=200000000", "x.fray", until=shown, then=lambda child: child.send_signal(signal.SIGINT))
    t.check("how far, how fast, how long", re.search(shown, sent.encode()) is not None, repr(sent[:300]))
    t.same("Ctrl-C ends it", status, 130)
    after = sent[sent.rindex("\x1b[K") + 3:] if "\x1b[K" in sent else sent
    t.check("the line is wiped, and what is known is told", "party wins" in sent and "interrupted" in sent and " s left" not in after, repr(sent[-400:]))
    before = sent[:sent.index("party wins")]
    t.check("before it is told", before[:before.rindex("\n")].rpartition("\x1b[K")[0].endswith("\r"), repr(before[-300:]))
    counts = [int(x) for x in re.findall(r"\r(\d+) of 200000000", sent)]
    t.check("it grows", counts == sorted(counts) and counts and counts[0] > 0, counts)
    status, out, err = t.fray("odds", "--trials=50", "x.fray")
    t.same("nothing of it where there is no terminal", (status, err), (0, ""))


def counting(t):
    t.write("big.fray", open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../bench/f1.fray")).read().replace("3d10", "9d10").replace("4d8+1", "9d8+1"))
    shown = rb"\r[0-9.e+-]+ % of the fights counted, [0-9]+ worlds, [0-9]+ a second\x1b\[K"
    status, sent = at_terminal(t, 80, "--exact", "--states=900000000", "big.fray", until=shown, then=lambda child: child.send_signal(signal.SIGINT))
    t.check("exact odds tell how far they are", re.search(shown, sent.encode()) is not None, repr(sent[:300]))
    t.same("Ctrl-C ends them", status, 130)
    before, _, after = sent.partition("duel\n")
    t.check("the line is wiped before the answer", before.endswith("\r\x1b[K") and " a second" not in after, repr(sent[-600:]))
    t.check("which has bounds", "party wins" in after and "interrupted" in " ".join(after.split()), repr(sent[-600:]))


def width(t):
    t.write("x.fray", SCRIPT + "odds 200 giving party wins, spread Bruna's hit points\nodds 200 { Bruna waits } vs { Bruna attacks orc #2 } giving party wins, average round\n")
    longest = []
    for columns in (40, 60, 80, 132, 200):
        status, sent = at_terminal(t, columns, "--trials=200", "x.fray")
        lines = [re.sub(r"\x1b\[[0-9;]*[a-zA-Z]", "", line).rstrip().rpartition("\r")[2] for line in sent.split("\n")]
        longest.append(max(len(line) for line in lines))
        t.check("%d columns are enough" % columns, status == 0 and longest[-1] <= columns, [line for line in lines if len(line) > columns])
    t.check("and a wide terminal has longer bars", longest[4] > longest[2] > longest[1], longest)


app.run([progress, counting, width])
