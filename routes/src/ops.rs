//! Endpoints for the operator of the server: health, readiness, metrics.

pub mod health;
pub mod metrics;
pub mod ready;

use crate::web::{Endpoints, ErrorFormat, Public};
use crypto::passwords::Passwords;
use secrecy::SecretString;
use storage::{Store, blobs::Blobs};
use tokio::sync::watch;

pub use metrics::Metrics;
pub use ready::Facts;

/// What these endpoints work with.
#[derive(Clone)]
pub struct Ops {
    /// The database, which readiness asks.
    pub store: Store,
    /// The store of the assets' files, whose counters are among the metrics.
    pub blobs: Blobs,
    /// The threads that hash passwords, whose queue is among the metrics.
    pub passwords: Passwords,
    /// Whether the server is stopping.
    pub draining: watch::Receiver<bool>,
    /// All metrics.
    pub metrics: Metrics,
    /// The token that reads the metrics; without one they are not served.
    pub metrics_token: Option<SecretString>,
    /// The part of the configuration that `/api/ready` shows.
    pub facts: Facts,
}

/// The endpoints of both services' operation.
pub fn endpoints(ops: &Ops) -> Endpoints<Ops> {
    Endpoints::new(ops, ErrorFormat::Identity).get("/api/health", Public, health::read).get("/api/ready", Public, ready::read).get(
        "/metrics",
        metrics::ByMetricsToken,
        metrics::read,
    )
}
