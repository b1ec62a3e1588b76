//! The message that the server prints when it is ready.

use crate::{
    config::{Config, LogFormat, Services},
    telemetry::LogWriter,
};
use std::{net::SocketAddr, path::Path};

/// Prints addresses, paths and the first steps; with JSON logs it is one log line.
pub(crate) fn show(log: &LogWriter, config: &Config, listening: SocketAddr, data: &Path) {
    let database = if config.database_url.is_some() { "APP_DATABASE_URL" } else { "a private PostgreSQL in the data directory" };
    let url = config.base_url(listening);
    match config.log_format {
        LogFormat::Pretty => log.print(&text(config.services, &url, data, database)),
        LogFormat::Json => tracing::info!(%listening, url, data = %data.display(), database, "ready"),
    }
}

fn text(services: Services, url: &str, data: &Path, database: &str) -> String {
    let content = format!("    Content   {url}/api/v2/cdn (delivery), {url}/api/v1 (management)\n");
    let identity = format!("    Accounts  {url}/login (pages), {url}/api/auth, {url}/api/me\n");
    let first = format!(
        "
  Make the first account in a browser; it becomes the administrator:

    {url}/register

  Another account becomes one with: lectern admin grant EMAIL
"
    );
    [
        format!("\n  Lectern is ready.\n\n    Server    {url}\n"),
        if services.content { content } else { String::new() },
        if services.identity { identity } else { String::new() },
        format!("    Data      {}\n    Database  {database}\n", data.display()),
        if services.identity { first } else { String::new() },
        format!("\n  Ctrl-C stops it. {url}/docs explains it, {url}/docs/configuration lists what can be set.\n\n"),
    ]
    .concat()
}
