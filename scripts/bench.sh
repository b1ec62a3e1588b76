#!/usr/bin/env bash
# Measures the Delivery API: a release build with its own PostgreSQL in a directory made for this run, both on core 0, the load on core 1.
#   scripts/bench.sh [stories, 10000]    FULL=1 adds 1,000 and 100,000 stories beside them, and 10,000 rounds of publishing and reading
# A line for each scenario; docs/performance.md says how to read them.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh -p lectern-load

sizes=${1:-10000}
rounds=1000
[ -z "${FULL:-}" ] || { sizes="1000 10000 100000" rounds=10000; }
seconds=${BENCH_SECONDS:-5}
load=$bin/lectern-load

export APP_RATE_LIMITS=off APP_LOG_LEVEL=warn

# serve_cached <port> <megabytes of cache> [more variables]: starts a server and says in $ready_ms how long it took until it was ready.
serve_cached() {
  local port=$1 cache=$2 began
  shift 2
  began=$(date +%s%N)
  serve "$port" env APP_DELIVERY_CACHE_MB="$cache" "$@" taskset -c 0
  ready_ms=$((($(date +%s%N) - began) / 1000000))
}
stop() {
  kill "$server"
  wait "$server" || true
}
resident() { awk '/VmRSS/ {print int($2 / 1024) " MB"}' "/proc/$server/status"; }

serve_cached 8099 64
postgres=$(head -n 1 "$work/data/postgres/postmaster.pid")
database=$(sql -d template1 -c "select datname from pg_database where not datistemplate order by datname = 'postgres' limit 1")

sign_in

declare -A id public
for size in $sizes; do
  space=$(post /api/v1/spaces '{"name":"Bench"}')
  id[$size]=$(jq .space.id <<<"$space")
  public[$size]=$(jq -r .tokens.public <<<"$space")
  began=$SECONDS
  sql -d "$database" -v space="${id[$size]}" -v stories="$size" -f scripts/bench_stories.sql
  echo "$size stories written by SQL in $((SECONDS - began)) s"
done
size=${sizes%% *}
admin=$(post "/api/v1/spaces/${id[$size]}/tokens" '{"name":"bench","role":"admin"}' | jq -r .plaintext)

