//! What differs between kinds of receivers: how a delivery becomes a request, and what the response means.

use super::{
    DeadLetterHandler, SECRET_PURPOSE,
    request::{build_request, webhook_outcome},
    transport::OutboundRequest,
};
use crypto::{seal::Seal, webhook::Signer};
use domain::shared::{
    Fault,
    delivery::{AttemptOutcome, Next},
};
use futures_util::{FutureExt, future::BoxFuture};
use jiff::Timestamp;
use std::{sync::Arc, time::Duration};
use storage::shared::deliveries::LeasedDelivery;

/// How deliveries to a kind of receivers are sent.
pub(crate) trait Protocol: Send + Sync + 'static {
    /// The request for an attempt at a time.
    fn request<'a>(&'a self, delivery: &'a LeasedDelivery, at: Timestamp) -> BoxFuture<'a, Result<OutboundRequest, Fault>>;

    /// How long the status may take, from the resolution of the name.
    fn timeout(&self) -> Duration;

    /// What a status means. The receiver may have said after which time to come back.
    fn outcome(&self, status: u16, retry_after: Option<Duration>) -> AttemptOutcome;

    /// An attempt has ended, and this follows from it.
    fn count(&self, _next: Next) {}
}

/// A kind of receivers.
#[derive(Clone)]
pub(crate) struct ReceiverKind {
    /// How deliveries are sent to them.
    pub(crate) protocol: Arc<dyn Protocol>,
    /// Gives deliveries up in the name of their owner.
    pub(crate) dead_letters: Arc<dyn DeadLetterHandler>,
}

/// Webhooks: the stored body, signed with the secrets of the receiver.
pub(crate) struct SignedWebhook {
    pub(crate) seal: Seal,
    pub(crate) timeout: Duration,
}

impl Protocol for SignedWebhook {
    fn request<'a>(&'a self, delivery: &'a LeasedDelivery, at: Timestamp) -> BoxFuture<'a, Result<OutboundRequest, Fault>> {
        async move { Ok(build_request(delivery, &signers(&self.seal, delivery)?, at)) }.boxed()
    }

    fn timeout(&self) -> Duration {
        self.timeout
    }

    fn outcome(&self, status: u16, retry_after: Option<Duration>) -> AttemptOutcome {
        webhook_outcome(status, retry_after)
    }
}

/// A signer for each valid secret of the receiver, the newest first.
fn signers(seal: &Seal, delivery: &LeasedDelivery) -> Result<Vec<Signer>, Fault> {
    delivery.secrets.iter().map(|sealed| Ok(Signer::new(&seal.open(SECRET_PURPOSE, sealed)?))).collect()
}
