//! Endpoints for the operator of the server: health, readiness, metrics.

pub mod health;
pub mod metrics;
pub mod ready;

use crate::web::{Endpoints, ErrorFormat, Public, ResponseMemory};
use crypto::passwords::Passwords;
use secrecy::SecretString;
use std::{sync::Arc, time::Duration};
use storage::{IsThere, Store, blobs::Blobs};
use tokio::sync::watch;

pub use metrics::Metrics;
pub use ready::Facts;

/// What these endpoints work with.
#[derive(Clone)]
pub struct Ops {
    /// The database, which readiness asks.
    pub store: Store,
    /// The time within which it has to answer, or the server is not ready.
    pub database_timeout: Duration,
    /// The store of the assets' files, whose counters are among the metrics.
    pub blobs: Blobs,
    /// The threads that hash passwords, whose queue is among the metrics.
    pub passwords: Passwords,
    /// Whether the server is stopping.
    pub draining: watch::Receiver<bool>,
    pub metrics: Metrics,
    /// The bytes of all responses, which are among the metrics.
    pub memory: ResponseMemory,
    /// The token that reads the metrics; without one they are not served.
    pub metrics_token: Option<SecretString>,
    /// The part of the configuration that `/api/ready` shows.
    pub facts: Facts,
    /// How many bytes are free on the disk of the data directory; `None` when the system does not say.
    pub free_bytes: FreeBytes,
    /// Whether the data directory is still there; a person may delete it while the server runs.
    pub data_is_there: IsThere,
}

/// Asks for the room on a disk.
pub type FreeBytes = Arc<dyn Fn() -> Option<u64> + Send + Sync>;

/// With less than this many bytes a disk counts as full: PostgreSQL writes files of 16 MiB.
const FULL_BELOW: u64 = 32 << 20;

impl Ops {
    /// All metrics, as `/metrics` shows them.
    pub fn gather(&self) -> Vec<prometheus::proto::MetricFamily> {
        metrics::gather(self)
    }

    /// Whether the disk of the data directory or that of the database is full.
    pub(crate) fn is_disk_full(&self) -> bool {
        self.store.is_disk_full() || (self.free_bytes)().is_some_and(|free| free < FULL_BELOW)
    }
}

/// The endpoints of both services' operation.
pub fn endpoints(ops: &Ops) -> Endpoints<Ops> {
    Endpoints::new(ops, ErrorFormat::Identity).get("/api/health", Public, health::read).get("/api/ready", Public, ready::read).get(
        "/metrics",
        metrics::ByMetricsToken,
        metrics::read,
    )
}
