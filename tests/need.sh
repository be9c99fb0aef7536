#!/bin/sh
# need.sh - looks for what a target needs and installs what is missing.
#
# usage: sh tests/need.sh play|check|bench|fuzz|soak|wasm|site|check-site      (called by the Makefile)
#
# Looks for the commands and headers themselves, so what was built by hand counts too, and a
# header is needed only while some source includes it. With everything there it says nothing
# and touches nothing. Where apt-get is found (Debian, Ubuntu) it says what it will install,
# installs it - with sudo unless root - and looks again. Elsewhere it names the packages and
# stops with status 1.
#
# A row: need COMMAND-HEADER-OR-ARCHIVE  debian  dnf  pacman  brew  "what it is for"
set -eu

target=${1:?usage: need.sh play|check|bench|fuzz|soak|wasm|site|check-site}
cc=${CC:-gcc}
missing=''
table=''

have_header() {
	# without a compiler the usual places are all we can look at
	if command -v "$cc" >/dev/null 2>&1; then
		# stdio first: readline's header wants it
		printf '#include <stdio.h>\n#include <%s>\n' "$1" | "$cc" -E -x c - >/dev/null 2>&1
	else
		[ -f "/usr/include/$1" ] || [ -f "/usr/local/include/$1" ]
	fi
}

need() {
	case $1 in
	*.h) have_header "$1" && return 0 ;;
	*.a) [ -e "$1" ] && return 0 ;;
	py:*) python3 -c "import ${1#py:}" >/dev/null 2>&1 && return 0 ;;
	*) command -v "$1" >/dev/null 2>&1 && return 0 ;;
	esac
	missing="$missing $2"
	table="$table$(printf '  %-18s %-20s %-16s %-14s %s' "$2" "$3" "$4" "$5" "$6")
"
}

# True while a source below the folders given includes the header.
included() {
	header=$1
	shift
	grep -rqs "include <$header>" "$@"
}

need_header() {
	if included "$1" runtime lang; then need "$@"; fi
}

look() {
	missing=''
	table=''
	case $target in
	fuzz) need clang clang clang clang llvm "the fuzzer" ;;
	*)
		case $cc in
		gcc | cc) need "$cc" gcc gcc gcc gcc "the compiler" ;;
		*) need "${cc%% *}" "${cc%% *}" "${cc%% *}" "${cc%% *}" "${cc%% *}" "the compiler" ;;
		esac
		;;
	esac
	need ar binutils binutils binutils binutils "libraries"
	need assert.h libc6-dev glibc-devel glibc - "the C library"
	need flex flex flex flex flex "the scanner"
	need bison bison bison bison bison "the parser"
	need_header xxhash.h libxxhash-dev xxhash-devel xxhash xxhash "hashes of positions"
	need_header Random123/philox.h librandom123-dev Random123-devel random123 random123 "dice"
	need_header Random123/threefry.h librandom123-dev Random123-devel random123 random123 "dice"
	need_header jansson.h libjansson-dev jansson-devel jansson jansson "JSON"
	if [ "${READLINE:-1}" != 0 ]; then
		need_header readline/readline.h libreadline-dev readline-devel readline readline "the prompt (READLINE=0: without)"
	fi
	case $target in
	check)
		need cmocka.h libcmocka-dev libcmocka-devel cmocka cmocka "unit tests"
		need python3 python3 python3 python python "the test driver"
		need py:jsonschema python3-jsonschema python3-jsonschema python-jsonschema - "checking logs against their schema"
		need pkg-config pkgconf pkgconf-pkg-config pkgconf pkgconf "the test of the installed library"
		if [ -n "$(find tests -name 't_*.exp' 2>/dev/null)" ]; then
			need expect expect expect expect expect "tests of the prompt on a terminal"
		fi
		if grep -qs '^[^#]*tmux ' tests/*/t_*; then
			need tmux tmux tmux tmux tmux "tests of the prompt on a terminal"
		fi
		;;
	soak) need python3 python3 python3 python python "the maker of fights" ;;
	bench)
		need lua5.4 lua5.4 lua lua lua "reference programs"
		need python3 python3 python3 python python "the set of fights"
		need valgrind valgrind valgrind valgrind valgrind "counting instructions and memory"
		;;
	wasm)
		need emcc emscripten emscripten emscripten emscripten "compiling to WebAssembly"
		need node nodejs nodejs nodejs node "running emscripten and what it makes"
		need xz xz-utils xz xz xz "unpacking sources"
		;;
	site)
		need pandoc pandoc pandoc pandoc pandoc "making pages"
		need python3 python3 python3 python python "making pages"
		if [ "${PLAY:-1}" != 0 ]; then
			need npm npm npm npm node "the editor of the playground (PLAY=0: without)"
		fi
		;;
	check-site)
		need chromium chromium chromium chromium - "trying the pages"
		need node nodejs nodejs nodejs node "driving the browser"
		need npm npm npm npm node "what drives the browser"
		need python3 python3 python3 python python "a server for the pages"
		;;
	fuzz)
		# only clang knows where its run-time library would be, hence the two rounds below
		if command -v clang >/dev/null 2>&1; then
			need "$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a")" libclang-rt-dev compiler-rt compiler-rt llvm "the fuzzer"
		fi
		;;
	esac
	# one package may answer several rows
	# shellcheck disable=SC2086  # a list of package names
	missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
	missing=${missing% }
}

look
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
	{
		echo "make $target needs packages that are not here. Their names on Debian, and what they"
		echo "are probably called with dnf, pacman and brew:"
		echo
		printf '  %-18s %-20s %-16s %-14s %s\n' Debian dnf pacman brew for
		printf '%s' "$table" | sort -u
		echo
		echo "Install them and call make $target again."
	} >&2
	exit 1
fi

as_root=''
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "make $target needs these packages: $missing" >&2
		echo "There is no sudo here, so please install them as root: apt-get install $missing" >&2
		exit 1
	fi
	as_root=sudo
fi

# A second round is only for what the first made visible (clang's run-time library).
rounds=2
while [ -n "$missing" ] && [ "$rounds" -gt 0 ]; do
	echo "make $target needs packages that are not here. Installing with apt-get: $missing" >&2
	$as_root apt-get update -qq >&2 || echo "apt-get update failed; going on with the lists that are there." >&2
	# shellcheck disable=SC2086  # a list of package names
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends $missing >&2 || {
		echo "apt-get could not install: $missing" >&2
		exit 1
	}
	hash -r
	rounds=$((rounds - 1))
	look
done
if [ -n "$missing" ]; then
	echo "Still missing after installing: $missing" >&2
	exit 1
fi
