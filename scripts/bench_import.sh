#!/usr/bin/env bash
# Measures an import: a stand-in of Storyblok without limits, a release build with its own PostgreSQL in a directory made for this run, all on
# this machine. Reads of another space are measured before the import and during it.
# Usage: scripts/bench_import.sh [folder of exported JSON, its path below no one's home]; without one, 20,000 stories made of the example spaces.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh -p lectern-load -p lectern-vendor-stand-in

source=http://127.0.0.1:8095
folder=${1:-}
if [ -z "$folder" ]; then
  folder=$work/source
  python3 ../shared/spaces/make_large.py --from studies-abroad --from starter-articles --copy-assets --out "$folder" --stories "${STORIES:-20000}" >/dev/null
fi

"$bin/vendor-stand-in" --listen 127.0.0.1:8095 --assets self "$folder" >"$work/source.log" 2>&1 &
started+=($!)
until curl -s -o /dev/null "$source/_control/counters"; do sleep 0.1; done
export APP_RATE_LIMITS=off APP_LOG_LEVEL=warn APP_DELIVERY_CACHE_MB=0
export APP_VENDOR_MAPI_URL=$source APP_VENDOR_CDN_URL=$source APP_ALLOWED_PRIVATE_TARGETS=127.0.0.1
serve 8096
sign_in
space() { # space <name>: sets id, public and admin
  local made
  made=$(post /api/v1/spaces "{\"name\":\"$1\"}")
  id=$(jq .space.id <<<"$made")
  public=$(jq -r .tokens.public <<<"$made")
  admin=$(post "/api/v1/spaces/$id/tokens" '{"name":"bench","role":"admin"}' | jq -r .plaintext)
}
number=$(jq '(.space // .).id' "$folder/space.json")
start() {
  import=$(curl -sS -H "Authorization: $admin" -H 'Content-Type: application/json' "$base/api/v1/spaces/$id/import/vendor" \
    -d "{\"source_space_id\":$number,\"oauth_token\":\"vendor-personal-token\",\"region\":\"eu\"}" | jq .import.id)
}
read_import() { curl -sS -H "Authorization: $admin" "$base/api/v1/spaces/$id/imports/$import" | jq .import; }
resident() { awk -v of="$1" '$1 == of":" {print int($2 / 1024)}' "/proc/$server/status"; }
ticks() { awk '{print $14 + $15}' "/proc/$1/stat"; }
postgres=$(head -n 1 "$work/data/postgres/postmaster.pid")
database_ticks() { local sum=0 pid; for pid in $(pgrep -P "$postgres"); do sum=$((sum + $(ticks "$pid"))); done; echo "$sum"; }

run() { # run: imports to the end, and tells what it took
  local began ended before_server before_database before_source phase from=0
  before_server=$(ticks "$server") before_database=$(database_ticks) before_source=$(ticks "${started[0]}")
  began=$(date +%s%N)
  start
  while :; do
    state=$(read_import)
    phase=$(jq -r .progress.phase <<<"$state")
    [ "$phase" = stories ] && [ "$from" = 0 ] && from=$(date +%s%N)
    [ "$(jq -r '.finished_at != null' <<<"$state")" = true ] && break
    sleep "${POLL:-0.2}"
  done
  ended=$(date +%s%N)
  stories=$(jq '.report.counts.story.created + .report.counts.story.unchanged' <<<"$state")
  awk -v status="$(jq -r .status <<<"$state")" -v n="$stories" -v all=$(((ended - began) / 1000000)) -v last=$(((ended - from) / 1000000)) \
    -v server=$((($(ticks "$server") - before_server) * 10)) -v database=$((($(database_ticks) - before_database) * 10)) \
    -v source=$((($(ticks "${started[0]}") - before_source) * 10)) -v failed="$(jq .report.failures.total <<<"$state")" 'BEGIN {
    printf "%s, %d stories in %.1f s (%d a second; stories alone %.1f s, %d a second), %d failures\n", status, n, all / 1000, n * 1000 / all, last / 1000, n * 1000 / last, failed
    printf "CPU a story: server %.2f ms, PostgreSQL %.2f ms, source %.2f ms\n", server / n, database / n, source / n }'
}

reads() { # reads <name> <seconds> [--rate n]: 4 connections that ask for one story after the other
  "$bin/lectern-load" single --url $base --token "$reader" --connections 4 --seconds "$2" "${@:3}" --json |
    jq -r --arg name "$1" '"reads \($name): \(.requests_per_second | round) a second, p50 \(.latency_ms.p50) ms, p99 \(.latency_ms.p99) ms"'
}

echo "load average before: $(cut -d' ' -f1-3 /proc/loadavg); idle server: $(resident VmRSS) MB"
space Bench
idle=$(resident VmRSS)
run
echo "most memory of the server: $(resident VmHWM) MB, $(($(resident VmHWM) - idle)) MB more than before"
reader=$public
reads 'when it is quiet, warming up' 3
reads 'when it is quiet' 5
reads 'when it is quiet, 200 a second' 5 --rate 200
# The same into another space, while the first one is read.
space Beside
# Its progress is seldom asked for: the programs that do it want the same processors.
POLL=3 run >"$work/beside" &
running=$!
started+=("$running")
sleep 3
reads 'during an import' 4
reads 'during an import, 200 a second' 4 --rate 200
wait "$running"
sed 's/^/beside those reads: /' "$work/beside"
