#!/bin/sh
# compilers.sh - gcc and clang both read every C file without a warning. The build shows it of the
# one that makes it; this asks the other, where it is installed.
# seconds: 900
set -eu
cd "$(dirname "$0")/../.."
unset LC_ALL # a compiler cache keeps what is said by the language it is said in
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
# without -g and its folder such a cache answers in every folder, for one file at a time
options=$(printf '%s\n' "$options" | sed 's/ -ffile-prefix-map=[^ ]*//')
# shellcheck disable=SC2086 # the options are words
find lang/* runtime/* tests/unit tests/api tests/fuzz -maxdepth 1 -name '*.c' | sort |
	xargs -P 2 -n 1 "$other" $options -g0 -fsyntax-only
