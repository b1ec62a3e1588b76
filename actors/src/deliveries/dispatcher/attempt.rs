//! One attempt: a task that sends a delivery and leaves the outcome in the completion queue, whatever happens to it.

use super::Dispatcher;
use crate::deliveries::{
    Protocol, TransportError,
    completions::{Completed, CompletionQueue},
    request::{AttemptResult, classify},
};
use domain::shared::delivery::Outcome;
use futures_util::future::{Abortable, Aborted};
use jiff::Timestamp;
use std::{sync::Arc, time::Duration};
use storage::shared::deliveries::LeasedDelivery;
use tokio::{sync::OwnedSemaphorePermit, time::Instant};

/// How much longer than its status a response may take: for the beginning of its body.
const BODY_TIMEOUT: Duration = Duration::from_secs(1);
/// After so long an attempt gives its permit back: it only waits for its receiver.
const SLOW_AFTER: Duration = Duration::from_secs(1);

/// The permits of an attempt: one for all, and one of the degraded receivers if this is one.
type Permits = (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>);

impl Dispatcher {
    /// Starts an attempt.
    pub(super) fn send(&mut self, delivery: LeasedDelivery) {
        let now = self.params.clock.now();
        let receiver = self.scheduler.receiver(delivery.receiver);
        let is_degraded = receiver.is_degraded();
        receiver.running += 1;
        self.observed.sent += 1;
        let permits = self.take_permits(is_degraded);
        let (transport, clock) = (self.params.settings.transport.clone(), self.params.clock.clone());
        let protocol = self.protocol(&delivery.kind);
        let delivery = Arc::new(delivery);
        let guard = CompletionGuard::new(delivery.clone(), now, self.completions.clone());
        let slow = self.completions.clone();
        let cut_off = self.in_flight.insert(delivery.id, delivery.lease);
        self.params.runtime.tasks().spawn("deliveries.send", async move {
            let responding = async {
                match protocol.request(&delivery, now).await {
                    Ok(request) => {
                        let timeout = protocol.timeout();
                        let sending = transport.send(request, Instant::now() + timeout);
                        with_timeout(timeout, sending, permits, || slow.push_slow(delivery.receiver, delivery.id)).await
                    }
                    Err(fault) => {
                        tracing::error!(delivery.id = %delivery.id, cause = fault.cause.as_deref(), "a delivery cannot be signed");
                        Err(TransportError::Unreachable)
                    }
                }
            };
            guard.complete(match Abortable::new(responding, cut_off).await {
                Ok(response) => classify(response, clock.now(), |status, retry_after| protocol.outcome(status, retry_after)),
                Err(Aborted) => AttemptResult::without_response(Outcome::Cancelled),
            });
        });
    }

    /// How deliveries to this kind of receivers are sent.
    pub(super) fn protocol(&self, kind: &str) -> Arc<dyn Protocol> {
        let known = self.params.kinds.get(kind).map(|kind| &kind.protocol);
        Arc::clone(known.unwrap_or(&self.params.default_protocol))
    }

    /// The plan of this round has counted them, and nothing else takes any, so they are there.
    fn take_permits(&self, is_degraded: bool) -> Option<Permits> {
        let one = self.permits.clone().try_acquire_owned().ok()?;
        let degraded = if is_degraded { self.permits_degraded.clone().try_acquire_owned().ok() } else { None };
        Some((one, degraded))
    }
}

/// Waits for a response, within the time. An attempt that turns out to be slow releases its permits and reports that.
async fn with_timeout<T>(
    timeout: Duration,
    sending: impl Future<Output = Result<T, TransportError>>,
    permits: Option<Permits>,
    report_slow: impl FnOnce(),
) -> Result<T, TransportError> {
    let sending = async move {
        let mut sending = std::pin::pin!(sending);
        if let Ok(response) = tokio::time::timeout(SLOW_AFTER, &mut sending).await {
            return response;
        }
        drop(permits);
        report_slow();
        sending.await
    };
    tokio::time::timeout(timeout + BODY_TIMEOUT, sending).await.unwrap_or(Err(TransportError::TimedOut))
}

/// Puts the outcome of an attempt into the queue. A task that panics drops it, and the attempt counts as failed.
struct CompletionGuard {
    completed: Option<Completed>,
    began: Instant,
    queue: Arc<CompletionQueue>,
}

impl CompletionGuard {
    fn new(delivery: Arc<LeasedDelivery>, started_at: Timestamp, queue: Arc<CompletionQueue>) -> Self {
        let (result, began) = (AttemptResult::without_response(Outcome::Unreachable), Instant::now());
        let completed = Completed { delivery, was_sent: true, result, started_at, took: Duration::ZERO, ended: began };
        Self { completed: Some(completed), began, queue }
    }

    /// The attempt has ended.
    fn complete(mut self, result: AttemptResult) {
        if let Some(completed) = &mut self.completed {
            completed.result = result;
        }
    }
}

impl Drop for CompletionGuard {
    fn drop(&mut self) {
        if let Some(mut completed) = self.completed.take() {
            completed.ended = Instant::now();
            completed.took = completed.ended - self.began;
            self.queue.push(completed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{TransportError, with_timeout};
    use std::{sync::Arc, time::Duration};
    use tokio::{
        sync::Semaphore,
        time::{Instant, sleep},
    };

    const TIMEOUT: Duration = Duration::from_secs(10);

    async fn answer_after(millis: u64) -> Result<(), TransportError> {
        sleep(Duration::from_millis(millis)).await;
        Ok(())
    }

    /// A response that begins just in time counts; one that never comes ends the attempt.
    #[tokio::test(start_paused = true)]
    async fn an_attempt_ends_in_time_whatever_the_receiver_does() {
        assert_eq!(with_timeout(TIMEOUT, answer_after(9_900), None, || {}).await, Ok(()));
        let began = Instant::now();
        let silence = std::future::pending::<Result<(), _>>();
        assert_eq!(with_timeout(TIMEOUT, silence, None, || {}).await, Err(TransportError::TimedOut));
        assert!(began.elapsed() <= Duration::from_secs(11));
    }

    #[tokio::test(start_paused = true)]
    async fn an_attempt_that_waits_gives_its_permits_back() {
        let permits = Arc::new(Semaphore::new(1));
        let held = || permits.clone().try_acquire_owned().ok().map(|permit| (permit, None));
        let free_when_slow = std::cell::Cell::new(0);
        with_timeout(TIMEOUT, answer_after(5_000), held(), || free_when_slow.set(permits.available_permits())).await.unwrap();
        assert_eq!(free_when_slow.get(), 1);
        with_timeout(TIMEOUT, answer_after(500), held(), || panic!("it was quick")).await.unwrap();
    }
}
