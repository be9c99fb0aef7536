#!/bin/sh
# sources.sh - what the WebAssembly build compiles besides Fray: jansson and, for the tests, cmocka,
# from Debian's source packages; and headers that are nothing but headers, from the packages here.
#
# usage: sh lang/web/sources.sh build/wasm
#
# Says what it fetches. Reads apt's own list of servers and changes nothing outside the folder.
set -eu

out=${1:?usage: sources.sh FOLDER}
mkdir -p "$out/include" "$out/src/lists/partial"

# Random123 refuses processors it was not tested on; 64-bit multiplication is all that we use of it.
cp /usr/include/xxhash.h "$out/include/"
rm -rf "$out/include/Random123"
cp -r /usr/include/Random123 "$out/include/"
sed -i 's/^#if !defined(__x86_64__)/#if !defined(__wasm__) \&\& !defined(__x86_64__)/' "$out/include/Random123/features/gccfeatures.h"

cd "$out/src"
if [ ! -d jansson ] || [ ! -d cmocka ]; then
	echo "make wasm fetches Debian's source packages: jansson cmocka" >&2
	# the same servers, asked for sources
	{
		cat /etc/apt/sources.list 2>/dev/null | sed -n 's/^deb /deb-src /p'
		cat /etc/apt/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb /deb-src /p'
	} >sources.list
	for f in /etc/apt/sources.list.d/*.sources; do
		[ -f "$f" ] && sed 's/^Types:.*/Types: deb-src/' "$f" && echo
	done >debian.sources
	mkdir -p parts && cp sources.list parts/old.list && cp debian.sources parts/
	set -- -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$PWD/parts" -o "Dir::State::lists=$PWD/lists" -o APT::Sandbox::User=root
	apt-get "$@" update >&2 || echo "apt-get update failed; going on with the lists that are there." >&2
	apt-get "$@" source --download-only jansson cmocka >&2 || {
		echo "apt-get could not fetch these source packages." >&2
		exit 1
	}
	for name in jansson cmocka; do
		rm -rf $name.new && mkdir $name.new
		tar -xf "$(ls $name\_*.orig.tar.?z)" -C $name.new --strip-components=1
		rm -rf $name && mv $name.new $name
	done
fi

# What jansson's configure would find out about this target.
sed 's/@json_inline@/inline/; s/@json_have_localeconv@/0/; s/@json_[a-z_]*@/1/' jansson/src/jansson_config.h.in >jansson/src/jansson_config.h
# what it would say of itself alone is told by wasm.mk
: >jansson/src/jansson_private_config.h
cp jansson/src/jansson.h jansson/src/jansson_config.h cmocka/include/cmocka.h ../include/
