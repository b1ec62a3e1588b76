//! Recording how attempts ended: delivered, due again, or dead.

use super::Dispatcher;
use crate::deliveries::completions::{Completed, Hints};
use domain::shared::delivery::{AttemptOutcome, Next, next_attempt};
use jiff::Timestamp;
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use storage::{
    Connection,
    shared::{
        deliveries::{self, AttemptRecord, DeadCause, DeadLetter, LeasedDelivery},
        receivers,
    },
};

/// For how long a delivery is deferred whose outcome cannot be written for a reason that is no rule of ours.
pub(super) const DEFER_FOR: Duration = Duration::from_hours(1);

impl Dispatcher {
    /// Records what the tasks have left in the completion queue. What cannot be recorded just now stays there
    /// for the next round.
    pub(super) async fn record_outcomes(&mut self) -> storage::Result<()> {
        self.take_hints();
        let ended = self.completions.unrecorded();
        if ended.is_empty() {
            return Ok(());
        }
        self.count_ended(&ended);
        let connection = self.params.store.connection("deliveries.record").await?;
        self.record(&connection, &ended).await?;
        self.save_breakers(&connection).await
    }

    fn take_hints(&mut self) {
        let Hints { slow, marked_dead } = self.completions.take_hints();
        let now = self.time.now();
        for (receiver, id) in slow {
            self.scheduler.attempt_is_slow(receiver, id);
        }
        for receiver in marked_dead {
            self.scheduler.receiver(receiver).unblock(now);
        }
    }

    /// Has the scheduler count each attempt that has ended, once.
    fn count_ended(&mut self, ended: &[Arc<Completed>]) {
        let now = self.time.now();
        for completed in ended.iter().skip(self.counted) {
            let LeasedDelivery { receiver, id, .. } = *completed.delivery;
            self.scheduler.attempt_ended(receiver, id);
            let breaker = &mut self.scheduler.receiver(receiver).breaker;
            match completed.result.outcome {
                // A receiver that refuses a delivery is well.
                AttemptOutcome::Delivered | AttemptOutcome::Refused => breaker.succeeded(now),
                AttemptOutcome::Cancelled => {}
                _ => breaker.failed(now),
            }
            self.in_flight.remove(id);
        }
        self.counted = ended.len();
    }

    /// Cuts off the attempts whose delivery was cancelled meanwhile.
    pub(super) async fn abort_cancelled(&mut self, connection: &Connection) -> storage::Result<()> {
        let leases = self.in_flight.leases();
        if leases.is_empty() {
            return Ok(());
        }
        let cancelled = deliveries::list_cancelled(connection, &leases).await?;
        self.in_flight.abort(&cancelled);
        Ok(())
    }

    /// Writes circuit breakers that have changed to their rows.
    pub(super) async fn save_breakers(&mut self, connection: &Connection) -> storage::Result<()> {
        let dirty = self.scheduler.dirty_breakers();
        if dirty.is_empty() {
            return Ok(());
        }
        let saved = receivers::save_breakers(connection, &dirty).await?;
        for update in &dirty {
            if saved.contains(&update.receiver) {
                self.scheduler.breaker_saved(update);
            } else {
                // Another process has changed the row, so it is read again.
                self.is_stale = true;
            }
        }
        Ok(())
    }

    /// Records outcomes, the first of those in the queue.
    async fn record(&mut self, connection: &Connection, all: &[Arc<Completed>]) -> storage::Result<()> {
        match self.record_together(connection, all).await {
            Err(error) if !error.is_transient() => self.record_one_by_one(connection, all).await,
            recorded => recorded,
        }
    }

    /// All of them in one statement, or none.
    async fn record_together(&mut self, connection: &Connection, all: &[Arc<Completed>]) -> storage::Result<()> {
        let mut records = Vec::with_capacity(all.len());
        let mut dead: BTreeMap<&str, Vec<DeadLetter>> = BTreeMap::new();
        let mut decisions = Vec::with_capacity(all.len());
        for completed in all {
            let (decision, record) = self.decide(completed);
            decisions.push(decision);
            if let Next::Dead(reason) = decision {
                let letter = DeadLetter { delivery: completed.delivery.clone(), cause: DeadCause::Attempt(record, reason) };
                dead.entry(&completed.delivery.kind).or_default().push(letter);
            } else {
                records.push(record);
            }
        }
        if !records.is_empty() {
            let written = deliveries::record_attempts(connection, &records).await?;
            self.observed.recorded += written;
            self.observed.lost += (records.len() as u64).saturating_sub(written);
        }
        let now = self.time.now();
        for (completed, decision) in all.iter().zip(decisions) {
            self.recorded(completed, decision, now);
        }
        for (kind, letters) in dead {
            self.mark_dead(kind, letters);
        }
        self.leave_queue(all.len());
        Ok(())
    }

    /// The first outcomes of the queue are where they belong.
    fn leave_queue(&mut self, count: usize) {
        self.completions.recorded(count);
        self.counted = self.counted.saturating_sub(count);
    }

    /// What follows from an outcome, and the row of the attempt.
    fn decide(&self, completed: &Completed) -> (Next, AttemptRecord) {
        let Completed { delivery, result, started_at, took, .. } = completed;
        let runtime = &self.params.runtime;
        let decision = next_attempt(result.outcome, delivery.failures, &self.params.settings.schedule, runtime.jitter_seed());
        let record = AttemptRecord {
            lease: delivery.lease,
            number: delivery.attempts.saturating_add(1),
            result: result.outcome.into_str(),
            status: result.status,
            answer: result.answer.clone(),
            replayed: delivery.replayed,
            started_at: *started_at,
            took_ms: i32::try_from(took.as_millis()).unwrap_or(i32::MAX),
            due_again_after: if let Next::Again(wait) = decision { Some(wait) } else { None },
        };
        (decision, record)
    }

    /// An outcome is in its row, or on its way to the owner.
    fn recorded(&mut self, completed: &Completed, decision: Next, now: Timestamp) {
        self.params.metrics.attempt_ended(completed.result.outcome);
        self.protocol(&completed.delivery.kind).count(decision);
        if completed.result.outcome == AttemptOutcome::Delivered {
            let arrived_at = now.checked_sub(completed.ended.elapsed()).unwrap_or(now);
            self.params.metrics.delivered(completed.delivery.due_at, arrived_at);
        }
        let receiver = self.scheduler.receiver(completed.delivery.receiver);
        match decision {
            Next::Delivered => receiver.unblock(now),
            Next::Again(wait) => {
                receiver.add_due(now.checked_add(wait).unwrap_or(now));
                // The row was written a moment later than this clock was read, so its time is the later one.
                self.is_stale = true;
            }
            // The next delivery of the key can be claimed once this one is marked dead.
            Next::Dead(_) => {}
        }
    }

    /// The database refuses one of them for a reason that is no rule of ours: that one is deferred, and the
    /// others are recorded.
    async fn record_one_by_one(&mut self, connection: &Connection, all: &[Arc<Completed>]) -> storage::Result<()> {
        for completed in all {
            match self.record_together(connection, std::slice::from_ref(completed)).await {
                Err(error) if !error.is_transient() => {
                    self.observed.failures += 1;
                    let id = completed.delivery.id;
                    tracing::error!(%error, delivery.id = %id, "the outcome of an attempt cannot be written: the delivery is put off");
                    deliveries::defer(connection, completed.delivery.lease, DEFER_FOR).await?;
                    self.leave_queue(1);
                }
                recorded => recorded?,
            }
        }
        Ok(())
    }
}
