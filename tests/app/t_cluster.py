"""What docs/odds.md says of several machines, letter by letter: three shards by hand, and a Slurm job array, by a
stand-in for sbatch that starts every task of the array, one behind the other, and then the job that depends on it. Only
the number of fights is another: what a cluster plays would take too long here."""
# seconds: 300

import os
import re
import subprocess

import app

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TRIALS = "--trials=320"

# job numbers are files that hold whether all tasks ended well
SBATCH = """\
#!/bin/sh
for word; do
	case $word in
	--parsable) ;;
	--dependency=afterok:*) [ "$(cat "job-${word#*:}")" = 0 ] || exit 1 ;;
	--wrap=*) exec sh -c "${word#*=}" ;;
	-*) echo "sbatch: $word?" >&2; exit 2 ;;
	*) script=$word ;;
	esac
done
range=$(sed -n 's/^#SBATCH --array=//p' "$script")
task=${range%-*} failed=0
while [ "$task" -le "${range#*-}" ]; do
	[ "$task" = "$LOST" ] && failed=1 || SLURM_ARRAY_TASK_ID=$task sh "$script" || failed=1
	task=$((task + 1))
done
echo $failed > job-7
echo 7
"""


def blocks(kind):
    with open(os.path.join(TOP, "docs/odds.md"), encoding="utf-8") as f:
        return re.findall(r"(?ms)^```%s\n(.*?)^```$" % kind, f.read())


def shell(t, text, **env):
    words = re.sub(r"--trials=\d{6,}", TRIALS, text)
    done = subprocess.run(["sh", "-c", words], cwd=t.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=250,
                          env={**os.environ, "PATH": "%s:%s" % (t.folder, os.environ["PATH"]), **env})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def program(t, name, text):
    os.chmod(t.write(name, text), 0o755)


def read(t, name):
    path = os.path.join(t.folder, name)
    return open(path, "rb").read() if os.path.exists(path) else None


def clear(t):
    for name in os.listdir(t.folder):
        if name.endswith((".part", ".html")) or name.startswith("job-"):
            os.remove(os.path.join(t.folder, name))


def cluster(t):
    things = open(os.path.join(TOP, "examples/things.fray"), encoding="utf-8").read()
    t.write("things.fray", things)
    t.write("mill.fray", blocks("fray mill.fray")[0])
    program(t, "fray", '#!/bin/sh\nexec "%s" "$@"\n' % app.FRAY)
    program(t, "sbatch", SBATCH)
    hand, = [b for b in blocks("sh") if "--shard=1/3" in b]
    array, = [b for b in blocks("sh") if b.startswith("#!") and "#SBATCH" in b]
    submit, = [b for b in blocks("sh") if "sbatch --parsable" in b]
    one = t.fray("odds", TRIALS, "mill.fray")
    t.same("three shards by hand are what one machine tells", shell(t, hand), one)
    clear(t)
    page = t.fray("odds", TRIALS, "--report=mill.html", "mill.fray")
    whole = read(t, "mill.html")
    clear(t)
    program(t, "mill.sh", re.sub(r"--trials=\d{6,}", TRIALS, array))
    t.same("so is a job array", shell(t, submit), page)
    t.check("with the same page", whole is not None and read(t, "mill.html") == whole)
    clear(t)
    status, out, err = shell(t, submit, LOST="17")
    t.check("when a task of it is lost nothing is put together", status != 0 and out == "" and read(t, "mill.html") is None, status, out, err)
    status, out, err = shell(t, "fray merge --report=mill.html mill-*.part")
    t.check("or, by hand, the one that is missing is named", status == 2 and out == "" and "Missing: shard 17 of 64." in err and read(t, "mill.html") is None, status, out, err)
    shell(t, "SLURM_ARRAY_TASK_ID=17 sh mill.sh")
    t.same("and once it is played, all is there", shell(t, "fray merge --report=mill.html mill-*.part"), page)


app.run([cluster])
