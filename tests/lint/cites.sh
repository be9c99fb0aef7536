#!/bin/sh
# cites.sh - every rule of a built-in system says where it is printed: `rule NAME "citation"`.
#
# The core's rules are words shared by all systems and house rules are nobody's print; both
# go without.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
find stdlib -name '*.fray' ! -path 'stdlib/core/*' ! -path 'stdlib/house/*' | sort | while read -r file; do
	awk '
		# a header runs from `rule` to its {, and may take several lines
		function look(text) {
			if (text !~ /"[^"]+"/) {
				print FILENAME ":" first ": this rule has no citation: " text
				bad = 1
			}
		}
		{
			line = $0
			sub(/^[ \t]*--.*/, "", line)
			if (header == "" && line ~ /^[ \t]*rule[ \t]/) {
				header = line
				first = FNR
			} else if (header != "") {
				header = header " " line
			}
			if (header != "" && header ~ /\{/) {
				sub(/\{.*/, "", header)
				look(header)
				header = ""
			}
		}
		END {
			if (header != "")
				look(header)
			exit bad
		}' "$file" || echo failed
done | { found=0; while read -r line; do found=1; [ "$line" = failed ] || echo "$line"; done; exit $found; }
