//! One round of the dispatcher: record what ended ([`super::outcomes`]), refresh the scheduler, claim, send ([`super::attempt`]).

use super::{Dispatcher, LINGER, POLL_INTERVAL, REFRESH_INTERVAL, outcomes::DEFER_FOR};
use crate::deliveries::{completions::Completed, request::AttemptResult};
use domain::shared::{ReceiverId, delivery::Outcome};
use jiff::Timestamp;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};
use storage::{
    Connection,
    shared::{
        deliveries::{self, LeasedDelivery},
        receivers,
    },
};
use tokio::time::Instant;

/// The right to send a probe, which one process has at a time.
struct Probe {
    receiver: ReceiverId,
    /// When it was due.
    due_at: Timestamp,
    /// Until when no other process acquires it.
    held_until: Timestamp,
}

impl Dispatcher {
    /// Returns for how long there is nothing to do, as far as is known.
    pub(super) async fn round(&mut self) -> storage::Result<Duration> {
        self.record_outcomes().await?;
        let connection = self.params.store.connection("deliveries.round").await?;
        // The notification may be lost, so it is looked for with every full scan too.
        if self.params.cancelled.take() || self.last_full_scan.elapsed() >= POLL_INTERVAL {
            self.abort_cancelled(&connection).await?;
        }
        self.refresh_scheduler(&connection).await?;
        let now = self.time.now();
        self.start_count();
        let plan = self.scheduler.plan(now);
        let probes = self.acquire_probes(&connection, &plan.probe, now).await?;
        let mut quotas = plan.send;
        quotas.extend(probes.iter().map(|probe| (probe.receiver, 1)));
        if !quotas.is_empty() {
            let leased = self.claim(&connection, &quotas, now).await?;
            let served: BTreeSet<_> = leased.iter().map(|delivery| delivery.receiver).collect();
            for delivery in leased {
                self.send(delivery);
            }
            for probe in probes.iter().filter(|probe| !served.contains(&probe.receiver)) {
                self.release_probe(&connection, probe).await?;
            }
        }
        if !plan.fail_fast.is_empty() {
            let leased = self.claim(&connection, &plan.fail_fast, now).await?;
            self.fail_fast(&connection, leased).await?;
            // There may be more than this portion, at these receivers or at those whose turn did not come.
            return Ok(LINGER);
        }
        Ok(self.idle_for(now))
    }

    /// Asks the database what is due, if the scheduler may not know it and was not refreshed a moment ago.
    async fn refresh_scheduler(&mut self, connection: &Connection) -> storage::Result<()> {
        if self.last_full_scan.elapsed() >= POLL_INTERVAL {
            self.scheduler.reset_scans();
            (self.is_stale, self.last_full_scan) = (true, Instant::now());
        }
        if self.is_stale && self.last_refresh.is_none_or(|at| at.elapsed() >= REFRESH_INTERVAL) {
            let mut due = deliveries::list_due_receivers(connection, &self.scheduler.scan_marks(), self.params.unserved).await?;
            self.may_be_ahead |= self.time.update(due.now);
            if self.may_be_ahead && self.draw_back(connection).await? > 0 {
                self.scheduler.reset_scans();
                due = deliveries::list_due_receivers(connection, &[], self.params.unserved).await?;
            }
            self.scheduler.refresh(due.receivers);
            (self.is_stale, self.last_refresh) = (false, Some(Instant::now()));
        }
        Ok(())
    }

    /// Puts right what was written before the clock of the database went back.
    async fn draw_back(&mut self, connection: &Connection) -> storage::Result<u64> {
        let longest_wait = self.params.settings.schedule.longest_wait().max(DEFER_FOR);
        let drawn_back = deliveries::draw_back(connection, longest_wait, self.params.settings.lease()).await?;
        self.may_be_ahead = false;
        if drawn_back > 0 {
            tracing::warn!(
                deliveries = drawn_back,
                "the clock of the database went back: deliveries that were due too far ahead are due now"
            );
        }
        Ok(drawn_back)
    }

