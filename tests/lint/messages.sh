#!/bin/sh
# messages.sh - every sentence has a code of its own and a test that provokes it; every code
# a test names exists.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

sed -n 's/^MSG([A-Z0-9_]*, *"\(F[0-9]*\)".*/\1/p' runtime/base/message.def > "$work/rows"
rows=$(grep -c '^MSG(' runtime/base/message.def)
[ "$(wc -l < "$work/rows")" -eq "$rows" ] || { echo "runtime/base/message.def: a row has no code like \"F0123\" in its first line"; bad=1; }
sort "$work/rows" | uniq -d > "$work/twice"
while read -r code; do
	echo "$code stands twice:"
	grep -n "\"$code\"" runtime/base/message.def
	bad=1
done < "$work/twice"
sort -u "$work/rows" > "$work/codes"

# This folder and the driver speak about codes, they do not test them.
find tests -type f ! -path 'tests/lint/*' ! -path tests/run ! -path 'tests/fuzz/corpus/*' ! -name '*.md' -print | sort > "$work/files"
xargs grep -aohw 'F0[0-9][0-9][0-9]' < "$work/files" 2>/dev/null | sort -u > "$work/tested" || :
# No script provokes these: bounds that tighter bounds keep scripts from, and Fray's own faults.
printf '%s\n' F0411 F0608 | sort > "$work/exempt"
comm -23 "$work/codes" "$work/tested" | comm -23 - "$work/exempt" > "$work/untested"
if [ -s "$work/untested" ]; then
	echo "no test provokes:"
	while read -r code; do grep "\"$code\"" runtime/base/message.def; done < "$work/untested"
	bad=1
fi
comm -13 "$work/codes" "$work/tested" > "$work/unknown"
while read -r code; do
	echo "$code is not in runtime/base/message.def but is named by:"
	xargs grep -lw "$code" < "$work/files"
	bad=1
done < "$work/unknown"

# Every message is explained: a row of lang/api/message_NN.def, in the order of the codes.
sed -n 's/^MSG(\([A-Z0-9_]*\), *"F0.*/\1/p' runtime/base/message.def | sort > "$work/names"
cat lang/api/message_[0-9][0-9].def | sed -n 's/^HELP(\([A-Z0-9_]*\),.*/\1/p' | sort > "$work/explained"
for name in $(comm -23 "$work/names" "$work/explained"); do
	echo "$name of runtime/base/message.def has no row in lang/api/message_NN.def"
	bad=1
done
for name in $(comm -13 "$work/names" "$work/explained"); do
	echo "lang/api/message_NN.def explains $name, which is not in runtime/base/message.def"
	bad=1
done
for name in $(uniq -d "$work/explained"); do
	echo "lang/api/message_NN.def explains $name twice"
	bad=1
done
exit $bad
