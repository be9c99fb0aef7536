"""client.py - a client of the language server protocol, speaking to `fray lsp` on its standard streams.

Positions are those of the protocol: a line, and UTF-16 units in it."""

import json
import os
import queue
import subprocess
import threading
import urllib.parse

FRAY = os.environ.get("FRAY", "build/debug/fray")


def uri_of(path):
    return "file://" + urllib.parse.quote(os.path.abspath(path))


def units(text):
    return len(text.encode("utf-16-le")) // 2


def position(text, at):
    """The place of a character (an index of Python) in the protocol's terms."""
    before = text[:at].replace("\r\n", "\n").replace("\r", "\n")
    return {"line": before.count("\n"), "character": units(before[before.rfind("\n") + 1:])}


def lines(text):
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def index(text, place):
    """And back; only for texts whose lines end in a newline alone."""
    rows = text.split("\n")
    at = sum(len(row) + 1 for row in rows[:place["line"]])
    row, n = rows[place["line"]], 0
    while n < len(row) and units(row[:n]) < place["character"]:
        n += 1
    return at + n


def said(text, span):
    return text[index(text, span["start"]):index(text, span["end"])]


def applied(text, edits):
    for e in sorted(edits, key=lambda e: index(text, e["range"]["start"]), reverse=True):
        text = text[:index(text, e["range"]["start"])] + e["newText"] + text[index(text, e["range"]["end"]):]
    return text


class Client:
    def __init__(self, root=None, home=None):
        env = dict(os.environ)
        if home:
            env.update(HOME=home, XDG_CACHE_HOME=os.path.join(home, "cache"))
        self.process = subprocess.Popen([FRAY, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        self.said, self.id, self.published = queue.Queue(), 0, {}
        threading.Thread(target=self._listen, daemon=True).start()
        self.opened = self.ask("initialize", processId=None, rootUri=uri_of(root) if root else None, capabilities={})
        self.tell("initialized")

    def _listen(self):
        out = self.process.stdout
        while True:
            length = 0
            while True:
                line = out.readline()
                if line in (b"\r\n", b""):
                    break
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not line:
                self.said.put(None)
                return
            self.said.put(json.loads(out.read(length)))

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(dict(message, jsonrpc="2.0")).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def next(self, seconds=60):
        message = self.said.get(timeout=seconds)
        if message and message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]
        return message

    def tell(self, method, **params):
        self.send({"method": method, "params": params})

    def ask(self, method, **params):
        self.id += 1
        self.send({"id": self.id, "method": method, "params": params})
        while True:
            message = self.next()
            if message is None:
                raise EOFError("the server ended at " + method + ": " + self.process.stderr.read().decode())
            if message.get("id") == self.id:
                return message.get("result") if "result" in message else message["error"]

    def open(self, uri, text, version=1):
        self.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": "fray", "version": version, "text": text})

    def change(self, uri, version, changes):
        self.tell("textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=changes)

    def problems(self, uri, version):
        """What is published of that version."""
        while self.published.get(uri, {}).get("version") != version:
            if self.next() is None:
                raise EOFError("the server ended: " + self.process.stderr.read().decode())
        return self.published[uri]["diagnostics"]

    def of(self, uri):
        return {"uri": uri}

    def close(self):
        """The exit status, after shutdown and exit."""
        self.ask("shutdown")
        self.tell("exit")
        self.process.stdin.close()
        return self.process.wait(timeout=60)
