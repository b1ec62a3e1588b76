#!/bin/sh
# Checks licenses, sources and bans of all dependencies (deny.toml), with a cargo-deny of our own below .tools.
# Advisories are not checked here: their database lives on the network, see docs/operations.md.
set -eu
cd "$(dirname "$0")/.."

version=0.20.2
deny=.tools/bin/cargo-deny
if [ "$("$deny" --version 2>/dev/null)" != "cargo-deny $version" ]; then
    echo "installing cargo-deny $version into .tools (once)"
    cargo install --locked --quiet cargo-deny --version "$version" --root .tools --target-dir target/tools
fi
"$deny" --offline --log-level warn check --hide-inclusion-graph bans licenses sources
