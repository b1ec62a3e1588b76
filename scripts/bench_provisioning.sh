#!/usr/bin/env bash
# How long an import of 500 accounts with hashes takes, and its dry run: the median and the slowest of some rounds, as a client sees them. A release build with its own
# PostgreSQL in a directory made for this run.
# Usage: scripts/bench_provisioning.sh [rounds, 20]
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh

rounds=${1:-20}
token=$(openssl rand -hex 32)

export APP_ADMIN_API_TOKENS_JSON="[{\"id\":\"bench\",\"token\":\"$token\"}]"
export APP_OIDC_CLIENTS_JSON='[{"clientId":"web","redirectUris":["https://bench.example/cb"],"roles":["viewer","editor"]}]'
export APP_RATE_LIMITS=off APP_LOG_LEVEL=warn
serve 8094

# A hash of each kind, in turns.
batch() { # batch <round> <dry run>
  jq -nc --argjson round "$1" --argjson dry "$2" '[
      "$argon2id$v=19$m=19456,t=2,p=1$LDpCSddwcAWGSdvYItyveQ$bNg8fhFge0z+y2AEKmy0oUxC1uuwLzj78CBz9iMqAPM",
      "$2b$10$dajtb0wCG8T4H2TGkh8aOuMm8eTaNgU7.OvRJMOBedzq5BKfgoUMq",
      "$pbkdf2-sha256$29000$GdCT2odeeijv90BlJWKiCA$rJPGQ.8rqyWck3W5gch73hX8Jmv8SwjxlM4p81Mjd7Q"
    ] as $hashes | {dryRun: $dry, users: [range(500) | {
      email: "r\($round)u\(.)@bench.example", firstName: "Ann", lastName: "Bee", emailVerified: true, createdAt: "2019-05-04T08:00:00Z",
      legacySub: "r\($round)|\(.)", roles: {web: ["viewer"]}, hashedPassword: {value: $hashes[. % 3]}}]}'
}

send() { # send <round> <dry run>
  batch "$1" "$2" >"$work/batch"
  curl -fsS -o "$work/answer" -w '%{time_total}\n' "$base/api/provisioning/users/import" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
    --data-binary @"$work/batch"
  jq -e '.created == 500' "$work/answer" >/dev/null || { cat "$work/answer" "$work/log" >&2; exit 1; }
}

send 0 true >/dev/null
send 0 false >/dev/null
for round in $(seq "$rounds"); do
  send "$round" true >>"$work/dry"
  send "$round" false >>"$work/import"
done
for kind in dry import; do
  sort -n "$work/$kind" | awk -v kind="$kind" '{all[NR] = $1 * 1000} END {printf "  %-8s 500 accounts: median %.1f ms, slowest %.1f ms of %d\n", kind, all[int((NR + 1) / 2)], all[NR], NR}'
done
