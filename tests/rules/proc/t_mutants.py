#!/usr/bin/env python3
"""t_mutants.py - every rule of stdlib/proc is missed by a test when it is gone; see mutants.py."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import mutants

# rule: why no test can notice that it is gone
KNOWN = {}

sys.exit(mutants.run("proc", KNOWN))
