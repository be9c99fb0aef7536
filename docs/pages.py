"""pages.py - a printed page is written where it differs from what is there, or only told of."""

import os

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def put(path, text, check):
    """Write a page, by its path from the root of the tree; with check, only tell. Whether it was stale."""
    full = os.path.join(TOP, path)
    if os.path.exists(full):
        with open(full, encoding="utf-8") as f:
            if f.read() == text:
                return False
    print("%s %s" % (path, "is stale: make docs" if check else "written"))
    if not check:
        with open(full, "w", encoding="utf-8") as f:
            f.write(text)
    return True
