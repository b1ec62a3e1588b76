//! The process itself: what it serves, where its data is, what it reports, how it stops.

use super::{Optional, Setting, settings};
use crate::config::syntax::{Headers, LogDirectives, LogFormats, Number, Origin, Path, Seconds, Secret, ServiceList};

settings! {
    APP_SERVICES: Setting<ServiceList> = "content,identity",
        "The services of this process. The endpoints of the other one return 404, so that each can be scaled by itself. The studio needs both.",
        "content";
    APP_DATA_DIR: Setting<Path> = "data",
        "The directory of the private database, the generated secret and the lock against a second server; below the working directory unless it begins with `/`.",
        "/var/lib/lectern";
    APP_DATABASE_URL: Optional<Secret<1>> = "a private PostgreSQL in the data directory",
        "The database. Several hosts (`db1,db2`) with `target_session_attrs=read-write` for one that fails over, see [docs/scaling.md](scaling.md). With `sslmode=require` (or `verify-full`) the connection is encrypted and the server's certificate checked against the roots that this machine trusts; without, it is not encrypted. How long the server waits for a host, and how it notices that one is gone, is its own: `connect_timeout`, `tcp_user_timeout` and the keepalives of the URL change nothing.",
        "postgres://lectern:password@db.example.com/lectern?sslmode=require",
        "`postgres://` URL";
    APP_DATABASE_READ_URL: Optional<Secret<1>> = "none: everything is read in `APP_DATABASE_URL`",
        "Replicas of the database, one or several hosts. The Delivery API reads there what it does not have in memory, as far as a replica has come; each host has a pool of `APP_DB_POOL_SIZE` connections. See [docs/scaling.md](scaling.md).",
        "postgres://lectern:password@replica1.example.com,replica2.example.com/lectern?sslmode=require",
        "`postgres://` URL";
    APP_DB_POOL_SIZE: Setting<Number<usize, 1, 1000>> = "16",
        "The largest number of connections of this process to the database.",
        "32";
    APP_SECRET: Optional<Secret<32>> = "a random one, created at the first start and stored in the data directory as `secret`",
        "The root key: every other key is derived from it. All processes on one database need the same. Changing it ends all sessions and makes all tokens invalid.",
        "64 characters from `openssl rand -hex 32`";
    APP_LOG_FORMAT: Setting<LogFormats> = "pretty",
        "Text for people, or a JSON object for each line.",
        "json";
    APP_LOG_LEVEL: Setting<LogDirectives> = "info",
        "The log level.",
        "info,lectern=debug";
    APP_OTLP_ENDPOINT: Optional<Origin> = "nothing is sent",
        "The collector that traces and metrics are sent to, by OTLP over HTTP (protobuf): to `/v1/traces` and `/v1/metrics`. What it does not take is lost, and requests do not wait for it.",
        "http://otel-collector:4318";
    APP_OTLP_HEADERS: Optional<Headers> = "none",
        "Headers of the requests to the collector.",
        "authorization=Bearer 1234";
    APP_OTLP_TRACE_PERCENT: Setting<Number<u32, 0, 100>> = "10",
        "How many of a hundred traces are sent. A caller that says in `traceparent` whether its trace is recorded decides for its request.",
        "100";
    APP_OTLP_INTERVAL: Setting<Seconds<1, 3600>> = "60",
        "How often metrics are sent to the collector. Traces are sent after 5 seconds at the latest.",
        "15";
    APP_METRICS_TOKEN: Optional<Secret<16>> = "`/metrics` returns 404",
        "The bearer token of `/metrics`.",
        "32 characters from `openssl rand -hex 16`";
    APP_STOP_DELAY: Setting<Seconds<0, 600>> = "0",
        "After a signal to stop, how long `/api/ready` returns 503 while requests are still accepted, so that a load balancer can react.",
        "10";
    APP_STOP_TIMEOUT: Setting<Seconds<0, 3600>> = "30",
        "How long running requests may take after that. Then they are cut off.",
        "60";
}
