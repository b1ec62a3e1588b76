//! Starts every actor below one root, and stops them.
//!
//! ```text
//! root                    its failure is the process's failure
//! ├─ spaces               a supervisor; it never gives up, because its children are tenants
//! │  └─ space <id> …      started by their first command, stopped when idle
//! ├─ importer
//! │  └─ one actor for each running import
//! ├─ notifications        the LISTEN connection, which wakes the others
//! ├─ scheduler            runs due publishes and unpublishes
//! ├─ fan_out              turns events of stories into deliveries
//! ├─ dispatcher           sends deliveries to their receivers
//! ├─ mail_sender          hands mails to the mail server
//! ├─ last_seen_writer     writes when sessions were last seen
//! ├─ key_rotator          rotates signing keys
//! └─ janitor              removes what has expired
//! ```

mod children;
mod handles;
mod params;
mod report;

pub use crate::runtime::handle::ActorState;
pub use handles::Handles;
pub use params::{Params, Provider, Scope};
pub use report::ActorReport;

use crate::runtime::{Budget, Policy, Runtime, Supervisor, TaskTracker, drain, supervisor};
use children::Metrics;
use domain::shared::{Backoff, Fault};
use ractor::{Actor, ActorCell};
use std::{fmt::Display, future::Future, time::Duration};
use tokio::time::Instant;

/// Restarts come quickly at first, and never more than some seconds apart.
const RESTART_BACKOFF: Backoff = Backoff { first: Duration::from_millis(50), cap: Duration::from_secs(5), jitter: 20 };
/// An eleventh failure within a minute will not go away by itself: the process ends, and the service manager
/// starts another.
const BUDGET: Budget = Budget { restarts: 10, within: Duration::from_mins(1) };
/// The time after which the earlier failures of an actor no longer count.
const RESET_AFTER: Duration = Duration::from_mins(1);
/// An actor that has not answered for this time hangs. A poll looks at its time after each thing that it
/// does: a command of a space has 5 seconds, a statement 30, and so have calls of the object store.
const FROZEN_AFTER: Duration = Duration::from_mins(2);

/// All actors of the process. They end when the system is drained; dropping it ends nothing.
pub struct ActorSystem {
    runtime: Runtime,
    root: ActorCell,
    handles: Handles,
}

impl ActorSystem {
    /// Starts all actors. It waits for no database: actors that need one connect when they can.
    pub async fn start(params: Params, registry: &prometheus::Registry) -> Result<Self, Fault> {
        let runtime = Runtime::new(params.entropy.clone(), registry).map_err(cannot_start)?;
        let metrics = Metrics::register(registry).map_err(cannot_start)?;
        let handles = Handles::new(&runtime, &params);
        handles.wake_on_notifications(&params.imports.queues);
        let tenants =
            Policy { backoff: params.restart_backoff, reset_after: RESET_AFTER, frozen_after: FROZEN_AFTER, budget: None };
        let policy = Policy { budget: Some(BUDGET), ..tenants };
        let children = children::all(&runtime, &handles, params, metrics, tenants);
        let root = supervisor::Params { runtime: runtime.clone(), policy, children };
        let (root, _) = Supervisor::spawn(None, Supervisor, root).await.map_err(cannot_start)?;
        Ok(Self { runtime, root: root.get_cell(), handles })
    }

    /// The handles of the actors.
    pub fn handles(&self) -> &Handles {
        &self.handles
    }

    /// The tasks that run beside the actors and end with them.
    pub fn tasks(&self) -> &TaskTracker {
        self.runtime.tasks()
    }

    /// Ends when the root has failed: nothing is supervised any more, and the process is to end with code 1.
    /// A drain does not end it.
    pub fn failed(&self) -> impl Future<Output = ()> + Send + use<> {
        let (runtime, root) = (self.runtime.clone(), self.root.clone());
        async move {
            let _ = root.wait(None).await;
            if runtime.is_draining() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// The process was told to stop: from now on no delivery is attempted any more. Callers get what they ask
    /// for until the drain.
    pub fn begin_shutdown(&self) {
        self.runtime.begin_shutdown();
    }

    /// Stops all actors, leaves first; the dispatcher before all others, because its dead letters are
    /// commands of spaces. What was admitted is done; what comes now gets 503. Returns whether that was done
    /// before the deadline.
    pub async fn drain(&self, deadline: Duration) -> bool {
        self.begin_shutdown();
        let until = Instant::now() + deadline;
        // The others need some of the time, too.
        let share = deadline.saturating_sub(deadline / 10);
        let _ = tokio::time::timeout(share, self.handles.dispatcher.stop()).await;
        drain::drain(&self.runtime, &self.root, until.saturating_duration_since(Instant::now())).await
    }
}

fn cannot_start(error: impl Display) -> Fault {
    Fault::internal(format!("actors cannot start: {error}"))
}
