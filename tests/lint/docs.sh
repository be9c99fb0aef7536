#!/bin/sh
# docs.sh - the printed pages say what the tables, the rules and the tests say. FRAY: the command to ask.
set -eu
cd "$(dirname "$0")/../.."
stale=0
python3 docs/tables.py --check || stale=1
python3 docs/systems.py --check || stale=1
python3 docs/screen.py --check || stale=1
python3 docs/picture.py --check || stale=1
python3 tests/rules/map.py --check || stale=1
exit $stale
