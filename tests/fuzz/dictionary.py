#!/usr/bin/env python3
"""dictionary.py - a dictionary for libFuzzer: the words of words.def, and marks of scripts, logs
and parts.

usage: python3 tests/fuzz/dictionary.py > FILE"""

import os
import re

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLES = ["lang/front/words.def", "lang/check/words.def"]
MARKS = ["\n%%\n", " { ", " }\n", "\"", "'s ", " #2", "1d6", "3d6+1", " ft", "1/2",
         "use osric\n", "use dew\n", "use crucible\n", "use lite\n", "use proc\n", "use shelf\n",
         "-9223372036854775807", "2147483647", "undo\n", "step\n", "run\n", "begin\n",
         "why ", "fork ", "odds 10\n", "odds exact\n"]

words = set(MARKS)
for table in TABLES:
    with open(os.path.join(TOP, table), encoding="utf-8") as f:
        words.update(re.findall(r'^WORD\((?:\w+, )?"([^"\\]+)"', f.read(), flags=re.M))
for word in sorted(words):
    plain = (c if 32 <= ord(c) < 127 and c not in '"\\' else "\\x%02X" % ord(c) for c in word)
    print('"%s"' % "".join(plain))
