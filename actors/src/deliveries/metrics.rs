//! The metrics of deliveries.

use domain::shared::delivery::AttemptOutcome;
use jiff::Timestamp;
use prometheus::{Gauge, Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, Opts, Registry};
use storage::shared::deliveries::Backlog;
use strum::VariantNames;

/// The bounds of the histogram's buckets, in seconds.
const BUCKETS: [f64; 12] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 10.0, 60.0, 600.0, 3600.0];

/// The collectors. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Metrics {
    attempts: IntCounterVec,
    delay: Histogram,
    backlog: IntGauge,
    waiting: IntGauge,
    oldest: Gauge,
    dead: IntCounter,
    outbox_lag: Gauge,
    paused: IntGauge,
}

impl Metrics {
    /// Makes and registers them.
    pub(crate) fn register(registry: &Registry) -> prometheus::Result<Self> {
        let metrics = Self {
            attempts: IntCounterVec::new(Opts::new("svc_webhook_attempts_total", "Attempts to deliver, by result"), &["result"])?,
            delay: Histogram::with_opts(
                HistogramOpts::new("svc_webhook_delivery_delay_seconds", "From a delivery's due time to its arrival")
                    .buckets(BUCKETS.into()),
            )?,
            backlog: IntGauge::new("svc_webhook_backlog", "Deliveries that are not finished")?,
            waiting: IntGauge::new("svc_webhook_waiting", "Unfinished deliveries that wait for a receiver whose circuit is open")?,
            oldest: Gauge::new(
                "svc_webhook_oldest_pending_seconds",
                "Age of the oldest delivery that is neither finished nor held back",
            )?,
            dead: IntCounter::new(
                "svc_webhook_dead_letters_total",
                "Deliveries given up after their last attempt, or because of their age",
            )?,
            outbox_lag: Gauge::new("svc_outbox_lag_seconds", "Age of the oldest event that is not yet made into deliveries")?,
            paused: IntGauge::new("svc_sending_paused", "1 while no delivery and no mail is sent, see lectern sending")?,
        };
        for &result in AttemptOutcome::VARIANTS {
            metrics.attempts.with_label_values(&[result]).inc_by(0);
        }
        registry.register(Box::new(metrics.attempts.clone()))?;
        registry.register(Box::new(metrics.delay.clone()))?;
        registry.register(Box::new(metrics.backlog.clone()))?;
        registry.register(Box::new(metrics.waiting.clone()))?;
        registry.register(Box::new(metrics.oldest.clone()))?;
        registry.register(Box::new(metrics.dead.clone()))?;
        registry.register(Box::new(metrics.outbox_lag.clone()))?;
        registry.register(Box::new(metrics.paused.clone()))?;
        Ok(metrics)
    }

    /// Counts an attempt.
    pub(crate) fn attempt_ended(&self, outcome: AttemptOutcome) {
        self.attempts.with_label_values(&[outcome.into_str()]).inc();
    }

    /// Records how long a delivery took from its due time.
    pub(crate) fn delivered(&self, due_at: Timestamp, at: Timestamp) {
        self.delay.observe(seconds(due_at, at));
    }

    /// Counts dead letters.
    pub(crate) fn marked_dead(&self, count: usize) {
        self.dead.inc_by(count as u64);
    }

    /// Sets the gauges of the backlog.
    pub(crate) fn set_backlog(&self, backlog: &Backlog, now: Timestamp) {
        self.backlog.set(backlog.open);
        self.waiting.set(backlog.waiting);
        self.paused.set(backlog.is_paused.into());
        self.oldest.set(backlog.oldest_at.map_or(0.0, |at| seconds(at, now)));
    }

    /// Shows how far the fan-out lags: the time of the oldest event that it has not handled.
    pub(crate) fn set_outbox_lag(&self, oldest: Option<Timestamp>, now: Timestamp) {
        self.outbox_lag.set(oldest.map_or(0.0, |at| seconds(at, now)));
    }
}

fn seconds(from: Timestamp, to: Timestamp) -> f64 {
    to.duration_since(from).as_secs_f64().max(0.0)
}
