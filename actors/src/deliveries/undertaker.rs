//! The owner's side of a delivery that is given up.

use domain::shared::{DeliveryId, Fault, ReceiverId};
use futures_util::future::BoxFuture;
use storage::shared::deliveries::Record;

/// A delivery whose last attempt failed.
#[derive(Debug, Clone)]
pub struct Dead {
    /// The last attempt, to be written by [`storage::shared::deliveries::bury`] in the owner's transaction.
    pub record: Record,
    /// To whom it was to go.
    pub receiver: ReceiverId,
    /// What receivers tell copies apart by.
    pub id: DeliveryId,
    /// The name of what happened.
    pub event: String,
    /// What it is about.
    pub key: String,
}

/// Gives deliveries up in the name of their owner: the dead letters and what the owner records of them are one transaction.
pub trait Undertaker: Send + Sync + 'static {
    /// Buries them. On an error nothing was written, and it is tried again.
    fn bury(&self, dead: Vec<Dead>) -> BoxFuture<'_, Result<(), Fault>>;
}