# The rows that SQL wrote are those that the Management API writes of the same story.
rows() {
  sql -d "$database" -c "
    select to_jsonb(it) - '{story_id,uuid,group_id,slug,full_slug,name,position,created_at,updated_at,published_at,first_published_at,content,doc,search,search_text}'::text[],
           md5(content::jsonb::text), md5(doc::text), md5(search_text), length(ts_delete(search, '{7,-7,999999,-999999}'::text[]))
    from editions it where slug = '$1' and space_id = ${id[$size]} order by edition;
    select edition, field, left(value, 50), is_whole, is_element, number from edition_fields join editions using (space_id, edition, story_id)
    where slug = '$1' and space_id = ${id[$size]} order by 1, 2, 3;
    select edition, tag from edition_tags join editions using (space_id, edition, story_id)
    where slug = '$1' and space_id = ${id[$size]} order by 1, 2;
    select status, version.name = slug, number, version.content::text::jsonb = doc from story_versions version
    join editions on editions.space_id = version.space_id and editions.story_id = version.story_id and edition = 'draft'
    where slug = '$1' and editions.space_id = ${id[$size]};"
}
copied=$(sql -d "$database" -c "
  select jsonb_build_object('publish', 1, 'story', jsonb_build_object('name', 'story-999999', 'slug', 'story-999999', 'parent_id', parent_id, 'tag_list', tags, 'content', content))
  from editions where slug = 'story-7' and edition = 'draft' and space_id = ${id[$size]}")
curl -sS -f -o /dev/null -H "Authorization: $admin" -H 'Content-Type: application/json' "$base/api/v1/spaces/${id[$size]}/stories" -d "$copied"
diff <(rows story-7) <(rows story-999999)
echo "a story written by SQL equals one written through the API"
stop

measure() { # measure <name> <token> <scenario and its options>
  local name=$1 token=$2
  shift 2
  for round in warm measured; do
    taskset -c 1 "$load" "$@" --url "$base" --token "$token" --connections 16 --seconds "$seconds" --pid "$server" --children --json \
      >"$work/$round.json" || { cat "$work/$round.json"; exit 1; }
  done
  jq -r --arg name "$name" '[$name, (.cpu_ms_per_request * 10000 | round / 10000), (.requests_per_second | round), .latency_ms.p50, .latency_ms.p99] | @tsv' \
    "$work/measured.json" | awk -F '\t' '{printf "  %-44s %8s ms  %7s /s  p50 %-8s p99 %s ms\n", $1, $2, $3, $4, $5}'
}
# paths <one line> [values of {m}]: a file of them. {n} differs in each and changes nothing: equal requests that are under way at the same
# time would share one rendering. {d} is the last digit of {m}: folder {m} is in section {d}. {p} is a page after the first.
paths() {
  awk -v of="$1" -v values="${2:-1}" 'BEGIN {for (n = 0; n < 4000; n++) {line = of; m = n % values; gsub(/{n}/, n, line); gsub(/{m}/, m, line); gsub(/{d}/, m % 10, line); gsub(/{p}/, m + 2, line); print line}}' >"$work/paths"
}
# stories <number>: the paths of the first stories.
stories() { awk -v stories="$1" 'BEGIN {for (s = 0; s < stories; s++) {f = int(s / 100); print "/api/v2/cdn/stories/section-" f % 10 "/folder-" f "/story-" s}}'; }
# Every story of the space, 100 a page and 10 pages at a time, as a build server reads them. Each time another list: its keys are worked out each time.
get_all() {
  local pages=$((size / 100)) times=$((100000 / size))
  for time in $(seq "$times"); do
    for page in $(seq "$pages"); do
      echo "/api/v2/cdn/stories?per_page=100&page=$page&excluding_slugs=none-$time"
    done
  done >"$work/paths"
  taskset -c 1 "$load" paths --paths "$work/paths" --url "$base" --token "${public[$size]}" --connections 10 --requests $((pages * times)) --seconds 3600 \
    --pid "$server" --children --json >"$work/measured.json"
  jq -r '.cpu_ms_per_request * 100 | round / 10000' "$work/measured.json" | awk '{printf "  %-44s %8s ms for each story\n", "all of them, 100 a page, 10 at a time", $1}'
}
list='/api/v2/cdn/stories?per_page=25&excluding_story_fields=none-{n}'

for size in $sizes; do
  serve_cached 8099 0
  echo "cold, $size stories: CPU a request of server and PostgreSQL, requests a second, latency over 16 connections"
  stories "$size" | awk 'BEGIN {srand(1)} {path[NR] = $0} END {for (i = 0; i < 4000; i++) print path[1 + int(rand() * NR)]}' >"$work/paths"
  measure 'single by slug' "${public[$size]}" paths --paths "$work/paths"
  sql -d "$database" -c "select '/api/v2/cdn/stories/' || uuid from editions where space_id = ${id[$size]} and edition = 'published' limit 4000" >"$work/paths"
  measure 'single by uuid' "${public[$size]}" paths --paths "$work/paths"
  paths "$list&starts_with=section-{d}/folder-{m}/" $((size / 100))
  measure 'list of 25 by prefix (100 match)' "${public[$size]}" paths --paths "$work/paths"
  paths "$list&filter_query%5Bcategory%5D%5Bin%5D=category-{m}" $((size / 100))
  measure 'list by equality on a field (100 match)' "${public[$size]}" paths --paths "$work/paths"
  paths "$list&sort_by=content.price:asc:int"
  measure 'list sorted by a field (all match)' "${public[$size]}" paths --paths "$work/paths"
  paths "$list&sort_by=name:desc"
  measure 'list sorted by a property, last first' "${public[$size]}" paths --paths "$work/paths"
  paths "$list&by_slugs=section-{d}/folder-{m}/*,none-{n}" $((size / 100))
  measure 'list by slugs (100 match)' "${public[$size]}" paths --paths "$work/paths"
  paths "$list&with_tag=tag-{m}" $((size / 200))
  measure 'list by tag (200 match)' "${public[$size]}" paths --paths "$work/paths"
  paths "$list&content_type=page"
  measure 'list by content type (all match)' "${public[$size]}" paths --paths "$work/paths"
  tenth=$((size / 10)) twentieth=$((size / 20))
  for order in published_at:desc first_published_at:asc updated_at:desc name:asc slug:desc; do
    paths "$list&starts_with=section-{m}/&sort_by=$order" 10
    measure "list by prefix ($tenth match), $order" "${public[$size]}" paths --paths "$work/paths"
  done
  paths "$list&starts_with=section-{m}/" 10
  measure "list by prefix ($tenth match)" "${public[$size]}" paths --paths "$work/paths"
  paths "$list&starts_with=section-{m}/&content_type=page&sort_by=published_at:desc" 10
  measure "list by prefix and content type, published_at" "${public[$size]}" paths --paths "$work/paths"
  paths "$list&filter_query%5Bkind%5D%5Bin%5D=kind-{m}&sort_by=published_at:desc" 20
  measure "list by equality ($twentieth match), published_at" "${public[$size]}" paths --paths "$work/paths"
  paths "$list&filter_query%5Bkind%5D%5Bin%5D=kind-{m}&sort_by=name:asc" 20
  measure "list by equality ($twentieth match), name" "${public[$size]}" paths --paths "$work/paths"
  paths "$list&filter_query%5Bkind%5D%5Bin%5D=kind-{m}" 20
  measure "list by equality ($twentieth match)" "${public[$size]}" paths --paths "$work/paths"
  paths "$list&filter_query%5Bkind%5D%5Bin%5D=kind-{m}&filter_query%5Btitle%5D%5Bin%5D=Written%20by%20a%20script&sort_by=published_at:desc" 20
  measure "list by two equalities ($twentieth of all match), published_at" "${public[$size]}" paths --paths "$work/paths"
  paths "$list&content_type=page&sort_by=published_at:desc"
  measure 'list by content type (all match), published_at' "${public[$size]}" paths --paths "$work/paths"
  paths "$list&starts_with=section-3/&sort_by=published_at:desc&page={p}" $((tenth / 25 - 1))
  measure "pages after the first of a list ($tenth match)" "${public[$size]}" paths --paths "$work/paths"
  get_all
  bytes=$(curl -fsS "$base/api/v2/cdn/links?token=${public[$size]}" | wc -c)
  echo "  the whole map of links, $((bytes >> 10)) KB; most resident memory since the start: $(awk '/VmHWM/ {print int($2 / 1024) " MB"}' "/proc/$server/status")"
  stop
done

# Hot: the cache at its default, and by turns with it a bare hyper that sends the bytes of one answer from memory.
serve_cached 8099 64
echo "idle, with its PostgreSQL up: $(resident)"
largest=${sizes##* }
# mirror <port> <token> [options]: a bare hyper that sends the bytes of the first of the paths. It becomes $server.
mirror() {
  local port=$1 token=$2
  shift 2
  taskset -c 0 "$load" paths --paths "$work/paths" --url "$base" --token "$token" --mirror "127.0.0.1:$port" "$@" &
  server=$!
  started+=("$server")
  until curl -fs -o /dev/null "http://127.0.0.1:$port/"; do sleep 0.01; done
}
# mirrored <name> <token>: the paths lie in the file. Three servers by turns, and the medians of nine turns.
mirrored() {
  local of=$server hyper single turn name
  measure "$1" "$2" paths --paths "$work/paths"
  mirror 8098 "$2"
  hyper=$server
  mirror 8096 "$2" --mirror-on-one-thread
  single=$server
  rm -f "$work"/turns.*
  for turn in 1 2 3 4 5 6 7 8 9; do
    turn lectern "$of" "$base" "$2"
    turn hyper "$hyper" http://127.0.0.1:8098 "$2"
    turn single "$single" http://127.0.0.1:8096 "$2"
  done
  for name in lectern hyper single; do sort -n "$work/turns.$name" | sed -n 5p; done | paste -s |
    awk -v name="$1" '{printf "  %s, medians of nine turns: Lectern %.4f ms, bare hyper %.4f (%.2f times), on one thread %.4f (%.2f times)\n", name, $1, $2, $1 / $2, $3, $1 / $3}'
  kill "$hyper" "$single"
  server=$of
}
# turn <name> <process> <url> <token>: one measurement, added to a file.
turn() {
  taskset -c 1 "$load" paths --paths "$work/paths" --url "$3" --token "$4" --connections 16 --seconds "$seconds" --pid "$2" --children --json >"$work/turn.json"
  jq .cpu_ms_per_request "$work/turn.json" >>"$work/turns.$1"
}
echo "hot, $largest stories"
stories 400 >"$work/paths"
mirrored 'single' "${public[$largest]}"
paths "/api/v2/cdn/stories?per_page=25&starts_with=section-{d}/folder-{m}/" 4
mirrored 'list of 25' "${public[$largest]}"

# More answers than the cache holds: it stays within its bound.
stories "$largest" >"$work/paths"
measure 'every story once or more, cache filling' "${public[$largest]}" paths --paths "$work/paths"
echo "resident after that, $largest stories in the database: $(resident)"

serve_beside() {
  local first=$server at=$base
  serve_cached 8097 64 APP_DATA_DIR="$work/beside" APP_DATABASE_URL="host='$(sed -n 5p "$work/data/postgres/postmaster.pid")' user=lectern dbname=$database"
  echo "start to ready beside a standing database: $ready_ms ms; idle: $(resident)"
  stop
  server=$first base=$at
}
mkdir "$work/beside"
serve_beside
serve_beside

echo "$rounds rounds: publish, then read; while 4 connections read"
taskset -c 1 "$load" single --prefix section-0/folder-0/ --url $base --token "${public[$size]}" --connections 4 --seconds 3600 >/dev/null 2>&1 &
started+=($!)
taskset -c 1 "$load" fresh --url $base --token "$admin" --reader "${public[${sizes%% *}]}" --space "${id[${sizes%% *}]}" --connections 4 --requests "$rounds" --seconds 3600 \
  --pid "$server" --children | sed 's/^/  /'
