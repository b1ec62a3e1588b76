//! Metrics in the text format of Prometheus, for callers with the token of `APP_METRICS_TOKEN`.

use super::Ops;
use crate::web::{Access, Anonymous, ApiRequest, ApiResponse, access::Security};
use crypto::passwords::Passwords;
use domain::shared::{Challenge, Fault};
use http::{Method, StatusCode};
use prometheus::{
    Encoder, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder,
    proto::MetricFamily,
};
use secrecy::ExposeSecret;
use std::time::Duration;

/// Seconds, from half a millisecond to the longest that a request may take.
const BUCKETS: [f64; 13] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// All metrics. Labels have few values: never a path as it was sent, a name or an id.
#[derive(Clone)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    durations: HistogramVec,
    /// Open connections of clients.
    pub connections: IntGauge,
    /// Connections that were closed when they were accepted, by reason: `address` has its share, or all
    /// places are taken (`full`).
    pub refused_connections: IntCounterVec,
    /// Connections that were closed because of their clients, by reason: the client took its responses too
    /// slowly (`slow`), or not at all while another client needed the memory (`memory`).
    pub cut_connections: IntCounterVec,
    /// Log lines that were dropped because the output was not read.
    pub dropped_lines: IntCounter,
    response_bytes: IntGauge,
    pool: IntGaugeVec,
    replica_reads: IntGaugeVec,
    objects: ObjectCounters,
    rate_limited: IntCounterVec,
    hash_seconds: Histogram,
    hash_queue: IntGauge,
    disk_full: IntGauge,
    free_bytes: IntGauge,
}

/// The counters of one route, looked up once: looking them up by their labels takes five times as long as
/// counting.
pub struct Meter {
    reads: IntCounter,
    durations: Histogram,
}

/// The counters of the store of the assets' files.
#[derive(Clone)]
struct ObjectCounters {
    bytes: IntGaugeVec,
    events: IntGaugeVec,
}

impl Metrics {
    /// All metrics, at zero.
    ///
    /// # Errors
    /// When two of them have the same name.
    pub fn new(version: &str) -> prometheus::Result<Self> {
        let registry = Registry::new();
        let requests =
            IntCounterVec::new(Opts::new("svc_http_requests_total", "Answered requests"), &["route", "method", "status"])?;
        let durations = HistogramVec::new(
            HistogramOpts::new("svc_http_request_duration_seconds", "From the head of the request to the head of the response")
                .buckets(BUCKETS.into()),
            &["route"],
        )?;
        let connections = IntGauge::new("svc_http_connections", "Open connections of clients")?;
        let refused_connections = IntCounterVec::new(
            Opts::new("svc_http_connections_refused_total", "Connections closed when they were accepted"),
            &["reason"],
        )?;
        let cut_connections = IntCounterVec::new(
            Opts::new("svc_http_connections_cut_total", "Connections closed before their responses were sent"),
            &["reason"],
        )?;
        let response_bytes =
            IntGauge::new("svc_response_memory_bytes", "Bytes of responses that are not taken yet, without the cache")?;
        let dropped_lines = IntCounter::new("svc_log_lines_dropped_total", "Log lines dropped because the output was not read")?;
        let pool = IntGaugeVec::new(Opts::new("svc_pool_connections", "Connections to the database"), &["state"])?;
        let replica_reads = IntGaugeVec::new(
            Opts::new("svc_replica_reads", "Statements for a replica since the start, by what became of them"),
            &["outcome"],
        )?;
        let build = IntGaugeVec::new(Opts::new("svc_build_info", "Always 1; the label tells the version"), &["version"])?;
        build.with_label_values(&[version]).set(1);
        let objects = ObjectCounters {
            bytes: IntGaugeVec::new(Opts::new("svc_asset_bytes", "Bytes of files since the start"), &["direction"])?,
            events: IntGaugeVec::new(Opts::new("svc_asset_objects", "What happened to files since the start"), &["event"])?,
        };
        let rate_limited = IntCounterVec::new(
            Opts::new("svc_rate_limited_total", "Requests refused by a rate limit or a lock, by its name"),
            &["limit"],
        )?;
        let hash_seconds = Histogram::with_opts(
            HistogramOpts::new("svc_password_hash_seconds", "Time to hash or verify a password, without the queue")
                .buckets(BUCKETS.into()),
        )?;
        let hash_queue = IntGauge::new("svc_hash_queue_length", "Requests that wait for a password to be hashed or verified")?;
        let disk_full = IntGauge::new("svc_disk_full", "1 while the disk of the data directory or of the database is full")?;
        let free_bytes = IntGauge::new("svc_data_free_bytes", "Room on the disk of the data directory")?;
        registry.register(Box::new(disk_full.clone()))?;
        registry.register(Box::new(free_bytes.clone()))?;
        registry.register(Box::new(rate_limited.clone()))?;
        registry.register(Box::new(hash_seconds.clone()))?;
        registry.register(Box::new(hash_queue.clone()))?;
        registry.register(Box::new(objects.bytes.clone()))?;
        registry.register(Box::new(objects.events.clone()))?;
        registry.register(Box::new(requests.clone()))?;
        registry.register(Box::new(durations.clone()))?;
        registry.register(Box::new(connections.clone()))?;
        registry.register(Box::new(refused_connections.clone()))?;
        registry.register(Box::new(response_bytes.clone()))?;
        registry.register(Box::new(cut_connections.clone()))?;
        registry.register(Box::new(dropped_lines.clone()))?;
        registry.register(Box::new(pool.clone()))?;
        registry.register(Box::new(replica_reads.clone()))?;
        registry.register(Box::new(build))?;
        Ok(Self {
            registry,
            requests,
            durations,
            connections,
            refused_connections,
            cut_connections,
            dropped_lines,
            response_bytes,
            pool,
            replica_reads,
            objects,
            rate_limited,
            hash_seconds,
            hash_queue,
            disk_full,
            free_bytes,
        })
    }

