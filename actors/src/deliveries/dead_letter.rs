//! The owner's part in giving deliveries up.

use domain::shared::{Fault, SharedClock};
use futures_util::{FutureExt, future::BoxFuture};
use jiff::Timestamp;
use storage::{
    Store, Tx, TxOperation,
    shared::deliveries::{DeadLetter, write_dead_letters},
};

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
        let operation = MarkDead { letters, at: self.clock.now() };
        async move { Ok(self.store.transact(&operation).await?) }.boxed()
    }
}

struct MarkDead {
    letters: Vec<DeadLetter>,
    at: Timestamp,
}

impl TxOperation for MarkDead {
    type Output = ();

    const NAME: &'static str = "delivery.mark_dead";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<()> {
        write_dead_letters(tx, &self.letters, self.at).await.map(drop)
    }
}
