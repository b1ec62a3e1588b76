#!/usr/bin/env bash
# What a delivery costs: a backlog of webhook deliveries, let go to 100 receivers on this machine. A release build with its own PostgreSQL
# in a directory made for this run. The second process, if asked for, shares the database and the work.
# Usage: scripts/bench_drain.sh [deliveries, 100000] [processes, 1]
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh -p lectern-load

deliveries=${1:-100000}
processes=${2:-1}
load=$bin/lectern-load

export APP_RATE_LIMITS=off APP_LOG_LEVEL=warn APP_ALLOWED_PRIVATE_TARGETS=127.0.0.1
serve 8098
servers=("$server")
for number in $(seq 2 "$processes"); do
  APP_LISTEN=127.0.0.1:$((8098 + number)) APP_DATA_DIR=$work/data-$number \
    APP_DATABASE_URL="host=$work/data/run user=lectern dbname=postgres" "$bin/lectern" >"$work/log-$number" 2>&1 &
  servers+=($!)
  started+=($!)
done

sign_in
id=$(post /api/v1/spaces '{"name":"Bench"}' | jq .space.id)
admin=$(post "/api/v1/spaces/$id/tokens" '{"name":"bench","role":"admin"}' | jq -r .plaintext)

pids=()
for server in "${servers[@]}"; do pids+=(--pid "$server"); done
"$load" drain --url "$base" --token "$admin" --space "$id" --requests "$deliveries" --seconds 1800 "${pids[@]}" --children
for server in "${servers[@]}"; do echo "most resident memory of a server: $(awk '/VmHWM/ {print $2 " " $3}' "/proc/$server/status")"; done
