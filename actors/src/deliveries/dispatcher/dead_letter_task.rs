//! Hands dead letters to their owners' handlers, in a task: a handler may have to take its turn behind the
//! owner's other writes.

use super::{Dispatcher, REFRESH_INTERVAL, outcomes::DEFER_FOR};
use crate::{
    deliveries::{DeadLetterHandler, Metrics, completions::CompletionQueue, dead_letter::OrphanDeadLetters},
    runtime::Runtime,
};
use domain::shared::{Fault, Kind};
use std::{sync::Arc, time::Duration};
use storage::{
    Store,
    shared::deliveries::{self, DeadLetter},
};
use tokio::time::Instant;

impl Dispatcher {
    /// Leaves dead letters to the handler of their kind of receiver.
    pub(super) fn mark_dead(&mut self, kind: &str, letters: Vec<DeadLetter>) {
        self.observed.dead += letters.len() as u64;
        let params = &self.params;
        let handler: Arc<dyn DeadLetterHandler> = if let Some(known) = params.kinds.get(kind) {
            Arc::clone(&known.dead_letters)
        } else {
            tracing::error!(kind, "deliveries of this kind have no handler for dead letters");
            Arc::new(OrphanDeadLetters { store: params.store.clone(), clock: params.clock.clone() })
        };
        let task = DeadLetterTask {
            handler,
            runtime: params.runtime.clone(),
            store: params.store.clone(),
            metrics: params.metrics.clone(),
            completions: self.completions.clone(),
            lease: params.settings.lease(),
        };
        self.dead_letter_tasks.spawn("deliveries.mark_dead", task.run(letters));
    }
}

struct DeadLetterTask {
    handler: Arc<dyn DeadLetterHandler>,
    runtime: Runtime,
    store: Store,
    metrics: Metrics,
    completions: Arc<CompletionQueue>,
    /// How long the leases hold. Afterwards another round attempts the deliveries again, and this is decided
    /// again.
    lease: Duration,
}

impl DeadLetterTask {
    /// All together; one by one when one of them is refused, so that it holds up no other.
    async fn run(self, letters: Vec<DeadLetter>) {
        let deadline = Instant::now() + self.lease;
        let mut waiting = vec![letters];
        while let Some(batch) = waiting.pop() {
            match self.mark_dead(&batch, deadline).await {
                Ok(()) => {
                    self.metrics.marked_dead(batch.len());
                    self.completions.push_marked_dead(batch.iter().map(|letter| letter.delivery.receiver));
                }
                Err(fault) if fault.kind() == Kind::Unavailable => {
                    tracing::error!(%fault, deliveries = batch.len(), "dead letters could not be written");
                }
                Err(_) if batch.len() > 1 => waiting.extend(batch.into_iter().map(|letter| vec![letter])),
                Err(fault) => {
                    tracing::error!(%fault, cause = fault.cause.as_deref(), "a dead letter cannot be written: it is put off");
                    if let Err(error) = self.defer(&batch).await {
                        tracing::warn!(%error, "a dead letter is not put off");
                    }
                }
            }
        }
    }

    /// Calls the handler until it has marked them dead or refuses, or the time is over.
    async fn mark_dead(&self, letters: &[DeadLetter], deadline: Instant) -> Result<(), Fault> {
        loop {
            match self.handler.mark_dead(letters.to_vec()).await {
                // While the process stops, what is unavailable does not come back.
                Err(fault) if fault.kind() == Kind::Unavailable && Instant::now() < deadline && !self.runtime.is_draining() => {
                    tracing::warn!(%fault, "dead letters are put off");
                    tokio::time::sleep(REFRESH_INTERVAL).await;
                }
                outcome => return outcome,
            }
        }
    }

    async fn defer(&self, letters: &[DeadLetter]) -> storage::Result<()> {
        let connection = self.store.connection("deliveries.defer").await?;
        for letter in letters {
            deliveries::defer(&connection, letter.delivery.lease, DEFER_FOR).await?;
        }
        Ok(())
    }
}
