#!/bin/sh
# docs.sh - the reference pages say what the tables say.
set -eu
cd "$(dirname "$0")/../.."
python3 docs/tables.py --check
