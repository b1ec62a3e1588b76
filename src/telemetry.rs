//! The log: lines on the standard output, as text for people or as JSON.

mod log_writer;

use crate::config::{Config, LogFormat};
use anyhow::{Context, Result};
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

pub use log_writer::LogWriter;

/// Levels of libraries that log too much: SQL statements, at `trace` the headers of requests with their tokens, and errors of webauthn-rs for
/// every malformed request. `APP_LOG_LEVEL` can override each.
const LIBRARY_LEVELS: &str =
    "tokio_postgres=warn,refinery_core=warn,hyper=info,hyper_util=info,h2=info,webauthn_rs_core=off,webauthn_rs=off";

/// Starts logging to the standard output, panics included. Dropping the result flushes the log and stops it.
pub fn start(config: &Config, dropped: prometheus::IntCounter) -> Result<LogWriter> {
    let lines = LogWriter::start(std::io::stdout(), dropped).context("the log could not be started")?;
    let filter = EnvFilter::try_new(format!("{LIBRARY_LEVELS},{}", config.log_level)).context("APP_LOG_LEVEL")?;
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(lines.writer());
    match config.log_format {
        LogFormat::Pretty => builder.compact().with_ansi(std::io::stdout().is_terminal()).with_target(false).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    }
    .map_err(|error| anyhow::anyhow!("the log could not be started: {error}"))?;
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(panic.place = place, panic.message = panic.payload_as_str().unwrap_or("?"), "panic");
    }));
    Ok(lines)
}
