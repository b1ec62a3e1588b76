#!/bin/sh
# Builds the content studio into studio/dist, unless what is there is of these sources. Nothing but Node.js and npm is needed, which scripts/setup.sh finds.
#
# The fingerprint is the SHA-256 of what sha256sum prints of the sources by their names: all of studio/ but node_modules and dist, and the style sheet of the
# pages, whose tokens the studio shares. crates/studio/build.rs works out the same, and embeds nothing that is of other sources.
set -eu
cd "$(dirname "$0")/.."
# Where scripts/setup.sh puts a Node.js when the system's is missing or too old.
PATH=$PWD/.tools/node/bin:$PATH

if command -v sha256sum >/dev/null 2>&1; then sum=sha256sum; else sum='shasum -a 256'; fi
sources() {
    find studio -mindepth 1 \( -path studio/node_modules -o -path 'studio/dist*' \) -prune -o -type f -print
    echo crates/pages/files/pages.css
}
fingerprint=$(sources | LC_ALL=C sort | tr '\n' '\0' | xargs -0 $sum | $sum | cut -d ' ' -f 1)
[ "$(cat studio/dist/FINGERPRINT 2>/dev/null)" != "$fingerprint" ] || exit 0

echo "building the studio" >&2
cd studio
if ! cmp -s package-lock.json node_modules/installed.json; then
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
    cp package-lock.json node_modules/installed.json
fi
new=dist.$$
trap 'rm -rf "$new"' EXIT
rm -rf "$new"
node build.ts "$new"
echo "$fingerprint" >"$new/FINGERPRINT"
rm -rf dist
mv "$new" dist
