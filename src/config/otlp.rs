//! The variables of the collector of traces and metrics.

use super::{Problem, reader::Reader, variables::server};
use http::HeaderMap;
use std::time::Duration;

/// Where traces and metrics are sent.
#[derive(Debug, Clone)]
pub struct OtlpSettings {
    /// `APP_OTLP_ENDPOINT`, without a path.
    pub endpoint: String,
    /// `APP_OTLP_HEADERS`.
    pub headers: HeaderMap,
    /// `APP_OTLP_TRACE_PERCENT`.
    pub trace_percent: u32,
    /// `APP_OTLP_INTERVAL`.
    pub interval: Duration,
}

impl OtlpSettings {
    /// `None` without an endpoint.
    pub(super) fn read(reader: &Reader<'_>) -> Result<Option<Self>, Problem> {
        let endpoint = reader.optional(server::APP_OTLP_ENDPOINT);
        let headers = reader.optional(server::APP_OTLP_HEADERS).unwrap_or_default();
        let trace_percent = reader.value(server::APP_OTLP_TRACE_PERCENT)?;
        let interval = reader.value(server::APP_OTLP_INTERVAL)?;
        Ok(endpoint.map(|endpoint| Self { endpoint, headers, trace_percent, interval }))
    }
}
