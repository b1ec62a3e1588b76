#!/usr/bin/env bash
# Measures what a hostile source takes: the resident memory of a release build with its own PostgreSQL before, at most during, and 10 seconds after
# imports from a stand-in of Storyblok that sends more than can be held. Each line is one import; APP_IMPORT_MEMORY_MB is the caller's or the default.
# Usage: scripts/bench_hostile_source.sh; BENCH_BIN is a folder with `lectern` and `vendor-stand-in`, for example to measure a former server with
# the stand-in of today.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh -p lectern-vendor-stand-in

source=http://127.0.0.1:8095
folder=$PWD/tests/support/vendor/sample_space
"$bin/vendor-stand-in" --listen 127.0.0.1:8095 --assets self "$folder" >"$work/source.log" 2>&1 &
started+=($!)
until curl -s -o /dev/null "$source/_control/counters"; do sleep 0.1; done
export APP_RATE_LIMITS=off APP_LOG_LEVEL=error
export APP_VENDOR_MAPI_URL=$source APP_VENDOR_CDN_URL=$source APP_ALLOWED_PRIVATE_TARGETS=127.0.0.1
serve 8096
sign_in
resident() { awk -v of="$1" '$1 == of":" {print int($2 / 1024)}' "/proc/$server/status"; }

run() { # run <name> <path> <fault as JSON>: one import into a new space
  local made id admin import state before began
  made=$(post /api/v1/spaces "{\"name\":\"Bench\"}")
  id=$(jq .space.id <<<"$made")
  admin=$(post "/api/v1/spaces/$id/tokens" '{"name":"bench","role":"admin"}' | jq -r .plaintext)
  curl -sS -o /dev/null -X PUT "$source/_control/faults" -d "[{\"path\":\"$2\",\"what\":$3}]"
  # The peak counts from here on.
  echo 5 >"/proc/$server/clear_refs"
  before=$(resident VmRSS)
  began=$(date +%s%N)
  import=$(curl -sS -H "Authorization: $admin" -H 'Content-Type: application/json' "$base/api/v1/spaces/$id/import/vendor" \
    -d '{"source_space_id":70001,"oauth_token":"vendor-personal-token","region":"eu"}' | jq .import.id)
  while :; do
    kill -0 "$server" 2>/dev/null || { echo "$1: the server died, at most $before MB before"; exit 1; }
    state=$(curl -sS -H "Authorization: $admin" "$base/api/v1/spaces/$id/imports/$import" | jq .import)
    [ "$(jq -r '.finished_at != null' <<<"$state")" = true ] && break
    if [ $(($(date +%s%N) - began)) -gt $((${PATIENCE:-60} * 1000000000)) ]; then
      curl -sS -o /dev/null -X DELETE -H "Authorization: $admin" "$base/api/v1/spaces/$id/imports/$import"
    fi
    sleep 0.2
  done
  local took=$((($(date +%s%N) - began) / 1000000)) peak
  peak=$(resident VmHWM)
  sleep 10
  printf '%-44s %4d MB before, %5d MB at most (%+d), %4d MB after; %5.1f s, %s\n' "$1" "$before" "$peak" $((peak - before)) "$(resident VmRSS)" \
    "$(awk -v ms=$took 'BEGIN {print ms / 1000}')" "$(jq -r '.status + " " + (.error.code // "")' <<<"$state")"
}

pieces() { jq -nc --arg head "$1" --arg piece "$2" --argjson times "$3" --arg tail "$4" '{kind: "pieces", $head, $piece, $times, $tail}'; }
made() { jq -nc --arg name "$1" --arg record "$2" --arg total "$3" '{kind: "made", $name, $record, count: 100, $total}'; }
long=$(printf 'x%.0s' {1..1000})
content='{"story":{"id":206,"uuid":"00000000-0000-4000-8000-0000000000ce","content":{"component":"page","a":['

run 'an honest source' nothing '{"kind":"no_total"}'
run '60 MB of empty lists as components' /components "$(pieces '{"components":[' '[],' 20000000 '[]]}')"
run '60 MB of empty lists in one component' /components "$(pieces '{"components":[{"id":1,"schema":[' '[],' 20000000 '[]]}]}')"
run '60 MB of small components' /components "$(pieces '{"components":[' '{"":1},' 8500000 '{}]}')"
run '60 MB of a name' /presets "$(pieces '{"presets":[{"id":1,"name":"' x 60000000 '"}]}')"
run '100,000 levels' /presets "$(pieces '{"presets":' '[' 100000 '')"
run 'an endless list of 250 assets' '/assets?' "$(made assets "{\"id\":#,\"name\":\"$long\"}" 250)"
run 'an endless list of assets, total 10^18' '/assets?' "$(made assets "{\"id\":#,\"name\":\"$long\"}" 1000000000000000000)"
run 'an endless list of stories, growing total' '/stories?' "$(made stories '{"id":#,"full_slug":"a/b/c"}' '#')"
run 'an endless list of stories, total 10^18' '/stories?' "$(made stories '{"id":#,"full_slug":"a/b/c"}' 1000000000000000000)"
run 'every story 60 MB of empty lists' /stories/ "$(pieces "$content" '[],' 20000000 '[]]}}}')"
run 'every story of 200,000 empty lists' /stories/ "$(pieces "$content" '[],' 200000 '[]]}}}')"
run 'every story of 15 MB' /stories/ "$(pieces "${content%[}\"" x 15000000 '"}}}')"
