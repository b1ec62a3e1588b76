#!/usr/bin/env bash
# What results of the image service cost: processor time of the server and its PostgreSQL for each, beside sharp (libvips) on the same images in the same run, and
# a kept result beside a bare hyper that sends its bytes. A release build with its own PostgreSQL in a directory made for this run, on core 0; the load on core 1.
# Usage: scripts/bench_images.sh [images of each kind, 100]
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh -p lectern-load

count=${1:-100}
seconds=${BENCH_SECONDS:-5}
floor=http://127.0.0.1:8094
load=$bin/lectern-load
sharp=target/bench-sharp
[ -d "$sharp/node_modules/sharp" ] || npm install --prefix "$sharp" --no-save --no-audit --no-fund --loglevel=error sharp@0.35.5 >/dev/null

# Photographs as cameras make them: 3000 by 2000 pixels, with soft shapes, edges and grain; and the same with 1600 by 1067 pixels as PNG.
cat >"$work/make.mjs" <<'JS'
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
const [, , folder, work] = process.argv;
const sharp = createRequire(`${folder}/`)('sharp');
const [width, height] = [3000, 2000];
const pixels = Buffer.alloc(width * height * 3);
let seed = 1;
const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
for (let y = 0, at = 0; y < height; y++) {
  for (let x = 0; x < width; x++) {
    const edge = (x >> 6) + (y >> 6) & 1 ? 18 : 0;
    const grain = random() * 10;
    pixels[at++] = 120 + 80 * Math.sin(x / 180) + edge + grain;
    pixels[at++] = 110 + 70 * Math.cos((x + y) / 230) + edge + grain;
    pixels[at++] = 100 + 90 * Math.sin(y / 140) * Math.cos(x / 310) + edge + grain;
  }
}
const image = sharp(pixels, { raw: { width, height, channels: 3 } });
writeFileSync(`${work}/photo.jpg`, await image.clone().jpeg({ quality: 90 }).toBuffer());
writeFileSync(`${work}/photo.png`, await image.clone().resize(1600).png({ compressionLevel: 3 }).toBuffer());
JS
# As many results, one after the other, and the processor time of one in milliseconds and its bytes.
cat >"$work/sharp.mjs" <<'JS'
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
const [, , folder, file, format, width, count] = process.argv;
const sharp = createRequire(`${folder}/`)('sharp');
sharp.concurrency(1);
sharp.cache(false);
const original = readFileSync(file);
const make = (width) => sharp(original).rotate().resize(width)[format]({ quality: 80 }).toBuffer();
let bytes = 0;
for (let n = 0; n < 5; n++) await make(Number(width) + n);
const before = process.cpuUsage();
for (let n = 0; n < Number(count); n++) bytes += (await make(Number(width) + n)).length;
const spent = process.cpuUsage(before);
console.log(((spent.user + spent.system) / 1000 / count).toFixed(3), Math.round(bytes / count));
JS
node "$work/make.mjs" "$PWD/$sharp" "$work"

export APP_RATE_LIMITS=off APP_LOG_LEVEL=warn APP_IMAGE_WORKERS=1 APP_IMAGE_CACHE_MB=${APP_IMAGE_CACHE_MB:-1024}
serve 8093 taskset -c 0
sign_in
space=$(post /api/v1/spaces '{"name":"Bench"}')
id=$(jq .space.id <<<"$space")
public=$(jq -r .tokens.public <<<"$space")
admin=$(post "/api/v1/spaces/$id/tokens" '{"name":"bench","role":"admin"}' | jq -r .plaintext)
# upload <file>: the path of the asset.
upload() { curl -sS -f -H "Authorization: $admin" -F "file=@$1" "$base/api/v1/spaces/$id/assets" | jq -r .filename | sed 's|^https\?://[^/]*||'; }
photo=$(upload "$work/photo.jpg")
png=$(upload "$work/photo.png")

