//! What the server tells about itself: its memory and processor time, from `/metrics`.

use super::recorder::Sample;
use crate::client::{Client, Target};
use http::{Request, header};
use http_body_util::Full;
use std::{str::from_utf8, time::Duration};
use tokio::time::timeout;

/// A server that takes longer to tell has none of the second's figures: waiting for it would make the second longer.
const PATIENCE: Duration = Duration::from_millis(500);

/// Asks for the metrics once a second, over a connection of its own.
pub(crate) struct Probe {
    client: Client,
    token: Option<String>,
}

impl Probe {
    /// A probe with the token of `APP_METRICS_TOKEN`. Without one it asks nothing.
    pub(crate) fn new(target: Target, token: Option<String>) -> Self {
        Self { client: Client::new(target), token }
    }

    /// What the server tells now. A server that does not answer soon tells nothing.
    pub(crate) async fn sample(&mut self) -> Sample {
        let Some(token) = &self.token else { return Sample::default() };
        let request = Request::get("/metrics").header(header::AUTHORIZATION, format!("Bearer {token}")).body(Full::default());
        let Ok(request) = request else { return Sample::default() };
        match timeout(PATIENCE, self.client.send(request)).await {
            Ok(Ok((status, body))) if status.is_success() => parse(from_utf8(&body).unwrap_or_default()),
            _ => Sample::default(),
        }
    }
}

/// The two lines of the text format of Prometheus.
fn parse(text: &str) -> Sample {
    let value = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(found, _)| *found == name).and_then(|(_, value)| value.trim().parse().ok())
    };
    Sample { memory_bytes: value("process_resident_memory_bytes"), cpu_seconds: value("process_cpu_seconds_total") }
}

#[cfg(test)]
mod tests {
    use super::{super::recorder::Sample, parse};

    #[test]
    fn the_two_lines_are_found_and_may_be_missing() {
        let text = "# HELP process_resident_memory_bytes x\nprocess_resident_memory_bytes 1.5e8\nother 3\nprocess_cpu_seconds_total 2.25\n";
        assert_eq!(parse(text), Sample { memory_bytes: Some(1.5e8), cpu_seconds: Some(2.25) });
        assert_eq!(parse("other 3"), Sample::default());
    }
}
