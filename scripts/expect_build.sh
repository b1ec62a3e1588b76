#!/bin/sh
# Says, before a first build, how long it takes on this machine. What cargo prints after it shows how far it is.
set -eu
cd "$(dirname "$0")/.."
[ ! -e target/release/lectern ] || exit 0
cores=$(nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
# Processor seconds of a first build (docs/performance.md), and the part of it that one core has to do alone, because each crate waits for the one before.
processor=600 alone=120
echo "The first build compiles 650 crates: about $(((alone + (processor - alone) / cores + 59) / 60)) minutes on $cores cores, and more where they are slow or busy." >&2
