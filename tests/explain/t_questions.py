#!/usr/bin/env python3
"""t_questions.py - what referees ask of a fight, and what a true answer has to name. TAP.

Each questions/NAME.fray is a fight on its own (its dice forced, or seeded); questions/NAME.ask
holds questions about it, and what their answers must and must not contain. One prompt answers
all the questions of a file. The lines of an .ask file:

  -- comment
  fight five-ways.fray     the fight, if it is not NAME.fray (in front of the first question)
  rules lite               play by other rules than the script names (likewise)
  seed 7                   other dice (likewise)
  encounter The Ford       begin this one of several; what follows is asked of it
  after round 1            what follows is asked when round 1 has been played
  play step to segment 5   type this line at the prompt first
  at the end               what follows is asked when the fight is over; so it is if nothing is said
  ? why orc #1 dies        a question, as it is typed; the lines below it judge its answer
  first: Bruna; 5 - 5 = 0  fragments, each of which is in the first sentence
  has: 17 (forced)         .. somewhere in the answer
  never: last hurt         .. nowhere in it
  lines: 12                the most lines that the answer may have (10)
  pending: reason          it does not hold yet; the test fails as soon as it does

A fragment is compared without regard to line breaks and capitals; `a | b` is either. Fragments
are facts - names, numbers, times -, so that an answer in other words passes if it is true.
A fragment of one word or number is found as a whole: `5` is not in `15`.

Whatever is asked, the answer begins with a sentence, has at most ten lines, is indented at most
twice, breaks no line within a bracket or a sum, and names no clause of an inventory and no field
that only rules keep - save for questions that end in `in full`.

usage: FRAY=build/debug/fray tests/explain/t_questions.py [-v] [--unmark] [PART_OF_A_NAME ...]

-v prints every answer; --unmark takes `pending:` away where it holds.
"""

import glob
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build/debug/fray")))
FOLDER = os.path.join(TOP, "tests/explain/questions")
LINES = 10

CLAUSE = re.compile(r"\b(OSRIC|LITE|PROC|CRUC|DEW)-[A-Z0-9]|, -\d|\b(GAP|INIT|SEQ|SURP|SPELL|MULT|TIE|DECL)-\d")
WIDE = re.compile(r"^( *)")


