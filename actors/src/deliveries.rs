//! Sends deliveries to receivers outside, for either service.
//!
//! ```text
//! storage::shared::deliveries::add(tx, ..)   in the transaction that causes them; NOTIFY wakes
//!   Dispatcher          plans which receivers are served ([`scheduler`]), claims in batches, sends each in a task, records in batches
//!     Transport         sends a signed request, behind the guard
//!     DeadLetterHandler the owner's side of giving up: the dead letter and its audit entry in one transaction
//! ```
//!
//! What is in memory is a cache of rows. An attempt that ends with its process is repeated when its lease has
//! run out; it was not counted.

mod cancellations;
mod completions;
pub mod dead_letter;
pub(crate) mod dispatcher;
mod http_transport;
mod metrics;
mod protocol;
mod receiver_guard;
mod request;
mod scheduler;
pub mod transport;

pub(crate) use cancellations::CancellationSignal;
pub(crate) use completions::CompletionQueue;
pub use dead_letter::DeadLetterHandler;
pub(crate) use dispatcher::{Dispatcher, Params};
pub use http_transport::HttpTransport;
pub(crate) use metrics::Metrics;
pub(crate) use protocol::{Protocol, ReceiverKind, SignedWebhook};
pub use receiver_guard::ReceiverGuard;
pub(crate) use request::USER_AGENT;
pub use transport::{OutboundRequest, Transport, TransportError, TransportResponse};

use crypto::{keys::Keys, seal::Seal};
use domain::shared::delivery::RetrySchedule;
use std::{sync::Arc, time::Duration};

/// The label of the key that secrets of receivers are sealed with.
const SECRET_KEY: &str = "receiver-secret/1";
/// The purpose that each sealed secret of a receiver is bound to.
pub const SECRET_PURPOSE: &str = "receiver";

/// How deliveries are sent.
#[derive(Clone)]
pub struct DeliverySettings {
    pub transport: Arc<dyn Transport>,
    /// Opens and seals the secrets of receivers.
    pub seal: Seal,
    /// When a failed delivery is due again.
    pub schedule: RetrySchedule,
    /// The age at which a delivery is given up.
    pub max_age: Duration,
    /// How long a webhook may take to answer, from the resolution of its name.
    pub timeout: Duration,
}

impl DeliverySettings {
    /// Settings with the key for secrets derived from the root keys.
    pub fn new(transport: Arc<dyn Transport>, keys: &Keys, schedule: RetrySchedule, max_age: Duration) -> Self {
        Self { transport, seal: Seal::new(keys.derive(SECRET_KEY)), schedule, max_age, timeout: Duration::from_secs(10) }
    }

    /// How long a lease holds: an attempt, and recording how it ended.
    pub(crate) fn lease(&self) -> Duration {
        2 * self.timeout
    }
}
