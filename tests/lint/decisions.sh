#!/bin/sh
# decisions.sh - decision records have a number of their own, a title, and a page at most.
#
# docs/decisions/NNNN-*.md begins with "# NNNN: Title". NNNN-measurements.md may stand beside
# the record of that number, with tables of any length. A page is 800 words.
set -eu
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/../../docs/decisions"
bad=0
before=
for file in *.md; do
	number=${file%%-*}
	case $file in
	[0-9][0-9][0-9][0-9]-measurements.md)
		set -- "$number"-*.md
		[ $# -ge 2 ] || { echo "$file: there is no record $number"; bad=1; }
		continue
		;;
	[0-9][0-9][0-9][0-9]-*.md) ;;
	*) echo "$file: the name wants four digits and a dash first"; bad=1 ;;
	esac
	[ "$number" != "$before" ] || { echo "$file: number $number is taken"; bad=1; }
	before=$number
	head -n 1 "$file" | grep -q "^# $number: [^ ]" || { echo "$file: the first line should be \"# $number: Title\""; bad=1; }
	words=$(wc -w < "$file")
	[ "$words" -le 800 ] || { echo "$file: $words words are more than a page (800)"; bad=1; }
done
exit $bad
