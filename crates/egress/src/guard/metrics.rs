//! What the guard counts.

use super::Refusal;
use prometheus::{IntCounterVec, Opts, Registry};

/// Refusals by reason, a closed set.
#[derive(Clone)]
pub struct Metrics {
    refusals: IntCounterVec,
}

impl Metrics {
    /// Makes and registers the counters. Each reason is there from the start, so that the first refusal is seen as a rise.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let refusals = IntCounterVec::new(Opts::new("svc_guard_refusals_total", "URLs that must not be called"), &["reason"])?;
        registry.register(Box::new(refusals.clone()))?;
        for refusal in Refusal::ALL {
            refusals.with_label_values(&[refusal.reason()]);
        }
        Ok(Self { refusals })
    }

    pub(super) fn count(&self, refusal: Refusal) {
        self.refusals.with_label_values(&[refusal.reason()]).inc();
    }
}
