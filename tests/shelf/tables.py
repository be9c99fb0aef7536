"""tables.py - reads the tables of .fray files: who has them, their columns and their rows."""

import re


def without_comments(text):
    return re.sub(r"--[^\n]*", "", text)


def closing(text, at):
    """Where the block that opens at `at` ends."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i
    raise ValueError("a block is never closed")


def rows_of(body):
    columns, rows = [], {}
    for line in re.split(r"[;\n]", body):
        key, colon, values = line.partition(":")
        if not colon:
            continue
        values = [v.strip() for v in values.split(",")]
        if key.strip():
            rows[key.strip()] = values
        else:
            columns = values
    return columns, rows


def read(path, kind):
    """(thing, table) -> (columns, rows); thing is "" for tables that stand alone."""
    with open(path, encoding="utf-8") as f:
        text = without_comments(f.read())
    found, inside = {}, []
    for head in re.finditer(r"(?m)^%s ([^\n{]+?)(?: is [^\n{]+)? \{" % kind, text):
        name = head.group(1).split(" is ")[0].strip().strip('"')
        end = closing(text, head.end() - 1)
        inside.append((head.end(), end, name))
    for t in re.finditer(r"table ([\w -]+) \([^)]*\) \{", text):
        owner = next((name for a, b, name in inside if a <= t.start() < b), "")
        found[owner, t.group(1)] = rows_of(text[t.end():closing(text, t.end() - 1)])
    return found


def look_up(rows, number):
    """The row of a number: "3", "1..4", "17..", "up to 0"."""
    for key, values in rows.items():
        a, dots, b = key.partition("..")
        if (not dots and int(a) == number) or (dots and int(a) <= number and (not b or number <= int(b))):
            return values
    return None
