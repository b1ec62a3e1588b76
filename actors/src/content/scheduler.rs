//! Runs scheduled publishes and unpublishes when their time has come. Those that came due while no process
//! ran are run at the next start.

use super::SpaceRouter;
use crate::runtime::{Cause, Poller, Postponed, Runtime, polling::MAX_POLL};
use domain::shared::{Kind, SharedClock};
use ractor::ActorCell;
use serde::Serialize;
use services::content::{Authorized, schedulings::RunSchedule};
use std::time::Duration;
use storage::{
    Store,
    content::schedulings::{self, Due, Exclusions},
};
use tokio::time::Instant;

/// How often the database is asked although nothing seems to be due and nothing woke the actor.
const POLL_INTERVAL: Duration = Duration::from_secs(30);
/// How soon the actor polls again after an action failed.
const RETRY_DELAY: Duration = Duration::from_secs(2);
/// How many due actions are read at once.
const BATCH: i64 = 100;

/// What the actor is made of.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) spaces: SpaceRouter,
}

/// The actor's state.
pub(crate) struct Scheduler {
    params: Params,
    postponed: Postponed<Exclusions>,
    observed: Observed,
}

/// What the actor shows, since its start.
#[derive(Default, Serialize)]
struct Observed {
    executed: u64,
    failures: u64,
    next_due_at: Option<jiff::Timestamp>,
}

impl Scheduler {
    pub(crate) fn new(params: Params) -> Self {
        Self { params, postponed: Postponed::default(), observed: Observed::default() }
    }

    /// Runs the actions that are due, as long as a poll may take, and returns when to go on. A failed one
    /// waits until the others are done, and holds up only later actions of its story, or of its space when
    /// that does not answer.
    async fn run_all_due(&mut self) -> storage::Result<Duration> {
        let began = Instant::now();
        while began.elapsed() < MAX_POLL {
            let now = self.params.clock.now();
            let connection = self.params.store.connection("scheduler.poll").await?;
            let due = schedulings::list_due(&connection, now, self.postponed.items(), BATCH).await?;
            if due.is_empty() || self.params.runtime.is_draining() {
                let next = schedulings::next_due(&connection, now).await?;
                self.observed.next_due_at = next;
                if !self.postponed.items().is_empty() {
                    self.postponed.clear();
                    return Ok(RETRY_DELAY);
                }
                let wait = next.and_then(|at| Duration::try_from(at.duration_since(now)).ok());
                return Ok(wait.map_or(POLL_INTERVAL, |wait| wait.min(POLL_INTERVAL)));
            }
            drop(connection);
            for action in due {
                if began.elapsed() >= MAX_POLL {
                    break;
                }
                if !self.postponed.items().contains(&action) {
                    self.run(action).await;
                }
            }
        }
        Ok(Duration::ZERO)
    }

    async fn run(&mut self, due: Due) {
        let command = RunSchedule(due.action);
        let ran = self.params.spaces.execute(Authorized::for_schedule(&due), command).await;
        match ran {
            Ok(()) => self.observed.executed += 1,
            // The space was deleted a moment ago.
            Err(fault) if fault.kind() == Kind::NotFound => {}
            Err(fault) => {
                self.observed.failures += 1;
                tracing::warn!(%fault, space.id = %due.space, story.id = %due.story, "a scheduled action is put off");
                // A space that does not answer is not asked again for each of its actions.
                self.postponed.add(|excluded| match fault.kind() {
                    Kind::Unavailable => excluded.spaces.push(due.space),
                    _ => excluded.stories.push(due.story),
                });
            }
        }
    }
}

impl Poller for Scheduler {
    async fn poll(&mut self, _: Cause, _: &ActorCell) -> Duration {
        self.run_all_due().await.unwrap_or_else(|error| {
            self.observed.failures += 1;
            tracing::warn!(%error, "scheduled actions are put off");
            RETRY_DELAY
        })
    }

    fn observe(&mut self) -> impl Serialize {
        &self.observed
    }
}
