//! Rotates signing keys, and tells this process's [`KeyRing`] when they have changed.
//!
//! Every process reads the keys when it is woken, which each change does, and every minute. The process that
//! holds the lease of the job takes the steps that are due, by the clock of the database. The rows keep two
//! processes apart even without the lease; it spares them the work.
//!
//! A rotation that an administrator asks for ([`KeyRotations`]) is done by the rotator of the process that
//! was asked, one after the other.

use crate::runtime::{Cause, Poller, Runtime, WakeSender};
use domain::shared::{Fault, SharedClock};
use ractor::ActorCell;
use serde::Serialize;
use services::identity::{
    admin::rotate_keys::{ManualRotation, rotate_keys},
    oidc::KeyRing,
};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use storage::{
    Store,
    identity::oidc::signing_keys::SIGNING_KEYS,
    queue::{self, Lease},
};
use tokio::sync::oneshot;

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
/// How many rotations by hand may wait; a further one gets 503.
const MAX_REQUESTS: usize = 4;
/// How long an administrator waits for a rotation. Generating keys takes seconds on a slow machine.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// Asks the rotator of this process for rotations by hand. Cheap to clone.
#[derive(Clone)]
pub struct KeyRotations {
    waiting: Arc<Mutex<VecDeque<Request>>>,
    rotator: WakeSender,
}

struct Request {
    rotation: ManualRotation,
    reply: oneshot::Sender<Result<(), Fault>>,
}

impl KeyRotations {
    pub(crate) fn new(rotator: WakeSender) -> Self {
        Self { waiting: Arc::default(), rotator }
    }

    /// Has the keys rotated, see [`rotate_keys`]. 503 when the rotator is full, does not run, or does not
    /// answer in time.
    pub async fn rotate(&self, rotation: ManualRotation) -> Result<(), Fault> {
        let (reply, answer) = oneshot::channel();
        {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.retain(|request| !request.reply.is_closed());
            if waiting.len() >= MAX_REQUESTS {
                return Err(Fault::unavailable("the key rotator is full"));
            }
            waiting.push_back(Request { rotation, reply });
        }
        self.rotator.wake();
        match tokio::time::timeout(REQUEST_TIMEOUT, answer).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(Fault::unavailable("the key rotator ended before it answered")),
            Err(_) => Err(Fault::unavailable("the key rotator did not answer in time")),
        }
    }

    fn next(&self) -> Option<Request> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

/// What the rotator is made of.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) ring: KeyRing,
    pub(crate) requests: KeyRotations,
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
    /// Rotations by hand that this process was asked for, also refused ones.
    requested: u64,
    failures: u64,
}

impl KeyRotator {
    pub(crate) fn new(params: Params) -> Self {
        Self { params, has_job: false, observed: Observed::default() }
    }

    /// Rotates for administrators, and publishes the keys that follow.
    async fn rotate_by_hand(&mut self) -> Result<(), Fault> {
        while let Some(Request { rotation, reply }) = self.params.requests.next() {
            // The request has timed out: its administrator was told that nothing is known of the outcome, and
            // may have asked again.
            if reply.is_closed() {
                continue;
            }
            self.observed.requested += 1;
            let outcome = rotate_keys(&self.params.ring, &rotation).await;
            let is_rotated = outcome.is_ok();
            let _ = reply.send(outcome);
            if is_rotated {
                self.params.ring.rotate().await?;
            }
        }
        Ok(())
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
            let tx = connection.begin();
            queue::add_once(&tx, SIGNING_KEYS, &[JOB], self.params.clock.now()).await?;
            tx.commit().await?;
            self.has_job = true;
        }
        queue::draw_back(&connection, SIGNING_KEYS, LONGEST_WAIT).await?;
        Ok(queue::claim(&connection, SIGNING_KEYS, 1, LEASE).await?.into_iter().next())
    }
}

impl Poller for KeyRotator {
    async fn poll(&mut self, _: Cause, _: &ActorCell) -> Duration {
        let requested = self.rotate_by_hand().await;
        for fault in [requested, self.reload_and_rotate().await].into_iter().filter_map(Result::err) {
            self.observed.failures += 1;
            tracing::warn!(cause = fault.cause.as_deref(), "signing keys are not read or not rotated");
        }
        self.params.runtime.jittered(POLL_INTERVAL)
    }

    fn observe(&mut self) -> impl Serialize {
        &self.observed
    }
}
