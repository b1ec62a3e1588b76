//! The owner's part in giving deliveries up.

use domain::shared::{Fault, SharedClock};
use futures_util::future::BoxFuture;
use storage::{
    Store,
    shared::deliveries::{DeadLetter, write_dead_letters},
    transact,
};

/// Gives deliveries up in the name of their owner: marking them dead and what the owner records about them is
/// one transaction.
pub trait DeadLetterHandler: Send + Sync + 'static {
    /// Marks them dead. After an error it is called again, for all of them or one by one: those that were
    /// written are unchanged by that.
    fn mark_dead(&self, letters: Vec<DeadLetter>) -> BoxFuture<'_, Result<(), Fault>>;
}

/// Gives up deliveries that have no owner, or no owner any more: nothing is recorded but the attempts.
pub(crate) struct OrphanDeadLetters {
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
}

impl DeadLetterHandler for OrphanDeadLetters {
    fn mark_dead(&self, letters: Vec<DeadLetter>) -> BoxFuture<'_, Result<(), Fault>> {
        Box::pin(async move {
            let (letters, at) = (&letters, self.clock.now());
            let mark =
                transact!(self.store, "delivery.mark_dead", async |tx| { write_dead_letters(tx, letters, at).await.map(drop) });
            Ok(mark.await?)
        })
    }
}
