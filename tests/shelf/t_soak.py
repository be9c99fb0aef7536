#!/usr/bin/env python3
"""t_soak.py - some of the fights of soak.py: one creature in thirty under each system, and every sixth special, which has to be used."""

import soak

fights, wrong = soak.soak(30)
looked, unused = soak.specials(6)
for number, (good, name, told) in enumerate(((not wrong and fights >= 50, "%d fights of creatures of the shelf go on to their end" % fights, wrong),
                                             (not unused and looked >= 30, "%d specials of creatures are used in a fight" % looked, unused)), 1):
    print("%sok %d - %s" % ("" if good else "not ", number, name))
    for t in [] if good else told:
        print("# " + t.replace("\n", "\n# "))
print("1..2")
