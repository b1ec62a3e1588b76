#!/usr/bin/env bash
# What a delivery costs: a backlog of webhook deliveries, let go to 100 receivers on this machine. A release build with its own PostgreSQL
# in a directory made for this run. The second process, if asked for, shares the database and the work.
# Usage: scripts/bench_drain.sh [deliveries, 100000] [processes, 1]; BIN=<directory> takes the binaries that are there instead of building them.
set -euo pipefail
cd "$(dirname "$0")/.."

deliveries=${1:-100000}
processes=${2:-1}
base=http://127.0.0.1:8098
work=$(mktemp -d)
servers=()
finish() {
  for server in "${servers[@]}"; do kill "$server" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
chmod 755 "$work"

bin=${BIN:-target/release}
if [ -z "${BIN:-}" ]; then
  cargo build --release --locked --quiet --bin lectern
  cargo build --release --locked --quiet -p lectern-load
fi
load=$bin/lectern-load

export APP_RATE_LIMITS=off APP_LOG_LEVEL=warn APP_ALLOWED_PRIVATE_TARGETS=127.0.0.1 APP_SECRET=a-secret-for-a-bench-and-nothing-else
APP_LISTEN=127.0.0.1:8098 APP_DATA_DIR=$work/data "$bin/lectern" >"$work/log" 2>&1 &
servers+=($!)
for _ in $(seq 300); do curl -fs "$base/api/ready" >/dev/null && break; sleep 0.1; done
for number in $(seq 2 "$processes"); do
  APP_LISTEN=127.0.0.1:$((8098 + number)) APP_DATA_DIR=$work/data-$number \
    APP_DATABASE_URL="host=$work/data/run user=lectern dbname=postgres" "$bin/lectern" >"$work/log-$number" 2>&1 &
  servers+=($!)
done

jar=$work/jar
csrf() { curl -sS -b "$jar" -c "$jar" "$base/api/csrf-token" | jq -r .csrfToken; }
post() { curl -sS -b "$jar" -c "$jar" -H "X-CSRF-Token: $(csrf)" -H 'Content-Type: application/json' "$base$1" -d "$2"; }
post /api/auth/register '{"email":"bench@example.org","password":"a plank of long wood","firstName":"Ben"}' >/dev/null
post /api/auth/login '{"email":"bench@example.org","password":"a plank of long wood"}' >/dev/null
id=$(post /api/v1/spaces '{"name":"Bench"}' | jq .space.id)
admin=$(post "/api/v1/spaces/$id/tokens" '{"name":"bench","role":"admin"}' | jq -r .plaintext)

pids=()
for server in "${servers[@]}"; do pids+=(--pid "$server"); done
"$load" drain --url $base --token "$admin" --space "$id" --requests "$deliveries" --seconds 1800 "${pids[@]}" --children
for server in "${servers[@]}"; do echo "most resident memory of a server: $(awk '/VmHWM/ {print $2 " " $3}' "/proc/$server/status")"; done
