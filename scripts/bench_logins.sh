#!/usr/bin/env bash
# What a login costs beside the comparison of its password, and what a flood of logins does to memory and to reads. A release build with its own
# PostgreSQL in a directory made for this run.
# Usage: scripts/bench_logins.sh [seconds of each step, 20]
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh -p lectern-load

seconds=${1:-20}
[ -n "${BENCH_BIN:-}" ] || cargo build --release --locked --quiet -p lectern-crypto --example hashing
load=$bin/lectern-load

export APP_RATE_LIMITS=off APP_LOG_LEVEL=error
serve 8097
sign_in
memory() { awk -v name="$1" '$1 == name ":" {print $2 " kB"}' "/proc/$server/status"; }
space=$(post /api/v1/spaces '{"name":"Bench"}')
id=$(jq .space.id <<<"$space")
admin=$(post "/api/v1/spaces/$id/tokens" '{"name":"bench","role":"admin"}' | jq -r .plaintext)
public=$(post "/api/v1/spaces/$id/api_keys" '{"api_key":{"access":"public"}}' | jq -r '.. | .token? // .plaintext? // empty' | head -1)
curl -sS -H "Authorization: $admin" -H 'Content-Type: application/json' "$base/api/v1/spaces/$id/stories" \
  -d '{"story":{"name":"Home","slug":"home","content":{"component":"page"}},"publish":1}' >/dev/null

echo "== comparisons of passwords"
"$bin/examples/hashing"
echo "== logins, processor time of the server and its PostgreSQL"
"$load" login --url $base --connections 8 --seconds "$seconds" --pid $server --children
echo "== comparisons of passwords, once more"
"$bin/examples/hashing"
echo "== reads, quiet; resident: $(memory VmRSS)"
"$load" single --url $base --token "$public" --connections 4 --rate 200 --seconds "$seconds"
echo "== 500 logins a second, and the same reads beside them"
"$load" login --url $base --connections 256 --rate 500 --seconds $((seconds + 10)) >"$work/flood" || true &
flood=$!
sleep 8
"$load" single --url $base --token "$public" --connections 4 --rate 200 --seconds "$seconds"
wait $flood
cat "$work/flood"
echo "most resident memory: $(memory VmHWM)"
