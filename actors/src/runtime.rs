//! What every actor is built on: supervision, handles with admission, polling, wake-ups, tracked tasks,
//! draining.
//!
//! ractor gives mailboxes and links. What it leaves out is here: mailboxes are unbounded, so a [`Handle`]
//! admits a bounded number of messages; nothing is restarted, so a [`Supervisor`] does it, with backoff, a
//! budget and a watchdog.

pub mod child;
pub mod database_time;
pub mod drain;
pub mod handle;
pub mod metrics;
pub mod periodic_task;
pub mod policy;
pub mod polling;
pub mod postponed;
pub mod supervisor;
pub mod task_tracker;
pub mod wake;

#[cfg(test)]
mod tests;

pub use child::{Child, Restart};
pub use database_time::DatabaseTime;
pub use handle::{Handle, Reply};
pub use metrics::Metrics;
pub use periodic_task::PeriodicTask;
pub use policy::{Budget, Policy};
pub use polling::{Cause, Poller};
pub use postponed::Postponed;
pub use supervisor::Supervisor;
pub use task_tracker::TaskTracker;
pub use wake::{WakeSender, WakeToken};

use domain::shared::{SharedEntropy, backoff};
use ractor::{ActorRef, Message};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::sync::watch;

/// How far periodic work is spread, in per cent to either side.
const JITTER: u32 = 20;

/// What the actors of one system share. Cheap to clone.
#[derive(Clone)]
pub struct Runtime {
    entropy: SharedEntropy,
    metrics: Metrics,
    tasks: TaskTracker,
    shutting_down: Arc<AtomicBool>,
    draining: Arc<watch::Sender<bool>>,
}

impl Runtime {
    /// A runtime for one actor system. Its metrics are registered on the registry; a second system needs a
    /// registry of its own.
    pub fn new(entropy: SharedEntropy, registry: &prometheus::Registry) -> prometheus::Result<Self> {
        Ok(Self {
            entropy,
            metrics: Metrics::register(registry)?,
            tasks: TaskTracker::default(),
            shutting_down: Arc::default(),
            draining: Arc::default(),
        })
    }

    /// The counters.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The tasks that run beside the actors.
    pub fn tasks(&self) -> &TaskTracker {
        &self.tasks
    }

    /// A random number that decides where in its spread a wait falls: see [`domain::shared::Backoff::after`].
    pub fn jitter_seed(&self) -> u32 {
        let mut bytes = [0; 4];
        self.entropy.fill(&mut bytes);
        u32::from_le_bytes(bytes)
    }

    /// A duration spread by 20 per cent to either side, so that processes that were started together drift
    /// apart.
    pub fn jittered(&self, duration: Duration) -> Duration {
        backoff::spread(duration, JITTER, self.jitter_seed())
    }

    /// Whether the process was told to stop: no work begins any more that another process, or the next start,
    /// can do as well. What callers ask for is still done.
    pub fn is_shutting_down(&self) -> bool {
        self.shutting_down.load(Ordering::Acquire)
    }

    /// The process was told to stop.
    pub(crate) fn begin_shutdown(&self) {
        self.shutting_down.store(true, Ordering::Release);
    }

    /// Whether the actor system is stopping: nothing is started or restarted any more, and long work stops at
    /// its next good point.
    pub fn is_draining(&self) -> bool {
        *self.draining.borrow()
    }

    /// The actor system is stopping.
    fn begin_drain(&self) {
        self.begin_shutdown();
        self.draining.send_replace(true);
    }

    /// Waits until the actor system is stopping. Work that waits for another server, which may take long,
    /// selects on it.
    pub(crate) fn draining(&self) -> impl Future<Output = ()> + use<> {
        let mut draining = self.draining.subscribe();
        async move {
            // Fails only when the runtime is gone.
            let _ = draining.wait_for(|is_draining| *is_draining).await;
        }
    }

    /// Sends one message to the actor after about that time. An actor calls it at the end of the handler of
    /// the message before, so they never pile up behind slow work.
    pub fn tick<M: Message>(&self, myself: &ActorRef<M>, after: Duration, make: impl FnOnce() -> M + Send + 'static) {
        // The timer needs no care: it ends by itself, and sending to an actor that is gone does nothing.
        let _timer = myself.send_after(self.jittered(after), make);
    }
}
