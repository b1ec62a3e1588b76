//! The memory and the processor time of the server: what it tells about itself at `/metrics`, or what `/proc`
//! of this machine says of its processes.

mod processes;

use super::recorder::Sample;
use crate::client::{Client, Target, get};
use anyhow::Result;
use http::header;
use processes::Processes;
use std::{str::from_utf8, time::Duration};
use tokio::time::timeout;

/// A server that takes longer to tell has none of the second's figures: waiting for it would make the second
/// longer.
const PATIENCE: Duration = Duration::from_millis(500);

/// Asks for the metrics once a second, over a connection of its own.
pub(crate) struct Probe {
    client: Client,
    token: Option<String>,
    processes: Option<Processes>,
}

impl Probe {
    /// A probe with the token of `APP_METRICS_TOKEN`. Without one it asks nothing.
    pub(crate) fn new(target: Target, token: Option<String>) -> Self {
        Self { client: Client::new(target), token, processes: None }
    }

    /// Reads the processor time of these processes instead, and with `children` of their descendants. Fails
    /// unless they can be watched.
    pub(crate) fn watch(&mut self, pids: &[u32], children: bool) -> Result<()> {
        let processes = Processes::new(pids, children);
        self.processes = processes.spent()?.map(|_| processes);
        Ok(())
    }

    /// What the server tells now. A server that does not answer soon tells nothing.
    pub(crate) async fn sample(&mut self) -> Sample {
        if let Some(processes) = &self.processes {
            let spent = processes.spent().ok().flatten();
            return Sample { cpu_seconds: spent.map(|spent| spent.as_secs_f64()), memory_bytes: None };
        }
        let Some(token) = &self.token else { return Sample::default() };
        let (Ok(mut request), Ok(bearer)) = (get("/metrics"), format!("Bearer {token}").parse()) else { return Sample::default() };
        request.headers_mut().insert(header::AUTHORIZATION, bearer);
        match timeout(PATIENCE, self.client.answer(request)).await {
            Ok(Ok(answer)) if answer.status().is_success() => parse(from_utf8(answer.body()).unwrap_or_default()),
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
