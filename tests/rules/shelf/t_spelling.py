#!/usr/bin/env python3
"""American spellings of the library's words: scripts written so check clean and play the same fights.

Every word of the library's names that is spelled otherwise in America has a line `spelling US = UK` in core; the words are
looked for by their endings, so that a new one is noticed."""
import glob
import os
import re
import subprocess
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
FRAY = os.environ.get("FRAY", "fray")
LIBRARY = sorted(glob.glob(os.path.join(TOP, "stdlib", "**", "*.fray"), recursive=True))
BRITISH = re.compile(r"our(s|ed|less|ing)?$|(?<![v])is(e|es|ed|ing|ation)$|ys(e|es|ed|ing)$|[^aeiou]res?$|ll(ed|ing)$|(d|f|t)ences?$|"
                     r"enceless$|ogue$|grey|mould|ax(e|es)$|axe|[^aeiou]lly$|oeuv|aeo|draught|plough|sceptic|sulph")
# the same in America, or not these endings at all
ALIKE = set("""four hour your hourly source sources fourth courage devourer surprise surprises surprised raise raises raising otherwise likewise
rise rises disease wise noise promise exercise precise advise size poise cruise imprisonment improvised improvise disguise praise
killed killing called calling rolled rolling falling dispelling filled pulled spelled spelling willing telling full-hit hurled
sentence fire are there here where fires acre more sphere cure score before spheres tire
archaeopteryx difference sequence existence fall-ing calls befalling ill stalling swelling filling gilled
fully really wholly normally finally hourglass ire dire fore mere pure bore core wire sure figure measure creature
unsurprised ogre axes max drilled smelling fencing mid-air concealed""".split())


def words(text):
    return re.findall(r"[A-Za-z]+", text)


def spellings():
    with open(os.path.join(TOP, "stdlib", "core", "core.fray"), encoding="utf-8") as f:
        return re.findall(r"\bspelling (\w+) = (\w+)", f.read())


PAIRS = spellings()
AMERICAN = {uk: us for us, uk in PAIRS}
BACK = {us: uk for us, uk in PAIRS}


def bare(path):
    """The text of a file without comments and texts."""
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"--( .*)?$", "", f.read(), flags=re.M)
    return re.sub(r'"[^"\n]*"', "", text)


def translated(text):
    """American outside texts; names in quotes stay."""
    parts = re.split(r'("[^"\n]*"|-- .*)', text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"[A-Za-z]+", lambda m: AMERICAN.get(m.group(0), m.group(0)), parts[i])
    return "".join(parts)


def british(text):
    return re.sub(r"[A-Za-z]+", lambda m: BACK.get(m.group(0), m.group(0)), text)


def fray(*arguments, cwd=None):
    return subprocess.run([FRAY, *arguments], capture_output=True, text=True, cwd=cwd, check=False)


def all_words_known():
    met = {}
    for path in LIBRARY:
        for w in words(re.sub(r"^ *rule .*?$", "", bare(path), flags=re.M).lower()):
            met.setdefault(w, path)
    lacking = [w for w in met if BRITISH.search(w) and w not in AMERICAN and w not in BACK and w not in ALIKE]
    return "no word of the library lacks its American spelling", ["%s, in %s" % (w, met[w]) for w in lacking]


def things_are_found(folder):
    wrong = []
    for kind in ("monster", "weapon", "armour", "spell", "class"):
        for path in LIBRARY:
            if "shelf" not in path:
                continue
            system = next((s for s in ("lite", "proc", "crucible", "dew") if "shelf/%s/" % s in path), "osric")
            for name in re.findall(r"^%s ([a-z][a-z -]*?)(?= is | \{|$)" % kind, bare(path), flags=re.M):
                us = " ".join(re.sub(r"[a-z]+", lambda m: AMERICAN.get(m.group(0), m.group(0)), w) for w in name.split())
                if us == name:
                    continue
                script = os.path.join(folder, "thing.fray")
                with open(script, "w", encoding="utf-8") as f:
                    f.write("use %s\nuse shelf\n%s mine is %s with { }\n" % (system, AMERICAN.get(kind, kind), us))
                p = fray("check", script)
                if p.returncode or p.stderr:
                    wrong.append("%s %s under %s: %s" % (kind, us, system, p.stderr.strip().split("\n")[0]))
    return "things of the shelf are found by American names", wrong


def same_fight(path, folder):
    logs = []
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if translated(text) == text:
        return None
    for name, t in (("uk", text), ("us", translated(text))):
        place = os.path.join(folder, name)
        os.makedirs(place, exist_ok=True)
        script = os.path.join(place, "script.fray")
        with open(script, "w", encoding="utf-8") as f:
            f.write(t)
        p = fray("run", "--json", "script.fray", cwd=place)
        logs.append(british(p.stdout) + british(p.stderr.split("\n")[0]))
    return "%s plays the same fight" % os.path.relpath(path, TOP), [] if logs[0] == logs[1] and len(logs[0]) > 200 else ["the logs differ"]


def main():
    answers = []
    with tempfile.TemporaryDirectory() as folder:
        answers.append(all_words_known())
        answers.append(things_are_found(folder))
        for part in ("core/damage", "osric/initiative", "lite/spells", "proc/charge", "crucible/melee", "dew/attacks", "shelf/magic", "shelf/creatures", "shelf/arms"):
            path = os.path.join(TOP, "tests", "rules", part + ".fray")
            answer = os.path.exists(path) and same_fight(path, folder)
            if answer:
                answers.append(answer)
        script = os.path.join(folder, "each.fray")
        for us, uk in PAIRS:
            with open(script, "w", encoding="utf-8") as f:
                f.write("every combatant has { %s mark: 1 }\ncombatant Una { %s mark: 3 }\ncombatant Rex { }\n" % (uk, us) +
                        "define combatant's whole %s = combatant's %s mark + 1\ndefine combatant is very %s when combatant's %s mark = 4\n" % (uk, us, uk, us) +
                        "event %s burst (who)\nrule b \"x\" { after phase declare { each combatant { %s burst (combatant) } }\n on %s burst { change who's %s mark by 1 } }\n" % (uk, us, uk, uk) +
                        "encounter e { side one: Una; side two: Rex; expect Una is very %s\n round 1 { expect Una's whole %s = 5 and Rex's %s mark = 2 } }\n" % (us, us, us))
            p = fray("test", script)
            answers.append(("%s is %s" % (us, uk), [] if p.returncode == 0 else (p.stdout + p.stderr).splitlines()))
    print("1..%d" % len(answers))
    for number, (name, wrong) in enumerate(answers, 1):
        print("%s %d - %s" % ("not ok" if wrong else "ok", number, name))
        for line in wrong[:20]:
            print("# " + line)


main()
