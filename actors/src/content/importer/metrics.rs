//! Metrics of imports. Their labels are kinds and outcomes, both closed sets.

use domain::content::import::{Kind, Outcome};
use prometheus::{IntCounterVec, IntGauge, Opts, Registry};

/// The collectors. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Metrics {
    items: IntCounterVec,
    running: IntGauge,
}

impl Metrics {
    /// Creates and registers the collectors.
    pub(crate) fn register(registry: &Registry) -> prometheus::Result<Self> {
        let items = IntCounterVec::new(Opts::new("svc_import_items_total", "Records of imports by outcome"), &["kind", "result"])?;
        let running = IntGauge::new("svc_import_running", "Imports running in this process")?;
        registry.register(Box::new(items.clone()))?;
        registry.register(Box::new(running.clone()))?;
        Ok(Self { items, running })
    }

    /// Counts a record.
    pub(super) fn count(&self, kind: Kind, outcome: Outcome) {
        self.items.with_label_values(&[kind.name(), outcome.name()]).inc();
    }

    /// Sets the number of running imports.
    pub(super) fn set_running(&self, count: usize) {
        self.running.set(i64::try_from(count).unwrap_or(i64::MAX));
    }
}
