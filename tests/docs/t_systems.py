#!/usr/bin/env python3
"""t_systems.py - the pages of the systems are enough to write by: for each system a script is written
from its printed tables and core's alone - every action as a line, every event as the referee's, every
choice answered, every die forced - and `fray check` has nothing to say.

usage: t_systems.py [SYSTEM ...]"""

import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import t_docs
import tap

SYSTEMS = sorted(name[:-3] for name in os.listdir(os.path.join(t_docs.TOP, "docs/systems")))
# what is written for a role of each type; Ann writes it of Ben
EXAMPLE = {"combatant": "Ben", "list of combatants": "Ben", "weapon": "stick", "spell": "spark", "armour": "mail", "device": "wand", "condition": "dazzled",
           "number": "1", "feet": "5 ft", "scale distance": '1"', "word": "fear", "side": "left", "text": '"a word"', "dice": "d6", "act": "none",
           "yes or no": "yes", "encounter": "encounter", "number of segments": "1 segment"}
TIME = {"crucible": "1 count", "dew": "6 seconds"}  # elsewhere 1 segment
SCRIPT = """use %s
weapon stick { damage: 1d6; length: 3 ft }
armour mail { }
spell spark { level: 1; casting time: %s }
condition dazzled { forbid everything }
%s
combatant Ann { hit points: 9; weapon: stick; carries: stick, mail%s; knows: spark }
combatant Ben { hit points: 9; weapon: stick; carries: stick }
%s
encounter all there is {
  side left: Ann
  side right: Ben
  distance: 5 ft
  Ann follows everything
  round 1 {
%s  }
}
"""


def tables(page):
    """{heading's first cell: rows} of a page's tables, rows of the same sort together."""
    found, head = {}, None
    with open(os.path.join(t_docs.TOP, page), encoding="utf-8") as f:
        for line in f:
            if not line.startswith("| "):
                head = None if not line.startswith("|---") else head
                continue
            row = [one.strip().strip("`").replace("\\|", "|") for one in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
            if head is None:
                head = row[0] if row[0] != "action" or row[1] == "roles" else "refused"
            else:
                found.setdefault(head, []).append(row)
    return found


def examples(roles, system):
    """{role: what is written for it} of the cell that tells the roles and their types."""
    found = {}
    for role, typed in re.findall(r"([\w ]+): ([\w ]+)", roles):
        found[role.strip()] = EXAMPLE.get(typed) or TIME.get(system, "1 segment")
    return found


def script(system, own, core):
    actions, deeds = [], []
    for pattern, roles, *_ in core["action"] + own.get("action", []):
        written = examples(roles, system)
        if "act" in roles.split(": "):
            continue  # made from a line with `as soon as`, never written
        actions.append(re.sub(r"\(([\w ]+)\)", lambda role: written[role.group(1)], pattern))
    policy = "policy everything {\n" + "".join("  %s when round's number = %d\n" % (line, n + 2) for n, line in enumerate(actions)) + "}"
    for pattern, roles, *_ in core["event"] + own.get("event", []):
        written = examples(roles, system)
        name, _, inside = pattern.partition(" (")
        values = [written[role.strip()] for role in inside.rstrip(")").split(",")] if inside else []
        deeds.append("referee: %s (%s)" % (name, ", ".join(values)))
    for name, answer, *_ in own.get("choice", []):
        deeds.append("choices: Ann's %s %s" % (name, EXAMPLE[re.sub("^an? ", "", answer)]))
    for name, *_ in own.get("die", []):
        deeds.append("dice: Ann's %s 1" % name)
    device = "device wand { }" if any("device" in row[1] for row in own.get("action", [])) else ""
    return SCRIPT % (system, TIME.get(system, "1 segment"), device, ", wand" if device else "",
                     policy, "".join("    %s\n" % line for line in deeds)), len(actions) + len(deeds)


def main():
    core = tables("docs/core.md")
    for system in sys.argv[1:] or SYSTEMS:
        text, many = script(system, tables("docs/systems/%s.md" % system), core)
        with tempfile.TemporaryDirectory(prefix="fray-systems-") as folder:
            with open(os.path.join(folder, "all.fray"), "w", encoding="utf-8") as f:
                f.write(text)
            status, told = t_docs.run([t_docs.FRAY, "check", "all.fray"], folder)
        tap.check("%s: %d lines written from its page are understood" % (system, many), (status, told) == (0, "") and many > 30, told + text)
    tap.end()


if __name__ == "__main__":
    main()
