#!/bin/sh
# Sends what schemathesis makes up from the description of the API to a server of its own: at most so many requests for an operation, from this seed, for
# all operations or for the one that is named. `make fuzz-api` has built the server and installed the rest.
set -eu
cd "$(dirname "$0")/.."
exec .tools/python/bin/python tests/api/fuzz.py --examples "${1:-200}" --seed "${2:-1}" ${3:+--only "$3"}
