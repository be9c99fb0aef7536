"""The command as a whole: help, version, abbreviations, what is asked of it that it has not got."""

import re

import app

COMMANDS = ["new", "run", "test", "odds", "merge", "check", "fmt", "compare", "repl", "show", "dis", "lsp", "import", "completion", "help"]


def helps(t):
    status, out, err = t.fray("--help")
    t.same("--help is fine", (status, err), (0, ""))
    t.same("it lists every command", re.findall(r"^  ([a-z]+) .{20}", out, re.M), COMMANDS)
    t.same("-h is the same", t.fray("-h"), (0, out, ""))
    t.same("bare fray without a terminal prints it as a mistake", t.fray(), (2, "", out))
    for name in COMMANDS:
        status, out, err = t.fray(name, "--help")
        t.same("%s --help is fine" % name, (status, err), (0, ""))
        t.like("%s --help begins with its usage" % name, out, r"\Ausage: fray %s \[OPTION\]\.\.\. " % name)
        t.check("%s --help fits a terminal" % name, all(len(line) <= 110 for line in out.splitlines()), out)
        t.same("%s --he is short for it" % name, t.fray(name, "--he")[1], out)
        t.same("%s x -h too, wherever it stands" % name, t.fray(name, "x", "-h")[1], out)
    t.like("fray -e has help", t.fray("-e", "1", "--help")[1], r"\Ausage: fray ")


def versions(t):
    status, out, err = t.fray("--version")
    t.same("--version is fine", (status, err), (0, ""))
    t.like("and says it", out, r"\Afray \d+\.\d+\.\d+$")
    t.same("-V", t.fray("-V")[1], out)
    for name in COMMANDS:
        t.same("%s --version" % name, t.fray(name, "--version"), (0, out, ""))


def options(t):
    t.write("ford.fray", app.FORD)
    whole = t.fray("run", "--json", "--seed", "3", "ford.fray")
    t.same("options may follow the file", t.fray("run", "ford.fray", "--json", "--seed", "3"), whole)
    t.same("and be shortened", t.fray("run", "--js", "--se=3", "ford.fray"), whole)
    t.one_sentence("but not to what two begin with", t.fray("run", "--r", "x", "ford.fray")[2], "--rules or --replay")
    t.one_sentence("a slip of the finger is seen", t.fray("run", "--jsno", "ford.fray")[2], "did you mean --json")
    t.one_sentence("what is like nothing is refused", t.fray("run", "--zzzzzz", "ford.fray")[2], "fray run --help")
    t.one_sentence("so is a letter", t.fray("run", "-j", "ford.fray")[2], "-j")
    t.one_sentence("a value is missed", t.fray("run", "ford.fray", "--seed")[2], "--seed needs a value")
    t.one_sentence("a value is too much", t.fray("run", "--json=yes", "ford.fray")[2], "--json takes no value")
    for args in (["run", "--zzz", "ford.fray"], ["run", "--r", "x", "ford.fray"], ["run", "ford.fray", "--seed"], ["run"], ["dis"], ["show"]):
        status, out, err = t.fray(*args)
        t.same("`%s` is status 2 and no result" % " ".join(args), (status, out, err.count("\n")), (2, "", 1))
    t.write("--why", app.FORD)
    t.same("after -- nothing is an option", t.fray("run", "--", "--why")[0], 0)
    t.write("run", app.FORD)
    t.same("a command's name is the command", t.fray("run")[0], 2)
    t.same("a file of that name is reached by its path", t.fray("./run")[0], 0)


def unknown(t):
    t.one_sentence("an unknown command: the nearest", t.fray("chek", "x.fray")[2], 'did you mean "fray check"')
    t.one_sentence("what is typed at the prompt", t.fray("why", "x.fray")[2], 'typed at the prompt: fray repl')
    t.write("cellar.fray", app.FORD)
    t.one_sentence("a file without its ending", t.fray("test", "cellar")[2], "did you mean cellar.fray?")
    t.one_sentence("or with another", t.fray("run", "cellar.fry")[2], "did you mean cellar.fray?")
    t.one_sentence("or with no command", t.fray("cellar")[2], "did you mean cellar.fray?")
    t.one_sentence("the end of an option's name", t.fray("run", "--rounds", "3", "cellar.fray")[2], "did you mean --max-rounds?")
    t.one_sentence("nothing near", t.fray("xyzzyx")[2], "fray --help")
    t.same("status 2", t.fray("chek", "x.fray")[0], 2)
    t.one_sentence("what looks like a file is one", t.fray("none.fray")[2], "no such file")
    t.write("plain", app.FORD)
    t.same("a file needs no ending", t.fray("plain")[0], 0)
    t.write("hash.fray", "#!/usr/bin/env fray\n" + app.FORD)
    t.same("a script may begin with #!", t.fray("hash.fray")[0], 0)


app.run([helps, versions, options, unknown])
