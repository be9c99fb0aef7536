"""What `make install` copies is enough to build a program with Fray inside."""
# seconds: 300

import os
import shutil
import subprocess

import app

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")


def done(*args, **more):
    return subprocess.run(args, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=500, **more)


def embed(t):
    plain = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MODE", "JOBS")}
    prefix = os.path.join(t.folder, "usr")
    r = done("make", "-C", TOP, "install", "MODE=release", "PREFIX=" + prefix, env=plain)
    t.check("make install", r.returncode == 0, r.stdout[-500:], r.stderr[-500:])
    # the source alone, outside the checkout: nothing but what was installed can help it
    source = shutil.copy(os.path.join(TOP, "examples", "embed", "watch.c"), t.folder)
    flags = done("pkg-config", "--cflags", "--libs", "fray", env=dict(plain, PKG_CONFIG_PATH=prefix + "/lib/pkgconfig"))
    t.same("pkg-config knows it", (flags.returncode, flags.stderr), (0, ""))
    program = os.path.join(t.folder, "watch")
    r = done("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", source, "-o", program, *flags.stdout.split())
    t.same("it compiles", (r.returncode, r.stderr), (0, ""))
    env = dict(plain, LD_LIBRARY_PATH=prefix + "/lib")
    r = done(program, os.path.join(TOP, "examples", "bridge.fray"), env=env)
    t.same("it plays a fight", (r.returncode, r.stderr), (0, ""))
    t.like("step by step, as the command tells it", r.stdout, r"(?s)^.*round 1\n.*0 failed, 0 complaints\n$")
    told = t.fray("run", os.path.join(TOP, "examples", "bridge.fray"), "--seed", "1")[1]
    t.same("with the same dice", [x for x in r.stdout.splitlines() if "attack roll" in x], [x for x in told.splitlines() if "attack roll" in x])
    r = done(program, t.write("wrong.fray", "monster orc { hit poinst: 4 }\n"), env=env)
    t.check("it hears what is wrong", r.returncode == 2 and "F0" in r.stderr, r)


app.run([embed])