    /// Acquires the probe of each receiver, unless another process has just acquired it.
    async fn acquire_probes(
        &mut self,
        connection: &Connection,
        receivers: &[ReceiverId],
        now: Timestamp,
    ) -> storage::Result<Vec<Probe>> {
        let mut acquired = Vec::new();
        for receiver in receivers.iter().copied() {
            let mut circuit = self.scheduler.receiver(receiver).circuit;
            let due_at = circuit.probe_at.unwrap_or(now);
            circuit.probe_sent(now);
            let held_until = circuit.probe_at.unwrap_or(now);
            if receivers::acquire_probe(connection, receiver, now, held_until).await? {
                self.scheduler.receiver(receiver).set_stored_probe_at(held_until);
                acquired.push(Probe { receiver, due_at, held_until });
            } else {
                // The row has changed, so it is read again.
                self.scheduler.receiver(receiver).due_at = None;
                self.is_stale = true;
            }
        }
        Ok(acquired)
    }

    /// What is due there waits for an earlier delivery of its key: the probe is kept for when there is something to send.
    async fn release_probe(&mut self, connection: &Connection, probe: &Probe) -> storage::Result<()> {
        if receivers::release_probe(connection, probe.receiver, probe.held_until, probe.due_at).await? {
            self.scheduler.receiver(probe.receiver).set_stored_probe_at(probe.due_at);
        }
        Ok(())
    }

    /// Claims deliveries, and notes the receivers at which less was to be had than was asked for.
    async fn claim(
        &mut self,
        connection: &Connection,
        wanted: &[(ReceiverId, i64)],
        now: Timestamp,
    ) -> storage::Result<Vec<LeasedDelivery>> {
        let quotas: Vec<_> = wanted.iter().map(|(receiver, count)| self.scheduler.quota(*receiver, *count)).collect();
        let leased = deliveries::claim(connection, &quotas, self.params.settings.lease()).await?;
        self.observed.claims += quotas.len() as u64;
        let mut claimed: BTreeMap<ReceiverId, i64> = BTreeMap::new();
        for delivery in &leased {
            *claimed.entry(delivery.receiver).or_default() += 1;
        }
        for (receiver, count) in wanted {
            if claimed.get(receiver).copied().unwrap_or_default() < *count {
                self.scheduler.receiver(*receiver).set_exhausted(now);
                self.is_stale = true;
            }
        }
        Ok(leased)
    }

    /// Fails deliveries behind an open circuit without sending them.
    async fn fail_fast(&mut self, connection: &Connection, leased: Vec<LeasedDelivery>) -> storage::Result<()> {
        let now = self.params.clock.now();
        let failed = |delivery: LeasedDelivery| Completed {
            delivery: Arc::new(delivery),
            was_sent: false,
            result: AttemptResult::without_response(Outcome::CircuitOpen),
            started_at: now,
            took: Duration::ZERO,
            ended: Instant::now(),
        };
        self.record(connection, leased.into_iter().map(failed).collect()).await
    }

    /// Counts the backlog in a task: for a long one that takes a while, and the dispatcher goes on.
    fn start_count(&mut self) {
        let (store, metrics, clock) = (&self.params.store, &self.params.metrics, &self.params.clock);
        self.count_backlog.start(self.params.runtime.tasks(), "deliveries.count", || {
            let (store, metrics, clock) = (store.clone(), metrics.clone(), clock.clone());
            async move {
                let counted = async { deliveries::count_backlog(&store.connection("deliveries.backlog").await?).await };
                match counted.await {
                    Ok(backlog) => metrics.set_backlog(&backlog, clock.now()),
                    Err(error) => tracing::warn!(%error, "waiting deliveries cannot be counted"),
                }
            }
        });
    }

    fn idle_for(&self, now: Timestamp) -> Duration {
        let due_in = self.scheduler.next_due(now).and_then(|at| Duration::try_from(at.duration_since(now)).ok());
        let longest = if self.is_stale { REFRESH_INTERVAL } else { POLL_INTERVAL };
        due_in.map_or(longest, |wait| wait.max(LINGER).min(longest))
    }
}
