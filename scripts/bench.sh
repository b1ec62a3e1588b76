#!/usr/bin/env bash
# Measures reading, cold: a release build with its own PostgreSQL in a directory made for this run, both on core 0, the load on core 1.
# Usage: scripts/bench.sh [number of stories, 10000]     Prints one line a scenario; docs/performance.md says how to read them.
set -euo pipefail
cd "$(dirname "$0")/.."

stories=${1:-10000}
seconds=${BENCH_SECONDS:-8}
base=http://127.0.0.1:8099
work=$(mktemp -d)
server=
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
chmod 755 "$work"

cargo build --release --locked --quiet --bin lectern
cargo build --release --locked --quiet -p lectern-load
load=target/release/lectern-load

APP_LISTEN=127.0.0.1:8099 APP_DATA_DIR=$work/data APP_RATE_LIMITS=off APP_LOG_LEVEL=warn APP_DELIVERY_CACHE_MB=${BENCH_CACHE_MB:-0} \
  taskset -c 0 target/release/lectern >"$work/log" 2>&1 &
server=$!
for _ in $(seq 300); do curl -fs "$base/api/ready" >/dev/null && break; sleep 0.1; done

jar=$work/jar
csrf() { curl -sS -b "$jar" -c "$jar" "$base/api/csrf-token" | jq -r .csrfToken; }
post() { curl -sS -b "$jar" -c "$jar" -H "X-CSRF-Token: $(csrf)" -H 'Content-Type: application/json' "$base$1" -d "$2"; }
post /api/auth/register '{"email":"bench@example.org","password":"a plank of long wood","firstName":"Ben"}' >/dev/null
post /api/auth/login '{"email":"bench@example.org","password":"a plank of long wood"}' >/dev/null
space=$(post /api/v1/spaces '{"name":"Bench"}')
id=$(jq .space.id <<<"$space")
public=$(jq -r .tokens.public <<<"$space")
admin=$(post "/api/v1/spaces/$id/tokens" '{"name":"bench","role":"admin"}' | jq -r .plaintext)

echo "writing $stories stories"
taskset -c 1 "$load" write --url $base --token "$admin" --space "$id" --folders $((stories / 100 > 0 ? stories / 100 : 1)) \
  --requests "$stories" --seconds 3600 --pid "$server" --children | sed 's/^/  /'

measure() {
  local name=$1
  shift
  for round in warm measured; do
    taskset -c 1 "$load" "$@" --url $base --token "$public" --connections 16 --seconds "$seconds" --pid "$server" --children --json \
      >"$work/$round.json" || { cat "$work/$round.json"; exit 1; }
  done
  printf '%-34s ' "$name"
  jq -c . "$work/measured.json"
}
# Each request differs from those under way beside it: equal ones would be answered by one rendering.
measure 'single by slug' single
measure 'list of 25 by prefix' list
measure 'list by equality on content' query --query 'per_page=25&filter_query[category][in]=category-{}'
measure 'list sorted by a content field' query --query 'per_page=25&sort_by=content.price:asc:int&excluding_ids={}'
measure 'list by tag' query --query 'per_page=25&with_tag=tag-{}'
measure 'list by content type' query --query 'per_page=25&content_type=page&excluding_ids={}'
echo "resident memory of the server: $(awk '/VmRSS/ {print $2 " " $3}' "/proc/$server/status")"
