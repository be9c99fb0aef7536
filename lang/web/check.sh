#!/bin/sh
# check.sh - runs the tests of the WebAssembly build under node, from the root of the tree.
#
# usage: sh lang/web/check.sh build/wasm/tests
set -eu
passed=0
failed=0
# what was compiled reads its module from disk; a node that has fetch would ask the network for it
fetch=$(node --no-experimental-fetch -e 0 2>/dev/null && echo --no-experimental-fetch || true)
for f in "${1:?usage: check.sh FOLDER}"/*.js; do
	said=$(node $fetch "$f" 2>&1) && status=0 || status=$?
	# tests that begin threads or processes, which there are none of
	others=$(printf '%s\n' "$said" | sed -n 's/^\[  FAILED  \] \([a-z_]*\)$/\1/p' | grep -vE '^(test_two_threads|any_commands)$' || true)
	alone=$(printf '%s\n' "$said" | sed -nE 's/^\[  FAILED  \] (test_two_threads|any_commands)$/\1/p' | sort -u)
	if [ $status = 0 ] || { [ -z "$others" ] && [ -n "$alone" ]; }; then
		passed=$((passed + 1))
		echo "ok    $(basename "$f" .js)$([ $status = 0 ] || echo "; left out: $alone")"
	else
		failed=$((failed + 1))
		echo "fails $(basename "$f" .js)"
		printf '%s\n' "$said" | tail -30
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
