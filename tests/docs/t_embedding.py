"""The programs of docs/embedding.md: the one in C is compiled and run, the one in Python run with the shared
library, and both print what the page says."""
# seconds: 600

import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests"))
import tap  # noqa: E402

BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(TOP, "build/debug")))
QUESTION = "why does goblin die"
PAGE = os.path.join(TOP, "docs/embedding.md")
SAN = ("asan", "ubsan", "san", "tsan", "cov")


def done(*words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=500, **more)


def main():
    with open(PAGE, encoding="utf-8") as f:
        blocks = {m[1]: m[2] for m in re.finditer(r"^```([^\n]+)\n(.*?)^```$", f.read(), re.M | re.S)}
    folder = tempfile.mkdtemp(prefix="fray-embedding-")
    try:
        os.makedirs(os.path.join(folder, "include"))
        os.symlink(os.path.join(TOP, "lang/api"), os.path.join(folder, "include/fray"))
        for name, kind in (("thirty.c", "c thirty"), ("thirty.py", "python thirty"), ("gate.fray", "fray gate.fray")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                f.write(blocks[kind])
        source = [line for line in blocks["c thirty"].split("\n") if line and not line.startswith("#include")]
        tap.check("the program has about thirty lines", len(source) <= 36, len(source))
        mode = os.path.basename(BUILD)
        flags = {"asan": ["-fsanitize=address"], "ubsan": ["-fsanitize=undefined"], "san": ["-fsanitize=address,undefined"], "tsan": ["-fsanitize=thread"], "cov": ["--coverage"]}.get(mode, [])
        cc = os.environ.get("CC", "cc").split()
        r = done(*cc, "-std=c11", "-Wall", "-Wextra", "-Werror", *flags, "-Iinclude", "thirty.c", os.path.join(BUILD, "libfray.a"), "-pthread", "-ljansson", "-lm", "-o", "thirty", cwd=folder)
        tap.check("it compiles", r.returncode == 0, r.stdout.decode())
        with open(os.path.join(folder, "gate.fray"), "rb") as script:
            r = done(os.path.join(folder, "thirty"), QUESTION, stdin=script, cwd=folder)
        told = r.stdout.decode()
        if "--bless" in sys.argv:
            with open(PAGE, encoding="utf-8") as f:
                page = f.read()
            with open(PAGE, "w", encoding="utf-8") as f:
                f.write(re.sub(r"^```text thirty\n.*?^```$", lambda m: "```text thirty\n%s```" % told, page, flags=re.M | re.S))
            return
        tap.check("it prints what the page says", told == blocks["text thirty"], told)
        if mode in SAN:
            print("# the Python program is left out: a library with sanitizers needs them loaded first")
        else:
            objects = [os.path.join(BUILD, "libfray.a")]
            r = done(*cc, "-shared", "-o", "libfray.so", "-Wl,--whole-archive", *objects, "-Wl,--no-whole-archive", "-pthread", "-ljansson", "-lm", cwd=folder)
            tap.check("there is a shared library", r.returncode == 0, r.stdout.decode())
            r = done(sys.executable, "thirty.py", "./libfray.so", "gate.fray", QUESTION, cwd=folder)
            tap.check("the Python program prints the same", r.stdout.decode() == told, r.stdout.decode())
    finally:
        shutil.rmtree(folder)
    tap.end()


main()
