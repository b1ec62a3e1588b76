//! What the read path measures.

use prometheus::{IntCounter, IntGauge, Registry};

/// Counters without labels: there is one cache.
pub(super) struct ReadMetrics {
    pub(super) hits: IntCounter,
    pub(super) misses: IntCounter,
    pub(super) bytes: IntGauge,
}

impl ReadMetrics {
    /// All at zero.
    pub(super) fn new(registry: &Registry) -> prometheus::Result<Self> {
        let hits = IntCounter::new("svc_delivery_cache_hits_total", "Delivery answers that lay ready")?;
        let misses = IntCounter::new("svc_delivery_cache_misses_total", "Delivery answers that had to be rendered")?;
        let bytes = IntGauge::new("svc_delivery_cache_bytes", "Bytes of delivery answers that are kept")?;
        registry.register(Box::new(hits.clone()))?;
        registry.register(Box::new(misses.clone()))?;
        registry.register(Box::new(bytes.clone()))?;
        Ok(Self { hits, misses, bytes })
    }
}
