#!/usr/bin/env bash
# What a login costs beside the comparison of its password, and what a flood of logins does to memory and to reads. A release build with its own
# PostgreSQL in a directory made for this run.
# Usage: scripts/bench_logins.sh [seconds of each step, 20]
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-20}
base=http://127.0.0.1:8097
work=$(mktemp -d)
finish() {
  kill "${server:-}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
chmod 755 "$work"

cargo build --release --locked --quiet --bin lectern
cargo build --release --locked --quiet -p lectern-load
cargo build --release --locked --quiet -p lectern-crypto --example hashing
load=target/release/lectern-load

export APP_RATE_LIMITS=off APP_LOG_LEVEL=error
APP_LISTEN=127.0.0.1:8097 APP_DATA_DIR=$work/data target/release/lectern >"$work/log" 2>&1 &
server=$!
for _ in $(seq 300); do curl -fs "$base/api/ready" >/dev/null && break; sleep 0.1; done

jar=$work/jar
csrf() { curl -sS -b "$jar" -c "$jar" "$base/api/csrf-token" | jq -r .csrfToken; }
post() { curl -sS -b "$jar" -c "$jar" -H "X-CSRF-Token: $(csrf)" -H 'Content-Type: application/json' "$base$1" -d "$2"; }
memory() { awk -v name="$1" '$1 == name ":" {print $2 " kB"}' "/proc/$server/status"; }
post /api/auth/register '{"email":"bench@example.org","password":"a plank of long wood","firstName":"Ben"}' >/dev/null
post /api/auth/login '{"email":"bench@example.org","password":"a plank of long wood"}' >/dev/null
space=$(post /api/v1/spaces '{"name":"Bench"}')
id=$(jq .space.id <<<"$space")
admin=$(post "/api/v1/spaces/$id/tokens" '{"name":"bench","role":"admin"}' | jq -r .plaintext)
public=$(post "/api/v1/spaces/$id/api_keys" '{"api_key":{"access":"public"}}' | jq -r '.. | .token? // .plaintext? // empty' | head -1)
curl -sS -H "Authorization: $admin" -H 'Content-Type: application/json' "$base/api/v1/spaces/$id/stories" \
  -d '{"story":{"name":"Home","slug":"home","content":{"component":"page"}},"publish":1}' >/dev/null

echo "== comparisons of passwords"
target/release/examples/hashing
echo "== logins, processor time of the server and its PostgreSQL"
"$load" login --url $base --connections 8 --seconds "$seconds" --pid $server --children
echo "== comparisons of passwords, once more"
target/release/examples/hashing
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
