"""fray completion: what is printed for each shell has every command and every option that help
has, and a shell that is here reads it."""

import re
import shutil
import subprocess

import app


def told(t, *args):
    return t.fray(*args)[1]


def commands(t):
    return re.findall(r"^  ([a-z]+) ", told(t, "--help"), re.M)


def options(t, command):
    return set(re.findall(r"^\s+(?:-\w, )?--([a-z-]+)", told(t, command, "--help"), re.M))


def all_there(t):
    bash, zsh, fish = (told(t, "completion", shell) for shell in ("bash", "zsh", "fish"))
    for command in commands(t):
        wanted = options(t, command)
        line = re.search(r"^\s+%s\).*" % command, bash, re.M)
        t.same("bash: %s" % command, set(re.findall(r"--([a-z-]+)", line.group(0) if line else "")), wanted)
        part = re.search(r"^\s+%s\) _arguments(.*?);;" % command, zsh, re.M | re.S)
        t.same("zsh: %s" % command, set(re.findall(r"^\s+'--([a-z-]+)", part.group(1) if part else "", re.M)), wanted)
        mine = re.findall(r"^complete -c fray(?: -n '__fish_seen_subcommand_from %s')? -l ([a-z-]+)" % command, fish, re.M)
        t.same("fish: %s" % command, set(mine), wanted)


def wrong(t):
    t.one_sentence("another shell", t.fray("completion", "bsh")[2], r"bash, zsh and fish, not \"bsh\"; did you mean bash\?")
    t.same("which is wrong", t.fray("completion", "bsh")[0:2], (2, ""))
    t.same("none is, too", t.fray("completion")[0], 2)


def completed(t, *words):
    """What bash offers for the last of the words."""
    script = told(t, "completion", "bash") + "\nCOMP_WORDS=(%s)\nCOMP_CWORD=%d\n_fray\nprintf '%%s\\n' \"${COMPREPLY[@]}\"\n" % (
        " ".join("'%s'" % w for w in words), len(words) - 1)
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=t.folder, timeout=60)
    return done.stdout.split("\n")[:-1], done.stderr


def in_bash(t):
    t.write("ford.fray", app.FORD)
    t.write("notes.txt", "")
    t.same("a command", completed(t, "fray", "comp"), (["compare", "completion"], ""))
    t.same("an option", completed(t, "fray", "odds", "--sens"), (["--sensitivity"], ""))
    t.same("one with a value", completed(t, "fray", "run", "--see"), (["--seed="], ""))
    t.check("a script", "ford.fray" in completed(t, "fray", "run", "fo")[0])
    t.check("and no other file", "notes.txt" not in completed(t, "fray", "run", "no")[0])
    t.same("shells", completed(t, "fray", "completion", "z"), (["zsh"], ""))
    t.same("commands that help explains", completed(t, "fray", "help", "mer"), (["merge"], ""))


def parsed(t):
    for shell, check in (("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])):
        if not shutil.which(shell):
            t.skip("%s reads it" % shell, "it is not here")
            continue
        path = t.write("completion." + shell, told(t, "completion", shell))
        done = subprocess.run(check + [path], capture_output=True, text=True, cwd=t.folder, timeout=60)
        t.same("%s reads it" % shell, (done.returncode, done.stderr), (0, ""))


app.run([all_there, wrong, in_bash, parsed])
