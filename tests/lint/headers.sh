#!/bin/sh
# headers.sh - each header compiles alone, so the order of includes never matters.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build/debug}
bad=0
for header in $(find runtime lang stdlib -name '*.h' | sort); do
	if ! printf '#include "%s"\n' "$header" |
		${CC:-gcc} -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -I. -I"$build/gen" -fsyntax-only -x c -; then
		echo "$header does not compile alone"
		bad=1
	fi
	# a guard named after the file, so that two headers never share one
	guard=FRAY_$(printf '%s' "$header" | sed 's|^runtime/||; s|^lang/||' | tr 'a-z/.' 'A-Z__')
	if [ "$header" = lang/api/fray.h ]; then guard=FRAY_H; fi
	grep -q "^#ifndef $guard\$" "$header" || { echo "$header has no guard $guard"; bad=1; }
done
exit $bad
