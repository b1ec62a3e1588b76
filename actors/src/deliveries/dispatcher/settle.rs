//! Writing down how attempts ended: arrived, due again, or dead.

use super::State;
use crate::deliveries::{
    outbox::{Done, News},
    undertaker::Dead,
};
use domain::shared::delivery::{Next, Outcome, next};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use storage::{
    Connection,
    shared::{
        deliveries::{self, Record},
        receivers,
    },
};

/// For how long something that cannot be written is put off, where nothing else says when it is due again.
const PUT_OFF: SignedDuration = SignedDuration::from_hours(1);

impl State {
    /// Takes in what the tasks have left, and writes it.
    pub(in super::super) async fn settle(&mut self) -> storage::Result<()> {
        let News { slow, done, buried } = self.outbox.take();
        let now = self.params.clock.now();
        for (receiver, id) in slow {
            self.lanes.lane(receiver).slow(id);
        }
        for receiver in buried {
            self.lanes.lane(receiver).made_way(now);
        }
        if done.is_empty() {
            return Ok(());
        }
        for it in done.iter().filter(|d| d.was_sent) {
            let lane = self.lanes.lane(it.receiver);
            lane.ended(it.id);
            if it.outcome == Outcome::Delivered { lane.circuit.succeeded(now) } else { lane.circuit.failed(now) }
        }
        // From here on they are counted down; what cannot be written is tried again for as long as its lease holds.
        let done: Vec<_> = done.into_iter().map(|d| Done { was_sent: false, ..d }).collect();
        let connection = match self.params.store.connection("deliveries.settle").await {
            Ok(connection) => connection,
            Err(error) => {
                self.outbox.put_back(done);
                return Err(error);
            }
        };
        self.write(&connection, done).await?;
        let learned = self.lanes.unsaved();
        if !learned.is_empty() {
            let saved = receivers::save_circuits(&connection, &learned).await?;
            for it in &learned {
                if saved.contains(&it.receiver) {
                    self.lanes.saved(it);
                } else {
                    // Somebody else has written: what the row says now is news.
                    self.is_stale = true;
                }
            }
        }
        Ok(())
    }

    /// Writes outcomes. What cannot be written just now is kept for the next time.
    pub(super) async fn write(&mut self, connection: &Connection, all: Vec<Done>) -> storage::Result<()> {
        match self.write_together(connection, &all).await {
            Err(error) if error.is_transient() => {
                self.outbox.put_back(all);
                Err(error)
            }
            Err(_) => self.write_one_by_one(connection, all).await,
            Ok(()) => Ok(()),
        }
    }

    /// All of them or none.
    async fn write_together(&mut self, connection: &Connection, all: &[Done]) -> storage::Result<()> {
        let mut records = Vec::with_capacity(all.len());
        let mut dead: BTreeMap<String, Vec<Dead>> = BTreeMap::new();
        let mut due = Vec::with_capacity(all.len());
        for it in all {
            let decided = next(it.outcome, it.failures, &self.params.schedule, self.params.runtime.roll(), it.ended_at);
            let again_at = if let Next::Again(at) = decided { Some(at) } else { None };
            due.push((it.receiver, decided));
            let record = Record {
                token: it.token,
                number: it.attempts.saturating_add(1),
                result: it.outcome.name(),
                status: it.status,
                answer: it.answer.clone(),
                replayed: it.replayed,
                started_at: it.started_at,
                took_ms: i32::try_from(it.ended_at.duration_since(it.started_at).as_millis()).unwrap_or(i32::MAX).max(0),
                again_at,
            };
            if decided == Next::Dead {
                let (receiver, id, is_gone) = (it.receiver, it.id, it.outcome == Outcome::Gone);
                let (url, event, key) = (it.url.clone(), it.event.clone(), it.key.clone());
                dead.entry(it.kind.clone()).or_default().push(Dead { record, receiver, url, is_gone, id, event, key });
            } else {
                records.push(record);
            }
        }
        if !records.is_empty() {
            let written = deliveries::record(connection, &records).await?;
            self.observed.recorded += written;
            self.observed.lost += (records.len() as u64).saturating_sub(written);
        }
        for it in all {
            self.params.metrics.attempted(it.outcome);
            if it.outcome == Outcome::Delivered {
                self.params.metrics.arrived(it.due_at, it.ended_at);
            }
        }
        let now = self.params.clock.now();
        for (receiver, decided) in due {
            let lane = self.lanes.lane(receiver);
            match decided {
                Next::Delivered => lane.made_way(now),
                Next::Again(at) => lane.due(at),
                // What comes after it can be had once it is buried.
                Next::Dead => {}
            }
        }
        for (kind, dead) in dead {
            self.bury(&kind, dead);
        }
        Ok(())
    }

    /// One of them is refused, for a reason that no rule of ours foresaw: it is put off, and the others are written.
    async fn write_one_by_one(&mut self, connection: &Connection, all: Vec<Done>) -> storage::Result<()> {
        let mut rest = all.into_iter();
        while let Some(it) = rest.next() {
            match self.write_together(connection, std::slice::from_ref(&it)).await {
                Ok(()) => {}
                Err(error) if error.is_transient() => {
                    self.outbox.put_back(std::iter::once(it).chain(rest));
                    return Err(error);
                }
                Err(error) => {
                    self.observed.failures += 1;
                    tracing::error!(%error, delivery.id = %it.id, "the outcome of an attempt cannot be written: the delivery is put off");
                    if let Err(error) = deliveries::put_off(connection, it.token, put_off_until(self.params.clock.now())).await {
                        self.outbox.put_back(std::iter::once(it).chain(rest));
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }
}

pub(super) fn put_off_until(now: Timestamp) -> Timestamp {
    now.checked_add(PUT_OFF).unwrap_or(Timestamp::MAX)
}
