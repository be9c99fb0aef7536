#!/usr/bin/env python3
"""t_soak.py - some of the fights of soak.py: one creature in thirty under each system."""

import soak

fights, wrong = soak.soak(30)
print("%sok 1 - %d fights of creatures of the shelf go on to their end" % ("not " if wrong or fights < 50 else "", fights))
for w in wrong:
    print("# " + w.replace("\n", "\n# "))
print("1..1")
