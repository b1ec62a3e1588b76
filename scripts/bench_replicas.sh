#!/usr/bin/env bash
# Cold reads of the Delivery API without a replica, with one and with two: which process spends how much processor time on a request. A release build, a primary and two
# standbys of their own in a directory made for this run. All share this machine, so only the processor time says what each would need on a machine of its own.
# Usage: scripts/bench_replicas.sh [stories, 10000] [seconds for each run, 5]
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh -p lectern-load

stories=${1:-10000}
seconds=${2:-5}
programs=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
mkdir "$work/clusters"
if [ "$(id -u)" -eq 0 ]; then
  # PostgreSQL refuses to be root.
  chown postgres "$work/clusters"
  owner() { setpriv --reuid=postgres --regid=postgres --clear-groups --pdeathsig=KILL "$@"; }
else
  owner() { "$@"; }
fi

# postgres <name> <port>: runs a cluster, which becomes ${process[name]}.
declare -A process
postgres() {
  owner "$programs/postgres" -D "$work/clusters/$1" -k "$work/clusters" -c port="$2" -c listen_addresses=127.0.0.1 -c hot_standby_feedback=on >>"$work/log" 2>&1 &
  until psql -qAtX -h 127.0.0.1 -p "$2" -U lectern -d postgres -c 'select' >/dev/null 2>&1; do sleep 0.05; done
  process[$1]=$(head -n 1 "$work/clusters/$1/postmaster.pid")
  started+=("${process[$1]}")
}
primary() { PGOPTIONS='-c client_min_messages=warning' psql -qAtX -v ON_ERROR_STOP=1 -h 127.0.0.1 -p 5461 -U lectern -d postgres "$@"; }
url() { echo "postgres://lectern@$1/postgres"; }

export APP_RATE_LIMITS=off APP_LOG_LEVEL=warn APP_DELIVERY_CACHE_MB=0
owner "$programs/initdb" -D "$work/clusters/primary" -U lectern --auth=trust --no-locale -E UTF8 >>"$work/log"
postgres primary 5461
APP_DATABASE_URL=$(url 127.0.0.1:5461)
export APP_DATABASE_URL
serve 8097
sign_in
space=$(post /api/v1/spaces '{"name":"Bench"}')
primary -v space="$(jq .space.id <<<"$space")" -v stories="$stories" -f scripts/bench_stories.sql
primary -c 'vacuum analyze' -c checkpoint
token=$(jq -r .tokens.public <<<"$space")
for number in 1 2; do
  owner "$programs/pg_basebackup" -D "$work/clusters/replica$number" -h 127.0.0.1 -p 5461 -U lectern --write-recovery-conf --checkpoint=fast
  postgres "replica$number" $((5461 + number))
done

# The processor time of a process and its children so far, in hundredths of a second.
spent() {
  local pid total=0
  for pid in "$1" $(pgrep -P "$1"); do
    total=$((total + $(awk '{print $14 + $15}' "/proc/$pid/stat")))
  done
  echo "$total"
}
# run <name> <file of paths>
run() {
  local name=$1 before=() each
  for round in warm measured; do
    before=("$(spent "$server")" "$(spent "${process[primary]}")" "$(spent "${process[replica1]}")" "$(spent "${process[replica2]}")")
    "$bin/lectern-load" paths --paths "$2" --url "$base" --token "$token" --connections 16 --seconds "$seconds" --pid "$server" --json >"$work/$round.json"
  done
  each=("$(spent "$server")" "$(spent "${process[primary]}")" "$(spent "${process[replica1]}")" "$(spent "${process[replica2]}")")
  jq -r .requests_per_second "$work/measured.json" | awk -v name="$name" -v seconds="$seconds" -v before="${before[*]}" -v after="${each[*]}" '{
    split(before, b); split(after, a); requests = $1 * seconds
    printf "  %-24s server %.3f  primary %.3f  replica 1 %.3f  replica 2 %.3f ms\n", name, (a[1]-b[1])*10/requests, (a[2]-b[2])*10/requests, (a[3]-b[3])*10/requests, (a[4]-b[4])*10/requests
  }'
}
awk -v stories="$stories" 'BEGIN {srand(1); for (i = 0; i < 4000; i++) {s = int(rand() * stories); f = int(s / 100); print "/api/v2/cdn/stories/section-" f % 10 "/folder-" f "/story-" s}}' >"$work/singles"
awk 'BEGIN {for (n = 0; n < 4000; n++) print "/api/v2/cdn/stories?per_page=25&excluding_story_fields=none-" n "&starts_with=section-" n % 10 "/&sort_by=published_at:desc"}' >"$work/lists"
for replicas in '' 127.0.0.1:5462 127.0.0.1:5462,127.0.0.1:5463; do
  kill "$server"
  wait "$server" || true
  if [ -n "$replicas" ]; then
    APP_DATABASE_READ_URL=$(url "$replicas")
    export APP_DATABASE_READ_URL
  fi
  serve 8097
  echo "replicas: ${replicas:-none}; processor time for a request"
  run 'single by slug' "$work/singles"
  run 'list, a tenth matches' "$work/lists"
done
