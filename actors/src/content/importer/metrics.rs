//! What imports count. Labels are kinds and outcomes, closed sets.

use domain::content::import::{Kind, Outcome};
use prometheus::{IntCounterVec, IntGauge, Opts, Registry};

/// The collectors. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Metrics {
    items: IntCounterVec,
    running: IntGauge,
}

impl Metrics {
    /// Makes and registers them.
    pub(crate) fn register(registry: &Registry) -> prometheus::Result<Self> {
        let items =
            IntCounterVec::new(Opts::new("svc_import_items_total", "Records that imports took over, or not"), &["kind", "result"])?;
        let running = IntGauge::new("svc_import_running", "Imports that this process is at")?;
        registry.register(Box::new(items.clone()))?;
        registry.register(Box::new(running.clone()))?;
        Ok(Self { items, running })
    }

    /// Counts a record.
    pub(super) fn count(&self, kind: Kind, outcome: Outcome) {
        self.items.with_label_values(&[kind.name(), outcome.name()]).inc();
    }

    /// How many run.
    pub(super) fn running(&self) -> &IntGauge {
        &self.running
    }
}
