//! The log: lines on the standard output, as text for people or as JSON.

mod log_writer;
pub mod process;
mod repeated_warnings;

use crate::config::{Config, LogFormat};
use anyhow::{Context, Result};
use repeated_warnings::RepeatedWarnings;
use std::io::IsTerminal;
use tracing_subscriber::{EnvFilter, Layer, fmt, prelude::*, registry};

pub use log_writer::LogWriter;

/// Levels of libraries that log too much: SQL statements, each connection that is gone with the database, at `trace` the headers of requests with their
/// tokens, and errors of webauthn-rs for every malformed request. `APP_LOG_LEVEL` can override each.
const LIBRARY_LEVELS: &str = "tokio_postgres=warn,deadpool.postgres=error,refinery_core=warn,hyper=info,hyper_util=info,h2=info,webauthn_rs_core=off,webauthn_rs=off";

/// Starts logging to the standard output, panics included. Dropping the result flushes the log and stops it.
pub fn start(config: &Config, dropped: prometheus::IntCounter) -> Result<LogWriter> {
    let lines = LogWriter::start(std::io::stdout(), dropped).context("the log could not be started")?;
    let filter = EnvFilter::try_new(format!("{LIBRARY_LEVELS},{}", config.log_level)).context("APP_LOG_LEVEL")?;
    let writer = lines.writer();
    let format = match config.log_format {
        LogFormat::Pretty => {
            let is_terminal = std::io::stdout().is_terminal();
            fmt::layer().compact().with_ansi(is_terminal).with_target(false).with_writer(writer).boxed()
        }
        LogFormat::Json => fmt::layer().json().flatten_event(true).with_writer(writer).boxed(),
    };
    registry()
        .with(filter)
        .with(RepeatedWarnings::new())
        .with(format)
        .try_init()
        .map_err(|error| anyhow::anyhow!("the log could not be started: {error}"))?;
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(panic.place = place, panic.message = panic.payload_as_str().unwrap_or("?"), "panic");
    }));
    Ok(lines)
}
