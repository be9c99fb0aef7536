#!/usr/bin/env python3
"""t_misspelt - does `fray check` notice a slip in a rule?

Every rule of the library is copied into a script, in place of itself, and four slips are made in the copy,
one at a time: the name of what a clause is about (a question, an event, a phase, an action); its roles, or
those of a call (one too few, one too many); a name that its clauses read, write or perform; and the option of
its header, or one more name, or a keyword. Each has to bring a message that the copy without the slip does not bring.

Some rules are tried, others each day of the year or by SEED; EVERY=1 tries all, as `make soak` does. The slips
of a rule are the same each time, unless SLIPS is another number than 1."""
# seconds: 600

import collections
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FRAY = os.path.abspath(os.environ.get("FRAY", os.path.join(TOP, "build/debug/fray")))
SYSTEMS = ("lite", "proc", "osric", "crucible", "dew")
SAMPLE = 60  # rules
FIGHT = "\ncombatant Ann Other { hit points: 3 }\nencounter of the misspelt { side one: Ann Other }\n"
HEADER = re.compile(r'^rule (.+?)\s*(?="|\{|exception to |replaces |if |ruling )', re.M)

# slips that mean something else and are right by themselves, each with its reason
KNOWN = {}

Rule = collections.namedtuple("Rule", "system file name header body")


def block(text, start):
    """The end of the block that begins at the brace at `start`: texts in quotes may hold braces."""
    depth, i = 0, start
    while True:
        c = text[i]
        if c == '"' and not (i > 0 and text[i - 1].isdigit()):
            i = text.index('"', i + 1)
        elif text.startswith("--", i):
            i = text.index("\n", i) - 1
        elif c == "{":
            depth += 1
        elif c == "}":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1


def brace(text, start):
    """The brace behind a header, in which texts may hold braces."""
    i = start
    while text[i] != "{":
        i = text.index('"', i + 1) + 1 if text[i] == '"' else i + 1
    return i


def rules():
    """Every rule at the top of a file of the library."""
    for path in sorted(glob.glob(os.path.join(TOP, "stdlib/*/*.fray")) + glob.glob(os.path.join(TOP, "stdlib/shelf/*/*.fray"))):
        parts = os.path.relpath(path, os.path.join(TOP, "stdlib")).split(os.sep)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        system = parts[1] if len(parts) == 3 else "osric" if parts[0] == "shelf" else parts[0]
        if system not in SYSTEMS + ("core",):
            continue
        for m in HEADER.finditer(text):
            at = brace(text, m.end())
            end = block(text, at)
            yield Rule((system, parts[0] == "shelf"), "/".join(parts), m[1], text[m.start():at], text[at:end])


def script(rule, header, body):
    system, shelf = rule.system
    use = "" if system == "core" else "use %s\n" % system
    name = 'rule of the misspelt'
    cited = re.match(r"rule " + re.escape(rule.name) + r'\s*(?:"[^"]*")?', header).end()
    header = name + header[len("rule " + rule.name):cited] + " replaces %s " % rule.name + header[cited:]
    return "%s%s%s%s%s" % (use, "use shelf\n" if shelf else "", header, body, FIGHT)


def outside_texts(text):
    """The text with what stands in quotes and comments blanked, so that no slip falls there."""
    return re.sub(r'(?<!\d)"[^"]*"|--[^\n]*', lambda m: " " * len(m[0]), text)


def misspelt(name, draw):
    """The name with a slip of the pen in its longest word."""
    word = max(re.findall(r"[\w-]+", name), key=len)
    if len(word) < 3:
        return name.replace(word, word + "x")
    i = draw.randrange(1, len(word))
    slip = draw.choice(("dropped", "doubled", "swapped"))
    if slip == "swapped" and i + 1 < len(word) and word[i] != word[i + 1]:
        new = word[:i] + word[i + 1] + word[i] + word[i + 2:]
    elif slip == "dropped" and i + 1 < len(word) and word[i] != "s":
        new = word[:i] + word[i + 1:]
    else:
        new = word[:i] + "q" + word[i:]
    if new in SPELLED:
        new = word + "x"
    return name.replace(word, new, 1)


