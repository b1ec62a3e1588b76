//! One round of the dispatcher: settle what ended, look, claim, send.

use super::{COUNT, LOOK_AGAIN, POLL, State};
use crate::deliveries::{
    Failure,
    outbox::{Done, Outbox},
    parcel::{self, parcel},
    undertaker::Dead,
};
use crypto::{seal::Seal, webhook::Signer};
use domain::shared::{
    Fault, ReceiverId,
    delivery::{Next, Outcome, Turn, next},
};
use jiff::Timestamp;
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use storage::{
    Session,
    shared::{
        deliveries::{self, Leased, Record},
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
const LEASE: Duration = Duration::from_secs(20);
/// What secrets of receivers are sealed for.
pub(crate) const SEALED_FOR: &str = "receiver";

/// The permits of an attempt. They come back when it ends, or waits.
type Permits = (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>);

impl State {
    /// Answers how long there is nothing to do, as far as is known.
    pub(super) async fn round(&mut self) -> storage::Result<Duration> {
        self.settle().await?;
        let now = self.params.clock.now();
        let session = self.params.store.read("deliveries.round").await?;
        if self.is_stale && self.last_look.is_none_or(|it| it.elapsed() >= LOOK_AGAIN) {
            self.lanes.found(deliveries::list_lanes(&session).await?);
            (self.is_stale, self.last_look) = (false, Some(Instant::now()));
        }
        self.measure(&session, now).await?;
        let plan = self.lanes.plan(now, self.fresh.available_permits(), self.fresh_unwell.available_permits());
        let mut quotas = plan.send;
        for receiver in plan.probe {
            let mut circuit = self.lanes.lane(receiver).circuit;
            circuit.probing(now);
            let next_at = circuit.probe_at.unwrap_or(now);
            if receivers::take_probe(&session, receiver, now, next_at).await? {
                let lane = self.lanes.lane(receiver);
                (lane.circuit.probe_at, lane.stored.probe_at) = (Some(next_at), Some(next_at));
                quotas.push((receiver, 1));
            } else {
                // Somebody else has taken it: what the row says now is news.
                self.lanes.lane(receiver).due_at = None;
                self.is_stale = true;
            }
        }
        if !quotas.is_empty() {
            for leased in self.claimed(&session, &quotas, now).await? {
                self.send(leased, now);
            }
        }
        if !plan.count.is_empty() {
            let counted = self.claimed(&session, &plan.count, now).await?;
            let done: Vec<_> =
                counted.into_iter().map(|it| done(it, false, (Outcome::CircuitOpen, None, None), now, now)).collect();
            self.write(&session, done).await?;
        }
        Ok(self.idle_for(now))
    }

    /// Claims, and notes where less was to be had than was asked for.
    async fn claimed(&mut self, session: &Session, quotas: &[(ReceiverId, i64)], now: Timestamp) -> storage::Result<Vec<Leased>> {
        let leased = deliveries::claim(session, quotas, LEASE, now).await?;
        let mut had: BTreeMap<ReceiverId, i64> = BTreeMap::new();
        for it in &leased {
            *had.entry(it.receiver).or_default() += 1;
        }
        for (receiver, quota) in quotas {
            if had.get(receiver).copied().unwrap_or_default() < *quota {
                self.lanes.lane(*receiver).due_at = None;
                self.is_stale = true;
            }
        }
        Ok(leased)
    }

    /// Starts an attempt. It leaves its outcome in the outbox, whatever becomes of it.
    fn send(&mut self, leased: Leased, now: Timestamp) {
        let lane = self.lanes.lane(leased.receiver);
        let is_unwell = lane.circuit.turn(now) != Turn::Lane;
        lane.running += 1;
        self.observed.sent += 1;
        // The plan has counted them, and nobody else takes any.
        let permits = (self.fresh.clone().try_acquire_owned(), is_unwell.then(|| self.fresh_unwell.clone().try_acquire_owned()));
        let permits = permits.0.ok().map(|fresh| (fresh, permits.1.and_then(Result::ok)));
        let (courier, clock, outbox) = (self.params.courier.clone(), self.params.clock.clone(), self.outbox.clone());
        let signers = signers(&self.params.seal, &leased);
        let lost =
            Lost { done: Some(done(leased.clone(), true, (Outcome::Unreachable, None, None), now, now)), outbox: outbox.clone() };
        let bell = self.bell.clone();
        self.params.runtime.tasks().spawn("deliveries.send", async move {
            let answer = match signers {
                Ok(signers) => {
                    let sending = courier.send(parcel(&leased, &signers, now), Instant::now() + BUDGET);
                    in_time(sending, permits, move || bell.ring()).await
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

    /// Writes down what ended: arrived, due again, or dead.
    pub(super) async fn settle(&mut self) -> storage::Result<()> {
        let done = self.outbox.take();
        if done.is_empty() {
            return Ok(());
        }
        let now = self.params.clock.now();
        for it in done.iter().filter(|it| it.was_sent) {
            let lane = self.lanes.lane(it.receiver);
            lane.running = lane.running.saturating_sub(1);
            if it.outcome == Outcome::Delivered { lane.circuit.succeeded(now) } else { lane.circuit.failed(now) }
        }
        // From here on they are counted down; what cannot be written is tried again for as long as its lease holds.
        let done: Vec<_> = done.into_iter().map(|it| Done { was_sent: false, ..it }).collect();
        let session = match self.params.store.read("deliveries.settle").await {
            Ok(session) => session,
            Err(error) => {
                self.outbox.put_back(done);
                return Err(error);
            }
        };
        if let Err(error) = self.write(&session, done.clone()).await {
            self.outbox.put_back(done);
            return Err(error);
        }
        let circuits = self.lanes.unsaved();
        if !circuits.is_empty() {
            receivers::save_circuits(&session, &circuits).await?;
        }
        Ok(())
    }

    async fn write(&mut self, session: &Session, all: Vec<Done>) -> storage::Result<()> {
        let mut records = Vec::with_capacity(all.len());
        let mut dead: BTreeMap<String, Vec<Dead>> = BTreeMap::new();
        for it in &all {
            let decided = next(it.outcome, it.failures, &self.params.schedule, self.params.runtime.roll(), it.ended_at);
            let again_at = if let Next::Again(at) = decided { Some(at) } else { None };
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
                let (receiver, id, event, key) = (it.receiver, it.id, it.event.clone(), it.key.clone());
                dead.entry(it.kind.clone()).or_default().push(Dead { record, receiver, id, event, key });
            } else {
                records.push(record);
            }
        }
        if !records.is_empty() {
            let written = deliveries::record(session, &records).await?;
            self.observed.recorded += written;
            self.observed.lost += (records.len() as u64).saturating_sub(written);
        }
        for it in &all {
            self.params.metrics.attempted(it.outcome);
            if it.outcome == Outcome::Delivered {
                self.params.metrics.arrived(it.due_at, it.ended_at);
            }
            // What comes after it in its line can be had now.
            let lane = self.lanes.lane(it.receiver);
            lane.due_at = Some(lane.due_at.map_or(it.ended_at, |at| at.min(it.ended_at)));
        }
        for (kind, dead) in dead {
            self.bury(&kind, dead);
        }
        Ok(())
    }

    /// Leaves the dead to their owner. It may take its turn among the owner's other writes, so nobody waits for it here.
    fn bury(&mut self, kind: &str, dead: Vec<Dead>) {
        self.observed.dead += dead.len() as u64;
        let Some(undertaker) = self.params.undertakers.get(kind).cloned() else {
            tracing::error!(kind, "nobody gives up deliveries of this kind");
            return;
        };
        let (metrics, bell) = (self.params.metrics.clone(), self.bell.clone());
        self.params.runtime.tasks().spawn("deliveries.bury", async move {
            let count = dead.len();
            let deadline = Instant::now() + LEASE;
            // The leases are ours for so long. After that somebody tries the deliveries once more, and this is decided again.
            loop {
                match undertaker.bury(dead.clone()).await {
                    Ok(()) => break metrics.buried(count),
                    Err(fault) if Instant::now() < deadline => {
                        tracing::warn!(%fault, "dead letters are put off");
                        tokio::time::sleep(LOOK_AGAIN).await;
                    }
                    Err(fault) => break tracing::error!(%fault, "dead letters could not be written"),
                }
            }
            bell.ring();
        });
    }

    async fn measure(&mut self, session: &Session, now: Timestamp) -> storage::Result<()> {
        if self.last_count.is_none_or(|it| it.elapsed() >= COUNT) {
            self.last_count = Some(Instant::now());
            self.params.metrics.waiting(&deliveries::backlog(session).await?, now);
        }
        Ok(())
    }

    fn idle_for(&self, now: Timestamp) -> Duration {
        let due = self.lanes.next_due(now).and_then(|at| Duration::try_from(at.duration_since(now)).ok());
        let look = if self.is_stale { LOOK_AGAIN } else { POLL };
        due.map_or(look, |it| it.max(super::LINGER).min(look))
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
    let Leased { token, receiver, kind, key, event, id, failures, attempts, replayed, due_at, .. } = it;
    Done {
        token,
        receiver,
        was_sent,
        kind,
        key,
        event,
        id,
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
        let held = || permits.clone().try_acquire_owned().ok().map(|it| (it, None));
        let at_the_ring = std::cell::Cell::new(0);
        in_time(answer_after(5_000), held(), || at_the_ring.set(permits.available_permits())).await.unwrap();
        assert_eq!(at_the_ring.get(), 1);
        in_time(answer_after(500), held(), || panic!("it was quick")).await.unwrap();
    }
}
