//! Gives up deliveries to clients: the accounts' audit trail says so, in the same transaction.

use crate::deliveries::{DeadLetter, DeadLetterHandler};
use domain::shared::{Fault, SharedClock};
use futures_util::{FutureExt, future::BoxFuture};
use jiff::Timestamp;
use serde_json::json;
use storage::{
    Result as StoreResult, Store, Tx, TxOperation,
    identity::{Attempt, audit},
    shared::deliveries::{AttemptRecord, mark_dead},
};

/// Gives up deliveries of one kind.
pub(crate) struct ClientDeadLetters {
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    /// The audit event.
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
        let records: Vec<AttemptRecord> = self.letters.iter().map(|letter| letter.record.clone()).collect();
        let marked = mark_dead(tx, &records, self.at).await?;
        for DeadLetter { record, delivery, .. } in self.letters.iter().filter(|letter| marked.contains(&letter.record.lease)) {
            let details = json!({
                "deliveryId": delivery.id.to_string(),
                "url": delivery.url,
                "attempts": record.number,
                "result": record.result,
                "status": record.status,
            });
            // What the delivery is about is in its body; no request caused this.
            let attempt = Attempt::by_system(None, self.at);
            audit::record_failure(tx, self.event, details, attempt).await?;
        }
        Ok(())
    }
}
