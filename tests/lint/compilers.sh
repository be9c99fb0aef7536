#!/bin/sh
# compilers.sh - gcc and clang both read every C file without a warning. The build shows it of the
# one that makes it; this asks the other, where it is installed.
# seconds: 900
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build/debug}
read -r made_by options <"$build/flags"
case $made_by in
*clang*) other=gcc ;;
*) other=clang ;;
esac
if ! command -v "$other" >/dev/null 2>&1; then
	echo "$other is not installed: left out"
	exit 0
fi
# shellcheck disable=SC2086 # the options are words
find lang/* runtime/* tests/unit tests/api tests/fuzz -maxdepth 1 -name '*.c' | sort |
	xargs -P 2 -n 16 "$other" $options -fsyntax-only
