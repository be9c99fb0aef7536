#!/bin/sh
# npm.sh - the packages that the pages are bundled from and tested with, into build/npm.
#
# With everything there it says nothing and touches nothing.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p build/npm
if cmp -s lang/web/npm/package.json build/npm/package.json && [ -d build/npm/node_modules ]; then
	exit 0
fi
if ! command -v npm >/dev/null 2>&1; then
	echo "The pages need npm (Debian: apt-get install npm)." >&2
	exit 1
fi
echo "Installing with npm into build/npm: $(sed -n 's/^    "\(.*\)": .*/\1/p' lang/web/npm/package.json | tr '\n' ' ')" >&2
cp lang/web/npm/package.json build/npm/package.json
# a server that does not answer is asked again
for i in 1 2 3; do
	(cd build/npm && npm install --no-audit --no-fund --prefer-offline --maxsockets 4 >&2) && exit 0
done
rm -f build/npm/package.json
echo "npm could not install them." >&2
exit 1
