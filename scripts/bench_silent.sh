#!/usr/bin/env bash
# What silent webhooks take from others: webhooks that accept deliveries and never answer, in twelve spaces. How soon does a new webhook of the same spaces get its
# first delivery, and how soon does a good receiver of another space that answers 503 once get its backlog as before? A release build with its own PostgreSQL in a
# directory made for this run.
# Usage: scripts/bench_silent.sh [silent, 1000] [new, 100] [seconds in which the new ones are registered, 100]
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh -p lectern-load

silent=${1:-1000}
new=${2:-100}
seconds=${3:-100}

# Connections of the deliveries under way, at both ends.
ulimit -n "$(ulimit -Hn)"
export APP_RATE_LIMITS=off APP_LOG_LEVEL=warn APP_ALLOWED_PRIVATE_TARGETS=127.0.0.1
serve 8098
sign_in
spaces=()
for number in $(seq 13); do
  id=$(post /api/v1/spaces "{\"name\":\"Bench $number\"}" | jq .space.id)
  admin=$(post "/api/v1/spaces/$id/tokens" '{"name":"bench","role":"admin"}' | jq -r .plaintext)
  spaces+=(--in "$id:$admin")
done
"$bin/lectern-load" silent --url "$base" "${spaces[@]}" --silent "$silent" --new "$new" --seconds "$seconds"
echo "most resident memory of the server: $(awk '/VmHWM/ {print $2 " " $3}' "/proc/$server/status")"
