#!/usr/bin/env bash
# What requests to the OpenID provider and its pages cost: processor time of the server and its PostgreSQL for each, with ES256 and once more with RS256. A release build
# with its own PostgreSQL in a directory made for this run, both on core 0, the load on core 1.
# Usage: scripts/bench_oidc.sh [seconds of each step, 5]
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh -p lectern-load

seconds=${1:-5}
floor=http://127.0.0.1:8095
load=$bin/lectern-load

secret=a-secret-of-the-bench-and-of-nothing-else
client() {
  printf '{"clientId":"%s","redirectUris":["https://bench.example/cb"],"grantTypes":["authorization_code","refresh_token","client_credentials"],"clientSecret":"%s","requirePkce":false,"idTokenSignedResponseAlg":"%s"}' "$1" "$secret" "$2"
}
export APP_OIDC_CLIENTS_JSON="[$(client es ES256),$(client rs RS256)]" APP_OIDC_RESOURCE_AUDIENCE=https://api.example
export APP_RATE_LIMITS=off APP_LOG_LEVEL=warn
serve 8096 taskset -c 0

measure() { # measure <name> <client> <exchange> [process that serves] [url]
  local round name=$1 who=$2 exchange=$3 pid=${4:-$server} url=${5:-$base}
  for round in warm measured; do
    taskset -c 1 "$load" oidc --exchange "$exchange" --client "$who:$secret" --url "$url" --connections 16 --seconds "$seconds" --pid "$pid" --children --json \
      >"$work/$round.json" || { cat "$work/$round.json" "$work/log"; exit 1; }
  done
  jq -r --arg name "$name" '[$name, (.cpu_ms_per_request * 10000 | round / 10000), (.requests_per_second | round), .latency_ms.p50, .latency_ms.p99] | @tsv' \
    "$work/measured.json" | awk -F '\t' '{printf "  %-44s %8s ms  %7s /s  p50 %-8s p99 %s ms\n", $1, $2, $3, $4, $5}'
}

echo "an RSA signature (2048 bits) on core 0: $(taskset -c 0 openssl speed -seconds 2 -mr rsa2048 2>/dev/null | awk -F: '/^\+F2/ {printf "%.3f ms", $4 > 1 ? 1000 / $4 : $4 * 1000}')"
echo "CPU a request of server and PostgreSQL, requests a second, latency over 16 connections"
for exchange in discovery jwks; do
  taskset -c 0 "$load" oidc --exchange "$exchange" --client "es:$secret" --url "$base" --mirror 127.0.0.1:8095 >/dev/null 2>&1 &
  mirror=$!
  started+=("$mirror")
  until curl -fs -o /dev/null "$floor/.well-known/jwks.json"; do sleep 0.01; done
  for round in 1 2; do
    measure "$exchange, bare hyper ($round)" es "$exchange" "$mirror" "$floor"
    measure "$exchange, Lectern ($round)" es "$exchange"
  done
  kill "$mirror"
done
for page in sign-in-page account-page; do
  measure "$page" es "$page"
done
for who in es rs; do
  for exchange in client-jwt client-token introspection userinfo refresh code; do
    measure "$exchange, $who" "$who" "$exchange"
  done
done
