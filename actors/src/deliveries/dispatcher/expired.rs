//! Deliveries that are too old. Those that are claimed to be sent are given up instead; those that wait, for
//! whatever reason, are looked for.

use super::Dispatcher;
use domain::shared::delivery::DeadReason;
use jiff::{SignedDuration, Timestamp};
use std::{collections::BTreeMap, sync::Arc};
use storage::{
    Connection,
    shared::deliveries::{self, DeadCause, DeadLetter, LeasedDelivery},
};

/// How often they are looked for, by the clock of the database.
const INTERVAL: SignedDuration = SignedDuration::from_mins(1);
/// How many are given up at a time: each is in memory for a moment.
const BATCH: i64 = 256;
/// How many batches of dead letters are on their way to their owners before no further one is looked for.
const MAX_TASKS: usize = 4;

impl Dispatcher {
    /// Looks for them from time to time. Returns whether there may be more.
    pub(super) async fn give_up_expired(&mut self, connection: &Connection, now: Timestamp) -> storage::Result<bool> {
        let is_recent = |at: Timestamp| (SignedDuration::ZERO..INTERVAL).contains(&now.duration_since(at));
        if self.none_expired_at.is_some_and(is_recent) || self.dead_letter_tasks.running() >= MAX_TASKS {
            return Ok(false);
        }
        let (settings, unserved) = (&self.params.settings, self.params.unserved);
        let expired = deliveries::claim_expired(connection, settings.max_age, BATCH, unserved, settings.lease()).await?;
        let is_more = i64::try_from(expired.len()).is_ok_and(|found| found == BATCH);
        self.none_expired_at = (!is_more).then_some(now);
        self.mark_expired_dead(expired);
        Ok(is_more)
    }

    /// Leaves them to the handlers of their kinds of receivers.
    pub(super) fn mark_expired_dead(&mut self, expired: Vec<LeasedDelivery>) {
        let mut by_kind: BTreeMap<String, Vec<DeadLetter>> = BTreeMap::new();
        for delivery in expired {
            tracing::warn!(
                delivery.id = %delivery.id,
                receiver.id = delivery.receiver.0,
                delivery.attempts,
                reason = DeadReason::Age.into_str(),
                "a delivery is given up"
            );
            let letters = by_kind.entry(delivery.kind.clone()).or_default();
            letters.push(DeadLetter { delivery: Arc::new(delivery), cause: DeadCause::Age });
        }
        for (kind, letters) in by_kind {
            self.mark_dead(&kind, letters);
        }
    }
}