SPELLED = {"armor", "favor", "honor", "color"}  # right, in American English
WORDS = {"if", "then", "else", "and", "or", "not", "is", "has", "in", "for", "by", "to", "at", "when", "where", "unless", "with", "highest",
         "lowest", "total", "count", "any", "no", "those", "pick", "roll", "none", "yes", "as", "least", "most", "rounded", "random"}
HEADS = [re.compile(p, re.M) for p in (
    r"\b(?:define|adjust|limit) [\w -]+?'s (?P<name>[\w .-]+?)(?= (?:=|by|to at|\())",
    r"\b(?:define|adjust|limit) (?P<name>[\w -]+?) \(",
    r"\bdefine [\w -]+? is (?P<name>[\w -]+?)(?= when| unless)",
    r"\b(?:on|before|after|instead of) phase (?P<name>[\w -]+?)(?= when| unless| \{)",
    r"\b(?:on|before|after|instead of) (?!phase )(?P<name>[a-z][\w -]*?)(?= when| unless| \{| \()",
    r"\b(?:forbid|permit) (?P<name>[\w -]+?)(?=,| when| unless|$| *\})",
)]
CALLED = re.compile(r"(?<![\w'] )\b(?P<name>[a-z][\w-]*(?: [\w-]+)*?) \((?=[a-z])")
READ = re.compile(r"'s (?P<name>[a-z][\w-]*(?: [a-z][\w-]*)?)")
KEYWORD = re.compile(r"(?<=[\s{;])(?P<name>define|adjust|limit|before|after|instead|whenever|when|unless|each|where|change|forbid|order|precedes|repeat|pend)(?= )")
OPTION = re.compile(r"\boption (?P<name>[\w.-]+)(?: is (?P<value>[\w-]+|\"[^\"]*\"))?")
HEAD_ROLES = re.compile(r"\b(?:define|adjust|limit|on|before|after|instead of) (?:[\w -]+?'s )?[\w -]+? (?P<roles>\([\w, -]+\))")
HOOK = re.compile(r"\b(?:on|before|after|instead of) (?P<phase>phase )?(?P<name>[a-z][\w -]*?)(?P<at>)(?= when| unless| \{)")
FIELD_HEAD = re.compile(r"\b(?:define|adjust|limit) [\w -]+?'s [\w .-]+?(?P<at>)(?= (?:=|by|to at))")
CALL_ROLES = re.compile(r"(?<=[\w])(?<!highest)(?<!lowest)(?<!total) (?P<roles>\((?:[a-z][\w' -]*)(?:, [a-z0-9][\w' -]*)+\))")


def cut(text, start, end, new):
    return text[:start] + new + text[end:]


def of_names(patterns, plain, text, draw):
    """Slips in names that the patterns find."""
    for p in patterns:
        for m in p.finditer(plain):
            name = m["name"]
            if name.split(" ")[0] in WORDS or name.split(" ")[-1] in WORDS or not name.strip():
                continue
            yield cut(text, m.start("name"), m.end("name"), misspelt(name, draw))


def of_roles(plain, text):
    """A role too many, or too few, at a head or in a call."""
    for p in (HEAD_ROLES, CALL_ROLES):
        for m in p.finditer(plain):
            roles = m["roles"][1:-1].split(",")
            yield cut(text, m.start("roles"), m.end("roles"), "(%s)" % ",".join(roles + [roles[-1] + " again" if p is HEAD_ROLES else roles[-1]]))
            if len(roles) > 1:
                yield cut(text, m.start("roles"), m.end("roles"), "(%s)" % ",".join(roles[:-1]))
    for m in FIELD_HEAD.finditer(plain):
        yield cut(text, m.start("at"), m.end("at"), " (somebody)")
    for m in HOOK.finditer(plain):
        yield cut(text, m.start("at"), m.end("at"), " (%s)" % ", ".join("role " + r for r in ("of one", "of two", "of three", "of four", "of five", "of six", "of seven")))


def of_header(rule, draw):
    text, plain = rule.header, outside_texts(rule.header)
    for m in OPTION.finditer(plain):
        yield cut(text, m.start("name"), m.end("name"), misspelt(m["name"], draw))
        if m["value"] and re.search("[a-z]", m["value"]):
            yield cut(text, m.start("value"), m.end("value"), misspelt(m["value"], draw))
    for m in re.finditer(r"\b(?:exception to|replaces) (?P<name>[a-z][\w -]*?)(?=,| if | replaces| exception| ruling| *$)", plain):
        yield cut(text, m.start("name"), m.end("name"), misspelt(m["name"], draw))


