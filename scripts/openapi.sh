#!/bin/sh
# Checks docs/openapi.yaml against the OpenAPI specification, with a validator of its own below .tools.
set -eu
cd "$(dirname "$0")/.."

version=2.77.0
validator=.tools/redocly/node_modules/.bin/redocly
if [ "$("$validator" --version 2>/dev/null)" != "$version" ]; then
    echo "installing @redocly/cli $version into .tools (once)"
    npm install --prefix .tools/redocly --ignore-scripts --no-save --no-audit --no-fund --loglevel=error "@redocly/cli@$version" >/dev/null
fi
REDOCLY_TELEMETRY=off "$validator" lint docs/openapi.yaml --config scripts/redocly.yaml --format stylish
