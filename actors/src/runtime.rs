//! What every actor stands on: supervision, handles with admission, ticks, wakes, tracked tasks, draining.
//!
//! ractor gives mailboxes and links. What it leaves out is here: mailboxes are unbounded, so a [`Handle`] admits only so many
//! messages; nothing is restarted, so a [`Supervisor`] does it, with backoff and a budget.

pub mod child;
pub mod drain;
pub mod handle;
pub mod metrics;
pub mod observe;
pub mod policy;
pub mod sideline;
pub mod supervisor;
pub mod tasks;
pub mod wake;

#[cfg(test)]
mod tests;

pub use child::{Child, Restart};
pub use handle::{Handle, Reply};
pub use metrics::Metrics;
pub use observe::Observable;
pub use policy::{Budget, Policy};
pub use sideline::Sideline;
pub use supervisor::Supervisor;
pub use tasks::Tasks;
pub use wake::{Bell, Wake};

use domain::shared::{SharedEntropy, backoff};
use ractor::{ActorRef, Message};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// How far ticks are spread, in per cent.
const TICK_JITTER: u32 = 20;

/// What the actors of one tree share. Cheap to clone.
#[derive(Clone)]
pub struct Runtime {
    entropy: SharedEntropy,
    metrics: Metrics,
    tasks: Tasks,
    winding_down: Arc<AtomicBool>,
    draining: Arc<AtomicBool>,
}

impl Runtime {
    /// For one tree. The metrics are registered on the registry; a second tree needs a registry of its own.
    pub fn new(entropy: SharedEntropy, registry: &prometheus::Registry) -> prometheus::Result<Self> {
        Ok(Self {
            entropy,
            metrics: Metrics::register(registry)?,
            tasks: Tasks::default(),
            winding_down: Arc::default(),
            draining: Arc::default(),
        })
    }

    /// The counters.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// For work that runs beside the actors.
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    /// Where in a spread a wait falls: see [`domain::shared::Backoff::after`].
    pub fn roll(&self) -> u32 {
        let mut bytes = [0; 4];
        self.entropy.fill(&mut bytes);
        u32::from_le_bytes(bytes)
    }

    /// Whether the process is to stop: nothing is begun any more that another process, or the next start, can do as well. What callers ask
    /// for is still done.
    pub fn is_winding_down(&self) -> bool {
        self.winding_down.load(Ordering::Acquire)
    }

    /// From now on the process is to stop.
    pub(crate) fn wind_down(&self) {
        self.winding_down.store(true, Ordering::Release);
    }

    /// Whether the tree is stopping: nothing is started or restarted any more, and long work stops at its next good point.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }

    /// From now on the tree is stopping.
    fn start_draining(&self) {
        self.wind_down();
        self.draining.store(true, Ordering::Release);
    }

    /// Sends one message to the actor after about that time. An actor calls it at the end of the handler of the tick before, so
    /// ticks never pile up behind slow work.
    pub fn tick<M: Message>(&self, myself: &ActorRef<M>, every: Duration, make: impl FnOnce() -> M + Send + 'static) {
        // The timer needs no care: it ends by itself, and sending to an actor that is gone does nothing.
        let _timer = myself.send_after(backoff::spread(every, TICK_JITTER, self.roll()), make);
    }
}
