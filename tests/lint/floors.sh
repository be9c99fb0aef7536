#!/bin/sh
# floors.sh - who may include whom.
#
# Each folder has a floor and includes lower floors only, or itself. Two are held tighter:
# front sees base alone, and check sees of runtime/ only the tables a program is checked
# against. The command is an ordinary user of the library: it sees fray.h.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."

find runtime lang -type f \( -name '*.[chyl]' -o -name '*.def' \) | sort | xargs grep -n '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' /dev/null | awk '
	BEGIN {
		n = split("base code trace dice world prim vm sim:explain front check gen api app web", step, " ")
		for (i = 1; i <= n; i++) {
			m = split(step[i], name, ":")
			for (k = 1; k <= m; k++)
				floor[name[k]] = i - 1
		}
		only["front"] = " base "
		only["check"] = " base code trace dice world prim front "
	}
	{
		split($0, part, ":")
		from = part[1]
		match($0, /"[^"]*"/)
		to = substr($0, RSTART + 1, RLENGTH - 2)
		split(from, a, "/")
		split(to, b, "/")
		where = from ":" part[2] ": "
		if (!(a[2] in floor)) {
			print where "folder " a[2] " has no floor"
			bad = 1
		} else if (to ~ /^stdlib\//) {
			# tables of words are data that may be read where they are met
			if (a[2] != "api" && to !~ /[.]def$/) {
				print where "only lang/api reads the built-in texts"
				bad = 1
			}
		} else if (to !~ /^(runtime|lang)\/[a-z]+\//) {
			print where "\"" to "\" is not written from the root of the tree"
			bad = 1
		} else if (a[2] == "app") {
			if (b[2] != "app" && to != "lang/api/fray.h") {
				print where "the command may only include lang/api/fray.h, not " to
				bad = 1
			}
		} else if (a[2] == b[2]) {
			next
		} else if (!(b[2] in floor) || floor[b[2]] >= floor[a[2]]) {
			print where a[2] " (floor " floor[a[2]] ") may not include " to " (floor " floor[b[2]] ")"
			bad = 1
		} else if (a[2] in only && index(only[a[2]], " " b[2] " ") == 0) {
			print where a[2] " may only include" only[a[2]] "- not " to
			bad = 1
		}
	}
	END { exit bad }'
