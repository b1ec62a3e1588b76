//! What the workers of a process share: their number, the health of the mail server, and an idle SMTP connection.

use super::{Metrics, Settings};
use crate::runtime::{Runtime, WakeSender};
use domain::{
    identity::mail_retry::{LONGEST_DELAY, SendError, ServerHealth},
    shared::SharedClock,
};
use egress::mail::{Failure, MailConnection};
use serde::Serialize;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use storage::{
    Store,
    identity::mails,
    queue::{self, MAIL},
};
use tokio::{
    sync::watch,
    time::{Instant, timeout},
};

/// How long workers that were told to stop may take to release their mails.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);

/// Shared by all workers of the actor.
pub(super) struct WorkerPool {
    pub(super) runtime: Runtime,
    pub(super) store: Store,
    pub(super) clock: SharedClock,
    pub(super) settings: Settings,
    pub(super) metrics: Metrics,
    pub(super) actor: WakeSender,
    state: Mutex<State>,
    /// The number of running workers. It changes only while `state` is locked.
    workers: watch::Sender<usize>,
    stopping: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    /// Running workers whose mail takes longer than `slow_after`.
    slow: usize,
    /// Whether the actor was woken while workers were running. One of them then looks for mail once more before it ends.
    wake_pending: bool,
    health: ServerHealth,
    /// Until when the server is not contacted, because it is unhealthy.
    paused_until: Option<Instant>,
    idle_connection: Option<IdleConnection>,
    observed: Observed,
}

struct IdleConnection {
    connection: Box<dyn MailConnection>,
    since: Instant,
}

/// The state that the actor reports. The counters start at zero with the process.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Observed {
    workers: usize,
    /// Whether an idle connection is open.
    connected: bool,
    /// Whether the server is not contacted at the moment.
    paused: bool,
    pub(super) connections: u64,
    /// Mails that the server accepted.
    pub(super) sent: u64,
    /// Attempts after which the mail is tried again.
    pub(super) deferred: u64,
    pub(super) dead: u64,
    /// Outcomes that could not be recorded because the lease had passed to another worker.
    pub(super) lost: u64,
    /// Database operations that failed.
    pub(super) failures: u64,
}

