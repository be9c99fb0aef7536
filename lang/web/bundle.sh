#!/bin/sh
# bundle.sh - the playground: bundles its scripts, puts the library beside them, writes the list of
# files that are kept for reading without a network.
#
# usage: sh lang/web/bundle.sh build/site
set -eu
out=${1:?usage: bundle.sh FOLDER}
sh "$(dirname "$0")/npm.sh"
NODE_PATH=$PWD/build/npm/node_modules build/npm/node_modules/.bin/esbuild lang/web/play.js --bundle --minify --format=iife --target=es2022 \
	--log-level=warning --outfile="$out/play.js"
cp build/wasm/fray.wasm build/wasm/fray.js lang/web/worker.js "$out/"
# the playground and what each page needs; other pages are kept when they are read
cd "$out"
files=$(ls play.html play.js worker.js fray.js fray.wasm examples.json style.css site.js icon.svg index.html index.js search.html)
version=$(cat $files | sha256sum | cut -c1-16)
list=$(printf '"%s",' $files | sed 's/,$//')
sed "s|@VERSION@|fray-$version|; s|\"@FILES@\"|$list|" "$OLDPWD/lang/web/sw.js" >sw.js
