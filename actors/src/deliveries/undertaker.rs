//! Giving deliveries up: the other side of the dispatcher, and its owner's.

use domain::shared::{DeliveryId, Fault, ReceiverId, SharedClock};
use futures_util::{FutureExt, future::BoxFuture};
use jiff::Timestamp;
use storage::{
    Store, Tx, TxOperation,
    shared::deliveries::{Record, bury},
};

/// A delivery whose last attempt failed.
#[derive(Debug, Clone)]
pub struct Dead {
    /// The last attempt, to be written by [`storage::shared::deliveries::bury`] in the owner's transaction.
    pub record: Record,
    /// To whom it was to go.
    pub receiver: ReceiverId,
    /// Where it went.
    pub url: String,
    /// Whether the receiver said that it is gone for good (410), and wants nothing more.
    pub is_gone: bool,
    /// What receivers tell copies apart by.
    pub id: DeliveryId,
    /// The name of what happened.
    pub event: String,
    /// What it is about.
    pub key: String,
}

/// Gives deliveries up in the name of their owner: the dead letters and what the owner records of them are one transaction.
pub trait Undertaker: Send + Sync + 'static {
    /// Buries them. After an error it is asked again, for all of them or one by one: those that were written change nothing then.
    fn bury(&self, dead: Vec<Dead>) -> BoxFuture<'_, Result<(), Fault>>;
}

/// Gives up what nobody owns, or owns any more.
pub(crate) struct Nobody {
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
}

impl Undertaker for Nobody {
    fn bury(&self, dead: Vec<Dead>) -> BoxFuture<'_, Result<(), Fault>> {
        let work = Quietly { dead: dead.into_iter().map(|d| d.record).collect(), at: self.clock.now() };
        async move { Ok(self.store.transact(&work).await?) }.boxed()
    }
}

/// Buries deliveries and tells nobody.
struct Quietly {
    dead: Vec<Record>,
    at: Timestamp,
}

impl TxOperation for Quietly {
    type Output = ();

    const NAME: &'static str = "delivery.bury";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<()> {
        bury(tx, &self.dead, self.at).await.map(drop)
    }
}
