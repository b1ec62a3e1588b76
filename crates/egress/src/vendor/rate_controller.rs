//! Applies the estimated rate in real time: callers wait in order of arrival.

use super::{
    Error,
    rate_estimator::{RateEstimator, SendTime},
};
use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio::time::{Instant, sleep_until};

/// The queue of requests to one source.
pub(super) struct RateController {
    began: Instant,
    estimator: Mutex<RateEstimator>,
    queue: tokio::sync::Mutex<()>,
}

impl Default for RateController {
    fn default() -> Self {
        Self { began: Instant::now(), estimator: Mutex::default(), queue: tokio::sync::Mutex::default() }
    }
}

impl RateController {
    /// Waits until a request may be sent, in order of arrival.
    pub(super) async fn acquire(&self) -> SendTime {
        let _first = self.queue.lock().await;
        loop {
            let acquired = self.with(RateEstimator::try_acquire);
            match acquired {
                Ok(sent) => return sent,
                Err(until) => sleep_until(self.began + until).await,
            }
        }
    }

    /// Records the outcome of a request. One without a response says nothing about the limit.
    pub(super) fn record<T>(&self, sent: SendTime, outcome: &Result<T, Error>) {
        self.with(|estimator, now| match outcome {
            Err(Error::Throttled { retry_after }) => estimator.on_refused(sent, now, *retry_after),
            Err(Error::Unreachable | Error::Timeout | Error::Server(_)) => {}
            _ => estimator.on_admitted(now),
        });
    }

    /// Requests a second, once that is known.
    pub(super) fn rate(&self) -> Option<f64> {
        self.with(|estimator, _| estimator.rate())
    }

    fn with<T>(&self, act: impl FnOnce(&mut RateEstimator, Duration) -> T) -> T {
        // Each method leaves the numbers consistent, so a panic elsewhere has not damaged them.
        let mut estimator = self.estimator.lock().unwrap_or_else(PoisonError::into_inner);
        act(&mut estimator, self.began.elapsed())
    }
}
