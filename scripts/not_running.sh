#!/bin/sh
# Says, before anything is built, that a server runs on the data directory already: `make run` a second time would build for minutes and then be refused.
set -eu
cd "$(dirname "$0")/.."
lock=${APP_DATA_DIR:-data}/lock
[ -r "$lock" ] || exit 0
# The server holds the lock as long as it runs, and has written its process into it. Where there is no flock(1), the process has to be a lectern.
if command -v flock >/dev/null 2>&1; then
    ! flock --nonblock --shared "$lock" true 2>/dev/null || exit 0
else
    ps -p "$(cat "$lock")" -o comm= 2>/dev/null | grep -q lectern || exit 0
fi
echo "Lectern runs already, as process $(cat "$lock"), with the data in ${APP_DATA_DIR:-data}. Stop it first (Ctrl-C, or kill $(cat "$lock")), or give this one an APP_LISTEN and an APP_DATA_DIR of its own." >&2
exit 1
