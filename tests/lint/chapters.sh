#!/bin/sh
# chapters.sh - files have at most 600 lines, functions at most 80.
#
# tests/lint/long.txt lists what is longer: "FILE LINES" or "FILE FUNCTION LINES", with the length
# that it may have. A number there is lowered when the thing gets shorter, and never raised; a line
# goes when it is not needed. A function is counted between its braces.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

find lang runtime -name '*.[chyl]' | sort > "$work/files"
xargs awk '
FNR == 1 { if (file && lines > 600) print file, lines; file = FILENAME; inside = 0 }
{ lines = FNR }
/^[a-z_].*\(/ && !/;$/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
/^\{$/ { inside = 1; start = FNR }
/^\}/ { if (inside && FNR - start - 1 > 80) print FILENAME, name, FNR - start - 1; inside = 0 }
END { if (lines > 600) print file, lines }' < "$work/files" > "$work/long"

# long.txt first, then what is there
awk '
FNR == NR && /^#/ { next }
{ key = $1 (NF == 3 ? " " $2 : "") }
FNR == NR { may[key] = $NF; next }
{ is[key] = $NF }
!(key in may) { print key ": " $NF " lines; split it (files have at most 600 lines, functions 80)"; next }
$NF > may[key] { print key ": " $NF " lines, more than the " may[key] " of tests/lint/long.txt; split it" }
$NF + 40 <= may[key] { print key ": " $NF " lines; write so in tests/lint/long.txt, which says " may[key] }
END { for (key in may) if (!(key in is)) print key ": no longer too long; take it out of tests/lint/long.txt" }
' tests/lint/long.txt "$work/long" > "$work/said"
cat "$work/said"
[ ! -s "$work/said" ]
