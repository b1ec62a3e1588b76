//! Gives up deliveries to clients: the accounts' audit trail says so, in the same transaction.

use crate::deliveries::DeadLetterHandler;
use domain::shared::{Fault, SharedClock};
use futures_util::{FutureExt, future::BoxFuture};
use jiff::Timestamp;
use serde_json::json;
use storage::{
    Result as StoreResult, Store, Tx, TxOperation,
    identity::{Attempt, audit},
    shared::deliveries::{DeadLetter, write_dead_letters},
};

/// Gives up deliveries of one kind.
pub(crate) struct ClientDeadLetters {
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) event: audit::Event,
}

impl DeadLetterHandler for ClientDeadLetters {
    fn mark_dead(&self, letters: Vec<DeadLetter>) -> BoxFuture<'_, Result<(), Fault>> {
        let operation = MarkDead { letters, event: self.event, at: self.clock.now() };
        async move { Ok(self.store.transact(&operation).await?) }.boxed()
    }
}

struct MarkDead {
    letters: Vec<DeadLetter>,
    event: audit::Event,
    at: Timestamp,
}

impl TxOperation for MarkDead {
    type Output = ();

    const NAME: &'static str = "client_delivery.mark_dead";

    /// Deliveries that another process leased meanwhile are left to it.
    async fn run(&self, tx: &Tx<'_>) -> StoreResult<()> {
        for letter in write_dead_letters(tx, &self.letters, self.at).await? {
            let last = letter.attempt();
            let details = json!({
                "deliveryId": letter.delivery.id.to_string(),
                "url": letter.delivery.url,
                "reason": letter.reason().name(),
                "attempts": letter.attempts(),
                "result": last.map(|attempt| attempt.result),
                "status": last.and_then(|attempt| attempt.status),
            });
            // What the delivery is about is in its body; no request caused this.
            let attempt = Attempt::by_system(None, self.at);
            audit::record_failure(tx, self.event, details, attempt).await?;
        }
        Ok(())
    }
}