# Hundredths of a second that the server and its PostgreSQL have used.
ticks() {
  local postgres
  postgres=$(head -n 1 "$data/postgres/postmaster.pid")
  for pid in "$server" "$postgres" $(pgrep -P "$postgres"); do cat "/proc/$pid/stat" 2>/dev/null || true; done | sed 's/.*) //' | awk '{s += $12 + $13} END {print s}'
}
# made <path> <format> <width>: makes results of widths that were not asked for before; the processor time of one in milliseconds, and its bytes.
made() {
  local n before bytes=0
  for n in 0 1 2 3 4; do curl -fsS -o /dev/null "$base$1/m/$(($3 + 500 + n))x0/filters:format($2):quality(80)"; done
  before=$(ticks)
  for ((n = 0; n < count; n++)); do echo "url = \"$base$1/m/$(($3 + n))x0/filters:format($2):quality(80)\""; echo 'output = "/dev/null"'; done >"$work/urls"
  bytes=$(taskset -c 1 curl -fsS -K "$work/urls" -w '%{size_download}\n' | awk '{s += $1} END {print int(s / NR)}')
  awk -v ticks="$(($(ticks) - before))" -v count="$count" -v bytes="$bytes" 'BEGIN {printf "%.3f %d\n", ticks * 10 / count, bytes}'
}

echo "made, CPU of one: Lectern with its PostgreSQL, then sharp $(node -p "require('$PWD/$sharp/node_modules/sharp/package.json').version"); the target is 1.2 for jpeg and webp"
printf '  %-28s %12s %12s %7s %22s\n' '' 'Lectern, ms' 'sharp, ms' ratio 'bytes of one'
compare() { # compare <name> <path> <file> <format> <width>
  local ours theirs
  ours=$(made "$2" "$4" "$5")
  theirs=$(taskset -c 0 node "$work/sharp.mjs" "$PWD/$sharp" "$3" "$4" "$5" "$count")
  printf '%s %s %s\n' "$1" "$ours" "$theirs" | awk '{printf "  %-28s %12s %12s %7.2f %11d %10d\n", $1, $2, $4, $2 / $4, $3, $5}'
}
for width in 400 1200; do
  for format in jpeg webp; do
    compare "jpeg-to-$format,$width" "$photo" "$work/photo.jpg" "$format" "$width"
  done
done
compare 'png-to-webp,400' "$png" "$work/photo.png" webp 400
count=$((count / 10)) compare 'jpeg-to-avif,400' "$photo" "$work/photo.jpg" avif 400

measure() { # measure <name> <url> <process>
  for round in warm measured; do
    taskset -c 1 "$load" paths --paths "$work/paths" --url "$2" --token "$public" --connections 16 --seconds "$seconds" --pid "$3" --children --json \
      >"$work/$round.json" || { cat "$work/$round.json"; exit 1; }
  done
  jq -r --arg name "$1" '[$name, (.cpu_ms_per_request * 10000 | round / 10000), (.requests_per_second | round), .latency_ms.p50, .latency_ms.p99] | @tsv' \
    "$work/measured.json" | awk -F '\t' '{printf "  %-44s %8s ms  %7s /s  p50 %-8s p99 %s ms\n", $1, $2, $3, $4, $5}'
}
echo "kept, CPU of one; the target is 1.4 times the bare hyper"
for width in 400 1200; do
  echo "$photo/m/${width}x0/filters:format(webp):quality(80)" >"$work/paths"
  echo "  webp, $width px: $(curl -fsS "$base$(cat "$work/paths")" | wc -c) bytes"
  taskset -c 0 "$load" paths --paths "$work/paths" --url "$base" --token "$public" --mirror 127.0.0.1:8094 &
  mirror=$!
  started+=("$mirror")
  until curl -fs -o /dev/null "$floor/"; do sleep 0.01; done
  for turn in 1 2 3; do
    measure "webp, $width px, bare hyper ($turn)" "$floor" "$mirror"
    measure "webp, $width px, Lectern ($turn)" "$base" "$server"
  done
  kill "$mirror"
done
echo "resident: $(awk '/VmRSS/ {print int($2 / 1024) " MB"}' "/proc/$server/status"), at most $(awk '/VmHWM/ {print int($2 / 1024) " MB"}' "/proc/$server/status")"
