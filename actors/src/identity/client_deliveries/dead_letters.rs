//! Gives up deliveries to clients: the accounts' audit trail says so, in the same transaction.

use crate::deliveries::DeadLetterHandler;
use domain::shared::{Fault, SharedClock};
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use serde_json::json;
use storage::{
    Result as StoreResult, Store,
    identity::{Attempt, audit},
    shared::deliveries::{DeadLetter, write_dead_letters},
    transact,
};

/// Gives up deliveries of one kind.
pub(crate) struct ClientDeadLetters {
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) event: audit::Event,
}

impl DeadLetterHandler for ClientDeadLetters {
    fn mark_dead(&self, letters: Vec<DeadLetter>) -> BoxFuture<'_, Result<(), Fault>> {
        Box::pin(async move { Ok(self.write(&letters, self.clock.now()).await?) })
    }
}

impl ClientDeadLetters {
    /// Deliveries that another process leased meanwhile are left to it.
    async fn write(&self, letters: &[DeadLetter], at: Timestamp) -> StoreResult<()> {
        transact!(self.store, "client_delivery.mark_dead", async |tx| {
            for letter in write_dead_letters(tx, letters, at).await? {
                let last = letter.attempt();
                let details = json!({
                    "deliveryId": letter.delivery.id.to_string(),
                    "url": letter.delivery.url,
                    "reason": letter.reason().into_str(),
                    "attempts": letter.attempts(),
                    "result": last.map(|attempt| attempt.result),
                    "status": last.and_then(|attempt| attempt.status),
                });
                // What the delivery is about is in its body; no request caused this.
                audit::record_failure(tx, self.event, details, Attempt::by_system(None, at)).await?;
            }
            Ok(())
        })
        .await
    }
}
