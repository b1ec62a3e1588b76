#!/usr/bin/env bash
# What callers with expensive queries cost the readers of another space: both spaces have 4,000 stories, eight callers share one token. A release build with its
# own PostgreSQL in a directory made for this run.
# Usage: scripts/bench_expensive.sh [seconds of each half, 20] [callers, 8]
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh -p lectern-load

export APP_RATE_LIMITS=off APP_LOG_LEVEL=warn
serve 8097
sign_in
database=$(sql -d template1 -c "select datname from pg_database where not datistemplate order by datname = 'postgres' limit 1")
declare -A token
for space in callers readers; do
  made=$(post /api/v1/spaces "{\"name\":\"$space\"}")
  token[$space]=$(jq -r .tokens.public <<<"$made")
  sql -d "$database" -v space="$(jq .space.id <<<"$made")" -v stories=4000 -f scripts/bench_stories.sql
done

"${LOAD_BIN:-$bin}/lectern-load" expensive --url "$base" --token "${token[callers]}" --reader "${token[readers]}" --seconds "${1:-20}" --connections "${2:-8}"
