#!/bin/sh
# Mutation tests: cargo-mutants changes one thing in a crate, runs the crate's own tests, and reports every change that no test noticed.
#   scripts/mutants.sh [CRATE [FILE]] [-- options of cargo-mutants]
# CRATE is domain, crypto or services (all three without it), FILE a glob of paths, such as 'crates/domain/src/content/query/**'.
#   scripts/mutants.sh summary
# prints the table of the last runs again. docs/development.md keeps the last result; .cargo/mutants.toml says what is left out and why.
set -eu
cd "$(dirname "$0")/.."

version=27.1.0
root=$PWD
out=$root/target/mutants
program=$root/.tools/mutants/bin/cargo-mutants

install_program() {
    [ "$("$program" mutants --version 2>/dev/null)" = "cargo-mutants $version" ] && return 0
    echo "installing cargo-mutants $version into .tools/mutants (once)"
    CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=256 CARGO_PROFILE_RELEASE_DEBUG=false \
        nice -n 19 cargo install --locked --quiet cargo-mutants --version "$version" --root .tools/mutants --target-dir target/tools
    rm -rf target/tools
}

# The sources, in a folder that is the same at every run, so that each build after the first is an incremental one.
copy_sources() {
    rm -rf "$out/tree"
    mkdir -p "$out/tree"
    git ls-files -z --cached --others --exclude-standard --deduplicate | tar --null --ignore-failed-read -T - -cf - 2>/dev/null | tar -xf - -C "$out/tree"
}

# The files of services whose rules can be tested without PostgreSQL. Everything else there is tested through the wire (tests/it).
services_files='shared/rate_limiter.rs identity/limits.rs identity/mail_queue.rs identity/secrets.rs identity/account.rs identity/timing.rs
    identity/provisioning/tokens.rs identity/second_factor/challenge.rs content/import/state.rs content/import/state/source_stories.rs
    content/import/apply/outcome.rs content/import/apply/record.rs content/import/apply/stories/path_conflicts.rs
    content/import/apply/stories/placement.rs content/import/apply/stories/placement/paths.rs content/import/apply/stories/row.rs'

# What of services is examined: those files, without their asynchronous functions, which wait for PostgreSQL.
services_scope() {
    [ -n "$file" ] || for name in $services_files; do printf -- '--file\ncrates/services/src/%s\n' "$name"; done
    grep -rnoE 'async fn [a-z0-9_]+' crates/services/src --include='*.rs' \
        | sed -E 's/^([^:]*):[0-9]+:async fn (.*)$/--exclude-re\n^\1:.* (in|replace) (<.*>::|[A-Za-z0-9_<>]+::)?\2( |$)/'
}

mutate() {
    crate=$1
    shift
    mkdir -p "$out/$crate"
    [ "$crate" != services ] || services_scope >"$out/$crate/scope"
    if [ -s "$out/$crate/scope" ]; then
        while read -r word; do set -- "$@" "$word"; done <"$out/$crate/scope"
    fi
    # Cases that made a property test fail are not kept: the next mutant would be tried with them.
    status=0
    (cd "$out/tree" && PROPTEST_DISABLE_FAILURE_PERSISTENCE=1 CARGO_TARGET_DIR="$out/build" \
        nice -n 19 "$program" mutants --in-place --package "lectern-$crate" --output "$out/$crate" --no-times "$@") || status=$?
    # 2 and 3 say that mutants were missed or ran out of time, which the table says too.
    case $status in 0 | 2 | 3) ;; *) exit "$status" ;; esac
}

summary() {
    printf '%-10s %8s %8s %8s %10s %8s\n' crate caught timeout missed unviable percent
    for crate in domain crypto services; do
        [ -d "$out/$crate/mutants.out" ] || continue
        count() { cat "$out/$crate/mutants.out/$1.txt" 2>/dev/null | wc -l; }
        caught=$(count caught) timeout=$(count timeout) missed=$(count missed) unviable=$(count unviable)
        viable=$((caught + timeout + missed))
        [ "$viable" -gt 0 ] || continue
        printf '%-10s %8d %8d %8d %10d %7d%%\n' "$crate" "$caught" "$timeout" "$missed" "$unviable" $(((caught + timeout) * 100 / viable))
    done
    echo "missed mutants: target/mutants/<crate>/mutants.out/missed.txt"
}

crates='domain crypto services'
file=
if [ "${1:-}" = summary ]; then
    summary
    exit
fi
if [ $# -gt 0 ] && [ "$1" != -- ]; then
    crates=${1:-$crates}
    shift
fi
if [ $# -gt 0 ] && [ "$1" != -- ]; then
    file=$1
    shift
fi
[ "${1:-}" != -- ] || shift
[ -z "$file" ] || set -- "$@" --file "$file"

install_program
copy_sources
for crate in $crates; do
    mutate "$crate" "$@"
done
summary
