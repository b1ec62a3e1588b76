#!/usr/bin/env bash
# Puts a server under the load of a scenario (docs/load.md). Without URL it is a release build with its own PostgreSQL in a directory made for this run, and both go with it.
# Usage: [URL=http://127.0.0.1:8080] [OUT=target/load] scripts/load.sh SCENARIO [options of `lectern-load run`]
# The result of the run before is kept as SCENARIO.before.json, to be compared with.
set -euo pipefail
cd "$(dirname "$0")/.."

scenario=${1:?which scenario? target/release/lectern-load run --help lists them}
shift
out=${OUT:-target/load}
if [ -f "$out/$scenario.json" ]; then
  mv "$out/$scenario.json" "$out/$scenario.before.json"
fi
if [ -n "${URL:-}" ]; then
  [ -n "${BENCH_BIN:-}" ] || cargo build --release --locked --quiet -p lectern-load
  exec "${BENCH_BIN:-target/release}/lectern-load" run "$scenario" --url "$URL" --out "$out" "$@"
fi

# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh -p lectern-load

source=127.0.0.1:8095
export APP_RATE_LIMITS=off APP_LOG_LEVEL=error APP_METRICS_TOKEN=a-token-of-the-load APP_ALLOWED_PRIVATE_TARGETS=127.0.0.1
export APP_VENDOR_MAPI_URL=http://$source APP_VENDOR_CDN_URL=http://$source APP_OIDC_RESOURCE_AUDIENCE=https://api.example
export APP_OIDC_CLIENTS_JSON='[{"clientId":"load","redirectUris":["https://load.example/cb"],"grantTypes":["authorization_code","refresh_token","client_credentials"],
  "clientSecret":"a-secret-of-the-load-and-of-nothing-else","requirePkce":false,"idTokenSignedResponseAlg":"ES256"}]'
ulimit -n "$(ulimit -Hn)"

# Server and load must not take the processor from one another where that is what is measured.
server_core=() load_core=()
if [ "$scenario" = overload ] && [ "$(nproc)" -gt 1 ]; then
  server_core=(taskset -c 0) load_core=(taskset -c 1)
fi
serve 8099 env "${server_core[@]}"
"${load_core[@]}" "$bin/lectern-load" run "$scenario" --url "$base" --metrics-token "$APP_METRICS_TOKEN" --source $source --out "$out" "$@"
