#!/bin/sh
# Checks a description of the API against the OpenAPI specification, with a validator of its own below .tools: the file that is named, or what is written in
# docs/openapi. tests/api has the one checked that a server serves.
set -eu
cd "$(dirname "$0")/.."

version=2.77.0
validator=.tools/redocly/node_modules/.bin/redocly
if [ "$("$validator" --version 2>/dev/null)" != "$version" ]; then
    echo "installing @redocly/cli $version into .tools (once)"
    npm install --prefix .tools/redocly --ignore-scripts --no-save --no-audit --no-fund --loglevel=error "@redocly/cli@$version" >/dev/null
fi
description=${1:-}
if [ -z "$description" ]; then
    description=target/openapi.json
    cargo run --release --quiet --locked -p lectern-openapi >"$description.new"
    mv "$description.new" "$description"
fi
REDOCLY_TELEMETRY=off "$validator" lint "$description" --config scripts/redocly.yaml --format stylish
