"""terminal.py - a real terminal, through a pseudo-terminal, for tests of the prompt.

    with Terminal("repl") as t:
        t.wait("fray> ")
        t.send("3d6\\r")
        t.wait(r"\\d+")

`wait` looks only at what came since the last match, so a test sees what it caused."""

import errno
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

FRAY = os.path.abspath(os.environ.get("FRAY", "build/debug/fray"))
INPUTRC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inputrc")
# a generous end for what should come at once: only a failure waits for it
PATIENCE = 20


class Missing(Exception):
    """What was waited for did not come."""


class Terminal:
    def __init__(self, *args, cwd=None, env=None, width=200):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
        whole = {**os.environ, "TERM": "xterm", "INPUTRC": INPUTRC, "NO_COLOR": "1", **(env or {})}

        def own_terminal():
            # a session of its own with this terminal, so that Ctrl-C becomes a signal
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.child = subprocess.Popen([FRAY, *args], stdin=slave, stdout=slave, stderr=slave, cwd=cwd, env=whole, preexec_fn=own_terminal)
        os.close(slave)
        self.seen = ""
        self.all = ""
        self.raw = ""  # with the terminal's own codes
        self.cut = ""

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        if self.child.poll() is None:
            self.child.kill()
        self.child.wait()
        os.close(self.master)

    def read(self, until):
        """More output, or None when there is none any more, or before `until`."""
        ready = select.select([self.master], [], [], max(0, until - time.monotonic()))[0]
        if not ready:
            return None
        try:
            piece = os.read(self.master, 65536)
        except OSError as problem:
            if problem.errno != errno.EIO:  # how Linux says that the other side is closed
                raise
            return None
        self.raw += piece.decode("utf-8", "replace")
        text = self.cut + piece.decode("utf-8", "replace")
        whole = re.sub(r"\x1b(\[[0-9;?]*)?$", "", text)  # what a reading cut off is known with the next one
        self.cut = text[len(whole):]
        text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x07", "", whole)
        self.seen += text
        self.all += text
        return piece or None

    def wait(self, pattern):
        until = time.monotonic() + PATIENCE
        while True:
            # what ends the text is looked for at its end: a run may have told megabytes
            found = re.compile(pattern).search(self.seen, max(0, len(self.seen) - 4000) if pattern.endswith(r"\Z") else 0)
            if found:
                self.seen = self.seen[found.end():]
                return found
            if self.read(until) is None:
                raise Missing("no %r in %r" % (pattern, self.seen))

    def before(self, pattern):
        """Like wait; returns what came before the match."""
        at = len(self.all) - len(self.seen)
        found = self.wait(pattern)
        return self.all[at:at + found.start()].replace("\r\n", "\n")

    def send(self, text):
        os.write(self.master, text.encode())

    def type(self, line, prompt=r"[^\r\n]*fray> \Z"):
        """Types a line and returns what came before the next prompt."""
        self.send(line + "\r")
        self.wait(re.escape(line) + r"\r\n")
        return self.before(prompt)

    def interrupt(self):
        """Ctrl-C as a key: the terminal makes the signal."""
        self.send("\x03")

    def leave(self, prompt):
        """Ctrl-C, and the next prompt: not the old one, which readline may draw once more."""
        self.interrupt()
        self.wait(r"\^C\r\n")
        self.wait(prompt)

    def cut_short(self, line, prompt, pause=0.3):
        """Types a line that takes long and presses Ctrl-C in the midst of its work; returns what was said.

        Work is when the terminal itself shows ^C, and the command does not end the line that it was typed in: it
        may not have begun yet, or be over, where others keep the machine busy."""
        for _ in range(5):
            self.send(line + "\r")
            self.wait(re.escape(line) + r"\r\n")
            time.sleep(pause)
            self.interrupt()
            said = self.before(r"\^C")
            rest = self.before(prompt)
            if not rest.startswith("\n"):
                return said + rest
        raise Missing("no Ctrl-C in the midst of %r: %r" % (line, said + rest))

    def signal(self, number=signal.SIGINT):
        self.child.send_signal(number)

    def ended(self):
        """The exit status, when the command leaves."""
        until = time.monotonic() + PATIENCE
        while self.read(until) is not None:
            pass
        return self.child.wait(timeout=PATIENCE)
