#!/bin/sh
# Makes the secrets of an installation by docker-compose.yml, each at random and once: no two installations share one, and a further start changes none.
# Each file can be read by the user of the service that needs it.
set -eu
umask 077
directory=${1:-/run/lectern}

# 64 hexadecimal digits.
random() {
    od -An -v -N32 -tx1 /dev/urandom | tr -d ' \n'
}

# keep FILE USER TEXT: a file that exists keeps its text. It is renamed when it is whole, so that a stop in between leaves no half secret.
keep() {
    [ -s "$directory/$1" ] && return
    printf '%s\n' "$3" >"$directory/$1.new"
    # Only root can give a file away.
    [ "$(id -u)" -ne 0 ] || chown "$2" "$directory/$1.new"
    chmod 0400 "$directory/$1.new"
    mv "$directory/$1.new" "$directory/$1"
}

server=10001 postgres=999 prometheus=65534 grafana=472
chmod 0755 "$directory"

keep secret $server "$(random)"
keep database_password $postgres "$(random)"
keep database_url $server "postgres://lectern:$(cat "$directory/database_password")@database/lectern"
keep metrics_token $server "$(random)"
keep prometheus_token $prometheus "$(cat "$directory/metrics_token")"
keep s3_access_key $server "$(random | cut -c 1-20)"
keep s3_secret_key $server "$(random)"
keep grafana_password $grafana "$(random)"
