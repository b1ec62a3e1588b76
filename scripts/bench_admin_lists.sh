#!/usr/bin/env bash
# How long the lists of administrators take with 1,000,000 accounts and 10,000,000 entries of the audit trail: p50, p99 and the slowest of some requests of each kind,
# one after the other, as a client sees them. A release build with its own PostgreSQL in a directory made for this run (about 8 GB).
# Usage: scripts/bench_admin_lists.sh [requests of each kind, 200]; KEEP=<directory> keeps the database there for the next run.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/bench_common.sh
. scripts/bench_common.sh

requests=${1:-200}
data=${KEEP:-$work/data}
export APP_RATE_LIMITS=off APP_LOG_LEVEL=warn APP_ACCOUNT_AUDIT_DAYS=500
serve 8093
sign_in

if [ "$(sql -d postgres -c "select count(*) from account_audit")" -lt 10000000 ]; then
  echo "seeding: $(date +%T)"
  sql -d postgres -f scripts/bench_admin_lists.sql
fi
# The janitor counts the days of the trail; it is told to do so now.
sql -d postgres -c "update jobs set due_at = now() where queue = 'janitor'"
until [ "$(sql -d postgres -c "select count(distinct day) from account_audit_days")" -ge 398 ]; do sleep 1; done
sql -d postgres -c "vacuum analyze users" -c "vacuum analyze account_audit" -c checkpoint
echo "$(sql -d postgres -c "select count(*) from users") accounts, $(sql -d postgres -c "select count(*) from account_audit") entries"

# kind <name> <path> [values for @ in the path]: the requests take the values in turns.
kind() {
  local name=$1 path=$2 round
  shift 2
  local values=("${@:-}")
  for round in $(seq "$requests"); do
    printf 'url = "%s%s"\noutput = /dev/null\n' "$base" "${path//@/${values[$((round % ${#values[@]}))]}}"
  done >"$work/urls"
  curl -sS -b "$work/cookies" -w '%{http_code} %{time_total}\n' -K "$work/urls" >"$work/times"
  if grep -qv '^200 ' "$work/times"; then
    echo "$name: not every answer is a 200" >&2
    exit 1
  fi
  sort -n -k 2 "$work/times" | awk -v name="$name" '{all[NR] = $2 * 1000}
    END {printf "  %-58s p50 %7.1f  p99 %7.1f  slowest %7.1f ms\n", name, all[int((NR + 1) / 2)], all[int(NR * 0.99)], all[NR]}'
}

users=/api/admin/users
mapfile -t mails < <(sql -d postgres -c "select replace(email, '@', '%40') from users order by id limit $requests")
mapfile -t names < <(sql -d postgres -c "select distinct first_name from users where first_name <> 'Ben'")
mapfile -t both < <(sql -d postgres -c "select first_name || '%20' || last_name from users order by id limit $requests")
mapfile -t ids < <(sql -d postgres -c "select id from users order by id limit $requests")
echo "accounts"
kind "the newest" "$users"
kind "page @ of 20" "$users?page=@" 2 10 100 1000
kind "the last page (50,000)" "$users?page=50000"
kind "in the order of the address" "$users?sort=email"
kind "suspended" "$users?suspended=true"
kind "search: an address" "$users?search=@" "${mails[@]}"
kind "search: first and last name" "$users?search=@" "${both[@]}"
kind "search: a first name (1 of 200)" "$users?search=@" "${names[@]}"
kind "search: part of an address that 1 of 8 has" "$users?search=mail@.example" 1 2 3 4
kind "search: the same, page 50" "$users?page=50&search=mail@.example" 1 2 3 4
kind "search: five equal digits" "$users?search=@" 11111 33333 77777
kind "search: two letters" "$users?search=@" an be zz qx
kind "search: a text that is nowhere" "$users?search=@" nowhere xyzzy "quux%20quux"
kind "search: a first name, suspended" "$users?suspended=true&search=@" "${names[@]}"
kind "search: a first name, in the order of the address" "$users?sort=email&search=@" "${names[@]}"

logs=/api/admin/audit-logs
echo "audit trail"
kind "the newest" "$logs"
kind "page @ of 20" "$logs?page=@" 2 10 100 1000 100000 400000
kind "one event" "$logs?event=@" auth.login.success auth.login.failure auth.password.changed admin.user.suspended
kind "one event, page 1000" "$logs?event=@&page=1000" auth.login.success auth.login.failure
kind "a group of events" "$logs?event=@" "auth.*" "auth.login.*" "admin.*"
kind "one account" "$logs?user=@" "${ids[@]}"
kind "one account, one event" "$logs?user=@&event=auth.login.success" "${ids[@]}"
kind "a month" "$logs?from=2026-@-01&to=2026-@-28" 02 03 04 05
kind "a month, one event, page 100" "$logs?from=2026-@-01&to=2026-@-28&event=auth.login.success&page=100" 02 03 04 05
kind "some hours" "$logs?from=2026-@-01T08:00:00Z&to=2026-@-01T17:30:00Z" 02 03 04 05
