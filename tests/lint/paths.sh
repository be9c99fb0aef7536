#!/bin/sh
# paths.sh - no source names a place that exists only on somebody's machine.
#
# Temporary folders come from mktemp or TMPDIR. Looks at tracked files, or, outside git, at
# all but build/.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
{
	git ls-files --cached --others --exclude-standard 2>/dev/null ||
		find . -path ./.git -prune -o -path ./build -prune -o -type f -print | sed 's|^\./||'
} | grep -v '^tests/lint/paths\.sh$' | while read -r file; do
	[ -f "$file" ] || continue
	grep -nHIE '(^|[^A-Za-z0-9_.}/-])/(work|home|root|tmp|Users|mnt|media|var/tmp)(/|$|[^A-Za-z0-9_/-])' "$file" | grep -vE 'mktemp|TMPDIR' || :
done | { if grep .; then exit 1; fi; }