impl WorkerPool {
    pub(super) fn new(
        runtime: Runtime,
        store: Store,
        clock: SharedClock,
        settings: Settings,
        metrics: Metrics,
        actor: WakeSender,
    ) -> Self {
        Self {
            runtime,
            store,
            clock,
            settings,
            metrics,
            actor,
            state: Mutex::default(),
            workers: watch::Sender::new(0),
            stopping: watch::Sender::new(false),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Updates the counters.
    pub(super) fn count(&self, update: impl FnOnce(&mut Observed)) {
        update(&mut self.state().observed);
    }

    pub(super) fn observed(&self) -> Observed {
        let state = self.state();
        let paused = state.paused_until.is_some_and(|until| until > Instant::now());
        let connected = state.idle_connection.is_some();
        Observed { workers: *self.workers.borrow(), connected, paused, ..state.observed.clone() }
    }

    /// Whether another worker would help: none is running, or all are slow. Otherwise a running one is asked to look for mail once more.
    pub(super) fn wants_worker(&self, max: usize) -> bool {
        let mut state = self.state();
        let workers = *self.workers.borrow();
        let wanted = workers < max && workers <= state.slow;
        state.wake_pending |= !wanted;
        wanted
    }

    /// Until when the server is not contacted.
    pub(super) fn paused_until(&self) -> Option<Instant> {
        self.state().paused_until
    }

    /// Whether a worker may claim another mail.
    pub(super) fn may_continue(&self) -> bool {
        !self.runtime.is_draining() && !*self.stopping.borrow() && self.paused_until().is_none_or(|until| until <= Instant::now())
    }

    /// Resolves when workers have to release their mails.
    pub(super) async fn stopped(&self) {
        // The sender lives in `self`, so the wait cannot fail.
        let _ = self.stopping.subscribe().wait_for(|is_stopping| *is_stopping).await;
    }

    /// The server accepted a mail.
    pub(super) fn on_success(&self) {
        let mut state = self.state();
        state.health.on_success();
        state.paused_until = None;
    }

    /// Sending failed. If the failure is the server's, it is not contacted for a while. Only the first of a series is logged as a warning.
    pub(super) fn on_failure(&self, failure: &Failure) {
        let jitter_seed = self.runtime.jitter_seed();
        let mut state = self.state();
        let was_healthy = state.health.is_healthy();
        let Some(pause) = state.health.on_failure(failure.error, jitter_seed) else { return };
        state.paused_until = Some(Instant::now() + pause);
        drop(state);
        self.actor.wake();
        // The text of a reply about a recipient may name the person, so only the stage of such a failure is logged.
        let shown = if failure.error == SendError::Unavailable { failure.to_string() } else { format!("{:?}", failure.stage) };
        if was_healthy {
            tracing::warn!(failure = shown, "the mail server takes no mail; it is asked again, less and less often");
        } else {
            tracing::debug!(failure = shown, pause.seconds = pause.as_secs(), "the mail server still takes no mail");
        }
    }

    /// Takes the idle connection for a worker.
    pub(super) fn take_idle_connection(&self) -> Option<Box<dyn MailConnection>> {
        self.state().idle_connection.take().map(|idle| idle.connection)
    }

    /// Keeps a connection for the next worker. Answers the connection if it cannot be kept and has to be closed.
    pub(super) fn keep_connection(&self, connection: Box<dyn MailConnection>) -> Option<Box<dyn MailConnection>> {
        let mut state = self.state();
        if !connection.is_usable() || state.idle_connection.is_some() || *self.stopping.borrow() {
            return Some(connection);
        }
        state.idle_connection = Some(IdleConnection { connection, since: Instant::now() });
        None
    }

    /// Closes the idle connection if it was not used for this long.
    pub(super) fn close_idle_connection(&self, after: Duration) {
        let expired = self.state().idle_connection.take_if(|idle| idle.since.elapsed() >= after);
        if let Some(idle) = expired {
            self.runtime.tasks().spawn("mail.close", idle.connection.close());
        }
    }

    /// Measures the backlog for the metrics, and looks for mails that wait because the clock of the database went back.
    pub(super) async fn measure_backlog(self: Arc<Self>) {
        let measured = async {
            let connection = self.store.connection("mail.backlog").await?;
            if queue::draw_back(&connection, MAIL, LONGEST_DELAY).await? > 0 {
                tracing::warn!("the clock of the database went back: mails that were due too far ahead are due now");
                self.actor.wake();
            }
            mails::backlog(&connection).await
        };
        match measured.await {
            Ok(backlog) => self.metrics.set_backlog(&backlog, self.clock.now()),
            Err(error) => {
                self.count(|observed| observed.failures += 1);
                tracing::warn!(%error, "waiting mails cannot be counted");
            }
        }
    }

    /// Waits for the workers to end, then tells them to stop, and closes the idle connection.
    pub(super) async fn stop(&self, patience: Duration) {
        let mut workers = self.workers.subscribe();
        if timeout(patience, workers.wait_for(|count| *count == 0)).await.is_err() {
            self.stopping.send_replace(true);
            // The mail of a worker that does not stop in time becomes due again when its lease expires.
            let _ = timeout(RELEASE_TIMEOUT, workers.wait_for(|count| *count == 0)).await;
        }
        self.stopping.send_replace(true);
        if let Some(connection) = self.take_idle_connection() {
            connection.close().await;
        }
    }
}

/// Counts a worker as running until it is dropped, also when the worker panics.
pub(super) struct WorkerGuard {
    pool: Arc<WorkerPool>,
    is_slow: bool,
    has_left: bool,
}

impl WorkerGuard {
    pub(super) fn new(pool: Arc<WorkerPool>) -> Self {
        {
            let _state = pool.state();
            pool.workers.send_modify(|count| *count += 1);
        }
        Self { pool, is_slow: false, has_left: false }
    }

    /// Marks the worker as slow or not. A slow one wakes the actor, which may start another worker.
    pub(super) fn set_slow(&mut self, is_slow: bool) {
        if self.is_slow == is_slow {
            return;
        }
        self.is_slow = is_slow;
        let mut state = self.pool.state();
        state.slow = if is_slow { state.slow + 1 } else { state.slow.saturating_sub(1) };
        drop(state);
        if is_slow {
            self.pool.actor.wake();
        }
    }

    /// Counts the worker as ended, because no mail is due. Answers `false` if the actor was woken meanwhile: the worker must look once more.
    pub(super) fn try_leave(&mut self) -> bool {
        let mut state = self.pool.state();
        if std::mem::take(&mut state.wake_pending) {
            return false;
        }
        self.has_left = true;
        self.pool.workers.send_modify(|count| *count = count.saturating_sub(1));
        true
    }
}

impl Drop for WorkerGuard {
    fn drop(&mut self) {
        self.set_slow(false);
        if !self.has_left {
            let _state = self.pool.state();
            self.pool.workers.send_modify(|count| *count = count.saturating_sub(1));
        }
    }
}
