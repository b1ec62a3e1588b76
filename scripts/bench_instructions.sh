#!/usr/bin/env bash
# Counts the instructions that the server executes for a read, by valgrind: a figure that other work on the machine does not change, to compare two builds where times
# differ by more than what is looked for. PostgreSQL is not counted, and nothing is cached.
#   scripts/bench_instructions.sh        BENCH_BIN is a folder with another `lectern`
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh

command -v valgrind >/dev/null || { echo "install valgrind" >&2; exit 1; }
export APP_RATE_LIMITS=off APP_LOG_LEVEL=error APP_DELIVERY_CACHE_MB=0 APP_REQUEST_TIMEOUT=120
port=8131

serve "$port" env
database=$(sql -d template1 -c "select datname from pg_database where not datistemplate order by datname = 'postgres' limit 1")
sign_in
space=$(post /api/v1/spaces '{"name":"Bench"}')
id=$(jq .space.id <<<"$space")
cdn="/api/v2/cdn/stories?token=$(jq -r .tokens.public <<<"$space")"
sql -d "$database" -v space="$id" -v stories=2000 -f scripts/bench_stories.sql
slugs=$(sql -d "$database" -c "select full_slug from editions where space_id = $id and edition = 'published' and not is_folder order by story_id limit 300")
kill "$server"
wait "$server" || true

# instructions <a file with paths>: those of a whole run of the server that answers them one after the other.
instructions() {
  serve "$port" valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file="$work/counted"
  sed "s|.*|url = \"$base&\"\noutput = \"/dev/null\"|" "$1" >"$work/requests"
  [ ! -s "$1" ] || curl -sS -f -K "$work/requests"
  kill "$server"
  wait "$server" || true
  sed -n 's/.*I *refs: *//p' "$work/counted" | tail -n 1 | tr -d ,
}
: >"$work/none"
for slug in $slugs; do echo "${cdn/stories/stories/$slug}"; done >"$work/single"
for number in $(seq 100); do echo "$cdn&per_page=25&page=$((number % 40 + 1))&excluding_slugs=none-$number"; done >"$work/list"
idle=$(instructions "$work/none")
for kind in single list; do
  count=$(wc -l <"$work/$kind")
  echo "$kind, not cached: $((($(instructions "$work/$kind") - idle) / count / 1000)) thousand instructions of the server for each"
done
