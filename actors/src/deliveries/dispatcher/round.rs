//! One round of the dispatcher: settle what ended ([`super::settle`]), look, claim, send.

use super::{LOOK_AGAIN, POLL, State};
use crate::deliveries::{
    Failure,
    outbox::{Done, Outbox},
    parcel::{self, parcel},
};
use crypto::{seal::Seal, webhook::Signer};
use domain::shared::{Fault, ReceiverId, delivery::Outcome};
use jiff::Timestamp;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};
use storage::{
    Connection,
    shared::{
        deliveries::{self, Leased},
        receivers,
    },
};
use tokio::{sync::OwnedSemaphorePermit, time::Instant};

/// From the name's resolution to the answer.
const BUDGET: Duration = Duration::from_secs(10);
/// What reading a piece of the answer may add.
const AT_MOST: Duration = Duration::from_secs(11);
/// After so long an attempt waits for its receiver, and its permit is of more use to others.
const SLOW_AFTER: Duration = Duration::from_secs(1);
/// How long a lease holds: an attempt, and writing down how it ended.
pub(super) const LEASE: Duration = Duration::from_secs(20);
/// What secrets of receivers are sealed for.
pub(crate) const SEALED_FOR: &str = "receiver";

/// The right to a probe that was taken.
struct Probe {
    receiver: ReceiverId,
    /// When it was due.
    before: Timestamp,
    /// Until when nobody else takes it.
    until: Timestamp,
}

/// The permits of an attempt. They come back when it ends, or waits.
type Permits = (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>);

impl State {
    /// Answers how long there is nothing to do, as far as is known.
    pub(super) async fn round(&mut self) -> storage::Result<Duration> {
        self.settle().await?;
        let now = self.params.clock.now();
        let connection = self.params.store.connection("deliveries.round").await?;
        if self.last_search.elapsed() >= POLL {
            self.lanes.search_again();
            (self.is_stale, self.last_search) = (true, Instant::now());
        }
        if self.is_stale && self.last_look.is_none_or(|last_look| last_look.elapsed() >= LOOK_AGAIN) {
            let found = deliveries::list_lanes(&connection, &self.lanes.searched()).await?;
            self.lanes.found(found);
            (self.is_stale, self.last_look) = (false, Some(Instant::now()));
        }
        self.measure();
        let plan = self.lanes.plan(now, self.fresh.available_permits(), self.fresh_unwell.available_permits());
        let probes = self.take_probes(&connection, &plan.probe, now).await?;
        let mut quotas = plan.send;
        quotas.extend(probes.iter().map(|probe| (probe.receiver, 1)));
        if !quotas.is_empty() {
            let leased = self.claimed(&connection, &quotas, now).await?;
            let had: BTreeSet<_> = leased.iter().map(|l| l.receiver).collect();
            for it in leased {
                self.send(it, now);
            }
            for probe in probes.iter().filter(|probe| !had.contains(&probe.receiver)) {
                self.give_back(&connection, probe).await?;
            }
        }
        if !plan.count.is_empty() {
            let counted = self.claimed(&connection, &plan.count, now).await?;
            let done: Vec<_> = counted.into_iter().map(|c| done(c, false, (Outcome::CircuitOpen, None, None), now, now)).collect();
            self.write(&connection, done).await?;
            // There may be more than was in memory for a moment, here or in lanes whose turn did not come.
            return Ok(super::LINGER);
        }
        Ok(self.idle_for(now))
    }

