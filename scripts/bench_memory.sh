#!/usr/bin/env bash
# What responses that nobody takes do to the memory of the server: many connections ask for different pages of about 3 MB and read none of them. Prints the resident
# memory before, at its peak, and a minute after the connections are closed. Other allocators: LD_PRELOAD=…/libjemalloc.so.2 or MALLOC_ARENA_MAX=2 before it.
# Usage: scripts/bench_memory.sh [connections, 1000]
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh

connections=${1:-1000}
port=8097
ulimit -n $((connections + 100))
export APP_RATE_LIMITS=off APP_LOG_LEVEL=error
serve $port

# In megabytes.
resident() { awk '/VmRSS/ {print int($2 / 1024)}' "/proc/$server/status"; }

sign_in
created=$(post /api/v1/spaces '{"name":"Bench"}')
space=$(jq .space.id <<<"$created")
token=$(jq -r .tokens.public <<<"$created")
editor=$(post "/api/v1/spaces/$space/tokens" '{"name":"bench","role":"editor"}' | jq -r .plaintext)
text=$(head -c 80000 /dev/urandom | base64 -w 0)
for number in $(seq 30); do
  printf '{"story":{"name":"%s","slug":"s%s","content":{"component":"page","text":"%s"}},"publish":1}' "$number" "$number" "$text" |
    curl -fsS -o /dev/null -H "Authorization: $editor" -H 'Content-Type: application/json' -d @- "$base/api/v1/spaces/$space/stories"
done
page="/api/v2/cdn/stories?per_page=30&token=$token"
for number in $(seq 30); do curl -fsS -o /dev/null "$base$page&fallback_lang=w$number"; done

before=$(resident)
peak=$before
sample() { local now; now=$(resident); peak=$((now > peak ? now : peak)); }
held=()
for number in $(seq "$connections"); do
  exec {connection}<>"/dev/tcp/127.0.0.1/$port"
  held+=("$connection")
  printf 'GET %s&fallback_lang=l%s HTTP/1.1\r\nHost: x\r\n\r\n' "$page" "$number" >&"$connection"
  sample
done
for _ in $(seq 100); do sample; sleep 0.1; done
quick=$(curl -s -o /dev/null -w '%{http_code} after %{time_total} s' "$base/api/v2/cdn/stories/s1?token=$token" || true)
for connection in "${held[@]}"; do exec {connection}>&-; done
sleep 60
echo "resident memory: $before MB before, $peak MB at the peak of $connections connections, $(resident) MB a minute after"
echo "another read meanwhile: $quick"
