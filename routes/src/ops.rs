//! For those who run the server: is it alive, is it ready, how is it doing. Both services share these (decisions 4).

pub mod health;
pub mod metrics;
pub mod ready;

use crate::web::{Endpoint, ErrorFormat, group};
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

/// `/api/health`.
pub fn health() -> Endpoint {
    group(ErrorFormat::Identity, [health::route()])
}

/// `/api/ready`.
pub fn ready(ops: &Ops) -> Endpoint {
    group(ErrorFormat::Identity, [ready::route(ops)])
}

/// `/metrics`.
pub fn metrics(ops: &Ops) -> Endpoint {
    group(ErrorFormat::Identity, [metrics::route(ops)])
}
