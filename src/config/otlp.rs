//! The variables of the collector of traces and metrics.

use super::{
    Problem,
    reader::Reader,
    value::{Bounded, Headers, Origin, Seconds},
};
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
        let endpoint = reader.optional::<Origin>("APP_OTLP_ENDPOINT")?.map(|value| value.0);
        let headers = reader.optional::<Headers>("APP_OTLP_HEADERS")?.map(|value| value.0).unwrap_or_default();
        let trace_percent = reader.value::<Bounded<0, 100>>("APP_OTLP_TRACE_PERCENT")?.fit();
        let interval = reader.value::<Seconds<1, 3600>>("APP_OTLP_INTERVAL")?.0;
        Ok(endpoint.map(|endpoint| Self { endpoint, headers, trace_percent, interval }))
    }
}
