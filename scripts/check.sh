#!/bin/sh
# Everything that can be checked without running a test of the server: format, lints, documentation, licences and sources of dependencies, the API's description;
# types and unit tests of the studio, and that two builds of it are the same. `make check` has built the studio and installed the rest.
set -eu
cd "$(dirname "$0")/.."

# One core has enough to do with the studio, so it is checked beside the compiler; what it says is shown when that has ended.
said=$(mktemp)
trap 'rm -f "$said"' EXIT
scripts/check_studio.sh >"$said" 2>&1 &
studio=$!
# What a shell runs in the background ignores Ctrl-C. It ends with the command that it is running.
trap 'pkill -P "$studio" || :; exit 130' INT TERM

rust=0
{
    cargo fmt --all --check &&
        cargo clippy --release --workspace --all-targets --locked -- -D warnings &&
        RUSTDOCFLAGS='-D warnings' cargo doc --release --workspace --no-deps --locked --quiet &&
        scripts/deny.sh &&
        scripts/openapi.sh
} || rust=$?

wait "$studio" || {
    cat "$said" >&2
    echo "scripts/check_studio.sh failed" >&2
    exit 1
}
# What failed stays the last thing that is shown.
[ "$rust" = 0 ] || exit "$rust"
cat "$said"
