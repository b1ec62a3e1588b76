//! One attempt: a task that sends a delivery and leaves the outcome in the completion queue, whatever happens
//! to it.

use super::Dispatcher;
use crate::deliveries::{
    Protocol, TransportError,
    completions::{Completed, CompletionQueue},
    request::{AttemptResult, classify},
};
use domain::shared::delivery::{AttemptOutcome, ReceiverHealth};
use futures_util::future::{Abortable, Aborted};
use jiff::Timestamp;
use std::{sync::Arc, time::Duration};
use storage::shared::deliveries::LeasedDelivery;
use tokio::time::Instant;

/// How much longer than its status a response may take: for the beginning of its body.
const BODY_TIMEOUT: Duration = Duration::from_secs(1);
/// The time after which an attempt is not active any more: it only waits for its receiver.
const SLOW_AFTER: Duration = Duration::from_secs(1);
/// The same at a receiver of which no quick answer is to be expected.
const SLOW_AFTER_UNPROVEN: Duration = Duration::from_millis(250);

impl Dispatcher {
    /// Starts an attempt.
    pub(super) fn send(&mut self, delivery: LeasedDelivery) {
        let now = self.params.clock.now();
        let class = self.scheduler.attempt_started(delivery.receiver, delivery.id);
        let slow_after = if class == ReceiverHealth::Proven { SLOW_AFTER } else { SLOW_AFTER_UNPROVEN };
        self.observed.sent += 1;
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
                        with_timeout(timeout, sending, slow_after, || slow.push_slow(delivery.receiver, delivery.id)).await
                    }
                    Err(fault) => {
                        tracing::error!(delivery.id = %delivery.id, cause = fault.cause.as_deref(), "a delivery cannot be signed");
                        Err(TransportError::Unreachable)
                    }
                }
            };
            guard.complete(match Abortable::new(responding, cut_off).await {
                Ok(response) => classify(response, clock.now(), |status, retry_after| protocol.outcome(status, retry_after)),
                Err(Aborted) => AttemptResult::without_response(AttemptOutcome::Cancelled),
            });
        });
    }

    /// How deliveries to this kind of receivers are sent.
    pub(super) fn protocol(&self, kind: &str) -> Arc<dyn Protocol> {
        let known = self.params.kinds.get(kind).map(|kind| &kind.protocol);
        Arc::clone(known.unwrap_or(&self.params.default_protocol))
    }
}

/// Waits for a response, within the time. An attempt that turns out to be slow reports that.
async fn with_timeout<T>(
    timeout: Duration,
    sending: impl Future<Output = Result<T, TransportError>>,
    slow_after: Duration,
    report_slow: impl FnOnce(),
) -> Result<T, TransportError> {
    let sending = async move {
        let mut sending = std::pin::pin!(sending);
        if let Ok(response) = tokio::time::timeout(slow_after, &mut sending).await {
            return response;
        }
        report_slow();
        sending.await
    };
    tokio::time::timeout(timeout + BODY_TIMEOUT, sending).await.unwrap_or(Err(TransportError::TimedOut))
}

/// Puts the outcome of an attempt into the queue. A task that panics drops it, and the attempt counts as
/// failed.
struct CompletionGuard {
    completed: Option<Completed>,
    began: Instant,
    queue: Arc<CompletionQueue>,
}

impl CompletionGuard {
    fn new(delivery: Arc<LeasedDelivery>, started_at: Timestamp, queue: Arc<CompletionQueue>) -> Self {
        let (result, began) = (AttemptResult::without_response(AttemptOutcome::Unreachable), Instant::now());
        let completed = Completed { delivery, result, started_at, took: Duration::ZERO, ended: began };
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
    use super::{SLOW_AFTER, TransportError, with_timeout};
    use std::{cell::Cell, time::Duration};
    use tokio::time::{Instant, sleep};

    const TIMEOUT: Duration = Duration::from_secs(10);

    async fn answer_after(millis: u64) -> Result<(), TransportError> {
        sleep(Duration::from_millis(millis)).await;
        Ok(())
    }

    /// A response that begins just in time counts; one that never comes ends the attempt.
    #[tokio::test(start_paused = true)]
    async fn an_attempt_ends_in_time_whatever_the_receiver_does() {
        assert_eq!(with_timeout(TIMEOUT, answer_after(9_900), SLOW_AFTER, || {}).await, Ok(()));
        let began = Instant::now();
        let silence = std::future::pending::<Result<(), _>>();
        assert_eq!(with_timeout(TIMEOUT, silence, SLOW_AFTER, || {}).await, Err(TransportError::TimedOut));
        assert!(began.elapsed() <= Duration::from_secs(11));
    }

    #[tokio::test(start_paused = true)]
    async fn an_attempt_that_waits_reports_that_once() {
        let (began, slow_at) = (Instant::now(), Cell::new(None));
        with_timeout(TIMEOUT, answer_after(5_000), SLOW_AFTER, || slow_at.set(Some(began.elapsed()))).await.unwrap();
        assert_eq!(slow_at.get(), Some(SLOW_AFTER));
        with_timeout(TIMEOUT, answer_after(500), SLOW_AFTER, || panic!("it was quick")).await.unwrap();
    }
}
