//! The rows of the process itself: what it serves, where its data is, how it stops.

use super::{
    DefaultValue::{Depends, Text},
    Variable, row, secret,
};

pub(super) const PROCESS: &[Variable] = &[
    row(
        "APP_SERVICES",
        "`content`, `identity`, or both with a comma",
        Text("content,identity"),
        "The services of this process. The endpoints of the other one return 404, so that each can be scaled by itself.",
        "content",
    ),
    row("APP_LISTEN", "address:port", Text("127.0.0.1:8080"), "Where the server listens. Port 0 takes a free one.", "0.0.0.0:80"),
    row(
        "APP_BASE_URL",
        "http or https URL without a path",
        Depends("`http://` and `APP_LISTEN`; `localhost` for 127.0.0.1 and every address, because passkeys need a name"),
        "The public URL of the server: the issuer of sessions, and the origin that requests with cookies may come from. They may also come from the origin that they are sent to (their `Host`).",
        "https://cms.example.com",
    ),
    row(
        "APP_DATA_DIR",
        "path",
        Text("data"),
        "The directory of the private database, the generated secret and the lock against a second server; below the working directory unless it begins with `/`.",
        "/var/lib/lectern",
    ),
    secret(
        "APP_DATABASE_URL",
        "`postgres://` URL",
        Depends("a private PostgreSQL in the data directory"),
        "The database. Several hosts (`db1,db2`) with `target_session_attrs=read-write` for one that fails over, see [docs/scaling.md](scaling.md). With `sslmode=require` (or `verify-full`) the connection is encrypted and the server's certificate checked against the roots that this machine trusts; without, it is not encrypted.",
        "postgres://lectern:password@db.example.com/lectern?sslmode=require",
    ),
    secret(
        "APP_DATABASE_READ_URL",
        "`postgres://` URL",
        Depends("none: everything is read in `APP_DATABASE_URL`"),
        "Replicas of the database, one or several hosts. The Delivery API reads there what it does not have in memory, as far as a replica has come; each host has a pool of `APP_DB_POOL_SIZE` connections. See [docs/scaling.md](scaling.md).",
        "postgres://lectern:password@replica1.example.com,replica2.example.com/lectern?sslmode=require",
    ),
];

pub(super) const ROOT: &[Variable] = &[
    row("APP_DB_POOL_SIZE", "1 to 1000", Text("16"), "The largest number of connections of this process to the database.", "32"),
    secret(
        "APP_SECRET",
        "at least 32 bytes",
        Depends("a random one, created at the first start and stored in the data directory as `secret`"),
        "The root key: every other key is derived from it. All processes on one database need the same. Changing it ends all sessions and makes all tokens invalid.",
        "64 characters from `openssl rand -hex 32`",
    ),
];

pub(super) const STOPPING: &[Variable] = &[
    row(
        "APP_STOP_DELAY",
        "seconds, 0 to 600",
        Text("0"),
        "After a signal to stop, how long `/api/ready` returns 503 while requests are still accepted, so that a load balancer can react.",
        "10",
    ),
    row(
        "APP_STOP_TIMEOUT",
        "seconds, 0 to 3600",
        Text("30"),
        "How long running requests may take after that. Then they are cut off.",
        "60",
    ),
];
