//! The metrics of the runtime. Labels are kinds of actors, a closed set.

use prometheus::{IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry};

/// The collectors. Cheap to clone.
#[derive(Clone)]
pub struct Metrics {
    restarts: IntCounterVec,
    permits: IntGaugeVec,
}

impl Metrics {
    /// Makes and registers them.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let restarts = IntCounterVec::new(
            Opts::new("svc_actor_restarts_total", "Actors started again after they failed or ended"),
            &["kind"],
        )?;
        let permits =
            IntGaugeVec::new(Opts::new("svc_actor_permits_in_use", "Messages admitted to actors and not yet handled"), &["kind"])?;
        registry.register(Box::new(restarts.clone()))?;
        registry.register(Box::new(permits.clone()))?;
        Ok(Self { restarts, permits })
    }

    /// How often actors of a kind were started again.
    pub fn restarts(&self, kind: &'static str) -> IntCounter {
        self.restarts.with_label_values(&[kind])
    }

    /// How many permits of a kind of actor are in use.
    pub fn permits(&self, kind: &'static str) -> IntGauge {
        self.permits.with_label_values(&[kind])
    }
}
