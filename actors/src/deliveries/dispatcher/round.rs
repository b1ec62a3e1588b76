//! One round of the dispatcher: record what ended ([`super::outcomes`]), refresh the scheduler, claim, send
//! ([`super::attempt`]).

use super::{Dispatcher, LINGER, POLL_INTERVAL, REFRESH_INTERVAL, outcomes::DEFER_FOR};
use domain::shared::{ReceiverId, delivery::is_too_old};
use jiff::Timestamp;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};
use storage::{
    Connection,
    shared::deliveries::{self, ClaimOrder, LeasedDelivery},
};
use tokio::time::Instant;

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
        self.save_breakers(&connection).await?;
        let now = self.time.now();
        self.start_count();
        let is_more_expired = self.give_up_expired(&connection, now).await?;
        let plan = self.scheduler.plan(now);
        if !plan.send.is_empty() {
            let claimed = self.claim(&connection, &plan.send, ClaimOrder::Due, now).await?;
            self.send_all(claimed);
        }
        if !plan.probe.is_empty() {
            self.send_probes(&connection, &plan.probe, now).await?;
        }
        if is_more_expired {
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
            self.scheduler.refresh(due.receivers, self.time.now());
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

    /// Claims deliveries, and notes the receivers at which less was to be had than was asked for. When the
    /// process was told to stop meanwhile it has none: another one, or the next start, attempts them.
    pub(super) async fn claim(
        &mut self,
        connection: &Connection,
        wanted: &[(ReceiverId, i64)],
        order: ClaimOrder,
        now: Timestamp,
    ) -> storage::Result<Vec<LeasedDelivery>> {
        let quotas: Vec<_> = wanted.iter().map(|(receiver, count)| self.scheduler.quota(*receiver, *count)).collect();
        let leased = deliveries::claim(connection, &quotas, order, self.params.settings.lease()).await?;
        self.observed.claims += quotas.len() as u64;
        if self.params.runtime.is_shutting_down() {
            deliveries::release(connection, &leased.iter().map(|delivery| delivery.lease).collect::<Vec<_>>()).await?;
            return Ok(Vec::new());
        }
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

    /// Sends what was claimed, and gives up what is too old. Returns the receivers to which something is
    /// sent.
    pub(super) fn send_all(&mut self, claimed: Vec<LeasedDelivery>) -> BTreeSet<ReceiverId> {
        let max_age = self.params.settings.max_age;
        let (expired, fresh): (Vec<_>, Vec<_>) = claimed.into_iter().partition(|delivery| is_too_old(delivery.age, max_age));
        self.mark_expired_dead(expired);
        let served = fresh.iter().map(|delivery| delivery.receiver).collect();
        for delivery in fresh {
            self.send(delivery);
        }
        served
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
