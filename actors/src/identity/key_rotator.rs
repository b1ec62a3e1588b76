//! Rotates signing keys, and tells this process's [`KeyRing`] when they have changed.
//!
//! Every process reads the keys when it is woken, which each change does, and every minute. The process that holds the lease of the job takes the steps
//! that are due, by the clock of the database. The rows keep two processes apart even without the lease; it spares them the work.

use crate::runtime::{Cause, Poller, Runtime};
use domain::shared::{Fault, SharedClock};
use ractor::ActorCell;
use serde::Serialize;
use serde_json::json;
use services::identity::oidc::KeyRing;
use std::time::Duration;
use storage::{
    Store,
    identity::oidc::signing_keys::SIGNING_KEYS,
    queue::{self, Lease, NewJob},
};

/// How often the keys are read, and the queue is asked for the job.
const POLL_INTERVAL: Duration = Duration::from_mins(1);
/// How long the job waits at most, although no step is due before.
const LONGEST_WAIT: Duration = Duration::from_hours(1);
/// When a rotation that failed is due again.
const RETRY_AFTER: Duration = Duration::from_mins(1);
/// How long a lease holds. Generating keys takes seconds on a slow machine.
const LEASE: Duration = Duration::from_mins(2);
/// The key of the job.
const JOB: &str = "rotate";

/// What the rotator is made of.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) ring: KeyRing,
}

/// The actor's state.
pub(crate) struct KeyRotator {
    params: Params,
    /// Whether the job is known to exist.
    has_job: bool,
    observed: Observed,
}

/// What the actor shows, since its start.
#[derive(Default, Serialize)]
struct Observed {
    /// Readings of the keys.
    loads: u64,
    /// Rotations that this process looked after, with or without a step that was due.
    rotations: u64,
    /// Polls that failed.
    failures: u64,
}

impl KeyRotator {
    pub(crate) fn new(params: Params) -> Self {
        Self { params, has_job: false, observed: Observed::default() }
    }

    async fn reload_and_rotate(&mut self) -> Result<(), Fault> {
        self.reload().await?;
        if self.params.runtime.is_shutting_down() {
            return Ok(());
        }
        let Some(lease) = self.claim().await? else { return Ok(()) };
        let outcome = self.params.ring.rotate().await;
        let due_again = outcome.as_ref().map_or(RETRY_AFTER, |idle_for| (*idle_for).min(LONGEST_WAIT));
        let connection = self.params.store.connection("signing_keys.reschedule").await?;
        let _written = lease.reschedule(&connection, due_again, outcome.as_ref().err().map(|_| "failed")).await?;
        drop(connection);
        outcome?;
        self.observed.rotations += 1;
        self.reload().await
    }

    async fn reload(&mut self) -> Result<(), Fault> {
        self.params.ring.load_or_create().await?;
        self.observed.loads += 1;
        Ok(())
    }

    /// The job, if it is due and no other process has it.
    async fn claim(&mut self) -> storage::Result<Option<Lease>> {
        let mut connection = self.params.store.connection("signing_keys.claim").await?;
        if !self.has_job {
            let job = NewJob { queue: SIGNING_KEYS, key: JOB.to_owned(), payload: json!({}), at: self.params.clock.now() };
            let tx = connection.begin();
            queue::add_once(&tx, &job).await?;
            tx.commit().await?;
            self.has_job = true;
        }
        queue::draw_back(&connection, SIGNING_KEYS, LONGEST_WAIT).await?;
        Ok(queue::claim(&connection, SIGNING_KEYS, 1, LEASE).await?.into_iter().next())
    }
}

impl Poller for KeyRotator {
    async fn poll(&mut self, _: Cause, _: &ActorCell) -> Duration {
        if let Err(fault) = self.reload_and_rotate().await {
            self.observed.failures += 1;
            tracing::warn!(cause = fault.cause.as_deref(), "signing keys are not read or not rotated");
        }
        self.params.runtime.jittered(POLL_INTERVAL)
    }

    fn observe(&mut self) -> impl Serialize {
        &self.observed
    }
}
