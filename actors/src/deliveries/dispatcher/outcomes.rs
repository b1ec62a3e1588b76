//! Recording how attempts ended: delivered, due again, or dead.

use super::Dispatcher;
use crate::deliveries::completions::{Completed, Completions};
use domain::shared::delivery::{AttemptOutcome, Next, next_attempt};
use jiff::Timestamp;
use std::{collections::BTreeMap, time::Duration};
use storage::{
    Connection,
    shared::{
        deliveries::{self, AttemptRecord, DeadCause, DeadLetter},
        receivers,
    },
};

/// For how long a delivery is deferred whose outcome cannot be written for a reason that is no rule of ours.
pub(super) const DEFER_FOR: Duration = Duration::from_hours(1);

impl Dispatcher {
    /// Takes what the tasks have left in the completion queue, and records it.
    pub(super) async fn record_outcomes(&mut self) -> storage::Result<()> {
        let Completions { slow, mut ended, marked_dead } = self.completions.take();
        let now = self.time.now();
        for (receiver, id) in slow {
            self.scheduler.attempt_is_slow(receiver, id);
        }
        for receiver in marked_dead {
            self.scheduler.receiver(receiver).unblock(now);
        }
        if ended.is_empty() {
            return Ok(());
        }
        for completed in ended.iter_mut().filter(|completed| completed.is_running) {
            self.scheduler.attempt_ended(completed.delivery.receiver, completed.delivery.id);
            let receiver = self.scheduler.receiver(completed.delivery.receiver);
            match completed.result.outcome {
                // A receiver that refuses a delivery is well.
                AttemptOutcome::Delivered | AttemptOutcome::Refused => receiver.breaker.succeeded(now),
                AttemptOutcome::Cancelled => {}
                _ => receiver.breaker.failed(now),
            }
            self.in_flight.remove(completed.delivery.id);
            // The scheduler has counted it. If it cannot be recorded now, it is put back and must not be
            // counted twice.
            completed.is_running = false;
        }
        let connection = match self.params.store.connection("deliveries.record").await {
            Ok(connection) => connection,
            Err(error) => {
                self.completions.put_back(ended);
                return Err(error);
            }
        };
        self.record(&connection, ended).await?;
        self.save_breakers(&connection).await
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

    /// Records outcomes. What cannot be written just now is kept for the next round, for as long as its lease
    /// holds.
    async fn record(&mut self, connection: &Connection, all: Vec<Completed>) -> storage::Result<()> {
        match self.record_together(connection, &all).await {
            Err(error) if error.is_transient() => {
                self.completions.put_back(all);
                Err(error)
            }
            Err(_) => self.record_one_by_one(connection, all).await,
            Ok(()) => Ok(()),
        }
    }

    /// All of them in one statement, or none.
    async fn record_together(&mut self, connection: &Connection, all: &[Completed]) -> storage::Result<()> {
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
        Ok(())
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
    async fn record_one_by_one(&mut self, connection: &Connection, all: Vec<Completed>) -> storage::Result<()> {
        let mut rest = all.into_iter();
        while let Some(completed) = rest.next() {
            let Err(error) = self.record_together(connection, std::slice::from_ref(&completed)).await else { continue };
            let failure = if error.is_transient() {
                Some(error)
            } else {
                self.observed.failures += 1;
                let id = completed.delivery.id;
                tracing::error!(%error, delivery.id = %id, "the outcome of an attempt cannot be written: the delivery is put off");
                deliveries::defer(connection, completed.delivery.lease, DEFER_FOR).await.err()
            };
            if let Some(error) = failure {
                self.completions.put_back(std::iter::once(completed).chain(rest));
                return Err(error);
            }
        }
        Ok(())
    }
}
