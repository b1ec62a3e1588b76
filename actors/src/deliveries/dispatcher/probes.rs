//! Probes of receivers whose circuit is open: each is one delivery, and of all processes one sends it.

use super::Dispatcher;
use domain::shared::ReceiverId;
use jiff::Timestamp;
use storage::{
    Connection,
    shared::{
        deliveries::ClaimOrder,
        receivers::{self, BreakerUpdate},
    },
};

impl Dispatcher {
    /// Sends a probe to each receiver at which none is under way: the due delivery with the fewest attempts.
    pub(super) async fn send_probes(
        &mut self,
        connection: &Connection,
        receivers: &[ReceiverId],
        now: Timestamp,
    ) -> storage::Result<()> {
        let until = now.checked_add(self.params.settings.lease()).unwrap_or(Timestamp::MAX);
        let probes = receivers.iter().map(|receiver| self.scheduler.receiver(*receiver).probe(*receiver, until)).collect();
        let begun = self.save_probes(connection, probes).await?;
        if begun.is_empty() {
            return Ok(());
        }
        let wanted: Vec<_> = begun.iter().map(|probe| (probe.receiver, 1)).collect();
        let claimed = self.claim(connection, &wanted, ClaimOrder::FewestFailures, now).await?;
        let served = self.send_all(claimed);
        // What is due there waits for an earlier delivery of its key: the probe is kept for when there is
        // something to send.
        let unused = begun.into_iter().filter(|probe| !served.contains(&probe.receiver));
        let taken_back: Vec<_> =
            unused.map(|probe| BreakerUpdate { receiver: probe.receiver, from: probe.to, to: probe.from }).collect();
        if !taken_back.is_empty() {
            self.save_probes(connection, taken_back).await?;
        }
        Ok(())
    }

    /// Writes circuits before and after their probes. Returns those that were written; where another process
    /// was first, the row is read again.
    async fn save_probes(&mut self, connection: &Connection, updates: Vec<BreakerUpdate>) -> storage::Result<Vec<BreakerUpdate>> {
        let saved = receivers::save_breakers(connection, &updates).await?;
        let (written, outrun): (Vec<_>, Vec<_>) = updates.into_iter().partition(|update| saved.contains(&update.receiver));
        for update in &written {
            self.scheduler.receiver(update.receiver).set_breaker(update.to);
        }
        for update in outrun {
            self.scheduler.receiver(update.receiver).due_at = None;
            self.is_stale = true;
        }
        Ok(written)
    }
}
