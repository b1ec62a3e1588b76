//! Counters of the guard.

use super::GuardRefusal;
use prometheus::{IntCounterVec, Opts, Registry};
use strum::VariantArray;

/// Refusals by reason.
#[derive(Clone)]
pub struct Metrics {
    refusals: IntCounterVec,
}

impl Metrics {
    /// Registers the counters. Each reason starts at zero, so that the first refusal shows as an increase.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let refusals = IntCounterVec::new(Opts::new("svc_guard_refusals_total", "URLs that must not be called"), &["reason"])?;
        registry.register(Box::new(refusals.clone()))?;
        for &refusal in GuardRefusal::VARIANTS {
            refusals.with_label_values(&[refusal.reason()]);
        }
        Ok(Self { refusals })
    }

    pub(super) fn count(&self, refusal: GuardRefusal) {
        self.refusals.with_label_values(&[refusal.reason()]).inc();
    }
}
