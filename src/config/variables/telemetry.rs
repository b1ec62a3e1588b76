//! The rows of log, traces and metrics.

use super::{
    DefaultValue::{Depends, Text},
    Variable, row, secret,
};

pub(super) const TELEMETRY: &[Variable] = &[
    row("APP_LOG_FORMAT", "`pretty` or `json`", Text("pretty"), "Text for people, or a JSON object for each line.", "json"),
    row(
        "APP_LOG_LEVEL",
        "`error`, `warn`, `info`, `debug`, `trace`, or by module",
        Text("info"),
        "The log level.",
        "info,lectern=debug",
    ),
    row(
        "APP_OTLP_ENDPOINT",
        "http or https URL without a path",
        Depends("nothing is sent"),
        "The collector that traces and metrics are sent to, by OTLP over HTTP (protobuf): to `/v1/traces` and `/v1/metrics`. What it does not take is lost, and requests do not wait for it.",
        "http://otel-collector:4318",
    ),
    secret(
        "APP_OTLP_HEADERS",
        "`name=value`, with commas",
        Depends("none"),
        "Headers of the requests to the collector.",
        "authorization=Bearer 1234",
    ),
    row(
        "APP_OTLP_TRACE_PERCENT",
        "0 to 100",
        Text("10"),
        "How many of a hundred traces are sent. A caller that says in `traceparent` whether its trace is recorded decides for its request.",
        "100",
    ),
    row(
        "APP_OTLP_INTERVAL",
        "seconds, 1 to 3600",
        Text("60"),
        "How often metrics are sent to the collector. Traces are sent after 5 seconds at the latest.",
        "15",
    ),
    secret(
        "APP_METRICS_TOKEN",
        "at least 16 bytes",
        Depends("`/metrics` returns 404"),
        "The bearer token of `/metrics`.",
        "32 characters from `openssl rand -hex 16`",
    ),
];
