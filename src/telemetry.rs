//! The log: lines on the standard output, as text for people or as JSON. With a collector, traces and metrics
//! for it, too.

mod functions;
mod log_writer;
mod metrics_export;
pub mod process;
mod repeated_warnings;
mod sampling;
mod traces;

use crate::{
    VERSION,
    config::{Config, LogFormat},
};
use anyhow::{Context, Result, anyhow};
use domain::shared::Clock;
use egress::collector::Collector;
use metrics_export::Window;
use prometheus::proto::MetricFamily;
use repeated_warnings::RepeatedWarnings;
use std::{convert::Infallible, io::IsTerminal, time::Duration};
use tokio::{runtime::Handle, time::sleep};
use traces::Traces;
use tracing::Subscriber;
use tracing_subscriber::{EnvFilter, Layer, fmt, prelude::*, registry, registry::LookupSpan};
use uuid::Uuid;

pub use log_writer::LogWriter;
pub(crate) use traces::continue_trace;

/// Levels of libraries that log too much: SQL statements, each connection that is gone with the database, at
/// `trace` the headers of requests with their tokens, and errors of webauthn-rs for every malformed request.
/// `APP_LOG_LEVEL` can override each.
const LIBRARY_LEVELS: &str = "tokio_postgres=warn,deadpool.postgres=error,refinery_core=warn,hyper=info,hyper_util=info,h2=info,webauthn_rs_core=off,webauthn_rs=off";

/// What runs for as long as the server does. Dropping it sends the last traces, flushes the log and stops it.
pub struct Telemetry {
    /// Dropped first, because it may log.
    _traces: Option<Traces>,
    pub log: LogWriter,
    /// Where metrics are sent, and how often.
    pub metrics: Option<MetricsExport>,
}

/// Who sends: attributes by their names in OpenTelemetry's conventions.
type Resource = [(&'static str, String); 3];

/// This process. Two servers of an installation differ in the last attribute only: without it a collector
/// would take their counters for one that jumps to and fro.
fn resource(instance: Uuid) -> Resource {
    [("service.name", "lectern".to_owned()), ("service.version", VERSION.to_owned()), ("service.instance.id", instance.to_string())]
}

/// Sends metrics to the operator's collector.
pub struct MetricsExport {
    collector: Collector,
    resource: Resource,
    interval: Duration,
}

impl MetricsExport {
    /// Sends metrics in intervals, for ever.
    pub async fn run(&self, gather: impl Fn() -> Vec<MetricFamily>, clock: &dyn Clock) -> Infallible {
        let nanoseconds = || u64::try_from(clock.now().as_nanosecond()).unwrap_or_default();
        let since = nanoseconds();
        loop {
            sleep(self.interval).await;
            let window = Window { since, now: nanoseconds() };
            self.collector.send_metrics(metrics_export::encode(&gather(), &self.resource, window)).await;
        }
    }
}

/// Starts logging to the standard output, panics included, and the traces. The runtime is that of the server,
/// and `instance` is this process's own.
pub fn start(config: &Config, dropped: prometheus::IntCounter, instance: Uuid) -> Result<Telemetry> {
    let log = LogWriter::start(std::io::stdout(), dropped).context("the log could not be started")?;
    let filter = EnvFilter::try_new(format!("{LIBRARY_LEVELS},{}", config.log_level)).context("APP_LOG_LEVEL")?;
    let (mut traces, mut metrics) = (None, None);
    let started = if let Some(settings) = &config.otlp {
        let collector = Collector::new(&settings.endpoint, settings.headers.clone(), Handle::current())
            .map_err(|what| anyhow!("APP_OTLP_ENDPOINT: {what}"))?;
        let resource = resource(instance);
        let exported = Traces::start(settings, &collector, &resource)?;
        // The filter is that of the log only: traces have spans that the log leaves out.
        let layers = registry().with(RepeatedWarnings::new());
        let started = layers.with(lines(config, &log).with_filter(filter)).with(exported.layer()).try_init();
        traces = Some(exported);
        metrics = Some(MetricsExport { collector, resource, interval: settings.interval });
        started
    } else {
        registry().with(filter).with(RepeatedWarnings::new()).with(lines(config, &log)).try_init()
    };
    started.map_err(|error| anyhow!("the log could not be started: {error}"))?;
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let function = panic.location().and_then(|place| functions::containing(place.file(), place.line())).unwrap_or("?");
        tracing::error!(
            panic.place = place,
            panic.function = function,
            panic.message = panic.payload_as_str().unwrap_or("?"),
            "panic"
        );
    }));
    Ok(Telemetry { _traces: traces, log, metrics })
}

/// The lines of the log.
fn lines<S: Subscriber + for<'a> LookupSpan<'a>>(config: &Config, log: &LogWriter) -> Box<dyn Layer<S> + Send + Sync> {
    let writer = log.writer();
    match config.log_format {
        LogFormat::Pretty => {
            let is_terminal = std::io::stdout().is_terminal();
            fmt::layer().compact().with_ansi(is_terminal).with_target(false).with_writer(writer).boxed()
        }
        LogFormat::Json => fmt::layer().json().flatten_event(true).with_writer(writer).boxed(),
    }
}