def mutants(rule, seed):
    """Four scripts, each with one slip, and what sort it is."""
    draw = random.Random("%s %s %s" % (seed, rule.file, rule.name))
    text, plain = rule.body, outside_texts(rule.body)
    sorts = [("head", list(of_names(HEADS, plain, text, draw))), ("roles", list(of_roles(plain, text))), ("name", list(of_names((READ, CALLED), plain, text, draw)))]
    made = []
    for sort, all_of_it in sorts:
        draw.shuffle(all_of_it)
        made.append([(sort, rule.header, body) for body in all_of_it])
    made.append([("keyword", rule.header, cut(text, m.start("name"), m.end("name"), misspelt(m["name"], draw))) for m in KEYWORD.finditer(plain)])
    header = [("header", h, text) for h in of_header(rule, draw)]
    draw.shuffle(header)
    made.append(header)
    first = made[:3] + made[4:]  # a keyword only where there is nothing better
    chosen = [kind.pop() for kind in first if kind]
    rest = [m for kind in first for m in kind]
    draw.shuffle(rest)
    found = (chosen + rest + made[3])[:4]
    for _ in range(20):  # short rules: other slips at the same places
        for body in of_names(HEADS + [READ, CALLED, KEYWORD], plain, text, draw):
            if len(found) < 4 and body not in [f[2] for f in found]:
                found.append(("once more", rule.header, body))
    return found


def check(files):
    """What `fray check` says of each of the files, as a multiset of codes and sentences."""
    said = collections.defaultdict(collections.Counter)
    for i in range(0, len(files), 200):
        out = subprocess.run([FRAY, "check", "--json"] + files[i:i + 200], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        if out.returncode not in (0, 2):
            raise SystemExit("fray check ended with %d: %s" % (out.returncode, out.stderr.decode("utf-8", "replace")[:500]))
        for line in out.stdout.decode("utf-8").splitlines():
            d = json.loads(line)
            said[d["file"]][(d["code"], d["message"])] += 1
    return said


def main():
    if os.path.basename(os.environ.get("BUILD", "")) in ("asan", "ubsan", "san", "tsan", "fuzz"):
        print("ok 1 - left to builds without sanitizers\n1..1")
        return 0
    seed, every = os.environ.get("SEED", time.strftime("%j")), os.environ.get("EVERY")
    slip_seed = os.environ.get("SLIPS", "1")
    book = list(rules())
    whole = len(book)
    if not every:
        book = random.Random("rules %s" % seed).sample(book, SAMPLE)
    tried = []
    with tempfile.TemporaryDirectory(prefix="fray-misspelt-") as folder:
        def put(text):
            path = os.path.join(folder, "%d.fray" % len(os.listdir(folder)))
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            return path
        for rule in book:
            tried.append((rule, put(script(rule, rule.header, rule.body)), [(sort, put(script(rule, h, b)), h + b) for sort, h, b in mutants(rule, slip_seed)]))
        said = check([p for _, plain, slips in tried for p in [plain] + [s[1] for s in slips]])
        bad = points = slips_made = 0
        for rule, plain, slips in tried:
            missed = [(sort, text) for sort, path, text in slips if not said[path] - said[plain]]
            broken = any(code < "F0416" and not code.startswith("F05") for code, _ in said[plain])
            points += 1
            slips_made += len(slips)
            good = not broken and not [m for m in missed if (rule.file, rule.name) not in KNOWN] and len(slips) == 4
            bad += not good
            print("%sok %d - %s: %s" % ("" if good else "not ", points, rule.file, rule.name))
            if not good:
                print("# of the copy itself: %s" % dict(said[plain]))
                if len(slips) < 4:
                    print("# only %d slips can be made" % len(slips))
                for sort, text in missed:
                    print("# not noticed, %s: %s" % (sort, text.replace("\n", "\n#   ")))
    print("# %d slips in %d of %d rules" % (slips_made, len(book), whole))
    print("1..%d" % points)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