class Prompt:
    """`fray repl`, a line at a time: behind each a sum is typed, whose result ends the answer."""

    SUM, RESULT = "90071 + 1", "90072\n"

    def __init__(self, script, options):
        self.child = subprocess.Popen([FRAY, "repl", *options, os.path.basename(script)], cwd=os.path.dirname(script),
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True, env={**os.environ, "COLUMNS": "80"})

    def type(self, line):
        """What is answered."""
        try:
            self.child.stdin.write(line + "\n" + self.SUM + "\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            pass
        got = []
        while True:
            text = self.child.stdout.readline()
            if text == self.RESULT:
                return "".join(got)
            if not text:
                raise RuntimeError("the prompt ended with status %s at: %s\n%s" % (self.child.wait(), line, "".join(got)))
            got.append(text)

    def must(self, line):
        got = self.type(line)
        if refused(got):
            raise RuntimeError("%s: %s" % (line, got))
        return got

    def close(self):
        self.child.stdin.close()
        self.child.stdout.close()
        self.child.wait()


def refused(text):
    return text.startswith("(prompt):")


class Question:
    def __init__(self, text, line, moment):
        self.text, self.line, self.moment = text, line, moment
        self.first, self.has, self.never, self.pending, self.lines = [], [], [], None, LINES


def read(path):
    """The script that a file asks about, the options of the command, and the questions, each with its moment."""
    options, asked, moment = [], [], ("end",)
    script = path[:-4] + ".fray"
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.strip()
            if not line or line.startswith("--"):
                continue
            where = "%s:%d" % (os.path.basename(path), number)
            key, _, rest = line.partition(" ")
            if key == "?":
                asked.append(Question(rest.strip(), where, moment))
            elif key in ("first:", "has:", "never:"):
                getattr(asked[-1], key[:-1]).extend(x.strip() for x in rest.split(";") if x.strip())
            elif key == "lines:":
                asked[-1].lines = int(rest)
            elif key == "pending:":
                asked[-1].pending = rest
            elif key == "fight":
                script = os.path.join(os.path.dirname(path), rest)
            elif key == "rules":
                options.append("--rules=" + rest)
            elif key == "seed":
                options.append("--seed=" + rest)
            elif key == "encounter":
                moment = ("begin", rest, number)
                asked.append(Question(None, where, moment))
                moment = ("end",)
            elif key == "after":
                moment = ("round", int(rest.replace("round", "")))
            elif key == "play":
                asked.append(Question(None, where, ("type", rest)))
                moment = ("now",)
            elif line == "at the end":
                moment = ("end",)
            else:
                raise SystemExit("%s: what is: %s" % (where, line))
    return script, options, asked


def play_through(prompt, wanted):
    """Plays until the round has been played and nothing of the next."""
    while True:
        got = prompt.must("step")
        if not got or re.search(r"^the (fight is over|script)", got, re.M):
            return
        if any(int(x) > wanted for x in re.findall(r"^round (\d+)", got, re.M)):
            prompt.must("undo")
            return


def names_in(text):
    found = set()
    for line in re.sub(r"\n {3,}", " ", text).splitlines():
        _, _, members = line.partition(":")
        found |= {x.strip() for x in members.split(",") if x.strip()}
    return found


def flat(text):
    return re.sub(r"\s+", " ", text).strip()


def sentence(text):
    """The first sentence: the lines before the first that is indented, up to a full stop."""
    lead = []
    for line in text.splitlines():
        if line.startswith(" ") or not line.strip():
            break
        lead.append(line)
    return re.split(r"(?<=[.!?])\s+(?=[A-Z0-9\"])", flat(" ".join(lead)))[0]


def within(fragment, text):
    text = flat(text).lower()
    for part in fragment.lower().split("|"):
        part = flat(part)
        pattern = (r"(?<![\w.])" if part[0].isalnum() else "") + re.escape(part) + (r"(?![\w]|\.\d)" if part[-1].isalnum() else "")
        if re.search(pattern, text):
            return True
    return False


def shape(question, text, names, most=None):
    """What is wrong with an answer whatever is asked."""
    most = most or question.lines
    wrong = []
    lines = text.rstrip("\n").split("\n")
    if not text.strip():
        return ["the answer is empty"]
    lead = sentence(text)
    if not re.match(r"[A-Z0-9\"+-]", lead) and not any(lead.startswith(n) for n in names):
        wrong.append("it begins with no sentence: " + lead)
    if lead[-1:] not in ".:?!\"":
        wrong.append("the first sentence has no end: " + lead)
    if len(lines) > most:
        wrong.append("%d lines; %d are the most" % (len(lines), most))
    steps = sorted({len(WIDE.match(x).group(1)) for x in lines if x.strip()})
    # what follows a label in its column is no deeper level
    if len([x for x in steps if x <= 8]) > 3:
        wrong.append("it is indented more than twice: columns %s" % steps)
    for before, after in zip(lines, lines[1:] + [""]):
        # what is quoted from a script may be longer than a line
        if '"' not in text and (before.count("(") != before.count(")") or before.count("[") != before.count("]")):
            wrong.append("a line is broken in a bracket: " + before.strip())
            break
        # a figure that begins with its sign has a line of its own, as deep as the one before it
        goes_on = len(WIDE.match(after).group(1)) > 2 or not WIDE.match(before + after).group(1)
        below = re.match(r"\s*-\d", after) and re.search(r" (is|are|of|to)$", before)  # a number below zero, and no sum
        if re.search(r"(\d|\s)[-+x=/]$", before) or goes_on and not below and re.match(r"\s*(#\d|[-+x=/] ?\d)", after) and re.search(r"[\w)\]]$", before):
            wrong.append("a line is broken in a sum: %s / %s" % (before.strip(), after.strip()))
            break
    found = CLAUSE.search(text)
    if found:
        wrong.append("it names a clause of an inventory: " + found.group(0))
    for field in HIDDEN:
        # "surprise round" and "charged home" are words of sentences, too
        if re.search(r"(\w's|s') %s\b" % re.escape(field), flat(text)):
            wrong.append("it names a field that rules keep: " + field)
    return wrong


def kept_fields():
    """The fields declared as bookkeeping in the library's sources: every .. keeps { name: .. }."""
    found = {"last hurt", "open to harm until", "down since", "life sum"}
    for path in glob.glob(os.path.join(TOP, "stdlib/**/*.fray"), recursive=True):
        with open(path, encoding="utf-8") as f:
            text = re.sub(r"--[^\n]*", "", f.read())
        for block in re.finditer(r"^every [^\n{]* keeps \{(.*?)^\}", text, re.M | re.S):
            for name in re.findall(r"^\s*([a-z][a-z' -]*?)\s*:", block.group(1), re.M):
                # a name of one word is a word of sentences as well
                if " " in name:
                    found.add(name)
    # crucible's field for it is called as its first turn is
    return found - {"surprise round"}


def judge(question, got, names):
    """What is wrong with an answer."""
    if refused(got):
        return ["it was refused: " + got], got
    full = question.text.endswith("in full") or not re.match(r"(why|who|what|when|how|did|was)\b", question.text)
    wrong = [] if full else shape(question, got, names)
    lead = sentence(got)
    wrong += ["not in the first sentence: " + x for x in question.first if not within(x, lead)]
    wrong += ["not in the answer: " + x for x in question.has if not within(x, got)]
    wrong += ["it must not say: " + x for x in question.never if within(x, got)]
    return wrong, got


class Tally:
    def __init__(self, verbose):
        self.count = self.failed = self.pending = 0
        self.verbose = verbose

    def point(self, ok, name, *lines):
        self.count += 1
        self.failed += not ok
        print("%s %d - %s" % ("ok" if ok else "not ok", self.count, name))
        if not ok or self.verbose:
            for line in "\n".join(lines).splitlines():
                print("# " + line)


def moved(prompt, question, state):
    """Brings the fight where the question is asked."""
    kind = question.moment[0]
    if kind == "begin":
        state["names"] = names_in(prompt.must("begin " + question.moment[1]))
        state["at"] = None
    elif kind == "type":
        prompt.must(question.moment[1])
        state["at"] = None
    elif state["at"] != question.moment:
        if kind == "round":
            play_through(prompt, question.moment[1])
        elif kind == "end":
            prompt.must("run")
        state["at"] = question.moment


def answers(path):
    """Each question of a file with what is wrong with its answer, and the answer."""
    script, options, questions = read(path)
    prompt = Prompt(script, options)
    state = {"at": None, "names": set()}
    try:
        if not questions or questions[0].text is not None or questions[0].moment[0] != "begin":
            state["names"] = names_in(prompt.must("begin"))
        for q in questions:
            moved(prompt, q, state)
            if q.text is not None:
                yield (q, *judge(q, prompt.type(q.text), state["names"]))
    finally:
        prompt.close()


def asked_of(path, tally):
    name = os.path.basename(path)[:-4]
    try:
        for q, wrong, text in answers(path):
            title = "%s: %s" % (name, q.text)
            if q.pending:
                tally.pending += 1
                tally.point(bool(wrong), title + " # pending: " + q.pending, "It holds now: take `pending:` away (%s)." % q.line, *wrong, text)
            else:
                tally.point(not wrong, title, q.line, *wrong, "the answer:", text)
    except (RuntimeError, ValueError) as problem:
        tally.point(False, "%s can be asked" % name, str(problem))


HIDDEN = kept_fields()


def unmark(path):
    """Takes the marks away from questions of a file that hold."""
    held = {int(q.line.split(":")[1]) for q, wrong, _ in answers(path) if q.pending and not wrong}
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    kept, within_held = [], False
    for number, line in enumerate(lines, 1):
        if line.startswith("? "):
            within_held = number in held
        if not (within_held and line.startswith("pending:")):
            kept.append(line)
    if held:
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(kept))
        print("# %s: %d marks taken away" % (os.path.basename(path), len(held)))


def main(args):
    verbose = "-v" in args
    parts = [x for x in args if not x.startswith("-")]
    tally = Tally(verbose)
    if "--unmark" in args:
        for path in sorted(glob.glob(os.path.join(FOLDER, "*.ask"))):
            if not parts or any(p in path for p in parts):
                unmark(path)
        return 0
    for path in sorted(glob.glob(os.path.join(FOLDER, "*.ask"))):
        if not parts or any(p in path for p in parts):
            asked_of(path, tally)
    print("1..%d" % tally.count)
    print("# %d questions, %d pending" % (tally.count, tally.pending))
    return 1 if tally.failed or not tally.count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
