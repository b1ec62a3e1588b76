//! Turns events of stories into deliveries: see [`services::content::fan_out`].

use crate::{
    deliveries::Metrics,
    runtime::{Cause, Poller, Postponed, Runtime, polling::MAX_POLL},
};
use domain::shared::{SharedClock, SharedEntropy, SpaceId};
use jiff::Timestamp;
use ractor::ActorCell;
use serde::Serialize;
use services::content::fan_out::{FanOutBatch, fan_out_space};
use std::time::Duration;
use storage::{Error, Store, content::fan_out};
use tokio::time::Instant;

/// How often the database is asked although nothing woke the actor.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// How many lagging spaces are listed at once.
const SPACES: i64 = 100;

/// What the actor is made of.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) metrics: Metrics,
}

/// The actor's state.
pub(crate) struct FanOut {
    params: Params,
    failed: Postponed<Failed>,
    observed: Observed,
}

/// The spaces whose events could not be made into deliveries.
#[derive(Debug, Default)]
struct Failed {
    spaces: Vec<SpaceId>,
    /// The time of their oldest event.
    oldest: Option<Timestamp>,
}

/// What the actor shows, since its start.
#[derive(Default, Serialize)]
struct Observed {
    events: usize,
    deliveries: u64,
    failures: u64,
}

impl FanOut {
    pub(crate) fn new(params: Params) -> Self {
        Self { params, failed: Postponed::default(), observed: Observed::default() }
    }

    /// Batch after batch, one of each lagging space, until no space lags, or other processes hold those that
    /// do, or the time of a poll is up. Returns when to go on.
    async fn drain(&mut self) -> storage::Result<Duration> {
        let began = Instant::now();
        while !self.params.runtime.is_draining() {
            if began.elapsed() >= MAX_POLL {
                return Ok(Duration::ZERO);
            }
            let connection = self.params.store.connection("fan_out.poll").await?;
            let failed = self.failed.items();
            let (failed_before, oldest_failed) = (failed.spaces.len(), failed.oldest);
            let lagging = fan_out::list_lagging(&connection, &failed.spaces, SPACES).await?;
            drop(connection);
            let now = self.params.clock.now();
            let oldest = lagging.first().map(|space| space.since).into_iter().chain(oldest_failed).min();
            self.params.metrics.set_outbox_lag(oldest, now);
            let mut handled = 0;
            for lagging in lagging {
                if began.elapsed() >= MAX_POLL {
                    return Ok(Duration::ZERO);
                }
                match fan_out_space(&self.params.store, lagging.space, self.params.entropy.as_ref(), now).await {
                    Ok(FanOutBatch { events, deliveries }) => {
                        handled += events;
                        self.observed.events += events;
                        self.observed.deliveries += deliveries;
                    }
                    Err(error @ (Error::Unavailable(_) | Error::DiskFull(_))) => return Err(error),
                    // The space waits until the others are done, and holds up none.
                    Err(error) => {
                        self.observed.failures += 1;
                        tracing::warn!(%error, space.id = %lagging.space, "events of a space are not made into deliveries");
                        self.failed.add(|failed| {
                            failed.spaces.push(lagging.space);
                            failed.oldest = failed.oldest.into_iter().chain([lagging.since]).min();
                        });
                    }
                }
            }
            if handled == 0 && self.failed.items().spaces.len() == failed_before {
                break;
            }
        }
        self.failed.clear();
        Ok(self.params.runtime.jittered(POLL_INTERVAL))
    }
}

impl Poller for FanOut {
    async fn poll(&mut self, _: Cause, _: &ActorCell) -> Duration {
        self.drain().await.unwrap_or_else(|error| {
            self.observed.failures += 1;
            tracing::warn!(%error, "events are not made into deliveries");
            self.params.runtime.jittered(POLL_INTERVAL)
        })
    }

    fn observe(&mut self) -> impl Serialize {
        &self.observed
    }
}
