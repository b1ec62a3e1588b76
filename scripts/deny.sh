#!/bin/sh
# Checks licences, sources and bans of all dependencies (deny.toml) with a cargo-deny of its own below .tools.
# Advisories are not checked here: their database lies on the network, see docs/operations.md.
set -eu
cd "$(dirname "$0")/.."

version=0.20.2
deny=.tools/bin/cargo-deny
if [ "$("$deny" --version 2>/dev/null)" != "cargo-deny $version" ]; then
    echo "installing cargo-deny $version into .tools (once)"
    # It runs for three seconds, so it is compiled in little time rather than for speed.
    CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=256 CARGO_PROFILE_RELEASE_DEBUG=false \
        cargo install --locked --quiet cargo-deny --version "$version" --root .tools --target-dir target/tools
    rm -rf target/tools
fi
# cargo-deny reads the packages of every platform, a build has fetched those of this one only.
cargo fetch --locked --quiet
"$deny" --offline --log-level warn check --hide-inclusion-graph bans licenses sources