    /// Takes the right to a probe of each, unless another process has just taken it.
    async fn take_probes(
        &mut self,
        connection: &Connection,
        receivers: &[ReceiverId],
        now: Timestamp,
    ) -> storage::Result<Vec<Probe>> {
        let mut taken = Vec::new();
        for receiver in receivers.iter().copied() {
            let before = self.lanes.lane(receiver).circuit.probe_at.unwrap_or(now);
            let mut circuit = self.lanes.lane(receiver).circuit;
            circuit.probing(now);
            let until = circuit.probe_at.unwrap_or(now);
            if receivers::take_probe(connection, receiver, now, until).await? {
                self.lanes.lane(receiver).probe_at(until);
                taken.push(Probe { receiver, before, until });
            } else {
                // What the row says now is news.
                self.lanes.lane(receiver).due_at = None;
                self.is_stale = true;
            }
        }
        Ok(taken)
    }

    /// What was due there waits for something before it: the probe goes out when there is something to be sent.
    async fn give_back(&mut self, connection: &Connection, probe: &Probe) -> storage::Result<()> {
        if receivers::give_back_probe(connection, probe.receiver, probe.until, probe.before).await? > 0 {
            self.lanes.lane(probe.receiver).probe_at(probe.before);
        }
        Ok(())
    }

    /// Claims, and notes where less was to be had than was asked for.
    async fn claimed(
        &mut self,
        connection: &Connection,
        wanted: &[(ReceiverId, i64)],
        now: Timestamp,
    ) -> storage::Result<Vec<Leased>> {
        let quotas: Vec<_> = wanted.iter().map(|(receiver, count)| self.lanes.quota(*receiver, *count)).collect();
        let leased = deliveries::claim(connection, &quotas, LEASE, now).await?;
        self.observed.claims += quotas.len() as u64;
        let mut had: BTreeMap<ReceiverId, i64> = BTreeMap::new();
        for it in &leased {
            *had.entry(it.receiver).or_default() += 1;
        }
        for (receiver, count) in wanted {
            if had.get(receiver).copied().unwrap_or_default() < *count {
                self.lanes.lane(*receiver).exhausted(now);
                self.is_stale = true;
            }
        }
        Ok(leased)
    }

    /// Starts an attempt. It leaves its outcome in the outbox, whatever becomes of it.
    fn send(&mut self, leased: Leased, now: Timestamp) {
        let lane = self.lanes.lane(leased.receiver);
        let is_unwell = lane.is_unwell();
        lane.running += 1;
        self.observed.sent += 1;
        // The plan has counted them, and nobody else takes any.
        let permits = (self.fresh.clone().try_acquire_owned(), is_unwell.then(|| self.fresh_unwell.clone().try_acquire_owned()));
        let permits = permits.0.ok().map(|fresh| (fresh, permits.1.and_then(Result::ok)));
        let (courier, clock, outbox) = (self.params.courier.clone(), self.params.clock.clone(), self.outbox.clone());
        let signers = signers(&self.params.seal, &leased);
        let lost =
            Lost { done: Some(done(leased.clone(), true, (Outcome::Unreachable, None, None), now, now)), outbox: outbox.clone() };
        let (slow, receiver, id) = (self.outbox.clone(), leased.receiver, leased.id);
        self.params.runtime.tasks().spawn("deliveries.send", async move {
            let answer = match signers {
                Ok(signers) => {
                    let sending = courier.send(parcel(&leased, &signers, now), Instant::now() + BUDGET);
                    in_time(sending, permits, move || slow.slow(receiver, id)).await
                }
                Err(fault) => {
                    tracing::error!(delivery.id = %leased.id, cause = fault.cause.as_deref(), "a delivery cannot be signed");
                    Err(Failure::Unreachable)
                }
            };
            let ended_at = clock.now();
            lost.found(done(leased, true, parcel::read(answer, ended_at), now, ended_at));
        });
    }

    /// Counts what waits: of a long backlog that takes a while, which nobody waits for.
    fn measure(&mut self) {
        let (store, metrics, clock) = (&self.params.store, &self.params.metrics, &self.params.clock);
        self.count.start(self.params.runtime.tasks(), "deliveries.count", || {
            let (store, metrics, clock) = (store.clone(), metrics.clone(), clock.clone());
            async move {
                let counted = async { deliveries::backlog(&store.connection("deliveries.backlog").await?).await };
                match counted.await {
                    Ok(backlog) => metrics.waiting(&backlog, clock.now()),
                    Err(error) => tracing::warn!(%error, "waiting deliveries cannot be counted"),
                }
            }
        });
    }

