#!/bin/sh
# Checks the studio: its types of the API against docs/openapi; types and components, warnings as errors; its unit tests; that a second build has the same bytes as
# the first; and how large all of its scripts are together. What a screen loads of them, tests in Chromium hold.
set -eu
cd "$(dirname "$0")/../studio"
PATH=$PWD/../.tools/node/bin:$PATH

node schema.ts | diff --brief - src/api/schema.d.ts || {
    echo "docs/openapi describes other types: cd studio && node schema.ts > src/api/schema.d.ts" >&2
    exit 1
}
npm run --silent check
npm run --silent test
again=dist.$$
trap 'rm -rf "$again"' EXIT
node build.ts "$again"
diff --recursive --brief --exclude FINGERPRINT dist "$again" || {
    echo "two builds of the studio differ" >&2
    exit 1
}
echo "two builds of the studio have the same bytes" >&2

# Compressed, with the texts of both languages. No person loads all of them.
most=600000
size=$(cat dist/files/*.js.gz | wc -c)
[ "$size" -le "$most" ] || {
    echo "all scripts of the studio are $size bytes, more than $most" >&2
    exit 1
}
echo "all scripts of the studio are $size bytes ($most)" >&2
