//! For those who run the server: is it alive, is it ready, how is it doing. Both services share these (decisions 4).

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
    /// To see whether the database answers.
    pub store: Store,
    /// The files of assets.
    pub blobs: Blobs,
    /// The threads that hash passwords.
    pub passwords: Passwords,
    /// Whether the server is stopping.
    pub draining: watch::Receiver<bool>,
    /// What is measured.
    pub metrics: Metrics,
    /// Who may read it; nobody when unset.
    pub metrics_token: Option<SecretString>,
    /// What `/api/ready` tells of the configuration.
    pub facts: Facts,
}

/// The endpoints for those who run the server.
pub fn endpoints(ops: &Ops) -> Endpoints<Ops> {
    Endpoints::new(ops, ErrorFormat::Identity).get("/api/health", Public, health::read).get("/api/ready", Public, ready::read).get(
        "/metrics",
        metrics::ByMetricsToken,
        metrics::read,
    )
}
