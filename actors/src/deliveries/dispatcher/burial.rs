//! Dead letters on their way to their owners.

use super::{LOOK_AGAIN, State, round::LEASE, settle::put_off_until};
use crate::{
    deliveries::{
        Metrics, Undertaker,
        outbox::Outbox,
        undertaker::{Dead, Nobody},
    },
    runtime::Runtime,
};
use domain::shared::{Fault, Kind, SharedClock};
use std::sync::Arc;
use storage::{Store, shared::deliveries};
use tokio::time::Instant;

impl State {
    /// Leaves the dead to their owner. It may take its turn among the owner's other writes, so nobody waits for it here.
    pub(super) fn bury(&mut self, kind: &str, dead: Vec<Dead>) {
        self.observed.dead += dead.len() as u64;
        let params = &self.params;
        let undertaker = params.undertakers.get(kind).cloned().unwrap_or_else(|| {
            tracing::error!(kind, "nobody records what becomes of deliveries of this kind");
            Arc::new(Nobody { store: params.store.clone(), clock: params.clock.clone() })
        });
        let burial = Burial {
            undertaker,
            runtime: params.runtime.clone(),
            store: params.store.clone(),
            clock: params.clock.clone(),
            metrics: params.metrics.clone(),
            outbox: self.outbox.clone(),
        };
        self.burials.spawn("deliveries.bury", burial.bury_all(dead));
    }
}

struct Burial {
    undertaker: Arc<dyn Undertaker>,
    runtime: Runtime,
    store: Store,
    clock: SharedClock,
    metrics: Metrics,
    outbox: Arc<Outbox>,
}

impl Burial {
    /// All together; one by one when something among them is refused, so that it keeps nobody else from their rest.
    async fn bury_all(self, dead: Vec<Dead>) {
        // The leases are ours for so long. After that somebody tries the deliveries once more, and this is decided again.
        let deadline = Instant::now() + LEASE;
        let mut waiting = vec![dead];
        while let Some(batch) = waiting.pop() {
            match self.bury(&batch, deadline).await {
                Ok(()) => {
                    self.metrics.buried(batch.len());
                    self.outbox.buried(batch.iter().map(|b| b.receiver));
                }
                Err(fault) if fault.kind == Kind::Unavailable => {
                    tracing::error!(%fault, deliveries = batch.len(), "dead letters could not be written");
                }
                Err(_) if batch.len() > 1 => waiting.extend(batch.into_iter().map(|b| vec![b])),
                Err(fault) => {
                    tracing::error!(%fault, cause = fault.cause.as_deref(), "a dead letter cannot be written: it is put off");
                    if let Err(error) = self.put_off(&batch).await {
                        tracing::warn!(%error, "a dead letter is not put off");
                    }
                }
            }
        }
    }

    /// Until it is done, or refused, or the time is over.
    async fn bury(&self, dead: &[Dead], deadline: Instant) -> Result<(), Fault> {
        loop {
            match self.undertaker.bury(dead.to_vec()).await {
                // While the process stops, who is away stays away.
                Err(fault) if fault.kind == Kind::Unavailable && Instant::now() < deadline && !self.runtime.is_draining() => {
                    tracing::warn!(%fault, "dead letters are put off");
                    tokio::time::sleep(LOOK_AGAIN).await;
                }
                outcome => return outcome,
            }
        }
    }

    async fn put_off(&self, dead: &[Dead]) -> storage::Result<()> {
        let connection = self.store.connection("deliveries.put_off").await?;
        for it in dead {
            deliveries::put_off(&connection, it.record.token, put_off_until(self.clock.now())).await?;
        }
        Ok(())
    }
}
