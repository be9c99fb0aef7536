#!/usr/bin/env python3
"""Fields of what somebody carries, whatever it is, under every system with the shelf: the whole is the sum of its sorts."""
import os
import subprocess
import tempfile

SYSTEMS = ("osric", "lite", "proc", "crucible", "dew")
FRAY = os.environ.get("FRAY", "fray")
SCRIPT = """use {system}
use shelf
every combatant has {{ heft: weight; of weapons: weight; of armour: weight; sorts: 0 }}
combatant Bruna {{ level: 4; hit points: 20; carries: long sword, 6 darts, chain mail, dagger }}
combatant Korg {{ level: 1; hit points: 5; carries: club }}
rule weigh "test" {{
  before set up {{
    each combatant {{
      set combatant's heft = total (item's weight for item in combatant's carries where item's weight is not none)
      set combatant's of weapons = total (item's weight for item in combatant's carries where item is weapon and item's weight is not none)
      set combatant's of armour = total (item's weight for item in combatant's carries where item is armour and item's weight is not none)
      set combatant's sorts = count (item in combatant's carries where item's weight is not none)
    }}
  }}
}}
encounter weighed {{
  side party: Bruna
  side other: Korg
  distance: 30 ft
  round 1 {{
    expect Bruna's heft = Bruna's of weapons + Bruna's of armour and Bruna's of armour > 10 lb
    expect Bruna's sorts = count (item in Bruna's carries) and Bruna's heft > Korg's heft and Korg's heft > 0 lb
  }}
}}
"""

print("1..%d" % len(SYSTEMS))
for number, system in enumerate(SYSTEMS, 1):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mixed.fray")
        with open(path, "w", encoding="utf-8") as f:
            f.write(SCRIPT.format(system=system))
        p = subprocess.run([FRAY, "test", path], capture_output=True, text=True, cwd=folder)
        good = p.returncode == 0 and "ok 1" in p.stdout
        print("%s %d - %s" % ("ok" if good else "not ok", number, system))
        if not good:
            print("\n".join("# " + line for line in (p.stdout + p.stderr).splitlines()))