    fn idle_for(&self, now: Timestamp) -> Duration {
        let due = self.lanes.next_due(now).and_then(|at| Duration::try_from(at.duration_since(now)).ok());
        let look = if self.is_stale { LOOK_AGAIN } else { POLL };
        due.map_or(look, |due| due.max(super::LINGER).min(look))
    }
}

/// Sends within the budget. An attempt that turns out to be slow gives its permits back, and says so.
async fn in_time<T>(
    sending: impl Future<Output = Result<T, Failure>>,
    permits: Option<Permits>,
    gave_back: impl FnOnce(),
) -> Result<T, Failure> {
    let sending = async move {
        let mut sending = std::pin::pin!(sending);
        if let Ok(answer) = tokio::time::timeout(SLOW_AFTER, &mut sending).await {
            return answer;
        }
        drop(permits);
        gave_back();
        sending.await
    };
    tokio::time::timeout(AT_MOST, sending).await.unwrap_or(Err(Failure::TimedOut))
}

fn signers(seal: &Seal, leased: &Leased) -> Result<Vec<Signer>, Fault> {
    leased.secrets.iter().map(|sealed| Ok(Signer::new(&seal.open(SEALED_FOR, sealed)?))).collect()
}

fn done(
    it: Leased,
    was_sent: bool,
    (outcome, status, answer): (Outcome, Option<u16>, Option<String>),
    started_at: Timestamp,
    ended_at: Timestamp,
) -> Done {
    let Leased { token, receiver, kind, url, key, event, id, failures, attempts, replayed, due_at, .. } = it;
    Done {
        token,
        receiver,
        was_sent,
        kind,
        key,
        event,
        id,
        url,
        outcome,
        status,
        answer,
        failures,
        attempts,
        replayed,
        due_at,
        started_at,
        ended_at,
    }
}

/// An attempt that ends without a word, by a panic, is a failed one.
struct Lost {
    done: Option<Done>,
    outbox: Arc<Outbox>,
}

impl Lost {
    fn found(mut self, done: Done) {
        self.done = Some(done);
    }
}

impl Drop for Lost {
    fn drop(&mut self) {
        if let Some(done) = self.done.take() {
            self.outbox.push(done);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Failure, in_time};
    use std::{sync::Arc, time::Duration};
    use tokio::{
        sync::Semaphore,
        time::{Instant, sleep},
    };

    async fn answer_after(millis: u64) -> Result<(), Failure> {
        sleep(Duration::from_millis(millis)).await;
        Ok(())
    }

    /// F21: an answer that begins just in time counts, and nobody waits for one that does not.
    #[tokio::test(start_paused = true)]
    async fn an_attempt_ends_in_time_whatever_the_receiver_does() {
        assert_eq!(in_time(answer_after(9_900), None, || {}).await, Ok(()));
        let began = Instant::now();
        assert_eq!(in_time(std::future::pending::<Result<(), _>>(), None, || {}).await, Err(Failure::TimedOut));
        assert!(began.elapsed() <= Duration::from_secs(11));
    }

    #[tokio::test(start_paused = true)]
    async fn an_attempt_that_waits_gives_its_permits_back() {
        let permits = Arc::new(Semaphore::new(1));
        let held = || permits.clone().try_acquire_owned().ok().map(|t| (t, None));
        let at_the_ring = std::cell::Cell::new(0);
        in_time(answer_after(5_000), held(), || at_the_ring.set(permits.available_permits())).await.unwrap();
        assert_eq!(at_the_ring.get(), 1);
        in_time(answer_after(500), held(), || panic!("it was quick")).await.unwrap();
    }
}
