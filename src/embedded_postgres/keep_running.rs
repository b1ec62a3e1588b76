//! Starting PostgreSQL again when it has ended by itself: on a full disk it ends at once, and is needed as
//! soon as there is room again.

use super::Cluster;
use domain::shared::Backoff;
use std::{convert::Infallible, time::Duration};
use tokio::time::{Instant, sleep};

/// The wait before a start. A short cap: when the disk has room again, nothing but this wait is left. One
/// process waits for its own PostgreSQL, so there is nothing to spread.
const RESTART: Backoff = Backoff { first: Duration::from_millis(250), cap: Duration::from_secs(15), jitter: 0 };
/// A PostgreSQL that ran for this time has not failed in a row with the one before.
const RESET_AFTER: Duration = Duration::from_mins(1);

impl Cluster {
    /// Starts PostgreSQL again whenever it ends, for ever, with a growing wait. `stopped` is called with
    /// `true` when it has ended and with `false` when it runs again: between the two nothing can change in
    /// the database. While the data directory is gone it is not started: what is found in that place could be
    /// another server's.
    pub async fn keep_running(&mut self, stopped: impl Fn(bool)) -> Infallible {
        let mut failures: u32 = 0;
        let mut not_spawned = None;
        loop {
            let started = Instant::now();
            self.ended().await;
            stopped(true);
            self.there().await;
            failures = if started.elapsed() >= RESET_AFTER { 1 } else { failures.saturating_add(1) };
            let wait = RESTART.after(failures, 0);
            let cause = not_spawned.take().unwrap_or_else(|| self.launch.log.reason());
            tracing::warn!(cause, restart.after_ms = wait.as_millis(), "PostgreSQL ended and is started again");
            sleep(wait).await;
            // It may have gone meanwhile, and a start stops what it finds running on the cluster.
            self.there().await;
            match self.launch.spawn(&say).await {
                Ok(process) => self.process = process,
                Err(error) => {
                    not_spawned = Some(format!("{error:#}"));
                    continue;
                }
            }
            match self.ready(&say).await {
                Ok(()) => {
                    tracing::info!("PostgreSQL runs again");
                    stopped(false);
                }
                // It has ended, or hangs and must: the next round waits for that.
                Err(_) => self.process.quit(),
            }
        }
    }

    /// Waits until the data directory is there.
    async fn there(&self) {
        while !self.presence.is_there() {
            sleep(RESTART.first).await;
        }
    }
}

fn say(step: &str) {
    tracing::info!("{step}");
}
