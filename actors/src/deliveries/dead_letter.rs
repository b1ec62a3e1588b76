//! Dead letters: deliveries whose last attempt failed, and the owner's part in giving them up.

use domain::shared::{Fault, SharedClock};
use futures_util::{FutureExt, future::BoxFuture};
use jiff::Timestamp;
use std::sync::Arc;
use storage::{
    Store, Tx, TxOperation,
    shared::deliveries::{AttemptRecord, LeasedDelivery, mark_dead},
};

/// A delivery whose last attempt failed. Cheap to clone but for the answer in the record.
#[derive(Debug, Clone)]
pub struct DeadLetter {
    /// The last attempt, to be written by [`storage::shared::deliveries::mark_dead`] in the owner's transaction.
    pub record: AttemptRecord,
    /// The delivery, as it was leased.
    pub delivery: Arc<LeasedDelivery>,
    /// Whether the receiver said that it is gone for good (410), and wants nothing more.
    pub is_gone: bool,
}

/// Gives deliveries up in the name of their owner: marking them dead and what the owner records about them is one transaction.
pub trait DeadLetterHandler: Send + Sync + 'static {
    /// Marks them dead. After an error it is called again, for all of them or one by one: those that were written are unchanged by that.
    fn mark_dead(&self, letters: Vec<DeadLetter>) -> BoxFuture<'_, Result<(), Fault>>;
}

/// Gives up deliveries that have no owner, or no owner any more: nothing is recorded but the attempts.
pub(crate) struct OrphanDeadLetters {
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
}

impl DeadLetterHandler for OrphanDeadLetters {
    fn mark_dead(&self, letters: Vec<DeadLetter>) -> BoxFuture<'_, Result<(), Fault>> {
        let operation = MarkDead { records: letters.into_iter().map(|letter| letter.record).collect(), at: self.clock.now() };
        async move { Ok(self.store.transact(&operation).await?) }.boxed()
    }
}

struct MarkDead {
    records: Vec<AttemptRecord>,
    at: Timestamp,
}

impl TxOperation for MarkDead {
    type Output = ();

    const NAME: &'static str = "delivery.mark_dead";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<()> {
        mark_dead(tx, &self.records, self.at).await.map(drop)
    }
}
