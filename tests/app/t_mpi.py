"""make mpi, and mpirun fray-mpi odds: to the byte what one machine would have told; a killed rank
leaves nothing half-written. Skipped, and said so, where there is no Open MPI."""
# seconds: 300

import os
import shutil
import signal
import subprocess
import time

import app

SCRIPT = app.LONG.replace("until orcs are down", "orcs follow stand firm\n  until party is down or orcs are down").replace("use osric\n", "use osric with brave\n") + """
odds 101 giving party wins, Bruna hits orc #1, average round, spread Bruna's hit points
odds 60 { Bruna waits } vs { Bruna attacks orc #2 } giving party wins, average Bruna's hit points
sweep Bruna's hit points from 1 to 31 by 15 { odds 50 giving party wins }
"""
BRAVE = 'house rules brave for osric\nrule brave "house 1" { adjust to-hit (attacker, target, weapon) by 1 when attacker is Bruna }\n'


def read(t, name):
    with open(os.path.join(t.folder, name), "rb") as f:
        return f.read()


def mpi(t):
    mpicc, mpirun = shutil.which("mpicc"), shutil.which("mpirun")
    if not mpicc or not mpirun:
        t.skip("fray-mpi", "there is no Open MPI here")
        return
    top = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    mode = os.path.basename(os.path.dirname(app.FRAY))
    plain = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MODE", "JOBS")}
    made = subprocess.run(["make", "-C", top, "mpi", "MODE=" + mode], env=plain, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    t.check("make mpi", made.returncode == 0, made.stdout.decode())
    binary = os.path.join(os.path.dirname(app.FRAY), "fray-mpi")

    def run(*words, ranks=3):
        done = subprocess.run([mpirun, "--allow-run-as-root", "--oversubscribe", "-np", str(ranks), binary, *words], cwd=t.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    t.write("gorge.fray", SCRIPT)
    t.write("brave.fray", BRAVE)
    for form in ((), ("--json",)):
        status, out, err = run("odds", "--trials=100", "--seed=3", *form, "gorge.fray")
        t.same("three ranks, as one machine, %s" % "".join(form or ("in words, without colours",)), (status, out), t.fray("odds", "--trials=100", "--seed=3", *form, "gorge.fray")[:2])
    status, out, err = run("odds", "--trials=50", "--report=ranks.html", "gorge.fray", ranks=2)
    t.fray("odds", "--trials=50", "--report=one.html", "gorge.fray")
    t.check("the same page", status == 0 and read(t, "ranks.html") == read(t, "one.html"), status, err)
    status, out, err = run("odds", "--trials=100", "--seed=3", "--out=answer", "gorge.fray")
    t.same("an answer into a file", (status, out, read(t, "answer").decode()), (0, "", t.fray("odds", "--trials=100", "--seed=3", "gorge.fray")[1]))
    status, out, err = run("odds", "--trials=100", "--out=/dev/full", "gorge.fray")
    t.check("a full disk below it is told", status == 2 and err.count("cannot write the answer /dev/full: No space left on device.") == 1, status, out, err)
    status, out, err = run("odds", "--trials=1000000000000", "--out=nowhere/answer", "gorge.fray")
    t.check("a folder that is not there, before anything is played", status == 2 and err.count("cannot write the answer nowhere/answer: No such file or directory.") == 1, status, out, err)
    status, out, err = run("odds", "--trials=5", "nowhere.fray")
    t.check("what is wrong is said once", status == 2 and err.count("there is no such file") == 1, status, err)
    status, out, err = run("odds", "--exact", "gorge.fray")
    t.check("what cannot be divided", status == 2 and "leave out" in err, status, err)
    # a rank that is killed takes the others along, and nothing half is left
    before = sorted(os.listdir(t.folder))
    child = subprocess.Popen([mpirun, "--allow-run-as-root", "--oversubscribe", "-np", "2", binary, "odds", "--trials=100000000", "--report=dead.html", "gorge.fray"], cwd=t.folder,
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(2)
    ranks = subprocess.run(["pgrep", "-P", str(child.pid)], stdout=subprocess.PIPE).stdout.split()
    if ranks:
        os.kill(int(ranks[-1]), signal.SIGKILL)
    else:
        child.kill()
    err = child.communicate(timeout=60)[1].decode()
    t.check("a killed rank ends the job", child.returncode != 0 and sorted(os.listdir(t.folder)) == before, child.returncode, err)


app.run([mpi])
