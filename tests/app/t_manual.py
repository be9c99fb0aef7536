"""docs/fray.1 says what fray --help says: the same commands, each with the same options, the
same statuses; and man can read it.

An option is described once: before the first `.SS` for every command, below `.SS Of NAME` for
that one, below `.SS Of others` for those that follow its tag in parentheses."""

import os
import re
import shutil
import subprocess

import app

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
PAGE, LANGUAGE, WORDS = (os.path.join(TOP, name) for name in ("docs/fray.1", "docs/fray.5", "lang/front/words.def"))


def plain(line):
    """A line of the page without its macro and its fonts."""
    return re.sub(r"\\f[BIRP]", "", line).replace("\\-", "-").replace('"', "")


def section(page, heading):
    return re.search(r'^\.SH %s\n(.*?)(?=^\.SH |\Z)' % heading, page, re.M | re.S).group(1)


def tags(text):
    """(the line of a tag, the line after it) for every .TP"""
    return re.findall(r"^\.TP\n(.*)\n(.*)", text, re.M)


def names_in(line):
    return set(re.findall(r"--([a-z][a-z-]*)", plain(line)))


def options_of(page, commands):
    """{command: the options that the page gives it}"""
    found = {command: set() for command in commands}
    parts = re.split(r"^\.SS Of (.*)\n", section(page, "OPTIONS"), flags=re.M)
    for tag, after in tags(parts[0]):
        but = re.findall(r"[a-z]+", " ".join(re.findall(r"every command but ([a-z ]+)", after)))
        for command in commands:
            found[command] |= set() if command in but else names_in(tag)
    for heading, text in zip(parts[1::2], parts[2::2]):
        for tag, after in tags(text):
            whose = re.findall(r"[a-z]+", plain(after[4:])) if heading == "others" and after.startswith(".RB (") else [heading]
            for command in whose:
                found.setdefault(command, set()).update(names_in(tag))
    # fray -e, without a command
    found.pop("others", None)
    return found


def told(t, *args):
    status, out, err = t.fray(*args)
    t.same("fray %s" % " ".join(args), (status, err), (0, ""))
    return out


def same_as_help(t):
    with open(PAGE, encoding="utf-8") as f:
        page = f.read()
    overview = told(t, "--help")
    commands = re.findall(r"^  ([a-z]+) .*?   ", overview, re.M)
    t.same("the page describes the commands of fray --help, in that order", [plain(tag[3:]) for tag, _ in tags(section(page, "COMMANDS"))], commands)
    synopsis = re.findall(r"^\.B fray ([a-z]+)$", section(page, "SYNOPSIS"), re.M)
    t.same("and shows how they are called, in that order", synopsis, commands)
    documented = options_of(page, commands)
    for command in commands:
        out = told(t, command, "--help")
        given = set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", out, re.M))
        t.same("options of fray %s" % command, sorted(documented[command]), sorted(given))
    t.same("no others", sorted(documented), sorted(commands))
    statuses = re.findall(r"(?<![\w-])(\d+) [a-z]", overview[overview.index("Exit status") :])
    t.same("the statuses are those of fray --help", [plain(tag[3:]) for tag, _ in tags(section(page, "EXIT STATUS"))], statuses)
    version = told(t, "--version").split()
    t.check("its version is that of fray", '"%s"' % " ".join(version[:2]) in page.splitlines()[0], page.splitlines()[0], version)


def of_the_language(t):
    """docs/fray.5: its script is sound and holds, and it names every word that begins a statement at the top."""
    with open(LANGUAGE, encoding="utf-8") as f:
        page = f.read()
    script = re.search(r"^\.EX\n(.*?)^\.EE", page, re.M | re.S).group(1).replace("\\-", "-")
    t.write("page.fray", script)
    t.same("its example is without a mistake", t.fray("check", "page.fray"), (0, "", ""))
    t.same("and is laid out as fray fmt has it", t.fray("fmt", "--check", "page.fray")[0], 0)
    t.same("and passes as a test", t.fray("test", "page.fray")[0], 0)
    with open(WORDS, encoding="utf-8") as f:
        words = re.findall(r'^WORD\("([a-z ]+)", \w+, .*W_TOP', f.read(), re.M)
    t.same("it names every word of the top", [w for w in words if not re.search(r"\b%s\b" % w, page)], [])
    t.check("its version is that of fray", '"fray %s"' % told(t, "--version").split()[1] in page.splitlines()[0], page.splitlines()[0])


def readable(t):
    if not shutil.which("groff"):
        t.check("groff reads them # SKIP no groff here", True)
        return
    for page in (PAGE, LANGUAGE):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, timeout=30)
        t.same("groff reads it without a complaint: " + os.path.basename(page), (done.returncode, done.stderr.decode()), (0, ""))


app.run([same_as_help, of_the_language, readable])
