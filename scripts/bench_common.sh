# Sourced by the measurements of this folder, with the packages to build beside the server as arguments. It makes
#   $work          a directory for this run, which goes with it
#   $data          the data of the server, in it
#   ${started[@]}  the processes that end with it
#   $bin           the release build, or the one in BENCH_BIN
# shellcheck shell=bash

# What fails within a value ends the run too: else it would be measured as nothing.
shopt -s inherit_errexit

work=$(mktemp -d)
chmod 755 "$work"
data=$work/data
started=()
finish() {
  kill "${started[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

if [ -z "${BENCH_BIN:-}" ]; then
  cargo build --release --locked --quiet --bins -p lectern "$@"
fi
bin=${BENCH_BIN:-target/release}

# Servers that share a database share their secret.
export APP_SECRET=a-secret-for-a-bench-and-nothing-else
# Clients of the measurements all come from one address.
export APP_MAX_CONNECTIONS_PER_ADDRESS=4096

# serve <port> [command before the server]: starts a server with the environment of the caller and waits until it is ready. It becomes $server and $base.
serve() {
  local port=$1
  shift
  base=http://127.0.0.1:$port
  APP_LISTEN="127.0.0.1:$port" APP_DATA_DIR="$data" "$@" "$bin/lectern" >>"$work/log" 2>&1 &
  server=$!
  started+=("$server")
  until curl -fs -o /dev/null "$base/api/ready"; do
    kill -0 "$server" || { cat "$work/log" >&2; exit 1; }
    sleep 0.005
  done
}

# Statements in the private PostgreSQL of the run.
sql() { PGOPTIONS='-c client_min_messages=warning' psql -qAtX -v ON_ERROR_STOP=1 -h "$(sed -n 5p "$data/postgres/postmaster.pid")" -U lectern "$@"; }

# Requests with the cookies of the run.
csrf() { curl -sS -b "$work/cookies" -c "$work/cookies" "$base/api/csrf-token" | jq -r .csrfToken; }
post() { curl -sS -b "$work/cookies" -c "$work/cookies" -H "X-CSRF-Token: $(csrf)" -H 'Content-Type: application/json' "$base$1" -d "$2"; }

# Makes the first account, which is an administrator, unless it is there, and signs in.
sign_in() {
  post /api/auth/register '{"email":"bench@example.org","password":"a plank of long wood","firstName":"Ben"}' >/dev/null
  post /api/auth/login '{"email":"bench@example.org","password":"a plank of long wood"}' | jq -e .user >/dev/null
}
