#!/bin/sh
# clauses.sh - every clause of a printed system is shown by a test that names it.
#
# tests/rules/SYSTEM/clauses.txt lists the ids, one a line. A test claims ids in a comment,
# `-- covers: OSRIC-SURP-1, OSRIC-SURP-2` (or after # or //). With --report each system's
# count and its missing ids are printed; without, only what is wrong. Status 1 when a claimed
# id does not exist, an id is listed twice, or a clause has no test - unless a system that is
# being written lists it in its unclaimed.txt, which must then be true.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
report=0
[ "${1:-}" = --report ] && report=1

find tests examples -type f \( -name '*.fray' -o -name '*.cmd' -o -name cmd -o -name 't_*' -o -name 'test_*.c' \) | sort |
	xargs grep -nE '(--|#|//|\*) *covers:' /dev/null | awk -v report=$report -v lists="$(find tests/rules -name clauses.txt | sort | tr '\n' ' ')" '
	BEGIN {
		systems = split(lists, list, " ")
		for (s = 1; s <= systems; s++) {
			name[s] = list[s]
			sub(/\/clauses.txt$/, "", name[s])
			sub(/.*\//, "", name[s])
			while ((getline id < list[s]) > 0) {
				if (id == "")
					continue
				if (id in of) {
					print list[s] ": " id " stands twice"
					bad = 1
				}
				of[id] = s
				order[s, ++count[s]] = id
			}
			waits = list[s]
			sub(/clauses.txt$/, "unclaimed.txt", waits)
			while ((getline id < waits) > 0) {
				if (id != "" && !(id in of)) {
					print waits ": there is no clause \"" id "\""
					bad = 1
				}
				waiting[id] = waits
			}
		}
	}
	{
		match($0, /covers:/)
		n = split(substr($0, RSTART + RLENGTH), claim, ",")
		split($0, part, ":")
		for (i = 1; i <= n; i++) {
			gsub(/^[ \t]+|[ \t*\/]+$/, "", claim[i])
			if (claim[i] == "")
				continue
			if (!(claim[i] in of)) {
				print part[1] ":" part[2] ": there is no clause \"" claim[i] "\""
				bad = 1
			}
			claimed[claim[i]] = 1
		}
	}
	END {
		for (s = 1; s <= systems; s++) {
			shown = 0
			missing = ""
			for (i = 1; i <= count[s]; i++)
				if (order[s, i] in claimed) {
					shown++
					if (order[s, i] in waiting) {
						print waiting[order[s, i]] ": " order[s, i] " has a test"
						bad = 1
					}
				} else if (report || !(order[s, i] in waiting)) {
					missing = missing " " order[s, i]
					if (!(order[s, i] in waiting))
						bad = 1
				}
			if (report || missing != "")
				print name[s] " " shown "/" count[s]
			if (missing != "")
				print "  no test:" missing
		}
		exit bad
	}'
