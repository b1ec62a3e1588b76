#!/bin/sh
# Looks for what is needed (`run`, or `test`, which needs more) and installs Debian packages that are missing, when it may.
# Elsewhere, or without the right to install, it says what is missing and ends with 1.
set -eu

purpose=${1:-run}
rust=1.95
node=20

say() { printf '%s\n' "$*" >&2; }
has() { command -v "$1" >/dev/null 2>&1; }

# The installed PostgreSQL: the same places as src/embedded_postgres/binaries.rs looks at.
has_postgres() {
    for bin in /usr/lib/postgresql/*/bin "$(pg_config --bindir 2>/dev/null || true)"; do
        [ -n "$bin" ] && [ -x "$bin/initdb" ] && [ -x "$bin/postgres" ] && return 0
    done
    has initdb && has postgres
}

# Whether version $2 is at least $1, both as major.minor.
at_least() {
    [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

missing=
has cc || missing="$missing build-essential"
has_postgres || missing="$missing postgresql"
if [ "$purpose" = test ]; then
    has node || missing="$missing nodejs"
    has npm || missing="$missing npm"
    has openssl || missing="$missing openssl"
    # For passkeys, in tests/clients; the same places as tests/clients/support/browser.mjs looks at.
    has chromium || has chromium-browser || has google-chrome || missing="$missing chromium"
fi

if [ -n "$missing" ]; then
    if ! has apt-get; then
        say "missing here:$missing (these are Debian's names); install them and try again"
        exit 1
    fi
    if [ "$(id -u)" -eq 0 ]; then
        as_root=
    elif has sudo && sudo -n true 2>/dev/null; then
        as_root=sudo
    else
        say "missing here:$missing"
        say "as root: apt-get install --no-install-recommends$missing"
        exit 1
    fi
    say "installing$missing"
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
    # shellcheck disable=SC2086 # the names are separate words
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
fi

if ! has cargo; then
    say "missing here: Rust $rust or newer; see https://rustup.rs"
    exit 1
fi
version=$(cargo --version | cut -d ' ' -f 2)
if ! at_least "$rust" "$version"; then
    say "Rust $version is too old, $rust is needed: rustup update stable"
    exit 1
fi
if [ "$purpose" = test ]; then
    version=$(node --version | tr -d v)
    if ! at_least "$node" "$version"; then
        say "Node.js $version is too old for the client tests, $node is needed; see https://nodejs.org"
        exit 1
    fi
fi
if [ "$purpose" = test ]; then
    # The S3 server and the mail server of the tests, at the versions of their lock files.
    for name in object-store mail-server; do
        server=$(dirname "$0")/../tests/$name
        if ! cmp -s "$server/package-lock.json" "$server/node_modules/installed.json"; then
            say "installing the $name of the tests (once)"
            (cd "$server" && npm ci --no-audit --no-fund --silent)
            cp "$server/package-lock.json" "$server/node_modules/installed.json"
        fi
    done
fi
