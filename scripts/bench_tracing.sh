#!/usr/bin/env bash
# What traces cost: processor time of one read with nothing sent (APP_OTLP_ENDPOINT is not set), with traces at the default sampling, and with every request traced. Servers of
# each kind by turns on core 0, the load and a collector that throws away what it gets on core 1; a release build with a PostgreSQL of its own.
# Usage: scripts/bench_tracing.sh [hot | cold] [turns, 9] [seconds of a turn, 3]
# docs/performance.md, "Tracing".
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh -p lectern-load

kind=${1:-hot}
turns=${2:-9}
seconds=${3:-3}
cache=64
[ "$kind" = hot ] || cache=0

# It counts what it is sent, so that the result says whether anything was.
cat >"$work/collector.py" <<'END'
import http.server, sys
class Collector(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        with open(sys.argv[2], "a") as sink:
            print(self.path, len(body), file=sink)
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()
    def log_message(self, *_):
        pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Collector).serve_forever()
END
touch "$work/collected"
taskset -c 1 python3 "$work/collector.py" 4399 "$work/collected" &
started+=($!)

export APP_RATE_LIMITS=off APP_DELIVERY_CACHE_MB=$cache
declare -A process url
add() { # add <name> <port> [variables]: one of the servers that are compared
  local name=$1 port=$2
  shift 2
  serve "$port" env "$@" taskset -c 0
  process[$name]=$server url[$name]=$base
}
# Its PostgreSQL is that of all of them; it is not measured itself, because its processor time would have that of PostgreSQL in it twice.
serve 8099 taskset -c 0
postgres=$(head -n 1 "$work/data/postgres/postmaster.pid")
database=$(sql -d template1 -c "select datname from pg_database where not datistemplate order by datname = 'postgres' limit 1")
beside="APP_DATABASE_URL=host='$(sed -n 5p "$work/data/postgres/postmaster.pid")' user=lectern dbname=$database"
sign_in
space=$(post /api/v1/spaces '{"name":"Bench"}')
token=$(jq -r .tokens.public <<<"$space")
sql -d "$database" -v space="$(jq .space.id <<<"$space")" -v stories=1000 -f scripts/bench_stories.sql
sql -d "$database" -c 'analyze'
mkdir "$work/off" "$work/default" "$work/every"
# `serve` names the data directory itself, so the ones of the others come after it.
add off 8098 "$beside" APP_DATA_DIR="$work/off"
add default 8097 "$beside" APP_DATA_DIR="$work/default" APP_OTLP_ENDPOINT=http://127.0.0.1:4399
add every 8095 "$beside" APP_DATA_DIR="$work/every" APP_OTLP_ENDPOINT=http://127.0.0.1:4399 APP_OTLP_TRACE_PERCENT=100

for s in $(seq 0 399); do echo "/api/v2/cdn/stories/section-$((s / 100 % 10))/folder-$((s / 100))/story-$s"; done >"$work/paths"
measure() { # measure <name> <file for the result>: server and PostgreSQL together
  taskset -c 1 "$bin/lectern-load" paths --paths "$work/paths" --url "${url[$1]}" --token "$token" --connections 16 --seconds "$seconds" \
    --pid "${process[$1]}" --pid "$postgres" --children --json >"$work/result.json" || { cat "$work/result.json" >&2; exit 1; }
  jq .cpu_ms_per_request "$work/result.json" >>"$2"
}
for name in off default every; do measure "$name" /dev/null; done
for _ in $(seq "$turns"); do
  for name in off default every; do measure "$name" "$work/of-$name"; done
done
median() { sort -n "$1" | sed -n "$(((turns + 1) / 2))p"; }
off=$(median "$work/of-off")
for name in off default every; do
  median "$work/of-$name" | awk -v name="$name" -v kind="$kind" -v off="$off" '{printf "%s, traces %-8s %.4f ms a read (%+.1f %%)\n", kind, name ":", $1, ($1 / off - 1) * 100}'
done
awk '{count[$1]++; bytes[$1] += $2} END {for (path in count) print "the collector got", count[path], "requests at", path, "with", int(bytes[path] / 1024), "KB"}' "$work/collected"