    /// The counter of the requests that a limit refuses.
    pub fn rate_limited(&self, limit: &'static str) -> IntCounter {
        self.rate_limited.with_label_values(&[limit])
    }

    /// Measures the hashing of passwords from now on.
    pub fn watch(&self, passwords: &Passwords) {
        let seconds = self.hash_seconds.clone();
        passwords.watch(move |took| seconds.observe(took.as_secs_f64()));
    }

    /// The registry, for the metrics of other crates.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Looks up the counters of a route that is called often.
    pub fn meter(&self, route: &'static str) -> Meter {
        Meter {
            reads: self.requests.with_label_values(&[route, "GET", "200"]),
            durations: self.durations.with_label_values(&[route]),
        }
    }

    /// Counts an answered request.
    pub fn record_request(&self, route: &'static str, meter: Option<&Meter>, method: &Method, status: StatusCode, took: Duration) {
        match meter {
            Some(meter) if method == Method::GET && status == StatusCode::OK => meter.reads.inc(),
            _ => self.requests.with_label_values(&[route, method_label(method), status.as_str()]).inc(),
        }
        match meter {
            Some(meter) => meter.durations.observe(took.as_secs_f64()),
            None => self.durations.with_label_values(&[route]).observe(took.as_secs_f64()),
        }
    }
}

/// A client can send any method, and each would be a new time series.
fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

/// An access rule: the token of `APP_METRICS_TOKEN`, as `Authorization: Bearer`. 404 for everybody when none
/// is set.
#[derive(Clone, Copy)]
pub(super) struct ByMetricsToken;

impl Access<Ops> for ByMetricsToken {
    type Scope = ();
    type Caller = Anonymous;

    fn security(&self, _: &Method) -> Security {
        &[&["metricsToken"]]
    }

    fn refusals(&self, _: &Method) -> Vec<StatusCode> {
        vec![StatusCode::UNAUTHORIZED]
    }

    async fn authorize(&self, ops: &Ops, request: &ApiRequest, (): ()) -> Result<Anonymous, Fault> {
        let token = ops.metrics_token.as_ref().ok_or_else(Fault::not_found)?;
        let presented = request.bearer().unwrap_or_default();
        if crypto::token::same(presented.as_bytes(), token.expose_secret().as_bytes()) {
            Ok(Anonymous)
        } else {
            Err(Fault::unauthorized().challenged(Challenge::Bearer))
        }
    }
}

/// 200 with all metrics.
pub(super) async fn read(ops: Ops, _: Anonymous, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let mut text = Vec::new();
    TextEncoder::new().encode(&ops.gather(), &mut text).map_err(|error| Fault::internal(format!("metrics: {error}")))?;
    Ok(ApiResponse::bytes(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", text))
}

/// All metrics, with those that are read now.
pub(super) fn gather(ops: &Ops) -> Vec<MetricFamily> {
    let (busy, open) = ops.store.connections();
    for (state, count) in [("busy", busy), ("idle", open.saturating_sub(busy))] {
        ops.metrics.pool.with_label_values(&[state]).set(i64::try_from(count).unwrap_or(i64::MAX));
    }
    let whole = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    if let Some(reads) = ops.store.read_counts() {
        for (outcome, count) in [("read", reads.replica), ("behind", reads.behind), ("away", reads.away)] {
            ops.metrics.replica_reads.with_label_values(&[outcome]).set(whole(count));
        }
    }
    ops.metrics.hash_queue.set(i64::try_from(ops.passwords.waiting()).unwrap_or(i64::MAX));
    let counts = ops.blobs.counts();
    ops.metrics.response_bytes.set(whole(ops.memory.under_way()));
    ops.metrics.disk_full.set(i64::from(ops.is_disk_full()));
    if let Some(free) = (ops.free_bytes)() {
        ops.metrics.free_bytes.set(whole(free));
    }
    for (direction, count) in [("in", counts.received), ("out", counts.sent)] {
        ops.metrics.objects.bytes.with_label_values(&[direction]).set(whole(count));
    }
    for (event, count) in [("refused", counts.refused), ("failed", counts.failed), ("removed", counts.removed)] {
        ops.metrics.objects.events.with_label_values(&[event]).set(whole(count));
    }
    ops.metrics.registry.gather()
}

#[cfg(test)]
mod tests {
    use super::Metrics;
    use http::{Method, StatusCode};
    use std::time::Duration;

    #[test]
    fn an_invented_method_is_no_series_of_its_own() {
        let metrics = Metrics::new("1.0.0").unwrap();
        for name in ["BREW", "WHEN", "PROPFIND"] {
            let method = Method::from_bytes(name.as_bytes()).unwrap();
            metrics.record_request("none", None, &method, StatusCode::METHOD_NOT_ALLOWED, Duration::ZERO);
        }
        assert_eq!(metrics.requests.with_label_values(&["none", "other", "405"]).get(), 3);
    }
}
