//! What is measured of deliveries.

use domain::shared::delivery::Outcome;
use jiff::Timestamp;
use prometheus::{Gauge, Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, Opts, Registry};
use storage::shared::deliveries::Backlog;

const BUCKETS: [f64; 12] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 10.0, 60.0, 600.0, 3600.0];

/// The collectors. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Metrics {
    attempts: IntCounterVec,
    delay: Histogram,
    backlog: IntGauge,
    oldest: Gauge,
    dead: IntCounter,
    outbox_lag: Gauge,
}

impl Metrics {
    /// Makes and registers them.
    pub(crate) fn register(registry: &Registry) -> prometheus::Result<Self> {
        let it = Self {
            attempts: IntCounterVec::new(Opts::new("svc_webhook_attempts_total", "Attempts to deliver, by result"), &["result"])?,
            delay: Histogram::with_opts(
                HistogramOpts::new("svc_webhook_delivery_delay_seconds", "From a delivery's due time to its arrival")
                    .buckets(BUCKETS.into()),
            )?,
            backlog: IntGauge::new("svc_webhook_backlog", "Deliveries that are not finished")?,
            oldest: Gauge::new("svc_webhook_oldest_pending_seconds", "Age of the oldest delivery that is not finished")?,
            dead: IntCounter::new("svc_webhook_dead_letters_total", "Deliveries given up after their last attempt")?,
            outbox_lag: Gauge::new("svc_outbox_lag_seconds", "Age of the oldest event that is not yet made into deliveries")?,
        };
        for result in Outcome::NAMES {
            it.attempts.with_label_values(&[result]).inc_by(0);
        }
        registry.register(Box::new(it.attempts.clone()))?;
        registry.register(Box::new(it.delay.clone()))?;
        registry.register(Box::new(it.backlog.clone()))?;
        registry.register(Box::new(it.oldest.clone()))?;
        registry.register(Box::new(it.dead.clone()))?;
        registry.register(Box::new(it.outbox_lag.clone()))?;
        Ok(it)
    }

    /// An attempt ended.
    pub(crate) fn attempted(&self, outcome: Outcome) {
        self.attempts.with_label_values(&[outcome.name()]).inc();
    }

    /// A delivery arrived.
    pub(crate) fn arrived(&self, due_at: Timestamp, at: Timestamp) {
        self.delay.observe(seconds(due_at, at));
    }

    /// Deliveries were given up.
    pub(crate) fn buried(&self, count: usize) {
        self.dead.inc_by(count as u64);
    }

    /// What waits.
    pub(crate) fn waiting(&self, backlog: &Backlog, now: Timestamp) {
        self.backlog.set(backlog.open);
        self.oldest.set(backlog.oldest_at.map_or(0.0, |oldest_at| seconds(oldest_at, now)));
    }

    /// How far the fan-out is behind.
    pub(crate) fn outbox(&self, since: Option<Timestamp>, now: Timestamp) {
        self.outbox_lag.set(since.map_or(0.0, |since| seconds(since, now)));
    }
}

fn seconds(from: Timestamp, to: Timestamp) -> f64 {
    to.duration_since(from).as_secs_f64().max(0.0)
}
